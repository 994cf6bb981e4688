"""Forms (modals): opened by the bot, filled in by a person, submitted as an interaction."""

from typing import Any

import pytest

from bot.local import Impossible, Response
from bot.local.model import EPHEMERAL, Upload
from bot.local.posting import MAX_CLIENT_FILES
from tests.bot.local.parts import (
    Json,
    boxes,
    button,
    checkbox,
    entity_menu,
    form,
    label,
    option,
    radios,
    row,
    text,
    text_input,
    upload,
)
from tests.bot.local.raw import Raw

EVERYTHING = [
    label(text_input(style=2, min_length=3, max_length=9), "Note", description="Be short."),
    label(radios(required=False), "Colour"),
    label(boxes(3, min_values=2), "Days"),
    label(checkbox(default=True), "Silent"),
    label(upload(required=False, max_values=2), "Map"),
]
GIVEN = {"Note": "hello", "Days": ["Option 0", "o2"]}


async def command(raw: Raw) -> Response:
    await raw.register({"name": "ask", "description": "d"})
    return await raw.discord.user("Ana").slash("/ask", wait="nothing")


async def pressed(raw: Raw, flags: int = 0) -> Response:
    shown = await command(raw)
    panel = {"content": "panel", "components": [row(button())], "flags": flags}
    await raw.answer(shown, 4, panel)
    return await raw.discord.user("Ana").click(shown, label="Press", wait="nothing")


async def opened(raw: Raw, *parts: Json) -> Response:
    response = await command(raw)
    status, answer = await raw.answer(response, 9, form(*(parts or EVERYTHING)))
    assert (status, answer["resource"]) == (200, {"type": 9})
    return response


async def submitted(raw: Raw, response: Response, given: Json | None = None) -> Response:
    return await raw.discord.user("Ana").submit(response, given, wait="nothing")


# Opening


async def test_a_form_is_the_first_and_only_response(raw: Raw) -> None:
    response = await opened(raw)
    assert response.acknowledged and not response.messages
    body = {"type": 9, "data": form(*EVERYTHING)}
    assert await raw.refused("POST", raw.callback(response), body) == (400, 40060)
    deferred = await command(raw)
    await raw.answer(deferred, 5)
    assert await raw.refused("POST", raw.callback(deferred), body) == (400, 40060)
    assert await raw.refused("GET", raw.webhook(response, "@original")) == (404, 10008)
    status, _ = await raw.call("POST", raw.webhook(response), {"content": "beside it"})
    assert status == 200 and response.text == "beside it"


async def test_a_refused_form_names_its_errors_and_can_be_sent_again(raw: Raw) -> None:
    response = await command(raw)
    status, answer = await raw.answer(response, 9, form(title="x" * 46))
    assert (status, answer["code"]) == (400, 50035)
    assert list(answer["errors"]["data"]) == ["title", "components"]
    with pytest.raises(LookupError):
        response.form  # noqa: B018
    assert (await raw.answer(response, 9, form(*EVERYTHING)))[0] == 200


async def test_a_form_must_be_opened_within_three_seconds(raw: Raw) -> None:
    response = await command(raw)
    raw.clock.advance(3)
    body = {"type": 9, "data": form(*EVERYTHING)}
    assert await raw.refused("POST", raw.callback(response), body) == (404, 10062)


async def test_a_person_reads_the_form(raw: Raw) -> None:
    field = text_input(value="so far", placeholder="What to remember")
    chosen = boxes() | {"options": [option(0), option(1, default=True)]}
    parts = [label(field, "Note"), text("Only you see it."), label(chosen, "Days", description="d")]
    response = await opened(raw, *parts, row(text_input("old", label="Old")))
    found = response.form
    assert (found.title, found.custom_id) == ("A form", "f")
    assert found.labels == ["Note", "Days", "Old"]
    assert found.values == {"Note": "so far", "Days": ["o1"], "Old": ""}
    assert found.text.split("\n") == [
        "A form",
        "Only you see it.",
        "Note",
        "What to remember",
        "Days",
        "d",
        "Old",
    ]
    assert found.field("Days") == found.field("g") and found.field("old").label == "Old"
    (shown,) = raw.discord.user("Ana").visible_snapshots()
    assert "Only you see it." in shown.text
    assert raw.discord.user("Bob").visible_snapshots() == []


# Submitting


async def test_the_submission_has_the_values_of_all_fields(raw: Raw) -> None:
    response = await opened(raw, text(), *EVERYTHING[:4])
    sent = await submitted(raw, response, GIVEN)
    assert (sent.interaction.kind, sent.interaction.message) == (5, None)
    assert sent.interaction.data == {
        "custom_id": "f",
        "components": [
            {"type": 10, "id": 1},
            _answer(2, type=4, custom_id="t", value="hello"),
            _answer(4, type=21, custom_id="r", value=None),
            _answer(6, type=22, custom_id="g", values=["o0", "o2"]),
            _answer(8, type=23, custom_id="c", value=True),
        ],
    }


def _answer(number: int, **field: Any) -> Json:
    return {"type": 18, "id": number, "component": {"id": number + 1, **field}}


async def test_uploaded_files_are_resolved(raw: Raw) -> None:
    response = await opened(raw, *EVERYTHING[3:])
    files = [Upload("a.txt", b"one"), Upload("b.txt", b"two")]
    sent = await submitted(raw, response, {"Map": files})
    data = sent.interaction.data
    ids = data["components"][1]["component"]["values"]
    resolved = data["resolved"]["attachments"]
    assert [resolved[one]["filename"] for one in ids] == ["a.txt", "b.txt"]
    async with raw.session.get(resolved[ids[1]]["url"]) as fetched:
        assert await fetched.read() == b"two"
    for _ in range(MAX_CLIENT_FILES):
        await submitted(raw, response, {"Map": Upload("c.txt", b"")})
    assert len(raw.discord.state.attachments) == MAX_CLIENT_FILES


