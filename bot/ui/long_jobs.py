"""Work that takes a minute, in a process of its own: with its progress and a Stop button."""

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from bot.runtime.base import Refused, awaited_task, log_error
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction, service
from bot.ui.components import Item, turn_button, turn_button_id
from bot.ui.parts import Button
from bot.workers.pool import JobFailed, WorkerLost, Workers

if TYPE_CHECKING:
    from bot.workers.jobs import Progress, WorkerJob

EVERY = 2.0
"""Seconds between two lines of progress."""
TRIES = 2
"""Workers that may die over a job."""
MOST = 2
"""Jobs that somebody may wait for at a time: all people share one process."""


class Running:
    """A job that somebody waits for: how far it is, and how many answers wait for it."""

    def __init__(self, user: int, job: "WorkerJob") -> None:
        self.user, self.job = user, job
        # Not from 1: a button from before the last start must not stop what somebody waits for now.
        self.number = secrets.randbits(40)
        self.task: asyncio.Future[Any] = asyncio.Future()
        self.part = 0.0
        self.waiting = 0

    def on_progress(self, part: float) -> None:
        """Note how far the job is."""
        self.part = part


class LongJobs:
    """The long jobs under way.

    After a restart there are none: people who waited for one ask again.
    """

    def __init__(self) -> None:
        self.workers = Workers(1, "lowest")
        self._running: list[Running] = []
        self._closing = False

    async def do(
        self, interaction: MotuInteraction, match: str, job: "WorkerJob", what: str
    ) -> Any:
        """Return what comes of a job; meanwhile show the user how far it is.

        `what` is being made, in words. Somebody who asks twice for the same waits twice for one
        job.
        """
        running = self._find_or_begin(interaction.user.id, job)
        task = running.task
        stop = Button(turn_button_id(match, "stop", running.number), say("job.stop"))
        running.waiting += 1
        try:
            while not task.done():
                percent = round(100 * running.part)
                await reply.show(
                    interaction, say("job.progress", what=what, percent=percent), [(stop,)]
                )
                await asyncio.wait([task], timeout=EVERY)
            if task.cancelled():
                raise Refused(
                    say("refusal.restarting") if self._closing else say("job.stopped", what=what)
                )
            return task.result()
        except (WorkerLost, JobFailed) as error:
            log_error(error, str(error))
            raise Refused("job.failed", what=what) from error
        finally:
            running.waiting -= 1
            if not running.waiting:
                task.cancel()
                self._running.remove(running)

    def _find_or_begin(self, user: int, job: "WorkerJob") -> Running:
        """Return somebody's job under way; begin it, unless they wait for the same already."""
        own = [running for running in self._running if running.user == user]
        for running in own:
            if running.job == job:
                return running
        if len(own) >= MOST:
            raise Refused("job.enough")
        running = Running(user, job)
        running.task = awaited_task(self.result(job, running.on_progress))
        self._running.append(running)
        return running

    async def result(self, job: "WorkerJob", progress: "Progress | None" = None) -> Any:
        """Return what comes of a job that nobody watches; raise WorkerLost or JobFailed."""
        for left in reversed(range(TRIES)):
            try:
                return await self.workers.do(job, progress)
            except WorkerLost as error:
                if self._closing:
                    break
                if not left:
                    raise
                log_error(error, "a worker is gone: another begins again")
        raise asyncio.CancelledError

    def stop(self, number: int) -> bool:
        """Stop a job that nobody wants to wait for any longer; False if it is not running."""
        return any(running.task.cancel() for running in self._running if running.number == number)

    async def close(self) -> None:
        """End the worker process, and tell the person waiting for its job."""
        self._closing = True
        for running in self._running:
            running.task.cancel()
        await self.workers.close()


class StopButton(Item, template=turn_button("stop")):
    """Stops a job that somebody waits for.

    Where a turn's buttons name a post, it has the number of the job.
    """

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Stop the job; those who wait for it are told so where they wait."""
        number = int(self.fields["post"] or 0)
        if not service(interaction, LongJobs).stop(number):
            # The bot was restarted meanwhile: what it said of the job is taken back.
            await reply.show(interaction, say("job.gone"))
