"""Decisions, which the engine puts to a seat, and the answers to them."""

from typing import NewType

from msgspec import Struct

from engine.core.errors import IllegalAnswer
from engine.core.escape import escape_text
from engine.core.words import say

Seat = NewType("Seat", int)
"""A place at the table, 0 to n-1. Never a Discord id."""

Fact = tuple[str, int | str | tuple[int | str | tuple[str, int], ...]]
"""A name and a value that texts fill in.

A tuple of numbers is seats, one of texts is spots, and one of pairs is things with their numbers.
"""


class Option(Struct, frozen=True):
    """One legal choice: `key` is stored and typed, `spot` is its place on the picture."""

    key: str
    spot: str = ""
    group: str = ""
    facts: tuple[Fact, ...] = ()
    ends: bool = False
    """Whether it ends an optional sequence without losing anything, so that Confirm may pick it."""
    forfeits: bool = False
    """Whether it gives up something; its label says what, and only the player ever picks it."""


class Decision(Struct, frozen=True):
    """A question to one seat. Every subset of the options between at_least and at_most is legal."""

    seat: Seat
    kind: str
    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1
    facts: tuple[Fact, ...] = ()
    blocking: bool = True
    """False for an offer, which may be taken at any time and for which nobody waits."""
    secret: bool = False
    """Whether the answer stays hidden from the others until the game reveals it."""
    at_once: bool = False
    """Whether it needs no Confirm: a press that leaves nothing more to choose is committed."""

    def option(self, key: str) -> Option:
        """Return the option with that key."""
        for option in self.options:
            if option.key == key:
                return option
        raise IllegalAnswer(say("refusal.not_offered", key=escape_text(str(key))))

    def only_answer(self) -> "Answer | None":
        """Return the only legal answer, or None if there are several."""
        if self.at_least != len(self.options) or not self.options:
            return None
        return Answer(
            self.seat, self.kind, tuple(option.key for option in self.options), forced=True
        )

    def ending(self) -> Option | None:
        """Return the option that ends the open sequence, if there is one."""
        return next((option for option in self.options if option.ends), None)

    def check(self, keys: tuple[str, ...]) -> None:
        """Raise IllegalAnswer unless these keys are a legal subset."""
        for key in keys:
            self.option(key)
        count = len(keys)
        if count > 1 and len(set(keys)) != count:
            raise IllegalAnswer(say("refusal.twice"))
        if not self.at_least <= count <= self.at_most:
            most = self.at_most if self.at_most > self.at_least else 0
            raise IllegalAnswer(
                say("refusal.how_many", least=self.at_least, most=most, given=count)
            )


class Answer(Struct, frozen=True):
    """The keys that a seat chose; `forced` if there was only one answer and the match gave it."""

    seat: Seat
    kind: str
    keys: tuple[str, ...]
    forced: bool = False
