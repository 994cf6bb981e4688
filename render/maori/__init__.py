"""The pictures of Maori, put together here.

layout       where everything stands
news         what happened since the last post
chart        the sheet with the matrix and the discoverer's track
panels       the players' panels, each with its board (boards), and the supply
tiles        the tiles on both, made of their ground (tile_ground) and sprites
marks        rings, prices and codes of what may be chosen
scores       the score sheet
words        the picture in words
sample       positions on which the palette is trained
"""

from collections.abc import Sequence

from PIL import Image

from engine.maori.board import board_of
from engine.maori.matrix import CELLS, POSITIONS
from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, drawable_names, title_of, title_strip
from render.hints import Advised, put_hint
from render.maori.chart import draw_chart
from render.maori.layout import (
    CELL_SIZE,
    LARGE_PANEL,
    PANEL_GAP,
    PICTURE_WIDTH,
    SHEET_TOP,
    locate_berth,
    locate_cell,
    locate_panel,
    measure_height,
)
from render.maori.news import collect_news
from render.maori.panels import (
    RIM,
    describe_player,
    draw_large_panel,
    draw_small_panel,
    draw_supply_panel,
    order_seats,
    phase_lines,
    put_legend,
    stage_of,
)
from render.maori.scores import score_sheet, score_text
from render.maori.words import alt_text, hand, text_board
from render.palette import BACKDROP
from render.ranks import ranks_of

HINT_RADIUS = 0.56
"""The radius of the golden ring around an advised space, as a share of its width."""
HINT_BERTH_RADIUS = 30
"""The radius of the ring around a position of the track, in pixels: it stays within the picture."""

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: MaoriView, scene: Scene) -> Image.Image:
    """Draw the matrix and everybody's board, which never change their positions during a match."""
    seats = len(view.sides)
    names = drawable_names(scene.names, seats)
    news = collect_news(view, scene)
    canvas = Canvas.blank(PICTURE_WIDTH, measure_height(seats), BACKDROP)
    chip = chip_of(view, names)
    canvas.lay(
        title_strip(PICTURE_WIDTH, title_of(view), phase_lines(view), chip, stage_of(view)), 0, 0
    )
    canvas.lay(draw_chart(view, scene.rings, news), PANEL_GAP, SHEET_TOP)

    ranks = ranks_of(view)
    panels: list[Image.Image] = []
    for seat in order_seats(view):
        player = describe_player(view, seat, names[seat], scene.rings, news, ranks[seat])
        panels.append(draw_small_panel(player) if panels else draw_large_panel(player))
    if seats % 2 == 0:
        # Small panels stand in pairs: if they are odd, the last row has room for the supply.
        panels.append(draw_supply_panel(view))
    for number, panel in enumerate(panels):
        # These are the coordinates of the panel's paper, without the rim for the gold outline.
        x, y = locate_panel(number)
        canvas.lay(panel, x - RIM, y - RIM)
    if scene.ringed == "advised":
        board = (0, SHEET_TOP, PICTURE_WIDTH, canvas.height)
        put_hint(canvas, board, _list_advised(view, scene.rings))
    put_legend(canvas, view)
    return canvas.image


def _list_advised(view: MaoriView, rings: Sequence[str]) -> list[Advised]:
    """Return the advised berths and tiles of the matrix, and spaces of the viewer's board."""
    found = []
    cells = tuple(CELLS)
    spaces = board_of(view.board).by_code
    panel_x, panel_y = locate_panel(0)
    for spot in rings:
        if spot in POSITIONS:
            x, y = locate_berth(spot)
            found.append(Advised(spot, PANEL_GAP + x, SHEET_TOP + y, HINT_BERTH_RADIUS))
        elif spot in cells:
            x, y = locate_cell(cells.index(spot))
            half = CELL_SIZE // 2
            radius = round(CELL_SIZE * HINT_RADIUS)
            found.append(Advised(spot, PANEL_GAP + x + half, SHEET_TOP + y + half, radius))
        elif spot in spaces and view.viewer is not None:
            cell, space = LARGE_PANEL.cell, spaces[spot]
            x = panel_x + LARGE_PANEL.board[0] + space.column * cell + cell // 2
            y = panel_y + LARGE_PANEL.board[1] + space.row * cell + cell // 2
            found.append(Advised(spot, x, y, round(cell * HINT_RADIUS)))
    return found
