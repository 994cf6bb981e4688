"""Lobbies: who may come, go, choose and start."""

import re
import secrets
from asyncio import gather
from pathlib import Path

import pytest

from bot.features.lobby import messages as lobby_message
from bot.features.lobby.rules import Table
from bot.features.lobby.service import derive_match_id
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Status
from bot.runtime.base import BotError, NotFound, Refused
from bot.ui.parts import Menu
from engine import GAMES, BadSettings, Seat, UnknownGame, commitment
from tests.bot.seating import ANA, BEA, CEM, DAG, PLACE, House, names, playing
from tests.bot.tables import check_rows


@pytest.fixture
async def lobby(house: House) -> Room:
    """A lobby that Ana opened."""
    return await house.matches.open_lobby("toy", {}, PLACE, ANA)


async def unchanged(house: House, room: Room) -> bool:
    """Whether the match is as it was, in memory and in the file."""
    in_memory = await house.matches.find(room.record.id)
    stored = await house.matches.store.read(queries.load_match, room.record.id)
    return stored is not None and in_memory.record == stored.record == room.record


async def test_the_host_sits_in_the_first_chair(house: House, lobby: Room) -> None:
    assert (lobby.record.status, lobby.record.host, lobby.record.chairs) == (
        Status.LOBBY,
        ANA.id,
        (ANA,),
    )
    assert lobby.match is None and await unchanged(house, lobby)


async def test_ids_are_short_and_never_the_same(house: House) -> None:
    hosts = [Person(100 + number, "Host") for number in range(50)]
    rooms = [await house.matches.open_lobby("toy", {}, PLACE, host) for host in hosts]
    assert len({room.record.id for room in rooms}) == 50
    assert all(re.fullmatch(r"[a-z0-9]{8}", room.record.id) for room in rooms)


async def test_an_id_that_is_taken_is_not_given_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda: "the same for both")
    rooms = [await house.matches.open_lobby("toy", {}, PLACE, person) for person in (ANA, BEA)]
    expected = [
        (derive_match_id("the same for both", attempt), host.id)
        for attempt, host in enumerate((ANA, BEA))
    ]
    assert [(room.record.id, room.record.host) for room in rooms] == expected
    assert len({room.record.id for room in rooms}) == 2


async def test_an_unknown_game_is_refused(house: House) -> None:
    with pytest.raises(UnknownGame, match="blue_lagoon"):
        await house.matches.open_lobby("chess", {}, PLACE, ANA)
    assert await house.matches.here(PLACE.channel) == []


@pytest.mark.parametrize("settings", [{"rounds": "9"}, {"colour": "red"}, {"storms": ""}])
async def test_settings_no_table_could_have_are_refused(
    house: House, settings: dict[str, str]
) -> None:
    with pytest.raises(BadSettings):
        await house.matches.open_lobby("toy", settings, PLACE, ANA)


async def test_a_damaged_map_is_refused_before_anybody_joins(house: House) -> None:
    with pytest.raises(BadSettings):
        await house.matches.open_lobby("blue_lagoon", {"board": "{"}, PLACE, ANA)


async def test_a_setting_for_larger_tables_waits_for_them(house: House) -> None:
    room = await house.matches.open_lobby("toy", {"rounds": "3"}, PLACE, ANA)
    await house.matches.join(room.record.id, BEA)
    with pytest.raises(BadSettings, match="rounds: 3 is not for 2 players"):
        await house.matches.start(room.record.id, ANA)
    await house.matches.join(room.record.id, CEM)
    assert (await house.matches.start(room.record.id, ANA)).record.settings["rounds"] == "3"


async def test_the_host_alone_chooses_settings(house: House, lobby: Room) -> None:
    await house.matches.join(lobby.record.id, BEA)
    with pytest.raises(Refused, match="host"):
        await house.matches.set(lobby.record.id, BEA, "storms", "off")
    room = await house.matches.set(lobby.record.id, ANA, "storms", "off")
    assert room.record.settings == {"storms": "off"} and await unchanged(house, room)
    with pytest.raises(BadSettings):
        await house.matches.set(lobby.record.id, ANA, "storms", "perhaps")
    assert await unchanged(house, room)


