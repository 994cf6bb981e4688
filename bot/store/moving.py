"""A whole database copied into another, match by match, and each match compared by its hash.

What is there already is not copied again, so it can be stopped and begun again at any time. Until
all of it is there the target has a table `moving`, and no bot starts on it.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from bot.runtime.errors import StoreError
from bot.store.base import Store
from bot.store.sql import Database, Statement
from bot.store.tables import Table, found, last_number, set_last_number, tables, versions_of

BATCH = 1000
"""Rows, or ids of matches, read at a time."""
SETTINGS = {"player_settings": "user_id", "server_settings": "guild"}

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by their table."""


class Moved(Struct, frozen=True):
    """What has come of it: how many matches there are, and how many of them had to be copied."""

    matches: int
    copied: int


async def move(source: Store, target: Store, told: Callable[[int, int], None]) -> Moved:
    """Copy all of a database; StoreError if the target is not an earlier copy of it, or if
    something differs after.
    """
    versions = await versions_of(source)
    await _check_target(source, target, versions)
    await target.write(
        lambda db: db.execute(Statement("CREATE TABLE IF NOT EXISTS moving (since INTEGER)"))
    )
    for table in tables():
        if not table.of_match:
            await _copy_table(source, target, table)
    copied = 0
    for done, match in enumerate(versions, start=1):
        copied += await _copy_match(source, target, match)
        told(done, len(versions))
    for table in tables():
        await _copy_last_number(source, target, table)
        await _check_count(source, target, table)
    await target.write(lambda db: db.execute(Statement("DROP TABLE moving")))
    return Moved(len(versions), copied)


def fingerprint(rows: Rows) -> str:
    """The hash of rows, in whichever order a database gives them."""
    digest = hashlib.sha256()
    for name, theirs in rows.items():
        digest.update(
            msgspec.msgpack.encode([name, sorted(msgspec.msgpack.encode(row) for row in theirs)])
        )
    return digest.hexdigest()


def of_match(db: Database, match: str) -> Rows:
    """All rows of a match."""
    return {
        table.name: db.execute(
            Statement(f"{table.select} WHERE {table.of_match}"), {"match": match}
        ).fetchall()
        for table in tables()
        if table.of_match
    }


async def _check_target(source: Store, target: Store, versions: dict[str, int]) -> None:
    """Refuse a target with anything in it that did not come from the source."""
    for match, version in (await versions_of(target)).items():
        if version > versions.get(match, -1):
            raise StoreError("database.not_empty")
    for name, owner in SETTINGS.items():
        keys = f"SELECT {owner}, name FROM {name}"
        if set(await found(target, keys)) - set(await found(source, keys)):
            raise StoreError("database.not_empty")


async def _copy_match(source: Store, target: Store, match: str) -> bool:
    """Copy a match unless it is there already; whether it had to be."""
    rows = await source.read(lambda db: of_match(db, match))
    wanted = fingerprint(rows)
    if fingerprint(await target.read(lambda db: of_match(db, match))) == wanted:
        return False

    def put(db: Database) -> None:
        owned = [table for table in tables() if table.of_match]
        for table in reversed(owned):
            db.execute(
                Statement(f"DELETE FROM {table.name} WHERE {table.of_match}"), {"match": match}
            )
        for table in owned:
            _put(db, table, rows[table.name])

    await target.write(put)
    if fingerprint(await target.read(lambda db: of_match(db, match))) != wanted:
        raise StoreError("database.differs", id=match)
    return True


async def _copy_table(source: Store, target: Store, table: Table) -> None:
    """Put what belongs to no match in place of what is there."""
    page = f"{table.select} ORDER BY {', '.join(table.key)} LIMIT {{most}} OFFSET {{done}}"
    await target.write(lambda db: db.execute(Statement(f"DELETE FROM {table.name}")))
    done = 0
    while rows := await found(source, page, most=BATCH, done=done):
        await target.write(_put, table, rows)
        done += len(rows)


async def _copy_last_number(source: Store, target: Store, table: Table) -> None:
    """Let numbers that were given once never be given again, though their rows are gone."""
    if table.counted and (last := await source.read(lambda db: last_number(db, table))):
        await target.write(lambda db: set_last_number(db, table, last))


async def _check_count(source: Store, target: Store, table: Table) -> None:
    count = f"SELECT count(*) FROM {table.name}"
    if await found(source, count) != await found(target, count):
        raise StoreError("database.rows_differ", table=table.name)


def _put(db: Database, table: Table, rows: list[tuple[Any, ...]]) -> None:
    db.executemany(table.insert, [dict(zip(table.columns, row, strict=True)) for row in rows])
