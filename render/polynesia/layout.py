"""Where everything stands in a picture of Polynesia. Lengths are given for a picture 1,200 wide."""

import math
import random
from collections.abc import Sequence
from functools import cache, cached_property

from engine.polynesia.board import Board, Island, MapName, Route, board_of
from render.chrome import GAP, TITLE_HEIGHT, share
from render.polynesia.places import Crowd, Rect, Shore, Stand, best_stand, hull, widest_gap
from render.shapes import Outline, Point, smooth

WIDTH = 1080
"""Pixels across a picture."""
ACROSS = 1200
"""Units across a picture."""
UNIT = WIDTH / ACROSS
SEA, STRIP, LEGEND, PANEL = 960, 146, 40, 162
"""How high each is, in units."""
SIDE_MARGIN, TOP_MARGIN, FOOT_MARGIN = 76, 74, 90
"""From the middles of the outermost islands to the edges of the sea."""
ISLAND, MAIN = (60, 46), (98, 76)
"""Half an island across and down."""
LIFT = 4
"""An island's land lies so much above its middle, for the pieces below it."""
RING = (68, 55)
"""Half the ring around an island across and down."""
MEMBER = 34
"""The room that a member without a count takes across."""
DIGIT = 14
"""What the second digit of a count takes more."""
CROWDED = 1.2
"""What it costs to stand on a unit of the room of another island's lone member."""
NEAR = 300
"""Islands farther apart have nothing to do with one another."""
Spot = tuple[int, int]


def units(length: float) -> int:
    """A length in pixels."""
    return round(length * UNIT)


