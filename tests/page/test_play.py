"""Two players at the local table, each on their own page: the real program, a real browser."""

import json
from pathlib import Path
from typing import Literal

import pytest

from tests.engine.blue_lagoon.test_picture import EXAMPLE
from tests.page.browser import Browser, Tab
from tests.page.program import Program

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = "[...document.querySelectorAll('#messages article')].map((one) => one.innerText)"
NEWEST_THREAD = ".message:not(.private):not(:has(~ .message:not(.private))) .chip"
"""The way to the thread of the newest lobby; what is told to one person alone may stand below
it.
"""
PANEL = "document.querySelector('.message.private')"


async def seats(browser: Browser, program: Program) -> tuple[Tab, Tab]:
    """Open Ana's page and Ben's."""
    ana = await browser.open_tab(program.address_of("Ana"))
    ben = await browser.open_tab(program.address_of("Ben"))
    for tab in (ana, ben):
        await tab.wait_for("!!document.querySelector('#me .avatar')", about="the greeting")
    return ana, ben


async def started(tabs: Browser, program: Program) -> tuple[Tab, Tab]:
    """Start a match of the two; both look at its thread."""
    ana, ben = await seats(tabs, program)
    await ana.click("#place")
    await ana.type("/game n")
    await ana.press("Tab")
    await ana.wait_for_text("Blue Lagoon", "#suggestions")
    await ana.type("blue")
    alone = "document.querySelector('#suggestions').innerText.trim() === 'Blue Lagoon'"
    await ana.wait_for(alone, about="the game alone in the list")
    await ana.press("Tab")
    await ana.type(" settings:first=1")
    await ana.press("Enter")
    await ben.wait_for_text("1 more needed", ".embed")
    await ben.click(".button", "Join")
    await ana.wait_for_text("the host can start", ".message:last-of-type .embed")
    await ana.click(".components .button", "Start")
    for tab in (ana, ben):
        await tab.click(NEWEST_THREAD)
        await tab.wait_for_text("Ana's turn: place a piece", "#messages")
    return ana, ben


LAST_POST = "[...document.querySelectorAll('.message:not(.private)')].at(-1)"


async def turn(player: Tab) -> None:
    """Wait until the newest post calls a player: those before it have lost their mentions."""
    await player.wait_for(f"!!{LAST_POST}?.querySelector('.mention.mine')", about="their turn")


async def chosen(player: Tab, spot: str, group: str = "Boats in the south") -> None:
    """Choose an option of the panel, opening its group first."""
    await player.click(".message.private .button", group)
    await player.wait_for_text("Back", ".message.private .button")
    await player.click(".message.private .button", spot)


async def by_clicking(player: Tab, spot: str) -> None:
    """Play a turn in the private panel."""
    await player.click(".button", "Your move")
    await chosen(player, spot)
    await player.click(".message.private .button", "Confirm")


async def by_typing(player: Tab, start: str, offered: str) -> None:
    """Play a turn with the keyboard: a few letters, their completion, and ! to confirm."""
    await player.click("#place")
    await player.type(f"/play move:{start}")
    await player.wait_for_text(offered, "#suggestions")
    await player.press("Tab")
    await player.type("!")
    await player.press("Enter")


async def test_two_players_open_join_start_and_play_several_turns(
    tabs: Browser, program: Program
) -> None:
    ana, ben = await started(tabs, program)
    await by_clicking(ana, "24: boat")
    await turn(ben)
    await by_typing(ben, "1", "10: boat")
    await turn(ana)
    await by_typing(ana, "2", "25: boat")
    await turn(ben)
    await by_clicking(ben, "30: boat")
    await turn(ana)
    played = await ana.js("document.querySelector('#messages').innerText")
    assert "24" in played and "Ben" in played
    assert await ana.js(
        "[...document.querySelectorAll('.message .picture img')].every((one) => "
        "one.alt.length > 50)"
    )


