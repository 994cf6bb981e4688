"""How people stand: results kept as matches end, and the ratings that are made of them.

A match's results are written in the transaction that ends it. Ratings are made of them a moment later, one match after
the other in the order in which they ended; should the bot stop in between, after the next start. All of it can be
worked out anew from the matches as they are kept.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from bot.errors import Conflict, log_error
from bot.matches import rating, records, results, statistics
from bot.matches.rating import EVERYWHERE, HIDDEN, IDLE, LEAST, RULES, Board, Pool, Ranked, Rated, Rating
from bot.matches.results import Finish, Result
from bot.matches.room import Due, Room, Status
from bot.matches.rooms import Rooms
from bot.matches.scheduler import Scheduler
from bot.matches.statistics import PairStats, PlayerStats
from bot.store.base import Scope, Store, StoredMatch
from bot.tasks import track_task
from engine import Game

RECOMPUTE = "ratings"
"""That all is to be worked out anew."""
KNOWN_RULES = "rating_rules"
"""The key under which it is kept by which rules the ratings were made, for no server (0)."""
AT_ONCE = 8
"""Matches worked out in one go: a press that comes meanwhile waits for a few milliseconds."""
BREATH = 0.01
"""Seconds in between for whoever else wants something."""


class Standing:
    """The results and ratings of everybody."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        scheduler: Scheduler,
        games: Mapping[str, Game[Any]],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._scheduler = scheduler
        self._games = games
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._rating: asyncio.Task[None] | None = None
        self._is_wanted = False
        self._is_all_anew = False
        """All is to be worked out anew, or just is: what ends meanwhile is rated with it."""
        scheduler.register(RECOMPUTE, self._recompute_due)
        rooms.listeners.append(self._changed)

    async def recover(self) -> None:
        """After a start: rate what has ended just before the stop, or all anew if the rules have changed."""
        if await self._store.setting(Scope.SERVER, 0, KNOWN_RULES) == str(RULES):
            self._rate_soon()
        elif await self._store.finishes(0, 1):
            # Whichever process does it: others may rate meanwhile, for it is worked out anew with the rest.
            self._is_all_anew = not self._store.is_shared
            await self._scheduler.set(Due(RECOMPUTE, int(self._now())))
        else:
            await self._store.put_setting(Scope.SERVER, 0, KNOWN_RULES, str(RULES))

    async def hidden(self, users: Iterable[int]) -> frozenset[int]:
        """Those who want to be shown in no list, no statistics of others and no post about records."""
        return await self._store.with_setting(HIDDEN, users)

    async def hide(self, user: int, hidden: bool) -> None:
        """Somebody's wish not to be shown to others, or that they do not mind."""
        await self._store.put_setting(Scope.PLAYER, user, HIDDEN, "1" if hidden else None)

    async def is_hidden(self, user: int) -> bool:
        """Whether somebody wants to be shown to nobody."""
        return bool(await self.hidden([user]))

    async def board(
        self,
        game: str,
        guild: int,
        pool: Pool = Pool.PEOPLE,
        everywhere: bool = False,
        most: int = 15,
        besides: int = 0,
    ) -> list[Ranked]:
        """Ratings in a game, the best first: of a server's people, there or over all servers; or of the computers.

        Somebody who would be listed if there were room is, besides.
        """
        await self.settled()
        if pool is Pool.COMPUTERS:
            return await self._store.board(Board(game=game, guild=EVERYWHERE, pool=pool))
        since = int(self._now()) - IDLE
        return await self._store.board(
            Board(game=game, guild=guild, everywhere=everywhere, least=LEAST, since=since, most=most, besides=besides)
        )

    async def people_of(self, guild: int) -> list[tuple[int, str]]:
        """The ids and names of people who are rated on a server and may be shown."""
        return await self._store.rated_people(guild)

    async def company_of(self, user: int) -> list[tuple[int, str]]:
        """The ids and names of people whom somebody has played with and who may be shown."""
        found = {other: name for _, other, name in await self._store.companions(user, None, None) if other > 0}
        hidden = await self.hidden(found)
        return [(other, name) for other, name in found.items() if other not in hidden]

    async def is_known_here(self, user: int, guild: int | None, asker: int) -> bool:
        """Whether somebody has a result on a server or with whoever asks: else nobody there knows that they play."""
        if guild is not None and await self._store.played(user, guild, None):
            return True
        return user > 0 and bool(await self._store.together(user, asker, None, None))

    async def of_player(self, user: int, guild: int | None, game: str | None) -> PlayerStats:
        """What is told of somebody, on a server or everywhere, in one game or all."""
        await self.settled()
        played = await self._store.played(user, guild, game)
        ratings = await self._store.ratings_of(user, EVERYWHERE if guild is None else guild)
        companions = await self._store.companions(user, guild, game)
        hidden = await self.hidden({other for _, other, _ in companions})
        wanted = {name: rating for name, rating in ratings.items() if game in (None, name)}
        return statistics.of_player(played, wanted, companions, hidden)

    async def of_pair(self, one: int, other: int, guild: int | None, game: str | None) -> PairStats | None:
        """What is told of two people who have played together; None if they have not."""
        return statistics.of_pair(await self._store.together(one, other, guild, game))

    async def is_being_worked_out(self) -> bool:
        """Whether all ratings are being worked out anew, and many are still missing."""
        return await self._store.is_to_happen(RECOMPUTE)

    async def settled(self) -> None:
        """Returns once all that has ended is rated."""
        if self._rating is not None:
            await asyncio.shield(self._rating)

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Inside, nothing is rated; what has ended before is."""
        await self.settled()
        async with self._one_at_a_time:
            yield

    async def close(self) -> None:
        """What is not rated yet is rated after the next start."""
        if self._rating is not None:
            self._rating.cancel()
            await asyncio.gather(self._rating, return_exceptions=True)

    async def recompute(self, breath: float = 0.0, told: Callable[[int], None] = lambda done: None) -> int:
        """All results and ratings worked out anew from the matches; how many matches there are.

        `told` is called with how many results are worked out so far.
        """
        self._is_all_anew = True
        # Should it be stopped in the midst, the next start begins it again.
        await self._store.put_setting(Scope.SERVER, 0, KNOWN_RULES, None)
        async with self._one_at_a_time:
            done, last = 0, 0
            while finishes := await self._store.finishes(last, AT_ONCE):
                stored = await self._store.load_all(finish.match for finish in finishes)
                found = await asyncio.to_thread(_results, stored, self._games)
                for match in (finish.match for finish in finishes if finish.match not in found):
                    # What cannot be read any more counts as it did.
                    if kept := await self._store.finish(match):
                        found[match] = kept.results
                await self._store.put_results(found)
                done, last = done + len(finishes), finishes[-1].number
                told(done)
                await asyncio.sleep(breath)
            await self._store.drop_ratings()
            await self._rate_all(breath)
            await self._store.put_setting(Scope.SERVER, 0, KNOWN_RULES, str(RULES))
        self._is_all_anew = False
        self._rate_soon()
        return done

    async def _recompute_due(self, due: Due) -> None:
        await self.recompute(BREATH)

    async def _changed(self, before: Room, room: Room) -> None:
        if room.info.status is Status.FINISHED and before.info.status is not Status.FINISHED:
            self._rate_soon()

    def _rate_soon(self) -> None:
        self._is_wanted = not self._is_all_anew
        if self._is_wanted and (self._rating is None or self._rating.done()):
            self._rating = track_task(self._rate(), "ratings")

    async def _rate(self) -> None:
        try:
            while self._is_wanted:
                self._is_wanted = False
                async with self._one_at_a_time:
                    await self._rate_all(BREATH)
        except Exception as error:
            # It is rated with the next match that ends; nobody who only asks how they stand hears of it.
            log_error(error, "a result is not rated yet")

    async def _rate_all(self, breath: float) -> None:
        """Rate what is not rated, in order."""
        while finishes := await self._store.unrated(AT_ONCE):
            known = await self._store.ratings([key for finish in finishes for key in rating.concerned(finish)])
            steps = await asyncio.to_thread(_rated_in_order, finishes, known)
            # If another process was faster, what is left is worked out from what it has made of it.
            with suppress(Conflict):
                await self._store.put_ratings(steps, known)
            await asyncio.sleep(breath)


def _results(kept: list[StoredMatch], games: Mapping[str, Game[Any]]) -> dict[str, tuple[Result, ...]]:
    """What came of matches as they are kept; one that cannot be read leaves the others as they are."""
    found = {}
    for stored in kept:
        try:
            found[stored.info.id] = results.of(records.room(stored, games))
        except Exception as error:
            log_error(error, f"the result of match {stored.info.id} cannot be worked out")
    return found


def _rated_in_order(finishes: list[Finish], known: Mapping[Rated, Rating]) -> list[tuple[int, dict[Rated, Rating]]]:
    """The number of each match, and what it changes."""
    now, steps = dict(known), []
    for finish in finishes:
        changed = rating.after(finish, now)
        now |= changed
        steps.append((finish.number, changed))
    return steps
