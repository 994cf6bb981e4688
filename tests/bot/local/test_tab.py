"""The page's server side: access, and the packets of a tab."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.local import LocalDiscord
from bot.local.model import Thread
from bot.local.tab import MAX_NAME
from tests.bot.local import parts
from tests.bot.local.parts import (
    container,
    entity_menu,
    form,
    gallery,
    label,
    layout,
    media,
    section,
    text_input,
    upload,
)
from tests.bot.local.raw import Raw
from tests.patience import PATIENCE

Json = dict[str, Any]
PAGE = Path(__file__).parents[3] / "bot" / "local" / "page"


class Visitor:
    """A tab without a browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.heard: list[Json] = []
        self._number = 0

    async def next(self, kind: str) -> Json:
        """Return the next packet of this kind, and keep those before it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                packet: Json = await self.socket.receive_json()
                self.heard.append(packet)
                if packet["t"] == kind:
                    return packet

    async def ask(self, expected: str, **packet: Any) -> Json:
        """Send a packet; its answer must be of this kind and carry its number."""
        self._number += 1
        await self.socket.send_json({**packet, "n": self._number})
        answer = await self.next(expected)
        assert answer["n"] == self._number
        return answer

    async def heard_until_now(self, discord: LocalDiscord) -> str:
        """Return everything received so far as text."""
        moment = f"moment-{len(discord.state.channels)}"
        discord.add_channel(moment)
        while moment not in str(await self.next("table")):
            pass
        return str(self.heard)


@asynccontextmanager
async def visit(raw: Raw, name: str | None) -> AsyncIterator[Visitor]:
    """Open a tab for somebody."""
    url = raw.discord.table.address + "socket" + ("" if name is None else f"?as={name}")
    async with raw.session.ws_connect(url, origin=raw.discord.url) as socket:
        yield Visitor(socket)


@pytest.fixture
async def ana(raw: Raw) -> AsyncIterator[Visitor]:
    raw.discord.user("Ana")
    raw.discord.user("Ben")
    async with visit(raw, "Ana") as ana:
        yield ana


@pytest.fixture
async def ben(raw: Raw, ana: Visitor) -> AsyncIterator[Visitor]:
    async with visit(raw, "Ben") as ben:
        await ben.next("table")
        yield ben


# The door


async def test_without_the_capability_nothing_is_shown(raw: Raw) -> None:
    discord = raw.discord
    for path in ("/table/guess/", "/table/guess/app.js", "/table/guess/socket", "/table/guess"):
        async with raw.session.get(discord.url + path, headers={"Origin": discord.url}) as answer:
            assert answer.status == 403
    async with raw.session.get(discord.url + "/") as answer:
        assert discord.table.capability not in await answer.text()


async def test_the_page_comes_with_a_strict_policy(raw: Raw) -> None:
    for name in ("", "app.js", "style.css", "icon.svg"):
        async with raw.session.get(raw.discord.table.address + name) as answer:
            assert answer.status == 200
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self'" in policy
            assert "unsafe" not in policy
            assert "require-trusted-types-for 'script'" in policy
            assert "frame-ancestors 'none'" in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "name", ["nothing.js", "..%2ftable.py", "%2e%2e/table.py", "../table.py", ".."]
)
async def test_only_the_pages_own_files_are_served(raw: Raw, name: str) -> None:
    async with raw.session.get(raw.discord.table.address + name) as answer:
        assert answer.status in (403, 404)


async def test_an_address_without_its_last_slash_leads_there(raw: Raw) -> None:
    async with raw.session.get(raw.discord.table.address.rstrip("/") + "?as=Ana") as answer:
        assert answer.status == 200 and str(answer.url) == raw.discord.table.address + "?as=Ana"


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
async def test_a_socket_is_opened_by_the_page_alone(raw: Raw, headers: dict[str, str]) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await raw.session.ws_connect(raw.discord.table.address + "socket?as=Ana", headers=headers)
    assert refused.value.status == 403


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
async def test_the_page_is_not_for_strangers(raw: Raw, headers: dict[str, str]) -> None:
    async with raw.session.get(raw.discord.table.address, headers=headers) as answer:
        assert answer.status == 403


def test_the_page_sets_text_and_never_markup() -> None:
    for path in PAGE.glob("*.js"):
        source = path.read_text(encoding="utf-8")
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "://cdn",
        ):
            assert way not in source, path.name
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert "<style" not in html
    assert "style=" not in html
    assert "onclick" not in html
    assert "http" not in html


# Packets to a tab


async def test_the_greeting_names_the_player_and_the_place(raw: Raw, ana: Visitor) -> None:
    table = await ana.next("table")
    assert table["me"]["id"] == str(raw.discord.user("Ana").id)
    assert table["guild"] == "Local table"
    assert [(place["name"], place["kind"]) for place in table["places"]] == [
        ("general", "text"),
        ("Motu", "private"),
    ]
    assert [player["name"] for player in table["players"]] == ["Ana", "Ben"]


async def test_without_a_name_the_first_player_is_used_and_a_wrong_one_is_refused(
    raw: Raw, ana: Visitor
) -> None:
    async with visit(raw, None) as first, visit(raw, "Nobody") as nobody:
        assert (await first.next("table"))["me"]["name"] == "Ana"
        table = await nobody.next("table")
        assert table["me"] is None and table["places"] == []
        raw.discord.user("Ben").say("hear, hear")
        assert (await nobody.ask("refused", do="enter", channel="1"))["why"] == "nobody"
        assert "hear, hear" not in str(nobody.heard)
        joined = await nobody.ask("joined", do="join", name="  Nobody   Else ")
        assert joined["name"] == "Nobody Else"


async def test_a_private_message_reaches_only_its_owner(
    raw: Raw, ana: Visitor, ben: Visitor
) -> None:
    response = await raw.discord.user("Ana").click(await _panel(raw), label="Press", wait="nothing")
    await raw.answer(response, 4, {"content": "hush", "flags": 64})
    message = (await ana.next("message_create"))["message"]
    while "hush" not in str(message["content"]):
        message = (await ana.next("message_create"))["message"]
    await raw.call("PATCH", raw.webhook(response, "@original"), {"content": "hush again"})
    assert "hush again" in str((await ana.next("message_update"))["message"]["content"])
    assert "hush" not in await ben.heard_until_now(raw.discord)
    history = await ben.ask("history", do="enter", channel=message["channel_id"])
    assert "hush" not in str(history)
    for verb in (
        {"do": "dismiss"},
        {"do": "click", "id": "press"},
        {"do": "choose", "id": "x", "values": []},
    ):
        assert (await ben.ask("refused", **verb, message=message["id"]))["why"] == "message_gone"
    await ana.socket.send_json({"do": "dismiss", "message": message["id"], "n": 99})
    assert (await ana.next("message_delete"))["message"]["id"] == message["id"]
    assert "hush" not in await ben.heard_until_now(raw.discord)


async def test_texts_reach_the_page_parsed_and_the_bot_as_written(raw: Raw, ana: Visitor) -> None:
    embed = {"title": "*t*", "description": "*d*", "fields": [{"name": "*n*", "value": "*v*"}]}
    _, posted = await raw.post(raw.discord.channel(), {"content": "*c*", "embeds": [embed]})
    assert posted["content"] == "*c*" and posted["embeds"] == [embed]
    (seen,) = (await ana.ask("history", do="enter", channel=posted["channel_id"]))["messages"]
    (shown,) = seen["embeds"]
    assert seen["content"] == [_p("c")]
    assert shown["title"] == [_em("t")]
    assert shown["description"] == [_p("d")]
    assert shown["fields"][0]["name"] == [_em("n")]
    assert shown["fields"][0]["value"] == [_p("v")]


def test_the_page_has_words_for_every_refusal_that_a_player_can_meet() -> None:
    words = (PAGE / "words.js").read_text(encoding="utf-8")
    raised = {
        key
        for name in ("tab", "command_line", "slash", "forms", "choosing")
        for key in re.findall(
            r'Impossible\("(\w+)"', (PAGE.parent / f"{name}.py").read_text(encoding="utf-8")
        )
    }
    assert len(raised) > 10
    unheard = {"no_completion", "no_field", "wrong_value", "one_line"}
    assert {key for key in raised if f"  {key}: " not in words} == unheard, (
        "the page does not let anybody do these"
    )


# Layouts and forms


async def test_layouts_reach_the_page_parsed_with_their_media(raw: Raw, ana: Visitor) -> None:
    body = layout(
        container(section(parts.text("*c*"))),
        gallery(media(description="alt")),
        parts.row(
            entity_menu(5, default_values=[{"id": raw.discord.user("Ben").id, "type": "user"}])
        ),
        attachments=[{"id": 0, "filename": "board.png"}],
    )
    _, posted = await raw.post(raw.discord.channel(), body, {"files[0]": b"x"})
    (seen,) = (await ana.ask("history", do="enter", channel=posted["channel_id"]))["messages"]
    box, board, row = seen["components"]
    assert seen["layout"] and box["components"][0]["components"][0]["content"] == [_p("c")]
    (item,) = board["items"]
    assert item["description"] == "alt" and item["media"]["size"] == 1
    assert raw.discord.url + item["media"]["src"] == item["media"]["url"]
    (menu,) = row["components"]
    chosen = [(option["label"], option["default"]) for option in menu["options"]]
    assert chosen == [("Motu", False), ("Ana", False), ("Ben", True)]


async def test_menus_of_people_and_channels_list_newcomers(raw: Raw, ana: Visitor) -> None:
    body = layout(parts.row(entity_menu(7)), parts.row(entity_menu(8, custom_id="w")))
    _, posted = await raw.post(raw.discord.channel(), body)
    raw.discord.user("Cleo")
    raw.discord.add_channel("secret")
    raw.discord.deny(raw.discord.channel("secret"), "view_channel", to=raw.discord.user("Ana"))
    listed = {}
    for menu in "mw":
        answer = await ana.ask("options", do="options", message=posted["id"], id=menu)
        listed[menu] = [option["label"] for option in answer["options"]]
    assert listed == {
        "m": ["Motu", "Ana", "Ben", "Cleo", "@everyone", "@Motu"],
        "w": ["#general"],
    }
    (cleo,) = [user.id for user in raw.discord.state.people if user.name == "Cleo"]
    packet = {"do": "choose", "message": posted["id"], "id": "m", "values": [str(cleo)], "n": 9}
    await ana.socket.send_json(packet)
    interactions = raw.discord.interactions.by_token
    chosen = await raw.discord.until(lambda: next(iter(interactions.values()), None))
    assert chosen.data["resolved"]["users"].keys() == {str(cleo)}


async def test_a_form_is_shown_to_the_person_it_is_for_and_submitted_by_them(
    raw: Raw, ana: Visitor, ben: Visitor
) -> None:
    panel = await _panel(raw)
    await ana.socket.send_json({"do": "click", "message": str(panel.id), "id": "press", "n": 5})
    interactions = raw.discord.interactions.by_token
    pressed = await raw.discord.until(lambda: next(iter(interactions.values()), None))
    fields = [label(text_input(), "Note"), label(upload(required=False), "Map")]
    path = f"/interactions/{pressed.id}/{pressed.token}/callback"
    body = {"type": 9, "data": form(parts.text("*secret*"), *fields)}
    assert await raw.call("POST", path, body) == (204, None)
    packet = await ana.next("form")
    shown = packet["form"]
    assert (packet["n"], shown["title"]) == (5, "A form")
    assert shown["components"][0]["content"] == [_p("secret")]
    assert "secret" not in await ben.heard_until_now(raw.discord)
    given = {"t": "hello", "u": [{"name": "a.txt", "data": "aGVsbG8="}]}
    answer = {"do": "submit", "form": shown["id"], "values": given}
    assert (await ben.ask("refused", **answer))["why"] == "form_gone"
    empty = await ana.ask("refused", **{**answer, "values": {"t": "", "u": []}})
    assert (empty["why"], empty["facts"]) == ("field_missing", {"field": "Note"})
    await ana.ask("refused", **{**answer, "values": {"t": "hello", "u": [{"name": "x"}]}})
    await ana.ask("refused", **{**answer, "values": {}})
    await ana.socket.send_json({**answer, "n": 8})
    sent = await raw.discord.until(
        lambda: next((one for one in interactions.values() if one.kind == 5), None)
    )
    assert sent.message is panel
    ((file,),) = (part["component"]["values"] for part in sent.data["components"][2:])
    assert raw.discord.state.attachments[int(file)].data == b"hello"
    path = f"/interactions/{sent.id}/{sent.token}/callback"
    await raw.call("POST", path, {"type": 4, "data": {"content": "saved"}})
    assert (await ana.next("answered"))["n"] == 8


async def test_a_mention_names_no_channel_that_one_may_not_see(
    raw: Raw, ana: Visitor, ben: Visitor
) -> None:
    discord = raw.discord
    hidden = discord.add_channel("hidden")
    discord.deny(hidden, "view_channel", to=discord.user("Ben"))
    discord.user("Ana").say(f"come to <#{hidden.id}>, {discord.user('Ana').mention}")
    heard = (
        (await ana.next("message_create"))["message"],
        (await ben.next("message_create"))["message"],
    )
    assert "#hidden" in str(heard[0]["content"])
    assert "#unknown" in str(heard[1]["content"])
    assert [message["calls"] for message in heard] == [True, False]


async def test_a_channel_one_may_not_see_stays_unseen(raw: Raw, ana: Visitor, ben: Visitor) -> None:
    discord = raw.discord
    hidden = discord.add_channel("hidden")
    discord.deny(hidden, "view_channel", to=discord.user("Ben"))
    discord.user("Ana").say("only among us", hidden)
    assert "only among us" not in await ben.heard_until_now(discord)
    assert (await ben.ask("refused", do="enter", channel=str(hidden.id)))["why"] == "channel_gone"
    assert "only among us" in await ana.heard_until_now(discord)


async def test_an_unanswered_interaction_fails(raw: Raw, ana: Visitor) -> None:
    panel = await _panel(raw)
    await ana.socket.send_json({"do": "click", "message": str(panel.id), "id": "press", "n": 7})
    await raw.discord.until(lambda: raw.discord.interactions.by_token)
    raw.clock.advance(3)
    assert (await ana.next("failed"))["n"] == 7


async def test_completion_choices_go_to_the_person_who_typed(
    raw: Raw, ana: Visitor, ben: Visitor
) -> None:
    move = {"type": 3, "name": "move", "description": "m", "required": True, "autocomplete": True}
    await raw.register({"name": "play", "description": "d", "options": [move]})
    channel = str(raw.discord.channel().id)
    await ana.socket.send_json(
        {"do": "suggest", "channel": channel, "line": "/play se", "caret": 8, "n": 5}
    )
    interaction = await raw.discord.until(
        lambda: next(iter(raw.discord.interactions.by_token.values()), None)
    )
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    await raw.call(
        "POST", path, {"type": 8, "data": {"choices": [{"name": "secret", "value": "s"}]}}
    )
    offer = await ana.next("offer")
    assert offer["n"] == 5
    assert offer["hint"] == {"option": "move", "description": "m", "others": []}
    assert offer["entries"] == [
        {"text": "move:s", "start": 6, "end": 8, "label": "secret", "description": ""}
    ]
    assert "secret" not in await ben.heard_until_now(raw.discord)
    refused = await ana.ask("refused", do="send", channel=channel, line="/play")
    assert refused["why"] == "option_missing"
    assert refused["facts"] == {"option": "move", "description": "m"}


async def test_read_messages_are_remembered(raw: Raw, ana: Visitor, ben: Visitor) -> None:
    discord = raw.discord
    channel = discord.channel()
    message = discord.user("Ana").say(f"hello {discord.user('Ben').mention}")
    async with visit(raw, "Ben") as again:
        shown, _ = (await again.next("table"))["places"]
        assert shown["calls"] == 1 and shown["unread"]
        assert (await again.ask("history", do="enter", channel=shown["id"]))["new"] == str(
            message.id
        )
        await again.ask("answered", do="see", channel=str(channel.id), message=str(message.id))
        while shown["unread"]:
            shown, _ = (await ben.next("table"))["places"]
    async with visit(raw, "Ben") as again:
        shown, _ = (await again.next("table"))["places"]
        assert shown["calls"] == 0 and not shown["unread"]
        assert (await again.ask("history", do="enter", channel=shown["id"]))["new"] is None


async def test_earlier_messages_are_not_unread_for_newcomers(raw: Raw, ana: Visitor) -> None:
    raw.discord.user("Ana").say("old news")
    raw.discord.user("Cleo")
    async with visit(raw, "Cleo") as cleo:
        shown, _ = (await cleo.next("table"))["places"]
        assert not shown["unread"]


async def test_a_tab_gets_one_list_update_for_many_changes(raw: Raw, ana: Visitor) -> None:
    await ana.next("table")
    for number in range(5):
        raw.discord.add_channel(f"channel-{number}")
    assert len((await ana.next("table"))["places"]) == 7
    raw.discord.user("Ana").say("something")
    raw.discord.user("Ben").say("something else")
    assert (await ana.next("table"))["places"][0]["unread"]
    assert [packet["t"] for packet in ana.heard] == [
        "table",
        "table",
        "message_create",
        "message_create",
        "table",
    ]


async def test_channels_and_threads_are_listed_in_a_useful_order(raw: Raw, ana: Visitor) -> None:
    discord = raw.discord
    general, late = discord.channel(), discord.add_channel("late")
    threads = {}
    for name, parent in (("old", general), ("new", general), ("other", late)):
        threads[name] = Thread(discord.state.snowflake(), name, 11, parent=parent.id)
        discord.state.active_threads += 1
        discord.state.add_thread(threads[name])
    discord.dm(discord.user("Ana"))
    discord.dm(discord.user("Ben"))
    assert await _listed(ana, discord) == ["general", "new", "old", "late", "other", "Motu"]
    discord.user("Ben").say("stirs it", threads["old"])
    assert await _listed(ana, discord) == ["general", "old", "new", "late", "other", "Motu"]
    discord.archive(threads["old"])
    discord.archive(threads["new"])
    assert await _listed(ana, discord) == ["general", "old", "late", "other", "Motu"], (
        "one is unread"
    )
    await ana.ask("history", do="enter", channel=str(threads["new"].id))
    last = str(threads["old"].last_message)
    await ana.ask("answered", do="see", channel=str(threads["old"].id), message=last)
    assert await _listed(ana, discord) == ["general", "new", "late", "other", "Motu"], "one is open"


async def _listed(visitor: Visitor, discord: LocalDiscord) -> list[str]:
    """Return the places of the newest list."""
    await visitor.heard_until_now(discord)
    names = [place["name"] for place in visitor.heard[-1]["places"]]
    return [name for name in names if not name.startswith("moment-")]


async def test_history_goes_back_to_the_message_that_is_asked_for(raw: Raw, ana: Visitor) -> None:
    said = [raw.discord.user("Ben").say(f"line {number}") for number in range(130)]
    channel = str(raw.discord.channel().id)
    newest = await ana.ask("history", do="enter", channel=channel)
    assert len(newest["messages"]) == 50 and newest["more"]
    older = await ana.ask(
        "history", do="older", channel=channel, before=newest["messages"][0]["id"]
    )
    assert older["messages"][-1]["id"] == str(said[79].id)
    assert older["more"]
    answer = await ana.ask("history", do="enter", channel=channel, message=str(said[10].id))
    assert [message["id"] for message in answer["messages"]] == [
        str(message.id) for message in said[10:]
    ]
    assert (
        len((await ana.ask("history", do="enter", channel=channel, message="5"))["messages"]) == 50
    )


# What a tab may ask for


@pytest.mark.parametrize("name", ["", "   ", "x" * (MAX_NAME + 1), "tab\x07", "ANA", "motu"])
async def test_a_name_must_fit_and_be_free(raw: Raw, ana: Visitor, name: str) -> None:
    assert (await ana.ask("refused", do="join", name=name))["why"]
    assert [user.name for user in raw.discord.state.people] == ["Ana", "Ben"]


@pytest.mark.parametrize("content", ["", "  ", "x" * 2001])
async def test_a_message_must_fit(raw: Raw, ana: Visitor, content: str) -> None:
    channel = str(raw.discord.channel().id)
    await ana.ask("refused", do="send", channel=channel, line=content)
    assert raw.discord.messages() == []


async def test_writing_opens_an_archived_thread_unless_it_is_locked(raw: Raw, ana: Visitor) -> None:
    discord = raw.discord
    status, made = await raw.call(
        "POST", f"/channels/{discord.channel().id}/threads", {"name": "t", "type": 11}
    )
    assert status == 200
    thread = discord.state.channel(int(made["id"]))
    assert isinstance(thread, Thread)
    discord.archive(thread)
    await ana.ask("answered", do="send", channel=made["id"], line="hello")
    assert not thread.archived
    discord.archive(thread, locked=True)
    assert (await ana.ask("refused", do="send", channel=made["id"], line="hello"))[
        "why"
    ] == "thread_locked"


@pytest.mark.parametrize(
    "packet",
    [
        {},
        {"do": "fly"},
        {"do": "send"},
        {"do": "enter", "channel": "x"},
        {"do": "enter", "channel": "1"},
        {"do": "choose", "message": "1", "values": "x"},
        {"do": "send", "channel": None, "line": "/x"},
        {"do": "suggest", "channel": "1", "line": "/x", "caret": "x"},
        {"do": "see", "channel": [], "message": 1},
    ],
)
async def test_nonsense_is_refused_and_the_socket_stays_open(
    raw: Raw, ana: Visitor, packet: Json
) -> None:
    assert (await ana.ask("refused", **packet))["why"]
    for text in ("nonsense", "[]", "7", "null", '{"do": "enter", "channel": 1e999}', "[" * 30_000):
        await ana.socket.send_str(text)
        await ana.next("refused")
    await ana.ask("history", do="enter", channel=str(raw.discord.channel().id))


async def test_old_addresses_of_files_are_renewed_when_they_are_shown(
    raw: Raw, ana: Visitor
) -> None:
    body = {"attachments": [{"id": 0, "filename": "f.bin"}]}
    await raw.post(raw.discord.channel(), body, {"files[0]": b"bytes"})
    raw.clock.advance(3 * 86_400)
    history = await ana.ask("history", do="enter", channel=str(raw.discord.channel().id))
    (message,) = history["messages"]
    async with raw.session.get(message["attachments"][0]["url"]) as answer:
        assert await answer.read() == b"bytes"
        assert "sandbox" in answer.headers["Content-Security-Policy"]


async def _panel(raw: Raw) -> Any:
    button = {"type": 2, "style": 1, "label": "Press", "custom_id": "press"}
    await raw.post(raw.discord.channel(), {"components": [{"type": 1, "components": [button]}]})
    return raw.discord.messages()[-1]


def _em(word: str) -> Json:
    return {"kind": "em", "inside": [word]}


def _p(word: str) -> Json:
    return {"kind": "p", "inside": [_em(word)]}


# The clock


@pytest.mark.parametrize("hours", [0, -1, 10_000, "x", "nan"])
async def test_the_clock_only_moves_forward_and_not_too_far(
    raw: Raw, ana: Visitor, hours: object
) -> None:
    await ana.ask("refused", do="clock", hours=hours)
    assert raw.discord.state.ahead == 0


async def test_moving_the_clock_notifies_every_tab(raw: Raw, ana: Visitor, ben: Visitor) -> None:
    before = raw.discord.state.clock.now()
    await ana.ask("answered", do="clock", hours=24)
    while (await ben.next("table"))["ahead"] != 86_400:
        pass
    assert raw.discord.state.clock.now() == before + 86_400
