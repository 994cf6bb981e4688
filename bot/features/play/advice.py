"""Add to a panel what a strong player would do: a hint, or what a coach says in a first match.

A hint names the best turn, how much better it is than others, and why. A coach says what a question
is about, which choices are good now and where the points come from, until the lesson is over.
Reviews put turns and comparisons into the same words.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from bot.features.play.panel import (
    END,
    LESSON,
    OFFER,
    PLAY_ON,
    Advice,
    Panel,
    SeatContext,
    build_panel,
    find_spots,
)
from bot.kernel.room import Room
from bot.text import listed, say
from bot.ui import CONTENT, CUSTOM_ID, GOOD, STRONG, Button, cut, describe
from engine import Answer, Decision, Match, Option, Seat
from engine.core.words import Words
from engine.players import Candidate, Thought
from engine.players.mind import mind_of

CLOSE_POINTS = 1.0
"""Turns that differ by no more are called about as good."""
MAX_CLOSE_TURNS = 2
MIN_GAIN_POINTS = 0.5
"""What a turn must gain by a part of the points for that to be a reason."""
MAX_REASONS = 2
MIN_WINNING_POINTS = 1.0
"""What winning must be worth in a comparison for a turn to be called likelier to win."""
MAX_ANSWERS = 36
"""Answers that a lesson takes in a game that does not say itself when it is over."""
MAX_ADVICE = 3
MAX_STEPS = 4
"""Steps that are named of how a turn goes on."""


# Turns in words.


def label_turn(context: SeatContext, turn: Sequence[Answer]) -> tuple[list[str], tuple[str, ...]]:
    """Return the labels of all that a turn chooses, and the spots that it is about.

    The turn begins where the seat has drafted nothing. Forced answers are left out.
    """
    match = context.match.without_drafts()
    labels: list[str] = []
    options: list[Option] = []
    for answer in turn:
        if answer.forced:
            continue
        context = context.at(match)
        decisions = match.decisions(context.seat)
        decision = next(decision for decision in decisions if decision.kind == answer.kind)
        chosen = [decision.option(key) for key in answer.keys]
        labels += [context.label(decision, option) for option in chosen]
        options += chosen
        if decision.blocking:
            match = match.pick(answer)
    return labels, find_spots(options)


def join_steps(labels: Sequence[str]) -> str:
    """Join the steps of a turn; not by commas, for labels have some of their own."""
    return say("hint.then").join(labels)


def describe_difference(known: Sequence[str], labels: Sequence[str]) -> str:
    """Return a turn in words, from where it differs from one that is `known`."""
    shared = 0
    # The last step is told in any case.
    for one, other in zip(known, labels[:-1], strict=False):
        if one != other:
            break
        shared += 1
    return say("hint.apart", shortened=shared > 0, turn=join_steps(labels[shared:]))


def describe_lead(behind: float, bonus: float) -> dict[str, Any]:
    """Return facts of a comparison: how many points better a turn is, and if it is likelier to win.

    `behind` is by how much the other turn is worse, `bonus` what of that is for winning.
    """
    points = round(behind - bonus)
    return {"points": points if points > 0 else None, "wins": bonus >= MIN_WINNING_POINTS}


def list_reasons(words: Words, parts: Sequence[str]) -> str:
    """Return in words which parts of the points a turn brings more of, the first few of them."""
    return listed(words.part(part) for part in parts[:MAX_REASONS])


def _find_next_option(context: SeatContext, turn: Sequence[Answer]) -> Option | None:
    """Return what a turn chooses now; None if the seat has drafted something else."""
    drafted = [answer.keys for answer in context.draft.answers]
    keys = [answer.keys for answer in turn]
    count = len(drafted)
    if context.question is None or len(keys) <= count or keys[:count] != drafted:
        return None
    return next(
        (option for option in context.question.options if (option.key,) == keys[count]), None
    )


def _describe_offer(context: SeatContext, taken: Answer) -> dict[str, str]:
    """Return facts of a hint: what an offer is called under More…, and what to choose of it."""
    offers = context.offers
    offer = next(offer for offer in offers if offer.kind == taken.kind)
    labels, _ = label_turn(context, (taken,))
    return {"offer": context.name_offer(offer), "turn": join_steps(labels)}


def _make_offer_button(context: SeatContext, taken: Answer) -> Button | None:
    """Make a green button that leads to an offer, if its custom id is short enough."""
    custom_id = context.make_custom_id(OFFER, taken.kind, "+".join(taken.keys))
    if len(custom_id) > CUSTOM_ID:
        return None
    return Button(custom_id, say("hint.take", **_describe_offer(context, taken)), GOOD)


# Hints.


def build_hint(room: Room, seat: Seat, thought: Thought) -> Panel:
    """Build the seat's panel with a hint in it, and the spots of the advised turn ringed."""
    context, offer = SeatContext.of(room, seat), thought.offer
    turn = (offer,) if offer else thought.answers
    labels, spots = label_turn(context, turn)
    option = _find_next_option(context, turn)
    has_begun_another = bool(context.draft.answers) and not option and not offer
    if offer:
        lines = [say("hint.offer", **_describe_offer(context, offer))]
    else:
        lines = [say("hint.turn", turn=join_steps(labels))]
    lines += _compare(context, thought.ranked)
    if has_begun_another:
        lines.append(say("hint.from_start"))
    advice = Advice(
        coach=_introduce(context) if room.record.terms.lesson else (),
        keys=(option.key,) if option else (),
        spots=spots,
        offer_button=_make_offer_button(context, offer) if offer else None,
        has_turn=not offer and (len(labels) > 1 or has_begun_another),
    )
    return build_panel(room, seat, notice=cut("\n".join(lines), CONTENT // 2), advice=advice)


def _compare(context: SeatContext, ranked: Sequence[Candidate]) -> list[str]:
    """Return lines with the turns about as good as the best, and the next that is worse."""
    # The same answers in another order are no other turn.
    distinct: dict[Any, Candidate] = {}
    for turn in ranked:
        distinct.setdefault(tuple(sorted(answer.keys for answer in turn.answers)), turn)
    rivals = list(distinct.values())[1:]
    close = [rival for rival in rivals if rival.behind < CLOSE_POINTS]
    worse = [rival for rival in rivals if rival.behind >= CLOSE_POINTS]
    lines = []
    if close:
        best, _ = label_turn(context, ranked[0].answers)
        others = []
        for rival in close[:MAX_CLOSE_TURNS]:
            labels, _ = label_turn(context, rival.answers)
            others.append(say("hint.alike_turn", turn=describe_difference(best, labels)))
        lines.append(say("hint.alike", others="\n".join(others)))
    if worse:
        rival = min(worse, key=lambda rival: rival.behind)
        labels, _ = label_turn(context, rival.answers)
        gains = sorted(
            ((gain, part) for part, gain in rival.parts_behind if gain >= MIN_GAIN_POINTS),
            reverse=True,
        )
        reasons = list_reasons(context.words, [part for _, part in gains])
        lead = describe_lead(rival.behind, rival.bonus_behind)
        lines.append(say("hint.better", **lead, other=join_steps(labels), part=reasons))
    return lines


# Lessons.


class Choice(Struct, frozen=True):
    """A good choice."""

    option: Option
    steps: list[str]
    """How the turn goes on."""
    part: str = ""
    """The part of the points that it is good for, if one stands out."""


def is_lesson_over(match: Match, seat: Seat) -> bool:
    """Return whether the lesson has shown all there is to learn."""
    is_over = match.game.lesson_over(match.base)
    return match.answered[seat] >= MAX_ANSWERS if is_over is None else is_over


def needs_thought(context: SeatContext) -> bool:
    """Return whether a coach would add advice to a seat's panel that has to be thought out."""
    if context.asked is None:
        return False
    return bool(context.draft.answers) or not is_lesson_over(context.match, context.seat)


def build_lesson(
    room: Room,
    seat: Seat,
    page: str = "",
    notice: str = "",
    thought: Thought | None = None,
    is_thinking: bool = False,
) -> Panel:
    """Build a seat's panel with what a coach says; `is_thinking` if the thought will follow."""
    context = SeatContext.of(room, seat)
    question, is_fresh = context.asked, not context.draft.answers
    if question is None:
        return build_panel(room, seat, page, notice)
    if is_fresh and is_lesson_over(context.match, seat):
        return _build_farewell(context)
    lines = _introduce(context)
    advice = Advice(coach=lines)
    if is_thinking:
        lines.append(say("lesson.thinking"))
    elif thought and thought.offer and is_fresh:
        lines.append(say("hint.offer", **_describe_offer(context, thought.offer)))
        advice = Advice(lines, offer_button=_make_offer_button(context, thought.offer))
    elif thought and (choices := _find_choices(context, thought)):
        lines.append(_describe_choices(context, question, choices))
        options = [choice.option for choice in choices]
        keys = tuple(option.key for option in options)
        advice = Advice(lines, keys, find_spots(options) or None)
    elif not is_fresh:
        lines.append(say("lesson.other"))
    return build_panel(room, seat, page, notice, advice)


def _introduce(context: SeatContext) -> list[str]:
    """Return what a coach says of the question itself, and at the very beginning of the lesson."""
    question, match = context.asked, context.match
    lines = [context.words.coach(question.kind)] if question else []
    if not context.draft.answers and not match.answered[context.seat]:
        lines.insert(0, context.words.lesson("begins"))
    return lines


def _build_farewell(context: SeatContext) -> Panel:
    """Build the panel that ends a lesson: how it stands and why, and whether to play on."""
    status = describe.status_lines(context.room, context.seat)
    lines = [say("lesson.over"), context.words.lesson("ends"), *status, say("lesson.next")]
    row = (
        Button(context.make_custom_id(LESSON, key=END), say("lesson.end"), GOOD),
        Button(context.make_custom_id(LESSON, key=PLAY_ON), say("lesson.play_on"), STRONG),
    )
    return Panel(context, cut("\n".join(lines), CONTENT), (row,), with_scores=True)


def _find_choices(context: SeatContext, thought: Thought) -> list[Choice]:
    """Return the choices that a strong player would think of now, the best first.

    Somebody who has begun another turn than the best is told how to go on with it, as far as it was
    looked into.
    """
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    if not turns:
        option = _find_next_option(context, thought.answers)
        return [Choice(option, _label_next_steps(context, thought.answers))] if option else []
    # The best turn that goes on with each option.
    by_option: dict[Option, Candidate] = {}
    for turn in turns:
        if option := _find_next_option(context, turn.answers):
            by_option.setdefault(option, turn)
    candidates = list(by_option.values())
    rivals = candidates if len(candidates) > 1 else turns
    found: list[Choice] = []
    for option, turn in by_option.items():
        is_close = turn.behind <= candidates[0].behind + CLOSE_POINTS
        # A turn that was dropped after fewer samples is not known well enough.
        if is_close and turn.samples >= candidates[0].samples:
            steps = _label_next_steps(context, turn.answers)
            found.append(Choice(option, steps, _find_main_gain(turn, rivals)))
    # A cautious player keeps to its plan unless another is clearly better: so no other is known to
    # be as good.
    return found[: 1 if mind_of(context.match.game).caution else MAX_ADVICE]


def _label_next_steps(context: SeatContext, turn: Sequence[Answer]) -> list[str]:
    """Return how a turn goes on after the answer that is asked for now."""
    begun, _ = label_turn(context, turn[: len(context.draft.answers) + 1])
    labels, _ = label_turn(context, turn)
    steps = labels[len(begun) :]
    return steps if len(steps) <= MAX_STEPS else [*steps[:MAX_STEPS], say("lesson.more")]


def _find_main_gain(turn: Candidate, rivals: Sequence[Candidate]) -> str:
    """Return the part of the points that a turn brings most of at once, compared with its rivals.

    A newcomer cannot see the reason for points that are only foreseen.
    """
    own = dict(turn.at_once)
    theirs = [dict(other.at_once) for other in rivals if other is not turn]
    gains: dict[str, float] = {}
    for part in chain(own, *theirs) if theirs else ():
        sums = sum(points.get(part, 0.0) for points in theirs)
        gains[part] = own.get(part, 0.0) - sums / len(theirs)
    best = max(gains, key=lambda part: gains[part], default="")
    return best if gains.get(best, 0.0) >= MIN_GAIN_POINTS else ""


def _describe_choices(context: SeatContext, question: Decision, found: Sequence[Choice]) -> str:
    """Return in words which choices are good, how each goes on and what it is good for."""
    parts = {context.words.part(each.part) for each in found}
    # What all are good for is said once.
    shared = parts.pop() if len(found) > 1 and len(parts) == 1 else ""
    choices = []
    for each in found:
        steps = join_steps([context.label(question, each.option), *each.steps])
        part = "" if shared else context.words.part(each.part)
        choices.append(say("lesson.choice", choice=steps, part=part))
    if len(choices) == 1 or not any(each.steps for each in found):
        joined = say("lesson.brief", choices="; ".join(choices))
    else:
        joined = "".join(say("lesson.item", choice=choice) for choice in choices)
    return say(
        "lesson.good",
        choices=joined,
        green=question.at_least == question.at_most == 1,
        ringed=any(each.option.spot for each in found),
        shared=shared,
    )
