"""Add to a panel what a strong player would do: a hint, or what a coach says in a first match.

A hint names the best turn, how much better it is than others, and why. A coach says what a question
is about, which choices are good now and where the points come from, until the lesson is over.
Reviews put turns and comparisons into the same words.
"""

from collections.abc import Sequence
from typing import Any

from bot.features.play.panel import (
    END,
    LESSON,
    OFFER,
    PLAY_ON,
    Advice,
    Panel,
    SeatContext,
    build_panel,
)
from bot.kernel.room import Room
from bot.text import listed, say
from bot.ui import CONTENT, CUSTOM_ID, GOOD, STRONG, Button, cut, describe
from engine import Answer, Decision, Seat
from engine.core.perspective import find_spots
from engine.core.words import Words
from engine.players import Candidate, Thought
from engine.players.advice import (
    Choice,
    compare,
    find_choices,
    find_next_option,
    is_lesson_over,
    list_gains,
)

MAX_CLOSE_TURNS = 2
MAX_REASONS = 2
MIN_WINNING_POINTS = 1.0
"""What winning must be worth in a comparison for a turn to be called likelier to win."""
MAX_STEPS = 4
"""Steps that are named of how a turn goes on."""


# Turns in words.


def join_steps(labels: Sequence[str]) -> str:
    """Join the steps of a turn; not by commas, for labels have some of their own."""
    return say("hint.then").join(labels)


def shorten_steps(labels: Sequence[str], most: int) -> Sequence[str]:
    """Return the first steps of a turn, and that there are more."""
    return labels if len(labels) <= most else [*labels[:most], say("lesson.more")]


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


def _describe_offer(context: SeatContext, taken: Answer) -> dict[str, str]:
    """Return facts of a hint: what an offer is called under More…, and what to choose of it."""
    offers = context.offers
    offer = next(offer for offer in offers if offer.kind == taken.kind)
    labels, _ = context.label_turn((taken,))
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
    labels, spots = context.label_turn(turn)
    option = find_next_option(context.match, seat, turn)
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
    rivals = compare(ranked)
    lines = []
    if rivals.close:
        best, _ = context.label_turn(ranked[0].answers)
        others = []
        for rival in rivals.close[:MAX_CLOSE_TURNS]:
            labels, _ = context.label_turn(rival.answers)
            others.append(say("hint.alike_turn", turn=describe_difference(best, labels)))
        lines.append(say("hint.alike", others="\n".join(others)))
    if worse := rivals.worse:
        labels, _ = context.label_turn(worse.answers)
        lead = describe_lead(worse.behind, worse.bonus_behind)
        reasons = list_reasons(context.words, list_gains(worse))
        lines.append(say("hint.better", **lead, other=join_steps(labels), part=reasons))
    return lines


# Lessons.


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
    elif thought and (choices := find_choices(context.match, seat, thought)):
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


def _describe_choices(context: SeatContext, question: Decision, found: Sequence[Choice]) -> str:
    """Return in words which choices are good, how each goes on and what it is good for."""
    parts = {context.words.part(each.part) for each in found}
    # What all are good for is said once.
    shared = parts.pop() if len(found) > 1 and len(parts) == 1 else ""
    choices = []
    have_steps = False
    for each in found:
        begun, _ = context.label_turn(each.turn[: len(context.draft.answers) + 1])
        labels, _ = context.label_turn(each.turn)
        steps = shorten_steps(labels[len(begun) :], MAX_STEPS)
        have_steps = have_steps or bool(steps)
        turn = join_steps([context.label(question, each.option), *steps])
        part = "" if shared else context.words.part(each.part)
        choices.append(say("lesson.choice", choice=turn, part=part))
    if len(choices) == 1 or not have_steps:
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
