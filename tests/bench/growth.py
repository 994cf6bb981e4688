"""Measure whether a move costs the same late in a long match and among many other matches."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import psycopg

from bot.store import moving
from bot.store.postgres import PostgresStore
from bot.store.sqlite import SqliteStore
from tests.bench.measure import Clock, Measured, Row, rounds
from tests.bench.place import on_disk
from tests.bench.tables import Tables
from tests.bot.services import open_services
from tests.postgres_server import Server

EARLY, LATE = 5, 300
WINDOW = 5
"""How many moves are timed from the early one on, and from the late one on."""
LONG_MATCHES = 4
FEW, MANY = 10, 100_000
OPENING = 6
"""How many moves are timed in each match."""


def long_map() -> str:
    """Return a map for hundreds of moves: a wide sea with one island, and many boats.

    The many items keep the phase from ending early.
    """
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


async def _time_move(tables: Tables, match: str, clock: Clock = time.process_time) -> float:
    move = await tables.choose_move(match)
    start = clock()
    await tables.play_move(move)
    return (clock() - start) * 1000


async def length(path: Path, quick: bool) -> Measured:
    """Compare late moves of one match with early moves of others, in turn."""
    early, late = [], []
    async with Tables(open_services(await SqliteStore.open(path / "motu.db"))) as tables:
        for _ in range(1 if quick else LONG_MATCHES):
            long = await _play_until(tables, LATE)
            for _ in range(WINDOW):
                short = await _play_until(tables, EARLY)
                early.append(await _time_move(tables, short))
                late.append(await _time_move(tables, long))
    return Measured(median(late) / median(early), median(late), median(early))


async def _play_until(tables: Tables, move: int) -> str:
    """Start a match and play it until this move comes next."""
    match = await tables.open_match(settings={"board": long_map()})
    for _ in range(move - 1):
        await tables.make_move(match)
    return match


async def crowd(path: Path, quick: bool) -> Measured:
    """Compare the CPU time of moves in a large store with that in a small one, in turn."""
    stores = []
    for count in (FEW, _many(quick)):
        place = path / f"{count}.db"
        async with Tables(open_services(await SqliteStore.open(place))) as tables:
            match = await tables.open_match()
        db = sqlite3.connect(place)
        copy_match(db, match, count - 1)
        db.close()
        stores.append(Tables(open_services(await SqliteStore.open(place))))
    return await _compare(*stores, quick, time.process_time)


async def postgres_crowd(path: Path, quick: bool) -> Measured:
    """Compare the duration of moves in a large and a small database of one server.

    Nothing is synced to disk, so the duration is the server's work.
    """
    stores = []
    with Server(path, shared_buffers="128MB") as server:
        for count in (FEW, _many(quick)):
            url = server.new()
            async with Tables(open_services(await PostgresStore.open(url))) as tables:
                match = await tables.open_match()
            with psycopg.connect(url, autocommit=True) as connection:
                for sql in copy_statements(match, count - 1):
                    connection.execute(sql.encode())
                connection.execute("VACUUM ANALYZE")
            stores.append(Tables(open_services(await PostgresStore.open(url))))
        return await _compare(*stores, quick, time.perf_counter)


def _many(quick: bool) -> int:
    return MANY // 100 if quick else MANY


async def _compare(small: Tables, large: Tables, quick: bool, clock: Clock) -> Measured:
    few: list[float] = []
    lots: list[float] = []
    async with small, large:
        for _ in range(rounds(quick, 20)):
            matches = [await tables.open_match() for tables in (small, large)]
            for _ in range(OPENING):
                for tables, match, spent in zip((small, large), matches, (few, lots), strict=True):
                    spent.append(await _time_move(tables, match, clock))
    note = f"{_many(quick):,} matches" if quick else ""
    return Measured(median(lots) / median(few), median(lots), median(few), note)


def copy_match(db: sqlite3.Connection, match: str, copies: int) -> None:
    """Put copies of a match into its database, each with other people."""
    for sql in copy_statements(match, copies):
        db.execute(sql)
    db.commit()


def copy_statements(match: str, copies: int) -> Iterator[str]:
    """Yield the SQL statements that copy a match; both databases understand them."""
    for table in moving.tables():
        key = "id" if table.name == "matches" else "match_id"
        if key not in table.columns:
            continue
        names = [name for name in table.columns if name not in (key, table.counted)]
        copied = {
            # Other people in each: nobody plays in that many matches at once.
            ("seats", "user_id"): "user_id + 100 * i",
            (
                "matches",
                "record",
            ): f'replace(record, \'"id":"{match}"\', \'"id":"c\' || (1000000 + i) || \'"\')',
        }
        values = [copied.get((table.name, name), f'"{name}"') for name in names]
        listed = ", ".join(f'"{name}"' for name in names)
        yield (
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies}) "
            f'INSERT INTO "{table.name}" ({key}, {listed}) '
            f"SELECT 'c' || CAST(1000000 + i AS TEXT), {', '.join(values)} FROM n, "
            f'"{table.name}" '
            f"WHERE {key} = '{match}'"
        )


ROWS = (
    Row(
        "length",
        "cost of the 300th move / the 5th",
        1.05,
        1.2,
        lambda quick: asyncio.run(on_disk(length, quick)),
    ),
    Row(
        "crowd",
        "cost of a move among 100,000 matches / among 10",
        1.05,
        1.1,
        lambda quick: asyncio.run(on_disk(crowd, quick)),
    ),
    Row(
        "postgres-crowd",
        "the same in PostgreSQL",
        1.05,
        1.1,
        lambda quick: asyncio.run(on_disk(postgres_crowd, quick)),
    ),
)
