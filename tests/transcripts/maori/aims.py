"""The aims of simple players of Maori."""

from collections.abc import Callable

from engine import Match, Option
from tests.engine.maori.settler import reluctance


def islands(match: Match) -> Callable[[Option], int]:
    """Prefer near tiles, placed where they fit, and save shells. The small ship goes anywhere."""
    (seat,) = match.waiting_for()
    decision = match.question(seat)
    if decision.kind in ("move_ship", "place_discoverer", "remove_tile"):
        return lambda option: 0
    dislike = reluctance(match, seat)
    return lambda option: dislike(option.key)
