"""Read a typed text answer by answer; where that fails, say why and what is possible instead."""

from difflib import get_close_matches
from itertools import chain
from math import dist
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play.context import KEY, SeatContext, list_draft_steps
from bot.features.play.option_names import (
    COMMA,
    MARKS,
    MAX_LISTED,
    NOTHING,
    PLUS,
    Leniency,
    OptionNames,
    Tokens,
    find_stop,
    tokenize,
    tokenize_as_typed,
)
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe
from bot.ui.names import marked_names, one_line
from engine import Answer, Decision, EngineError, Match, Seat

MAX_QUOTED_CHARACTERS = 40
MIN_SIMILARITY = 0.5
"""From which on a word passes for a misspelling of another; 1 means that they are equal."""

LENIENCIES = (
    (Leniency.EXACT, Leniency.PREFIX),
    (Leniency.EXACT, Leniency.KEYWORDS),
    (Leniency.LOOSE,),
)
"""How options may be named: the first of these by which a text can be read to its end.

Within one, the second is tried only where the first finds nothing. Keywords come late: by them
the label `canoe, face down (1)` could also be two choices, for `face down` are words of a label.
"""

Way = tuple[OptionNames, list[list[str]]]
"""A question, and the keys that each part of the answer to it may mean."""


class Reading(Struct, frozen=True):
    """A typed text that has been read up to some token."""

    context: SeatContext
    """The seat, with the answers read so far in its draft, or with the offer taken."""
    typed: str
    tokens: Tokens
    drafted_before: int
    """How many answers were in the draft before those of the text."""
    leniencies: tuple[Leniency, ...] = LENIENCIES[0]
    offer: Decision | None = None
    """The offer whose options the text names; otherwise it answers questions."""
    at: int = 0
    """The next token to read."""
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The kind of question and the keys of each answer read so far, without forced ones."""
    count: int = 0
    """How many answers have been read, forced ones too."""
    run_together: int = 0
    """How many of them do not end at a comma."""
    pending: tuple[OptionNames, ...] = ()
    """Questions with forced answers that followed the last answer; the text may repeat these."""
    previous: "Reading | None" = None
    """The reading before its last answer."""

    @classmethod
    def begin(cls, room: Room, seat: Seat, typed: str) -> "Reading":
        """Return a text of which nothing has been read yet."""
        context = SeatContext.of(room, seat)
        return cls(context, typed, tokenize(typed), len(context.draft.answers))

    @property
    def match(self) -> Match:
        """The match with the answers read so far."""
        return self.context.match

    @property
    def seat(self) -> Seat:
        """The seat that answers."""
        return self.context.seat

    @property
    def is_confirmed(self) -> bool:
        """Whether the text ends with a `!`."""
        return self.typed.rstrip().endswith("!")

    @property
    def rest(self) -> Tokens:
        """The words still to be read, without marks."""
        return tuple(token for token in self.tokens[self.at :] if token not in MARKS)

    def spell(self, match: Match) -> list[str]:
        """Return the answers drafted since the text began, in keys."""
        answers = match.draft(self.seat).answers[self.drafted_before :]
        return [PLUS.join(answer.keys) or NOTHING for answer in answers]

    def find_question(self) -> OptionNames | None:
        """Return what the text answers next."""
        if self.offer:
            # An offer has nothing to do with what the seat has drafted.
            return OptionNames.of(self.context.at(self.match.without_drafts()), self.offer)
        question = self.match.question(self.seat)
        return OptionNames.of(self.context, question) if question else None

    def read_answer(self) -> list["Reading"]:
        """Read one more answer in every possible way, the longest first.

        Raises Refused if there is none.
        """
        start = self.at
        while self.tokens[start] == COMMA:
            start += 1
        question = self.find_question()
        ways = self._find_ways(question, start)
        if not ways:
            raise self._refuse_unknown(question, start)
        readings: list[Reading] = []
        refusals: list[Refused] = []
        for end in sorted(ways, reverse=True):
            names, parts = ways[end]
            try:
                readings.append(self._answer(names, parts, start, end))
            except Refused as refused:
                refusals.append(refused)
        if not readings:
            raise refusals[0]
        return readings

    def _find_ways(self, question: OptionNames | None, start: int) -> dict[int, Way]:
        """Return the ways to read an answer at `start`, by where it ends."""
        asked = (*self.pending, question) if question else self.pending
        ways: dict[int, Way] = {}
        for leniency in self.leniencies:
            for names in asked:
                for parts, end in names.find_answers(self.tokens, start, leniency):
                    if end not in ways:
                        ways[end] = names, parts
                    elif leniency is not Leniency.EXACT:
                        # The beginning of a name may be meant to repeat a forced answer or to
                        # give the next one: that is ambiguous.
                        first, others = ways[end]
                        ways[end] = first, [[*chain(*others, *parts)]]
            if ways:
                break
        return ways

    def _answer(
        self,
        names: OptionNames,
        parts: list[list[str]],
        start: int,
        end: int,
    ) -> "Reading":
        """Return the reading with an answer that stands from `start` to `end`."""
        if self.offer and end < len(self.tokens):
            # An offer comes alone.
            surplus = end + (self.tokens[end] == COMMA)
            raise Refused(say("typed.turn_is_complete", **self.locate(surplus, surplus + 1)))
        where = self.locate(start, end)
        for keys in parts:
            if len(keys) > 1:
                raise Refused(say("typed.ambiguous", **where, **names.list_choices(keys)))
        is_parted = end == len(self.tokens) or self.tokens[end] == COMMA
        reading = replace(
            self,
            at=end,
            count=self.count + 1,
            run_together=self.run_together + (not is_parted),
            previous=self,
        )
        if names.is_forced:
            return replace(reading, pending=self.pending[self.pending.index(names) + 1 :])
        answer = Answer(self.seat, names.decision.kind, tuple(key for (key,) in parts))
        try:
            match = self.match.pick(answer)
        except EngineError as error:
            raise Refused(say("typed.refused", **where, why=error)) from error
        pending = []
        for step in list_draft_steps(match, self.seat)[len(self.context.draft.answers) + 1 :]:
            then = replace(self.context, earlier_view=step.before.position.view(self.seat))
            pending.append(OptionNames.of(then, step.question, is_forced=True))
        return replace(
            reading,
            context=self.context.at(match),
            answers=(*self.answers, (answer.kind, answer.keys)),
            pending=tuple(pending),
        )

    # Refusals.

    def locate(self, start: int, end: int) -> dict[str, Any]:
        """Return facts of a refusal: the words from `start` to `end`, and which answer they are.

        The number of the answer is 0 if it is the only one.
        """
        is_alone = not self.count and not set(self.tokens[end:]) - {COMMA}
        words = " ".join(tokenize_as_typed(self.typed)[start:end]) or PLUS
        return {"part": 0 if is_alone else self.count + 1, "word": quote(words)}

    def refuse_unfinished(self) -> Refused:
        """Return the refusal of a text that ends before its turn or its offer is complete."""
        question = self.find_question()
        if question is None:
            return Refused(say("typed.nothing_to_confirm"))
        asked = self._ask(question)
        return Refused(say("typed.unfinished", question=asked, **question.list_choices()))

    def _refuse_unknown(self, question: OptionNames | None, start: int) -> Refused:
        """Return the refusal of words that name no option, with the reason."""
        if question is None:
            return self._refuse_surplus(start)
        # Of several options of one answer the first may be possible.
        while start < len(self.tokens) and (found := question.find_exact(self.tokens, start)):
            start = max(found) + 1
        end = start + 1
        word = self.tokens[start] if start < len(self.tokens) else PLUS
        # In `boat 5` the game may have a reason against the 5.
        for at in range(start, find_stop(self.tokens, end)):
            if question.find_objection(self.tokens[at]):
                word, end = self.tokens[at], at + 1
                break
        facts = self.locate(start, end) | {"question": self._ask(question)}
        if not KEY.fullmatch(word):
            facts |= {"why": say("typed.no_name"), **question.list_choices()}
            return Refused(say("typed.impossible", **facts))
        players = marked_names(self.context.room)
        facts["why"] = self.match.why_not(self.seat, question.decision, word, players)
        nearest = _find_nearest(question, word)
        facts |= question.list_choices(nearest)
        if nearest:
            return Refused(say("typed.impossible_nearest", **facts))
        return Refused(say("typed.impossible", **facts))

    def _refuse_surplus(self, start: int) -> Refused:
        """Return the refusal of words where nothing is asked."""
        where = self.locate(start, start + 1)
        if self.count:
            return Refused(say("typed.turn_is_complete", **where))
        if self.drafted_before:
            return Refused(say("typed.draft_is_complete", **where))
        turn = describe.whose_turn(self.context.room)
        return Refused(say("typed.not_your_turn", turn=turn))

    def _ask(self, question: OptionNames) -> str:
        """Return a question in words; '' for the first one, which the panel asks anyway."""
        return question.context.ask(question.decision) if self.count else ""


def quote(text: str) -> str:
    """Return what somebody typed in a form that mentions nobody and hides nothing."""
    visible = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return one_line(visible, MAX_QUOTED_CHARACTERS).replace("`", "'").replace("@", "@\u200b")


def _find_nearest(question: OptionNames, word: str) -> list[str]:
    """Return the keys of the options nearest to a word, on the board or else in spelling.

    Returns none if nothing is near, or if a message can list all options anyway.
    """
    if len(question.by_key) <= MAX_LISTED:
        return []
    board = question.context.match.game.places(question.context.view)
    objection = question.find_objection(word)
    spot = word
    if word not in board and objection:
        spot = str(objection[1].get("spot", ""))
    if spot not in board:
        # A word that the game has a reason against is no misspelling.
        close = get_close_matches(word, question.by_key, MAX_LISTED, MIN_SIMILARITY)
        return [] if objection else close
    options = [option for option in question.decision.options if option.spot in board]
    # Somebody who types the village `g7v` is looking for villages.
    piece = word.removeprefix(spot)
    alike = [option for option in options if option.key.removeprefix(option.spot) == piece]
    nearest = sorted(alike or options, key=lambda option: dist(board[option.spot], board[spot]))
    return [option.key for option in nearest]
