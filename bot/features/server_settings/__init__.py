"""What a server has chosen: where, how and by whom matches are played in it, and how many at once.

The settings are kept as one text. /settings shows and changes them, for those who may manage the
server.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from enum import StrEnum
from itertools import islice
from typing import Any

import discord
import msgspec
from discord import app_commands
from msgspec import Struct
from msgspec.structs import asdict, replace

from bot.kernel import queries
from bot.kernel.clocks import GRANTS
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Pace
from bot.runtime.base import HOUR, Locks, Refused, log_error
from bot.store.sql import SelectOne
from bot.text import listed, say
from bot.ui import (
    CHOICES,
    Button,
    Choice,
    Feature,
    Item,
    Menu,
    MotuInteraction,
    Row,
    cut,
    must_be_in_server,
    new_embed,
    next_page_button,
    one_line,
    service,
    slash,
    view_of,
)
from bot.ui.permissions import describe_missing, may_manage, results_channel_problem

KEY = "settings"
FIRST = 10
"""Matches at once of somebody who has finished none: more than that spoil the fun of the first."""
MOST = 100
"""Matches at once of anybody."""
FIELD_LENGTH = 1024
"""Characters of an embed's field, as Discord allows."""
CHOOSE = "choose"
"""The menu that chooses which setting to change."""
NONE = "0"
"""The value of a button or line that chooses nothing."""
NAME_LENGTH = 90
"""Characters of a channel's or role's name in a menu."""
CHANNELS_NAMED = 20
"""Channels named at most."""

count_finished_matches = SelectOne(
    int,
    """
    SELECT count(*) FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND NOT seats.is_open AND is_seated AND status = 'finished'
    """,
)
"""How many matches somebody has played to the end."""
count_open_matches = SelectOne(
    int, "SELECT count(*) FROM matches WHERE guild = {guild} AND is_open AND id != {match}"
)
"""How many matches of a server are open, besides one."""


class Threads(StrEnum):
    """Whether matches get threads of their own."""

    FREE = "free"
    """As the host of a match says."""
    ALWAYS = "always"
    NEVER = "never"


class ServerSettings(Struct, frozen=True, omit_defaults=True):
    """The choices of a server; as they stand here in one that has chosen nothing."""

    channels: tuple[int, ...] = ()
    """Where matches may be opened; without any, everywhere."""
    threads: Threads = Threads.FREE
    pace: Pace = Pace.NONE
    """The pace with which new tables begin."""
    hosts: int = 0
    """The role whose people may open matches; 0 for everybody."""
    films: bool = True
    """Whether the last post of a match gets a film of how it ended."""
    chronicle: int = 0
    """The channel where results are told; 0 for none."""
    is_chronicle_lost: bool = False
    """Whether results cannot be told there, and the server's owner knows it."""
    per_player: int = 0
    """Matches that one person may be in at once on this server; 0 for no limit."""
    per_server: int = 0
    """Matches that may be open at once on this server; 0 for no limit."""


USUAL = ServerSettings()


