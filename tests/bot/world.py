"""The real bot in this process, connected to a local Discord with people who use it.

    room = await world.start_match()
    await world.play(world.ana, room, "17!")
    assert "Ana placed a boat on 17." in world.newest(room).content

An action returns once the bot has answered it and has finished everything that follows from it,
so a test can read the bot's posts right away.
"""

import asyncio
import io
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route
from PIL import Image

from bot.app import Motu
from bot.feature_list import FEATURES
from bot.features.server_settings import ServerSettings
from bot.kernel import queries
from bot.kernel.room import Press, Room
from bot.local import LocalDiscord, ManualClock, Person, Response, point_at
from bot.local.model import THREAD_CREATED, Channel, Message, User
from bot.store.sqlite import SqliteStore
from bot.ui.feature import Feature
from engine import Match, Seat, View
from render import Scene
from render.sample import play_random_turn
from tests.bot.services import Services, make_kernel
from tests.patience import PATIENCE

POLL_SECONDS = 0.05
"""How often to look at a condition that changes without a write or the end of a task."""
READY_SECONDS = 0.01
"""How long the bot waits for further servers before it considers itself ready."""
ENDLESS_TASKS = {
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
    """A person whose actions return once the bot has finished everything that follows."""

    def __init__(self, world: "World", user: User) -> None:
        super().__init__(world.discord, user)
        self.world = world

    async def ask(self, command: str, **options: Any) -> Message:
        """Give a slash command and return the private answer."""
        return (await self.slash(command, **options)).private

    async def press(self, message: Message | Response, *args: Any, **options: Any) -> Message:
        """Click a button and return the private answer."""
        return (await self.click(message, *args, **options)).private

    async def interact(self, *args: Any, wait: Any, **options: Any) -> Response:
        response = await super().interact(*args, wait=wait, **options)
        if wait == "answer" and self.world.waits_for_all:
            await self.world.wait_until_idle()
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
        self.discord = discord
        self.path = path
        self.now = now
        self.features = features
        self.guild = discord.state.guild
        self.channel = discord.channel()
        # The first person to join owns the server.
        self.owner = self.add_person("Mia")
        self.ana = self.add_person("Ana")
        self.bea = self.add_person("Bea")
        self.cem = self.add_person("Cem")
        self.bot: Motu
        self.draws_ahead = False
        """Whether the next bot draws boards of all games after its start. Few tests need any."""
        self.waits_for_all = True
        """Whether actions wait for everything that follows, or only for the bot's answer."""
        self.errors: list[str] = []
        """The errors that the bot has logged."""
        self._kernel_options = kernel_options
        self._written = asyncio.Event()
        """Set after every write to the database."""
        self._running: asyncio.Task[None]

    def add_person(self, name: str) -> Player:
        """Add a new person to the server."""
        return Player(self, self.discord.state.add_user(name))

    @property
    def matches(self) -> Services:
        """The services behind the bot."""
        return Services(self.bot.kernel)

    # Starting and stopping the bot

    async def start(self) -> None:
        """Start the bot and wait until it has logged in."""
        logins = self.discord.gateway.identified
        store = await SqliteStore.open(self.path)
        self._watch_writes(store)
        kernel = make_kernel(store, now=self.now, features=self.features, **self._kernel_options)
        self.bot = Motu(
            kernel, self.features, ready_timeout=READY_SECONDS, draws_ahead=self.draws_ahead
        )
        self._running = asyncio.create_task(self.bot.start(self.discord.token))
        login = asyncio.ensure_future(
            self.discord.until(lambda: self.discord.gateway.identified > logins, about="the bot")
        )
        await asyncio.wait({login, self._running}, return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            login.cancel()
            # Raise the error that kept the bot from starting.
            await self._running
        await login

    def _watch_writes(self, store: SqliteStore) -> None:
        write = store._write

        async def write_and_signal(work: Any) -> Any:
            try:
                return await write(work)
            finally:
                self._written.set()

        store._write = write_and_signal  # type: ignore[method-assign]

    async def wait_until_ready(self) -> None:
        """Wait until the bot has resumed what the previous one left unfinished."""
        await self.bot.wait_until_ready()
        await self.wait_until_idle()

    async def stop(self) -> None:
        """Stop the bot as a signal would."""
        await self.bot.close()
        await asyncio.gather(self._running, return_exceptions=True)

    async def restart(self) -> None:
        """Stop the bot and start another on the same database."""
        await self.stop()
        await self.start()
        await self.wait_until_ready()

    # Matches

    async def open_lobby(self, **options: Any) -> Response:
        """Have Ana open a Blue Lagoon lobby in which she goes first."""
        options.setdefault("settings", "first=1")
        options.setdefault("game", "blue_lagoon")
        return await self.ana.slash("/game new", **options)

    async def start_match(self, *others: Player, **options: Any) -> Room:
        """Start a match between Ana and the given players, by default Bea."""
        opened = await self.open_lobby(**options)
        for person in others or (self.bea,):
            await person.click(opened, label="Join")
        await self.ana.click(opened, label="Start")
        # A fault that the test plans next must not hit requests that belong to the start.
        await self.wait_until_idle()
        match = str(opened.message.embeds[0]["footer"]["text"].removeprefix("Match "))
        return await self.matches.find(match)

    async def add_computer(self, lobby: Message, level: str = "steady") -> Response:
        """Have Ana add a computer to her lobby; the answer is her private list of computers."""
        screen = await self.ana.click(lobby, label="Add computer")
        return await self.ana.click(screen.private, label=f"Add: {level}")

    async def play(self, person: Person, room: Room, move: str) -> Response:
        """Play a move by text."""
        return await person.slash(
            "/play", channel=self.place(room), move=move, match=room.record.id
        )

    async def resign(self, person: Person, room: Room) -> Response:
        """Resign, which ends a match of two."""
        question = await person.slash("/resign", channel=self.place(room), match=room.record.id)
        return await person.click(question.private, label="Yes, give up my seat")

    async def play_out(self, room: Room, seed: int = 1) -> Room:
        """Play one of Ana's matches to its end with random moves, in one commit."""
        random = Random(seed)

        def all_turns(room: Room, seat: Seat) -> list[Match]:
            positions = [room.playing()]
            while waiting := positions[-1].waiting_for():
                positions.append(play_random_turn(positions[-1], waiting[0], random))
            return positions

        press = Press(room.record.id, self.ana.id, interaction=self.discord.state.snowflake())
        await self.matches.play(press, all_turns)
        await self.wait_until_posted()
        return await self.reload(room)

    async def reload(self, room: Room) -> Room:
        """Return the current state of a match."""
        return await self.matches.find(room.record.id)

    def expect_error(self, error: str) -> None:
        """Require that an error with this text was logged, and forget it."""
        assert any(error in report for report in self.errors), self.errors
        self.errors[:] = [report for report in self.errors if error not in report]

    # Waiting

    async def wait_until_idle(self) -> None:
        """Wait until the bot has nothing left to do, or until a fault holds up a request."""
        async with asyncio.timeout(PATIENCE):
            while tasks := _running_tasks():
                holds = [fault for fault in self.discord.faults.planned if fault.gate is not None]
                holds = [fault for fault in holds if not fault.gate.is_set()]
                if any(fault.was_hit.is_set() for fault in holds):
                    return
                hits = {asyncio.create_task(fault.was_hit.wait()) for fault in holds}
                await asyncio.wait(tasks | hits, return_when=asyncio.FIRST_COMPLETED)
                for waiting in hits:
                    waiting.cancel()

    async def wait_until_job_done(self, kind: str, room: Room) -> None:
        """Wait until no job of this kind is scheduled for a match."""

        async def is_done() -> bool:
            return not await self.matches.store.read(queries.find_job, kind, room.record.id)

        await self.wait_until(is_done)

    async def wait_until_posted(self) -> None:
        """Wait until the outbox is empty."""

        async def is_posted() -> bool:
            return not await self.matches.pending_posts()

        await self.wait_until(is_posted)

    async def wait_until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        """Wait until a condition holds, checking it after every write and after every task."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self._written.clear()
                if await condition():
                    return
                written = asyncio.create_task(self._written.wait())
                await asyncio.wait(
                    {written, *_running_tasks()},
                    timeout=POLL_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                written.cancel()

    # Looking at what the bot posted

    def place(self, room: Room) -> Channel:
        """Return the channel or thread where a match posts."""
        return self.discord.state.channel(room.record.place.posts_to)

    def threads(self, channel: Channel | None = None) -> list[Channel]:
        """Return the threads of a channel, by default the first channel."""
        parent = (channel or self.channel).id
        return [thread for thread in self.discord.state.threads() if thread.parent == parent]

    def posts(self, where: Room | Channel | None = None) -> list[Message]:
        """Return the public messages of a match or channel, oldest first."""
        channel = self.place(where) if isinstance(where, Room) else where or self.channel
        found = self.discord.messages(channel)
        return [message for message in found if message.kind != THREAD_CREATED]

    def newest(self, where: Room | Channel | None = None) -> Message:
        """Return the newest public message of a match or channel."""
        return self.posts(where)[-1]

    def boards(self, room: Room) -> list[Message]:
        """Return the posts of a match in all channels, oldest first."""
        return [
            post
            for post in self.discord.messages()
            if (post.nonce or "").startswith(f"{room.record.id}-")
        ]


def _draw_token(view: View, scene: Scene) -> bytes:
    """Return a tiny picture that differs for everything that a board is drawn from."""
    digest = sha256(repr((view, scene)).encode()).digest()
    data = io.BytesIO()
    Image.frombytes("L", (len(digest), 1), digest).save(data, "PNG")
    return data.getvalue()


def _running_tasks() -> set["asyncio.Task[Any]"]:
    """Return the bot's tasks that will end by themselves.

    The bot and discord.py name all of their tasks; tasks with asyncio's default names are others'.
    """
    return {
        task
        for task in asyncio.all_tasks()
        if task.get_name() not in ENDLESS_TASKS and not re.fullmatch(r"Task-\d+", task.get_name())
    } - {asyncio.current_task()}


class _ErrorLog(logging.Handler):
    """Collects the errors that the bot logs."""

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
    """Run the bot in a world. It retries without delay, and makes films only if `films` is set.

    Instead of a board it posts a token, which is drawn in no time: the boards themselves are in
    tests/render, and in the posts of tests/e2e.
    """
    monkeypatch.setattr("render.picture", _draw_token)
    monkeypatch.setattr("bot.features.server_settings.DEFAULTS", ServerSettings(films=films))
    monkeypatch.setattr("bot.posts.outbox.FIRST_WAIT_SECONDS", 0.001)
    # point_at() changes these addresses; monkeypatch restores them after the test.
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    async with LocalDiscord(clock=ManualClock()) as discord:
        point_at(discord.url)
        world = kind(discord, folder / "motu.db", now, features, **kernel_options)
        log, errors = logging.getLogger("motu"), _ErrorLog(world.errors)
        log.addHandler(errors)
        await world.start()
        try:
            await world.wait_until_ready()
            yield world
        finally:
            log.removeHandler(errors)
            discord.faults.clear()
            await world.stop()
        assert discord.unknown_routes == [] and discord.crashes == []
        assert discord.invalid_requests == []
        # A phone shows nothing in the notification of a layout.
        calling = [message for message in discord.state.messages.values() if message.pings]
        assert not any(message.is_layout for message in calling)
