"""Build a hint: the turn that a strong player would make, how much better it is, and why.

Lessons and reviews put turns and comparisons into the same words.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.features.play import controls
from bot.features.play.context import SeatContext, find_spots
from bot.features.play.panel import Panel, build_panel
from bot.kernel.room import Room
from bot.text import listed, say
from bot.ui.parts import CONTENT, CUSTOM_ID, GOOD, ROWS, Menu, Row, button, cut
from engine import Answer, Option, Seat
from engine.core.words import Words
from engine.players import Candidate, Thought

CLOSE_POINTS = 1.0
"""Turns that differ by less are called about as good."""
MAX_CLOSE_TURNS = 2
MIN_GAIN_POINTS = 0.5
"""What the best turn must gain by a part of the points for that to be a reason."""
MAX_REASONS = 2
MIN_WINNING_POINTS = 1.0
"""What winning must be worth in a comparison for a turn to be called likelier to win."""


def build(room: Room, seat: Seat, thought: Thought) -> Panel:
    """Build the seat's panel with a hint in it, and the spots of the advised turn ringed."""
    context = SeatContext.of(room, seat)
    offer = thought.offer
    turn = (offer,) if offer else thought.answers
    labels, spots = label_turn(context, turn)
    option = find_next_option(context, turn)
    has_begun_another = bool(context.draft.answers) and not option and not offer
    if offer:
        lines = [say("hint.offer", **describe_offer(context, offer))]
    else:
        lines = [say("hint.turn", turn=join_steps(labels))]
    lines += _compare(context, thought.ranked)
    if has_begun_another:
        lines.append(say("hint.from_start"))
    notice = cut("\n".join(lines), CONTENT // 2)
    advised = (option.key,) if option else ()
    panel = build_panel(room, seat, notice=notice, advised=advised)
    if offer:
        panel = add_offer_button(panel, context, offer)
    elif len(labels) > 1 or has_begun_another:
        panel = _replace_hint_button(panel, context)
    return replace(panel, rings=spots, ringed="advised")


def label_turn(
    context: SeatContext,
    turn: Sequence[Answer],
) -> tuple[list[str], tuple[str, ...]]:
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


def find_next_option(context: SeatContext, turn: Sequence[Answer]) -> Option | None:
    """Return what a turn chooses now; None if the seat has drafted something else."""
    question = context.match.question(context.seat)
    drafted = [answer.keys for answer in context.draft.answers]
    keys = [answer.keys for answer in turn]
    count = len(drafted)
    if question is None or len(keys) <= count or keys[:count] != drafted:
        return None
    return next((option for option in question.options if (option.key,) == keys[count]), None)


def describe_offer(context: SeatContext, taken: Answer) -> dict[str, str]:
    """Return facts of a hint: what an offer is called under More…, and what to choose of it."""
    offers = context.match.offers(context.seat)
    offer = next(offer for offer in offers if offer.kind == taken.kind)
    labels, _ = label_turn(context, (taken,))
    return {"offer": context.name_offer(offer), "turn": join_steps(labels)}


def add_offer_button(panel: Panel, context: SeatContext, taken: Answer) -> Panel:
    """Add a green button that leads to an offer, if there is space for it."""
    custom_id = context.make_custom_id(controls.OFFER, taken.kind, "+".join(taken.keys))
    if len(panel.rows) >= ROWS or len(custom_id) > CUSTOM_ID:
        return panel
    label = say("hint.take", **describe_offer(context, taken))
    row = (button(custom_id, label, GOOD),)
    return replace(panel, rows=(row, *panel.rows))


def _replace_hint_button(panel: Panel, context: SeatContext) -> Panel:
    """Put a button that drafts the whole turn in the place of the one that asks for a hint."""
    hint_id = context.make_custom_id(controls.HINT)
    take_id = context.make_custom_id(controls.HINT, key=controls.TAKE)
    take = button(take_id, say("hint.take_turn"), GOOD)
    rows: list[Row] = []
    for row in panel.rows:
        if isinstance(row, Menu):
            rows.append(row)
        else:
            rows.append(tuple(take if each.id == hint_id else each for each in row))
    return replace(panel, rows=tuple(rows))


def _compare(context: SeatContext, ranked: Sequence[Candidate]) -> list[str]:
    """Return lines with the turns about as good as the best, and the next that is worse."""
    # The same answers in another order are no other turn.
    distinct: dict[Any, Candidate] = {}
    for turn in ranked:
        answers = tuple(sorted(answer.keys for answer in turn.answers))
        distinct.setdefault(answers, turn)
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
        gains = [(gain, part) for part, gain in rival.parts_behind if gain >= MIN_GAIN_POINTS]
        gains.sort(reverse=True)
        reasons = list_reasons(context.words, [part for _, part in gains])
        lead = describe_lead(rival.behind, rival.bonus_behind)
        lines.append(say("hint.better", **lead, other=join_steps(labels), part=reasons))
    return lines


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
