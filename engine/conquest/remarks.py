"""Remarks about a finished match: its Battles, voyages, and comebacks.

A remark about something that few matches reach has a weight of about 1; the caller shows the
heaviest ones. Numbers and weights here may be changed freely.
"""

from collections.abc import Iterator, Sequence

from engine.conquest.battle_events import BattleJoined, BattleWon
from engine.conquest.events import PointsCounted, TurnBegun
from engine.conquest.pieces import NOBODY
from engine.conquest.sea_events import ExplorerLost, ExplorerReturned, KumaraTaken
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.game import Outcome
from engine.core.remark import Remark, behind, most

# Numbers that few matches reach.
MANY_BATTLES = 40
MANY_KNOTS = 12
MANY_LOST_EXPLORERS = 6
MANY_POINTS_BEHIND = 8


def remarks(events: Sequence[Event], outcome: Outcome) -> Iterator[Remark]:
    """Yield remarks on Battles, voyages, Kumara, and a winner who came from behind."""
    seats = range(len(outcome.scores))
    battles = [event for event in events if isinstance(event, BattleWon)]
    won = most([sum(event.winner == seat for event in battles) for seat in seats])
    if won["number"]:
        facts = {**won, "battles": len(battles), "only": len(battles) == 1}
        yield Remark("battles", len(battles) / MANY_BATTLES, facts)
    elif not any(isinstance(event, BattleJoined) for event in events):
        yield Remark("peace", 0.3)
    knots = [0 for _ in seats]
    for event in events:
        if isinstance(event, ExplorerReturned):
            knots[event.seat] = max(knots[event.seat], event.total)
    if max(knots):
        yield Remark("voyage", max(knots) / MANY_KNOTS, most(knots))
    losses = [0 for _ in seats]
    for event in events:
        if isinstance(event, ExplorerLost):
            losses[event.seat] += 1
    lost = most(losses)
    if lost["number"] > 1:
        yield Remark("lost", lost["number"] / MANY_LOST_EXPLORERS, lost)
    kumara = tuple(event.seat for event in events if isinstance(event, KumaraTaken))
    if kumara:
        yield Remark("kumara", 0.7, {"seats": kumara})
    turn = 0
    # The largest gap of a later winner: points, seat and turn.
    worst = (0.0, NOBODY, 0)
    for event in events:
        if isinstance(event, TurnBegun):
            turn = event.turn
        elif isinstance(event, PointsCounted):
            for winner, gap in behind(event.points, outcome):
                worst = max(worst, (gap, winner, turn))
    largest_gap, seat, since = worst
    if seat != NOBODY:
        facts = {"seat": Seat(seat), "points": largest_gap, "turn": since}
        yield Remark("behind", largest_gap / MANY_POINTS_BEHIND, facts)
    if turn:
        yield Remark("turns", 0.0, {"number": turn})
