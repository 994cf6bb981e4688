"""motu check: what is right is found right, and whatever was done to a match is found."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.features.history import moments
from bot.features.rewind import REWIND, fingerprint
from bot.model import Status
from bot.program import run
from bot.store.moving import move
from bot.store.opening import open_store
from tests.bot.seating import ANA, BEA, House, playing
from tests.postgres_server import Server

HARM = {
    "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 2) WHERE number = 3": "after move 3",
    "UPDATE moves SET position = CAST('{}' AS BLOB) WHERE number = 3": "move 3 cannot be played",
    "DELETE FROM moves WHERE number = 3": "moves are missing",
    "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 3) WHERE number > 3": "it stands at move",
    "UPDATE announcements SET since = since - 1 WHERE number = 2": "the post after move 2",
    "DELETE FROM seats WHERE user_id = 10": "seats are missing",
    "UPDATE matches SET record = json_set(record, '$.chairs[1].id', 10)": "somebody sits in two seats",
    "UPDATE seats SET is_open = FALSE": "not open or closed as it is",
    "UPDATE matches SET record = json_set(record, '$.commitment', 'x')": "its seed is not the one",
    "UPDATE matches SET record = json_set(record, '$.status', 'finished')": "is said to be finished",
    "UPDATE matches SET record = json_set(record, '$.settings', 'x')": "is damaged",
    "UPDATE moves SET answers = (SELECT answers FROM moves WHERE number = 4) WHERE number = 2": "move 2",
}


async def fill(path: Path) -> None:
    """A match with a bit of everything."""
    house = House(path)
    await house.open()
    try:
        room = await house.played_out(
            await house.started("blue_lagoon", people=3, computers=1), limit=6
        )
        room = (await house.matches.resign(house.press(room, 2))).room
        seat = playing(room).waiting_for()[0]
        room = (await house.turn(room, seat)).room
        room = (await house.matches.undo(house.press(room, seat))).room
        assert await house.matches.store.read(moments.REWINDS, room.record.id)
        room = (await house.turn(room, seat)).room
    finally:
        await house.matches.close()


async def rewind_and_pause(path: Path) -> None:
    """A match that its table has rewound, with new dice, and put on hold."""
    house = House(path)
    await house.open()
    try:
        room = await house.played_out(await house.started("blue_lagoon", people=2), limit=4)
        facts = {"to": 2, "at": fingerprint(playing(room)), "before": "", "undone": "", "number": 1}
        for kind, given in ((REWIND, facts), ("pause", {})):
            vote = await house.matches.votes.propose(room.record.id, ANA, kind, given)
            await house.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
        room = await house.matches.find(room.record.id)
        assert playing(room).reseeds and room.record.status is Status.ON_HOLD
    finally:
        await house.matches.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A database in which all is well."""
    path = tmp_path_factory.mktemp("check") / "motu.db"
    asyncio.run(fill(path))
    yield path


def checked(place: Path | str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What motu check says."""
    code = run(["check", str(place)])
    return code, capsys.readouterr().out


def test_what_is_right_is_found_right_also_while_a_bot_runs(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert checked(whole, capsys) == (0, "1 match, all in order.\n")
    with closing(sqlite3.connect(whole)) as bot:
        bot.execute("BEGIN IMMEDIATE")
        assert checked(whole, capsys)[0] == 0
    assert run(["check", "none.db"]) == 1 and "There is no database" in capsys.readouterr().err


def test_a_match_that_was_rewound_and_rests_is_found_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "motu.db"
    asyncio.run(rewind_and_pause(path))
    assert checked(path, capsys) == (0, "1 match, all in order.\n")


@pytest.mark.parametrize("harm", HARM)
def test_what_was_done_to_a_match_is_found(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    path = tmp_path / "motu.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(harm)
        database.commit()
        ((match,),) = database.execute("SELECT id FROM matches")
    code, said = checked(path, capsys)
    assert code == 1 and HARM[harm] in said
    assert all(line.startswith(f"{match}: ") for line in said.splitlines()[:-1])
    assert said.splitlines()[-1].startswith("1 match, ")


def test_a_server_is_checked_too(
    whole: Path, emptied: Callable[[], str], postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    url = emptied()

    async def moved() -> None:
        async with (
            await open_store(whole, alone=True) as ours,
            await open_store(url, alone=True) as theirs,
        ):
            await move(ours, theirs, lambda done, matches: None)

    asyncio.run(moved())
    assert checked(url, capsys) == (0, "1 match, all in order.\n")
    postgres.sql("DELETE FROM moves WHERE number = 0", url)
    code, said = checked(url, capsys)
    assert code == 1 and "moves are missing" in said
