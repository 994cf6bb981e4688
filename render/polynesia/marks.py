"""The marks on the sea of Polynesia: routes with owners, sandbanks, rings, arrows, codes.

Widths are in units of `layout`. Bands and sandbanks are put by the upper left corner of the sea,
the other sprites by their middle.
"""

import math
from collections.abc import Iterable

from PIL import Image, ImageChops

from engine.polynesia.board import MapName, Route
from render.canvas import Brush, Sprite, cached, current_mode
from render.fonts import Face, label
from render.news import Mark
from render.palette import CASING, INK, KEYLINE, LEGAL, SAND, WHITE, Colour, livery_of, rgb
from render.polynesia.ground import (
    NEUTRAL_DASH,
    NEUTRAL_EDGE,
    NEUTRAL_EDGE_WIDTH,
    NEUTRAL_GAP,
    NEUTRAL_ROUTE,
    NEUTRAL_WIDTH,
    split_into_dashes,
)
from render.polynesia.layout import (
    LAND_LIFT,
    MAIN_HALF_SIZE,
    PIXELS_PER_UNIT,
    RING_HALF_SIZE,
    layout_of,
    to_pixels,
)
from render.polynesia.places import FIGURE_HEIGHT, trace_hull
from render.shapes import Outline, Point, ellipse, transform

CODE_HALO = rgb("#EAF3C4")
CODE_SIZE, LEGAL_CODE_SIZE, COUNT_SIZE = 32, 41, 32
CODE_RIM = 3.6 * PIXELS_PER_UNIT
"""The line around codes and counts in pixels; they are read on land, sea and pieces."""

BAND_MARGIN = 40
"""Room around a route in its sprite."""
LONE_STRIPE, SHARED_STRIPE = 11.0, 9.0
"""Width of an owner's stripe, alone or beside others."""
BAND_EDGE = 6
"""How much wider the dark band is than all stripes together."""
UNOWNED_BAND = 12.0
"""Width of a route without owners, for what is drawn around it."""
WAKE_EXTRAS = (20.0, 15.0, 9.5)
"""The wake of a turn around a route: how much wider than the route its casing, its pink and its
core are.
"""
WAKE_INSIDE = 4
"""The core's line: the pink within it is narrower by that."""
LEGAL_EXTRAS = ((18, CASING), (12, LEGAL), (2, CASING))
"""The white along both sides of a legal route: how much wider each line is than the route."""
LEGAL_DASH, LEGAL_GAP, LEGAL_WIDTH, LEGAL_CASING_WIDTH = 15, 10, 9.5, 17

SURF = rgb("#7FD0C8")
"""The water around a sandbank."""
BANK_ROOT_SIZE, SURF_ROOT_SIZE = (24, 18), (28, 22)
"""Half sizes of sand and surf where the bank begins, within the land."""
BANK_HALF_HEIGHT, SURF_HALF_HEIGHT, SURF_WIDTH = 13, 18, 5
BANK_ROOT = 0.3
"""Where a bank begins, as a share of the way from its island to the members."""
BANK_INSET, LEAST_BANK_HALF_WIDTH = 8, 18.0
"""How much narrower on each side than the members a bank is, and its half width at least."""
FEET_ABOVE_ROW = 10
"""From the foot of a row of members up to their feet."""
BANK_MARGIN = 4

MAIN_RING_HALF_SIZE = (MAIN_HALF_SIZE[0] * 1.1, MAIN_HALF_SIZE[1] * 1.12)
NEWS_RING_SCALE = 1.04
"""Rings of news are a little larger than legal ones, so that both are seen around one island."""
NEWS_RING_WIDTHS = (10.5, 7, 2.4)
LEGAL_RING_WIDTHS = ((8.5, CASING), (4.6, LEGAL))
LEGAL_FILL_OPACITY = 0.16

ARROW_HALF_SIZE, ARROW_CASING = 26, 4
ARROWHEAD: Outline = [
    (-12, -16),
    (17, 0),
    (-12, 16),
    (-5, 0),
]
"""Pointing to the right."""
HEADING_STEP = 10
"""Degrees between two headings: 36 arrows serve all routes."""


@cached(512)
def draw_band(
    map_name: MapName, number: int, owners: tuple[int, ...], age: int | None, is_legal: bool
) -> Sprite:
    """Draw a route in its owners' colours, with a wake of that age, and white if it is legal."""
    layout = layout_of(map_name)
    route = layout.board.routes[number]
    start, end = layout.trace_route(route)
    # Only as large as the route: a sprite of the whole sea each would fill the memory.
    left = to_pixels(min(start[0], end[0]) - BAND_MARGIN)
    top = to_pixels(min(start[1], end[1]) - BAND_MARGIN)
    width = to_pixels(abs(start[0] - end[0]) + 2 * BAND_MARGIN)
    height = to_pixels(abs(start[1] - end[1]) + 2 * BAND_MARGIN)
    brush = Brush(width, height, at=(-left, -top))
    painter = RoutePainter(brush, route, (start, end), owners)
    # From the widest line to the narrowest, each covering the middle of the one before.
    if age is not None:
        painter.draw_wake(Mark(age=age))
    if is_legal and (owners or route.neutral):
        painter.draw_legal_sides()
    if route.neutral:
        painter.draw_neutral_dashes()
    elif is_legal and not owners:
        painter.draw_legal_dashes()
    else:
        painter.draw_stripes()
    return painter.brush.finish()


