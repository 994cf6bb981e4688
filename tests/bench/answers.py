"""What an answer costs in random matches, played as a bot plays them: drafted, then confirmed,
through Match.
"""

import gc
import random
import time
from functools import partial
from statistics import median
from typing import Any

from engine import GAMES, Answer, Decision, Game, begin
from tests.bench.measure import Measured, Row, rounds

BUDGET = 100
"""Microseconds an answer on a quiet core; far below what a player, or a search with any policy,
would feel.
"""
LARGER = {"conquest": 400}
"""Games with a budget of their own: its voyages have many thousands of legal moves."""


def random_answer(decision: Decision, chance: random.Random) -> Answer:
    """Any legal answer that is no longer than it must be."""
    keys = [option.key for option in chance.sample(decision.options, decision.at_least)]
    return Answer(decision.seat, decision.kind, tuple(keys))


def random_match(game: Game[Any], seats: int, seed: int, chance: random.Random) -> int:
    """A match from begin to outcome: how many answers it took."""
    match = begin(game, seats, None, seed)
    while waiting := match.waiting_for():
        question = match.question(waiting[0])
        match = (
            match.pick(random_answer(question, chance)) if question else match.confirm(waiting[0])
        )
    return sum(match.answered)


def answers(game_id: str, quick: bool) -> Measured:
    """Microseconds an answer; in every round a match of each number of seats."""
    game, chance = GAMES[game_id], random.Random(7)
    random_match(game, game.seats[0], 0, chance)
    found = []
    for number in range(rounds(quick)):
        # What else lives in this process shall not be searched for garbage at the expense of the
        # matches.
        gc.collect()
        gc.freeze()
        start = time.process_time()
        made = sum(random_match(game, seats, number, chance) for seats in game.seats)
        found.append((time.process_time() - start) * 1_000_000 / made)
    gc.unfreeze()
    typical = median(found)
    return Measured(typical, typical / 1000, note=f"{1_000_000 / typical:,.0f} answers a second")


def _row(game_id: str) -> Row:
    budget = LARGER.get(game_id, BUDGET)
    title = f"microseconds an answer through Match, {GAMES[game_id].title}"
    return Row(f"answers-{game_id}", title, budget, 2 * budget, partial(answers, game_id))


ROWS = tuple(map(_row, GAMES))
