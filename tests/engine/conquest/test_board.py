"""The map, tiles, cards and markers are what the components say."""

from engine.conquest.board import (
    CARDS,
    CHART,
    COSTS,
    GOALS,
    HEXES,
    HOMES,
    LABELS,
    NEIGHBOURS,
    PIECES,
    PRINTED,
    TILES,
    UNKNOWN,
    distance,
    distance_to_america,
    region,
    south_west,
)


def test_the_map_has_167_hexes_with_a_code_each() -> None:
    assert len(HEXES) == len({hex.code for hex in HEXES}) == 167
    assert len(UNKNOWN) == 63
    assert sum(1 for land in PRINTED.values() if land.warriors) == 10


def test_neighbours_are_mutual_and_one_hex_apart() -> None:
    for spot, others in NEIGHBOURS.items():
        assert all(spot in NEIGHBOURS[other] and distance(spot, other) == 1 for other in others)


def test_the_home_islands_lie_as_the_rules_describe_them() -> None:
    """Samoa and Tonga adjacent, Fiji and Niue beside both, Hiva five hexes east, one hex between
    Niue and Flint.
    """
    assert HOMES == {"tonga": "f8", "samoa": "f7", "hiva": "l6", "raiatea": "j7"}
    assert all(distance("e7", home) == distance("g7", home) == 1 for home in ("f7", "f8"))
    assert distance("f8", "l6") == distance("f7", "l6") == 5
    assert distance("g7", "j6") == distance("j6", "l6") == 2
    assert set(CHART.placed_seas) == {"h7", "k7"}


def test_places_of_the_real_world_bear_their_codes() -> None:
    assert {LABELS[spot] for spot in ("l7", "j2", "r9", "e10")} == {
        "tuamotu",
        "hawaii",
        "rapa-nui",
        "aotearoa",
    }


def test_the_south_island_would_historically_fall_off_the_board() -> None:
    assert south_west("e10") == ""


def test_south_america_is_four_and_five_steps_from_the_edge_of_the_triangle() -> None:
    assert (distance_to_america("s8"), distance_to_america("r9")) == (4, 5)


def test_there_are_30_tiles_27_cards_and_40_pieces_a_seat() -> None:
    assert (len(TILES), len(CARDS)) == (30, 27)
    assert PIECES == {"t": 16, "w": 6, "b": 8, "c": 6, "r": 2}
    assert sum(tile.green + tile.brown == 4 for tile in TILES.values()) == 3
    assert sum(tile.green + tile.brown == 3 for tile in TILES.values()) == 5


def test_the_build_chart() -> None:
    assert COSTS == {"t": 1, "w": 3, "b": 2, "c": 2, "r": 0, "v": 2, "a": 2, "card": 2}
    assert GOALS == {2: 28, 3: 25, 4: 22}


def test_regions_hold_at_most_a_menu_of_unknown_hexes() -> None:
    counts = [
        sum(region(spot) == part for spot in UNKNOWN) for part in ("a-e", "f-g", "h-k", "l-v")
    ]
    assert counts == [6, 14, 24, 19]
