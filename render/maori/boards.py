"""A player's board: the printed sea, the tiles, the small ship, and what is marked on it.

`put_board` draws all of it on a panel, from the bottom to the top. The printed part is cached; the
rest changes from turn to turn. `Player` holds everything that a panel shows.
"""

import random

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.board import Board, board_of
from engine.maori.view import SideView
from render.canvas import Brush, Canvas, Sprite, cached, current_mode, scale_down, use_mode
from render.fonts import Face, label
from render.free_space import FreeSpace
from render.maori.chart import draw_water
from render.maori.layout import BOARD_COLUMNS, BOARD_ROWS, PanelLayout
from render.maori.marks import (
    TEXT_SIZE,
    draw_hatch,
    draw_legal_code,
    draw_legal_ring,
    draw_news_ring,
    draw_price,
    draw_wake,
    put_beside_symbols,
    put_code,
    put_turn_number,
)
from render.maori.sprites import draw_bush, draw_frame, draw_mountain, draw_ship
from render.maori.tiles import draw_ghost_tile, draw_tile, mask_symbols
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
from render.pieces import canoe, overlay
from render.ranks import UNRANKED, Rank
from render.shapes import Outline, Point, ellipse, rectangle, smooth
from render.terrain import Relief

SEA_BED = mix(DEEP, SHELF, 0.15)
SEA_BED_PATCH = mix(DEEP, SHELF, 0.5)
SEA_SEED = 31
ATOLL_WATER = mix(SHELF, SHALLOW, 0.55)
SPACE_LINE = mix(SHELF, CODE_SEA, 0.3)
HATCH = SEA_BED
"""The hatch of tiles that won't count has the colour of the sea, since they will be taken off."""
SPACE_HATCH = mix(SHELF, CODE_SEA, 0.35)
"""The hatch of empty spaces, which must be seen on the dark sea."""
SPACE_LINE_WIDTH, SPACE_LINE_INSET = 1.3, 3

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
COAST_WIDTH, COAST_HEIGHT = 200, 100
LARGE_PEAK_FOOT, SMALL_PEAK_FOOT = (74, 68), (114, 70)
BUSHES_ACROSS, BUSHES_DOWN = (34, 142), (60, 76)
ISLAND_SHIP_MIDDLE = (170, 64)
"""Where peaks, bushes and a ship stand on a printed island, right and down like COAST."""
BUSH_SEED = 5
BUSH_RADIUS, LARGE_BUSH_GROWTH = 0.062, 0.016
"""The radius of a small bush, and how much larger a large one is, in sides of a space."""
COAST_DETAIL = 0.045
"""The width of a coast's bend, in sides of a space."""
GLOW_LEVELS = (64, 86)
SHORE_LEVEL = 122
GREEN_LEVELS = (178, 190)
"""The heights at which the sheets of paper of a printed island are cut, from 0 to 255."""
BUSHES_PER_ISLAND = 15

# Sizes on a board, each as a share of the side of a space.
PRINTED_SHIP = 0.62
ISLAND_SHIP = 0.46
LARGE_PEAK, SMALL_PEAK = 0.56, 0.44
MEDAL = 0.5
MEDAL_SHIP = 0.42
SMALL_SHIP = 0.53
FLOWER = 0.36
BERTHS = (
    (0.25, 0.75),
    (0.75, 0.75),
    (0.5, 0.84),
    (0.17, 0.82),
    (0.83, 0.82),
    (0.2, 0.25),
    (0.8, 0.25),
)
"""Where the small ship may lie on a tile: the lower corners first, since most symbols are printed
higher.
"""

REEF_WIDTHS = ((8.6, SEA_SHADE), (7, GLOW), (4, SAND), (1.2, WET_SAND))
"""The lines of the atoll's rim in pixels, the widest first."""
REEF_MARGIN, REEF_RADIUS = 7, 12
DOUBLE_TAG_MARGIN, DOUBLE_TAG_RADIUS = 6, 7


