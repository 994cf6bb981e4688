"""Buttons and menus, and what happens when they are pressed.

A component is stateless: everything it needs is in its custom id, so the buttons of every old
message still work after a restart. A feature declares its components as subclasses of Item, with
the pattern of the custom id and `on_press`. The pattern of a released component must go on matching
the custom ids that are already in Discord.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from cachetools import LRUCache, TTLCache
from discord import ui

from bot.kernel.room import Room
from bot.runtime.base import BotError, NotFound, Refused, RunningTasks, awaited_task
from bot.ui.client import MotuInteraction, service
from bot.ui.reply import (
    DISCORD_ERRORS,
    NAMED_MATCH,
    Acknowledgement,
    Question,
    admit,
    run_and_report,
    withdraw,
)

log = logging.getLogger("motu.panel")

T = TypeVar("T")

MATCH = r"(?P<match>[A-Za-z0-9_-]{1,32})"
"""The part of a custom id's pattern that matches the id of a match."""
MAX_REMEMBERED_MESSAGES = 10_000
"""For how many messages to remember the newest press."""
REPEATED_SECONDS = 30.0
"""How long after a press the same one may be a repetition. Later, somebody wants to know more."""
EDIT_SECONDS = 2.0
"""How long a press waits for an edit of the same message that is being sent.

Two requests may overtake each other, and the later one must win.
"""

PREVIOUS_PRESS = "press_before"
"""The key in an interaction's `extras` for the previous press on the same message, or None."""


class LateEdits:
    """Edits that are made some time after a press was answered, such as adding a slow picture.

    They must not overwrite what a newer press on the same message shows.
    """

    def __init__(self) -> None:
        self._newest: LRUCache[int, int] = LRUCache(MAX_REMEMBERED_MESSAGES)
        self._edits_under_way: dict[int, asyncio.Future[Any]] = {}
        self.tasks = RunningTasks()

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Note a new press: drop the pending edits of earlier presses, wait for one being sent."""
        if interaction.message is None:
            return
        message = interaction.message.id
        interaction.extras[PREVIOUS_PRESS] = self._newest.get(message)
        self._newest[message] = interaction.id
        if edit := self._edits_under_way.get(message):
            await asyncio.wait([edit], timeout=EDIT_SECONDS)

    def withdraw(self, interaction: MotuInteraction) -> None:
        """Forget a press that shows nothing, so that edits pending since the last one are made."""
        if interaction.message is None or not self.is_newest(interaction, interaction.message.id):
            return
        previous = interaction.extras.get(PREVIOUS_PRESS)
        if previous is None:
            self._newest.pop(interaction.message.id, None)
        else:
            self._newest[interaction.message.id] = previous

    def is_newest(self, interaction: MotuInteraction, message: int) -> bool:
        """Whether an interaction is still the newest press on a message."""
        return self._newest.get(message, interaction.id) == interaction.id

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work that prepares an edit in the background. If it fails, nothing is edited."""

        async def prepare() -> None:
            try:
                await work
            except (BotError, *DISCORD_ERRORS) as error:
                log.info("couldn't update a panel (%s)", type(error).__name__)

        self.tasks.start(prepare(), "late-edit")

    async def edit(
        self, interaction: MotuInteraction, message: int, send: Callable[[], Awaitable[Any]]
    ) -> None:
        """Send an edit, unless there was a newer press on the message."""
        if self.is_newest(interaction, message):
            await self.wait_for(message, send())

    async def wait_for(self, message: int, sending: Awaitable[T]) -> T:
        """Await an edit of a message. Presses on it wait for the edit before they are handled."""
        self._edits_under_way[message] = edit = awaited_task(sending)
        try:
            return await edit
        finally:
            self._edits_under_way.pop(message, None)

    def newest_press(self, message: int) -> int:
        """Return the id of the newest press on a message, 0 if there was none."""
        return self._newest.get(message, 0)


class LatestPresses:
    """The button that each person has pressed last on a message, unless it was refused.

    People tap twice when an answer takes a moment. The second press of a button that has done its
    work is refused, because there is nothing left to do; nobody needs to be told so.
    """

    def __init__(self) -> None:
        self._buttons: TTLCache[tuple[int, int], tuple[str, ...]] = TTLCache(
            MAX_REMEMBERED_MESSAGES, REPEATED_SECONDS
        )

    async def handle(
        self, interaction: MotuInteraction, button: tuple[str, ...], press: Awaitable[None]
    ) -> None:
        """Await what a press does; say nothing if it is refused and only repeats another."""
        key = (interaction.message.id if interaction.message else 0, interaction.user.id)
        is_repeated = self._buttons.get(key) == button
        self._buttons[key] = button
        try:
            await press
        except Exception as error:
            is_refused = isinstance(error, Refused) and not isinstance(error, Question)
            if not (is_repeated and is_refused):
                self._buttons.pop(key, None)
                raise
            await withdraw(interaction)


