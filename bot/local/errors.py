"""How Discord says no: error codes, validation of request bodies, and what its clients prevent."""

from collections.abc import Collection
from typing import Any

Json = dict[str, Any]
Path = tuple[str | int, ...]
"""The place of a value in a request body, such as ("embeds", 0, "title")."""

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
"""HTTP status and message of each of Discord's JSON error codes that Motu can run into."""


class Refusal(Exception):
    """An error that Discord answers a request with."""

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
        """Return the JSON of the response."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body

    def headers(self) -> dict[str, str]:
        """Return the headers of a rate limit; other errors have none of their own."""
        if self.status != 429:
            return {}
        # Without `Via` discord.py takes a 429 for a ban by Cloudflare and gives up.
        return {
            "Via": "1.1 local",
            "Retry-After": str(self.retry_after or 0),
            "X-RateLimit-Scope": "user",
        }


class Impossible(Exception):
    """Something that Discord's clients do not let people do, such as pressing a disabled button.

    `why` names the reason, and `facts` are filled into the page's text for it (`page/words.js`).
    """

    def __init__(self, why: str, **facts: Any) -> None:
        self.why, self.facts = why, facts
        super().__init__(f"{why} {facts}" if facts else why)


class BodyCheck:
    """Validates a request body, collecting every error before the request is refused.

    Discord reports all errors of a body at once, in a tree of the same shape as the body.
    """

    def __init__(self) -> None:
        self.errors: Json = {}

    def add_error(self, path: Path, code: str, message: str) -> None:
        """Record an error at a place of the body."""
        node = self.errors
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_errors(self) -> None:
        """Refuse the request if an error was recorded."""
        if self.errors:
            raise Refusal(50035, errors=self.errors)

    def only_fields(self, path: Path, body: Json, fields: Collection[str]) -> None:
        """Record an error for each field that is not one of `fields`."""
        # Discord ignores most unknown fields. Here a misspelt one must not go unnoticed.
        for key in body.keys() - set(fields):
            self.add_error((*path, key), "UNKNOWN_FIELD", f"There is no field {key!r} here.")

    def is_object(self, path: Path, value: Any) -> bool:
        """Return whether a value is a JSON object, recording an error if not."""
        if isinstance(value, dict):
            return True
        self.add_error(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return False

    def items(self, path: Path, value: Any, low: int, high: float) -> list[Any]:
        """Return a list of `low` to `high` items; an empty list if the value is not a list."""
        if value is None and low:
            self.add_error(path, "BASE_TYPE_REQUIRED", "This field is required")
            return []
        if not isinstance(value, list):
            self.add_error(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        self.length(path, len(value), low, high)
        return value

    def text(self, path: Path, value: Any, low: int, high: int) -> str:
        """Return a text of `low` to `high` characters; an empty text if the value is not text."""
        if value is None and low:
            self.add_error(path, "BASE_TYPE_REQUIRED", "This field is required")
            return ""
        if value is not None and not isinstance(value, str):
            self.add_error(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        text = value or ""
        # Discord takes a required text of nothing but whitespace for a missing one.
        size = 0 if low and not text.strip() else len(text)
        self.length(path, size, low, high)
        return text

    def length(self, path: Path, size: int, low: int, high: float) -> None:
        """Record an error if a length is out of bounds, worded as Discord words it."""
        if size > high and low:
            self.add_error(
                path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length."
            )
        elif size > high:
            self.add_error(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif size < low and size == 0:
            self.add_error(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif size < low:
            self.add_error(path, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")

    def number(self, path: Path, value: Any, low: int, high: int, default: int) -> int:
        """Return a whole number from `low` to `high`; the default if it is absent or no number."""
        if value is None:
            return default
        # JSON's true and false are integers to Python, but not to Discord.
        if isinstance(value, bool) or not isinstance(value, int):
            self.add_error(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return default
        if value > high:
            self.add_error(
                path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}."
            )
        elif value < low:
            self.add_error(
                path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}."
            )
        return value

    def is_one_of(self, path: Path, value: Any, allowed: Collection[Any]) -> bool:
        """Return whether a value is one of the allowed ones, recording an error if not."""
        if value in allowed:
            return True
        shown = ", ".join(str(item) for item in allowed)
        self.add_error(path, "BASE_TYPE_CHOICES", f"Value must be one of ({shown}).")
        return False
