"""Fixtures: a bot process and a local Discord."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.local import LocalDiscord, ManualClock
from tests.bot.local.raw import Raw

BOT = Path(__file__).with_name("ordinary_bot.py")


@contextlib.asynccontextmanager
async def bot_process(discord: LocalDiscord) -> AsyncIterator[asyncio.subprocess.Process]:
    """An ordinary discord.py bot that has logged in."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-W",
        "ignore",
        str(BOT),
        discord.url,
        discord.token,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await discord.wait_until_ready()
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        _, errors = await process.communicate()
        print(errors.decode())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_discord() -> AsyncIterator[LocalDiscord]:
    """A local Discord shared by the tests of a module, because starting a bot takes long."""
    async with LocalDiscord(clock=ManualClock()) as discord, bot_process(discord):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def discord(clock: ManualClock) -> AsyncIterator[LocalDiscord]:
    """Return a local Discord with the ordinary bot; any unknown request or crash fails the test."""
    async with LocalDiscord(clock=clock) as discord, bot_process(discord):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []


@pytest.fixture
async def raw(clock: ManualClock) -> AsyncIterator[Raw]:
    """Return a local Discord with room for two threads, and a client that sends any request."""
    async with (
        LocalDiscord(clock=clock, active_threads=2) as discord,
        aiohttp.ClientSession() as session,
    ):
        yield Raw(discord, clock, session)
        assert discord.unknown_routes == [] and discord.crashes == []
