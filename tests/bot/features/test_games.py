"""/games: the matches of a person with many, opened right there one after the other; open
tables, and rematches.
"""

from pathlib import Path
from typing import Any

import pytest

from bot.features import server_settings as settings
from bot.kernel.room import Room
from bot.model import Pace, Person, Place, Status, Terms, TimeTerms
from engine import Seat
from tests.bot.seating import ANA, BEA, House
from tests.bot.world import World


async def in_many(world: World, number: int, **options: Any) -> list[Room]:
    """Matches of Ana and Bea that wait for Ana, and of which nothing is posted."""
    world.matches.stop_posting()
    ana, bea = (Person(one.id, one.name) for one in (world.ana, world.bea))
    place = Place(world.guild, world.channel.id, wants_thread=False)
    rooms = []
    for _ in range(number):
        room = await world.matches.open_lobby("blue_lagoon", {"first": "1"}, place, ana, **options)
        await world.matches.join(room.record.id, bea)
        rooms.append(await world.matches.start(room.record.id, ana))
    return rooms


def numbers(text: str) -> list[str]:
    """The numbered lines of a list."""
    return [line for line in text.splitlines() if line[0].isdecimal()]


async def test_it_lists_mine_with_links_those_that_wait_for_me_first(world: World) -> None:
    assert "no match" in (await world.cem.slash("/games")).private.content
    room = await world.started()
    options = {"game": "blue_lagoon", "settings": "first=1"}
    lobby = (await world.bea.slash("/game new", **options)).message
    await world.ana.click(lobby, label="Join")
    first, second = numbers((await world.ana.slash("/games")).private.content)
    assert (
        first.startswith("1. **Your move** in **Blue Lagoon** with Bea")
        and str(room.record.place.thread) in first
    )
    assert "lobby, 2 seated" in second and f"/{lobby.id}" in second
    await world.bea.click(lobby, label="Start")
    shown = (await world.bea.slash("/games")).private
    first, second = numbers(shown.content)
    assert first.startswith("1. **Your move**") and "**Ana** places a piece" in second
    assert shown.content.startswith("**Your matches**: 2, of which 1 waits for you")


async def test_in_a_direct_message_a_press_opens_the_panel(world: World) -> None:
    someone = world.person("Dee")
    assert (
        "You are in no match"
        in (await someone.slash("/games", channel=world.discord.dm(someone))).private.content
    )
    await someone.slash("/solo", channel=world.discord.dm(someone), game="maori")
    shown = (await someone.slash("/games", channel=world.discord.dm(someone))).private
    opened = (await someone.click(shown, label=shown.labels[0])).private
    assert opened.attachments


async def test_somebody_in_sixty_matches_finds_each_on_a_page_and_plays_one_after_the_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "FIRST", 100)
    rooms = await in_many(world, 60)
    shown = (await world.ana.slash("/games")).private
    seen: set[str] = set()
    for page in range(8):
        assert len(shown.content) <= 2000 and f"(page {page + 1} of 8)" in shown.content
        seen |= {
            part["custom_id"].split(":")[1]
            for part in shown.controls
            if part["custom_id"].startswith("t:")
        }
        turn = next(label for label in shown.labels if label.startswith("Next page"))
        shown = (await world.ana.click(shown, label=turn)).private
    assert seen == {room.record.id for room in rooms}
    panel = (await world.ana.click(shown, label=shown.labels[0])).private
    for left in (59, 58):
        assert "Where do you place a piece?" in panel.content and not any(
            "Next match" in one for one in panel.labels
        )
        pick = next(part for part in panel.controls if part["custom_id"].startswith("m:"))
        panel = (await world.ana.click(panel, custom_id=pick["custom_id"])).private
        pick = next(part for part in panel.controls if part["custom_id"].startswith("p:"))
        panel = (await world.ana.click(panel, custom_id=pick["custom_id"])).private
        confirm = next(label for label in panel.labels if label.startswith("Confirm"))
        panel = (await world.ana.click(panel, label=confirm)).private
        assert panel.content.startswith("Done.") and f"Next match ({left} wait)" in panel.labels
        panel = (await world.ana.click(panel, label=f"Next match ({left} wait)")).private
    played = [room for room in rooms if (await world.room(room)).playing().number == 1]
    assert len(played) == 2


async def test_a_command_that_could_mean_sixty_matches_offers_all_of_them_in_pages(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "FIRST", 100)
    rooms = await in_many(world, 60)
    for command, options in (
        ("play", {"move": "17!"}),
        ("undo", {"all": True}),
        ("board", {}),
        ("game move", {}),
    ):
        asked, seen = (await world.ana.slash(command, **options)).private, set()
        for page in range(3):
            assert (
                len(asked.content) <= 2000
                and asked.labels[-1] == f"Next page ({(page + 1) % 3 + 1} of 3)"
            )
            seen |= {label.rpartition(" ")[2] for label in asked.labels[:-1]}
            asked = (await world.ana.click(asked, label=asked.labels[-1])).private
        assert seen == {room.record.id for room in rooms}, command
    asked = (await world.ana.slash("/play", move="17!")).private
    asked = (await world.ana.click(asked, label="Next page (2 of 3)")).private
    chosen = asked.labels[3]
    assert (await world.ana.click(asked, label=chosen)).private.content.startswith("Done.")
    assert (await world.matches.find(chosen.rpartition(" ")[2])).playing().number == 1


