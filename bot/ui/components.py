"""Buttons and menus that somebody presses.

Everything a component knows when it is pressed stands in its custom id, so a restart loses nothing.
A feature declares its components as subclasses of Item: the pattern of their ids, and what a press
does.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar

from cachetools import LRUCache
from discord import ui

from bot.kernel.room import Room
from bot.runtime.base import BotError, NotFound, RunningTasks, awaited_task
from bot.ui.client import MotuInteraction, service
from bot.ui.reply import DISCORD_ERRORS, MEANT, Acknowledgement, admit, guarded

log = logging.getLogger("motu.panel")

MATCH = r"(?P<match>[A-Za-z0-9_-]{1,32})"
"""The id of a match in a pattern."""
REMEMBERED = 10_000
"""Messages of which the newest press is known."""
EDIT_SECONDS = 2.0
"""How long a press waits for an edit that is on its way to the same message: what is sent later
must arrive later.
"""


class LateEdits:
    """The edits that are being prepared, and the newest press on every message."""

    def __init__(self) -> None:
        self._newest: LRUCache[int, int] = LRUCache(REMEMBERED)
        self._on_their_way: dict[int, asyncio.Future[Any]] = {}
        self.tasks = RunningTasks()

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Drop what was to follow earlier presses on the message; an edit on its way goes first."""
        if interaction.message is None:
            return
        message = interaction.message.id
        self._newest[message] = interaction.id
        if edit := self._on_their_way.get(message):
            await asyncio.wait([edit], timeout=EDIT_SECONDS)

    def is_newest(self, interaction: MotuInteraction, message: int) -> bool:
        """Return whether nothing was pressed on a message since the interaction that it shows."""
        return self._newest.get(message, interaction.id) == interaction.id

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Prepare an edit beside everything else. If it fails, the message stays as it is."""

        async def prepare() -> None:
            try:
                await work
            except (BotError, *DISCORD_ERRORS) as error:
                log.info("a panel stays without what was to follow (%s)", type(error).__name__)

        self.tasks.start(prepare(), "late-edit")

    async def edit(
        self, interaction: MotuInteraction, message: int, send: Callable[[], Awaitable[Any]]
    ) -> None:
        """Send the edit, unless something newer was pressed on the message."""
        if not self.is_newest(interaction, message):
            return
        self._on_their_way[message] = edit = awaited_task(send())
        try:
            await edit
        finally:
            self._on_their_way.pop(message, None)


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
        # A press that is not admitted leaves the message as it is, so what was to follow on it
        # still may.
        await service(interaction, LateEdits).on_press(interaction)
        await guarded(interaction, self.on_press(interaction))

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the component is for."""
        raise NotImplementedError

    async def room(self, interaction: MotuInteraction) -> Room:
        """Return the match that the component names; refuse one that the user may not see."""
        return await named(interaction, self.fields["match"])


async def named(interaction: MotuInteraction, match: str) -> Room:
    """Return the match of that id, if the user sits in it or it is played where they are."""
    wanted = match.strip().casefold()
    interaction.extras[MEANT] = wanted
    refusal = NotFound("refusal.no_match_here")
    try:
        room = await interaction.client.kernel.matches.find(wanted)
    except NotFound:
        raise refusal from None
    # In a thread they are in the channel above it too.
    around = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    played_in = {room.record.place.channel, room.record.place.thread}
    if room.seat_of(interaction.user.id) is None and not around & played_in:
        raise refusal
    return room


def turn_button(what: str) -> str:
    """Return the pattern of a button that may stand under a turn's public message."""
    return rf"t:{MATCH}:(?P<what>{what})(?::(?P<post>\d{{1,18}}))?"


def turn_button_id(match: str, what: str, post: int | None = None) -> str:
    """Return the id of a button under a turn's message; `post` tells a match's posts apart."""
    return f"t:{match}:{what}" if post is None else f"t:{match}:{what}:{post}"


def make_turn_button(
    what: str, show: Callable[[MotuInteraction, Room], Awaitable[None]]
) -> type[Item]:
    """Make the button of that name under a turn's message: a press shows something of its match."""

    class TurnButton(Item, template=turn_button(what)):
        async def on_press(self, interaction: MotuInteraction) -> None:
            await show(interaction, await self.room(interaction))

    # Logs and metrics tell buttons apart by their classes.
    TurnButton.__name__ = f"{what.title()}Button"
    return TurnButton


GAMES_BUTTON = rf"n:(?P<what>[a-z]{{1,8}}):(?P<page>\d{{1,3}})(?::{MATCH})?"
"""A control of /games: a page of the user's matches or of open lobbies, the next match, or a lobby
to join.
"""


def games_button_id(what: str, page: int = 0, match: str = "") -> str:
    """Return the id of a control of /games; panels offer some of them too."""
    return f"n:{what}:{page}:{match}" if match else f"n:{what}:{page}"


KEEP, DROP = "keep", "drop"
PLAN_BUTTON = rf"k:{MATCH}:(?P<plan>\d{{1,20}}):(?P<what>{KEEP}|{DROP})"
"""Keeps a plan, or drops it."""


def plan_button_id(match: str, plan: int, what: str) -> str:
    """Return the id of a button that keeps or drops a plan; panels offer one too."""
    return f"k:{match}:{plan}:{what}"
