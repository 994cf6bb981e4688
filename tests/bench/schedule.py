"""Measure whether due jobs cost the same, however many others are scheduled for later.

The numbers of jobs may be tuned; both stores must get the same due jobs in every round.
"""

import asyncio
import time
from pathlib import Path
from statistics import median

from bot.kernel import queries
from bot.kernel.scheduler import Scheduler
from bot.model import Job
from bot.store.sqlite import SqliteStore
from tests.bench.measure import Measured, Row, rounds
from tests.bench.place import on_disk

NOW = 1_772_452_800
FEW, MANY = 10, 100_000
"""How many jobs are scheduled for later in the small and in the large store."""
DUE_JOBS = 50
"""How many jobs are due per round."""


async def schedule(path: Path, quick: bool) -> Measured:
    """Compare a round of due jobs in a store with many later jobs and in one with few, in turn."""
    many = MANY // 20 if quick else MANY
    small = await _scheduler(path / "small.db", FEW)
    large = await _scheduler(path / "large.db", many)
    few, lots = [], []
    for _ in range(rounds(quick, 30)):
        few.append(await _time_round(*small))
        lots.append(await _time_round(*large))
    for store, _ in (small, large):
        await store.close()
    return Measured(
        median(lots) / median(few), median(lots), median(few), f"{many:,} matches" if quick else ""
    )


async def _scheduler(path: Path, later: int) -> tuple[SqliteStore, Scheduler]:
    store = await SqliteStore.open(path)
    await store.write(
        queries.schedule, *(Job("alarm", NOW + 60 + n, f"c{n:07}", n % 1000) for n in range(later))
    )
    scheduler = Scheduler(store, lambda: NOW)
    scheduler.register("alarm", _do_nothing)
    return store, scheduler


async def _do_nothing(due: Job) -> None:
    pass


async def _time_round(store: SqliteStore, scheduler: Scheduler) -> float:
    """Schedule jobs that are due, run them, and look for the next one."""
    start = time.process_time()
    await scheduler.set(*(Job("alarm", NOW, f"now{n:05}") for n in range(DUE_JOBS)))
    await scheduler.run_due()
    assert await store.read(queries.next_job_at, own=store.own) == NOW + 60
    return (time.process_time() - start) * 1000


ROWS = (
    Row(
        "schedule",
        "cost of due jobs with 100,000 others for later / with 10",
        1.05,
        1.2,
        lambda quick: asyncio.run(on_disk(schedule, quick)),
    ),
)
