"""Turns typed as text, such as `9,l,s4!`: read by `read_turn`, completed by `suggest_turns`.

A text lists the choices of a turn in order, separated by commas or spaces; case does not matter.
`+` joins the choices of one answer, `-` stands for an answer without any, and a final `!` confirms.
Players know these rules by heart, so a text that is read today must not get another meaning.

- A choice is named by its key, its label or its button, or by the part of these before the first
  mark: `m-n2`, `M to N2 (turtle) for 1 fish`, `M to N2`.
- A game may know a choice by another name, which its refusal `other_name` gives: `2t1b` is `all`
  if there are no other pieces.
- A unique beginning of a key or a label is enough. But a code of the board only stands for itself:
  where `n` is a spot out of reach, it does not mean `nothing`.
- If none of this fits, two or more words of a label in any order name it: `boat 5`, `3 fish`.
- Labels contain spaces, so the name that takes the most of the text is tried first. A mark is part
  of a name only where the label has it, and the commas of a label may be left out. If a text can be
  read in several ways, the one whose choices end at commas is meant; if that does not decide it,
  the text is refused.
- Forced answers may be typed or left out. A choice that repeats a forced answer is that answer.
- An offer comes alone, and its name comes first: `reveal_card/haka!`, `reveal a card: haka!`.

This is how a text is read. Split it into tokens (`Text`). Find every answer that the first words
may mean (`Question`), give it, and continue after these words (`Reading`) until the text ends
(`search`). Of all readings that reach the end, choose the most likely one (`read_turn`). If none
does, the dead end that lies furthest in the text best explains why (`explain`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import dist
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option
from engine.core.errors import EngineError, UnreadableTurn
from engine.core.escape import one_line
from engine.core.event import Line
from engine.core.match import Match
from engine.core.perspective import Perspective
from engine.core.words import and_list, say

MAX_CHARACTERS = 1500
"""The longest text that is read: more than any turn needs."""
MAX_BUTTON_CHARACTERS = 80
"""The longest text of a button, where longer labels are cut."""
MAX_EXAMPLE_ANSWERS = 12
"""The most answers in the example that is given for an empty text."""
MAX_LISTED = 8
"""The most options that a refusal lists."""
MAX_SUGGESTED = 25
"""The most options of a question that are suggested."""
MAX_QUOTED_CHARACTERS = 40
MIN_SIMILARITY = 0.5
"""How similar a word must be to pass for a misspelling of another; 1 means equal."""

NOTHING, COMMA, PLUS, SLASH = "-,+/"
CONFIRM = "!"
END = ""
"""The last token of every text."""
MARKS = {COMMA, ":", ";", "(", ")", END}
"""Tokens that stand between the words of a label."""
TOKEN = re.compile(r"[^\s,;:.()!+/]+|[,;:()+/]")
ARROW = re.compile(r"(?<=\w)\s*>\s*")
"""Matches the way from one spot to another: `M > N2` may be typed for the key `m-n2`."""
KEY = re.compile(r"[a-z0-9_-]{1,40}")
"""Matches the key of an option."""
CODE = re.compile(r"[a-z]*\d+[a-z]?")
"""Matches a spot on the board or a number of pieces: 17, g7, g7v, n1, 2b."""
FIRST_MARK = re.compile(r"(?s)[,;:(].*")
"""Matches a label from its first mark on."""
LAST_REMARK = re.compile(r" \([^()]*\)$")
"""Matches brackets at the end of a label, such as a price."""
OTHER_NAME = "other_name"
"""A game's refusal of a key for which it has another name."""

# How much of a guess it is that words name an option: the wilder the guess, the higher the number.
# If the same words fit two options, the one with the lower number is meant. Words in any order come
# last, or the label `canoe, face down (1)` could be taken for two choices, since it contains
# `face down`.
BY_KEY, BY_LABEL, BY_OPENING, BY_BEGINNING, BY_WORDS = -2, -1, 0, 1, 1000