class Servers:
    """The settings of all servers; 0 is a direct message, where nobody has chosen anything."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._locks = Locks()

    async def of(self, guild: int) -> ServerSettings:
        """Return what a server has chosen."""
        kept = await self._kernel.store.read(queries.server_setting, guild, KEY) if guild else None
        if kept is None:
            return USUAL
        try:
            return msgspec.json.decode(kept, type=ServerSettings)
        except msgspec.MsgspecError as error:
            log_error(error, f"the settings of server {guild} cannot be read")
            return USUAL

    async def change(self, guild: int, **choices: Any) -> ServerSettings:
        """Keep some choices; two people who change different ones at the same time both succeed."""
        async with self._locks[f"settings-{guild}"]:
            settings = replace(await self.of(guild), **choices)
            kept = msgspec.json.encode(settings).decode() if settings != USUAL else None
            await self._kernel.store.write(queries.put_server_setting, guild, KEY, kept)
            return settings

    @asynccontextmanager
    async def within_limits(
        self, user: int, guild: int, match: str, opens: bool = False
    ) -> AsyncIterator[None]:
        """Let a person sit down in a match, or open it, inside; refuse if they have too many.

        One at a time for a person, and for a server in which one is opened: two at once cannot both
        be the last.
        """
        kernel = self._kernel
        # Always the person's lock first: two who took them in another order could wait for each
        # other for ever.
        server_turn = self._locks[f"server-{guild}"] if opens else nullcontext()
        async with self._locks[f"user-{user}"], server_turn:
            settings = await self.of(guild)
            rooms = await kernel.matches.of_user(user)
            others = [room for room in rooms if room.record.id != match]
            here = sum(room.record.place.guild == guild for room in others)
            if settings.per_player and here >= settings.per_player:
                raise Refused("limit.player_here", number=here, most=settings.per_player)
            if len(others) >= FIRST:
                finished = await kernel.store.read(count_finished_matches, user) or 0
                facts = {"number": len(others), "most": allowance(finished), "first": FIRST}
                if facts["number"] >= facts["most"]:
                    grows = facts["most"] < MOST
                    raise Refused("limit.player", grows=grows, finished=str(finished), **facts)
            if opens and settings.per_server:
                number = await kernel.store.read(count_open_matches, guild, match) or 0
                if number >= settings.per_server:
                    raise Refused("limit.server", number=number, most=settings.per_server)
            yield


def allowance(finished: int) -> int:
    """Return how many matches somebody may be in at once, given how many they have finished."""
    return min(FIRST + finished, MOST)


# What can be chosen. A new setting is a field of ServerSettings, and an entry in SETTINGS.


class Setting(Struct, frozen=True):
    """One thing that a server can choose."""

    key: str
    """Its name in ServerSettings, and in the texts of [server]."""
    options: Callable[[discord.Guild], Mapping[str, str]]
    """What can be chosen: the values of its menu's lines with their labels."""
    describe: Callable[[discord.Guild, Any], str] | None = None
    """Says what was chosen, if a label does not say it."""
    takes_several: bool = False

    def page(self, guild: discord.Guild, page: int) -> dict[str, str]:
        """Return the options on a page of its menu."""
        first = page * CHOICES
        return dict(islice(self.options(guild).items(), first, first + CHOICES))

    def read(self, guild: discord.Guild, page: int, values: tuple[str, ...], now: Any) -> Any:
        """Return what was chosen on a page of its menu; refuse what was not offered there."""
        if self.takes_several and values == (NONE,):
            return ()
        offered = self.page(guild, page)
        if not set(values) <= offered.keys() or (len(values) != 1 and not self.takes_several):
            raise Refused("refusal.foreign_choice")
        if not self.takes_several:
            chosen = msgspec.convert({self.key: values[0]}, ServerSettings, strict=False)
            return getattr(chosen, self.key)
        # What is chosen on other pages stays, unless it is gone.
        elsewhere = [one for one in now if str(one) not in offered and guild.get_channel(one)]
        return (*elsewhere, *map(int, values))


def menu_value(kept: Any) -> str:
    """Return the value of the line that stands for a choice."""
    return f"{kept:d}" if isinstance(kept, int) else str(kept)


def channel_options(guild: discord.Guild) -> dict[str, str]:
    """Return the channels of a server."""
    return {str(one.id): f"#{one_line(one.name, NAME_LENGTH)}" for one in guild.text_channels}


def describe_channels(guild: discord.Guild, channels: tuple[int, ...]) -> str:
    """Say where matches may be opened."""
    if not channels:
        return say("server.everywhere")
    known = [f"<#{channel}>" for channel in channels if guild.get_channel(channel)]
    named = listed(known[:CHANNELS_NAMED]) if known else ""
    return say("server.in_channels", channels=named, more=max(len(known) - CHANNELS_NAMED, 0))


