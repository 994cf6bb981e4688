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
from collections.abc import Callable
from math import inf
from threading import Thread

import psycopg

from bot.model.shards import NONE, Shards
from bot.runtime.errors import StoreError
from bot.store.postgres_connection import Connection, reason
from bot.store.sql import Statement
from bot.text import say

log = logging.getLogger("motu.store")

CLAIMING, SHARD, COUNT = 0x4D6F7477, 0x4D6F7478, 0x4D6F7479
"""Whoever claims has the first alone for a moment; each shard is one of the second kind, and every
process shares the one of the third kind that says how many shards there are: as long as one lasts
nobody may count otherwise.
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
REGAIN_TIMEOUT = 45.0
"""Seconds for which lost locks are asked for before the process ends. discord.py waits a minute for
a connection to the gateway, which is not made meanwhile, and would log an error after that.
"""
SETTINGS = {"idle_session_timeout": "20s"}
"""When the server ends a connection on which nothing is asked: that of a process that hangs, or
behind a broken way. By then the process has noticed it and left the gateway.
"""

CLAIM_ALONE = Statement("SELECT pg_advisory_xact_lock({kind})")
SHARE_COUNT = Statement("SELECT pg_advisory_lock_shared(CAST({kind} AS int), CAST({count} AS int))")
LOCK_SHARD = Statement("SELECT pg_advisory_lock(CAST({kind} AS int), CAST({shard} AS int))")
HELD_BY_OTHERS = Statement("""
    SELECT CAST(classid AS bigint), CAST(objid AS bigint) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid != pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (CAST(classid AS bigint) = {shard_kind} AND CAST(objid AS bigint) BETWEEN {first} AND {last}
            OR CAST(classid AS bigint) = {count_kind} AND CAST(objid AS bigint) != {count})
    LIMIT 1
""")
IS_WRITABLE = "SELECT current_setting('transaction_read_only') = 'off'"
LISTEN = "LISTEN motu"


class ShardLocks:
    """The locks of one process."""

    def __init__(
        self,
        connect: Callable[..., Connection],
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
        self._loop = asyncio.get_running_loop()
        self._shards = NONE
        self._answered = asyncio.Event()
        """Set and cleared with every answer of the server."""
        self._confirmed_at = -inf
        """When the last question was sent that the server has answered."""
        self._gone = asyncio.Event()
        self._is_closing = False
        self._watcher: Thread | None = None

    async def hold(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        """Return once all of these shards are this process's; `on_wait` is called once if
        another has them.
        """
        self._shards = shards
        has_told = False
        while why := await self._take_unless_held(CLAIM_INTERVAL, inf):
            if not has_told:
                on_wait(why)
                has_told = True
            await asyncio.sleep(CLAIM_INTERVAL)

    async def confirm(self) -> bool:
        """Return whether the locks are held: known from a moment ago, or else by the server's
        next answer.
        """
        while not self._gone.is_set() and self._clock() - self._confirmed_at > LEASE:
            await self._answered.wait()
        return not self._gone.is_set()

    async def lost(self) -> None:
        """Return when the locks are lost."""
        await self._gone.wait()

    async def regain(self) -> None:
        """Take lost locks again; StoreError if another process has them, or the server stays out
        of reach.
        """
        log.warning(
            "the locks of shards %s are lost: nothing is said or done until they are back",
            self._shards,
        )
        if await self._take_unless_held(REGAIN_INTERVAL, self._clock() + REGAIN_TIMEOUT):
            raise StoreError("shards.overtaken", shards=str(self._shards))

    async def close(self) -> None:
        """Let go of them."""
        self._is_closing = True
        if self._watcher is not None:
            await asyncio.to_thread(self._watcher.join)

    async def _take_unless_held(self, interval: float, end: float) -> str:
        """Take the locks and return '', or say why another has them.

        A server in trouble is waited for until `end`.
        """
        while True:
            try:
                return await asyncio.to_thread(self._try)
            except (psycopg.Error, StoreError) as error:
                # StoreError: somebody moves the database, and has it for themselves.
                if self._clock() > end:
                    why = str(error) if isinstance(error, StoreError) else reason(error)
                    raise StoreError(
                        "shards.unreachable", shards=str(self._shards), why=why
                    ) from error
                await asyncio.sleep(interval)

    def _try(self) -> str:
        connection = self._connect(**SETTINGS)
        try:
            asked_at = self._clock()
            why = self._take(connection)
        except BaseException:
            connection.close()
            raise
        if why or self._is_closing:
            connection.close()
            return why
        self._loop.call_soon_threadsafe(self._gone.clear)
        self._confirmed_at = asked_at
        self._owns(self._shards)
        self._watcher = Thread(target=self._watch, args=(connection,), name="shard-locks")
        self._watcher.start()
        return ""

    def _take(self, connection: Connection) -> str:
        """Take all locks, or none and say why not."""
        shards = self._shards
        with connection.transaction():
            if connection.execute(IS_WRITABLE).fetchone() != (True,):
                raise psycopg.errors.ReadOnlySqlTransaction
            connection.execute(CLAIM_ALONE, {"kind": CLAIMING})
            wanted = {"first": shards.first, "last": shards.last, "count": shards.count}
            kinds = {"shard_kind": SHARD, "count_kind": COUNT}
            held = connection.execute(HELD_BY_OTHERS, wanted | kinds).fetchone()
            if held is not None:
                kind, number = held
                return (
                    say("shards.other_count", count=number)
                    if kind == COUNT
                    else say("shards.taken", shard=number)
                )
            connection.execute(SHARE_COUNT, {"kind": COUNT, "count": shards.count})
            connection.executemany(
                LOCK_SHARD, [{"kind": SHARD, "shard": shard} for shard in shards.ids]
            )
        connection.execute(LISTEN)
        return ""

    def _watch(self, connection: Connection) -> None:
        """Listen to others, and ask the server again and again whether it is there and takes
        writes.
        """
        try:
            while not self._is_closing:
                asked_at = self._clock()
                if connection.execute(IS_WRITABLE).fetchone() != (True,):
                    break
                self._confirmed_at = asked_at
                self._loop.call_soon_threadsafe(self._on_answer)
                for notice in connection.notifies(timeout=PING_INTERVAL):
                    self._loop.call_soon_threadsafe(self._told, notice.payload)
        except psycopg.Error as error:
            log.info("the server does not answer for the locks: %s", reason(error))
        finally:
            # Also after an error that nobody has foreseen: without an answer nothing is sure.
            connection.close()
            self._confirmed_at = -inf
            self._owns(NONE)
            self._loop.call_soon_threadsafe(self._on_lost)

    def _on_answer(self) -> None:
        self._answered.set()
        self._answered.clear()

    def _on_lost(self) -> None:
        self._gone.set()
        self._on_answer()
