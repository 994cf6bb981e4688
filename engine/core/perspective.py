"""A match as one seat sees it, and its questions, options and turns put into words for that seat.

Panels, plans, hints and typed turns all read a match through a Perspective, so that no text can use
what the seat doesn't know. The words themselves are in the text files.
"""

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
"""Begins the text of a step that continues the text of the step before it."""


class Perspective(Struct, frozen=True, dict=True):
    """One seat of a match, with the words of its game and the names of its players."""

    match: Match
    seat: Seat
    words: Words
    names: Names = ()
    """The players' names by seat, for labels of buttons and menus, which Discord shows as typed."""
    marked: Names = ()
    """The players' names by seat, with Markdown escaped, for messages."""

    def at(self, match: Match) -> Self:
        """Return the perspective of the same seat at another position of its match."""
        return replace(self, match=match)

    @cached_property
    def view(self) -> View:
        """The seat's view of the match."""
        # Computed when needed, since a typed turn passes through many positions that nobody sees.
        return self.match.view(self.seat)

    @property
    def question(self) -> Decision | None:
        """The question that the seat must answer next; None if it has to wait."""
        return self.match.question(self.seat)

    @property
    def draft(self) -> Draft:
        """The seat's draft, which may be empty."""
        return self.match.draft(self.seat)

    @property
    def offers(self) -> tuple[Decision, ...]:
        """The offers that the seat may take at any time."""
        return self.match.offers(self.seat)

    def ask(self, decision: Decision) -> str:
        """Return the text of a question or an offer, for a message."""
        return self.words.question(decision, self.marked, self.view)

    def name_offer(self, offer: Decision) -> str:
        """Return the name of an offer, for a button."""
        return self.words.offer_name(offer, self.names)

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """Return an option's label, which is shorter if `brief`, for a button."""
        return self.words.option(decision, option, self.view, self.names, brief)

    def explain_option(self, decision: Decision, option: Option) -> str:
        """Return an explanation of an option, for a message; '' if its label says it all."""
        return self.words.about(decision, option, self.view, self.marked)

    def tell_option(self, decision: Decision, option: Option) -> str:
        """Return an option's label, for a message."""
        return self.words.option(decision, option, self.view, self.marked)

    def walk_turn(self, turn: Iterable[Answer]) -> Iterator[tuple[Self, Decision, Answer]]:
        """Yield the answers of a turn, each with its decision and the perspective at that point.

        The turn starts from an empty draft. Forced answers are left out.
        """
        perspective = self.at(self.match.without_drafts())
        for answer in turn:
            if answer.forced:
                continue
            decisions = perspective.match.decisions(self.seat)
            decision = next(one for one in decisions if one.kind == answer.kind)
            yield perspective, decision, answer
            if decision.blocking:
                perspective = perspective.at(perspective.match.pick(answer))

    def label_turn(self, turn: Iterable[Answer]) -> tuple[list[str], tuple[str, ...]]:
        """Return the labels of the options that a turn chooses, and their spots."""
        labels: list[str] = []
        options: list[Option] = []
        for perspective, decision, answer in self.walk_turn(turn):
            chosen = [decision.option(key) for key in answer.keys]
            labels += [perspective.label(decision, option) for option in chosen]
            options += chosen
        return labels, find_spots(options)

    def label_difference(self, turn: Sequence[Answer], known: Sequence[Answer]) -> str:
        """Return the label of the first choice in which a turn differs from a known one."""
        known_choices = [answer for answer in known if not answer.forced]
        for index, (perspective, decision, answer) in enumerate(self.walk_turn(turn)):
            if known_choices[index : index + 1] != [answer]:
                options = [decision.option(key) for key in answer.keys]
                labels = [perspective.label(decision, option, brief=True) for option in options]
                return self.words.and_list(labels)
        return ""

    def tell_turn(
        self, turn: Sequence[Answer], known: Sequence[Answer] = (), on_button: bool = False
    ) -> list[str]:
        """Return the steps of a turn as parts of a sentence that says what to do.

        Steps at the beginning that a `known` turn shares are left out.
        """
        return self._tell_steps("do", turn, known, self.names if on_button else self.marked)

    def name_turn(self, turn: Sequence[Answer], known: Sequence[Answer] = ()) -> list[str]:
        """Return the steps of a turn as parts of a sentence that compares it with another turn.

        Steps at the beginning that a `known` turn shares are left out. So are steps that only end
        something, unless there are no others.
        """
        return self._tell_steps("instead", turn, known, self.marked, with_endings=False)

    def explain_turn(self, turn: Sequence[Answer], known: Sequence[Answer] = ()) -> list[str]:
        """Return what is generally good about the steps of a turn, where the game's texts say so.

        Steps that a `known` turn takes too are left out, and no text comes twice.
        """
        known_choices = [answer for answer in known if not answer.forced]
        reasons: list[str] = []
        for index, (perspective, decision, answer) in enumerate(self.walk_turn(turn)):
            if known_choices[index : index + 1] == [answer]:
                continue
            options = [decision.option(key) for key in answer.keys]
            reasons += [perspective.explain_step(decision, option) for option in options]
        return list(dict.fromkeys(filter(None, reasons)))

    def explain_step(self, decision: Decision, option: Option) -> str:
        """Return what is generally good about an option; '' if the game's texts don't say."""
        return self.words.step("because", decision, option, self.view, self.marked) or ""

    def _tell_steps(
        self,
        table: str,
        turn: Sequence[Answer],
        known: Sequence[Answer],
        names: Names,
        with_endings: bool = True,
    ) -> list[str]:
        """Return the texts of a turn's steps from a text table; labels if no step has a text."""
        known_choices = [answer.keys for answer in known if not answer.forced]
        texts: list[str] = []
        endings: list[str] = []
        labels: list[str] = []
        is_shared = True
        # The first of `texts` that the known turn doesn't share.
        first_new = 0
        for index, (perspective, decision, answer) in enumerate(self.walk_turn(turn)):
            is_shared = is_shared and known_choices[index : index + 1] == [answer.keys]
            for key in answer.keys:
                option = decision.option(key)
                label = self.words.option(decision, option, perspective.view, names)
                text = self.words.step(table, decision, option, perspective.view, names)
                text = label if text is None else text
                if not is_shared:
                    labels.append(label)
                if option.ends and not with_endings:
                    if text and not is_shared:
                        endings.append(text)
                elif text.startswith(CONTINUES) and texts:
                    texts[-1] += text.removeprefix(CONTINUES)
                    # The step that this one continues may be shared, but is needed to make sense
                    # of it.
                    if not is_shared:
                        first_new = min(first_new, len(texts) - 1)
                elif text and not text.startswith(CONTINUES):
                    texts.append(text)
                    if is_shared:
                        first_new = len(texts)
        return texts[first_new:] or endings or labels


def find_spots(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the spots that options are about, each once."""
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))
