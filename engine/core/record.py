"""Commits, which make up a match, and drafts, which are not yet part of it."""

from typing import Any, Literal

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Event
from engine.core.position import Position


class Commit(Struct, frozen=True, omit_defaults=True):
    """The unit of the log, of snapshots and of announcements.

    One without answers is not a turn but a resignation, a handover or a step back.
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
    """A seat's unconfirmed answers, linked to the draft before the last of them."""

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
        """Return the state that the draft leads to."""
        return self.position.state

    def shrunk(self) -> "Draft | None":
        """Return the draft without its last pick and the forced answers that followed it."""
        draft = self
        while draft.before and draft.answers[-1].forced:
            draft = draft.before
        return draft.before