def pace_label(pace: Pace) -> str:
    """Return the name of a pace with its numbers, in hours."""
    granted = asdict(GRANTS[pace]) if pace in GRANTS else {}
    hours = {field: seconds // HOUR for field, seconds in granted.items()}
    return say(f"server.pace_{pace}", **hours)


def role_options(guild: discord.Guild) -> dict[str, str]:
    """Return everybody, and the roles of a server from the highest on."""
    found = {NONE: say("server.everybody")}
    for role in reversed(guild.roles):
        if not role.is_default() and not role.is_bot_managed():
            found[str(role.id)] = one_line(role.name, NAME_LENGTH)
    return found


def describe_hosts(guild: discord.Guild, role: int) -> str:
    """Say who may open matches."""
    if not role:
        return say("server.everybody")
    return say("server.role", role=f"<@&{role}>", gone=guild.get_role(role) is None)


def describe_results_channel(guild: discord.Guild, channel: int) -> str:
    """Say where results are told."""
    if not channel:
        return say("server.chronicle_none")
    is_there = guild.get_channel(channel) is not None
    return say("server.chronicle_there", channel=f"<#{channel}>", there=is_there)


def describe_limit(guild: discord.Guild, number: int) -> str:
    """Say how many matches there may be at once."""
    return say("server.at_once", number=number) if number else say("server.no_limit")


def limit(key: str, *numbers: int) -> Setting:
    """Return a setting that limits a number of matches."""

    return Setting(
        key,
        lambda guild: {str(number): describe_limit(guild, number) for number in (0, *numbers)},
        describe_limit,
    )


IN_ORDER = (
    Setting("channels", channel_options, describe_channels, takes_several=True),
    Setting("threads", lambda guild: {one: say(f"server.threads_{one}") for one in Threads}),
    Setting("pace", lambda guild: {pace: pace_label(pace) for pace in Pace}),
    Setting("hosts", role_options, describe_hosts),
    limit("per_player", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50),
    limit("per_server", 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500),
    Setting("films", lambda guild: {"1": say("server.films_on"), "0": say("server.films_off")}),
    Setting(
        "chronicle",
        lambda guild: {NONE: say("server.chronicle_none"), **channel_options(guild)},
        describe_results_channel,
    ),
)
SETTINGS = {setting.key: setting for setting in IN_ORDER}
"""All settings by their key, in the order in which they are shown."""


# The command and its controls.


@slash("settings")
@app_commands.default_permissions(manage_guild=True)
async def settings(interaction: MotuInteraction) -> None:
    """Show what the server has chosen, with a menu to change it."""
    guild = managed_guild(interaction)
    now = await service(interaction, Servers).of(guild.id)
    await show_settings(interaction, guild, now)


class SettingsControl(
    Item, template=r"s:(?P<what>[a-z_]{1,16}):(?P<page>\d{1,3})(?::(?P<key>[a-z0-9_]{1,40}))?"
):
    """A menu or button of /settings: says which setting to change, turns a page, or chooses."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Keep what was chosen, and show all settings anew."""
        guild = managed_guild(interaction)
        servers = service(interaction, Servers)
        what, page, key = self.fields["what"], int(self.fields["page"]), self.fields["key"]
        values = (key,) if key else self.values
        setting = SETTINGS.get("".join(values[:1]) if what == CHOOSE else what)
        if setting is None:
            raise Refused("refusal.foreign_choice")
        now = await servers.of(guild.id)
        if what != CHOOSE and (self.is_menu or key):
            changes = {what: setting.read(guild, page, values, getattr(now, what))}
            if what == "chronicle":
                changes["is_chronicle_lost"] = False
            now = await servers.change(guild.id, **changes)
        await show_settings(interaction, guild, now, setting, page)


def managed_guild(interaction: MotuInteraction) -> discord.Guild:
    """Return the server; refuse people who may not manage it.

    A server can show the command to anybody.
    """
    must_be_in_server(interaction)
    if not may_manage(interaction):
        raise Refused("server.not_yours")
    if interaction.guild is None:
        raise Refused("refusal.restarting")
    return interaction.guild


async def show_settings(
    interaction: MotuInteraction,
    guild: discord.Guild,
    now: ServerSettings,
    changing: Setting | None = None,
    page: int = 0,
) -> None:
    """Show all settings, and the controls of the one that is being changed."""
    embed = new_embed(say("server.title"), say("server.about"))
    lines = []
    for key, setting in SETTINGS.items():
        name, chosen = say(f"server.{key}"), getattr(now, key)
        if setting.describe is not None:
            described = setting.describe(guild, chosen)
        else:
            described = setting.options(guild)[menu_value(chosen)]
        embed.add_field(name=name, value=described, inline=False)
        lines.append(Choice(key, name, chosen=setting is changing))
    if found := problems(interaction, now):
        value = cut("\n".join(found), FIELD_LENGTH)
        embed.add_field(name=say("server.lacking"), value=value, inline=False)
    rows: list[Row] = [Menu(f"s:{CHOOSE}:0", say("server.choose"), tuple(lines))]
    if changing is not None:
        rows += setting_rows(guild, now, changing, page)
    await interaction.edit_original_response(embed=embed, view=view_of(rows))


def problems(interaction: MotuInteraction, now: ServerSettings) -> list[str]:
    """Return what the bot lacks where matches may be opened and where results are told.

    If matches may be opened everywhere, that is here.
    """
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    client, wants_thread = interaction.client, now.threads is not Threads.NEVER
    channels = now.channels or (here or 0,)
    found = [describe_missing(client, one, wants_thread) for one in channels[:CHANNELS_NAMED]]
    if now.chronicle:
        found.append(results_channel_problem(client, now.chronicle))
    return list(filter(None, found))


def setting_rows(
    guild: discord.Guild, now: ServerSettings, setting: Setting, page: int
) -> list[Row]:
    """Return the menu of a setting, one page of it, and the buttons to others."""
    key, several = setting.key, setting.takes_several
    pages = max(1, -(-len(setting.options(guild)) // CHOICES))
    page %= pages
    kept = getattr(now, key)
    chosen = [menu_value(one) for one in (kept if several else (kept,))]
    lines = tuple(
        Choice(value, label, chosen=value in chosen)
        for value, label in setting.page(guild, page).items()
    )
    rows: list[Row] = []
    if lines:
        least, most = (0, len(lines)) if several else (1, 1)
        rows.append(Menu(f"s:{key}:{page}", say(f"server.{key}"), lines, least, most))
    buttons = []
    if several:
        buttons.append(Button(f"s:{key}:{page}:{NONE}", say("server.everywhere")))
    buttons += next_page_button(page, pages, lambda page: f"s:{key}:{page}")
    return [*rows, tuple(buttons)] if buttons else rows


FEATURE = Feature(
    name="server_settings",
    build=lambda kernel: Parts(services=(Servers(kernel),)),
    commands=(settings,),
    items=(SettingsControl,),
)
