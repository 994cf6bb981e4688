"""Marks for what happened since the last post: a pink flower with a number for each event.

The middle of a mark has the colour, and on the board the shape, of the seat that did it.
Marks are numbered in the order of the events. Older ones are thinner and less bright, and the
oldest of very many are dots without a number. A game decides what to mark and where; how a mark
looks is decided here, and may be changed here for all games.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from render.canvas import Box, Brush, Canvas, Sprite, cached
from render.fonts import Face, label
from render.nature import hibiscus
from render.palette import LAST, LAST_CASING, WHITE, Colour, lighter, livery_of, mix, rgb
from render.pieces import overlay
from render.shapes import Outline, ellipse, polygon, rectangle, seat_shape, star

MAX_AGE = 2
"""Marks do not fade any further than this."""
NUMBERED_MARKS = 24
"""How many of the newest marks have numbers.

For somebody who was away for long there are more marks than that; the others are dots.
"""
FADED = rgb("#8C7A86")
"""The colour that the pink of old marks tends to."""
FADING_PER_AGE = 0.38
THINNING_PER_AGE = 0.18
PALE_CENTRE = 0.86
"""How much white the pink behind a number has."""

# A flower is drawn around its number; lengths are shares of the height of the letters.
FLOWER_RADIUS, WIDE_FLOWER_RADIUS = 0.5, 0.66
BUD_RADIUS, WIDE_BUD_RADIUS = 0.46, 0.62
"""The radius of a centre: around a single digit, and around more."""
DOT_RADIUS = 0.2
BUD_SHAPES = {"disc": 1.09, "triangle": 1.36, "square": 1.08, "diamond": 1.32}
"""How much larger each shape is than the radius of its bud: so a number fits in all of them."""
STAR_BUD, STAR_BUD_INNER = 1.45, 0.88
BUD_NUMBERS_DOWN = {"triangle": 0.28}
"""How far down the number stands, as a share of that radius."""
ONLY_CENTRE = 0.15
"""The seat's shape in the only flower of a picture, as a share of the flower's size."""
FLOWER_STEP = 1.1
"""From one flower on a panel to the next."""
MAX_SINGLE_DIGIT = 9

# Petals stand around the centre; lengths are shares of its radius.
PETALS = 5
PETAL_DISTANCE = 0.92
PETAL_RADIUS = 0.62
PETAL_LENGTH, PETAL_BREADTH = 1.15, 0.95
"""Radii of a petal, as shares of PETAL_RADIUS."""

# In pixels.
FLOWER_MARGIN = 4
PETAL_CASING = 2.2
CENTRE_CASING = 1.6
NUMBER_RIM = 0.09
"""The width of the line around a number, as a share of its height."""
BUD_CASING, BUD_RING = 4.6, 3
DOT_CASING, DOT_RING = 4.2, 2.6
"""How far the dark casing and the pink ring reach beyond the centre of a bud or a dot."""
DISC_MARGIN = 6
RING_MARGIN = 4
RING_CASING, RING_PINK, RING_CORE = 6.4, 4.4, 1.4
RING_ROUNDNESS = 0.45
"""The corner radius of a ring, as a share of its shorter side."""


class Mark(Struct, frozen=True):
    """One of the marks of a picture."""

    number: int = 0
    """Its number in the order of events, from 1; 0 if it is the only mark."""
    age: int = 0
    """How many marks came after it, up to MAX_AGE."""
    is_dot: bool = False
    """Whether it is so old that it has no number."""
    seat: int | None = None
    """The seat that did it; None if no seat did."""
    is_bare: bool = False
    """Whether a ring without a flower is enough, as in a film, where changes can be seen."""

    @property
    def colour(self) -> Colour:
        """The pink of the last move, faded by age."""
        return mix(LAST, FADED, FADING_PER_AGE * self.age)

    @property
    def middle(self) -> Colour:
        """The colour behind the number: the seat's."""
        if self.seat is None:
            return lighter(self.colour, PALE_CENTRE)
        return livery_of(self.seat).colour

    @property
    def ink(self) -> Colour:
        """The colour of the number."""
        return LAST_CASING if self.seat is None else livery_of(self.seat).stamp

    @property
    def rim(self) -> Colour | None:
        """The line around the number, if its colours need one."""
        return None if self.seat is None else livery_of(self.seat).rim

    @property
    def core(self) -> Colour:
        """The line in the middle of a stroke, which makes it stand out on any ground.

        It is as bright in old marks as in new ones: how old they are shows in their width.
        """
        return WHITE

    @property
    def weight(self) -> float:
        """How thick its lines are, compared with those of the newest mark."""
        return 1 - THINNING_PER_AGE * self.age

    def lines(
        self,
        casing: float,
        pink: float,
        core: float,
    ) -> tuple[tuple[float, Colour], ...]:
        """Return width and colour of the lines that make up a stroke, the widest first.

        The arguments are their widths in the newest mark.
        """
        weight = self.weight
        return (
            (casing * weight, LAST_CASING),
            (pink * weight, self.colour),
            (core, self.core),
        )


