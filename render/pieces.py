"""Draw the seats' painted wooden pieces, their badges, and discs with numbers.

Coordinates are hundredths of a piece's size, relative to its centre, so the numbers are the artwork
itself: change one to change how a piece looks. Colours come from `palette`. `shadow` is the colour
of a piece's shadow on the ground; None draws no shadow.
"""

from collections.abc import Sequence

from PIL import Image, ImageChops

from render.canvas import Brush, Sprite, cached, current_mode
from render.fonts import Face, label
from render.palette import (
    BARK,
    CREAM,
    DARK_WOOD,
    KEYLINE,
    LAND_SHADE,
    SAND,
    SEA_SHADE,
    WET_SAND,
    WHITE,
    WOOD,
    Colour,
    Livery,
    darker,
    lighter,
    livery_of,
)
from render.shapes import (
    Outline,
    chain,
    cubic,
    ellipse,
    quadratic,
    rectangle,
    seat_shape,
    smooth,
    star,
    tapered_stroke,
)

CREAM_LINE = 2.2
"""The width of the cream line around the ink of dark pieces."""
SIDE_COPIES = 4
"""How many copies of a face make up the side below it."""
SIDE_DARKNESS = 0.42
SHADE_OFFSET = (-4.4, -3.6)
SHINE_OFFSET = (3.2, 3.2)
"""How far a face is moved to find the rim that lies in shade, and the rim that shines."""
SHINE_LIGHTNESS = 0.3
PALE_BRIGHTNESS = 600
"""From this sum of red, green and blue on a colour is pale."""


def paint_wood(
    brush: Brush,
    outlines: Sequence[Outline],
    colour: Colour,
    side: float = 5,
    line: float = 3.4,
    cream: bool = False,
    glossy: bool = True,
) -> Image.Image:
    """Paint a wooden piece, lit from the upper left; return the area of its face.

    `side` is how thick the wood is and `line` how thick the ink around it. `cream` adds a cream
    line outside the ink.
    """
    # From back to front, each layer a little smaller than the one before.
    if cream:
        brush.paint(_add_side(brush, brush.grow(outlines, line + CREAM_LINE), side), CREAM)
    brush.paint(_add_side(brush, brush.grow(outlines, line), side), KEYLINE)
    face = brush.mask(*outlines)
    brush.paint(_add_side(brush, face, side), darker(colour, SIDE_DARKNESS))
    brush.paint(face, colour)
    if glossy:
        shade = ImageChops.subtract(face, brush.shift(face, *SHADE_OFFSET))
        brush.paint(shade, shade_of(colour), clip=face)
        shine = ImageChops.subtract(face, brush.shift(face, *SHINE_OFFSET))
        shine_colour = WHITE if _is_pale(colour) else lighter(colour, SHINE_LIGHTNESS)
        brush.paint(shine, shine_colour, clip=face)
    return face


def _add_side(brush: Brush, area: Image.Image, side: float) -> Image.Image:
    """Return an area with its side below it: copies so close together that they merge."""
    block = area
    for number in range(1, SIDE_COPIES + 1):
        copy = brush.shift(area, 0, side * number / SIDE_COPIES)
        block = ImageChops.lighter(block, copy)
    return block


def _is_pale(colour: Colour) -> bool:
    """Return whether a colour is so pale that only white is lighter."""
    return sum(colour) > PALE_BRIGHTNESS


def shade_of(colour: Colour) -> Colour:
    """Return the colour of paint on the side away from the light."""
    return darker(colour, 0.13 if _is_pale(colour) else 0.2)


def stamp(brush: Brush, livery: Livery, x: float, y: float, size: float) -> None:
    """Print the shape of a seat on a piece."""
    brush.fill(seat_shape(livery.shape, x, y, size), livery.stamp)


def _start_brush(size: int) -> Brush:
    """Return a brush for a piece of 100 units, with room around it for line, side and shadow."""
    return Brush(132, 136, size / 100, at=(66, 62))


