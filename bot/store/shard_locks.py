"""The locks by which processes on one PostgreSQL database know whose a shard is.

They are advisory locks of one connection, which does nothing else but listen: the server lets go of
them when that connection ends, however it does. So a shard has one owner at a time, and none is
left behind by a process that is gone.

A connection that breaks takes the locks with it. From that moment the process owns nothing and must
say nothing, for another may answer for it. It asks for the locks again for a while; should another
process be faster, it has to end.

A thread asks the server several times a second whether it is there. The locks are known to be held
for a moment after each question that was answered. A process that was suspended, or whose way to
the server is silently broken, notices by the time that has passed since, and waits for the next
answer before it says anything; the server gives the locks away only much later.
"""

import asyncio
import logging
import time
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from math import inf

import psycopg

from bot.model import ABSENCE, NO_SHARDS, Shards
from bot.runtime.base import StoreError
from bot.store.base import Store
from bot.store.postgres_connection import IS_WRITABLE, Connection, reason
from bot.store.sql import Statement, first_value
from bot.text import say

log = logging.getLogger("motu.store")

CLAIMING, SHARD, COUNT = 0x4D6F7477, 0x4D6F7478, 0x4D6F7479
"""Advisory locks: the first is held for a moment while claiming; each shard has one of the second
kind; all processes share the one of the third kind for their number of shards, so that nobody can
run with another number.
"""
CLAIM_INTERVAL = 1.0
"""Seconds between two looks whether the locks of another process are free."""
REGAIN_INTERVAL = 0.2
"""Seconds between two tries to regain lost locks: shorter, so that shards stay with their process
if the server is away for a moment.
"""
PING_INTERVAL = 0.25
"""Seconds between an answer of the server and the next question."""
LEASE = 1.0
"""Seconds for which an answer of the server is proof enough that the locks are held."""
CONFIRM_INTERVAL = 0.02
"""Seconds between two looks whether the server has answered."""
REGAIN_TIMEOUT = 45.0
"""Seconds for which lost locks are asked for before the process ends. discord.py waits a minute for
a connection to the gateway, which is not made meanwhile, and would log an error after that.
"""
IDLE_TIMEOUT = "20s"
"""When the server ends a connection on which nothing is asked: that of a process that hangs, or
behind a broken way. By then the process has noticed it and left the gateway.
"""

CLAIM_ALONE = f"SELECT pg_advisory_xact_lock({CLAIMING})"
SHARE_COUNT = Statement(f"SELECT pg_advisory_lock_shared({COUNT}, CAST({{count}} AS int))")
LOCK_SHARD = Statement(f"SELECT pg_advisory_lock({SHARD}, CAST({{shard}} AS int))")
HELD_BY_OTHERS = Statement(f"""
    SELECT CAST(classid AS bigint), CAST(objid AS bigint) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid != pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (
            classid = {SHARD} AND CAST(objid AS bigint) BETWEEN {{first}} AND {{last}}
            OR classid = {COUNT} AND CAST(objid AS bigint) != {{count}}
        )
    LIMIT 1
""")


