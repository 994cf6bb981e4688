"""What stands beside the chart: the rope of Knots with the Lost Box, and the seats' panels."""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.view import ConquestView, NationView, VoyageView
from engine.core.words import points
from render.canvas import Canvas, Sprite, kept
from render.chrome import Plate, count, paper, seat_band, share
from render.conquest.layout import CHART, GAPS, ROPE, TEXT, WIDTH
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
from render.palette import (
    BACKDROP,
    INK,
    MUTED,
    PALE,
)
from render.pieces import badge, canoe, disc, village
from render.words import words_of

WORDS = words_of("conquest")

USUAL_LIMIT = 4
"""Knots with which an Explorer may go on, before any card."""
PANEL_ROOM = WIDTH - CHART[0] - ROPE - 4 * GAPS
PANEL_HIGH = (CHART[1] - 3 * GAPS) // 4


def rope(view: ConquestView) -> Image.Image:
    """The rope that counts the running voyage's Knots, down to Return and the Lost Box."""
    voyage = view.voyage
    lost = tuple(seat for seat, nation in enumerate(view.nations) if nation.explorer == "lost")
    knots, limit = (voyage.knots, voyage.limit) if voyage and not voyage.kumara else (0, _limit(voyage))
    return _rope(knots, limit, lost, WORDS.say("rope.kumara" if voyage is not None and voyage.kumara else "rope.knots"))


def _limit(voyage: VoyageView | None) -> int:
    return voyage.limit if voyage is not None else USUAL_LIMIT


@kept(64)
def _rope(knots: int, limit: int, lost: tuple[int, ...], head: str) -> Image.Image:
    canvas = Canvas.blank(ROPE, CHART[1], BACKDROP)
    canvas.put(paper(Plate(ROPE, CHART[1], 6, 0, share(WIDTH, 0.0117)), False), 0, 0)
    x, high = ROPE // 2, CHART[1]
    shown, size = fitted(head, Face.STRONG, TEXT, TEXT - 6, ROPE - 6)
    write(canvas, x, round(high * 0.065), shown, Face.STRONG, size, INK, "m")
    top, step = round(high * 0.13), round(high * 0.385 / limit)
    end = top + round(step * (limit + 0.5))
    canvas.cover((x - 4, top, x + 4, end), DARK_ROPE)
    canvas.cover((x - 2, top, x + 2, end), ROPE_COLOUR)
    for place in range(limit):
        sort = "tied" if place < knots else "free"
        canvas.put(rope_knot(share(WIDTH, 0.036), sort), x, top + round(step * (place + 0.6)))
    canvas.put(rope_knot(share(WIDTH, 0.036), "returned" if knots > limit else "return"), x, end)
    write(canvas, x, end + share(WIDTH, 0.033), WORDS.say("rope.return"), Face.LABEL, share(WIDTH, 0.0235), MUTED, "m")
    canvas.put(whirlpool(share(WIDTH, 0.074)), x, round(high * 0.835))
    for place, seat in enumerate(lost):
        right = round((place - (len(lost) - 1) / 2) * share(WIDTH, 0.016))
        canvas.put(explorer(seat, share(WIDTH, 0.042), None), x + right, round(high * 0.82))
    write(canvas, x, round(high * 0.94), WORDS.say("rope.lost"), Face.STRONG, TEXT, INK, "m")
    return canvas.image


def panels(canvas: Canvas, view: ConquestView, names: Sequence[str], top: int) -> None:
    """A panel a seat; what is left of the room tells what is still to come."""
    left = WIDTH - GAPS - PANEL_ROOM
    for seat, nation in enumerate(view.nations):
        order = view.order.index(seat) + 1 if seat in view.order else 0
        y = top + seat * (PANEL_HIGH + GAPS)
        image = _panel(seat, names[seat], view.scores[seat], nation, order, seat in view.to_move)
        canvas.lay(image, left - RIM, y - RIM)
    free = 4 - len(view.nations)
    if free:
        y = top + len(view.nations) * (PANEL_HIGH + GAPS)
        high = free * (PANEL_HIGH + GAPS) - GAPS
        canvas.lay(_supply(high, view.tiles_left, view.deck, view.cup), left - RIM, y - RIM)


