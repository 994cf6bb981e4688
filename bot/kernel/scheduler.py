"""The scheduler: runs jobs at the time they are scheduled for, even across restarts.

A job is a row in the database. The scheduler calls the handler of its kind and deletes the row when
the handler returns; a handler that raises is called again later. A handler can therefore run twice
for one row, and must check for itself what is already done.

After an outage, each overdue job runs once. The outage is recorded as an absence, which must cost
no player anything: jobs that could punish somebody are postponed by its length. The bot also counts
as absent while it receives no events from Discord, because nobody can play then.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from math import inf

from msgspec.structs import replace

from bot.kernel import queries
from bot.model import Absence, Job
from bot.runtime.base import DAY, BotError, NotFound, log_error, track_task
from bot.store.base import Store

HEARTBEAT_SECONDS = 60.0
"""How often to write a heartbeat. After a crash, the last one shows when the bot went down."""
ABSENCE_SECONDS = 90
"""How long the heartbeat may be missing before the gap counts as an absence.

Half a heartbeat longer than its interval, because a busy bot writes it late.
"""
MAX_RUNNING_PER_KIND = 8
"""How many jobs of one kind run at a time, so that slow ones do not hold up other kinds."""
JOBS_PER_READ = 64
"""How many due jobs to read from the database at once, besides those already running."""
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 30, 600
"""How long a failed job waits before its first retry, and at most; the wait doubles each time."""
RESERVATION_SECONDS = 600
"""How long a process reserves a job that any process may run.

