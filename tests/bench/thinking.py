"""What a thinking computer costs everybody else: drawing beside it, and the memory of its process."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from bot.pictures import Pictures
from bot.workers.pool import Thinkers, Worker
from engine import GAMES, Seat, begin
from engine.players import dealt_for
from tests.bench.measure import Measured, Row, rounds
from tests.bench.pictures import seen, turns

DRAWN = 12
"""Pictures a round."""


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


async def _draw() -> float:
    """Seconds that pictures take which nobody has drawn yet."""
    # A fresh service draws everything anew; the sprites are warm from the first round on.
    pictures = Pictures()
    positions = [seen(match, private=False) for match in turns()[:DRAWN]]
    begun = time.perf_counter()
    for view, scene in positions:
        await pictures.board(view, scene.names, rings=scene.rings)
    took = time.perf_counter() - begun
    pictures.close()
    return took


async def drawing_beside(workers: Sequence[Worker], count: int) -> Measured:
    """Pictures drawn while these processes are at work, against pictures drawn while they are held.

    Which comes first changes from round to round: what else the machine does favours neither.
    """
    times: dict[signal.Signals, list[float]] = {signal.SIGCONT: [], signal.SIGSTOP: []}
    for number in range(count + 1):
        for state in sorted(times, reverse=bool(number % 2)):
            for worker in workers:
                if worker._process is not None:
                    worker._process.send_signal(state)
            took = await _draw()
            if number:
                times[state].append(took)
    beside, alone = (1000 * median(times[state]) for state in (signal.SIGCONT, signal.SIGSTOP))
    return Measured(beside / alone, beside, alone)


async def _measure(count: int) -> Measured:
    thinkers = Thinkers()
    try:
        async with thinking(thinkers):
            return await drawing_beside(thinkers._all, count)
    finally:
        await thinkers.close()


async def _memory() -> float:
    """MB of a process that has thought in every game."""
    thinkers = Thinkers()
    for game in GAMES.values():
        match = begin(game, game.seats[-1], {}, 1)
        seat = match.waiting_for()[0]
        await thinkers(game, dealt_for(game, match.base, seat), Seat(seat), "bench", "strong")
    worker: Worker = next(worker for worker in thinkers._all if worker._process is not None)
    assert worker._process is not None
    status = _status(worker._process.pid)
    await thinkers.close()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _status(process: int) -> str:
    return Path(f"/proc/{process}/status").read_text()


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
        "MB of a worker that has thought in every game",
        100,
        150,
        lambda quick: Measured(asyncio.run(_memory())),
    ),
)
