"""The title strip and the panels of Polynesia."""

from msgspec import Struct
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
TOKEN, SMALL_TOKEN = 42, 34
"""Sizes of tokens: of three kinds or more they are small."""
NUMBER = units(32)
CELL, CELL_HIGH = 35.6, 40
"""The room of a space of the personal board, and its height."""


class Owner(Struct, frozen=True):
    """What a panel shows: a seat, what is its own, and what the panel marks. Equal ones give the same panel."""

    seat: int
    name: str
    score: float
    side: SideView
    is_to_move: bool
    is_first: bool
    """Whether the seat has the Starting Player token."""
    has_points: bool
    """Whether a Tide card of the match gives Point tokens."""
    last: str
    """The last action, if it was the seat's."""


def owner_of(view: PolynesiaView, seat: int, name: str) -> Owner:
    """What the panel of a seat shows."""
    return Owner(
        seat=seat,
        name=name,
        score=view.scores[seat],
        side=view.sides[seat],
        is_to_move=seat in view.to_move,
        is_first=seat == view.first and not view.over,
        has_points=view.pool is not None,
        last=view.last.action if view.last and view.last.seat == seat else "",
    )


def phase_of(view: PolynesiaView) -> str:
    """Where the Phase Marker stands."""
    key = "actions" if view.marker.isdigit() else view.marker
    return words_of("polynesia").say(f"phase.{key}", marker=view.marker)


