"""Sprites for the things on Maori's tiles, and for the woodwork around them.

A sprite is drawn from back to front in its own units, about a hundred to its width. `Brush` gets
the size in units, the pixels per unit, and the point at which the sprite is put; coordinates are
right and down from there. All parts of a sprite, grown a little, make its dark outline, which is
painted first so that only its edge remains visible.

Sprites are cached, because drawing one takes 1 to 6 ms (the frame of the large board 140) and every
tile has several. Change a number to change how a thing looks; nothing else depends on it.
"""

import math

from render.canvas import Brush, Sprite, cached, draw_box
from render.palette import (
    BARK,
    CREAM,
    DARK_WOOD,
    DEADLY,
    FOREST,
    INK,
    JUNGLE,
    KEYLINE,
    LAND_SHADE,
    SEA_SHADE,
    WOOD,
    Colour,
    darker,
    lighter,
    mix,
    rgb,
)
from render.shapes import (
    Outline,
    Point,
    chain,
    cubic,
    ellipse,
    polygon,
    quadratic,
    rectangle,
    tapered_stroke,
)

TRUNK, TRUNK_RING = rgb("#B98A4E"), rgb("#7F5529")
LEAF_DARK, LEAF_LIGHT = rgb("#2F7A36"), rgb("#5FAE3F")
LEAF_RIB, LEAF_LINE = rgb("#A9D66A"), rgb("#12301F")
FRONDS = (
    (158, 39, 25),
    (22, 37, 24),
    (-168, 45, 25),
    (-14, 43, 23),
    (-132, 41, 15),
    (-52, 41, 13),
    (-92, 34, 7),
)
"""The leaves of a palm: angle, length and droop; those behind come first."""
NUTS = ((-5, 4), (5, 5), (0, 9))
"""Where nuts hang, right and down from the top of the trunk."""

THATCH, THATCH_LINE, THATCH_LIGHT = rgb("#D8A24A"), rgb("#976327"), rgb("#F0CC7E")
WALL = rgb("#E3BD80")
POSTS = (-21, -14, 14, 21)
"""Where the posts of a hut's wall stand."""

SAIL, SAIL_LINE, EMBLEM = rgb("#FFF3DC"), rgb("#D8BE8C"), rgb("#C0392B")
SEAMS = (0.25, 0.5, 0.75)
"""Where the seams of a sail begin, as shares of its upper edge."""

PINK_PETAL, WHITE_PETAL = rgb("#F77FB0"), rgb("#FFF3EE")
PETAL_LINE, FLOWER_HEART = rgb("#6B0F3A"), rgb("#F2B63A")
PETALS = 5

SLOPE, SLOPE_DARK, SLOPE_LIGHT = rgb("#7A5D4C"), rgb("#4F3B33"), rgb("#9C7B63")
LAVA, EMBERS = rgb("#FF9A33"), rgb("#E2502B")
SMOKE, SMOKE_LIGHT = rgb("#C9CFCE"), rgb("#ECEDE9")
LAVA_TONGUES: tuple[Outline, ...] = (
    [
        (-9, -84),
        (-1, -83),
        (-5, -64),
        (1, -48),
        (-7, -28),
        (-13, -28),
        (-9, -48),
        (-15, -62),
    ],
    [
        (8, -84),
        (14, -85),
        (18, -64),
        (26, -50),
        (22, -38),
        (16, -50),
        (10, -64),
    ],
)
DARK_SLOPE: Outline = [
    (2, -84),
    (19, -88),
    (30, -58),
    (64, -4),
    (14, -4),
    (8, -48),
]
LIGHT_SLOPE: Outline = [
    (-10, -78),
    (-20, -50),
    (-40, -4),
    (-54, -4),
    (-26, -54),
]
PUFFS = (
    (16, -112, 13, SMOKE),
    (-14, -108, 13, SMOKE),
    (28, -120, 9, SMOKE),
    (0, -114, 15, SMOKE_LIGHT),
)
"""The smoke of a volcano: right, down, radius and colour."""
SKIRT_BUSHES = 15
"""The number of bushes at the foot of a volcano."""

BUSH_BALLS = ((-0.55, 0.25, 0.62), (0.55, 0.28, 0.6), (0.0, -0.2, 0.78))
"""Right, down and radius."""
PEAK, PEAK_DARK, PEAK_TIP = rgb("#8CA870"), rgb("#4F6D4A"), rgb("#EFE7CB")

