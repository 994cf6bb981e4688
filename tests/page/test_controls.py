"""Commands, buttons, menus and pictures on the page, with a bot that uses all of them."""

import asyncio

import pytest
from playwright.async_api import Route

from bot.local import LocalDiscord, ManualClock
from tests.page.browser import Browser, Tab
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAILED = "This interaction failed"
FOCUS = "document.activeElement"


async def open_page(tabs: Browser, discord: LocalDiscord, name: str = "Ana") -> Tab:
    """Open a player's page in a tab of its own, with the focus in the message field."""
    tab = await tabs.open_tab(f"{discord.table.address}?as={name}")
    await tab.wait_for("!!document.querySelector('#me .avatar')", about="the greeting")
    await tab.click("#place")
    return tab


def pass_time(discord: LocalDiscord, seconds: float) -> None:
    """Advance the server's clock."""
    assert isinstance(discord.state.clock, ManualClock)
    discord.state.clock.advance(seconds)


async def test_a_command_is_found_filled_in_and_sent_by_keys_alone(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/")
    assert await ana.js(f"{FOCUS}.id") == "text"
    await ana.wait_for_text("/game new", "#suggestions")
    await ana.press("Escape")
    assert await ana.js(
        "document.querySelector('#text').value === '' && "
        "document.querySelector('#suggestions').hidden"
    )
    await ana.type("/game n")
    await ana.press("Tab")
    await ana.wait_for_text("Chess", "#suggestions")
    await ana.press("ArrowDown")
    await ana.press("Enter")
    await ana.wait_for(f"{FOCUS}.value === '/game new game:Chess'", about="the chosen game")
    await ana.type(" ")
    await ana.wait_for_text("note:", "#suggestions")
    await ana.press("Tab")
    await ana.wait_for_text("note: ", "#hint")
    await ana.type("at noon fast:t")
    await ana.wait_for_text("True", "#suggestions")
    await ana.press("Tab")
    await ana.press("Enter")
    await ana.wait_for_text("chess, at noon, fast", ".message")
    assert await ana.js(
        "document.querySelector('#text').value === '' && document.activeElement.id === 'text'"
    )


async def test_completion_follows_the_typed_text(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/play ")
    await ana.wait_for_text("Go to b1", "#suggestions")
    await ana.type("a")
    await ana.wait_for(
        "document.querySelectorAll('#suggestions .entry').length === 2", about="two choices"
    )
    await ana.press("ArrowDown", "Tab")
    await ana.wait_for_text("Go to a2", "#hint")
    await ana.type("!")
    assert await ana.js(f"{FOCUS}.value") == "/play move:a2!", "one goes on from the value"
    await ana.press("Enter")
    await ana.wait_for_text("you played a2!", ".message.private")
    await ana.click(".plain", "Dismiss")
    await ana.wait_for("!document.querySelector('.message.private')", about="nothing private")
    assert await ana.js(f"{FOCUS}.id") == "text", "the focus goes where one writes"
    assert not [
        message for message in discord.state.messages.values() if "you played" in message.content
    ]


async def test_tab_completes_the_typed_text_however_fast(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/play ")
    await ana.wait_for_text("Go to b1", "#suggestions")
    await ana.type("a2")
    await ana.press("Tab")
    await ana.wait_for(
        f"{FOCUS}.value === '/play move:a2'", about="the completion of what was typed last"
    )
    await ana.press("Escape")
    await ana.type("/play a1")
    await ana.press("Tab", "Enter")
    await ana.wait_for_text("you played a1", ".message.private")


async def test_a_late_completion_is_not_shown_for_newer_text(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/play ")
    await ana.wait_for_text("Go to b1", "#suggestions")
    fault = discord.faults.hold("POST", "/interactions/*/*/callback")
    await ana.type("a")
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)
    await ana.type("2")
    await ana.wait_for(
        "document.querySelectorAll('#suggestions .entry').length === 1", about="the one choice"
    )
    (late,) = [
        one
        for one in discord.interactions.by_token.values()
        if one.data["name"] == "play" and not one.answer
    ]
    fault.release()
    await discord.until(lambda: len(late.choices) == 2 or None, about="the late answer")
    discord.user("Ben").say("something that comes after it")
    await ana.wait_for_text("something that comes after it", ".message")
    assert await ana.js("document.querySelector('#suggestions').innerText.trim()") == "Go to a2"


async def test_suggestions_follow_the_arrows_and_the_caret(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    described = f"document.getElementById({FOCUS}.getAttribute('aria-activedescendant'))?.innerText"
    await ana.type("/game new game:go fast:f")
    await ana.wait_for_text("False", "#suggestions")
    assert await ana.js(f"{FOCUS}.role === 'combobox' && {FOCUS}.ariaExpanded === 'true'")
    await ana.js("document.querySelector('#text').setSelectionRange(15, 15)")
    await ana.wait_for_text("Chess", "#suggestions")
    assert await ana.js(described) == "Go"
    await ana.press("ArrowUp")
    assert await ana.js(described) == "Chess", "from the first to the last"
    await ana.press("Enter")
    assert await ana.js(f"{FOCUS}.value") == "/game new game:Chess fast:f", (
        "what the arrows chose is taken"
    )
    assert await ana.js(
        f"{FOCUS}.ariaExpanded === 'false' && !{FOCUS}.getAttribute('aria-activedescendant')"
    )
    await ana.press("Enter")
    await ana.wait_for_text("“f” isn't one of the choices for fast", "#refusal")
    assert await ana.js(f"{FOCUS}.value") == "/game new game:Chess fast:f", "the line is given back"


async def test_an_unanswered_interaction_shows_a_failure(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/silence ")
    await ana.press("Enter")
    await ana.wait_for_text("Sending /silence", ".notice")
    asked = discord.interactions.by_token
    await discord.until(
        lambda: [one for one in asked.values() if one.data.get("name") == "silence"],
        about="/silence",
    )
    pass_time(discord, 3.1)
    await ana.wait_for_text(FAILED, ".notice")
    await ana.click(".notice .plain", "Dismiss")
    await ana.wait_for("!document.querySelector('.notice')", about="no notice")
    panel = await discord.user("Ben").slash("/game new", game="go")
    fault = discord.faults.hold("POST", "/interactions/*/*/callback")
    await ana.click(f"#m{panel.message.id} .button", "Redraw")
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)
    await ana.wait_for(
        "!!document.querySelector('.button[aria-busy=true]')", about="a button at work"
    )
    pass_time(discord, 3.1)
    await ana.wait_for_text(FAILED, f"#m{panel.message.id} .error")
    fault.release()


async def test_thinking_is_shown_until_the_answer_is_there(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    ben = await open_page(tabs, discord, "Ben")
    fault = discord.faults.hold("PATCH", "/webhooks/**")
    await ana.type("/think ")
    await ana.press("Enter")
    await asyncio.wait_for(fault.was_hit.wait(), PATIENCE)
    for tab in (ana, ben):
        await tab.wait_for_text("Motu is thinking…", ".thinking")
    fault.release()
    for tab in (ana, ben):
        await tab.wait_for_text("and one thing more", ".message")
        assert not await tab.js("!!document.querySelector('.thinking')")
    await ana.wait_for_text("a secret", ".message.private")
    assert "a secret" not in await ben.js("document.body.innerText")
    assert (
        await ana.js("[...document.querySelectorAll('.picture img')].at(-1).alt") == "a small board"
    )


async def test_menus_take_one_or_several_by_keys(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await discord.user("Ben").slash("/game new", game="go")
    await ana.wait_for_text("go, nothing, slow", ".message")
    await ana.js("[...document.querySelectorAll('.face')].at(-1).focus()")
    await ana.press("ArrowDown")
    await ana.wait_for_text("Spot 3", ".menu[open] .list")
    await ana.press("Escape")
    await ana.wait_for(
        f"!document.querySelector('.menu[open]') && {FOCUS}.className === 'face'",
        about="the menu to fold",
    )
    await ana.press("ArrowDown", "ArrowDown", "Space", "ArrowDown", "Space")
    checked = await ana.js(
        "[...document.querySelectorAll('.menu[open] :checked')].map((one) => one.value)"
    )
    assert checked == ["s1", "s2"]
    assert await ana.js("document.querySelectorAll('.menu[open] input:disabled').length") == 23, (
        "two are enough"
    )
    await ana.press("Enter")
    await ana.wait_for_text("picked s1 s2", ".message")
    assert await ana.js(f"{FOCUS}.className") == "face", "the focus stays where one was"
    outline = await ana.js(f"getComputedStyle({FOCUS}).outlineStyle")
    assert outline == "solid", "the focus can be seen"


async def test_pictures_are_enlarged_and_embeds_shown(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    await ana.type("/hand ")
    await ana.press("Enter")
    await ana.wait_for_text("three cards", ".message.private .embed")
    await ana.click(".message.private .picture")
    await ana.wait_for(
        "document.querySelector('#picture[open] img')?.naturalWidth === 7",
        about="the large picture",
    )
    await ana.press("Escape")
    await ana.wait_for("!document.querySelector('#picture').open", about="the picture to be gone")
    await ana.click(".message.private .button", "Stone 7")
    await ana.wait_for_text("stone 7", ".message.private")


async def test_a_picture_s_space_is_reserved_before_it_loads(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    await ana.page.route("**/attachments/**", hold)
    before = await ana.js("document.querySelectorAll('.picture').length")
    for command in ("/hand", "/think"):
        await discord.user("Ana").slash(command)
    await ana.wait_for(
        f"document.querySelectorAll('.picture').length === {before + 2}", about="the pictures"
    )
    size = "((one) => [one.offsetWidth, one.offsetHeight])"
    assert (
        await ana.js(f"[...document.querySelectorAll('.picture')].slice(-2).map({size})")
        == [[7, 5]] * 2
    )
    assert not await ana.js(
        "[...document.querySelectorAll('.picture img')].slice(-2).some((one) => one.naturalWidth)"
    )
    for route in held:
        await route.continue_()


async def test_an_expired_picture_leaves_its_alt_text(tabs: Browser, discord: LocalDiscord) -> None:
    answer = await discord.user("Ana").slash("/think")
    answer.message.attachments[0].data = b""
    ana = await open_page(tabs, discord)
    await ana.wait_for_text("No longer kept: a small board", f"#m{answer.message.id}")


async def test_threads_and_private_channels_are_listed(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    await discord.user("Ana").slash("/table")
    await ana.wait_for_text("Motu started a thread: Table 1", ".message")
    await ana.click(".message a", "Table 1")
    await ana.wait_for_text("This thread is archived", "#archived")
    await ana.click("#reopen")
    await ana.wait_for("document.querySelector('#archived').hidden", about="the thread to be open")
    await ana.click("#text")
    await ana.type("hello @Ben")
    await ana.press("Enter")
    await ana.wait_for_text("hello @Ben", ".message")
    assert [m.content for m in discord.user("Ben").pings()] == [
        f"hello <@{discord.user('Ben').id}>"
    ]
    await discord.user("Ana").slash("/letter")
    await ana.click("#channels a", "Motu (private)")
    await ana.wait_for_text("dear friend", ".message")
    ben = await open_page(tabs, discord, "Ben")
    await ben.click("#channels a", "Motu (private)")
    assert "dear friend" not in await ben.js("document.body.innerText"), "it is their own"
    assert not [frame for frame in ben.received if "dear friend" in frame]


async def test_on_a_phone_the_drawer_closes_and_the_placeholder_is_one_line(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    long = discord.add_channel("a-channel-whose-name-is-much-too-long-for-the-line-of-a-phone")
    await ana.resize(390, 844)
    drawer = "document.querySelector('#sidebar').matches(':popover-open')"
    for name in ("general", long.name, long.name):
        await ana.click("#burger")
        await ana.wait_for(drawer, about="the drawer")
        await ana.click("#channels a", name)
        await ana.wait_for(f"!{drawer}", about=f"the drawer to close over {name}")
    await ana.wait_for_text(long.name[:20], "#place")
    placeholder, height = await ana.js("((one) => [one.placeholder, one.offsetHeight])(text)")
    assert long.name in placeholder and height < 48
    discord.delete_channel(long)


async def test_a_new_message_does_not_steal_the_focus(tabs: Browser, discord: LocalDiscord) -> None:
    ana = await open_page(tabs, discord)
    other = discord.add_channel("elsewhere")
    await ana.js("document.querySelector('#channels a').focus()")
    discord.user("Ben").say(f"hello {discord.user('Ana').mention}", other)
    await ana.wait_for_text("1", "#channels .badge")
    assert await ana.js(f"{FOCUS}.getAttribute('href')") == f"#{discord.channel().id}"
    await ana.js(f"document.querySelector('#channels a[href=\"#{other.id}\"]').focus()")
    discord.user("Ben").say(f"you there, {discord.user('Ana').mention}?", other)
    await ana.wait_for_text("2", "#channels .badge")
    assert await ana.js(f"{FOCUS}.getAttribute('href')") == f"#{other.id}", (
        "its line was drawn anew"
    )
    discord.delete_channel(other)


async def test_older_messages_are_loaded_on_request(tabs: Browser, discord: LocalDiscord) -> None:
    ben = discord.user("Ben")
    long = discord.add_channel("long")
    for number in range(120):
        ben.say(f"line {number}.", long)
    ana = await open_page(tabs, discord)
    await ana.click("#channels a", "long")
    await ana.wait_for_text("line 119.", ".message")
    assert await ana.js("document.querySelectorAll('.message').length") == 50
    await ana.click("#older")
    await ana.wait_for_text("line 20.", "#messages")
    middle = "document.querySelector('#messages').getBoundingClientRect().height / 2"
    await ana.js("document.querySelector('#messages').scrollBy(0, -1500)")
    await ana.wait_for("!document.querySelector('#newest').hidden", about="the way to the newest")
    text = f"document.elementFromPoint(innerWidth / 2, {middle}).closest('.message')"
    message, height = await ana.js(f"[{text}.id, {text}.getBoundingClientRect().y]")
    ben.say("something new", long)
    await ana.wait_for(
        "document.querySelector('#log').lastChild.innerText.includes('something new')"
    )
    stays = await ana.js(f"document.querySelector('#{message}').getBoundingClientRect().y")
    assert abs(stays - height) < 2, "what is read stays where it is"
    first = discord.messages(long)[0]
    ben.say(f"see https://discord.com/channels/{discord.state.guild}/{long.id}/{first.id}", long)
    await ana.click("#newest")
    await ana.click(".message a")
    await ana.wait_for_text("line 0.", ".found")


async def test_after_a_choice_the_focus_stays_with_the_choices(
    tabs: Browser, discord: LocalDiscord
) -> None:
    ana = await open_page(tabs, discord)
    swapped = """async ([pressed, left]) => {
      const { el, replaceElement } = await import("./dom.js");
      const panel = (keys) => el("article",
        el("div.components", keys.map((key) => el("button.button", { "data-id": key }, key))),
        el("p.privacy", el("button.plain", "Dismiss message")));
      const old = panel(["a", "b", "c", "d"]);
      document.querySelector("#log").append(old);
      (pressed ? old.querySelector(`[data-id=${pressed}]`) : old.querySelector(".plain")).focus();
      const fresh = panel(left);
      replaceElement(old, fresh);
      const found = document.activeElement;
      fresh.remove();
      return found.dataset.id ?? found.innerText ?? found.id;
    }"""
    for pressed, left, stays_at in (
        ("c", "xy", "x"),
        ("c", "xcy", "c"),
        ("d", "x", "x"),
        ("a", "xyz", "x"),
        ("b", "", ""),
    ):
        assert await ana.page.evaluate(swapped, [pressed, list(left)]) == stays_at, (pressed, left)
    assert await ana.page.evaluate(swapped, ["", ["a"]]) == "Dismiss message", (
        "unless it was there before"
    )
