"""The look-ahead for all games: flat, with sequential halving and common random numbers.

Every candidate is a whole turn. It is played on, with everybody following the game's policy, until
it is the thinking seat's turn again, and the position there is judged. All candidates meet the same
dice and the same deals of hidden things, so that luck does not drown their differences; after each
round of samples the worse half is dropped. A line in which nothing was drawn gives the same result
every time and is played only once.
"""

from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.table import Table
from engine.players.mind import Mind, Parts, Turn, ignore_event, question_for

MIN_CANDIDATES_KEPT = 2
"""The best turn always has a rival to be compared with."""


class Candidate(Struct, frozen=True):
    """A turn that was looked into, compared with the best one on the same samples."""

    answers: tuple[Answer, ...]
    is_offer: bool
    """It is an offer instead of a turn."""
    points: float
    """The seat's expected final points."""
    lead: float
    """By how much they exceed those of the others, including the bonus for winning; turns are
    ranked by it.
    """
    behind: float
    """By how much its lead is smaller than that of the best."""
    parts: tuple[tuple[str, float], ...]
    """The parts of the expected points."""
    parts_behind: tuple[tuple[str, float], ...]
    """How much more of each part the best has."""
    samples: int
    """How often it was played out."""
    bonus_behind: float = 0.0
    """How much of `behind` is the bonus for winning, and not points."""
    at_once: tuple[tuple[str, float], ...] = ()
    """The parts right after the turn, before anybody else has acted."""


