"""The REST API over HTTP: authorization, error responses, rate limit headers, faults and files.

What each route does is in `routes.py`.
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
from bot.local.routes import ROUTES, Call, Route, parse_id
from bot.local.state import State

PREFIX = "/api/v10"
RATE_LIMIT = 1000
"""Requests that the rate limit headers allow. Without them discord.py sends one at a time."""
MAX_RECORDED_REQUESTS = 10_000

FILE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # A file that is opened in a tab of its own, such as an SVG, must not run scripts.
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, max-age=86400, immutable",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RequestRecord:
    """A request of the bot, and the status and error code that it got."""

    method: str
    path: str
    status: int
    code: int = 0


class Rest:
    """Serves the API and the files of messages."""

    def __init__(self, state: State, token: str) -> None:
        self.state = state
        self.token = token
        self.posting = Posting(state)
        self.interactions = Interactions(state, self.posting)
        self.faults = Faults()
        self.requests: deque[RequestRecord] = deque(maxlen=MAX_RECORDED_REQUESTS)
        """The latest requests, oldest first."""
        self.unknown: list[str] = []
        """Requests to routes that do not exist; tests expect none."""
        self.crashes: list[str] = []
        """Requests that raised an exception in this server; tests expect none."""
        self.invalid: list[str] = []
        """Requests beyond a documented limit, with what was wrong; tests of the bot expect none."""

    def add_to(self, app: web.Application) -> None:
        """Add the routes to an application."""
        for route in ROUTES:
            app.router.add_route(route.method, PREFIX + route.path, self._make_handler(route))
        app.router.add_route("*", "/api/{rest:.*}", self._serve_unknown)
        app.router.add_route(
            "GET", "/attachments/{channel}/{attachment}/{filename}", self._serve_file
        )

    def _make_handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Return the function that serves a route, whatever happens on the way."""
        name = f"{route.method} {route.path}"
        rate_limit_headers = {
            "X-RateLimit-Limit": str(RATE_LIMIT),
            "X-RateLimit-Remaining": str(RATE_LIMIT - 1),
            "X-RateLimit-Reset-After": "1.000",
            "X-RateLimit-Bucket": hashlib.blake2b(name.encode(), digest_size=16).hexdigest(),
        }

        async def serve(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(PREFIX)
            code = 0

            async def respond() -> web.StreamResponse:
                is_authorized = request.headers.get("Authorization") == f"Bot {self.token}"
                if route.needs_login and not is_authorized:
                    raise Refusal(0, status=401, message="401: Unauthorized")
                call = Call(request, self.state, self.posting, self.interactions)
                body = await route.handler(call)
                if body is None:
                    return web.Response(status=204, headers=rate_limit_headers)
                return _json_response(body, 200, rate_limit_headers)

            try:
                response = await self.faults.handle(request, path, respond)
            except Refusal as refusal:
                code = refusal.code
                if refusal.errors is not None:
                    self.invalid.append(f"{request.method} {path}: {refusal.errors}")
                response = _error_response(refusal)
            except ConnectionError:
                # The bot disconnected while its request was read: nobody is left to respond to.
                raise
            except Exception as error:
                # discord.py repeats a request five times after a 500, for half a minute. A bug in
                # this server should fail at once, so it is a 400.
                log.exception("%s %s broke the local Discord", request.method, path)
                self.crashes.append(f"{request.method} {path}: {error!r}")
                response = _error_response(
                    Refusal(0, status=400, message=f"The local Discord broke: {error!r}")
                )
            self.requests.append(RequestRecord(request.method, path, response.status, code))
            self.state.notify("request", self.requests[-1])
            return response

        return serve

    async def _serve_unknown(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(PREFIX)
        self.unknown.append(f"{request.method} {path}")
        self.requests.append(RequestRecord(request.method, path, 404))
        return _error_response(Refusal(0))

    async def _serve_file(self, request: web.Request) -> web.StreamResponse:
        attachment = parse_id(request.match_info["attachment"])
        found = self.state.attachments.get(attachment or 0)
        if found is None or request.query.get("hm") != self.state.signature(found):
            return _error_response(Refusal(0))
        if self.state.clock.now() > found.expires:
            return web.Response(status=404, text="This content is no longer available.")
        kind = found.content_type or "application/octet-stream"
        return web.Response(body=found.data, content_type=kind, headers=FILE_HEADERS)


def _error_response(refusal: Refusal) -> web.Response:
    return _json_response(refusal.body(), refusal.status, refusal.headers())


def _json_response(body: Json, status: int, headers: dict[str, str]) -> web.Response:
    # discord.py compares the content type to the letter. aiohttp's json_response adds a charset,
    # with which the login fails.
    headers = {**headers, "Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)
