"""A whole database copied into another, match by match, and each match compared by its hash.

What is there already is not copied again, so it can be stopped and begun again at any time. Until
all of it is there the target has a table `moving`, and no bot starts on it.
"""

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bot.runtime.errors import StoreError
from bot.store.base import Store
from bot.store.schema import MOVING, steps
from bot.store.sql import Database, Statement, first_value

BATCH = 1000
"""Rows read at a time."""
SETTINGS = {"player_settings": "user_id", "server_settings": "guild"}

BEGIN_MOVING = Statement(f"CREATE TABLE IF NOT EXISTS {MOVING} (since INTEGER)")
END_MOVING = Statement(f"DROP TABLE {MOVING}")
VERSIONS = Statement("SELECT id, version FROM matches ORDER BY opened")

# Numbers that were given once are never given again, though their rows are gone.
LAST_NUMBER = Statement(
    sqlite="SELECT seq FROM sqlite_sequence WHERE name = {table}",
    postgres="""
        SELECT last_value FROM pg_sequences
        WHERE schemaname = current_schema() AND sequencename = {table} || '_' || {column} || '_seq'
    """,
)
SET_LAST_NUMBER = Statement(
    sqlite="""
        INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
        VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = {table}), {table}, {last})
    """,
    postgres="SELECT setval(pg_get_serial_sequence({table}, {column}), {last})",
)

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by their table."""


class Table(Struct, frozen=True):
    """A table as the migrations make it, whichever database it is in."""

    name: str
    columns: tuple[str, ...]
    key: str
    """Its primary key, or the columns that stand for one where it has none."""
    counted: str = ""
    """The column whose numbers are never used twice."""
    of_match: str = ""
    """How the rows of a match are found, if each is of one: a condition on {match}."""

    @property
    def select(self) -> str:
        """All of a row, from this table."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    def insert(self, db: Database, rows: list[tuple[Any, ...]]) -> None:
        """Put rows in."""
        values = ", ".join(f"{{{column}}}" for column in self.columns)
        insert = f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({values})"
        named = [dict(zip(self.columns, row, strict=True)) for row in rows]
        db.executemany(Statement(insert), named)


class Moved(Struct, frozen=True):
    """What has come of it: how many matches there are, and how many of them had to be copied."""

    matches: int
    copied: int


@cache
def tables() -> tuple[Table, ...]:
    """Return all tables with what is kept, each after those it refers to."""
    made: dict[str, Table] = {}
    with closing(sqlite3.connect(":memory:")) as schema:
        for step in steps():
            schema.executescript(step.read_text(encoding="utf-8"))
        found = schema.execute(
            "SELECT name, sql FROM sqlite_master"
            " WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        ).fetchall()
        for name, sql in found:
            columns = schema.execute(f"SELECT name, pk FROM pragma_table_info('{name}')").fetchall()
            names = tuple(column for column, _ in columns)
            key = [column for column, place in sorted(columns, key=lambda row: row[1]) if place]
            counted = key[0] if "AUTOINCREMENT" in sql else ""
            of_match = "id = {match}" if name == "matches" else ""
            for _, _, parent, ours, theirs, *_ in schema.execute(
                f"PRAGMA foreign_key_list({name})"
            ):
                if parent == "matches":
                    of_match = f"{ours} = {{match}}"
                elif condition := made[parent].of_match:
                    of_match = f"{ours} IN (SELECT {theirs} FROM {parent} WHERE {condition})"
            made[name] = Table(name, names, ", ".join(key or names), counted, of_match)
    return tuple(made.values())


def match_versions(db: Database) -> dict[str, int]:
    """Return the versions of all matches, in the order in which they were opened."""
    return dict(db.execute(VERSIONS).fetchall())


async def move(source: Store, target: Store, told: Callable[[int, int], None]) -> Moved:
    """Copy all of a database; StoreError if the target is not an earlier copy of it, or if
    something differs after.
    """
    versions = await source.read(match_versions)
    await _check_target(source, target, versions)
    await target.write(lambda db: db.execute(BEGIN_MOVING))
    copied = 0
    for table in tables():
        if not table.of_match:
            await _copy_table(source, target, table)
    for done, match in enumerate(versions, start=1):
        copied += await _copy_match(source, target, match)
        told(done, len(versions))
    for table in tables():
        await _finish_table(source, target, table)
    await target.write(lambda db: db.execute(END_MOVING))
    return Moved(len(versions), copied)


def fingerprint(rows: Rows) -> str:
    """Return the hash of rows, in whichever order a database gives them."""
    encode = msgspec.msgpack.encode
    ordered = {name: sorted(encode(row) for row in theirs) for name, theirs in rows.items()}
    return hashlib.sha256(encode(ordered)).hexdigest()


def find(db: Database, /, sql: str, **values: object) -> list[tuple[Any, ...]]:
    """Return the rows that a statement finds."""
    return db.execute(Statement(sql), values).fetchall()


def of_match(db: Database, match: str) -> Rows:
    """Return all rows of a match."""
    owned = [table for table in tables() if table.of_match]
    return {
        table.name: find(db, f"{table.select} WHERE {table.of_match}", match=match)
        for table in owned
    }


async def _check_target(source: Store, target: Store, versions: dict[str, int]) -> None:
    """Refuse a target with anything in it that did not come from the source."""
    for match, version in (await target.read(match_versions)).items():
        if version > versions.get(match, -1):
            raise StoreError("database.not_empty")
    for name, owner in SETTINGS.items():
        keys = f"SELECT {owner}, name FROM {name}"
        if set(await target.read(find, keys)) - set(await source.read(find, keys)):
            raise StoreError("database.not_empty")


async def _copy_match(source: Store, target: Store, match: str) -> bool:
    """Copy a match unless it is there already; return whether it had to be."""
    rows = await source.read(of_match, match)
    wanted = fingerprint(rows)
    if fingerprint(await target.read(of_match, match)) == wanted:
        return False

    def put(db: Database) -> None:
        owned = [table for table in tables() if table.of_match]
        for table in reversed(owned):
            delete = Statement(f"DELETE FROM {table.name} WHERE {table.of_match}")
            db.execute(delete, {"match": match})
        for table in owned:
            table.insert(db, rows[table.name])

    await target.write(put)
    if fingerprint(await target.read(of_match, match)) != wanted:
        raise StoreError("database.differs", id=match)
    return True


async def _copy_table(source: Store, target: Store, table: Table) -> None:
    """Put what belongs to no match in place of what is there."""
    page = f"{table.select} ORDER BY {table.key} LIMIT {{most}} OFFSET {{done}}"
    await target.write(lambda db: db.execute(Statement(f"DELETE FROM {table.name}")))
    done = 0
    while rows := await source.read(find, page, most=BATCH, done=done):
        await target.write(table.insert, rows)
        done += len(rows)


async def _finish_table(source: Store, target: Store, table: Table) -> None:
    """Let the target count on after the source's last number, and compare how many rows it has."""
    names = {"table": table.name, "column": table.counted}
    if table.counted:
        last = await source.read(lambda db: first_value(db.execute(LAST_NUMBER, names)))
        if last:
            await target.write(lambda db: db.execute(SET_LAST_NUMBER, {**names, "last": last}))
    count = f"SELECT count(*) FROM {table.name}"
    if await source.read(find, count) != await target.read(find, count):
        raise StoreError("database.rows_differ", table=table.name)