Tokens = tuple[str, ...]
Picks = tuple[tuple[str, tuple[str, ...]], ...]
"""Pairs of a kind of question and the keys that answer it."""


class TypedTurn(Struct, frozen=True):
    """The turn that a text describes."""

    answers: Picks
    """The answers that it gives, without forced ones, or the offer that it takes."""
    match: Match
    """The match with these answers drafted, or with the offer taken."""
    steps: list[Match]
    """The match after each step: with the draft, then, if the text confirms, with its commit."""
    is_offer: bool
    is_confirmed: bool


class Suggestion(NamedTuple):
    """A way to continue a text."""

    label: str
    text: str
    """The whole text, with what was typed so far."""


# The text.


class Text(Struct, frozen=True):
    """A typed text, split into words and the marks between them."""

    typed: str
    tokens: Tokens
    """The tokens in lower case, with END after them."""

    @classmethod
    def of(cls, typed: str) -> "Text":
        """Return a typed text split into tokens."""
        return cls(typed, (*tokenize(typed.casefold()), END))

    @property
    def is_confirmed(self) -> bool:
        """Whether the text ends with a `!`."""
        return self.typed.rstrip().endswith(CONFIRM)

    def quote(self, start: int, end: int) -> str:
        """Return the words from `start` to `end` as they were typed."""
        return quote(" ".join(tokenize(self.typed)[start:end]) or PLUS)


def tokenize(text: str) -> Tokens:
    """Return the words of a text and the marks between them, without commas at the end."""
    tokens = TOKEN.findall(ARROW.sub(NOTHING, text))
    while tokens[-1:] == [COMMA]:
        tokens.pop()
    return tuple(tokens)


def find_end(name: Tokens, tokens: Tokens, start: int) -> int:
    """Return where the name that stands at `start` ends, 0 if it does not stand there.

    The commas of a name may be left out.
    """
    at = start
    for token in name:
        if tokens[at] == token:
            at += 1
        elif token != COMMA:
            return 0
    return at if at > start else 0


def find_stop(tokens: Tokens, start: int) -> int:
    """Return where the next comma or plus stands, or the text ends."""
    return next(at for at in range(start, len(tokens)) if tokens[at] in {COMMA, PLUS, END})


def join_words(tokens: Tokens) -> str:
    """Return the words among tokens as a text without marks."""
    return " ".join(token for token in tokens if token not in MARKS)


def quote(text: str) -> str:
    """Return a typed text in a form that mentions nobody on Discord and hides no character."""
    visible = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return one_line(visible, MAX_QUOTED_CHARACTERS).replace("`", "'").replace("@", "@\u200b")


# One question: which of its options does a text name?


class Name(NamedTuple):
    """A name of an option."""

    tokens: Tokens
    option: Option
    guesswork: int
    """How much of a guess it is that these words name the option: one of the BY_ constants."""


class Named(NamedTuple):
    """Options that some words name."""

    end: int
    """Where the words end."""
    keys: list[str]
    """The options' keys: several if the words fit several options equally well."""
    guesswork: int


