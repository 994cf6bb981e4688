"""Moves written as text: read as a turn such as `9,l,s4!`, or continued by suggestions.

A text is a turn, choice by choice. Blanks part choices as commas do, case does not matter, and a
final `!` confirms. `+` joins the choices of one answer, `-` stands for none.

- A choice is named by its key, by its label or its button, or by the beginning of these up to the first mark: `m-n2`,
  `M > N2 (turtle), own route`, `M > N2`.
- A game may know a choice by another name, as its objection `other_name` says: `2t1b` is `all` if that is all there is.
- A unique beginning of a key or a label is enough. But a code of the board stands for itself alone: where `n` is a
  place out of reach, it is not `nothing`.
- Where nothing of that fits, two or more words of a label in any order name it: `boat 5`, `3 fish`.
- Labels have blanks too, so what takes the most of the text is tried first. A mark is part of a name only where the
  label has it, and the commas of a label may be left out. If a text can be read in several ways, the one is meant whose
  choices end at commas; if that does not decide it, the text is refused.
- Forced answers may be typed or left out. A choice that repeats a forced answer is that answer.
- An offer comes alone and is named first: `reveal_card/haka!`, `reveal a card: haka!`.
"""

from contextlib import suppress
from difflib import get_close_matches
from itertools import chain
from math import dist
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play.context import KEY, SeatContext, finish_draft, list_draft_steps
from bot.features.play.option_names import (
    COMMA,
    MARKS,
    MAX_LISTED,
    NOTHING,
    PLUS,
    SLASH,
    Leniency,
    OptionNames,
    Tokens,
    find_end,
    find_stop,
    tokenize,
    tokenize_as_typed,
)
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe
from bot.ui.names import marked_names, one_line
from bot.ui.parts import CHOICE_TEXT, CHOICES, cut
from engine import Answer, Decision, EngineError, Match, Seat

MAX_CHARACTERS = 1500
"""Characters of a text: more than any turn needs."""
MAX_EXAMPLE_ANSWERS = 12
"""Answers of the example that is given for an empty text."""
MAX_QUOTED_CHARACTERS = 40
MIN_SIMILARITY = 0.5
"""From which on a word passes for a misspelling of another; 1 means that they are equal."""

LENIENCIES = (
    (Leniency.EXACT, Leniency.PREFIX),
    (Leniency.EXACT, Leniency.KEYWORDS),
    (Leniency.LOOSE,),
)
"""How options may be named: the first of these by which a text can be read to its end.

Within one, the second is tried only where the first finds nothing. Keywords come late: by them the
label `canoe, face down (1)` could also be two choices, for `face down` are words of a label.
"""

