"""The channel in which a server wants results posted."""

import discord

from bot.text import listed, say
from bot.ui.permissions import missing


def results_channel_problem(guild: discord.Guild, channel_id: int) -> str:
    """Return why results cannot be posted in a channel, in words; '' if they can."""
    channel = guild.get_channel(channel_id)
    if channel is None:
        return say("chronicle.gone")
    lacking = missing(channel.permissions_for(guild.me), in_thread=False, wants_thread=False)
    if not lacking:
        return ""
    return say("server.lacks", channel=f"<#{channel.id}>", permissions=listed(lacking))
