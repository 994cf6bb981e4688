"""Sprites of rings and codes on the board of Blue Lagoon."""

from collections.abc import Callable

from engine.blue_lagoon.board import Place
from render.blue_lagoon.layout import UNIT_HEX, Layout
from render.canvas import Brush, Sprite, cached
from render.fonts import Face, label
from render.news import Mark
from render.palette import (
    CASING,
    GROVE,
    LEGAL,
    MEADOW,
    SHALLOW,
    SHELF,
    lighter,
    mix,
    rgb,
)
from render.pieces import canoe, settler, village
from render.shapes import hexagon

PIECES: dict[str, Callable[..., Sprite]] = {"boat": canoe, "settler": settler, "village": village}
"""The function that draws a piece for a seat at a size, by the rulebook's word for it."""

CODE_ON_LAND = rgb("#2F5230")
HALO_ON_LAND = rgb("#B4CC74")
CODE_AT_SEA = rgb("#D5F3EE")
HALO_AT_SEA = rgb("#17708A")
LEGAL_LAND = lighter(mix(MEADOW, GROVE, 0.45), 0.22)
LEGAL_SEA = lighter(mix(SHELF, SHALLOW, 0.35), 0.2)
LAST_PLACE = rgb("#F7D3DC")

# Sizes of rings are shares of the hex; widths are in units of the layout.
LEGAL_RING_SIZE = 0.86
LEGAL_RING_ROOM = 1.2
"""The size of the sprite, with room for the ring."""
LEGAL_CASING_WIDTH = 7.5
LEGAL_RING_WIDTH = 4
BORDER_CASING_WIDTH = 8.5
BORDER_WIDTH = 4.6
BORDER_ROOM = 6
LAST_RING_SIZE = 0.93
LAST_RING_ROOM = 1.3
LAST_RING_WIDTHS = (10, 6, 2)
"""Casing, line and core."""
LEGAL_HALO = 0.003
CODE_HALO = 0.0026
"""The width of the outline of codes, as a share of the picture's width."""


# Cached, like the next two: a ring takes 5 to 8 ms to draw, and a picture puts up to sixty.
@cached(16)
def legal_ring(hex_width: int, side: int, is_land: bool) -> Sprite:
    """Return the ring of a legal place, filled with a flat colour.

    The ground doesn't show through, because then the picture would need twice as many colours.
    """
    unit = hex_width / UNIT_HEX
    width, height = hex_width * LEGAL_RING_ROOM, 2 * side * LEGAL_RING_ROOM
    brush = Brush(width, height, at=(round(width / 2), round(height / 2)))
    outline = hexagon(0, 0, hex_width, side, LEGAL_RING_SIZE)
    brush.fill(outline, LEGAL_LAND if is_land else LEGAL_SEA)
    brush.ring(outline, LEGAL_CASING_WIDTH * unit, CASING)
    brush.ring(outline, LEGAL_RING_WIDTH * unit, LEGAL)
    return brush.finish()


@cached(16)
def border(hex_width: int, across: int, down: int) -> tuple[Sprite, Sprite]:
    """Return the dark and the white line along a side of a hex, put by its middle."""
    unit = hex_width / UNIT_HEX
    room = round(BORDER_ROOM * unit)
    middle = abs(across) // 2 + room, abs(down) // 2 + room
    lines = []
    for width, colour in ((BORDER_CASING_WIDTH, CASING), (BORDER_WIDTH, LEGAL)):
        brush = Brush(2 * middle[0], 2 * middle[1], at=middle)
        brush.line([(-across / 2, -down / 2), (across / 2, down / 2)], width * unit, colour)
        lines.append(brush.finish())
    return lines[0], lines[1]


@cached(32)
def last_ring(hex_width: int, side: int, age: int) -> Sprite:
    """Return the ring of a piece that was placed; it is fainter the more were placed since."""
    unit = hex_width / UNIT_HEX
    width, height = hex_width * LAST_RING_ROOM, 2 * side * LAST_RING_ROOM
    brush = Brush(width, height, at=(round(width / 2), round(height / 2)))
    outline = hexagon(0, 0, hex_width, side, LAST_RING_SIZE)
    brush.fill(outline, LAST_PLACE)
    for ring_width, colour in Mark(age=age).lines(*LAST_RING_WIDTHS):
        brush.ring(outline, ring_width * unit, colour)
    return brush.finish()


def legal_code(layout: Layout, place: Place) -> Sprite:
    """Return the code of a legal place."""
    halo = layout.width * LEGAL_HALO
    return label(place.code.upper(), Face.STRONG, layout.legal_size, LEGAL, "m", CASING, halo)


def foot_code(layout: Layout, place: Place) -> Sprite:
    """Return the code at the foot of an occupied place."""
    ink, halo = CODE_AT_SEA, HALO_AT_SEA
    if place.island:
        ink, halo = CODE_ON_LAND, HALO_ON_LAND
    halo_width = layout.width * CODE_HALO
    return label(place.code.upper(), Face.CODE, layout.code_size, ink, "m", halo, halo_width)
