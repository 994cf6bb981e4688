"""The text of /play: read, completed, refused. Pure.

A text is a turn, choice by choice: `9,l,s4!`. Blanks part choices as commas do, case does not matter, and a final `!`
confirms. `+` joins the choices of one answer, `-` stands for none.

- A choice is written as its key, as its label or its button says it, or as they begin up to the first mark: `m-n2`,
  `M > N2 (turtle), own route`, `M > N2`.
- What a game knows by another name (its objection `other_name`) is what it names: `2t1b` is `all` if that is all.
- A unique beginning of a key or a label is enough, but a code of the board stands for itself alone: where `n` is a
  place that is out of reach it is not `nothing`.
- Where nothing of that fits, two or more words of a label in any order name it: `boat 5`, `3 fish`.
- Blanks also stand in labels: what takes the most of the text is tried first. A mark is inside a name only where the
  label has it, and of the label's marks the commas may be left out. Of several ways to read a text to its end the one
  is meant whose choices end at commas; if that does not tell them apart, it is refused with both.
- Answers that go without saying may be written or left out; a choice that repeats such an answer is that answer.
- An offer comes alone and names itself first: `reveal_card/haka!`, `reveal a card: haka!`.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from math import dist
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.parts import CHOICE_TEXT, CHOICES, cut
from bot.errors import Refused
from bot.matches.room import Room
from bot.panel.build import closed
from bot.panel.option_names import (
    COMMA,
    MARKS,
    NOTHING,
    PLUS,
    SLASH,
    Form,
    Naming,
    Reading,
    end_of,
    spoken_in,
    words_in,
)
from bot.text import describe, say
from bot.text.names import marked_names, one_line, plain_names
from engine import Answer, Decision, EngineError, Match, Seat

LONGEST = 1500
"""More than any turn needs."""
NEAREST = 8


class TypedTurn(Struct, frozen=True):
    """A text understood: answers on top of the draft, or an offer, and whether to confirm."""

    match: Match
    """With the answers in the seat's draft; an offer is not yet taken."""
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    confirm: bool = False
    offer: bool = False

    def carried_out(self, seat: Seat) -> list[Match]:
        """The match after each step of it."""
        if self.offer:
            ((kind, keys),) = self.answers
            return [self.match.pick(Answer(seat, kind, keys))]
        return [self.match, self.match.confirm(seat)] if self.confirm else [self.match]


