"""Rings, prices and codes."""

from msgspec.structs import replace

from render.canvas import Brush, Canvas, Sprite, kept, mode
from render.chrome import LEAST, share
from render.fonts import Face, label
from render.items import shell
from render.maori.layout import HARBOUR, PICTURE
from render.maori.sprites import pill
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
from render.pieces import with_mark
from render.room import Room
from render.shapes import Point, ellipse, rectangle

HALO = PICTURE * 0.003
"""The dark rim around a code, so that it can be read on any ground."""
BERTH = 20
"""The radius of a berth."""
BERTH_SEA, BERTH_LINE = rgb("#0B3A52"), rgb("#A9DCDD")
CROWDED = 80
"""So many pixels of what is counted, or a twentieth of it of what is read, are too many for a
deed's number.
"""
PILL = (43, 26)
"""Width and height of a label with a price."""


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


@kept(32)
def last_ring(size: int, age: int) -> Sprite:
    """The ring of something that happened so many deeds ago, put by the upper left corner of
    what it goes around.
    """
    brush = Brush(size + 12, size + 12, at=(6, 6))
    outline = rectangle(0, 0, size, size, size * 0.06)
    for thick, colour in Mark(age=age).lines(8.4, 5.2, 1.8):
        brush.ring(outline, thick, colour)
    return brush.done()


@kept(128)
def wake(points: tuple[Point, ...], age: int) -> Sprite:
    """The line of a journey of that age along some points, given as they lie in the picture it
    is put on.
    """
    across = [int(x) for x, _ in points]
    down = [int(y) for _, y in points]
    # The sprite is as small as it can be: the points, and half the thickest line around them.
    left, top = min(across) - 8, min(down) - 8
    right, bottom = max(across) + 9, max(down) + 9
    brush = Brush(right - left, bottom - top, at=(-left, -top))
    for thick, colour in Mark(age=age).lines(10.4, 6.6, 2.2):
        brush.line(points, thick, colour)
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


def live_code(code: str) -> Sprite:
    """The code of something that may be chosen."""
    return label(code.upper(), Face.STRONG, share(PICTURE, 0.03), LEGAL, "m", CASING, HALO)


def put_code(
    canvas: Canvas, room: Room, tile: tuple[int, int], size: int, code: str, is_legal: bool
) -> None:
    """The code of a tile, by its upper left corner: there, or in another corner if something is
    counted there.
    """
    colour = LEGAL if is_legal else CODE_SEA
    rim = HALO * 1.5 if is_legal else HALO * 0.8
    sprite = label(code.upper(), Face.STRONG, share(PICTURE, LEAST), colour, "l", CASING, rim)
    across = sprite.mask.width // mode().zoom
    near, far = 5, size - across + 3
    # The upper corners first: below, a code might be taken for that of the next tile.
    sides, heights = (
        (near, far, near - 4, far + 4, (near + far) // 2),
        (13, 9, 6, size - 12, size - 6),
    )
    places = [(tile[0] + right, tile[1] + down) for down in heights for right in sides]
    at = room.best(sprite, places, most=60)
    canvas.put(sprite, *at, f"code:{code}")
    room.take(sprite, *at, is_read=True)


@kept(64)
def price(shells: int) -> Sprite:
    """A label with what something costs: a shell, and beside it how many."""
    sprite = pill(*PILL)
    sprite = with_mark(sprite, shell(share(PICTURE, 0.022), None), -9, 0)
    return with_mark(sprite, label(str(shells), Face.STRONG, share(PICTURE, LEAST), INK), 10, 0)


def _corners(size: int, sprite: Sprite) -> list[tuple[int, int]]:
    """Where a price or a flower may lie on a tile or space, from its upper left corner: in the
    best corner first.
    """
    half = sprite.mask.width // mode().zoom // 2
    near, far, middle = half - 3, size - half + 3, size // 2
    return [
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
    ]


def put_beside(
    canvas: Canvas, room: Room, tile: tuple[int, int], size: int, sprite: Sprite, shows: str
) -> None:
    """A price or a flower on a tile or space, by its upper left corner, where it hides nothing
    that is counted.
    """
    at = _best(room, tile, size, sprite)
    canvas.put(sprite, *at, shows)
    room.take(sprite, *at, is_read=True)


def put_deed(
    canvas: Canvas, room: Room, tile: tuple[int, int], size: int, sprite: Sprite, mark: Mark
) -> None:
    """The number of a deed likewise; on a tile where it would hide much a dot does, for its ring
    is there.
    """
    if room.covered(sprite, *_best(room, tile, size, sprite)) > CROWDED:
        sprite = bud(size, replace(mark, is_dot=True), share(PICTURE, LEAST))
    put_beside(canvas, room, tile, size, sprite, f"deed:{mark.number}")


def _best(room: Room, tile: tuple[int, int], size: int, sprite: Sprite) -> tuple[int, int]:
    return room.best(
        sprite, [(tile[0] + right, tile[1] + down) for right, down in _corners(size, sprite)]
    )