Suggestion = tuple[str, str]
"""What the menu shows, and the whole text that it stands for."""


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

    def apply(self) -> list[Match]:
        """Return the match after each step of what the text asks for."""
        if self.is_confirmed and not self.offer:
            return [self.match, self.match.confirm(self.seat)]
        return [self.match]

    def spell(self, match: Match) -> list[str]:
        """Return the answers drafted since the text began, in keys."""
        answers = match.draft(self.seat).answers[self.drafted_before :]
        return [PLUS.join(answer.keys) or NOTHING for answer in answers]

    def find_question(self) -> OptionNames | None:
        """Return what the text answers next."""
        if self.offer:
            # An offer has nothing to do with what the seat has drafted.
            return OptionNames.of(self.context.at(self.match.without_drafts()), self.offer)
        question = self.context.question
        return OptionNames.of(self.context, question) if question else None

    def find_offer(self) -> tuple[Decision | None, int]:
        """Return the offer that the text names at its beginning, and where the name ends.

        It is named by its kind or a unique beginning of it, and a slash; or by its question.
        """
        tokens, offers = self.tokens, self.match.offers(self.seat)
        if tokens[1:2] == (SLASH,):
            named = [offer for offer in offers if offer.kind == tokens[0]]
            named = named or [offer for offer in offers if offer.kind.startswith(tokens[0])]
            if len(named) == 1:
                return named[0], 2
        by_end = {
            find_end(tokenize(self.context.name_offer(offer)), tokens, 0): offer for offer in offers
        }
        end = max(by_end, default=0)
        has_mark = tokens[end : end + 1] in {(SLASH,), (":",)}
        return (by_end[end], end + has_mark) if end else (None, 0)

    def read_answer(self) -> list["Reading"]:
        """Read one more answer in every possible way, the longest first.

        Raises Refused if there is none.
        """
        start = self.at
        while self.tokens[start] == COMMA:
            start += 1
        question = self.find_question()
        # For each place where an answer may end: the question that it answers, and the keys that
        # each part may mean.
        ways: dict[int, tuple[OptionNames, list[list[str]]]] = {}
        for leniency in self.leniencies:
            for names in (*self.pending, question) if question else self.pending:
                for parts, end in names.find_answers(self.tokens, start, leniency):
                    if end not in ways:
                        ways[end] = names, parts
                    elif leniency is not Leniency.EXACT:
                        # The beginning of a name may be meant to repeat a forced answer or to give
                        # the next one: that is ambiguous.
                        first, others = ways[end]
                        ways[end] = first, [[*chain(*others, *parts)]]
            if ways:
                break
        if not ways:
            raise self._refuse_unknown(question, start)
        readings: list[Reading] = []
        refusals: list[Refused] = []
        for end in sorted(ways, reverse=True):
            try:
                readings.append(self.answer(*ways[end], start, end))
            except Refused as refused:
                refusals.append(refused)
        if not readings:
            raise refusals[0]
        return readings

    def answer(self, names: OptionNames, parts: list[list[str]], start: int, end: int) -> "Reading":
        """Return the reading with an answer that stands from `start` to `end`."""
        is_parted = end == len(self.tokens) or self.tokens[end] == COMMA
        if self.offer and end < len(self.tokens):
            # An offer comes alone.
            raise self._refuse("typed.turn_is_complete", end + is_parted, end + is_parted + 1)
        for keys in parts:
            if len(keys) > 1:
                raise self._refuse("typed.ambiguous", start, end, **names.list_choices(keys))
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
            raise self._refuse("typed.refused", start, end, why=error) from error
        pending = []
        for step in list_draft_steps(match, self.seat)[len(self.context.draft.answers) + 1 :]:
            then = replace(self.context, earlier=step.before)
            pending.append(OptionNames.of(then, step.question, is_forced=True))
        return replace(
            reading,
            context=self.context.at(match),
            answers=(*self.answers, (answer.kind, answer.keys)),
            pending=tuple(pending),
        )

    def refuse_unfinished(self) -> Refused:
        """Return the refusal of a text that ends before its turn or its offer is complete."""
        question = self.find_question()
        if question is None:
            return Refused("typed.nothing_to_confirm")
        return Refused("typed.unfinished", question=self._ask(question), **question.list_choices())

    def _refuse(self, key: str, start: int, end: int, **facts: Any) -> Refused:
        """Return a refusal that quotes the words from `start` to `end`, and says which answer they
        are.

        The number of the answer is 0 if it is the only one.
        """
        is_alone = not self.count and not set(self.tokens[end:]) - {COMMA}
        word = quote(" ".join(tokenize_as_typed(self.typed)[start:end]) or PLUS)
        return Refused(key, part=0 if is_alone else self.count + 1, word=word, **facts)

    def _refuse_unknown(self, question: OptionNames | None, start: int) -> Refused:
        """Return the refusal of words that name no option, with the reason."""
        if question is None and self.count:
            return self._refuse("typed.turn_is_complete", start, start + 1)
        if question is None and self.drafted_before:
            return self._refuse("typed.draft_is_complete", start, start + 1)
        if question is None:
            return Refused("typed.not_your_turn", turn=describe.whose_turn(self.context.room))
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
        nearest: list[str] = []
        why = say("typed.no_name")
        if KEY.fullmatch(word):
            why = self.match.why_not(
                self.seat, question.decision, word, marked_names(self.context.room)
            )
            nearest = _find_nearest(question, word)
        key = "typed.impossible_nearest" if nearest else "typed.impossible"
        facts = question.list_choices(nearest)
        return self._refuse(key, start, end, question=self._ask(question), why=why, **facts)

    def _ask(self, question: OptionNames) -> str:
        """Return a question in words; '' for the first one, which the panel asks anyway."""
        return question.context.ask(question.decision) if self.count else ""


