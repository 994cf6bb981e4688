"""A turn planned in advance: read in positions that may come, and drafted in the one that does.

A plan may rest only on what its seat knows. So everything that the seat cannot know is dealt anew,
the plain player moves for everybody until it is the seat's turn, and the plan is read there as a
typed turn.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from engine.core.decision import Answer, Seat
from engine.core.errors import EngineError, IllegalAnswer, UnreadableTurn
from engine.core.escape import escape_text
from engine.core.event import Event, visible
from engine.core.match import Match
from engine.core.perspective import Perspective
from engine.core.typed import CONFIRM, Picks, read_turn
from engine.core.words import say
from engine.players.levels import deal_for
from engine.players.simple import stand_in

WORLDS_TRIED = 4
"""Possible futures in which a plan is tried before it is refused."""
MAX_TURNS_AHEAD = 400
"""Turns of others to look ahead."""
MAX_SPOTS = 20
"""Spots that a plan may depend on."""


class Foreseen(Struct, frozen=True):
    """A plan as it is understood in a position that may come."""

    answers: Picks
    meant: tuple[str, ...]
    """For each answer, the facts of what it names; '' where its keys alone say that."""
    stages: tuple[str, ...]
    """The rounds in which it may be played, as `encode_stage` writes them."""
    match: Match
    """The match as it may stand then, with the plan drafted."""


def foresee(match: Match, seat: Seat, world: int = 0) -> Match | None:
    """Return the match as a seat can foresee it at its next turn; None if it has none."""
    # Neither the dice nor the secrets of the match may influence what the seat is told.
    dealt = deal_for(match.game, match.base, seat)
    # The stand-in's choices depend on the commit number. The match's own number would reveal how
    # often others have acted in secret.
    number = match.answered[seat] + 1000 * world
    ahead = replace(
        match, base=dealt, drafts={}, seed=f"world-{world}", reseeds=(), draws=0, number=number
    )
    for _ in range(MAX_TURNS_AHEAD):
        if seat in ahead.waiting_for():
            return ahead
        if ahead.outcome is not None:
            return None
        ahead = stand_in(ahead, ahead.waiting_for()[0])
    return None


def read_plan(seen: Perspective, move: str) -> Foreseen:
    """Read a typed turn in a few possible positions; raise EngineError if it is legal in none.

    The first position in which it is legal decides. But if the plan names something that others
    may replace by then, the meaning that it has in most positions counts.
    """
    found: list[Foreseen] = []
    why: EngineError | None = None
    for world in range(WORLDS_TRIED):
        there = foresee(seen.match, seen.seat, world)
        if there is None:
            continue
        try:
            # A plan is a whole turn, so it is read with the mark that confirms it.
            turn = read_turn(seen.at(there), move.rstrip(CONFIRM) + CONFIRM)
            if turn.is_offer:
                raise UnreadableTurn(say("plan.offer"))
        except EngineError as error:
            why = why or error
            continue
        stages = dict.fromkeys(encode_stage(match, seen.seat) for match in (seen.match, there))
        meant = []
        for kind, keys in turn.answers:
            there, meaning = draft_answer(there, Answer(seen.seat, kind, keys))
            meant.append(meaning)
        found.append(Foreseen(turn.answers, tuple(meant), tuple(stages), turn.match))
        if not any(meant):
            break
    if not found:
        raise why or UnreadableTurn(say("plan.out_of_sight"))
    meanings = Counter(foreseen.meant for foreseen in found)
    return max(found, key=lambda foreseen: meanings[foreseen.meant])


def read_spots(seen: Perspective, listed: str) -> tuple[str, ...]:
    """Return the listed spots of the board; raise UnreadableTurn if one does not exist."""
    spots = tuple(dict.fromkeys(listed.casefold().replace(",", " ").split()))
    board = seen.match.game.places(seen.view)
    for spot in spots:
        if spot not in board:
            raise UnreadableTurn(say("plan.no_spot", spot=escape_text(spot)))
    if len(spots) > MAX_SPOTS:
        raise UnreadableTurn(say("plan.too_many_spots", most=MAX_SPOTS))
    return spots


def encode_stage(match: Match, seat: Seat) -> str:
    """Return the current round as a text, for comparison."""
    return msgspec.json.encode(match.view(seat).stage()).decode()


def draft_answer(match: Match, answer: Answer) -> tuple[Match, str]:
    """Draft an answer; return the match, and what the answer stands for ('' if its keys say that).

    Forced answers that follow are part of it: nobody has named them, but the player read them
    in the summary.
    """
    begun = len(match.draft(answer.seat).answers)
    drafted = match.pick(answer)
    found = []
    # In reverse order, because stored plans have it so.
    for step in reversed(drafted.draft_steps(answer.seat)[begun:]):
        names = match.game.told_apart_by.get(step.answer.kind)
        if names is None:
            continue
        options = [option for option in step.question.options if option.key in step.answer.keys]
        facts = [fact for option in options for fact in option.facts if fact[0] in names]
        if facts or step.answer.forced:
            found.append((step.answer.kind, step.answer.keys, facts))
    return drafted, msgspec.json.encode(found).decode() if found else ""


def draft_plan(match: Match, seat: Seat, answers: Picks, meant: tuple[str, ...]) -> Match:
    """Draft a plan in place of the seat's current draft.

    Raises IllegalAnswer if it is no longer legal, or no longer means what was `meant`.
    """
    drafted = match.undo(seat, all=True) if match.draft(seat).answers else match
    for place, (kind, keys) in enumerate(answers):
        drafted, meaning = draft_answer(drafted, Answer(seat, kind, keys))
        if meant and meaning != meant[place]:
            raise IllegalAnswer(say("plan.not_the_same", key=" ".join(keys).upper()))
        if drafted.number != match.number:
            raise IllegalAnswer(say("plan.changed"))
    return drafted


def require_untouched(events: Iterable[Event], seat: Seat, spots: Iterable[str]) -> None:
    """Raise IllegalAnswer if the events, as far as a seat may know them, name one of the spots."""
    named = set(find_texts(visible(events, seat)))
    for spot in spots:
        if spot in named:
            raise IllegalAnswer(say("plan.touched", spot=spot.upper()))


def find_texts(value: Any) -> Iterator[str]:
    """Yield every text in a value, however deep."""
    if isinstance(value, str):
        yield value
        return
    if isinstance(value, Struct):
        value = astuple(value)
    elif isinstance(value, dict):
        value = value.items()
    if isinstance(value, Iterable):
        for part in value:
            yield from find_texts(part)
