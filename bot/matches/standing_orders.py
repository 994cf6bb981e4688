"""Standing orders that answer a question for their owner, in a while: an answer at once would show that it is an order.

Conquest's order to declare Victory is such a one. Everybody can reckon who might win by what lies on the table. A seat
that was not even asked, and did not declare, would show that its hidden cards fall short. So it is asked and waited for
like any other, and the order answers some minutes later, as a person would; until then its owner may answer by hand.
"""

import secrets
from collections.abc import Callable
from typing import Any

from bot.matches.plans import LATEST, SOONEST
from bot.matches.room import Due, Room, Status
from bot.matches.rooms import Rooms, on_newest
from bot.matches.scheduler import Scheduler
from engine import Answer, Match, Seat

DUE = "standing_order"
"""An order is to answer what its seat is asked."""


def _ordered_answer(room: Room, seat: Seat) -> Answer | None:
    """Return what a person's standing order is to answer for them, None if there is none or they are at it."""
    match = room.match
    if match is None or room.info.status is not Status.RUNNING or match.outcome is not None:
        return None
    if seat not in match.humans() or match.draft(seat).answers:
        return None
    return match.game.standing_answer(match.base, seat)


def _ordered_turns(room: Room | None) -> dict[Seat, tuple[int, int]]:
    """Return the seats that an order is to answer for, each with its person and the turn that is asked for."""
    if room is None or room.match is None:
        return {}
    turns = {}
    for seat in room.match.waiting_for():
        if _ordered_answer(room, seat):
            turns[seat] = (room.info.chairs[seat].id, room.match.turn(seat))
    return turns


class StandingOrders:
    """Answers by order, in all matches."""

    def __init__(
        self,
        rooms: Rooms,
        scheduler: Scheduler,
        now: Callable[[], float],
        follow: Callable[[Room, list[Match]], Any],
        go_on: Callable[[str], None],
    ) -> None:
        self._rooms = rooms
        self._now = now
        self._follow = follow
        self._go_on = go_on
        # Moves, rewinds, votes and handed-over seats all lead to a question, and all of them are written.
        rooms.consequences.append(self._schedule)
        scheduler.register(DUE, self._answer_due)

    def _schedule(self, before: Room | None, after: Room) -> dict[str, Any]:
        """Schedule the answers to questions that are new, and cancel those to questions that are gone."""
        asked_before, asked_now = _ordered_turns(before), _ordered_turns(after)
        dues = []
        for seat, asked in asked_now.items():
            if asked_before.get(seat) != asked:
                # The delay depends on nothing but chance: not on the cards, nor on what the order will say.
                at = int(self._now()) + SOONEST + secrets.randbelow(LATEST - SOONEST)
                dues.append(Due(DUE, at, after.info.id, asked[0], {"seat": seat}))
        gone = {user for user, _ in asked_before.values()} - {user for user, _ in asked_now.values()}
        return {"dues": tuple(dues), "undue": tuple((DUE, user) for user in gone)}

    @on_newest
    async def _answer_due(self, due: Due) -> None:
        async with self._rooms.turn(due.match) as room:
            seat = Seat(due.facts["seat"])
            answer = _ordered_answer(room, seat)
            if answer is None:
                return
            match = room.playing()
            drafted = match.pick(answer)
            await self._follow(room, [match, drafted, drafted.confirm(seat)])
        self._go_on(due.match)
