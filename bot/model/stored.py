"""What one transaction writes and what the store hands back: encoded commits, drafts and
positions.
"""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from bot.model.clocks import TableClocks
from bot.model.jobs import Job
from bot.model.match import MatchRecord
from bot.model.posts import Announcement

ABSENCE = "absence"
"""What all processes are told when one was away."""


class MessageKind(StrEnum):
    """Which of a match's messages."""

    LOBBY = "lobby"
    TURN = "turn"


class Record(Struct, frozen=True):
    """Something kept. Its repr tells nothing: seeds and drafts must not reach a log."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class StoredCommit(Record, frozen=True):
    """A commit as kept, in JSON. Number 0 is the set-up, which nobody committed."""

    number: int
    rules: int
    """The game's version it was played under."""
    seat: int = 0
    back_to: int | None = None
    """The commit that it goes back to, None if it goes on."""
    commit: bytes = b""
    """Without its events; empty for the set-up."""
    events: bytes = b""
    snapshot: bytes = b""
    """The position after it, without drafts; empty once it was thinned out of a match that has
    ended.
    """


class StoredDraft(Record, frozen=True, kw_only=True):
    """A draft as kept; `cut` if the last commit of another seat shortened it."""

    seat: int
    answers: bytes
    cut: bool = False


class HandledInteraction(Record, frozen=True):
    """An interaction that was carried out: `since` and `number` are the commits before and after
    it, if it made any.
    """

    interaction: int
    seat: int = 0
    since: int = 0
    number: int = 0


class StoredMatch(Record, frozen=True, kw_only=True):
    """A match's current state; the snapshot is empty in the lobby."""

    record: MatchRecord
    snapshot: bytes = b""
    drafts: tuple[StoredDraft, ...] = ()
    last_post: Announcement | None = None
    """Its last public post, sent or pending."""


class Writes(Record, frozen=True, kw_only=True):
    """What one transaction writes. What is None stays as it is."""

    record: MatchRecord
    """The match as it will be; its version is one above the one that was read."""
    commits: tuple[StoredCommit, ...] = ()
    clocks: TableClocks | None = None
    """What everybody has left of their time, kept beside the last of the commits."""
    drafts: tuple[StoredDraft, ...] | None = None
    """All drafts of the match."""
    seats_changed: bool = False
    awaits_computer: bool = False
    """Whether a computer is to move."""
    announce: int | None = None
    """A post is due: everything since the last one up to this commit."""
    withdrawn_after: int | None = None
    """Posts that are due and tell of later commits than this are not made."""
    announce_again: bool = False
    """The last post is due once more, unless another is."""
    last_post: Announcement | None = None
    """The last post before this change."""
    handled: HandledInteraction | None = None
    jobs: tuple[Job, ...] = ()
    cancelled_jobs: tuple[tuple[str, int], ...] = ()
    """By kind and user."""
    more: tuple[Any, ...] = ()
    """Queries with their arguments that features run in the same transaction, in this order."""
