"""Players who have left the server in which they play. Discord does not tell the bot, so it is asked.

It is asked when it becomes a player's turn, once in a few hours for each. If they are gone, the table is asked once
whether a computer is to play on and the seat to be offered.
"""

import asyncio
import logging

import discord
from cachetools import TTLCache

from bot.features.seats.service import ABSENCE
from bot.features.votes.absence import has_left
from bot.features.votes.rules import ABSENT
from bot.features.votes.service import Votes
from bot.kernel.feature import PostExtras
from bot.kernel.room import Post, Room
from bot.model.match import BOT, COMPUTER
from bot.runtime.clock import HOUR
from bot.runtime.errors import BotError
from bot.runtime.tasks import track_task
from bot.ui.client import MotuClient
from bot.ui.reply import UNREACHABLE
from engine import EngineError, Seat

log = logging.getLogger("motu.leavers")

MEMBERS_REMEMBERED, REMEMBERED_SECONDS = 10_000, 6 * HOUR
"""Members that Discord is not asked about again, and for how long."""


class Leavers:
    """Notices that players have left, when it is their turn."""

    def __init__(self, client: MotuClient, votes: Votes) -> None:
        self._client = client
        self._votes = votes
        self._members: TTLCache[tuple[int, int], None] = TTLCache(MEMBERS_REMEMBERED, REMEMBERED_SECONDS)
        self._tasks: set[asyncio.Task[None]] = set()

    async def extend_post(self, post: Post) -> PostExtras:
        """Once a post is made, check whether those whose turn it has become are still there."""
        return PostExtras(on_noted=lambda: self.check(post))

    def check(self, post: Post) -> None:
        """Check in the background whether those whose turn it has become are still there."""
        room = post.room
        for seat in post.newly:
            user = room.record.chairs[seat].id
            if user != COMPUTER and (room.record.place.guild, user) not in self._members:
                task = track_task(self._check(room, seat, user), f"leavers-{room.record.id}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop checking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _check(self, room: Room, seat: Seat, user: int) -> None:
        try:
            if not await has_left(self._client, room, user):
                self._members[room.record.place.guild, user] = None
                return
            votes = [vote for vote in await self._votes.all(room.record.id) if vote.kind == ABSENCE]
            if not any(vote.by.id == COMPUTER and vote.chairs[seat].id == user for vote in votes):
                await self._votes.propose(room.record.id, BOT, ABSENCE, {"seat": seat, ABSENT: "left"})
        except (BotError, EngineError, discord.HTTPException, *UNREACHABLE) as error:
            log.info("cannot tell whether somebody has left match %s (%s)", room.record.id, type(error).__name__)
