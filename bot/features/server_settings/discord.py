"""/settings: what a server wants of its matches, for those who may manage it."""

from collections.abc import Callable, Mapping
from typing import Any

import discord
from discord import app_commands
from msgspec import Struct

from bot.features.server_settings.settings import Servers, ServerSettings, Threads
from bot.kernel.pace import GRANTS
from bot.model.clocks import Pace
from bot.runtime.clock import HOUR
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui import reply
from bot.ui.client import MotuInteraction, service
from bot.ui.commands import slash
from bot.ui.components import Item
from bot.ui.names import one_line
from bot.ui.parts import CHOICES, Menu, Row, button, choice, cut, new_embed, view_of
from bot.ui.permissions import may_manage, missing_in, results_channel_problem
from bot.ui.which_match import must_be_in_server

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

Options = Mapping[Any, str]
"""What can be chosen, as it is kept, each with its label in a menu."""


# What can be chosen. A new setting is a field of ServerSettings, and an entry in SETTINGS.


class Setting(Struct, frozen=True):
    """One thing that a server can choose."""

    key: str
    """Its name in ServerSettings, and in the texts of [server]."""
    options: Callable[[discord.Guild], Options]
    describe: Callable[[discord.Guild, Any], str] | None = None
    """Says what was chosen, if a label does not say it."""
    takes_several: bool = False

    def page(self, guild: discord.Guild, page: int) -> dict[str, tuple[Any, str]]:
        """Return what a page of its menu offers: by the value of a line what is kept, and its
        label.
        """
        options = list(self.options(guild).items())[page * CHOICES : (page + 1) * CHOICES]
        return {
            f"{kept:d}" if isinstance(kept, int) else kept: (kept, label) for kept, label in options
        }

    def read(self, guild: discord.Guild, page: int, values: tuple[str, ...], now: Any) -> Any:
        """Return what was chosen on a page of its menu; refuse what was not offered there."""
        if self.takes_several and values == (NONE,):
            return ()
        offered = self.page(guild, page)
        if not set(values) <= offered.keys() or (len(values) != 1 and not self.takes_several):
            raise Refused("refusal.foreign_choice")
        chosen = [offered[value][0] for value in values]
        if not self.takes_several:
            return chosen[0]
        # What is chosen on other pages stays, unless it is gone.
        kept = [
            channel for channel in now if str(channel) not in offered and guild.get_channel(channel)
        ]
        return (*kept, *chosen)


def channel_options(guild: discord.Guild) -> Options:
    """Return the channels of a server."""
    return {
        channel.id: f"#{one_line(channel.name, NAME_LENGTH)}" for channel in guild.text_channels
    }


def describe_channels(guild: discord.Guild, channels: tuple[int, ...]) -> str:
    """Say where matches may be opened."""
    if not channels:
        return say("server.everywhere")
    known = [f"<#{channel}>" for channel in channels if guild.get_channel(channel)]
    named = listed(known[:CHANNELS_NAMED]) if known else ""
    return say("server.in_channels", channels=named, more=max(len(known) - CHANNELS_NAMED, 0))


