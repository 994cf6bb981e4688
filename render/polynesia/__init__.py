"""The pictures of Polynesia.

`layout` says where everything stands, `places` finds room for the members; `news` is what happened
since the last post; `ground` is the sea without pieces, `sprites` and `marks` are what is put on
it; `strip` and `panels` lie below; `scores` is the sheet of the end, `words` the picture in words.
Here it is all put together.
"""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from PIL import Image

from engine.polynesia.board import Passage, Route
from engine.polynesia.view import IslandView, PolynesiaView, RouteView
from render import Scene
from render.canvas import Canvas, Sprite
from render.chrome import GAP, LEAST, chip_of, names_for, share, title_of, title_strip
from render.items import shell
from render.news import by_size
from render.pieces import canoe, pawn
from render.polynesia.ground import ground_of
from render.polynesia.layout import DIGIT, LIFT, MAIN, MEMBER, RING, WIDTH, Layout, layout_of, units
from render.polynesia.marks import (
    arrow,
    band,
    code,
    count,
    heading,
    last_ring,
    legal_ring,
    sandbank,
    under_land,
)
from render.polynesia.news import Deed, deeds_of
from render.polynesia.panels import bag_panel, owner_of, phase_lines, plate, side_panel
from render.polynesia.places import COLUMN, ROW
from render.polynesia.scores import score_sheet, score_text
from render.polynesia.sprites import fish, flame, point, resource_disc, token, turtle
from render.polynesia.strip import legend, put_strip, stones_card, tide_cards
from render.polynesia.words import alt_text, hand, text_board
from render.room import Room
from render.shapes import Point

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]

SYMBOLS = {
    "fish": (fish, 42),
    "shell": (shell, 38),
    "turtle1": (turtle, 44),
    "turtle2": (turtle, 44),
}
"""How an island's symbol is drawn, and how large."""
SYMBOL_ROOM, TOKEN_ROOM = 40, 47
"""What each takes across, where several lie side by side."""
SHIPS = {
    1: ((-10, -6),),
    2: ((-28, -8), (6, -2)),
    3: ((-32, -16), (2, -16), (-15, 12)),
    4: ((-32, -16), (2, -16), (-32, 12), (2, 12)),
}
"""From the middle of a route to its ships, by their number: left of the resource, or in rows
above it.
"""
READ = ("code:", "count:")
"""What letters and numbers show."""
FLOWER_LETTERS = share(WIDTH, LEAST)
"""The size of the numbers in flowers."""
CROWDED = 200
"""So many pixels of pieces, or a twentieth of it of what is read, are too many for a flower to
cover.
"""


def draw(view: PolynesiaView, scene: Scene) -> Image.Image:
    """The sea with title strip, volcano, Tide cards and panels."""
    layout = layout_of(view.map)
    ground = ground_of(view.map, len(view.sides), view.over)
    canvas = Canvas(ground.image.copy())
    islands, routes, passages = _legal(view, layout, scene.rings)
    deeds = deeds_of(view, scene)

    # What lies flat comes first: routes run under everything, rings around islands under what lies
    # on them.
    for island in view.islands:
        _put_sandbank(canvas, layout, island, ground.open_sea)
    legal = {route.number for route in routes} | {passage.route.number for passage in passages}
    _put_bands(canvas, layout, view, deeds, legal, ground.open_sea)
    _put_rings(canvas, layout, deeds, islands)

    things: list[Thing] = []
    for island in view.islands:
        things += _lying(layout, island)
    for route in view.routes:
        things += _ships(layout, route)
    for archipelago in view.archipelagos:
        if archipelago.point:
            coin = layout.pixels(layout.coins[archipelago.letter])
            things.append(Thing(point(units(38)), coin, f"coin:{archipelago.letter}"))
    # Members stand beside their islands, where they may reach over ships; codes are read whatever
    # stands there.
    for island in view.islands:
        things += _members(layout, island)
    things += [_code(layout, island, island.spot in islands) for island in view.islands]

    # Arrows and flowers find their room among all of it.
    room = Room(WIDTH, layout.title + layout.sea)
    room.area.paste(255, (0, 0, WIDTH, layout.title))
    for thing in things:
        canvas.put(thing.sprite, *thing.at, thing.shows)
        if passages or deeds:
            room.take(thing.sprite, *thing.at, is_read=thing.shows.startswith(READ))
    _put_arrows(canvas, layout, passages, room)
    _put_flowers(canvas, layout, deeds, room)
    _put_chrome(canvas, layout, view, scene, deeds)
    return canvas.image


def _legal(
    view: PolynesiaView, layout: Layout, rings: Sequence[str]
) -> tuple[set[str], list[Route], list[Passage]]:
    """The islands to ring, the routes that may be explored and the passages that may be travelled.

    A passage such as 'a1-b2' is legal in both actions and does not say in which: the position does.
    In one question all are of one kind.
    """
    board = layout.board
    islands = {spot for spot in rings if spot in board.island}
    ways = [board.passage[spot] for spot in rings if spot in board.passage]
    if all(_is_sailed(view, way) for way in ways):
        goals = {way.goal.code for way in ways}
        return islands | goals, [], ways
    return islands, [way.route for way in ways], []


