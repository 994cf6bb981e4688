"""Buttons and menus that somebody presses.

Everything a component knows when it is pressed stands in its custom id, so a restart loses nothing. A feature declares
its components as subclasses of Item: the pattern of their ids, and what a press does.
"""

import re
from typing import Any, ClassVar

from discord import ui

from bot.ui.client import MotuInteraction
from bot.ui.late_edits import LateEdits
from bot.ui.reply import Acknowledgement, admit, guarded

MATCH = r"(?P<match>[A-Za-z0-9_-]{1,32})"
"""The id of a match in a pattern."""


class Item(ui.DynamicItem[Any], template=r"(?!)"):
    """A button or menu that was pressed, with the parts of its custom id."""

    acknowledgement: ClassVar[Acknowledgement] = Acknowledgement.AT_ONCE
    """How Discord learns that a press is being handled."""

    def __init__(self, item: "ui.Button[Any] | ui.Select[Any]", fields: dict[str, str]) -> None:
        super().__init__(item)
        self.fields = fields
        """The named groups of its pattern; '' for one that is missing."""

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str], /) -> "Item":
        """Make the item that a pressed component stands for."""
        return cls(item, match.groupdict(default=""))

    @property
    def is_menu(self) -> bool:
        """Whether it is a menu, in which nothing may have been chosen."""
        return isinstance(self.item, ui.Select)

    @property
    def values(self) -> tuple[str, ...]:
        """What was chosen, if it is a menu."""
        return tuple(self.item.values) if isinstance(self.item, ui.Select) else ()

    def acknowledged(self) -> Acknowledgement:
        """Return how this press is acknowledged, where that depends on its id."""
        return self.acknowledgement

    async def callback(self, interaction: Any) -> None:
        """Admit the press, then handle it; whatever goes wrong becomes one private answer."""
        if not await admit(interaction, type(self).__name__, self.acknowledged()):
            return
        # A press that is not admitted leaves the message as it is, so what was to follow on it still may.
        await interaction.client.services.require(LateEdits).on_press(interaction)
        await guarded(interaction, self.on_press(interaction))

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the component is for."""
        raise NotImplementedError


def turn_button(what: str) -> str:
    """Return the pattern of a button that may stand under a turn's public message."""
    return rf"t:{MATCH}:(?P<what>{what})(?::(?P<post>\d{{1,18}}))?"


def turn_button_id(match: str, what: str, post: int | None = None) -> str:
    """Return the id of a button under a turn's public message; `post` tells the posts of a match apart."""
    return f"t:{match}:{what}" if post is None else f"t:{match}:{what}:{post}"


GAMES_BUTTON = rf"n:(?P<what>[a-z]{{1,8}}):(?P<page>\d{{1,3}})(?::{MATCH})?"
"""A control of /games: a page of one's own matches or of open tables, the next match, or a table to join."""


def games_button_id(what: str, page: int = 0, match: str = "") -> str:
    """Return the id of a control of /games; panels offer some of them too."""
    return f"n:{what}:{page}:{match}" if match else f"n:{what}:{page}"


KEEP, DROP = "keep", "drop"
PLAN_BUTTON = rf"k:{MATCH}:(?P<plan>\d{{1,20}}):(?P<what>{KEEP}|{DROP})"
"""Keeps a plan, or drops it."""


def plan_button_id(match: str, plan: int, what: str) -> str:
    """Return the id of a button that keeps or drops a plan; panels offer one too."""
    return f"k:{match}:{plan}:{what}"
