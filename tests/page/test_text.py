"""Texts on the page."""

import pytest

from bot.local import LocalDiscord
from tests.page.browser import Browser, Tab

pytestmark = pytest.mark.asyncio(loop_scope="module")

CASES = [
    (
        "plain *italic* _too_ **bold**",
        "<p>plain <em>italic</em> <em>too</em> <strong>bold</strong></p>",
    ),
    (
        "***both*** and **bold *inside* it**",
        "<p><strong><em>both</em></strong> and <strong>bold <em>inside</em> it</strong></p>",
    ),
    ("a_snake_case 2*3*4x * y", "<p>a_snake_case 2<em>3</em>4x * y</p>"),
    (r"\*not\* \_this\_ \`nor\` that \<@1\>", "<p>*not* _this_ `nor` that &lt;@1&gt;</p>"),
    (
        "`code **as is** <@1>` ``a ` b``",
        "<p><code>code **as is** &lt;@1&gt;</code> <code>a ` b</code></p>",
    ),
    (
        "before\n```py\nx = *1*\n\ny\n```\nafter",
        "<p>before</p><pre><code>x = *1*\n\ny</code></pre><p>after</p>",
    ),
    ("```one line```", "<pre><code>one line</code></pre>"),
    (
        "# One\n## Two\n### Three\n#not\n-# small",
        '<h3>One</h3><h4>Two</h4><h5>Three</h5><p>#not</p><p class="subtext">small</p>',
    ),
    ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    ("3. x\n4. y", '<ol start="3"><li>x</li><li>y</li></ol>'),
    ("two\nlines", "<p>two<br>lines</p>"),
    (
        "<script>alert(1)</script> &amp; <img src=x onerror=alert(1)>",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &lt;img src=x onerror=alert(1)&gt;</p>",
    ),
    ("<#1>", '<p><a class="mention" href="#1">#unknown</a></p>'),
    ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
]


async def drawn(page: Tab, discord: LocalDiscord, text: str) -> str:
    """Return the page's text for a message."""
    message = discord.user("Ben").say(text)
    return str(
        await page.wait_for(
            f"document.querySelector('#m{message.id} .markdown')?.innerHTML", about=text
        )
    )


async def test_markdown_is_shown_as_discord_shows_it(tabs: Browser, discord: LocalDiscord) -> None:
    page = await tabs.open_tab(f"{discord.table.address}?as=Ana")
    await page.wait_for("!!document.querySelector('#me .avatar')", about="the greeting")
    for text, expected in CASES:
        assert await drawn(page, discord, text) == expected, text
    ana = discord.user("Ana").id
    guild = discord.state.guild
    channel = discord.channel().id
    assert (
        await drawn(page, discord, f"<@{ana}>!") == '<p><span class="mention mine">@Ana</span>!</p>'
    )
    assert "#general" in await drawn(page, discord, f"<#{channel}>")
    assert f'href="#{channel}/5"' in await drawn(
        page, discord, f"[go](https://discord.com/channels/{guild}/{channel}/5)"
    )
    away = await drawn(page, discord, "see https://example.org/a_b_c?d=1, or <https://example.org>")
    assert away.count('target="_blank" rel="noopener noreferrer"') == 2
    assert "/a_b_c?d=1</a>," in away


async def test_user_input_stays_text(tabs: Browser, discord: LocalDiscord) -> None:
    page = await tabs.open_tab(f"{discord.table.address}?as=Ana")
    evil = "<img src=x onerror=\"document.title='broken'\"><b>x</b>"
    discord.user("Ben").say(evil)
    discord.user(evil[:32])
    await page.wait_for_text("onerror", ".message")
    await page.wait_for_text("<img src=x", "#players")
    assert (
        await page.js("document.querySelectorAll('main img, main b > b, #players img').length") == 0
    )
    assert "broken" not in await page.js("document.title")


async def test_the_page_loads_nothing_from_elsewhere(tabs: Browser, discord: LocalDiscord) -> None:
    page = await tabs.open_tab(f"{discord.table.address}?as=Ana")
    await page.wait_for("!!document.querySelector('#me .avatar')", about="the greeting")
    await page.wait_until_received()
    assert len(page.requested) > 5
    assert not [url for url in page.requested if not url.startswith((discord.url, "about:"))]
    set_html = "Promise.resolve().then(() => (document.body.innerHTML = '<b>x</b>'))"
    blocked = f"{set_html}.then(() => 'set', () => 'refused')"
    assert await page.js(blocked) == "refused"
    elsewhere = "fetch('https://example.org/').then(() => 'got', () => 'refused')"
    assert await page.js(elsewhere) == "refused"
    page.errors.clear()
