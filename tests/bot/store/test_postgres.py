"""What PostgreSQL alone can do to a store: connections that break, servers that go and come,
other processes.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from bot.features.catch_up import load_note, put_note
from bot.features.history import moments
from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.features.ratings.records import Rated, Rating
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Job, all_shards
from bot.run import doctor
from bot.runtime.base import StoreError
from bot.store.opening import public_address
from bot.store.postgres import PostgresStore
from bot.store.postgres_connection import Connection
from bot.store.sql import Statement
from engine import GAMES
from tests.bot import standings
from tests.bot.desk import Desk
from tests.bot.seating import ANA, BEA, CEM, PLACE, House, names, playing
from tests.bot.standings import simulated
from tests.bot.store.cut import Cut
from tests.bot.store.test_contract import INFO, begun, change, commit
from tests.patience import PATIENCE
from tests.postgres_server import Server
from tests.soak.proxy import Proxy

FIVE = 5.0
"""Seconds within which somebody is told that the database cannot be used, as the README
promises.
"""
END_ALL = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'motu' AND pid != pg_backend_pid()
"""


@pytest.fixture
def url(emptied: Callable[[], str]) -> str:
    """The address of an empty database."""
    return emptied()


class Shared:
    """Two services on one database, as two processes have them; what one does the other hears
    nothing of.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.one, self.two = House(Path("one")), House(Path("two"))
        self.two.interactions = self.one.interactions

    async def open(self) -> None:
        """Both started."""
        for house in (self.one, self.two):
            await house.open_on(await PostgresStore.open(self.url, retry_seconds=PATIENCE))

    async def close(self) -> None:
        """Both stopped."""
        for house in (self.one, self.two):
            await house.matches.close()


@pytest.fixture
async def shared(url: str) -> AsyncIterator[Shared]:
    """Two services on one empty database."""
    both = Shared(url)
    await both.open()
    yield both
    await both.close()


async def check_kept(store: PostgresStore, room: Room) -> None:
    """Every commit is there once, with its events and its position, and posts follow each other."""
    kept = await store.read(queries.commits, room.record.id)
    assert [each.number for each in kept] == list(range(playing(room).number + 1))
    told = await store.read(moments.ANNOUNCED_COMMITS, room.record.id)
    assert told == sorted(set(told))


def store_of(matches: Desk) -> PostgresStore:
    assert isinstance(matches.store, PostgresStore)
    return matches.store


async def test_what_another_process_has_done_is_seen(shared: Shared) -> None:
    room = await shared.one.started("blue_lagoon")
    old = await shared.two.matches.find(room.record.id)
    seat = playing(room).waiting_for()[0]
    moved = (await shared.one.turn(room, seat)).room
    assert playing(await shared.two.matches.find(room.record.id)).number == playing(moved).number
    late = await shared.two.matches.confirm(shared.two.press(old, seat, playing(old).turn(seat)))
    assert late.stale and playing(late.room).number == playing(moved).number
    moved = (await shared.two.turn(moved, playing(moved).waiting_for()[0])).room
    assert playing(await shared.one.matches.find(room.record.id)).number == playing(moved).number


async def test_whoever_writes_second_does_so_on_what_the_first_has_made(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = shared.one.matches, shared.two.matches
    lobby = (await one.open_lobby("blue_lagoon", {}, PLACE, ANA)).record
    await two.find(lobby.id)
    await one.join(lobby.id, BEA)
    # The other one has looked the moment before: its write comes too late.
    real, answers = queries.load_newer, [None]

    def looked_before(db: Any, *given: Any) -> Any:
        return (answers.pop(), None, {}) if answers else real(db, *given)

    monkeypatch.setattr(queries, "load_newer", looked_before)
    joined = await two.join(lobby.id, CEM)
    assert not answers and names(joined) == names(await one.find(lobby.id)) == ("Ana", "Bea", "Cem")


async def test_one_press_that_reaches_two_processes_is_carried_out_once(shared: Shared) -> None:
    room = await shared.one.started("blue_lagoon")
    for _ in range(5):
        seat = playing(room).waiting_for()[0]
        while not playing(room).is_complete(seat):
            room = (await shared.one.pick(room, seat)).room
        press = shared.one.press(room, seat, playing(room).turn(seat))
        both = [house.matches.confirm(press) for house in (shared.one, shared.two)]
        updates = await asyncio.gather(*both)
        assert [playing(update.room).number for update in updates] == [playing(room).number + 1] * 2
        assert all(update.committed for update in updates)
        room = updates[0].room
    await check_kept(store_of(shared.one.matches), room)


async def test_connections_that_break_while_it_is_played_lose_and_double_nothing(
    shared: Shared, postgres: Server, url: str
) -> None:
    room, broken = await shared.one.started("blue_lagoon"), 0
    for _ in range(8):
        turn = shared.one.turn(room, playing(room).waiting_for()[0])
        update, ended = await asyncio.gather(turn, asyncio.to_thread(postgres.sql, END_ALL))
        room, broken = update.room, broken + len(ended)
    assert broken > 0
    await check_kept(store_of(shared.two.matches), room)
    assert playing(await shared.two.matches.find(room.record.id)) == playing(room)


@pytest.mark.parametrize("moment", ["read", "write", "commit"])
async def test_a_server_that_says_nothing_is_told_within_five_seconds(
    url: str, moment: str
) -> None:
    proxy = Proxy(url)
    await proxy.start()
    store = await PostgresStore.open(proxy.url)
    await begun(store)
    loop = asyncio.get_running_loop()
    silenced: list[float] = []

    def read(db: Any) -> None:
        db.execute("SELECT 1").fetchall()
        if moment != "commit":
            proxy.silence()
            silenced.append(loop.time())
        assert (
            db.execute(
                "UPDATE matches SET game = game" if moment != "read" else "SELECT 1"
            ).rowcount
            == 1
        )
        if moment == "commit":
            proxy.silence()
            silenced.append(loop.time())

    try:
        with pytest.raises(StoreError):
            await (store.read(read) if moment == "read" else store.write(read))
        # Without it a statement alone took fifteen; the rest is for a machine that is very busy.
        assert loop.time() - silenced[0] < 2 * FIVE
        began = loop.time()
        with pytest.raises(StoreError):
            await store.read(queries.load_match, "none")
        assert loop.time() - began < 2 * FIVE, "nor does whoever comes next wait longer"
    finally:
        proxy.mend()
        await store.close()
        await proxy.close()


async def test_a_server_that_is_away_is_waited_for_or_told(url: str, postgres: Server) -> None:
    house = House(Path("one"))
    store = await PostgresStore.open(url, retry_seconds=PATIENCE)
    await house.open_on(store)
    room = await house.started("blue_lagoon")
    room = (await house.pick(room, 0)).room
    press = house.press(room, 0, playing(room).turn(playing(room).waiting_for()[0]))
    postgres.stop()
    store._retry_seconds = 0.2
    try:
        with pytest.raises(StoreError, match=r"cannot be reached.*it may have been saved"):
            await house.matches.confirm(press)
        store._retry_seconds = PATIENCE
        waiting = asyncio.create_task(house.matches.confirm(press))
        await asyncio.sleep(0)
    finally:
        postgres.start()
    update = await waiting
    assert update.committed and playing(update.room).number == playing(room).number + 1
    again = await house.matches.confirm(press)
    assert again.committed and playing(again.room).number == playing(update.room).number, (
        "a repeat is known"
    )
    await check_kept(store, update.room)
    await house.matches.close()


async def test_a_server_that_takes_no_changes_is_told_and_gone_on_with(
    url: str, postgres: Server
) -> None:
    name = url.split("@/")[1].partition("?")[0]
    house, store = House(Path("one")), await PostgresStore.open(url, retry_seconds=PATIENCE)
    await house.open_on(store)
    room = await house.started("blue_lagoon")
    try:
        postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        postgres.sql(END_ALL)
        store._retry_seconds, said = 1, ""
        while "takes no changes" not in said:
            # On a machine that is very busy nobody may have come through to the server by then.
            with pytest.raises(
                StoreError, match=r"(cannot be reached|takes no changes).*it may have been saved"
            ) as refused:
                await house.pick(room, 0)
            said = str(refused.value)
        store._retry_seconds = PATIENCE
        assert playing(await house.matches.find(room.record.id)) == playing(room), (
            "it can still be read"
        )
        waiting = asyncio.create_task(house.pick(room, 0))
        await asyncio.sleep(0)
    finally:
        postgres.sql(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert playing((await waiting).room).draft(playing(room).waiting_for()[0]).answers
    await house.matches.close()


@pytest.fixture
def follower(postgres: Server) -> Iterator[Server]:
    """A server that has all that the first has: there, a commit is acknowledged once both have
    it.
    """
    with Server(follows=postgres) as following:
        postgres.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        postgres.sql("SELECT pg_reload_conf()")
        yield following
    if not postgres.is_running:
        postgres.start()
    postgres.sql("ALTER SYSTEM RESET synchronous_standby_names")
    postgres.sql("SELECT pg_reload_conf()")


async def regained(store: PostgresStore) -> None:
    """Wait until the shards were lost and are the store's again."""
    await store.wait_until_claim_lost()
    await store.regain_claim()


