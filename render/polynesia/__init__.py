"""The pictures of Polynesia.

`layout` says where everything stands, `places` and `pills` find room where it is scarce; `ground` is the sea without
pieces, `sprites` and `marks` are what is put on it; `strip` and `panels` lie below; `scores` is the sheet of the end,
`words` the picture in words. Here it is all put together.
"""

import math
from collections.abc import Sequence

from PIL import Image

from engine.polynesia.board import Passage, Route
from engine.polynesia.view import IslandView, Last, PolynesiaView, RouteView
from render import Scene
from render.canvas import Canvas, Sprite
from render.chrome import GAP, chip_of, names_for, share, title_of, title_strip
from render.items import shell
from render.nature import hibiscus
from render.pieces import canoe, pawn
from render.polynesia.ground import ground_of
from render.polynesia.layout import LIFT, MEMBER, WIDTH, Layout, layout_of, units
from render.polynesia.marks import (
    arrow,
    band,
    code,
    count,
    heading,
    last_ring,
    legal_ring,
    under_land,
)
from render.polynesia.panels import bag_panel, owner_of, phase_lines, plate, side_panel
from render.polynesia.pills import pill, pill_places
from render.polynesia.places import COLUMN, ROW
from render.polynesia.scores import score_sheet
from render.polynesia.sprites import fish, flame, point, resource_disc, token, turtle
from render.polynesia.strip import put_strip, stones_card, tide_cards
from render.polynesia.words import alt_text, hand, text_board

__all__ = ["alt_text", "draw", "hand", "score_sheet", "text_board"]

SYMBOLS = {"fish": (fish, 42), "shell": (shell, 38), "turtle1": (turtle, 44), "turtle2": (turtle, 44)}
"""How an island's symbol is drawn, and how large."""
SYMBOL_ROOM, TOKEN_ROOM = 40, 47
"""What each takes across, where several lie side by side."""
SHIPS = {
    1: ((-10, -6),),
    2: ((-28, -8), (6, -2)),
    3: ((-32, -16), (2, -16), (-15, 12)),
    4: ((-32, -16), (2, -16), (-32, 12), (2, 12)),
}
"""From the middle of a route to its ships, by their number: left of the resource, or in rows above it."""


ARROW_FROM_SHORE = 13


def draw(view: PolynesiaView, scene: Scene) -> Image.Image:
    """The sea with title strip, volcano, Tide cards and panels."""
    layout = layout_of(view.map)
    ground = ground_of(view.map, len(view.sides), view.over)
    canvas = Canvas(ground.image.copy())
    islands, routes, passages = _legal(view, layout, scene.rings)

    # What lies flat comes first: routes run under everything, rings around islands under what lies on them.
    _put_bands(canvas, layout, view, ground.open_sea)
    _put_rings(canvas, layout, view.last, islands)
    for island in view.islands:
        _put_things(canvas, layout, island)
    for route in view.routes:
        _put_ships(canvas, layout, route)
    for archipelago in view.archipelagos:
        if archipelago.point:
            coin = layout.pixels(layout.coins[archipelago.letter])
            canvas.put(point(units(38)), *coin, f"coin:{archipelago.letter}")
    # Members stand beside their islands, where they may reach over ships.
    for island in view.islands:
        _put_members(canvas, layout, island)
    # What a player must be able to read, whatever else stands there, comes last.
    _put_pills(canvas, layout, routes, view)
    _put_arrows(canvas, layout, passages)
    for island in view.islands:
        _put_code(canvas, layout, island, island.spot in islands)
    _put_flowers(canvas, layout, view.last)
    _put_chrome(canvas, layout, view, scene)
    return canvas.image


def _legal(view: PolynesiaView, layout: Layout, rings: Sequence[str]) -> tuple[set[str], list[Route], list[Passage]]:
    """The islands to ring, the routes that may be explored and the passages that may be travelled.

    A passage such as 'a1-b2' is legal in both actions and does not say in which: the position does. In one question
    all are of one kind.
    """
    board = layout.board
    islands = {spot for spot in rings if spot in board.island}
    ways = [board.passage[spot] for spot in rings if spot in board.passage]
    if all(_is_sailed(view, way) for way in ways):
        goals = {way.goal.code for way in ways}
        return islands | goals, [], ways
    return islands, [way.route for way in ways], []


