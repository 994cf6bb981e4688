"""Layouts: messages that consist of components alone (Components V2)."""

import io
from typing import Any

import pytest
from PIL import Image

from bot.local.model import COMPONENTS_V2, EPHEMERAL, LOADING, Message
from tests.bot.local.parts import (
    Json,
    button,
    container,
    file,
    gallery,
    layout,
    media,
    menu,
    places,
    row,
    section,
    text,
)
from tests.bot.local.raw import Raw


def picture() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (7, 5)).save(target, "PNG")
    return target.getvalue()


BOARD = {"attachments": [{"id": 0, "filename": "board.png"}]}
PICTURE = {"files[0]": picture()}


async def post(raw: Raw, body: Json, files: Any = None) -> Message:
    status, answer = await raw.post(raw.discord.channel(), body, files)
    assert status == 200, answer
    return raw.discord.state.messages[int(answer["id"])]


def path(message: Message) -> str:
    return f"/channels/{message.channel.id}/messages/{message.id}"


async def errors(raw: Raw, message: Message, body: Json) -> list[tuple[str, str]]:
    status, answer = await raw.call("PATCH", path(message), body)
    assert (status, answer["code"]) == (400, 50035)
    return list(places(answer["errors"]))


async def test_the_media_of_a_layout_are_resolved(raw: Raw) -> None:
    board = gallery(media(description="a small board"))
    _, answer = await raw.post(
        raw.discord.channel(), layout(container(text("Hi"), board, file()), **BOARD), PICTURE
    )
    assert answer["flags"] == COMPONENTS_V2 and answer["content"] == "" and answer["embeds"] == []
    ((_, shown, listed),) = (part["components"] for part in answer["components"])
    item = shown["items"][0]
    assert item["description"] == "a small board"
    found = item["media"]
    assert (found["width"], found["height"], found["content_type"]) == (7, 5, "image/png")
    assert found["url"] == found["proxy_url"] == answer["attachments"][0]["url"]
    assert found["attachment_id"] == answer["attachments"][0]["id"]
    assert (listed["name"], listed["size"]) == ("board.png", len(PICTURE["files[0]"]))
    async with raw.session.get(found["url"]) as fetched:
        assert await fetched.read() == PICTURE["files[0]"]


async def test_components_get_the_ids_that_are_free(raw: Raw) -> None:
    message = await post(raw, layout(text(id=2), row(button()), text(id=0)))
    assert [part["id"] for part in message.components] == [2, 1, 4]
    assert message.components[1]["components"][0]["id"] == 3


async def test_a_layout_can_be_edited_as_it_was_received(raw: Raw) -> None:
    message = await post(raw, layout(gallery(media()), **BOARD), PICTURE)
    _, received = await raw.call("GET", path(message))
    again = [
        {"type": 12, "items": [{"media": {"url": part["items"][0]["media"]["url"]}}]}
        for part in received["components"]
    ]
    await raw.call("PATCH", path(message), layout(*again, text("below")))
    # The address in it has expired, but the message still shows its own file.
    raw.clock.advance(86_401)
    raw.discord.state.sign(message.attachments[0], message.channel)
    _, shown = await raw.call("GET", path(message))
    assert shown["components"][0]["items"][0]["media"]["url"] == message.attachments[0].url


async def test_a_layout_keeps_the_files_to_which_it_refers(raw: Raw) -> None:
    message = await post(raw, layout(gallery(media()), **BOARD), PICTURE)
    assert await errors(raw, message, {"attachments": []}) == [
        (
            "components.0.items.0.media.url",
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        )
    ]
    assert message.files == {"board.png": PICTURE["files[0]"]}
    body = layout(text("gone"), attachments=[])
    assert (await raw.call("PATCH", path(message), body))[0] == 200
    assert message.files == {} and message.text == "gone"


async def test_a_layout_stays_one(raw: Raw) -> None:
    message = await post(raw, layout(text("Hi")))
    assert await errors(raw, message, {"flags": 0}) == [
        ("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG")
    ]
    for body in ({"content": "x"}, {"embeds": [{"title": "x"}]}):
        ((_, code),) = await errors(raw, message, body)
        assert code == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    assert await raw.refused("PATCH", path(message), {"components": []}) == (400, 50006)
    assert message.text == "Hi"
    # Without the flag, the components of an edit are still those of a layout.
    assert (await raw.call("PATCH", path(message), {"components": [text("Ho")]}))[0] == 200
    assert message.text == "Ho" and message.is_layout


async def test_an_edit_turns_a_plain_message_into_a_layout_if_it_clears_it(raw: Raw) -> None:
    message = await post(raw, {"content": "plain", "embeds": [{"title": "t"}]})
    assert [where for where, _ in await errors(raw, message, layout(text()))] == [
        "content",
        "embeds",
    ]
    assert [where for where, _ in await errors(raw, message, layout(text(), content=None))] == [
        "embeds"
    ]
    assert not message.is_layout and message.content == "plain"
    cleared = layout(text("Hi"), content=None, embeds=[])
    status, answer = await raw.call("PATCH", path(message), cleared)
    assert status == 200 and answer["flags"] == COMPONENTS_V2
    assert (answer["content"], message.embeds, message.text) == ("", [], "Hi")


