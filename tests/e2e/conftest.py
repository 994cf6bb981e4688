"""A stage for each test that wants one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.local import WallClock
from tests.e2e.harness import Stage, on_stage


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A server with the bot, where time passes only when the test says so."""
    async with on_stage(tmp_path) as stage:
        yield stage


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Stage]:
    """The same by the clock on the wall: an answer that takes 3 seconds is too late."""
    async with on_stage(tmp_path, WallClock()) as stage:
        yield stage
