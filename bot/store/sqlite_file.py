"""A database file: opened by one bot at a time, checked, migrated, copied, and watched.

Whatever is wrong with it when it is opened is raised as a StoreError in words for the operator.
"""

import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from time import gmtime, strftime
from typing import Any

from bot.runtime.base import StoreError
from bot.store.schema import MIGRATIONS, TABLES, pending_migrations, schema_version, steps
from bot.store.sql import Statement, first_column
from bot.text import say

log = logging.getLogger("motu.store")

LOCK_TIMEOUT = 5.0
"""Seconds to wait for a reader that happens to hold the file, such as a backup."""
CHECKED_AT_ONCE = 4 * 2**20
"""Bytes of a file that is looked over for damage before it is used: a moment.

Larger ones are looked over later.
"""
PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    # What is deleted is written over: somebody who wants to be forgotten must not be found in the
    # bytes of the file.
    "secure_delete = ON",
    "temp_store = MEMORY",
)
LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The first bytes of every write-ahead log."""

sqlite3.register_converter("BOOLEAN", lambda kept: kept == b"1")


class SqliteConnection(sqlite3.Connection):
    """A connection of sqlite3 that also runs Statements."""

    lock: sqlite3.Connection | None = None
    """Keeps other bots away from the file until the connection is closed."""

    def execute(self, statement: Statement | str, values: Any = (), /) -> sqlite3.Cursor:
        """Run one statement, or SQL of SQLite's own."""
        return super().execute(
            statement if isinstance(statement, str) else statement.sqlite, values
        )

    def executemany(self, statement: Statement, values: Iterable[Any], /) -> sqlite3.Cursor:  # type: ignore[override]
        """Run a statement once for each of these values."""
        return super().executemany(statement.sqlite, values)

    def close(self) -> None:
        """Write the log back into the file, then let the file go."""
        try:
            super().close()
        finally:
            if self.lock is not None:
                self.lock.close()


def connect(path: Path, mode: str = "rwc", timeout: float = LOCK_TIMEOUT) -> SqliteConnection:
    """Connect to a file: `ro` to read alone, `rw` if it is there, `rwc` to make it if it is not."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        detect_types=sqlite3.PARSE_DECLTYPES,
        factory=SqliteConnection,
        check_same_thread=False,
    )


def open_file(path: Path, migrations: Path = MIGRATIONS, alone: bool = False) -> SqliteConnection:
    """Open a sound database, making it if there is none, and bring it to the newest schema."""
    path = path.resolve()
    if not path.parent.is_dir():
        raise StoreError("database.no_folder", path=path, folder=path.parent)
    with _explaining(path), ExitStack() as undo:
        lock = undo.enter_context(closing(_lock(path)))
        # Seeds, drafts and hidden cards are in it: nobody else on this machine may read them.
        _make_private(path)
        for end in ("-wal", "-shm"):
            with suppress(OSError):
                path.with_name(path.name + end).chmod(0o600)
        connection = undo.enter_context(closing(connect(path)))
        connection.lock = lock
        if not is_large(path):
            _check_whole(connection, path)
        # Before anything is changed: what is refused is left alone.
        pending = list(pending_migrations(connection, path, migrations, alone))
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        if pending and pending[0][0] > 1:
            # The way back to the Motu before.
            copy_into(connection, path.with_name(f"{path.name}.schema-{pending[0][0] - 1}"))
        for number, script in pending:
            try:
                connection.executescript(script)
            except sqlite3.Error as error:
                raise StoreError(
                    "database.not_brought", path=path, version=number, why=error
                ) from error
        # A file that may only be read opens without a word: find out now, not at the first move.
        connection.execute("UPDATE schema_version SET version = version")
        undo.pop_all()
    return connection


def examine(path: Path) -> tuple[int, int]:
    """Return the schema of a sound database and the newest one; nothing of it is changed."""
    if not path.is_file():
        raise StoreError("database.none", path=path)
    with _explaining(path), closing(connect(path, "ro")) as connection:
        _check_whole(connection, path)
        return schema_version(connection, path, MIGRATIONS), len(steps())


def is_in_use(path: Path) -> bool:
    """Return whether a bot has a database open."""
    try:
        if _lock_path(path).exists():
            _lock(path).close()
    except StoreError:
        return True
    return False


def is_large(path: Path) -> bool:
    """Return whether a file is checked for damage only once it is in use."""
    return path.stat().st_size > CHECKED_AT_ONCE


def find_damage(connection: sqlite3.Connection) -> str:
    """Return what is damaged in a database, '' if nothing is.

    It is read table by table, so that none is held for long.
    """
    for table in first_column(connection.execute(TABLES.sqlite)):
        ((found,),) = connection.execute(f"PRAGMA quick_check('{table}')").fetchmany(1)
        if found != "ok":
            return str(found)
    return ""


def copy_into(connection: sqlite3.Connection, target: Path) -> None:
    """Copy all that a connection sees into a new file that its owner alone can read."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        connection.execute("VACUUM INTO ?", (str(part),))
        # Open for writing as well, which nothing does: Windows only syncs a file that could have
        # been written to.
        with part.open("r+b") as made:
            os.fsync(made.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def make_private_folder(folder: Path) -> None:
    """Make a folder and those above it, for their owner alone."""
    if not folder.exists():
        make_private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _make_private(path: Path) -> None:
    """Make a file that its owner alone can read; if that cannot be, opening it says why."""
    with suppress(OSError):
        path.touch(mode=0o600)
        path.chmod(0o600)


def _check_whole(connection: sqlite3.Connection, path: Path) -> None:
    if damage := find_damage(connection):
        raise StoreError("database.damaged", path=path, why=damage)


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + "-lock")


