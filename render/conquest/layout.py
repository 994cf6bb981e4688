"""Where everything stands in a picture of Conquest of Paradise: its bands, and the crop of the map that is its theatre.

Hexes lie on a lattice: a hex is `4 * unit` wide and `2 * rise` high, a column `3 * unit` further right, a row
`2 * rise` further down, so that all its corners are whole pixels.
"""

import math
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct

from engine.conquest.board import AMERICA, HEX_AT, HEXES
from render.chrome import GAP, LEAST, TITLE_HEIGHT, share
from render.shapes import Outline

WIDTH: Final = 1200
HEIGHT: Final = 1500
TITLE: Final = share(WIDTH, TITLE_HEIGHT)
GAPS: Final = share(WIDTH, GAP)
PLATE_RADIUS: Final = share(WIDTH, 0.0117)
"""The round corners of a sheet of paper."""
CHART: Final = (share(WIDTH, 0.52), share(WIDTH, 0.34))
"""Across and high."""
ROPE: Final = share(WIDTH, 0.08)
TRACK: Final = share(WIDTH, 0.07)
OWN: Final = share(WIDTH, 0.083)
BATTLE: Final = share(WIDTH, 0.205)
TEXT: Final = share(WIDTH, LEAST)
LEGAL_TEXT: Final = share(WIDTH, 0.029)
HALO: Final = WIDTH * 0.003

UNITS: Final = (36, 31, 28, 25, 22, 19, 17, 15, 13, 12, 11)
"""The sizes of hexes that a theatre may have: 12 % of the width, and less where what is legal lies far apart."""
NAMED: Final = 2
"""The first so many have room for the names of lands."""
BOXED: Final = 3
"""The first so many have room for a box for each Village."""
MARGIN: Final = 6
"""At least so much is left around the hexes of a theatre."""

FIRST_COLUMN: Final = min(hex.q for hex in HEXES)
COLUMNS: Final = 1 + max(hex.q for hex in HEXES) - FIRST_COLUMN
AMERICA_COLUMN: Final = FIRST_COLUMN + COLUMNS
"""Where the box of South America lies, in the middle of its coast."""
INLAND: Final = 0.9
"""How much further right than a column, in units of a hex."""


def column(spot: str) -> int:
    """How far east a hex lies."""
    return AMERICA_COLUMN if spot == AMERICA else HEX_AT[spot].q


def half_row(spot: str) -> int:
    """How far south a hex lies, in half rows."""
    if spot == AMERICA:
        return 0
    hex = HEX_AT[spot]
    return 2 * hex.r + hex.q


FIRST_ROW: Final = min(half_row(hex.code) for hex in HEXES)
ROWS: Final = 1 + max(half_row(hex.code) for hex in HEXES) - FIRST_ROW


def rise_of(unit: int) -> int:
    """Half the height of a hex by a quarter of its width."""
    return round(unit * math.sqrt(3))


def hex_outline(unit: int, grow: float = 1, x: float = 0, y: float = 0) -> Outline:
    """A hex with level upper and lower sides, clockwise from its right corner."""
    rise = rise_of(unit)
    corners = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
    return [(x + right * unit * grow, y + down * rise * grow) for right, down in corners]


class Bands(Struct, frozen=True):
    """Where the bands of a picture begin, from above."""

    theatre: int
    high: int
    """The height of the theatre."""
    battle: int
    own: int
    track: int
    below: int


def bands_of(is_battle: bool, is_private: bool) -> Bands:
    """The bands of a picture; a Battle and one's own things take their room from the theatre."""
    below = HEIGHT - GAPS - CHART[1]
    track = below - GAPS - TRACK
    own = track - (OWN if is_private else 0)
    battle = own - (BATTLE if is_battle else 0)
    return Bands(TITLE, battle - TITLE, battle, own, track, below)


class Crop(Struct, frozen=True):
    """A window on the map: its upper left corner in pixels from the middle of Samoa's column and row."""

    unit: int
    left: int
    top: int
    across: int
    high: int

    @property
    def hex(self) -> int:
        """The width of a hex."""
        return 4 * self.unit

    @property
    def rise(self) -> int:
        """Half the height of a hex."""
        return rise_of(self.unit)

    def place(self, spot: str) -> tuple[int, int]:
        """The middle of a hex in the window."""
        x = 3 * self.unit * column(spot) - self.left
        y = self.rise * half_row(spot) - self.top
        if spot == AMERICA:
            x += round(INLAND * self.unit)
        return x, y

    def shows(self, spot: str) -> bool:
        """Whether any of a hex is to be seen."""
        x, y = self.place(spot)
        is_across = -2 * self.unit < x < self.across + 2 * self.unit
        return is_across and -self.rise < y < self.high + self.rise

    def holds(self, spot: str) -> bool:
        """Whether all of a hex is to be seen."""
        x, y = self.place(spot)
        is_across = 2 * self.unit <= x <= self.across - 2 * self.unit
        return is_across and self.rise <= y <= self.high - self.rise

    @property
    def names(self) -> bool:
        """Whether there is room for the names of lands."""
        return self.unit >= UNITS[NAMED - 1]

    @property
    def boxes(self) -> bool:
        """Whether there is room for a box for each Village."""
        return self.unit >= UNITS[BOXED - 1]

    def part(self, share: float) -> int:
        """A share of a hex's width in pixels."""
        return round(share * self.hex)


