"""Sprites of hexes: sea, lands, the Unknown, tiles face down, rims, rings, and lines between them.

A hex is drawn for a `unit`, a quarter of its width in pixels; all lengths here are in units unless
they say otherwise. A sprite is cached by its size: drawing one takes 3 to 17 ms, and a ground needs
some 130. Change a number here to change how hexes look; nothing else depends on it.
"""

import math
import random
from itertools import pairwise
from typing import Final

from PIL import Image

from engine.conquest.board import PRINTED, TILES, Land
from render.canvas import Brush, Canvas, Sprite, cached
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
from render.terrain import Relief, paint_terrain

SEA = rgb("#116482")
SWELL = rgb("#147594")
CHARTED = mix(SEA, EXPLORED, 0.42)
"""Water that was unknown at the start and has been explored."""
GRID = mix(SEA, rgb("#BFE6E6"), 0.3)
UNKNOWN_PRINT = mix(UNKNOWN, rgb("#3C7C97"), 0.6)
"""The triangles on the dark sheet."""
TILE_RIM = rgb("#F4E6BE")
TILE_PRINT = mix(OCHRE, DARK_OCHRE, 0.55)
"""The triangles on the back of a tile."""
SHADOW = mix(SEA, rgb("#061C2E"), 0.45)
"""The shadow that things cast on the water."""
CHARTED_FOAM = mix(CHARTED, WHITE, 0.28)
FOAM = mix(SWELL, WHITE, 0.2)

HEX_PADDING: Final = 4
LAND_PADDING: Final = 2
RIM_PADDING: Final = 6
NEWS_RING_PADDING: Final = 8
LINE_PADDING: Final = 4
ARROW_PADDING: Final = 2
"""Room around what is drawn, in pixels: for thick rims and for smooth edges."""


def _hex_brush(unit: int, padding: int = HEX_PADDING) -> Brush:
    """Return a brush with its origin in the middle of a hex."""
    rise = rise_of(unit)
    middle = (2 * unit + padding, rise + padding)
    return Brush(4 * unit + 2 * padding, 2 * rise + 2 * padding, at=middle)


LEAST_GRID_WIDTH: Final = 1.6
"""In pixels."""


def _draw_grid(brush: Brush, unit: int) -> None:
    """Draw the inner half of the grid line around a hex: its neighbours draw the other half."""
    if unit <= CHART_UNIT:
        return  # the flat chart has no grid
    outline = hex_outline(unit)
    inside = brush.mask(outline)
    thick = max(LEAST_GRID_WIDTH, unit / 15)
    for start, end in pairwise([*outline, outline[0]]):
        brush.line([start, end], thick, GRID, clip=inside)


@cached(32)
def _land_area(unit: int) -> Sprite:
    """Return the area of a hex of land; its mask cuts the land out of a painted rectangle."""
    brush = _hex_brush(unit, LAND_PADDING)
    brush.fill(hex_outline(unit), SEA)
    return brush.finish()


@cached(32)
def _land_grid(unit: int) -> Sprite:
    """Return the grid line around a hex of land."""
    brush = _hex_brush(unit, LAND_PADDING)
    _draw_grid(brush, unit)
    return brush.finish()


@cached(32)
def sheet_shadow_hex(unit: int) -> Sprite:
    """Return the shadow that a hex of the dark sheet casts on the water."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), SHADOW)
    return brush.finish()


TRIANGLE_HALF_WIDTH: Final = 0.5
TRIANGLE_SLOPE: Final = 0.72
"""Half the height of a triangle by half its width."""
UNKNOWN_TRIANGLES: Final = ((0, -1.0), (-0.62, 0.62), (0.62, 0.62))
"""One above and two below the middle, which is left to the code."""


@cached(32)
def unknown_hex(unit: int) -> Sprite:
    """Return a hex of the dark sheet with three outlined triangles; the chart has none."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), UNKNOWN)
    if unit > CHART_UNIT:
        half = unit * TRIANGLE_HALF_WIDTH
        up = half * TRIANGLE_SLOPE
        for right, down in UNKNOWN_TRIANGLES:
            x, y = right * unit, down * unit
            triangle = [
                (x - half, y + up),
                (x, y - up),
                (x + half, y + up),
            ]
            brush.ring(triangle, unit / 26, UNKNOWN_PRINT)
    _draw_grid(brush, unit)
    return brush.finish()


SEA_LOOKS: Final = 12
"""Variants of the open sea, so that neighbouring hexes differ."""


