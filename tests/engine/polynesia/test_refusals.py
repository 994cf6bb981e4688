"""Why something is not possible in a turn: a true sentence of the rulebook for each case."""

import pytest

from engine.polynesia.exploring import can_explore, find_price, open_routes, payable_with
from engine.polynesia.travelling import can_travel, find_guides, is_foreign
from tests.engine.polynesia.table import Play, position, side
from tests.engine.refusals import Refusal, refusals


def test_exploring_needs_a_ship() -> None:
    assert (
        position(side(fish=9, ships=0), side()).why_not("explore")
        == "You have no ships left to explore with."
    )


def test_exploring_needs_enough_of_a_type() -> None:
    poor = side(fish=2, shells=1)
    expected = "You can't pay for any route with 2 fish and 1 shell: a new one costs 3 of one type"
    existing = {"i12-t1": "p2 p3 fish"}
    three = position(poor, side(), side(), routes=existing)
    assert three.why_not("explore") == f"{expected}, an existing one 2 of its type to each owner."
    assert position(poor, side(), side()).why_not("explore") == f"{expected}."


def test_with_two_players_no_price_of_an_existing_route_is_quoted() -> None:
    play = position(side(fish=2, shells=1), side(), routes={"i12-t1": "p2 fish"})
    expected = "You can't pay for any route with 2 fish and 1 shell: a new one costs 3 of one type."
    assert play.why_not("explore") == expected


def test_where_only_existing_routes_are_left_their_price_alone_is_quoted() -> None:
    new = [route.code for route in position(side(), side(), side()).state.board.explorable]
    play = position(side(fish=1, shells=1), side(), side(), routes=dict.fromkeys(new, "p2 fish"))
    expected = (
        "You can't pay for any route with 1 fish and 1 shell: an existing one costs "
        "2 of its type to each owner."
    )
    assert play.why_not("explore") == expected


def test_travelling_needs_a_member_where_a_route_is_open() -> None:
    assert (
        position(side("i12 1"), side())
        .why_not("travel")
        .startswith("None of your members can travel. They need an orange route")
    )


def test_populating_needs_a_member_at_home() -> None:
    expected = "You have no members left on your board."
    assert position(side(home=0), side()).why_not("populate") == expected


def test_the_action_comes_first() -> None:
    play = position(side(), side())
    expected = "Choose an action first: explore, travel, populate or fish."
    assert play.why_not("m-n1") == play.why_not("m") == expected


ORANGE = "M-N1 is an orange route: everyone may use it, and nobody explores it."


def exploring(**routes: str) -> Play:
    """Return a match in which seat 0 of three explores with 3 fish and 1 shell."""
    routes_by_code = {code.replace("_", "-"): owners for code, owners in routes.items()}
    return position(
        side(fish=3, shells=1), side(), side(), routes=routes_by_code, tides="1.1 2.4 3.7"
    ).play("explore")


def test_neutral_routes_are_explored_by_nobody() -> None:
    assert exploring().why_not("m-n1") == ORANGE


def test_nobody_has_two_ships_on_a_route() -> None:
    assert exploring(i12_t1="p1 fish").why_not("i12-t1") == "You already have a ship on I12-T1."


def test_with_two_players_nobody_explores_an_existing_route() -> None:
    play = position(side(fish=9), side(), routes={"i12-t1": "p2 fish"}).play("explore")
    expected = "Ben has a ship on I12-T1, and with two players you can only explore new routes."
    assert play.why_not("i12-t1") == expected


def test_an_existing_route_costs_2_of_its_type_to_each_owner() -> None:
    play = exploring(i12_t1="p2 p3 fish", n2_i12="p2 shell")
    assert (
        play.why_not("i12-t1")
        == "I12-T1 costs 4 fish, 2 for each ship on it (Ben and Cem), and you have 3."
    )
    assert (
        play.why_not("n2-i12")
        == "N2-I12 costs 2 shells, 2 for each ship on it (Ben), and you have 1."
    )


def test_a_first_route_to_an_archipelago_costs_double_with_card_1_1() -> None:
    expected = (
        "T1-C2 costs 6 of one type (double, as the first route to its archipelago), "
        "and you have 3 fish and 1 shell."
    )
    assert exploring().why_not("t1-c2") == expected


