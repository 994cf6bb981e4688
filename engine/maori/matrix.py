"""The 4 x 4 matrix and the track of the discoverer ship around it.

A cell is a number in reading order, printed as a letter a to p. A position of the ship is a number from 0, clockwise
from above the top left tile, printed as 1 to 16: one for each outer edge of a tile.
"""

from functools import cache

from engine.maori.tiles import NO_TILE, VOLCANOES

WIDTH = 4
CELLS = "abcdefghijklmnop"
TRACK = 4 * WIDTH
POSITIONS = tuple(str(number + 1) for number in range(TRACK))
"""The code of each position."""
POSITION_OF = {code: position for position, code in enumerate(POSITIONS)}
"""The position with each code."""


def _line(position: int) -> tuple[int, ...]:
    side, place = divmod(position, WIDTH)
    rows = [list(range(WIDTH * row, WIDTH * (row + 1))) for row in range(WIDTH)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    sides = (columns, [row[::-1] for row in rows], [column[::-1] for column in reversed(columns)], rows[::-1])
    return tuple(sides[side][place])


LINES = tuple(_line(position) for position in range(TRACK))
"""The cells that the ship looks at from each position, the nearest first."""


def side_of(position: int) -> str:
    """The side of the matrix at which a position lies: 'n', 'e', 's' or 'w'."""
    return "nesw"[position // WIDTH]


def sailed(position: int, steps: int) -> int:
    """Where the ship gets with so many steps clockwise."""
    return (position + steps) % TRACK


def free_tile(matrix: tuple[int, ...], position: int) -> int:
    """The tile that a position gives free of charge, NO_TILE if none can be taken there."""
    for cell in LINES[position]:
        if tile := matrix[cell]:
            return NO_TILE if tile in VOLCANOES else tile
    return NO_TILE


@cache
def cell_of(code: str) -> int:
    """The cell with that letter."""
    return CELLS.index(code)
