"""The connection to Discord: HTTP requests, the command tree, and this process's claim on shards.

If several processes share a database, each shard is served by the process that holds its lock (see
bot/model). A process that loses contact with the database may lose its locks to another process,
and two processes must never serve the same shard. So it closes its gateway sessions at once, sends
nothing until it has the locks again, and exits if it cannot get them back.
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
"""The events that the bot listens to. None of them is privileged."""
RESUMABLE_CLOSE_CODE = 4000
"""Unlike 1000 and 1001, this close code leaves a gateway session resumable."""
CLOSE_TIMEOUT = 3.0
"""How many seconds Discord has to confirm that sessions are closed."""
REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=15)
"""How many seconds a request may take; with discord.py's default, a hang takes five minutes."""
FIRST_RETRY_SECONDS = 1.0
MAX_RETRY_SECONDS = 60.0
"""The delay before a failed attempt is repeated doubles each time, up to the maximum."""


async def retry_while_unreachable(
    attempt: Callable[[], Awaitable[None]], may_retry: Callable[[], bool]
) -> None:
    """Repeat an attempt, with growing delays, until it succeeds or fails for good."""
    for tries in count():
        try:
            await attempt()
            return
        except Exception as error:
            if not may_retry() or not is_transient(error):
                raise
            wait = backoff(tries, FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
            why = f"{type(error).__name__} {getattr(error, 'status', '')}".strip()
            log.warning("Can't reach Discord (%s), retrying in %.0f s", why, wait)
        await asyncio.sleep(wait)


def is_transient(error: Exception) -> bool:
    """Return whether a failed attempt to connect may succeed later."""
    if isinstance(error, discord.HTTPException):
        # A response without one of Discord's error codes came from a proxy in front of it.
        return error_codes.is_passing(error) or not error.code
    # discord.py raises the last three for a response that it cannot parse, such as a proxy's error
    # page.
    return isinstance(error, (*reply.UNREACHABLE, TypeError, KeyError, ValueError))


class ShardClaim:
    """Claims shards, and disconnects from the gateway while another process may hold them."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self.store = client.kernel.store
        self.may_connect = asyncio.Event()
        """Set unless the shards are lost. Gateway sessions are opened only while it is set."""
        self.may_connect.set()
        self.left_gateway = asyncio.Event()
        """Set while no gateway session is open, so that no event can arrive."""
        self.left_gateway.set()
        self.is_waiting = False
        """Whether this process waits for another one to release the shards."""
        self.failed = asyncio.Event()
        """Set when lost shards cannot be regained, for the reason in `failure`; the bot exits."""
        self.failure = ""

    async def take(self, shards: Shards) -> None:
        """Wait until no other process serves these shards, claim them, and watch the claim."""
        self.is_waiting = True
        await self.store.claim(shards, lambda why: log.info("%s", say("program.waiting", why=why)))
        self.is_waiting = False
        self.left_gateway.clear()
        self._client.background.start(self._keep(), "keep-shards")

    async def wait_to_connect(self) -> None:
        """Wait until a session may be opened; raise NotServing if the client was closed."""
        await self.may_connect.wait()
        if self._client.is_closed():
            raise NotServing

    def on_session_opened(self) -> None:
        """Close a session again if the shards were lost while it was being opened."""
        if not self.may_connect.is_set():
            self._client.background.start(self._leave_gateway(), "leave-gateway")

    async def _keep(self) -> None:
        """Leave the gateway when the shards are lost, and return to it once they are regained."""
        try:
            while True:
                await self.store.wait_until_claim_lost()
                await self._leave_gateway()
                await self.store.regain_claim()
                log.info("the shard locks are back")
                self.left_gateway.clear()
                self.may_connect.set()
                self._client.dispatch("shards_regained")
        except StoreError as error:
            self.failure = str(error)
        except Exception as error:
            # Whatever went wrong, the bot must not continue without its shards.
            self.failure = say("shards.failed", id=log_error(error))
        self.failed.set()

    async def _leave_gateway(self) -> None:
        """Close every session in a resumable way, and keep new ones from being opened.

        Discord sends the events that are missed to the process that resumes the session.
        """
        self.may_connect.clear()
        sockets = [self._client._get_websocket(shard_id=shard) for shard in self._client.shards]
        closing = (socket.close(code=RESUMABLE_CLOSE_CODE) for socket in sockets)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.gather(*closing, return_exceptions=True)
        self.left_gateway.set()


class MotuHTTPClient(HTTPClient):
    """discord.py's HTTP client, with a rate limit and without requests while shards are lost."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, claim: ShardClaim, budget: Bucket | None
    ) -> None:
        # Responses to interactions and the gateway's websockets do not go through `request`, but
        # they use the same aiohttp session, which calls this trace before it sends anything.
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._before_sending)
        super().__init__(loop, http_trace=trace)
        self._claim = claim
        self.budget = budget
        """The rate limit on requests that all processes share; None for no limit."""

    async def static_login(self, token: str) -> Any:
        """Log in with a new session, closing one that an earlier attempt left open."""
        await self.close()
        self.connector = MISSING
        return await super().static_login(token)

    async def request(self, route: Route, **options: Any) -> Any:
        """Send a request once the budget allows it."""
        # Discord does not count responses to interactions towards the global rate limit.
        is_counted = not route.path.startswith(("/interactions/", "/webhooks/"))
        if self.budget is not None and is_counted:
            await self.budget.take()
        return await super().request(route, timeout=REQUEST_TIMEOUT, **options)

    async def _before_sending(
        self, session: Any, context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Delay a request until this process certainly holds its shards, or raise NotServing."""
        if request.url.scheme in ("ws", "wss"):
            await self._claim.wait_to_connect()
        elif not await self._claim.store.confirm_claim():
            # Only this process can answer the interactions that it has acknowledged, so webhooks
            # may still be used, but not before it has left the gateway.
            await self._claim.left_gateway.wait()
            if "/webhooks/" not in request.url.path:
                raise NotServing


class MotuTree(app_commands.CommandTree[Any]):
    """The command tree: acknowledges each command in time, and answers its errors privately."""

    async def interaction_check(self, interaction: MotuInteraction, /) -> bool:
        """Return whether a command or an autocompletion may run."""
        if interaction.type is discord.InteractionType.autocomplete:
            return await admit(interaction, "")
        name = ""
        how = Acknowledgement.AT_ONCE
        # There is no command if Discord still shows one that this version does not have.
        if command := interaction.command:
            name = f"/{command.qualified_name}"
            how = command.extras.get(reply.DECLARED, how)
        return await admit(interaction, name, how)

    async def on_error(
        self, interaction: MotuInteraction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a failed command with a private message."""
        if interaction.type is discord.InteractionType.autocomplete:
            # The user is typing a command of an older version; there is no way to answer.
            log.info("couldn't suggest options (%s)", type(error).__name__)
            return
        match error:
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await reply.report(interaction, Refused("refusal.old_command"))
            case app_commands.TransformerError():
                await reply.report(interaction, Refused("refusal.bad_option"))
            case _:
                await reply.report(interaction, error)
