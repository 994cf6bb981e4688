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
from tests.bot.backend import ANA, BEA, CEM, DAG, PLACE, Backend, match_of, names
from tests.bot.tables import check_rows


@pytest.fixture
async def lobby(backend: Backend) -> Room:
    """Have Ana open a lobby."""
    return await backend.matches.open_lobby("toy", {}, PLACE, ANA)


async def is_unchanged(backend: Backend, room: Room) -> bool:
    """Return whether a match is unchanged in memory and in the file."""
    in_memory = await backend.matches.find(room.record.id)
    stored = await backend.matches.store.read(queries.load_match, room.record.id)
    return stored is not None and in_memory.record == stored.record == room.record


async def test_the_host_takes_the_first_seat(backend: Backend, lobby: Room) -> None:
    assert lobby.record.status == Status.LOBBY
    assert lobby.record.host == ANA.id
    assert lobby.record.chairs == (ANA,)
    assert lobby.match is None and await is_unchanged(backend, lobby)


async def test_ids_are_short_and_never_the_same(backend: Backend) -> None:
    hosts = [Person(100 + number, "Host") for number in range(50)]
    rooms = [await backend.matches.open_lobby("toy", {}, PLACE, host) for host in hosts]
    assert len({room.record.id for room in rooms}) == 50
    assert all(re.fullmatch(r"[a-z0-9]{8}", room.record.id) for room in rooms)


async def test_a_match_id_in_use_is_not_reused(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda: "the same for both")
    rooms = [await backend.matches.open_lobby("toy", {}, PLACE, person) for person in (ANA, BEA)]
    expected = [
        (derive_match_id("the same for both", attempt), host.id)
        for attempt, host in enumerate((ANA, BEA))
    ]
    assert [(room.record.id, room.record.host) for room in rooms] == expected
    assert len({room.record.id for room in rooms}) == 2


@pytest.mark.parametrize("settings", [{"rounds": "9"}, {"colour": "red"}, {"storms": ""}])
async def test_impossible_settings_are_refused(backend: Backend, settings: dict[str, str]) -> None:
    with pytest.raises(BadSettings):
        await backend.matches.open_lobby("toy", settings, PLACE, ANA)


async def test_a_damaged_map_is_refused_before_anybody_joins(backend: Backend) -> None:
    with pytest.raises(BadSettings):
        await backend.matches.open_lobby("blue_lagoon", {"board": "{"}, PLACE, ANA)


async def test_a_setting_for_larger_tables_is_accepted_in_a_lobby(backend: Backend) -> None:
    room = await backend.matches.open_lobby("toy", {"rounds": "3"}, PLACE, ANA)
    await backend.matches.join(room.record.id, BEA)
    with pytest.raises(BadSettings, match="rounds: 3 doesn't work with 2 players"):
        await backend.matches.start(room.record.id, ANA)
    await backend.matches.join(room.record.id, CEM)
    assert (await backend.matches.start(room.record.id, ANA)).record.settings["rounds"] == "3"


async def test_only_the_host_chooses_settings(backend: Backend, lobby: Room) -> None:
    await backend.matches.join(lobby.record.id, BEA)
    with pytest.raises(Refused, match="host"):
        await backend.matches.set(lobby.record.id, BEA, "storms", "off")
    room = await backend.matches.set(lobby.record.id, ANA, "storms", "off")
    assert room.record.settings == {"storms": "off"} and await is_unchanged(backend, room)
    with pytest.raises(BadSettings):
        await backend.matches.set(lobby.record.id, ANA, "storms", "perhaps")
    assert await is_unchanged(backend, room)


async def test_a_setting_must_fit_the_players_who_joined(backend: Backend) -> None:
    lobby = await backend.matches.open_lobby("toy", {}, PLACE, ANA)
    for person in (BEA, CEM):
        await backend.matches.join(lobby.record.id, person)
    assert (await backend.matches.set(lobby.record.id, ANA, "rounds", "3")).record.settings == {
        "rounds": "3"
    }


async def test_nobody_joins_a_full_table(backend: Backend, lobby: Room) -> None:
    for person in (BEA, CEM, DAG):
        room = await backend.matches.join(lobby.record.id, person)
    with pytest.raises(Refused, match="All 4 seats"):
        await backend.matches.join(lobby.record.id, Person(99, "Eve"))
    with pytest.raises(Refused, match="All 4 seats"):
        await backend.matches.add_computer(lobby.record.id, ANA)
    assert await is_unchanged(backend, room)


async def test_when_the_host_leaves_the_next_player_becomes_host(
    backend: Backend, lobby: Room
) -> None:
    await backend.matches.add_computer(lobby.record.id, ANA)
    await backend.matches.join(lobby.record.id, BEA)
    room = await backend.matches.leave(lobby.record.id, ANA)
    assert room.record.host == BEA.id
    assert [person.id for person in room.record.chairs] == [COMPUTER, BEA.id]
    assert await backend.matches.of_user(ANA.id) == []


