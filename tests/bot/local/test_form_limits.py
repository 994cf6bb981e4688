"""Every limit of a form: just reached, and exceeded."""

import copy
from typing import Any

import pytest

from bot.local.form_limits import check_form
from tests.bot.local.parts import (
    Json,
    boxes,
    button,
    checkbox,
    complaints_of,
    entity_menu,
    form,
    label,
    menu,
    option,
    radios,
    row,
    text,
    text_input,
    upload,
)


def one(component: Json, **more: Any) -> Json:
    return form(label(component, **more))


def old_row(**more: Any) -> Json:
    return form(row(text_input(**more)))


def checkboxes(count: int) -> Json:
    return form(*(label(checkbox(f"c{n}")) for n in range(count)))


def chosen(*chosen: bool) -> Json:
    return {"options": [option(number, default=one) for number, one in enumerate(chosen)]}


AT = "components.0.component"

LIMITS: list[tuple[str, Json, Json, str]] = [
    ("title", form(text(), title="x" * 45), form(text(), title="x" * 46), "title"),
    ("no title", form(text(), title="x"), form(text(), title=""), "title"),
    ("custom id", form(text(), custom_id="x" * 100), form(text(), custom_id=""), "custom_id"),
    ("long id", form(text(), custom_id="x"), form(text(), custom_id="x" * 101), "custom_id"),
    ("parts", checkboxes(5), checkboxes(6), "components"),
    ("no parts", checkboxes(1), checkboxes(0), "components"),
    ("kinds of parts", form(text()), form(text_input()), "components.0.type"),
    ("no buttons", one(checkbox()), one(button()), f"{AT}.type"),
    ("unknown field", form(text()), form(text(), flags=64), "flags"),
    (
        "label",
        form(label(checkbox(), "x" * 45)),
        form(label(checkbox(), "x" * 46)),
        "components.0.label",
    ),
    ("no label", form(label(checkbox(), "x")), form(label(checkbox(), "")), "components.0.label"),
    (
        "description",
        one(checkbox(), description="x" * 100),
        one(checkbox(), description="x" * 101),
        "components.0.description",
    ),
    ("no field", one(checkbox()), form({"type": 18, "label": "x"}), AT),
    (
        "custom ids",
        form(label(checkbox("a")), label(checkbox("b"))),
        form(label(checkbox("a")), label(checkbox("a"))),
        "components.1.component.custom_id",
    ),
    ("custom id of a field", one(checkbox("x" * 100)), one(checkbox("x" * 101)), f"{AT}.custom_id"),
    ("style", one(text_input(style=2)), one(text_input(style=3)), f"{AT}.style"),
    ("own label", one(text_input(label=None)), one(text_input(label="x")), f"{AT}.label"),
    (
        "old label",
        old_row(label="x" * 45),
        old_row(label="x" * 46),
        "components.0.components.0.label",
    ),
    ("no old label", old_row(label="x"), old_row(), "components.0.components.0.label"),
    (
        "old row",
        old_row(label="x"),
        form(row(text_input("a", label="a"), text_input("b", label="b"))),
        "components.0.components",
    ),
    (
        "menu in a row",
        old_row(label="x"),
        form(row(menu(label="x"))),
        "components.0.components.0.type",
    ),
    (
        "min length",
        one(text_input(min_length=4000)),
        one(text_input(min_length=4001, max_length=4000)),
        f"{AT}.min_length",
    ),
    (
        "least length",
        one(text_input(min_length=0)),
        one(text_input(min_length=-1)),
        f"{AT}.min_length",
    ),
    (
        "max length",
        one(text_input(max_length=4000)),
        one(text_input(max_length=4001)),
        f"{AT}.max_length",
    ),
    ("no length", one(text_input(max_length=1)), one(text_input(max_length=0)), f"{AT}.max_length"),
    (
        "lengths",
        one(text_input(min_length=3, max_length=3)),
        one(text_input(min_length=4, max_length=3)),
        f"{AT}.min_length",
    ),
    ("value", one(text_input(value="x" * 4000)), one(text_input(value="x" * 4001)), f"{AT}.value"),
    (
        "value within the length",
        one(text_input(value="xxx", max_length=3)),
        one(text_input(value="xxxx", max_length=3)),
        f"{AT}.value",
    ),
    (
        "placeholder",
        one(text_input(placeholder="x" * 100)),
        one(text_input(placeholder="x" * 101)),
        f"{AT}.placeholder",
    ),
    ("options", one(menu(25)), one(menu(26)), f"{AT}.options"),
    ("disabled", one(menu(disabled=False)), one(menu(disabled=True)), f"{AT}.disabled"),
    (
        "required menu",
        one(menu(required=False, min_values=0)),
        one(menu(required=True, min_values=0)),
        f"{AT}.min_values",
    ),
    (
        "required people",
        one(entity_menu(required=False, min_values=0)),
        one(entity_menu(min_values=0)),
        f"{AT}.min_values",
    ),
    ("files", one(upload(max_values=10)), one(upload(max_values=11)), f"{AT}.max_values"),
    (
        "no files",
        one(upload(max_values=1)),
        one(upload(max_values=0, min_values=0, required=False)),
        f"{AT}.max_values",
    ),
    ("least files", one(upload(min_values=1)), one(upload(min_values=0)), f"{AT}.min_values"),
    (
        "range of files",
        one(upload(min_values=2, max_values=2)),
        one(upload(min_values=2)),
        f"{AT}.min_values",
    ),
    ("radios", one(radios(10)), one(radios(11)), f"{AT}.options"),
    ("one radio", one(radios(2)), one(radios(1)), f"{AT}.options"),
    (
        "chosen radios",
        one(radios() | chosen(True, False)),
        one(radios() | chosen(True, True)),
        f"{AT}.options",
    ),
    ("boxes", one(boxes(10)), one(boxes(11)), f"{AT}.options"),
    ("no boxes", one(boxes(1)), one(boxes(0)), f"{AT}.options"),
    ("most boxes", one(boxes(2, max_values=2)), one(boxes(2, max_values=3)), f"{AT}.max_values"),
    (
        "least boxes",
        one(boxes(min_values=0, required=False)),
        one(boxes(min_values=0)),
        f"{AT}.min_values",
    ),
    (
        "range of boxes",
        one(boxes(min_values=2)),
        one(boxes(min_values=2, max_values=1)),
        f"{AT}.min_values",
    ),
    (
        "chosen boxes",
        one(boxes() | chosen(True, True)),
        one(boxes(max_values=1) | chosen(True, True)),
        f"{AT}.options",
    ),
    (
        "values of boxes",
        one(boxes() | {"options": [option(1), option(2)]}),
        one(boxes() | {"options": [option(1), option(1)]}),
        f"{AT}.options.1.value",
    ),
    ("layouts", form(text()), form({"type": 14}), "components.0.type"),
]


@pytest.mark.parametrize(
    ("at", "over", "place"), [c[1:] for c in LIMITS], ids=[c[0] for c in LIMITS]
)
def test_a_form_may_reach_but_not_exceed_each_limit(at: Json, over: Json, place: str) -> None:
    before = copy.deepcopy(over)
    check_form(at)
    assert [found for found, _ in complaints_of(lambda: check_form(over))] == [place]
    assert over == before


@pytest.mark.parametrize("kind", [3, 5, 6, 7, 8, 19, 21, 22, 23, 4])
def test_a_label_goes_with_every_kind_of_field(kind: int) -> None:
    fields = [menu(), upload(), radios(), boxes(), checkbox(), text_input()]
    fields += [entity_menu(kind) for kind in (5, 6, 7, 8)]
    (field,) = [field for field in fields if field["type"] == kind]
    check_form(one(field))


def test_a_required_field_needs_a_minimum_by_discords_own_code() -> None:
    for field in (menu(min_values=0), boxes(min_values=0), upload(min_values=0)):
        ((_, code),) = complaints_of(lambda field=field: check_form(one(field)))  # type: ignore[misc]
        assert code == "COMPONENT_REQUIRED_ZERO_MIN_VALUES"
