"""Draw the items that lie on a board, with silhouettes that nobody mixes up.

Coordinates are hundredths of an item's size, relative to its centre. First the whole item is
painted dark and a little larger, which leaves an outline, then its parts from back to front.
`shadow` is the colour of its shadow on the ground; None draws no shadow. Change a number to change
how an item looks.
"""

from collections.abc import Callable
from itertools import pairwise

from render.canvas import Brush, Sprite, cached
from render.palette import KEYLINE, LAND_SHADE, WHITE, Colour, rgb
from render.shapes import (
    Outline,
    chain,
    ellipse,
    polygon,
    quadratic,
    smooth,
    tapered_stroke,
    transform,
)

SHADOW_RIGHT, SHADOW_DOWN = 2, 5
THIN_OUTLINE = 4.2
OUTLINE = 4.4


def _start_brush(size: int) -> Brush:
    """Return a brush for an item of 100 units, with room around it for outline and shadow."""
    return Brush(120, 128, size / 100, at=(60, 60))


@cached(16)
def coconut(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a whole coconut behind a half one."""
    brush = _start_brush(size)
    whole = ellipse(-11, -6, 33, 33)
    half = ellipse(14, 14, 31, 26, -14)
    brush.paint(brush.grow([whole, half], THIN_OUTLINE), KEYLINE)
    brush.fill(whole, rgb("#70431F"))
    nut = brush.mask(whole)
    brush.fill(ellipse(-3, 4, 30, 30), rgb("#56310F"), clip=nut)
    for bend in (-26, -10, 8):
        end_x = -14 + bend * 0.4
        fibre = quadratic((end_x, -40), (-14 + bend, -6), (end_x, 30))
        brush.line(fibre, 1.8, rgb("#44260D"), clip=nut)
    brush.fill(ellipse(-23, -19, 9, 5, -40), rgb("#B98A5C"))
    brush.paint(brush.grow([half], 3.6), KEYLINE)
    brush.fill(half, rgb("#8A5A2C"))
    brush.fill(ellipse(14, 13, 26, 20, -14), rgb("#FFFAF0"))
    brush.fill(ellipse(14, 15, 17, 11, -14), rgb("#C9DEDC"))
    brush.fill(ellipse(9, 11, 5.5, 2.8, -14), WHITE)
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


STALKS = (
    ((-20, 44), (-26, -42), 15, "#8FBF38", "#B9DC58"),
    ((2, 46), (2, -46), 17, "#B5D84C", "#DCEF86"),
    ((24, 44), (29, -38), 14, "#8FBF38", "#B9DC58"),
)
"""Foot, tip, thickness, colour and highlight of each stalk."""
LEAF = [
    (0.0, 0.0),
    (8.0, -6.0),
    (22.0, -5.5),
    (34.0, 0.0),
    (22.0, 5.0),
    (8.0, 5.0),
]
LEAVES = (
    (6, -24, -28, 0.95),
    (-22, -20, 205, 0.8),
    (2, 12, 200, 0.62),
)
"""Where each leaf begins, its direction in degrees and its scale."""
STALK_TAPER = 0.92
"""The thickness of a stalk at its tip, as a share of that at its foot."""
HIGHLIGHT_LEFT = 3
KNOTS = (0.2, 0.43, 0.66, 0.88)
"""Where the rings of a stalk are, as shares of the way from its foot to its tip."""


@cached(16)
def bamboo(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw three stalks of bamboo with leaves."""
    brush = _start_brush(size)
    stalks = []
    for foot, tip, thick, _, _ in STALKS:
        stalks.append(tapered_stroke([foot, tip], thick, thick * STALK_TAPER))
    leaves = [transform(LEAF, angle, (x, y), scale) for x, y, angle, scale in LEAVES]
    brush.paint(brush.grow([*stalks, *leaves], THIN_OUTLINE), KEYLINE)
    for (foot, tip, thick, colour, light), stalk in zip(STALKS, stalks, strict=True):
        area = brush.mask(stalk)
        brush.paint(area, rgb(colour))
        # The light falls on the left side of a stalk.
        highlight = [
            (foot[0] - HIGHLIGHT_LEFT, foot[1]),
            (tip[0] - HIGHLIGHT_LEFT, tip[1]),
        ]
        brush.line(highlight, thick * 0.3, rgb(light), clip=area)
        for share in KNOTS:
            x = foot[0] + (tip[0] - foot[0]) * share
            y = foot[1] + (tip[1] - foot[1]) * share
            ring = [(x - thick, y), (x + thick, y)]
            brush.line(ring, 4.6, rgb("#4A7420"), clip=area)
    for leaf in leaves:
        brush.fill(leaf, rgb("#35803A"))
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


@cached(16)
def water(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a drop of water."""
    brush = _start_brush(size)
    drop = chain(
        quadratic((0, -47), (7, -26), (22, -8)),
        quadratic((22, -8), (40, 16), (27, 34)),
        quadratic((27, 34), (15, 47), (0, 47)),
        quadratic((0, 47), (-15, 47), (-27, 34)),
        quadratic((-27, 34), (-40, 16), (-22, -8)),
        quadratic((-22, -8), (-7, -26), (0, -47)),
    )
    brush.paint(brush.grow([drop], OUTLINE), KEYLINE)
    area = brush.mask(drop)
    brush.paint(area, rgb("#2E8FE6"))
    brush.fill(ellipse(-6, 4, 26, 36), rgb("#55B4F7"), clip=area)
    gleam = chain(
        quadratic((-17, 3), (-27, 19), (-14, 33)),
        quadratic((-14, 33), (-18, 19), (-10, 5)),
    )
    brush.fill(gleam, rgb("#E9F8FF"))
    brush.fill(ellipse(13, 29, 11, 5.5, -30), rgb("#9ADAFF"), clip=area)
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


GEM: Outline = [
    (-24, -34),
    (24, -34),
    (46, -8),
    (0, 44),
    (-46, -8),
]
FACETS: tuple[tuple[Outline, str], ...] = (
    (
        [
            (-24, -34),
            (-16, -8),
            (-46, -8),
        ],
        "#FF8AB8",
    ),
    ([(24, -34), (46, -8), (16, -8)], "#C9246D"),
    (
        [
            (-24, -34),
            (24, -34),
            (16, -8),
            (-16, -8),
        ],
        "#F98DBB",
    ),
    ([(-46, -8), (-16, -8), (0, 44)], "#EF4E93"),
    ([(-16, -8), (16, -8), (0, 44)], "#D92F7B"),
    ([(16, -8), (46, -8), (0, 44)], "#9C1553"),
)


@cached(16)
def stone(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a cut gem."""
    brush = _start_brush(size)
    brush.paint(brush.grow([GEM], OUTLINE), KEYLINE)
    for facet, colour in FACETS:
        brush.fill(facet, rgb(colour))
    # A gleam on the table, and the girdle.
    gleam: Outline = [
        (-17, -29),
        (-4, -29),
        (-8, -14),
        (-14, -14),
    ]
    brush.fill(gleam, rgb("#FFE3EF"))
    brush.line([(-44, -8), (44, -8)], 1.6, rgb("#FFC0DA"))
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


@cached(16)
def statuette(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a stone bust on a plinth, stylised so that it resembles nobody."""
    brush = _start_brush(size)
    head = chain(
        [(-21, -42), (17, -45)],
        quadratic((17, -45), (26, -32), (24, -14)),
        [(30, 5), (25, 11)],
        quadratic((25, 11), (25, 22), (15, 30)),
        [(-17, 30)],
        quadratic((-17, 30), (-26, 18), (-24, 2)),
        quadratic((-24, 2), (-29, -20), (-21, -42)),
    )
    plinth = [(-32.0, 30.0), (32.0, 30.0), (38.0, 48.0), (-38.0, 48.0)]
    cap = smooth(
        [
            (-23, -39),
            (-18, -49),
            (0, -52),
            (17, -50),
            (20, -42),
            (0, -38),
        ],
        5,
    )
    brush.paint(brush.grow([head, plinth, cap], OUTLINE), KEYLINE)
    brush.fill(plinth, rgb("#9C9486"))
    for x in range(-34, 32, 13):
        tooth: Outline = [(x, 46), (x + 6.5, 34), (x + 13, 46)]
        brush.fill(tooth, rgb("#5E574C"), clip=brush.mask(plinth))
    area = brush.mask(head)
    brush.paint(area, rgb("#D6D0C3"))
    shaded_side: Outline = [
        (6, -50),
        (34, -50),
        (34, 34),
        (14, 34),
        (20, 0),
    ]
    brow: Outline = [
        (-27, -25),
        (26, -29),
        (27, -18),
        (8, -14),
        (2, -17),
        (-26, -12),
    ]
    left_eye: Outline = [
        (-22, -14),
        (-4, -16),
        (-5, -6),
        (-18, -5),
    ]
    right_eye: Outline = [
        (9, -15),
        (23, -17),
        (22, -8),
        (12, -7),
    ]
    nose: Outline = [
        (0, -18),
        (9, -19),
        (15, 8),
        (10, 13),
        (-4, 13),
        (-6, 8),
    ]
    mouth: Outline = [
        (-14, 19),
        (16, 17),
        (17, 22),
        (-13, 25),
    ]
    brush.fill(shaded_side, rgb("#ABA598"), clip=area)
    brush.fill(brow, rgb("#8B857A"), clip=area)
    brush.fill(left_eye, rgb("#3B3A38"))
    brush.fill(right_eye, rgb("#3B3A38"))
    brush.fill(nose, rgb("#ECE7DC"))
    brush.fill(mouth, rgb("#4A4844"))
    brush.fill(cap, rgb("#A8452F"))
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


@cached(16)
def shell(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a scallop shell."""
    brush = _start_brush(size)
    # The upper half of a polygon, whose sides bulge away from its centre at (0, 6).
    fan = polygon(0, 6, 44, 14, turn=-168)[:8]
    bows = []
    for start, end in pairwise(fan):
        bulge_x = (start[0] + end[0]) * 0.6
        bulge_y = (start[1] + end[1] - 12) * 0.6 + 6
        bows.append(quadratic(start, (bulge_x, bulge_y), end, 6))
    hinge: Outline = [
        (12, 34),
        (20, 42),
        (8, 46),
        (-8, 46),
        (-20, 42),
        (-12, 34),
    ]
    outline = chain(*bows, hinge)
    brush.paint(brush.grow([outline], 4), KEYLINE)
    brush.fill(outline, rgb("#FBC3AE"))
    for x, y in fan[1:-1]:
        brush.line([(0, 36), (x * 0.95, y * 0.95)], 2.8, rgb("#C25A48"))
    return brush.finish(shadow, SHADOW_RIGHT, SHADOW_DOWN)


ITEMS: dict[str, Callable[..., Sprite]] = {
    "coconut": coconut,
    "bamboo": bamboo,
    "water": water,
    "stone": stone,
    "statuette": statuette,
    "shell": shell,
}
"""The function that draws each item, by the word for it in views."""
