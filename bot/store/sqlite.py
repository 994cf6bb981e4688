"""The embedded store: SQLite through aiosqlite, one connection, one function in its thread per transaction."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import aiosqlite
import msgspec

from bot.runtime.errors import StoreError
from bot.runtime.tasks import awaited_task, track_task
from bot.store.backup import write_in_copies
from bot.store.base import P, Query, Store, Work
from bot.store.file_watch import FileLost, FileWatch, Harm
from bot.store.schema import MIGRATIONS, PATIENCE, damage, examined, is_large, opened
from bot.store.sql import Database, SqliteConnection, Statement, first_column
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

UNUSABLE = (sqlite3.Error, msgspec.MsgspecError, OverflowError, ValueError)
"""What SQLite says, and what reading a damaged row or writing what no row can hold does."""

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"

QUEUED = 0.1
"""Seconds in the queue that make no difference to how long a locked file is waited for."""
LOOKS = 0.2
"""Seconds between two looks whether a file that is looked over is to be closed."""

ABANDONED: list[sqlite3.Connection] = []
"""Connections whose files were taken away. Kept to the end of the process, for Python would close them."""


class Connection(aiosqlite.Connection):
    """aiosqlite's connection, which can also run a function of ours in its thread."""

    def __init__(self, database: SqliteConnection) -> None:
        super().__init__(lambda: database, iter_chunk_size=64)
        self._database = database

    async def run(self, work: Callable[[SqliteConnection], T]) -> T:
        """What the function makes of the database."""
        # A transaction is all or nothing, whoever stops waiting for it in its midst, so it must be one call in that
        # thread; it also saves a hop a statement (0.44 ms a commit instead of 0.60). aiosqlite has no public way.
        return cast(T, await self._execute(work, self._database))  # type: ignore[no-untyped-call]

    async def abandon(self) -> None:
        """End the thread and leave the database as it is: to close it would write into files that are another's now."""
        ABANDONED.append(self._database)
        self._connection = None
        if ended := self.stop():
            await ended


