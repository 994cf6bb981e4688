"""The pictures of Maori.

`layout` says where everything stands; `news` is what happened since the last post. On top lies the
`chart` with the matrix, and everybody's board (`boards`) in `panels`; on both the `tiles`, made of
`sprites`, with `marks` for what may be chosen. `scores` is the sheet of the end, `words` the
picture in words, `sample` what the palette is trained on.
"""

from PIL import Image

from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, names_for, title_of, title_strip
from render.maori.chart import chart_of
from render.maori.layout import PICTURE, SPACE, TOP, card_place, height
from render.maori.news import deeds_of
from render.maori.panels import (
    RIM,
    large_panel,
    phase_lines,
    player_of,
    seats_in_place,
    small_panel,
    supply_panel,
)
from render.maori.scores import score_sheet, score_text
from render.maori.words import alt_text, hand, text_board
from render.palette import BACKDROP

__all__ = ["alt_text", "draw", "hand", "score_sheet", "score_text", "text_board"]


def draw(view: MaoriView, scene: Scene) -> Image.Image:
    """The matrix and everybody's board, in places that do not change from turn to turn."""
    seats = len(view.sides)
    names = names_for(scene.names, seats)
    deeds = deeds_of(view, scene)
    canvas = Canvas.blank(PICTURE, height(seats), BACKDROP)
    title = title_strip(PICTURE, title_of(view), phase_lines(view), chip_of(view, names))
    canvas.lay(title, 0, 0)
    canvas.lay(chart_of(view, scene.rings, deeds), SPACE, TOP)

    for number, seat in enumerate(seats_in_place(view)):
        panel = large_panel if number == 0 else small_panel
        _lay(canvas, panel(player_of(view, seat, names[seat], scene.rings, deeds)), number)
    if seats % 2 == 0:
        # Small panels stand in pairs: with an odd number of them the last row has room for the
        # supply.
        _lay(canvas, supply_panel(view), seats)
    return canvas.image


def _lay(canvas: Canvas, panel: Image.Image, number: int) -> None:
    """A panel in its place: its paper stands there, the rim for the gold outline around it."""
    x, y = card_place(number)
    canvas.lay(panel, x - RIM, y - RIM)
