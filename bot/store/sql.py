"""What both stores share: every method of the protocol, as one function over a database run whole."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from bot.matches.ballot import Vote
from bot.matches.pace import TableClocks
from bot.matches.rating import Board, Ranked, Rated, Rating, Ratings
from bot.matches.results import Finish, Result
from bot.matches.room import Absence, Announcement, Call, Due, Info, Person
from bot.matches.statistics import Played
from bot.shards import NONE, Shards
from bot.store import personal, queries, standings
from bot.store.base import Change, Done, Scope, StoredCommit, StoredMatch
from bot.store.database import Database

T = TypeVar("T")

Work = Callable[[Database], T]
"""What is done with a database, all of it or nothing."""


class SqlStore(ABC):
    """A Store but for how a database is reached: that is `read` and `write`."""

    is_shared = False

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        """Set once nothing can be kept any more, for good."""
        self.why_lost = ""
        self.own = Shards()
        """What this process owns of the matches: all, unless it claims less."""
        self.when_told: Callable[[str], None] = lambda match: None
        """Called with the id of an own match that another process has written, or with what it tells everybody."""

    async def claim(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Own these shards from now on. `waits` is told why, once, if another process has to end first."""
        self.own = shards

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """No other process has to be waited for."""
        return 0.0

    async def confirm_claim(self) -> bool:
        """Return whether the shards are surely this process's: no other process can have them."""
        return True

    async def claim_lost(self) -> None:
        """Never return: no other process can take the shards."""
        await asyncio.Event().wait()

    async def regain_claim(self) -> None:
        """Fail: the shards are never lost."""
        raise AssertionError

    @abstractmethod
    async def read(self, work: Work[T]) -> T:
        """What a function that changes nothing makes of the database, as it stands at one moment."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """What a function makes that changes the database; all of it is kept, or nothing."""

    @abstractmethod
    async def close(self) -> None:
        """Everything written out; once closed, closing again does nothing."""

    async def create(self, info: Info, done: Done | None = None, most: int | None = None) -> None:
        """A new match in its lobby, with the interaction that made it."""
        await self.write(lambda db: queries.create(db, info, done, most))

    async def append(self, change: Change) -> None:
        """A change written whole or not at all."""
        await self.write(lambda db: queries.append(db, change, self.own))

    async def load(self, match: str) -> StoredMatch | None:
        """A match as it stands."""
        return await self.read(lambda db: queries.load(db, match))

    async def version(self, match: str) -> int | None:
        """How often a match was written."""
        return await self.read(lambda db: queries.version(db, match))

    async def load_all(self, matches: Iterable[str]) -> list[StoredMatch]:
        """Several matches as they stand."""
        return await self.read(lambda db: queries.load_all(db, matches))

    async def commits(self, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """The commits after `since` up to `number`, in order, the set-up (0) included."""
        return await self.read(lambda db: queries.commits(db, match, since, number))

    async def snapshot(self, match: str, number: int) -> bytes | None:
        """The position after a commit."""
        return await self.read(lambda db: queries.snapshot(db, match, number))

    async def newest_kept(self, match: str, number: int) -> int | None:
        """The last commit up to a number whose position is kept."""
        return await self.read(lambda db: queries.newest_kept(db, match, number))

    async def to_thin(self, before: int, most: int) -> list[str]:
        """Ids of matches that ended before that time, and whose positions were not thinned yet."""
        return await self.read(lambda db: queries.to_thin(db, before, most))

    async def thin(self, match: str, numbers: Iterable[int]) -> None:
        """The positions after these commits forgotten."""
        await self.write(lambda db: queries.thin(db, match, numbers))

    async def thinned(self, match: str) -> None:
        """The positions of a match are thinned."""
        await self.write(lambda db: queries.thinned(db, match))

    async def clocks(self, match: str, number: int) -> TableClocks:
        """What everybody had left of their time at a commit."""
        return await self.read(lambda db: queries.clocks(db, match, number))

    async def done(self, match: str, interaction: int) -> Done | None:
        """The interaction, if it was carried out."""
        return await self.read(lambda db: queries.done(db, match, interaction))

    async def here(self, channel: int) -> list[str]:
        """Ids of open matches of a channel or thread, newest first."""
        return await self.read(lambda db: queries.here(db, channel))

    async def ended(self, place: int) -> str | None:
        """Id of the last match that ended in a thread or direct message."""
        return await self.read(lambda db: queries.ended(db, place))

    async def over(self, user: int, place: int, most: int) -> list[str]:
        """Ids of matches that have ended, of a person or of a channel or thread, newest first; at most so many."""
        return await self.read(lambda db: queries.over(db, user, place, most))

    async def of_user(self, user: int) -> list[str]:
        """Ids of open matches a person sits in, newest first."""
        return await self.read(lambda db: queries.of_user(db, user))

    async def finished(self, user: int) -> int:
        """How many matches of a person have ended."""
        return await self.read(lambda db: queries.finished(db, user))

    async def open_in(self, guild: int, besides: str) -> int:
        """How many matches of a server are open, one of them not counted."""
        return await self.read(lambda db: queries.open_in(db, guild, besides))

    async def tables(self, guild: int) -> list[str]:
        """Ids of open lobbies of a server, newest first."""
        return await self.read(lambda db: queries.tables(db, guild))

    async def offering(self, guild: int) -> list[str]:
        """Ids of matches of a server in which a seat is offered, newest first."""
        return await self.read(lambda db: queries.offering(db, guild))

    async def awaiting(self, user: int) -> list[str]:
        """Ids of open lobbies in which a person is awaited for a rematch, newest first."""
        return await self.read(lambda db: queries.awaiting(db, user))

    async def unattended(self) -> list[str]:
        """Ids of running matches in which a computer is to move."""
        return await self.read(lambda db: queries.unattended(db, self.own))

    async def lobbies(self, before: int) -> list[str]:
        """Ids of open lobbies in which nobody has done anything since."""
        return await self.read(lambda db: queries.lobbies(db, before, self.own))

    async def paused(self) -> list[str]:
        """Ids of matches that cannot post where they live."""
        return await self.read(lambda db: queries.paused(db, self.own))

    async def of_each_kind(self, most: int) -> list[str]:
        """Ids of running matches, the newest of each game, number of seats and settings."""
        return await self.read(lambda db: queries.of_each_kind(db, most, self.own))

    async def untold(self) -> list[str]:
        """Ids of matches whose lobby and thread do not say yet how they have ended."""
        return await self.read(lambda db: queries.untold(db, self.own))

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Announcements not yet posted, in order."""
        return await self.read(lambda db: queries.due(db, match, self.own))

    async def told_at(self, match: str) -> list[int]:
        """The numbers of the commits after which a post was due, in order."""
        return await self.read(lambda db: queries.told_at(db, match))

    async def detours(self, match: str) -> list[tuple[int, int]]:
        """The numbers of the commits that took others back, each with the one it went back to."""
        return await self.read(lambda db: queries.detours(db, match))

    async def announced(self, match: str) -> Announcement | None:
        """The last announcement, whether posted or due."""
        return await self.read(lambda db: queries.announced(db, match))

    async def set_due(self, *dues: Due) -> None:
        """Things to happen later."""
        await self.write(lambda db: queries.set_due(db, *dues))

    async def drop_due(self, kind: str, match: str = "", user: int = 0) -> None:
        """Something to happen no more."""
        await self.write(lambda db: queries.drop_due(db, kind, match, user))

    async def due_by(self, now: int, most: int) -> list[Due]:
        """What is to be done by now, the most urgent first."""
        return await self.read(lambda db: queries.due_by(db, now, most, self.own))

    async def take_due(self, now: int, most: int, until: int) -> list[Due]:
        """What is to be done by now by anybody."""
        if self.own.are_all or self.own == NONE:
            return []
        return await self.write(lambda db: queries.take_due(db, now, most, until))

    async def keep_due(self, ids: Iterable[int], until: int) -> None:
        """It stays in hand until then."""
        await self.write(lambda db: queries.keep_due(db, ids, until))

    async def next_due(self) -> int | None:
        """When the next thing is to be done."""
        return await self.read(lambda db: queries.next_due(db, self.own))

    async def is_to_happen(self, kind: str, match: str = "", user: int = 0) -> bool:
        """Whether something of that kind is to happen."""
        return await self.read(lambda db: queries.is_to_happen(db, kind, match, user))

    async def dues_of(self, match: str) -> list[Due]:
        """All that is to happen in a match."""
        return await self.read(lambda db: queries.dues_of(db, match))

    async def due_done(self, due: Due) -> None:
        """It has happened."""
        await self.write(lambda db: queries.due_done(db, due))

    async def due_failed(self, due: Due, wake: int) -> None:
        """It is tried again later."""
        await self.write(lambda db: queries.due_failed(db, due, wake))

    async def beat(self, now: int, most: int, kinds: Iterable[str]) -> list[Absence]:
        """The bot is there now."""
        return await self.write(lambda db: queries.beat(db, now, most, kinds, self.own))

    async def absences(self, since: int) -> list[Absence]:
        """When the bot was not there."""
        return await self.read(lambda db: queries.absences(db, since))

    async def calls(self, match: str | None = None, user: int | None = None) -> list[Call]:
        """How people are called in a match, or a person everywhere, or one in the other."""
        return await self.read(lambda db: queries.calls(db, match, user))

    async def wanted_calls(self, most: int) -> list[Call]:
        """The calls that are to be made now, the oldest first."""
        return await self.read(lambda db: queries.wanted_calls(db, most, self.own))

    async def take_calls(self, now: int, most: int, until: int) -> list[Call]:
        """The calls that anybody is to make now."""
        if self.own.are_all or self.own == NONE:
            return []
        return await self.write(lambda db: queries.take_calls(db, now, most, until))

    async def answered(self) -> list[str]:
        """Matches with calls that are answered."""
        return await self.read(lambda db: queries.answered(db, self.own))

    async def want_calls(self, due: Due, now: int, most: int) -> None:
        """Calls that have come due are wanted."""
        await self.write(lambda db: queries.want_calls(db, due, now, most, self.own))

    async def put_calls(self, calls: Iterable[Call], dues: Iterable[Due] = ()) -> None:
        """How people are called, and what is due for it."""
        await self.write(lambda db: queries.put_calls(db, calls, dues))

    async def change_call(self, was: Call, call: Call, dues: Iterable[Due] = ()) -> bool:
        """The same if it still is as it was; whether it is."""
        return await self.write(lambda db: queries.change_call(db, was, call, dues))

    async def drop_call(self, call: Call) -> None:
        """What was kept of a call forgotten."""
        await self.write(lambda db: queries.drop_call(db, call))

    async def votes(self, match: str) -> list[Vote]:
        """All votes of a match, in order."""
        return await self.read(lambda db: queries.votes(db, match))

    async def voting(self) -> list[str]:
        """Ids of matches with votes that are open, or whose result is not told yet."""
        return await self.read(lambda db: queries.voting(db, self.own))

    async def note(self, match: str, user: int) -> str:
        """What a person has noted for themselves in a match, '' if nothing."""
        return await self.read(lambda db: queries.note(db, match, user))

    async def put_note(self, match: str, user: int, text: str) -> None:
        """A note kept in place of the one before, or forgotten if it is empty."""
        await self.write(lambda db: queries.put_note(db, match, user, text))

    async def setting(self, scope: Scope, owner: int, key: str) -> str | None:
        """What a player or server has chosen."""
        return await self.read(lambda db: queries.setting(db, scope, owner, key))

    async def put_setting(self, scope: Scope, owner: int, key: str, value: str | None) -> None:
        """A choice kept, or forgotten with None."""
        await self.write(lambda db: queries.put_setting(db, scope, owner, key, value))

    async def with_setting(self, key: str, players: Iterable[int]) -> frozenset[int]:
        """Those of these players who have chosen something under a key."""
        return await self.read(lambda db: standings.with_setting(db, key, players))

    async def finish(self, match: str) -> Finish | None:
        """What came of a match."""
        return await self.read(lambda db: standings.finish(db, match))

    async def finishes(self, since: int, most: int) -> list[Finish]:
        """Matches that have ended with a result after that one, in order, without the results."""
        return await self.read(lambda db: standings.finishes(db, since, most))

    async def scores_before(self, match: str) -> list[tuple[float, ...]]:
        """The points of all seats of matches of the same game and server that ended before."""
        return await self.read(lambda db: standings.scores_before(db, match))

    async def put_results(self, results: Mapping[str, Sequence[Result]]) -> None:
        """The results of matches, in place of those before."""
        await self.write(lambda db: standings.put_results(db, results))

    async def unrated(self, most: int) -> list[Finish]:
        """Matches whose results are not in the ratings yet, in order."""
        return await self.read(lambda db: standings.unrated(db, most))

    async def ratings(self, whose: Iterable[Rated]) -> dict[Rated, Rating]:
        """Ratings as they stand."""
        return await self.read(lambda db: standings.ratings(db, whose))

    async def put_ratings(self, steps: Iterable[tuple[int, Ratings]], known: Mapping[Rated, Rating]) -> None:
        """The ratings that matches have changed."""
        await self.write(lambda db: standings.put_ratings(db, steps, known))

    async def ratings_of(self, user: int, guild: int) -> dict[str, Rating]:
        """A person's ratings on a server, or over all, by game."""
        return await self.read(lambda db: standings.ratings_of(db, user, guild))

    async def board(self, board: Board) -> list[Ranked]:
        """Those who are listed, the best first."""
        return await self.read(lambda db: standings.board(db, board))

    async def rated_people(self, guild: int) -> list[tuple[int, str]]:
        """People who have a rating on a server, without those who are hidden."""
        return await self.read(lambda db: standings.rated_people(db, guild))

    async def played(self, user: int, guild: int | None, game: str | None) -> list[Played]:
        """All that came of a person's matches, in order."""
        return await self.read(lambda db: standings.played(db, user, guild, game))

    async def companions(self, user: int, guild: int | None, game: str | None) -> list[tuple[int, int, str]]:
        """Who else was at those tables to the end."""
        return await self.read(lambda db: standings.companions(db, user, guild, game))

    async def together(self, one: int, other: int, guild: int | None, game: str | None) -> list[tuple[Played, Played]]:
        """What came of the matches of two people for both, in order."""
        return await self.read(lambda db: standings.together(db, one, other, guild, game))

    async def drop_ratings(self) -> None:
        """All ratings forgotten."""
        await self.write(standings.drop_ratings)

    async def own_rows(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """All that is kept of a person alone, and of what they have played."""
        return await self.read(lambda db: personal.own_rows(db, user))

    async def last_opened(self) -> int:
        """The number of the newest match."""
        return await self.read(personal.last_opened)

    async def matches_with(self, user: int, after: int, until: int) -> list[str]:
        """Ids of matches in which a person may be found."""
        return await self.read(lambda db: personal.matches_with(db, user, after, until))

    async def moves(self, match: str) -> list[tuple[int, int, bytes]]:
        """The commits of a match."""
        return await self.read(lambda db: personal.moves(db, match))

    async def forget_in(self, match: str, user: int, former: Person) -> None:
        """All that a match tells of a person told of a former player."""
        await self.write(lambda db: personal.forget_in(db, match, user, former))

    async def forget_rows(self, user: int, former: Person, finish: str) -> None:
        """What is kept of a person alone dropped."""
        await self.write(lambda db: personal.forget_rows(db, user, former, finish))

    async def forget_in_copies(self, user: int, former: Person) -> None:
        """Where the bot makes no copies there is nothing to do."""
        return

    async def scrub(self) -> None:
        """Where a database sees to it by itself, all that is deleted is gone already."""
        return