def phase_lines(view: PolynesiaView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    words = words_of("polynesia")
    if view.over:
        return (words.say("strip.final"),)
    return (words.say("strip.round", round=view.round, phase=phase_of(view)),)


def plate() -> Plate:
    """The measures of a panel: those of the house, somewhat higher."""
    usual = plate_of(WIDTH)
    return Plate(usual.across, units(PANEL), usual.rim, usual.band, usual.radius)


# Most panels are the same as in the picture before: kept, they save 2.5 ms each of a picture's 7.
@kept(256)
def side_panel(owner: Owner) -> Image.Image:
    """A seat's panel: name, tokens and points; resources, ships, masks; the personal board with its values."""
    shape = plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, owner.is_to_move), shape.rim, shape.rim)
    canvas.put(seat_band(shape, owner.seat, owner.is_to_move), shape.rim, shape.rim)
    canvas.put(badge(owner.seat, units(64)), shape.rim + shape.band // 2, shape.rim + shape.high // 2)
    _write_head(canvas, owner)
    _put_counts(canvas, owner)
    _put_board(canvas, owner.seat, owner.side)
    return canvas.image


def _left(shape: Plate) -> int:
    """Where the lines of a panel begin, right of its band."""
    return shape.rim + shape.band + units(16)


def _write_head(canvas: Canvas, owner: Owner) -> None:
    """From the right the points, from the left the Starting Player token; name and tokens share what is between."""
    shape = plate()
    line = shape.rim + units(35)
    right = shape.rim + shape.across - units(20)
    unit = words_of("polynesia").say("panel.points")
    right -= write(canvas, right, line + units(5), unit, Face.LABEL, units(30), MUTED, "r") + units(7)
    right -= write(canvas, right, line, points(owner.score), Face.STRONG, units(52), INK, "r") + units(12)
    left = _left(shape)
    if owner.is_first:
        canvas.put(first_marker(units(36)), left + units(13), line)
        left += units(38)

    held = _held(owner.side, right - left - units(LEAST_NAME))
    size = TOKEN if len(held) < 3 else SMALL_TOKEN
    room = right - left - sum(_token_room(number, size) for _, number in held)
    shown, letters = fitted(owner.name, Face.STRONG, units(39), share(WIDTH, LEAST), room)
    left += write(canvas, left, line, shown, Face.STRONG, letters, INK) + units(8)
    for face, number in held:
        canvas.put(token(face, units(size), None), left + units(size / 2), line)
        if number > 1:
            write(canvas, left + units(size + 3), line, str(number), Face.STRONG, units(30), INK)
        left += _token_room(number, size)

    hairline = shape.rim + units(66)
    end = shape.rim + shape.across - units(18)
    canvas.cover((_left(shape), hairline, end, hairline + hair(WIDTH)), RULE)


def _held(side: SideView, room: int) -> list[tuple[str, int]]:
    """The tokens shown beside a name, as long as they leave it room; a ship token has done its work already."""
    held = [(face, side.tokens.count(face)) for face in FACES if face in side.tokens]
    while len(held) > 2 and sum(_token_room(number, SMALL_TOKEN) for _, number in held) > room:
        held.pop()
    return held


def _token_room(number: int, size: int) -> int:
    """What a token takes across, with its count if there are more of it."""
    return units(size + 5) if number == 1 else units(size + 24)


def _put_counts(canvas: Canvas, owner: Owner) -> None:
    """The second line: what the seat has, each with its number, pale if there is none."""
    shape, side = plate(), owner.side
    counts = [("fish", side.fish), ("shell", side.shells), ("ship", side.ships), ("mask", side.masks)]
    if owner.has_points:
        counts.append(("point", side.points))
    step = (shape.across - shape.band - units(26)) // len(counts)
    x, y = _left(shape), shape.rim + units(93)
    for name, number in counts:
        if number:
            canvas.put(_icon(name, owner.seat), x + units(22), y)
            write(canvas, x + units(50), y, str(number), Face.STRONG, NUMBER, INK)
        else:
            canvas.put(_pale(name, owner.seat), x + units(22), y)
            write(canvas, x + units(50), y, "0", Face.LABEL, NUMBER, PALE)
        if name == owner.last:
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
    shape = plate()
    spaces = components().spaces
    free = len(spaces) - side.home
    first_row = len(components().rows[0])
    left, y = _left(shape) + units(CELL / 2 - 4), shape.rim + units(140)
    for i, value in enumerate(spaces):
        is_free, is_best = i < free, i == free - 1
        # The board's two rows stand in one line, with a gap between them.
        gap = 8 if i >= first_row else 0
        x = left + units(i * CELL + gap)
        canvas.put(_space(is_free, is_best), x, y)
        if not is_free:
            canvas.put(pawn(seat, units(37), None), x, y - units(2))
        elif is_best:
            write(canvas, x, y, str(value), Face.STRONG, units(30), INK, "m")
        else:
            write(canvas, x, y, str(value), Face.LABEL, units(30), MUTED, "m")


@kept(8)
def _space(is_free: bool, is_best: bool) -> Sprite:
    """A space of the personal board, put by its middle."""
    across, high = units(CELL - 3) / 2, units(CELL_HIGH) / 2
    margin = 4
    middle = (round(across) + margin, round(high) + margin)
    brush = Brush(2 * (across + margin), 2 * (high + margin), at=middle)
    inside = rectangle(1.5 - across, 1.5 - high, across - 1.5, high - 1.5, 5)
    if is_best:
        brush.fill(rectangle(-across - 1, -high - 1, across + 1, high + 1, 7), BARK)
        brush.fill(inside, ACTIVE)
        return brush.done()
    brush.fill(rectangle(-across, -high, across, high, 6), RULE)
    brush.fill(inside, mix(PAPER_COLOUR, RULE, 0.22 if is_free else 0.62))
    return brush.done()


@kept(16)
def bag_panel(bag: tuple[int, int, int]) -> Image.Image:
    """What is left in the bag, and what the lines on the sea mean: it fills the place of a fourth seat."""
    words = words_of("polynesia")
    shape = plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, False), shape.rim, shape.rim)

    left, line = shape.rim + units(22), shape.rim + units(42)
    x = left + write(canvas, left, line, words.say("bag.title"), Face.STRONG, units(36), INK) + units(34)
    for colour, number in zip(COLOURS, bag, strict=True):
        stone = lava_stone(colour, units(38))
        if number:
            canvas.put(stone, x + units(18), line)
            write(canvas, x + units(44), line, str(number), Face.STRONG, NUMBER, INK)
        else:
            canvas.put(stone.faded(), x + units(18), line)
            write(canvas, x + units(44), line, "0", Face.LABEL, NUMBER, PALE)
        x += units(98)

    hairline = shape.rim + units(84)
    canvas.cover((left, hairline, shape.rim + shape.across - units(18), hairline + 2), RULE)

    x, line = left, shape.rim + units(127)
    legend = ((_sample(False), "new"), (_sample(True), "neutral"), (flame(units(36)), "doomed"))
    for icon, key in legend:
        canvas.put(icon, x + units(22), line)
        x += units(50)
        x += write(canvas, x, line, words.say(f"bag.{key}"), Face.LABEL, units(30), INK) + units(26)
    return canvas.image


@kept(4)
def _sample(is_neutral: bool) -> Sprite:
    """Two dashes of a route on a piece of sea."""
    across, high = units(42), units(34)
    brush = Brush(across, high, at=(across // 2, high // 2))
    brush.fill(rectangle(-across / 2, -high / 2, across / 2, high / 2, 5), SHELF)
    for x in (-units(11), units(7)):
        stroke = [(x - units(3), 0.0), (x + units(6), 0.0)]
        if is_neutral:
            brush.line(stroke, units(11), NEUTRAL_EDGE)
            brush.line(stroke, units(7), NEUTRAL)
        else:
            brush.line(stroke, units(6), DASH)
    return brush.done()
