"""Commits, which make up a match, and drafts, which are not yet part of it.

Commits are saved: their fields are never renamed, and a new field needs a default. Drafts are saved
as answers only, and replayed when a match is loaded.
"""

from typing import Any, Literal

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Event
from engine.core.position import Position


class Commit(Struct, frozen=True, omit_defaults=True):
    """A confirmed turn: the unit of the log, of snapshots and of announcements.

    A commit without answers is a resignation, a handover, or a return to an earlier commit.
    """

    seat: Seat
    answers: tuple[Answer, ...]
    resigned: bool = False
    """Whether the seat resigns."""
    handed: Literal["computer", "person"] | None = None
    """Who plays the seat from now on; None if that stays the same."""
    back_to: int | None = None
    """The number of the commit to whose position the match returns; later ones are undone."""
    seed: str = ""
    """The new seed, if the match gets one. A secret until the end."""
    events: tuple[Event, ...] = ()
    """Its events. They are saved apart from the commit, since only the game's types decode them."""


class Draft(Struct, frozen=True):
    """A seat's unconfirmed answers, linked to the draft before the last of them."""

    answers: tuple[Answer, ...]
    events: tuple[Event, ...]
    """The events of its answers."""
    position: Position
    """The position after its answers."""
    question: Decision | None
    """The question that the seat must answer next; None if the draft is complete."""
    before: "Draft | None"
    """The draft without the last answer; None if that is the first."""

    @property
    def tip(self) -> Any:
        """The state after its answers."""
        return self.position.state

    def undo(self) -> "Draft | None":
        """Return the draft without its last pick and the forced answers that followed it."""
        draft = self
        while draft.before and draft.answers[-1].forced:
            draft = draft.before
        return draft.before
