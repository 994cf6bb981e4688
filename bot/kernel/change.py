"""A change to a match: begun by an act, completed by the followers, written as one transaction.

An act and a follower are the same kind of function: given a Change, return the Change with more in
it. Both are pure, so a change can be worked out again when another process has written first.
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
"""A query for data that a follower needs. Its result is in `Context` under the query itself."""


class Context(Struct, frozen=True):
    """What the followers have to know besides the match, read at one moment."""

    values: Mapping[Any, Any] = {}

    def __getitem__(self, need: Need[T]) -> T:
        return cast(T, self.values[need])


class Change(Struct, frozen=True, kw_only=True):
    """A match before and after something happens to it, and everything that is written with it."""

    before: Room
    after: Room
    now: int
    """In seconds since 1970."""
    context: Context = Context()
    """Loaded with the match."""
    shown: Match | None = None
    """The position that the last post shows; filled in before the followers run."""
    positions: tuple[Match, ...] = ()
    """The positions passed through, the one before the change first.

    Where the number rises there is a commit.
    """
    actor: Seat | None = None
    """The seat whose player made this change in person, if one did."""
    handled: HandledInteraction | None = None
    """The interaction that this change carries out, so that a repeat of it changes nothing."""
    announce_up_to: int | None = None
    """The commit up to which a new post tells what happened; None for no new post."""
    suppress_post: bool = False
    """Whether the commits of this change get no post."""
    announce_again: bool = False
    """Whether to send the last post again, because the one that was sent is out of reach.

    Ignored if another post is pending.
    """
    withdrawn_after: int | None = None
    """Cancel pending posts that cover commits after this number."""
    clocks: TableClocks | None = None
    """What everybody has left of their time, kept beside the last commit."""
    jobs: tuple[Job, ...] = ()
    """Work scheduled for later; a job of the same kind, match and user is moved."""
    cancelled_jobs: tuple[tuple[str, int], ...] = ()
    """Jobs of this match that are not to run any more, by kind and user."""
    writes: tuple[Write, ...] = ()
    """What features write in the same transaction, in this order."""

    def __repr__(self) -> str:
        # Never the positions: their seeds and drafts must not reach a log.
        return f"<Change of {self.after!r}>"

    @property
    def match_id(self) -> str:
        """The id of the match."""
        return self.before.record.id

    @property
    def commits(self) -> list[tuple[Match, Match]]:
        """The commits of this change: the position before and after each."""
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
        # Every change raises the version when it is written.
        record = replace(self.after.record, version=self.before.record.version)
        return record == self.before.record and not self.commits

    def update(self, **fields: Any) -> "Change":
        """Change fields of the match's record."""
        return replace(self, after=replace(self.after, record=replace(self.after.record, **fields)))

    def play(self, *positions: Match) -> "Change":
        """Move the match on through these positions; the first may be the one where it stands."""
        stood = self.after.match
        if stood is None:
            raise ValueError("a match that has not begun cannot be played")
        passed = self.positions or (stood,)
        added = tuple(position for position in positions if position is not passed[-1])
        passed = (*passed, *added)
        after = replace(self.after, match=passed[-1].without_log())
        return replace(self, after=after, positions=passed)

    def post_again(self) -> "Change":
        """Have the last post made once more, unless another is due."""
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

    # What the transaction writes, besides the fields.

    @property
    def seats_changed(self) -> bool:
        """Whether the rows differ that say who sits in which open match."""
        before, after = self.before.record, self.after.record
        return (before.chairs, before.seating, before.status in OPEN) != (
            after.chairs,
            after.seating,
            after.status in OPEN,
        )

    @property
    def awaits_computer(self) -> bool:
        """Whether a computer is to move now."""
        return self.after.match is not None and computer_to_move(self.after.match) is not None

    @property
    def stored_commits(self) -> list[StoredCommit]:
        """The commits as they are kept; when the match begins also its set-up."""
        stood = [after for _, after in self.commits]
        if self.before.match is None:
            stood = [*self.positions[:1], *stood]
        return [encoding.encode_commit(match) for match in stood]

    @property
    def stored_drafts(self) -> tuple[StoredDraft, ...] | None:
        """All drafts as they are kept, None if they stay as they are."""
        match = self.after.match
        if match is None or match is self.before.match:
            return None
        return encoding.encode_drafts(match)


Act = Callable[[Change], Change]
"""Something done to a match. Raises Refused or an EngineError if it is not allowed."""
Follower = Callable[[Change], Change]
"""Adds to a change whatever must come with it, however the change came about."""
Subscriber = Callable[[Change], None]
"""Called with each change once it is written. May start work, but must not block."""
