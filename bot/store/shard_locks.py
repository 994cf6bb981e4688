"""The locks by which processes on one PostgreSQL database know whose a shard is.

They are advisory locks of one connection, which does nothing else but listen: the server lets go of them when that
connection ends, however it does. So a shard has one owner at a time, and none is left behind by a process that is gone.

A connection that breaks takes the locks with it. From that moment the process owns nothing and must say nothing, for
another may answer for it. It asks for the locks again for a while; should another process be faster, it has to end.

The locks are known to be held as of the last question that the server answered. A process that was suspended, or whose
way to the server is silently broken, notices by the time that has passed since, and asks before it says anything; the
server gives the locks away only much later.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf
from typing import Any

import asyncpg

from bot.model.shards import NONE, Shards
from bot.runtime.errors import StoreError
from bot.runtime.tasks import awaited_task, track_task
from bot.store.postgres_trouble import RETRYABLE, TROUBLE, closed_as_trouble, reason
from bot.text import say

log = logging.getLogger("motu.store")

CLAIMING, SHARD, COUNT = 0x4D6F7477, 0x4D6F7478, 0x4D6F7479
"""Whoever claims has the first alone for a moment; each shard is one of the second kind, and every process shares the
one of the third kind that says how many shards there are: as long as one lasts nobody may count otherwise."""
CHANNEL = "motu"
"""What is told of matches that another than their owner has written: see queries.TELL_OWNER."""
LOOK = 1.0
"""Seconds between two looks whether the locks of another process are free."""
LOOK_AGAIN = 0.2
"""Seconds between two tries to regain lost locks: shorter, so that shards stay with their process if the server is away
for a moment."""
PING = 2.0
"""Seconds between two questions to the server."""
ANSWER = 5.0
"""Seconds that the server has for each answer before its connection is given up."""
LEASE = 5.0
"""Seconds for which an answer of the server is proof enough that the locks are held."""
TICK, STALL = 0.25, 1.0
"""Seconds between two looks at the clock, and from how many on the process was suspended or very busy in between: then
what the server answered before proves nothing, for the end of the connection may lie unread beside the next event."""
GIVE_UP = 45.0
"""Seconds for which lost locks are asked for before the process ends. discord.py waits a minute for a connection to the
gateway, which is not made meanwhile, and would log an error after that."""
SETTINGS = {"idle_session_timeout": "20s"}
"""When the server ends a connection on which nothing is asked: that of a process that hangs, or behind a broken way. By
then, PING + ANSWER seconds after the last answer, the process has noticed it and left the gateway."""

HELD = """
    SELECT classid, objid FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid != pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid = $1 AND objid BETWEEN $2 AND $3 OR classid = $4 AND objid != $5)
    LIMIT 1
