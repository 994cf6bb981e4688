"""What Discord refuses about a message: its lengths and numbers, its files, embeds, buttons and
menus.
"""

from collections.abc import Collection
from typing import Any

from bot.local.errors import Form, Json, Path, Refusal
from bot.local.model import BUTTON, EPHEMERAL, MENU, ROW, SILENT

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
FILES = 10
ALT_TEXT = 1024
NONCE = 25

ROWS = 5
IN_A_ROW = 5
CUSTOM_ID = 100
LABEL = 80
OPTIONS = 25
PLACEHOLDER = 150

# What discord.py sends for Motu, and nothing else: `tts` and an embed's `type` and `flags` come
# with everything.
EDITABLE = ("content", "embeds", "components", "attachments", "allowed_mentions", "flags", "tts")
FIELDS = (*EDITABLE, "nonce", "enforce_nonce")
EMBED_FIELDS = ("title", "type", "description", "color", "fields", "footer", "flags")
ATTACHMENT_FIELDS = ("id", "filename", "description")
KEPT_FIELDS = (
    *ATTACHMENT_FIELDS,
    "proxy_url",
    "url",
    "size",
    "spoiler",
    "height",
    "width",
    "content_type",
)
"""Of an attachment that stays, discord.py sends all that it knows."""
BUTTON_FIELDS = ("type", "style", "label", "custom_id", "disabled")
MENU_FIELDS = (
    "type",
    "custom_id",
    "placeholder",
    "min_values",
    "max_values",
    "disabled",
    "required",
    "options",
)
OPTION_FIELDS = ("label", "value", "description", "default")


def number_of(entry: Json) -> int:
    """Which file an entry is about: the number of one sent along, or the id of one that is
    there.
    """
    return int(entry["id"]) if str(entry.get("id", "")).isdecimal() else -1


def check_message(
    body: Json, files: Collection[int] = (), there: Collection[int] = (), *, is_edit: bool = False
) -> None:
    """Refuse a message that breaks a limit; `files` are the numbers of those sent along, `there`
    the ids of others.
    """
    form = Form()
    form.known((), body, EDITABLE if is_edit else FIELDS)
    form.text(("content",), body.get("content"), 0, CONTENT)
    flags = form.number(("flags",), body.get("flags"), 0, 1 << 31, 0)
    # The flags that Motu sets: for one person only, or without a sound.
    if flags & ~(EPHEMERAL | SILENT):
        form.wrong(("flags",), "MESSAGE_FLAGS_INVALID", "These flags cannot be set.")
    form.text(("nonce",), None if body.get("nonce") is None else str(body["nonce"]), 0, NONCE)
    _check_attachments(form, body, files, there)
    _check_embeds(form, body.get("embeds") or [])
    _check_allowed_mentions(form, body.get("allowed_mentions"))
    _check_components(form, body.get("components") or [])
    form.check()
    # An edit may leave out what stays; that something does is looked at where the message is at
    # hand.
    is_empty = (
        not (body.get("content") or "").strip()
        and not body.get("embeds")
        and not body.get("components")
    )
    if is_empty and not files and not is_edit:
        form.wrong(("content",), "BASE_TYPE_REQUIRED", "This field is required")
        raise Refusal(50006, errors=form.tree)


def _check_attachments(
    form: Form, body: Json, files: Collection[int], there: Collection[int]
) -> None:
    """Every file has an entry, and every entry is a file or one that is there already."""
    listed: set[int] = set()
    for index, entry in enumerate(
        form.a_list(("attachments",), body.get("attachments") or [], 0, FILES)
    ):
        path: Path = ("attachments", index)
        if not form.an_object(path, entry):
            continue
        number = number_of(entry)
        form.known(path, entry, KEPT_FIELDS if number in there else ATTACHMENT_FIELDS)
        form.text((*path, "description"), entry.get("description"), 0, ALT_TEXT)
        if number not in files and number not in there:
            form.wrong((*path, "id"), "ATTACHMENT_NOT_FOUND", "There is no such file.")
        elif number in listed:
            form.wrong((*path, "id"), "ATTACHMENT_DUPLICATED", "This file is listed twice.")
        else:
            listed.add(number)
    for number in set(files) - listed:
        form.wrong(
            ("attachments", number), "BASE_TYPE_REQUIRED", f"files[{number}] has no entry here."
        )


