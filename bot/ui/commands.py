"""Slash commands: where they are offered."""

from typing import Any, TypeVar

from discord import app_commands

C = TypeVar("C", bound="app_commands.Command[Any, Any, Any] | app_commands.Group")


def in_direct_messages(command: C) -> C:
    """Offer a command in direct messages too; others are offered in servers only."""
    command.allowed_contexts = app_commands.AppCommandContext(dm_channel=True)
    return command
