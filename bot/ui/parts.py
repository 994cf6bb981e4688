"""What messages are made of, within Discord's limits: text, buttons, menus and embeds."""

from collections.abc import Callable, Collection, Iterable, Sequence

import discord
from discord import ui
from msgspec import Struct
from msgspec.structs import force_setattr

from bot.text import say

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
SEA = 0x2A7F8E
"""The bot's colour."""


class Button(Struct, frozen=True):
    """A button whose label fits; `look` is a name of discord.ButtonStyle."""

    id: str
    label: str
    look: str = PLAIN
    disabled: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "label", cut(self.label.strip() or "…", BUTTON_LABEL))


class Choice(Struct, frozen=True):
    """A line of a menu whose texts fit."""

    value: str
    label: str
    description: str = ""
    chosen: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "label", cut(self.label.strip() or self.value, CHOICE_TEXT))
        force_setattr(self, "description", cut(self.description, CHOICE_TEXT))


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


def button_rows(buttons: Iterable[Button]) -> list[Row]:
    """Buttons in rows of five."""
    return [tuple(row) for row in discord.utils.as_chunks(iter(buttons), BUTTONS_A_ROW)]


def next_page_button(page: int, pages: int, make_id: Callable[[int], str]) -> list[Button]:
    """Return the button that turns to the page after one, counted from 0; none if there is one."""
    following = (page + 1) % pages
    label = say("panel.next_page", number=following + 1, pages=pages)
    return [Button(make_id(following), label)] if pages > 1 else []


def ids_in(rows: Iterable[Row]) -> set[str]:
    """The ids of all buttons and menus."""
    return {part.id for row in rows for part in ((row,) if isinstance(row, Menu) else row)}


def lines_within(lines: Sequence[str], limit: int, left_out: str = "…") -> list[str]:
    """The last lines that fit together, with a word on those left out."""
    for first in range(max(len(lines), 1)):
        kept = [left_out, *lines[first:]] if first else list(lines)
        if len("\n".join(kept)) <= limit:
            return kept
    return [left_out, cut(lines[-1], max(limit - len(left_out) - 1, 1))]


def custom_ids(message: discord.Message) -> set[str]:
    """Return the ids of a message's buttons and menus."""
    parts = [part for row in message.components for part in getattr(row, "children", ())]
    return {part.custom_id for part in parts if getattr(part, "custom_id", None)}


def carries(message: discord.Message, wanted: Collection[str]) -> bool:
    """Whether a message has one of these buttons or menus."""
    return not custom_ids(message).isdisjoint(wanted)


def view_of(rows: Iterable[Row]) -> ui.View:
    """Return rows of buttons and menus as discord.py sends them."""
    view = ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            menu: ui.Select[ui.View] = ui.Select(
                custom_id=row.id,
                placeholder=row.placeholder,
                min_values=row.at_least,
                max_values=row.at_most,
                row=number,
            )
            for line in row.choices:
                menu.add_option(
                    label=line.label,
                    value=line.value,
                    description=line.description or None,
                    default=line.chosen,
                )
            view.add_item(menu)
            continue
        for part in row:
            view.add_item(
                ui.Button(
                    label=part.label,
                    style=discord.ButtonStyle[part.look],
                    custom_id=part.id,
                    disabled=part.disabled,
                    row=number,
                )
            )
    # discord.py keeps a view in memory until it is stopped. Presses are served by the items'
    # patterns instead.
    view.stop()
    return view


def new_embed(title: str, description: str) -> discord.Embed:
    """Return an embed in the bot's colour, to which fields can be added."""
    return discord.Embed(title=title, description=description or None, colour=SEA)
