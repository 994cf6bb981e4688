"""A test for each ruling of the rules help, made where the rulebook is silent."""

from engine.core.words import words_of
from engine.polynesia import GAME
from engine.polynesia.events import MaskUsed, MemberMoved, PointsTaken, StartPassed, TokenTaken
from engine.polynesia.scoring import count_archipelagos
from tests.engine.polynesia.table import Play, erupting, position, side

OWN = {"i6-a1": "p1 fish", "a1-a2": "p1 fish"}


def test_populate_with_fewer_than_3_left_brings_all_that_are_left() -> None:
    play = position(side("m 11"), side()).play("populate")
    assert play.fact("m3", "count") == 2
    assert play.play("m3").members(0) == {"m": 13}


def test_a_full_board_gives_0_points() -> None:
    assert erupting(side("m 13"), side()).state.rows[0].space == 0


def test_one_member_may_be_added_to_main() -> None:
    assert position(side(), side()).play("populate m").members(0) == {"m": 6}
    assert position(side("t6 5"), side()).play("populate").keys == ["m3", "t6"]


def test_travel_needs_at_least_one_step_and_the_rest_may_be_forfeited() -> None:
    play = position(side(), side()).play("travel")
    assert not play.can("stop")
    assert play.play("m-n1").can("stop") and play.play("stop").turn == 1


def test_travel_ends_by_itself_when_no_step_is_left() -> None:
    routes = {"i12-t1": "p2 fish"}
    play = position(side("i12 1", fish=1), side("i12 1"), routes=routes).play("travel i12-t1 p2")
    assert play.turn == 1


def test_members_may_travel_back_to_main_and_be_guided_there() -> None:
    assert position(side("n2 1"), side()).play("travel n2-m stop").members(0) == {"m": 1}
    play = position(side("i12 1", fish=1), side("i12 1"), routes={"n2-i12": "p2 fish"}).play(
        "travel i12-n2 p2 stop"
    )
    assert play.members(1) == {"n2": 1}


def test_on_arrival_payment_then_card_3_1_then_1_2_then_the_token() -> None:
    play = position(
        side("i6 1", fish=1),
        side("i6 1"),
        side(),
        tides="1.2 2.4 3.1",
        routes={"i6-a1": "p2 fish"},
        tokens={"a1": "K06"},
    ).play("travel i6-a1 p2")
    assert play.table.events == [
        MemberMoved(0, "i6", "a1", 1, "fish"),
        PointsTaken(0, 1, "3.1"),
        PointsTaken(1, 1, "3.1"),
        PointsTaken(0, 1, "1.2"),
        TokenTaken(0, "a1", "fish"),
    ]
    assert play.side(0).points == 2
    assert play.side(1).points == 1
    assert play.side(0).tokens == ("K06",)


def test_the_guide_takes_neither_the_token_nor_that_of_card_1_2() -> None:
    play = position(
        side("i6 1", fish=1),
        side("i6 1"),
        tides="1.2 2.4 3.7",
        routes={"i6-a1": "p2 fish"},
        tokens={"a1": "K01"},
    ).play("travel i6-a1 p2")
    assert play.side(1).points == 0
    assert play.side(1).tokens == ()
    assert play.side(0).tokens == ("K01",)


def shipped(ships: int = 10, tides: str = "1.3 2.4 3.7", seats: int = 2, **given: object) -> Play:
    """Return a match in which seat 0 has just reached the ship token on T1."""
    routes = {"i12-t1": "p1 fish", **given.pop("routes", {})}  # type: ignore[dict-item]
    first = side("i12 1", ships=ships, **given)
    others = [side() for _ in range(seats - 1)]
    play = position(first, *others, tides=tides, routes=routes, tokens={"t1": "K11"})
    return play.play("travel i12-t1")


def test_the_ship_token_is_optional() -> None:
    play = shipped().play("skip")
    assert play.kind == "move_member"
    assert play.side(0).ships == 10
    assert play.side(0).tokens == ()


def test_the_ship_token_is_lost_without_a_ship_in_stock() -> None:
    play = shipped(ships=0)
    assert play.kind == "move_member" and play.token("t1") == ""


def test_the_ship_token_is_lost_without_a_route_for_it() -> None:
    board = shipped().state.board
    taken = {route.code: "p2 fish" for route in board.explorable if route.code != "i12-t1"}
    play = shipped(routes=taken)
    assert play.kind == "move_member"


