"""The slash commands."""

from typing import TYPE_CHECKING

from bot.commands import history, lobby, play

if TYPE_CHECKING:
    from discord import app_commands

    from bot.app import Motu


def add_all(tree: "app_commands.CommandTree[Motu]") -> None:
    """Every command of the bot."""
    tree.add_command(lobby.game)
    for command in (*play.COMMANDS, *history.COMMANDS):
        tree.add_command(command)
