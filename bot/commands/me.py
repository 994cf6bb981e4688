"""/me settings: when and how somebody is called, when they are left alone, and whether others see how they stand."""

from typing import Any

import discord
from discord import app_commands

from bot import error_codes, reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked, MeItem
from bot.components.parts import CHOICES, Menu, Row, button, choice
from bot.errors import Refused
from bot.matches.player_settings import (
    CallLevel,
    Choices,
    Way,
    local_time,
    read_quiet,
    read_time,
    written_time,
)
from bot.matches.zones import like_zone, read_zone
from bot.text import say

SHOWN, HIDDEN = "shown", "hidden"
"""Whether others see how somebody stands."""
QUIET_HOURS = ("22:00-08:00", "23:00-07:00", "20:00-09:00", "00:00-06:00")
"""What is offered while somebody types."""


me = app_commands.Group(name="me", description=say("command.me.description"))


@me.command(name="settings", description=say("command.me.settings"))
@app_commands.describe(
    level=say("command.me.level"),
    way=say("command.me.by"),
    quiet=say("command.me.quiet"),
    zone=say("command.me.zone"),
    digest=say("command.me.digest"),
    standing=say("command.me.standing"),
)
@app_commands.choices(
    standing=[app_commands.Choice(name=say(f"me.standing_{wish}"), value=wish) for wish in (SHOWN, HIDDEN)],
    level=[app_commands.Choice(name=say(f"me.level_{level}"), value=level) for level in CallLevel],
    way=[app_commands.Choice(name=say(f"me.way_{way}"), value=way) for way in Way],
)
@app_commands.rename(way="by")
async def settings(
    interaction: Asked,
    level: str | None = None,
    way: str | None = None,
    quiet: str | None = None,
    zone: str | None = None,
    digest: str | None = None,
    standing: str | None = None,
) -> None:
    """What is chosen, all of it or nothing; without a choice, how things stand."""
    changes: dict[str, Any] = {}
    if level is not None:
        changes["level"] = CallLevel(level)
    if quiet is not None:
        changes["quiet"] = read_quiet(quiet)
    if zone is not None:
        changes["zone"] = read_zone(zone)
    if digest is not None:
        changes["digest"] = read_time(digest)
    # Last, for it writes to somebody: everything else has been understood by then.
    changes |= await _by(interaction, Way(way)) if way is not None else {}
    if standing is not None:
        await interaction.client.matches.standing.hide(interaction.user.id, standing == HIDDEN)
    await _change(interaction, changes)


async def pressed(interaction: Asked, item: MeItem) -> None:
    """A menu or button under the answer to /me settings was used."""
    what, values = item.fields["what"], item.values
    if what == "level" and values and values[0] in list(CallLevel):
        await _change(interaction, {"level": CallLevel(values[0])})
    elif what == "way" and values and values[0] in list(Way):
        await _change(interaction, await _by(interaction, Way(values[0])))
    elif what == "games":
        games: Any = interaction.client.tree.get_command("games")
        await games.callback(interaction)
    elif what == "loud":
        await _change(interaction, {"quiet": None})
    elif what in (SHOWN, HIDDEN):
        await interaction.client.matches.standing.hide(interaction.user.id, what == HIDDEN)
        await _change(interaction, {})
    else:
        raise Refused(say("refusal.old_button"))


async def _change(interaction: Asked, changes: dict[str, Any]) -> None:
    pings = interaction.client.matches.pings
    chosen = await pings.settings.of(interaction.user.id)
    if changes:
        chosen = await pings.chosen(interaction.user.id, **changes)
    is_hidden = await interaction.client.matches.standing.is_hidden(interaction.user.id)
    with reply.answering():
        await reply.show(interaction, _said(chosen, is_hidden, pings.now()), _rows(chosen, is_hidden))


async def _by(interaction: Asked, way: Way) -> dict[str, Any]:
    """The choice of a way; a direct message is opened now, when somebody asks for it, and refused if it is closed."""
    if way is not Way.DIRECT:
        return {"way": way}
    if interaction.guild_id is None and interaction.channel_id:
        return {"way": way, "channel": interaction.channel_id}
    try:
        channel = await interaction.client.create_dm(interaction.user)
        await channel.send(say("me.hello"), allowed_mentions=reply.NOBODY)
    except discord.HTTPException as error:
        if error.code not in error_codes.DIRECT_CLOSED:
            raise
        raise Refused(say("me.closed")) from error
    return {"way": way, "channel": channel.id}


def _said(chosen: Choices, is_hidden: bool, now: float) -> str:
    lines = [say(f"me.how_{chosen.level}")]
    if chosen.level is not CallLevel.OFF:
        lines.append(say("me.how_direct" if chosen.is_direct else "me.how_mention"))
    if chosen.level is CallLevel.DIGEST:
        lines.append(say("me.digest", at=chosen.next_digest(now)))
    facts = {"zone": chosen.zone, "time": local_time(chosen.zone, now)}
    if chosen.quiet is not None:
        start, end = map(written_time, chosen.quiet)
        lines.append(say("me.quiet", start=start, end=end, **facts))
    else:
        lines.append(say("me.loud", **facts))
    lines.append(say("me.is_hidden" if is_hidden else "me.is_shown"))
    return "\n".join(lines)


def _rows(chosen: Choices, is_hidden: bool) -> list[Row]:
    way = Way.DIRECT if chosen.is_direct else Way.MENTION
    rows: list[Row] = [
        Menu(ids.me("level"), say("me.level"), _lines("level", CallLevel, chosen.level)),
        Menu(ids.me("way"), say("me.way"), _lines("way", Way, way)),
    ]
    standing = SHOWN if is_hidden else HIDDEN
    buttons = [button(ids.me("loud"), say("me.no_quiet"))] if chosen.quiet is not None else []
    return [*rows, (*buttons, button(ids.me(standing), say(f"me.be_{standing}")))]


def _lines(what: str, kinds: type[CallLevel] | type[Way], chosen: CallLevel | Way) -> Any:
    return tuple(choice(kind, say(f"me.{what}_{kind}"), chosen=kind == chosen) for kind in kinds)


@settings.autocomplete("zone")
@completion.quiet
async def _complete_zone(interaction: Asked, current: str) -> completion.Choices:
    now = interaction.client.matches.pings.now()
    found = like_zone(current)[:CHOICES]
    return completion.choices([(say("me.zone", zone=zone, time=local_time(zone, now)), zone) for zone in found])


@settings.autocomplete("quiet")
@completion.quiet
async def _complete_quiet(interaction: Asked, current: str) -> completion.Choices:
    offered = (*QUIET_HOURS, say("me.words_for_none").split()[0])
    return completion.choices([(hours, hours) for hours in offered if hours.startswith(current.strip().casefold())])
