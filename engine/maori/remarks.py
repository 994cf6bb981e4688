"""Remarks about a finished match of Maori. Numbers and weights here may be changed freely."""

from collections.abc import Iterator, Sequence

from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.game import Outcome
from engine.core.remark import Remark, most
from engine.maori.events import DiscovererMoved, IslandsRemoved, Scored, ShipSailed, TileTaken
from engine.maori.scoring import LEI_POINTS

MANY_SHELLS, MANY_TILES = 50, 14
"""The shells spent and tiles lost that only few matches reach."""


def remarks(events: Sequence[Event], outcome: Outcome) -> Iterator[Remark]:
    """Yield remarks about leis, full boards, palms beside huts, shells spent, and losses."""
    seats = [Seat(seat) for seat in range(len(outcome.scores))]
    scored = {event.seat: event for event in events if isinstance(event, Scored)}
    if len(scored) == len(seats):
        leis = most([scored[seat].leis // LEI_POINTS for seat in seats])
        if leis["number"]:
            yield Remark("leis", leis["number"] / 4, leis)
        full = tuple(seat for seat in seats if not scored[seat].empty)
        if full:
            yield Remark("full", 0.6 if len(full) == 1 else 0.4, {"seats": full})
        huts = most([scored[seat].huts for seat in seats])
        if huts["number"]:
            yield Remark("huts", huts["number"] / 100, huts)
    lost, paid = [0] * len(seats), [0] * len(seats)
    for event in events:
        if isinstance(event, DiscovererMoved | TileTaken | ShipSailed):
            paid[event.seat] += event.paid
        elif isinstance(event, IslandsRemoved):
            lost[event.seat] += len(event.spots)
    if max(lost):
        yield Remark("lost", max(lost) / MANY_TILES, most(lost))
    if max(paid):
        yield Remark("shells", max(paid) / MANY_SHELLS, most(paid))
