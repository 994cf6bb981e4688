"""What Discord refuses about a message: its length, files and embeds, and what excludes what.

The limits of components are in `component_limits.py`.
"""

from typing import Any

from bot.local.component_limits import MAX_ALT_TEXT, MAX_COLOR, ComponentCheck
from bot.local.errors import BodyCheck, Json, Path, Refusal
from bot.local.model import COMPONENTS_V2, EPHEMERAL, SILENT, Files, Message

# Lengths are in characters. Discord's documentation has each of these limits.
MAX_CONTENT = 2000
MAX_NONCE = 25

MAX_FILES = 10

MAX_EMBEDS = 10
MAX_EMBED_TOTAL = 6000
"""Length of the texts of all embeds of a message together."""
MAX_EMBED_TITLE = 256
MAX_EMBED_DESCRIPTION = 4096
MAX_EMBED_FOOTER = 2048
MAX_EMBED_FIELDS = 25
MAX_FIELD_NAME = 256
MAX_FIELD_VALUE = 1024

MAX_MENTIONS = 100
"""Users, and roles, that `allowed_mentions` may name."""

# The fields that discord.py sends for Motu. It adds `tts` to every message, and `type` and `flags`
# to every embed.
EDIT_FIELDS = (
    "content",
    "embeds",
    "components",
    "attachments",
    "allowed_mentions",
    "flags",
    "tts",
)
POST_FIELDS = (*EDIT_FIELDS, "nonce", "enforce_nonce")
EMBED_FIELDS = ("title", "type", "description", "color", "fields", "footer", "flags")
NEW_ATTACHMENT_FIELDS = ("id", "filename", "description")
KEPT_ATTACHMENT_FIELDS = (
    *NEW_ATTACHMENT_FIELDS,
    "proxy_url",
    "url",
    "size",
    "spoiler",
    "height",
    "width",
    "content_type",
)
"""discord.py sends everything it knows about an attachment that an edit keeps."""


def file_number(entry: Json) -> int:
    """Return which file an entry of `attachments` describes; -1 if its id is no number.

    Of a new file, that is n in its part `files[n]`; of one that an edit keeps, the attachment's id.
    """
    text = str(entry.get("id", ""))
    return int(text) if text.isdecimal() else -1


def check_message(body: Json, files: Files | None = None, before: Message | None = None) -> None:
    """Refuse the body of a new message, or of an edit of `before`, that breaks a limit.

    `files` are those sent with it.
    """
    files = files or {}
    check = BodyCheck()
    check.only_fields((), body, POST_FIELDS if before is None else EDIT_FIELDS)
    check.text(("content",), body.get("content"), 0, MAX_CONTENT)
    flags = check.number(("flags",), body.get("flags"), 0, 1 << 31, 0)
    # A bot may set further flags, but Motu sets only these.
    if flags & ~(EPHEMERAL | SILENT | COMPONENTS_V2):
        check.add_error(("flags",), "MESSAGE_FLAGS_INVALID", "These flags cannot be set.")
    # discord.py sends the nonce as a number or a text.
    nonce = body.get("nonce")
    check.text(("nonce",), None if nonce is None else str(nonce), 0, MAX_NONCE)
    file_names = _check_attachments(check, body, files, before)
    _check_embeds(check, body.get("embeds") or [])
    _check_allowed_mentions(check, body.get("allowed_mentions"))
    is_layout = bool(flags & COMPONENTS_V2) or (before is not None and before.is_layout)
    components = ComponentCheck(check, file_names)
    if is_layout:
        _check_layout_fields(check, body, before, flags)
        components.check_layout(_value(body, before, "components"))
    else:
        components.check_rows(body.get("components") or [])
    check.raise_errors()
    if before is not None:
        # An edit leaves out what stays. Whether anything is left, `Posting.edit` looks up.
        return
    has_text = (body.get("content") or "").strip()
    if not (has_text or body.get("embeds") or body.get("components") or (files and not is_layout)):
        check.add_error(("content",), "BASE_TYPE_REQUIRED", "This field is required")
        raise Refusal(50006, errors=check.errors)


def _value(body: Json, before: Message | None, field: str) -> Any:
    """Return what a field of a message will contain: an edit leaves out what stays."""
    if field in body or before is None:
        return body.get(field) or []
    return getattr(before, field)


