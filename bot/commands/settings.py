"""/settings: what a server wants of its matches, for those who may manage it."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot import reply
from bot.clock import HOUR
from bot.components import ids
from bot.components.items import Asked, ServerItem, view_of
from bot.components.parts import CHOICES, Menu, Row, button, choice, cut
from bot.errors import Refused
from bot.hosting import may_manage
from bot.matches.pace import GRANTS, Pace
from bot.matches.server_settings import ServerSettings, Threads
from bot.permissions import missing
from bot.posts.chronicle import trouble
from bot.posts.lobby_message import SEA
from bot.text import listed, say
from bot.text.names import one_line
from bot.which_match import must_be_in_server

CHANNELS, THREADS, PACE, HOSTS, PER_PLAYER, PER_SERVER, FILMS, CHRONICLE = (
    *("channels", "threads", "pace", "hosts"),
    *("per_player", "per_server", "films", "chronicle"),
)
SETTINGS = (CHANNELS, THREADS, PACE, HOSTS, PER_PLAYER, PER_SERVER, FILMS, CHRONICLE)
"""What can be changed, by the names of ServerSettings, in the order in which it is shown."""
LIMITS = {
    PER_PLAYER: (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50),
    PER_SERVER: (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500),
}
"""The numbers to choose from."""
CHOOSE, NONE, ON = "choose", "0", "1"
SHOWN = 20
"""Channels named at most."""

Offered = list[tuple[str, str]]
"""What can be chosen for a setting: value and label."""


@app_commands.command(name="settings", description=say("command.settings.description"))
@app_commands.default_permissions(manage_guild=True)
async def settings(interaction: Asked) -> None:
    """What the server has chosen, and a menu to change it."""
    guild = _managed(interaction)
    await _show(interaction, guild, await interaction.client.matches.servers.of(guild.id))


async def pressed(interaction: Asked, item: ServerItem) -> None:
    """One of its controls was used: the choice is kept, and all is shown anew."""
    guild, servers = _managed(interaction), interaction.client.matches.servers
    what, page, key = item.fields["what"], int(item.fields["page"]), item.fields["key"]
    values = (key,) if key else item.values
    is_choice = what != CHOOSE and (item.is_menu or bool(key))
    if what == CHOOSE:
        what = next(iter(values), "")
    if what not in SETTINGS:
        raise Refused(say("refusal.foreign_choice"))
    now = await servers.of(guild.id)
    if is_choice:
        changes: dict[str, Any] = {what: _read(guild, now, what, page, values)}
        if what == CHRONICLE:
            changes["is_chronicle_lost"] = False
        now = await servers.change(guild.id, **changes)
    with reply.answering():
        await _show(interaction, guild, now, what, page)


def _managed(interaction: Asked) -> discord.Guild:
    """The server, refused to whoever may not manage it: a server can show the command to anybody."""
    must_be_in_server(interaction)
    if not may_manage(interaction):
        raise Refused(say("server.not_yours"))
    if interaction.guild is None:
        raise Refused(say("refusal.restarting"))
    return interaction.guild


def _offered(guild: discord.Guild, what: str) -> Offered:
    """What a setting can be, on all pages together."""
    match what:
        case "channels":
            return [(str(channel.id), f"#{one_line(channel.name, 90)}") for channel in guild.text_channels]
        case "threads":
            return [(key, say(f"server.threads_{key}")) for key in Threads]
        case "pace":
            return [(key, _pace(key)) for key in Pace]
        case "hosts":
            roles = [role for role in reversed(guild.roles) if not role.is_default() and not role.is_bot_managed()]
            named = [(str(role.id), one_line(role.name, 90)) for role in roles]
            return [(NONE, say("server.everybody")), *named]
        case "films":
            return [(ON, say("server.films_on")), (NONE, say("server.films_off"))]
        case "chronicle":
            return [(NONE, say("server.chronicle_none")), *_offered(guild, CHANNELS)]
    numbers = [(str(number), say("server.at_once", number=number)) for number in LIMITS[what]]
    return [(NONE, say("server.no_limit")), *numbers]


def _read(guild: discord.Guild, now: ServerSettings, what: str, page: int, values: tuple[str, ...]) -> Any:
    """The value that was chosen, refused if it was not offered."""
    if what == CHANNELS and values == (NONE,):
        return ()
    shown = {value for value, _ in _offered(guild, what)[page * CHOICES : (page + 1) * CHOICES]}
    if not set(values) <= shown or (what != CHANNELS and len(values) != 1):
        raise Refused(say("refusal.foreign_choice"))
    if what == CHANNELS:
        # What is chosen on other pages stays, but for what is gone.
        kept = [one for one in now.channels if str(one) not in shown and guild.get_channel(one)]
        return (*kept, *map(int, values))
    kinds: dict[str, Callable[[str], Any]] = {THREADS: Threads, PACE: Pace, FILMS: ON.__eq__}
    return kinds.get(what, int)(values[0])


def _value(chosen: Any) -> str:
    """A choice as the menu knows it."""
    return str(int(chosen)) if isinstance(chosen, bool) else str(chosen)


def _pace(pace: Pace) -> str:
    """A pace with its numbers, in hours."""
    granted = GRANTS.get(pace)
    numbers = [getattr(granted, name, 0) // HOUR for name in ("bank", "increment", "cap")]
    return say(f"server.pace_{pace}", bank=numbers[0], increment=numbers[1], cap=numbers[2])


async def _show(interaction: Asked, guild: discord.Guild, now: ServerSettings, what: str = "", page: int = 0) -> None:
    """All settings with the control of the one that is being changed, in one private message."""
    shown = discord.Embed(title=say("server.title"), description=say("server.about"), colour=SEA)
    for key in SETTINGS:
        shown.add_field(name=say(f"server.{key}"), value=_in_words(guild, now, key), inline=False)
    if lacking := _lacking(interaction, guild, now):
        shown.add_field(name=say("server.lacking"), value=cut(lacking, 1024), inline=False)
    rows = [_which(what), *(_control(guild, now, what, page) if what else ())]
    await interaction.edit_original_response(embed=shown, view=view_of(rows), allowed_mentions=reply.NOBODY)


def _in_words(guild: discord.Guild, now: ServerSettings, key: str) -> str:
    match key:
        case "channels" if now.channels:
            there = [f"<#{one}>" for one in now.channels if guild.get_channel(one)]
            more = max(len(there) - SHOWN, 0)
            return say("server.in_channels", channels=listed(there[:SHOWN]) if there else "", more=more)
        case "channels":
            return say("server.everywhere")
        case "threads":
            return say(f"server.threads_{now.threads}")
        case "pace":
            return _pace(now.pace)
        case "hosts" if now.hosts:
            return say("server.role", role=f"<@&{now.hosts}>", gone=guild.get_role(now.hosts) is None)
        case "hosts":
            return say("server.everybody")
        case "films":
            return say("server.films_on" if now.films else "server.films_off")
        case "chronicle" if now.chronicle:
            channel = guild.get_channel(now.chronicle)
            return say("server.chronicle_there", channel=f"<#{now.chronicle}>", there=channel is not None)
        case "chronicle":
            return say("server.chronicle_none")
    number = getattr(now, key)
    return say("server.at_once", number=number) if number else say("server.no_limit")


def _lacking(interaction: Asked, guild: discord.Guild, now: ServerSettings) -> str:
    """What the bot lacks where matches may be opened; if that is everywhere, here."""
    place = interaction.channel
    channels = now.channels or ((place.parent_id if isinstance(place, discord.Thread) else interaction.channel_id),)
    lines = []
    for one in channels[:SHOWN]:
        channel = guild.get_channel(one or 0)
        lacks = missing(channel.permissions_for(guild.me), False, now.threads is not Threads.NEVER) if channel else []
        if channel and lacks:
            lines.append(say("server.lacks", channel=f"<#{channel.id}>", permissions=listed(lacks)))
    if now.chronicle and (lacks_there := trouble(guild, now)):
        lines.append(lacks_there)
    return "\n".join(lines)


def _which(what: str) -> Row:
    lines = tuple(choice(key, say(f"server.{key}"), chosen=key == what) for key in SETTINGS)
    return Menu(ids.server(CHOOSE), say("server.choose"), lines)


def _control(guild: discord.Guild, now: ServerSettings, what: str, page: int) -> list[Row]:
    """The menu of a setting, one page of it, and the buttons to others."""
    offered = _offered(guild, what)
    pages = max(1, -(-len(offered) // CHOICES))
    page %= pages
    chosen = {str(one) for one in now.channels} if what == CHANNELS else {_value(getattr(now, what))}
    lines = tuple(
        choice(value, label, chosen=value in chosen) for value, label in offered[page * CHOICES : (page + 1) * CHOICES]
    )
    rows: list[Row] = []
    if lines:
        most = len(lines) if what == CHANNELS else 1
        least = 0 if what == CHANNELS else 1
        rows.append(Menu(ids.server(what, page), say(f"server.{what}"), lines, least, most))
    buttons = [button(ids.server(what, page, NONE), say("server.everywhere"))] if what == CHANNELS else []
    if pages > 1:
        label = say("panel.next_page", number=(page + 1) % pages + 1, pages=pages)
        buttons.append(button(ids.server(what, (page + 1) % pages), label))
    return [*rows, tuple(buttons)] if buttons else rows
