"""The time of a table, chosen and shown: the lobby's menus, /game pace, open tables, /vacation."""

import pytest

from bot.features.lobby.rules import TERMS, menu_value
from bot.kernel.room import Room
from bot.kernel.zones import USUAL_ZONES
from bot.model import Expiry, Pace, Person, Terms, TimeTerms
from bot.runtime.base import Refused
from bot.ui import describe
from tests.bot.world import World


async def lobby(world: World) -> Room:
    """Ana's lobby, as it stands."""
    (room,) = await world.matches.here(world.channel.id)
    return room


async def test_only_the_host_sees_and_uses_the_menus(world: World) -> None:
    opened = (await world.lobby()).message
    assert "No clock" in (await world.bea.click(opened, label="Time…")).private.content
    asked = (await world.ana.click(opened, label="Time…")).private
    match = (await lobby(world)).record.id
    with pytest.raises(Refused, match="Only the host"):
        await world.matches.set_terms(
            match, Person(world.bea.id, "Bea"), Terms(time=TimeTerms(Pace.QUICK))
        )
    await world.ana.choose(asked, f"l:{match}:time_pace", ["easy"])
    assert (await lobby(world)).record.terms.time.pace is Pace.EASY
    assert "36 h more with each turn, up to 240 h" in str(world.newest().embeds[0]["fields"])


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("time_pace", "warp"),
        ("time_expiry", "execute"),
        ("time_weekends", "nowhere-atlantis"),
        ("time_pace", ""),
    ],
)
def test_what_no_menu_offers_is_refused(what: str, value: str) -> None:
    with pytest.raises(Refused, match="was not offered"):
        TERMS[what].choose(Terms(), value, "UTC")


async def test_the_command_chooses_in_a_lobby_and_shows_what_is_chosen(world: World) -> None:
    await world.lobby()
    chosen = await world.ana.slash(
        "/game pace", pace="steady", time_up="forfeit", weekends="berlin"
    )
    assert "steady" in chosen.private.content and "Berlin time" in chosen.private.content
    assert (await lobby(world)).record.terms.time == TimeTerms(
        Pace.STEADY, Expiry.FORFEIT, "Europe/Berlin"
    )
    for refused, words in (
        (await world.bea.slash("/game pace", pace="quick"), "Only the host"),
        (
            await world.ana.slash("/game pace", weekends="Atlantis"),
            "no time zone 'Atlantis'",
        ),
        (await world.ana.slash("/game pace", pace="steady"), "how it is already"),
    ):
        assert words in refused.private.content
    assert "their seat is given up" in (await world.bea.slash("/game pace")).private.content
    await world.ana.slash("/game pace", weekends="no")
    assert (await lobby(world)).record.terms.time.weekends == ""
    offered = (await world.ana.autocomplete("/game pace", weekends="auck")).choices
    assert "Pacific/Auckland" in str(offered)


async def test_who_joins_from_the_list_is_told_the_terms_first(world: World) -> None:
    await world.lobby()
    await world.ana.slash("/game pace", pace="quick", time_up="computer")
    shown = (await world.bea.slash("/games")).private
    tables = (await world.bea.click(shown, label="Open tables (1)")).private
    assert "pace quick" in tables.content
    terms = (await world.bea.click(tables, label="1. Join: Blue Lagoon")).private
    assert "a computer plays for them until they come back" in terms.content
    assert len((await lobby(world)).record.chairs) == 1
    joined = (await world.bea.click(terms, label="Join on these terms")).private
    assert "You have joined" in joined.content and len((await lobby(world)).record.chairs) == 2


async def test_whoever_sat_down_on_other_terms_is_told_once_and_sees_what_holds(
    world: World,
) -> None:
    opened = (await world.lobby()).message
    await world.ana.slash("/game pace", pace="steady")
    assert world.newest().id == opened.id, "nobody else sits there"
    await world.bea.click(opened, label="Join")
    await world.ana.slash("/game pace", pace="quick")
    told = world.newest()
    assert (
        f"<@{world.bea.id}>" in told.content
        and "Pace: quick" in told.content
        and "reminded" in told.content
    )
    await world.ana.slash("/game pace", time_up="forfeit")
    assert world.newest().id == told.id and "their seat is given up" in world.newest().content


async def test_who_asks_for_a_seat_is_told_the_terms_first(world: World) -> None:
    opened = (await world.lobby()).message
    await world.ana.slash("/game pace", pace="quick", time_up="forfeit")
    await world.add_computer(opened)
    await world.ana.click(opened, label="Start")
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    terms = (await world.bea.slash("/game replace", channel=world.place(room))).private
    assert "their seat is given up" in terms.content and not await world.matches.votes.unannounced(
        room.record.id
    )
    await world.bea.click(terms, label="Ask for the seat on these terms")
    (vote,) = await world.matches.votes.open_ones(room.record.id, "replace")
    assert vote.by.id == world.bea.id


async def test_a_vacation_is_refused_where_it_makes_no_sense(world: World) -> None:
    assert "not on vacation" in (await world.ana.slash("/vacation end")).private.content
    assert "14 of 14 days" in (await world.ana.slash("/vacation show")).private.content
    begun = (await world.ana.slash("/vacation begin", days=3, in_days=2)).private.content
    assert "No table waits for you" in begun and "14 are left" in begun


async def test_a_planned_vacation_is_shown_and_can_be_cancelled(world: World) -> None:
    await world.ana.slash("/vacation begin", days=3, in_days=2)
    planned = await world.matches.vacations.of(world.ana.id)
    shown = (await world.ana.slash("/vacation show")).private.content
    assert (
        f"from <t:{planned.since}:f> until <t:{planned.until}:f>" in shown
        and "14 of 14 days" in shown
    )
    ended = (await world.ana.slash("/vacation end")).private.content
    assert "cancelled" in ended and "Welcome back" not in ended
    assert "not on vacation" in (await world.ana.slash("/vacation show")).private.content
    assert "not on vacation" in (await world.ana.slash("/vacation end")).private.content


async def test_a_vacation_that_has_begun_is_shown_and_its_end_is_a_welcome(world: World) -> None:
    await world.ana.slash("/vacation begin", days=3)
    begun = await world.matches.vacations.of(world.ana.id)
    assert (
        f"on vacation until <t:{begun.until}:f>"
        in (await world.ana.slash("/vacation show")).private.content
    )
    assert "Welcome back" in (await world.ana.slash("/vacation end")).private.content
    assert "not on vacation" in (await world.ana.slash("/vacation show")).private.content


def test_every_contract_fits_its_field_and_every_menu_its_limits() -> None:
    for pace in Pace:
        for expiry in Expiry:
            for zone in ("", "America/Argentina/ComodRivadavia"):
                assert len(describe.time_contract(TimeTerms(pace, expiry, zone))) <= 1024
    assert len({menu_value(zone) for zone in ("", *USUAL_ZONES)}) == len(USUAL_ZONES) + 1
