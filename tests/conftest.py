"""What holds for the whole suite."""

import asyncio

import pytest

from tests.patience import PATIENCE


def pytest_configure() -> None:
    """Else pytest-asyncio has asyncio make an event loop that nobody closes, and that is found
    out at random.
    """
    asyncio.set_event_loop(None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The end-to-end tests go first: a whole match begun last would keep one core waiting for
    the other.
    """
    items.sort(key=lambda item: not item.nodeid.startswith("tests/e2e/"))


@pytest.fixture(autouse=True)
def patient_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, no answer is deferred because it took long, but where a test
    is about that.
    """
    monkeypatch.setattr("bot.ui.reply.ANSWER_SECONDS", PATIENCE)
