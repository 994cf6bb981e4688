"""Where everything lies in a picture of a Blue Lagoon map, whatever the map's size.

Corners and centres of hexes lie on a lattice: half a hex wide, and half the side of a hex high.
"""

import math
from functools import cached_property

from engine.blue_lagoon.board import Board, Place, board_of
from render.canvas import cached
from render.chrome import GAP, LEAST, TITLE_HEIGHT, panel_size, share
from render.fonts import Face, text_width
from render.shapes import Outline, hexagon

# Lengths are shares of the picture's width unless they say otherwise.
LONGEST = 1600
"""The longest side that a picture may have, in pixels."""
WIDTHS = (960, 1200, LONGEST)
"""The widths that a picture may have, in pixels: the first at which hexes are wide enough."""
TALLEST = 4 / 3
"""The greatest height, as long as codes can be read."""
MARGIN = 0.032
"""Sea above and below the board."""
SIDE_MARGIN = 0.025
"""The least sea on either side of the board."""
NARROWEST_HEX = 40
"""In pixels: with narrower hexes the picture is made larger."""
READABLE_HEX = 0.047
"""With narrower hexes the picture may be taller."""
WIDEST_HEX = 0.1
LEAST_HALF_HEX = 4
"""In pixels; for maps that no picture is large enough for."""
UNIT_HEX = 86.4
"""Lengths on the board are given for hexes of this width."""
LARGEST_CODE = 0.03
CODE_OF_HEX = 0.34
"""The font size of codes, as a share of the hex."""
WIDEST_CODE = 0.84
"""The width of codes, as a share of the hex."""
LEAST_CODE = 8
"""In pixels."""
LEGAL_CODE_GROWTH = 1.08
CODE_FOOT = 29
CIRCLE_UP = 6
"""In units of the layout."""

# The costs of a position for an island's sign. A cost of 1 is as bad as being a hex farther away.
OUTSIDE_COST = 3
CIRCLE_COST = 0.45
HIDDEN_HEAD_COST = 0.8

Point = tuple[int, int]
CORNERS = (
    (0, -2),
    (1, -1),
    (1, 1),
    (0, 2),
    (-1, 1),
    (-1, -1),
)
"""From the centre of a hex to its corners, on a lattice of half widths and half sides."""


def lattice_of(place: Place) -> Point:
    """Return the centre of a place on the lattice; even rows lie half a place further right."""
    shift = 1 if place.row % 2 == 0 else 0
    return 2 * place.column + 1 + shift, 3 * place.row + 2


