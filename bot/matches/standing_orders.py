"""Standing orders that answer a question for their owner, in a while: an answer at once would show that it is an order.

Conquest's order to declare Victory is such a one. Everybody can reckon who might win by what lies on the table. A seat
that was not even asked, and did not declare, would show that its hidden cards fall short. So it is asked and waited for
like any other, and the order answers some minutes later, as a person would; until then its owner may answer by hand.
"""

import secrets
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from bot.matches.plans import LATEST, SOONEST
from bot.matches.room import Due, Room, Status
from bot.matches.rooms import Rooms, on_newest
from bot.matches.scheduler import Scheduler
from bot.store.base import Store
from engine import Answer, Match, Seat

DUE = "standing_order"
"""An order is to answer what its seat is asked."""


def ordered_answer(match: Match, seat: Seat) -> Answer | None:
    """Return what a person's standing orders answer to the question they are asked now, if they do."""
    if match.outcome is not None or seat not in match.humans():
        return None
    return match.game.standing_answer(match.base, seat)


class StandingOrders:
    """Answers by order, in all matches."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        scheduler: Scheduler,
        now: Callable[[], float],
        follow: Callable[[Room, list[Match]], Any],
        go_on: Callable[[str], None],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now
        self._follow = follow
        self._go_on = go_on
        scheduler.register(DUE, self._answer_due)

    def scheduled(self, room: Room, trail: list[Match]) -> Iterator[Due]:
        """Schedule the answers to questions that a trail has put to seats with an order for them."""
        before, after = trail[0], trail[-1]
        for seat in after.waiting_for():
            if ordered_answer(after, seat) and not ordered_answer(before, seat):
                # The delay depends on nothing but chance: not on the cards, nor on what the order will say.
                at = int(self._now()) + SOONEST + secrets.randbelow(LATEST - SOONEST)
                yield Due(DUE, at, room.info.id, room.info.chairs[seat].id, {"seat": seat})

    @on_newest
    async def _answer_due(self, due: Due) -> None:
        async with self._rooms.turn(due.match) as room:
            # An order belongs to its seat: whoever has taken that over meanwhile has it as well.
            seat, match = Seat(due.facts["seat"]), room.match
            if room.is_paused:
                await self._store.set_due(replace(due, at=int(self._now()) + LATEST))
                return
            if match is None or room.info.status is not Status.RUNNING:
                return
            answer = ordered_answer(match, seat)
            if answer is None or match.draft(seat).answers:
                # The owner has answered, changed the order, or is at it.
                return
            drafted = match.pick(answer)
            await self._follow(room, [match, drafted, drafted.confirm(seat)])
        self._go_on(due.match)
