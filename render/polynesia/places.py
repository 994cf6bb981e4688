"""Geometry of the sea: outlines around islands, and where the members of an island find room."""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from msgspec import Struct
from PIL import Image, ImageDraw

from render.shapes import Outline, Point, ellipse

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom."""
STEP, REACHES = 6, (0.82, 0.94, 1.06, 1.18, 1.3)
"""The directions that are tried, in degrees, and how far from the middle, in halves of an
island.
"""
GRAIN = 4
"""Units to a pixel of the grid on which a crowd is measured."""
OFF_GAP, FAR, LONG, DOUBT = 0.8, 60, 12, 3
"""What it costs to stand a degree off the widest gap, so far from the island, in a block so
long, nearer to another.
"""
COLUMN, ROW = 56, 44
"""The room that the members of a seat take, with their count."""


class Stand(Struct, frozen=True):
    """Where the members on an island stand: a block of so many columns around a point."""

    x: float
    y: float
    columns: int
    rect: Rect


class Shore(Struct, frozen=True):
    """The coast around which the members of an island stand."""

    middle: Point
    half: tuple[int, int]
    """Half the island across and down."""
    gap: float
    """The middle of the widest gap between its routes, in degrees."""


def overlap(first: Rect, second: Rect) -> float:
    """The area that two rectangles share."""
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    if across <= 0 or down <= 0:
        return 0.0
    return across * down


def hull(middles: Sequence[Point], halves: Sequence[tuple[float, float]]) -> Outline:
    """The outline of ellipses around some points, as a rope around them would lie."""
    points = set()
    for middle, half in zip(middles, halves, strict=True):
        # Rounded, so that points in the same place count once.
        points |= {(round(x, 2), round(y, 2)) for x, y in ellipse(*middle, *half)}
    from_left = sorted(points)
    one_side = _chain(from_left)
    other_side = _chain(from_left[::-1])
    # Each ends where the other begins.
    return [*one_side[:-1], *other_side[:-1]]


def _chain(points: Sequence[Point]) -> Outline:
    """One side of the outline, from the first point to the last: Andrew's monotone chain."""
    kept: Outline = []
    for x, y in points:
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2:]
            # A rope that turns inwards at a point does not touch it.
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            kept.pop()
        kept.append((x, y))
    return kept


def spaced(outline: Outline, step: float) -> Outline:
    """Points at even distances along a closed outline."""
    path = [*outline, outline[0]]
    total = sum(math.dist(a, b) for a, b in pairwise(path))
    count = round(total / step)
    found: Outline = []
    walked, goal = 0.0, 0.0
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.dist((x, y), (to_x, to_y))
        while goal < walked + length and len(found) < count:
            part = (goal - walked) / length
            found.append((x + (to_x - x) * part, y + (to_y - y) * part))
            goal += total / count
        walked += length
    return found


def widest_gap(bearings: Sequence[float]) -> float:
    """The middle of the widest gap between some directions, in degrees."""
    ordered = sorted(bearings)
    following = [*ordered[1:], ordered[0]]
    gaps = []
    for start, end in zip(ordered, following, strict=True):
        wide = (end - start) % 360 or 360  # a direction alone has all around it free
        gaps.append((wide, start))
    wide, start = max(gaps)
    return (start + wide / 2) % 360


def apart(first: float, second: float) -> float:
    """The angle between two directions."""
    return abs((first - second + 180) % 360 - 180)


class Crowd:
    """How much is drawn where, on a coarse grid: so that the room for a block is told at once."""

    def __init__(self, across: int, high: int) -> None:
        self.size = across // GRAIN, high // GRAIN
        self.image = Image.new("L", self.size)
        self.pen = ImageDraw.Draw(self.image)

    def rect(self, rect: Rect, weight: int) -> None:
        """Something square is drawn here."""
        self.pen.rectangle([round(v / GRAIN) for v in rect], fill=weight)

    def oval(self, rect: Rect, weight: int) -> None:
        """Something round is drawn here."""
        self.pen.ellipse([round(v / GRAIN) for v in rect], fill=weight)

    def line(self, start: Point, end: Point, width: float, weight: int) -> None:
        """Something long is drawn here."""
        path = [round(v / GRAIN) for v in (*start, *end)]
        self.pen.line(path, fill=weight, width=max(1, round(width / GRAIN)))

    @cached_property
    def _sums(self) -> list[list[int]]:
        """All that is drawn above and left of each point: what a block covers is then the sum at
        four corners.

        Up to 900 blocks are tried for each number of seats on each island.
        """
        across, high = self.size
        values = self.image.tobytes()
        table = [[0] * (across + 1)]
        for row in range(high):
            drawn = values[row * across : (row + 1) * across]
            left_of = [0, *accumulate(drawn)]
            table.append([above + here for above, here in zip(table[-1], left_of, strict=True)])
        return table

    def within(self, rect: Rect) -> float:
        """How much a block would cover; none may leave the sea."""
        left, top, right, bottom = (round(v / GRAIN) for v in rect)
        if left < 1 or top < 1 or right > self.size[0] - 1 or bottom > self.size[1] - 1:
            return math.inf
        sums = self._sums
        return sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]


def best_stand(
    shore: Shore,
    forms: Sequence[tuple[int, int]],
    crowd: Crowd,
    taken: Sequence[tuple[Rect, float]],
    others: Sequence[Point],
) -> Stand:
    """The block that covers least of what is drawn, in the widest gap between the routes if that is
    free.

    A form is the number of columns and of rows; `taken` are blocks of other islands with the price
    of covering a unit of them; `others` are the middles of islands for which it might be mistaken.
    """
    least, best = math.inf, None
    for columns, rows in forms:
        across, high = columns * COLUMN, rows * ROW
        for angle in range(0, 360, STEP):
            for reach in REACHES:
                rect = _block(shore, across, high, angle, reach)
                cost = (
                    crowd.within(rect)
                    + apart(angle, shore.gap) * OFF_GAP
                    + reach * FAR
                    + max(columns, rows) * LONG
                )
                # The rest takes longer to work out: not for blocks that are beaten already.
                if cost >= least:
                    continue
                cost += sum(price * overlap(rect, other) for other, price in taken) + _doubt(
                    rect, shore.middle, others
                )
                if cost < least:
                    least, best = cost, Stand(*_centre(rect), columns, rect)
    if best is None:
        raise ValueError("an island without room for its members")
    return best


def _block(shore: Shore, across: int, high: int, angle: float, reach: float) -> Rect:
    """A block beyond the coast of an island in a direction."""
    right, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    # Out to the coast, then so far that the block's near side lies there, with six units over the
    # land.
    x = shore.middle[0] + right * (shore.half[0] * reach + across / 2 * abs(right) - 6)
    y = shore.middle[1] + down * (shore.half[1] * reach + high / 2 * abs(down) - 6)
    return x - across / 2, y - high / 2, x + across / 2, y + high / 2


def _centre(rect: Rect) -> Point:
    left, top, right, bottom = rect
    return (left + right) / 2, (top + bottom) / 2


def _doubt(rect: Rect, middle: Point, others: Sequence[Point]) -> float:
    """How easily a block is taken for that of another island, one not much farther than its own."""
    centre = _centre(rect)
    seems = 1.35 * math.dist(centre, middle)
    return DOUBT * sum(max(0.0, seems - math.dist(centre, other)) for other in others)
