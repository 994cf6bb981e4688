"""Review a finished match: how each seat stood after every commit, and the deciding turns.

A turn is judged by what its seat knew when it was made, never by the dice that followed.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from math import exp
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.record import Commit
from engine.core.table import Table
from engine.players.levels import deal_for
from engine.players.mind import Mind, Parts, Turn, ignore_event, mind_of, question_for
from engine.players.search import Candidate, lead_of, search

CHANCE_SHARES = (1 / 3, 2 / 3, 1.0)
"""The shares of a match that have weights of their own for the chances to win."""
SHARES_TOLD = (1 / 2, 3 / 4)
"""The shares of a match after which a review tells everybody's chance to win."""
MAX_MOMENTS = 3
"""Turns that are named."""
SUSPECTS_PER_LIST = 9
"""Turns looked into from each of two lists: those that seem the worst at first sight, and those
after which their seat lost the most.
"""
MAX_RIVALS = 6
"""Other turns that each of those is compared with."""
MIN_POINTS_TOLD = 1.0
"""Points that a turn must have cost or gained to be named."""
MIN_PART_POINTS = 0.5
"""Points of a part that are worth a word."""
SAMPLES_TO_CONFIRM = 8
"""How often the best turn is played out against the one that was made, before anybody is told: the
largest of many rough figures is large by luck.
"""
UNJUDGED_SHARE = 1 / 3
"""How much of a match, from its start, is not judged: too much may still happen after it."""
WINNER_MISTAKE_WEIGHT = 0.5
"""The weight of a mistake that did not keep its seat from winning."""


class Moment(Struct, frozen=True):
    """A turn that cost its seat something, or gained it something."""

    number: int
    """Its commit."""
    seat: Seat
    points: float
    """Points of lead that were given away, by what the seat could know; gained, if there is no
    better turn.
    """
    better: tuple[Answer, ...] = ()
    """The turn that would have been better; empty if this was a good one."""
    bonus: float = 0.0
    """How many of the points are the bonus for winning."""
    parts: tuple[str, ...] = ()
    """The parts of the points that the better turn would have brought more of, the largest
    first.
    """


class Review(Struct, frozen=True):
    """The review of a match."""

    expected: tuple[tuple[float, ...], ...]
    """Expected final points of each seat, at the start and after every commit."""
    moments: tuple[Moment, ...]
    """The deciding turns, in the order in which they were made."""
    chances: tuple[tuple[float, ...], ...] = ()
    """Each seat's chance to win after each of `SHARES_TOLD`; empty if they are not known, or if
    the match was not played to its end.
    """


def review(
    game: Game[Any],
    states: Sequence[Any],
    commits: Sequence[Commit],
    progress: Callable[[float], None],
) -> Review:
    """Review a match, given the states at the start and after each commit, and the commits.

    Looking ahead is slow, so only turns that look suspicious are looked into; `progress` is called
    with the share that is done.
    """
    mind = mind_of(game)
    estimates = [mind.estimate(state) for state in states]
    seats = [Seat(seat) for seat in range(len(estimates[0]))]
    leads = [[lead_of(parts, seat) for seat in seats] for parts in estimates]
    # At first sight: by how much the best alternative of each commit looks better.
    missed: dict[int, float] = {}
    unjudged = int(len(commits) * UNJUDGED_SHARE)
    for number, commit in enumerate(commits, start=1):
        progress(0.5 * number / len(commits))
        if number <= unjudged:
            continue
        seat = commit.seat
        known = deal_for(game, states[number - 1], seat)
        turns = list_alternatives(game, mind, known, commit)
        if turns:
            made, best = turns[:2]
            lead = lead_of(mind.estimate(made.tip), seat)
            missed[number] = lead_of(mind.estimate(best.tip), seat) - lead
    # In hindsight: how much lead each commit's seat lost until it acted again.
    lost: dict[int, float] = {}
    for number, seat, after in find_next_acts(commits):
        if number in missed:
            lost[number] = leads[number - 1][seat] - leads[after][seat]
    suspects = rank_numbers(missed)[:SUSPECTS_PER_LIST]
    suspects += [number for number in rank_numbers(lost) if number not in suspects]
    suspects = suspects[: 2 * SUSPECTS_PER_LIST]
    mistakes: list[Moment] = []
    for done, number in enumerate(suspects, start=1):
        moment = judge_turn(game, states[number - 1], commits[number - 1], number)
        if moment is not None:
            mistakes.append(moment)
        progress(0.5 + 0.4 * done / len(suspects))
    moments = choose_mistakes(game, states, commits, mistakes)
    # If there were few mistakes, name good turns as well.
    gains: dict[int, float] = {}
    for number in missed:
        seat = commits[number - 1].seat
        gains[number] = leads[number][seat] - leads[number - 1][seat]
    named = {moment.number for moment in moments}
    for number in rank_numbers(gains):
        is_worth_telling = gains[number] >= MIN_POINTS_TOLD and number not in named
        if len(moments) < MAX_MOMENTS and is_worth_telling:
            moments.append(Moment(number, commits[number - 1].seat, gains[number]))
    progress(1.0)
    moments.sort(key=lambda moment: moment.number)
    chances = []
    # A match that somebody left has no half-time: nobody knows how long it would have lasted.
    if mind.chance_weights and game.outcome(states[-1]) is not None:
        for share in SHARES_TOLD:
            points = expect_points(estimates, round(share * len(commits)))
            chances.append(win_chances(mind.chance_weights, points, share))
    return Review(smooth_estimates(estimates), tuple(moments), tuple(chances))


