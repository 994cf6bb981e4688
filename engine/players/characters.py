"""The characters of computer players: raider, gardener, trader and hermit.

Each plays at any level, and about as well as the others. It counts some parts of its own points for
more than they bring, so people meet the same taste again in every match; which parts these are is
up to each game, in `Mind.tastes`.
"""

from typing import Any, Literal, get_args

from msgspec.structs import replace

from engine.core.decision import Seat
from engine.players.mind import Mind, Parts

Character = Literal["raider", "gardener", "trader", "hermit"]
CHARACTERS: tuple[Character, ...] = get_args(Character)
TASTE = "taste"
"""The part of a seat's points that is there only to its taste."""


def give_taste(mind: Mind, character: Character, seat: Seat) -> Mind:
    """Return a game's mind for a seat with this character, which values its position by taste."""
    weights = mind.tastes.get(character, {})

    def estimate(state: Any) -> tuple[Parts, ...]:
        parts = list(mind.estimate(state))
        own = parts[seat]
        more = sum((weight - 1) * own.get(name, 0.0) for name, weight in weights.items())
        parts[seat] = {**own, TASTE: more}
        return tuple(parts)

    return replace(mind, estimate=estimate)
