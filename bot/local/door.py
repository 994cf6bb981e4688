"""Who may come here at all."""

from collections.abc import Awaitable, Callable

import yarl
from aiohttp import web

from bot.local.point import is_loopback

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Only this machine by its own name, and no page of another site."""
    try:
        host = yarl.URL(f"http://{request.host}").host
    except ValueError:
        host = None
    if not is_loopback(host):
        raise web.HTTPForbidden(text="Wrong host.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="Wrong origin.")
    try:
        return await handler(request)
    except ConnectionError:
        # Whoever asked has gone before there was an answer, as a bot does that is stopped while it connects.
        return web.Response()
