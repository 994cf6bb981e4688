"""The limits of a modal."""

from typing import Any

from bot.local.model import SELECTS, TEXT_INPUT
from bot.local.refusal import Json
from bot.local.rules import component
from bot.local.rules.form import Form, Path

TITLE = 45
COMPONENTS = 5
LABEL = 45
_ROW, _TEXT, _LABEL = 1, 10, 18
_INPUT_FIELDS = [
    "type",
    "id",
    "custom_id",
    "style",
    "label",
    "min_length",
    "max_length",
    "required",
    "value",
    "placeholder",
]


def check_modal(modal: Any) -> None:
    """Refuse a modal that breaks a limit."""
    form = Form()
    if form.an_object((), modal):
        form.known((), modal, ("custom_id", "title", "components"))
        form.text(("custom_id",), modal.get("custom_id"), 1, component.CUSTOM_ID)
        form.text(("title",), modal.get("title"), 1, TITLE)
        _parts(form, ("components",), modal)
    form.check()


def _parts(form: Form, path: Path, modal: Json) -> None:
    seen: set[str] = set()
    for index, part in enumerate(form.a_list(path, modal.get("components"), 1, COMPONENTS)):
        where = (*path, index)
        if not form.an_object(where, part) or not form.choice(
            (*where, "type"), part.get("type"), (_ROW, _LABEL, _TEXT)
        ):
            continue
        for place, item in _inputs(form, where, part):
            if item.get("custom_id") in seen:
                form.wrong(
                    (*place, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
                )
            seen.add(item.get("custom_id", ""))


def _inputs(form: Form, path: Path, part: Json) -> list[tuple[Path, Json]]:
    if part["type"] == _TEXT:
        form.text((*path, "content"), part.get("content"), 1, component.V2_TEXT)
        return []
    if part["type"] == _LABEL:
        form.known(path, part, ("type", "id", "label", "description", "component"))
        form.text((*path, "label"), part.get("label"), 1, LABEL)
        form.text((*path, "description"), part.get("description"), 0, 100)
        item = part.get("component") or {}
        where: Path = (*path, "component")
        if not form.choice((*where, "type"), item.get("type"), (TEXT_INPUT, *SELECTS)):
            return []
        _text_input(form, where, item) if item["type"] == TEXT_INPUT else component.check_select(form, where, item)
        return [(where, item)]
    items = form.a_list((*path, "components"), part.get("components"), 1, 1)
    found: list[tuple[Path, Json]] = []
    for index, item in enumerate(items):
        where = (*path, "components", index)
        if form.choice((*where, "type"), item.get("type"), (TEXT_INPUT,)):
            form.text((*where, "label"), item.get("label"), 1, LABEL)
            _text_input(form, where, item)
            found.append((where, item))
    return found


def _text_input(form: Form, path: Path, item: Json) -> None:
    form.known(path, item, _INPUT_FIELDS)
    form.text((*path, "custom_id"), item.get("custom_id"), 1, component.CUSTOM_ID)
    form.choice((*path, "style"), item.get("style"), (1, 2))
    least = form.number((*path, "min_length"), item.get("min_length"), 0, 4000, 0)
    most = form.number((*path, "max_length"), item.get("max_length"), 1, 4000, 4000)
    form.text((*path, "placeholder"), item.get("placeholder"), 0, 100)
    form.text((*path, "value"), item.get("value"), 0, 4000)
    if least > most:
        form.wrong((*path, "min_length"), "TEXT_INPUT_MIN_OVER_MAX", "min_length exceeds max_length.")
