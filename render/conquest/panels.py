"""What stands beside the chart: the rope of Knots with the Lost Box, and the seats' panels."""

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import MARKERS
from engine.conquest.view import ConquestView, NationView
from engine.core.words import points
from render.canvas import Canvas, kept
from render.chrome import Plate, count, paper, seat_band, share
from render.conquest.layout import CHART, GAPS, PLATE_RADIUS, ROPE, TEXT, WIDTH
from render.conquest.tokens import (
    DARK_ROPE,
    card,
    explorer,
    knot,
    kumara,
    rope_knot,
    tile_back,
    whirlpool,
)
from render.conquest.tokens import ROPE as ROPE_COLOUR
from render.fonts import Face, fitted, write
from render.palette import BACKDROP, INK, MUTED, PALE
from render.pieces import badge, canoe, disc, village
from render.words import words_of

WORDS = words_of("conquest")

USUAL_LIMIT = 4
"""Knots with which an Explorer may go on, before any card."""
ROPE_KNOT = share(WIDTH, 0.036)
WHIRLPOOL = share(WIDTH, 0.074)
LOST_EXPLORER = share(WIDTH, 0.042)

PANEL_ROOM = WIDTH - CHART[0] - ROPE - 4 * GAPS
PANEL_HIGH = (CHART[1] - 3 * GAPS) // 4
"""Four panels are as high as the chart."""
RIM = share(WIDTH, 0.004)
"""Room around a panel for the gold outline of the seat to move."""
BAND = share(WIDTH, 0.058)
RIGHT_MARGIN = share(WIDTH, 0.013)
SUPPLY_MARGIN = share(WIDTH, 0.014)
SPACE = share(WIDTH, 0.008)
"""Between two things on a line."""
ICON = share(WIDTH, 0.034)
SMALL_ICON = share(WIDTH, 0.03)


def rope(view: ConquestView) -> Image.Image:
    """The rope that counts the running voyage's Knots, down to Return and the Lost Box."""
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
    return _rope(knots, limit, lost, head)


# 0.7 ms to draw, and it stays as it is for most of a turn.
@kept(64)
def _rope(knots: int, limit: int, lost: tuple[int, ...], head: str) -> Image.Image:
    high = CHART[1]
    canvas = Canvas.blank(ROPE, high, BACKDROP)
    canvas.put(paper(Plate(ROPE, high, 6, 0, PLATE_RADIUS), False), 0, 0)
    x = ROPE // 2
    shown, size = fitted(head, Face.STRONG, TEXT, TEXT - 6, ROPE - 6)
    write(canvas, x, round(high * 0.065), shown, Face.STRONG, size, INK, "m")

    # The rope is always as long: with a card that raises the limit its Knots lie closer together.
    top = round(high * 0.13)
    step = round(high * 0.385 / limit)
    end = top + round(step * (limit + 0.5))
    canvas.cover((x - 4, top, x + 4, end), DARK_ROPE)
    canvas.cover((x - 2, top, x + 2, end), ROPE_COLOUR)
    for place in range(limit):
        sort = "tied" if place < knots else "free"
        canvas.put(rope_knot(ROPE_KNOT, sort), x, top + round(step * (place + 0.6)))
    canvas.put(rope_knot(ROPE_KNOT, "returned" if knots > limit else "return"), x, end)
    small_text = share(WIDTH, 0.0235)
    write(canvas, x, end + share(WIDTH, 0.033), WORDS.say("rope.return"), Face.LABEL, small_text, MUTED, "m")

    canvas.put(whirlpool(WHIRLPOOL), x, round(high * 0.835))
    for place, seat in enumerate(lost):
        right = round((place - (len(lost) - 1) / 2) * share(WIDTH, 0.016))
        canvas.put(explorer(seat, LOST_EXPLORER, None), x + right, round(high * 0.82))
    write(canvas, x, round(high * 0.94), WORDS.say("rope.lost"), Face.STRONG, TEXT, INK, "m")
    return canvas.image


def panels(canvas: Canvas, view: ConquestView, names: Sequence[str], top: int) -> None:
    """A panel a seat; what is left of the room tells what is still to come."""
    left = WIDTH - GAPS - PANEL_ROOM
    y = top
    for seat, nation in enumerate(view.nations):
        order = view.order.index(seat) + 1 if seat in view.order else 0
        image = _panel(seat, names[seat], view.scores[seat], nation, order, seat in view.to_move)
        canvas.lay(image, left - RIM, y - RIM)
        y += PANEL_HIGH + GAPS
    free = 4 - len(view.nations)
    if free:
        high = free * (PANEL_HIGH + GAPS) - GAPS
        canvas.lay(_supply(high, view.tiles_left, view.deck, view.cup), left - RIM, y - RIM)


def _plate(high: int) -> Plate:
    return Plate(PANEL_ROOM, high, RIM, BAND, share(WIDTH, 0.0105))


