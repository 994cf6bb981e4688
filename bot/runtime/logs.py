"""Logging, as lines or as JSON, and measuring durations. No secret, name or token may be logged.

A press is an interaction that is being handled: a command or a button. It gets a short id, which
marks every log entry it causes, and which the user is shown if something goes wrong.
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
"""Replaces secrets in the log."""
TOKENS = re.compile(
    r"(?<=/interactions/)\d+/[\w.-]+|(?<=/webhooks/)\d+/[\w.-]+|\b[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}"
)
"""Matches tokens of interactions, which are part of Discord's URLs, and tokens of bots."""


Listener = Callable[[str, tuple[str, ...], float, BaseException | None], None]
"""Called with the name of a measurement, its labels, its seconds, and the error if it failed."""

listeners: list[Listener] = []
"""Called with every measurement. The metrics are one."""


def report(
    what: str, labels: tuple[str, ...], seconds: float, error: BaseException | None = None
) -> None:
    """Pass a measurement on to the listeners."""
    for listener in listeners:
        listener(what, labels, seconds, error)


@contextmanager
def measure(what: str, *labels: str) -> Iterator[None]:
    """Measure how long the body of a `with` statement takes."""
    began = time.perf_counter()
    failed: BaseException | None = None
    try:
        yield
    except BaseException as error:
        failed = error
        raise
    finally:
        report(what, labels, time.perf_counter() - began, failed)


class LoggedPress(Struct):
    """A command or button press that is being handled."""

    id: str
    what: str
    """The command or kind of button, but not what was chosen with it: that may be secret."""
    arrived_at: float
    """When it arrived, by the monotonic clock."""
    outcome: str = "done"
    """`done`, `refused`, `busy`, `failed`, `left` to another process, or `late`.

    `late` means that Discord did not accept the answer any more.
    """
    has_saved: bool = False
    """Whether it has written something, now or when it was delivered the first time."""
    is_over: bool = False
    """Whether it has been answered.

    Tasks it has started inherit the context and may still run, but are not part of it any more.
    """


_current_press: ContextVar[LoggedPress | None] = ContextVar("press", default=None)


def begin_press(what: str) -> LoggedPress:
    """Begin a press: mark everything that this task, and tasks it starts, log from now on."""
    pressed = LoggedPress(secrets.token_hex(3), what, time.monotonic())
    _current_press.set(pressed)
    return pressed


def current_press() -> LoggedPress | None:
    """Return the press that this task handles, if any."""
    pressed = _current_press.get()
    return None if pressed is None or pressed.is_over else pressed


def note_outcome(outcome: str) -> None:
    """Set the outcome of the current press, if there is one."""
    if pressed := current_press():
        pressed.outcome = outcome


def note_saved() -> None:
    """Note that the current press, if there is one, has written something."""
    if pressed := current_press():
        pressed.has_saved = True


def end_press(pressed: LoggedPress) -> None:
    """End a press, and log its outcome and duration."""
    seconds = time.monotonic() - pressed.arrived_at
    milliseconds = round(1000 * seconds)
    facts = {
        "press": pressed.id,
        "what": pressed.what,
        "outcome": pressed.outcome,
        "ms": milliseconds,
    }
    log.info("%s %s in %d ms", pressed.what, pressed.outcome, milliseconds, extra={"facts": facts})
    pressed.is_over = True
    report("press", (pressed.what, pressed.outcome), seconds)


def set_up(level: str, form: str, token: str = "") -> None:
    """Log to stderr, from this level on, in one of FORMS."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter((JsonFormatter if form == JSON else LineFormatter)(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # At DEBUG discord.py logs whole payloads, and with them people's secrets.
    logging.getLogger("discord").setLevel(logging.INFO if level == "DEBUG" else logging.WARNING)
    for name in ("asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # psycopg would log every failed attempt to reconnect; the store logs the outage itself.
    logging.getLogger("psycopg").setLevel(logging.ERROR)


class LineFormatter(logging.Formatter):
    """Formats a record as a line for people, followed by the traceback of an error."""

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
        """Format an error's traceback and class. Its message might contain a secret."""
        return "".join([*traceback.format_tb(ei[2]), ei[0].__name__])

    def _facts(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the extra facts of a record, and the id of the current press."""
        pressed = current_press()
        return ({"press": pressed.id} if pressed else {}) | getattr(record, "facts", {})

    def _without_tokens(self, text: str) -> str:
        if self._token:
            text = text.replace(self._token, SECRET)
        return TOKENS.sub(SECRET, text)


class JsonFormatter(LineFormatter):
    """Formats a record as one line of JSON, for programs that read logs."""

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
