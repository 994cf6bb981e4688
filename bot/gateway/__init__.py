"""The connection to Discord: requests, commands, and the claim to this process's shards.

Where several processes share a database, a shard is served by the process that holds its lock (see
bot/model). A process that is cut off from the database may lose its locks to another, and two
processes must never answer the same people. So it leaves the gateway at once, says nothing until
the locks are back, and ends if they cannot be had.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.http import HTTPClient, Route
from discord.utils import MISSING

from bot.model import Shards
from bot.runtime.base import NotServing, Refused, StoreError, log_error
from bot.text import say
from bot.ui import Bucket, MotuClient, MotuInteraction, backoff, error_codes, reply
from bot.ui.reply import Acknowledgement, admit

log = logging.getLogger("motu")

INTENTS = discord.Intents(guilds=True)
"""The events the bot listens to; none of them has to be granted by Discord."""
RESUMABLE_CLOSE_CODE = 4000
"""Unlike 1000 and 1001, this code leaves a session with the gateway resumable."""
CLOSE_TIMEOUT = 3.0
"""Seconds for Discord to confirm that sessions are closed."""
REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=15)
"""Seconds that a request may take: discord.py would hold up a match's board for five minutes."""
FIRST_RETRY_SECONDS = 1.0
MAX_RETRY_SECONDS = 60.0
"""The delay before a failed attempt is repeated doubles each time, up to the maximum."""


async def retry_while_unreachable(
    attempt: Callable[[], Awaitable[None]], may_retry: Callable[[], bool]
) -> None:
    """Repeat an attempt until it succeeds or fails for good, however long Discord is in trouble."""
    for tries in count():
        try:
            await attempt()
            return
        except Exception as error:
            if not may_retry() or not is_transient(error):
                raise
            wait = backoff(tries, FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
            why = f"{type(error).__name__} {getattr(error, 'status', '')}".strip()
            log.warning("Discord cannot be reached (%s): trying again in %.0f s", why, wait)
        await asyncio.sleep(wait)


def is_transient(error: Exception) -> bool:
    """Whether a failed start may succeed later: only Discord's own codes say that it cannot."""
    if isinstance(error, discord.HTTPException):
        return error_codes.is_passing(error) or not error.code
    # discord.py raises the last three when an answer makes no sense, such as the error page of a
    # proxy in front of Discord.
    return isinstance(error, (*reply.UNREACHABLE, TypeError, KeyError, ValueError))


class ShardClaim:
    """Claims shards, and keeps the client out of the gateway while they may be another's."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self.store = client.kernel.store
        self.may_connect = asyncio.Event()
        """Set unless the shards are lost: sessions with the gateway are opened only then."""
        self.may_connect.set()
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
        await self.store.claim(shards, lambda why: log.info("%s", say("program.waiting", why=why)))
        self.is_waiting = False
        self.left_gateway.clear()
        self._client.background.start(self._keep(), "keep-shards")

    async def wait_to_connect(self) -> None:
        """Wait until a session may be opened; raise NotServing if the client is closed by then."""
        await self.may_connect.wait()
        if self._client.is_closed():
            raise NotServing

    def on_session_opened(self) -> None:
        """Leave the gateway once more if the shards were lost while a session was being opened."""
        if not self.may_connect.is_set():
            self._client.background.start(self._leave_gateway(), "leave-gateway")

    async def _keep(self) -> None:
        """Leave the gateway when the shards are lost, return when they are back, or give up."""
        try:
            while True:
                await self.store.wait_until_claim_lost()
                await self._leave_gateway()
                await self.store.regain_claim()
                log.info("the locks of the shards are back")
                self.left_gateway.clear()
                self.may_connect.set()
                self._client.dispatch("shards_regained")
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
        self.may_connect.clear()
        sockets = [self._client._get_websocket(shard_id=shard) for shard in self._client.shards]
        closing = (socket.close(code=RESUMABLE_CLOSE_CODE) for socket in sockets)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.gather(*closing, return_exceptions=True)
        self.left_gateway.set()


class MotuHTTPClient(HTTPClient):
    """discord.py's HTTP client, which sends only as much, and only when, this process may."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, claim: ShardClaim, budget: Bucket | None
    ) -> None:
        # Responses to interactions and the gateway's websockets do not pass `request`, but they
        # share its aiohttp session, which calls this trace before anything is sent.
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._before_sending)
        super().__init__(loop, http_trace=trace)
        self._claim = claim
        self.budget = budget
        """Limits the requests of all processes together; None where Discord takes any number."""

    async def static_login(self, token: str) -> Any:
        """Log in with a new session, closing the one that an earlier attempt has left open."""
        await self.close()
        self.connector = MISSING
        return await super().static_login(token)

    async def request(self, route: Route, **options: Any) -> Any:
        """Send a request once the budget allows it."""
        # Discord does not count responses to interactions.
        is_counted = not route.path.startswith(("/interactions/", "/webhooks/"))
        if self.budget is not None and is_counted:
            await self.budget.take()
        return await super().request(route, timeout=REQUEST_TIMEOUT, **options)

    async def _before_sending(
        self, session: Any, context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Hold a request back until the shards are surely this process's, or raise NotServing.

        An interaction that this process has acknowledged is still answered, since no other process
        may do that, but only once the gateway is left.
        """
        if request.url.scheme in ("ws", "wss"):
            await self._claim.wait_to_connect()
        elif not await self._claim.store.confirm_claim():
            await self._claim.left_gateway.wait()
            if "/webhooks/" not in request.url.path:
                raise NotServing


class MotuTree(app_commands.CommandTree[Any]):
    """The commands: each is admitted before it runs, and its errors become a private answer."""

    async def interaction_check(self, interaction: MotuInteraction, /) -> bool:
        """Return whether a command or completion is admitted."""
        if interaction.type is discord.InteractionType.autocomplete:
            return await admit(interaction, "")
        name = ""
        how = Acknowledgement.AT_ONCE
        # A command that this version does not know has neither a name nor extras.
        if command := interaction.command:
            name = f"/{command.qualified_name}"
            how = command.extras.get(reply.DECLARED, how)
        return await admit(interaction, name, how)

    async def on_error(
        self, interaction: MotuInteraction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a failed command privately."""
        if interaction.type is discord.InteractionType.autocomplete:
            # The command being typed belongs to an older version.
            log.info("a completion could not be made (%s)", type(error).__name__)
            return
        match error:
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await reply.report(interaction, Refused("refusal.old_command"))
            case app_commands.TransformerError():
                await reply.report(interaction, Refused("refusal.bad_option"))
            case _:
                await reply.report(interaction, error)
