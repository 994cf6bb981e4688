"""Every limit of a message: at the limit it passes, one above it is refused."""

import copy
from typing import Any

import pytest

from bot.local.errors import Refusal
from bot.local.message_limits import check_message
from tests.bot.local.parts import Json, button, complaints_of, menu, option, places, row


def rows(*parts: Json) -> Json:
    return {"content": "x", "components": [row(*parts)]}


def many_rows(count: int) -> Json:
    return {"content": "x", "components": [row(button(str(n))) for n in range(count)]}


def buttons(count: int) -> Json:
    return rows(*(button(str(n)) for n in range(count)))


def embed(**parts: Any) -> Json:
    return {"embeds": [parts]}


def fields(count: int) -> Json:
    return embed(fields=[{"name": "n", "value": "v"} for _ in range(count)])


LIMITS: list[tuple[str, Json, Json, str]] = [
    ("content", {"content": "x" * 2000}, {"content": "x" * 2001}, "content"),
    ("embeds", {"embeds": [{"title": "t"}] * 10}, {"embeds": [{"title": "t"}] * 11}, "embeds"),
    ("embed title", embed(title="x" * 256), embed(title="x" * 257), "embeds.0.title"),
    (
        "embed description",
        embed(description="x" * 4096),
        embed(description="x" * 4097),
        "embeds.0.description",
    ),
    ("embed fields", fields(25), fields(26), "embeds.0.fields"),
    (
        "field name",
        embed(fields=[{"name": "x" * 256, "value": "v"}]),
        embed(fields=[{"name": "x" * 257, "value": "v"}]),
        "embeds.0.fields.0.name",
    ),
    (
        "empty field name",
        embed(fields=[{"name": "x", "value": "v"}]),
        embed(fields=[{"name": "", "value": "v"}]),
        "embeds.0.fields.0.name",
    ),
    (
        "field value",
        embed(fields=[{"name": "n", "value": "x" * 1024}]),
        embed(fields=[{"name": "n", "value": "x" * 1025}]),
        "embeds.0.fields.0.value",
    ),
    (
        "footer",
        embed(footer={"text": "x" * 2048}),
        embed(footer={"text": "x" * 2049}),
        "embeds.0.footer.text",
    ),
    (
        "all embeds",
        {"embeds": [{"description": "x" * 3000}] * 2},
        {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3000, "title": "x"}]},
        "embeds",
    ),
    ("rows", many_rows(5), many_rows(6), "components"),
    ("buttons in a row", buttons(5), buttons(6), "components.0.components"),
    ("empty row", buttons(1), buttons(0), "components.0.components"),
    (
        "button label",
        rows(button(label="x" * 80)),
        rows(button(label="x" * 81)),
        "components.0.components.0.label",
    ),
    (
        "custom id",
        rows(button("x" * 100)),
        rows(button("x" * 101)),
        "components.0.components.0.custom_id",
    ),
    ("empty custom id", rows(button("x")), rows(button("")), "components.0.components.0.custom_id"),
    (
        "button style",
        rows(button(style=4)),
        rows(button(style=9)),
        "components.0.components.0.style",
    ),
    (
        "button without a word",
        rows(button(label="x")),
        rows(button(label="")),
        "components.0.components.0",
    ),
    (
        "blank label",
        rows(button(label="\u200b")),
        rows(button(label=" ")),
        "components.0.components.0",
    ),
    (
        "custom ids twice",
        rows(button("a"), button("b")),
        rows(button("a"), button("a")),
        "components.0.components.1.custom_id",
    ),
    ("menu alone in its row", rows(menu()), rows(menu(), button()), "components.0.components"),
    ("options", rows(menu(25)), rows(menu(26)), "components.0.components.0.options"),
    ("no options", rows(menu(1)), rows(menu(0)), "components.0.components.0.options"),
    (
        "placeholder",
        rows(menu(placeholder="x" * 150)),
        rows(menu(placeholder="x" * 151)),
        "components.0.components.0.placeholder",
    ),
    (
        "max values",
        rows(menu(2, max_values=2)),
        rows(menu(2, max_values=3)),
        "components.0.components.0.max_values",
    ),
    (
        "min over max",
        rows(menu(2, min_values=1)),
        rows(menu(2, min_values=2)),
        "components.0.components.0.min_values",
    ),
    *(
        (
            f"option {key}",
            rows(menu(options=1) | {"options": [option(**{key: "x" * 100})]}),
            rows(menu(options=1) | {"options": [option(**{key: "x" * 101})]}),
            f"components.0.components.0.options.0.{key}",
        )
        for key in ("label", "value", "description")
    ),
    (
        "option values twice",
        rows(menu() | {"options": [option(1), option(2)]}),
        rows(menu() | {"options": [option(1), option(1)]}),
        "components.0.components.0.options.1.value",
    ),
    (
        "defaults",
        rows(menu() | {"options": [option(1, default=True), option(2)]}),
        rows(menu() | {"options": [option(1, default=True), option(2, default=True)]}),
        "components.0.components.0.options",
    ),
    ("nonce", {"content": "x", "nonce": "1" * 25}, {"content": "x", "nonce": "1" * 26}, "nonce"),
    ("flags", {"content": "x", "flags": 1 << 6}, {"content": "x", "flags": 1 << 7}, "flags"),
    (
        "components in rows",
        rows(button()),
        {"content": "x", "components": [button()]},
        "components.0.type",
    ),
    ("unknown field", {"content": "x"}, {"content": "x", "colour": 1}, "colour"),
    ("unknown field of an embed", embed(title="x"), embed(title="x", colour=1), "embeds.0.colour"),
    (
        "unknown field of a button",
        rows(button()),
        rows(button(size=2)),
        "components.0.components.0.size",
    ),
    (
        "mentions",
        {"content": "x", "allowed_mentions": {"parse": ["users"]}},
        {"content": "x", "allowed_mentions": {"parse": ["people"]}},
        "allowed_mentions.parse.0",
    ),
    (
        "people that may be mentioned",
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(100)]}},
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
        "allowed_mentions.users",
    ),
    (
        "mentions said twice",
        {"content": "x", "allowed_mentions": {"parse": [], "users": ["1"]}},
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
]


@pytest.mark.parametrize(
    ("at", "over", "place"), [c[1:] for c in LIMITS], ids=[c[0] for c in LIMITS]
)
def test_a_message_may_reach_but_not_exceed_each_limit(at: Json, over: Json, place: str) -> None:
    before = copy.deepcopy(over)
    check_message(at)
    assert [found for found, _ in complaints_of(lambda: check_message(over))] == [place]
    assert over == before


def test_a_duplicate_custom_id_is_found_across_rows() -> None:
    body = {"content": "x", "components": [row(button("a")), row(menu() | {"custom_id": "a"})]}
    assert complaints_of(lambda: check_message(body)) == [
        ("components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED")
    ]


def test_all_errors_are_reported_at_once() -> None:
    body = {"content": "x" * 2001, "embeds": [{"title": "x" * 257}]}
    assert {place for place, _ in complaints_of(lambda: check_message(body))} == {
        "content",
        "embeds.0.title",
    }


@pytest.mark.parametrize(
    "body", [{}, {"content": ""}, {"content": " \n"}, {"content": None, "embeds": []}]
)
def test_an_empty_message_is_refused(body: Json) -> None:
    with pytest.raises(Refusal) as caught:
        check_message(body)
    assert (caught.value.status, caught.value.code) == (400, 50006)
    assert list(places(caught.value.errors or {})) == [("content", "BASE_TYPE_REQUIRED")]
