"""Pointing discord.py at a Discord on this machine."""

import ipaddress

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def is_loopback(host: str | None) -> bool:
    """Whether a host name or address is this machine."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def point_at(url: str) -> None:
    """Let every client of this process talk to the Discord at `url`; refused unless that is this
    machine.
    """
    base = yarl.URL(url)
    if base.scheme != "http" or not is_loopback(base.host):
        raise ValueError("not an address of this machine")
    # discord.py reads the one whenever it makes a request, the other at its first connection; for a
    # later one it goes where the server's READY has told it to.
    Route.BASE = str(base.with_path("/api/v10"))
    DiscordWebSocket.DEFAULT_GATEWAY = base.with_path("/gateway").with_scheme("ws")
