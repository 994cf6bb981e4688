"""A Discord in this process, the real bot in a child process with a folder of its own, and
people at play.
"""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from bot.kernel import encoding, queries
from bot.kernel.room import Room
from bot.local import HandClock, LocalDiscord, Person, Response
from bot.local.clock import Clock
from bot.local.faults import Fault
from bot.local.model import Channel, Message
from bot.store.sqlite_file import SqliteConnection, connect
from engine import GAMES, Commit, Match, Seat
from tests.patience import PATIENCE

LOOK = 0.01
"""Seconds between two looks into the database."""

COMPLAINT = re.compile(
    r"Traceback|(?: WARNING | ERROR | CRITICAL )|never awaited|never retrieved|Warning:"
)
USUAL = "Can't keep up"
"""What discord.py may say on a machine that is very busy."""
TABLES = ("matches", "seats", "moves", "announcements", "interactions")


class BotProcess:
    """The bot as a child, which can be killed and started again on the same data."""

    program = "tests.e2e.seeded"

    def __init__(self, discord: LocalDiscord, folder: Path) -> None:
        self.discord = discord
        self.data = folder / "data"
        self.log_file = folder / "bot.log"
        self.process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self.settings: dict[str, str] = {}
        """More of its environment."""
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def log(self) -> str:
        """All that the bot has said so far, in every one of its lives."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    async def start(self, *, ready: bool = True) -> None:
        """Start it; unless said otherwise, wait until it has logged in."""
        logins = self.discord.gateway.identified
        self.starts += 1
        with self.log_file.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self.program),
                cwd=self.log_file.parent,
                env=self._env(),
                stdout=log,
                stderr=log,
            )
        if ready:
            await self.login(logins + 1)

    async def login(self, number: int) -> None:
        """Wait until the bot has logged in so many times, or show why it did not."""
        gateway = self.discord.gateway
        assert self.process is not None
        ended = asyncio.ensure_future(self.process.wait())
        there = asyncio.ensure_future(
            self.discord.until(
                lambda: gateway.identified >= number and gateway.connected, about="the bot"
            )
        )
        await asyncio.wait({ended, there}, return_when=asyncio.FIRST_COMPLETED)
        for task in (ended, there):
            if not task.done():
                task.cancel()
        assert not ended.done() or ended.cancelled(), f"the bot ended by itself:\n{self.log}"
        await there

    async def kill(self) -> None:
        """SIGKILL: it gets no chance to say or save anything."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        await self.discord.until(
            lambda: not self.discord.gateway.connected, about="the end of the bot"
        )

    async def restart(self) -> None:
        """Killed and started again."""
        await self.kill()
        await self.start()

    async def stop(self) -> int:
        """SIGTERM, as a host does it; the exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    def _env(self) -> dict[str, str]:
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("MOTU_", "DISCORD_"))
        }
        return kept | {
            "DISCORD_TOKEN": self.discord.token,
            "MOTU_LOCAL_URL": self.discord.url,
            "MOTU_DATA": str(self.data),
            "MOTU_READY_TIMEOUT": "0.05",
            # On a slow machine the first would come in the midst of a test.
            "MOTU_BACKUPS": "0",
            # However busy the machine is, a lobby is the answer to the command that opens it.
            "ANSWER_SECONDS": str(PATIENCE),
            "SEEDS": f"{os.environ.get('PYTEST_CURRENT_TEST', '').split(' ')[0]} {self.starts}",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            **self.settings,
        }


class Stage:
    """One server with its people, the bot, and a look into its database."""

    def __init__(self, discord: LocalDiscord, bot: BotProcess) -> None:
        self.discord, self.bot = discord, bot
        self.ana, self.bea, self.cem = (discord.user(name) for name in ("Ana", "Bea", "Cem"))
        self.refusals: set[int] = set()
        """Codes with which Discord may turn the bot down in this test."""
        self.complaints: list[str] = []
        """What the bot's log may complain of in this test, as regular expressions."""
        self.bodies: list[dict[str, Any]] = []
        """Every message as the bot sent it."""
        posting = discord.rest.posting
        for name, place in (("compose", 2), ("revise", 1)):
            setattr(posting, name, self._noting(getattr(posting, name), place))

    @property
    def clock(self) -> HandClock:
        """The clock, where the test turns it by hand."""
        clock = self.discord.state.clock
        assert isinstance(clock, HandClock)
        return clock

    # Tables

    async def lobby(self, host: Person | None = None, **options: Any) -> Response:
        """A lobby of Blue Lagoon, in which player 1 begins."""
        options.setdefault("settings", "first=1")
        return await (host or self.ana).slash("/game new", game="blue_lagoon", **options)

    async def started(self, *others: Person, computers: int = 0, **options: Any) -> "Table":
        """A match of Ana with these others that has begun, its first board posted."""
        opened = await self.lobby(**options)
        for person in others or (self.bea,):
            await person.click(opened, label="Join")
        for _ in range(computers):
            await self.add_computer(opened)
        await self.ana.click(opened, label="Start")
        table = Table(self, match_of(opened.message), [self.ana, *(others or (self.bea,))])
        await table.caught_up()
        return table

    async def add_computer(self, lobby: Response) -> Response:
        """Ana adds a computer to her lobby."""
        return await self.ana.click(await self.ana.click(lobby, "Add computer"), "Add one: steady")

    def message_ids(self) -> set[int]:
        """The public messages there are."""
        return {message.id for message in self.discord.messages()}

    # The database

    def room(self, match: str) -> Room:
        """A match as the database has it."""
        with closing(self.database()) as db:
            stored = queries.load_match(db, match)
        assert stored is not None, f"no match {match}"
        return encoding.decode_match(stored, GAMES)

    def database(self) -> SqliteConnection:
        """A connection that only reads."""
        return connect(self.bot.data / "motu.db", "ro", PATIENCE)

    def everything(self, *without: str) -> dict[str, list[tuple[object, ...]]]:
        """Every row of every table, to compare before and after."""
        with closing(self.database()) as db:
            return {
                table: sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
                for table in TABLES
                if table not in without
            }

    def noted_lobbies(self) -> list[str]:
        """Matches whose lobby's message is known to the bot."""
        with closing(self.database()) as db:
            return [
                row[0]
                for row in db.execute("SELECT id FROM matches WHERE lobby_message != 0").fetchall()
            ]

    def due(self) -> list[tuple[object, ...]]:
        """Announcements that are not posted."""
        with closing(self.database()) as db:
            return db.execute("SELECT * FROM announcements WHERE NOT is_posted").fetchall()

    def matches(self) -> list[str]:
        """The ids of all matches."""
        with closing(self.database()) as db:
            return [
                row[0] for row in db.execute("SELECT id FROM matches ORDER BY opened").fetchall()
            ]

    async def quiet(self) -> None:
        """Wait until nothing is due and the last post is ticked off."""
        await self.settled(lambda: not self.due(), "the outbox to be empty")

    async def settled(self, holds: Callable[[], bool], about: str) -> None:
        """Wait until something holds of the database, which tells nobody when it changes."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():  # noqa: ASYNC110
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise TimeoutError(f"waited {PATIENCE} s in vain for {about}") from None

    # What must hold after every test

    def check(self) -> None:
        """Nothing unknown was asked of Discord, nothing was refused or logged that the test does
        not expect.
        """
        assert self.discord.unknown_routes == []
        assert self.discord.crashes == []
        refused = [
            asked
            for asked in self.discord.rest.asked
            if 400 <= asked.status < 500 and asked.status != 429
        ]
        assert [asked for asked in refused if asked.code not in self.refusals] == []
        self._check_log()
        self._check_secrets()
        self._check_mentions()

    def _noting(self, method: Callable[..., Any], place: int) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            self.bodies.append(arguments[place])
            return method(*arguments, **options)

        return noted

    def _check_mentions(self) -> None:
        """Whom a message may call is always said, person by person."""
        for body in self.bodies:
            if body.get("content") or body.get("embeds"):
                assert not body["allowed_mentions"].get("parse") and not body[
                    "allowed_mentions"
                ].get("roles"), body

    def _check_log(self) -> None:
        lines = self.bot.log.splitlines()
        wrong = [line for line in lines if COMPLAINT.search(line) and not self._is_expected(line)]
        assert wrong == [], f"the bot's log:\n{self.bot.log}"

    def _is_expected(self, line: str) -> bool:
        return any(re.search(pattern, line) for pattern in (USUAL, *self.complaints))

    def _check_secrets(self) -> None:
        shown = "\n".join(sight.text for sight in self.discord.sights)
        for match in self.matches() if (self.bot.data / "motu.db").exists() else ():
            playing = self.room(match).match
            if playing is not None:
                assert playing.seed not in self.bot.log
                assert self.room(match).is_over or playing.seed not in shown


class Table:
    """One match, seen from outside: what is posted where, and how the database says it stands."""

    def __init__(self, stage: Stage, match: str, people: list[Person]) -> None:
        self.stage, self.id, self.people = stage, match, people
        self.discord = stage.discord

    @property
    def room(self) -> Room:
        """As the database has it."""
        return self.stage.room(self.id)

    @property
    def match(self) -> Match:
        """The match as the database has it."""
        match = self.room.match
        assert match is not None
        return match

    @property
    def place(self) -> Channel:
        """Where it is played."""
        return self.discord.state.channel(self.room.record.place.posts_to)

    @property
    def to_move(self) -> Person:
        """The person who must act."""
        (seat,) = self.match.waiting_for()
        return self.person(seat)

    def person(self, seat: Seat) -> Person:
        """Who sits there."""
        user = self.room.record.chairs[seat].id
        return next(person for person in self.people if person.id == user)

    @property
    def posts(self) -> list[Message]:
        """The public boards of this match, oldest first: in whatever channel they went to."""
        return [m for m in self.discord.messages() if (m.nonce or "").startswith(f"{self.id}-")]

    @property
    def numbers(self) -> list[int]:
        """The announcements that these boards are."""
        return [int((post.nonce or "").rpartition("-")[2]) for post in self.posts]

    @property
    def board(self) -> Message:
        """The newest of them."""
        return self.posts[-1]

    def with_buttons(self) -> list[Message]:
        """The boards that carry buttons now."""
        return [post for post in self.posts if post.buttons]

    async def caught_up(self) -> None:
        """Wait until every due board is posted."""
        await self.stage.quiet()

    async def play(self, person: Person, move: str, **options: Any) -> Response:
        """A move by text."""
        return await person.slash("/play", channel=self.place, move=move, match=self.id, **options)

    async def panel(self, person: Person) -> Response:
        """The private panel, opened with the button under the newest board."""
        return await person.click(self.board, label="Your move")

    def commits(self) -> list[tuple[Seat, tuple[str, ...]]]:
        """Every commit's seat and keys, in order."""
        with closing(self.stage.database()) as db:
            kept = queries.commits(db, self.id, 0)
        made = [msgspec.json.decode(stored.commit, type=Commit) for stored in kept]
        return [
            (commit.seat, tuple(key for answer in commit.answers for key in answer.keys))
            for commit in made
        ]

    def announced(self) -> list[tuple[int, int, int, bool]]:
        """The rows of the outbox: id, since, number, posted."""
        with closing(self.stage.database()) as db:
            rows = db.execute(
                "SELECT id, since, number, is_posted FROM announcements WHERE match_id = ? ORDER BY id",
                (self.id,),
            )
            return rows.fetchall()


