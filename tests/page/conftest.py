"""A browser and a table for each test that needs them."""

import os
import subprocess
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.local import LocalDiscord, ManualClock
from tests.bot.local.conftest import bot_process
from tests.page.browser import Browser, browsing, chromium
from tests.page.program import ROOT, Program


@pytest.fixture(scope="session")
def chromium_program() -> str:
    """Return the path of Chromium. Without one these tests are skipped, except in CI."""
    found = chromium()
    if found is None and os.environ.get("CI"):
        subprocess.run([ROOT / ".ci" / "browser"], check=True, timeout=280)
        found = chromium()
        assert found, "CI is set and there is no Chromium, nor can it be installed here"
    if found is None:
        pytest.skip(
            "no Chromium on this machine; with one (such as Debian's 'chromium') the "
            "page is tested, too"
        )
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(chromium_program: str) -> AsyncIterator[Browser]:
    """Start a browser for the tests of a module; its tabs share nothing."""
    async with browsing(chromium_program) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(browser: Browser) -> AsyncIterator[Browser]:
    """Return the browser for one test; its tabs are closed at the end, without errors."""
    yield browser
    await browser.close_tabs()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Program]:
    """Run the program; each test plays its own match."""
    program = Program(tmp_path_factory.mktemp("program"), "--players", "Ana,Ben,Cleo")
    try:
        await program.start()
        yield program
        await program.stop()
    finally:
        await program.end()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[LocalDiscord]:
    """Run a local Discord with a bot that does a little of everything; the test moves the clock."""
    async with (
        LocalDiscord(clock=ManualClock(), players=("Ana", "Ben")) as discord,
        bot_process(discord),
    ):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []
