"""Jobs run once at their time, and downtime of the bot penalises nobody."""

import asyncio
from collections.abc import Callable

import pytest

from bot.kernel import queries
from bot.kernel.scheduler import ABSENCE_SECONDS, MAX_RUNNING_PER_KIND
from bot.model import Absence, Job
from tests.bot.backend import Backend
from tests.bot.manual_clock import DAY, HOUR
from tests.bot.services import Services
from tests.patience import PATIENCE


class Recorder:
    """A handler that records its calls, and fails as often as it is told."""

    def __init__(self, backend: Backend, fails: int = 0) -> None:
        self.backend, self.fails = backend, fails
        self.calls: list[tuple[Job, float]] = []

    @property
    def times(self) -> list[float]:
        """When it was called."""
        return [when for _, when in self.calls]

    async def __call__(self, due: Job) -> None:
        self.calls.append((due, self.backend.clock.now))
        if self.fails:
            self.fails -= 1
            raise RuntimeError("as it was told to")


def job_in(backend: Backend, seconds: float, kind: str = "alarm", **more: object) -> Job:
    """Return a job that is due in some seconds."""
    return Job(kind, int(backend.clock.now + seconds), **more)  # type: ignore[arg-type]


async def test_a_job_runs_once_at_its_time(backend: Backend) -> None:
    start, noted = backend.clock.now, Recorder(backend)
    backend.matches.scheduler.register("alarm", noted)
    await backend.matches.scheduler.set(
        job_in(backend, 2 * HOUR, match="a", facts={"x": [1, "y"]}), job_in(backend, HOUR, user=7)
    )
    await backend.advance(HOUR - 1)
    assert not noted.calls
    await backend.advance(DAY)
    assert [(due.match, due.user, when - start) for due, when in noted.calls] == [
        ("", 7, HOUR),
        ("a", 0, 2 * HOUR),
    ]
    assert noted.calls[1][0].facts == {"x": [1, "y"]}
    assert (
        await backend.matches.store.read(queries.next_job_at, own=backend.matches.store.own) is None
    )


async def test_scheduling_a_job_again_moves_it(backend: Backend) -> None:
    start, noted = backend.clock.now, Recorder(backend)
    backend.matches.scheduler.register("alarm", noted)
    await backend.matches.scheduler.set(
        job_in(backend, HOUR, match="a", user=1), job_in(backend, HOUR, match="a", user=2)
    )
    await backend.matches.scheduler.set(job_in(backend, 5 * HOUR, match="a", user=1))
    await backend.matches.store.write(queries.cancel_job, "alarm", "a", 2)
    await backend.advance(DAY)
    assert [when - start for when in noted.times] == [5 * HOUR]


async def test_a_handler_may_reschedule_its_own_job(backend: Backend) -> None:
    start, rings = backend.clock.now, list[float]()

    async def reschedule(due: Job) -> None:
        rings.append(backend.clock.now - start)
        if len(rings) < 3:
            await backend.matches.scheduler.set(Job("alarm", due.at + HOUR, due.match))

    backend.matches.scheduler.register("alarm", reschedule)
    await backend.matches.scheduler.set(job_in(backend, HOUR, match="a"))
    await backend.advance(DAY)
    assert rings == [HOUR, 2 * HOUR, 3 * HOUR]


async def test_a_failing_job_is_retried_at_growing_intervals(backend: Backend) -> None:
    start, noted = backend.clock.now, Recorder(backend, fails=3)
    backend.matches.scheduler.register("alarm", noted)
    await backend.matches.scheduler.set(job_in(backend, 0))
    await backend.advance(HOUR)
    assert [when - start for when in noted.times] == [0, 30, 90, 210]
    assert {due.at for due, _ in noted.calls} == {start}


async def test_a_job_of_unknown_kind_blocks_nothing(backend: Backend) -> None:
    noted = Recorder(backend)
    backend.matches.scheduler.register("alarm", noted)
    await backend.matches.scheduler.set(job_in(backend, 0, "gong"), job_in(backend, 1))
    await backend.advance(2)
    assert len(noted.calls) == 1


