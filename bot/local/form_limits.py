"""What Discord refuses about a form (a modal) and the fields in it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bot.local.component_limits import FIELDS, MAX_CUSTOM_ID, ComponentCheck
from bot.local.components import MENUS, Kind
from bot.local.errors import BodyCheck, Json, Path

# Lengths are in characters. Discord's documentation has each of these limits.
MAX_TITLE = 45
MAX_PARTS = 5
MAX_LABEL = 45
MAX_DESCRIPTION = 100
MAX_TEXT = 4000
MAX_PLACEHOLDER = 100
MAX_FILES = 10
MIN_RADIO_OPTIONS = 2
MAX_RADIO_OPTIONS = 10
MAX_CHECKBOXES = 10
TEXT_STYLES = (1, 2)
"""One line, and a paragraph."""

FORM_PARTS = (Kind.LABEL, Kind.TEXT, Kind.ROW)
LABELLED = (
    Kind.TEXT_INPUT,
    *MENUS,
    Kind.FILE_UPLOAD,
    Kind.RADIO_GROUP,
    Kind.CHECKBOX_GROUP,
    Kind.CHECKBOX,
)
"""What a label may be beside."""

FORM_FIELDS = ("custom_id", "title", "components")


def check_form(data: Any) -> None:
    """Refuse a form that breaks a limit."""
    check = BodyCheck()
    check.only_fields((), data, FORM_FIELDS)
    check.text(("custom_id",), data.get("custom_id"), 1, MAX_CUSTOM_ID)
    check.text(("title",), data.get("title"), 1, MAX_TITLE)
    form = FormCheck(check)
    parts = check.items(("components",), data.get("components"), 1, MAX_PARTS)
    for index, part in enumerate(parts):
        form.check_part(("components", index), part, FORM_PARTS)
    check.raise_errors()


class FormCheck(ComponentCheck):
    """Checks the components of a form."""

    fields: ClassVar[Mapping[int, tuple[str, ...]]] = {
        **FIELDS,
        Kind.LABEL: ("label", "description", "component"),
        Kind.TEXT_INPUT: (
            "custom_id",
            "style",
            "label",
            "min_length",
            "max_length",
            "required",
            "value",
            "placeholder",
        ),
        Kind.FILE_UPLOAD: ("custom_id", "min_values", "max_values", "required"),
        Kind.RADIO_GROUP: ("custom_id", "options", "required"),
        Kind.CHECKBOX_GROUP: ("custom_id", "options", "min_values", "max_values", "required"),
        Kind.CHECKBOX: ("custom_id", "default"),
    }

    def check_content(self, path: Path, part: Json) -> None:
        """Check the fields of a component, which depend on its type."""
        check = self.check
        match part["type"]:
            case Kind.ROW:
                self._check_old_row(path, part)
            case Kind.LABEL:
                self._check_label(path, part)
            case Kind.TEXT_INPUT:
                self._check_text_input(path, part)
            case Kind.FILE_UPLOAD:
                self.check_custom_id(path, part)
                self._check_range(path, part, MAX_FILES, default_most=1)
            case Kind.RADIO_GROUP:
                self.check_custom_id(path, part)
                options = self.check_options(
                    path, part.get("options"), MIN_RADIO_OPTIONS, MAX_RADIO_OPTIONS
                )
                self._limit_defaults(path, options, 1)
            case Kind.CHECKBOX_GROUP:
                self.check_custom_id(path, part)
                options = self.check_options(path, part.get("options"), 1, MAX_CHECKBOXES)
                most = self._check_range(path, part, MAX_CHECKBOXES, default_most=len(options))
                if most > len(options) > 0:
                    check.add_error(
                        (*path, "max_values"),
                        "SELECT_COMPONENT_MAX_VALUES_EXCEEDED",
                        "max_values exceeds the number of options.",
                    )
                self._limit_defaults(path, options, most)
            case Kind.CHECKBOX:
                self.check_custom_id(path, part)
            case _:
                super().check_content(path, part)

    def check_menu(self, path: Path, menu: Json) -> None:
        """Check a menu, which cannot be disabled in a form."""
        super().check_menu(path, menu)
        self.check.is_one_of((*path, "disabled"), menu.get("disabled", False), (False,))
        self._require_minimum(path, menu)

    def _check_label(self, path: Path, label: Json) -> None:
        """Check a label with its field."""
        check = self.check
        check.text((*path, "label"), label.get("label"), 1, MAX_LABEL)
        check.text((*path, "description"), label.get("description"), 0, MAX_DESCRIPTION)
        where = (*path, "component")
        field = label.get("component")
        if field is None:
            check.add_error(where, "BASE_TYPE_REQUIRED", "This field is required")
            return
        self.check_part(where, field, LABELLED)
        if isinstance(field, dict) and field.get("type") == Kind.TEXT_INPUT and field.get("label"):
            check.add_error(
                (*where, "label"),
                "TEXT_INPUT_LABEL_NOT_ALLOWED",
                "A text input inside a label has no label of its own.",
            )

    def _check_old_row(self, path: Path, row: Json) -> None:
        """Check a row with one text input, which Discord still accepts instead of a label."""
        inside: Path = (*path, "components")
        for index, part in enumerate(self.check.items(inside, row.get("components"), 1, 1)):
            where = (*inside, index)
            self.check_part(where, part, (Kind.TEXT_INPUT,))
            if isinstance(part, dict):
                self.check.text((*where, "label"), part.get("label"), 1, MAX_LABEL)

    def _check_text_input(self, path: Path, part: Json) -> None:
        """Check a text input, apart from its label."""
        check = self.check
        self.check_custom_id(path, part)
        check.is_one_of((*path, "style"), part.get("style"), TEXT_STYLES)
        least = check.number((*path, "min_length"), part.get("min_length"), 0, MAX_TEXT, 0)
        most = check.number((*path, "max_length"), part.get("max_length"), 1, MAX_TEXT, MAX_TEXT)
        if min(least, MAX_TEXT) > most:
            check.add_error(
                (*path, "min_length"),
                "TEXT_INPUT_MIN_OVER_MAX",
                "min_length exceeds max_length.",
            )
        check.text((*path, "value"), part.get("value"), 0, min(most, MAX_TEXT))
        check.text((*path, "placeholder"), part.get("placeholder"), 0, MAX_PLACEHOLDER)

    def _check_range(self, path: Path, part: Json, high: int, *, default_most: int) -> int:
        """Check how many values a field takes, and return the largest number."""
        check = self.check
        least = check.number((*path, "min_values"), part.get("min_values"), 0, high, 1)
        most = check.number((*path, "max_values"), part.get("max_values"), 1, high, default_most)
        if least > most > 0:
            check.add_error(
                (*path, "min_values"),
                "SELECT_COMPONENT_MIN_OVER_MAX",
                "min_values exceeds max_values.",
            )
        self._require_minimum(path, part)
        return most

    def _require_minimum(self, path: Path, part: Json) -> None:
        """Check that a field which must be filled in asks for at least one value."""
        if part.get("required", True) and part.get("min_values") == 0:
            self.check.add_error(
                (*path, "min_values"),
                "COMPONENT_REQUIRED_ZERO_MIN_VALUES",
                "Components marked as required cannot have a min_values of 0",
            )

    def _limit_defaults(self, path: Path, options: list[Json], most: int) -> None:
        """Check that not too many options are chosen beforehand."""
        if sum(bool(option.get("default")) for option in options) > most:
            self.check.add_error(
                (*path, "options"),
                "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
                "There are more defaults than can be chosen.",
            )
