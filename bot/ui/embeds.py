"""Embeds in the bot's colour."""

import discord

SEA = 0x2A7F8E


def new_embed(title: str, description: str) -> discord.Embed:
    """Return an embed to which fields can be added."""
    return discord.Embed(title=title, description=description or None, colour=SEA)
