"""Results, written as matches end, and the ratings that follow from them.

The results of a match are written in the transaction that ends it. It is rated a moment later, one
match after the other in the order in which they ended; if the bot stops in between, after the next
start. All of it can be recomputed from the matches as they are kept.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.features.ratings.rules import IDLE, LEAST, RULES
from bot.features.ratings.statistics import PlayerRecord
from bot.kernel import encoding, queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.model.jobs import Job
from bot.model.match import Status
from bot.model.results import (
    EVERYWHERE,
    HIDDEN,
    Board,
    Finish,
    Played,
    Pool,
    Ranked,
    Ratings,
    Result,
)
from bot.model.stored import StoredMatch
from bot.posts.chores import Chores
from bot.runtime.errors import Conflict, log_error

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

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Rate nothing for a while; what ended before is rated first."""
        await self.settled()
        async with self._one_at_a_time:
            yield

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
            while finishes := await self._store.read(rating_queries.finishes, last, AT_ONCE):
                stored = await self._store.read(
                    queries.load_matches, (finish.match for finish in finishes)
                )
                found = await asyncio.to_thread(self._results, stored)
                for match in (finish.match for finish in finishes if finish.match not in found):
                    # A match that cannot be read any more counts as it did.
                    if kept := await self._store.read(rating_queries.finish, match):
                        found[match] = kept.results
                await self._store.write(rating_queries.put_results, found)
                done, last = done + len(finishes), finishes[-1].number
                on_progress(done)
                await asyncio.sleep(breath)
            await self._store.write(rating_queries.drop_ratings)
            await self._rate_all(breath)
            await self._store.write(queries.put_server_setting, 0, KNOWN_RULES, str(RULES))
        self._is_recomputing = False
        self._chores.poke(ALL_MATCHES)
        return done

    def _results(self, kept: list[StoredMatch]) -> dict[str, tuple[Result, ...]]:
        """Return the results of matches as they are kept; one that cannot be read is left out."""
        found = {}
        for stored in kept:
            match = stored.record.id
            try:
                found[match] = rules.results_of(encoding.decode_match(stored, self._kernel.games))
            except Exception as error:
                log_error(error, f"the result of match {match} cannot be recomputed")
        return found

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
        while finishes := await self._store.read(rating_queries.unrated, AT_ONCE):
            concerned = [key for finish in finishes for key in rules.concerned(finish)]
            known = await self._store.read(rating_queries.ratings, concerned)
            steps = await asyncio.to_thread(_rated_in_order, finishes, known)
            # If another process was faster, the rest is rated on top of what it has written.
            with suppress(Conflict):
                await self._store.write(rating_queries.put_ratings, steps, known)
            await asyncio.sleep(breath)

    # Results and ratings are looked up.

    async def is_recomputing(self) -> bool:
        """Return whether all ratings are being recomputed, so that many are missing."""
        return await self._store.read(queries.has_job, RECOMPUTE)

    async def hidden(self, users: Iterable[int]) -> frozenset[int]:
        """Return those of the users who want to be in no list, no statistics of others and no
        post about records.
        """
        return await self._store.read(queries.players_with_setting, HIDDEN, users)

    async def board(
        self,
        game: str,
        guild: int,
        pool: Pool = Pool.PEOPLE,
        everywhere: bool = False,
        most: int = 15,
        besides: int = 0,
    ) -> list[Ranked]:
        """Return the ratings in a game, best first: of a server's people, there or over all
        servers, or of computers.

        A user given as `besides` is added at the end if only the length of the list leaves them
        out.
        """
        await self.settled()
        wanted = Board(game=game, guild=EVERYWHERE, pool=pool)
        if pool is Pool.PEOPLE:
            since = int(self._kernel.now()) - IDLE
            wanted = Board(
                game=game,
                guild=guild,
                everywhere=everywhere,
                least=LEAST,
                since=since,
                most=most,
                besides=besides,
            )
        return await self._store.read(rating_queries.board, wanted)

    async def people_known_to(self, user: int, guild: int | None) -> dict[int, str]:
        """Return the names of people who may be shown to somebody: rated on this server, or
        played with.
        """
        companions = await self._store.read(rating_queries.companions, user, None, None)
        known = {other: name for _, other, name in companions if other > 0}
        for other in await self.hidden(known):
            del known[other]
        if guild is not None:
            known |= await self._store.read(rating_queries.rated_people, guild)
        return known

    async def is_known_here(self, user: int, guild: int | None, asker: int) -> bool:
        """Return whether somebody has a result on a server, or with the asker: else nobody knows
        that they play.
        """
        if guild is not None:
            results_here = await self._store.read(rating_queries.played, user, guild, None)
            if results_here:
                return True
        return user > 0 and bool(
            await self._store.read(rating_queries.together, user, asker, None, None)
        )

    async def of_player(self, user: int, guild: int | None, game: str | None) -> PlayerRecord:
        """Return what is kept of a player, on a server or everywhere, in one game or all."""
        await self.settled()
        ratings = await self._store.read(
            rating_queries.ratings_of, user, EVERYWHERE if guild is None else guild
        )
        companions = await self._store.read(rating_queries.companions, user, guild, game)
        return PlayerRecord(
            played=await self._store.read(rating_queries.played, user, guild, game),
            ratings={name: rating for name, rating in ratings.items() if game in (None, name)},
            companions=companions,
            hidden=await self.hidden({other for _, other, _ in companions}),
        )

    async def of_pair(
        self, one: int, other: int, guild: int | None, game: str | None
    ) -> tuple[list[Played], list[Played]]:
        """Return the results of two people, on a server or everywhere, in one game or all."""
        await self.settled()
        played = await self._store.read(rating_queries.played, one, guild, game)
        return played, await self._store.read(rating_queries.played, other, guild, game)


def _rated_in_order(finishes: list[Finish], known: Ratings) -> list[tuple[int, Ratings]]:
    """Return the number of each match with the ratings that it changes."""
    now = dict(known)
    steps: list[tuple[int, Ratings]] = []
    for finish in finishes:
        changed = rules.after(finish, now)
        now |= changed
        steps.append((finish.number, changed))
    return steps