# A whole turn.


def parse(room: Room, seat: Seat, typed: str) -> Reading:
    """Read a text to its end without doing anything yet; raises Refused with the reason."""
    if len(typed) > MAX_CHARACTERS:
        raise Refused("typed.too_long", most=MAX_CHARACTERS)
    begun = Reading.begin(room, seat, typed)
    if begun.match.outcome is not None:
        raise Refused("typed.over")
    if not begun.rest and not begun.is_confirmed:
        raise Refused("typed.empty", example=_find_example(begun))
    offer, start = begun.find_offer()
    if offer is not None:
        named = replace(begun, offer=offer, at=start)
        if not named.rest:
            raise named.refuse_unfinished()
        return named.read_answer()[0]
    if SLASH in begun.tokens:
        word = quote("".join(tokenize_as_typed(typed)))
        why = begun.context.words.none(begun.tokens[0])
        kinds = ", ".join(offer.kind for offer in begun.match.offers(seat))
        raise Refused("typed.not_offered", word=word, why=why, kinds=kinds)
    reading = _choose_reading(_read_to_end(begun))
    if begun.is_confirmed and finish_draft(reading.match, seat) is None:
        raise reading.refuse_unfinished()
    return reading


def _read_to_end(begun: Reading) -> list[Reading]:
    """Return every way to read a text to its end; raises Refused if there is none."""
    failures: list[tuple[int, Refused]] = []
    for leniencies in LENIENCIES:
        complete: list[Reading] = []
        waiting = [replace(begun, leniencies=leniencies)]
        while waiting:
            reading = waiting.pop()
            if not reading.rest:
                complete.append(reading)
                continue
            try:
                waiting += reversed(reading.read_answer())
            except Refused as refused:
                failures.append((reading.at, refused))
        if complete:
            return complete
    # The reading that came furthest explains best, and of several such the most lenient.
    failures.sort(key=lambda failure: failure[0])
    raise failures[-1][1]


def _choose_reading(readings: list[Reading]) -> Reading:
    """Return the reading that is meant; raises Refused if that cannot be told."""
    first = readings[0]
    if first.is_confirmed:
        # Somebody who confirms means a whole turn.
        whole = [reading for reading in readings if finish_draft(reading.match, reading.seat)]
        readings = whole or readings
    if COMMA in first.tokens:
        # Somebody who types commas ends every choice at one. A label has commas too, and may begin
        # like another choice: `G8, open K10` does not end with `open` and `k10`.
        least = min(reading.run_together for reading in readings)
        readings = [reading for reading in readings if reading.run_together == least]
    by_keys = {COMMA.join(reading.spell(reading.match)): reading for reading in readings}
    if len(by_keys) == 1:
        return readings[-1]
    # If there is a comma behind each choice, there are as many choices as parts between commas.
    parts = [part for part in first.typed.rstrip(" !").split(COMMA) if part.strip()]
    fitting = [reading for reading in by_keys.values() if reading.count == len(parts)]
    if len(fitting) == 1:
        return fitting[0]
    ways = " ".join(f"`{keys}`" for keys in by_keys)
    raise Refused("typed.several_readings", ways=ways)


def _find_example(begun: Reading) -> str:
    """Return a turn that could be typed now, '' if nothing is asked."""
    match, seat = begun.match, begun.seat
    for _ in range(MAX_EXAMPLE_ANSWERS):
        question = match.question(seat)
        if question is None:
            break
        keys = [option.key for option in question.options][: max(1, question.at_least)]
        match = match.pick(Answer(seat, question.kind, tuple(keys)))
    example = COMMA.join(begun.spell(match))
    return f"{example}!" if match.is_complete(seat) else example


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


