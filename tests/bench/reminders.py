"""Measure ten thousand reminders due at once: how they delay a press, and how fast they go out.

Everything is the bot's own code except Discord's responses and, where reminders per second are
counted, the waiting time between reminders: it passes at once.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from bot.features.reminders.player_settings import CHOICES
from bot.features.reminders.rules import REMIND
from bot.features.reminders.sender import ReminderSender
from bot.features.reminders.service import Reminders
from bot.kernel import queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.store.sqlite import SqliteStore
from bot.ui.rate import Bucket
from tests.bench.measure import Measured, Row, percentile
from tests.bench.place import on_disk
from tests.bench.tables import PEOPLE, Tables
from tests.bot.services import Services, open_services
from tests.patience import PATIENCE

NOW = 1_772_452_800
DUE_REMINDERS = 10_000
"""How many reminders are due, each in its own match."""
TIMED_SECONDS, QUICK_SECONDS = 30.0, 1.0
"""For how long moves are timed, without reminders and while they go out."""
PAUSE_SECONDS = 0.02
"""The pause between two presses."""
RESPONSE_SECONDS = 0.1
"""How long Discord takes to respond to a request."""
MAX_REQUESTS_PER_SECOND = 50
"""Requests per second that Discord allows a bot."""
COPIED_TABLES = ("matches", "seats", "moves", "announcements")


class StandIn:
    """Stands in for Discord: client, outbox and sender of reminders sent for the first time."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    async def send(self, *_: Any, **__: Any) -> int:
        """Take a message, and return its id."""
        return await self.take()

    async def take(self) -> int:
        """Take a message, and return its id."""
        raise NotImplementedError

    async def find(self, *_: Any) -> int:
        """Return 0: no reminder was sent before."""
        return 0

    async def after_posts(self, match: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Run the work at once: no post is pending."""
        await work()
        return True


class Discord(StandIn):
    """Takes and counts messages, each after a delay."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self.sent = 0
        self.first_sent = asyncio.Event()

    async def take(self) -> int:
        """Take a message after a delay, and return its id."""
        await asyncio.sleep(RESPONSE_SECONDS)
        self.sent += 1
        self.first_sent.set()
        return self.sent


def add_sender(matches: Services, stand_in: StandIn, bucket: Bucket) -> None:
    """Register the sender of reminders."""
    found: Any = stand_in
    parts = {Reminders: matches.pings, Bucket: bucket}
    found.services = SimpleNamespace(require=lambda kind: parts.get(kind, found))
    matches.kernel.add(Parts(jobs={REMIND: ReminderSender(found).send}))


async def reminders(path: Path, quick: bool) -> Measured:
    """Compare the time to store a move while reminders go out with that without any (p99)."""
    many, span = (DUE_REMINDERS // 20, QUICK_SECONDS) if quick else (DUE_REMINDERS, TIMED_SECONDS)
    store = await SqliteStore.open(path / "motu.db")
    matches = open_services(store, now=lambda: NOW)
    discord = Discord(matches.kernel)
    add_sender(matches, discord, Bucket())
    async with Tables(matches) as tables:
        pattern = await tables.open_match(seats=2, settings={"first": "1"})
        await store.write(lambda db: _copy(db, pattern, many))
        await _time_presses(tables, span / 5)
        peace = await _time_presses(tables, span)
        matches.scheduler.start()
        async with asyncio.timeout(PATIENCE):
            await discord.first_sent.wait()
        busy = await _time_presses(tables, span)
        sent, rate = discord.sent, discord.sent / span
    return Measured(
        busy / peace, busy, peace, f"{sent:,} of {many:,} sent in {span:.0f} s, {rate:.0f} a second"
    )


class Passing(StandIn):
    """A clock on which waiting takes no real time, and the times at which messages were sent."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self.now = 0.0
        self.sent: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.now += seconds

    async def take(self) -> int:
        """Take a message, and record when."""
        self.sent.append(self.now)
        return len(self.sent)

    def busiest(self) -> int:
        """Return the most messages sent within any one second."""
        first, most = 0, 0
        for last, at in enumerate(self.sent):
            while self.sent[first] <= at - 1:
                first += 1
            most = max(most, last - first + 1)
        return most


async def all_go_out(path: Path, quick: bool) -> Measured:
    """Compare the reminders in the busiest second with what Discord allows, until all are sent."""
    many = DUE_REMINDERS // 20 if quick else DUE_REMINDERS
    store = await SqliteStore.open(path / "motu.db")
    matches = open_services(store, now=lambda: NOW)
    passing = Passing(matches.kernel)
    add_sender(matches, passing, Bucket())
    async with AsyncExitStack() as stack:
        stack.enter_context(
            mock.patch.multiple("bot.ui.rate", monotonic=lambda: passing.now, sleep=passing.sleep)
        )
        tables = await stack.enter_async_context(Tables(matches))
        pattern = await tables.open_match(seats=2, settings={"first": "1"})
        await store.write(lambda db: _copy(db, pattern, many))
        matches.scheduler.start()
        async with asyncio.timeout(PATIENCE * (1 if quick else 10)):
            while await _is_any_left(store):  # noqa: ASYNC110
                await asyncio.sleep(PAUSE_SECONDS)
    assert len(passing.sent) == many, f"{len(passing.sent)} of {many} reminders went out"
    busiest = passing.busiest()
    return Measured(
        busiest / MAX_REQUESTS_PER_SECOND,
        note=f"{many:,} in {passing.now:.0f} s of the bot's time, {busiest} in one",
    )


async def _is_any_left(store: SqliteStore) -> bool:
    """Return whether a reminder is due or waits to be sent."""
    return await store.read(queries.next_job_at, own=store.own) == NOW


async def _time_presses(tables: Tables, seconds: float) -> float:
    """Return how many milliseconds a move takes, as the 99th percentile."""
    end, spent = time.perf_counter() + seconds, []
    match = await tables.open_match()
    while time.perf_counter() < end:
        move = await tables.choose_move(match)
        start = time.perf_counter()
        room = (await tables.matches.play(**move)).room
        spent.append((time.perf_counter() - start) * 1000)
        if room.playing().outcome is not None:
            match = await tables.open_match()
        await asyncio.sleep(PAUSE_SECONDS)
    return percentile(spent, 0.99)


def _copy(db: sqlite3.Connection, pattern: str, many: int) -> None:
    """Copy a match many times; in each copy another player is due a reminder by direct message."""
    # Plain SQL, which the bot's own connection does not take.
    write = partial(sqlite3.Connection.executemany, db)
    mover, other = PEOPLE[0].id, PEOPLE[1].id
    record = "replace(record, :pattern, 'copy' || :n)"
    # Replace the id with the name of its field: the digits alone may be part of another number.
    record = f"replace({record}, :mover_in, '\"id\":' || (10000 + :n) || ',')"
    record = f"replace({record}, :other_in, '\"id\":' || (1000000 + :n) || ',')"
    given = {
        "pattern": pattern,
        "mover": mover,
        "mover_in": f'"id":{mover},',
        "other_in": f'"id":{other},',
    }
    for table in COPIED_TABLES:
        names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        names = [
            name
            for name in names
            if (table, name) not in {("matches", "opened"), ("announcements", "id")}
        ]
        key = "id" if table == "matches" else "match_id"
        taken = ["'copy' || :n" if name == key else name for name in names]
        if table == "seats":
            taken[names.index("user_id")] = (
                "CASE user_id WHEN :mover THEN 10000 + :n ELSE 1000000 + :n END"
            )
        if table == "matches":
            taken[names.index("record")] = record
        copy = (
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(taken)} FROM "
            f"{table} WHERE {key} = :pattern"
        )
        write(copy, [{"n": n, **given} for n in range(many)])
    numbers = [{"n": n} for n in range(many)]
    # Columns are named, so that a column added later takes its default here as it does in the bot.
    job = "INSERT INTO jobs (kind, match_id, user_id, guild, run_at, wake_at, facts) "
    write(
        f"{job} VALUES (?, 'copy' || ?, 10000 + ?, 1, ?, ?, '{{\"times\":1}}')",
        [(REMIND, n, n, NOW, NOW) for n in range(many)],
    )
    choices = '{"way":"direct","channel":7}'
    write(f"INSERT INTO player_settings VALUES (10000 + :n, '{CHOICES}', '{choices}')", numbers)


ROWS = (
    Row(
        "press",
        "p99 of a press while 10,000 reminders are due / in peace",
        1.5,
        3,
        lambda quick: asyncio.run(on_disk(reminders, quick)),
    ),
    Row(
        "reminders",
        "most of 10,000 reminders that go out in one second / 50 allowed",
        0.8,
        1,
        lambda quick: asyncio.run(on_disk(all_go_out, quick)),
    ),
)
