"""The store in PostgreSQL, through asyncpg: the same queries, each function run whole on a connection of a pool.

Connections are lost, servers are restarted, and another takes over: what had not been done by then is done again, for a
while. Every write puts a token of its own into the table `written`: a commit whose answer was lost is known by it.
"""

import asyncio
import contextvars
import logging
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakSet

import asyncpg
import msgspec
from greenlet import getcurrent, greenlet

from bot.model.shards import NONE, Shards
from bot.model.stored import ABSENCE, CALLS_WANTED
from bot.runtime.errors import BotError, StoreError
from bot.runtime.tasks import awaited_task
from bot.store import postgres_schema, shard_locks
from bot.store.base import VERSION, Store, Work
from bot.store.postgres_sql import translated, written_out
from bot.store.postgres_trouble import RETRYABLE, TROUBLE, closed_as_trouble, reason
from bot.store.postgres_url import shown
from bot.store.schema import MIGRATIONS, steps
from bot.store.shard_locks import ShardLocks
from bot.store.sql import Rows, Statement
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

CONNECTIONS = 8
"""The most that a process holds at a time."""
PATIENCE = 5.0
"""Seconds for which something is tried again before whoever asked for it is told."""
FIRST_WAIT, LONGEST_WAIT = 0.05, 0.5
"""Seconds between two tries: ever longer ones."""
STARTING = 60.0
"""Seconds for which a start waits for a server that is down or starting, as after a crash or in a new container."""
STATEMENT, ANSWER = 4.0, 4.5
"""Seconds that a statement may take: until the server gives it up, and until the bot gives the server up. Both are less
than PATIENCE, so that people are told in time about a server that accepts connections and never answers."""
IDLE = 15
"""Seconds after which the server ends a transaction in which nobody says anything."""
ONE_CHANGED = "WITH changed AS ({statement} RETURNING 1) SELECT 1 / count(*) FROM changed"
"""A statement that fails where it changes nothing."""
FORGET = 256
"""Of so many writes one tidies up the tokens."""

UNUSABLE = (asyncpg.PostgresError, asyncpg.InterfaceError, msgspec.MsgspecError, OverflowError, ValueError)


class Found:
    """The rows that a query has found."""

    rowcount = -1

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self._rows

    def fetchone(self) -> Any:
        """The first row."""
        return self._rows[0] if self._rows else None


class Session:
    """A connection as the queries see it. They are plain functions: while one waits for the server, others run.

    Statements that find nothing wait for the next that does, or for the commit, and go to the server together: a move
    takes one question instead of fifteen. So they are sent with their values written out.
    """

    def __init__(self, connection: Any, *first: str) -> None:
        self._connection = connection
        self._waiting = list(first)
        self._promised: Exception | None = None
        """What is wrong if a statement has not changed the row that it must."""

    def execute(self, sql: Statement | str, values: Any = (), /) -> Rows:
        """One statement."""
        statement, names = translated(sql)
        given = _given(values, names)
        if statement.lstrip().startswith("SELECT"):
            return Found(_waited_for(self._fetch(statement, given)))
        self._waiting.append(written_out(statement, given))
        return Changed(self, len(self._waiting))

    def executemany(self, sql: Statement | str, values: Iterable[Any], /) -> None:
        """One statement for each of these values."""
        for each in values:
            self.execute(sql, each)

    def changed_by(self, number: int) -> int:
        """How many rows the last statement has changed, which is the one of that number."""
        if number != len(self._waiting):
            raise RuntimeError("too late to ask what a statement has changed")
        status = _waited_for(self.send())
        return int(status.rpartition(" ")[2])

    def must_change_one(self, number: int, otherwise: Exception) -> None:
        """Have the server go no further if a statement that waits changes no row: nothing has to be asked for it."""
        if number > len(self._waiting) or self._promised is not None:
            raise RuntimeError("too late to ask what a statement changes")
        self._waiting[number - 1] = ONE_CHANGED.replace("{statement}", self._waiting[number - 1])
        self._promised = otherwise

    async def send(self, *more: str) -> str:
        """Send what waits, and more; what the server says of the last."""
        script = ";".join([*self._waiting, *more])
        self._waiting.clear()
        try:
            return str(await self._connection.execute(script))
        except asyncpg.DivisionByZeroError:
            if self._promised is None:
                raise
            raise self._promised from None

    async def _fetch(self, sql: str, values: list[Any]) -> list[Any]:
        if self._waiting:
            await self.send()
        return list(await self._connection.fetch(sql, *values))


