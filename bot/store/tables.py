"""The tables as the migrations make them, whichever database they are in: for what copies or
checks all of it.
"""

import sqlite3
from contextlib import closing
from functools import cache
from typing import Any

from msgspec import Struct

from bot.store.base import Store
from bot.store.schema import steps
from bot.store.sql import Database, Statement, first_value

BATCH = 1000
"""Ids of matches that are read at a time."""

LAST_NUMBER = Statement(
    sqlite="SELECT seq FROM sqlite_sequence WHERE name = {table}",
    postgres="""
        SELECT last_value FROM pg_sequences
        WHERE schemaname = current_schema() AND sequencename = {table} || '_' || {column} || '_seq'
    """,
)

# In PostgreSQL sequences are made with their tables.
NEW_SEQUENCE = Statement(
    sqlite="""
        INSERT INTO sqlite_sequence (name, seq) SELECT {table}, {last}
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = {table})
    """,
    postgres="SELECT 1",
)

SET_LAST_NUMBER = Statement(
    sqlite="UPDATE sqlite_sequence SET seq = {last} WHERE name = {table}",
    postgres="SELECT setval(pg_get_serial_sequence({table}, {column}), {last})",
)

VERSIONS = Statement(
    "SELECT opened, id, version FROM matches WHERE opened > {after} ORDER BY opened LIMIT {most}"
)


class Table(Struct, frozen=True):
    """A table."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """Its primary key; the columns that stand for one where it has none."""
    counted: str = ""
    """The column whose numbers are never used twice."""
    of_match: str = ""
    """How the rows of a match are found, if each is of one: a condition on {match}."""

    @property
    def select(self) -> str:
        """All of a row, from this table."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    @property
    def insert(self) -> Statement:
        """A row put in."""
        values = ", ".join(f"{{{column}}}" for column in self.columns)
        return Statement(f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({values})")


@cache
def tables() -> tuple[Table, ...]:
    """All tables with what is kept, each after those it refers to."""
    with closing(sqlite3.connect(":memory:")) as schema:
        for step in steps():
            schema.executescript(step.read_text(encoding="utf-8"))
        found = schema.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
        ).fetchall()
        made: dict[str, Table] = {}
        for name, sql in found:
            if not name.startswith("sqlite_"):
                made[name] = _table(schema, name, sql, made)
    return tuple(made.values())


def _table(schema: sqlite3.Connection, name: str, sql: str, before: dict[str, Table]) -> Table:
    columns = schema.execute(f"PRAGMA table_info({name})").fetchall()
    names = tuple(column for _, column, *_ in columns)
    key = tuple(
        column for _, column, *_, place in sorted(columns, key=lambda row: row[-1]) if place
    )
    of_match = "id = {match}" if name == "matches" else ""
    for _, _, parent, ours, theirs, *_ in schema.execute(
        f"PRAGMA foreign_key_list({name})"
    ).fetchall():
        if before[parent].of_match:
            owner = f"SELECT {theirs} FROM {parent} WHERE {before[parent].of_match}"
            of_match = f"{ours} = {{match}}" if parent == "matches" else f"{ours} IN ({owner})"
    counted = key[0] if "AUTOINCREMENT" in sql else ""
    return Table(name, names, key or names, counted, of_match)


def last_number(db: Database, table: Table) -> int | None:
    """The last number that was given in a table; None if there was none."""
    last: int | None = first_value(
        db.execute(LAST_NUMBER, {"table": table.name, "column": table.counted})
    )
    return last


def set_last_number(db: Database, table: Table, last: int) -> None:
    """Go on with the numbers after that one."""
    given: dict[str, Any] = {"table": table.name, "column": table.counted, "last": last}
    db.execute(NEW_SEQUENCE, given)
    db.execute(SET_LAST_NUMBER, given)


async def found(store: Store, sql: str, **values: object) -> list[tuple[Any, ...]]:
    """What a query finds."""
    return await store.read(lambda db: db.execute(Statement(sql), values).fetchall())


def _versions(db: Database, after: int) -> list[Any]:
    return db.execute(VERSIONS, {"after": after, "most": BATCH}).fetchall()


async def versions_of(store: Store) -> dict[str, int]:
    """All matches in the order in which they were opened, with their versions."""
    matches: dict[str, int] = {}
    last = 0
    while rows := await store.read(_versions, last):
        matches |= {match: version for _, match, version in rows}
        last = rows[-1][0]
    return matches
