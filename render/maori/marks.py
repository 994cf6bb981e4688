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
from render.shapes import Outline, Point, ellipse, rectangle

HALO = PICTURE * 0.003
BERTH = 20
"""The radius of a berth."""
BERTH_SEA, BERTH_LINE = rgb("#0B3A52"), rgb("#A9DCDD")
PILL = (46, 28)


def _square(size: int, inset: float) -> Outline:
    return rectangle(inset, inset, size - inset, size - inset, size * 0.11)


@kept(8)
def legal_ring(size: int, filled: bool) -> Sprite:
    """The ring of a space or tile that may be chosen, put by its upper left corner."""
    brush = Brush(size, size)
    outline = _square(size, size * 0.07)
    if filled:
        brush.fill(outline, LEGAL)
        brush.image.putalpha(brush.image.getchannel("A").point([round(v * 0.18) for v in range(256)]))
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
    left, top = (min(int(point[axis]) for point in points) - 8 for axis in (0, 1))
    right, bottom = (max(int(point[axis]) for point in points) + 9 for axis in (0, 1))
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    for thick, colour in ((10.4, LAST_CASING), (6.6, LAST), (2.2, WHITE)):
        brush.line(points, thick, colour)
    return brush.done()


@kept(32)
def berth_disc(fill: Colour, line: Colour, rim: float, casing: Colour | None = None) -> Sprite:
    """A berth without its number."""
    brush = Brush(2 * BERTH + 8, 2 * BERTH + 8, at=(BERTH + 4, BERTH + 4))
    if casing is not None:
        brush.fill(ellipse(0, 0, BERTH + 3), casing)
    brush.fill(ellipse(0, 0, BERTH + 0.6), line)
    brush.fill(ellipse(0, 0, BERTH - rim), fill)
    return brush.done()


@kept(2)
def harbour() -> Sprite:
    """The ring under the discoverer."""
    brush = Brush(80, 80, at=(40, 40))
    for radius, colour in (
        (HARBOUR - 1, LAST_CASING),
        (HARBOUR - 3, LAST),
        (HARBOUR - 6, WHITE),
        (HARBOUR - 7.5, LAST),
        (HARBOUR - 10, LAST_CASING),
        (HARBOUR - 11.6, rgb("#F7C3D8")),
    ):
        brush.fill(ellipse(0, 0, radius), colour)
    return brush.done()


def live_code(canvas: Canvas, x: int, y: int, code: str) -> None:
    """The code of something that may be chosen."""
    canvas.put(label(code.upper(), Face.STRONG, share(PICTURE, 0.03), LEGAL, "m", CASING, HALO), x, y)


def corner_code(canvas: Canvas, x: int, y: int, code: str, is_legal: bool) -> None:
    """The code of a tile, in its upper left corner."""
    colour, rim = (LEGAL, HALO * 1.5) if is_legal else (CODE_SEA, HALO * 0.8)
    sprite = label(code.upper(), Face.STRONG, share(PICTURE, LEAST), colour, "l", CASING, rim)
    canvas.put(sprite, x + 5, y + 13)


def price(canvas: Canvas, x: int, y: int, shells: int) -> None:
    """A label with what something costs."""
    canvas.put(pill(*PILL), x, y)
    canvas.put(shell(share(PICTURE, 0.023), None), x - 10, y)
    write(canvas, x + 10, y, str(shells), Face.STRONG, share(PICTURE, LEAST), INK, "m")