"""
IS_WRITABLE = "SELECT current_setting('transaction_read_only') = 'off'"


class ShardLocks:
    """The locks of one process."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Any]],
        owns: Callable[[Shards], None],
        told: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connect = connect
        self._owns = owns
        """Called with what is this process's from now on."""
        self._told = told
        """Called with what another process tells."""
        self._clock = clock
        """A clock that also runs while the process is suspended."""
        self._shards = NONE
        self._connection: Any = None
        self._confirmed_at = -inf
        """When the last question was sent that the server has answered."""
        self._ticked_at = self._stalled_at = -inf
        """When the clock was last looked at, and when the process last noticed that it was suspended."""
        self._ticker: asyncio.TimerHandle | None = None
        self._question: asyncio.Future[None] | None = None
        """The question to the server that is under way, for all who wait for its answer."""
        self._gone = asyncio.Event()
        self._pinging: asyncio.Task[None] | None = None

    async def hold(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Return once all of these shards are this process's; `waits` is told once if another has them."""
        self._shards, told = shards, False
        while why := await self._take_unless_held(LOOK, inf):
            if not told:
                waits(why)
            told = True
            await asyncio.sleep(LOOK)

    async def confirm(self) -> bool:
        """Return whether the locks are held: known from a moment ago, or else asked of the server now."""
        # A question that was under way before the process was suspended proves nothing about now: then it asks again.
        while not self._gone.is_set() and not self._is_confirmed():
            await self._ask_once()
        return self._is_confirmed()

    def _is_confirmed(self) -> bool:
        self._notice_stall()
        is_recent = self._clock() - self._confirmed_at < LEASE
        return is_recent and self._confirmed_at >= self._stalled_at and not self._gone.is_set()

    def _notice_stall(self) -> None:
        now = self._clock()
        if now - self._ticked_at > STALL:
            self._stalled_at = now
        self._ticked_at = now

    def _tick(self) -> None:
        self._notice_stall()
        self._ticker = asyncio.get_running_loop().call_later(TICK, self._tick)

    async def lost(self) -> None:
        """Return when the locks are lost."""
        await self._gone.wait()

    async def regain(self) -> None:
        """Take lost locks again; StoreError if another process has them, or the server stays out of reach."""
        log.warning("the locks of shards %s are lost: nothing is said or done until they are back", self._shards)
        if await self._take_unless_held(LOOK_AGAIN, self._clock() + GIVE_UP):
            raise StoreError("shards.overtaken", shards=str(self._shards))

    async def _take_unless_held(self, look: float, end: float) -> str:
        """Take the locks and return '', or say why another has them. A server in trouble is waited for until `end`."""
        while True:
            try:
                return await self._try()
            except (*RETRYABLE, StoreError) as error:
                # StoreError: somebody moves the database, and has it for themselves.
                if self._clock() > end:
                    why = str(error) if isinstance(error, StoreError) else reason(error)
                    raise StoreError("shards.unreachable", shards=str(self._shards), why=why) from error
                await asyncio.sleep(look)

    async def close(self) -> None:
        """Let go of them."""
        if self._pinging is not None:
            self._pinging.cancel()
        if self._ticker is not None:
            self._ticker.cancel()
        if self._connection is not None and not self._connection.is_closed():
            with suppress(*TROUBLE, asyncpg.InterfaceError):
                await self._connection.close(timeout=PING)

    async def _try(self) -> str:
        connection = await self._connect()
        try:
            sent = self._clock()
            with closed_as_trouble(connection):
                if why := await self._take(connection):
                    await connection.close(timeout=PING)
                    return why
                await connection.add_listener(CHANNEL, self._hear)
        except BaseException:
            connection.terminate()
            raise
        self._gone.clear()
        self._connection = connection
        self._confirmed_at = self._ticked_at = sent
        if self._ticker is None:
            self._tick()
        self._owns(self._shards)
        connection.add_termination_listener(self._ended)
        self._pinging = track_task(self._ping(connection), "shard-locks")
        return ""

    def _ended(self, connection: Any) -> None:
        if connection is self._connection:
            self._owns(NONE)
            self._gone.set()

    async def _take(self, connection: Any) -> str:
        """All locks taken, or none, and why not."""
        shards = self._shards
        async with connection.transaction():
            if not await connection.fetchval(IS_WRITABLE):
                raise ConnectionError
            await connection.execute("SELECT pg_advisory_xact_lock($1)", CLAIMING)
            held = await connection.fetchrow(HELD, SHARD, shards.first, shards.last, COUNT, shards.count)
            if held is not None:
                kind, number = held
                return say("shards.other_count", count=number) if kind == COUNT else say("shards.taken", shard=number)
            await connection.execute("SELECT pg_advisory_lock_shared($1, $2)", COUNT, shards.count)
            for shard in shards.ids:
                await connection.execute("SELECT pg_advisory_lock($1, $2)", SHARD, shard)
        return ""

    async def _ping(self, connection: Any) -> None:
        """Ask now and then whether the server is there."""
        while not connection.is_closed():
            await self._ask_once()
            await asyncio.sleep(PING)

    async def _ask_once(self) -> None:
        if self._question is None or self._question.done():
            self._question = awaited_task(self._ask(self._connection))
        # Shielded: others may be waiting for the same answer.
        await asyncio.shield(self._question)

    async def _ask(self, connection: Any) -> None:
        """Ask the server whether it is there and still takes writes; without that answer the locks are lost."""
        sent = self._clock()
        is_writable = False
        try:
            is_writable = await connection.fetchval(IS_WRITABLE, timeout=ANSWER)
        except (*TROUBLE, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.info("the server does not answer for the locks: %s", reason(error))
        finally:
            # Also after an error that nobody has foreseen: without an answer nothing is sure.
            if is_writable:
                self._confirmed_at = sent
            else:
                connection.terminate()
                self._ended(connection)

    def _hear(self, connection: Any, pid: int, channel: str, said: str) -> None:
        self._told(said)
