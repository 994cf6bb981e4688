"""A player's board: the sea with what is printed on it, the tiles, the small ship, and what may
be chosen.
"""

import random
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.board import Board, board_of
from engine.maori.view import SideView
from render.canvas import Brush, Canvas, Sprite, coarse, drawing, kept, mode
from render.chrome import LEAST, share
from render.fonts import Face, label
from render.maori.chart import Prices, water
from render.maori.layout import COLUMNS, PICTURE, ROWS, Card
from render.maori.marks import (
    last_ring,
    legal_ring,
    live_code,
    price,
    put_beside,
    put_code,
    put_deed,
    wake,
)
from render.maori.sprites import bush, frame, mountain, ship
from render.maori.tiles import ghost_tile, symbols_of, tile_image
from render.nature import TUFTS
from render.news import Mark, bud
from render.palette import (
    CODE_SEA,
    CREAM,
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
from render.pieces import canoe, with_mark
from render.room import Room
from render.shapes import Outline, Point, ellipse, rectangle, smooth
from render.terrain import Relief

BED = mix(DEEP, SHELF, 0.15)
BED_PATCH = mix(DEEP, SHELF, 0.5)
INNER = mix(SHELF, SHALLOW, 0.55)
"""The water within the atoll."""
COAST = (
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
COAST_ACROSS, COAST_DOWN = 200, 100
BUSHES = 15
"""On each printed island."""

Corner = Callable[[str], tuple[int, int]]
"""Where the upper left corner of a space is on the canvas."""


class Marks(Struct, frozen=True):
    """What is shown on a board besides what lies on it."""

    coded: bool = False
    legal: tuple[str, ...] = ()
    prices: Prices = ()
    spots: tuple[tuple[str, Mark], ...] = ()
    """The spaces on which a tile was placed or removed since the last post, the newest last."""
    sailed: tuple[tuple[str, str, Mark], ...] = ()
    """From where to where the small ship went."""


class Player(Struct, frozen=True):
    """A seat with all that its panel shows and nothing more: the panel is kept for as long as
    this is the same.
    """

    seat: int
    name: str
    score: float
    is_to_move: bool
    board: str
    side: SideView
    marks: Marks
    deeds: tuple[Mark, ...]
    """What the seat did since the last post."""
    changed: tuple[tuple[str, Mark], ...]
    """What that has changed besides the board: 'shells', 'stored' or 'score', each with the
    newest mark.
    """
    has_ship_waiting: bool
    """Whether the small ship is still beside the board."""


class Island(Struct, frozen=True):
    """Printed land: neighbouring spaces of a row."""

    row: int
    column: int
    length: int
    is_turned: bool
    """Every other island is turned around, lest they all look alike."""

    def at(self, across: float, down: float, cell: int) -> Point:
        """A point of COAST's drawing in pixels of the board: the drawing is stretched to the
        island's length.
        """
        column = self.column + across / COAST_ACROSS * self.length
        row = self.row + down / COAST_DOWN
        return column * cell, row * cell


def _islands(board: Board) -> list[Island]:
    islands: list[Island] = []
    for row, column in board.land:
        before = islands[-1] if islands else None
        if before and before.row == row and before.column + before.length == column:
            islands[-1] = replace(before, length=before.length + 1)
        else:
            islands.append(Island(row, column, 1, is_turned=len(islands) % 2 == 1))
    return islands


def _coast(island: Island, cell: int) -> Outline:
    points = []
    for x, y in COAST:
        across, down = (COAST_ACROSS - x, COAST_DOWN - y) if island.is_turned else (x, y)
        points.append(island.at(across, down, cell))
    return smooth(points)


# Kept: with its islands it takes 60 ms, and a picture shows up to five boards.
@kept(8)
def _sea(name: str, cell: int, coded: bool) -> Image.Image:
    """The printed board, without its frame."""
    board = board_of(name)
    size = (COLUMNS * cell, ROWS * cell)
    canvas = Canvas(water(size, cell * 0.8, 31, BED, BED_PATCH))

    islands = _islands(board)
    if islands:
        coasts = [_coast(island, cell) for island in islands]
        _paint_islands(canvas, Relief(size, coasts, cell * 0.045))
    for number, island in enumerate(islands):
        _furnish(canvas, island, cell, has_ship=number < board.fixed_ships)

    lagoon = Brush(cell, cell)
    lagoon.fill(rectangle(0, 0, cell, cell), INNER)
    lagoon_sprite = lagoon.done()
    line = Brush(cell, cell)
    line.ring(rectangle(3, 3, cell - 3, cell - 3, cell * 0.09), 1.3, mix(SHELF, CODE_SEA, 0.3))
    line_sprite = line.done()

    half = cell // 2
    for space in board.spaces:
        x, y = space.column * cell, space.row * cell
        if space.inside:
            canvas.put(lagoon_sprite, x, y)
        canvas.put(line_sprite, x, y)
        if space.ship:
            # A code below it needs room: so the ship moves up a little.
            up = cell // 10 if coded else 0
            canvas.put(ship(round(cell * 0.62)), x + half, y + half - up)
        if coded:
            code = label(space.code.upper(), Face.CODE, share(PICTURE, LEAST), CODE_SEA)
            down = round(cell * 0.84) if space.ship else half
            canvas.put(code, x + half, y + down)
    return canvas.image


def _paint_islands(canvas: Canvas, relief: Relief) -> None:
    with drawing(replace(mode(), fine=mode().cut)):
        glow = relief.field(1.7, 4, 0.2, 1)
        shore = relief.field(1, 4, 0.18, 1)
        green = relief.field(1.3, 4, 0.18, 1)
        drop = max(1.0, relief.detail * 0.6)

        # Sheets of paper from the water up: each covers all but the rim of the one before.
        sheets = (
            (LAGOON, glow.above(64)),
            (GLOW, glow.above(86)),
            (SEA_SHADE, shore.above(122, drop * 0.5, drop)),
            (SAND, shore.above(122)),
            (JUNGLE, green.above(178)),
            (mix(FOREST, JUNGLE, 0.25), green.above(190)),
        )
        for colour, area in sheets:
            canvas.tint(colour, coarse(area))


def _furnish(canvas: Canvas, island: Island, cell: int, has_ship: bool) -> None:
    """Peaks, bushes and a ship on a printed island. No palms: those are counted."""
    chance = random.Random(5 + island.is_turned)

    def put(sprite: Sprite, across: float, down: float) -> None:
        # Peaks stand upright: on a turned island they change sides, but not head and foot.
        if island.is_turned:
            across = COAST_ACROSS - across
        x, y = island.at(across, down, cell)
        canvas.put(sprite, round(x), round(y))

    put(mountain(round(cell * 0.56)), 74, 68)
    put(mountain(round(cell * 0.44)), 114, 70)

    grown = []
    for _ in range(BUSHES):
        down = chance.uniform(60, 76)
        across = chance.uniform(34, 142)
        grown.append((down, across, chance.randrange(2)))
    for down, across, kind in sorted(grown):  # the farthest first: the nearer stand before them
        size = max(2, round(cell * (0.062 + 0.016 * kind)))
        colour = TUFTS[1] if kind else FOREST
        put(bush(size, colour), across, down)
    if has_ship:
        put(ship(round(cell * 0.46)), 170, 64)


# Kept: it takes 30 ms.
@kept(4)
def _reef(across: int, high: int) -> Sprite:
    """The rim of the atoll, put by the upper left corner of what it goes around."""
    brush = Brush(across + 14, high + 14, at=(7, 7))
    outline = rectangle(0, 0, across, high, 12)
    brush.ring(outline, 8.6, SEA_SHADE)
    brush.ring(outline, 7, GLOW)
    brush.ring(outline, 4, SAND)
    brush.ring(outline, 1.2, WET_SAND)
    return brush.done()


@kept(4)
def _medal(size: int) -> Sprite:
    """The disc under a ship on the frame, which no tile can cover."""
    radius = size / 2
    middle = size // 2 + 2
    brush = Brush(size + 4, size + 4, at=(middle, middle))
    brush.fill(ellipse(0, 0, radius + 1.4), KEYLINE)
    brush.fill(ellipse(0, 0, radius), WOOD)
    brush.fill(ellipse(0, 0, radius - 2.4), mix(SHELF, SHALLOW, 0.4))
    return brush.done()


def put_board(canvas: Canvas, x: int, y: int, card: Card, player: Player) -> None:
    """A whole board with its frame, its first space's corner on a place.

    What is put later lies on top.
    """
    board, cell = board_of(player.board), card.cell
    side, marks = player.side, player.marks

    def corner(spot: str) -> tuple[int, int]:
        space = board.by_code[spot]
        return x + space.column * cell, y + space.row * cell

    canvas.put(frame(COLUMNS * cell, ROWS * cell, card.wood), x, y)
    canvas.lay(_sea(player.board, cell, marks.coded), x, y)
    for laid in side.removed:
        canvas.lay(ghost_tile(laid.tile, cell), *corner(laid.spot))
    for laid in side.tiles:
        canvas.lay(tile_image(laid.tile, cell), *corner(laid.spot))

    # Rim and rings pass behind what is counted on the tiles; ship, codes, prices and flowers find
    # their room beside it.
    room = Room(canvas.width, canvas.height)
    for laid in (*side.tiles, *side.removed):
        room.area.paste(symbols_of(laid.tile, cell), corner(laid.spot))

    # The rim goes over the tiles: it must be seen which of them lie within it. Rings go over the
    # rim.
    inside = [space for space in board.spaces if space.inside]
    left = min((space.column for space in inside), default=0)
    right = max((space.column + 1 for space in inside), default=0)
    top = min((space.row for space in inside), default=0)
    bottom = max((space.row + 1 for space in inside), default=0)
    if inside:
        reef = _reef((right - left) * cell, (bottom - top) * cell)
        at = x + left * cell, y + top * cell
        canvas.put(room.behind(reef, *at), *at)

    tiled = {laid.spot for laid in side.tiles}
    for spot in marks.legal:
        # A tile must be seen through its ring.
        ring = legal_ring(cell, spot not in tiled)
        canvas.put(room.behind(ring, *corner(spot)), *corner(spot))
    for spot, mark in marks.spots:
        canvas.put(room.behind(last_ring(cell, mark.age), *corner(spot)), *corner(spot))

    # Printed ships for which there is no land lie on the frame, from its upper right corner on.
    medals = board.fixed_ships - len(_islands(board))
    for number in range(medals):
        place = x + (COLUMNS - number) * cell, y - 2
        canvas.put(_medal(round(cell * 0.5)), *place)
        canvas.put(ship(round(cell * 0.42), None), *place, "ship")
        room.take(_medal(round(cell * 0.5)), *place)
    if inside:
        # What palms within the atoll count: in a piece of its rim, on the frame, where it hides no
        # tile.
        at = x - card.board[0] + card.tag[0], y - card.board[1] + card.tag[1]
        canvas.put(_double(), *at, "value")
        room.take(_double(), *at, is_read=True)

    _put_small_ship(canvas, corner, cell, player, room)
    if marks.coded:
        _put_codes(canvas, corner, cell, tiled, marks, room)
    for spot, mark in marks.spots:
        if mark.is_bare:
            continue
        sprite = bud(round(cell * 0.36), mark, share(PICTURE, LEAST))
        put_deed(canvas, room, corner(spot), cell, sprite, mark)


@kept(1)
def _double() -> Sprite:
    """What palms within the atoll count: a piece of its rim with the factor in it."""
    letters = share(PICTURE, LEAST)
    across, high = letters * 1.75, letters * 1.1
    brush = Brush(across + 12, high + 12, at=(round(across / 2) + 6, round(high / 2) + 6))
    outline = rectangle(-across / 2, -high / 2, across / 2, high / 2, 7)
    brush.ring(outline, 8.6, SEA_SHADE)
    brush.fill(outline, INNER)
    brush.ring(outline, 6, GLOW)
    brush.ring(outline, 3.6, SAND)
    return with_mark(brush.done(), label("×2", Face.STRONG, letters, CREAM, "m", KEYLINE, 2), 0, 0)


def _put_small_ship(canvas: Canvas, corner: Corner, cell: int, player: Player, room: Room) -> None:
    """The small ship of a seat, and behind it the ways that it came since the last post."""
    side, sailed = player.side, player.marks.sailed
    sprite = canoe(player.seat, round(cell * 0.46))

    def berths(spot: str) -> list[tuple[int, int]]:
        """The corners of a tile, the lower ones first: most of what is printed stands higher."""
        left, top = corner(spot)
        places = (
            (0.25, 0.75),
            (0.75, 0.75),
            (0.5, 0.84),
            (0.17, 0.82),
            (0.83, 0.82),
            (0.2, 0.25),
            (0.8, 0.25),
        )
        return [(left + round(cell * right), top + round(cell * down)) for right, down in places]

    ends = {
        spot: room.best(sprite, berths(spot))
        for start, to, _ in sailed
        for spot in (start, to)
        if spot
    }
    for start, to, mark in sailed:
        if start and to:
            canvas.put(room.behind(wake((ends[start], ends[to]), mark.age), 0, 0), 0, 0)
    if side.ship:
        at = room.best(sprite, berths(side.ship))
        canvas.put(sprite, *at, f"owner:{player.seat}")
        room.take(sprite, *at)


def _put_codes(
    canvas: Canvas, corner: Corner, cell: int, tiled: set[str], marks: Marks, room: Room
) -> None:
    """The codes of tiles at their corners, those of legal spaces in the middle, and what they
    cost.
    """
    costs = dict(marks.prices)
    coded = sorted(tiled | set(marks.legal))
    for spot in coded:
        if spot in tiled:
            put_code(canvas, room, corner(spot), cell, spot, spot in marks.legal)
        else:
            left, top = corner(spot)
            code = live_code(spot)
            canvas.put(code, left + cell // 2, top + cell // 2, f"code:{spot}")
            room.take(code, left + cell // 2, top + cell // 2, is_read=True)
    for spot in coded:
        if costs.get(spot):
            put_beside(canvas, room, corner(spot), cell, price(costs[spot]), f"price:{spot}")
