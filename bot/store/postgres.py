"""The PostgreSQL store: each unit of work runs in a pool thread, on that thread's connection.

Connections drop, servers restart and replicas take over, so unfinished work is retried for a
while. Every write inserts a unique token into the table `written`: if the reply to a COMMIT is
lost, the token shows whether it went through.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from threading import get_ident
from typing import Self, TypeVar

import msgspec
import psycopg

from bot.runtime.base import StoreError, awaited_task
from bot.store.base import Work
from bot.store.opening import public_address
from bot.store.postgres_connection import (
    CONNECT_TIMEOUT,
    IS_WRITABLE,
    TRANSIENT_ERRORS,
    Connection,
    connect,
    reason,
)
from bot.store.schema import POSTGRES_MIGRATIONS, pending_migrations, schema_version, steps
from bot.store.shard_locks import SharedStore
from bot.store.sql import Statement, first_value
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

CONNECTIONS = 8
"""Most connections that a process opens for queries."""
RETRY_SECONDS = 5.0
"""How long to keep retrying before the caller gets an error."""
FIRST_RETRY_WAIT, LONGEST_RETRY_WAIT = 0.05, 0.5
"""First and longest wait between two tries, in seconds."""
STARTUP_SECONDS = 60.0
"""How long startup waits for a server that is down or starting, as in a new container."""
MIGRATION_TIMEOUT = 3600.0
"""Seconds that a migration may take; that of a large database takes long."""
WRITES_PER_CLEANUP = 256
"""One write in this many deletes old tokens."""

PERMANENT_ERRORS = (psycopg.Error, msgspec.MsgspecError, OverflowError, ValueError)
"""Errors that retrying will not fix, such as a damaged row or a value that no column can hold.

Catch them after TRANSIENT_ERRORS, which they include.
"""

MIGRATING, RUNNING = 0x4D6F7475, 0x4D6F7476
"""Advisory locks: one is held during migrations, the other is shared by every connection."""
RELEASE_TRIES, RELEASE_INTERVAL = 10, 0.2
"""How often to check whether a bot has released the database, and the seconds in between."""

# Matches do not depend on these tables, so `motu move` leaves them out. `written` has the tokens of
# recent writes. `reserved` says when a rate limit that processes share is free again, by the
# server's clock; losing it in a crash does no harm, hence UNLOGGED.
SIDE_TABLES = """
    CREATE TABLE IF NOT EXISTS written (
        token BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now()
    );
    CREATE UNLOGGED TABLE IF NOT EXISTS reserved (
        what TEXT PRIMARY KEY, full_at DOUBLE PRECISION NOT NULL
    );
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