class Marks(Struct, frozen=True):
    """The marks on a board: codes, rings, prices and the turns since the last post."""

    has_codes: bool = False
    legal: tuple[str, ...] = ()
    """Spaces that may be chosen."""
    prices: tuple[tuple[str, int], ...] = ()
    """The prices of some of them, in shells."""
    lost: tuple[str, ...] = ()
    """Spaces that may be chosen, but where the tile in hand won't count."""
    spots: tuple[tuple[str, Mark], ...] = ()
    """Spaces on which a tile was placed or removed since the last post, the newest last."""
    sailed: tuple[tuple[str, str, Mark], ...] = ()
    """Start and goal of the small ship, for each time that it moved since the last post."""


class Player(Struct, frozen=True):
    """Everything that the panel of a seat shows.

    Panels are cached by it: two that are equal give the same picture.
    """

    seat: int
    name: str
    score: float
    is_to_move: bool
    board: str
    side: SideView
    marks: Marks
    flowers: tuple[Mark, ...]
    """The turns of the seat since the last post."""
    changed: tuple[tuple[str, Mark], ...]
    """The things beside the board that changed since then, each with its newest mark: 'shells',
    'stored' or 'score'.
    """
    has_ship_waiting: bool
    """Whether the small ship is still beside the board."""
    rank: Rank = UNRANKED


class Island(Struct, frozen=True):
    """Printed land: neighbouring spaces of a row."""

    row: int
    column: int
    length: int
    is_turned: bool
    """Whether it is turned around, as every other island is, so that they don't look alike."""

    def locate(self, across: float, down: float, cell: int) -> Point:
        """Return a point of COAST's drawing in pixels of the board, stretched to the island."""
        column = self.column + across / COAST_WIDTH * self.length
        row = self.row + down / COAST_HEIGHT
        return column * cell, row * cell

    def trace_coast(self, cell: int) -> Outline:
        """Return the coast in pixels of the board."""
        points = []
        for x, y in COAST:
            across = COAST_WIDTH - x if self.is_turned else x
            down = COAST_HEIGHT - y if self.is_turned else y
            points.append(self.locate(across, down, cell))
        return smooth(points)


def _find_islands(board: Board) -> list[Island]:
    """Return the printed islands, from the upper left to the lower right."""
    islands: list[Island] = []
    for row, column in board.land:
        last = islands[-1] if islands else None
        if last and last.row == row and last.column + last.length == column:
            islands[-1] = replace(last, length=last.length + 1)
        else:
            islands.append(Island(row, column, 1, is_turned=len(islands) % 2 == 1))
    return islands


# Cached: with its islands it takes 60 ms, and a picture shows up to five boards.
@cached(8)
def _draw_printed_board(name: str, cell: int, has_codes: bool) -> Image.Image:
    """Draw what is printed on a board, without its frame."""
    board = board_of(name)
    size = (BOARD_COLUMNS * cell, BOARD_ROWS * cell)
    canvas = Canvas(draw_water(size, cell * 0.8, SEA_SEED, SEA_BED, SEA_BED_PATCH))

    islands = _find_islands(board)
    if islands:
        coasts = [island.trace_coast(cell) for island in islands]
        _paint_islands(canvas, Relief(size, coasts, cell * COAST_DETAIL))
    for number, island in enumerate(islands):
        _decorate_island(canvas, island, cell, has_ship=number < board.fixed_ships)

    atoll_water = Brush(cell, cell)
    atoll_water.fill(rectangle(0, 0, cell, cell), ATOLL_WATER)
    atoll_sprite = atoll_water.finish()
    line = Brush(cell, cell)
    start, end = SPACE_LINE_INSET, cell - SPACE_LINE_INSET
    line.ring(rectangle(start, start, end, end, cell * 0.09), SPACE_LINE_WIDTH, SPACE_LINE)
    line_sprite = line.finish()

    half = cell // 2
    for space in board.spaces:
        x, y = space.column * cell, space.row * cell
        if space.inside:
            canvas.put(atoll_sprite, x, y)
        canvas.put(line_sprite, x, y)
        if space.ship:
            # With a code below it the ship moves up a little.
            up = cell // 10 if has_codes else 0
            canvas.put(draw_ship(round(cell * PRINTED_SHIP)), x + half, y + half - up)
        if has_codes:
            code = label(space.code.upper(), Face.CODE, TEXT_SIZE, CODE_SEA)
            down = round(cell * 0.84) if space.ship else half
            canvas.put(code, x + half, y + down)
    return canvas.image