async def test_another_server_takes_over_with_all_that_was_acknowledged(
    url: str, postgres: Server, follower: Server
) -> None:
    both = f"{url},{follower.url().partition('host=')[2]}&target_session_attrs=read-write"
    house, store = House(Path("one")), await PostgresStore.open(both, retry_seconds=PATIENCE)
    await store.claim(all_shards(2), pytest.fail)
    await house.open_on(store)
    room = await house.started("blue_lagoon")
    room = (await house.turn(room, 0)).room
    locks = asyncio.create_task(regained(store))
    postgres.stop()
    waiting = asyncio.create_task(house.turn(room, 1))
    await asyncio.to_thread(follower.promote)
    update = await waiting
    assert update.committed and playing(update.room).number == playing(room).number + 1
    await locks
    assert store.own == all_shards(2), "and the shards are locked there"
    await check_kept(store, update.room)
    await house.matches.close()
    name, _, _ = url.split("@/")[1].partition("?")
    assert (
        follower.sql("SELECT count(*) FROM moves WHERE number > 0", follower.url(name))[0][0] == 2
    )


@pytest.mark.parametrize("is_heard", [True, False])
async def test_a_commit_whose_answer_is_lost_is_known(
    url: str, tmp_path: Path, is_heard: bool
) -> None:
    async with Cut(url, is_heard) as cut:
        store = await PostgresStore.open(cut.url, retry_seconds=PATIENCE)
        await begun(store)
        cut.is_armed = True
        await store.write(
            queries.write_change,
            change(2, stored_commits=(commit(1),), announce_up_to=1),
            own=store.own,
        )
        assert cut.cuts == 1
        assert await store.read(queries.match_version, INFO.id) == 2
        assert [each.number for each in await store.read(queries.commits, INFO.id)] == [0, 1]
        assert [
            each.number for each in await store.read(queries.pending_announcements, own=store.own)
        ] == [0, 1]
        await store.close()


