"""What grows and lies about: palms, tufts, peaks, stone circles, waves, the hibiscus of the last
move.
"""

import math

from render.canvas import Brush, Sprite, kept
from render.palette import FOREST, JUNGLE, LAST, LAST_CASING, ROCK, SAND, Colour, lighter, mix, rgb
from render.shapes import chain, cubic, ellipse, polygon, quadratic, tapered

FRONDS = (
    (-168, 44, 26),
    (-132, 40, 16),
    (-92, 34, 8),
    (-52, 40, 14),
    (-14, 42, 24),
    (22, 36, 24),
    (158, 38, 26),
)
"""Angle, length and droop."""
DARK_TUFT = rgb("#2F5A37")
BUSHES = ((-0.55, 0.25, 0.62), (0.55, 0.28, 0.6), (0.0, -0.2, 0.78))
"""The balls of a bush: right, down and radius, the front one last."""


@kept(32)
def palm(size: int, lean: int) -> Sprite:
    """A palm, put by its foot, leaning left (-1) or right (1)."""
    brush = Brush(120, 130, size / 120, at=(60, 122))
    spine = [(x * lean, y) for x, y in cubic((-4, 0), (-12, -28), (-4, -52), (10, -74))]
    top = spine[-1]
    trunk = tapered(spine, 11, 6.5)
    fronds = [_frond(top, angle, length, droop, lean) for angle, length, droop in FRONDS]
    brush.paint(brush.grown([trunk, *fronds], 3.4), rgb("#12301F"))
    brush.fill(trunk, rgb("#B4834A"))
    for frond, (angle, _, _) in zip(fronds, FRONDS, strict=True):
        # Fronds that point up have the sun on them.
        height = max(0.0, -math.sin(math.radians(angle)))
        brush.fill(frond, mix(rgb("#2F7A36"), rgb("#6BBB48"), height))
    # Coconuts below the crown.
    for right, down in ((-5, 4), (5, 5), (0, 9)):
        brush.fill(ellipse(top[0] + right, top[1] + down, 4.6), rgb("#6E421B"))
    return brush.done()


def _frond(
    top: tuple[float, float], angle: float, length: float, droop: float, lean: int
) -> list[tuple[float, float]]:
    """A leaf that bends down under its weight: narrow at both ends, broad in the middle."""
    x, y = top
    across = math.cos(math.radians(angle)) * lean
    up = math.sin(math.radians(angle))
    bend = (x + across * length * 0.55, y + up * length * 0.62 - 4)
    tip = (x + across * length, y + up * length * 0.72 + droop * 0.72)
    return tapered(quadratic(top, bend, tip, 12), start=4, end=1.2, middle=15)


@kept(32)
def tuft(radius: int, colour: Colour) -> Sprite:
    """A bush of three balls."""
    brush = Brush(3.2, 3.2, radius, at=(1.6, 1.6))
    # All shades before all balls, or the shade of one would lie on the next.
    for right, down, size in BUSHES:
        brush.fill(ellipse(right, down + 0.22, size, size * 0.9), DARK_TUFT)
    for right, down, size in BUSHES:
        brush.fill(ellipse(right, down, size, size * 0.88), colour)
    return brush.done()


TUFTS = (FOREST, mix(FOREST, JUNGLE, 0.6))


@kept(16)
def stone_circle(size: int) -> Sprite:
    """A ring of stones on sand, where an item lies."""
    brush = Brush(118, 118, size / 100, at=(59, 58))
    brush.fill(ellipse(0, 1, 40, 37), SAND)
    count = 10
    for i in range(count):
        angle = math.tau * (i + 0.5) / count
        x, y = 41 * math.cos(angle), 38 * math.sin(angle)
        radius = 9.6 + (i * 7 % 5) * 0.45  # no two neighbours alike
        brush.fill(ellipse(x, y, radius + 1.2, radius * 0.84 + 1.2), rgb("#3B3832"))
        brush.fill(ellipse(x, y, radius, radius * 0.84), ROCK)
        brush.fill(ellipse(x - 1, y - 1.6, radius * 0.7, radius * 0.55), rgb("#C4BEB1"))
    return brush.done()


@kept(8)
def wave(size: int, colour: Colour) -> Sprite:
    """A stroke of foam on open water."""
    brush = Brush(34, 14, size / 30, at=(17, 7))
    stroke = chain(
        quadratic((-14, 3), (-9, -3), (-4, 2)),
        quadratic((-4, 2), (2, -3), (6, 2)),
        quadratic((6, 2), (10, -1), (14, 2)),
    )
    brush.line(stroke, 1.9, colour)
    return brush.done()


@kept(8)
def hibiscus(size: int) -> Sprite:
    """The flower that marks the last move."""
    brush = Brush(124, 124, size / 100, at=(62, 62))
    angles = [-90 + 72 * i for i in range(5)]
    centres = polygon(0, 0, 23, 5)
    petals = [ellipse(x, y, 22, 17, angle) for (x, y), angle in zip(centres, angles, strict=True)]
    brush.paint(brush.grown(petals, 5), LAST_CASING)
    for petal in petals:
        brush.fill(petal, LAST)
    for x, y in centres:
        brush.line([(x * 0.4, y * 0.4), (x * 1.3, y * 1.3)], 3, lighter(LAST, 0.5))
    brush.fill(ellipse(0, 0, 11), rgb("#FFD94A"))
    return brush.done()