class Question(Struct, frozen=True):
    """A question or an offer, with all names of its options."""

    perspective: Perspective
    """The seat's perspective when it is asked."""
    decision: Decision
    labels: dict[str, str]
    names: list[Name]
    is_forced: bool = False
    """Whether the match has already given the only possible answer."""

    @classmethod
    def of(
        cls, perspective: Perspective, decision: Decision, is_forced: bool = False
    ) -> "Question":
        """Collect the names of a decision's options."""
        labels = {option.key: perspective.label(decision, option) for option in decision.options}
        names: list[Name] = []
        for option in decision.options:
            label = labels[option.key]
            # A label that is cut on a button may be typed as the button shows it.
            button = one_line(
                perspective.label(decision, option, brief=True), MAX_BUTTON_CHARACTERS
            )
            openings = [FIRST_MARK.sub("", text) for text in (label, button)]
            texts_by_guesswork = {
                BY_OPENING: [LAST_REMARK.sub("", label), *openings],
                BY_LABEL: [label, button],
                BY_KEY: [option.key],
            }
            for guesswork, texts in texts_by_guesswork.items():
                names += [Name(tokenize(text.casefold()), option, guesswork) for text in texts]
        return cls(perspective, decision, labels, names, is_forced)

    def find_meanings(self, tokens: Tokens, start: int) -> Iterator["Meaning"]:
        """Yield every answer that the words from `start` on may mean."""
        if tokens[start] == NOTHING and not self.is_forced:
            yield Meaning(self, start, start + 1)
        unfinished = [Meaning(self, start, start)]
        while unfinished:
            before = unfinished.pop()
            for named in self.find_options(tokens, before.end):
                parts = (*before.parts, named.keys)
                guesswork = before.guesswork + max(0, named.guesswork)
                meaning = Meaning(self, start, named.end, parts, guesswork)
                if tokens[named.end] == PLUS:
                    unfinished.append(replace(meaning, end=named.end + 1))
                # A forced answer can only be repeated whole.
                elif not self.is_forced or set(chain(*parts)) == set(self.labels):
                    yield meaning

    def find_options(self, tokens: Tokens, start: int) -> list[Named]:
        """Return the options that the words at `start` may name, by where the words end."""
        # The options that words may name, each after how wild a guess it is, by the words' end.
        fits: dict[int, list[tuple[int, str]]] = {}
        for name in self.names:
            if end := find_end(name.tokens, tokens, start):
                fits.setdefault(end, []).append((name.guesswork, name.option.key))
        has_whole_name = bool(fits)
        if not has_whole_name:
            why, facts = self.find_refusal(tokens[start]) or ("", {})
            if why == OTHER_NAME and facts["name"] in self.labels:
                return [Named(start + 1, [facts["name"]], BY_OPENING)]
        longest = max((len(name.tokens) for name in self.names), default=0)
        # A spot's code may follow its label: `village g7`.
        stop = min(find_stop(tokens, start), start + longest + 1)
        # Take only the longest guess: a shorter one would leave words of the same name unread.
        for end in range(stop, start, -1):
            if guessed := list(self._guess(tokens[start:end], has_whole_name)):
                fits.setdefault(end, []).extend(guessed)
                break
        named_options = []
        for end, options in fits.items():
            least, _ = min(options)
            keys = dict.fromkeys(key for guesswork, key in options if guesswork == least)
            named_options.append(Named(end, list(keys), least))
        return named_options

    def _guess(self, typed: Tokens, has_whole_name: bool) -> Iterator[tuple[int, str]]:
        """Yield the keys of options that words may mean, each after how wild a guess it is.

        Either a name begins with the words, which counts only if no whole name fits. Or a name
        contains all of the words, of which there must be at least two, and one that is no code.
        These may also include the option's spot. They are less of a guess if they are in order.
        """
        *before, last = typed
        # A code stands only for itself: `n`, a spot out of reach, does not mean `nothing`.
        is_code = bool(CODE.fullmatch(last))
        if len(last) == 1:
            is_code = not self.perspective.words.names_all_options(self.decision.kind)
        words = set(typed) - MARKS
        are_words = len(words) > 1 and not all(map(CODE.fullmatch, words))
        text = " ".join(("", *typed, ""))
        for name, option, _ in self.names:
            word = "".join(name[len(before) : len(typed)])
            is_begun = word == last if is_code else word.startswith(last)
            if is_begun and not has_whole_name and name[: len(before)] == typed[:-1]:
                yield BY_BEGINNING, option.key
            if are_words and words <= {*name, option.spot}:
                label = " ".join(("", *name, option.spot, ""))
                yield BY_WORDS * len(typed) + (text not in label), option.key

    def find_refusal(self, word: str) -> Line | None:
        """Return the game's refusal of a word as a key; None if it has none."""
        match = self.perspective.match
        return match.game.refusal(match.tip(self.perspective.seat), self.decision, word)