class Changed(Found):
    """A statement that has found nothing, and may not even have been sent."""

    def __init__(self, session: Session, number: int) -> None:
        super().__init__([])
        self._session = session
        self._number = number

    @property
    def rowcount(self) -> int:  # type: ignore[override]
        """How many rows it has changed."""
        return self._session.changed_by(self._number)

    def promise_one(self, otherwise: Exception) -> None:
        """It changes one row, or that is raised when the server says so."""
        self._session.must_change_one(self._number, otherwise)


def _given(values: Any, names: tuple[str, ...]) -> list[Any]:
    given = [values[name] for name in names] if isinstance(values, Mapping) else values
    return [int(value) if isinstance(value, bool) else value for value in given]


def _waited_for(awaitable: Awaitable[T]) -> T:
    """What comes of it, as a plain function gets it: run() awaits it meanwhile."""
    return cast(T, getcurrent().parent.switch(awaitable))


async def run(work: Work[T], session: Session) -> T:
    """What a plain function makes of a session."""
    worker = greenlet(work)
    worker.gr_context = contextvars.copy_context()
    asked = worker.switch(session)
    while not worker.dead:
        try:
            answer = await asked
        except BaseException as error:
            asked = worker.throw(error)
        else:
            asked = worker.switch(answer)
    return cast(T, asked)


