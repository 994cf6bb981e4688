"""The fixtures of most bot tests: `world` has the whole bot on a local Discord, `backend` only the
bot's services on a database, which is faster."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.backend import Backend
from tests.bot.world import World, open_world


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The bot and three people in a channel. The bot may log only errors that a test expects."""
    async with open_world(tmp_path, monkeypatch) as world:
        yield world
        if world.waits_for_all:
            await world.wait_until_idle()
        assert world.errors == []


@pytest.fixture
async def backend(tmp_path: Path) -> AsyncIterator[Backend]:
    """The services on an empty database."""
    backend = Backend(tmp_path / "motu.sqlite3")
    await backend.open()
    yield backend
    await backend.matches.close()
