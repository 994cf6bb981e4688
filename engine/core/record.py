"""What a match keeps of its turns: commits, the log of them, and drafts that are not yet part of it."""

from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Event


class Commit(Struct, frozen=True, gc=False):
    """The unit of log, snapshot and announcement. With `resigned` it has no answers: the seat gives up."""

    seat: Seat
    answers: tuple[Answer, ...]
    resigned: bool = False


class Draft(Struct, frozen=True, gc=False):
    """A seat's answers that nobody else knows of yet, linked to the draft before the last of them."""

    answers: tuple[Answer, ...] = ()
    events: tuple[Event, ...] = ()
    """All that the draft would tell."""
    tip: Any = None
    """The position after it."""
    question: Decision | None = None
    """What the seat must answer next."""
    before: "Draft | None" = None

    def shrunk(self) -> "Draft":
        """The draft without its last pick and the forced answers that followed it."""
        draft = self
        while draft.before and draft.before.answers and draft.answers[-1].forced:
            draft = draft.before
        return draft.before or EMPTY


EMPTY = Draft()


class Chapter(Struct, frozen=True):
    """A commit with what it told, linked to the one before: a log that grows in constant time."""

    before: "Chapter | None"
    commit: Commit
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        # A log may be longer than Python recurses.
        return f"Chapter(before={'...' if self.before else None}, commit={self.commit!r}, events={self.events!r})"
