"""Point discord.py at a Discord on this machine instead of the real one.

It changes attributes of discord.py's classes, so it affects all clients of the process.
"""

import ipaddress

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def is_loopback(host: str | None) -> bool:
    """Return whether a host name or address means this machine."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def point_at(url: str) -> None:
    """Make every discord.py client of this process talk to the Discord at `url`.

    Another machine is refused: it would be sent the bot's token.
    """
    base = yarl.URL(url)
    if base.scheme != "http" or not is_loopback(base.host):
        raise ValueError("not an address of this machine")
    # discord.py reads the first for every request and the second for its first connection. Later
    # connections go to the `resume_gateway_url` of READY.
    Route.BASE = str(base.with_path("/api/v10"))
    DiscordWebSocket.DEFAULT_GATEWAY = base.with_path("/gateway").with_scheme("ws")
