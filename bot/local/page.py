"""What a browser sees, and who may come here at all."""

import html
from collections.abc import Awaitable, Callable

import yarl
from aiohttp import web

from bot.local.gateway import Gateway
from bot.local.point import is_loopback
from bot.local.state import State

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Motu: local table</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em;color:#223}}
code{{background:#eef;padding:0 .2em}}</style></head><body>
<h1>Motu: local table</h1>
<p>A Discord on this machine runs here, for playing and testing without a token.</p>
<ul>
<li>Server: {guild}, channels: {channels}</li>
<li>Bot: {bot}, {connected}</li>
<li>Commands: {commands}</li>
</ul>
</body></html>
"""


def add_to(app: web.Application, state: State, gateway: Gateway) -> None:
    """Put the page into an application."""

    async def show(request: web.Request) -> web.Response:
        text = _PAGE.format(
            guild=html.escape(state.guild_name),
            channels=", ".join(html.escape(f"#{c.name}") for c in state.text_channels),
            bot=html.escape(state.bot.name),
            connected="connected" if gateway.connected else "not connected",
            commands=", ".join(f"<code>/{html.escape(name)}</code>" for name in state.commands[None]) or "none yet",
        )
        policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        headers = {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
        return web.Response(text=text, content_type="text/html", headers=headers)

    app.router.add_get("/", show)


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
    return await handler(request)
