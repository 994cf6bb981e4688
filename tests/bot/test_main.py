"""The program as a process: what it says, how it ends, what it leaves behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.local import LocalDiscord

ROOT = Path(__file__).parents[2]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """This environment without any setting of Motu but these."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MOTU_", "DISCORD_"))}
    return {**kept, "PYTHONPATH": str(ROOT), "MOTU_DATA": str(folder / "data"), **settings}


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The program, run to its end."""
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def started(folder: Path, **settings: str) -> asyncio.subprocess.Process:
    """The program, running."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        cwd=folder,
        env=environment(folder, **settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


def test_help_and_version(tmp_path: Path) -> None:
    assert "DISCORD_TOKEN" in run(tmp_path, "--help").stdout
    assert run(tmp_path, "--version").stdout.startswith("motu 0.")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"MOTU_LOG_LEVEL": "loud"}, "MOTU_LOG_LEVEL"),
        ({"MOTU_LOCAL_URL": "http://127.0.0.1:1"}, "DISCORD_TOKEN"),
        ({"MOTU_LOCAL_URL": "http://discord.com", "DISCORD_TOKEN": "x"}, "not an address of this machine"),
        ({"MOTU_LOCAL_URL": "http://127.0.0.1:1", "DISCORD_TOKEN": "x"}, "cannot be reached"),
        ({"MOTU_DATABASE": "/dev/null/motu.db", "DISCORD_TOKEN": "x"}, "cannot be made"),
    ],
)
def test_what_cannot_work_is_said_in_one_line(tmp_path: Path, settings: dict[str, str], said: str) -> None:
    ended = run(tmp_path, **settings)
    assert ended.returncode == 1
    (line,) = ended.stderr.strip().splitlines()
    assert line.startswith("motu: ") and said in line


def test_a_broken_database_is_named_and_left_alone(tmp_path: Path) -> None:
    broken = tmp_path / "motu.db"
    broken.write_bytes(b"this is no database" * 100)
    ended = run(tmp_path, MOTU_DATABASE=str(broken), DISCORD_TOKEN="x")
    assert ended.returncode == 1 and len(ended.stderr.strip().splitlines()) == 1
    assert str(broken) in ended.stderr and broken.read_bytes() == b"this is no database" * 100


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run(tmp_path, MOTU_LOCAL_PORT=port)
    assert ended.returncode == 1 and len(ended.stderr.strip().splitlines()) == 1
    assert f"port {port}" in ended.stderr and "MOTU_LOCAL_PORT" in ended.stderr


async def test_a_refused_token_is_said(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        process = await started(tmp_path, DISCORD_TOKEN="wrong", MOTU_LOCAL_URL=discord.url)
        _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1 and said.decode().strip() == (
        "motu: Discord refuses the token. Copy it anew into DISCORD_TOKEN."
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    async with LocalDiscord() as discord:
        process = await started(tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url)
        assert process.stdout is not None
        ready = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        assert "ready" in ready and "permissions=309237763072" in ready
        process.send_signal(number)
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    assert not list((tmp_path / "data").glob("*-wal")), "the database is whole without its log"


async def test_without_a_token_it_brings_its_own_discord_and_takes_it_along(tmp_path: Path) -> None:
    process = await started(tmp_path, MOTU_LOCAL_PORT="0")
    assert process.stdout is not None
    first = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    assert "No DISCORD_TOKEN" in first and "http://127.0.0.1:" in first
    assert "ready" in (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    port = int(first.rsplit(":", 1)[1].strip().strip("/"))
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()
    process.terminate()
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


def test_the_bot_loads_nothing_that_it_may_not_need(tmp_path: Path) -> None:
    late = ("PIL", "engine.blue_lagoon", "bot.local", "aiosqlite")
    asked = f"import sys, bot.app; print([name for name in {late} if name in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", asked], env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"
