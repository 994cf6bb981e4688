"""The limits of files in messages."""

from typing import Any

import pytest

from bot.local.model import V2
from bot.local.rules.message import Uploads, check_message
from tests.bot.local.parts import Json, refused


def listed(*names: str, **more: Any) -> Json:
    return {"attachments": [{"id": n, "filename": name, **more} for n, name in enumerate(names)]}


def test_ten_files_may_be_sent_and_not_eleven() -> None:
    check_message(listed(*"abcdefghij"), uploads=Uploads(sent=range(10)))
    found = refused(lambda: check_message(listed(*"abcdefghijk"), uploads=Uploads(sent=range(11))))
    assert found == [("attachments", "BASE_TYPE_MAX_LENGTH")]


def test_alt_text_has_a_limit() -> None:
    check_message(listed("a", description="x" * 1024), uploads=Uploads(sent=[0]))
    found = refused(lambda: check_message(listed("a", description="x" * 1025), uploads=Uploads(sent=[0])))
    assert found == [("attachments.0.description", "BASE_TYPE_MAX_LENGTH")]


def test_a_file_needs_its_entry_and_an_entry_its_file() -> None:
    assert refused(lambda: check_message({"content": "x"}, uploads=Uploads(sent=[0])))[0][0] == "attachments.0"
    assert refused(lambda: check_message(listed("a"), uploads=Uploads(sent=[0, 1])))[0][0] == "attachments.1"
    assert refused(lambda: check_message({"content": "x", **listed("a")}))[0][0] == "attachments.0.id"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"embeds": [{"image": {"url": "attachment://a.png"}}]}, "embeds.0.image.url"),
        ({"embeds": [{"thumbnail": {"url": "attachment://a.png"}}]}, "embeds.0.thumbnail.url"),
        (
            {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]},
            "components.0.items.0.media.url",
        ),
        ({"flags": V2, "components": [{"type": 13, "file": {"url": "attachment://a.png"}}]}, "components.0.file.url"),
    ],
)
def test_a_picture_shown_must_have_been_sent(body: Json, place: str) -> None:
    check_message({**body, **listed("a.png")}, uploads=Uploads(sent=[0]))
    assert refused(lambda: check_message({**body, **listed("b.png")}, uploads=Uploads(sent=[0])))[0][0] == place


def test_an_edit_may_show_a_file_that_is_already_there() -> None:
    body = {"embeds": [{"image": {"url": "attachment://a.png"}}]}
    check_message(body, where="edit", uploads=Uploads(kept=[77], kept_names=["a.png"]))
    kept = {**body, "attachments": [{"id": "77", "filename": "a.png"}]}
    check_message(kept, where="edit", uploads=Uploads(kept=[77], kept_names=["a.png"]))
    dropped = {**body, "attachments": []}
    found = refused(lambda: check_message(dropped, where="edit", uploads=Uploads(kept=[77], kept_names=["a.png"])))
    assert found[0][0] == "embeds.0.image.url"
