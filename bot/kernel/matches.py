"""Matches: found, kept in memory, and locked while somebody changes them.

`Matches.find` returns one match by its id, `Matches.select` all that a query names. Everything else
here is built on these two. The pipeline alone changes matches (pipeline.py).
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Any, ParamSpec

from cachetools import LRUCache
from msgspec.structs import replace

from bot.kernel import encoding, queries
from bot.kernel.clocks import Clocks
from bot.kernel.encoding import DAMAGED, Games
from bot.kernel.room import Room
from bot.model.match import Status
from bot.model.stored import HandledInteraction, StoredCommit
from bot.runtime.errors import Damaged, NotFound, Refused, log_error
from bot.runtime.locks import Locks
from bot.store.base import Query, Store
from bot.text import say
from engine import Commit, EngineError, Game, Match, Seat, UnknownGame, snapshot
from engine.core.escape import escaped

MATCH_ID = re.compile(r"[a-z0-9]{1,8}")
MATCHES_PER_READ = 50
"""Matches read at once: a few milliseconds in which nobody else is served."""
POSITIONS_KEPT = 128
"""Positions of past commits kept in memory.

A match being played needs that of its last post and the one before it.
"""

P = ParamSpec("P")


class Matches:
    """All matches. Those used last are in memory."""

    def __init__(self, store: Store, clocks: Clocks, games: Games, size: int) -> None:
        self._store = store
        self._clocks = clocks
        self._games = games
        self._rooms: LRUCache[str, Room] = LRUCache(size)
        self._past: LRUCache[tuple[str, int], Match] = LRUCache(POSITIONS_KEPT)
        self._locks = Locks()
        self._is_closed = False

    def game(self, game: str) -> Game[Any]:
        """Return the game of an id; raise UnknownGame if there is none."""
        if game not in self._games:
            raise UnknownGame(
                say("refusal.unknown_game", game=escaped(game), games=tuple(self._games))
            )
        return self._games[game]

    # One match.

    async def find(self, match: str) -> Room:
        """Return the match of an id; raise NotFound if there is none, Malformed if it cannot be
        read.
        """
        if match in self._rooms and await self._is_newest(match):
            return self._rooms[match]
        async with self.lock(match):
            room, _ = await self.load(match)
            return room

    @asynccontextmanager
    async def lock(self, match: str) -> AsyncIterator[None]:
        """Wait in line for a match and hold it: nobody else in this process changes it
        meanwhile.
        """
        if self._is_closed:
            raise Refused("refusal.restarting")
        async with self._locks[match]:
            yield

    async def load(
        self, match: str, interaction: int | None = None
    ) -> tuple[Room, HandledInteraction | None]:
        """Return the current match, and the result of an interaction that was already handled.

        Both are of one moment: if another process carries it out, the match shows what came of it.
        For code that holds the match's lock.
        """
        room = self._rooms.get(match)
        if room is not None and interaction is None and not self._store.is_shared:
            return self.keep(room), None
        if not MATCH_ID.fullmatch(match):
            raise NotFound("refusal.no_match", id=match[:8])
        version = None if room is None else room.record.version
        stored, handled = await self._store.read(queries.load_newer, match, version, interaction)
        if stored is not None:
            room = encoding.decode_match(stored, self._games)
        assert room is not None
        return self.keep(room), handled

    def keep(self, room: Room) -> Room:
        """Keep a match in memory as the one used last, and return it."""
        self._rooms[room.record.id] = room
        return room

    def drop(self, match: str) -> None:
        """Read a match from the database the next time it is needed."""
        self._rooms.pop(match, None)

    def patch(self, match: str, version: int, **fields: int) -> None:
        """Change fields of a match in memory after the database has changed them, which made it
        this version.
        """
        room = self._rooms.pop(match, None)
        # Any other version is another process's, and has to be read.
        if room is not None and room.record.version + 1 == version:
            self.keep(Room(replace(room.record, version=version, **fields), room.match))

    async def close(self) -> None:
        """Let nobody else in, and return once everybody in line has had their turn."""
        self._is_closed = True
        await self._locks.wait_until_free()

    async def _is_newest(self, match: str) -> bool:
        """Return whether the match in memory is the newest: another process may have written
        since.
        """
        if not self._store.is_shared or match not in self._rooms:
            return True
        version = await self._store.read(queries.match_version, match)
        kept = self._rooms.get(match)
        return kept is not None and kept.record.version == version

    # Many matches.

    async def select(
        self, query: Query[P, list[str]], *args: P.args, **kwargs: P.kwargs
    ) -> list[Room]:
        """Return the matches whose ids a query finds."""
        return await self.find_all(await self._store.read(query, *args, **kwargs))

    async def find_all(self, matches: Iterable[str]) -> list[Room]:
        """Return the matches of these ids; a damaged one shows as paused, and hides no other."""
        matches, found = list(matches), []
        for start in range(0, len(matches), MATCHES_PER_READ):
            some = matches[start : start + MATCHES_PER_READ]
            await self._read_ahead([match for match in some if match not in self._rooms])
            for match in some:
                try:
                    found.append(await self.find(match))
                except Damaged as error:
                    log_error(error, f"match {match} cannot be read")
                except EngineError as error:
                    log_error(error, f"match {match} cannot be read")
                    stored, _ = await self._store.read(queries.load_newer, match, None, None)
                    assert stored is not None
                    found.append(
                        Room(replace(stored.record, status=Status.PAUSED, paused_for=DAMAGED))
                    )
        return found

    async def _read_ahead(self, matches: list[str]) -> None:
        """Load matches that are needed next together: one by one, a thousand would take a
        second.
        """
        if len(matches) < 2:
            return
        for stored in await self._store.read(queries.load_matches, matches):
            # A match that is being changed right now is not overwritten.
            if stored.record.id not in self._rooms and stored.record.id not in self._locks:
                with suppress(EngineError):
                    self.keep(encoding.decode_match(stored, self._games))

    async def here(self, channel: int) -> list[Room]:
        """Return the open matches of a channel or thread, newest first."""
        return await self.select(queries.open_matches_in, channel)

    async def ended(self, place: int) -> list[Room]:
        """Return the last match that ended in a thread or direct message, if any did."""
        match = await self._store.read(queries.last_ended_in, place)
        return await self.find_all([match] if match else [])

    async def of_user(self, user: int) -> list[Room]:
        """Return the open matches that a person sits in, those waiting for them first."""
        rooms = await self.select(queries.open_matches_of, user)
        return sorted(
            (room for room in rooms if room.is_seated(user)),
            key=lambda room: not room.waits_for(user),
        )

    async def around(self, user: int, channel: int) -> list[Room]:
        """Return open matches that a person may mean: their own, those waiting for them first,
        then the channel's.
        """
        ids = (
            *await self._store.read(queries.open_matches_of, user),
            *await self._store.read(queries.open_matches_in, channel),
        )
        rooms = await self.find_all(dict.fromkeys(ids))
        mine = [room for room in rooms if room.is_seated(user)]
        others = [room for room in rooms if not room.is_seated(user)]
        return [*sorted(mine, key=lambda room: not room.waits_for(user)), *others]

    # What a person can play.

    async def waiting_for(self, user: int) -> list[Room]:
        """Return running matches that wait for a person: by time left, then those that have
        waited longest.
        """

        def urgency(room: Room) -> tuple[float, float]:
            deadline = self._clocks.deadline(room, room.own_seat(user))
            # Discord's ids grow with time: the older the board that asks them, the longer they are
            # waited for.
            return (inf if deadline is None else deadline, room.record.turn_message or inf)

        return sorted((room for room in await self.of_user(user) if room.awaits(user)), key=urgency)

    async def agenda(self, user: int) -> list[Room]:
        """Return a person's open matches: those that wait for them, rematches offered to them,
        the others, lobbies.
        """
        waiting = await self.waiting_for(user)
        offered = await self.select(queries.rematches_awaiting, user)
        others = [room for room in await self.of_user(user) if not room.awaits(user)]
        return [
            *waiting,
            *offered,
            *sorted(others, key=lambda room: room.record.status is Status.LOBBY),
        ]

    async def open_tables(self, guild: int, user: int) -> list[Room]:
        """Return lobbies of a server in which a person could sit down, then matches in which a
        seat is offered.
        """
        if not guild:
            return []
        lobbies = [
            room for room in await self.select(queries.open_lobbies, guild) if room.is_open_lobby
        ]
        begun = [
            room
            for room in await self.select(queries.matches_offering_seats, guild)
            if not room.record.paused_for
        ]
        return [room for room in (*lobbies, *begun) if room.seat_of(user) is None]

    # What was.

    async def log(self, match: str, viewer: Seat | None) -> list[Commit]:
        """Return the commits as a seat, or everyone, may know them, each at its number: the
        set-up is number 0.
        """
        room = await self.find(match)
        game = self.game(room.record.game)
        kept = await self._store.read(queries.commits, match)
        return [
            encoding.as_known(encoding.decode_commit(stored, game), viewer, room.is_over)
            for stored in kept
        ]

    async def position(self, match: str, number: int) -> Match:
        """Return the position after a commit, without drafts."""
        room = self._rooms.get(match)
        if room is not None and room.match is not None and room.match.number == number:
            self._past[match, number] = room.match.without_drafts()
        elif (match, number) not in self._past:
            if kept := await self._store.read(queries.position, match, number):
                self._past[match, number] = encoding.decode_position(kept, self._games)
            else:
                _, stood = await self.replay(match, number, number)
                if number not in stood:
                    raise NotFound("refusal.no_commit", id=match, number=number)
                # People who look at a moment often step on to the next.
                self._past.update({(match, beside): after for beside, after in stood.items()})
                return stood[number]
        return self._past[match, number]

    async def commits(
        self, match: str, since: int = -1, number: int | None = None
    ) -> list[StoredCommit]:
        """Return the commits after `since` up to `number` with the position after each, thinned
        ones replayed.
        """
        kept = await self._store.read(queries.commits, match, since, number)
        if all(stored.snapshot for stored in kept):
            return kept
        kept, stood = await self.replay(match, kept[0].number, kept[-1].number)
        return [
            replace(stored, snapshot=stored.snapshot or snapshot(stood[stored.number]))
            for stored in kept
            if stored.number > since
        ]

    async def replay(
        self, match: str, first: int, last: int
    ) -> tuple[list[StoredCommit], dict[int, Match]]:
        """Return the commits from a kept position at or before `first` up to `last`, and the match
        after each.

        And as it stood before all of them, if one goes back to there.
        """
        begins = await self._store.read(queries.last_kept_position, match, first)
        kept = (
            []
            if begins is None
            else await self._store.read(queries.commits, match, begins - 1, last)
        )
        stood = dict[int, Match]()
        for stored in kept:
            back_to = stored.back_to
            if back_to is not None and back_to < kept[0].number:
                stood[back_to] = await self.position(match, back_to)
        return kept, await asyncio.to_thread(encoding.replay, kept, self._games, stood)
