"""The sheet with the matrix and the track of the discoverer around it."""

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.tiles import NO_TILE, VOLCANOES
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, coarse, kept, mode
from render.chrome import LEAST, share
from render.fonts import Face, label, write
from render.maori.layout import (
    CELL,
    MARGIN,
    PICTURE,
    SHEET,
    aboard,
    ahead,
    berth,
    cell_place,
    fees,
    leg,
    middle_of,
)
from render.maori.marks import (
    BERTH,
    BERTH_LINE,
    BERTH_SEA,
    berth_disc,
    harbour,
    last_ring,
    legal_ring,
    price,
    put_beside,
    put_code,
    put_deed,
    wake,
)
from render.maori.news import Deed
from render.maori.sprites import bar_sign, ship
from render.maori.tiles import dim_tile, symbols_of, tile_image
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
from render.room import Room
from render.shapes import rectangle
from render.terrain import Field, noise

Prices = tuple[tuple[str, int], ...]
PASSED = rgb("#FFE3EF")
SHIP = 60


class Look(Struct, frozen=True):
    """How a position of the track is drawn."""

    fill: Colour
    line: Colour
    ink: Colour
    rim: float
    casing: Colour | None = None
    face: Face = Face.CODE


LOOKS = {
    "": Look(BERTH_SEA, BERTH_LINE, rgb("#D9F3EF"), rim=1.6),
    "start": Look(BERTH_SEA, LAST, PASSED, rim=3, casing=LAST_CASING),
    "passed": Look(PASSED, LAST, INK, rim=3, casing=LAST_CASING),
    "legal": Look(rgb("#2E6E88"), LEGAL, LEGAL, rim=3.4, casing=CASING, face=Face.STRONG),
}
"""By what a position is to the last journey or the question; '' is nothing."""


