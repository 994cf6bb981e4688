"""Play: everything a player can do in their seat, such as draft, confirm and resign.

Every move goes through `Play.play`, which makes it safe against stale buttons and against presses
that Discord delivers twice. Nothing here talks to Discord.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from bot.features.play.advice import find_hinted_turn
from bot.features.rewind import Rewinds
from bot.kernel import encoding
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import RefusedBefore, retry_on_conflict
from bot.kernel.room import Press, Room, Update, playable_match
from bot.model import HandledInteraction, Status
from bot.runtime.base import Refused
from engine import Answer, Match, NothingToUndo, Seat

Move = Callable[[Room, Seat], Iterable[Match]]
"""Makes a player's move and returns the match after each step. Raises Refused if it is illegal."""


class NoDraft(Exception):
    """There is no draft to undo, so the last turn is taken back instead."""


class Play:
    """Everything that a player can do in their seat."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def pick(self, press: Press, kind: str, keys: tuple[str, ...]) -> Update:
        """Add an answer to the draft, or take an offer; confirm if the game needs no Confirm."""

        def pick(room: Room, seat: Seat) -> list[Match]:
            match = room.playing()
            picked = match.pick(Answer(seat, kind, keys))
            is_drafted = picked.number == match.number
            if is_drafted and picked.commits_without_confirm(seat):
                return [picked, picked.confirm(seat)]
            return [picked]

        return await self.play(press, pick)

    async def confirm(self, press: Press) -> Update:
        """Commit the draft."""
        return await self.play(
            press, lambda room, seat: [room.playing().confirm(seat)], needs_draft=True
        )

    async def undo(self, press: Press, everything: bool = False) -> Update:
        """Undo the last pick or the whole draft; without a draft, take back the last turn."""

        def undo(room: Room, seat: Seat) -> list[Match]:
            try:
                return [room.playing().undo(seat, everything)]
            except NothingToUndo as error:
                if press.turn is not None:
                    raise
                raise NoDraft from error

        try:
            return await self.play(press, undo, needs_draft=True)
        except NoDraft:
            # Whether there is a draft is only known for certain under the lock, where `undo` runs:
            # an earlier press may have been changing the draft until then.
            return await self._kernel.services.require(Rewinds).take_back(press)

    async def resign(self, press: Press) -> Update:
        """Resign. This is possible even while the match is paused."""
        return await self.play(
            press, lambda room, seat: [room.playing().resign(seat)], while_paused=True
        )

    async def come_back(self, press: Press) -> Update:
        """Take the seat back from the computer that plays it for an absent player."""
        # Any move takes the seat back (see `play`), so an empty one is enough.
        return await self.play(press, lambda room, seat: [])

    async def take_hint(self, press: Press, room: Room, seat: Seat, key: str) -> Update:
        """Draft a whole turn of a hint, for the player to confirm or undo."""
        must_have_hints(room)
        match = room.playing()
        thought = await self._kernel.computers.advise(room, seat, match.draft(seat).answers)
        turn = find_hinted_turn(match, thought, key)
        return await self.play(press, lambda room, seat: [room.playing().replay_draft(seat, turn)])

    async def leave_lesson(self, press: Press, plays_on: bool) -> Room:
        """End a lesson: the match continues without a coach, or ends without a result."""

        def leave(change: Change) -> Change:
            room = change.before
            playable_match(room, room.own_seat(press.user))
            if not room.record.terms.lesson:
                return change
            change = change.update(terms=replace(room.record.terms, lesson=False))
            if plays_on:
                return change
            return change.update(status=Status.CALLED_OFF, result_unannounced=True)

        return (await self._kernel.pipeline.change(press.match, leave)).after

    @retry_on_conflict
    async def play(
        self,
        press: Press,
        move: Move,
        needs_draft: bool = False,
        while_paused: bool = False,
    ) -> Update:
        """Make a move, completely or not at all, and return its result.

        The move is computed under the lock, from the newest match. With `needs_draft` it is only
        possible while the seat has a draft, with `while_paused` even in a paused match. If Discord
        delivers a press twice, both get the same result. The press of an outdated button changes
        nothing, and its result is marked as stale.
        """
        kernel = self._kernel
        try:
            async with kernel.pipeline.exclusive(press.match, press.interaction) as (
                change,
                earlier,
            ):
                room, handled = change.before, earlier
                seat = room.own_seat(press.user)
                if handled is None:
                    match = playable_match(room, seat, while_paused)
                    # Confirming a turn does not change its number of answers, so a second press on
                    # Confirm is recognized by the missing draft.
                    has_draft = match.draft(seat).answers or match.has_one_answer(seat)
                    is_gone = match.turn(seat) != press.turn or (needs_draft and not has_draft)
                    if press.turn is not None and is_gone:
                        kernel.pipeline.note_refused(press.interaction)
                        return Update(room, seat, stale=True)
                    positions = [match]
                    if seat in match.away:
                        # A computer played for this player, who is back now.
                        positions.append(match.hand_over(seat, to_computer=False))
                    positions += move(Room(room.record, positions[-1]), seat)
                    handled = HandledInteraction(
                        interaction=press.interaction,
                        seat=seat,
                        since=match.number,
                        number=positions[-1].number,
                    )
                    played = replace(change.play(*positions), actor=seat, handled=handled)
                    room = (await kernel.pipeline.commit(played)).after
        except RefusedBefore:
            room = await kernel.matches.find(press.match)
            return Update(room, room.own_seat(press.user), stale=True)
        seat = Seat(handled.seat)
        if handled.number == handled.since:
            return Update(room, seat)
        room = await kernel.computers.wait(room, kernel.computer_wait_seconds)
        commits_between = kernel.matches.commits_between
        commits = await commits_between(room, handled.since, handled.number)
        meanwhile = await commits_between(room, handled.number, room.playing().number)
        return Update(
            room,
            seat,
            events=encoding.visible_events(commits.values(), seat),
            meanwhile=encoding.visible_events(meanwhile.values(), seat),
            committed=True,
        )


def must_have_hints(room: Room) -> None:
    """Refuse if the players of a match have not agreed to hints."""
    if not room.has_hints:
        raise Refused("refusal.no_hints")
