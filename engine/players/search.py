"""One look-ahead for all games: flat, with sequential halving and common random numbers.

Every candidate is a whole turn. It is played on, everybody following the game's policy, until the
turn has come round to the seat that thinks, and the position there is judged. All candidates meet
the same dice and the same deals of what is hidden, so that luck does not drown what they differ by;
after each round of samples the worse half is dropped. A line in which nothing was drawn comes out
alike every time and is not played twice.
"""

from typing import Any

from msgspec import Struct

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.table import Table
from engine.players.mind import Mind, Parts, Turn, ignore, question_to

KEPT = 2
"""The fewest turns that are kept in the running: the best has a rival to be compared with."""


class Candidate(Struct, frozen=True):
    """A turn that was looked into, compared with the best one on the same samples."""

    answers: tuple[Answer, ...]
    is_offer: bool
    """It is an offer that is taken, not a turn."""
    points: float
    """The seat's expected final points."""
    lead: float
    """By how much they exceed those of the others, winning counted in: what turns are ranked by."""
    behind: float
    """How much less lead it has than the best."""
    parts: tuple[tuple[str, float], ...]
    """What the expected points are made of."""
    parts_behind: tuple[tuple[str, float], ...]
    """The same, as what the best has more of it."""
    samples: int
    bonus_behind: float = 0.0
    """How much of what it is behind is no points, but what winning is worth beside them."""
    at_once: tuple[tuple[str, float], ...] = ()
    """The parts as they are when the turn is made, before anybody has answered it."""


class _Line:
    """A turn under examination, with a lead and the named parts for each sample."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.leads: list[float] = []
        self.bonuses: list[float] = []
        """What of the lead is for winning."""
        self.parts: list[Parts] = []
        self.is_certain = False
        """Nothing was drawn: one sample says all."""

    @property
    def lead(self) -> float:
        """Return the mean lead."""
        return sum(self.leads) / len(self.leads)

    def part(self, name: str) -> float:
        """Return the mean of a part."""
        return sum(parts.get(name, 0.0) for parts in self.parts) / len(self.parts)

    def at(self, sample: int) -> int:
        """Return where the sample of that number is stored."""
        return 0 if self.is_certain else sample


def search(
    game: Game[Any], mind: Mind, state: Any, seat: Seat, seed: str, turns: list[Turn]
) -> list[Candidate]:
    """Look into these turns and rank them, the best first."""
    alive = [_Line(turn) for turn in turns]
    first = alive[0]
    dropped: list[_Line] = []
    sample = 0
    for more in mind.effort_in(state).samples:
        for _ in range(more):
            for line in alive:
                if not line.is_certain:
                    _play(game, mind, state, seat, f"{seed}/{sample}", line)
            sample += 1
        # The sort is stable: of turns that come out alike the one that the game's lister likes
        # better stays ahead.
        alive.sort(key=lambda line: -line.lead)
        if all(line.is_certain for line in alive):
            break
        kept = alive[: max(KEPT, len(alive) // 2)]
        if mind.caution and first not in kept:
            # It stays, to be compared with the best by all samples.
            kept[-1] = first
        dropped[:0] = [line for line in alive if line not in kept]
        alive = kept
    if alive[0].lead - first.lead < mind.caution:
        alive.sort(key=lambda line: line is not first)
    ranked = [*alive, *dropped]
    at_once = [tuple(mind.estimate(line.turn.tip)[seat].items()) for line in ranked]
    return [_compared(line, ranked[0], parts) for line, parts in zip(ranked, at_once, strict=True)]


def _play(game: Game[Any], mind: Mind, state: Any, seat: Seat, seed: str, line: _Line) -> None:
    """Play one more sample of a line."""
    deal = game.redeal(state, seat, Table(f"{seed}/deal"))
    is_open = deal is state
    if mind.reopened is not None:
        deal = mind.reopened(deal, seat)
    tip = line.turn.tip if is_open else _applied(game, deal, line.turn)
    table = Table(seed)
    after = game.advance(tip, table)
    plies = mind.effort_in(after).plies(len(mind.estimate(after)))
    if line.turn.is_offer and question_to(game, state, seat) is not None:
        # The turn itself is still to come.
        plies += 1
    end = _played_on(game, mind, seat, after, plies, table)
    parts = mind.estimate(end)
    bonus = _won(game, mind, end, seat)
    line.leads.append(lead_of(parts, seat) + bonus)
    line.bonuses.append(bonus)
    line.parts.append(parts[seat])
    line.is_certain = is_open and table.draws == 0


def _applied(game: Game[Any], state: Any, turn: Turn) -> Any:
    """Return the state after a turn that was planned on another deal of hidden things."""
    if turn.is_offer:
        return game.take_offer(state, turn.answers[0], ignore)
    for answer in turn.answers:
        state = game.apply(state, answer, ignore)
    return state


def _played_on(
    game: Game[Any], mind: Mind, seat: Seat, state: Any, plies: int, table: Table
) -> Any:
    """Play on for this many turns, or until the position is far enough or the match ends."""
    start, most, watched = state, mind.effort_in(state).watched, 0
    for _ in range(plies):
        asked = game.questions(state)
        if not asked or (mind.until is not None and mind.until(start, state)):
            break
        mover = asked[0].seat
        if mind.rest is not None and most is not None and mover != seat and watched >= most:
            tip = mind.rest(state, mover)
        else:
            tip = mind.policy(state, mover, table)
            watched += mover != seat
        state = game.advance(tip, table)
    return state


def lead_of(parts: tuple[Parts, ...], seat: Seat) -> float:
    """Return the expected lead: half over the strongest opponent, half over their mean."""
    totals = [sum(own.values()) for own in parts]
    others = [points for other, points in enumerate(totals) if other != seat]
    return totals[seat] - (max(others) + sum(others) / len(others)) / 2


def _won(game: Game[Any], mind: Mind, state: Any, seat: Seat) -> float:
    outcome = game.outcome(state)
    return (
        mind.win / len(outcome.winners) if outcome is not None and seat in outcome.winners else 0.0
    )


def _compared(line: _Line, best: _Line, at_once: tuple[tuple[str, float], ...]) -> Candidate:
    certain = line.is_certain and best.is_certain
    counts = [len(one.leads) for one in (line, best) if not one.is_certain]
    common = range(1 if certain else min(counts))
    names = list(
        dict.fromkeys(name for one in (best, line) for parts in one.parts for name in parts)
    )

    def behind(name: str) -> float:
        pairs = [(best.parts[best.at(n)], line.parts[line.at(n)]) for n in common]
        return sum(one.get(name, 0.0) - other.get(name, 0.0) for one, other in pairs) / len(common)

    return Candidate(
        answers=line.turn.answers,
        is_offer=line.turn.is_offer,
        points=sum(line.part(name) for name in names),
        lead=line.lead,
        behind=sum(best.leads[best.at(n)] - line.leads[line.at(n)] for n in common) / len(common),
        bonus_behind=sum(best.bonuses[best.at(n)] - line.bonuses[line.at(n)] for n in common)
        / len(common),
        parts=tuple((name, line.part(name)) for name in names),
        parts_behind=tuple((name, behind(name)) for name in names),
        samples=len(line.leads),
        at_once=at_once,
    )
