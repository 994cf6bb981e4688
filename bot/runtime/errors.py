"""What the bot refuses, in words for the person who asked, and how anything else is logged.

BotError
├── Refused        not possible for this person or at this time
├── NotFound       no such match, or none here
├── BadConfig      a setting that makes no sense
└── StoreError     the database cannot be used
    ├── Conflict   somebody else wrote first
    └── Damaged    a match whose row cannot be read
Unanswered         what was asked is done, but the answer to it failed
NotServing         another process may serve the shards of this one, which must say nothing
"""

import logging
import secrets
import traceback
from typing import Any

from bot.runtime import logs
from bot.text import say

log = logging.getLogger("motu")


class BotError(Exception):
    """A refusal with a message for the person who asked; nothing has changed.

    It is given the key of its text and the facts in it. Words that are no key are said as they are.
    """

    def __init__(self, key: str = "", /, **facts: Any) -> None:
        super().__init__(say(key, **facts))


class Refused(BotError):
    """Not possible for this person or at this time."""


class NotFound(BotError):
    """No such match, or none here."""


class StoreError(BotError):
    """The database cannot be used."""


class Conflict(StoreError):
    """Somebody else wrote first."""


class Damaged(StoreError):
    """A match whose row cannot be read."""


class BadConfig(BotError):
    """A setting that cannot be used, by name."""


class Unanswered(Exception):
    """What was asked is done, but the answer to it failed for the reason given as the cause."""


class NotServing(ConnectionError):
    """Another process may serve the shards of this one: it must not say anything to Discord."""


def log_error(error: BaseException, about: str = "") -> str:
    """Log where an error happened under a short id, which is that of the press if it came of one.

    Its message is left out: it might hold somebody's secret.
    """
    pressed = logs.current()
    short_id = pressed.id if pressed else secrets.token_hex(3)
    frames = "".join(traceback.format_tb(error.__traceback__))
    # Errors of Discord's have a status and a code of their own.
    numbers = [getattr(error, name, None) for name in ("status", "code")]
    codes = "/".join(str(number) for number in numbers if number is not None)
    detail = " ".join(part for part in (type(error).__name__, codes, about) if part)
    log.error("error %s: %s\n%s", short_id, detail, frames)
    return short_id
