"""A discord.py client that connects, and speaks, for the shards of this process alone.

MotuHTTPClient  requests: a shared budget, timeouts, silence while the shards may be another's
MotuTree        the commands, with one place for their errors
GatewayClient   login and connection, retried while Discord is out of reach; shards; departure
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.http import HTTPClient, Route
from discord.utils import MISSING

from bot.gateway.claim import ShardClaim
from bot.kernel.kernel import Kernel
from bot.model import Shards, all_shards
from bot.runtime.base import NotServing, Refused, awaited_task
from bot.ui import Bucket, MotuClient, MotuInteraction, Pictures, backoff, error_codes, reply
from bot.ui.reply import Acknowledgement, admit

INTENTS = discord.Intents(guilds=True)
"""The events the bot listens to; none of them has to be granted by Discord."""
IDENTIFY_INTERVAL_SECONDS = 5.0
"""Discord lets one shard identify in this time, or `max_concurrency` of them for a large bot."""
SHUTDOWN_TIMEOUT = 3.0
"""Seconds for Discord to hear that the bot leaves."""

REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=15)
"""How long a request may take. discord.py would wait for five minutes, and a match's board with
it.
"""

FIRST_RETRY_SECONDS = 1.0
MAX_RETRY_SECONDS = 60.0
"""Delays before a failed attempt is repeated: the first one, doubled each time up to the
maximum.
"""

log = logging.getLogger("motu")


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
        elif not await self._claim.confirm():
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


class GatewayClient(MotuClient):
    """Logs in, claims its shards, connects them, and stays connected while it holds the claim."""

    def __init__(
        self,
        kernel: Kernel,
        pictures: Pictures,
        *,
        shards: Shards | None,
        requests: int,
        **options: Any,
    ) -> None:
        """Serve these shards, or all that Discord advises, with a limit on requests a second."""
        # A bot without a voice needs no libraries for it, and no warning that they are missing.
        discord.VoiceClient.warn_nacl = False
        discord.VoiceClient.warn_dave = False
        # discord.py's constructor calls `_get_state`, which needs these.
        self.claim = ShardClaim(self, kernel.store, self.on_shards_regained)
        self._request_budget = (
            # A fifth at once and the rest steadily: never more than the limit in any second.
            Bucket(0.8 * requests, 0.2 * requests, store=kernel.store, name="requests")
            if requests
            else None
        )
        # A first login waits for those of all other processes, however long that takes.
        super().__init__(kernel, pictures, intents=INTENTS, shard_connect_timeout=None, **options)
        self._wanted = shards
        self._identify_limits: list[Bucket] = []
        self._launching: asyncio.Future[None] | None = None
        self.heard: set[int] = set()
        """The shards with an open session: events of their servers arrive."""
        self.reconnects = 0
        """How many sessions were opened since all shards were ready for the first time."""

    def on_shards_claimed(self, shards: Shards) -> None:
        """Called when shards are claimed, before they connect."""

    def on_shards_regained(self) -> None:
        """Called when shards that were lost are back."""

    def _get_state(self, **options: Any) -> Any:
        # Client.__init__ makes an HTTPClient and then calls this to make the state that sends by
        # it. It has no option for another HTTPClient. This is the last moment at which nobody has
        # kept or used the first one, so here ours takes its place.
        self.http = MotuHTTPClient(self.loop, self.claim, self._request_budget)
        return super()._get_state(**options)

    async def login(self, token: str) -> None:
        """Log in and run the setup hook, however long Discord is out of reach meanwhile."""
        attempt = partial(super().login, token)
        await retry_while_unreachable(attempt, lambda: not self.is_ending)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected, however long it takes Discord to say how many shards it wants."""
        attempt = partial(super().connect, reconnect=reconnect)
        await retry_while_unreachable(attempt, lambda: not self.is_ending and not self.shards)

    async def launch_shards(self) -> None:
        """Connect every shard, once no other process serves any of them."""
        self._launching = awaited_task(self._launch_shards())
        await self._launching

    async def _launch_shards(self) -> None:
        advised, _, limits = await self.http.get_bot_gateway()
        shards = self._wanted or all_shards(advised)
        store, rate = self.kernel.store, 1 / IDENTIFY_INTERVAL_SECONDS
        self._identify_limits = [
            Bucket(rate, 1, store=store, name=f"identify-{number}", longest=0)
            for number in range(limits["max_concurrency"])
        ]
        await self.claim.take(shards)
        self.on_shards_claimed(shards)
        self.shard_count = shards.count
        self.shard_ids = list(shards.ids)
        await super().launch_shards()

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect one shard; discord.py would retry for ever, even when the bot stops."""
        if not self.is_ending:
            await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify itself."""
        await self.claim.wait_to_connect()
        await self._identify_limits[(shard_id or 0) % len(self._identify_limits)].take()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on, and note which shards have a session."""
        if self.is_closed():
            # discord.py may still have an event, but there is nobody left to handle it.
            return
        super().dispatch(event, *args, **kwargs)
        if event in ("shard_ready", "shard_resumed"):
            self.claim.on_session_opened()
            self.heard.add(args[0])
            self.reconnects += self.is_ready()
            self.kernel.scheduler.poke()
        elif event == "shard_disconnect":
            self.heard.discard(args[0])
            self.kernel.scheduler.poke()

    async def close(self) -> None:
        """Leave the gateway, within seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                if self._launching is not None:
                    self._launching.cancel()
                    await asyncio.wait([self._launching])
                await super().close()
        # Shards may still wait to open a session: there will be none.
        self.claim.wake_waiting()
