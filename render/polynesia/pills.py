"""The codes of routes that may be explored, on pills: in the middle of a new route, beside the ships of another."""

import math
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from engine.polynesia.board import MapName, Route
from render.canvas import Brush, Sprite, kept
from render.fonts import Face, label, width
from render.palette import CASING, LEGAL
from render.pieces import with_mark
from render.polynesia.layout import UNIT, Layout, layout_of, units
from render.polynesia.places import Rect, overlap
from render.shapes import Point, rectangle

SIZE, RIM = 30, 3
"""Of the letters, and of the line around a pill."""
CLUSTER = (38, 28)
"""Half the room of a route's ships with the resource."""
TURN = 12
"""The directions that are tried, in degrees."""
PASSES = 2
"""How often each pill is placed, the second time with all others in sight."""
GAPS = (2, 10, 20, 32)
"""How far from the ships a pill may lie."""
ON_PIECES, ON_MEMBERS, ON_CODES, ON_PILLS, ASTRAY = 0.15, 1.5, 1.0, 5.0, 0.9
"""What it costs to cover a unit of pieces, of members that are there for sure, of an island's code or of another pill,
and to lie a unit away."""


class Place(Struct, frozen=True):
    """A pill: its lines and where its middle lies."""

    lines: tuple[str, ...]
    spot: Point

    @property
    def rect(self) -> Rect:
        """What it covers."""
        (x, y), (across, high) = self.spot, _room_for(self.lines)
        return x - across / 2, y - high / 2, x + across / 2, y + high / 2


@kept(128)
def pill(lines: tuple[str, ...]) -> Sprite:
    """A legal route's code, in one line or in two."""
    (across, high), rim = _size(lines), max(2, units(RIM))
    brush = Brush(across + 4 * rim, high + 4 * rim, at=((across + 4 * rim) // 2, (high + 4 * rim) // 2))
    left, top, radius = -across / 2, -high / 2, min(across, high) * (0.5 if len(lines) == 1 else 0.3)
    brush.fill(rectangle(left - rim, top - rim, -left + rim, -top + rim, radius + rim), CASING)
    brush.fill(rectangle(left, top, -left, -top, radius), LEGAL)
    sprite = brush.done()
    for i, line in enumerate(lines):
        down = round((i - (len(lines) - 1) / 2) * _line_step())
        sprite = with_mark(sprite, label(line, Face.STRONG, units(SIZE), CASING), 0, down)
    return sprite


@cache
def new_places(map_name: MapName) -> tuple[Place, ...]:
    """By number of route: the pill in its middle, in one line where the route runs up and down."""
    layout = layout_of(map_name)
    found = []
    for route in layout.board.routes:
        in_one_line, in_two = _forms(route)
        (x, y), (to_x, to_y) = layout.line(route)
        found.append(Place(in_one_line if abs(to_y - y) > abs(to_x - x) else in_two, layout.knot(route)))
    return tuple(found)


@cache
def joined_places(map_name: MapName, on_members: float = ON_PIECES) -> tuple[Place, ...]:
    """By number of route: the pill beside the ships on it, where it hides least, other pills least of all."""
    layout, middle = layout_of(map_name), new_places(map_name)
    found: dict[int, Place] = {}
    hidden = list(_islands(layout))
    for by_seats in layout.stands.values():
        hidden += [(by_seats[1].rect, on_members), (by_seats[2].rect, on_members)]
    shortest_first = sorted(layout.board.routes, key=lambda route: math.dist(*layout.line(route)))
    for route in shortest_first * PASSES:
        found.pop(route.number, None)
        pills = [place for number, place in enumerate(middle) if number != route.number]
        pills += found.values()
        found[route.number] = _best(layout, route, [*hidden, *((place.rect, ON_PILLS) for place in pills)])
    return tuple(found[route.number] for route in layout.board.routes)


def pill_places(map_name: MapName, routes: Sequence[Route], joined: set[int], members: Sequence[Rect]) -> list[Place]:
    """Where the pills of these routes lie: of those with ships on them, moved if they would hide members."""
    usual = [(joined_places if route.number in joined else new_places)(map_name)[route.number] for route in routes]
    return [
        _moved(map_name, route, place, usual, members) if route.number in joined else place
        for route, place in zip(routes, usual, strict=True)
    ]


def _moved(map_name: MapName, route: Route, place: Place, pills: list[Place], members: Sequence[Rect]) -> Place:
    if not any(overlap(place.rect, rect) for rect in members):
        return place
    others = [other.rect for other in pills if other is not place]

    def hides(tried: Place) -> float:
        rect = tried.rect
        covered = sum(ON_PILLS * overlap(rect, other) for other in others)
        return covered + sum(overlap(rect, other) for other in members)

    return min(place, joined_places(map_name, ON_MEMBERS)[route.number], key=hides)


def _best(layout: Layout, route: Route, pieces: list[tuple[Rect, float]]) -> Place:
    x, y = layout.knot(route)
    near = (x - 150, y - 130, x + 150, y + 130)
    hidden = [(rect, price) for rect, price in pieces if overlap(near, rect)]
    least, best = math.inf, None
    for place in _around(layout, route):
        rect = place.rect
        cost = layout.crowd.within(rect) + ASTRAY * math.dist(place.spot, (x, y))
        if cost >= least:
            continue
        cost += sum(price * overlap(rect, other) for other, price in hidden)
        if cost < least:
            least, best = cost, place
    if best is None:
        raise ValueError("a route without room for its code")
    return best


def _islands(layout: Layout) -> Iterator[tuple[Rect, float]]:
    """The codes and symbols of islands, each with its price."""
    for x, y in layout.middles.values():
        yield (x - 36, y - 48, x + 36, y + 8), ON_CODES
        yield (x - 40, y - 12, x + 40, y + 32), ON_PIECES


def _around(layout: Layout, route: Route) -> Iterator[Place]:
    """Places beside the ships of a route, in every direction."""
    x, y = layout.knot(route)
    for lines in _forms(route):
        across, high = _room_for(lines)
        for angle in range(0, 360, TURN):
            right, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            out = min(_ratio(CLUSTER[0] + across / 2, right), _ratio(CLUSTER[1] + high / 2, down))
            for gap in GAPS:
                yield Place(lines, (x + right * (out + gap), y + down * (out + gap)))


def _ratio(length: float, part: float) -> float:
    return length / abs(part) if abs(part) > 0.01 else math.inf


def _forms(route: Route) -> tuple[tuple[str, ...], tuple[str, ...]]:
    a, b = route.a.code.upper(), route.b.code.upper()
    return (f"{a}-{b}",), (a, b)


def _size(lines: tuple[str, ...]) -> tuple[int, int]:
    """How wide and high a pill is within its rim, in pixels."""
    size = units(SIZE)
    across = max(width(line, Face.STRONG, size) for line in lines) + 2 * round(size * 0.34)
    return across, _line_step() * (len(lines) - 1) + round(size * 0.66) + 2 * round(size * 0.26)


def _line_step() -> int:
    return round(units(SIZE) * 0.84)


@cache
def _room_for(lines: tuple[str, ...]) -> tuple[float, float]:
    across, high = _size(lines)
    return across / UNIT + 2 * RIM, high / UNIT + 2 * RIM
