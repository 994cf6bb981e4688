"""Review a finished match: how each seat stood after every commit, and the deciding turns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.record import Commit
from engine.core.table import Table
from engine.players.levels import dealt_for
from engine.players.mind import Mind, Parts, Turn, ignore, mind_of, question_to
from engine.players.search import Candidate, lead_of, search

MOMENTS = 3
"""How many turns are named."""
LOOKED_INTO = 9
"""How many are looked into for them that seem the worst at first sight, and as many after which
things went down.
"""
RIVALS = 6
"""How many other turns each of those is compared with."""
WORTH_TELLING = 1.0
"""Points that a turn must have cost or gained."""
FELT = 0.5
"""Points of a part that are worth a word."""
SURE = 8
"""How often the best of all is played out against the turn that was made, before anybody is told of
it: the largest of many rough figures is large by luck.
"""
UNDECISIVE = 0.5
"""What a mistake counts of somebody who won nevertheless."""


class Moment(Struct, frozen=True):
    """A turn that cost its seat something, or gained it something."""

    number: int
    """The commit that it was."""
    seat: Seat
    points: float
    """Points of lead that were given away, as well as one could know then; without a better
    turn, that were gained.
    """
    better: tuple[Answer, ...] = ()
    """What would have been better; nothing if the turn was a good one."""
    bonus: float = 0.0
    """How many of the points are none, but what winning is worth beside them."""
    parts: tuple[str, ...] = ()
    """Of which parts of the points that would have brought more, most of the first."""


class Review(Struct, frozen=True):
    """The review of a match."""

    expected: tuple[tuple[float, ...], ...]
    """Expected final points of each seat, at the start and after every commit."""
    moments: tuple[Moment, ...]
    """The turns that decided it, in the order in which they were made."""


def review(
    game: Game[Any],
    states: Sequence[Any],
    commits: Sequence[Commit],
    progress: Callable[[float], None],
) -> Review:
    """Review a match, given the states at the start and after each commit, and the commits."""
    mind = mind_of(game)
    estimates = [mind.estimate(state) for state in states]
    first_sight: list[tuple[float, int]] = []
    for number, commit in enumerate(commits, start=1):
        progress(0.5 * number / len(commits))
        turns = _compared(game, mind, dealt_for(game, states[number - 1], commit.seat), commit)
        if turns:
            first_sight.append(
                (_lead(mind, turns[1], commit.seat) - _lead(mind, turns[0], commit.seat), number)
            )
    leads = [[lead_of(parts, Seat(seat)) for seat in range(len(parts))] for parts in estimates]
    downs = [
        (leads[number - 1][seat] - leads[after][seat], number)
        for number, seat, after in _until_next(commits)
    ]
    asked = {number for _, number in first_sight}
    suspects = dict.fromkeys(number for _, number in _largest(first_sight)[:LOOKED_INTO])
    suspects |= dict.fromkeys(
        number for _, number in _largest(downs) if number in asked and number not in suspects
    )
    looked_into = list(suspects)[: 2 * LOOKED_INTO]
    mistakes: list[Moment] = []
    for done, number in enumerate(looked_into, start=1):
        moment = judge_turn(game, states[number - 1], commits[number - 1], number)
        if moment is not None:
            mistakes.append(moment)
        progress(0.5 + 0.4 * done / len(looked_into))
    moments = _chosen(game, states, commits, mistakes)
    gains = [
        (
            leads[number][commits[number - 1].seat] - leads[number - 1][commits[number - 1].seat],
            number,
        )
        for number in asked
    ]
    named = {moment.number for moment in moments}
    for gain, number in _largest(gains):
        if len(moments) < MOMENTS and gain >= WORTH_TELLING and number not in named:
            moments.append(Moment(number, commits[number - 1].seat, gain))
    progress(1.0)
    return Review(_levelled(estimates), tuple(sorted(moments, key=lambda moment: moment.number)))


def _largest(figures: Iterable[tuple[float, int]]) -> list[tuple[float, int]]:
    return sorted(figures, key=lambda figure: (-figure[0], figure[1]))


def _until_next(commits: Sequence[Commit]) -> Iterator[tuple[int, Seat, int]]:
    """Yield each commit with its seat and the commit after which that seat acted again."""
    after = dict.fromkeys((commit.seat for commit in commits), len(commits))
    for number in range(len(commits), 0, -1):
        seat = commits[number - 1].seat
        yield number, seat, after[seat]
        after[seat] = number - 1


def _levelled(estimates: Sequence[tuple[Parts, ...]]) -> tuple[tuple[float, ...], ...]:
    """Expected final points: an estimate tells well who leads by how much, and little of what all
    will still gain.

    So the mean of all seats is what it came to in the end, from the start on. And it sways with
    whose turn it is, so a moment is the mean of those around it, the nearer the weightier; the
    start and the end stay as they are.
    """
    totals = [[sum(parts.values()) for parts in seats] for seats in estimates]
    last, seats = len(totals) - 1, range(len(totals[-1]))
    means = [sum(each) / len(each) for each in totals]
    level = [
        [points + means[-1] - mean for points in each]
        for each, mean in zip(totals, means, strict=True)
    ]
    course = []
    for moment in range(len(level)):
        reach = min(len(seats), moment, last - moment)
        around = {moment + step: reach + 1 - abs(step) for step in range(-reach, reach + 1)}
        whole = sum(around.values())
        swaying = [
            sum(level[other][seat] * weight for other, weight in around.items()) for seat in seats
        ]
        course.append(tuple(round(points / whole, 3) for points in swaying))
    return tuple(course)


def _chosen(
    game: Game[Any], states: Sequence[Any], commits: Sequence[Commit], mistakes: list[Moment]
) -> list[Moment]:
    """Return the mistakes that decided most and are certain, no two about the same turn."""
    outcome = game.outcome(states[-1])
    winners = outcome.winners if outcome else ()
    weights = {
        moment.number: moment.points * (UNDECISIVE if moment.seat in winners else 1)
        for moment in mistakes
    }
    chosen: list[Moment] = []
    for moment in sorted(mistakes, key=lambda moment: (-weights[moment.number], moment.number)):
        if len(chosen) == MOMENTS or moment.points < WORTH_TELLING:
            break
        missed = [answer.keys for answer in moment.better]
        if any(missed == [answer.keys for answer in other.better] for other in chosen):
            continue
        sure = judge_again(game, states[moment.number - 1], commits[moment.number - 1], moment)
        if sure.points >= WORTH_TELLING:
            chosen.append(sure)
    return chosen


def _compared(game: Game[Any], mind: Mind, known: Any, commit: Commit) -> list[Turn]:
    """Return the turn that was made, then alternatives, the best first; none without a choice.

    `known` is the position as its seat knew it.
    """
    question = question_to(game, known, commit.seat)
    if question is None or not commit.answers or commit.answers[0].kind != question.kind:
        # Somebody left, or took an offer.
        return []
    tip = known
    for answer in commit.answers:
        tip = game.apply(tip, answer, ignore)
    made = [answer.keys for answer in commit.answers]
    listed = mind.turns(known, commit.seat, Table("review"))
    rivals = [turn for turn in listed if [answer.keys for answer in turn.answers] != made]
    return [Turn(commit.answers, tip), *rivals] if rivals else []


def _lead(mind: Mind, turn: Turn, seat: Seat) -> float:
    return lead_of(mind.estimate(turn.tip), seat)


def judge_turn(game: Game[Any], state: Any, commit: Commit, number: int) -> Moment | None:
    """Compare a turn with others as a strong player would, knowing what its seat knew.

    None if it had no choice.
    """
    mind = mind_of(game)
    known = dealt_for(game, state, commit.seat)
    turns = _compared(game, mind, known, commit)
    if not turns:
        return None
    ranked = search(game, mind, known, commit.seat, f"review/{number}", turns[: RIVALS + 1])
    return Moment(number, commit.seat, _made(ranked, turns[0]).behind, ranked[0].answers)


def judge_again(game: Game[Any], state: Any, commit: Commit, moment: Moment) -> Moment:
    """Return the moment with its cost measured again with more samples and other dice."""
    mind = mind_of(game)
    known = dealt_for(game, state, commit.seat)
    turns = _compared(game, mind, known, commit)
    pair = [turns[0], *(turn for turn in turns if turn.answers == moment.better)]
    effort = replace(mind.effort_in(known), samples=(SURE,))
    patient = replace(mind, effort=effort, efforts={}, caution=0.0)
    ranked = search(game, patient, known, commit.seat, f"review/{moment.number}/sure", pair)
    made = _made(ranked, turns[0])
    missed = sorted(
        ((points, name) for name, points in made.parts_behind if points >= FELT), reverse=True
    )
    named = tuple(name for _, name in missed)
    return replace(moment, points=made.behind, bonus=made.bonus_behind, parts=named)


def _made(ranked: Sequence[Candidate], made: Turn) -> Candidate:
    return next(candidate for candidate in ranked if candidate.answers == made.answers)