class Layout:
    """The measures of a picture. Places on the sea are in units, from its upper left corner.

    They depend on the side of the map alone and take 0.6 s to find, most of it `stands`: so they
    are worked out when they are first asked for, and kept.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.title, self.sea = share(WIDTH, TITLE_HEIGHT), units(SEA)
        self.panels = self.title + self.sea + units(STRIP) + units(LEGEND)

    def height(self, seats: int) -> int:
        """How high a picture with so many panels is."""
        rows = (seats + 1) // 2
        return self.panels + rows * (units(PANEL) + share(WIDTH, GAP))

    def pixels(self, spot: Point) -> Spot:
        """A place on the sea in the picture."""
        return units(spot[0]), self.title + units(spot[1])

    @cached_property
    def middles(self) -> dict[str, Point]:
        """The middle of every island; the outermost ones keep clear of the edges."""
        islands = self.board.islands
        left, right = min(i.x for i in islands), max(i.x for i in islands)
        top, bottom = min(i.y for i in islands), max(i.y for i in islands)
        across = (ACROSS - 2 * SIDE_MARGIN) / (right - left)
        down = (SEA - TOP_MARGIN - FOOT_MARGIN) / (bottom - top)
        found = {}
        for island in islands:
            x = SIDE_MARGIN + (island.x - left) * across
            y = TOP_MARGIN + (island.y - top) * down
            if island is self.board.main:
                # It lies in the lower left corner and is larger than the margins allow for.
                x = max(x, MAIN[0] + 10)
                y = min(y, SEA - MAIN[1] - 38)
            found[island.code] = (x, y)
        return found

    def half(self, island: Island) -> tuple[int, int]:
        """Half an island across and down."""
        return MAIN if island.is_main else ISLAND

    def coast(self, island: Island) -> Outline:
        """A shape of its own for each island."""
        x, y = self._land(island)
        across, down = self.half(island)
        # Seeded by the island, so that it looks the same in every picture.
        chance = random.Random(island.code + self.board.name)
        corners = 13 if island.is_main else 9
        roughness = 0.5 if island.is_main else 1
        turn = chance.uniform(0, math.tau)
        points = []
        for i in range(corners):
            angle = turn + math.tau * i / corners
            grown = 1 + chance.uniform(-0.14, 0.14) * roughness
            points.append(
                (x + across * grown * math.cos(angle), y + down * grown * math.sin(angle))
            )
        return smooth(points, 6)

    def _land(self, island: Island) -> Point:
        """The middle of an island's land."""
        x, y = self.middles[island.code]
        return x, y - LIFT

    def line(self, route: Route) -> tuple[Point, Point]:
        """A route from coast to coast, its ends under the land."""
        a, b = self._land(route.a), self._land(route.b)
        return _towards(a, b, self.half(route.a)), _towards(b, a, self.half(route.b))

    def knot(self, route: Route) -> Point:
        """The middle of a route between its coasts: ships and the resource lie there."""
        (x, y), (to_x, to_y) = self.line(route)
        return (x + to_x) / 2, (y + to_y) / 2

    def nearest(self, place: Point) -> str:
        """The island to which a place in the sea seems to belong."""

        def far(island: Island) -> float:
            (x, y), (half_across, half_down) = self.middles[island.code], self.half(island)
            return math.hypot((place[0] - x) / half_across, (place[1] - y) / half_down)

        return min(self.board.islands, key=far).code

    def lagoon(self, letter: str, grow: float = 0) -> Outline:
        """The outline around an archipelago."""
        return self._around(self.board.archipelagos[letter], 16 + grow, 30 + grow)

    def danger(self, grow: float = 0) -> Outline:
        """The outline around all that the eruption destroys."""
        return self._around(
            [island for island in self.board.islands if island.destroyed], 24 + grow, 34 + grow
        )

    def _around(self, islands: Sequence[Island], across: float, down: float) -> Outline:
        """A rope around some islands, so far from their coasts."""
        middles = [self._land(island) for island in islands]
        halves = [self.half(island) for island in islands]
        return hull(middles, [(half[0] + across, half[1] + down) for half in halves])

    @cached_property
    def coins(self) -> dict[str, Point]:
        """Where the Point token of an archipelago lies: in its lagoon, off the route between the
        two islands.
        """
        found = {}
        for letter, islands in self.board.archipelagos.items():
            (x, y), (to_x, to_y) = (self.middles[island.code] for island in islands[:2])
            length = math.hypot(to_x - x, to_y - y)
            middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
            # Straight away from the line between the islands, to one side and to the other.
            right, down = -(to_y - y) / length * 60, (to_x - x) / length * 48
            spots = [(middle_x + right, middle_y + down), (middle_x - right, middle_y - down)]
            found[letter] = max(spots, key=self._clearance)
        return found

    def _clearance(self, spot: Point) -> float:
        """How far a place is from the nearest route."""
        return min(_distance(spot, start, end) for start, end in self._lines)

    @cached_property
    def _lines(self) -> list[tuple[Point, Point]]:
        return [self.line(route) for route in self.board.routes]

    @cached_property
    def widest_water(self) -> Point:
        """The place farthest from every island, route and edge."""
        spots = [(x, y) for x in range(60, ACROSS - 50, 30) for y in range(60, SEA - 50, 30)]

        def room(spot: Point) -> float:
            x, y = spot
            to_island = min(math.dist(spot, middle) for middle in self.middles.values()) - ISLAND[0]
            to_edge = min(x, ACROSS - x, y, SEA - y)
            if min(to_edge, to_island) <= 40:
                return 0
            return min(to_edge, to_island, self._clearance(spot))

        return max(spots, key=room)

    @cached_property
    def stands(self) -> dict[str, dict[int, Stand]]:
        """By island and number of seats: where its members stand, in the widest gap between its
        routes.

        Islands with many routes have the least room, so they choose first. One or two seats on an
        island are common: their places are found before those of three or four, which must take
        what is left.
        """
        found: dict[str, dict[int, Stand]] = {island.code: {} for island in self.board.islands}
        busiest_first = sorted(
            self.board.islands, key=lambda island: -len(self.board.passages[island.number])
        )
        taken: list[tuple[Rect, float]] = []
        for island in busiest_first:
            found[island.code] = {seats: self._stand(island, seats, taken) for seats in (1, 2)}
            for stand in found[island.code].values():
                left, top, right, bottom = stand.rect
                with_margin = (left - 14, top - 16, right + 14, bottom + 16)
                taken.append((with_margin, 0.2))
        for seats in (3, 4):
            for island in busiest_first:
                found[island.code][seats] = self._stand(island, seats, _blocks(found, island.code))
        return found

    def _stand(self, island: Island, seats: int, taken: list[tuple[Rect, float]]) -> Stand:
        x, y = middle = self.middles[island.code]
        bearings = []
        for passage in self.board.passages[island.number]:
            goal_x, goal_y = self.middles[passage.goal.code]
            bearings.append(math.degrees(math.atan2(goal_y - y, goal_x - x)) % 360)
        in_a_row, in_a_column, in_two_columns = (seats, 1), (1, seats), (2, (seats + 1) // 2)
        return best_stand(
            Shore(self._land(island), self.half(island), widest_gap(bearings)),
            forms=sorted({in_a_row, in_a_column, in_two_columns}),
            crowd=self.crowd,
            taken=[(rect, price) for rect, price in taken if math.dist(rect[:2], middle) < NEAR],
            others=[spot for spot in self.middles.values() if 0 < math.dist(spot, middle) < NEAR],
        )

    @cached_property
    def crowd(self) -> Crowd:
        """Islands with their codes and symbols, routes and what will lie on them.

        The weight of each says how bad it is to cover it: bare land hardly matters, a code or a
        ship much.
        """
        crowd = Crowd(ACROSS, SEA)
        for x, y in self.coins.values():
            crowd.oval((x - 20, y - 20, x + 20, y + 20), weight=2)
        for island in self.board.islands:
            x, y = self._land(island)
            across, down = self.half(island)
            crowd.oval((x - across, y - down, x + across, y + down), weight=1)
            x, y = self.middles[island.code]
            if island.is_main:
                volcano_and_code = (x - 66, y - 70, x + 90, y + 44)
                crowd.rect(volcano_and_code, weight=9)
            else:
                symbols_and_code = (x - 46, y - 44, x + 46, y + 30)
                crowd.rect(symbols_and_code, weight=9)
        for route in self.board.routes:
            crowd.line(*self.line(route), width=20, weight=12)
            if not route.neutral:
                x, y = self.knot(route)
                ships_and_resource = (x - 44, y - 32, x + 42, y + 32)
                crowd.oval(ships_and_resource, weight=12)
        return crowd


def _towards(start: Point, goal: Point, half: tuple[int, int]) -> Point:
    """The point a little inside the coast of an island on the way to another: four fifths of the
    way to it.
    """
    right, down = goal[0] - start[0], goal[1] - start[1]
    # The whole way in halves of the island, as if it were a circle of radius 1.
    length = math.hypot(right / half[0], down / half[1])
    part = 0.8 / length
    return start[0] + right * part, start[1] + down * part


def _blocks(stands: dict[str, dict[int, Stand]], but: str) -> list[tuple[Rect, float]]:
    """Where the members of all other islands stand, dearer to cover the fewer they are."""
    found = []
    for code, by_seats in stands.items():
        if code != but:
            found += [(stand.rect, CROWDED / seats) for seats, stand in by_seats.items()]
    return found


def _distance(spot: Point, start: Point, end: Point) -> float:
    """How far a place is from a line."""
    right, down = end[0] - start[0], end[1] - start[1]
    # How far along the line its nearest point lies, from 0 at its start to 1 at its end.
    part = ((spot[0] - start[0]) * right + (spot[1] - start[1]) * down) / (
        right * right + down * down
    )
    part = min(1.0, max(0.0, part))
    return math.dist(spot, (start[0] + right * part, start[1] + down * part))


@cache
def layout_of(map_name: MapName) -> Layout:
    """The measures for a side of the map."""
    return Layout(board_of(map_name))
