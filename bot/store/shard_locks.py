"""Locks by which the processes on one PostgreSQL database share the shards among them.

These are advisory locks of one connection, which otherwise only listens for notifications. The
server releases them when that connection ends, for whatever reason. So a shard has one owner at a
time, and a process that has died owns none.

If the connection breaks, the locks are lost. From that moment the process owns nothing and must not
respond to any user, since another process may do so. It tries to get the locks back for a while; if
another process is faster, it has to exit.

A thread pings the server several times a second. For a moment after each answer the locks are
certain to be held. A process that was suspended, or whose network is silently broken, notices that
too much time has passed, and waits for the next answer before it responds to anybody. The server
gives the locks away only much later.
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
"""Kinds of advisory locks.

CLAIMING is held for a moment during a claim. Each shard has a SHARD. All processes share the COUNT
of their number of shards, so that none can run with another number.
"""
CLAIM_INTERVAL = 1.0
"""Seconds between two attempts to get the locks of another process."""
REGAIN_INTERVAL = 0.2
"""Seconds between two attempts to regain lost locks.

Shorter than the other, so that shards stay with their process if the server is away for a moment.
"""
PING_INTERVAL = 0.25
"""Seconds between the server's answer and the next ping."""
LEASE = 1.0
"""Seconds for which an answer of the server proves that the locks are held."""
CONFIRM_INTERVAL = 0.02
"""Seconds between two checks whether the server has answered."""
REGAIN_TIMEOUT = 45.0
"""Seconds after which a process that cannot regain its locks ends.

discord.py waits a minute for a connection to the gateway, which is not made meanwhile, and would
log an error after that.
"""
IDLE_TIMEOUT = "20s"
"""When the server ends an idle connection, as of a process that hangs or has lost its network.

By then the process has noticed that itself and left the gateway.
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
        """The shards that were claimed, even while they are lost."""
        self._confirmed_at = -inf
        """When the last ping was sent that the server has answered."""
        self._lock_thread = ThreadPoolExecutor(1, "shard-locks")
        self._watching: Future[None] | None = None
        """Done when the locks are lost."""
        self._is_releasing = False

    @abstractmethod
    def connect(self) -> Connection:
        """Make another connection, which shows that the database is in use."""

    async def claim(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        await self._release()
        self._is_releasing = False
        self.own = NO_SHARDS
        self._shards = shards
        has_waited = False
        while why := await self._lock(CLAIM_INTERVAL, inf):
            if not has_waited:
                on_wait(why)
            has_waited = True
            await asyncio.sleep(CLAIM_INTERVAL)

    async def confirm_claim(self) -> bool:
        # Right after a ping this returns at once. After the process was suspended, the last answer
        # is too old: only the next one shows whether the locks are still held.
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
            "lost the locks of shards %s, pausing until they are back",
            self._shards,
        )
        if await self._lock(REGAIN_INTERVAL, self._clock() + REGAIN_TIMEOUT):
            raise StoreError("shards.overtaken", shards=str(self._shards))

    async def close(self) -> None:
        await self._release()
        self._lock_thread.shutdown(wait=False)

    async def _release(self) -> None:
        """Release the locks by ending their connection."""
        self._is_releasing = True
        if self._watching is not None:
            await asyncio.wait([asyncio.wrap_future(self._watching)])

    async def _lock(self, interval: float, end: float) -> str:
        """Take the locks and return '', or return why another process has them.

        A server that cannot be reached is waited for until `end`.
        """
        while True:
            try:
                return await asyncio.to_thread(self._try_to_lock)
            except (psycopg.Error, StoreError) as error:
                # A StoreError means that `motu move` is using the database exclusively.
                if self._clock() > end:
                    why = str(error) if isinstance(error, StoreError) else reason(error)
                    raise StoreError(
                        "shards.unreachable", shards=str(self._shards), why=why
                    ) from error
                await asyncio.sleep(interval)

    def _try_to_lock(self) -> str:
        """Make a connection, take the locks with it and watch it; return why not if it cannot."""
        with ExitStack() as undo:
            connection = undo.enter_context(closing(self.connect()))
            # Count the lease from before the request: the answer may have been under way for long.
            asked_at = self._clock()
            why = self._lock_all(connection)
            if not why and not self._is_releasing:
                undo.pop_all()
                self._confirmed_at = asked_at
                self.own = self._shards
                self._watching = self._lock_thread.submit(self._watch, connection)
        return why

    def _lock_all(self, connection: Connection) -> str:
        """Take all locks and return '', or take none and return why."""
        shards = self._shards
        connection.execute(f"SET idle_session_timeout = '{IDLE_TIMEOUT}'")
        with connection.transaction():
            if not first_value(connection.execute(IS_WRITABLE)):
                raise psycopg.errors.ReadOnlySqlTransaction
            # Claims run one after another, so between the check and the locks nobody else can take
            # one of them: it is all or nothing, without waiting.
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
        """Ping the server and pass on notifications until the connection is lost or released."""
        try:
            while not self._is_releasing:
                asked_at = self._clock()
                # A server that has become read-only is a replica now; the locks count on the new
                # primary, where another process may hold them.
                if not first_value(connection.execute(IS_WRITABLE)):
                    break
                self._confirmed_at = asked_at
                for notice in connection.notifies(timeout=PING_INTERVAL):
                    self._loop.call_soon_threadsafe(self._on_notification, notice.payload)
        except psycopg.Error as error:
            log.info("the database server doesn't answer for the shard locks: %s", reason(error))
        finally:
            # After unexpected errors, too: without answers the locks are not certain.
            connection.close()
            self._confirmed_at = -inf
            self.own = NO_SHARDS

    def _on_notification(self, payload: str) -> None:
        """Pass on a notification: the server and id of a match, or a broadcast."""
        if payload == ABSENCE:
            self._listener(payload)
            return
        guild, _, match = payload.partition(" ")
        if self.own.serve(int(guild)):
            self._listener(match)
