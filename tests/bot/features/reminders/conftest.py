"""Boards without pictures: reminders are words and buttons."""

import pytest

from tests.bot.world import leave_boards_blank


@pytest.fixture(autouse=True)
def blank_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Post boards that nobody has to draw."""
    leave_boards_blank(monkeypatch)