RIM = share(WIDTH, 0.004)


def _plate(high: int) -> Plate:
    return Plate(PANEL_ROOM, high, RIM, share(WIDTH, 0.058), share(WIDTH, 0.0105))


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
    plate, line = _plate(PANEL_HIGH), RIM + round(PANEL_HIGH * 0.29)
    right = RIM + plate.across - share(WIDTH, 0.013)
    right -= write(canvas, right, line + 3, WORDS.say("panel.points"), Face.LABEL, TEXT, MUTED, "r")
    right -= share(WIDTH, 0.005)
    right -= write(canvas, right, line, points(score), Face.STRONG, share(WIDTH, 0.038), INK, "r")
    left = RIM + plate.band + share(WIDTH, 0.011)
    for told, icon in ((nation.kumara, kumara(share(WIDTH, 0.03))), (nation.saved, _coin(share(WIDTH, 0.03)))):
        if told:
            right -= share(WIDTH, 0.034)
            canvas.put(icon, right + share(WIDTH, 0.014), line)
    if nation.out or nation.ready:
        state = WORDS.say("panel.out" if nation.out else "panel.ready")
        right -= write(canvas, right - share(WIDTH, 0.008), line, state, Face.LABEL, TEXT, MUTED, "r")
        right -= share(WIDTH, 0.008)
    shown, size = fitted(name, Face.STRONG, share(WIDTH, 0.032), TEXT, right - left - share(WIDTH, 0.008))
    write(canvas, left, line, shown, Face.STRONG, size, PALE if nation.out else INK)


@kept(4)
def _coin(size: int) -> Sprite:
    return disc("+1", size)


def _put_counts(canvas: Canvas, seat: int, nation: NationView, order: int) -> None:
    plate, y = _plate(PANEL_HIGH), RIM + round(PANEL_HIGH * 0.73)
    x, step, room = RIM + plate.band + share(WIDTH, 0.006), share(WIDTH, 0.083), share(WIDTH, 0.042)
    size = share(WIDTH, 0.034)
    for icon, number in (
        (village(seat, size, None), nation.villages),
        (canoe(seat, size, None), nation.open_canoes),
        (card(share(WIDTH, 0.03)), nation.hand),
    ):
        count(canvas, x, y, icon, number, WIDTH, room)
        x += step
    if order:
        right = RIM + plate.across - share(WIDTH, 0.013)
        write(canvas, right, y, WORDS.say("panel.order", place=order), Face.LABEL, TEXT, MUTED, "r")


@kept(64)
def _supply(high: int, tiles: int, deck: int, cup: tuple[int, ...]) -> Image.Image:
    """What is still to come: tiles, cards, and the markers in the cup."""
    plate = _plate(high)
    canvas = Canvas.blank(plate.across + 2 * RIM, plate.high + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, False), RIM, RIM)
    left, size = RIM + share(WIDTH, 0.014), share(WIDTH, 0.034)
    rows = 2 if high == PANEL_HIGH else 4
    line = RIM + round(high * (0.29 if rows == 2 else 0.16))
    write(canvas, left, line, WORDS.say("panel.to_come"), Face.STRONG, share(WIDTH, 0.029), INK)
    y = RIM + round(high * (0.73 if rows == 2 else 0.44))
    step, room = share(WIDTH, 0.12), share(WIDTH, 0.045)
    for icon, number in ((tile_back(size), tiles), (card(share(WIDTH, 0.03)), deck), (knot(0, size), sum(cup))):
        count(canvas, left, y, icon, number, WIDTH, room)
        left += step
    if rows == 4:
        left = RIM + share(WIDTH, 0.014)
        for place, (sort, number) in enumerate(
            (("island", sum(cup[:3])), ("ocean", sum(cup[3:6])), ("offcourse", cup[6]))
        ):
            y = RIM + round(high * (0.68 if place < 2 else 0.87))
            x = left if place != 1 else left + 2 * step - share(WIDTH, 0.06)
            x += write(canvas, x, y, str(number), Face.STRONG, TEXT, INK) + share(WIDTH, 0.008)
            write(canvas, x, y, WORDS.say(f"markers.{sort}"), Face.LABEL, TEXT, MUTED)
    return canvas.image
