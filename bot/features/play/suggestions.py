"""Suggest how to go on with a typed move, for the autocompletion of /play."""

from contextlib import suppress

from msgspec.structs import replace

from bot.features.play.context import finish_draft
from bot.features.play.option_names import (
    COMMA,
    MARKS,
    PLUS,
    SLASH,
    OptionNames,
    Tokens,
    tokenize,
)
from bot.features.play.reading import LENIENCIES, Reading
from bot.features.play.typed import MAX_CHARACTERS
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui.parts import CHOICE_TEXT, CHOICES, cut
from engine import Answer, EngineError, Seat

Suggestion = tuple[str, str]
"""What the menu shows, and the whole text that it stands for."""


def suggest_moves(room: Room, seat: Seat, typed: str) -> list[Suggestion]:
    """Return legal continuations of what has been typed, the best first."""
    if room.match is None or len(typed) > MAX_CHARACTERS:
        return []
    reading = _read_far(Reading.begin(room, seat, typed))
    found: list[Suggestion] = []
    if not reading.is_confirmed:
        found += _suggest_choices(reading)
    if not reading.rest:
        # Second, behind the best choice.
        found[1:1] = _suggest_confirm(reading)
    if reading.previous is None:
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


def _suggest_choices(reading: Reading) -> list[Suggestion]:
    """Suggest what to choose next, or how the last choice may be meant to go on."""
    if reading.rest or reading.previous is None:
        return _suggest_options(reading)
    found = []
    if reading.typed.endswith((COMMA, " ")):
        found += _suggest_options(reading)
    if not reading.typed.endswith(COMMA):
        # What has been read may be the beginning of something longer.
        found += _suggest_options(reading.previous)
    return found


def _suggest_options(reading: Reading) -> list[Suggestion]:
    """Suggest the options of the current question that fit the last words of the text."""
    question = reading.find_question()
    if question is None:
        return []
    *chosen, part = [part.strip() for part in " ".join(reading.rest).split(PLUS)]
    if len(chosen) >= question.decision.at_most or not set(chosen) <= set(question.by_key):
        return []
    match, seat = reading.match, reading.seat
    before = reading.spell(match)
    found = []
    fitting = [key for key in _rank_keys(question, part) if key not in chosen]
    for key in fitting[:CHOICES]:
        keys = (*chosen, key)
        forced: list[str] = []
        # It is no legal answer yet if more options have to be chosen.
        with suppress(EngineError):
            after = match.pick(Answer(seat, question.decision.kind, keys))
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


def _rank_keys(question: OptionNames, part: str) -> list[str]:
    """Return the keys of the options that fit part of a text, those that fit best first."""
    ranks: dict[str, int] = {}
    for key, names in question.by_key.items():
        words = _join_words(names.tokens)
        fits = (
            key == part,
            key.startswith(part) or words.startswith(part),
            part in key,
            part in words,
        )
        if any(fits):
            ranks[key] = fits.index(True)
    return sorted(ranks, key=lambda key: ranks[key])


def _suggest_confirm(reading: Reading) -> list[Suggestion]:
    """Suggest the typed text with a `!` added, if that makes a whole turn."""
    finished = finish_draft(reading.match, reading.seat)
    if finished is None:
        return []
    keys = reading.spell(finished)
    name = say("typed.confirm", typed=", ".join(keys))
    return [(name, COMMA.join(keys) + "!")]


def _suggest_offers(reading: Reading) -> list[Suggestion]:
    """Suggest the offers whose names have the text in them."""
    context = reading.context
    typed = " ".join(reading.rest)
    found = []
    for offer in reading.match.offers(reading.seat):
        for option in offer.options:
            text = f"{offer.kind}{SLASH}{option.key}"
            label = context.label(offer, option)
            name = say("typed.offer", offer=context.name_offer(offer), option=label)
            if typed.replace(" / ", SLASH) in text or typed in _join_words(tokenize(name)):
                found.append((name, text))
    return found


def _join_words(tokens: Tokens) -> str:
    """Return the words among tokens as a text without marks."""
    return " ".join(token for token in tokens if token not in MARKS)
