"""The PostgreSQL store: each unit of work runs in a pool thread, on that thread's connection.

Connections drop, servers restart and replicas take over, so unfinished work is retried for a
while. Every write inserts a unique token into the table `written`: if the reply to a COMMIT is
lost, the token shows whether it went through.

Also here: which shards this process owns, and rate limits shared between processes.
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
from bot.model.stored import ABSENCE, REMINDERS_REQUESTED
from bot.runtime.errors import BotError, StoreError
from bot.runtime.tasks import awaited_task
from bot.store import postgres_schema
from bot.store.base import Store, Work
from bot.store.postgres_connection import TRANSIENT_ERRORS, Connection, connect, reason
from bot.store.postgres_url import public_address
from bot.store.schema import POSTGRES_MIGRATIONS, steps
from bot.store.shard_locks import ShardLocks
from bot.store.sql import Statement
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

CONNECTIONS = 8
"""Most connections a process opens for queries."""
RETRY_SECONDS = 5.0
"""How long to keep retrying before the caller gets an error."""
FIRST_RETRY_WAIT, LONGEST_RETRY_WAIT = 0.05, 0.5
"""First and longest wait between two tries, in seconds."""
STARTUP_SECONDS = 60.0
"""How long startup waits for a server that is down or starting, as after a crash or in a new
container.
"""
WRITES_PER_CLEANUP = 256
"""One write in this many deletes old tokens."""

PERMANENT_ERRORS = (psycopg.Error, msgspec.MsgspecError, OverflowError, ValueError)
"""Errors that retrying will not fix: a statement the server rejects, a damaged row, a value that no
column can hold.

