"""The chart of a match: how many points each seat could expect after every move.

Each seat has a line; numbered discs mark the moments that decided the match.
"""

from collections.abc import Sequence
from math import dist

from msgspec import Struct
from PIL import Image

from engine.core.words import points
from render.axis import choose_axis
from render.canvas import Brush, Canvas
from render.chrome import TITLE_HEIGHT, PaperSize, drawable_names, paper, share, title_strip
from render.fonts import Face, break_in_two, fit_text, write
from render.palette import BACKDROP, INK, MUTED, RULE, livery_of
from render.pieces import badge, disc
from render.png import encode
from render.shapes import Point, seat_shape
from render.words import words_of

WIDTH = 1080
HEIGHT = 760
"""Pixels."""

# All other lengths are shares of the width.
EDGE = 0.0125
"""Width of the backdrop around the paper."""
PAPER_RIM = 0.005
PAPER_RADIUS = 0.0117
LEFT_MARGIN = 0.066
RIGHT_MARGIN = 0.141
"""Room beside the lines: for the axis on the left, for badges and points on the right."""
TOP_MARGIN = 0.115
BOTTOM_MARGIN = 0.085
TICK_LINE = 0.0014
TICK_GAP = 0.012
MOVES_BELOW = 0.035
CURVE = 0.0055
CURVE_CASING = 0.0026
"""Widths of a coloured line, and of the ink around it."""
SHAPE = 0.0085
SHAPE_CASING = 0.0024
SHAPES_PER_LINE = 5
"""Along each line its seat's shape stands this often: colours alone look alike to some eyes."""
TEXT = 0.027

NAMES_LINE = 0.048
"""From the top of the paper to the middle of the names."""
NAMES_LEFT = 0.03
NAME_BADGE = 0.036
NAME_SPACE = 0.009
BADGE = 0.041
BADGE_RIGHT = 0.045
"""From the end of a line to the middle of its badge."""
BADGE_ROW_HEIGHT = 0.046
POINTS_END = EDGE + 0.01

DISC = 0.042
STALK = 0.003
DISC_DISTANCE = 1.05
"""How far apart the middles of two discs are at least, as a share of their size."""
DISC_STEPS_PER_SIZE = 4
DISC_STEPS_PER_MOMENT = 9
"""How finely and how far a free place for a disc is looked for."""

Expected = Sequence[Sequence[float]]
"""The expected points of each seat, at the start and after every commit."""


class MarkedMoment(Struct, frozen=True):
    """A decisive moment: its label, the number of its commit and the seat whose line it is on."""

    label: str
    number: int
    seat: int


def draw(
    title: str,
    expected: Expected,
    names: Sequence[str],
    marked: Sequence[MarkedMoment],
    phases: Sequence[int] = (),
) -> bytes:
    """Draw the chart as a PNG; `phases` are the commits at which a phase or round began."""
    return encode(draw_image(title, expected, names, marked, phases), "sheet")


def draw_image(
    title: str,
    expected: Expected,
    names: Sequence[str],
    marked: Sequence[MarkedMoment],
    phases: Sequence[int] = (),
) -> Image.Image:
    """Draw the chart."""
    canvas = Canvas.blank(WIDTH, HEIGHT, BACKDROP)
    canvas.lay(title_strip(WIDTH, title, (words_of().say("curves.title"),), None), 0, 0)
    edge = share(WIDTH, EDGE)
    top = share(WIDTH, TITLE_HEIGHT + EDGE)
    measures = PaperSize(
        width=WIDTH - 2 * edge,
        height=HEIGHT - top - edge,
        rim=share(WIDTH, PAPER_RIM),
        band=0,
        radius=share(WIDTH, PAPER_RADIUS),
    )
    canvas.put(paper(measures, False), edge, top)
    field = _PlotArea(top, edge, expected)
    _draw_axes(canvas, field)
    for commit in phases:
        left = round(field.position(commit, 0)[0])
        right = left + max(1, share(WIDTH, TICK_LINE))
        canvas.cover((left, field.top, right, field.bottom), RULE)
    _draw_lines(canvas, field, expected)
    _draw_names(canvas, top, names[: len(expected[0])])
    _draw_ends(canvas, field, expected[-1])
    _draw_moments(canvas, field, expected, marked)
    return canvas.image


class _PlotArea:
    """The rectangle that the lines are drawn in, and where in it a value lies; in pixels."""

    def __init__(self, paper_top: int, edge: int, expected: Expected) -> None:
        self.left = edge + share(WIDTH, LEFT_MARGIN)
        self.right = WIDTH - edge - share(WIDTH, RIGHT_MARGIN)
        self.top = paper_top + share(WIDTH, TOP_MARGIN)
        self.bottom = HEIGHT - edge - share(WIDTH, BOTTOM_MARGIN)
        self.commits = len(expected) - 1
        self.axis = choose_axis(min(map(min, expected)), max(map(max, expected)))

    def position(self, commit: int, value: float) -> Point:
        """Return where a number of points after a commit lies."""
        along = commit / max(1, self.commits)
        x = self.left + along * (self.right - self.left)
        y = self.bottom - self.axis.fraction(value) * (self.bottom - self.top)
        return x, y


