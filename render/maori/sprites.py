"""What stands and lies on the tiles of Maori, and the woodwork around them."""

import math

from render.canvas import Brush, Sprite, kept
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
from render.shapes import Outline, Point, chain, cubic, ellipse, polygon, quadratic, rectangle, tapered

TRUNK, TRUNK_RING = rgb("#B98A4E"), rgb("#7F5529")
LEAF_DARK, LEAF_LIGHT, LEAF_RIB, LEAF_LINE = rgb("#2F7A36"), rgb("#5FAE3F"), rgb("#A9D66A"), rgb("#12301F")
FRONDS = ((158, 39, 25), (22, 37, 24), (-168, 45, 25), (-14, 43, 23), (-132, 41, 15), (-52, 41, 13), (-92, 34, 7))
"""Angle, length and droop; those behind come first."""
THATCH, THATCH_LINE, THATCH_LIGHT = rgb("#D8A24A"), rgb("#976327"), rgb("#F0CC7E")
WALL = rgb("#E3BD80")
SAIL, SAIL_LINE, EMBLEM = rgb("#FFF3DC"), rgb("#D8BE8C"), rgb("#C0392B")
PINK_PETAL, WHITE_PETAL = rgb("#F77FB0"), rgb("#FFF3EE")
PETAL_LINE = rgb("#6B0F3A")
SLOPE, SLOPE_DARK, SLOPE_LIGHT = rgb("#7A5D4C"), rgb("#4F3B33"), rgb("#9C7B63")
LAVA, EMBERS = rgb("#FF9A33"), rgb("#E2502B")
SMOKE, SMOKE_LIGHT = rgb("#C9CFCE"), rgb("#ECEDE9")
PUFFS = ((16, -112, 13, SMOKE), (-14, -108, 13, SMOKE), (28, -120, 9, SMOKE), (0, -114, 15, SMOKE_LIGHT))
PEAK, PEAK_DARK, PEAK_TIP = rgb("#8CA870"), rgb("#4F6D4A"), rgb("#EFE7CB")


@kept(32)
def palm(size: int, lean: int) -> Sprite:
    """A palm, put by its foot, leaning left (-1) or right (1)."""
    brush = Brush(118, 132, size / 118, at=(59, 122))
    spine = [(x * lean, y) for x, y in cubic((-5, 0), (-12, -28), (-6, -52), (8, -76))]
    top = spine[-1]
    trunk = tapered(spine, 12, 7)
    curves = [_frond(top, angle, length, droop, lean) for angle, length, droop in FRONDS]
    leaves = [tapered(curve, 4, 1.4, middle=16) for curve in curves]
    brush.paint(brush.grown([trunk, *leaves], 3.6), LEAF_LINE)
    brush.fill(trunk, TRUNK)
    clip = brush.mask(trunk)
    for x, y in spine[2:-1:3]:
        brush.line([(x - 7, y + 1.5), (x + 7, y - 1.5)], 2.4, TRUNK_RING, clip=clip)
    for leaf, curve, (angle, _, _) in zip(leaves, curves, FRONDS, strict=True):
        height = max(0.0, -math.sin(math.radians(angle)))
        brush.fill(leaf, mix(LEAF_DARK, LEAF_LIGHT, 0.2 + 0.8 * height))
        brush.line(curve[2:-2], 2, mix(LEAF_DARK, LEAF_RIB, 0.45 + 0.55 * height))
    for right, down in ((-5, 4), (5, 5), (0, 9)):
        brush.fill(ellipse(top[0] + right, top[1] + down, 4.8), BARK)
    return brush.done(LAND_SHADE, 3, 4)


def _frond(top: Point, angle: float, length: float, droop: float, lean: int) -> Outline:
    across, up = math.cos(math.radians(angle)) * lean, math.sin(math.radians(angle))
    bend = (top[0] + across * length * 0.55, top[1] + up * length * 0.62 - 4)
    tip = (top[0] + across * length, top[1] + up * length * 0.72 + droop * 0.72)
    return quadratic(top, bend, tip, 12)


