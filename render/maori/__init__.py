"""The pictures of Maori."""

from PIL import Image

from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import chip_of, names_for, title_of, title_strip
from render.maori.chart import chart_of
from render.maori.layout import PICTURE, SPACE, TOP, card_place, height
from render.maori.panels import (
    RIM,
    large_panel,
    marks_of,
    phase_lines,
    shown_seat,
    slot_of,
    small_panel,
    supply_panel,
)
from render.maori.scores import score_sheet
from render.maori.words import alt_text, hand, text_board
from render.palette import BACKDROP

__all__ = ["alt_text", "draw", "hand", "score_sheet", "text_board"]


def draw(view: MaoriView, scene: Scene) -> Image.Image:
    """The matrix and everybody's board; the one in question is large, the others follow in turn order."""
    seats = len(view.sides)
    names = names_for(scene.names, seats)
    canvas = Canvas.blank(PICTURE, height(seats), BACKDROP)
    canvas.lay(title_strip(PICTURE, title_of(view), phase_lines(view), chip_of(view, names)), 0, 0)
    canvas.lay(chart_of(view, scene.rings), SPACE, TOP)
    first = shown_seat(view)
    for number in range(seats):
        seat = (first + number) % seats
        made = small_panel if number else large_panel
        image = made(
            view.board,
            seat,
            names[seat],
            view.scores[seat],
            view.sides[seat],
            seat in view.to_move,
            marks_of(view, seat, scene.rings),
            slot_of(view, seat),
        )
        _lay(canvas, image, number)
    if seats % 2 == 0:
        _lay(canvas, supply_panel(view.tally, view.bank, view.rules, view.board), seats)
    return canvas.image


def _lay(canvas: Canvas, image: Image.Image, number: int) -> None:
    x, y = card_place(number)
    canvas.lay(image, x - RIM, y - RIM)
