"""Thins matches that have ended: the log is kept whole, of the positions the first, the last and every 20th.

Any other position is found again by playing on from the one before it. It is deleted only after that was tried and gave
exactly the same: if the rules were corrected in the midst of a match, the positions that this changed are kept.

It is done long after the end, in pieces so small that nobody notices: some twenty positions are read, played through in
a thread, and deleted in a transaction of their own. Whatever is interrupted is done again.
"""

import asyncio
from collections.abc import Mapping, Sequence

from bot.kernel import records
from bot.kernel.kernel import Kernel
from bot.model.jobs import Job
from bot.model.stored import StoredCommit
from bot.runtime.clock import DAY
from bot.runtime.errors import NotFound, Refused, log_error
from bot.store import queries
from engine import EngineError, Match

EVERY = 20
"""One position in this many is kept."""
THIN = "thin"
"""The job that looks for the next match; there is one for all matches."""
REST = DAY
"""Seconds after its end in which a match is left as it is: people look at it most then."""
IDLE = 600
"""Seconds until matches are looked for again, if there was none."""
PAUSE_SECONDS = 0.1
"""Between two pieces of work."""


class Thinning:
    """Thins matches that have ended, one after the other."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._cache = kernel.cache
        self._scheduler = kernel.scheduler
        self._now = kernel.now

    async def start(self) -> None:
        """Schedule the job, unless it is scheduled."""
        if not await self._store.read(queries.is_to_happen, THIN):
            await self._scheduler.set(Job(THIN, int(self._now()) + IDLE))

    async def thin_next(self, job: Job) -> None:
        """Thin the match that has waited longest, if there is one, and schedule the next."""
        found = await self._store.read(queries.to_thin, int(self._now()) - REST, 1)
        for match in found:
            try:
                await self._thin(match)
            except (Refused, NotFound, EngineError) as error:
                # A match that cannot be read stays as it is, and holds up no other.
                log_error(error, f"match {match} is not thinned")
            await self._store.write(queries.thinned, match)
        await self._scheduler.set(Job(THIN, int(self._now()) + (1 if found else IDLE)))

    async def _thin(self, match: str) -> None:
        """Delete the positions that can be restored, from one that is kept to the next."""
        last = await self._store.read(queries.newest_kept, match, 1 << 62) or 0
        for first in range(0, last, EVERY):
            kept, stood = await self._cache.played_again(match, first, min(first + EVERY, last))
            spare = await asyncio.to_thread(_spare_positions, kept[1:], stood, last)
            await self._store.write(queries.thin, match, spare)
            await asyncio.sleep(PAUSE_SECONDS)


def _spare_positions(kept: Sequence[StoredCommit], stood: Mapping[int, Match], last: int) -> list[int]:
    """Return the numbers of the positions that can be restored without being kept."""
    between = [one for one in kept if one.snapshot and one.number % EVERY and one.number != last]
    return [one.number for one in between if _can_restore(one, stood)]


def _can_restore(stored: StoredCommit, stood: Mapping[int, Match]) -> bool:
    try:
        return records.played_on(stood[stored.number - 1], stored, stood) == stood[stored.number]
    except Refused:
        return False
