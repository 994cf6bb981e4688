"""A file that is taken away under a running bot: the write is refused, and what was acknowledged
is not lost.
"""

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
    """Another database of the same size or more, written into the same file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(os.urandom(size))


@pytest.fixture
async def running(tmp_path: Path) -> tuple[House, Room]:
    """A match that is played, some of it in the file and some in the log beside it."""
    (tmp_path / "data").mkdir()
    house = House(tmp_path / "data" / "motu.db")
    await house.open()
    room = await house.started("blue_lagoon")
    await house.restart()
    return house, await house.played_out(await house.matches.find(room.record.id), limit=5)


async def refused(house: House, room: Room) -> SqliteStore:
    """The next move is refused, and so is every one after it."""
    for _ in range(2):
        with pytest.raises(StoreError, match=r"Nothing was changed"):
            await house.turn(room, playing(room).waiting_for()[0])
    store = house.matches.store
    assert isinstance(store, SqliteStore) and store.lost.is_set()
    await house.matches.close()
    return store


@pytest.mark.parametrize("harm", [remove, remove_folder, move_away, remove_log])
async def test_what_was_removed_is_there_again_at_the_next_start(
    running: tuple[House, Room], harm: Callable[[Path], None]
) -> None:
    house, room = running
    harm(house.path)
    store = await refused(house, room)
    assert "removed" in store.why_lost and str(house.path) in store.why_lost
    house.path = house.path.resolve()
    found = await reopened(house, house.path, room)
    assert playing(found).number == playing(room).number


async def reopened(house: House, path: Path, room: Room) -> Room:
    """The match as another start finds it in that file."""
    copy = path.with_name("read.db")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.execute("VACUUM INTO ?", (str(copy),))
    house.path = copy
    await house.open()
    found = await house.matches.find(room.record.id)
    await house.matches.close()
    return found


async def test_what_was_replaced_is_kept_beside_the_new_file_which_is_left_alone(
    running: tuple[House, Room],
) -> None:
    house, room = running
    replace(house.path)
    store = await refused(house, room)
    (rescued,) = house.path.parent.glob("motu.db.rescued-*")
    assert str(rescued) in store.why_lost and rescued.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(house.path)) as database:
        assert [row[0] for row in database.execute("SELECT name FROM sqlite_master")] == ["other"]
    assert playing(await reopened(house, rescued, room)).number == playing(room).number


@pytest.mark.parametrize("harm", [cut_short, cut_in_half, empty_log, copy_over])
async def test_what_was_written_over_is_said_to_be_lost(
    running: tuple[House, Room], harm: Callable[[Path], None]
) -> None:
    house, room = running
    harm(house.path)
    store = await refused(house, room)
    assert "Restore a backup" in store.why_lost


async def test_a_file_that_is_written_anew_is_watched_too(running: tuple[House, Room]) -> None:
    house, room = running
    store = house.matches.store
    remove(house.path)
    with pytest.raises(StoreError, match=r"Nothing was changed"):
        await store.scrub()
    assert store.lost.is_set() and "removed" in store.why_lost
    await house.matches.close()
    assert playing(await reopened(house, house.path, room)).number == playing(room).number


async def test_others_who_read_the_file_or_tidy_up_its_log_do_no_harm(
    running: tuple[House, Room],
) -> None:
    house, room = running
    for tidy in ("wal_checkpoint(PASSIVE)", "wal_checkpoint(TRUNCATE)", "quick_check"):
        with closing(sqlite3.connect(house.path)) as reader:
            reader.execute(f"PRAGMA {tidy}").fetchall()
        room = await house.played_out(room, limit=3)
    await house.matches.close()
    assert playing(await reopened(house, house.path, room)).number == playing(room).number


async def test_a_first_write_that_changes_nothing_is_no_harm(running: tuple[House, Room]) -> None:
    house, room = running
    await house.restart()
    await house.matches.store.write(queries.cancel_job, "nothing of this kind")
    room = await house.played_out(await house.matches.find(room.record.id), limit=1)
    await house.matches.close()
    assert playing(await reopened(house, house.path, room)).number == playing(room).number