def _paint_islands(canvas: Canvas, relief: Relief) -> None:
    """Paint the land of the printed islands with the water and sand around it."""
    # Coasts are smooth enough when they are drawn less finely than sprites.
    with use_mode(replace(current_mode(), fine=current_mode().cut)):
        glow = relief.field(blur=1.7, bumps=4, share=0.2, seed=1)
        shore = relief.field(blur=1, bumps=4, share=0.18, seed=1)
        green = relief.field(blur=1.3, bumps=4, share=0.18, seed=1)
        drop = max(1.0, relief.detail * 0.6)

        # Sheets of paper from the water up: each covers all but the rim of the one before.
        sheets = (
            (LAGOON, glow.mask_above(GLOW_LEVELS[0])),
            (GLOW, glow.mask_above(GLOW_LEVELS[1])),
            (SEA_SHADE, shore.mask_above(SHORE_LEVEL, drop * 0.5, drop)),
            (SAND, shore.mask_above(SHORE_LEVEL)),
            (JUNGLE, green.mask_above(GREEN_LEVELS[0])),
            (mix(FOREST, JUNGLE, 0.25), green.mask_above(GREEN_LEVELS[1])),
        )
        for colour, area in sheets:
            canvas.tint(colour, scale_down(area))


def _decorate_island(canvas: Canvas, island: Island, cell: int, has_ship: bool) -> None:
    """Put peaks, bushes and a ship on a printed island. No palms, since these are counted."""
    chance = random.Random(BUSH_SEED + island.is_turned)

    def put(sprite: Sprite, across: float, down: float) -> None:
        # Peaks stand upright: on a turned island they change sides, but not head and foot.
        if island.is_turned:
            across = COAST_WIDTH - across
        x, y = island.locate(across, down, cell)
        canvas.put(sprite, round(x), round(y))

    put(draw_mountain(round(cell * LARGE_PEAK)), *LARGE_PEAK_FOOT)
    put(draw_mountain(round(cell * SMALL_PEAK)), *SMALL_PEAK_FOOT)

    bushes = []
    for _ in range(BUSHES_PER_ISLAND):
        down = chance.uniform(*BUSHES_DOWN)
        across = chance.uniform(*BUSHES_ACROSS)
        is_large = chance.randrange(2)
        bushes.append((down, across, is_large))
    # From back to front: nearer bushes stand before those behind.
    for down, across, is_large in sorted(bushes):
        size = max(2, round(cell * (BUSH_RADIUS + LARGE_BUSH_GROWTH * is_large)))
        colour = TUFTS[1] if is_large else FOREST
        put(draw_bush(size, colour), across, down)
    if has_ship:
        put(draw_ship(round(cell * ISLAND_SHIP)), *ISLAND_SHIP_MIDDLE)


# Cached: it takes 30 ms.
@cached(4)
def _draw_reef(width: int, height: int) -> Sprite:
    """Draw the rim of the atoll, put by the upper left corner of what it goes around."""
    margin = REEF_MARGIN
    brush = Brush(width + 2 * margin, height + 2 * margin, at=(margin, margin))
    outline = rectangle(0, 0, width, height, REEF_RADIUS)
    for thickness, colour in REEF_WIDTHS:
        brush.ring(outline, thickness, colour)
    return brush.finish()


@cached(4)
def _draw_medal(size: int) -> Sprite:
    """Draw the disc under a ship on the frame, which no tile can cover."""
    radius = size / 2
    middle = size // 2 + 2
    brush = Brush(size + 4, size + 4, at=(middle, middle))
    brush.fill(ellipse(0, 0, radius + 1.4), KEYLINE)
    brush.fill(ellipse(0, 0, radius), WOOD)
    brush.fill(ellipse(0, 0, radius - 2.4), mix(SHELF, SHALLOW, 0.4))
    return brush.finish()