FRAME_SHADOW, FRAME_GROUND = rgb("#3A220E"), rgb("#0A2433")
NO_ENTRY_RIM = rgb("#3A0D06")
PILL_LINE = 1.6


@cached(32)
def draw_palm(size: int, lean: int) -> Sprite:
    """Draw a palm, put by its foot, leaning left (-1) or right (1)."""
    brush = Brush(118, 132, size / 118, at=(59, 122))
    bent = cubic((-5, 0), (-12, -28), (-6, -52), (8, -76))
    spine = [(x * lean, y) for x, y in bent]
    top = spine[-1]
    trunk = tapered_stroke(spine, 12, 7)
    ribs = [_trace_rib(top, angle, length, droop, lean) for angle, length, droop in FRONDS]
    leaves = [tapered_stroke(rib, 4, 1.4, middle=16) for rib in ribs]
    brush.paint(brush.grow([trunk, *leaves], 3.6), LEAF_LINE)
    brush.fill(trunk, TRUNK)
    bark = brush.mask(trunk)
    for x, y in spine[2:-1:3]:
        brush.line([(x - 7, y + 1.5), (x + 7, y - 1.5)], 2.4, TRUNK_RING, clip=bark)

    for leaf, rib, (angle, _, _) in zip(leaves, ribs, FRONDS, strict=True):
        # The more a leaf points up, the more light it has.
        light = max(0.0, -math.sin(math.radians(angle)))
        brush.fill(leaf, mix(LEAF_DARK, LEAF_LIGHT, 0.2 + 0.8 * light))
        brush.line(rib[2:-2], 2, mix(LEAF_DARK, LEAF_RIB, 0.45 + 0.55 * light))
    for right, down in NUTS:
        brush.fill(ellipse(top[0] + right, top[1] + down, 4.8), BARK)
    return brush.finish(LAND_SHADE, 3, 4)


def _trace_rib(top: Point, angle: float, length: float, droop: float, lean: int) -> Outline:
    """Return the middle line of a leaf: out of the top of the trunk, then down by its weight."""
    x, y = top
    across = math.cos(math.radians(angle)) * lean * length
    down = math.sin(math.radians(angle)) * length
    bend = (x + across * 0.55, y + down * 0.62 - 4)
    tip = (x + across, y + down * 0.72 + droop * 0.72)
    return quadratic(top, bend, tip, 12)


@cached(32)
def draw_hut(size: int) -> Sprite:
    """Draw a hut that belongs to no seat, put by the middle of its floor."""
    brush = Brush(124, 124, size / 112, at=(62, 108))
    wall = [
        (-30.0, -46.0),
        (30.0, -46.0),
        (28.0, 0.0),
        (-28.0, 0.0),
    ]
    roof = chain(
        quadratic((-12, -92), (0, -106), (12, -92)),
        quadratic((12, -92), (31, -56), (51, -40)),
        quadratic((51, -40), (26, -31), (0, -31)),
        quadratic((0, -31), (-26, -31), (-51, -40)),
        quadratic((-51, -40), (-31, -56), (-12, -92)),
    )
    brush.paint(brush.grow([wall, roof], 4), KEYLINE)
    brush.fill(wall, WALL)
    for x in POSTS:
        brush.line([(x, -32), (x, 0)], 1.8, mix(WALL, BARK, 0.35))
    arch = quadratic((-10, -18), (0, -32), (10, -18))
    door = chain([(-10, 0)], arch, [(10, 0)])
    brush.fill(door, BARK)

    # The roof comes last: it hangs over the wall.
    thatch = brush.mask(roof)
    brush.paint(thatch, THATCH)
    for eaves in range(-48, 49, 12):
        ridge_end = (eaves * 0.2, -96 + abs(eaves) * 0.2)
        eaves_end = (eaves, -31 - abs(eaves) * 0.12)
        brush.line([ridge_end, eaves_end], 2, THATCH_LINE, clip=thatch)
    fold = quadratic((-34, -60), (0, -48), (34, -60))
    brush.line(fold, 2.6, THATCH_LIGHT, clip=thatch)
    return brush.finish(LAND_SHADE, 4, 5)