def pace_label(pace: Pace) -> str:
    """Return the name of a pace with its numbers, in hours."""
    granted = GRANTS.get(pace)
    fields = ("bank", "increment", "cap") if granted else ()
    return say(
        f"server.pace_{pace}", **{field: getattr(granted, field) // HOUR for field in fields}
    )


def role_options(guild: discord.Guild) -> Options:
    """Return everybody, and the roles of a server from the highest on."""
    roles = [
        role
        for role in reversed(guild.roles)
        if not role.is_default() and not role.is_bot_managed()
    ]
    return {
        0: say("server.everybody"),
        **{role.id: one_line(role.name, NAME_LENGTH) for role in roles},
    }


def describe_hosts(guild: discord.Guild, role: int) -> str:
    """Say who may open matches."""
    if not role:
        return say("server.everybody")
    return say("server.role", role=f"<@&{role}>", gone=guild.get_role(role) is None)


def describe_results_channel(guild: discord.Guild, channel: int) -> str:
    """Say where results are told."""
    if not channel:
        return say("server.chronicle_none")
    return say(
        "server.chronicle_there",
        channel=f"<#{channel}>",
        there=guild.get_channel(channel) is not None,
    )


def describe_limit(guild: discord.Guild, number: int) -> str:
    """Say how many matches there may be at once."""
    return say("server.at_once", number=number) if number else say("server.no_limit")


def limit(key: str, *numbers: int) -> Setting:
    """Return a setting that limits a number of matches."""
    return Setting(
        key,
        lambda guild: {one: describe_limit(guild, one) for one in (0, *numbers)},
        describe_limit,
    )


CHANNELS = Setting("channels", channel_options, describe_channels, takes_several=True)
IN_ORDER = (
    CHANNELS,
    Setting(
        "threads", lambda guild: {chosen: say(f"server.threads_{chosen}") for chosen in Threads}
    ),
    Setting("pace", lambda guild: {pace: pace_label(pace) for pace in Pace}),
    Setting("hosts", role_options, describe_hosts),
    limit("per_player", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50),
    limit("per_server", 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500),
    Setting("films", lambda guild: {True: say("server.films_on"), False: say("server.films_off")}),
    Setting(
        "chronicle",
        lambda guild: {0: say("server.chronicle_none"), **channel_options(guild)},
        describe_results_channel,
    ),
)
SETTINGS = {setting.key: setting for setting in IN_ORDER}
"""All settings by their key, in the order in which they are shown."""


# The command and its controls.


@app_commands.default_permissions(manage_guild=True)
@slash("settings")
async def settings(interaction: MotuInteraction) -> None:
    """Show what the server has chosen, with a menu to change it."""
    guild = managed_guild(interaction)
    now = await service(interaction, Servers).of(guild.id)
    await show_settings(interaction, guild, now)


def control_id(what: str, page: int = 0, key: str = "") -> str:
    """Return the id of a control of /settings."""
    return f"s:{what}:{page}:{key}" if key else f"s:{what}:{page}"


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
        is_choice = what != CHOOSE and (self.is_menu or bool(key))
        setting = SETTINGS.get("".join(values[:1]) if what == CHOOSE else what)
        if setting is None:
            raise Refused("refusal.foreign_choice")
        now = await servers.of(guild.id)
        if is_choice:
            changes = {setting.key: setting.read(guild, page, values, getattr(now, setting.key))}
            if setting.key == "chronicle":
                changes["is_chronicle_lost"] = False
            now = await servers.change(guild.id, **changes)
        with reply.answering():
            await show_settings(interaction, guild, now, setting, page)


def managed_guild(interaction: MotuInteraction) -> discord.Guild:
    """Return the server; refuse people who may not manage it, for a server can show the command
    to anybody.
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
    """Show all settings and the controls of the one that is being changed, in one private
    message.
    """
    embed = new_embed(say("server.title"), say("server.about"))
    for key, setting in SETTINGS.items():
        chosen = getattr(now, key)
        described = (
            setting.describe(guild, chosen) if setting.describe else setting.options(guild)[chosen]
        )
        embed.add_field(name=say(f"server.{key}"), value=described, inline=False)
    if found := problems(interaction, guild, now):
        embed.add_field(
            name=say("server.lacking"), value=cut("\n".join(found), FIELD_LENGTH), inline=False
        )
    lines = tuple(
        choice(key, say(f"server.{key}"), chosen=setting is changing)
        for key, setting in SETTINGS.items()
    )
    rows: list[Row] = [Menu(control_id(CHOOSE), say("server.choose"), lines)]
    if changing is not None:
        rows += setting_rows(guild, now, changing, page)
    await interaction.edit_original_response(embed=embed, view=view_of(rows))


def problems(interaction: MotuInteraction, guild: discord.Guild, now: ServerSettings) -> list[str]:
    """Return what the bot lacks where matches may be opened, or here if that is everywhere, and
    for results.
    """
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    wants_thread = now.threads is not Threads.NEVER
    found = []
    for channel in map(guild.get_channel, (now.channels or (here or 0,))[:CHANNELS_NAMED]):
        if channel is None:
            continue
        if lacking := missing_in(channel, wants_thread):
            found.append(
                say("server.lacks", channel=f"<#{channel.id}>", permissions=listed(lacking))
            )
    if now.chronicle and (problem := results_channel_problem(guild, now.chronicle)):
        found.append(problem)
    return found


def setting_rows(
    guild: discord.Guild, now: ServerSettings, setting: Setting, page: int
) -> list[Row]:
    """Return the menu of a setting, one page of it, and the buttons to others."""
    pages = max(1, -(-len(setting.options(guild)) // CHOICES))
    page %= pages
    kept = getattr(now, setting.key)
    chosen = kept if setting.takes_several else (kept,)
    offered = setting.page(guild, page).items()
    lines = tuple(
        choice(value, label, chosen=option in chosen) for value, (option, label) in offered
    )
    rows: list[Row] = []
    if lines:
        least, most = (0, len(lines)) if setting.takes_several else (1, 1)
        rows.append(
            Menu(control_id(setting.key, page), say(f"server.{setting.key}"), lines, least, most)
        )
    buttons = []
    if setting is CHANNELS:
        buttons.append(button(control_id(setting.key, page, NONE), say("server.everywhere")))
    if pages > 1:
        following = (page + 1) % pages
        label = say("panel.next_page", number=following + 1, pages=pages)
        buttons.append(button(control_id(setting.key, following), label))
    return [*rows, tuple(buttons)] if buttons else rows
