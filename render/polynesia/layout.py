"""Where everything stands in a picture of Polynesia. Lengths are given for a picture 1,200 wide."""

import math
import random
from collections.abc import Sequence
from functools import cache, cached_property

from engine.polynesia.board import Board, Island, MapName, Route, board_of
from render.chrome import GAP, TITLE_HEIGHT, share
from render.polynesia.places import Crowd, Rect, Stand, best_stand, hull
from render.shapes import Outline, Point, smooth

WIDTH = 1080
UNIT = WIDTH / 1200
SEA, STRIP, PANEL = 960, 156, 170
SIDE_MARGIN, TOP_MARGIN, FOOT_MARGIN = 76, 74, 90
"""From the middles of the outermost islands to the edges of the sea."""
ISLAND, MAIN = (60, 46), (98, 76)
"""Half an island across and down."""
LIFT = 4
"""An island's land lies so much above its middle, for the pieces below it."""
RING = (68, 55)
MEMBER = 34
"""The room that a member without a count takes across."""
CROWDED = 1.2
"""What it costs to stand on a unit of the room of another island's lone member."""
Spot = tuple[int, int]


def units(length: float) -> int:
    """A length in pixels."""
    return round(length * UNIT)


class Layout:
    """The measures of a picture. Places on the sea are in units, from its upper left corner."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.title, self.sea = share(WIDTH, TITLE_HEIGHT), units(SEA)
        self.panels = self.title + self.sea + units(STRIP)

    def height(self, seats: int) -> int:
        """How high a picture with so many panels is."""
        return self.panels + (seats + 1) // 2 * (units(PANEL) + share(WIDTH, GAP))

    def pixels(self, spot: Point) -> Spot:
        """A place on the sea in the picture."""
        return units(spot[0]), self.title + units(spot[1])

    @cached_property
    def middles(self) -> dict[str, Point]:
        """The middle of every island; the outermost ones keep clear of the edges."""
        islands = self.board.islands
        left, right = min(i.x for i in islands), max(i.x for i in islands)
        top, bottom = min(i.y for i in islands), max(i.y for i in islands)
        across, down = (1200 - 2 * SIDE_MARGIN) / (right - left), (SEA - TOP_MARGIN - FOOT_MARGIN) / (bottom - top)
        found = {i.code: (SIDE_MARGIN + (i.x - left) * across, TOP_MARGIN + (i.y - top) * down) for i in islands}
        x, y = found[self.board.main.code]
        found[self.board.main.code] = (max(x, MAIN[0] + 10), min(y, SEA - MAIN[1] - 38))
        return found

    def half(self, island: Island) -> tuple[int, int]:
        """Half an island across and down."""
        return MAIN if island.is_main else ISLAND

    def coast(self, island: Island) -> Outline:
        """A shape of its own for each island."""
        (x, y), (across, down) = self.middles[island.code], self.half(island)
        chance = random.Random(island.code + self.board.name)
        corners = 13 if island.is_main else 9
        turn = chance.uniform(0, math.tau)
        grown = [1 + chance.uniform(-0.14, 0.14) * (0.5 if island.is_main else 1) for _ in range(corners)]
        angles = [turn + math.tau * i / corners for i in range(corners)]
        points = zip(angles, grown, strict=True)
        return smooth([(x + across * g * math.cos(a), y - LIFT + down * g * math.sin(a)) for a, g in points], 6)

    def line(self, route: Route) -> tuple[Point, Point]:
        """A route from coast to coast, its ends under the land."""
        (x, y), (to_x, to_y) = self.middles[route.a.code], self.middles[route.b.code]
        return (
            _towards((x, y - LIFT), (to_x, to_y - LIFT), self.half(route.a)),
            _towards((to_x, to_y - LIFT), (x, y - LIFT), self.half(route.b)),
        )

    def knot(self, route: Route) -> Point:
        """The middle of a route between its coasts: ships and the resource lie there."""
        (x, y), (to_x, to_y) = self.line(route)
        return (x + to_x) / 2, (y + to_y) / 2

    def lagoon(self, letter: str, grow: float = 0) -> Outline:
        """The outline around an archipelago."""
        return self._around(self.board.archipelagos[letter], 16 + grow, 30 + grow)

    def danger(self, grow: float = 0) -> Outline:
        """The outline around all that the eruption destroys."""
        return self._around([island for island in self.board.islands if island.destroyed], 24 + grow, 34 + grow)

    def _around(self, islands: Sequence[Island], across: float, down: float) -> Outline:
        middles = [(x, y - LIFT) for x, y in (self.middles[island.code] for island in islands)]
        halves = [self.half(island) for island in islands]
        return hull(middles, [(a + across, b + down) for a, b in halves])

    @cached_property
    def coins(self) -> dict[str, Point]:
        """Where the Point token of an archipelago lies: in its lagoon, off the route between the two islands."""
        found = {}
        for letter, islands in self.board.archipelagos.items():
            (x, y), (to_x, to_y) = (self.middles[island.code] for island in islands[:2])
            length = math.hypot(to_x - x, to_y - y)
            right, down = -(to_y - y) / length * 60, (to_x - x) / length * 48
            spots = [((x + to_x) / 2 + right * side, (y + to_y) / 2 + down * side) for side in (1, -1)]
            found[letter] = max(spots, key=self._clearance)
        return found

    def _clearance(self, spot: Point) -> float:
        return min(_distance(spot, start, end) for start, end in self._lines)

    @cached_property
    def _lines(self) -> list[tuple[Point, Point]]:
        return [self.line(route) for route in self.board.routes]

    @cached_property
    def widest_water(self) -> Point:
        """The place farthest from every island, route and edge."""
        spots = [(x, y) for x in range(60, 1150, 30) for y in range(60, SEA - 50, 30)]

        def room(spot: Point) -> float:
            islands = min(math.dist(spot, middle) for middle in self.middles.values()) - ISLAND[0]
            edges = min(spot[0], 1200 - spot[0], spot[1], SEA - spot[1])
            return min(edges, islands, self._clearance(spot)) if min(edges, islands) > 40 else 0

        return max(spots, key=room)

    @cached_property
    def stands(self) -> dict[str, dict[int, Stand]]:
        """By island and number of seats: where its members stand, in the widest gap between its routes."""
        found: dict[str, dict[int, Stand]] = {island.code: {} for island in self.board.islands}
        busiest_first = sorted(self.board.islands, key=lambda island: -len(self.board.passages[island.number]))
        taken: list[tuple[Rect, float]] = []
        for island in busiest_first:
            found[island.code] = {seats: self._stand(island, seats, taken) for seats in (1, 2)}
            for stand in found[island.code].values():
                left, top, right, bottom = stand.rect
                taken.append(((left - 14, top - 16, right + 14, bottom + 16), 0.2))
        for seats in (3, 4):
            for island in busiest_first:
                found[island.code][seats] = self._stand(island, seats, _blocks(found, island.code))
        return found

    def _stand(self, island: Island, seats: int, taken: list[tuple[Rect, float]]) -> Stand:
        x, y = self.middles[island.code]
        bearings = [
            math.degrees(math.atan2(self.middles[p.goal.code][1] - y, self.middles[p.goal.code][0] - x)) % 360
            for p in self.board.passages[island.number]
        ]
        forms = {(seats, 1), (1, seats), (2, (seats + 1) // 2)}
        close = [(rect, price) for rect, price in taken if math.dist(rect[:2], (x, y)) < 300]
        others = [spot for spot in self.middles.values() if 0 < math.dist(spot, (x, y)) < 300]
        return best_stand((x, y - LIFT), self.half(island), sorted(forms), bearings, self.crowd, close, others)

    @cached_property
    def crowd(self) -> Crowd:
        """Islands with their codes and symbols, routes and what will lie on them."""
        crowd = Crowd(1200, SEA)
        for x, y in self.coins.values():
            crowd.oval((x - 20, y - 20, x + 20, y + 20), 2)
        for island in self.board.islands:
            (x, y), (across, down) = self.middles[island.code], self.half(island)
            crowd.oval((x - across, y - LIFT - down, x + across, y - LIFT + down), 1)
            if island.is_main:
                crowd.rect((x - 66, y - 70, x + 90, y + 44), 9)
            else:
                crowd.rect((x - 46, y - 44, x + 46, y + 30), 9)
        for route in self.board.routes:
            crowd.line(*self.line(route), 20, 12)
            x, y = self.knot(route)
            if not route.neutral:
                crowd.oval((x - 44, y - 32, x + 42, y + 32), 12)
        return crowd


def _towards(start: Point, goal: Point, half: tuple[int, int]) -> Point:
    """The point a little inside the coast of an island on the way to another."""
    right, down = goal[0] - start[0], goal[1] - start[1]
    share = 0.8 / math.hypot(right / half[0], down / half[1])
    return start[0] + right * share, start[1] + down * share


def _blocks(stands: dict[str, dict[int, Stand]], but: str) -> list[tuple[Rect, float]]:
    """Where the members of all other islands stand, dearer to cover the fewer they are."""
    return [
        (stand.rect, CROWDED / seats)
        for code, by_seats in stands.items()
        for seats, stand in by_seats.items()
        if code != but
    ]


def _distance(spot: Point, start: Point, end: Point) -> float:
    """How far a place is from a line."""
    right, down = end[0] - start[0], end[1] - start[1]
    part = ((spot[0] - start[0]) * right + (spot[1] - start[1]) * down) / (right * right + down * down)
    part = min(1.0, max(0.0, part))
    return math.dist(spot, (start[0] + right * part, start[1] + down * part))


@cache
def layout_of(map_name: MapName) -> Layout:
    """The measures for a side of the map."""
    return Layout(board_of(map_name))
