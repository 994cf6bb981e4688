"""How late the event loop is while pictures are drawn, against an idle loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle
from statistics import median

from bot.ui.pictures import Pictures
from tests.bench.measure import Measured, Row, percentile, rounds
from tests.bench.pictures import seen, turns

TICK = 0.002
SPAN = 1.0
"""Seconds a round."""
KEPT_APART = 100
"""More turns than the bot keeps pictures of: each is drawn anew."""


async def lateness(seconds: float) -> float:
    """The 99th percentile of how much later than asked a sleeper wakes, in milliseconds."""
    loop = asyncio.get_running_loop()
    end, late = loop.time() + seconds, []
    while loop.time() < end:
        due = loop.time() + TICK
        await asyncio.sleep(TICK)
        late.append((loop.time() - due) * 1000)
    return percentile(late, 0.99)


@asynccontextmanager
async def drawing(pictures: Pictures) -> AsyncIterator[None]:
    """One picture after the other is drawn meanwhile, as the bot draws them."""
    positions = [seen(match, private=False) for match in turns()[:KEPT_APART]]

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
        await lateness(SPAN)
    idle, busy = [], []
    for _ in range(count):
        idle.append(await lateness(SPAN))
        async with drawing(pictures):
            busy.append(await lateness(SPAN))
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
