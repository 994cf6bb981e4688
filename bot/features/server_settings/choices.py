"""What a server can choose with /settings: for each setting its options, and how a choice reads."""

from collections.abc import Callable
from typing import Any

import discord
from msgspec import Struct

from bot.features.server_settings.settings import Threads
from bot.kernel.pace import GRANTS
from bot.model.clocks import Pace
from bot.runtime.clock import HOUR
from bot.text import listed, say
from bot.ui.names import one_line

NONE, ON = "0", "1"
"""The values of options that say no or yes."""
NAME_LENGTH = 90
"""Characters of a channel's or role's name in a menu."""
CHANNELS_NAMED = 20
"""Channels named at most."""

Options = list[tuple[str, str]]
"""The value and label of each."""


class Setting(Struct, frozen=True, kw_only=True):
    """One thing that a server can choose."""

    key: str
    """Its name in ServerSettings, and in the texts of [server]."""
    options: Callable[[discord.Guild], Options]
    read: Callable[[str], Any]
    """Makes what is kept of the value of an option."""
    describe: Callable[[discord.Guild, Any], str]
    """Says what was chosen."""
    takes_several: bool = False


def _channel_options(guild: discord.Guild) -> Options:
    return [(str(channel.id), f"#{one_line(channel.name, NAME_LENGTH)}") for channel in guild.text_channels]


def _describe_channels(guild: discord.Guild, channels: tuple[int, ...]) -> str:
    if not channels:
        return say("server.everywhere")
    known = [f"<#{channel}>" for channel in channels if guild.get_channel(channel)]
    named = listed(known[:CHANNELS_NAMED]) if known else ""
    return say("server.in_channels", channels=named, more=max(len(known) - CHANNELS_NAMED, 0))


def _describe_pace(pace: Pace) -> str:
    """Return the name of a pace with its numbers, in hours."""
    granted = GRANTS.get(pace)
    if granted is None:
        return say(f"server.pace_{pace}")
    return say(
        f"server.pace_{pace}",
        bank=granted.bank // HOUR,
        increment=granted.increment // HOUR,
        cap=granted.cap // HOUR,
    )


def _role_options(guild: discord.Guild) -> Options:
    roles = [
        (str(role.id), one_line(role.name, NAME_LENGTH))
        for role in reversed(guild.roles)
        if not role.is_default() and not role.is_bot_managed()
    ]
    return [(NONE, say("server.everybody")), *roles]


def _describe_hosts(guild: discord.Guild, role: int) -> str:
    if not role:
        return say("server.everybody")
    return say("server.role", role=f"<@&{role}>", gone=guild.get_role(role) is None)


def _describe_results_channel(guild: discord.Guild, channel: int) -> str:
    if not channel:
        return say("server.chronicle_none")
    is_there = guild.get_channel(channel) is not None
    return say("server.chronicle_there", channel=f"<#{channel}>", there=is_there)


def _limit(key: str, *numbers: int) -> Setting:
    """Return a setting that limits a number of matches."""

    def describe(number: int) -> str:
        return say("server.at_once", number=number) if number else say("server.no_limit")

    return Setting(
        key=key,
        options=lambda guild: [(str(number), describe(number)) for number in (0, *numbers)],
        read=int,
        describe=lambda guild, number: describe(number),
    )


CHANNELS = Setting(
    key="channels",
    options=_channel_options,
    read=int,
    describe=_describe_channels,
    takes_several=True,
)
RESULTS_CHANNEL = Setting(
    key="chronicle",
    options=lambda guild: [(NONE, say("server.chronicle_none")), *_channel_options(guild)],
    read=int,
    describe=_describe_results_channel,
)
IN_ORDER = (
    CHANNELS,
    Setting(
        key="threads",
        options=lambda guild: [(key, say(f"server.threads_{key}")) for key in Threads],
        read=Threads,
        describe=lambda guild, chosen: say(f"server.threads_{chosen}"),
    ),
    Setting(
        key="pace",
        options=lambda guild: [(key, _describe_pace(key)) for key in Pace],
        read=Pace,
        describe=lambda guild, pace: _describe_pace(pace),
    ),
    Setting(key="hosts", options=_role_options, read=int, describe=_describe_hosts),
    _limit("per_player", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50),
    _limit("per_server", 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500),
    Setting(
        key="films",
        options=lambda guild: [(ON, say("server.films_on")), (NONE, say("server.films_off"))],
        read=lambda value: value == ON,
        describe=lambda guild, shown: say("server.films_on" if shown else "server.films_off"),
    ),
    RESULTS_CHANNEL,
)
SETTINGS = {setting.key: setting for setting in IN_ORDER}
"""All settings by their key, in the order in which they are shown."""
