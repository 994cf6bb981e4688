"""A match as one seat sees it, and how its questions and options are put into words for it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.game import View
from engine.core.match import Match
from engine.core.record import Draft
from engine.core.words import Names, Words

CONTINUES = "…"
"""What the text of a step begins with if it continues that of the step before it."""


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
        return self.words.offer_name(offer, self.names)

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """Return an option in words; `brief` for a button."""
        return self.words.option(decision, option, self.view, self.names, brief)

    def explain_option(self, decision: Decision, option: Option) -> str:
        """Return what an option does, for a message; '' if its label says it all."""
        return self.words.about(decision, option, self.view, self.marked)

    def tell_option(self, decision: Decision, option: Option) -> str:
        """Return an option in words, for a message."""
        return self.words.option(decision, option, self.view, self.marked)

    def walk_turn(self, turn: Iterable[Answer]) -> Iterator[tuple[Self, Decision, Answer]]:
        """Yield what a turn answers, with the perspective at that point.

        The turn begins where the seat has drafted nothing. Forced answers are left out.
        """
        seen = self.at(self.match.without_drafts())
        for answer in turn:
            if answer.forced:
                continue
            decisions = seen.match.decisions(self.seat)
            decision = next(one for one in decisions if one.kind == answer.kind)
            yield seen, decision, answer
            if decision.blocking:
                seen = seen.at(seen.match.pick(answer))

    def label_turn(self, turn: Iterable[Answer]) -> tuple[list[str], tuple[str, ...]]:
        """Return the labels of all that a turn chooses, and the spots that it is about."""
        labels: list[str] = []
        options: list[Option] = []
        for seen, decision, answer in self.walk_turn(turn):
            chosen = [decision.option(key) for key in answer.keys]
            labels += [seen.label(decision, option) for option in chosen]
            options += chosen
        return labels, find_spots(options)

    def label_difference(self, turn: Sequence[Answer], known: Sequence[Answer]) -> str:
        """Return the label of the first choice in which a turn differs from a known one."""
        known_choices = [answer for answer in known if not answer.forced]
        for place, (seen, decision, answer) in enumerate(self.walk_turn(turn)):
            if known_choices[place : place + 1] != [answer]:
                labels = [seen.label(decision, decision.option(key), True) for key in answer.keys]
                return self.words.and_list(labels)
        return ""

    def tell_turn(
        self, turn: Sequence[Answer], known: Sequence[Answer] = (), on_button: bool = False
    ) -> list[str]:
        """Return the steps of a turn as parts of a sentence that says what to do.

        Steps that a `known` turn begins with as well are left out.
        """
        return self._tell_steps("do", turn, known, self.names if on_button else self.marked)

    def name_turn(self, turn: Sequence[Answer], known: Sequence[Answer] = ()) -> list[str]:
        """Return the steps of a turn as parts of a sentence that compares it with another.

        Steps that a `known` turn begins with as well are left out, and so is what only ends
        something, unless there is nothing else to say.
        """
        return self._tell_steps("instead", turn, known, self.marked, with_endings=False)

    def explain_turn(self, turn: Sequence[Answer], known: Sequence[Answer] = ()) -> list[str]:
        """Return what is good about the steps of a turn in general, as far as the game says it."""
        known_choices = [answer for answer in known if not answer.forced]
        told: dict[str, None] = {}
        for place, (seen, decision, answer) in enumerate(self.walk_turn(turn)):
            if known_choices[place : place + 1] == [answer]:
                continue
            for key in answer.keys:
                if text := seen.explain_step(decision, decision.option(key)):
                    told[text] = None
        return list(told)

    def explain_step(self, decision: Decision, option: Option) -> str:
        """Return what is good about an option in general, '' if the game doesn't say."""
        return self.words.step("because", decision, option, self.view, self.marked) or ""

    def _tell_steps(
        self,
        table: str,
        turn: Sequence[Answer],
        known: Sequence[Answer],
        names: Names,
        with_endings: bool = True,
    ) -> list[str]:
        known_choices = [answer.keys for answer in known if not answer.forced]
        told: list[str] = []
        endings: list[str] = []
        labels: list[str] = []
        is_shared = True
        first_new = 0
        for place, (seen, decision, answer) in enumerate(self.walk_turn(turn)):
            is_shared = is_shared and known_choices[place : place + 1] == [answer.keys]
            for key in answer.keys:
                option = decision.option(key)
                label = self.words.option(decision, option, seen.view, names)
                text = self.words.step(table, decision, option, seen.view, names)
                text = label if text is None else text
                if not is_shared:
                    labels.append(label)
                if option.ends and not with_endings:
                    endings += [text] if text and not is_shared else []
                elif text.startswith(CONTINUES) and told:
                    told[-1] += text.removeprefix(CONTINUES)
                    # What it continues may be known, but says nothing without this step.
                    first_new = first_new if is_shared else min(first_new, len(told) - 1)
                elif text and not text.startswith(CONTINUES):
                    told.append(text)
                    first_new = len(told) if is_shared else first_new
        return told[first_new:] or endings or labels


def find_spots(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the spots of the board that options are about, each once."""
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))
