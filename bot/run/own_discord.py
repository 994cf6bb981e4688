"""The local Discord as a child process, for a bot without a token."""

import asyncio
import json
import os
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.runtime.errors import BotError
from bot.runtime.systems import hold_signals, started_apart
from bot.runtime.tasks import track_task
from bot.text import say

USUAL_PORT = 8765
TABLE = "table.db"
PATIENCE = 120.0
"""Seconds for the child to say where it is, and to go: enough on a machine that is very busy."""


class NoDiscord(BotError):
    """The local Discord could not be started."""


class PortTaken(NoDiscord):
    """Another program listens where it should."""


class OwnDiscord:
    """A local Discord that lives as long as this process: it ends by itself when its standard input does."""

    def __init__(self, port: int | None, file: Path, players: tuple[str, ...], stop: asyncio.Event) -> None:
        self._port, self._file, self._players = port, file, players
        self._stop_all = stop
        """Set when somebody tells this process's Discord to stop, or it is gone."""
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None
        self._lost = False
        self.url = ""
        self.token = ""
        self.page = ""
        """The address for people with browsers."""

    async def __aenter__(self) -> Self:
        try:
            await self._start(USUAL_PORT if self._port is None else self._port)
        except PortTaken:
            if self._port is not None:
                raise
            await self._start(0)
        self._watching = track_task(self._watch(), "local-discord")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self._stop()
        if self._lost and error is None:
            raise NoDiscord(say("program.local_ended"))

    async def _start(self, port: int) -> None:
        players = [f"--player={name}" for name in self._players]
        # Whoever ends all processes at once must not take the bot's Discord from it while it ends: the child has a
        # session of its own, and signals wait until it can answer them.
        with hold_signals():
            self._process = await asyncio.create_subprocess_exec(
                # -P: the folder it is started in may hold a bot.py or a discord.py that is somebody else's.
                *(sys.executable, "-P", "-m", "bot.local", "--port", str(port), "--json", "--until-eof"),
                *("--file", str(self._file), *players),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                **started_apart(),
            )
        try:
            await self._read_address(port)
        except BaseException:
            await self._stop()
            raise

    async def _read_address(self, port: int) -> None:
        assert self._process is not None and self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        try:
            said = json.loads(line)
        except ValueError:
            raise NoDiscord(say("program.local_failed")) from None
        match said.get("error"):
            case None:
                self.url, self.token, self.page = said["url"], said["token"], said["page"]
            case "port_taken":
                raise PortTaken(say("program.port_taken", port=port))
            case "in_use":
                raise NoDiscord(say("program.table_in_use", table=self._file))
            case _:
                raise NoDiscord(say("program.table_unusable", table=self._file, why=said["detail"]))

    async def _watch(self) -> None:
        """Wait for the child's last word: somebody told it to stop, or it is gone without one."""
        assert self._process is not None and self._process.stdout is not None
        self._lost = not await self._process.stdout.readline()
        self._stop_all.set()

    async def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


def table_beside(database: Path, *, fresh: bool) -> Path:
    """The local Discord's own file beside the bot's database, both made empty if so wished.

    A database without such a file is not of the local table's making: it is neither used nor emptied.
    """
    table = database.with_name(TABLE)
    if database.exists() and not table.exists():
        raise NoDiscord(say("program.foreign_database", database=database))
    if fresh:
        from bot.local.table_file import in_use, wipe

        if in_use(table):
            raise NoDiscord(say("program.table_in_use", table=table))
        # The table goes last: as long as it is there, the database beside it may be emptied.
        wipe(database, table)
    return table


def open_page(address: str) -> threading.Thread | None:
    """Show the page, where there is somebody to look at it."""
    is_desktop = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if os.environ.get("CI") or not sys.stdout.isatty() or not is_desktop:
        return None
    import webbrowser

    # Some browsers hold their caller up until they are closed.
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening
