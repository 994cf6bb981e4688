"""The board of Blue Lagoon: rings, items, pieces, codes and flowers on the ground of its map.

Lengths are in units of the layout, in which a hex is 86.4 wide, unless they say otherwise.
"""

from collections.abc import Sequence
from math import dist

from PIL import Image, ImageDraw

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.ground import circle_of, ground_of
from render.blue_lagoon.layout import Layout
from render.blue_lagoon.marks import PIECES, border, foot_code, last_ring, legal_code, legal_ring
from render.blue_lagoon.news import NewsItem
from render.canvas import OPAQUE, Canvas, Sprite, current_mode
from render.chrome import LEAST, share
from render.free_space import FreeSpace
from render.items import ITEMS as ICONS
from render.news import sprites_by_size
from render.pieces import disc

MOST_RINGS = 60
"""If more spaces are legal, their whole area is lit and outlined, instead of ringing each."""
LIGHTENING = 0.2
LIGHTEN = [round(light + (255 - light) * LIGHTENING) for light in range(256)] * 3
"""Pillow's table that lightens red, green and blue."""

ITEM = 46
ITEM_UP = 7
PIECE = 62
PIECE_UP = 9
"""Items and pieces stand above the middle of their place, which leaves room for the code."""
SIGN = 42
SIGN_DOWN = 3
FLOWER = 38
FLOWER_TEXT = 30
FLOWER_PLACES = (
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
)
"""Where a flower may lie, from the middle of its space, the best first: at the corners."""
MOST_COVERED_BY_FLOWER = 300
"""Pixels of pieces that a flower may cover; a pixel of text counts twenty times."""
CODE_HALF_WIDTH = 0.45
"""Half the width of a printed code with its surroundings, as a share of the hex."""
CODE_HALF_HEIGHT = 0.6
"""Half its height, as a share of the font size."""
CODE_NEAR_FLOWER = 1.3
"""How far away printed codes are kept free of a place's flower, as a share of the hex."""


def draw_board(
    view: BlueLagoonView, scene: Scene, layout: Layout, news: Sequence[NewsItem]
) -> Canvas:
    """Return a canvas of the whole picture with the board drawn on it."""
    ground = ground_of(view.map, len(view.sides))
    # Once the match is over, nobody needs codes any more.
    is_over = view.outcome is not None
    canvas = Canvas((ground.clean if is_over else ground.coded).copy())
    legal = {spot for spot in scene.rings if spot in layout.centres}
    news = [news_item for news_item in news if news_item.spot in layout.centres]
    marked = {news_item.spot for news_item in news}
    filled = {piece.spot for piece in view.pieces} | {spot for spot, _ in view.items}

    # These spaces get a code of another kind, or at their foot, so the printed codes are removed.
    for spot in filled | legal | marked:
        x, y = layout.centres[spot]
        across = round(layout.hex * CODE_HALF_WIDTH)
        high = round(layout.code_size * CODE_HALF_HEIGHT)
        canvas.restore(ground.clean, (x - across, y - high, x + across, y + high))
    # A ring would cut a palm in two: such palms are removed.
    for palm in ground.palms:
        if palm.near & (legal | marked):
            canvas.put(palm.without, *palm.foot)

    if len(legal) > MOST_RINGS:
        _light_places(canvas, layout, legal)
        _bound_places(canvas, layout, legal)
    else:
        _put_rings(canvas, layout, legal)
    for news_item in news:
        ring = last_ring(layout.hex, layout.side, news_item.mark.age)
        canvas.put(ring, *layout.centres[news_item.spot])

    space = FreeSpace(layout.width, layout.height)
    _put_pieces(canvas, layout, view, space)
    if not is_over:
        _put_codes(canvas, layout, filled, legal, marked, space)
        _keep_codes_free(layout, filled | legal, marked, space)
    _put_flowers(canvas, layout, news, space)
    return canvas


def _light_places(canvas: Canvas, layout: Layout, legal: set[str]) -> None:
    """Lighten the area of the legal places."""
    zoom = current_mode().zoom
    area = Image.new("L", (layout.width * zoom, layout.height * zoom))
    pen = ImageDraw.Draw(area)
    for spot in legal:
        outline = layout.outline(layout.board.by_code[spot])
        corners = [(x * zoom, (y + layout.title) * zoom) for x, y in outline]
        pen.polygon(corners, fill=OPAQUE)
    canvas.tint(canvas.image.point(LIGHTEN), area)