@cached(1)
def _draw_double_tag() -> Sprite:
    """Draw the sign that palms within the atoll count twice: '×2' in a piece of its rim."""
    width, height = TEXT_SIZE * 1.75, TEXT_SIZE * 1.1
    margin = DOUBLE_TAG_MARGIN
    middle = (round(width / 2) + margin, round(height / 2) + margin)
    brush = Brush(width + 2 * margin, height + 2 * margin, at=middle)
    outline = rectangle(-width / 2, -height / 2, width / 2, height / 2, DOUBLE_TAG_RADIUS)
    brush.ring(outline, 8.6, SEA_SHADE)
    brush.fill(outline, ATOLL_WATER)
    brush.ring(outline, 6, GLOW)
    brush.ring(outline, 3.6, SAND)
    text = label("×2", Face.STRONG, TEXT_SIZE, CREAM, "m", KEYLINE, 2)
    return overlay(brush.finish(), text, 0, 0)


def put_board(canvas: Canvas, x: int, y: int, layout: PanelLayout, player: Player) -> None:
    """Put a whole board with its frame on a panel; (x, y) is the corner of its first space."""
    painter = BoardPainter(canvas, x, y, layout, player)
    painter.put_printed_board()
    painter.put_tiles()
    painter.put_hatches()
    painter.put_reef()
    painter.put_rings()
    painter.put_things_on_frame()
    painter.put_small_ship()
    if player.marks.has_codes:
        painter.put_codes()
        painter.put_prices()
    painter.put_turn_numbers()


