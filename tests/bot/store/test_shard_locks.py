"""Shards among several processes: each finds its own work, and a shard has one owner."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from itertools import chain
from threading import Event
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from bot.features.votes import queries as vote_queries
from bot.kernel import queries
from bot.model import (
    NO_SHARDS,
    Absence,
    Job,
    Person,
    Place,
    Shards,
    Status,
    Vote,
    all_shards,
    parse_shards,
)
from bot.runtime.base import StoreError
from bot.store import shard_locks
from bot.store.base import Store
from bot.store.postgres import PostgresStore
from bot.store.postgres_connection import Connection
from bot.store.sql import Write
from bot.ui.rate import Bucket
from tests.bot.store.changes import change_to
from tests.bot.store.test_contract import INFO, commit
from tests.bot.store.test_postgres import END_ALL
from tests.patience import PATIENCE
from tests.postgres_server import Server

SERVERS = {
    "inshard0": 5 << 22,
    "inshard4": 4 << 22 | 7,
    "inshard3": 3 << 22 | 1,
    "inshard2": 2 << 22,
    "direct22": 0,
}
OF_FIVE = {"inshard0": 0, "inshard4": 4, "inshard3": 3, "inshard2": 2, "direct22": 0}
"""The servers of matches, and their shards of five."""


def test_shards_are_written_as_a_range_of_a_total() -> None:
    for text, shards in {
        "0-3/16": Shards(0, 3, 16),
        "5/16": Shards(5, 5, 16),
        " 0 - 0 / 1 ": Shards(0, 0, 1),
    }.items():
        assert parse_shards(text) == shards
        assert parse_shards(str(shards)) == shards
    for wrong in (
        "",
        "4",
        "16/16",
        "3-2/16",
        "0-16/16",
        "-1/4",
        "0-3/0",
        "0-3",
        "a/b",
        "1,2/4",
        "٣/16",
        "0/1000000",
    ):
        with pytest.raises(ValueError):
            parse_shards(wrong)
    assert all_shards(3).are_all
    assert not Shards(0, 1, 3).are_all
    assert not NO_SHARDS.serve(0)


async def work_found(store: Store) -> list[set[str]]:
    """Return the matches that each search for work finds."""
    dues = await store.read(queries.due_jobs, 9, 99, own=store.own)
    return [
        set(await store.read(queries.matches_awaiting_computer, own=store.own)),
        set(await store.read(queries.matches_unable_to_post, own=store.own)),
        set(await store.read(queries.matches_with_unannounced_result, own=store.own)),
        set(await store.read(vote_queries.matches_with_unposted_votes, own=store.own)),
        {
            announcement.match
            for announcement in await store.read(queries.pending_announcements, own=store.own)
        },
        {due.match for due in dues if due.match},
    ]


async def test_work_is_found_only_for_owned_shards(store: Store) -> None:
    for match, guild in SERVERS.items():
        record = replace(INFO, id=match, place=Place(guild, 2))
        await store.write(queries.create_match, record)
        running = replace(record, status=Status.RUNNING, result_unannounced=True, version=1)
        written = {
            "stored_commits": (commit(0),),
            "announce_up_to": 0,
            "awaits_computer": True,
            "jobs": (Job("bell", 5, match),),
        }
        vote = Vote(
            match=match, number=1, kind="pause", by=Person(10, "Ana"), chairs=(), opened=0, ends=9
        )
        await store.write(
            queries.write_change,
            change_to(running, writes=(Write(vote_queries.put_vote, (vote,)),), **written),
            own=store.own,
        )  # type: ignore[arg-type]
        await store.write(queries.create_match, replace(record, id=f"l{match[1:]}"))
    every = set(SERVERS)
    for shards in (Shards(0, 1, 5), Shards(2, 3, 5), Shards(4, 4, 5), all_shards(5), NO_SHARDS):
        store.own = shards
        owned = {match for match in every if OF_FIVE[match] in shards.ids}
        assert shards == NO_SHARDS or owned == {
            match for match, guild in SERVERS.items() if shards.serve(guild)
        }
        unattended, _, *others = await work_found(store)
        assert unattended == owned and others == [owned] * 4, shards
        assert {
            match[1:] for match in await store.read(queries.idle_lobbies, 9, own=store.own)
        } == {match[1:] for match in owned}
        assert (await store.read(queries.next_job_at, own=store.own) is not None) == bool(owned)
    store.own = Shards(2, 3, 5)
    paused = replace(
        INFO, id="inshard3", place=Place(SERVERS["inshard3"], 2), paused_for="gone", version=2
    )
    elsewhere = replace(
        INFO, id="inshard4", place=Place(SERVERS["inshard4"], 2), paused_for="gone", version=2
    )
    for record in (paused, elsewhere):
        # Discord may send a press to any process, which writes the match even if it doesn't own it.
        await store.write(queries.write_change, change_to(record), own=store.own)
    assert await store.read(queries.matches_unable_to_post, own=store.own) == ["inshard3"]


async def test_work_without_a_server_is_taken_by_one_process(store: Store) -> None:
    await store.write(
        queries.create_match, replace(INFO, id="inshard2", place=Place(SERVERS["inshard2"], 2))
    )
    await store.write(
        queries.schedule,
        Job("digest", 1, user=10),
        Job("bell", 2, "inshard2"),
        Job("film", 3, "inshard2"),
        Job("remind", 4, "inshard2", 10),
    )
    assert [due.kind for due in await store.read(queries.due_jobs, 5, 9, own=store.own)] == [
        "digest",
        "bell",
        "film",
        "remind",
    ]
    assert not await store.write(queries.claim_jobs, now=5, most=9, until=60, own=store.own), (
        "one process finds it so"
    )
    store.own = Shards(3, 3, 5)
    assert not await store.read(queries.due_jobs, 5, 9, own=store.own)
    assert await store.read(queries.next_job_at, own=store.own) == 1
    taken = await store.write(queries.claim_jobs, now=5, most=9, until=60, own=store.own)
    taken.sort(key=lambda job: job.kind)
    assert [due.kind for due in taken] == ["digest", "film"]
    assert not await store.write(queries.claim_jobs, now=59, most=9, until=60, own=store.own)
    assert await store.read(queries.next_job_at, own=store.own) == 60
    # The process that had it is gone, or is still busy with it and keeps it.
    await store.write(queries.hold_jobs, [taken[0].id], 100)
    assert [
        due.kind
        for due in await store.write(queries.claim_jobs, now=60, most=9, until=120, own=store.own)
    ] == ["film"]
    await store.write(queries.schedule, Job("digest", 70, user=10))
    assert await store.write(queries.claim_jobs, now=70, most=9, until=130, own=store.own), (
        "the next one is another"
    )
    store.own = Shards(2, 2, 5)
    assert [due.kind for due in await store.read(queries.due_jobs, 5, 9, own=store.own)] == [
        "bell",
        "remind",
    ]


async def test_a_process_was_away_for_the_servers_of_its_shards(store: Store) -> None:
    for match in ("inshard2", "inshard4"):
        await store.write(
            queries.create_match, replace(INFO, id=match, place=Place(SERVERS[match], 2))
        )
        await store.write(queries.schedule, Job("clock", 1000, match))

    async def beat(shards: Shards, now: int) -> list[Absence]:
        store.own = shards
        return await store.write(queries.note_heartbeat, now, 90, ["clock"], own=store.own)

    assert not await beat(all_shards(5), 100)
    # Change from one process to two, of which one starts later, and back to one.
    away = [
        Absence(100, 500, Shards(3, 4, 5)),
        Absence(150, 600, Shards(0, 2, 5)),
        Absence(600, 1000),
    ]
    assert not await beat(Shards(0, 2, 5), 150)
    assert await beat(Shards(3, 4, 5), 500) == away[:1]
    assert await beat(Shards(0, 2, 5), 600) == away[1:2]
    assert await beat(all_shards(5), 1000) == away[2:]
    assert await store.read(queries.absences, 0) == away
    assert {
        due.match: due.at for due in await store.read(queries.due_jobs, 9999, 9, own=store.own)
    } == {
        "inshard2": 1850,
        "inshard4": 1800,
    }


class Processes:
    """Stores on one PostgreSQL database, as in several processes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.stores: list[PostgresStore] = []
        self.claims: list[asyncio.Task[None]] = []
        self.said: list[str] = []

    async def open(self) -> PostgresStore:
        """Open one more store."""
        self.stores.append(await PostgresStore.open(self.url, retry_seconds=PATIENCE))
        return self.stores[-1]

    async def claims_to_wait(self, store: PostgresStore, shards: Shards) -> "asyncio.Task[None]":
        """Start a claim, and return it once it waits."""
        said = asyncio.Event()

        def on_wait(why: str) -> None:
            self.said.append(why)
            said.set()

        claim = asyncio.create_task(store.claim(shards, on_wait))
        self.claims.append(claim)
        async with asyncio.timeout(PATIENCE):
            await said.wait()
        assert not claim.done() and store.own == NO_SHARDS
        return claim


