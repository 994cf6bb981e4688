"""Trouble on demand: answers a route badly, late, or not at all."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.local.errors import Refusal

Handler = Callable[[], Awaitable[web.StreamResponse]]


@dataclass(eq=False)
class Fault:
    """Trouble that a route will have. `met` is set once a request has run into it."""

    method: str
    path: str
    status: int | None = None
    code: int = 0
    retry_after: float = 0.05
    applied: bool = False
    """Whether the request is carried out all the same, and only its answer is bad."""
    cut: bool = False
    """Whether the connection breaks instead of an answer."""
    times: int = 1
    met: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event | None = None
    """If set, requests wait at it."""

    def concerns(self, method: str, path: str) -> bool:
        """Whether a request runs into it."""
        pattern = re.escape(self.path).replace(r"\*\*", ".*").replace(r"\*", "[^/]+")
        return (
            self.times > 0
            and self.method in ("*", method)
            and re.fullmatch(pattern, path) is not None
        )

    def release(self) -> None:
        """Let the requests that wait go on."""
        if self.gate is not None:
            self.gate.set()


class Faults:
    """The trouble that is set up.

    Paths are written without /api/v10; `*` stands for one part, `**` for any.
    """

    def __init__(self) -> None:
        self.planned: list[Fault] = []

    def answer(
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
        """Answer a route with this status (429, 500, 403, 404, …); `applied`: after carrying the
        request out.
        """
        return self._plan(
            Fault(method, path, status, code, retry_after, applied=applied, times=times)
        )

    def cut(self, method: str, path: str, *, times: int = 1, applied: bool = False) -> Fault:
        """Break the connection of a request, before or after carrying it out."""
        return self._plan(Fault(method, path, cut=True, applied=applied, times=times))

    def hold(self, method: str, path: str, *, times: int = 1, applied: bool = False) -> Fault:
        """Keep a request waiting until the fault is released; `applied`: carry it out, but keep
        its answer waiting.
        """
        return self._plan(Fault(method, path, times=times, applied=applied, gate=asyncio.Event()))

    def _plan(self, fault: Fault) -> Fault:
        self.planned.append(fault)
        return fault

    def clear(self) -> None:
        """No more trouble; whoever waits goes on."""
        for fault in self.planned:
            fault.times = 0
            fault.release()
        self.planned.clear()

    async def around(self, request: web.Request, path: str, handler: Handler) -> web.StreamResponse:
        """Handle a request, with the trouble planned for it."""
        fault = next(
            (fault for fault in self.planned if fault.concerns(request.method, path)), None
        )
        if fault is None:
            return await handler()
        fault.times -= 1
        if fault.applied:
            # The bot cannot know that its request was carried out: it must neither lose nor double
            # anything.
            answer = await handler()
            await self._suffer(fault, request)
            return answer
        await self._suffer(fault, request)
        return await handler()

    async def _suffer(self, fault: Fault, request: web.Request) -> None:
        fault.met.set()
        if fault.gate is not None:
            await fault.gate.wait()
        if fault.cut and request.transport is not None:
            request.transport.abort()
            raise Refusal(0, status=400, message="The connection is cut.")
        if fault.status == 429:
            said = None if fault.code else "You are being rate limited."
            raise Refusal(fault.code, status=429, message=said, retry_after=fault.retry_after)
        if fault.status is not None:
            said = None if fault.code else f"{fault.status}: on purpose"
            raise Refusal(fault.code, status=fault.status, message=said)
