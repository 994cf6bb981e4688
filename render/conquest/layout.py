"""The layout of a picture of Conquest of Paradise: its bands, and the map's hexes in a window.

The picture consists of bands from above: title strip, main map, Battles, Exploration, the viewer's
own things or the Steps of the turn, track, and at the foot the chart beside the panels. A public
picture and a private one of the same position have bands of the same heights, so the map stays
where it is when somebody opens their panel.

Hexes lie on a lattice on which all their corners are whole pixels. A hex is `4 * unit` wide and
`2 * rise` high; the next column is `3 * unit` further right, the next row `2 * rise` further down.
"""

import math
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from engine.conquest.board import AMERICA, HEX_AT, HEXES
from render.chrome import GAP, LEAST, TITLE_HEIGHT, share
from render.shapes import Outline

# All lengths are in pixels.
WIDTH: Final = 1080
HEIGHT: Final = 1440
TITLE: Final = share(WIDTH, TITLE_HEIGHT)
GAPS: Final = share(WIDTH, GAP)
PLATE_RADIUS: Final = share(WIDTH, 0.0117)
"""The round corners of a sheet of paper."""
PLATE_RIM: Final = 6
"""Room around a sheet of paper."""
FOOT_HEIGHT: Final = share(WIDTH, 0.198)
"""The height of the chart and of two panels, one below the other."""
CHART: Final = (share(WIDTH, 0.25), FOOT_HEIGHT)
"""Width and height of the chart."""
EXPLORATION_HEIGHT: Final = share(WIDTH, 0.054)
"""The band of Knots, Lost Box and cup."""
TRACK_HEIGHT: Final = share(WIDTH, 0.07)
OWN_HEIGHT: Final = share(WIDTH, 0.1)
"""The band of the viewer's own things; everybody else sees the Steps of the turn there."""
BATTLE_HEIGHT: Final = share(WIDTH, 0.2)
UNSHOWN_BATTLE_HEIGHT: Final = share(WIDTH, 0.06)
"""A Battle whose pieces are not yet shown."""
FINISHED_BATTLE_HEIGHT: Final = share(WIDTH, 0.052)
"""The line of a Battle that is over."""
TEXT: Final = share(WIDTH, LEAST)
"""The smallest font size that is easy to read on a phone."""
LEGAL_TEXT: Final = share(WIDTH, 0.029)
HALO: Final = WIDTH * 0.003
"""The width of the outline around text on the map."""

UNITS: Final = (30, 28, 25, 22, 20, 17, 15, 13, 12, 11, 10)
"""The sizes that the main map's hexes may have, smaller where legal hexes lie far apart."""
LARGE_UNITS: Final = 2
"""This many of the sizes have room for the names of lands and a box for each Village."""
MARGIN: Final = 6
"""The least space around the whole hexes of the main map."""
HEART: Final = (2, -0.5)
"""The middle of the usual window, as column and half row.

Around it lie all Homes and most of what is discovered.
"""
STRIDE: Final = 4
"""A window moves by this many columns or half rows, so that it has few different places."""

FIRST_COLUMN: Final = min(hex.q for hex in HEXES)
COLUMNS: Final = 1 + max(hex.q for hex in HEXES) - FIRST_COLUMN
AMERICA_COLUMN: Final = FIRST_COLUMN + COLUMNS
"""The column of South America's box, beyond the last one with hexes."""
AMERICA_OFFSET: Final = 0.9
"""How much further right than its column the box lies, in units of a hex."""


def column(spot: str) -> int:
    """Return the column of a hex, counted to the east."""
    return AMERICA_COLUMN if spot == AMERICA else HEX_AT[spot].q


def half_row(spot: str) -> int:
    """Return how far south a hex lies, in half rows."""
    if spot == AMERICA:
        return 0
    hex = HEX_AT[spot]
    return 2 * hex.r + hex.q


FIRST_ROW: Final = min(half_row(hex.code) for hex in HEXES)
ROWS: Final = 1 + max(half_row(hex.code) for hex in HEXES) - FIRST_ROW


