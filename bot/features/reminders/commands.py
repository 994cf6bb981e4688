"""/me settings: reminders, quiet hours and whether others see results; the welcome of newcomers."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.features.reminders.player_settings import (
    WELCOMED,
    Delivery,
    ReminderLevel,
    local_time,
    note_welcomed,
    read_quiet,
    read_time,
)
from bot.features.reminders.service import Reminders
from bot.kernel.queries import player_setting, put_player_setting
from bot.kernel.zones import like_zone, read_zone
from bot.model import HIDDEN
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    CHOICES,
    Button,
    Choice,
    Choices,
    Item,
    Menu,
    MotuInteraction,
    autocomplete,
    error_codes,
    hidden_players,
    reply,
    service,
    slash,
)

SHOWN = "shown"
"""The choice that others see somebody's results; the other one is HIDDEN."""
QUIET_HOURS = ("22:00-08:00", "23:00-07:00", "20:00-09:00", "00:00-06:00")
"""Hours that are offered while somebody types."""


@slash(
    "me.settings",
    choices={
        "standing": ("me.standing_{}", (SHOWN, HIDDEN)),
        "level": ("me.level_{}", ReminderLevel),
        "way": ("me.way_{}", Delivery),
    },
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
    typed = {
        "level": (level, ReminderLevel),
        "quiet": (quiet, read_quiet),
        "zone": (zone, read_zone),
        "digest": (digest, read_time),
    }
    changes = {name: read(text) for name, (text, read) in typed.items() if text is not None}
    if way is not None:
        # Last, because it sends a message: everything else has been understood by then.
        changes |= await _choose_delivery(interaction, Delivery(way))
    await _change(interaction, changes, standing)


class SettingsControl(Item, template=r"me:(?P<what>level|way|loud|shown|hidden)"):
    """A menu or button under the answer to /me settings."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change what was chosen, and show the settings again."""
        what, value = self.fields["what"], next(iter(self.values), "")
        if what == "level" and value in list(ReminderLevel):
            await _change(interaction, {"level": ReminderLevel(value)})
        elif what == "way" and value in list(Delivery):
            await _change(interaction, await _choose_delivery(interaction, Delivery(value)))
        elif what == "loud":
            await _change(interaction, {"quiet": None})
        elif what in (SHOWN, HIDDEN):
            await _change(interaction, {}, what)
        else:
            raise Refused("refusal.old_button")


async def _choose_delivery(interaction: MotuInteraction, way: Delivery) -> dict[str, Any]:
    """Return the changes for a way of delivery; write the first direct message, or refuse."""
    if way is not Delivery.DIRECT:
        return {"way": way}
    if interaction.guild_id is None and interaction.channel_id:
        return {"way": way, "channel": interaction.channel_id}
    try:
        channel = await interaction.client.create_dm(interaction.user)
        await channel.send(say("me.hello"))
    except discord.HTTPException as error:
        if error.code not in error_codes.DIRECT_CLOSED:
            raise
        raise Refused("me.closed") from error
    return {"way": way, "channel": channel.id}


async def _change(
    interaction: MotuInteraction, changes: dict[str, Any], standing: str | None = None
) -> None:
    """Change some of the settings, and show all of them."""
    reminders, user = service(interaction, Reminders), interaction.user.id
    if standing is not None:
        value = "1" if standing == HIDDEN else None
        await interaction.client.kernel.store.write(put_player_setting, user, HIDDEN, value)
    if changes:
        chosen = await reminders.change_settings(user, **changes)
    else:
        chosen = await reminders.of(user)
    is_hidden = bool(await hidden_players(interaction.client, [user]))
    now = interaction.client.kernel.now()
    lines = [say(f"me.how_{chosen.level}")]
    if chosen.level is not ReminderLevel.OFF:
        lines.append(say("me.how_direct" if chosen.is_direct else "me.how_mention"))
    if chosen.level is ReminderLevel.DIGEST:
        lines.append(say("me.digest", at=chosen.next_digest(now)))
    facts = {"zone": chosen.zone, "time": local_time(chosen.zone, now)}
    other_standing = SHOWN if is_hidden else HIDDEN
    buttons = [Button(f"me:{other_standing}", say(f"me.be_{other_standing}"))]
    if chosen.quiet is not None:
        start, end = (f"{minutes // 60:02}:{minutes % 60:02}" for minutes in chosen.quiet)
        lines.append(say("me.quiet", start=start, end=end, **facts))
        buttons.insert(0, Button("me:loud", say("me.no_quiet")))
    else:
        lines.append(say("me.loud", **facts))
    lines.append(say("me.is_hidden" if is_hidden else "me.is_shown"))
    way = Delivery.DIRECT if chosen.is_direct else Delivery.MENTION
    levels = tuple(
        Choice(one, say(f"me.level_{one}"), chosen=one is chosen.level) for one in ReminderLevel
    )
    ways = tuple(Choice(one, say(f"me.way_{one}"), chosen=one is way) for one in Delivery)
    menus = (Menu("me:level", say("me.level"), levels), Menu("me:way", say("me.way"), ways))
    await reply.show(interaction, "\n".join(lines), [*menus, tuple(buttons)])


@settings.autocomplete("zone")
@autocomplete
async def _complete_zone(interaction: MotuInteraction, current: str) -> Choices:
    now = interaction.client.kernel.now()
    found = like_zone(current)[:CHOICES]
    return [(say("me.zone", zone=zone, time=local_time(zone, now)), zone) for zone in found]


@settings.autocomplete("quiet")
@autocomplete
async def _complete_quiet(interaction: MotuInteraction, current: str) -> Choices:
    offered = (*QUIET_HOURS, say("me.words_for_none").split()[0])
    return [(hours, hours) for hours in offered if hours.startswith(current.strip().casefold())]


async def with_welcome(interaction: MotuInteraction, show: Callable[..., Awaitable[None]]) -> None:
    """Show a private answer; to somebody who is new to the bot, with a line of welcome."""
    store, user = interaction.client.kernel.store, interaction.user.id
    is_known = await store.read(player_setting, user, WELCOMED) is not None
    # Asked again as it is noted: they may press twice before the first press is answered.
    if is_known or not await store.write(note_welcomed, user):
        await show()
        return
    try:
        await show(say("welcome.line"))
    except BaseException:
        await store.write(put_player_setting, user, WELCOMED, None)
        raise
