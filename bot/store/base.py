"""What any store must do; no SQL in here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from bot.matches.ballot import Vote
from bot.matches.pace import TableClocks
from bot.matches.rating import Board, Ranked, Rated, Rating, Ratings
from bot.matches.results import Finish, Result
from bot.matches.room import Absence, Announcement, Call, Due, Info, Person
from bot.matches.statistics import Played
from bot.shards import Shards

ABSENCE, CALLS_WANTED = "absence", "calls"
"""What all processes are told when one was away, and when somebody is to be called."""


class Scope(StrEnum):
    """Whose setting it is."""

    PLAYER = "player"
    SERVER = "server"


class MessageKind(StrEnum):
    """Which of a match's messages."""

    LOBBY = "lobby"
    TURN = "turn"


class Record(Struct, frozen=True, kw_only=True):
    """Something kept. Its repr tells nothing: seeds and drafts must not reach a log."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class StoredCommit(Record, frozen=True, kw_only=True):
    """A commit as kept, in JSON. Number 0 is the set-up, which nobody committed."""

    number: int
    rules: int
    """The game's version it was played under."""
    seat: int = 0
    commit: bytes = b""
    """Without its events; empty for the set-up."""
    events: bytes
    snapshot: bytes
    """The position after it, without drafts; empty once it was thinned out of a match that has ended."""


class StoredDraft(Record, frozen=True, kw_only=True):
    """A draft as kept; `cut` if the last commit of another seat shortened it."""

    seat: int
    answers: bytes
    cut: bool = False


class Done(Record, frozen=True, kw_only=True):
    """An interaction that was carried out: `since` and `number` are the commits before and after it."""

    interaction: int
    seat: int
    since: int
    number: int


class StoredMatch(Record, frozen=True, kw_only=True):
    """A match as it stands; the snapshot is empty in the lobby."""

    info: Info
    snapshot: bytes = b""
    drafts: tuple[StoredDraft, ...] = ()


class Change(Record, frozen=True, kw_only=True):
    """What one transaction writes. What is None stays as it is."""

    info: Info
    """As it shall be; its version is one above the one that was read."""
    commits: tuple[StoredCommit, ...] = ()
    clocks: TableClocks | None = None
    """What everybody has left of their time, to be kept beside the last of the commits."""
    drafts: tuple[StoredDraft, ...] | None = None
    """All drafts of the match."""
    chairs: bool = False
    """Whether people came or went."""
    unattended: bool | None = None
    """Whether a computer is to move."""
    announce: int | None = None
    """A post is due: all since the last one up to this commit."""
    withdrawn: int | None = None
    """Posts that are due and tell of later commits than this are not made."""
    announce_again: bool = False
    """The last post is due once more, unless another is: the one that was made is out of reach."""
    posted: int | None = None
    """The announcement that was posted."""
    message: tuple[MessageKind, int] | None = None
    done: Done | None = None
    dues: tuple[Due, ...] = ()
    """What is to happen later, set or moved."""
    undue: tuple[tuple[str, int], ...] = ()
    """What is to happen no more in this match, by kind and user."""
    calls: tuple[Call, ...] = ()
    """How people are called to decisions that are put to them now."""
    answered: tuple[int, ...] = ()
    """People whose decision is answered or gone: no call to it is to be made any more."""
    votes: tuple[Vote, ...] = ()
    """Votes of the match, new or changed."""
    results: tuple[Result, ...] | None = None
    """What came of the match, which ends with this."""