Each heartbeat renews it while the job runs. If the process dies, another one takes over.
"""
SHUTDOWN_SECONDS = 2.0
"""How long running jobs get to finish when the bot stops."""
ABSENCES_KEPT_SECONDS = 400 * DAY
"""How long to remember absences: longer than any clock runs."""

Handler = Callable[[Job], Awaitable[None]]

log = logging.getLogger("motu.scheduler")


class Scheduler:
    """Runs due jobs, and sleeps until the next one: scheduled jobs cost no polling."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._can_run: Callable[[], bool] = lambda: True
        self.absences: list[Absence] = []
        """When the bot was down, in order."""
        self._handlers: dict[str, Handler] = {}
        self._punishing: set[str] = set()
        self._next_at = 0.0
        """When to read due jobs from the database again: at the latest when the next one is due."""
        self._woken = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._slots: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(MAX_RUNNING_PER_KIND)
        )
        self._running: dict[int, asyncio.Task[None]] = {}
        """The jobs that run, or wait for a free slot of their kind, by id."""
        self._reserved: set[int] = set()
        """The ids of running jobs that this process has reserved from others."""
        self.last_beat: int | None = None
        """When the last heartbeat was written."""
        self._has_clock_moved = False

    def register(self, kind: str, handler: Handler, punishes: bool = False) -> None:
        """Register the handler for a kind of job.

        Jobs that punish a player for being late are postponed by the length of every absence.
        """
        if kind in self._handlers:
            raise ValueError(f"two handlers for {kind}")
        self._handlers[kind] = handler
        if punishes:
            self._punishing.add(kind)

    def poke(self) -> None:
        """Read the jobs from the database again: one may be new, or due sooner than before."""
        self._next_at = 0.0
        self._woken.set()

    def note(self, jobs: Iterable[Job]) -> None:
        """Wake up in time for jobs that were just written, without reading them back."""
        first = min((job.at for job in jobs), default=inf)
        if first < self._next_at:
            self._next_at = first
            self._woken.set()

    def on_clock_moved(self) -> None:
        """Don't count the next gap as an absence: on the local Discord, players can skip time."""
        self._has_clock_moved = True
        self.poke()

    async def set(self, *jobs: Job) -> None:
        """Schedule jobs; each replaces the one of the same kind, match and user, if any."""
        if jobs:
            await self._store.write(queries.schedule, *jobs)
            self.note(jobs)

    async def replace(self, job: Job, following: Job) -> bool:
        """Replace a job with another; return False if it was cancelled or moved meanwhile."""
        is_replaced = await self._store.write(queries.replace_job, job, following)
        if is_replaced:
            self.note([following])
        return is_replaced

    async def postpone(self, job: Job, seconds: int) -> None:
        """Run a job again in some seconds, without counting it as failed."""
        await self.set(replace(job, at=int(self._now()) + seconds))

    def start(self, can_run: Callable[[], bool] = lambda: True) -> None:
        """Start running jobs, overdue ones first; none run while `can_run` returns False."""
        self._can_run = can_run
        if self._loop is None:
            self._loop = track_task(self._run(), "scheduler")

    async def close(self) -> None:
        """Stop starting jobs, and cancel those that take too long: they run at the next start."""
        if self._loop is None:
            return
        self._loop.cancel()
        tasks = [*self._running.values(), self._loop]
        self._loop = None
        await asyncio.wait(tasks, timeout=SHUTDOWN_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._can_run():
            # The absence that begins now is then measured to the second, not to a whole minute.
            with suppress(BotError):
                await self.beat()

    async def run_due(self) -> None:
        """Run all due jobs, and those they schedule for now. For tests, where time stands still."""
        while await self._start_due_jobs(self._now()):
            await asyncio.gather(*self._running.values())

    async def beat(self) -> None:
        """Write a heartbeat, and record an absence if the last one was too long ago."""
        now = int(self._now())
        longest_gap = now if self._has_clock_moved else ABSENCE_SECONDS
        self._has_clock_moved = False
        if self.last_beat is None or self._store.is_shared:
            self.absences = await self._store.read(queries.absences, now - ABSENCES_KEPT_SECONDS)
        self.absences += await self._store.write(
            queries.note_heartbeat, now, longest_gap, self._punishing, own=self._store.own
        )
        self.last_beat = now
        if self._reserved:
            await self._store.write(
                queries.hold_jobs, list(self._reserved), now + RESERVATION_SECONDS
            )

    def absences_in(self, guild: int) -> list[tuple[int, int]]:
        """Return the spans in which the bot did not serve a server, in order."""
        return sorted((one.since, one.until) for one in self.absences if one.whose.serve(guild))

    def reload_absences(self) -> None:
        """Write the next heartbeat now, and read the absences again with it."""
        self.last_beat = None
        self.poke()

    async def _run(self) -> None:
        """Start due jobs and sleep, for ever."""
        failures = 0
        while True:
            self._woken.clear()
            wait = HEARTBEAT_SECONDS
            try:
                if self._can_run():
                    wait = await self._tick()
                failures = 0
            except BotError as error:
                failures += 1
                wait = min(HEARTBEAT_SECONDS, 2.0**failures)
                log_error(error, "scheduled jobs are waiting: can't read the database")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._woken.wait()

    async def _tick(self) -> float:
        """Write the heartbeat if needed and start due jobs; return the seconds to sleep."""
        # Read once, before the heartbeat. A laptop may sleep between the two: jobs that became due
        # in that time must wait for the next heartbeat, which sees the absence.
        now = self._now()
        # An absence postpones jobs, so it must be recorded before any job runs.
        last_beat = self.last_beat
        is_overdue = last_beat is None or now - last_beat >= HEARTBEAT_SECONDS
        if is_overdue or self._has_clock_moved:
            await self.beat()
            # A job reserved by a process that died becomes due again without a notification.
            self._next_at = 0.0
        if now >= self._next_at:
            # `note` may lower this while the database is read, and then must not be overwritten.
            self._next_at = inf
            if await self._start_due_jobs(now):
                self._next_at = 0.0
                return 0.0
            next_at = await self._store.read(queries.next_job_at, own=self._store.own)
            # A job that is due by now has been started above, and wakes the loop when it ends.
            if next_at is not None and next_at > now:
                self._next_at = min(self._next_at, next_at)
        return max(0.0, min(HEARTBEAT_SECONDS, self._next_at - self._now()))

    async def _start_due_jobs(self, now: float) -> bool:
        """Start due jobs that are not running yet; return whether there were any."""
        # Rows of running jobs are still due, and may take up some of the rows that are read.
        limit = JOBS_PER_READ + MAX_RUNNING_PER_KIND
        due = await self._store.read(queries.due_jobs, int(now), limit, own=self._store.own)
        new_jobs = [job for job in due if job.id not in self._running]
        free = MAX_RUNNING_PER_KIND - len(self._running)
        if self._store.is_shared and free > 0:
            reserved = await self._store.write(
                queries.claim_jobs,
                now=int(now),
                most=free,
                until=int(now) + RESERVATION_SECONDS,
                own=self._store.own,
            )
            self._reserved |= {job.id for job in reserved}
            new_jobs += reserved
        for job in new_jobs:
            task = track_task(self._run_job(job), f"job-{job.kind}-{job.match}")
            self._running[job.id] = task
            task.add_done_callback(partial(self._on_done, job.id))
        return bool(new_jobs)

    def _on_done(self, number: int, task: asyncio.Task[None]) -> None:
        del self._running[number]
        self._reserved.discard(number)
        # With a long queue, reading the database after every job would be wasteful: wait until the
        # queue is nearly empty.
        if len(self._running) < MAX_RUNNING_PER_KIND:
            self.poke()

    async def _run_job(self, job: Job) -> None:
        """Call a job's handler, then delete the job, or schedule a retry if the handler raised."""
        async with self._slots[job.kind]:
            try:
                try:
                    if handler := self._handlers.get(job.kind):
                        # The match may have been deleted since: then there is nothing to do.
                        with suppress(NotFound):
                            await handler(job)
                    else:
                        log.info("dropped a job of kind %s: no feature handles it", job.kind)
                except Exception as error:
                    log_error(
                        error,
                        f"retrying the job {job.kind} of match {job.match or '-'} later",
                    )
                    wait = min(FIRST_RETRY_SECONDS << min(job.tries, 20), MAX_RETRY_SECONDS)
                    await self._store.write(queries.retry_job, int(self._now()) + wait, job.id)
                else:
                    await self._store.write(queries.delete_job, job.id)
            except BotError as error:
                log_error(error, "couldn't record that a job has run")
                # The row is still due, but the job counts as running while this task lives. Without
                # the pause it would be started again at once, over and over.
                await asyncio.sleep(FIRST_RETRY_SECONDS)