class SharedStore(Store):
    """A store on which several processes work, each for the shards that it has locked."""

    is_shared = True

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._clock: Callable[[], float] = time.monotonic
        """A clock that also runs while the process is suspended."""
        self._shards = NO_SHARDS
        """The shards that were claimed, also while they are lost."""
        self._confirmed_at = -inf
        """When the last question was sent that the server has answered."""
        self._lock_thread = ThreadPoolExecutor(1, "shard-locks")
        self._watching: Future[None] | None = None
        """Done when the locks are lost."""
        self._is_releasing = False

    @abstractmethod
    def connect(self) -> Connection:
        """Make one more connection, which shows that the database is in use."""

    async def claim(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        await self._release()
        self._is_releasing = False
        self.own = NO_SHARDS
        self._shards = shards
        told = ""
        while why := await self._lock(CLAIM_INTERVAL, inf):
            if not told:
                on_wait(why)
            told = why
            await asyncio.sleep(CLAIM_INTERVAL)

    async def confirm_claim(self) -> bool:
        while self._shards != NO_SHARDS and self._clock() - self._confirmed_at > LEASE:
            if self._watching is not None and self._watching.done():
                return False
            await asyncio.sleep(CONFIRM_INTERVAL)
        return True

    async def wait_until_claim_lost(self) -> None:
        assert self._watching is not None
        await asyncio.wait([asyncio.wrap_future(self._watching)])

    async def regain_claim(self) -> None:
        log.warning(
            "the locks of shards %s are lost: nothing is said or done until they are back",
            self._shards,
        )
        if await self._lock(REGAIN_INTERVAL, self._clock() + REGAIN_TIMEOUT):
            raise StoreError("shards.overtaken", shards=str(self._shards))

    async def close(self) -> None:
        await self._release()
        self._lock_thread.shutdown(wait=False)

    async def _release(self) -> None:
        self._is_releasing = True
        if self._watching is not None:
            await asyncio.wait([asyncio.wrap_future(self._watching)])

    async def _lock(self, interval: float, end: float) -> str:
        """Take the locks and return '', or say why another has them.

        A server in trouble is waited for until `end`.
        """
        while True:
            try:
                return await asyncio.to_thread(self._try_to_lock)
            except (psycopg.Error, StoreError) as error:
                # StoreError: somebody moves the database, and has it for themselves.
                if self._clock() > end:
                    why = str(error) if isinstance(error, StoreError) else reason(error)
                    raise StoreError(
                        "shards.unreachable", shards=str(self._shards), why=why
                    ) from error
                await asyncio.sleep(interval)

    def _try_to_lock(self) -> str:
        with ExitStack() as undo:
            connection = undo.enter_context(closing(self.connect()))
            asked_at = self._clock()
            why = self._lock_all(connection)
            if not why and not self._is_releasing:
                undo.pop_all()
                self._confirmed_at = asked_at
                self.own = self._shards
                self._watching = self._lock_thread.submit(self._watch, connection)
        return why

    def _lock_all(self, connection: Connection) -> str:
        """Take all locks, or none and say why not."""
        shards = self._shards
        connection.execute(f"SET idle_session_timeout = '{IDLE_TIMEOUT}'")
        with connection.transaction():
            if not first_value(connection.execute(IS_WRITABLE)):
                raise psycopg.errors.ReadOnlySqlTransaction
            connection.execute(CLAIM_ALONE)
            wanted = {"first": shards.first, "last": shards.last, "count": shards.count}
            if held := connection.execute(HELD_BY_OTHERS, wanted).fetchone():
                kind, number = held
                key = "shards.other_count" if kind == COUNT else "shards.taken"
                return say(key, number=number)
            connection.execute(SHARE_COUNT, wanted)
            connection.executemany(LOCK_SHARD, [{"shard": shard} for shard in shards.ids])
        connection.execute("LISTEN motu")
        return ""

    def _watch(self, connection: Connection) -> None:
        """Listen to others, and ask the server again and again whether it is there and takes
        writes.
        """
        try:
            while not self._is_releasing:
                asked_at = self._clock()
                if not first_value(connection.execute(IS_WRITABLE)):
                    break
                self._confirmed_at = asked_at
                for notice in connection.notifies(timeout=PING_INTERVAL):
                    self._loop.call_soon_threadsafe(self._on_notification, notice.payload)
        except psycopg.Error as error:
            log.info("the server does not answer for the locks: %s", reason(error))
        finally:
            # Also after an error that nobody has foreseen: without an answer nothing is sure.
            connection.close()
            self._confirmed_at = -inf
            self.own = NO_SHARDS

    def _on_notification(self, payload: str) -> None:
        """Pass on what another process tells: the server and id of a match it wrote, or a
        broadcast.
        """
        if payload == ABSENCE:
            self._listener(payload)
            return
        guild, _, match = payload.partition(" ")
        if self.own.serve(int(guild)):
            self._listener(match)
