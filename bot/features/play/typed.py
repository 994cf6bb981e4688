"""Read a turn that was typed with /play, such as `9,l,s4!`.

A text is a turn, choice by choice. Blanks part choices as commas do, case does not matter, and a
final `!` confirms. `+` joins the choices of one answer, `-` stands for none.

- A choice is named by its key, by its label or its button, or by the beginning of these up to the
  first mark: `m-n2`, `M > N2 (turtle), own route`, `M > N2`.
- A game may know a choice by another name, as its objection `other_name` says: `2t1b` is `all` if
  that is all there is.
- A unique beginning of a key or a label is enough. But a code of the board stands for itself
  alone: where `n` is a place out of reach, it is not `nothing`.
- Where nothing of that fits, two or more words of a label in any order name it: `boat 5`, `3 fish`.
- Labels have blanks too, so what takes the most of the text is tried first. A mark is part of a
  name only where the label has it, and the commas of a label may be left out. If a text can be
  read in several ways, the one is meant whose choices end at commas; if that does not decide it,
  the text is refused.
- Forced answers may be typed or left out. A choice that repeats a forced answer is that answer.
- An offer comes alone and is named first: `reveal_card/haka!`, `reveal a card: haka!`.
"""

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play.context import finish_draft
from bot.features.play.option_names import COMMA, SLASH, find_end, tokenize, tokenize_as_typed
from bot.features.play.reading import LENIENCIES, Reading, quote
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say
from engine import Answer, Decision, Match, Seat

MAX_CHARACTERS = 1500
"""Characters of a text: more than any turn needs."""
MAX_EXAMPLE_ANSWERS = 12
"""Answers of the example that is given for an empty text."""


class TypedTurn(Struct, frozen=True):
    """A text understood: answers to draft, or an offer to take, and whether to confirm."""

    match: Match
    """The match with the answers in the seat's draft, or with the offer taken."""
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The kind of each question and the keys chosen, forced answers left out."""
    confirm: bool = False
    offer: bool = False

    def apply(self, seat: Seat) -> list[Match]:
        """Return the match after each step of what the text asks for."""
        if self.confirm and not self.offer:
            return [self.match, self.match.confirm(seat)]
        return [self.match]


def parse(room: Room, seat: Seat, typed: str) -> TypedTurn:
    """Read a text to its end without doing anything yet; raises Refused with the reason."""
    if len(typed) > MAX_CHARACTERS:
        raise Refused(say("typed.too_long", most=MAX_CHARACTERS))
    begun = Reading.begin(room, seat, typed)
    if begun.match.outcome is not None:
        raise Refused(say("typed.over"))
    if not begun.rest and not begun.is_confirmed:
        raise Refused(say("typed.empty", example=_find_example(begun)))
    if reading := _read_offer(begun):
        return TypedTurn(reading.match, reading.answers, begun.is_confirmed, offer=True)
    reading = _choose_reading(_read_to_end(begun))
    if begun.is_confirmed and finish_draft(reading.match, seat) is None:
        raise reading.refuse_unfinished()
    return TypedTurn(reading.match, reading.answers, begun.is_confirmed)


def asks_about_offer(room: Room, seat: Seat, typed: str) -> bool:
    """Return whether a text names an offer without `!`: then the panel asks whether to take it."""
    begun = Reading.begin(room, seat, typed)
    if len(typed) > MAX_CHARACTERS or begun.is_confirmed:
        return False
    return SLASH in begun.tokens or _find_offer(begun)[0] is not None


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
    raise Refused(say("typed.several_readings", ways=ways))


def _read_offer(begun: Reading) -> Reading | None:
    """Read a text that takes an offer; None if it names no offer."""
    offer, start = _find_offer(begun)
    if offer is None and SLASH not in begun.tokens:
        return None
    if offer is None:
        word = quote("".join(tokenize_as_typed(begun.typed)))
        why = begun.context.words.none(begun.tokens[0])
        kinds = ", ".join(offer.kind for offer in begun.match.offers(begun.seat))
        raise Refused(say("typed.not_offered", word=word, why=why, kinds=kinds))
    named = replace(begun, offer=offer, at=start)
    if not named.rest:
        raise named.refuse_unfinished()
    return named.read_answer()[0]


def _find_offer(begun: Reading) -> tuple[Decision | None, int]:
    """Return the offer that a text names at its beginning, and where the name ends.

    It is named by its kind or a unique beginning of it, and a slash; or by its question.
    """
    context, tokens = begun.context, begun.tokens
    offers = begun.match.offers(begun.seat)
    if tokens[1:2] == (SLASH,):
        named = [offer for offer in offers if offer.kind == tokens[0]]
        named = named or [offer for offer in offers if offer.kind.startswith(tokens[0])]
        if len(named) == 1:
            return named[0], 2
    by_end = {find_end(tokenize(context.name_offer(offer)), tokens, 0): offer for offer in offers}
    end = max(by_end, default=0)
    if end == 0:
        return None, 0
    has_mark = tokens[end : end + 1] in {(SLASH,), (":",)}
    return by_end[end], end + has_mark


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
