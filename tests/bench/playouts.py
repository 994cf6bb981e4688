"""Random matches to the end, through the public API, against random chess."""

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from engine import GAMES, Answer, Decision, Game, Table, begin
from engine.core.game import full_settings
from tests.bench.measure import Measured, Row, paired, rounds

FIRST = "blue_lagoon"
PLIES = 70
MATCHES = 6
"""Random matches a round: as many of each number of seats."""


def random_chess(chance: random.Random) -> None:
    """Seventy plies of python-chess, or fewer if no move is left before."""
    import chess

    board = chess.Board()
    while board.ply() < PLIES and (moves := list(board.legal_moves)):
        board.push(chance.choice(moves))


def random_answer(decision: Decision, chance: random.Random) -> Answer:
    """Any legal answer that is no longer than it must be."""
    if decision.at_least == 1:
        return Answer(decision.seat, decision.kind, (chance.choice(decision.options).key,))
    keys = [option.key for option in chance.sample(decision.options, decision.at_least)]
    return Answer(decision.seat, decision.kind, tuple(keys))


def random_match(game: Game[Any], seats: int, seed: int, chance: random.Random) -> None:
    """A match from begin to outcome as a bot plays it: every answer drafted, then confirmed."""
    match = begin(game, seats, None, seed)
    while waiting := match.waiting_for():
        seat = waiting[0]
        while not match.is_complete(seat):
            decision = match.decisions(seat)[0]
            match = match.pick(random_answer(decision, chance))
        match = match.confirm(seat)


def random_states(game: Game[Any], seats: int, seed: int, chance: random.Random) -> None:
    """The same on bare states, as a search plays it."""
    table = Table(str(seed))
    state = game.advance(game.setup(seats, full_settings(game, seats, {}), table), table)
    while game.outcome(state) is None:
        decision = next(decision for decision in game.decisions(state) if decision.blocking)
        state = game.advance(game.apply(state, random_answer(decision, chance), table.tell), table)


def _against_chess(play: Callable[..., None], quick: bool, game_id: str = FIRST) -> Measured:
    game, chance, seeds = GAMES[game_id], random.Random(7), count()

    def ours() -> None:
        seed = next(seeds)
        play(game, game.seats[seed % len(game.seats)], seed, chance)

    mine, theirs = paired(ours, lambda: random_chess(chance), rounds(quick), MATCHES)
    return Measured(theirs / mine, mine, theirs)


def whole_row(game_id: str) -> Row:
    """Whole matches of another game, counted as those of the first are."""
    title = f"random matches of {GAMES[game_id].title} a second through Match / python-chess"
    name = f"playouts-{game_id}"
    return Row(name, title, 2, 1, lambda quick: _against_chess(random_match, quick, game_id), more_is_better=True)


ROWS = (
    Row(
        "playouts",
        "random matches a second through Match / python-chess, 70 plies",
        2,
        1,
        lambda quick: _against_chess(random_match, quick),
        more_is_better=True,
    ),
    Row(
        "playouts-states",
        "random matches a second through Game / python-chess, 70 plies",
        2,
        1,
        lambda quick: _against_chess(random_states, quick),
        more_is_better=True,
    ),
    *(whole_row(game_id) for game_id in GAMES if game_id != FIRST),
)
