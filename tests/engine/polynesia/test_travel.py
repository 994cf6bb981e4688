"""Travel and the island tokens, sentence by sentence.

A docstring gives the sentence, or the ruling, that its test checks.
"""

from collections import Counter

import pytest
from msgspec.structs import replace

from engine import Answer, Seat
from engine.polynesia import GAME
from engine.polynesia.board import board_for
from engine.polynesia.events import MemberMoved, RouteExplored, TokenTaken
from tests.contract.games import new_match
from tests.engine.polynesia.table import Play, position, side

FAR = {"n2-i12": "p1 fish", "i12-t1": "p1 fish", "t1-c2": "p1 shell"}


@pytest.mark.parametrize("marker", [3, 2, 1])
def test_each_movement_costs_a_point_and_there_are_as_many_as_the_marker_shows(marker: int) -> None:
    """Each movement from one Island to a connected one costs 1 Movement Point; the marker says
    how many.
    """
    play = position(side("m 5"), side(), marker=marker).play("travel" + " m-n1" * marker)
    assert play.members(0) == {"m": 5 - marker, "n1": marker}
    assert play.turn == 1


def test_points_are_distributed_among_your_members_as_you_wish() -> None:
    one = position(side("m 5"), side(), routes=FAR).play("travel m-n2 n2-i12 i12-t1")
    assert one.members(0) == {"m": 4, "t1": 1}
    many = position(side("m 5"), side(), routes=FAR).play("travel m-n2 m-n1 n2-i12")
    assert many.members(0) == {"m": 3, "n1": 1, "i12": 1}


def test_travel_goes_over_explored_routes_only() -> None:
    play = position(side("n2 1, i12 1"), side(), routes={"i12-t1": "p1 fish"}).play("travel")
    assert play.keys == ["n2-m", "i12-t1"]


def test_neutral_routes_are_free_for_everybody() -> None:
    for seat in (0, 1):
        play = position(side("m 1"), side("m 1"), turn=seat).play("travel m-n3 stop")
        assert play.members(seat) == {"n3": 1}


def test_a_route_of_the_seat_s_own_needs_no_payment_and_no_guide() -> None:
    play = position(side("i12 1"), side(), routes=FAR).play("travel i12-t1 stop")
    assert play.members(0) == {"t1": 1}
    assert play.events_of(MemberMoved) == [MemberMoved(0, "i12", "t1")]


def foreign(fish: int = 1, there: str = "i12 1", routes: str = "p2 fish", shells: int = 9) -> Play:
    """Return a match with seat 0 on I12 and seat 1 as the owner of I12-T1."""
    return position(
        side("i12 1", fish=fish, shells=shells), side(there), side(), routes={"i12-t1": routes}
    )


def test_a_foreign_route_needs_a_guide_on_the_starting_island_who_moves_along() -> None:
    """There must be a Member of that player's Tribe on the starting Island; you move both
    figures.
    """
    play = foreign().play("travel i12-t1 p2")
    assert play.members(0) == {"t1": 1}
    assert play.members(1) == {"t1": 1}
    assert not foreign(there="t1 1").can("travel")


def test_a_foreign_route_costs_1_resource_of_its_type_to_the_owner() -> None:
    """And you must pay that player 1 Resource of the type already present on the Route used."""
    play = foreign().play("travel i12-t1 p2")
    assert play.side(0).fish == 0
    assert play.side(1).fish == 1
    assert play.side(0).shells == 9
    assert not foreign(fish=0).can("travel")


def test_the_guide_costs_no_movement_point() -> None:
    play = position(
        side("i12 1", fish=3),
        side("i12 1"),
        routes={"i12-t1": "p2 fish", "t1-c2": "p2 fish", "c2-t6": "p2 fish"},
    ).play("travel i12-t1 p2 t1-c2 p2 c2-t6 p2")
    assert play.members(0) == play.members(1) == {"t6": 1}
    assert play.side(0).fish == 0
    assert play.side(1).fish == 3


def test_with_several_owners_the_traveller_chooses_whom_to_pay() -> None:
    """If you can choose between several players' Routes to travel on, you can choose whichever
    one you wish.
    """
    routes = {"i12-t1": "p2 p3 fish"}
    play = position(side("i12 1", fish=1), side("i12 1"), side("i12 2"), routes=routes).play(
        "travel i12-t1"
    )
    assert play.kind == "hire_guide" and play.keys == ["p2", "p3"]
    play.play("p3")
    assert [play.side(seat).fish for seat in range(3)] == [0, 0, 1]
    assert play.members(1) == {"i12": 1}
    assert play.members(2) == {"i12": 1, "t1": 1}


def test_only_owners_with_a_member_on_the_start_can_guide() -> None:
    routes = {"i12-t1": "p2 p3 fish"}
    play = position(side("i12 1", fish=1), side("t1 1"), side("i12 2"), routes=routes).play(
        "travel i12-t1"
    )
    assert play.keys == ["p3"]


def test_the_owner_is_not_asked() -> None:
    """The owner of the Route cannot deny you taking this action."""
    play = foreign(fish=2).play("travel i12-t1")
    assert play.turn == 0
    assert play.play("p2").turn == 0
    assert play.can("t1-i12")


def test_you_cannot_travel_on_other_players_routes_where_you_have_a_ship_of_your_own() -> None:
    """It is a route of their own then: free, and no guide comes along."""
    play = foreign(routes="p1 p2 fish").play("travel i12-t1 stop")
    assert play.side(0).fish == 1
    assert play.members(1) == {"i12": 1}


