"""/me settings: what is chosen, completed and refused; and the one line of welcome."""

import pytest

from bot.features.reminders.player_settings import Delivery, ReminderLevel, ReminderSettings
from tests.bot.world import World


async def chosen(world: World) -> ReminderSettings:
    """What Ana has chosen."""
    return await world.matches.pings.of(world.ana.id)


async def test_it_shows_how_things_stand_and_changes_nothing(world: World) -> None:
    shown = await world.ana.slash("/me settings")
    assert (
        shown.ephemeral
        and "**every turn**" in shown.private.content
        and "mention you" in shown.private.content
    )
    assert "No quiet hours" in shown.private.content and await chosen(world) == ReminderSettings()


async def test_all_of_it_is_chosen_by_one_command(world: World) -> None:
    options = {"level": "digest", "quiet": "10pm to 7", "zone": "berlin", "digest": "18:30"}
    shown = (await world.ana.slash("/me settings", **options)).private.content
    assert await chosen(world) == ReminderSettings(
        ReminderLevel.DIGEST, Delivery.MENTION, (1320, 420), "Europe/Berlin", 1110
    )
    assert "22:00 to 07:00 (Europe/Berlin" in shown and "Next digest: <t:" in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"quiet": "tonight"}, "no quiet hours"),
        ({"quiet": "8-8"}, "no end"),
        ({"zone": "Atlantis"}, "no time zone"),
        ({"digest": "25:00"}, "no time of day"),
        ({"level": "off", "zone": "@everyone `x`"}, "no time zone"),
    ],
)
async def test_what_makes_no_sense_is_refused_whole_and_privately(
    world: World, options: dict[str, str], reason: str
) -> None:
    refused = await world.ana.slash("/me settings", **options)
    assert (
        refused.ephemeral
        and reason in refused.private.content
        and await chosen(world) == ReminderSettings()
    )


async def test_menus_and_the_button_change_it_in_place(world: World) -> None:
    shown = (await world.ana.slash("/me settings", quiet="22-8")).private
    assert shown.labels == ["No quiet hours", "Hide my results"]
    await world.ana.click(shown, label="No quiet hours")
    assert (await chosen(world)).quiet is None
    await world.ana.choose(shown, "me:level", ["off"])
    assert (await chosen(world)).level is ReminderLevel.OFF
    await world.ana.choose(shown, "me:way", ["direct"])
    assert (await chosen(world)).is_direct
    await world.ana.choose(shown, "me:way", ["mention"])
    assert not (await chosen(world)).is_direct


async def test_a_direct_message_is_opened_when_somebody_asks_for_it_and_not_before(
    world: World,
) -> None:
    assert [
        asked for asked in world.discord.rest.asked if asked.path == "/users/@me/channels"
    ] == []
    await world.ana.slash("/me settings", by="direct")
    opened = [asked for asked in world.discord.rest.asked if asked.path == "/users/@me/channels"]
    assert len(opened) == 1 and (await chosen(world)).channel


async def test_a_closed_direct_message_is_refused_with_the_reason_and_nothing_is_chosen(
    world: World,
) -> None:
    world.ana.user.takes_dms = False
    refused = await world.ana.slash("/me settings", level="digest", by="direct")
    assert (
        refused.ephemeral
        and "does not let me write to you" in refused.private.content
        and await chosen(world) == ReminderSettings()
    )


async def test_time_zones_are_completed_with_what_the_clocks_show_there(world: World) -> None:
    offered = (await world.ana.autocomplete("/me settings", zone="berl")).choices
    assert [choice["value"] for choice in offered] == ["Europe/Berlin"] and ", now " in offered[0][
        "name"
    ]
    everything = (await world.ana.autocomplete("/me settings", zone="")).choices
    assert 20 <= len(everything) <= 25
    quiet = (await world.ana.autocomplete("/me settings", quiet="2")).choices
    assert [choice["value"] for choice in quiet] == ["22:00-08:00", "23:00-07:00", "20:00-09:00"]


async def test_a_players_first_match_comes_with_one_private_line_once(world: World) -> None:
    opened = (await world.lobby()).message
    joined = await world.bea.click(opened, label="Join")
    assert [line.content.startswith("Welcome to Motu!") for line in joined.followups] == [True]
    assert all(line.ephemeral for line in joined.followups)
    await world.bea.click(opened, label="Leave")
    assert (await world.bea.click(opened, label="Join")).followups == []
    by_command = await world.cem.slash("/game join")
    assert (
        by_command.private.content.startswith("You have joined")
        and "Welcome to Motu!" in by_command.private.content
    )
    await world.ana.click(opened, label="Start")
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    panels = [
        (await world.ana.slash("/play", channel=world.place(room))).private.content
        for _ in range(2)
    ]
    assert ["Welcome to Motu!" in panel for panel in panels] == [True, False], (
        "the host is welcomed in the panel"
    )
