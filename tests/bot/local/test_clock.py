"""The clocks of the local Discord."""

import asyncio
from pathlib import Path

import pytest

from bot.local import LocalDiscord, ManualClock, SystemClock
from bot.run.own_discord import TableClock
from tests.patience import PATIENCE


async def test_the_system_clock_calls_back_at_the_right_time() -> None:
    clock, called = SystemClock(), asyncio.Event()
    clock.call_at(clock.now(), called.set)
    await asyncio.wait_for(called.wait(), PATIENCE)


def test_the_manual_clock_runs_callbacks_in_order() -> None:
    clock, seen = ManualClock(100.0), []
    clock.call_at(103.0, lambda: seen.append(("late", clock.now())))
    clock.call_at(101.0, lambda: seen.append(("early", clock.now())))
    clock.advance(2.5)
    assert seen == [("early", 101.0)] and clock.now() == 102.5
    clock.advance(0.5)
    assert seen == [("early", 101.0), ("late", 103.0)]


async def test_moving_the_system_clock_forward_runs_due_callbacks() -> None:
    clock = SystemClock()
    called = asyncio.Event()
    later = asyncio.Event()
    clock.call_at(clock.now() + 3600, called.set)
    clock.call_at(clock.now() + 3 * 3600, later.set)
    before = clock.now()
    clock.move(2 * 3600)
    assert clock.now() - before >= 2 * 3600
    await asyncio.wait_for(called.wait(), PATIENCE)
    assert not later.is_set()


@pytest.mark.parametrize("clock", [SystemClock, ManualClock])
async def test_the_bot_s_clock_follows_the_table_s(
    clock: type[SystemClock | ManualClock], tmp_path: Path
) -> None:
    async with LocalDiscord(clock=clock(), file=tmp_path / "table.db") as discord:
        bots = TableClock(discord.url, discord.token)
        moved = asyncio.Event()
        assert await bots.ask() and bots.ahead == 0
        following = asyncio.create_task(bots.follow(moved.set))
        discord.state.move_clock(86_400)
        await asyncio.wait_for(moved.wait(), PATIENCE)
        assert bots.ahead == 86_400
        following.cancel()
        assert not await TableClock(discord.url, "wrong").ask()
    # And the table remembers it.
    async with LocalDiscord(clock=clock(), file=tmp_path / "table.db") as discord:
        bots = TableClock(discord.url, discord.token)
        assert await bots.ask() and bots.ahead == 86_400


async def test_nothing_runs_between_a_move_of_the_clock_and_its_announcement() -> None:
    """A heartbeat in between would record an absence and postpone what is due."""
    async with LocalDiscord(clock=ManualClock()) as discord:
        bots = TableClock(discord.url, discord.token)
        moved = asyncio.Event()
        assert await bots.ask()
        following = asyncio.create_task(bots.follow(moved.set))
        discord.state.move_clock(86_400)
        async with asyncio.timeout(PATIENCE):
            while not bots.ahead:  # noqa: ASYNC110  (an event would be noticed too late)
                await asyncio.sleep(0)
        assert moved.is_set()
        following.cancel()