async def test_the_next_match_is_the_one_with_the_least_time_left(tmp_path: Path) -> None:
    now = [1_790_000_000.0]
    house = House(tmp_path / "motu.sqlite3", now=lambda: now[0])
    matches = await house.open()
    for pace in (Pace.NONE, Pace.STEADY, Pace.QUICK):
        terms = Terms(time=TimeTerms(pace=pace))
        room = await matches.open_lobby(
            "blue_lagoon", {"first": "1"}, Place(1, 2), ANA, terms=terms
        )
        await matches.join(room.record.id, BEA)
        await matches.start(room.record.id, ANA)
    waiting = await matches.waiting_for(ANA.id)
    assert [room.record.terms.time.pace for room in waiting] == [Pace.QUICK, Pace.STEADY, Pace.NONE]
    assert matches.clocks.deadline(waiting[0], Seat(0)) == now[0] + 86_400
    assert await matches.waiting_for(BEA.id) == []
    await house.matches.close()


async def test_open_tables_are_listed_to_those_who_see_them_and_joined_there(world: World) -> None:
    await world.lobby()
    hidden = world.discord.add_channel("hidden")
    world.discord.deny(hidden, "view_channel", to=world.bea)
    ana, place = Person(world.ana.id, "Ana"), Place(world.guild, hidden.id)
    secret = await world.matches.open_lobby("maori", {}, place, ana)
    await world.matches.matches.note_messages(secret.record.id, lobby_message=5)
    shown = (await world.bea.slash("/games")).private
    tables = (await world.bea.click(shown, label="Open tables (1)")).private
    assert (
        "1. **Blue Lagoon** with Ana: 3 seats free" in tables.content
        and "Maori" not in tables.content
    )
    joined = (await world.bea.click(tables, label="1. Join: Blue Lagoon")).private
    assert "You have joined: Blue Lagoon" in joined.content and "lobby, 2 seated" in joined.content
    assert [len(room.record.chairs) for room in await world.matches.of_user(world.bea.id)] == [2]
    assert "Open tables" not in "".join((await world.bea.slash("/games")).private.labels)


async def test_seats_that_are_offered_are_found_there_and_the_table_is_asked(world: World) -> None:
    room = await world.started(world.bea)
    await world.ana.slash("/game replace", channel=world.place(await world.room(room)))
    assert "Open tables" not in "".join((await world.bea.slash("/games")).private.labels)
    shown = (await world.cem.slash("/games")).private
    tables = (await world.cem.click(shown, label="Open tables (1)")).private
    assert "**Blue Lagoon** with Ana and Bea: a seat can be taken over" in tables.content
    asked = (await world.cem.click(tables, label="1. Ask for the seat: Blue Lagoon")).private
    assert "The table is asked: https://discord.com/channels/" in asked.content
    vote = (await world.matches.votes.open_ones(room.record.id, "replace"))[0]
    await world.matches.votes.cast(room.record.id, vote.number, world.bea.id, "yes")
    await world.idle()
    assert (await world.room(room)).seat_of(world.cem.id) == 0
    again = (await world.ana.slash("/games")).private
    assert "Open tables" not in "".join(again.labels) and "Blue Lagoon" not in again.content


async def test_a_rematch_waits_for_the_others_over_a_restart_and_stands_in_their_list(
    world: World,
) -> None:
    room = await world.started()
    asked = (await world.bea.slash("/resign", channel=world.place(room))).private
    await world.bea.click(asked, label="Yes, give up my seat")
    await world.idle()
    await world.ana.click(world.newest(room), label="Rematch")
    await world.restart()
    shown = (await world.bea.slash("/games")).private
    assert "1. Offered: a rematch of **Blue Lagoon** with Ana" in shown.content
    accepted = (await world.bea.click(shown, label="1. Accept: Blue Lagoon")).private
    assert "Blue Lagoon" in accepted.content
    (again,) = await world.matches.of_user(world.bea.id)
    assert {person.name for person in again.record.chairs} == {"Ana", "Bea"}
    assert again.record.status is Status.RUNNING, "the last has come, so it begins"
    assert "Offered" not in (await world.bea.slash("/games")).private.content


async def test_a_lobby_elsewhere_is_offered_to_whoever_sits_in_it(world: World) -> None:
    await world.lobby()
    other = world.discord.add_channel("elsewhere")
    asked = (await world.ana.slash("/game cancel", channel=other)).private
    assert "no lobby here" in asked.content and len(asked.labels) == 1
    assert "Cancelled" in (await world.ana.click(asked, label=asked.labels[0])).private.content
    assert (
        "lists open tables" in (await world.bea.slash("/game join", channel=other)).private.content
    )
