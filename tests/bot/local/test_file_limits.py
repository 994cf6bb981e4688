"""The limits of files in messages."""

from typing import Any

from bot.local.message_limits import check_message
from tests.bot.local.parts import Json, refused


def listed(*names: str, **more: Any) -> Json:
    return {"attachments": [{"id": n, "filename": name, **more} for n, name in enumerate(names)]}


def test_ten_files_may_be_sent_and_not_eleven() -> None:
    check_message(listed(*"abcdefghij"), range(10))
    found = refused(lambda: check_message(listed(*"abcdefghijk"), range(11)))
    assert found == [("attachments", "BASE_TYPE_MAX_LENGTH")]


def test_alt_text_has_a_limit() -> None:
    check_message(listed("a", description="x" * 1024), [0])
    found = refused(lambda: check_message(listed("a", description="x" * 1025), [0]))
    assert found == [("attachments.0.description", "BASE_TYPE_MAX_LENGTH")]


def test_a_file_needs_its_entry_and_an_entry_its_file() -> None:
    assert refused(lambda: check_message({"content": "x"}, [0]))[0][0] == "attachments.0"
    assert refused(lambda: check_message(listed("a"), [0, 1]))[0][0] == "attachments.1"
    assert (
        refused(lambda: check_message({"content": "x", **listed("a")}))[0][0] == "attachments.0.id"
    )
