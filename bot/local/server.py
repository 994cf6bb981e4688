"""The local Discord as a whole: state, gateway, REST API and page on one port of this machine."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import yarl
from aiohttp import web

from bot.local.clock import Clock, SystemClock
from bot.local.gateway import Gateway
from bot.local.model import Channel, Message, Thread, User
from bot.local.person import Person
from bot.local.redirect import is_loopback
from bot.local.response import Snapshot
from bot.local.rest import Rest
from bot.local.state import State
from bot.local.table import Table
from bot.local.table_file import TableFile

HOST = "127.0.0.1"
WAIT_SECONDS = 120.0
"""How long a test waits for anything before it fails; enough even for a very busy machine."""
MAX_REQUEST_BYTES = 128 * 1024 * 1024
ACCEPT_STEPS = 5
"""Steps of the event loop that a connection needs, generously, to be accepted."""
T = TypeVar("T")


class LocalDiscord:
    """A Discord on this machine, to be used with `async with`.

    The bot needs its `url` and `token`.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        clock: Clock | None = None,
        active_threads: int = 1000,
        record: bool = True,
        file: Path | None = None,
        players: tuple[str, ...] = (),
    ) -> None:
        self.port = port
        self.token = f"local.{secrets.token_urlsafe(24)}"
        self.state = State(clock or SystemClock(), active_threads=active_threads)
        self.state.add_channel("general")
        self.gateway = Gateway(self.state, self.token)
        self.rest = Rest(self.state, self.token)
        self.faults = self.rest.faults
        self.interactions = self.rest.interactions
        self.table = Table(self)
        self.snapshots: list[Snapshot] = []
        """Everything that was ever shown to anybody; empty without `record`."""
        self._players = players
        self._path = file
        self._file: TableFile | None = None
        self._people: dict[str, Person] = {}
        self._waiters: list[Callable[[], None]] = []
        self._runner: web.AppRunner | None = None
        self._listener: asyncio.Server | None = None
        self._stopping = False
        self._clock_moved = asyncio.Event()
        if record:
            self.state.listeners.append(self._record_snapshot)
        self.state.listeners.append(self._wake_waiters)

    @property
    def url(self) -> str:
        """The address of the local Discord."""
        return self.state.url

    @property
    def unknown_routes(self) -> list[str]:
        """Requests to routes that do not exist; tests expect none."""
        return self.rest.unknown

    @property
    def crashes(self) -> list[str]:
        """Requests that raised an exception in this server; tests expect none."""
        return self.rest.crashes

    @property
    def invalid_requests(self) -> list[str]:
        """Requests beyond a documented limit; tests of the bot expect none."""
        return self.rest.invalid

    # Start and stop

    async def start(self) -> None:
        """Load the file, if there is one, and listen."""
        if self._path is not None:
            self._file = TableFile(self._path)
        app = web.Application(client_max_size=MAX_REQUEST_BYTES, middlewares=[guard])
        self.rest.add_to(app)
        self.table.add_to(app)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/clock", self._serve_clock)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        try:
            await self._runner.setup()
            assert self._runner.server is not None
            # Not with TCPSite, which offers no way to stop accepting before it closes.
            self._listener = await asyncio.get_running_loop().create_server(
                self._runner.server, HOST, self.port
            )
            # Nothing below awaits, so no request is served before everything is loaded. The files'
            # addresses need the port, which is known only now.
            self.port = self._listener.sockets[0].getsockname()[1]
            self.state.url = f"http://{HOST}:{self.port}"
            if self._file is not None:
                self._file.attach(self.state)
                capability = self._file.load_fact("capability", lambda: self.table.capability)
                self.table.capability = str(capability)
            known = {user.name.casefold() for user in self.state.people}
            for name in self._players:
                if name.casefold() not in known:
                    self.user(name)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Close every connection and the port."""
        self._stopping = True
        self._wake_clock_requests()
        self.faults.clear()
        await self._stop_accepting()
        await self.table.close()
        await self.gateway.close()
        if self._runner is not None:
            connections = self._runner.server.connections if self._runner.server else []
            transports = [one.transport for one in connections if one.transport is not None]
            await self._runner.cleanup()
            # Closing waits until everything is sent, which a client that has stopped reading
            # delays for ever.
            for transport in transports:
                transport.abort()
            await asyncio.sleep(0)
        if self._file is not None:
            self._file.close()

    async def _stop_accepting(self) -> None:
        """Close the port, once all connections that came in before are accepted."""
        if self._listener is None:
            return
        # asyncio's servers drop a connection without closing it if they are closed while they
        # accept it. Windows' event loop accepts in another way, and has no readers.
        with contextlib.suppress(NotImplementedError):
            for listening in self._listener.sockets:
                asyncio.get_running_loop().remove_reader(listening)
        for _ in range(ACCEPT_STEPS):
            await asyncio.sleep(0)
        self._listener.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _serve_clock(self, request: web.Request) -> web.Response:
        """Answer how far the clock was moved forward, once it differs from what the bot knows."""
        if request.query.get("token") != self.token:
            raise web.HTTPUnauthorized
        while str(self.state.ahead) == request.query.get("ahead") and not self._stopping:
            await self._clock_moved.wait()
        return web.Response(text=str(self.state.ahead))

    def _wake_clock_requests(self) -> None:
        """Let the requests to /clock that wait look at the clock again."""
        self._clock_moved.set()
        self._clock_moved = asyncio.Event()

    # People and channels

    def user(self, name: str) -> Person:
        """Return the person with a name, who joins the server when first named."""
        if name not in self._people:
            known = next((user for user in self.state.people if user.name == name), None)
            self._people[name] = Person(self, known or self.state.add_user(name))
        return self._people[name]

    def channel(self, name: str = "") -> Channel:
        """Return the channel or thread with a name, or the first channel."""
        for channel in self.state.channels.values():
            if channel.name == name or not name:
                return channel
        raise LookupError(f"no channel {name!r}")

    def add_channel(self, name: str) -> Channel:
        """Add a text channel to the server."""
        return self.state.add_channel(name)

    def dm(self, person: Person) -> Channel:
        """Return the direct messages between the bot and a person."""
        return self.state.open_dm(person.user)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread."""
        self.state.delete_channel(channel)

    def delete_message(self, message: Message) -> None:
        """Delete a message."""
        self.state.delete_message(message)

    def archive(self, thread: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive a thread, lock it, or reopen it."""
        assert isinstance(thread, Thread)
        self.state.archive(thread, archived, locked=locked)

    def deny(self, channel: Channel, *names: str, to: Person | None = None) -> None:
        """Deny permissions in a channel to the bot, or to a person."""
        self.state.set_permissions(channel, to.user if to else self.state.bot, names, allowed=False)

    def allow(self, channel: Channel, *names: str, to: Person | None = None) -> None:
        """Allow permissions in a channel to the bot, or to a person."""
        self.state.set_permissions(channel, to.user if to else self.state.bot, names, allowed=True)

    # Waiting and looking

    async def until(self, condition: Callable[[], T | None], *, about: str = "") -> T:
        """Wait until a condition returns something true, and return that.

        The condition is checked after every change of the state.
        """
        found = condition()
        if found:
            return found
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def check() -> None:
            if future.done():
                return
            try:
                result = condition()
            except Exception as error:
                future.set_exception(error)
                return
            if result:
                future.set_result(result)

        self._waiters.append(check)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                return await future
        except TimeoutError:
            raise TimeoutError(
                f"waited {WAIT_SECONDS} s in vain{about and ' for ' + about}"
            ) from None
        finally:
            self._waiters.remove(check)

    async def wait_until_ready(self) -> None:
        """Wait until the bot is connected and has registered its commands."""
        await self.until(
            lambda: self.gateway.connected and any(self.state.commands.values()), about="the bot"
        )

    async def wait_until_disconnected(self) -> None:
        """Wait until no shard of the bot is connected."""
        await self.until(lambda: not self.gateway.connected, about="the bot to go")

    async def message(self, matching: Callable[[Message], bool] | str) -> Message:
        """Return the newest public message with a text or matching a predicate; wait for one."""

        def find() -> Message | None:
            for message in reversed(self.messages()):
                if isinstance(matching, str):
                    is_match = matching in message.text
                else:
                    is_match = matching(message)
                if is_match:
                    return message
            return None

        return await self.until(find, about=f"a message {matching!r}")

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """Return the public messages, oldest first."""
        if channel is not None:
            return self.state.history(channel)
        return [message for message in self.state.messages.values() if not message.ephemeral]

    def sees(self, user: User, snapshot: Snapshot) -> bool:
        """Return whether a user could see what was shown."""
        if snapshot.only_for is not None:
            return snapshot.only_for is user
        # The permissions of a thread whose channel was deleted cannot be looked up any more.
        with contextlib.suppress(KeyError):
            return self.state.may(user, snapshot.channel, "view_channel")
        return False

    def _wake_waiters(self, kind: str, subject: object) -> None:
        if kind == "clock":
            self._wake_clock_requests()
        for check in list(self._waiters):
            check()

    def _record_snapshot(self, kind: str, subject: object) -> None:
        snapshot = Snapshot.of(self.state, kind, subject)
        if snapshot is not None:
            self.snapshots.append(snapshot)


@web.middleware
async def guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse requests by another name than this machine's, and those of other sites' pages.

    Otherwise a page on the web could let a name of its own point to 127.0.0.1 (DNS rebinding), and
    have the browser of whoever visits it talk to this server.
    """
    try:
        host = yarl.URL(f"http://{request.host}").host
    except ValueError:
        host = None
    if not is_loopback(host):
        raise web.HTTPForbidden(text="Wrong host.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="Wrong origin.")
    try:
        return await handler(request)
    except ConnectionError:
        # The client disconnected before there was a response, such as a bot that is stopped while
        # it connects.
        return web.Response()
