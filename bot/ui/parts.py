"""The parts of messages, within Discord's limits: texts, buttons, menus, sections and embeds.

They are plain values, so that messages can be built and compared without Discord. `view_of` and
`layout_of` turn them into discord.py's objects: a view is the rows of buttons and menus below a
plain message, a layout is a whole message that consists of parts (Components V2).

A message that pings somebody must be plain, because a phone shows the notification of a layout
without any text. All other messages, above all the private ones, are layouts.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import discord
from discord import ui
from msgspec import Struct
from msgspec.structs import force_setattr

from bot.text import say

# Discord's limits, as numbers of components or characters. They must not be changed.
ROWS = 5
BUTTONS_A_ROW = 5
CHOICES = 25
BUTTON_LABEL = 80
CHOICE_TEXT = 100
PLACEHOLDER = 150
CUSTOM_ID = 100
CONTENT = 2000
LAYOUT_TEXT = 4000
"""For all texts of a layout together."""
LAYOUT_PARTS = 40
"""For all components of a layout, nested ones included."""

PLAIN, STRONG, GOOD, GRAVE = "secondary", "primary", "success", "danger"
"""The styles of a button, by their names in discord.ButtonStyle."""
BOT_COLOUR = 0x2A7F8E
PICTURE_TYPES = (".png", ".gif", ".webp", ".jpg")
"""The file name endings that Discord shows as pictures."""

V = TypeVar("V", ui.View, ui.LayoutView)


class Button(Struct, frozen=True):
    """A button. A label that is too long is cut; `look` is a name of discord.ButtonStyle."""

    id: str
    label: str
    look: str = PLAIN
    disabled: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "label", cut(self.label.strip() or "…", BUTTON_LABEL))


class Choice(Struct, frozen=True):
    """An option of a menu. Texts that are too long are cut."""

    value: str
    label: str
    description: str = ""
    chosen: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "label", cut(self.label.strip() or self.value, CHOICE_TEXT))
        force_setattr(self, "description", cut(self.description, CHOICE_TEXT))


# The classes of a Part are tagged, although messages are never stored: where msgspec cannot tell
# classes apart, `prepare_decoders` has to leave them out.


class Menu(Struct, frozen=True, tag=True):
    """A menu, which takes up a whole row."""

    id: str
    placeholder: str
    choices: tuple[Choice, ...]
    at_least: int = 1
    at_most: int = 1


class PeopleMenu(Struct, frozen=True, tag=True):
    """A menu of all members of the server, which takes up a whole row. One can be chosen."""

    id: str
    placeholder: str


Row = tuple[Button, ...] | Menu | PeopleMenu


class Section(Struct, frozen=True, tag=True):
    """A text with a button beside it, for an option that has more to say than its label."""

    text: str
    button: Button


Part = str | Section | Row
"""A part of a layout. A string is a text of its own, with Discord's markdown."""


def cut(text: str, limit: int) -> str:
    """Return a text, cut off with an ellipsis if it is longer than the limit."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def button_rows(buttons: Iterable[Button]) -> list[Row]:
    """Arrange buttons in rows of five."""
    return [tuple(row) for row in discord.utils.as_chunks(iter(buttons), BUTTONS_A_ROW)]


def next_page_button(page: int, pages: int, make_id: Callable[[int], str]) -> list[Button]:
    """Return the button for the page after `page`, the first one after the last.

    Pages are counted from 0. If there is only one page, there is no button.
    """
    following = (page + 1) % pages
    label = say("panel.next_page", number=following + 1, pages=pages)
    return [Button(make_id(following), label)] if pages > 1 else []


def ids_in(rows: Iterable[Row]) -> set[str]:
    """Return the custom ids of all buttons and menus in rows."""
    ids: set[str] = set()
    for row in rows:
        parts = row if isinstance(row, tuple) else (row,)
        ids |= {part.id for part in parts}
    return ids


def lines_within(lines: Sequence[str], limit: int, left_out: str = "…") -> list[str]:
    """Return the last lines that fit within a limit of characters; `left_out` marks a cut."""
    for first in range(max(len(lines), 1)):
        shown = [left_out, *lines[first:]] if first else list(lines)
        if len("\n".join(shown)) <= limit:
            return shown
    return [left_out, cut(lines[-1], max(limit - len(left_out) - 1, 1))]


def custom_ids(message: discord.Message) -> set[str]:
    """Return the custom ids of a message's buttons and menus."""
    ids: set[str] = set()
    pending: list[Any] = list(message.components)
    while pending:
        part = pending.pop()
        # Rows and sections have children; a section has its button as an accessory.
        pending += getattr(part, "children", ())
        if accessory := getattr(part, "accessory", None):
            pending.append(accessory)
        if custom_id := getattr(part, "custom_id", None):
            ids.add(custom_id)
    return ids


