"""The life of an interaction, with a clock that the test moves."""

from typing import Any

import pytest

from bot.local import Response
from bot.local.model import EPHEMERAL
from tests.bot.local.parts import form, text
from tests.bot.local.raw import Raw

BUTTON = {
    "type": 1,
    "components": [{"type": 2, "style": 1, "label": "Press", "custom_id": "press"}],
}
COMMAND = {
    "name": "play",
    "description": "d",
    "options": [
        {"type": 3, "name": "move", "description": "d", "autocomplete": True},
    ],
}


@pytest.fixture(autouse=True)
async def registered(raw: Raw) -> None:
    await raw.register(COMMAND)


async def command(raw: Raw) -> Response:
    return await raw.discord.user("Ana").slash("/play", wait="nothing")


async def component(raw: Raw, flags: int = 0) -> Response:
    shown = await command(raw)
    await raw.answer(shown, 4, {"content": "panel", "components": [BUTTON], "flags": flags})
    return await raw.discord.user("Ana").click(shown, label="Press", wait="nothing")


async def autocompletion(raw: Raw) -> Response:
    ana = raw.discord.user("Ana")
    found = raw.discord.interactions.create(
        4,
        ana.user,
        raw.discord.channel(),
        {
            "id": "1",
            "name": "play",
            "type": 1,
            "options": [{"type": 3, "name": "move", "value": "", "focused": True}],
        },
    )
    return Response(raw.discord, found)


async def submission(raw: Raw) -> Response:
    opened = await command(raw)
    await raw.answer(opened, 9, FORM)
    return await raw.discord.user("Ana").submit(opened, wait="nothing")


async def submission_of_component(raw: Raw) -> Response:
    opened = await component(raw)
    await raw.answer(opened, 9, FORM)
    return await raw.discord.user("Ana").submit(opened, wait="nothing")


FORM = form(text())
KINDS = {
    "command": (command, {4, 5, 9}),
    "component": (component, {4, 5, 6, 7, 9}),
    "autocompletion": (autocompletion, {8}),
    "submission": (submission, {4, 5}),
    "submission of a component's form": (submission_of_component, {4, 5, 6, 7}),
}
DATA: dict[int, Any] = {4: {"content": "x"}, 7: {"content": "x"}, 8: {"choices": []}, 9: FORM}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", range(1, 13))
async def test_each_kind_of_interaction_accepts_its_kinds_of_answer(
    raw: Raw, kind: str, answer: int
) -> None:
    make, allowed = KINDS[kind]
    response = await make(raw)
    status, body = await raw.answer(response, answer, DATA.get(answer))
    if answer in allowed:
        assert status == 200, body
        assert body["interaction"]["id"] == str(response.interaction.id)
        assert body["resource"]["type"] == answer
    else:
        assert status == 400
        assert body["code"] == 50035
        assert list(body["errors"]) == ["type"]
        assert not response.acknowledged


async def test_an_answer_must_come_within_three_seconds(raw: Raw) -> None:
    in_time, late = await command(raw), await command(raw)
    raw.clock.advance(2.99)
    assert (await raw.answer(in_time, 4, {"content": "x"}))[0] == 200
    raw.clock.advance(0.01)
    assert await raw.refused("POST", raw.callback(late), {"type": 4, "data": {"content": "x"}}) == (
        404,
        10062,
    )
    assert late.expired and not in_time.expired


async def test_an_expired_interaction_is_forgotten(raw: Raw) -> None:
    answered, late = await command(raw), await command(raw)
    await raw.answer(answered, 4, {"content": "x"})
    raw.clock.advance(15 * 60)
    assert raw.discord.interactions.by_token == {} and late.expired


async def test_a_foreign_token_is_unknown(raw: Raw) -> None:
    response = await command(raw)
    path = f"/interactions/{response.interaction.id}/wrong/callback"
    assert await raw.refused("POST", path, "no object, and not even read") == (404, 10062)
    assert await raw.refused("POST", path, {"type": 4, "data": {"content": "x"}}) == (404, 10062)
    path = f"/interactions/1/{response.interaction.token}/callback"
    assert await raw.refused("POST", path, {"type": 4, "data": {"content": "x"}}) == (404, 10062)