class Item(ui.DynamicItem[Any], template=r"(?!)"):
    """A button or menu that was pressed. Features subclass it."""

    def __init__(self, item: "ui.Button[Any] | ui.Select[Any]", fields: dict[str, str]) -> None:
        super().__init__(item)
        self.fields = fields
        """The named groups of its custom id's pattern; '' for a missing one."""

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str], /) -> "Item":
        """Make the item for a pressed component. Called by discord.py."""
        return cls(item, match.groupdict(default=""))

    @property
    def is_menu(self) -> bool:
        """Whether it is a menu, in which it is possible to choose nothing, rather than a button."""
        return isinstance(self.item, ui.Select)

    @property
    def values(self) -> tuple[str, ...]:
        """The chosen values of a menu, or the ids of the chosen people; empty for a button."""
        if isinstance(self.item, ui.UserSelect):
            return tuple(str(user.id) for user in self.item.values)
        return tuple(self.item.values) if isinstance(self.item, ui.Select) else ()

    @property
    def acknowledgement(self) -> Acknowledgement:
        """How the press is acknowledged."""
        return Acknowledgement.AT_ONCE

    def choose_acknowledgement(self, interaction: MotuInteraction) -> Acknowledgement:
        """Return how this press is acknowledged, if it depends on where it was made."""
        return self.acknowledgement

    async def callback(self, interaction: Any) -> None:
        """Admit and handle the press; any error becomes one private answer."""
        how = self.choose_acknowledgement(interaction)
        if not await admit(interaction, type(self).__name__, how):
            return
        # Note the press only now: one that was not admitted shows nothing, so earlier late edits
        # stay valid. The same goes for one that opens a form, which must not wait for an edit.
        if how is not Acknowledgement.FORM:
            await service(interaction, LateEdits).on_press(interaction)
        button = (self.custom_id, *self.values)
        latest = service(interaction, LatestPresses)
        await run_and_report(
            interaction, latest.handle(interaction, button, self.on_press(interaction))
        )

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Handle the press. Implemented by each component."""
        raise NotImplementedError

    async def room(self, interaction: MotuInteraction) -> Room:
        """Return the match in the custom id; refuse if the user may not see it."""
        return await find_named_match(interaction, self.fields["match"])


async def find_named_match(interaction: MotuInteraction, match_id: str) -> Room:
    """Return the match with this id; refuse unless the user plays in it or is in its channel."""
    match_id = match_id.strip().casefold()
    interaction.extras[NAMED_MATCH] = match_id
    # The same refusal for both, so that it does not reveal whether the match exists.
    refusal = NotFound("refusal.no_match_here")
    try:
        room = await interaction.client.kernel.matches.find(match_id)
    except NotFound:
        raise refusal from None
    # Somebody in a thread is also in the channel above it.
    channels_here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    played_in = {room.record.place.channel, room.record.place.thread}
    if room.seat_of(interaction.user.id) is None and not channels_here & played_in:
        raise refusal
    return room


def turn_button(what: str) -> str:
    """Return the custom id pattern of a button under the public message of a turn."""
    return rf"t:{MATCH}:(?P<what>{what})(?::(?P<post>\d{{1,18}}))?"


def turn_button_id(match_id: str, what: str, post: int | None = None) -> str:
    """Return the custom id of a button under a turn's message.

    `post` is the id of the announcement, or the time of the reminder, that the button is under.
    """
    return f"t:{match_id}:{what}" if post is None else f"t:{match_id}:{what}:{post}"


def make_turn_button(
    what: str, show: Callable[[MotuInteraction, Room], Awaitable[None]]
) -> type[Item]:
    """Make the class of a button under a turn's message that shows something about the match."""

    class TurnButton(Item, template=turn_button(what)):
        async def on_press(self, interaction: MotuInteraction) -> None:
            await show(interaction, await self.room(interaction))

    # Logs and metrics identify buttons by the name of their class.
    TurnButton.__name__ = f"{what.title()}Button"
    return TurnButton


GAMES_BUTTON = rf"n:(?P<what>[a-z]{{1,8}}):(?P<page>\d{{1,3}})(?::{MATCH})?"
"""The custom id pattern of the controls of /games.

They show a page of the user's matches or of open lobbies, go to the next match, or join a lobby.
"""


def games_button_id(what: str, page: int = 0, match_id: str = "") -> str:
    """Return the custom id of a control of /games; panels have some of them, too."""
    return f"n:{what}:{page}:{match_id}" if match_id else f"n:{what}:{page}"


KEEP, DROP = "keep", "drop"
PLAN_BUTTON = rf"k:{MATCH}:(?P<plan>\d{{1,20}}):(?P<what>{KEEP}|{DROP})"
"""The custom id pattern of a button that keeps or drops a planned turn."""


def plan_button_id(match_id: str, plan: int, what: str) -> str:
    """Return the custom id of a button that keeps or drops a plan; panels have one, too."""
    return f"k:{match_id}:{plan}:{what}"
