"""The local Discord as a process of its own, and people driven from outside it."""

import asyncio
import base64
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.local import LocalDiscord
from tests.bot.local.ordinary_bot import PICTURE
from tests.patience import PATIENCE

Json = dict[str, Any]


@contextlib.asynccontextmanager
async def server(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m bot.local`."""
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


async def test_it_says_where_it_is_and_stops_when_its_parent_is_gone() -> None:
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


async def test_people_can_be_driven_from_another_process(discord: LocalDiscord) -> None:
    async with aiohttp.ClientSession() as session:

        async def do(verb: str, body: Json, expected: int = 200) -> Json:
            async with session.post(f"{discord.url}{discord.control.path}/{verb}", json=body) as answer:
                assert answer.status == expected, await answer.text()
                return await answer.json()  # type: ignore[no-any-return]

        opened = await do("slash", {"as": "Ana", "command": "/game new", "options": {"game": "go"}})
        panel = opened["messages"][0]["id"]
        clicked = await do("click", {"as": "Bob", "message": panel, "label": "Redraw"})
        assert clicked["messages"][0]["content"] == "redrawn for Bob"
        chosen = await do("choose", {"as": "Ana", "message": panel, "which": "spot", "values": ["s1"]})
        assert chosen["messages"][0]["content"] == "picked s1"
        modal = await do("click", {"as": "Ana", "message": panel, "label": "Ask me"})
        fields = {"Name": "Ana", "Colour": "Red"}
        sent = await do("submit", {"as": "Ana", "response": modal["response"], "fields": fields})
        assert sent["messages"][0]["content"] == "Ana likes Red"
        typed = await do("autocomplete", {"as": "Ana", "command": "/play", "options": {"move": "b"}})
        assert [choice["value"] for choice in typed["choices"]] == ["b1"]
        route = {"method": "POST", "path": "/interactions/*/*/callback"}
        await do("fault", {**route, "status": 429, "retry_after": 0.01})
        hand = await do("slash", {"as": "Ana", "command": "/hand"})
        assert hand["ephemeral"] and base64.b64decode(hand["messages"][0]["files"]["board.png"]) == PICTURE
        seen = await do("messages", {"as": "Bob"})
        assert hand["messages"][0]["id"] not in {message["id"] for message in seen["messages"]}
        assert "Impossible" in (await do("slash", {"as": "Ana", "command": "/nothing"}, 400))["error"]
        await do("drop", {})
        await discord.until(lambda: discord.gateway.resumed == 1)


async def test_nobody_is_driven_without_the_secret(discord: LocalDiscord) -> None:
    async with aiohttp.ClientSession() as session:
        url = f"{discord.url}/control/guess/messages"
        async with session.post(url, json={"as": "Ana"}) as answer:
            assert answer.status == 404
