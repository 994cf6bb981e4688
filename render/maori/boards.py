"""A player's board: the sea with what is printed on it, the tiles, the small ship, and what may be chosen."""

import random
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.board import Board, board_of
from engine.maori.tiles import TILES
from engine.maori.view import SideView
from render.canvas import Brush, Canvas, Sprite, coarse, drawing, kept, mode
from render.chrome import LEAST, share
from render.fonts import Face, label
from render.maori.chart import Prices, water
from render.maori.layout import COLUMNS, PICTURE, ROWS, Card
from render.maori.marks import corner_code, last_ring, legal_ring, live_code, price, wake
from render.maori.sprites import bush, frame, mountain, ship
from render.maori.tiles import EXTRA, ghost_tile, tile_image
from render.nature import TUFTS, hibiscus
from render.palette import (
    CODE_SEA,
    DEEP,
    FOREST,
    GLOW,
    JUNGLE,
    KEYLINE,
    LAGOON,
    SAND,
    SEA_SHADE,
    SHALLOW,
    SHELF,
    WET_SAND,
    WOOD,
    mix,
)
from render.pieces import canoe, disc
from render.shapes import Outline, ellipse, rectangle, smooth
from render.terrain import Relief

BED = mix(DEEP, SHELF, 0.15)
INNER = mix(SHELF, SHALLOW, 0.55)
"""The water within the atoll."""
ISLAND = (
    (14, 50),
    (20, 24),
    (60, 13),
    (110, 18),
    (150, 22),
    (184, 44),
    (182, 68),
    (150, 84),
    (100, 86),
    (50, 88),
    (20, 76),
)
"""The coast of a printed island two spaces wide, in hundredths of a space."""


Corner = Callable[[str], tuple[int, int]]
"""Where the upper left corner of a space is on the canvas."""


class Marks(Struct, frozen=True):
    """What is shown on a board besides what lies on it."""

    coded: bool = False
    legal: tuple[str, ...] = ()
    prices: Prices = ()
    last: str = ""
    """The space of the last move."""
    sailed: tuple[str, str] = ("", "")
    """From where to where the small ship went with it."""


def _islands(board: Board) -> list[tuple[int, int, int]]:
    """Printed land as row, first column and length of each run."""
    runs: list[tuple[int, int, int]] = []
    for row, column in board.land:
        if runs and runs[-1][0] == row and runs[-1][1] + runs[-1][2] == column:
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((row, column, 1))
    return runs


def _coast(run: tuple[int, int, int], cell: int, turned: bool) -> Outline:
    row, column, length = run
    points = [((200 - x, 100 - y) if turned else (x, y)) for x, y in ISLAND]
    return smooth([((column + x / 200 * length) * cell, (row + y / 100) * cell) for x, y in points])


