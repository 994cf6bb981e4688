"""The matches as they are kept: read, cached, written one at a time, looked up."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.errors import Damaged, NotFound, Refused, log_error
from bot.matches import post_rules, records
from bot.matches.queue import Queues
from bot.matches.records import DAMAGED
from bot.matches.room import Entry, Info, Room, Status
from bot.store.base import Change, Scope, Store, Stored
from engine import GAMES, EngineError, Game, Match, Seat, UnknownGame

ID = re.compile(r"[a-z0-9]{1,8}")
CACHED = 256
"""Rooms kept in memory."""


class Rooms:
    """All matches, by id, channel and person. What is only looked at here is changed in Matches."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]] = GAMES, cached: int = CACHED) -> None:
        self.store = store
        self._games = games
        self._cached = cached
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._queues = Queues()

    async def find(self, match: str) -> Room:
        """The match of that id; NotFound if there is none, Malformed if it cannot be read."""
        if match in self._rooms:
            return self._rooms[match]
        async with self._queues.turn(match):
            return await self._load(match)

    async def here(self, channel: int) -> list[Room]:
        """Open matches of a channel or thread, newest first."""
        return await self._found(await self.store.here(channel))

    async def ended(self, thread: int) -> list[Room]:
        """The last match that ended in a thread, if any did."""
        match = await self.store.ended(thread)
        return await self._found([match] if match else [])

    async def of_user(self, user: int) -> list[Room]:
        """Open matches a person sits in, those waiting for him first."""
        rooms = await self._found(await self.store.of_user(user))
        sat_in = [room for room in rooms if not post_rules.has_resigned(room, user)]
        return sorted(sat_in, key=lambda room: not post_rules.waits_for(room, user))

    async def history(self, match: str, viewer: Seat | None) -> list[Entry]:
        """The log as a seat, or everyone, may know it. The prologue is entry 0."""
        room = await self.find(match)
        pages = await self.store.pages(match)
        return records.entries(room, pages, self._game(room.info.game), viewer)

    async def transcript(self, match: str) -> str:
        """The full transcript, answers and seed included; refused before the match has ended."""
        room = await self.find(match)
        if room.info.status is not Status.FINISHED:
            raise Refused("The full transcript, with the seed, is shown when the match has ended.")
        pages = await self.store.pages(match)
        return await asyncio.to_thread(records.transcript, room, pages, self._games)

    async def setting(self, scope: Scope, owner: int, key: str) -> str | None:
        """What a player or server has chosen, if anything."""
        return await self.store.setting(scope, owner, key)

    async def put_setting(self, scope: Scope, owner: int, key: str, value: str | None) -> None:
        """A player's or server's choice kept, or forgotten with None."""
        await self.store.put_setting(scope, owner, key, value)

    async def close(self) -> None:
        """Finish what is in hand, then close the store."""
        await self._queues.close()
        await self.store.close()

    async def _load(self, match: str) -> Room:
        if match in self._rooms:
            return self._keep(self._rooms[match])
        return self._keep(records.room(await self._stored(match), self._games))

    async def _stored(self, match: str) -> Stored:
        stored = await self.store.load(match) if ID.fullmatch(match) else None
        if stored is None:
            raise NotFound(f"There is no match '{match[:8]}'.")
        return stored

    async def _found(self, ids: list[str]) -> list[Room]:
        rooms = [await self._readable(match) for match in ids]
        return [room for room in rooms if room is not None]

    async def _readable(self, match: str) -> Room | None:
        """The match; one that is damaged shows as paused, and hides no other whatever is left of it."""
        try:
            return await self.find(match)
        except (EngineError, Damaged) as error:
            log_error(error, f"match {match} cannot be read")
            if isinstance(error, Damaged):
                return None
        stored = await self._stored(match)
        return Room(replace(stored.info, status=Status.PAUSED, paused_for=DAMAGED))

    async def _write(self, read: Info, after: Room, **written: Any) -> Room:
        # Out of memory before it is written: should the write fail, the store alone knows how the match stands.
        self._rooms.pop(read.id, None)
        room = Room(replace(after.info, version=read.version + 1), after.match)
        await self.store.append(Change(info=room.info, **written))
        return self._keep(room)

    def _keep(self, room: Room) -> Room:
        self._rooms[room.info.id] = room
        self._rooms.move_to_end(room.info.id)
        while len(self._rooms) > self._cached:
            self._rooms.popitem(last=False)
        return room

    async def _as_of(self, match: str, number: int) -> Match:
        """The position after a commit."""
        kept = await self.store.snapshot(match, number)
        if kept is None:
            raise NotFound(f"Match '{match}' has no commit {number}.")
        return records.position(kept, self._games)

    def _game(self, game: str) -> Game[Any]:
        if game not in self._games:
            raise UnknownGame(f"There is no game '{game[:40]}'; there are {', '.join(self._games)}.")
        return self._games[game]
