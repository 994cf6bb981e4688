"""A question put to a table, with the answers given so far."""

from typing import Annotated, Any

from msgspec import Struct, field

from bot.model.match import Person
from bot.model.people import IS_FACTS, UserId, Words


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to the people of a table, with their answers so far."""

    match: str
    number: int
    """Counts the votes of a match from 1."""
    kind: str
    by: Person
    """Who asks; the bot itself has the id of a computer."""
    chairs: tuple[Person, ...]
    """Who sat where when it was asked: once it is decided somebody else may."""
    opened: int
    ends: int
    """In seconds since 1970."""
    facts: Annotated[dict[str, Any], IS_FACTS] = field(default_factory=dict)
    """What it is about.

    `seat` is the seat whose owner it is about, who is not asked; `subject` is any other seat.
    """
    said: dict[UserId, str] = field(default_factory=dict)
    outcome: str = ""
    """What was decided: an option, or VOID; '' while it is open."""
    why: Words = ""
    """Why it has lost its point, in words."""
    closed: int = 0
    message: int = 0
    place: int = 0
    """The channel or thread that the message is in."""
    told: bool = False
    """It is decided, and its message says so."""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to say to it."""
        return not self.outcome