class RoutePainter:
    """Draws one route; each method draws one layer of it, and later ones lie on top."""

    def __init__(
        self, brush: Brush, route: Route, ends: tuple[Point, Point], owners: tuple[int, ...]
    ) -> None:
        self.brush = brush
        self.route = route
        self.path = [(x * PIXELS_PER_UNIT, y * PIXELS_PER_UNIT) for x, y in ends]
        self.owners = owners
        self.stripe_width = LONE_STRIPE if len(owners) < 2 else SHARED_STRIPE
        self.width = UNOWNED_BAND
        if owners:
            self.width = self.stripe_width * len(owners) + BAND_EDGE

    def draw_line(self, path: Iterable[Point], width: float, colour: Colour) -> None:
        """Draw a line of some units' width along a path in pixels."""
        self.brush.line(list(path), width * PIXELS_PER_UNIT, colour)

    def draw_wake(self, mark: Mark) -> None:
        """Draw the wake of a turn that went over the route."""
        for extra, colour in mark.lines(*WAKE_EXTRAS):
            self.draw_line(self.path, self.width + extra, colour)
        self.draw_line(self.path, self.width + WAKE_EXTRAS[2] - WAKE_INSIDE, mark.colour)

    def draw_legal_sides(self) -> None:
        """Draw white along both sides: the owners are still seen between them."""
        for extra, colour in LEGAL_EXTRAS:
            self.draw_line(self.path, self.width + extra, colour)

    def draw_neutral_dashes(self) -> None:
        """Draw the dashes of a neutral route again: a wake has covered those of the ground."""
        layers = ((NEUTRAL_EDGE, NEUTRAL_EDGE_WIDTH), (NEUTRAL_ROUTE, NEUTRAL_WIDTH))
        for colour, width in layers:
            for stroke in self._split(NEUTRAL_DASH, NEUTRAL_GAP):
                self.draw_line(stroke, width, colour)

    def draw_legal_dashes(self) -> None:
        """Draw broad white dashes over those of an unexplored route that may be chosen."""
        self.draw_line(self.path, LEGAL_CASING_WIDTH, CASING)
        for stroke in self._split(LEGAL_DASH, LEGAL_GAP):
            self.draw_line(stroke, LEGAL_WIDTH, LEGAL)

    def _split(self, dash: int, gap: int) -> list[Outline]:
        start, end = self.path
        return split_into_dashes(start, end, dash * PIXELS_PER_UNIT, gap * PIXELS_PER_UNIT)

    def draw_stripes(self) -> None:
        """Draw a stripe for each owner, side by side on one dark band."""
        self.draw_line(self.path, self.width, KEYLINE)
        (x, y), (to_x, to_y) = self.path
        length = math.dist(*self.path)
        # A unit aside, straight across the route.
        right = -(to_y - y) / length * PIXELS_PER_UNIT
        down = (to_x - x) / length * PIXELS_PER_UNIT
        shown_width = self.stripe_width if len(self.owners) > 1 else self.stripe_width - 1
        for number, seat in enumerate(self.owners):
            aside = (number - (len(self.owners) - 1) / 2) * self.stripe_width
            stripe = [(end_x + right * aside, end_y + down * aside) for end_x, end_y in self.path]
            self.draw_line(stripe, shown_width, livery_of(seat).colour)


