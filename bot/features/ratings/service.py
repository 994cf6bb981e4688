"""Results, written as matches end, and the ratings that follow from them.

The results of a match are written in the transaction that ends it. It is rated a moment later, one
match after the other in the order in which they ended; if the bot stops in between, after the next
start. All of it can be recomputed from the matches as they are kept.
"""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.features.ratings.records import Board, PlayerRecord, Pool, Ranked
from bot.features.ratings.rules import IDLE, LEAST, RULES
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.model import Job, Status
from bot.runtime.base import Chores, log_error

RECOMPUTE = "ratings"
"""The job that recomputes everything."""
KNOWN_RULES = "rating_rules"
"""The key of the setting, of no server (0), that says by which rules the ratings were made."""
AT_ONCE = 8
"""Matches rated in one go: a press that comes meanwhile waits for a few milliseconds."""
BREATH = 0.01
"""Seconds in between, in which others have their turn."""
ALL_MATCHES = "all"
"""The one chore there is: ratings depend on each other, so matches are not rated side by side."""


class Standing:
    """The results and ratings of everybody."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self._one_at_a_time = asyncio.Lock()
        self._chores = Chores("ratings", self._rate)
        self._is_recomputing = False
        """Whether everything is being recomputed, or soon will be: matches that end meanwhile
        are rated with it.
        """

    # Matches end and are rated.

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
        if change.queued_args(rating_queries.put_finish) and not self._is_recomputing:
            self._chores.poke(ALL_MATCHES)

    async def recover(self) -> None:
        """After a start: rate what ended just before the stop, or recompute everything if the
        rules have changed.
        """
        if await self._store.read(queries.server_setting, 0, KNOWN_RULES) == str(RULES):
            self._chores.poke(ALL_MATCHES)
        elif await self._store.read(rating_queries.finishes, 0, 1):
            # Any process may take the job. The others rate meanwhile: that is recomputed with the
            # rest.
            self._is_recomputing = not self._store.is_shared
            await self._kernel.scheduler.set(Job(RECOMPUTE, int(self._kernel.now())))
        else:
            await self._store.write(queries.put_server_setting, 0, KNOWN_RULES, str(RULES))

    async def settled(self) -> None:
        """Return once every match that has ended is rated."""
        while task := self._chores.tasks.get(ALL_MATCHES):
            await asyncio.shield(task)

    async def close(self) -> None:
        """Stop; what is not rated yet is rated after the next start."""
        await self._chores.close()

    async def recompute(
        self, breath: float = 0.0, on_progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Recompute all results and ratings from the matches, and return how many matches there
        are.

        `on_progress` is called with how many results are recomputed so far.
        """
        self._is_recomputing = True
        # If it is stopped in the midst, the next start begins it again.
        await self._store.write(queries.put_server_setting, 0, KNOWN_RULES, None)
        async with self._one_at_a_time:
            done, last = 0, 0
            while finishes := await self._store.write(
                rating_queries.recompute_results, last, AT_ONCE, self._kernel.games
            ):
                done, last = done + len(finishes), finishes[-1].number
                on_progress(done)
                await asyncio.sleep(breath)
            await self._store.write(rating_queries.drop_ratings)
            await self._rate_all(breath)
            await self._store.write(queries.put_server_setting, 0, KNOWN_RULES, str(RULES))
        self._is_recomputing = False
        self._chores.poke(ALL_MATCHES)
        return done

    async def recompute_later(self, job: Job) -> None:
        """Recompute everything, with pauses for everybody else."""
        await self.recompute(BREATH)

    async def _rate(self, _: str) -> None:
        try:
            async with self._one_at_a_time:
                await self._rate_all(BREATH)
        except Exception as error:
            # It is rated with the next match that ends; people who only look at their ratings need
            # not hear of it.
            log_error(error, "a result is not rated yet")

    async def _rate_all(self, breath: float) -> None:
        """Rate all matches that are not rated, in order."""
        # Not while the database waits for it.
        await asyncio.to_thread(rules.load_model)
        rated = AT_ONCE
        while rated:
            rated = await self._store.write(rating_queries.rate_next, AT_ONCE)
            await asyncio.sleep(breath)

    # Ratings are looked up.

    async def is_recomputing(self) -> bool:
        """Return whether all ratings are being recomputed, so that many are missing."""
        return await self._store.read(queries.find_job, RECOMPUTE) is not None

    async def board(self, board: Board) -> list[Ranked]:
        """Return those who are listed, best first; people only if they have played of late."""
        await self.settled()
        if board.pool is Pool.PEOPLE:
            board = replace(board, least=LEAST, since=int(self._kernel.now()) - IDLE)
        return await self._store.read(rating_queries.board, board)

    async def of_player(self, user: int, guild: int | None, game: str | None) -> PlayerRecord:
        """Return what is kept of a player, on a server or everywhere, in one game or all."""
        await self.settled()
        return await self._store.read(rating_queries.load_player, user, guild, game)
