"""Find the options of a question that a typed text names; typed.py says how a text is written.

Texts and names are compared as tokens: words without case, and the marks between them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import Any

from msgspec import Struct

from bot.features.play.context import SeatContext
from bot.ui.names import marked_names
from bot.ui.parts import BUTTON_LABEL, cut
from engine import Decision
from engine.core.event import Line

MAX_LISTED = 8
"""Options that a refusal lists."""

NOTHING, COMMA, PLUS, SLASH = "-", ",", "+", "/"
MARKS = {COMMA, ";", ":", "(", ")"}
"""Tokens that stand between the words of a label."""
TOKEN = re.compile(r"[^\s,;:.()!+/]+|[,;:()+/]")
ARROW = re.compile(r"(?<=\w)\s*>\s*")
"""From one place to another: a label has `M > N2` where the key is `m-n2`."""
CODE = re.compile(r"[a-z]*\d+[a-z]?")
"""A place on the board or a number of pieces: 17, g7, g7v, n1, 2b."""
FIRST_MARK = re.compile(r"[,;:(]")
LAST_REMARK = re.compile(r" \([^()]*\)$")
"""What a label says in brackets at its end, such as a price."""
OTHER_NAME = "other_name"
"""A game's objection to a key for which it has another name."""

Tokens = tuple[str, ...]
Found = tuple[list[list[str]], int]
"""An answer and where it ends: for each part of it, which `+` joins, the keys it may mean."""


class Leniency(Enum):
    """How an option may be named."""

    EXACT = 1
    """By a whole name."""
    PREFIX = 2
    """By the beginning of a name, where there is no whole one."""
    KEYWORDS = 3
    """By words of its label in any order, where there is no whole name."""
    LOOSE = 4
    """By words of its label in any order, even if they begin with a whole name."""


def tokenize(text: str) -> Tokens:
    """Split a text into tokens."""
    return tuple(token.casefold() for token in tokenize_as_typed(text))


def tokenize_as_typed(text: str) -> Tokens:
    """Split a text into tokens without changing their case."""
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
        if at < len(tokens) and tokens[at] == token:
            at += 1
        elif token != COMMA:
            return 0
    return at if at > start else 0


def find_stop(tokens: Tokens, start: int) -> int:
    """Return where the next comma or plus stands, or the text ends."""
    for at in range(start, len(tokens)):
        if tokens[at] in {COMMA, PLUS}:
            return at
    return len(tokens)


class Names(Struct, frozen=True):
    """All that one option may be called."""

    label: str
    tokens: Tokens
    """The tokens of the label."""
    by_rank: tuple[set[Tokens], ...]
    """Its label and its button in short; both of them whole; its key.

    Where the names of two options fit the same words, those of the later rank are meant.
    """