@cached(64)
def settler(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a settler: a figure with a paddle."""
    livery = livery_of(seat)
    brush = _start_brush(size)
    pole = tapered_stroke([(36, 46), (39, -26)], 5.6, 5)
    blade = chain(
        quadratic((39, -52), (52, -34), (48, -18)),
        quadratic((48, -18), (44, -4), (38, 2)),
        quadratic((38, 2), (31, -6), (30, -18)),
        quadratic((30, -18), (28, -36), (39, -52)),
    )
    paint_wood(brush, [pole, blade], WOOD, side=2, line=3.2, cream=livery.cream_line, glossy=False)
    right = [
        (-6, -13),
        (10, -10),
        (20, 0),
        (23, 18),
        (31, 41),
        (16, 46),
        (-5, 47.5),
    ]
    left = [(-10 - x, y) for x, y in reversed(right[1:-1])]
    body = smooth([*right, *left])
    head = ellipse(-5, -27, 17.5, 18)
    paint_wood(brush, [body, head], livery.colour, cream=livery.cream_line)
    stamp(brush, livery, -5, 21, 14.5)
    return brush.finish(shadow)


@cached(64)
def canoe(
    seat: int, size: int, shadow: Colour | None = SEA_SHADE, is_outlined: bool = False
) -> Sprite:
    """Return a settler at sea: a hull with a crab-claw sail, outlined in cream among palms."""
    livery = livery_of(seat)
    cream = livery.cream_line or is_outlined
    brush = _start_brush(size)
    mast = tapered_stroke([(-7, 26), (-7, 8)], 5, 5)
    paint_wood(brush, [mast], DARK_WOOD, side=0, line=3, cream=cream, glossy=False)
    hull = chain(
        quadratic((-51, 19), (-24, 32), (1, 31)),
        quadratic((1, 31), (30, 30), (52, 15)),
        quadratic((52, 15), (42, 48), (2, 49)),
        quadratic((2, 49), (-40, 48), (-51, 19)),
    )
    face = paint_wood(brush, [hull], WOOD, side=3, cream=cream, glossy=False)
    stripe = chain(
        quadratic((-50, 29), (-20, 44), (2, 43)),
        quadratic((2, 43), (30, 42), (52, 26)),
    )
    brush.line(stripe, 5.4, livery.colour, clip=face)
    sail = chain(
        quadratic((-7, 24), (-35, -6), (-29, -46)),
        quadratic((-29, -46), (-4, -17), (37, -37)),
        quadratic((37, -37), (31, 0), (-7, 24)),
    )
    paint_wood(brush, [sail], livery.colour, side=3, cream=cream)
    stamp(brush, livery, 0, -10, 12.5)
    return brush.finish(shadow)


@cached(64)
def village(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Return a village: a hut with a steep roof."""
    livery = livery_of(seat)
    brush = _start_brush(size)
    wall = [(-30.0, 4.0), (30.0, 4.0), (28.0, 46.0), (-28.0, 46.0)]
    paint_wood(brush, [wall], WET_SAND, side=2, cream=livery.cream_line, glossy=False)
    arch = quadratic((-9, 28), (0, 12), (9, 28))
    door = chain([(-9, 47), (-9, 28)], arch, [(9, 47)])
    brush.fill(door, BARK)
    roof = chain(
        quadratic((-12, -38), (0, -54), (12, -38)),
        quadratic((12, -38), (29, -6), (50, 11)),
        quadratic((50, 11), (26, 19), (0, 19)),
        quadratic((0, 19), (-26, 19), (-50, 11)),
        quadratic((-50, 11), (-29, -6), (-12, -38)),
    )
    face = paint_wood(brush, [roof], livery.colour, cream=livery.cream_line)
    for foot_x in (-36, -18, 18, 36):
        top = (foot_x * 0.3, -26 + abs(foot_x) * 0.2)
        brush.line([top, (foot_x, 15)], 2.4, shade_of(livery.colour), clip=face)
    stamp(brush, livery, 0, -5, 13.5)
    return brush.finish(shadow)


@cached(64)
def pawn(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Return a round-headed figure without a tool."""
    livery = livery_of(seat)
    brush = _start_brush(size)
    right = [
        (0, -10),
        (14, -3),
        (20, 16),
        (31, 40),
        (22, 45),
        (0, 47),
    ]
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    body = smooth([*right, *left])
    head = ellipse(0, -25, 19)
    paint_wood(brush, [body, head], livery.colour, side=4, cream=livery.cream_line)
    stamp(brush, livery, 0, 20, 12)
    return brush.finish(shadow)


TRIANGLE = [
    (0, -46),
    (7, -40),
    (47, 31),
    (43, 40),
    (-43, 40),
    (-47, 31),
    (-7, -40),
]
DIAMOND_RIGHT = [
    (0, -50),
    (5, -47),
    (46, -5),
    (46, 5),
    (5, 47),
]
DIAMOND_LEFT = [
    (-5, 47),
    (-46, 5),
    (-46, -5),
    (-5, -47),
]
BADGES: dict[str, tuple[Outline, float, float]] = {
    "disc": (ellipse(0, 0, 44), 0, 60),
    "triangle": (smooth(TRIANGLE, 4), 14, 50),
    "square": (rectangle(-42, -42, 42, 42, 10), 0, 60),
    "diamond": (smooth([*DIAMOND_RIGHT, *DIAMOND_LEFT], 4), 0, 54),
    "star": (star(0, 3, 52, 29), 5, 46),
}
"""The badge of each shape: its outline, how far down its letter stands, and the letter's size."""


LETTER_RIM = 0.07
"""The width of the line around the letter of a badge, as a share of the letter's height."""


@cached(128)
def badge(seat: int, size: int) -> Sprite:
    """Return a wooden token in the shape of a seat, with the seat's letter."""
    livery = livery_of(seat)
    brush = _start_brush(size)
    outline, letter_down, letter_size = BADGES[livery.shape]
    paint_wood(brush, [outline], livery.colour, side=4, line=3.2, cream=livery.cream_line)
    token = brush.finish()
    letter_height = round(size * letter_size / 100)
    rim = letter_height * LETTER_RIM
    mark = label(livery.letter, Face.STRONG, letter_height, livery.stamp, "m", livery.rim, rim)
    return overlay(token, mark, 0, round(letter_down * size / 100))


@cached(64)
def disc(text: str, size: int, colour: Colour = SAND) -> Sprite:
    """Return a wooden disc with a number or a short text."""
    brush = _start_brush(size)
    paint_wood(brush, [ellipse(0, 0, 46)], colour, side=5, line=4, glossy=False)
    brush.ring(ellipse(0, 0, 38), 3, WOOD)
    text_size = 0.64 if len(text) < 3 else 0.46
    mark = label(text, Face.STRONG, round(size * text_size), BARK)
    return overlay(brush.finish(LAND_SHADE, 2, 4), mark, 0, 0)


def overlay(sprite: Sprite, mark: Sprite, right: int, down: int) -> Sprite:
    """Paste a mark on a sprite, `right` and `down` from its anchor.

    The mark must not reach beyond the sprite's mask.
    """
    image = sprite.image.copy()
    zoom = current_mode().zoom
    left = sprite.anchor[0] + right - mark.anchor[0]
    top = sprite.anchor[1] + down - mark.anchor[1]
    image.paste(mark.image, (left * zoom, top * zoom), mark.mask)
    return Sprite(image, sprite.mask, sprite.anchor)


@cached(16)
def voyager(size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """Return a canoe that belongs to no seat, with a cream sail."""
    brush = _start_brush(size)
    hull = chain(
        cubic((-54, 14), (-30, 34), (30, 34), (54, 12)),
        quadratic((54, 12), (36, 46), (0, 46)),
        quadratic((0, 46), (-38, 46), (-54, 14)),
    )
    paint_wood(brush, [hull], DARK_WOOD, side=3)
    sail = chain(
        quadratic((-6, 22), (-38, -8), (-30, -50)),
        quadratic((-30, -50), (-4, -20), (42, -42)),
        quadratic((42, -42), (36, 0), (-6, 22)),
    )
    paint_wood(brush, [sail], CREAM, side=3)
    return brush.finish(shadow)
