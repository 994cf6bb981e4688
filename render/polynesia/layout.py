"""Where everything stands in a picture of Polynesia.

Lengths and places are in units, 1,200 to the width of a picture; places on the sea are seen from
its upper left corner. `to_pixels` turns a length into pixels, `Layout.to_picture` a place.
"""

import math
import random
from collections.abc import Sequence
from functools import cache, cached_property

from engine.polynesia.board import Board, Island, MapName, Route, board_of
from render.chrome import GAP, TITLE_HEIGHT, share
from render.polynesia.places import (
    Obstacles,
    Rect,
    Shore,
    Stand,
    find_stand,
    find_widest_gap,
    trace_hull,
)
from render.shapes import Outline, Point, smooth

PICTURE_WIDTH = 1080
"""In pixels."""
SEA_WIDTH = 1200
PIXELS_PER_UNIT = PICTURE_WIDTH / SEA_WIDTH
SEA_HEIGHT, STRIP_HEIGHT, LEGEND_HEIGHT, PANEL_HEIGHT = 960, 146, 40, 162

SIDE_MARGIN, TOP_MARGIN, FOOT_MARGIN = 76, 74, 90
"""From the middles of the outermost islands to the edges of the sea."""
ISLAND_HALF_SIZE, MAIN_HALF_SIZE = (60, 46), (98, 76)
"""Half the width and height of an island, and of the Main Island."""
MAIN_SIDE_MARGIN, MAIN_FOOT_MARGIN = 10, 38
"""From the coast of the Main Island to the edges of the sea."""
LAND_LIFT = 4
"""How far an island's land lies above its middle, for the pieces below it."""
RING_HALF_SIZE = (68, 55)
"""Half the width and height of the ring around an island."""
COAST_CORNERS, MAIN_COAST_CORNERS = 9, 13
COAST_ROUGHNESS, MAIN_COAST_ROUGHNESS = 0.14, 0.07
"""How far at most a corner of a coast is moved in or out, as a share of the island."""
ROUTE_START = 0.8
"""Where a route begins, as a share of the way from an island's middle to its coast."""

LAGOON_MARGIN = (16, 30)
DANGER_MARGIN = (24, 34)
"""From the coasts to the outline around them, across and down."""
POINT_TOKEN_OFFSET = (60, 48)
"""From the middle between two islands to the Point token of their archipelago, across and down."""
POINT_TOKEN_RADIUS = 20

MEMBER_WIDTH = 34
"""The width of a member without a count."""
DIGIT_WIDTH = 14
"""How much wider it is with a count of two digits."""
STAND_MARGIN = (14, 16)
"""Room around the members of another island, across and down, before it costs to stand there."""
STAND_MARGIN_PRICE = 0.2
STAND_PRICE = 1.2
"""The cost of covering a square unit of the room that another island's lone member needs. It is
lower if several seats have members there.
"""
NEAR = 300
"""Islands farther apart than that cannot get in each other's way."""

# How bad it is for members to cover something: bare land hardly matters, a code or a ship much.
LAND_WEIGHT, POINT_TOKEN_WEIGHT, SYMBOL_WEIGHT, ROUTE_WEIGHT = 1, 2, 9, 12
ROUTE_WIDTH = 20
SYMBOLS_BOX = (-46, -44, 46, 30)
MAIN_SYMBOLS_BOX = (-66, -70, 90, 44)
"""Symbols and code of an island, or volcano and code of the Main Island, from its middle."""
SHIPS_BOX = (-44, -32, 42, 32)
"""Ships and resource of a route, from its middle."""

WATER_SEARCH_STEP, WATER_SEARCH_MARGIN = 30, 60
WIND_ROSE_ROOM = 40
"""The wind rose needs this much room to islands and edges at least."""


def to_pixels(length: float) -> int:
    """Return a length in pixels."""
    return round(length * PIXELS_PER_UNIT)


def _box_around(place: Point, box: tuple[int, int, int, int]) -> Rect:
    x, y = place
    left, top, right, bottom = box
    return x + left, y + top, x + right, y + bottom