async def test_people_roles_and_channels_are_resolved(raw: Raw) -> None:
    bob, general = raw.discord.user("Bob"), raw.discord.channel()
    role = raw.discord.state.add_role("Referee")
    raw.discord.deny(general, "attach_files")
    raw.discord.deny(raw.discord.add_channel("secret"), "view_channel", to=raw.discord.user("Ana"))
    response = await opened(
        raw,
        label(entity_menu(5, custom_id="a", max_values=2), "Who"),
        label(entity_menu(6, custom_id="b"), "Role"),
        label(entity_menu(7, custom_id="c", required=False), "Either"),
        label(entity_menu(8, custom_id="d", channel_types=[0]), "Where"),
    )
    given = {"Who": [bob, "Motu"], "Role": "Referee", "Where": general}
    data = (await submitted(raw, response, given)).interaction.data
    bot = str(raw.discord.state.bot.id)
    values = [part["component"]["values"] for part in data["components"]]
    assert values == [[str(bob.id), bot], [str(role)], [], [str(general.id)]]
    resolved = data["resolved"]
    assert resolved["users"][str(bob.id)]["global_name"] == "Bob"
    assert "user" not in resolved["members"][str(bob.id)]
    assert resolved["roles"][str(role)]["name"] == "Referee"
    where = resolved["channels"][str(general.id)]
    assert int(where["permissions"]) & ~int(where["app_permissions"]) == 1 << 15, (
        "the bot may not attach files there"
    )
    with pytest.raises(Impossible, match="not_listed"):
        await submitted(raw, response, {**given, "Where": "secret"})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"Note": ""}, "field_missing"),
        ({"Note": " \n"}, "field_missing"),
        ({"Note": "xx"}, "field_length"),
        ({"Note": "x" * 10}, "field_length"),
        ({"Note": 5}, "wrong_value"),
        ({"Colour": ["o0", "o1"]}, "number_chosen"),
        ({"Colour": "red"}, "not_listed"),
        ({"Days": []}, "field_missing"),
        ({"Days": ["o0"]}, "number_chosen"),
        ({"Days": ["o0", "o0"]}, "not_listed"),
        ({"Silent": "yes"}, "wrong_value"),
        ({"Map": [Upload("a", b"")] * 3}, "number_chosen"),
        ({"Map": "a.txt"}, "wrong_value"),
        ({"Map": Upload("a", b"x" * (10 * 1024 * 1024 + 1))}, "file_too_large"),
        ({"Remark": "x"}, "no_field"),
    ],
)
async def test_the_client_refuses_what_the_form_does_not_allow(
    raw: Raw, given: Json, why: str
) -> None:
    response = await opened(raw)
    with pytest.raises(Impossible) as refused:
        await submitted(raw, response, {**GIVEN, **given})
    assert refused.value.why == why
    assert not raw.discord.state.attachments
    assert (await submitted(raw, response, GIVEN)).interaction.kind == 5


async def test_a_text_input_of_one_line_has_no_line_breaks(raw: Raw) -> None:
    response = await opened(raw, label(text_input(required=False, min_length=3), "Name"))
    with pytest.raises(Impossible, match="one_line"):
        await submitted(raw, response, {"Name": "one\ntwo"})
    sent = await submitted(raw, response)
    assert sent.interaction.data["components"][0]["component"]["value"] == "", (
        "what is not required may stay empty, whatever its least length"
    )


async def test_only_the_person_who_got_the_form_can_submit_it(raw: Raw) -> None:
    response = await opened(raw)
    with pytest.raises(Impossible, match="no_form"):
        await raw.discord.user("Bob").submit(response, GIVEN)


# Answering


async def test_a_submission_is_answered_like_a_command(raw: Raw) -> None:
    sent = await submitted(raw, await opened(raw), GIVEN)
    for kind in (1, 6, 7, 8, 9):
        status, answer = await raw.answer(sent, kind, form(text()) if kind == 9 else None)
        assert (status, list(answer["errors"])) == (400, ["type"])
    assert (await raw.answer(sent, 4, {"content": "saved", "flags": EPHEMERAL}))[0] == 200
    assert sent.ephemeral and sent.text == "saved"
    meant = sent.message.interaction
    assert meant is not None and meant["type"] == 5
    assert meant["triggering_interaction_metadata"]["name"] == "ask"
    late = await submitted(raw, await opened(raw), GIVEN)
    raw.clock.advance(3)
    body = {"type": 4, "data": {"content": "x"}}
    assert await raw.refused("POST", raw.callback(late), body) == (404, 10062)
    assert late.expired


@pytest.mark.parametrize("flags", [0, EPHEMERAL])
async def test_a_form_from_a_component_can_update_its_message(raw: Raw, flags: int) -> None:
    response = await pressed(raw, flags)
    await raw.answer(response, 9, form(*EVERYTHING))
    panel = response.interaction.message
    sent = await submitted(raw, response, GIVEN)
    assert sent.interaction.message is panel
    status, answer = await raw.answer(sent, 7, {"content": "changed"})
    assert status == 200 and answer["interaction"]["type"] == 5
    assert sent.message is panel and sent.content == "changed"
    again = await submitted(raw, response, GIVEN)
    await raw.answer(again, 6)
    assert again.thinking
    await raw.call("PATCH", raw.webhook(again, "@original"), {"content": "again"})
    assert panel is not None and panel.content == "again"
    more = await submitted(raw, response, GIVEN)
    assert (await raw.answer(more, 4, {"content": "new"}))[0] == 200
    assert more.message is not panel
