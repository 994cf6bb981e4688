"""Run the local Discord as a child process for a bot without a token, and follow its clock.

The two talk over HTTP with a token, as the bot does with the real Discord. In addition the child
prints its addresses, and a line when it gets a stop signal, and the bot can follow its clock.
"""

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
from bot.runtime.systems import detached_process_options, hold_signals

USUAL_PORT = 8765
TABLE = "table.db"
CHILD_TIMEOUT_SECONDS = 120.0
"""How long the child may take to start or to end: enough on a very busy machine."""
RETRY_SECONDS = 1.0
"""Seconds before a local Discord that does not respond is asked for its clock again."""
CLOCK_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=10)
"""No limit for the answer, which comes when the clock is moved: perhaps never."""


class PortTaken(BotError):
    """Another program uses the port."""


class Address(Struct, frozen=True):
    """The addresses of a local Discord, and its token for the bot."""

    url: str
    token: str
    page: str
    """The address of the page in the browser."""


@asynccontextmanager
async def own_discord(
    port: int | None, file: Path, players: tuple[str, ...], stop: asyncio.Event
) -> AsyncIterator[Address]:
    """Run a local Discord within this block.

    `stop` is set when the child gets a signal to stop, or ends.
    """
    try:
        process, address = await _start_child(USUAL_PORT if port is None else port, file, players)
    except PortTaken:
        if port is not None:
            raise
        process, address = await _start_child(0, file, players)
    watching = track_task(_wait_for_last_word(process, stop), "local-discord")
    try:
        yield address
    finally:
        is_lost = watching.done() and not watching.result()
        watching.cancel()
        await _end_child(process)
    if is_lost:
        raise BotError("program.local_ended")


async def _start_child(port: int, file: Path, players: tuple[str, ...]) -> tuple[Process, Address]:
    """Start the child, which ends when its standard input is closed, and read its addresses."""
    # A signal to the whole process group must not end the child before the bot has stopped. So it
    # has a session of its own, and signals are blocked until it can handle them.
    with hold_signals():
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            # The current folder may contain another bot.py or discord.py.
            "-P",
            *("-m", "bot.local", f"--port={port}", "--json", "--until-eof", f"--file={file}"),
            *(f"--player={name}" for name in players),
            stdin=PIPE,
            stdout=PIPE,
            **detached_process_options(),
        )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(CHILD_TIMEOUT_SECONDS):
            line = await process.stdout.readline()
        try:
            output = json.loads(line)
        except ValueError:
            raise BotError("program.local_failed") from None
        match output.get("error"):
            case None:
                return process, Address(output["url"], output["token"], output["page"])
            case "port_taken":
                raise PortTaken("program.port_taken", port=port)
            case "in_use":
                raise BotError("program.table_in_use", table=file)
            case _:
                raise BotError("program.table_unusable", table=file, why=output["detail"])
    except BaseException:
        await _end_child(process)
        raise


async def _wait_for_last_word(process: Process, stop: asyncio.Event) -> bool:
    """Wait for the child's last line of output; return False if it ended without one."""
    assert process.stdout is not None
    # It prints a second line when it is told to stop. If it dies, this reads the end of the file.
    has_spoken = bool(await process.stdout.readline())
    stop.set()
    return has_spoken


async def _end_child(process: Process) -> None:
    """Close the child's input and wait for it to end; kill it if it does not."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(CHILD_TIMEOUT_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def table_beside(database: Path, *, fresh: bool) -> Path:
    """Return the local Discord's file next to the bot's database; if `fresh`, delete both first.

    A database without such a file next to it is not a local table's, so it is neither used nor
    deleted.
    """
    table = database.with_name(TABLE)
    if database.exists() and not table.exists():
        raise BotError("program.foreign_database", database=database)
    if fresh:
        from bot.local.table_file import delete_databases, is_in_use

        if is_in_use(table):
            raise BotError("program.table_in_use", table=table)
        # The table is deleted last, since it is what allows the database to be deleted.
        delete_databases(database, table)
    return table


def open_page(address: str) -> threading.Thread | None:
    """Open the page in a browser if somebody sits at this machine."""
    is_desktop = (
        sys.platform in ("darwin", "win32")
        or os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
    )
    if os.environ.get("CI") or not sys.stdout.isatty() or not is_desktop:
        return None
    import webbrowser

    # Some browsers block their caller until they are closed.
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def use_local_discord(url: str) -> None:
    """Make this process use the Discord at a local address instead of the real one."""
    from bot.local import point_at

    try:
        point_at(url)
    except ValueError as error:
        raise BotError("program.local_url", why=error) from error


class TableClock:
    """The local table's time in seconds since 1970, which its players can move forward."""

    def __init__(self, url: str, token: str) -> None:
        self._url = f"{url}/clock"
        self._token = token
        self.ahead = 0.0
        """Seconds by which it is ahead of this machine's clock, which never decrease."""
        self._known = ""
        """The last answer. The local Discord answers again once this is outdated."""

    def __call__(self) -> float:
        return time.time() + self.ahead

    async def ask(self) -> bool:
        """Wait until the table's clock was moved; return False if it cannot be reached."""
        query = {"token": self._token, "ahead": self._known}
        try:
            async with (
                aiohttp.ClientSession(timeout=CLOCK_TIMEOUT) as session,
                session.get(self._url, params=query) as answer,
            ):
                answer.raise_for_status()
                answer_text = await answer.text()
            # Set the clock only now: closing the connection lets other tasks run, and a heartbeat
            # between this and `on_moved` would take the skipped time for an absence of the bot.
            self.ahead = max(self.ahead, float(answer_text))
            self._known = answer_text
            return True
        except (aiohttp.ClientError, OSError, ValueError):
            return False

    async def follow(self, on_moved: Callable[[], object]) -> None:
        """Follow the table's clock for as long as the bot runs."""
        while True:
            if await self.ask():
                on_moved()
            else:
                await asyncio.sleep(RETRY_SECONDS)
