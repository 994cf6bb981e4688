"""Where everything stands in a picture of Maori, in pixels.

On top are the sheet with the matrix and one large board, below them the other boards in pairs.
Boards stay where they are from picture to picture, whoever is to move. Change a size here and
everything that depends on it moves along.
"""

from msgspec import Struct

from engine.maori.matrix import POSITIONS, WIDTH
from render.chrome import GAP, TITLE_HEIGHT, share
from render.shapes import Point

PICTURE_WIDTH = 960
PANEL_GAP = share(PICTURE_WIDTH, GAP)
"""Between panels, and around all of them."""

CELL_SIZE = 84
"""The side of a tile in the matrix and on the large board."""
SMALL_CELL_SIZE = 66
"""The side of a tile on the other boards."""
STORAGE_SIZE = SMALL_CELL_SIZE
BOARD_COLUMNS, BOARD_ROWS = 5, 4

SHEET_MARGIN = 56
"""From the matrix to the edge of its sheet; the discoverer's track runs in the middle of it."""
SHEET_SIZE = 2 * SHEET_MARGIN + WIDTH * CELL_SIZE
SHEET_TOP = share(PICTURE_WIDTH, TITLE_HEIGHT) + PANEL_GAP

HARBOUR_RADIUS = 32
"""The radius of the ring around the discoverer."""
TRACK_DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The way on along the track, by the side of the matrix: above, right, below, left."""
DISCOVERER_TO_CODE = 45
"""From the discoverer to its code: half a cell and a little, clear of the harbour's ring."""
USUAL_PRICE_OFFSETS = ((27, 23), (0, 31), (27, -23), (0, 31))
"""From a position to its price, by the side of the matrix: inwards above and below, else under
the position.
"""
OTHER_PRICE_OFFSETS = (
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
    (38, 24),
    (-38, 24),
    (38, -24),
    (-38, -24),
)
"""Where else a price may lie, the best position first."""


class PanelLayout(Struct, frozen=True):
    """The measures of a player's panel; points are relative to its paper's upper left corner."""

    width: int
    height: int
    strip_width: int
    """The width of the strip in the seat's colour."""
    cell: int
    """The side of a space of the board."""
    frame_width: int
    """The width of the wooden frame around the board."""
    board: tuple[int, int]
    """The upper left corner of the board's first space."""
    storage: tuple[int, int]
    """The upper left corner of the storage."""
    double_tag: tuple[int, int]
    """The middle of the sign which says that palms within the atoll count twice: beside the
    frame, where no tile lies.
    """


# The large panel is as high as the sheet of the matrix beside it: a row of text, then the board.
_LARGE_WIDTH = PICTURE_WIDTH - 3 * PANEL_GAP - SHEET_SIZE
LARGE_PANEL = PanelLayout(
    width=_LARGE_WIDTH,
    height=SHEET_SIZE,
    strip_width=18,
    cell=CELL_SIZE,
    frame_width=8,
    board=(_LARGE_WIDTH - BOARD_COLUMNS * CELL_SIZE - 22, SHEET_SIZE - BOARD_ROWS * CELL_SIZE - 17),
    storage=(_LARGE_WIDTH - STORAGE_SIZE - 20, 9),
    double_tag=(66, SHEET_SIZE - BOARD_ROWS * CELL_SIZE - 27),
)

# The small panels stand in pairs: a row with the name, under it a column of counts and the board.
SMALL_HEAD_HEIGHT = 50
_SMALL_WIDTH = (PICTURE_WIDTH - 3 * PANEL_GAP) // 2
_SMALL_HEIGHT = SMALL_HEAD_HEIGHT + BOARD_ROWS * SMALL_CELL_SIZE + 26
_SMALL_BOARD_WIDTH = BOARD_COLUMNS * SMALL_CELL_SIZE
_SMALL_BOARD_TOP = SMALL_HEAD_HEIGHT + 10
SMALL_PANEL = PanelLayout(
    width=_SMALL_WIDTH,
    height=_SMALL_HEIGHT,
    strip_width=14,
    cell=SMALL_CELL_SIZE,
    frame_width=6,
    board=(_SMALL_WIDTH - _SMALL_BOARD_WIDTH - 15, _SMALL_BOARD_TOP),
    storage=(31, _SMALL_HEIGHT - STORAGE_SIZE - 17),
    double_tag=(_SMALL_WIDTH - _SMALL_BOARD_WIDTH - 44, _SMALL_BOARD_TOP + 2 * SMALL_CELL_SIZE),
)


