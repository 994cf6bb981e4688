"""The Victory Point Track: everybody's token on a tab that points at its number."""

import math
from collections.abc import Sequence
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.conquest.view import NOBODY, ConquestView
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import share
from render.conquest.layout import TEXT, TRACK, WIDTH
from render.conquest.news import POINTS, News
from render.fonts import Face, write
from render.news import bud
from render.palette import ACTIVE, BARK, DARK_WOOD, TITLE_TEXT, TOOTH_LIGHT, mix, rgb
from render.pieces import badge
from render.shapes import rectangle
from render.words import words_of

START = share(WIDTH, 0.066)
"""Where the track begins."""
WIDEST_CELL = share(WIDTH, 0.042)
NARROWEST_CELL = share(WIDTH, 0.0275)
"""Narrower cells print every fifth number only."""
CELL_HIGH = share(WIDTH, 0.0275)
MIDDLE = round(TRACK * 0.745)
"""Of the cells, from the upper edge of the band."""
TOKEN = share(WIDTH, 0.031)
STEP = share(WIDTH, 0.03)
"""From one token to the next beside it."""
TOKEN_LINE = share(WIDTH, 0.0195)
"""The middle of tokens, from the upper edge of the band."""
TAB = share(WIDTH, 0.0335)
"""How high a tab is without its point."""
POINT = 11
"""Half the width of its point."""
FRAME, PLATE = rgb("#3A220E"), rgb("#E9D2A0")


class Tab(Struct, frozen=True):
    """The tokens that stand at one value, and where."""

    value: float
    seats: tuple[int, ...]
    left: int
    """The middle of the first token; the others follow at STEP."""

    @property
    def middle(self) -> int:
        """Of all its tokens."""
        return self.left + STEP * (len(self.seats) - 1) // 2

    @property
    def across(self) -> int:
        """Just as wide as its tokens need."""
        return STEP * len(self.seats)


def track(view: ConquestView, news: News) -> Image.Image:
    """The track on its wooden board, with everybody's token."""
    values = [nation.track for nation in view.nations]
    length = max(view.goal, math.ceil(max(values)))
    cell = cell_width(length)
    canvas = Canvas(_board(length, view.goal).copy())
    for tab in tabs(values, cell):
        point = place_of(tab.value, cell) - tab.middle
        canvas.put(_tab(tab.across, point, tab.value == view.goal), tab.middle, 0)
        for place, seat in enumerate(tab.seats):
            canvas.put(badge(seat, TOKEN), tab.left + place * STEP, TOKEN_LINE)
    # Points that were counted have moved the tokens: their number stands above the unit.
    number = news.number_of(POINTS, NOBODY)
    if number:
        canvas.put(
            bud(TOKEN, news.mark(number), TEXT - 6), START // 2, TOKEN_LINE, f"news:{number}"
        )
    return canvas.image


def cell_width(length: int) -> int:
    """The width of a number of the track."""
    room = WIDTH - START - share(WIDTH, 0.015)
    return min(WIDEST_CELL, room // (length + 1))


def place_of(value: float, cell: int) -> int:
    """The middle of a value on the track."""
    return START + round((value + 0.5) * cell)


def tabs(values: Sequence[float], cell: int) -> list[Tab]:
    """A tab a value, over its number as far as there is room: those that would collide share the
    way aside.
    """
    order = sorted(range(len(values)), key=lambda seat: (values[seat], seat))
    # Tokens must stand STEP apart. Less what the tokens before it take, each place only has to lie
    # no further left than the one before; those that would are gathered in a block, which stands at
    # the mean of what its tokens wish for.
    blocks: list[list[int]] = []
    for rank, seat in enumerate(order):
        blocks.append([place_of(values[seat], cell) - rank * STEP])
        while len(blocks) > 1 and mean(blocks[-2]) > mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    first_place = STEP // 2
    last_place = WIDTH - STEP // 2 - STEP * (len(order) - 1)
    places: list[int] = []
    for block in blocks:
        start = min(max(round(mean(block)), first_place), last_place)
        places += [start + rank * STEP for rank in range(len(places), len(places) + len(block))]
    # Tokens of the same value share a tab.
    found: list[Tab] = []
    for seat, place in zip(order, places, strict=True):
        if found and found[-1].value == values[seat]:
            found[-1] = replace(found[-1], seats=(*found[-1].seats, seat))
        else:
            found.append(Tab(values[seat], (seat,), place))
    return found


# 3 ms to draw, and a picture has up to four.
@kept(64)
def _tab(across: int, point: int, is_goal: bool) -> Sprite:
    """A sheet under the tokens whose point ends so far off its middle, slanting where that is
    not below it.
    """
    end = MIDDLE - CELL_HIGH // 2 + 3
    # The point grows out of the sheet: its base stays under it, however far its end lies aside.
    room = across // 2 - POINT
    base = min(max(point, -room), room)
    reach = max(across // 2, abs(point)) + 2
    brush = Brush(2 * reach, end + 4, at=(reach, 0))
    # The whole tab in the frame's colour, then the same smaller on it: what is left is the rim of
    # both parts together.
    for inset, colour in ((0.0, FRAME), (1.8, ACTIVE if is_goal else PLATE)):
        half = across / 2 - inset
        brush.fill(rectangle(-half, 2 + inset, half, TAB - inset, 6), colour)
        foot = TAB - 3
        brush.fill(
            [(base - POINT + inset, foot), (base + POINT - inset, foot), (point, end - inset)],
            colour,
        )
    return brush.done()


# 3 ms to put together, and the same in every picture of most matches.
@kept(16)
def _board(length: int, goal: int) -> Image.Image:
    """The wooden board with its cells, without tokens."""
    canvas = Canvas.blank(WIDTH, TRACK, mix(DARK_WOOD, BARK, 0.35))
    grain = mix(DARK_WOOD, BARK, 0.62)
    for row in range(1, 5):
        y = row * TRACK // 5
        canvas.cover((0, y, WIDTH, y + 1), grain)
    canvas.cover((0, 0, WIDTH, share(WIDTH, 0.002)), TOOTH_LIGHT)
    canvas.cover((0, TRACK - share(WIDTH, 0.003), WIDTH, TRACK), rgb("#2A1E08"))
    unit = words_of("conquest").say("panel.points")
    write(canvas, share(WIDTH, 0.014), MIDDLE, unit, Face.TITLE, share(WIDTH, 0.034), TITLE_TEXT)
    cell = cell_width(length)
    for value in range(length + 1):
        x = START + value * cell + cell // 2
        canvas.put(_cell(cell, value == goal), x, MIDDLE)
        if cell >= NARROWEST_CELL or value % 5 == 0 or value == goal:
            write(canvas, x, MIDDLE, str(value), Face.CODE, TEXT, BARK, "m")
    return canvas.image


# 1 ms to draw, and a track has some 25.
@kept(16)
def _cell(across: int, is_goal: bool) -> Sprite:
    brush = Brush(across, CELL_HIGH + 2, at=(across // 2, CELL_HIGH // 2 + 1))
    half = across / 2 - 1
    up = CELL_HIGH / 2
    rim = 1.6
    brush.fill(rectangle(-half, -up, half, up, 6), FRAME)
    brush.fill(
        rectangle(-half + rim, -up + rim, half - rim, up - rim, 5), ACTIVE if is_goal else PLATE
    )
    return brush.done()
