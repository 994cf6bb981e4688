"""The band of the Exploration Step: the rope of Knots, the Lost Box, and the cup of markers."""

from PIL import Image

from engine.conquest.view import ConquestView
from render.canvas import Canvas, cached
from render.chrome import PaperSize, paper, share
from render.conquest.layout import EXPLORATION_HEIGHT, PLATE_RADIUS, PLATE_RIM, TEXT, WIDTH
from render.conquest.panels import markers_left
from render.conquest.tokens import DARK_ROPE, explorer, rope_knot, whirlpool
from render.conquest.tokens import ROPE as ROPE_COLOUR
from render.fonts import Face, text_width, write
from render.palette import BACKDROP, INK, MUTED
from render.words import words_of

WORDS = words_of("conquest")

USUAL_LIMIT = 4
"""Knots with which an Explorer may sail on; a card can raise it."""
MARKER_KINDS = ("offcourse", "ocean", "island")
"""From the right."""

# Lengths are in pixels.
SIDE_EDGE = share(WIDTH, 0.008)
TOP_EDGE = SIDE_EDGE // 2
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
SPACE = share(WIDTH, 0.008)
SPACES = 16
"""How many of them lie between the things of the band."""
KNOT = share(WIDTH, 0.03)
ROPE_LENGTH = share(WIDTH, 0.16)
ROPE_HALF_WIDTH = 4
ROPE_CORE_HALF_WIDTH = 2
WHIRLPOOL = share(WIDTH, 0.04)
LOST_EXPLORER = share(WIDTH, 0.031)
LOST_EXPLORER_STEP = share(WIDTH, 0.018)
MIDDLE = EXPLORATION_HEIGHT // 2


def is_exploring(view: ConquestView) -> bool:
    """Return whether the band is shown: Knots matter only while Explorers are sent out."""
    if view.outcome is not None:
        return False
    return view.step == "exploration" or view.voyage is not None


def draw_exploration(view: ConquestView) -> Image.Image:
    """Draw the Knots of the voyage under way, lost Explorers, and what may be drawn."""
    knots, limit, heading = 0, USUAL_LIMIT, WORDS.say("rope.knots")
    voyage = view.voyage
    if voyage is not None:
        limit = voyage.limit
        if voyage.kumara:
            # The search for Kumara goes by the die and ties no Knots.
            heading = WORDS.say("rope.kumara")
        else:
            knots = voyage.knots
    lost = tuple(seat for seat, nation in enumerate(view.nations) if nation.explorer == "lost")
    return _draw_band(knots, limit, lost, heading, view.cup)


# 1 ms to draw, and panels of a voyage show it again and again.
@cached(64)
def _draw_band(
    knots: int, limit: int, lost: tuple[int, ...], heading: str, cup: tuple[int, ...]
) -> Image.Image:
    """Draw the band; `lost` are the seats whose Explorers are lost."""
    canvas = Canvas.blank(WIDTH, EXPLORATION_HEIGHT, BACKDROP)
    plate = PaperSize(
        WIDTH - 2 * SIDE_EDGE, EXPLORATION_HEIGHT - 2 * TOP_EDGE, PLATE_RIM, 0, PLATE_RADIUS
    )
    canvas.put(paper(plate, False), SIDE_EDGE, TOP_EDGE)

    to_return, to_lost = WORDS.say("rope.return"), WORDS.say("rope.lost")
    counts = markers_left(cup)
    markers = [(WORDS.say(f"markers.{kind}"), str(counts[kind])) for kind in MARKER_KINDS]
    cup_label = WORDS.say("markers.cup")
    lost_box = WHIRLPOOL + LOST_EXPLORER_STEP * max(0, len(lost) - 1)

    # All text has one size: the usual one unless another language needs more room.
    labels = [to_return, to_lost, *(name for name, _ in markers)]
    strong = [heading, cup_label, *(number for _, number in markers)]
    room = WIDTH - 2 * (SIDE_EDGE + MARGIN) - ROPE_LENGTH - 2 * KNOT - lost_box - SPACES * SPACE
    size = TEXT
    while size > 1:
        taken = sum(text_width(text, Face.LABEL, size) for text in labels)
        taken += sum(text_width(text, Face.STRONG, size) for text in strong)
        if taken <= room:
            break
        size -= 1

    # From the left: the rope with its Knots, and the place at which the Explorer has to return.
    x = SIDE_EDGE + MARGIN
    x += write(canvas, x, MIDDLE, heading, Face.STRONG, size, INK) + 2 * SPACE
    x = _draw_rope(canvas, x, knots, limit) + KNOT // 2 + SPACE
    x += write(canvas, x, MIDDLE, to_return, Face.LABEL, size, MUTED) + 2 * SPACE

    # The Lost Box.
    whirlpool_x = x + WHIRLPOOL // 2
    canvas.put(whirlpool(WHIRLPOOL), whirlpool_x, MIDDLE)
    for place, seat in enumerate(lost):
        explorer_x = whirlpool_x + place * LOST_EXPLORER_STEP
        canvas.put(explorer(seat, LOST_EXPLORER, None), explorer_x, MIDDLE)
    write(canvas, x + lost_box + SPACE, MIDDLE, to_lost, Face.LABEL, size, MUTED)

    # The cup stands at the right end: what an Explorer may meet.
    right = WIDTH - SIDE_EDGE - MARGIN
    for name, number in markers:
        right -= write(canvas, right, MIDDLE, name, Face.LABEL, size, MUTED, "r") + SPACE
        right -= write(canvas, right, MIDDLE, number, Face.STRONG, size, INK, "r") + 2 * SPACE
    write(canvas, right, MIDDLE, cup_label, Face.STRONG, size, INK, "r")
    return canvas.image


def _draw_rope(canvas: Canvas, x: int, knots: int, limit: int) -> int:
    """Draw the rope from a place on, and return where it ends.

    It is always as long: with a card that raises the limit, its Knots lie closer together.
    """
    step = ROPE_LENGTH // limit
    start = x - SPACE // 2
    end = x + step * limit + step // 2
    canvas.cover((start, MIDDLE - ROPE_HALF_WIDTH, end, MIDDLE + ROPE_HALF_WIDTH), DARK_ROPE)
    core = (start, MIDDLE - ROPE_CORE_HALF_WIDTH, end, MIDDLE + ROPE_CORE_HALF_WIDTH)
    canvas.cover(core, ROPE_COLOUR)
    for number in range(limit):
        kind = "tied" if number < knots else "free"
        canvas.put(rope_knot(KNOT, kind), x + step * number + step // 2, MIDDLE)
    canvas.put(rope_knot(KNOT, "returned" if knots > limit else "return"), end, MIDDLE)
    return end
