"""The real bot in this process at a local Discord, with people who act and see what it shows.

    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert "Ana: boat on 17." in world.newest(room).content

An action returns once the bot has answered it and has done what follows from it, so whatever it
posts can be read at once.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import Motu
from bot.feature_list import FEATURES
from bot.features.server_settings import ServerSettings
from bot.kernel import queries
from bot.kernel.room import Press, Room
from bot.local import HandClock, LocalDiscord, Person, Response, point_at
from bot.local.model import THREAD_CREATED, Channel, Message, User
from bot.store.sqlite import SqliteStore
from bot.ui.feature import Feature
from engine import Match, Seat
from render.sample import moved
from tests.bot.desk import Desk, make_kernel
from tests.patience import PATIENCE

POLL_SECONDS = 0.005
"""How often to look at what tells nobody when it changes."""
READY_SECONDS = 0.01
"""How long the bot waits for further servers before it takes itself to be ready."""
ENDLESS = {
    "scheduler",
    "keep-shards",
    "leave-gateway",
    "lobbies",
    "lost-places",
    "look-around",
    "check-for-damage",
}
"""The names of the bot's tasks that run for as long as it does."""


class Player(Person):
    """A person who goes on once the bot has done everything that follows from their action."""

    def __init__(self, world: "World", user: User) -> None:
        super().__init__(world.discord, user)
        self.world = world

    async def _do(self, *args: Any, wait: Any, **options: Any) -> Response:
        response = await super()._do(*args, wait=wait, **options)
        if wait == "answer" and self.world.waits_for_all:
            await self.world.idle()
        return response


