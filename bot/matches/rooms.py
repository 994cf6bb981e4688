"""The rooms as they are kept: one act at a time in each, read, cached and written."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from cachetools import LRUCache
from msgspec.structs import replace

from bot.errors import Conflict, Damaged, NotFound, log_error
from bot.matches import records, results
from bot.matches.queue import Queues
from bot.matches.records import DAMAGED
from bot.matches.room import Info, Room, Status
from bot.store.base import Change, Store, StoredCommit, StoredMatch
from bot.text import say
from engine import EngineError, Game, Match, snapshot

ID = re.compile(r"[a-z0-9]{1,8}")
BATCH = 50
"""Rooms read at once: a few milliseconds in which nobody else is served."""
PAST = 128
"""Positions of commits kept in memory: a match being played needs the one of its last post and the one before it."""

TRIES = 5
"""How often something is done again because others were faster."""

P = ParamSpec("P")
T = TypeVar("T")

Settle = Callable[[Info, Room, Mapping[str, Any]], tuple[Room, dict[str, Any]]]
"""Given what was read, what is to be written and the rest of the Change: the room, its clocks set, and more of it."""

Consequence = Callable[[Room | None, Room], dict[str, Any]]
"""Given a room before, None if that is not in memory, and after it is changed: more of the Change."""


def on_newest(act: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Do something in a room again if another process has written first: then on what that has made of it."""

    @wraps(act)
    async def again(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES):
            with suppress(Conflict):
                return await act(*args, **kwargs)
        return await act(*args, **kwargs)

    return again


