"""What is logged: as lines or as JSON, each with the press that it came of, and no secret, name or
token in it.

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
from contextvars import ContextVar
from typing import Any

from msgspec import Struct

from bot.runtime import measure

log = logging.getLogger("motu.presses")

LINES, JSON = FORMS = ("lines", "json")
SECRET = "…"
"""What stands in a log for what must not."""
TOKENS = re.compile(
    r"(?<=/interactions/)\d+/[\w.-]+|(?<=/webhooks/)\d+/[\w.-]+|\b[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}"
)
"""Tokens of interactions, which are part of Discord's addresses, and of bots."""


class Pressed(Struct):
    """A command or button that is being answered."""

    id: str
    what: str
    """Which command, or which kind of button; nothing of what was chosen by it."""
    came: float
    """When, by a clock that only runs forward."""
    outcome: str = "done"
    """`done`, `refused`, `busy`, `failed`, or `late` if nobody could be told any more."""
    is_over: bool = False
    """It is answered.

    Tasks that it has begun may live on, and what they do then is no part of it.
    """


_current: ContextVar[Pressed | None] = ContextVar("press", default=None)


def begin(what: str) -> Pressed:
    """A press has come in: what is logged from here on in this task, and in those that it
    begins, came of it.
    """
    pressed = Pressed(secrets.token_hex(3), what, time.monotonic())
    _current.set(pressed)
    return pressed


def current() -> Pressed | None:
    """The press that this task answers, if it answers one."""
    pressed = _current.get()
    return None if pressed is None or pressed.is_over else pressed


def note(outcome: str) -> None:
    """Note what has come of the press that this task answers."""
    if pressed := current():
        pressed.outcome = outcome


def end(pressed: Pressed) -> None:
    """It is answered."""
    took = time.monotonic() - pressed.came
    facts = {
        "press": pressed.id,
        "what": pressed.what,
        "outcome": pressed.outcome,
        "ms": round(1000 * took),
    }
    log.info("%s %s in %d ms", pressed.what, pressed.outcome, 1000 * took, extra={"facts": facts})
    pressed.is_over = True
    measure.report("press", (pressed.what, pressed.outcome), took)


def set_up(level: str, form: str, token: str = "") -> None:
    """Log to stderr from now on, at least what is that grave."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter((InJson if form == JSON else InLines)(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # At DEBUG discord.py logs whole payloads, and people's secrets with them.
    logging.getLogger("discord").setLevel(logging.INFO if level == "DEBUG" else logging.WARNING)
    for name in ("asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # It would say at every try that a server is still gone; the store says so itself.
    logging.getLogger("psycopg").setLevel(logging.ERROR)


class InLines(logging.Formatter):
    """A line for people, with the press behind it; below it where an error came from."""

    def __init__(self, token: str = "") -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """The record without what must not be in it."""
        said = self._harmless(super().format(record))
        press = _press_of(record)
        first, newline, rest = said.partition("\n")
        return f"{first} [{press}]{newline}{rest}" if press else said

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's own name)
        """The kind of an error and where it happened.

        Its message is left out: it might hold somebody's secret.
        """
        return "".join([*traceback.format_tb(ei[2]), ei[0].__name__])

    def _harmless(self, text: str) -> str:
        return TOKENS.sub(SECRET, text.replace(self._token, SECRET) if self._token else text)


class InJson(InLines):
    """The same as an object in a line, for programs that read logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        said = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            said = f"{said}\n{self.formatException(record.exc_info)}"
        facts: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": self._harmless(said),
        }
        if press := _press_of(record):
            facts["press"] = press
        return json.dumps(facts | getattr(record, "facts", {}), ensure_ascii=False)


def _press_of(record: logging.LogRecord) -> str:
    """The id of the press that a record came of."""
    if pressed := current():
        return pressed.id
    return str(getattr(record, "facts", {}).get("press", ""))
