"""The ocean of Conquest of Paradise, hex by hex: unknown, explored, tiles face down, lands, rims
and the grid.
"""

import math
import random
from itertools import pairwise
from typing import Final

from PIL import Image

from engine.conquest.board import PRINTED, TILES, Land
from render.canvas import Brush, Canvas, Sprite, kept
from render.conquest.layout import CHART_UNIT, hex_outline, rise_of
from render.conquest.tokens import DARK_OCHRE, OCHRE
from render.nature import palm
from render.news import Mark
from render.palette import (
    CASING,
    CREAM,
    EXPLORED,
    KEYLINE,
    LEGAL,
    UNKNOWN,
    WHITE,
    Colour,
    livery_of,
    mix,
    rgb,
)
from render.shapes import Outline, chain, ellipse, quadratic, seat_shape, smooth
from render.terrain import Relief, paint

SEA = rgb("#116482")
SWELL = rgb("#147594")
CHARTED = mix(SEA, EXPLORED, 0.42)
"""Water that was unknown and is explored."""
GRID = mix(SEA, rgb("#BFE6E6"), 0.3)
UNKNOWN_PRINT = mix(UNKNOWN, rgb("#3C7C97"), 0.6)
"""The triangles on the dark sheet."""
TILE_RIM = rgb("#F4E6BE")
SHADE = mix(SEA, rgb("#061C2E"), 0.45)
"""What lies on the water casts it."""
CHARTED_FOAM = mix(CHARTED, WHITE, 0.28)
FOAM = mix(SWELL, WHITE, 0.2)

# Sprites of hexes are kept by their size: drawing one takes 3 to 17 ms, and a ground is put
# together of some 130.


def _hex_brush(unit: int, pad: int = 4) -> Brush:
    """A brush with its origin in the middle of a hex, and some room around it for rims."""
    rise = rise_of(unit)
    return Brush(4 * unit + 2 * pad, 2 * rise + 2 * pad, at=(2 * unit + pad, rise + pad))


def _edged(brush: Brush, unit: int) -> None:
    """The inner half of the grid's line: the neighbours draw the other. The flat chart has none."""
    if unit <= CHART_UNIT:
        return
    outline = hex_outline(unit)
    inside = brush.mask(outline)
    thick = max(1.6, unit / 15)
    for start, end in pairwise([*outline, outline[0]]):
        brush.line([start, end], thick, GRID, clip=inside)


LAND_PAD = 2
"""Around a hex of land, in pixels."""


@kept(32)
def _shape(unit: int) -> Sprite:
    """The area of a hex of land."""
    brush = _hex_brush(unit, LAND_PAD)
    brush.fill(hex_outline(unit), SEA)
    return brush.done()


@kept(32)
def _grid(unit: int) -> Sprite:
    """The line around a hex of land."""
    brush = _hex_brush(unit, LAND_PAD)
    _edged(brush, unit)
    return brush.done()


@kept(32)
def shade_hex(unit: int) -> Sprite:
    """The shadow of the dark sheet on the water."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), SHADE)
    return brush.done()


@kept(32)
def unknown_hex(unit: int) -> Sprite:
    """The dark sheet with three outlined triangles, without any in a chart."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), UNKNOWN)
    if unit > CHART_UNIT:
        half = unit * 0.5
        up = half * 0.72
        # One above and two below the middle, where the code stands.
        for right, down in ((0, -1.0), (-0.62, 0.62), (0.62, 0.62)):
            x, y = right * unit, down * unit
            brush.ring(
                [(x - half, y + up), (x, y - up), (x + half, y + up)], unit / 26, UNKNOWN_PRINT
            )
    _edged(brush, unit)
    return brush.done()


LOOKS: Final = 12
"""In so many ways the open sea lies, so that it does not repeat itself at once."""