async def test_after_a_week_of_downtime_each_job_runs_once(backend: Backend) -> None:
    await backend.matches.scheduler.set(job_in(backend, HOUR))
    matches = await backend.stop_for(7 * DAY)
    noted = Recorder(backend)
    matches.scheduler.register("alarm", noted)
    await backend.advance(DAY)
    assert len(noted.calls) == 1


async def test_jobs_that_could_penalise_a_player_wait_for_the_downtime(backend: Backend) -> None:
    start = backend.clock.now
    backend.matches.scheduler.register("axe", Recorder(backend), punishes=True)
    await backend.matches.scheduler.set(job_in(backend, HOUR, "axe"))
    await backend.matches.scheduler.beat()
    await backend.matches.close()
    backend.clock.now += 7 * DAY
    matches, noted = await backend.open(), Recorder(backend)
    matches.scheduler.register("axe", noted, punishes=True)
    await matches.scheduler.beat()
    await backend.advance(HOUR - 1)
    assert not noted.calls
    await backend.advance(1)
    assert [when - start for when in noted.times] == [7 * DAY + HOUR]
    assert matches.scheduler.absences == [Absence(int(start), int(start + 7 * DAY))]


async def test_downtime_is_recorded_and_short_gaps_are_ignored(backend: Backend) -> None:
    start = backend.clock.now
    await backend.stop_for(ABSENCE_SECONDS)
    await backend.stop_for(ABSENCE_SECONDS + 1)
    matches = await backend.stop_for(5)
    assert matches.scheduler.absences == [
        Absence(int(start + ABSENCE_SECONDS), int(start + 2 * ABSENCE_SECONDS + 1))
    ]


@pytest.fixture
async def running(backend: Backend) -> Services:
    """A backend whose scheduler runs on its own."""
    backend.matches.scheduler.start()
    return backend.matches


async def wait_until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_the_scheduler_wakes_for_new_jobs_and_clock_changes(
    backend: Backend, running: Services
) -> None:
    noted = Recorder(backend)
    running.scheduler.register("alarm", noted, punishes=True)
    await running.scheduler.set(job_in(backend, DAY))
    await running.scheduler.set(job_in(backend, 0, match="now"))
    await wait_until(lambda: len(noted.calls) == 1)
    backend.clock.now += DAY
    running.scheduler.on_clock_moved()
    await wait_until(lambda: len(noted.calls) == 2)
    assert not running.scheduler.absences


async def test_no_job_runs_while_discord_is_disconnected(backend: Backend) -> None:
    noted = Recorder(backend)
    scheduler = backend.matches.scheduler
    start = backend.clock.now
    scheduler.register("axe", noted, punishes=True)
    await scheduler.set(job_in(backend, HOUR, "axe"))
    scheduler.start()
    await wait_until(lambda: scheduler.last_beat)
    scheduler.is_there = lambda: False
    backend.clock.now += DAY
    scheduler.poke()
    scheduler.is_there = lambda: True
    scheduler.poke()
    await wait_until(lambda: scheduler.absences)
    assert not noted.calls
    backend.clock.now += HOUR
    scheduler.on_clock_moved()
    await wait_until(lambda: noted.calls)
    assert [due.at for due, _ in noted.calls] == [start + DAY + HOUR]


async def test_slow_handlers_do_not_delay_others(backend: Backend, running: Services) -> None:
    stuck, noted = asyncio.Event(), Recorder(backend)

    async def wait(due: Job) -> None:
        await stuck.wait()

    running.scheduler.register("slow", wait)
    running.scheduler.register("alarm", noted)
    await running.scheduler.set(
        *(job_in(backend, -1, "slow", user=n) for n in range(MAX_RUNNING_PER_KIND - 1)),
        job_in(backend, 0),
    )
    await wait_until(lambda: len(noted.calls) == 1)
    stuck.set()
