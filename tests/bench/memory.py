"""Measure the memory of a bot that draws, and its first picture, each in a new process."""

import asyncio
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path
from statistics import median

import msgspec

from bot.ui.pictures import Pictures
from engine import GAMES, Match, begin
from engine.players.simple import stand_in
from tests.bench.measure import Measured, Row
from tests.contract.games import shortest

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
MEBIBYTE = 1024
"""In kibibytes, the unit in which Linux reports memory."""


def memory(quick: bool) -> Measured:
    """Return the MB resident after boards and score sheets of all games at all numbers of seats."""
    if not Path("/proc/self/status").exists():
        return Measured(0, None, note="told by Linux alone")
    most, end = _run("resident", quick)
    return Measured(end, None, note=f"MB at the end, {most:.0f} at most")


def first_press(quick: bool) -> Measured:
    """Compare a board after a warm start with the first of its kind, for the worst game."""
    ratio, ours, cold = max(_first_pictures(quick).values())
    return Measured(ratio, ours, cold)


def first_picture(quick: bool) -> Measured:
    """Return the CPU seconds of the first board after a start, for the worst game."""
    cold = {game: times[-1] / 1000 for game, times in _first_pictures(quick).items()}
    note = ", ".join(f"{game} {seconds:.2f}" for game, seconds in cold.items())
    return Measured(max(cold.values()), note=note)


@lru_cache
def _first_pictures(quick: bool) -> dict[str, list[float]]:
    """Return for each game what `_first` measures, each in a new process."""
    return {game: _run(f"first {game}", quick) for game in GAMES}


def _run(what: str, quick: bool) -> list[float]:
    """Run a measurement in a new process, and return the figures that it prints."""
    command = [
        sys.executable,
        "-m",
        "tests.bench.memory",
        *what.split(),
        *(["--quick"] if quick else []),
    ]
    told: list[float] = msgspec.json.decode(
        subprocess.run(command, check=True, capture_output=True).stdout
    )
    return told


async def _resident(quick: bool) -> list[float]:
    from render.sample import scene_of

    pictures, sizes = Pictures(), []
    await pictures.warm()
    for game in GAMES:
        for seats in GAMES[game].seats:
            turns = _turns(game, seats)
            for match in [*turns[:: max(1, len(turns) // (2 if quick else 12))], turns[-1]]:
                for private in (False, True):
                    viewer = match.waiting_for()[0] if private and match.waiting_for() else None
                    scene = msgspec.structs.asdict(scene_of(match, private))
                    await pictures.board(match.view(viewer), scene.pop("names"), **scene)
            await pictures.score_sheet(turns[-1].view(None), NAMES[:seats])
            sizes.append(_now())
    return [max(sizes), sizes[-1]]


def _turns(game: str, seats: int) -> list[Match]:
    """Play a whole match between stand-ins; return it turn by turn."""
    turns = [begin(GAMES[game], seats, shortest(GAMES[game]), "memory")]
    while turns[-1].outcome is None:
        turns.append(stand_in(turns[-1], turns[-1].waiting_for()[0]))
    return turns


def _now() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / MEBIBYTE


def _first(game: str, quick: bool) -> list[float]:
    import render
    from render.sample import scene_of

    turns = _turns(game, max(GAMES[game].seats))
    start = len(turns) // 2
    costs = []
    for match in turns[start : start + (3 if quick else 12)]:
        began = time.process_time()
        render.picture(match.view(None), scene_of(match, private=False))
        costs.append((time.process_time() - began) * 1000)
    cold, *rest = costs
    return [median(rest) / cold, median(rest), cold]


ROWS = (
    Row("memory", "MB resident when all games at all tables have been drawn", 240, 260, memory),
    Row(
        "first-press",
        "picture after a warm start / after a cold one, worst game",
        0.1,
        0.2,
        first_press,
    ),
    Row(
        "first-picture",
        "s of CPU for a game's first picture after a start",
        0.5,
        0.75,
        first_picture,
    ),
)

if __name__ == "__main__":
    what, *given = sys.argv[1:]
    is_quick = "--quick" in given
    result = asyncio.run(_resident(is_quick)) if what == "resident" else _first(given[0], is_quick)
    print(msgspec.json.encode(result).decode(), flush=True)