class PostgresStore(Store):
    """A Store in a PostgreSQL database, which other processes may write to as well."""

    is_shared = True

    def __init__(self, pool: Any, patience: float) -> None:
        super().__init__()
        self._pool = pool
        self._patience = patience
        self._tasks: set[asyncio.Future[Any]] = set()
        self._closed = False
        self._open_connections: WeakSet[Any] = WeakSet()
        self._keeper: Any = None
        """The connection that keeps bots away."""
        self._locks: ShardLocks | None = None
        self._connect: Callable[..., Awaitable[Any]]
        """Makes a connection beside those of the pool."""

    @classmethod
    async def open(
        cls, url: str, migrations: Path = MIGRATIONS, patience: float = PATIENCE, alone: bool = False
    ) -> "PostgresStore":
        """Open the store at that address, making or migrating its tables; StoreError says why it cannot be used.

        A server that is down or starting is waited for. With `alone`, no bot may run on the database meanwhile, and it
        may be one that is being moved here.
        """
        end = time.monotonic() + STARTING
        is_waiting = False
        while True:
            try:
                return await cls._open(url, migrations, patience, alone)
            except TROUBLE as error:
                why = say("database.no_server", place=shown(url), why=reason(error))
                if time.monotonic() > end:
                    raise StoreError(why) from error
                if not is_waiting:
                    log.warning("%s", say("database.waiting", why=why, seconds=round(STARTING)))
                    is_waiting = True
            except UNUSABLE as error:
                raise StoreError("database.unusable_server", place=shown(url), why=reason(error)) from error
            await asyncio.sleep(LONGEST_WAIT)

    @classmethod
    async def _open(cls, url: str, migrations: Path, patience: float, alone: bool) -> "PostgresStore":
        opened: WeakSet[Any] = WeakSet()

        async def init(connection: Any) -> None:
            opened.add(connection)
            if not alone:
                await postgres_schema.hold(connection)

        pool = await _connected(url, init)
        store = cls(pool, patience)
        store._open_connections = opened

        async def connect(**settings: str) -> Any:
            connection = await asyncpg.connect(url, **_options(settings))
            await init(connection)
            return connection

        store._connect = connect
        try:
            async with pool.acquire() as connection:
                with closed_as_trouble(connection):
                    await postgres_schema.bring_up(connection, shown(url), migrations, alone)
            if alone:
                store._keeper = await pool.acquire()
                with closed_as_trouble(store._keeper):
                    await postgres_schema.hold_alone(store._keeper, shown(url))
        except BaseException:
            pool.terminate()
            raise
        return store

    async def version(self, match: str) -> int | None:
        """How often a match was written; one statement, which needs no transaction around it."""
        sql, _ = translated(VERSION)

        async def read(connection: Any) -> int | None:
            return cast("int | None", await connection.fetchval(sql, match))

        return await self._shielded(self._tried(read))

    async def claim(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Own these shards, once no other process does."""
        self._owns(NONE)
        if self._locks is not None:
            await self._locks.close()
        self._locks = ShardLocks(lambda: self._connect(**shard_locks.SETTINGS), self._owns, self._hear)
        await self._locks.hold(shards, waits)

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """Seconds to wait for something that all processes share, by the server's clock."""

        async def take(connection: Any) -> float:
            full_in = await connection.fetchval(postgres_schema.RESERVE, what, cost, ahead + longest)
            if full_in is None:
                # It takes too long; or no more, since it was asked.
                full_in = max(await connection.fetchval(postgres_schema.FULL_IN, what) + cost, ahead + longest + 0.001)
            return float(full_in) - ahead

        return cast(float, await self._shielded(self._tried(take)))

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

    async def close(self) -> None:
        """What is in hand is finished, and the connections are given back."""
        self._closed = True
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._locks is not None:
            await self._locks.close()
        try:
            async with asyncio.timeout(PATIENCE):
                if self._keeper is not None:
                    await self._pool.release(self._keeper)
                await self._pool.close()
        except (*TROUBLE, asyncpg.InterfaceError):
            self._pool.terminate()

    async def _read(self, work: Work[T]) -> T:
        async def read(connection: Any) -> T:
            # All that one function reads is of one moment.
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                return await run(work, Session(connection))
            finally:
                await _ended(connection)

        return await self._shielded(self._tried(read))

    async def _write(self, work: Work[T]) -> T:
        return await self._shielded(self._written(work))

    async def _shielded(self, doing: Coroutine[Any, Any, T]) -> T:
        """Done whole, whoever stops waiting for it in its midst."""
        if self._closed:
            doing.close()
            raise StoreError("database.closed")
        task = awaited_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _written(self, work: Work[T]) -> T:
        token = secrets.randbits(63)
        maybe: list[T] = []
        """What came of it, once it may have been committed."""

        async def write(connection: Any) -> T:
            begin = ("BEGIN", f"INSERT INTO written (token) VALUES ({token}) ON CONFLICT DO NOTHING")
            session = Session(connection, *begin)
            try:
                if maybe:
                    # Waits, should the server still be busy with the commit whose answer was lost.
                    if await session.send() == "INSERT 0 0":
                        await _ended(connection)
                        return maybe[0]
                    maybe.clear()
                result = await run(work, session)
                if not token % FORGET:
                    await session.send("DELETE FROM written WHERE at < now() - interval '2 minutes'")
            except BaseException:
                await _ended(connection)
                raise
            maybe[:] = [result]
            try:
                await session.send("COMMIT")
            except asyncpg.PostgresError as error:
                if not isinstance(error, TROUBLE):
                    maybe.clear()
                    await _ended(connection)
                raise
            except BotError:
                maybe.clear()
                await _ended(connection)
                raise
            return result

        try:
            return cast(T, await self._tried(write))
        except StoreError:
            if maybe:
                raise StoreError("database.in_doubt") from None
            raise

    async def _tried(self, act: Any) -> Any:
        """Done with a connection, and again for a while if that was lost."""
        loop = asyncio.get_running_loop()
        end, wait, met, is_read_only = loop.time() + self._patience, FIRST_WAIT, False, False
        while True:
            try:
                # No longer than what is left: to connect to a server that says nothing would take its own time.
                async with self._pool.acquire(timeout=max(LONGEST_WAIT, end - loop.time())) as connection:
                    try:
                        with closed_as_trouble(connection):
                            return await act(connection)
                    except TROUBLE:
                        _let_go(connection)
                        raise
            except BotError:
                raise
            except asyncpg.UniqueViolationError as error:
                # Another process may have written the same row at the same moment: now it is seen.
                if met:
                    raise StoreError("database.server_fails", why=reason(error)) from error
                met = True
            except RETRYABLE as error:
                if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
                    # Another server may have become the one to write to: nothing more is read from this one either.
                    for open_one in list(self._open_connections):
                        open_one.terminate()
                    is_read_only = True
                if loop.time() + wait > end:
                    log.error("the database cannot be used: %s", reason(error))
                    raise StoreError("database.read_only" if is_read_only else "database.unreachable") from error
            except UNUSABLE as error:
                log.error("the database fails: %s", reason(error))
                raise StoreError("database.server_fails", why=reason(error)) from error
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)


