"""The tables as the migrations make them, whichever database they are in: for what copies or checks all of it."""

import sqlite3
from contextlib import closing
from functools import cache
from typing import Any

from msgspec import Struct

from bot.store.base import Store
from bot.store.schema import steps
from bot.store.sql import Database

BATCH = 1000
"""Ids of matches that are read at a time."""

SEQUENCE = "SELECT seq FROM sqlite_sequence WHERE name = :table"
SET_SEQUENCE = "UPDATE sqlite_sequence SET seq = :last WHERE name = :table"
NEW_SEQUENCE = """
    INSERT INTO sqlite_sequence (name, seq) SELECT :table, :last
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :table)
"""


class Table(Struct, frozen=True):
    """A table."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """Its primary key; the columns that stand for one where it has none."""
    counted: str = ""
    """The column whose numbers are never used twice."""
    of_match: str = ""
    """How the rows of a match are found, if each is of one: a condition with the match's id in it."""

    @property
    def select(self) -> str:
        """All of a row, from this table."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    @property
    def insert(self) -> str:
        """A row put in."""
        return f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({', '.join('?' * len(self.columns))})"


@cache
def tables() -> tuple[Table, ...]:
    """All tables with what is kept, each after those it refers to."""
    with closing(sqlite3.connect(":memory:")) as schema:
        for step in steps():
            schema.executescript(step.read_text(encoding="utf-8"))
        found = schema.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        made: dict[str, Table] = {}
        for name, sql in found:
            if not name.startswith("sqlite_"):
                made[name] = _table(schema, name, sql, made)
    return tuple(made.values())


def _table(schema: sqlite3.Connection, name: str, sql: str, before: dict[str, Table]) -> Table:
    columns = schema.execute(f"PRAGMA table_info({name})").fetchall()
    names = tuple(column for _, column, *_ in columns)
    key = tuple(column for _, column, *_, place in sorted(columns, key=lambda row: row[-1]) if place)
    of_match = "id = ?" if name == "matches" else ""
    for _, _, parent, ours, theirs, *_ in schema.execute(f"PRAGMA foreign_key_list({name})").fetchall():
        if before[parent].of_match:
            owner = f"SELECT {theirs} FROM {parent} WHERE {before[parent].of_match}"
            of_match = f"{ours} = ?" if parent == "matches" else f"{ours} IN ({owner})"
    counted = key[0] if "AUTOINCREMENT" in sql else ""
    return Table(name, names, key or names, counted, of_match)


def last_number(db: Database, table: Table) -> int | None:
    """The last number that was given in a table; None if there was none."""
    rows = db.execute(SEQUENCE, {"table": table.name, "column": table.counted}).fetchall()
    return rows[0][0] if rows else None


def set_last_number(db: Database, table: Table, last: int) -> None:
    """Go on with the numbers after that one."""
    given: dict[str, Any] = {"table": table.name, "column": table.counted, "last": last}
    db.execute(NEW_SEQUENCE, given)
    db.execute(SET_SEQUENCE, given)


async def found(store: Store, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """What a query finds."""
    return await store.read(lambda db: [tuple(row) for row in db.execute(sql, values).fetchall()])


async def versions_of(store: Store) -> dict[str, int]:
    """All matches in the order in which they were opened, with their versions."""
    matches: dict[str, int] = {}
    page = "SELECT opened, id, version FROM matches WHERE opened > ? ORDER BY opened LIMIT ?"
    last = 0
    while rows := await found(store, page, last, BATCH):
        matches |= {match: version for _, match, version in rows}
        last = rows[-1][0]
    return matches
