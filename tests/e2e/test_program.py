"""The program without a token: its own Discord, a page, and nothing left behind."""

import asyncio
import os
import re
import secrets
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.harness import POLL_SECONDS
from tests.patience import PATIENCE

PROC = Path("/proc")


class Program:
    """`python -m bot` in an empty folder, with a mark to find all its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = f"MOTU_TEST_MARK={secrets.token_hex(8)}"
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, **settings: str) -> asyncio.subprocess.Process:
        """Start it in its own process group, like a program in a terminal."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("MOTU_", "DISCORD_"))
        }
        name, _, value = self.mark.partition("=")
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"),
            cwd=self.folder,
            env={**kept, name: value, "MOTU_LOCAL_PORT": "0", **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        return self.process

    async def read_line(self) -> str:
        """Return its next line of output."""
        assert self.process is not None and self.process.stdout is not None
        return (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode().strip()

    async def wait_for_end(self) -> tuple[int | None, str]:
        """Return its exit code and error output."""
        assert self.process is not None
        _, errors = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        return self.process.returncode, errors.decode()

    async def children(self) -> list[int]:
        """Return its child processes, once there are any."""
        assert self.process is not None
        async with asyncio.timeout(PATIENCE):
            while not (found := [pid for pid in self.alive() if pid != self.process.pid]):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
        return found

    def alive(self) -> list[int]:
        """Return the processes that carry the mark."""
        return [
            int(entry.name)
            for entry in PROC.iterdir()
            if entry.name.isdecimal() and self._is_marked(entry)
        ]

    def _is_marked(self, entry: Path) -> bool:
        try:
            return self.mark.encode() in (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            return False


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


async def wait_until_gone(program: Program) -> None:
    """Wait until no process is left."""
    async with asyncio.timeout(PATIENCE):
        while program.alive():  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)


async def load_page(url: str) -> str:
    """Return what a browser would get."""
    async with aiohttp.ClientSession() as browser, browser.get(url) as answer:
        assert answer.status == 200 and answer.content_type == "text/html"
        return await answer.text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_without_a_token_there_is_a_page_until_a_signal_ends_it(
    program: Program, number: signal.Signals
) -> None:
    process = await program.start()
    said = await program.read_line()
    address = re.search(r"http://127\.0\.0\.1:\d+/table/[\w-]+/", said)
    assert "Play in your browser" in said and address is not None
    ready = await program.read_line()
    assert "ready" in ready and "http" not in ready, "there is nothing to invite"
    assert "Motu" in await load_page(address[0])
    assert len(program.alive()) == 2
    os.killpg(process.pid, number)
    assert await program.wait_for_end() == (0, "")
    await wait_until_gone(program)
    with pytest.raises(aiohttp.ClientConnectionError):
        await load_page(address[0])
    left = {file.name for file in (program.folder / "motu-data" / "local").iterdir()}
    assert {"motu.db", "table.db"} <= left
    assert not [name for name in left if name.endswith(("-wal", "-shm"))]


async def test_a_killed_program_leaves_no_discord_behind(program: Program) -> None:
    process = await program.start()
    await program.read_line()
    assert "ready" in await program.read_line()
    process.kill()
    assert (await program.wait_for_end())[0] == -signal.SIGKILL
    await wait_until_gone(program)


@pytest.mark.parametrize("whom", ["the bot", "its Discord", "both"])
@pytest.mark.parametrize("when", ["before it says where", "while it connects"])
async def test_a_signal_during_the_start_ends_the_program(
    program: Program, whom: str, when: str
) -> None:
    process = await program.start()
    if when == "while it connects":
        assert "Play in your browser" in await program.read_line()
    for child in await program.children():
        if whom != "the bot":
            os.kill(child, signal.SIGTERM)
    if whom != "its Discord":
        process.terminate()
    assert await program.wait_for_end() == (0, "")
    await wait_until_gone(program)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_while_loading_ends_the_program_silently(
    program: Program, number: signal.Signals
) -> None:
    # A module of the same name in its folder is loaded first: it stands for all that takes its
    # time.
    (program.folder / "asyncio.py").write_text(
        "import time\nprint('loading', flush=True)\ntime.sleep(3600)\n"
    )
    process = await program.start()
    assert await program.read_line() == "loading"
    process.send_signal(number)
    assert await program.wait_for_end() == (0, "")


async def test_losing_its_discord_is_reported_in_one_line(program: Program) -> None:
    await program.start()
    await program.read_line()
    assert "ready" in await program.read_line()
    for child in await program.children():
        os.kill(child, signal.SIGKILL)
    code, errors = await program.wait_for_end()
    assert code == 1 and errors.splitlines()[-1] == "motu: The local Discord stopped unexpectedly."
    await wait_until_gone(program)


@pytest.mark.parametrize("token", ["", "a.token"])
async def test_an_invalid_database_is_named_and_nothing_keeps_running(
    program: Program, token: str
) -> None:
    data = program.folder / "motu-data" / ("" if token else "local")
    data.mkdir(parents=True)
    (data / "motu.db").write_bytes(b"not a database at all" * 100)
    await program.start(DISCORD_TOKEN=token)
    code, errors = await program.wait_for_end()
    assert code == 1 and errors.startswith("motu: ") and len(errors.splitlines()) == 1
    assert "motu.db" in errors
    await wait_until_gone(program)
    assert (data / "motu.db").read_bytes() == b"not a database at all" * 100