class _Walk(Struct, frozen=True):
    """A match as it has grown by the words of a text up to a place."""

    room: Room
    begun: Match
    match: Match
    seat: Seat
    words: Form
    spoken: Form
    """The words as they were typed, for what is said about them."""
    how: tuple[Reading, ...] = (Reading.NAMED, Reading.BEGUN)
    """How freely it is read: of these the first that fits."""
    place: int = 0
    parts: int = 0
    """How many answers were read."""
    run_together: int = 0
    """How many of them end where the text has no comma."""
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()
    pending: tuple[Naming, ...] = ()
    """What went without saying after the last answer, and may be said all the same."""

    @property
    def rest(self) -> Form:
        """The words still to be read, without marks."""
        return tuple(word for word in self.words[self.place :] if word not in MARKS)

    def question(self) -> Naming | None:
        """What is asked now."""
        question = self.match.question(self.seat)
        return Naming.of(self.room, question, self.match.view(self.seat)) if question else None

    def spelled(self, match: Match | None = None) -> list[str]:
        """Every answer since the text began, in keys, those too that went without saying."""
        answers = (match or self.match).draft(self.seat).answers[len(self.begun.draft(self.seat).answers) :]
        return [PLUS.join(answer.keys) or NOTHING for answer in answers]

    def read(self) -> list["_Walk"]:
        """The text read by one more answer, in every way there is, the longest first; Refused if there is none."""
        place = next(at for at in range(self.place, len(self.words)) if self.words[at] != COMMA)
        question = self.question()
        asked = (*self.pending, *([question] if question else []))
        ways: dict[int, list[tuple[Naming, list[list[str]]]]] = {}
        for reading in self.how:
            for one in asked:
                for named, end in one.answers(self.words, place, reading):
                    if not one.forced or {key for keys in named for key in keys} == set(one.forms):
                        ways.setdefault(end, []).append((one, named))
            if ways:
                break
        else:
            raise self.impossible(place, question)

        found, refusals = [], []
        for end, meant in sorted(ways.items(), reverse=True):
            # What repeats an answer that went without saying is that answer. Its mere beginning may be either.
            one, named = meant[0]
            doubtful = next((keys for keys in named if len(keys) > 1), [])
            if reading is not Reading.NAMED and len(meant) > 1:
                doubtful = [key for _, others in meant for keys in others for key in keys]
            if doubtful:
                refusals.append(say("typed.ambiguous", **self.part(place, end), **_few(one, doubtful)))
                continue
            try:
                found.append(self._answered(one, tuple(key for (key,) in named), end))
            except EngineError as error:
                refusals.append(say("typed.refused", **self.part(place, end), why=error))
        if not found:
            raise Refused(refusals[0])
        return found

    def _answered(self, asked: Naming, keys: tuple[str, ...], end: int) -> "_Walk":
        """The walk after an answer, with those that go without saying after it."""
        if asked.forced:
            pending = self.pending[self.pending.index(asked) + 1 :]
            return replace(self._past(end), pending=pending)
        before = len(self.match.draft(self.seat).answers)
        match = self.match.pick(Answer(self.seat, asked.decision.kind, keys))
        forced: list[Naming] = []
        draft = match.draft(self.seat)
        while len(draft.answers) > before + 1 and (earlier := draft.before) and earlier.question:
            forced.insert(0, Naming.of(self.room, earlier.question, earlier.position.view(self.seat), forced=True))
            draft = earlier
        given = (*self.given, (asked.decision.kind, keys))
        return replace(self._past(end), match=match, given=given, pending=tuple(forced))

    def _past(self, end: int) -> "_Walk":
        """The walk with one more answer read, up to that place."""
        is_parted = end == len(self.words) or self.words[end] == COMMA
        return replace(self, place=end, parts=self.parts + 1, run_together=self.run_together + (not is_parted))

    def impossible(self, place: int, question: Naming | None) -> Refused:
        """The refusal of what no option is called."""
        if question is None:
            return Refused(self._too_much(place))
        # Of several keys of one answer the first ones may be possible.
        while place < len(self.words) and (named := question.named(self.words, place)):
            place = max(named) + 1
        end = place + 1
        word = self.words[place] if place < len(self.words) else PLUS
        known = list(question.forms)
        # In `boat 5` the game may have its reasons against the 5.
        stop = next((at for at in range(end, len(self.words)) if self.words[at] in {COMMA, PLUS}), len(self.words))
        for at in range(place, stop):
            if self.match.game.objection(question.view, question.decision, self.words[at]) is not None:
                word, end = self.words[at], at + 1
                break
        if ids.KEY.fullmatch(word):
            why = self.match.why_not(self.seat, question.decision, word, marked_names(self.room))
            nearest = _nearest(self, question, word) if len(known) > NEAREST else []
        else:
            why, nearest = say("typed.no_name"), []
        # The first question stands below, in the panel.
        asked = describe.words(self.room).question(question.decision, marked_names(self.room), question.view)
        facts = {**self.part(place, end), "why": why, "question": asked if self.parts else ""}
        if nearest:
            return Refused(say("typed.impossible_nearest", **facts, **_few(question, nearest)))
        return Refused(say("typed.impossible", **facts, **_few(question, known)))

    def _too_much(self, place: int) -> str:
        if self.given:
            return say("typed.turn_is_complete", **self.part(place, place + 1))
        if self.match.draft(self.seat).answers:
            return say("typed.draft_is_complete", **self.part(place, place + 1))
        return say("typed.not_your_turn", turn=describe.whose_turn(self.room))

    def part(self, place: int, end: int) -> dict[str, Any]:
        """Words of the text, and which choice they are unless they are the only one: facts of a refusal."""
        is_alone = not self.parts and not set(self.words[end:]) - {COMMA}
        word = " ".join(self.spoken[place:end]) or PLUS
        return {"part": 0 if is_alone else self.parts + 1, "word": _shown(word)}