@kept(256)
def sea_hex(unit: int, is_charted: bool, look: int) -> Sprite:
    """Open water: explored or printed, with a patch of swell or a stroke of foam."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), CHARTED if is_charted else SEA)
    # By its look alone, so that the same hex has the same waves in every picture.
    chance = random.Random(look)
    if unit > CHART_UNIT:
        if not is_charted and look % 2:
            _swell(brush, unit, chance)
        if look % 3:
            _foam(brush, unit, chance, CHARTED_FOAM if is_charted else FOAM)
    _edged(brush, unit)
    return brush.done()


def _swell(brush: Brush, unit: int, chance: random.Random) -> None:
    """A patch of lighter water, a smaller one at its lower right."""
    x = chance.uniform(-0.5, 0.5) * unit
    y = chance.uniform(-0.5, 0.5) * unit
    turn = chance.uniform(-30, 10)
    across = chance.uniform(0.7, 1.05) * unit
    down = chance.uniform(0.2, 0.3) * unit
    brush.fill(ellipse(x, y, across, down, turn), SWELL)
    brush.fill(ellipse(x + unit * 0.5, y + unit * 0.28, unit * 0.5, unit * 0.14, turn), SWELL)


FOAM_LINE: Final = chain(
    quadratic((-14, 3), (-9, -3), (-4, 2)),
    quadratic((-4, 2), (2, -3), (6, 2)),
    quadratic((6, 2), (10, -1), (14, 2)),
)
"""Three small bows."""


def _foam(brush: Brush, unit: int, chance: random.Random, colour: Colour) -> None:
    """A stroke above or below the middle, where the code stands."""
    x = chance.uniform(-0.6, 0.6) * unit
    y = chance.choice((-1, 1)) * chance.uniform(0.75, 1.1) * unit
    size = unit * 0.0235
    stroke = [(x + right * size, y + down * size) for right, down in FOAM_LINE]
    brush.line(stroke, max(1, unit * 0.045), colour)


@kept(32)
def hidden_tile(unit: int) -> Sprite:
    """An Island Group Tile face down: ochre tapa filled with triangles."""
    brush = _hex_brush(unit, 6)
    block = hex_outline(unit, 0.9)
    brush.fill([(x, y + unit * 0.09) for x, y in block], SHADE)
    brush.paint(brush.grown([block], unit * 0.045), KEYLINE)
    brush.fill(block, OCHRE)
    inside = brush.mask(hex_outline(unit, 0.8))
    print_colour = mix(OCHRE, DARK_OCHRE, 0.55)
    step = unit * 0.52
    up = step * 0.42
    for row in range(-4, 5):
        # Every other row is half a triangle further right.
        indent = row % 2 * step / 2
        y = row * step
        for column in range(-5, 5):
            x = column * step + indent
            triangle = [(x, y + up), (x + step * 0.5, y - up), (x + step, y + up)]
            brush.fill(triangle, print_colour, clip=inside)
    brush.ring(hex_outline(unit, 0.81), unit * 0.05, TILE_RIM)
    return brush.done()


SIDES: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Steps to the neighbours, clockwise from the north."""


ISLETS: Final = {
    1: ((0.0, 0.0, 1.16, 0.8),),
    2: ((-0.5, -0.16, 0.96, 0.74), (0.9, 0.22, 0.58, 0.5)),
    3: ((-0.56, -0.22, 1.0, 0.68), (0.8, -0.26, 0.66, 0.56), (0.26, 0.52, 0.84, 0.4)),
    4: ((-0.12, -0.16, 1.4, 0.8), (1.06, 0.44, 0.46, 0.4), (-1.0, 0.52, 0.42, 0.34)),
}
"""By the number of boxes: right, down, half the width and half the height of each island, in
units of the hex.
"""

LANDS: Final = {**{land.key: land for land in PRINTED.values()}, **TILES}
"""Every group and atoll, printed or a tile."""


def _islands(land: Land, unit: int) -> list[Outline]:
    """Islands with wandering coasts, by the boxes of a land, the same ones in every picture."""
    chance = random.Random(land.key)
    side = chance.choice((-1, 1))
    coasts = []
    for right, down, across, high in ISLETS[max(1, min(4, land.green + land.brown))]:
        # Some groups lie mirrored. All lie a little above the middle: names stand at the foot of a
        # hex.
        x = side * right * unit
        y = (down - 0.14) * unit
        corners = []
        for corner in range(9):
            angle = math.tau * corner / 9
            reach = chance.uniform(0.82, 1.14)
            aside = math.cos(angle) * across * unit * reach
            below = math.sin(angle) * high * unit * reach
            corners.append((x + aside, y + below))
        coasts.append(smooth(corners, 6))
    return coasts


def _atoll(unit: int) -> list[Outline]:
    """A ring of sand as a band of small outlines around its lagoon."""
    bits = []
    for bit in range(30):
        angle = math.tau * bit / 30
        x = math.cos(angle) * unit * 1.02
        y = math.sin(angle) * unit * 0.72 - unit * 0.12
        bits.append(ellipse(x, y, unit * 0.22, unit * 0.19))
    return bits


PALMS: Final = {
    0: ((0.98, 0.14, 1),),
    1: ((0.92, 0.12, 1),),
    2: ((-1.2, 0.08, -1), (1.14, 0.36, 1)),
}
"""By the number of boxes, and for more as for two: feet of palms right and down, in units, and
the way they lean.
"""


def _plant(image: Image.Image, land: Land, unit: int, at: tuple[int, int]) -> None:
    """Palms near the ends of a land, beside what stands in the middle of its hex."""
    canvas = Canvas(image)
    for right, down, lean in PALMS[min(2, land.green + land.brown)]:
        canvas.put(
            palm(round(unit * 0.95), lean),
            at[0] + round(right * unit),
            at[1] + round((down - 0.14) * unit),
        )


