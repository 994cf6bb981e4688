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
from tests.bot.backend import ANA, BEA, DAG, PLACE, Backend, match_of
from tests.bot.intercept import Run, intercept


async def test_a_paused_match_refuses_moves_and_resumes_elsewhere(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    paused = await backend.matches.pause(room.record.id, "its channel is gone")
    assert paused.record.status == Status.PAUSED
    assert paused.record.paused_for == "its channel is gone"
    with pytest.raises(Refused, match="its channel is gone"):
        await backend.pick(room, 0)
    await backend.restart()
    moved = await backend.matches.move(room.record.id, Place(1, 8, 9))
    assert (moved.record.status, moved.record.paused_for) == (Status.RUNNING, "")
    assert [found.record.id for found in await backend.matches.here(9)] == [room.record.id]
    assert await backend.matches.here(2) == []
    assert (await backend.take_turn(moved, 0)).committed


async def test_a_finished_match_that_cannot_post_stays_finished(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await backend.matches.resign(backend.press(room, 0))
    assert (await backend.matches.pause(room.record.id, "gone")).record.status is Status.FINISHED
    assert (
        await backend.matches.move(room.record.id, Place(1, 8))
    ).record.status is Status.FINISHED


async def test_matches_waiting_for_the_player_come_first(backend: Backend) -> None:
    begun = [await backend.start_match("blue_lagoon") for _ in range(3)]
    await backend.take_turn(begun[0], 0)
    await backend.take_turn(begun[2], 0)
    lobby = await backend.matches.open_lobby("toy", {}, Place(1, 5), ANA)
    ids = [room.record.id for room in (lobby, *reversed(begun))]
    found = [room.record.id for room in await backend.matches.of_user(ANA.id)]
    assert found[0] == begun[1].record.id
    assert found[1:] == [match for match in ids if match != begun[1].record.id]
    assert [room.record.id for room in await backend.matches.of_user(BEA.id)][:2] == [
        begun[2].record.id,
        begun[0].record.id,
    ]
    assert await backend.matches.of_user(DAG.id) == []


async def open_damaged(backend: Backend, *statements: str) -> None:
    """Reopen the services on a file after corrupting it."""
    await backend.matches.close()
    with sqlite3.connect(backend.path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    await backend.open()


async def test_a_damaged_match_shows_as_paused_and_hides_no_other(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = [await backend.start_match("blue_lagoon") for _ in range(2)]
    match = rooms[0].record.id
    await open_damaged(backend, f"UPDATE moves SET position = '{{' WHERE match_id = '{match}'")
    for found in (await backend.matches.here(2), await backend.matches.of_user(ANA.id)):
        states = {room.record.id: (room.record.status, room.record.paused_for) for room in found}
        assert states == {match: (Status.PAUSED, DAMAGED), rooms[1].record.id: (Status.RUNNING, "")}
    assert match in caplog.text
    for act in (
        backend.matches.move(match, Place(1, 8)),
        backend.matches.resign(backend.press(rooms[0], 0)),
    ):
        with pytest.raises(Malformed):
            await act
    assert (await backend.take_turn(rooms[1], 0)).committed


async def test_a_match_whose_row_is_damaged_hides_no_other(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = [await backend.start_match("blue_lagoon") for _ in range(2)]
    await open_damaged(
        backend, f"UPDATE matches SET record = '[' WHERE id = '{rooms[0].record.id}'"
    )
    assert [room.record.id for room in await backend.matches.of_user(ANA.id)] == [
        rooms[1].record.id
    ]
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
async def test_a_damaged_match_is_refused_by_name(backend: Backend, damage: str) -> None:
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    await open_damaged(backend, damage)
    with pytest.raises(DAMAGE[damage], match="damaged") as refused:
        await backend.matches.find(room.record.id)
    assert match_of(room).seed not in str(refused.value)


async def test_damaged_events_affect_only_the_log(backend: Backend) -> None:
    room = (await backend.take_turn(await backend.start_match("blue_lagoon"), 0)).room
    await open_damaged(
        backend,
        """UPDATE moves SET events = '[{"type": "Drowned", "seat": "secret"}]' WHERE number = 1""",
    )
    with pytest.raises(Malformed, match="damaged") as refused:
        await backend.matches.log(room.record.id, None)
    assert "Drowned" not in str(refused.value) and "secret" not in str(refused.value)
    assert (await backend.take_turn(room, 1)).committed


async def test_only_a_few_matches_are_cached(tmp_path: Path) -> None:
    backend = Backend(tmp_path / "motu.sqlite3", cached_matches=3)
    await backend.open()
    rooms = [
        (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room for _ in range(8)
    ]
    assert len(backend.matches._rooms) == 3 and not list(backend.matches._locks._locks)
    for room in rooms:
        assert match_of(await backend.matches.find(room.record.id)) == match_of(room)
    await backend.matches.close()


async def fail_once(backend: Backend, sql: str) -> None:
    """Make the next transaction fail in its middle: `sql` is run in the store's own connection."""
    store = backend.matches.store
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
    backend: Backend, failure: str
) -> None:
    fails, mends = FAILURES[failure]
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    due = await backend.matches.pending_posts()
    await fail_once(backend, fails)
    press = backend.press(room, 0, turn=1)
    with pytest.raises(StoreError, match="Nothing was changed"):
        await backend.matches.confirm(press)
    assert match_of(await backend.matches.find(room.record.id)) == match_of(room)
    assert await backend.matches.pending_posts() == due
    await fail_once(backend, mends)
    update = await backend.matches.confirm(press)
    assert update.committed and match_of(update.room).number == 1
    assert match_of(await backend.reopen(room)) == match_of(update.room)


async def test_a_full_disk_stops_play_and_loses_nothing(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    room = await backend.start_match("blue_lagoon")
    await fail_once(backend, "PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="full"):
        while True:
            room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    assert "database error: database or disk is full" in caplog.text, (
        "the host of the bot must be told"
    )
    room = await backend.matches.find(room.record.id)
    assert match_of(await backend.reopen(room)) == match_of(room)
    assert len(await backend.matches.log(room.record.id, None)) == match_of(room).number + 1
    assert (await backend.take_turn(room, match_of(room).waiting_for()[0])).committed


async def test_a_cancelled_press_leaves_cache_and_file_consistent(backend: Backend) -> None:
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    for _ in range(6):
        seat = match_of(room).waiting_for()[0]
        task = asyncio.create_task(backend.take_turn(room, seat))
        for _ in range(4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        room = await backend.matches.find(room.record.id)
        stored = match_of(await backend.reopen(room))
        assert stored == match_of(room)
    assert (await backend.take_turn(room, match_of(room).waiting_for()[0])).committed


async def test_close_finishes_running_work(backend: Backend) -> None:
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    confirming = asyncio.create_task(backend.matches.confirm(backend.press(room, 0, turn=1)))
    await asyncio.sleep(0)
    await backend.matches.close()
    assert (await confirming).committed
    await backend.open()
    assert match_of(await backend.matches.find(room.record.id)).number == 1


async def test_logs_never_contain_a_seed_or_a_draft(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    room = await backend.start_match()
    update = await backend.pick(room, 0)
    await backend.take_turn(update.room, 0)
    await backend.reopen(room)
    shown = (
        caplog.text
        + repr(room)
        + repr(update)
        + repr(match_of(update.room))
        + repr(backend.matches)
    )
    # An object's address may happen to hold the letters of a key.
    shown = re.sub(r"0x[0-9a-f]+", "", shown)
    assert match_of(room).seed not in shown
    assert match_of(update.room).draft(Seat(0)).answers[0].keys[0] not in shown


async def test_many_matches_of_a_player_are_read_in_few_queries(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = 3 * rooms.MATCHES_PER_READ
    monkeypatch.setattr(settings, "NEWCOMER_LIMIT", many)
    waiting = [await backend.start_match() for _ in range(many)][1]
    await backend.take_turn(waiting, 0)
    asked: list[int] = []
    matches = await backend.restart()

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
