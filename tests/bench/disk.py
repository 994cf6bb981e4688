"""Measure the store on a real disk: committing a move durably, and loading a match.

A RAM disk would hide the time that a commit waits for the disk, so it does not run on one.
"""

import asyncio
import json
import os
import sqlite3
import time
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import psycopg

from bot.kernel import queries
from bot.store.base import Store
from bot.store.postgres import PostgresStore
from bot.store.sqlite import SqliteStore
from engine import Commit, begin, save
from tests.bench.measure import Measured, Row, milliseconds, rounds
from tests.bench.place import on_disk
from tests.bench.tables import Tables
from tests.bot.services import Services, open_services
from tests.postgres_server import Server

COMMITS = 300
COMMITS_PER_MATCH = 40
"""After this many commits another match is started."""
PAGE_BYTES = 4096
"""The size of the bare write, which is the least that any store could write."""
INSERT = "INSERT INTO bare VALUES (%b)"
LOADS = 100
MOVES = 100
"""How many moves to make: by then a match of Blue Lagoon, as one document, has about 20 KB."""


class Timed(Store):
    """A store that records the milliseconds of every write of a commit."""

    spent: list[float]

    async def write(self, query: Any, *args: Any, **kwargs: Any) -> Any:
        """Run a query, and time it if it writes a commit."""
        start = time.perf_counter()
        result = await super().write(query, *args, **kwargs)
        if query is queries.write_change and args[0].commits:
            self.spent.append((time.perf_counter() - start) * 1000)
        return result


class TimedStore(Timed, SqliteStore):
    """The timed store in a file."""


class TimedPostgres(Timed, PostgresStore):
    """The timed store on a server."""


async def commit(path: Path, quick: bool) -> Measured:
    """Compare moves through the service with a bare fdatasync on the same disk, in turn."""
    store = await TimedStore.open(path / "motu.db")
    store.spent = []
    bare: list[float] = []
    async with Tables(open_services(store)) as tables:
        with (path / "bare").open("wb", buffering=0) as file:
            while len(bare) < (COMMITS // 10 if quick else COMMITS):
                match = await tables.open_match()
                for _ in range(COMMITS_PER_MATCH):
                    await tables.make_move(match)
                    bare.append(milliseconds(lambda: _write_synced(file), time.perf_counter))
    ours, naive = median(store.spent), median(bare)
    return Measured(ours / naive, ours, naive)


async def postgres_commit(path: Path, quick: bool) -> Measured:
    """Compare moves on a PostgreSQL server with inserting a single row there, in turn."""
    with Server(path, fsync="on") as server:
        store = await TimedPostgres.open(server.new())
        store.spent = []
        connection = psycopg.connect(server.url(), autocommit=True)
        connection.execute("CREATE TABLE bare (page bytea)")
        bare: list[float] = []
        async with Tables(open_services(store)) as tables:
            while len(bare) < (COMMITS // 10 if quick else COMMITS):
                match = await tables.open_match()
                for _ in range(COMMITS_PER_MATCH):
                    await tables.make_move(match)
                    bare.append(
                        milliseconds(
                            lambda: connection.execute(INSERT, [bytes(PAGE_BYTES)]),
                            time.perf_counter,
                        )
                    )
        connection.close()
    ours, naive = median(store.spent), median(bare)
    return Measured(ours / naive, ours, naive)


def _write_synced(file: Any) -> None:
    file.write(bytes(PAGE_BYTES))
    os.fdatasync(file.fileno())


async def load(path: Path, quick: bool) -> Measured:
    """Compare loading a match, ready to play on, with reading it as a JSON document."""
    ours, naive, bare = [], [], []
    # One match is cached, so two matches in turn must each be loaded.
    async with Tables(
        open_services(await SqliteStore.open(path / "motu.db"), cached_matches=1)
    ) as tables:
        both = [await tables.open_match(), await tables.open_match()]
        for match in both * MOVES:
            await tables.make_move(match)
        documents = _documents(path / "naive.db", match, await _encode_whole(tables.matches, match))
        for _ in range(rounds(quick)):
            start = time.process_time()
            for wanted in both * (LOADS // 2):
                await tables.matches.find(wanted)
            ours.append((time.process_time() - start) * 1000 / LOADS)
            naive.append(milliseconds(lambda: _naive_loads(documents, match, "document")) / LOADS)
            bare.append(milliseconds(lambda: _naive_loads(documents, match, "position")) / LOADS)
        documents.close()
    note = f"json.loads of the position alone: {median(bare):.3f} ms"
    return Measured(median(ours) / median(naive), median(ours), median(naive), note)


async def _encode_whole(matches: Services, match: str) -> tuple[bytes, bytes]:
    """Return a whole match with its past as one document, and its position alone."""
    kept = await matches.store.read(queries.commits, match)
    stands = (await matches.find(match)).match
    assert stands is not None
    whole = begin(stands.game, stands.seats, dict(stands.settings), stands.seed)
    for stored in kept[1:]:
        whole = whole.replay(msgspec.json.decode(stored.commit, type=Commit))
    return save(whole), kept[-1].snapshot


def _documents(path: Path, match: str, whole: tuple[bytes, bytes]) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE match (id TEXT PRIMARY KEY, document TEXT, position TEXT)")
    db.execute("INSERT INTO match VALUES (?, ?, ?)", (match, *(text.decode() for text in whole)))
    db.commit()
    return db


def _naive_loads(db: sqlite3.Connection, match: str, column: str) -> None:
    for _ in range(LOADS):
        (text,) = db.execute(f"SELECT {column} FROM match WHERE id = ?", (match,)).fetchone()
        json.loads(text)


ROWS = (
    Row(
        "commit",
        "durable commit p50 / fdatasync p50",
        2,
        2.5,
        lambda quick: asyncio.run(on_disk(commit, quick)),
    ),
    Row(
        "postgres-commit",
        "the same in PostgreSQL / one row inserted there",
        3,
        3.6,
        lambda quick: asyncio.run(on_disk(postgres_commit, quick)),
    ),
    Row(
        "load",
        "load a match by id / sqlite3 + json.loads",
        1,
        1.5,
        lambda quick: asyncio.run(on_disk(load, quick)),
    ),
)
