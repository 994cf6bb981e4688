"""How well the computer players play, as one table: `python -m tests.bench.players [--share 0.1]
[--only ROW ...] [--player COMMAND]`.

With `--smoke` one match of each row is played, whose players only think for the first turns: it
shows that every row runs. Its marks are not judged then, but for a choice that depends on what its
seat cannot know.

Each row is a number of matches with printed seeds, seats taken in turn; weights were tuned on other
seeds. A share is shown with its Wilson interval of 95 %. `surely` means that the whole interval
lies above the mark. Matches are whole ones through `Match`, with every player handed what its seat
may know; turn times are CPU time, so a busy machine does not spoil them. With a share fewer matches
are played, and a row says how many.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations, pairwise
from math import sqrt
from random import Random

from msgspec import Struct

from bot.run.play import make_move
from bot.workers.outside import OutsidePlayer, PlayerFailed
from engine import GAMES, Commit, Match, Outcome, Seat, begin
from engine.players import CHARACTERS, LEVELS, Character, Level, deal_for, think
from engine.players.simple import stand_in
from tests.bench import earlier_players
from tests.bench.measure import percentile
from tests.bench.naive import naive_turn
from tests.bench.rushes import RUSHES, rush_turn
from tests.contract.player import random_answer

RANDOM, PLAIN, NAIVE = "random", "plain", "naive"
OUTSIDE = "command: "
"""Before a command that plays: see docs/own-computer.md."""
EARLIER = "earlier "
"""Before the name of a level: the player of that level as it was in 0.9.0."""
SEED = "shown"
Z = 1.96
"""For a confidence interval of 95 %."""
TITLES = ("row", "matches", "share", "interval", "points", "mark", "verdict", "seeds")
LAYOUT = "{:<44} {:>8} {:>7} {:>15} {:>17} {:>14} {:<8} {}"
TIME_LAYOUT = "{:<44} {:>8} {:>12} {:>12} {:>12} {:<8}"
SLOWEST = 2000.0
"""The bar for the slowest strong turn, in milliseconds."""
GOAL = 1000.0
SMOKE_TURNS = 4
"""For how many turns players think in a smoke test; stand-ins play the rest."""


Pairing = tuple[str, int, str, str]
"""A game, its seats, a player and the others."""


class Row(Struct, frozen=True):
    """Matches of one player against others of one kind; `mark` is a share of wins, or points.

    With `most`, the share must not be larger than that either.
    """

    game: str
    seats: int
    one: str
    others: str
    matches: int
    mark: float
    most: float = 1.0
    surely: bool = False
    by_points: bool = False

    @property
    def name(self) -> str:
        """Return the name that the table shows."""
        against = f"{self.seats - 1} {self.others}" if self.seats > 2 else self.others
        return f"{self.game}: {self.one} v {against}" + (", points" if self.by_points else "")

    @property
    def is_of_levels(self) -> bool:
        """Return whether it compares levels, with each other or with the naive script."""
        return {self.one, self.others} <= {*LEVELS, NAIVE}

    @property
    def pairing(self) -> Pairing:
        """Return what decides the matches: rows of one pairing share them."""
        return self.game, self.seats, self.one, self.others


class Played(Struct, frozen=True):
    """The result of a match: the player's win and points, and the turn times by level."""

    won: float
    points: float
    of_others: float
    times: dict[str, list[float]]


def rows() -> list[Row]:
    """Return the rows of the table, in order."""
    found = []
    for game in GAMES:
        is_long = game == "conquest"
        matches = 60 if is_long else 200
        found += [
            Row(game, 2, "strong", RANDOM, matches, 0.99),
            Row(game, 2, "steady", PLAIN, matches, 0.80 if is_long else 0.95),
            Row(game, 2, NAIVE, "first_steps", matches, 0.60, 0.70),
            Row(game, 2, NAIVE, "easy", matches, 0.40, 0.50),
        ]
        found += [
            Row(game, 2, better, worse, matches, 0.75, 0.90) for worse, better in pairwise(LEVELS)
        ]
        for seats in GAMES[game].seats:
            if seats > 2:
                crowd = matches // 2
                found.append(Row(game, seats, "strong", "steady", crowd, 1 / seats, surely=True))
                found.append(Row(game, seats, "steady", "easy", crowd, 1 / seats, surely=True))
    earlier = EARLIER + "strong"
    found += [
        Row("polynesia", 2, "strong", earlier, 200, 0.65),
        Row("maori", 2, "strong", earlier, 200, 0.5),
        Row("maori", 4, "strong", earlier, 100, 1 / 4, surely=True),
        Row("maori", 5, "strong", earlier, 100, 1 / 5, surely=True),
    ]
    found += [
        Row("blue_lagoon", 2, "strong", "steady", 200, 250, by_points=True),
        Row("maori", 2, "strong", "steady", 200, 40, by_points=True),
        Row("polynesia", 4, "strong", PLAIN, 200, 14, by_points=True),
        Row("conquest", 2, "strong", EARLIER + "strong", 200, 0.75),
    ]
    for seats in (3, 4):
        found.append(
            Row("conquest", seats, "strong", EARLIER + "strong", 100, 1 / seats, surely=True)
        )
    found += [Row("conquest", 2, rush, "strong", 60, 0.0, 0.20) for rush in RUSHES]
    return found


