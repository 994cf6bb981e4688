"""Stored matches: paused, listed, damaged, and failing writes."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.features import server_settings as settings
from bot.kernel import matches as rooms
from bot.kernel import queries
from bot.kernel.encoding import DAMAGED
from bot.model import Place, Status, StoredMatch
from bot.runtime.base import Damaged, Refused, StoreError
from bot.store.sqlite import SqliteStore
from engine import Malformed, Seat
from tests.bot.intercept import Run, intercept
from tests.bot.seating import ANA, BEA, DAG, PLACE, House, playing


async def test_a_paused_match_refuses_moves_and_resumes_elsewhere(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    paused = await house.matches.pause(room.record.id, "its channel is gone")
    assert paused.record.status == Status.PAUSED
    assert paused.record.paused_for == "its channel is gone"
    with pytest.raises(Refused, match="its channel is gone"):
        await house.pick(room, 0)
    await house.restart()
    moved = await house.matches.move(room.record.id, Place(1, 8, 9))
    assert (moved.record.status, moved.record.paused_for) == (Status.RUNNING, "")
    assert [found.record.id for found in await house.matches.here(9)] == [room.record.id]
    assert await house.matches.here(2) == []
    assert (await house.take_turn(moved, 0)).committed


async def test_a_finished_match_that_cannot_post_stays_finished(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    await house.matches.resign(house.press(room, 0))
    assert (await house.matches.pause(room.record.id, "gone")).record.status is Status.FINISHED
    assert (await house.matches.move(room.record.id, Place(1, 8))).record.status is Status.FINISHED


async def test_matches_waiting_for_the_player_come_first(house: House) -> None:
    begun = [await house.start_match("blue_lagoon") for _ in range(3)]
    await house.take_turn(begun[0], 0)
    await house.take_turn(begun[2], 0)
    lobby = await house.matches.open_lobby("toy", {}, Place(1, 5), ANA)
    ids = [room.record.id for room in (lobby, *reversed(begun))]
    found = [room.record.id for room in await house.matches.of_user(ANA.id)]
    assert found[0] == begun[1].record.id
    assert found[1:] == [match for match in ids if match != begun[1].record.id]
    assert [room.record.id for room in await house.matches.of_user(BEA.id)][:2] == [
        begun[2].record.id,
        begun[0].record.id,
    ]
    assert await house.matches.of_user(DAG.id) == []


async def open_damaged(house: House, *statements: str) -> None:
    """Reopen the services on a file after corrupting it."""
    await house.matches.close()
    with sqlite3.connect(house.path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    await house.open()


async def test_a_damaged_match_shows_as_paused_and_hides_no_other(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = [await house.start_match("blue_lagoon") for _ in range(2)]
    match = rooms[0].record.id
    await open_damaged(house, f"UPDATE moves SET position = '{{' WHERE match_id = '{match}'")
    for found in (await house.matches.here(2), await house.matches.of_user(ANA.id)):
        states = {room.record.id: (room.record.status, room.record.paused_for) for room in found}
        assert states == {match: (Status.PAUSED, DAMAGED), rooms[1].record.id: (Status.RUNNING, "")}
    assert match in caplog.text
    for act in (
        house.matches.move(match, Place(1, 8)),
        house.matches.resign(house.press(rooms[0], 0)),
    ):
        with pytest.raises(Malformed):
            await act
    assert (await house.take_turn(rooms[1], 0)).committed


async def test_a_match_whose_row_is_damaged_hides_no_other(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = [await house.start_match("blue_lagoon") for _ in range(2)]
    await open_damaged(house, f"UPDATE matches SET record = '[' WHERE id = '{rooms[0].record.id}'")
    assert [room.record.id for room in await house.matches.of_user(ANA.id)] == [rooms[1].record.id]
    assert rooms[0].record.id in caplog.text


DAMAGE = {
    "UPDATE moves SET position = substr(position, 1, 100)": Malformed,
    "UPDATE matches SET drafts = json_set(drafts, '$[0].answers', 'W3s=')": Malformed,
    "UPDATE matches SET drafts = json_set(drafts, '$[0].answers', 'WzFd')": Malformed,
    "UPDATE matches SET drafts = '[{'": Damaged,
    "UPDATE moves SET position = json_set(CAST(position AS TEXT), '$.base.agenda', "
    "json('[]'))": Malformed,
    "UPDATE moves SET position = json_set(CAST(position AS TEXT), "
    "'$.base.agenda[0].seat', 7)": Malformed,
    "UPDATE moves SET position = json_set(CAST(position AS TEXT), "
    "'$.base.agenda[0].seat', -2)": Malformed,
    "UPDATE moves SET position = json_set(CAST(position AS TEXT), '$.base.sides', "
    "json('[]'))": Malformed,
    "UPDATE matches SET record = json_set(record, '$.game', 'maori')": Malformed,
    "UPDATE matches SET record = json_remove(record, '$.chairs[1]')": Malformed,
    "UPDATE matches SET record = json_set(record, '$.settings', '{')": Damaged,
    "UPDATE matches SET record = json_set(record, '$.status', 'asleep')": Damaged,
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_match_is_refused_by_name(house: House, damage: str) -> None:
    room = (await house.pick(await house.start_match("blue_lagoon"), 0)).room
    await open_damaged(house, damage)
    with pytest.raises(DAMAGE[damage], match="damaged") as refused:
        await house.matches.find(room.record.id)
    assert playing(room).seed not in str(refused.value)


async def test_damaged_events_affect_only_the_log(house: House) -> None:
    room = (await house.take_turn(await house.start_match("blue_lagoon"), 0)).room
    await open_damaged(
        house,
        """UPDATE moves SET events = '[{"type": "Drowned", "seat": "secret"}]' WHERE number = 1""",
    )
    with pytest.raises(Malformed, match="damaged") as refused:
        await house.matches.log(room.record.id, None)
    assert "Drowned" not in str(refused.value) and "secret" not in str(refused.value)
    assert (await house.take_turn(room, 1)).committed


async def test_only_a_few_matches_are_cached(tmp_path: Path) -> None:
    house = House(tmp_path / "motu.sqlite3", cached_matches=3)
    await house.open()
    rooms = [(await house.pick(await house.start_match("blue_lagoon"), 0)).room for _ in range(8)]
    assert len(house.matches._rooms) == 3 and not list(house.matches._locks._locks)
    for room in rooms:
        assert playing(await house.matches.find(room.record.id)) == playing(room)
    await house.matches.close()


async def fail_once(house: House, sql: str) -> None:
    """Make the next transaction fail in its middle: `sql` is run in the store's own connection."""
    store = house.matches.store
    assert isinstance(store, SqliteStore)
    await store._run(lambda: store._database.executescript(sql))


