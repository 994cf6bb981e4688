"""A start outlasts whatever passes, and ends in words for what does not."""

import asyncio
import signal
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web

from bot.local import LocalDiscord
from bot.local.gateway import Gateway
from engine import GAMES
from tests.bot.test_main import environment, started
from tests.bot.world import World, open_world
from tests.patience import PATIENCE

LOGIN = ("GET", "/users/@me")
APPLICATION = ("GET", "/oauth2/applications/@me")
REGISTRATION = ("PUT", "/applications/*/commands")


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A try that failed is repeated at once."""
    monkeypatch.setattr("bot.gateway.FIRST_RETRY_SECONDS", 0.001)


async def restarted(world: World) -> None:
    """The bot logged in anew, and at work."""
    await world.stop()
    await world.start()
    assert (await world.ana.slash("/games")).content


async def test_trouble_at_the_login_or_the_registration_of_commands_is_outlasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        for route in (LOGIN, APPLICATION, REGISTRATION):
            # In trouble, barred by a machine before Discord, answered with nonsense, cut off.
            for status in (503, 520, 403, 404, 200):
                world.discord.faults.answer(*route, status)
            world.discord.faults.cut(*route)
            await restarted(world)
            assert not any(fault.times for fault in world.discord.faults.planned)


async def test_a_first_connection_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle, failed = Gateway.handle, []

    async def in_trouble(gateway: Gateway, request: web.Request) -> web.StreamResponse:
        if len(failed) < 2:
            failed.append(request)
            raise web.HTTPBadGateway
        return await handle(gateway, request)

    monkeypatch.setattr(Gateway, "handle", in_trouble)
    # discord.py waits for five seconds before each further try.
    monkeypatch.setattr(
        "discord.shard.asyncio",
        SimpleNamespace(**vars(asyncio) | {"sleep": lambda _: asyncio.sleep(0)}),
    )
    async with open_world(tmp_path, monkeypatch) as world:
        assert len(failed) == 2 and (await world.ana.slash("/games")).content


async def test_all_games_are_loaded_before_anybody_can_ask_for_one(tmp_path: Path) -> None:
    look = """
import sys
import bot.app

async def connect(self, *, reconnect=True):
    print(*(name for name in sys.modules if name.startswith("engine.") and name.count(".") == 1), flush=True)
    await self.close()

bot.app.Motu.connect = connect
from bot.__main__ import main
main([])
"""
    async with LocalDiscord() as discord:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", look),
            cwd=tmp_path,
            env=environment(tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert {f"engine.{game}" for game in GAMES} <= set(said.decode().split())


async def told(process: asyncio.subprocess.Process, words: str) -> None:
    """Wait until the program complains of something."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while line := await process.stderr.readline():
            if words in line.decode():
                return
    raise AssertionError(f"it ended without a word of {words!r}")


async def test_a_discord_that_comes_later_is_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    discord = LocalDiscord(port=port)
    process = await started(
        tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=f"http://127.0.0.1:{port}"
    )
    await told(process, "Discord cannot be reached (ClientConnectorError): trying again in 1 s")
    async with discord:
        await discord.ready()
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0


async def test_while_it_waits_a_signal_ends_it(tmp_path: Path) -> None:
    process = await started(tmp_path, DISCORD_TOKEN="a.token", MOTU_LOCAL_URL="http://127.0.0.1:1")
    await told(process, "trying again")
    process.send_signal(signal.SIGTERM)
    _, rest = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0 and b"Unclosed" not in rest and b"Traceback" not in rest


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4004, "motu: Discord refuses the token. Copy it anew into DISCORD_TOKEN."),
        (4013, "motu: Discord has closed the connection for good (its code 4013)."),
    ],
)
async def test_a_connection_closed_for_good_is_said_in_words(
    tmp_path: Path, code: int, said: str
) -> None:
    async with LocalDiscord() as discord:
        process = await started(tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url)
        assert process.stdout is not None
        # Not before it hears of events: a first connection that breaks while it is made is made
        # anew.
        assert b"ready" in await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        links: Any = [session.link for session in discord.gateway.sessions.values() if session.link]
        await links[0].socket.close(code=code)
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 1 and errors.decode().splitlines()[-1] == said