# 8 ms to draw, and a ground has some twenty.
@kept(256)
def land_hex(key: str, unit: int, water: Colour = SEA) -> Sprite:
    """A hex of sea with the islands of a group, or an atoll."""
    land = LANDS[key]
    shape = _shape(unit)
    at = shape.at
    size = (2 * at[0], 2 * at[1])
    # Terrain is painted as a whole picture with its origin in the corner; only then it is cut out
    # as a hex.
    outlines = _atoll(unit) if land.atoll else _islands(land, unit)
    coasts = [[(x + at[0], y + at[1]) for x, y in outline] for outline in outlines]
    seed = sum(ord(letter) * (place + 3) for place, letter in enumerate(key))
    detail = max(1.4, unit * (0.1 if land.atoll else 0.15))
    terrain = paint(Relief(size, coasts, detail, seed), water, water)
    if unit > CHART_UNIT:
        _plant(terrain.image, land, unit, at)
    grid = _grid(unit)
    terrain.image.paste(grid.image, (0, 0), grid.mask)
    return Sprite(terrain.image, shape.mask, at)


@kept(64)
def control_rim(unit: int, seat: int) -> Sprite:
    """The rim of a hex that a seat Controls."""
    livery = livery_of(seat)
    brush = _hex_brush(unit, 6)
    outline = hex_outline(unit, 0.9)
    thick = 0.22
    casing = CREAM if livery.cream_line else KEYLINE
    brush.ring(outline, unit * (thick + 0.12), casing)
    brush.ring(outline, unit * thick, livery.colour)
    # The seat's shape at each corner: no rim is told from a ring, or from another rim, by its
    # colour alone.
    for x, y in hex_outline(unit, 0.87):
        brush.paint(
            brush.grown([seat_shape(livery.shape, x, y, unit * 0.19)], unit * 0.06), livery.colour
        )
    for x, y in hex_outline(unit, 0.87):
        brush.fill(seat_shape(livery.shape, x, y, unit * 0.17), livery.stamp)
    return brush.done()


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
    # A faint veil inside, so that what lies in the hex stays to be seen.
    brush.fill(outline, LEGAL)
    veil = brush.image.getchannel("A").point([round(alpha * 0.18) for alpha in range(256)])
    brush.image.putalpha(veil)
    brush.ring(outline, max(3.6, unit * 0.23), CASING)
    brush.ring(outline, max(2, unit * 0.125), LEGAL)
    return brush.done()


@kept(64)
def news_ring(unit: int, age: int) -> Sprite:
    """The ring of a hex where something happened, fainter with its age."""
    mark = Mark(age=age)
    brush = _hex_brush(unit, 8)
    outline = hex_outline(unit, 0.97)
    for thick, colour in mark.lines(
        max(4.5, unit * 0.26), max(3, unit * 0.165), max(1, unit * 0.055)
    ):
        brush.ring(outline, thick, colour)
    return brush.done()


def wake(unit: int, side: int, mark: Mark, layer: int) -> Sprite:
    """A leg of a way to a neighbour, fainter with its age: casing, line and core are laid one
    after the other.
    """
    thick, colour = mark.lines(0.34, 0.22, 0.07)[layer]
    return link(unit, side, colour, thick)


def wake_head(unit: int, side: int, mark: Mark, layer: int) -> Sprite:
    """The head of a wake: casing and colour. The core has none: it runs into that of the line."""
    _, colour = mark.lines(0.34, 0.22, 0.07)[layer]
    return arrow_head(unit, side, colour, (0.1, 0.02)[layer])


def _step(unit: int, side: int) -> tuple[int, int]:
    """From the middle of a hex to that of its neighbour."""
    q, r = SIDES[side]
    return 3 * unit * q, rise_of(unit) * (2 * r + q)


@kept(512)
def link(unit: int, side: int, colour: Colour, width: float) -> Sprite:
    """A line from the middle of a hex to that of its neighbour, `width` in units of the hex."""
    x, y = _step(unit, side)
    pad = round(unit * width) + 4
    # The sprite reaches from one middle to the other: its origin lies in the corner that it starts
    # from.
    origin = (pad - min(0, x), pad - min(0, y))
    brush = Brush(abs(x) + 2 * pad, abs(y) + 2 * pad, at=origin)
    brush.line([(0, 0), (x, y)], unit * width, colour)
    return brush.done()


@kept(512)
def arrow_head(unit: int, side: int, colour: Colour, grow: float) -> Sprite:
    """The head of an arrow on the border to a neighbour, pointing at it, `grow` larger by units
    of the hex.
    """
    x, y = _step(unit, side)
    length = math.hypot(x, y)
    along_x, along_y = x / length, y / length
    reach = unit * 0.85
    half = reach * 0.72
    foot_x, foot_y = x * 0.46, y * 0.46
    outline = [
        (foot_x + along_x * reach, foot_y + along_y * reach),
        (foot_x - along_y * half, foot_y + along_x * half),
        (foot_x + along_y * half, foot_y - along_x * half),
    ]
    # Only as large as the head, which lies far from the middle of the hex that it is put by.
    rim = max(0.4, unit * grow)
    left, top = (math.floor(min(point[axis] for point in outline) - rim) - 2 for axis in (0, 1))
    right, bottom = (math.ceil(max(point[axis] for point in outline) + rim) + 2 for axis in (0, 1))
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    brush.paint(brush.grown([outline], rim), colour)
    return brush.done()
