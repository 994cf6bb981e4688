"""Settings for the whole suite."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

MEMORY_DISK = Path("/dev/shm")
MEMORY_DISK_BYTES = 2 << 30
"""The free space from which on the tests' files are kept there; a run needs a tenth of it."""


def pytest_configure() -> None:
    """Keep compiled code, and files in memory where possible; leave no event loop behind.

    The tests commit to thousands of databases, each of which waits for the disk. They start
    hundreds of processes, too, each of which would compile all modules again.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free >= MEMORY_DISK_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))
    # pytest-asyncio has asyncio create one that nobody closes.
    asyncio.set_event_loop(None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run end-to-end tests first, so that no long one is left for a single core at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/e2e/"))


@pytest.fixture(autouse=True)
def patient_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither defer an answer nor kill a worker because the machine is busy.

    Tests about deferring and about silent workers set their own limits.
    """
    monkeypatch.setattr("bot.ui.reply.ANSWER_SECONDS", PATIENCE)
    monkeypatch.setattr("bot.workers.pool.SILENCE_TIMEOUT_SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def equal_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw as urgently as all else, or a test would wait for other tests on a busy machine."""
    monkeypatch.setattr("bot.ui.pictures.DRAWING_NICENESS", 0)