class BoardPainter:
    """Puts one board on a panel; each method puts one layer of it, and later ones lie on top.

    `free_space` knows what is taken by symbols on tiles. Rim and rings pass behind those; ship,
    codes, prices and numbers find a place beside them.
    """

    def __init__(self, canvas: Canvas, x: int, y: int, layout: PanelLayout, player: Player) -> None:
        self.canvas = canvas
        self.x, self.y = x, y
        self.layout = layout
        self.cell = layout.cell
        self.player = player
        self.side = player.side
        self.marks = player.marks
        self.board = board_of(player.board)
        self.free_space = FreeSpace(canvas.width, canvas.height)

    def locate(self, spot: str) -> tuple[int, int]:
        """Return the upper left corner of a space on the canvas."""
        space = self.board.by_code[spot]
        return self.x + space.column * self.cell, self.y + space.row * self.cell

    def put_printed_board(self) -> None:
        """Put the frame and what is printed on the board."""
        width, height = BOARD_COLUMNS * self.cell, BOARD_ROWS * self.cell
        self.canvas.put(draw_frame(width, height, self.layout.frame_width), self.x, self.y)
        printed = _draw_printed_board(self.player.board, self.cell, self.marks.has_codes)
        self.canvas.lay(printed, self.x, self.y)

    def put_tiles(self) -> None:
        """Put the tiles, and prints of those that were removed before the scoring."""
        for laid in self.side.removed:
            self.canvas.lay(draw_ghost_tile(laid.tile, self.cell), *self.locate(laid.spot))
        for laid in self.side.tiles:
            self.canvas.lay(draw_tile(laid.tile, self.cell), *self.locate(laid.spot))
        for laid in (*self.side.tiles, *self.side.removed):
            self.free_space.taken.paste(mask_symbols(laid.tile, self.cell), self.locate(laid.spot))

    def put_hatches(self) -> None:
        """Hatch the tiles whose islands can't be completed any more, and spaces for such tiles."""
        hatch = draw_hatch(self.cell, HATCH)
        pale_hatch = draw_hatch(self.cell, SPACE_HATCH, is_ringed=True)
        for laid in self.side.tiles:
            if laid.spot in self.side.lost:
                self._put_behind_symbols(hatch, laid.spot)
        for spot in self.marks.lost:
            self.canvas.put(pale_hatch, *self.locate(spot))

    def put_reef(self) -> None:
        """Put the rim of the atoll over the tiles, to show which of them lie within it."""
        inside = [space for space in self.board.spaces if space.inside]
        if not inside:
            return
        left = min(space.column for space in inside)
        right = max(space.column for space in inside) + 1
        top = min(space.row for space in inside)
        bottom = max(space.row for space in inside) + 1
        reef = _draw_reef((right - left) * self.cell, (bottom - top) * self.cell)
        corner = self.x + left * self.cell, self.y + top * self.cell
        self.canvas.put(self.free_space.clip_behind(reef, *corner), *corner)

    def put_rings(self) -> None:
        """Ring the spaces that may be chosen and those that changed since the last post."""
        occupied = {laid.spot for laid in self.side.tiles}
        for spot in self.marks.legal:
            # A tile must be seen through its ring, so only empty spaces are filled.
            ring = draw_legal_ring(self.cell, spot not in occupied)
            self._put_behind_symbols(ring, spot)
        for spot, mark in self.marks.spots:
            self._put_behind_symbols(draw_news_ring(self.cell, mark.age), spot)

    def _put_behind_symbols(self, ring: Sprite, spot: str) -> None:
        corner = self.locate(spot)
        self.canvas.put(self.free_space.clip_behind(ring, *corner), *corner)

    def put_things_on_frame(self) -> None:
        """Put printed ships without an island, and the sign of the atoll, where no tile lies."""
        medal = _draw_medal(round(self.cell * MEDAL))
        # From the upper right corner of the frame to the left.
        for number in range(self.board.fixed_ships - len(_find_islands(self.board))):
            place = self.x + (BOARD_COLUMNS - number) * self.cell, self.y - 2
            self.canvas.put(medal, *place)
            self.canvas.put(draw_ship(round(self.cell * MEDAL_SHIP), None), *place, "ship")
            self.free_space.occupy(medal, *place)
        if any(space.inside for space in self.board.spaces):
            panel_x, panel_y = self.x - self.layout.board[0], self.y - self.layout.board[1]
            tag_x, tag_y = self.layout.double_tag
            place = panel_x + tag_x, panel_y + tag_y
            self.canvas.put(_draw_double_tag(), *place, "value")
            self.free_space.occupy(_draw_double_tag(), *place, is_read=True)

    def put_small_ship(self) -> None:
        """Put the small ship of the seat, and the ways it came since the last post."""
        ship = canoe(self.player.seat, round(self.cell * SMALL_SHIP), is_outlined=True)
        ends = {}
        for start, goal, _ in self.marks.sailed:
            for spot in (start, goal):
                if spot:
                    ends[spot] = self.free_space.find_spot(ship, self._list_berths(spot))
        for start, goal, mark in self.marks.sailed:
            if start and goal:
                wake = draw_wake((ends[start], ends[goal]), mark.age)
                self.canvas.put(self.free_space.clip_behind(wake, 0, 0), 0, 0)
        if self.side.ship:
            berth = self.free_space.find_spot(ship, self._list_berths(self.side.ship))
            self.canvas.put(ship, *berth, f"owner:{self.player.seat}")
            self.free_space.occupy(ship, *berth)

    def _list_berths(self, spot: str) -> list[tuple[int, int]]:
        left, top = self.locate(spot)
        places = []
        for right, down in BERTHS:
            places.append((left + round(self.cell * right), top + round(self.cell * down)))
        return places

    def put_codes(self) -> None:
        """Put the codes of tiles into their corners, those of legal spaces in the middle."""
        occupied = {laid.spot for laid in self.side.tiles}
        for spot in sorted(occupied | set(self.marks.legal)):
            left, top = self.locate(spot)
            if spot in occupied:
                is_legal = spot in self.marks.legal
                put_code(self.canvas, self.free_space, (left, top), self.cell, spot, is_legal)
            else:
                code = draw_legal_code(spot)
                middle = left + self.cell // 2, top + self.cell // 2
                self.canvas.put(code, *middle, f"code:{spot}")
                self.free_space.occupy(code, *middle, is_read=True)

    def put_prices(self) -> None:
        """Put what legal spaces cost beside what lies there."""
        for spot, shells in sorted(dict(self.marks.prices).items()):
            if shells:
                price, corner = draw_price(shells), self.locate(spot)
                shows = f"price:{spot}"
                put_beside_symbols(self.canvas, self.free_space, corner, self.cell, price, shows)

    def put_turn_numbers(self) -> None:
        """Put the numbers of the turns that changed a space since the last post."""
        for spot, mark in self.marks.spots:
            if not mark.is_bare:
                flower = bud(round(self.cell * FLOWER), mark, TEXT_SIZE)
                corner = self.locate(spot)
                put_turn_number(self.canvas, self.free_space, corner, self.cell, flower, mark)
