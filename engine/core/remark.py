"""Remarkable facts about a finished match, found in what everybody saw.

A game may have a module `remarks` with a function `remarks`: given all public events in order and
the outcome, it yields Remarks. Each is a line of the game's [remark] table.
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

    `weight` says how remarkable it is: 0 is true of any match, 1 of very few.
    """

    key: str
    weight: float
    facts: dict[str, Any] = {}


Find = Callable[[Sequence[Event], Outcome], Iterable[Remark]]


def remarks_of(game: str, events: Sequence[Event], outcome: Outcome) -> list[Remark]:
    """Return a game's remarks about a match, the most remarkable first."""
    if not game.isidentifier() or not find_spec(f"engine.{game}"):
        return []
    if not find_spec(f"engine.{game}.remarks"):
        return []
    find: Find = import_module(f"engine.{game}.remarks").remarks
    return sorted(find(events, outcome), key=lambda remark: -min(1.0, remark.weight))


def most(counts: Sequence[float]) -> dict[str, Any]:
    """Return the seats with the most of something, and how much, as the facts of a remark."""
    number = max(counts)
    seats = tuple(Seat(seat) for seat, count in enumerate(counts) if count == number)
    return {"seats": seats, "number": number}


def behind(points: Sequence[float], outcome: Outcome) -> Iterator[tuple[Seat, float]]:
    """Yield the only winner, and how many points behind the leader it was at that time."""
    if len(outcome.winners) == 1:
        (winner,) = outcome.winners
        if (gap := max(points) - points[winner]) > 0:
            yield winner, gap
