"""Maori's tiles: their symbols can be counted, and their islands join across edges."""

import math
from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.maori import tiles
from render.maori.layout import CELL_SIZE, SMALL_CELL_SIZE
from render.maori.tile_ground import draw_ground
from render.maori.tiles import (
    draw_dim_tile,
    draw_ghost_tile,
    draw_tile,
    list_lei_flowers,
    list_lying_things,
    list_standing_things,
)
from render.palette import SAND

TILES = tiles.TILES[1:]
NORTH, EAST, SOUTH, WEST = range(4)
APART = 24
"""The smallest distance between two palms, in hundredths of a tile."""


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: f"T{tile.number:02}")
def test_everything_on_a_tile_is_drawn_and_can_be_counted(tile):
    things, extras = list_standing_things(tile), list(list_lying_things(tile))
    palms = [(across, foot) for foot, across, _, what in things if what == "palm"]
    assert len(palms) == tile.palms
    assert sum(what == "hut" for *_, what in things) == tile.hut
    assert sum(what == "ship" for *_, what in extras) == tile.ships
    assert sum(what == "shell" for *_, what in extras) == tile.shells
    assert all(math.dist(one, other) >= APART for one, other in combinations(palms, 2))


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: f"T{tile.number:02}")
def test_nothing_on_a_tile_is_cut_off(tile):
    for foot, across, size, what in list_standing_things(tile):
        half = size * (0.42 if what == "palm" else 0.47)
        assert half - 1 <= across <= 101 - half
        assert size * 0.95 - 2 <= foot <= 100
    for down, across, size, what in list_lying_things(tile):
        half = size * (0.49 if what == "ship" else 0.44)
        assert half - 1 <= across <= 101 - half
        assert half <= down <= 101 - size * 0.45


def test_two_half_leis_close_into_a_ring():
    for side, other, shift in ((EAST, WEST, (100, 0)), (SOUTH, NORTH, (0, 100))):
        x, y = {EAST: (100, 50), SOUTH: (50, 100)}[side]
        ring = list_lei_flowers(side) + [
            (a + shift[0], b + shift[1]) for a, b in list_lei_flowers(other)
        ]
        angles = sorted(math.degrees(math.atan2(b - y, a - x)) % 360 for a, b in ring)
        assert [round(later - sooner) for sooner, later in pairwise(angles)] == [36] * 9
        assert {round(math.dist((x, y), spot)) for spot in ring} == {24}


def _edge(tile, side, size, clean):
    image = draw_ground(tile, size) if clean else draw_tile(tile.number, size)
    box = {
        NORTH: (0, 0, size, 1),
        EAST: (size - 1, 0, size, size),
        SOUTH: (0, size - 1, size, size),
        WEST: (0, 0, 1, size),
    }
    return image.crop(box[side])


def _with(side, is_land):
    return [tile for tile in TILES if (side in tile.land) is is_land and tile.kind != "volcano"][
        ::4
    ]


@pytest.mark.parametrize("size", [CELL_SIZE, SMALL_CELL_SIZE])
@pytest.mark.parametrize("side", [EAST, SOUTH])
def test_islands_join_over_every_edge_without_a_seam(side, size):
    other = (side + 2) % 4
    ends = [(_edge(tile, side, size, clean=True), tile) for tile in _with(side, True)]
    others = [(_edge(tile, other, size, clean=True), tile) for tile in _with(other, True)]
    for here, tile in ends:
        for there, next_tile in others:
            difference = ImageStat.Stat(ImageChops.difference(here, there)).mean
            assert max(difference) < 5, (tile.number, next_tile.number)


@pytest.mark.parametrize("side", range(4), ids=tiles.SIDES)
def test_land_leaves_a_tile_only_over_its_own_edges(side):
    for is_land in (True, False):
        for tile in _with(side, is_land):
            edge = _edge(tile, side, CELL_SIZE, clean=True)
            sand = sum(number for number, colour in edge.getcolors() if colour == SAND)
            assert (sand > 0) is is_land, tile.number


def test_the_corners_of_a_tile_are_sea_and_free_for_its_code():
    for tile in TILES[:78:3]:
        ground = draw_ground(tile, CELL_SIZE)
        for x, y in (
            (3, 3),
            (CELL_SIZE - 4, 3),
            (3, CELL_SIZE - 4),
            (CELL_SIZE - 4, CELL_SIZE - 4),
        ):
            red, _, blue = ground.getpixel((x, y))
            assert blue > red + 60, tile.number


def test_dim_tiles_and_prints_are_darker_than_tiles():
    for number in (1, 30, 97):
        tile, dim, ghost = (
            sum(ImageStat.Stat(made(number, CELL_SIZE)).mean)
            for made in (draw_tile, draw_dim_tile, draw_ghost_tile)
        )
        assert ghost < dim < tile


def test_all_tiles_are_squares_of_the_size_asked():
    for size in (CELL_SIZE, SMALL_CELL_SIZE):
        assert isinstance(draw_tile(5, size), Image.Image)
        assert draw_tile(5, size).size == (size, size)