class World:
    """A server with a channel, people in it, and the bot."""

    def __init__(
        self,
        discord: LocalDiscord,
        path: Path,
        now: Callable[[], float] = time.time,
        features: Sequence[Feature] = FEATURES,
        **kernel_options: Any,
    ) -> None:
        self.discord, self.path, self.now, self.features = discord, path, now, features
        self.guild = discord.state.guild
        self.channel = discord.channel()
        # The first to come owns the server.
        self.owner = self.person("Mia")
        self.ana, self.bea, self.cem = (self.person(name) for name in ("Ana", "Bea", "Cem"))
        self.bot: Motu
        self.waits_for_all = True
        """Whether people wait for everything that follows; else they go on with their answer."""
        self.errors: list[str] = []
        """The errors that the bot has logged."""
        self._kernel_options = kernel_options
        self._running: asyncio.Task[None]

    def person(self, name: str) -> Player:
        """Return somebody new in the server."""
        return Player(self, self.discord.state.add_user(name))

    @property
    def matches(self) -> Desk:
        """The services behind the bot."""
        return Desk(self.bot.kernel)

    # The bot's life

    async def start(self) -> None:
        """Start the bot, and wait until it is logged in."""
        logins = self.discord.gateway.identified
        store = await SqliteStore.open(self.path)
        kernel = make_kernel(store, now=self.now, features=self.features, **self._kernel_options)
        self.bot = Motu(kernel, self.features, ready_timeout=READY_SECONDS)
        self._running = asyncio.create_task(self.bot.start(self.discord.token))
        await self.discord.until(lambda: self.discord.gateway.identified > logins, about="the bot")

    async def ready(self) -> None:
        """Wait until the bot has gone on where the last one stopped."""
        await self.bot.wait_until_ready()
        await self.idle()

    async def stop(self) -> None:
        """Stop the bot, as a signal does."""
        await self.bot.close()
        await asyncio.gather(self._running, return_exceptions=True)

    async def restart(self) -> None:
        """Stop the bot, and start another on the same database."""
        await self.stop()
        await self.start()
        await self.ready()

    # Matches

    async def lobby(self, **options: Any) -> Response:
        """Ana opens a lobby of Blue Lagoon, in which she begins."""
        options.setdefault("settings", "first=1")
        options.setdefault("game", "blue_lagoon")
        return await self.ana.slash("/game new", **options)

    async def started(self, *others: Player, **options: Any) -> Room:
        """Start a match of Ana with these others, or with Bea."""
        opened = await self.lobby(**options)
        for person in others or (self.bea,):
            await person.click(opened, label="Join")
        await self.ana.click(opened, label="Start")
        # Faults that a test plans next must not meet what is left of the start.
        await self.idle()
        match = str(opened.message.embeds[0]["footer"]["text"].removeprefix("Match "))
        return await self.matches.find(match)

    async def add_computer(self, lobby: Message, level: str = "steady") -> Response:
        """Ana adds a computer to her lobby; the answer is her private list of computers."""
        asked = await self.ana.click(lobby, label="Add computer")
        return await self.ana.click(asked.private, label=f"Add one: {level}")

    async def play(self, person: Person, room: Room, move: str) -> Response:
        """Play a move by text."""
        return await person.slash(
            "/play", channel=self.place(room), move=move, match=room.record.id
        )

    async def resign(self, person: Person, room: Room) -> Response:
        """Give a seat up, and with it a match of two."""
        asked = await person.slash("/resign", channel=self.place(room), match=room.record.id)
        return await person.click(asked.private, label="Yes, give up my seat")

    async def played_out(self, room: Room, seed: int = 1) -> Room:
        """Play a match of Ana's to its end in one go, by chance."""
        chance = Random(seed)

        def all_turns(room: Room, seat: Seat) -> list[Match]:
            trail = [room.playing()]
            while waiting := trail[-1].waiting_for():
                trail.append(moved(trail[-1], waiting[0], chance))
            return trail

        press = Press(room.record.id, self.ana.id, interaction=self.discord.state.snowflake())
        await self.matches.play(press, all_turns)
        await self.caught_up()
        return await self.room(room)

    async def room(self, room: Room) -> Room:
        """Return a match as it stands now."""
        return await self.matches.find(room.record.id)

    def expected(self, error: str) -> None:
        """Errors whose report has this text were meant to be logged."""
        assert any(error in report for report in self.errors), self.errors
        self.errors[:] = [report for report in self.errors if error not in report]

    # Waiting

    async def idle(self) -> None:
        """Wait until the bot has nothing left to do, or a fault holds one of its requests up."""
        async with asyncio.timeout(PATIENCE):
            while tasks := _tasks_in_hand():
                holds = [fault for fault in self.discord.faults.planned if fault.gate is not None]
                holds = [fault for fault in holds if not fault.gate.is_set()]
                if any(fault.met.is_set() for fault in holds):
                    return
                met = {asyncio.create_task(fault.met.wait()) for fault in holds}
                await asyncio.wait(tasks | met, return_when=asyncio.FIRST_COMPLETED)
                for waiting in met:
                    waiting.cancel()

    async def done(self, kind: str, room: Room) -> None:
        """Wait until no job of a kind is scheduled for a match any more."""

        async def holds() -> bool:
            return not await self.matches.store.read(queries.find_job, kind, room.record.id)

        await self.settled(holds)

    async def caught_up(self) -> None:
        """Wait until every post is made."""

        async def holds() -> bool:
            return not await self.matches.due()

        await self.settled(holds)

    async def settled(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something holds of the database, which tells nobody when it changes."""
        async with asyncio.timeout(PATIENCE):
            while not await holds():  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)

    # Seeing

    def place(self, room: Room) -> Channel:
        """Return where a match posts."""
        return self.discord.state.channel(room.record.place.posts_to)

    def threads(self, channel: Channel | None = None) -> list[Channel]:
        """Return the threads of a channel, or of the first one."""
        parent = (channel or self.channel).id
        return [thread for thread in self.discord.state.threads() if thread.parent == parent]

    def posts(self, where: Room | Channel | None = None) -> list[Message]:
        """Return the public messages of a channel, of a match's, or of the first; oldest first."""
        channel = self.place(where) if isinstance(where, Room) else where or self.channel
        found = self.discord.messages(channel)
        return [message for message in found if message.kind != THREAD_CREATED]

    def newest(self, where: Room | Channel | None = None) -> Message:
        """Return the newest of these messages."""
        return self.posts(where)[-1]

    def boards(self, room: Room) -> list[Message]:
        """Return the posts of a match, oldest first, wherever they were made."""
        return [
            post
            for post in self.discord.messages()
            if (post.nonce or "").startswith(f"{room.record.id}-")
        ]


def _tasks_in_hand() -> set["asyncio.Task[Any]"]:
    """Return the tasks of the bot that will end: it names all of them, as discord.py does."""
    return {
        task
        for task in asyncio.all_tasks()
        if task.get_name() not in ENDLESS and not re.fullmatch(r"Task-\d+", task.get_name())
    } - {asyncio.current_task()}


class _ErrorLog(logging.Handler):
    """Keeps what the bot logs as errors."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(record.getMessage())


@asynccontextmanager
async def open_world(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    now: Callable[[], float] = time.time,
    films: bool = False,
    features: Sequence[Feature] = FEATURES,
    kind: type[World] = World,
    **kernel_options: Any,
) -> AsyncIterator[World]:
    """Run a world with the bot; it waits no second before it tries again, and makes films only
    for tests about them.
    """
    monkeypatch.setattr("bot.features.server_settings.USUAL", ServerSettings(films=films))
    monkeypatch.setattr("bot.posts.outbox.FIRST_WAIT", 0.001)
    # Where discord.py goes is put back at the end.
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    async with LocalDiscord(clock=HandClock()) as discord:
        point_at(discord.url)
        world = kind(discord, folder / "motu.db", now, features, **kernel_options)
        log, errors = logging.getLogger("motu"), _ErrorLog(world.errors)
        log.addHandler(errors)
        await world.start()
        try:
            await world.ready()
            yield world
        finally:
            log.removeHandler(errors)
            discord.faults.clear()
            await world.stop()
        assert discord.unknown_routes == [] and discord.crashes == []
