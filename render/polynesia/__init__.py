"""The pictures of Polynesia."""

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
from render.polynesia.panels import bag_panel, phase_lines, plate, side_panel
from render.polynesia.pills import pill, pill_places
from render.polynesia.places import COLUMN, ROW
from render.polynesia.scores import score_sheet
from render.polynesia.sprites import fish, flame, point, resource_disc, token, turtle
from render.polynesia.strip import put_strip, stones_card, tide_cards
from render.polynesia.words import alt_text, hand, text_board

__all__ = ["alt_text", "draw", "hand", "score_sheet", "text_board"]

SYMBOLS = {"fish": (fish, 42), "shell": (shell, 38), "turtle1": (turtle, 44), "turtle2": (turtle, 44)}
SHIPS = {
    1: ((-10, -6),),
    2: ((-28, -8), (6, -2)),
    3: ((-32, -16), (2, -16), (-15, 12)),
    4: ((-32, -16), (2, -16), (-32, 12), (2, 12)),
}
"""From the middle of a route to its ships, by their number."""


def draw(view: PolynesiaView, scene: Scene) -> Image.Image:
    """The sea with title strip, volcano, Tide cards and panels."""
    layout = layout_of(view.map)
    ground = ground_of(view.map, len(view.sides), view.over)
    canvas = Canvas(ground.image.copy())
    islands, routes, passages = _legal(view, layout, scene.rings)
    _put_bands(canvas, layout, view, ground.open_sea)
    _put_rings(canvas, layout, view.last, islands)
    for island in view.islands:
        _put_things(canvas, layout, island)
    for route in view.routes:
        _put_ships(canvas, layout, route)
    for archipelago in view.archipelagos:
        if archipelago.point:
            canvas.put(point(units(38)), *layout.pixels(layout.coins[archipelago.letter]))
    for island in view.islands:
        _put_members(canvas, layout, island)
    _put_pills(canvas, layout, routes, view)
    _put_arrows(canvas, layout, passages)
    for island in view.islands:
        canvas.put(code(island.spot, island.spot in islands, island.destroyed), *_code_spot(layout, island))
    _put_flowers(canvas, layout, view.last)
    _put_chrome(canvas, layout, view, scene)
    return canvas.image


def _legal(view: PolynesiaView, layout: Layout, rings: Sequence[str]) -> tuple[set[str], list[Route], list[Passage]]:
    """The islands to ring, the routes that may be explored and the passages that may be travelled."""
    board = layout.board
    islands = {spot for spot in rings if spot in board.island}
    ways = [board.passage[spot] for spot in rings if spot in board.passage]
    if all(_is_sailed(view, way) for way in ways):
        return islands | {way.goal.code for way in ways}, [], ways
    return islands, [way.route for way in ways], []


def _is_sailed(view: PolynesiaView, way: Passage) -> bool:
    """Whether the seat in turn has a member who may take the passage; else it is a route to explore."""
    route, last = view.routes[way.route.number], view.last
    if last and last.seat in view.to_move and last.action == "explore":
        return False
    is_there = any(view.islands[way.start.number].members[seat] for seat in view.to_move)
    return is_there and bool(route.neutral or route.owners)


def _put_bands(canvas: Canvas, layout: Layout, view: PolynesiaView, open_sea: Image.Image) -> None:
    """Explored routes, and whatever the last move went over."""
    went = (*view.last.path, *view.last.routes) if view.last else ()
    marked = {layout.board.passage[spot].route.number for spot in went}
    for number, route in enumerate(view.routes):
        if route.owners or number in marked:
            sprite = band(view.map, number, tuple(route.owners), number in marked)
            canvas.put(under_land(sprite, open_sea, layout.title), 0, layout.title)


def _reached(last: Last | None) -> list[str]:
    """The islands on which the last move ended: those that nobody left again in the next step."""
    if last is None:
        return []
    steps = [spot.split("-") for spot in last.path]
    left_next = [start for start, _ in steps[1:]] + [""]
    ends = [goal for (_, goal), start in zip(steps, left_next, strict=False) if start != goal]
    return list(dict.fromkeys([*ends, *last.islands]))


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
    x, y = layout.middles[island.spot]
    things = _things(island)
    left = x - sum(room for _, room in things) / 2
    for sprite, room in things:
        canvas.put(sprite, *layout.pixels((left + room / 2, y + 9)))
        left += room
    printed = layout.board.island[island.spot]
    if printed.destroyed and not printed.is_main:
        canvas.put(flame(units(34)), *layout.pixels((x + 38, y - 30)))


def _code_spot(layout: Layout, island: IslandView) -> tuple[int, int]:
    """The upper half of an island, its middle if nothing lies on it, the foot of the volcano."""
    x, y = layout.middles[island.spot]
    if layout.board.island[island.spot].is_main:
        return layout.pixels((x + 74, y + 32))
    return layout.pixels((x, y - 28 if island.symbol or island.token else y - 6))


