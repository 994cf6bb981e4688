"""Outlines as lists of points: curves, hexes, the seats' shapes."""

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Outline = list[Point]


def quadratic(start: Point, bend: Point, end: Point, steps: int = 14) -> Outline:
    """A curve pulled towards one point."""
    return [_blend(i / steps, (start, bend, end)) for i in range(steps + 1)]


def cubic(start: Point, first: Point, second: Point, end: Point, steps: int = 16) -> Outline:
    """A curve pulled towards two points."""
    return [_blend(i / steps, (start, first, second, end)) for i in range(steps + 1)]


def chain(*curves: Outline) -> Outline:
    """Curves one after the other as one outline."""
    return [point for curve in curves for point in curve]


def smooth(points: Sequence[Point], steps: int = 8) -> Outline:
    """A closed Catmull-Rom curve through all the points."""
    found: Outline = []
    count = len(points)
    for i, start in enumerate(points):
        # From a point to the next; the two around them say in which direction the curve comes and
        # goes.
        before = points[i - 1]
        end = points[(i + 1) % count]
        after = points[(i + 2) % count]
        across, down = zip(before, start, end, after, strict=True)
        for step in range(steps):
            t = step / steps
            found.append((_spline(across, t), _spline(down, t)))
    return found


def ellipse(
    x: float,
    y: float,
    across: float,
    down: float | None = None,
    turn: float = 0,
    start: float = 0,
    end: float = 360,
) -> Outline:
    """An ellipse, or the part of it between two angles, by its centre and radii."""
    down = across if down is None else down
    steps = 48
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    level = [(across * math.cos(angle), down * math.sin(angle)) for angle in angles]
    return turned(level, turn, (x, y))


def polygon(x: float, y: float, radius: float, corners: int, turn: float = -90) -> Outline:
    """A regular polygon, a corner pointing up."""
    angles = (math.radians(turn + 360 * i / corners) for i in range(corners))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


def star(x: float, y: float, outer: float, inner: float, rays: int = 5) -> Outline:
    """A star, a ray pointing up."""
    found: Outline = []
    for i in range(2 * rays):
        # Tips and the notches between them, by turns.
        radius = inner if i % 2 else outer
        angle = math.radians(-90 + 180 * i / rays)
        found.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return found


def rectangle(left: float, top: float, right: float, bottom: float, radius: float = 0) -> Outline:
    """A rectangle with round corners."""
    if radius <= 0:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    # A quarter of a circle in each corner, clockwise from the upper right one.
    return chain(
        ellipse(right - radius, top + radius, radius, start=-90, end=0),
        ellipse(right - radius, bottom - radius, radius, start=0, end=90),
        ellipse(left + radius, bottom - radius, radius, start=90, end=180),
        ellipse(left + radius, top + radius, radius, start=180, end=270),
    )


def hexagon(x: float, y: float, across: float, side: float, grow: float = 1) -> Outline:
    """A hex with a corner at the top, by its width and the length of its upright sides."""
    half, rise = across / 2 * grow, side / 2 * grow
    # Clockwise from the top. A hex is twice as high as its upright sides: its top lies two rises
    # above the middle.
    corners = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    return [(x + right * half, y + down * rise) for right, down in corners]


def tapered(
    spine: Sequence[Point], start: float, end: float, middle: float | None = None
) -> Outline:
    """A stroke along a spine whose width changes on the way."""
    left, right = [], []
    last = len(spine) - 1
    for i, (x, y) in enumerate(spine):
        t = i / last
        if middle is None:
            wide = start + (end - start) * t
        elif t < 0.5:
            wide = start + (middle - start) * 2 * t
        else:
            wide = middle + (end - middle) * (2 * t - 1)
        half = wide / 2
        # The two edges lie across the direction from the point before to the point after.
        before, after = spine[max(0, i - 1)], spine[min(last, i + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return left + right[::-1]


def turned(points: Sequence[Point], angle: float, to: Point = (0, 0), scale: float = 1) -> Outline:
    """Points turned about the origin, enlarged and moved."""
    cos = math.cos(math.radians(angle)) * scale
    sin = math.sin(math.radians(angle)) * scale
    return [(to[0] + x * cos - y * sin, to[1] + x * sin + y * cos) for x, y in points]


def seat_shape(shape: str, x: float, y: float, size: float) -> Outline:
    """A seat's shape around a point; all five look equally heavy."""
    match shape:
        case "disc":
            return ellipse(x, y, size * 0.92)
        case "triangle":
            half, foot = size * 1.08, y + size * 0.82
            return [(x, y - size * 1.02), (x + half, foot), (x - half, foot)]
        case "square":
            half = size * 0.84
            return rectangle(x - half, y - half, x + half, y + half)
        case "diamond":
            half, rise = size * 0.9, size * 1.18
            return [(x, y - rise), (x + half, y), (x, y + rise), (x - half, y)]
    return star(x, y + size * 0.06, size * 1.2, size * 0.52)


def _blend(t: float, points: Sequence[Point]) -> Point:
    """A point of a Bézier curve, by de Casteljau: the lines between the points are cut at t
    until one is left.
    """
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)]
    return points[0]


def _spline(p: Sequence[float], t: float) -> float:
    """One coordinate of a Catmull-Rom curve between the second and third of four points."""
    a = -p[0] + 3 * p[1] - 3 * p[2] + p[3]
    b = 2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]
    return 0.5 * (2 * p[1] + (p[2] - p[0]) * t + b * t * t + a * t * t * t)
