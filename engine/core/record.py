"""What a match keeps of its turns: commits, and drafts that are not yet part of it."""

from typing import Any, Literal

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Event
from engine.core.position import Position


class Commit(Struct, frozen=True, omit_defaults=True):
    """The unit of log, snapshot and announcement.

    Without answers it is something else than a turn.
    """

    seat: Seat
    answers: tuple[Answer, ...]
    resigned: bool = False
    """The seat gives up."""
    handed: Literal["computer", "person"] | None = None
    """Who plays the seat from here on."""
    back_to: int | None = None
    """The commit after which the match stands again: all that came since is undone."""
    seed: str = ""
    """Of the new dice, if there are any from here on. A secret until the end."""
    events: tuple[Event, ...] = ()
    """All that it told; kept apart where commits are stored, for a game's events need its own
    types to be read.
    """


class Draft(Struct, frozen=True):
    """A seat's answers that nobody else knows of yet, linked to the draft before the last of
    them.
    """

    answers: tuple[Answer, ...]
    events: tuple[Event, ...]
    """All that the draft would tell."""
    position: Position
    """Where it leads."""
    question: Decision | None
    """What the seat must answer next."""
    before: "Draft | None"
    """None where this is the first answer."""

    @property
    def tip(self) -> Any:
        """The state that it leads to."""
        return self.position.state

    def shrunk(self) -> "Draft | None":
        """The draft without its last pick and the forced answers that followed it."""
        draft = self
        while draft.before and draft.answers[-1].forced:
            draft = draft.before
        return draft.before