def water(
    size: tuple[int, int], cell: float, seed: int, deep: Colour, patch: Colour
) -> Image.Image:
    """Open water with patches of another depth, about a `cell` wide."""
    across, down = size
    zoom = mode().zoom
    image = Image.new("RGB", (across * zoom, down * zoom), deep)
    # Patches are so soft that a grid of every fourth pixel gives them.
    grid = noise((across // 4, down // 4), cell / 4, seed)
    patches = Field(size, grid, 3).above(140)
    image.paste(patch, (0, 0, *image.size), coarse(patches))
    return image


# Kept: it takes 220 ms and is the same in every picture.
@kept(1)
def _sheet() -> Image.Image:
    """The sheet without tiles and ship."""
    canvas = Canvas.blank(SHEET, SHEET, BACKDROP)

    edge = Brush(SHEET, SHEET)
    edge.fill(rectangle(0, 0, SHEET, SHEET, 20), WET_SAND)
    canvas.put(edge.done(), 0, 0)
    within = Brush(SHEET, SHEET)
    within.fill(rectangle(3, 3, SHEET - 3, SHEET - 3, 17), WHITE)
    sea = water((SHEET, SHEET), 60, 77, DEEP, mix(DEEP, SHELF, 0.5))
    canvas.tint(sea, within.done().mask)

    track = Brush(SHEET, SHEET)
    near, far = MARGIN / 2, SHEET - MARGIN / 2
    track.ring(rectangle(near, near, far, far, 26), 2.4, mix(SHELF, BERTH_LINE, 0.3))
    start, end = MARGIN - 6, SHEET - MARGIN + 6
    track.fill(rectangle(start, start, end, end, 8), rgb("#06283A"))
    canvas.put(track.done(), 0, 0)

    for position in POSITIONS:
        _put_berth(canvas, position, LOOKS[""])
    return canvas.image


def _put_berth(canvas: Canvas, position: str, look: Look) -> None:
    x, y = berth(position)
    canvas.put(berth_disc(look.fill, look.line, look.rim, look.casing), x, y)
    write(canvas, x, y, position, look.face, share(PICTURE, LEAST), look.ink, "m")


def chart_of(view: MaoriView, rings: tuple[str, ...], deeds: Sequence[Deed]) -> Image.Image:
    """The sheet with its tiles, the last journeys, and what may be chosen."""
    canvas = Canvas(_sheet().copy())
    matrix, journey, turn = view.matrix, view.journey, view.turn

    # Rings may lie on a board too: its panel draws those.
    positions = [spot for spot in rings if spot in POSITIONS]
    cells = [CELLS.index(spot) for spot in rings if spot in tuple(CELLS)]
    is_choosing = turn is not None and turn.act == "" and turn.seat in view.to_move
    barred = []
    if is_choosing and journey:
        line = LINES[POSITIONS.index(journey[-1])]
        barred = [cell for cell in line if matrix[cell] in VOLCANOES]

    room = Room(SHEET, SHEET)
    for cell, number in enumerate(matrix):
        x, y = cell_place(cell)
        is_legal = cell in cells
        if number != NO_TILE:
            # While a tile is chosen the others step back, but for the volcanoes that bar the way to
            # them.
            is_dim = is_choosing and not is_legal and cell not in barred
            canvas.lay(dim_tile(number, CELL) if is_dim else tile_image(number, CELL), x, y)
            room.area.paste(symbols_of(number, CELL), (x, y))
        if is_legal:
            canvas.put(room.behind(legal_ring(CELL, False), x, y), x, y)

    # What is read on the track comes first: prices and codes find their room beside it.
    for position in POSITIONS:
        room.take(
            label(position, Face.STRONG, share(PICTURE, LEAST), WHITE),
            *berth(position),
            is_read=True,
        )
    _put_journeys(canvas, deeds, journey, room)
    for position in positions:
        _put_berth(canvas, position, LOOKS["legal"])
    taken = {cell: deed.mark for deed in deeds for cell in deed.cells}
    for code, mark in taken.items():
        at = cell_place(CELLS.index(code))
        canvas.put(room.behind(last_ring(CELL, mark.age), *at), *at)
    for cell in barred:
        x, y = cell_place(cell)
        canvas.put(bar_sign(34), x + CELL - 20, y + 20)

    costs = dict(view.prices)
    for position in positions:
        if costs.get(position):
            sprite = price(costs[position])
            at = room.best(sprite, fees(position))
            canvas.put(sprite, *at, f"price:{position}")
            room.take(sprite, *at, is_read=True)
    for cell, code in enumerate(CELLS):
        put_code(canvas, room, cell_place(cell), CELL, code, cell in cells)
    for cell in cells:
        cost = price(costs.get(CELLS[cell], 0))
        put_beside(canvas, room, cell_place(cell), CELL, cost, f"price:{CELLS[cell]}")
    for code, mark in taken.items():
        if mark.is_bare:
            continue
        flower = bud(26, mark, share(PICTURE, LEAST))
        put_deed(canvas, room, cell_place(CELLS.index(code)), CELL, flower, mark)
    return canvas.image


def _put_journeys(
    canvas: Canvas, deeds: Sequence[Deed], journey: tuple[str, ...], room: Room
) -> None:
    """The wakes from position to position, their numbers on them, and the discoverer at the end."""
    sailed = [deed for deed in deeds if len(deed.journey) > 1]
    for deed in sailed:
        for position in deed.journey[:-1]:
            canvas.put(wake(leg(position), deed.mark.age), 0, 0)
    start = sailed[0].journey[0] if sailed else ""
    for deed in sailed:
        for position in deed.journey:
            if position != journey[-1]:
                look = LOOKS["start" if position == start else "passed"]
                _put_berth(canvas, position, replace(look, line=deed.mark.colour))
    _put_turns(canvas, sailed, journey, room)
    if journey:
        canvas.put(harbour(), *aboard(journey[-1]))
        canvas.put(ship(SHIP), *aboard(journey[-1]), "discoverer")
        room.take(ship(SHIP), *aboard(journey[-1]))
        # The discoverer hides the number of its position: so that stands ahead of it.
        code = label(journey[-1], Face.STRONG, share(PICTURE, LEAST), WHITE, "m", LAST_CASING, 3.4)
        canvas.put(code, *ahead(journey[-1]), f"code:{journey[-1]}")
        room.take(code, *ahead(journey[-1]), is_read=True)


def _put_turns(
    canvas: Canvas, sailed: Sequence[Deed], journey: tuple[str, ...], room: Room
) -> None:
    """The number of each journey on its last leg, between two positions; on one before it if
    that is taken.
    """
    taken = [ahead(journey[-1])] if journey else []
    for deed in sailed:
        if not deed.mark.number:
            continue
        middles = [middle_of(leg(position)) for position in reversed(deed.journey[:-1])]
        free = [
            middle
            for middle in middles
            if all(math.dist(middle, other) > BERTH * 2 for other in taken)
        ]
        if free:
            flower = bud(26, deed.mark, share(PICTURE, LEAST))
            canvas.put(flower, *free[0], f"deed:{deed.mark.number}")
            room.take(flower, *free[0], is_read=True)
            taken.append(free[0])
