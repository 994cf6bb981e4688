"""The Action Phase: order, Explore, Populate and Fish, sentence by sentence.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine.polynesia.events import Fished, Populated, RouteExplored
from tests.engine.polynesia.table import new_play, position, side

RICH = side(fish=12, shells=12)


# The order of play


def test_beginning_with_the_starting_player_each_player_performs_an_action_clockwise() -> None:
    """Beginning with the Starting Player, and moving clockwise, each player must perform an
    Action.
    """
    play = new_play(4, first="3")
    turns = []
    for _ in range(4):
        turns.append(play.turn)
        play.play("fish")
    assert turns == [2, 3, 0, 1]


def test_once_all_have_acted_the_marker_moves_and_this_is_repeated_three_times() -> None:
    """Once all players have performed their Action, the marker moves one space; 3 times, then
    the volcano.
    """
    play = new_play(2)
    seen = []
    for _ in range(6):
        seen.append((play.turn, play.view.marker))
        play.play("fish")
    assert seen == [(0, "3"), (1, "3"), (0, "2"), (1, "2"), (0, "1"), (1, "1")]
    assert play.view.lava and play.kind == "decline" and play.view.marker == "decline"


def test_one_of_four_actions_must_be_performed() -> None:
    """On your turn you must perform one of the following 4 Actions: nobody passes."""
    assert new_play(3).keys == ["explore", "travel", "populate", "fish", "shell"]


def test_actions_that_cannot_be_completed_are_not_offered() -> None:
    assert position(side(), side()).keys == ["travel", "populate", "fish", "shell"]
    assert position(side("m 5", ships=0, fish=9), side()).keys == [
        "travel",
        "populate",
        "fish",
        "shell",
    ]
    assert position(side("m 12, n1 1"), side()).keys == ["travel", "fish", "shell"]
    stranded = position(side("t6 1", fish=3), side())
    assert stranded.keys == ["explore", "populate", "fish", "shell"]


# Explore


def test_any_route_on_the_map_can_be_explored_without_members_near_it() -> None:
    """You can explore any Route without limitations; it is not necessary to have Tribe Members
    on either Island.
    """
    for seats, count in ((2, 33), (3, 33), (4, 44)):
        play = new_play(seats).play("explore")
        assert len(play.keys) == count and play.can("d2-t6") is (seats < 4)
        assert play.keys == [route.code for route in play.state.board.explorable]


def test_exploring_places_one_of_your_ships_from_your_personal_board_onto_the_route() -> None:
    play = new_play(3).play("explore n2-i12 fish")
    assert play.side(0).ships == 14
    assert play.view.sides[0].ships_out == 1
    assert play.route("n2-i12") == ((0,), "fish")
    assert play.events_of(RouteExplored) == [RouteExplored(0, "n2-i12", "fish", 3)]


def test_the_orange_routes_are_considered_explored_and_no_ship_is_placed_on_them() -> None:
    play = new_play(2).play("explore")
    assert not {"m-n1", "m-n2", "m-n3"} & {*play.keys}


@pytest.mark.parametrize("marker", [3, 2, 1])
def test_a_new_route_costs_as_many_resources_of_one_type_as_the_marker_shows(marker: int) -> None:
    """You must pay as many Resources as the number shown by the Phase Marker and only one type
    of Resource.
    """
    play = position(side(fish=marker, shells=marker - 1), side(), marker=marker).play(
        "explore n2-i12"
    )
    assert play.kind == "pay_route" and play.keys == ["fish"]
    play.play("fish")
    assert play.side(0).fish == 0
    assert play.side(0).shells == marker - 1
    assert not position(side(fish=marker - 1, shells=marker - 1), side(), marker=marker).can(
        "explore"
    )


def test_one_of_the_used_resources_stays_next_to_the_route() -> None:
    """Place one of the used Resources next to the Route and return the rest to the General
    Reserve.
    """
    play = new_play(3).play("explore n2-i12 shell")
    shown = next(route for route in play.view.routes if route.spot == "n2-i12")
    assert (shown.owners, shown.type, shown.neutral) == ((0,), "shell", False)
    assert play.side(0).shells == 0


@pytest.mark.parametrize("marker", [3, 2, 1])
def test_an_existing_route_costs_2_of_its_type_to_each_owner_whatever_the_marker(
    marker: int,
) -> None:
    """Pay 2 Resources of the type on the Route to each player who owns a Ship there, independent
    of the marker.
    """
    routes = {"n2-i12": "p2 p3 shell"}
    play = position(
        side(shells=5), side(), side(), side(), routes={"n2-i7": "p2 p3 shell"}, marker=marker
    )
    play.play("explore n2-i7")
    assert [play.side(seat).shells for seat in range(4)] == [1, 2, 2, 0]
    assert play.route("n2-i7") == ((0, 1, 2), "shell")
    assert play.side(0).ships == 14
    assert play.events_of(RouteExplored) == [
        RouteExplored(0, "n2-i7", "shell", 4, (1, 2), is_new=False)
    ]
    poor = position(side(shells=3, fish=9), side(), side(), routes=routes, marker=marker).play(
        "explore"
    )
    assert not poor.can("n2-i12")


def test_an_existing_route_is_paid_only_with_its_own_type() -> None:
    play = position(side(shells=9), side(), side(), routes={"n2-i12": "p2 fish"}).play("explore")
    assert not play.can("n2-i12") and play.can("n1-i5")


def test_a_player_cannot_have_more_than_one_ship_on_the_same_route() -> None:
    play = position(
        RICH, side(), side(), routes={"n2-i12": "p1 fish", "n2-i13": "p1 p2 shell"}
    ).play("explore")
    assert not play.can("n2-i12") and not play.can("n2-i13")


def test_the_type_of_a_route_stays_for_the_whole_game() -> None:
    play = position(side(), RICH, side(), routes={"n2-i12": "p1 shell"}, turn=1).play(
        "explore n2-i12"
    )
    assert play.route("n2-i12") == ((0, 1), "shell")


def test_with_two_players_an_existing_route_cannot_be_explored() -> None:
    """The only exception in two player games is that you cannot explore an existing Route."""
    play = position(RICH, side(), routes={"n2-i12": "p2 fish"}).play("explore")
    assert not play.can("n2-i12") and len(play.keys) == 32


def test_each_option_says_what_it_costs_and_who_is_paid() -> None:
    play = position(
        side(fish=6, shells=2), side(), side(), routes={"n2-i12": "p2 p3 fish"}, marker=2
    ).play("explore")
    assert play.fact("n2-i12", "paid") == 4
    assert play.fact("n2-i12", "owners") == (1, 2)
    assert play.fact("n1-i5", "paid") == 2
    assert play.fact("n1-i5", "either") == 2


# Populate


def test_populate_adds_3_members_to_the_main_island() -> None:
    """Add 3 Tribe Members to the Main Island (Volcano)."""
    play = new_play(2).play("populate m3")
    assert play.members(0) == {"m": 8}
    assert play.side(0).home == 5
    assert play.events_of(Populated) == [Populated(0, "m", 3)]


def test_with_one_member_left_it_is_offered_once_to_the_main_island() -> None:
    """Three, or all that are left: with one left that is the same as one to the Main Island."""
    assert position(side("m 5, i12 1", home=1), side()).play("populate").keys == ["m", "i12"]
    assert position(side("i12 1", home=1), side()).play("populate").keys == ["m", "i12"]
    assert position(side("i12 1", home=1), side()).play("populate m").members(0) == {
        "m": 1,
        "i12": 1,
    }
    assert position(side("i12 1", home=2), side()).play("populate").keys == ["m3", "i12"]


def test_populate_adds_1_member_to_an_island_where_you_already_have_one() -> None:
    """Or add 1 Tribe Member to an Island where you already have at least one other Tribe Member."""
    play = position(side("m 3, t6 1, n2 1"), side("i12 3")).play("populate")
    assert play.keys == ["m3", "m", "n2", "t6"]
    assert play.play("t6").members(0) == {"m": 3, "n2": 1, "t6": 2}
    assert play.side(0).home == 7


def test_there_is_no_limit_to_the_figures_on_an_island() -> None:
    play = position(side("t6 12"), side("t6 12")).play("populate t6")
    assert play.members(0) == {"t6": 13}


def test_members_leave_the_board_from_left_to_right_so_the_free_space_rises() -> None:
    """You should always take your Tribe Members from your Personal Board from left to right."""
    play = position(side("m 5"), side())
    values = [play.view.sides[0].value]
    for _ in range(8):
        play = position(side(f"m {sum(play.side(0).members)}"), side()).play("populate m")
        values.append(play.view.sides[0].value)
    assert values == [2, 2, 3, 3, 4, 4, 5, 6, 7]


# Fish


@pytest.mark.parametrize("marker", [3, 2, 1])
@pytest.mark.parametrize("resource", ["fish", "shell"])
def test_fishing_takes_as_many_of_one_type_as_the_marker_shows(marker: int, resource: str) -> None:
    """Take from the General Reserve as many Resources of the chosen type as the number on the
    Phase Marker.
    """
    play = position(side(fish=1, shells=1), side(), marker=marker).play(resource)
    got = (play.side(0).fish - 1, play.side(0).shells - 1)
    assert got == ((marker, 0) if resource == "fish" else (0, marker))
    assert play.events_of(Fished) == [Fished(0, resource, marker)]


def test_resources_are_not_limited() -> None:
    """Resources are not limited to the available elements."""
    assert position(side(fish=40), side(fish=30)).play("fish").side(0).fish == 43