class _Window(Struct, frozen=True):
    """How many columns and half rows a window holds whole."""

    columns: int
    rows: int

    def holds(self, spots: Collection[str]) -> bool:
        """Whether it can be laid so that all of them are in it."""
        if not spots:
            return True
        west, east, north, south = _bounds(spots)
        return east - west < self.columns and south - north < self.rows


def crop_of(
    across: int, high: int, must: Collection[str], should: Collection[str], weights: Mapping[str, float]
) -> Crop:
    """The crop with the largest hexes that holds all that it must, laid over as much weight as it can.

    Where it must hold nothing its hexes become a little smaller for what it should hold.
    """
    # South America has a column of its own beyond the hexes.
    columns = COLUMNS + (AMERICA in must)
    for level, unit in enumerate(UNITS):
        rise = rise_of(unit)
        # The first column takes the width of a hex, each further one three quarters of it; rows overlap by halves.
        whole_columns = (across - 2 * MARGIN - 4 * unit) // (3 * unit) + 1
        whole_rows = (high - 2 * MARGIN - 2 * rise) // rise + 1
        window = _Window(min(whole_columns, columns), min(whole_rows, ROWS))
        wanted = must
        if not must and level < NAMED - 1:
            # For this hexes shrink only as far as they still have names.
            wanted = should
        if window.holds(wanted) or unit == UNITS[-1]:
            west, north = _laid(window, columns, must, weights)
            # What is left over around the whole hexes shows parts of their neighbours, on both sides alike.
            spare_across = across - (3 * window.columns + 1) * unit
            spare_down = high - (window.rows + 1) * rise
            left = 3 * unit * (west + FIRST_COLUMN) - 2 * unit - spare_across // 2
            top = rise * (north + FIRST_ROW - 1) - spare_down // 2
            return Crop(unit, left, top, across, high)
    raise AssertionError("the smallest hexes always fit")


def _bounds(spots: Collection[str]) -> tuple[int, int, int, int]:
    """First and last column and half row, counted from those of the map."""
    columns = [column(spot) - FIRST_COLUMN for spot in spots]
    rows = [half_row(spot) - FIRST_ROW for spot in spots]
    return min(columns), max(columns), min(rows), max(rows)


def _laid(window: _Window, columns: int, must: Collection[str], weights: Mapping[str, float]) -> tuple[int, int]:
    """The first column and half row of the window: of those places that hold all it must, the heaviest."""
    wests = range(columns - window.columns + 1)
    norths = range(ROWS - window.rows + 1)
    if must:
        west, east, north, south = _bounds(must)
        # The smallest hexes are taken even if they do not hold everything: then weight alone decides.
        wests = range(max(0, east - window.columns + 1), min(wests[-1], west) + 1) or wests
        norths = range(max(0, south - window.rows + 1), min(norths[-1], north) + 1) or norths
    table = _summed(weights)
    found: dict[tuple[int, int], float] = {}
    for west in wests:
        for north in norths:
            east, south = west + window.columns, north + window.rows
            inside = table[east][south] - table[west][south] - table[east][north] + table[west][north]
            # Rounded, as sums of the same weights in another order differ in the last digits.
            found[west, north] = round(inside, 3)
    heaviest = max(found.values())
    equals = [place for place, weight in found.items() if weight == heaviest]
    # Of equals the middle one: what matters then lies in the middle of the picture and not at its edge.
    middle_x = sum(west for west, _ in equals) / len(equals)
    middle_y = sum(north for _, north in equals) / len(equals)
    return min(equals, key=lambda place: (abs(place[0] - middle_x) + abs(place[1] - middle_y), place))


def _summed(weights: Mapping[str, float]) -> list[list[float]]:
    """Weights summed up from the upper left corner of the map: any window's weight is then four numbers away."""
    grid = [[0.0] * (ROWS + 1) for _ in range(COLUMNS + 2)]
    for spot, weight in weights.items():
        grid[column(spot) - FIRST_COLUMN + 1][half_row(spot) - FIRST_ROW + 1] += weight
    for x in range(1, COLUMNS + 2):
        for y in range(1, ROWS + 1):
            grid[x][y] += grid[x - 1][y] + grid[x][y - 1] - grid[x - 1][y - 1]
    return grid


CHART_UNIT: Final = 10
WEST_MARGIN: Final = 1
"""What is left of the chart's width is the coast of South America."""


def chart_crop() -> Crop:
    """All of the map in the chart, far enough west to leave room for the coast of South America."""
    across, high = CHART
    rise = rise_of(CHART_UNIT)
    left = 3 * CHART_UNIT * FIRST_COLUMN - 2 * CHART_UNIT - WEST_MARGIN
    spare_down = high - (ROWS + 1) * rise
    top = rise * (FIRST_ROW - 1) - spare_down // 2
    return Crop(CHART_UNIT, left, top, across, high)