def expect_points(estimates: Sequence[tuple[Parts, ...]], number: int) -> list[float]:
    """Return the points that each seat could expect after a commit, by all estimates until then."""
    seats = len(estimates[0])
    # An estimate sways with whose turn it is: the last ones together see everybody move once.
    recent = estimates[max(0, number - seats + 1) : number + 1]
    return [
        sum(sum(parts[seat].values()) for parts in recent) / len(recent) for seat in range(seats)
    ]


def win_chances(
    weights: Sequence[float], points: Sequence[float], share: float
) -> tuple[float, ...]:
    """Return each seat's chance to win with these expected points, after this share of a match."""
    weight = weight_after(weights, share)
    best = max(points)
    odds = [exp(weight * (own - best)) for own in points]
    return tuple(one / sum(odds) for one in odds)


def weight_after(weights: Sequence[float], share: float) -> float:
    """Return the weight after a share of a match, between those of `CHANCE_SHARES`."""
    share = max(share, CHANCE_SHARES[0])
    after = max(1, bisect_left(CHANCE_SHARES, share))
    early, late = CHANCE_SHARES[after - 1 : after + 1]
    part = (share - early) / (late - early)
    return (1 - part) * weights[after - 1] + part * weights[after]


def rank_numbers(figures: dict[int, float]) -> list[int]:
    """Return the numbers of commits, those with the largest figures first."""
    return sorted(figures, key=lambda number: (-figures[number], number))


def find_next_acts(commits: Sequence[Commit]) -> Iterator[tuple[int, Seat, int]]:
    """Yield each commit with its seat and the commit after which that seat acted again."""
    after = dict.fromkeys((commit.seat for commit in commits), len(commits))
    for number in range(len(commits), 0, -1):
        seat = commits[number - 1].seat
        yield number, seat, after[seat]
        after[seat] = number - 1


def smooth_estimates(estimates: Sequence[tuple[Parts, ...]]) -> tuple[tuple[float, ...], ...]:
    """Return each seat's expected final points at every commit, as a curve for people to read.

    An estimate knows well by how much a seat leads, but little of what everybody will still gain.
    So it is shifted such that the mean of all seats is the final one from the start. It also sways
    with whose turn it is, so each point is a weighted mean of those around it; the first and the
    last stay as they are.
    """
    totals = [[sum(parts.values()) for parts in seats] for seats in estimates]
    means = [sum(points) / len(points) for points in totals]
    final_mean = means[-1]
    shifted = [
        [points + final_mean - mean for points in row]
        for row, mean in zip(totals, means, strict=True)
    ]
    last = len(totals) - 1
    seats = range(len(totals[-1]))
    curve = []
    for moment in range(len(shifted)):
        reach = min(len(seats), moment, last - moment)
        # Weights fall off linearly with the distance.
        weights = {moment + step: reach + 1 - abs(step) for step in range(-reach, reach + 1)}
        total_weight = sum(weights.values())
        row = []
        for seat in seats:
            points = sum(shifted[other][seat] * weight for other, weight in weights.items())
            row.append(round(points / total_weight, 3))
        curve.append(tuple(row))
    return tuple(curve)


