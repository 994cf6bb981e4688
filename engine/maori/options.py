"""The options that are offered again and again, each made once."""

from functools import cache, lru_cache

from engine.core.decision import Option
from engine.maori.board import FACES
from engine.maori.matrix import CELLS, POSITIONS, TRACK, free_tile, sailed

NOWHERE = "none"
"""The word for a position at which no tile can be taken."""

STORED = Option("stored")
REMOVE = Option("remove")
NOTHING = Option("nothing", ends=True)
STORE = Option("store")
STAY = Option("stay", ends=True)


@cache
def position_option(position: int, steps: int, paid: int, tile: int) -> Option:
    """The discoverer sails there; `next` is the face of the tile that is free there."""
    code = POSITIONS[position]
    return Option(code, spot=code, facts=(("steps", steps), ("paid", paid), ("next", FACES[tile] or NOWHERE)))


@lru_cache(maxsize=256)
def sailing_options(matrix: tuple[int, ...], start: int, ships: int, shells: int) -> tuple[Option, ...]:
    """Every position within reach, in order. A turn asks for them at each of its steps, so they are kept a while."""
    found = []
    for steps in range(1, min(TRACK, ships + shells) + 1):
        at = sailed(start, steps)
        found.append(position_option(at, steps, max(0, steps - ships), free_tile(matrix, at)))
    return tuple(found)


@cache
def start_option(position: int, tile: int) -> Option:
    """The discoverer is placed there."""
    code = POSITIONS[position]
    return Option(code, spot=code, facts=(("next", FACES[tile] or NOWHERE),))


@cache
def cell_option(cell: int, tile: int, paid: int, has_space: bool) -> Option:
    """The tile of that cell is taken; without a space for it, into the storage."""
    limit = "" if has_space else "storage-only"
    return Option(CELLS[cell], spot=CELLS[cell], facts=(("tile", FACES[tile]), ("paid", paid), ("limit", limit)))


@cache
def space_option(code: str, paid: int, gained: int) -> Option:
    """The tile in hand is placed there; the ship sails for `paid` shells, the tile gives `gained`."""
    sail, gain = f"sail-{paid}" if paid else "", f"gain-{gained}" if gained else ""
    return Option(code, spot=code, facts=(("paid", paid), ("gained", gained), ("sail", sail), ("gain", gain)))


@cache
def tile_option(code: str, tile: int) -> Option:
    """A tile on the own board is meant."""
    return Option(code, spot=code, facts=(("tile", FACES[tile]),))
