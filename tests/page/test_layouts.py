"""Layouts, menus of people and forms on the page, against a bot that uses them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.local import LocalDiscord
from bot.local.model import Message, Upload
from tests.bot.local.parts import button, container, gallery, layout, media, row, section, text
from tests.page.browser import Browser, Tab
from tests.page.test_controls import FAILED, FOCUS, open_page, pass_time
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

PHONE = (390, 844)
DESKTOP = (1280, 800)
OPEN_FORM = "!!document.querySelector('#form[open] form')"
NO_FORM = "!document.querySelector('#form').open"


async def box(tab: Tab, selector: str) -> dict[str, float]:
    """Where an element is on the page."""
    found: dict[str, float] = await tab.js(
        f"(({{ top, bottom, left, right }}) => ({{ top, bottom, left, right }}))"
        f"(document.querySelector('{selector}').getBoundingClientRect())"
    )
    return found


async def is_in_view(tab: Tab, selector: str) -> bool:
    """Whether all of an element is seen among the messages."""
    inner, outer = await box(tab, selector), await box(tab, "#messages")
    return inner["top"] >= outer["top"] - 1 and inner["bottom"] <= outer["bottom"] + 1


async def test_a_layout_is_drawn_with_its_texts_pictures_and_controls(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    shown = await discord.user("Ben").slash("/turn")
    at = f"#m{shown.message.id}"
    await ana.wait_for_text("Where to?", f"{at} .container .section .texts")
    assert await ana.js(f"document.querySelectorAll('{at} .picture').length") == 1, (
        "the file is shown where the layout refers to it, and nowhere else"
    )
    assert await ana.js(f"document.querySelector('{at} .gallery img').alt") == "a small board"
    assert await ana.js(f"document.querySelectorAll('{at} .container > hr').length") == 1
    accent = f"getComputedStyle(document.querySelector('{at} .container')).borderLeftColor"
    assert await ana.js(accent) == "rgb(51, 102, 204)"
    link = f"document.querySelector('{at} a.button')"
    assert await ana.js(f"[{link}.href, {link}.target, {link}.rel]") == [
        "https://example.org/",
        "_blank",
        "noopener noreferrer",
    ]
    assert await ana.js(f"document.querySelector('{at} .button:disabled').innerText") == "Never"
    texts, undo = f"{at} .section .texts", f"{at} .section .button"
    await ana.resize(*DESKTOP)
    beside = await box(ana, undo)
    assert beside["left"] >= (await box(ana, texts))["right"]
    await ana.resize(*PHONE)
    below = await box(ana, undo)
    assert below["top"] >= (await box(ana, texts))["bottom"]
    await ana.click(undo)
    await ana.wait_for_text("undone by @Ana", texts)
    assert await ana.js(f"{FOCUS}.dataset.id") == "undo", "the focus stays with the button"


async def test_long_labels_fit_a_phone(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await ana.resize(*PHONE)
    labels = ["x" * 80, "Put the boat in the south, and keep the other one for later on, please"]
    buttons = [button(f"b{n}", label=label) for n, label in enumerate(labels)]
    message = post(
        discord, layout(container(section(text("a"), accessory=button()), row(*buttons)))
    )
    await ana.wait_for_text("Put the boat", f"#m{message.id}")
    for number in range(2):
        found = await box(ana, f"#m{message.id} [data-id=b{number}]")
        assert found["left"] >= 0 and found["right"] <= PHONE[0]
    assert await ana.js("document.documentElement.scrollWidth") == PHONE[0]


def post(discord: LocalDiscord, body: dict[str, Any], *files: Upload) -> Message:
    """Post a message as the bot."""
    posting = discord.rest.posting
    uploads = dict(enumerate(files))
    message = posting.compose(discord.channel(), discord.state.bot, body, uploads)
    discord.state.add_message(message)
    return message


async def test_a_tall_board_uses_most_of_the_height(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await ana.resize(*DESKTOP)
    message = post(
        discord,
        layout(gallery(media()), attachments=[{"id": 0, "filename": "board.png"}]),
        Upload("board.png", b""),
    )
    board = message.attachments[0]
    board.data, board.width, board.height = b"unseen", 900, 1200
    discord.state.change_message(message)
    at = f"#m{message.id} .picture.sized"
    await ana.wait_for(f"!!document.querySelector('{at}')", about="the board")
    found = await box(ana, at)
    assert found["right"] - found["left"] == pytest.approx(0.72 * DESKTOP[1] * 900 / 1200, abs=1)


async def test_a_pressed_button_is_busy_until_the_answer(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    shown = await discord.user("Ben").slash("/turn")
    at = f"#m{shown.message.id} [data-id=undo]"
    await ana.wait_for(f"!!document.querySelector('{at}')", about="the button")
    fault = discord.faults.hold("POST", "/interactions/*/*/callback")
    before = len(discord.interactions.by_token)
    await ana.click(at)
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)
    busy = f"[document.querySelector('{at}').ariaBusy, document.querySelector('{at}').ariaDisabled]"
    assert await ana.js(busy) == ["true", "true"]
    ring = f"getComputedStyle(document.querySelector('{at}'), '::after').animationName"
    assert await ana.js(ring) == "turn"
    await ana.press("Enter")
    fault.release()
    await ana.wait_for_text("undone by", f"#m{shown.message.id}")
    await ana.wait_for(f"{busy}.every((one) => one === null)", about="the button to be free")
    assert len(discord.interactions.by_token) == before + 1, "the second press was not sent"


async def test_the_panel_in_use_stays_in_view_while_it_changes(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.resize(*DESKTOP)
    panel = post(discord, {"content": "short", "components": [row(button("go"))]})
    for number in range(30):
        discord.user("Ben").say(f"and {number}")
    at = f"#m{panel.id}"
    await ana.wait_for_text("and 29", "#messages")
    await ana.js(f"document.querySelector('{at}').scrollIntoView({{ block: 'end' }})")
    await ana.click(f"{at} .button")
    (pressed,) = [one for one in discord.interactions.by_token.values() if one.message is panel]
    change = {"content": "line\n" * 25, "components": [row(button("go")), row(button("more"))]}
    discord.rest.posting.edit(panel, change, {})
    await ana.wait_for(f"!!document.querySelector('{at} [data-id=more]')", about="the new panel")
    assert await is_in_view(ana, at)
    discord.rest.posting.edit(panel, {"content": "line\n" * 100}, {})
    await ana.wait_for(f"document.querySelector('{at}').offsetHeight > {DESKTOP[1]}")
    assert await is_in_view(ana, f"{at} [data-id=more]"), "what can be pressed comes first"
    # Somebody who has scrolled on is not called back.
    await ana.js("document.querySelector('#messages').scrollTo(0, 0)")
    discord.rest.posting.edit(panel, {"content": "elsewhere"}, {})
    await ana.wait_for_text("elsewhere", at)
    assert await ana.js("document.querySelector('#messages').scrollTop") == 0
    pass_time(discord, 3.1)
    assert pressed.expired


async def test_menus_of_people_offer_those_who_are_there_now(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    shown = await discord.user("Ben").slash("/pick")
    at = f"#m{shown.message.id}"
    await ana.wait_for_text("Who?", at)
    discord.user("Dora")
    await ana.click(f"{at} .face", "Who?")
    await ana.wait_for_text("Dora", f"{at} .menu[open] .list")
    for name in ("Ben", "Dora"):
        await ana.click(f"{at} .menu[open] .entry", name)
    await ana.click(f"{at} .menu[open] .button", "Choose")
    await ana.wait_for_text("Member Ben, Member Dora", at)
    await ana.js(f"[...document.querySelectorAll('{at} .face')].at(-1).focus()")
    await ana.press("ArrowDown", "ArrowDown")
    await ana.wait_for_text("#general", f"{at} .menu[open] .list")
    await ana.js(f"document.querySelector('{at} .menu[open] .entry').focus()")
    await ana.press("Enter")
    await ana.wait_for_text("general: True", at)


# Forms


async def open_form(tab: Tab, fields: str) -> None:
    """Open the ordinary bot's survey."""
    await tab.click("#text")
    await tab.type(f"/survey fields:{fields}")
    await tab.press("Enter")
    await tab.wait_for(OPEN_FORM, about="the form")


