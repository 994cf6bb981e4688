"""The marks on tiles, spaces and the track: rings, wakes, prices, codes, numbers.

The `draw_` functions make sprites. The `put_` functions find a place for one on a tile where it
hides nothing that is counted, put it there, and note in the `FreeSpace` that the place is taken.
"""

from msgspec.structs import replace

from render.canvas import Brush, Canvas, Sprite, cached, current_mode
from render.chrome import LEAST, share
from render.fonts import Face, label
from render.free_space import FreeSpace
from render.items import shell
from render.maori.layout import HARBOUR_RADIUS, PICTURE_WIDTH
from render.maori.sprites import draw_pill
from render.news import Mark, bud
from render.palette import (
    CASING,
    CODE_SEA,
    INK,
    LAST,
    LAST_CASING,
    LEGAL,
    WHITE,
    Colour,
    rgb,
)
from render.pieces import overlay
from render.shapes import Point, ellipse, rectangle

TEXT_SIZE = share(PICTURE_WIDTH, LEAST)
"""The size of codes, prices and numbers: that of the smallest text in a picture."""
LEGAL_CODE_SIZE = share(PICTURE_WIDTH, 0.03)
HALO_WIDTH = PICTURE_WIDTH * 0.003
"""The width of the dark rim around a code, which makes it readable on any ground."""
LEGAL_HALO_WIDTH = HALO_WIDTH * 1.5
OTHER_HALO_WIDTH = HALO_WIDTH * 0.8

LEGAL_CASING_WIDTH = PICTURE_WIDTH * 0.0075
LEGAL_LINE_WIDTH = PICTURE_WIDTH * 0.0038
RING_INSET = 0.07
"""From the edge of a space to its ring, as a share of its side."""
LEGAL_FILL_OPACITY = 0.18
"""The opacity of a legal space's fill: almost all of the water can be seen through it."""
NEWS_RING_WIDTHS = (8.4, 5.2, 1.8)
"""The three lines of the ring around something new: casing, pink and core."""
NEWS_RING_MARGIN = 6
"""Room in the sprite around what the ring encloses."""
WAKE_WIDTHS = (10.4, 6.6, 2.2)
"""The three lines of a journey: casing, pink and core."""
WAKE_MARGIN = 8
"""Room in the sprite around the points of a wake: a bit more than half of the widest line."""

HATCH_STEP, LEAST_HATCH_STEP = 0.17, 10
"""From one line of a hatch to the next: a share of what it covers, but at least so many pixels."""
HATCH_WIDTH = 2.2

BERTH_RADIUS = 20
BERTH_SEA, BERTH_LINE = rgb("#0B3A52"), rgb("#A9DCDD")
HARBOUR_PALE = rgb("#F7C3D8")

PRICE_WIDTH, PRICE_HEIGHT = 43, 26
"""The size of the label with a price."""
PRICE_SHELL_SIZE = share(PICTURE_WIDTH, 0.022)
PRICE_SHELL_X, PRICE_NUMBER_X = -9, 10
"""How far right of the label's middle the shell and the number are."""

HARBOUR_ROOM = 40
"""Half the width of the harbour's sprite."""
HARBOUR_DISCS = (
    (HARBOUR_RADIUS - 1, LAST_CASING),
    (HARBOUR_RADIUS - 3, LAST),
    (HARBOUR_RADIUS - 6, WHITE),
    (HARBOUR_RADIUS - 7.5, LAST),
    (HARBOUR_RADIUS - 10, LAST_CASING),
    (HARBOUR_RADIUS - 11.6, HARBOUR_PALE),
)
"""Radii and colours, from the largest disc to the smallest: each leaves only a ring of the one
before.
"""

CODE_FROM_LEFT, CODE_FROM_RIGHT = 5, -3
"""From a tile's left edge to its code, and from the code's end to the right edge."""
CODE_NUDGE = 4
"""How far a code is moved towards the sides of its tile if it would hide something."""
CODE_FROM_TOP, CODE_FROM_BOTTOM = (13, 9, 6), (12, 6)
"""Heights of a code's middle, from the upper and the lower edge of its tile, the best first."""