def _bound_places(canvas: Canvas, layout: Layout, legal: set[str]) -> None:
    """Draw a white line between legal places and what is not legal."""
    borders = []
    for (start, end), places in layout.sides.items():
        if sum(place.code in legal for place in places) == 1:
            x, y = layout.corner(start)
            end_x, end_y = layout.corner(end)
            lines = border(layout.hex, end_x - x, end_y - y)
            borders.append((lines, (x + end_x) // 2, (y + end_y) // 2 + layout.title))
    # All dark lines before all white ones: otherwise an end of one would lie on the next.
    for layer in (0, 1):
        for lines, x, y in borders:
            canvas.put(lines[layer], x, y)


def _put_rings(canvas: Canvas, layout: Layout, legal: set[str]) -> None:
    for spot in sorted(legal):
        place = layout.board.by_code[spot]
        x, y = layout.centres[spot]
        canvas.put(legal_ring(layout.hex, layout.side, bool(place.island)), x, y)
        if place.circle:
            # The ring is filled and has covered the stone circle.
            canvas.put(circle_of(layout), x, y - layout.circle_up)


def _put_pieces(canvas: Canvas, layout: Layout, view: BlueLagoonView, space: FreeSpace) -> None:
    """Put items and pieces on their places, and the values of islands."""
    units = layout.units

    def put(sprite: Sprite, x: int, y: int, shows: str) -> None:
        canvas.put(sprite, x, y, shows)
        space.occupy(sprite, x, y)

    for spot, item in view.items:
        x, y = layout.centres[spot]
        put(ICONS[item](units(ITEM)), x, y - units(ITEM_UP), f"item:{spot}")

    # From north to south: a piece may reach over the place behind it.
    for piece in sorted(view.pieces, key=lambda piece: layout.centres[piece.spot][1]):
        x, y = layout.centres[piece.spot]
        sprite = PIECES[piece.piece](piece.seat, units(PIECE))
        put(sprite, x, y - units(PIECE_UP), f"owner:{piece.spot}")

    # Signs lie on corners of the grid, over the edges of the pieces around them.
    for corner, value in layout.signs.items():
        x, y = layout.corner(corner)
        y += layout.title + units(SIGN_DOWN)
        put(disc(str(value), units(SIGN)), x, y, f"value:{value}")


def _put_codes(
    canvas: Canvas,
    layout: Layout,
    filled: set[str],
    legal: set[str],
    marked: set[str],
    space: FreeSpace,
) -> None:
    """Put the codes that were removed on top of everything, at the foot of filled places."""
    for place in layout.board.places:
        if place.code not in filled | legal | marked:
            continue
        x, y = layout.centres[place.code]
        if place.code in filled:
            y += layout.foot
        code = legal_code(layout, place) if place.code in legal else foot_code(layout, place)
        canvas.put(code, x, y, f"code:{place.code}")
        space.occupy(code, x, y, is_read=True)


def _keep_codes_free(
    layout: Layout, replaced: set[str], marked: set[str], space: FreeSpace
) -> None:
    """Mark the codes printed around spaces with news as taken, unless they were replaced."""
    reach = layout.hex * CODE_NEAR_FLOWER
    flowers = [layout.centres[spot] for spot in marked]
    for place in layout.board.places:
        x, y = layout.centres[place.code]
        if place.code in replaced | marked or all(
            dist((x, y), flower) > reach for flower in flowers
        ):
            continue
        # This sprite covers almost the same pixels as the printed code.
        space.occupy(foot_code(layout, place), x, y, is_read=True)


def _put_flowers(
    canvas: Canvas, layout: Layout, news: Sequence[NewsItem], space: FreeSpace
) -> None:
    """Put a hibiscus at a corner of each place where a piece was placed."""
    text_size = min(layout.units(FLOWER_TEXT), share(layout.width, LEAST))
    for news_item in news:
        x, y = layout.centres[news_item.spot]
        places = [
            (x + layout.units(right), y + layout.units(down)) for right, down in FLOWER_PLACES
        ]
        sprites = sprites_by_size(layout.units(FLOWER), news_item.mark, text_size)
        sprite, place = space.fit_sprite(sprites, places, MOST_COVERED_BY_FLOWER)
        canvas.put(sprite, *place, f"news:{news_item.mark.number}")
        space.occupy(sprite, *place, is_read=True)