async def answer(tab: Tab) -> str:
    """What the bot said to the newest form."""
    await tab.wait_for(NO_FORM, about="the form to close")
    return str(
        await tab.wait_for(
            "[...document.querySelectorAll('.message.private .markdown')].at(-1)?.innerText",
            about="the answer",
        )
    )


async def test_a_form_is_filled_in_by_keys_and_submitted(
    tabs: Browser, discord: LocalDiscord, tmp_path: Path
) -> None:
    ana = await open_page(tabs, discord)
    await open_form(ana, "texts")
    assert await ana.js(f"[{FOCUS}.labels[0].innerText, {FOCUS}.value]") == ["Name", "so far"]
    described = f"document.getElementById({FOCUS}.getAttribute('aria-describedby').split(' ')[0])"
    assert await ana.js(f"{described}.innerText") == "d"
    assert await ana.js("document.querySelector('#form').ariaLabelledByElements[0].innerText") == (
        "Survey"
    )
    assert await ana.js("document.querySelector('#form em').innerText") == "minute"
    await ana.press("End")
    await ana.type(" 🏝" * 7 + "!")
    await ana.wait_for_text("21 / 20", "#form .counter.over")
    await ana.press("Enter")
    await ana.wait_for_text("This can have up to 20 characters.", "#form .error")
    await ana.press("Backspace")
    await ana.wait_for("!document.querySelector('#form .field > .error').innerText")
    await ana.press("Tab")
    await ana.type("one")
    await ana.press("Enter")
    await ana.type("two")
    await ana.press("Tab", "Space")
    (tmp_path / "a.txt").write_text("hello")
    await ana.page.set_input_files("#form input[type=file]", tmp_path / "a.txt")
    await ana.click("#form .primary")
    said = await answer(ana)
    assert said.startswith(f"Name=so far{' 🏝' * 7}; Story=one\ntwo; Silent=True; Map=['http")
    (sent,) = [file for file in discord.state.attachments.values() if file.filename == "a.txt"]
    assert sent.data == b"hello"
    assert await ana.js("document.querySelector('#form').childElementCount") == 0