async def test_a_setting_must_fit_the_people_already_there(house: House) -> None:
    lobby = await house.matches.open_lobby("toy", {}, PLACE, ANA)
    for person in (BEA, CEM):
        await house.matches.join(lobby.record.id, person)
    assert (await house.matches.set(lobby.record.id, ANA, "rounds", "3")).record.settings == {
        "rounds": "3"
    }


async def test_nobody_sits_twice(house: House, lobby: Room) -> None:
    with pytest.raises(Refused, match="already"):
        await house.matches.join(lobby.record.id, ANA)
    assert await unchanged(house, lobby)


async def test_a_full_table_takes_nobody(house: House, lobby: Room) -> None:
    for person in (BEA, CEM, DAG):
        room = await house.matches.join(lobby.record.id, person)
    with pytest.raises(Refused, match="All 4 seats"):
        await house.matches.join(lobby.record.id, Person(99, "Eve"))
    with pytest.raises(Refused, match="All 4 seats"):
        await house.matches.add_computer(lobby.record.id, ANA)
    assert await unchanged(house, room)


async def test_when_the_host_leaves_the_next_person_is_host(house: House, lobby: Room) -> None:
    await house.matches.add_computer(lobby.record.id, ANA)
    await house.matches.join(lobby.record.id, BEA)
    room = await house.matches.leave(lobby.record.id, ANA)
    assert (room.record.host, [person.id for person in room.record.chairs]) == (
        BEA.id,
        [COMPUTER, BEA.id],
    )
    assert await house.matches.of_user(ANA.id) == []


async def test_a_computer_is_never_host(house: House, lobby: Room) -> None:
    await house.matches.add_computer(lobby.record.id, ANA)
    room = await house.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED


async def test_the_last_to_leave_cancels(house: House, lobby: Room) -> None:
    room = await house.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED and await house.matches.here(PLACE.channel) == []
    with pytest.raises(Refused, match="cancelled"):
        await house.matches.join(lobby.record.id, BEA)


async def test_one_without_a_seat_cannot_leave(house: House, lobby: Room) -> None:
    for person in (BEA, Person(COMPUTER, "Computer A")):
        with pytest.raises(Refused, match="no seat"):
            await house.matches.leave(lobby.record.id, person)
    assert await unchanged(house, lobby)


@pytest.mark.parametrize("deed", ["add_computer", "cancel", "start"])
async def test_only_the_host_may(house: House, lobby: Room, deed: str) -> None:
    room = await house.matches.join(lobby.record.id, BEA)
    with pytest.raises(Refused, match="Only the host"):
        await getattr(house.matches, deed)(room.record.id, BEA)
    assert await unchanged(house, room)


async def test_a_cancelled_lobby_stays_so(house: House, lobby: Room) -> None:
    await house.matches.join(lobby.record.id, BEA)
    room = await house.matches.cancel(lobby.record.id, ANA)
    for deed in (
        house.matches.start,
        house.matches.leave,
        house.matches.cancel,
        house.matches.add_computer,
    ):
        with pytest.raises(Refused, match="cancelled"):
            await deed(lobby.record.id, ANA)
    assert await unchanged(house, room)


async def test_too_few_cannot_start(house: House, lobby: Room) -> None:
    with pytest.raises(Refused, match="at least 2"):
        await house.matches.start(lobby.record.id, ANA)
    assert await unchanged(house, lobby)


async def test_a_running_match_is_no_lobby(house: House) -> None:
    room = await house.started()
    for person, deed in (
        (CEM, house.matches.join),
        (ANA, house.matches.leave),
        (ANA, house.matches.start),
    ):
        with pytest.raises(Refused, match="begun already"):
            await deed(room.record.id, person)
    assert await unchanged(house, room)


async def test_the_seed_is_fresh_and_its_hash_is_known_from_the_start(house: House) -> None:
    await house.matches.close()
    del house.options["make_seed"]
    await house.open()
    rooms = [await house.started() for _ in range(2)]
    seeds = {playing(room).seed for room in rooms}
    assert len(seeds) == 2 and all(re.fullmatch(r"[0-9a-f]{64}", seed) for seed in seeds)
    for room in rooms:
        assert room.record.commitment == commitment(room.record.id, playing(room).seed)


async def test_a_start_makes_the_first_announcement_due(house: House) -> None:
    room = await house.started()
    (due,) = await house.matches.due(room.record.id)
    assert (due.since, due.number) == (-1, 0)


