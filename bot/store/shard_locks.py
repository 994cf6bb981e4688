"""The locks by which processes on one PostgreSQL database know whose a shard is.

They are advisory locks of one connection, which does nothing else but listen: the server lets go of them when that
connection ends, however it does. So a shard has one owner at a time, and none is left behind by a process that is gone.

A connection that breaks takes the locks with it. From that moment the process owns nothing, and does no work that
another may have taken up; if it gets the locks again it goes on, and if another was faster it waits in line anew.
A way to the server that is silently broken is noticed by both ends, and by the process first; and a process that hangs
loses its locks as well.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import asyncpg

from bot.errors import StoreError
from bot.shards import NONE, Shards
from bot.tasks import track_task
from bot.text import say

log = logging.getLogger("motu.store")

CLAIMING, SHARD, COUNT = 0x4D6F7477, 0x4D6F7478, 0x4D6F7479
"""Whoever claims has the first alone for a moment; each shard is one of the second kind, and every process shares the
one of the third kind that says how many shards there are: as long as one lasts nobody may count otherwise."""
CHANNEL = "motu"
"""What is told of matches that another than their owner has written: see queries.TELL_OWNER."""
LOOK = 1.0
"""Seconds between two looks whether the locks of another process are free."""
PING, ANSWER = 4.0, 10.0
"""Seconds between two questions to the server, and for each answer."""
SETTINGS = {"idle_session_timeout": "20s"}
"""When the server ends a connection on which nothing is asked: of a process that hangs, or behind a way that is broken;
there well after the process has noticed it."""

HELD = """
    SELECT classid, objid FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND pid != pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid = $1 AND objid BETWEEN $2 AND $3 OR classid = $4 AND objid != $5)
    LIMIT 1
"""
TROUBLE = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
IS_WRITABLE = "SELECT current_setting('transaction_read_only') = 'off'"


class ShardLocks:
    """The locks of one process."""

    def __init__(
        self, connect: Callable[[], Awaitable[Any]], owns: Callable[[Shards], None], told: Callable[[str], None]
    ) -> None:
        self._connect = connect
        self._owns = owns
        """Called with what is this process's from now on."""
        self._told = told
        """Called with what another process tells."""
        self._shards = NONE
        self._connection: Any = None
        self._gone = asyncio.Event()
        self._pinging: asyncio.Task[None] | None = None

    async def hold(self, shards: Shards, waits: Callable[[str], None]) -> None:
        """Returns once all of these shards are this process's; `waits` is told once if another has them."""
        self._shards, told = shards, False
        while why := await self._taken_by_others():
            if not told:
                waits(why)
            told = True
            await asyncio.sleep(LOOK)

    async def regained(self) -> bool:
        """Returns when they were lost: whether they are this process's again, or else another's."""
        await self._gone.wait()
        log.warning("the locks of shards %s are lost: nothing is done for them until they are back", self._shards)
        return not await self._taken_by_others()

    async def _taken_by_others(self) -> str:
        """Take the locks; '' if they are held now, or why not. While the server is away it is waited for."""
        while True:
            try:
                return await self._try()
            except (*TROUBLE, StoreError):
                # Also while somebody moves the database, and has it for themselves.
                await asyncio.sleep(LOOK)

    async def close(self) -> None:
        """Let go of them."""
        if self._pinging is not None:
            self._pinging.cancel()
        if self._connection is not None and not self._connection.is_closed():
            with suppress(*TROUBLE):
                await self._connection.close(timeout=PING)

    async def _try(self) -> str:
        connection = await self._connect()
        try:
            if why := await self._take(connection):
                await connection.close(timeout=PING)
                return why
            await connection.add_listener(CHANNEL, self._hear)
        except BaseException:
            connection.terminate()
            raise
        self._gone.clear()
        self._connection = connection
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
        """Ask now and then whether the server is there, and still the one to write to."""
        try:
            while await connection.fetchval(IS_WRITABLE, timeout=ANSWER):  # noqa: ASYNC110
                await asyncio.sleep(PING)
        except TROUBLE:
            pass
        connection.terminate()
        self._ended(connection)

    def _hear(self, connection: Any, pid: int, channel: str, said: str) -> None:
        self._told(said)
