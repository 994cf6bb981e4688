"""The text of /play: parsed, completed, refused. Pure.

Answers of a turn are joined by `,` and the keys of one answer by `+`; `-` stands for none. Case does not matter and a
unique beginning of a word is enough, but a code of the board stands for itself alone: where `n` is a place that is out
of reach it is not `nothing`. A final `!` confirms. An offer names its kind: `reveal_card/haka!`.
"""

import re
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from bot.components.parts import CHOICE_TEXT, CHOICES, cut
from bot.errors import Refused
from bot.matches.room import Room
from bot.panel.build import closed
from bot.text import describe, listed, say
from bot.text.names import marked_names, one_line, plain_names
from engine import Answer, Decision, EngineError, Match, Option, Seat

LONGEST = 1500
"""More than any turn needs."""
NEAREST = 8
NOTHING = "-"
CODE = re.compile(r"[a-z]*\d+[a-z]?")
"""What a board prints, or a number of pieces: 17, g7, g7v, n1, 2b."""


class Plan(Struct, frozen=True):
    """A text understood: answers on top of the draft, or an offer, and whether to confirm."""

    match: Match
    """With the answers in the seat's draft; an offer is not yet taken."""
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    confirm: bool = False
    offer: bool = False

    def carried_out(self, seat: Seat) -> list[Match]:
        """The match after each step of the plan."""
        if self.offer:
            ((kind, keys),) = self.answers
            return [self.match.pick(Answer(seat, kind, keys))]
        return [self.match, self.match.confirm(seat)] if self.confirm else [self.match]


class _Walk(Struct):
    """A match as it grows while a text is read."""

    room: Room
    match: Match
    seat: Seat
    given: list[tuple[str, tuple[str, ...]]]
    forced: list[tuple[str, ...]]

    def pick(self, decision: Decision, keys: tuple[str, ...]) -> None:
        """One more answer read, with those that it forces."""
        before = len(self.match.draft(self.seat).answers)
        self.match = self.match.pick(Answer(self.seat, decision.kind, keys))
        grown = self.match.draft(self.seat).answers[before:]
        self.given.append((decision.kind, keys))
        self.forced = [answer.keys for answer in grown if answer.forced]


def parse(room: Room, seat: Seat, typed: str) -> Plan:
    """What a text asks for, checked to its end before anything is done; Refused with the nearest choices."""
    words, confirm = _split(typed)
    match = room.playing()
    if match.outcome is not None:
        raise Refused(say("typed.over"))
    if len(words) == 1 and "/" in words[0]:
        return _offer(room, match, seat, words[0], confirm)
    walk = _Walk(room, match, seat, [], [])
    for word in words:
        _read(walk, word)
    if confirm and closed(walk.match, seat) is None:
        raise Refused(_unfinished(walk))
    if not words and not confirm:
        raise Refused(say("typed.empty"))
    return Plan(walk.match, tuple(walk.given), confirm)


def only_asks(typed: str) -> bool:
    """Whether a text names an offer without taking it: then the panel asks whether to take it."""
    if len(typed) > LONGEST:
        return False
    words, confirm = _split(typed)
    return len(words) == 1 and "/" in words[0] and not confirm


def complete(room: Room, seat: Seat, typed: str) -> list[tuple[str, str]]:
    """Legal continuations of what has been typed: (name, the whole text) each, best first."""
    if room.match is None or len(typed) > LONGEST:
        return []
    head, _, last = typed.rpartition(",")
    walk = _Walk(room, room.match, seat, [], [])
    try:
        words, confirm = _split(head)
        for word in words:
            _read(walk, word)
    except (Refused, EngineError):
        return []
    if confirm:
        return []
    last = last.strip().casefold()
    going_on = _continued(walk, words, last)
    endings = _endings(walk, words, last.rstrip("! "))
    found = going_on[:1] + endings + going_on[1:] + _offers(walk, words, last)
    return [(cut(name, CHOICE_TEXT), value) for name, value in found if len(value) <= CHOICE_TEXT][:CHOICES]


def _split(typed: str) -> tuple[list[str], bool]:
    if len(typed) > LONGEST:
        raise Refused(say("typed.too_long", most=LONGEST))
    typed = typed.strip()
    confirm = typed.endswith("!")
    words = [word.strip().casefold() for word in typed.rstrip("! ").split(",")]
    return [word for word in words if word], confirm


def _read(walk: _Walk, word: str) -> None:
    """Read one answer; a key of the question itself comes before what its beginning could stand for."""
    question = walk.match.question(walk.seat)
    keys = () if word == NOTHING else tuple(part.strip() for part in word.split("+"))
    is_exact = question is not None and set(keys) <= {option.key for option in question.options}
    if not is_exact and keys in walk.forced:
        # Typed though it went without saying.
        walk.forced.remove(keys)
        return
    if question is None:
        raise Refused(_too_much(walk, word))
    if not is_exact:
        keys = tuple(_key(walk.room, question, key) for key in keys)
    try:
        walk.pick(question, keys)
    except EngineError as error:
        raise Refused(say("typed.refused", word=_shown(word), why=error)) from error


