"""What can be told of a match of Conquest of Paradise that has ended."""

from collections.abc import Iterator, Sequence

from engine.conquest.battle_events import BattleJoined, BattleWon
from engine.conquest.events import PointsCounted, TurnBegun
from engine.conquest.pieces import NOBODY
from engine.conquest.sea_events import ExplorerLost, ExplorerReturned, KumaraTaken
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.game import Outcome
from engine.core.remark import Remark, behind, most

MANY_BATTLES, MANY_KNOTS, MANY_LOST, MANY_POINTS = 40, 12, 6, 8
"""Numbers that few matches reach."""


def remarks(events: Sequence[Event], outcome: Outcome) -> Iterator[Remark]:
    """Battles, voyages, who got Kumara, and who came from behind."""
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
    lost = most(
        [
            sum(isinstance(event, ExplorerLost) and event.seat == seat for event in events)
            for seat in seats
        ]
    )
    if lost["number"] > 1:
        yield Remark("lost", lost["number"] / MANY_LOST, lost)
    kumara = tuple(event.seat for event in events if isinstance(event, KumaraTaken))
    if kumara:
        yield Remark("kumara", 0.7, {"seats": kumara})
    turn, worst = 0, (0.0, NOBODY, 0)
    for event in events:
        if isinstance(event, TurnBegun):
            turn = event.turn
        elif isinstance(event, PointsCounted):
            worst = max(
                [worst, *((gap, winner, turn) for winner, gap in behind(event.points, outcome))]
            )
    gap, winner, since = worst
    if winner != NOBODY:
        yield Remark(
            "behind", gap / MANY_POINTS, {"seat": Seat(winner), "points": gap, "turn": since}
        )
    if turn:
        yield Remark("turns", 0.0, {"number": turn})
