"""Work that is scheduled for later, and the times in which the bot was down."""

from typing import Any

from msgspec import Struct

from bot.model.shards import Shards

SHARED_JOBS = frozenset({"film"})
"""Kinds of jobs of a match that any process may run: the match's owner need not know of them."""


class Job(Struct, frozen=True):
    """Something that is to happen at a time: of each kind one for a match and a person.

    To set it again moves it.
    """

    kind: str
    at: int
    """In seconds since 1970."""
    match: str = ""
    user: int = 0
    facts: dict[str, Any] = {}
    """What the handler has to know, as JSON values."""
    id: int = 0
    """Which setting of it this is; the store gives it."""
    tries: int = 0
    """How often it has failed."""


class Absence(Struct, frozen=True):
    """A time in which the bot was not there, in seconds since 1970."""

    since: int
    until: int
    whose: Shards = Shards()
    """The shards that were not served: of one all, unless others were."""
