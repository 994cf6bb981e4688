"""/games: a person's matches, open tables and rematches."""

from pathlib import Path
from typing import Any

import pytest

from bot.features import server_settings as settings
from bot.features.play.panel import PAGE, PICK
from bot.kernel.room import Room
from bot.model import Pace, Person, Place, Status, Terms, TimeTerms
from engine import Seat
from tests.bot.backend import ANA, BEA, Backend
from tests.bot.world import World


async def start_many(world: World, number: int, **options: Any) -> list[Room]:
    """Start matches of Ana and Bea that wait for Ana, without posts."""
    world.matches.stop_posting()
    ana, bea = (Person(one.id, one.name) for one in (world.ana, world.bea))
    place = Place(world.guild, world.channel.id, wants_thread=False)
    rooms = []
    for _ in range(number):
        room = await world.matches.open_lobby("blue_lagoon", {"first": "1"}, place, ana, **options)
        await world.matches.join(room.record.id, bea)
        rooms.append(await world.matches.start(room.record.id, ana))
    return rooms


def numbered_lines(text: str) -> list[str]:
    """Return the numbered lines of a list."""
    return [line for line in text.splitlines() if line[0].isdecimal()]


async def test_my_matches_are_listed_with_links_and_those_that_wait_come_first(
    world: World,
) -> None:
    assert "not in a match" in (await world.cem.ask("/games")).content
    room = await world.start_match()
    options = {"game": "blue_lagoon", "settings": "first=1"}
    lobby = (await world.bea.slash("/game new", **options)).message
    await world.ana.click(lobby, label="Join")
    first, second = numbered_lines((await world.ana.ask("/games")).content)
    assert first.startswith("1. **Your turn** in **Blue Lagoon** with Bea")
    assert str(room.record.place.thread) in first
    assert "lobby, 2 players so far" in second and f"/{lobby.id}" in second
    await world.bea.click(lobby, label="Start")
    shown = await world.bea.ask("/games")
    first, second = numbered_lines(shown.content)
    assert first.startswith("1. **Your turn**") and "**Ana**'s turn: place a piece" in second
    assert shown.content.startswith("**Your matches** (2): 1 is waiting for you")


async def test_in_a_direct_message_a_press_opens_the_panel(world: World) -> None:
    someone = world.add_person("Dee")
    assert (
        "You're not in a match"
        in (await someone.ask("/games", channel=world.discord.dm(someone))).content
    )
    await someone.slash("/solo", channel=world.discord.dm(someone), game="maori")
    shown = await someone.ask("/games", channel=world.discord.dm(someone))
    opened = await someone.press(shown, label=shown.labels[0])
    assert opened.attachments


async def test_a_player_in_sixty_matches_finds_each_on_a_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NEWCOMER_LIMIT", 100)
    rooms = await start_many(world, 60)
    shown = await world.ana.ask("/games")
    seen: set[str] = set()
    for page in range(8):
        assert len(shown.content) <= 2000 and f"page {page + 1} of 8" in shown.content
        seen |= {
            part["custom_id"].split(":")[1]
            for part in shown.controls
            if part["custom_id"].startswith("t:")
        }
        turn = next(label for label in shown.labels if label.startswith("Next page"))
        shown = await world.ana.press(shown, label=turn)
    assert seen == {room.record.id for room in rooms}
    panel = await world.ana.press(shown, label=shown.labels[0])
    for left in (59, 58):
        assert "Where do you place your piece?" in panel.content
        assert not any("Next match" in one for one in panel.labels)
        pick = next(part for part in panel.controls if part["custom_id"].startswith(f"{PAGE}:"))
        panel = await world.ana.press(panel, custom_id=pick["custom_id"])
        pick = next(part for part in panel.controls if part["custom_id"].startswith(f"{PICK}:"))
        panel = await world.ana.press(panel, custom_id=pick["custom_id"])
        confirm = next(label for label in panel.labels if label.startswith("Confirm"))
        panel = await world.ana.press(panel, label=confirm)
        assert panel.content.startswith("Done.") and f"Next match ({left} waiting)" in panel.labels
        panel = await world.ana.press(panel, label=f"Next match ({left} waiting)")
    played = [room for room in rooms if (await world.reload(room)).playing().number == 1]
    assert len(played) == 2