def test_foreign_routes_can_be_travelled_with_two_players_too() -> None:
    play = position(side("i12 1", fish=1), side("i12 1"), routes={"i12-t1": "p2 fish"}).play(
        "travel i12-t1 p2"
    )
    assert play.members(1) == {"t1": 1}


def test_each_option_says_who_guides_and_for_what() -> None:
    play = foreign().play("travel")
    assert [play.fact("i12-t1", name) for name in ("guides", "fare", "of")] == [(1,), 1, "fish"]
    assert play.option("i12-t1").group == "from-i12" and play.option("i12-t1").spot == "i12-t1"


def test_a_long_list_of_steps_is_grouped_by_the_island_they_start_from() -> None:
    """At most 25 groups of at most 25, as a menu holds."""
    board = board_for(4)
    widest = sorted(board.islands, key=lambda island: -len(board.passages[island.number]))[:13]
    members = ", ".join(f"{island.code} 1" for island in widest)
    routes = {route.code: "p1 fish" for route in board.explorable}
    play = position(side(members, ships=0), side(), side(), side(), routes=routes).play("travel")
    play.play(play.keys[0])
    groups = Counter(option.group for option in play.decision.options)
    assert len(play.keys) > 40
    assert len(groups) <= 14
    assert max(groups.values()) <= 7
    assert "" not in groups


# Tokens


def test_the_first_player_to_reach_an_island_takes_its_token() -> None:
    """If you are the first player to reach one of those Islands with a Tribe Member, you take
    the Token.
    """
    play = position(side("i12 1"), side(), routes=FAR, tokens={"t1": "K09"}).play("travel i12-t1")
    assert play.side(0).tokens == ("K09",) and play.token("t1") == ""
    assert play.events_of(TokenTaken) == [TokenTaken(0, "t1", "turtle")]


def test_the_token_is_taken_by_the_active_player_even_on_anothers_route() -> None:
    play = position(
        side("i12 1", fish=1), side("i12 1"), routes={"i12-t1": "p2 fish"}, tokens={"t1": "K12"}
    ).play("travel i12-t1 p2")
    assert play.side(0).tokens == ("K12",)
    assert play.side(1).tokens == ()


def test_the_next_to_arrive_finds_nothing() -> None:
    play = position(side("i12 2"), side(), routes=FAR, tokens={"t1": "K12"}).play(
        "travel i12-t1 i12-t1 stop"
    )
    assert play.side(0).tokens == ("K12",)
    assert len(play.events_of(TokenTaken)) == 1


def test_a_ship_token_explores_a_new_route_for_free_with_any_resource() -> None:
    """Explore a Route at no cost; if new, take 1 Resource of your choice from the Reserve and
    place it next to it.
    """
    play = position(side("i12 1"), side(), routes=FAR, tokens={"t1": "K11"}, tides="1.3 2.4 3.7")
    play.play("travel i12-t1")
    assert play.kind == "explore_free" and play.can("skip")
    play.play("t1-d2 shell")
    assert play.route("t1-d2") == ((0,), "shell")
    assert play.side(0).ships == 15 - 3 - 1
    assert play.side(0).fish == 0
    assert play.side(0).shells == 0
    assert play.side(0).tokens == ()
    assert play.events_of(RouteExplored) == [RouteExplored(0, "t1-d2", "shell", 0, is_free=True)]


def test_a_ship_token_on_an_existing_route_pays_nobody() -> None:
    """If it's an existing Route, you don't have to pay any Resources to the other players
    present on it.
    """
    routes = {**FAR, "t1-d2": "p2 p3 fish"}
    play = position(side("i12 1", fish=9), side(), side(), routes=routes, tokens={"t1": "K11"})
    play.play("travel i12-t1 t1-d2")
    assert play.kind == "move_member"
    assert play.route("t1-d2") == ((0, 1, 2), "fish")
    assert [play.side(seat).fish for seat in range(3)] == [9, 0, 0]


def test_a_ship_token_cannot_explore_an_existing_route_with_two_players() -> None:
    routes = {**FAR, "t1-d2": "p2 fish"}
    play = position(side("i12 1"), side(), routes=routes, tokens={"t1": "K11"}).play(
        "travel i12-t1"
    )
    assert not play.can("t1-d2") and play.can("d2-t6")


def test_after_the_ship_token_the_travel_goes_on_also_over_the_new_route() -> None:
    play = position(side("i12 1"), side(), routes=FAR, tokens={"t1": "K11"})
    play.play("travel i12-t1 t1-d2 shell t1-d2 stop")
    assert play.members(0) == {"d2": 1} and play.turn == 1


def test_a_travel_with_a_token_on_the_way_is_drafted_and_undone_step_by_step() -> None:
    """A token picked up on the way is public and known, so it may be undone too."""
    match = new_match(
        "polynesia", 2, {"first": "1", "tide1": "1.3", "tide2": "2.4", "tide3": "3.7"}
    )
    base = position(side("i12 1"), side(), routes=FAR, tokens={"t1": "K11"}).state
    seat, stood = Seat(0), []
    match = replace(match, base=base)
    for key in ("travel", "i12-t1", "t1-d2", "shell", "t1-d2"):
        stood.append(match)
        (decision,) = match.decisions(seat)
        match = match.pick(Answer(seat, decision.kind, (key,)))
    assert match.view(seat).last.path == ("i12-t1", "t1-d2")
    assert match.view(seat).last.routes == ("t1-d2",)
    assert match.view(None).last is None and match.base is base
    for before in reversed(stood):
        match = match.undo(seat)
        assert match == before and match.draft(seat) == before.draft(seat)
    assert GAME.questions(match.tip(seat))[0].kind == "take_action"
