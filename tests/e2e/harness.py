"""A local Discord in this process, the real bot in a child process, and people who play."""

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
from bot.local import LocalDiscord, ManualClock, Person, Response
from bot.local.clock import Clock
from bot.local.faults import Fault
from bot.local.model import Channel, Message
from bot.store.sqlite_file import SqliteConnection, connect
from engine import GAMES, Commit, Match, Seat
from tests.patience import PATIENCE

POLL_SECONDS = 0.01
"""How often to look into the database for a change."""

COMPLAINT = re.compile(
    r"Traceback|(?: WARNING | ERROR | CRITICAL )|never awaited|never retrieved|Warning:"
)
USUAL_WARNING = "Can't keep up"
"""A warning that discord.py may log on a machine that is very busy."""
TABLES = ("matches", "seats", "moves", "announcements", "interactions")


class BotProcess:
    """The bot as a child process, which can be killed and restarted on the same data."""

    program = "tests.e2e.seeded"

    def __init__(self, discord: LocalDiscord, folder: Path) -> None:
        self.discord = discord
        self.data = folder / "data"
        self.log_file = folder / "bot.log"
        self.process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self.settings: dict[str, str] = {}
        """Further variables of its environment."""
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def log(self) -> str:
        """The log of the bot across all restarts."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    async def start(self, *, ready: bool = True) -> None:
        """Start the bot, and wait until it has logged in unless `ready` is false."""
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
            await self.wait_for_login(logins + 1)

    async def wait_for_login(self, number: int) -> None:
        """Wait for the bot's n-th login, or fail with its log."""
        gateway = self.discord.gateway
        assert self.process is not None
        ended = asyncio.ensure_future(self.process.wait())
        login = asyncio.ensure_future(
            self.discord.until(
                lambda: gateway.identified >= number and gateway.connected, about="the bot"
            )
        )
        await asyncio.wait({ended, login}, return_when=asyncio.FIRST_COMPLETED)
        for task in (ended, login):
            if not task.done():
                task.cancel()
        assert not ended.done() or ended.cancelled(), f"the bot ended by itself:\n{self.log}"
        await login

    async def kill(self) -> None:
        """Kill the bot with SIGKILL."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        await self.discord.until(
            lambda: not self.discord.gateway.connected, about="the end of the bot"
        )

    async def restart(self) -> None:
        """Kill the bot and start it again."""
        await self.kill()
        await self.start()

    async def stop(self) -> int:
        """Stop the bot with SIGTERM and return its exit code."""
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
            # On a slow machine the first backup would fall into a test.
            "MOTU_BACKUPS": "0",
            # Defer nothing, however busy the machine is: tests expect the lobby as the first
            # response to its command.
            "ANSWER_SECONDS": str(PATIENCE),
            "SEEDS": f"{os.environ.get('PYTEST_CURRENT_TEST', '').split(' ')[0]} {self.starts}",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            **self.settings,
        }


class Stage:
    """A server with people and the bot, and access to its database."""

    def __init__(self, discord: LocalDiscord, bot: BotProcess) -> None:
        self.discord, self.bot = discord, bot
        self.ana, self.bea, self.cem = (discord.user(name) for name in ("Ana", "Bea", "Cem"))
        self.refusals: set[int] = set()
        """Discord's error codes that the bot may get in this test."""
        self.complaints: list[str] = []
        """Patterns of the warnings and errors that the bot may log in this test."""
        self.bodies: list[dict[str, Any]] = []
        """Every message as the bot sent it."""
        posting = discord.rest.posting
        for name, place in (("compose", 2), ("edit", 1)):
            setattr(posting, name, self._noting(getattr(posting, name), place))

    @property
    def clock(self) -> ManualClock:
        """The clock of the local Discord."""
        clock = self.discord.state.clock
        assert isinstance(clock, ManualClock)
        return clock

    # Tables

    async def open_lobby(self, host: Person | None = None, **options: Any) -> Response:
        """Open a Blue Lagoon lobby in which player 1 goes first."""
        options.setdefault("settings", "first=1")
        return await (host or self.ana).slash("/game new", game="blue_lagoon", **options)

    async def start_match(self, *others: Person, computers: int = 0, **options: Any) -> "Table":
        """Start a match of Ana with the given players, and wait for its first board."""
        opened = await self.open_lobby(**options)
        for person in others or (self.bea,):
            await person.click(opened, label="Join")
        for _ in range(computers):
            await self.add_computer(opened)
        await self.ana.click(opened, label="Start")
        table = Table(self, match_of(opened.message), [self.ana, *(others or (self.bea,))])
        await table.wait_until_posted()
        return table

    async def add_computer(self, lobby: Response) -> Response:
        """Have Ana add a computer to her lobby."""
        return await self.ana.click(await self.ana.click(lobby, "Add computer"), "Add: steady")

    # The database

    def room(self, match: str) -> Room:
        """Return a match from the database."""
        with closing(self.database()) as db:
            stored = queries.load_match(db, match)
        assert stored is not None, f"no match {match}"
        return encoding.decode_match(stored, GAMES)

    def database(self) -> SqliteConnection:
        """Open a read-only connection."""
        return connect(self.bot.data / "motu.db", "ro", PATIENCE)

    def all_rows(self, *without: str) -> dict[str, list[tuple[object, ...]]]:
        """Return every row of every table except some, to compare before and after."""
        with closing(self.database()) as db:
            return {
                table: sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
                for table in TABLES
                if table not in without
            }

    def noted_lobbies(self) -> list[str]:
        """Return the matches whose lobby message the bot has noted."""
        with closing(self.database()) as db:
            return [
                row[0]
                for row in db.execute("SELECT id FROM matches WHERE lobby_message != 0").fetchall()
            ]

    def pending_posts(self) -> list[tuple[object, ...]]:
        """Return the announcements that are not posted yet."""
        with closing(self.database()) as db:
            return db.execute("SELECT * FROM announcements WHERE NOT is_posted").fetchall()

    def matches(self) -> list[str]:
        """Return the ids of all matches."""
        with closing(self.database()) as db:
            return [
                row[0] for row in db.execute("SELECT id FROM matches ORDER BY opened").fetchall()
            ]

    async def wait_until_posted(self) -> None:
        """Wait until every announcement is posted."""
        await self.wait_until(lambda: not self.pending_posts(), "the outbox to be empty")

    async def wait_until(self, condition: Callable[[], bool], about: str) -> None:
        """Poll the database until a condition holds: another process writes to it."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():  # noqa: ASYNC110
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            raise TimeoutError(f"waited {PATIENCE} s in vain for {about}") from None

    # What must hold after every test

    def check(self) -> None:
        """Check that no request was unknown or refused and nothing logged unexpectedly."""
        assert self.discord.unknown_routes == []
        assert self.discord.crashes == []
        refused = [
            request
            for request in self.discord.rest.requests
            if 400 <= request.status < 500 and request.status != 429
        ]
        unexpected = [request for request in refused if request.code not in self.refusals]
        assert not unexpected, unexpected
        self._check_log()
        self._check_secrets()
        self._check_mentions()

    def _noting(self, method: Callable[..., Any], place: int) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            self.bodies.append(arguments[place])
            return method(*arguments, **options)

        return noted

    def _check_mentions(self) -> None:
        """Check that every message names the people whom it may mention."""
        for body in self.bodies:
            if body.get("content") or body.get("embeds"):
                assert not body["allowed_mentions"].get("parse")
                assert not body["allowed_mentions"].get("roles"), body

    def _check_log(self) -> None:
        lines = self.bot.log.splitlines()
        wrong = [line for line in lines if COMPLAINT.search(line) and not self._is_expected(line)]
        assert wrong == [], f"the bot's log:\n{self.bot.log}"

    def _is_expected(self, line: str) -> bool:
        return any(re.search(pattern, line) for pattern in (USUAL_WARNING, *self.complaints))

    def _check_secrets(self) -> None:
        shown = "\n".join(sight.text for sight in self.discord.snapshots)
        for match in self.matches() if (self.bot.data / "motu.db").exists() else ():
            playing = self.room(match).match
            if playing is not None:
                assert playing.seed not in self.bot.log
                assert self.room(match).is_over or playing.seed not in shown


class Table:
    """One match, seen from outside: its posts, and its state in the database."""

    def __init__(self, stage: Stage, match: str, people: list[Person]) -> None:
        self.stage, self.id, self.people = stage, match, people
        self.discord = stage.discord

    @property
    def room(self) -> Room:
        """The match's room in the database."""
        return self.stage.room(self.id)

    @property
    def match(self) -> Match:
        """The match in the database."""
        match = self.room.match
        assert match is not None
        return match

    @property
    def place(self) -> Channel:
        """The channel or thread in which the match is played."""
        return self.discord.state.channel(self.room.record.place.posts_to)

    @property
    def to_move(self) -> Person:
        """The person who must act."""
        (seat,) = self.match.waiting_for()
        return self.person(seat)

    def person(self, seat: Seat) -> Person:
        """Return the person in a seat."""
        user = self.room.record.chairs[seat].id
        return next(person for person in self.people if person.id == user)

    @property
    def posts(self) -> list[Message]:
        """The public boards of this match in all channels, oldest first."""
        return [m for m in self.discord.messages() if (m.nonce or "").startswith(f"{self.id}-")]

    @property
    def numbers(self) -> list[int]:
        """The announcement ids of these boards."""
        return [int((post.nonce or "").rpartition("-")[2]) for post in self.posts]

    @property
    def board(self) -> Message:
        """The newest board."""
        return self.posts[-1]

    def with_buttons(self) -> list[Message]:
        """Return the boards that carry buttons now."""
        return [post for post in self.posts if post.buttons]

    async def wait_until_posted(self) -> None:
        """Wait until every board is posted."""
        await self.stage.wait_until_posted()

    async def play(self, person: Person, move: str, **options: Any) -> Response:
        """Play a move by text."""
        return await person.slash("/play", channel=self.place, move=move, match=self.id, **options)

    async def open_panel(self, person: Person) -> Response:
        """Open the private panel with the button under the newest board."""
        return await person.click(self.board, label="Your move")

    def commits(self) -> list[tuple[Seat, tuple[str, ...]]]:
        """Return the seat and keys of every commit, in order."""
        with closing(self.stage.database()) as db:
            stored_commits = queries.commits(db, self.id, 0)
        commits = [msgspec.json.decode(stored.commit, type=Commit) for stored in stored_commits]
        return [
            (commit.seat, tuple(key for answer in commit.answers for key in answer.keys))
            for commit in commits
        ]

    def announcements(self) -> list[tuple[int, int, int, bool]]:
        """Return the rows of the outbox: id, since, number, posted."""
        with closing(self.stage.database()) as db:
            rows = db.execute(
                "SELECT id, since, number, is_posted FROM announcements WHERE match_id = "
                "? ORDER BY id",
                (self.id,),
            )
            return rows.fetchall()


@asynccontextmanager
async def open_stage(
    folder: Path, clock: Clock | None = None, **options: Any
) -> AsyncIterator[Stage]:
    """Run a stage with the bot logged in; check its log and requests at the end."""
    async with LocalDiscord(clock=clock or ManualClock(), **options) as discord:
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


async def wait_until_hit(fault: Fault) -> None:
    """Wait until a request has hit a fault."""
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)


def match_of(message: Message) -> str:
    """Return the match id of a lobby or board, read from its buttons or footer."""
    for part in (*message.buttons, *message.selects):
        return str(part["custom_id"].split(":")[1])
    return str(message.embeds[0]["footer"]["text"].removeprefix("Match "))


def are_private(answers: Iterable[Response]) -> bool:
    """Return whether all of these were answered, and only privately."""
    return all(
        a.acknowledged and not a.expired and all(m.ephemeral for m in answer_messages(a))
        for a in answers
    )


def answer_messages(answer: Response) -> list[Message]:
    """Return the messages that answer a press, without the public one it was made on."""
    pressed_on = answer.interaction.message
    return [m for m in answer.messages if m is not pressed_on or m.ephemeral]
