"""The limits of a message."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bot.local.model import EPHEMERAL, SILENT, V2
from bot.local.refusal import Json, Refusal
from bot.local.rules import component
from bot.local.rules.form import Form, Path

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
FILES = 10
ALT_TEXT = 1024
NONCE = 25

COMMON = [
    "content",
    "embeds",
    "components",
    "attachments",
    "allowed_mentions",
    "flags",
    "tts",
    "nonce",
    "enforce_nonce",
    "message_reference",
    "poll",
]
FIELDS = {
    "create": (*COMMON, "sticker_ids"),
    "edit": COMMON,
    "webhook": (*COMMON, "username", "avatar_url", "thread_name", "applied_tags"),
}
"""The fields a message may have, by where it is sent."""

_SUPPRESS_EMBEDS = 1 << 2
_SETTABLE = _SUPPRESS_EMBEDS | SILENT | EPHEMERAL | V2

EMBED_FIELDS = "title type description url timestamp color footer image thumbnail video provider author fields flags"
ATTACHMENT_FIELDS = [
    "id",
    "filename",
    "description",
    "title",
    "url",
    "proxy_url",
    "size",
    "spoiler",
    "height",
    "width",
    "content_type",
    "flags",
    "ephemeral",
    "duration_secs",
    "waveform",
]


@dataclass(frozen=True)
class Uploads:
    """What a body may refer to: the numbers and names of the files sent along, and the files already there."""

    sent: Collection[int] = ()
    kept: Collection[int] = ()
    """Ids of the attachments that the message already has."""
    kept_names: Collection[str] = ()


def check_message(body: Json, *, where: str = "create", uploads: Uploads | None = None, was_v2: bool = False) -> None:
    """Refuse a message that breaks a limit."""
    uploads = uploads or Uploads()
    form = Form()
    form.known((), body, FIELDS[where])
    form.text(("content",), body.get("content"), 0, CONTENT)
    flags = form.number(("flags",), body.get("flags"), 0, 1 << 31, 0)
    if flags & ~_SETTABLE:
        form.wrong(("flags",), "MESSAGE_FLAGS_INVALID", "These flags cannot be set.")
    names = _attachments(form, body, uploads)
    _embeds(form, body.get("embeds") or [], names)
    _mentions(form, body.get("allowed_mentions"))
    form.text(("nonce",), None if body.get("nonce") is None else str(body["nonce"]), 0, NONCE)
    v2 = bool(flags & V2) or was_v2
    if v2:
        _v2_stands_alone(form, body)
    component.check_components(form, body.get("components") or [], v2=v2, names=names)
    form.check()
    if where in ("create", "webhook"):
        _something_to_show(body, uploads)


def _v2_stands_alone(form: Form, body: Json) -> None:
    for key in ("content", "embeds", "sticker_ids", "poll"):
        if body.get(key):
            form.wrong(
                (key,),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _something_to_show(body: Json, uploads: Uploads) -> None:
    shown = (body.get("content") or "").strip() or body.get("embeds") or body.get("components")
    if not shown and not uploads.sent and not body.get("sticker_ids") and not body.get("poll"):
        form = Form()
        form.wrong(("content",), "BASE_TYPE_REQUIRED", "This field is required")
        raise Refusal(50006, errors=form.tree)


def _attachments(form: Form, body: Json, uploads: Uploads) -> set[str]:
    if body.get("attachments") is None:
        _unlisted(form, uploads.sent)
        return set(uploads.kept_names)
    names: set[str] = set()
    listed: set[int] = set()
    for index, entry in enumerate(form.a_list(("attachments",), body["attachments"], 0, FILES)):
        path: Path = ("attachments", index)
        if not form.an_object(path, entry):
            continue
        form.known(path, entry, ATTACHMENT_FIELDS)
        number = int(entry["id"]) if str(entry.get("id")).isdecimal() else None
        if number is None or number not in (*uploads.sent, *uploads.kept):
            form.wrong((*path, "id"), "ATTACHMENT_NOT_FOUND", "There is no such file.")
            continue
        if number in listed:
            form.wrong((*path, "id"), "ATTACHMENT_DUPLICATED", "This file is listed twice.")
        listed.add(number)
        names.add(entry.get("filename", ""))
        form.text((*path, "description"), entry.get("description"), 0, ALT_TEXT)
    _unlisted(form, set(uploads.sent) - listed)
    return names


def _unlisted(form: Form, numbers: Collection[int]) -> None:
    for number in numbers:
        form.wrong(("attachments", number), "BASE_TYPE_REQUIRED", f"files[{number}] has no entry here.")


def _mentions(form: Form, mentions: Any) -> None:
    path: Path = ("allowed_mentions",)
    if mentions is None or not form.an_object(path, mentions):
        return
    form.known(path, mentions, ("parse", "users", "roles", "replied_user"))
    parse = form.a_list((*path, "parse"), mentions.get("parse", []), 0, 3)
    for index, kind in enumerate(parse):
        form.choice((*path, "parse", index), kind, ("users", "roles", "everyone"))
    for key in ("users", "roles"):
        form.a_list((*path, key), mentions.get(key, []), 0, 100)
        if key in parse and mentions.get(key):
            form.wrong(
                (*path,), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", f"parse:['{key}'] and {key} exclude each other."
            )


def _embeds(form: Form, embeds: Any, names: Collection[str]) -> None:
    total = 0
    for index, embed in enumerate(form.a_list(("embeds",), embeds, 0, EMBEDS)):
        if form.an_object(("embeds", index), embed):
            total += _embed(form, ("embeds", index), embed, names)
    if total > EMBED_TOTAL:
        form.wrong(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TOTAL}")


def _embed(form: Form, path: Path, embed: Json, names: Collection[str]) -> int:
    form.known(path, embed, EMBED_FIELDS.split())
    size = len(form.text((*path, "title"), embed.get("title"), 0, 256))
    size += len(form.text((*path, "description"), embed.get("description"), 0, 4096))
    form.number((*path, "color"), embed.get("color"), 0, 0xFFFFFF, 0)
    if "footer" in embed:
        size += len(form.text((*path, "footer", "text"), embed["footer"].get("text"), 0, 2048))
    if "author" in embed:
        size += len(form.text((*path, "author", "name"), embed["author"].get("name"), 1, 256))
    for number, field in enumerate(form.a_list((*path, "fields"), embed.get("fields", []), 0, 25)):
        where = (*path, "fields", number)
        form.known(where, field, ("name", "value", "inline"))
        size += len(form.text((*where, "name"), field.get("name"), 1, 256))
        size += len(form.text((*where, "value"), field.get("value"), 1, 1024))
    for key in ("image", "thumbnail"):
        if key in embed:
            component.check_url(form, (*path, key, "url"), embed[key].get("url"), names)
    return size
