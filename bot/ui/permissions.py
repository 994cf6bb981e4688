"""Permissions: what the bot needs in a channel, and whether a match can be played there.

To let the bot use a further permission, add it to NEEDED, which also puts it into the invitation.
"""

from collections.abc import Collection

import discord

from bot.kernel.room import Room
from bot.model import Place
from bot.runtime.base import Refused
from bot.text import and_list, say
from bot.ui import error_codes
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.describe import person_name
from engine.core.escape import escape_text

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
"""The permissions in the invitation link: no more than the bot needs."""

CHANNELS_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)
"""The types of channels in which the bot can create a thread."""
MAX_CHANNELS_NAMED = 20
"""How many channels a refusal lists at most."""


def invitation(application: int) -> str:
    """Return the link that invites the bot with the permissions it needs."""
    return discord.utils.oauth_url(
        application, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
    )


def may_manage(interaction: MotuInteraction) -> bool:
    """Whether the user may manage the server."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def can_have_threads(interaction: MotuInteraction) -> bool:
    """Whether a match can have its own thread in the channel of the interaction."""
    return interaction.channel is not None and interaction.channel.type in CHANNELS_WITH_THREADS


# Missing permissions.


def missing_permissions(
    permissions: discord.Permissions, in_thread: bool, wants_thread: bool
) -> list[str]:
    """Return the names of the permissions that the bot needs for a match but does not have."""
    is_needed = {
        "send_messages": not in_thread,
        "send_messages_in_threads": in_thread or wants_thread,
        "create_public_threads": wants_thread,
    }
    lacking = [key for key in NEEDED if not getattr(permissions, key)]
    return [say(f"permission.{key}") for key in lacking if is_needed.get(key, True)]


def missing_permissions_in(client: MotuClient, place: int, wants_thread: bool = False) -> list[str]:
    """Return what `missing_permissions` finds in a channel; nothing if it is not in the cache."""
    channel = client.get_channel(place)
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return []
    permissions = channel.permissions_for(channel.guild.me)
    return missing_permissions(permissions, isinstance(channel, discord.Thread), wants_thread)


def describe_missing(client: MotuClient, channel: int, wants_thread: bool = False) -> str:
    """Return a text that lists the missing permissions in a channel; '' if there are none."""
    lacking = missing_permissions_in(client, channel, wants_thread)
    facts = {"channel": f"<#{channel}>", "permissions": and_list(lacking)}
    return say("server.lacks", **facts) if lacking else ""


def results_channel_problem(client: MotuClient, channel: int) -> str:
    """Return a text that says why results cannot be posted in a channel; '' if they can."""
    is_gone = client.get_channel(channel) is None
    return say("chronicle.gone") if is_gone else describe_missing(client, channel)


# Checks before a match is opened in a place or moved there.


def check_can_post(interaction: MotuInteraction, place: Place) -> None:
    """Refuse a place where the bot lacks permissions, and list them."""
    wants_thread = place.wants_thread and not place.thread
    if interaction.channel_id == place.posts_to:
        key, in_thread = "refusal.permissions", isinstance(interaction.channel, discord.Thread)
        lacking = missing_permissions(interaction.app_permissions, in_thread, wants_thread)
    else:
        key = "server.permissions"
        lacking = missing_permissions_in(interaction.client, place.posts_to, wants_thread)
    if lacking:
        facts = {"channel": f"<#{place.posts_to}>", "permissions": and_list(lacking)}
        raise Refused(key, number=len(lacking), **facts)


def check_channel(interaction: MotuInteraction, allowed: Collection[int], channel: int) -> None:
    """Refuse a channel that is not `allowed` for matches; an empty list allows all.

    A thread is allowed if its parent channel is.
    """
    client = interaction.client
    is_here = interaction.channel_id == channel
    place = interaction.channel if is_here else client.get_channel(channel)
    above = place.parent_id if isinstance(place, discord.Thread) else channel
    if not allowed or channel in allowed or above in allowed:
        return
    known = [f"<#{one}>" for one in allowed if interaction.guild is None or client.get_channel(one)]
    raise Refused("server.other_channels", channels=and_list(known[:MAX_CHANNELS_NAMED]))


async def check_all_can_see(interaction: MotuInteraction, room: Room) -> None:
    """Refuse a place that one of the match's players cannot see.

    Players who have left the server do not count: they would see the match in none of its channels.
    """
    playing = set(room.people(room.playing().humans())) - {interaction.user.id}
    others = [person for person in room.record.chairs if person.id in playing]
    home = room.record.place.guild
    blind = [
        escape_text(person_name(person))
        for person in others
        if not await _can_see(interaction, person.id, home)
    ]
    if blind:
        raise Refused("refusal.out_of_sight", who=and_list(blind), number=len(blind))


async def _can_see(interaction: MotuInteraction, user: int, home: int) -> bool:
    """Whether a user can see the channel of the interaction; `home` is the match's server."""
    guild, place = interaction.guild, interaction.channel
    channel = place.parent if isinstance(place, discord.Thread) else place
    if guild is None or not isinstance(channel, discord.abc.GuildChannel):
        return True
    try:
        member = await guild.fetch_member(user)
    except discord.NotFound as error:
        if error.code != error_codes.UNKNOWN_MEMBER:
            raise
        # They are not a member. If this is the server that they have left, the match is there
        # already, so that is no obstacle.
        return guild.id == home
    if not channel.permissions_for(member).view_channel:
        return False
    if isinstance(place, discord.Thread) and place.is_private():
        try:
            await place.fetch_member(user)
        except discord.NotFound:
            return False
    return True
