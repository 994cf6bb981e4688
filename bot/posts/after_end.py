"""Work that follows the last post of a match, such as its film: a job until it is done."""

from collections.abc import Awaitable, Callable

import discord

from bot.kernel.feature import PostExtras
from bot.kernel.room import Post, Room
from bot.model import Job, Status
from bot.ui import DISCORD_ERRORS, MotuClient, error_codes

MAX_AT_ONCE = 2
"""Matches worked on at a time: it takes a while, and other jobs must not wait for it."""
WAIT_SECONDS = 20
"""How long a job waits if that many are being worked on."""
MAX_TRIES = 6
"""How often Discord is asked to take the result."""


class AfterEnd:
    """One kind of work that follows the end of a match, for all matches."""

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
        """Called when Discord does not take the result, and will not."""
        self._running = 0

    async def follow(self, post: Post) -> PostExtras:
        """Schedule the job with the post that tells how a match has ended."""
        is_last = post.room.playing().outcome is not None
        if not is_last or post.room.record.status is not Status.FINISHED:
            return PostExtras()
        return PostExtras(jobs=(Job(self._kind, 0, post.room.record.id),))

    async def run(self, job: Job) -> None:
        """Do the work, or postpone it while enough of it is under way."""
        kernel = self._client.kernel
        room = await kernel.matches.find(job.match)
        if self._running >= MAX_AT_ONCE:
            await kernel.scheduler.postpone(job, WAIT_SECONDS)
            return
        self._running += 1
        try:
            await self._work(room)
        except DISCORD_ERRORS as error:
            may_pass = not isinstance(error, discord.HTTPException) or error_codes.is_passing(error)
            if may_pass and job.tries < MAX_TRIES:
                raise
            await self._give_up(room, error)
        finally:
            self._running -= 1
