"""Fixtures: every kind of store, opened empty."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bot.store.base import Store
from bot.store.postgres import PostgresStore
from bot.store.sqlite import SqliteStore
from tests.patience import PATIENCE
from tests.postgres_server import Server

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"

Opener = Callable[[], Awaitable[Store]]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for all tests of this process."""
    with Server() as server:
        yield server


@pytest.fixture(scope="session")
def emptied(postgres: Server) -> Callable[[], str]:
    """Return the address of an empty database with the newest schema; reused for speed."""
    url = postgres.new()
    postgres.migrate(url)
    tables = [table for (table,) in postgres.sql(TABLES, url) if table != "schema_version"]
    emptying = "SET session_replication_role = replica; " + "; ".join(
        f"DELETE FROM {table}" for table in tables
    )

    def empty() -> str:
        postgres.sql(emptying, url)
        return url

    return empty


@pytest.fixture(params=["sqlite", "postgres"])
async def opens(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opener]:
    """Return a function that opens the same store each time; all are closed at the end."""
    if request.param == "postgres":
        url = request.getfixturevalue("emptied")()
    opened: list[Store] = []

    async def opening() -> Store:
        if request.param == "postgres":
            opened.append(await PostgresStore.open(url, retry_seconds=PATIENCE))
        else:
            opened.append(await SqliteStore.open(tmp_path / "motu.sqlite3"))
        return opened[-1]

    yield opening
    for store in opened:
        await store.close()


@pytest.fixture
async def store(opens: Opener) -> Store:
    """Open an empty store."""
    return await opens()