@cached(256)
def sea_hex(unit: int, is_charted: bool, look: int) -> Sprite:
    """Return a hex of open water, with a patch of swell or a stroke of foam for most looks."""
    brush = _hex_brush(unit)
    brush.fill(hex_outline(unit), CHARTED if is_charted else SEA)
    # Seeded by the look alone: a hex has the same waves in every picture.
    chance = random.Random(look)
    if unit > CHART_UNIT:
        if not is_charted and look % 2:
            _draw_swell(brush, unit, chance)
        if look % 3:
            _draw_foam(brush, unit, chance, CHARTED_FOAM if is_charted else FOAM)
    _draw_grid(brush, unit)
    return brush.finish()


SWELL_OFFSET: Final = 0.5
"""How far a patch of swell may lie from the middle of its hex."""
SWELL_TURNS: Final = (-30, 10)
"""Between which angles it is turned, in degrees."""
SWELL_HALF_WIDTHS: Final = (0.7, 1.05)
SWELL_HALF_HEIGHTS: Final = (0.2, 0.3)
SMALL_SWELL_RIGHT: Final = 0.5
SMALL_SWELL_DOWN: Final = 0.28
SMALL_SWELL_HALF_WIDTH: Final = 0.5
SMALL_SWELL_HALF_HEIGHT: Final = 0.14


def _draw_swell(brush: Brush, unit: int, chance: random.Random) -> None:
    """Draw a patch of lighter water and a smaller one at its lower right."""
    x = chance.uniform(-SWELL_OFFSET, SWELL_OFFSET) * unit
    y = chance.uniform(-SWELL_OFFSET, SWELL_OFFSET) * unit
    turn = chance.uniform(*SWELL_TURNS)
    across = chance.uniform(*SWELL_HALF_WIDTHS) * unit
    down = chance.uniform(*SWELL_HALF_HEIGHTS) * unit
    brush.fill(ellipse(x, y, across, down, turn), SWELL)
    x += unit * SMALL_SWELL_RIGHT
    y += unit * SMALL_SWELL_DOWN
    small_swell = ellipse(x, y, unit * SMALL_SWELL_HALF_WIDTH, unit * SMALL_SWELL_HALF_HEIGHT, turn)
    brush.fill(small_swell, SWELL)


FOAM_LINE: Final = chain(
    quadratic((-14, 3), (-9, -3), (-4, 2)),
    quadratic((-4, 2), (2, -3), (6, 2)),
    quadratic((6, 2), (10, -1), (14, 2)),
)
"""Three small bows, in steps of FOAM_SCALE units."""
FOAM_SCALE: Final = 0.0235
FOAM_WIDTH: Final = 0.045
FOAM_ASIDE: Final = 0.6
FOAM_UP_OR_DOWN: Final = (0.75, 1.1)
"""How far a stroke of foam may lie beside the middle of its hex, and how far above or below."""


def _draw_foam(brush: Brush, unit: int, chance: random.Random, colour: Colour) -> None:
    """Draw a stroke of foam above or below the middle, which is left to the code."""
    x = chance.uniform(-FOAM_ASIDE, FOAM_ASIDE) * unit
    y = chance.choice((-1, 1)) * chance.uniform(*FOAM_UP_OR_DOWN) * unit
    size = unit * FOAM_SCALE
    stroke = [(x + right * size, y + down * size) for right, down in FOAM_LINE]
    brush.line(stroke, max(1, unit * FOAM_WIDTH), colour)


TILE_SIZE: Final = 0.9
TILE_RIM_SIZE: Final = 0.81
TILE_PRINT_SIZE: Final = 0.8
"""Sizes of a tile face down, its rim and its printed area, as shares of the hex."""
TILE_SHADOW_DOWN: Final = 0.09
TILE_EDGE_WIDTH: Final = 0.045
TILE_RIM_WIDTH: Final = 0.05
TILE_TRIANGLE: Final = 0.52
"""The width of a printed triangle, which is also the step between rows."""
TILE_TRIANGLE_UP: Final = 0.42
"""Half its height by its width."""


