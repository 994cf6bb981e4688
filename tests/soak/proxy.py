"""A way from a bot to its database that can be cut, slowed down, or silently broken."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

CHUNK = 1 << 16


class Proxy:
    """Takes connections on a port of this machine and passes all bytes on to a PostgreSQL
    server's socket.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
        self._path, self._user = parts.path, parts.username
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._inward: set[asyncio.StreamWriter] = set()
        """The ends towards the server."""
        self._outward: set[asyncio.StreamWriter] = set()
        """The ends towards the bot."""
        self._delay = 0.0
        self.round_trips = 0
        """How often the server's answer to something was passed on."""
        self._is_cut = False
        self._speaks = asyncio.Event()
        """Cleared while the bot is to hear nothing, not even that its connections have ended."""
        self._speaks.set()

    @property
    def url(self) -> str:
        """Return the address of the database by this way."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://{self._user}@127.0.0.1:{port}{self._path}"

    async def start(self) -> None:
        """Take connections."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def close(self) -> None:
        """Take no more, and end those there are."""
        if self._server is not None:
            self._server.close()
        # The task of a connection that was taken in this moment has yet to begin.
        await asyncio.sleep(0)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Trouble

    def cut(self) -> None:
        """End all connections as both sides notice, and take no new ones."""
        self._is_cut = True
        _abort(self._inward | self._outward)

    def delay(self, seconds: float) -> None:
        """Hold everything up for so long, each way."""
        self._delay = seconds

    def silence(self) -> None:
        """End all connections towards the server, of which the bot hears nothing."""
        self._speaks.clear()
        _abort(self._inward)

    def mend(self) -> None:
        """Let all go through again. What was silently broken is seen to be so."""
        self._is_cut, self._delay = False, 0.0
        if not self._speaks.is_set():
            _abort(self._inward | self._outward)
        self._speaks.set()

    # Inside

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._outward.add(writer)
        try:
            if not self._is_cut:
                await self._connect(reader, writer)
        except (OSError, asyncio.CancelledError):
            # The server is down, or the soak ends.
            pass
        finally:
            await self._speaks.wait()
            self._outward.discard(writer)
            await _close(writer)
            self._tasks.discard(task)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._speaks.wait()
        from_server, to_server = await asyncio.open_unix_connection(self._socket)
        self._inward.add(to_server)
        try:
            is_asked = False

            def ask() -> None:
                nonlocal is_asked
                is_asked = True

            def answer() -> None:
                nonlocal is_asked
                self.round_trips += is_asked
                is_asked = False

            ways = (
                self._pass_on(reader, to_server, ask),
                self._pass_on(from_server, writer, answer),
            )
            tasks = [asyncio.ensure_future(way) for way in ways]
            # When one side has ended, so has the other.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._inward.discard(to_server)
            await _close(to_server)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passed: Callable[[], None]
    ) -> None:
        """Pass bytes on in order, each lot no sooner than the delay of its time of arrival
        allows.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def send() -> None:
            while True:
                at, data = await waiting.get()
                await asyncio.sleep(max(0.0, at - loop.time()))
                await self._speaks.wait()
                writer.write(data)
                passed()
                await writer.drain()

        async def read() -> None:
            while data := await reader.read(CHUNK):
                waiting.put_nowait((loop.time() + self._delay, data))

        await _first_of(read, send)


async def _first_of(*works: Callable[[], Awaitable[None]]) -> None:
    """Run several until one ends, however it does."""
    tasks = [asyncio.ensure_future(work()) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


def _abort(writers: set[asyncio.StreamWriter]) -> None:
    for writer in writers:
        writer.transport.abort()