def test_a_new_route_costs_the_marker_s_number() -> None:
    play = position(side(fish=2, shells=1), side(), side(), routes={"i12-t1": "p2 fish"}).play(
        "explore"
    )
    assert play.why_not("n2-i12") == "N2-I12 costs 3 of one type, and you have 2 fish and 1 shell."


def test_a_route_is_one_of_the_map_and_has_one_name() -> None:
    assert exploring().why_not("m-t1") == "There's no route between M and T1."
    assert exploring().why_not("t1-i12") == "That route is called I12-T1."
    assert exploring().why_not("i12").startswith("Name a route by both its islands, like ")


def test_a_new_route_is_paid_with_one_type() -> None:
    play = exploring().play("i12-t1")
    assert play.kind == "pay_route"
    assert play.why_not("shell") == "That costs 3 shells, and you have 1."


def test_a_ship_token_too_finds_neutral_and_own_routes_closed() -> None:
    play = position(
        side("i12 1"), side(), side(), routes={"i12-t1": "p1 fish"}, tokens={"t1": "K11"}
    )
    play = play.play("travel i12-t1")
    assert play.kind == "explore_free"
    assert play.why_not("m-n1") == ORANGE
    assert play.why_not("i12-t1") == "You already have a ship on I12-T1."


def test_one_member_joins_an_island_with_a_member_of_its_seat() -> None:
    play = position(side("m 5"), side()).play("populate")
    expected = "You have no member on I12, and you can only add one where you have one already."
    assert play.why_not("i12") == expected
    assert play.why_not("skip").startswith(
        "You chose to populate, so at least one member must come"
    )


def test_three_cannot_come_where_one_is_left() -> None:
    play = position(side("m 5, i12 1", home=1), side()).play("populate")
    expected = (
        "You have only one member left on your board: choose M to bring it to the Main Island."
    )
    assert play.why_not("m3") == expected


def test_an_additional_member_costs_3_of_a_type() -> None:
    play = position(side(fish=3, shells=2), side(), tides="1.3 2.4 3.3").play("populate m")
    assert play.kind == "add_member"
    assert play.why_not("shell") == "That costs 3 shells, and you have 2."


def test_a_member_travels_from_where_it_stands() -> None:
    play = position(side("m 5"), side(), routes={"i12-t1": "p1 fish"}).play("travel")
    assert play.why_not("i12-t1") == "You have no member on I12."
    assert play.why_not("m-t1") == "There's no route between M and T1."
    assert play.why_not("m").startswith(
        "Name a step by the island you leave and the one you go to, like M-"
    )


def test_a_travel_goes_over_explored_routes() -> None:
    play = position(side("m 5, n2 1"), side()).play("travel")
    assert play.why_not("n2-i12") == "Nobody has explored N2-I12 yet: there's no ship on it."


def test_a_foreign_route_needs_a_guide_of_its_owner() -> None:
    play = position(
        side("m 1, i12 1", fish=1), side("m 1"), side(), routes={"i12-t1": "p2 fish"}
    ).play("travel")
    expected = "I12-T1 belongs to Ben: you need one of their members on I12 as a guide."
    assert play.why_not("i12-t1") == expected


def test_a_guide_costs_1_of_the_route_s_type() -> None:
    routes = {"i12-t1": "p2 fish"}
    play = position(side("m 1, i12 1", shells=9), side("i12 1"), side(), routes=routes).play(
        "travel"
    )
    assert play.why_not("i12-t1") == "A guide costs 1 fish, and you have 0."


def test_at_least_one_step_is_made() -> None:
    play = position(side("m 5"), side()).play("travel")
    assert play.why_not("stop") == "Travel at least one step before you stop."


def test_a_guide_is_an_owner_with_a_member_there() -> None:
    sides = (side("i12 1", fish=2), side("i12 1"), side("i12 1"), side("m 1"))
    play = position(*sides, routes={"i12-t1": "p2 p3 p4 fish"}).play("travel i12-t1")
    assert play.kind == "hire_guide" and play.keys == ["p2", "p3"]
    assert play.why_not("p4") == "Dov has no member on I12 to guide you."
    assert play.why_not("p1") == "Ana has no ship on I12-T1, so can't guide you."
    assert (
        play.why_not("mask")
        == "Masks don't open routes in this match: Tide card 2.2 isn't in play."
    )
    play = position(*sides, routes={"i12-t1": "p2 p3 p4 fish"}, tides="1.3 2.2 3.7").play(
        "travel i12-t1"
    )
    assert play.why_not("mask") == "You have no mask."


