"""What is kept of matches that have ended: the log for ever; of the positions the first, the last and every 20th.

Any other is found again by playing on from the one before it. So a position is forgotten only after that was tried and
gave the very same: should the rules have been mended in the midst of a match, what they have changed is kept.

It is done by and by, long after the end, in pieces so small that nobody notices: some twenty positions are read, played
through beside the bot, and forgotten in a transaction of their own. Whatever is interrupted is done again.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from bot.clock import DAY
from bot.errors import NotFound, Refused, log_error
from bot.matches import records
from bot.matches.room import Due
from bot.matches.rooms import Rooms
from bot.matches.scheduler import Scheduler
from bot.store.base import Store, StoredCommit
from engine import EngineError, Match

EVERY = 20
"""Of so many positions one is kept."""
DUE = "thin"
"""The kind of the one row that says when the next match is looked for."""
REST = DAY
"""Seconds after its end in which a match is left as it is: it is then that people look at it most."""
IDLE = 600
"""Seconds until matches are looked for again, if there was none."""
BREATH = 0.1
"""Seconds between two pieces of work."""


class Keeping:
    """Thins matches that have ended, one after the other."""

    def __init__(self, store: Store, rooms: Rooms, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._store = store
        self._rooms = rooms
        self._scheduler = scheduler
        self._now = now
        scheduler.register(DUE, self.go_on)

    async def begin(self) -> None:
        """After a start: see to it that it goes on."""
        if not await self._store.is_to_happen(DUE):
            await self._scheduler.set(Due(DUE, int(self._now()) + IDLE))

    async def go_on(self, due: Due) -> None:
        """Thin the match that waits longest, if there is one, and come back for the next."""
        found = await self._store.to_thin(int(self._now()) - REST, 1)
        for match in found:
            try:
                await self._thin(match)
            except (Refused, NotFound, EngineError) as error:
                # What cannot be read stays as it is, and holds up no other.
                log_error(error, f"match {match} is not thinned")
            await self._store.thinned(match)
        await self._scheduler.set(Due(DUE, int(self._now()) + (1 if found else IDLE)))

    async def _thin(self, match: str) -> None:
        """Forget what can be found again, from one position that is kept to the next."""
        last = await self._store.newest_kept(match, 1 << 62) or 0
        for first in range(0, last, EVERY):
            kept, stood = await self._rooms.played_again(match, first, min(first + EVERY, last))
            await self._store.thin(match, await asyncio.to_thread(_spare, kept[1:], stood, last))
            await asyncio.sleep(BREATH)


def _spare(kept: Sequence[StoredCommit], stood: Mapping[int, Match], last: int) -> list[int]:
    """The numbers of those positions that are found again without being kept."""
    between = [one for one in kept if one.snapshot and one.number % EVERY and one.number != last]
    return [one.number for one in between if _is_found(one, stood)]


def _is_found(stored: StoredCommit, stood: Mapping[int, Match]) -> bool:
    try:
        return records.played_on(stood[stored.number - 1], stored, stood) == stood[stored.number]
    except Refused:
        return False
