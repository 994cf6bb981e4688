"""Panels that go on by themselves, and second presses of buttons that have done their work.

Discord lets a private message be edited only with the token of an interaction that showed it, and
for fifteen minutes. Within that time a panel that waits for others shows the next question as soon
as there is one. After that, the button below the public post opens a new panel.

The tokens are in the memory of the process that received them. Another process cannot edit these
panels, and nothing is lost without it.
"""

from collections.abc import Awaitable, Callable
from functools import partial

import discord
from cachetools import LRUCache, TLRUCache
from msgspec import Struct

from bot.kernel.change import Change
from bot.kernel.room import Room
from bot.runtime.base import BotError, Chores
from bot.ui import DISCORD_ERRORS, LateEdits, MotuClient, MotuInteraction, error_codes
from engine import EngineError, Seat
from engine.core.words import closest_language, speaking

TOKEN_SECONDS = 14.5 * 60.0
"""How long a panel is edited by itself; Discord's fifteen minutes with some to spare."""
MAX_PANELS = 2000
"""How many panels are remembered, the newest of each seat."""
MAX_PRESSES = 10_000
"""For how many panels the last press is remembered."""

Situation = tuple[str, int, str, bool]
"""The state of a match, and what a seat is asked in it; a panel goes on when this changes."""
Continue = Callable[[MotuInteraction, Room, Seat, int], Awaitable[None]]
"""Shows a panel anew, with what has happened since a commit."""


def describe_situation(room: Room, seat: Seat) -> Situation:
    """Return what a panel shows apart from its draft, which only changes by presses."""
    match = room.playing()
    state = str(room.record.status)
    question = match.without_drafts().question(seat)
    if question is None or seat not in match.waiting_for() or seat not in match.humans():
        return state, 0, "", False
    # Somebody else's move may have made a part of the draft impossible.
    return state, match.answered[seat], question.kind, seat in match.cut


class LivePanel(Struct, frozen=True):
    """The newest panel of a seat, and what it shows."""

    interaction: MotuInteraction
    """Its token edits the panel."""
    message: int
    seat: Seat
    situation: Situation
    turn: int
    """How many answers the seat had given, its draft included."""
    number: int
    """The number of the last commit that it shows."""
    goes_on: bool
    """Whether it is shown anew here; the outbox does that with living messages."""

    @property
    def expires_at(self) -> float:
        """When to stop editing it, in seconds since 1970."""
        return discord.utils.snowflake_time(self.interaction.id).timestamp() + TOKEN_SECONDS


class Pressed(Struct):
    """The last press on a panel that has an effect."""

    button: tuple[str, ...]
    """The custom id and, for a menu, the chosen values."""
    is_done: bool = False