ONLY_MARK = Mark()


def make_marks(seats: Sequence[int | None]) -> list[Mark]:
    """Return the marks of events, the oldest first; `seats` are those that did them."""
    if len(seats) == 1:
        return [Mark(seat=seats[0])]
    made = []
    for number, seat in enumerate(seats, 1):
        newer = len(seats) - number
        is_dot = newer >= NUMBERED_MARKS
        made.append(Mark(number, min(newer, MAX_AGE), is_dot=is_dot, seat=seat))
    return made


@cached(128)
def flower(size: int, mark: Mark, letters: int) -> Sprite:
    """Return a flower with the mark's number, whose digits are `letters` pixels high.

    The only mark of a picture has no number: it is a hibiscus, `size` pixels large.
    """
    if not mark.number:
        return _only_flower(size, mark)
    if mark.is_dot:
        return _dot(mark, letters)
    is_wide = mark.number > MAX_SINGLE_DIGIT
    centre = letters * (WIDE_FLOWER_RADIUS if is_wide else FLOWER_RADIUS)
    return overlay(_petals(centre, mark.colour, mark.middle), _number(mark, letters), 0, 0)


# Cached without the number: it takes 2 ms, and numbers differ in every picture.
@cached(64)
def _petals(centre: float, colour: Colour, middle: Colour) -> Sprite:
    """Return a flower without its number, by the radius of its centre."""
    distance = centre * PETAL_DISTANCE
    radius = centre * PETAL_RADIUS
    reach = round(distance + radius + FLOWER_MARGIN)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    petals = [
        ellipse(x, y, radius * PETAL_LENGTH, radius * PETAL_BREADTH)
        for x, y in polygon(0, 0, distance, PETALS)
    ]
    brush.paint(brush.grow(petals, PETAL_CASING), LAST_CASING)
    for petal in petals:
        brush.fill(petal, colour)
    brush.fill(ellipse(0, 0, centre + CENTRE_CASING), LAST_CASING)
    brush.fill(ellipse(0, 0, centre), middle)
    return brush.finish()


def _number(mark: Mark, letters: int) -> Sprite:
    """Return the number of a mark, whose digits are `letters` pixels high."""
    rim = letters * NUMBER_RIM
    return label(str(mark.number), Face.STRONG, letters, mark.ink, "m", mark.rim, rim)


def _only_flower(size: int, mark: Mark) -> Sprite:
    """Return the only mark of a picture: a hibiscus, with the seat's shape in its middle."""
    blossom = hibiscus(size)
    if mark.seat is None:
        return blossom
    livery = livery_of(mark.seat)
    radius = size * ONLY_CENTRE
    reach = round(2 * radius)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    shape = seat_shape(livery.shape, 0, 0, radius)
    brush.paint(brush.grow([shape], CENTRE_CASING), LAST_CASING)
    brush.fill(shape, livery.colour)
    return overlay(blossom, brush.finish(), 0, 0)


@cached(64)
def bud(size: int, mark: Mark, letters: int) -> Sprite:
    """Return a smaller sign than a flower: the number in the seat's shape, without petals."""
    if not mark.number:
        return _only_flower(size, mark)
    if mark.is_dot:
        return _dot(mark, letters)
    is_wide = mark.number > MAX_SINGLE_DIGIT
    radius = letters * (WIDE_BUD_RADIUS if is_wide else BUD_RADIUS)
    disc = _disc(mark, radius, BUD_CASING, BUD_RING)
    number = _number(mark, letters)
    down = 0.0
    if mark.seat is not None and not is_wide:
        down = BUD_NUMBERS_DOWN.get(livery_of(mark.seat).shape, 0)
    return overlay(disc, number, 0, round(radius * down))