async def test_what_a_form_needs_is_asked_for_before_it_is_sent(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await open_form(ana, "choices")
    await ana.click("#form .primary")
    await ana.wait_for_text("Please fill this in.", "#form .field > .error")
    assert await ana.js("document.querySelectorAll('#form [aria-invalid=true]').length") == 3
    assert await ana.js(f"{FOCUS}.tagName") == "SELECT", "the focus goes to the first of them"
    await ana.page.select_option("#form select", label="Green")
    await ana.click("#form .entry", "Blue")
    await ana.js("document.querySelector('#form input[type=radio]').focus()")
    await ana.press("ArrowDown")
    assert await ana.js("document.querySelector('#form input[type=radio]:checked').value") == "g"
    assert await ana.js("document.querySelectorAll('#form [aria-invalid=true]').length") == 0
    await ana.click("#form .primary")
    assert await answer(ana) == "Menu=['g']; Radio=g; Boxes=['b']"


async def test_people_and_channels_are_chosen_in_a_form(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.resize(*PHONE)
    await open_form(ana, "people")
    for name in ("Motu", "Ben"):
        await ana.click("#form .entry", name)
    assert await ana.js("document.querySelector('#form .entry input:not(:checked)').disabled"), (
        "two are enough"
    )
    await ana.page.select_option("#form select >> nth=1", label="@everyone")
    await ana.page.select_option("#form select >> nth=2", label="#general")
    await ana.click("#form .primary")
    assert await answer(ana) == (
        "People=['motu#0000', 'ben']; Role=[]; Either=['@everyone']; Channel=['general']"
    )


async def test_esc_cancels_a_form_and_nothing_is_sent(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    panel = await discord.user("Ben").slash("/game new", game="go")
    at = f"#m{panel.message.id}"
    await ana.click(f"{at} .button", "Rename")
    await ana.wait_for(OPEN_FORM, about="the form")
    await ana.type(" and more")
    before = len(discord.interactions.by_token)
    await ana.press("Escape")
    await ana.wait_for(NO_FORM, about="the form to close")
    assert len(discord.interactions.by_token) == before
    assert await ana.js(f"{FOCUS}.innerText") == "Rename", "the focus goes back"
    await ana.press("Enter")
    await ana.wait_for(OPEN_FORM, about="the form again")
    await ana.press("Enter")
    await ana.wait_for_text("Name=so far", at)
    await ana.wait_for(NO_FORM, about="the form to close")


async def test_a_form_that_fails_keeps_what_was_typed(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await open_form(ana, "texts")
    await ana.type("my name")
    fault = discord.faults.hold("POST", "/interactions/*/*/callback")
    await ana.press("Enter")
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)
    assert await ana.js("document.querySelector('#form .primary').ariaBusy") == "true"
    pass_time(discord, 3.1)
    await ana.wait_for_text(FAILED, "#form .error")
    assert "my name" in await ana.js("document.querySelector('#form input').value")
    fault.release()
    await ana.click("#form .primary")
    assert "my name" in await answer(ana)