MAX_HIDDEN_BY_CODE = 60
"""Pixels of what is counted that a code may hide before another place is tried."""
MAX_HIDDEN_BY_NUMBER = 80
"""Pixels of symbols that the number of a turn may hide; each pixel of a text counts for twenty. If
it would hide more, a dot is put there instead.
"""


# Sprites are cached: to draw one takes 1 to 5 ms, to put one that is there next to nothing.
@cached(8)
def draw_legal_ring(size: int, is_filled: bool) -> Sprite:
    """Draw the ring of a space or tile that may be chosen, put by its upper left corner."""
    brush = Brush(size, size)
    inset = size * RING_INSET
    outline = rectangle(inset, inset, size - inset, size - inset, size * 0.11)
    if is_filled:
        brush.fill(outline, LEGAL)
        faint = [round(opacity * LEGAL_FILL_OPACITY) for opacity in range(256)]
        brush.image.putalpha(brush.image.getchannel("A").point(faint))
    brush.ring(outline, LEGAL_CASING_WIDTH, CASING)
    brush.ring(outline, LEGAL_LINE_WIDTH, LEGAL)
    return brush.finish()


@cached(8)
def draw_hatch(size: int, colour: Colour, is_ringed: bool = False) -> Sprite:
    """Draw the hatch over a tile or space that won't count, put by its upper left corner.

    It stays within the ring of a space that may be chosen.
    """
    brush = Brush(size, size)
    inset = size * RING_INSET if is_ringed else 0
    inside = brush.mask(rectangle(inset, inset, size - inset, size - inset))
    step = max(size * HATCH_STEP, LEAST_HATCH_STEP)
    # From the upper right to the lower left, beginning and ending outside of the square.
    for number in range(1, int(2 * size / step) + 1):
        reach = (number - 0.5) * step
        brush.line(((reach, 0), (0, reach)), HATCH_WIDTH, colour, inside)
    return brush.finish()


@cached(32)
def draw_news_ring(size: int, age: int) -> Sprite:
    """Draw the ring around a tile that changed, put by the tile's upper left corner.

    `age` counts the turns since the change.
    """
    whole = size + 2 * NEWS_RING_MARGIN
    brush = Brush(whole, whole, at=(NEWS_RING_MARGIN, NEWS_RING_MARGIN))
    outline = rectangle(0, 0, size, size, size * 0.06)
    for thickness, colour in Mark(age=age).lines(*NEWS_RING_WIDTHS):
        brush.ring(outline, thickness, colour)
    return brush.finish()


@cached(128)
def draw_wake(points: tuple[Point, ...], age: int) -> Sprite:
    """Draw the line of a journey through some points of the picture, put on its corner."""
    xs = [int(x) for x, _ in points]
    ys = [int(y) for _, y in points]
    # A wake is short and the sheet is large, so the sprite is made as small as possible.
    left, top = min(xs) - WAKE_MARGIN, min(ys) - WAKE_MARGIN
    right, bottom = max(xs) + WAKE_MARGIN + 1, max(ys) + WAKE_MARGIN + 1
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    for thickness, colour in Mark(age=age).lines(*WAKE_WIDTHS):
        brush.line(points, thickness, colour)
    return brush.finish()


@cached(32)
def draw_berth(fill: Colour, line: Colour, line_width: float, casing: Colour | None) -> Sprite:
    """Draw a position of the track without its number."""
    middle = BERTH_RADIUS + 4
    brush = Brush(2 * middle, 2 * middle, at=(middle, middle))
    if casing is not None:
        brush.fill(ellipse(0, 0, BERTH_RADIUS + 3), casing)
    brush.fill(ellipse(0, 0, BERTH_RADIUS + 0.6), line)
    brush.fill(ellipse(0, 0, BERTH_RADIUS - line_width), fill)
    return brush.finish()


@cached(2)
def draw_harbour() -> Sprite:
    """Draw the ring under the discoverer."""
    brush = Brush(2 * HARBOUR_ROOM, 2 * HARBOUR_ROOM, at=(HARBOUR_ROOM, HARBOUR_ROOM))
    for radius, colour in HARBOUR_DISCS:
        brush.fill(ellipse(0, 0, radius), colour)
    return brush.finish()


