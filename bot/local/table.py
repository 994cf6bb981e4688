"""The page in the browser: its files, behind a secret in the address, and a socket per tab."""

import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from bot.local.interactions import Interaction
from bot.local.model import Message
from bot.local.person import Person
from bot.local.tab import Tab

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

FILES = Path(__file__).parent / "page"
HINT = (FILES / "hint.txt").read_text(encoding="utf-8")
"""Shown to those who open the address without the secret in it."""
ACCEPTED_LANGUAGE = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?", re.ASCII)
"""The first, and so the preferred, language of an Accept-Language header."""
CONTENT_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
"""Listed here because `mimetypes` answers differently on different systems."""
HEARTBEAT_SECONDS = 20
MAX_PACKET_BYTES = 1 << 20


class Table:
    """Serves the page, and tells each open tab of what its player may see."""

    def __init__(self, discord: "LocalDiscord") -> None:
        self.discord = discord
        self.capability = secrets.token_urlsafe(16)
        """The secret in the page's address."""
        self.tabs: set[Tab] = set()
        self._files = {path.name: path for path in FILES.iterdir()}
        discord.state.listeners.append(self._on_change)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"{self.discord.url}/table/{self.capability}/"

    def add_to(self, app: web.Application) -> None:
        """Add the page's routes to an application."""
        app.router.add_get("/", self._serve_hint)
        app.router.add_get("/table/{capability}", self._add_slash)
        app.router.add_get("/table/{capability}/socket", self._serve_socket)
        app.router.add_get("/table/{capability}/{name:[a-z.]*}", self._serve_file)

    async def close(self) -> None:
        """Close the sockets of all tabs."""
        for tab in list(self.tabs):
            await tab.close()

    # Requests

    async def _serve_hint(self, request: web.Request) -> web.Response:
        return web.Response(text=HINT)

    def _check_capability(self, request: web.Request) -> None:
        """Refuse a request without the secret in its address."""
        given = request.match_info["capability"].encode()
        if not secrets.compare_digest(given, self.capability.encode()):
            raise web.HTTPForbidden(text=HINT)

    async def _add_slash(self, request: web.Request) -> web.Response:
        """Redirect to the address with a slash, to which the page's own links are relative."""
        self._check_capability(request)
        query = f"?{request.query_string}" if request.query else ""
        raise web.HTTPFound(f"{request.rel_url.raw_path}/{query}")

    async def _serve_file(self, request: web.Request) -> web.Response:
        """Serve a file of the page to somebody who knows the secret in its address."""
        self._check_capability(request)
        path = self._files.get(request.match_info["name"] or "index.html")
        if path is None:
            raise web.HTTPNotFound
        return web.Response(
            body=path.read_bytes(),
            content_type=CONTENT_TYPES[path.suffix],
            charset="utf-8",
            headers=_security_headers(request.host),
        )

    async def _serve_socket(self, request: web.Request) -> web.WebSocketResponse:
        self._check_capability(request)
        # Browsers always send the origin. Other programs may leave it out, so they stay outside.
        if request.headers.get("Origin") != f"http://{request.host}":
            raise web.HTTPForbidden(text="Wrong origin.")
        # aiohttp compresses large frames in a task of its own, which fails unseen if the tab is
        # closed meanwhile.
        socket = web.WebSocketResponse(
            compress=False,
            heartbeat=HEARTBEAT_SECONDS,
            timeout=1.0,
            max_msg_size=MAX_PACKET_BYTES,
        )
        await socket.prepare(request)
        player = self._find_player(request.query.get("as"))
        wanted = ACCEPTED_LANGUAGE.match(request.headers.get("Accept-Language", ""))
        if player is not None and wanted:
            player.user.locale = wanted[0]
        tab = Tab(self.discord, socket, player)
        self.tabs.add(tab)
        try:
            await tab.serve()
        finally:
            self.tabs.discard(tab)
        return socket

    def _find_player(self, name: str | None) -> Person | None:
        """Return the player with a name, or the first one if no name is given."""
        for user in self.discord.state.people:
            if name is None or user.name == name:
                return self.discord.user(user.name)
        return None

    # Changes

    def _on_change(self, kind: str, subject: object) -> None:
        for tab in self.tabs:
            if isinstance(subject, Interaction):
                tab.on_interaction(kind, subject)
                continue
            if isinstance(subject, Message):
                tab.on_message(kind, subject)
            tab.schedule_table()


def _security_headers(host: str) -> dict[str, str]:
    """Return headers under which the page runs no other scripts and no other site embeds it."""
    policy = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        # Not in every browser does 'self' include WebSockets.
        f"connect-src 'self' ws://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
