"""Decisions, which the engine puts to a seat, and the answers to them.

Answers are saved: the fields of Answer, the kinds of decisions and the keys of options are never
renamed. A decision itself is computed anew from the position, so its other fields may change.
"""

from typing import NewType

from msgspec import Struct

from engine.core.errors import IllegalAnswer
from engine.core.escape import escape_text
from engine.core.words import say

Seat = NewType("Seat", int)
"""A player's number in a match, 0 to n-1. Never a Discord id."""

Fact = tuple[str, int | str | tuple[int | str | tuple[str, int], ...]]
"""The name and value of something that a text template fills in.

A tuple of numbers lists seats, a tuple of texts lists spots, and a tuple of pairs lists things with
their counts.
"""


class Option(Struct, frozen=True):
    """One legal choice: `key` is what is saved and typed, `spot` is where it is on the board."""

    key: str
    spot: str = ""
    group: str = ""
    facts: tuple[Fact, ...] = ()
    ends: bool = False
    """Whether it ends an optional sequence at no cost, so that Confirm may pick it."""
    forfeits: bool = False
    """Whether it gives something up: then its label says what, and Confirm never picks it."""


class Decision(Struct, frozen=True):
    """A question to one seat; any choice of `at_least` to `at_most` options is a legal answer."""

    seat: Seat
    kind: str
    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1
    facts: tuple[Fact, ...] = ()
    blocking: bool = True
    """Whether the match waits for the answer. An offer does not block: it may be ignored."""
    secret: bool = False
    """Whether the answer stays hidden from the others until the game reveals it."""
    at_once: bool = False
    """Whether the answer needs no Confirm if it leaves the seat nothing more to choose."""

    def option(self, key: str) -> Option:
        """Return the option with this key; raise IllegalAnswer if there is none."""
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
        """Return the option that ends an optional sequence; None if there is none."""
        return next((option for option in self.options if option.ends), None)

    def check(self, keys: tuple[str, ...]) -> None:
        """Raise IllegalAnswer unless these keys are a legal answer."""
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
    """The keys that a seat chose.

    `forced` marks the only legal answer, which the match gives without asking.
    """

    seat: Seat
    kind: str
    keys: tuple[str, ...]
    forced: bool = False