def _check_allowed_mentions(form: Form, mentions: Any) -> None:
    path: Path = ("allowed_mentions",)
    if mentions is None or not form.an_object(path, mentions):
        return
    form.known(path, mentions, ("parse", "users", "roles", "replied_user"))
    parse = form.a_list((*path, "parse"), mentions.get("parse", []), 0, 3)
    for index, kind in enumerate(parse):
        form.choice((*path, "parse", index), kind, ("users", "roles", "everyone"))
    for key in ("users", "roles"):
        form.a_list((*path, key), mentions.get(key, []), 0, 100)
        # All of a kind, or some by name; both at once Discord takes for a mistake.
        if key in parse and mentions.get(key):
            said = f"parse:['{key}'] and {key} exclude each other."
            form.wrong(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", said)


def _check_embeds(form: Form, embeds: Any) -> None:
    total = 0
    for index, embed in enumerate(form.a_list(("embeds",), embeds, 0, EMBEDS)):
        path: Path = ("embeds", index)
        if not form.an_object(path, embed):
            continue
        form.known(path, embed, EMBED_FIELDS)
        form.number((*path, "color"), embed.get("color"), 0, 0xFFFFFF, 0)
        total += len(form.text((*path, "title"), embed.get("title"), 0, 256))
        total += len(form.text((*path, "description"), embed.get("description"), 0, 4096))
        if "footer" in embed:
            total += len(form.text((*path, "footer", "text"), embed["footer"].get("text"), 0, 2048))
        for number, field in enumerate(
            form.a_list((*path, "fields"), embed.get("fields", []), 0, 25)
        ):
            where = (*path, "fields", number)
            form.known(where, field, ("name", "value", "inline"))
            total += len(form.text((*where, "name"), field.get("name"), 1, 256))
            total += len(form.text((*where, "value"), field.get("value"), 1, 1024))
    # One limit for all embeds together, however many there are.
    if total > EMBED_TOTAL:
        form.wrong(
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {EMBED_TOTAL}",
        )


def _check_components(form: Form, components: Any) -> None:
    seen: set[str] = set()
    for index, row in enumerate(form.a_list(("components",), components, 0, ROWS)):
        path: Path = ("components", index)
        if not form.an_object(path, row) or not form.choice(
            (*path, "type"), row.get("type"), (ROW,)
        ):
            continue
        form.known(path, row, ("type", "components"))
        parts = form.a_list((*path, "components"), row.get("components"), 1, IN_A_ROW)
        for number, part in enumerate(parts):
            where = (*path, "components", number)
            if not form.an_object(where, part) or not form.choice(
                (*where, "type"), part.get("type"), (BUTTON, MENU)
            ):
                continue
            if part["type"] == BUTTON:
                _check_button(form, where, part)
            else:
                _check_menu(form, where, part)
                if len(parts) > 1:
                    said = "The specified component exceeds the maximum width: a menu takes a row."
                    form.wrong((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", said)
            custom_id = form.text((*where, "custom_id"), part.get("custom_id"), 1, CUSTOM_ID)
            if custom_id in seen:
                said = "Component custom id cannot be duplicated"
                form.wrong((*where, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", said)
            seen.add(custom_id)


def _check_button(form: Form, path: Path, button: Json) -> None:
    form.known(path, button, BUTTON_FIELDS)
    form.choice((*path, "style"), button.get("style"), (1, 2, 3, 4))
    # A label of blanks is none; one of invisible characters is.
    label = form.text((*path, "label"), button.get("label"), 0, LABEL)
    if not label.strip():
        form.wrong(
            path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji."
        )


def _check_menu(form: Form, path: Path, menu: Json) -> None:
    form.known(path, menu, MENU_FIELDS)
    form.text((*path, "placeholder"), menu.get("placeholder"), 0, PLACEHOLDER)
    least = form.number((*path, "min_values"), menu.get("min_values"), 0, OPTIONS, 1)
    most = form.number((*path, "max_values"), menu.get("max_values"), 1, OPTIONS, 1)
    if least > most:
        form.wrong(
            (*path, "min_values"), "SELECT_COMPONENT_MIN_OVER_MAX", "min_values exceeds max_values."
        )
    options = form.a_list((*path, "options"), menu.get("options"), 1, OPTIONS)
    if most > len(options) > 0:
        said = "max_values exceeds the number of options."
        form.wrong((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_EXCEEDED", said)
    values: set[str] = set()
    defaults = 0
    for index, option in enumerate(options):
        where = (*path, "options", index)
        if not form.an_object(where, option):
            continue
        form.known(where, option, OPTION_FIELDS)
        form.text((*where, "label"), option.get("label"), 1, 100)
        form.text((*where, "description"), option.get("description"), 0, 100)
        value = form.text((*where, "value"), option.get("value"), 1, 100)
        if value in values:
            said = "The specified option value is used"
            form.wrong((*where, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", said)
        values.add(value)
        defaults += bool(option.get("default"))
    if defaults > most:
        said = "There are more defaults than max_values."
        form.wrong((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", said)