@cached(256)
def draw_sandbank(map_name: MapName, spot: str, seats: int) -> Sprite:
    """Draw the sand from an island to where the members of that many seats stand."""
    layout = layout_of(map_name)
    x, y = layout.middles[spot]
    stand = layout.stands[spot][seats]
    left, top, right, bottom = stand.rect
    half_width = max(LEAST_BANK_HALF_WIDTH, (right - left) / 2 - BANK_INSET)

    # A column beside its island has sand all along, but not under feet that are nearer to another
    # island: it must not join that.
    # The first level of sand lies just above the feet of the first row.
    middle = min(stand.y + 20, bottom - 2) - 6
    levels = [middle]
    for row in range(1, round((bottom - top) / FIGURE_HEIGHT) + 1):
        feet = top + FIGURE_HEIGHT * row - FEET_ABOVE_ROW
        if layout.find_nearest_island((stand.x, feet)) == spot:
            levels.append(feet)

    # It begins well within the land, which hides that end of it.
    root = (x + (stand.x - x) * BANK_ROOT, y - LAND_LIFT + (stand.y - y) * BANK_ROOT)
    ends = [root, (stand.x, min(levels)), (stand.x, max(levels))]
    bank_size = (half_width, BANK_HALF_HEIGHT)
    bank = trace_hull(ends, [BANK_ROOT_SIZE, bank_size, bank_size])
    surf_size = (half_width + SURF_WIDTH, SURF_HALF_HEIGHT)
    surf = trace_hull(ends, [SURF_ROOT_SIZE, surf_size, surf_size])

    xs = [surf_x for surf_x, _ in surf]
    ys = [surf_y for _, surf_y in surf]
    low_x, high_x = min(xs) - BANK_MARGIN, max(xs) + BANK_MARGIN
    low_y, high_y = min(ys) - BANK_MARGIN, max(ys) + BANK_MARGIN
    origin = (-to_pixels(low_x), -to_pixels(low_y))
    brush = Brush(to_pixels(high_x - low_x), to_pixels(high_y - low_y), at=origin)
    for outline, colour in ((surf, SURF), (bank, SAND)):
        scaled = [(px * PIXELS_PER_UNIT, py * PIXELS_PER_UNIT) for px, py in outline]
        brush.fill(scaled, colour)
    return brush.finish()


def clip_under_land(sprite: Sprite, open_sea: Image.Image, top: int) -> Sprite:
    """Return a sprite of the sea, cut where land lies above it; the sea begins at `top`."""
    zoom = current_mode().zoom
    left, down = -sprite.anchor[0] * zoom, (top - sprite.anchor[1]) * zoom
    box = (left, down, left + sprite.mask.width, down + sprite.mask.height)
    mask = ImageChops.multiply(sprite.mask, open_sea.crop(box))
    return Sprite(sprite.image, mask, sprite.anchor)


RING_ROOM = 1.15
"""The size of a ring's sprite, in rings, which leaves room for the ring's line."""


def _start_ring(is_main: bool, scale: float) -> tuple[Brush, Outline]:
    """Return the outline of a ring around an island, and a brush with room for its line."""
    half_width, half_height = MAIN_RING_HALF_SIZE if is_main else RING_HALF_SIZE
    half_width, half_height = half_width * scale, half_height * scale
    middle = (half_width * RING_ROOM, half_height * RING_ROOM)
    brush = Brush(2 * middle[0], 2 * middle[1], PIXELS_PER_UNIT, at=middle)
    return brush, ellipse(0, 0, half_width, half_height)


@cached(8)
def draw_legal_ring(is_main: bool) -> Sprite:
    """Draw the ring of an island that may be chosen, put by the middle of its land."""
    brush, outline = _start_ring(is_main, 1.0)
    # A veil over the island first, then the ring at full strength.
    brush.fill(outline, LEGAL)
    faint = [round(value * LEGAL_FILL_OPACITY) for value in range(256)]
    brush.image.putalpha(brush.image.getchannel("A").point(faint))
    for width, colour in LEGAL_RING_WIDTHS:
        brush.ring(outline, width, colour)
    return brush.finish()


@cached(32)
def draw_news_ring(is_main: bool, age: int) -> Sprite:
    """Draw the ring of an island that members reached in a turn of that age."""
    brush, outline = _start_ring(is_main, NEWS_RING_SCALE)
    for width, colour in Mark(age=age).lines(*NEWS_RING_WIDTHS):
        brush.ring(outline, width, colour)
    return brush.finish()


def draw_code(text: str, is_legal: bool, is_destroyed: bool = False) -> Sprite:
    """Draw the code of an island."""
    size, ink, halo = CODE_SIZE, INK, CODE_HALO
    if is_legal:
        size, ink, halo = LEGAL_CODE_SIZE, LEGAL, CASING
    elif is_destroyed:
        ink, halo = WHITE, KEYLINE
    return label(text.upper(), Face.STRONG, to_pixels(size), ink, "m", halo, CODE_RIM)


def draw_member_count(number: int) -> Sprite:
    """Draw how many members a figure stands for."""
    return label(str(number), Face.STRONG, to_pixels(COUNT_SIZE), WHITE, "l", CASING, CODE_RIM)


@cached(64)
def draw_arrow(angle: int) -> Sprite:
    """Draw a white arrowhead that points where a legal passage leads."""
    half = ARROW_HALF_SIZE
    brush = Brush(2 * half, 2 * half, PIXELS_PER_UNIT, at=(half, half))
    shape = transform(ARROWHEAD, angle)
    brush.paint(brush.grow([shape], ARROW_CASING), CASING)
    brush.fill(shape, LEGAL)
    return brush.finish()


def find_heading(start: Point, goal: Point) -> int:
    """Return the direction from one point to another in degrees, rounded to HEADING_STEP."""
    right = goal[0] - start[0]
    down = goal[1] - start[1]
    angle = math.degrees(math.atan2(down, right))
    return round(angle / HEADING_STEP) * HEADING_STEP
