"""Where everything stands in a picture of Maori: the matrix and one large board on top, the other
boards below.

Boards keep their places from picture to picture, whoever is to move.
"""

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
CLOCKWISE = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Right and down: the way on along the track, by the side of the matrix."""
AHEAD = 45
"""From the discoverer to its code: half a cell and a little, clear of the harbour's ring."""
FEES = ((27, 23), (0, 31), (27, -23), (0, 31))
"""From a position to the label with its price, by the side of the matrix: inwards above and
below, else under it.
"""


class Card(Struct, frozen=True):
    """The measures of a player's panel: its paper, and the board on it, seen from the paper's
    corner.
    """

    across: int
    high: int
    band: int
    """The width of the strip in the seat's colour."""
    cell: int
    wood: int
    """The width of the board's frame."""
    board: tuple[int, int]
    """The upper left corner of the board's first space."""
    slot: tuple[int, int]
    """The upper left corner of the storage."""
    tag: tuple[int, int]
    """The middle of the sign that says what palms within the atoll count: beside the frame,
    where no tile is.
    """


# The large panel stands beside the sheet of the matrix and is as high: a row of text, the board
# below it.
_LARGE_ACROSS = PICTURE - 3 * SPACE - SHEET
LARGE = Card(
    across=_LARGE_ACROSS,
    high=SHEET,
    band=18,
    cell=CELL,
    wood=8,
    board=(_LARGE_ACROSS - COLUMNS * CELL - 22, SHEET - ROWS * CELL - 17),
    slot=(_LARGE_ACROSS - SLOT - 20, 9),
    tag=(66, SHEET - ROWS * CELL - 27),
)

# The small ones stand below in pairs: a row with the name, under it a column of counts and the
# board beside that.
HEAD = 50
_SMALL_ACROSS = (PICTURE - 3 * SPACE) // 2
_SMALL_HIGH = HEAD + ROWS * SMALL_CELL + 26
SMALL = Card(
    across=_SMALL_ACROSS,
    high=_SMALL_HIGH,
    band=14,
    cell=SMALL_CELL,
    wood=6,
    board=(_SMALL_ACROSS - COLUMNS * SMALL_CELL - 15, HEAD + 10),
    slot=(31, _SMALL_HIGH - SLOT - 17),
    tag=(_SMALL_ACROSS - COLUMNS * SMALL_CELL - 44, HEAD + 10 + 2 * SMALL_CELL),
)


def height(seats: int) -> int:
    """How high a picture of so many seats is."""
    # One board is large; the others, with the supply if they are odd, stand in pairs.
    rows = seats // 2
    return TOP + LARGE.high + SPACE + rows * (SMALL.high + SPACE)


def card_place(number: int) -> tuple[int, int]:
    """The upper left corner of the large panel, 0, or of one of the smaller ones."""
    if number == 0:
        return 2 * SPACE + SHEET, TOP
    row, column = divmod(number - 1, 2)
    x = SPACE + column * (SMALL.across + SPACE)
    y = TOP + LARGE.high + SPACE + row * (SMALL.high + SPACE)
    return x, y


def middle_of(points: tuple[Point, ...]) -> tuple[int, int]:
    """The middle of a leg of the track: its corner, if it has one."""
    if len(points) == 3:
        return round(points[1][0]), round(points[1][1])
    (x, y), (to_x, to_y) = points
    return round((x + to_x) / 2), round((y + to_y) / 2)


def side_of(position: str) -> int:
    """The side of the matrix at which a position lies: above, right, below, left."""
    return POSITIONS.index(position) // WIDTH


def berth(position: str) -> tuple[int, int]:
    """The place of a position of the discoverer on the sheet of the matrix."""
    side, place = divmod(POSITIONS.index(position), WIDTH)
    along = MARGIN + place * CELL + CELL // 2
    near, far = MARGIN // 2, SHEET - MARGIN // 2
    # Positions go clockwise, so along the lower side to the left and along the left side up.
    by_side = (
        (along, near),
        (far, along),
        (SHEET - along, far),
        (near, SHEET - along),
    )
    return by_side[side]


def aboard(position: str) -> tuple[int, int]:
    """Where the discoverer itself stands at a position: wholly on the sheet."""
    x, y = berth(position)
    least, most = HARBOUR, SHEET - HARBOUR
    return min(max(x, least), most), min(max(y, least), most)


def ahead(position: str) -> tuple[int, int]:
    """The place on the track between the discoverer and the next position, free for its own
    code.
    """
    right, down = CLOCKWISE[side_of(position)]
    x, y = berth(position)
    return x + AHEAD * right, y + AHEAD * down


def fee(position: str) -> tuple[int, int]:
    """The middle of the label with what it costs to get to a position: it leaves the number in
    sight.
    """
    x, y = berth(position)
    right, down = FEES[side_of(position)]
    return x + right, y + down


def fees(position: str) -> list[tuple[int, int]]:
    """Where that label may lie: in its usual place, else anywhere around the position."""
    x, y = berth(position)
    around = [
        (27, 23),
        (-27, 23),
        (27, -23),
        (-27, -23),
        (0, 31),
        (0, -31),
        (40, 14),
        (-40, 14),
        (40, -14),
        (-40, -14),
    ]
    around += [(38, 24), (-38, 24), (38, -24), (-38, -24)]
    return [fee(position), *((x + right, y + down) for right, down in around)]


def leg(position: str) -> tuple[Point, ...]:
    """The way from a position to the next one, around a corner where there is one."""
    following = POSITIONS[(POSITIONS.index(position) + 1) % len(POSITIONS)]
    start, end = berth(position), berth(following)
    if start[0] == end[0] or start[1] == end[1]:
        return start, end
    is_level = side_of(position) % 2 == 0  # above and below the matrix
    corner = (end[0], start[1]) if is_level else (start[0], end[1])
    return start, corner, end


def cell_place(cell: int) -> tuple[int, int]:
    """The upper left corner of a cell of the matrix on its sheet."""
    row, column = divmod(cell, WIDTH)
    return MARGIN + column * CELL, MARGIN + row * CELL
