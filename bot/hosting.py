"""Whether a match may be opened or played in a place: what the server has chosen, and what the bot lacks there.

All of it is asked before anything begins, and refused privately with the reason.
"""

import discord

from bot.components.items import Asked
from bot.errors import Refused
from bot.matches.room import Place
from bot.matches.server_settings import ServerSettings, Threads
from bot.permissions import check_can_post, missing
from bot.text import listed, say

THREADED = (discord.ChannelType.text, discord.ChannelType.news)
THREAD, CHANNEL = "thread", "channel"
"""Where whoever opens a match wants it."""
NAMED = 20
"""Channels named in a refusal at most."""


def can_have_threads(interaction: Asked) -> bool:
    """Whether a match can have a thread of its own where the command was used."""
    return interaction.channel is not None and interaction.channel.type in THREADED


def may_manage(interaction: Asked) -> bool:
    """Whether somebody may manage the server where they act."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


async def place_for(interaction: Asked, wanted: str = "") -> Place:
    """Where a match that is opened here would be played; refused if it may not be, or if the bot could not post.

    A direct message has no threads and no settings.
    """
    channel = interaction.channel_id or 0
    if interaction.guild_id is None:
        return Place(0, channel, wants_thread=False)
    settings = await check_may_open(interaction, interaction.guild_id, channel)
    if wanted == CHANNEL and settings.threads is Threads.ALWAYS:
        raise Refused(say("server.always_threads"))
    if wanted == THREAD and settings.threads is Threads.NEVER:
        raise Refused(say("server.no_threads"))
    wants_thread = wanted != CHANNEL and settings.threads is not Threads.NEVER and can_have_threads(interaction)
    check_can_post(interaction, wants_thread)
    return Place(interaction.guild_id, channel, wants_thread=wants_thread)


async def check_may_open(interaction: Asked, guild: int, channel: int) -> ServerSettings:
    """Refuse a match that the server does not want to be opened by this person, or in this channel."""
    settings = await interaction.client.matches.servers.of(guild)
    roles = getattr(interaction.user, "roles", ())
    if settings.hosts and not may_manage(interaction) and all(role.id != settings.hosts for role in roles):
        raise Refused(say("server.only_hosts", role=f"<@&{settings.hosts}>"))
    check_channel(interaction, settings, channel)
    return settings


def check_channel(interaction: Asked, settings: ServerSettings, channel: int) -> None:
    """Refuse a channel in which the server wants no matches; a thread is in the channel above it."""
    guild = interaction.guild
    place = guild.get_channel_or_thread(channel) if guild is not None else None
    around = {channel, place.parent_id if isinstance(place, discord.Thread) else channel}
    if isinstance(interaction.channel, discord.Thread) and interaction.channel_id == channel:
        around.add(interaction.channel.parent_id)
    if not settings.channels or around & set(settings.channels):
        return
    known = [f"<#{one}>" for one in settings.channels if guild is None or guild.get_channel(one)]
    raise Refused(say("server.other_channels", channels=listed(known[:NAMED]) if known else ""))


def check_can_post_at(interaction: Asked, place: Place) -> None:
    """Refuse a start where the bot could not post, wherever the command was used, as far as the bot can know."""
    wants_thread = place.wants_thread and not place.thread
    if interaction.channel_id == place.channel:
        check_can_post(interaction, wants_thread)
        return
    guild = interaction.client.get_guild(place.guild)
    channel = guild.get_channel_or_thread(place.channel) if guild is not None else None
    if guild is None or channel is None:
        return
    lacking = missing(channel.permissions_for(guild.me), isinstance(channel, discord.Thread), wants_thread)
    if lacking:
        facts = {"channel": f"<#{channel.id}>", "number": len(lacking), "permissions": listed(lacking)}
        raise Refused(say("server.permissions", **facts))