class Meaning(Struct, frozen=True):
    """An answer that some words of a text may mean."""

    question: Question
    start: int
    end: int
    """The indices of the first of its tokens and of the one after the last."""
    parts: tuple[list[str], ...] = ()
    """For each part of the answer, which `+` joins, the keys that it may mean."""
    guesswork: int = 0
    """How much of a guess it is that the words mean this; 0 if all are whole names."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the answer, the first where a part may mean several."""
        return tuple(keys[0] for keys in self.parts)


# The search: a text, answer by answer.


class Reading(Struct, frozen=True):
    """A way to read a text, up to some token."""

    text: Text
    begun: Perspective
    """The seat's perspective before the text."""
    now: Perspective
    """Its perspective with the answers read so far in its draft, or with the offer taken."""
    at: int = 0
    """The index of the next token to read."""
    offer: Decision | None = None
    """The offer that the text takes; None if it answers questions."""
    meanings: tuple[Meaning, ...] = ()
    """The answers read so far, including forced ones that the text repeats."""
    pending: tuple[Question, ...] = ()
    """Questions with forced answers that followed the last answer; the text may repeat these."""
    previous: "Reading | None" = None
    """The reading before its last answer."""

    @property
    def start(self) -> int:
        """The index of the next token that is no comma."""
        start = self.at
        while self.text.tokens[start] == COMMA:
            start += 1
        return start

    @property
    def rest(self) -> str:
        """The words that are still to be read, without marks."""
        return join_words(self.text.tokens[self.at :])

    @property
    def guesswork(self) -> int:
        """How much of a guess this reading is; 0 if everything was named in full."""
        return sum(meaning.guesswork for meaning in self.meanings)

    @property
    def answers(self) -> Picks:
        """The answers read so far, without forced ones."""
        return tuple(
            (meaning.question.decision.kind, meaning.keys)
            for meaning in self.meanings
            if not meaning.question.is_forced
        )

    @property
    def question(self) -> Question | None:
        """The question or offer that the next words answer; None if the turn is complete."""
        if self.offer:
            # An offer does not depend on the seat's draft.
            return Question.of(self.now.at(self.now.match.without_drafts()), self.offer)
        question = self.now.question
        return Question.of(self.now, question) if question else None

    def spell(self, match: Match) -> list[str]:
        """Return the keys of the answers that a match has drafted beyond those before the text."""
        answers = match.draft(self.now.seat).answers[len(self.begun.draft.answers) :]
        return [PLUS.join(answer.keys) or NOTHING for answer in answers]

    def find_meanings(self) -> list[Meaning]:
        """Return the answers that the next words may mean, the longest last."""
        question = self.question
        questions = (*self.pending, question) if question else self.pending
        by_end: dict[int, Meaning] = {}
        for candidate in questions:
            for meaning in candidate.find_meanings(self.text.tokens, self.start):
                known = by_end.setdefault(meaning.end, meaning)
                if meaning.guesswork < known.guesswork:
                    by_end[meaning.end] = meaning
                elif meaning.guesswork == known.guesswork > 0 and meaning is not known:
                    # The beginning of a name may repeat a forced answer or give the next one:
                    # that is ambiguous.
                    keys = [*chain(*known.parts, *meaning.parts)]
                    by_end[meaning.end] = replace(known, parts=(keys,))
        return [by_end[end] for end in sorted(by_end)]

    def answer(self, meaning: Meaning) -> "Reading | DeadEnd":
        """Return the reading with one more answer, or a dead end if it cannot be given."""
        question, now = meaning.question, self.now
        is_too_much = self.offer is not None and self.text.tokens[meaning.end] != END
        if is_too_much or any(len(keys) > 1 for keys in meaning.parts):
            return DeadEnd(self, meaning)
        after = replace(self, at=meaning.end, meanings=(*self.meanings, meaning), previous=self)
        if question.is_forced:
            return replace(after, pending=self.pending[self.pending.index(question) + 1 :])
        try:
            match = now.match.pick(Answer(now.seat, question.decision.kind, meaning.keys))
        except EngineError as error:
            return DeadEnd(self, meaning, error)
        forced = match.draft_steps(now.seat)[len(now.draft.answers) + 1 :]
        pending = [Question.of(now.at(step.match), step.question, True) for step in forced]
        return replace(after, now=now.at(match), pending=tuple(pending))


