"""The components: 97 tiles, two boards, the matrix and its track."""

from collections import Counter

import pytest

from engine.core.words import words_of
from engine.maori import tiles
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.tiles import SIDES, VOLCANOES, Tile, count_by_kind

TILES = tiles.TILES[1:]
SHAPES = {
    "single": "single island",
    "left_end": "left end",
    "right_end": "right end",
    "top_end": "top end",
    "bottom_end": "bottom end",
    "h_middle": "wide middle",
    "v_middle": "tall middle",
}


def test_there_are_97_island_tiles_in_the_following_forms() -> None:
    """10 individual islands, 54 end pieces, 14 middle pieces, 17 water tiles, 2 volcanoes."""
    assert len(TILES) == 97
    assert Counter(tile.kind for tile in TILES) == {
        "single": 10,
        "end": 54,
        "middle": 14,
        "water": 17,
        "volcano": 2,
    }
    assert count_by_kind([tile.number for tile in TILES]) == (
        ("single", 10),
        ("end", 54),
        ("middle", 14),
        ("water", 17),
        ("volcano", 2),
    )


def test_the_tiles_show_other_symbols_in_the_numbers_that_the_rules_help_names() -> None:
    """Additionally, the island tiles show other symbols: palms, huts, shells, ships and leis."""
    assert sum(tile.palms for tile in TILES) == 113
    assert sum(tile.hut for tile in TILES) == 18
    assert sum(tile.lei >= 0 for tile in TILES) == 12
    assert sum(tile.ships for tile in TILES) == 20
    assert sum(tile.shells for tile in TILES) == 30
    describe = words_of("maori").topics["parts"]["text"]
    assert "113 palms, 18 huts, 12 half leis, 20 ships and 30 shells" in describe
    ways = Counter(tile.shape for tile in TILES)
    assert f"{ways['left_end']} left and {ways['right_end']} right ends" in describe
    assert f"{ways['top_end']} top and {ways['bottom_end']} bottom ends" in describe
    assert f"{ways['h_middle']} horizontal and {ways['v_middle']} vertical middles" in describe
    waters = (
        f"{ways['open_water']} are open, {ways['ship_water']} have a ship and "
        f"{ways['shell_water']} have 2 shells"
    )
    assert waters in describe


def test_there_are_no_curve_tiles_so_only_straight_islands_can_be_discovered() -> None:
    """As there are no curve tiles, only straight islands can be discovered."""
    assert {tile.land for tile in TILES} == {(), (0,), (1,), (2,), (3,), (0, 2), (1, 3)}


def test_an_end_is_named_for_the_end_of_the_island_that_it_is() -> None:
    """left_end has land on E, right_end on W, top_end on S, bottom_end on N."""
    land = {tile.shape: "".join(SIDES[side] for side in tile.land) for tile in TILES if tile.land}
    assert land == {
        "left_end": "e",
        "right_end": "w",
        "top_end": "s",
        "bottom_end": "n",
        "h_middle": "ew",
        "v_middle": "ns",
    }
    ends = Counter(tile.shape for tile in TILES if tile.land)
    assert ends == {
        "left_end": 14,
        "right_end": 14,
        "top_end": 13,
        "bottom_end": 13,
        "h_middle": 7,
        "v_middle": 7,
    }


def test_half_leis_are_on_land_edges_three_in_each_direction() -> None:
    leis = [tile for tile in TILES if tile.lei >= 0]
    assert all(tile.lei in tile.land for tile in leis)
    assert Counter(tile.lei for tile in leis) == {0: 3, 1: 3, 2: 3, 3: 3}


def test_every_island_tile_has_a_palm_so_none_could_be_turned() -> None:
    """Players must place palms so that they appear upright; a tile without palms is water and
    the same all around.
    """
    assert all(tile.palms > 0 for tile in TILES if tile.is_island)
    assert all(tile.palms == 0 and tile.land == () for tile in TILES if not tile.is_island)


def test_a_tile_carries_at_most_one_kind_of_extra_symbol() -> None:
    for tile in TILES:
        assert sum((tile.hut, tile.lei >= 0, tile.ships > 0, tile.shells > 0)) <= 1


def test_there_are_three_kinds_of_water_tiles() -> None:
    """Three different water tiles are pictured: plain, with a ship, with shells."""
    waters = Counter(
        (tile.shape, tile.ships, tile.shells) for tile in TILES if tile.kind == "water"
    )
    assert waters == {("open_water", 0, 0): 4, ("ship_water", 1, 0): 8, ("shell_water", 0, 2): 5}
    assert VOLCANOES == (96, 97)


