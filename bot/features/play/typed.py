"""Moves written as text: read as a turn such as `9,l,s4!`, or continued by suggestions.

A text is a turn, choice by choice. Blanks part choices as commas do, case does not matter, and a
final `!` confirms. `+` joins the choices of one answer, `-` stands for none.

- A choice is named by its key, by its label or its button, or by the beginning of these up to the
  first mark: `m-n2`, `M > N2 (turtle), own route`, `M > N2`.
- A game may know a choice by another name, as its objection `other_name` says: `2t1b` is `all` if
  that is all there is.
- A unique beginning of a key or a label is enough. But a code of the board stands for itself alone:
  where `n` is a place out of reach, it is not `nothing`.
- Where nothing of that fits, two or more words of a label in any order name it: `boat 5`, `3 fish`.
- Labels have blanks too, so what takes the most of the text is tried first. A mark is part of a
  name only where the label has it, and the commas of a label may be left out. If a text can be read
  in several ways, the one is meant whose choices end at commas; if that does not decide it, the
  text is refused.
- Forced answers may be typed or left out. A choice that repeats a forced answer is that answer.
- An offer comes alone and is named first: `reveal_card/haka!`, `reveal a card: haka!`.

The way through a text: split it into tokens; from the first one on, find every name of an option
that stands there (`Question`), answer with it and go on behind it (`Reading`), until the text ends;
of all ways that lead to the end, choose the one that is meant (`parse`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import chain
from math import dist
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play.panel import KEY, SeatContext, finish_draft, list_draft_steps
from bot.kernel.room import Room
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import BUTTON_LABEL, CHOICE_TEXT, CHOICES, cut, describe, one_line
from engine import Answer, Decision, EngineError, Match, Option, Seat
from engine.core.event import Line

MAX_CHARACTERS = 1500
"""Characters of a text: more than any turn needs."""
MAX_EXAMPLE_ANSWERS = 12
"""Answers of the example that is given for an empty text."""
MAX_LISTED = 8
"""Options that a refusal lists."""
MAX_QUOTED_CHARACTERS = 40
MIN_SIMILARITY = 0.5
"""From which on a word passes for a misspelling of another; 1 means that they are equal."""

NOTHING, COMMA, PLUS, SLASH = "-,+/"
END = ""
"""The last token of every text."""
MARKS = {COMMA, ":", ";", "(", ")", END}
"""Tokens that stand between the words of a label."""
TOKEN = re.compile(r"[^\s,;:.()!+/]+|[,;:()+/]")
ARROW = re.compile(r"(?<=\w)\s*>\s*")
"""From one place to another: a label has `M > N2` where the key is `m-n2`."""
CODE = re.compile(r"[a-z]*\d+[a-z]?")
"""A place on the board or a number of pieces: 17, g7, g7v, n1, 2b."""
FIRST_MARK = re.compile(r"(?s)[,;:(].*")
"""A label from its first mark on."""
LAST_REMARK = re.compile(r" \([^()]*\)$")
"""What a label says in brackets at its end, such as a price."""
OTHER_NAME = "other_name"
"""A game's objection to a key for which it has another name."""

BEGINNING_GUESSED, WORD_GUESSED = 1, 1000
"""How daring it is to understand the beginning of a name, and each word of a label in any order.

Words come last: by them the label `canoe, face down (1)` could also be two choices, for `face down`
are words of a label.
"""

Tokens = tuple[str, ...]
Suggestion = tuple[str, str]
"""What the menu shows, and the whole text that it stands for."""


def tokenize(text: str) -> Tokens:
    """Split a text into words and the marks between them, without commas at its end."""
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


def join_words(tokens: Tokens) -> str:
    """Return the words among tokens as a text without marks."""
    return " ".join(token for token in tokens if token not in MARKS)


def find_stop(tokens: Tokens, start: int) -> int:
    """Return where the next comma or plus stands, or the text ends."""
    return next(at for at in range(start, len(tokens)) if tokens[at] in {COMMA, PLUS, END})


# One question: which of its options does a text name?


class Meaning(Struct, frozen=True):
    """An answer that some words of a text may mean."""

    question: "Question"
    start: int
    end: int
    """Where the words begin and end."""
    parts: tuple[list[str], ...] = ()
    """For each part of the answer, which `+` joins, the keys that it may mean."""
    guesses: int = 0
    """How daring it is to understand the words so; 0 if they are whole names."""