def has_component(message: discord.Message, wanted: Collection[str]) -> bool:
    """Whether a message has a button or menu with one of these custom ids."""
    return not custom_ids(message).isdisjoint(wanted)


def view_of(rows: Iterable[Row]) -> ui.View:
    """Return rows of buttons and menus as the view of a plain message."""
    view = ui.View(timeout=None)
    for number, row in enumerate(rows):
        if not isinstance(row, tuple):
            menu = _make_menu(row)
            menu.row = number
            view.add_item(menu)
            continue
        for part in row:
            button = _make_button(part)
            button.row = number
            view.add_item(button)
    return _forget(view)


def layout_of(parts: Iterable[Part], files: Sequence[discord.File] = ()) -> ui.LayoutView:
    """Return parts as a layout: pictures among the files at the top, other files at the bottom.

    Texts that are too long together are cut at the end. The caller must keep to LAYOUT_PARTS.
    """
    parts = list(parts)
    layout = ui.LayoutView(timeout=None)
    pictures = [file for file in files if file.filename.endswith(PICTURE_TYPES)]
    galleries = [pictures[:1], pictures[1:]]
    if count_components(parts) > LAYOUT_PARTS - len(galleries):
        galleries = [pictures]
    # Discord shows the pictures of a gallery side by side. The first, usually the board, gets a
    # gallery of its own if there is space, so that it has the full width.
    for together in filter(None, galleries):
        gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
        for picture in together:
            gallery.add_item(media=picture.uri, description=picture.description)
        layout.add_item(gallery)
    space = LAYOUT_TEXT
    for part in parts:
        if isinstance(part, str | Section):
            text = cut(part if isinstance(part, str) else part.text, space)
            space -= len(text)
            if isinstance(part, Section):
                # Discord rejects an empty text, but the section's button must stay.
                layout.add_item(ui.Section(text or "…", accessory=_make_button(part.button)))
            elif text.strip():
                layout.add_item(ui.TextDisplay(text))
        elif isinstance(part, Menu | PeopleMenu):
            layout.add_item(ui.ActionRow(_make_menu(part)))
        elif part:
            layout.add_item(ui.ActionRow(*map(_make_button, part)))
    for file in files:
        if file not in pictures:
            layout.add_item(ui.File(file.uri))
    return _forget(layout)


def count_components(parts: Iterable[Part]) -> int:
    """Return how many of a layout's LAYOUT_PARTS components these parts take up."""
    total = 0
    for part in parts:
        if isinstance(part, str):
            total += 1
        elif isinstance(part, Section):
            # The section, its text and its button.
            total += 3
        elif isinstance(part, Menu | PeopleMenu):
            # The row and the menu in it.
            total += 2
        else:
            total += 1 + len(part)
    return total


def _make_button(part: Button) -> ui.Button[Any]:
    return ui.Button(
        label=part.label,
        style=discord.ButtonStyle[part.look],
        custom_id=part.id,
        disabled=part.disabled,
    )


def _make_menu(part: Menu | PeopleMenu) -> ui.Select[Any] | ui.UserSelect[Any]:
    if isinstance(part, PeopleMenu):
        return ui.UserSelect(custom_id=part.id, placeholder=part.placeholder)
    menu: ui.Select[Any] = ui.Select(
        custom_id=part.id,
        placeholder=part.placeholder,
        min_values=part.at_least,
        max_values=part.at_most,
    )
    for choice in part.choices:
        menu.add_option(
            label=choice.label,
            value=choice.value,
            description=choice.description or None,
            default=choice.chosen,
        )
    return menu


def _forget(view: V) -> V:
    """Stop a view and return it, so that discord.py does not keep it in memory.

    Presses still arrive: they are routed by the custom id patterns of items (components.py).
    """
    view.stop()
    return view


def with_heading(heading: str, text: str) -> str:
    """Return a text below a heading, for a part of a layout."""
    return f"### {heading}\n{text}"


def new_embed(title: str, description: str) -> discord.Embed:
    """Return an embed in the bot's colour."""
    return discord.Embed(title=title, description=description or None, colour=BOT_COLOUR)
