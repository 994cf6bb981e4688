"""A PostgreSQL database checked and brought to the newest schema, or refused with the reason."""

import time
from pathlib import Path

import psycopg

from bot.runtime.errors import StoreError
from bot.store.postgres_connection import TRANSIENT_ERRORS, Connection
from bot.store.schema import MOVING, UNRELEASED, steps
from bot.store.sql import Statement

MIGRATING, RUNNING = 0x4D6F7475, 0x4D6F7476
"""Locks of the database: whoever changes the schema has the first alone, and every connection
shares the second.
"""
RELEASE_TRIES, RELEASE_INTERVAL = 10, 0.2
"""How often to look whether a bot has let the database go, and the seconds in between."""
MIGRATION_TIMEOUT = 3600.0
"""Seconds that one step to a newer schema may take."""

LOCK = Statement("SELECT pg_advisory_lock({lock})")
UNLOCK = Statement("SELECT pg_advisory_unlock({lock})")
TRY_LOCK = Statement("SELECT pg_try_advisory_lock({lock})")
TRY_SHARE_LOCK = Statement("SELECT pg_try_advisory_lock_shared({lock})")
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"

# Tokens of recent writes, by which a commit is recognised whose answer was lost. They are nothing
# that a match is made of, so they are not moved to another database.
WRITTEN = "CREATE TABLE IF NOT EXISTS written (token BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())"

# When a budget that processes share is full again, by the server's clock. Losing it in a crash does
# no harm, so it is not written to the log.
RESERVED = "CREATE UNLOGGED TABLE IF NOT EXISTS reserved (what TEXT PRIMARY KEY, full_at DOUBLE PRECISION NOT NULL)"


def is_true(connection: Connection, question: Statement | str, **values: object) -> bool:
    """Return the server's answer to a question."""
    row = connection.execute(question, values).fetchone()
    return bool(row and row[0])


def hold(connection: Connection, place: str, alone: bool) -> None:
    """Show that the database is in use as long as this connection lasts: by a bot, or `alone`.

    Raises StoreError while somebody has it to themselves, or if it is wanted exclusively and a bot
    is using it.
    """
    lock = TRY_LOCK if alone else TRY_SHARE_LOCK
    for _ in range(RELEASE_TRIES):
        if is_true(connection, lock, lock=RUNNING):
            return
        # The server may not have noticed yet that a process has just ended.
        time.sleep(RELEASE_INTERVAL)
    raise StoreError("database.in_use" if alone else "database.taken", path=place)


def bring_up(connection: Connection, place: str, migrations: Path, alone: bool = False) -> None:
    """Bring the database to the newest schema, one process at a time."""
    connection.execute(LOCK, {"lock": MIGRATING})
    version = check_version(connection, place, migrations)
    for number, step in enumerate(steps(migrations), start=1):
        if number > version:
            _migrate(connection, place, number, step)
    connection.execute(WRITTEN)
    connection.execute(RESERVED)
    if not alone and MOVING in _tables(connection):
        raise StoreError("database.half_moved", path=place)
    connection.execute(UNLOCK, {"lock": MIGRATING})


def check_version(connection: Connection, place: str, migrations: Path) -> int:
    """Return the schema that a database has, 0 if it is empty; refuse another program's or a
    newer one's.
    """
    tables, known = _tables(connection), len(steps(migrations))
    if not tables:
        return 0
    if "schema_version" not in tables:
        raise StoreError("database.foreign", path=place)
    if UNRELEASED in tables:
        raise StoreError("database.unreleased", path=place)
    ((version,),) = connection.execute("SELECT version FROM schema_version").fetchall()
    if version > known:
        raise StoreError("database.newer", path=place, version=version, known=known)
    return int(version)


def _tables(connection: Connection) -> list[str]:
    return [name for (name,) in connection.execute(TABLES).fetchall()]


def _migrate(connection: Connection, place: str, number: int, step: Path) -> None:
    first = "CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (0);"
    script = f"""
        BEGIN;
        SET LOCAL statement_timeout = 0;
        {first if number == 1 else ""}
        {step.read_text(encoding="utf-8")}
        UPDATE schema_version SET version = {number};
        COMMIT;
    """
    # A large database takes its time.
    connection.answer_timeout = MIGRATION_TIMEOUT
    try:
        connection.run_script(script)
    except TRANSIENT_ERRORS:
        raise
    except psycopg.Error as error:
        raise StoreError(
            "database.not_brought", path=place, version=number, why=error.diag.message_primary
        ) from error
    finally:
        del connection.answer_timeout
