"""/games: the matches of a person with many, opened right there one after the other; open
tables, and rematches.
"""

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.features import server_settings as settings
from bot.kernel.room import Room
from bot.model import Pace, Person, Place, Status, Terms, TimeTerms
from engine import Seat
from tests.bot.answers import answer, labels, parts, said
from tests.bot.conftest import World
from tests.bot.seating import ANA, BEA, House


async def in_many(world: World, number: int, **options: Any) -> list[Room]:
    """Matches of Ana and Bea that wait for Ana, and of which nothing is posted."""
    world.matches.stop_posting()
    ana, bea = (Person(one.id, one.name) for one in (world.ana, world.bea))
    place = Place(world.guild.id, world.channel.id, wants_thread=False)
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
    assert "no match" in said(await world.cem.slash(world.channel, "games"))
    room = await world.started()
    options = {"game": "blue_lagoon", "settings": "first=1"}
    lobby = (await world.bea.slash(world.channel, "game new", **options)).response.message
    await world.ana.click(lobby, label="Join")
    first, second = numbers(said(await world.ana.slash(world.channel, "games")))
    assert (
        first.startswith("1. **Your move** in **Blue Lagoon** with Bea")
        and str(room.record.place.thread) in first
    )
    assert "lobby, 2 seated" in second and f"/{lobby.id}" in second
    await world.bea.click(lobby, label="Start")
    shown = answer(await world.bea.slash(world.channel, "games"))
    first, second = numbers(shown.content)
    assert first.startswith("1. **Your move**") and "**Ana** places a piece" in second
    assert shown.content.startswith("**Your matches**: 2, of which 1 waits for you")


async def test_in_a_direct_message_a_press_opens_the_panel(world: World) -> None:
    someone = world.env.create_user("Dee")
    assert "You are in no match" in said(await someone.slash("games"))
    await someone.slash("solo", game="maori")
    shown = answer(await someone.slash("games"))
    opened = answer(await someone.click(shown.message, label=labels(shown)[0]))
    assert opened.attachments


async def test_somebody_in_sixty_matches_finds_each_on_a_page_and_plays_one_after_the_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "FIRST", 100)
    rooms = await in_many(world, 60)
    shown = answer(await world.ana.slash(world.channel, "games"))
    seen: set[str] = set()
    for page in range(8):
        assert len(shown.content) <= 2000 and f"(page {page + 1} of 8)" in shown.content
        seen |= {
            part["custom_id"].split(":")[1]
            for part in parts(shown)
            if part["custom_id"].startswith("t:")
        }
        turn = next(label for label in labels(shown) if label.startswith("Next page"))
        shown = answer(await world.ana.click(shown.message, label=turn))
    assert seen == {room.record.id for room in rooms}
    panel = answer(await world.ana.click(shown.message, label=labels(shown)[0]))
    for left in (59, 58):
        assert "Where do you place a piece?" in panel.content and not any(
            "Next match" in one for one in labels(panel)
        )
        pick = next(part for part in parts(panel) if part["custom_id"].startswith("m:"))
        panel = answer(await world.ana.click(panel.message, custom_id=pick["custom_id"]))
        pick = next(part for part in parts(panel) if part["custom_id"].startswith("p:"))
        panel = answer(await world.ana.click(panel.message, custom_id=pick["custom_id"]))
        confirm = next(label for label in labels(panel) if label.startswith("Confirm"))
        panel = answer(await world.ana.click(panel.message, label=confirm))
        assert panel.content.startswith("Done.") and f"Next match ({left} wait)" in labels(panel)
        panel = answer(await world.ana.click(panel.message, label=f"Next match ({left} wait)"))
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
        asked, seen = answer(await world.ana.slash(world.channel, command, **options)), set()
        for page in range(3):
            assert (
                len(asked.content) <= 2000
                and labels(asked)[-1] == f"Next page ({(page + 1) % 3 + 1} of 3)"
            )
            seen |= {label.rpartition(" ")[2] for label in labels(asked)[:-1]}
            asked = answer(await world.ana.click(asked.message, label=labels(asked)[-1]))
        assert seen == {room.record.id for room in rooms}, command
    asked = answer(await world.ana.slash(world.channel, "play", move="17!"))
    asked = answer(await world.ana.click(asked.message, label="Next page (2 of 3)"))
    chosen = labels(asked)[3]
    assert said(await world.ana.click(asked.message, label=chosen)).startswith("Done.")
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
    hidden = world.guild.create_text_channel(
        "hidden",
        overwrites={world.guild.default_role: discord.PermissionOverwrite(view_channel=False)},
    )
    ana, place = Person(world.ana.id, "Ana"), Place(world.guild.id, hidden.id)
    secret = await world.matches.open_lobby("maori", {}, place, ana)
    await world.matches.matches.note_messages(secret.record.id, lobby_message=5)
    shown = answer(await world.bea.slash(world.channel, "games"))
    tables = answer(await world.bea.click(shown.message, label="Open tables (1)"))
    assert (
        "1. **Blue Lagoon** with Ana: 3 seats free" in tables.content
        and "Maori" not in tables.content
    )
    joined = answer(await world.bea.click(tables.message, label="1. Join: Blue Lagoon"))
    assert "You have joined: Blue Lagoon" in joined.content and "lobby, 2 seated" in joined.content
    assert [len(room.record.chairs) for room in await world.matches.of_user(world.bea.id)] == [2]
    assert "Open tables" not in "".join(
        labels(answer(await world.bea.slash(world.channel, "games")))
    )


