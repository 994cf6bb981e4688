"""Opening a database file: one bot a file, checked, brought to the newest schema, or refused
with the reason.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from bot.runtime.errors import StoreError
from bot.store.backup import copy_into
from bot.store.sql import SqliteConnection

MIGRATIONS = Path(__file__).parent / "schema" / "sqlite"
POSTGRES_MIGRATIONS = MIGRATIONS.with_name("postgres")

MOVING = "moving"
"""The table that a database has while another is moved into it."""

UNRELEASED = "match"
"""A table that databases had before the first release."""

LOCK_TIMEOUT = 5.0
"""Seconds to wait for a reader that happens to hold the file, such as a backup."""
SCRUBBED = 1
"""Stands in the head of a file in which nothing was ever left that had been deleted."""

CHECKED_AT_ONCE = 4 * 2**20
"""Bytes of a file that is looked over for damage before it is used: a moment.

Larger ones are looked over later.
"""


class Held(SqliteConnection):
    """A connection that keeps other bots away from its file until it is closed."""

    lock: sqlite3.Connection

    def close(self) -> None:
        """Write the log back into the file, then let the file go."""
        try:
            super().close()
        finally:
            self.lock.close()


def open_file(path: Path, migrations: Path = MIGRATIONS, alone: bool = False) -> Held:
    """Open a sound database, and bring it to the newest schema."""
    path = path.resolve()
    if not path.parent.is_dir():
        raise StoreError("database.no_folder", path=path, folder=path.parent)
    lock = _lock(path)
    # Seeds, drafts and hidden cards are in it: nobody else on this machine may read them.
    _make_private(path)
    for end in ("-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + end).chmod(0o600)
    try:
        connection = sqlite3.connect(
            path, timeout=LOCK_TIMEOUT, isolation_level=None, factory=Held, check_same_thread=False
        )
    except sqlite3.Error as error:
        lock.close()
        raise _unusable(path, str(error)) from error
    connection.lock = lock
    try:
        _prepare(connection, path, migrations)
        if not alone and _has_table(connection, MOVING):
            raise StoreError("database.half_moved", path=path)
    except sqlite3.Error as error:
        connection.close()
        raise _unusable(path, str(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


def examine(path: Path, migrations: Path = MIGRATIONS) -> tuple[int, int]:
    """Return the schema of a sound database and the newest one; nothing of it is changed."""
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=LOCK_TIMEOUT
        )
        try:
            if found := find_damage(connection):
                raise StoreError("database.damaged", path=path, why=found)
            _check_ours(connection, path, migrations)
            return schema_version(connection), len(steps(migrations))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise _unusable(path, str(error)) from error


def is_in_use(path: Path) -> bool:
    """Return whether a bot has a database open."""
    if not _lock_path(path).exists():
        return False
    try:
        _lock(path.resolve()).close()
    except StoreError:
        return True
    return False


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the schema a database has; 0 if it is new."""
    if _has_table(connection, "schema_version"):
        ((version,),) = connection.execute("SELECT version FROM schema_version")
        return int(version)
    return 0


def steps(migrations: Path = MIGRATIONS) -> list[Path]:
    """Return the migrations in order; the first makes schema 1, and so on."""
    paths = sorted(migrations.glob("*.sql"))
    numbers = [int(path.stem) for path in paths]
    if numbers != list(range(1, len(paths) + 1)):
        raise StoreError("database.gap", folder=migrations)
    return paths


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + "-lock")


def _lock(path: Path) -> sqlite3.Connection:
    # A lock of SQLite's own, in a file beside: it works on every system, ends with its process
    # however that ends, and leaves the database itself open to readers.
    beside = _lock_path(path)
    _make_private(beside)
    try:
        lock = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _unusable(path, str(error)) from error
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if "locked" in str(error):
            raise StoreError("database.in_use", path=path) from error
        raise _unusable(path, str(error)) from error
    return lock


def _make_private(path: Path) -> None:
    """Make a file that its owner alone can read, or make it so; if that cannot be, opening it
    says why.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        path.chmod(0o600)


def _unusable(path: Path, why: str) -> StoreError:
    if "malformed" in why:
        return StoreError("database.damaged", path=path, why=why)
    return StoreError("database.unusable", path=path, why=why)


def _prepare(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    _check_whole(connection, path)
    _check_ours(connection, path, migrations)
    is_new = not _has_table(connection, "schema_version")
    # What is deleted is written over: somebody who wants to be forgotten must not be found in the
    # bytes of the file.
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA temp_store = MEMORY")
    version = schema_version(connection)
    newer_steps = list(enumerate(steps(migrations), start=1))[version:]
    if version and newer_steps:
        # The way back to the Motu before: a schema is never brought down again.
        copy_into(connection, path.with_name(f"{path.name}.schema-{version}"))
    for number, step in newer_steps:
        _migrate(connection, path, number, step)
    if connection.execute("PRAGMA user_version").fetchone() != (SCRUBBED,):
        # One of an older Motu has in its pages what was deleted. Once; for a large file it takes a
        # while. Should there be no room for a copy of it, or somebody reading it, it is tried again
        # at the next start.
        with suppress(sqlite3.OperationalError):
            if not is_new:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute(f"PRAGMA user_version = {SCRUBBED}")
    # A file that may only be read opens without a word: find out now, not at the first move.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE schema_version SET version = version")
    connection.execute("ROLLBACK")


def is_large(path: Path) -> bool:
    """Return whether a file is checked for damage only once it is in use."""
    return path.stat().st_size > CHECKED_AT_ONCE


def find_damage(connection: sqlite3.Connection) -> str:
    """Return what is damaged in a database, '' if nothing is; table by table, so that none is
    held for long.
    """
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        ((found,),) = connection.execute(f"PRAGMA quick_check('{table}')").fetchmany(1)
        if found != "ok":
            return str(found)
    return ""


def _check_whole(connection: sqlite3.Connection, path: Path) -> None:
    if is_large(path):
        return
    ((found,),) = connection.execute("PRAGMA quick_check(1)")
    if found != "ok":
        raise StoreError("database.damaged", path=path, why=found)


def _check_ours(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    if tables and not _has_table(connection, "schema_version"):
        raise StoreError("database.foreign", path=path)
    if _has_table(connection, UNRELEASED):
        raise StoreError("database.unreleased", path=path)
    version, known = schema_version(connection), len(steps(migrations))
    if version > known:
        raise StoreError("database.newer", path=path, version=version, known=known)


def _migrate(connection: sqlite3.Connection, path: Path, number: int, step: Path) -> None:
    first = "CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (0);"
    script = f"""
        BEGIN IMMEDIATE;
        {first if number == 1 else ""}
        {step.read_text(encoding="utf-8")}
        UPDATE schema_version SET version = {number};
        COMMIT;
    """
    try:
        connection.executescript(script)
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise StoreError("database.not_brought", path=path, version=number, why=error) from error


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
    )
    return found.fetchone() is not None