class Rooms:
    """All rooms by id. Whoever wants to change one takes its turn in it, and writes what has changed."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        cached: int,
        poke: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._poke = poke
        """Called when something new is due."""
        self._games = games
        self._rooms: LRUCache[str, Room] = LRUCache(cached)
        self._past: LRUCache[tuple[str, int], Match] = LRUCache(PAST)
        self._queues = Queues()
        self.settle: Settle = lambda read, room, written: (room, {})
        """Sets the clocks by what has happened, whatever it is: no write goes past it."""
        self.consequences: list[Consequence] = []
        """Each adds to every write what follows from it, whatever led there."""
        self.listeners: list[Callable[[Room, Room], Awaitable[None]]] = []
        """Called with a room before and after it was changed, while nobody else can change it."""

    @asynccontextmanager
    async def turn(self, match: str) -> AsyncIterator[Room]:
        """Waits in line for a room and holds it: nobody else changes it meanwhile."""
        async with self._queues.turn(match):
            before = await self.load(match)
            yield before
            for listener in self.listeners:
                after = self._rooms.get(match, before)
                if after is not before:
                    await self._tell(listener, before, after)

    async def _tell(self, listener: Callable[[Room, Room], Awaitable[None]], before: Room, after: Room) -> None:
        try:
            await listener(before, after)
        except Exception as error:
            # What was done is stored: it does not fail because of what follows from it.
            log_error(error, f"match {after.info.id}")

    async def find(self, match: str) -> Room:
        """The room of that id; NotFound if there is none, Malformed if it cannot be read."""
        if match in self._rooms and await self._is_newest(match):
            return self._rooms[match]
        async with self._queues.turn(match):
            return await self.load(match)

    async def readable(self, matches: Iterable[str]) -> list[Room]:
        """Those rooms; one that is damaged shows as paused, and hides no other whatever is left of it."""
        matches, found = list(matches), []
        for start in range(0, len(matches), BATCH):
            some = matches[start : start + BATCH]
            await self._read_ahead([match for match in some if match not in self._rooms])
            for match in some:
                try:
                    found.append(await self.find(match))
                except Damaged as error:
                    log_error(error, f"match {match} cannot be read")
                except EngineError as error:
                    log_error(error, f"match {match} cannot be read")
                    info = (await self._stored(match)).info
                    found.append(Room(replace(info, status=Status.PAUSED, paused_for=DAMAGED)))
        return found

    async def _read_ahead(self, matches: list[str]) -> None:
        """Have rooms in memory that are asked for next: one by one, a thousand would take a second."""
        for stored in await self._store.load_all(matches) if len(matches) > 1 else ():
            # Whoever acts in a room meanwhile knows it better.
            if stored.info.id not in self._rooms and not self._queues.is_held(stored.info.id):
                with suppress(EngineError):
                    self.keep(records.room(stored, self._games))

    async def load(self, match: str) -> Room:
        """The room as it stands now, for whoever holds the turn in it."""
        room = self._rooms.get(match) if await self._is_newest(match) else None
        return self.keep(room or records.room(await self._stored(match), self._games))

    async def _is_newest(self, match: str) -> bool:
        """Whether the room in memory, if there is one, is as another process may have left it."""
        if not self._store.is_shared or match not in self._rooms:
            return True
        version = await self._store.version(match)
        kept = self._rooms.get(match)
        return kept is not None and kept.info.version == version

    async def write(self, read: Info, after: Room, **written: Any) -> Room:
        """A room that was read changed into `after`, whole or not at all; `written` is the rest of the Change."""
        # Out of memory before it is written: should the write fail, the store alone knows how the match stands.
        before = self._rooms.pop(read.id, None)
        room, timing = self.settle(read, Room(replace(after.info, version=read.version + 1), after.match), written)
        for added in (timing, *(consequence(before, room) for consequence in self.consequences)):
            for key, more in added.items():
                written[key] = (*written.get(key, ()), *more) if isinstance(more, tuple) else more
        if room.info.status is Status.FINISHED and read.status is not Status.FINISHED:
            written["results"] = results.of(room)
        await self._store.append(Change(info=room.info, **written))
        if written.get("dues"):
            self._poke()
        return self.keep(room)

    async def rewrite(self, match: str, work: Awaitable[None]) -> None:
        """Have a room changed past its rules, while nobody else is in it, and read it anew from then on."""
        async with self._queues.turn(match):
            try:
                await work
            finally:
                self._rooms.pop(match, None)

    def keep(self, room: Room) -> Room:
        """The room, kept in memory as the newest of a few."""
        self._rooms[room.info.id] = room
        return room

    async def position(self, match: str, number: int) -> Match:
        """The match as it stood after a commit, without drafts."""
        room = self._rooms.get(match)
        if room is not None and room.match is not None and room.match.number == number:
            found = room.match.without_drafts()
        elif (match, number) in self._past:
            found = self._past[match, number]
        else:
            kept = await self._store.snapshot(match, number)
            found = records.position(kept, self._games) if kept else await self._found_again(match, number)
        self._past[match, number] = found
        return found

    async def commits(self, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """The commits after `since` up to `number` with the position after each, also where those were thinned."""
        kept = await self._store.commits(match, since, number)
        if all(stored.snapshot for stored in kept):
            return kept
        kept, stood = await self.played_again(match, kept[0].number, kept[-1].number)
        return [
            replace(stored, snapshot=stored.snapshot or snapshot(stood[stored.number]))
            for stored in kept
            if stored.number > since
        ]

    async def played_again(self, match: str, first: int, last: int) -> tuple[list[StoredCommit], dict[int, Match]]:
        """The commits up to the last, beginning before the first at one whose position is kept; the match after each.

        And as it stood before all of them, if one goes back to there.
        """
        begins = await self._store.newest_kept(match, first)
        kept = [] if begins is None else await self._store.commits(match, begins - 1, last)
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
        # Whoever looks at a moment often steps on to those beside it.
        self._past.update({(match, beside): after for beside, after in stood.items()})
        return stood[number]

    async def close(self) -> None:
        """No newcomers; returns once everybody in line has had their turn."""
        await self._queues.close()

    async def _stored(self, match: str) -> StoredMatch:
        stored = await self._store.load(match) if ID.fullmatch(match) else None
        if stored is None:
            raise NotFound(say("refusal.no_match", id=match[:8]))
        return stored
