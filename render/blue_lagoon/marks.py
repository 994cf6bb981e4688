"""Rings, codes and pieces on the board of Blue Lagoon."""

from collections.abc import Callable

from engine.blue_lagoon.board import Place
from render.blue_lagoon.layout import UNIT_HEX, Layout
from render.canvas import Brush, Sprite, kept
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
"""By the word of the rules; drawn by seat and size."""
CODE_ON_LAND, HALO_ON_LAND = rgb("#2F5230"), rgb("#B4CC74")
LEGAL_LAND = lighter(mix(MEADOW, GROVE, 0.45), 0.22)
LEGAL_SEA = lighter(mix(SHELF, SHALLOW, 0.35), 0.2)
CODE_AT_SEA, HALO_AT_SEA = rgb("#D5F3EE"), rgb("#17708A")


# Kept, like the next: a ring takes 5 to 8 ms to draw, and a picture puts up to sixty.
@kept(16)
def legal_ring(hex_width: int, side: int, is_land: bool) -> Sprite:
    """The ring of a place that may be chosen, filled: seen through, it would double the tones of
    the ground.
    """
    unit = hex_width / UNIT_HEX
    middle = round(hex_width * 0.6), round(side * 1.2)
    brush = Brush(hex_width * 1.2, side * 2.4, at=middle)
    outline = hexagon(0, 0, hex_width, side, 0.86)
    brush.fill(outline, LEGAL_LAND if is_land else LEGAL_SEA)
    brush.ring(outline, 7.5 * unit, CASING)
    brush.ring(outline, 4 * unit, LEGAL)
    return brush.done()


@kept(16)
def border(hex_width: int, across: int, down: int) -> tuple[Sprite, Sprite]:
    """A side of a hex that bounds the places that may be chosen: its dark line and its white
    one, put by its middle.
    """
    unit = hex_width / UNIT_HEX
    room = round(6 * unit)
    middle = abs(across) // 2 + room, abs(down) // 2 + room
    lines = []
    for thick, colour in ((8.5, CASING), (4.6, LEGAL)):
        brush = Brush(2 * middle[0], 2 * middle[1], at=middle)
        brush.line([(-across / 2, -down / 2), (across / 2, down / 2)], thick * unit, colour)
        lines.append(brush.done())
    return lines[0], lines[1]


@kept(32)
def last_ring(hex_width: int, side: int, age: int) -> Sprite:
    """The ring of a piece that was placed so many deeds ago."""
    unit = hex_width / UNIT_HEX
    middle = round(hex_width * 0.65), round(side * 1.3)
    brush = Brush(hex_width * 1.3, side * 2.6, at=middle)
    outline = hexagon(0, 0, hex_width, side, 0.93)
    brush.fill(outline, rgb("#F7D3DC"))
    for thick, colour in Mark(age=age).lines(10, 6, 2):
        brush.ring(outline, thick * unit, colour)
    return brush.done()


def live_code(layout: Layout, place: Place) -> Sprite:
    """The code of a legal place."""
    rim = layout.width * 0.003
    return label(place.code.upper(), Face.STRONG, layout.legal_size, LEGAL, "m", CASING, rim)


def foot_code(layout: Layout, place: Place) -> Sprite:
    """The code at the foot of an occupied place."""
    if place.island:
        ink, halo = CODE_ON_LAND, HALO_ON_LAND
    else:
        ink, halo = CODE_AT_SEA, HALO_AT_SEA
    rim = layout.width * 0.0026
    return label(place.code.upper(), Face.CODE, layout.code_size, ink, "m", halo, rim)
