"""What a match of Blue Lagoon tells. All of it is public."""

from typing import ClassVar

from engine.blue_lagoon.scoring import Row
from engine.core.decision import Seat
from engine.core.event import Event, Line


class Settled(Event, frozen=True):
    """A piece was placed; `takes` is the item that lay there and `now` how many of it the seat
    holds.
    """

    seat: Seat
    spot: str
    piece: str
    takes: str = ""
    now: int = 0


class Collected(Event, frozen=True):
    """An item changed hands. Its words are in the line of the placement."""

    seat: Seat
    spot: str
    item: str


class Skipped(Event, frozen=True):
    """A seat cannot place, and within a phase that never changes: told once a phase."""

    seat: Seat


class PhaseEnded(Event, frozen=True):
    """A phase is over, and why."""

    phase: str
    why: str


class Scored(Event, frozen=True):
    """The points of a phase, a row a seat."""

    shows_scores: ClassVar[bool] = True

    phase: str
    rows: tuple[Row, ...]

    def lines(self) -> tuple[Line, ...]:
        """A line for each kind of points with those of every seat, the total last."""
        kinds = Row.__struct_fields__
        counted = [(kind, tuple(getattr(row, kind) for row in self.rows)) for kind in kinds]
        total = tuple(row.total for row in self.rows)
        return (
            *(("Counted", {"kind": kind, "points": points}) for kind, points in counted),
            ("Scored", {"phase": self.phase, "points": total}),
        )


class Cleared(Event, frozen=True):
    """The board was prepared for the settlement; these villages stood on stone circles."""

    villages: tuple[str, ...]


class Dealt(Event, frozen=True):
    """Items were dealt: spot and item, in reading order."""

    phase: str
    items: tuple[tuple[str, str], ...]


class Opened(Event, frozen=True):
    """A seat has the first turn of a phase."""

    phase: str
    seat: Seat


AnyEvent = Settled | Collected | Skipped | PhaseEnded | Scored | Cleared | Dealt | Opened