@cached(32)
def draw_ship(size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """Draw a voyaging canoe that belongs to no seat.

    It has a dark hull with teeth and a cream crab-claw sail between two spars.
    """
    brush = Brush(132, 126, size / 116, at=(66, 58))
    mast_foot, left_tip, right_tip = (-4, 28), (-26, -48), (42, -40)
    left_spar = quadratic(mast_foot, (-34, -4), left_tip)
    right_spar = quadratic(right_tip, (36, 2), mast_foot)
    sail = chain(left_spar, quadratic(left_tip, (-2, -18), right_tip), right_spar)
    hull = chain(
        quadratic((-56, 20), (-28, 34), (4, 33)),
        quadratic((4, 33), (36, 32), (57, 14)),
        quadratic((57, 14), (46, 50), (4, 52)),
        quadratic((4, 52), (-44, 51), (-56, 20)),
    )
    brush.paint(brush.grow([sail, hull], 4.2), KEYLINE)

    cloth = brush.mask(sail)
    brush.paint(cloth, SAIL)
    # Seams run from the sagging upper edge to the foot of the mast.
    for part in SEAMS:
        x = -26 + 68 * part
        y = -48 + 8 * part + 20 * math.sin(math.pi * part)
        brush.line([(x, y), mast_foot], 2, SAIL_LINE, clip=cloth)
    brush.fill(polygon(2, -10, 12, 3, -100), EMBLEM, clip=cloth)
    brush.fill(polygon(2, -9, 5, 3, 80), SAIL)
    brush.line(left_spar, 3.6, BARK)
    brush.line(right_spar, 3.6, BARK)

    # The hull covers the foot of the mast.
    wood = brush.mask(hull)
    brush.paint(wood, DARK_WOOD)
    rail = chain(
        quadratic((-50, 28), (-20, 42), (4, 41)),
        quadratic((4, 41), (34, 40), (52, 25)),
    )
    brush.line(rail, 3.6, THATCH_LIGHT)
    for x in range(-34, 44, 13):
        tooth: Outline = [(x, 45), (x + 8, 45), (x + 4, 50.5)]
        brush.fill(tooth, THATCH_LIGHT, clip=wood)
    return brush.finish(shadow, 3, 5)


@cached(16)
def draw_lei_flower(size: int, is_white: bool) -> Sprite:
    """Draw a flower of a lei, put by its middle."""
    brush = Brush(124, 124, size / 100, at=(62, 62))
    petals = []
    for number in range(PETALS):
        degrees = -90 + 360 / PETALS * number
        angle = math.radians(degrees)
        petals.append(ellipse(24 * math.cos(angle), 24 * math.sin(angle), 23, 18, degrees))
    brush.paint(brush.grow(petals, 7), PETAL_LINE)
    colour = WHITE_PETAL if is_white else PINK_PETAL
    for petal in petals:
        brush.fill(petal, colour)
    brush.fill(ellipse(0, 0, 13), FLOWER_HEART)
    return brush.finish()


@cached(8)
def draw_volcano(size: int) -> Sprite:
    """Draw a smoking volcano with lava and a green skirt, put by the middle of its foot."""
    brush = Brush(148, 140, size / 132, at=(74, 124))
    for x, y, radius, colour in PUFFS:
        brush.fill(ellipse(x, y, radius, radius * 0.86), colour)
    cone = chain(
        quadratic((-19, -88), (-28, -56), (-64, -4)),
        [(64, -4)],
        quadratic((64, -4), (28, -54), (19, -88)),
        quadratic((19, -88), (0, -80), (-19, -88)),
    )
    brush.paint(brush.grow([cone], 3.6), KEYLINE)
    rock = brush.mask(cone)
    brush.paint(rock, SLOPE)
    brush.fill(DARK_SLOPE, SLOPE_DARK, clip=rock)
    brush.fill(LIGHT_SLOPE, SLOPE_LIGHT, clip=rock)
    brush.fill(ellipse(0, -87, 19, 6), EMBERS)
    for tongue in LAVA_TONGUES:
        brush.fill(tongue, LAVA, clip=rock)

    # Bushes at the foot. All shadows come first, so that none falls on another bush.
    skirt = []
    for number in range(SKIRT_BUSHES):
        up = 2 + number * 5 % 4
        skirt.append((-63 + number * 9, -up))
    for x, y in skirt:
        brush.fill(ellipse(x, y, 8, 6.5), JUNGLE)
    for x, y in skirt:
        brush.fill(ellipse(x - 1.5, y - 2, 5.5, 4.4), FOREST)
    return brush.finish()


@cached(8)
def draw_mountain(size: int) -> Sprite:
    """Draw a peak of the printed islands, put by the middle of its foot."""
    brush = Brush(112, 92, size / 100, at=(56, 84))
    ridge = [
        (-50.0, 0.0),
        (-20.0, -52.0),
        (-6.0, -74.0),
        (6.0, -76.0),
        (19.0, -56.0),
        (50.0, 0.0),
    ]
    lit_side: Outline = [
        (-50, 0),
        (-20, -52),
        (-6, -74),
        (6, -76),
        (0, -44),
        (7, -26),
        (-4, 0),
    ]
    tip: Outline = [
        (-13, -64),
        (-6, -74),
        (6, -76),
        (14, -63),
        (6, -56),
        (0, -62),
        (-6, -54),
    ]
    brush.paint(brush.grow([ridge], 2.4), darker(JUNGLE, 0.35))
    rock = brush.mask(ridge)
    brush.paint(rock, PEAK_DARK)
    brush.fill(lit_side, PEAK, clip=rock)
    brush.fill(tip, PEAK_TIP, clip=rock)
    return brush.finish()


@cached(8)
def draw_bush(size: int, colour: Colour) -> Sprite:
    """Draw a bush of the printed islands, put by its middle."""
    brush = Brush(3, 2.6, size, at=(1.5, 1.4))
    shade = darker(JUNGLE, 0.3)
    for right, down, radius in BUSH_BALLS:
        brush.fill(ellipse(right, down + 0.16, radius, radius * 0.88), shade)
    for right, down, radius in BUSH_BALLS:
        brush.fill(ellipse(right, down, radius, radius * 0.84), colour)
    return brush.finish()


@cached(16)
def draw_frame(width: int, height: int, wood: int) -> Sprite:
    """Draw a wooden frame of that thickness around a dark box, put by the box's upper left."""
    edge = wood + 2
    corner = wood * 0.9

    def draw(width: int, height: int) -> Sprite:
        brush = Brush(width + 2 * wood + 6, height + 2 * wood + 8, at=(edge, edge))

        def box(margin: float, radius: float = 0, right: float = 0, down: float = 0) -> Outline:
            """Return the box with a margin, its right and lower edge moved a little farther."""
            across, high = width + margin + right, height + margin + down
            return rectangle(-margin, -margin, across, high, radius)

        brush.fill(box(edge, wood, down=3), FRAME_SHADOW)
        # The dark wood is seen only where the light wood ends short of it: below and to the right.
        brush.fill(box(wood, corner), DARK_WOOD)
        brush.fill(box(wood, corner, right=-1.6, down=-2.2), WOOD)
        brush.ring(box(wood / 2, wood * 0.4), 1.4, DARK_WOOD)
        brush.fill(box(1.6), FRAME_GROUND)
        return brush.finish()

    return draw_box(draw, width, height, 2 * edge)


@cached(4)
def draw_no_entry_sign(size: int) -> Sprite:
    """Draw a red disc with a bar: no way through."""
    brush = Brush(112, 112, size / 100, at=(56, 56))
    brush.fill(ellipse(0, 0, 50), NO_ENTRY_RIM)
    brush.fill(ellipse(0, 0, 44), DEADLY)
    brush.fill(rectangle(-28, -9, 28, 9, 3), CREAM)
    return brush.finish()


@cached(8)
def draw_pill(width: int, height: int) -> Sprite:
    """Draw a paper label with an ink line, put by its middle."""
    brush = Brush(width + 4, height + 4, at=(width // 2 + 2, height // 2 + 2))
    right, bottom = width / 2, height / 2
    line = PILL_LINE
    inked = rectangle(-right - line, -bottom - line, right + line, bottom + line, bottom + line)
    brush.fill(inked, INK)
    brush.fill(rectangle(-right, -bottom, right, bottom, bottom), lighter(CREAM, 0.2))
    return brush.finish()
