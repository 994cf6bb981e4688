"""Where everything stands in a picture of a Blue Lagoon map, whatever its size."""

import math
from functools import cached_property

from engine.blue_lagoon.board import Board, Place, board_of
from render.canvas import kept
from render.chrome import GAP, LEAST, TITLE_HEIGHT, plate_of, share
from render.fonts import Face, width
from render.shapes import Outline, hexagon

USUAL_WIDTH = 960
LONGEST = 1600
"""No side of a picture is longer."""
WIDTHS = (USUAL_WIDTH, 1200, LONGEST)
TALLEST = 4 / 3
"""A picture is no taller than this share of its width, as long as its codes can be read."""
MARGIN = 0.032
"""Sea around the board."""
LEAST_MARGIN = 0.025
NARROWEST_HEX = 40
"""In pixels: with narrower ones the picture is made larger."""
READABLE_HEX = 0.047
"""With narrower ones, as a share of the width, the picture may be taller."""
LARGEST_HEX = 0.1
LEAST_HALF = 4
"""Half a hex in pixels on maps for which no picture is large enough."""
UNIT_HEX = 86.4
"""Lengths on the board are given for hexes of this width."""

Spot = tuple[int, int]
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""From the centre of a hex to its corners, on a lattice of half widths and half sides."""


def lattice_of(place: Place) -> Spot:
    """The centre of a place on the lattice; even rows are shifted half a place to the right."""
    shift = 1 if place.row % 2 == 0 else 0
    return 2 * place.column + 1 + shift, 3 * place.row + 2


class Layout:
    """The measures of a picture, in its pixels."""

    def __init__(self, board: Board, seats: int) -> None:
        self.board, self.seats = board, seats
        widths = board.data.row_widths
        starts = [0.5 if row % 2 == 0 else 0.0 for row in range(len(widths))]
        ends = [start + width for start, width in zip(starts, widths, strict=True)]
        self.first_column = min(starts)
        self.columns = max(ends) - self.first_column
        self.rows = len(widths)

        # The smallest picture with hexes wide enough, the largest if none has them.
        for self.width in WIDTHS:
            self.half = self._half_hex()
            if self.hex >= NARROWEST_HEX:
                break
        self.title = share(self.width, TITLE_HEIGHT)
        self.sea = self._sea_height(self.half)
        self.height = self._height(self.half)

    @property
    def hex(self) -> int:
        """The width of a hex: even, so that all its corners are whole pixels and the grid
        repeats exactly.
        """
        return 2 * self.half

    @property
    def side(self) -> int:
        """The length of a side of a hex."""
        return 2 * _rise(self.half)

    def _half_hex(self) -> int:
        """Half the width of the largest hex with which the picture keeps its proportions."""
        across = self.width * (1 - 2 * LEAST_MARGIN)
        widest = min(across / self.columns, self.width * LARGEST_HEX)
        halves = range(int(widest) // 2, LEAST_HALF - 1, -1)

        def largest(height: float) -> int:
            """The largest with which the picture is no higher."""
            return next((half for half in halves if self._height(half) <= height), LEAST_HALF)

        half = largest(min(LONGEST, self.width * TALLEST))
        if 2 * half >= self.width * READABLE_HEX:
            return half
        return largest(LONGEST)

    def _sea_height(self, half: int) -> int:
        return _rise(half) * (3 * self.rows + 1) + 2 * share(self.width, MARGIN)

    def _height(self, half: int) -> int:
        rows = (self.seats + 1) // 2
        panels = rows * plate_of(self.width).high + (rows + 1) * share(self.width, GAP)
        return share(self.width, TITLE_HEIGHT) + self._sea_height(half) + panels

    def units(self, length: float) -> int:
        """A length on the board in pixels."""
        return round(length * self.hex / UNIT_HEX)

    def corner(self, lattice: Spot) -> Spot:
        """A point of the lattice, measured from the upper left corner of the sea."""
        across, down = lattice
        board_left = (self.width - round(self.columns * self.hex)) // 2
        left = board_left - round(self.first_column * self.hex)
        top = share(self.width, MARGIN)
        return left + across * self.half, top + down * _rise(self.half)

    def outline(self, place: Place, grow: float = 1) -> Outline:
        """The hex of a place, measured as `corner` is."""
        return hexagon(*self.corner(lattice_of(place)), self.hex, self.side, grow)

    @cached_property
    def centres(self) -> dict[str, Spot]:
        """The centre of every place in the picture."""
        centres = {}
        for place in self.board.places:
            x, y = self.corner(lattice_of(place))
            centres[place.code] = (x, y + self.title)
        return centres

    @cached_property
    def corners(self) -> dict[Spot, list[Place]]:
        """Every corner of the grid as a point of the lattice, with the places that meet there."""
        meeting: dict[Spot, list[Place]] = {}
        for place in self.board.places:
            for corner in _corners_of(place):
                meeting.setdefault(corner, []).append(place)
        return meeting

    @cached_property
    def sides(self) -> dict[tuple[Spot, Spot], list[Place]]:
        """Every side of the grid by its two corners, with the one or two places it bounds."""
        bounding: dict[tuple[Spot, Spot], list[Place]] = {}
        for place in self.board.places:
            corners = _corners_of(place)
            following = [*corners[1:], corners[0]]
            for start, end in zip(corners, following, strict=True):
                # Each side has one name, whichever of its places it is met from.
                bounding.setdefault((min(start, end), max(start, end)), []).append(place)
        return bounding

    @cached_property
    def signs(self) -> dict[Spot, int]:
        """The corner at which each island shows its majority value: inside, near its middle, off
        stone circles.
        """
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

    def _sign_cost(self, spot: Spot, island: str, middle: tuple[float, float]) -> float:
        """How ill a sign stands at a corner, in pixels: as if it were so much farther from the
        middle.
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
        return far + self.hex * (outside * 3 + len(circles) * 0.45 + hides_head * 0.8)

    @cached_property
    def code_size(self) -> int:
        """The size of printed codes: the floor of the house, less only where a hex is too narrow
        for it.
        """
        least, most = share(self.width, LEAST), share(self.width, 0.03)
        size = max(least, min(most, round(self.hex * 0.34)))
        codes = [place.code.upper() for place in self.board.places]
        widest = max(codes, key=lambda code: width(code, Face.CODE, 40))
        while size > 8 and width(widest, Face.CODE, size) > self.hex * 0.84:
            size -= 1
        return size

    @property
    def legal_size(self) -> int:
        """The size of the codes of legal places."""
        return round(self.code_size * 1.08)

    @property
    def foot(self) -> int:
        """How far below its centre an occupied place prints its code."""
        return self.units(29)

    @property
    def circle_up(self) -> int:
        """How far above the centre of its place a stone circle lies."""
        return self.units(6)


def _corners_of(place: Place) -> list[Spot]:
    """The corners of a place on the lattice, clockwise from its top."""
    across, down = lattice_of(place)
    return [(across + right, down + below) for right, below in CORNERS]


def _rise(half: int) -> int:
    """Half a side of a hex by half its width."""
    return round(half / math.sqrt(3))


# Kept: with its corners, sides and signs it takes 5 ms, and a picture is drawn in about as much.
@kept(32)
def layout_of(map_text: str, seats: int) -> Layout:
    """The measures for a map and a number of panels."""
    return Layout(board_of(map_text), seats)
