"""Discovering a tile: the five options, sentence by sentence of both rulebooks.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import Seat
from engine.core.words import words_of
from engine.maori.events import (
    Rested,
    SupplyEmptied,
    TilePlaced,
    TileRemoved,
    TileStored,
    TileTaken,
    TileTurnedUp,
)
from tests.engine.maori.table import FULL, matrix_with, position, side


def test_the_player_must_do_one_of_the_five() -> None:
    """After the player moves the discoverer ship, the player must do one of the following."""
    play = position(side("q3=79", stored=80), side(), discoverer="16").play("1")
    assert play.keys == ["a", "e", "i", "m", "stored", "remove", "nothing"]
    assert play.decision.kind == "discover_tile"


def test_only_possible_actions_are_offered() -> None:
    """Without a stored tile and without a tile on the board: take or do nothing."""
    assert position(side(), side(), discoverer="16").play("1").keys == [
        "a",
        "e",
        "i",
        "m",
        "nothing",
    ]


def test_take_a_tile_and_place_it() -> None:
    """Take 1 tile from the matrix and place it on his board."""
    play = position(side(), side(), discoverer="16", script=(2,)).play("1,a,r3")
    assert play.tile_at("r3") == 79
    assert play.events_of(TileTaken) == [TileTaken(Seat(0), "a", "open-water", (), 0)]
    assert play.events_of(TilePlaced) == [TilePlaced(Seat(0), "r3", "open-water", 0)]
    assert play.turn == 1


def test_the_prices_are_0_1_2_and_3_shells() -> None:
    """The tile next to the discoverer is free; the second costs 1 shell, the third 2 and the
    fourth 3.
    """
    play = position(side(), side(), discoverer="16").play("1")
    assert play.prices() == {"a": 0, "e": 1, "i": 2, "m": 3}


def test_for_each_tile_skipped_they_pay_1_of_their_shells_to_the_supply() -> None:
    """For each tile skipped, he pays 1 of his shells to the supply."""
    play = position(side(), side(), discoverer="16").play("1,m,q3")
    assert play.side().shells == 2
    assert play.state.bank == 23
    assert play.events_of(TileTaken) == [TileTaken(Seat(0), "m", "top-end-2", ("a", "e", "i"), 3)]


def test_a_tile_that_cannot_be_paid_cannot_be_taken() -> None:
    """Shells paid for steps cannot pay for the tile."""
    assert position(side(shells=1), side(), discoverer="16").play("1").keys == ["a", "e", "nothing"]
    assert position(side(shells=1), side(), discoverer="14").play("1").keys == ["a", "nothing"]


def test_only_the_row_or_column_of_the_ship_can_be_taken_from() -> None:
    """He takes the edge tile next to the ship, or another tile from the row or column."""
    assert position(side(), side(), discoverer="5").play("6").keys[:4] == ["h", "g", "f", "e"]


def test_the_tile_goes_on_any_empty_water_space() -> None:
    """The player puts the tile he took on any empty water space on his board."""
    play = position(side("r1=79 t3=80"), side(), discoverer="16").play("1,a")
    assert play.keys == [code for code in FULL.split() if code not in ("r1", "t3")] + ["store"]


def test_a_tile_may_be_placed_so_that_it_does_not_fit() -> None:
    """Polish rules: a tile may be laid 'non-fitting'."""
    play = position(side("r2=22"), side(), discoverer="16", matrix=matrix_with(a=50)).play("1,a,r3")
    assert play.tile_at("r3") == 50


def test_palms_stay_upright_so_a_tile_is_placed_as_it_lies() -> None:
    """Players must place palms upright: no option turns a tile."""
    play = position(side(), side(), discoverer="16").play("1,a")
    assert all(len(key) == 2 or key == "store" for key in play.keys)


@pytest.mark.parametrize(("tile", "shells"), [(9, 1), (21, 2), (91, 2), (79, 0)])
def test_a_tile_with_shells_gives_that_number_of_shells_at_once(tile: int, shells: int) -> None:
    """When a player puts a tile with shells on his board, he takes that number of wooden shells."""
    play = position(side(), side(), discoverer="16", matrix=matrix_with(a=tile)).play("1,a")
    assert dict(play.option("q3").facts)["gained"] == shells
    play.play("q3")
    assert play.side().shells == 5 + shells
    assert play.state.bank == 20 - shells


@pytest.mark.parametrize(("bank", "shells"), [(0, 0), (1, 1), (2, 2)])
def test_shells_are_taken_as_far_as_the_supply_lasts(bank: int, shells: int) -> None:
    """If such are still in the supply."""
    play = position(side(), side(), discoverer="16", bank=bank, matrix=matrix_with(a=91)).play(
        "1,a"
    )
    assert dict(play.option("q3").facts)["gained"] == shells
    play.play("q3")
    assert play.side().shells == 5 + shells
    assert play.state.bank == bank - shells
    assert play.events_of(TilePlaced) == [
        TilePlaced(Seat(0), "q3", "shell-water", shells, missed=2 - shells)
    ]
    lines = words_of("maori").event_lines(play.events_of(TilePlaced)[0], ("Ana", "Bea"))
    assert ("no more shells in the supply" in lines[0]) == (shells < 2)


def test_payments_reach_the_supply_before_shells_are_taken() -> None:
    """Ruling: shells paid for steps and skipping are in the bank before the tile's shells are
    taken.
    """
    play = position(side(), side(), discoverer="14", bank=0, matrix=matrix_with(e=91)).play(
        "1,e,q3"
    )
    assert (play.side().shells, play.state.bank) == (5, 0)


def test_a_tile_can_go_into_the_storage_instead() -> None:
    """Instead of putting the tile he took on his board, the player can place it in his storage."""
    play = position(side(), side(), discoverer="16").play("1,e,store")
    assert play.side().stored == 1
    assert play.side().shells == 4
    assert play.events_of(TileStored) == [TileStored(Seat(0), "single-1")]
    assert play.state.matrix[4] == 83


def test_storing_gives_no_shells() -> None:
    """When a player puts a tile with shells on his board: not when he stores it."""
    play = position(side(), side(), discoverer="16", matrix=matrix_with(a=91)).play("1,a,store")
    assert play.side().shells == 5


def test_the_storage_has_one_space() -> None:
    """Each player has only one storage space; only when it is empty can he put another there."""
    play = position(side(stored=80), side(), discoverer="16").play("1,a")
    assert "store" not in play.keys


def test_in_a_later_turn_the_stored_tile_can_be_placed() -> None:
    """In a subsequent turn, the player can take it from his storage and put this tile on the
    board.
    """
    play = position(side(stored=91), side(), discoverer="16").play("1,stored")
    assert "store" not in play.keys
    matrix = play.state.matrix
    play.play("r4")
    assert play.tile_at("r4") == 91
    assert (play.side().stored, play.side().shells) == (0, 7)
    assert play.events_of(TilePlaced) == [TilePlaced(Seat(0), "r4", "shell-water", 2, stored=True)]
    assert play.state.matrix == matrix
    assert not play.events_of(TileTurnedUp)


def test_without_a_stored_tile_there_is_none_to_place() -> None:
    """If he has a tile in his storage."""
    assert "stored" not in position(side("q3=79"), side(), discoverer="16").play("1").keys


def test_the_stored_tile_can_only_be_placed() -> None:
    """Ruling: the stored tile cannot be discarded."""
    play = position(side("q3=79", stored=80), side(), discoverer="16").play("1,remove")
    assert play.keys == ["q3"]


def test_a_tile_can_be_removed_from_the_board_out_of_the_game() -> None:
    """He takes any tile from his board and puts it back into the box."""
    play = position(side("q3=22 r1=79 t3=80"), side(), discoverer="16").play("1,remove")
    assert play.keys == ["q3", "r1", "t3"]
    play.play("q3")
    assert play.tile_at("q3") == 0
    assert play.events_of(TileRemoved) == [TileRemoved(Seat(0), "q3", "left-end-2")]
    assert 22 not in (*play.state.supply, *play.side().tiles)
    assert play.turn == 1


def test_the_space_of_a_removed_tile_is_empty_again() -> None:
    play = position(side("q3=83", shells=0), side(), discoverer="16").play("1,remove,q3")
    assert play.view.sides[0].ships == 2
    assert play.view.sides[0].empty == 16


def test_shells_once_taken_stay_when_the_tile_is_removed() -> None:
    play = position(side("q3=91", shells=7), side(), discoverer="16").play("1,remove,q3")
    assert play.side().shells == 7


def test_a_player_may_do_nothing_at_any_time() -> None:
    """Do nothing: a free choice, even where something could be taken."""
    play = position(side(), side(), discoverer="16").play("1")
    assert play.option("nothing").forfeits and not play.option("nothing").ends
    matrix = play.state.matrix
    play.play("nothing")
    assert play.events_of(Rested) == [Rested(Seat(0))]
    assert (play.state.matrix, play.turn) == (matrix, 1)


def test_a_volcano_cannot_be_taken_and_is_a_blockade() -> None:
    """A volcanic tile cannot be taken.

    Tiles on the other side of a volcano tile cannot be taken.
    """
    play = position(side(), side(), discoverer="16", matrix=matrix_with(e=96)).play("1")
    assert play.keys == ["a", "nothing"]
    play = position(side(), side(), discoverer="11", matrix=matrix_with(e=96)).play("12")
    assert play.prices() == {"m": 0, "i": 1}


def test_a_volcano_beside_the_ship_leaves_nothing_to_take() -> None:
    """Nor anything behind it."""
    assert position(side(), side(), discoverer="16", matrix=matrix_with(a=97)).play("1").keys == [
        "nothing"
    ]


def test_a_volcano_that_is_turned_up_stays() -> None:
    """A volcano coming up after the set-up stays in the matrix."""
    play = position(side(), side(), discoverer="16", supply=(83, 96), script=(1,)).play("1,a,q3")
    assert play.state.matrix[0] == 96
    assert play.events_of(TileTurnedUp) == [TileTurnedUp("a", "volcano")]


def test_a_tile_taken_is_replaced_from_the_supply_after_the_action() -> None:
    """After a tile is taken from the matrix, the player replaces it with a tile from the supply
    stacks.
    """
    play = position(side(), side(), discoverer="16", script=(3,)).play("1,e,q3")
    assert play.state.matrix[4] == 86
    assert play.state.supply == (83, 84, 85, 87, 88, 89, 90)
    assert play.events_of(TileTurnedUp) == [TileTurnedUp("e", "ship-water")]


def test_when_the_supply_is_exhausted_the_space_remains_empty() -> None:
    """When all supply stacks are exhausted, the space in the matrix remains empty."""
    play = position(side(), side(), discoverer="16", supply=(90,)).play("1,a,q3")
    assert len(play.events_of(SupplyEmptied)) == 1
    play.play("2,b,q3")
    assert play.state.matrix[:3] == (90, 0, 81)
    assert len(play.events_of(SupplyEmptied)) == 1
    assert len(play.events_of(TileTurnedUp)) == 1


@pytest.mark.parametrize(
    ("cells", "prices"),
    [
        ({}, {"p": 0, "l": 1, "h": 2, "d": 3}),
        ({"l": 0}, {"p": 0, "h": 1, "d": 2}),
        ({"l": 96}, {"p": 0}),
        ({"p": 0, "l": 96}, {}),
        ({"p": 0, "l": 0, "h": 0}, {"d": 0}),
        ({"p": 0}, {"l": 0, "h": 1, "d": 2}),
    ],
)
def test_empty_places_of_the_matrix_are_passed_free_of_charge(
    cells: dict[str, int], prices: dict[str, int]
) -> None:
    """MA-4, line 9 (plhd) with 5 shells: the cost is for each tile skipped, and a volcano
    blocks.
    """
    play = position(side(), side(), discoverer="8", matrix=matrix_with(**cells)).play("9")
    assert play.prices() == prices


def test_a_tile_is_taken_over_the_tiles_alone() -> None:
    play = position(side(), side(), discoverer="8", matrix=matrix_with(l=0)).play("9,d,q3")
    assert play.events_of(TileTaken) == [TileTaken(Seat(0), "d", "open-water", ("p", "h"), 2)]


def test_shells_lie_open() -> None:
    """Players must keep their shells openly in their play areas."""
    play = position(side(shells=3), side(shells=4))
    assert [own.shells for own in play.view.sides] == [3, 4]


def test_all_shells_are_always_somewhere() -> None:
    play = position(side(), side(), discoverer="16", matrix=matrix_with(p=91)).play("4,p,q3")
    assert (play.side().shells, play.state.bank) == (2, 23)
    assert sum(own.shells for own in play.state.sides) + play.state.bank == 30


def test_the_events_of_a_turn_name_their_spots() -> None:
    play = position(side(), side(), discoverer="16").play("1,e,r3")
    turn = play.view.turn
    assert turn is not None
    assert turn.seat == 0
    assert turn.act == "place"
    assert turn.cell == "e"
    assert turn.tile == 1
    assert turn.spot == "r3"
    play.play("3,g,store")
    turn = play.view.turn
    assert turn is not None
    assert turn.seat == 1
    assert turn.act == "store"
    assert turn.cell == "g"
    assert turn.tile == 3
    assert turn.spot == ""
