"""Run work that follows the last post of a match, such as making its film.

The work is a scheduled job, so it survives a restart. It must be safe to repeat.
"""

from collections.abc import Awaitable, Callable

import discord

from bot.kernel.feature import PostExtras
from bot.kernel.languages import speaking_to_table
from bot.kernel.room import Post, Room
from bot.model import Job
from bot.ui import DISCORD_ERRORS, MotuClient, error_codes

MAX_AT_ONCE = 2
"""How many matches to work on at once. The work is slow, and other jobs must not wait for it."""
WAIT_SECONDS = 20
"""How long to postpone a job while that many are in progress."""
MAX_TRIES = 6
"""How often to retry after an error of Discord's."""


class AfterEnd:
    """One kind of work to do after the end of each match."""

    def __init__(
        self,
        client: MotuClient,
        kind: str,
        work: Callable[[Room], Awaitable[None]],
        give_up: Callable[[Room, Exception], Awaitable[None]],
    ) -> None:
        self._client = client
        self._kind = kind
        self._work = work
        self._give_up = give_up
        """Called when Discord refuses the result, or has failed too often."""
        self._running = 0

    async def follow(self, post: Post) -> PostExtras:
        """Schedule the job together with the last post of a match. This is a post follower."""
        if not post.shows_result:
            return PostExtras()
        return PostExtras(jobs=(Job(self._kind, 0, post.room.record.id),))

    async def run(self, job: Job) -> None:
        """Do the work, or postpone it if MAX_AT_ONCE matches are in progress."""
        kernel = self._client.kernel
        room = await kernel.matches.find(job.match)
        if self._running >= MAX_AT_ONCE:
            await kernel.scheduler.postpone(job, WAIT_SECONDS)
            return
        self._running += 1
        try:
            with speaking_to_table(room.record):
                await self._work(room)
        except DISCORD_ERRORS as error:
            may_pass = not isinstance(error, discord.HTTPException) or error_codes.is_passing(error)
            if may_pass and job.tries < MAX_TRIES:
                raise
            await self._give_up(room, error)
        finally:
            self._running -= 1
