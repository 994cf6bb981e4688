"""/me settings, and the one-time welcome."""

import pytest

from bot.features.reminders.player_settings import Delivery, ReminderLevel, ReminderSettings
from tests.bot.world import World


async def settings_of_ana(world: World) -> ReminderSettings:
    """Return Ana's settings."""
    return await world.matches.pings.of(world.ana.id)


async def test_it_shows_the_current_settings_and_changes_nothing(world: World) -> None:
    shown = await world.ana.slash("/me settings")
    assert shown.ephemeral
    assert "**every turn**" in shown.private.content
    assert "mention you" in shown.private.content
    assert (
        "No quiet hours" in shown.private.content
        and await settings_of_ana(world) == ReminderSettings()
    )


async def test_one_command_changes_all_settings(world: World) -> None:
    options = {"level": "digest", "quiet": "10pm to 7", "zone": "berlin", "digest": "18:30"}
    shown = (await world.ana.ask("/me settings", **options)).content
    assert await settings_of_ana(world) == ReminderSettings(
        ReminderLevel.DIGEST, Delivery.MENTION, (1320, 420), "Europe/Berlin", 1110
    )
    assert "22:00 to 07:00 (Europe/Berlin" in shown and "Next summary: <t:" in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"quiet": "tonight"}, "don't understand"),
        ({"quiet": "8-8"}, "start and end at the same time"),
        ({"zone": "Atlantis"}, "don't know the time zone"),
        ({"digest": "25:00"}, "isn't a time of day"),
        ({"level": "off", "zone": "@everyone `x`"}, "don't know the time zone"),
    ],
)
async def test_invalid_settings_are_refused_privately_and_as_a_whole(
    world: World, options: dict[str, str], reason: str
) -> None:
    refused = await world.ana.slash("/me settings", **options)
    assert refused.ephemeral
    assert reason in refused.private.content
    assert await settings_of_ana(world) == ReminderSettings()


async def test_forms_change_settings_in_place(world: World) -> None:
    shown = await world.ana.ask("/me settings", quiet="22-8", zone="berlin", digest="18:30")
    assert shown.labels == ["Edit reminders", "Edit quiet hours", "Hide my results"]
    opened = await world.ana.click(shown, label="Edit reminders")
    assert opened.form.values == {
        "How often I remind you": ["turn"],
        "Where I remind you": ["mention"],
        "Time of your daily summary": "18:30",
    }
    given = {"How often I remind you": "one summary a day", "Time of your daily summary": ""}
    sent = await world.ana.submit(opened, {**given, "Where I remind you": "direct"})
    assert sent.message is shown and "**one summary a day**" in shown.content
    chosen = await settings_of_ana(world)
    assert (chosen.level, chosen.digest) == (ReminderLevel.DIGEST, None) and chosen.is_direct
    opened = await world.ana.click(shown, label="Edit quiet hours")
    assert opened.form.values == {
        "Hours without reminders": "22:00-08:00",
        "Your time zone": "Europe/Berlin",
    }
    await world.ana.submit(opened, {"Hours without reminders": "", "Your time zone": "auckland"})
    chosen = await settings_of_ana(world)
    assert (chosen.quiet, chosen.zone) == (None, "Pacific/Auckland") and chosen.is_direct


@pytest.mark.parametrize(
    ("button", "given", "reason"),
    [
        ("Edit reminders", {"Time of your daily summary": "noonish"}, "isn't a time of day"),
        ("Edit quiet hours", {"Hours without reminders": "tonight"}, "don't understand"),
        ("Edit quiet hours", {"Your time zone": "Atlantis"}, "don't know the time zone"),
    ],
)
async def test_a_refused_form_changes_nothing_and_can_be_corrected(
    world: World, button: str, given: dict[str, str], reason: str
) -> None:
    shown = await world.ana.ask("/me settings")
    refused = await world.ana.submit(await world.ana.click(shown, label=button), given)
    assert reason in refused.private.content
    assert await settings_of_ana(world) == ReminderSettings()
    again = await world.ana.click(refused.private, label="Edit again")
    assert given.items() <= again.form.values.items()


async def test_the_usual_time_of_the_summary_can_be_typed(world: World) -> None:
    await world.ana.slash("/me settings", digest="18:30")
    await world.ana.slash("/me settings", digest="off")
    assert (await settings_of_ana(world)).digest is None


async def test_a_direct_message_is_opened_only_when_a_player_asks_for_it(
    world: World,
) -> None:
    assert [
        asked for asked in world.discord.rest.requests if asked.path == "/users/@me/channels"
    ] == []
    await world.ana.slash("/me settings", by="direct")
    opened = [asked for asked in world.discord.rest.requests if asked.path == "/users/@me/channels"]
    assert len(opened) == 1 and (await settings_of_ana(world)).channel


async def test_closed_direct_messages_are_refused_with_the_reason(
    world: World,
) -> None:
    world.ana.user.takes_dms = False
    refused = await world.ana.slash("/me settings", level="digest", by="direct")
    assert refused.ephemeral
    assert "won't let me message you" in refused.private.content
    assert await settings_of_ana(world) == ReminderSettings()


async def test_time_zones_are_completed_with_their_local_time(world: World) -> None:
    offered = (await world.ana.autocomplete("/me settings", zone="berl")).choices
    assert [choice["value"] for choice in offered] == ["Europe/Berlin"]
    assert ", now " in offered[0]["name"]
    everything = (await world.ana.autocomplete("/me settings", zone="")).choices
    assert 20 <= len(everything) <= 25
    quiet = (await world.ana.autocomplete("/me settings", quiet="2")).choices
    assert [choice["value"] for choice in quiet] == ["22:00-08:00", "23:00-07:00", "20:00-09:00"]


async def test_a_players_first_match_comes_with_one_private_line_once(world: World) -> None:
    opened = (await world.open_lobby()).message
    joined = await world.bea.click(opened, label="Join")
    assert [line.content.startswith("Welcome to Motu!") for line in joined.followups] == [True]
    assert all(line.ephemeral for line in joined.followups)
    await world.bea.click(opened, label="Leave")
    assert (await world.bea.click(opened, label="Join")).followups == []
    by_command = await world.cem.slash("/game join")
    assert by_command.private.content.startswith("You're in")
    assert "Welcome to Motu!" in by_command.private.content
    await world.ana.click(opened, label="Start")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    panels = [(await world.ana.ask("/play", channel=world.place(room))).content for _ in range(2)]
    assert ["Welcome to Motu!" in panel for panel in panels] == [True, False], (
        "the host is welcomed in the panel"
    )
