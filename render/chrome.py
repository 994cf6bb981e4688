"""What every picture shares: the title strip with its shark-tooth band, the chip of the seat to
move, the panels.
"""

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image

from engine import GAMES, Seat, View
from engine.core.game import RESIGNED
from render.canvas import Brush, Canvas, Sprite, kept
from render.fonts import Face, fitted, name_of, width, write
from render.news import Mark, encircle, sign
from render.palette import (
    ACTIVE,
    AGED_PAPER,
    BACKDROP,
    CREAM,
    INK,
    KEYLINE,
    MUTED,
    PALE,
    PAPER,
    PHASE_TEXT,
    RULE,
    TITLE,
    TITLE_TEXT,
    TOOTH,
    TOOTH_LIGHT,
    livery_of,
    mix,
    rgb,
)
from render.pieces import badge
from render.shapes import Outline, Point, rectangle, seat_shape, turned
from render.words import words_of

TITLE_HEIGHT = 0.0833
PANEL_WIDTH = 0.487
PANEL_HEIGHT = 0.128
GAP = 0.01
LEAST = 0.025
"""The smallest text, as a share of the picture's width; so are all lengths above."""
VERB = rgb("#5A4A30")
ACTIVE_EDGE = rgb("#7A4E0E")
BAND_EDGE = rgb("#8A6A38")


class Chip(Struct, frozen=True):
    """The end of the title strip: whose turn it is, or who has won."""

    seats: tuple[int, ...]
    name: str
    verb: str


def share(picture: int, part: float) -> int:
    """A share of the picture's width in pixels."""
    return round(picture * part)


def hair(picture: int) -> int:
    """The thickness of the finest line."""
    return max(1, share(picture, 0.0016))