def describe(tile: Tile) -> str:
    """Return a tile in words."""
    return words_of("maori").fill("{tile:word}[ with {symbols:counts}]", **dict(tile.facts))


@pytest.mark.parametrize(
    "tile", [tile for tile in TILES if tile.is_island], ids=lambda tile: f"T{tile.number:02}"
)
def test_the_description_of_an_island_tile_lists_its_symbols(tile: Tile) -> None:
    shown = [f"{tile.palms} palm{'s' * (tile.palms > 1)}"]
    shown += ["1 hut"] * tile.hut + ["1 half lei"] * (tile.lei >= 0) + ["1 ship"] * (tile.ships > 0)
    shown += [f"{tile.shells} shell{'s' * (tile.shells > 1)}"] * (tile.shells > 0)
    assert describe(tile) == f"{SHAPES[tile.shape]} with {' and '.join(shown)}"


def test_the_descriptions_of_the_other_tiles() -> None:
    assert {tile.shape: describe(tile) for tile in TILES if not tile.is_island} == {
        "open_water": "open water tile",
        "ship_water": "water tile with 1 ship",
        "shell_water": "water tile with 2 shells",
        "volcano": "volcano",
    }


def test_tiles_of_one_face_are_alike() -> None:
    looks = {
        (tile.shape, tile.palms, tile.hut, tile.lei, tile.ships, tile.shells): tile.face
        for tile in TILES
    }
    assert len(set(looks.values())) == len(looks) == 59
    assert tiles.TILES[0].face == "", "where no tile lies nothing is seen"


def test_the_front_has_16_water_spaces_and_two_pieces_of_printed_land() -> None:
    front = board_of("front")
    codes = [space.code for space in front.spaces]
    assert " ".join(codes) == "q3 q4 q5 r1 r2 r3 r4 r5 s1 s2 s3 s4 s5 t1 t2 t3"
    assert front.land == ((0, 0), (0, 1), (3, 3), (3, 4))
    assert front.count_ships((0,) * 20) == 2


def test_the_printed_ships_of_the_front_are_never_covered() -> None:
    """At the beginning, each player has 2 ships (printed on the board)."""
    assert board_of("front").count_ships((79,) * 20) == 2


def test_the_atoll_has_20_spaces_six_of_them_inside_and_a_ship_in_it() -> None:
    """The back side of the player boards shows an atoll in the center of the board."""
    atoll = board_of("atoll")
    assert len(atoll.spaces) == 20
    assert [space.code for space in atoll.spaces if space.inside] == [
        "r2",
        "r3",
        "r4",
        "s2",
        "s3",
        "s4",
    ]
    assert [space.code for space in atoll.spaces if space.ship] == ["s3"]


@pytest.mark.parametrize("name", ["front", "atoll"])
def test_beside_touching_and_distance_agree_with_plain_geometry(name: str) -> None:
    board = board_of(name)
    cells = {(space.row, space.column): space.index for space in board.spaces}
    for (row, column), index in cells.items():
        straight = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        assert board.beside[index] == tuple(cells.get(cell, -1) for cell in straight)
        around = {
            cells.get((row + down, column + right), index)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
        }
        assert set(board.touching[index]) == around - {index}
        for (down, right), other in cells.items():
            assert board.distance[index][other] >= max(abs(row - down), abs(column - right))


def test_a_step_over_printed_land_is_a_way_around() -> None:
    """Printed land may not be crossed; water may, and a diagonal step past land between two
    spaces is one step.
    """
    front = board_of("front")
    index = {space.code: space.index for space in front.spaces}
    assert front.distance[index["r2"]][index["q3"]] == 1
    assert front.distance[index["r1"]][index["q3"]] == 2
    assert front.distance[index["t3"]][index["s4"]] == 1
    assert front.distance[index["t3"]][index["s5"]] == 2


def test_the_lines_of_the_ship_track_are_those_of_the_decision_map() -> None:
    describe = "aeim bfjn cgko dhlp dcba hgfe lkji ponm plhd okgc njfb miea mnop ijkl efgh abcd"
    assert " ".join("".join(CELLS[cell] for cell in line) for line in LINES) == describe
    assert list(POSITIONS) == [str(number) for number in range(1, 17)]
