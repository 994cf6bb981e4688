"""The embedded store: SQLite through aiosqlite, one connection, one function in its thread per
transaction.
"""

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
from bot.store.schema import LOCK_TIMEOUT, MIGRATIONS, examine, find_damage, is_large, open_file
from bot.store.sql import Database, SqliteConnection, Statement, first_column
from bot.text import say

log = logging.getLogger("motu.store")

T = TypeVar("T")

UNUSABLE = (sqlite3.Error, msgspec.MsgspecError, OverflowError, ValueError)
"""What SQLite says, and what reading a damaged row or writing what no row can hold does."""

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"

CLOSE_CHECK_INTERVAL = 0.2
"""Seconds between two checks whether to stop looking a file over because it is being closed."""

ABANDONED: list[sqlite3.Connection] = []
"""Connections whose files were taken away.

Kept to the end of the process, for Python would close them.
"""


class Connection(aiosqlite.Connection):
    """aiosqlite's connection, which can also run a function of ours in its thread."""

    def __init__(self, database: SqliteConnection) -> None:
        super().__init__(lambda: database, iter_chunk_size=64)
        self._database = database

    async def run(self, work: Callable[[SqliteConnection], T]) -> T:
        """Return what a function makes of the database."""
        # A transaction is all or nothing, whoever stops waiting for it in its midst, so it must be
        # one call in that thread; it also saves a hop a statement (0.44 ms a commit instead of
        # 0.60). aiosqlite has no public way.
        return cast(T, await self._execute(work, self._database))  # type: ignore[no-untyped-call]

    async def abandon(self) -> None:
        """End the thread and leave the database as it is: to close it would write into files
        that are another's now.
        """
        ABANDONED.append(self._database)
        self._connection = None
        if ended := self.stop():
            await ended


