"""Routes with their owners, rings and arrows on the sea of Polynesia."""

import math

from PIL import Image, ImageChops

from engine.polynesia.board import MapName, Route
from render.canvas import Brush, Sprite, kept, mode
from render.fonts import Face, label
from render.news import Mark
from render.palette import CASING, INK, KEYLINE, LEGAL, SAND, WHITE, livery_of, rgb
from render.polynesia.ground import (
    NEUTRAL,
    NEUTRAL_DASH,
    NEUTRAL_EDGE,
    NEUTRAL_GAP,
    NEUTRAL_NARROW,
    NEUTRAL_WIDE,
    dashes,
)
from render.polynesia.layout import LIFT, MAIN, RING, UNIT, layout_of, units
from render.polynesia.places import ROW, hull
from render.shapes import Outline, Point, ellipse, turned

HALO = rgb("#EAF3C4")
WAKE = (20.0, 15.0, 9.5)
"""The wake of a deed around a route: how much wider than the route its casing, its pink and its
core are.
"""
LEGAL_DASH, LEGAL_GAP = 15, 10
SURF = rgb("#7FD0C8")
"""The water around a sandbank."""
CODE_RIM = 3.6 * UNIT
"""The line around codes and counts, which are read on land, sea and pieces."""


@kept(512)
def band(
    map_name: MapName, number: int, owners: tuple[int, ...], age: int | None, is_legal: bool
) -> Sprite:
    """A route in its owners' colours, with the wake of a deed of that age that went over it, and
    white if it is legal.

    Put by the corner of the sea.
    """
    layout = layout_of(map_name)
    route = layout.board.routes[number]
    start, end = layout.line(route)
    # Only as large as the route: a sprite of the whole sea each would fill the memory.
    margin = 40
    left = units(min(start[0], end[0]) - margin)
    top = units(min(start[1], end[1]) - margin)
    across = units(abs(start[0] - end[0]) + 2 * margin)
    high = units(abs(start[1] - end[1]) + 2 * margin)
    brush = Brush(across, high, at=(-left, -top))
    path = [(x * UNIT, y * UNIT) for x, y in (start, end)]
    _stripes(brush, path, route, owners, None if age is None else Mark(age=age), is_legal)
    return brush.done()


@kept(256)
def sandbank(map_name: MapName, spot: str, seats: int) -> Sprite:
    """The sand from an island to where the members of so many seats stand; put by the corner of
    the sea.
    """
    layout = layout_of(map_name)
    x, y = layout.middles[spot]
    stand = layout.stands[spot][seats]
    left, top, right, bottom = stand.rect
    half = max(18.0, (right - left) / 2 - 8)
    # A column beside its island has sand all along, but for feet that are nearer to another: it
    # must not join that.
    middle = min(stand.y + 20, bottom - 2) - 6
    feet = [top + ROW * row - 10 for row in range(1, round((bottom - top) / ROW) + 1)]
    near = [middle, *(foot for foot in feet if layout.nearest((stand.x, foot)) == spot)]
    # It begins well within the land, which hides that end of it.
    root = (x + (stand.x - x) * 0.3, y - LIFT + (stand.y - y) * 0.3)
    ends = [root, (stand.x, min(near)), (stand.x, max(near))]
    bank = hull(ends, [(24, 18), (half, 13), (half, 13)])
    edge = hull(ends, [(28, 22), (half + 5, 18), (half + 5, 18)])
    points = [*edge]
    low_x, high_x = min(px for px, _ in points) - 4, max(px for px, _ in points) + 4
    low_y, high_y = min(py for _, py in points) - 4, max(py for _, py in points) + 4
    origin = (-units(low_x), -units(low_y))
    brush = Brush(units(high_x - low_x), units(high_y - low_y), at=origin)
    brush.fill([(px * UNIT, py * UNIT) for px, py in edge], SURF)
    brush.fill([(px * UNIT, py * UNIT) for px, py in bank], SAND)
    return brush.done()


def under_land(sprite: Sprite, sea: Image.Image, top: int) -> Sprite:
    """A band cut where land lies above it; `sea` is open water, the band's place so far from the
    top.
    """
    left, down = -sprite.at[0] * mode().zoom, (top - sprite.at[1]) * mode().zoom
    box = (left, down, left + sprite.mask.width, down + sprite.mask.height)
    return Sprite(sprite.image, ImageChops.multiply(sprite.mask, sea.crop(box)), sprite.at)