class PostgresStore(SharedStore):
    """A Store in a PostgreSQL database, which other processes may write to as well."""

    def __init__(self, url: str, retry_seconds: float, exclusive: bool) -> None:
        super().__init__()
        # Exclusive access is a lock of one connection, which would keep out any further one.
        self._threads = ThreadPoolExecutor(1 if exclusive else CONNECTIONS, "store")
        self._is_closed = False
        self._url = url
        self._place = public_address(url)
        self._retry_seconds = retry_seconds
        self._is_exclusive = exclusive
        self._connections: dict[int, Connection] = {}
        """Each thread's own connection."""

    @classmethod
    async def open(
        cls,
        url: str,
        migrations: Path = POSTGRES_MIGRATIONS,
        retry_seconds: float = RETRY_SECONDS,
        exclusive: bool = False,
    ) -> Self:
        """Open the store at an address, creating or migrating its tables.

        A server that is down or starting is waited for. StoreError says why a database cannot be
        used. With `exclusive`, no bot may be using it, and an unfinished move into it is accepted.
        """
        store = cls(url, retry_seconds, exclusive)

        def on_wait(error: Exception) -> None:
            why = say("database.no_server", place=store._place, why=reason(error))
            log.warning("%s", say("database.waiting", why=why, seconds=round(STARTUP_SECONDS)))

        try:
            with _translate_errors(store._place):
                # The connection stays open, which shows others that a bot runs on the database.
                await store._retry(partial(store._migrate, migrations), STARTUP_SECONDS, on_wait)
        except BaseException:
            await store.close()
            raise
        return store

    def _migrate(self, migrations: Path, connection: Connection) -> None:
        """Bring the database to the newest schema, one process at a time."""
        place = self._place
        connection.execute(f"SELECT pg_advisory_lock({MIGRATING})")
        connection.execute("SET statement_timeout = 0")
        connection.answer_timeout = MIGRATION_TIMEOUT
        for number, script in pending_migrations(connection, place, migrations, self._is_exclusive):
            try:
                connection.execute(script)
            except TRANSIENT_ERRORS:
                raise
            except psycopg.Error as error:
                raise StoreError(
                    "database.not_brought", path=place, version=number, why=reason(error)
                ) from error
        del connection.answer_timeout
        connection.execute("RESET statement_timeout")
        connection.execute(SIDE_TABLES)
        connection.execute(f"SELECT pg_advisory_unlock({MIGRATING})")

    def connect(self) -> Connection:
        """Make a connection that shows, as long as it lasts, that the database is in use.

        Raises StoreError while somebody has it to themselves, or if it is wanted exclusively and a
        bot is using it.
        """
        lock = "pg_try_advisory_lock" if self._is_exclusive else "pg_try_advisory_lock_shared"
        with ExitStack() as undo:
            connection = undo.enter_context(closing(connect(self._url)))
            for _ in range(RELEASE_TRIES):
                if first_value(connection.execute(f"SELECT {lock}({RUNNING})")):
                    undo.pop_all()
                    return connection
                # The server may not have noticed yet that a process has just ended.
                time.sleep(RELEASE_INTERVAL)
        key = "database.in_use" if self._is_exclusive else "database.taken"
        raise StoreError(key, path=self._place)

    async def close(self) -> None:
        await super().close()
        self._is_closed = True
        await asyncio.to_thread(self._threads.shutdown)
        for connection in self._connections.values():
            connection.close()

    async def _read(self, work: Work[T]) -> T:
        def read(connection: Connection) -> T:
            connection.enter_pipeline()
            connection.execute(BEGIN_READ)
            result = work(connection)
            # In pipeline mode this does not wait for the server's answer.
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
            # If the response to a COMMIT was lost, its token shows whether it went through. If the
            # server is still busy with that COMMIT, this INSERT waits for it.
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

        return await self._run(write, in_doubt)

    async def _run(self, work: Callable[[Connection], T], in_doubt: Sequence[T] = ()) -> T:
        """Run work with retries, and turn its errors into StoreErrors."""
        try:
            return await self._retry(work, self._retry_seconds)
        except (TimeoutError, *TRANSIENT_ERRORS) as error:
            log.error("can't use the database: %s", reason(error))
            if in_doubt:
                raise StoreError("database.in_doubt") from error
            if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                raise StoreError("database.read_only") from error
            raise StoreError("database.unreachable") from error
        except PERMANENT_ERRORS as error:
            log.error("database error: %s", reason(error))
            raise StoreError("database.server_fails", why=reason(error)) from error

    async def _in_thread(self, work: Callable[[], T], patience: float | None = None) -> T:
        """Run work in a thread to its end, even if the caller stops waiting for it.

        Raises TimeoutError if no thread is free within `patience` seconds.
        """
        if self._is_closed:
            raise StoreError("database.closed")
        running = self._threads.submit(copy_context().run, work)
        done = awaited_task(asyncio.wrap_future(running))
        try:
            return await asyncio.wait_for(asyncio.shield(done), patience)
        except TimeoutError:
            if running.cancel():
                raise
            return await asyncio.shield(done)

    async def _retry(
        self,
        work: Callable[[Connection], T],
        seconds: float,
        on_wait: Callable[[Exception], None] = lambda error: None,
    ) -> T:
        """Run work in a thread, retrying it for a while if the connection is lost."""
        deadline = time.monotonic() + seconds
        wait = FIRST_RETRY_WAIT
        failure: Exception | None = None
        has_collided = False
        while True:
            # All threads may be busy with a server that does not answer.
            timeout = max(deadline - time.monotonic(), CONNECT_TIMEOUT)
            try:
                return await self._in_thread(partial(self._try, work), timeout)
            except psycopg.errors.UniqueViolation:
                # Another process may have inserted the same row at the same moment. The second try
                # sees it.
                if has_collided:
                    raise
                has_collided = True
            except TRANSIENT_ERRORS as error:
                is_first = failure is None
                # Report the first error that says that the server is read-only: it explains those
                # that follow from it.
                if not isinstance(failure, psycopg.errors.ReadOnlySqlTransaction):
                    failure = error
                if time.monotonic() + wait > deadline:
                    raise failure from None
                if is_first:
                    on_wait(error)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_RETRY_WAIT)

    def _try(self, work: Callable[[Connection], T]) -> T:
        """Run work on this thread's connection, making one if need be."""
        thread = get_ident()
        connection = self._connections.get(thread)
        if connection is not None and connection.is_outdated:
            connection.close()
        if connection is None or connection.closed:
            connection = self._connections[thread] = self.connect()
        try:
            return work(connection)
        except TRANSIENT_ERRORS as error:
            # The server rolls back the open transaction.
            connection.close()
            if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                # A replica may have become the primary. Reads must go there as well, so all
                # connections to this server are replaced.
                for other in list(self._connections.values()):
                    other.is_outdated = True
            raise
        except BaseException:
            connection.rollback()
            raise

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
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
            return max(float(first_value(full)) + cost, ahead + longest + 0.001) - ahead

        return await self._run(take)


async def check_database(url: str) -> tuple[int, int]:
    """Return a database's schema version and the newest one, changing nothing.

    Raises StoreError if it cannot be used.
    """
    place = public_address(url)

    def find_version() -> int:
        with _translate_errors(place), connect(url) as connection:
            if not first_value(connection.execute(IS_WRITABLE)):
                raise StoreError("database.read_only")
            return schema_version(connection, place, POSTGRES_MIGRATIONS)

    return await asyncio.to_thread(find_version), len(steps(POSTGRES_MIGRATIONS))


@contextmanager
def _translate_errors(place: str) -> Iterator[None]:
    """Turn errors of psycopg into StoreErrors."""
    try:
        yield
    except TRANSIENT_ERRORS as error:
        raise StoreError("database.no_server", place=place, why=reason(error)) from error
    except PERMANENT_ERRORS as error:
        raise StoreError("database.unusable_server", place=place, why=reason(error)) from error
