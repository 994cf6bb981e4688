"""The Victory Point Track: everybody's token on a tab that points at its number."""

import math
from collections.abc import Sequence
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.conquest.view import ConquestView
from render.canvas import Brush, Canvas, Sprite, cached
from render.chrome import share
from render.conquest.layout import TEXT, TRACK_HEIGHT, WIDTH
from render.fonts import Face, write, write_words
from render.palette import ACTIVE, BARK, DARK_WOOD, TITLE_TEXT, TOOTH_LIGHT, mix, rgb
from render.pieces import badge
from render.shapes import rectangle
from render.words import words_of

# Lengths are in pixels.
UNIT_LEFT = share(WIDTH, 0.014)
UNIT_TEXT = share(WIDTH, 0.034)
CELLS_LEFT = share(WIDTH, 0.066)
RIGHT_MARGIN = share(WIDTH, 0.015)
WIDEST_CELL = share(WIDTH, 0.042)
NARROWEST_NUMBERED_CELL = share(WIDTH, 0.033)
"""Narrower cells have numbers only at every NUMBER_INTERVAL points."""
NUMBER_INTERVAL = 5
CELL_HEIGHT = share(WIDTH, 0.0275)
CELL_RIM = 1.6
CELLS_LINE = round(TRACK_HEIGHT * 0.745)
"""The middle of the cells, from the upper edge of the band."""
TOKEN = share(WIDTH, 0.031)
TOKEN_STEP = share(WIDTH, 0.03)
"""From one token to the next beside it."""
TOKENS_LINE = share(WIDTH, 0.0195)
TAB_HEIGHT = share(WIDTH, 0.0335)
"""Without its point."""
TAB_TOP = 2
TAB_RIM = 1.8
POINT_HALF_WIDTH = 11
POINT_OVERLAP = 3
"""How far a point reaches into its sheet and into its cell."""
CORNER_RADIUS = 6
INNER_CORNER_RADIUS = 5
GRAIN_LINES = 4
TOP_LINE = share(WIDTH, 0.002)
BOTTOM_LINE = share(WIDTH, 0.003)

FRAME_COLOUR = rgb("#3A220E")
PLATE_COLOUR = rgb("#E9D2A0")
BOARD_COLOUR = mix(DARK_WOOD, BARK, 0.35)
GRAIN_COLOUR = mix(DARK_WOOD, BARK, 0.62)
EDGE_COLOUR = rgb("#2A1E08")


class Tab(Struct, frozen=True):
    """The tokens that stand at one value."""

    value: float
    seats: tuple[int, ...]
    left: int
    """The middle of the first token; the others follow at TOKEN_STEP."""

    @property
    def middle(self) -> int:
        """The middle of all its tokens."""
        return self.left + TOKEN_STEP * (len(self.seats) - 1) // 2

    @property
    def width(self) -> int:
        """Its width: just enough for its tokens."""
        return TOKEN_STEP * len(self.seats)


def draw_track(view: ConquestView) -> Image.Image:
    """Draw the track on its wooden board, with everybody's token."""
    values = [nation.track for nation in view.nations]
    length = max(view.goal, math.ceil(max(values)))
    cell = cell_width(length)
    canvas = Canvas(_draw_board(length, view.goal).copy())
    for tab in arrange_tabs(values, cell):
        point = value_x(tab.value, cell) - tab.middle
        canvas.put(_tab_sprite(tab.width, point, tab.value == view.goal), tab.middle, 0)
        for place, seat in enumerate(tab.seats):
            canvas.put(badge(seat, TOKEN), tab.left + place * TOKEN_STEP, TOKENS_LINE)
    return canvas.image


