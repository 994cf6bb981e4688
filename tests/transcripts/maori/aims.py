"""What somebody playing for a certain end goes for."""

from collections.abc import Callable

from engine import Match, Option
from tests.engine.maori.settler import reluctance


def islands(match: Match) -> Callable[[Option], int]:
    """Tiles that are near, where they fit; shells are spared. The small ship goes anywhere."""
    (seat,) = match.waiting_for()
    decision = match.question(seat)
    if decision.kind in ("move_ship", "place_discoverer", "remove_tile"):
        return lambda option: 0
    dislike = reluctance(match, seat)
    return lambda option: dislike(option.key)