class DeadEnd(Struct, frozen=True):
    """A reading that cannot be continued."""

    reading: Reading
    meaning: Meaning | None = None
    """The answer that the next words mean but that cannot be given; None if they mean nothing."""
    error: EngineError | None = None
    """Why the game refuses that answer."""


def find_offer(reading: Reading) -> Reading:
    """Return the reading after the offer that a text begins with; unchanged if it names none.

    An offer is named by its kind or a unique beginning of it, and a slash; or by its name.
    """
    tokens, offers = reading.text.tokens, reading.now.offers
    if tokens[1:2] == (SLASH,):
        named = [offer for offer in offers if offer.kind == tokens[0]]
        named = named or [offer for offer in offers if offer.kind.startswith(tokens[0])]
        if len(named) == 1:
            return replace(reading, offer=named[0], at=2)
    by_end = {}
    for offer in offers:
        name = tokenize(reading.now.name_offer(offer).casefold())
        by_end[find_end(name, tokens, 0)] = offer
    end = max(by_end, default=0)
    if not end:
        return reading
    return replace(reading, offer=by_end[end], at=end + (tokens[end] in {SLASH, ":"}))


def search(begun: Reading) -> tuple[list[Reading], list[DeadEnd]]:
    """Return the readings of a whole text that need the least guessing, and the dead ends."""
    complete: list[Reading] = []
    dead_ends: list[DeadEnd] = []
    waiting = [begun]
    while waiting:
        # Continue the reading with the least guessing; of several such, the one found last.
        waiting.sort(key=lambda reading: reading.guesswork, reverse=True)
        reading = waiting.pop()
        if complete and reading.guesswork > complete[0].guesswork:
            break
        if not reading.rest:
            complete.append(reading)
            continue
        meanings = reading.find_meanings()
        if not meanings:
            dead_ends.append(DeadEnd(reading))
        for meaning in meanings:
            after = reading.answer(meaning)
            if isinstance(after, DeadEnd):
                dead_ends.append(after)
            else:
                waiting.append(after)
    return complete, dead_ends


def rank(reading: Reading) -> tuple[int, ...]:
    """Return a key that sorts readings by how well they fit what people mean, the best first."""
    text, meanings = reading.text, reading.meanings
    parts = [part for part in text.typed.rstrip(" !").split(COMMA) if part.strip()]
    run_together = [meaning for meaning in meanings if text.tokens[meaning.end] not in {COMMA, END}]
    return (
        # Somebody who confirms means a whole turn.
        text.is_confirmed and reading.now.match.finished(reading.now.seat) is None,
        # Somebody who types commas puts one after every choice. A label may contain commas too, and
        # continue like another choice: `G8, open K10` does not end with `open` and `k10`.
        len(run_together) if COMMA in text.tokens else 0,
        # With a comma after each choice, there are as many choices as parts between commas.
        len(meanings) != len(parts),
    )


# A whole turn.


