"""A stage for each test that wants one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.harness import Stage, on_stage


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A server with the bot, where time passes only when the test says so."""
    async with on_stage(tmp_path) as stage:
        yield stage
