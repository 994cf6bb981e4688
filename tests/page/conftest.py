"""A browser and a table for each test that wants them."""

import os
import subprocess
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.local import HandClock, LocalDiscord
from tests.bot.local.conftest import bot_process
from tests.page.browser import Browser, browsing, chromium
from tests.page.program import ROOT, Program


@pytest.fixture(scope="session")
def chromium_program() -> str:
    """Where Chromium is; without one these tests are skipped, but never where changes are
    checked (CI).
    """
    found = chromium()
    if found is None and os.environ.get("CI"):
        subprocess.run([ROOT / ".ci" / "browser"], check=True, timeout=280)
        found = chromium()
        assert found, "CI is set and there is no Chromium, nor can it be installed here"
    if found is None:
        pytest.skip(
            "no Chromium on this machine; with one (such as Debian's 'chromium') the page is tested, too"
        )
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(chromium_program: str) -> AsyncIterator[Browser]:
    """A fresh browser for the tests of a module; its tabs share nothing."""
    async with browsing(chromium_program) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(browser: Browser) -> AsyncIterator[Browser]:
    """The browser for one test: its tabs are closed afterwards, and none may have complained."""
    yield browser
    await browser.close_tabs()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Program]:
    """The program, running; each test plays a match of its own."""
    program = Program(tmp_path_factory.mktemp("program"), "--players", "Ana,Ben,Cleo")
    try:
        await program.start()
        yield program
        await program.stop()
    finally:
        await program.end()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[LocalDiscord]:
    """A local Discord in this process, with a bot that does a little of everything; time passes
    by hand.
    """
    async with (
        LocalDiscord(clock=HandClock(), players=("Ana", "Ben")) as discord,
        bot_process(discord),
    ):
        yield discord
        assert discord.unknown_routes == []
        assert discord.crashes == []
