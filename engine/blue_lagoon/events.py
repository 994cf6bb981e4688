"""The events of Blue Lagoon, all of them public.

Saved matches hold them: a class or field is never renamed, and a new field needs a default.
"""

from typing import ClassVar

from engine.blue_lagoon.scoring import Row
from engine.core.decision import Seat
from engine.core.event import Event, Line


class Settled(Event, frozen=True):
    """A piece was placed; `takes` is the item taken there, and `now` how many the seat holds."""

    seat: Seat
    spot: str
    piece: str
    takes: str = ""
    now: int = 0


class Collected(Event, frozen=True):
    """An item was taken; the line about the placement says so already."""

    seat: Seat
    spot: str
    item: str


class Skipped(Event, frozen=True):
    """A seat cannot place a piece any more in this phase; reported once."""

    seat: Seat


class PhaseEnded(Event, frozen=True):
    """A phase ended, with its reason."""

    phase: str
    why: str


class Scored(Event, frozen=True):
    """The points of a phase, one row per seat."""

    shows_scores: ClassVar[bool] = True

    phase: str
    rows: tuple[Row, ...]

    def lines(self) -> tuple[Line, ...]:
        """Return a line for each kind of points, with the points of every seat, and the total."""
        kinds = Row.__struct_fields__
        counted = [(kind, tuple(getattr(row, kind) for row in self.rows)) for kind in kinds]
        total = tuple(row.total for row in self.rows)
        return (
            *(("Counted", {"kind": kind, "points": points}) for kind, points in counted),
            ("Scored", {"phase": self.phase, "points": total}),
        )


class Cleared(Event, frozen=True):
    """The board was prepared for settlement; these villages stood on stone circles."""

    villages: tuple[str, ...]


class Dealt(Event, frozen=True):
    """Items were dealt: spots and items in reading order."""

    phase: str
    items: tuple[tuple[str, str], ...]


class Opened(Event, frozen=True):
    """A seat takes the first turn of a phase."""

    is_action: ClassVar[bool] = False

    phase: str
    seat: Seat


AnyEvent = Settled | Collected | Skipped | PhaseEnded | Scored | Cleared | Dealt | Opened
