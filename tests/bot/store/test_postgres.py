"""PostgreSQL only: broken connections, failovers and other processes."""

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
from tests.bot.backend import ANA, BEA, CEM, PLACE, Backend, match_of, names
from tests.bot.services import Services
from tests.bot.standings import simulate_matches
from tests.bot.store.cut import Cut
from tests.bot.store.test_contract import INFO, change, commit, create_match
from tests.patience import PATIENCE
from tests.postgres_server import Server
from tests.soak.proxy import Proxy

SERVER_TIMEOUT = 15.0
"""Seconds after which the server itself ends an idle transaction."""
END_ALL = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'motu' AND pid != pg_backend_pid()
"""


@pytest.fixture
def url(emptied: Callable[[], str]) -> str:
    """The address of an empty database."""
    return emptied()


class Shared:
    """Two services on one database, as in two processes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.one = Backend(Path("one"))
        self.two = Backend(Path("two"))
        self.two.interactions = self.one.interactions

    async def open(self) -> None:
        """Start both."""
        for backend in (self.one, self.two):
            await backend.open_on(await PostgresStore.open(self.url, retry_seconds=PATIENCE))

    async def close(self) -> None:
        """Stop both."""
        for backend in (self.one, self.two):
            await backend.matches.close()


@pytest.fixture
async def shared(url: str) -> AsyncIterator[Shared]:
    """Two services on one empty database."""
    both = Shared(url)
    await both.open()
    yield both
    await both.close()


async def check_kept(store: PostgresStore, room: Room) -> None:
    """Check that every commit is stored once and that announcements leave no gap."""
    stored_commits = await store.read(queries.commits, room.record.id)
    assert [each.number for each in stored_commits] == list(range(match_of(room).number + 1))
    told = await store.read(moments.ANNOUNCED_COMMITS, room.record.id)
    assert told == sorted(set(told))


def store_of(matches: Services) -> PostgresStore:
    assert isinstance(matches.store, PostgresStore)
    return matches.store


async def test_changes_of_another_process_are_seen(shared: Shared) -> None:
    room = await shared.one.start_match("blue_lagoon")
    old = await shared.two.matches.find(room.record.id)
    seat = match_of(room).waiting_for()[0]
    moved = (await shared.one.take_turn(room, seat)).room
    assert match_of(await shared.two.matches.find(room.record.id)).number == match_of(moved).number
    late = await shared.two.matches.confirm(shared.two.press(old, seat, match_of(old).turn(seat)))
    assert late.stale and match_of(late.room).number == match_of(moved).number
    moved = (await shared.two.take_turn(moved, match_of(moved).waiting_for()[0])).room
    assert match_of(await shared.one.matches.find(room.record.id)).number == match_of(moved).number


