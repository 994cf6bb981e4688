"""A first match with a coach: what is asked, what matters, which choices are good now, where the points come from."""

from collections.abc import Sequence
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.ids import Control
from bot.components.parts import CONTENT, GOOD, STRONG, button, cut
from bot.matches.room import Room
from bot.panel.build import Panel, build_panel
from bot.panel.hint import in_labels, in_offer, in_steps, next_key, with_offer
from bot.text import describe, say
from bot.text.names import plain_names
from engine import Answer, Decision, Match, Option, Seat
from engine.players import Candidate, Thought
from engine.players.mind import mind_of

ANSWERS = 36
"""Answers after which the lesson is over in a game that does not say itself when it is."""
NAMED = 3
"""Choices that are named."""
CLOSE = 1.0
"""Points: a choice that costs more than this is not called good."""
FELT = 0.5
"""Points that a turn brings at once of a part that are worth a word."""
SAID, ASKED = 1300, 500
"""Characters that are kept for what the coach says, and for the question with what was chosen so far."""
ADVISED = "advised"
"""How the spots of advised choices are ringed."""
STEPS = 4
"""Of what a turn goes on with so many steps are named."""


class Advice(Struct, frozen=True):
    """A good choice, how its turn goes on, and the part of the points that it is good for; '' if none stands out."""

    option: Option
    then: tuple[str, ...] = ()
    part: str = ""


def needs_thought(room: Room, seat: Seat, made: Panel) -> bool:
    """Return whether a coach has advice to give with this panel, which has to be thought out."""
    match = room.playing()
    ends = not match.draft(seat).answers and is_over(match, seat)
    return _asked(room, seat, made) is not None and not ends and made.ringed != ADVISED


def _asked(room: Room, seat: Seat, made: Panel) -> Decision | None:
    """The question that a coach speaks to; None in a match without a coach, or if nothing is asked."""
    match = room.playing()
    # A page of offers has no question of its own.
    if not room.info.terms.lesson or match.outcome is not None or not made.question:
        return None
    return match.question(seat)


def coached(room: Room, seat: Seat, made: Panel, thought: Thought | None, is_thinking: bool = False) -> Panel:
    """The panel with what a coach says to it, in a match that has one; `is_thinking` if the thought is to follow."""
    match, question = room.playing(), _asked(room, seat, made)
    if question is None:
        return made
    is_fresh = not match.draft(seat).answers
    if is_fresh and is_over(match, seat):
        return _farewell(room, seat)
    words = describe.words(room)
    lines: list[str] = []
    if not match.answered[seat] and is_fresh:
        lines.append(words.lesson("begins"))
    if coach := words.coach(question.kind):
        lines.append(coach)
    if made.ringed == ADVISED:
        # A hint was asked for: it names good turns itself, and marks the whole of one.
        return _with(made, lines)
    if is_thinking:
        return _with(made, [*lines, say("lesson.thinking")])
    if thought is not None and thought.offer is not None and is_fresh:
        made = with_offer(made, room, seat, thought.offer)
        lines.append(in_offer(room, seat, thought.offer))
    elif advices := _good(thought, room, seat, question):
        made = _rebuilt(room, seat, made, advices)
        lines.append(_in_words(room, seat, question, advices))
    elif not is_fresh:
        lines.append(say("lesson.other"))
    return _with(made, lines)


def is_over(match: Match, seat: Seat) -> bool:
    """Whether the lesson has shown what there is to learn."""
    over = match.game.lesson_over(match.base)
    return match.answered[seat] >= ANSWERS if over is None else over


def _farewell(room: Room, seat: Seat) -> Panel:
    """The end of the lesson: how it stands and why, and whether to play on."""
    match, words = room.playing(), describe.words(room)
    lines = [say("lesson.over"), words.lesson("ends"), *describe.status_lines(room, seat), say("lesson.next")]
    control = Control(ids.LESSON, room.info.id, seat, match.turn(seat))
    end, on = (str(replace(control, key=key)) for key in (ids.END, ids.PLAY_ON))
    rows = ((button(end, say("lesson.end"), GOOD), button(on, say("lesson.play_on"), STRONG)),)
    return Panel(cut("\n".join(lines), CONTENT), rows, with_scores=True)