async def test_whoever_stops_waiting_in_the_midst_leaves_a_whole_write(url: str) -> None:
    store = await PostgresStore.open(url)
    await begun(store)
    writing = asyncio.create_task(
        store.write(queries.write_change, change(2, stored_commits=(commit(1),)), own=store.own)
    )
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await store.close()
    store = await PostgresStore.open(url)
    assert (
        await store.read(queries.match_version, INFO.id) == 2
        and len(await store.read(queries.commits, INFO.id)) == 2
    )
    await store.close()


async def refusal(url: str) -> str:
    """Why a database is not opened."""
    with pytest.raises(StoreError) as refused:
        await PostgresStore.open(url)
    return str(refused.value)


async def test_what_is_wrong_with_an_address_is_said_without_its_password(
    postgres: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A start would wait a minute for each server that is not there.
    monkeypatch.setattr("bot.store.postgres.STARTUP_SECONDS", -1.0)
    good = postgres.url()
    lines = [
        await refusal("postgresql://motu:geheim@/postgres?host=/nowhere"),
        await refusal("postgresql://motu:geheim@127.0.0.1:1/motu"),
        await refusal(good.replace("motu@", "ghost:geheim@")),
        await refusal(good.replace("motu@", "motu:geheim@").replace("/postgres?", "/nothing?")),
        await refusal("postgresql://motu:ge/heim@host:x/motu"),
        await refusal("postgresql://motu@host:99999/motu?password=geheim"),
    ]
    words = (
        "cannot be reached",
        "cannot be reached",
        "refuses the user",
        "has no database",
        "cannot be used",
    )
    for line, word in zip(lines, words, strict=False):
        assert word in line
    assert not [line for line in [*lines, caplog.text] if "geheim" in line or "heim@" in line]
    assert (
        public_address("postgresql://motu:geheim@db.example:5432/motu?sslmode=require")
        == "postgresql://db.example:5432/motu"
    )


async def test_a_database_of_another_program_and_one_of_a_newer_motu_are_left_alone(
    postgres: Server,
) -> None:
    url = postgres.new()
    postgres.sql("CREATE TABLE bookmarks (url text)", url)
    assert "another program" in await refusal(url)
    postgres.sql("CREATE TABLE schema_version (version int); CREATE TABLE match (id text)", url)
    postgres.sql("INSERT INTO schema_version VALUES (9)", url)
    assert "before 0.9.0" in await refusal(url)
    postgres.sql("DROP TABLE bookmarks; DROP TABLE schema_version; DROP TABLE match", url)
    # Brought up in two steps, and by two at the same time.
    await (await PostgresStore.open(url)).close()
    both = await asyncio.gather(*(PostgresStore.open(url) for _ in range(2)))
    for store in both:
        await store.close()
    postgres.sql("UPDATE schema_version SET version = 99", url)
    assert "newer Motu: it has schema 99" in await refusal(url)


async def test_processes_that_rate_at_a_time_rate_each_match_once_and_in_order(url: str) -> None:
    finishes = simulated(30, players=6, random=Random(4))
    stores = [await PostgresStore.open(url) for _ in range(2)]
    await stores[0].write(standings.put, finishes)
    kept = [await stores[0].read(standings.find_finish, finish.match) for finish in finishes]

    async def rate(store: PostgresStore) -> int:
        rated = 0
        while some := await store.write(rating_queries.rate_next, 2, GAMES):
            rated += some
        return rated

    assert sum(await asyncio.gather(*map(rate, stores * 2))) == len(finishes)
    known: dict[Rated, Rating] = {}
    for finish in kept:
        known |= rules.after(finish, known)
    users = {key.user for key in known}
    found = await stores[0].read(rating_queries.ratings, standings.GUILD, standings.GAME, users)
    assert found == known
    for store in stores:
        await store.close()


async def test_connections_are_few_and_statements_end(url: str) -> None:
    store = await PostgresStore.open(url)
    await begun(store)
    assert (
        len(await asyncio.gather(*(store.read(queries.load_match, INFO.id) for _ in range(50))))
        == 50
    )
    ours = "application_name = 'motu' AND datname = current_database()"
    with psycopg.connect(url) as connection:
        ((number,),) = connection.execute(
            f"SELECT count(*) FROM pg_stat_activity WHERE {ours}".encode()
        ).fetchall()
    assert number <= 8
    assert await store.read(
        lambda db: db.execute("SELECT current_setting('statement_timeout')").fetchall()
    ) == [("3s",)]
    await store.close()


async def test_the_doctor_looks_at_a_server_without_touching_it(postgres: Server, url: str) -> None:
    assert (await doctor.postgres(url)).kind == "right"
    empty = postgres.new()
    found = await doctor.postgres(empty)
    assert found.kind == "right" and "is empty" in found.text
    assert not postgres.sql("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", empty), (
        "and stays so"
    )
    gone = await doctor.postgres("postgresql://motu:geheim@127.0.0.1:1/motu")
    assert gone.kind == "wrong" and "cannot be reached" in gone.text and "geheim" not in gone.text


async def test_whatever_people_write_is_kept_as_they_wrote_it(url: str) -> None:
    store = await PostgresStore.open(url)
    await begun(store)
    nasty = (
        "'",
        "''",
        "\\",
        "\\'",
        "'; DROP TABLE note; --",
        "$1 $2",
        "$$",
        "?",
        ":user",
        "/* --",
        "a\nb\r",
        "🌊ʻ",
    )
    for text in (*nasty, "".join(nasty)):
        await store.write(put_note, INFO.id, 10, text)
        assert await store.read(load_note, INFO.id, 10) == text
    with pytest.raises(StoreError):
        await store.write(put_note, INFO.id, 10, "x\x00'; DROP TABLE note; --")
    assert await store.read(load_note, INFO.id, 10) == "".join(nasty)
    await store.write(queries.schedule, Job("bell", -5))
    assert (await store.read(queries.due_jobs, 0, 9, own=store.own))[0].at == -5
    await store.close()


async def test_of_several_servers_the_one_that_is_there_is_used(url: str) -> None:
    several = url.replace("host=", "host=/nowhere,")
    await (await PostgresStore.open(f"{several}&target_session_attrs=read-write")).close()


async def test_a_start_waits_for_a_server_that_is_starting(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, starts = Connection.connect, 0

    def starting(*given: Any, **settings: Any) -> Connection:
        nonlocal starts
        starts += 1
        if starts < 3:
            raise psycopg.OperationalError(
                "connection failed: FATAL:  the database system is starting up"
            )
        return real(*given, **settings)

    monkeypatch.setattr(Connection, "connect", starting)
    monkeypatch.setattr("bot.store.postgres.LONGEST_RETRY_WAIT", 0.0)
    await (await PostgresStore.open(url)).close()
    assert starts == 3
    starts = 0
    monkeypatch.setattr("bot.store.postgres.STARTUP_SECONDS", -1.0)
    with pytest.raises(StoreError, match="is starting up"):
        await PostgresStore.open(url)


async def test_a_start_waits_for_a_server_that_is_down(
    url: str, postgres: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.postgres.STARTUP_SECONDS", PATIENCE)
    await asyncio.to_thread(postgres.stop)
    try:
        opening = asyncio.create_task(PostgresStore.open(url))
        async with asyncio.timeout(PATIENCE):
            while "Waiting for it" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    finally:
        await asyncio.to_thread(postgres.start)
    await (await opening).close()
    assert caplog.text.count("Waiting for it") == 1


def break_off(connection: Connection) -> None:
    """End a connection as if the server had."""
    with socket.socket(fileno=os.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "statement",
    [
        "pg_advisory_lock(",
        "schema_version",
        "CREATE TABLE IF NOT EXISTS written",
        "pg_advisory_unlock",
    ],
)
async def test_a_start_whose_connection_is_lost_begins_anew(
    url: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, cuts = Connection.execute, []

    def execute(self: Connection, asked: Statement | str, *values: Any) -> Any:
        if statement in str(asked) and not cuts:
            cuts.append(asked)
            break_off(self)
        return real(self, asked, *values)

    monkeypatch.setattr(Connection, "execute", execute)
    store = await PostgresStore.open(url)
    assert len(cuts) == 1
    assert await store.read(queries.match_version, "nobody's") is None
    await store.close()


def test_a_start_without_its_server_says_so(tmp_path: Path) -> None:
    database = "postgresql://motu:geheim@127.0.0.1:1/motu"
    env = {**os.environ, "DISCORD_TOKEN": "abc", "MOTU_DATABASE": database}
    at_once = (
        "from bot.store import postgres\n"
        "postgres.STARTUP_SECONDS = 0\n"
        "from bot.program import run\n"
        "raise SystemExit(run([]))"
    )
    started = subprocess.run(
        [sys.executable, "-c", at_once],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 1 and "geheim" not in started.stdout + started.stderr
    said = "motu: The database postgresql://127.0.0.1:1/motu cannot be reached"
    assert started.stderr.splitlines()[-1].startswith(said)