class Store(Protocol):
    """Matches, kept so that no crash loses an acknowledged move. Every method raises StoreError if it cannot."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to it: then what was read may not be the newest any more."""

    own: Shards
    """What this process owns: methods that look for work find nothing else."""

    when_told: Callable[[str], None]
    """Called with the id of an own match that another process has written, or with what it tells everybody."""

    async def create(self, info: Info, done: Done | None = None, most: int | None = None) -> None:
        """A new match in its lobby, with the interaction that made it; Conflict if the id is taken.

        Refused if its host has `most` open lobbies already.
        """

    async def append(self, change: Change) -> None:
        """A change written whole or not at all; Conflict if the match was written since it was read."""

    async def load(self, match: str) -> StoredMatch | None:
        """A match as it stands."""

    async def version(self, match: str) -> int | None:
        """How often a match was written; None if it is not there."""

    async def load_all(self, matches: Iterable[str]) -> list[StoredMatch]:
        """Several matches as they stand; those left out that are not there or damaged."""

    async def commits(self, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """The commits after `since` up to `number`, in order, the set-up (0) included."""

    async def snapshot(self, match: str, number: int) -> bytes | None:
        """The position after a commit, if it is kept."""

    async def newest_kept(self, match: str, number: int) -> int | None:
        """The last commit up to a number whose position is kept."""

    async def to_thin(self, before: int, most: int) -> list[str]:
        """Ids of matches that ended before that time, and whose positions were not thinned yet; at most so many."""

    async def thin(self, match: str, numbers: Iterable[int]) -> None:
        """The positions after these commits forgotten, of a match that is not open."""

    async def thinned(self, match: str) -> None:
        """The positions of a match are thinned; what its clocks showed at each commit is forgotten as well."""

    async def clocks(self, match: str, number: int) -> TableClocks:
        """What everybody had left of their time at a commit; no clocks if there were none."""

    async def done(self, match: str, interaction: int) -> Done | None:
        """The interaction, if it was carried out."""

    async def here(self, channel: int) -> list[str]:
        """Ids of open matches of a channel or thread, newest first."""

    async def ended(self, place: int) -> str | None:
        """Id of the last match that ended in a thread or direct message."""

    async def over(self, user: int, place: int, most: int) -> list[str]:
        """Ids of matches that have ended, of a person or of a channel or thread, newest first; at most so many."""

    async def of_user(self, user: int) -> list[str]:
        """Ids of open matches a person sits in, newest first."""

    async def finished(self, user: int) -> int:
        """How many matches of a person have ended."""

    async def open_in(self, guild: int, besides: str) -> int:
        """How many matches of a server are open, one of them not counted."""

    async def tables(self, guild: int) -> list[str]:
        """Ids of open lobbies of a server, newest first."""

    async def offering(self, guild: int) -> list[str]:
        """Ids of matches of a server in which a seat is offered, newest first."""

    async def awaiting(self, user: int) -> list[str]:
        """Ids of open lobbies in which a person is awaited for a rematch, newest first."""

    async def unattended(self) -> list[str]:
        """Ids of running matches in which a computer is to move."""

    async def lobbies(self, before: int) -> list[str]:
        """Ids of open lobbies in which nobody has done anything since that time, in seconds since 1970."""

    async def paused(self) -> list[str]:
        """Ids of matches that cannot post where they live."""

    async def of_each_kind(self, most: int) -> list[str]:
        """Ids of running matches, the newest of each game, number of seats and settings; at most so many."""

    async def untold(self) -> list[str]:
        """Ids of matches that have ended, and whose lobby and thread do not say so yet."""

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Announcements not yet posted, in order; those of paused matches wait."""

    async def told_at(self, match: str) -> list[int]:
        """The numbers of the commits after which a post was due, in order."""

    async def detours(self, match: str) -> list[tuple[int, int]]:
        """The numbers of the commits that took others back, each with the one it went back to."""

    async def announced(self, match: str) -> Announcement | None:
        """The last announcement, whether posted or due; None before the first."""

    async def set_due(self, *dues: Due) -> None:
        """Things to happen later; one of the same kind, match and user is moved."""

    async def drop_due(self, kind: str, match: str = "", user: int = 0) -> None:
        """Something to happen no more; nothing if it was not to."""

    async def due_by(self, now: int, most: int) -> list[Due]:
        """What is to be done by now, the most urgent first; at most so many."""

    async def take_due(self, now: int, most: int, until: int) -> list[Due]:
        """What is to be done by now and is tied to no server, so that any process may: it has it until then.

        A process that owns everything finds it among the rest.
        """

    async def keep_due(self, ids: Iterable[int], until: int) -> None:
        """What was so taken is being done still, and stays in this process's hand until then."""

    async def next_due(self) -> int | None:
        """When the next thing is to be done; None if there is none."""

    async def is_to_happen(self, kind: str, match: str = "", user: int = 0) -> bool:
        """Whether something of that kind is to happen, now or later."""

    async def dues_of(self, match: str) -> list[Due]:
        """All that is to happen in a match."""

    async def due_done(self, due: Due) -> None:
        """It has happened, and is forgotten unless it was set anew meanwhile."""

    async def due_failed(self, due: Due, wake: int) -> None:
        """It could not be done: it is tried again at that time, unless it was set anew meanwhile."""

    async def beat(self, now: int, most: int, kinds: Iterable[str]) -> list[Absence]:
        """The bot is there now for what it owns. If it was not for more than `most` seconds, that is noted and told.

        Then whatever is due there of these kinds comes later by as much.
        """

    async def absences(self, since: int) -> list[Absence]:
        """When the bot was not there, as far as it ended after that time; in order."""

    async def calls(self, match: str | None = None, user: int | None = None) -> list[Call]:
        """How people are called in a match, or a person everywhere, or one in the other."""

    async def wanted_calls(self, most: int) -> list[Call]:
        """The calls that are to be made now, the oldest first; at most so many."""

    async def take_calls(self, now: int, most: int, until: int) -> list[Call]:
        """The calls to be made now that name no match, so that any process may: it has them until then."""

    async def answered(self) -> list[str]:
        """Ids of matches with calls that are answered, but may still stand somewhere."""

    async def want_calls(self, due: Due, now: int, most: int) -> None:
        """A call that has come due is wanted, and others of its kind with it, at most so many; their rows are gone."""

    async def put_calls(self, calls: Iterable[Call], dues: Iterable[Due] = ()) -> None:
        """How people are called, whatever was kept of it before, and what is due for it."""

    async def change_call(self, was: Call, call: Call, dues: Iterable[Due] = ()) -> bool:
        """The same if it still is as it was; whether it is."""

    async def drop_call(self, call: Call) -> None:
        """What was kept of a call forgotten."""

    async def votes(self, match: str) -> list[Vote]:
        """All votes of a match, in order."""

    async def voting(self) -> list[str]:
        """Ids of matches with votes that are open, or whose result is not told yet."""

    async def note(self, match: str, user: int) -> str:
        """What a person has noted for themselves in a match, '' if nothing."""

    async def put_note(self, match: str, user: int, text: str) -> None:
        """A note kept in place of the one before, or forgotten if it is empty."""

    async def setting(self, scope: Scope, owner: int, key: str) -> str | None:
        """What a player or server has chosen."""

    async def put_setting(self, scope: Scope, owner: int, key: str, value: str | None) -> None:
        """A choice kept, or forgotten with None."""

    async def with_setting(self, key: str, players: Iterable[int]) -> frozenset[int]:
        """Those of these players who have chosen something under a key."""

    async def finish(self, match: str) -> Finish | None:
        """What came of a match; None if it has not ended with a result."""

    async def finishes(self, since: int, most: int) -> list[Finish]:
        """Matches that have ended with a result after that one, in order, without the results; at most so many."""

    async def scores_before(self, match: str) -> list[tuple[float, ...]]:
        """The points of all seats of every match of the same game on the same server that ended before this one.

        Those are left out that are no result proper: played alone, or left by all but one.
        """

    async def put_results(self, results: Mapping[str, Sequence[Result]]) -> None:
        """The results of matches that have ended, by their ids, in place of those before. They are to be rated anew."""

    async def unrated(self, most: int) -> list[Finish]:
        """Matches whose results are not in the ratings yet, in the order in which they ended; at most so many."""

    async def ratings(self, whose: Iterable[Rated]) -> dict[Rated, Rating]:
        """Ratings as they stand; without those who have none."""

    async def put_ratings(self, steps: Iterable[tuple[int, Ratings]], known: Mapping[Rated, Rating]) -> None:
        """The ratings that matches have changed, in order, by the numbers of the matches; they are rated then.

        `known` are those it was worked out from; Conflict if another process has rated meanwhile.
        """

    async def ratings_of(self, user: int, guild: int) -> dict[str, Rating]:
        """A person's ratings on a server, or over all (0), by game."""

    async def board(self, board: Board) -> list[Ranked]:
        """Those who are listed, the best first."""

    async def rated_people(self, guild: int) -> list[tuple[int, str]]:
        """People who have a rating on a server, without those who are hidden: ids and names."""

    async def played(self, user: int, guild: int | None, game: str | None) -> list[Played]:
        """All that came of a person's matches, on a server or everywhere, in one game or all; in order."""

    async def companions(self, user: int, guild: int | None, game: str | None) -> list[tuple[int, int, str]]:
        """Who else was at those tables to the end: the number of the match, user and name."""

    async def together(self, one: int, other: int, guild: int | None, game: str | None) -> list[tuple[Played, Played]]:
        """What came of the matches of two people for both; in order."""

    async def drop_ratings(self) -> None:
        """All ratings forgotten."""

    async def own_rows(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """All that is kept of a person alone, and of what they have played, by the name of what it is kept in."""

    async def last_opened(self) -> int:
        """The number of the newest match: they are counted as they are opened."""

    async def matches_with(self, user: int, after: int, until: int) -> list[str]:
        """Ids of matches opened after one and up to another in which a person may be found."""

    async def moves(self, match: str) -> list[tuple[int, int, bytes]]:
        """The commits of a match: number, seat, and the commit in JSON."""

    async def forget_in(self, match: str, user: int, former: Person) -> None:
        """All that a match tells of a person told of a former player."""

    async def forget_rows(self, user: int, former: Person, finish: str) -> None:
        """What is kept of a person alone dropped, but for what is due of that kind; what they have played renamed."""

    async def forget_in_copies(self, user: int, former: Person) -> None:
        """A person forgotten also in the copies that the bot itself has made."""

    async def claim(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Own these shards from now on. `waits` is told why, once, if another process has to end first."""

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """Seconds to wait for something of which there is one a `cost` of seconds over all processes.

        As much as fits into `ahead` seconds may be had at once. What would take longer than `longest` is not kept.
        Where there is one process it sees to that itself.
        """

    async def confirm_claim(self) -> bool:
        """Return whether the shards are surely this process's still, if need be after asking the database."""

    async def claim_lost(self) -> None:
        """Return when the shards are lost, or may be: another process may answer for them from now on."""

    async def regain_claim(self) -> None:
        """Own lost shards again; StoreError if another process has them, or the database stays out of reach."""

    async def scrub(self) -> None:
        """Whatever was dropped or changed so far cannot be read any more, not even from the bytes of a file."""

    async def close(self) -> None:
        """Everything written out; once closed, closing again does nothing."""
