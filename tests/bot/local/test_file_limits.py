"""The limits of files in messages."""

from typing import Any

from bot.local.message_limits import check_message
from tests.bot.local.parts import Json, complaints_of, uploads


def listed(*names: str, **more: Any) -> Json:
    return {"attachments": [{"id": n, "filename": name, **more} for n, name in enumerate(names)]}


def test_at_most_ten_files_can_be_sent() -> None:
    check_message(listed(*"abcdefghij"), uploads(*"abcdefghij"))
    found = complaints_of(lambda: check_message(listed(*"abcdefghijk"), uploads(*"abcdefghijk")))
    assert found == [("attachments", "BASE_TYPE_MAX_LENGTH")]


def test_alt_text_has_a_limit() -> None:
    check_message(listed("a", description="x" * 1024), uploads("a"))
    found = complaints_of(lambda: check_message(listed("a", description="x" * 1025), uploads("a")))
    assert found == [("attachments.0.description", "BASE_TYPE_MAX_LENGTH")]


def test_every_file_needs_an_attachment_entry_and_vice_versa() -> None:
    assert (
        complaints_of(lambda: check_message({"content": "x"}, uploads("a")))[0][0]
        == "attachments.0"
    )
    assert (
        complaints_of(lambda: check_message(listed("a"), uploads("a", "b")))[0][0]
        == "attachments.1"
    )
    assert (
        complaints_of(lambda: check_message({"content": "x", **listed("a")}))[0][0]
        == "attachments.0.id"
    )