async def test_seats_that_are_offered_are_found_there_and_the_table_is_asked(world: World) -> None:
    room = await world.started(world.bea)
    await world.ana.slash(world.place(await world.room(room)), "game replace")
    assert "Open tables" not in "".join(
        labels(answer(await world.bea.slash(world.channel, "games")))
    )
    shown = answer(await world.cem.slash(world.channel, "games"))
    tables = answer(await world.cem.click(shown.message, label="Open tables (1)"))
    assert "**Blue Lagoon** with Ana and Bea: a seat can be taken over" in tables.content
    asked = answer(await world.cem.click(tables.message, label="1. Ask for the seat: Blue Lagoon"))
    assert "The table is asked: https://discord.com/channels/" in asked.content
    vote = (await world.matches.votes.open_ones(room.record.id, "replace"))[0]
    await world.matches.votes.cast(room.record.id, vote.number, world.bea.id, "yes")
    await world.env.settle()
    assert (await world.room(room)).seat_of(world.cem.id) == 0
    again = answer(await world.ana.slash(world.channel, "games"))
    assert "Open tables" not in "".join(labels(again)) and "Blue Lagoon" not in again.content


async def test_a_rematch_waits_for_the_others_over_a_restart_and_stands_in_their_list(
    world: World,
) -> None:
    room = await world.started()
    asked = answer(await world.bea.slash(world.place(room), "resign"))
    await world.bea.click(asked.message, label="Yes, give up my seat")
    await world.env.settle()
    await world.ana.click(world.place(room).last_message, label="Rematch")
    await world.restart()
    shown = answer(await world.bea.slash(world.channel, "games"))
    assert "1. Offered: a rematch of **Blue Lagoon** with Ana" in shown.content
    accepted = answer(await world.bea.click(shown.message, label="1. Accept: Blue Lagoon"))
    assert "Blue Lagoon" in accepted.content
    (again,) = await world.matches.of_user(world.bea.id)
    assert {person.name for person in again.record.chairs} == {"Ana", "Bea"}
    assert again.record.status is Status.RUNNING, "the last has come, so it begins"
    assert "Offered" not in said(await world.bea.slash(world.channel, "games"))


async def test_a_lobby_elsewhere_is_offered_to_whoever_sits_in_it(world: World) -> None:
    await world.lobby()
    other = world.guild.create_text_channel("elsewhere")
    asked = answer(await world.ana.slash(other, "game cancel"))
    assert "no lobby here" in asked.content and len(labels(asked)) == 1
    assert "Cancelled" in said(await world.ana.click(asked.message, label=labels(asked)[0]))
    assert "lists open tables" in said(await world.bea.slash(other, "game join"))
