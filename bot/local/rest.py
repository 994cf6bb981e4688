"""The REST API over aiohttp: login, errors, rate limit headers, trouble, files, and a record of
what was asked.
"""

import hashlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bot.local.errors import Json, Refusal
from bot.local.faults import Faults
from bot.local.interactions import Interactions
from bot.local.posting import Posting
from bot.local.routes import ROUTES, Answer, Call, Route, number_of
from bot.local.state import State

PREFIX = "/api/v10"
LIMIT = 1000
"""Requests that the headers allow; without such headers discord.py sends one at a time."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Asked:
    """A request that was made, and what came of it."""

    method: str
    path: str
    status: int
    code: int = 0


class Rest:
    """Serves the API."""

    def __init__(self, state: State, token: str) -> None:
        self.state = state
        self.token = token
        self.posting = Posting(state)
        self.interactions = Interactions(state, self.posting)
        self.faults = Faults()
        self.asked: deque[Asked] = deque(maxlen=10_000)
        """The newest requests, oldest first."""
        self.unknown: list[str] = []
        """Requests to routes that are not there: nothing should be in here."""
        self.crashes: list[str] = []
        """Requests that broke this server: nothing should be in here."""

    def add_to(self, app: web.Application) -> None:
        """Put the routes into an application."""
        for route in ROUTES:
            app.router.add_route(route.method, PREFIX + route.path, self._handler(route))
        app.router.add_route("*", "/api/{rest:.*}", self._not_there)
        app.router.add_route("GET", "/attachments/{channel}/{attachment}/{filename}", self._file)

    def _handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        bucket = hashlib.blake2b(
            f"{route.method} {route.path}".encode(), digest_size=16
        ).hexdigest()

        async def serve(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(PREFIX)
            code = 0

            async def answer() -> web.StreamResponse:
                if (
                    route.needs_login
                    and request.headers.get("Authorization") != f"Bot {self.token}"
                ):
                    raise Refusal(0, status=401, message="401: Unauthorized")
                call = Call(request, self.state, self.posting, self.interactions)
                return _answered(await route.handler(call), bucket)

            try:
                response = await self.faults.around(request, path, answer)
            except Refusal as refusal:
                code = refusal.code
                response = _refused(refusal)
            except ConnectionError:
                # The bot is gone before all of its request was read: nobody is left to answer.
                raise
            except Exception as error:
                # discord.py tries again after a 500, five times in half a minute; so a fault of
                # this server says 400.
                log.exception("%s %s broke the local Discord", request.method, path)
                self.crashes.append(f"{request.method} {path}: {error!r}")
                response = _refused(
                    Refusal(0, status=400, message=f"The local Discord broke: {error!r}")
                )
            self.asked.append(Asked(request.method, path, response.status, code))
            self.state.tell("asked", self.asked[-1])
            return response

        return serve

    async def _not_there(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(PREFIX)
        self.unknown.append(f"{request.method} {path}")
        self.asked.append(Asked(request.method, path, 404))
        return _refused(Refusal(0))

    async def _file(self, request: web.Request) -> web.StreamResponse:
        number = number_of(request.match_info["attachment"])
        found = self.state.attachments.get(number or 0)
        if found is None or request.query.get("hm") != self.state.proof(found):
            return _refused(Refusal(0))
        if self.state.clock.now() > found.expires:
            return web.Response(status=404, text="This content is no longer available.")
        kind = found.content_type or "application/octet-stream"
        return web.Response(body=found.data, content_type=kind, headers=_FILE_HEADERS)


_FILE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # Opened in a tab of its own, a file runs nothing, whatever it is.
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, max-age=86400, immutable",
}


def _answered(answer: Answer, bucket: str) -> web.Response:
    headers = {
        "X-RateLimit-Limit": str(LIMIT),
        "X-RateLimit-Remaining": str(LIMIT - 1),
        "X-RateLimit-Reset-After": "1.000",
        "X-RateLimit-Bucket": bucket,
    }
    return (
        web.Response(status=204, headers=headers) if answer is None else _json(answer, 200, headers)
    )


def _refused(refusal: Refusal) -> web.Response:
    return _json(refusal.body(), refusal.status, refusal.headers())


def _json(body: Json, status: int, headers: dict[str, str]) -> web.Response:
    # discord.py wants this content type to the letter; aiohttp's own JSON answers add a charset,
    # and login fails.
    headers = {**headers, "Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)
