"""Draw scenery: palms, bushes, stone circles, waves, and the hibiscus that marks the last move."""

import math

from render.canvas import Brush, Sprite, cached
from render.palette import FOREST, JUNGLE, LAST, LAST_CASING, ROCK, SAND, Colour, lighter, mix, rgb
from render.shapes import Outline, Point, chain, cubic, ellipse, polygon, quadratic, tapered_stroke

FRONDS = (
    (-168, 44, 26),
    (-132, 40, 16),
    (-92, 34, 8),
    (-52, 40, 14),
    (-14, 42, 24),
    (22, 36, 24),
    (158, 38, 26),
)
"""The fronds of a palm: angle in degrees, length and droop."""
COCONUTS = ((-5, 4), (5, 5), (0, 9))
"""Where coconuts hang, from the top of the trunk to the right and down."""
BUSH_SHADE = rgb("#2F5A37")
BUSHES = ((-0.55, 0.25, 0.62), (0.55, 0.28, 0.6), (0.0, -0.2, 0.78))
"""The balls of a bush in radii: to the right, down, and their own radius; the front one is last."""


@cached(32)
def palm(size: int, lean: int) -> Sprite:
    """Return a palm that leans to the left (-1) or right (1), put by its foot."""
    brush = Brush(120, 130, size / 120, at=(60, 122))
    right_spine = cubic((-4, 0), (-12, -28), (-4, -52), (10, -74))
    spine = [(x * lean, y) for x, y in right_spine]
    top = spine[-1]
    trunk = tapered_stroke(spine, 11, 6.5)
    fronds = [_frond(top, angle, length, droop, lean) for angle, length, droop in FRONDS]
    brush.paint(brush.grow([trunk, *fronds], 3.4), rgb("#12301F"))
    brush.fill(trunk, rgb("#B4834A"))
    for frond, (angle, _, _) in zip(fronds, FRONDS, strict=True):
        # Fronds that point up are in the sun.
        sunlight = max(0.0, -math.sin(math.radians(angle)))
        brush.fill(frond, mix(rgb("#2F7A36"), rgb("#6BBB48"), sunlight))
    for right, down in COCONUTS:
        brush.fill(ellipse(top[0] + right, top[1] + down, 4.6), rgb("#6E421B"))
    return brush.finish()


def _frond(top: Point, angle: float, length: float, droop: float, lean: int) -> Outline:
    """Return a leaf that bends under its weight, narrow at both ends and broad in the middle."""
    x, y = top
    across = math.cos(math.radians(angle)) * lean
    up = math.sin(math.radians(angle))
    bend = (x + across * length * 0.55, y + up * length * 0.62 - 4)
    tip = (x + across * length, y + up * length * 0.72 + droop * 0.72)
    return tapered_stroke(quadratic(top, bend, tip, 12), start=4, end=1.2, middle=15)


@cached(32)
def tuft(radius: int, colour: Colour) -> Sprite:
    """Return a bush of three balls, about `radius` pixels large."""
    brush = Brush(3.2, 3.2, radius, at=(1.6, 1.6))
    # All shades come first, or the shade of one ball would lie on the next.
    for right, down, size in BUSHES:
        brush.fill(ellipse(right, down + 0.22, size, size * 0.9), BUSH_SHADE)
    for right, down, size in BUSHES:
        brush.fill(ellipse(right, down, size, size * 0.88), colour)
    return brush.finish()


TUFTS = (FOREST, mix(FOREST, JUNGLE, 0.6))
"""Colours of bushes."""


STONES = 10


@cached(16)
def stone_circle(size: int) -> Sprite:
    """Return a ring of stones on sand, where an item lies."""
    brush = Brush(118, 118, size / 100, at=(59, 58))
    brush.fill(ellipse(0, 1, 40, 37), SAND)
    for number in range(STONES):
        angle = math.tau * (number + 0.5) / STONES
        x, y = 41 * math.cos(angle), 38 * math.sin(angle)
        radius = 9.6 + (number * 7 % 5) * 0.45  # neighbours differ in size
        brush.fill(ellipse(x, y, radius + 1.2, radius * 0.84 + 1.2), rgb("#3B3832"))
        brush.fill(ellipse(x, y, radius, radius * 0.84), ROCK)
        brush.fill(ellipse(x - 1, y - 1.6, radius * 0.7, radius * 0.55), rgb("#C4BEB1"))
    return brush.finish()


@cached(8)
def wave(size: int, colour: Colour) -> Sprite:
    """Return a stroke of foam on open water."""
    brush = Brush(34, 14, size / 30, at=(17, 7))
    stroke = chain(
        quadratic((-14, 3), (-9, -3), (-4, 2)),
        quadratic((-4, 2), (2, -3), (6, 2)),
        quadratic((6, 2), (10, -1), (14, 2)),
    )
    brush.line(stroke, 1.9, colour)
    return brush.finish()


PETALS = 5


@cached(8)
def hibiscus(size: int) -> Sprite:
    """Return the flower that marks the last move."""
    brush = Brush(124, 124, size / 100, at=(62, 62))
    petals = []
    centres = polygon(0, 0, 23, PETALS)
    for number, (x, y) in enumerate(centres):
        angle = -90 + 360 / PETALS * number
        petals.append(ellipse(x, y, 22, 17, angle))
    brush.paint(brush.grow(petals, 5), LAST_CASING)
    for petal in petals:
        brush.fill(petal, LAST)
    for x, y in centres:
        vein = [(x * 0.4, y * 0.4), (x * 1.3, y * 1.3)]
        brush.line(vein, 3, lighter(LAST, 0.5))
    brush.fill(ellipse(0, 0, 11), rgb("#FFD94A"))
    return brush.finish()
