"""The 4 x 4 matrix of tiles and the track of the discoverer ship around it.

A cell is a number in reading order, printed as a letter a to p. A position of the ship is a number
from 0, clockwise from above the top left tile, printed as 1 to 16: one for each outer edge of a
tile.
"""

from engine.maori.tiles import NO_TILE, VOLCANOES

WIDTH = 4
CELLS = "abcdefghijklmnop"
TRACK = 4 * WIDTH
POSITIONS = tuple(str(number + 1) for number in range(TRACK))
"""The code of each position."""

_ROWS = [tuple(range(WIDTH * row, WIDTH * (row + 1))) for row in range(WIDTH)]
_COLUMNS = list(zip(*_ROWS, strict=True))
LINES: tuple[tuple[int, ...], ...] = (
    *_COLUMNS,  # from above, going right,
    *(row[::-1] for row in _ROWS),  # from the right, going down,
    *(column[::-1] for column in reversed(_COLUMNS)),  # from below, going left,
    *reversed(_ROWS),  # from the left, going up
)
"""The cells that the ship looks at from each position, the nearest first."""


def sail_clockwise(position: int, steps: int) -> int:
    """Return where the ship gets with this many steps clockwise."""
    return (position + steps) % TRACK


def find_free_tile(matrix: tuple[int, ...], position: int) -> int:
    """Return the tile that a position gives for free, NO_TILE if none can be taken there."""
    for cell in LINES[position]:
        if matrix[cell] != NO_TILE:
            return NO_TILE if matrix[cell] in VOLCANOES else matrix[cell]
    return NO_TILE
