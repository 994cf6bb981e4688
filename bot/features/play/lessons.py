"""Add to a panel what a coach says during a first match.

A coach says what a question is about, which choices are good now and where the points come from,
until the lesson is over.
"""

from collections.abc import Sequence
from itertools import chain
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play import controls
from bot.features.play.context import SeatContext, find_spots
from bot.features.play.hints import (
    add_offer_button,
    describe_offer,
    find_next_option,
    join_steps,
    label_turn,
)
from bot.features.play.panel import Panel, build_panel
from bot.kernel.room import Room
from bot.text import say
from bot.ui import describe
from bot.ui.parts import CONTENT, GOOD, STRONG, button, cut
from engine import Answer, Decision, Match, Option, Seat
from engine.players import Candidate, Thought
from engine.players.mind import mind_of

MAX_ANSWERS = 36
"""Answers that a lesson takes in a game that does not say itself when it is over."""
MAX_ADVICE = 3
MAX_STEPS = 4
"""Steps that are named of how a turn goes on."""
MAX_ADVICE_LOSS = 1.0
"""Points that a good choice may cost against the best."""
MIN_GAIN_POINTS = 0.5
"""What a choice must gain at once by a part of the points to be called good for it."""
MAX_COACH_CHARACTERS = 1300
MAX_QUESTION_CHARACTERS = 500
"""Characters kept for the question and the draft when the news before them is shortened."""


class Advice(Struct, frozen=True):
    """A good choice."""

    option: Option
    steps: list[str]
    """How the turn goes on."""
    part: str = ""
    """The part of the points that it is good for, if one stands out."""


def needs_thought(room: Room, seat: Seat, panel: Panel) -> bool:
    """Return whether a coach would add advice to this panel that has to be thought out."""
    context = SeatContext.of(room, seat)
    if _find_question(context, panel) is None or panel.ringed == "advised":
        return False
    return bool(context.draft.answers) or not is_over(context.match, seat)


def coach(
    room: Room,
    seat: Seat,
    panel: Panel,
    thought: Thought | None,
    is_thinking: bool = False,
) -> Panel:
    """Add what a coach says to a panel, in a match that has a coach.

    `is_thinking` says that the thought will follow.
    """
    context = SeatContext.of(room, seat)
    question = _find_question(context, panel)
    if question is None:
        return panel
    is_fresh = not context.draft.answers
    if is_fresh and is_over(context.match, seat):
        return _build_farewell(context)
    lines = [context.words.coach(question.kind)]
    if is_fresh and not context.match.answered[seat]:
        lines.insert(0, context.words.lesson("begins"))
    if panel.ringed == "advised":
        # The hint in this panel names good turns itself.
        pass
    elif is_thinking:
        lines.append(say("lesson.thinking"))
    elif thought and thought.offer and is_fresh:
        lines.append(say("hint.offer", **describe_offer(context, thought.offer)))
        panel = add_offer_button(panel, context, thought.offer)
    elif thought and (advice := _find_advice(context, thought)):
        lines.append(_describe_advice(context, question, advice))
        panel = _mark_advice(context, panel, [each.option for each in advice])
    elif not is_fresh:
        lines.append(say("lesson.other"))
    return _insert_lines(panel, lines)


def is_over(match: Match, seat: Seat) -> bool:
    """Return whether the lesson has shown all there is to learn."""
    is_over = match.game.lesson_over(match.base)
    return match.answered[seat] >= MAX_ANSWERS if is_over is None else is_over


def _find_question(context: SeatContext, panel: Panel) -> Decision | None:
    """Return the question that a coach speaks to, if there is a coach and a question."""
    # A page of offers has no question of its own.
    has_coach = context.room.record.terms.lesson and panel.question
    return context.match.question(context.seat) if has_coach else None


def _build_farewell(context: SeatContext) -> Panel:
    """Build the panel that ends a lesson: how it stands and why, and whether to play on."""
    lines = [
        say("lesson.over"),
        context.words.lesson("ends"),
        *describe.status_lines(context.room, context.seat),
        say("lesson.next"),
    ]
    end_id = context.make_custom_id(controls.LESSON, key=controls.END)
    play_on_id = context.make_custom_id(controls.LESSON, key=controls.PLAY_ON)
    row = (
        button(end_id, say("lesson.end"), GOOD),
        button(play_on_id, say("lesson.play_on"), STRONG),
    )
    return Panel(cut("\n".join(lines), CONTENT), (row,), with_scores=True)