@cached(32)
def hidden_tile(unit: int) -> Sprite:
    """Return an Island Group Tile face down: ochre bark cloth printed with triangles."""
    brush = _hex_brush(unit, RIM_PADDING)
    block = hex_outline(unit, TILE_SIZE)
    brush.fill([(x, y + unit * TILE_SHADOW_DOWN) for x, y in block], SHADOW)
    brush.paint(brush.grow([block], unit * TILE_EDGE_WIDTH), KEYLINE)
    brush.fill(block, OCHRE)
    inside = brush.mask(hex_outline(unit, TILE_PRINT_SIZE))
    step = unit * TILE_TRIANGLE
    up = step * TILE_TRIANGLE_UP
    for row in range(-4, 5):
        # Every other row is half a triangle further right.
        indent = row % 2 * step / 2
        y = row * step
        for column in range(-5, 5):
            x = column * step + indent
            triangle = [
                (x, y + up),
                (x + step * 0.5, y - up),
                (x + step, y + up),
            ]
            brush.fill(triangle, TILE_PRINT, clip=inside)
    brush.ring(hex_outline(unit, TILE_RIM_SIZE), unit * TILE_RIM_WIDTH, TILE_RIM)
    return brush.finish()


ISLETS: Final = {
    1: ((0.0, 0.0, 1.16, 0.8),),
    2: ((-0.5, -0.16, 0.96, 0.74), (0.9, 0.22, 0.58, 0.5)),
    3: (
        (-0.56, -0.22, 1.0, 0.68),
        (0.8, -0.26, 0.66, 0.56),
        (0.26, 0.52, 0.84, 0.4),
    ),
    4: (
        (-0.12, -0.16, 1.4, 0.8),
        (1.06, 0.44, 0.46, 0.4),
        (-1.0, 0.52, 0.42, 0.34),
    ),
}
"""The islands of a group, by its number of boxes: for each the position of its middle (right, down)
and half its width and height.
"""
ISLANDS_UP: Final = 0.14
"""Islands lie a little above the middle of their hex: names stand at its foot."""
COAST_CORNERS: Final = 9
COAST_SMOOTHING: Final = 6
"""Points that a coast has from one corner to the next."""
COAST_VARIATION: Final = (0.82, 1.14)
"""How near and how far the corners of a coast lie, as shares of the island's size."""

LANDS: Final = {**{land.key: land for land in PRINTED.values()}, **TILES}
"""Every group and atoll, printed or a tile."""


def _island_coasts(land: Land, unit: int) -> list[Outline]:
    """Return the coasts of a land's islands, by its boxes: the same ones in every picture."""
    chance = random.Random(land.key)
    # Some groups are mirrored.
    side = chance.choice((-1, 1))
    coasts = []
    boxes = min(max(land.green + land.brown, 1), max(ISLETS))
    for right, down, across, high in ISLETS[boxes]:
        x = side * right * unit
        y = (down - ISLANDS_UP) * unit
        corners = []
        for corner in range(COAST_CORNERS):
            angle = math.tau * corner / COAST_CORNERS
            reach = chance.uniform(*COAST_VARIATION)
            aside = math.cos(angle) * across * unit * reach
            below = math.sin(angle) * high * unit * reach
            corners.append((x + aside, y + below))
        coasts.append(smooth(corners, COAST_SMOOTHING))
    return coasts


ATOLL_DOTS: Final = 30
ATOLL_SIZE: Final = (1.02, 0.72)
ATOLL_UP: Final = 0.12
ATOLL_DOT_SIZE: Final = (0.22, 0.19)


def _atoll_coasts(unit: int) -> list[Outline]:
    """Return a ring of sand around a lagoon, as a band of small overlapping outlines."""
    dots = []
    across, high = ATOLL_SIZE
    dot_across, dot_high = ATOLL_DOT_SIZE
    for dot in range(ATOLL_DOTS):
        angle = math.tau * dot / ATOLL_DOTS
        x = math.cos(angle) * unit * across
        y = math.sin(angle) * unit * high - unit * ATOLL_UP
        dots.append(ellipse(x, y, unit * dot_across, unit * dot_high))
    return dots


PALMS: Final = {
    0: ((0.98, 0.14, 1),),
    1: ((0.92, 0.12, 1),),
    2: ((-1.2, 0.08, -1), (1.14, 0.36, 1)),
}
"""The palms of a group, by its number of boxes (2 stands for more): for each the position of its
foot (right, down) and the direction in which it leans.
"""
PALM_SIZE: Final = 0.95


def _plant_palms(image: Image.Image, land: Land, unit: int, middle: tuple[int, int]) -> None:
    """Put palms near the ends of a land, so that the middle of its hex stays free for pieces."""
    canvas = Canvas(image)
    for right, down, lean in PALMS[min(2, land.green + land.brown)]:
        x = middle[0] + round(right * unit)
        y = middle[1] + round((down - ISLANDS_UP) * unit)
        canvas.put(palm(round(unit * PALM_SIZE), lean), x, y)


MIN_LAND_DETAIL: Final = 1.4
"""In pixels."""
LAND_DETAIL: Final = 0.15
ATOLL_DETAIL: Final = 0.1


