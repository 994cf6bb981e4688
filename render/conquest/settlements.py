"""The boxes, Villages and huts of an Island Group, and the shapes of those who discovered a tile.

Lengths are shares of a hex's width and may be changed freely; look at the pictures.
"""

from msgspec import Struct

from engine.conquest.board import TILES
from engine.conquest.view import NOBODY, GroupView, TileView
from render.canvas import Sprite
from render.conquest.hex_canvas import (
    BOX_LANE,
    CODE_LANE,
    PIECE_LANE,
    SMALL_UPPER_ROW,
    HexCanvas,
)
from render.conquest.layout import TEXT
from render.conquest.pieces import count_label
from render.conquest.tokens import box, hut, shape_mark
from render.fonts import Face, text_width
from render.pieces import village

# Sizes and positions are shares of a hex's width.
BOX_SIZE = 0.18
BOX_STEP = 0.2
"""From the middle of one box to that of the next."""
MOST_FULL_SIZED_BOXES = 3
NARROW_BOX_SIZE = 0.165
NARROW_BOX_STEP = 0.18
HUT_GROWTH = 1.15
VILLAGE_GROWTH = 1.25
"""Huts and Villages are larger than their box and a little higher: they stand in it."""
BUILDING_RISE = 0.02

SMALL_VILLAGE = 0.36
SMALL_VILLAGE_NUMBER = 0.13
"""In a small hex: from the middle of the Village to its number."""

SHAPE_OVERLAP = 0.05
"""How far the shapes of several discoverers overlap."""
EXPLORER_SHAPE_SIZE = 0.2
EXPLORER_SHAPE_RIGHT = -0.31
EXPLORER_SHAPE_DOWN = 0.13
EXPLORER_SHAPE_STEP = 0.17
"""Shapes beside an Explorer's hull stand one above the other, from this place up."""


class ShapePlace(Struct, frozen=True):
    """Where the shapes of discoverers stand in a hex, and how large they are."""

    size: float
    down: float


SHAPES_ALONE = ShapePlace(0.34, -0.06)
SHAPES_UNDER_BOXES = ShapePlace(0.25, PIECE_LANE)
SHAPES_ABOVE_CODE = ShapePlace(0.28, CODE_LANE)
SMALL_SHAPES_ABOVE_CODE = ShapePlace(0.3, SMALL_UPPER_ROW)


class Boxes(Struct, frozen=True):
    """The boxes of an Island Group, and what stands in them."""

    green: int
    brown: int
    villages: int = 0
    improved: int = 0
    owner: int = NOBODY
    independent: bool = False


def draw_settlements(main_map: HexCanvas) -> None:
    """Draw the boxes and Villages of all lands, then the discoverers of tiles face down."""
    for group in main_map.view.groups:
        if main_map.crop.holds(group.spot):
            _draw_group(main_map, group)
    for tile in main_map.hidden_tiles.values():
        if main_map.crop.holds(tile.spot):
            _draw_discoverers(main_map, tile)


def _draw_group(main_map: HexCanvas, group: GroupView) -> None:
    """Draw an Island Group's boxes; in a small hex one Village and how many there are."""
    crop, spot = main_map.crop, group.spot
    if crop.is_large:
        boxes = Boxes(
            group.green,
            group.brown,
            group.villages,
            group.improved,
            group.owner,
            group.independent,
        )
        _draw_boxes(main_map, spot, boxes)
    elif group.villages and spot not in main_map.rings:
        # A small hex has no room for boxes, and if it may be chosen, its code takes this row.
        number = str(group.villages)
        x, y = crop.middle_of(spot)
        x -= text_width(number, Face.STRONG, TEXT) // 2
        y += crop.hex_share(SMALL_UPPER_ROW)
        main_map.put_at(village(group.owner, crop.hex_share(SMALL_VILLAGE)), spot, x, y, "village")
        x += crop.hex_share(SMALL_VILLAGE_NUMBER)
        main_map.put_at(count_label(number, "l"), spot, x, y, "count", TEXT)


def _draw_boxes(main_map: HexCanvas, spot: str, boxes: Boxes) -> None:
    """Draw the boxes side by side, green ones first, as Villages are built from the left."""
    part = main_map.crop.hex_share
    number = boxes.green + boxes.brown
    size, step = BOX_SIZE, BOX_STEP
    if number > MOST_FULL_SIZED_BOXES:
        size, step = NARROW_BOX_SIZE, NARROW_BOX_STEP
    for index in range(number):
        right = (index - (number - 1) / 2) * step
        is_green = index < boxes.green
        is_improved = not is_green and index - boxes.green < boxes.improved
        building: Sprite | None = None
        # "Place a Village in each green box" of an Independent group: shown as their own huts.
        if boxes.independent and is_green:
            building = hut(part(size * HUT_GROWTH))
        elif index < boxes.villages and boxes.owner != NOBODY:
            building = village(boxes.owner, part(size * VILLAGE_GROWTH))
        # If something stands in a box, that is what tells a reader about it.
        shows = "" if building else "box"
        main_map.put(box(part(size), is_green, is_improved), spot, right, BOX_LANE, shows)
        if building is not None:
            main_map.put(building, spot, right, BOX_LANE - BUILDING_RISE, "village")


def _draw_discoverers(main_map: HexCanvas, tile: TileView) -> None:
    """Draw the shapes of a face-down tile's discoverers, and its boxes if the viewer is one."""
    crop, spot = main_map.crop, tile.spot
    place = SHAPES_ALONE
    if tile.key and crop.is_large:
        place = SHAPES_UNDER_BOXES
        land = TILES[tile.key]
        _draw_boxes(main_map, spot, Boxes(land.green, land.brown))
    elif spot in main_map.rings:
        place = SHAPES_ABOVE_CODE if crop.is_large else SMALL_SHAPES_ABOVE_CODE
    if spot == main_map.explorer_at:
        shape_size = crop.hex_share(EXPLORER_SHAPE_SIZE)
        for number, seat in enumerate(tile.seen):
            down = EXPLORER_SHAPE_DOWN - EXPLORER_SHAPE_STEP * number
            main_map.put(shape_mark(seat, shape_size), spot, EXPLORER_SHAPE_RIGHT, down, "owner")
    # If pieces lie on the tile, `pieces` puts the shapes in a row with them.
    elif spot not in main_map.occupied:
        step = place.size - SHAPE_OVERLAP
        for number, seat in enumerate(tile.seen):
            right = (number - (len(tile.seen) - 1) / 2) * step
            main_map.put(
                shape_mark(seat, crop.hex_share(place.size)), spot, right, place.down, "owner"
            )