async def test_a_computer_never_becomes_host(backend: Backend, lobby: Room) -> None:
    await backend.matches.add_computer(lobby.record.id, ANA)
    room = await backend.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED


async def test_the_lobby_is_cancelled_when_the_last_player_leaves(
    backend: Backend, lobby: Room
) -> None:
    room = await backend.matches.leave(lobby.record.id, ANA)
    assert room.record.status is Status.CANCELLED
    assert await backend.matches.here(PLACE.channel) == []
    with pytest.raises(Refused, match="cancelled"):
        await backend.matches.join(lobby.record.id, BEA)


async def test_a_person_without_a_seat_cannot_leave(backend: Backend, lobby: Room) -> None:
    for person in (BEA, Person(COMPUTER, "Computer A")):
        with pytest.raises(Refused, match="don't have a seat"):
            await backend.matches.leave(lobby.record.id, person)
    assert await is_unchanged(backend, lobby)


async def test_a_cancelled_lobby_stays_cancelled(backend: Backend, lobby: Room) -> None:
    await backend.matches.join(lobby.record.id, BEA)
    room = await backend.matches.cancel(lobby.record.id, ANA)
    for deed in (
        backend.matches.start,
        backend.matches.leave,
        backend.matches.cancel,
        backend.matches.add_computer,
    ):
        with pytest.raises(Refused, match="cancelled"):
            await deed(lobby.record.id, ANA)
    assert await is_unchanged(backend, room)


async def test_a_running_match_refuses_lobby_actions(backend: Backend) -> None:
    room = await backend.start_match()
    for person, deed in (
        (CEM, backend.matches.join),
        (ANA, backend.matches.leave),
        (ANA, backend.matches.start),
    ):
        with pytest.raises(Refused, match="already started"):
            await deed(room.record.id, person)
    assert await is_unchanged(backend, room)


async def test_the_seed_is_fresh_and_its_hash_is_published_at_the_start(backend: Backend) -> None:
    await backend.matches.close()
    del backend.options["make_seed"]
    await backend.open()
    rooms = [await backend.start_match() for _ in range(2)]
    seeds = {match_of(room).seed for room in rooms}
    assert len(seeds) == 2 and all(re.fullmatch(r"[0-9a-f]{64}", seed) for seed in seeds)
    for room in rooms:
        assert room.record.commitment == commitment(room.record.id, match_of(room).seed)


async def test_starting_a_match_schedules_its_first_post(backend: Backend) -> None:
    room = await backend.start_match()
    (due,) = await backend.matches.pending_posts(room.record.id)
    assert (due.since, due.number) == (-1, 0)


async def test_computers_keep_their_seats(backend: Backend) -> None:
    room = await backend.start_match(people=2, computers=1)
    assert match_of(room).computers == {2}
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
    backend: Backend, lobby: Room, given: str, kept: str
) -> None:
    room = await backend.matches.join(lobby.record.id, Person(77, given))
    assert names(room)[-1] == kept and await is_unchanged(backend, room)


@pytest.mark.parametrize(
    "match", ["nothing1", "", "'; DROP TABLE match; --", "x" * 6000, "ABCDEFGH", "\ud800"]
)
async def test_a_match_that_is_not_there_is_not_found(backend: Backend, match: str) -> None:
    with pytest.raises(NotFound):
        await backend.matches.find(match)
    with pytest.raises(NotFound):
        await backend.matches.join(match, ANA)


async def test_no_match_starts_while_the_service_closes(backend: Backend, lobby: Room) -> None:
    await backend.matches.close()
    with pytest.raises(BotError):
        await backend.matches.join(lobby.record.id, BEA)
    await backend.open()
    assert names(await backend.matches.find(lobby.record.id)) == ("Ana",)


async def test_repeating_a_press_in_a_lobby_changes_nothing(backend: Backend) -> None:
    """Discord may deliver an interaction twice, and the bot may have been restarted in between."""
    matches = backend.matches
    opened = [await matches.open_lobby("toy", {}, PLACE, ANA, 1) for _ in range(2)]
    assert opened[0] == opened[1]
    assert len(await matches.here(PLACE.channel)) == 1
    match = opened[0].record.id
    assert (await (await backend.restart()).open_lobby("toy", {}, PLACE, ANA, 1)).record.id == match
    for _ in range(2):
        room = await backend.matches.add_computer(match, ANA, 2)
        await backend.restart()
    assert [person.id for person in room.record.chairs] == [ANA.id, COMPUTER]
    for _ in range(2):
        room = await backend.matches.join(match, BEA, 3)
    room = await backend.matches.leave(match, BEA, 4)
    assert (
        await backend.matches.join(match, BEA, 3)
        == await backend.matches.leave(match, BEA, 4)
        == room
    )
    await backend.matches.set(match, ANA, "storms", "off", 5)
    await backend.matches.set(match, ANA, "storms", "on", 6)
    assert (await backend.matches.set(match, ANA, "storms", "off", 5)).record.settings[
        "storms"
    ] == "on"
    started = [await backend.matches.start(match, ANA, 7) for _ in range(2)]
    assert started[0] == started[1]
    assert len(await backend.matches.pending_posts(match)) == 1


