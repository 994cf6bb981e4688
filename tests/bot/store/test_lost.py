"""A database file removed under a running bot: writes are refused, and nothing is lost."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.kernel import queries
from bot.kernel.room import Room
from bot.runtime.base import StoreError
from bot.store.sqlite import SqliteStore
from tests.bot.seating import House, playing


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def remove(path: Path) -> None:
    path.unlink()


def remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def remove_log(path: Path) -> None:
    log_of(path).unlink()


def replace(path: Path) -> None:
    other = path.with_name("other.db")
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE other (x)")
    other.replace(path)


def cut_short(path: Path) -> None:
    os.truncate(path, 0)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty_log(path: Path) -> None:
    os.truncate(log_of(path), 0)


def copy_over(path: Path) -> None:
    """Write another database into the same file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(os.urandom(size))


@pytest.fixture
async def running(tmp_path: Path) -> tuple[House, Room]:
    """A match that is partly in the file and partly in its log."""
    (tmp_path / "data").mkdir()
    house = House(tmp_path / "data" / "motu.db")
    await house.open()
    room = await house.start_match("blue_lagoon")
    await house.restart()
    return house, await house.play_out(await house.matches.find(room.record.id), limit=5)


async def check_refused(house: House, room: Room) -> SqliteStore:
    """Check that the next move and all later ones are refused."""
    for _ in range(2):
        with pytest.raises(StoreError, match=r"Nothing was changed"):
            await house.take_turn(room, playing(room).waiting_for()[0])
    store = house.matches.store
    assert isinstance(store, SqliteStore) and store.lost.is_set()
    await house.matches.close()
    return store


@pytest.mark.parametrize("harm", [remove, remove_folder, move_away, remove_log])
async def test_a_removed_database_is_restored_at_the_next_start(
    running: tuple[House, Room], harm: Callable[[Path], None]
) -> None:
    house, room = running
    harm(house.path)
    store = await check_refused(house, room)
    assert "deleted" in store.why_lost and str(house.path) in store.why_lost
    house.path = house.path.resolve()
    found = await reopen(house, house.path, room)
    assert playing(found).number == playing(room).number


async def reopen(house: House, path: Path, room: Room) -> Room:
    """Return the match from this file after another start."""
    copy = path.with_name("read.db")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.execute("VACUUM INTO ?", (str(copy),))
    house.path = copy
    await house.open()
    found = await house.matches.find(room.record.id)
    await house.matches.close()
    return found


async def test_a_replaced_database_is_kept_beside_the_new_file(
    running: tuple[House, Room],
) -> None:
    house, room = running
    replace(house.path)
    store = await check_refused(house, room)
    (rescued,) = house.path.parent.glob("motu.db.rescued-*")
    assert str(rescued) in store.why_lost and rescued.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(house.path)) as database:
        assert [row[0] for row in database.execute("SELECT name FROM sqlite_master")] == ["other"]
    assert playing(await reopen(house, rescued, room)).number == playing(room).number


@pytest.mark.parametrize("harm", [cut_short, cut_in_half, empty_log, copy_over])
async def test_an_overwritten_database_is_reported_as_lost(
    running: tuple[House, Room], harm: Callable[[Path], None]
) -> None:
    house, room = running
    harm(house.path)
    store = await check_refused(house, room)
    assert "Restore a backup" in store.why_lost


async def test_a_rewritten_file_is_watched_too(running: tuple[House, Room]) -> None:
    house, room = running
    store = house.matches.store
    remove(house.path)
    with pytest.raises(StoreError, match=r"Nothing was changed"):
        await store.scrub()
    assert store.lost.is_set() and "deleted" in store.why_lost
    await house.matches.close()
    assert playing(await reopen(house, house.path, room)).number == playing(room).number


async def test_other_readers_and_checkpoints_do_no_harm(
    running: tuple[House, Room],
) -> None:
    house, room = running
    for tidy in ("wal_checkpoint(PASSIVE)", "wal_checkpoint(TRUNCATE)", "quick_check"):
        with closing(sqlite3.connect(house.path)) as reader:
            reader.execute(f"PRAGMA {tidy}").fetchall()
        room = await house.play_out(room, limit=3)
    await house.matches.close()
    assert playing(await reopen(house, house.path, room)).number == playing(room).number


async def test_a_first_write_without_changes_does_no_harm(running: tuple[House, Room]) -> None:
    house, room = running
    await house.restart()
    await house.matches.store.write(queries.cancel_job, "nothing of this kind")
    room = await house.play_out(await house.matches.find(room.record.id), limit=1)
    await house.matches.close()
    assert playing(await reopen(house, house.path, room)).number == playing(room).number
