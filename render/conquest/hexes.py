"""The ocean of Conquest of Paradise, hex by hex: unknown, explored, tiles face down, lands, rims and the grid."""

import math
import random
from itertools import pairwise
from typing import Final

from engine.conquest.board import PRINTED, TILES, Land
from render.canvas import Brush, Sprite, kept
from render.conquest.layout import CHART_UNIT, hex_outline, rise_of
from render.conquest.tokens import DARK_OCHRE, OCHRE
from render.palette import (
    CASING,
    CREAM,
    EXPLORED,
    KEYLINE,
    LAST,
    LAST_CASING,
    LEGAL,
    UNKNOWN,
    WHITE,
    Colour,
    livery_of,
    mix,
    rgb,
)
from render.shapes import Outline, chain, ellipse, quadratic, smooth
from render.terrain import Relief, paint

SEA, SWELL = rgb("#116482"), rgb("#147594")
CHARTED = mix(SEA, EXPLORED, 0.42)
GRID = mix(SEA, rgb("#BFE6E6"), 0.3)
STARS = mix(UNKNOWN, rgb("#3C7C97"), 0.6)
TILE_RIM = rgb("#F4E6BE")
SHEET_SHADE = mix(SEA, rgb("#061C2E"), 0.45)
STROKE = mix(CHARTED, WHITE, 0.28)
SWELL_STROKE = mix(SWELL, WHITE, 0.2)


def _hex_brush(unit: int, pad: int = 4) -> Brush:
    return Brush(4 * unit + 2 * pad, 2 * rise_of(unit) + 2 * pad, at=(2 * unit + pad, rise_of(unit) + pad))


def _edged(brush: Brush, unit: int) -> None:
    """The inner half of the grid's line: the neighbours draw the other."""
    outline = hex_outline(unit)
    inside = brush.mask(outline)
    for start, end in pairwise([*outline, outline[0]]):
        brush.line([start, end], max(1.6, unit / 15), GRID, clip=inside)


@kept(32)
def shade_hex(unit: int) -> Sprite:
    """The shadow of the dark sheet on the water."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), SHEET_SHADE)
    return brush.done()


@kept(32)
def unknown_hex(unit: int) -> Sprite:
    """The dark sheet with three outlined triangles, without any in a chart."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), UNKNOWN)
    size = unit * 0.5
    for right, down in ((0, -1.0), (-0.62, 0.62), (0.62, 0.62)) if unit > CHART_UNIT else ():
        x, y = right * unit, down * unit
        brush.ring([(x - size, y + size * 0.72), (x, y - size * 0.72), (x + size, y + size * 0.72)], unit / 26, STARS)
    _edged(brush, unit)
    return brush.done()


LOOKS: Final = 12
"""In so many ways the open sea lies, so that it does not repeat itself at once."""


