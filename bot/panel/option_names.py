"""What the options of a question may be called in a typed text; typed.py says how such a text is written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct

from bot.components.parts import BUTTON_LABEL, cut
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

OTHER_NAME = "other_name"
"""The objection of a game to a key that is called otherwise."""

Form = tuple[str, ...]
"""A key or a label, word by word."""


class Reading(Enum):
    """How freely a text is read."""

    NAMED = 1
    """As keys and labels have it."""
    BEGUN = 2
    """Their beginnings too."""
    TOLD = 3
    """Where nothing is named, in words of a label in any order."""
    MIXED = 4
    """In such words also where something is named that they begin with."""


def words_in(text: str) -> Form:
    """A text or a label as its words and the marks between them; case does not matter."""
    return tuple(word.casefold() for word in spoken_in(text))


def spoken_in(text: str) -> Form:
    """The same words as they were typed."""
    words = WORD.findall(ARROW.sub(NOTHING, text))
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


def _runs(form: Form, length: int) -> list[Form]:
    """All words of a form that stand one behind the other, so many at a time."""
    return [form[at : at + length] for at in range(len(form) - length + 1)]


class Naming(Struct, frozen=True):
    """A question or an offer with all that its options may be called."""

    room: Room
    decision: Decision
    view: View
    labels: dict[str, str]
    forms: dict[str, set[Form]]
    """All that an option may be called, its label up to the first mark too."""
    whole: dict[str, set[Form]]
    """Its key, its label and its button as they stand."""
    forced: bool = False
    """The match has answered it by itself, with all its options: it can only be said once more."""

    @classmethod
    def of(cls, room: Room, decision: Decision, view: View, forced: bool = False) -> "Naming":
        """What is asked at a position."""
        wording, names = describe.words(room), plain_names(room)
        labels = {option.key: wording.option(decision, option, view, names) for option in decision.options}
        forms: dict[str, set[Form]] = {}
        whole: dict[str, set[Form]] = {}
        for option in decision.options:
            # A button shows what of it finds room there.
            button = cut(wording.option(decision, option, view, names, brief=True), BUTTON_LABEL)
            label = labels[option.key]
            said = [LAST_REMARK.sub("", label), *(head[0] for text in (label, button) if (head := HEAD.match(text)))]
            whole[option.key] = {(option.key,), words_in(label), words_in(button)} - {()}
            forms[option.key] = whole[option.key] | {*map(words_in, said)} - {()}
        return cls(room, decision, view, labels, forms, whole, forced)

    def named(self, words: Form, place: int) -> dict[int, list[str]]:
        """The options that the text names at that place, by where the name ends."""
        found: dict[int, list[str]] = {}
        # A whole label is itself before it is the beginning of another: `stay at home`.
        for named in (self.whole, self.forms):
            ends: dict[int, list[str]] = {}
            for key, forms in named.items():
                for end in {end_of(form, words, place) for form in forms} - {0}:
                    ends.setdefault(end, []).append(key)
            found = {**ends, **found}
        if words[place] in self.forms:
            # A key is itself before it is the beginning of another option's label.
            found[place + 1] = [words[place]]
        elif not found and (key := self._called(words[place])):
            found[place + 1] = [key]
        return found

    def _called(self, word: str) -> str:
        """The option that a game knows by this name as well, such as all that is there by its pieces; '' if none."""
        line = self.room.playing().game.objection(self.view, self.decision, word)
        key = line[1].get("name", "") if line is not None and line[0] == OTHER_NAME else ""
        return key if key in self.forms else ""

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

    def told(self, words: Form, place: int) -> dict[int, list[str]]:
        """The options that have these words in their labels, or are where they say: `boat 5`, `village g7`, `3 fish`.

        As many words as possible and two at least, one of them no code: a code alone stands for itself. Those that have
        the words one behind the other come before those that have them anywhere.
        """
        labels = {option.key: (*words_in(self.labels[option.key]), option.spot) for option in self.decision.options}
        longest = place + max(map(len, labels.values()), default=0)
        stop = next((at for at in range(place, len(words)) if words[at] in {COMMA, PLUS}), len(words))
        for end in range(min(stop, longest), place + 1, -1):
            said = words[place:end]
            told = set(said) - MARKS
            if len(told) < 2 or all(CODE.fullmatch(word) for word in told):
                continue
            in_a_row = [key for key, label in labels.items() if said in _runs(label, len(said))]
            if keys := in_a_row or [key for key, label in labels.items() if told <= set(label)]:
                return {end: keys}
        return {}

    def answers(self, words: Form, place: int, how: Reading) -> Iterator[tuple[list[list[str]], int]]:
        """Every way to read an answer at that place: what each part of it may mean, and where it ends."""
        if words[place] == NOTHING:
            yield [], place + 1
        found = self.named(words, place)
        if how is Reading.MIXED or (how is Reading.TOLD and not found):
            found = {**self.told(words, place), **found}
        if how is not Reading.NAMED and not found:
            found = self.begun(words, place)
        for end, keys in found.items():
            if words[end : end + 1] != (PLUS,):
                yield [keys], end
            elif end + 1 < len(words):
                yield from (([keys, *more], last) for more, last in self.answers(words, end + 1, how))

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