class Question(Struct, frozen=True):
    """A question or an offer, with all that its options may be called."""

    context: SeatContext
    """The seat, at the position in which it is asked."""
    decision: Decision
    labels: dict[str, str]
    names: list[tuple[int, Tokens, Option]]
    """The rank of a name, the name, and the option that is called so.

    Labels and buttons in short rank lowest, then the whole ones, then keys. Where the names of two
    options fit the same words, that of the higher rank is meant.
    """
    is_forced: bool = False
    """The match has given the only possible answer by itself."""

    @classmethod
    def of(cls, context: SeatContext, decision: Decision, is_forced: bool = False) -> "Question":
        """Collect the names of a decision's options."""
        labels = {option.key: context.label(decision, option) for option in decision.options}
        names: list[tuple[int, Tokens, Option]] = []
        for option in decision.options:
            label = labels[option.key]
            # What a button cuts short may be typed as it is shown there.
            button = cut(context.label(decision, option, brief=True), BUTTON_LABEL)
            openings = [FIRST_MARK.sub("", text) for text in (label, button)]
            ranks = ([LAST_REMARK.sub("", label), *openings], [label, button], [option.key])
            for rank, texts in enumerate(ranks):
                names += [(rank, tokenize(text.casefold()), option) for text in texts]
        return cls(context, decision, labels, names, is_forced)

    def find_meanings(self, tokens: Tokens, start: int) -> Iterator[Meaning]:
        """Yield every answer that the words from `start` on may mean."""
        if tokens[start] == NOTHING and not self.is_forced:
            yield Meaning(self, start, start + 1)
        unfinished = [Meaning(self, start, start)]
        while unfinished:
            before = unfinished.pop()
            for end, (guesses, keys) in self.find_options(tokens, before.end).items():
                parts = (*before.parts, keys)
                meaning = Meaning(self, start, end, parts, before.guesses + guesses)
                if tokens[end] == PLUS:
                    unfinished.append(replace(meaning, end=end + 1))
                # A forced answer can only be repeated whole.
                elif not self.is_forced or set(chain(*parts)) == set(self.labels):
                    yield meaning

    def find_options(self, tokens: Tokens, start: int) -> dict[int, tuple[int, list[str]]]:
        """Return what the words at `start` may mean, by where these words end.

        It comes with how daring it is to understand them so: the least daring way for each end.
        """
        longest = max((len(name) for _, name, _ in self.names), default=0)
        # The code of a place may stand beside its label: `village g7`.
        stop = min(find_stop(tokens, start), start + longest + 1)
        fits = [
            (find_end(name, tokens, start), -rank, option.key) for rank, name, option in self.names
        ]
        has_whole_name = any(end for end, _, _ in fits)
        if not has_whole_name:
            why, facts = self.find_objection(tokens[start]) or ("", {})
            if why == OTHER_NAME and facts["name"] in self.labels:
                return {start + 1: (0, [facts["name"]])}
        # The longest guess only: a shorter one would leave words of the same name unread.
        for end in range(stop, start, -1):
            guessed = [(end, *guess) for guess in self._guess(tokens[start:end], has_whole_name)]
            if guessed:
                fits += guessed
                break
        found: dict[int, tuple[int, list[str]]] = {}
        for end, guesses, key in fits:
            least, keys = found.setdefault(end, (guesses, []))
            if guesses < least:
                found[end] = guesses, [key]
            elif guesses == least and key not in keys:
                keys.append(key)
        # Names that do not stand there end at 0.
        found.pop(0, None)
        return {end: (max(0, guesses), keys) for end, (guesses, keys) in found.items()}

    def _guess(self, typed: Tokens, has_whole_name: bool) -> Iterator[tuple[int, str]]:
        """Yield how daring it is to guess an option that words do not spell out, and its key.

        Either a name begins so, which counts only where no whole name stands. Or a name has all the
        words, which may name the option's place too: there must be two, one of them no code, and it
        is less daring if they are in order.
        """
        *before, last = typed
        # A code stands for itself alone: `n`, a place out of reach, is not `nothing`.
        is_code = bool(CODE.fullmatch(last))
        if len(last) == 1:
            is_code = not self.context.words.names_all_options(self.decision.kind)
        words = set(typed) - MARKS
        are_words = len(words) > 1 and not all(map(CODE.fullmatch, words))
        text = " ".join(("", *typed, ""))
        for _, name, option in self.names:
            word = "".join(name[len(before) : len(typed)])
            is_begun = word == last if is_code else word.startswith(last)
            if is_begun and not has_whole_name and name[: len(before)] == typed[:-1]:
                yield BEGINNING_GUESSED, option.key
            if are_words and words <= {*name, option.spot}:
                label = " ".join(("", *name, option.spot, ""))
                yield WORD_GUESSED * len(typed) + (text not in label), option.key

    def find_objection(self, word: str) -> Line | None:
        """Return the game's own reason against a word, if it has one."""
        match = self.context.match
        return match.game.objection(match.tip(self.context.seat), self.decision, word)

    def find_nearest(self, word: str) -> list[str]:
        """Return the keys of the options nearest to a word, on the board or else in spelling.

        Returns none if nothing is near, or if a message can list all options anyway.
        """
        if len(self.labels) <= MAX_LISTED:
            return []
        board = self.context.match.game.places(self.context.view)
        objection = self.find_objection(word)
        spot = word
        if word not in board and objection:
            spot = str(objection[1].get("spot", ""))
        if spot not in board:
            # A word that the game has a reason against is no misspelling.
            close = get_close_matches(word, self.labels, MAX_LISTED, MIN_SIMILARITY)
            return [] if objection else close
        options = [option for option in self.decision.options if option.spot in board]
        # Somebody who types the village `g7v` is looking for villages.
        piece = word.removeprefix(spot)
        alike = [option for option in options if option.key.removeprefix(option.spot) == piece]
        nearest = sorted(alike or options, key=lambda option: dist(board[option.spot], board[spot]))
        return [option.key for option in nearest]

    def list_choices(self, keys: Sequence[str] = ()) -> dict[str, Any]:
        """Return facts of a refusal: the first few of these options, or of all.

        Each is shown as it can be typed: as its label begins, or by its key if labels begin alike.
        """
        context, openings = self.context, dict[str, str]()
        for option in self.decision.options:
            label = context.words.option(self.decision, option, context.view, context.marked)
            openings[option.key] = FIRST_MARK.sub("", label).strip() or label
        alike = Counter(opening.casefold() for opening in openings.values())
        keys = keys or list(openings)
        shown = []
        for key in keys[:MAX_LISTED]:
            opening = openings.get(key, "")
            shown.append(opening if alike[opening.casefold()] == 1 else key.upper())
        # The commas are those of a typed turn, in every language.
        return {"choices": ", ".join(shown), "more": len(keys) > MAX_LISTED}


