"""Copies of a database that is written to meanwhile."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store.backup import back_up
from tests.bot.seating import House, playing

COPIES = 20


async def test_copies_made_while_a_match_is_played_are_whole(house: House, tmp_path: Path) -> None:
    room = await house.started("blue_lagoon")
    done = asyncio.Event()
    numbers = [playing(room).number]

    async def play() -> None:
        played = room
        while not done.is_set():
            played = await house.played_out(played, limit=1)
            if playing(played).outcome is not None:
                played = await house.started("blue_lagoon")
            elif played.info.id == room.info.id:
                numbers.append(playing(played).number)

    playing_on = asyncio.create_task(play())
    for number in range(COPIES):
        copy, least = tmp_path / "copies" / f"{number}.db", numbers[-1]
        await asyncio.to_thread(back_up, house.path, copy)
        with closing(sqlite3.connect(copy)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            commits = "SELECT max(number) FROM match_commit WHERE match = ?"
            ((found,),) = database.execute(commits, (room.info.id,))
        assert (found or 0) >= least, "what was acknowledged before the copy began is in it"
    done.set()
    await playing_on
    assert numbers[-1] > 1 and not list((tmp_path / "copies").glob(".*"))
    assert (tmp_path / "copies").stat().st_mode & 0o077 == 0 and copy.stat().st_mode & 0o077 == 0


async def test_a_copy_is_played_on(house: House, tmp_path: Path) -> None:
    room = await house.played_out(await house.started("blue_lagoon"), limit=4)
    assert back_up(house.path, tmp_path / "copy.db") == 1
    await house.matches.close()
    house.path = tmp_path / "copy.db"
    await house.open()
    found = await house.matches.find(room.info.id)
    assert playing(found).number == playing(room).number
    await house.played_out(found, limit=2)


def test_what_cannot_be_copied_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        back_up(tmp_path / "none.db", tmp_path / "copy.db")
    (tmp_path / "no.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match="could not be copied"):
        back_up(tmp_path / "no.db", tmp_path / "copy.db")
    (tmp_path / "copy.db").write_bytes(b"precious")
    with pytest.raises(StoreError, match="there already"):
        back_up(tmp_path / "no.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_bytes() == b"precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "no.db"]