async def test_only_one_answer_is_accepted(raw: Raw) -> None:
    response = await command(raw)
    await raw.answer(response, 4, {"content": "first"})
    assert await raw.refused(
        "POST", raw.callback(response), {"type": 4, "data": {"content": "x"}}
    ) == (400, 40060)
    assert response.content == "first"


async def test_a_refused_answer_can_be_made_again(raw: Raw) -> None:
    response = await command(raw)
    status, body = await raw.answer(response, 4, {"content": "x" * 2001})
    assert status == 400 and list(body["errors"]["data"]) == ["content"]
    assert (await raw.answer(response, 4, {"content": "x"}))[0] == 200


@pytest.mark.parametrize(("method", "message"), [("POST", ""), ("PATCH", "@original")])
async def test_a_follow_up_before_the_answer_is_refused(
    raw: Raw, method: str, message: str
) -> None:
    response = await command(raw)
    assert await raw.refused(method, raw.webhook(response, message), {"content": "x"}) == (
        404,
        10015,
    )


@pytest.mark.parametrize(("method", "message"), [("POST", ""), ("PATCH", "@original")])
async def test_the_token_expires_after_fifteen_minutes(raw: Raw, method: str, message: str) -> None:
    response = await command(raw)
    await raw.answer(response, 4, {"content": "x"})
    raw.clock.advance(15 * 60 - 1)
    assert (await raw.call("PATCH", raw.webhook(response, "@original"), {"content": "still"}))[
        0
    ] == 200
    raw.clock.advance(1)
    assert await raw.refused(method, raw.webhook(response, message), {"content": "x"}) == (
        401,
        50027,
    )
    assert response.content == "still"


@pytest.mark.parametrize(("first", "then"), [(EPHEMERAL, 0), (0, EPHEMERAL)])
async def test_ephemeral_is_fixed_by_the_deferral(raw: Raw, first: int, then: int) -> None:
    response = await command(raw)
    _, body = await raw.answer(response, 5, {"flags": first})
    assert body["interaction"]["response_message_loading"] is True
    status, message = await raw.call("POST", raw.webhook(response), {"content": "x", "flags": then})
    assert status == 200 and message["id"] == str(response.message.id)
    assert response.message.ephemeral == bool(first)
    assert bool(message["flags"] & EPHEMERAL) == bool(first)
    assert not message["flags"] & 1 << 7
    assert (response.message in raw.discord.user("Bob").messages()) == (not first)


async def test_an_edit_does_not_make_a_message_private(raw: Raw) -> None:
    response = await command(raw)
    await raw.answer(response, 4, {"content": "x"})
    await raw.call(
        "PATCH", raw.webhook(response, "@original"), {"content": "y", "flags": EPHEMERAL}
    )
    assert response.content == "y" and not response.message.ephemeral


async def test_later_follow_ups_choose_their_own_visibility(raw: Raw) -> None:
    response = await command(raw)
    await raw.answer(response, 4, {"content": "x"})
    for flags in (0, EPHEMERAL):
        await raw.call("POST", raw.webhook(response), {"content": "more", "flags": flags})
    assert [m.ephemeral for m in response.messages] == [False, False, True]


async def test_an_update_keeps_an_ephemeral_message_private(raw: Raw) -> None:
    response = await component(raw, EPHEMERAL)
    await raw.answer(response, 7, {"content": "changed"})
    assert response.ephemeral and response.message.ephemeral and response.content == "changed"
    assert response.message not in raw.discord.user("Bob").messages()


async def test_an_update_may_take_the_buttons_off_and_leave_the_rest(raw: Raw) -> None:
    response = await component(raw)
    assert (await raw.answer(response, 7, {"components": []}))[0] == 200
    assert (response.content, response.components) == ("panel", [])


async def test_a_deferred_update_edits_the_message_it_came_from(raw: Raw) -> None:
    response = await component(raw)
    await raw.answer(response, 6)
    assert response.thinking
    await raw.call(
        "PATCH", raw.webhook(response, "@original"), {"content": "changed", "components": []}
    )
    assert not response.thinking
    assert response.message is response.interaction.message and response.message.buttons == []