@cache
def rise_of(unit: int) -> int:
    """Return half the height of a hex, given a quarter of its width."""
    return round(unit * math.sqrt(3))


CORNERS: Final = (
    (2, 0),
    (1, 1),
    (-1, 1),
    (-2, 0),
    (-1, -1),
    (1, -1),
)
"""The corners of a hex, clockwise from the right: units right and rises down from its middle."""


def hex_outline(unit: int, grow: float = 1) -> Outline:
    """Return a hex around the origin with level upper and lower sides."""
    rise = rise_of(unit)
    return [(right * unit * grow, down * rise * grow) for right, down in CORNERS]


class Bands(Struct, frozen=True):
    """Where the bands of a picture begin, from above."""

    main_map: int
    main_map_height: int
    battles: int
    exploration: int
    own: int
    track: int
    chart: int


FULL_MAIN_MAP_HEIGHT: Final = HEIGHT - TITLE - 2 * GAPS - FOOT_HEIGHT - TRACK_HEIGHT - OWN_HEIGHT
"""The height of the main map without Battles and Exploration below it."""


def bands_of(battles_height: int, is_exploring: bool, is_over: bool = False) -> Bands:
    """Return the bands of a picture; optional ones take their room from the main map.

    In the end nothing is private any more, and the map gets all the room there is.
    """
    chart = HEIGHT - GAPS - FOOT_HEIGHT
    track = chart - GAPS - TRACK_HEIGHT
    own = track - (0 if is_over else OWN_HEIGHT)
    exploration = own - (EXPLORATION_HEIGHT if is_exploring else 0)
    battles = exploration - battles_height
    return Bands(
        main_map=TITLE,
        main_map_height=battles - TITLE,
        battles=battles,
        exploration=exploration,
        own=own,
        track=track,
        chart=chart,
    )


class Crop(Struct, frozen=True):
    """A window on the map; `left` and `top` count from the middle of Samoa's column and row."""

    unit: int
    left: int
    top: int
    width: int
    height: int

    @property
    def hex_width(self) -> int:
        """The width of a hex."""
        return 4 * self.unit

    @property
    def rise(self) -> int:
        """Half the height of a hex."""
        return rise_of(self.unit)

    def middle_of(self, spot: str) -> tuple[int, int]:
        """Return the middle of a hex in the window."""
        return _middles_in(self)[spot]

    def shows(self, spot: str, beyond: int = 0) -> bool:
        """Return whether any part of a hex is visible, or lies this many pixels outside."""
        x, y = self.middle_of(spot)
        across, down = 2 * self.unit + beyond, self.rise + beyond
        return -across < x < self.width + across and -down < y < self.height + down

    def holds(self, spot: str) -> bool:
        """Return whether all of a hex is visible."""
        return spot in _whole_hexes_in(self)

    @property
    def is_large(self) -> bool:
        """Whether hexes have room for the names of lands and a box for each Village."""
        return self.unit >= UNITS[LARGE_UNITS - 1]

    def hex_share(self, share: float) -> int:
        """Return a share of a hex's width in pixels."""
        return round(share * self.hex_width)


# A picture asks for these some 1,500 times, which took a twentieth of its time.
@lru_cache(32)
def _middles_in(crop: Crop) -> dict[str, tuple[int, int]]:
    """Return the middle of every hex in a window, and of South America's box."""
    middles = {}
    for spot in (*HEX_AT, AMERICA):
        x = 3 * crop.unit * column(spot) - crop.left
        if spot == AMERICA:
            x += round(AMERICA_OFFSET * crop.unit)
        middles[spot] = x, crop.rise * half_row(spot) - crop.top
    return middles


@lru_cache(32)
def _whole_hexes_in(crop: Crop) -> frozenset[str]:
    """Return the hexes of which all is visible in a window."""
    across, down = 2 * crop.unit, crop.rise
    return frozenset(
        spot
        for spot, (x, y) in _middles_in(crop).items()
        if across <= x <= crop.width - across and down <= y <= crop.height - down
    )