def _draw_axes(canvas: Canvas, field: _PlotArea) -> None:
    """Draw fine lines with their points, and below them the number of moves."""
    words = words_of()
    size = share(WIDTH, TEXT)
    thin = max(1, share(WIDTH, TICK_LINE))
    for value in field.axis.ticks():
        y = round(field.position(0, value)[1])
        canvas.cover((field.left, y, field.right, y + thin), RULE)
        x = field.left - share(WIDTH, TICK_GAP)
        write(canvas, x, y, points(value), Face.LABEL, size, MUTED, "r")
    y = field.bottom + share(WIDTH, MOVES_BELOW)
    write(canvas, field.left, y, words.say("curves.start"), Face.LABEL, size, MUTED, "l")
    moves = words.say("curves.moves", number=field.commits)
    write(canvas, field.right, y, moves, Face.LABEL, size, MUTED, "r")


def _draw_lines(canvas: Canvas, field: _PlotArea, expected: Expected) -> None:
    """Draw each seat's line in its colour, cased in ink."""
    brush = Brush(WIDTH, HEIGHT)
    for seat in range(len(expected[0])):
        path = [field.position(commit, values[seat]) for commit, values in enumerate(expected)]
        if len(path) > 1:
            brush.line(path, share(WIDTH, CURVE + CURVE_CASING), INK)
            brush.line(path, share(WIDTH, CURVE), livery_of(seat).colour)
    for seat in range(len(expected[0])):
        # Each seat's shapes stand elsewhere, for lines that run along one another.
        for place in range(SHAPES_PER_LINE):
            along = (place + (seat + 1) / (len(expected[0]) + 1)) / SHAPES_PER_LINE
            commit = round(along * field.commits)
            x, y = field.position(commit, expected[commit][seat])
            livery = livery_of(seat)
            outline = seat_shape(livery.shape, x, y, share(WIDTH, SHAPE))
            brush.paint(brush.grow([outline], share(WIDTH, SHAPE_CASING)), INK)
            brush.fill(outline, livery.colour)
    canvas.put(brush.finish(), 0, 0)


def _draw_names(canvas: Canvas, top: int, names: Sequence[str]) -> None:
    """Draw each seat's badge and name in a row above the lines."""
    size = share(WIDTH, TEXT)
    left = share(WIDTH, EDGE + NAMES_LEFT)
    step = (WIDTH - 2 * left) // len(names)
    badge_size, space = share(WIDTH, NAME_BADGE), share(WIDTH, NAME_SPACE)
    room = step - badge_size - 3 * space
    y = top + share(WIDTH, NAMES_LINE)
    for seat, name in enumerate(drawable_names(names, len(names))):
        x = left + seat * step
        canvas.put(badge(seat, badge_size), x + badge_size // 2, y)
        lines = break_in_two(name, Face.STRONG, size, room)
        for row, line in enumerate(lines):
            text, _ = fit_text(line, Face.STRONG, size, size, room)
            middle = y + round((row - (len(lines) - 1) / 2) * size)
            write(canvas, x + badge_size + space, middle, text, Face.STRONG, size, INK)


def _draw_ends(canvas: Canvas, field: _PlotArea, last: Sequence[float]) -> None:
    """Draw each seat's badge and points at the end of its line."""
    order = sorted(range(len(last)), key=lambda seat: -last[seat])
    heights = [round(field.position(0, last[seat])[1]) for seat in order]
    # Badges that would touch are moved down, and from the foot of the chart up again.
    row = share(WIDTH, BADGE_ROW_HEIGHT)
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + row)
    lowest = field.bottom
    for place in reversed(range(len(heights))):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - row

    size = share(WIDTH, TEXT)
    badge_x = field.right + share(WIDTH, BADGE_RIGHT)
    points_end = WIDTH - share(WIDTH, POINTS_END)
    for seat, y in zip(order, heights, strict=True):
        canvas.put(badge(seat, share(WIDTH, BADGE)), badge_x, y, f"badge:{seat}")
        value = last[seat]
        # Some games count half points; other fractions are estimates.
        number = points(value if value % 0.5 == 0 else round(value))
        write(canvas, points_end, y, number, Face.STRONG, size, INK, "r")


def _draw_moments(
    canvas: Canvas, field: _PlotArea, expected: Expected, marked: Sequence[MarkedMoment]
) -> None:
    """Draw a disc at each moment, or above or below it on a stalk if another disc is there."""
    size = share(WIDTH, DISC)
    half_stalk = share(WIDTH, STALK) // 2
    places: list[Point] = []
    for moment in marked:
        x, line_y = field.position(moment.number, expected[moment.number][moment.seat])
        y = _find_free_height(x, line_y, size, places, len(marked))
        places.append((x, y))
        top, bottom = round(min(y, line_y)), round(max(y, line_y))
        canvas.cover((round(x) - half_stalk, top, round(x) + half_stalk + 1, bottom), INK)
    for moment, (x, y) in zip(marked, places, strict=True):
        canvas.put(disc(moment.label, size), round(x), round(y), moment.label)


def _find_free_height(
    x: float, line_y: float, size: int, taken: Sequence[Point], moments: int
) -> float:
    """Return the height nearest to a line at which a disc touches none of those taken."""
    for step in range(moments * DISC_STEPS_PER_MOMENT):
        distance = size / DISC_STEPS_PER_SIZE * step
        for y in (line_y - distance, line_y + distance):
            if all(dist((x, y), other) > size * DISC_DISTANCE for other in taken):
                return y
    raise ValueError("no room for a disc")
