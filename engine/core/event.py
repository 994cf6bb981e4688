"""Events: facts that a match reports, each to those who may know it."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from engine.core.decision import Seat

Line = tuple[str, dict[str, Any]]
"""A text key and the facts that fill it in."""


class Event(Struct, frozen=True, tag=True):
    """A fact about the match. Subclasses are past participles: Settled, Collected."""

    shows_scores: ClassVar[bool] = False
    """Whether the score sheet is shown with it."""
    shows_on_board: ClassVar[bool] = False
    """Whether every picture of the board shows it, such as points: then text may leave it out."""
    is_deed: ClassVar[bool] = True
    """Whether a seat that it begins with does it, so that its next deed can go without the name."""
    ends_acting: ClassVar[bool] = False
    """Whether the seat's player leaves, so that what follows is done by somebody else."""
    discloses: ClassVar[str] = ""
    """A kind of Disclosure if it tells what lay face down, so that the turn can't be taken back."""

    @property
    def is_pass(self) -> bool:
        """Whether a seat chose to do nothing; summaries tell all passes together."""
        return False

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may see all of it; None for everyone."""
        return None

    def redacted(self) -> "Event | None":
        """Return the event for those outside the audience, or None if they learn nothing."""
        return None

    def lines(self) -> tuple[Line, ...]:
        """Return the text keys that tell it: by default one, named after the class."""
        return ((type(self).__name__, asdict(self)),)


class Resigned(Event, frozen=True):
    """A seat was given up.

    The match stores this as a commit without answers; it becomes an event when the log is told.
    """

    ends_acting: ClassVar[bool] = True

    seat: Seat


class HandedOver(Event, frozen=True):
    """A computer, or a person again, plays a seat from here on.

    Stored as a commit without answers, like Resigned.
    """

    seat: Seat
    to_computer: bool

    def lines(self) -> tuple[Line, ...]:
        """Return the line that says who plays the seat now."""
        key = "HandedToComputer" if self.to_computer else "HandedToPerson"
        return ((key, {"seat": self.seat}),)


class TookBack(Event, frozen=True):
    """A seat took back its last turn, from which nobody had learned anything."""

    seat: Seat


class Rewound(Event, frozen=True):
    """The match went back to an earlier point, with new dice, as this seat proposed."""

    seat: Seat


Tell = Callable[[Event], None]
"""The function that rules call to report an event."""


def visible(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events as this viewer may see them."""
    seen = []
    for event in events:
        audience = event.audience
        known = event if audience is None or viewer in audience else event.redacted()
        if known is not None:
            seen.append(known)
    return tuple(seen)
