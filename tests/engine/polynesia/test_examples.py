"""The rulebook's example and the worked positions, number by number."""

import pytest

from engine.polynesia.board import space_value
from engine.polynesia.events import MemberMoved, PointsTaken, TokenTaken
from engine.polynesia.scoring import Row
from tests.engine.polynesia.table import Play, erupting, position, side

ALBERTO = side(
    "m 1, n2 1, t1 2, t2 1, t3 1, t6 2, a1 1, b1 1, c1 2",
    tokens="K01 K02 K06 K12 K13",
    points=1,
    fish=1,
    shells=2,
)
LAURA = side("m 4, t1 3", points=1)
TWO_MORE = (side(), side())


def example(tides: str) -> Play:
    """Return four seats just after the sixth red stone."""
    return erupting(ALBERTO, LAURA, *TWO_MORE, tides=tides, tokens={"t4": "K09", "t5": "K10"})


def test_the_rulebooks_example_gives_alberto_15_points() -> None:
    """4 for the free space, 5 turtles, 1 Point token, 3 archipelagos (card 1.3), 2 for two masks
    (card 2.4).
    """
    play = example("1.3 2.4 3.1")
    rows = play.state.rows
    assert rows[0] == Row(space=4, turtles=5, tokens=0, points=1, tide1=3, tide2=2, tide3=0)
    assert [row.total for row in rows] == [15, 3, 0, 0]
    assert rows[1] == Row(1, 1, 0, 1, 0, 0, 0)
    assert [s.home for s in play.state.sides] == [3, 10, 13, 13]


def test_the_same_position_with_other_cards_of_the_end() -> None:
    rows = example("1.4 2.5 3.4").state.rows
    assert [(row.tide1, row.tide2, row.tide3) for row in rows] == [
        (0, 6, 11),
        (0, 0, 3),
        (0, 0, 0),
        (0, 0, 0),
    ]


def test_the_same_position_where_two_tie_at_home() -> None:
    rows = example("1.2 2.6 3.5").state.rows
    assert [(row.tide1, row.tide2, row.tide3) for row in rows] == [
        (0, 0, 0),
        (0, -2, 0),
        (0, -2, 0),
        (0, -2, 0),
    ]


def three_steps() -> Play:
    """Return a match in which Alberto may travel on Laura's, his own, and a neutral route."""
    return position(
        side("m 4, i12 1", fish=2),
        side("m 4, i12 1", shells=1),
        side(),
        tides="1.3 2.4 3.1",
        routes={"i12-t1": "p2 fish", "t1-c2": "p1 shell"},
        tokens={"t1": "K12"},
    )


def test_a_travel_of_three_steps_over_a_foreign_route_one_s_own_and_a_neutral_one() -> None:
    """First he travels on Laura's Route, paying her 1 Fish; he takes the token; then on his own;
    then a neutral one.
    """
    play = three_steps().play("travel")
    assert play.keys == ["m-n1", "m-n2", "m-n3", "i12-t1"]
    play.play("i12-t1 p2")
    assert play.keys == ["m-n1", "m-n2", "m-n3", "t1-i12", "t1-c2", "stop"]
    play.play("t1-c2")
    assert play.keys == ["m-n1", "m-n2", "m-n3", "c2-t1", "stop"]
    play.play("m-n2")
    assert play.members(0) == {"m": 3, "n2": 1, "c2": 1}
    assert play.members(1) == {"m": 4, "t1": 1}
    assert play.side(0).fish == 1
    assert play.side(0).tokens == ("K12",)
    assert play.side(0).points == 1
    assert play.side(1).fish == 1
    assert play.side(1).tokens == ()
    assert play.side(1).points == 1
    assert play.state.pool == 8 and play.turn == 1
    assert play.events_of(MemberMoved)[0] == MemberMoved(0, "i12", "t1", 1, "fish")
    assert play.events_of(PointsTaken) == [PointsTaken(0, 1, "3.1"), PointsTaken(1, 1, "3.1")]
    assert play.events_of(TokenTaken) == [TokenTaken(0, "t1", "fish")]


@pytest.mark.parametrize(
    ("home", "value"),
    [
        (0, 7), (1, 6), (2, 5), (3, 4), (4, 4), (5, 3), (6, 3),
        (7, 2), (8, 2), (9, 1), (10, 1), (11, 0), (12, 0), (13, 0),
    ],
)  # fmt: skip
def test_the_free_space_by_members_at_home(home: int, value: int) -> None:
    assert space_value(home) == value


def test_the_explore_example() -> None:
    """Alberto pays 3 Shells, one stays at the Route; Laura pays him 2 Shells to explore it too."""
    play = position(side(shells=3), side(shells=3), side(), marker=3).play("explore n2-i12 shell")
    assert play.side(0).shells == 0
    assert play.route("n2-i12") == ((0,), "shell")
    play.play("explore n2-i12")
    assert play.side(0).shells == 2
    assert play.side(1).shells == 1
    assert play.route("n2-i12") == ((0, 1), "shell")
