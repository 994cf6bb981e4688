"""A start survives passing errors and explains fatal ones."""

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web

from bot.local import LocalDiscord
from bot.local.gateway import Gateway
from engine import GAMES
from tests.bot.test_main import environment, start
from tests.bot.world import World, open_world
from tests.patience import PATIENCE

LOGIN = ("GET", "/users/@me")
APPLICATION = ("GET", "/oauth2/applications/@me")
REGISTRATION = ("PUT", "/applications/*/commands")


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry at once."""
    monkeypatch.setattr("bot.gateway.FIRST_RETRY_SECONDS", 0.001)


async def restart(world: World) -> None:
    """Restart the bot and wait until it is ready."""
    await world.stop()
    await world.start()
    assert (await world.ana.slash("/games")).content


async def test_errors_at_login_or_command_registration_are_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path, monkeypatch) as world:
        for route in (LOGIN, APPLICATION, REGISTRATION):
            # Discord fails, a proxy refuses, the response is nonsense, the connection breaks.
            for status in (503, 520, 403, 404, 200):
                world.discord.faults.respond_with(*route, status)
            world.discord.faults.cut(*route)
            await restart(world)
            assert not any(fault.times for fault in world.discord.faults.planned)


async def test_a_failed_first_connection_is_retried(
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


async def test_all_games_are_loaded_before_the_first_interaction(tmp_path: Path) -> None:
    look = """
import sys
import bot.app

async def connect(self, *, reconnect=True):
    games = [name for name in sys.modules if name.startswith("engine.") and name.count(".") == 1]
    print(*games, flush=True)
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


def test_no_garbage_is_collected_while_the_bot_is_loaded_but_afterwards_it_is() -> None:
    look = """
import gc
from bot.program import load_bot
runs = []
gc.callbacks.append(lambda phase, facts: runs.append(phase))
load_bot()
print(len(runs), gc.isenabled(), gc.get_freeze_count() > 50_000)
"""
    said = subprocess.run([sys.executable, "-c", look], stdout=subprocess.PIPE, check=True)
    assert said.stdout.split() == [b"0", b"True", b"True"]


async def wait_for_complaint(process: asyncio.subprocess.Process, words: str) -> None:
    """Wait until the program reports a problem."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while line := await process.stderr.readline():
            if words in line.decode():
                return
    raise AssertionError(f"it ended without a word of {words!r}")


async def test_the_bot_waits_for_a_late_discord(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    discord = LocalDiscord(port=port)
    process = await start(
        tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=f"http://127.0.0.1:{port}"
    )
    await wait_for_complaint(process, "Can't reach Discord (ClientConnectorError), retrying in 1 s")
    async with discord:
        await discord.wait_until_ready()
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0


async def test_a_signal_ends_the_wait(tmp_path: Path) -> None:
    process = await start(tmp_path, DISCORD_TOKEN="a.token", MOTU_LOCAL_URL="http://127.0.0.1:1")
    await wait_for_complaint(process, "retrying")
    process.send_signal(signal.SIGTERM)
    _, rest = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0 and b"Unclosed" not in rest and b"Traceback" not in rest


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4004, "motu: Discord refuses the token. Copy it into DISCORD_TOKEN again."),
        (4013, "motu: Discord closed the connection for good (code 4013)."),
    ],
)
async def test_a_fatal_close_code_is_explained(tmp_path: Path, code: int, said: str) -> None:
    async with LocalDiscord() as discord:
        process = await start(tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url)
        assert process.stdout is not None
        # Not before it hears of events: a first connection that breaks while it is made is made
        # anew.
        assert b"ready" in await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        links: Any = [session.link for session in discord.gateway.sessions.values() if session.link]
        await links[0].socket.close(code=code)
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 1 and errors.decode().splitlines()[-1] == said