def _check_layout_fields(check: BodyCheck, body: Json, before: Message | None, flags: int) -> None:
    """Check that a message with layout components has no content and embeds, and stays so."""
    was_layout = before is not None and before.is_layout
    for field in ("content", "embeds"):
        # An edit that turns a message into a layout must clear these fields itself.
        if body.get(field) if was_layout else _value(body, before, field):
            check.add_error(
                (field,),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
    if body.get("flags") is not None and not flags & COMPONENTS_V2:
        check.add_error(
            ("flags",),
            "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG",
            "The IS_COMPONENTS_V2 flag cannot be removed.",
        )


def _check_attachments(
    check: BodyCheck, body: Json, files: Files, before: Message | None
) -> set[str]:
    """Check that each new file has an entry, and that each entry describes a different file.

    Return the names of the files that the message will have.
    """
    kept_files = {} if before is None else {file.id: file.filename for file in before.attachments}
    if body.get("attachments") is None and not files:
        return set(kept_files.values())
    names: dict[int, str] = {}
    entries = check.items(("attachments",), body.get("attachments") or [], 0, MAX_FILES)
    for index, entry in enumerate(entries):
        path: Path = ("attachments", index)
        if not check.is_object(path, entry):
            continue
        number = file_number(entry)
        is_kept = number in kept_files
        fields = KEPT_ATTACHMENT_FIELDS if is_kept else NEW_ATTACHMENT_FIELDS
        check.only_fields(path, entry, fields)
        check.text((*path, "description"), entry.get("description"), 0, MAX_ALT_TEXT)
        if not is_kept and number not in files:
            check.add_error((*path, "id"), "ATTACHMENT_NOT_FOUND", "There is no such file.")
        elif number in names:
            check.add_error((*path, "id"), "ATTACHMENT_DUPLICATED", "This file is listed twice.")
        elif is_kept:
            names[number] = kept_files[number]
        else:
            names[number] = entry.get("filename") or files[number].filename
    for number in files.keys() - names.keys():
        check.add_error(
            ("attachments", number), "BASE_TYPE_REQUIRED", f"files[{number}] has no entry here."
        )
    return set(names.values())


def _check_allowed_mentions(check: BodyCheck, mentions: Any) -> None:
    """Check which mentions of a message may notify people."""
    path: Path = ("allowed_mentions",)
    if mentions is None or not check.is_object(path, mentions):
        return
    check.only_fields(path, mentions, ("parse", "users", "roles", "replied_user"))
    parse = check.items((*path, "parse"), mentions.get("parse", []), 0, 3)
    for index, kind in enumerate(parse):
        check.is_one_of((*path, "parse", index), kind, ("users", "roles", "everyone"))
    for key in ("users", "roles"):
        check.items((*path, key), mentions.get(key, []), 0, MAX_MENTIONS)
        # Discord: `parse: ["users"]` allows all users, so that a list of users contradicts it.
        if key in parse and mentions.get(key):
            message = f"parse:['{key}'] and {key} exclude each other."
            check.add_error(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)


def _check_embeds(check: BodyCheck, embeds: Any) -> None:
    """Check each embed, and the length of all of them together."""
    total = 0
    for index, embed in enumerate(check.items(("embeds",), embeds, 0, MAX_EMBEDS)):
        path: Path = ("embeds", index)
        if not check.is_object(path, embed):
            continue
        check.only_fields(path, embed, EMBED_FIELDS)
        check.number((*path, "color"), embed.get("color"), 0, MAX_COLOR, 0)
        title = check.text((*path, "title"), embed.get("title"), 0, MAX_EMBED_TITLE)
        description = check.text(
            (*path, "description"), embed.get("description"), 0, MAX_EMBED_DESCRIPTION
        )
        total += len(title) + len(description)
        if "footer" in embed:
            text = embed["footer"].get("text")
            total += len(check.text((*path, "footer", "text"), text, 0, MAX_EMBED_FOOTER))
        fields = check.items((*path, "fields"), embed.get("fields", []), 0, MAX_EMBED_FIELDS)
        for number, field in enumerate(fields):
            where = (*path, "fields", number)
            check.only_fields(where, field, ("name", "value", "inline"))
            name = check.text((*where, "name"), field.get("name"), 1, MAX_FIELD_NAME)
            value = check.text((*where, "value"), field.get("value"), 1, MAX_FIELD_VALUE)
            total += len(name) + len(value)
    if total > MAX_EMBED_TOTAL:
        check.add_error(
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {MAX_EMBED_TOTAL}",
        )
