"""Players who have left the server where they play: asked of Discord, for the bot is not told of it.

It is asked when a player is called to their turn, once in a few hours for each. If they are gone the table is asked,
once, whether a computer shall play on and the seat be offered.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord
from cachetools import TTLCache

from bot import error_codes
from bot.errors import BotError
from bot.matches.ballot import ABSENT
from bot.matches.room import BOT, COMPUTER, Room
from bot.matches.seats import ABSENCE
from bot.reply import UNREACHABLE
from bot.tasks import track_task
from engine import EngineError, Seat

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.leavers")

SEEN, SEEN_FOR = 10_000, 6 * 3600
"""Members remembered, and for how many seconds they are not asked for again."""


async def has_left(bot: "Motu", room: Room, user: int) -> bool:
    """Whether a player is no member of the match's server any more, as far as Discord says so.

    Nobody leaves a direct message.
    """
    guild = room.info.place.guild
    if not guild or user == COMPUTER:
        return False
    try:
        await bot.http.get_member(guild, user)
    except discord.HTTPException as error:
        return error.code == error_codes.UNKNOWN_MEMBER
    return False


class Leavers:
    """Notices who has left, when it is their turn."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._seen: TTLCache[tuple[int, int], None] = TTLCache(SEEN, SEEN_FOR)
        self._tasks: set[asyncio.Task[None]] = set()

    def look_for(self, room: Room, seats: Iterable[Seat]) -> None:
        """Those seats are called to their turn."""
        for seat in seats:
            user = room.info.chairs[seat].id
            if user != COMPUTER and (room.info.place.guild, user) not in self._seen:
                task = track_task(self._look(room, seat, user), f"leavers-{room.info.id}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Look no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look(self, room: Room, seat: Seat, user: int) -> None:
        votes = self._bot.matches.votes
        try:
            if not await has_left(self._bot, room, user):
                self._seen[room.info.place.guild, user] = None
                return
            asked = [vote for vote in await self._bot.matches.store.votes(room.info.id) if vote.kind == ABSENCE]
            if not any(vote.by.id == COMPUTER and vote.chairs[seat].id == user for vote in asked):
                await votes.propose(room.info.id, BOT, ABSENCE, {"seat": seat, ABSENT: "left"})
        except (BotError, EngineError, discord.HTTPException, *UNREACHABLE) as error:
            log.info("whether somebody has left match %s stays open (%s)", room.info.id, type(error).__name__)
