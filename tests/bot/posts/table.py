"""The real bot in this process, at a local Discord with real sockets whose trouble a test can
choose.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import Motu
from bot.feature_list import FEATURES
from bot.features.server_settings import ServerSettings
from bot.kernel import queries
from bot.kernel.room import Press, Room
from bot.local import HandClock, LocalDiscord, Person, Response, point_at
from bot.local.model import Channel, Message
from bot.store.sqlite import SqliteStore
from bot.ui.feature import Feature
from engine import Match, Seat
from render.sample import moved
from tests.bot.desk import Desk, make_kernel
from tests.patience import PATIENCE

LOOK = 0.005
"""Seconds between two looks at what tells nobody when it changes."""


class Table:
    """A server with people, the bot, and its matches."""

    def __init__(
        self,
        discord: LocalDiscord,
        path: Path,
        now: Callable[[], float] = time.time,
        features: Sequence[Feature] = FEATURES,
    ) -> None:
        self.discord, self.path, self.now, self.features = discord, path, now, features
        self.ana, self.bea = discord.user("Ana"), discord.user("Bea")
        self.bot: Motu
        self._running: asyncio.Task[None]

    @property
    def matches(self) -> Desk:
        """The services behind the bot."""
        return Desk(self.bot.kernel)

    async def start(self) -> None:
        """The bot, logged in."""
        logins = self.discord.gateway.identified
        kernel = make_kernel(
            await SqliteStore.open(self.path), now=self.now, features=self.features
        )
        self.bot = Motu(kernel, self.features, ready_timeout=0.05)
        self._running = asyncio.create_task(self.bot.start(self.discord.token))
        await self.discord.until(lambda: self.discord.gateway.identified > logins, about="the bot")

    async def stop(self) -> None:
        """The bot gone, as after a signal."""
        await self.bot.close()
        await asyncio.gather(self._running, return_exceptions=True)

    async def begun(self, place: str = "thread") -> Room:
        """A match of Ana with Bea, its first board posted, and nothing of it under way any more."""
        opened: Response = await self.ana.slash(
            "/game new", game="blue_lagoon", settings="first=1", place=place
        )
        await self.bea.click(opened, label="Join")
        await self.ana.click(opened, label="Start")
        # Faults that a test plans next must not meet what is left of the start.
        await self.idle()
        match = str(opened.message.embeds[0]["footer"]["text"].removeprefix("Match "))
        return await self.matches.find(match)

    async def play(self, person: Person, room: Room, move: str) -> Response:
        """A move by text."""
        return await person.slash(
            "/play", channel=self.place(room), move=move, match=room.record.id
        )

    async def played_out(self, room: Room, seed: int = 1) -> Room:
        """A match played to its end in one go, by chance; Ana sits in it."""
        chance = Random(seed)

        def all_turns(room: Room, seat: Seat) -> list[Match]:
            trail = [room.playing()]
            while waiting := trail[-1].waiting_for():
                trail.append(moved(trail[-1], waiting[0], chance))
            return trail

        press = Press(room.record.id, self.ana.id, interaction=self.discord.state.snowflake())
        await self.matches.play(press, all_turns)
        await self.caught_up()
        return await self.matches.find(room.record.id)

    async def done(self, kind: str, room: Room) -> None:
        """Wait until nothing of a kind is due in a match any more."""

        async def holds() -> bool:
            return not await self.matches.store.read(queries.find_job, kind, room.record.id)

        await self.settled(holds)

    async def caught_up(self) -> None:
        """Wait until nothing is due."""

        async def holds() -> bool:
            return not await self.matches.due()

        await self.settled(holds)

    async def idle(self) -> None:
        """Wait until the bot has answered every press and has nothing left to post."""

        async def holds() -> bool:
            return not self.matches.outbox._chores.tasks and not len(self.bot.handlers)

        await self.caught_up()
        await self.settled(holds)

    async def settled(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not await holds():  # noqa: ASYNC110
                await asyncio.sleep(LOOK)

    def place(self, room: Room) -> Channel:
        """Where a match posts."""
        return self.discord.state.channel(room.record.place.posts_to)

    def boards(self, room: Room) -> list[Message]:
        """The posts of a match, oldest first."""
        return [
            post
            for post in self.discord.messages()
            if (post.nonce or "").startswith(f"{room.record.id}-")
        ]


@asynccontextmanager
async def at_table(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    now: Callable[[], float] = time.time,
    films: bool = False,
    features: Sequence[Feature] = FEATURES,
) -> AsyncIterator[Table]:
    """A table with the bot; it waits no second before it tries again, and makes films only for
    tests about them.
    """
    monkeypatch.setattr("bot.features.server_settings.USUAL", ServerSettings(films=films))
    monkeypatch.setattr("bot.posts.outbox.FIRST_WAIT", 0.001)
    # Where discord.py goes is put back at the end.
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    async with LocalDiscord(clock=HandClock()) as discord:
        point_at(discord.url)
        table = Table(discord, folder / "motu.db", now, features)
        await table.start()
        try:
            yield table
        finally:
            discord.faults.clear()
            await table.stop()
        assert discord.unknown_routes == [] and discord.crashes == []
