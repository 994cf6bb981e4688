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
from tests.bot.backend import Backend, match_of


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
async def running(tmp_path: Path) -> tuple[Backend, Room]:
    """A match that is partly in the file and partly in its log."""
    (tmp_path / "data").mkdir()
    backend = Backend(tmp_path / "data" / "motu.db")
    await backend.open()
    room = await backend.start_match("blue_lagoon")
    await backend.restart()
    return backend, await backend.play_out(await backend.matches.find(room.record.id), limit=5)


async def check_refused(backend: Backend, room: Room) -> SqliteStore:
    """Check that the next move and all later ones are refused."""
    for _ in range(2):
        with pytest.raises(StoreError, match=r"Nothing was changed"):
            await backend.take_turn(room, match_of(room).waiting_for()[0])
    store = backend.matches.store
    assert isinstance(store, SqliteStore) and store.lost.is_set()
    await backend.matches.close()
    return store


@pytest.mark.parametrize("harm", [remove, remove_folder, move_away, remove_log])
async def test_a_removed_database_is_restored_at_the_next_start(
    running: tuple[Backend, Room], harm: Callable[[Path], None]
) -> None:
    backend, room = running
    harm(backend.path)
    store = await check_refused(backend, room)
    assert "deleted" in store.why_lost and str(backend.path) in store.why_lost
    backend.path = backend.path.resolve()
    found = await reopen(backend, backend.path, room)
    assert match_of(found).number == match_of(room).number


async def reopen(backend: Backend, path: Path, room: Room) -> Room:
    """Return the match from this file after another start."""
    copy = path.with_name("read.db")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.execute("VACUUM INTO ?", (str(copy),))
    backend.path = copy
    await backend.open()
    found = await backend.matches.find(room.record.id)
    await backend.matches.close()
    return found


async def test_a_replaced_database_is_kept_beside_the_new_file(
    running: tuple[Backend, Room],
) -> None:
    backend, room = running
    replace(backend.path)
    store = await check_refused(backend, room)
    (rescued,) = backend.path.parent.glob("motu.db.rescued-*")
    assert str(rescued) in store.why_lost and rescued.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(backend.path)) as database:
        assert [row[0] for row in database.execute("SELECT name FROM sqlite_master")] == ["other"]
    assert match_of(await reopen(backend, rescued, room)).number == match_of(room).number


@pytest.mark.parametrize("harm", [cut_short, cut_in_half, empty_log, copy_over])
async def test_an_overwritten_database_is_reported_as_lost(
    running: tuple[Backend, Room], harm: Callable[[Path], None]
) -> None:
    backend, room = running
    harm(backend.path)
    store = await check_refused(backend, room)
    assert "Restore a backup" in store.why_lost


async def test_a_rewritten_file_is_watched_too(running: tuple[Backend, Room]) -> None:
    backend, room = running
    store = backend.matches.store
    remove(backend.path)
    with pytest.raises(StoreError, match=r"Nothing was changed"):
        await store.scrub()
    assert store.lost.is_set() and "deleted" in store.why_lost
    await backend.matches.close()
    assert match_of(await reopen(backend, backend.path, room)).number == match_of(room).number


async def test_other_readers_and_checkpoints_do_no_harm(
    running: tuple[Backend, Room],
) -> None:
    backend, room = running
    for tidy in ("wal_checkpoint(PASSIVE)", "wal_checkpoint(TRUNCATE)", "quick_check"):
        with closing(sqlite3.connect(backend.path)) as reader:
            reader.execute(f"PRAGMA {tidy}").fetchall()
        room = await backend.play_out(room, limit=3)
    await backend.matches.close()
    assert match_of(await reopen(backend, backend.path, room)).number == match_of(room).number


async def test_a_first_write_without_changes_does_no_harm(running: tuple[Backend, Room]) -> None:
    backend, room = running
    await backend.restart()
    await backend.matches.store.write(queries.cancel_job, "nothing of this kind")
    room = await backend.play_out(await backend.matches.find(room.record.id), limit=1)
    await backend.matches.close()
    assert match_of(await reopen(backend, backend.path, room)).number == match_of(room).number
