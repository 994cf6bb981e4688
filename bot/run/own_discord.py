"""The local Discord: a child process for a bot without a token, and its clock."""

import asyncio
import json
import os
import sys
import threading
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from msgspec import Struct

from bot.runtime.base import BotError, track_task
from bot.runtime.systems import hold_signals, started_apart

USUAL_PORT = 8765
TABLE = "table.db"
PATIENCE = 120.0
"""Seconds for the child to say where it is, and to go: enough on a machine that is very busy."""


AGAIN = 1.0
"""Seconds before a local Discord that does not answer is asked again."""
ANSWER = aiohttp.ClientTimeout(total=None, sock_connect=10)
"""It answers when its clock is moved, which may be never."""


class PortTaken(BotError):
    """Another program listens where the local Discord should."""


class Address(Struct, frozen=True):
    """Where a local Discord is."""

    url: str
    token: str
    page: str
    """The address for people with browsers."""


@asynccontextmanager
async def own_discord(
    port: int | None, file: Path, players: tuple[str, ...], stop: asyncio.Event
) -> AsyncIterator[Address]:
    """Run a local Discord for as long as this lasts.

    `stop` is set when somebody tells it to stop, or it is gone.
    """
    try:
        process, address = await _start(USUAL_PORT if port is None else port, file, players)
    except PortTaken:
        if port is not None:
            raise
        process, address = await _start(0, file, players)
    watching = track_task(_hear_last_word(process, stop), "local-discord")
    try:
        yield address
    finally:
        is_lost = watching.done() and not watching.result()
        watching.cancel()
        await _end(process)
    if is_lost:
        raise BotError("program.local_ended")


async def _start(port: int, file: Path, players: tuple[str, ...]) -> tuple[Process, Address]:
    """Start the child, which ends by itself when its standard input does, and read where it is."""
    # Ending all processes at once must not take the bot's Discord from it while it ends: the child
    # has a session of its own, and signals wait until it can answer them.
    with hold_signals():
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            # The folder it is started in may hold a bot.py or a discord.py of somebody else's.
            "-P",
            *("-m", "bot.local", f"--port={port}", "--json", "--until-eof", f"--file={file}"),
            *(f"--player={name}" for name in players),
            stdin=PIPE,
            stdout=PIPE,
            **started_apart(),
        )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await process.stdout.readline()
        try:
            said = json.loads(line)
        except ValueError:
            raise BotError("program.local_failed") from None
        match said.get("error"):
            case None:
                return process, Address(said["url"], said["token"], said["page"])
            case "port_taken":
                raise PortTaken("program.port_taken", port=port)
            case "in_use":
                raise BotError("program.table_in_use", table=file)
            case _:
                raise BotError("program.table_unusable", table=file, why=said["detail"])
    except BaseException:
        await _end(process)
        raise


async def _hear_last_word(process: Process, stop: asyncio.Event) -> bool:
    """Return whether the child was told to stop; False if it is gone without a word."""
    assert process.stdout is not None
    has_spoken = bool(await process.stdout.readline())
    stop.set()
    return has_spoken


async def _end(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(PATIENCE):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def table_beside(database: Path, *, fresh: bool) -> Path:
    """Return the local Discord's own file beside the bot's database, both made empty if so wished.

    A database without such a file is not of the local table's making: it is neither used nor
    emptied.
    """
    table = database.with_name(TABLE)
    if database.exists() and not table.exists():
        raise BotError("program.foreign_database", database=database)
    if fresh:
        from bot.local.table_file import in_use, wipe

        if in_use(table):
            raise BotError("program.table_in_use", table=table)
        # The table goes last: as long as it is there, the database beside it may be emptied.
        wipe(database, table)
    return table


def open_page(address: str) -> threading.Thread | None:
    """Show the page, where there is somebody to look at it."""
    is_desktop = (
        sys.platform in ("darwin", "win32")
        or os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
    )
    if os.environ.get("CI") or not sys.stdout.isatty() or not is_desktop:
        return None
    import webbrowser

    # Some browsers hold their caller up until they are closed.
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def use_local_discord(url: str) -> None:
    """Have this process take the Discord at a local address for the real one."""
    from bot.local import point_at

    try:
        point_at(url)
    except ValueError as error:
        raise BotError("program.local_url", why=error) from error


class TableClock:
    """The time at the local table, in seconds since 1970; people there can move it forward."""

    def __init__(self, url: str, token: str) -> None:
        self._url = f"{url}/clock"
        self._token = token
        self.ahead = 0.0
        """Seconds by which it is ahead of this machine's clock; it is never put back."""
        self._known = ""
        """What the local Discord last said.

        It answers once that is not true any more, at first at once.
        """

    def __call__(self) -> float:
        return time.time() + self.ahead

    async def ask(self) -> bool:
        """Ask where the table's clock is; return False if it cannot be asked."""
        asked = {"token": self._token, "ahead": self._known}
        try:
            async with (
                aiohttp.ClientSession(timeout=ANSWER) as session,
                session.get(self._url, params=asked) as answer,
            ):
                answer.raise_for_status()
                self._known = await answer.text()
                self.ahead = max(self.ahead, float(self._known))
                return True
        except (aiohttp.ClientError, OSError, ValueError):
            return False

    async def follow(self, on_moved: Callable[[], object]) -> None:
        """Follow every move of the table's clock, for ever."""
        while True:
            if await self.ask():
                on_moved()
            else:
                await asyncio.sleep(AGAIN)
