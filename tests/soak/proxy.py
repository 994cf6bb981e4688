"""A proxy between a bot and its database that can be cut, slowed down, or silently broken."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

CHUNK = 1 << 16


class Proxy:
    """Accepts connections on a local port and forwards them to a PostgreSQL server's socket."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
        self._path, self._user = parts.path, parts.username
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._inward: set[asyncio.StreamWriter] = set()
        """The connections to the server."""
        self._outward: set[asyncio.StreamWriter] = set()
        """The connections from the bot."""
        self._delay = 0.0
        self.round_trips = 0
        """How many requests were answered."""
        self._is_cut = False
        self._speaks = asyncio.Event()
        """Cleared while the bot must not notice anything, not even that connections are closed."""
        self._speaks.set()

    @property
    def url(self) -> str:
        """Return the address of the database through this proxy."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://{self._user}@127.0.0.1:{port}{self._path}"

    async def start(self) -> None:
        """Accept connections."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def close(self) -> None:
        """Accept no more connections, and close the open ones."""
        if self._server is not None:
            self._server.close()
        # Let the task of a connection that was just accepted begin.
        await asyncio.sleep(0)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Trouble

    def cut(self) -> None:
        """Close all connections, so that both sides notice, and accept no new ones."""
        self._is_cut = True
        _abort(self._inward | self._outward)

    def delay(self, seconds: float) -> None:
        """Delay all data by this many seconds in each direction."""
        self._delay = seconds

    def silence(self) -> None:
        """Close all connections to the server, without letting the bot notice."""
        self._speaks.clear()
        _abort(self._inward)

    def mend(self) -> None:
        """Forward everything again; the bot now notices connections that were silently broken."""
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
            # The server is down, or the soak test is over.
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
            # If one side closes, close the other as well.
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
        """Forward data in order, each piece after the delay that held when it arrived."""
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
    """Run several functions until one ends, and cancel the others."""
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