# Cached: it takes 8 ms, and a ground has about twenty.
@cached(256)
def land_hex(key: str, unit: int, water: Colour = SEA) -> Sprite:
    """Return a sea hex with the islands of a group, or with an atoll."""
    land = LANDS[key]
    area = _land_area(unit)
    middle_x, middle_y = area.anchor
    # Terrain is painted as a whole rectangle with its origin in the corner, then cut out as a hex.
    outlines = _atoll_coasts(unit) if land.atoll else _island_coasts(land, unit)
    coasts = [[(x + middle_x, y + middle_y) for x, y in outline] for outline in outlines]
    # Stable in every process, unlike hash().
    seed = sum(ord(letter) * (number + 3) for number, letter in enumerate(key))
    detail = max(MIN_LAND_DETAIL, unit * (ATOLL_DETAIL if land.atoll else LAND_DETAIL))
    relief = Relief((2 * middle_x, 2 * middle_y), coasts, detail, seed)
    terrain = paint_terrain(relief, deep=water, shelf=water)
    if unit > CHART_UNIT:
        _plant_palms(terrain.image, land, unit, area.anchor)
    grid = _land_grid(unit)
    terrain.image.paste(grid.image, (0, 0), grid.mask)
    return Sprite(terrain.image, area.mask, area.anchor)


CONTROL_RIM_SIZE: Final = 0.9
CONTROL_RIM_WIDTH: Final = 0.22
CONTROL_CASING_WIDTH: Final = 0.34
CORNER_SHAPE_DISTANCE: Final = 0.87
CORNER_SHAPE_SIZE: Final = 0.17
CORNER_GROUND_SIZE: Final = 0.19
CORNER_GROUND_RIM: Final = 0.06


@cached(64)
def control_rim(unit: int, seat: int) -> Sprite:
    """Return the rim of a hex that a seat controls."""
    livery = livery_of(seat)
    brush = _hex_brush(unit, RIM_PADDING)
    outline = hex_outline(unit, CONTROL_RIM_SIZE)
    casing = CREAM if livery.cream_line else KEYLINE
    brush.ring(outline, unit * CONTROL_CASING_WIDTH, casing)
    brush.ring(outline, unit * CONTROL_RIM_WIDTH, livery.colour)
    # The seat's shape at each corner: a colour alone does not tell a rim from a ring or from
    # another seat's rim, least of all to colour-blind eyes.
    corners = hex_outline(unit, CORNER_SHAPE_DISTANCE)
    for x, y in corners:
        shape = seat_shape(livery.shape, x, y, unit * CORNER_GROUND_SIZE)
        brush.paint(brush.grow([shape], unit * CORNER_GROUND_RIM), livery.colour)
    for x, y in corners:
        brush.fill(seat_shape(livery.shape, x, y, unit * CORNER_SHAPE_SIZE), livery.stamp)
    return brush.finish()


FREE_RIM_SIZE: Final = 0.92
FREE_RIM_WIDTH: Final = 0.075
LEAST_FREE_RIM_WIDTH: Final = 1.6
"""In pixels."""


@cached(32)
def tile_rim(unit: int) -> Sprite:
    """Return the rim of a tile that nobody controls."""
    brush = _hex_brush(unit)
    thick = max(LEAST_FREE_RIM_WIDTH, unit * FREE_RIM_WIDTH)
    brush.ring(hex_outline(unit, FREE_RIM_SIZE), thick, TILE_RIM)
    return brush.finish()


LEGAL_RING_SIZE: Final = 0.84
LEGAL_VEIL: Final = 0.18
"""How opaque the veil inside the ring is."""
LEGAL_CASING_WIDTH: Final = 0.23
LEGAL_RING_WIDTH: Final = 0.125
LEAST_LEGAL_CASING: Final = 3.6
LEAST_LEGAL_RING: Final = 2
"""In pixels."""


@cached(32)
def legal_ring(unit: int) -> Sprite:
    """Return the ring of a hex that may be chosen, with a faint veil inside."""
    brush = _hex_brush(unit)
    outline = hex_outline(unit, LEGAL_RING_SIZE)
    brush.fill(outline, LEGAL)
    veil = [round(alpha * LEGAL_VEIL) for alpha in range(256)]
    brush.image.putalpha(brush.image.getchannel("A").point(veil))
    brush.ring(outline, max(LEAST_LEGAL_CASING, unit * LEGAL_CASING_WIDTH), CASING)
    brush.ring(outline, max(LEAST_LEGAL_RING, unit * LEGAL_RING_WIDTH), LEGAL)
    return brush.finish()


