"""Rooms and message parts for tests of pure functions, with a check of Discord's limits."""

from collections.abc import Iterable, Sequence
from typing import Any

from bot.kernel.room import Room
from bot.model import MatchRecord, Person, Place, Status
from bot.ui.parts import LAYOUT_PARTS, Button, Menu, Part, Row, Section, count_components
from engine import Match


def room_of(match: Match | None, names: tuple[str, ...] = ("Ana", "Bea"), **changes: Any) -> Room:
    """Return a room with a running match of these people."""
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


def controls_in(parts: Iterable[Part]) -> list[Button | Menu]:
    """Return all buttons and menus, from top to bottom."""
    found: list[Button | Menu] = []
    for part in parts:
        if isinstance(part, Menu):
            found.append(part)
        elif isinstance(part, Section):
            found.append(part.button)
        elif not isinstance(part, str):
            found += part
    return found


def check_rows(rows: Sequence[Row]) -> None:
    """Check the rows of a plain message against Discord's limits."""
    assert len(rows) <= 5
    check_parts(rows)


def check_parts(parts: Sequence[Part]) -> None:
    """Check the parts of a layout with a picture and a text above them against the limits."""
    assert count_components(parts) + 2 <= LAYOUT_PARTS
    seen: set[str] = set()
    for part in controls_in(parts):
        assert 1 <= len(part.id) <= 100 and part.id not in seen
        seen.add(part.id)
        if isinstance(part, Menu):
            _check_menu(part)
        else:
            assert 1 <= len(part.label) <= 80
    assert all(len(part) <= 5 for part in parts if isinstance(part, tuple))


def _check_menu(menu: Menu) -> None:
    assert 1 <= len(menu.choices) <= 25 and len(menu.placeholder) <= 150
    assert len({line.value for line in menu.choices}) == len(menu.choices)
    assert 0 <= menu.at_least <= menu.at_most <= len(menu.choices) and menu.at_most >= 1
    for line in menu.choices:
        assert 1 <= len(line.value) <= 100
        assert 1 <= len(line.label) <= 100
        assert len(line.description) <= 100


def labels(parts: Iterable[Part]) -> list[str]:
    """Return the labels of all buttons."""
    return [part.label for part in controls_in(parts) if isinstance(part, Button)]


def texts(parts: Iterable[Part]) -> list[str]:
    """Return the texts of a layout that are not part of a section."""
    return [part for part in parts if isinstance(part, str) and part]


def button_of(parts: Iterable[Part], label: str) -> Button:
    """Return the button with this label."""
    return next(
        part for part in controls_in(parts) if isinstance(part, Button) and part.label == label
    )


def menus(parts: Iterable[Part]) -> list[Menu]:
    """Return all menus."""
    return [part for part in controls_in(parts) if isinstance(part, Menu)]
