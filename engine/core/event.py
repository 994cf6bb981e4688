"""Facts that a match tells, each to those who may know it."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from engine.core.decision import Seat

Line = tuple[str, dict[str, Any]]
"""A wording key and what fills it in."""


class Event(Struct, frozen=True, tag=True):
    """A fact of the match. Subclasses are past participles: Settled, Collected."""

    shows_scores: ClassVar[bool] = False
    """Its telling comes with the score sheet."""
    shows_on_board: ClassVar[bool] = False
    """It tells what every picture of the board shows, such as points or whose round it is: beside
    one it need not be said.
    """

    ends_acting: ClassVar[bool] = False
    """Whoever did it does nothing more: what follows under the same name is another's deed."""
    discloses: ClassVar[str] = ""
    """A kind of Disclosure, where it tells what lay face down. A turn that tells it can't be taken
    back, however likely the others thought it was.
    """

    @property
    def is_pass(self) -> bool:
        """Whether a seat did nothing where it might have done something: looking back, those are
        told together.
        """
        return False

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may know all of it; None for everyone."""
        return None

    def redacted(self) -> "Event | None":
        """What those outside the audience get, if anything."""
        return None

    def lines(self) -> tuple[Line, ...]:
        """The wording keys that tell it: one named for the class unless a game says otherwise."""
        return ((type(self).__name__, asdict(self)),)


class Resigned(Event, frozen=True):
    """A seat was given up.

    The match keeps that as a commit without answers; whoever tells the story tells this.
    """

    ends_acting: ClassVar[bool] = True

    seat: Seat


class HandedOver(Event, frozen=True):
    """A seat is played by another from here on: by a computer, or by a person.

    Told by who tells the story, too.
    """

    seat: Seat
    to_computer: bool

    def lines(self) -> tuple[Line, ...]:
        """Who plays on."""
        return (
            ("HandedToComputer" if self.to_computer else "HandedToPerson", {"seat": self.seat}),
        )


class TookBack(Event, frozen=True):
    """A seat took its last turn back, of which nobody has learnt anything."""

    seat: Seat


class Rewound(Event, frozen=True):
    """The match stands again where it stood before, with new dice; the seat has proposed it."""

    seat: Seat


Tell = Callable[[Event], None]
"""How a rule tells a fact."""


def visible(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """The events as this viewer may know them."""
    seen = []
    for event in events:
        audience = event.audience
        known = event if audience is None or viewer in audience else event.redacted()
        if known is not None:
            seen.append(known)
    return tuple(seen)
