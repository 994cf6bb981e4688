"""The parts that all pictures share: title strip, the chip of the seat to move, players' panels.

A game draws its board between the title strip and the panels, and adds its own icons to a panel
below the name. Lengths are shares of the picture's width unless they are called pixels; `share`
converts them.
"""

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image

from engine import GAMES, View
from render.canvas import Brush, Canvas, Sprite, cached, draw_box
from render.fonts import Face, drawable_name, fit_text, text_width, write
from render.news import Mark, encircle, put_panel_flowers
from render.palette import (
    ACTIVE,
    AGED_PAPER,
    BACKDROP,
    CREAM,
    INK,
    KEYLINE,
    MUTED,
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
from render.ranks import UNRANKED, Rank, put_rank, winners_of
from render.shapes import Outline, Point, rectangle, seat_shape, transform
from render.words import words_of

LEAST = 0.025
"""The size of the smallest text, which can still be read on a phone."""
HAIRLINE = 0.0016
GAP = 0.01
"""Between panels."""
WON_PAPER = mix(PAPER, ACTIVE, 0.35)
"""The paper of a winner's panel."""
VERB_COLOUR = rgb("#5A4A30")
ACTIVE_EDGE = rgb("#7A4E0E")
BAND_EDGE = rgb("#8A6A38")

TITLE_HEIGHT = 0.0833
TITLE_LEFT = 0.0233
TITLE_SIZE = 0.042
PHASE_SIZE = 0.0275
PHASE_STEP = 0.029
"""From one line of the phase to the next."""
PHASE_MARGIN = 0.03
LINE_BREAK = " · "
"""Where a single line of the phase may be broken."""
TEETH_HEIGHT = 0.0117
TOOTH_WIDTH = 0.0183
STRIP_LINE_TOP, STRIP_LINE_BOTTOM = 0.0142, 0.0125
"""The bright line above the teeth, from the lower edge of the strip."""

STAGE_HEIGHT = 0.0065
STAGE_GAP = 0.006
STAGE_TO_COME = mix(TITLE, PHASE_TEXT, 0.3)

CHIP_MARGIN = 0.015
CHIP_GAP = 0.0083
CHIP_BADGE = 0.045
CHIP_BADGE_STEP = 0.034
"""Several badges overlap like cards in a hand."""
CHIP_HEIGHT = 0.055
CHIP_OUTLINE = 0.0033
CHIP_NAME_SIZE = 0.03
CHIP_VERB_SIZE = 0.0267
MAX_CHIP_WIDTH = 0.40
MAX_STACKED_CHIP_WIDTH = 0.33
"""With a player's name; words of ours may take as much as any chip."""
STACKED_VERB_SIZE = 0.0225
STACKED_NAME_RAISED = 0.0115
STACKED_VERB_LOWERED = 0.0125

PANEL_WIDTH = 0.487
PANEL_HEIGHT = 0.128
PANEL_RIM = 0.005
PANEL_BAND = 0.068
PANEL_RADIUS = 0.0117
PANEL_BADGE = 0.053
PANEL_NAME_MIDDLE = 0.031
PANEL_NAME_LEFT = 0.014
PANEL_NAME_GAP = 0.01
PANEL_NAME_SIZE = 0.033
PANEL_RIGHT_MARGIN = 0.0167
PANEL_SCORE_SIZE = 0.045
PANEL_UNIT_GAP = 0.006
PANEL_UNIT_LOWERED = 0.004
PANEL_RULE = 0.0585
PANEL_RULE_MARGIN = 0.015
PANEL_RANK = 0.036
PANEL_RANK_INSET = 0.0145
"""From the upper left corner of the paper to the middle of the disc with the seat's rank."""
POINTER_ASIDE = 0.17
"""How far the pointer of the seat to move makes way for that disc, as a share of the band."""
PANEL_FLOWER = 0.03
PANEL_FLOWER_BOTTOM = 0.02
SCORE_RING_HALF_HEIGHT = 0.02
SCORE_RING_LEFT_PIXELS, SCORE_RING_RIGHT_PIXELS = 6, 4
COUNT_SIZE = 0.0275
COUNT_RING_PIXELS = 4
COUNT_RING_HALF_HEIGHT = 0.55
"""Half the height of the ring around a count, as a share of the size of its digits."""

POINTER_TIP_DOWN, POINTER_SIZE = 0.42, 0.5
"""How far down the tip of a pointer on a band is, and its size, as shares of the band's width."""
POINTER_CREAM_LINE, POINTER_INK_LINE = 0.13, 0.07
"""How far the cream and the dark line reach around a pointer, as shares of its size."""

TOOTH_TIP, INNER_TOOTH_TIP = 0.12, 0.52
"""From the top of the row of teeth to the tips of a tooth and of the tooth inside, as shares of its
height.
"""
INNER_TOOTH_LEFT, INNER_TOOTH_RIGHT = 0.27, 0.73
"""Where the tooth inside begins and ends, as shares of the outer tooth's width."""

ARROWHEAD: Outline = [
    (-0.62, -0.52),
    (0, 0),
    (-0.62, 0.52),
    (-0.46, 0),
]
"""Points to the right, with its tip at the origin; in units of its size."""

BAND_PATTERN_DENSITY = 6.6
"""How many shapes of a seat's band fit one below the other; some more rows cover the edges."""
BAND_PATTERN_ROWS = 8
BAND_PATTERN_COLUMNS = range(-1, 6)
BAND_PATTERN_SIZE = 0.235
"""The size of a shape, as a share of the room that it has."""
BAND_PATTERN_CONTRAST = 0.18


class Chip(Struct, frozen=True):
    """The right end of the title strip: whose turn it is, or who has won."""

    seats: tuple[int, ...]
    name: str
    verb: str


class Stage(Struct, frozen=True):
    """How far a match has come: a track of phases below the title."""

    phases: int
    current: int
    """The phase under way, from 0."""
    done: float
    """How much of that phase is over, as a share of it; about so much, where nobody can know."""


def share(picture: int, part: float) -> int:
    """Convert a share of a picture's width to pixels."""
    return round(picture * part)


def hairline_width(picture: int) -> int:
    """Return the thickness of the finest line in pixels."""
    return max(1, share(picture, HAIRLINE))


def drawable_names(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return a drawable name for each seat: its player's, else that of its colour."""
    words = words_of()
    shown = []
    for seat in range(seats):
        given = names[seat] if seat < len(names) else ""
        colour_name = words.say(f"livery.{livery_of(seat).name}")
        shown.append(drawable_name(given, colour_name))
    return tuple(shown)


def title_of(view: View) -> str:
    """Return the title of a game, or its id in words if it is not registered."""
    if view.game in GAMES:
        return GAMES[view.game].title
    return view.game.replace("_", " ").title()


def chip_of(view: View, names: Sequence[str]) -> Chip | None:
    """Return a chip that says who is to move, who has won, or that players left early."""
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


@cached(64)
def title_strip(
    picture: int,
    title: str,
    lines: tuple[str, ...],
    chip: Chip | None,
    stage: Stage | None = None,
) -> Image.Image:
    """Return the strip at the top: title on the left, lines about the phase, chip on the right."""
    height = share(picture, TITLE_HEIGHT)
    canvas = Canvas.blank(picture, height, TITLE)
    teeth_height = share(picture, TEETH_HEIGHT)
    teeth = _shark_teeth(picture, teeth_height, share(picture, TOOTH_WIDTH))
    canvas.put(teeth, 0, height - teeth_height)
    line_top = height - share(picture, STRIP_LINE_TOP)
    line_bottom = height - share(picture, STRIP_LINE_BOTTOM)
    canvas.cover((0, line_top, picture, line_bottom), TOOTH_LIGHT)

    if stage is not None:
        _draw_stage(canvas, stage, line_bottom)

    middle = line_top // 2
    left = share(picture, TITLE_LEFT)
    left += write(canvas, left, middle, title, Face.TITLE, share(picture, TITLE_SIZE), TITLE_TEXT)
    room = picture - left - share(picture, PHASE_MARGIN)
    right = picture
    if chip:
        pill = _lay_out_chip(picture, chip, is_stacked=False)
        # The lines share whatever room the title and the chip leave. If words need more, in another
        # language or beside a long name, the chip is stacked.
        if pill.cuts_words or not _have_room(lines, room - pill.space, picture):
            pill = _lay_out_chip(picture, chip, is_stacked=True)
        _put_chip(canvas, chip, pill, middle)
        right -= pill.space
        room -= pill.space
    if len(lines) == 1 and text_width(lines[0], Face.LABEL, share(picture, LEAST)) > room:
        lines = tuple(lines[0].split(LINE_BREAK))
    for number, line in enumerate(lines):
        # Words are never cut: rather than that, they may be smaller than is easy to read.
        size = share(picture, PHASE_SIZE)
        while size > 1 and text_width(line, Face.LABEL, size) > room:
            size -= 1
        from_middle = number - (len(lines) - 1) / 2
        y = middle + round(from_middle * share(picture, PHASE_STEP))
        write(canvas, (left + right) // 2, y, line, Face.LABEL, size, PHASE_TEXT, "m")
    return canvas.image


def _draw_stage(canvas: Canvas, stage: Stage, bottom: int) -> None:
    """Draw the track of phases: bright as far as the match has come."""
    picture = canvas.width
    top = bottom - share(picture, STAGE_HEIGHT)
    gap = share(picture, STAGE_GAP)
    across = picture / stage.phases
    canvas.cover((0, top - 1, picture, bottom), TITLE)
    for phase in range(stage.phases):
        left = round(phase * across) + (gap if phase else 0)
        right = round((phase + 1) * across)
        canvas.cover((left, top, right, bottom), STAGE_TO_COME)
        if phase <= stage.current:
            done = 1.0 if phase < stage.current else min(1.0, max(0.0, stage.done))
            canvas.cover((left, top, left + round((right - left) * done), bottom), TOOTH_LIGHT)


def _have_room(lines: tuple[str, ...], room: int, picture: int) -> bool:
    """Return whether lines fit a width in the smallest text; a single one may be broken in two."""
    if len(lines) == 1:
        lines = tuple(lines[0].split(LINE_BREAK))
    smallest = share(picture, LEAST)
    return all(text_width(line, Face.LABEL, smallest) <= room for line in lines)


class _Pill(Struct, frozen=True):
    """The measures of a chip, in pixels, and its name as far as it fits."""

    name: str
    name_size: int
    verb_size: int
    badges_width: int
    width: int
    space: int
    """Its width and the margin right of it."""
    is_stacked: bool
    """Whether the verb stands below the name, which takes less room."""
    cuts_words: bool
    """Whether a text of ours is cut, and not just a name."""


def _lay_out_chip(picture: int, chip: Chip, is_stacked: bool) -> _Pill:
    """Return the measures of a chip, with its verb beside its name or below it."""
    margin, gap = share(picture, CHIP_MARGIN), share(picture, CHIP_GAP)
    badges_width = 0
    if chip.seats:
        more_badges = share(picture, CHIP_BADGE_STEP) * (len(chip.seats) - 1)
        badges_width = share(picture, CHIP_BADGE) + more_badges
    smallest = share(picture, LEAST)
    name_size, verb_size = share(picture, CHIP_NAME_SIZE), share(picture, CHIP_VERB_SIZE)
    if is_stacked:
        name_size, verb_size = smallest, share(picture, STACKED_VERB_SIZE)
    verb_width = text_width(chip.verb, Face.LABEL, verb_size)

    # The name is shortened so that the chip does not grow too wide.
    is_name = len(chip.seats) == 1
    longest = MAX_STACKED_CHIP_WIDTH if is_stacked and is_name else MAX_CHIP_WIDTH
    room = share(picture, longest) - badges_width - 3 * gap - 2 * margin
    if not is_stacked:
        room -= verb_width
    # Only names are cut: words of ours shrink further if stacking them is not enough.
    least = 1 if is_stacked and not is_name else smallest
    name, name_size = fit_text(chip.name, Face.STRONG, name_size, least, room)
    name_width = text_width(name, Face.STRONG, name_size)
    if is_stacked:
        words_width = max(name_width, verb_width) + 2 * gap
    else:
        words_width = name_width + verb_width + 3 * gap
    width = badges_width + words_width + margin + gap
    return _Pill(
        name=name,
        name_size=name_size,
        verb_size=verb_size,
        badges_width=badges_width,
        width=width,
        space=width + margin,
        is_stacked=is_stacked,
        cuts_words=name != chip.name and not is_name,
    )


def _put_chip(canvas: Canvas, chip: Chip, pill: _Pill, middle: int) -> None:
    """Put badges, name and verb on a pill at the right end of the strip."""
    picture = canvas.width
    gap = share(picture, CHIP_GAP)
    left = picture - pill.space
    height, outline = share(picture, CHIP_HEIGHT), share(picture, CHIP_OUTLINE)
    canvas.put(_pill(pill.width, height, outline), left, middle)

    badge_size = share(picture, CHIP_BADGE)
    x = left + gap + badge_size // 2
    for seat in chip.seats:
        canvas.put(badge(seat, badge_size), x, middle)
        x += share(picture, CHIP_BADGE_STEP)
    x = left + pill.badges_width + 2 * gap
    name_middle = verb_middle = middle
    if pill.is_stacked and pill.name:
        name_middle -= share(picture, STACKED_NAME_RAISED)
        verb_middle += share(picture, STACKED_VERB_LOWERED)
    name_width = write(canvas, x, name_middle, pill.name, Face.STRONG, pill.name_size, INK)
    if not pill.is_stacked:
        x += name_width + gap
    write(canvas, x, verb_middle, chip.verb, Face.LABEL, pill.verb_size, VERB_COLOUR)


@cached(64)
def _pill(width: int, height: int, line: int) -> Sprite:
    """Return a paper pill outlined in gold, put by the middle of its left end."""

    def draw(across: int, down: int) -> Sprite:
        brush = Brush(across, down, at=(line, line + height // 2))
        top = -(height // 2)
        right, bottom = across - 2 * line, top + height
        outer = rectangle(-line, top - line, right + line, bottom + line, height / 2 + line)
        brush.fill(outer, ACTIVE)
        brush.fill(rectangle(0, top, right, bottom, height / 2), PAPER)
        return brush.finish()

    corner = height // 2 + line + 1
    return draw_box(draw, width + 2 * line, height + 2 * line, corner)


@cached(4)
def _shark_teeth(width: int, height: int, tooth: int) -> Sprite:
    """Return a row of teeth, each with a smaller, lighter tooth inside."""
    brush = Brush(width, height)
    for number in range(width // tooth + 2):
        left = number * tooth
        tip = left + tooth / 2
        outer = [(left, height), (tip, height * TOOTH_TIP), (left + tooth, height)]
        brush.fill(outer, TOOTH)
        inner_left = left + tooth * INNER_TOOTH_LEFT
        inner_right = left + tooth * INNER_TOOTH_RIGHT
        inner = [(inner_left, height), (tip, height * INNER_TOOTH_TIP), (inner_right, height)]
        brush.fill(inner, TOOTH_LIGHT)
    return brush.finish()


class PaperSize(Struct, frozen=True):
    """The measures of a sheet of paper, such as a player's panel, in pixels."""

    width: int
    height: int
    rim: int
    """Room around the paper for the gold outline."""
    band: int
    """The width of the band in the seat's colour."""
    radius: int
    """The radius of the corners."""


def panel_size(picture: int) -> PaperSize:
    """Return the measures of the panels in a picture of that width."""
    return PaperSize(
        width=share(picture, PANEL_WIDTH),
        height=share(picture, PANEL_HEIGHT),
        rim=share(picture, PANEL_RIM),
        band=share(picture, PANEL_BAND),
        radius=share(picture, PANEL_RADIUS),
    )


PAPER_GOLD_EDGE = 1.5
"""The width of the dark edge between the gold and the paper, in pixels."""
PAPER_LOWER_EDGE = 0.7
"""The height of the aged paper that shows at the foot, as a share of the rim."""
PAPER_LINE_INSET, PAPER_LINE_WIDTH = 2, 1.4
"""The fine line along the edge of a paper, in pixels."""
PAPER_LINE_ROOM = 6
"""From the round corners of a paper to where its edges are the same all along, in pixels."""


@cached(64)
def paper(measures: PaperSize, active: bool, won: bool = False) -> Sprite:
    """Return a sheet of cream bark cloth with a fine rim, outlined in gold for the seat to move.

    A winner's is golden too.
    """
    colour = WON_PAPER if won else PAPER
    rim, radius = measures.rim, measures.radius

    def draw(width: int, height: int) -> Sprite:
        brush = Brush(width + 2 * rim, height + 2 * rim, at=(rim, rim))

        def sheet(grown: float) -> Outline:
            return rectangle(-grown, -grown, width + grown, height + grown, radius + grown)

        # From the outside in: the gold, a dark edge for it, the aged paper that shows as a lower
        # edge, the paper, a fine line.
        if active or won:
            brush.fill(sheet(rim), ACTIVE)
            brush.fill(sheet(PAPER_GOLD_EDGE), ACTIVE_EDGE)
        brush.fill(sheet(0), AGED_PAPER)
        lower_edge = max(2, rim * PAPER_LOWER_EDGE)
        brush.fill(rectangle(0, 0, width, height - lower_edge, radius), colour)
        brush.ring(sheet(-PAPER_LINE_INSET), PAPER_LINE_WIDTH, mix(colour, RULE, 0.7))
        return brush.finish()

    return draw_box(draw, measures.width, measures.height, radius + rim + PAPER_LINE_ROOM)


@cached(32)
def seat_band(measures: PaperSize, seat: int, active: bool = False) -> Sprite:
    """Return the left end of a panel in the seat's colours, with a pointer if it is to move."""
    livery = livery_of(seat)
    brush = Brush(measures.band + 2, measures.height, at=(0, 0))
    # Twice as wide as the band: the round corners on the right fall outside of the sprite, those on
    # the left follow the paper's.
    area = brush.mask(rectangle(0, 0, measures.band * 2, measures.height, measures.radius))
    brush.paint(area, livery.colour)
    step = measures.height / BAND_PATTERN_DENSITY
    pattern = mix(livery.colour, livery.stamp, BAND_PATTERN_CONTRAST)
    for row in range(BAND_PATTERN_ROWS):
        indent = 0.5 if row % 2 else 0
        for column in BAND_PATTERN_COLUMNS:
            x, y = (column + indent) * step, row * step
            shape = seat_shape(livery.shape, x, y, step * BAND_PATTERN_SIZE)
            brush.fill(shape, pattern, clip=area)
    brush.fill(rectangle(measures.band - 1, 0, measures.band + 2, measures.height), BAND_EDGE)
    if active:
        # In the upper corner, where it points down at the badge in the middle.
        tip = (measures.band * (0.5 + POINTER_ASIDE), measures.band * POINTER_TIP_DOWN)
        _draw_pointer(brush, tip, measures.band * POINTER_SIZE, turn=90)
    return brush.finish()


def _draw_pointer(brush: Brush, tip: Point, size: float, turn: float) -> None:
    """Draw an arrowhead in the colour of the seat to move, turned by some degrees.

    Its shape matters, since many people cannot tell its gold from a seat's yellow.
    """
    outline = transform(ARROWHEAD, turn, tip, size)
    brush.paint(brush.grow([outline], POINTER_CREAM_LINE * size), CREAM)
    brush.paint(brush.grow([outline], POINTER_INK_LINE * size), KEYLINE)
    brush.fill(outline, ACTIVE)


@cached(8)
def pointer(size: int) -> Sprite:
    """Return an arrowhead to the right that marks the seat to move, put by its tip."""
    brush = Brush(1.1, 1.5, size, at=(0.85, 0.75))
    _draw_pointer(brush, (0, 0), 1, turn=0)
    return brush.finish()


def panel(
    picture: int,
    seat: int,
    name: str,
    score: str,
    unit: str,
    active: bool,
    flowers: Sequence[Mark] = (),
    scored: Mark | None = None,
    rank: Rank = UNRANKED,
) -> Canvas:
    """Draw a player's panel, rim included, with room for the game's icons below the hairline.

    `flowers` mark what the seat did since the last post, as flowers below its badge. `scored` marks
    points counted since then, as a ring around the score.
    """
    measures = panel_size(picture)
    rim = measures.rim
    canvas = Canvas.blank(measures.width + 2 * rim, measures.height + 2 * rim, BACKDROP)
    canvas.put(paper(measures, active, rank.has_won), rim, rim)
    canvas.put(seat_band(measures, seat, active), rim, rim)
    put_panel_rank(canvas, rank, rim, picture)
    band_middle = rim + measures.band // 2
    canvas.put(badge(seat, share(picture, PANEL_BADGE)), band_middle, rim + measures.height // 2)

    # From the right: unit, score; the name has what is left.
    smallest = share(picture, LEAST)
    middle = rim + share(picture, PANEL_NAME_MIDDLE)
    unit_middle = middle + share(picture, PANEL_UNIT_LOWERED)
    right = rim + measures.width - share(picture, PANEL_RIGHT_MARGIN)
    right -= write(canvas, right, unit_middle, unit, Face.LABEL, smallest, MUTED, "r")
    if unit:
        right -= share(picture, PANEL_UNIT_GAP)
    score_size = share(picture, PANEL_SCORE_SIZE)
    score_width = write(canvas, right, middle, score, Face.STRONG, score_size, INK, "r")
    score_left = right - score_width
    if scored is not None:
        half = share(picture, SCORE_RING_HALF_HEIGHT)
        ring_left = score_left - SCORE_RING_LEFT_PIXELS
        ring_right = right + SCORE_RING_RIGHT_PIXELS
        encircle(canvas, (ring_left, middle - half, ring_right, middle + half), scored)
    flowers_middle = rim + measures.height - share(picture, PANEL_FLOWER_BOTTOM)
    flower_size = share(picture, PANEL_FLOWER)
    put_panel_flowers(canvas, band_middle, flowers_middle, flowers, flower_size, smallest)
    left = rim + measures.band + share(picture, PANEL_NAME_LEFT)
    room = score_left - left - share(picture, PANEL_NAME_GAP)
    shown, size = fit_text(name, Face.STRONG, share(picture, PANEL_NAME_SIZE), smallest, room)
    write(canvas, left, middle, shown, Face.STRONG, size, INK)

    rule_top = rim + share(picture, PANEL_RULE)
    rule_end = rim + measures.width - share(picture, PANEL_RULE_MARGIN)
    canvas.cover((left, rule_top, rule_end, rule_top + hairline_width(picture)), RULE)
    return canvas


def put_panel_rank(canvas: Canvas, rank: Rank, rim: int, picture: int) -> None:
    """Put the disc with a seat's rank into the upper left corner of its panel."""
    middle = rim + share(picture, PANEL_RANK_INSET)
    put_rank(canvas, rank, middle, middle, share(picture, PANEL_RANK))


def put_count(
    canvas: Canvas,
    x: int,
    y: int,
    icon: Sprite,
    number: int,
    picture: int,
    room: int,
    mark: Mark | None = None,
) -> None:
    """Put an icon, `room` pixels wide, with its number to the right; both are pale for 0.

    A number that has changed since the last post is ringed by `mark`.
    """
    size = share(picture, COUNT_SIZE)
    number_left = x + room
    if mark is not None:
        number_width = text_width(str(number), Face.STRONG, size)
        half = round(size * COUNT_RING_HALF_HEIGHT)
        ring_left = number_left - COUNT_RING_PIXELS
        ring_right = number_left + number_width + COUNT_RING_PIXELS
        encircle(canvas, (ring_left, y - half, ring_right, y + half), mark)
    if number:
        canvas.put(icon, x + room // 2, y)
        write(canvas, number_left, y, str(number), Face.STRONG, size, INK)
    else:
        canvas.put(icon.fade(), x + room // 2, y)
        write(canvas, number_left, y, "0", Face.LABEL, size, MUTED)