def _is_sailed(view: PolynesiaView, way: Passage) -> bool:
    """Whether the seat in turn has a member who may take the passage; else it is a route to explore."""
    last = view.last
    if last and last.seat in view.to_move and last.action == "explore":
        # In the middle of an Explore action: more of the same is asked.
        return False
    route = view.routes[way.route.number]
    members = view.islands[way.start.number].members
    has_member = any(members[seat] for seat in view.to_move)
    return has_member and bool(route.neutral or route.owners)


def _put_bands(canvas: Canvas, layout: Layout, view: PolynesiaView, open_sea: Image.Image) -> None:
    """Explored routes, and whatever the last move went over."""
    went = (*view.last.path, *view.last.routes) if view.last else ()
    marked = {layout.board.passage[spot].route.number for spot in went}
    for number, route in enumerate(view.routes):
        is_last = number in marked
        if route.owners or is_last:
            sprite = band(view.map, number, tuple(route.owners), is_last)
            # Land is in the ground already, so a band is cut where land lies above it.
            canvas.put(under_land(sprite, open_sea, layout.title), 0, layout.title)


def _reached(last: Last | None) -> list[str]:
    """The islands on which the last move ended: those that nobody left again in the next step."""
    if last is None:
        return []
    steps = [spot.split("-") for spot in last.path]
    next_starts = [start for start, _ in steps[1:]] + [""]
    reached = []
    for (_, goal), next_start in zip(steps, next_starts, strict=False):
        if goal != next_start:
            reached.append(goal)
    reached += last.islands
    return list(dict.fromkeys(reached))  # each once, in their order


def _put_rings(canvas: Canvas, layout: Layout, last: Last | None, islands: set[str]) -> None:
    for spot in _reached(last):
        canvas.put(last_ring(spot == layout.board.main.code), *_land(layout, spot))
    for spot in sorted(islands):
        canvas.put(legal_ring(spot == layout.board.main.code), *_land(layout, spot))


def _land(layout: Layout, spot: str) -> tuple[int, int]:
    x, y = layout.middles[spot]
    return layout.pixels((x, y - LIFT))


def _put_things(canvas: Canvas, layout: Layout, island: IslandView) -> None:
    """Symbol and token side by side in the lower half of an island."""
    things: list[tuple[Sprite, int, str]] = []
    if island.symbol:
        make, size = SYMBOLS[island.symbol]
        symbol = make(units(size))
        number = 2 if island.symbol == "turtle2" else 1
        things += [(symbol, SYMBOL_ROOM, f"symbol:{island.spot}")] * number
    if island.token:
        things.append((token(island.token, units(45)), TOKEN_ROOM, f"token:{island.spot}"))

    x, y = layout.middles[island.spot]
    left = x - sum(room for _, room, _ in things) / 2
    for sprite, room, shows in things:
        canvas.put(sprite, *layout.pixels((left + room / 2, y + 9)), shows)
        left += room

    printed = layout.board.island[island.spot]
    if printed.destroyed and not printed.is_main:
        canvas.put(flame(units(34)), *layout.pixels((x + 38, y - 30)), f"flame:{island.spot}")


def _put_code(canvas: Canvas, layout: Layout, island: IslandView, is_legal: bool) -> None:
    """In the upper half of an island, in its middle if nothing lies on it; at the foot of the volcano."""
    x, y = layout.middles[island.spot]
    if layout.board.island[island.spot].is_main:
        x, y = x + 74, y + 32
    elif island.symbol or island.token:
        y -= 28
    else:
        y -= 6
    canvas.put(code(island.spot, is_legal, island.destroyed), *layout.pixels((x, y)), f"code:{island.spot}")


