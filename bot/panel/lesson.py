"""A first match with a coach: what is asked, what matters, and which choices are good now."""

from msgspec.structs import replace

from bot.components.parts import CONTENT, cut
from bot.errors import Refused
from bot.matches.room import Room
from bot.matches.service import Matches
from bot.panel.build import Panel
from bot.text import describe, say
from bot.text.names import plain_names
from engine import Decision, Match, Option, Seat
from engine.players import Thought

ANSWERS = 36
"""Answers after which the coach leaves: the exploration in Blue Lagoon, some rounds in the other games."""
FAREWELL = 3
"""Answers during which the coach takes leave."""
GOOD = 3
"""Choices that are named."""
CLOSE = 1.5
"""Points: a choice that costs more than this is not called good."""


async def coached(matches: Matches, room: Room, seat: Seat, made: Panel) -> Panel:
    """The panel with what a coach says to it, in a match that has one."""
    match = room.playing()
    question = match.question(seat) if match.outcome is None else None
    if not room.info.terms.lesson or question is None:
        return made
    over = match.answered[seat] - ANSWERS
    if over >= FAREWELL:
        return made
    words = describe.words(room)
    lines: list[str] = []
    if over >= 0:
        return _with(made, [words.lesson("ends"), *describe.status_lines(room, seat), say("lesson.alone")])
    if not match.answered[seat] and not match.draft(seat).answers:
        lines.append(words.lesson("begins"))
    if coach := words.coach(question.kind):
        lines.append(coach)
    options = await _good(matches, room, seat, question)
    if options:
        view, names = match.view(seat), plain_names(room)
        labels = "; ".join(words.option(question, option, view, names) for option in options)
        spots = tuple(option.spot for option in options if option.spot)
        lines.append(say("lesson.good", choices=labels, ringed=len(spots) == len(options)))
        made = replace(made, rings=spots or made.rings)
    return _with(made, lines)


def _with(made: Panel, lines: list[str]) -> Panel:
    said = "\n".join(f"> {line}" for text in lines for line in text.splitlines())
    return replace(made, text=cut(f"{cut(said, CONTENT // 2)}\n{made.text}", CONTENT))


async def _good(matches: Matches, room: Room, seat: Seat, question: Decision) -> list[Option]:
    """The choices that a strong player would think of now, the best first; none where it thinks of no such turn."""
    try:
        thought = await matches.advice(room, seat)
    except Refused:
        return []
    match = room.playing()
    keys = dict.fromkeys(key for turn in _turns(thought) if (key := _next_key(match, seat, question, turn)))
    return [question.option(key) for key in list(keys)[:GOOD]]


def _turns(thought: Thought) -> list[list[tuple[str, ...]]]:
    """The keys of the turns that are about as good as the best."""
    ranked = [candidate for candidate in thought.ranked if not candidate.is_offer and candidate.behind <= CLOSE]
    found = [candidate.answers for candidate in ranked] or [thought.answers]
    return [[answer.keys for answer in answers] for answers in found]


def _next_key(match: Match, seat: Seat, question: Decision, turn: list[tuple[str, ...]]) -> str:
    """What such a turn answers now, if it begins as the draft does."""
    drafted = [answer.keys for answer in match.draft(seat).answers]
    here = len(drafted)
    if turn[:here] != drafted or len(turn) <= here or len(turn[here]) != 1:
        return ""
    key = turn[here][0]
    return key if any(option.key == key for option in question.options) else ""
