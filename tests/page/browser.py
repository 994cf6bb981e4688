"""The page in a headless Chromium, driven by Playwright."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import Browser as Chromium
from playwright.async_api import ConsoleMessage, Page, Request, WebSocket, async_playwright
from playwright.async_api import Error as PlaywrightError

from tests.patience import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
POLL_SECONDS = 0.02
"""Seconds between two looks at a page."""

HAS_TEXT = (
    "([selector, text]) => [...document.querySelectorAll(selector)].some((one) => "
    "one.innerText.includes(text))"
)


def chromium() -> str | None:
    """Return the path of the browser on this machine; '' if there is none.

    It is always the system's own: Playwright would have to download one.
    """
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Tab:
    """One page, with everything it received."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.received: list[str] = []
        """Every text that arrived over the network: WebSocket frames and response bodies."""
        self.files: list[bytes] = []
        """The bytes of every picture that arrived."""
        self.requested: list[str] = []
        """The addresses that were requested."""
        self.errors: list[str] = []
        """The errors in the page's console."""
        self._noting: set[asyncio.Task[None]] = set()
        page.on("request", lambda request: self.requested.append(request.url))
        page.on("requestfinished", lambda request: self._note(self._body(request)))
        page.on("websocket", self._listen)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append(str(frame)))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _note(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)

    async def _body(self, request: Request) -> None:
        # Of a page that is left in the meantime nothing more is heard.
        with suppress(PlaywrightError):
            response = await request.response()
            if response is not None:
                body = await response.body()
                if response.headers.get("content-type", "").startswith("image/"):
                    self.files.append(body)
                else:
                    self.received.append(body.decode())

    async def wait_until_received(self) -> None:
        """Wait until everything that arrived is recorded."""
        # Only those that run: since Python 3.12 a gather of tasks that are done returns without
        # giving the loop a turn, and the loop is what takes them off the list.
        while running := [task for task in self._noting if not task.done()]:
            await asyncio.gather(*running)

    async def js(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        return await self.page.evaluate(expression)

    async def wait_for(self, expression: str, argument: Any = None, *, about: str = "") -> Any:
        """Wait until an expression is true, and return its value."""
        # Playwright's own wait_for_function would evaluate it from within the page, which the
        # page's policy forbids.
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    # During a navigation there is no page to ask.
                    with suppress(PlaywrightError):
                        if found := await self.page.evaluate(expression, argument):
                            return found
                    await asyncio.sleep(POLL_SECONDS)
        seen = await self.js("document.body.innerText")
        raise AssertionError(f"waited in vain for {about or expression}; it shows:\n{seen[-3000:]}")

    async def wait_for_text(self, text: str, selector: str = "body") -> None:
        """Wait until a text is on the page."""
        await self.wait_for(HAS_TEXT, [selector, text], about=f"{text!r} in {selector}")

    async def click(self, selector: str, text: str = "") -> None:
        """Click the last element with this text or role, once it can be clicked."""
        found = self.page.locator(selector)
        if text:
            named = self.page.locator(f"{selector}[aria-label*='{text}']")
            found = found.filter(has_text=re.compile(re.escape(text))).or_(named)
        await found.last.click()

    async def press(self, *keys: str) -> None:
        """Press keys by name, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def type(self, text: str) -> None:
        """Type a text, key by key."""
        await self.page.keyboard.type(text)

    async def resize(self, width: int, height: int) -> None:
        """Resize the window."""
        await self.page.set_viewport_size({"width": width, "height": height})


class Browser:
    """Chromium with isolated pages: no shared cookies, no cache."""

    def __init__(self, program: Chromium) -> None:
        self._program = program
        self._tabs: list[Tab] = []

    async def open_tab(self, url: str) -> Tab:
        """Open a page."""
        context = await self._program.new_context(
            viewport={"width": 1280, "height": 900}, locale="en-GB"
        )
        context.set_default_timeout(PATIENCE * 1000)
        tab = Tab(await context.new_page())
        self._tabs.append(tab)
        await tab.page.goto(url)
        return tab

    async def close_tabs(self) -> None:
        """Close every tab; only broken connections may have been reported."""
        complaints: list[str] = []
        for tab in self._tabs:
            await tab.wait_until_received()
            complaints += [line for line in tab.errors if "ERR_CONNECTION" not in line]
            await tab.page.context.close()
        self._tabs.clear()
        assert complaints == []


@asynccontextmanager
async def browsing(program: str) -> AsyncIterator[Browser]:
    """Run a browser."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=program)
        try:
            yield Browser(started)
        finally:
            await started.close()