def _is_sailed(view: PolynesiaView, way: Passage) -> bool:
    """Whether the seat in turn has a member who may take the passage; else it is a route to
    explore.
    """
    last = view.last
    if last and last.seat in view.to_move and last.action == "explore":
        # In the middle of an Explore action: more of the same is asked.
        return False
    route = view.routes[way.route.number]
    members = view.islands[way.start.number].members
    has_member = any(members[seat] for seat in view.to_move)
    return has_member and bool(route.neutral or route.owners)


class Thing(Struct, frozen=True):
    """Something to be put on the sea, and what is read from it."""

    sprite: Sprite
    at: tuple[int, int]
    shows: str


def _put_sandbank(
    canvas: Canvas, layout: Layout, island: IslandView, open_sea: Image.Image
) -> None:
    """The sand on which the members of an island stand: it joins them to their island and to no
    other.
    """
    seats = sum(1 for number in island.members if number)
    if seats:
        sprite = sandbank(layout.board.name, island.spot, seats)
        canvas.put(under_land(sprite, open_sea, layout.title), 0, layout.title)


def _put_bands(
    canvas: Canvas,
    layout: Layout,
    view: PolynesiaView,
    deeds: Sequence[Deed],
    legal: set[int],
    open_sea: Image.Image,
) -> None:
    """Explored routes, those that may be chosen, and whatever the last deeds went over."""
    went: dict[int, int] = {}
    """The age of the newest deed over a route."""
    for deed in deeds:
        for spot in (*deed.path, *deed.routes):
            went[layout.board.passage[spot].route.number] = deed.mark.age
    for number, route in enumerate(view.routes):
        if route.owners or number in went or number in legal:
            sprite = band(view.map, number, tuple(route.owners), went.get(number), number in legal)
            # Land is in the ground already, so a band is cut where land lies above it.
            canvas.put(under_land(sprite, open_sea, layout.title), 0, layout.title)


def _put_rings(canvas: Canvas, layout: Layout, deeds: Sequence[Deed], islands: set[str]) -> None:
    for deed in deeds:
        for spot in deed.reached:
            canvas.put(
                last_ring(spot == layout.board.main.code, deed.mark.age), *_land(layout, spot)
            )
    for spot in sorted(islands):
        canvas.put(legal_ring(spot == layout.board.main.code), *_land(layout, spot))


def _land(layout: Layout, spot: str) -> tuple[int, int]:
    x, y = layout.middles[spot]
    return layout.pixels((x, y - LIFT))


def _lying(layout: Layout, island: IslandView) -> Iterator[Thing]:
    """Symbol and token side by side in the lower half of an island."""
    lying: list[tuple[Sprite, int, str]] = []
    if island.symbol:
        make, size = SYMBOLS[island.symbol]
        number = 2 if island.symbol == "turtle2" else 1
        lying += [(make(units(size)), SYMBOL_ROOM, f"symbol:{island.spot}")] * number
    if island.token:
        lying.append((token(island.token, units(45)), TOKEN_ROOM, f"token:{island.spot}"))

    x, y = layout.middles[island.spot]
    left = x - sum(room for _, room, _ in lying) / 2
    for sprite, room, shows in lying:
        yield Thing(sprite, layout.pixels((left + room / 2, y + 9)), shows)
        left += room

    printed = layout.board.island[island.spot]
    if printed.destroyed and not printed.is_main:
        yield Thing(flame(units(34)), layout.pixels((x + 38, y - 30)), f"flame:{island.spot}")


def _code(layout: Layout, island: IslandView, is_legal: bool) -> Thing:
    """In the upper half of an island, in its middle if nothing lies on it; at the foot of the
    volcano.
    """
    x, y = layout.middles[island.spot]
    if layout.board.island[island.spot].is_main:
        x, y = x + 74, y + 32
    elif island.symbol or island.token:
        y -= 28
    else:
        y -= 6
    return Thing(
        code(island.spot, is_legal, island.destroyed), layout.pixels((x, y)), f"code:{island.spot}"
    )


def _ships(layout: Layout, route: RouteView) -> Iterator[Thing]:
    """The ships of a route in its middle, the resource at their lower right."""
    if not route.owners:
        return
    x, y = layout.knot(layout.board.route[route.spot])
    is_alone = len(route.owners) == 1
    size = units(46 if is_alone else 40)
    for seat, (right, down) in zip(route.owners, SHIPS[len(route.owners)], strict=True):
        yield Thing(
            canoe(seat, size), layout.pixels((x + right, y + down)), f"owner:{route.spot}:{seat}"
        )
    right = 18 if is_alone else 30
    disc = resource_disc(route.type, units(33))
    yield Thing(disc, layout.pixels((x + right, y + 12)), f"cost:{route.spot}")


