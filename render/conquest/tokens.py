"""Sprites of counters, canoes, markers and signs of Conquest of Paradise.

A token is drawn in hundredths of its size, with the origin in its middle: the numbers below are the
corners and curves of the artwork. A sprite is cached by its size: drawing one takes 1 to 39 ms, and
a picture puts some 100 of them, few of them new. Change a number to change how a token looks;
nothing else depends on it.
"""

import math
from collections.abc import Callable
from typing import Final

from engine.conquest.view import NOBODY
from render.canvas import Brush, Sprite, cached
from render.fonts import Face, label
from render.palette import (
    ACTIVE,
    BARK,
    CREAM,
    DARK_WOOD,
    FOREST,
    GLOW,
    JUNGLE,
    KEYLINE,
    MEADOW,
    PAPER,
    ROCK,
    SAND,
    SEA_SHADE,
    UNKNOWN,
    WET_SAND,
    WHITE,
    WOOD,
    Colour,
    darker,
    livery_of,
    mix,
    rgb,
)
from render.pieces import overlay, paint_wood, stamp
from render.shapes import (
    Outline,
    chain,
    ellipse,
    polygon,
    quadratic,
    rectangle,
    seat_shape,
    star,
    tapered_stroke,
)

OCHRE = rgb("#D9A456")
DARK_OCHRE = rgb("#B98038")
ROPE = rgb("#E3C384")
DARK_ROPE = rgb("#8A5A24")
GREEN_FRAME = rgb("#2E7D3A")
BROWN_FRAME = rgb("#7A4420")
FALLOW = rgb("#D8B27A")
"""The colour of a field without crops."""
CARD = rgb("#B93A4E")
DARK_CARD = rgb("#8A2438")
GOLD_CASING = rgb("#2A1E08")
"""The outline of gold things."""
KUMARA = rgb("#B4566A")
DARK_KUMARA = rgb("#7E3448")
RETURN_RIM = rgb("#7A4E0E")
WHIRL = (rgb("#1E6E8C"), rgb("#185A76"), rgb("#124760"), rgb("#0C344A"), UNKNOWN)
"""The turns of the whirlpool, darker towards its middle."""

TOKEN_ROOM: Final = 124
"""The width and height of a token with room for its rim and shadow, in hundredths of its size."""
TOKEN_MIDDLE: Final = (62, 60)


def token_brush(size: int) -> Brush:
    """Return a brush that draws in hundredths of a token's size, from its middle."""
    return Brush(TOKEN_ROOM, TOKEN_ROOM, size / 100, at=TOKEN_MIDDLE)


def draw_war_canoe(brush: Brush, ink: Colour) -> None:
    """Draw a hull with three paddlers."""
    hull = chain(
        quadratic((-42, 4), (0, 20), (42, 4)),
        quadratic((42, 4), (34, 32), (0, 32)),
        quadratic((0, 32), (-34, 32), (-42, 4)),
    )
    brush.fill(hull, ink)
    for x in (-22, 0, 22):
        head = ellipse(x, -24, 9)
        body: Outline = [
            (x - 8, -12),
            (x + 8, -12),
            (x + 7, 12),
            (x - 7, 12),
        ]
        brush.fill(head, ink)
        brush.fill(body, ink)


def draw_transport_canoe(brush: Brush, ink: Colour) -> None:
    """Draw a hull under a crab-claw sail."""
    hull = chain(
        quadratic((-42, 12), (0, 26), (42, 12)),
        quadratic((42, 12), (34, 36), (0, 36)),
        quadratic((0, 36), (-34, 36), (-42, 12)),
    )
    brush.fill(hull, ink)
    sail = chain(
        quadratic((-6, 14), (-30, -10), (-22, -38)),
        quadratic((-22, -38), (0, -14), (34, -32)),
        quadratic((34, -32), (26, 2), (-6, 14)),
    )
    brush.fill(sail, ink)


