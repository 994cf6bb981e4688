"""Measure how late the event loop is while pictures are drawn, compared with an idle loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle
from statistics import median

from bot.ui.pictures import Pictures
from tests.bench.measure import Measured, Row, percentile, rounds
from tests.bench.pictures import turns, view_and_scene

TICK_SECONDS = 0.002
"""How long the sleeper sleeps each time."""
ROUND_SECONDS = 1.0
DRAWN_TURNS = 100
"""How many turns are drawn: more than the bot caches, so that each is drawn again."""


async def lateness(seconds: float) -> float:
    """Return how many milliseconds too late a sleeper wakes, as the 99th percentile."""
    loop = asyncio.get_running_loop()
    end, late = loop.time() + seconds, []
    while loop.time() < end:
        due = loop.time() + TICK_SECONDS
        await asyncio.sleep(TICK_SECONDS)
        late.append((loop.time() - due) * 1000)
    return percentile(late, 0.99)


@asynccontextmanager
async def drawing(pictures: Pictures) -> AsyncIterator[None]:
    """Draw one picture after the other within this context, as the bot draws them."""
    positions = [view_and_scene(match, private=False) for match in turns()[:DRAWN_TURNS]]

    async def without_pause() -> None:
        for view, scene in cycle(positions):
            await pictures.board(view, scene.names, rings=scene.rings)

    task = asyncio.create_task(without_pause())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _measure(count: int) -> Measured:
    pictures = Pictures()
    async with drawing(pictures):
        await lateness(ROUND_SECONDS)
    idle, busy = [], []
    for _ in range(count):
        idle.append(await lateness(ROUND_SECONDS))
        async with drawing(pictures):
            busy.append(await lateness(ROUND_SECONDS))
    pictures.close()
    return Measured(median(busy) / median(idle), median(busy), median(idle))


ROWS = (
    Row(
        "lag",
        "event loop lag p99 while drawing without pause / idle",
        3,
        5,
        lambda quick: asyncio.run(_measure(rounds(quick))),
    ),
)
