"""The claim of this process to its shards.

Where several processes share a database, a shard is served by the process that holds its lock (see
bot/model.py). A process that is cut off from the database may lose its locks to another,
and two processes must never answer the same people. So it leaves the gateway at once, says nothing
until the locks are back, and ends if they cannot be had.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import discord

from bot.model import Shards
from bot.runtime.base import NotServing, RunningTasks, StoreError, log_error
from bot.store.base import Store
from bot.text import say

log = logging.getLogger("motu")

RESUMABLE_CLOSE_CODE = 4000
"""Unlike 1000 and 1001, this code leaves a session with the gateway resumable."""
CLOSE_TIMEOUT = 3.0
"""Seconds for Discord to confirm that sessions are closed."""


class ShardClaim:
    """Claims shards, and keeps the client out of the gateway whenever they may be somebody
    else's.
    """

    def __init__(
        self, client: discord.AutoShardedClient, store: Store, on_regained: Callable[[], None]
    ) -> None:
        self._client = client
        self._store = store
        self._on_regained = on_regained
        self.tasks = RunningTasks()
        """Watch over the claim, until they are cancelled."""
        self._may_connect = asyncio.Event()
        """Set unless the shards are lost: sessions with the gateway are opened only then."""
        self._may_connect.set()
        self.left_gateway = asyncio.Event()
        """Set while no session with the gateway is open, so that no event can arrive."""
        self.left_gateway.set()
        self.is_waiting = False
        """Whether another process still serves the shards."""
        self.failed = asyncio.Event()
        """Set when lost shards cannot be had back, for `failure`: the process has to end."""
        self.failure = ""

    async def take(self, shards: Shards) -> None:
        """Claim shards once no other process serves any of them, and watch over the claim."""
        self.is_waiting = True
        await self._store.claim(shards, lambda why: log.info("%s", say("program.waiting", why=why)))
        self.is_waiting = False
        self.left_gateway.clear()
        self.tasks.start(self._keep(), "keep-shards")

    async def confirm(self) -> bool:
        """Return whether the shards are surely this process's."""
        return await self._store.confirm_claim()

    async def wait_to_connect(self) -> None:
        """Wait until a session may be opened; raise NotServing if the client is closed by then."""
        await self._may_connect.wait()
        if self._client.is_closed():
            raise NotServing

    def on_session_opened(self) -> None:
        """Leave the gateway once more if the shards were lost while a session was being opened."""
        if not self._may_connect.is_set():
            self.tasks.start(self._leave_gateway(), "leave-gateway")

    def wake_waiting(self) -> None:
        """Let shards that wait to open a session find out that the client is closed."""
        self._may_connect.set()

    async def _keep(self) -> None:
        """Leave the gateway when the shards are lost, return when they are back, or give up."""
        try:
            while True:
                await self._store.wait_until_claim_lost()
                await self._leave_gateway()
                await self._store.regain_claim()
                log.info("the locks of the shards are back")
                self.left_gateway.clear()
                self._may_connect.set()
                self._on_regained()
        except StoreError as error:
            self.failure = str(error)
        except Exception as error:
            # Whatever it is, nothing may be done without the shards.
            self.failure = say("shards.failed", id=log_error(error))
        self.failed.set()

    async def _leave_gateway(self) -> None:
        """Close every session so that it can be resumed, and open none for now.

        From here on no event is read: Discord sends them to whichever process has the shards next.
        """
        self._may_connect.clear()
        sockets = [self._client._get_websocket(shard_id=shard) for shard in self._client.shards]
        closing = (socket.close(code=RESUMABLE_CLOSE_CODE) for socket in sockets)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.gather(*closing, return_exceptions=True)
        self.left_gateway.set()
