"""/me settings (reminders, quiet hours, whether others see results), and a welcome to newcomers.

The command and the two forms change the same settings (player_settings.py), and each answers with
all of them.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.features.reminders.player_settings import (
    WELCOMED,
    Delivery,
    ReminderLevel,
    ReminderSettings,
    local_time,
    note_welcomed,
    read_quiet,
    read_time,
)
from bot.features.reminders.service import Reminders
from bot.features.status_card import StatusCards
from bot.kernel.queries import player_setting, put_player_setting
from bot.kernel.zones import parse_zone, suggest_zones
from bot.model import HIDDEN
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import (
    CHOICES,
    Button,
    Choices,
    Content,
    Entered,
    Form,
    Item,
    MotuInteraction,
    Section,
    TextField,
    autocomplete,
    error_codes,
    form_button,
    hidden_players,
    radio_or_menu,
    reply,
    service,
    slash,
)

SHOWN = "shown"
"""The choice that other players see the user's results; the alternative is HIDDEN."""
TYPED_LENGTH = 50
"""The most characters of a time or a time zone in a form."""
QUIET_HOURS = ("22:00-08:00", "23:00-07:00", "20:00-09:00", "00:00-06:00")
"""Suggestions for quiet hours."""


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
    """Change the settings that are given, then show them all; if one is invalid, change none."""
    typed = {
        "level": (level, ReminderLevel),
        "quiet": (quiet, read_quiet),
        "zone": (zone, parse_zone),
        "digest": (digest, read_digest),
    }
    changes: dict[str, Any] = {}
    for name, (text, read) in typed.items():
        if text is not None:
            changes[name] = read(text)
    if way is not None:
        # Do this last, because it sends a direct message: now all other options are known to be
        # valid.
        changes |= await _choose_delivery(interaction, Delivery(way))
    await _change(interaction, changes, standing)


class ReminderForm(Form, template=r"me:reminders", command="me.settings"):
    """The form for how often and where a player is reminded."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current settings."""
        chosen = await service(interaction, Reminders).of(interaction.user.id)
        levels = [(one, say(f"me.level_{one}")) for one in ReminderLevel]
        ways = [(one, say(f"me.way_{one}")) for one in Delivery]
        digest = TextField(
            key="digest",
            label=say("me.digest_time"),
            description=say("me.digest_help"),
            value="" if chosen.digest is None else clock_time(chosen.digest),
            max_length=TYPED_LENGTH,
        )
        fields = [
            radio_or_menu("level", say("me.level"), levels, chosen.level),
            radio_or_menu("way", say("me.way"), ways, delivery_of(chosen)),
            digest,
        ]
        return Content(say("me.reminders"), fields)

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Change the settings, and show all of them."""
        changes: dict[str, Any] = {
            "level": entered.member("level", ReminderLevel),
            "digest": read_digest(entered.text("digest")),
        }
        before = await service(interaction, Reminders).of(interaction.user.id)
        way = entered.member("way", Delivery)
        if way is not delivery_of(before):
            # Do this last, because it may send a direct message.
            changes |= await _choose_delivery(interaction, way)
        await _change(interaction, changes)


class QuietForm(Form, template=r"me:quiet", command="me.settings"):
    """The form for when a player does not want to be disturbed."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the current settings."""
        chosen = await service(interaction, Reminders).of(interaction.user.id)
        hours = "-".join(map(clock_time, chosen.quiet)) if chosen.quiet else ""
        fields = [
            TextField(
                key="quiet",
                label=say("me.quiet_hours"),
                description=say("me.quiet_help"),
                value=hours,
                placeholder=QUIET_HOURS[0],
                max_length=TYPED_LENGTH,
            ),
            TextField(
                key="zone",
                label=say("me.own_zone"),
                description=say("me.zone_help"),
                value=chosen.zone,
                is_required=True,
                max_length=TYPED_LENGTH,
            ),
        ]
        return Content(say("me.quiet_title"), fields)

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Change the settings, and show all of them."""
        quiet = entered.text("quiet")
        changes = {
            "quiet": read_quiet(quiet) if quiet else None,
            "zone": parse_zone(entered.text("zone")),
        }
        await _change(interaction, changes)


class StandingButton(Item, template=rf"me:(?P<what>{SHOWN}|{HIDDEN})"):
    """Shows or hides a player's results."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change it, and show all settings again."""
        await _change(interaction, {}, self.fields["what"])


def read_digest(typed: str) -> int | None:
    """Parse the time of the daily summary; None, its usual time, for 'off' or nothing."""
    is_none = not typed or typed.strip().casefold() in say("me.words_for_none").split()
    return None if is_none else read_time(typed)


def clock_time(minutes: int) -> str:
    """Return minutes after midnight as a time of day, such as '22:30'."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def delivery_of(chosen: ReminderSettings) -> Delivery:
    """Return where a player is reminded now; if direct messages are closed, by mentions."""
    return Delivery.DIRECT if chosen.is_direct else Delivery.MENTION


async def _choose_delivery(interaction: MotuInteraction, way: Delivery) -> dict[str, Any]:
    """Return the changes for a way of delivery.

    For direct messages, first send one to check that the user accepts them; refuse if not.
    """
    if way is not Delivery.DIRECT:
        return {"way": way}
    if interaction.guild_id is None and interaction.channel_id:
        # The command was used in a direct message, so they are open.
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
        if cards := interaction.client.services.get(StatusCards):
            cards.refresh_all()
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
    if chosen.quiet is not None:
        start, end = map(clock_time, chosen.quiet)
        quiet = say("me.quiet", start=start, end=end, **facts)
    else:
        quiet = say("me.loud", **facts)
    other = SHOWN if is_hidden else HIDDEN
    parts = [
        Section("\n".join(lines), form_button("me:reminders", say("me.edit_reminders"))),
        Section(quiet, form_button("me:quiet", say("me.edit_quiet"))),
        Section(
            say("me.is_hidden" if is_hidden else "me.is_shown"),
            Button(f"me:{other}", say(f"me.be_{other}")),
        ),
    ]
    await reply.show(interaction, "", parts)


@settings.autocomplete("zone")
@autocomplete
async def _complete_zone(interaction: MotuInteraction, current: str) -> Choices:
    now = interaction.client.kernel.now()
    found = suggest_zones(current)[:CHOICES]
    return [(say("me.zone", zone=zone, time=local_time(zone, now)), zone) for zone in found]


@settings.autocomplete("quiet")
@autocomplete
async def _complete_quiet(interaction: MotuInteraction, current: str) -> Choices:
    offered = (*QUIET_HOURS, say("me.words_for_none").split()[0])
    return [(hours, hours) for hours in offered if hours.startswith(current.strip().casefold())]


async def with_welcome(interaction: MotuInteraction, show: Callable[..., Awaitable[None]]) -> None:
    """Call `show`, which sends a private answer; for a new user, pass it a line of welcome."""
    store, user = interaction.client.kernel.store, interaction.user.id
    is_known = await store.read(player_setting, user, WELCOMED) is not None
    # The write checks again: a user may press twice before the first press is answered.
    if is_known or not await store.write(note_welcomed, user):
        await show()
        return
    try:
        await show(say("welcome.line"))
    except BaseException:
        # They have not seen the welcome, so it is sent with the next answer.
        await store.write(put_player_setting, user, WELCOMED, None)
        raise