@kept(8)
def _sea(name: str, cell: int, coded: bool) -> Image.Image:
    """The printed board, without its frame."""
    board = board_of(name)
    size = (COLUMNS * cell, ROWS * cell)
    canvas = Canvas(water(size, cell * 0.8, 31, BED, mix(DEEP, SHELF, 0.5)).copy())
    runs = _islands(board)
    if runs:
        coasts = [_coast(run, cell, bool(i % 2)) for i, run in enumerate(runs)]
        _paint_islands(canvas, Relief(size, coasts, cell * 0.045))
    for i, run in enumerate(runs):
        _furnish(canvas, run, cell, bool(i % 2), i < board.fixed_ships)
    for space in board.spaces:
        x, y = space.column * cell, space.row * cell
        if space.inside:
            canvas.put(_lagoon(cell), x, y)
        canvas.put(_space(cell), x, y)
        if space.ship:
            canvas.put(ship(round(cell * 0.62)), x + cell // 2, y + cell // 2 - (cell // 10 if coded else 0))
        if coded:
            code = label(space.code.upper(), Face.CODE, share(PICTURE, LEAST), CODE_SEA)
            canvas.put(code, x + cell // 2, y + (round(cell * 0.84) if space.ship else cell // 2))
    return canvas.image


@kept(4)
def _space(cell: int) -> Sprite:
    brush = Brush(cell, cell)
    brush.ring(rectangle(3, 3, cell - 3, cell - 3, cell * 0.09), 1.3, mix(SHELF, CODE_SEA, 0.3))
    return brush.done()


@kept(4)
def _lagoon(cell: int) -> Sprite:
    brush = Brush(cell, cell)
    brush.fill(rectangle(0, 0, cell, cell), INNER)
    return brush.done()


def _paint_islands(canvas: Canvas, relief: Relief) -> None:
    with drawing(replace(mode(), fine=mode().cut)):
        glow, shore, green = relief.field(1.7, 4, 0.2, 1), relief.field(1, 4, 0.18, 1), relief.field(1.3, 4, 0.18, 1)
        drop = max(1.0, relief.detail * 0.6)
        for colour, area in (
            (LAGOON, glow.above(64)),
            (GLOW, glow.above(86)),
            (SEA_SHADE, shore.above(122, drop * 0.5, drop)),
            (SAND, shore.above(122)),
            (JUNGLE, green.above(178)),
            (mix(FOREST, JUNGLE, 0.25), green.above(190)),
        ):
            canvas.tint(colour, coarse(area))


def _furnish(canvas: Canvas, run: tuple[int, int, int], cell: int, turned: bool, has_ship: bool) -> None:
    """Peaks, bushes and a ship on a printed island. No palms: those are counted."""
    row, column, length = run
    chance = random.Random(5 + turned)

    def at(across: float, down: float) -> tuple[int, int]:
        across = 200 - across if turned else across
        return round((column + across / 200 * length) * cell), round((row + down / 100) * cell)

    canvas.put(mountain(round(cell * 0.56)), *at(74, 68))
    canvas.put(mountain(round(cell * 0.44)), *at(114, 70))
    grown = sorted((chance.uniform(60, 76), chance.uniform(34, 142), chance.randrange(2)) for _ in range(15))
    for down, across, kind in grown:
        canvas.put(bush(max(2, round(cell * (0.062 + 0.016 * kind))), (FOREST, TUFTS[1])[kind]), *at(across, down))
    if has_ship:
        canvas.put(ship(round(cell * 0.46)), *at(170, 64))


@kept(4)
def _reef(across: int, high: int) -> Sprite:
    """The rim of the atoll, put by the upper left corner of what it goes around."""
    brush = Brush(across + 14, high + 14, at=(7, 7))
    outline = rectangle(0, 0, across, high, 12)
    for thick, colour in ((8.6, SEA_SHADE), (7, GLOW), (4, SAND)):
        brush.ring(outline, thick, colour)
    brush.ring(outline, 1.2, WET_SAND)
    return brush.done()


@kept(4)
def _medal(size: int) -> Sprite:
    """A ship on the frame, which no tile can cover."""
    brush = Brush(size + 4, size + 4, at=(size // 2 + 2, size // 2 + 2))
    brush.fill(ellipse(0, 0, size / 2 + 1.4), KEYLINE)
    brush.fill(ellipse(0, 0, size / 2), WOOD)
    brush.fill(ellipse(0, 0, size / 2 - 2.4), mix(SHELF, SHALLOW, 0.4))
    return brush.done()


def put_board(canvas: Canvas, x: int, y: int, card: Card, name: str, seat: int, side: SideView, marks: Marks) -> None:
    """A whole board with its frame, its first space's corner on a place. What is put later lies on top."""
    board, cell = board_of(name), card.cell

    def corner(spot: str) -> tuple[int, int]:
        space = board.by_code[spot]
        return x + space.column * cell, y + space.row * cell

    canvas.put(frame(COLUMNS * cell, ROWS * cell, card.wood), x, y)
    canvas.lay(_sea(name, cell, marks.coded), x, y)
    for laid in side.removed:
        canvas.lay(ghost_tile(laid.tile, cell), *corner(laid.spot))
    for laid in side.tiles:
        canvas.lay(tile_image(laid.tile, cell), *corner(laid.spot))

    inside = [space for space in board.spaces if space.inside]
    left, right = min((s.column for s in inside), default=0), max((s.column + 1 for s in inside), default=0)
    top, bottom = min((s.row for s in inside), default=0), max((s.row + 1 for s in inside), default=0)
    if inside:
        canvas.put(_reef((right - left) * cell, (bottom - top) * cell), x + left * cell, y + top * cell)

    tiled = {laid.spot for laid in side.tiles}
    for spot in marks.legal:
        canvas.put(legal_ring(cell, spot not in tiled), *corner(spot))
    if marks.last:
        canvas.put(last_ring(cell), *corner(marks.last))

    # Printed ships for which there is no land lie on the frame, from its upper right corner on.
    medals = board.fixed_ships - len(_islands(board))
    for number in range(medals):
        place = x + (COLUMNS - number) * cell, y - 2
        canvas.put(_medal(round(cell * 0.5)), *place)
        canvas.put(ship(round(cell * 0.42), None), *place)
    if inside:
        # What palms within the atoll count: at a corner of the rim, clear of codes and prices where there are any.
        off = 0.15 if marks.coded else 0.05
        canvas.put(disc("×2", round(cell * 0.42)), x + round((right + off) * cell), y + round((top - off) * cell))
    if marks.last:
        # The flower is at the upper right of the last move, beside the frame's ship if that lies there.
        space = board.by_code[marks.last]
        is_taken = space.row == 0 and COLUMNS - space.column <= medals
        across, down = corner(marks.last)
        canvas.put(hibiscus(round(cell * 0.36)), across + (round(cell * 0.62) if is_taken else cell - 7), down + 9)
    _put_small_ship(canvas, corner, cell, seat, side, marks)
    if marks.coded:
        _put_codes(canvas, corner, cell, tiled, marks)


def _put_small_ship(canvas: Canvas, corner: Corner, cell: int, seat: int, side: SideView, marks: Marks) -> None:
    tiles = {laid.spot: laid.tile for laid in (*side.removed, *side.tiles)}

    def berth(spot: str) -> tuple[int, int]:
        """At the lower corner of its tile where nothing is printed."""
        left, top = corner(spot)
        shape = TILES[tiles.get(spot, 0)].shape
        is_left = EXTRA.get(shape, (100, 0))[0] > 50
        return left + round(cell * (0.25 if is_left else 0.75)), top + round(cell * 0.75)

    start, end = marks.sailed
    if start and end:
        canvas.put(wake((berth(start), berth(end))), 0, 0)
    if side.ship:
        canvas.put(canoe(seat, round(cell * 0.5)), *berth(side.ship))


def _put_codes(canvas: Canvas, corner: Corner, cell: int, tiled: set[str], marks: Marks) -> None:
    """The codes of tiles at their corners, those of legal spaces in the middle, and what they cost."""
    costs = dict(marks.prices)
    for spot in sorted(tiled | set(marks.legal)):
        left, top = corner(spot)
        if spot in marks.legal and spot not in tiled:
            live_code(canvas, left + cell // 2, top + cell // 2, spot)
        else:
            corner_code(canvas, left, top, spot, spot in marks.legal)
        if costs.get(spot):
            price(canvas, left + cell - 30, top + 6, costs[spot])
