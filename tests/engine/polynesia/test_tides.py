"""The 18 Tide cards, one by one."""

import pytest

from engine.polynesia.events import Gathered, MaskSpent, MaskUsed, PointsTaken, Populated
from tests.engine.polynesia.table import Play, erupting, position, side

ALL_8 = "a1 1, a2 1, b1 1, b2 1, c1 1, c2 1, d1 1, d2 1"


def tide(play: Play, number: int) -> list[int]:
    """Return what a Tide card gives each seat."""
    return [getattr(row, f"tide{number}") for row in play.state.rows]


# Type 1: archipelagos


def test_1_1_the_first_route_to_an_archipelago_costs_double_and_lets_the_player_populate() -> None:
    """The first route that connects to an Archipelago costs twice as much; the player can
    Populate immediately.
    """
    play = position(side(fish=6, shells=5), side(), tides="1.1 2.4 3.7", marker=3).play("explore")
    assert play.fact("i6-a1", "paid") == 6 and play.fact("n1-i5", "paid") == 3
    play.play("i6-a1")
    assert play.keys == ["fish"]
    play.play("fish")
    assert play.side(0).fish == 0
    assert play.route("i6-a1") == ((0,), "fish")
    assert play.kind == "populate_now" and play.keys == ["m3", "m", "skip"]
    play.play("m3")
    assert play.members(0) == {"m": 8} and play.turn == 1


def test_1_1_applies_once_to_each_archipelago() -> None:
    routes = {"i6-a1": "p2 fish"}
    play = position(side(fish=4), side(), tides="1.1 2.4 3.7", routes=routes, marker=2).play(
        "explore"
    )
    assert play.fact("a1-a2", "paid") == 2
    assert play.fact("b1-b2", "paid") == 4
    assert play.play("a1-a2 fish").turn == 1
    other = position(side(fish=4), side(), tides="1.1 2.4 3.7", routes=routes, marker=2).play(
        "explore b1-b2 fish"
    )
    assert other.kind == "populate_now"
    assert other.play("skip").members(0) == {"m": 5}


def test_1_2_the_first_to_reach_an_archipelago_gains_its_point_token() -> None:
    """The first player to get one of their Tribe Members to an Archipelago gains a Point Token,
    for each of them.
    """
    routes = {"i6-a1": "p1 fish", "a1-a2": "p1 fish"}
    play = position(side("i6 2"), side(), tides="1.2 2.4 3.7", routes=routes).play(
        "travel i6-a1 a1-a2 i6-a1"
    )
    assert play.side(0).points == 1
    assert play.events_of(PointsTaken) == [PointsTaken(0, 1, "1.2")]
    assert [(a.letter, a.point) for a in play.view.archipelagos] == [
        ("A", False),
        ("B", True),
        ("C", True),
        ("D", True),
    ]
    assert play.view.pool == 6


def test_1_2_later_arrivals_get_nothing() -> None:
    routes = {"i6-a1": "p1 fish"}
    play = position(side("i6 1"), side("a1 1"), tides="1.2 2.4 3.7", routes=routes, taken="A").play(
        "travel i6-a1 stop"
    )
    assert play.side(0).points == 0


@pytest.mark.parametrize(
    ("members", "points"),
    [
        ("t6 1", 0),
        ("a1 1, a2 1", 1),
        ("a1 1, b2 1", 2),
        ("a1 1, b2 1, c1 1", 3),
        ("a2 1, b2 1, c1 1, d1 1", 5),
    ],
)
def test_1_3_a_point_for_each_archipelago_and_5_for_all(members: str, points: int) -> None:
    assert tide(erupting(side(members), side(), tides="1.3 2.4 3.7"), 1)[0] == points


@pytest.mark.parametrize(
    ("members", "points"),
    [
        ("a1 1, b1 1, c1 1, d1 1", 0),
        ("a1 2, a2 1", 2),
        ("a1 1, a2 1, b1 1, b2 1, c1 1, c2 1, d1 1", 6),
        (ALL_8, 10),
    ],
)
def test_1_4_two_points_for_each_archipelago_held_whole_and_10_for_all(
    members: str, points: int
) -> None:
    assert tide(erupting(side(members), side(), tides="1.4 2.4 3.7"), 1)[0] == points


# Type 2: masks


def masked(card: str, *others: object, home: int = 12, fish: int = 0, three: str = "3.7") -> Play:
    """Return a match in which seat 0 takes a mask on A1."""
    first = side("i6 1", home=home, fish=fish)
    routes = {"i6-a1": "p1 fish"}
    play = position(
        first,
        *(others or (side(),)),
        tides=f"1.3 {card} {three}",
        routes=routes,
        tokens={"a1": "K02"},
    )
    return play.play("travel i6-a1")


def test_2_1_a_mask_takes_2_resources_of_a_type_and_is_discarded() -> None:
    """Choose a Resource type and take 2 of that type, or make all others lose 2 of it.

    The Mask is then discarded.
    """
    play = masked("2.1", side(fish=3))
    assert play.kind == "use_mask"
    assert play.keys == [
        "take-fish",
        "take-shell",
        "lose-fish",
        "lose-shell",
    ]
    play.play("take-shell")
    assert play.side(0).shells == 2
    assert play.side(0).tokens == ()
    assert play.side(1).fish == 3
    assert play.kind == "move_member"
    assert play.events_of(MaskUsed) == [MaskUsed(0, "a1", "take", "shell")]


