"""Everything that is put on the sea of Polynesia.

`put_sea` puts it from the bottom to the top: what lies flat (sandbanks, routes, rings), then
pieces and codes, then arrows and flowers, which find their room among all of it. Lengths and places
are in units of `layout`.
"""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from PIL import Image

from engine.polynesia.board import Passage, Route
from engine.polynesia.view import IslandView, PolynesiaView, RouteView
from render.canvas import Canvas, Sprite
from render.chrome import LEAST, share
from render.free_space import FreeSpace
from render.items import shell
from render.news import sprites_by_size
from render.pieces import canoe, pawn
from render.polynesia.layout import (
    DIGIT_WIDTH,
    LAND_LIFT,
    MAIN_HALF_SIZE,
    MEMBER_WIDTH,
    PICTURE_WIDTH,
    RING_HALF_SIZE,
    Layout,
    layout_of,
    to_pixels,
)
from render.polynesia.marks import (
    clip_under_land,
    draw_arrow,
    draw_band,
    draw_code,
    draw_legal_ring,
    draw_member_count,
    draw_news_ring,
    draw_sandbank,
    find_heading,
)
from render.polynesia.news import NewsItem
from render.polynesia.places import FIGURE_HEIGHT, FIGURE_WIDTH
from render.polynesia.sprites import (
    draw_fish,
    draw_flame,
    draw_point_token,
    draw_resource_disc,
    draw_token,
    draw_turtle,
)
from render.shapes import Point

SYMBOLS = {
    "fish": (draw_fish, 42),
    "shell": (shell, 38),
    "turtle1": (draw_turtle, 44),
    "turtle2": (draw_turtle, 44),
}
"""How an island's symbol is drawn, and how large."""
SYMBOL_WIDTH, TOKEN_WIDTH = 40, 47
"""The widths of a symbol and a token, where several lie side by side."""
TOKEN_SIZE = 45
SYMBOL_DROP = 9
"""How far symbols lie below the middle of their island."""
FLAME_SIZE, FLAME_OFFSET = 34, (38, -30)
CODE_RISE_ABOVE_SYMBOL, CODE_RISE = 28, 6
"""How far a code stands above the middle of its island: with a symbol or token, and without."""
MAIN_CODE_OFFSET = (74, 32)
"""From the middle of the Main Island to its code, at the foot of the volcano."""
POINT_TOKEN_SIZE = 38

SHIP_OFFSETS = {
    1: ((-10, -6),),
    2: ((-28, -8), (6, -2)),
    3: ((-32, -16), (2, -16), (-15, 12)),
    4: (
        (-32, -16),
        (2, -16),
        (-32, 12),
        (2, 12),
    ),
}
"""From the middle of a route to each of its ships, by their number: one ship is left of the
resource, more stand in rows above it.
"""
LONE_SHIP_SIZE, SHIP_SIZE = 46, 40
RESOURCE_SIZE, RESOURCE_DROP = 33, 12
LONE_RESOURCE_X, RESOURCE_X = 18, 30
"""From the middle of a route to its resource, beside one ship or several."""

MEMBER_SIZE = 46
COUNT_X, COUNT_DROP = MEMBER_WIDTH - 2, 4
"""From the left of a figure to its count, and from its middle down."""

READ_KINDS = ("code:", "count:")
"""The notes of letters and numbers, which are worse to cover than pieces."""
FLOWER_SIZE = 38
FLOWER_TEXT_SIZE = share(PICTURE_WIDTH, LEAST)
"""The size of the numbers in flowers, in pixels."""
MAX_HIDDEN_BY_FLOWER = 200
"""Pixels of pieces that a flower may hide; each pixel of a text counts for twenty. If it would hide
more, a smaller flower is tried.
"""

ARROW_ASIDES = (0, 20, -20, 32, -32, 44, -44, 58, -58, 72, -72)
"""How far beside its passage an arrowhead may lie, the best first."""
FIRST_ARROW, ARROW_STEP, LAST_ARROW = 12, 8, 0.8
"""Where an arrowhead may lie on its passage: from the shore on, by steps, up to a share of the way.
"""

