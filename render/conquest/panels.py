"""The panels beside the chart: one a seat, and what is still to come."""

from collections import Counter
from collections.abc import Collection, Sequence

from PIL import Image

from engine.conquest.board import MARKERS
from engine.conquest.view import ConquestView, NationView
from engine.core.words import points
from render.canvas import Canvas, Sprite, kept
from render.chrome import Plate, count, paper, pointer, seat_band, share
from render.conquest.layout import CHART, GAPS, TEXT, WIDTH
from render.conquest.news import CARDS, EXPLORER, POINTS, SAVED, News
from render.conquest.tokens import (
    card,
    counter,
    explorer,
    knot,
    kumara,
    tick,
    tile_back,
    whirlpool,
)
from render.fonts import Face, fitted, width, write
from render.news import Mark, bud
from render.palette import BACKDROP, INK, MUTED, PALE
from render.pieces import badge, canoe, disc, village
from render.words import words_of

WORDS = words_of("conquest")

LEFT = CHART[0] + 2 * GAPS
PANEL = (WIDTH - LEFT - 2 * GAPS) // 2
PANEL_HIGH = (CHART[1] - GAPS) // 2
"""Two columns of two panels stand beside the chart, as high as it is."""
RIM = share(WIDTH, 0.004)
"""Room around a panel for the gold outline of the seat to move."""
BAND = share(WIDTH, 0.054)
RIGHT_MARGIN = share(WIDTH, 0.013)
SUPPLY_MARGIN = share(WIDTH, 0.014)
SPACE = share(WIDTH, 0.008)
"""Between two things on a line."""
ICON = share(WIDTH, 0.031)
SMALL_ICON = share(WIDTH, 0.027)
SIGN = ICON + share(WIDTH, 0.002)
"""The room of a sign beside the points."""
COUNT = share(WIDTH, 0.028)
"""From the left of an icon to its number, so that four of two digits stand side by side."""
COUNT_ICON = share(WIDTH, 0.0285)
POINTER = share(WIDTH, 0.021)
NUMBER = share(WIDTH, 0.024)
"""The number of a deed, and its letters."""
NUMBER_TEXT = share(WIDTH, 0.018)


def panels(canvas: Canvas, view: ConquestView, names: Sequence[str], top: int, news: News) -> None:
    """A panel a seat; what is left of the room tells what is still to come."""
    for seat, nation in enumerate(view.nations):
        told = [(sign, news.number_of(sign, seat)) for sign in (CARDS, EXPLORER, SAVED, POINTS)]
        marks = tuple((sign, news.mark(number)) for sign, number in told if number)
        image = _panel(seat, names[seat], view.scores[seat], nation, seat in view.to_move, marks)
        row, column = divmod(seat, 2)
        canvas.lay(
            image, LEFT + column * (PANEL + GAPS) - RIM, top + row * (PANEL_HIGH + GAPS) - RIM
        )
    free = 4 - len(view.nations)
    if free:
        across = PANEL if free == 1 else 2 * PANEL + GAPS
        left = LEFT + (PANEL + GAPS) * (2 - free)
        canvas.lay(
            _supply(across, view.tiles_left, view.deck, view.cup),
            left - RIM,
            top + PANEL_HIGH + GAPS - RIM,
        )


def _plate(across: int) -> Plate:
    return Plate(across, PANEL_HIGH, RIM, BAND, share(WIDTH, 0.0105))


# 2 ms to draw; an answer changes one panel of four or none.
@kept(256)
def _panel(
    seat: int,
    name: str,
    score: float,
    nation: NationView,
    active: bool,
    marks: tuple[tuple[str, Mark], ...],
) -> Image.Image:
    plate = _plate(PANEL)
    canvas = Canvas.blank(plate.across + 2 * RIM, plate.high + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, active), RIM, RIM)
    canvas.put(seat_band(plate, seat), RIM, RIM)
    middle = RIM + plate.high // 2
    x = RIM + plate.band // 2
    if active:
        # The band is too low for a pointer above the badge: it stands before it.
        canvas.put(pointer(POINTER), RIM + share(WIDTH, 0.019), middle)
        x += share(WIDTH, 0.0075)
    canvas.put(badge(seat, share(WIDTH, 0.04)), x, middle)
    places = _put_head(canvas, seat, name, score, nation, [sign for sign, _ in marks])
    places |= _put_counts(canvas, seat, nation)
    for sign, mark in marks:
        if sign in places:
            x, y = places[sign]
            if sign == CARDS and mark.number > 9:
                # Two digits have a larger ring, which would reach the points above.
                y += 4
            canvas.put(bud(NUMBER, mark, NUMBER_TEXT), x, y, f"news:{mark.number}")
    return canvas.image