@kept(256)
def sea_hex(unit: int, is_charted: bool, look: int) -> Sprite:
    """Open water: explored or printed, with a patch of swell or a stroke of foam."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), CHARTED if is_charted else SEA)
    chance = random.Random(look)
    if unit > CHART_UNIT:
        if not is_charted and look % 2:
            _swell(brush, unit, chance)
        if look % 3:
            _foam(brush, unit, chance, STROKE if is_charted else SWELL_STROKE)
    _edged(brush, unit)
    return brush.done()


def _swell(brush: Brush, unit: int, chance: random.Random) -> None:
    x, y = chance.uniform(-0.5, 0.5) * unit, chance.uniform(-0.5, 0.5) * unit
    turn = chance.uniform(-30, 10)
    brush.fill(ellipse(x, y, unit * chance.uniform(0.7, 1.05), unit * chance.uniform(0.2, 0.3), turn), SWELL)
    brush.fill(ellipse(x + unit * 0.5, y + unit * 0.28, unit * 0.5, unit * 0.14, turn), SWELL)


def _foam(brush: Brush, unit: int, chance: random.Random, colour: Colour) -> None:
    """A stroke above or below the middle, where the code stands."""
    x, y = chance.uniform(-0.6, 0.6) * unit, chance.choice((-1, 1)) * chance.uniform(0.75, 1.1) * unit
    size = unit * 0.0235
    bows = ((-14, 3, -9, -3, -4, 2), (-4, 2, 2, -3, 6, 2), (6, 2, 10, -1, 14, 2))
    curves = (quadratic((a, b), (c, d), (e, f)) for a, b, c, d, e, f in bows)
    brush.line([(x + a * size, y + b * size) for a, b in chain(*curves)], max(1, unit * 0.045), colour)


@kept(32)
def hidden_tile(unit: int) -> Sprite:
    """An Island Group Tile face down: ochre tapa filled with triangles."""
    brush = _hex_brush(unit, 6)
    block = hex_outline(unit, 0.9)
    brush.fill([(x, y + unit * 0.09) for x, y in block], SHEET_SHADE)
    brush.paint(brush.grown([block], unit * 0.045), KEYLINE)
    brush.fill(block, OCHRE)
    inside, step = brush.mask(hex_outline(unit, 0.8)), unit * 0.52
    for row in range(-4, 5):
        for column in range(-5, 5):
            x, y = column * step + row % 2 * step / 2, row * step
            triangle = [(x, y + step * 0.42), (x + step * 0.5, y - step * 0.42), (x + step, y + step * 0.42)]
            brush.fill(triangle, mix(OCHRE, DARK_OCHRE, 0.55), clip=inside)
    brush.ring(hex_outline(unit, 0.81), unit * 0.05, TILE_RIM)
    return brush.done()


SIDES: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Steps to the neighbours, clockwise from the north."""


ISLETS: Final = {
    1: ((0.0, 0.0, 0.94, 0.62),),
    2: ((-0.52, -0.14, 0.78, 0.56), (0.74, 0.12, 0.56, 0.44)),
    3: ((-0.6, -0.22, 0.8, 0.52), (0.62, -0.28, 0.62, 0.46), (0.2, 0.44, 0.7, 0.34)),
    4: ((-0.22, -0.2, 1.16, 0.62), (0.98, 0.3, 0.46, 0.4), (-0.96, 0.4, 0.4, 0.32)),
}
"""Right, down, and half the width and height of the islands of a group, in units of its hex."""


def land_of(key: str) -> Land:
    """The land of that key, printed or a tile."""
    return TILES[key] if key in TILES else _printed(key)


def _printed(key: str) -> Land:
    return next(land for land in PRINTED.values() if land.key == key)


def _blob(chance: random.Random, x: float, y: float, across: float, down: float) -> Outline:
    """An island with a wandering coast."""
    points = []
    for i in range(9):
        angle, reach = math.tau * i / 9, chance.uniform(0.82, 1.14)
        points.append((x + math.cos(angle) * across * reach, y + math.sin(angle) * down * reach))
    return smooth(points, 6)


def _islands(land: Land, unit: int) -> list[Outline]:
    chance = random.Random(land.key)
    side = chance.choice((-1, 1))
    specs = ISLETS[max(1, min(4, land.green + land.brown))]
    return [
        _blob(chance, side * right * unit, (down - 0.2) * unit, across * unit, high * unit)
        for right, down, across, high in specs
    ]


def _atoll(unit: int) -> list[Outline]:
    """A ring of sand as a band of small outlines around its lagoon."""
    bits = []
    for i in range(30):
        angle = math.tau * i / 30
        x, y = math.cos(angle) * unit * 0.86, math.sin(angle) * unit * 0.6 - unit * 0.12
        bits.append(ellipse(x, y, unit * 0.2, unit * 0.17))
    return bits


