"""What the bot asks for, and nothing more; and what players may see."""

from collections.abc import Collection

import discord

from bot.kernel.room import Room
from bot.model.match import Place
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui import error_codes
from bot.ui.client import MotuInteraction
from bot.ui.names import escaped, person_name

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
    """The link that invites the bot with exactly these permissions."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def missing(permissions: discord.Permissions, in_thread: bool, wants_thread: bool) -> list[str]:
    """The names of what the bot lacks to play where those permissions hold."""
    needed = ["view_channel", "embed_links", "attach_files", "read_message_history"]
    needed.append("send_messages_in_threads" if in_thread else "send_messages")
    if wants_thread:
        needed += ["create_public_threads", "send_messages_in_threads"]
    return [say(f"permission.{key}") for key in NEEDED if key in needed and not getattr(permissions, key)]


def missing_at(client: discord.Client, place: Place) -> list[str]:
    """The names of what the bot lacks to post where a match is played, as far as it can know."""
    guild = client.get_guild(place.guild)
    channel = guild.get_channel_or_thread(place.posts_to) if guild is not None else None
    if guild is None or channel is None:
        return []
    return missing(channel.permissions_for(guild.me), isinstance(channel, discord.Thread), wants_thread=False)


def check_can_post(interaction: MotuInteraction, wants_thread: bool) -> None:
    """Refuse at once where posts would fail later, naming what is missing."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    lacking = missing(interaction.app_permissions, in_thread, wants_thread)
    if lacking:
        raise Refused(say("refusal.permissions", number=len(lacking), permissions=listed(lacking)))


async def check_all_can_see(interaction: MotuInteraction, room: Room) -> None:
    """Refuse a place that somebody who plays the match cannot see, as far as the bot can know.

    Somebody who has left the server sees nothing in it, wherever the match is played; that keeps nobody from moving it.
    """
    match = room.playing()
    playing = set(room.people(match.humans())) - {interaction.user.id}
    home, others = room.record.place.guild, [person for person in room.record.chairs if person.id in playing]
    blind = [escaped(person_name(person)) for person in others if not await _can_see(interaction, person.id, home)]
    if blind:
        raise Refused(say("refusal.out_of_sight", who=listed(blind), number=len(blind)))


async def _can_see(interaction: MotuInteraction, user: int, home: int) -> bool:
    """Whether somebody sees the place where a command was used; `home` is the server of the match so far."""
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


def results_channel_problem(guild: discord.Guild, channel_id: int) -> str:
    """Return why results cannot be posted in a channel, in words; '' if they can."""
    channel = guild.get_channel(channel_id)
    if channel is None:
        return say("chronicle.gone")
    lacking = missing(channel.permissions_for(guild.me), in_thread=False, wants_thread=False)
    if not lacking:
        return ""
    return say("server.lacks", channel=f"<#{channel.id}>", permissions=listed(lacking))
