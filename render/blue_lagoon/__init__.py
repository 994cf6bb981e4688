"""The pictures of Blue Lagoon."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.ground import circle_of, ground_of
from render.blue_lagoon.layout import Layout, layout_of
from render.blue_lagoon.marks import PIECES, border, foot_code, last_ring, legal_ring, live_code
from render.blue_lagoon.news import Deed, deeds_of
from render.blue_lagoon.panels import items_left, phase_lines, side_panel, supply_panel
from render.blue_lagoon.scores import score_sheet, score_text
from render.blue_lagoon.words import alt_text, hand, text_board
from render.canvas import Canvas, Sprite, mode
from render.chrome import GAP, LEAST, chip_of, names_for, plate_of, share, title_of, title_strip
from render.items import ITEMS as ICONS
from render.news import by_size
from render.pieces import disc
from render.room import Room

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]

MOST_RINGS = 60
"""More legal places than this are not ringed one by one: all of them together are lit and
bounded.
"""
LIT = [round(light + (255 - light) * 0.2) for light in range(256)] * 3
ITEM, PIECE, SIGN, FLOWER = 46, 62, 42, 38
"""The sizes of what is put on the board, in units of the layout."""
FLOWERS = (
    *(
        (35, -23),
        (-35, -23),
        (0, -42),
        (35, 20),
        (-35, 20),
        (44, 0),
        (-44, 0),
        (0, 42),
        (40, -34),
        (-40, -34),
    ),
    *(
        (20, -44),
        (-20, -44),
        (40, -10),
        (-40, -10),
        (40, 10),
        (-40, 10),
        (20, 40),
        (-20, 40),
        (44, 28),
        (-44, 28),
    ),
)
"""Where the flower of a place may lie, from its middle, in units: at a corner if nothing is read
there.
"""
CROWDED = 300
"""So many pixels of pieces, or a twentieth of it of what is read, are too many for a flower to
cover.
"""


def draw(view: BlueLagoonView, scene: Scene) -> Image.Image:
    """The board with title strip and panels."""
    seats = len(view.sides)
    layout = layout_of(view.map, seats)
    ground = ground_of(view.map, seats)
    canvas = Canvas(ground.coded.copy())
    deeds = deeds_of(view, scene)

    legal = {spot for spot in scene.rings if spot in layout.centres}
    last = {deed.spot for deed in deeds if deed.spot in layout.centres}
    filled = {standing.spot for standing in view.pieces}
    filled |= {spot for spot, _ in view.items}

    # These places get codes of another kind, or theirs at the foot: so the printed ones go first.
    for spot in filled | legal | last:
        _unprint(canvas, layout, ground.clean, spot)
    for palm in ground.palms:
        if palm.near & (legal | last):
            canvas.put(palm.gone, *palm.foot)

    # Either a few legal places are ringed, or the many are lit and bounded together.
    if len(legal) > MOST_RINGS:
        canvas.tint(canvas.image.point(LIT), _area(layout, legal))
        _bound(canvas, layout, legal)
    else:
        _put_rings(canvas, layout, legal)
    for deed in deeds:
        if deed.spot in layout.centres:
            canvas.put(
                last_ring(layout.hex, layout.side, deed.mark.age), *layout.centres[deed.spot]
            )

    room = Room(layout.width, layout.height)
    _put_pieces(canvas, layout, view, room)
    _put_codes(canvas, layout, filled, legal, last, room)
    _put_flowers(canvas, layout, deeds, room)
    _put_chrome(canvas, layout, view, scene, deeds)
    return canvas.image


def _area(layout: Layout, spots: set[str]) -> Image.Image:
    """The area of some places."""
    zoom = mode().zoom
    area = Image.new("L", (layout.width * zoom, layout.height * zoom))
    pen = ImageDraw.Draw(area)
    for spot in spots:
        outline = layout.outline(layout.board.by_code[spot])
        pen.polygon([(x * zoom, (y + layout.title) * zoom) for x, y in outline], fill=255)
    return area


def _bound(canvas: Canvas, layout: Layout, legal: set[str]) -> None:
    """A white line around the places that may be chosen, wherever one that may not, or none, is
    beside them.
    """
    found = []
    for ends, places in layout.sides.items():
        if sum(place.code in legal for place in places) == 1:
            (x, y), (to_x, to_y) = (layout.corner(end) for end in ends)
            lines = border(layout.hex, to_x - x, to_y - y)
            found.append((lines, (x + to_x) // 2, (y + to_y) // 2 + layout.title))
    # All dark lines before all white ones, or an end of one would lie on the next.
    for layer in (0, 1):
        for lines, x, y in found:
            canvas.put(lines[layer], x, y)


def _unprint(canvas: Canvas, layout: Layout, clean: Image.Image, spot: str) -> None:
    """Take the printed code off a place."""
    x, y = layout.centres[spot]
    across = round(layout.hex * 0.45)
    high = round(layout.code_size * 0.6)
    canvas.restore(clean, (x - across, y - high, x + across, y + high))


def _put_rings(canvas: Canvas, layout: Layout, legal: set[str]) -> None:
    for spot in sorted(legal):
        place = layout.board.by_code[spot]
        x, y = layout.centres[spot]
        canvas.put(legal_ring(layout.hex, layout.side, bool(place.island)), x, y)
        if place.circle:
            # The ring is filled and has covered it.
            canvas.put(circle_of(layout), x, y - layout.circle_up)


def _put_pieces(canvas: Canvas, layout: Layout, view: BlueLagoonView, room: Room) -> None:
    """Items and pieces, somewhat above the middle of their places: below them is room for the
    code.
    """

    def put(sprite: Sprite, x: int, y: int, shows: str) -> None:
        canvas.put(sprite, x, y, shows)
        room.take(sprite, x, y)

    for spot, item in view.items:
        x, y = layout.centres[spot]
        put(ICONS[item](layout.units(ITEM)), x, y - layout.units(7), f"item:{spot}")

    # From north to south: a piece may reach over the place behind it.
    for standing in sorted(view.pieces, key=lambda piece: layout.centres[piece.spot][1]):
        x, y = layout.centres[standing.spot]
        piece = PIECES[standing.piece](standing.seat, layout.units(PIECE))
        put(piece, x, y - layout.units(9), f"owner:{standing.spot}")

    # Signs lie on corners of the grid, over the edges of the pieces around them.
    for corner, value in layout.signs.items():
        x, y = layout.corner(corner)
        put(
            disc(str(value), layout.units(SIGN)),
            x,
            y + layout.title + layout.units(3),
            f"value:{value}",
        )


def _put_codes(
    canvas: Canvas, layout: Layout, filled: set[str], legal: set[str], last: set[str], room: Room
) -> None:
    """The codes that were taken off, over all that lies there: of filled places at their foot."""
    for place in layout.board.places:
        is_filled, is_legal = place.code in filled, place.code in legal
        if not (is_filled or is_legal or place.code in last):
            continue
        x, y = layout.centres[place.code]
        if is_filled:
            y += layout.foot
        code = live_code(layout, place) if is_legal else foot_code(layout, place)
        canvas.put(code, x, y, f"code:{place.code}")
        room.take(code, x, y, is_read=True)


def _put_flowers(canvas: Canvas, layout: Layout, deeds: Sequence[Deed], room: Room) -> None:
    """A hibiscus at a corner of each place where a piece was placed."""
    for deed in deeds:
        if deed.spot in layout.centres:
            x, y = layout.centres[deed.spot]
            letters = min(layout.units(30), share(layout.width, LEAST))
            places = [(x + layout.units(right), y + layout.units(down)) for right, down in FLOWERS]
            sprite, at = room.fitting(
                by_size(layout.units(FLOWER), deed.mark, letters), places, CROWDED
            )
            canvas.put(sprite, *at, f"deed:{deed.mark.number}")
            room.take(sprite, *at, is_read=True)


def _put_chrome(
    canvas: Canvas, layout: Layout, view: BlueLagoonView, scene: Scene, deeds: Sequence[Deed]
) -> None:
    """The title strip above the sea, the panels below it in two columns."""
    width = layout.width
    names = names_for(scene.names, len(view.sides))
    canvas.lay(title_strip(width, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)

    panels = []
    for seat, side in enumerate(view.sides):
        mine = tuple(deed.mark for deed in deeds if deed.seat == seat)
        changed = {
            what: deed.mark for deed in deeds for whose, what in deed.panels if whose == seat
        }
        is_to_move = seat in view.to_move
        score = view.scores[seat]
        panels.append(
            side_panel(
                width, seat, names[seat], score, side, is_to_move, mine, tuple(changed.items())
            )
        )
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
