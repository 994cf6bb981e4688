"""A bot process and a local Discord for each test that wants them."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.local import HandClock, LocalDiscord
from tests.bot.local.raw import Raw

BOT = Path(__file__).with_name("ordinary_bot.py")


@contextlib.asynccontextmanager
async def bot_process(discord: LocalDiscord) -> AsyncIterator[asyncio.subprocess.Process]:
    """The ordinary bot, logged in."""
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
        await discord.ready()
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        _, errors = await process.communicate()
        print(errors.decode())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_discord() -> AsyncIterator[LocalDiscord]:
    """The same for all tests of a module that can share it; starting a bot takes its time."""
    async with LocalDiscord(clock=HandClock()) as discord, bot_process(discord):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def discord(clock: HandClock) -> AsyncIterator[LocalDiscord]:
    """A local Discord with the ordinary bot; nothing unknown may be asked of it, and nothing may
    break it.
    """
    async with LocalDiscord(clock=clock) as discord, bot_process(discord):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []


@pytest.fixture
async def raw(clock: HandClock) -> AsyncIterator[Raw]:
    """A local Discord with room for two threads, and a client that sends what it is told."""
    async with (
        LocalDiscord(clock=clock, active_threads=2) as discord,
        aiohttp.ClientSession() as session,
    ):
        yield Raw(discord, clock, session)
        assert discord.unknown_routes == [] and discord.crashes == []
