"""SQLite database files: opening for one bot at a time, checking, migrating, copying, watching.

Anything wrong with a file that is opened raises a StoreError in words for the operator.
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
"""Size in bytes up to which a file is checked for damage before it is used, which takes a moment.

Larger files are checked while they are in use.
"""
PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    # Deleted rows are overwritten: somebody who asks for deletion must not be left in the bytes of
    # the file.
    "secure_delete = ON",
    "temp_store = MEMORY",
)
WAL_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The first bytes of every write-ahead log, by SQLite's file format."""

LOCK_SUFFIX = "-lock"

sqlite3.register_converter("BOOLEAN", lambda kept: kept == b"1")


class SqliteConnection(sqlite3.Connection):
    """A connection of sqlite3 that also runs Statements."""

    lock: sqlite3.Connection | None = None
    """Keeps other bots away from the file until the connection is closed."""

    def execute(self, statement: Statement | str, values: Any = (), /) -> sqlite3.Cursor:
        """Run a Statement, or SQL that only SQLite understands."""
        sql = statement if isinstance(statement, str) else statement.sqlite
        return super().execute(sql, values)

    def executemany(self, statement: Statement, values: Iterable[Any], /) -> sqlite3.Cursor:  # type: ignore[override]
        """Run a statement once for each of these values."""
        return super().executemany(statement.sqlite, values)

    def close(self) -> None:
        """Write the log back into the file, then let other bots open it."""
        try:
            super().close()
        finally:
            if self.lock is not None:
                self.lock.close()


def connect(path: Path, mode: str = "rwc", timeout: float = LOCK_TIMEOUT) -> SqliteConnection:
    """Connect to a file; `ro` only reads, `rw` needs the file to exist, `rwc` may create it."""
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
    """Open a database, creating it if there is none, and migrate it to the newest schema."""
    path = path.resolve()
    if not path.parent.is_dir():
        raise StoreError("database.no_folder", path=path, folder=path.parent)
    with _translate_errors(path), ExitStack() as undo:
        lock = undo.enter_context(closing(_lock(path)))
        # It contains seeds, drafts and hidden cards: nobody else on this machine may read them.
        _make_private(path)
        for end in ("-wal", "-shm"):
            with suppress(OSError):
                path.with_name(path.name + end).chmod(0o600)
        connection = undo.enter_context(closing(connect(path)))
        connection.lock = lock
        if not is_large(path):
            _refuse_damage(connection, path)
        # Check this before changing anything: a database that is refused must stay as it is.
        pending = list(pending_migrations(connection, path, migrations, alone))
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        if pending and pending[0][0] > 1:
            # With this copy an operator can go back to the version of Motu before.
            copy_into(connection, path.with_name(f"{path.name}.schema-{pending[0][0] - 1}"))
        for number, script in pending:
            try:
                connection.executescript(script)
            except sqlite3.Error as error:
                raise StoreError(
                    "database.not_brought", path=path, version=number, why=error
                ) from error
        # SQLite opens a file without write permission without complaint. Better to fail now than at
        # the first move.
        connection.execute("UPDATE schema_version SET version = version")
        undo.pop_all()
    return connection


def examine(path: Path) -> tuple[int, int]:
    """Return the schema version of a database and the newest one, without changing anything."""
    if not path.is_file():
        raise StoreError("database.none", path=path)
    with _translate_errors(path), closing(connect(path, "ro")) as connection:
        _refuse_damage(connection, path)
        return schema_version(connection, path, MIGRATIONS), len(steps())


def is_in_use(path: Path) -> bool:
    """Return whether a bot has a database open."""
    if not path.with_name(path.name + LOCK_SUFFIX).exists():
        return False
    try:
        _lock(path).close()
    except StoreError:
        return True
    return False


def is_large(path: Path) -> bool:
    """Return whether a file is so large that it is checked for damage while it is in use."""
    return path.stat().st_size > CHECKED_AT_ONCE


def find_damage(connection: sqlite3.Connection) -> str:
    """Return a description of the damage in a database, '' if there is none."""
    # Check table by table, so that no read transaction lasts long: it would keep the log growing.
    for table in first_column(connection.execute(TABLES.sqlite)):
        ((found,),) = connection.execute(f"PRAGMA quick_check('{table}')").fetchmany(1)
        if found != "ok":
            return str(found)
    return ""