# 2 ms to draw; an answer changes one panel of four or none.
@kept(256)
def _panel(seat: int, name: str, score: float, nation: NationView, order: int, active: bool) -> Image.Image:
    plate = _plate(PANEL_HIGH)
    canvas = Canvas.blank(plate.across + 2 * RIM, plate.high + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, active), RIM, RIM)
    canvas.put(seat_band(plate, seat), RIM, RIM)
    canvas.put(badge(seat, share(WIDTH, 0.046)), RIM + plate.band // 2, RIM + plate.high // 2)
    _put_head(canvas, name, score, nation)
    _put_counts(canvas, seat, nation, order)
    return canvas.image


def _put_head(canvas: Canvas, name: str, score: float, nation: NationView) -> None:
    """The upper line of a panel: from the right points, signs and state; the name takes what room is left."""
    y = RIM + round(PANEL_HIGH * 0.29)
    right = RIM + PANEL_ROOM - RIGHT_MARGIN
    # The unit is smaller than the number: a little lower it stands on the same line.
    right -= write(canvas, right, y + 3, WORDS.say("panel.points"), Face.LABEL, TEXT, MUTED, "r")
    right -= share(WIDTH, 0.005)
    right -= write(canvas, right, y, points(score), Face.STRONG, share(WIDTH, 0.038), INK, "r")
    signs = []
    if nation.kumara:
        signs.append(kumara(SMALL_ICON))
    if nation.saved:
        signs.append(disc("+1", SMALL_ICON))
    for sign in signs:
        right -= ICON
        canvas.put(sign, right + share(WIDTH, 0.014), y)
    if nation.out or nation.ready:
        state = WORDS.say("panel.out" if nation.out else "panel.ready")
        right -= write(canvas, right - SPACE, y, state, Face.LABEL, TEXT, MUTED, "r")
        right -= SPACE
    left = RIM + BAND + share(WIDTH, 0.011)
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.032), TEXT, right - left - SPACE)
    write(canvas, left, y, shown, Face.STRONG, size, PALE if nation.out else INK)


def _put_counts(canvas: Canvas, seat: int, nation: NationView, order: int) -> None:
    """The lower line of a panel: Villages, open canoes, cards, and the place in the turn order."""
    x = RIM + BAND + share(WIDTH, 0.006)
    y = RIM + round(PANEL_HIGH * 0.73)
    for icon, number in (
        (village(seat, ICON, None), nation.villages),
        (canoe(seat, ICON, None), nation.open_canoes),
        (card(SMALL_ICON), nation.hand),
    ):
        count(canvas, x, y, icon, number, WIDTH, room=share(WIDTH, 0.042))
        x += share(WIDTH, 0.083)
    if order:
        right = RIM + PANEL_ROOM - RIGHT_MARGIN
        write(canvas, right, y, WORDS.say("panel.order", place=order), Face.LABEL, TEXT, MUTED, "r")


# 1 ms to draw, and it changes with a discovery or a card alone.
@kept(64)
def _supply(high: int, tiles: int, deck: int, cup: tuple[int, ...]) -> Image.Image:
    """What is still to come: tiles, cards, and the markers in the cup; their sorts where two panels are free."""
    plate = _plate(high)
    canvas = Canvas.blank(plate.across + 2 * RIM, plate.high + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, False), RIM, RIM)
    is_large = high > PANEL_HIGH
    left = RIM + SUPPLY_MARGIN
    y = RIM + round(high * (0.16 if is_large else 0.29))
    write(canvas, left, y, WORDS.say("panel.to_come"), Face.STRONG, share(WIDTH, 0.029), INK)

    y = RIM + round(high * (0.44 if is_large else 0.73))
    step = share(WIDTH, 0.12)
    x = left
    for icon, number in ((tile_back(ICON), tiles), (card(SMALL_ICON), deck), (knot(0, ICON), sum(cup))):
        count(canvas, x, y, icon, number, WIDTH, room=share(WIDTH, 0.045))
        x += step

    if is_large:
        # Two sorts side by side; the longest word has a line of its own.
        second = left + 2 * step - share(WIDTH, 0.06)
        upper, lower = RIM + round(high * 0.68), RIM + round(high * 0.87)
        places = {"island": (left, upper), "ocean": (second, upper), "offcourse": (left, lower)}
        numbers = markers_left(cup)
        for sort, (x, y) in places.items():
            across = write(canvas, x, y, str(numbers[sort]), Face.STRONG, TEXT, INK)
            write(canvas, x + across + SPACE, y, WORDS.say(f"markers.{sort}"), Face.LABEL, TEXT, MUTED)
    return canvas.image


def markers_left(cup: tuple[int, ...]) -> Counter[str]:
    """How many Discovery Markers of each sort are in the cup, whatever their Knots."""
    left: Counter[str] = Counter()
    for sort, number in zip(MARKERS, cup, strict=True):
        left[sort] += number
    return left