def parse(room: Room, seat: Seat, typed: str) -> TypedTurn:
    """What a text asks for, checked to its end before anything is done; Refused with the reason."""
    if len(typed) > LONGEST:
        raise Refused(say("typed.too_long", most=LONGEST))
    words, confirm = words_in(typed), typed.rstrip().endswith("!")
    match = room.playing()
    if match.outcome is not None:
        raise Refused(say("typed.over"))
    if not set(words) - MARKS and not confirm:
        raise Refused(say("typed.empty", example=_example(match, seat)))
    spoken = spoken_in(typed)
    if (taken := _offer(room, match, seat, words, spoken)) is not None:
        return replace(taken, confirm=confirm)

    failures: list[tuple[int, Refused]] = []
    walk = _Walk(room, match, match, seat, words, spoken)
    walks: list[_Walk] = []
    for how in ((Reading.NAMED, Reading.BEGUN), (Reading.NAMED, Reading.TOLD), (Reading.MIXED,)):
        walks = walks or list(_readings(replace(walk, how=how), failures))
    if not walks:
        # What was understood furthest, and of that the freest reading.
        raise max(reversed(failures), key=lambda failure: failure[0])[1]
    # What is to be confirmed is meant to be a whole turn.
    whole = [walk for walk in walks if confirm and closed(walk.match, seat)]
    found = whole or walks
    if COMMA in words:
        # Labels have commas of their own, and one may begin like another choice: `F7, Samoa, 2 moves, G8, open K10`
        # does not end with `open` and `k10`. Whoever parts choices by commas ends each of them at one.
        least = min(walk.run_together for walk in found)
        found = [walk for walk in found if walk.run_together == least]
    readings = {COMMA.join(walk.spelled()): walk for walk in found}
    if len(readings) > 1:
        # Whoever has put a comma behind each choice means one choice between two of them.
        parts = sum(1 for part in typed.rstrip(" !").split(COMMA) if part.strip())
        parted = {spelled: walk for spelled, walk in readings.items() if walk.parts == parts}
        readings = parted if len(parted) == 1 else readings
    if len(readings) > 1:
        raise Refused(say("typed.several_readings", ways=" ".join(f"`{way}`" for way in readings)))
    (walk,) = readings.values()
    if confirm and closed(walk.match, seat) is None:
        raise Refused(_unfinished(walk, walk.question()))
    return TypedTurn(walk.match, walk.given, confirm)


def only_asks(room: Room, seat: Seat, typed: str) -> bool:
    """Whether a text names an offer without taking it: then the panel asks whether to take it."""
    if len(typed) > LONGEST or typed.rstrip().endswith("!"):
        return False
    words = words_in(typed)
    return SLASH in words or any(end_of(form, words, 0) for form, _ in _offer_names(room, room.playing(), seat))


def complete(room: Room, seat: Seat, typed: str) -> list[tuple[str, str]]:
    """Legal continuations of what has been typed: (name, the whole text) each, best first."""
    if room.match is None or len(typed) > LONGEST:
        return []
    words, confirm = words_in(typed), typed.rstrip().endswith("!")
    begun = _Walk(room, room.match, room.match, seat, words, spoken_in(typed))
    walk, before = _as_far_as_it_goes(replace(begun, how=(Reading.NAMED, Reading.TOLD)))
    if walk.rest:
        freest, last = _as_far_as_it_goes(replace(begun, how=(Reading.MIXED,)))
        walk, before = (walk, before) if freest.rest else (freest, last)
    found: list[tuple[str, str]] = []
    if not confirm:
        is_parted = typed.endswith((COMMA, " "))
        if walk.rest or before is None or is_parted:
            found += _continued(walk)
        if not walk.rest and before is not None and not typed.endswith(COMMA):
            # What has been read may be the beginning of something longer.
            found += _continued(before)
    if not walk.rest:
        found[1:1] = _ending(walk)
    if before is None:
        found += _offers(walk)
    texts = {value: name for name, value in reversed(found) if len(value) <= CHOICE_TEXT}
    return [(cut(name, CHOICE_TEXT), value) for value, name in reversed(texts.items())][:CHOICES]