@kept(256)
def land_hex(key: str, unit: int, water: Colour = SEA) -> Sprite:
    """A hex of sea with the islands of a group, or an atoll."""
    land, rise = land_of(key), rise_of(unit)
    outlines = _atoll(unit) if land.atoll else _islands(land, unit)
    at = (2 * unit + 2, rise + 2)
    size = (4 * unit + 4, 2 * rise + 4)
    moved = [[(x + at[0], y + at[1]) for x, y in outline] for outline in outlines]
    seed = sum(ord(letter) * (place + 3) for place, letter in enumerate(key))
    detail = max(1.4, unit * (0.1 if land.atoll else 0.15))
    terrain = paint(Relief(size, moved, detail, seed), water, water)
    brush, lines = Brush(*size, at=at), Brush(*size, at=at)
    brush.fill(hex_outline(unit), water)
    _edged(lines, unit)
    grid = lines.done()
    terrain.image.paste(grid.image, (0, 0), grid.mask)
    return Sprite(terrain.image, brush.done().mask, at)


def _rim(unit: int, inner: Colour, outer: Colour, width: float) -> Sprite:
    brush = _hex_brush(unit, 6)
    brush.ring(hex_outline(unit, 0.9), unit * (width + 0.12), outer)
    brush.ring(hex_outline(unit, 0.9), unit * width, inner)
    return brush.done()


@kept(64)
def control_rim(unit: int, seat: int) -> Sprite:
    """The rim of a hex that a seat Controls."""
    livery = livery_of(seat)
    return _rim(unit, livery.colour, CREAM if livery.cream_line else KEYLINE, 0.22)


@kept(32)
def tile_rim(unit: int) -> Sprite:
    """The rim of a tile that nobody Controls."""
    brush = _hex_brush(unit)
    brush.ring(hex_outline(unit, 0.92), max(1.6, unit * 0.075), TILE_RIM)
    return brush.done()


@kept(32)
def legal_ring(unit: int) -> Sprite:
    """The ring of a hex that may be chosen."""
    brush = _hex_brush(unit)
    outline = hex_outline(unit, 0.84)
    brush.fill(outline, LEGAL)
    brush.image.putalpha(brush.image.getchannel("A").point([round(v * 0.18) for v in range(256)]))
    brush.ring(outline, max(3.6, unit * 0.23), CASING)
    brush.ring(outline, max(2, unit * 0.125), LEGAL)
    return brush.done()


@kept(32)
def last_ring(unit: int) -> Sprite:
    """The ring of the last move."""
    brush = _hex_brush(unit, 8)
    outline = hex_outline(unit, 0.96)
    brush.ring(outline, max(4.5, unit * 0.27), LAST_CASING)
    brush.ring(outline, max(3, unit * 0.17), LAST)
    brush.ring(outline, max(1, unit * 0.055), WHITE)
    return brush.done()


def _step(unit: int, side: int) -> tuple[int, int]:
    """From the middle of a hex to that of its neighbour."""
    q, r = SIDES[side]
    return 3 * unit * q, rise_of(unit) * (2 * r + q)


@kept(128)
def link(unit: int, side: int, colour: Colour, width: float) -> Sprite:
    """A line from the middle of a hex to that of its neighbour, `width` in units of the hex."""
    x, y = _step(unit, side)
    pad = round(unit * width) + 4
    brush = Brush(abs(x) + 2 * pad, abs(y) + 2 * pad, at=(pad - min(0, x), pad - min(0, y)))
    brush.line([(0, 0), (x, y)], unit * width, colour)
    return brush.done()


@kept(128)
def arrow_head(unit: int, side: int, colour: Colour, grow: float) -> Sprite:
    """The head of an arrow on the border to a neighbour, pointing at it."""
    x, y = _step(unit, side)
    length = math.hypot(x, y)
    along = (x / length, y / length)
    reach, pad = unit * 0.85, round(unit * 2.6)
    brush = Brush(2 * pad + 8, 2 * pad + 8, at=(pad + 4, pad + 4))
    middle = (x * 0.46, y * 0.46)
    tip = (middle[0] + along[0] * reach, middle[1] + along[1] * reach)
    wings = [(middle[0] - along[1] * s * reach * 0.72, middle[1] + along[0] * s * reach * 0.72) for s in (1, -1)]
    outline = [tip, wings[0], wings[1]]
    brush.paint(brush.grown([outline], max(0.4, unit * grow)), colour)
    return brush.done()
