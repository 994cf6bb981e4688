"""Playing: what people do in their seats, such as drafting, confirming and resigning."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

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
"""What somebody does in their seat: the match after each step. Raises Refused if it cannot be."""


class NoDraft(Exception):
    """There is no draft to undo. It is no refusal: the last turn may be taken back instead."""


class Play:
    """Everything that a person can do in their seat."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def pick(self, press: Press, kind: str, keys: tuple[str, ...]) -> Update:
        """Put an answer into the draft, or take an offer; confirm it where no confirm is wanted."""

        def pick(room: Room, seat: Seat) -> list[Match]:
            match = room.playing()
            after = match.pick(Answer(seat, kind, keys))
            is_drafted = after.number == match.number
            if is_drafted and after.wants_no_confirm(seat):
                return [after, after.confirm(seat)]
            return [after]

        return await self.play(press, pick)

    async def confirm(self, press: Press) -> Update:
        """Commit the draft."""
        return await self.play(
            press, lambda room, seat: [room.playing().confirm(seat)], needs_draft=True
        )

    async def undo(self, press: Press, everything: bool = False) -> Update:
        """Take back the last pick of the draft, or all of it; without a draft, the last turn."""

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
            # Found under the lock: a press before this one may have left a draft, or taken it.
            return await self._kernel.services.require(Rewinds).take_back(press)

    async def resign(self, press: Press) -> Update:
        """Give the seat up."""
        return await self.play(
            press, lambda room, seat: [room.playing().resign(seat)], while_paused=True
        )

    async def come_back(self, press: Press) -> Update:
        """Take the seat back from the computer that has played it meanwhile."""
        return await self.play(press, lambda room, seat: [])

    async def take_hint(self, press: Press, room: Room, seat: Seat) -> Update:
        """Draft the whole turn of a hint, to be confirmed or undone."""
        must_have_hints(room)
        turn = (await self._kernel.computers.advice(room, seat)).answers
        return await self.play(press, lambda room, seat: [room.playing().redrafted(seat, turn)])

    async def leave_lesson(self, press: Press, plays_on: bool) -> Room:
        """Let the coach go: the match continues as any other, or ends without a result."""

        def leave(change: Change) -> Change:
            room = change.before
            playable_match(room, room.own_seat(press.user))
            if not room.record.terms.lesson:
                return change
            change = change.update(terms=replace(room.record.terms, lesson=False))
            return (
                change
                if plays_on
                else change.update(status=Status.CALLED_OFF, result_unannounced=True)
            )

        return (await self._kernel.pipeline.change(press.match, leave)).after

    @retry_on_conflict
    async def play(
        self,
        press: Press,
        move: Move,
        needs_draft: bool = False,
        while_paused: bool = False,
    ) -> Update:
        """Make a move, all of it or nothing; `needs_draft` if it makes no sense without one.

        The move is worked out under the lock, on the match as it is then. A repeat of a press
        that was carried out gets the same answer again, and a press that comes too late is answered
        as stale.
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
                    # A confirm leaves the count of answers as it is; only the draft that it was for
                    # is gone then.
                    has_draft = match.draft(seat).answers or match.has_one_answer(seat)
                    is_gone = match.turn(seat) != press.turn or (needs_draft and not has_draft)
                    if press.turn is not None and is_gone:
                        kernel.pipeline.note_refused(press.interaction)
                        return Update(room, seat, stale=True)
                    positions = [match]
                    if seat in match.away:
                        # Somebody who does something in their seat has come back to it.
                        positions.append(match.hand_over(seat, to_computer=False))
                    positions += move(Room(room.record, positions[-1]), seat)
                    handled = HandledInteraction(
                        interaction=press.interaction,
                        seat=seat,
                        since=match.number,
                        number=positions[-1].number,
                    )
                    acted = replace(change.play(*positions), actor=seat, handled=handled)
                    room = (await kernel.pipeline.commit(acted)).after
        except RefusedBefore:
            room = await kernel.matches.find(press.match)
            return Update(room, room.own_seat(press.user), stale=True)
        seat = Seat(handled.seat)
        if handled.number == handled.since:
            return Update(room, seat)
        room = await kernel.computers.wait(room, kernel.computer_wait_seconds)
        commits_between = kernel.matches.commits_between
        made = await commits_between(room, handled.since, handled.number)
        meanwhile = await commits_between(room, handled.number, room.playing().number)
        events = encoding.facts(made.values(), seat)
        return Update(room, seat, events, encoding.facts(meanwhile.values(), seat), committed=True)


def must_have_hints(room: Room) -> None:
    """Refuse hints where the table has not agreed to them."""
    if not room.has_hints:
        raise Refused("refusal.no_hints")