async def test_computers_sit_where_they_were_put(house: House) -> None:
    room = await house.started(people=2, computers=1)
    assert playing(room).computers == {2} and names(room) == ("Ana", "Bea", "Computer A")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ana\n@everyone\r\t!", "Ana @everyone !"),
        ("x" * 100, "x" * 32),
        ("**Bö** ʻokina 🌊", "**Bö** ʻokina 🌊"),
        ("a\x00b\x1b[31m\x7f", "ab[31m"),
        ("evil\u202egnp", "evilgnp"),
        ("\ud800x", "x"),
        (" \n ", "Player"),
        ("", "Player"),
    ],
)
async def test_names_are_kept_as_one_short_line(
    house: House, lobby: Room, given: str, kept: str
) -> None:
    room = await house.matches.join(lobby.record.id, Person(77, given))
    assert names(room)[-1] == kept and await unchanged(house, room)


@pytest.mark.parametrize(
    "match", ["nothing1", "", "'; DROP TABLE match; --", "x" * 6000, "ABCDEFGH", "\ud800"]
)
async def test_a_match_that_is_not_there_is_not_found(house: House, match: str) -> None:
    with pytest.raises(NotFound):
        await house.matches.find(match)
    with pytest.raises(NotFound):
        await house.matches.join(match, ANA)


async def test_a_lobby_survives_a_restart(house: House, lobby: Room) -> None:
    await house.matches.join(lobby.record.id, BEA)
    await house.matches.matches.note_messages(lobby.record.id, lobby_message=555)
    matches = await house.restart()
    (room,) = await matches.here(PLACE.channel)
    assert (names(room), room.record.lobby_message) == (("Ana", "Bea"), 555)
    assert playing(await matches.start(room.record.id, ANA)).seats == 2


async def test_nothing_begins_while_the_service_closes(house: House, lobby: Room) -> None:
    await house.matches.close()
    with pytest.raises(BotError):
        await house.matches.join(lobby.record.id, BEA)
    await house.open()
    assert names(await house.matches.find(lobby.record.id)) == ("Ana",)


async def test_a_repeat_of_any_press_in_a_lobby_changes_nothing_more(house: House) -> None:
    """Discord may deliver an interaction twice, and the bot may have been restarted in between."""
    matches = house.matches
    opened = [await matches.open_lobby("toy", {}, PLACE, ANA, 1) for _ in range(2)]
    assert opened[0] == opened[1] and len(await matches.here(PLACE.channel)) == 1
    match = opened[0].record.id
    assert (await (await house.restart()).open_lobby("toy", {}, PLACE, ANA, 1)).record.id == match
    for _ in range(2):
        room = await house.matches.add_computer(match, ANA, 2)
        await house.restart()
    assert [person.id for person in room.record.chairs] == [ANA.id, COMPUTER]
    for _ in range(2):
        room = await house.matches.join(match, BEA, 3)
    room = await house.matches.leave(match, BEA, 4)
    assert (
        await house.matches.join(match, BEA, 3) == await house.matches.leave(match, BEA, 4) == room
    )
    await house.matches.set(match, ANA, "storms", "off", 5)
    await house.matches.set(match, ANA, "storms", "on", 6)
    assert (await house.matches.set(match, ANA, "storms", "off", 5)).record.settings[
        "storms"
    ] == "on"
    started = [await house.matches.start(match, ANA, 7) for _ in range(2)]
    assert started[0] == started[1] and len(await house.matches.due(match)) == 1


async def test_a_press_in_a_lobby_that_was_refused_does_nothing_when_it_is_repeated(
    house: House, lobby: Room
) -> None:
    with pytest.raises(Refused, match="at least 2"):
        await house.matches.start(lobby.record.id, ANA, 1)
    await house.matches.join(lobby.record.id, BEA, 2)
    with pytest.raises(Refused, match="answered already"):
        await house.matches.start(lobby.record.id, ANA, 1)
    with pytest.raises(Refused, match="seat in this match already"):
        await house.matches.join(lobby.record.id, BEA, 3)
    await house.matches.leave(lobby.record.id, BEA, 4)
    with pytest.raises(Refused, match="answered already"):
        await house.matches.join(lobby.record.id, BEA, 3)
    assert (await house.matches.find(lobby.record.id)).record.chairs == (ANA,)
    assert (await house.matches.join(lobby.record.id, BEA, 5)).record.chairs == (ANA, BEA)