ISLAND_FLOWER_HALF_SIZE = (RING_HALF_SIZE[0] * 1.04, RING_HALF_SIZE[1] * 1.06)
MAIN_FLOWER_HALF_SIZE = (MAIN_HALF_SIZE[0] * 1.14, MAIN_HALF_SIZE[1] * 1.16)
"""Half sizes of the ellipse around an island on which flowers lie."""
ISLAND_FLOWER_REACHES = (1.0, 1.16, 1.34)
ISLAND_FLOWER_ANGLE = -45
ISLAND_FLOWER_TURNS = (0, -20, 20, -40, 40, -60, 60, -80, 80, -110, 110, -140, 140, 170)
"""The positions that are tried for a flower: how far out on the ellipse, and at which angles from
the upper right.
"""
ROUTE_FLOWER_HALF_SIZE = (44, 38)
ROUTE_FLOWER_REACHES = (1.0, 1.25, 1.55, 1.9)
ROUTE_FLOWER_ANGLE = -50
ROUTE_FLOWER_TURNS = (
    *(0, -45, 45, -90, 90, -135, 135, 180),
    *(-22, 22, -68, 68, -112, 112, -157, 157),
)


class Thing(Struct, frozen=True):
    """Something to be put on the sea: a sprite, its pixel, and what is read from it."""

    sprite: Sprite
    pixel: tuple[int, int]
    shows: str


class LegalSpots(Struct, frozen=True):
    """The spots that may be chosen: islands to ring, routes to explore, passages to travel."""

    islands: frozenset[str]
    routes: tuple[Route, ...] = ()
    passages: tuple[Passage, ...] = ()

    @property
    def route_numbers(self) -> set[int]:
        """The routes that are drawn as legal."""
        return {route.number for route in self._all_routes}

    @property
    def named_islands(self) -> frozenset[str]:
        """The islands that choices name: those that may be chosen, and both ends of every route."""
        ends = [island.code for route in self._all_routes for island in (route.a, route.b)]
        return self.islands.union(ends)

    @property
    def _all_routes(self) -> list[Route]:
        return [*self.routes, *(passage.route for passage in self.passages)]


def find_legal_spots(view: PolynesiaView, layout: Layout, rings: Sequence[str]) -> LegalSpots:
    """Return what the ringed spots are.

    A passage such as 'a1-b2' is legal in both actions, Explore and Travel, and does not say in
    which: the position does. In one question all are of one kind.
    """
    board = layout.board
    islands = frozenset(spot for spot in rings if spot in board.island)
    passages = tuple(board.passage[spot] for spot in rings if spot in board.passage)
    if all(_can_travel(view, passage) for passage in passages):
        goals = {passage.goal.code for passage in passages}
        return LegalSpots(islands | goals, passages=passages)
    return LegalSpots(islands, routes=tuple(passage.route for passage in passages))


def _can_travel(view: PolynesiaView, passage: Passage) -> bool:
    """Return whether the seat to move may travel a passage; otherwise it may explore the route."""
    last = view.last
    if last and last.seat in view.to_move and last.action == "explore":
        # In the middle of an Explore action another route is asked for.
        return False
    route = view.routes[passage.route.number]
    members = view.islands[passage.start.number].members
    has_member = any(members[seat] for seat in view.to_move)
    return has_member and bool(route.neutral or route.owners)


def put_sea(
    canvas: Canvas,
    view: PolynesiaView,
    rings: Sequence[str],
    news: Sequence[NewsItem],
    open_sea: Image.Image,
) -> None:
    """Put everything that changes on the sea; `open_sea` is where routes can be seen."""
    layout = layout_of(view.map)
    painter = SeaPainter(canvas, view, layout, find_legal_spots(view, layout, rings), news)
    painter.put_sandbanks(open_sea)
    painter.put_routes(open_sea)
    painter.put_rings()
    painter.put_things()
    painter.put_arrows()
    painter.put_flowers()