def read_turn(perspective: Perspective, typed: str) -> TypedTurn:
    """Return the turn that a text describes; raise UnreadableTurn with the reason if none."""
    if len(typed) > MAX_CHARACTERS:
        raise UnreadableTurn(say("typed.too_long", most=MAX_CHARACTERS))
    if perspective.match.outcome is not None:
        raise UnreadableTurn(say("typed.over"))
    text = Text.of(typed)
    begun = Reading(text, perspective, perspective)
    if not begun.rest and not text.is_confirmed:
        raise UnreadableTurn(say("typed.empty", example=find_example(begun)))
    begun = find_offer(begun)
    if SLASH in text.tokens and not begun.offer:
        word = quote("".join(tokenize(typed)))
        why = perspective.words.no_offer(text.tokens[0])
        kinds = ", ".join(offer.kind for offer in perspective.offers)
        raise UnreadableTurn(say("typed.not_offered", word=word, why=why, kinds=kinds))
    if begun.offer and not begun.rest:
        raise refuse_unfinished(begun)
    complete, dead_ends = search(begun)
    if not complete:
        # Of those that came furthest, the last is the likeliest.
        raise explain(max(reversed(dead_ends), key=lambda dead_end: dead_end.reading.at))
    best = min(map(rank, complete))
    best_by_keys = {
        COMMA.join(reading.spell(reading.now.match)): reading
        for reading in complete
        if rank(reading) == best
    }
    if len(best_by_keys) > 1:
        ways = " ".join(f"`{keys}`" for keys in best_by_keys)
        raise UnreadableTurn(say("typed.several_readings", ways=ways))
    (reading,) = best_by_keys.values()
    match = reading.now.match
    steps = [match]
    if text.is_confirmed and not begun.offer:
        if match.finished(perspective.seat) is None:
            raise refuse_unfinished(reading)
        steps.append(match.confirm(perspective.seat))
    is_offer = begun.offer is not None
    return TypedTurn(reading.answers, match, steps, is_offer, text.is_confirmed)


def find_example(begun: Reading) -> str:
    """Return a turn that could be typed now, '' if the seat has to wait."""
    match, seat = begun.now.match, begun.now.seat
    for _ in range(MAX_EXAMPLE_ANSWERS):
        question = match.question(seat)
        if question is None:
            break
        keys = [option.key for option in question.options][: max(1, question.at_least)]
        match = match.pick(Answer(seat, question.kind, tuple(keys)))
    example = COMMA.join(begun.spell(match))
    return example + CONFIRM if match.is_complete(seat) else example


# Why a text is refused.


def explain(dead_end: DeadEnd) -> UnreadableTurn:
    """Return the refusal of a text that cannot be read any further."""
    reading, meaning = dead_end.reading, dead_end.meaning
    if meaning is None:
        return refuse_unknown(reading)
    start, end = meaning.start, meaning.end
    following = reading.text.tokens[end]
    if reading.offer and following != END:
        # Nothing may follow an offer.
        end += following == COMMA
        return refuse(reading, "typed.turn_is_complete", end, end + 1)
    for keys in meaning.parts:
        if len(keys) > 1:
            choices = list_choices(meaning.question, keys)
            return refuse(reading, "typed.ambiguous", start, end, **choices)
    return refuse(reading, "typed.refused", start, end, why=dead_end.error)


def refuse(reading: Reading, key: str, start: int, end: int, **facts: Any) -> UnreadableTurn:
    """Return a refusal that quotes the words from `start` to `end`, and numbers their answer.

    The number is 0, which leaves it out, if the text has only one answer.
    """
    number = len(reading.meanings) + 1
    is_alone = number == 1 and not set(reading.text.tokens[end:]) - {COMMA, END}
    word = reading.text.quote(start, end)
    return UnreadableTurn(say(key, part=0 if is_alone else number, word=word, **facts))


def refuse_unfinished(reading: Reading) -> UnreadableTurn:
    """Return the refusal of a text that ends before its turn or its offer is complete."""
    question = reading.question
    if question is None:
        return UnreadableTurn(say("typed.nothing_to_confirm"))
    facts = {"question": ask_later(reading, question), **list_choices(question)}
    return UnreadableTurn(say("typed.unfinished", **facts))


