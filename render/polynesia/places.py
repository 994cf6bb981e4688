"""Geometry of the sea: outlines around islands, and where the members of an island find room.

Lengths are in the units of `layout`. `find_stand` tries blocks of figures all around an island and
takes the one that costs least; the `COST_` constants weigh what speaks against a place.
"""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from msgspec import Struct
from PIL import Image, ImageDraw

from render.shapes import Outline, Point, ellipse

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom."""
FIGURE_WIDTH, FIGURE_HEIGHT = 56, 44
"""The room that the members of a seat take, with their count."""
DIRECTION_STEP = 6
"""Degrees between the directions that are tried."""
REACHES = (0.82, 0.94, 1.06, 1.18, 1.3, 1.45, 1.6)
"""Distances from the island's middle that are tried, in halves of the island."""
OVER_LAND = 6
"""How far a block may reach over the land."""
GRID_STEP = 4
"""Units to a pixel of the grid on which obstacles are measured."""
COST_PER_DEGREE = 0.8
"""The cost of each degree by which a block is off the widest gap between the routes."""
COST_PER_REACH = 60
"""The cost of each half island by which a block is farther away."""
COST_PER_FIGURE = 12
"""The cost of each figure along the longer side of the block."""
COST_PER_DOUBT = 3
"""The cost of each unit by which a block seems nearer to another island."""
DOUBT_FACTOR = 1.35
"""Another island causes doubt if it is at most this much farther than a block's own."""


class Stand(Struct, frozen=True):
    """Where the members on an island stand: a block of some columns around a point."""

    x: float
    y: float
    columns: int
    rect: Rect


class Shore(Struct, frozen=True):
    """The coast around which the members of an island stand."""

    middle: Point
    half_size: tuple[int, int]
    """Half the island's width and height."""
    gap: float
    """The middle of the widest gap between its routes, in degrees."""


def overlap_area(first: Rect, second: Rect) -> float:
    """Return the area that two rectangles share."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height


def trace_hull(middles: Sequence[Point], half_sizes: Sequence[tuple[float, float]]) -> Outline:
    """Return the convex hull of ellipses around some points, as a rope would lie around them."""
    points = set()
    for middle, half_size in zip(middles, half_sizes, strict=True):
        # Rounded, so that equal points count once.
        for x, y in ellipse(*middle, *half_size):
            points.add((round(x, 2), round(y, 2)))
    from_left = sorted(points)
    one_side = _trace_half_hull(from_left)
    other_side = _trace_half_hull(from_left[::-1])
    # Each ends where the other begins.
    return [*one_side[:-1], *other_side[:-1]]


def _trace_half_hull(points: Sequence[Point]) -> Outline:
    """Return one side of a hull, from the first point to the last: Andrew's monotone chain."""
    side: Outline = []
    for x, y in points:
        while len(side) > 1:
            (ax, ay), (bx, by) = side[-2:]
            # A rope that turns inwards at a point does not touch it.
            turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if turn > 0:
                break
            side.pop()
        side.append((x, y))
    return side


def space_evenly(outline: Outline, step: float) -> Outline:
    """Return points at even distances of about `step` along a closed outline."""
    path = [*outline, outline[0]]
    total = sum(math.dist(a, b) for a, b in pairwise(path))
    count = round(total / step)
    points: Outline = []
    walked, next_point = 0.0, 0.0
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.dist((x, y), (to_x, to_y))
        while next_point < walked + length and len(points) < count:
            part = (next_point - walked) / length
            points.append((x + (to_x - x) * part, y + (to_y - y) * part))
            next_point += total / count
        walked += length
    return points


def find_widest_gap(bearings: Sequence[float]) -> float:
    """Return the middle of the widest gap between some directions, in degrees."""
    ordered = sorted(bearings)
    following = [*ordered[1:], ordered[0]]
    gaps = []
    for start, end in zip(ordered, following, strict=True):
        # A direction alone leaves the whole circle free.
        width = (end - start) % 360 or 360
        gaps.append((width, start))
    width, start = max(gaps)
    return (start + width / 2) % 360


def angle_between(first: float, second: float) -> float:
    """Return the angle between two directions, in degrees from 0 to 180."""
    return abs((first - second + 180) % 360 - 180)


