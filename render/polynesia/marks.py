"""Routes with their owners, rings and arrows on the sea of Polynesia."""

import math

from PIL import Image, ImageChops

from engine.polynesia.board import MapName, Route
from render.canvas import Brush, Sprite, kept, mode
from render.fonts import Face, label
from render.palette import (
    CASING,
    INK,
    KEYLINE,
    LAST,
    LAST_CASING,
    LEGAL,
    WHITE,
    livery_of,
    rgb,
)
from render.polynesia.ground import NEUTRAL, NEUTRAL_EDGE, dashes
from render.polynesia.layout import MAIN, RING, UNIT, layout_of, units
from render.shapes import Outline, Point, ellipse, turned

HALO = rgb("#EAF3C4")
WAKE = ((20, LAST_CASING), (15, LAST), (9.5, WHITE), (5.5, LAST))
"""The line of the last move around a route: how much wider than the route, and its colour."""


@kept(512)
def band(map_name: MapName, number: int, owners: tuple[int, ...], is_last: bool) -> Sprite:
    """A route in its owners' colours, marked if the last move went over it; put by the corner of the sea."""
    layout = layout_of(map_name)
    route = layout.board.routes[number]
    start, end = layout.line(route)
    left, top = units(min(start[0], end[0]) - 40), units(min(start[1], end[1]) - 40)
    across, high = units(abs(start[0] - end[0]) + 80), units(abs(start[1] - end[1]) + 80)
    brush = Brush(across, high, at=(-left, -top))
    _stripes(brush, [(x * UNIT, y * UNIT) for x, y in (start, end)], route, owners, is_last)
    return brush.done()


def under_land(sprite: Sprite, sea: Image.Image, top: int) -> Sprite:
    """A band cut where land lies above it; `sea` is open water, the band's place so far from the top."""
    left, down = -sprite.at[0] * mode().zoom, (top - sprite.at[1]) * mode().zoom
    box = (left, down, left + sprite.mask.width, down + sprite.mask.height)
    return Sprite(sprite.image, ImageChops.multiply(sprite.mask, sea.crop(box)), sprite.at)


def _stripes(brush: Brush, path: Outline, route: Route, owners: tuple[int, ...], is_last: bool) -> None:
    wide = 11.0 if len(owners) < 2 else 9.0
    total = wide * len(owners) + 6 if owners else 12
    for more, colour in WAKE if is_last else ():
        brush.line(path, (total + more) * UNIT, colour)
    if route.neutral:
        for colour, thick in ((NEUTRAL_EDGE, 12.0), (NEUTRAL, 7.5)):
            for stroke in dashes(path[0], path[1], 17 * UNIT, 9 * UNIT):
                brush.line(stroke, thick * UNIT, colour)
        return
    brush.line(path, total * UNIT, KEYLINE)
    (x, y), (to_x, to_y) = path
    length = math.dist(*path)
    right, down = -(to_y - y) / length * UNIT, (to_x - x) / length * UNIT
    for i, seat in enumerate(owners):
        off = (i - (len(owners) - 1) / 2) * wide
        stripe = [(px + right * off, py + down * off) for px, py in path]
        brush.line(stripe, (wide if len(owners) > 1 else wide - 1) * UNIT, livery_of(seat).colour)


def _ring(is_main: bool) -> tuple[float, float]:
    grow = (MAIN[0] * 1.1 / RING[0], MAIN[1] * 1.12 / RING[1]) if is_main else (1.0, 1.0)
    return RING[0] * grow[0], RING[1] * grow[1]


@kept(8)
def legal_ring(is_main: bool) -> Sprite:
    """The ring of an island that may be chosen."""
    across, down = _ring(is_main)
    brush = Brush(across * 2.3, down * 2.3, UNIT, at=(across * 1.15, down * 1.15))
    outline = ellipse(0, 0, across, down)
    brush.fill(outline, LEGAL)
    brush.image.putalpha(brush.image.getchannel("A").point([round(v * 0.16) for v in range(256)]))
    brush.ring(outline, 8.5, CASING)
    brush.ring(outline, 4.6, LEGAL)
    return brush.done()


@kept(8)
def last_ring(is_main: bool) -> Sprite:
    """The ring of an island that the last move reached."""
    across, down = (side * 1.04 for side in _ring(is_main))
    brush = Brush(across * 2.3, down * 2.3, UNIT, at=(across * 1.15, down * 1.15))
    outline = ellipse(0, 0, across, down)
    for thick, colour in ((10.5, LAST_CASING), (7, LAST), (2.4, WHITE)):
        brush.ring(outline, thick, colour)
    return brush.done()


def code(text: str, is_legal: bool, is_doomed: bool = False) -> Sprite:
    """The code of an island."""
    if is_legal:
        return label(text.upper(), Face.STRONG, units(33), LEGAL, "m", CASING, 3.6 * UNIT)
    ink, halo = (WHITE, KEYLINE) if is_doomed else (INK, HALO)
    return label(text.upper(), Face.STRONG, units(30), ink, "m", halo, 3.6 * UNIT)


def count(number: int) -> Sprite:
    """How many members a figure stands for."""
    return label(str(number), Face.STRONG, units(32), WHITE, "l", CASING, 3.6 * UNIT)


@kept(64)
def arrow(angle: int) -> Sprite:
    """A legal passage: a white arrow on the route, pointing where it leads."""
    brush = Brush(64, 64, UNIT, at=(32, 32))
    head: Outline = [(-20.0, -8.0), (0.0, -8.0), (0.0, -19.0), (22.0, 0.0), (0.0, 19.0), (0.0, 8.0), (-20.0, 8.0)]
    shape = turned(head, angle)
    brush.paint(brush.grown([shape], 4.5), CASING)
    brush.fill(shape, LEGAL)
    return brush.done()


def heading(start: Point, goal: Point) -> int:
    """The direction from one place to another, in whole steps of ten degrees."""
    return round(math.degrees(math.atan2(goal[1] - start[1], goal[0] - start[0])) / 10) * 10
