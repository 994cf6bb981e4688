"""Jobs that run later: kept in the database, run when their time has come, after a restart too.

A job is a row. Its handler is called, and the row is dropped when that has returned; a handler that
fails is called again later. So it may be called twice for one row, and has to see for itself what
is done already.

A bot that was down does what was due, once. Its absence is noted and counts for no player: jobs of
the kinds that might punish one come later by as long as it was away. It counts as away also while
it cannot hear Discord, for then nobody can play either.
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

BEAT = 60.0
"""Seconds between two heartbeats, by which it is known that the bot is up."""
AWAY = 90
"""Seconds without a heartbeat that count as an absence."""
AT_ONCE = 8
"""Jobs of a kind that run at a time: some wait for Discord, and hold up no others."""
READ = 64
"""Jobs read at a time."""
FIRST_WAIT, LONGEST_WAIT = 30, 600
"""Seconds before a job that failed runs again; then twice as many each time, up to the second
number.
"""
HOLD = 600
"""Seconds for which a process reserves a job that any process may run; extended while it runs. If
the process dies, another takes over after that.
"""
LAST_CALL = 2.0
"""Seconds that jobs get to finish when the bot stops."""
REMEMBERED = 400 * DAY
"""Seconds for which absences are remembered: longer than any clock runs."""

Handler = Callable[[Job], Awaitable[None]]

log = logging.getLogger("motu.scheduler")


class Scheduler:
    """Sleeps until the next job is due. Jobs that are not due cost nothing."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._can_run: Callable[[], bool] = lambda: True
        self.absences: list[Absence] = []
        """When the bot was down, in order."""
        self._handlers: dict[str, Handler] = {}
        self._punishing: set[str] = set()
        self._next_at = 0.0
        """When to look for due jobs: no later than the first of them."""
        self._woken = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._slots: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(AT_ONCE)
        )
        self._running: dict[int, asyncio.Task[None]] = {}
        """The jobs that run or are about to, by their id."""
        self._reserved: set[int] = set()
        """Those of them that another process might run as well."""
        self.last_beat: int | None = None
        """When the last heartbeat was written."""
        self._has_clock_moved = False

    def register(self, kind: str, handler: Handler, punishes: bool = False) -> None:
        """Register the handler of a kind of job; `punishes` adds the time the bot was down."""
        if kind in self._handlers:
            raise ValueError(f"two handlers for {kind}")
        self._handlers[kind] = handler
        if punishes:
            self._punishing.add(kind)

    def poke(self) -> None:
        """Look at the jobs in the database again: one may be new, or due sooner than before."""
        self._next_at = 0.0
        self._woken.set()

    def note(self, jobs: Iterable[Job]) -> None:
        """Know of jobs that have just been written, without asking the database."""
        first = min((job.at for job in jobs), default=inf)
        if first < self._next_at:
            self._next_at = first
            self._woken.set()

    def clock_moved(self) -> None:
        """Note that somebody has moved the clock forward: the time between was no absence."""
        self._has_clock_moved = True
        self.poke()

    async def set(self, *jobs: Job) -> None:
        """Schedule jobs; one of the same kind, match and user is moved."""
        if jobs:
            await self._store.write(queries.schedule, *jobs)
            self.note(jobs)

    async def replace(self, job: Job, following: Job) -> bool:
        """Schedule a job in place of another; return False if that is not scheduled any more."""
        is_replaced = await self._store.write(queries.replace_job, job, following)
        if is_replaced:
            self.note([following])
        return is_replaced

    async def postpone(self, job: Job, seconds: int) -> None:
        """Run a job later instead of now; it has not failed."""
        await self.set(replace(job, at=int(self._now()) + seconds))

    def start(self, can_run: Callable[[], bool] = lambda: True) -> None:
        """Begin to run jobs, those first that were due meanwhile; none while `can_run` says no."""
        self._can_run = can_run
        if self._loop is None:
            self._loop = track_task(self._run(), "scheduler")

    async def close(self) -> None:
        """Start no more jobs; one that takes too long is cancelled, to run after the next start."""
        if self._loop is None:
            return
        self._loop.cancel()
        tasks = [*self._running.values(), self._loop]
        self._loop = None
        await asyncio.wait(tasks, timeout=LAST_CALL)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._can_run():
            # So that the time it is away now is known to the second.
            with suppress(BotError):
                await self.beat()

    async def run_due(self) -> None:
        """Run all due jobs, and those they schedule. For tests, where time stands still."""
        while await self._begin_due(self._now()):
            await asyncio.gather(*self._running.values())

    async def beat(self) -> None:
        """Write a heartbeat, and note an absence if there was one."""
        now = int(self._now())
        longest_gap = now if self._has_clock_moved else AWAY
        self._has_clock_moved = False
        if self.last_beat is None or self._store.is_shared:
            self.absences = await self._store.read(queries.absences, now - REMEMBERED)
        self.absences += await self._store.write(
            queries.note_heartbeat, now, longest_gap, self._punishing, own=self._store.own
        )
        self.last_beat = now
        if self._reserved:
            await self._store.write(queries.hold_jobs, list(self._reserved), now + HOLD)

    def away(self, guild: int) -> list[tuple[int, int]]:
        """Return when the bot was down for a server, in order."""
        return sorted((one.since, one.until) for one in self.absences if one.whose.serve(guild))

    def other_was_away(self) -> None:
        """Read absences again: another process has noted one."""
        self.last_beat = None
        self.poke()

    async def _run(self) -> None:
        failures = 0
        while True:
            self._woken.clear()
            wait = BEAT
            try:
                if self._can_run():
                    wait = await self._look()
                failures = 0
            except BotError as error:
                failures += 1
                wait = min(BEAT, 2.0**failures)
                log_error(error, "what is due has to wait")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._woken.wait()

    async def _look(self) -> float:
        """Write the heartbeat and start the due jobs; return the seconds until there is more."""
        # Taken before the beat: should the clock leap after it, nothing is done that ought to wait
        # for the next.
        now = self._now()
        # Whether the bot was away must be known before any job runs.
        if self.last_beat is None or self._has_clock_moved or now - self.last_beat >= BEAT:
            await self.beat()
            # Another process may have left a job behind.
            self._next_at = 0.0
        if now >= self._next_at:
            # What is noted while the database is read may be sooner than what is found there.
            self._next_at = inf
            if await self._begin_due(now):
                self._next_at = 0.0
                return 0.0
            found = await self._store.read(queries.next_job_at, own=self._store.own)
            # One that is due already runs, and its end wakes the scheduler.
            if found is not None and found > now:
                self._next_at = min(self._next_at, found)
        return max(0.0, min(BEAT, self._next_at - self._now()))

    async def _begin_due(self, now: float) -> bool:
        """Start the jobs that are due and do not run yet; return whether there were any."""
        found = await self._store.read(
            queries.due_jobs, int(now), READ + AT_ONCE, own=self._store.own
        )
        fresh = [job for job in found if job.id not in self._running]
        if self._store.is_shared and (free := AT_ONCE - len(self._running)) > 0:
            reserved = await self._store.write(
                queries.claim_jobs,
                now=int(now),
                most=free,
                until=int(now) + HOLD,
                own=self._store.own,
            )
            self._reserved |= {job.id for job in reserved}
            fresh += reserved
        for job in fresh:
            task = track_task(self._do(job), f"job-{job.kind}-{job.match}")
            self._running[job.id] = task
            task.add_done_callback(partial(self._done, job.id))
        return bool(fresh)

    def _done(self, number: int, task: asyncio.Task[None]) -> None:
        del self._running[number]
        self._reserved.discard(number)
        # Not for each of very many: the next are read when few of these are left.
        if len(self._running) < AT_ONCE:
            self.poke()

    async def _do(self, job: Job) -> None:
        async with self._slots[job.kind]:
            try:
                try:
                    if handler := self._handlers.get(job.kind):
                        # If the match is gone, so is what was to be done.
                        with suppress(NotFound):
                            await handler(job)
                    else:
                        log.info("a job of kind %s is dropped: no feature handles it", job.kind)
                except Exception as error:
                    log_error(
                        error,
                        f"the job {job.kind} of match {job.match or '-'} is tried again later",
                    )
                    wait = min(FIRST_WAIT << min(job.tries, 20), LONGEST_WAIT)
                    await self._store.write(queries.retry_job, int(self._now()) + wait, job.id)
                else:
                    await self._store.write(queries.delete_job, job.id)
            except BotError as error:
                log_error(error, "the database does not take what was done")
                # Kept in hand meanwhile: else it would be done again at once, and again.
                await asyncio.sleep(FIRST_WAIT)
