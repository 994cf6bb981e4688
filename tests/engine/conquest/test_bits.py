"""Sets of hexes as bits say the same as the map."""

from engine.conquest.bits import ALL, BIT, CHARTED, around, beside, bits, flood, spots_of
from engine.conquest.board import NEIGHBOURS, ORDER, UNKNOWN, distance


def test_each_hex_has_a_bit_of_its_own_in_the_order_of_the_map() -> None:
    assert spots_of(ALL) == tuple(ORDER)
    assert all(spots_of(bit) == (spot,) for spot, bit in BIT.items())
    assert set(spots_of(ALL & ~CHARTED)) == UNKNOWN


def test_beside_a_hex_lie_its_neighbours_and_nothing_across_the_edge_of_the_map() -> None:
    for spot, others in NEIGHBOURS.items():
        assert set(spots_of(beside(BIT[spot]))) == set(others)


def test_beside_several_hexes_lies_what_is_beside_any_of_them() -> None:
    assert beside(bits(["f7", "m4"])) == beside(BIT["f7"]) | beside(BIT["m4"])
    assert beside(0) == 0


def test_around_a_hex_lie_those_that_are_no_farther_than_so_many_moves() -> None:
    for moves in (1, 2, 3):
        near = tuple((spot, BIT[spot]) for spot in ORDER if 0 < distance("f7", spot) <= moves)
        assert around("f7", moves) == near


def test_a_flood_runs_through_what_passes_and_no_farther() -> None:
    row = bits(["f7", "g7", "h8"])
    assert flood(BIT["f7"], row) == row
    assert flood(BIT["f7"], bits(["h8"])) == BIT["f7"]
    assert flood(BIT["f7"], bits(["g7", "m4"])) == bits(["f7", "g7"])
