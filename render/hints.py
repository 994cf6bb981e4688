"""Draws a hint: everything but the advised spots is veiled, and these are ringed in gold.

It must not look like the rings of all that may be chosen, so a test compares them.
"""

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image, ImageDraw

from render.canvas import Box, Brush, Canvas, Sprite, cached, current_mode
from render.chrome import LEAST, share
from render.fonts import Face, label, text_width
from render.palette import ACTIVE, CASING, INK
from render.pieces import overlay
from render.shapes import ellipse, rectangle

VEIL = 0.3
"""How much of its brightness a veiled board loses."""
RING, RING_CASING = 0.005, 0.0105
"""Widths of the golden ring and of the dark line around it, as shares of the picture's width."""
PILL_TEXT = LEAST * 1.15
PILL_MARGIN = 0.014
PILL_HALF_HEIGHT = 0.019
PILL_OUTLINE = 0.003


class Advised(Struct, frozen=True):
    """A spot that a hint names: its middle and radius in pixels, and its code."""

    code: str
    x: int
    y: int
    radius: int


def put_hint(canvas: Canvas, board: Box, places: Sequence[Advised]) -> None:
    """Veil a board except the advised places, ring those in gold and name them."""
    if not places:
        return
    pills = [_pill(place.code.upper(), canvas.width) for place in places]
    sides = [
        _find_calm_side(canvas, board, place, pill)
        for place, pill in zip(places, pills, strict=True)
    ]
    zoom = current_mode().zoom
    left, top, right, bottom = (value * zoom for value in board)
    veil = Image.new("L", (right - left, bottom - top), round(255 * VEIL))
    pen = ImageDraw.Draw(veil)
    for place in places:
        x, y, radius = place.x * zoom - left, place.y * zoom - top, place.radius * zoom
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=0)
    canvas.image.paste((0, 0, 0), (left, top, right, bottom), veil)
    for place in places:
        canvas.put(_ring(place.radius, canvas.width), place.x, place.y)
    for place, pill, side in zip(places, pills, sides, strict=True):
        canvas.put(pill, *side, f"advised:{place.code}")


def _find_calm_side(canvas: Canvas, board: Box, place: Advised, pill: Sprite) -> tuple[int, int]:
    """Return where beside a ring its pill hides least: where the board is most of one colour."""
    left, top, right, bottom = board
    half_width, half_height = pill.anchor
    # A ring near the side of the board has its pill a little further in.
    level = min(max(place.x, left + half_width), right - half_width)
    across, down = place.radius + half_width, place.radius + half_height
    sides = (
        (level, place.y + down),
        (level, place.y - down),
        (place.x + across, place.y),
        (place.x - across, place.y),
    )
    variety: dict[tuple[int, int], float] = {}
    for x, y in sides:
        box = (x - half_width, y - half_height, x + half_width, y + half_height)
        if left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom:
            variety[x, y] = canvas.variety(box)
    return min(variety, key=variety.__getitem__, default=sides[0])


@cached(32)
def _ring(radius: int, picture: int) -> Sprite:
    """Return a golden ring in a dark casing."""
    line, casing = picture * RING, picture * RING_CASING
    reach = round(radius + casing) + 1
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    brush.ring(ellipse(0, 0, radius), casing, CASING)
    brush.ring(ellipse(0, 0, radius), line, ACTIVE)
    return brush.finish()


@cached(64)
def _pill(code: str, picture: int) -> Sprite:
    """Return a golden pill with a code."""
    size = share(picture, PILL_TEXT)
    half = text_width(code, Face.STRONG, size) / 2 + picture * PILL_MARGIN
    up, outline = picture * PILL_HALF_HEIGHT, picture * PILL_OUTLINE
    reach_x, reach_y = round(half + outline) + 1, round(up + outline) + 1
    brush = Brush(2 * reach_x, 2 * reach_y, at=(reach_x, reach_y))
    grown = (half + outline, up + outline)
    brush.fill(rectangle(-grown[0], -grown[1], *grown, grown[1]), CASING)
    brush.fill(rectangle(-half, -up, half, up, up), ACTIVE)
    return overlay(brush.finish(), label(code, Face.STRONG, size, INK, "m"), 0, 0)