def _stripes(
    brush: Brush,
    path: Outline,
    route: Route,
    owners: tuple[int, ...],
    mark: Mark | None,
    is_legal: bool,
) -> None:
    """A stripe for each owner, side by side on one dark band; a neutral route stays the dashes
    that it is.
    """
    wide = 11.0 if len(owners) < 2 else 9.0
    total = wide * len(owners) + 6 if owners else 12
    if mark is not None:
        for more, colour in mark.lines(*WAKE):
            brush.line(path, (total + more) * UNIT, colour)
        brush.line(path, (total + WAKE[2] - 4) * UNIT, mark.colour)
    if is_legal and (owners or route.neutral):
        # White along both sides: the owners are still seen between them.
        for more, colour in ((18, CASING), (12, LEGAL), (2, CASING)):
            brush.line(path, (total + more) * UNIT, colour)
    if route.neutral:
        # As they stand in the ground: the wake has covered them.
        for colour, thick in ((NEUTRAL_EDGE, NEUTRAL_WIDE), (NEUTRAL, NEUTRAL_NARROW)):
            for stroke in dashes(path[0], path[1], NEUTRAL_DASH * UNIT, NEUTRAL_GAP * UNIT):
                brush.line(stroke, thick * UNIT, colour)
        return
    if is_legal and not owners:
        # The dashes of the ground, broad and white.
        brush.line(path, 17 * UNIT, CASING)
        for stroke in dashes(path[0], path[1], LEGAL_DASH * UNIT, LEGAL_GAP * UNIT):
            brush.line(stroke, 9.5 * UNIT, LEGAL)
        return
    brush.line(path, total * UNIT, KEYLINE)
    (x, y), (to_x, to_y) = path
    length = math.dist(*path)
    # A unit aside, straight across the route.
    right, down = -(to_y - y) / length * UNIT, (to_x - x) / length * UNIT
    thick = wide if len(owners) > 1 else wide - 1
    for i, seat in enumerate(owners):
        aside = (i - (len(owners) - 1) / 2) * wide
        stripe = [(end_x + right * aside, end_y + down * aside) for end_x, end_y in path]
        brush.line(stripe, thick * UNIT, livery_of(seat).colour)


def _ring_brush(is_main: bool, grow: float) -> tuple[Brush, Outline]:
    """A ring around an island, and a brush with room for its line."""
    across, down = (MAIN[0] * 1.1, MAIN[1] * 1.12) if is_main else RING
    across, down = across * grow, down * grow
    brush = Brush(across * 2.3, down * 2.3, UNIT, at=(across * 1.15, down * 1.15))
    return brush, ellipse(0, 0, across, down)


@kept(8)
def legal_ring(is_main: bool) -> Sprite:
    """The ring of an island that may be chosen."""
    brush, outline = _ring_brush(is_main, 1.0)
    # A veil over the island first, then the ring at full strength.
    brush.fill(outline, LEGAL)
    veil = brush.image.getchannel("A").point([round(v * 0.16) for v in range(256)])
    brush.image.putalpha(veil)
    brush.ring(outline, 8.5, CASING)
    brush.ring(outline, 4.6, LEGAL)
    return brush.done()


@kept(32)
def last_ring(is_main: bool, age: int) -> Sprite:
    """The ring of an island that a deed of that age reached."""
    # A little larger than a legal ring, so that both are seen around the same island.
    brush, outline = _ring_brush(is_main, 1.04)
    for thick, colour in Mark(age=age).lines(10.5, 7, 2.4):
        brush.ring(outline, thick, colour)
    return brush.done()


def code(text: str, is_legal: bool, is_doomed: bool = False) -> Sprite:
    """The code of an island."""
    if is_legal:
        return label(text.upper(), Face.STRONG, units(33), LEGAL, "m", CASING, CODE_RIM)
    if is_doomed:
        return label(text.upper(), Face.STRONG, units(30), WHITE, "m", KEYLINE, CODE_RIM)
    return label(text.upper(), Face.STRONG, units(30), INK, "m", HALO, CODE_RIM)


def count(number: int) -> Sprite:
    """How many members a figure stands for."""
    return label(str(number), Face.STRONG, units(32), WHITE, "l", CASING, CODE_RIM)


@kept(64)
def arrow(angle: int) -> Sprite:
    """A legal passage: a white arrowhead, pointing where it leads."""
    brush = Brush(52, 52, UNIT, at=(26, 26))
    pointing_right: Outline = [(-12, -16), (17, 0), (-12, 16), (-5, 0)]
    shape = turned(pointing_right, angle)
    brush.paint(brush.grown([shape], 4), CASING)
    brush.fill(shape, LEGAL)
    return brush.done()


def heading(start: Point, goal: Point) -> int:
    """The direction from one place to another, in whole steps of ten degrees: 36 arrows serve
    all routes.
    """
    angle = math.degrees(math.atan2(goal[1] - start[1], goal[0] - start[0]))
    return round(angle / 10) * 10
