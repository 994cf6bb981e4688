"""A match as one seat sees it, and how its questions and options are put into words for it."""

from collections.abc import Iterable
from functools import cached_property
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.game import View
from engine.core.match import Match
from engine.core.record import Draft
from engine.core.words import Names, Words


class Perspective(Struct, frozen=True, dict=True):
    """One seat of a match, with the words of its game and the names of its players."""

    match: Match
    seat: Seat
    words: Words
    names: Names = ()
    """The players' names in seat order for labels, which are shown as they are."""
    marked: Names = ()
    """The players' names for messages, in which Markdown is escaped."""

    def at(self, match: Match) -> Self:
        """Return the perspective of the same seat at another position of its match."""
        return replace(self, match=match)

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        # Made when it is needed: of many positions that a typed turn passes through, few are shown.
        return self.match.view(self.seat)

    @property
    def question(self) -> Decision | None:
        """What the seat must answer next."""
        return self.match.question(self.seat)

    @property
    def draft(self) -> Draft:
        """What the seat has drafted, perhaps nothing."""
        return self.match.draft(self.seat)

    @property
    def offers(self) -> tuple[Decision, ...]:
        """What the seat may take at any time."""
        return self.match.offers(self.seat)

    def ask(self, decision: Decision) -> str:
        """Return a question or an offer in words, for a message."""
        return self.words.question(decision, self.marked, self.view)

    def name_offer(self, offer: Decision) -> str:
        """Return what an offer is called on a button."""
        return self.words.question(offer, self.names)

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """Return an option in words; `brief` for a button."""
        return self.words.option(decision, option, self.view, self.names, brief)

    def tell_option(self, decision: Decision, option: Option) -> str:
        """Return an option in words, for a message."""
        return self.words.option(decision, option, self.view, self.marked)

    def label_turn(self, turn: Iterable[Answer]) -> tuple[list[str], tuple[str, ...]]:
        """Return the labels of all that a turn chooses, and the spots that it is about.

        The turn begins where the seat has drafted nothing. Forced answers are left out.
        """
        seen = self.at(self.match.without_drafts())
        labels: list[str] = []
        options: list[Option] = []
        for answer in turn:
            if answer.forced:
                continue
            decisions = seen.match.decisions(self.seat)
            decision = next(one for one in decisions if one.kind == answer.kind)
            chosen = [decision.option(key) for key in answer.keys]
            labels += [seen.label(decision, option) for option in chosen]
            options += chosen
            if decision.blocking:
                seen = seen.at(seen.match.pick(answer))
        return labels, find_spots(options)


def find_spots(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the spots of the board that options are about, each once."""
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))