@pytest.mark.parametrize("is_direct", [True, False])
async def test_an_edit_without_the_token_answers_a_press_in_a_direct_message(
    raw: Raw, is_direct: bool
) -> None:
    ana = raw.discord.user("Ana")
    channel = raw.discord.dm(ana) if is_direct else raw.discord.channel()
    _, shown = await raw.call(
        "POST", f"/channels/{channel.id}/messages", {"content": "panel", "components": [BUTTON]}
    )
    (message,) = [one for one in raw.discord.messages(channel) if str(one.id) == shown["id"]]
    response = await ana.click(message, label="Press", wait="nothing")
    await raw.answer(response, 6)
    path = f"/channels/{channel.id}/messages/{message.id}"
    await raw.call("PATCH", path, {"content": "changed"})
    # In a server the edit may be due to somebody else's press.
    assert response.thinking is not is_direct
    assert response.content == "changed"


async def test_a_deferred_response_can_be_deleted(raw: Raw) -> None:
    response = await command(raw)
    await raw.answer(response, 5, {"flags": EPHEMERAL})
    path = raw.webhook(response, "@original")
    assert await raw.call("DELETE", path) == (204, None)
    assert not response.thinking and response.messages == []
    assert await raw.refused("DELETE", path) == (404, 10008)


async def test_a_deferral_can_be_ephemeral_and_nothing_else(raw: Raw) -> None:
    response = await command(raw)
    status, body = await raw.answer(response, 5, {"flags": 1 << 12})
    assert (status, body["code"]) == (400, 50035)
    assert "flags" in body["errors"]["data"]
    assert (await raw.answer(response, 5, {"flags": EPHEMERAL}))[0] == 200


async def test_ephemeral_messages_are_not_found_in_the_channel(raw: Raw) -> None:
    response = await command(raw)
    await raw.answer(response, 4, {"content": "x", "flags": EPHEMERAL})
    path = f"/channels/{raw.discord.channel().id}/messages"
    assert await raw.call("GET", path) == (200, [])
    assert await raw.refused("PATCH", f"{path}/{response.message.id}", {"content": "y"}) == (
        404,
        10008,
    )


@pytest.mark.parametrize(("count", "status"), [(25, 200), (26, 400)])
async def test_twenty_five_choices_may_be_offered(raw: Raw, count: int, status: int) -> None:
    response = await autocompletion(raw)
    choices = [{"name": f"c{n}", "value": f"v{n}"} for n in range(count)]
    found, body = await raw.answer(response, 8, {"choices": choices})
    assert found == status
    assert len(response.choices) == 25 if status == 200 else "choices" in body["errors"]["data"]


@pytest.mark.parametrize(
    ("name", "value"), [("x" * 101, "v"), ("n", "x" * 101), ("n", 3), ("", "v")]
)
async def test_choices_have_limits_of_their_own(raw: Raw, name: str, value: Any) -> None:
    response = await autocompletion(raw)
    status, body = await raw.answer(response, 8, {"choices": [{"name": name, "value": value}]})
    assert status == 400 and list(body["errors"]["data"]["choices"]) == ["0"]


async def test_the_callback_returns_nothing_unless_asked(raw: Raw) -> None:
    response = await command(raw)
    path = raw.callback(response).removesuffix("?with_response=1")
    assert await raw.call("POST", path, {"type": 4, "data": {"content": "x"}}) == (204, None)


async def test_an_answer_in_a_deleted_channel_is_refused(raw: Raw) -> None:
    first, second = await command(raw), await command(raw)
    await raw.answer(first, 4, {"content": "x"})
    raw.discord.delete_channel(raw.discord.channel())
    assert await raw.refused(
        "POST", raw.callback(second), {"type": 4, "data": {"content": "x"}}
    ) == (404, 10003)
    assert await raw.refused("POST", raw.webhook(first), {"content": "x"}) == (404, 10003)


async def test_an_answer_may_carry_files(raw: Raw) -> None:
    response = await command(raw)
    body = {
        "type": 4,
        "data": {"attachments": [{"id": 0, "filename": "a.txt", "description": "alt"}]},
    }
    status, _ = await raw.call("POST", raw.callback(response), body, {"files[0]": b"hello"})
    assert status == 200 and response.files == {"a.txt": b"hello"}
    body = {"attachments": [{"id": 0, "filename": "b.txt"}]}
    await raw.call("PATCH", raw.webhook(response, "@original"), body, {"files[0]": b"there"})
    assert response.files == {"b.txt": b"there"}, "a list of attachments replaces those there were"
