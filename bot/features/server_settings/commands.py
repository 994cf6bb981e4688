"""/settings: what a server wants of its matches, for those who may manage it."""

from typing import Any

import discord
from discord import app_commands

from bot.features.server_settings.choices import (
    CHANNELS,
    CHANNELS_NAMED,
    NONE,
    RESULTS_CHANNEL,
    SETTINGS,
    Options,
    Setting,
)
from bot.features.server_settings.settings import Servers, ServerSettings, Threads
from bot.runtime.errors import Refused
from bot.text import listed, say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.parts import CHOICES, Menu, Row, button, choice, cut, new_embed, view_of
from bot.ui.permissions import may_manage, missing, results_channel_problem
from bot.ui.which_match import must_be_in_server

FIELD_LENGTH = 1024
"""Characters of an embed's field, as Discord allows."""
CHOOSE = "choose"
"""The menu that chooses which setting to change."""


@app_commands.command(name="settings", description=say("command.settings.description"))
@app_commands.default_permissions(manage_guild=True)
async def settings(interaction: MotuInteraction) -> None:
    """Show what the server has chosen, with a menu to change it."""
    guild = _managed_guild(interaction)
    now = await interaction.client.services.require(Servers).of(guild.id)
    await _show(interaction, guild, now)


class SettingsControl(
    Item,
    template=r"s:(?P<what>[a-z_]{1,16}):(?P<page>\d{1,3})(?::(?P<key>[a-z0-9_]{1,40}))?",
):
    """A menu or button of /settings: says which setting to change, turns a page, or chooses."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Keep what was chosen, and show all settings anew."""
        guild = _managed_guild(interaction)
        servers = interaction.client.services.require(Servers)
        what, page, key = self.fields["what"], int(self.fields["page"]), self.fields["key"]
        values = (key,) if key else self.values
        is_choice = what != CHOOSE and (self.is_menu or bool(key))
        if what == CHOOSE:
            what = values[0] if values else ""
        if what not in SETTINGS:
            raise Refused(say("refusal.foreign_choice"))
        setting = SETTINGS[what]
        now = await servers.of(guild.id)
        if is_choice:
            changes = {what: _read(guild, now, setting, page, values)}
            if setting is RESULTS_CHANNEL:
                changes["is_chronicle_lost"] = False
            now = await servers.change(guild.id, **changes)
        with reply.answering():
            await _show(interaction, guild, now, setting, page)


def control_id(what: str, page: int = 0, key: str = "") -> str:
    """Return the id of a control of /settings."""
    return f"s:{what}:{page}:{key}" if key else f"s:{what}:{page}"


def _managed_guild(interaction: MotuInteraction) -> discord.Guild:
    """Return the server; refuse people who may not manage it, for a server can show the command to anybody."""
    must_be_in_server(interaction)
    if not may_manage(interaction):
        raise Refused(say("server.not_yours"))
    if interaction.guild is None:
        raise Refused(say("refusal.restarting"))
    return interaction.guild


def _read(guild: discord.Guild, now: ServerSettings, setting: Setting, page: int, values: tuple[str, ...]) -> Any:
    """Return what was chosen as it is kept; refuse what was not offered on that page."""
    if setting is CHANNELS and values == (NONE,):
        return ()
    offered = {value for value, _ in _on_page(setting.options(guild), page)}
    if not set(values) <= offered or (len(values) != 1 and not setting.takes_several):
        raise Refused(say("refusal.foreign_choice"))
    if setting is not CHANNELS:
        return setting.read(values[0])
    # What is chosen on other pages stays, unless it is gone.
    kept = [one for one in now.channels if str(one) not in offered and guild.get_channel(one)]
    return (*kept, *(setting.read(value) for value in values))


def _on_page(options: Options, page: int) -> Options:
    return options[page * CHOICES : (page + 1) * CHOICES]


async def _show(
    interaction: MotuInteraction,
    guild: discord.Guild,
    now: ServerSettings,
    changing: Setting | None = None,
    page: int = 0,
) -> None:
    """Show all settings and the controls of the one that is being changed, in one private message."""
    embed = new_embed(say("server.title"), say("server.about"))
    for key, setting in SETTINGS.items():
        described = setting.describe(guild, getattr(now, key))
        embed.add_field(name=say(f"server.{key}"), value=described, inline=False)
    if problems := _problems(interaction, guild, now):
        embed.add_field(name=say("server.lacking"), value=cut("\n".join(problems), FIELD_LENGTH), inline=False)
    lines = tuple(choice(key, say(f"server.{key}"), chosen=setting is changing) for key, setting in SETTINGS.items())
    rows: list[Row] = [Menu(control_id(CHOOSE), say("server.choose"), lines)]
    if changing is not None:
        rows += _controls(guild, now, changing, page)
    await interaction.edit_original_response(embed=embed, view=view_of(rows), allowed_mentions=reply.NOBODY)


def _problems(interaction: MotuInteraction, guild: discord.Guild, now: ServerSettings) -> list[str]:
    """Return what the bot lacks where matches may be opened, or here if that is everywhere, and for results."""
    place = interaction.channel
    here = place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id
    channels = now.channels or (here or 0,)
    wants_thread = now.threads is not Threads.NEVER
    problems = []
    for channel in map(guild.get_channel, channels[:CHANNELS_NAMED]):
        if channel is None:
            continue
        lacking = missing(channel.permissions_for(guild.me), in_thread=False, wants_thread=wants_thread)
        if lacking:
            facts = {"channel": f"<#{channel.id}>", "permissions": listed(lacking)}
            problems.append(say("server.lacks", **facts))
    if now.chronicle and (problem := results_channel_problem(guild, now.chronicle)):
        problems.append(problem)
    return problems


def _controls(guild: discord.Guild, now: ServerSettings, setting: Setting, page: int) -> list[Row]:
    """Return the menu of a setting, one page of it, and the buttons to others."""
    options = setting.options(guild)
    pages = max(1, -(-len(options) // CHOICES))
    page %= pages
    kept = getattr(now, setting.key)
    chosen = kept if setting.takes_several else (kept,)
    lines = tuple(
        choice(value, label, chosen=setting.read(value) in chosen) for value, label in _on_page(options, page)
    )
    rows: list[Row] = []
    if lines:
        least, most = (0, len(lines)) if setting.takes_several else (1, 1)
        rows.append(Menu(control_id(setting.key, page), say(f"server.{setting.key}"), lines, least, most))
    buttons = []
    if setting is CHANNELS:
        buttons.append(button(control_id(setting.key, page, NONE), say("server.everywhere")))
    if pages > 1:
        following = (page + 1) % pages
        label = say("panel.next_page", number=following + 1, pages=pages)
        buttons.append(button(control_id(setting.key, following), label))
    if buttons:
        rows.append(tuple(buttons))
    return rows