class Obstacles:
    """How much is drawn where, on a coarse grid that sums up a block at once."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width // GRID_STEP, height // GRID_STEP
        self.image = Image.new("L", self.size)
        self.pen = ImageDraw.Draw(self.image)

    def add_rect(self, rect: Rect, weight: int) -> None:
        """Add something square; its weight says how bad it is to cover it."""
        self.pen.rectangle([round(v / GRID_STEP) for v in rect], fill=weight)

    def add_oval(self, rect: Rect, weight: int) -> None:
        """Add something round."""
        self.pen.ellipse([round(v / GRID_STEP) for v in rect], fill=weight)

    def add_line(self, start: Point, end: Point, width: float, weight: int) -> None:
        """Add a straight line."""
        path = [round(v / GRID_STEP) for v in (*start, *end)]
        self.pen.line(path, fill=weight, width=max(1, round(width / GRID_STEP)))

    @cached_property
    def _sums(self) -> list[list[int]]:
        """All that is drawn above and left of each point: a summed-area table.

        What a block covers is then a sum at four corners. Up to 900 blocks are tried for each
        number of seats on each island.
        """
        width, height = self.size
        values = self.image.tobytes()
        table = [[0] * (width + 1)]
        for row in range(height):
            weights = values[row * width : (row + 1) * width]
            left_of = [0, *accumulate(weights)]
            table.append([above + here for above, here in zip(table[-1], left_of, strict=True)])
        return table

    def sum_within(self, rect: Rect) -> float:
        """Return how much a block would cover; infinite if it would leave the sea."""
        left, top = round(rect[0] / GRID_STEP), round(rect[1] / GRID_STEP)
        right, bottom = round(rect[2] / GRID_STEP), round(rect[3] / GRID_STEP)
        # A point of the grid is left free along the edges of the sea.
        last_column, last_row = self.size[0] - 1, self.size[1] - 1
        if left < 1 or top < 1 or right > last_column or bottom > last_row:
            return math.inf
        upper_sums, lower_sums = self._sums[top], self._sums[bottom]
        return lower_sums[right] - upper_sums[right] - lower_sums[left] + upper_sums[left]


def find_stand(
    shore: Shore,
    forms: Sequence[tuple[int, int]],
    obstacles: Obstacles,
    taken: Sequence[tuple[Rect, float]],
    others: Sequence[Point],
) -> Stand:
    """Return the block that covers least, in the widest gap between the routes if that is free.

    A form is the number of columns and of rows; `taken` are blocks of other islands with the price
    of covering a unit of them; `others` are the middles of islands for which it might be mistaken.
    """
    least, best = math.inf, None
    for columns, rows in forms:
        width, height = columns * FIGURE_WIDTH, rows * FIGURE_HEIGHT
        for way in _ways_around(shore.gap):
            # What it covers comes on top, so that no later place can be better.
            cost = way.cost + max(columns, rows) * COST_PER_FIGURE
            if cost >= least:
                break
            rect = _place_block(shore, width, height, way)
            cost += obstacles.sum_within(rect)
            # The rest takes longer to work out: not for blocks that are beaten already.
            if cost >= least:
                continue
            overlaps = sum(price * overlap_area(rect, other) for other, price in taken)
            cost += overlaps + _price_doubt(rect, shore.middle, others)
            if cost < least:
                least, best = cost, Stand(*_middle_of(rect), columns, rect)
    if best is None:
        raise ValueError("an island without room for its members")
    return best


class _Way(Struct, frozen=True, order=True):
    """A way out from the middle of an island to a place that is tried."""

    cost: float
    """The cost of its direction and its length."""
    angle: int
    reach: float
    right: float
    down: float
    """Its direction."""


@lru_cache
def _ways_around(gap: float) -> list[_Way]:
    """Return all ways out from an island to its surroundings, the best first."""
    ways = []
    for angle in range(0, 360, DIRECTION_STEP):
        right, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        aside = angle_between(angle, gap) * COST_PER_DEGREE
        ways += [
            _Way(aside + reach * COST_PER_REACH, angle, reach, right, down) for reach in REACHES
        ]
    return sorted(ways)


def _place_block(shore: Shore, width: int, height: int, way: _Way) -> Rect:
    """Return a block beyond the coast of an island on a way out from its middle."""
    half_width, half_height = width / 2, height / 2
    # Out to the coast, then so far that the block's near side lies a little over the land.
    out_x = shore.half_size[0] * way.reach + half_width * abs(way.right) - OVER_LAND
    out_y = shore.half_size[1] * way.reach + half_height * abs(way.down) - OVER_LAND
    x = shore.middle[0] + way.right * out_x
    y = shore.middle[1] + way.down * out_y
    return x - half_width, y - half_height, x + half_width, y + half_height


def _middle_of(rect: Rect) -> Point:
    left, top, right, bottom = rect
    return (left + right) / 2, (top + bottom) / 2


def _price_doubt(rect: Rect, middle: Point, others: Sequence[Point]) -> float:
    """Return what it costs that a block may be taken for that of another island."""
    centre = _middle_of(rect)
    doubtful = DOUBT_FACTOR * math.dist(centre, middle)
    doubts = (max(0.0, doubtful - math.dist(centre, other)) for other in others)
    return COST_PER_DOUBT * sum(doubts)
