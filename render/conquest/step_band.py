"""The band of a public picture: the Steps of a turn as a track, and who acts after whom.

The signs beside the points of the panels below are explained where there is room.

In a private picture the viewer's own things take its place.
"""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.conquest.view import ConquestView, NationView
from render.canvas import Brush, Canvas, Sprite, cached
from render.chrome import PaperSize, paper, pointer, share
from render.conquest.layout import OWN_HEIGHT, PLATE_RADIUS, PLATE_RIM, TEXT, WIDTH
from render.conquest.tokens import kumara, tick, whirlpool
from render.fonts import Face, fit_text, text_width, write, write_words
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PAPER, RULE, Colour, mix
from render.pieces import badge, disc
from render.words import words_of

WORDS = words_of("conquest")

STEPS = ("order", "exploration", "movement", "battle", "building", "victory")
"""The Steps of a turn, in their order."""
STEPS_IN_TURN_ORDER = ("exploration", "movement", "battle")
"""The Steps that seats take one after the other; the others they take together."""

# Lengths are in pixels.
EDGE = share(WIDTH, 0.006)
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
LEFT = EDGE + MARGIN
RIGHT = WIDTH - EDGE - MARGIN
STEPS_LINE = EDGE + share(WIDTH, 0.028)
SEATS_LINE = OWN_HEIGHT - EDGE - share(WIDTH, 0.023)
PLATE_HEIGHT = share(WIDTH, 0.038)
PLATE_POINT = share(WIDTH, 0.014)
"""How far the point of a Step reaches into the next one."""
PLATE_GAP = 2
PLATE_EDGE = 1.6
BADGE = share(WIDTH, 0.034)
BADGE_SPACE = share(WIDTH, 0.006)
SEAT_SPACE = share(WIDTH, 0.028)
POINTER = share(WIDTH, 0.024)
NAME_TEXT = share(WIDTH, 0.028)

SIGN = share(WIDTH, 0.028)
SIGN_SPACE = share(WIDTH, 0.004)
SIGNS: dict[str, Callable[[], tuple[Sprite, ...]]] = {
    "ready": lambda: (tick(SIGN),),
    "saved": lambda: (disc("+1", SIGN),),
    "lost": lambda: (whirlpool(SIGN),),
    "kumara": lambda: (kumara(SIGN),),
}
"""The signs that stand beside points in the panels."""

STEP_DONE = mix(PAPER, RULE, 0.55)
STEP_TO_COME = mix(PAPER, RULE, 0.15)


def draw_steps(view: ConquestView, names: Sequence[str]) -> Image.Image:
    """Draw the Steps of the turn with the one under way, and the seats in their order."""
    order: tuple[int, ...] = view.order or tuple(range(len(view.nations)))
    shown_names = tuple(names[seat] for seat in order)
    active = view.active if view.step in STEPS_IN_TURN_ORDER else None
    signs = tuple(
        sign for sign in SIGNS if any(shows_sign(nation, sign) for nation in view.nations)
    )
    return _draw_band(view.step, order, shown_names, active, bool(view.order), signs)


def shows_sign(nation: NationView, sign: str) -> bool:
    """Return whether a sign stands beside the points of a seat."""
    return nation.explorer == "lost" if sign == "lost" else bool(getattr(nation, sign))


# Cached: it takes 3 ms, and changes only from one seat's turn to the next.
@cached(32)
def _draw_band(
    step: str,
    order: tuple[int, ...],
    names: tuple[str, ...],
    active: int | None,
    is_chosen: bool,
    signs: tuple[str, ...],
) -> Image.Image:
    """Draw the band; `order` is that of the seats, `active` the one whose Step it is.

    `signs` are those that the panels show; they are explained as far as there is room.
    """
    canvas = Canvas.blank(WIDTH, OWN_HEIGHT, BACKDROP)
    plate = PaperSize(WIDTH - 2 * EDGE, OWN_HEIGHT - 2 * EDGE, PLATE_RIM, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    current = STEPS.index(step) if step in STEPS else -1
    across = (RIGHT - LEFT) // len(STEPS)
    for index, name in enumerate(STEPS):
        colour = STEP_TO_COME
        if index == current:
            colour = ACTIVE
        elif index < current:
            colour = STEP_DONE
        x = LEFT + index * across
        canvas.put(_step_plate(across - PLATE_GAP, colour), x, STEPS_LINE)
        face, ink = (Face.STRONG, INK) if index == current else (Face.LABEL, MUTED)
        middle = x + (across + PLATE_POINT) // 2
        room = across - 2 * PLATE_POINT
        write_words(canvas, middle, STEPS_LINE, WORDS.word(name), face, (TEXT, 1), room, ink, "m")
    x = _put_seats(canvas, order, names, active, is_chosen)
    _put_legend(canvas, x, signs)
    return canvas.image


def _put_seats(
    canvas: Canvas,
    order: tuple[int, ...],
    names: tuple[str, ...],
    active: int | None,
    is_chosen: bool,
) -> int:
    """Put the seats in turn order; those whose Step is over are pale. Return where they end."""
    heading = WORDS.say("steps.order" if is_chosen else "steps.no_order")
    x = LEFT + write(canvas, LEFT, SEATS_LINE, heading, Face.LABEL, TEXT, MUTED) + SEAT_SPACE
    room = (RIGHT - x) // len(order) - BADGE - BADGE_SPACE - SEAT_SPACE
    # All seats before the active one have had this Step.
    is_over = active in order
    for seat, name in zip(order, names, strict=True):
        if seat == active:
            canvas.put(pointer(POINTER), x - BADGE_SPACE // 2, SEATS_LINE)
            is_over = False
        canvas.put(badge(seat, BADGE), x + BADGE // 2, SEATS_LINE)
        x += BADGE + BADGE_SPACE
        face, ink = Face.LABEL, INK
        if seat == active:
            face = Face.STRONG
        elif is_over:
            ink = MUTED
        shown, size = fit_text(name, face, NAME_TEXT, TEXT, room)
        write(canvas, x, SEATS_LINE, shown, face, size, ink)
        x += min(room, text_width(shown, face, size)) + SEAT_SPACE
    return x


def _put_legend(canvas: Canvas, left: int, signs: tuple[str, ...]) -> None:
    """Explain signs of the panels at the right end of the line, as many as there is room for."""
    right = RIGHT
    for sign in signs:
        # A shorter explanation after one that is too long may still fit.
        text = WORDS.say(f"steps.{sign}")
        start = right - SIGN - SIGN_SPACE - text_width(text, Face.LABEL, TEXT)
        if start < left:
            continue
        for sprite in SIGNS[sign]():
            canvas.put(sprite, start + SIGN // 2, SEATS_LINE)
        write(canvas, right, SEATS_LINE, text, Face.LABEL, TEXT, MUTED, "r")
        right = start - SEAT_SPACE


@cached(16)
def _step_plate(across: int, colour: Colour) -> Sprite:
    """Draw the plate of a Step, which points at the next one; put by the middle of its left end."""
    half = PLATE_HEIGHT / 2
    brush = Brush(across + PLATE_POINT + 4, PLATE_HEIGHT + 4, at=(2, round(half) + 2))
    outline = [
        (0.0, -half),
        (across - PLATE_POINT / 2, -half),
        (across + PLATE_POINT / 2, 0.0),
        (across - PLATE_POINT / 2, half),
        (0.0, half),
        (PLATE_POINT * 0.7, 0.0),
    ]
    brush.paint(brush.grow([outline], PLATE_EDGE), MUTED)
    brush.fill(outline, colour)
    return brush.finish()
