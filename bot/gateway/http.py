"""Requests to Discord: a shared budget, timeouts, and silence while the shards may be another's."""

import asyncio
from typing import Any

import aiohttp
from discord.http import HTTPClient, Route
from discord.utils import MISSING

from bot.gateway.claim import ShardClaim
from bot.runtime.errors import NotServing
from bot.ui import Bucket

REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=15)
"""How long a request may take. discord.py would wait for five minutes, and a match's board with
it.
"""


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
