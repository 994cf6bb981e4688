"""What can be told of a match that has ended: facts worked out from what everybody was told, never
guessed.

A game may have a module `remarks` with a function of that name: given all public events in order
and the outcome, it yields Remarks. Each is a line of the game's [remark] table.
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

    The heavier, the more remarkable: 0 is what any match has, 1 what few have.
    """

    key: str
    weight: float
    facts: dict[str, Any] = {}


Find = Callable[[Sequence[Event], Outcome], Iterable[Remark]]


def remarks_of(game: str, events: Sequence[Event], outcome: Outcome) -> list[Remark]:
    """What a game has to tell of a match, the most remarkable first; nothing if it knows of
    nothing.
    """
    if not (
        game.isidentifier() and find_spec(f"engine.{game}") and find_spec(f"engine.{game}.remarks")
    ):
        return []
    find: Find = import_module(f"engine.{game}.remarks").remarks
    return sorted(find(events, outcome), key=lambda remark: -min(1.0, remark.weight))


def most(counts: Sequence[float]) -> dict[str, Any]:
    """Who has most of something, and how many: the facts of a remark."""
    number = max(counts)
    return {
        "seats": tuple(Seat(seat) for seat, count in enumerate(counts) if count == number),
        "number": number,
    }


def behind(points: Sequence[float], outcome: Outcome) -> Iterator[tuple[Seat, float]]:
    """The winner, if there is one alone, and how far it lay behind the leader when the points
    stood so.
    """
    if len(outcome.winners) == 1:
        (winner,) = outcome.winners
        if (gap := max(points) - points[winner]) > 0:
            yield winner, gap
