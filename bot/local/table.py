"""The page in the browser: its files, behind a secret in the address, and a socket for every
tab.
"""

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
"""What those are told who come without the whole address."""
CONTENT_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
"""Said here: what the system thinks of them differs from system to system."""


class Table:
    """Shows the local Discord to people with browsers; each tab hears what its own player may
    see.
    """

    def __init__(self, discord: "LocalDiscord") -> None:
        self.discord = discord
        self.capability = secrets.token_urlsafe(16)
        """Who does not know it gets nowhere."""
        self.tabs: set[Tab] = set()
        self._files = {path.name: path for path in FILES.iterdir()}
        discord.state.listeners.append(self._hear)

    @property
    def address(self) -> str:
        """Where people find the page."""
        return f"{self.discord.url}/table/{self.capability}/"

    def add_to(self, app: web.Application) -> None:
        """Put the page into an application."""
        app.router.add_get("/", self._hint)
        app.router.add_get("/table/{capability}", self._with_slash)
        app.router.add_get("/table/{capability}/socket", self._socket)
        app.router.add_get("/table/{capability}/{name:[a-z.]*}", self._file)

    async def close(self) -> None:
        """Say goodbye to every tab."""
        for tab in list(self.tabs):
            await tab.close()

    # Requests

    async def _hint(self, request: web.Request) -> web.Response:
        return web.Response(text=HINT)

    def _check(self, request: web.Request) -> None:
        given = request.match_info["capability"].encode()
        if not secrets.compare_digest(given, self.capability.encode()):
            raise web.HTTPForbidden(text=HINT)

    async def _with_slash(self, request: web.Request) -> web.Response:
        self._check(request)
        raise web.HTTPFound(
            f"{request.rel_url.raw_path}/" + (f"?{request.query_string}" if request.query else "")
        )

    async def _file(self, request: web.Request) -> web.Response:
        self._check(request)
        path = self._files.get(request.match_info["name"] or "index.html")
        if path is None:
            raise web.HTTPNotFound
        kind = CONTENT_TYPES[path.suffix]
        return web.Response(
            body=path.read_bytes(),
            content_type=kind,
            charset="utf-8",
            headers=_headers(request.host),
        )

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        self._check(request)
        if request.headers.get("Origin") != f"http://{request.host}":
            # Programs leave the origin out, pages cannot: only the page itself may come in here.
            raise web.HTTPForbidden(text="Wrong origin.")
        # aiohttp compresses large frames in a task of its own, which fails unseen if the page
        # closes meanwhile.
        socket = web.WebSocketResponse(
            compress=False, heartbeat=20, timeout=1.0, max_msg_size=1 << 20
        )
        await socket.prepare(request)
        tab = Tab(self.discord, socket, self._player(request.query.get("as")))
        self.tabs.add(tab)
        try:
            await tab.serve()
        finally:
            self.tabs.discard(tab)
        return socket

    def _player(self, name: str | None) -> Person | None:
        """The player of that name; the first one when none is named."""
        for user in self.discord.state.people:
            if name is None or user.name == name:
                return self.discord.user(user.name)
        return None

    # What happens

    def _hear(self, kind: str, subject: object) -> None:
        for tab in self.tabs:
            if isinstance(subject, Interaction):
                tab.hear(kind, subject)
            else:
                if isinstance(subject, Message):
                    tab.show(kind, subject)
                tab.changed()


def _headers(host: str) -> dict[str, str]:
    policy = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        # Not every browser takes 'self' for sockets.
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