async def test_moving_the_clock_changes_relative_times(tabs: Browser, program: Program) -> None:
    ana, ben = await seats(tabs, program)
    await ana.click("#text")
    # About thirty hours from now.
    at = await ana.js("Math.floor(Date.now() / 3.6e6 + 30) * 3600 + 1800")
    await ana.type(f"until <t:{at}:R>")
    await ana.press("Enter")
    await ben.wait_for_text("tomorrow")
    await ana.click("#clock button", "+1 d")
    await ben.wait_for_text("moved forward", "#clock")
    await ben.wait_for(
        "/in \\d+ hours/.test(document.querySelector('time.stamp').innerText)",
        about="the time told anew",
    )


async def test_a_map_is_chosen_with_the_paper_clip(
    tabs: Browser, program: Program, tmp_path: Path
) -> None:
    ana, ben = await seats(tabs, program)
    (tmp_path / "bays.txt").write_text(EXAMPLE)
    await ana.page.set_input_files("#file", tmp_path / "bays.txt")
    await ana.wait_for(
        "document.querySelector('#attach').dataset.name === 'bays.txt'", about="the file's name"
    )
    await ana.click("#text")
    await ana.type("/game new game:blue")
    await ana.wait_for_text("Blue Lagoon", "#suggestions")
    await ana.press("Tab", "Enter")
    await ben.wait_for_text("Custom map: in use", ".embed")
    await ben.wait_for("!!document.querySelector('.message .picture img')", about="the map")
    assert await ana.js("document.querySelector('#attach').dataset.name") == ""
    # The other tests look for a lobby of their own in the same channel.
    await ana.click(".components .button", "Cancel")
    await ana.wait_for_text("Cancelled", ".embed")


async def test_a_private_panel_never_reaches_the_other_page(
    tabs: Browser, program: Program
) -> None:
    ana, ben = await started(tabs, program)
    await ana.click(".button", "Your move")
    await ana.wait_for(f"{PANEL}?.querySelector('img')?.complete", about="the panel's picture")
    await chosen(ana, "24: boat")
    await ana.wait_for_text("Confirm", ".message.private")
    panel = await ana.js(f"{PANEL}.id.slice(1)")
    picture = await ana.js(f"{PANEL}.querySelector('img').getAttribute('src')")
    controls = await ana.js(
        f"[...{PANEL}.querySelectorAll('[data-id]')].map((one) => one.dataset.id)"
    )
    # Something public comes after it, so that whatever was sent before has arrived.
    await ana.click("#text")
    await ana.type("my panel is open")
    await ana.press("Enter")
    await ben.wait_for_text("my panel is open")
    for tab in (ana, ben):
        await tab.wait_until_received()
    secrets = [panel, picture.split("/")[3], *controls]
    mine = "\n".join([*ana.received, *ana.requested])
    theirs = "\n".join([*ben.received, *ben.requested])
    assert len(secrets) > 3 and all(secret in mine for secret in secrets)
    assert not [secret for secret in secrets if secret in theirs]
    shown = await ana.js(
        f"fetch({json.dumps(picture)}).then((answer) => answer.blob()).then((blob) => blob.size)"
    )
    drawn = [file for file in ana.files if len(file) == shown]
    assert drawn and not [file for file in ben.files if file in drawn]
    # What is private to Ben is their own welcome.
    assert not [
        frame for frame in ben.received if '"flags": 64' in frame and "Welcome" not in frame
    ]


async def test_a_reload_keeps_everything(tabs: Browser, program: Program) -> None:
    ana, _ = await started(tabs, program)
    await ana.click(".button", "Your move")
    await chosen(ana, "24: boat")
    await ana.wait_for_text("Confirm", ".message.private")
    before = await ana.js(TEXTS)
    await ana.page.reload()
    await ana.wait_for_text("Confirm", ".message.private")
    assert await ana.js(TEXTS) == before
    await ana.click(".message.private .button", "Confirm")
    await ana.wait_for_text("Ben's turn: place a piece")


