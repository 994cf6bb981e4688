"""Presses: queued, done once, refused in private, never lost."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import NotFound, Refused, StoreError
from bot.room import Place, Press, Room, Status
from bot.store.sqlite import SqliteStore
from engine import IllegalAnswer, Malformed, Match, MatchOver, NotFinished, NothingToUndo, Seat
from engine.core.transcript import replay
from engine.players.simple import stand_in
from tests.bot.seating import ALL_GAMES, ANA, BEA, CEM, DAG, House, asked, first_keys, playing


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A service on an empty file."""
    house = House(tmp_path / "motu.sqlite3")
    await house.open()
    yield house
    await house.matches.close()


async def kept(house: House, room: Room) -> Room:
    """The match as the file has it, read by another service."""
    matches = await house.restart()
    return await matches.find(room.info.id)


async def test_a_pick_is_kept_in_a_draft_that_nobody_else_sees(house: House) -> None:
    room = await house.started()
    update = await house.pick(room, 0)
    assert not update.committed and update.events == () and playing(update.room).number == 0
    after = await kept(house, room)
    assert playing(after) == playing(update.room) and len(playing(after).draft(Seat(0)).answers) == 1
    assert (await house.matches.history(room.info.id, None))[1:] == []


async def test_a_restart_in_the_middle_of_a_draft_loses_nothing(house: House) -> None:
    room = await house.started()
    room = (await house.pick(room, 0)).room
    room = (await house.pick(room, 1)).room
    room = await kept(house, room)
    update = await house.matches.confirm(house.press(room, 0, playing(room).turn(Seat(0))))
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert playing(await kept(house, room)).draft(Seat(1)).answers


async def test_a_confirm_commits_the_draft_with_its_events_and_snapshot(house: House) -> None:
    room = await house.started()
    update = await house.turn(room, 0)
    after = await kept(house, room)
    assert update.committed and playing(after) == playing(update.room) and playing(after).number == 1
    (entry,) = (await house.matches.history(room.info.id, Seat(0)))[1:]
    assert entry.events == update.events and entry.commit.answers


async def test_undo_takes_back_one_pick_or_all(house: House) -> None:
    room = await house.started("blue_lagoon")
    room = (await house.pick(room, 0)).room
    press = house.press(room, 0, playing(room).turn(Seat(0)))
    undone = await house.matches.undo(press, everything=True)
    assert not playing(undone.room).drafts and playing(await kept(house, room)).drafts == {}
    with pytest.raises(NothingToUndo):
        await house.matches.undo(house.press(room, 0))


