"""How many matches at once: for a person everywhere, and on a server as it has chosen."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext

from bot.errors import Refused
from bot.matches.queue import Queues
from bot.matches.room import Room
from bot.matches.server_settings import Servers
from bot.store.base import Store
from bot.text import say

FIRST = 10
"""Matches at once of somebody who has finished none: more than that spoil the fun of the first."""
MOST = 100
"""Matches at once of anybody."""


def allowance(finished: int) -> int:
    """Matches at once of somebody who has finished so many."""
    return min(FIRST + finished, MOST)


class Limits:
    """Asked before somebody takes a seat or opens a match."""

    def __init__(self, store: Store, servers: Servers, of_user: Callable[[int], Awaitable[list[Room]]]) -> None:
        self._store = store
        self._servers = servers
        self._of_user = of_user
        """Open matches that a person sits in, without those that they have given up."""
        self._queues = Queues()

    @asynccontextmanager
    async def one_more(self, user: int, guild: int, match: str, opens: bool = False) -> AsyncIterator[None]:
        """Room for a person to sit down in a match, or to open it, inside; refused with the numbers if there is none.

        One at a time for a person, and for a server that opens one: two at once cannot both be the last.
        """
        async with self._queues.turn(f"user-{user}"), self._queues.turn(f"server-{guild}") if opens else nullcontext():
            await self._check_person(user, guild, match)
            if opens and guild:
                await self._check_server(guild, match)
            yield

    async def _check_person(self, user: int, guild: int, match: str) -> None:
        others = [room for room in await self._of_user(user) if room.info.id != match]
        settings = await self._servers.of(guild)
        here = sum(room.info.place.guild == guild for room in others)
        if settings.per_player and here >= settings.per_player:
            raise Refused(say("limit.player_here", number=here, most=settings.per_player))
        if len(others) < FIRST:
            return
        finished = await self._store.finished(user)
        most = allowance(finished)
        if len(others) >= most:
            facts = {"number": len(others), "most": most, "first": FIRST, "finished": str(finished)}
            raise Refused(say("limit.player", grows=most < MOST, **facts))

    async def _check_server(self, guild: int, match: str) -> None:
        most = (await self._servers.of(guild)).per_server
        if most and (number := await self._store.open_in(guild, match)) >= most:
            raise Refused(say("limit.server", number=number, most=most))
