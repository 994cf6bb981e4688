"""What most tests of the bot begin with: a world with the whole bot, or its services alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.seating import House
from tests.bot.world import World, open_world


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The bot and three people in a channel; the bot may log no error that a test does not expect."""
    async with open_world(tmp_path, monkeypatch) as world:
        yield world
        if world.waits_for_all:
            await world.idle()
        assert world.errors == []


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A service on an empty file."""
    house = House(tmp_path / "motu.sqlite3")
    await house.open()
    yield house
    await house.matches.close()
