"""A player's board: the sea with what is printed on it, the tiles, the small ship, and what may be chosen."""

import random

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.board import Board, board_of
from engine.maori.tiles import TILES
from engine.maori.view import SideView
from render.canvas import Brush, Canvas, Mode, Sprite, coarse, drawing, kept, mode
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
    with drawing(_cut()):
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


def _cut() -> Mode:
    return replace(mode(), fine=mode().cut)


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
    """A whole board with its frame, its first space's corner on a place."""
    board, cell = board_of(name), card.cell
    canvas.put(frame(COLUMNS * cell, ROWS * cell, card.wood), x, y)
    canvas.lay(_sea(name, cell, marks.coded), x, y)
    for laid in side.removed:
        canvas.lay(ghost_tile(laid.tile, cell), *_corner(board, laid.spot, cell, x, y))
    for laid in side.tiles:
        canvas.lay(tile_image(laid.tile, cell), *_corner(board, laid.spot, cell, x, y))
    _put_rim(canvas, board, x, y, card)
    _put_legal(canvas, board, x, y, cell, side, marks)
    if marks.last:
        canvas.put(last_ring(cell), *_corner(board, marks.last, cell, x, y))
    _put_medals(canvas, board, x, y, cell)
    _put_factor(canvas, board, x, y, cell, marks.coded)
    if marks.last:
        _put_flower(canvas, board, x, y, cell, marks.last)
    _put_small_ship(canvas, board, x, y, cell, seat, side, marks)
    _put_codes(canvas, board, x, y, cell, side, marks)


def _corner(board: Board, spot: str, cell: int, x: int, y: int) -> tuple[int, int]:
    space = board.by_code[spot]
    return x + space.column * cell, y + space.row * cell


def _put_rim(canvas: Canvas, board: Board, x: int, y: int, card: Card) -> None:
    cell = card.cell
    if board.inside:
        left, top, right, bottom = _rim(board)
        canvas.put(_reef((right - left) * cell, (bottom - top) * cell), x + left * cell, y + top * cell)


def _medals(board: Board) -> int:
    """How many printed ships lie on the frame, from its upper right corner on."""
    return board.fixed_ships - len(_islands(board))


def _put_medals(canvas: Canvas, board: Board, x: int, y: int, cell: int) -> None:
    for number in range(_medals(board)):
        place = x + COLUMNS * cell - number * cell, y - 2
        canvas.put(_medal(round(cell * 0.5)), *place)
        canvas.put(ship(round(cell * 0.42), None), *place)


def _put_flower(canvas: Canvas, board: Board, x: int, y: int, cell: int, spot: str) -> None:
    """At the upper right of the last move, beside the frame's ship if that lies there."""
    left, top = _corner(board, spot, cell, x, y)
    space = board.by_code[spot]
    is_taken = space.row == 0 and COLUMNS - space.column <= _medals(board)
    canvas.put(hibiscus(round(cell * 0.36)), left + (round(cell * 0.62) if is_taken else cell - 7), top + 9)


def _rim(board: Board) -> tuple[int, int, int, int]:
    """The first column and row within the atoll, and the first ones beyond it."""
    inside = [space for space in board.spaces if space.inside]
    columns, rows = [space.column for space in inside], [space.row for space in inside]
    return min(columns), min(rows), max(columns) + 1, max(rows) + 1


def _put_factor(canvas: Canvas, board: Board, x: int, y: int, cell: int, coded: bool) -> None:
    """What palms within the atoll count: at a corner of the rim, clear of codes and prices where there are any."""
    if board.inside:
        _, top, right, _ = _rim(board)
        off = 0.15 if coded else 0.05
        canvas.put(disc("×2", round(cell * 0.42)), x + round((right + off) * cell), y + round((top - off) * cell))


def _put_legal(canvas: Canvas, board: Board, x: int, y: int, cell: int, side: SideView, marks: Marks) -> None:
    tiled = {laid.spot for laid in side.tiles}
    for spot in marks.legal:
        canvas.put(legal_ring(cell, spot not in tiled), *_corner(board, spot, cell, x, y))


def _ship_place(cell: int, tile: int) -> tuple[int, int]:
    """Where the small ship stands on a tile: at the lower corner where nothing is printed."""
    is_left = EXTRA.get(TILES[tile].shape, (100, 0))[0] > 50
    return round(cell * (0.25 if is_left else 0.75)), round(cell * 0.75)


def _put_small_ship(
    canvas: Canvas, board: Board, x: int, y: int, cell: int, seat: int, side: SideView, marks: Marks
) -> None:
    tiles = {laid.spot: laid.tile for laid in (*side.removed, *side.tiles)}

    def berth(spot: str) -> tuple[int, int]:
        left, top = _corner(board, spot, cell, x, y)
        right, down = _ship_place(cell, tiles.get(spot, 0))
        return left + right, top + down

    start, end = marks.sailed
    if start and end:
        canvas.put(wake((berth(start), berth(end))), 0, 0)
    if side.ship:
        canvas.put(canoe(seat, round(cell * 0.5)), *berth(side.ship))


def _put_codes(canvas: Canvas, board: Board, x: int, y: int, cell: int, side: SideView, marks: Marks) -> None:
    if not marks.coded:
        return
    tiled = dict.fromkeys(laid.spot for laid in side.tiles)
    costs = dict(marks.prices)
    for spot in tiled | dict.fromkeys(marks.legal):
        left, top = _corner(board, spot, cell, x, y)
        if spot in marks.legal and spot not in tiled:
            live_code(canvas, left + cell // 2, top + cell // 2, spot)
        else:
            corner_code(canvas, left, top, spot, spot in marks.legal)
        if costs.get(spot):
            price(canvas, left + cell - 30, top + 6, costs[spot])