Caught after TRANSIENT_ERRORS, which it overlaps.
"""

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
FULL_IN = Statement(
    "SELECT full_at - extract(epoch FROM clock_timestamp()) FROM reserved WHERE what = {what}"
)


class Unreachable(StoreError):
    """The server could not be reached, or took no changes, for as long as something was tried."""


class PostgresStore(Store):
    """A Store in a PostgreSQL database, which other processes may write to as well."""

    is_shared = True

    def __init__(self, url: str, retry_seconds: float, exclusive: bool) -> None:
        super().__init__()
        self._url = url
        self._retry_seconds = retry_seconds
        self._is_exclusive = exclusive
        # A single connection can have the database to itself.
        self._threads = ThreadPoolExecutor(1 if exclusive else CONNECTIONS, "postgres")
        self._thread_local = local()
        """Holds each thread's own connection."""
        self._connections: set[Connection] = set()
        self._locks: ShardLocks | None = None
        self._is_closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        migrations: Path = POSTGRES_MIGRATIONS,
        retry_seconds: float = RETRY_SECONDS,
        exclusive: bool = False,
    ) -> "PostgresStore":
        """Open the store at that address, making or migrating its tables; StoreError says why it
        cannot be used.

        Wait for a server that is down or starting. With `exclusive`, no bot may be using the
        database, and a half-finished move into it is accepted.
        """
        store = cls(url, retry_seconds, exclusive)
        try:
            await store._prepare(migrations)
        except BaseException:
            await store.close()
            raise
        return store

    async def _prepare(self, migrations: Path) -> None:
        place = public_address(self._url)

        def bring_up(connection: Connection) -> None:
            postgres_schema.bring_up(connection, place, migrations, self._is_exclusive)

        end = time.monotonic() + STARTUP_SECONDS
        is_waiting = False
        while True:
            try:
                # The connection stays open: from now on others see that a bot runs on the database.
                await asyncio.wrap_future(self._threads.submit(self._try, bring_up))
                return
            except TRANSIENT_ERRORS as error:
                why = say("database.no_server", place=place, why=reason(error))
                if time.monotonic() > end:
                    raise StoreError(why) from error
                if not is_waiting:
                    log.warning(
                        "%s", say("database.waiting", why=why, seconds=round(STARTUP_SECONDS))
                    )
                    is_waiting = True
            except PERMANENT_ERRORS as error:
                raise StoreError(
                    "database.unusable_server", place=place, why=reason(error)
                ) from error
            await asyncio.sleep(LONGEST_RETRY_WAIT)

    def connect(self, **settings: str) -> Connection:
        """Make one more connection, which shows that the database is in use."""
        connection = connect(self._url, **settings)
        try:
            postgres_schema.hold(connection, public_address(self._url), self._is_exclusive)
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
            # Nobody waits for the answer to this, which comes together with that to the next
            # statement.
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
            # Should the server still be busy with a commit whose answer was lost, this waits for
            # it.
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
        """Run work in a pool thread to completion: cancelling the caller does not cancel it."""
        if self._is_closed:
            raise StoreError("database.closed")
        deadline = time.monotonic() + self._retry_seconds
        running = self._threads.submit(copy_context().run, self._retry, work, deadline)
        done = awaited_task(asyncio.wrap_future(running))
        await asyncio.wait([done], timeout=self._retry_seconds)
        if running.cancel():
            # All threads are busy with a server that does not answer.
            raise Unreachable("database.unreachable")
        return await asyncio.shield(done)

    def _retry(self, work: Callable[[Connection], T], deadline: float) -> T:
        """Run work on this thread's connection, retrying for a while if the connection is lost."""
        wait = FIRST_RETRY_WAIT
        has_collided = is_read_only = False
        while True:
            try:
                return self._try(work)
            except BotError:
                raise
            except psycopg.errors.UniqueViolation as error:
                # Another process may have written the same row at the same moment: now it is seen.
                if has_collided:
                    raise StoreError("database.server_fails", why=reason(error)) from error
                has_collided = True
            except TRANSIENT_ERRORS as error:
                if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                    # Another server may have become the one to write to: nothing more is read from
                    # this one either.
                    is_read_only = True
                    for connection in list(self._connections):
                        connection.is_outdated = True
                if time.monotonic() + wait > deadline:
                    log.error("the database cannot be used: %s", reason(error))
                    raise Unreachable(
                        "database.read_only" if is_read_only else "database.unreachable"
                    ) from error
            except PERMANENT_ERRORS as error:
                log.error("the database fails: %s", reason(error))
                raise StoreError("database.server_fails", why=reason(error)) from error
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_RETRY_WAIT)

    def _try(self, work: Callable[[Connection], T]) -> T:
        connection: Connection | None = getattr(self._thread_local, "connection", None)
        if connection is None or connection.closed or connection.is_outdated:
            self._discard(connection)
            connection = self._thread_local.connection = self.connect()
            self._connections.add(connection)
        try:
            return work(connection)
        except TRANSIENT_ERRORS:
            # The server rolls back the open transaction.
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
        """Reserve `cost` seconds of a rate limit shared by all processes; return the seconds to
        wait.

        Zero or less means go ahead; more than `longest` means nothing was reserved. Uses the
        server's clock.
        """

        def take(connection: Connection) -> float:
            values = {"what": what, "cost": cost, "most": ahead + longest}
            pipeline = connection.enter_pipeline()
            reserved = connection.execute(RESERVE, values)
            full = connection.execute(FULL_IN, values)
            # Ends the implicit transaction around the two statements.
            pipeline.sync()
            if row := reserved.fetchone():
                return float(row[0]) - ahead
            # Not reserved: the wait would be too long, or was when the first statement ran.
            ((full_in,),) = full.fetchall()
            return max(float(full_in) + cost, ahead + longest + 0.001) - ahead

        return await self._run(take)

    async def claim(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        """Claim these shards, waiting until no other process owns them."""
        self._set_own_shards(NONE)
        if self._locks is not None:
            await self._locks.close()
        self._locks = ShardLocks(self.connect, self._set_own_shards, self._on_notification)
        await self._locks.hold(shards, on_wait)

    async def confirm_claim(self) -> bool:
        """Return whether the shards are surely this process's still."""
        return self._locks is None or await self._locks.confirm()

    async def wait_until_claim_lost(self) -> None:
        """Wait until this process has lost its shards, or may have."""
        assert self._locks is not None
        await self._locks.lost()

    async def regain_claim(self) -> None:
        """Own the shards again; StoreError if another process has them, or the server stays out
        of reach.
        """
        assert self._locks is not None
        await self._locks.regain()

    def _set_own_shards(self, shards: Shards) -> None:
        """Record which shards this process owns now."""
        self.own = shards

    def _on_notification(self, payload: str) -> None:
        """Pass on a notification from another process: a match it wrote, or a broadcast."""
        if payload in (ABSENCE, REMINDERS_REQUESTED):
            self._listener(payload)
            return
        guild, _, match = payload.partition(" ")
        if self.own.serve(int(guild)):
            self._listener(match)


async def check_database(url: str, migrations: Path = POSTGRES_MIGRATIONS) -> tuple[int, int]:
    """Return a database's schema version and the newest one, changing nothing.

    Raise StoreError if it cannot be used.
    """
    place = public_address(url)

    def find_version() -> int:
        with connect(url) as connection:
            version = postgres_schema.check_version(connection, place, migrations)
            if postgres_schema.is_true(
                connection, "SELECT current_setting('transaction_read_only') = 'on'"
            ):
                raise StoreError("database.read_only")
            return version

    try:
        return await asyncio.to_thread(find_version), len(steps(migrations))
    except TRANSIENT_ERRORS as error:
        raise StoreError("database.no_server", place=place, why=reason(error)) from error
    except psycopg.Error as error:
        raise StoreError("database.unusable_server", place=place, why=reason(error)) from error
