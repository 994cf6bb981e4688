"""The winner's plate, which takes the place of the chart in the final picture."""

import math
from collections.abc import Sequence

from PIL import Image

from engine.conquest.view import ConquestView
from engine.core.words import points
from render.canvas import Brush, Canvas, Sprite, cached
from render.chrome import PaperSize, paper, share
from render.conquest.layout import CHART, PLATE_RADIUS, PLATE_RIM, TEXT, WIDTH
from render.fonts import Face, fit_text, write, write_words
from render.palette import BACKDROP, INK, JUNGLE, KEYLINE, MUTED
from render.pieces import badge
from render.ranks import winners_of
from render.shapes import Outline, ellipse
from render.words import words_of

WORDS = words_of("conquest")

# Lengths are in pixels.
BADGE = share(WIDTH, 0.066)
SHARED_BADGE = share(WIDTH, 0.05)
BADGE_LINE = round(CHART[1] * 0.32)
NAME_LINE = round(CHART[1] * 0.705)
POINTS_LINE = round(CHART[1] * 0.865)
NAME_TEXT = share(WIDTH, 0.036)
POINTS_TEXT = share(WIDTH, 0.0265)
MARGIN = share(WIDTH, 0.014)

LEAVES = 7
"""The number of leaves on each side of the wreath."""
WREATH_RADIUS = 48
LEAF_LENGTH, LEAF_BREADTH = 13, 5.5
FIRST_LEAF_ANGLE, LEAF_STEP = 62, -21
"""In degrees; from the foot of the wreath up."""


def draw_winner(view: ConquestView, names: Sequence[str]) -> Image.Image:
    """Draw who has won in a wreath, with how many points and in which turn."""
    canvas = Canvas.blank(*CHART, BACKDROP)
    rim = PLATE_RIM
    plate = PaperSize(CHART[0] - 2 * rim, CHART[1] - 2 * rim, rim, 0, PLATE_RADIUS)
    canvas.put(paper(plate, active=False, won=True), rim, rim)
    winners = winners_of(view)
    middle = CHART[0] // 2
    if len(winners) == 1:
        canvas.put(_wreath(), middle, BADGE_LINE)
    size = BADGE if len(winners) == 1 else SHARED_BADGE
    for place, seat in enumerate(winners):
        right = round((place - (len(winners) - 1) / 2) * size)
        canvas.put(badge(seat, size), middle + right, BADGE_LINE)
    room = CHART[0] - 2 * (rim + MARGIN)
    name = WORDS.and_list([names[seat] for seat in winners])
    shown, text_size = fit_text(name, Face.TITLE, NAME_TEXT, TEXT, room)
    write(canvas, middle, NAME_LINE, shown, Face.TITLE, text_size, INK, "m")
    text = WORDS.say("winner.points", points=points(view.scores[winners[0]]), turn=view.turn)
    write_words(canvas, middle, POINTS_LINE, text, Face.STRONG, (POINTS_TEXT, 1), room, MUTED, "m")
    return canvas.image


@cached(1)
def _wreath() -> Sprite:
    """Return two branches of leaves around a badge."""
    reach = WREATH_RADIUS + LEAF_LENGTH + 4
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    leaves: list[Outline] = []
    for side in (-1, 1):
        for leaf in range(LEAVES):
            angle = math.radians(FIRST_LEAF_ANGLE + LEAF_STEP * leaf)
            x = side * WREATH_RADIUS * math.cos(angle)
            y = WREATH_RADIUS * math.sin(angle)
            turn = side * (FIRST_LEAF_ANGLE + LEAF_STEP * leaf - 70)
            leaves.append(ellipse(x, y, LEAF_LENGTH, LEAF_BREADTH, turn))
    brush.paint(brush.grow(leaves, 2), KEYLINE)
    for leaf_outline in leaves:
        brush.fill(leaf_outline, JUNGLE)
    return brush.finish()
