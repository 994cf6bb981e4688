"""Moving the discoverer ship, sentence by sentence of both rulebooks.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import Seat
from engine.maori.events import DiscovererMoved
from tests.engine.maori.table import FULL, PLAIN, matrix_with, position, side


def test_the_player_first_must_move_the_discoverer() -> None:
    """The player first must move the discoverer ship around the matrix in the clockwise
    direction.
    """
    play = position(side(), side(), discoverer="6")
    assert play.decision.kind == "move_discoverer"
    assert "6" not in play.keys
    assert play.keys == ["7", "8", "9", "10", "11", "12", "13"]


def test_clockwise_goes_on_from_16_to_1() -> None:
    """Around the matrix in the clockwise direction."""
    assert position(side(), side(), discoverer="15").keys == ["16", "1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("option", ["nothing", "a,q3", "a,store"])
def test_whatever_is_chosen_the_discoverer_is_moved_before(option: str) -> None:
    """Regardless of which option a player selects, he must always first move the discoverer
    ship.
    """
    play = position(side(), side(), discoverer="16")
    assert not {"nothing", "store"} & set(play.keys)
    play.play(f"1,{option}")
    assert play.turn == 1


def test_at_least_1_step_and_at_most_as_many_as_ships_without_shells() -> None:
    """He must move at least 1 step and at most as many steps as he has ships on his board."""
    assert position(side(shells=0), side(), discoverer="1").keys == ["2", "3"]
    assert position(side("q3=83 q4=7", shells=0), side(), discoverer="1").keys == [
        "2",
        "3",
        "4",
        "5",
    ]


def test_ships_of_a_stored_tile_do_not_count() -> None:
    """Ships on his board: a tile in storage is not on it."""
    assert position(side(shells=0, stored=83), side(), discoverer="1").keys == ["2", "3"]


def test_at_the_beginning_each_player_has_2_ships() -> None:
    """At the beginning, each player has 2 ships (printed on the board)."""
    assert [own.ships for own in position(side(), side()).view.sides] == [2, 2]


def test_during_the_game_a_player_can_get_additional_ships() -> None:
    """During the game, a player can get additional ships."""
    play = position(side(shells=0), side(), matrix=matrix_with(b=83)).play("2,b,q3")
    assert play.view.sides[0].ships == 3


def test_each_further_step_costs_a_shell() -> None:
    """A player can spend shells to move the discoverer ship even further: 1 shell = 1 step."""
    play = position(side(shells=3), side(), discoverer="1")
    assert play.prices() == {"2": 0, "3": 0, "4": 1, "5": 2, "6": 3}
    assert dict(play.option("5").facts)["steps"] == 4


def test_the_example_of_two_ships_and_two_steps() -> None:
    """The player has 2 ships and can move the discoverer ship up to 2 steps."""
    play = position(side(), side(), discoverer="1").play("3")
    assert play.side().shells == 5
    assert play.events_of(DiscovererMoved) == [DiscovererMoved(Seat(0), "1", "3", 2, 0)]


def test_the_example_of_two_ships_and_three_steps() -> None:
    """The player has 2 ships and moves 2 steps, then pays 1 shell to the supply to move another
    step.
    """
    play = position(side(), side(), discoverer="1").play("4")
    assert play.side().shells == 4
    assert play.state.bank == 21
    assert play.events_of(DiscovererMoved) == [DiscovererMoved(Seat(0), "1", "4", 3, 1)]


def test_a_position_is_offered_once_at_its_cheapest_and_16_steps_are_the_most() -> None:
    """Ruling: more than 16 steps, or paying more than needed, is not offered; 16 steps = stay
    where it is.
    """
    play = position(side("q3=83 q4=84 q5=85", shells=20), side(shells=0), discoverer="4")
    assert play.keys == [str(number) for number in (*range(5, 17), 1, 2, 3, 4)]
    assert play.prices()["4"] == 11
    play.play("4")
    assert play.side().shells == 9
    assert play.view.discoverer == "4"
    assert play.view.journey == (*(str(n) for n in range(4, 17)), "1", "2", "3", "4")


def test_many_ships_sail_around_for_nothing() -> None:
    tiles = " ".join(f"{code}=83" for code in FULL.split()[:14])
    play = position(side(tiles, shells=0), side(), discoverer="4")
    assert len(play.keys) == 16
    assert set(play.prices().values()) == {0}


def test_the_steps_go_along_tile_edges_so_a_corner_tile_has_two_positions() -> None:
    """Polish rules: at least 1 tile edge; 16 outer edges of 12 outer tiles."""
    play = position(side(), side(), discoverer="3").play("4")
    assert play.keys[:4] == ["d", "h", "l", "p"]
    play = position(side(), side(), discoverer="4").play("5")
    assert play.keys[:4] == ["d", "c", "b", "a"]


def test_an_empty_matrix_is_sailed_around_as_well() -> None:
    play = position(side(), side(), matrix=(79, *[0] * 15), supply=()).play("2")
    assert play.keys == ["nothing"]


def test_the_last_journey_is_known() -> None:
    play = position(side(), side(), discoverer="15", matrix=PLAIN).play("2,nothing")
    assert play.view.journey == ("15", "16", "1", "2")
    assert play.view.turn is not None
    assert play.view.turn.seat == 0
    assert play.view.turn.start == "15"
    assert play.view.turn.steps == 3