FAILURES = {
    "a refused announcement": (
        "CREATE TEMP TRIGGER fails BEFORE INSERT ON main.announcements BEGIN SELECT "
        "RAISE(ABORT, 'no'); END",
        "DROP TRIGGER fails",
    ),
    "a refused move": (
        "CREATE TEMP TRIGGER fails BEFORE INSERT ON main.moves BEGIN SELECT "
        "RAISE(ROLLBACK, 'no'); END",
        "DROP TRIGGER fails",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_write_that_fails_changes_nothing_and_can_be_done_again(
    house: House, failure: str
) -> None:
    fails, mends = FAILURES[failure]
    room = (await house.pick(await house.start_match("blue_lagoon"), 0)).room
    due = await house.matches.pending_posts()
    await fail_once(house, fails)
    press = house.press(room, 0, turn=1)
    with pytest.raises(StoreError, match="Nothing was changed"):
        await house.matches.confirm(press)
    assert playing(await house.matches.find(room.record.id)) == playing(room)
    assert await house.matches.pending_posts() == due
    await fail_once(house, mends)
    update = await house.matches.confirm(press)
    assert update.committed and playing(update.room).number == 1
    assert playing(await house.reopen(room)) == playing(update.room)


async def test_a_full_disk_stops_play_and_loses_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    room = await house.start_match("blue_lagoon")
    await fail_once(house, "PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="full"):
        while True:
            room = (await house.take_turn(room, playing(room).waiting_for()[0])).room
    assert "database error: database or disk is full" in caplog.text, (
        "the host of the bot must be told"
    )
    room = await house.matches.find(room.record.id)
    assert playing(await house.reopen(room)) == playing(room)
    assert len(await house.matches.log(room.record.id, None)) == playing(room).number + 1
    assert (await house.take_turn(room, playing(room).waiting_for()[0])).committed


async def test_a_cancelled_press_leaves_cache_and_file_consistent(house: House) -> None:
    room = (await house.pick(await house.start_match("blue_lagoon"), 0)).room
    for _ in range(6):
        seat = playing(room).waiting_for()[0]
        task = asyncio.create_task(house.take_turn(room, seat))
        for _ in range(4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        room = await house.matches.find(room.record.id)
        stored = playing(await house.reopen(room))
        assert stored == playing(room)
    assert (await house.take_turn(room, playing(room).waiting_for()[0])).committed


async def test_close_finishes_running_work(house: House) -> None:
    room = (await house.pick(await house.start_match("blue_lagoon"), 0)).room
    confirming = asyncio.create_task(house.matches.confirm(house.press(room, 0, turn=1)))
    await asyncio.sleep(0)
    await house.matches.close()
    assert (await confirming).committed
    await house.open()
    assert playing(await house.matches.find(room.record.id)).number == 1


async def test_logs_never_contain_a_seed_or_a_draft(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    room = await house.start_match()
    update = await house.pick(room, 0)
    await house.take_turn(update.room, 0)
    await house.reopen(room)
    shown = (
        caplog.text + repr(room) + repr(update) + repr(playing(update.room)) + repr(house.matches)
    )
    # An object's address may happen to hold the letters of a key.
    shown = re.sub(r"0x[0-9a-f]+", "", shown)
    assert playing(room).seed not in shown
    assert playing(update.room).draft(Seat(0)).answers[0].keys[0] not in shown


async def test_many_matches_of_a_player_are_read_in_few_queries(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = 3 * rooms.MATCHES_PER_READ
    monkeypatch.setattr(settings, "NEWCOMER_LIMIT", many)
    waiting = [await house.start_match() for _ in range(many)][1]
    await house.take_turn(waiting, 0)
    asked: list[int] = []
    matches = await house.restart()

    async def one(run: Run, match: str) -> StoredMatch | None:
        asked.append(1)
        return await run()

    async def several(run: Run, ids: Iterable[str]) -> list[StoredMatch]:
        asked.append(len(list(ids)))
        return await run()

    intercept(monkeypatch, queries.load_match, one)
    intercept(monkeypatch, queries.load_matches, several)
    first = await matches.around(ANA.id, PLACE.channel)
    assert len(first) == many and asked == [rooms.MATCHES_PER_READ] * 3
    assert first[-1].record.id == waiting.record.id, "those that wait for them come first"
    again = await matches.around(ANA.id, PLACE.channel)
    assert again == first and len(asked) == 3
    assert len(await matches.here(PLACE.channel)) == many and len(asked) == 3
