"""A match looked at again once it is over: how each seat stood after every commit, and the turns that decided it."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.record import Commit
from engine.core.table import Table
from engine.players.levels import dealt_for
from engine.players.mind import Mind, Turn, ignore, mind_of, question_to
from engine.players.search import lead_of, search

MOMENTS = 3
"""How many turns are named."""
LOOKED_INTO = 9
"""How many are looked into for them, those that seem the worst at first sight."""
RIVALS = 6
"""How many other turns each of those is compared with."""
WORTH_TELLING = 1.0
"""Points that a turn must have cost."""


class Moment(Struct, frozen=True):
    """A turn that cost its seat something."""

    number: int
    """The commit that it was."""
    seat: Seat
    cost: float
    """Points of lead that were given away, as well as one could know then."""
    better: tuple[Answer, ...]
    """What would have been better."""


class Review(Struct, frozen=True):
    """What is said of a match."""

    expected: tuple[tuple[float, ...], ...]
    """Expected final points of each seat, at the start and after every commit."""
    moments: tuple[Moment, ...]
    """The turns that cost most, in the order in which they were made."""


def review(
    game: Game[Any], states: Sequence[Any], commits: Sequence[Commit], progress: Callable[[float], None]
) -> Review:
    """A match as it was played: the state at its start and after each commit, and those commits."""
    mind = mind_of(game)
    expected = tuple(tuple(sum(parts.values()) for parts in mind.estimate(state)) for state in states)
    first_sight: list[tuple[float, int]] = []
    for number, commit in enumerate(commits, start=1):
        progress(0.5 * number / len(commits))
        turns = _compared(game, mind, states[number - 1], commit)
        if turns:
            first_sight.append((_lead(mind, turns[1], commit.seat) - _lead(mind, turns[0], commit.seat), number))
    first_sight.sort(key=lambda cost: (-cost[0], cost[1]))
    moments = []
    for done, (_, number) in enumerate(first_sight[:LOOKED_INTO], start=1):
        moment = _looked_into(game, mind, states[number - 1], commits[number - 1], number)
        if moment.cost >= WORTH_TELLING:
            moments.append(moment)
        progress(0.5 + 0.5 * done / LOOKED_INTO)
    moments.sort(key=lambda moment: (-moment.cost, moment.number))
    return Review(expected, tuple(sorted(moments[:MOMENTS], key=lambda moment: moment.number)))


def _compared(game: Game[Any], mind: Mind, state: Any, commit: Commit) -> list[Turn]:
    """The turn that was made, then others that could have been made, the best first; none if there was no choice."""
    question = question_to(game, state, commit.seat)
    if question is None or not commit.answers or commit.answers[0].kind != question.kind:
        # Somebody left, or took an offer.
        return []
    known = dealt_for(game, state, commit.seat)
    tip = known
    for answer in commit.answers:
        tip = game.apply(tip, answer, ignore)
    made = [answer.keys for answer in commit.answers]
    listed = mind.turns(known, commit.seat, Table("review"))
    rivals = [turn for turn in listed if [answer.keys for answer in turn.answers] != made]
    return [Turn(commit.answers, tip), *rivals] if rivals else []


def _lead(mind: Mind, turn: Turn, seat: Seat) -> float:
    return lead_of(mind.estimate(turn.tip), seat)


def _looked_into(game: Game[Any], mind: Mind, state: Any, commit: Commit, number: int) -> Moment:
    """A turn compared with others as a strong player would, knowing what its seat knew."""
    made, *rivals = _compared(game, mind, state, commit)
    known = dealt_for(game, state, commit.seat)
    ranked = search(game, mind, known, commit.seat, f"review/{number}", [made, *rivals[:RIVALS]])
    cost = next(candidate.behind for candidate in ranked if candidate.answers == made.answers)
    return Moment(number, commit.seat, cost, ranked[0].answers)
