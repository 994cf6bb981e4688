"""Sprites that only Polynesia has: fish and turtles, masks, tokens, lava stones, the volcano.

Each is drawn in hundredths of its size around its middle, points right and down from there: first
all of it grown and dark, which leaves a line around the outside, then its parts from the back to
the front. `size` is in pixels; with `shadow=None` a sprite casts none, as on paper.
"""

import math
from collections.abc import Callable

from render.canvas import Brush, Sprite, cached
from render.fonts import Face, label
from render.items import shell
from render.palette import (
    ACTIVE,
    AGED_PAPER,
    BARK,
    CREAM,
    DARK_WOOD,
    DEADLY,
    FOAM,
    FOREST,
    GLOW,
    JUNGLE,
    KEYLINE,
    LAND_SHADE,
    PAPER,
    SAND,
    WHITE,
    WOOD,
    Colour,
    darker,
    lighter,
    rgb,
)
from render.pieces import overlay, paint_wood
from render.shapes import (
    Outline,
    chain,
    cubic,
    ellipse,
    polygon,
    quadratic,
    rectangle,
    smooth,
    tapered_stroke,
    transform,
)

ORANGE, DARK_ORANGE, PALE_ORANGE = rgb("#F79A2C"), rgb("#D9701A"), rgb("#FFD07A")
TURTLE, DARK_TURTLE, PALE_TURTLE = rgb("#3E9B4F"), rgb("#1F6B3A"), rgb("#8CCB62")
TEAL, OCHRE = rgb("#1F8A8F"), rgb("#E08A2E")
MASK_RIM, TOKEN_RIM = rgb("#2E8B57"), rgb("#E8862B")
LAVA, BRIGHT_LAVA, ASH = rgb("#F0582A"), rgb("#FFC24A"), rgb("#D9DCD6")
EMBERS, SMOKE = rgb("#7A1E0E"), rgb("#5B6468")
ROCK, ROCK_SHADE, ROCK_LIGHT = rgb("#7A5546"), rgb("#5B3F38"), rgb("#94705C")
STONES = {"red": DEADLY, "grey": rgb("#9B9A96"), "black": rgb("#33302F")}
SOCKETS = {"red": rgb("#C98A6E"), "grey": rgb("#B3A88C"), "black": rgb("#7D705C")}


def _start_brush(size: int) -> Brush:
    """Return a brush of a hundred units with room around them for line and shadow."""
    return Brush(120, 128, size / 100, at=(60, 60))