@kept(32)
def hut(size: int) -> Sprite:
    """A hut of nobody, put by the middle of its floor."""
    brush = Brush(124, 124, size / 112, at=(62, 108))
    wall = [(-30.0, -46.0), (30.0, -46.0), (28.0, 0.0), (-28.0, 0.0)]
    roof = chain(
        quadratic((-12, -92), (0, -106), (12, -92)),
        quadratic((12, -92), (31, -56), (51, -40)),
        quadratic((51, -40), (26, -31), (0, -31)),
        quadratic((0, -31), (-26, -31), (-51, -40)),
        quadratic((-51, -40), (-31, -56), (-12, -92)),
    )
    brush.paint(brush.grown([wall, roof], 4), KEYLINE)
    brush.fill(wall, WALL)
    for x in (-21, -14, 14, 21):
        brush.line([(x, -32), (x, 0)], 1.8, mix(WALL, BARK, 0.35))
    brush.fill(chain([(-10, 0), (-10, -18)], quadratic((-10, -18), (0, -32), (10, -18)), [(10, 0)]), BARK)
    face = brush.mask(roof)
    brush.paint(face, THATCH)
    for end in range(-48, 49, 12):
        brush.line([(end * 0.2, -96 + abs(end) * 0.2), (end, -31 - abs(end) * 0.12)], 2, THATCH_LINE, clip=face)
    brush.line(quadratic((-34, -60), (0, -48), (34, -60)), 2.6, THATCH_LIGHT, clip=face)
    return brush.done(LAND_SHADE, 4, 5)


def _hull() -> Outline:
    return chain(
        quadratic((-56, 20), (-28, 34), (4, 33)),
        quadratic((4, 33), (36, 32), (57, 14)),
        quadratic((57, 14), (46, 50), (4, 52)),
        quadratic((4, 52), (-44, 51), (-56, 20)),
    )


@kept(32)
def ship(size: int, shadow: Colour | None = SEA_SHADE) -> Sprite:
    """A voyaging canoe of no seat: a dark hull with teeth, a cream crab-claw sail between two spars."""
    brush = Brush(132, 126, size / 116, at=(66, 58))
    luff = quadratic((-4, 28), (-34, -4), (-26, -48))
    foot = quadratic((42, -40), (36, 2), (-4, 28))
    sail = chain(luff, quadratic((-26, -48), (-2, -18), (42, -40)), foot)
    hull = _hull()
    brush.paint(brush.grown([sail, hull], 4.2), KEYLINE)
    face = brush.mask(sail)
    brush.paint(face, SAIL)
    for share in (0.25, 0.5, 0.75):
        x, y = -26 + 68 * share, -48 + 8 * share + 20 * math.sin(math.pi * share)
        brush.line([(x, y), (-4, 28)], 2, SAIL_LINE, clip=face)
    brush.fill(polygon(2, -10, 12, 3, -100), EMBLEM, clip=face)
    brush.fill(polygon(2, -9, 5, 3, 80), SAIL)
    brush.line(luff, 3.6, BARK)
    brush.line(foot, 3.6, BARK)
    deck = brush.mask(hull)
    brush.paint(deck, DARK_WOOD)
    brush.line(
        chain(quadratic((-50, 28), (-20, 42), (4, 41)), quadratic((4, 41), (34, 40), (52, 25))), 3.6, THATCH_LIGHT
    )
    for x in range(-34, 44, 13):
        brush.fill([(x, 45), (x + 8, 45), (x + 4, 50.5)], THATCH_LIGHT, clip=deck)
    return brush.done(shadow, 3, 5)


@kept(16)
def flower(size: int, is_white: bool) -> Sprite:
    """A flower of a lei."""
    brush = Brush(124, 124, size / 100, at=(62, 62))
    angles = [-90 + 72 * i for i in range(5)]
    petals = [ellipse(24 * math.cos(math.radians(a)), 24 * math.sin(math.radians(a)), 23, 18, a) for a in angles]
    brush.paint(brush.grown(petals, 7), PETAL_LINE)
    for petal in petals:
        brush.fill(petal, WHITE_PETAL if is_white else PINK_PETAL)
    brush.fill(ellipse(0, 0, 13), rgb("#F2B63A"))
    return brush.done()


