"""The pictures of Blue Lagoon."""

from PIL import Image, ImageDraw

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.ground import circle_of, dim_ground_of, ground_of
from render.blue_lagoon.layout import Layout, lattice_of, layout_of
from render.blue_lagoon.marks import PIECES, foot_code, last_ring, legal_ring, live_code
from render.blue_lagoon.panels import items_left, phase_lines, side_panel, supply_panel
from render.blue_lagoon.scores import score_sheet
from render.blue_lagoon.words import alt_text, hand, text_board
from render.canvas import Canvas, mode
from render.chrome import GAP, chip_of, names_for, plate_of, share, title_of, title_strip
from render.items import ITEMS as ICONS
from render.nature import hibiscus
from render.pieces import disc

__all__ = ["alt_text", "draw", "hand", "score_sheet", "text_board"]

MOST_RINGS = 60
"""With more legal places than this the others are darkened instead."""


def draw(view: BlueLagoonView, scene: Scene) -> Image.Image:
    """The board with title strip and panels."""
    seats = len(view.sides)
    layout, ground = layout_of(view.map, seats), ground_of(view.map, seats)
    canvas = Canvas(ground.coded.copy())
    legal = {spot for spot in scene.rings if spot in layout.centres}
    filled = {standing.spot for standing in view.pieces} | {spot for spot, _ in view.items}
    is_dim = len(legal) > MOST_RINGS
    under = dim_ground_of(view.map, seats) if is_dim else ground
    if is_dim:
        canvas.tint(under.coded, _illegal(layout, legal))
    for spot in filled | legal:
        _unprint(canvas, layout, ground.clean if spot in legal else under.clean, spot)
    ringed = set() if is_dim else legal
    for palm in ground.palms:
        if palm.near & {*ringed, view.last}:
            canvas.put(palm.gone, *palm.foot)
    _put_rings(canvas, layout, ringed, view.last)
    _put_pieces(canvas, layout, view)
    _put_codes(canvas, layout, filled, legal, is_dim)
    _put_chrome(canvas, layout, view, scene)
    return canvas.image


def _illegal(layout: Layout, legal: set[str]) -> Image.Image:
    """The area of the places that may not be chosen."""
    zoom = mode().zoom
    area = Image.new("L", (layout.width * zoom, layout.height * zoom))
    pen = ImageDraw.Draw(area)
    for place in layout.board.places:
        if place.code not in legal:
            pen.polygon([(x * zoom, (y + layout.title) * zoom) for x, y in layout.outline(place)], fill=255)
    return area


def _unprint(canvas: Canvas, layout: Layout, clean: Image.Image, spot: str) -> None:
    """Take the code off a place on which something lies."""
    x, y = layout.centres[spot]
    across, high = round(layout.hex * 0.45), round(layout.code_size * 0.6)
    canvas.restore(clean, (x - across, y - high, x + across, y + high))


def _put_rings(canvas: Canvas, layout: Layout, legal: set[str], last: str) -> None:
    for spot in sorted(legal):
        place, (x, y) = layout.board.by_code[spot], layout.centres[spot]
        canvas.put(legal_ring(layout.hex, layout.side, bool(place.island)), x, y)
        if place.circle:
            canvas.put(circle_of(layout), x, y - layout.units(6))
    if last in layout.centres:
        canvas.put(last_ring(layout.hex, layout.side), *layout.centres[last])


def _put_pieces(canvas: Canvas, layout: Layout, view: BlueLagoonView) -> None:
    for spot, item in view.items:
        x, y = layout.centres[spot]
        canvas.put(ICONS[item](layout.units(46)), x, y - layout.units(7))
    for standing in sorted(view.pieces, key=lambda piece: layout.centres[piece.spot][1]):
        x, y = layout.centres[standing.spot]
        canvas.put(PIECES[standing.piece](standing.seat, layout.units(62)), x, y - layout.units(9))
    for corner, value in layout.signs.items():
        x, y = layout.corner(corner)
        canvas.put(disc(str(value), layout.units(42)), x, y + layout.title + layout.units(3))
    if view.last in layout.centres:
        canvas.put(hibiscus(layout.units(38)), *_flower_spot(layout, view.last))


def _flower_spot(layout: Layout, last: str) -> tuple[int, int]:
    """The upper right of the place, or its upper left if an island's sign is there."""
    x, y = layout.centres[last]
    across, down = lattice_of(layout.board.by_code[last])
    side = -1 if (across + 1, down - 1) in layout.signs else 1
    return x + side * layout.units(35), y - layout.units(23)


def _put_codes(canvas: Canvas, layout: Layout, filled: set[str], legal: set[str], is_dim: bool) -> None:
    for place in layout.board.places:
        if place.code not in filled and place.code not in legal:
            continue
        x, y = layout.centres[place.code]
        sprite = live_code(layout, place) if place.code in legal else foot_code(layout, place, is_dim)
        canvas.put(sprite, x, y + layout.foot if place.code in filled else y)


def _put_chrome(canvas: Canvas, layout: Layout, view: BlueLagoonView, scene: Scene) -> None:
    width, names = layout.width, names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(width, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    plate, gap = plate_of(width), share(width, GAP)
    panels = [
        side_panel(width, seat, names[seat], view.scores[seat], side, seat in view.to_move)
        for seat, side in enumerate(view.sides)
    ]
    if len(panels) % 2:
        panels.append(supply_panel(width, items_left(view)))
    left = (width - 2 * plate.across - gap) // 2
    top = layout.title + layout.sea + gap
    for i, image in enumerate(panels):
        x, y = left + i % 2 * (plate.across + gap), top + i // 2 * (plate.high + gap)
        canvas.lay(image, x - plate.rim, y - plate.rim)