async def test_a_restart_of_the_program_keeps_everything(tabs: Browser, program: Program) -> None:
    ana, ben = await started(tabs, program)
    await by_clicking(ana, "24: boat")
    await turn(ben)
    await ben.click(".button", "Your move")
    await ben.wait_for_text("Boats in the", ".message.private")
    before = [await tab.js(TEXTS) for tab in (ana, ben)]
    pictures = await ana.js("document.querySelectorAll('.picture').length")
    await program.stop()
    await ana.wait_for_text("Connection lost", "#status")
    thread = await ben.js("location.hash")
    await ben.click("#channels a", "general")
    await program.start()
    for tab in (ana, ben):
        await tab.wait_for(
            "document.querySelector('#status').innerText === ''", about="the line to be back"
        )
    await ben.wait_for_text("Blue Lagoon", ".embed")
    await ben.js(f"location.hash = {thread!r}")
    for tab in (ana, ben):
        await tab.page.reload()
        await tab.wait_for_text("Ben's turn: place a piece", "#messages")
    assert [await tab.js(TEXTS) for tab in (ana, ben)] == before
    loaded = (
        "[...document.querySelectorAll('.picture img')].filter((one) => "
        "one.complete && one.naturalWidth).length"
    )
    await ana.wait_for(f"{loaded} === {pictures}", about="the old pictures")
    await chosen(ben, "30: boat")
    await ben.click(".message.private .button", "Confirm")
    await turn(ana)


async def test_a_mention_elsewhere_is_shown_in_the_list(tabs: Browser, program: Program) -> None:
    ana, ben = await started(tabs, program)
    thread = f"#channels a[href='{await ben.js('location.hash')}']"
    await ben.click("#channels a", "general")
    await ben.wait_for("document.querySelector('#place').innerText === '# general'")
    await by_clicking(ana, "24: boat")
    await ben.wait_for_text("1", f"{thread}.unread .badge")
    assert (await ben.js("document.title")).startswith("(")
    await ben.page.reload()
    await ben.wait_for_text("1", f"{thread}.unread .badge")
    await ben.click(thread)
    await ben.wait_for(
        f"!document.querySelector(`{thread} .badge, {thread}.unread`)", about="nothing unread there"
    )
    await ben.wait_for_text("NEW", ".new")
    await ben.page.reload()
    await ben.wait_for_text("Ben's turn: place a piece", "#messages")
    assert not await ben.js(f"!!document.querySelector(`{thread} .badge, {thread}.unread, .new`)")


async def test_players_can_be_switched_and_added_in_a_tab(tabs: Browser, program: Program) -> None:
    tab = await tabs.open_tab(program.address)
    await tab.wait_for_text("Ana", "#me")
    await tab.click("#players .player", "Ben")
    await tab.wait_for_text("Ben", "#me")
    assert "as=Ben" in await tab.js("location.search")
    await tab.click("#join-name")
    await tab.type("ana")
    await tab.press("Enter")
    await tab.wait_for_text("There's already a player called ana", "#join-error")
    await tab.press(*["Backspace"] * 3)
    await tab.type("Dora Ångström")
    await tab.press("Enter")
    await tab.click("#players .player", "Dora Ångström")
    await tab.wait_for_text("Dora Ångström", "#me")
    stranger = await tabs.open_tab(program.address_of("Nobody"))
    await stranger.wait_for_text("no player with that name")
    await stranger.click("#players .player", "Dora")
    await stranger.wait_for_text("Start a game")