def _key(room: Room, decision: Decision, word: str) -> str:
    known = [option.key for option in decision.options]
    if word in known:
        return word
    begun = [key for key in known if key.startswith(word)] if _is_beginning(room, decision, word) else []
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise Refused(say("typed.ambiguous", word=_shown(word), **_few(begun)))
    question = describe.words(room).question(decision, marked_names(room))
    if len(known) <= NEAREST:
        raise Refused(say("typed.impossible", word=_shown(word), question=question, keys=known))
    nearest = _few(get_close_matches(word, known, NEAREST, 0.3) or known)
    raise Refused(say("typed.impossible_nearest", word=_shown(word), question=question, **nearest))


def _is_beginning(room: Room, decision: Decision, word: str) -> bool:
    """Whether a text may stand for a longer key, rather than for something that is not possible now."""
    if len(word) == 1:
        return describe.words(room).names_all_options(decision.kind)
    return bool(word) and not CODE.fullmatch(word)


def _offer(room: Room, match: Match, seat: Seat, word: str, confirm: bool) -> Plan:
    """An offer by its kind and its keys: 'reveal_card/haka'."""
    kind, rest = (part.strip() for part in word.split("/", 1))
    offers = match.offers(seat)
    exact = [offer for offer in offers if offer.kind == kind]
    found = exact or [offer for offer in offers if offer.kind.startswith(kind)]
    if len(found) != 1:
        raise Refused(say("typed.not_offered", word=_shown(word), kinds=listed(offer.kind for offer in offers)))
    offer, parts = found[0], [] if rest == NOTHING else rest.split("+")
    keys = tuple(_key(room, offer, part.strip()) for part in parts)
    try:
        offer.check(keys)
    except EngineError as error:
        raise Refused(say("typed.refused", word=_shown(word), why=error)) from error
    return Plan(match, ((offer.kind, keys),), confirm, offer=True)


def _too_much(walk: _Walk, word: str) -> str:
    if walk.given:
        return say("typed.turn_is_complete", word=_shown(word))
    if walk.match.draft(walk.seat).answers:
        return say("typed.draft_is_complete", word=_shown(word))
    return say("typed.not_your_turn", turn=describe.whose_turn(walk.room))


def _unfinished(walk: _Walk) -> str:
    decision = walk.match.question(walk.seat)
    if decision is None:
        return say("typed.nothing_to_confirm")
    question = describe.words(walk.room).question(decision, marked_names(walk.room))
    return say("typed.unfinished", question=question, **_few([option.key for option in decision.options]))


def _few(keys: list[str]) -> dict[str, Any]:
    """The first keys of many, and whether there are more: facts of a text."""
    return {"keys": keys[:NEAREST], "more": len(keys) > NEAREST}


def _shown(word: str) -> str:
    """A word as it was typed, what cannot be seen marked; an empty one stands beside a `+`."""
    seen = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in word)
    return one_line(seen, 40).replace("`", "'").upper() or "+"


def _endings(walk: _Walk, words: list[str], last: str) -> list[tuple[str, str]]:
    """The text as it stands with a `!`, if that makes a whole turn."""
    ended = _Walk(walk.room, walk.match, walk.seat, list(walk.given), list(walk.forced))
    try:
        if last:
            _read(ended, last)
    except (Refused, EngineError):
        return []
    if closed(ended.match, walk.seat) is None:
        return []
    whole = [*words, last] if last else words
    # The commas are those of a typed turn, in every language.
    return [(say("typed.confirm", typed=", ".join(whole)), ",".join(whole) + "!")]


def _continued(walk: _Walk, words: list[str], last: str) -> list[tuple[str, str]]:
    """The text with its last part completed: exact keys first, then beginnings, then what has it in key or label."""
    question = walk.match.question(walk.seat)
    if question is None or last.endswith("!"):
        return []
    done, _, part = last.rpartition("+")
    part = part.strip()
    taken = done.split("+") if done else []
    if len(taken) >= question.at_most:
        return []
    wording, names, view = describe.words(walk.room), plain_names(walk.room), walk.match.view(walk.seat)
    ranked: tuple[list[tuple[Option, str]], ...] = ([], [], [], [])
    for option in question.options:
        label = wording.option(question, option, view, names)
        if option.key in taken:
            continue
        if option.key == part:
            ranked[0].append((option, label))
        elif option.key.startswith(part):
            ranked[1].append((option, label))
        elif part in option.key:
            ranked[2].append((option, label))
        elif part in label.casefold():
            ranked[3].append((option, label))
    head = "".join(f"{word}, " for word in words).upper() + (f"{done}+".upper() if done else "")
    before = "".join(f"{word}," for word in words) + (f"{done}+" if done else "")
    return [(head + label, before + option.key) for found in ranked for option, label in found]


def _offers(walk: _Walk, words: list[str], last: str) -> list[tuple[str, str]]:
    """What may be taken at any time, as long as nothing else has been typed."""
    if words:
        return []
    wording, names, view = describe.words(walk.room), plain_names(walk.room), walk.match.view(walk.seat)
    found = []
    for offer in walk.match.offers(walk.seat):
        for option in offer.options:
            value = f"{offer.kind}/{option.key}"
            label = wording.option(offer, option, view, names)
            name = say("typed.offer", offer=wording.question(offer, names), option=label)
            if last in value or last in name.casefold():
                found.append((name, value))
    return found
