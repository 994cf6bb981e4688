"""Jobs that run later: kept in the database, run when their time has come, after a restart too.

Whatever is due is a row. Its handler is called, and the row is dropped when that has returned; a handler that fails is
called again later. So it may be called twice for one row, and has to see for itself what is done already.

A bot that was down does what was due, once. Its absence is noted and counts for no player: rows of the kinds that might
punish one come later by as long as it was away. It counts as away also while it cannot hear Discord, for then nobody
can play either.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count

from msgspec.structs import replace

from bot.kernel import queries
from bot.model.jobs import Absence, Job
from bot.runtime.clock import DAY
from bot.runtime.errors import BotError, log_error
from bot.runtime.tasks import track_task
from bot.store.base import Store

BEAT = 60.0
"""Seconds between two heartbeats, by which it is known that the bot is up."""
AWAY = 90
"""Seconds without a heartbeat that count as an absence."""
AT_ONCE = 8
"""Jobs that run at a time: some wait for Discord, and hold up no other."""
READ = 64
"""Jobs read at a time."""
FIRST_WAIT, LONGEST_WAIT = 30, 3600
"""Seconds before a job that failed runs again; then twice as many each time, up to the second number."""
HOLD = 600
"""Seconds for which a process reserves a job that any process may run; extended while it runs. If the process dies,
another takes over after that."""
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
        self._poked = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []
        self._in_hand: dict[int, asyncio.Task[None]] = {}
        """The jobs that run, by their id."""
        self._taken: set[int] = set()
        """Those of them that another process might run as well."""
        self.last_beat: int | None = None
        """When the last heartbeat was written."""
        self._moved = False
        self._beating = asyncio.Lock()

    def register(self, kind: str, handler: Handler, punishes: bool = False) -> None:
        """Register the handler of a kind of job; with `punishes` such jobs wait for as long as the bot was down."""
        if kind in self._handlers:
            raise ValueError(f"two handlers for {kind}")
        self._handlers[kind] = handler
        if punishes:
            self._punishing.add(kind)

    def poke(self) -> None:
        """Look at the jobs again: one may be new, or due sooner than before."""
        self._poked.set()

    def clock_moved(self) -> None:
        """Note that somebody has moved the clock forward: the time between was no absence."""
        self._moved = True
        self.poke()

    async def set(self, *dues: Job) -> None:
        """Schedule jobs; one of the same kind, match and user is moved."""
        if dues:
            await self._store.write(queries.schedule, *dues)
            self.poke()

    async def postpone(self, due: Job, seconds: int) -> None:
        """Run a job later instead of now; it has not failed."""
        await self.set(replace(due, at=int(self._now()) + seconds))

    def start(self, can_run: Callable[[], bool] = lambda: True) -> None:
        """Begin to run jobs, those first that were due meanwhile; none while `can_run` says no."""
        self._can_run = can_run
        if not self._running:
            self._running = [
                track_task(self._beats(), "heartbeat"),
                track_task(self._run(), "scheduler"),
            ]

    async def close(self) -> None:
        """Start no more jobs; one that takes too long is cancelled, and runs again after the next start."""
        if not self._running:
            return
        for task in self._running:
            task.cancel()
        tasks = [*self._in_hand.values(), *self._running]
        await asyncio.wait(tasks, timeout=LAST_CALL)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._running = []
        if self._can_run():
            # So that the time it is away now is known to the second.
            with suppress(BotError):
                await self.beat()

    async def run_due(self) -> None:
        """Run all jobs that are due, and those they schedule; for tests, in which time stands still meanwhile."""
        while await self._begin_due(self._now()):
            await asyncio.gather(*self._in_hand.values())

    async def beat(self) -> None:
        """Write a heartbeat, and note an absence if there was one."""
        async with self._beating:
            now, moved = int(self._now()), self._moved
            self._moved = False
            if self.last_beat is None or self._store.is_shared:
                self.absences = await self._store.read(queries.absences, now - REMEMBERED)
            self.absences += await self._store.write(
                queries.note_heartbeat, now, now if moved else AWAY, self._punishing, own=self._store.own
            )
            self.last_beat = now

    def away(self, guild: int) -> list[tuple[int, int]]:
        """Return when the bot was down for a server, in order."""
        return sorted((one.since, one.until) for one in self.absences if one.whose.serve(guild))

    def other_was_away(self) -> None:
        """Read absences again: another process has noted one."""
        self.last_beat = None
        self.poke()

    async def _beats(self) -> None:
        """Write heartbeats for ever, however long the jobs take."""
        while True:
            if self._can_run():
                with suppress(BotError):
                    await self.beat()
                    if self._taken:
                        await self._store.write(queries.hold_jobs, list(self._taken), int(self._now()) + HOLD)
            await asyncio.sleep(BEAT)

    async def _run(self) -> None:
        failed = count(1)
        while True:
            self._poked.clear()
            # Taken before the beat: should the clock leap after it, nothing is done that ought to wait for the next.
            now, wait = self._now(), BEAT
            try:
                if self._can_run():
                    if self.last_beat is None or self._moved or now - self.last_beat > AWAY:
                        # Whether it was away must be known before anything is done.
                        await self.beat()
                    if await self._begin_due(now):
                        continue
                    wait = await self._until_next()
                failed = count(1)
            except BotError as error:
                wait = min(BEAT, 2.0 ** next(failed))
                log_error(error, "what is due has to wait")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._poked.wait()

    async def _begin_due(self, now: float) -> bool:
        """Start the jobs that are due and do not run yet; return whether there were any."""
        found = await self._store.read(queries.due_jobs, int(now), READ + AT_ONCE, own=self._store.own)
        fresh = [due for due in found if due.id not in self._in_hand]
        if self._store.is_shared and (free := AT_ONCE - len(self._in_hand)) > 0:
            taken = await self._store.write(queries.claim_jobs, int(now), free, int(now) + HOLD, own=self._store.own)
            self._taken |= {due.id for due in taken}
            fresh += taken
        for due in fresh:
            while len(self._in_hand) >= AT_ONCE:
                await asyncio.wait(self._in_hand.values(), return_when=asyncio.FIRST_COMPLETED)
            task = track_task(self._do(due), f"due-{due.kind}-{due.match}")
            self._in_hand[due.id] = task
            task.add_done_callback(partial(self._done, due.id))
        return bool(fresh)

    def _done(self, number: int, task: asyncio.Task[None]) -> None:
        del self._in_hand[number]
        self._taken.discard(number)
        self.poke()

    async def _do(self, due: Job) -> None:
        try:
            try:
                if handler := self._handlers.get(due.kind):
                    await handler(due)
                else:
                    log.info("a job of kind %s is dropped: no feature handles it", due.kind)
            except Exception as error:
                log_error(error, f"what was due of {due.kind} in match {due.match or '-'} is tried again later")
                wait = min(FIRST_WAIT << min(due.tries, 20), LONGEST_WAIT)
                await self._store.write(queries.retry_job, due, int(self._now()) + wait)
            else:
                await self._store.write(queries.delete_job, due)
        except BotError as error:
            log_error(error, "the database does not take what was done")
            # Kept in hand meanwhile: else it would be done again at once, and again.
            await asyncio.sleep(FIRST_WAIT)

    async def _until_next(self) -> float:
        """Return the seconds until the next job is due. The end of a running one wakes the scheduler by itself."""
        next_due = await self._store.read(queries.next_job_at, own=self._store.own)
        wait = BEAT if next_due is None else next_due - self._now()
        return min(wait, BEAT) if wait > 0 else BEAT
