"""Time at the local Discord."""

import asyncio
from pathlib import Path

import pytest

from bot.local import HandClock, LocalDiscord, WallClock
from bot.run.own_discord import TableClock
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


async def test_what_is_due_comes_when_the_wall_clock_is_put_forward() -> None:
    clock, called, later = WallClock(), asyncio.Event(), asyncio.Event()
    clock.call_at(clock.now() + 3600, called.set)
    clock.call_at(clock.now() + 3 * 3600, later.set)
    before = clock.now()
    clock.move(2 * 3600)
    assert clock.now() - before >= 2 * 3600
    await asyncio.wait_for(called.wait(), PATIENCE)
    assert not later.is_set()


@pytest.mark.parametrize("clock", [WallClock, HandClock])
async def test_the_bots_clock_follows_the_tables(
    clock: type[WallClock | HandClock], tmp_path: Path
) -> None:
    async with LocalDiscord(clock=clock(), file=tmp_path / "table.db") as discord:
        bots, moved = TableClock(discord.url, discord.token), asyncio.Event()
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
