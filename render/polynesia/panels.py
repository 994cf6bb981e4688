"""The title strip and the panels of Polynesia."""

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image

from engine.core.words import points
from engine.polynesia.board import COLOURS, components
from engine.polynesia.view import PolynesiaView, SideView
from render.canvas import Box, Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, hair, paper, plate_of, seat_band, share
from render.fonts import Face, fitted, write
from render.items import shell
from render.news import Mark, encircle, sign
from render.palette import ACTIVE, BACKDROP, BARK, INK, MUTED, PALE, RULE, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge, canoe, pawn
from render.polynesia.layout import PANEL, WIDTH, units
from render.polynesia.news import Deed
from render.polynesia.sprites import first_marker, fish, lava_stone, mask, point, token
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
    """What a panel shows: a seat, what is its own, and what the panel marks.

    Equal ones give the same panel.
    """

    seat: int
    name: str
    score: float
    side: SideView
    is_to_move: bool
    is_first: bool
    """Whether the seat has the Starting Player token."""
    has_points: bool
    """Whether a Tide card of the match gives Point tokens."""
    changed: tuple[tuple[str, Mark], ...]
    """What the last deeds changed on the panel, each with the mark of the newest that did."""
    deeds: tuple[Mark, ...]
    """Those of them that are the seat's own."""


def owner_of(view: PolynesiaView, seat: int, name: str, deeds: Sequence[Deed] = ()) -> Owner:
    """What the panel of a seat shows."""
    changed = {what: deed.mark for deed in deeds for whose, what in deed.panels if whose == seat}
    return Owner(
        seat=seat,
        name=name,
        score=view.scores[seat],
        side=view.sides[seat],
        is_to_move=seat in view.to_move,
        is_first=seat == view.first and not view.over,
        has_points=view.pool is not None,
        changed=tuple(changed.items()),
        deeds=tuple(deed.mark for deed in deeds if deed.seat == seat),
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
    """A seat's panel: name, tokens and points; resources, ships, masks; the personal board with
    its values.
    """
    shape = plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, owner.is_to_move), shape.rim, shape.rim)
    canvas.put(seat_band(shape, owner.seat, owner.is_to_move), shape.rim, shape.rim)
    middle = shape.rim + shape.band // 2
    canvas.put(badge(owner.seat, units(64)), middle, shape.rim + shape.high // 2)
    sign(
        canvas,
        middle,
        shape.rim + shape.high - units(24),
        owner.deeds,
        units(34),
        share(WIDTH, LEAST),
    )
    _write_head(canvas, owner)
    _put_counts(canvas, owner)
    _put_board(canvas, owner.seat, owner.side)
    return canvas.image


def _left(shape: Plate) -> int:
    """Where the lines of a panel begin, right of its band."""
    return shape.rim + shape.band + units(16)


def _write_head(canvas: Canvas, owner: Owner) -> None:
    """From the right the points, from the left the Starting Player token; name and tokens share
    what is between.
    """
    shape = plate()
    line = shape.rim + units(33)
    right = shape.rim + shape.across - units(20)
    unit = words_of("polynesia").say("panel.points")
    right -= write(canvas, right, line + units(5), unit, Face.LABEL, units(30), MUTED, "r") + units(
        7
    )
    across = write(canvas, right, line, points(owner.score), Face.STRONG, units(52), INK, "r")
    _mark(
        canvas, owner, "score", (right - across, line - units(18), right, line + units(18)), edge=4
    )
    right -= across + units(12)
    left = _left(shape)
    if owner.is_first:
        canvas.put(first_marker(units(36)), left + units(13), line)
        _mark(
            canvas,
            owner,
            "first",
            (left, line - units(14), left + units(22), line + units(14)),
            edge=4,
        )
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
        half = units(size / 2)
        _mark(
            canvas,
            owner,
            f"token_{face}",
            (
                left + units(5),
                line - half + units(5),
                left + 2 * half - units(5),
                line + half - units(5),
            ),
        )
        left += _token_room(number, size)

    hairline = shape.rim + units(62)
    end = shape.rim + shape.across - units(18)
    canvas.cover((_left(shape), hairline, end, hairline + hair(WIDTH)), RULE)


def _held(side: SideView, room: int) -> list[tuple[str, int]]:
    """The tokens shown beside a name, as long as they leave it room; a ship token has done its
    work already.
    """
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
    counts = [
        ("fish", side.fish),
        ("shell", side.shells),
        ("ship", side.ships),
        ("mask", side.masks),
    ]
    if owner.has_points:
        counts.append(("point", side.points))
    step = (shape.across - shape.band - units(26)) // len(counts)
    x, y = _left(shape), shape.rim + units(89)
    for name, number in counts:
        if number:
            canvas.put(_icon(name, owner.seat), x + units(22), y)
            across = write(canvas, x + units(50), y, str(number), Face.STRONG, NUMBER, INK)
        else:
            canvas.put(_pale(name, owner.seat), x + units(22), y)
            across = write(canvas, x + units(50), y, "0", Face.LABEL, NUMBER, PALE)
        _mark(
            canvas,
            owner,
            name,
            (x + units(50), y - units(12), x + units(50) + across, y + units(12)),
        )
        x += step


def _mark(canvas: Canvas, owner: Owner, what: str, box: Box, edge: int = 7) -> None:
    """A ring around something, if a deed has changed it."""
    mark = dict(owner.changed).get(what)
    if mark is not None:
        left, top, right, bottom = box
        out = units(edge)
        encircle(canvas, (left - out, top - out, right + out, bottom + out), mark)


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
    left, y = _left(shape) + units(CELL / 2 - 4), shape.rim + units(134)
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
    """What is left in the bag: it fills the place of a fourth seat."""
    words = words_of("polynesia")
    shape = plate()
    canvas = Canvas.blank(shape.across + 2 * shape.rim, shape.high + 2 * shape.rim, BACKDROP)
    canvas.put(paper(shape, False), shape.rim, shape.rim)

    left, line = shape.rim + units(22), shape.rim + units(42)
    write(canvas, left, line, words.say("bag.title"), Face.STRONG, units(36), INK)
    hairline = shape.rim + units(74)
    canvas.cover(
        (left, hairline, shape.rim + shape.across - units(18), hairline + hair(WIDTH)), RULE
    )
    x, line = left + units(20), shape.rim + units(116)
    for colour, number in zip(COLOURS, bag, strict=True):
        stone = lava_stone(colour, units(46))
        if number:
            canvas.put(stone, x + units(18), line)
            write(canvas, x + units(44), line, str(number), Face.STRONG, NUMBER, INK)
        else:
            canvas.put(stone.faded(), x + units(18), line)
            write(canvas, x + units(44), line, "0", Face.LABEL, NUMBER, PALE)
        x += units(150)

    return canvas.image
