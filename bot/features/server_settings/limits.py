"""How many matches at once: for a person everywhere, and on a server as it has chosen."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.features.server_settings import queries as limit_queries
from bot.features.server_settings.settings import Servers
from bot.kernel.kernel import Kernel
from bot.runtime.errors import Refused
from bot.runtime.locks import Locks
from bot.text import say

FIRST = 10
"""Matches at once of somebody who has finished none: more than that spoil the fun of the first."""
MOST = 100
"""Matches at once of anybody."""


def allowance(finished: int) -> int:
    """Return how many matches somebody may be in at once, given how many they have finished."""
    return min(FIRST + finished, MOST)


class Limits:
    """Asked before somebody takes a seat or opens a match."""

    def __init__(self, kernel: Kernel, servers: Servers) -> None:
        self._store = kernel.store
        self._matches = kernel.matches
        self._servers = servers
        self._locks = Locks()

    @asynccontextmanager
    async def one_more(self, user: int, guild: int, match: str, opens: bool = False) -> AsyncIterator[None]:
        """Let a person sit down in a match, or open it, inside; refuse with the numbers if they have too many.

        One at a time for a person, and for a server in which one is opened: two at once cannot both be the last.
        """
        async with AsyncExitStack() as turns:
            await turns.enter_async_context(self._locks[f"user-{user}"])
            if opens:
                await turns.enter_async_context(self._locks[f"server-{guild}"])
            await self._check_person(user, guild, match)
            if opens and guild:
                await self._check_server(guild, match)
            yield

    async def _check_person(self, user: int, guild: int, match: str) -> None:
        others = [room for room in await self._matches.of_user(user) if room.record.id != match]
        settings = await self._servers.of(guild)
        here = sum(room.record.place.guild == guild for room in others)
        if settings.per_player and here >= settings.per_player:
            raise Refused(say("limit.player_here", number=here, most=settings.per_player))
        if len(others) < FIRST:
            return
        finished = await self._store.read(limit_queries.count_finished_matches, user)
        most = allowance(finished)
        if len(others) >= most:
            facts = {"number": len(others), "most": most, "first": FIRST, "finished": str(finished)}
            raise Refused(say("limit.player", grows=most < MOST, **facts))

    async def _check_server(self, guild: int, match: str) -> None:
        most = (await self._servers.of(guild)).per_server
        if not most:
            return
        number = await self._store.read(limit_queries.count_open_matches, guild, match)
        if number >= most:
            raise Refused(say("limit.server", number=number, most=most))