def _lock(path: Path) -> sqlite3.Connection:
    # A lock of SQLite's own, in a file beside: it works on every system, ends with its process
    # however that ends, and leaves the database itself open to readers.
    beside = _lock_path(path.resolve())
    _make_private(beside)
    with _explaining(path):
        lock = connect(beside, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" in str(error):
                raise StoreError("database.in_use", path=path) from error
            raise
    return lock


@contextmanager
def _explaining(path: Path) -> Iterator[None]:
    """Turn an error of SQLite's into words."""
    try:
        yield
    except sqlite3.Error as error:
        kind = "damaged" if "malformed" in str(error) else "unusable"
        raise StoreError(f"database.{kind}", path=path, why=error) from error


# Watching the file under a running bot, in case it is removed, replaced or cut short.
#
# SQLite holds its files open and goes on writing into them, also when they have no name any more:
# all that is acknowledged from then on would be gone with the process. So with every write it is
# made sure that the files are still the same. What was removed or replaced can still be read, and
# is put where it is found at the next start.


class FileLost(Exception):
    """The files are not those that were opened.

    Its one argument is what was done to them: `removed`, `replaced` if another file has the name,
    `log_removed` if the write-ahead log has lost its name, `overwritten` if one of them was cut
    short or written over.
    """


class FileWatch:
    """What is known of an open database's file and of the write-ahead log beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log_path = self.path.with_name(self.path.name + "-wal")
        self._file = self.path.stat()
        self._log = _stat(self._log_path)

    def check(self, database: sqlite3.Connection) -> None:
        """Before a write: raise FileLost unless the files are those that were written last."""
        file, log = self._check_names()
        if file.st_size < self._file.st_size:
            raise FileLost("overwritten")
        if file.st_mtime_ns != self._file.st_mtime_ns:
            # Something else wrote to it: SQLite, tidying up for a reader, or a file was copied
            # over it.
            database.execute("PRAGMA shrink_memory")
            if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise FileLost("overwritten")
            self._file, self._log = file, log

    def check_written(self) -> None:
        """After a commit: raise FileLost unless it is in the files of these names."""
        self._file, self._log = self._check_names()
        if self._log is not None:
            with self._log_path.open("rb") as log_file:
                begins = log_file.read(4)
            # A log that was emptied begins with a hole, and none of it would be read after a crash.
            if begins and begins not in LOG_BEGINS:
                raise FileLost("overwritten")

    def _check_names(self) -> tuple[os.stat_result, os.stat_result | None]:
        """Return the files as they are now; raise FileLost if others have their names."""
        file, log = _stat(self.path), _stat(self._log_path)
        if file is None:
            raise FileLost("removed")
        if not os.path.samestat(file, self._file):
            raise FileLost("replaced")
        if self._log is not None and not _is_same(log, self._log):
            raise FileLost("log_removed")
        return file, log

    def rescue(self, database: sqlite3.Connection, harm: str) -> str:
        """Put what the open connection still reads where it is not lost; return that in words."""
        stamp = strftime("%Y%m%d-%H%M%S", gmtime())
        copy = self.path.with_name(f"{self.path.name}.rescued-{stamp}")
        try:
            if harm != "overwritten":
                make_private_folder(self.path.parent)
                copy_into(database, copy)
                if _is_same(_stat(self._log_path), self._log):
                    # A new file must not be read together with the old one's log.
                    for end in ("-wal", "-shm"):
                        self.path.with_name(self.path.name + end).unlink(missing_ok=True)
                if harm != "replaced":
                    copy.replace(self.path)
        except (sqlite3.Error, OSError) as error:
            log.error("what was in the database could not be rescued: %s", error)
            harm = "overwritten"
        return say(f"database.{harm}", path=self.path, copy=copy)


def _stat(path: Path) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return path.stat()
    return None


def _is_same(file: os.stat_result | None, other: os.stat_result | None) -> bool:
    return file is not None and other is not None and os.path.samestat(file, other)
