"""The pictures of Polynesia, put together here.

layout       where everything stands; places finds room for the members of an island
news         what happened since the last post
ground       the sea without pieces
sea          everything that is put on it, made of sprites and marks
strip        stones, Phase Track, Tide cards and the legend below the sea
panels       the players' panels
scores       the score sheet
words        the picture in words
"""

from collections.abc import Sequence

from PIL import Image

from engine.polynesia.view import PolynesiaView
from render import Scene
from render.canvas import Canvas
from render.chrome import GAP, chip_of, drawable_names, share, title_of, title_strip
from render.hints import Advised, put_hint
from render.polynesia.ground import draw_ground
from render.polynesia.layout import PICTURE_WIDTH, Layout, layout_of, to_pixels
from render.polynesia.news import NewsItem, collect_news
from render.polynesia.panels import (
    describe_owner,
    draw_bag_panel,
    draw_seat_panel,
    panel_plate,
    phase_lines,
    stage_of,
)
from render.polynesia.scores import score_sheet, score_text
from render.polynesia.sea import put_sea
from render.polynesia.strip import draw_legend, draw_stones_card, draw_tide_cards, put_strip
from render.polynesia.words import alt_text, hand, text_board
from render.ranks import ranks_of

HINT_MARGIN, HINT_ROUTE_RADIUS = 4, 40
"""How far the golden ring is outside an advised island, and its radius around a route; in units of
the layout.
"""

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: PolynesiaView, scene: Scene) -> Image.Image:
    """Draw the sea with title strip, volcano, Tide cards and panels."""
    layout = layout_of(view.map)
    ground = draw_ground(view.map, len(view.sides), view.over)
    canvas = Canvas(ground.image.copy())
    news = collect_news(view, scene)
    names = drawable_names(scene.names, len(view.sides))

    put_sea(canvas, view, scene.rings, news, ground.open_sea)
    if scene.ringed == "advised":
        board = (0, layout.title_height, PICTURE_WIDTH, layout.sea_bottom)
        put_hint(canvas, board, _list_advised(layout, scene.rings))
    chip = chip_of(view, names)
    canvas.lay(
        title_strip(PICTURE_WIDTH, title_of(view), phase_lines(view), chip, stage_of(view)), 0, 0
    )
    changed = tuple((where, news_item.mark) for news_item in news for where in news_item.strip)
    marker = "" if view.over else view.marker
    stones = draw_stones_card(view.lava, view.bag, marker, changed)
    put_strip(canvas, layout.sea_bottom, stones, draw_tide_cards(view.tides, view.pool))
    legend = draw_legend()
    canvas.lay(legend, 0, layout.panels_top - legend.height // canvas.zoom)
    _put_panels(canvas, layout, view, names, news)
    return canvas.image


def _list_advised(layout: Layout, rings: Sequence[str]) -> list[Advised]:
    """Return the advised islands, and the passages by the middle of their routes."""
    found = []
    for spot in rings:
        if spot in layout.board.island:
            middle = layout.to_picture(layout.middles[spot])
            half_width, _ = layout.half_size(layout.board.island[spot])
            found.append(Advised(spot, *middle, to_pixels(half_width + HINT_MARGIN)))
        elif spot in layout.board.passage:
            route = layout.board.passage[spot].route
            middle = layout.to_picture(layout.route_middle(route))
            found.append(Advised(spot, *middle, to_pixels(HINT_ROUTE_RADIUS)))
    return found


def _put_panels(
    canvas: Canvas,
    layout: Layout,
    view: PolynesiaView,
    names: Sequence[str],
    news: Sequence[NewsItem],
) -> None:
    """Put the panels in pairs below the legend."""
    ranks = ranks_of(view)
    panels = []
    for seat, name in enumerate(names):
        panels.append(draw_seat_panel(describe_owner(view, seat, name, news, ranks[seat])))
    if len(panels) % 2:
        # Three seats leave a place free.
        panels.append(draw_bag_panel(view.bag))
    plate = panel_plate()
    gap = share(PICTURE_WIDTH, GAP)
    left = (PICTURE_WIDTH - 2 * plate.width - gap) // 2
    for number, panel in enumerate(panels):
        row, column = divmod(number, 2)
        x = left + column * (plate.width + gap)
        y = layout.panels_top + row * (plate.height + gap)
        canvas.lay(panel, x - plate.rim, y - plate.rim)