class SqliteStore(Store):
    """A Store in one file. Reads and writes queue in one thread, so a read sees every write asked for before it."""

    def __init__(self, connection: Connection, watch: FileWatch) -> None:
        super().__init__()
        self._connection = connection
        self._watch = watch
        self._closing: asyncio.Future[None] | None = None
        self._looking_over: asyncio.Task[None] | None = None
        self._is_closing = False

    @classmethod
    async def open(cls, path: Path | str, migrations: Path = MIGRATIONS, alone: bool = False) -> "SqliteStore":
        """The store in that file, made if there is none; StoreError with the reason if it cannot be used.

        `alone` if it is not for a bot: then it may be one that is being moved here.
        """
        # Opened before aiosqlite's thread begins: should it fail, there is no thread that could outlive the loop.
        connection = Connection(await asyncio.to_thread(opened, Path(path), migrations, alone))
        await connection
        store = cls(connection, FileWatch(Path(path)))
        if is_large(Path(path)):
            store._looking_over = track_task(store._look_over(Path(path)), "look-over")
        return store

    async def close(self) -> None:
        """What is queued is finished, the file is whole without its log, and others may open it."""
        self._is_closing = True
        if self._looking_over is not None:
            await self._looking_over
        if self._closing is None:
            end = self._connection.abandon if self.lost.is_set() else self._connection.close
            self._closing = awaited_task(end())
        await self._closing

    async def write_in_copies(self, query: Query[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run a query also in the hourly copies."""
        await asyncio.to_thread(write_in_copies, self._watch.path, lambda db: query(db, *args, **kwargs))

    async def scrub(self) -> None:
        """All tables written anew, one by one, and the write-ahead log emptied.

        What is deleted is written over, but not the copies that SQLite may have left beside it when it moved rows from
        one page to another. They go with the pages that are given up here.
        """
        for table in await self._in_thread(lambda db: first_column(db.execute(TABLES))):
            await self._in_thread(partial(self._rewrite, table=table))
        await self._in_thread(self._empty_log)

    def _rewrite(self, db: SqliteConnection, table: str) -> None:
        # All rows are back before anybody looks; to search for those that refer to each would take many times as long.
        db.execute("PRAGMA foreign_keys = OFF")
        try:
            self._transaction(db, lambda db: _rewritten(db, table))
        finally:
            db.execute("PRAGMA foreign_keys = ON")

    def _empty_log(self, db: SqliteConnection) -> None:
        self._watch.check(db)
        db.execute("PRAGMA busy_timeout = 0")
        ((busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        self._watch.log_emptied()
        if busy:
            # Somebody reads the file, such as a backup: it is tried again.
            raise StoreError("database.fails", why=say("database.being_read"))

    async def _look_over(self, path: Path) -> None:
        """Look for damage in a large file while it is in use; if there is any the bot stops, as with a small one."""
        reader = sqlite3.connect(f"{self._watch.path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        looking = awaited_task(asyncio.to_thread(damage, reader))
        while not (await asyncio.wait([looking], timeout=LOOKS))[0]:
            if self._is_closing:
                reader.interrupt()
        reader.close()
        try:
            found = looking.result()
        except sqlite3.Error as error:
            found = str(error) if "malformed" in str(error) else ""
        if found and not self.lost.is_set():
            self.why_lost = say("database.damaged", path=path, why=found)
            log.critical("%s", self.why_lost)
            self.lost.set()

    async def _write(self, work: Work[T]) -> T:
        return await self._in_thread(lambda db: self._transaction(db, work))

    async def _read(self, work: Work[T]) -> T:
        return await self._in_thread(work)

    async def _in_thread(self, work: Callable[[SqliteConnection], T]) -> T:
        if self.lost.is_set():
            raise StoreError("database.lost")
        if self._closing is not None:
            raise StoreError("database.closed")
        asked = time.monotonic()

        def in_time(db: SqliteConnection) -> T:
            # Work queues in one thread: behind others that wait for the file, there is less left to wait for it.
            waited = time.monotonic() - asked
            if waited < QUEUED:
                return work(db)
            db.execute(f"PRAGMA busy_timeout = {int(1000 * max(PATIENCE - waited, 0))}")
            try:
                return work(db)
            finally:
                db.execute(f"PRAGMA busy_timeout = {int(1000 * PATIENCE)}")

        try:
            return await self._connection.run(in_time)
        except FileLost as error:
            self.lost.set()
            log.critical("%s", self.why_lost)
            raise StoreError("database.lost") from error
        except UNUSABLE as error:
            # SQLite's words name a trouble or a column; others might quote what a row holds.
            log.error("the database fails: %s", error if isinstance(error, sqlite3.Error) else type(error).__name__)
            raise StoreError("database.fails", why=error) from error

    def _transaction(self, db: SqliteConnection, work: Work[T]) -> T:
        if self.why_lost:
            raise FileLost(Harm.REMOVED)
        try:
            self._watch.check(db)
            result = _transaction(db, work)
            self._watch.check_written()
        except FileLost as lost:
            self.why_lost = self._watch.rescue(db, lost.harm)
            raise
        return result


def _rewritten(db: Database, table: str) -> None:
    db.execute(Statement(f"CREATE TEMP TABLE anew AS SELECT * FROM main.{table}"))
    db.execute(Statement(f"DELETE FROM main.{table}"))
    db.execute(Statement(f"INSERT INTO main.{table} SELECT * FROM anew"))
    db.execute(Statement("DROP TABLE anew"))


def _transaction(db: SqliteConnection, work: Work[T]) -> T:
    db.execute("BEGIN IMMEDIATE")
    try:
        result = work(db)
        db.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled back already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return result


class SqliteReader(Store):
    """A file that is only read, also while a bot writes to it."""

    def __init__(self, database: SqliteConnection) -> None:
        super().__init__()
        self._database = database

    @classmethod
    async def open(cls, path: Path) -> "SqliteReader":
        """The file, which must be a sound database of the newest schema."""
        return cls(await asyncio.to_thread(_to_read, path))

    async def close(self) -> None:
        """The file is let go."""
        self._database.close()

    async def _read(self, work: Work[T]) -> T:
        try:
            return await asyncio.to_thread(_at_one_moment, self._database, work)
        except UNUSABLE as error:
            raise StoreError("database.fails", why=error) from error

    async def _write(self, work: Work[T]) -> T:
        raise NotImplementedError


def _to_read(path: Path) -> SqliteConnection:
    if not path.is_file():
        raise StoreError("database.none", path=path)
    version, newest = examined(path)
    if version < newest:
        raise StoreError("database.older", path=path, version=version, newest=newest)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, factory=SqliteConnection)


def _at_one_moment(db: SqliteConnection, work: Work[T]) -> T:
    db.execute("BEGIN")
    try:
        return work(db)
    finally:
        db.execute("ROLLBACK")
