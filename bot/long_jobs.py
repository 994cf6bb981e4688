"""Work that takes a minute: done in a process of its own, with a line that says how far it is and a Stop button."""

import asyncio
import secrets
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from bot import reply
from bot.components import ids
from bot.components.parts import button
from bot.errors import Refused, log_error
from bot.tasks import awaited_task
from bot.text import say
from bot.workers.pool import JobFailed, WorkerLost, Workers

if TYPE_CHECKING:
    from bot.components.items import Asked
    from bot.workers.jobs import Job, Progress

EVERY = 2.0
"""Seconds between two lines of progress."""
TRIES = 2
"""Workers that may die over a job."""
MOST = 2
"""Jobs that somebody may wait for at a time: all people share one process."""


class Running:
    """A job that is being done, how far it is, and how many wait for it."""

    def __init__(self, user: int, job: "Job", task: "Callable[[Progress], asyncio.Future[Any]]") -> None:
        self.user, self.job = user, job
        self.part = 0.0
        self.waiting = 0
        self.task = task(self._progress)

    def _progress(self, part: float) -> None:
        self.part = part


class LongJobs:
    """The long jobs in hand. After a restart none is: whoever waited for one asks again."""

    def __init__(self) -> None:
        self.workers = Workers(1, in_background=True)
        # Not from 1: a button from before the last start must not stop what somebody waits for now.
        self._numbers = count(secrets.randbits(40))
        self._running: dict[int, Running] = {}
        self._closing = False

    async def do(self, interaction: "Asked", match: str, job: "Job", what: str) -> Any:
        """What comes of a job; `what` is being made, in words. Whoever asked for it sees how far it is.

        Whoever asks twice for the same waits twice for one job.
        """
        number = self._number_of(interaction.user.id, job)
        running = self._running[number]
        task = running.task
        stop = button(ids.turn(match, "stop", number), say("job.stop"))
        running.waiting += 1
        try:
            while not task.done():
                await reply.show(
                    interaction, say("job.progress", what=what, percent=round(100 * running.part)), [(stop,)]
                )
                await asyncio.wait([task], timeout=EVERY)
            return task.result()
        except asyncio.CancelledError:
            if task.cancelled():
                raise Refused(say("refusal.restarting") if self._closing else say("job.stopped", what=what)) from None
            raise
        except (WorkerLost, JobFailed) as error:
            log_error(error, str(error))
            raise Refused(say("job.failed", what=what)) from error
        finally:
            running.waiting -= 1
            if not running.waiting:
                task.cancel()
                del self._running[number]

    def _number_of(self, user: int, job: "Job") -> int:
        """The number of that job, which is begun unless the same person waits for it already."""
        for number, running in self._running.items():
            if (running.user, running.job) == (user, job):
                return number
        if sum(running.user == user for running in self._running.values()) >= MOST:
            raise Refused(say("job.enough"))
        number = next(self._numbers)

        def begun(progress: "Progress") -> asyncio.Future[Any]:
            return awaited_task(self.result(job, progress))

        self._running[number] = Running(user, job, begun)
        return number

    def stop(self, number: int) -> bool:
        """Somebody does not want to wait any longer; False if nothing is being made any more."""
        if number not in self._running:
            return False
        return self._running[number].task.cancel()

    async def close(self) -> None:
        """End the process; what it was at is lost, and whoever waits for it is cancelled."""
        self._closing = True
        for running in self._running.values():
            running.task.cancel()
        await self.workers.close()

    async def result(self, job: "Job", progress: "Progress | None" = None) -> Any:
        """What comes of a job that nobody watches; WorkerLost or JobFailed if nothing does."""
        tries = 0
        while not self._closing:
            try:
                return await self.workers.do(job, progress)
            except WorkerLost as error:
                tries += 1
                if self._closing:
                    break
                if tries == TRIES:
                    raise
                log_error(error, "a worker is gone: another begins again")
        raise asyncio.CancelledError
