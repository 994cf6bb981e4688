"""The custom ids of /games: `n:<what>:<page>:<match>`.

Panels offer some of its buttons too, so the ids are known here and not in the feature alone.
"""

from bot.ui.components import MATCH

GAMES = rf"n:(?P<what>[a-z]{{1,8}}):(?P<page>\d{{1,3}})(?::{MATCH})?"
"""A page of one's own matches or of open tables, the next match, or a table to join."""


def games_button_id(what: str, page: int = 0, match: str = "") -> str:
    """Return the id of a control of /games."""
    return f"n:{what}:{page}:{match}" if match else f"n:{what}:{page}"