def _with(made: Panel, lines: list[str]) -> Panel:
    """The panel with what the coach says before its question: after what has just happened, or was not possible.

    What has happened is shortened first, for the post tells it too.
    """
    said = cut("\n".join(f"> {line}" for text in lines for line in text.splitlines()), SAID)
    asked = made.text.removeprefix(made.notice).removeprefix("\n")
    news = cut(made.notice, CONTENT - len(said) - min(len(asked), ASKED) - len("\n\n"))
    return replace(made, text=cut("\n".join(filter(None, (news, said, asked))), CONTENT))


def _good(thought: Thought | None, room: Room, seat: Seat, question: Decision) -> list[Advice]:
    """The choices that a strong player would think of now, the best first; none where it thinks of no such turn.

    Whoever has begun another turn than the best is told how to go on with theirs, as far as it was looked into.
    """
    if thought is None:
        return []
    match = room.playing()
    turns = [candidate for candidate in thought.ranked if not candidate.is_offer]
    if not turns:
        key = next_key(match, seat, question, thought.answers)
        return [Advice(question.option(key), _then(room, seat, thought.answers))] if key else []
    # By choice the best turn that goes on with it.
    by_key: dict[str, Candidate] = {}
    for turn in turns:
        if key := next_key(match, seat, question, turn.answers):
            by_key.setdefault(key, turn)
    if not by_key:
        return []
    best = next(iter(by_key.values()))
    good = {
        key: turn
        for key, turn in by_key.items()
        # One that was dropped after fewer samples is not known well enough to be called good; and where a plan stands
        # unless another is clearly better, no other is known to be as good.
        if turn is best
        or (turn.behind <= best.behind + CLOSE and turn.samples >= best.samples and not mind_of(match.game).caution)
    }
    advices = []
    for key, turn in list(good.items())[:NAMED]:
        others = [other for name, other in by_key.items() if name != key] or [one for one in turns if one is not turn]
        advices.append(Advice(question.option(key), _then(room, seat, turn.answers), _good_for(turn, others)))
    return advices


def _then(room: Room, seat: Seat, turn: Sequence[Answer]) -> tuple[str, ...]:
    """What such a turn goes on with after the answer that is asked for now."""
    here = len(room.playing().draft(seat).answers) + 1
    begun, _ = in_labels(room, seat, turn[:here])
    whole, _ = in_labels(room, seat, turn)
    rest = whole[len(begun) :]
    return tuple(rest if len(rest) <= STEPS else [*rest[:STEPS], say("lesson.more")])


def _good_for(turn: Candidate, others: Sequence[Candidate]) -> str:
    """The part of the points that a turn brings most of at once, against those that choose otherwise now.

    Of what is only foreseen a newcomer cannot see why.
    """
    mine, theirs = dict(turn.at_once), [dict(other.at_once) for other in others]
    names = dict.fromkeys(name for parts in (mine, *theirs) for name in parts)
    gains = {name: mine.get(name, 0.0) - mean(parts.get(name, 0.0) for parts in theirs) for name in names if theirs}
    part = max(gains, key=lambda name: gains[name], default="")
    return part if part and gains[part] >= FELT else ""


def _rebuilt(room: Room, seat: Seat, made: Panel, advices: Sequence[Advice]) -> Panel:
    """The panel with the good choices in green, on buttons of their own, and ringed where they have spots."""
    spots = tuple(dict.fromkeys(advice.option.spot for advice in advices if advice.option.spot))
    if made.question:
        made = build_panel(room, seat, made.page, made.notice, tuple(advice.option.key for advice in advices))
    return replace(made, rings=spots, ringed=ADVISED) if spots else made


def _in_words(room: Room, seat: Seat, question: Decision, advices: Sequence[Advice]) -> str:
    """The good choices, each with how it goes on and what it is good for; what all are good for is said once."""
    words, view, names = describe.words(room), room.playing().view(seat), plain_names(room)
    parts = {words.part(advice.part) for advice in advices}
    shared = parts.pop() if len(parts) == 1 and len(advices) > 1 else ""
    choices = [
        say(
            "lesson.choice",
            choice=in_steps([words.option(question, advice.option, view, names), *advice.then]),
            part="" if shared else words.part(advice.part),
        )
        for advice in advices
    ]
    is_brief = len(choices) == 1 or not any(advice.then for advice in advices)
    listed = [say("lesson.item", choice=choice) for choice in choices]
    return say(
        "lesson.good",
        choices=say("lesson.brief", choices="; ".join(choices)) if is_brief else "".join(listed),
        green=question.at_least == question.at_most == 1,
        ringed=any(advice.option.spot for advice in advices),
        shared=shared,
    )