@asynccontextmanager
async def on_stage(
    folder: Path, clock: Clock | None = None, **options: Any
) -> AsyncIterator[Stage]:
    """A stage with the bot logged in; checked at the end, and the log shown when something is
    wrong.
    """
    async with LocalDiscord(clock=clock or HandClock(), **options) as discord:
        bot = BotProcess(discord, folder)
        stage = Stage(discord, bot)
        try:
            await bot.start()
            yield stage
            discord.faults.clear()
            assert await bot.stop() == 0
            stage.check()
        finally:
            if bot.process is not None and bot.process.returncode is None:
                bot.process.kill()
                await bot.process.wait()
            print(f"--- the bot's log\n{bot.log}---")


async def met(fault: Fault) -> None:
    """Wait until a request has run into the trouble."""
    await asyncio.wait_for(fault.met.wait(), PATIENCE)


def match_of(message: Message) -> str:
    """The id of the match that a lobby or a board belongs to, read from its buttons or footer."""
    for part in (*message.buttons, *message.selects):
        return str(part["custom_id"].split(":")[1])
    return str(message.embeds[0]["footer"]["text"].removeprefix("Match "))


def private(answers: Iterable[Response]) -> bool:
    """Whether all of these were answered, and for the asker's eyes only."""
    return all(
        a.acknowledged and not a.expired and all(m.ephemeral for m in said(a)) for a in answers
    )


def said(answer: Response) -> list[Message]:
    """The messages that answer a press: not the one it was made on, if that is everyone's."""
    pressed_on = answer.interaction.message
    return [m for m in answer.messages if m is not pressed_on or m.ephemeral]