async def test_a_command_that_could_mean_sixty_matches_offers_pages(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NEWCOMER_LIMIT", 100)
    rooms = await start_many(world, 60)
    for command, options in (
        ("play", {"move": "17!"}),
        ("undo", {"all": True}),
        ("board", {}),
        ("game move", {}),
    ):
        answer = await world.ana.ask(command, **options)
        seen = set()
        for page in range(3):
            assert len(answer.content) <= 2000
            assert answer.labels[-1] == f"Next page ({(page + 1) % 3 + 1} of 3)"
            seen |= {label.rpartition(" ")[2] for label in answer.labels[:-1]}
            answer = await world.ana.press(answer, label=answer.labels[-1])
        assert seen == {room.record.id for room in rooms}, command
    answer = await world.ana.ask("/play", move="17!")
    answer = await world.ana.press(answer, label="Next page (2 of 3)")
    chosen = answer.labels[3]
    assert (await world.ana.press(answer, label=chosen)).content.startswith("Done.")
    assert (await world.matches.find(chosen.rpartition(" ")[2])).playing().number == 1


async def test_the_next_match_is_the_one_with_the_least_time_left(tmp_path: Path) -> None:
    now = [1_790_000_000.0]
    backend = Backend(tmp_path / "motu.sqlite3", now=lambda: now[0])
    matches = await backend.open()
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
    await backend.matches.close()


async def test_open_lobbies_are_listed_for_people_who_can_see_them(world: World) -> None:
    await world.open_lobby()
    hidden = world.discord.add_channel("hidden")
    world.discord.deny(hidden, "view_channel", to=world.bea)
    ana = Person(world.ana.id, "Ana")
    place = Place(world.guild, hidden.id)
    secret = await world.matches.open_lobby("maori", {}, place, ana)
    await world.matches.matches.note_messages(secret.record.id, lobby_message=5)
    shown = await world.bea.ask("/games")
    tables = await world.bea.press(shown, label="Open tables (1)")
    assert "1. **Blue Lagoon** with Ana: 3 seats free" in tables.content
    assert "Maori" not in tables.content
    joined = await world.bea.press(tables, label="Join")
    assert "You're in: Blue Lagoon" in joined.content
    assert "lobby, 2 players so far" in joined.content
    assert [len(room.record.chairs) for room in await world.matches.of_user(world.bea.id)] == [2]
    assert "Open tables" not in "".join((await world.bea.ask("/games")).labels)


async def test_offered_seats_are_listed_and_can_be_asked_for(world: World) -> None:
    room = await world.start_match(world.bea)
    place = world.place(await world.reload(room))
    await world.ana.slash("/game replace", channel=place, player="Ana")
    assert "Open tables" not in "".join((await world.bea.ask("/games")).labels)
    shown = await world.cem.ask("/games")
    tables = await world.cem.press(shown, label="Open tables (1)")
    assert "**Blue Lagoon** with Ana and Bea: a seat is up for grabs" in tables.content
    answer = await world.cem.press(tables, label="Ask for the seat")
    assert "You asked for **Ana**'s seat in Blue Lagoon" in answer.content
    assert "[Go to the vote](https://discord.com/channels/" in answer.content
    vote = (await world.matches.votes.find_open(room.record.id, "replace"))[0]
    await world.matches.votes.cast(room.record.id, vote.number, world.bea.id, "yes")
    await world.wait_until_idle()
    assert (await world.reload(room)).seat_of(world.cem.id) == 0
    again = await world.ana.ask("/games")
    assert "Open tables" not in "".join(again.labels) and "Blue Lagoon" not in again.content


async def test_a_rematch_survives_a_restart_and_is_listed_for_the_others(
    world: World,
) -> None:
    room = await world.start_match()
    answer = await world.bea.ask("/resign", channel=world.place(room))
    await world.bea.click(answer, label="Yes, give up my seat")
    await world.wait_until_idle()
    await world.ana.click(world.newest(room), label="Rematch")
    await world.restart()
    shown = await world.bea.ask("/games")
    assert "1. Rematch offered: **Blue Lagoon** with Ana" in shown.content
    accepted = await world.bea.press(shown, label="Accept")
    assert "Blue Lagoon" in accepted.content
    (again,) = await world.matches.of_user(world.bea.id)
    assert {person.name for person in again.record.chairs} == {"Ana", "Bea"}
    assert again.record.status is Status.RUNNING, "the last has come, so it begins"
    assert "Offered" not in (await world.bea.ask("/games")).content


async def test_a_lobby_elsewhere_is_offered_to_its_players(world: World) -> None:
    await world.open_lobby()
    other = world.discord.add_channel("elsewhere")
    answer = await world.ana.ask("/game cancel", channel=other)
    assert "no lobby here" in answer.content and len(answer.labels) == 1
    assert "Cancelled" in (await world.ana.press(answer, label=answer.labels[0])).content
    assert (
        "find a table with `/games`" in (await world.bea.ask("/game join", channel=other)).content
    )


async def test_the_next_match_says_which_one_it_is(world: World) -> None:
    first = await world.start_match()
    second = await world.start_match()
    done = (await world.play(world.ana, first, "17!")).private
    panel = await world.ana.press(done, label="Next match (1 waiting)")
    assert panel.content.startswith(f"**Blue Lagoon** (`{second.record.id}`) with Bea\n")


async def test_a_command_about_finished_matches_finds_them(world: World) -> None:
    commands = ("/review", "/export", "/verify", "/replay")
    for command in commands[:3]:
        assert "No match has finished here yet" in (await world.ana.ask(command)).content
    rooms = [await world.start_match() for _ in range(2)]
    await world.resign(world.bea, rooms[0])
    await world.wait_until_idle()
    for command in commands[1:3]:
        answer = (await world.ana.slash(command)).content
        assert rooms[0].record.id in answer, "the only one that has ended in this channel"
    assert "isn't over yet" in (await world.ana.ask("/verify", match=rooms[1].record.id)).content
    await world.resign(world.bea, rooms[1])
    await world.wait_until_idle()
    for command in commands:
        asked = await world.ana.ask(command)
        assert "Several matches have finished here. Which one?" in asked.content
        assert len(asked.labels) == 2
        offered = (await world.ana.autocomplete(command, match="")).choices
        assert {choice["value"] for choice in offered} == {room.record.id for room in rooms}
    elsewhere = world.discord.add_channel("elsewhere")
    asked = await world.ana.ask("/verify", channel=elsewhere)
    assert "No match has finished here. Did you mean one of these?" in asked.content
