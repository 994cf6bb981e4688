"""Logging, as lines or as JSON, with no secret, name or token; and how long things take.

A press is a command or button of somebody's. It gets an id when it comes in; whatever is logged
because of it carries that id, and so does the private answer if something goes wrong.
"""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

log = logging.getLogger("motu.presses")

LINES, JSON = FORMS = ("lines", "json")
SECRET = "…"
"""Stands in a log in the place of a secret."""
TOKENS = re.compile(
    r"(?<=/interactions/)\d+/[\w.-]+|(?<=/webhooks/)\d+/[\w.-]+|\b[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}"
)
"""Tokens of interactions, which are part of Discord's addresses, and of bots."""


Listener = Callable[[str, tuple[str, ...], float, BaseException | None], None]
"""Told what was done, its labels, in how many seconds, and the error if it failed."""

listeners: list[Listener] = []
"""Called with everything that is measured."""


def report(
    what: str, labels: tuple[str, ...], seconds: float, error: BaseException | None = None
) -> None:
    """Tell the listeners how long something took."""
    for listener in listeners:
        listener(what, labels, seconds, error)


@contextmanager
def measure(what: str, *labels: str) -> Iterator[None]:
    """Measure how long the work inside takes."""
    began = time.perf_counter()
    failed: BaseException | None = None
    try:
        yield
    except BaseException as error:
        failed = error
        raise
    finally:
        report(what, labels, time.perf_counter() - began, failed)


class Pressed(Struct):
    """A command or button that is being answered."""

    id: str
    what: str
    """Which command, or which kind of button; nothing of what was chosen by it."""
    came: float
    """When, by a clock that only runs forward."""
    outcome: str = "done"
    """`done`, `refused`, `busy`, `failed`, or `late` if nobody could be told any more."""
    has_saved: bool = False
    """Whether it has changed something that is kept, or was carried out before."""
    is_over: bool = False
    """Whether it is answered.

    Tasks that it has begun may live on, and what they do then is no part of it.
    """


_current: ContextVar[Pressed | None] = ContextVar("press", default=None)


def begin(what: str) -> Pressed:
    """Begin a press: what this task and those that it starts log from now on carries its id."""
    pressed = Pressed(secrets.token_hex(3), what, time.monotonic())
    _current.set(pressed)
    return pressed


def current() -> Pressed | None:
    """Return the press that this task answers, if it answers one."""
    pressed = _current.get()
    return None if pressed is None or pressed.is_over else pressed


def note(outcome: str) -> None:
    """Note the outcome of the press that this task answers."""
    if pressed := current():
        pressed.outcome = outcome


def note_saved() -> None:
    """Note that the press that this task answers has changed something that is kept."""
    if pressed := current():
        pressed.has_saved = True


def end(pressed: Pressed) -> None:
    """End a press: log its outcome and how long it took."""
    took = time.monotonic() - pressed.came
    milliseconds = round(1000 * took)
    facts = {
        "press": pressed.id,
        "what": pressed.what,
        "outcome": pressed.outcome,
        "ms": milliseconds,
    }
    log.info("%s %s in %d ms", pressed.what, pressed.outcome, milliseconds, extra={"facts": facts})
    pressed.is_over = True
    report("press", (pressed.what, pressed.outcome), took)


def set_up(level: str, form: str, token: str = "") -> None:
    """Log to stderr from now on, records of that level and above."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter((JsonFormatter if form == JSON else LineFormatter)(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # At DEBUG discord.py logs whole payloads, and people's secrets with them.
    logging.getLogger("discord").setLevel(logging.INFO if level == "DEBUG" else logging.WARNING)
    for name in ("asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # It would say at every try that a server is still gone; the store says so itself.
    logging.getLogger("psycopg").setLevel(logging.ERROR)


class LineFormatter(logging.Formatter):
    """Formats a record as a line for people, with its press; below it where an error came from."""

    def __init__(self, token: str = "") -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """Format a record without tokens."""
        text = self._without_tokens(super().format(record))
        if press := self._facts(record).get("press"):
            first, newline, rest = text.partition("\n")
            return f"{first} [{press}]{newline}{rest}"
        return text

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's own name)
        """Format where an error happened, and its kind.

        Its message is left out: it might hold somebody's secret.
        """
        return "".join([*traceback.format_tb(ei[2]), ei[0].__name__])

    def _facts(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the facts of a record, among them the id of the press that it came of."""
        pressed = current()
        return ({"press": pressed.id} if pressed else {}) | getattr(record, "facts", {})

    def _without_tokens(self, text: str) -> str:
        if self._token:
            text = text.replace(self._token, SECRET)
        return TOKENS.sub(SECRET, text)


class JsonFormatter(LineFormatter):
    """Formats a record as a JSON object in a line, for programs that read logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record without tokens."""
        text = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        at = datetime.fromtimestamp(record.created, UTC).replace(tzinfo=None)
        fields = {
            "time": f"{at.isoformat(timespec='milliseconds')}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": self._without_tokens(text),
        }
        return json.dumps(fields | self._facts(record), ensure_ascii=False)
