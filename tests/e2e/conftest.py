"""The stage fixture."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.harness import Stage, open_stage


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A server with the bot in its own process; the test moves the clock."""
    async with open_stage(tmp_path) as stage:
        yield stage