def _insert_lines(panel: Panel, lines: Sequence[str]) -> Panel:
    """Insert what the coach says between the news of a panel and its question.

    If all is too long the news is shortened first, for the public post tells it too.
    """
    quoted = [f"> {line}" for text in lines for line in text.splitlines()]
    said = cut("\n".join(quoted), MAX_COACH_CHARACTERS)
    asked = panel.text.removeprefix(panel.notice).removeprefix("\n")
    kept = min(len(asked), MAX_QUESTION_CHARACTERS)
    news = cut(panel.notice, CONTENT - len(said) - kept - len("\n\n"))
    text = "\n".join(part for part in (news, said, asked) if part)
    return replace(panel, text=cut(text, CONTENT))


def _find_advice(context: SeatContext, thought: Thought) -> list[Advice]:
    """Return the choices that a strong player would think of now, the best first.

    Somebody who has begun another turn than the best is told how to go on with it, as far as it
    was looked into.
    """
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    if not turns:
        option = find_next_option(context, thought.answers)
        return [Advice(option, _label_next_steps(context, thought.answers))] if option else []
    # The best turn that goes on with each option.
    by_option: dict[Option, Candidate] = {}
    for turn in turns:
        if option := find_next_option(context, turn.answers):
            by_option.setdefault(option, turn)
    found: list[Advice] = []
    for option, turn in by_option.items():
        best = next(iter(by_option.values()))
        is_close = turn.behind <= best.behind + MAX_ADVICE_LOSS
        # A turn that was dropped after fewer samples is not known well enough.
        if is_close and turn.samples >= best.samples:
            others = [other for other in by_option.values() if other is not turn]
            others = others or [other for other in turns if other is not turn]
            steps = _label_next_steps(context, turn.answers)
            found.append(Advice(option, steps, _find_main_gain(turn, others)))
    # A cautious player keeps to its plan unless another is clearly better: so no other is known
    # to be as good.
    return found[: 1 if mind_of(context.match.game).caution else MAX_ADVICE]


def _label_next_steps(context: SeatContext, turn: Sequence[Answer]) -> list[str]:
    """Return how a turn goes on after the answer that is asked for now."""
    now = len(context.draft.answers) + 1
    begun, _ = label_turn(context, turn[:now])
    labels, _ = label_turn(context, turn)
    steps = labels[len(begun) :]
    if len(steps) > MAX_STEPS:
        steps = [*steps[:MAX_STEPS], say("lesson.more")]
    return steps


def _find_main_gain(turn: Candidate, others: Sequence[Candidate]) -> str:
    """Return the part of the points that a turn brings most of at once, compared with others.

    A newcomer cannot see the reason for points that are only foreseen.
    """
    if not others:
        return ""
    own = dict(turn.at_once)
    theirs = [dict(other.at_once) for other in others]
    gains: dict[str, float] = {}
    for part in chain(own, *theirs):
        usual = mean(points.get(part, 0.0) for points in theirs)
        gains[part] = own.get(part, 0.0) - usual
    best = max(gains, key=lambda part: gains[part], default="")
    return best if gains.get(best, 0.0) >= MIN_GAIN_POINTS else ""


def _mark_advice(context: SeatContext, panel: Panel, options: Sequence[Option]) -> Panel:
    """Show good choices in green, on buttons of their own, and ring their spots."""
    advised = tuple(option.key for option in options)
    panel = build_panel(context.room, context.seat, panel.page, panel.notice, advised)
    spots = find_spots(options)
    return replace(panel, rings=spots, ringed="advised") if spots else panel


def _describe_advice(context: SeatContext, question: Decision, advice: Sequence[Advice]) -> str:
    """Return in words which choices are good, how each goes on and what it is good for."""
    parts = {context.words.part(each.part) for each in advice}
    # What all are good for is said once.
    shared = parts.pop() if len(advice) > 1 and len(parts) == 1 else ""
    choices = []
    for each in advice:
        steps = join_steps([context.label(question, each.option), *each.steps])
        part = "" if shared else context.words.part(each.part)
        choices.append(say("lesson.choice", choice=steps, part=part))
    if len(choices) == 1 or not any(each.steps for each in advice):
        listed = say("lesson.brief", choices="; ".join(choices))
    else:
        listed = "".join(say("lesson.item", choice=choice) for choice in choices)
    return say(
        "lesson.good",
        choices=listed,
        green=question.at_least == question.at_most == 1,
        ringed=any(each.option.spot for each in advice),
        shared=shared,
    )
