"""Where everything stands in a picture of Conquest of Paradise: its bands, and the crop of the map
that is its theatre.

Hexes lie on a lattice: a hex is `4 * unit` wide and `2 * rise` high, a column `3 * unit` further
right, a row `2 * rise` further down, so that all its corners are whole pixels.
"""

import math
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from engine.conquest.board import AMERICA, HEX_AT, HEXES
from render.chrome import GAP, LEAST, TITLE_HEIGHT, share
from render.shapes import Outline

WIDTH: Final = 1080
HEIGHT: Final = 1440
TITLE: Final = share(WIDTH, TITLE_HEIGHT)
GAPS: Final = share(WIDTH, GAP)
PLATE_RADIUS: Final = share(WIDTH, 0.0117)
"""The round corners of a sheet of paper."""
CHART: Final = (share(WIDTH, 0.35), share(WIDTH, 0.198))
"""Across and high."""
VOYAGES: Final = share(WIDTH, 0.054)
"""The band of Knots, Lost Box and cup."""
TRACK: Final = share(WIDTH, 0.07)
OWN: Final = share(WIDTH, 0.088)
BATTLE: Final = share(WIDTH, 0.2)
BATTLE_AHEAD: Final = share(WIDTH, 0.06)
"""The band of a Battle whose pieces are not yet shown."""
BATTLE_TOLD: Final = share(WIDTH, 0.052)
"""The line of a Battle that is over."""
TEXT: Final = share(WIDTH, LEAST)
LEGAL_TEXT: Final = share(WIDTH, 0.029)
HALO: Final = WIDTH * 0.003

UNITS: Final = (30, 28, 25, 22, 20, 17, 15, 13, 12, 11, 10)
"""The sizes of hexes that a theatre may have: 11 % of the width, and less where what is legal
lies far apart.
"""
LARGE: Final = 2
"""The first so many have room for the names of lands and for a box for each Village."""
MARGIN: Final = 6
"""At least so much is left around the hexes of a theatre."""
HEART: Final = (2, -0.5)
"""The middle of the usual window, by column and half row: around it lie all Homes and most of
what is discovered.
"""
STRIDE: Final = 4
"""A window pans by so many columns or half rows at once, so that it comes to lie in few places."""

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
    fights: int
    voyages: int
    own: int
    track: int
    below: int


THEATRE: Final = HEIGHT - TITLE - 2 * GAPS - CHART[1] - TRACK
"""The height of a theatre without any band below it."""


def bands_of(fights_high: int, is_exploring: bool, is_private: bool) -> Bands:
    """The bands of a picture; Battles, voyages and one's own things take their room from the
    theatre.
    """
    below = HEIGHT - GAPS - CHART[1]
    track = below - GAPS - TRACK
    own = track - (OWN if is_private else 0)
    voyages = own - (VOYAGES if is_exploring else 0)
    fights = voyages - fights_high
    return Bands(TITLE, fights - TITLE, fights, voyages, own, track, below)


class Crop(Struct, frozen=True):
    """A window on the map: its upper left corner in pixels from the middle of Samoa's column and
    row.
    """

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

    def shows(self, spot: str, beyond: int = 0) -> bool:
        """Return whether any part of a hex is visible, with this much margin on each side."""
        x, y = self.place(spot)
        across, down = (2 + 4 * beyond) * self.unit, (1 + 2 * beyond) * self.rise
        return -across < x < self.across + across and -down < y < self.high + down

    def holds(self, spot: str) -> bool:
        """Return whether all of a hex is visible."""
        x, y = self.place(spot)
        is_across = 2 * self.unit <= x <= self.across - 2 * self.unit
        return is_across and self.rise <= y <= self.high - self.rise

    @property
    def is_large(self) -> bool:
        """Whether there is room for the names of lands, and for a box for each Village."""
        return self.unit >= UNITS[LARGE - 1]

    def part(self, share: float) -> int:
        """A share of a hex's width in pixels."""
        return round(share * self.hex)


class _Span(Struct, frozen=True):
    """The columns or the half rows of the map, of which a window shows some."""

    first: int
    count: int
    shown: int
    """How many a window holds whole."""
    heart: float

    def start(self, wanted: Sequence[int]) -> int | None:
        """Where the window begins to hold all that is wanted: as usual if it can, else a few
        strides further.

        None if it cannot hold them. Nothing but what is wanted moves it: pictures of one sea keep
        their places.
        """
        last = self.first + self.count - self.shown
        usual = min(max(round(self.heart - (self.shown - 1) / 2), self.first), last)
        if not wanted:
            return usual
        least = max(self.first, max(wanted) - self.shown + 1)
        most = min(last, *wanted)
        if least > most:
            return None
        if least <= usual <= most:
            return usual
        nearest = least if usual < least else most
        # Whole strides from the usual place, unless that leads too far.
        away = math.ceil(abs(nearest - usual) / STRIDE) * STRIDE
        strided = usual + away if nearest > usual else usual - away
        return strided if least <= strided <= most else nearest


def crop_of(across: int, high: int, must: Collection[str], units: Sequence[int] = UNITS) -> Crop:
    """The crop with the largest hexes that holds all it must."""
    for unit in units:
        crop = _laid(across, high, unit, must)
        if crop is not None:
            return crop
    # Even the smallest do not hold it: then the middle of the ocean.
    usual = _laid(across, high, UNITS[-1], ())
    assert usual is not None
    return usual


def _laid(across: int, high: int, unit: int, spots: Collection[str]) -> Crop | None:
    """The window of hexes of a size on these spots; None if it is too small."""
    rise = rise_of(unit)
    # South America has a column of its own beyond the hexes.
    columns = COLUMNS + (AMERICA in spots)
    # The first column takes the width of a hex, each further one three quarters of it; rows overlap
    # by halves.
    whole_columns = min(columns, (across - 2 * MARGIN - 4 * unit) // (3 * unit) + 1)
    # A window that a band makes lower begins where the full one does: what both show stays where it
    # is.
    full_rows = min(ROWS, (THEATRE - 2 * MARGIN - 2 * rise) // rise + 1)
    whole_rows = min(full_rows, (high - 2 * MARGIN - 2 * rise) // rise + 1)
    heart_column, heart_row = HEART
    heart_row -= (full_rows - whole_rows) / 2
    west = _Span(FIRST_COLUMN, columns, whole_columns, heart_column).start(
        [column(spot) for spot in spots]
    )
    north = _Span(FIRST_ROW, ROWS, whole_rows, heart_row).start([half_row(spot) for spot in spots])
    if west is None or north is None:
        return None
    # What is left over around the whole hexes shows parts of their neighbours; above them always as
    # much.
    spare_across = across - (3 * whole_columns + 1) * unit
    left = 3 * unit * west - 2 * unit - spare_across // 2
    top = rise * (north - 1) - MARGIN
    return Crop(unit, left, top, across, high)


CHART_UNIT: Final = 6
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
