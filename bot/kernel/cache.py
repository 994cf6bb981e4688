"""Matches in memory: loaded from the store when they are needed, and locked while somebody changes them."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from cachetools import LRUCache
from msgspec.structs import replace

from bot.kernel import queries, records
from bot.kernel.queues import Queues
from bot.kernel.records import DAMAGED
from bot.kernel.room import Room
from bot.model.match import Status
from bot.model.stored import StoredCommit, StoredMatch
from bot.runtime.errors import Damaged, NotFound, log_error
from bot.store.base import Store
from bot.text import say
from engine import EngineError, Game, Match, snapshot

MATCH_ID = re.compile(r"[a-z0-9]{1,8}")
MATCHES_PER_READ = 50
"""Matches read at once: a few milliseconds in which nobody else is served."""
POSITIONS_KEPT = 128
"""Positions of past commits kept in memory. A match being played needs that of its last post and the one before it."""


class MatchCache:
    """The matches that were used last, one writer at a time in each."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], size: int) -> None:
        self._store = store
        self._games = games
        self._rooms: LRUCache[str, Room] = LRUCache(size)
        self._past: LRUCache[tuple[str, int], Match] = LRUCache(POSITIONS_KEPT)
        self._queues = Queues()

    @asynccontextmanager
    async def lock(self, match: str) -> AsyncIterator[None]:
        """Wait in line for a match and hold it: nobody else in this process changes it meanwhile."""
        async with self._queues.turn(match):
            yield

    async def find(self, match: str) -> Room:
        """Return the match of an id; NotFound if there is none, Malformed if it cannot be read."""
        if match in self._rooms and await self._is_newest(match):
            return self._rooms[match]
        async with self._queues.turn(match):
            return await self.load(match)

    async def readable(self, matches: Iterable[str]) -> list[Room]:
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
                    record = (await self._stored(match)).record
                    found.append(Room(replace(record, status=Status.PAUSED, paused_for=DAMAGED)))
        return found

    async def _read_ahead(self, matches: list[str]) -> None:
        """Load matches that are needed next together: one by one, a thousand would take a second."""
        for stored in await self._store.read(queries.load_matches, matches) if len(matches) > 1 else ():
            # A match that is being changed right now is not overwritten.
            if stored.record.id not in self._rooms and not self._queues.is_held(stored.record.id):
                with suppress(EngineError):
                    self.keep(records.room(stored, self._games))

    async def load(self, match: str) -> Room:
        """Return a match as it stands now. For code that holds its lock."""
        room = self._rooms.get(match) if await self._is_newest(match) else None
        return self.keep(room or records.room(await self._stored(match), self._games))

    async def _is_newest(self, match: str) -> bool:
        """Return whether the match in memory is the newest: another process may have written since."""
        if not self._store.is_shared or match not in self._rooms:
            return True
        version = await self._store.version(match)
        kept = self._rooms.get(match)
        return kept is not None and kept.record.version == version

    async def rewrite(self, match: str, work: Awaitable[None]) -> None:
        """Change a match in the database directly, under its lock, and read it again from then on."""
        async with self._queues.turn(match):
            try:
                await work
            finally:
                self._rooms.pop(match, None)

    def keep(self, room: Room) -> Room:
        """Keep a match in memory as the one used last, and return it."""
        self._rooms[room.record.id] = room
        return room

    def peek(self, match: str) -> Room | None:
        """Return a match if it is in memory."""
        return self._rooms.get(match)

    def drop(self, match: str) -> None:
        """Read a match from the store the next time it is needed."""
        self._rooms.pop(match, None)

    async def position(self, match: str, number: int) -> Match:
        """Return the position after a commit, without drafts."""
        room = self._rooms.get(match)
        if room is not None and room.match is not None and room.match.number == number:
            found = room.match.without_drafts()
        elif (match, number) in self._past:
            found = self._past[match, number]
        else:
            kept = await self._store.read(queries.position, match, number)
            found = records.position(kept, self._games) if kept else await self._found_again(match, number)
        self._past[match, number] = found
        return found

    async def commits(self, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """Return the commits after `since` up to `number` with the position after each, thinned ones replayed."""
        kept = await self._store.read(queries.commits, match, since, number)
        if all(stored.snapshot for stored in kept):
            return kept
        kept, stood = await self.played_again(match, kept[0].number, kept[-1].number)
        return [
            replace(stored, snapshot=stored.snapshot or snapshot(stood[stored.number]))
            for stored in kept
            if stored.number > since
        ]

    async def played_again(self, match: str, first: int, last: int) -> tuple[list[StoredCommit], dict[int, Match]]:
        """Return the commits from a kept position at or before `first` up to `last`, and the match after each.

        And as it stood before all of them, if one goes back to there.
        """
        begins = await self._store.read(queries.last_kept_position, match, first)
        kept = [] if begins is None else await self._store.read(queries.commits, match, begins - 1, last)
        stood = dict[int, Match]()
        for stored in kept:
            back_to = records.goes_back_to(stored)
            if back_to is not None and back_to < kept[0].number:
                stood[back_to] = await self.position(match, back_to)
        return kept, await asyncio.to_thread(records.positions, kept, self._games, stood)

    async def _found_again(self, match: str, number: int) -> Match:
        _, stood = await self.played_again(match, number, number)
        if number not in stood:
            raise NotFound(say("refusal.no_commit", id=match, number=number))
        # People who look at a moment often step on to the next.
        self._past.update({(match, beside): after for beside, after in stood.items()})
        return stood[number]

    async def close(self) -> None:
        """Let nobody else in, and return once everybody in line has had their turn."""
        await self._queues.close()

    async def _stored(self, match: str) -> StoredMatch:
        stored = await self._store.read(queries.load_match, match) if MATCH_ID.fullmatch(match) else None
        if stored is None:
            raise NotFound(say("refusal.no_match", id=match[:8]))
        return stored
