"""Where everything stands in a picture of Maori: the matrix and one large board on top, the other boards below."""

from msgspec import Struct

from engine.maori.matrix import POSITIONS, WIDTH
from render.chrome import GAP, TITLE_HEIGHT, share
from render.shapes import Point

PICTURE = 960
CELL = 84
"""Pixels of a side of a tile in the matrix and on the large board."""
SMALL_CELL = 66
COLUMNS, ROWS = 5, 4
MARGIN = 56
"""From the matrix to the edge of its sheet: the track lies in the middle of it."""
SHEET = 2 * MARGIN + WIDTH * CELL
HARBOUR = 32
"""The room that the discoverer takes up on each side."""
TOP = share(PICTURE, TITLE_HEIGHT) + share(PICTURE, GAP)
SPACE = share(PICTURE, GAP)
SLOT = SMALL_CELL
"""A side of the storage."""


class Card(Struct, frozen=True):
    """The measures of a player's panel: its paper, and the board on it, seen from the paper's corner."""

    across: int
    high: int
    band: int
    cell: int
    wood: int
    board: tuple[int, int]
    """The upper left corner of the board's first space."""
    slot: tuple[int, int]
    """The upper left corner of the storage."""


LARGE = Card(
    across=PICTURE - 3 * SPACE - SHEET,
    high=SHEET,
    band=18,
    cell=CELL,
    wood=8,
    board=(PICTURE - 3 * SPACE - SHEET - COLUMNS * CELL - 22, SHEET - ROWS * CELL - 17),
    slot=(PICTURE - 3 * SPACE - SHEET - SLOT - 20, 9),
)
_ACROSS = (PICTURE - 3 * SPACE) // 2
SMALL = Card(
    across=_ACROSS,
    high=ROWS * SMALL_CELL + 32,
    band=14,
    cell=SMALL_CELL,
    wood=6,
    board=(_ACROSS - COLUMNS * SMALL_CELL - 15, 16),
    slot=(31, ROWS * SMALL_CELL + 32 - SLOT - 17),
)


def height(seats: int) -> int:
    """How high a picture of so many seats is."""
    rows = seats // 2
    return TOP + LARGE.high + SPACE + rows * (SMALL.high + SPACE)


def card_place(number: int) -> tuple[int, int]:
    """The upper left corner of the large panel, 0, or of one of the smaller ones."""
    if number == 0:
        return 2 * SPACE + SHEET, TOP
    row, column = divmod(number - 1, 2)
    return SPACE + column * (SMALL.across + SPACE), TOP + LARGE.high + SPACE + row * (SMALL.high + SPACE)


def berth(position: str) -> tuple[int, int]:
    """The place of a position of the discoverer on the sheet of the matrix."""
    side, place = divmod(POSITIONS.index(position), WIDTH)
    along = MARGIN + place * CELL + CELL // 2
    near, far = MARGIN // 2, SHEET - MARGIN // 2
    return ((along, near), (far, along), (SHEET - along, far), (near, SHEET - along))[side]


def aboard(position: str) -> tuple[int, int]:
    """Where the discoverer itself stands at a position: wholly on the sheet."""
    x, y = berth(position)
    return min(max(x, HARBOUR), SHEET - HARBOUR), min(max(y, HARBOUR), SHEET - HARBOUR)


def ahead(position: str) -> tuple[int, int]:
    """The place on the track between the discoverer and the next position, free for its own code."""
    right, down = ((1, 0), (0, 1), (-1, 0), (0, -1))[POSITIONS.index(position) // WIDTH]
    x, y = berth(position)
    return x + 45 * right, y + 45 * down


def fee(position: str) -> tuple[int, int]:
    """The middle of the label with what it costs to get to a position: it leaves the number in sight."""
    x, y = berth(position)
    right, down = ((27, 23), (0, 31), (27, -23), (0, 31))[POSITIONS.index(position) // WIDTH]
    return x + right, y + down


def leg(position: str) -> tuple[Point, ...]:
    """The way from a position to the next one, around a corner where there is one."""
    start = berth(position)
    end = berth(POSITIONS[(POSITIONS.index(position) + 1) % len(POSITIONS)])
    if start[0] == end[0] or start[1] == end[1]:
        return start, end
    side = POSITIONS.index(position) // WIDTH
    corner = (end[0], start[1]) if side % 2 == 0 else (start[0], end[1])
    return start, corner, end


def cell_place(cell: int) -> tuple[int, int]:
    """The upper left corner of a cell of the matrix on its sheet."""
    row, column = divmod(cell, WIDTH)
    return MARGIN + column * CELL, MARGIN + row * CELL
