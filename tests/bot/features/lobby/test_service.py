"""Lobbies: who may join, leave, choose and start."""

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
from engine import GAMES, BadSettings, Seat, commitment
from tests.bot.seating import ANA, BEA, CEM, DAG, PLACE, House, names, playing
from tests.bot.tables import check_rows


@pytest.fixture
async def lobby(house: House) -> Room:
    """Have Ana open a lobby."""
    return await house.matches.open_lobby("toy", {}, PLACE, ANA)


async def is_unchanged(house: House, room: Room) -> bool:
    """Return whether a match is unchanged in memory and in the file."""
    in_memory = await house.matches.find(room.record.id)
    stored = await house.matches.store.read(queries.load_match, room.record.id)
    return stored is not None and in_memory.record == stored.record == room.record


async def test_the_host_takes_the_first_seat(house: House, lobby: Room) -> None:
    assert lobby.record.status == Status.LOBBY
    assert lobby.record.host == ANA.id
    assert lobby.record.chairs == (ANA,)
    assert lobby.match is None and await is_unchanged(house, lobby)


async def test_ids_are_short_and_never_the_same(house: House) -> None:
    hosts = [Person(100 + number, "Host") for number in range(50)]
    rooms = [await house.matches.open_lobby("toy", {}, PLACE, host) for host in hosts]
    assert len({room.record.id for room in rooms}) == 50
    assert all(re.fullmatch(r"[a-z0-9]{8}", room.record.id) for room in rooms)


