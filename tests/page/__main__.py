"""Take pictures of the local table: `python -m tests.page FOLDER`."""

import argparse
import asyncio
import io
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image

from tests.page.browser import Browser, Tab, browsing, chromium
from tests.page.program import Program
from tests.page.test_play import by_clicking, by_typing, seats, started, turn

PANEL = "panel-whole.png"
"""The picture that the README shows, and the size at which all of the panel is on it."""
PANEL_SIZE = 900, 1180
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
PICTURES = "[...document.querySelectorAll('.message img')]"
LOADED = f"{PICTURES}.every((one) => one.complete && one.naturalWidth)"
ANSWERS = {
    "help": "Start playing",
    "games": "Your matches",
    "stats": "/solo",
    "settings": "Settings for this server",
    "me settings": "Edit reminders",
}
"""Commands with a private answer, and what that says."""
LOBBY_FORMS = ("Settings", "Map", "Pace")
OPEN_FORM = "!!document.querySelector('#form[open] form')"
SIZES = {"desktop": (1280, 860), "phone": (390, 844)}


async def shots(tab: Tab, name: str, folder: Path) -> None:
    """Photograph a scene at both sizes, dark and light."""
    for size, (width, height) in SIZES.items():
        await tab.resize(width, height)
        # The spinner of a pressed button is cancelled when the answer comes.
        await tab.js("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
        await tab.js("document.querySelector('#messages').scrollTo(0, 1e9)")
        # A picture that is there may still have to be unpacked.
        await tab.js(f"Promise.all({PICTURES}.map((one) => one.decode())).then(() => true)")
        for scheme in SCHEMES:
            await tab.page.emulate_media(color_scheme=scheme)
            await tab.page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
    await tab.resize(*SIZES["desktop"])
    await tab.page.emulate_media(color_scheme="dark")


async def scenes(browser: Browser, program: Program, folder: Path) -> None:
    """Photograph a turn, a panel, the commands, and a lobby."""
    for tab in await seats(browser, program):
        await shots(tab, "empty", folder)
    ana, ben = await started(browser, program)
    await by_clicking(ana, "24: boat")
    await turn(ben)
    await by_typing(ben, "30", "30: boat")
    await turn(ana)
    await ana.wait_for(LOADED, about="the board")
    await shots(ana, "turn", folder)
    await ana.click(".button", "Your move")
    await ana.wait_for_text("Boats in the", ".message.private")
    await ana.wait_for(
        f"{LOADED} && document.querySelector('.message.private img')", about="the panel's board"
    )
    await shots(ana, "panel", folder)
    await ana.resize(*PANEL_SIZE)
    await ana.js("document.querySelector('#messages').scrollTo(0, 1e9)")
    await ana.page.screenshot(path=folder / PANEL)
    await ana.resize(*SIZES["desktop"])
    await ana.type("/")
    await ana.wait_for_text("/game new", "#suggestions")
    await shots(ana, "commands", folder)
    await ana.press("Escape")
    await ana.click("#place a")
    await ana.type("/game new game:blue")
    await ana.wait_for_text("Blue Lagoon", "#suggestions")
    await shots(ana, "typing", folder)
    await ana.press("Tab", "Enter")
    await ana.wait_for_text("1 more needed", ".embed")
    await shots(ana, "lobby", folder)
    for command, shown in ANSWERS.items():
        await ana.type(f"/{command}")
        await ana.press("Enter")
        await ana.wait_for_text(shown, ".message.private")
        await shots(ana, command.replace(" ", "-"), folder)
    await forms(ana, folder)
    await solo(ana, folder)


async def forms(ana: Tab, folder: Path) -> None:
    """Photograph forms, and what a refused one is answered with."""
    for label in LOBBY_FORMS:
        await ana.click(".components .button", label)
        await ana.wait_for(OPEN_FORM, about="the form")
        await shots(ana, f"form-{label.lower()}", folder)
        await ana.press("Escape")
    await ana.click("#text")
    await ana.type("/vacation begin")
    await ana.press("Enter")
    await ana.wait_for(OPEN_FORM, about="the form")
    await ana.type("abc")
    await shots(ana, "form-vacation", folder)
    await ana.press("Enter")
    await ana.wait_for_text("isn't a whole number", ".message.private")
    await shots(ana, "form-refused", folder)


async def solo(ana: Tab, folder: Path) -> None:
    """Photograph the living message of a solo match in a direct message, and a hint in it."""
    await ana.click("#channels a", "private")
    await ana.type("/solo game:maori")
    await ana.press("Enter")
    await ana.wait_for_text("Where do you", ".message")
    await ana.wait_for(LOADED, about="the board")
    await shots(ana, "solo", folder)
    await ana.click(".button", "Hint")
    await ana.wait_for_text("Hint:", ".message")
    await shots(ana, "hint", folder)


def shrink(source: Path, target: Path) -> None:
    """Copy a picture with few colours, in a small file."""
    whole = Image.open(io.BytesIO(source.read_bytes())).convert("RGB")
    few = whole.quantize(256, kmeans=2, dither=Image.Dither.NONE)
    few.save(target, optimize=True)


async def photograph(folder: Path) -> None:
    """Take all pictures."""
    found = chromium()
    assert found is not None, "there is no Chromium on this machine"
    program = Program(Path(tempfile.mkdtemp()), "--players", "Ana,Ben,Cleo")
    await program.start()
    try:
        async with browsing(found) as browser:
            await scenes(browser, program, folder)
        await program.stop()
    finally:
        await program.end()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(photograph(given.folder))
