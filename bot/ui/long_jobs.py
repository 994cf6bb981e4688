"""Run work that takes a minute or so in a worker process, with its progress and a Stop button.

What the work is, such as making a film or a review, is in bot/workers/jobs.py.
"""

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

PROGRESS_SECONDS = 2.0
"""How often to update the progress."""
MAX_ATTEMPTS = 2
"""How often to start a job whose worker process dies."""
MAX_JOBS_PER_USER = 2
"""How many jobs a user may have at a time: everyone shares one worker."""


class Running:
    """A job under way: its progress, and how many answers wait for it."""

    def __init__(self, user: int, job: "WorkerJob") -> None:
        self.user, self.job = user, job
        # Random, not counted from 1: a Stop button from before a restart must not stop a new job.
        self.number = secrets.randbits(40)
        self.task: asyncio.Future[Any] = asyncio.Future()
        self.part = 0.0
        self.waiting = 0

    def on_progress(self, part: float) -> None:
        """Record the progress of the job, from 0 to 1."""
        self.part = part


class LongJobs:
    """Runs long jobs. They do not survive a restart: users have to ask again."""

    def __init__(self) -> None:
        self.workers = Workers(1, "lowest")
        self._running: list[Running] = []
        self._closing = False

    async def do(
        self, interaction: MotuInteraction, match_id: str, job: "WorkerJob", what: str
    ) -> Any:
        """Run a job for a user and return its result; meanwhile show the progress.

        `what` is the text that says what is being made. If the user asks for the same thing twice,
        both answers wait for one job. Refuses if the job fails or is stopped.
        """
        running = self._find_or_start(interaction.user.id, job)
        task = running.task
        stop = Button(turn_button_id(match_id, "stop", running.number), say("job.stop"))
        running.waiting += 1
        try:
            while not task.done():
                percent = round(100 * running.part)
                await reply.show(
                    interaction, say("job.progress", what=what, percent=percent), [(stop,)]
                )
                await asyncio.wait([task], timeout=PROGRESS_SECONDS)
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

    def _find_or_start(self, user: int, job: "WorkerJob") -> Running:
        """Return the user's running job if it is the same one, else start it.

        Refuses if the user has MAX_JOBS_PER_USER others running.
        """
        theirs = [running for running in self._running if running.user == user]
        for running in theirs:
            if running.job == job:
                return running
        if len(theirs) >= MAX_JOBS_PER_USER:
            raise Refused("job.enough")
        running = Running(user, job)
        running.task = awaited_task(self.result(job, running.on_progress))
        self._running.append(running)
        return running

    async def result(self, job: "WorkerJob", progress: "Progress | None" = None) -> Any:
        """Run a job without showing progress; raise WorkerLost or JobFailed if that fails."""
        for left in reversed(range(MAX_ATTEMPTS)):
            try:
                return await self.workers.do(job, progress)
            except WorkerLost as error:
                if self._closing:
                    break
                if not left:
                    raise
                log_error(error, "a worker process died, restarting its job in another")
        raise asyncio.CancelledError

    def stop(self, number: int) -> bool:
        """Stop a job; return False if it is not running."""
        return any(running.task.cancel() for running in self._running if running.number == number)

    async def close(self) -> None:
        """Cancel all jobs, whose users are told so by `do`, and end the worker."""
        self._closing = True
        for running in self._running:
            running.task.cancel()
        await self.workers.close()


class StopButton(Item, template=turn_button("stop")):
    """Stops a job. In its custom id, the number of the job stands where others have the post."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Stop the job. The answers that wait for it say so."""
        number = int(self.fields["post"] or 0)
        if not service(interaction, LongJobs).stop(number):
            # The bot was restarted since: replace the progress, which will never change again.
            await reply.show(interaction, say("job.gone"))
