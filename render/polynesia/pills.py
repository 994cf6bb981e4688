"""The codes of routes that may be explored, on pills: in the middle of a new route, beside the ships of another.

Where pills lie depends on the map alone, so that they do not move from picture to picture; only one that would hide
members who stand there now has a second place to go to.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from engine.polynesia.board import MapName, Route
from render.canvas import Brush, Sprite, kept
from render.fonts import CAP_HEIGHT, Face, label, width
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
    across, high = _size(lines)
    rim = max(2, units(RIM))
    whole_across, whole_high = across + 4 * rim, high + 4 * rim
    brush = Brush(whole_across, whole_high, at=(whole_across // 2, whole_high // 2))
    right, bottom = across / 2, high / 2
    radius = min(across, high) * (0.5 if len(lines) == 1 else 0.3)
    brush.fill(rectangle(-right - rim, -bottom - rim, right + rim, bottom + rim, radius + rim), CASING)
    brush.fill(rectangle(-right, -bottom, right, bottom, radius), LEGAL)
    sprite = brush.done()
    for i, line in enumerate(lines):
        from_middle = i - (len(lines) - 1) / 2
        letters = label(line, Face.STRONG, units(SIZE), CASING)
        sprite = with_mark(sprite, letters, 0, round(from_middle * _line_step()))
    return sprite


@cache
def new_places(map_name: MapName) -> tuple[Place, ...]:
    """By number of route: the pill in its middle, in one line where the route runs up and down."""
    layout = layout_of(map_name)
    found = []
    for route in layout.board.routes:
        in_one_line, in_two = _forms(route)
        (x, y), (to_x, to_y) = layout.line(route)
        is_steep = abs(to_y - y) > abs(to_x - x)
        found.append(Place(in_one_line if is_steep else in_two, layout.knot(route)))
    return tuple(found)


# Kept for each side of the map: to find them takes 0.2 s.
@cache
def joined_places(map_name: MapName, on_members: float = ON_PIECES) -> tuple[Place, ...]:
    """By number of route: the pill beside the ships on it, where it hides least, other pills least of all."""
    layout = layout_of(map_name)
    in_the_middle = new_places(map_name)
    hidden: list[tuple[Rect, float]] = []
    for x, y in layout.middles.values():
        code = (x - 36, y - 48, x + 36, y + 8)
        symbols = (x - 40, y - 12, x + 40, y + 32)
        hidden += [(code, ON_CODES), (symbols, ON_PIECES)]
    for by_seats in layout.stands.values():
        hidden += [(by_seats[1].rect, on_members), (by_seats[2].rect, on_members)]

    found: dict[int, Place] = {}
    shortest_first = sorted(layout.board.routes, key=lambda route: math.dist(*layout.line(route)))
    for route in shortest_first * PASSES:
        # Any other route may have its pill in the middle or, if that was found already, beside its ships.
        found.pop(route.number, None)
        others = [place for number, place in enumerate(in_the_middle) if number != route.number]
        others += found.values()
        pills = [(place.rect, ON_PILLS) for place in others]
        found[route.number] = _best(layout, route, [*hidden, *pills])
    return tuple(found[route.number] for route in layout.board.routes)


def pill_places(map_name: MapName, routes: Sequence[Route], joined: set[int], members: Sequence[Rect]) -> list[Place]:
    """Where the pills of these routes lie: of those with ships on them, moved if they would hide members."""
    usual = []
    for route in routes:
        places = joined_places(map_name) if route.number in joined else new_places(map_name)
        usual.append(places[route.number])

    found = []
    for route, place in zip(routes, usual, strict=True):
        hides_members = any(overlap(place.rect, rect) for rect in members)
        if route.number in joined and hides_members:
            other_place = joined_places(map_name, ON_MEMBERS)[route.number]
            pills = [other.rect for other in usual if other is not place]
            found.append(_clearer(place, other_place, pills, members))
        else:
            found.append(place)
    return found


def _clearer(place: Place, other_place: Place, pills: Sequence[Rect], members: Sequence[Rect]) -> Place:
    """Of two places the one that hides less of other pills and of members."""

    def hides(tried: Place) -> float:
        rect = tried.rect
        covered = sum(ON_PILLS * overlap(rect, pill) for pill in pills)
        return covered + sum(overlap(rect, other) for other in members)

    return min(place, other_place, key=hides)


def _best(layout: Layout, route: Route, pieces: list[tuple[Rect, float]]) -> Place:
    """The cheapest place beside the ships of a route; each of the pieces has the price of covering a unit of it."""
    x, y = layout.knot(route)
    near = (x - 150, y - 130, x + 150, y + 130)
    hidden = [(rect, price) for rect, price in pieces if overlap(near, rect)]
    least, best = math.inf, None
    for place in _around(layout, route):
        rect = place.rect
        cost = layout.crowd.within(rect) + ASTRAY * math.dist(place.spot, (x, y))
        # The rest takes longer to work out: not for places that are beaten already.
        if cost >= least:
            continue
        cost += sum(price * overlap(rect, other) for other, price in hidden)
        if cost < least:
            least, best = cost, place
    if best is None:
        raise ValueError("a route without room for its code")
    return best


def _around(layout: Layout, route: Route) -> Iterator[Place]:
    """Places beside the ships of a route, in every direction."""
    x, y = layout.knot(route)
    for lines in _forms(route):
        across, high = _room_for(lines)
        for angle in range(0, 360, TURN):
            right, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            # How far out pill and ships no longer touch: side by side or one above the other, whatever comes first.
            beside = _ratio(CLUSTER[0] + across / 2, right)
            above = _ratio(CLUSTER[1] + high / 2, down)
            out = min(beside, above)
            for gap in GAPS:
                yield Place(lines, (x + right * (out + gap), y + down * (out + gap)))


def _ratio(length: float, part: float) -> float:
    return length / abs(part) if abs(part) > 0.01 else math.inf


def _forms(route: Route) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A route's code in one line, and in two."""
    a, b = route.a.code.upper(), route.b.code.upper()
    return (f"{a}-{b}",), (a, b)


def _size(lines: tuple[str, ...]) -> tuple[int, int]:
    """How wide and high a pill is within its rim, in pixels."""
    size = units(SIZE)
    longest = max(width(line, Face.STRONG, size) for line in lines)
    across = longest + 2 * round(size * 0.34)
    capitals = round(size * CAP_HEIGHT)
    high = _line_step() * (len(lines) - 1) + capitals + 2 * round(size * 0.26)
    return across, high


def _line_step() -> int:
    return round(units(SIZE) * 0.84)


# A place asks for it with every cost that is worked out, thousands of times.
@cache
def _room_for(lines: tuple[str, ...]) -> tuple[float, float]:
    """How wide and high a pill is with its rim, in units."""
    across, high = _size(lines)
    return across / UNIT + 2 * RIM, high / UNIT + 2 * RIM