# A text, answer by answer.


class Reading(Struct, frozen=True):
    """A typed text that has been read up to some token."""

    context: SeatContext
    """The seat, with the answers read so far in its draft, or with the offer taken."""
    typed: str
    tokens: Tokens
    drafted_before: int
    """How many answers were in the draft before those of the text."""
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
    guesses: int = 0
    """How daring it is to understand the answers so; 0 if all were named in full."""
    pending: tuple[Question, ...] = ()
    """Questions with forced answers that followed the last answer; the text may repeat these."""
    previous: "Reading | None" = None
    """The reading before its last answer."""

    @classmethod
    def begin(cls, room: Room, seat: Seat, typed: str) -> "Reading":
        """Return a text of which nothing has been read yet."""
        context = SeatContext.of(room, seat)
        tokens = (*tokenize(typed.casefold()), END)
        return cls(context, typed, tokens, len(context.draft.answers))

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
    def start(self) -> int:
        """Where the next words begin."""
        start = self.at
        while self.tokens[start] == COMMA:
            start += 1
        return start

    @property
    def rest(self) -> str:
        """The words still to be read, without marks."""
        return join_words(self.tokens[self.at :])

    def apply(self) -> list[Match]:
        """Return the match after each step of what the text asks for."""
        if self.is_confirmed and not self.offer:
            return [self.match, self.match.confirm(self.seat)]
        return [self.match]

    def spell(self, match: Match) -> list[str]:
        """Return the answers drafted since the text began, in keys."""
        answers = match.draft(self.seat).answers[self.drafted_before :]
        return [PLUS.join(answer.keys) or NOTHING for answer in answers]

    def find_question(self) -> Question | None:
        """Return what the text answers next."""
        if self.offer:
            # An offer has nothing to do with what the seat has drafted.
            return Question.of(self.context.at(self.match.without_drafts()), self.offer)
        question = self.context.question
        return Question.of(self.context, question) if question else None

    def find_offer(self) -> "Reading":
        """Read the offer that the text names at its beginning, if it names one.

        It is named by its kind or a unique beginning of it, and a slash; or by its question.
        """
        tokens, offers = self.tokens, self.match.offers(self.seat)
        if tokens[1:2] == (SLASH,):
            named = [offer for offer in offers if offer.kind == tokens[0]]
            named = named or [offer for offer in offers if offer.kind.startswith(tokens[0])]
            if len(named) == 1:
                return replace(self, offer=named[0], at=2)
        by_end = {}
        for offer in offers:
            name = tokenize(self.context.name_offer(offer).casefold())
            by_end[find_end(name, tokens, 0)] = offer
        end = max(by_end, default=0)
        if not end:
            return self
        return replace(self, offer=by_end[end], at=end + (tokens[end] in {SLASH, ":"}))

    def find_meanings(self) -> list[Meaning]:
        """Return the answers that the next words may mean, the longest last."""
        asked = self.find_question()
        found: dict[int, Meaning] = {}
        for question in (*self.pending, asked) if asked else self.pending:
            for meaning in question.find_meanings(self.tokens, self.start):
                known = found.setdefault(meaning.end, meaning)
                if meaning.guesses < known.guesses:
                    found[meaning.end] = meaning
                elif meaning.guesses == known.guesses > 0 and meaning is not known:
                    # The beginning of a name may be meant to repeat a forced answer or to give the
                    # next one: that is ambiguous.
                    keys = [*chain(*known.parts, *meaning.parts)]
                    found[meaning.end] = replace(known, parts=(keys,))
        return [found[end] for end in sorted(found)]

    def answer(self, meaning: Meaning) -> "Reading":
        """Return the reading with one more answer; raises Refused if it cannot be given."""
        question, start, end = meaning.question, meaning.start, meaning.end
        is_parted = self.tokens[end] in {COMMA, END}
        if self.offer and self.tokens[end] != END:
            # An offer comes alone.
            raise self._refuse("typed.turn_is_complete", end + is_parted, end + is_parted + 1)
        for keys in meaning.parts:
            if len(keys) > 1:
                raise self._refuse("typed.ambiguous", start, end, **question.list_choices(keys))
        reading = replace(
            self,
            at=end,
            count=self.count + 1,
            run_together=self.run_together + (not is_parted),
            guesses=self.guesses + meaning.guesses,
            previous=self,
        )
        if question.is_forced:
            return replace(reading, pending=self.pending[self.pending.index(question) + 1 :])
        answer = Answer(self.seat, question.decision.kind, tuple(key for (key,) in meaning.parts))
        try:
            match = self.match.pick(answer)
        except EngineError as error:
            raise self._refuse("typed.refused", start, end, why=error) from error
        pending = []
        for step in list_draft_steps(match, self.seat)[len(self.context.draft.answers) + 1 :]:
            then = replace(match, drafts={**match.drafts, self.seat: step.before})
            pending.append(Question.of(self.context.at(then), step.question, is_forced=True))
        return replace(
            reading,
            context=self.context.at(match),
            answers=(*self.answers, (answer.kind, answer.keys)),
            pending=tuple(pending),
        )

    # Why a text is refused.

    def refuse_unfinished(self) -> Refused:
        """Return the refusal of a text that ends before its turn or its offer is complete."""
        question = self.find_question()
        if question is None:
            return Refused("typed.nothing_to_confirm")
        return Refused("typed.unfinished", question=self._ask(question), **question.list_choices())

    def _refuse(self, key: str, start: int, end: int, **facts: Any) -> Refused:
        """Return a refusal that quotes the words from `start` to `end`, and numbers the answer.

        The number of the answer is 0 if it is the only one.
        """
        is_alone = not self.count and not set(self.tokens[end:]) - {COMMA, END}
        word = quote(" ".join(tokenize(self.typed)[start:end]) or PLUS)
        return Refused(key, part=0 if is_alone else self.count + 1, word=word, **facts)

    def refuse_unknown(self) -> Refused:
        """Return the refusal of the next words, which name no option, with the reason."""
        question, start = self.find_question(), self.start
        if question is None and self.count:
            return self._refuse("typed.turn_is_complete", start, start + 1)
        if question is None and self.drafted_before:
            return self._refuse("typed.draft_is_complete", start, start + 1)
        if question is None:
            return Refused("typed.not_your_turn", turn=describe.whose_turn(self.context.room))
        # Of several options of one answer the first may be possible.
        while found := question.find_options(self.tokens, start):
            start = max(found) + 1
        # In `boat 5` the game may have a reason against the 5.
        words = range(start, find_stop(self.tokens, start))
        at = next((at for at in words if question.find_objection(self.tokens[at])), start)
        word = self.tokens[at]
        nearest: list[str] = []
        why = say("typed.no_name")
        if KEY.fullmatch(word):
            why = self.match.why_not(self.seat, question.decision, word, self.context.marked)
            nearest = question.find_nearest(word)
        key = "typed.impossible_nearest" if nearest else "typed.impossible"
        facts = question.list_choices(nearest)
        return self._refuse(key, start, at + 1, question=self._ask(question), why=why, **facts)

    def _ask(self, question: Question) -> str:
        """Return a question in words; '' for the first one, which the panel asks anyway."""
        return question.context.ask(question.decision) if self.count else ""