def _members(layout: Layout, island: IslandView) -> list[Thing]:
    """A figure for each seat on an island, with a count if there are more of it."""
    groups = [(seat, number) for seat, number in enumerate(island.members) if number]
    if not groups:
        return []
    figures, counts = [], []
    stand = layout.stands[island.spot][len(groups)]
    rows = [groups[i : i + stand.columns] for i in range(0, len(groups), stand.columns)]
    for i, row in enumerate(rows):
        y = stand.y + (i - (len(rows) - 1) / 2) * ROW
        # A lone member needs no room for a count, so a row is centred by what it really takes.
        rooms = [COLUMN if number > 1 else MEMBER for _, number in row]
        right = stand.x + sum(rooms) / 2
        # Second digits take their room at the left: at the right of the main island those of the
        # next one stand.
        rooms = [room + DIGIT * (number > 9) for (_, number), room in zip(row, rooms, strict=True)]
        x = max(0.0, right - sum(rooms))
        for (seat, number), room in zip(row, rooms, strict=True):
            at = layout.pixels((x + MEMBER / 2, y))
            figures.append(Thing(pawn(seat, units(46)), at, f"member:{island.spot}:{seat}"))
            if number > 1:
                at = layout.pixels((x + MEMBER - 2, y + 4))
                counts.append(Thing(count(number), at, f"count:{island.spot}:{seat}"))
            x += room
    return figures + counts


def _put_arrows(canvas: Canvas, layout: Layout, passages: list[Passage], room: Room) -> None:
    """An arrowhead on each passage, where it covers neither ships nor cost nor anything else
    that is read.
    """
    for passage in passages:
        start, goal = layout.line(passage.route)
        if passage.start is not passage.route.a:
            start, goal = goal, start
        sprite = arrow(heading(start, goal))
        at = room.best(sprite, map(layout.pixels, _along(start, goal)))
        canvas.put(sprite, *at)
        room.take(sprite, *at)


def _along(start: Point, goal: Point) -> Iterator[Point]:
    """Places for an arrowhead: from the shore on, on the route first, then beside it."""
    length = math.dist(start, goal)
    right, down = (goal[0] - start[0]) / length, (goal[1] - start[1]) / length
    for aside in (0, 20, -20, 32, -32, 44, -44, 58, -58, 72, -72):
        for way in range(12, max(13, int(length * 0.8)), 8):
            yield start[0] + right * way - down * aside, start[1] + down * way + right * aside


def _put_flowers(canvas: Canvas, layout: Layout, deeds: Sequence[Deed], room: Room) -> None:
    """A hibiscus beside what each deed reached, and beside the routes that it explored."""
    for deed in deeds:
        places = [_around(layout, spot) for spot in deed.reached]
        places += [_beside(layout.knot(layout.board.route[spot])) for spot in deed.routes]
        for candidates in places:
            spots = [layout.pixels(place) for place in candidates]
            sprite, at = room.fitting(by_size(units(38), deed.mark, FLOWER_LETTERS), spots, CROWDED)
            canvas.put(sprite, *at, f"deed:{deed.mark.number}")
            room.take(sprite, *at, is_read=True)


def _around(layout: Layout, spot: str) -> Iterator[Point]:
    """Places for a flower on the ring of an island, from its upper right on, then farther out."""
    x, y = layout.middles[spot]
    across, down = (
        (MAIN[0] * 1.14, MAIN[1] * 1.16)
        if spot == layout.board.main.code
        else (RING[0] * 1.04, RING[1] * 1.06)
    )
    for out in (1.0, 1.16, 1.34):
        for turn in (0, -20, 20, -40, 40, -60, 60, -80, 80, -110, 110, -140, 140, 170):
            angle = math.radians(-45 + turn)
            yield x + across * out * math.cos(angle), y - LIFT + down * out * math.sin(angle)


def _beside(knot: Point) -> Iterator[Point]:
    """Places for a flower around the ships of a route."""
    x, y = knot
    for out in (1.0, 1.25, 1.55, 1.9):
        for turn in (0, -45, 45, -90, 90, -135, 135, 180, -22, 22, -68, 68, -112, 112, -157, 157):
            angle = math.radians(-50 + turn)
            yield x + 44 * out * math.cos(angle), y + 38 * out * math.sin(angle)


def _put_chrome(
    canvas: Canvas, layout: Layout, view: PolynesiaView, scene: Scene, deeds: Sequence[Deed]
) -> None:
    """Title strip above the sea; stones, Tide cards, the legend and panels below it."""
    names = names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(WIDTH, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    changed = tuple((where, deed.mark) for deed in deeds for where in deed.strip)
    marker = "" if view.over else view.marker
    stones = stones_card(view.lava, view.bag, marker, changed)
    put_strip(canvas, layout.title + layout.sea, stones, tide_cards(view.tides, view.pool))
    canvas.lay(legend(), 0, layout.panels - legend().height // canvas.zoom)

    panels = [side_panel(owner_of(view, seat, name, deeds)) for seat, name in enumerate(names)]
    if len(panels) % 2:
        # Three seats leave a place free.
        panels.append(bag_panel(view.bag))
    shape = plate()
    gap = share(WIDTH, GAP)
    left = (WIDTH - 2 * shape.across - gap) // 2
    for i, image in enumerate(panels):
        x = left + i % 2 * (shape.across + gap)
        y = layout.panels + i // 2 * (shape.high + gap)
        canvas.lay(image, x - shape.rim, y - shape.rim)
