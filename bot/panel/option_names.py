"""What the options of a question may be called in a typed text; typed.py says how such a text is written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from bot.matches.room import Room
from bot.text import describe
from bot.text.names import marked_names, plain_names
from engine import Decision, View

NOTHING, COMMA, PLUS, SLASH = "-", ",", "+", "/"
MARKS = {COMMA, ";", ":", "(", ")"}
"""What a label has between its words."""
CODE = re.compile(r"[a-z]*\d+[a-z]?")
"""What a board prints, or a number of pieces: 17, g7, g7v, n1, 2b."""
WORD = re.compile(r"[^\s,;:.()!+/]+|[,;:()+/]")
ARROW = re.compile(r"(?<=\w)\s*>\s*")
"""From one place to another: `M > N2` is `m-n2`."""
HEAD = re.compile(r"[^,;:(]+")
"""A label up to its first mark."""
LAST_REMARK = re.compile(r" \([^()]*\)$")
"""What a label says in brackets at its end: a price."""

Form = tuple[str, ...]
"""A key or a label, word by word."""


def words_in(text: str) -> Form:
    """A text or a label as its words and the marks between them."""
    words = WORD.findall(ARROW.sub(NOTHING, text.casefold()))
    while words[-1:] == [COMMA]:
        del words[-1]
    return tuple(words)


def end_of(form: Form, words: Form, place: int) -> int:
    """Where a form ends that stands in the text at that place, 0 if it does not; its commas may be left out."""
    for word in form:
        if place < len(words) and words[place] == word:
            place += 1
        elif word != COMMA:
            return 0
    return place


class Naming(Struct, frozen=True):
    """A question or an offer with all that its options may be called."""

    room: Room
    decision: Decision
    view: View
    labels: dict[str, str]
    forms: dict[str, set[Form]]
    forced: bool = False
    """The match has answered it by itself, with all its options: it can only be said once more."""

    @classmethod
    def of(cls, room: Room, decision: Decision, view: View, forced: bool = False) -> "Naming":
        """What is asked at a position."""
        wording, names = describe.words(room), plain_names(room)
        labels = {option.key: wording.option(decision, option, view, names) for option in decision.options}
        forms: dict[str, set[Form]] = {}
        for option in decision.options:
            label, button = labels[option.key], wording.option(decision, option, view, names, brief=True)
            said = [LAST_REMARK.sub("", label), *(head[0] for text in (label, button) if (head := HEAD.match(text)))]
            forms[option.key] = {(option.key,), *map(words_in, (label, button, *said))} - {()}
        return cls(room, decision, view, labels, forms, forced)

    def named(self, words: Form, place: int) -> dict[int, list[str]]:
        """The options that the text names at that place, by where the name ends."""
        found: dict[int, list[str]] = {}
        for key, forms in self.forms.items():
            for end in {end_of(form, words, place) for form in forms} - {0}:
                found.setdefault(end, []).append(key)
        if words[place] in self.forms:
            # A key is itself before it is the beginning of another option's label.
            found[place + 1] = [words[place]]
        return found

    def begun(self, words: Form, place: int) -> dict[int, list[str]]:
        """The options of which the text is the beginning, as much of it as possible and no more than up to a comma."""
        longest = max((len(form) for forms in self.forms.values() for form in forms), default=0)
        rest = words[: place + longest]
        stop = next((at for at in range(place, len(rest)) if rest[at] in {COMMA, PLUS}), len(rest))
        for end in range(stop, place, -1):
            said = words[place:end]
            if keys := [key for key, forms in self.forms.items() if any(self._begins(said, form) for form in forms)]:
                return {end: keys}
        return {}

    def _begins(self, said: Form, form: Form) -> bool:
        *before, word = said
        if len(form) < len(said) or form[: len(before)] != tuple(before):
            return False
        whole = form[len(before)]
        if len(word) == 1:
            is_code = not describe.words(self.room).names_all_options(self.decision.kind)
        else:
            is_code = bool(CODE.fullmatch(word))
        return whole == word or (whole.startswith(word) and not is_code)

    def answers(self, words: Form, place: int, loosely: bool) -> Iterator[tuple[list[list[str]], int]]:
        """Every way to read an answer at that place: what each part of it may mean, and where it ends."""
        if words[place] == NOTHING:
            yield [], place + 1
        found = self.named(words, place)
        if loosely and not found:
            found = self.begun(words, place)
        for end, keys in found.items():
            if words[end : end + 1] != (PLUS,):
                yield [keys], end
            elif end + 1 < len(words):
                yield from (([keys, *more], last) for more, last in self.answers(words, end + 1, loosely))

    def shown(self, keys: Iterable[str]) -> str:
        """Options for a message, as they can be typed: as their labels begin, or by key where labels begin alike."""
        wording, names = describe.words(self.room), marked_names(self.room)
        heads: dict[str, str] = {}
        for option in self.decision.options:
            label = wording.option(self.decision, option, self.view, names)
            head = HEAD.match(label)
            heads[option.key] = head[0].strip() if head else label
        alike = Counter(head.casefold() for head in heads.values())
        # The commas are those of a typed turn, in every language.
        return ", ".join(
            heads[key] if key in heads and alike[heads[key].casefold()] == 1 else key.upper() for key in keys
        )
