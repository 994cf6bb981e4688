"""A first match with a coach: what is asked, what matters, which choices are good now, where the points come from."""

from collections.abc import Sequence
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.ids import Control
from bot.components.parts import CONTENT, GOOD, STRONG, button, cut
from bot.errors import Refused
from bot.matches.room import Room
from bot.matches.service import Matches
from bot.panel.build import Panel, build_panel
from bot.panel.hint import next_key
from bot.text import describe, say
from bot.text.names import plain_names
from engine import Decision, Match, Option, Seat
from engine.players import Candidate, Thought

ANSWERS = 36
"""Answers after which the lesson is over in a game that does not say itself when it is."""
NAMED = 3
"""Choices that are named."""
CLOSE = 1.5
"""Points: a choice that costs more than this is not called good."""
FELT = 0.5
"""Points of a part that are worth a word."""


class Advice(Struct, frozen=True):
    """A good choice, and the part of the points that it is good for; '' if none stands out."""

    option: Option
    part: str


async def coached(matches: Matches, room: Room, seat: Seat, made: Panel) -> Panel:
    """The panel with what a coach says to it, in a match that has one."""
    match = room.playing()
    question = match.question(seat) if match.outcome is None else None
    if not room.info.terms.lesson or question is None:
        return made
    is_fresh = not match.draft(seat).answers
    if is_fresh and is_over(match, seat):
        return await _farewell(matches, room, seat)
    words = describe.words(room)
    lines: list[str] = []
    if not match.answered[seat] and is_fresh:
        lines.append(words.lesson("begins"))
    if coach := words.coach(question.kind):
        lines.append(coach)
    advices = await _good(matches, room, seat, question)
    if advices:
        made = _rebuilt(room, seat, made, advices)
        lines.append(_in_words(room, seat, question, advices))
    elif not is_fresh:
        lines.append(say("lesson.other"))
    return _with(made, lines)


def is_over(match: Match, seat: Seat) -> bool:
    """Whether the lesson has shown what there is to learn."""
    over = match.game.lesson_over(match.base)
    return match.answered[seat] >= ANSWERS if over is None else over


async def _farewell(matches: Matches, room: Room, seat: Seat) -> Panel:
    """The end of the lesson: how it stands and why, and whether to play on."""
    match, words = room.playing(), describe.words(room)
    lines = [say("lesson.over"), *describe.status_lines(room, seat), words.lesson("ends")]
    thought = await _thought(matches, room, seat)
    if thought is not None and thought.ranked:
        best = thought.ranked[0]
        parts = [(words.part(name), round(points)) for name, points in best.parts if round(points)]
        told = ", ".join(say("lesson.part", part=part, points=points) for part, points in parts if part)
        if told:
            lines.append(say("lesson.expected", points=round(best.points), parts=told))
    control = Control(ids.LESSON, room.info.id, seat, match.turn(seat))
    end, on = (str(replace(control, key=key)) for key in (ids.END, ids.PLAY_ON))
    rows = ((button(end, say("lesson.end"), GOOD), button(on, say("lesson.play_on"), STRONG)),)
    return Panel(cut("\n".join(lines), CONTENT), rows)


def _with(made: Panel, lines: list[str]) -> Panel:
    said = "\n".join(f"> {line}" for text in lines for line in text.splitlines())
    return replace(made, text=cut(f"{cut(said, CONTENT // 2)}\n{made.text}", CONTENT))


async def _thought(matches: Matches, room: Room, seat: Seat) -> Thought | None:
    try:
        return await matches.advice(room, seat)
    except Refused:
        return None


async def _good(matches: Matches, room: Room, seat: Seat, question: Decision) -> list[Advice]:
    """The choices that a strong player would think of now, the best first; none where it thinks of no such turn.

    Whoever has begun another turn than the best is told how to go on with theirs, as far as it was looked into.
    """
    thought = await _thought(matches, room, seat)
    if thought is None:
        return []
    match = room.playing()
    turns = [candidate for candidate in thought.ranked if not candidate.is_offer]
    if not turns:
        key = next_key(match, seat, question, thought.answers)
        return [Advice(question.option(key), "")] if key else []
    # By choice the best turn that goes on with it.
    by_key: dict[str, Candidate] = {}
    for turn in turns:
        if key := next_key(match, seat, question, turn.answers):
            by_key.setdefault(key, turn)
    if not by_key:
        return []
    best = min(by_key.values(), key=lambda turn: turn.behind)
    good = {
        key: turn
        for key, turn in by_key.items()
        # One that was dropped after fewer samples is not known well enough to be called good.
        if turn.behind <= best.behind + CLOSE and turn.samples >= best.samples
    }
    named = list(good.items())[:NAMED]
    return [
        Advice(question.option(key), _good_for(turn, [other for name, other in by_key.items() if name != key]))
        for key, turn in named
    ]


def _good_for(turn: Candidate, others: Sequence[Candidate]) -> str:
    """The part of the points that a turn has most of against those that choose otherwise now."""
    mine = dict(turn.parts_behind)
    theirs = [dict(other.parts_behind) for other in others]
    names = dict.fromkeys(name for parts in (mine, *theirs) for name in parts)
    gains = {name: mean(parts.get(name, 0.0) for parts in theirs) - mine.get(name, 0.0) for name in names if theirs}
    part = max(gains, key=lambda name: gains[name], default="")
    return part if part and gains[part] >= FELT else ""


def _rebuilt(room: Room, seat: Seat, made: Panel, advices: Sequence[Advice]) -> Panel:
    """The panel with the good choices in green, on buttons of their own, and ringed where they have spots."""
    spots = tuple(dict.fromkeys(advice.option.spot for advice in advices if advice.option.spot))
    if made.question:
        made = build_panel(room, seat, made.page, made.notice, tuple(advice.option.key for advice in advices))
    return replace(made, rings=spots, ringed="advised") if spots else made


def _in_words(room: Room, seat: Seat, question: Decision, advices: Sequence[Advice]) -> str:
    """The good choices in a line, each with what it is good for; what all of them are good for is said once."""
    words, view, names = describe.words(room), room.playing().view(seat), plain_names(room)
    parts = {words.part(advice.part) for advice in advices}
    shared = parts.pop() if len(parts) == 1 and len(advices) > 1 else ""
    choices = [
        say(
            "lesson.choice",
            choice=words.option(question, advice.option, view, names),
            part="" if shared else words.part(advice.part),
        )
        for advice in advices
    ]
    return say(
        "lesson.good",
        choices="; ".join(choices),
        green=question.at_least == question.at_most == 1,
        ringed=all(advice.option.spot for advice in advices),
        shared=shared,
    )
