"""The levels of computer players: easy, steady and strong."""

from math import exp
from typing import Any, Literal, get_args

from msgspec import Struct

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.table import Table
from engine.players.mind import Mind, Turn, mind_of, question_to
from engine.players.search import Candidate, lead_of, search

Level = Literal["easy", "steady", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""From the weakest to the strongest."""
SURE = 100.0
"""Points from which on an offer is taken without a second thought."""
FAKE = 2.5
"""Temperatures: a turn that is worse than the best by more is a blunder nobody would believe,
even of a beginner.
"""


class Thought(Struct, frozen=True):
    """What a player wants to do: take an offer and be asked again, or answer its questions."""

    offer: Answer | None = None
    answers: tuple[Answer, ...] = ()
    """The whole turn; none if the seat is not asked anything."""
    ranked: tuple[Candidate, ...] = ()
    """What the strong level looked into, the best first; none where there was no choice."""


def dealt_for(game: Game[Any], state: Any, seat: Seat) -> Any:
    """Return the state with everything hidden from the seat dealt again, as a player may see it.

    Two states that look alike to the seat give the same result.
    """
    return game.redeal(state, seat, Table("seen"))


def think(game: Game[Any], state: Any, seat: Seat, seed: str, level: Level) -> Thought:
    """Return what the seat does in this position, whatever it is asked."""
    # Dealt once more, so that even a caller who hands over the true state makes no cheat of the
    # player.
    state = dealt_for(game, state, seat)
    mind, table = mind_of(game), Table(seed)
    offers = mind.offers(state, seat)
    turns = [Turn((), state, lead_of(mind.estimate(state), seat))]
    if question_to(game, state, seat) is not None:
        rule = mind.rules.get(level)
        turns = [rule(state, seat, table)] if rule is not None else mind.turns(state, seat, table)
    if len(turns) == 1 and not offers:
        return Thought(answers=turns[0].answers)
    best = max(offers, key=lambda turn: turn.value, default=None)
    if level == "strong" and level not in mind.rules and (best is None or best.value < SURE):
        return _looked_ahead(game, mind, state, seat, seed, turns, offers)
    # An offer must be better than whatever else can be done, or it is left for later.
    if best is not None and best.value > turns[0].value:
        return Thought(offer=best.answers[0])
    turn = turns[0] if level == "steady" else _softened(turns, mind.temperature, table)
    return Thought(answers=turn.answers)


def _looked_ahead(
    game: Game[Any],
    mind: Mind,
    state: Any,
    seat: Seat,
    seed: str,
    turns: list[Turn],
    offers: list[Turn],
) -> Thought:
    ranked = search(
        game, mind, state, seat, seed, turns[: mind.effort_in(state).candidates] + offers
    )
    best = ranked[0]
    if best.is_offer:
        return Thought(offer=best.answers[0], ranked=tuple(ranked))
    return Thought(answers=best.answers, ranked=tuple(ranked))


def _softened(turns: list[Turn], temperature: float, table: Table) -> Turn:
    """Pick one of the turns at random, better ones more likely."""
    best = turns[0].value
    likely = [turn for turn in turns if best - turn.value <= FAKE * temperature]
    weights = [exp((turn.value - best) / temperature) for turn in likely]
    # The table draws whole numbers: a point on the line of all weights, in millionths.
    drawn = table.below(1_000_000) / 1_000_000 * sum(weights)
    for turn, weight in zip(likely, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return turn
    return likely[-1]
