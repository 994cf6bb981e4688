"""What a thinking computer costs everybody else: drawing beside it, and the memory of its
process.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from bot.ui.pictures import Pictures
from bot.workers.pool import Thinkers, Workers
from engine import GAMES, Match, Seat, begin
from engine.players import dealt_for
from tests.bench.measure import Measured, Row, rounds
from tests.bench.pictures import seen, turns

WARM, DRAWN = 8, 6
"""Pictures drawn before the clock runs, and for each round."""
POSITIONS = 20
"""Positions of a match that are thought about."""


@asynccontextmanager
async def thinking(thinkers: Thinkers) -> AsyncIterator[None]:
    """A strong computer thinks meanwhile, thought after thought."""
    game = GAMES["maori"]
    match = begin(game, 2, {}, 1)
    seat = match.waiting_for()[0]
    state = dealt_for(game, match.base, seat)

    async def without_pause() -> None:
        while True:
            await thinkers(game, state, Seat(seat), "bench", "strong")

    await thinkers(game, state, Seat(seat), "bench", "strong")
    task = asyncio.create_task(without_pause())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _draw(pictures: Pictures, match: Match) -> float:
    """Seconds that a picture takes which nobody has drawn yet."""
    view, scene = seen(match, private=False)
    begun = time.perf_counter()
    await pictures.board(view, scene.names, rings=scene.rings)
    return time.perf_counter() - begun


async def _measure(count: int) -> Measured:
    thinkers = Thinkers()
    async with thinking(thinkers):
        measured = await drawing_beside(thinkers, count)
    await thinkers.close()
    return measured


async def drawing_beside(workers: Workers, count: int) -> Measured:
    """The same pictures with the working process held and let go, in turn, so that all else is
    alike for both.
    """
    alone, beside, ratios = Pictures(), Pictures(), []
    times: dict[bool, list[float]] = {False: [], True: []}
    for number, match in enumerate(turns()[: WARM + DRAWN * count]):
        took = {}
        for busy in (False, True) if number % 2 else (True, False):
            os.kill(process_of(workers), signal.SIGCONT if busy else signal.SIGSTOP)
            took[busy] = await _draw(beside if busy else alone, match)
        os.kill(process_of(workers), signal.SIGCONT)
        if number >= WARM:
            ratios.append(took[True] / took[False])
            for busy, seconds in took.items():
                times[busy].append(seconds)
    for pictures in (alone, beside):
        pictures.close()
    return Measured(median(ratios), 1000 * median(times[True]), 1000 * median(times[False]))


def process_of(workers: Workers) -> int:
    """The number of the process that works."""
    process = next(worker._process for worker in workers._all if worker._process is not None)
    return process.pid


async def _memory(quick: bool) -> Measured:
    """Positions from the start to the end of a match of every game, for late ones take more
    memory than openings.
    """
    thinkers = Thinkers()
    for game in GAMES.values():
        *positions, _ = turns(game.id)
        for match in positions[:: max(1, len(positions) // (2 if quick else POSITIONS))]:
            seat = match.waiting_for()[0]
            await thinkers(game, dealt_for(game, match.base, seat), Seat(seat), "bench", "strong")
    measured = peak_memory(thinkers)
    await thinkers.close()
    return measured


def peak_memory(workers: Workers) -> Measured:
    """Return the most MB that the working process has ever had resident."""
    status = Path(f"/proc/{process_of(workers)}/status")
    if not status.exists():
        return Measured(0, note="told by Linux alone")
    return Measured(
        int(status.read_text(encoding="ascii").split("VmHWM:")[1].split()[0]) / 1024, note="MB"
    )


ROWS = (
    Row(
        "draw-thinking",
        "drawing while a strong computer thinks / while none does",
        1.1,
        1.5,
        lambda quick: asyncio.run(_measure(rounds(quick))),
    ),
    Row(
        "worker-memory",
        "most MB of a worker that thinks through matches of every game",
        100,
        150,
        lambda quick: asyncio.run(_memory(quick)),
    ),
)
