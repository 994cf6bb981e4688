"""The local Discord as one thing: state, gateway, REST and page on one port of this machine."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import yarl
from aiohttp import web

from bot.local.clock import Clock, WallClock
from bot.local.gateway import Gateway
from bot.local.model import Channel, Message, Thread, User
from bot.local.person import Person
from bot.local.redirect import is_loopback
from bot.local.response import Sight
from bot.local.rest import Rest
from bot.local.state import State
from bot.local.table import Table
from bot.local.table_file import TableFile

HOST = "127.0.0.1"
PATIENCE = 120.0
"""Seconds that a test waits for anything before it fails: far more than even a very busy machine
needs.
"""
LARGEST_REQUEST = 128 * 1024 * 1024
T = TypeVar("T")


class LocalDiscord:
    """A Discord on this machine, to be used with `async with`; `url` and `token` are for the
    bot.
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
        self.state = State(clock or WallClock(), active_threads=active_threads)
        self.state.add_channel("general")
        self.gateway = Gateway(self.state, self.token)
        self.rest = Rest(self.state, self.token)
        self.faults = self.rest.faults
        self.interactions = self.rest.interactions
        self.table = Table(self)
        self.sights: list[Sight] = []
        """All that was shown to anybody, as it was shown; not kept without `record`."""
        self._players = players
        self._path = file
        self._file: TableFile | None = None
        self._people: dict[str, Person] = {}
        self._waiting: list[Callable[[], None]] = []
        self._runner: web.AppRunner | None = None
        self._stopping = False
        self._clock_moved = asyncio.Event()
        if record:
            self.state.listeners.append(self._watch)
        self.state.listeners.append(self._wake)

    @property
    def url(self) -> str:
        """Where it is."""
        return self.state.url

    @property
    def unknown_routes(self) -> list[str]:
        """Requests to routes that it does not have; tests assert that there were none."""
        return self.rest.unknown

    @property
    def crashes(self) -> list[str]:
        """Requests that it could not handle for a fault of its own; tests assert that there were
        none.
        """
        return self.rest.crashes

    # Life

    async def start(self) -> None:
        """Listen; with what `file` keeps from the last time."""
        if self._path is not None:
            self._file = TableFile(self._path)
        app = web.Application(client_max_size=LARGEST_REQUEST, middlewares=[guard])
        self.rest.add_to(app)
        self.table.add_to(app)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/clock", self._clock)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, HOST, self.port).start()
            # From here to the end nothing is awaited: all is in its place before the first request
            # is read.
            self.port = self._runner.addresses[0][1]
            self.state.url = f"http://{HOST}:{self.port}"
            if self._file is not None:
                self._file.attach(self.state)
                self.table.capability = str(
                    self._file.fact("capability", lambda: self.table.capability)
                )
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
        self._told_clock()
        self.faults.clear()
        await self.table.close()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._file is not None:
            self._file.close()

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

    async def _clock(self, request: web.Request) -> web.Response:
        """How far the clock was moved forward, for the bot: told once it differs from what the
        bot knows.
        """
        if request.query.get("token") != self.token:
            raise web.HTTPUnauthorized
        while str(self.state.ahead) == request.query.get("ahead") and not self._stopping:
            await self._clock_moved.wait()
        return web.Response(text=str(self.state.ahead))

    def _told_clock(self) -> None:
        """Whoever waits to hear of the clock looks at it again."""
        self._clock_moved.set()
        self._clock_moved = asyncio.Event()

    # People and places

    def user(self, name: str) -> Person:
        """The person of that name, who joins the server when first named."""
        if name not in self._people:
            known = next((user for user in self.state.people if user.name == name), None)
            self._people[name] = Person(self, known or self.state.add_user(name))
        return self._people[name]

    def channel(self, name: str = "") -> Channel:
        """The channel or thread of that name, or the first channel."""
        for channel in self.state.channels.values():
            if channel.name == name or not name:
                return channel
        raise LookupError(f"no channel {name!r}")

    def add_channel(self, name: str) -> Channel:
        """A new text channel."""
        return self.state.add_channel(name)

    def dm(self, person: Person) -> Channel:
        """The private channel between the bot and a person."""
        return self.state.dm_of(person.user)

    def delete_channel(self, channel: Channel) -> None:
        """Take a channel or thread away."""
        self.state.delete_channel(channel)

    def delete_message(self, message: Message) -> None:
        """Take a message away."""
        self.state.delete_message(message)

    def archive(self, thread: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive a thread (and lock it), or open it again."""
        assert isinstance(thread, Thread)
        self.state.archive(thread, archived, locked=locked)

    def deny(self, channel: Channel, *names: str, to: Person | None = None) -> None:
        """Take permissions in a channel away from the bot, or from somebody else."""
        self.state.set_permissions(channel, to.user if to else self.state.bot, names, allowed=False)

    def allow(self, channel: Channel, *names: str, to: Person | None = None) -> None:
        """Give permissions in a channel to the bot, or to somebody else."""
        self.state.set_permissions(channel, to.user if to else self.state.bot, names, allowed=True)

    # Waiting and looking

    async def until(self, condition: Callable[[], T | None], *, about: str = "") -> T:
        """Wait until the condition gives something true, and return it.

        Looked at after every change.
        """
        found = condition()
        if found:
            return found
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def look() -> None:
            if done.done():
                return
            try:
                seen = condition()
            except Exception as error:
                done.set_exception(error)
                return
            if seen:
                done.set_result(seen)

        self._waiting.append(look)
        try:
            async with asyncio.timeout(PATIENCE):
                return await done
        except TimeoutError:
            raise TimeoutError(f"waited {PATIENCE} s in vain{about and ' for ' + about}") from None
        finally:
            self._waiting.remove(look)

    async def ready(self) -> None:
        """Wait until the bot is connected and has registered commands."""
        await self.until(
            lambda: self.gateway.connected and any(self.state.commands.values()), about="the bot"
        )

    async def gone(self) -> None:
        """Wait until the bot's connection has ended."""
        await self.until(lambda: not self.gateway.connected, about="the bot to go")

    async def message(self, matching: Callable[[Message], bool] | str) -> Message:
        """The newest public message with this text, or that the predicate likes; waits for one
        if need be.
        """

        def find() -> Message | None:
            for message in reversed(self.messages()):
                if matching in message.text if isinstance(matching, str) else matching(message):
                    return message
            return None

        return await self.until(find, about=f"a message {matching!r}")

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """The public messages, oldest first."""
        found = self.state.messages.values()
        return [
            message
            for message in found
            if not message.ephemeral and channel in (None, message.channel)
        ]

    def sees(self, user: User, sight: Sight) -> bool:
        """Whether somebody could see what was shown."""
        if sight.only_for is not None:
            return sight.only_for is user
        # Of a thread whose channel is gone nobody can say any more.
        with contextlib.suppress(KeyError):
            return self.state.may(user, sight.channel, "view_channel")
        return False

    def _wake(self, kind: str, subject: object) -> None:
        if kind == "clock":
            self._told_clock()
        for look in list(self._waiting):
            look()

    def _watch(self, kind: str, subject: object) -> None:
        sight = Sight.of(self.state, kind, subject)
        if sight is not None:
            self.sights.append(sight)


@web.middleware
async def guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Let in whoever asks for this machine by its own name, and no page of another site.

    A page somewhere on the web could otherwise have its visitor's browser talk to this server,
    under a name of its own that it lets point here.
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
        # Whoever asked has gone before there was an answer, as a bot does that is stopped while it
        # connects.
        return web.Response()