class Layout:
    """The measures of a picture, in pixels."""

    def __init__(self, board: Board, seats: int) -> None:
        self.board = board
        self.seats = seats
        widths = board.data.row_widths
        starts = [0.5 if row % 2 == 0 else 0.0 for row in range(len(widths))]
        ends = [start + width for start, width in zip(starts, widths, strict=True)]
        self.first_column = min(starts)
        self.columns = max(ends) - self.first_column
        self.rows = len(widths)

        # The smallest picture whose hexes are wide enough, or the largest of all.
        for self.width in WIDTHS:
            self.half = self._half_hex()
            if self.hex >= NARROWEST_HEX:
                break
        self.title = share(self.width, TITLE_HEIGHT)
        self.sea = self._sea_height(self.half)
        self.height = self._height(self.half)

    @property
    def hex(self) -> int:
        """The width of a hex: even, so that all corners lie on whole pixels."""
        return 2 * self.half

    @property
    def side(self) -> int:
        """The length of a side of a hex."""
        return 2 * _rise(self.half)

    def _half_hex(self) -> int:
        """Return half the width of the largest hex with which the picture is not too tall."""
        across = self.width * (1 - 2 * SIDE_MARGIN)
        widest = min(across / self.columns, self.width * WIDEST_HEX)
        halves = range(int(widest) // 2, LEAST_HALF_HEX - 1, -1)
        usual_height = min(LONGEST, self.width * TALLEST)
        for height in (usual_height, LONGEST):
            fitting = (half for half in halves if self._height(half) <= height)
            half = next(fitting, LEAST_HALF_HEX)
            if 2 * half >= self.width * READABLE_HEX:
                break
        return half

    def _sea_height(self, half: int) -> int:
        return _rise(half) * (3 * self.rows + 1) + 2 * share(self.width, MARGIN)

    def _height(self, half: int) -> int:
        rows = (self.seats + 1) // 2
        panels = rows * panel_size(self.width).height + (rows + 1) * share(self.width, GAP)
        return share(self.width, TITLE_HEIGHT) + self._sea_height(half) + panels

    def units(self, length: float) -> int:
        """Convert a length on the board, in units, to pixels."""
        return round(length * self.hex / UNIT_HEX)

    def corner(self, lattice: Point) -> Point:
        """Return where a point of the lattice lies, from the upper left corner of the sea."""
        across, down = lattice
        board_left = (self.width - round(self.columns * self.hex)) // 2
        left = board_left - round(self.first_column * self.hex)
        top = share(self.width, MARGIN)
        return left + across * self.half, top + down * _rise(self.half)

    def outline(self, place: Place, grow: float = 1) -> Outline:
        """Return the hex of a place, from the upper left corner of the sea."""
        return hexagon(*self.corner(lattice_of(place)), self.hex, self.side, grow)

    @cached_property
    def centres(self) -> dict[str, Point]:
        """The centre of every place in the picture."""
        centres = {}
        for place in self.board.places:
            x, y = self.corner(lattice_of(place))
            centres[place.code] = (x, y + self.title)
        return centres

    @cached_property
    def corners(self) -> dict[Point, list[Place]]:
        """Every corner of the grid as a point of the lattice, with the places that meet there."""
        meeting: dict[Point, list[Place]] = {}
        for place in self.board.places:
            for corner in _corners_of(place):
                meeting.setdefault(corner, []).append(place)
        return meeting

    @cached_property
    def sides(self) -> dict[tuple[Point, Point], list[Place]]:
        """Every side of the grid by its two corners, with the one or two places it bounds."""
        bounding: dict[tuple[Point, Point], list[Place]] = {}
        for place in self.board.places:
            corners = _corners_of(place)
            following = [*corners[1:], corners[0]]
            for start, end in zip(corners, following, strict=True):
                # Both places of a side have to find it by the same key.
                bounding.setdefault((min(start, end), max(start, end)), []).append(place)
        return bounding

    @cached_property
    def signs(self) -> dict[Point, int]:
        """The majority value of each island, by the corner at which it is shown."""
        signs = {}
        for island, value in self.board.values.items():
            centres = [
                self.corner(lattice_of(place))
                for place in self.board.places
                if place.island == island
            ]
            middle_x = sum(x for x, _ in centres) / len(centres)
            middle_y = sum(y for _, y in centres) / len(centres)
            costs = {}
            for spot, places in self.corners.items():
                if any(place.island == island for place in places):
                    costs[spot] = self._sign_cost(spot, island, (middle_x, middle_y))
            signs[min(costs, key=costs.__getitem__)] = value
        return signs

    def _sign_cost(self, spot: Point, island: str, middle: tuple[float, float]) -> float:
        """Return how bad a corner is for the sign of an island, in pixels.

        Best is a corner near the middle, inside the island and away from stone circles.
        """
        places = self.corners[spot]
        x, y = self.corner(spot)
        far = abs(x - middle[0]) + abs(y - middle[1])
        inside = [place for place in places if place.island == island]
        circles = [place for place in places if place.circle]
        below = [place for place in places if lattice_of(place)[1] > spot[1]]
        outside = 3 - len(inside)
        # At the top corner of a place a sign covers the head of the piece on it.
        hides_head = len(below) == 1
        cost = OUTSIDE_COST * outside + CIRCLE_COST * len(circles)
        if hides_head:
            cost += HIDDEN_HEAD_COST
        return far + self.hex * cost

    @cached_property
    def code_size(self) -> int:
        """The size of printed codes, below the smallest text only if a hex is too narrow."""
        least, most = share(self.width, LEAST), share(self.width, LARGEST_CODE)
        size = max(least, min(most, round(self.hex * CODE_OF_HEX)))
        codes = [place.code.upper() for place in self.board.places]
        widest = max(codes, key=lambda code: text_width(code, Face.CODE, 40))
        room = self.hex * WIDEST_CODE
        while size > LEAST_CODE and text_width(widest, Face.CODE, size) > room:
            size -= 1
        return size

    @property
    def legal_size(self) -> int:
        """The size of the codes of legal places."""
        return round(self.code_size * LEGAL_CODE_GROWTH)

    @property
    def foot(self) -> int:
        """How far below the centre of an occupied place its code stands."""
        return self.units(CODE_FOOT)

    @property
    def circle_up(self) -> int:
        """How far above the centre of its place a stone circle lies."""
        return self.units(CIRCLE_UP)


def _corners_of(place: Place) -> list[Point]:
    """Return the corners of a place on the lattice, clockwise from its top."""
    across, down = lattice_of(place)
    return [(across + right, down + below) for right, below in CORNERS]


def _rise(half: int) -> int:
    """Return half a side of a hex, given half its width."""
    return round(half / math.sqrt(3))


# Cached: with its corners, sides and signs it takes 5 ms, as long as drawing a picture.
@cached(32)
def layout_of(map_text: str, seats: int) -> Layout:
    """Return the measures for a map and a number of seats."""
    return Layout(board_of(map_text), seats)