@pytest.mark.parametrize("key", ["zz", "", "p9", "p", "i12-", "-"])
def test_an_unknown_option_has_no_refusal(key: str) -> None:
    play = position(side(fish=9), side(), side(), routes={"i12-t1": "p2 fish"})
    assert play.why_not(key) == ""
    assert play.play("explore").why_not(key) == ""


def test_a_way_lies_nearer_to_where_it_starts() -> None:
    play = position(side(), side())
    places = play.game.places(play.view)
    assert {*play.state.board.island, *play.state.board.passage} == set(places)
    assert places["m-n1"] != places["n1-m"]


def is_true(refusal: Refusal) -> bool:
    """Return whether the named rule really forbids the answer."""
    state = refusal.state
    seat = refusal.decision.seat
    key = refusal.key
    facts = refusal.facts
    side, board = state.sides[seat], state.board
    route = board.route.get(key)
    passage = board.passage.get(key)
    match refusal.reason:
        case "action_first":
            return refusal.decision.kind == "take_action"
        case "no_ship":
            return side.ships == 0
        case "all_explored":
            return side.ships > 0 and not list(open_routes(state, seat))
        case "no_route_to_pay":
            routes = list(open_routes(state, seat))
            new = [find_price(state, route) for route in routes if not state.owners(route)]
            quoted = facts["value"] == min(new, default=0) and bool(facts["existing"]) == (
                len(new) < len(routes)
            )
            return bool(routes) and not can_explore(state, seat) and quoted
        case "nobody_can_travel":
            return not can_travel(state, seat)
        case "nobody_at_home":
            return side.home == 0
        case "other_name":
            return route is None and board.passage[key].route.code == facts["name"]
        case "both_ends" | "start_and_goal":
            return key in board.island and facts["way"] in board.passage
        case "neutral":
            return board.route[key].neutral
        case "own_ship":
            return seat in state.owners(board.route[key])
        case "two_players":
            return len(state.sides) == 2 and facts["owner"] in state.owners(board.route[key])
        case "dear_new" | "dear_existing":
            assert route is not None
            is_new = refusal.reason == "dear_new"
            return (
                bool(state.owners(route)) != is_new
                and facts["price"] == find_price(state, route)
                and not payable_with(state, seat, route)
            )
        case "cannot_pay":
            return facts["held"] == side.count_resource(key) < facts["price"]
        case "one_at_home":
            return key == "m3" and side.home == 1
        case "no_member":
            return side.members[board.island[key].number] == 0
        case "nobody_there":
            return (
                board.passage[key].start.code == facts["spot"]
                and not side.members[passage.start.number]
            )
        case "unexplored":
            return not state.owners(passage.route) and not passage.route.neutral
        case "no_guide":
            is_there = [
                state.sides[owner].members[passage.start.number]
                for owner in state.owners(passage.route)
            ]
            return is_foreign(state, seat, passage) and not any(is_there)
        case "dear_guide":
            is_foreign_route = passage is None or (
                is_foreign(state, seat, passage) and not find_guides(state, seat, passage)
            )
            return is_foreign_route and side.count_resource(facts["of"]) < facts["price"]
        case "at_least_one_step":
            return not state.agenda[-1].started
        case "not_an_owner":
            return facts["owner"] not in state.owners(board.route[facts["route"]])
        case "not_there":
            return state.sides[facts["owner"]].members[board.island[facts["spot"]].number] == 0
        case "no_mask" | "no_mask_card":
            return side.count("mask") == 0 or "2.2" not in state.tides
    return False


@pytest.mark.parametrize(
    ("seats", "tides"), [(2, "1.1 2.1 3.3"), (3, "1.2 2.2 3.1"), (4, "1.1 2.3 3.2")]
)
def test_every_refusal_in_random_matches_is_true(seats: int, tides: str) -> None:
    settings = dict(zip(("tide1", "tide2", "tide3"), tides.split(), strict=True))
    reasons_seen = set()
    for seed in range(3):
        for refusal in refusals("polynesia", seats, settings, f"true {seed}"):
            assert is_true(refusal), refusal
            reasons_seen.add(refusal.reason)
    assert reasons_seen >= {
        "neutral",
        "own_ship",
        "nobody_there",
        "unexplored",
        "no_member",
        "at_least_one_step",
    }