def _put_ships(canvas: Canvas, layout: Layout, route: RouteView) -> None:
    """The ships of a route in its middle, the resource at their lower right."""
    if not route.owners:
        return
    x, y = layout.knot(layout.board.route[route.spot])
    is_alone = len(route.owners) == 1
    size = units(46 if is_alone else 40)
    for seat, (right, down) in zip(route.owners, SHIPS[len(route.owners)], strict=True):
        canvas.put(canoe(seat, size), *layout.pixels((x + right, y + down)), f"owner:{route.spot}:{seat}")
    right = 18 if is_alone else 30
    canvas.put(resource_disc(route.type, units(33)), *layout.pixels((x + right, y + 12)), f"cost:{route.spot}")


def _put_members(canvas: Canvas, layout: Layout, island: IslandView) -> None:
    """A figure for each seat on an island, with a count if there are more of it."""
    groups = [(seat, number) for seat, number in enumerate(island.members) if number]
    if not groups:
        return
    stand = layout.stands[island.spot][len(groups)]
    rows = [groups[i : i + stand.columns] for i in range(0, len(groups), stand.columns)]
    for i, row in enumerate(rows):
        y = stand.y + (i - (len(rows) - 1) / 2) * ROW
        # A lone member needs no room for a count, so a row is centred by what it really takes.
        rooms = [COLUMN if number > 1 else MEMBER for _, number in row]
        x = stand.x - sum(rooms) / 2
        for (seat, number), room in zip(row, rooms, strict=True):
            canvas.put(pawn(seat, units(46)), *layout.pixels((x + MEMBER / 2, y)), f"member:{island.spot}:{seat}")
            if number > 1:
                canvas.put(count(number), *layout.pixels((x + MEMBER - 2, y + 4)), f"count:{island.spot}:{seat}")
            x += room


def _put_pills(canvas: Canvas, layout: Layout, routes: list[Route], view: PolynesiaView) -> None:
    """A pill on each route that may be explored, beside the ships on it."""
    joined = {route.number for route in routes if view.routes[route.number].owners}
    members = []
    for island in view.islands:
        seats = sum(1 for number in island.members if number)
        if seats:
            members.append(layout.stands[island.spot][seats].rect)
    for place in pill_places(layout.board.name, routes, joined, members):
        canvas.put(pill(place.lines), *layout.pixels(place.spot))


def _put_arrows(canvas: Canvas, layout: Layout, passages: list[Passage]) -> None:
    """An arrow at the beginning of each passage."""
    for passage in passages:
        start, goal = layout.line(passage.route)
        if passage.start is not passage.route.a:
            start, goal = goal, start
        # On the shore, where it covers neither the ships in the middle of the route nor its cost.
        part = ARROW_FROM_SHORE / math.dist(start, goal)
        x = start[0] + (goal[0] - start[0]) * part
        y = start[1] + (goal[1] - start[1]) * part
        canvas.put(arrow(heading(start, goal)), *layout.pixels((x, y)))


def _put_flowers(canvas: Canvas, layout: Layout, last: Last | None) -> None:
    """A hibiscus at the upper right of what the last move reached, and of the routes that it explored."""
    for spot in _reached(last):
        x, y = layout.middles[spot]
        right, up = (80, 62) if spot == layout.board.main.code else (50, 42)
        canvas.put(hibiscus(units(38)), *layout.pixels((x + right, y - up)))
    for spot in last.routes if last else ():
        x, y = layout.knot(layout.board.route[spot])
        canvas.put(hibiscus(units(34)), *layout.pixels((x + 20, y - 22)))


def _put_chrome(canvas: Canvas, layout: Layout, view: PolynesiaView, scene: Scene) -> None:
    """Title strip above the sea; stones, Tide cards and panels below it."""
    names = names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(WIDTH, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    declined = view.last is not None and view.last.action == "decline"
    marker = "" if view.over else view.marker
    stones = stones_card(view.lava, view.bag, marker, declined)
    put_strip(canvas, layout.title + layout.sea, stones, tide_cards(view.tides, view.pool))

    panels = [side_panel(owner_of(view, seat, name)) for seat, name in enumerate(names)]
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
