"""Painted wood: the pieces of the seats, their badges, and how such a piece is carved."""

from collections.abc import Sequence

from PIL import Image, ImageChops

from render.canvas import Brush, Sprite, kept, mode
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
    tapered,
)

WALL = WET_SAND


def carve(
    brush: Brush,
    outlines: Sequence[Outline],
    colour: Colour,
    side: float = 5,
    line: float = 3.4,
    cream: bool = False,
    glossy: bool = True,
) -> Image.Image:
    """Paint a wooden piece: ink line, visible side, face, light from the upper left. Gives the area
    of its face.

    `side` is how thick the wood is, `line` how thick the ink; dark pieces wear a cream line outside
    it.
    """
    # From the back to the front, each a little smaller than the one before.
    if cream:
        brush.paint(_thick(brush, brush.grown(outlines, line + 2.2), side), CREAM)
    brush.paint(_thick(brush, brush.grown(outlines, line), side), KEYLINE)
    face = brush.mask(*outlines)
    brush.paint(_thick(brush, face, side), darker(colour, 0.42))
    brush.paint(face, colour)
    if glossy:
        # What the face leaves free when it is moved towards the light lies in shade; moved away, it
        # shines.
        shade = ImageChops.subtract(face, brush.shifted(face, -4.4, -3.6))
        brush.paint(shade, shade_of(colour), clip=face)
        shine = ImageChops.subtract(face, brush.shifted(face, 3.2, 3.2))
        brush.paint(shine, WHITE if _is_pale(colour) else lighter(colour, 0.3), clip=face)
    return face


def _thick(brush: Brush, area: Image.Image, side: float) -> Image.Image:
    """An area with its side below it: copies of it so close that they run together."""
    block = area
    copies = 4
    for number in range(1, copies + 1):
        block = ImageChops.lighter(block, brush.shifted(area, 0, side * number / copies))
    return block


def _is_pale(colour: Colour) -> bool:
    return sum(colour) > 600


def shade_of(colour: Colour) -> Colour:
    """Paint on the side away from the light."""
    return darker(colour, 0.13 if _is_pale(colour) else 0.2)


def stamp(brush: Brush, livery: Livery, x: float, y: float, size: float) -> None:
    """Print the seat's shape on a piece."""
    brush.fill(seat_shape(livery.shape, x, y, size), livery.stamp)


def _brush(size: int) -> Brush:
    """Pieces are drawn in hundredths of their size around their middle, with room for line, side
    and shadow.
    """
    return Brush(132, 136, size / 100, at=(66, 62))


