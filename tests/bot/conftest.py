"""Fixtures of most bot tests: a world with the whole bot, or a house with its services alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.seating import House
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
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """The services on an empty database."""
    house = House(tmp_path / "motu.sqlite3")
    await house.open()
    yield house
    await house.matches.close()
