"""Copy a whole database into another, match by match, and compare each match.

Matches that were copied earlier are skipped, so a move can be stopped and continued at any time.
Until it is complete the target has a table `moving`, and no bot starts on it. The tables are found
in the schema, so a new one needs no change here.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bot.runtime.base import StoreError
from bot.store.base import Store
from bot.store.schema import MOVING, steps
from bot.store.sql import Command, Database, Select, SelectOne, Statement, as_tuple

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
"""Rows by table."""

BATCH = 1000
"""Rows written in one statement: a server has to answer within seconds."""
SETTINGS = {"player_settings": "user_id", "server_settings": "guild"}
"""Tables of settings, with the column that says whose they are."""

begin_moving = Command(f"CREATE TABLE IF NOT EXISTS {MOVING} (since INTEGER)")
end_moving = Command(f"DROP TABLE {MOVING}")
match_versions = Select(as_tuple, "SELECT id, version FROM matches ORDER BY opened")

# A number is never used twice, even if its row was deleted, so the counters are copied as well.
last_number = SelectOne(
    lambda number: number,
    sqlite="SELECT seq FROM sqlite_sequence WHERE name = {table}",
    postgres="""
        SELECT last_value FROM pg_sequences
        WHERE schemaname = current_schema() AND sequencename = {table} || '_' || {column} || '_seq'
    """,
)
set_last_number = Command(
    sqlite="""
        INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
        VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = {table}), {table}, {last})
    """,
    postgres="SELECT setval(pg_get_serial_sequence({table}, {column}), {last})",
)


class Table(Struct, frozen=True):
    """A table as the migrations create it, in either database."""

    name: str
    columns: tuple[str, ...]
    counted: str
    """The column whose numbers are never used twice; '' if there is none."""
    of_match: str
    """The SQL condition for rows of {match}; '' if rows do not belong to matches."""


class Moved(Struct, frozen=True):
    """The result of a move: how many matches there are, and how many had to be copied."""

    matches: int
    copied: int


@cache
def tables() -> tuple[Table, ...]:
    """Return all tables, each after those that it refers to."""
    made: dict[str, Table] = {}
    # Read them from an empty database that the migrations have created.
    with closing(sqlite3.connect(":memory:")) as schema:
        for step in steps():
            schema.executescript(step.read_text(encoding="utf-8"))
        found = schema.execute(
            "SELECT name, sql FROM sqlite_master"
            " WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        ).fetchall()
        for name, sql in found:
            columns = schema.execute(f"SELECT * FROM {name}").description
            names = tuple(column for column, *_ in columns)
            # A counted key is always the first column.
            counted = names[0] if "AUTOINCREMENT" in sql else ""
            of_match = "id = {match}" if name == "matches" else ""
            for row in schema.execute(f"PRAGMA foreign_key_list({name})"):
                _, _, parent, ours, theirs, *_ = row
                if condition := made[parent].of_match:
                    of_match = f"{ours} IN (SELECT {theirs} FROM {parent} WHERE {condition})"
            made[name] = Table(name, names, counted, of_match)
    return tuple(made.values())


async def move(source: Store, target: Store, on_progress: Callable[[int, int], None]) -> Moved:
    """Copy a database into one that is empty or has an unfinished copy of it.

    Raises StoreError if the target has anything else in it, or if something differs afterwards.
    """
    versions = dict(await source.read(match_versions))
    await _check_target(source, target, versions)
    await target.write(begin_moving)
    for table in tables():
        if not table.of_match:
            await _copy(source, target, [table])
    owned = [table for table in tables() if table.of_match]
    copied = 0
    for done, match in enumerate(versions, start=1):
        copied += await _copy(source, target, owned, match)
        on_progress(done, len(versions))
    for table in tables():
        if last := await source.read(last_number, table=table.name, column=table.counted):
            await target.write(set_last_number, table=table.name, column=table.counted, last=last)
    await target.write(end_moving)
    return Moved(len(versions), copied)


async def _check_target(source: Store, target: Store, versions: dict[str, int]) -> None:
    """Refuse a target with anything in it that did not come from the source."""
    for match, version in await target.read(match_versions):
        if version > versions.get(match, -1):
            raise StoreError("database.not_empty")
    for name, owner in SETTINGS.items():
        keys = Select(as_tuple, f"SELECT {owner}, name FROM {name}")
        if set(await target.read(keys)) - set(await source.read(keys)):
            raise StoreError("database.not_empty")


def find_rows(db: Database, wanted: Sequence[Table], match_id: str = "") -> Rows:
    """Return the rows of a match, or all rows of tables that do not belong to matches."""
    found: Rows = {}
    for table in wanted:
        columns = ", ".join(table.columns)
        condition = table.of_match or "TRUE"
        select = Select(as_tuple, f"SELECT {columns} FROM {table.name} WHERE {condition}")
        found[table.name] = select(db, match=match_id)
    return found


def fingerprint(rows: Rows) -> list[list[bytes]]:
    """Return rows in a form that can be compared; databases return them in different orders."""
    return [sorted(msgspec.msgpack.encode(row) for row in found) for found in rows.values()]


async def _copy(source: Store, target: Store, wanted: Sequence[Table], match_id: str = "") -> bool:
    """Copy the rows of a match, or of tables that do not belong to matches.

    Returns whether the target's rows were different.
    """
    rows = await source.read(find_rows, wanted, match_id)
    if fingerprint(await target.read(find_rows, wanted, match_id)) == fingerprint(rows):
        return False

    def replace_rows(db: Database) -> None:
        # Rows that refer to others are deleted first and inserted last.
        for table in reversed(wanted):
            Command(f"DELETE FROM {table.name} WHERE {table.of_match or 'TRUE'}")(
                db, match=match_id
            )
        for table in wanted:
            values = ", ".join(f"{{{column}}}" for column in table.columns)
            names = ", ".join(table.columns)
            insert = Statement(f"INSERT INTO {table.name} ({names}) VALUES ({values})")
            named = [dict(zip(table.columns, row, strict=True)) for row in rows[table.name]]
            for done in range(0, len(named), BATCH):
                db.executemany(insert, named[done : done + BATCH])

    await target.write(replace_rows)
    if fingerprint(await target.read(find_rows, wanted, match_id)) != fingerprint(rows):
        if match_id:
            raise StoreError("database.differs", id=match_id)
        raise StoreError("database.rows_differ", table=wanted[0].name)
    return True
