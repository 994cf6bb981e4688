"""Measure what a hint costs: a strong player's thought, and the panel that puts it into words."""

import time
from functools import partial

from bot.features.play.advice import build_hint
from engine import GAMES, Answer, Match, Seat
from engine.players import continue_turn, deal_for, think
from tests.bench.measure import Measured, Row, percentile
from tests.bench.pictures import turns
from tests.bot.tables import room_of

POSITIONS, QUICK_POSITIONS = 30, 2
NAMES = ("Ana", "Bea", "Cleo", "Dan", "Eve")


def hint(game: str, quick: bool) -> Measured:
    """Return the seconds of a core for a hint, p90; every other turn was begun at random."""
    *positions, _ = turns(game)
    number = QUICK_POSITIONS if quick else POSITIONS
    took = []
    for place in range(number):
        match = positions[place * len(positions) // number]
        seat = match.waiting_for()[0]
        if place % 2:
            match = _begin_turn(match, seat)
        started = time.process_time()
        _make_hint(match, seat)
        took.append(time.process_time() - started)
    note = f"{number} hints, p50 {percentile(took, 0.5):.2f} s, at most {max(took):.2f} s"
    return Measured(percentile(took, 0.9), note=note)


def _begin_turn(match: Match, seat: Seat) -> Match:
    """Draft the first answer of a seat's turn, if the turn needs more than that."""
    question = match.question(seat)
    assert question is not None
    keys = tuple(option.key for option in question.options[: question.at_least])
    begun = match.pick(Answer(seat, question.kind, keys))
    goes_on = begun.number == match.number and begun.question(seat) is not None
    return begun if goes_on else match


def _make_hint(match: Match, seat: Seat) -> None:
    """Do in this process what the hint button does in a worker and in the bot."""
    game, begun = match.game, match.draft(seat).answers
    known, seed = deal_for(game, match.base, seat), f"bench/{match.number}/{seat}"
    if begun:
        thought = continue_turn(game, known, seat, seed, begun)
    else:
        thought = think(game, known, seat, seed, "strong")
    build_hint(room_of(match, NAMES[: match.seats]), seat, thought)


ROWS = tuple(
    Row(
        f"hint-{game}",
        f"s of a core for a hint in {GAMES[game].title}, p90",
        1,
        2,
        partial(hint, game),
    )
    for game in GAMES
)
