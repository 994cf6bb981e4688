"""A hint in words: the turn that a strong player would make, how much better it is, and why."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.components import ids
from bot.components.ids import Control
from bot.components.parts import CONTENT, CUSTOM_ID, GOOD, ROWS, Menu, button, cut
from bot.matches.room import Room
from bot.panel.build import Panel, build_panel
from bot.text import describe, listed, say
from bot.text.names import plain_names
from engine import Answer, Decision, Match, Seat
from engine.players import Candidate, Thought

ALIKE = 1.0
"""Points: turns that differ by less are about as good."""
MOST_ALIKE = 2
"""Turns about as good that are named."""
WINNING = 1.0
"""Points that winning is worth in a comparison, from which on it is said that a turn is likelier to win."""
MOST_REASONS = 2
"""Parts of the points that are named as what a turn is better for."""


def build(room: Room, seat: Seat, thought: Thought) -> Panel:
    """The seat's panel with the hint in it, and the spots of that turn ringed."""
    answers = (thought.offer,) if thought.offer else thought.answers
    labels, spots = in_labels(room, seat, answers)
    told = in_offer(room, seat, thought.offer) if thought.offer else say("hint.turn", turn=in_steps(labels))
    lines = [told, *_compared(room, seat, thought.ranked)]
    match = room.playing()
    question = match.question(seat)
    key = next_key(match, seat, question, answers) if question else ""
    is_other = bool(match.draft(seat).answers) and not key and not thought.offer
    if is_other:
        lines.append(say("hint.from_start"))
    made = build_panel(room, seat, notice=cut("\n".join(lines), CONTENT // 2), advised=(key,) if key else ())
    if thought.offer:
        made = with_offer(made, room, seat, thought.offer)
    elif len(labels) > 1 or is_other:
        made = _with_taking(made, Control(ids.HINT, room.info.id, seat, match.turn(seat)))
    return replace(made, rings=spots, ringed="advised")


def in_offer(room: Room, seat: Seat, taken: Answer) -> str:
    """An offer that a strong player would take now, in words."""
    labels, _ = in_labels(room, seat, (taken,))
    return say("hint.offer", offer=_offered(room, seat, taken), turn=in_steps(labels))


def with_offer(made: Panel, room: Room, seat: Seat, taken: Answer) -> Panel:
    """The panel with a green button that leads to such an offer, which is asked once more before it is taken."""
    control = Control(ids.OFFER, room.info.id, seat, room.playing().turn(seat), taken.kind, "+".join(taken.keys))
    if len(made.rows) >= ROWS or len(str(control)) > CUSTOM_ID:
        return made
    label = say("hint.take", offer=_offered(room, seat, taken), turn=in_steps(in_labels(room, seat, (taken,))[0]))
    return replace(made, rows=((button(str(control), label, GOOD),), *made.rows))


def _with_taking(made: Panel, hint: Control) -> Panel:
    """The panel with a button that drafts the turn of the hint, in the place of that which asked for it."""
    take = button(str(replace(hint, key=ids.TAKE)), say("hint.take_turn"), GOOD)
    rows = (
        row if isinstance(row, Menu) else tuple(take if one.id == str(hint) else one for one in row)
        for row in made.rows
    )
    return replace(made, rows=tuple(rows))


def _offered(room: Room, seat: Seat, taken: Answer) -> str:
    """What the offer is called under More…."""
    offers = room.playing().without_drafts().offers(seat)
    offer = next(offer for offer in offers if offer.kind == taken.kind)
    return describe.words(room).question(offer, plain_names(room))


def next_key(match: Match, seat: Seat, question: Decision, turn: Sequence[Answer]) -> str:
    """What such a turn answers now, if it begins as the draft does."""
    keys = [answer.keys for answer in turn]
    drafted = [answer.keys for answer in match.draft(seat).answers]
    here = len(drafted)
    if keys[:here] != drafted or len(keys) <= here or len(keys[here]) != 1:
        return ""
    key = keys[here][0]
    return key if any(option.key == key for option in question.options) else ""


def _compared(room: Room, seat: Seat, ranked: Sequence[Candidate]) -> list[str]:
    """Which turns are about as good as the best, and how it compares with the next that is not."""
    rivals = _others(ranked)
    alike = [rival for rival in rivals if rival.behind < ALIKE]
    lines = []
    if alike:
        best, _ = in_labels(room, seat, ranked[0].answers)
        others = [_apart(best, in_labels(room, seat, rival.answers)[0]) for rival in alike[:MOST_ALIKE]]
        lines.append(say("hint.alike", others="\n".join(others)))
    rival = min((rival for rival in rivals if rival not in alike), key=lambda rival: rival.behind, default=None)
    if rival is None:
        return lines
    other = in_steps(in_labels(room, seat, rival.answers)[0])
    gains = sorted(((gain, name) for name, gain in rival.parts_behind if gain >= ALIKE / 2), reverse=True)
    why = in_parts(room, [name for _, name in gains])
    return [*lines, say("hint.better", **in_points(rival.behind, rival.bonus_behind), other=other, part=why)]


def _others(ranked: Sequence[Candidate]) -> list[Candidate]:
    """All but the best, and but those that answer the same as one before them in another order."""
    seen: list[list[tuple[str, ...]]] = []
    found = []
    for candidate in ranked:
        keys = sorted(answer.keys for answer in candidate.answers)
        if keys not in seen:
            seen.append(keys)
            found.append(candidate)
    return found[1:]


def _apart(best: Sequence[str], labels: Sequence[str]) -> str:
    """A turn about as good, from where it parts from the best."""
    return say("hint.alike_turn", turn=apart(best, labels))


def apart(known: Sequence[str], labels: Sequence[str]) -> str:
    """A turn from where it parts from another that has been told."""
    shared = 0
    while shared < min(len(known), len(labels) - 1) and known[shared] == labels[shared]:
        shared += 1
    return say("hint.apart", shortened=shared > 0, turn=in_steps(labels[shared:]))


def in_points(behind: float, bonus: float) -> dict[str, Any]:
    """By how many points a turn is better, none where it is by less than one, and whether it is likelier to win."""
    points = round(behind - bonus)
    return {"points": points if points > 0 else None, "wins": bonus >= WINNING}


def in_parts(room: Room, names: Sequence[str]) -> str:
    """Of which parts of the points a turn brings more, the first few of them."""
    return listed(describe.words(room).part(name) for name in names[:MOST_REASONS])


def in_steps(labels: Sequence[str]) -> str:
    """The steps of a turn in a line; commas would not do, for labels have some of their own."""
    return say("hint.then").join(labels)


def in_labels(room: Room, seat: Seat, answers: Sequence[Answer]) -> tuple[list[str], tuple[str, ...]]:
    """A turn from its start as its labels, those left out that go without saying, and the spots it is about."""
    match = room.playing().without_drafts()
    words, names = describe.words(room), plain_names(room)
    labels: list[str] = []
    spots: list[str] = []
    for answer in (answer for answer in answers if not answer.forced):
        decision = next(found for found in match.decisions(seat) if found.kind == answer.kind)
        view = match.view(seat)
        chosen = [decision.option(key) for key in answer.keys]
        labels += [words.option(decision, option, view, names) for option in chosen]
        spots += [option.spot for option in chosen if option.spot]
        if decision.blocking:
            match = match.pick(answer)
    return labels, tuple(dict.fromkeys(spots))
