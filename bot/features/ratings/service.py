"""Results, written as matches end, and the ratings that follow from them.

The results of a match are written in the transaction that ends it. It is rated a moment later, one
match after the other in the order in which they ended; if the bot stops in between, after the next
start. When the rules of ratings have changed, all matches are rated again in the same way.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.model import Status
from bot.runtime.base import Chores

AT_ONCE = 8
"""Matches rated in one go: a press that comes meanwhile waits for a few milliseconds."""
BREATH = 0.01
"""Seconds in between, in which others have their turn."""
SETTLED_WITHIN_SECONDS = 1.0
"""How long people wait for matches that have just ended to be rated."""
ALL_MATCHES = "all"
"""The one chore there is: ratings depend on each other, so matches are not rated side by side."""


class Standing:
    """The results and ratings of everybody."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self._chores = Chores("ratings", lambda _: self._rate_all(BREATH))

    def write_results(self, change: Change) -> Change:
        """Write the results of a match with the change that ends it."""
        was_finished = change.before.record.status is Status.FINISHED
        if was_finished or change.after.record.status is not Status.FINISHED:
            return change
        return change.write(
            rating_queries.put_finish, change.after.record, rules.results_of(change.after)
        )

    def rate_finished(self, change: Change) -> None:
        """Rate a match that has ended."""
        if change.queued_args(rating_queries.put_finish):
            self._chores.poke(ALL_MATCHES)

    async def recover(self) -> None:
        """After a start: rate what ended just before the stop, or all if the rules have changed."""
        known = await self._store.read(queries.server_setting, 0, rating_queries.KNOWN_RULES)
        if known != str(rules.RULES):
            await self._store.write(rating_queries.reset_ratings, str(rules.RULES))
        self._chores.poke(ALL_MATCHES)

    async def recompute(self, on_progress: Callable[[int], None]) -> int:
        """Recompute all results and ratings from the matches, and return how many matches.

        `on_progress` is called with how many are recomputed so far.
        """
        await self._store.write(rating_queries.reset_ratings, str(rules.RULES))
        return await self._rate_all(0, on_progress)

    async def settled(self) -> None:
        """Wait until every match that has ended is rated, but not while all are rated again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_WITHIN_SECONDS):
                while task := self._chores.tasks.get(ALL_MATCHES):
                    await asyncio.wait([task])

    async def close(self) -> None:
        """Stop; what is not rated yet is rated after the next start."""
        await self._chores.close()

    async def _rate_all(
        self, breath: float, on_progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Rate all matches that are not rated, in order, and return how many there were."""
        # Not while the database waits for it.
        await asyncio.to_thread(rules.load_model)
        done = 0
        while rated := await self._store.write(
            rating_queries.rate_next, AT_ONCE, self._kernel.games
        ):
            done += rated
            on_progress(done)
            await asyncio.sleep(breath)
        return done
