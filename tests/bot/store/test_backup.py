"""Backups of a database in use."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from time import gmtime, strftime

import pytest

from bot.program import run
from bot.runtime.base import HOUR, StoreError
from bot.store.backup import back_up, make_hourly, seconds_until_hourly
from bot.store.sqlite import SqliteStore
from bot.store.sqlite_file import open_file
from tests.bot.backend import Backend, match_of

COPIES = 20


async def test_backups_made_during_play_are_complete(backend: Backend, tmp_path: Path) -> None:
    room = await backend.start_match("blue_lagoon")
    done = asyncio.Event()
    numbers = [match_of(room).number]

    async def play() -> None:
        played = room
        while not done.is_set():
            played = await backend.play_out(played, limit=1)
            if match_of(played).outcome is not None:
                played = await backend.start_match("blue_lagoon")
            elif played.record.id == room.record.id:
                numbers.append(match_of(played).number)

    playing_on = asyncio.create_task(play())
    for number in range(COPIES):
        copy, least = tmp_path / "copies" / f"{number}.db", numbers[-1]
        await asyncio.to_thread(back_up, backend.path, copy)
        with closing(sqlite3.connect(copy)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            commits = "SELECT max(number) FROM moves WHERE match_id = ?"
            ((found,),) = database.execute(commits, (room.record.id,))
        assert (found or 0) >= least, "what was acknowledged before the copy began is in it"
    done.set()
    await playing_on
    assert numbers[-1] > 1 and not list((tmp_path / "copies").glob(".*"))
    assert (tmp_path / "copies").stat().st_mode & 0o077 == 0
    assert copy.stat().st_mode & 0o077 == 0


async def test_a_backup_can_be_played_on(backend: Backend, tmp_path: Path) -> None:
    room = await backend.play_out(await backend.start_match("blue_lagoon"), limit=4)
    assert back_up(backend.path, tmp_path / "copy.db") == 1
    await backend.matches.close()
    backend.path = tmp_path / "copy.db"
    await backend.open()
    found = await backend.matches.find(room.record.id)
    assert match_of(found).number == match_of(room).number
    await backend.play_out(found, limit=2)


def test_a_failed_backup_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There's no database"):
        back_up(tmp_path / "none.db", tmp_path / "copy.db")
    (tmp_path / "no.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match="couldn't be copied"):
        back_up(tmp_path / "no.db", tmp_path / "copy.db")
    (tmp_path / "copy.db").write_bytes(b"precious")
    with pytest.raises(StoreError, match="already exists"):
        back_up(tmp_path / "no.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_bytes() == b"precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "no.db"]


async def test_an_hourly_backup_can_be_restored(
    backend: Backend, capsys: pytest.CaptureFixture[str]
) -> None:
    """As docs/hosting.md says: stop, remove the log, put the copy in place, and start."""
    room = await backend.play_out(await backend.start_match("blue_lagoon"), limit=4)
    playing_on = asyncio.create_task(backend.play_out(room, limit=8))
    copy = await asyncio.to_thread(make_hourly, backend.path, 24, time.time())
    await playing_on
    store = backend.matches.store
    assert isinstance(store, SqliteStore)
    # Killed rather than closed: what is in the log is not in the file.
    log = backend.path.with_name(backend.path.name + "-wal")
    assert log.stat().st_size
    await backend.matches.close()
    log.write_bytes(b"what another log was left behind")
    for end in ("-wal", "-shm"):
        backend.path.with_name(backend.path.name + end).unlink(missing_ok=True)
    copy.replace(backend.path)
    assert await asyncio.to_thread(run, ["check", str(backend.path)]) == 0, capsys.readouterr()
    await backend.open()
    found = await backend.matches.find(room.record.id)
    assert match_of(room).number <= match_of(found).number
    await backend.play_out(found, limit=2)


def test_old_hourly_backups_are_replaced(tmp_path: Path) -> None:
    open_file(tmp_path / "motu.db").close()
    start = 1_800_000_000
    hours = iter(range(start, start + 24 * 20 * HOUR, HOUR))
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "motu-20270115-080000.db").touch()
    (folder / "hourly-mine.db").touch()
    for at in hours:
        (folder / strftime("hourly-%Y%m%d-%H%M%S.db", gmtime(at))).touch()
    (folder / ".hourly-20270115-080000.db.part").touch()
    database, now = tmp_path / "motu.db", at + HOUR
    assert seconds_until_hourly(database, now) == 60, "the last one was made an hour ago"
    made = make_hourly(database, 24, now)
    left = sorted(path.name for path in folder.iterdir())
    assert made.name in left and {"motu-20270115-080000.db", "hourly-mine.db"} <= set(left)
    ours = [name for name in left if name.startswith("hourly-2")]
    days = [name[7:15] for name in ours[:-24]]
    assert len(ours) == 24 + 7
    assert len(set(days)) == 7
    assert not list(folder.glob(".*"))
    assert seconds_until_hourly(database, now + 600) == 3000


def test_a_database_server_refuses_file_backups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOTU_DATABASE", "postgresql://motu:geheim@db.example/motu")
    assert run(["backup"]) == 1
    said = capsys.readouterr().err
    assert "pg_dump" in said and "geheim" not in said
