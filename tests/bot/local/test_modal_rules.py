"""Every limit of a modal."""

from typing import Any

import pytest

from bot.local.rules.modal import check_modal
from tests.bot.local.parts import Json, button, menu, refused, row


def text_input(**more: Any) -> Json:
    return {"type": 4, "custom_id": "t", "style": 1, "label": "Name", **more}


def modal(*parts: Json, **more: Any) -> Json:
    return {"custom_id": "m", "title": "T", "components": [row(part) for part in parts], **more}


def inputs(count: int) -> Json:
    return modal(*(text_input(custom_id=str(n)) for n in range(count)))


def labelled(label: str, part: Json, **more: Any) -> Json:
    return {"custom_id": "m", "title": "T", "components": [{"type": 18, "label": label, "component": part, **more}]}


FIELD: Json = {"type": 4, "custom_id": "t", "style": 1}

MODALS: list[tuple[str, Json, Json, str]] = [
    ("components", inputs(5), inputs(6), "components"),
    ("no components", inputs(1), inputs(0), "components"),
    ("title", modal(text_input(), title="x" * 45), modal(text_input(), title="x" * 46), "title"),
    ("no title", modal(text_input(), title="x"), modal(text_input(), title=""), "title"),
    ("custom id", modal(text_input(), custom_id="x" * 100), modal(text_input(), custom_id="x" * 101), "custom_id"),
    (
        "label of an input",
        modal(text_input(label="x" * 45)),
        modal(text_input(label="x" * 46)),
        "components.0.components.0.label",
    ),
    ("label", labelled("x" * 45, FIELD), labelled("x" * 46, FIELD), "components.0.label"),
    (
        "description of a label",
        labelled("x", FIELD, description="x" * 100),
        labelled("x", FIELD, description="x" * 101),
        "components.0.description",
    ),
    ("what may be labelled", labelled("x", menu()), labelled("x", button()), "components.0.component.type"),
    (
        "placeholder",
        modal(text_input(placeholder="x" * 100)),
        modal(text_input(placeholder="x" * 101)),
        "components.0.components.0.placeholder",
    ),
    (
        "value",
        modal(text_input(value="x" * 4000)),
        modal(text_input(value="x" * 4001)),
        "components.0.components.0.value",
    ),
    (
        "max length",
        modal(text_input(max_length=4000)),
        modal(text_input(max_length=4001)),
        "components.0.components.0.max_length",
    ),
    (
        "custom ids twice",
        modal(text_input(), text_input(custom_id="u")),
        modal(text_input(), text_input()),
        "components.1.components.0.custom_id",
    ),
    ("buttons have no place there", modal(text_input()), modal(button()), "components.0.components.0.type"),
]


@pytest.mark.parametrize(("at", "over", "place"), [c[1:] for c in MODALS], ids=[c[0] for c in MODALS])
def test_a_modal_may_go_to_the_limit_and_not_over_it(at: Json, over: Json, place: str) -> None:
    check_modal(at)
    assert [found for found, _ in refused(lambda: check_modal(over))] == [place]
