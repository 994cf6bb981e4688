"""The store in PostgreSQL: each query is run whole in one of a few threads, on that thread's connection.

Connections are lost, servers are restarted, and another takes over: what had not been done by then is done again, for a
while. Every write puts a token of its own into the table `written`, by which a commit whose answer was lost is known.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from threading import local
from typing import TypeVar

import msgspec
import psycopg

from bot.model.shards import NONE, Shards
from bot.model.stored import ABSENCE, CALLS_WANTED
from bot.runtime.errors import BotError, StoreError
from bot.runtime.tasks import awaited_task
from bot.store import postgres_schema
from bot.store.base import Store, Work
from bot.store.postgres_connection import TROUBLE, Connection, connect, reason
from bot.store.postgres_url import public_address
from bot.store.schema import POSTGRES_MIGRATIONS, steps
from bot.store.shard_locks import ShardLocks
from bot.store.sql import Statement
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

CONNECTIONS = 8
"""The most that a process has for its queries."""
RETRY_SECONDS = 5.0
"""How long something is tried again before whoever asked for it is told."""
FIRST_RETRY_WAIT, LONGEST_RETRY_WAIT = 0.05, 0.5
"""Seconds between two tries: ever longer ones."""
STARTUP_SECONDS = 60.0
"""How long a start waits for a server that is down or starting, as after a crash or in a new container."""
WRITES_PER_CLEANUP = 256
"""Of so many writes one removes old tokens."""

UNUSABLE = (psycopg.Error, msgspec.MsgspecError, OverflowError, ValueError)
"""What the server refuses, and what reading a damaged row or writing what no row can hold raises."""

BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
PUT_TOKEN = Statement("INSERT INTO written (token) VALUES ({token}) ON CONFLICT DO NOTHING")
DELETE_OLD_TOKENS = "DELETE FROM written WHERE at < now() - interval '2 minutes'"

RESERVE = Statement("""
    INSERT INTO reserved AS kept VALUES ({what}, extract(epoch FROM clock_timestamp()) + {cost})
    ON CONFLICT (what) DO UPDATE
        SET full_at = greatest(kept.full_at, extract(epoch FROM clock_timestamp())) + {cost}
        WHERE kept.full_at + {cost} <= extract(epoch FROM clock_timestamp()) + {most}
    RETURNING full_at - extract(epoch FROM clock_timestamp())
