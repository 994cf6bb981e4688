"""A bot in a simulated Discord, with people in a channel; and the service behind it alone."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor

from bot.app import Motu
from bot.kernel.room import Room
from bot.kernel.scheduler import Scheduler
from bot.runtime.base import BotError
from bot.store.sqlite import SqliteStore
from engine import EngineError
from tests.bot.answers import answer
from tests.bot.desk import Desk, make_kernel
from tests.bot.seating import House
from tests.patience import PATIENCE


class World:
    """A server with a channel, people in it, and the real bot."""

    def __init__(self, env: Env, bot: Motu, path: Path) -> None:
        self.env, self.bot, self.path = env, bot, path
        self.guild: GuildHandle = env.create_guild()
        self.channel: ChannelHandle = self.guild.create_text_channel("games")
        self.ana = self.person("Ana")
        self.bea = self.person("Bea")
        self.cem = self.person("Cem")

    def expected(self, kind: type[BaseException]) -> None:
        """Errors of this kind were meant to happen."""
        self.env._errors[:] = [
            e for e in self.env._errors if not isinstance(getattr(e, "original", e), kind)
        ]

    def person(self, name: str) -> MemberActor:
        """Somebody new in the server."""
        return self.guild.add_member(self.env.create_user(name))

    @property
    def matches(self) -> Desk:
        """The service behind the bot."""
        return Desk(self.bot.kernel)

    async def lobby(self, **options: Any) -> InteractionResult:
        """Ana opens a lobby of Blue Lagoon, in which she begins."""
        options.setdefault("settings", "first=1")
        return await self.ana.slash(self.channel, "game new", game="blue_lagoon", **options)

    async def started(self, *others: MemberActor, **options: Any) -> Room:
        """A match of Ana with these others, or with Bea, that has begun."""
        before = {room.record.id for room in await self.matches.of_user(self.ana.id)}
        opened = await self.lobby(**options)
        message = opened.response.message
        for person in others or (self.bea,):
            await person.click(message, label="Join")
        await self.ana.click(message, label="Start")
        (room,) = [
            room for room in await self.matches.of_user(self.ana.id) if room.record.id not in before
        ]
        return room

    async def add_computer(self, lobby: Any, level: str = "steady") -> InteractionResult:
        """Ana adds a computer to her lobby; the answer is her private list of computers."""
        asked = answer(await self.ana.click(lobby, label="Add computer"))
        return await self.ana.click(asked.message, label=f"Add one: {level}")

    async def room(self, room: Room) -> Room:
        """The match as it stands now."""
        return await self.matches.find(room.record.id)

    def place(self, room: Room) -> ChannelHandle:
        """Where the match posts."""
        found = [self.channel, *self.channel.threads]
        return next(channel for channel in found if channel.id == room.record.place.posts_to)

    async def restart(self) -> None:
        """The bot stopped and started anew on the same database."""
        await self.bot.close()
        bot = Motu(make_kernel(await SqliteStore.open(self.path)))
        await self.env.restart_bot(bot)
        self.bot = bot


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A service on an empty file."""
    house = House(tmp_path / "motu.sqlite3")
    await house.open()
    yield house
    await house.matches.close()


@pytest.fixture
def unscheduled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done by itself when it is due: simcord takes a bot that waits for its next
    alarm for a stuck one.
    """
    monkeypatch.setattr(Scheduler, "start", lambda self, can_run: None)


@pytest.fixture
async def simcord_env(tmp_path: Path, unscheduled: None) -> AsyncIterator[Env]:
    """A simulated Discord with the real bot in it."""
    env = Env(
        Motu(make_kernel(await SqliteStore.open(tmp_path / "motu.db"))),
        settle_timeout=PATIENCE,
        shard_count=1,
    )
    await env.start()
    yield env
    await env.settle()
    await env.bot.close()
    await env.shutdown()
    unexpected = [error for error in env.errors if not _is_refusal(error)]
    assert not unexpected, unexpected


def _is_refusal(error: BaseException) -> bool:
    """Whether it is one of ours, which commands raise to be answered in one place."""
    return isinstance(getattr(error, "original", error), BotError | EngineError)


@pytest.fixture
async def world(simcord_env: Env, tmp_path: Path) -> World:
    """The bot and three people in a channel."""
    bot = simcord_env.bot
    assert isinstance(bot, Motu)
    return World(simcord_env, bot, tmp_path / "motu.db")