def test_card_1_1_a_first_route_by_ship_token_is_free_and_grants_populate() -> None:
    play = shipped(tides="1.1 2.4 3.7").play("t1-c2 fish")
    assert play.kind == "populate_now"
    assert play.side(0).fish == 0
    assert play.side(0).shells == 0
    assert play.keys == ["m3", "t1", "skip"]
    assert play.play("t1").members(0) == {"t1": 2}
    assert play.kind == "move_member"


def test_card_1_1_counts_a_route_by_ship_token_as_the_first() -> None:
    play = shipped(tides="1.1 2.4 3.7").play("t1-c2 fish skip")
    assert play.state.is_linked("C") and not play.state.is_linked("D")


def test_card_1_1_counts_the_inner_route_of_an_archipelago() -> None:
    play = position(side(fish=6), side(), tides="1.1 2.4 3.7").play("explore")
    assert play.fact("a1-a2", "paid") == 6


def test_card_1_1_never_doubles_existing_routes() -> None:
    routes = {"i6-a1": "p2 fish"}
    play = position(side(fish=6), side(), side(), tides="1.1 2.4 3.7", routes=routes).play(
        "explore"
    )
    assert play.fact("i6-a1", "paid") == 2 and play.play("i6-a1").turn == 1


def test_card_1_1_needs_twice_the_value_of_one_type() -> None:
    play = position(side(fish=3, shells=3), side(), tides="1.1 2.4 3.7").play("explore")
    assert not play.can("i6-a1")
    assert play.can("n1-i6")
    assert len(play.keys) == 13


def test_card_1_1_asks_nobody_who_has_no_member_at_home() -> None:
    play = position(side("m 13", fish=6), side(), tides="1.1 2.4 3.7").play("explore i6-a1 fish")
    assert play.turn == 1


def test_cards_1_2_and_3_1_share_the_ten_point_tokens() -> None:
    play = position(side(), side(), side(), tides="1.2 2.4 3.1")
    assert play.view.pool == 6
    assert sum(a.point for a in play.view.archipelagos) == 4


def test_cards_1_3_and_1_4_give_the_full_set_instead_of_the_single_points() -> None:
    every = "a1 1, a2 1, b1 1, b2 1, c1 1, c2 1, d1 1, d2 1"
    assert erupting(side(every), side(), tides="1.3 2.4 3.7").state.rows[0].tide1 == 5
    play = erupting(side(every), side(), tides="1.4 2.4 3.7")
    assert play.state.rows[0].tide1 == 10
    assert count_archipelagos(play.state.board, play.side(0), both=True) == 4


def test_card_2_2_the_mask_spends_a_movement_point_and_gives_no_points_of_3_1() -> None:
    routes = {"i12-t1": "p2 p3 fish"}
    given = side("i12 1", tokens="K01")
    play = position(given, side(), side(), tides="1.3 2.2 3.1", routes=routes, marker=1).play(
        "travel i12-t1 mask"
    )
    assert play.turn == 1
    assert [play.side(seat).points for seat in range(3)] == [0, 0, 0]
    assert [play.side(seat).fish for seat in range(3)] == [0, 0, 0]
    assert play.view.pool == 10


def test_card_2_2_one_mask_is_one_step() -> None:
    routes = {"i12-t1": "p2 fish", "t1-c2": "p2 fish"}
    play = position(side("i12 1", tokens="K01"), side(), tides="1.3 2.2 3.7", routes=routes).play(
        "travel i12-t1 mask"
    )
    assert play.turn == 1 and play.members(0) == {"t1": 1}


def test_card_2_2_a_mask_got_on_the_way_may_be_spent_at_the_next_step() -> None:
    routes = {"i6-a1": "p1 fish", "a1-a2": "p2 shell"}
    play = position(side("i6 1"), side(), tides="1.3 2.2 3.7", routes=routes, tokens={"a1": "K01"})
    play.play("travel i6-a1")
    assert play.can("a1-a2") and play.fact("a1-a2", "mask")
    assert play.play("a1-a2 mask").members(0) == {"a2": 1}
    assert play.side(0).tokens == ()


def test_card_2_2_masks_left_at_the_end_are_worth_nothing() -> None:
    assert erupting(side(tokens="K01 K02"), side(), tides="1.3 2.2 3.7").state.rows[0].tide2 == 0


def test_card_2_3_without_members_at_home_discards_the_mask_for_nothing() -> None:
    play = position(
        side("i6 13"), side(), tides="1.3 2.3 3.7", routes=OWN, tokens={"a1": "K01"}
    ).play("travel i6-a1 stop")
    assert play.members(0) == {"i6": 12, "a1": 1}
    assert play.side(0).tokens == ()
    assert play.events_of(MaskUsed) == [MaskUsed(0, "a1", "nothing")]