async def test_mentions_in_a_layout_ping_with_an_empty_notification(raw: Raw) -> None:
    ana, bob = raw.discord.user("Ana"), raw.discord.user("Bob")
    words = f"{ana.mention} and {bob.mention}: `{bob.mention}`"
    allowed = {"parse": [], "users": [str(ana.id)]}
    body = layout(container(section(text(words))), allowed_mentions=allowed)
    message = await post(raw, body)
    assert message.mentions == message.pings == [ana.user]
    assert (ana.pings(), bob.pings()) == ([message], [])
    assert message.notification == "" and words in message.text
    plain = await post(raw, {"content": words})
    assert plain.notification == words
    await raw.call("PATCH", path(message), layout(text(f"now {bob.mention}")))
    assert message.mentions == [bob.user] and message.pings == [ana.user]


async def test_a_layout_reads_like_a_plain_message(raw: Raw) -> None:
    parts = [
        container(section(text("Where to?"), accessory=button("undo", label="Undo"))),
        gallery(media(description="a small board")),
        row(button("go", label="Go")),
        row(menu(placeholder="Pick a spot")),
    ]
    message = await post(raw, layout(*parts, text("Your turn."), **BOARD), PICTURE)
    assert message.content == "Where to?\nYour turn."
    assert "a small board" in message.text and message.text.count("Your turn.") == 1
    assert message.labels == ["Undo", "Go"]
    assert message.button("Undo") is message.button(custom_id="undo")
    assert message.options("Pick a spot") == {"Option 0": "o0", "Option 1": "o1"}
    assert [one["type"] for one in message.controls] == [2, 2, 3]
    with pytest.raises(LookupError, match=r"'Go' \(go\)"):
        message.button("Stop")
    ana = raw.discord.user("Ana")
    pressed = await ana.click(message, "Undo", wait="nothing")
    assert pressed.interaction.data == {"custom_id": "undo", "component_type": 2, "id": 4}
    chosen = await ana.choose(message, "Pick a spot", "Option 1", wait="nothing")
    assert chosen.interaction.data["values"] == ["o1"]
    (shown,) = ana.visible_snapshots()
    assert {"a small board", "Where to?"} <= set(shown.text.split("\n"))


async def interaction(raw: Raw) -> Any:
    await raw.register({"name": "ask", "description": "d"})
    return await raw.discord.user("Ana").slash("/ask", wait="nothing")


async def test_responses_and_follow_ups_can_be_layouts(raw: Raw) -> None:
    asked = await interaction(raw)
    body = layout(section(text("Hi"), accessory=button("go")))
    body["flags"] |= EPHEMERAL
    status, answer = await raw.answer(asked, 4, body)
    assert status == 200
    assert answer["resource"]["message"]["flags"] == COMPONENTS_V2 | EPHEMERAL
    await raw.call("POST", raw.webhook(asked), layout(text("more")))
    assert asked.text == "Hi\nPress\nmore"
    pressed = await raw.discord.user("Ana").click(asked.message, custom_id="go", wait="nothing")
    assert (await raw.answer(pressed, 7, layout(text("done"))))[0] == 200
    assert asked.message.text == "done" and asked.message.ephemeral


async def test_a_deferral_cannot_announce_a_layout_but_becomes_one(raw: Raw) -> None:
    asked = await interaction(raw)
    status, answer = await raw.answer(asked, 5, {"flags": COMPONENTS_V2})
    assert status == 400 and list(answer["errors"]["data"]) == ["flags"]
    await raw.answer(asked, 5, {"flags": EPHEMERAL})
    assert asked.message.flags == LOADING | EPHEMERAL
    body = layout(gallery(media()), **BOARD)
    status, _ = await raw.call("PATCH", raw.webhook(asked, "@original"), body, PICTURE)
    assert status == 200 and asked.message.flags == COMPONENTS_V2 | EPHEMERAL
    pressed = await raw.discord.user("Ana").click(
        await post(raw, layout(row(button()))), "Press", wait="nothing"
    )
    status, answer = await raw.answer(pressed, 6, {"flags": COMPONENTS_V2})
    assert status == 400 and list(answer["errors"]["data"]) == ["flags"]


@pytest.mark.parametrize("denied", ["send_messages", "attach_files"])
async def test_a_layout_needs_the_permissions_of_any_message(raw: Raw, denied: str) -> None:
    raw.discord.deny(raw.discord.channel(), denied)
    where = f"/channels/{raw.discord.channel().id}/messages"
    body = layout(gallery(media()), **BOARD)
    assert await raw.refused("POST", where, body, PICTURE) == (403, 50013)
