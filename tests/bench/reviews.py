"""How well a review's chances to win hold: `python -m tests.bench.reviews [--matches 200]
[--only GAME ...] [--fit]`.

Strong computers play each other. At every twentieth of a match from half-time on, the chance that a
review gives each seat is compared with who won: a line for each tenth of chances, with their mean
and the share of wins. The two must not differ by more than .08 where there are enough positions to
tell, and the mean squared error (Brier) must be smaller than that of the best chances from the
score alone, which are fitted to the very matches that are judged.

`--fit` plays other matches and prints the weights for `Mind.chance_weights` instead.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp

from msgspec import Struct

from engine import GAMES, Commit, Seat, begin
from engine.players import deal_for, think
from engine.players.mind import mind_of
from engine.players.review import CHANCE_SHARES, expect_points, weight_after, win_chances
from engine.players.simple import stand_in

MATCHES = 200
SEED, FIT_SEED = "shown", "fitted"
SHARES = tuple(number / 20 for number in range(7, 20))
"""Where in a match its standings are noted: nothing is said of the first third."""
HALF_TIME = 0.5
MAX_ERROR = 0.08
MIN_POSITIONS = 50
"""A tenth with fewer positions says little: they come from a handful of matches."""
LAYOUT = "{:<12} {:>9} {:>10} {:>8} {:>6}  {}"
FIT_STEPS = 60
RIDGE = 1e-3
"""Keeps a fit finite where the leader always wins."""
MAX_MERIT = 30.0
"""More than this is certain anyway."""
SMOKE_TURNS = 4


class Position(Struct, frozen=True):
    """How two seats stand in a match, and the first one's result: 1 for a win, .5 for a tie."""

    share: float
    expected: tuple[float, ...]
    """The points that each seat can expect."""
    scores: tuple[float, ...]
    """The points that everybody sees."""
    won: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches and print the table; return 1 if the chances do not hold."""
    options = _parser().parse_args(arguments)
    matches = 1 if options.smoke else options.matches
    turns = SMOKE_TURNS if options.smoke else None
    seed = FIT_SEED if options.fit else SEED
    failed = 0
    print(LAYOUT.format("game", "positions", "chance", "won", "error", "verdict"), flush=True)
    with ProcessPoolExecutor(options.jobs) as pool:
        for game in options.only or GAMES:
            work = [(game, f"{seed} {game} {number}", turns) for number in range(matches)]
            positions = [one for played in pool.map(play, work) for one in played]
            if options.fit:
                weights = fit([(one.share, one.expected, one.won) for one in positions])
                print(f"{game}: {', '.join(f'{weight:.4f}' for weight in weights)}", flush=True)
            else:
                failed += judge(game, [one for one in positions if one.share >= HALF_TIME])
    return 1 if failed and not options.smoke else 0


def play(work: tuple[str, str, int | None]) -> list[Position]:
    """Return positions of a match between two strong players.

    After `turns` turns the simple player takes over.
    """
    game_id, seed, turns = work
    match = begin(GAMES[game_id], 2, {}, seed)
    states = [match.base]
    while match.outcome is None:
        seat = match.waiting_for()[0]
        if turns is not None and match.number >= turns:
            match = stand_in(match, seat).without_log()
        else:
            known = deal_for(match.game, match.base, seat)
            thought = think(match.game, known, seat, f"{seat} {match.number}", "strong")
            if thought.offer is not None:
                match = match.pick(thought.offer).without_log()
            else:
                match = match.replay(Commit(seat, thought.answers)).without_log()
        states.append(match.base)
    winners = match.outcome.winners
    won = (Seat(0) in winners) / len(winners)
    mind = mind_of(match.game)
    estimates = [mind.estimate(state) for state in states]
    found = []
    for share in SHARES:
        number = round(share * (len(states) - 1))
        expected = tuple(expect_points(estimates, number))
        scores = tuple(match.game.view(states[number], None).scores)
        found.append(Position(share, expected, scores, won))
    return found


def judge(game: str, positions: Sequence[Position]) -> int:
    """Print how well the chances of a game hold; return how many marks are missed."""
    weights = mind_of(GAMES[game]).chance_weights
    if not weights:
        print(f"{game}: not fitted", flush=True)
        return 1
    tenths: dict[int, list[tuple[float, float]]] = {}
    brier = 0.0
    for one in positions:
        chances = win_chances(weights, one.expected, one.share)
        # Both seats are counted, so the table is as good at the top as at the bottom.
        for chance, won in zip(chances, (one.won, 1 - one.won), strict=True):
            tenths.setdefault(min(9, int(chance * 10)), []).append((chance, won))
        brier += (chances[0] - one.won) ** 2 / len(positions)
    missed = 0
    for tenth in sorted(tenths):
        told = tenths[tenth]
        chance = sum(chance for chance, _ in told) / len(told)
        won = sum(won for _, won in told) / len(told)
        error = abs(chance - won)
        verdict = (
            "few" if len(told) < MIN_POSITIONS else "holds" if error <= MAX_ERROR else "MISSED"
        )
        missed += verdict == "MISSED"
        cells = (f"{chance:.3f}", f"{won:.3f}", f"{error:.3f}", verdict)
        print(LAYOUT.format(game, len(told), *cells), flush=True)
    by_score = brier_by_score(positions)
    verdict = "better" if brier < by_score else "MISSED"
    print(f"{game}: Brier {brier:.4f}, from the score alone {by_score:.4f}: {verdict}", flush=True)
    return missed + (verdict == "MISSED")


def brier_by_score(positions: Sequence[Position]) -> float:
    """Return the mean squared error of the best chances that the score alone gives."""
    weights = fit([(one.share, one.scores, one.won) for one in positions])
    errors = [(win_chances(weights, one.scores, one.share)[0] - one.won) ** 2 for one in positions]
    return sum(errors) / len(errors)


def fit(seen: Sequence[tuple[float, Sequence[float], float]]) -> list[float]:
    """Return the weights of points that make results the likeliest.

    Of each position come its share of the match, both seats' points and the first one's result. It
    is a logistic regression on the lead, by Newton's method, whose weight changes with the share.
    """
    size = len(CHANCE_SHARES)
    rows = []
    for share, points, won in seen:
        # How much of each weight counts at this share.
        parts = [
            weight_after([float(place == index) for place in range(size)], share)
            for index in range(size)
        ]
        lead = points[0] - points[1]
        rows.append(([part * lead for part in parts], won))
    found = [0.0] * size
    for _ in range(FIT_STEPS):
        slope = [-RIDGE * weight for weight in found]
        curve = [[RIDGE * (one == other) for one in range(size)] for other in range(size)]
        for features, won in rows:
            merit = sum(weight * value for weight, value in zip(found, features, strict=True))
            chance = 1 / (1 + exp(-max(-MAX_MERIT, min(MAX_MERIT, merit))))
            for index, value in enumerate(features):
                slope[index] += (won - chance) * value
                for other, factor in enumerate(features):
                    curve[index][other] += chance * (1 - chance) * value * factor
        step = _solve(curve, slope)
        found = [weight + change for weight, change in zip(found, step, strict=True)]
    return found


def _solve(rows: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations, whose matrix is positive definite."""
    size = len(right)
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for pivot in range(size):
        for other in range(size):
            if other != pivot:
                factor = table[other][pivot] / table[pivot][pivot]
                for column in range(pivot, size + 1):
                    table[other][column] -= factor * table[pivot][column]
    return [table[index][size] / table[index][index] for index in range(size)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.reviews", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=MATCHES, help="for each game")
    parser.add_argument("--only", action="append", choices=list(GAMES), help="just this game")
    parser.add_argument("--fit", action="store_true", help="print weights for other matches")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--smoke", action="store_true", help="play short matches, judge nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main())