@kept(8)
def volcano(size: int) -> Sprite:
    """A cone with two tongues of lava, smoke above, a green skirt, put by the middle of its foot."""
    brush = Brush(148, 140, size / 132, at=(74, 124))
    for x, y, radius, colour in PUFFS:
        brush.fill(ellipse(x, y, radius, radius * 0.86), colour)
    cone = chain(
        quadratic((-19, -88), (-28, -56), (-64, -4)),
        [(64, -4)],
        quadratic((64, -4), (28, -54), (19, -88)),
        quadratic((19, -88), (0, -80), (-19, -88)),
    )
    brush.paint(brush.grown([cone], 3.6), KEYLINE)
    face = brush.mask(cone)
    brush.paint(face, SLOPE)
    brush.fill([(2, -84), (19, -88), (30, -58), (64, -4), (14, -4), (8, -48)], SLOPE_DARK, clip=face)
    brush.fill([(-10, -78), (-20, -50), (-40, -4), (-54, -4), (-26, -54)], SLOPE_LIGHT, clip=face)
    brush.fill(ellipse(0, -87, 19, 6), EMBERS)
    for tongue in (
        [(-9, -84), (-1, -83), (-5, -64), (1, -48), (-7, -28), (-13, -28), (-9, -48), (-15, -62)],
        [(8, -84), (14, -85), (18, -64), (26, -50), (22, -38), (16, -50), (10, -64)],
    ):
        brush.fill([(float(x), float(y)) for x, y in tongue], LAVA, clip=face)
    skirt = [(-63 + i * 9, -2 - i * 5 % 4) for i in range(15)]
    for x, y in skirt:
        brush.fill(ellipse(x, y, 8, 6.5), JUNGLE)
    for x, y in skirt:
        brush.fill(ellipse(x - 1.5, y - 2, 5.5, 4.4), FOREST)
    return brush.done()


@kept(8)
def mountain(size: int) -> Sprite:
    """A peak of the printed islands, put by the middle of its foot."""
    brush = Brush(112, 92, size / 100, at=(56, 84))
    ridge = [(-50.0, 0.0), (-20.0, -52.0), (-6.0, -74.0), (6.0, -76.0), (19.0, -56.0), (50.0, 0.0)]
    brush.paint(brush.grown([ridge], 2.4), darker(JUNGLE, 0.35))
    face = brush.mask(ridge)
    brush.paint(face, PEAK_DARK)
    brush.fill([(-50, 0), (-20, -52), (-6, -74), (6, -76), (0, -44), (7, -26), (-4, 0)], PEAK, clip=face)
    brush.fill([(-13, -64), (-6, -74), (6, -76), (14, -63), (6, -56), (0, -62), (-6, -54)], PEAK_TIP, clip=face)
    return brush.done()


@kept(8)
def bush(size: int, colour: Colour) -> Sprite:
    """A bush of the printed islands."""
    brush = Brush(3, 2.6, size, at=(1.5, 1.4))
    balls = ((-0.55, 0.25, 0.62), (0.55, 0.28, 0.6), (0.0, -0.2, 0.78))
    for right, down, radius in balls:
        brush.fill(ellipse(right, down + 0.16, radius, radius * 0.88), darker(JUNGLE, 0.3))
    for right, down, radius in balls:
        brush.fill(ellipse(right, down, radius, radius * 0.84), colour)
    return brush.done()


@kept(16)
def frame(across: int, high: int, wood: int) -> Sprite:
    """A wooden frame around a box of that size, put by the box's upper left corner; the box is filled with dark."""
    brush = Brush(across + 2 * wood + 6, high + 2 * wood + 8, at=(wood + 2, wood + 2))
    outer = rectangle(-wood, -wood, across + wood, high + wood, wood * 0.9)
    brush.fill(rectangle(-wood - 2, -wood - 2, across + wood + 2, high + wood + 5, wood), rgb("#3A220E"))
    brush.fill(outer, DARK_WOOD)
    brush.fill(rectangle(-wood, -wood, across + wood - 1.6, high + wood - 2.2, wood * 0.9), WOOD)
    brush.ring(rectangle(-wood / 2, -wood / 2, across + wood / 2, high + wood / 2, wood * 0.4), 1.4, DARK_WOOD)
    brush.fill(rectangle(-1.6, -1.6, across + 1.6, high + 1.6), rgb("#0A2433"))
    return brush.done()


@kept(4)
def bar_sign(size: int) -> Sprite:
    """No way through: a red disc with a bar."""
    brush = Brush(112, 112, size / 100, at=(56, 56))
    brush.fill(ellipse(0, 0, 50), rgb("#3A0D06"))
    brush.fill(ellipse(0, 0, 44), DEADLY)
    brush.fill(rectangle(-28, -9, 28, 9, 3), CREAM)
    return brush.done()


@kept(8)
def pill(across: int, high: int) -> Sprite:
    """A paper label with an ink line, put by its middle."""
    brush = Brush(across + 4, high + 4, at=(across // 2 + 2, high // 2 + 2))
    left, top = -across / 2, -high / 2
    brush.fill(rectangle(left - 1.6, top - 1.6, left + across + 1.6, top + high + 1.6, high / 2 + 1.6), INK)
    brush.fill(rectangle(left, top, left + across, top + high, high / 2), lighter(CREAM, 0.2))
    return brush.done()
