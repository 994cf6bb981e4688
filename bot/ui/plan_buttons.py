"""The custom ids of a plan's buttons: `k:<match>:<plan>:<what>`.

Panels offer some of them too, so the ids are known here and not in the feature alone.
"""

from bot.ui.components import MATCH

KEEP, DROP = "keep", "drop"
PLAN_BUTTON = rf"k:{MATCH}:(?P<plan>\d{{1,20}}):(?P<what>{KEEP}|{DROP})"
"""Keeps a plan, or drops it."""


def plan_button_id(match: str, plan: int, what: str) -> str:
    """Return the id of a button that keeps or drops a plan."""
    return f"k:{match}:{plan}:{what}"
