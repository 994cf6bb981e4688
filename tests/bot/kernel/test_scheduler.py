"""What is to happen later: done in its time, once, and never to a player's cost because the bot
was away.
"""

import asyncio
from collections.abc import Callable

import pytest

from bot.kernel import queries
from bot.kernel.scheduler import AT_ONCE, AWAY
from bot.model import Absence, Job
from tests.bot.desk import Desk
from tests.bot.hand_clock import DAY, HOUR
from tests.bot.seating import House
from tests.patience import PATIENCE


class Noted:
    """A handler that notes what it was called for and when; it fails as often as it is told to."""

    def __init__(self, house: House, fails: int = 0) -> None:
        self.house, self.fails = house, fails
        self.calls: list[tuple[Job, float]] = []

    @property
    def times(self) -> list[float]:
        """When it was called."""
        return [when for _, when in self.calls]

    async def __call__(self, due: Job) -> None:
        self.calls.append((due, self.house.clock.now))
        if self.fails:
            self.fails -= 1
            raise RuntimeError("as it was told to")


def at(house: House, seconds: float, kind: str = "bell", **more: object) -> Job:
    """Something due so much later."""
    return Job(kind, int(house.clock.now + seconds), **more)  # type: ignore[arg-type]


async def test_what_is_due_is_done_in_its_time_and_once(house: House) -> None:
    start, noted = house.clock.now, Noted(house)
    house.matches.scheduler.register("bell", noted)
    await house.matches.scheduler.set(
        at(house, 2 * HOUR, match="a", facts={"x": [1, "y"]}), at(house, HOUR, user=7)
    )
    await house.later(HOUR - 1)
    assert not noted.calls
    await house.later(DAY)
    assert [(due.match, due.user, when - start) for due, when in noted.calls] == [
        ("", 7, HOUR),
        ("a", 0, 2 * HOUR),
    ]
    assert noted.calls[1][0].facts == {"x": [1, "y"]}
    assert await house.matches.store.read(queries.next_job_at, own=house.matches.store.own) is None


async def test_to_set_it_again_moves_it(house: House) -> None:
    start, noted = house.clock.now, Noted(house)
    house.matches.scheduler.register("bell", noted)
    await house.matches.scheduler.set(
        at(house, HOUR, match="a", user=1), at(house, HOUR, match="a", user=2)
    )
    await house.matches.scheduler.set(at(house, 5 * HOUR, match="a", user=1))
    await house.matches.store.write(queries.cancel_job, "bell", "a", 2)
    await house.later(DAY)
    assert [when - start for when in noted.times] == [5 * HOUR]


async def test_a_handler_may_set_its_own_row_anew(house: House) -> None:
    start, rings = house.clock.now, list[float]()

    async def ring(due: Job) -> None:
        rings.append(house.clock.now - start)
        if len(rings) < 3:
            await house.matches.scheduler.set(Job("bell", due.at + HOUR, due.match))

    house.matches.scheduler.register("bell", ring)
    await house.matches.scheduler.set(at(house, HOUR, match="a"))
    await house.later(DAY)
    assert rings == [HOUR, 2 * HOUR, 3 * HOUR]


async def test_what_fails_is_tried_again_ever_later(house: House) -> None:
    start, noted = house.clock.now, Noted(house, fails=3)
    house.matches.scheduler.register("bell", noted)
    await house.matches.scheduler.set(at(house, 0))
    await house.later(HOUR)
    assert [when - start for when in noted.times] == [0, 30, 90, 210]
    assert {due.at for due, _ in noted.calls} == {start}


async def test_what_is_of_an_unknown_kind_holds_nothing_up(house: House) -> None:
    noted = Noted(house)
    house.matches.scheduler.register("bell", noted)
    await house.matches.scheduler.set(at(house, 0, "gong"), at(house, 1))
    await house.later(2)
    assert len(noted.calls) == 1


async def test_a_bot_that_was_down_for_a_week_does_what_was_due_once(house: House) -> None:
    await house.matches.scheduler.set(at(house, HOUR))
    matches = await house.down(7 * DAY)
    noted = Noted(house)
    matches.scheduler.register("bell", noted)
    await house.later(DAY)
    assert len(noted.calls) == 1


async def test_what_might_punish_waits_as_long_as_the_bot_was_away(house: House) -> None:
    start = house.clock.now
    house.matches.scheduler.register("axe", Noted(house), punishes=True)
    await house.matches.scheduler.set(at(house, HOUR, "axe"))
    await house.matches.scheduler.beat()
    await house.matches.close()
    house.clock.now += 7 * DAY
    matches, noted = await house.open(), Noted(house)
    matches.scheduler.register("axe", noted, punishes=True)
    await matches.scheduler.beat()
    await house.later(HOUR - 1)
    assert not noted.calls
    await house.later(1)
    assert [when - start for when in noted.times] == [7 * DAY + HOUR]
    assert matches.scheduler.absences == [Absence(int(start), int(start + 7 * DAY))]


async def test_absences_are_remembered_and_short_ones_are_none(house: House) -> None:
    start = house.clock.now
    await house.down(AWAY)
    await house.down(AWAY + 1)
    matches = await house.down(5)
    assert matches.scheduler.absences == [Absence(int(start + AWAY), int(start + 2 * AWAY + 1))]


@pytest.fixture
async def running(house: House) -> Desk:
    """A service whose scheduler runs by itself."""
    house.matches.scheduler.start()
    return house.matches


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_the_scheduler_wakes_for_what_is_new_and_for_a_clock_that_is_moved(
    house: House, running: Desk
) -> None:
    noted = Noted(house)
    running.scheduler.register("bell", noted, punishes=True)
    await running.scheduler.set(at(house, DAY))
    await running.scheduler.set(at(house, 0, match="now"))
    await until(lambda: len(noted.calls) == 1)
    house.clock.now += DAY
    running.scheduler.clock_moved()
    await until(lambda: len(noted.calls) == 2)
    assert not running.scheduler.absences


async def test_nothing_is_done_while_discord_cannot_be_heard(house: House) -> None:
    noted, scheduler, start = Noted(house), house.matches.scheduler, house.clock.now
    scheduler.register("axe", noted, punishes=True)
    await scheduler.set(at(house, HOUR, "axe"))
    scheduler.start()
    await until(lambda: scheduler.last_beat)
    scheduler.is_there = lambda: False
    house.clock.now += DAY
    scheduler.poke()
    scheduler.is_there = lambda: True
    scheduler.poke()
    await until(lambda: scheduler.absences)
    assert not noted.calls
    house.clock.now += HOUR
    scheduler.clock_moved()
    await until(lambda: noted.calls)
    assert [due.at for due, _ in noted.calls] == [start + DAY + HOUR]


async def test_slow_handlers_hold_up_no_other(house: House, running: Desk) -> None:
    stuck, noted = asyncio.Event(), Noted(house)

    async def wait(due: Job) -> None:
        await stuck.wait()

    running.scheduler.register("slow", wait)
    running.scheduler.register("bell", noted)
    await running.scheduler.set(
        *(at(house, -1, "slow", user=n) for n in range(AT_ONCE - 1)), at(house, 0)
    )
    await until(lambda: len(noted.calls) == 1)
    stuck.set()
