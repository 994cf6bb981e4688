"""Random matches to the end, through the public API, against random chess."""

import random
from collections.abc import Callable
from itertools import count
from statistics import mean
from typing import Any

from engine import GAMES, Answer, Decision, Game, Table, begin
from engine.core.game import full_settings
from tests.bench.measure import Measured, Row, paired, rounds

FIRST = "blue_lagoon"
PLIES = 70
MATCHES = 6
"""Random matches a round: as many of each number of seats."""


def random_chess(chance: random.Random) -> int:
    """Seventy plies of python-chess, or fewer if no move is left before: how many."""
    import chess

    board = chess.Board()
    while board.ply() < PLIES and (moves := list(board.legal_moves)):
        board.push(chance.choice(moves))
    return board.ply()


def random_answer(decision: Decision, chance: random.Random) -> Answer:
    """Any legal answer that is no longer than it must be."""
    if decision.at_least == 1:
        return Answer(decision.seat, decision.kind, (chance.choice(decision.options).key,))
    keys = [option.key for option in chance.sample(decision.options, decision.at_least)]
    return Answer(decision.seat, decision.kind, tuple(keys))


def random_match(game: Game[Any], seats: int, seed: int, chance: random.Random) -> int:
    """A match from begin to outcome as a bot plays it, every answer drafted, then confirmed: how many answers."""
    match = begin(game, seats, None, seed)
    while waiting := match.waiting_for():
        seat = waiting[0]
        match = match.pick(random_answer(match.decisions(seat)[0], chance))
        if match.is_complete(seat):
            match = match.confirm(seat)
    return sum(match.answered)


def random_states(game: Game[Any], seats: int, seed: int, chance: random.Random) -> int:
    """The same on bare states, as a search plays it."""
    answers = 0
    table = Table(str(seed))
    state = game.advance(game.setup(seats, full_settings(game, seats, {}), table), table)
    while game.outcome(state) is None:
        decision = next(decision for decision in game.decisions(state) if decision.blocking)
        state = game.advance(game.apply(state, random_answer(decision, chance), table.tell), table)
        answers += 1
    return answers


def _against_chess(play: Callable[..., int], quick: bool, game_id: str = FIRST, each: bool = False) -> Measured:
    """Matches a second as a multiple of chess; with `each`, answers a second as a multiple of plies."""
    game, chance, seeds = GAMES[game_id], random.Random(7), count()
    answers: list[int] = []
    plies: list[int] = []

    def ours() -> None:
        seed = next(seeds)
        answers.append(play(game, game.seats[seed % len(game.seats)], seed, chance))

    mine, theirs = paired(ours, lambda: plies.append(random_chess(chance)), rounds(quick), MATCHES)
    if each:
        mine, theirs = mine / mean(answers), theirs / mean(plies)
    return Measured(theirs / mine, mine, theirs, f"{mean(answers):.0f} answers a match")


def _row(name: str, what: str, play: Callable[..., int], game_id: str = FIRST, each: bool = False) -> Row:
    return Row(name, what, 2, 1, lambda quick: _against_chess(play, quick, game_id, each), more_is_better=True)


def _rows_of(game_id: str) -> tuple[Row, ...]:
    """Whole matches of another game, counted as those of the first are; and by answer, as matches differ in length."""
    title = GAMES[game_id].title
    whole = f"random matches of {title} a second through Match / python-chess"
    each = f"random answers of {title} a second through Match / plies of python-chess"
    return (
        _row(f"playouts-{game_id}", whole, random_match, game_id),
        _row(f"answers-{game_id}", each, random_match, game_id, each=True),
    )


ROWS = (
    _row("playouts", "random matches a second through Match / python-chess, 70 plies", random_match),
    _row("playouts-states", "random matches a second through Game / python-chess, 70 plies", random_states),
    *(row for game_id in GAMES if game_id != FIRST for row in _rows_of(game_id)),
)
