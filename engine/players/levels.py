"""The levels of computer players: first steps, easy, steady and strong.

They differ by how far they look. First steps sees the points that a turn brings at once, and
overlooks some; easy has an inkling of what comes later; steady weighs what its mind knows; and
strong also plays its best turns on in its head. No level misses a turn that wins at once.
"""

from collections.abc import Sequence
from itertools import compress
from math import exp
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Seat
from engine.core.game import Game
from engine.core.table import Table
from engine.players.characters import TASTE, Character, give_taste
from engine.players.mind import Mind, Outlook, Turn, ignore_event, mind_of, question_for
from engine.players.search import Candidate, lead_of, search

Level = Literal["first_steps", "easy", "steady", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""From the weakest to the strongest."""
OUTLOOKS: dict[str, Outlook] = {
    "first_steps": Outlook(attention=0.5, foresight=0.0, temperature=1.0),
    "easy": Outlook(foresight=0.3, temperature=1.0),
    "steady": Outlook(),
}
"""The outlooks of the levels below strong, where a game's mind has no others."""
SURE_OFFER_POINTS = 100.0
"""An offer of this value is taken without looking ahead."""
BLUNDER_TEMPERATURES = 2.5
"""A turn worse than the best by more than this many temperatures is never picked, as nobody would
believe it even of a beginner.
"""
MAX_RESTARTS = 3
"""Other turns that a turn which has begun is compared with."""
MIN_RESTART_POINTS = 3.0
"""By how many points another turn must be better to advise somebody to start over."""


class Thought(Struct, frozen=True):
    """What a player wants to do: take an offer and be asked again, or answer its questions."""

    offer: Answer | None = None
    answers: tuple[Answer, ...] = ()
    """The whole turn; empty if the seat is not asked anything."""
    ranked: tuple[Candidate, ...] = ()
    """The turns that the strong level looked into, the best first; empty where there was no
    choice.
    """
    restart: Candidate | None = None
    """A much better turn for a seat that has begun another one: see `continue_turn`."""
    restart_points: float = 0.0
    """How much better it is."""


def deal_for(game: Game[Any], state: Any, seat: Seat) -> Any:
    """Return the state with everything hidden from the seat dealt anew, as its player may see it.

    Two states that look alike to the seat give the same result.
    """
    return game.redeal(state, seat, Table("seen"))


def think(
    game: Game[Any],
    state: Any,
    seat: Seat,
    seed: str,
    level: Level,
    character: Character | None = None,
) -> Thought:
    """Return what the seat does in this position, whatever it is asked."""
    # Deal once more, so that the player cannot cheat even if a caller passes the true state.
    state = deal_for(game, state, seat)
    mind = mind_of(game)
    if character is not None:
        mind = give_taste(mind, character, seat)
    table = Table(seed)
    offers = mind.offers(state, seat)
    turns = [Turn((), state, lead_of(mind.estimate(state), seat))]
    if question_for(game, state, seat) is not None:
        rule = mind.level_rules.get(f"{level}/{character}") or mind.level_rules.get(level)
        if rule is not None:
            turns = [rule(state, seat, table)]
        else:
            turns = mind.turns(state, seat, table)
        # No level misses a turn that wins at once.
        turns = list_wins(game, seat, turns) or turns
    if len(turns) == 1 and not offers:
        return Thought(answers=turns[0].answers)
    best_offer = max(offers, key=lambda turn: turn.value, default=None)
    is_sure = best_offer is not None and best_offer.value >= SURE_OFFER_POINTS
    outlook = mind.outlooks.get(level) or OUTLOOKS.get(level)
    if outlook is not None and outlook.effort is not None:
        mind = replace(mind, effort=outlook.effort, efforts={})
    looks_ahead = outlook is None or outlook.effort is not None
    if looks_ahead and level not in mind.level_rules and not is_sure:
        candidates = turns[: mind.effort_in(state).candidates] + offers
        ranked = search(game, mind, state, seat, seed, candidates)
        best = ranked[0]
        if best.is_offer:
            return Thought(offer=best.answers[0], ranked=tuple(ranked))
        return Thought(answers=best.answers, ranked=tuple(ranked))
    # An offer that is no better than the best turn is left for later.
    if best_offer is not None and best_offer.value > turns[0].value:
        return Thought(offer=best_offer.answers[0])
    if outlook is not None and len(turns) > 1:
        turns = see_turns(game, seat, turns, outlook, table)
        if character is not None:
            turns = sort_by_taste(mind, seat, turns)
        return Thought(answers=pick_softened(turns, outlook.temperature, table).answers)
    return Thought(answers=turns[0].answers)


def list_wins(game: Game[Any], seat: Seat, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns that end the match at once with the seat as the only winner."""
    wins = []
    for turn in turns:
        table = Table("win")
        outcome = game.outcome(game.advance(turn.tip, table))
        # A win that takes luck is no sure one.
        if outcome is not None and outcome.winners == (seat,) and not table.draws:
            wins.append(turn)
    return wins


def see_turns(
    game: Game[Any], seat: Seat, turns: Sequence[Turn], outlook: Outlook, table: Table
) -> list[Turn]:
    """Return the turns that a level notices, valued as it sees them, the best first."""
    # The table draws only whole numbers, so the chance is in thousandths.
    is_noticed = [table.below(1000) < 1000 * outlook.attention for _ in turns]
    noticed = list(compress(turns, is_noticed)) or [table.choose(turns)]
    if outlook.foresight < 1:
        noticed = [
            replace(turn, value=short_sighted_value(game, seat, turn, outlook.foresight))
            for turn in noticed
        ]
    return sorted(noticed, key=lambda turn: -turn.value)


def short_sighted_value(game: Game[Any], seat: Seat, turn: Turn, foresight: float) -> float:
    """Return the value of a turn for a level that counts only a part of its prospects."""
    points = game.view(turn.tip, seat).scores[seat]
    return points + foresight * (turn.value - points)


def sort_by_taste(mind: Mind, seat: Seat, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns with what they are worth to the seat's taste, the best first."""
    tasted = []
    for turn in turns:
        taste = mind.estimate(turn.tip)[seat][TASTE]
        tasted.append(replace(turn, value=turn.value + taste))
    return sorted(tasted, key=lambda turn: -turn.value)


def continue_turn(
    game: Game[Any], state: Any, seat: Seat, seed: str, begun: tuple[Answer, ...]
) -> Thought:
    """Return how a strong player would finish a turn that begins with these answers.

    The answers of the thought are the whole turn. Offers are left for later.
    """
    state = deal_for(game, state, seat)
    mind = mind_of(game)
    table = Table(seed)
    tip = state
    for answer in begun:
        tip = game.apply(tip, answer, ignore_event)
    if question_for(game, tip, seat) is None:
        return Thought(answers=begun)
    endings: dict[tuple[Answer, ...], Turn] = {}
    for turn in mind.turns(tip, seat, table)[: mind.effort_in(state).candidates]:
        whole = (*begun, *turn.answers)
        endings[whole] = Turn(whole, turn.tip, turn.value)
    ranked = search(game, mind, state, seat, seed, list(endings.values()))
    best = ranked[0].answers
    thought = Thought(answers=best, ranked=tuple(ranked))
    turns = mind.turns(state, seat, table)
    others = [turn for turn in turns if not begins_with(turn.answers, begun)]
    if not others:
        return thought
    compared = search(game, mind, state, seat, seed, [endings[best], *others[:MAX_RESTARTS]])
    behind = next(one.behind for one in compared if one.answers == best)
    if behind < MIN_RESTART_POINTS:
        return thought
    return replace(thought, restart=compared[0], restart_points=behind)


def begins_with(turn: Sequence[Answer], begun: Sequence[Answer]) -> bool:
    """Return whether a turn begins with these answers."""
    return [answer.keys for answer in turn[: len(begun)]] == [answer.keys for answer in begun]


def pick_softened(turns: Sequence[Turn], temperature: float, table: Table) -> Turn:
    """Pick one of the turns, which are sorted, at random; better ones more often."""
    best = turns[0].value
    likely = [turn for turn in turns if best - turn.value <= BLUNDER_TEMPERATURES * temperature]
    if len(likely) == 1 or not temperature:
        return turns[0]
    weights = [exp((turn.value - best) / temperature) for turn in likely]
    # The table draws only whole numbers, so the random share of all weights is in millionths.
    drawn = table.below(1_000_000) / 1_000_000 * sum(weights)
    for turn, weight in zip(likely, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return turn
    return likely[-1]