class OptionNames(Struct, frozen=True):
    """The names of all options of a question or an offer."""

    context: SeatContext
    decision: Decision
    by_key: dict[str, Names]
    is_forced: bool = False
    """The match has given the only possible answer by itself."""

    @classmethod
    def of(cls, context: SeatContext, decision: Decision, is_forced: bool = False) -> "OptionNames":
        """Collect the names of a decision's options."""
        by_key: dict[str, Names] = {}
        for option in decision.options:
            label = context.label(decision, option)
            # What a button cuts short may be typed as it is shown there.
            button = cut(context.label(decision, option, brief=True), BUTTON_LABEL)
            tokens = tokenize(label)
            shortened = (LAST_REMARK.sub("", label), _cut_at_mark(label), _cut_at_mark(button))
            short, whole = {tokenize(text) for text in shortened}, {tokens, tokenize(button)}
            by_key[option.key] = Names(label, tokens, (short, whole, {(option.key,)}))
        return cls(context, decision, by_key, is_forced)

    def find_answers(self, tokens: Tokens, start: int, leniency: Leniency) -> Iterator[Found]:
        """Yield every answer that stands at `start`, with where it ends."""
        if tokens[start] == NOTHING and not self.is_forced:
            yield [], start + 1
        for parts, end in self._find_parts(tokens, start, leniency):
            # A forced answer can only be repeated whole.
            if not self.is_forced or set(chain(*parts)) == set(self.by_key):
                yield parts, end

    def _find_parts(self, tokens: Tokens, start: int, leniency: Leniency) -> Iterator[Found]:
        """Yield every list of parts that stands at `start`."""
        found = self.find_exact(tokens, start)
        if leniency is Leniency.LOOSE or (leniency is Leniency.KEYWORDS and not found):
            found = self._find_longest(tokens, start, self._find_by_words) | found
        if leniency is not Leniency.EXACT and not found:
            found = self._find_longest(tokens, start, self._find_by_beginning)
        for end, keys in found.items():
            if tokens[end : end + 1] != (PLUS,):
                yield [keys], end
            elif end + 1 < len(tokens):
                for more, last in self._find_parts(tokens, end + 1, leniency):
                    yield [keys, *more], last

    def find_exact(self, tokens: Tokens, start: int) -> dict[int, list[str]]:
        """Return the keys of options whose whole names stand at `start`, by where these end."""
        found: dict[int, list[str]] = {}
        for rank in range(3):
            ends: dict[int, list[str]] = {}
            for key, names in self.by_key.items():
                for end in {find_end(name, tokens, start) for name in names.by_rank[rank]} - {0}:
                    ends.setdefault(end, []).append(key)
            found |= ends
        if not found:
            why, facts = self.find_objection(tokens[start]) or ("", {})
            if why == OTHER_NAME and facts["name"] in self.by_key:
                found[start + 1] = [facts["name"]]
        return found

    def find_objection(self, word: str) -> Line | None:
        """Return the game's own reason against a word, if it has one."""
        state = (self.context.earlier or self.context.draft).tip
        return self.context.match.game.objection(state, self.decision, word)

    def _find_longest(
        self, tokens: Tokens, start: int, find_keys: Callable[[Tokens], list[str]]
    ) -> dict[int, list[str]]:
        """Return the keys found by as many tokens as possible up to a comma, by where these end."""
        longest = max((len(names.tokens) for names in self.by_key.values()), default=0)
        # The code of a place may stand beside its label: `village g7`.
        stop = min(find_stop(tokens, start), start + longest + 1)
        for end in range(stop, start, -1):
            if keys := find_keys(tokens[start:end]):
                return {end: keys}
        return {}

    def _find_by_beginning(self, typed: Tokens) -> list[str]:
        """Return the keys of options that have a name beginning as typed."""
        *before, last = typed
        # A code stands for itself alone: `n`, a place out of reach, is not `nothing`.
        is_code = bool(CODE.fullmatch(last))
        if len(last) == 1:
            is_code = not self.context.words.names_all_options(self.decision.kind)

        def begins(name: Tokens) -> bool:
            if len(name) < len(typed) or list(name[: len(before)]) != before:
                return False
            word = name[len(before)]
            return word == last if is_code else word.startswith(last)

        return [
            key for key, names in self.by_key.items() if any(map(begins, chain(*names.by_rank)))
        ]

    def _find_by_words(self, typed: Tokens) -> list[str]:
        """Return the keys of options that have these words in their label, or as their place.

        There must be two words, one of them no code. Labels that have them in this order come
        before those that have them anywhere.
        """
        words = set(typed) - MARKS
        if len(words) < 2 or all(CODE.fullmatch(word) for word in words):
            return []
        text = " ".join(("", *typed, ""))
        in_order, anywhere = [], []
        for option in self.decision.options:
            label = ("", *self.by_key[option.key].tokens, option.spot, "")
            if words <= set(label):
                anywhere.append(option.key)
            if text in " ".join(label):
                in_order.append(option.key)
        return in_order or anywhere

    def list_choices(self, keys: Sequence[str] = ()) -> dict[str, Any]:
        """Return facts of a refusal: the first few of these options, or of all.

        Each is shown as it can be typed: as its label begins, or by its key if labels begin alike.
        """
        keys = keys or list(self.by_key)
        words, view = self.context.words, self.context.view
        players = marked_names(self.context.room)
        openings: dict[str, str] = {}
        for option in self.decision.options:
            label = words.option(self.decision, option, view, players)
            openings[option.key] = _cut_at_mark(label).strip() or label
        alike = Counter(opening.casefold() for opening in openings.values())
        shown = []
        for key in keys[:MAX_LISTED]:
            opening = openings.get(key, "")
            shown.append(opening if alike[opening.casefold()] == 1 else key.upper())
        # The commas are those of a typed turn, in every language.
        return {"choices": ", ".join(shown), "more": len(keys) > MAX_LISTED}


def _cut_at_mark(label: str) -> str:
    """Return a label up to its first mark."""
    return FIRST_MARK.split(label)[0]