def _things(island: IslandView) -> list[tuple[Sprite, int]]:
    found: list[tuple[Sprite, int]] = []
    if island.symbol:
        make, size = SYMBOLS[island.symbol]
        found += [(make(units(size)), 40)] * (2 if island.symbol == "turtle2" else 1)
    if island.token:
        found.append((token(island.token, units(45)), 47))
    return found


def _put_ships(canvas: Canvas, layout: Layout, route: RouteView) -> None:
    """The ships of a route in its middle, the resource at their lower right."""
    if not route.owners:
        return
    x, y = layout.knot(layout.board.route[route.spot])
    places, size = SHIPS[len(route.owners)], units(46 if len(route.owners) == 1 else 40)
    for seat, (right, down) in zip(route.owners, places, strict=True):
        canvas.put(canoe(seat, size), *layout.pixels((x + right, y + down)))
    right = 18 if len(places) == 1 else 30
    canvas.put(resource_disc(route.type, units(33)), *layout.pixels((x + right, y + 12)))


def _put_members(canvas: Canvas, layout: Layout, island: IslandView) -> None:
    """A figure for each seat on an island, with a count if there are more of it."""
    groups = [(seat, number) for seat, number in enumerate(island.members) if number]
    if not groups:
        return
    stand = layout.stands[island.spot][len(groups)]
    rows = [groups[i : i + stand.columns] for i in range(0, len(groups), stand.columns)]
    for i, row in enumerate(rows):
        y = stand.y + (i - (len(rows) - 1) / 2) * ROW
        x = stand.x - sum(COLUMN if number > 1 else MEMBER for _, number in row) / 2
        for seat, number in row:
            canvas.put(pawn(seat, units(46)), *layout.pixels((x + MEMBER / 2, y)))
            if number > 1:
                canvas.put(count(number), *layout.pixels((x + MEMBER - 2, y + 4)))
            x += COLUMN if number > 1 else MEMBER


def _put_pills(canvas: Canvas, layout: Layout, routes: list[Route], view: PolynesiaView) -> None:
    """A pill on each route that may be explored, beside the ships on it."""
    joined = {route.number for route in routes if view.routes[route.number].owners}
    crowds = [(island.spot, sum(1 for number in island.members if number)) for island in view.islands]
    members = [layout.stands[spot][seats].rect for spot, seats in crowds if seats]
    for place in pill_places(layout.board.name, routes, joined, members):
        canvas.put(pill(place.lines), *layout.pixels(place.spot))


def _put_arrows(canvas: Canvas, layout: Layout, passages: list[Passage]) -> None:
    """An arrow at the beginning of each passage."""
    for passage in passages:
        start, goal = layout.line(passage.route)
        if passage.start is not passage.route.a:
            start, goal = goal, start
        part = 13 / math.dist(start, goal)
        near = start[0] + (goal[0] - start[0]) * part, start[1] + (goal[1] - start[1]) * part
        canvas.put(arrow(heading(start, goal)), *layout.pixels(near))


def _put_flowers(canvas: Canvas, layout: Layout, last: Last | None) -> None:
    for spot in _reached(last):
        x, y = layout.middles[spot]
        right, up = (80, 62) if spot == layout.board.main.code else (50, 42)
        canvas.put(hibiscus(units(38)), *layout.pixels((x + right, y - up)))
    for spot in last.routes if last else ():
        x, y = layout.knot(layout.board.route[spot])
        canvas.put(hibiscus(units(34)), *layout.pixels((x + 20, y - 22)))


def _put_chrome(canvas: Canvas, layout: Layout, view: PolynesiaView, scene: Scene) -> None:
    names = names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(WIDTH, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    declined = view.last is not None and view.last.action == "decline"
    stones = stones_card(view.lava, view.bag, "" if view.over else view.marker, declined)
    put_strip(canvas, layout.title + layout.sea, stones, tide_cards(view.tides, view.pool))
    panels = [_panel(view, seat, names[seat]) for seat in range(len(view.sides))]
    if len(panels) % 2:
        panels.append(bag_panel(view.bag))
    shape, gap = plate(), share(WIDTH, GAP)
    left = (WIDTH - 2 * shape.across - gap) // 2
    for i, image in enumerate(panels):
        x, y = left + i % 2 * (shape.across + gap), layout.panels + i // 2 * (shape.high + gap)
        canvas.lay(image, x - shape.rim, y - shape.rim)


def _panel(view: PolynesiaView, seat: int, name: str) -> Image.Image:
    last = view.last.action if view.last and view.last.seat == seat else ""
    is_first = seat == view.first and not view.over
    has_points = view.pool is not None
    return side_panel(seat, name, view.scores[seat], view.sides[seat], seat in view.to_move, is_first, has_points, last)
