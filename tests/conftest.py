"""Settings for the whole suite."""

import asyncio

import pytest

from tests.patience import PATIENCE


def pytest_configure() -> None:
    """Leave no event loop behind: pytest-asyncio has asyncio create one that nobody closes."""
    asyncio.set_event_loop(None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run end-to-end tests first, so that no long one is left for a single core at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/e2e/"))


@pytest.fixture(autouse=True)
def patient_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never defer an answer because the machine is busy, except in tests about deferring."""
    monkeypatch.setattr("bot.ui.reply.ANSWER_SECONDS", PATIENCE)
