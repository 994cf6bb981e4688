"""Remarks about a finished match of Polynesia. Numbers and weights may be changed freely."""

from collections.abc import Iterator, Sequence

from engine.core.event import Event
from engine.core.game import Outcome
from engine.core.remark import Remark, most
from engine.polynesia.events import Erupted, MemberMoved, RouteExplored, Scored, StartPassed

MANY_PASSAGES, MANY_GUIDED, MANY_DRIVEN, MANY_TURTLES = 40, 15, 60, 14
"""Numbers that only few matches reach."""


def remarks(events: Sequence[Event], outcome: Outcome) -> Iterator[Remark]:
    """Yield who travelled and explored most, whose routes others used, what the volcano took."""
    seats = range(len(outcome.scores))
    moved = [event for event in events if isinstance(event, MemberMoved)]
    passages = most([sum(event.seat == seat for event in moved) for seat in seats])
    if passages["number"]:
        yield Remark("passages", passages["number"] / MANY_PASSAGES, passages)
    guided = most([sum(event.owner == seat for event in moved) for seat in seats])
    if guided["number"] > 1:
        yield Remark("guides", guided["number"] / MANY_GUIDED, guided)
    routes = [event for event in events if isinstance(event, RouteExplored)]
    explored = most([sum(event.seat == seat for event in routes) for seat in seats])
    if explored["number"]:
        yield Remark("routes", 0.1, explored)
    for event in events:
        if isinstance(event, Erupted) and (number := sum(event.returned)) > 0:
            facts = {"number": number, "islands": event.islands}
            yield Remark("driven", number / MANY_DRIVEN, facts)
        if isinstance(event, Scored):
            turtles = most([row.turtles + row.tokens for row in event.rows])
            if turtles["number"]:
                yield Remark("turtles", turtles["number"] / MANY_TURTLES, turtles)
    rounds = max((event.round for event in events if isinstance(event, StartPassed)), default=1)
    yield Remark("rounds", 0.0, {"number": rounds})