@cached(64)
def draw_price(shells: int) -> Sprite:
    """Draw a label with a price: a shell, and beside it how many."""
    pill = draw_pill(PRICE_WIDTH, PRICE_HEIGHT)
    with_shell = overlay(pill, shell(PRICE_SHELL_SIZE, None), PRICE_SHELL_X, 0)
    number = label(str(shells), Face.STRONG, TEXT_SIZE, INK)
    return overlay(with_shell, number, PRICE_NUMBER_X, 0)


def draw_legal_code(code: str) -> Sprite:
    """Draw the code of an empty space that may be chosen."""
    return label(code.upper(), Face.STRONG, LEGAL_CODE_SIZE, LEGAL, "m", CASING, HALO_WIDTH)


def put_code(
    canvas: Canvas,
    free_space: FreeSpace,
    tile: tuple[int, int],
    size: int,
    code: str,
    is_legal: bool,
) -> None:
    """Put the code of a tile into the corner where it hides least; `tile` is its upper left."""
    colour = LEGAL if is_legal else CODE_SEA
    halo = LEGAL_HALO_WIDTH if is_legal else OTHER_HALO_WIDTH
    sprite = label(code.upper(), Face.STRONG, TEXT_SIZE, colour, "l", CASING, halo)
    width = sprite.mask.width // current_mode().zoom
    left, right = CODE_FROM_LEFT, size - width - CODE_FROM_RIGHT
    sides = (left, right, left - CODE_NUDGE, right + CODE_NUDGE, (left + right) // 2)
    # The upper corners first: a code in a lower corner might seem to belong to the next tile.
    heights = (*CODE_FROM_TOP, *(size - up for up in CODE_FROM_BOTTOM))
    points: list[tuple[int, int]] = []
    for down in heights:
        points += [(tile[0] + side, tile[1] + down) for side in sides]
    point = free_space.find_spot(sprite, points, most=MAX_HIDDEN_BY_CODE)
    canvas.put(sprite, *point, f"code:{code}")
    free_space.occupy(sprite, *point, is_read=True)


def put_beside_symbols(
    canvas: Canvas,
    free_space: FreeSpace,
    tile: tuple[int, int],
    size: int,
    sprite: Sprite,
    shows: str,
) -> None:
    """Put a price or a number on a tile or space where it hides nothing that is counted."""
    point = _find_point(free_space, tile, size, sprite)
    canvas.put(sprite, *point, shows)
    free_space.occupy(sprite, *point, is_read=True)


def put_turn_number(
    canvas: Canvas,
    free_space: FreeSpace,
    tile: tuple[int, int],
    size: int,
    sprite: Sprite,
    mark: Mark,
) -> None:
    """Put the number of a turn on a tile that it changed, or a dot where the tile is crowded."""
    point = _find_point(free_space, tile, size, sprite)
    if free_space.count_covered(sprite, *point) > MAX_HIDDEN_BY_NUMBER:
        # The brightness of the ring around the tile still says how old the change is.
        sprite = bud(size, replace(mark, is_dot=True), TEXT_SIZE)
    put_beside_symbols(canvas, free_space, tile, size, sprite, f"news:{mark.number}")


def _find_point(
    free_space: FreeSpace, tile: tuple[int, int], size: int, sprite: Sprite
) -> tuple[int, int]:
    """Return the point of a tile at which a price or number hides least of what is there."""
    half = sprite.mask.width // current_mode().zoom // 2
    near, far, middle = half - 3, size - half + 3, size // 2
    # Right and down from the tile's corner, the best first: the corners, then the middles of the
    # sides, then beyond the sides, where the neighbouring tiles are.
    offsets = (
        (far, 10),
        (near, size - 12),
        (far, size - 12),
        (far, 2),
        (near, size - 4),
        (far, size - 4),
        (middle, 4),
        (middle, size - 4),
        (far, middle),
        (near, middle),
        (far + 10, 4),
        (near - 10, size - 4),
        (far + 10, size - 4),
        (far + 12, middle),
    )
    return free_space.find_spot(
        sprite, [(tile[0] + right, tile[1] + down) for right, down in offsets]
    )