def draw_clubs(brush: Brush, ink: Colour) -> None:
    """Draw two crossed clubs for a Warrior Band."""
    for side in (-1, 1):
        brush.line([(-side * 28, 32), (side * 18, -20)], 9, ink)
        brush.fill(ellipse(side * 22, -25, 11, 17, side * 40), ink)


def draw_sprout(brush: Brush, ink: Colour) -> None:
    """Draw a stalk with two leaves for a Colony."""
    left_leaf = chain(
        quadratic((0, 8), (-40, 8), (-38, -24)),
        quadratic((-38, -24), (-4, -20), (0, 8)),
    )
    right_leaf = chain(
        quadratic((0, -2), (4, -36), (38, -36)),
        quadratic((38, -36), (36, -2), (0, -2)),
    )
    brush.line([(0, 36), (0, -4)], 9, ink)
    brush.fill(left_leaf, ink)
    brush.fill(right_leaf, ink)


def draw_question_mark(brush: Brush, ink: Colour) -> None:
    """Draw a question mark for a Rumor."""
    hook = ellipse(0, -14, 19, 19, start=-200, end=70)
    brush.line([*hook, (4, 14)], 12, ink)
    brush.fill(ellipse(4, 33, 8), ink)


FACES: dict[str, Callable[[Brush, Colour], None]] = {
    "w": draw_war_canoe,
    "t": draw_transport_canoe,
    "r": draw_question_mark,
    "c": draw_sprout,
    "b": draw_clubs,
}
"""Draws the face of a piece, by its kind."""


@cached(256)
def counter(seat: int, size: int, kind: str = "", shadow: Colour | None = SEA_SHADE) -> Sprite:
    """Return a piece: face up if its kind is given, else face down with the seat's shape."""
    livery = livery_of(seat)
    brush = token_brush(size)
    block = rectangle(-44, -44, 44, 44, 15)
    paint_wood(brush, [block], livery.colour, side=6, line=4, cream=livery.cream_line)
    if kind:
        FACES[kind](brush, livery.stamp)
    else:
        stamp(brush, livery, 0, 0, 24)
    return brush.finish(shadow, 3, 6)


@cached(64)
def local_warrior(size: int, shadow: Colour | None = None) -> Sprite:
    """Return a Local Warrior: a spear with a stone point."""
    brush = token_brush(size)
    pole = tapered_stroke([(-30, 48), (18, -20)], 11, 11)
    point = [
        (36.0, -50.0),
        (34.0, -14.0),
        (19.0, -12.0),
        (4.0, -34.0),
        (8.0, -38.0),
    ]
    paint_wood(brush, [pole], WOOD, side=2, line=5, glossy=False)
    paint_wood(brush, [point], ROCK, side=2, line=5, glossy=False)
    lit_side: Outline = [(36, -50), (17, -20), (6, -34)]
    brush.fill(lit_side, mix(ROCK, WHITE, 0.55))
    # The rope that ties the point to its pole covers where they meet.
    brush.line([(10, -26), (23, -8)], 7, DARK_ROPE)
    return brush.finish(shadow, 3, 6)