def character_rows(game: str) -> list[Row]:
    """Return the rows of a game's characters against each other, at each level."""
    return [
        Row(game, 2, f"{level} {one}", f"{level} {other}", 100, 0.42, 0.58)
        for level in LEVELS
        for one, other in combinations(CHARACTERS, 2)
    ]


def rows_of(command: str) -> list[Row]:
    """Return the rows of a computer player of one's own, which has no marks to reach."""
    return [Row(game, 2, OUTSIDE + command, level, 60, 0.0) for game in GAMES for level in LEVELS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches and print the table; return 1 if a mark is missed."""
    options = _parser().parse_args(arguments)
    listed = rows_of(options.player) if options.player else rows()
    if not options.player:
        for game in GAMES:
            # One of them shows that all run.
            listed += character_rows(game)[: 1 if options.smoke else None]
    wanted = [
        row for row in listed if not options.only or any(word in row.name for word in options.only)
    ]
    print(LAYOUT.format(*TITLES), flush=True)
    played: dict[Pairing, list[Played]] = {}
    missed = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in wanted:
            number = 1 if options.smoke else max(row.seats, round(row.matches * options.share))
            known = played.setdefault(row.pairing, [])
            turns = SMOKE_TURNS if options.smoke else None
            known += pool.map(_match_of, [(row, n, turns) for n in range(len(known), number)])
            verdict = "runs" if options.smoke else _verdict(row, known[:number])
            missed += verdict == "MISSED"
            print(_line(row, known[:number], verdict), flush=True)
    too_slow = _print_times(played)
    missed += 0 if options.smoke else too_slow
    return 1 if missed else 0


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """Return the interval in which the true share lies in 19 of 20 cases."""
    share, square = wins / matches, Z * Z / matches
    middle = share + square / 2
    half = Z * sqrt(share * (1 - share) / matches + square / matches / 4)
    return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


def play_match(
    game: str,
    players: Sequence[str],
    seed: str,
    settings: dict[str, str] | None = None,
    turns: int | None = None,
) -> tuple[Outcome, dict[str, list[float]]]:
    """Play a match between these players; return its outcome and the turn times by level.

    After `turns` turns the simple player takes over all seats.
    """
    match = begin(GAMES[game], len(players), settings, seed)
    chance = Random(seed)
    times: dict[str, list[float]] = {}
    while match.outcome is None:
        seat = match.waiting_for()[0]
        player = players[seat] if turns is None or match.number < turns else PLAIN
        match = _turn(match, seat, player, chance, times).without_log()
    return match.outcome, times


def _turn(
    match: Match, seat: Seat, player: str, chance: Random, times: dict[str, list[float]]
) -> Match:
    if player == RANDOM:
        while decision := match.question(seat):
            match = match.pick(random_answer(decision, chance))
        return match.confirm(seat)
    if player == PLAIN:
        return stand_in(match, seat)
    if player.startswith(OUTSIDE):
        return _outside_turn(match, seat, player.removeprefix(OUTSIDE))
    if player in RUSHES:
        return rush_turn(match, seat, player)
    if player == NAIVE:
        return naive_turn(match, seat, f"{seat} {match.number} {chance.random()}")
    state = deal_for(match.game, match.base, seat)
    start = time.process_time()
    # A player's seed is its own: it has nothing to do with the match's.
    own_seed = f"{player} {seat} {match.number}"
    if player.startswith(EARLIER):
        level, _ = find_computer(player.removeprefix(EARLIER))
        thought = earlier_players.think(match.game, state, seat, own_seed, level)
    else:
        level, character = find_computer(player)
        thought = think(match.game, state, seat, own_seed, level, character)
    timed = player if player.startswith(EARLIER) else level
    times.setdefault(timed, []).append((time.process_time() - start) * 1000)
    if thought.offer is not None:
        return match.pick(thought.offer)
    return match.replay(Commit(seat, thought.answers))


@cache
def _outside_player(command: str) -> tuple[asyncio.Runner, OutsidePlayer]:
    """Return a process's own copy of the command, and the loop that it runs in."""
    return asyncio.Runner(), OutsidePlayer(command)


def _outside_turn(match: Match, seat: Seat, command: str) -> Match:
    runner, player = _outside_player(command)
    state = deal_for(match.game, match.base, seat)
    try:
        thought = runner.run(player.choose_turn(match.game, state, seat))
    except PlayerFailed as error:
        print(error, file=sys.stderr)
        return stand_in(match, seat)
    return make_move(match, seat, thought)


def find_computer(name: str) -> tuple[Level, Character | None]:
    """Return the level and the character of a computer such as 'steady raider' or just 'steady'."""
    first, _, second = name.partition(" ")
    level = next(level for level in LEVELS if level == first)
    return level, next((one for one in CHARACTERS if one == second), None)


def _match_of(work: tuple[Row, int, int | None]) -> Played:
    row, number, turns = work
    at = number % row.seats
    players = [row.others] * row.seats
    players[at] = row.one
    # The same deal for each seat in turn.
    seed = f"{SEED} {row.game} {number // row.seats}"
    if row.is_of_levels:
        # As at a table: each computer has another character.
        drawn = Random(seed).sample(CHARACTERS, len(CHARACTERS))
        players = [
            f"{player} {drawn[seat % len(drawn)]}" if player in LEVELS else player
            for seat, player in enumerate(players)
        ]
    outcome, times = play_match(row.game, players, seed, turns=turns)
    won = 1 / len(outcome.winners) if at in outcome.winners else 0.0
    others = [points for seat, points in enumerate(outcome.scores) if seat != at]
    return Played(won, outcome.scores[at], sum(others) / len(others), times)


def _verdict(row: Row, played: list[Played]) -> str:
    count = len(played)
    if row.by_points:
        reached = sum(one.points for one in played) / count
    else:
        wins = sum(one.won for one in played)
        reached = wilson(wins, count)[0] if row.surely else wins / count
        if reached > row.most:
            return "MISSED"
    return "reached" if reached >= row.mark else "MISSED"


def _line(row: Row, played: list[Played], verdict: str) -> str:
    count, wins = len(played), sum(one.won for one in played)
    low, high = wilson(wins, count)
    points = (
        f"{sum(one.points for one in played) / count:.1f} : "
        f"{sum(one.of_others for one in played) / count:.1f}"
    )
    mark = (
        f">= {row.mark:g}"
        if row.by_points
        else f"{row.mark:.2f} to {row.most:.2f}"
        if row.most < 1
        else f"{'surely ' if row.surely else ''}>= {row.mark:.2f}"
    )
    seeds = f"{SEED} {row.game} 0..{(count - 1) // row.seats}"
    cells = (
        row.name,
        count,
        f"{wins / count:.3f}",
        f"[{low:.2f}, {high:.2f}]",
        points,
        mark,
        verdict,
        seeds,
    )
    return LAYOUT.format(*cells)


def _print_times(played: dict[Pairing, list[Played]]) -> int:
    print(TIME_LAYOUT.format("turn times, ms of CPU", "turns", "p50", "p99", "longest", "verdict"))
    found: dict[tuple[str, str], list[float]] = {}
    for (game, *_), matches in played.items():
        for one in matches:
            for level, times in one.times.items():
                found.setdefault((game, level), []).extend(times)
    missed = 0
    for game in GAMES:
        for level in LEVELS:
            times = found.get((game, level))
            if not times:
                continue
            slow = percentile(times, 0.99)
            verdict = "goal" if slow <= GOAL else "reached" if slow <= SLOWEST else "MISSED"
            missed += verdict == "MISSED"
            cells = (
                f"{game}: {level}",
                len(times),
                f"{percentile(times, 0.5):.1f}",
                f"{slow:.1f}",
                f"{max(times):.1f}",
                verdict,
            )
            print(TIME_LAYOUT.format(*cells), flush=True)
    return missed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.players", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the matches to play: 0.1 is every tenth"
    )
    parser.add_argument(
        "--only", action="append", metavar="ROW", help="rows whose name has this in it"
    )
    parser.add_argument(
        "--player", metavar="COMMAND", help="play this command against each level instead"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--smoke", action="store_true", help="play one short match a row and judge nothing"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