def _as_far_as_it_goes(walk: _Walk) -> tuple[_Walk, _Walk | None]:
    """A text read as far as it can be, and before its last answer; None if it has none."""
    before = None
    try:
        while walk.rest:
            walk, before = walk.read()[0], walk
    except Refused:
        pass
    return walk, before


def _readings(walk: _Walk, failures: list[tuple[int, Refused]]) -> Iterator[_Walk]:
    """Every way to read a text to its end; what else was tried is refused where it failed."""
    waiting = [walk]
    while waiting:
        walk = waiting.pop()
        if not walk.rest:
            yield walk
            continue
        try:
            waiting += reversed(walk.read())
        except Refused as refused:
            failures.append((walk.place, refused))


# Offers.


def _offer_names(room: Room, match: Match, seat: Seat) -> list[tuple[Form, Decision]]:
    """What each offer is called at the beginning of a text."""
    wording, names = describe.words(room), plain_names(room)
    found = []
    for offer in match.offers(seat):
        asked = words_in(wording.question(offer, names))
        found += [((offer.kind, SLASH), offer), ((*asked, SLASH), offer), ((*asked, ":"), offer), (asked, offer)]
    return found


def _offer(room: Room, match: Match, seat: Seat, words: Form, spoken: Form) -> TypedTurn | None:
    """The offer that a text takes: 'reveal_card/haka', 'Reveal a card: haka'; None if it names none."""
    named = [(end_of(form, words, 0), offer) for form, offer in _offer_names(room, match, seat)]
    place, offer = max(named, key=lambda found: found[0], default=(0, None))
    offers = match.offers(seat)
    if not place:
        if SLASH not in words:
            return None
        begun = [offer for offer in offers if offer.kind.startswith(words[0]) and words[1:2] == (SLASH,)]
        if len(begun) != 1:
            kinds = ", ".join(offer.kind for offer in offers)
            why = describe.words(room).none(words[0])
            raise Refused(say("typed.not_offered", word=_shown("".join(spoken)), why=why, kinds=kinds))
        place, offer = 2, begun[0]
    assert offer is not None
    asked = Naming.of(room, offer, match.without_drafts().view(seat))
    walk = _Walk(room, match, match, seat, words, spoken, place=place)
    if not walk.rest:
        raise Refused(_unfinished(walk, asked))
    ways = sorted(asked.answers(words, place, Reading.BEGUN), key=lambda way: way[1])
    if not ways:
        raise walk.impossible(place, asked)
    named_keys, end = ways[-1]
    if end < len(words):
        end += words[end] == COMMA
        raise Refused(say("typed.turn_is_complete", **walk.part(end, end + 1)))
    for keys in named_keys:
        if len(keys) > 1:
            raise Refused(say("typed.ambiguous", **walk.part(place, len(words)), **_few(asked, keys)))
    chosen = tuple(keys[0] for keys in named_keys)
    try:
        offer.check(chosen)
    except EngineError as error:
        raise Refused(say("typed.refused", **walk.part(place, len(words)), why=error)) from error
    return TypedTurn(match, ((offer.kind, chosen),), offer=True)


# Refusals.


def _nearest(walk: _Walk, asked: Naming, word: str) -> list[str]:
    """The options nearest to what is not one, on the board or else in spelling; none if nothing is near."""
    line = walk.match.objection(walk.seat, asked.decision, word)
    board = walk.match.game.places(asked.view)
    spot = word if word in board or line is None else str(line[1].get("spot", ""))
    if spot not in board:
        # What the game has a reason against was no slip of the pen.
        is_known = walk.match.game.objection(asked.view, asked.decision, word) is not None
        return [] if is_known else get_close_matches(word, asked.forms, NEAREST, 0.5)
    placed = [option for option in asked.decision.options if option.spot in board]
    # Whoever wants a village, 'g7v', is helped by villages.
    alike = [option for option in placed if option.key.removeprefix(option.spot) == word.removeprefix(spot)]
    by_distance = sorted(alike or placed, key=lambda option: dist(board[option.spot], board[spot]))
    return [option.key for option in by_distance]