def refuse_unknown(reading: Reading) -> UnreadableTurn:
    """Return the refusal of the next words, which name no option, with the reason."""
    tokens, perspective, question = reading.text.tokens, reading.now, reading.question
    start = reading.start
    if question is None and reading.meanings:
        return refuse(reading, "typed.turn_is_complete", start, start + 1)
    if question is None and reading.begun.draft.answers:
        return refuse(reading, "typed.draft_is_complete", start, start + 1)
    if question is None:
        turn = perspective.words.whose_turn(perspective.match.asked(), perspective.marked)
        return UnreadableTurn(say("typed.not_your_turn", turn=turn))
    # If an answer has several options, the first ones may be legal.
    while found := question.find_options(tokens, start):
        start = max(named.end for named in found) + 1
    # In `boat 5`, the game may refuse the 5 with a reason.
    words = range(start, find_stop(tokens, start))
    at = next((at for at in words if question.find_refusal(tokens[at])), start)
    word = tokens[at]
    nearest: list[str] = []
    why = say("typed.no_name")
    chosen = "" if question.find_refusal(word) else find_earlier_choice(reading, start)
    if chosen:
        was_drafted = bool(reading.begun.draft.answers)
        why = say("typed.already_chosen", chosen=chosen, drafted=was_drafted)
    elif KEY.fullmatch(word):
        why = perspective.match.why_not(
            perspective.seat, question.decision, word, perspective.marked
        )
        nearest = find_nearest(question, word)
    key = "typed.impossible_nearest" if nearest else "typed.impossible"
    facts = {"question": ask_later(reading, question), **list_choices(question, nearest)}
    return refuse(reading, key, start, at + 1, why=why, **facts)


def find_earlier_choice(reading: Reading, start: int) -> str:
    """Return what the turn has already chosen at the question that the next words answer.

    Somebody who has begun to travel may type `fish`, which would have been another action. '' if
    the words answer no earlier question.
    """
    now = reading.now
    for step in reversed(now.match.draft_steps(now.seat)):
        question = Question.of(now.at(step.match), step.question)
        if not step.answer.forced and question.find_options(reading.text.tokens, start):
            options = [step.question.option(key) for key in step.answer.keys]
            return and_list(question.perspective.tell_option(step.question, one) for one in options)
    return ""


def ask_later(reading: Reading, question: Question) -> str:
    """Return the text of a question; '' for the first one, which its seat has read already."""
    return question.perspective.ask(question.decision) if reading.meanings else ""


def find_nearest(question: Question, word: str) -> list[str]:
    """Return the keys of the options nearest to a word, on the board or otherwise in spelling.

    There are none if nothing is near, or if a message can list all options anyway.
    """
    if len(question.labels) <= MAX_LISTED:
        return []
    board = question.perspective.match.game.places(question.perspective.view)
    refusal = question.find_refusal(word)
    spot = word
    if word not in board and refusal:
        spot = str(refusal[1].get("spot", ""))
    if spot not in board:
        from difflib import get_close_matches  # Hardly ever needed.

        # A word that the game knows a reason against is not misspelled.
        close = get_close_matches(word, question.labels, MAX_LISTED, MIN_SIMILARITY)
        return [] if refusal else close
    options = [option for option in question.decision.options if option.spot in board]
    # Somebody who types the village `g7v` is looking for villages.
    piece = word.removeprefix(spot)
    alike = [option for option in options if option.key.removeprefix(option.spot) == piece]
    nearest = sorted(alike or options, key=lambda option: dist(board[option.spot], board[spot]))
    return [option.key for option in nearest]