async def test_play_is_all_or_nothing(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    answers = ((question.kind, first_keys(question)), (question.kind, ("nowhere",)))
    with pytest.raises(IllegalAnswer):
        await house.matches.play(house.press(room, 0), answers, confirm=True)
    assert playing(await kept(house, room)) == playing(room)
    update = await house.matches.play(house.press(room, 0), answers[:1], confirm=True)
    assert update.committed and playing(update.room).number == 1
    assert playing(await kept(house, room)) == playing(update.room)


async def test_play_without_confirm_leaves_a_draft(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    update = await house.matches.play(house.press(room, 0), ((question.kind, first_keys(question)),), confirm=False)
    assert not update.committed and playing(update.room).draft(Seat(0)).answers


async def test_a_whole_turn_that_is_not_whole_is_refused(house: House) -> None:
    room = await house.started("blue_lagoon")
    with pytest.raises(NotFinished):
        await house.matches.play(house.press(room, 0), (), confirm=True)


async def test_fifty_presses_of_one_button_make_one_move(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    presses = [house.press(room, 0, turn=0) for _ in range(50)]
    updates = await asyncio.gather(
        *(house.matches.pick(press, question.kind, first_keys(question)) for press in presses)
    )
    assert [update.stale for update in updates] == [False] + [True] * 49
    assert {playing(update.room).turn(Seat(0)) for update in updates} == {1}


async def test_fifty_confirms_of_one_draft_make_one_commit(house: House) -> None:
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    presses = [house.press(room, 0, turn=1) for _ in range(50)]
    updates = await asyncio.gather(*(house.matches.confirm(press) for press in presses))
    assert [update.committed for update in updates] == [True] + [False] * 49
    assert [update.stale for update in updates] == [False] + [True] * 49
    assert playing(await kept(house, room)).number == 1


async def test_fifty_deliveries_of_one_interaction_make_one_move_and_equal_answers(house: House) -> None:
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    press = house.press(room, 0, turn=1)
    updates = await asyncio.gather(*(house.matches.confirm(press) for _ in range(50)))
    assert all(update == updates[0] for update in updates) and updates[0].committed and updates[0].events
    assert playing(updates[0].room).number == 1


async def test_a_repeat_after_a_restart_changes_nothing_and_answers_the_same(house: House) -> None:
    room = await house.started()
    question = asked(playing(room), Seat(0))
    pick = house.press(room, 0, turn=0)
    picked = await house.matches.pick(pick, question.kind, first_keys(question))
    confirm = house.press(room, 0, turn=1)
    confirmed = await house.matches.confirm(confirm)
    matches = await house.restart()
    assert await matches.confirm(confirm) == confirmed
    again = await matches.pick(pick, question.kind, first_keys(question))
    assert (again.seat, again.committed, again.stale, again.events) == (picked.seat, False, False, ())
    assert playing(again.room) == playing(confirmed.room)


async def test_a_press_that_came_too_late_does_nothing_when_it_is_repeated(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    room = (await house.pick(room, 0)).room
    late = house.press(room, 0, turn=0)
    assert (await house.matches.pick(late, question.kind, first_keys(question))).stale
    await house.matches.undo(house.press(room, 0, turn=1))
    assert (await house.matches.pick(late, question.kind, first_keys(question))).stale
    assert not playing(await kept(house, room)).drafts


async def test_what_other_seats_do_makes_no_button_stale(house: House) -> None:
    room = await house.started()
    press, question = house.press(room, 1, turn=0), asked(playing(room), Seat(1))
    await house.turn(room, 0)
    assert not (await house.matches.pick(press, question.kind, first_keys(question))).stale


async def test_presses_of_one_match_take_their_turns_in_order(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    deeds = []
    for number in range(10):
        key = question.options[number].key
        deeds.append(house.matches.pick(house.press(room, 0), question.kind, (key,)))
        deeds.append(house.matches.undo(house.press(room, 0)))
    updates = await asyncio.gather(*deeds)
    drafted = [playing(update.room).draft(Seat(0)).answers for update in updates]
    assert [answers[0].keys[0] for answers in drafted[::2]] == [option.key for option in question.options[:10]]
    assert set(drafted[1::2]) == {()}


async def test_two_matches_do_not_wait_for_each_other(tmp_path: Path) -> None:
    slow, free = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def waits(match: Match, seat: Seat) -> Match:
        loop.call_soon_threadsafe(slow.set)
        asyncio.run_coroutine_threadsafe(free.wait(), loop).result(60)
        return stand_in(match, seat)

    house = House(tmp_path / "motu.sqlite3", sits_in=waits)
    await house.open()
    other = await house.started("blue_lagoon", people=2)
    room = await house.matches.open_lobby("blue_lagoon", {}, Place(1, 2), ANA)
    await house.matches.add_computer(room.info.id, ANA)
    thinking = asyncio.create_task(house.turn(await house.matches.start(room.info.id, ANA), 0))
    await slow.wait()
    assert (await house.turn(other, 0)).committed
    assert not thinking.done() and playing(await house.matches.find(room.info.id)).number == 1
    free.set()
    assert playing((await thinking).room).number == 2
    await house.matches.close()


async def test_one_who_has_no_seat_is_refused(house: House) -> None:
    room = await house.started()
    for user in (CEM.id, 0, -1):
        with pytest.raises(Refused, match="no seat"):
            await house.matches.confirm(Press(room.info.id, user, 1))
    with pytest.raises(NotFound):
        await house.matches.confirm(Press("nothing1", ANA.id, 1))


async def test_one_who_is_not_asked_is_refused(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    with pytest.raises(IllegalAnswer):
        await house.matches.pick(house.press(room, 1, turn=0), question.kind, first_keys(question))
    assert playing(await kept(house, room)) == playing(room)


async def test_a_lobby_takes_no_moves(house: House) -> None:
    room = await house.matches.open_lobby("toy", {}, Place(1, 2), ANA)
    with pytest.raises(Refused, match="not begun"):
        await house.matches.resign(Press(room.info.id, ANA.id, 1))
    await house.matches.cancel(room.info.id, ANA)
    with pytest.raises(Refused, match="cancelled"):
        await house.matches.confirm(Press(room.info.id, ANA.id, 2))


@pytest.mark.parametrize("game", ["toy", "blue_lagoon"])
async def test_a_finished_match_shows_a_transcript_that_replays(house: House, game: str) -> None:
    room = await house.played_out(await house.started(game, people=2, computers=1))
    assert room.info.status is Status.FINISHED and playing(room).outcome is not None
    played = replay(await house.matches.transcript(room.info.id), ALL_GAMES)
    assert (played.outcome, played.seed) == (playing(room).outcome, playing(room).seed)
    assert await house.matches.of_user(ANA.id) == []
    with pytest.raises(MatchOver):
        await house.matches.pick(house.press(room, 0), "place", ("1",))
    after = await kept(house, room)
    assert after.info.status is Status.FINISHED and playing(after) == playing(room)


async def test_a_transcript_shows_what_was_played_though_the_rules_have_changed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await house.played_out(await house.started("blue_lagoon"))
    told = await house.matches.transcript(room.info.id)
    game = ALL_GAMES["blue_lagoon"]
    monkeypatch.setattr(type(game), "version", game.version + 1)
    monkeypatch.setattr(type(game), "migrations", {**game.migrations, game.version - 1: lambda raw: raw})
    monkeypatch.setattr(type(game), "setup", lambda *_: pytest.fail("played again"))
    await house.restart()
    assert await house.matches.transcript(room.info.id) == told


async def test_there_is_no_transcript_before_the_end(house: House) -> None:
    room = await house.started()
    with pytest.raises(Refused, match="ended"):
        await house.matches.transcript(room.info.id)


async def test_the_log_shows_others_answers_only_when_the_match_has_ended(house: House) -> None:
    room = await house.started()
    for seat in (0, 1):
        room = (await house.turn(room, seat)).room
    seen = {viewer: await house.matches.history(room.info.id, viewer) for viewer in (None, Seat(0), Seat(1))}
    assert [bool(entry.commit.answers) for entry in seen[None]] == [False, False, False]
    assert [bool(entry.commit.answers) for entry in seen[Seat(0)]] == [False, True, False]
    assert [bool(entry.commit.answers) for entry in seen[Seat(1)]] == [False, False, True]
    await house.played_out(room)
    log = await house.matches.history(room.info.id, None)
    assert [entry.number for entry in log] == list(range(len(log)))
    assert all(entry.commit.answers for entry in log[1:])


async def test_the_log_shows_events_as_the_asker_may_know_them(house: House) -> None:
    room = await house.started()
    entries = [(await house.matches.history(room.info.id, viewer))[0] for viewer in (None, Seat(0), Seat(1))]
    cards = [[event.card for event in entry.events if hasattr(event, "card")] for entry in entries]
    assert cards[0] == [""] * 6
    assert all(cards[1][:3]) and not any(cards[1][3:]) and not any(cards[2][:3]) and all(cards[2][3:])


async def test_a_seat_is_given_up_and_answered_for(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    update = await house.matches.resign(house.press(room, 0, turn=0))
    assert playing(update.room).resigned == {0} and update.committed
    assert playing(update.room).waiting_for() == (1,) and playing(update.room).number == 2
    with pytest.raises(Refused, match="given up"):
        await house.matches.undo(house.press(update.room, 0))
    assert await house.matches.of_user(ANA.id) == []
    room = await kept(house, room)
    for _ in range(5):
        seat = playing(room).waiting_for()[0]
        assert seat != 0
        room = (await house.turn(room, seat)).room


async def test_the_match_ends_when_one_person_is_left(house: House) -> None:
    room = await house.started("blue_lagoon", people=2, computers=1)
    update = await house.matches.resign(house.press(room, 1))
    outcome = playing(update.room).outcome
    assert update.room.info.status is Status.FINISHED
    assert outcome is not None and outcome.reason == "resigned" and outcome.ranking[0] == (0,)
    assert "p2 resigns" in await house.matches.transcript(room.info.id)


async def test_a_computer_that_fails_costs_nobody_a_move(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken = [True]

    def fails(match: Match, seat: Seat) -> Match:
        if broken:
            raise ValueError("no idea")
        return stand_in(match, seat)

    house = House(tmp_path / "motu.sqlite3", sits_in=fails)
    await house.open()
    room = await house.started("blue_lagoon", people=1, computers=1)
    update = await house.turn(room, 0)
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert "cannot play on" in caplog.text and playing(room).seed not in caplog.text
    broken.clear()
    await house.restart()
    await house.matches.recover()
    assert playing(await house.matches.find(room.info.id)).waiting_for() == (0,)
    await house.matches.close()


@pytest.mark.parametrize("stuck", [lambda match, seat: match, lambda match, seat: stand_in(stand_in(match, seat), 0)])
async def test_a_computer_that_makes_no_turn_cannot_hold_the_bot(tmp_path: Path, stuck: object) -> None:
    house = House(tmp_path / "motu.sqlite3", sits_in=stuck)
    await house.open()
    update = await house.turn(await house.started("blue_lagoon", people=1, computers=1), 0)
    assert playing(update.room).number == 1
    await house.matches.close()


async def test_a_paused_match_takes_no_moves_and_goes_on_elsewhere(house: House) -> None:
    room = await house.started("blue_lagoon")
    paused = await house.matches.pause(room.info.id, "its channel is gone")
    assert (paused.info.status, paused.info.paused_for) == (Status.PAUSED, "its channel is gone")
    with pytest.raises(Refused, match="its channel is gone"):
        await house.pick(room, 0)
    await house.restart()
    moved = await house.matches.moved(room.info.id, Place(1, 8, 9))
    assert (moved.info.status, moved.info.paused_for) == (Status.RUNNING, "")
    assert [found.info.id for found in await house.matches.here(9)] == [room.info.id]
    assert await house.matches.here(2) == []
    assert (await house.turn(moved, 0)).committed


async def test_a_finished_match_that_cannot_post_stays_finished(house: House) -> None:
    room = await house.started("blue_lagoon")
    await house.matches.resign(house.press(room, 0))
    assert (await house.matches.pause(room.info.id, "gone")).info.status is Status.FINISHED
    assert (await house.matches.moved(room.info.id, Place(1, 8))).info.status is Status.FINISHED


async def test_matches_waiting_for_somebody_come_first(house: House) -> None:
    rooms = [await house.started("blue_lagoon") for _ in range(3)]
    await house.turn(rooms[0], 0)
    await house.turn(rooms[2], 0)
    lobby = await house.matches.open_lobby("toy", {}, Place(1, 5), ANA)
    ids = [room.info.id for room in (lobby, *reversed(rooms))]
    found = [room.info.id for room in await house.matches.of_user(ANA.id)]
    assert found[0] == rooms[1].info.id and found[1:] == [match for match in ids if match != rooms[1].info.id]
    assert [room.info.id for room in await house.matches.of_user(BEA.id)][:2] == [rooms[2].info.id, rooms[0].info.id]
    assert await house.matches.of_user(DAG.id) == []


async def test_a_match_that_cannot_be_read_hides_no_other(house: House, caplog: pytest.LogCaptureFixture) -> None:
    rooms = [await house.started("blue_lagoon") for _ in range(2)]
    await house.matches.close()
    with sqlite3.connect(house.path) as database:
        database.execute("UPDATE snapshot SET position = '{' WHERE match = ?", (rooms[0].info.id,))
    database.close()
    await house.open()
    assert [room.info.id for room in await house.matches.here(2)] == [rooms[1].info.id]
    assert rooms[0].info.id in caplog.text


DAMAGE = {
    "UPDATE snapshot SET position = substr(position, 1, 100)": Malformed,
    "UPDATE draft SET answers = '[{'": Malformed,
    "UPDATE draft SET answers = '[1]'": Malformed,
    "UPDATE match SET settings = '{'": StoreError,
    "UPDATE match SET status = 'asleep'": StoreError,
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_match_is_refused_by_name(house: House, damage: str) -> None:
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    await house.matches.close()
    with sqlite3.connect(house.path) as database:
        database.execute(damage)
    database.close()
    await house.open()
    with pytest.raises(DAMAGE[damage]) as refused:
        await house.matches.find(room.info.id)
    assert playing(room).seed not in str(refused.value)


async def test_few_rooms_are_kept_in_memory(tmp_path: Path) -> None:
    house = House(tmp_path / "motu.sqlite3", cached=3)
    await house.open()
    rooms = [(await house.pick(await house.started("blue_lagoon"), 0)).room for _ in range(8)]
    assert len(house.matches._rooms) == 3 and not house.matches._queues._locks
    for room in rooms:
        assert playing(await house.matches.find(room.info.id)) == playing(room)
    await house.matches.close()


async def fail_once(house: House, sql: str) -> None:
    """Make the next transaction fail in its middle: `sql` is run in the store's own connection."""
    store = house.matches.store
    assert isinstance(store, SqliteStore)
    await store._connection.run(lambda db: db.executescript(sql))


FAILURES = {
    "a refused announcement": (
        "CREATE TEMP TRIGGER fails BEFORE INSERT ON main.announcement BEGIN SELECT RAISE(ABORT, 'no'); END",
        "DROP TRIGGER fails",
    ),
    "a refused snapshot": (
        "CREATE TEMP TRIGGER fails BEFORE INSERT ON main.snapshot BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
        "DROP TRIGGER fails",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_write_that_fails_changes_nothing_and_can_be_done_again(house: House, failure: str) -> None:
    fails, mends = FAILURES[failure]
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    due = await house.matches.due()
    await fail_once(house, fails)
    press = house.press(room, 0, turn=1)
    with pytest.raises(StoreError, match="Nothing was changed"):
        await house.matches.confirm(press)
    assert playing(await house.matches.find(room.info.id)) == playing(room)
    assert await house.matches.due() == due
    await fail_once(house, mends)
    update = await house.matches.confirm(press)
    assert update.committed and playing(update.room).number == 1
    assert playing(await kept(house, room)) == playing(update.room)


async def test_a_full_disk_stops_play_and_loses_nothing(house: House) -> None:
    room = await house.started("blue_lagoon")
    await fail_once(house, "PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="full"):
        while True:
            room = (await house.turn(room, playing(room).waiting_for()[0])).room
    room = await house.matches.find(room.info.id)
    assert playing(await kept(house, room)) == playing(room)
    assert len(await house.matches.history(room.info.id, None)) == playing(room).number + 1
    assert (await house.turn(room, playing(room).waiting_for()[0])).committed


async def test_a_press_whose_caller_goes_away_leaves_memory_and_file_agreed(house: House) -> None:
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    for _ in range(6):
        seat = playing(room).waiting_for()[0]
        task = asyncio.create_task(house.turn(room, seat))
        for _ in range(4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        room = await house.matches.find(room.info.id)
        stored = playing(await kept(house, room))
        assert stored == playing(room)
    assert (await house.turn(room, playing(room).waiting_for()[0])).committed


async def test_close_finishes_what_is_in_hand(house: House) -> None:
    room = (await house.pick(await house.started("blue_lagoon"), 0)).room
    confirming = asyncio.create_task(house.matches.confirm(house.press(room, 0, turn=1)))
    await asyncio.sleep(0)
    await house.matches.close()
    assert (await confirming).committed
    await house.open()
    assert playing(await house.matches.find(room.info.id)).number == 1


async def test_no_log_ever_holds_a_seed_or_a_draft(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    room = await house.started()
    update = await house.pick(room, 0)
    await house.turn(update.room, 0)
    await kept(house, room)
    shown = caplog.text + repr(room) + repr(update) + repr(playing(update.room)) + repr(house.matches)
    # An object's address may happen to hold the letters of a key.
    shown = re.sub(r"0x[0-9a-f]+", "", shown)
    assert "sqlite" in caplog.text
    assert playing(room).seed not in shown and playing(update.room).draft(Seat(0)).answers[0].keys[0] not in shown