async def test_a_second_writer_builds_on_the_first_s_change(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = shared.one.matches, shared.two.matches
    lobby = (await one.open_lobby("blue_lagoon", {}, PLACE, ANA)).record
    await two.find(lobby.id)
    await one.join(lobby.id, BEA)
    # The other process has read just before that, so its write comes too late.
    real, answers = queries.load_newer, [None]

    def looked_before(db: Any, *given: Any) -> Any:
        return (answers.pop(), None, {}) if answers else real(db, *given)

    monkeypatch.setattr(queries, "load_newer", looked_before)
    joined = await two.join(lobby.id, CEM)
    assert not answers
    assert names(joined) == names(await one.find(lobby.id)) == ("Ana", "Bea", "Cem")


async def test_a_press_that_reaches_two_processes_is_applied_once(shared: Shared) -> None:
    room = await shared.one.start_match("blue_lagoon")
    for _ in range(5):
        seat = match_of(room).waiting_for()[0]
        while not match_of(room).is_complete(seat):
            room = (await shared.one.pick(room, seat)).room
        press = shared.one.press(room, seat, match_of(room).turn(seat))
        both = [backend.matches.confirm(press) for backend in (shared.one, shared.two)]
        updates = await asyncio.gather(*both)
        assert [match_of(update.room).number for update in updates] == [
            match_of(room).number + 1
        ] * 2
        assert all(update.committed for update in updates)
        room = updates[0].room
    await check_kept(store_of(shared.one.matches), room)


async def test_broken_connections_lose_and_repeat_nothing(
    shared: Shared, postgres: Server, url: str
) -> None:
    room, broken = await shared.one.start_match("blue_lagoon"), 0
    for _ in range(8):
        turn = shared.one.take_turn(room, match_of(room).waiting_for()[0])
        update, ended = await asyncio.gather(turn, asyncio.to_thread(postgres.sql, END_ALL))
        room, broken = update.room, broken + len(ended)
    assert broken > 0
    await check_kept(store_of(shared.two.matches), room)
    assert match_of(await shared.two.matches.find(room.record.id)) == match_of(room)


@pytest.mark.parametrize("moment", ["read", "write", "commit"])
async def test_a_silent_server_is_reported_within_five_seconds(
    url: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.postgres_connection.Connection.answer_timeout", 0.6)
    proxy = Proxy(url)
    await proxy.start()
    store = await PostgresStore.open(proxy.url, retry_seconds=1.0)
    await create_match(store)
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
        # The server's own timeouts would take so much longer that a busy machine is no excuse.
        assert loop.time() - silenced[0] < SERVER_TIMEOUT
        began = loop.time()
        with pytest.raises(StoreError):
            await store.read(queries.load_match, "none")
        assert loop.time() - began < SERVER_TIMEOUT, "the next query does not wait longer"
    finally:
        proxy.mend()
        await store.close()
        await proxy.close()


async def test_an_unreachable_server_is_waited_for_or_reported(url: str, postgres: Server) -> None:
    backend = Backend(Path("one"))
    store = await PostgresStore.open(url, retry_seconds=PATIENCE)
    await backend.open_on(store)
    room = await backend.start_match("blue_lagoon")
    room = (await backend.pick(room, 0)).room
    press = backend.press(room, 0, match_of(room).turn(match_of(room).waiting_for()[0]))
    postgres.stop()
    store._retry_seconds = 0.2
    try:
        with pytest.raises(StoreError, match=r"can't reach the database.*it may have been saved"):
            await backend.matches.confirm(press)
        store._retry_seconds = PATIENCE
        waiting = asyncio.create_task(backend.matches.confirm(press))
        await asyncio.sleep(0)
    finally:
        postgres.start()
    update = await waiting
    assert update.committed and match_of(update.room).number == match_of(room).number + 1
    again = await backend.matches.confirm(press)
    assert again.committed
    assert match_of(again.room).number == match_of(update.room).number, "a repeat is known"
    await check_kept(store, update.room)
    await backend.matches.close()


async def test_a_read_only_server_is_reported_and_play_resumes_later(
    url: str, postgres: Server
) -> None:
    name = url.split("@/")[1].partition("?")[0]
    backend = Backend(Path("one"))
    store = await PostgresStore.open(url, retry_seconds=PATIENCE)
    await backend.open_on(store)
    room = await backend.start_match("blue_lagoon")
    try:
        postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        postgres.sql(END_ALL)
        store._retry_seconds, said = 1, ""
        while "is read-only" not in said:
            # On a machine that is very busy nobody may have come through to the server by then.
            with pytest.raises(
                StoreError, match=r"(can't be reached|is read-only).*it may have been saved"
            ) as refused:
                await backend.pick(room, 0)
            said = str(refused.value)
        store._retry_seconds = PATIENCE
        assert match_of(await backend.matches.find(room.record.id)) == match_of(room), (
            "it can still be read"
        )
        waiting = asyncio.create_task(backend.pick(room, 0))
        await asyncio.sleep(0)
    finally:
        postgres.sql(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert match_of((await waiting).room).draft(match_of(room).waiting_for()[0]).answers
    await backend.matches.close()


@pytest.fixture
def follower(postgres: Server) -> Iterator[Server]:
    """A standby server; commits are acknowledged once both have them."""
    with Server(follows=postgres) as following:
        postgres.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        postgres.sql("SELECT pg_reload_conf()")
        yield following
    if not postgres.is_running:
        postgres.start()
    postgres.sql("ALTER SYSTEM RESET synchronous_standby_names")
    postgres.sql("SELECT pg_reload_conf()")


async def wait_until_regained(store: PostgresStore) -> None:
    """Wait until the shards were lost and regained."""
    await store.wait_until_claim_lost()
    await store.regain_claim()


async def test_another_server_takes_over_without_losses(
    url: str, postgres: Server, follower: Server
) -> None:
    both = f"{url},{follower.url().partition('host=')[2]}&target_session_attrs=read-write"
    backend = Backend(Path("one"))
    store = await PostgresStore.open(both, retry_seconds=PATIENCE)
    await store.claim(all_shards(2), pytest.fail)
    await backend.open_on(store)
    room = await backend.start_match("blue_lagoon")
    room = (await backend.take_turn(room, 0)).room
    locks = asyncio.create_task(wait_until_regained(store))
    postgres.stop()
    waiting = asyncio.create_task(backend.take_turn(room, 1))
    await asyncio.to_thread(follower.promote)
    update = await waiting
    assert update.committed and match_of(update.room).number == match_of(room).number + 1
    await locks
    assert store.own == all_shards(2), "and the shards are locked there"
    await check_kept(store, update.room)
    await backend.matches.close()
    name, _, _ = url.split("@/")[1].partition("?")
    assert (
        follower.sql("SELECT count(*) FROM moves WHERE number > 0", follower.url(name))[0][0] == 2
    )


@pytest.mark.parametrize("is_heard", [True, False])
async def test_a_commit_whose_answer_is_lost_is_recognised(
    url: str, tmp_path: Path, is_heard: bool
) -> None:
    async with Cut(url, is_heard) as cut:
        store = await PostgresStore.open(cut.url, retry_seconds=PATIENCE)
        await create_match(store)
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


async def test_cancelling_a_write_leaves_it_complete(url: str) -> None:
    store = await PostgresStore.open(url)
    await create_match(store)
    writing = asyncio.create_task(
        store.write(queries.write_change, change(2, stored_commits=(commit(1),)), own=store.own)
    )
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await store.close()
    store = await PostgresStore.open(url)
    assert await store.read(queries.match_version, INFO.id) == 2
    assert len(await store.read(queries.commits, INFO.id)) == 2
    await store.close()


async def refusal(url: str) -> str:
    """Return why a database is not opened."""
    with pytest.raises(StoreError) as refused:
        await PostgresStore.open(url)
    return str(refused.value)


async def test_errors_about_an_address_hide_its_password(
    postgres: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By default a start waits a minute for a server that is down.
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
        "can't be reached",
        "can't be reached",
        "refuses the user",
        "has no database",
        "can't be used",
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
    # Migrate it in two steps, each by two processes at the same time.
    await (await PostgresStore.open(url)).close()
    both = await asyncio.gather(*(PostgresStore.open(url) for _ in range(2)))
    for store in both:
        await store.close()
    postgres.sql("UPDATE schema_version SET version = 99", url)
    assert "newer Motu (schema 99" in await refusal(url)


async def test_concurrent_processes_rate_each_match_once_and_in_order(url: str) -> None:
    finishes = simulate_matches(30, players=6, random=Random(4))
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
        known |= rules.rate_match(finish, known)
    users = {key.user for key in known}
    found = await stores[0].read(rating_queries.ratings, standings.GUILD, standings.GAME, users)
    assert found == known
    for store in stores:
        await store.close()


async def test_connections_are_few_and_statements_end(url: str) -> None:
    store = await PostgresStore.open(url)
    await create_match(store)
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
    assert (await doctor.check_postgres(url)).kind == "right"
    empty = postgres.new()
    found = await doctor.check_postgres(empty)
    assert found.kind == "right" and "and empty" in found.text
    assert not postgres.sql("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", empty), (
        "and stays so"
    )
    gone = await doctor.check_postgres("postgresql://motu:geheim@127.0.0.1:1/motu")
    assert gone.kind == "wrong" and "can't be reached" in gone.text and "geheim" not in gone.text


async def test_texts_are_stored_as_written(url: str) -> None:
    store = await PostgresStore.open(url)
    await create_match(store)
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


async def test_among_several_servers_the_reachable_one_is_used(url: str) -> None:
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
            while "Waiting up to" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    finally:
        await asyncio.to_thread(postgres.start)
    await (await opening).close()
    assert caplog.text.count("Waiting up to") == 1


def break_off(connection: Connection) -> None:
    """Close a connection as the server would."""
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
async def test_a_start_that_loses_its_connection_is_retried(
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


def test_a_start_without_a_server_is_reported(tmp_path: Path) -> None:
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
    text = "motu: The database postgresql://127.0.0.1:1/motu can't be reached"
    assert started.stderr.splitlines()[-1].startswith(text)
