"""The sheet with the matrix of tiles and the discoverer's track around it.

`draw_chart` puts the changing things on the printed sheet, from the bottom to the top: tiles,
journeys, rings, then what is read. Everything that is read looks for a place where it hides
neither a symbol on a tile nor something that was put before it.
"""

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.tiles import NO_TILE, VOLCANOES
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, Sprite, cached, current_mode, draw_box, scale_down
from render.fonts import Face, label, write
from render.free_space import FreeSpace
from render.maori.layout import (
    CELL_SIZE,
    SHEET_MARGIN,
    SHEET_SIZE,
    find_leg_middle,
    list_price_places,
    locate_berth,
    locate_cell,
    locate_discoverer,
    locate_discoverer_code,
    trace_leg,
)
from render.maori.marks import (
    BERTH_LINE,
    BERTH_RADIUS,
    BERTH_SEA,
    TEXT_SIZE,
    draw_berth,
    draw_harbour,
    draw_legal_ring,
    draw_news_ring,
    draw_price,
    draw_wake,
    put_beside_symbols,
    put_code,
    put_turn_number,
)
from render.maori.news import NewsItem
from render.maori.sprites import draw_no_entry_sign, draw_ship
from render.maori.tiles import draw_dim_tile, draw_tile, mask_symbols
from render.news import bud
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

SHIP_SIZE = 60
FLOWER_SIZE = 26
NO_ENTRY_SIZE = 34
NO_ENTRY_INSET = 20
"""From the upper right corner of a volcano to the middle of its sign."""
DISCOVERER_CODE_HALO = 3.4

EDGE_WIDTH, EDGE_RADIUS = 3, 20
"""The width of the sand around the sheet, and the radius of the sheet's corners."""
TRACK_WIDTH, TRACK_RADIUS = 2.4, 26
MATRIX_EDGE, MATRIX_RADIUS = 6, 8
"""How far the dark ground of the matrix reaches beyond its tiles, and its corners."""
SEA_PATCH_WIDTH = 60
SEA_SEED = 77
PATCH_LEVEL = 140
"""The level of the noise, from 0 to 255, above which water has the colour of a patch."""
PATCH_GRID_STEP = 4
"""Pixels to a point of the noise: patches are so soft that a coarse grid gives them."""
PASSED = rgb("#FFE3EF")
MATRIX_GROUND = rgb("#06283A")


class BerthStyle(Struct, frozen=True):
    """How a position of the track is drawn."""

    fill: Colour
    line: Colour
    ink: Colour
    line_width: float
    casing: Colour | None = None
    face: Face = Face.CODE


PLAIN_BERTH = BerthStyle(BERTH_SEA, BERTH_LINE, rgb("#D9F3EF"), line_width=1.6)
START_BERTH = BerthStyle(BERTH_SEA, LAST, PASSED, line_width=3, casing=LAST_CASING)
PASSED_BERTH = BerthStyle(PASSED, LAST, INK, line_width=3, casing=LAST_CASING)
LEGAL_BERTH = BerthStyle(
    rgb("#2E6E88"), LEGAL, LEGAL, line_width=3.4, casing=CASING, face=Face.STRONG
)


