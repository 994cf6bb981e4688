"""A headless Chromium, driven over its own DevTools protocol: real mouse, real keys, and every byte it receives."""

import asyncio
import base64
import contextlib
import itertools
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

Json = dict[str, Any]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 30.0
"""Seconds for anything that is waited for: far more than even a busy machine needs."""
BODY_PATIENCE = 2.0
LOOK = 0.02
"""Seconds between two looks at a page."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--lang=en-GB",
    "--remote-debugging-port=0",
)
KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "Space": (" ", 32, " "),
}

FIND = """(selector, text) => [...document.querySelectorAll(selector)].filter((one) =>
    !text || one.textContent.includes(text) || (one.getAttribute("aria-label") || "").includes(text)).at(-1)"""
AIM = """(async (selector, text) => {
  const look = () => {
    const found = (%s)(selector, text);
    if (!found || found.disabled || found.closest("[inert]")) return null;
    found.scrollIntoView({ block: "center", inline: "nearest" });
    const box = found.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const there = document.elementFromPoint(x, y);
    return box.width && there && (found.contains(there) || there.contains(found)) ? { found, x, y } : null;
  };
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const before = look();
  await frame().then(frame);
  const after = look();
  const still = before && after && ["found", "x", "y"].every((part) => before[part] === after[part]);
  return still ? { x: after.x, y: after.y } : null;
})(%s, %s)"""
"""Where the last fitting element has its middle, once it has stood still while a frame was drawn."""


def chromium() -> str | None:
    """Where a browser is on this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Tab:
    """One page."""

    def __init__(self, browser: "Browser", session: str, context: str) -> None:
        self.browser, self._session, self.context = browser, session, context
        self.received: list[str] = []
        """Every text that came over the network: frames of sockets, bodies, addresses asked for."""
        self.files: list[bytes] = []
        """The bytes of every picture that came."""
        self.asked: list[str] = []
        """The addresses that were asked for."""
        self.complaints: list[str] = []
        """What the page's console had to say, errors alone."""

    async def call(self, method: str, **parameters: Any) -> Json:
        """A command of the protocol."""
        return await self.browser.call(method, parameters, self._session)

    async def open(self, url: str) -> None:
        """Go somewhere."""
        await self.call("Page.navigate", url=url)

    async def reload(self) -> None:
        """Load the page anew; what the old one knew is gone."""
        await self.js("window.wasHere = true")
        await self.call("Page.reload")
        await self.until("!window.wasHere && document.readyState === 'complete'")

    async def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Make the window so large."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )

    async def colours(self, scheme: str) -> None:
        """Let the system be 'dark' or 'light'."""
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    async def screenshot(self, path: Path) -> None:
        """Keep what is seen."""
        shot = await self.call("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))

    async def js(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {json.dumps(answer['exceptionDetails'])[:2000]}")
        return answer["result"].get("value")

    async def until(self, expression: str, *, about: str = "") -> Any:
        """Wait until an expression gives something true, and return it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    # In the midst of a navigation there is no page to ask.
                    with contextlib.suppress(ProtocolError):
                        found = await self.js(expression)
                        if found:
                            return found
                    await asyncio.sleep(LOOK)
        seen = await self.js("document.body.innerText")
        raise AssertionError(f"waited in vain for {about or expression}; the page shows:\n{seen[-3000:]}")

    async def sees(self, text: str, selector: str = "body") -> None:
        """Wait until a text is on the page."""
        every = f"[...document.querySelectorAll({json.dumps(selector)})]"
        expression = f"{every}.some((one) => one.innerText.includes({json.dumps(text)}))"
        await self.until(expression, about=f"{text!r} in {selector}")

    async def click(self, selector: str, text: str = "") -> None:
        """Press the last element that fits, once it can be pressed."""
        aim = AIM % (FIND, json.dumps(selector), json.dumps(text))
        at = await self.until(aim, about=f"{selector} {text!r} that can be pressed")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=at["x"], y=at["y"], button="left", clickCount=1)

    async def press(self, *keys: str) -> None:
        """Press keys by name, one after the other."""
        for name in keys:
            key, code, text = KEYS[name]
            event = {"key": key, "code": name, "windowsVirtualKeyCode": code}
            await self.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
            await self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text: str) -> None:
        """Type a text, key by key."""
        for char in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", key=char, text=char)
            await self.call("Input.dispatchKeyEvent", type="keyUp", key=char)

    async def hear(self, method: str, event: Json) -> None:
        """Note what came over the network, and what went wrong."""
        if method == "Network.webSocketFrameReceived":
            self.received.append(event["response"]["payloadData"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(event["request"]["url"])
        elif method == "Network.loadingFinished":
            # Of a page that is left in the meantime nothing more is heard.
            with contextlib.suppress(ProtocolError, TimeoutError):
                async with asyncio.timeout(BODY_PATIENCE):
                    body = await self.call("Network.getResponseBody", requestId=event["requestId"])
                if body["base64Encoded"]:
                    self.files.append(base64.b64decode(body["body"]))
                else:
                    self.received.append(body["body"])
        elif method == "Runtime.exceptionThrown" or (method == "Log.entryAdded" and event["entry"]["level"] == "error"):
            self.complaints.append(json.dumps(event))


class ProtocolError(Exception):
    """The browser could not do as it was told."""


class Browser:
    """Chromium as a child process."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._tabs: dict[str, Tab] = {}
        self._noting: set[asyncio.Task[None]] = set()

    async def call(self, method: str, parameters: Json, session: str | None = None) -> Json:
        """A command of the protocol, and its result."""
        number = next(self._numbers)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        packet: Json = {"id": number, "method": method, "params": parameters}
        await self._socket.send_json({**packet, "sessionId": session} if session else packet)
        return await asyncio.wait_for(answer, PATIENCE)

    async def tab(self, url: str = "") -> Tab:
        """A page with nothing in common with the others: no cookies, no cache."""
        context = (await self.call("Target.createBrowserContext", {}))["browserContextId"]
        made = await self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})
        attached = await self.call("Target.attachToTarget", {"targetId": made["targetId"], "flatten": True})
        tab = self._tabs[attached["sessionId"]] = Tab(self, attached["sessionId"], context)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await tab.call(f"{domain}.enable")
        await tab.size(1280, 900)
        if url:
            await tab.open(url)
        return tab

    async def listen(self) -> None:
        """Hand out what the browser says."""
        async for frame in self._socket:
            packet = json.loads(frame.data)
            if "id" in packet:
                answer = self._waiting.pop(packet["id"])
                if answer.done():
                    continue
                if "error" in packet:
                    answer.set_exception(ProtocolError(packet["error"]["message"]))
                else:
                    answer.set_result(packet["result"])
            elif packet.get("sessionId") in self._tabs:
                note = asyncio.create_task(self._tabs[packet["sessionId"]].hear(packet["method"], packet["params"]))
                self._noting.add(note)
                note.add_done_callback(self._noting.discard)

    def check(self) -> None:
        """No page may have complained of anything but a connection that a test broke."""
        wrong = [line for tab in self._tabs.values() for line in tab.complaints if "ERR_CONNECTION" not in line]
        assert wrong == []

    async def close_tabs(self) -> None:
        """Close every tab."""
        for tab in self._tabs.values():
            await self.call("Target.disposeBrowserContext", {"browserContextId": tab.context})
        self._tabs.clear()

    async def settled(self) -> None:
        """Wait until all that came is noted."""
        while self._noting:
            await asyncio.gather(*self._noting)


@asynccontextmanager
async def browsing(program: str, folder: Path) -> AsyncIterator[Browser]:
    """A browser with a profile of its own in the folder."""
    process = await asyncio.create_subprocess_exec(
        *(program, *FLAGS, f"--user-data-dir={folder}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        address = await asyncio.wait_for(_address(process), PATIENCE)
        async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
            browser = Browser(socket)
            listening = asyncio.create_task(browser.listen())
            try:
                yield browser
                await browser.settled()
                with contextlib.suppress(ProtocolError):
                    await browser.call("Browser.close", {})
            finally:
                listening.cancel()
    finally:
        with contextlib.suppress(TimeoutError, ProcessLookupError):
            await asyncio.wait_for(process.wait(), 5)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    said: list[str] = []
    async for line in process.stderr:
        said.append(line.decode(errors="replace"))
        if said[-1].startswith("DevTools listening on "):
            return said[-1].removeprefix("DevTools listening on ").strip()
    raise AssertionError(f"the browser did not start:\n{''.join(said)}")
