"""Rooms for tests of the bot's pure parts, and Discord's limits as a check."""

from typing import Any

from bot.kernel.room import Room
from bot.model import MatchRecord, Person, Place, Status
from bot.ui.parts import Button, Menu, Row
from engine import Match


def room_of(match: Match | None, names: tuple[str, ...] = ("Ana", "Bea"), **changes: Any) -> Room:
    """A running match of these people."""
    game = match.game.id if match else "blue_lagoon"
    known: dict[str, Any] = {
        "id": "abcd2345",
        "game": game,
        "status": Status.RUNNING,
        "place": Place(1, 2, 3),
        "host": 10,
        "settings": {},
        "chairs": tuple(Person(10 + seat, name) for seat, name in enumerate(names)),
        "commitment": "c0ffee" * 10,
    }
    return Room(MatchRecord(**{**known, **changes}), match)


def check_rows(rows: tuple[Row, ...]) -> None:
    """Refuse what Discord would refuse."""
    assert len(rows) <= 5
    seen: set[str] = set()
    for row in rows:
        for part in [row] if isinstance(row, Menu) else row:
            assert 1 <= len(part.id) <= 100 and part.id not in seen
            seen.add(part.id)
        if isinstance(row, Menu):
            _check_menu(row)
        else:
            assert 1 <= len(row) <= 5
            assert all(1 <= len(part.label) <= 80 for part in row)


def _check_menu(menu: Menu) -> None:
    assert 1 <= len(menu.choices) <= 25 and len(menu.placeholder) <= 150
    assert len({line.value for line in menu.choices}) == len(menu.choices)
    assert 0 <= menu.at_least <= menu.at_most <= len(menu.choices) and menu.at_most >= 1
    for line in menu.choices:
        assert (
            1 <= len(line.value) <= 100
            and 1 <= len(line.label) <= 100
            and len(line.description) <= 100
        )


def labels(rows: tuple[Row, ...]) -> list[str]:
    """The labels of all buttons."""
    return [part.label for row in rows if not isinstance(row, Menu) for part in row]


def button_of(rows: tuple[Row, ...], label: str) -> Button:
    """The button of that label."""
    return next(
        part for row in rows if not isinstance(row, Menu) for part in row if part.label == label
    )


def menus(rows: tuple[Row, ...]) -> list[Menu]:
    """All menus."""
    return [row for row in rows if isinstance(row, Menu)]
