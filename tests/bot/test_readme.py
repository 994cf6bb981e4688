"""What the README promises: the permissions, and every command there is."""

import re
from pathlib import Path
from typing import Any

from discord import app_commands

from bot.commands import lobby, look, play, review, rules, settings, solo
from bot.permissions import NEEDED, PERMISSIONS, invitation
from bot.text import say

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def commands() -> set[str]:
    """Every command by its whole name."""
    alone: tuple[app_commands.Command[Any, Any, Any], ...] = (
        *(*solo.COMMANDS, *play.COMMANDS, *look.COMMANDS, *review.COMMANDS, rules.rules, settings.settings),
    )
    return {command.name for command in alone} | {f"game {command.name}" for command in lobby.game.commands}


def test_the_permissions_are_those_of_the_invitation() -> None:
    assert f"`{PERMISSIONS.value}`" in README and f"permissions={PERMISSIONS.value}" in invitation(1)
    said = " ".join(README.split())
    for name in (say(f"permission.{key}") for key in NEEDED):
        assert name.replace("View Channel", "View Channels") in said


def test_every_command_that_is_named_exists_and_every_one_has_a_place() -> None:
    named = set(re.findall(r"`/(game \w+|\w+)", README))
    assert named <= commands()
    by_button = {"game join", "game leave", "game start", "game cancel"}
    assert commands() - named == by_button and "**Join**, **Leave**" in README