async def test_repeating_a_refused_press_in_a_lobby_does_nothing(
    backend: Backend, lobby: Room
) -> None:
    with pytest.raises(Refused, match="at least 2"):
        await backend.matches.start(lobby.record.id, ANA, 1)
    await backend.matches.join(lobby.record.id, BEA, 2)
    with pytest.raises(Refused, match="already done"):
        await backend.matches.start(lobby.record.id, ANA, 1)
    with pytest.raises(Refused, match="already have a seat in this match"):
        await backend.matches.join(lobby.record.id, BEA, 3)
    await backend.matches.leave(lobby.record.id, BEA, 4)
    with pytest.raises(Refused, match="already done"):
        await backend.matches.join(lobby.record.id, BEA, 3)
    assert (await backend.matches.find(lobby.record.id)).record.chairs == (ANA,)
    assert (await backend.matches.join(lobby.record.id, BEA, 5)).record.chairs == (ANA, BEA)


async def test_a_host_can_have_five_open_lobbies(backend: Backend) -> None:
    opened = await gather(
        *(backend.matches.open_lobby("toy", {}, PLACE, ANA, 500 + n) for n in range(20)),
        return_exceptions=True,
    )
    rooms = [room for room in opened if isinstance(room, Room)]
    refused = [error for error in opened if isinstance(error, Refused)]
    assert (len(rooms), len(refused)) == (5, 15)
    assert "5 open lobbies" in str(refused[0])
    assert len(await backend.matches.here(PLACE.channel)) == 5
    again = await backend.matches.open_lobby("toy", {}, PLACE, ANA, 500)
    assert again.record.id == rooms[0].record.id, (
        "a repeat of a command that was carried out is no new lobby"
    )
    await backend.matches.open_lobby("toy", {}, PLACE, BEA)
    await backend.matches.cancel(rooms[1].record.id, ANA)
    await backend.matches.open_lobby("toy", {}, PLACE, ANA)


async def test_a_lobby_closes_after_a_quiet_week(tmp_path: Path) -> None:
    now = [1_000_000.0]
    backend = Backend(tmp_path / "motu.db", now=lambda: now[0])
    await backend.open()
    quiet = await backend.matches.open_lobby("toy", {}, PLACE, ANA)
    lively = await backend.matches.open_lobby("toy", {}, PLACE, BEA)
    running = await backend.start_match()
    now[0] += 6 * 86_400
    await backend.matches.join(lively.record.id, CEM)
    await backend.restart()
    assert await backend.matches.expire_lobbies() == []
    now[0] += 1.5 * 86_400
    (closed,) = await backend.matches.expire_lobbies()
    assert closed.record.id == quiet.record.id
    assert closed.record.status == Status.EXPIRED
    with pytest.raises(Refused, match="closed because"):
        await backend.matches.join(quiet.record.id, CEM)
    assert {room.record.id for room in await backend.matches.here(PLACE.channel)} == {
        lively.record.id,
        running.record.id,
    }
    assert [room.record.id for room in await backend.matches.lobbies()] == [lively.record.id]
    now[0] += 7 * 86_400
    assert [room.record.id for room in await backend.matches.expire_lobbies()] == [lively.record.id]
    assert (await backend.matches.find(running.record.id)).record.status is Status.RUNNING
    await backend.matches.close()


async def test_the_host_can_remove_computers(backend: Backend, lobby: Room) -> None:
    for _ in range(2):
        await backend.matches.add_computer(lobby.record.id, ANA)
    room = await backend.matches.join(lobby.record.id, BEA)
    _, first, second, _ = names(room)
    assert names(room) == ("Ana", first, second, "Bea") and first != second
    with pytest.raises(Refused, match="host"):
        await backend.matches.remove_computer(lobby.record.id, BEA, Seat(2))
    room = await backend.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    assert names(room) == ("Ana", second, "Bea")
    room = await backend.matches.remove_computer(lobby.record.id, ANA, Seat(1))
    for seat in (0, 1, 2, -1):
        with pytest.raises(Refused, match="already left"):
            await backend.matches.remove_computer(lobby.record.id, ANA, Seat(seat))
    assert await is_unchanged(backend, room)


