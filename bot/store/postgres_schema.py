"""A PostgreSQL database checked and brought to the newest schema, or refused with the reason."""

import asyncio
from pathlib import Path
from typing import Any

import asyncpg

from bot.runtime.errors import StoreError
from bot.store.postgres_sql import translated_schema
from bot.store.postgres_trouble import TROUBLE
from bot.store.schema import MOVING, steps

MIGRATING, RUNNING = 0x4D6F7475, 0x4D6F7476
"""Locks of the database: whoever changes the schema has the first alone, and every connection shares the second."""
RELEASE_LOOKS, RELEASE_INTERVAL = 10, 0.2
"""How often to look whether a bot has let the database go, and the seconds in between."""
MIGRATION = 3600.0
"""Seconds that one step to a newer schema may take."""

# The tokens of writes, and nothing that a match is made of: so it is not in migrations/, nor moved to another database.
WRITTEN = """
    CREATE TABLE IF NOT EXISTS written (token BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())
"""

# When all is there again of what processes share, by the server's clock. Nothing is lost with it in a crash, so none of
# it is written to the log.
RESERVED = """
    CREATE UNLOGGED TABLE IF NOT EXISTS reserved (what TEXT PRIMARY KEY, full_at DOUBLE PRECISION NOT NULL)
"""
RESERVE = """
    INSERT INTO reserved AS kept VALUES ($1, extract(epoch FROM clock_timestamp()) + $2)
    ON CONFLICT (what) DO UPDATE
        SET full_at = greatest(kept.full_at, extract(epoch FROM clock_timestamp())) + $2
        WHERE kept.full_at + $2 <= extract(epoch FROM clock_timestamp()) + $3
    RETURNING full_at - extract(epoch FROM clock_timestamp())
"""
FULL_IN = "SELECT full_at - extract(epoch FROM clock_timestamp()) FROM reserved WHERE what = $1"


async def hold(connection: Any) -> None:
    """Let others see that a bot runs on this database; StoreError while somebody has it for themselves."""
    if not await connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", RUNNING):
        raise StoreError("database.taken")


async def hold_alone(connection: Any, place: str) -> None:
    """Keep bots away as long as this connection lasts; StoreError if one is there."""
    for _ in range(RELEASE_LOOKS):
        if await connection.fetchval("SELECT pg_try_advisory_lock($1)", RUNNING):
            return
        # The server may not have noticed yet that a process has just ended.
        await asyncio.sleep(RELEASE_INTERVAL)
    raise StoreError("database.in_use", path=place)


async def bring_up(connection: Any, place: str, migrations: Path, alone: bool = False) -> None:
    """Bring the database to the newest schema, one process at a time."""
    await connection.execute("SELECT pg_advisory_lock($1)", MIGRATING)
    try:
        version, known = await schema_version(connection, place), len(steps(migrations))
        if version > known:
            raise StoreError("database.newer", path=place, version=version, known=known)
        for number, step in enumerate(steps(migrations), start=1):
            if number > version:
                await _migrate(connection, place, number, step)
        await connection.execute(WRITTEN)
        await connection.execute(RESERVED)
        if not alone and await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", MOVING):
            raise StoreError("database.half_moved", path=place)
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", MIGRATING)


async def schema_version(connection: Any, place: str) -> int:
    """The schema that a database has, 0 if it is empty; refused if it is another program's."""
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    if "schema_version" in [table for (table,) in tables]:
        return int(await connection.fetchval("SELECT version FROM schema_version"))
    if tables:
        raise StoreError("database.foreign", path=place)
    return 0


async def _migrate(connection: Any, place: str, number: int, step: Path) -> None:
    first = "CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (0);"
    try:
        async with connection.transaction():
            # A large database takes its time.
            await connection.execute("SET LOCAL statement_timeout = 0")
            if number == 1:
                await connection.execute(translated_schema(first))
            change = translated_schema(await asyncio.to_thread(step.read_text, encoding="utf-8"))
            await connection.execute(change, timeout=MIGRATION)
            await connection.execute(f"UPDATE schema_version SET version = {number}")
    except TROUBLE:
        raise
    except asyncpg.PostgresError as error:
        raise StoreError("database.not_brought", path=place, version=number, why=error.args[0]) from error