@cached(64)
def explorer(seat: int, size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """Return an Explorer: a large canoe of two hulls with the seat's sail."""
    livery = livery_of(seat)
    brush = Brush(140, 136, size / 112, at=(70, 66))
    mast = tapered_stroke([(-4, 40), (-4, 6)], 6, 6)
    paint_wood(brush, [mast], DARK_WOOD, side=0, line=3.4, cream=True, glossy=False)
    # The farther hull first; the nearer one covers it but for its rim.
    for down in (-7, 3):
        hull = chain(
            quadratic((-60, 20 + down), (-28, 38 + down), (4, 37 + down)),
            quadratic((4, 37 + down), (36, 35 + down), (60, 14 + down)),
            quadratic((60, 14 + down), (46, 55 + down), (4, 56 + down)),
            quadratic((4, 56 + down), (-46, 54 + down), (-60, 20 + down)),
        )
        paint_wood(brush, [hull], WOOD, side=2, line=3.4, cream=True, glossy=False)
    sail = chain(
        quadratic((-4, 34), (-36, 2), (-28, -54)),
        quadratic((-28, -54), (-2, -18), (46, -44)),
        quadratic((46, -44), (40, 4), (-4, 34)),
    )
    paint_wood(brush, [sail], livery.colour, side=3, line=3.6, cream=True)
    stamp(brush, livery, 4, -10, 15)
    return brush.finish(shadow)


@cached(32)
def knot(number: int, size: int) -> Sprite:
    """Return a disc of rope with a number of Knots, or with a question mark for 0."""
    brush = token_brush(size)
    brush.fill(ellipse(0, 4, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 45), ROPE)
    # Slanting strokes along the rim: the lay of the rope.
    for stroke in range(20):
        inner = math.radians(stroke * 18)
        outer = inner + 0.2
        start = (36 * math.cos(inner), 36 * math.sin(inner))
        end = (43 * math.cos(outer), 43 * math.sin(outer))
        brush.line([start, end], 3, DARK_ROPE)
    mark = label(str(number or "?"), Face.STRONG, round(size * 0.62), BARK)
    return overlay(brush.finish(SEA_SHADE, 2, 4), mark, 0, 0)


@cached(64)
def box(size: int, is_green: bool, improved: bool = False) -> Sprite:
    """Return the box of a Village: a green square, or a brown round field.

    A field has to be improved by Agriculture before a Village may stand on it.
    """
    brush = token_brush(size)
    if is_green:
        brush.fill(rectangle(-52, -52, 52, 52, 12), KEYLINE)
        brush.fill(rectangle(-45, -45, 45, 45, 8), GREEN_FRAME)
        brush.fill(rectangle(-31, -31, 31, 31, 4), PAPER)
        return brush.finish()
    brush.fill(ellipse(0, 0, 54), KEYLINE)
    brush.fill(ellipse(0, 0, 47), BROWN_FRAME)
    field = brush.mask(ellipse(0, 0, 35))
    brush.paint(field, MEADOW if improved else FALLOW)
    if improved:
        brush.line([(0, 28), (0, -2)], 10, JUNGLE)
        for side in (-1, 1):
            tip = (side * 26, -22)
            lower_edge = quadratic((0, 8), (side * 29, 6), tip)
            upper_edge = quadratic(tip, (0, -18), (0, 8))
            brush.fill(chain(lower_edge, upper_edge), JUNGLE)
    else:
        # A field that is not improved shows furrows.
        for down in (-18, 0, 18):
            furrow = [(-40, down + 6), (0, down - 4), (40, down + 6)]
            brush.line(furrow, 7, BROWN_FRAME, clip=field)
    return brush.finish()


@cached(16)
def hut(size: int) -> Sprite:
    """Return a thatched hut of the Independent peoples."""
    brush = Brush(132, 136, size / 100, at=(66, 62))
    wall = [(-30.0, 4.0), (30.0, 4.0), (28.0, 46.0), (-28.0, 46.0)]
    paint_wood(brush, [wall], WET_SAND, side=2, glossy=False)
    arch = quadratic((-10, 28), (0, 12), (10, 28))
    door = chain([(-10, 47), (-10, 28)], arch, [(10, 47)])
    brush.fill(door, BARK)
    roof = chain(
        quadratic((-12, -38), (0, -54), (12, -38)),
        quadratic((12, -38), (29, -6), (50, 11)),
        quadratic((50, 11), (0, 27), (-50, 11)),
        quadratic((-50, 11), (-29, -6), (-12, -38)),
    )
    face = paint_wood(brush, [roof], WOOD, glossy=False)
    # Thatch runs down and outwards from the ridge.
    for eave in (-36, -18, 0, 18, 36):
        brush.line([(eave * 0.3, -30), (eave, 16)], 3, DARK_WOOD, clip=face)
    return brush.finish()


@cached(8)
def home_star(size: int) -> Sprite:
    """Return the gold star of a Home."""
    brush = token_brush(size)
    outline = star(0, 0, 46, 20)
    brush.paint(brush.grow([outline], 6), GOLD_CASING)
    brush.fill(outline, ACTIVE)
    return brush.finish()


@cached(16)
def card(size: int) -> Sprite:
    """Return the back of an Arts & Culture Card."""
    brush = token_brush(size)
    brush.fill(rectangle(-39, -51, 39, 51, 12), KEYLINE)
    brush.fill(rectangle(-34, -46, 34, 46, 9), DARK_CARD)
    brush.fill(rectangle(-27, -39, 27, 39, 5), CREAM)
    brush.fill(rectangle(-23, -35, 23, 35, 3), CARD)
    brush.fill(polygon(0, 0, 19, 4), CREAM)
    return brush.finish()


@cached(16)
def tile_back(size: int) -> Sprite:
    """Return the back of an Island Group Tile, as an icon."""
    brush = token_brush(size)
    outline = [
        (50.0, 0.0),
        (25.0, 43.0),
        (-25.0, 43.0),
        (-50.0, 0.0),
        (-25.0, -43.0),
        (25.0, -43.0),
    ]
    brush.paint(brush.grow([outline], 4), KEYLINE)
    brush.fill(outline, OCHRE)
    for x, y in ((-22, 14), (22, 14), (0, -20)):
        brush.fill(
            [
                (x - 17, y + 14),
                (x, y - 14),
                (x + 17, y + 14),
            ],
            DARK_OCHRE,
        )
    return brush.finish()


PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: (
        (-1, -1),
        (1, -1),
        (-1, 1),
        (1, 1),
    ),
    5: (
        (-1, -1),
        (1, -1),
        (0, 0),
        (-1, 1),
        (1, 1),
    ),
    6: (
        (-1, -1),
        (1, -1),
        (-1, 0),
        (1, 0),
        (-1, 1),
        (1, 1),
    ),
}
"""Where the pips of a die lie, in steps of PIP_STEP from its middle."""
PIP_STEP: Final = 24
PIP_SIZE: Final = 9.5