def crop_of(
    width: int, height: int, required: Collection[str], units: Sequence[int] = UNITS
) -> Crop:
    """Return the window with the largest hexes that holds all that is required."""
    for unit in units:
        crop = _window_at(width, height, unit, required)
        if crop is not None:
            return crop
    # Even the smallest hexes do not suffice: show the middle of the ocean.
    usual = _window_at(width, height, UNITS[-1], ())
    assert usual is not None
    return usual


def _window_at(width: int, height: int, unit: int, spots: Collection[str]) -> Crop | None:
    """Return the window on these hexes at a size; None if it cannot hold them."""
    rise = rise_of(unit)
    # South America has a column of its own beyond the hexes.
    columns = COLUMNS + (AMERICA in spots)
    # Columns interlock: after the first, each adds three quarters of a hex's width. Rows overlap by
    # halves, because every second column is half a hex lower.
    whole_columns = min(columns, (width - 2 * MARGIN - 4 * unit) // (3 * unit) + 1)
    full_height = max(height, FULL_MAIN_MAP_HEIGHT)
    full_rows = min(ROWS, (full_height - 2 * MARGIN - 2 * rise) // rise + 1)
    whole_rows = min(full_rows, (height - 2 * MARGIN - 2 * rise) // rise + 1)
    heart_column, heart_row = HEART
    # If a band below makes the window lower, it begins where the full one would, so that what both
    # show does not move.
    heart_row -= (full_rows - whole_rows) / 2
    west = _first_shown(
        [column(spot) for spot in spots], FIRST_COLUMN, columns, whole_columns, heart_column
    )
    north = _first_shown([half_row(spot) for spot in spots], FIRST_ROW, ROWS, whole_rows, heart_row)
    if west is None or north is None:
        return None
    # The space left over at the sides shows parts of neighbouring hexes, and so does the margin.
    spare_across = width - (3 * whole_columns + 1) * unit
    left = 3 * unit * west - 2 * unit - spare_across // 2
    top = rise * (north - 1) - MARGIN
    if whole_rows == ROWS or height > FULL_MAIN_MAP_HEIGHT:
        # There is room beyond the map: the sea is as wide above as below.
        top -= (height - 2 * MARGIN - (whole_rows + 1) * rise) // 2
    return Crop(unit, left, top, width, height)


def _first_shown(
    required: Sequence[int], first: int, count: int, shown: int, heart: float
) -> int | None:
    """Return the first column, or half row, of a window that holds all the required ones.

    The map has `count` of them from `first` on, the window holds `shown`. It lies around the
    `heart` unless something required moves it, and then by whole strides if possible: pictures of
    one sea keep their place. None if the window is too small.
    """
    last = first + count - shown
    usual = min(max(round(heart - (shown - 1) / 2), first), last)
    if not required:
        return usual
    # The window must begin early enough for the first required one, and late enough for the last.
    least = max(first, max(required) - shown + 1)
    most = min(last, *required)
    if least > most:
        return None
    if least <= usual <= most:
        return usual
    nearest = least if usual < least else most
    distance = math.ceil(abs(nearest - usual) / STRIDE) * STRIDE
    strided = usual + distance if nearest > usual else usual - distance
    return strided if least <= strided <= most else nearest


CHART_UNIT: Final = 4
CHART_WEST_MARGIN: Final = 1


def chart_crop() -> Crop:
    """Return the window of the chart: all of the map, and the coast of South America."""
    width, height = CHART
    rise = rise_of(CHART_UNIT)
    # Far west, so that the rest of the width goes to the coast.
    left = 3 * CHART_UNIT * FIRST_COLUMN - 2 * CHART_UNIT - CHART_WEST_MARGIN
    spare_down = height - (ROWS + 1) * rise
    top = rise * (FIRST_ROW - 1) - spare_down // 2
    return Crop(CHART_UNIT, left, top, width, height)
