"""Every limit of a layout, and of menus of people and channels: just reached, and exceeded."""

import copy
from typing import Any

import pytest

from bot.local.errors import Refusal
from bot.local.message_limits import check_message
from tests.bot.local.parts import (
    Json,
    button,
    complaints_of,
    container,
    entity_menu,
    file,
    gallery,
    layout,
    media,
    menu,
    row,
    section,
    text,
    uploads,
)


def link(**more: Any) -> Json:
    return {"type": 2, "style": 5, "label": "Read", "url": "https://example.org", **more}


def thumbnail(**more: Any) -> Json:
    return {"type": 11, **media(**more)}


def separator(**more: Any) -> Json:
    return {"type": 14, **more}


def with_file(*parts: Json) -> Json:
    return layout(*parts, attachments=[{"id": 0, "filename": "board.png"}])


def chosen(*values: Json, **more: Any) -> Json:
    return layout(row(entity_menu(default_values=list(values), **more)))


ANA = {"id": "1", "type": "user"}
ROW = "components.0.components.0"

LIMITS: list[tuple[str, Json, Json, str]] = [
    ("components", layout(*[text()] * 40), layout(*[text()] * 41), "components"),
    (
        "nested components",
        layout(container(row(button()), *[text()] * 37)),
        layout(container(row(button()), *[text()] * 38)),
        "components",
    ),
    (
        "accessories",
        layout(section(text()), *[text()] * 37),
        layout(section(text()), *[text()] * 38),
        "components",
    ),
    (
        "text",
        layout(text("x" * 2000), section(text("x" * 2000))),
        layout(text("x" * 2000), section(text("x" * 2001))),
        "components",
    ),
    ("a text", layout(text("x" * 4000)), layout(text("x" * 4001)), "components.0.content"),
    ("no text", layout(text("x")), layout(text("")), "components.0.content"),
    ("blank text", layout(text("x")), layout(text(" \n")), "components.0.content"),
    ("content", layout(text(), content=None), layout(text(), content="x"), "content"),
    ("embeds", layout(text(), embeds=[]), layout(text(), embeds=[{"title": "x"}]), "embeds"),
    ("poll", layout(text()), layout(text(), poll={}), "poll"),
    ("stickers", layout(text()), layout(text(), sticker_ids=["1"]), "sticker_ids"),
    ("section", layout(section(*[text()] * 3)), layout(section(*[text()] * 4)), f"{ROW[:-2]}"),
    ("empty section", layout(section(text())), layout(section()), f"{ROW[:-2]}"),
    ("section of texts", layout(section(text())), layout(section(button("x"))), f"{ROW}.type"),
    (
        "no accessory",
        layout(section(text())),
        layout({"type": 9, "components": [text()]}),
        "components.0.accessory",
    ),
    (
        "accessory",
        with_file(section(text(), accessory=thumbnail())),
        with_file(section(text(), accessory=text())),
        "components.0.accessory.type",
    ),
    (
        "thumbnail's alt text",
        with_file(section(text(), accessory=thumbnail(description="x" * 1024))),
        with_file(section(text(), accessory=thumbnail(description="x" * 1025))),
        "components.0.accessory.description",
    ),
    (
        "gallery",
        with_file(gallery(*[media()] * 10)),
        with_file(gallery(*[media()] * 11)),
        "components.0.items",
    ),
    ("empty gallery", with_file(gallery(media())), with_file(gallery()), "components.0.items"),
    (
        "alt text",
        with_file(gallery(media(description="x" * 1024))),
        with_file(gallery(media(description="x" * 1025))),
        "components.0.items.0.description",
    ),
    (
        "file of a gallery",
        with_file(gallery(media())),
        with_file(gallery(media("attachment://other.png"))),
        "components.0.items.0.media.url",
    ),
    (
        "length of a media address",
        with_file(gallery(media("https://example.org/" + "x" * 2028))),
        with_file(gallery(media("https://example.org/" + "x" * 2029))),
        "components.0.items.0.media.url",
    ),
    (
        "address of media",
        with_file(gallery(media("https://example.org/a.png"))),
        with_file(gallery(media("ftp://example.org/a.png"))),
        "components.0.items.0.media.url",
    ),
    (
        "own files only",
        with_file(file()),
        with_file(file("https://example.org/a.png")),
        "components.0.file.url",
    ),
    (
        "file of a file",
        with_file(file()),
        with_file(file("attachment://other.png")),
        "components.0.file.url",
    ),
    (
        "media object",
        with_file(gallery(media())),
        with_file(gallery({"media": "attachment://board.png"})),
        "components.0.items.0.media",
    ),
    ("spacing", layout(separator(spacing=2)), layout(separator(spacing=3)), "components.0.spacing"),
    (
        "accent",
        layout(container(text(), accent_color=0xFFFFFF)),
        layout(container(text(), accent_color=0x1000000)),
        "components.0.accent_color",
    ),
    ("empty container", layout(container(text())), layout(container()), "components.0.components"),
    ("containers", layout(container(text())), layout(container(container(text()))), f"{ROW}.type"),
    ("buttons in rows", layout(row(button())), layout(button()), "components.0.type"),
    (
        "thumbnail by itself",
        with_file(section(text(), accessory=thumbnail())),
        with_file(thumbnail()),
        "components.0.type",
    ),
    (
        "custom ids",
        layout(section(text(), accessory=button("a")), container(row(button("b")))),
        layout(section(text(), accessory=button("a")), container(row(button("a")))),
        "components.1.components.0.components.0.custom_id",
    ),
    (
        "ids",
        layout(text(id=7), text(id=8), text(id=0), text(id=0)),
        layout(text(id=7), text(id=7)),
        "components.1.id",
    ),
    ("an id", layout(text(id=2**31 - 1)), layout(text(id=2**31)), "components.0.id"),
    ("layout parts", layout(text()), {"content": "x", "components": [text()]}, "components.0.type"),
    ("link", layout(row(link())), layout(row(link(custom_id="x"))), ROW),
    ("no link", layout(row(button())), layout(row(button(url="https://example.org"))), ROW),
    ("link's address", layout(row(link())), layout(row(link(url="javascript:x"))), f"{ROW}.url"),
    (
        "length of an address",
        layout(row(link(url="https://" + "x" * 504))),
        layout(row(link(url="https://" + "x" * 505))),
        f"{ROW}.url",
    ),
    (
        "default values",
        chosen(ANA, ANA, max_values=2),
        chosen(ANA, ANA, max_values=1),
        f"{ROW}.default_values",
    ),
    (
        "too few default values",
        chosen(ANA, ANA, min_values=2, max_values=2),
        chosen(ANA, min_values=2, max_values=2),
        f"{ROW}.default_values",
    ),
    (
        "type of a default value",
        chosen(ANA),
        chosen({"id": "1", "type": "channel"}),
        f"{ROW}.default_values.0.type",
    ),
    (
        "id of a default value",
        chosen({"id": 1, "type": "user"}),
        chosen({"id": "Ana", "type": "user"}),
        f"{ROW}.default_values.0.id",
    ),
    (
        "channel types",
        layout(row(entity_menu(8, channel_types=[0]))),
        layout(row(entity_menu(8, channel_types=[99]))),
        f"{ROW}.channel_types.0",
    ),
    (
        "channel types of people",
        layout(row(entity_menu(8, channel_types=[0]))),
        layout(row(entity_menu(5, channel_types=[0]))),
        f"{ROW}.channel_types",
    ),
    (
        "options of people",
        layout(row(entity_menu(5))),
        layout(row(entity_menu(5, options=menu()["options"]))),
        f"{ROW}.options",
    ),
    (
        "people chosen",
        layout(row(entity_menu(5, max_values=25))),
        layout(row(entity_menu(5, max_values=26))),
        f"{ROW}.max_values",
    ),
    (
        "menus in a row",
        layout(row(entity_menu(5))),
        layout(row(entity_menu(5), button())),
        "components.0.components",
    ),
]


