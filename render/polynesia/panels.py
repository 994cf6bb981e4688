"""The title strip and the panels of Polynesia."""

from PIL import Image

from engine.core.words import points
from engine.polynesia.board import COLOURS, components
from engine.polynesia.view import PolynesiaView, SideView
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, hair, paper, plate_of, seat_band, share
from render.fonts import Face, fitted, write
from render.items import shell
from render.nature import hibiscus
from render.palette import ACTIVE, BACKDROP, BARK, INK, MUTED, PALE, RULE, SHELF, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge, canoe, pawn
from render.polynesia.ground import DASH, NEUTRAL, NEUTRAL_EDGE
from render.polynesia.layout import PANEL, WIDTH, units
from render.polynesia.sprites import first_marker, fish, flame, lava_stone, mask, point, token
from render.shapes import rectangle
from render.words import words_of

FACES = ("turtle", "fish", "shell", "ship")
"""Tokens beside a name, masks being counted below it."""
LEAST_NAME = 118
"""The room that a name has at least, beside its tokens."""
NUMBER = units(32)
CELL, CELL_HIGH = 35.6, 40


def phase_of(view: PolynesiaView) -> str:
    """Where the Phase Marker stands."""
    key = "actions" if view.marker.isdigit() else view.marker
    return words_of("polynesia").say(f"phase.{key}", marker=view.marker)


