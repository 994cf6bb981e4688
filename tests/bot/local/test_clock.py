"""Time at the local Discord."""

import asyncio

from bot.local import HandClock, WallClock
from tests.patience import PATIENCE


async def test_the_wall_clock_calls_when_the_time_has_come() -> None:
    clock, called = WallClock(), asyncio.Event()
    clock.call_at(clock.now(), called.set)
    await asyncio.wait_for(called.wait(), PATIENCE)


def test_the_hand_clock_does_in_order_what_falls_due_on_the_way() -> None:
    clock, seen = HandClock(100.0), []
    clock.call_at(103.0, lambda: seen.append(("late", clock.now())))
    clock.call_at(101.0, lambda: seen.append(("early", clock.now())))
    clock.advance(2.5)
    assert seen == [("early", 101.0)] and clock.now() == 102.5
    clock.advance(0.5)
    assert seen == [("early", 101.0), ("late", 103.0)]
