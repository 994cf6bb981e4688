"""The program as a process: its output, its exit, and its files."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.local import LocalDiscord
from bot.run.own_discord import USUAL_PORT
from engine import commitment
from engine.core.story import About, Chair
from engine.core.transcript import replay, write
from tests.patience import PATIENCE
from tests.transcripts.scenario import HERE as TRANSCRIPTS

ROOT = Path(__file__).parents[2]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment with only these settings of Motu."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("MOTU_", "DISCORD_"))
    }
    return {**kept, "PYTHONPATH": str(ROOT), "MOTU_DATA": str(folder / "data"), **settings}


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


async def start(folder: Path, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
    """Start the program."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
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
        (
            {"MOTU_LOCAL_URL": "http://discord.com", "DISCORD_TOKEN": "x"},
            "not an address of this machine",
        ),
        ({"MOTU_DATABASE": "/dev/null/motu.db", "DISCORD_TOKEN": "x"}, "can't be created"),
    ],
)
def test_invalid_configurations_are_reported_in_one_line(
    tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    ended = run(tmp_path, **settings)
    assert ended.returncode == 1
    (line,) = ended.stderr.strip().splitlines()
    assert line.startswith("motu: ") and said in line


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run(tmp_path, MOTU_LOCAL_PORT=port)
    assert ended.returncode == 1 and len(ended.stderr.strip().splitlines()) == 1
    assert f"Port {port}" in ended.stderr and "MOTU_LOCAL_PORT" in ended.stderr


async def test_a_refused_token_is_reported(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        process = await start(tmp_path, DISCORD_TOKEN="wrong", MOTU_LOCAL_URL=discord.url)
        _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 1
    assert said.decode().strip() == (
        "motu: Discord refuses the token. Copy it into DISCORD_TOKEN again."
    )


async def test_an_unknown_server_is_reported(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        process = await start(
            tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url, MOTU_GUILD="77"
        )
        _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 1
    (line,) = said.decode().strip().splitlines()
    assert line.startswith("motu: MOTU_GUILD is 77, but the bot isn't in that server.")


async def test_a_signal_ends_it_cleanly(tmp_path: Path) -> None:
    async with LocalDiscord() as discord:
        process = await start(tmp_path, DISCORD_TOKEN=discord.token, MOTU_LOCAL_URL=discord.url)
        assert process.stdout is not None
        ready = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        assert "ready" in ready and "permissions=309237763072" in ready
        process.terminate()
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, errors.decode()
    assert not list((tmp_path / "data").glob("*-wal")), "the database is whole without its log"


# What is nobody else's


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
async def test_data_files_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    old = tmp_path / "data" / "local"
    old.mkdir(parents=True)
    for file in (tmp_path / "data", old):
        file.chmod(0o777)
    process = await start(tmp_path, "--port", "0")
    await read_address(process)
    await interrupt(process)
    for name in ("motu.db", "table.db", "motu.db-lock"):
        (old / name).chmod(0o666)
    process = await start(tmp_path, "--port", "0")
    await read_address(process)
    kept = [old, *old.iterdir()]
    assert len(kept) > 4
    assert [file.name for file in kept if file.stat().st_mode & 0o077] == []
    await interrupt(process)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
async def test_new_folders_are_private_and_existing_ones_stay_unchanged(
    tmp_path: Path,
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "letter.txt").write_text("somebody's")
    shared.chmod(0o755)
    umask = os.umask(0)
    try:
        for folder in (shared, tmp_path / "new" / "deep"):
            process = await start(tmp_path, "--port", "0", "--data", str(folder))
            await read_address(process)
            await interrupt(process)
    finally:
        os.umask(umask)
    modes = [
        folder.stat().st_mode & 0o777
        for folder in (shared, tmp_path / "new", tmp_path / "new" / "deep")
    ]
    assert modes == [0o755, 0o700, 0o700]


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
async def test_a_token_file_that_others_can_read_causes_a_warning(tmp_path: Path) -> None:
    for mode, is_warned_of in ((0o640, True), (0o600, False)):
        (tmp_path / ".env").write_text("MOTU_LOCAL_PORT=0\n")
        (tmp_path / ".env").chmod(mode)
        process = await start(tmp_path)
        await read_address(process)
        assert ("chmod 600 .env" in await interrupt(process)) == is_warned_of


def test_a_token_in_an_address_is_not_printed(tmp_path: Path) -> None:
    token = "MTE5NzYxMTg0NDMwNjEz.GxY8zQ.s3cr3t"
    refused = run(tmp_path, DISCORD_TOKEN="a.token", MOTU_LOCAL_URL=token)
    assert refused.returncode == 1 and "MOTU_LOCAL_URL" in refused.stderr
    assert token[:6].casefold() not in (refused.stdout + refused.stderr).casefold()


# Copies


async def test_a_backup_is_made_while_the_bot_runs(tmp_path: Path) -> None:
    process = await start(tmp_path, "--port", "0")
    await read_address(process)
    for number, file in enumerate([(), ("copy.db",), ("copy.db",)]):
        made = await asyncio.to_thread(run, tmp_path, "backup", *file)
        assert made.returncode == (number == 2), made.stderr
        assert (
            "already exists" in made.stderr
            if number == 2
            else made.stdout.startswith("Backed up 0 matches to ")
        )
    await interrupt(process)
    copies = [tmp_path / "copy.db", *(tmp_path / "data" / "local" / "backups").iterdir()]
    assert len(copies) == 2
    assert all(copy.read_bytes().startswith(b"SQLite format 3") for copy in copies)


# Transcripts


def test_a_transcript_is_replayed_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    old = (TRANSCRIPTS / "maori" / "two-seats.txt").read_text(encoding="utf-8")
    match = replay(old)
    about = About(
        match="k3f9",
        seals=(commitment("k3f9", match.seed),),
        chairs=(Chair("Ana"), Chair("B\x1b[31m")),
    )
    text = write(match, about=about)
    at = next(
        number for number, line in enumerate(text.split("\n"), start=1) if line.startswith("5 p1 ")
    )
    wrong = text.replace("\n5 p1 ", "\n5 p2 ")
    contents = {
        "old": old,
        "whole": text,
        "wrong": wrong,
        "cut": text[: len(text) // 2],
        "junk": "\x00\xff" * 9,
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    whole = run(tmp_path, "replay", "whole")
    version_1 = run(tmp_path, "replay", "old")
    for played in (whole, version_1):
        assert played.returncode == 0 and "34 moves" in played.stdout and not played.stderr
        assert "\nRound 17\n  34. " in played.stdout and "20 points" in played.stdout
    assert "35 of 35 saved positions" in whole.stdout
    assert "fingerprint shown before the first move" in whole.stdout
    assert "  33. Ana sailed the discoverer to 14" in whole.stdout and "\x1b" not in whole.stdout
    for name, said in (
        ("wrong", f"Line {at}: "),
        ("cut", "Line "),
        ("junk", "Line 1: "),
        ("none", "can't be read"),
    ):
        refused = run(tmp_path, "replay", name)
        assert refused.returncode == 1 and not refused.stdout
        assert name in refused.stderr
        assert said in refused.stderr
        assert len(refused.stderr.splitlines()) == 1


# The local table


async def read_address(process: asyncio.subprocess.Process) -> str:
    """Return the address of the page that the program prints."""
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
    found = re.search(r"http://127\.0\.0\.1:\d+/table/[\w-]{20,}/", line)
    assert found, line
    ready = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
    assert "ready" in ready and "http" not in ready, "there is nothing to invite"
    return found[0]


async def interrupt(
    process: asyncio.subprocess.Process, number: signal.Signals = signal.SIGINT
) -> str:
    """End the program with Ctrl-C, and return its last output."""
    process.send_signal(number)
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, errors.decode()
    return errors.decode()


async def greeting(page: str, line: str = "") -> dict[str, Any]:
    """Return a tab's first packet, and the suggestions for a line."""
    origin = page.partition("/table/")[0]
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{page}socket", origin=origin) as socket,
    ):
        table: dict[str, Any] = await socket.receive_json()
        question = {
            "do": "suggest",
            "channel": table["places"][0]["id"],
            "line": line,
            "caret": len(line),
            "n": 1,
        }
        await socket.send_json(question)
        answer = await socket.receive_json()
        return {**table, "offered": {entry["label"] for entry in answer["entries"]}}


def names(table: dict[str, Any]) -> list[str]:
    """Return the players of a table."""
    return [player["name"] for player in table["players"]]


async def test_without_a_token_it_starts_and_stops_its_own_discord(tmp_path: Path) -> None:
    process = await start(tmp_path, MOTU_LOCAL_PORT="0")
    page = await read_address(process)
    table = await greeting(page, "/")
    assert names(table) == ["Ana", "Ben", "Cleo"] and table["connected"]
    assert {"/game new", "/play"} <= table["offered"]
    assert await interrupt(process, signal.SIGTERM) == ""
    with pytest.raises(aiohttp.ClientConnectorError):
        await greeting(page)
    kept = {path.name for path in (tmp_path / "data" / "local").iterdir()}
    assert {"motu.db", "table.db"} <= kept
    assert not [name for name in kept if name.endswith("-wal")]


async def test_the_local_table_uses_the_given_players_port_and_folder(
    tmp_path: Path,
) -> None:
    options = ("--local", "--players", "Dora, Emil", "--data", "here")
    process = await start(
        tmp_path, *options, "--port", "0", DISCORD_TOKEN="of the real Discord", MOTU_GUILD="5"
    )
    page = await read_address(process)
    assert names(await greeting(page)) == ["Dora", "Emil"]
    taken = await asyncio.to_thread(
        run, tmp_path, "--port", page.split(":")[2].split("/")[0], "--data", "there"
    )
    assert taken.returncode == 1
    assert "is taken" in taken.stderr
    assert len(taken.stderr.splitlines()) == 1
    busy = await asyncio.to_thread(run, tmp_path, *options, "--port", "0")
    assert busy.returncode == 1
    assert "Another Motu is using" in busy.stderr
    assert len(busy.stderr.splitlines()) == 1
    fresh = await asyncio.to_thread(run, tmp_path, *options, "--port", "0", "--fresh")
    assert fresh.returncode == 1 and "Another Motu is using" in fresh.stderr
    assert await interrupt(process) == ""
    assert (tmp_path / "here" / "table.db").is_file() and not (tmp_path / "data").exists()


async def test_the_local_table_survives_a_restart_unless_fresh(tmp_path: Path) -> None:
    process = await start(tmp_path, "--port", "0", "--players", "Dora")
    first = await greeting(await read_address(process))
    await interrupt(process)
    process = await start(tmp_path, "--port", "0", "--players", "Emil,Dora")
    page = await read_address(process)
    again = await greeting(page)
    assert names(again) == ["Dora", "Emil"] and again["me"] == first["me"]
    assert [place["id"] for place in again["places"]] == [place["id"] for place in first["places"]]
    await interrupt(process)
    process = await start(tmp_path, "--port", "0", "--fresh", "--players", "Fay")
    anew = await read_address(process)
    fresh = await greeting(anew)
    assert names(fresh) == ["Fay"]
    assert fresh["places"][0]["id"] != first["places"][0]["id"]
    assert anew.split("/")[4] != page.split("/")[4], "the old address is worth nothing"
    await interrupt(process)


async def test_if_the_usual_port_is_taken_another_is_used(tmp_path: Path) -> None:
    try:
        holder = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", USUAL_PORT)
    except OSError:
        holder = None  # somebody has it already, which is as good
    process = await start(tmp_path)
    page = await read_address(process)
    assert f":{USUAL_PORT}/" not in page
    await interrupt(process)
    if holder is not None:
        holder.close()
        await holder.wait_closed()


def test_the_local_table_never_uses_a_bot_s_database(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "motu.db").write_bytes(b"precious")
    for options in (("--local",), ("--local", "--fresh")):
        refused = run(tmp_path, *options, "--data", "real", "--port", "0")
        assert refused.returncode == 1 and "isn't a local table" in refused.stderr
    assert [path.name for path in real.iterdir()] == ["motu.db"]
    assert (real / "motu.db").read_bytes() == b"precious"


def test_the_bot_imports_optional_modules_lazily(tmp_path: Path) -> None:
    late = ("PIL", "engine.blue_lagoon", "bot.local", "bot.store.sqlite")
    code = f"import sys, bot.app; print([name for name in {late} if name in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.strip() == "[]"
