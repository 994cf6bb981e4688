"""The README's first command on any system: it starts, a match can be played, and it stops.

These tests run on Linux, macOS and Windows. On the first two they run a second time without what
Windows lacks.
"""

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
WITHOUT_UNIX = Path(__file__).parent / "without_unix"
COPY = "Tāne's copy.db"
"""A name that not every output can take."""
POLL_SECONDS = 0.05
"""Seconds between two looks at something that is waited for."""

Json = dict[str, Any]


LIKE_WINDOWS = "like Windows"
FROM_A_WHEEL = "from a wheel"
SYSTEMS = (sys.platform, LIKE_WINDOWS) if os.name == "posix" else (sys.platform,)
"""This system, and where it has more than Windows, the same without that."""


def environment(folder: Path, system: str) -> dict[str, str]:
    """Return the environment of a program that stores its data in a folder."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("MOTU_", "DISCORD_"))
    }
    if system == FROM_A_WHEEL:
        # Nothing of this folder's own code may be found.
        return {**kept, "MOTU_DATA": str(folder)}
    if system != LIKE_WINDOWS:
        return {**kept, "PYTHONPATH": str(ROOT), "MOTU_DATA": str(folder)}
    path = os.pathsep.join([str(WITHOUT_UNIX), str(ROOT)])
    # What Python on Windows writes where its output is no terminal: it has no macrons.
    return {**kept, "PYTHONPATH": path, "MOTU_DATA": str(folder), "PYTHONIOENCODING": "cp1252"}


class Program:
    """`motu` in an empty folder, in a process group of its own, as a terminal would start it."""

    def __init__(
        self, folder: Path, system: str, command: tuple[str, ...] = (sys.executable, "-m", "bot")
    ) -> None:
        self.folder, self.system, self.command = folder, system, command
        self.database = folder / "local" / "motu.db"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> str:
        """Start it; return the address of its page once it is ready."""
        new_group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            new_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(
            [*self.command, "--port", "0", *options],
            cwd=self.folder,
            env=environment(self.folder, self.system),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **new_group,
        )
        assert self.process.stdout is not None
        said = [self.process.stdout.readline().decode() for _ in range(2)]
        address = re.search(r"http://127\.0\.0\.1:\d+/table/[\w-]+/", said[0])
        if address is None or "ready" not in said[1]:
            self.process.kill()
            pytest.fail(f"{said}\n{self.process.communicate()[1].decode()}")
        return address[0]

    def stop(self) -> tuple[int, str]:
        """Stop it as Ctrl-C does; return its exit code and its error output."""
        assert self.process is not None
        # On Windows Ctrl-C cannot be sent to one program alone; Ctrl-Break can.
        self.process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors.decode(errors="replace")

    def commits(self) -> int:
        """Return how many turns were committed."""
        with closing(sqlite3.connect(self.database)) as database:
            ((count,),) = database.execute("SELECT count(*) FROM moves WHERE number > 0")
        return int(count)


@pytest.fixture(params=SYSTEMS)
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Program]:
    program = Program(tmp_path, request.param)
    yield program
    if program.process is not None and program.process.poll() is None:
        program.process.kill()
        print(
            program.process.communicate()[1].decode(errors="replace")
        )  # shown if the test has failed


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Install Motu from a wheel into an environment of its own, as pipx and `uv tool` do.

    Its dependencies are those of the tests, so that nothing is downloaded. A folder that a .pth
    file adds is not searched for further .pth files, so the editable install is not found.
    """
    wheels, environment = tmp_path / "wheels", tmp_path / "environment"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = ["wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT)]
    subprocess.run([*pip, *build], check=True, timeout=PATIENCE)
    venv.create(environment)
    folders = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", folders))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    scripts = Path(sysconfig.get_path("scripts", "venv", folders))
    (wheel,) = wheels.glob("motu-*.whl")
    python = scripts / Path(sys.executable).name
    install = ["--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True, timeout=PATIENCE)
    return scripts / "motu"


async def play_solo(page: str, program: Program) -> None:
    """Play against a computer in a direct message, until the computer has moved."""
    origin = page.partition("/table/")[0]
    async with (
        asyncio.timeout(PATIENCE),
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{page}socket?as=Ana", origin=origin) as socket,
    ):

        async def hear(*kinds: str) -> Json:
            while True:
                packet: Json = await socket.receive_json()
                if packet["t"] in kinds:
                    return packet

        async def send(line: str, number: int) -> None:
            await socket.send_json({"do": "send", "channel": channel, "line": line, "n": number})
            assert (await hear("answered", "failed", "refused"))["t"] == "answered"

        table = await hear("table")
        channel = next(place["id"] for place in table["places"] if place["kind"] == "private")
        await send("/solo game:Blue Lagoon", 1)
        while not (await hear("message_create", "message_update"))["message"]["attachments"]:
            pass
        await send("/play move:17!", 2)
        while await asyncio.to_thread(program.commits) < 2:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)


async def test_it_starts_a_match_is_played_and_ctrl_c_stops_it(program: Program) -> None:
    page = await asyncio.to_thread(program.start)
    await play_solo(page, program)
    code, errors = await asyncio.to_thread(program.stop)
    assert code == 0, errors
    assert "Traceback" not in errors
    assert not list(program.database.parent.glob("*-wal")), "the database is whole without its log"
    page = await asyncio.to_thread(program.start)
    assert program.commits() >= 2, "the next start goes on where this one ended"
    assert (await asyncio.to_thread(program.stop))[0] == 0
    with pytest.raises(aiohttp.ClientConnectionError):
        async with aiohttp.ClientSession() as session:
            await session.get(page)
    await asyncio.to_thread(program.start, "--fresh")
    assert program.commits() == 0, "the old files were removed"
    assert (await asyncio.to_thread(program.stop))[0] == 0


def test_a_copy_is_made(program: Program) -> None:
    program.start()
    made = subprocess.run(
        [sys.executable, "-m", "bot", "backup", COPY],
        cwd=program.folder,
        env=environment(program.folder, program.system),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert program.stop()[0] == 0
    assert made.returncode == 0, made.stderr.decode(errors="replace")
    assert (program.folder / COPY).read_bytes().startswith(b"SQLite format 3")


async def test_a_wheel_can_be_installed_and_played(installed: Path, tmp_path: Path) -> None:
    asked = await asyncio.to_thread(
        subprocess.run,
        [installed, "--help"],
        cwd=tmp_path,
        env=environment(tmp_path, FROM_A_WHEEL),
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert b"usage: motu" in asked.stdout
    program = Program(tmp_path, FROM_A_WHEEL, (str(installed),))
    page = await asyncio.to_thread(program.start)
    try:
        await play_solo(page, program)
    finally:
        code, errors = await asyncio.to_thread(program.stop)
    assert code == 0, errors
