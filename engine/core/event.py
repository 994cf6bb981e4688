"""Events: facts about a match, each for those who may know it."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from engine.core.decision import Seat

Line = tuple[str, dict[str, Any]]
"""A wording key and what fills it in."""


class Event(Struct, frozen=True, tag=True):
    """A fact about the match. Subclasses are past participles: Settled, Collected."""

    shows_scores: ClassVar[bool] = False
    """Its telling comes with the score sheet."""
    shows_on_board: ClassVar[bool] = False
    """It tells what every picture of the board shows, such as points or whose round it is: beside
    one it need not be said.
    """

    ends_acting: ClassVar[bool] = False
    """Whether the seat's player stops acting: what follows is done by somebody else."""
    discloses: ClassVar[str] = ""
    """A kind of Disclosure, where it tells what lay face down. A turn that tells it can't be taken
    back, however likely the others thought it was.
    """

    @property
    def is_pass(self) -> bool:
        """Return whether a seat chose to do nothing; in summaries, passes are told together."""
        return False

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Return the seats that may see all of it; None for everyone."""
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
        """Return the line that says who plays on."""
        return (
            ("HandedToComputer" if self.to_computer else "HandedToPerson", {"seat": self.seat}),
        )


class TookBack(Event, frozen=True):
    """A seat took back its last turn, from which nobody had learned anything."""

    seat: Seat


class Rewound(Event, frozen=True):
    """The match went back to an earlier point, with new dice, as this seat proposed."""

    seat: Seat


Tell = Callable[[Event], None]
"""How a rule tells a fact."""


def visible(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events as this viewer may see them."""
    seen = []
    for event in events:
        audience = event.audience
        known = event if audience is None or viewer in audience else event.redacted()
        if known is not None:
            seen.append(known)
    return tuple(seen)
