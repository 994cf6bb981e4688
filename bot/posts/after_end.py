"""What is done once the end of a match is posted: due in the database until it is done, or cannot be."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import discord

from bot import error_codes
from bot.errors import NotFound
from bot.matches.room import Due, Room
from bot.reply import UNREACHABLE

if TYPE_CHECKING:
    from bot.app import Motu

AT_ONCE = 2
"""Matches of which it is done at a time: it takes a while, and shall not hold up what else is due."""
LATER = 20
"""Seconds after which another has its turn."""
TRIES = 6
"""How often Discord is asked to take it."""


class AfterEnd:
    """One such thing, for all matches."""

    def __init__(
        self,
        bot: "Motu",
        kind: str,
        do: Callable[[Room], Awaitable[None]],
        give_up: Callable[[Room, Exception], Awaitable[None]],
    ) -> None:
        self._bot = bot
        self._do = do
        self._give_up = give_up
        """Called when Discord does not take it, and will not."""
        self._at_it = 0
        bot.matches.scheduler.register(kind, self._do_due)

    async def _do_due(self, due: Due) -> None:
        try:
            room = await self._bot.matches.find(due.match)
        except NotFound:
            return
        if self._at_it >= AT_ONCE:
            await self._bot.matches.scheduler.postpone(due, LATER)
            return
        self._at_it += 1
        try:
            await self._do(room)
        except (discord.HTTPException, *UNREACHABLE) as error:
            may_pass = not isinstance(error, discord.HTTPException) or error_codes.is_passing(error)
            if may_pass and due.tries < TRIES:
                raise
            await self._give_up(room, error)
        finally:
            self._at_it -= 1
