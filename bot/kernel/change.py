"""A change to a match: begun by an act, completed by the followers, written as one transaction.

An act and a follower are the same kind of function: given a Change, return the Change with more in it. Both are pure,
so a change can be worked out again when another process has written first.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeVar, TypeVarTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import encoding
from bot.kernel.post_rules import computer_to_move
from bot.kernel.room import Room
from bot.model.clocks import TableClocks
from bot.model.jobs import Job
from bot.model.match import OPEN, MatchRecord
from bot.model.posts import Announcement
from bot.model.stored import HandledInteraction, Writes
from bot.store.sql import Database, Write
from engine import Commit, Match, Seat

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Need = Callable[[Database, MatchRecord], T]
"""A query for something that a follower has to know about a match."""


class Context(Struct, frozen=True):
    """What the followers have to know besides the match, read at one moment."""

    last_post: Announcement | None = None
    """The last public post, made or due; None before the first."""
    shown: Match | None = None
    """The position that it shows."""
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
    """Filled in before the followers run."""
    positions: tuple[Match, ...] = ()
    """The positions passed through, the one before the change first. Where the number rises there is a commit."""
    actor: Seat | None = None
    """The seat whose player does this themselves."""
    handled: HandledInteraction | None = None
    """The interaction that this change carries out, so that a repeat of it changes nothing."""
    announce: int | None = None
    """A post is due: everything since the last one up to this commit."""
    unannounced: bool = False
    """No post is to tell of it."""
    announce_again: bool = False
    """The last post is due once more, unless another is: the one that was made is out of reach."""
    withdrawn_after: int | None = None
    """Posts that are due and tell of later commits than this are not made."""
    clocks: TableClocks | None = None
    """What everybody has left of their time, kept beside the last commit."""
    jobs: tuple[Job, ...] = ()
    """Work scheduled for later; a job of the same kind, match and user is moved."""
    cancelled_jobs: tuple[tuple[str, int], ...] = ()
    """Jobs of this match that are not to run any more, by kind and user."""
    writes: tuple[Write, ...] = ()
    """What features write in the same transaction, in this order."""
    announcement: Announcement | None = None
    """The post that has become due; filled in when the change has been written."""

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
        return [(before, after) for before, after in pairwise(self.positions) if after.number > before.number]

    @property
    def made(self) -> list[Commit]:
        """What was committed."""
        return [after.last for _, after in self.commits if after.last]

    @property
    def is_draft_only(self) -> bool:
        """Whether nothing has changed but what somebody is about to commit."""
        # Every change raises the version when it is written.
        record = replace(self.after.record, version=self.before.record.version)
        return record == self.before.record and not self.commits

    def update(self, **fields: Any) -> "Change":
        """Change fields of the match's record."""
        return replace(self, after=Room(replace(self.after.record, **fields), self.after.match))

    def play(self, *positions: Match) -> "Change":
        """Move the match on through these positions; the first may be the one where it stands."""
        stood = self.after.match
        if stood is None:
            raise ValueError("a match that has not begun cannot be played")
        passed = self.positions or (stood,)
        added = tuple(position for position in positions if position is not passed[-1])
        last = (*passed, *added)[-1]
        return replace(self, after=Room(self.after.record, last.without_log()), positions=(*passed, *added))

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
        """Run a query of a feature in the same transaction."""
        return replace(self, writes=(*self.writes, Write(query, args)))

    def written(self, query: Callable[..., Any]) -> list[Any]:
        """Return what this change writes by a query."""
        return [arg for write in self.writes if write.query is query for arg in write.args]

    def to_store(self) -> Writes:
        """Return what the transaction writes: the match as it is kept, and everything that follows."""
        before, after, match = self.before, self.after, self.after.match
        begins = match is not None and before.match is None
        commits = [stood for _, stood in self.commits]
        if begins:
            # The set-up, with all that it told.
            commits.insert(0, self.positions[0])
        return Writes(
            record=replace(after.record, version=before.record.version + 1),
            commits=tuple(encoding.encode_commit(stood) for stood in commits),
            clocks=self.clocks,
            drafts=encoding.encode_drafts(match) if match is not None and match is not before.match else None,
            seats_changed=_people(before.record) != _people(after.record),
            awaits_computer=match is not None and computer_to_move(match) is not None,
            announce=self.announce,
            announce_again=self.announce_again,
            withdrawn_after=self.withdrawn_after,
            handled=self.handled,
            jobs=self.jobs,
            cancelled_jobs=self.cancelled_jobs,
            more=self.writes,
        )


def _people(record: MatchRecord) -> tuple[object, ...]:
    """Return what the table of a match's people is filled from."""
    return record.chairs, record.seating, record.status in OPEN


Act = Callable[[Change], Change]
"""What somebody does to a match. Raises Refused, or the engine's reason, if it is not possible."""
Follower = Callable[[Change], Change]
"""Adds to a change what follows from it, whatever led to it."""
Subscriber = Callable[[Change], None]
"""Is told of a change once it has been written: starts what has to be done about it, and waits for nothing."""
