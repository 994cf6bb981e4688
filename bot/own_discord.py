"""The local Discord as a child process, for a bot without a token."""

import asyncio
import json
import sys
from types import TracebackType
from typing import Self

from bot.errors import BotError

USUAL_PORT = 8765
PATIENCE = 30.0
"""Seconds for the child to say where it is, and to go."""


class NoDiscord(BotError):
    """The local Discord could not be started."""


class OwnDiscord:
    """A local Discord that lives as long as this process: it ends by itself when its standard input does."""

    def __init__(self, port: int | None) -> None:
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self.url = ""
        self.token = ""

    async def __aenter__(self) -> Self:
        if self._port is not None:
            await self._start(self._port)
            return self
        try:
            await self._start(USUAL_PORT)
        except NoDiscord:
            await self._start(0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _start(self, port: int) -> None:
        # A session of its own: Ctrl-C must reach the bot alone, which still needs its Discord while it ends.
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.local", "--port", str(port), "--json", "--until-eof"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL if port else None,
            start_new_session=True,
        )
        try:
            await self._read_address(port)
        except BaseException:
            await self._stop()
            raise

    async def _read_address(self, port: int) -> None:
        assert self._process is not None and self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)
        if not line:
            raise NoDiscord(f"The local Discord cannot be started on port {port}. Is it taken? Set MOTU_LOCAL_PORT.")
        said = json.loads(line)
        self.url, self.token = said["url"], said["token"]

    async def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            process.kill()
            await process.wait()