class SqliteStore(Store):
    """A Store in one file.

    Reads and writes queue in one thread, so a read sees every write asked for before it.
    """

    def __init__(self, connection: Connection, watch: FileWatch) -> None:
        super().__init__()
        self._connection = connection
        self._watch = watch
        self._closing: asyncio.Future[None] | None = None
        self._damage_check: asyncio.Task[None] | None = None
        self._is_closing = False

    @classmethod
    async def open(
        cls, path: Path | str, migrations: Path = MIGRATIONS, alone: bool = False
    ) -> "SqliteStore":
        """Open the store in that file, making it if there is none; StoreError says why it cannot be
        used.

        `alone` if it is not for a bot: then it may be one that is being moved here.
        """
        # Opened before aiosqlite's thread begins: should it fail, there is no thread that could
        # outlive the loop.
        connection = Connection(await asyncio.to_thread(open_file, Path(path), migrations, alone))
        await connection
        store = cls(connection, FileWatch(Path(path)))
        if is_large(Path(path)):
            store._damage_check = track_task(
                store._check_for_damage(Path(path)), "check-for-damage"
            )
        return store

    async def close(self) -> None:
        """Finish what is queued, write the log back into the file, and let others open it."""
        self._is_closing = True
        if self._damage_check is not None:
            await self._damage_check
        if self._closing is None:
            end = self._connection.abandon if self.lost.is_set() else self._connection.close
            self._closing = awaited_task(end())
        await self._closing

    async def write_in_copies(
        self, query: Query[P, None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Run a query also in the hourly copies."""
        await asyncio.to_thread(
            write_in_copies, self._watch.path, lambda db: query(db, *args, **kwargs)
        )

    async def scrub(self) -> None:
        """Write all tables anew, one by one, and empty the write-ahead log.

        What is deleted is written over, but not the copies that SQLite may have left beside it when
        it moved rows from one page to another. They go with the pages that are given up here.
        """
        for table in await self._in_thread(lambda db: first_column(db.execute(TABLES))):
            await self._in_thread(partial(self._rewrite, table=table))
        await self._in_thread(self._empty_log)

    def _rewrite(self, db: SqliteConnection, table: str) -> None:
        def rewrite(db: Database) -> None:
            db.execute(Statement(f"CREATE TEMP TABLE anew AS SELECT * FROM main.{table}"))
            db.execute(Statement(f"DELETE FROM main.{table}"))
            db.execute(Statement(f"INSERT INTO main.{table} SELECT * FROM anew"))
            db.execute(Statement("DROP TABLE anew"))

        # All rows are back before anybody looks; to search for those that refer to each would take
        # many times as long.
        db.execute("PRAGMA foreign_keys = OFF")
        try:
            self._transaction(db, rewrite)
        finally:
            db.execute("PRAGMA foreign_keys = ON")

    def _empty_log(self, db: SqliteConnection) -> None:
        self._watch.check(db)
        db.execute("PRAGMA busy_timeout = 0")
        ((busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._watch.log_emptied()
        if busy:
            # Somebody reads the file, such as a backup: it is tried again.
            raise StoreError("database.fails", why=say("database.being_read"))

    async def _check_for_damage(self, path: Path) -> None:
        """Look for damage in a large file while it is in use; if there is any the bot stops, as
        with a small one.
        """
        reader = sqlite3.connect(
            f"{self._watch.path.as_uri()}?mode=ro", uri=True, check_same_thread=False
        )
        checking = awaited_task(asyncio.to_thread(find_damage, reader))
        while not (await asyncio.wait([checking], timeout=CLOSE_CHECK_INTERVAL))[0]:
            if self._is_closing:
                reader.interrupt()
        reader.close()
        try:
            found = checking.result()
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
        deadline = time.monotonic() + LOCK_TIMEOUT

        def run(db: SqliteConnection) -> T:
            # Work queues in one thread: behind others that wait for the file, there is less left to
            # wait for it.
            left = max(deadline - time.monotonic(), 0)
            db.execute(f"PRAGMA busy_timeout = {int(1000 * left)}")
            return work(db)

        try:
            return await self._connection.run(run)
        except FileLost as error:
            self.lost.set()
            log.critical("%s", self.why_lost)
            raise StoreError("database.lost") from error
        except UNUSABLE as error:
            # SQLite's words name a trouble or a column; others might quote what a row holds.
            log.error(
                "the database fails: %s",
                error if isinstance(error, sqlite3.Error) else type(error).__name__,
            )
            raise StoreError("database.fails", why=error) from error

    def _transaction(self, db: SqliteConnection, work: Work[T]) -> T:
        if self.why_lost:
            raise FileLost(Harm.REMOVED)
        try:
            self._watch.check(db)
            db.execute("BEGIN IMMEDIATE")
            result = work(db)
            db.execute("COMMIT")
            self._watch.check_written()
        except BaseException as error:
            # A full disk may have rolled back already.
            if db.in_transaction:
                db.execute("ROLLBACK")
            if isinstance(error, FileLost):
                self.why_lost = self._watch.rescue(db, error.harm)
            raise
        return result


class SqliteReader(Store):
    """A file that is only read, also while a bot writes to it."""

    def __init__(self, database: SqliteConnection) -> None:
        super().__init__()
        self._database = database

    @classmethod
    async def open(cls, path: Path) -> "SqliteReader":
        """Open a file, which must be a sound database of the newest schema."""
        return cls(await asyncio.to_thread(_open_to_read, path))

    async def close(self) -> None:
        """Let the file go."""
        self._database.close()

    async def _read(self, work: Work[T]) -> T:
        try:
            return await asyncio.to_thread(self._read_at_one_moment, work)
        except UNUSABLE as error:
            raise StoreError("database.fails", why=error) from error

    def _read_at_one_moment(self, work: Work[T]) -> T:
        self._database.execute("BEGIN")
        try:
            return work(self._database)
        finally:
            self._database.execute("ROLLBACK")

    async def _write(self, work: Work[T]) -> T:
        raise NotImplementedError


def _open_to_read(path: Path) -> SqliteConnection:
    if not path.is_file():
        raise StoreError("database.none", path=path)
    version, newest = examine(path)
    if version < newest:
        raise StoreError("database.older", path=path, version=version, newest=newest)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, factory=SqliteConnection
    )
