"""A request body under examination; what is wrong with it becomes Discord's tree of errors."""

from collections.abc import Collection
from typing import Any

from bot.local.refusal import Json, Refusal

Path = tuple[str | int, ...]


class Form:
    """Gathers what is wrong, so that one answer names it all."""

    def __init__(self) -> None:
        self.tree: Json = {}

    def wrong(self, path: Path, code: str, message: str) -> None:
        """Note an error at a place of the body."""
        node = self.tree
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check(self) -> None:
        """Refuse the body if anything is wrong with it."""
        if self.tree:
            raise Refusal(50035, errors=self.tree)

    def known(self, path: Path, body: Json, fields: Collection[str]) -> None:
        """Only these fields may be there."""
        for key in body.keys() - set(fields):
            self.wrong((*path, key), "UNKNOWN_FIELD", f"There is no field {key!r} here.")

    def an_object(self, path: Path, value: Any) -> bool:
        """Whether it is an object; an error if not."""
        if isinstance(value, dict):
            return True
        self.wrong(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return False

    def a_list(self, path: Path, value: Any, low: int, high: int) -> list[Any]:
        """A list of so many items; empty if it is none."""
        if not isinstance(value, list):
            self.wrong(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        self.length(path, len(value), low, high)
        return value

    def text(self, path: Path, value: Any, low: int, high: int) -> str:
        """A text of so many characters; empty if it is none."""
        if value is None and low:
            self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
            return ""
        if value is not None and not isinstance(value, str):
            self.wrong(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        blank = bool(low) and not (value or "").strip()
        self.length(path, 0 if blank else len(value or ""), low, high)
        return value or ""

    def length(self, path: Path, size: int, low: int, high: int) -> None:
        """A size between the bounds."""
        if size > high and low:
            self.wrong(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        elif size > high:
            self.wrong(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif size < low and size == 0:
            self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif size < low:
            self.wrong(path, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")

    def number(self, path: Path, value: Any, low: int, high: int, default: int) -> int:
        """A whole number between the bounds; the default if absent or none."""
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return default
        if value > high:
            self.wrong(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")
        elif value < low:
            self.wrong(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
        return value

    def choice(self, path: Path, value: Any, allowed: Collection[Any]) -> bool:
        """Whether it is one of the allowed values; an error if not."""
        if value in allowed:
            return True
        shown = ", ".join(str(item) for item in allowed)
        self.wrong(path, "BASE_TYPE_CHOICES", f"Value must be one of ({shown}).")
        return False
