"""The pictures of Blue Lagoon."""

from PIL import Image, ImageDraw

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.ground import circle_of, dim_ground_of, ground_of
from render.blue_lagoon.layout import Layout, lattice_of, layout_of
from render.blue_lagoon.marks import PIECES, foot_code, last_ring, legal_ring, live_code
from render.blue_lagoon.panels import items_left, phase_lines, side_panel, supply_panel
from render.blue_lagoon.scores import score_sheet, score_text
from render.blue_lagoon.words import alt_text, hand, text_board
from render.canvas import Canvas, mode
from render.chrome import GAP, chip_of, names_for, plate_of, share, title_of, title_strip
from render.items import ITEMS as ICONS
from render.nature import hibiscus
from render.pieces import disc

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]

MOST_RINGS = 60
"""With more legal places than this the others are darkened instead."""
ITEM, PIECE, SIGN, FLOWER = 46, 62, 42, 38
"""The sizes of what is put on the board, in units of the layout."""


def draw(view: BlueLagoonView, scene: Scene) -> Image.Image:
    """The board with title strip and panels."""
    seats = len(view.sides)
    layout = layout_of(view.map, seats)
    ground = ground_of(view.map, seats)
    canvas = Canvas(ground.coded.copy())

    legal = {spot for spot in scene.rings if spot in layout.centres}
    filled = {standing.spot for standing in view.pieces}
    filled |= {spot for spot, _ in view.items}

    # Either a few legal places are ringed, or the many others are darkened.
    is_dim = len(legal) > MOST_RINGS
    under = dim_ground_of(view.map, seats) if is_dim else ground
    ringed = set() if is_dim else legal
    if is_dim:
        canvas.tint(under.coded, _illegal(layout, legal))

    # These places get codes of another kind, or theirs at the foot: so the printed ones go first.
    for spot in filled | legal:
        clean = ground.clean if spot in legal else under.clean
        _unprint(canvas, layout, clean, spot)
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
            outline = [(x * zoom, (y + layout.title) * zoom) for x, y in layout.outline(place)]
            pen.polygon(outline, fill=255)
    return area


def _unprint(canvas: Canvas, layout: Layout, clean: Image.Image, spot: str) -> None:
    """Take the printed code off a place."""
    x, y = layout.centres[spot]
    across = round(layout.hex * 0.45)
    high = round(layout.code_size * 0.6)
    canvas.restore(clean, (x - across, y - high, x + across, y + high))


def _put_rings(canvas: Canvas, layout: Layout, legal: set[str], last: str) -> None:
    for spot in sorted(legal):
        place = layout.board.by_code[spot]
        x, y = layout.centres[spot]
        canvas.put(legal_ring(layout.hex, layout.side, bool(place.island)), x, y)
        if place.circle:
            # The ring is filled and has covered it.
            canvas.put(circle_of(layout), x, y - layout.circle_up)
    if last in layout.centres:
        canvas.put(last_ring(layout.hex, layout.side), *layout.centres[last])


def _put_pieces(canvas: Canvas, layout: Layout, view: BlueLagoonView) -> None:
    """Items and pieces, somewhat above the middle of their places: below them is room for the code."""
    for spot, item in view.items:
        x, y = layout.centres[spot]
        canvas.put(ICONS[item](layout.units(ITEM)), x, y - layout.units(7), f"item:{spot}")

    # From north to south: a piece may reach over the place behind it.
    for standing in sorted(view.pieces, key=lambda piece: layout.centres[piece.spot][1]):
        x, y = layout.centres[standing.spot]
        piece = PIECES[standing.piece](standing.seat, layout.units(PIECE))
        canvas.put(piece, x, y - layout.units(9), f"owner:{standing.spot}")

    # Signs and the flower lie on corners of the grid, over the edges of the pieces around them.
    for corner, value in layout.signs.items():
        x, y = layout.corner(corner)
        sign = disc(str(value), layout.units(SIGN))
        canvas.put(sign, x, y + layout.title + layout.units(3), f"value:{value}")
    if view.last in layout.centres:
        x, y = layout.centres[view.last]
        across, down = lattice_of(layout.board.by_code[view.last])
        # At the upper right of the place, or at its upper left if an island's sign is there.
        side = -1 if (across + 1, down - 1) in layout.signs else 1
        canvas.put(hibiscus(layout.units(FLOWER)), x + side * layout.units(35), y - layout.units(23))


def _put_codes(canvas: Canvas, layout: Layout, filled: set[str], legal: set[str], is_dim: bool) -> None:
    """The codes that were taken off, over all that lies there: of filled places at their foot."""
    for place in layout.board.places:
        is_filled, is_legal = place.code in filled, place.code in legal
        if not (is_filled or is_legal):
            continue
        x, y = layout.centres[place.code]
        if is_filled:
            y += layout.foot
        code = live_code(layout, place) if is_legal else foot_code(layout, place, is_dim)
        canvas.put(code, x, y, f"code:{place.code}")


def _put_chrome(canvas: Canvas, layout: Layout, view: BlueLagoonView, scene: Scene) -> None:
    """The title strip above the sea, the panels below it in two columns."""
    width = layout.width
    names = names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(width, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)

    panels = []
    for seat, side in enumerate(view.sides):
        panels.append(side_panel(width, seat, names[seat], view.scores[seat], side, seat in view.to_move))
    if len(panels) % 2:
        panels.append(supply_panel(width, items_left(view)))

    plate, gap = plate_of(width), share(width, GAP)
    left = (width - 2 * plate.across - gap) // 2
    top = layout.title + layout.sea + gap
    for number, image in enumerate(panels):
        row, column = divmod(number, 2)
        x = left + column * (plate.across + gap)
        y = top + row * (plate.high + gap)
        # A panel's picture has a rim around it for the gold outline.
        canvas.lay(image, x - plate.rim, y - plate.rim)
