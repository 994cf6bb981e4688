"""/me settings: when and how a player is reminded, when they are left alone, and whether others see their results."""

from typing import Any

import discord
from discord import app_commands

from bot.features.reminders.player_settings import (
    Delivery,
    ReminderLevel,
    ReminderSettings,
    local_time,
    read_quiet,
    read_time,
    written_time,
)
from bot.features.reminders.service import Reminders
from bot.kernel.zones import like_zone, read_zone
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, error_codes, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.names import hidden_players
from bot.ui.parts import CHOICES, Menu, Row, button, choice

SHOWN, HIDDEN = "shown", "hidden"
"""Whether others see somebody's results."""
QUIET_HOURS = ("22:00-08:00", "23:00-07:00", "20:00-09:00", "00:00-06:00")
"""Hours that are offered while somebody types."""


@app_commands.command(name="settings", description=say("command.me.settings"))
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
    level=[app_commands.Choice(name=say(f"me.level_{level}"), value=level) for level in ReminderLevel],
    way=[app_commands.Choice(name=say(f"me.way_{way}"), value=way) for way in Delivery],
)
@app_commands.rename(way="by")
async def settings(
    interaction: MotuInteraction,
    level: str | None = None,
    way: str | None = None,
    quiet: str | None = None,
    zone: str | None = None,
    digest: str | None = None,
    standing: str | None = None,
) -> None:
    """Change the settings, all that are given or none; then show them."""
    changes: dict[str, Any] = {}
    if level is not None:
        changes["level"] = ReminderLevel(level)
    if quiet is not None:
        changes["quiet"] = read_quiet(quiet)
    if zone is not None:
        changes["zone"] = read_zone(zone)
    if digest is not None:
        changes["digest"] = read_time(digest)
    if way is not None:
        # Last, because it sends a message: everything else has been understood by then.
        changes |= await _choose_delivery(interaction, Delivery(way))
    if standing is not None:
        await _hide(interaction, standing == HIDDEN)
    await _change(interaction, changes)


class SettingsControl(Item, template=r"me:(?P<what>level|way|loud|shown|hidden)"):
    """A menu or button under the answer to /me settings."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change what was chosen, and show the settings again."""
        what, value = self.fields["what"], next(iter(self.values), "")
        changes: dict[str, Any] = {}
        if what == "level" and value in list(ReminderLevel):
            changes = {"level": ReminderLevel(value)}
        elif what == "way" and value in list(Delivery):
            changes = await _choose_delivery(interaction, Delivery(value))
        elif what == "loud":
            changes = {"quiet": None}
        elif what in (SHOWN, HIDDEN):
            await _hide(interaction, what == HIDDEN)
        else:
            raise Refused(say("refusal.old_button"))
        await _change(interaction, changes)


async def _change(interaction: MotuInteraction, changes: dict[str, Any]) -> None:
    reminders = interaction.client.services.require(Reminders)
    user = interaction.user.id
    chosen = await reminders.change_settings(user, **changes) if changes else await reminders.settings.of(user)
    is_hidden = bool(await hidden_players(interaction.client, [user]))
    with reply.answering():
        await reply.show(interaction, _said(chosen, is_hidden, reminders.now()), _rows(chosen, is_hidden))


async def _hide(interaction: MotuInteraction, hidden: bool) -> None:
    await interaction.client.services.require(Reminders).settings.hide(interaction.user.id, hidden)


async def _choose_delivery(interaction: MotuInteraction, way: Delivery) -> dict[str, Any]:
    """Return the changes for a way of delivery; for direct messages, write the first one and refuse if it fails."""
    if way is not Delivery.DIRECT:
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


def _said(chosen: ReminderSettings, is_hidden: bool, now: float) -> str:
    lines = [say(f"me.how_{chosen.level}")]
    if chosen.level is not ReminderLevel.OFF:
        lines.append(say("me.how_direct" if chosen.is_direct else "me.how_mention"))
    if chosen.level is ReminderLevel.DIGEST:
        lines.append(say("me.digest", at=chosen.next_digest(now)))
    facts = {"zone": chosen.zone, "time": local_time(chosen.zone, now)}
    if chosen.quiet is not None:
        start, end = map(written_time, chosen.quiet)
        lines.append(say("me.quiet", start=start, end=end, **facts))
    else:
        lines.append(say("me.loud", **facts))
    lines.append(say("me.is_hidden" if is_hidden else "me.is_shown"))
    return "\n".join(lines)


def _rows(chosen: ReminderSettings, is_hidden: bool) -> list[Row]:
    way = Delivery.DIRECT if chosen.is_direct else Delivery.MENTION
    levels = tuple(choice(one, say(f"me.level_{one}"), chosen=one is chosen.level) for one in ReminderLevel)
    ways = tuple(choice(one, say(f"me.way_{one}"), chosen=one is way) for one in Delivery)
    standing = SHOWN if is_hidden else HIDDEN
    buttons = [button(f"me:{standing}", say(f"me.be_{standing}"))]
    if chosen.quiet is not None:
        buttons.insert(0, button("me:loud", say("me.no_quiet")))
    return [Menu("me:level", say("me.level"), levels), Menu("me:way", say("me.way"), ways), tuple(buttons)]


@settings.autocomplete("zone")
@completion.quiet
async def _complete_zone(interaction: MotuInteraction, current: str) -> completion.Choices:
    now = interaction.client.services.require(Reminders).now()
    found = like_zone(current)[:CHOICES]
    return completion.choices([(say("me.zone", zone=zone, time=local_time(zone, now)), zone) for zone in found])


@settings.autocomplete("quiet")
@completion.quiet
async def _complete_quiet(interaction: MotuInteraction, current: str) -> completion.Choices:
    offered = (*QUIET_HOURS, say("me.words_for_none").split()[0])
    return completion.choices([(hours, hours) for hours in offered if hours.startswith(current.strip().casefold())])
