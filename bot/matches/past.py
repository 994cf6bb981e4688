"""Any moment of a match. A moment is what a post has shown, counted from 0, the set-up.

Commits are not what people count by: some of them are secret while a match is played, and a gap in their numbers would
tell of them.
"""

import re

from bot.errors import Refused
from bot.matches import records
from bot.matches.room import Room, as_they_sat
from bot.matches.rooms import Rooms
from bot.store.base import Store, StoredCommit
from bot.text import say
from engine import Event, Seat

NUMBERED = re.compile(r"(?:(?P<round>r|round)|moment)? ?#?(?P<number>\d{1,6})")
"""How somebody writes which moment or round they mean, spaces made single."""


class Past:
    """The moments of all matches."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms

    async def moments(self, room: Room) -> list[int]:
        """The numbers of the commits that the moments of a match came after, detours that were undone left out."""
        match = room.playing()
        told = await self._store.told_at(room.info.id)
        gone = await self._undone(room)
        over = [match.number] if match.outcome is not None else []
        return [number for number in dict.fromkeys([0, *told, *over]) if number not in gone]

    async def at(self, room: Room, moments: list[int], moment: int) -> Room:
        """The room as it stood at a moment. It costs the same for the first and for the last."""
        return Room(as_they_sat(room.info, moments[moment]), await self._rooms.position(room.info.id, moments[moment]))

    async def told(self, room: Room, moments: list[int], moment: int, viewer: Seat | None) -> tuple[Event, ...]:
        """What a moment told, as far as a seat or everyone may know it."""
        since, gone = moments[moment - 1] if moment else -1, await self._undone(room)
        kept = await self._store.commits(room.info.id, since, moments[moment])
        game = room.playing().game
        return records.facts([records.commit(stored, game) for stored in kept if stored.number not in gone], viewer)

    async def commits(self, room: Room, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """The commits after one up to another with the position after each, without any detour."""
        kept, gone = await self._rooms.commits(room.info.id, since, number), await self._undone(room)
        return [stored for stored in kept if stored.number not in gone]

    async def first_of(self, room: Room, moments: list[int], wanted: int) -> int:
        """The first moment of a round or of a later one; the last moment if there is none."""
        low, high = 0, len(moments) - 1
        while low < high:
            middle = (low + high) // 2
            if await self.round_at(room, moments, middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    async def round_at(self, room: Room, moments: list[int], moment: int) -> int:
        """Which round a moment is in, from 1; in a game that counts none, one for each turn of everybody."""
        match = (await self.at(room, moments, moment)).playing()
        counted = match.game.round(match.base)
        return max(0, moment - 1) // match.seats + 1 if counted is None else counted

    async def meant(self, room: Room, moments: list[int], said: str) -> int:
        """The moment that somebody means: its number, a round, the first or the last; refused if there is none."""
        words = " ".join(said.casefold().split())
        if words in ("last", "end"):
            return len(moments) - 1
        if words in ("first", "start"):
            return 0
        found = NUMBERED.fullmatch(words)
        if found and found["round"]:
            last = await self.round_at(room, moments, len(moments) - 1)
            if not 1 <= int(found["number"]) <= last:
                raise Refused(say("refusal.no_such_round", last=last))
            return await self.first_of(room, moments, int(found["number"]))
        if found and int(found["number"]) < len(moments):
            return int(found["number"])
        raise Refused(say("refusal.no_such_moment", last=len(moments) - 1))

    async def _undone(self, room: Room) -> set[int]:
        """The numbers of commits that were taken back."""
        gone: set[int] = set()
        for number, back_to in await self._store.detours(room.info.id):
            gone |= set(range(back_to + 1, number + 1))
        return gone
