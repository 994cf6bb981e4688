"""Events: facts that a match reports, each to those who may know them.

Events are saved with their commits, by class name and fields. So neither is ever renamed, and a new
field needs a default.
"""

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
    """Whether the score sheet is posted with it."""
    shows_on_board: ClassVar[bool] = False
    """Whether every picture of the board shows it, such as points, so text may leave it out."""
    is_action: ClassVar[bool] = True
    """Whether the seat that its text begins with did it.

    Then the text about this seat's next action need not repeat the name.
    """
    ends_acting: ClassVar[bool] = False
    """Whether the seat's player leaves, so that somebody else does what follows."""
    discloses: ClassVar[str] = ""
    """The kind of Disclosure if it reveals what lay face down; such a turn can't be taken back."""

    @property
    def is_pass(self) -> bool:
        """Whether a seat chose to do nothing; summaries put all passes into one sentence."""
        return False

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may see the whole event; None if everyone may."""
        return None

    def redacted(self) -> "Event | None":
        """Return the event for those outside the audience, or None if they learn nothing."""
        return None

    def lines(self) -> tuple[Line, ...]:
        """Return the text keys that describe it: by default one, named after the class."""
        return ((type(self).__name__, asdict(self)),)


class Resigned(Event, frozen=True):
    """A seat's player resigned.

    It is saved as a commit without answers, and becomes an event only when the log is put in words.
    """

    ends_acting: ClassVar[bool] = True

    seat: Seat


class HandedOver(Event, frozen=True):
    """From here on a computer plays a seat, or a person plays it again.

    Saved as a commit without answers, like Resigned.
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
    """The match went back to an earlier point with a new seed, as this seat proposed."""

    seat: Seat


Tell = Callable[[Event], None]
"""The function that rules call to report an event."""


def visible(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events as this viewer may see them."""
    visible_events = []
    for event in events:
        audience = event.audience
        is_whole = audience is None or viewer in audience
        shown = event if is_whole else event.redacted()
        if shown is not None:
            visible_events.append(shown)
    return tuple(visible_events)