def cell_width(length: int) -> int:
    """Return the width of a cell on a track that ends at `length` points."""
    room = WIDTH - CELLS_LEFT - RIGHT_MARGIN
    return min(WIDEST_CELL, room // (length + 1))


def value_x(value: float, cell: int) -> int:
    """Return where a number of points lies on the track."""
    return CELLS_LEFT + round((value + 0.5) * cell)


def arrange_tabs(values: Sequence[float], cell: int) -> list[Tab]:
    """Return a tab for each value, as close to its cell as the other tabs allow."""
    order = sorted(range(len(values)), key=lambda seat: (values[seat], seat))
    # Tokens must stand TOKEN_STEP apart. Subtract the steps of the tokens before it from each
    # wished-for place: then places only must not decrease. Tokens that would break this are pooled
    # in a block, which stands at the mean of their wishes (isotonic regression).
    blocks: list[list[int]] = []
    for rank, seat in enumerate(order):
        blocks.append([value_x(values[seat], cell) - rank * TOKEN_STEP])
        while len(blocks) > 1 and mean(blocks[-2]) > mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    first_place = TOKEN_STEP // 2
    last_place = WIDTH - TOKEN_STEP // 2 - TOKEN_STEP * (len(order) - 1)
    places: list[int] = []
    for block in blocks:
        start = min(max(round(mean(block)), first_place), last_place)
        ranks = range(len(places), len(places) + len(block))
        places += [start + rank * TOKEN_STEP for rank in ranks]
    # Tokens of the same value share a tab.
    tabs: list[Tab] = []
    for seat, place in zip(order, places, strict=True):
        if tabs and tabs[-1].value == values[seat]:
            tabs[-1] = replace(tabs[-1], seats=(*tabs[-1].seats, seat))
        else:
            tabs.append(Tab(values[seat], (seat,), place))
    return tabs


# 3 ms to draw, and a picture has up to four.
@cached(64)
def _tab_sprite(across: int, point: int, is_goal: bool) -> Sprite:
    """Return a sheet for tokens with a point below, which ends `point` pixels off its middle."""
    end = CELLS_LINE - CELL_HEIGHT // 2 + POINT_OVERLAP
    # The point grows out of the sheet: its base stays under it, however far its end lies aside.
    room = across // 2 - POINT_HALF_WIDTH
    base = min(max(point, -room), room)
    reach = max(across // 2, abs(point)) + 2
    brush = Brush(2 * reach, end + 4, at=(reach, 0))
    # The whole tab in the colour of the frame, then a smaller one on top: the rim of both parts
    # together is left.
    foot = TAB_HEIGHT - POINT_OVERLAP
    inner_colour = ACTIVE if is_goal else PLATE_COLOUR
    for inset, colour in ((0.0, FRAME_COLOUR), (TAB_RIM, inner_colour)):
        half = across / 2 - inset
        sheet = rectangle(-half, TAB_TOP + inset, half, TAB_HEIGHT - inset, CORNER_RADIUS)
        brush.fill(sheet, colour)
        half_point = POINT_HALF_WIDTH - inset
        brush.fill(
            [(base - half_point, foot), (base + half_point, foot), (point, end - inset)], colour
        )
    return brush.finish()


# 3 ms to put together, and the same in nearly every picture of a match.
@cached(16)
def _draw_board(length: int, goal: int) -> Image.Image:
    """Draw the wooden board with its cells, without tokens."""
    canvas = Canvas.blank(WIDTH, TRACK_HEIGHT, BOARD_COLOUR)
    for row in range(1, GRAIN_LINES + 1):
        y = row * TRACK_HEIGHT // (GRAIN_LINES + 1)
        canvas.cover((0, y, WIDTH, y + 1), GRAIN_COLOUR)
    canvas.cover((0, 0, WIDTH, TOP_LINE), TOOTH_LIGHT)
    canvas.cover((0, TRACK_HEIGHT - BOTTOM_LINE, WIDTH, TRACK_HEIGHT), EDGE_COLOUR)
    unit = words_of("conquest").say("panel.points")
    sizes = (UNIT_TEXT, UNIT_TEXT)
    room = CELLS_LEFT - UNIT_LEFT
    write_words(canvas, UNIT_LEFT, CELLS_LINE, unit, Face.TITLE, sizes, room, TITLE_TEXT)
    cell = cell_width(length)
    for value in range(length + 1):
        x = CELLS_LEFT + value * cell + cell // 2
        canvas.put(_cell_sprite(cell, value == goal), x, CELLS_LINE)
        is_numbered = cell >= NARROWEST_NUMBERED_CELL or value % NUMBER_INTERVAL == 0
        if is_numbered or value == goal:
            write(canvas, x, CELLS_LINE, str(value), Face.CODE, TEXT, BARK, "m")
    return canvas.image


# 1 ms to draw, and a track has some 25.
@cached(16)
def _cell_sprite(across: int, is_goal: bool) -> Sprite:
    brush = Brush(across, CELL_HEIGHT + 2, at=(across // 2, CELL_HEIGHT // 2 + 1))
    half = across / 2 - 1
    up = CELL_HEIGHT / 2
    brush.fill(rectangle(-half, -up, half, up, CORNER_RADIUS), FRAME_COLOUR)
    half -= CELL_RIM
    up -= CELL_RIM
    inside = rectangle(-half, -up, half, up, INNER_CORNER_RADIUS)
    brush.fill(inside, ACTIVE if is_goal else PLATE_COLOUR)
    return brush.finish()