def test_2_1_a_mask_makes_all_others_lose_2_resources_of_a_type() -> None:
    play = masked("2.1", side(fish=3, shells=1), side(fish=1), fish=5).play("lose-fish")
    assert [play.side(seat).fish for seat in range(3)] == [5, 1, 0]
    assert play.side(1).shells == 1
    assert play.events_of(MaskUsed) == [MaskUsed(0, "a1", "lose", "fish", (0, 2, 1))]


def test_2_2_a_mask_is_discarded_to_travel_on_anothers_route_without_cost_or_guide() -> None:
    """Discard a Mask in order to travel on another player's route as if it were their own."""
    play = position(
        side("i12 1", tokens="K01 K03"), side(), tides="1.3 2.2 3.7", routes={"i12-t1": "p2 fish"}
    )
    play.play("travel i12-t1")
    assert play.kind == "hire_guide" and play.keys == ["mask"]
    play.play("mask")
    assert play.members(0) == {"t1": 1}
    assert play.side(0).tokens == ("K03",)
    assert play.events_of(MaskSpent) == [MaskSpent(0)]
    assert play.side(1).fish == 0 and play.can("t1-i12")


def test_2_2_a_guide_may_be_hired_all_the_same() -> None:
    play = position(
        side("i12 1", tokens="K01", fish=1),
        side("i12 1"),
        tides="1.3 2.2 3.7",
        routes={"i12-t1": "p2 fish"},
    ).play("travel i12-t1")
    assert play.keys == ["p2", "mask"]


def test_without_2_2_masks_open_no_routes() -> None:
    play = position(side("i12 1", tokens="K01"), side(), routes={"i12-t1": "p2 fish"})
    assert not play.can("travel")


def test_2_3_a_member_from_the_board_joins_where_the_mask_was_got() -> None:
    """They must immediately place a Tribe Member from their Board on the Island.

    The Mask is then discarded.
    """
    play = masked("2.3")
    assert play.members(0) == {"a1": 2}
    assert play.side(0).home == 11
    assert play.side(0).tokens == ()
    assert play.events_of(MaskUsed) == [MaskUsed(0, "a1", "join")]


@pytest.mark.parametrize(
    ("tokens", "points"),
    [("", 0), ("K01", -1), ("K01 K02", 2), ("K01 K02 K03", 5), ("K01 K02 K03 K04", 5)],
)
def test_2_4_masks_are_worth_minus_1_2_or_5(tokens: str, points: int) -> None:
    four = [side()] * 3
    assert tide(erupting(side(tokens=tokens), *four, tides="1.3 2.4 3.7"), 2)[0] == points


def test_2_5_masks_times_archipelagos() -> None:
    play = erupting(
        side("a1 1, a2 1, b1 1, m 1", tokens="K01 K02 K03"), side("c1 1"), tides="1.4 2.5 3.7"
    )
    assert tide(play, 2) == [6, 0]


def test_2_6_a_player_without_masks_loses_2_points() -> None:
    assert tide(
        erupting(side(tokens="K01"), side(tokens="K06"), side(), tides="1.4 2.6 3.7"), 2
    ) == [0, -2, -2]


# Type 3: general


def met(pool: int | None = None, tides: str = "1.3 2.4 3.1") -> Play:
    """Return a match in which seat 0 may travel twice on seat 1's route."""
    return position(
        side("i12 2", fish=3),
        side("i12 2"),
        side(),
        tides=tides,
        routes={"i12-t1": "p2 fish"},
        pool=pool,
    )


def test_3_1_traveller_and_owner_gain_a_point_token_each_time() -> None:
    """Every time a player travels on another player's route, they both gain 1 Point Token."""
    play = met().play("travel i12-t1 p2 i12-t1 p2 stop")
    assert [play.side(seat).points for seat in range(3)] == [2, 2, 0]
    assert play.view.pool == 6


def test_3_1_is_applied_until_the_tokens_run_out_the_traveller_first() -> None:
    play = met(pool=1).play("travel i12-t1 p2 i12-t1 p2 stop")
    assert [play.side(seat).points for seat in range(2)] == [1, 0]
    assert play.view.pool == 0


def test_3_1_own_and_neutral_routes_give_nothing() -> None:
    play = position(side("m 1"), side(), side(), tides="1.3 2.4 3.1").play("travel m-n2 stop")
    assert play.side(0).points == 0