class Line:
    """A turn under examination, with a lead and the named parts for each sample."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.leads: list[float] = []
        self.bonuses: list[float] = []
        """The part of each lead that is the bonus for winning."""
        self.parts: list[Parts] = []
        self.is_certain = False
        """Nothing was drawn, so one sample is enough."""

    @property
    def lead(self) -> float:
        """Return the mean lead."""
        return sum(self.leads) / len(self.leads)

    def mean_part(self, name: str) -> float:
        """Return the mean of a part."""
        return sum(parts.get(name, 0.0) for parts in self.parts) / len(self.parts)

    def index_of(self, sample: int) -> int:
        """Return the index at which a sample is stored."""
        return 0 if self.is_certain else sample


def search(
    game: Game[Any], mind: Mind, state: Any, seat: Seat, seed: str, turns: list[Turn]
) -> list[Candidate]:
    """Look into these turns and return them as candidates, the best first."""
    alive = [Line(turn) for turn in turns]
    first = alive[0]
    dropped: list[Line] = []
    sample = 0
    for more in mind.effort_in(state).samples:
        for _ in range(more):
            for line in alive:
                if not line.is_certain:
                    play_sample(game, mind, state, seat, f"{seed}/{sample}", line)
            sample += 1
        # The sort is stable: of equal turns, the one that the game's mind listed first stays first.
        alive.sort(key=lambda line: -line.lead)
        if all(line.is_certain for line in alive):
            break
        kept = alive[: max(MIN_CANDIDATES_KEPT, len(alive) // 2)]
        if mind.switch_margin and first not in kept:
            # The first turn of the list stays, so that it is compared with the best by all samples.
            kept[-1] = first
        dropped = [line for line in alive if line not in kept] + dropped
        alive = kept
    if first in alive and alive[0].lead - first.lead < mind.switch_margin:
        alive.remove(first)
        alive.insert(0, first)
    ranked = [*alive, *dropped]
    candidates = []
    for line in ranked:
        at_once = tuple(mind.estimate(line.turn.tip)[seat].items())
        candidates.append(compare_with_best(line, ranked[0], at_once))
    return candidates


def play_sample(game: Game[Any], mind: Mind, state: Any, seat: Seat, seed: str, line: Line) -> None:
    """Play out one more sample of a line."""
    if mind.weigh_positions is not None:
        weigh_line(game, mind, seat, line)
        return
    deal = game.redeal(state, seat, Table(f"{seed}/deal"))
    is_open = deal is state
    if mind.reopen_answers is not None:
        deal = mind.reopen_answers(deal, seat)
    tip = line.turn.tip if is_open else apply_turn(game, deal, line.turn)
    table = Table(seed)
    after = game.advance(tip, table)
    plies = mind.effort_in(after).plies(len(mind.estimate(after)))
    if line.turn.is_offer and question_for(game, state, seat) is not None:
        # The turn itself is still to come.
        plies += 1
    end = play_on(game, mind, after, plies, table)
    parts = mind.estimate(end)
    bonus = win_bonus(game, mind, end, seat)
    line.leads.append(lead_of(parts, seat) + bonus)
    line.bonuses.append(bonus)
    line.parts.append(parts[seat])
    line.is_certain = is_open and table.draws == 0


def weigh_line(game: Game[Any], mind: Mind, seat: Seat, line: Line) -> None:
    """Value a line by the weighted positions on its way, which makes it certain."""
    assert mind.weigh_positions is not None
    tip = line.turn.tip
    plies = mind.effort_in(tip).plies(len(mind.estimate(tip)))
    lead = 0.0
    bonus = 0.0
    mean_parts: dict[str, float] = {}
    for weight, position in mind.weigh_positions(tip, plies):
        parts = mind.estimate(position)
        lead += weight * lead_of(parts, seat)
        bonus += weight * win_bonus(game, mind, position, seat)
        for name, points in parts[seat].items():
            mean_parts[name] = mean_parts.get(name, 0.0) + weight * points
    line.leads.append(lead + bonus)
    line.bonuses.append(bonus)
    line.parts.append(mean_parts)
    line.is_certain = True


def apply_turn(game: Game[Any], state: Any, turn: Turn) -> Any:
    """Return the state after a turn that was planned on another deal of hidden things."""
    if turn.is_offer:
        return game.take_offer(state, turn.answers[0], ignore_event)
    for answer in turn.answers:
        state = game.apply(state, answer, ignore_event)
    return state


def play_on(game: Game[Any], mind: Mind, state: Any, plies: int, table: Table) -> Any:
    """Play on for this many turns, or until the position is far enough or the match ends."""
    start = state
    for _ in range(plies):
        asked = game.questions(state)
        if not asked:
            break
        if mind.is_far_enough is not None and mind.is_far_enough(start, state):
            break
        state = game.advance(mind.policy(state, asked[0].seat, table), table)
    return state


def lead_of(parts: tuple[Parts, ...], seat: Seat) -> float:
    """Return the expected lead: half over the strongest opponent, half over the mean of all."""
    totals = [sum(own.values()) for own in parts]
    others = [points for other, points in enumerate(totals) if other != seat]
    return totals[seat] - (max(others) + sum(others) / len(others)) / 2


def win_bonus(game: Game[Any], mind: Mind, state: Any, seat: Seat) -> float:
    """Return what winning is worth to the seat, if the match is over and it has won."""
    outcome = game.outcome(state)
    if outcome is None or seat not in outcome.winners:
        return 0.0
    return mind.win_points / len(outcome.winners)


def compare_with_best(line: Line, best: Line, at_once: tuple[tuple[str, float], ...]) -> Candidate:
    """Return the line as a candidate, compared with the best one on the samples of both."""
    # A certain line has a single sample, which is compared with all samples of the other.
    counts = [len(one.leads) for one in (line, best) if not one.is_certain]
    samples = range(min(counts, default=1))
    names: dict[str, None] = {}
    for one in (best, line):
        for parts in one.parts:
            names.update(dict.fromkeys(parts))
    parts_behind: dict[str, float] = dict.fromkeys(names, 0.0)
    behind = 0.0
    bonus_behind = 0.0
    for sample in samples:
        here = line.index_of(sample)
        there = best.index_of(sample)
        behind += best.leads[there] - line.leads[here]
        bonus_behind += best.bonuses[there] - line.bonuses[here]
        for name in names:
            gap = best.parts[there].get(name, 0.0) - line.parts[here].get(name, 0.0)
            parts_behind[name] += gap
    return Candidate(
        answers=line.turn.answers,
        is_offer=line.turn.is_offer,
        points=sum(line.mean_part(name) for name in names),
        lead=line.lead,
        behind=behind / len(samples),
        bonus_behind=bonus_behind / len(samples),
        parts=tuple((name, line.mean_part(name)) for name in names),
        parts_behind=tuple((name, total / len(samples)) for name, total in parts_behind.items()),
        samples=len(line.leads),
        at_once=at_once,
    )