NEWS_RING_SIZE: Final = 0.97
NEWS_RING_WIDTHS: Final = (0.26, 0.165, 0.055)
LEAST_NEWS_RING_WIDTHS: Final = (4.5, 3, 1)
"""Casing, line and core; the least widths are in pixels."""


@cached(64)
def news_ring(unit: int, age: int) -> Sprite:
    """Return the ring of a hex where something happened, fainter with its age."""
    brush = _hex_brush(unit, NEWS_RING_PADDING)
    outline = hex_outline(unit, NEWS_RING_SIZE)
    casing, line, core = (
        max(least, unit * width)
        for least, width in zip(LEAST_NEWS_RING_WIDTHS, NEWS_RING_WIDTHS, strict=True)
    )
    for thick, colour in Mark(age=age).lines(casing, line, core):
        brush.ring(outline, thick, colour)
    return brush.finish()


WAKE_WIDTHS: Final = (0.36, 0.24, 0.09)
"""Casing, line and core."""
WAKE_HEAD_GROWTH: Final = (0.1, 0.02)
"""By how much the arrowhead of each layer is larger than its outline."""


def wake(unit: int, side: int, mark: Mark, layer: int) -> Sprite:
    """Return one leg of a wake, to the neighbour at a side: its casing, line or core."""
    thick, colour = mark.lines(*WAKE_WIDTHS)[layer]
    return line_to_neighbour(unit, side, colour, thick)


def wake_head(unit: int, side: int, mark: Mark, layer: int) -> Sprite:
    """Return the arrowhead of a wake: its casing or its colour.

    It has no core: the core of the line runs into it.
    """
    _, colour = mark.lines(*WAKE_WIDTHS)[layer]
    return arrow_head(unit, side, colour, WAKE_HEAD_GROWTH[layer])


SIDES: Final = (
    (0, -1),
    (1, -1),
    (1, 0),
    (0, 1),
    (-1, 1),
    (-1, 0),
)
"""Steps to the neighbours in axial coordinates, clockwise from the north."""


def _to_neighbour(unit: int, side: int) -> tuple[int, int]:
    """Return the way from the middle of a hex to that of its neighbour, in pixels."""
    q, r = SIDES[side]
    return 3 * unit * q, rise_of(unit) * (2 * r + q)


@cached(512)
def line_to_neighbour(unit: int, side: int, colour: Colour, width: float) -> Sprite:
    """Return a line from the middle of a hex to that of its neighbour."""
    x, y = _to_neighbour(unit, side)
    padding = round(unit * width) + LINE_PADDING
    # The sprite reaches from one middle to the other: its origin is the corner where it starts.
    origin = (padding - min(0, x), padding - min(0, y))
    brush = Brush(abs(x) + 2 * padding, abs(y) + 2 * padding, at=origin)
    brush.line([(0, 0), (x, y)], unit * width, colour)
    return brush.finish()


ARROW_LENGTH: Final = 0.85
ARROW_HALF_WIDTH: Final = 0.72
"""Half the width of an arrowhead, as a share of its length."""
ARROW_FOOT: Final = 0.46
"""Where the arrowhead begins, as a share of the way to the neighbour."""
LEAST_ARROW_RIM: Final = 0.4
"""In pixels."""


@cached(512)
def arrow_head(unit: int, side: int, colour: Colour, growth: float) -> Sprite:
    """Return an arrowhead on the border to a neighbour, pointing at it."""
    x, y = _to_neighbour(unit, side)
    distance = math.hypot(x, y)
    along_x, along_y = x / distance, y / distance
    length = unit * ARROW_LENGTH
    half = length * ARROW_HALF_WIDTH
    foot_x, foot_y = x * ARROW_FOOT, y * ARROW_FOOT
    outline = [
        (foot_x + along_x * length, foot_y + along_y * length),
        (foot_x - along_y * half, foot_y + along_x * half),
        (foot_x + along_y * half, foot_y - along_x * half),
    ]
    # The sprite is only as large as the head, which lies far from the middle of its hex.
    rim = max(LEAST_ARROW_RIM, unit * growth)
    across = [point[0] for point in outline]
    down = [point[1] for point in outline]
    left = math.floor(min(across) - rim) - ARROW_PADDING
    top = math.floor(min(down) - rim) - ARROW_PADDING
    right = math.ceil(max(across) + rim) + ARROW_PADDING
    bottom = math.ceil(max(down) + rim) + ARROW_PADDING
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    brush.paint(brush.grow([outline], rim), colour)
    return brush.finish()