def test_3_2_exploring_an_existing_route_gains_a_token_for_each_ship_on_it() -> None:
    """Every time a player explores an existing route, they gain 1 Point Token for each Ship
    present on that route.
    """
    routes = {"n2-i12": "p2 p3 fish"}
    play = position(side(fish=4), side(), side(), tides="1.3 2.4 3.2", routes=routes).play(
        "explore n2-i12"
    )
    assert play.side(0).points == 2
    assert play.view.pool == 8
    assert play.events_of(PointsTaken) == [PointsTaken(0, 2, "3.2")]
    short = position(side(fish=4), side(), side(), tides="1.3 2.4 3.2", routes=routes, pool=1).play(
        "explore n2-i12"
    )
    assert short.side(0).points == 1 and short.view.pool == 0
    new = position(side(fish=4), side(), side(), tides="1.3 2.4 3.2").play("explore n2-i12 fish")
    assert new.side(0).points == 0


def test_3_3_a_populate_action_may_add_a_member_to_main_for_3_resources_of_a_type() -> None:
    """They may pay 3 Resources of the same type to place an additional Tribe Member on the Main
    Island.
    """
    play = position(side("m 4, t6 1", fish=3, shells=4), side(), tides="1.3 2.4 3.3").play(
        "populate t6"
    )
    assert play.kind == "add_member" and play.keys == ["fish", "shell", "skip"]
    play.play("shell")
    assert play.members(0) == {"m": 5, "t6": 2}
    assert play.side(0).fish == 3
    assert play.side(0).shells == 1
    assert play.events_of(Populated) == [Populated(0, "t6", 1), Populated(0, "m", 1, 3, "shell")]
    assert play.turn == 1


def test_3_3_is_asked_only_if_payable_and_a_member_is_left() -> None:
    assert (
        position(side(fish=2, shells=2), side(), tides="1.3 2.4 3.3").play("populate m3").turn == 1
    )
    assert position(side("m 12", fish=3), side(), tides="1.3 2.4 3.3").play("populate m").turn == 1
    one = position(side(fish=3, shells=2), side(), tides="1.3 2.4 3.3").play("populate m3")
    assert one.keys == ["fish", "skip"]


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 2, 1, 0), (3, 2, 0, 0)),
        ((2, 2, 1, 0), (2, 2, 2, 0)),
        ((2, 2, 1, 1), (2, 2, 2, 2)),
        ((3, 1, 1, 0), (3, 2, 2, 0)),
        ((1, 0, 0, 0), (3, 0, 0, 0)),
        ((1, 1, 1, 1), (2, 2, 2, 2)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("island", ["t1", "t6"])
def test_3_4_most_members_on_a_turtle_island_3_second_2_ties_2_each(
    counts: tuple[int, ...], points: tuple[int, ...], island: str
) -> None:
    """The majority gains 3 points (tied 2 each), the second 2 (tied 2 each), on each Island with
    turtles.
    """
    play = erupting(*(side(f"{island} {n}, i5 1") for n in counts), tides="1.4 2.4 3.4")
    assert tuple(tide(play, 3)) == points


def test_3_5_the_most_members_on_the_board_gain_3_and_a_tie_nothing() -> None:
    assert tide(erupting(side("t6 5"), side("t1 6"), side("t1 6"), tides="1.4 2.4 3.5"), 3) == [
        3,
        0,
        0,
    ]
    assert tide(erupting(side("t6 5"), side("t1 5"), side("t1 6"), tides="1.4 2.4 3.5"), 3) == [
        0,
        0,
        0,
    ]
    late = erupting(side("t6 5"), side("t1 1, m 10"), tides="1.4 2.4 3.5")
    assert tide(late, 3) == [0, 3]


@pytest.mark.parametrize(("card", "resource"), [("3.6", "fish"), ("3.8", "shell")])
def test_3_6_and_3_8_a_last_harvest_then_the_most_gain_4_or_3_each(
    card: str, resource: str
) -> None:
    """All players carry out the Resource Phase with one type only; the most gains 4 points, tied
    3 each.
    """
    island, name = ("i6", "fish") if resource == "fish" else ("i5", "shells")
    tides = f"1.4 2.4 {card}"
    play = erupting(
        side(**{name: 2}),
        side(f"{island} 1", **{name: 2}),
        side("n1 1, n3 1", **{name: 2}),
        tides=tides,
    )
    assert tide(play, 3) == [0, 4, 0]
    assert play.events_of(Gathered) == [Gathered(resource, (0, 1, 0))]
    assert [s.count_resource(resource) for s in play.state.sides] == [2, 3, 2]
    tied = erupting(side(**{name: 3}), side(f"{island} 1", **{name: 2}), side(), tides=tides)
    assert tide(tied, 3) == [3, 3, 0]
    other = "shells" if resource == "fish" else "fish"
    assert tide(erupting(side(**{other: 9}), side(**{name: 1}), tides=tides), 3) == [0, 4]


def test_3_7_the_most_ships_on_the_map_gain_3_tied_2_each() -> None:
    routes = {"n1-i5": "p1 fish", "t1-t6": "p1 p2 fish", "n2-i12": "p2 fish"}
    assert tide(erupting(side(), side(), side(), tides="1.4 2.4 3.7", routes=routes), 3) == [
        2,
        2,
        0,
    ]
    more = {**routes, "n2-i13": "p2 shell"}
    assert tide(erupting(side(), side(), side(), tides="1.4 2.4 3.7", routes=more), 3) == [0, 3, 0]
