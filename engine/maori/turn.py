"""What the turn under way has come to; the last one stays until the next begins, for the picture."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.core.decision import Seat
from engine.maori.matrix import CELLS, TRACK
from engine.maori.tiles import COUNT, NO_TILE

TileNumber = Annotated[int, Meta(ge=0, le=COUNT)]
Place = Annotated[int, Meta(ge=-1, le=19)]
"""A space of a board, -1 for none."""
BESIDE: Final = -1
"""Where the small ship is before its owner's first tile lies, and in the basic game."""

Act = Literal["", "take", "place", "store", "place_stored", "remove", "nothing"]


class Turn(Struct, frozen=True, gc=False):
    """A turn: what the discoverer and the seat did."""

    seat: Seat
    start: Annotated[int, Meta(ge=0, lt=TRACK)]
    """Where the discoverer came from."""
    steps: Annotated[int, Meta(ge=1, le=TRACK)]
    ship: Place
    """Where the small ship stood when the turn began."""
    act: Act = ""
    cell: Annotated[int, Meta(ge=-1, lt=len(CELLS))] = -1
    tile: TileNumber = NO_TILE
    space: Place = -1