class SeaPainter:
    """Puts the layers of the sea; each method puts one, and later ones lie on top."""

    def __init__(
        self,
        canvas: Canvas,
        view: PolynesiaView,
        layout: Layout,
        legal: LegalSpots,
        news: Sequence[NewsItem],
    ) -> None:
        self.canvas = canvas
        self.view = view
        self.layout = layout
        self.board = layout.board
        self.legal = legal
        self.named_islands = legal.named_islands
        self.news = news
        self.free_space = FreeSpace(PICTURE_WIDTH, layout.sea_bottom)
        self.free_space.taken.paste(255, (0, 0, PICTURE_WIDTH, layout.title_height))

    def put_sandbanks(self, open_sea: Image.Image) -> None:
        """Put the sand that joins members to their island and to no other."""
        for island in self.view.islands:
            seats = sum(1 for number in island.members if number)
            if seats:
                sprite = draw_sandbank(self.board.name, island.spot, seats)
                self._put_under_land(sprite, open_sea)

    def put_routes(self, open_sea: Image.Image) -> None:
        """Put explored routes, those that may be chosen, and those of the last turns."""
        ages: dict[int, int] = {}  # of the newest turn over a route
        for news_item in self.news:
            for spot in (*news_item.path, *news_item.routes):
                ages[self.board.passage[spot].route.number] = news_item.mark.age
        legal = self.legal.route_numbers
        for number, route in enumerate(self.view.routes):
            if route.owners or number in ages or number in legal:
                owners, age = tuple(route.owners), ages.get(number)
                sprite = draw_band(self.view.map, number, owners, age, number in legal)
                self._put_under_land(sprite, open_sea)

    def _put_under_land(self, sprite: Sprite, open_sea: Image.Image) -> None:
        # Land is in the ground already, so a sprite is cut where land lies above it.
        top = self.layout.title_height
        self.canvas.put(clip_under_land(sprite, open_sea, top), 0, top)

    def put_rings(self) -> None:
        """Ring the islands that members reached and those that may be chosen."""
        main = self.board.main.code
        for news_item in self.news:
            for spot in news_item.reached:
                ring = draw_news_ring(spot == main, news_item.mark.age)
                self.canvas.put(ring, *self._land_pixel(spot))
        for spot in sorted(self.legal.islands):
            self.canvas.put(draw_legal_ring(spot == main), *self._land_pixel(spot))

    def _land_pixel(self, spot: str) -> tuple[int, int]:
        return self.layout.to_picture(self.layout.land_middle(spot))

    def put_things(self) -> None:
        """Put symbols, tokens, ships, members and codes."""
        # Free space is only asked for by arrows and flowers: without them it is not filled in.
        needs_free_space = bool(self.legal.passages or self.news)
        for thing in self.list_things():
            self.canvas.put(thing.sprite, *thing.pixel, thing.shows)
            if needs_free_space:
                is_read = thing.shows.startswith(READ_KINDS)
                self.free_space.occupy(thing.sprite, *thing.pixel, is_read=is_read)

    def list_things(self) -> Iterator[Thing]:
        """Yield all pieces and codes, the lowest first."""
        for island in self.view.islands:
            yield from self.list_symbols(island)
        for route in self.view.routes:
            yield from self.list_ships(route)
        for archipelago in self.view.archipelagos:
            if archipelago.point:
                letter = archipelago.letter
                pixel = self.layout.to_picture(self.layout.point_tokens[letter])
                token = draw_point_token(to_pixels(POINT_TOKEN_SIZE))
                yield Thing(token, pixel, f"coin:{letter}")
        # Members stand beside their islands, where they may reach over ships.
        for island in self.view.islands:
            yield from self.list_members(island)
        # Codes come last: they are read whatever stands there. In the end nobody needs them.
        if self.view.outcome is None:
            for island in self.view.islands:
                yield self.place_code(island)

    def list_symbols(self, island: IslandView) -> Iterator[Thing]:
        """Yield symbols and token, side by side in the lower half of an island."""
        spot = island.spot
        lying: list[tuple[Sprite, int, str]] = []
        if island.symbol:
            draw_symbol, size = SYMBOLS[island.symbol]
            symbol = (draw_symbol(to_pixels(size)), SYMBOL_WIDTH, f"symbol:{spot}")
            lying += [symbol, symbol] if island.symbol == "turtle2" else [symbol]
        if island.token:
            token = draw_token(island.token, to_pixels(TOKEN_SIZE))
            lying.append((token, TOKEN_WIDTH, f"token:{spot}"))

        x, y = self.layout.middles[spot]
        left = x - sum(width for _, width, _ in lying) / 2
        for sprite, width, shows in lying:
            yield Thing(sprite, self.layout.to_picture((left + width / 2, y + SYMBOL_DROP)), shows)
            left += width

        printed = self.board.island[spot]
        if printed.destroyed and not printed.is_main:
            place = (x + FLAME_OFFSET[0], y + FLAME_OFFSET[1])
            flame = draw_flame(to_pixels(FLAME_SIZE))
            yield Thing(flame, self.layout.to_picture(place), f"flame:{spot}")

    def place_code(self, island: IslandView) -> Thing:
        """Return the code of an island, above its symbols or at the foot of the volcano."""
        spot = island.spot
        x, y = self.layout.middles[spot]
        if self.board.island[spot].is_main:
            x, y = x + MAIN_CODE_OFFSET[0], y + MAIN_CODE_OFFSET[1]
        elif island.symbol or island.token:
            y -= CODE_RISE_ABOVE_SYMBOL
        else:
            y -= CODE_RISE
        code = draw_code(spot, spot in self.named_islands, island.destroyed)
        return Thing(code, self.layout.to_picture((x, y)), f"code:{spot}")

    def list_ships(self, route: RouteView) -> Iterator[Thing]:
        """Yield the ships of a route in its middle, the resource at their lower right."""
        if not route.owners:
            return
        x, y = self.layout.route_middle(self.board.route[route.spot])
        is_alone = len(route.owners) == 1
        size = to_pixels(LONE_SHIP_SIZE if is_alone else SHIP_SIZE)
        offsets = SHIP_OFFSETS[len(route.owners)]
        for seat, (right, down) in zip(route.owners, offsets, strict=True):
            pixel = self.layout.to_picture((x + right, y + down))
            yield Thing(canoe(seat, size), pixel, f"owner:{route.spot}:{seat}")
        right = LONE_RESOURCE_X if is_alone else RESOURCE_X
        disc = draw_resource_disc(route.type, to_pixels(RESOURCE_SIZE))
        pixel = self.layout.to_picture((x + right, y + RESOURCE_DROP))
        yield Thing(disc, pixel, f"cost:{route.spot}")

    def list_members(self, island: IslandView) -> list[Thing]:
        """Return a figure for each seat on an island, with a count if there are more of it."""
        groups = [(seat, number) for seat, number in enumerate(island.members) if number]
        if not groups:
            return []
        figures: list[Thing] = []
        counts: list[Thing] = []
        stand = self.layout.stands[island.spot][len(groups)]
        row_starts = range(0, len(groups), stand.columns)
        rows = [groups[start : start + stand.columns] for start in row_starts]
        for row_number, row in enumerate(rows):
            y = stand.y + (row_number - (len(rows) - 1) / 2) * FIGURE_HEIGHT
            # A lone member needs no room for a count, so a row is centred by what it really takes.
            widths = [FIGURE_WIDTH if number > 1 else MEMBER_WIDTH for _, number in row]
            right = stand.x + sum(widths) / 2
            # Second digits take their room at the left: at the right of the Main Island those of
            # the next one stand.
            for place, (_, number) in enumerate(row):
                if number > 9:
                    widths[place] += DIGIT_WIDTH
            x = max(0.0, right - sum(widths))
            for (seat, number), width in zip(row, widths, strict=True):
                pixel = self.layout.to_picture((x + MEMBER_WIDTH / 2, y))
                figure = pawn(seat, to_pixels(MEMBER_SIZE))
                figures.append(Thing(figure, pixel, f"member:{island.spot}:{seat}"))
                if number > 1:
                    pixel = self.layout.to_picture((x + COUNT_X, y + COUNT_DROP))
                    count = draw_member_count(number)
                    counts.append(Thing(count, pixel, f"count:{island.spot}:{seat}"))
                x += width
        return figures + counts

    def put_arrows(self) -> None:
        """Put an arrowhead on each legal passage, where it covers nothing that is read."""
        for passage in self.legal.passages:
            start, goal = self.layout.trace_route(passage.route)
            if passage.start is not passage.route.a:
                start, goal = goal, start
            sprite = draw_arrow(find_heading(start, goal))
            places = map(self.layout.to_picture, list_arrow_places(start, goal))
            pixel = self.free_space.find_spot(sprite, places)
            self.canvas.put(sprite, *pixel)
            self.free_space.occupy(sprite, *pixel)

    def put_flowers(self) -> None:
        """Put a hibiscus beside what each turn reached, and beside the routes it explored."""
        for news_item in self.news:
            place_lists = [self.list_island_flower_places(spot) for spot in news_item.reached]
            for spot in news_item.routes:
                middle = self.layout.route_middle(self.board.route[spot])
                place_lists.append(list_route_flower_places(middle))
            for places in place_lists:
                pixels = [self.layout.to_picture(place) for place in places]
                sprites = sprites_by_size(to_pixels(FLOWER_SIZE), news_item.mark, FLOWER_TEXT_SIZE)
                sprite, pixel = self.free_space.fit_sprite(sprites, pixels, MAX_HIDDEN_BY_FLOWER)
                self.canvas.put(sprite, *pixel, f"news:{news_item.mark.number}")
                self.free_space.occupy(sprite, *pixel, is_read=True)

    def list_island_flower_places(self, spot: str) -> Iterator[Point]:
        """Yield places on the ring of an island, from its upper right on, then farther out."""
        is_main = spot == self.board.main.code
        half_width, half_height = MAIN_FLOWER_HALF_SIZE if is_main else ISLAND_FLOWER_HALF_SIZE
        x, y = self.layout.middles[spot]
        for reach in ISLAND_FLOWER_REACHES:
            for turn in ISLAND_FLOWER_TURNS:
                angle = math.radians(ISLAND_FLOWER_ANGLE + turn)
                right = half_width * reach * math.cos(angle)
                down = half_height * reach * math.sin(angle)
                yield x + right, y - LAND_LIFT + down


def list_arrow_places(start: Point, goal: Point) -> Iterator[Point]:
    """Yield places for an arrowhead: from the shore on, on the route first, then beside it."""
    length = math.dist(start, goal)
    right = (goal[0] - start[0]) / length
    down = (goal[1] - start[1]) / length
    last = max(FIRST_ARROW + 1, int(length * LAST_ARROW))
    for aside in ARROW_ASIDES:
        for along in range(FIRST_ARROW, last, ARROW_STEP):
            x = start[0] + right * along - down * aside
            y = start[1] + down * along + right * aside
            yield x, y


def list_route_flower_places(middle: Point) -> Iterator[Point]:
    """Yield places for a flower around the ships of a route."""
    x, y = middle
    half_width, half_height = ROUTE_FLOWER_HALF_SIZE
    for reach in ROUTE_FLOWER_REACHES:
        for turn in ROUTE_FLOWER_TURNS:
            angle = math.radians(ROUTE_FLOWER_ANGLE + turn)
            right = half_width * reach * math.cos(angle)
            down = half_height * reach * math.sin(angle)
            yield x + right, y + down
