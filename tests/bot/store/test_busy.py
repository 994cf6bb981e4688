"""A locked file: all waiting writes fail in time, and later ones succeed."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.runtime.base import StoreError
from bot.store.sqlite import SqliteStore
from bot.store.sqlite_file import LOCK_TIMEOUT
from tests.bot.store.test_contract import create_match

WAITING = 6


async def test_waiting_for_a_locked_file_fails_within_five_seconds(tmp_path: Path) -> None:
    path = tmp_path / "motu.db"
    store = await SqliteStore.open(path)
    await create_match(store)
    loop = asyncio.get_running_loop()

    async def told() -> float:
        began = loop.time()
        with pytest.raises(StoreError, match="locked"):
            await store.write(lambda db: db.execute("UPDATE matches SET game = game"))
        return loop.time() - began

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        times = await asyncio.gather(*(told() for _ in range(WAITING)))
        other.execute("ROLLBACK")
    # One after another they would have waited for five seconds each; the rest allows for a machine
    # that is very busy.
    assert max(times) < 2 * LOCK_TIMEOUT, times
    assert min(times) > LOCK_TIMEOUT / 2, "a lock that is soon gone is waited for"
    await store.write(lambda db: db.execute("UPDATE matches SET game = game"))
    await store.close()