def phase_lines(view: PolynesiaView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    words = words_of("polynesia")
    return (
        words.say("strip.final") if view.over else words.say("strip.round", round=view.round, phase=phase_of(view)),
    )


def plate() -> Plate:
    """The measures of a panel: those of the house, somewhat higher."""
    usual = plate_of(WIDTH)
    return Plate(usual.across, units(PANEL), usual.rim, usual.band, usual.radius)


@kept(256)
def side_panel(
    seat: int, name: str, score: float, side: SideView, active: bool, is_first: bool, has_points: bool, last: str
) -> Image.Image:
    """A seat's panel: name, tokens and points; resources, ships, masks; the personal board with its values."""
    shape = plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, active), shape.rim, shape.rim)
    canvas.put(seat_band(shape, seat), shape.rim, shape.rim)
    canvas.put(badge(seat, units(64)), shape.rim + shape.band // 2, shape.rim + shape.high // 2)
    _write_head(canvas, name, points(score), side, is_first)
    _put_counts(canvas, seat, side, has_points, last)
    _put_board(canvas, seat, side)
    return canvas.image


def _left(shape: Plate) -> int:
    return shape.rim + shape.band + units(16)


def _write_head(canvas: Canvas, name: str, score: str, side: SideView, is_first: bool) -> None:
    shape = plate()
    left, line = _left(shape), shape.rim + units(35)
    right = shape.rim + shape.across - units(20)
    unit = words_of("polynesia").say("panel.points")
    right -= write(canvas, right, line + units(5), unit, Face.LABEL, units(30), MUTED, "r") + units(7)
    right -= write(canvas, right, line, score, Face.STRONG, units(52), INK, "r") + units(12)
    if is_first:
        canvas.put(first_marker(units(36)), left + units(13), line)
        left += units(38)
    held = _held(side, right - left - units(LEAST_NAME))
    size = 42 if len(held) < 3 else 34
    room = right - left - sum(_token_room(number, size) for _, number in held)
    shown, letters = fitted(name, Face.STRONG, units(39), share(WIDTH, LEAST), room)
    left += write(canvas, left, line, shown, Face.STRONG, letters, INK) + units(8)
    for face, number in held:
        canvas.put(token(face, units(size), None), left + units(size / 2), line)
        if number > 1:
            write(canvas, left + units(size + 3), line, str(number), Face.STRONG, units(30), INK)
        left += _token_room(number, size)
    _rule(canvas, units(66))


def _held(side: SideView, room: int) -> list[tuple[str, int]]:
    """The tokens shown beside a name, as long as they leave it room; a ship token has done its work already."""
    held = [(face, side.tokens.count(face)) for face in FACES if face in side.tokens]
    while len(held) > 2 and sum(_token_room(number, 34) for _, number in held) > room:
        held.pop()
    return held


def _token_room(number: int, size: int) -> int:
    return units(size + 5) if number == 1 else units(size + 24)


def _rule(canvas: Canvas, down: int) -> None:
    shape = plate()
    end = shape.rim + shape.across - units(18)
    canvas.cover((_left(shape), shape.rim + down, end, shape.rim + down + hair(WIDTH)), RULE)


def _put_counts(canvas: Canvas, seat: int, side: SideView, has_points: bool, last: str) -> None:
    shape = plate()
    y, x = shape.rim + units(93), _left(shape)
    rows = [("fish", side.fish), ("shell", side.shells), ("ship", side.ships), ("mask", side.masks)]
    if has_points:
        rows.append(("point", side.points))
    step = (shape.across - shape.band - units(26)) // len(rows)
    for name, number in rows:
        canvas.put(_icon(name, seat) if number else _pale(name, seat), x + units(22), y)
        face, colour = (Face.STRONG, INK) if number else (Face.LABEL, PALE)
        write(canvas, x + units(50), y, str(number), face, NUMBER, colour)
        if name == last:
            canvas.put(hibiscus(units(26)), x + units(40), y - units(16))
        x += step


def _icon(name: str, seat: int) -> Sprite:
    match name:
        case "fish":
            return fish(units(38), None)
        case "shell":
            return shell(units(40), None)
        case "ship":
            return canoe(seat, units(44), None)
        case "mask":
            return mask(units(40), None)
    return point(units(38), "1", None)


@kept(32)
def _pale(name: str, seat: int) -> Sprite:
    return _icon(name, seat).faded()


def _put_board(canvas: Canvas, seat: int, side: SideView) -> None:
    """The 13 spaces: members stand on the last ones, the best free one is gold."""
    shape, spaces = plate(), components().spaces
    free, y = len(spaces) - side.home, shape.rim + units(140)
    x = _left(shape) + units(CELL / 2 - 4)
    first_row = len(components().rows[0])
    for i, value in enumerate(spaces):
        is_best = i == free - 1
        at = x + units(i * CELL + (i >= first_row) * 8)
        canvas.put(_space(i < free, is_best), at, y)
        if i >= free:
            canvas.put(pawn(seat, units(37), None), at, y - units(2))
        else:
            face, colour = (Face.STRONG, INK) if is_best else (Face.LABEL, MUTED)
            write(canvas, at, y, str(value), face, units(30), colour, "m")


@kept(8)
def _space(is_free: bool, is_best: bool) -> Sprite:
    across, high = units(CELL - 3) / 2, units(CELL_HIGH) / 2
    brush = Brush(2 * across + 8, 2 * high + 8, at=(round(across) + 4, round(high) + 4))
    if is_best:
        brush.fill(rectangle(-across - 1, -high - 1, across + 1, high + 1, 7), BARK)
        brush.fill(rectangle(1.5 - across, 1.5 - high, across - 1.5, high - 1.5, 5), ACTIVE)
        return brush.done()
    tone = mix(PAPER_COLOUR, RULE, 0.22) if is_free else mix(PAPER_COLOUR, RULE, 0.62)
    brush.fill(rectangle(-across, -high, across, high, 6), RULE)
    brush.fill(rectangle(1.5 - across, 1.5 - high, across - 1.5, high - 1.5, 5), tone)
    return brush.done()


@kept(16)
def bag_panel(bag: tuple[int, int, int]) -> Image.Image:
    """What is left in the bag, and what the lines on the sea mean: it fills the place of a fourth seat."""
    words, shape = words_of("polynesia"), plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, False), shape.rim, shape.rim)
    left, line = shape.rim + units(22), shape.rim + units(42)
    x = left + write(canvas, left, line, words.say("bag.title"), Face.STRONG, units(36), INK) + units(34)
    for colour, number in zip(COLOURS, bag, strict=True):
        stone = lava_stone(colour, units(38))
        canvas.put(stone if number else stone.faded(), x + units(18), line)
        face, ink = (Face.STRONG, INK) if number else (Face.LABEL, PALE)
        write(canvas, x + units(44), line, str(number), face, NUMBER, ink)
        x += units(98)
    canvas.cover((left, shape.rim + units(84), shape.rim + shape.across - units(18), shape.rim + units(84) + 2), RULE)
    x, line = left, shape.rim + units(127)
    for icon, key in ((_sample(False), "new"), (_sample(True), "neutral"), (flame(units(36)), "doomed")):
        canvas.put(icon, x + units(22), line)
        x += units(50)
        x += write(canvas, x, line, words.say(f"bag.{key}"), Face.LABEL, units(30), INK) + units(26)
    return canvas.image


@kept(4)
def _sample(is_neutral: bool) -> Sprite:
    across, high = units(42), units(34)
    brush = Brush(across, high, at=(across // 2, high // 2))
    brush.fill(rectangle(-across / 2, -high / 2, across / 2, high / 2, 5), SHELF)
    for x in (-units(11), units(7)):
        stroke = [(x - units(3), 0.0), (x + units(6), 0.0)]
        if is_neutral:
            brush.line(stroke, units(11), NEUTRAL_EDGE)
        brush.line(stroke, units(7 if is_neutral else 6), NEUTRAL if is_neutral else DASH)
    return brush.done()
