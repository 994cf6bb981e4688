"""How the seats of a match stood over its moves: a line each, with the moments that decided it."""

from collections.abc import Sequence
from math import dist

from msgspec import Struct
from PIL import Image

from engine.core.words import points
from render.canvas import Brush, Canvas, Sprite
from render.chrome import TITLE_HEIGHT, Plate, names_for, paper, share, title_strip
from render.fonts import Face, fitted, in_lines, write
from render.palette import BACKDROP, INK, MUTED, RULE, livery_of
from render.pieces import badge, disc
from render.png import encode
from render.shapes import Point
from render.words import words_of

WIDTH = 1080
HIGH = 760
EDGE = 0.0125
"""Around the paper, as a share of the width; so are all lengths below."""
LEFT, RIGHT = 0.075, 0.31
"""Room beside the lines: for the scale, and for the names."""
TOP, FOOT = 0.06, 0.085
THIN, THICK, CASING = 0.0014, 0.0055, 0.0026
TEXT = 0.027
LINES = 5
"""Lines of the scale, about."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)


class Marked(Struct, frozen=True):
    """A moment on a line: the number that it is told by, the commit and the seat."""

    label: str
    number: int
    seat: int


def draw(
    title: str, expected: Sequence[Sequence[float]], names: Sequence[str], marked: Sequence[Marked]
) -> bytes:
    """The picture as a PNG.

    `expected` has the points of each seat, at the start and after every commit.
    """
    return encode(image_of(title, expected, names, marked), "sheet")


def image_of(
    title: str, expected: Sequence[Sequence[float]], names: Sequence[str], marked: Sequence[Marked]
) -> Image.Image:
    """The same, not yet a file."""
    canvas = Canvas.blank(WIDTH, HIGH, BACKDROP)
    seats = len(expected[0])
    canvas.lay(title_strip(WIDTH, title, (words_of().say("curves.title"),), None), 0, 0)
    top, edge = share(WIDTH, TITLE_HEIGHT + EDGE), share(WIDTH, EDGE)
    sheet = Plate(WIDTH - 2 * edge, HIGH - top - edge, share(WIDTH, 0.005), 0, share(WIDTH, 0.0117))
    canvas.put(paper(sheet, False), edge, top)
    field = _Field(top, edge, expected)
    _put_scale(canvas, field)
    canvas.put(_lines(field, expected, seats), 0, 0)
    _put_names(canvas, field, expected[-1], names_for(names, seats))
    _put_moments(canvas, field, expected, marked)
    return canvas.image


def _put_moments(
    canvas: Canvas, field: "_Field", expected: Sequence[Sequence[float]], marked: Sequence[Marked]
) -> None:
    """A disc at each moment; where another one lies already, above or below it on a stalk."""
    size, thin = share(WIDTH, 0.042), share(WIDTH, 0.003)
    taken: list[Point] = []
    for moment in marked:
        x, line = field.at(moment.number, expected[moment.number][moment.seat])
        # The nearest height that is free: 0, then a step up, a step down, two steps up and so on.
        heights = (line + size / 4 * step * up for step in range(len(marked) * 9) for up in (-1, 1))
        y = next(y for y in heights if all(dist((x, y), other) > size * 1.05 for other in taken))
        taken.append((x, y))
        top, bottom = round(min(y, line)), round(max(y, line))
        canvas.cover((round(x) - thin // 2, top, round(x) + thin // 2 + 1, bottom), INK)
    for moment, (x, y) in zip(marked, taken, strict=True):
        canvas.put(disc(moment.label, size), round(x), round(y), moment.label)


class _Field:
    """Where a commit and a number of points lie on the picture."""

    def __init__(self, top: int, edge: int, expected: Sequence[Sequence[float]]) -> None:
        self.left, self.right = edge + share(WIDTH, LEFT), WIDTH - edge - share(WIDTH, RIGHT)
        self.top, self.foot = top + share(WIDTH, TOP), HIGH - edge - share(WIDTH, FOOT)
        self.commits = len(expected) - 1
        least, most = min(map(min, expected)), max(map(max, expected))
        self.step = next((step for step in STEPS if (most - least) / step <= LINES), STEPS[-1])
        self.least = self.step * (least // self.step)
        self.most = max(self.step * -(-most // self.step), self.least + self.step)

    def at(self, number: float, worth: float) -> Point:
        """A point of a line."""
        across = number / max(1, self.commits)
        up = (worth - self.least) / (self.most - self.least)
        return self.left + across * (self.right - self.left), self.foot - up * (
            self.foot - self.top
        )


def _put_scale(canvas: Canvas, field: _Field) -> None:
    """Fine lines with their points, and below them the moves."""
    size, thin = share(WIDTH, TEXT), max(1, share(WIDTH, THIN))
    for number in range(round((field.most - field.least) / field.step) + 1):
        worth = field.least + number * field.step
        y = round(field.at(0, worth)[1])
        canvas.cover((field.left, y, field.right, y + thin), RULE)
        write(
            canvas, field.left - share(WIDTH, 0.012), y, points(worth), Face.LABEL, size, MUTED, "r"
        )
    foot = field.foot + share(WIDTH, 0.035)
    words = words_of()
    write(canvas, field.left, foot, words.say("curves.start"), Face.LABEL, size, MUTED, "l")
    moves = words.say("curves.moves", number=field.commits)
    write(canvas, field.right, foot, moves, Face.LABEL, size, MUTED, "r")


def _lines(field: _Field, expected: Sequence[Sequence[float]], seats: int) -> Sprite:
    brush = Brush(WIDTH, HIGH)
    for seat in range(seats):
        path = [field.at(number, worth[seat]) for number, worth in enumerate(expected)]
        if len(path) > 1:
            brush.line(path, share(WIDTH, THICK + CASING), INK)
            brush.line(path, share(WIDTH, THICK), livery_of(seat).colour)
    return brush.done()


def _put_names(canvas: Canvas, field: _Field, last: Sequence[float], names: Sequence[str]) -> None:
    """Badge, name and points of each seat beside the end of its line, moved apart where two
    would touch.
    """
    size, high = share(WIDTH, TEXT), share(WIDTH, 0.062)
    order = sorted(range(len(last)), key=lambda seat: -last[seat])
    heights = [round(field.at(0, last[seat])[1]) for seat in order]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + high)
    over = max(0, heights[-1] - field.foot)
    for seat, y in zip(order, (height - over for height in heights), strict=True):
        left = field.right + share(WIDTH, 0.055)
        canvas.put(badge(seat, share(WIDTH, 0.05)), left, y, f"badge:{seat}")
        text, room = (
            left + share(WIDTH, 0.036),
            WIDTH - share(WIDTH, EDGE + 0.02) - left - share(WIDTH, 0.036),
        )
        number = points(round(last[seat]))
        lines = in_lines(names[seat], Face.STRONG, size, room - share(WIDTH, 0.07))
        for row, line in enumerate(lines):
            name, shown = fitted(line, Face.STRONG, size, size, room - share(WIDTH, 0.07))
            middle = y + round((row - (len(lines) - 1) / 2) * size)
            write(canvas, text, middle, name, Face.STRONG, shown, INK)
        write(canvas, WIDTH - share(WIDTH, EDGE + 0.02), y, number, Face.STRONG, size, INK, "r")