def copy_into(connection: sqlite3.Connection, target: Path) -> None:
    """Copy the database of a connection into a new file that only its owner can read."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        connection.execute("VACUUM INTO ?", (str(part),))
        # Open it for writing although nothing is written: Windows does not sync other files.
        with part.open("r+b") as made:
            os.fsync(made.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def make_private_folder(folder: Path) -> None:
    """Create a folder and its parents, readable only by their owner."""
    if not folder.exists():
        make_private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _make_private(path: Path) -> None:
    """Make a file readable only by its owner, creating it if need be."""
    # If this fails, opening the file says why.
    with suppress(OSError):
        path.touch(mode=0o600)
        path.chmod(0o600)


def _refuse_damage(connection: sqlite3.Connection, path: Path) -> None:
    if damage := find_damage(connection):
        raise StoreError("database.damaged", path=path, why=damage)


def _lock(path: Path) -> sqlite3.Connection:
    """Lock a database for this bot until the returned connection is closed."""
    # A transaction of SQLite in a file next to it works as a lock on every system, ends with its
    # process however that ends, and leaves the database itself open to readers.
    path = path.resolve()
    lock_path = path.with_name(path.name + LOCK_SUFFIX)
    _make_private(lock_path)
    with _translate_errors(path):
        lock = connect(lock_path, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" in str(error):
                raise StoreError("database.in_use", path=path) from error
            raise
    return lock


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into StoreErrors."""
    try:
        yield
    except sqlite3.Error as error:
        kind = "damaged" if "malformed" in str(error) else "unusable"
        raise StoreError(f"database.{kind}", path=path, why=error) from error


# Watching the file under a running bot, in case it is removed, replaced or cut short.
#
# SQLite keeps its files open and goes on writing into them even after they were deleted. Everything
# acknowledged from then on would be lost with the process. So every write makes sure that the files
# are still the same. Deleted files can still be read through the open connection, and their content
# is saved where the next start finds it.


class FileLost(Exception):
    """The files are no longer those that were opened.

    Its argument says what happened: `removed`, `replaced` if another file has the name,
    `log_removed` if the write-ahead log was removed, `overwritten` if one of them was truncated or
    overwritten.
    """


class FileWatch:
    """Notices if an open database's file, or its write-ahead log, is removed or overwritten."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log_path = self.path.with_name(self.path.name + "-wal")
        self._file = self.path.stat()
        self._log = _stat(self._log_path)

    def check(self, database: sqlite3.Connection) -> None:
        """Raise FileLost, before a write, unless the files are those that were written last."""
        file, log = self._check_names()
        if file.st_size < self._file.st_size:
            raise FileLost("overwritten")
        if file.st_mtime_ns != self._file.st_mtime_ns:
            # Either SQLite has written back the log for a reader, or a file was copied over it.
            database.execute("PRAGMA shrink_memory")
            if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise FileLost("overwritten")
            self._file, self._log = file, log

    def check_written(self) -> None:
        """Raise FileLost, after a commit, unless it is in the files of these names."""
        self._file, self._log = self._check_names()
        if self._log is not None:
            with self._log_path.open("rb") as log_file:
                magic = log_file.read(4)
            # A log that somebody truncated begins with zeros, and SQLite would ignore all of it
            # after a crash.
            if magic and magic not in WAL_MAGIC:
                raise FileLost("overwritten")

    def _check_names(self) -> tuple[os.stat_result, os.stat_result | None]:
        """Return the files' current status; raise FileLost if they are not the same files."""
        file, log = _stat(self.path), _stat(self._log_path)
        if file is None:
            raise FileLost("removed")
        if not os.path.samestat(file, self._file):
            raise FileLost("replaced")
        if self._log is not None and not _is_same(log, self._log):
            raise FileLost("log_removed")
        return file, log

    def rescue(self, database: sqlite3.Connection, harm: str) -> str:
        """Save what the open connection can still read, and return in words where it is."""
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
            log.error("couldn't rescue the contents of the database: %s", error)
            harm = "overwritten"
        return say(f"database.{harm}", path=self.path, copy=copy)


def _stat(path: Path) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return path.stat()
    return None


def _is_same(file: os.stat_result | None, other: os.stat_result | None) -> bool:
    return file is not None and other is not None and os.path.samestat(file, other)