def _dot(mark: Mark, letters: int) -> Sprite:
    """Return a mark without a number, small enough that dozens of them hide nothing."""
    return _disc(mark, letters * DOT_RADIUS, DOT_CASING, DOT_RING)


def _disc(mark: Mark, radius: float, casing: float, ring: float) -> Sprite:
    """Return the shape of the seat, or a disc, in a pink ring with a dark casing."""
    shape = ""
    # A dot is too small for a shape, and where there are many marks, there is no room for one.
    if mark.seat is not None and mark.number <= MAX_SINGLE_DIGIT and not mark.is_dot:
        shape = livery_of(mark.seat).shape
    return _ringed_shape(shape, radius, mark.colour, mark.middle, casing, ring)


@cached(64)
def _ringed_shape(
    shape: str, radius: float, colour: Colour, middle: Colour, casing: float, ring: float
) -> Sprite:
    """Return a seat's shape, or a disc without one, in a ring of a colour with a dark casing."""
    outline = _bud_outline(shape, radius) if shape else ellipse(0, 0, radius)
    reach = round(max(abs(value) for point in outline for value in point) + DISC_MARGIN)
    brush = Brush(2 * reach, 2 * reach, at=(reach, reach))
    brush.paint(brush.grow([outline], casing), LAST_CASING)
    brush.paint(brush.grow([outline], ring), colour)
    brush.fill(outline, middle)
    return brush.finish()


def _bud_outline(shape: str, radius: float) -> Outline:
    """Return a seat's shape around a number that fits into a disc of that radius."""
    if shape == "star":
        # With the usual slender points, a number would cover most of it.
        return star(0, 0, radius * STAR_BUD, radius * STAR_BUD_INNER)
    return seat_shape(shape, 0, 0, radius * BUD_SHAPES[shape])


def sprites_by_size(size: int, mark: Mark, letters: int) -> Iterator[Sprite]:
    """Yield the signs for a mark from the largest to the smallest: flower, bud, dot."""
    yield flower(size, mark, letters)
    yield bud(size, mark, letters)
    yield bud(size, replace(mark, is_dot=True), letters)


def encircle(canvas: Canvas, box: Box, mark: Mark) -> None:
    """Put a ring around something on a panel that changed, such as a score."""
    left, top, right, bottom = box
    canvas.put(_ring(right - left, bottom - top, mark.age), left, top)


@cached(128)
def _ring(width: int, height: int, age: int) -> Sprite:
    """Return a ring around an area of that size, put by the area's upper left corner."""
    brush = Brush(width + 2 * RING_MARGIN, height + 2 * RING_MARGIN, at=(RING_MARGIN, RING_MARGIN))
    outline = rectangle(0, 0, width, height, min(width, height) * RING_ROUNDNESS)
    for thick, colour in Mark(age=age).lines(RING_CASING, RING_PINK, RING_CORE):
        brush.ring(outline, thick, colour)
    return brush.finish()


def choose_panel_marks(own: Sequence[Mark]) -> Sequence[Mark]:
    """Choose the marks of a seat's actions that its panel has room for.

    These are the last two, or the last one where a number has two digits.
    """
    last_two = own[-2:]
    if any(mark.number > MAX_SINGLE_DIGIT for mark in last_two):
        return own[-1:]
    return last_two


def put_panel_flowers(
    canvas: Canvas, x: int, y: int, own: Sequence[Mark], size: int, letters: int
) -> None:
    """Put the flowers of a seat's actions side by side around a point of its panel.

    The newest is the rightmost and lies on top.
    """
    shown = choose_panel_marks(own)
    step = round(letters * FLOWER_STEP)
    for number, mark in enumerate(shown):
        from_middle = number - (len(shown) - 1) / 2
        right = round(from_middle * step)
        canvas.put(flower(size, mark, letters), x + right, y, f"whose:{mark.number}")