def names_for(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """A drawable name for each seat; the livery's where none was given or none can be drawn."""
    words = words_of()
    shown = []
    for seat in range(seats):
        given = names[seat] if seat < len(names) else ""
        livery_name = words.say(f"livery.{livery_of(seat).name}")
        shown.append(name_of(given, livery_name))
    return tuple(shown)


def title_of(view: View) -> str:
    """The game's title; the id of one that nobody has listed."""
    if view.game in GAMES:
        return GAMES[view.game].title
    return view.game.replace("_", " ").title()


def winners_of(view: View) -> tuple[Seat, ...]:
    """The seats that have won: none before the end, and none where players left before it."""
    if view.outcome is None or view.outcome.reason == RESIGNED:
        return ()
    return view.outcome.winners


def chip_of(view: View, names: Sequence[str]) -> Chip | None:
    """Who is to move, who has won, or that players left before the end."""
    words = words_of()
    winners = winners_of(view)
    if len(winners) == 1:
        return Chip(winners, names[winners[0]], words.say("chip.wins"))
    if winners:
        return Chip(winners, "", words.say("chip.share"))
    if view.outcome:
        return Chip((), "", words.say("chip.ended_early"))
    if not view.to_move:
        return None
    number = len(view.to_move)
    name = names[view.to_move[0]] if number == 1 else words.say("chip.players", number=number)
    return Chip(view.to_move, name, words.say("chip.to_move"))


@kept(64)
def title_strip(picture: int, title: str, lines: tuple[str, ...], chip: Chip | None) -> Image.Image:
    """The strip across the top: title left, phase in the gap, chip right."""
    high = share(picture, TITLE_HEIGHT)
    canvas = Canvas.blank(picture, high, TITLE)
    # At the foot: shark teeth, and a thin bright line above them.
    teeth = share(picture, 0.0117)
    canvas.put(_teeth(picture, teeth, share(picture, 0.0183)), 0, high - teeth)
    line_top = high - share(picture, 0.0142)
    line_foot = high - share(picture, 0.0125)
    canvas.cover((0, line_top, picture, line_foot), TOOTH_LIGHT)

    middle = line_top // 2
    left = share(picture, 0.0233)
    left += write(canvas, left, middle, title, Face.TITLE, share(picture, 0.042), TITLE_TEXT)
    right = picture
    if chip:
        right = _put_chip(canvas, chip, middle)
    # The lines share whatever room title and chip have left.
    room = right - left - share(picture, 0.03)
    if len(lines) == 1 and width(lines[0], Face.LABEL, share(picture, LEAST)) > room:
        lines = tuple(lines[0].split(" · "))  # beside a long name, rather in two than cut
    for i, line in enumerate(lines):
        text, size = fitted(line, Face.LABEL, share(picture, 0.0275), share(picture, LEAST), room)
        from_middle = i - (len(lines) - 1) / 2
        y = middle + round(from_middle * share(picture, 0.029))
        write(canvas, (left + right) // 2, y, text, Face.LABEL, size, PHASE_TEXT, "m")
    return canvas.image


def _put_chip(canvas: Canvas, chip: Chip, middle: int) -> int:
    """Badges, name and verb on a pill at the right end of the strip; gives the pill's left end."""
    picture = canvas.width
    pad = share(picture, 0.015)
    space = share(picture, 0.0083)
    token = share(picture, 0.045)
    # Several badges lie over one another like cards in a hand.
    overlap = share(picture, 0.034)
    badges = token + overlap * (len(chip.seats) - 1) if chip.seats else 0
    verb_size = share(picture, 0.0267)
    verb = width(chip.verb, Face.LABEL, verb_size)

    longest_chip = share(picture, 0.40)
    room = longest_chip - badges - verb - 3 * space - 2 * pad
    name, size = fitted(chip.name, Face.STRONG, share(picture, 0.03), share(picture, LEAST), room)
    across = badges + width(name, Face.STRONG, size) + verb + 3 * space + pad + space
    left = picture - pad - across
    canvas.put(_pill(across, share(picture, 0.055), share(picture, 0.0033)), left, middle)

    x = left + space + token // 2
    for seat in chip.seats:
        canvas.put(badge(seat, token), x, middle)
        x += overlap
    x = left + badges + 2 * space
    x += write(canvas, x, middle, name, Face.STRONG, size, INK) + space
    write(canvas, x, middle, chip.verb, Face.LABEL, verb_size, VERB)
    return left


@kept(64)
def _pill(across: int, high: int, line: int) -> Sprite:
    brush = Brush(across + 2 * line, high + 2 * line, at=(line, line + high // 2))
    top = -(high // 2)
    brush.fill(
        rectangle(-line, top - line, across + line, top + high + line, high / 2 + line), ACTIVE
    )
    brush.fill(rectangle(0, top, across, top + high, high / 2), PAPER)
    return brush.done()


@kept(4)
def _teeth(across: int, high: int, tooth: int) -> Sprite:
    brush = Brush(across, high)
    for i in range(across // tooth + 2):
        left = i * tooth
        tip = left + tooth / 2
        brush.fill([(left, high), (tip, high * 0.12), (left + tooth, high)], TOOTH)
        # A smaller tooth in the middle of each.
        brush.fill(
            [(left + tooth * 0.27, high), (tip, high * 0.52), (left + tooth * 0.73, high)],
            TOOTH_LIGHT,
        )
    return brush.done()


class Plate(Struct, frozen=True):
    """The measures of a player's panel, in pixels of the picture."""

    across: int
    high: int
    rim: int
    """Room around the paper for the gold outline."""
    band: int
    """How wide the band in the seat's colour is."""
    radius: int
    """Of its corners."""


def plate_of(picture: int) -> Plate:
    """The panels of a picture of that width."""
    return Plate(
        across=share(picture, PANEL_WIDTH),
        high=share(picture, PANEL_HEIGHT),
        rim=share(picture, 0.005),
        band=share(picture, 0.068),
        radius=share(picture, 0.0117),
    )


@kept(64)
def paper(plate: Plate, active: bool) -> Sprite:
    """A sheet of cream tapa with a fine rim, outlined in gold for the seat to move."""
    rim, across, high, radius = plate.rim, plate.across, plate.high, plate.radius
    brush = Brush(across + 2 * rim, high + 2 * rim, at=(rim, rim))

    def sheet(grown: float) -> Outline:
        return rectangle(-grown, -grown, across + grown, high + grown, radius + grown)

    # From the outside in: gold, a dark edge for it, the aged paper that shows as a lower edge, the
    # paper, a fine line.
    if active:
        brush.fill(sheet(rim), ACTIVE)
        brush.fill(sheet(1.5), ACTIVE_EDGE)
    brush.fill(sheet(0), AGED_PAPER)
    lower_edge = max(2, rim * 0.7)
    brush.fill(rectangle(0, 0, across, high - lower_edge, radius), PAPER)
    brush.ring(sheet(-2), 1.4, mix(PAPER, RULE, 0.7))
    return brush.done()


@kept(32)
def seat_band(plate: Plate, seat: int, active: bool = False) -> Sprite:
    """The left end of a panel in the seat's colour, patterned with the seat's shape; a pointer
    if it is to move.
    """
    livery = livery_of(seat)
    brush = Brush(plate.band + 2, plate.high, at=(0, 0))
    # Twice as wide as the band: the round corners on the right fall outside, those on the left
    # follow the paper's.
    area = brush.mask(rectangle(0, 0, plate.band * 2, plate.high, plate.radius))
    brush.paint(area, livery.colour)
    step = plate.high / 6.6
    pattern = mix(livery.colour, livery.stamp, 0.18)
    for row in range(8):
        indent = 0.5 if row % 2 else 0
        for column in range(-1, 6):
            shape = seat_shape(livery.shape, (column + indent) * step, row * step, step * 0.235)
            brush.fill(shape, pattern, clip=area)
    brush.fill(rectangle(plate.band - 1, 0, plate.band + 2, plate.high), BAND_EDGE)
    if active:
        # In the upper corner, where it points down at the badge in the middle.
        _point(brush, (plate.band / 2, plate.band * 0.42), plate.band * 0.5, turn=90)
    return brush.done()


def _point(brush: Brush, tip: Point, size: float, turn: float) -> None:
    """An arrowhead in the colour of the seat to move.

    Its shape tells it, for to many eyes gold is a seat's yellow.
    """
    head: Outline = [(-0.62, -0.52), (0, 0), (-0.62, 0.52), (-0.46, 0)]
    outline = turned(head, turn, tip, size)
    for rim, colour in ((0.13, CREAM), (0.07, KEYLINE)):
        brush.paint(brush.grown([outline], rim * size), colour)
    brush.fill(outline, ACTIVE)


@kept(8)
def pointer(size: int) -> Sprite:
    """An arrowhead to the right that marks the seat to move, put by its tip."""
    brush = Brush(1.1, 1.5, size, at=(0.85, 0.75))
    _point(brush, (0, 0), 1, turn=0)
    return brush.done()


def panel(
    picture: int,
    seat: int,
    name: str,
    score: str,
    unit: str,
    active: bool,
    deeds: Sequence[Mark] = (),
    scored: Mark | None = None,
) -> Canvas:
    """A player's panel with badge, name, score and hairline; the game adds its icons below. Its rim
    is included.

    What the seat did since the last post is marked below its badge, a score that was counted since
    by a ring.
    """
    plate = plate_of(picture)
    canvas = Canvas.blank(plate.across + 2 * plate.rim, plate.high + 2 * plate.rim, BACKDROP)
    canvas.put(paper(plate, active), plate.rim, plate.rim)
    canvas.put(seat_band(plate, seat, active), plate.rim, plate.rim)
    canvas.put(
        badge(seat, share(picture, 0.053)), plate.rim + plate.band // 2, plate.rim + plate.high // 2
    )

    # From the right: unit, score; the name has what is left.
    line = plate.rim + share(picture, 0.031)
    unit_line = line + share(picture, 0.004)
    right = plate.rim + plate.across - share(picture, 0.0167)
    right -= write(canvas, right, unit_line, unit, Face.LABEL, share(picture, LEAST), MUTED, "r")
    if unit:
        right -= share(picture, 0.006)
    across = write(canvas, right, line, score, Face.STRONG, share(picture, 0.045), INK, "r")
    if scored is not None:
        half = share(picture, 0.02)
        encircle(canvas, (right - across - 6, line - half, right + 4, line + half), scored)
    right -= across
    sign_line = plate.rim + plate.high - share(picture, 0.02)
    sign(
        canvas,
        plate.rim + plate.band // 2,
        sign_line,
        deeds,
        share(picture, 0.03),
        share(picture, LEAST),
    )
    left = plate.rim + plate.band + share(picture, 0.014)
    room = right - left - share(picture, 0.01)
    shown, size = fitted(name, Face.STRONG, share(picture, 0.033), share(picture, LEAST), room)
    write(canvas, left, line, shown, Face.STRONG, size, INK)

    hairline = plate.rim + share(picture, 0.0585)
    end = plate.rim + plate.across - share(picture, 0.015)
    canvas.cover((left, hairline, end, hairline + hair(picture)), RULE)
    return canvas


def count(
    canvas: Canvas,
    x: int,
    y: int,
    icon: Sprite,
    number: int,
    picture: int,
    room: int,
    mark: Mark | None = None,
) -> None:
    """An icon in so much room with its count beside it, both pale if there is none; ringed if it
    has changed.
    """
    size = share(picture, 0.0275)
    if mark is not None:
        across, half = width(str(number), Face.STRONG, size), round(size * 0.55)
        encircle(canvas, (x + room - 4, y - half, x + room + across + 4, y + half), mark)
    if number:
        canvas.put(icon, x + room // 2, y)
        write(canvas, x + room, y, str(number), Face.STRONG, size, INK)
    else:
        canvas.put(icon.faded(), x + room // 2, y)
        write(canvas, x + room, y, "0", Face.LABEL, size, PALE)