@pytest.fixture
async def processes(
    emptied: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Processes]:
    """Processes on one empty database, which look often whether a shard is free."""
    monkeypatch.setattr("bot.store.shard_locks.CLAIM_INTERVAL", 0.02)
    found = Processes(emptied())
    yield found
    for claim in found.claims:
        claim.cancel()
    await asyncio.gather(*found.claims, return_exceptions=True)
    for store in found.stores:
        await store.close()


async def fail_if_waiting(store: PostgresStore, shards: Shards) -> None:
    """Fail if a claim has to wait."""
    async with asyncio.timeout(PATIENCE):
        await store.claim(shards, pytest.fail)
    assert store.own == shards


async def test_a_shard_has_one_owner_and_the_next_waits(processes: Processes) -> None:
    first, second, third = [await processes.open() for _ in range(3)]
    await fail_if_waiting(first, Shards(0, 1, 4))
    await fail_if_waiting(second, Shards(2, 3, 4))
    claim = await processes.claims_to_wait(third, Shards(1, 2, 4))
    assert len(processes.said) == 1 and "another process is serving shard" in processes.said[0]
    await first.close()
    await asyncio.sleep(0.1)
    assert not claim.done(), "one of the two is taken still"
    await second.close()
    async with asyncio.timeout(PATIENCE):
        await claim
    assert third.own == Shards(1, 2, 4)