def _put_head(
    canvas: Canvas, seat: int, name: str, score: float, nation: NationView, told: Collection[str]
) -> dict[str, tuple[int, int]]:
    """The upper line of a panel: from the right points, signs and state; the name takes what room
    is left.

    `told` are the signs of the seat's deeds. Gives where their numbers go.
    """
    y = RIM + round(PANEL_HIGH * 0.29)
    left = RIM + BAND + share(WIDTH, 0.011)
    right = RIM + PANEL - RIGHT_MARGIN
    places = {}
    signs: list[tuple[str, tuple[Sprite, ...]]] = []
    if nation.kumara:
        signs.append(("", (kumara(SMALL_ICON),)))
    if nation.saved:
        signs.append((SAVED, (disc("+1", SMALL_ICON),)))
    if nation.ready:
        signs.append(("", (tick(SMALL_ICON),)))
    if nation.explorer == "lost":
        signs.append((EXPLORER, (whirlpool(ICON), explorer(seat, SMALL_ICON, None))))
    elif EXPLORER in told:
        # An Explorer that is home again, or still at sea.
        signs.append((EXPLORER, (explorer(seat, SMALL_ICON, None),)))
    score_size = share(WIDTH, 0.038)
    unit = WORDS.say("panel.points")
    unit_room = width(unit, Face.LABEL, TEXT) + share(WIDTH, 0.005)
    is_told = POINTS in told
    taken = width(points(score), Face.STRONG, score_size) + unit_room + is_told * NUMBER
    taken += sum(SIGN + (sign in told) * (NUMBER // 2) for sign, _ in signs)
    out = WORDS.say("panel.out") if nation.out else ""
    if out:
        taken += width(out, Face.LABEL, TEXT) + SPACE
    # Beside many signs a name needs the room more than the unit does, or the news of points, which
    # the track has too.
    if width(name, Face.STRONG, TEXT) > right - left - SPACE - taken:
        is_told = False
        score_size = share(WIDTH, 0.032)
    else:
        # The unit is smaller than the number: a little lower it stands on the same line.
        write(canvas, right, y + 3, unit, Face.LABEL, TEXT, MUTED, "r")
        right -= unit_room
    right -= write(canvas, right, y, points(score), Face.STRONG, score_size, INK, "r")
    if is_told:
        places[POINTS] = right - NUMBER // 2 - 2, y
        right -= NUMBER
    for sign, sprites in signs:
        right -= SIGN
        for sprite in sprites:
            canvas.put(sprite, right + share(WIDTH, 0.014), y)
        if sign in told:
            places[sign] = right - NUMBER // 3, y
            right -= NUMBER // 2
    if out:
        right -= write(canvas, right - SPACE, y, out, Face.LABEL, TEXT, MUTED, "r")
        right -= SPACE
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.032), TEXT, right - left - SPACE)
    write(canvas, left, y, shown, Face.STRONG, size, PALE if nation.out else INK)
    return places


def _put_counts(canvas: Canvas, seat: int, nation: NationView) -> dict[str, tuple[int, int]]:
    """The lower line of a panel: Villages, open canoes, pieces, cards.

    Gives where the number of a card's deed goes.
    """
    x = RIM + BAND + share(WIDTH, 0.006)
    y = RIM + round(PANEL_HIGH * 0.73)
    step = (PANEL - BAND - share(WIDTH, 0.004)) // 4
    places = {}
    for sign, icon, number in (
        ("", village(seat, COUNT_ICON, None), nation.villages),
        ("", canoe(seat, COUNT_ICON, None), nation.open_canoes),
        ("", counter(seat, SMALL_ICON, shadow=None), nation.pieces),
        (CARDS, card(SMALL_ICON), nation.hand),
    ):
        count(canvas, x, y, icon, number, WIDTH, room=COUNT)
        if sign:
            # On the upper end of the card: its number stays free, and so does the one before it.
            places[sign] = x + COUNT // 2, y - round(NUMBER * 0.7)
        x += step
    return places


# 1 ms to draw, and it changes with a discovery or a card alone.
@kept(64)
def _supply(across: int, tiles: int, deck: int, cup: tuple[int, ...]) -> Image.Image:
    """What is still to come: tiles, cards, and the markers in the cup."""
    plate = _plate(across)
    canvas = Canvas.blank(plate.across + 2 * RIM, plate.high + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, False), RIM, RIM)
    left = RIM + SUPPLY_MARGIN
    y = RIM + round(PANEL_HIGH * 0.29)
    write(canvas, left, y, WORDS.say("panel.to_come"), Face.STRONG, share(WIDTH, 0.029), INK)
    y = RIM + round(PANEL_HIGH * 0.73)
    x = left
    for icon, number in (
        (tile_back(ICON), tiles),
        (card(SMALL_ICON), deck),
        (knot(0, ICON), sum(cup)),
    ):
        count(canvas, x, y, icon, number, WIDTH, room=share(WIDTH, 0.042))
        x += share(WIDTH, 0.1)
    return canvas.image


def markers_left(cup: tuple[int, ...]) -> Counter[str]:
    """How many Discovery Markers of each sort are in the cup, whatever their Knots."""
    left: Counter[str] = Counter()
    for sort, number in zip(MARKERS, cup, strict=True):
        left[sort] += number
    return left