def list_choices(question: Question, keys: Sequence[str] = ()) -> dict[str, Any]:
    """Return facts of a refusal: the first few of these options, or of all if `keys` is empty.

    Each is written as it can be typed: the beginning of its label, or its key if other labels begin
    like that.
    """
    openings: dict[str, str] = {}
    for option in question.decision.options:
        label = question.perspective.tell_option(question.decision, option)
        openings[option.key] = FIRST_MARK.sub("", label).strip() or label
    alike = Counter(opening.casefold() for opening in openings.values())
    keys = keys or list(openings)
    shown = []
    for key in keys[:MAX_LISTED]:
        opening = openings.get(key, "")
        shown.append(opening if alike[opening.casefold()] == 1 else key.upper())
    # In every language the commas are those of a typed turn.
    return {"choices": ", ".join(shown), "more": len(keys) > MAX_LISTED}


# How a text may go on.


def suggest_turns(perspective: Perspective, typed: str) -> list[Suggestion]:
    """Return legal continuations of what has been typed, the best first."""
    if len(typed) > MAX_CHARACTERS:
        return []
    text = Text.of(typed)
    complete, dead_ends = search(Reading(text, perspective, perspective))
    readings = [*complete, *(dead_end.reading for dead_end in dead_ends)]
    reading = max(readings, key=lambda reading: reading.at)
    previous = reading.previous
    found: list[Suggestion] = []
    if not text.is_confirmed:
        is_begun = bool(reading.rest) or previous is None
        if is_begun or typed.endswith((COMMA, " ")):
            found += suggest_options(reading)
        if not is_begun and previous and not typed.endswith(COMMA):
            # The last words may be the beginning of a longer choice.
            found += suggest_options(previous)
    if not reading.rest and (finished := reading.now.match.finished(perspective.seat)):
        keys = reading.spell(finished)
        label = say("typed.confirm", typed=", ".join(keys))
        # Second, behind the best choice.
        found.insert(1, Suggestion(label, COMMA.join(keys) + CONFIRM))
    if previous is None:
        found += suggest_offers(reading)
    # A suggestion that was found twice stands where it was found last.
    by_text = {suggestion.text: suggestion for suggestion in reversed(found)}
    return list(reversed(by_text.values()))


def suggest_options(reading: Reading) -> list[Suggestion]:
    """Suggest the options of the current question that fit the last words of the text."""
    question, now = reading.question, reading.now
    if question is None:
        return []
    *chosen, part = [part.strip() for part in reading.rest.split(PLUS)]
    if len(chosen) >= question.decision.at_most or not set(chosen) <= set(question.labels):
        return []
    # How well each option fits: 0 is best.
    ranks: dict[str, int] = {}
    for key, label in question.labels.items():
        words = join_words(tokenize(label.casefold()))
        fits = (
            key == part,
            key.startswith(part) or words.startswith(part),
            part in key,
            part in words,
        )
        if any(fits) and key not in chosen:
            ranks[key] = fits.index(True)
    before = reading.spell(now.match)
    found = []
    for key in sorted(ranks, key=lambda key: ranks[key])[:MAX_SUGGESTED]:
        keys = (*chosen, key)
        forced: list[str] = []
        # The answer is not legal yet if more options have to be chosen.
        with suppress(EngineError):
            after = now.match.pick(Answer(now.seat, question.decision.kind, keys))
            forced = reading.spell(after)[len(before) + 1 :]
        label = say(
            "typed.choice",
            before=", ".join(before).upper(),
            taken=PLUS.join(chosen).upper(),
            label=question.labels[key],
            forced=", ".join(forced).upper(),
        )
        found.append(Suggestion(label, COMMA.join((*before, PLUS.join(keys), *forced))))
    return found


def suggest_offers(reading: Reading) -> list[Suggestion]:
    """Suggest the offers whose names contain the text."""
    now, typed = reading.now, reading.rest
    found = []
    for offer in now.offers:
        for option in offer.options:
            text = f"{offer.kind}{SLASH}{option.key}"
            label = say("typed.offer", offer=now.name_offer(offer), option=now.label(offer, option))
            words = join_words(tokenize(label.casefold()))
            if typed.replace(" / ", SLASH) in text or typed in words:
                found.append(Suggestion(label, text))
    return found