def draw_water(
    size: tuple[int, int], patch_width: float, seed: int, deep: Colour, patch: Colour
) -> Image.Image:
    """Draw open water with patches of another depth."""
    width, height = size
    zoom = current_mode().zoom
    image = Image.new("RGB", (width * zoom, height * zoom), deep)
    step = PATCH_GRID_STEP
    grid = noise((width // step, height // step), patch_width / step, seed)
    patches = Field(size, grid, 3).mask_above(PATCH_LEVEL)
    image.paste(patch, (0, 0, *image.size), scale_down(patches))
    return image


SHEET_CORNER = SHEET_MARGIN + MATRIX_RADIUS
"""From the corners of the sheet to where it is the same all along, in pixels."""


# Cached: it takes 40 ms and is the same in every picture.
@cached(1)
def _draw_sheet() -> Image.Image:
    """Draw the printed sheet: sea, track and positions, without tiles and ship."""
    canvas = Canvas.blank(SHEET_SIZE, SHEET_SIZE, BACKDROP)

    canvas.put(draw_box(_draw_edge, SHEET_SIZE, SHEET_SIZE, SHEET_CORNER), 0, 0)
    inside = draw_box(_draw_inside, SHEET_SIZE, SHEET_SIZE, SHEET_CORNER)
    patch = mix(DEEP, SHELF, 0.5)
    sea = draw_water((SHEET_SIZE, SHEET_SIZE), SEA_PATCH_WIDTH, SEA_SEED, DEEP, patch)
    canvas.tint(sea, inside.mask)
    canvas.put(draw_box(_draw_track, SHEET_SIZE, SHEET_SIZE, SHEET_CORNER), 0, 0)

    for position in POSITIONS:
        _put_berth(canvas, position, PLAIN_BERTH)
    return canvas.image


def _draw_edge(width: int, height: int) -> Sprite:
    """Draw the sand around the sheet."""
    brush = Brush(width, height)
    brush.fill(rectangle(0, 0, width, height, EDGE_RADIUS), WET_SAND)
    return brush.finish()


def _draw_inside(width: int, height: int) -> Sprite:
    """Draw the area of the sea, whose mask is used."""
    brush = Brush(width, height)
    edge = EDGE_WIDTH
    brush.fill(rectangle(edge, edge, width - edge, height - edge, EDGE_RADIUS - edge), WHITE)
    return brush.finish()


def _draw_track(width: int, height: int) -> Sprite:
    """Draw the track along the edge, and the ground of the matrix inside."""
    brush = Brush(width, height)
    near = SHEET_MARGIN / 2
    line_colour = mix(SHELF, BERTH_LINE, 0.3)
    track = rectangle(near, near, width - near, height - near, TRACK_RADIUS)
    brush.ring(track, TRACK_WIDTH, line_colour)
    near = SHEET_MARGIN - MATRIX_EDGE
    brush.fill(rectangle(near, near, width - near, height - near, MATRIX_RADIUS), MATRIX_GROUND)
    return brush.finish()


def _put_berth(canvas: Canvas, position: str, style: BerthStyle) -> None:
    x, y = locate_berth(position)
    canvas.put(draw_berth(style.fill, style.line, style.line_width, style.casing), x, y)
    write(canvas, x, y, position, style.face, TEXT_SIZE, style.ink, "m")


def draw_chart(view: MaoriView, rings: tuple[str, ...], news: Sequence[NewsItem]) -> Image.Image:
    """Draw the sheet with its tiles, the last journeys, and what may be chosen.

    `rings` may hold spaces of a board too: the board's panel draws those.
    """
    canvas = Canvas(_draw_sheet().copy())
    free_space = FreeSpace(SHEET_SIZE, SHEET_SIZE)
    legal_positions = [spot for spot in rings if spot in POSITIONS]
    legal_cells = [CELLS.index(spot) for spot in rings if spot in tuple(CELLS)]
    barred_cells = _put_tiles(canvas, free_space, view, legal_cells)

    # Numbers on the track come first: prices and codes find their room beside them.
    for position in POSITIONS:
        number = label(position, Face.STRONG, TEXT_SIZE, WHITE)
        free_space.occupy(number, *locate_berth(position), is_read=True)
    _put_journeys(canvas, free_space, news, view.journey, view.outcome is not None)
    for position in legal_positions:
        _put_berth(canvas, position, LEGAL_BERTH)

    changed_cells = {code: news_item.mark for news_item in news for code in news_item.cells}
    for code, mark in changed_cells.items():
        corner = locate_cell(CELLS.index(code))
        canvas.put(free_space.clip_behind(draw_news_ring(CELL_SIZE, mark.age), *corner), *corner)
    for cell in barred_cells:
        x, y = locate_cell(cell)
        sign_x = x + CELL_SIZE - NO_ENTRY_INSET
        canvas.put(draw_no_entry_sign(NO_ENTRY_SIZE), sign_x, y + NO_ENTRY_INSET)

    prices = dict(view.prices)
    for position in legal_positions:
        if prices.get(position):
            sprite = draw_price(prices[position])
            place = free_space.find_spot(sprite, list_price_places(position))
            canvas.put(sprite, *place, f"price:{position}")
            free_space.occupy(sprite, *place, is_read=True)
    # Once the match is over, nobody needs codes any more.
    shown = () if view.outcome is not None else tuple(CELLS)
    for cell, code in enumerate(shown):
        put_code(canvas, free_space, locate_cell(cell), CELL_SIZE, code, cell in legal_cells)
    for cell in legal_cells:
        code = CELLS[cell]
        sprite = draw_price(prices.get(code, 0))
        put_beside_symbols(
            canvas, free_space, locate_cell(cell), CELL_SIZE, sprite, f"price:{code}"
        )
    for code, mark in changed_cells.items():
        if not mark.is_bare:
            corner = locate_cell(CELLS.index(code))
            flower = bud(FLOWER_SIZE, mark, TEXT_SIZE)
            put_turn_number(canvas, free_space, corner, CELL_SIZE, flower, mark)
    return canvas.image


def _put_tiles(
    canvas: Canvas, free_space: FreeSpace, view: MaoriView, legal_cells: Sequence[int]
) -> list[int]:
    """Put the tiles of the matrix, and return the cells whose volcanoes bar the discoverer."""
    turn = view.turn
    is_choosing = turn is not None and turn.act == "" and turn.seat in view.to_move
    barred_cells = []
    if is_choosing and view.journey:
        line = LINES[POSITIONS.index(view.journey[-1])]
        barred_cells = [cell for cell in line if view.matrix[cell] in VOLCANOES]

    for cell, number in enumerate(view.matrix):
        x, y = locate_cell(cell)
        is_legal = cell in legal_cells
        if number != NO_TILE:
            # While a tile is chosen the others are dimmed, but not the volcanoes that bar the way.
            is_dim = is_choosing and not is_legal and cell not in barred_cells
            draw = draw_dim_tile if is_dim else draw_tile
            canvas.lay(draw(number, CELL_SIZE), x, y)
            free_space.taken.paste(mask_symbols(number, CELL_SIZE), (x, y))
        if is_legal:
            canvas.put(free_space.clip_behind(draw_legal_ring(CELL_SIZE, False), x, y), x, y)
    return barred_cells


def _put_journeys(
    canvas: Canvas,
    free_space: FreeSpace,
    news: Sequence[NewsItem],
    journey: tuple[str, ...],
    is_over: bool,
) -> None:
    """Put the wakes from position to position, their numbers, and the discoverer at the end.

    Once the match is over, the discoverer has neither a pink ring nor a code.
    """
    sailed = [news_item for news_item in news if len(news_item.journey) > 1]
    for news_item in sailed:
        for position in news_item.journey[:-1]:
            canvas.put(draw_wake(trace_leg(position), news_item.mark.age), 0, 0)
    start = sailed[0].journey[0] if sailed else ""
    for news_item in sailed:
        for position in news_item.journey:
            if position != journey[-1]:
                style = START_BERTH if position == start else PASSED_BERTH
                _put_berth(canvas, position, replace(style, line=news_item.mark.colour))
    _put_journey_numbers(canvas, free_space, sailed, journey)
    if not journey:
        return

    goal = journey[-1]
    ship = draw_ship(SHIP_SIZE)
    if not is_over:
        canvas.put(draw_harbour(), *locate_discoverer(goal))
    canvas.put(ship, *locate_discoverer(goal), "discoverer")
    free_space.occupy(ship, *locate_discoverer(goal))
    if is_over:
        return
    # The discoverer hides the number of its position, so that is shown ahead of it.
    code = label(goal, Face.STRONG, TEXT_SIZE, WHITE, "m", LAST_CASING, DISCOVERER_CODE_HALO)
    canvas.put(code, *locate_discoverer_code(goal), f"code:{goal}")
    free_space.occupy(code, *locate_discoverer_code(goal), is_read=True)


def _put_journey_numbers(
    canvas: Canvas, free_space: FreeSpace, sailed: Sequence[NewsItem], journey: tuple[str, ...]
) -> None:
    """Put the number of each journey on its last leg, or on an earlier one if that is taken."""
    taken = [locate_discoverer_code(journey[-1])] if journey else []
    for news_item in sailed:
        if not news_item.mark.number:
            continue
        for position in reversed(news_item.journey[:-1]):
            middle = find_leg_middle(trace_leg(position))
            if all(math.dist(middle, other) > BERTH_RADIUS * 2 for other in taken):
                flower = bud(FLOWER_SIZE, news_item.mark, TEXT_SIZE)
                canvas.put(flower, *middle, f"news:{news_item.mark.number}")
                free_space.occupy(flower, *middle, is_read=True)
                taken.append(middle)
                break