# How a text may go on.


def suggest_moves(room: Room, seat: Seat, typed: str) -> list[Suggestion]:
    """Return legal continuations of what has been typed, the best first."""
    if room.match is None or len(typed) > MAX_CHARACTERS:
        return []
    reading = _read_far(Reading.begin(room, seat, typed))
    previous = reading.previous
    found: list[Suggestion] = []
    if not reading.is_confirmed:
        is_begun = bool(reading.rest) or previous is None
        if is_begun or typed.endswith((COMMA, " ")):
            found += _suggest_options(reading)
        if not is_begun and previous and not typed.endswith(COMMA):
            # What has been read may be the beginning of something longer.
            found += _suggest_options(previous)
    if not reading.rest and (finished := finish_draft(reading.match, seat)):
        keys = reading.spell(finished)
        confirm = say("typed.confirm", typed=", ".join(keys)), COMMA.join(keys) + "!"
        # Second, behind the best choice.
        found.insert(1, confirm)
    if previous is None:
        found += _suggest_offers(reading)
    # What is found twice stands where it was found last.
    names = {text: name for name, text in reversed(found) if len(text) <= CHOICE_TEXT}
    return [(cut(name, CHOICE_TEXT), text) for text, name in reversed(names.items())][:CHOICES]


def _read_far(begun: Reading) -> Reading:
    """Read a text as far as possible; loosely only if it can be read to its end that way."""
    _, usual, loose = LENIENCIES
    readings = []
    for leniencies in (usual, loose):
        reading = replace(begun, leniencies=leniencies)
        with suppress(Refused):
            while reading.rest:
                reading = reading.read_answer()[0]
        if not reading.rest:
            return reading
        readings.append(reading)
    return readings[0]


def _suggest_options(reading: Reading) -> list[Suggestion]:
    """Suggest the options of the current question that fit the last words of the text."""
    question = reading.find_question()
    if question is None:
        return []
    *chosen, part = [part.strip() for part in " ".join(reading.rest).split(PLUS)]
    if len(chosen) >= question.decision.at_most or not set(chosen) <= set(question.by_key):
        return []
    # How well each option fits: 0 is best.
    ranks: dict[str, int] = {}
    for key, names in question.by_key.items():
        words = _join_words(names.tokens)
        fits = (
            key == part,
            key.startswith(part) or words.startswith(part),
            part in key,
            part in words,
        )
        if any(fits) and key not in chosen:
            ranks[key] = fits.index(True)
    before = reading.spell(reading.match)
    found = []
    for key in sorted(ranks, key=lambda key: ranks[key])[:CHOICES]:
        keys = (*chosen, key)
        forced: list[str] = []
        # It is no legal answer yet if more options have to be chosen.
        with suppress(EngineError):
            after = reading.match.pick(Answer(reading.seat, question.decision.kind, keys))
            forced = reading.spell(after)[len(before) + 1 :]
        name = say(
            "typed.choice",
            before=", ".join(before).upper(),
            taken=PLUS.join(chosen).upper(),
            label=question.by_key[key].label,
            forced=", ".join(forced).upper(),
        )
        found.append((name, COMMA.join((*before, PLUS.join(keys), *forced))))
    return found


def _suggest_offers(reading: Reading) -> list[Suggestion]:
    """Suggest the offers whose names have the text in them."""
    context = reading.context
    typed = " ".join(reading.rest)
    found = []
    for offer in reading.match.offers(reading.seat):
        for option in offer.options:
            text = f"{offer.kind}{SLASH}{option.key}"
            name = say(
                "typed.offer", offer=context.name_offer(offer), option=context.label(offer, option)
            )
            if typed.replace(" / ", SLASH) in text or typed in _join_words(tokenize(name)):
                found.append((name, text))
    return found


def _join_words(tokens: Tokens) -> str:
    """Return the words among tokens as a text without marks."""
    return " ".join(token for token in tokens if token not in MARKS)