async def test_nobody_has_more_than_five_lobbies_open(house: House) -> None:
    opened = await gather(
        *(house.matches.open_lobby("toy", {}, PLACE, ANA, 500 + n) for n in range(20)),
        return_exceptions=True,
    )
    rooms = [room for room in opened if isinstance(room, Room)]
    refused = [error for error in opened if isinstance(error, Refused)]
    assert (len(rooms), len(refused)) == (5, 15) and "5 open lobbies" in str(refused[0])
    assert len(await house.matches.here(PLACE.channel)) == 5
    again = await house.matches.open_lobby("toy", {}, PLACE, ANA, 500)
    assert again.record.id == rooms[0].record.id, (
        "a repeat of a command that was carried out is no new lobby"
    )
    await house.matches.open_lobby("toy", {}, PLACE, BEA)
    await house.matches.cancel(rooms[1].record.id, ANA)
    await house.matches.open_lobby("toy", {}, PLACE, ANA)


async def test_a_lobby_left_alone_for_a_week_closes(tmp_path: Path) -> None:
    now = [1_000_000.0]
    house = House(tmp_path / "motu.db", now=lambda: now[0])
    await house.open()
    quiet = await house.matches.open_lobby("toy", {}, PLACE, ANA)
    lively = await house.matches.open_lobby("toy", {}, PLACE, BEA)
    running = await house.started()
    now[0] += 6 * 86_400
    await house.matches.join(lively.record.id, CEM)
    await house.restart()
    assert await house.matches.expire_lobbies() == []
    now[0] += 1.5 * 86_400
    (closed,) = await house.matches.expire_lobbies()
    assert (closed.record.id, closed.record.status) == (quiet.record.id, Status.EXPIRED)
    with pytest.raises(Refused, match="has closed"):
        await house.matches.join(quiet.record.id, CEM)
    assert {room.record.id for room in await house.matches.here(PLACE.channel)} == {
        lively.record.id,
        running.record.id,
    }
    assert [room.record.id for room in await house.matches.lobbies()] == [lively.record.id]
    now[0] += 7 * 86_400
    assert [room.record.id for room in await house.matches.expire_lobbies()] == [lively.record.id]
    assert (await house.matches.find(running.record.id)).record.status is Status.RUNNING
    await house.matches.close()


async def test_the_host_can_send_computers_away(house: House, lobby: Room) -> None:
    for _ in range(2):
        await house.matches.add_computer(lobby.record.id, ANA)
    room = await house.matches.join(lobby.record.id, BEA)
    assert [person.name for person in room.record.chairs] == [
        "Ana",
        "Computer A",
        "Computer B",
        "Bea",
    ]
    with pytest.raises(Refused, match="host"):
        await house.matches.remove_computer(lobby.record.id, BEA, Seat(2))
    room = await house.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    assert [person.name for person in room.record.chairs] == ["Ana", "Computer B", "Bea"]
    room = await house.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    for seat in (0, 1, 2, -1):
        with pytest.raises(Refused, match="does not sit"):
            await house.matches.remove_computer(lobby.record.id, ANA, Seat(seat))
    assert await unchanged(house, room)


async def test_a_lobby_that_has_outgrown_its_settings_gets_out_of_it_step_by_step(
    house: House,
) -> None:
    """Five at an atoll, for two to four: the menu is still there, and so is a way to send a
    computer off.
    """
    room = await house.matches.open_lobby("maori", {"rules": "pro", "board": "atoll"}, PLACE, ANA)
    for _ in range(4):
        room = await house.matches.add_computer(room.record.id, ANA)
    said = lobby_message.embed(room).fields[-1].value
    assert (
        "Board: atoll" in said
        and "is not for 5 players" in said
        and "The host can start" not in said
    )
    menus = {row.id: row for row in lobby_message.rows(room) if isinstance(row, Menu)}
    board = menus[f"l:{room.record.id}:set:board"]
    assert {line.value: line.chosen for line in board.choices} == {"front": False, "atoll": True}
    with pytest.raises(BadSettings, match="is not for 5 players"):
        await house.matches.start(room.record.id, ANA)
    fewer = await house.matches.remove_computer(room.record.id, ANA, Seat(4))
    assert "The host can start" in lobby_message.embed(fewer).fields[-1].value
    await house.matches.add_computer(room.record.id, ANA)
    changed = await house.matches.set(room.record.id, ANA, "board", "front")
    assert "The host can start" in lobby_message.embed(changed).fields[-1].value
    assert (await house.matches.start(room.record.id, ANA)).record.status is Status.RUNNING