async def _ended(connection: Any) -> None:
    """Nothing of a transaction is kept; one that was lost is ended by the server."""
    if isinstance(sys.exception(), TROUBLE):
        # It would not answer this either, and somebody waits to be told.
        _let_go(connection)
        return
    with suppress(*TROUBLE, asyncpg.InterfaceError):
        await connection.execute("ROLLBACK")


def _let_go(connection: Any) -> None:
    """Use a connection no more, whatever there still is of it."""
    with suppress(asyncpg.InterfaceError):
        connection.terminate()


async def _connected(url: str, init: Callable[[Any], Awaitable[None]]) -> Any:
    """Return a pool with a first connection; StoreError says what is wrong with the address, without the password."""
    place = shown(url)
    try:
        return await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=CONNECTIONS,
            init=init,
            # What is left of a transaction is rolled back where it ends: this would be a question more.
            reset=_nothing,
            **_options({}),
        )
    except TROUBLE:
        raise
    except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidPasswordError) as error:
        raise StoreError("database.refused", place=place) from error
    except asyncpg.InvalidCatalogNameError as error:
        raise StoreError("database.no_such", place=place) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        why = reason(error) if isinstance(error, asyncpg.PostgresError) else type(error).__name__
        raise StoreError("database.unusable_server", place=place, why=why) from error


def _options(settings: Mapping[str, str]) -> dict[str, Any]:
    """What every connection is made with."""
    usual = {
        "application_name": "motu",
        # Values that are written out are quoted by this rule.
        "standard_conforming_strings": "on",
        "statement_timeout": f"{STATEMENT * 1000:.0f}ms",
        "idle_in_transaction_session_timeout": f"{IDLE}s",
    }
    return {"timeout": ANSWER, "command_timeout": ANSWER, "server_settings": {**usual, **settings}}


async def examined(url: str, migrations: Path = MIGRATIONS) -> tuple[int, int]:
    """Return the schema of a database and the newest one, if it can be used; nothing of it is changed."""
    place = shown(url)
    try:
        pool = await _connected(url, _nothing)
    except TROUBLE as error:
        raise StoreError("database.no_server", place=place, why=reason(error)) from error
    try:
        async with pool.acquire() as connection:
            version, newest = await postgres_schema.schema_version(connection, place), len(steps(migrations))
            if version > newest:
                raise StoreError("database.newer", path=place, version=version, known=newest)
            if await connection.fetchval("SELECT current_setting('transaction_read_only')") == "on":
                raise StoreError("database.read_only")
            return version, newest
    except (asyncpg.PostgresError, asyncpg.InterfaceError, *TROUBLE) as error:
        raise StoreError("database.unusable_server", place=place, why=reason(error)) from error
    finally:
        await pool.close()


async def _nothing(connection: Any) -> None:
    pass
