"""Failures on demand: requests that are answered with an error, late, or not at all.

Tests plan a `Fault` for a route before the bot uses it, and see how the bot copes.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.local.errors import Refusal

Handler = Callable[[], Awaitable[web.StreamResponse]]


@dataclass(eq=False)
class Fault:
    """A failure that is planned for the next requests to a route."""

    method: str
    path: str
    status: int | None = None
    code: int = 0
    retry_after: float = 0.05
    applied: bool = False
    """Whether the request is carried out first, so that only its response fails."""
    cut: bool = False
    """Whether the connection breaks without a response."""
    times: int = 1
    """How many requests still fail."""
    was_hit: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a request has hit the fault."""
    gate: asyncio.Event | None = None
    """Requests wait for this event, if there is one."""

    def matches(self, method: str, path: str) -> bool:
        """Return whether a request hits the fault."""
        if self.times <= 0 or self.method not in ("*", method):
            return False
        pattern = re.escape(self.path).replace(r"\*\*", ".*").replace(r"\*", "[^/]+")
        return re.fullmatch(pattern, path) is not None

    def release(self) -> None:
        """Let the requests continue that wait at the gate."""
        if self.gate is not None:
            self.gate.set()


class Faults:
    """The planned failures.

    Paths are written without /api/v10; `*` stands for one segment, `**` for any number of them.
    """

    def __init__(self) -> None:
        self.planned: list[Fault] = []

    def plan(self, fault: Fault) -> Fault:
        """Add a fault; of several that match a request, the one planned first applies."""
        self.planned.append(fault)
        return fault

    def respond_with(
        self,
        method: str,
        path: str,
        status: int,
        *,
        code: int = 0,
        retry_after: float = 0.05,
        times: int = 1,
        applied: bool = False,
    ) -> Fault:
        """Respond to requests with an error status such as 429, 500, 403 or 404."""
        return self.plan(
            Fault(method, path, status, code, retry_after, applied=applied, times=times)
        )

    def cut(self, method: str, path: str, *, times: int = 1, applied: bool = False) -> Fault:
        """Break the connection of requests instead of answering."""
        return self.plan(Fault(method, path, cut=True, applied=applied, times=times))

    def hold(self, method: str, path: str, *, times: int = 1, applied: bool = False) -> Fault:
        """Keep requests waiting until the fault is released."""
        return self.plan(Fault(method, path, times=times, applied=applied, gate=asyncio.Event()))

    def clear(self) -> None:
        """Drop all planned faults and let waiting requests continue."""
        for fault in self.planned:
            fault.times = 0
            fault.release()
        self.planned.clear()

    async def handle(self, request: web.Request, path: str, handler: Handler) -> web.StreamResponse:
        """Run a request's handler, with the fault that is planned for the request."""
        for fault in self.planned:
            if fault.matches(request.method, path):
                break
        else:
            return await handler()
        fault.times -= 1
        if fault.applied:
            # The bot cannot know that its request was carried out. It must neither lose nor
            # duplicate anything.
            response = await handler()
            await self._fail(fault, request)
            return response
        await self._fail(fault, request)
        return await handler()

    async def _fail(self, fault: Fault, request: web.Request) -> None:
        """Wait, break the connection or raise the error that a fault asks for."""
        fault.was_hit.set()
        if fault.gate is not None:
            await fault.gate.wait()
        if fault.cut and request.transport is not None:
            request.transport.abort()
            raise Refusal(0, status=400, message="The connection is cut.")
        if fault.status == 429:
            message = None if fault.code else "You are being rate limited."
            raise Refusal(fault.code, status=429, message=message, retry_after=fault.retry_after)
        if fault.status is not None:
            message = None if fault.code else f"{fault.status}: on purpose"
            raise Refusal(fault.code, status=fault.status, message=message)
