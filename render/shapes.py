"""Outlines as lists of points: curves, ellipses, polygons, the shapes of the seats.

Each function returns an outline in the caller's units, with y pointing down. Angles are in degrees,
clockwise from the right.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Outline = list[Point]

ELLIPSE_STEPS = 48


def quadratic(start: Point, bend: Point, end: Point, steps: int = 14) -> Outline:
    """Return a Bézier curve that is pulled towards one point."""
    return [point_on_curve((start, bend, end), i / steps) for i in range(steps + 1)]


def cubic(start: Point, first: Point, second: Point, end: Point, steps: int = 16) -> Outline:
    """Return a Bézier curve that is pulled towards two points."""
    points = (start, first, second, end)
    return [point_on_curve(points, i / steps) for i in range(steps + 1)]


def chain(*curves: Outline) -> Outline:
    """Return several curves joined to one outline."""
    return [point for curve in curves for point in curve]


def smooth(points: Sequence[Point], steps: int = 8) -> Outline:
    """Return a closed Catmull-Rom curve through all points."""
    curve: Outline = []
    count = len(points)
    for i, start in enumerate(points):
        # The curve runs from a point to the next; the points around them give its direction at
        # either end.
        before = points[i - 1]
        end = points[(i + 1) % count]
        after = points[(i + 2) % count]
        across, down = zip(before, start, end, after, strict=True)
        for step in range(steps):
            t = step / steps
            curve.append((_catmull_rom(across, t), _catmull_rom(down, t)))
    return curve


def ellipse(
    x: float,
    y: float,
    across: float,
    down: float | None = None,
    turn: float = 0,
    start: float = 0,
    end: float = 360,
) -> Outline:
    """Return an ellipse with radii `across` and `down`, or its part from angle `start` to `end`.

    Without `down` it is a circle. `turn` rotates it about its centre.
    """
    down = across if down is None else down
    outline = []
    for i in range(ELLIPSE_STEPS + 1):
        angle = math.radians(start + (end - start) * i / ELLIPSE_STEPS)
        outline.append((across * math.cos(angle), down * math.sin(angle)))
    return transform(outline, turn, (x, y))


def polygon(x: float, y: float, radius: float, corners: int, turn: float = -90) -> Outline:
    """Return a regular polygon whose first corner is at the angle `turn`, by default at the top."""
    outline: Outline = []
    for i in range(corners):
        angle = math.radians(turn + 360 * i / corners)
        outline.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return outline


def star(x: float, y: float, outer: float, inner: float, rays: int = 5) -> Outline:
    """Return a star with a ray pointing up."""
    outline: Outline = []
    for i in range(2 * rays):
        # Tips and the notches between them alternate.
        radius = inner if i % 2 else outer
        angle = math.radians(-90 + 180 * i / rays)
        outline.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return outline


def rectangle(left: float, top: float, right: float, bottom: float, radius: float = 0) -> Outline:
    """Return a rectangle, with round corners if a radius is given."""
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
    """Return a hexagon with a corner at the top, given its width and the length of its sides."""
    half = across / 2 * grow
    rise = side / 2 * grow
    # Clockwise from the top. A hexagon is twice as high as its upright sides, so its top lies two
    # rises above the middle.
    corners = (
        (0, -2),
        (1, -1),
        (1, 1),
        (0, 2),
        (-1, 1),
        (-1, -1),
    )
    return [(x + right * half, y + down * rise) for right, down in corners]


def tapered_stroke(
    spine: Sequence[Point], start: float, end: float, middle: float | None = None
) -> Outline:
    """Return a stroke along a spine, whose width changes from `start` over `middle` to `end`."""
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
        # The edges lie at right angles to the direction from the point before to the point after.
        before, after = spine[max(0, i - 1)], spine[min(last, i + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return left + right[::-1]


def transform(
    points: Sequence[Point], angle: float, to: Point = (0, 0), scale: float = 1
) -> Outline:
    """Rotate points about the origin, scale them and move the origin to a point."""
    cos = math.cos(math.radians(angle)) * scale
    sin = math.sin(math.radians(angle)) * scale
    to_x, to_y = to
    transformed = []
    for x, y in points:
        transformed.append((to_x + x * cos - y * sin, to_y + x * sin + y * cos))
    return transformed


def seat_shape(shape: str, x: float, y: float, size: float) -> Outline:
    """Return a seat's shape around a point; sizes differ so that all five look equally heavy."""
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
            return [
                (x, y - rise),
                (x + half, y),
                (x, y + rise),
                (x - half, y),
            ]
    return star(x, y + size * 0.06, size * 1.2, size * 0.52)


def point_on_curve(points: Sequence[Point], t: float) -> Point:
    """Return the point of a Bézier curve at `t`, from 0 to 1, by de Casteljau's algorithm."""
    while len(points) > 1:
        between = []
        for (x1, y1), (x2, y2) in pairwise(points):
            between.append((x1 + (x2 - x1) * t, y1 + (y2 - y1) * t))
        points = between
    return points[0]


def _catmull_rom(p: Sequence[float], t: float) -> float:
    """Return a coordinate of a Catmull-Rom curve between the second and third of four points."""
    before, start, end, after = p
    linear = end - before
    square = 2 * before - 5 * start + 4 * end - after
    cube = -before + 3 * start - 3 * end + after
    return 0.5 * (2 * start + linear * t + square * t * t + cube * t * t * t)