@cached(32)
def draw_fish(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a fish that looks left, with two pale bands."""
    brush = _start_brush(size)
    body = chain(
        quadratic((-50, 4), (-12, -46), (26, 0), 18),
        quadratic((26, 0), (-10, 44), (-50, 4), 18),
    )
    tail = chain(
        quadratic((18, 0), (36, -8), (48, -28)),
        quadratic((48, -28), (42, 0), (50, 28)),
        [(34, 10), (18, 4)],
    )
    upper_fin: Outline = [(-12, -18), (4, -36), (16, -12)]
    lower_fin: Outline = [(-8, 18), (2, 34), (12, 12)]
    brush.paint(brush.grow([body, tail, upper_fin, lower_fin], 4.6), KEYLINE)
    for part in (tail, upper_fin, lower_fin):
        brush.fill(part, DARK_ORANGE)
    area = brush.mask(body)
    brush.paint(area, ORANGE)
    brush.fill(ellipse(-14, 18, 38, 13), PALE_ORANGE, clip=area)
    for x in (-12, 8):
        brush.line(quadratic((x, -30), (x + 8, 0), (x - 2, 30)), 6, CREAM, clip=area)
    brush.fill(ellipse(-31, -3, 6), KEYLINE)
    brush.fill(ellipse(-32.5, -5, 2.4), WHITE)
    return brush.finish(shadow, 2, 5)


FLIPPER = [
    (0.0, -9.0),
    (16.0, -16.0),
    (34.0, -8.0),
    (36.0, 2.0),
    (18.0, 6.0),
    (0.0, 9.0),
]
FLIPPERS = (
    (18, -14, -38, 0.95),
    (-18, -14, 218, 0.95),
    (17, 22, 42, 0.62),
    (-17, 22, 138, 0.62),
)
"""Where each flipper begins, its direction and its size: the front ones are larger."""


@cached(32)
def draw_turtle(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a turtle seen from above."""
    brush = _start_brush(size)
    limbs = [transform(FLIPPER, angle, (x, y), scale) for x, y, angle, scale in FLIPPERS]
    head, back = ellipse(0, -39, 11, 13), ellipse(0, 5, 28, 34)
    brush.paint(brush.grow([*limbs, head, back], 4.2), KEYLINE)
    for part in (*limbs, head):
        brush.fill(part, PALE_TURTLE)
    # The plates of its back: one in the middle, six around it.
    brush.fill(back, DARK_TURTLE)
    brush.fill(polygon(0, 5, 12, 6), TURTLE)
    for angle in range(-60, 300, 60):
        x = 20 * math.cos(math.radians(angle))
        y = 5 + 24 * math.sin(math.radians(angle))
        brush.fill(ellipse(x, y, 6.6, 7.6), TURTLE)
    for x in (-5, 5):
        brush.fill(ellipse(x, -43, 2.4), KEYLINE)
    return brush.finish(shadow, 2, 5)


@cached(32)
def draw_mask(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a carved shield with eyes: bands and triangles, nobody's face."""
    brush = _start_brush(size)
    shield = smooth(
        [
            (0, -48),
            (26, -44),
            (34, -14),
            (26, 20),
            (0, 49),
            (-26, 20),
            (-34, -14),
            (-26, -44),
        ],
        8,
    )
    brush.paint(brush.grow([shield], 4.6), KEYLINE)
    area = brush.mask(shield)
    brush.paint(area, TEAL)
    brush.fill(rectangle(-40, -50, 40, -25), OCHRE, clip=area)
    for x in range(-36, 36, 18):
        brush.fill(
            [
                (x, -25),
                (x + 9, -40),
                (x + 18, -25),
            ],
            BARK,
            clip=area,
        )
    brush.fill(
        [
            (-7, -24),
            (7, -24),
            (11, 14),
            (0, 20),
            (-11, 14),
        ],
        OCHRE,
        clip=area,
    )
    for x in (-18, 18):
        brush.fill(ellipse(x, -8, 11, 9.5), CREAM)
        brush.fill(ellipse(x, -8, 5), KEYLINE)
    brush.fill(
        [
            (-17, 24),
            (17, 24),
            (0, 40),
        ],
        BARK,
        clip=area,
    )
    for x in (-9, 0, 9):
        brush.fill(
            [
                (x - 4, 24),
                (x + 4, 24),
                (x, 31),
            ],
            CREAM,
        )
    return brush.finish(shadow, 2, 5)


@cached(32)
def draw_free_ship(size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a canoe with a cream sail that belongs to no seat."""
    brush = _start_brush(size)
    hull = chain(
        cubic((-48, 16), (-26, 34), (26, 34), (48, 14)),
        quadratic((48, 14), (34, 46), (0, 46)),
        quadratic((0, 46), (-34, 46), (-48, 16)),
    )
    paint_wood(brush, [hull], DARK_WOOD, side=2, line=4, glossy=False)
    sail = chain(
        quadratic((-6, 20), (-34, -8), (-27, -46)),
        quadratic((-27, -46), (-4, -18), (37, -38)),
        quadratic((37, -38), (31, 0), (-6, 20)),
    )
    paint_wood(brush, [sail], CREAM, side=2, line=4, glossy=False)
    brush.fill(
        [
            (-8.0, -8.0),
            (1.0, -22.0),
            (10.0, -8.0),
        ],
        DEADLY,
    )
    return brush.finish(shadow, 2, 5)


FACES: dict[str, tuple[Callable[..., Sprite], float]] = {
    "mask": (draw_mask, 0.66),
    "turtle": (draw_turtle, 0.62),
    "fish": (draw_fish, 0.6),
    "shell": (shell, 0.58),
    "ship": (draw_free_ship, 0.62),
}
"""The picture on a token, and the share of the token that it takes."""
DISC_RESOURCE_SHARE = 0.72
"""The size of a resource, as a share of its disc."""
POINT_TEXT_SHARE = 0.62
"""The size of the number, as a share of the Point token."""


@cached(64)
def draw_token(face: str, size: int, shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw an island token: a rimmed disc with what it gives; masks have another rim."""
    draw_face, face_share = FACES[face]
    rim = MASK_RIM if face == "mask" else TOKEN_RIM
    brush = _start_brush(size)
    # A second disc a little lower makes it look thick.
    brush.fill(ellipse(0, 3, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 46), rim)
    brush.ring(ellipse(0, 0, 45), 2, lighter(rim, 0.35))
    brush.fill(ellipse(0, 0, 38), darker(rim, 0.45))
    brush.fill(ellipse(0, 0, 35.5), PAPER)
    mark = draw_face(round(size * face_share), None)
    return overlay(brush.finish(shadow, 2, 5), mark, 0, 0)


@cached(32)
def draw_resource_disc(resource: str, size: int) -> Sprite:
    """Draw the resource beside a route, on a plain disc so that it is not taken for a token."""
    draw_resource = {"fish": draw_fish, "shell": shell}[resource]
    brush = _start_brush(size)
    brush.fill(ellipse(0, 0, 50), KEYLINE)
    brush.fill(ellipse(0, 0, 43), PAPER)
    return overlay(brush.finish(), draw_resource(round(size * DISC_RESOURCE_SHARE), None), 0, 0)


@cached(16)
def draw_point_token(size: int, text: str = "1", shadow: Colour | None = LAND_SHADE) -> Sprite:
    """Draw a Point token."""
    brush = _start_brush(size)
    paint_wood(brush, [ellipse(0, 0, 42)], ACTIVE, side=5, line=5, glossy=False)
    brush.ring(ellipse(0, 0, 33), 4, DARK_WOOD)
    mark = label(text, Face.STRONG, round(size * POINT_TEXT_SHARE), BARK)
    return overlay(brush.finish(shadow, 2, 5), mark, 0, 0)


STONE = smooth(
    [
        (-38, 6),
        (-28, -24),
        (0, -38),
        (28, -28),
        (42, 0),
        (30, 28),
        (-2, 38),
        (-30, 30),
    ],
    6,
)


@cached(32)
def draw_lava_stone(colour: str, size: int) -> Sprite:
    """Draw a stone out of the bag."""
    brush = _start_brush(size)
    base = STONES[colour]
    brush.paint(brush.grow([STONE], 5), KEYLINE)
    area = brush.mask(STONE)
    brush.paint(area, base)
    shaded_side: Outline = [
        (12, -8),
        (46, 2),
        (30, 42),
        (-4, 42),
    ]
    bright_side: Outline = [
        (-28, -22),
        (0, -36),
        (12, -10),
        (-18, 0),
    ]
    brush.fill(shaded_side, darker(base, 0.3), clip=area)
    brush.fill(bright_side, lighter(base, 0.32), clip=area)
    if colour == "red":
        # Glowing, so that it is known by more than its colour.
        brush.line(
            [
                (-26, 12),
                (-8, 6),
                (4, 18),
                (24, 10),
            ],
            6,
            BRIGHT_LAVA,
            clip=area,
        )
    return brush.finish()


@cached(32)
def draw_socket(colour: str, size: int) -> Sprite:
    """Draw the place of a stone that is still in the bag."""
    brush = _start_brush(size)
    brush.fill(STONE, darker(AGED_PAPER, 0.1))
    brush.ring(STONE, 5, SOCKETS[colour])
    return brush.finish()


@cached(8)
def draw_flame(size: int) -> Sprite:
    """Draw the flame of an island that the eruption will destroy."""
    brush = Brush(100, 120, size / 100, at=(50, 60))
    outer = chain(
        quadratic((0, -50), (6, -26), (30, -8)),
        quadratic((30, -8), (46, 46), (0, 48)),
        quadratic((0, 48), (-44, 46), (-30, 4)),
        quadratic((-30, 4), (-16, -10), (-14, -26)),
        quadratic((-14, -26), (-4, -20), (0, -50)),
    )
    inner = chain(
        quadratic((2, -8), (24, 20), (14, 34)),
        quadratic((14, 34), (0, 48), (-13, 32)),
        [(-12, 16)],
    )
    brush.paint(brush.grow([outer], 5), KEYLINE)
    brush.fill(outer, LAVA)
    brush.fill(inner, BRIGHT_LAVA)
    return brush.finish()


@cached(16)
def draw_volcano(size: int, is_erupting: bool = False) -> Sprite:
    """Draw the volcano of the Main Island, smoking, or erupting at the end."""
    brush = Brush(150, 170, size / 120, at=(75, 100))
    # What rises out of the crater comes first: the mountain stands before its foot.
    if is_erupting:
        jets = []
        for x in (-36, -14, 12, 34):
            arc = quadratic((0, -30), (x * 0.3, -74), (x, -66 + abs(x) * 0.5))
            jets.append(tapered_stroke(arc, 15, 5))
        brush.paint(brush.grow(jets, 4), EMBERS)
        for jet in jets:
            brush.fill(jet, LAVA)
        brush.line([(0, -34), (1, -66)], 7, BRIGHT_LAVA)
    else:
        puffs = [
            ellipse(-12, -54, 14, 11),
            ellipse(8, -58, 17, 13),
            ellipse(24, -68, 12, 10),
            ellipse(-4, -68, 13, 10),
        ]
        brush.paint(brush.grow(puffs, 3.4), SMOKE)
        for puff in puffs:
            brush.fill(puff, ASH)
        brush.fill(ellipse(6, -62, 11, 6), FOAM)
    _draw_mountain(brush, is_erupting)
    return brush.finish()


def _draw_mountain(brush: Brush, is_erupting: bool) -> None:
    """Draw the cone with its lava and the bushes at its foot."""
    left = cubic((-60, 46), (-38, 26), (-30, -18), (-19, -36))
    right = cubic((19, -36), (30, -18), (38, 26), (60, 46))
    cone = chain(
        left,
        [
            (-10, -32),
            (0, -36),
            (10, -31),
            (19, -36),
        ],
        right,
    )
    brush.paint(brush.grow([cone], 3.6), KEYLINE)
    area = brush.mask(cone)
    brush.paint(area, ROCK)
    shaded_side: Outline = [
        (8, -40),
        (64, 50),
        (14, 50),
        (22, 10),
    ]
    bright_side: Outline = [
        (-22, -40),
        (-62, 50),
        (-40, 50),
        (-20, 4),
    ]
    brush.fill(shaded_side, ROCK_SHADE, clip=area)
    brush.fill(bright_side, ROCK_LIGHT, clip=area)
    crater = ellipse(0, -35, 18, 5)
    brush.fill(crater, EMBERS, clip=area)

    # Three tongues of lava run down from the crater, each with a bright core. In an eruption they
    # are broader and one is longer.
    wide = 15 if is_erupting else 10
    last_end = (28, 40) if is_erupting else (20, 2)
    ends = ((-15, 34), (11, 18), last_end)
    for x, y in ends:
        start, first, second = (
            (x * 0.35, -36),
            (x * 0.2, -14),
            (
                x * 1.2,
                0,
            ),
        )
        tongue = tapered_stroke(cubic(start, first, second, (x, y)), wide, wide * 0.55)
        brush.fill(tongue, LAVA, clip=area)
        core = tapered_stroke(cubic(start, first, second, (x, y - 6)), wide * 0.4, 2)
        brush.fill(core, BRIGHT_LAVA, clip=area)

    # Bushes at its foot, alternately higher and lower.
    for x in range(-56, 60, 14):
        high = 46 + (x // 14 % 2) * 4
        brush.fill(ellipse(x, high, 11, 8), JUNGLE)
        brush.fill(ellipse(x - 1, high - 2, 8.6, 5.6), FOREST)


@cached(8)
def draw_archipelago(size: int) -> Sprite:
    """Draw an archipelago: two islands within one outline."""
    brush = _start_brush(size)
    brush.fill(ellipse(0, 0, 56, 38), KEYLINE)
    brush.fill(ellipse(0, 0, 52, 34), GLOW)
    for x, y in ((-20, -5), (21, 6)):
        brush.fill(ellipse(x, y, 18, 14), SAND)
        brush.fill(ellipse(x, y, 12, 8.6), FOREST)
    return brush.finish()


@cached(8)
def draw_compass(size: int) -> Sprite:
    """Draw a wind rose for the open sea."""
    brush = Brush(112, 112, size / 100, at=(56, 56))
    for radius, width in ((48, 2.2), (41, 1.2)):
        brush.ring(ellipse(0, 0, radius), width, WOOD)
    # Four short rays, then four long ones over them; each has a bright and a dark half.
    for turn, length, right_colour, left_colour in (
        (45, 30, WOOD, DARK_WOOD),
        (0, 46, PAPER, WOOD),
    ):
        waist = length * 0.16
        for quarter in range(4):
            angle = turn + 90 * quarter
            right_half: Outline = [(0, 0), (waist, -waist), (0, -length)]
            left_half: Outline = [(0, 0), (-waist, -waist), (0, -length)]
            brush.fill(transform(right_half, angle), right_colour)
            brush.fill(transform(left_half, angle), left_colour)
    brush.fill(ellipse(0, 0, 5), BARK)
    return brush.finish()


@cached(8)
def draw_first_marker(size: int) -> Sprite:
    """Draw the Starting Player token: a conch-coloured flag."""
    brush = _start_brush(size)
    pole = tapered_stroke([(-24, 46), (-24, -44)], 9, 9)
    paint_wood(brush, [pole], WOOD, side=0, line=4.6, glossy=False)
    flag = chain(
        quadratic((-20, -42), (8, -54), (42, -32)),
        quadratic((42, -32), (18, -18), (-20, -2)),
    )
    paint_wood(brush, [flag], DEADLY, side=0, line=4.6, glossy=False)
    return brush.finish()


@cached(16)
def draw_track_icon(space: str, size: int) -> Sprite:
    """Draw the sign of a maintenance step on the Phase Track."""
    if space == "volcano":
        return draw_volcano(round(size * 0.9))
    if space == "start":
        return draw_first_marker(round(size * 0.95))
    # Decline is an arrow down, Resources an arrow up.
    is_down = space == "decline"
    arrow: Outline = [
        (-13, 38),
        (-13, 0),
        (-36, 0),
        (0, -40),
        (36, 0),
        (13, 0),
        (13, 38),
    ]
    if is_down:
        arrow = [(x, -y) for x, y in arrow]
    brush = _start_brush(size)
    brush.paint(brush.grow([arrow], 7), KEYLINE)
    brush.fill(arrow, DEADLY if is_down else TURTLE)
    return brush.finish()
