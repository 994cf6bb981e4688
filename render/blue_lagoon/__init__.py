"""The pictures of Blue Lagoon.

layout   where everything lies in a picture, for any map
ground   the board without pieces, drawn once for each map
board    items, pieces, rings and codes on the ground
marks    the sprites of rings and codes
panels   the seats' panels, and what still lies on the board
news     what happened since the last post
scores   the score sheet
words    the alt text, the board as text, what the viewer holds
"""

from PIL import Image

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.board import draw_board
from render.blue_lagoon.layout import layout_of
from render.blue_lagoon.news import collect_news
from render.blue_lagoon.panels import (
    draw_side_panel,
    draw_supply_panel,
    items_left,
    phase_lines,
    stage_of,
)
from render.blue_lagoon.scores import score_sheet, score_text
from render.blue_lagoon.words import alt_text, hand, text_board
from render.chrome import GAP, chip_of, drawable_names, panel_size, share, title_of, title_strip
from render.hints import Advised, put_hint
from render.ranks import ranks_of

HINT_RADIUS = 0.62
"""The radius of the golden ring around an advised space, as a share of a hex's width."""

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: BlueLagoonView, scene: Scene) -> Image.Image:
    """Draw the title strip, the board, and below it the panels in two columns."""
    layout = layout_of(view.map, len(view.sides))
    news = collect_news(view, scene)
    canvas = draw_board(view, scene, layout, news)
    width = layout.width
    if scene.ringed == "advised":
        board = (0, layout.title, width, layout.title + layout.sea)
        radius = round(layout.hex * HINT_RADIUS)
        spots = [spot for spot in scene.rings if spot in layout.centres]
        put_hint(canvas, board, [Advised(spot, *layout.centres[spot], radius) for spot in spots])
    names = drawable_names(scene.names, len(view.sides))
    chip = chip_of(view, names)
    canvas.lay(title_strip(width, title_of(view), phase_lines(view), chip, stage_of(view)), 0, 0)

    ranks = ranks_of(view)
    panels = []
    for seat, side in enumerate(view.sides):
        marks = tuple(news_item.mark for news_item in news if news_item.seat == seat)
        changed = {}
        for news_item in news:
            for whose, what in news_item.panels:
                if whose == seat:
                    changed[what] = news_item.mark
        panel = draw_side_panel(
            width,
            seat,
            names[seat],
            view.scores[seat],
            side,
            seat in view.to_move,
            marks,
            tuple(changed.items()),
            ranks[seat],
        )
        panels.append(panel)
    if len(panels) % 2:
        panels.append(draw_supply_panel(width, items_left(view)))

    plate, gap = panel_size(width), share(width, GAP)
    left = (width - 2 * plate.width - gap) // 2
    top = layout.title + layout.sea + gap
    for number, panel in enumerate(panels):
        row, column = divmod(number, 2)
        x = left + column * (plate.width + gap)
        y = top + row * (plate.height + gap)
        # The picture of a panel has a rim around it for the gold outline.
        canvas.lay(panel, x - plate.rim, y - plate.rim)
    return canvas.image
