"""Components for messages, and a reader of Discord's nested errors."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.local.errors import Refusal
from bot.local.model import Files, Upload

Json = dict[str, Any]


def places(tree: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """Return the paths in nested errors, with their codes."""
    for key, node in tree.items():
        if key == "_errors":
            yield from ((path, error["code"]) for error in node)
        else:
            yield from places(node, f"{path}.{key}".lstrip("."))


def complaints_of(check: Callable[[], None]) -> list[tuple[str, str]]:
    """Return the errors that a check reports."""
    with pytest.raises(Refusal) as caught:
        check()
    assert caught.value.status == 400 and caught.value.code == 50035
    assert caught.value.body()["errors"] == caught.value.errors
    return list(places(caught.value.errors or {}))


def button(custom_id: str = "b", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def option(number: int = 0, **more: Any) -> Json:
    return {"label": f"Option {number}", "value": f"o{number}", **more}


def menu(options: int = 2, **more: Any) -> Json:
    return {"type": 3, "custom_id": "m", "options": [option(n) for n in range(options)], **more}


def entity_menu(kind: int = 5, **more: Any) -> Json:
    return {"type": kind, "custom_id": "m", **more}


def text(content: str = "Hello", **more: Any) -> Json:
    return {"type": 10, "content": content, **more}


def media(url: str = "attachment://board.png", **more: Any) -> Json:
    return {"media": {"url": url}, **more}


def gallery(*items: Json) -> Json:
    return {"type": 12, "items": list(items)}


def file(url: str = "attachment://board.png") -> Json:
    return {"type": 13, "file": {"url": url}}


def section(*texts: Json, accessory: Json | None = None) -> Json:
    beside = button() if accessory is None else accessory
    return {"type": 9, "components": list(texts), "accessory": beside}


def container(*parts: Json, **more: Any) -> Json:
    return {"type": 17, "components": list(parts), **more}


def layout(*parts: Json, **more: Any) -> Json:
    """Return the body of a message that consists of components alone."""
    return {"flags": 1 << 15, "components": list(parts), **more}


def form(*parts: Json, **more: Any) -> Json:
    """Return the data of a form."""
    return {"custom_id": "f", "title": "A form", "components": list(parts), **more}


def label(component: Json, text: str = "Label", **more: Any) -> Json:
    return {"type": 18, "label": text, "component": component, **more}


def text_input(custom_id: str = "t", **more: Any) -> Json:
    return {"type": 4, "custom_id": custom_id, "style": 1, "label": None, **more}


def upload(**more: Any) -> Json:
    return {"type": 19, "custom_id": "u", **more}


def radios(count: int = 2, **more: Any) -> Json:
    return {"type": 21, "custom_id": "r", "options": [option(n) for n in range(count)], **more}


def boxes(count: int = 2, **more: Any) -> Json:
    return {"type": 22, "custom_id": "g", "options": [option(n) for n in range(count)], **more}


def checkbox(custom_id: str = "c", **more: Any) -> Json:
    return {"type": 23, "custom_id": custom_id, **more}


def uploads(*names: str) -> Files:
    return {number: Upload(name, b"") for number, name in enumerate(names)}


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}
