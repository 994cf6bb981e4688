"""A program killed while it writes: everything acknowledged is stored once."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec

from bot.kernel.room import Room
from engine import Answer, Match
from tests.bot.backend import Backend, match_of, restart_match
from tests.bot.store.victim import Deed

KILLS = 6


def run_until_killed(
    path: Path, match: str, first: int, random: Random
) -> tuple[list[Deed], Deed | None]:
    """Run the program until a kill; return acknowledged presses and the pending one."""
    lines = random.randint(5, 60)
    command = [
        sys.executable,
        "-m",
        "tests.bot.store.victim",
        str(path),
        match,
        str(first),
        str(random.random())[2:9],
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        heard = [victim.stdout.readline() for _ in range(lines)]
        victim.kill()
        heard += victim.stdout.readlines()
    said = [line.split(" ", 1) for line in heard if line.endswith("\n")]
    deeds = [(word, msgspec.json.decode(text, type=Deed)) for word, text in said]
    begun = [deed for word, deed in deeds if word == "does"]
    done = [deed for word, deed in deeds if word == "done"]
    return done, begun[-1] if begun and begun[-1] not in done else None


def apply_deed(match: Match, deed: Deed) -> Match:
    """Apply a press by the engine alone."""
    if deed.deed == "pick":
        return match.pick(Answer(deed.seat, deed.kind, deed.keys))
    return match.confirm(deed.seat) if deed.deed == "confirm" else match.undo(deed.seat)


async def room_in(backend: Backend, match: str) -> Room:
    """Return the match from the file."""
    await backend.open()
    room = await backend.matches.find(match)
    await backend.matches.close()
    return room


def check_bookkeeping(path: Path, match: str, commits: int) -> None:
    """Check that every commit has its position and that announcements leave no gap."""
    with closing(sqlite3.connect(path)) as database:
        text = (
            "SELECT number FROM moves WHERE match_id = ? AND position IS NOT NULL ORDER BY number"
        )
        assert [number for (number,) in database.execute(text, (match,))] == list(
            range(commits + 1)
        )
        told = database.execute("SELECT since, number FROM announcements ORDER BY id").fetchall()
    assert [since for since, _ in told] == [-1, *(number for _, number in told[:-1])]
    assert all(since < number for since, number in told)


def test_a_killed_program_loses_and_repeats_nothing(
    tmp_path: Path,
) -> None:
    backend, random = Backend(tmp_path / "motu.sqlite3"), Random(5)
    room = asyncio.run(_begun(backend, "toy"))
    expected, interaction = restart_match(match_of(room)), 1
    for _ in range(KILLS):
        if expected.outcome is not None:
            break
        done, open_deed = run_until_killed(backend.path, room.record.id, interaction, random)
        for deed in done:
            expected = apply_deed(expected, deed)
        found = match_of(asyncio.run(room_in(backend, room.record.id)))
        if open_deed is not None and found != expected:
            expected = apply_deed(expected, open_deed)
        assert found == expected
        check_bookkeeping(backend.path, room.record.id, expected.number)
        interaction += 10_000
    assert expected.number > 3


async def _begun(backend: Backend, game: str) -> Room:
    await backend.open()
    room = await backend.start_match(game, people=3)
    await backend.matches.close()
    return room
