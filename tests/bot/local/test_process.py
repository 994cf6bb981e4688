"""The local Discord as its own process."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.patience import PATIENCE


@contextlib.asynccontextmanager
async def server(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `python -m bot.local`."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.local", *arguments, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def test_it_prints_its_address_and_stops_with_its_parent() -> None:
    async with server("--json", "--until-eof") as process, aiohttp.ClientSession() as session:
        assert process.stdout is not None and process.stdin is not None
        said = json.loads(await process.stdout.readline())
        async with session.get(said["url"] + "/") as answer:
            assert answer.status == 200
        headers = {"Authorization": f"Bot {said['token']}"}
        async with session.get(said["url"] + "/api/v10/users/@me", headers=headers) as answer:
            assert (await answer.json())["bot"] is True
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it(number: signal.Signals) -> None:
    async with server() as process:
        assert process.stdout is not None
        assert b"http://127.0.0.1:" in await process.stdout.readline()
        process.send_signal(number)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
