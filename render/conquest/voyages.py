"""The band of the Exploration Step: the rope that counts Knots, the Lost Box, and the markers in
the cup.
"""

from PIL import Image

from engine.conquest.view import ConquestView
from render.canvas import Canvas, kept
from render.chrome import Plate, paper, share
from render.conquest.layout import PLATE_RADIUS, TEXT, VOYAGES, WIDTH
from render.conquest.panels import markers_left
from render.conquest.tokens import DARK_ROPE, explorer, rope_knot, whirlpool
from render.conquest.tokens import ROPE as ROPE_COLOUR
from render.fonts import Face, write
from render.palette import BACKDROP, INK, MUTED
from render.words import words_of

WORDS = words_of("conquest")

USUAL_LIMIT = 4
"""Knots with which an Explorer may go on, before any card."""
EDGE = share(WIDTH, 0.008)
"""Beside the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
SPACE = share(WIDTH, 0.008)
KNOT = share(WIDTH, 0.03)
ROPE_LONG = share(WIDTH, 0.16)
WHIRLPOOL = share(WIDTH, 0.04)
LOST_EXPLORER = share(WIDTH, 0.031)
MIDDLE = VOYAGES // 2


def is_exploring(view: ConquestView) -> bool:
    """Whether Explorers are sent out: in other Steps Knots do not matter."""
    return view.step == "exploration" or view.voyage is not None


def voyages_band(view: ConquestView) -> Image.Image:
    """Knots of the running voyage, lost Explorers, and what may be drawn."""
    knots, limit, head = 0, USUAL_LIMIT, WORDS.say("rope.knots")
    voyage = view.voyage
    if voyage is not None:
        limit = voyage.limit
        if voyage.kumara:
            # The search for Kumara goes by the die and ties no Knots.
            head = WORDS.say("rope.kumara")
        else:
            knots = voyage.knots
    lost = tuple(seat for seat, nation in enumerate(view.nations) if nation.explorer == "lost")
    return _band(knots, limit, lost, head, view.cup)


# 1 ms to draw, and panels of a voyage show it again and again.
@kept(64)
def _band(
    knots: int, limit: int, lost: tuple[int, ...], head: str, cup: tuple[int, ...]
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, VOYAGES, BACKDROP)
    edge = EDGE // 2
    canvas.put(
        paper(Plate(WIDTH - 2 * EDGE, VOYAGES - 2 * edge, 6, 0, PLATE_RADIUS), False), EDGE, edge
    )
    x = EDGE + MARGIN
    x += write(canvas, x, MIDDLE, head, Face.STRONG, TEXT, INK) + 2 * SPACE

    # The rope is always as long: with a card that raises the limit its Knots lie closer together.
    step = ROPE_LONG // limit
    end = x + step * limit + step // 2
    canvas.cover((x - SPACE // 2, MIDDLE - 4, end, MIDDLE + 4), DARK_ROPE)
    canvas.cover((x - SPACE // 2, MIDDLE - 2, end, MIDDLE + 2), ROPE_COLOUR)
    for place in range(limit):
        sort = "tied" if place < knots else "free"
        canvas.put(rope_knot(KNOT, sort), x + step * place + step // 2, MIDDLE)
    canvas.put(rope_knot(KNOT, "returned" if knots > limit else "return"), end, MIDDLE)
    x = end + KNOT // 2 + SPACE
    x += write(canvas, x, MIDDLE, WORDS.say("rope.return"), Face.LABEL, TEXT, MUTED) + 2 * SPACE

    canvas.put(whirlpool(WHIRLPOOL), x + WHIRLPOOL // 2, MIDDLE)
    for place, seat in enumerate(lost):
        canvas.put(
            explorer(seat, LOST_EXPLORER, None),
            x + WHIRLPOOL // 2 + place * share(WIDTH, 0.018),
            MIDDLE,
        )
    x += WHIRLPOOL + share(WIDTH, 0.018) * max(0, len(lost) - 1) + SPACE
    write(canvas, x, MIDDLE, WORDS.say("rope.lost"), Face.LABEL, TEXT, MUTED)

    # The cup stands at the right end: what an Explorer may meet.
    right = WIDTH - EDGE - MARGIN
    left = markers_left(cup)
    for sort in ("offcourse", "ocean", "island"):
        right -= (
            write(canvas, right, MIDDLE, WORDS.say(f"markers.{sort}"), Face.LABEL, TEXT, MUTED, "r")
            + SPACE
        )
        right -= (
            write(canvas, right, MIDDLE, str(left[sort]), Face.STRONG, TEXT, INK, "r") + 2 * SPACE
        )
    write(canvas, right, MIDDLE, WORDS.say("markers.cup"), Face.STRONG, TEXT, INK, "r")
    return canvas.image
