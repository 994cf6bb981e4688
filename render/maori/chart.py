"""The sheet with the matrix and the track of the discoverer around it."""

from PIL import Image

from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.tiles import NO_TILE, VOLCANOES
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, coarse, kept, mode
from render.chrome import LEAST, share
from render.fonts import Face, label, write
from render.maori.layout import CELL, MARGIN, PICTURE, SHEET, aboard, ahead, berth, cell_place, fee, leg
from render.maori.marks import (
    BERTH_LINE,
    BERTH_SEA,
    berth_disc,
    corner_code,
    harbour,
    last_ring,
    legal_ring,
    price,
    wake,
)
from render.maori.sprites import bar_sign, ship
from render.maori.tiles import dim_tile, tile_image
from render.palette import (
    BACKDROP,
    CASING,
    DEEP,
    INK,
    LAST,
    LAST_CASING,
    LEGAL,
    SHELF,
    WET_SAND,
    WHITE,
    Colour,
    mix,
    rgb,
)
from render.shapes import rectangle
from render.terrain import Field, noise

Prices = tuple[tuple[str, int], ...]
PASSED = rgb("#FFE3EF")
SHIP = 60


@kept(8)
def water(size: tuple[int, int], cell: float, seed: int, deep: Colour, patch: Colour) -> Image.Image:
    """Open water with patches of another depth."""
    image = Image.new("RGB", (size[0] * mode().zoom, size[1] * mode().zoom), deep)
    grid = noise((size[0] // 4, size[1] // 4), cell / 4, seed)
    image.paste(patch, (0, 0, *image.size), coarse(Field(size, grid, 3).above(140)))
    return image


@kept(1)
def _sheet() -> Image.Image:
    """The sheet without tiles and ship."""
    canvas = Canvas.blank(SHEET, SHEET, BACKDROP)
    sea = water((SHEET, SHEET), 60, 77, DEEP, mix(DEEP, SHELF, 0.5))
    brush = Brush(SHEET, SHEET)
    brush.fill(rectangle(0, 0, SHEET, SHEET, 20), WET_SAND)
    canvas.put(brush.done(), 0, 0)
    inner = Brush(SHEET, SHEET)
    inner.fill(rectangle(3, 3, SHEET - 3, SHEET - 3, 17), WHITE)
    canvas.tint(sea, inner.done().mask)
    track = Brush(SHEET, SHEET)
    half = MARGIN / 2
    track.ring(rectangle(half, half, SHEET - half, SHEET - half, 26), 2.4, mix(SHELF, BERTH_LINE, 0.3))
    track.fill(rectangle(MARGIN - 6, MARGIN - 6, SHEET - MARGIN + 6, SHEET - MARGIN + 6, 8), rgb("#06283A"))
    canvas.put(track.done(), 0, 0)
    for position in POSITIONS:
        _put_berth(canvas, position, "")
    return canvas.image


def _put_berth(canvas: Canvas, position: str, state: str) -> None:
    x, y = berth(position)
    fill, line, rim, casing, ink = {
        "": (BERTH_SEA, BERTH_LINE, 1.6, None, rgb("#D9F3EF")),
        "start": (BERTH_SEA, LAST, 3, LAST_CASING, PASSED),
        "passed": (PASSED, LAST, 3, LAST_CASING, INK),
        "legal": (rgb("#2E6E88"), LEGAL, 3.4, CASING, LEGAL),
    }[state]
    canvas.put(berth_disc(fill, line, rim, casing), x, y)
    face = Face.STRONG if state == "legal" else Face.CODE
    write(canvas, x, y, position, face, share(PICTURE, LEAST), ink, "m")


@kept(64)
def chart(
    matrix: tuple[int, ...],
    journey: tuple[str, ...],
    taken: str,
    legal: tuple[str, ...],
    prices: Prices,
    choosing: bool,
) -> Image.Image:
    """The sheet with its tiles, the last journey, and what may be chosen."""
    canvas = Canvas(_sheet().copy())
    cells = {CELLS.index(spot) for spot in legal if spot in CELLS}
    line = LINES[POSITIONS.index(journey[-1])] if choosing and journey else ()
    barred = {cell for cell in line if matrix[cell] in VOLCANOES}
    _put_tiles(canvas, matrix, choosing, cells, barred)
    _put_journey(canvas, journey)
    for position in legal:
        if position in POSITIONS:
            _put_berth(canvas, position, "legal")
    if taken:
        canvas.put(last_ring(CELL), *cell_place(CELLS.index(taken)))
    costs = dict(prices)
    for cell in barred:
        x, y = cell_place(cell)
        canvas.put(bar_sign(34), x + CELL - 20, y + 20)
    for spot in legal:
        _put_price(canvas, spot, costs.get(spot, 0))
    if journey and journey[-1] not in legal:
        _put_harbour_code(canvas, journey[-1])
    return canvas.image


def _put_tiles(canvas: Canvas, matrix: tuple[int, ...], choosing: bool, legal: set[int], barred: set[int]) -> None:
    for cell, number in enumerate(matrix):
        x, y = cell_place(cell)
        if number != NO_TILE:
            is_dim = choosing and cell not in legal and cell not in barred
            canvas.lay((dim_tile if is_dim else tile_image)(number, CELL), x, y)
        if cell in legal:
            canvas.put(legal_ring(CELL, False), x, y)
        corner_code(canvas, x, y, CELLS[cell], cell in legal)


def _put_journey(canvas: Canvas, journey: tuple[str, ...]) -> None:
    for position in journey[:-1]:
        canvas.put(wake(leg(position)), 0, 0)
    for number, position in enumerate(journey[:-1]):
        _put_berth(canvas, position, "passed" if number else "start")
    if journey:
        canvas.put(harbour(), *aboard(journey[-1]))
        canvas.put(ship(SHIP), *aboard(journey[-1]))


def _put_harbour_code(canvas: Canvas, position: str) -> None:
    code = label(position, Face.STRONG, share(PICTURE, LEAST), WHITE, "m", LAST_CASING, 3.4)
    canvas.put(code, *ahead(position))


def _put_price(canvas: Canvas, spot: str, shells: int) -> None:
    if spot in CELLS:
        x, y = cell_place(CELLS.index(spot))
        price(canvas, x + CELL - 30, y + 6, shells)
    elif spot in POSITIONS and shells:
        price(canvas, *fee(spot), shells)


def chart_of(view: MaoriView, rings: tuple[str, ...]) -> Image.Image:
    """The sheet of a view."""
    legal = tuple(spot for spot in rings if spot in POSITIONS or (len(spot) == 1 and spot in CELLS))
    turn = view.turn
    choosing = turn is not None and turn.act == "" and turn.seat in view.to_move
    prices = tuple(pair for pair in view.prices if pair[0] in legal)
    return chart(view.matrix, view.journey, turn.cell if turn else "", legal, prices, choosing)
