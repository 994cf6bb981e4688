"""motu check: sound matches pass, and tampering is found."""

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
from tests.bot.backend import ANA, BEA, Backend, match_of
from tests.postgres_server import Server

HARM = {
    "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 2) WHERE "
    "number = 3": "after move 3",
    "UPDATE moves SET position = CAST('{}' AS BLOB) WHERE number = 3": "can't replay move 3",
    "DELETE FROM moves WHERE number = 3": "has missing moves",
    "UPDATE moves SET position = (SELECT position FROM moves WHERE number = 3) WHERE "
    "number > 3": "is at move",
    "UPDATE announcements SET since = since - 1 WHERE number = 2": "has a post after move 2",
    "DELETE FROM seats WHERE user_id = 10": "has missing seats",
    "UPDATE matches SET record = json_set(record, "
    "'$.chairs[1].id', 10)": "has somebody in two seats",
    "UPDATE seats SET is_open = FALSE": "marked open or closed wrongly",
    "UPDATE matches SET record = json_set(record, '$.commitment', 'x')": "has a different seed",
    "UPDATE matches SET record = json_set(record, '$.status', 'finished')": "is marked finished",
    "UPDATE matches SET record = json_set(record, '$.settings', 'x')": "is damaged",
    "UPDATE moves SET answers = (SELECT answers FROM moves WHERE number = 4) WHERE "
    "number = 2": "move 2",
}


async def fill(path: Path) -> None:
    """Create a match with a bit of everything."""
    backend = Backend(path)
    await backend.open()
    try:
        room = await backend.play_out(
            await backend.start_match("blue_lagoon", people=3, computers=1), limit=6
        )
        room = (await backend.matches.resign(backend.press(room, 2))).room
        seat = match_of(room).waiting_for()[0]
        room = (await backend.take_turn(room, seat)).room
        room = (await backend.matches.undo(backend.press(room, seat))).room
        assert await backend.matches.store.read(moments.REWINDS, room.record.id)
        room = (await backend.take_turn(room, seat)).room
    finally:
        await backend.matches.close()


async def rewind_and_pause(path: Path) -> None:
    """Rewind a match and pause it by vote."""
    backend = Backend(path)
    await backend.open()
    try:
        room = await backend.play_out(await backend.start_match("blue_lagoon", people=2), limit=4)
        facts = {
            "to": 2,
            "at": fingerprint(match_of(room)),
            "before": "",
            "undone": "",
            "number": 1,
        }
        for kind, given in ((REWIND, facts), ("pause", {})):
            vote = await backend.matches.votes.propose(room.record.id, ANA, kind, given)
            await backend.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
        room = await backend.matches.find(room.record.id)
        assert match_of(room).reseeds and room.record.status is Status.ON_HOLD
    finally:
        await backend.matches.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A sound database."""
    path = tmp_path_factory.mktemp("check") / "motu.db"
    asyncio.run(fill(path))
    yield path


def run_check(place: Path | str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return the output of motu check."""
    code = run(["check", str(place)])
    return code, capsys.readouterr().out


def test_sound_matches_pass_the_check_even_while_a_bot_runs(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_check(whole, capsys) == (0, "1 match, all correct.\n")
    with closing(sqlite3.connect(whole)) as bot:
        bot.execute("BEGIN IMMEDIATE")
        assert run_check(whole, capsys)[0] == 0
    assert run(["check", "none.db"]) == 1 and "There's no database" in capsys.readouterr().err


def test_a_rewound_match_passes_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "motu.db"
    asyncio.run(rewind_and_pause(path))
    assert run_check(path, capsys) == (0, "1 match, all correct.\n")


@pytest.mark.parametrize("harm", HARM)
def test_tampering_with_a_match_is_found(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    path = tmp_path / "motu.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(harm)
        database.commit()
        ((match,),) = database.execute("SELECT id FROM matches")
    code, said = run_check(path, capsys)
    assert code == 1 and HARM[harm] in said
    assert all(line.startswith(f"{match}: ") for line in said.splitlines()[:-1])
    assert said.splitlines()[-1].startswith("1 match, ")


def test_a_database_server_can_be_checked(
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
    assert run_check(url, capsys) == (0, "1 match, all correct.\n")
    postgres.sql("DELETE FROM moves WHERE number = 0", url)
    code, said = run_check(url, capsys)
    assert code == 1 and "has missing moves" in said
