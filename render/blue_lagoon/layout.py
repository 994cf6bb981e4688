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
UNIT_HEX = 86.4
"""Lengths on the board are given for hexes of this width."""

Spot = tuple[int, int]
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""From the centre of a hex to its corners, on a lattice of half widths and half sides."""


def lattice_of(place: Place) -> Spot:
    """The centre of a place on the lattice; even rows are shifted half a place to the right."""
    return 2 * place.column + (2 if place.row % 2 == 0 else 1), 3 * place.row + 2


class Layout:
    """The measures of a picture, in its pixels."""

    def __init__(self, board: Board, seats: int) -> None:
        self.board, self.seats = board, seats
        starts = [0.5 if row % 2 == 0 else 0.0 for row in range(len(board.data.row_widths))]
        self.first_column = min(starts)
        self.columns = max(s + w for s, w in zip(starts, board.data.row_widths, strict=True)) - self.first_column
        self.rows = len(board.data.row_widths)
        for self.width in WIDTHS:
            self.half = self._half_hex()
            if self.hex >= NARROWEST_HEX:
                break
        self.title = share(self.width, TITLE_HEIGHT)
        self.sea = self._sea_height(self.half)
        self.height = self._height(self.half)

    @property
    def hex(self) -> int:
        """The width of a hex: even, so that all its corners are whole pixels and the grid repeats exactly."""
        return 2 * self.half

    @property
    def side(self) -> int:
        """The length of a side of a hex."""
        return 2 * _rise(self.half)

    def _half_hex(self) -> int:
        """Half the width of the largest hex with which the picture keeps its proportions."""
        widest = int(min(self.width * (1 - 2 * LEAST_MARGIN) / self.columns, self.width * LARGEST_HEX)) // 2
        halves = range(widest, 3, -1)
        limit = min(LONGEST, self.width * TALLEST)
        half = next((half for half in halves if self._height(half) <= limit), 4)
        if 2 * half >= self.width * READABLE_HEX:
            return half
        return next((half for half in halves if self._height(half) <= LONGEST), 4)

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
        left = (self.width - round(self.columns * self.hex)) // 2 - round(self.first_column * self.hex)
        return left + lattice[0] * self.half, share(self.width, MARGIN) + lattice[1] * _rise(self.half)

    def outline(self, place: Place, grow: float = 1) -> Outline:
        """The hex of a place, measured as `corner` is."""
        return hexagon(*self.corner(lattice_of(place)), self.hex, self.side, grow)

    @cached_property
    def centres(self) -> dict[str, Spot]:
        """The centre of every place in the picture."""
        found = {place.code: self.corner(lattice_of(place)) for place in self.board.places}
        return {code: (x, y + self.title) for code, (x, y) in found.items()}

    @cached_property
    def corners(self) -> dict[Spot, list[Place]]:
        """Every corner of the grid as a point of the lattice, with the places that meet there."""
        meeting: dict[Spot, list[Place]] = {}
        for place in self.board.places:
            a, b = lattice_of(place)
            for right, down in CORNERS:
                meeting.setdefault((a + right, b + down), []).append(place)
        return meeting

    @cached_property
    def sides(self) -> dict[tuple[Spot, Spot], list[Place]]:
        """Every side of the grid by its two corners, with the one or two places it bounds."""
        bounding: dict[tuple[Spot, Spot], list[Place]] = {}
        for place in self.board.places:
            a, b = lattice_of(place)
            corners = [(a + right, b + down) for right, down in CORNERS]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                bounding.setdefault((min(start, end), max(start, end)), []).append(place)
        return bounding

    @cached_property
    def signs(self) -> dict[Spot, int]:
        """The corner at which each island shows its majority value: inside, near its middle, off stone circles."""
        signs = {}
        for island, value in self.board.values.items():
            centres = [self.corner(lattice_of(place)) for place in self.board.places if place.island == island]
            middle = (sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres))
            own = [spot for spot, places in self.corners.items() if any(place.island == island for place in places)]
            costs = {spot: self._sign_cost(spot, island, middle) for spot in own}
            signs[min(costs, key=costs.__getitem__)] = value
        return signs

    def _sign_cost(self, spot: Spot, island: str, middle: tuple[float, float]) -> float:
        (x, y), places = self.corner(spot), self.corners[spot]
        outside = 3 - sum(1 for place in places if place.island == island)
        circles = sum(1 for place in places if place.circle)
        hides_head = sum(1 for place in places if lattice_of(place)[1] > spot[1]) == 1
        far = abs(x - middle[0]) + abs(y - middle[1])
        return far + self.hex * (outside * 3 + circles * 0.45 + hides_head * 0.8)

    @cached_property
    def code_size(self) -> int:
        """The size of printed codes: the floor of the house, less only where a hex is too narrow for it."""
        size = max(share(self.width, LEAST), min(share(self.width, 0.03), round(self.hex * 0.34)))
        widest = max((place.code.upper() for place in self.board.places), key=lambda code: width(code, Face.CODE, 40))
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


def _rise(half: int) -> int:
    """Half a side of a hex by half its width."""
    return round(half / math.sqrt(3))


@kept(32)
def layout_of(map_text: str, seats: int) -> Layout:
    """The measures for a map and a number of panels."""
    return Layout(board_of(map_text), seats)