@kept(64)
def settler(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """A figure with a paddle."""
    livery, brush = livery_of(seat), _brush(size)
    pole = tapered([(36, 46), (39, -26)], 5.6, 5)
    blade = chain(
        quadratic((39, -52), (52, -34), (48, -18)),
        quadratic((48, -18), (44, -4), (38, 2)),
        quadratic((38, 2), (31, -6), (30, -18)),
        quadratic((30, -18), (28, -36), (39, -52)),
    )
    carve(brush, [pole, blade], WOOD, side=2, line=3.2, cream=livery.cream_line, glossy=False)
    right = [(-6, -13), (10, -10), (20, 0), (23, 18), (31, 41), (16, 46), (-5, 47.5)]
    left = [(-10 - x, y) for x, y in reversed(right[1:-1])]
    body = smooth([*right, *left])
    head = ellipse(-5, -27, 17.5, 18)
    carve(brush, [body, head], livery.colour, cream=livery.cream_line)
    stamp(brush, livery, -5, 21, 14.5)
    return brush.done(shadow)


@kept(64)
def canoe(seat: int, size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """A settler at sea: a hull with a crab-claw sail."""
    livery, brush = livery_of(seat), _brush(size)
    mast = tapered([(-7, 26), (-7, 8)], 5, 5)
    carve(brush, [mast], DARK_WOOD, side=0, line=3, cream=livery.cream_line, glossy=False)
    hull = chain(
        quadratic((-51, 19), (-24, 32), (1, 31)),
        quadratic((1, 31), (30, 30), (52, 15)),
        quadratic((52, 15), (42, 48), (2, 49)),
        quadratic((2, 49), (-40, 48), (-51, 19)),
    )
    face = carve(brush, [hull], WOOD, side=3, cream=livery.cream_line, glossy=False)
    stripe = chain(quadratic((-50, 29), (-20, 44), (2, 43)), quadratic((2, 43), (30, 42), (52, 26)))
    brush.line(stripe, 5.4, livery.colour, clip=face)
    sail = chain(
        quadratic((-7, 24), (-35, -6), (-29, -46)),
        quadratic((-29, -46), (-4, -17), (37, -37)),
        quadratic((37, -37), (31, 0), (-7, 24)),
    )
    carve(brush, [sail], livery.colour, side=3, cream=livery.cream_line)
    stamp(brush, livery, 0, -10, 12.5)
    return brush.done(shadow)


@kept(64)
def village(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """A hut with a steep roof."""
    livery, brush = livery_of(seat), _brush(size)
    wall = [(-30.0, 4.0), (30.0, 4.0), (28.0, 46.0), (-28.0, 46.0)]
    carve(brush, [wall], WALL, side=2, cream=livery.cream_line, glossy=False)
    door = chain([(-9, 47), (-9, 28)], quadratic((-9, 28), (0, 12), (9, 28)), [(9, 47)])
    brush.fill(door, BARK)
    roof = chain(
        quadratic((-12, -38), (0, -54), (12, -38)),
        quadratic((12, -38), (29, -6), (50, 11)),
        quadratic((50, 11), (26, 19), (0, 19)),
        quadratic((0, 19), (-26, 19), (-50, 11)),
        quadratic((-50, 11), (-29, -6), (-12, -38)),
    )
    face = carve(brush, [roof], livery.colour, cream=livery.cream_line)
    for end in (-36, -18, 18, 36):
        brush.line(
            [(end * 0.3, -26 + abs(end) * 0.2), (end, 15)], 2.4, shade_of(livery.colour), clip=face
        )
    stamp(brush, livery, 0, -5, 13.5)
    return brush.done(shadow)


@kept(64)
def pawn(seat: int, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """A round-headed figure without a tool."""
    livery, brush = livery_of(seat), _brush(size)
    right = [(0, -10), (14, -3), (20, 16), (31, 40), (22, 45), (0, 47)]
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    body = smooth([*right, *left])
    carve(brush, [body, ellipse(0, -25, 19)], livery.colour, side=4, cream=livery.cream_line)
    stamp(brush, livery, 0, 20, 12)
    return brush.done(shadow)


def _token(shape: str) -> tuple[Outline, float, float]:
    """The outline of a badge, and where and how large its letter stands."""
    match shape:
        case "disc":
            return ellipse(0, 0, 44), 0, 60
        case "triangle":
            corners = [(0, -46), (7, -40), (47, 31), (43, 40), (-43, 40), (-47, 31), (-7, -40)]
            return smooth(corners, 4), 14, 50
        case "square":
            return rectangle(-42, -42, 42, 42, 10), 0, 60
        case "diamond":
            corners = [
                (0, -50),
                (5, -47),
                (46, -5),
                (46, 5),
                (5, 47),
                (-5, 47),
                (-46, 5),
                (-46, -5),
                (-5, -47),
            ]
            return smooth(corners, 4), 0, 54
    return star(0, 3, 52, 29), 5, 46


@kept(128)
def badge(seat: int, size: int) -> Sprite:
    """A seat's shape as a wooden token with its letter."""
    livery, brush = livery_of(seat), _brush(size)
    outline, drop, letter = _token(livery.shape)
    carve(brush, [outline], livery.colour, side=4, line=3.2, cream=livery.cream_line)
    token = brush.done()
    mark = label(livery.letter, Face.STRONG, round(size * letter / 100), livery.stamp)
    return with_mark(token, mark, 0, round(drop * size / 100))


@kept(64)
def disc(text: str, size: int) -> Sprite:
    """A wooden disc with a number."""
    brush = _brush(size)
    carve(brush, [ellipse(0, 0, 46)], SAND, side=5, line=4, glossy=False)
    brush.ring(ellipse(0, 0, 38), 3, WOOD)
    letters = 0.64 if len(text) < 3 else 0.46
    mark = label(text, Face.STRONG, round(size * letters), BARK)
    return with_mark(brush.done(LAND_SHADE, 2, 4), mark, 0, 0)


def with_mark(sprite: Sprite, mark: Sprite, right: int, down: int) -> Sprite:
    """A sprite with another pasted on it, which must not reach beyond the sprite's mask."""
    image = sprite.image.copy()
    zoom = mode().zoom
    left = sprite.at[0] + right - mark.at[0]
    top = sprite.at[1] + down - mark.at[1]
    image.paste(mark.image, (left * zoom, top * zoom), mark.mask)
    return Sprite(image, sprite.mask, sprite.at)


@kept(16)
def voyager(size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """A canoe of no seat, with a cream sail."""
    brush = _brush(size)
    hull = chain(
        cubic((-54, 14), (-30, 34), (30, 34), (54, 12)),
        quadratic((54, 12), (36, 46), (0, 46)),
        quadratic((0, 46), (-38, 46), (-54, 14)),
    )
    carve(brush, [hull], DARK_WOOD, side=3)
    sail = chain(
        quadratic((-6, 22), (-38, -8), (-30, -50)),
        quadratic((-30, -50), (-4, -20), (42, -42)),
        quadratic((42, -42), (36, 0), (-6, 22)),
    )
    carve(brush, [sail], CREAM, side=3)
    return brush.done(shadow)
