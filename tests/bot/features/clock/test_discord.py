"""Time controls on Discord: the lobby's form, /game pace, open tables and /vacation."""

import pytest

from bot.features.lobby.rules import TIME_TERMS, menu_value
from bot.features.vacation import VACATION_NOTICE, VACATION_OVER
from bot.kernel import queries
from bot.kernel.room import Room
from bot.kernel.zones import USUAL_ZONES
from bot.model import Expiry, Pace, Person, Terms, TimeTerms
from bot.runtime.base import Refused
from bot.ui import describe
from tests.bot.manual_clock import DAY
from tests.bot.world import World

TERMS = {term.key: term for term in TIME_TERMS}


async def find_lobby(world: World) -> Room:
    """Return the current state of Ana's lobby."""
    (room,) = await world.matches.here(world.channel.id)
    return room


async def test_only_the_host_fills_in_the_form(world: World) -> None:
    card = (await world.open_lobby()).message
    assert "Only the host" in (await world.bea.press(card, label="Pace")).content
    match = (await find_lobby(world)).record.id
    with pytest.raises(Refused, match="Only the host"):
        await world.matches.set_terms(
            match, Person(world.bea.id, "Bea"), Terms(time=TimeTerms(Pace.QUICK))
        )
    opened = await world.ana.click(card, label="Pace")
    assert opened.form.values == {
        "Pace": ["none"],
        "When somebody's time is up": ["remind"],
        "Weekends": ["none"],
    }
    given = {"Pace": "easy", "Weekends": "pacific-auckland"}
    sent = await world.ana.submit(opened, given)
    assert sent.message is card
    assert (await find_lobby(world)).record.terms.time == TimeTerms(
        Pace.EASY, weekends="Pacific/Auckland"
    )
    assert "36 h per turn, up to 240 h" in str(world.newest().embeds[0]["fields"])
    refused = await world.ana.submit(await world.ana.click(card, label="Pace"))
    assert "already the setting" in refused.private.content


async def test_the_pace_command_offers_the_form(world: World) -> None:
    await world.open_lobby()
    answer = await world.ana.ask("/game pace")
    sent = await world.ana.submit(await world.ana.click(answer, label="Change"), {"Pace": "quick"})
    assert sent.message is answer and "Pace: quick" in sent.content
    assert (await find_lobby(world)).record.terms.time.pace is Pace.QUICK
    assert not (await world.bea.ask("/game pace")).buttons


async def test_a_player_proposes_another_pace_in_a_form(world: World) -> None:
    room = await world.start_match()
    answer = await world.bea.ask("/game pace", channel=world.place(room))
    opened = await world.bea.click(answer, label="Propose other time limits")
    sent = await world.bea.submit(opened, {"Pace": "steady"})
    assert "vote" in sent.private.content.lower()
    (vote,) = await world.matches.votes.find_open(room.record.id, "pace")
    assert vote.by.id == world.bea.id
    stranger = await world.cem.ask("/game pace", channel=world.place(room), match=room.record.id)
    assert not stranger.buttons


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("time_pace", "warp"),
        ("time_expiry", "execute"),
        ("time_weekends", "nowhere-atlantis"),
        ("time_pace", ""),
    ],
)
def test_a_value_that_the_form_does_not_offer_is_refused(what: str, value: str) -> None:
    with pytest.raises(Refused, match="wasn't one of the choices"):
        TERMS[what].choose(Terms(), value, "UTC")


async def test_the_pace_command_sets_and_shows_the_terms_of_a_lobby(world: World) -> None:
    await world.open_lobby()
    chosen = await world.ana.slash(
        "/game pace", pace="steady", time_up="forfeit", weekends="berlin"
    )
    assert "steady" in chosen.private.content and "Berlin time" in chosen.private.content
    assert (await find_lobby(world)).record.terms.time == TimeTerms(
        Pace.STEADY, Expiry.FORFEIT, "Europe/Berlin"
    )
    for refused, words in (
        (await world.bea.slash("/game pace", pace="quick"), "Only the host"),
        (
            await world.ana.slash("/game pace", weekends="Atlantis"),
            "don't know the time zone 'Atlantis'",
        ),
        (await world.ana.slash("/game pace", pace="steady"), "already the setting"),
    ):
        assert words in refused.private.content
    assert "they lose their seat" in (await world.bea.ask("/game pace")).content
    await world.ana.slash("/game pace", weekends="no")
    assert (await find_lobby(world)).record.terms.time.weekends == ""
    offered = (await world.ana.autocomplete("/game pace", weekends="auck")).choices
    assert "Pacific/Auckland" in str(offered)


async def test_joining_from_the_list_shows_the_terms_first(world: World) -> None:
    await world.open_lobby()
    await world.ana.slash("/game pace", pace="quick", time_up="computer")
    shown = await world.bea.ask("/games")
    tables = await world.bea.press(shown, label="Open tables (1)")
    assert "quick pace" in tables.content
    terms = await world.bea.press(tables, label="Join")
    assert "a computer plays for them until they come back" in terms.content
    assert len((await find_lobby(world)).record.chairs) == 1
    joined = await world.bea.press(terms, label="Join on these terms")
    assert "You're in" in joined.content and len((await find_lobby(world)).record.chairs) == 2