def quote(text: str) -> str:
    """Return what somebody typed in a form that mentions nobody and hides nothing."""
    visible = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return one_line(visible, MAX_QUOTED_CHARACTERS).replace("`", "'").replace("@", "@\u200b")


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
    begun = begun.find_offer()
    if SLASH in begun.tokens and not begun.offer:
        word = quote("".join(tokenize(typed)))
        why = begun.context.words.none(begun.tokens[0])
        kinds = ", ".join(offer.kind for offer in begun.match.offers(seat))
        raise Refused("typed.not_offered", word=word, why=why, kinds=kinds)
    if begun.offer and not begun.rest:
        raise begun.refuse_unfinished()
    complete, failures = _read_on(begun)
    if not complete:
        # The reading that came furthest explains best.
        failures.sort(key=lambda failure: failure[0].at)
        raise failures[-1][1]
    best = min(map(_rank, complete))
    meant = {
        COMMA.join(reading.spell(reading.match)): reading
        for reading in complete
        if _rank(reading) == best
    }
    if len(meant) > 1:
        ways = " ".join(f"`{keys}`" for keys in meant)
        raise Refused("typed.several_readings", ways=ways)
    (reading,) = meant.values()
    if begun.is_confirmed and not begun.offer and finish_draft(reading.match, seat) is None:
        raise reading.refuse_unfinished()
    return reading


