"""The options and questions that come again and again, each made once."""

from functools import cache, lru_cache

from engine.core.decision import Decision, Option, Seat
from engine.maori.board import FACES, Board
from engine.maori.matrix import CELLS, POSITIONS, TRACK, sailed

NOWHERE = "none"
"""The word for an empty storage."""

STORED = Option("stored")
REMOVE = Option("remove")
NOTHING = Option("nothing", ends=True)
STORE = Option("store")
STAY = Option("stay", ends=True)
STARTS = tuple(Option(code, spot=code) for code in POSITIONS)
"""The discoverer is placed at a position. What lies beside it is a note of the view, here and when it sails."""


@cache
def position_option(position: int, steps: int, paid: int) -> Option:
    """The discoverer sails there."""
    code = POSITIONS[position]
    return Option(code, spot=code, facts=(("steps", steps), ("paid", paid)))


@lru_cache(maxsize=4096)
def sailing(seat: Seat, start: int, ships: int, shells: int) -> tuple[Decision, ...]:
    """Where the discoverer is moved: every position within reach, in order."""
    reach = range(1, min(TRACK, ships + shells) + 1)
    offered = tuple(position_option(sailed(start, steps), steps, max(0, steps - ships)) for steps in reach)
    return (Decision(seat, "move_discoverer", offered, facts=(("ships", ships), ("shells", shells))),)


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
def free_spaces(board: Board, gained: int) -> tuple[Option, ...]:
    """By index: the tile in hand is placed there, free of charge."""
    return tuple(space_option(code, 0, gained) for code in board.codes)


@cache
def tile_option(code: str, tile: int) -> Option:
    """A tile on the own board is meant."""
    return Option(code, spot=code, facts=(("tile", FACES[tile]),))