async def test_a_match_id_in_use_is_not_reused(
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


@pytest.mark.parametrize("settings", [{"rounds": "9"}, {"colour": "red"}, {"storms": ""}])
async def test_impossible_settings_are_refused(house: House, settings: dict[str, str]) -> None:
    with pytest.raises(BadSettings):
        await house.matches.open_lobby("toy", settings, PLACE, ANA)


async def test_a_damaged_map_is_refused_before_anybody_joins(house: House) -> None:
    with pytest.raises(BadSettings):
        await house.matches.open_lobby("blue_lagoon", {"board": "{"}, PLACE, ANA)


async def test_a_setting_for_larger_tables_is_accepted_in_a_lobby(house: House) -> None:
    room = await house.matches.open_lobby("toy", {"rounds": "3"}, PLACE, ANA)
    await house.matches.join(room.record.id, BEA)
    with pytest.raises(BadSettings, match="rounds: 3 doesn't work with 2 players"):
        await house.matches.start(room.record.id, ANA)
    await house.matches.join(room.record.id, CEM)
    assert (await house.matches.start(room.record.id, ANA)).record.settings["rounds"] == "3"


async def test_only_the_host_chooses_settings(house: House, lobby: Room) -> None:
    await house.matches.join(lobby.record.id, BEA)
    with pytest.raises(Refused, match="host"):
        await house.matches.set(lobby.record.id, BEA, "storms", "off")
    room = await house.matches.set(lobby.record.id, ANA, "storms", "off")
    assert room.record.settings == {"storms": "off"} and await is_unchanged(house, room)
    with pytest.raises(BadSettings):
        await house.matches.set(lobby.record.id, ANA, "storms", "perhaps")
    assert await is_unchanged(house, room)


async def test_a_setting_must_fit_the_players_who_joined(house: House) -> None:
    lobby = await house.matches.open_lobby("toy", {}, PLACE, ANA)
    for person in (BEA, CEM):
        await house.matches.join(lobby.record.id, person)
    assert (await house.matches.set(lobby.record.id, ANA, "rounds", "3")).record.settings == {
        "rounds": "3"
    }


async def test_nobody_joins_a_full_table(house: House, lobby: Room) -> None:
    for person in (BEA, CEM, DAG):
        room = await house.matches.join(lobby.record.id, person)
    with pytest.raises(Refused, match="All 4 seats"):
        await house.matches.join(lobby.record.id, Person(99, "Eve"))
    with pytest.raises(Refused, match="All 4 seats"):
        await house.matches.add_computer(lobby.record.id, ANA)
    assert await is_unchanged(house, room)


async def test_when_the_host_leaves_the_next_player_becomes_host(house: House, lobby: Room) -> None:
    await house.matches.add_computer(lobby.record.id, ANA)
    await house.matches.join(lobby.record.id, BEA)
    room = await house.matches.leave(lobby.record.id, ANA)
    assert room.record.host == BEA.id
    assert [person.id for person in room.record.chairs] == [COMPUTER, BEA.id]
    assert await house.matches.of_user(ANA.id) == []


async def test_a_computer_never_becomes_host(house: House, lobby: Room) -> None:
    await house.matches.add_computer(lobby.record.id, ANA)
    room = await house.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED


async def test_the_lobby_is_cancelled_when_the_last_player_leaves(
    house: House, lobby: Room
) -> None:
    room = await house.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED
    assert await house.matches.here(PLACE.channel) == []
    with pytest.raises(Refused, match="cancelled"):
        await house.matches.join(lobby.record.id, BEA)


async def test_a_person_without_a_seat_cannot_leave(house: House, lobby: Room) -> None:
    for person in (BEA, Person(COMPUTER, "Computer A")):
        with pytest.raises(Refused, match="don't have a seat"):
            await house.matches.leave(lobby.record.id, person)
    assert await is_unchanged(house, lobby)


async def test_a_cancelled_lobby_stays_cancelled(house: House, lobby: Room) -> None:
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
    assert await is_unchanged(house, room)


async def test_a_running_match_refuses_lobby_actions(house: House) -> None:
    room = await house.start_match()
    for person, deed in (
        (CEM, house.matches.join),
        (ANA, house.matches.leave),
        (ANA, house.matches.start),
    ):
        with pytest.raises(Refused, match="already started"):
            await deed(room.record.id, person)
    assert await is_unchanged(house, room)


async def test_the_seed_is_fresh_and_its_hash_is_published_at_the_start(house: House) -> None:
    await house.matches.close()
    del house.options["make_seed"]
    await house.open()
    rooms = [await house.start_match() for _ in range(2)]
    seeds = {playing(room).seed for room in rooms}
    assert len(seeds) == 2 and all(re.fullmatch(r"[0-9a-f]{64}", seed) for seed in seeds)
    for room in rooms:
        assert room.record.commitment == commitment(room.record.id, playing(room).seed)


async def test_starting_a_match_schedules_its_first_post(house: House) -> None:
    room = await house.start_match()
    (due,) = await house.matches.pending_posts(room.record.id)
    assert (due.since, due.number) == (-1, 0)


async def test_computers_keep_their_seats(house: House) -> None:
    room = await house.start_match(people=2, computers=1)
    assert playing(room).computers == {2}
    assert names(room)[:2] == ("Ana", "Bea")


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
async def test_names_are_stored_as_one_short_line(
    house: House, lobby: Room, given: str, kept: str
) -> None:
    room = await house.matches.join(lobby.record.id, Person(77, given))
    assert names(room)[-1] == kept and await is_unchanged(house, room)


@pytest.mark.parametrize(
    "match", ["nothing1", "", "'; DROP TABLE match; --", "x" * 6000, "ABCDEFGH", "\ud800"]
)
async def test_a_match_that_is_not_there_is_not_found(house: House, match: str) -> None:
    with pytest.raises(NotFound):
        await house.matches.find(match)
    with pytest.raises(NotFound):
        await house.matches.join(match, ANA)


async def test_no_match_starts_while_the_service_closes(house: House, lobby: Room) -> None:
    await house.matches.close()
    with pytest.raises(BotError):
        await house.matches.join(lobby.record.id, BEA)
    await house.open()
    assert names(await house.matches.find(lobby.record.id)) == ("Ana",)


async def test_repeating_a_press_in_a_lobby_changes_nothing(house: House) -> None:
    """Discord may deliver an interaction twice, and the bot may have been restarted in between."""
    matches = house.matches
    opened = [await matches.open_lobby("toy", {}, PLACE, ANA, 1) for _ in range(2)]
    assert opened[0] == opened[1]
    assert len(await matches.here(PLACE.channel)) == 1
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
    assert started[0] == started[1]
    assert len(await house.matches.pending_posts(match)) == 1


async def test_repeating_a_refused_press_in_a_lobby_does_nothing(house: House, lobby: Room) -> None:
    with pytest.raises(Refused, match="at least 2"):
        await house.matches.start(lobby.record.id, ANA, 1)
    await house.matches.join(lobby.record.id, BEA, 2)
    with pytest.raises(Refused, match="already done"):
        await house.matches.start(lobby.record.id, ANA, 1)
    with pytest.raises(Refused, match="already have a seat in this match"):
        await house.matches.join(lobby.record.id, BEA, 3)
    await house.matches.leave(lobby.record.id, BEA, 4)
    with pytest.raises(Refused, match="already done"):
        await house.matches.join(lobby.record.id, BEA, 3)
    assert (await house.matches.find(lobby.record.id)).record.chairs == (ANA,)
    assert (await house.matches.join(lobby.record.id, BEA, 5)).record.chairs == (ANA, BEA)


async def test_a_host_can_have_five_open_lobbies(house: House) -> None:
    opened = await gather(
        *(house.matches.open_lobby("toy", {}, PLACE, ANA, 500 + n) for n in range(20)),
        return_exceptions=True,
    )
    rooms = [room for room in opened if isinstance(room, Room)]
    refused = [error for error in opened if isinstance(error, Refused)]
    assert (len(rooms), len(refused)) == (5, 15)
    assert "5 open lobbies" in str(refused[0])
    assert len(await house.matches.here(PLACE.channel)) == 5
    again = await house.matches.open_lobby("toy", {}, PLACE, ANA, 500)
    assert again.record.id == rooms[0].record.id, (
        "a repeat of a command that was carried out is no new lobby"
    )
    await house.matches.open_lobby("toy", {}, PLACE, BEA)
    await house.matches.cancel(rooms[1].record.id, ANA)
    await house.matches.open_lobby("toy", {}, PLACE, ANA)


async def test_a_lobby_closes_after_a_quiet_week(tmp_path: Path) -> None:
    now = [1_000_000.0]
    house = House(tmp_path / "motu.db", now=lambda: now[0])
    await house.open()
    quiet = await house.matches.open_lobby("toy", {}, PLACE, ANA)
    lively = await house.matches.open_lobby("toy", {}, PLACE, BEA)
    running = await house.start_match()
    now[0] += 6 * 86_400
    await house.matches.join(lively.record.id, CEM)
    await house.restart()
    assert await house.matches.expire_lobbies() == []
    now[0] += 1.5 * 86_400
    (closed,) = await house.matches.expire_lobbies()
    assert closed.record.id == quiet.record.id
    assert closed.record.status == Status.EXPIRED
    with pytest.raises(Refused, match="closed because"):
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


async def test_the_host_can_remove_computers(house: House, lobby: Room) -> None:
    for _ in range(2):
        await house.matches.add_computer(lobby.record.id, ANA)
    room = await house.matches.join(lobby.record.id, BEA)
    _, first, second, _ = names(room)
    assert names(room) == ("Ana", first, second, "Bea") and first != second
    with pytest.raises(Refused, match="host"):
        await house.matches.remove_computer(lobby.record.id, BEA, Seat(2))
    room = await house.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    assert names(room) == ("Ana", second, "Bea")
    room = await house.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    for seat in (0, 1, 2, -1):
        with pytest.raises(Refused, match="already left"):
            await house.matches.remove_computer(lobby.record.id, ANA, Seat(seat))
    assert await is_unchanged(house, room)


async def test_a_lobby_that_outgrew_its_settings_can_be_corrected_step_by_step(
    house: House,
) -> None:
    """Five people at an atoll for four: it can still be changed, and a computer removed."""
    room = await house.matches.open_lobby("maori", {"rules": "pro", "board": "atoll"}, PLACE, ANA)
    for _ in range(4):
        room = await house.matches.add_computer(room.record.id, ANA)
    said = lobby_message.make_embed(room).fields[-1].value
    assert "Board: atoll" in said
    assert "doesn't work with 5 players" in said
    assert "The host can start" not in said
    table = Table(room.record, GAMES["maori"])
    offered = {setting.key: values for setting, values in table.open_settings()}
    assert offered["board"] == ["front", "atoll"] and table.seats == 5
    with pytest.raises(BadSettings, match="doesn't work with 5 players"):
        await house.matches.start(room.record.id, ANA)
    fewer = await house.matches.remove_computer(room.record.id, ANA, Seat(4))
    assert "the host can start" in lobby_message.make_embed(fewer).fields[-1].value
    await house.matches.add_computer(room.record.id, ANA)
    changed = await house.matches.set(room.record.id, ANA, "board", "front")
    assert "the host can start" in lobby_message.make_embed(changed).fields[-1].value
    assert (await house.matches.start(room.record.id, ANA)).record.status is Status.RUNNING


@pytest.mark.parametrize("game", list(GAMES))
async def test_every_combination_of_settings_and_seats_can_be_corrected(
    house: House, game: str
) -> None:
    """Every setting that does not fit the seats is named, and the form corrects it."""
    rules = GAMES[game]
    for place, setting in enumerate(setting for setting in rules.settings if not setting.free):
        for odd in (choice for choice in setting.choices if choice.seats):
            host = Person(1000 + place * 100 + setting.choices.index(odd), "Host")
            room = await house.matches.open_lobby(game, {setting.key: odd.key}, PLACE, host)
            while True:
                check_rows(tuple(lobby_message.make_rows(room)))
                seats = max(len(room.record.chairs), rules.seats[0])
                said = str(lobby_message.make_embed(room).fields[-1].value)
                if not odd.fits(seats):
                    assert "doesn't work with" in said
                    offered = dict(Table(room.record, rules).open_settings())[setting]
                    fit = next(value for value in offered if value != odd.key)
                    mended = Table(room.record, rules, host).choose({setting.key: fit})
                    assert Table(mended, rules).find_setting_problems() == []
                else:
                    assert Table(room.record, rules).find_setting_problems() == []
                if len(room.record.chairs) == rules.seats[-1]:
                    break
                room = await house.matches.add_computer(room.record.id, host)
            await house.matches.cancel(room.record.id, host)


async def test_a_rematch_rotates_the_seats_in_whatever_order_players_join(house: House) -> None:
    room = await house.start_match("maori", people=3, computers=1, first="2", rules="pro")
    for seat in (0, 1):
        await house.matches.resign(house.press(room, seat))
    found = await house.matches.rematch(room.record.id, ANA)
    computer = names(room)[3]
    assert names(found) == (computer, "Ana") and found.record.host == ANA.id
    assert found.record.settings == {**room.record.settings, "first": "1"}
    assert room.record.settings["first"] == "2"
    again = await house.matches.rematch(room.record.id, ANA)
    assert again.record.id == found.record.id
    for person in (DAG, BEA):
        found = await house.matches.join(found.record.id, person)
    found = await house.matches.rematch(room.record.id, CEM)
    # Bea began, so Cem is next; Dag, who is new, sits behind.
    assert names(await house.reopen(found)) == ("Cem", computer, "Ana", "Bea", "Dag")
    begun = await house.matches.start(found.record.id, ANA)
    assert playing(begun).waiting_for() == (Seat(0),)


async def test_a_rematch_reserves_seats_until_players_decline(
    house: House,
) -> None:
    room = await house.start_match("maori", people=4, computers=1)
    for seat in (0, 1, 2):
        await house.matches.resign(house.press(room, seat))
    found = await house.matches.rematch(room.record.id, ANA)
    stranger = Person(77, "Eve")
    with pytest.raises(Refused, match=rf"reserved for <@{BEA.id}>, <@{CEM.id}> and <@{DAG.id}>"):
        await house.matches.join(found.record.id, stranger)
    assert [offer.record.id for offer in await house.matches.agenda(BEA.id)] == [found.record.id]
    declined = await house.matches.leave(found.record.id, BEA)
    assert BEA.id not in declined.record.seating
    assert await house.matches.agenda(BEA.id) == []
    found = await house.matches.join(found.record.id, stranger)
    found = await house.matches.join(found.record.id, CEM)
    assert {"Ana", "Cem", "Eve"} < set(names(await house.reopen(found)))


async def test_a_rematch_keeps_a_setting_for_who_goes_first(
    house: House,
) -> None:
    room = await house.start_match("conquest", people=2, goal="+2")
    with pytest.raises(Refused, match="isn't over"):
        await house.matches.rematch(room.record.id, ANA)
    await house.matches.resign(house.press(room, 0))
    found = await house.matches.rematch(room.record.id, BEA)
    assert found.record.settings == room.record.settings
    assert found.record.seating == (
        BEA.id,
        ANA.id,
    )
    with pytest.raises(Refused, match="who played"):
        await house.matches.rematch(room.record.id, CEM)
