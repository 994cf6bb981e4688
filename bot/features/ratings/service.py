"""Write the results of matches when they end, and rate them.

The results are written in the transaction that ends the match. The match is rated a moment later,
or after the next start if the bot stops in between. Matches are rated one by one, in the order in
which they ended. When the rules of rating have changed, all matches are rated again.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.features.ratings.changes import describe_changes
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.feature import PostExtras
from bot.kernel.kernel import Kernel
from bot.kernel.room import Post, Room
from bot.model import Status
from bot.runtime.base import Chores

MATCHES_PER_WRITE = 8
"""How many matches to rate in one transaction, which other writes must wait for."""
PAUSE_SECONDS = 0.01
"""The pause between two transactions, which lets others write."""
RATED_WITHIN_SECONDS = 1.0
"""How long a command waits for matches that have just ended to be rated."""
ALL_MATCHES = "all"
"""The key of the only chore: ratings depend on earlier ones, so matches are rated one by one."""


class Standing:
    """Writes results and computes ratings."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self._chores = Chores("ratings", lambda _: self._rate_all(PAUSE_SECONDS))

    def write_results(self, change: Change) -> Change:
        """Write the results of a match with the change that ends it. A follower."""
        was_finished = change.before.record.status is Status.FINISHED
        if was_finished or change.after.record.status is not Status.FINISHED:
            return change
        return change.write(
            rating_queries.put_finish, change.after.record, rules.results_of(change.after)
        )

    def rate_finished(self, change: Change) -> None:
        """Start to rate a match that has just ended. A subscriber."""
        if change.queued_args(rating_queries.put_finish):
            self._chores.poke(ALL_MATCHES)

    async def recover(self) -> None:
        """Rate matches that were left unrated, or all if the rules of rating have changed."""
        stored_version = await self._store.read(
            queries.server_setting, 0, rating_queries.KNOWN_RULES
        )
        if stored_version != str(rules.RULES):
            await self._store.write(rating_queries.reset_ratings, str(rules.RULES))
        self._chores.poke(ALL_MATCHES)

    async def recompute(self, on_progress: Callable[[int], None]) -> int:
        """Recompute all results and ratings, and return the number of matches.

        `on_progress` is called with the number of matches so far.
        """
        await self._store.write(rating_queries.reset_ratings, str(rules.RULES))
        return await self._rate_all(0, on_progress)

    async def wait_until_rated(self) -> None:
        """Wait until all ended matches are rated, but not long, in case all are rated again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RATED_WITHIN_SECONDS):
                while task := self._chores.tasks.get(ALL_MATCHES):
                    await asyncio.wait([task])

    async def describe_changes(self, room: Room) -> str:
        """Return how a match that has ended has changed ratings, as a line of a post."""
        await self.wait_until_rated()
        changes = await self._store.read(rating_queries.rating_changes, room.record.id)
        return describe_changes(room, changes)

    async def extend_post(self, post: Post) -> PostExtras:
        """Add to the last post of a match how it has changed ratings. A post follower."""
        if not post.shows_result:
            return PostExtras()
        line = await self.describe_changes(post.room)
        return PostExtras(end_lines=(line,) if line else ())

    async def close(self) -> None:
        """Stop rating; the rest is rated after the next start."""
        await self._chores.close()

    async def _rate_all(
        self, pause_seconds: float, on_progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Rate all unrated matches in order, and return how many there were."""
        # Import OpenSkill now, not inside the first transaction.
        await asyncio.to_thread(rules.load_model)
        done = 0
        while rated := await self._store.write(
            rating_queries.rate_next, MATCHES_PER_WRITE, self._kernel.games
        ):
            done += rated
            on_progress(done)
            await asyncio.sleep(pause_seconds)
        return done