@cached(64)
def die(number: int, size: int, seat: int = NOBODY) -> Sprite:
    """Return a die in the colour of the seat it hits, in wood for Independents."""
    colour, ink, cream = SAND, BARK, False
    if seat != NOBODY:
        livery = livery_of(seat)
        colour, ink, cream = livery.colour, livery.stamp, livery.cream_line
    brush = token_brush(size)
    block = rectangle(-44, -44, 44, 44, 16)
    paint_wood(brush, [block], colour, side=5, line=4, cream=cream)
    for right, down in PIPS.get(number, ()):
        brush.fill(ellipse(right * PIP_STEP, down * PIP_STEP, PIP_SIZE), ink)
    return brush.finish()


@cached(64)
def shape_mark(seat: int, size: int) -> Sprite:
    """Return a seat's shape, which marks the tiles it has discovered and where its pieces lie."""
    livery = livery_of(seat)
    brush = token_brush(size)
    outline = seat_shape(livery.shape, 0, 0, 36)
    # Dark colours have a cream line around the dark one: without it they vanish on dark water.
    if livery.cream_line:
        brush.paint(brush.grow([outline], 9), CREAM)
    brush.paint(brush.grow([outline], 6), KEYLINE)
    brush.fill(outline, livery.colour)
    return brush.finish()


@cached(16)
def planned(number: int, size: int) -> Sprite:
    """Return a gold disc: how many items of the viewer's build list go to a hex."""
    brush = token_brush(size)
    brush.fill(ellipse(0, 0, 50), GOLD_CASING)
    brush.fill(ellipse(0, 0, 43), ACTIVE)
    mark = label(f"+{number}", Face.STRONG, round(size * 0.6), BARK)
    return overlay(brush.finish(), mark, 0, 0)