class Layout:
    """The measures of a picture.

    They depend on the side of the map alone and take 0.15 s to find, most of it `stands`: so they
    are computed when first needed, and cached.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.title_height = share(PICTURE_WIDTH, TITLE_HEIGHT)
        self.sea_height = to_pixels(SEA_HEIGHT)
        self.sea_bottom = self.title_height + self.sea_height
        self.panels_top = self.sea_bottom + to_pixels(STRIP_HEIGHT) + to_pixels(LEGEND_HEIGHT)

    def measure_height(self, seats: int) -> int:
        """Return the height of a picture with that many panels, in pixels."""
        rows = (seats + 1) // 2
        return self.panels_top + rows * (to_pixels(PANEL_HEIGHT) + share(PICTURE_WIDTH, GAP))

    def to_picture(self, place: Point) -> tuple[int, int]:
        """Return the pixel of the picture at a place on the sea."""
        return to_pixels(place[0]), self.title_height + to_pixels(place[1])

    @cached_property
    def middles(self) -> dict[str, Point]:
        """The middle of every island; the outermost ones keep clear of the edges."""
        islands = self.board.islands
        left, right = min(i.x for i in islands), max(i.x for i in islands)
        top, bottom = min(i.y for i in islands), max(i.y for i in islands)
        x_scale = (SEA_WIDTH - 2 * SIDE_MARGIN) / (right - left)
        y_scale = (SEA_HEIGHT - TOP_MARGIN - FOOT_MARGIN) / (bottom - top)
        found = {}
        for island in islands:
            x = SIDE_MARGIN + (island.x - left) * x_scale
            y = TOP_MARGIN + (island.y - top) * y_scale
            if island is self.board.main:
                # It lies in the lower left corner and is larger than the margins allow for.
                x = max(x, MAIN_HALF_SIZE[0] + MAIN_SIDE_MARGIN)
                y = min(y, SEA_HEIGHT - MAIN_HALF_SIZE[1] - MAIN_FOOT_MARGIN)
            found[island.code] = (x, y)
        return found

    def half_size(self, island: Island) -> tuple[int, int]:
        """Return half the width and height of an island."""
        return MAIN_HALF_SIZE if island.is_main else ISLAND_HALF_SIZE

    def land_middle(self, spot: str) -> Point:
        """Return the middle of an island's land, a little above that of the island."""
        x, y = self.middles[spot]
        return x, y - LAND_LIFT

    def trace_coast(self, island: Island) -> Outline:
        """Return the coast of an island, which has a shape of its own."""
        x, y = self.land_middle(island.code)
        half_width, half_height = self.half_size(island)
        # Seeded by the island, so that it looks the same in every picture.
        chance = random.Random(island.code + self.board.name)
        corners = MAIN_COAST_CORNERS if island.is_main else COAST_CORNERS
        roughness = MAIN_COAST_ROUGHNESS if island.is_main else COAST_ROUGHNESS
        turn = chance.uniform(0, math.tau)
        points = []
        for corner in range(corners):
            angle = turn + math.tau * corner / corners
            scale = 1 + chance.uniform(-roughness, roughness)
            corner_x = x + half_width * scale * math.cos(angle)
            corner_y = y + half_height * scale * math.sin(angle)
            points.append((corner_x, corner_y))
        return smooth(points, 6)

    def trace_route(self, route: Route) -> tuple[Point, Point]:
        """Return both ends of a route, a little inside the coasts, where land hides them."""
        a, b = self.land_middle(route.a.code), self.land_middle(route.b.code)
        start = _find_route_start(a, b, self.half_size(route.a))
        end = _find_route_start(b, a, self.half_size(route.b))
        return start, end

    def route_middle(self, route: Route) -> Point:
        """Return the middle of a route between its coasts: ships and the resource lie there."""
        (x, y), (to_x, to_y) = self.trace_route(route)
        return (x + to_x) / 2, (y + to_y) / 2

    def find_nearest_island(self, place: Point) -> str:
        """Return the island to which a place in the sea seems to belong."""

        def distance(island: Island) -> float:
            # In halves of the island, for the Main Island reaches farther than the others.
            x, y = self.middles[island.code]
            half_width, half_height = self.half_size(island)
            return math.hypot((place[0] - x) / half_width, (place[1] - y) / half_height)

        return min(self.board.islands, key=distance).code

    def outline_lagoon(self, letter: str, extra: float = 0) -> Outline:
        """Return the outline around an archipelago, with some extra margin."""
        return self._outline_islands(self.board.archipelagos[letter], LAGOON_MARGIN, extra)

    def outline_danger(self, extra: float = 0) -> Outline:
        """Return the outline around all that the eruption destroys, with some extra margin."""
        destroyed = [island for island in self.board.islands if island.destroyed]
        return self._outline_islands(destroyed, DANGER_MARGIN, extra)

    def _outline_islands(
        self, islands: Sequence[Island], margin: tuple[int, int], extra: float
    ) -> Outline:
        across, down = margin[0] + extra, margin[1] + extra
        middles, half_sizes = [], []
        for island in islands:
            half_width, half_height = self.half_size(island)
            middles.append(self.land_middle(island.code))
            half_sizes.append((half_width + across, half_height + down))
        return trace_hull(middles, half_sizes)

    @cached_property
    def point_tokens(self) -> dict[str, Point]:
        """Where the Point token of each archipelago lies: in its lagoon, off the route."""
        tokens = {}
        for letter, islands in self.board.archipelagos.items():
            x, y = self.middles[islands[0].code]
            to_x, to_y = self.middles[islands[1].code]
            length = math.hypot(to_x - x, to_y - y)
            middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
            # At a right angle to the line between the islands, on either side of it.
            right = -(to_y - y) / length * POINT_TOKEN_OFFSET[0]
            down = (to_x - x) / length * POINT_TOKEN_OFFSET[1]
            one_side = (middle_x + right, middle_y + down)
            other_side = (middle_x - right, middle_y - down)
            tokens[letter] = max(one_side, other_side, key=self._distance_to_routes)
        return tokens

    def _distance_to_routes(self, place: Point) -> float:
        return min(_distance_to_line(place, start, end) for start, end in self._route_lines)

    @cached_property
    def _route_lines(self) -> list[tuple[Point, Point]]:
        return [self.trace_route(route) for route in self.board.routes]

    @cached_property
    def widest_water(self) -> Point:
        """The place farthest from every island, route and edge."""
        step, margin = WATER_SEARCH_STEP, WATER_SEARCH_MARGIN
        places: list[Point] = []
        for x in range(margin, SEA_WIDTH - margin + 1, step):
            places += [(x, y) for y in range(margin, SEA_HEIGHT - margin + 1, step)]

        def measure_room(place: Point) -> float:
            x, y = place
            to_middle = min(math.dist(place, middle) for middle in self.middles.values())
            to_edge = min(x, SEA_WIDTH - x, y, SEA_HEIGHT - y)
            to_land = min(to_edge, to_middle - ISLAND_HALF_SIZE[0])
            # The distance to all routes takes long: only where the rose would fit at all.
            if to_land <= WIND_ROSE_ROOM:
                return 0
            return min(to_land, self._distance_to_routes(place))

        return max(places, key=measure_room)

    @cached_property
    def stands(self) -> dict[str, dict[int, Stand]]:
        """Where the members on an island stand, by island and number of seats there.

        Islands with many routes have the least room, so they choose first. One or two seats on an
        island are common, so room for them is found before that for three or four, who must take
        what is left.
        """
        all_stands: dict[str, dict[int, Stand]] = {}
        busiest_first = sorted(
            self.board.islands, key=lambda island: -len(self.board.passages[island.number])
        )
        taken: list[tuple[Rect, float]] = []
        across, down = STAND_MARGIN
        for island in busiest_first:
            stands = {seats: self._find_stand(island, seats, taken) for seats in (1, 2)}
            all_stands[island.code] = stands
            for stand in stands.values():
                left, top, right, bottom = stand.rect
                with_margin = (left - across, top - down, right + across, bottom + down)
                taken.append((with_margin, STAND_MARGIN_PRICE))
        for seats in (3, 4):
            for island in busiest_first:
                taken = _price_other_stands(all_stands, island.code)
                all_stands[island.code][seats] = self._find_stand(island, seats, taken)
        return all_stands

    def _find_stand(self, island: Island, seats: int, taken: list[tuple[Rect, float]]) -> Stand:
        x, y = middle = self.middles[island.code]
        bearings = []
        for passage in self.board.passages[island.number]:
            goal_x, goal_y = self.middles[passage.goal.code]
            bearings.append(math.degrees(math.atan2(goal_y - y, goal_x - x)) % 360)
        gap = find_widest_gap(bearings)
        in_a_row, in_a_column, in_two_columns = (seats, 1), (1, seats), (2, (seats + 1) // 2)
        # Only what lies near can be in the way, and comparing the rest would take time.
        near_rects = [part for part in taken if math.dist(part[0][:2], middle) < NEAR]
        others = self.middles.values()
        return find_stand(
            Shore(self.land_middle(island.code), self.half_size(island), gap),
            forms=sorted({in_a_row, in_a_column, in_two_columns}),
            obstacles=self.obstacles,
            taken=near_rects,
            others=[other for other in others if 0 < math.dist(other, middle) < NEAR],
        )

    @cached_property
    def obstacles(self) -> Obstacles:
        """The things that members should not cover: codes, symbols, routes and what is on them."""
        obstacles = Obstacles(SEA_WIDTH, SEA_HEIGHT)
        radius = POINT_TOKEN_RADIUS
        for place in self.point_tokens.values():
            token = _box_around(place, (-radius, -radius, radius, radius))
            obstacles.add_oval(token, POINT_TOKEN_WEIGHT)
        for island in self.board.islands:
            half_width, half_height = self.half_size(island)
            land_box = (-half_width, -half_height, half_width, half_height)
            land = _box_around(self.land_middle(island.code), land_box)
            obstacles.add_oval(land, LAND_WEIGHT)
            symbols_box = MAIN_SYMBOLS_BOX if island.is_main else SYMBOLS_BOX
            symbols = _box_around(self.middles[island.code], symbols_box)
            obstacles.add_rect(symbols, SYMBOL_WEIGHT)
        for route in self.board.routes:
            obstacles.add_line(*self.trace_route(route), ROUTE_WIDTH, ROUTE_WEIGHT)
            if not route.neutral:
                ships = _box_around(self.route_middle(route), SHIPS_BOX)
                obstacles.add_oval(ships, ROUTE_WEIGHT)
        return obstacles


def _find_route_start(start: Point, goal: Point, half_size: tuple[int, int]) -> Point:
    """Return the point a little inside the coast of an island on the way to another."""
    right, down = goal[0] - start[0], goal[1] - start[1]
    # The whole way in halves of the island, as if it were a circle of radius 1.
    length = math.hypot(right / half_size[0], down / half_size[1])
    part = ROUTE_START / length
    return start[0] + right * part, start[1] + down * part


def _price_other_stands(
    stands: dict[str, dict[int, Stand]],
    but: str,
) -> list[tuple[Rect, float]]:
    """Return where the members of all other islands stand, dearer the fewer they are."""
    prices = []
    for code, by_seats in stands.items():
        if code != but:
            prices += [(stand.rect, STAND_PRICE / seats) for seats, stand in by_seats.items()]
    return prices


def _distance_to_line(place: Point, start: Point, end: Point) -> float:
    right, down = end[0] - start[0], end[1] - start[1]
    # How far along the line its nearest point lies, from 0 at its start to 1 at its end.
    along = (place[0] - start[0]) * right + (place[1] - start[1]) * down
    part = along / (right * right + down * down)
    part = min(1.0, max(0.0, part))
    return math.dist(place, (start[0] + right * part, start[1] + down * part))


@cache
def layout_of(map_name: MapName) -> Layout:
    """Return the measures for a side of the map."""
    return Layout(board_of(map_name))
