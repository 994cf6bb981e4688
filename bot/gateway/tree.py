"""The tree of commands, with one place for their errors."""

import logging
from typing import Any

import discord
from discord import app_commands

from bot.runtime.errors import Refused
from bot.ui import MotuInteraction, reply
from bot.ui.reply import Acknowledgement, admit

log = logging.getLogger("motu")


class MotuTree(app_commands.CommandTree[Any]):
    """The commands: each is admitted before it runs, and its errors become a private answer."""

    async def interaction_check(self, interaction: MotuInteraction, /) -> bool:
        """Return whether a command or completion is admitted."""
        if interaction.type is discord.InteractionType.autocomplete:
            return await admit(interaction, "")
        name = ""
        how = Acknowledgement.AT_ONCE
        # A command that this version does not know has neither a name nor extras.
        if command := interaction.command:
            name = f"/{command.qualified_name}"
            how = command.extras.get(reply.DECLARED, how)
        return await admit(interaction, name, how)

    async def on_error(
        self, interaction: MotuInteraction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a failed command privately."""
        if interaction.type is discord.InteractionType.autocomplete:
            # The command being typed belongs to an older version.
            log.info("a completion could not be made (%s)", type(error).__name__)
            return
        match error:
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await reply.report(interaction, Refused("refusal.old_command"))
            case app_commands.TransformerError():
                await reply.report(interaction, Refused("refusal.bad_option"))
            case _:
                await reply.report(interaction, error)
