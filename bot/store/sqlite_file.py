"""A database file: opened by one bot at a time, checked, brought to the newest schema, copied.

Whatever is wrong with it is raised as a StoreError in words for the operator.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.runtime.errors import StoreError
from bot.store.schema import MIGRATIONS, TABLES, pending_migrations, schema_version, steps
from bot.store.sql import SqliteConnection, first_column

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


class LockedFile(SqliteConnection):
    """A connection that keeps other bots away from its file until it is closed."""

    lock: sqlite3.Connection

    def close(self) -> None:
        """Write the log back into the file, then let the file go."""
        try:
            super().close()
        finally:
            self.lock.close()


def open_file(path: Path, migrations: Path = MIGRATIONS, alone: bool = False) -> LockedFile:
    """Open a sound database, making it if there is none, and bring it to the newest schema."""
    path = path.resolve()
    if not path.parent.is_dir():
        raise StoreError("database.no_folder", path=path, folder=path.parent)
    lock = _lock(path)
    try:
        # Seeds, drafts and hidden cards are in it: nobody else on this machine may read them.
        _make_private(path)
        for end in ("-wal", "-shm"):
            with suppress(OSError):
                path.with_name(path.name + end).chmod(0o600)
        with _explaining(path):
            connection = sqlite3.connect(
                path,
                timeout=LOCK_TIMEOUT,
                isolation_level=None,
                factory=LockedFile,
                check_same_thread=False,
            )
    except BaseException:
        lock.close()
        raise
    connection.lock = lock
    try:
        with _explaining(path):
            _prepare(connection, path, migrations, alone)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: LockedFile, path: Path, migrations: Path, alone: bool) -> None:
    if not is_large(path) and (damage := find_damage(connection)):
        raise StoreError("database.damaged", path=path, why=damage)
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
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise StoreError(
                "database.not_brought", path=path, version=number, why=error
            ) from error
    # A file that may only be read opens without a word: find out now, not at the first move.
    connection.execute("UPDATE schema_version SET version = version")


def open_to_read(path: Path, even_older: bool = False) -> SqliteConnection:
    """Open a sound database for reading alone, also while a bot writes to it.

    It must have the newest schema, or with `even_older` one that can be brought to it.
    """
    if not path.is_file():
        raise StoreError("database.none", path=path)
    with _explaining(path):
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro",
            uri=True,
            timeout=LOCK_TIMEOUT,
            isolation_level=None,
            factory=SqliteConnection,
            check_same_thread=False,
        )
        try:
            if damage := find_damage(connection):
                raise StoreError("database.damaged", path=path, why=damage)
            version, newest = schema_version(connection, path, MIGRATIONS), len(steps())
            if version < newest and not even_older:
                raise StoreError("database.older", path=path, version=version, newest=newest)
        except BaseException:
            connection.close()
            raise
    return connection


def examine(path: Path) -> tuple[int, int]:
    """Return the schema of a sound database and the newest one; nothing of it is changed."""
    with closing(open_to_read(path, even_older=True)) as connection:
        return schema_version(connection, path, MIGRATIONS), len(steps())


def is_in_use(path: Path) -> bool:
    """Return whether a bot has a database open."""
    if not _lock_path(path).exists():
        return False
    try:
        _lock(path.resolve()).close()
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
    _make_private(part)
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
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


def _make_private(path: Path) -> None:
    """Make a file that its owner alone can read; if that cannot be, opening it says why."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        path.chmod(0o600)


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + "-lock")


def _lock(path: Path) -> sqlite3.Connection:
    # A lock of SQLite's own, in a file beside: it works on every system, ends with its process
    # however that ends, and leaves the database itself open to readers.
    beside = _lock_path(path)
    _make_private(beside)
    with _explaining(path):
        lock = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
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