""")
FULL_IN = Statement("SELECT full_at - extract(epoch FROM clock_timestamp()) FROM reserved WHERE what = {what}")


class Unreachable(StoreError):
    """The server could not be reached, or took no changes, for as long as something was tried."""


class PostgresStore(Store):
    """A Store in a PostgreSQL database, which other processes may write to as well."""

    is_shared = True

    def __init__(self, url: str, patience: float, alone: bool) -> None:
        super().__init__()
        self._url = url
        self._patience = patience
        self._is_alone = alone
        # A single connection can have the database to itself.
        self._threads = ThreadPoolExecutor(1 if alone else CONNECTIONS, "postgres")
        self._own = local()
        """The connection of each thread."""
        self._connections: set[Connection] = set()
        self._locks: ShardLocks | None = None
        self._is_closed = False

    @classmethod
    async def open(
        cls, url: str, migrations: Path = POSTGRES_MIGRATIONS, patience: float = RETRY_SECONDS, alone: bool = False
    ) -> "PostgresStore":
        """Open the store at that address, making or migrating its tables; StoreError says why it cannot be used.

        A server that is down or starting is waited for. With `alone`, no bot may run on the database meanwhile, and it
        may be one that is being moved here.
        """
        store = cls(url, patience, alone)
        try:
            await store._prepare(migrations)
        except BaseException:
            await store.close()
            raise
        return store

    async def _prepare(self, migrations: Path) -> None:
        place = public_address(self._url)

        def bring_up(connection: Connection) -> None:
            postgres_schema.bring_up(connection, place, migrations, self._is_alone)

        end = time.monotonic() + STARTUP_SECONDS
        is_waiting = False
        while True:
            try:
                # The connection stays open: from now on others see that a bot runs on the database.
                await asyncio.wrap_future(self._threads.submit(self._try, bring_up))
                return
            except TROUBLE as error:
                why = say("database.no_server", place=place, why=reason(error))
                if time.monotonic() > end:
                    raise StoreError(why) from error
                if not is_waiting:
                    log.warning("%s", say("database.waiting", why=why, seconds=round(STARTUP_SECONDS)))
                    is_waiting = True
            except UNUSABLE as error:
                raise StoreError("database.unusable_server", place=place, why=reason(error)) from error
            await asyncio.sleep(LONGEST_RETRY_WAIT)

    def connect(self, **settings: str) -> Connection:
        """Make one more connection, which shows that the database is in use."""
        connection = connect(self._url, **settings)
        try:
            postgres_schema.hold(connection, public_address(self._url), self._is_alone)
        except BaseException:
            connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Finish what is in hand, and close the connections."""
        self._is_closed = True
        await asyncio.to_thread(self._threads.shutdown)
        if self._locks is not None:
            await self._locks.close()
        for connection in self._connections:
            connection.close()

    async def _read(self, work: Work[T]) -> T:
        def read(connection: Connection) -> T:
            connection.enter_pipeline()
            connection.execute(BEGIN_READ)
            result = work(connection)
            # Nobody waits for the answer to this, which comes together with that to the next statement.
            connection.execute("COMMIT")
            return result

        return await self._run(read)

    async def _write(self, work: Work[T]) -> T:
        token = secrets.randbits(63)
        in_doubt: list[T] = []
        """The result, once it may have been committed."""

        def write(connection: Connection) -> T:
            pipeline = connection.enter_pipeline()
            connection.execute("BEGIN")
            put = connection.execute(PUT_TOKEN, {"token": token})
            # Should the server still be busy with a commit whose answer was lost, this waits for it.
            if in_doubt and put.rowcount == 0:
                connection.execute("COMMIT")
                return in_doubt[0]
            result = work(connection)
            if token % WRITES_PER_CLEANUP == 0:
                connection.execute(DELETE_OLD_TOKENS)
            in_doubt[:] = [result]
            connection.execute("COMMIT")
            pipeline.sync()
            return result

        try:
            return await self._run(write)
        except Unreachable:
            if in_doubt:
                raise StoreError("database.in_doubt") from None
            raise

    async def _run(self, work: Callable[[Connection], T]) -> T:
        """Run something in a thread, whole: whoever stops waiting for it does not stop it."""
        if self._is_closed:
            raise StoreError("database.closed")
        deadline = time.monotonic() + self._patience
        running = self._threads.submit(copy_context().run, self._retry, work, deadline)
        done = awaited_task(asyncio.wrap_future(running))
        await asyncio.wait([done], timeout=self._patience)
        if running.cancel():
            # All threads are busy with a server that does not answer.
            raise Unreachable("database.unreachable")
        return await asyncio.shield(done)

    def _retry(self, work: Callable[[Connection], T], deadline: float) -> T:
        """Return what something makes of this thread's connection, trying again for a while if that is lost."""
        wait = FIRST_RETRY_WAIT
        has_met = is_read_only = False
        while True:
            try:
                return self._try(work)
            except BotError:
                raise
            except psycopg.errors.UniqueViolation as error:
                # Another process may have written the same row at the same moment: now it is seen.
                if has_met:
                    raise StoreError("database.server_fails", why=reason(error)) from error
                has_met = True
            except TROUBLE as error:
                if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                    # Another server may have become the one to write to: nothing more is read from this one either.
                    is_read_only = True
                    for connection in list(self._connections):
                        connection.is_outdated = True
                if time.monotonic() + wait > deadline:
                    log.error("the database cannot be used: %s", reason(error))
                    raise Unreachable("database.read_only" if is_read_only else "database.unreachable") from error
            except UNUSABLE as error:
                log.error("the database fails: %s", reason(error))
                raise StoreError("database.server_fails", why=reason(error)) from error
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_RETRY_WAIT)

    def _try(self, work: Callable[[Connection], T]) -> T:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None or connection.closed or connection.is_outdated:
            self._discard(connection)
            connection = self._own.connection = self.connect()
            self._connections.add(connection)
        try:
            return work(connection)
        except TROUBLE:
            # The server ends what was begun.
            self._discard(connection)
            raise
        except BaseException:
            connection.rollback()
            raise

    def _discard(self, connection: Connection | None) -> None:
        if connection is not None:
            self._connections.discard(connection)
            connection.close()

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """Return how many seconds to wait for something that all processes share, by the server's clock."""

        def take(connection: Connection) -> float:
            values = {"what": what, "cost": cost, "most": ahead + longest}
            pipeline = connection.enter_pipeline()
            reserved = connection.execute(RESERVE, values)
            full = connection.execute(FULL_IN, values)
            # Ends the transaction that the two are without a BEGIN.
            pipeline.sync()
            if row := reserved.fetchone():
                return float(row[0]) - ahead
            # It takes too long; or no more, since it was asked.
            ((full_in,),) = full.fetchall()
            return max(float(full_in) + cost, ahead + longest + 0.001) - ahead

        return await self._run(take)

    async def claim(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Own these shards, once no other process does."""
        self._owns(NONE)
        if self._locks is not None:
            await self._locks.close()
        self._locks = ShardLocks(self.connect, self._owns, self._hear)
        await self._locks.hold(shards, waits)

    async def confirm_claim(self) -> bool:
        """Return whether the shards are surely this process's still."""
        return self._locks is None or await self._locks.confirm()

    async def claim_lost(self) -> None:
        """Return when the shards are lost, or may be."""
        assert self._locks is not None
        await self._locks.lost()

    async def regain_claim(self) -> None:
        """Own the shards again; StoreError if another process has them, or the server stays out of reach."""
        assert self._locks is not None
        await self._locks.regain()

    def _owns(self, shards: Shards) -> None:
        self.own = shards

    def _hear(self, said: str) -> None:
        """Another process has written a match, or tells everybody something."""
        if said in (ABSENCE, CALLS_WANTED):
            self._listener(said)
            return
        guild, _, match = said.partition(" ")
        if self.own.serve(int(guild)):
            self._listener(match)


async def examine(url: str, migrations: Path = POSTGRES_MIGRATIONS) -> tuple[int, int]:
    """Return the schema of a database and the newest one, if it can be used; nothing of it is changed."""
    place = public_address(url)

    def find_version() -> int:
        with connect(url) as connection:
            version = postgres_schema.check_version(connection, place, migrations)
            if postgres_schema.is_true(connection, "SELECT current_setting('transaction_read_only') = 'on'"):
                raise StoreError("database.read_only")
            return version

    try:
        return await asyncio.to_thread(find_version), len(steps(migrations))
    except TROUBLE as error:
        raise StoreError("database.no_server", place=place, why=reason(error)) from error
    except psycopg.Error as error:
        raise StoreError("database.unusable_server", place=place, why=reason(error)) from error
