"""Whether a match may be played in a place, asked before anything begins and refused with the reason."""

from collections.abc import Collection

import discord

from bot.model.match import Place
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui.client import MotuInteraction
from bot.ui.permissions import check_can_post, missing

THREADED = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which a match can have a thread."""
CHANNELS_NAMED = 20
"""Channels named in a refusal at most."""


def can_have_threads(interaction: MotuInteraction) -> bool:
    """Return whether a match can have a thread of its own where the command was used."""
    return interaction.channel is not None and interaction.channel.type in THREADED


def may_manage(interaction: MotuInteraction) -> bool:
    """Return whether the user may manage the server in which they act."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def check_channel(interaction: MotuInteraction, allowed: Collection[int], channel: int) -> None:
    """Refuse a channel that is not among those `allowed` for matches; if there are none, all are.

    A thread is in the channel above it.
    """
    guild = interaction.guild
    place = guild.get_channel_or_thread(channel) if guild is not None else None
    around: set[int | None] = {channel}
    if isinstance(place, discord.Thread):
        around.add(place.parent_id)
    if isinstance(interaction.channel, discord.Thread) and interaction.channel_id == channel:
        around.add(interaction.channel.parent_id)
    if not allowed or around & set(allowed):
        return
    known = [f"<#{one}>" for one in allowed if guild is None or guild.get_channel(one)]
    channels = listed(known[:CHANNELS_NAMED]) if known else ""
    raise Refused(say("server.other_channels", channels=channels))


def check_can_post_at(interaction: MotuInteraction, place: Place) -> None:
    """Refuse a place in which the bot could not post, as far as the bot can know."""
    wants_thread = place.wants_thread and not place.thread
    if interaction.channel_id == place.channel:
        check_can_post(interaction, wants_thread)
        return
    guild = interaction.client.get_guild(place.guild)
    channel = guild.get_channel_or_thread(place.channel) if guild is not None else None
    if guild is None or channel is None:
        return
    in_thread = isinstance(channel, discord.Thread)
    lacking = missing(channel.permissions_for(guild.me), in_thread, wants_thread)
    if lacking:
        facts = {
            "channel": f"<#{channel.id}>",
            "number": len(lacking),
            "permissions": listed(lacking),
        }
        raise Refused(say("server.permissions", **facts))