class LivePanels:
    """The panels that this process can still edit, by match and seat."""

    def __init__(self, client: MotuClient, show: Continue) -> None:
        self._matches = client.kernel.matches
        self._handlers = client.handlers
        self._late_edits = client.services.require(LateEdits)
        self._show = show
        self._panels: TLRUCache[str, LivePanel] = TLRUCache(
            MAX_PANELS, lambda _, panel, now: panel.expires_at, client.kernel.now
        )
        self._pressed: LRUCache[int, Pressed] = LRUCache(MAX_PRESSES)
        """By message."""
        self._chores = Chores("live-panel", self._continue)

    async def close(self) -> None:
        """Edit no more panels."""
        await self._chores.close()

    # Panels that go on by themselves.

    def note_shown(
        self,
        interaction: MotuInteraction,
        message: int,
        room: Room,
        seat: Seat,
        goes_on: bool = True,
    ) -> None:
        """Note that an interaction has shown a seat's panel."""
        if not message:
            return
        key = _key(room.record.id, seat)
        match, situation = room.playing(), describe_situation(room, seat)
        self._panels[key] = LivePanel(
            interaction, message, seat, situation, match.turn(seat), match.number, goes_on
        )
        # While it was drawn and sent, others may have moved.
        self._chores.poke(key)

    def on_change(self, change: Change) -> None:
        """Continue the panels that a change has something new for."""
        if change.after.match is None:
            return
        handler = self._handlers.current()
        for number in range(change.after.match.seats):
            seat = Seat(number)
            key = _key(change.match_id, seat)
            if seat == change.actor:
                # The answer to what they did is a panel too, the same one or a newer one.
                self._panels.pop(key, None)
            elif key not in self._panels:
                continue
            elif handler is None:
                self._chores.poke(key)
            else:
                # Whoever has just pressed something is waiting, and drawing another panel takes as
                # long as drawing theirs.
                handler.add_done_callback(partial(self._poke, key))

    def _poke(self, key: str, _: object) -> None:
        self._chores.poke(key)

    def on_notification(self, notification: str) -> None:
        """Continue the panels of a match that another process has changed."""
        for key in list(self._panels):
            if key.startswith(f"{notification}:"):
                self._chores.poke(key)

    async def _continue(self, key: str) -> None:
        """Show a panel anew if there is something new for it."""
        panel = self._panels.get(key)
        if panel is None or not panel.goes_on:
            return
        try:
            room = await self._matches.find(key.partition(":")[0])
            if describe_situation(room, panel.seat) == panel.situation:
                return
            # Not if a press on it is being answered: the answer shows what is new.
            with speaking(closest_language(str(panel.interaction.locale))):
                await self._late_edits.edit(
                    panel.interaction,
                    panel.message,
                    lambda: self._show(panel.interaction, room, panel.seat, panel.number),
                )
        except discord.HTTPException as error:
            if error.code in error_codes.TOO_LATE and self._panels.get(key) is panel:
                # The panel was closed, or its token is no longer valid.
                del self._panels[key]
        except (BotError, EngineError, *DISCORD_ERRORS):
            # The panel stays as it is, and the button below the post opens a new one.
            pass

    # Second presses.

    def is_repeated(self, interaction: MotuInteraction, button: tuple[str, ...]) -> bool:
        """Whether a button is pressed again while its first press is being answered."""
        pressed = self._pressed_on(interaction)
        return pressed is not None and pressed.button == button and not pressed.is_done

    def has_done(
        self, interaction: MotuInteraction, button: tuple[str, ...], room: Room, seat: Seat
    ) -> bool:
        """Whether a button was the last one pressed, and the panel shows its result as it is now.

        If others have changed the situation since, the player has to know why nothing happens.
        """
        pressed = self._pressed_on(interaction)
        panel = self._panels.get(_key(room.record.id, seat))
        if pressed is None or panel is None or interaction.message is None:
            return False
        is_shown = panel.message == interaction.message.id
        is_current = panel.situation == describe_situation(room, seat)
        is_current = is_current and panel.turn == room.playing().turn(seat)
        return pressed.button == button and is_shown and is_current

    def ignore(self, interaction: MotuInteraction, match: str, seat: Seat) -> None:
        """Let a panel go on as if this press had not happened."""
        self._late_edits.withdraw(interaction)
        self._chores.poke(_key(match, seat))

    def begin_press(self, interaction: MotuInteraction, button: tuple[str, ...]) -> None:
        """Note that a press on a panel is being answered."""
        if interaction.message is not None:
            self._pressed[interaction.message.id] = Pressed(button)

    def end_press(
        self, interaction: MotuInteraction, button: tuple[str, ...], has_acted: bool
    ) -> None:
        """Note that a press was answered; one that did nothing can be tried again."""
        pressed = self._pressed_on(interaction)
        if interaction.message is None or pressed is None or pressed.button != button:
            return
        if has_acted:
            pressed.is_done = True
        else:
            del self._pressed[interaction.message.id]

    def _pressed_on(self, interaction: MotuInteraction) -> Pressed | None:
        return self._pressed.get(interaction.message.id) if interaction.message else None


def _key(match: str, seat: Seat) -> str:
    return f"{match}:{seat}"
