"""Measure what a thinking computer costs others: slower drawing, and its process's memory."""

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
from engine.players import deal_for
from tests.bench.measure import Measured, Row, rounds
from tests.bench.pictures import turns, view_and_scene

WARM, DRAWN = 8, 6
"""Numbers of pictures drawn before timing, and per round."""
POSITIONS = 20
"""How many positions of a match are thought about."""


@asynccontextmanager
async def thinking(thinkers: Thinkers) -> AsyncIterator[None]:
    """Have a strong computer think without a pause within this context."""
    game = GAMES["maori"]
    match = begin(game, 2, {}, 1)
    seat = match.waiting_for()[0]
    state = deal_for(game, match.base, seat)

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
    """Return the seconds that it takes to draw a picture that is not cached."""
    view, scene = view_and_scene(match, private=False)
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
    """Compare drawing while a worker runs with drawing while it is suspended.

    The two alternate, so that everything else is alike.
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
    """Return the process id of the worker that is running."""
    process = next(worker._process for worker in workers._all if worker._process is not None)
    return process.pid


async def _memory(quick: bool) -> Measured:
    """Return the memory of thinking about positions of every game, late ones included."""
    thinkers = Thinkers()
    for game in GAMES.values():
        *positions, _ = turns(game.id)
        for match in positions[:: max(1, len(positions) // (2 if quick else POSITIONS))]:
            seat = match.waiting_for()[0]
            await thinkers(game, deal_for(game, match.base, seat), Seat(seat), "bench", "strong")
    measured = peak_memory(thinkers)
    await thinkers.close()
    return measured


def peak_memory(workers: Workers) -> Measured:
    """Return the most MB that the worker's process has ever had resident."""
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