async def test_players_are_told_once_when_the_terms_they_joined_on_change(
    world: World,
) -> None:
    opened = (await world.open_lobby()).message
    await world.ana.slash("/game pace", pace="steady")
    assert world.newest().id == opened.id, "nobody else sits there"
    await world.bea.click(opened, label="Join")
    await world.ana.slash("/game pace", pace="quick")
    message = world.newest()
    assert f"<@{world.bea.id}>" in message.content
    assert "Pace: quick" in message.content
    assert "a reminder" in message.content
    await world.ana.slash("/game pace", time_up="forfeit")
    assert world.newest().id == message.id and "they lose their seat" in world.newest().content


async def test_asking_for_a_seat_shows_the_terms_first(world: World) -> None:
    opened = (await world.open_lobby()).message
    await world.ana.slash("/game pace", pace="quick", time_up="forfeit")
    await world.add_computer(opened)
    await world.ana.click(opened, label="Start")
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    terms = await world.bea.ask("/game replace", channel=world.place(room))
    assert "they lose their seat" in terms.content
    assert f"seat in Blue Lagoon (`{room.record.id}`), with Ana." in terms.content
    assert not await world.matches.votes.unannounced(room.record.id)
    await world.bea.click(terms, label="Ask for the seat on these terms")
    (vote,) = await world.matches.votes.find_open(room.record.id, "replace")
    assert vote.by.id == world.bea.id


async def test_impossible_vacations_are_refused(world: World) -> None:
    assert "not on vacation" in (await world.ana.ask("/vacation end")).content
    assert "14 of 14 days" in (await world.ana.ask("/vacation show")).content
    text = (await world.ana.ask("/vacation begin", days=3, in_days=2)).content
    assert "No table is waiting for you" in text and "14 days left" in text


async def test_a_vacation_is_planned_in_a_form(world: World) -> None:
    opened = await world.ana.slash("/vacation begin")
    assert "14 vacation days left" in opened.form.text
    refused = await world.ana.submit(opened, {"For how many days": "ten"})
    assert "'ten' isn't a whole number" in refused.private.content
    again = await world.ana.click(refused.private, label="Edit again")
    assert again.form.values["For how many days"] == "ten"
    refused = await world.ana.submit(again, {"For how many days": "61"})
    assert "1 to 60 days" in refused.content
    again = await world.ana.click(refused.message, label="Edit again")
    given = {"For how many days": "3", "Starting in how many days": "2"}
    response = await world.ana.submit(again, given)
    assert "Your vacation:" in response.content
    planned = await world.matches.vacations.of(world.ana.id)
    assert planned.until - planned.since == 3 * DAY


async def test_a_planned_vacation_is_shown_and_can_be_cancelled(world: World) -> None:
    await world.ana.slash("/vacation begin", days=3, in_days=2)
    planned = await world.matches.vacations.of(world.ana.id)
    shown = (await world.ana.ask("/vacation show")).content
    assert f"from <t:{planned.since}:f> until <t:{planned.until}:f>" in shown
    assert "14 of 14 days" in shown
    ended = (await world.ana.ask("/vacation end")).content
    assert "cancelled" in ended and "Welcome back" not in ended
    assert "not on vacation" in (await world.ana.ask("/vacation show")).content
    assert "not on vacation" in (await world.ana.ask("/vacation end")).content


async def test_a_running_vacation_is_shown_and_can_be_ended(world: World) -> None:
    await world.ana.slash("/vacation begin", days=3)
    begun = await world.matches.vacations.of(world.ana.id)
    assert (
        f"on vacation until <t:{begun.until}:f>" in (await world.ana.ask("/vacation show")).content
    )
    assert "Welcome back" in (await world.ana.ask("/vacation end")).content
    assert "not on vacation" in (await world.ana.ask("/vacation show")).content


@pytest.mark.parametrize(
    ("in_days", "afterwards"),
    [(0, "**Ana** is back from vacation."), (2, "**Ana** cancelled their vacation.")],
    ids=["begun", "planned"],
)
async def test_the_table_s_notices_of_a_vacation_do_not_outlast_it(
    world: World, in_days: int, afterwards: str
) -> None:
    room = await world.start_match()

    async def wait_until_done(kind: str) -> None:
        async def is_done() -> bool:
            find = queries.find_job
            return not await world.matches.store.read(find, kind, room.record.id, world.ana.id)

        await world.wait_until(is_done)

    notices = []
    for days in (3, 5):
        await world.ana.slash("/vacation begin", days=days, in_days=in_days)
        await wait_until_done(VACATION_NOTICE)
        notices.append(world.newest(room))
        assert "**Ana** is away from" in notices[-1].content
    assert notices[0] is not notices[1]
    await world.ana.slash("/vacation end")
    await wait_until_done(VACATION_OVER)
    assert [notice.content.endswith(afterwards) for notice in notices] == [True, True]


def test_terms_and_menus_stay_within_discord_s_limits() -> None:
    for pace in Pace:
        for expiry in Expiry:
            for zone in ("", "America/Argentina/ComodRivadavia"):
                assert len(describe.time_contract(TimeTerms(pace, expiry, zone))) <= 1024
    assert len({menu_value(zone) for zone in ("", *USUAL_ZONES)}) == len(USUAL_ZONES) + 1