async def test_a_lobby_that_outgrew_its_settings_can_be_corrected_step_by_step(
    backend: Backend,
) -> None:
    """Five people at an atoll for four: it can still be changed, and a computer removed."""
    room = await backend.matches.open_lobby("maori", {"rules": "pro", "board": "atoll"}, PLACE, ANA)
    for _ in range(4):
        room = await backend.matches.add_computer(room.record.id, ANA)
    said = lobby_message.make_embed(room).fields[-1].value
    assert "Board: atoll" in said
    assert "doesn't work with 5 players" in said
    assert "The host can start" not in said
    table = Table(room.record, GAMES["maori"])
    offered = {setting.key: values for setting, values in table.open_settings()}
    assert offered["board"] == ["front", "atoll"] and table.seats == 5
    with pytest.raises(BadSettings, match="doesn't work with 5 players"):
        await backend.matches.start(room.record.id, ANA)
    fewer = await backend.matches.remove_computer(room.record.id, ANA, Seat(4))
    assert "the host can start" in lobby_message.make_embed(fewer).fields[-1].value
    await backend.matches.add_computer(room.record.id, ANA)
    changed = await backend.matches.set(room.record.id, ANA, "board", "front")
    assert "the host can start" in lobby_message.make_embed(changed).fields[-1].value
    assert (await backend.matches.start(room.record.id, ANA)).record.status is Status.RUNNING


@pytest.mark.parametrize("game", list(GAMES))
async def test_every_combination_of_settings_and_seats_can_be_corrected(
    backend: Backend, game: str
) -> None:
    """Every setting that does not fit the seats is named, and the form corrects it."""
    rules = GAMES[game]
    for place, setting in enumerate(setting for setting in rules.settings if not setting.free):
        for odd in (choice for choice in setting.choices if choice.seats):
            host = Person(1000 + place * 100 + setting.choices.index(odd), "Host")
            room = await backend.matches.open_lobby(game, {setting.key: odd.key}, PLACE, host)
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
                room = await backend.matches.add_computer(room.record.id, host)
            await backend.matches.cancel(room.record.id, host)


async def test_a_rematch_rotates_the_seats_in_whatever_order_players_join(backend: Backend) -> None:
    room = await backend.start_match("maori", people=3, computers=1, first="2", rules="pro")
    for seat in (0, 1):
        await backend.matches.resign(backend.press(room, seat))
    found = await backend.matches.rematch(room.record.id, ANA)
    computer = names(room)[3]
    assert names(found) == (computer, "Ana") and found.record.host == ANA.id
    assert found.record.settings == {**room.record.settings, "first": "1"}
    assert room.record.settings["first"] == "2"
    again = await backend.matches.rematch(room.record.id, ANA)
    assert again.record.id == found.record.id
    for person in (DAG, BEA):
        found = await backend.matches.join(found.record.id, person)
    found = await backend.matches.rematch(room.record.id, CEM)
    # Bea began, so Cem is next; Dag, who is new, sits behind.
    assert names(await backend.reopen(found)) == ("Cem", computer, "Ana", "Bea", "Dag")
    begun = await backend.matches.start(found.record.id, ANA)
    assert match_of(begun).waiting_for() == (Seat(0),)


async def test_a_rematch_reserves_seats_until_players_decline(
    backend: Backend,
) -> None:
    room = await backend.start_match("maori", people=4, computers=1)
    for seat in (0, 1, 2):
        await backend.matches.resign(backend.press(room, seat))
    found = await backend.matches.rematch(room.record.id, ANA)
    stranger = Person(77, "Eve")
    with pytest.raises(Refused, match=rf"reserved for <@{BEA.id}>, <@{CEM.id}> and <@{DAG.id}>"):
        await backend.matches.join(found.record.id, stranger)
    assert [offer.record.id for offer in await backend.matches.agenda(BEA.id)] == [found.record.id]
    declined = await backend.matches.leave(found.record.id, BEA)
    assert BEA.id not in declined.record.seating
    assert await backend.matches.agenda(BEA.id) == []
    found = await backend.matches.join(found.record.id, stranger)
    found = await backend.matches.join(found.record.id, CEM)
    assert {"Ana", "Cem", "Eve"} < set(names(await backend.reopen(found)))


async def test_a_rematch_keeps_a_setting_for_who_goes_first(
    backend: Backend,
) -> None:
    room = await backend.start_match("conquest", people=2, goal="+2")
    with pytest.raises(Refused, match="isn't over"):
        await backend.matches.rematch(room.record.id, ANA)
    await backend.matches.resign(backend.press(room, 0))
    found = await backend.matches.rematch(room.record.id, BEA)
    assert found.record.settings == room.record.settings
    assert found.record.seating == (
        BEA.id,
        ANA.id,
    )
    with pytest.raises(Refused, match="who played"):
        await backend.matches.rematch(room.record.id, CEM)
