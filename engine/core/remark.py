"""Remarkable facts about a finished match, found in its public events.

A game may have a module `remarks` with a function `remarks`, which takes all public events in order
and the outcome, and yields Remarks. Each names a text in the game's [remark] table. Nothing here is
saved.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.game import Outcome


class Remark(Struct, frozen=True):
    """A fact about a match.

    `weight` says how rare it is: from 0 for what holds in any match to 1 for what holds in few.
    """

    key: str
    weight: float
    facts: dict[str, Any] = {}


Find = Callable[[Sequence[Event], Outcome], Iterable[Remark]]


def remarks_of(game: str, events: Sequence[Event], outcome: Outcome) -> list[Remark]:
    """Return a game's remarks about a match, the rarest first; none if the game has no remarks."""
    if not game.isidentifier() or not find_spec(f"engine.{game}"):
        return []
    if not find_spec(f"engine.{game}.remarks"):
        return []
    find: Find = import_module(f"engine.{game}.remarks").remarks
    return sorted(find(events, outcome), key=lambda remark: -min(1.0, remark.weight))


def most(counts: Sequence[float]) -> dict[str, Any]:
    """Return the facts of a remark: the seats with the highest count, and that count."""
    number = max(counts)
    seats = tuple(Seat(seat) for seat, count in enumerate(counts) if count == number)
    return {"seats": seats, "number": number}


def behind(points: Sequence[float], outcome: Outcome) -> Iterator[tuple[Seat, float]]:
    """Yield the winner and how far it was behind the leader when `points` were counted.

    Yield nothing if several seats won, or if the winner was in the lead.
    """
    if len(outcome.winners) == 1:
        (winner,) = outcome.winners
        if (gap := max(points) - points[winner]) > 0:
            yield winner, gap
