"""How pictures mark what happened since the last post: numbered in their order, the older the
paler and thinner.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from render.canvas import Box, Brush, Canvas, Sprite, kept
from render.fonts import Face, label
from render.nature import hibiscus
from render.palette import LAST, LAST_CASING, WHITE, Colour, lighter, mix, rgb
from render.pieces import with_mark
from render.shapes import ellipse, polygon, rectangle

OLDEST = 2
"""What is older than this looks no older."""
NUMBERED = 24
"""The newest so many have numbers.

Before them, where somebody has been away for long, a dot says that much.
"""
FADED = rgb("#8C7A86")
"""What the pink of old marks tends to."""


class Mark(Struct, frozen=True):
    """Which of the marks of a picture it is."""

    number: int = 0
    """Its place in their order, from 1; 0 if it is the only one."""
    age: int = 0
    """How many came after it, up to OLDEST."""
    is_dot: bool = False
    """It was so long ago that it has no number."""
    is_bare: bool = False
    """In a film, where everybody sees what changes, a ring alone is enough."""

    @property
    def colour(self) -> Colour:
        """The pink of the last move, or what time has left of it."""
        return mix(LAST, FADED, 0.38 * self.age)

    @property
    def core(self) -> Colour:
        """The line in the middle, by which pink is known to eyes that do not see it."""
        return mix(WHITE, self.colour, 0.4 * self.age)

    @property
    def weight(self) -> float:
        """How thick its lines are, of those of the newest."""
        return 1 - 0.18 * self.age

    def lines(self, casing: float, pink: float, core: float) -> tuple[tuple[float, Colour], ...]:
        """The three lines that are drawn over one another, the widest first, by their widths for
        the newest.
        """
        w = self.weight
        return (casing * w, LAST_CASING), (pink * w, self.colour), (core * w, self.core)


ONLY = Mark()


def marks(count: int) -> list[Mark]:
    """The marks of so many things that happened, the first of them first."""
    if count == 1:
        return [ONLY]
    return [
        Mark(number + 1, min(count - 1 - number, OLDEST), count - number > NUMBERED)
        for number in range(count)
    ]


@kept(128)
def flower(size: int, mark: Mark, letters: int) -> Sprite:
    """The hibiscus of something that happened, with its number in the middle if there are
    several.
    """
    if not mark.number:
        return hibiscus(size)
    if mark.is_dot:
        return _dot(letters, mark)
    # Its middle is as large as the number needs, and its petals stand around that.
    text = str(mark.number)
    middle = letters * (0.5 if len(text) == 1 else 0.66)
    out, petal = middle * 0.92, middle * 0.62
    reach = round(out + petal + 4)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    petals = [ellipse(x, y, petal * 1.15, petal * 0.95) for x, y in polygon(0, 0, out, 5)]
    brush.paint(brush.grown(petals, 2.2), LAST_CASING)
    for outline in petals:
        brush.fill(outline, mark.colour)
    brush.fill(ellipse(0, 0, middle + 1.6), LAST_CASING)
    brush.fill(ellipse(0, 0, middle), lighter(mark.colour, 0.86))
    return with_mark(brush.done(), label(text, Face.STRONG, letters, LAST_CASING), 0, 0)


@kept(64)
def bud(size: int, mark: Mark, letters: int) -> Sprite:
    """The same without petals, for what is small: its number in a ring, or the hibiscus if it is
    the only one.
    """
    if not mark.number:
        return hibiscus(size)
    if mark.is_dot:
        return _dot(letters, mark)
    text = str(mark.number)
    middle = letters * (0.46 if len(text) == 1 else 0.62)
    reach = round(middle + 6)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    for radius, colour in ((4.6, LAST_CASING), (3, mark.colour), (0, lighter(mark.colour, 0.86))):
        brush.fill(ellipse(0, 0, middle + radius), colour)
    return with_mark(brush.done(), label(text, Face.STRONG, letters, LAST_CASING), 0, 0)


def by_size(size: int, mark: Mark, letters: int) -> Iterator[Sprite]:
    """The signs of something that happened, from the largest on: with petals, without, and
    without its number.
    """
    yield flower(size, mark, letters)
    yield bud(size, mark, letters)
    yield bud(size, replace(mark, is_dot=True), letters)


def _dot(letters: int, mark: Mark) -> Sprite:
    """A mark without a number, small enough that dozens of them hide nothing."""
    middle = letters * 0.2
    reach = round(middle + 6)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    for radius, colour in ((4.2, LAST_CASING), (2.6, mark.colour), (0, lighter(mark.colour, 0.86))):
        brush.fill(ellipse(0, 0, middle + radius), colour)
    return brush.done()


def encircle(canvas: Canvas, box: Box, mark: Mark) -> None:
    """A ring around something on a panel that changed, its number for one."""
    left, top, right, bottom = box
    canvas.put(_ring(right - left, bottom - top, mark.age), left, top)


@kept(128)
def _ring(across: int, high: int, age: int) -> Sprite:
    room = 4
    brush = Brush(across + 2 * room, high + 2 * room, at=(room, room))
    outline = rectangle(0, 0, across, high, min(across, high) * 0.45)
    for thick, colour in Mark(age=age).lines(6.4, 4.4, 1.4):
        brush.ring(outline, thick, colour)
    return brush.done()


def signed(mine: Sequence[Mark]) -> Sequence[Mark]:
    """Of what a seat did, as much as a panel has room for: the last two, or the last alone where
    numbers are wide.
    """
    return mine[-2:] if all(mark.number < 10 for mark in mine[-2:]) else mine[-1:]


def sign(canvas: Canvas, x: int, y: int, mine: Sequence[Mark], size: int, letters: int) -> None:
    """The flowers of what a seat did, the newest last and on top, side by side around a place on
    its panel.
    """
    shown = signed(mine)
    step = round(letters * 1.1)
    for number, mark in enumerate(shown):
        right = round((number - (len(shown) - 1) / 2) * step)
        canvas.put(flower(size, mark, letters), x + right, y, f"whose:{mark.number}")