LEGEND_HEIGHT = 28
"""The height of the line below the panels that explains the hatch."""


def measure_height(seats: int) -> int:
    """Return the height of a picture with that many seats."""
    # One board is large. The others stand in pairs; if they are odd, the supply makes them even.
    rows = seats // 2
    panels = LARGE_PANEL.height + PANEL_GAP + rows * (SMALL_PANEL.height + PANEL_GAP)
    return SHEET_TOP + panels + LEGEND_HEIGHT


def locate_panel(number: int) -> tuple[int, int]:
    """Return the upper left corner of the large panel, number 0, or of a small one."""
    if number == 0:
        return 2 * PANEL_GAP + SHEET_SIZE, SHEET_TOP
    row, column = divmod(number - 1, 2)
    first_row_top = SHEET_TOP + LARGE_PANEL.height + PANEL_GAP
    x = PANEL_GAP + column * (SMALL_PANEL.width + PANEL_GAP)
    y = first_row_top + row * (SMALL_PANEL.height + PANEL_GAP)
    return x, y


def locate_cell(cell: int) -> tuple[int, int]:
    """Return the upper left corner of a cell of the matrix on its sheet."""
    row, column = divmod(cell, WIDTH)
    return SHEET_MARGIN + column * CELL_SIZE, SHEET_MARGIN + row * CELL_SIZE


def side_of_matrix(position: str) -> int:
    """Return the side at which a position lies: 0 above, 1 right, 2 below, 3 left."""
    return POSITIONS.index(position) // WIDTH


def locate_berth(position: str) -> tuple[int, int]:
    """Return the middle of a position of the discoverer on the sheet of the matrix."""
    side, place = divmod(POSITIONS.index(position), WIDTH)
    along = SHEET_MARGIN + place * CELL_SIZE + CELL_SIZE // 2
    near, far = SHEET_MARGIN // 2, SHEET_SIZE - SHEET_MARGIN // 2
    # Positions go clockwise: below the matrix to the left, and at its left side up.
    by_side = (
        (along, near),
        (far, along),
        (SHEET_SIZE - along, far),
        (near, SHEET_SIZE - along),
    )
    return by_side[side]


def locate_discoverer(position: str) -> tuple[int, int]:
    """Return where the discoverer stands at a position: wholly on the sheet."""
    x, y = locate_berth(position)
    least, most = HARBOUR_RADIUS, SHEET_SIZE - HARBOUR_RADIUS
    return min(max(x, least), most), min(max(y, least), most)


def locate_discoverer_code(position: str) -> tuple[int, int]:
    """Return where the discoverer's code is written: on the track, before the next position."""
    right, down = TRACK_DIRECTIONS[side_of_matrix(position)]
    x, y = locate_berth(position)
    return x + DISCOVERER_TO_CODE * right, y + DISCOVERER_TO_CODE * down


def list_price_places(position: str) -> list[tuple[int, int]]:
    """Return where the price of a position may lie, the usual point first."""
    x, y = locate_berth(position)
    usual = USUAL_PRICE_OFFSETS[side_of_matrix(position)]
    return [(x + right, y + down) for right, down in (usual, *OTHER_PRICE_OFFSETS)]


def trace_leg(position: str) -> tuple[Point, ...]:
    """Return the way from a position to the next one, around a corner where there is one."""
    following = POSITIONS[(POSITIONS.index(position) + 1) % len(POSITIONS)]
    start, end = locate_berth(position), locate_berth(following)
    if start[0] == end[0] or start[1] == end[1]:
        return start, end
    is_level = side_of_matrix(position) in (0, 2)
    corner = (end[0], start[1]) if is_level else (start[0], end[1])
    return start, corner, end


def find_leg_middle(points: tuple[Point, ...]) -> tuple[int, int]:
    """Return the middle of a leg of the track: its corner, if it has one."""
    if len(points) == 3:
        corner_x, corner_y = points[1]
        return round(corner_x), round(corner_y)
    (x, y), (to_x, to_y) = points
    return round((x + to_x) / 2), round((y + to_y) / 2)
