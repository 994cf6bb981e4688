"""What is to happen later: kept in the database, done when its time has come, after a restart too.

Whatever is due is a row. Its handler is called, and the row is dropped when that has returned; a handler that fails is
called again later. So it may be called twice for one row, and has to see for itself what is done already.

A bot that was down does what was due, once. Its absence is noted and counts for no player: rows of the kinds that might
punish one come later by as long as it was away. It counts as away also while it cannot hear Discord, for then nobody
can play either.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count

from msgspec.structs import replace

from bot.clock import DAY
from bot.errors import BotError, log_error
from bot.matches.room import Absence, Due
from bot.store.base import Store
from bot.tasks import track_task

BEAT = 60.0
"""Seconds between two notes that the bot is there."""
AWAY = 90
"""Seconds without such a note that count as an absence."""
AT_ONCE = 8
"""Handlers that run at a time: some wait for Discord, and hold up no other."""
READ = 64
"""Rows read at a time."""
FIRST_WAIT, LONGEST_WAIT = 30, 3600
"""Seconds before a handler that failed is called again; then twice as many each time, up to so many."""
HOLD = 600
"""Seconds for which a process has in hand what any may do; kept up while it is at it. Should it die, another begins."""
LAST_CALL = 2.0
"""Seconds that handlers get to finish when the bot stops."""
REMEMBERED = 400 * DAY
"""Seconds for which absences are remembered: longer than any clock runs."""

Handler = Callable[[Due], Awaitable[None]]


class Scheduler:
    """Sleeps until the next row is due, whatever else there is in the table: what is not due costs nothing."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self.is_there: Callable[[], bool] = lambda: True
        """Whether Discord can be heard: while it cannot, nothing is done."""
        self.absences: list[Absence] = []
        """When the bot was not there, in order."""
        self._handlers: dict[str, Handler] = {}
        self._punishing: set[str] = set()
        self._poked = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []
        self._in_hand: dict[int, asyncio.Task[None]] = {}
        """The handlers that run, by the row's id."""
        self._taken: set[int] = set()
        """Those of them that another process might do as well."""
        self.last_beat: int | None = None
        """When it was last noted that the bot is there."""
        self._moved = False
        self._beating = asyncio.Lock()

    def register(self, kind: str, handler: Handler, punishes: bool = False) -> None:
        """Who is called when something of a kind is due; with `punishes` it waits as long as the bot was away."""
        if kind in self._handlers:
            raise ValueError(f"two handlers for {kind}")
        self._handlers[kind] = handler
        if punishes:
            self._punishing.add(kind)

    def poke(self) -> None:
        """Something new may be due, or sooner than before."""
        self._poked.set()

    def clock_moved(self) -> None:
        """Somebody has moved the clock forward: what lies between was no absence."""
        self._moved = True
        self.poke()

    async def set(self, *dues: Due) -> None:
        """Things to happen later; one of the same kind, match and user is moved."""
        if dues:
            await self._store.set_due(*dues)
            self.poke()

    async def postpone(self, due: Due, seconds: int) -> None:
        """What is being done is to be done later instead; it has not failed."""
        await self.set(replace(due, at=int(self._now()) + seconds))

    def start(self) -> None:
        """Begin; what was due meanwhile is done now."""
        if not self._running:
            self._running = [
                track_task(self._beats(), "heartbeat"),
                track_task(self._run(), "scheduler"),
            ]

    async def close(self) -> None:
        """Begin nothing any more; what takes too long is dropped, and done after the next start."""
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
        if self.is_there():
            # So that the time it is away now is known to the second.
            with suppress(BotError):
                await self.beat()

    async def run_due(self) -> None:
        """All done that is due by now, and what comes of it; for tests, in which time stands still meanwhile."""
        while await self._begin_due(self._now()):
            await asyncio.gather(*self._in_hand.values())

    async def beat(self) -> None:
        """Note that the bot is there, and whether it was not."""
        async with self._beating:
            now, moved = int(self._now()), self._moved
            self._moved = False
            if self.last_beat is None or self._store.is_shared:
                self.absences = await self._store.absences(now - REMEMBERED)
            self.absences += await self._store.beat(now, now if moved else AWAY, self._punishing)
            self.last_beat = now

    def away(self, guild: int) -> list[tuple[int, int]]:
        """When the bot was not there for a server, in order."""
        return [(one.since, one.until) for one in self.absences if one.whose.serve(guild)]

    def other_was_away(self) -> None:
        """Another process was away, and has noted it: it is read again at once."""
        self.last_beat = None
        self.poke()

    async def _beats(self) -> None:
        """Beat for ever, however long what is due takes."""
        while True:
            if self.is_there():
                with suppress(BotError):
                    await self.beat()
                    if self._taken:
                        await self._store.keep_due(list(self._taken), int(self._now()) + HOLD)
            await asyncio.sleep(BEAT)

    async def _run(self) -> None:
        failed = count(1)
        while True:
            self._poked.clear()
            # Taken before the beat: should the clock leap after it, nothing is done that ought to wait for the next.
            now, wait = self._now(), BEAT
            try:
                if self.is_there():
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
        """Begin with what is due by now and not in hand yet; whether there was any."""
        found = await self._store.due_by(int(now), READ + AT_ONCE)
        fresh = [due for due in found if due.id not in self._in_hand]
        if self._store.is_shared and (free := AT_ONCE - len(self._in_hand)) > 0:
            taken = await self._store.take_due(int(now), free, int(now) + HOLD)
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

    async def _do(self, due: Due) -> None:
        try:
            try:
                await self._handlers[due.kind](due)
            except Exception as error:
                log_error(error, f"what was due of {due.kind} in match {due.match or '-'} is tried again later")
                wait = min(FIRST_WAIT << min(due.tries, 20), LONGEST_WAIT)
                await self._store.due_failed(due, int(self._now()) + wait)
            else:
                await self._store.due_done(due)
        except BotError as error:
            log_error(error, "the database does not take what was done")
            # Kept in hand meanwhile: else it would be done again at once, and again.
            await asyncio.sleep(FIRST_WAIT)

    async def _until_next(self) -> float:
        """Seconds until the next row is due. For those in hand the end of their handler wakes the scheduler."""
        next_due = await self._store.next_due()
        wait = BEAT if next_due is None else next_due - self._now()
        return min(wait, BEAT) if wait > 0 else BEAT
