"""How Discord says no: a refused request, a form with mistakes in it, and what a client does not
even let people do.
"""

from collections.abc import Collection
from typing import Any

Json = dict[str, Any]
Path = tuple[str | int, ...]
"""Where something stands in a body, such as ("embeds", 0, "title")."""

STATUS_AND_TEXT: dict[int, tuple[int, str]] = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160004: (400, "A thread has already been created for this message"),
    160006: (400, "Maximum number of active threads reached"),
}
"""Discord's JSON error codes, as far as Motu can meet them here."""


class Refusal(Exception):
    """A request that Discord would turn down."""

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        message: str | None = None,
        errors: Json | None = None,
        retry_after: float | None = None,
    ) -> None:
        usual_status, usual_message = STATUS_AND_TEXT.get(code, (400, "Refused"))
        self.code = code
        self.status = usual_status if status is None else status
        self.message = usual_message if message is None else message
        self.errors = errors
        self.retry_after = retry_after
        super().__init__(f"{self.status} {self.code}: {self.message}")

    def body(self) -> Json:
        """The answer's JSON."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body

    def headers(self) -> dict[str, str]:
        """What a rate limit says besides."""
        if self.status != 429:
            return {}
        # Without `Via` discord.py takes a 429 for a ban by Cloudflare and gives up.
        return {
            "Via": "1.1 local",
            "Retry-After": str(self.retry_after or 0),
            "X-RateLimit-Scope": "user",
        }


class Impossible(Exception):
    """A client of Discord would not let a person do this.

    The page has the words for `why`; `facts` go into them.
    """

    def __init__(self, why: str, **facts: Any) -> None:
        self.why, self.facts = why, facts
        super().__init__(f"{why} {facts}" if facts else why)


class Form:
    """A body under examination: gathers what is wrong with it, so that one answer names it all,
    as Discord's does.
    """

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
        """Only these fields may be there.

        Discord overlooks most others; here a misspelt one must not go unnoticed.
        """
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
        self._length(path, len(value), low, high)
        return value

    def text(self, path: Path, value: Any, low: int, high: int) -> str:
        """A text of so many characters; empty if it is none."""
        if value is None and low:
            self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
            return ""
        if value is not None and not isinstance(value, str):
            self.wrong(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        text = value or ""
        # Where there must be something, blanks are nothing.
        size = 0 if low and not text.strip() else len(text)
        self._length(path, size, low, high)
        return text

    def _length(self, path: Path, size: int, low: int, high: int) -> None:
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
            self.wrong(
                path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}."
            )
        elif value < low:
            self.wrong(
                path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}."
            )
        return value

    def choice(self, path: Path, value: Any, allowed: Collection[Any]) -> bool:
        """Whether it is one of the allowed values; an error if not."""
        if value in allowed:
            return True
        shown = ", ".join(str(item) for item in allowed)
        self.wrong(path, "BASE_TYPE_CHOICES", f"Value must be one of ({shown}).")
        return False
