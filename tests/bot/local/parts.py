"""Parts of messages, and a reader of Discord's trees of errors, for the tests of the rules."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.local.errors import Refusal

Json = dict[str, Any]


def places(tree: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """The places of a tree of errors, with their codes."""
    for key, node in tree.items():
        if key == "_errors":
            yield from ((path, error["code"]) for error in node)
        else:
            yield from places(node, f"{path}.{key}".lstrip("."))


def refused(check: Callable[[], None]) -> list[tuple[str, str]]:
    """What a check complains of."""
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


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}
