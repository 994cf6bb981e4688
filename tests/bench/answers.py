"""Measure what an answer costs in random matches: drafted, then confirmed, as the bot does."""

import gc
import random
import time
from functools import partial
from statistics import median
from typing import Any

from engine import GAMES, Answer, Decision, Game, begin
from tests.bench.measure import Measured, Row, rounds

BUDGET = 100
"""Microseconds per answer on a quiet core: far less than a player, or a search, would notice."""
LARGER = {"conquest": 400}
"""Games with a budget of their own: Conquest's voyages have thousands of legal moves."""


def random_answer(decision: Decision, chance: random.Random) -> Answer:
    """Return a random legal answer, as short as possible."""
    keys = [option.key for option in chance.sample(decision.options, decision.at_least)]
    return Answer(decision.seat, decision.kind, tuple(keys))


def random_match(game: Game[Any], seats: int, seed: int, chance: random.Random) -> int:
    """Play a random match to its end; return how many answers it took."""
    match = begin(game, seats, None, seed)
    while waiting := match.waiting_for():
        question = match.question(waiting[0])
        match = (
            match.pick(random_answer(question, chance)) if question else match.confirm(waiting[0])
        )
    return sum(match.answered)


def answers(game_id: str, quick: bool) -> Measured:
    """Return the microseconds per answer. Each round plays a match with every number of seats."""
    game, chance = GAMES[game_id], random.Random(7)
    random_match(game, game.seats[0], 0, chance)
    found = []
    for number in range(rounds(quick)):
        # Freeze all other objects of the process: garbage collection must not scan them at the
        # expense of the matches.
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