@pytest.mark.parametrize(
    ("at", "over", "place"), [c[1:] for c in LIMITS], ids=[c[0] for c in LIMITS]
)
def test_a_layout_may_reach_but_not_exceed_each_limit(at: Json, over: Json, place: str) -> None:
    def files_of(body: Json) -> Any:
        return uploads("board.png") if "attachments" in body else None

    before = copy.deepcopy(over)
    check_message(at, files_of(at))
    found = complaints_of(lambda: check_message(over, files_of(over)))
    assert [where for where, _ in found] == [place]
    assert over == before


def test_discords_own_codes_tell_layout_errors_apart() -> None:
    many = layout(*[text("x" * 200)] * 41, content="x")
    assert complaints_of(lambda: check_message(many)) == [
        ("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
        ("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
        ("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    ]


@pytest.mark.parametrize("kind", [5, 6, 7, 8])
def test_menus_of_people_roles_and_channels_also_go_below_plain_messages(kind: int) -> None:
    check_message({"content": "x", "components": [row(entity_menu(kind))]})


def test_a_layout_needs_components() -> None:
    with pytest.raises(Refusal) as caught:
        check_message(
            layout(attachments=[{"id": 0, "filename": "board.png"}]), uploads("board.png")
        )
    assert (caught.value.status, caught.value.code) == (400, 50006)