@cached(8)
def tick(size: int) -> Sprite:
    """Return a tick on a green disc: a seat has given its secret answer."""
    brush = token_brush(size)
    brush.fill(ellipse(0, 0, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 43), GREEN_FRAME)
    brush.line(
        [
            (-21, 2),
            (-6, 18),
            (22, -17),
        ],
        12,
        CREAM,
    )
    return brush.finish()


@cached(8)
def whirlpool(size: int) -> Sprite:
    """Return the whirlpool of the Lost Box."""
    brush = token_brush(size)
    for turn, tone in enumerate(WHIRL):
        # Each turn lies a little further down and right, as if seen from the side.
        aside = turn * 1.5
        outline = ellipse(aside, aside, 54 - turn * 11, 40 - turn * 8.2, -8)
        brush.fill(outline, tone)
        brush.ring(outline, 2, mix(tone, GLOW, 0.35))
    return brush.finish()


@cached(8)
def rope_knot(size: int, kind: str) -> Sprite:
    """Return a place on the rope of Knots: 'tied', 'free', 'return' or 'returned'."""
    brush = token_brush(size)
    if kind == "tied":
        brush.fill(ellipse(0, 0, 48, 36), BARK)
        brush.fill(ellipse(0, 0, 42, 30), ROPE)
        for side in (-1, 1):
            brush.line([(-side * 20, -17), (side * 20, 17)], 6, DARK_ROPE)
    elif kind == "free":
        brush.fill(ellipse(0, 0, 48, 36), darker(ROPE, 0.25))
        brush.fill(ellipse(0, 0, 42, 30), mix(PAPER, ROPE, 0.35))
    else:
        brush.fill(ellipse(0, 0, 44), RETURN_RIM)
        brush.fill(ellipse(0, 0, 38), ACTIVE)
        brush.fill(ellipse(0, 0, 22), ACTIVE if kind == "returned" else PAPER)
    return brush.finish()


@cached(8)
def kumara(size: int) -> Sprite:
    """Return a sweet potato with a leaf."""
    brush = token_brush(size)
    root: Outline = chain(
        quadratic((-44, 20), (-40, -22), (0, -18)),
        quadratic((0, -18), (36, -14), (46, -34)),
        quadratic((46, -34), (48, 30), (0, 34)),
        quadratic((0, 34), (-30, 36), (-44, 20)),
    )
    leaf = chain(
        quadratic((-8, -16), (-30, -26), (-20, -50)),
        quadratic((-20, -50), (4, -38), (-8, -16)),
    )
    brush.paint(brush.grow([root, leaf], 5), KEYLINE)
    brush.fill(root, KUMARA)
    brush.fill(leaf, FOREST)
    for x in (-18, 6, 26):
        brush.line([(x - 5, 8), (x + 7, 4)], 4, DARK_KUMARA)
    return brush.finish()


@cached(8)
def malaria(rolls: tuple[int, ...], size: int) -> Sprite:
    """Return the rolls that strike a group with malaria, on a red pill with a mosquito's wings."""
    mark = label("·".join(map(str, rolls)), Face.STRONG, size, CREAM)
    # `half` and `up` are half the width and height of the pill; the wings need room around it.
    half = mark.anchor[0] + size * 0.16
    up = size * 0.56
    middle = (half + size, up + 0.6 * size)
    brush = Brush(2 * half + 2 * size, 2 * up + 1.2 * size, at=middle)
    # Wings come first: the pill covers where they grow from.
    for side in (-1, 1):
        x, y, turn = side * size * 0.3, -up - size * 0.06, -24 * side
        brush.fill(ellipse(x, y, size * 0.3, size * 0.14, turn), KEYLINE)
        brush.fill(ellipse(x, y, size * 0.24, size * 0.08, turn), CREAM)
    brush.fill(rectangle(-half - 3, -up - 3, half + 3, up + 3, up), KEYLINE)
    brush.fill(rectangle(-half, -up, half, up, up), CARD)
    return overlay(brush.finish(), mark, 0, 0)