async def test_all_processes_must_agree_on_the_number_of_shards(processes: Processes) -> None:
    first, second = await processes.open(), await processes.open()
    await fail_if_waiting(first, Shards(0, 0, 4))
    claim = await processes.claims_to_wait(second, Shards(5, 5, 8))
    assert "other processes are set to 4 shards" in processes.said[0]
    await first.close()
    async with asyncio.timeout(PATIENCE):
        await claim


async def test_a_lost_lock_stops_all_work_until_it_is_regained(
    processes: Processes, postgres: Server
) -> None:
    store = await processes.open()
    await fail_if_waiting(store, all_shards(2))
    assert store.own == all_shards(2)
    await asyncio.to_thread(postgres.sql, END_ALL)
    async with asyncio.timeout(PATIENCE):
        await store.wait_until_claim_lost()
        assert store.own == NO_SHARDS and not await store.confirm_claim()
        await store.regain_claim()
    assert store.own == all_shards(2) and await store.confirm_claim()


async def test_a_process_that_hangs_loses_its_lock(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_locks, "IDLE_TIMEOUT", "200ms")
    monkeypatch.setattr(shard_locks, "PING_INTERVAL", PATIENCE)
    hanging, spare = await processes.open(), await processes.open()
    await fail_if_waiting(hanging, Shards(0, 0, 2))
    claim = await processes.claims_to_wait(spare, Shards(0, 0, 2))
    async with asyncio.timeout(PATIENCE):
        await claim
        while hanging.own != NO_SHARDS:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_lock_taken_by_another_process_is_lost(
    processes: Processes, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await processes.open(), await processes.open()
    await fail_if_waiting(first, Shards(0, 0, 2))
    claim = await processes.claims_to_wait(second, Shards(0, 0, 2))
    # The first process reaches the server only after the second.
    connect, is_overtaken = first.connect, Event()
    claim.add_done_callback(lambda _: is_overtaken.set())

    def later() -> object:
        is_overtaken.wait()
        return connect()

    monkeypatch.setattr(first, "connect", later)
    await asyncio.to_thread(postgres.sql, END_ALL)
    async with asyncio.timeout(PATIENCE):
        await first.wait_until_claim_lost()
        with pytest.raises(StoreError, match=r"Another process has taken over shards 0/2"):
            await first.regain_claim()
    assert first.own == NO_SHARDS and second.own == Shards(0, 0, 2)


async def test_waiting_for_locks_ends_if_the_server_stays_away(
    processes: Processes, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await processes.open()
    await fail_if_waiting(store, all_shards(2))
    monkeypatch.setattr(shard_locks, "REGAIN_TIMEOUT", 0.1)
    refused = psycopg.OperationalError("connection failed: Connection refused")
    monkeypatch.setattr(store, "connect", failing_method(refused))
    await asyncio.to_thread(postgres.sql, END_ALL)
    async with asyncio.timeout(PATIENCE):
        await store.wait_until_claim_lost()
        with pytest.raises(
            StoreError, match=r"still unreachable \(Connection refused\), so shards 0-1/2"
        ):
            await store.regain_claim()


@pytest.mark.parametrize(
    "error",
    [psycopg.InterfaceError, psycopg.errors.ProtocolViolation, psycopg.errors.DeadlockDetected],
)
async def test_an_error_after_regaining_the_locks_releases_them(
    processes: Processes, postgres: Server, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    store = await processes.open()
    await fail_if_waiting(store, all_shards(2))
    connect, failed = store.connect, []

    def fails_once() -> object:
        if not failed:
            failed.append(error)
            raise error("got result for unknown protocol state 3")
        return connect()

    monkeypatch.setattr(store, "connect", fails_once)
    await asyncio.to_thread(postgres.sql, END_ALL)
    async with asyncio.timeout(PATIENCE):
        await store.wait_until_claim_lost()
        await store.regain_claim()
    assert failed and store.own == all_shards(2)


async def test_stale_locks_are_confirmed_before_they_count(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await processes.open()
    await fail_if_waiting(store, all_shards(2))
    ahead, asked = 0.0, []
    real = Connection.execute

    def execute(self: Connection, statement: Any, *values: Any) -> Any:
        if statement == shard_locks.IS_WRITABLE:
            asked.append(ahead)
        return real(self, statement, *values)

    monkeypatch.setattr(Connection, "execute", execute)
    monkeypatch.setattr(store, "_clock", lambda: time.monotonic() + ahead)
    async with asyncio.timeout(PATIENCE):
        assert await store.confirm_claim()
        # As after a suspension so short that the server kept the locks.
        ahead = 2 * shard_locks.LEASE
        assert all(await asyncio.gather(*(store.confirm_claim() for _ in range(9))))
        assert asked[-1] == ahead
        # As after one during which the server has given the locks away, of which nothing was heard
        # yet.
        monkeypatch.setattr(Connection, "execute", failing_method(psycopg.OperationalError("gone")))
        ahead *= 2
        assert not await store.confirm_claim() and store.own == NO_SHARDS


def failing_method(error: Exception) -> Callable[..., object]:
    """Return a method that always fails like this."""

    def fail(*given: object, **options: object) -> object:
        raise error

    return fail


async def test_the_owner_is_notified_of_another_process_s_writes(processes: Processes) -> None:
    first, second = await processes.open(), await processes.open()
    await fail_if_waiting(first, Shards(0, 0, 2))
    await fail_if_waiting(second, Shards(1, 1, 2))
    told: asyncio.Queue[str] = asyncio.Queue()
    first.listen(told.put_nowait)
    second.listen(told.put_nowait)
    record = replace(INFO, place=Place(1 << 22, 2))
    await second.write(queries.create_match, record)
    await second.write(queries.write_change, change_to(replace(record, version=1)), own=second.own)
    await first.write(queries.write_change, change_to(replace(record, version=2)), own=first.own)
    async with asyncio.timeout(PATIENCE):
        assert await told.get() == record.id
    await asyncio.sleep(0.05)
    assert told.empty(), "it is told once, and to its owner alone"


async def test_shared_work_is_taken_once(processes: Processes) -> None:
    first, second = await processes.open(), await processes.open()
    await fail_if_waiting(first, Shards(0, 0, 2))
    await fail_if_waiting(second, Shards(1, 1, 2))
    await first.write(queries.schedule, *(Job("digest", 1, user=user) for user in range(40)))
    takers = [
        store.write(queries.claim_jobs, now=5, most=7, until=60, own=store.own)
        for _ in range(4)
        for store in (first, second)
    ]
    taken = [due.user for due in chain(*await asyncio.gather(*takers))]
    assert sorted(taken) == list(range(40))


async def test_all_processes_share_one_rate_limit(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [await processes.open() for _ in range(2)]
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def is_about(wait: float, least: float) -> bool:
        """Whether somebody waits for so long, less the time that this has taken so far."""
        return least - (time.monotonic() - began) - 0.1 <= wait <= least + 0.1

    buckets = [Bucket(40, 10, store=store, name="requests") for store in stores]
    began = time.monotonic()
    with monkeypatch.context() as counting:
        counting.setattr("bot.ui.rate.sleep", sleep)
        await asyncio.gather(*(bucket.take() for _ in range(60) for bucket in buckets))
    # A fifth of a second's requests go out at once, the others at the remaining rate.
    assert is_about(max(waits, default=0), (120 - 10) / 40)
    # Logins are not reserved ahead: discord.py may give up meanwhile.
    began = time.monotonic()
    assert await stores[0].reserve("identify-0", 5, 5, 0) <= 0
    for store in stores * 2:
        assert is_about(await store.reserve("identify-0", 5, 5, 0), 5)
    logins = [Bucket(20, 1, store=store, name="identify-1", longest=0) for store in stores]
    await asyncio.gather(*(login.take() for login in logins * 2))
    assert time.monotonic() - began >= 3 * 0.05
    await stores[0].close()
    # Without the database, each process keeps to the rate on its own.
    await buckets[0].take()
