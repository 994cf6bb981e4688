"""Buttons and menus as plain values, and the limits that Discord sets them."""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

ROWS = 5
BUTTONS_A_ROW = 5
CHOICES = 25
BUTTON_LABEL = 80
CHOICE_TEXT = 100
PLACEHOLDER = 150
CUSTOM_ID = 100
CONTENT = 2000

PLAIN, STRONG, GOOD, GRAVE = "secondary", "primary", "success", "danger"
"""The looks of a button, as discord.ButtonStyle names them."""


class Button(Struct, frozen=True):
    """A button; `look` is a name of discord.ButtonStyle."""

    id: str
    label: str
    look: str = PLAIN
    disabled: bool = False


class Choice(Struct, frozen=True):
    """A line of a menu."""

    value: str
    label: str
    description: str = ""
    chosen: bool = False


class Menu(Struct, frozen=True):
    """A menu, which takes a row of its own."""

    id: str
    placeholder: str
    choices: tuple[Choice, ...]
    at_least: int = 1
    at_most: int = 1


Row = tuple[Button, ...] | Menu


def cut(text: str, limit: int) -> str:
    """The text, shortened with an ellipsis if it is too long."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def button(custom_id: str, label: str, look: str = PLAIN, disabled: bool = False) -> Button:
    """A button whose label fits."""
    return Button(str(custom_id), cut(label.strip() or "…", BUTTON_LABEL), look, disabled)


def choice(value: str, label: str, description: str = "", chosen: bool = False) -> Choice:
    """A line of a menu whose texts fit."""
    return Choice(value, cut(label.strip() or value, CHOICE_TEXT), cut(description, CHOICE_TEXT), chosen)


def button_rows(buttons: Iterable[Button]) -> list[Row]:
    """Buttons in rows of five."""
    rest = iter(buttons)
    rows: list[Row] = []
    while row := tuple(islice(rest, BUTTONS_A_ROW)):
        rows.append(row)
    return rows


def ids_in(rows: Iterable[Row]) -> set[str]:
    """The ids of all buttons and menus."""
    return {part.id for row in rows for part in ((row,) if isinstance(row, Menu) else row)}


def lines_within(lines: Sequence[str], limit: int, left_out: str = "…") -> list[str]:
    """The last lines that fit together, with a word on those left out."""
    if sum(len(line) + 1 for line in lines) - 1 <= limit:
        return list(lines)
    room = limit - len(left_out) - 1
    kept: list[str] = []
    for line in reversed(lines):
        if len(line) > room:
            break
        kept.insert(0, line)
        room -= len(line) + 1
    return [left_out, *(kept or [cut(lines[-1], max(room, 1))])]
