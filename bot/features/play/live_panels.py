"""Redraw open panels when the match changes, and recognize second presses of the same button.

Discord lets a private message be edited only with the token of an interaction that showed it, and
for fifteen minutes. Within that time a panel that waits for others shows the next question as soon
as there is one. After that, the button below the public post opens a new panel.

The tokens are in the memory of the process that received them, so another process cannot edit these
panels. That is only a lost convenience: nothing may depend on a panel being redrawn.
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
"""How long a panel is redrawn: Discord's fifteen minutes with some to spare."""
MAX_PANELS = 2000
"""How many panels are remembered, the newest of each seat."""
MAX_PRESSES = 10_000
"""For how many panels the last press is remembered."""

Situation = tuple[str, int, str, bool]
"""Everything in a match that makes a seat's panel look different; it is redrawn on a change.

The status of the match, the number of the seat's committed answers, the kind of its question ('' if
none), and whether another player's move has made a part of its draft impossible.
"""
Continue = Callable[[MotuInteraction, Room, Seat, int], Awaitable[None]]
"""Redraws a panel, with what has happened since the commit of this number."""


def describe_situation(room: Room, seat: Seat) -> Situation:
    """Return what a seat's panel depends on, apart from its draft, which only presses change."""
    match = room.playing()
    state = str(room.record.status)
    question = match.without_drafts().question(seat)
    if question is None or seat not in match.waiting_for() or seat not in match.humans():
        return state, 0, "", False
    # `cut` has the seats whose draft has become impossible in part by another player's move.
    return state, match.answered[seat], question.kind, seat in match.cut


class LivePanel(Struct, frozen=True):
    """The newest panel of a seat, and what it shows."""

    interaction: MotuInteraction
    """The interaction whose token can edit the panel."""
    message: int
    seat: Seat
    situation: Situation
    turn: int
    """How many answers the seat had given, its draft included."""
    number: int
    """The number of the last commit that it shows."""
    is_redrawn: bool
    """Whether it is redrawn from here; False for a living message, which the outbox edits."""

    @property
    def expires_at(self) -> float:
        """When to stop editing it, in seconds since 1970."""
        return discord.utils.snowflake_time(self.interaction.id).timestamp() + TOKEN_SECONDS


class LastPress(Struct):
    """The last press on a panel of a control that has an effect."""

    button: tuple[str, ...]
    """The custom id and, for a menu, the chosen values."""
    is_done: bool = False
    """Whether the press has been answered."""


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
        self._presses: LRUCache[int, LastPress] = LRUCache(MAX_PRESSES)
        """By message id."""
        self._chores = Chores("live-panel", self._continue)

    async def close(self) -> None:
        """Edit no more panels."""
        await self._chores.close()

    # Redraw panels.

    def note_shown(
        self,
        interaction: MotuInteraction,
        message: int,
        room: Room,
        seat: Seat,
        is_redrawn: bool = True,
    ) -> None:
        """Remember the panel that an interaction has just shown to a seat, to redraw it later."""
        if not message:
            return
        key = _key(room.record.id, seat)
        match, situation = room.playing(), describe_situation(room, seat)
        self._panels[key] = LivePanel(
            interaction, message, seat, situation, match.turn(seat), match.number, is_redrawn
        )
        # Others may have moved while it was being drawn and sent.
        self._chores.poke(key)

    def on_change(self, change: Change) -> None:
        """Redraw the panels of a match after a change, except that of the player who made it."""
        if change.after.match is None:
            return
        handler = self._handlers.current()
        for number in range(change.after.match.seats):
            seat = Seat(number)
            key = _key(change.match_id, seat)
            if seat == change.actor:
                # The answer to their press shows the panel, so the old one needs no redrawing.
                self._panels.pop(key, None)
            elif key not in self._panels:
                continue
            elif handler is None:
                self._chores.poke(key)
            else:
                # The player who has just pressed something is waiting, and drawing another panel
                # takes as long as drawing theirs. So draw theirs first.
                handler.add_done_callback(partial(self._poke, key))

    def _poke(self, key: str, _: object) -> None:
        self._chores.poke(key)

    def on_notification(self, notification: str) -> None:
        """Redraw the panels of a match that another process has changed."""
        for key in list(self._panels):
            if key.startswith(f"{notification}:"):
                self._chores.poke(key)

    async def _continue(self, key: str) -> None:
        """Redraw a panel if its situation has changed."""
        panel = self._panels.get(key)
        if panel is None or not panel.is_redrawn:
            return
        try:
            room = await self._matches.find(key.partition(":")[0])
            if describe_situation(room, panel.seat) == panel.situation:
                return
            # `LateEdits` drops this edit if a press on the panel is being answered: that answer
            # shows the new situation, too.
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
            # Leave the panel as it is: the button below the post opens a new one.
            pass

    # Second presses.

    def is_repeated(self, interaction: MotuInteraction, button: tuple[str, ...]) -> bool:
        """Whether a button is pressed again while its first press is being answered."""
        press = self._last_press(interaction)
        return press is not None and press.button == button and not press.is_done

    def has_done(
        self, interaction: MotuInteraction, button: tuple[str, ...], room: Room, seat: Seat
    ) -> bool:
        """Whether a button was the last one pressed, and the panel shows its result as it is now.

        If others have changed the situation since, this is False: then the player must be told why
        the button has no effect.
        """
        press = self._last_press(interaction)
        panel = self._panels.get(_key(room.record.id, seat))
        if press is None or panel is None or interaction.message is None:
            return False
        is_shown = panel.message == interaction.message.id
        is_current = panel.situation == describe_situation(room, seat)
        is_current = is_current and panel.turn == room.playing().turn(seat)
        return press.button == button and is_shown and is_current

    def ignore(self, interaction: MotuInteraction, match_id: str, seat: Seat) -> None:
        """Treat a panel as if this press had not happened, so that pending edits are made."""
        self._late_edits.withdraw(interaction)
        self._chores.poke(_key(match_id, seat))

    def begin_press(self, interaction: MotuInteraction, button: tuple[str, ...]) -> None:
        """Note that a press on a panel is being answered."""
        if interaction.message is not None:
            self._presses[interaction.message.id] = LastPress(button)

    def end_press(
        self, interaction: MotuInteraction, button: tuple[str, ...], has_acted: bool
    ) -> None:
        """Note that a press was answered; one that had no effect can be tried again."""
        press = self._last_press(interaction)
        if interaction.message is None or press is None or press.button != button:
            return
        if has_acted:
            press.is_done = True
        else:
            del self._presses[interaction.message.id]

    def _last_press(self, interaction: MotuInteraction) -> LastPress | None:
        """Return the last press on the same panel as this one."""
        return self._presses.get(interaction.message.id) if interaction.message else None


def _key(match_id: str, seat: Seat) -> str:
    return f"{match_id}:{seat}"
