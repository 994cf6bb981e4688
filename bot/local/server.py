"""The local Discord as one thing: state, gateway, REST and page on one port of this machine."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from bot.local import permissions
from bot.local.clock import Clock, WallClock
from bot.local.control import Control
from bot.local.door import guard
from bot.local.driver import Person
from bot.local.gateway import Gateway
from bot.local.keep import Keep
from bot.local.model import Channel, Message, Thread, User
from bot.local.response import Sight
from bot.local.rest import Rest
from bot.local.state import State
from bot.local.table import Table

HOST = "127.0.0.1"
PATIENCE = 120.0
"""Seconds that a test waits for anything before it fails: far more than even a very busy machine needs."""
T = TypeVar("T")


class LocalDiscord:
    """A Discord on this machine, to be used with `async with`; `url` and `token` are for the bot."""

    def __init__(
        self,
        *,
        port: int = 0,
        clock: Clock | None = None,
        token: str | None = None,
        guild: str = "Local table",
        channels: tuple[str, ...] = ("general",),
        active_threads: int = 1000,
        privileged: int = 0,
        record: bool = True,
        file: Path | None = None,
        players: tuple[str, ...] = (),
    ) -> None:
        self.port = port
        self.token = token or f"local.{secrets.token_urlsafe(24)}"
        self.state = State(clock or WallClock(), guild=guild, active_threads=active_threads)
        for name in channels:
            self.state.add_channel(name)
        self.gateway = Gateway(self.state, self.token, granted=privileged)
        self.rest = Rest(self.state, self.token)
        self.faults = self.rest.faults
        self.control = Control(self)
        self.table = Table(self)
        self._players = players
        self._file = file
        self._keep: Keep | None = None
        self.interactions = self.rest.interactions
        self.sights: list[Sight] = []
        """All that was shown to anybody, as it was shown; not kept without `record`."""
        self._people: dict[str, Person] = {}
        self._waiters: list[Callable[[], None]] = []
        self._runner: web.AppRunner | None = None
        self.state.listeners += [self._watch, self._wake] if record else [self._wake]

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
        """Requests that it could not handle for a fault of its own; tests assert that there were none."""
        return self.rest.crashes

    # Life

    async def start(self) -> None:
        """Listen; with what `file` keeps from the last time."""
        if self._file is not None:
            self._keep = Keep(self._file)
        app = web.Application(client_max_size=128 * 1024 * 1024, middlewares=[guard])
        self.rest.add_to(app)
        self.control.add_to(app)
        self.table.add_to(app)
        app.router.add_get("/gateway", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, HOST, self.port).start()
            self._furnish(self._runner.addresses[0][1])
        except BaseException:
            await self.stop()
            raise

    def _furnish(self, port: int) -> None:
        """All that must be there before the first request is read."""
        self.port = port
        self.state.url = f"http://{HOST}:{port}"
        if self._keep is not None:
            self._keep.attach(self.state)
            self.table.capability = str(self._keep.fact("capability", lambda: self.table.capability))
        known = {user.name.casefold() for user in self.state.people}
        for name in self._players:
            if name.casefold() not in known:
                self.user(name)

    async def stop(self) -> None:
        """Close every connection and the port."""
        self.faults.clear()
        await self.table.close()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._keep is not None:
            self._keep.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.stop()

    # People and places

    def user(self, name: str, *, locale: str = "en-US") -> Person:
        """The person of that name, who joins the server when first named."""
        if name not in self._people:
            known = next((user for user in self.state.people if user.name == name), None)
            self._people[name] = Person(self, known or self.state.add_user(name, locale=locale))
        return self._people[name]

    def remove(self, person: Person) -> None:
        """Let somebody leave the server."""
        self.state.remove_user(person.user)

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
        target = self.state.bot.id if to is None else to.user.id
        allow, deny = channel.overwrites.get(target, (0, 0))
        taken = permissions.bits(names)
        self.state.set_overwrite(channel, target, allow & ~taken, deny | taken)

    def allow(self, channel: Channel, *names: str, to: Person | None = None) -> None:
        """Give permissions in a channel to the bot, or to somebody else."""
        target = self.state.bot.id if to is None else to.user.id
        allow, deny = channel.overwrites.get(target, (0, 0))
        given = permissions.bits(names)
        self.state.set_overwrite(channel, target, allow | given, deny & ~given)

    # Waiting

    async def until(self, condition: Callable[[], T | None], *, about: str = "") -> T:
        """Wait until the condition gives something true, and return it. Looked at after every change."""
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

        self._waiters.append(look)
        try:
            return await asyncio.wait_for(done, PATIENCE)
        except TimeoutError:
            raise TimeoutError(f"waited {PATIENCE} s in vain{about and ' for ' + about}") from None
        finally:
            self._waiters.remove(look)

    async def ready(self) -> None:
        """Wait until the bot is connected and has registered commands."""
        await self.until(lambda: self.gateway.connected and any(self.state.commands.values()), about="the bot")

    async def gone(self) -> None:
        """Wait until the bot's connection has ended."""
        await self.until(lambda: not self.gateway.connected, about="the bot to go")

    async def message(
        self,
        matching: Callable[[Message], bool] | str = "",
        *,
        channel: Channel | None = None,
        after: int = 0,
    ) -> Message:
        """The newest public message with this text, or that the predicate likes; waits for one if need be."""

        def find() -> Message | None:
            for message in reversed(self.state.messages.values()):
                if message.ephemeral or message.id <= after or channel not in (None, message.channel):
                    continue
                if matching in message.text if isinstance(matching, str) else matching(message):
                    return message
            return None

        return await self.until(find, about=f"a message {matching!r}")

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """The public messages, oldest first."""
        found = self.state.messages.values()
        return [m for m in found if not m.ephemeral and channel in (None, m.channel)]

    def mark(self) -> int:
        """A moment: whatever is made from now on has a greater id."""
        return self.state.snowflake()

    def _wake(self, kind: str, subject: object) -> None:
        for look in list(self._waiters):
            look()

    def _watch(self, kind: str, subject: object) -> None:
        sight = Sight.of(self.state, kind, subject)
        if sight is not None:
            self.sights.append(sight)

    def sees(self, user: User, sight: Sight) -> bool:
        """Whether somebody could see what was shown."""
        if sight.only_for is not None:
            return sight.only_for is user
        with contextlib.suppress(KeyError):
            return self.state.may(user, sight.channel, "view_channel")
        return False