@pytest.mark.parametrize("game", list(GAMES))
async def test_no_settings_and_no_number_of_seats_are_a_dead_end(house: House, game: str) -> None:
    """Whatever was chosen for another number of seats is said, and one press each in the menus
    mends it.
    """
    rules = GAMES[game]
    for place, setting in enumerate(setting for setting in rules.settings if not setting.free):
        for odd in (choice for choice in setting.choices if choice.seats):
            host = Person(1000 + place * 100 + setting.choices.index(odd), "Host")
            room = await house.matches.open_lobby(game, {setting.key: odd.key}, PLACE, host)
            while True:
                check_rows(tuple(lobby_message.rows(room)))
                seats = max(len(room.record.chairs), rules.seats[0])
                said = str(lobby_message.embed(room).fields[-1].value)
                if not odd.fits(seats):
                    assert "is not for" in said
                    offered = dict(Table(room.record, rules).open_settings())[setting]
                    fit = next(value for value in offered if value != odd.key)
                    mended = Table(room.record, rules, host).choose({setting.key: fit})
                    assert Table(mended, rules).obstacles() == []
                else:
                    assert Table(room.record, rules).obstacles() == []
                if len(room.record.chairs) == rules.seats[-1]:
                    break
                room = await house.matches.add_computer(room.record.id, host)
            await house.matches.cancel(room.record.id, host)


async def test_a_rematch_seats_everybody_one_place_on_whoever_comes_first(house: House) -> None:
    room = await house.started("maori", people=3, computers=1, first="2", rules="pro")
    for seat in (0, 1):
        await house.matches.resign(house.press(room, seat))
    found = await house.matches.rematch(room.record.id, ANA)
    assert names(found) == ("Kupe", "Ana") and found.record.host == ANA.id
    assert (
        found.record.settings == {**room.record.settings, "first": "1"}
        and room.record.settings["first"] == "2"
    )
    again = await house.matches.rematch(room.record.id, ANA)
    assert again.record.id == found.record.id
    for person in (DAG, BEA):
        found = await house.matches.join(found.record.id, person)
    found = await house.matches.rematch(room.record.id, CEM)
    # Bea began, so Cem is next; Dag, who is new, sits behind.
    assert names(await house.kept(found)) == ("Cem", "Kupe", "Ana", "Bea", "Dag")
    begun = await house.matches.start(found.record.id, ANA)
    assert playing(begun).waiting_for() == (Seat(0),)


async def test_a_rematch_keeps_the_seats_of_those_it_was_offered_to_until_they_decline(
    house: House,
) -> None:
    room = await house.started("maori", people=4, computers=1)
    for seat in (0, 1, 2):
        await house.matches.resign(house.press(room, seat))
    found = await house.matches.rematch(room.record.id, ANA)
    stranger = Person(77, "Eve")
    with pytest.raises(Refused, match=rf"kept for <@{BEA.id}>, <@{CEM.id}> and <@{DAG.id}>"):
        await house.matches.join(found.record.id, stranger)
    assert [offer.record.id for offer in await house.matches.agenda(BEA.id)] == [found.record.id]
    declined = await house.matches.leave(found.record.id, BEA)
    assert BEA.id not in declined.record.seating and await house.matches.agenda(BEA.id) == []
    found = await house.matches.join(found.record.id, stranger)
    found = await house.matches.join(found.record.id, CEM)
    assert {"Ana", "Cem", "Eve"} < set(names(await house.kept(found)))


async def test_where_the_rules_say_who_begins_a_rematch_leaves_the_settings_as_they_are(
    house: House,
) -> None:
    room = await house.started("conquest", people=2, goal="+2")
    with pytest.raises(Refused, match="not over"):
        await house.matches.rematch(room.record.id, ANA)
    await house.matches.resign(house.press(room, 0))
    found = await house.matches.rematch(room.record.id, BEA)
    assert found.record.settings == room.record.settings and found.record.seating == (
        BEA.id,
        ANA.id,
    )
    with pytest.raises(Refused, match="who played"):
        await house.matches.rematch(room.record.id, CEM)
