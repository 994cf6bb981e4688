"""Scoring, sentence by sentence of both rulebooks, with the worked examples.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine.maori.board import board_of
from engine.maori.scoring import Row, find_islands, score_board, score_seats
from engine.maori.state import Side
from tests.engine.maori.table import FULL, position, side

FRONT, ATOLL = board_of("front"), board_of("atoll")
EVERY = [f"{row}{column}" for row in "qrst" for column in range(1, 6)]


def rows(*sides: Side, board: str = "front") -> tuple[Row, ...]:
    """Return the points as if the match ended now."""
    return score_seats(board_of(board), sides)


def removed(tiles: str, board: str = "front") -> list[str]:
    """Return the spaces from which incomplete islands would be removed."""
    made = board_of(board)
    return [made.code(space) for space in score_board(made, side(tiles, board=board).tiles).removed]


def own(tiles: str, board: str = "front") -> Row:
    """Return the points of a board against an empty one, without shells and with fewer ships."""
    rest = "r1=83 r2=84 r3=85 r4=86 r5=87 s1=88 s2=89 s3=90"
    return rows(side(tiles, shells=0, board=board), side(rest, shells=1, board=board), board=board)[
        0
    ]


def test_the_rulebooks_example_of_37_points() -> None:
    """MA-1: 10 palms without hut 10, 6 with hut 12, 1 lei 10, 7 ships (majority) 7, 3 shells 0,
    2 empty -2: 37.
    """
    # t3 is empty
    first = (
        "q3=15 q4=71 q5=28 r1=11 r2=25 r3=51 r4=7 r5=8 s1=83 s2=84 s3=64 s4=85 s5=79 t1=80 t2=17"
    )
    second = "q3=86 q4=87 r1=88 r2=91 r3=5"
    one, other = rows(side(first, shells=3), side(second, shells=4))
    assert one == Row(palms=10, huts=12, leis=10, ships=7, shells=0, empty=-2)
    assert one.total == 37
    assert other == Row(palms=0, huts=2, leis=0, ships=0, shells=4, empty=-11)
    assert other.total == -5
    assert removed(first) == ["t2"]


def test_the_example_comes_out_of_a_played_match_too() -> None:
    first = (
        "q3=15 q4=71 q5=28 r1=11 r2=25 r3=51 r4=7 r5=8 s1=83 s2=84 s3=64 s4=85 s5=79 t1=80 t2=17"
    )
    second = "q3=86 q4=87 r1=88 r2=91 r3=5"
    play = position(side(first, shells=3), side(second, shells=4))
    assert play.view.scores == (37, -5)
    for _ in range(4):
        play.play(f"{play.keys[0]},nothing")
    assert play.view.scores == (37, -5)
    assert play.view.rows[0] == Row(10, 12, 10, 7, 0, -2)


def test_the_example_of_the_atoll() -> None:
    """MA-2: islands inside doubled, one crossing the rim not, the covered ship not counted, both
    majorities tied.
    """
    first = "r2=15 r3=71 r4=28 s3=5 q1=11 q2=25 s2=83 t1=22 t2=36 s1=39"
    sides = side(first, shells=3, board="atoll"), side("q3=51 r3=64", shells=3, board="atoll")
    one, other = rows(*sides, board="atoll")
    assert one == Row(palms=6, huts=28, leis=10, ships=2, shells=3, empty=-11)
    assert one.total == 38
    assert other == Row(palms=6, huts=0, leis=0, ships=2, shells=3, empty=-18)
    assert other.total == -7
    assert removed(first, "atoll") == ["s1"]


def test_an_island_is_not_harmed_by_land_at_its_closed_side() -> None:
    """MA-3: q3 q4 is complete although q5 points land at it; q5 is removed."""
    assert removed("q3=22 q4=36 q5=28") == ["q5"]
    assert own("q3=22 q4=36 q5=28") == Row(4, 0, 0, 0, 0, -14)


@pytest.mark.parametrize(
    ("tiles", "why"),
    [
        ("r1=36", "the edge of the board"),
        ("r2=50 s1=79", "an empty space"),
        ("q3=36 q4=79", "printed land"),
        ("r2=22 r3=79", "a water tile"),
        ("r2=22 r3=1", "a single island"),
        ("r2=22 r3=22", "the closed side of another end"),
        ("r2=22 r3=76", "a middle across"),
        ("q5=22", "the edge of the board on the right"),
        ("s4=50", "printed land below"),
    ],
)
def test_an_open_side_of_land_makes_an_island_incomplete(tiles: str, why: str) -> None:
    """Complete if each land edge of each tile faces a land edge of a placed neighbour."""
    assert tiles.split("=")[0] in removed(tiles), why


@pytest.mark.parametrize(
    "tiles",
    ["r2=1", "r2=22 r3=36", "r2=22 r3=69 r4=70 r5=36", "q3=50 r3=63", "q3=50 r3=76 s3=77 t3=63"],
)
def test_a_straight_island_with_both_ends_is_complete(tiles: str) -> None:
    assert removed(tiles) == []
    (island,) = find_islands(FRONT, side(tiles).tiles)
    assert island.complete
    assert len(island.spaces) == len(tiles.split())


def test_an_island_with_one_open_tile_goes_as_a_whole() -> None:
    """Remove all incomplete islands: all their tiles."""
    assert removed("r2=22 r3=69") == ["r2", "r3"]


def test_islands_side_by_side_are_two() -> None:
    found = find_islands(FRONT, side("r2=22 r3=36 r4=22 r5=36 s2=1").tiles)
    assert [len(island.spaces) for island in found] == [2, 2, 1]


def test_removed_fields_become_empty_water_again() -> None:
    """So that those fields become empty water spaces again: 1 minus point each."""
    assert own("r2=22 r3=69").empty == -16


def test_water_tiles_are_never_removed() -> None:
    assert removed("r2=79 r3=83 r4=91") == []
    assert own("r2=79 r3=83 r4=91").empty == -13


def test_each_palm_on_an_island_without_a_hut_counts_1_point() -> None:
    """Each palm on an island without a hut counts for 1 point."""
    assert own("r2=24 r3=71 r4=38").palms == 9
    assert own("q3=4").palms == 2


def test_each_palm_on_an_island_with_a_hut_counts_2_points() -> None:
    """Each palm on an island with at least one hut counts for 2 points."""
    row = own("r2=15 r3=71 r4=38")
    assert (row.palms, row.huts) == (0, 16)


def test_more_than_one_hut_does_not_earn_more() -> None:
    """An island with more than 1 hut does not earn a player more palm points."""
    assert own("r2=15 r3=66 r4=29").huts == 12


def test_a_hut_counts_for_its_own_island_alone() -> None:
    row = own("r2=14 r3=36 r4=1")
    assert (row.palms, row.huts) == (1, 6)


def test_each_complete_lei_counts_10_points() -> None:
    """Each complete lei counts for 10 points."""
    assert own("r1=11 r2=25").leis == 10
    assert own("q3=39 r3=52").leis == 10
    assert own("r1=11 r2=25 r3=12 r4=26").leis == 20


def test_a_lei_needs_its_two_halves_on_the_same_edge() -> None:
    """Two half leis meeting on the same shared edge; with an ordinary end there is none, and no
    penalty.
    """
    assert own("r1=11 r2=36").leis == 0
    assert own("r1=11 r2=69 r3=25").leis == 0
    assert own("r1=11 r2=36").palms == 3


def test_the_leis_are_known_to_the_picture() -> None:
    view = position(side("r1=11 r2=25 q3=39 s1=1"), side()).view
    found = {island.spots: island.leis for island in view.sides[0].islands}
    assert found == {("q3",): (), ("r1", "r2"): (("r1", "r2"),), ("s1",): ()}
    assert [island.complete for island in view.sides[0].islands] == [False, True, True]


def test_most_ships_score_1_point_each_printed_ones_included() -> None:
    """The player with most ships (including those shown on the board) scores 1 point for each
    ship he has.
    """
    one, other = rows(side("q3=83", shells=0), side(shells=0))
    assert (one.ships, other.ships) == (3, 0)


def test_ties_for_most_ships_score_in_full() -> None:
    """If players tie with most, each scores points for all his ships."""
    assert [row.ships for row in rows(side("q3=83"), side("q3=84"), side())] == [3, 3, 0]


def test_ships_on_removed_tiles_do_not_count() -> None:
    assert [row.ships for row in rows(side("q3=17 q4=83"), side("q3=83"))] == [3, 3]


def test_ships_of_a_complete_island_count() -> None:
    assert rows(side("q3=17 q4=31"), side())[0].ships == 4


def test_most_shells_score_1_point_each() -> None:
    """The player with most shells scores 1 point for each shell he has (ties treated as above)."""
    assert [row.shells for row in rows(side(shells=3), side(shells=4), side(shells=4))] == [0, 4, 4]


def test_the_shells_shown_on_the_tiles_are_not_counted() -> None:
    """The shells shown on the tiles are not counted."""
    assert [row.shells for row in rows(side("q3=91", shells=2), side(shells=3))] == [0, 3]


def test_each_empty_water_space_costs_1_point() -> None:
    """Each empty water space on the board costs 1 minus point."""
    assert own("").empty == -16
    assert own(" ".join(f"{code}=79" for code in FULL.split())).empty == 0


def test_tiles_in_storage_are_not_scored() -> None:
    """Tiles in storage are not scored."""
    with_tile = rows(side(stored=5), side())
    assert with_tile == rows(side(), side())


def test_islands_completely_within_the_atoll_double_their_palms() -> None:
    """Islands completely within the atoll double their palm values: 4 points a palm with hut, 2
    without.
    """
    assert own("r2=22 r3=36", "atoll").palms == 8
    assert own("s2=14 s3=36", "atoll").huts == 12
    assert own("r2=50 s2=63", "atoll").palms == 8


@pytest.mark.parametrize(
    "tiles", ["r1=22 r2=36", "r4=22 r5=36", "q2=50 r2=63", "s3=50 t3=63", "q1=22 q2=36"]
)
def test_an_island_that_crosses_the_rim_or_lies_outside_is_not_doubled(tiles: str) -> None:
    assert own(tiles, "atoll").palms == 4


def test_leis_are_not_doubled() -> None:
    """Leis are not doubled."""
    assert own("r2=11 r3=25", "atoll").leis == 10


def test_the_front_doubles_nothing() -> None:
    assert own("r2=22 r3=36").palms == 4


def test_the_ship_space_of_the_atoll_costs_1_point_if_not_covered() -> None:
    """If the space is not covered, it counts during scoring as 1 minus point."""
    assert own("", "atoll").empty == -20
    assert own(" ".join(f"{code}=79" for code in EVERY if code != "s3"), "atoll").empty == -1


def test_the_ship_space_of_the_atoll_counts_a_ship_only_while_it_is_not_covered() -> None:
    """Ruling: the printed ship counts while visible, and is visible again if the tile goes."""
    assert ATOLL.count_ships(side(board="atoll").tiles) == 2
    assert ATOLL.count_ships(side("s3=79", board="atoll").tiles) == 1
    assert ATOLL.count_ships(side("s3=83", board="atoll").tiles) == 2
    one, other = rows(side("s3=22", board="atoll"), side(board="atoll"), board="atoll")
    assert one.ships == 2
    assert other.ships == 2, "an incomplete island on it is removed before the count"


def test_a_covered_ship_of_the_atoll_does_not_move_the_discoverer() -> None:
    covered = side("s3=79", shells=0, board="atoll")
    assert position(covered, side(board="atoll"), board="atoll", discoverer="1").keys == ["2"]
    play = position(covered, side(board="atoll"), board="atoll", discoverer="1").play("2,remove,s3")
    assert play.view.sides[0].ships == 2
