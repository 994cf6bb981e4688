"""The few items that serve every component of every game. They hold nothing: all they know is in their custom ids."""

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
from discord import ui

from bot.components import ids
from bot.components.ids import Control
from bot.components.parts import Menu, Row

if TYPE_CHECKING:
    from bot.app import Motu

Asked: TypeAlias = "discord.Interaction[Motu]"
"""An interaction of this bot."""

Base: TypeAlias = "ui.Button[Any] | ui.Select[Any]"


class _Item(ui.DynamicItem[Any], template=r"(?!)"):
    """What all items share: made from a button or menu, they hand the press on with the parts of their id."""

    def __init__(self, item: Base, fields: dict[str, str]) -> None:
        super().__init__(item)
        self.fields = fields

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str], /) -> "_Item":
        """The item that a pressed component stands for."""
        return cls(item, match.groupdict(default=""))

    @property
    def is_menu(self) -> bool:
        """Whether it is a menu, of which nothing may have been chosen."""
        return isinstance(self.item, ui.Select)

    @property
    def values(self) -> tuple[str, ...]:
        """What was chosen, if it is a menu."""
        return tuple(self.item.values) if isinstance(self.item, ui.Select) else ()

    async def callback(self, interaction: Any) -> None:
        """The press, handed on."""
        await interaction.client.pressed(interaction, self)


class ControlItem(_Item, template=ids.CONTROL):
    """A control of a private panel."""

    @property
    def control(self) -> Control:
        """The parts of its id."""
        f = self.fields
        return Control(f["sort"], f["match"], int(f["seat"]), int(f["turn"]), f["kind"], f["key"])


class LobbyItem(_Item, template=ids.LOBBY):
    """A button or menu of a lobby."""


class TurnItem(_Item, template=ids.TURN):
    """A button under the public message of a turn."""


class PastItem(_Item, template=ids.PAST):
    """A button under a moment of the past."""


class VoteItem(_Item, template=ids.VOTE):
    """A button under a vote."""


class RewindItem(_Item, template=ids.REWIND):
    """A point to which the table may be asked to go back."""


class PlanItem(_Item, template=ids.PLAN):
    """A plan to keep or to drop."""


class RulesItem(_Item, template=ids.RULES):
    """A menu of rules topics."""


class GamesItem(_Item, template=ids.GAMES):
    """A control of /games."""


class MeItem(_Item, template=ids.ME):
    """A menu or button about the person who presses it."""


class HelpItem(_Item, template=ids.HELP):
    """A button of /help."""


class ServerItem(_Item, template=ids.SERVER):
    """A control of a server's settings."""


class AgainItem(_Item, template=ids.AGAIN):
    """A match that a command might mean."""


ITEMS: dict[str, type[_Item]] = {
    ids.CONTROL: ControlItem,
    ids.LOBBY: LobbyItem,
    ids.TURN: TurnItem,
    ids.PAST: PastItem,
    ids.VOTE: VoteItem,
    ids.REWIND: RewindItem,
    ids.PLAN: PlanItem,
    ids.RULES: RulesItem,
    ids.AGAIN: AgainItem,
    ids.ME: MeItem,
    ids.SERVER: ServerItem,
    ids.GAMES: GamesItem,
    ids.HELP: HelpItem,
}
"""The item that serves the custom ids of a pattern."""


def is_known(custom_id: str) -> bool:
    """Whether an item serves this id."""
    return any(re.fullmatch(template, custom_id) for template in ITEMS)


def custom_ids(message: discord.Message) -> set[str]:
    """The ids of a message's buttons and menus."""
    parts = [part for row in message.components for part in getattr(row, "children", ())]
    return {part.custom_id for part in parts if getattr(part, "custom_id", None)}


def carries(message: discord.Message, wanted: Collection[str]) -> bool:
    """Whether a message has one of these buttons or menus."""
    return not custom_ids(message).isdisjoint(wanted)


def view_of(rows: Iterable[Row]) -> ui.View:
    """The rows as discord.py sends them; nothing of it is kept in memory."""
    view = ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            _add(view, number, _select(row))
        else:
            for part in row:
                style = discord.ButtonStyle[part.look]
                _add(view, number, ui.Button(label=part.label, style=style, custom_id=part.id, disabled=part.disabled))
    return view


def _select(menu: Menu) -> "ui.Select[Any]":
    options = [
        discord.SelectOption(
            label=line.label, value=line.value, description=line.description or None, default=line.chosen
        )
        for line in menu.choices
    ]
    return ui.Select(
        custom_id=menu.id,
        placeholder=menu.placeholder,
        options=options,
        min_values=menu.at_least,
        max_values=menu.at_most,
    )


def _add(view: ui.View, row: int, part: Base) -> None:
    """Put a button or menu into a row of a view, inside the item that serves its id."""
    for template, kind in ITEMS.items():
        if found := re.fullmatch(template, part.custom_id or ""):
            item = kind(part, found.groupdict(default=""))
            item.row = row
            view.add_item(item)
            return
    raise ValueError(f"no item serves the id {part.custom_id!r}")
