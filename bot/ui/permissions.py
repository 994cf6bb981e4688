"""What the bot and its users may do in a server and in its channels.

The bot asks for no more than it needs.
"""

from collections.abc import Collection

import discord

from bot.kernel.room import Room
from bot.model import Place
from bot.runtime.base import Refused
from bot.text import listed, say
from bot.ui import error_codes
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.describe import person_name
from engine.core.escape import escaped

NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))
"""All the permissions of the invitation link."""

THREADED = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which a match can have a thread."""
CHANNELS_NAMED = 20
"""Channels named in a refusal at most."""


def invitation(application: int) -> str:
    """Return the link that invites the bot with exactly these permissions."""
    return discord.utils.oauth_url(
        application, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
    )


def may_manage(interaction: MotuInteraction) -> bool:
    """Return whether the user may manage the server in which they act."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def can_have_threads(interaction: MotuInteraction) -> bool:
    """Return whether a match can have a thread of its own where the command was used."""
    return interaction.channel is not None and interaction.channel.type in THREADED


# What the bot lacks in a place.


def missing(permissions: discord.Permissions, in_thread: bool, wants_thread: bool) -> list[str]:
    """Return the names of what the bot lacks to play where those permissions hold."""
    is_needed = {
        "send_messages": not in_thread,
        "send_messages_in_threads": in_thread or wants_thread,
        "create_public_threads": wants_thread,
    }
    lacking = [key for key in NEEDED if not getattr(permissions, key)]
    return [say(f"permission.{key}") for key in lacking if is_needed.get(key, True)]


def missing_at(client: MotuClient, place: int, wants_thread: bool = False) -> list[str]:
    """Return what the bot lacks in the channel or thread of an id, as far as it can know."""
    channel = client.get_channel(place)
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return []
    permissions = channel.permissions_for(channel.guild.me)
    return missing(permissions, isinstance(channel, discord.Thread), wants_thread)


def describe_missing(client: MotuClient, channel: int, wants_thread: bool = False) -> str:
    """Return what the bot lacks in a channel, in words; '' if it lacks nothing."""
    lacking = missing_at(client, channel, wants_thread)
    facts = {"channel": f"<#{channel}>", "permissions": listed(lacking)}
    return say("server.lacks", **facts) if lacking else ""


def results_channel_problem(client: MotuClient, channel: int) -> str:
    """Return why results cannot be posted in a channel, in words; '' if they can."""
    is_gone = client.get_channel(channel) is None
    return say("chronicle.gone") if is_gone else describe_missing(client, channel)


# Whether a match may be played in a place: checked before anything begins.


def check_can_post(interaction: MotuInteraction, place: Place) -> None:
    """Refuse a place in which posts would fail, as far as the bot can know, naming what is
    missing.
    """
    wants_thread = place.wants_thread and not place.thread
    if interaction.channel_id == place.posts_to:
        key, in_thread = "refusal.permissions", isinstance(interaction.channel, discord.Thread)
        lacking = missing(interaction.app_permissions, in_thread, wants_thread)
    else:
        key = "server.permissions"
        lacking = missing_at(interaction.client, place.posts_to, wants_thread)
    if lacking:
        facts = {"channel": f"<#{place.posts_to}>", "permissions": listed(lacking)}
        raise Refused(key, number=len(lacking), **facts)


def check_channel(interaction: MotuInteraction, allowed: Collection[int], channel: int) -> None:
    """Refuse a channel that is not among those `allowed` for matches; if there are none, all are.

    A thread is in the channel above it.
    """
    client = interaction.client
    is_here = interaction.channel_id == channel
    place = interaction.channel if is_here else client.get_channel(channel)
    above = place.parent_id if isinstance(place, discord.Thread) else channel
    if not allowed or channel in allowed or above in allowed:
        return
    known = [f"<#{one}>" for one in allowed if interaction.guild is None or client.get_channel(one)]
    raise Refused("server.other_channels", channels=listed(known[:CHANNELS_NAMED]))


async def check_all_can_see(interaction: MotuInteraction, room: Room) -> None:
    """Refuse a place that somebody who plays the match cannot see, as far as the bot can know.

    Somebody who has left the server sees nothing in it, wherever the match is played; that keeps
    nobody from moving it.
    """
    playing = set(room.people(room.playing().humans())) - {interaction.user.id}
    others = [person for person in room.record.chairs if person.id in playing]
    home = room.record.place.guild
    blind = [
        escaped(person_name(person))
        for person in others
        if not await _can_see(interaction, person.id, home)
    ]
    if blind:
        raise Refused("refusal.out_of_sight", who=listed(blind), number=len(blind))


async def _can_see(interaction: MotuInteraction, user: int, home: int) -> bool:
    """Return whether somebody sees this place; `home` is the server of the match so far."""
    guild, place = interaction.guild, interaction.channel
    channel = place.parent if isinstance(place, discord.Thread) else place
    if guild is None or not isinstance(channel, discord.abc.GuildChannel):
        return True
    try:
        member = await guild.fetch_member(user)
    except discord.NotFound as error:
        if error.code != error_codes.UNKNOWN_MEMBER:
            raise
        return guild.id == home
    if not channel.permissions_for(member).view_channel:
        return False
    if isinstance(place, discord.Thread) and place.is_private():
        try:
            await place.fetch_member(user)
        except discord.NotFound:
            return False
    return True