async def test_a_phone_sized_page_works(tabs: Browser, program: Program) -> None:
    ana, ben = await started(tabs, program)
    for tab in (ana, ben):
        await tab.resize(390, 844)
    await by_clicking(ana, "24: boat")
    await turn(ben)
    await ben.click("#burger")
    await ben.click("#channels a", "general")
    await ben.wait_for("document.querySelector('#place').innerText === '# general'")
    await ben.click("#burger")
    await ben.wait_for(
        "document.querySelector('#sidebar').checkVisibility()", about="the list to be open"
    )
    is_closed = "!document.querySelector('#sidebar').checkVisibility()"
    await ben.press("Escape")
    await ben.wait_for(is_closed, about="the list to be closed")
    await ben.click("#burger")
    await ben.click("#channels a", "general")
    await ben.wait_for(is_closed, about="the list to be closed: this channel is open already")
    await ben.click(NEWEST_THREAD)
    await ben.click("#slash")
    await ben.click("#suggestions .entry", "/play")
    await ben.type("30")
    await ben.click("#suggestions .entry", "30: boat")
    await ben.click("#send")
    await ben.click(".message.private .button", "Confirm")
    await turn(ana)
    for tab in (ana, ben):
        wide = (
            "Math.max(...[...document.querySelectorAll('main *')].map((one) => "
            "one.getBoundingClientRect().right))"
        )
        assert await tab.js("document.documentElement.scrollWidth") <= 390
        assert await tab.js(wide) <= 390
        small = (
            "[...document.querySelectorAll('.components .button')].every((one) => "
            "one.offsetHeight >= 40)"
        )
        assert await tab.js(small), "buttons are large enough for a thumb"
    await ben.click(".picture")
    await ben.wait_for(
        "document.querySelector('#picture[open] img')?.complete", about="the large picture"
    )
    await ben.click("#picture .close")


async def test_dark_and_light_follow_the_system(tabs: Browser, program: Program) -> None:
    (ana, _) = await seats(tabs, program)
    shades = {}
    schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for scheme in schemes:
        await ana.page.emulate_media(color_scheme=scheme)
        shades[scheme] = await ana.js("getComputedStyle(document.body).backgroundColor")
    assert shades == {"dark": "rgb(49, 51, 56)", "light": "rgb(255, 255, 255)"}


FOCUS = "document.activeElement"


async def test_enter_takes_the_highlighted_game(tabs: Browser, program: Program) -> None:
    (ana, _) = await seats(tabs, program)
    await ana.click("#start")
    await ana.wait_for_text("Blue Lagoon", "#suggestions")
    await ana.press("Enter")
    await ana.wait_for(f"{FOCUS}.value.startsWith('/game new game:')", about="the game in the line")
    await ana.press("Enter")
    await ana.wait_for_text("1 more needed", ".embed")
    await ana.click(".components .button", "Cancel")
    await ana.wait_for(
        "!document.querySelector('.message:last-of-type .components')", about="the end of the lobby"
    )


async def test_the_jump_to_newest_button_covers_no_control(tabs: Browser, program: Program) -> None:
    ana, _ = await started(tabs, program)
    await ana.resize(390, 844)
    await ana.click(".button", "Your move")
    await ana.click(".message.private .button", "Boats in the south")
    await ana.wait_for_text("Back", ".message.private .button")
    covered = """(() => {
      const lies = document.querySelector("#newest").getBoundingClientRect();
      const meets = ({ top, bottom, left, right }) =>
        top < lies.bottom && bottom > lies.top && left < lies.right && right > lies.left;
      const shown = document.querySelector("#messages").getBoundingClientRect();
      const inSight = (one) => ({ ...one.toJSON(), bottom: Math.min(one.bottom, shown.bottom) });
      const all = [...document.querySelectorAll(".components .button, .components summary")];
      const places = all.map((one) => inSight(one.getBoundingClientRect()));
      return places.filter((one) => one.top < one.bottom && meets(one)).length;
    })()"""
    for far in range(100, 500, 20):
        await ana.js(f"document.querySelector('#messages').scrollTop = -{far}")
        await ana.wait_for(
            "!document.querySelector('#newest').hidden", about="the way to the newest"
        )
        assert await ana.js(covered) == 0
    await ana.click("#newest")
    await ana.wait_for("document.querySelector('#newest').hidden", about="the newest")
