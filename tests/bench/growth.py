"""Whether a move costs the same late in a long match, and in a store full of matches."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from statistics import median

from bot.matches.service import Matches
from bot.store.sqlite import SqliteStore
from tests.bench.measure import Measured, Row, rounds
from tests.bench.place import on_disk
from tests.bench.tables import Tables

EARLY, LATE = 5, 300
WINDOW = 5
"""Moves from the early and the late one on, of which each match gives a sample."""
LONG_MATCHES = 4
FEW, MANY = 10, 10_000
OPENING = 4
"""Moves made in a match of the small and of the large store."""


def long_map() -> str:
    """A wide sea with one island, and boats for hundreds of moves; its many items keep the phase from ending early."""
    cells = [[row, column] for row in range(4) for column in range(6)]
    return json.dumps(
        {
            "row_widths": [23 + row % 2 for row in range(24)],
            "islands": [{"id": "A", "majority_value": 6, "cells": cells}],
            "stone_circles": cells,
            "items": {"C": len(cells)},
            "pieces": {"settlers": {"4": 100}, "villages": 0},
        }
    )


async def _cost(tables: Tables, match: str) -> float:
    move = await tables.chosen(match)
    start = time.process_time()
    await tables.played(move)
    return (time.process_time() - start) * 1000


async def length(path: Path, quick: bool) -> Measured:
    """Moves early in one match and late in another, by turns."""
    early, late = [], []
    async with Tables(Matches(await SqliteStore.open(path / "motu.db"))) as tables:
        for _ in range(1 if quick else LONG_MATCHES):
            long = await _before(tables, LATE)
            for _ in range(WINDOW):
                short = await _before(tables, EARLY)
                early.append(await _cost(tables, short))
                late.append(await _cost(tables, long))
    return Measured(median(late) / median(early), median(late), median(early))


async def _before(tables: Tables, move: int) -> str:
    """A match in which that move comes next."""
    match = await tables.opened(settings={"board": long_map()})
    for _ in range(move - 1):
        await tables.moved(match)
    return match


async def crowd(path: Path, quick: bool) -> Measured:
    """A match opened and begun to be played in a small store and in a large one, by turns."""
    many = MANY // 20 if quick else MANY
    few, lots = [], []
    async with (
        await _crowded(path / "small.db", FEW - 1) as small,
        await _crowded(path / "large.db", many - 1) as large,
    ):
        for _ in range(rounds(quick, 20)):
            few.append(await _opening(small))
            lots.append(await _opening(large))
    note = f"{many:,} matches" if quick else ""
    return Measured(median(lots) / median(few), median(lots), median(few), note)


async def _opening(tables: Tables) -> float:
    start = time.process_time()
    match = await tables.opened()
    for _ in range(OPENING):
        await tables.moved(match)
    return (time.process_time() - start) * 1000


async def _crowded(path: Path, count: int) -> Tables:
    """Tables on a store that holds so many matches already: one played, the others copies of its rows."""
    async with Tables(Matches(await SqliteStore.open(path))) as tables:
        match = await tables.opened()
        for _ in range(OPENING):
            await tables.moved(match)
    db = sqlite3.connect(path)
    copy_match(db, match, count - 1)
    db.close()
    return Tables(Matches(await SqliteStore.open(path)))


def copy_match(db: sqlite3.Connection, match: str, copies: int) -> None:
    """Put copies of a match into its database, with other people in each."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
        key = "id" if table == "match" else "match"
        if key not in columns:
            continue
        kept = [name for name in columns if name != key and not _is_counter(table, name)]
        names = ", ".join(kept)
        # Other people in each: nobody plays in so many matches at once.
        values = ", ".join("user + 100 * i" if (table, name) == ("seat", "user") else name for name in kept)
        db.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            f"INSERT INTO {table} ({key}, {names}) SELECT printf('c%07d', i), {values} FROM n, {table} WHERE {key} = ?",
            (copies, match),
        )
    db.commit()


def _is_counter(table: str, column: str) -> bool:
    return (table, column) in {("match", "opened"), ("announcement", "id"), ("due", "id"), ("finish", "number")}


ROWS = (
    Row("length", "cost of the 300th move / the 5th", 1.05, 1.2, lambda quick: asyncio.run(on_disk(length, quick))),
    Row(
        "crowd",
        "cost of the 10,000th match in the store / the 10th",
        1.05,
        1.2,
        lambda quick: asyncio.run(on_disk(crowd, quick)),
    ),
)
