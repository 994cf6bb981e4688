"""A change to a match: started by an act, extended by followers, written in one transaction.

An act is what somebody does, such as confirming a draft or joining a lobby. Followers add what must
be written with it, whatever the act was: clocks, jobs, a post. Both are functions that take a
Change and return an extended one. They must have no other effect, because they run again, on the
newest match, if another process wrote first.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeVar, TypeVarTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import encoding
from bot.kernel.post_rules import computer_to_move
from bot.kernel.room import Room
from bot.model import (
    OPEN,
    HandledInteraction,
    Job,
    MatchRecord,
    StoredCommit,
    StoredDraft,
    TableClocks,
)
from bot.store.sql import Database, Write
from engine import Commit, Match, Seat

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Need = Callable[[Database, MatchRecord], T]
"""A query for data that a follower needs. `Context` holds its result, with the query as the key."""


class Context(Struct, frozen=True):
    """Data the followers need besides the match, read together with it."""

    values: Mapping[Any, Any] = {}

    def __getitem__(self, need: Need[T]) -> T:
        return cast(T, self.values[need])


class Change(Struct, frozen=True, kw_only=True):
    """A match before and after something happened, and everything to be written with it.

    To have something new written, add a field here and a statement to `queries.write_change`.
    """

    before: Room
    after: Room
    now: int
    """The time of the change, in seconds since 1970."""
    context: Context = Context()
    """The results of the features' `needs`, read when the match was loaded."""
    shown: Match | None = None
    """The position that the last post shows; filled in before the followers run."""
    positions: tuple[Match, ...] = ()
    """All positions of the match during this change, starting with the one before it.

    From one to the next there is a commit if the number rises; otherwise only drafts differ.
    """
    actor: Seat | None = None
    """The seat whose player made this change in person; None for a computer, a clock or a vote."""
    handled: HandledInteraction | None = None
    """The interaction that caused this change; written with it, so that a repeat does nothing."""
    announce_up_to: int | None = None
    """Request a new post that covers everything up to this commit; None for no new post."""
    suppress_post: bool = False
    """Make no post for the commits of this change."""
    announce_again: bool = False
    """Send the last post again, because its message can no longer be reached.

    Ignored if another post is pending.
    """
    withdrawn_after: int | None = None
    """Cancel pending posts that cover commits after this number."""
    clocks: TableClocks | None = None
    """The time everyone has left, stored with the last commit in case the match is rewound."""
    jobs: tuple[Job, ...] = ()
    """Jobs to schedule; each replaces the one of the same kind, match and user, if any."""
    cancelled_jobs: tuple[tuple[str, int], ...] = ()
    """Jobs of this match to cancel, by kind and user."""
    writes: tuple[Write, ...] = ()
    """Queries that features have queued for the same transaction, in order."""

    def __repr__(self) -> str:
        # The positions are left out: their seeds and drafts must not reach a log.
        return f"<Change of {self.after!r}>"

    @property
    def match_id(self) -> str:
        """The id of the match."""
        return self.before.record.id

    @property
    def commits(self) -> list[tuple[Match, Match]]:
        """The commits of this change, each as the positions before and after it."""
        return [
            (before, after)
            for before, after in pairwise(self.positions)
            if after.number > before.number
        ]

    @property
    def engine_commits(self) -> list[Commit]:
        """The engine's `Commit` for each entry of `commits` that has one."""
        return [after.last for _, after in self.commits if after.last]

    @property
    def is_draft_only(self) -> bool:
        """Whether the change touches nothing but drafts."""
        # `Pipeline.commit` raises the version with every change, so ignore it here.
        record = replace(self.after.record, version=self.before.record.version)
        return record == self.before.record and not self.commits

    def update(self, **fields: Any) -> "Change":
        """Set fields of the match's record."""
        return replace(self, after=replace(self.after, record=replace(self.after.record, **fields)))

    def play(self, *positions: Match) -> "Change":
        """Advance the match through these positions; the first may be the current one."""
        current = self.after.match
        if current is None:
            # An error of the caller: players get `Room.playing`'s refusal before this.
            raise ValueError("a match that has not begun cannot be played")
        history = self.positions or (current,)
        added = tuple(position for position in positions if position is not history[-1])
        history = (*history, *added)
        # The log is in the database. Cached matches leave it out, to save memory.
        after = replace(self.after, match=history[-1].without_log())
        return replace(self, after=after, positions=history)

    def post_again(self) -> "Change":
        """Send the last post again, unless another one is pending."""
        return replace(self, announce_again=True)

    def schedule(self, *jobs: Job) -> "Change":
        """Schedule jobs with this change."""
        return replace(self, jobs=(*self.jobs, *jobs))

    def cancel_jobs(self, *jobs: tuple[str, int]) -> "Change":
        """Cancel jobs of this match, by kind and user."""
        return replace(self, cancelled_jobs=(*self.cancelled_jobs, *jobs))

    def write(self, query: Callable[[Database, *Ts], object], *args: *Ts) -> "Change":
        """Queue a query to run in the same transaction as this change."""
        return replace(self, writes=(*self.writes, Write(query, args)))

    def queued_args(self, query: Callable[..., Any]) -> list[Any]:
        """Return the arguments of every queued write of `query`, flattened into one list."""
        return [arg for write in self.writes if write.query is query for arg in write.args]

    # Derived values that `queries.write_change` writes.

    @property
    def seats_changed(self) -> bool:
        """Whether the rows of the table `seats` have to be written again."""
        before, after = self.before.record, self.after.record
        return (before.chairs, before.seating, before.status in OPEN) != (
            after.chairs,
            after.seating,
            after.status in OPEN,
        )

    @property
    def awaits_computer(self) -> bool:
        """Whether a computer is to move after this change."""
        return self.after.match is not None and computer_to_move(self.after.match) is not None

    @property
    def stored_commits(self) -> list[StoredCommit]:
        """The encoded commits, preceded by the set-up if the match begins with this change."""
        positions = [after for _, after in self.commits]
        if self.before.match is None:
            positions = [*self.positions[:1], *positions]
        return [encoding.encode_commit(position) for position in positions]

    @property
    def stored_drafts(self) -> tuple[StoredDraft, ...] | None:
        """All drafts, encoded; None if this change leaves them alone."""
        match = self.after.match
        if match is None or match is self.before.match:
            return None
        return encoding.encode_drafts(match)


Act = Callable[[Change], Change]
"""Does something to a match. Raises Refused or an EngineError if it is not allowed."""
Follower = Callable[[Change], Change]
"""Adds to a change what must be written with it, whatever caused the change."""
Subscriber = Callable[[Change], None]
"""Called with each change once it is written. May start work, but must not block."""