def _few(asked: Naming, keys: list[str]) -> dict[str, Any]:
    """The first of many options, and whether there are more: facts of a text."""
    return {"choices": asked.shown(keys[:NEAREST]), "more": len(keys) > NEAREST}


def _unfinished(walk: _Walk, asked: Naming | None) -> str:
    if asked is None:
        return say("typed.nothing_to_confirm")
    # What is asked before anything of the text was read stands below, in the panel.
    wording = describe.words(walk.room)
    question = wording.question(asked.decision, marked_names(walk.room), asked.view) if walk.given else ""
    return say("typed.unfinished", question=question, **_few(asked, list(asked.forms)))


def _shown(word: str) -> str:
    """A word as it was typed, what cannot be seen marked; it calls nobody."""
    seen = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in word)
    return one_line(seen, 40).replace("`", "'").replace("@", "@\u200b")


def _example(match: Match, seat: Seat) -> str:
    """A turn that could be typed now, '' if nothing is asked."""
    before = len(match.draft(seat).answers)
    for _ in range(12):
        question = match.question(seat)
        if question is None:
            break
        first = [option.key for option in question.options][: max(1, question.at_least)]
        match = match.pick(Answer(seat, question.kind, tuple(first)))
    said = COMMA.join(PLUS.join(answer.keys) for answer in match.draft(seat).answers[before:])
    return f"{said}!" if match.is_complete(seat) else said


# Completion.


def _ending(walk: _Walk) -> list[tuple[str, str]]:
    """The text as it stands with a `!`, if that makes a whole turn; what ends it is written too."""
    whole = closed(walk.match, walk.seat)
    if whole is None:
        return []
    said = walk.spelled(whole)
    return [(say("typed.confirm", typed=", ".join(said)), COMMA.join(said) + "!")]


def _continued(walk: _Walk) -> list[tuple[str, str]]:
    """The text with its last words completed: exact keys first, then beginnings, then what has them anywhere."""
    asked = walk.question()
    if asked is None:
        return []
    *done, part = " ".join(walk.rest).split(PLUS)
    taken = [done_part.strip() for done_part in done]
    if len(taken) >= asked.decision.at_most or not set(taken) <= set(asked.forms):
        return []
    part = part.strip()
    ranked: tuple[list[str], ...] = ([], [], [], [])
    for key, label in asked.labels.items():
        said = " ".join(word for word in words_in(label) if word not in MARKS)
        if key in taken:
            continue
        if key == part:
            ranked[0].append(key)
        elif key.startswith(part) or said.startswith(part):
            ranked[1].append(key)
        elif part in key:
            ranked[2].append(key)
        elif part in said:
            ranked[3].append(key)
    before = walk.spelled()
    found = []
    for key in [key for rank in ranked for key in rank][:CHOICES]:
        answer = PLUS.join((*taken, key))
        try:
            after = walk.match.pick(Answer(walk.seat, asked.decision.kind, (*taken, key)))
            forced = walk.spelled(after)[len(before) + 1 :]
        except EngineError:
            forced = []  # More keys are to come.
        name = say(
            "typed.choice",
            before=", ".join(before).upper(),
            taken=PLUS.join(taken).upper(),
            label=asked.labels[key],
            forced=", ".join(forced).upper(),
        )
        found.append((name, COMMA.join((*before, answer, *forced))))
    return found


def _offers(walk: _Walk) -> list[tuple[str, str]]:
    """What may be taken at any time, as long as nothing else has been typed."""
    wording, names, view = describe.words(walk.room), plain_names(walk.room), walk.match.view(walk.seat)
    said = " ".join(walk.rest)
    found = []
    for offer in walk.match.offers(walk.seat):
        for option in offer.options:
            value = f"{offer.kind}/{option.key}"
            label = wording.option(offer, option, view, names)
            name = say("typed.offer", offer=wording.question(offer, names), option=label)
            if said.replace(" / ", SLASH) in value or said in " ".join(
                word for word in words_in(name) if word not in MARKS
            ):
                found.append((name, value))
    return found