def test_card_2_3_is_no_populate_action_for_card_3_3() -> None:
    play = position(
        side("i6 1", fish=9), side(), tides="1.3 2.3 3.3", routes=OWN, tokens={"a1": "K01"}
    ).play("travel i6-a1")
    assert play.kind == "move_member" and play.members(0) == {"a1": 2}


def test_card_3_1_counts_each_step() -> None:
    routes = {"i12-t1": "p2 fish", "t1-c2": "p2 fish"}
    play = position(
        side("i12 1", fish=2), side("i12 1"), side(), tides="1.3 2.4 3.1", routes=routes
    )
    assert play.play("travel i12-t1 p2 t1-c2 p2").side(0).points == 2


def test_an_empty_reserve_of_point_tokens_is_reported() -> None:
    routes = {"i12-t1": "p2 fish"}
    play = position(
        side("i12 1", fish=2), side("i12 1"), side(), tides="1.3 2.4 3.1", routes=routes, pool=1
    )
    play.play("travel i12-t1 p2")
    assert play.events_of(PointsTaken) == [
        PointsTaken(0, 1, "3.1"),
        PointsTaken(1, 0, "3.1", missed=1),
    ]
    event = play.events_of(PointsTaken)[1]
    (line,) = words_of("polynesia").event_lines(event, ("Ana", "Bea", "Cem"))
    assert line == "Bea got no Point token from Tide card 3.1: none left."


def test_card_3_2_counts_the_ships_already_there_and_applies_to_ship_tokens_too() -> None:
    play = shipped(tides="1.3 2.4 3.2", seats=3, routes={"t1-d2": "p2 p3 shell"}).play("t1-d2")
    assert play.side(0).points == 2
    assert play.events_of(PointsTaken) == [PointsTaken(0, 2, "3.2")]


def test_card_3_3_once_with_each_populate_that_of_card_1_1_included() -> None:
    play = position(side(fish=12), side(), tides="1.1 2.4 3.3", marker=1).play(
        "explore i6-a1 fish m3"
    )
    assert play.kind == "add_member" and play.play("fish").turn == 1
    assert play.members(0) == {"m": 9}
    assert play.side(0).fish == 12 - 2 - 3


def test_card_3_4_a_tie_for_the_most_leaves_the_next_the_second_place() -> None:
    rows = erupting(side("t6 2"), side("t6 2"), side("t6 1"), tides="1.4 2.4 3.4").state.rows
    assert [row.tide3 for row in rows] == [2, 2, 2]


def test_cards_3_6_and_3_8_destroyed_islands_give_nothing_and_tokens_do() -> None:
    play = erupting(side("n1 1"), side(tokens="K06"), tides="1.4 2.4 3.6")
    assert [s.fish for s in play.state.sides] == [0, 1]
    assert [row.tide3 for row in play.state.rows] == [0, 4]


def test_nobody_scores_a_most_where_all_have_none() -> None:
    for card in ("3.6", "3.7", "3.8"):
        assert [
            row.tide3 for row in erupting(side(), side(), tides=f"1.4 2.4 {card}").state.rows
        ] == [0, 0]


def test_ships_beside_destroyed_islands_count_for_3_7() -> None:
    rows = erupting(side(), side(), tides="1.4 2.4 3.7", routes={"n2-i12": "p2 fish"}).state.rows
    assert [row.tide3 for row in rows] == [0, 3]


def test_the_mask_marked_4_counts_as_one_mask() -> None:
    rows = erupting(side(tokens="K04"), side(), side(), side(), tides="1.4 2.4 3.7").state.rows
    assert rows[0].tide2 == -1


def test_the_tie_break_counts_islands_after_the_destruction() -> None:
    outcome = GAME.outcome(erupting(side("t1 2, n1 1, n2 1"), side("t2 2, m 2")).state)
    assert outcome is not None
    assert outcome.tiebreak == ((("islands", 1),),) * 2
    assert outcome.ranking == ((0, 1),)


def test_the_decline_is_not_asked_when_nobody_has_anything() -> None:
    play = position(side(), side(), marker=1, turn=1, stones="grey").play("travel m-n1")
    assert play.kind == "take_action"
    assert play.view.round == 2
    assert play.events_of(StartPassed) == [StartPassed(1, 2)]
    assert play.side(1).fish == 1