def choose_mistakes(
    game: Game[Any], states: Sequence[Any], commits: Sequence[Commit], mistakes: list[Moment]
) -> list[Moment]:
    """Return the mistakes that decided most and are certain, no two with the same better turn."""
    outcome = game.outcome(states[-1])
    winners = outcome.winners if outcome else ()
    weights = {}
    for moment in mistakes:
        weight = WINNER_MISTAKE_WEIGHT if moment.seat in winners else 1
        weights[moment.number] = moment.points * weight
    chosen: list[Moment] = []
    for moment in sorted(mistakes, key=lambda moment: (-weights[moment.number], moment.number)):
        if len(chosen) == MAX_MOMENTS or moment.points < MIN_POINTS_TOLD:
            break
        missed = [answer.keys for answer in moment.better]
        already_told = [[answer.keys for answer in other.better] for other in chosen]
        if missed in already_told:
            continue
        sure = judge_again(game, states[moment.number - 1], commits[moment.number - 1], moment)
        if sure.points >= MIN_POINTS_TOLD:
            chosen.append(sure)
    return chosen


def list_alternatives(game: Game[Any], mind: Mind, known: Any, commit: Commit) -> list[Turn]:
    """Return the turn that was made, then alternatives, the best first; empty without a choice.

    `known` is the position as its seat knew it.
    """
    question = question_for(game, known, commit.seat)
    if question is None or not commit.answers or commit.answers[0].kind != question.kind:
        # The commit is not an answer to the question: a player left, or took an offer.
        return []
    tip = known
    for answer in commit.answers:
        tip = game.apply(tip, answer, ignore_event)
    made = [answer.keys for answer in commit.answers]
    listed = mind.turns(known, commit.seat, Table("review"))
    rivals = [turn for turn in listed if [answer.keys for answer in turn.answers] != made]
    return [Turn(commit.answers, tip), *rivals] if rivals else []


def judge_turn(game: Game[Any], state: Any, commit: Commit, number: int) -> Moment | None:
    """Compare a turn with others as a strong player would, knowing what its seat knew.

    Returns None if the seat had no choice.
    """
    mind = mind_of(game)
    known = deal_for(game, state, commit.seat)
    turns = list_alternatives(game, mind, known, commit)
    if not turns:
        return None
    ranked = search(game, mind, known, commit.seat, f"review/{number}", turns[: MAX_RIVALS + 1])
    made = find_candidate(ranked, turns[0])
    return Moment(number, commit.seat, made.behind, ranked[0].answers)


def judge_again(game: Game[Any], state: Any, commit: Commit, moment: Moment) -> Moment:
    """Return the moment with its cost measured again, with more samples and other dice."""
    mind = mind_of(game)
    known = deal_for(game, state, commit.seat)
    turns = list_alternatives(game, mind, known, commit)
    pair = [turns[0], *(turn for turn in turns if turn.answers == moment.better)]
    effort = replace(mind.effort_in(known), samples=(SAMPLES_TO_CONFIRM,))
    patient = replace(mind, effort=effort, efforts={}, switch_margin=0.0)
    ranked = search(game, patient, known, commit.seat, f"review/{moment.number}/sure", pair)
    made = find_candidate(ranked, turns[0])
    missed = [(points, name) for name, points in made.parts_behind if points >= MIN_PART_POINTS]
    names = tuple(name for _, name in sorted(missed, reverse=True))
    return replace(moment, points=made.behind, bonus=made.bonus_behind, parts=names)


def find_candidate(ranked: Sequence[Candidate], turn: Turn) -> Candidate:
    """Return the candidate of a turn that was looked into."""
    return next(candidate for candidate in ranked if candidate.answers == turn.answers)
