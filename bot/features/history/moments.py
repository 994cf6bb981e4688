"""Any moment of a match. A moment is what a post has shown, counted from 0, the set-up.

People do not count by commits: some commits are secret while a match is played, and a gap in their
numbers would tell of them.
"""

import re

from bot.kernel import records
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room, as_they_sat
from bot.model.stored import StoredCommit
from bot.runtime.errors import Refused
from bot.store import queries
from bot.text import say
from engine import Event, Seat

NUMBERED = re.compile(r"(?:(?P<round>r|round)|moment)? ?#?(?P<number>\d{1,6})")
"""How somebody writes which moment or round they mean, spaces made single."""


class Moments:
    """The moments of all matches.

    Most methods take the moments of a match as `of` returns them: for each the number of the commit
    after which the match stood there.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._cache = kernel.cache

    async def of(self, room: Room) -> list[int]:
        """Return the moments of a match, without those that were undone."""
        match = room.playing()
        posted = await self._store.read(queries.told_at, room.record.id)
        undone = await self._undone(room)
        last = [match.number] if match.outcome is not None else []
        return [number for number in dict.fromkeys([0, *posted, *last]) if number not in undone]

    async def room_at(self, room: Room, moments: list[int], moment: int) -> Room:
        """Return the match as it stood at a moment. The first costs as much as the last."""
        number = moments[moment]
        position = await self._cache.position(room.record.id, number)
        return Room(as_they_sat(room.record, number), position)

    async def events_at(self, room: Room, moments: list[int], moment: int, viewer: Seat | None) -> tuple[Event, ...]:
        """Return what happened since the moment before, as a seat or everyone may know it."""
        since = moments[moment - 1] if moment else -1
        undone = await self._undone(room)
        kept = await self._store.read(queries.commits, room.record.id, since, moments[moment])
        game = room.playing().game
        commits = [records.commit(stored, game) for stored in kept if stored.number not in undone]
        return records.facts(commits, viewer)

    async def commits(self, room: Room, since: int = -1, number: int | None = None) -> list[StoredCommit]:
        """Return the commits after one up to another, with positions, without undone ones."""
        kept = await self._cache.commits(room.record.id, since, number)
        undone = await self._undone(room)
        return [stored for stored in kept if stored.number not in undone]

    async def first_of_round(self, room: Room, moments: list[int], wanted: int) -> int:
        """Return the first moment of a round or a later one; the last moment if there is none."""
        low, high = 0, len(moments) - 1
        while low < high:
            middle = (low + high) // 2
            if await self.round_at(room, moments, middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    async def round_at(self, room: Room, moments: list[int], moment: int) -> int:
        """Return the round of a moment, from 1; without rounds, everybody's turn makes one."""
        match = (await self.room_at(room, moments, moment)).playing()
        counted = match.game.round(match.base)
        return max(0, moment - 1) // match.seats + 1 if counted is None else counted

    async def find(self, room: Room, moments: list[int], typed: str) -> int:
        """Return the moment that somebody means: its number, a round, the first or the last."""
        words = " ".join(typed.casefold().split())
        if words in ("last", "end"):
            return len(moments) - 1
        if words in ("first", "start"):
            return 0
        found = NUMBERED.fullmatch(words)
        if found and found["round"]:
            last = await self.round_at(room, moments, len(moments) - 1)
            if not 1 <= int(found["number"]) <= last:
                raise Refused(say("refusal.no_such_round", last=last))
            return await self.first_of_round(room, moments, int(found["number"]))
        if found and int(found["number"]) < len(moments):
            return int(found["number"])
        raise Refused(say("refusal.no_such_moment", last=len(moments) - 1))

    async def _undone(self, room: Room) -> set[int]:
        """Return the numbers of commits that were taken back."""
        undone: set[int] = set()
        for number, back_to in await self._store.read(queries.detours, room.record.id):
            undone |= set(range(back_to + 1, number + 1))
        return undone
