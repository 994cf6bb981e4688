"""Every store there is, opened on an empty place."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.store.base import Store
from bot.store.sqlite import SqliteStore

Opener = Callable[[], Awaitable[Store]]


@pytest.fixture(params=["sqlite"])
async def opens(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens the store of that kind, the same each time; what is left open is closed at the end."""
    kinds = {"sqlite": lambda: SqliteStore.open(tmp_path / "motu.sqlite3")}
    opened: list[Store] = []

    async def opening() -> Store:
        opened.append(await kinds[request.param]())
        return opened[-1]

    yield opening
    for store in opened:
        await store.close()


@pytest.fixture
async def store(opens: Opener) -> Store:
    """An empty store."""
    return await opens()
