"""The custom ids of a lobby's buttons and menus: `l:<match>:<what>` or `l:<match>:<what>:<key>`."""

import re

from bot.ui.components import MATCH

MENU_VALUE = re.compile(r"[a-z0-9_-]{1,40}")
"""What the value of a lobby's menu may be."""


def lobby_control(whats: str) -> str:
    """Return the pattern of the controls that do one of these things, as `join|leave`."""
    return rf"l:{MATCH}:(?P<what>{whats})(?::(?P<key>[a-z0-9_]{{1,40}}))?"


def lobby_control_id(match: str, what: str, key: str = "") -> str:
    """Return the id of a control of a lobby."""
    return f"l:{match}:{what}:{key}" if key else f"l:{match}:{what}"