def _read_on(begun: Reading) -> tuple[list[Reading], list[tuple[Reading, Refused]]]:
    """Return the least daring ways to read a text to its end, and those that stop before it."""
    complete: list[Reading] = []
    failures: list[tuple[Reading, Refused]] = []
    waiting = [begun]
    while waiting:
        # The least daring is the last, and of several such the one that was found last.
        waiting.sort(key=lambda reading: reading.guesses, reverse=True)
        reading = waiting.pop()
        if complete and reading.guesses > complete[0].guesses:
            break
        if not reading.rest:
            complete.append(reading)
            continue
        meanings = reading.find_meanings()
        if not meanings:
            failures.append((reading, reading.refuse_unknown()))
        for meaning in meanings:
            try:
                waiting.append(reading.answer(meaning))
            except Refused as refused:
                failures.append((reading, refused))
    return complete, failures


def _rank(reading: Reading) -> tuple[int, ...]:
    """Return how well a reading fits what people mean: the lowest is best."""
    parts = [part for part in reading.typed.rstrip(" !").split(COMMA) if part.strip()]
    return (
        # Somebody who confirms means a whole turn.
        reading.is_confirmed and finish_draft(reading.match, reading.seat) is None,
        # Somebody who types commas ends every choice at one. A label has commas too, and may begin
        # like another choice: `G8, open K10` does not end with `open` and `k10`.
        reading.run_together if COMMA in reading.tokens else 0,
        # If there is a comma behind each choice, there are as many choices as parts between commas.
        reading.count != len(parts),
    )


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


# How a text may go on.


def suggest_moves(room: Room, seat: Seat, typed: str) -> list[Suggestion]:
    """Return legal continuations of what has been typed, the best first."""
    if room.match is None or len(typed) > MAX_CHARACTERS:
        return []
    complete, failures = _read_on(Reading.begin(room, seat, typed))
    reading = max([*complete, *(failed for failed, _ in failures)], key=lambda read: read.at)
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


def _suggest_options(reading: Reading) -> list[Suggestion]:
    """Suggest the options of the current question that fit the last words of the text."""
    question = reading.find_question()
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
            label=question.labels[key],
            forced=", ".join(forced).upper(),
        )
        found.append((name, COMMA.join((*before, PLUS.join(keys), *forced))))
    return found


def _suggest_offers(reading: Reading) -> list[Suggestion]:
    """Suggest the offers whose names have the text in them."""
    context, typed = reading.context, reading.rest
    found = []
    for offer in reading.match.offers(reading.seat):
        for option in offer.options:
            text = f"{offer.kind}{SLASH}{option.key}"
            name = say(
                "typed.offer", offer=context.name_offer(offer), option=context.label(offer, option)
            )
            words = join_words(tokenize(name.casefold()))
            if typed.replace(" / ", SLASH) in text or typed in words:
                found.append((name, text))
    return found
