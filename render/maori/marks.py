"""Rings, prices and codes."""

from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, share
from render.fonts import Face, label, write
from render.items import shell
from render.maori.layout import HARBOUR, PICTURE
from render.maori.sprites import pill
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
from render.shapes import Point, ellipse, rectangle

HALO = PICTURE * 0.003
"""The dark rim around a code, so that it can be read on any ground."""
BERTH = 20
"""The radius of a berth."""
BERTH_SEA, BERTH_LINE = rgb("#0B3A52"), rgb("#A9DCDD")
PILL = (46, 28)
"""Width and height of a label with a price."""
PRICE_INSET, PRICE_DOWN = 30, 6
"""From the upper right corner of a tile or space to the middle of its price, which covers the edge."""


# Sprites are kept: to draw one takes 1 to 5 ms, to put one that is there next to nothing.
@kept(8)
def legal_ring(size: int, filled: bool) -> Sprite:
    """The ring of a space or tile that may be chosen, put by its upper left corner."""
    brush = Brush(size, size)
    inset = size * 0.07
    outline = rectangle(inset, inset, size - inset, size - inset, size * 0.11)
    if filled:
        brush.fill(outline, LEGAL)
        # Almost all of the water is seen through the fill.
        glassy = [round(opacity * 0.18) for opacity in range(256)]
        brush.image.putalpha(brush.image.getchannel("A").point(glassy))
    brush.ring(outline, PICTURE * 0.0075, CASING)
    brush.ring(outline, PICTURE * 0.0038, LEGAL)
    return brush.done()


@kept(8)
def last_ring(size: int) -> Sprite:
    """The ring of the last move, put by the upper left corner of what it goes around."""
    brush = Brush(size + 12, size + 12, at=(6, 6))
    outline = rectangle(0, 0, size, size, size * 0.06)
    brush.ring(outline, 8.4, LAST_CASING)
    brush.ring(outline, 5.2, LAST)
    brush.ring(outline, 1.8, WHITE)
    return brush.done()


@kept(64)
def wake(points: tuple[Point, ...]) -> Sprite:
    """A line of the last move along some points, given as they lie in the picture it is put on."""
    across = [int(x) for x, _ in points]
    down = [int(y) for _, y in points]
    # The sprite is as small as it can be: the points, and half the thickest line around them.
    left, top = min(across) - 8, min(down) - 8
    right, bottom = max(across) + 9, max(down) + 9
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    brush.line(points, 10.4, LAST_CASING)
    brush.line(points, 6.6, LAST)
    brush.line(points, 2.2, WHITE)
    return brush.done()


@kept(32)
def berth_disc(fill: Colour, line: Colour, rim: float, casing: Colour | None = None) -> Sprite:
    """A berth without its number."""
    middle = BERTH + 4
    brush = Brush(2 * middle, 2 * middle, at=(middle, middle))
    if casing is not None:
        brush.fill(ellipse(0, 0, BERTH + 3), casing)
    brush.fill(ellipse(0, 0, BERTH + 0.6), line)
    brush.fill(ellipse(0, 0, BERTH - rim), fill)
    return brush.done()


@kept(2)
def harbour() -> Sprite:
    """The ring under the discoverer."""
    brush = Brush(80, 80, at=(40, 40))
    # Discs from the largest to the smallest: a ring is what the next one leaves of each.
    discs = (
        (HARBOUR - 1, LAST_CASING),
        (HARBOUR - 3, LAST),
        (HARBOUR - 6, WHITE),
        (HARBOUR - 7.5, LAST),
        (HARBOUR - 10, LAST_CASING),
        (HARBOUR - 11.6, rgb("#F7C3D8")),
    )
    for radius, colour in discs:
        brush.fill(ellipse(0, 0, radius), colour)
    return brush.done()


def live_code(canvas: Canvas, x: int, y: int, code: str) -> None:
    """The code of something that may be chosen."""
    sprite = label(code.upper(), Face.STRONG, share(PICTURE, 0.03), LEGAL, "m", CASING, HALO)
    canvas.put(sprite, x, y, f"code:{code}")


def corner_code(canvas: Canvas, x: int, y: int, code: str, is_legal: bool) -> None:
    """The code of a tile, in its upper left corner."""
    colour = LEGAL if is_legal else CODE_SEA
    rim = HALO * 1.5 if is_legal else HALO * 0.8
    sprite = label(code.upper(), Face.STRONG, share(PICTURE, LEAST), colour, "l", CASING, rim)
    canvas.put(sprite, x + 5, y + 13, f"code:{code}")


def price(canvas: Canvas, x: int, y: int, shells: int) -> None:
    """A label with what something costs: a shell, and beside it how many."""
    canvas.put(pill(*PILL), x, y)
    canvas.put(shell(share(PICTURE, 0.023), None), x - 10, y, "price")
    write(canvas, x + 10, y, str(shells), Face.STRONG, share(PICTURE, LEAST), INK, "m")
