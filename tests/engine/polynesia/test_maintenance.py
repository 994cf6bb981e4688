"""The Maintenance Phase and the end of the game, sentence by sentence.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import Answer, Table
from engine.polynesia import GAME
from engine.polynesia.events import Declined, Erupted, Gathered, Scored, StartPassed, StoneDrawn
from engine.polynesia.maintenance import DrawStone
from engine.polynesia.steps import EndTurn
from tests.engine.polynesia.table import Play, erupting, new_play, position, side


def last_action(*sides: object, **given: object) -> Play:
    """Return a match before the last action of a round, by seat 1; stones as given."""
    return position(*sides, marker=1, turn=len(sides) - 1, **given)


def drawing(stones: str, lava: str = "") -> Play:
    """Return a match after the last action of a round, with these stones drawn."""
    return last_action(side(fish=1), side(), stones=stones, lava=lava).play("fish")


# Volcano


def test_one_stone_is_drawn_and_placed_on_the_crater() -> None:
    """The Starting Player randomly draws 1 Lava Stone and places it on the Crater."""
    play = drawing("red")
    assert play.view.lava == ("red",)
    assert play.view.bag == (5, 3, 1)
    assert play.events_of(StoneDrawn) == [StoneDrawn("red", 1, 6)]


def test_a_grey_stone_does_nothing() -> None:
    play = drawing("grey", lava="red red")
    assert play.view.lava == ("red", "red", "grey") and play.kind == "decline"


def test_a_black_stone_brings_two_more() -> None:
    """Black: The Starting Player takes 2 additional Lava Stones from the Bag."""
    play = drawing("black grey red")
    assert play.view.lava == ("black", "grey", "red")
    assert play.view.bag == (5, 2, 0)


def test_a_red_stone_that_is_not_the_sixth_does_nothing() -> None:
    assert drawing("red", lava="red red red red").kind == "decline"


def test_the_sixth_red_stone_ends_the_game_immediately() -> None:
    """If it is the sixth Red Stone, the game ends immediately: no decline, no resources, the
    marker stays.
    """
    play = last_action(
        side("n1 1, t1 1", fish=5), side(), stones="red", lava="red red red red red", first=0
    ).play("fish")
    assert play.view.over
    assert GAME.questions(play.state) == ()
    assert play.view.marker == "volcano"
    assert not play.events_of(Declined)
    assert not play.events_of(Gathered)
    assert not play.events_of(StartPassed)
    assert play.side(0).fish == 5 and play.side(1).fish == 1


def test_a_black_stone_may_end_the_game_with_its_first_or_second_additional_stone() -> None:
    at_once = drawing("black red", lava="red red red red red")
    assert at_once.view.over and at_once.view.lava[-2:] == ("black", "red")
    second = drawing("black grey red", lava="red red red red red")
    assert second.view.over and second.view.bag == (0, 2, 0)


def test_stones_are_drawn_at_random_from_the_remaining_ones() -> None:
    state = last_action(side(), side(), lava="red red red red red black").play("travel").state
    colours = set()
    for seed in range(40):
        table = Table(str(seed))
        DrawStone().run(state, table)
        colours |= {event.colour for event in table.events if isinstance(event, StoneDrawn)}
    assert colours == {"red", "grey"}


def test_the_stone_waits_for_the_confirm_of_the_last_action() -> None:
    play = last_action(side(), side())
    (decision,) = GAME.questions(play.state)
    tip = GAME.apply(
        play.state, Answer(decision.seat, decision.kind, ("fish",)), lambda event: None
    )
    assert GAME.follows(tip) == "DrawStone" and tip.lava == ()
    earlier = position(side(), side())
    tip = GAME.apply(
        earlier.state, Answer(earlier.decision.seat, "take_action", ("fish",)), lambda event: None
    )
    assert GAME.follows(tip) == EndTurn.__name__


# Decline


def declining(*sides: object, first: int = 1) -> Play:
    """Return a match in which the starting seat is asked for the decline."""
    play = position(*sides, marker=1, turn=(first - 1) % len(sides), first=first, stones="grey")
    return play.play("shell")


def test_the_starting_player_chooses_a_resource_and_all_return_all_of_it() -> None:
    """The Starting Player chooses Fish or Shells, and all players, including themselves, must
    return all of it.
    """
    play = declining(side(fish=4, shells=1), side(fish=2, shells=3), side(fish=7))
    assert play.kind == "decline"
    assert play.turn == 1
    assert play.keys == ["fish", "shell"]
    play.play("fish")
    assert [play.side(seat).fish for seat in range(3)] == [0, 0, 0]
    assert [play.side(seat).shells for seat in range(3)] == [2, 3, 0]
    assert play.events_of(Declined) == [Declined(1, "fish", (4, 2, 7))]


def test_shells_can_be_declined_too() -> None:
    play = declining(side(fish=4, shells=1), side(fish=2, shells=3)).play("shell")
    assert [(play.side(seat).fish, play.side(seat).shells) for seat in (0, 1)] == [(4, 0), (2, 0)]


# Resources


def gathering(*sides: object) -> Play:
    """Return a match after a decline of what nobody has: resources were gathered."""
    return declining(*sides, first=0).play("shell")


def test_each_island_with_a_symbol_gives_1_resource_to_all_who_have_a_member_there() -> None:
    """Each Island with the fish symbol provides 1 Fish, with the shell symbol 1 Shell; presence
    counts, not number.
    """
    play = gathering(side("n1 3, i6 1, i5 2"), side("n1 1, i13 1, n3 1, i12 1"))
    assert [(play.side(seat).fish, play.side(seat).shells) for seat in (0, 1)] == [(2, 1), (2, 2)]
    assert play.events_of(Gathered) == [Gathered("fish", (2, 2)), Gathered("shell", (1, 2))]


def test_other_islands_give_nothing() -> None:
    """Islands with other symbols or without any symbols do not provide Resources."""
    play = gathering(side("m 1, n2 1, t1 1, t6 1, a1 1"), side("m 5"))
    assert [(play.side(seat).fish, play.side(seat).shells) for seat in (0, 1)] == [(0, 0), (0, 0)]


def test_fish_and_shell_tokens_give_1_more_in_this_phase() -> None:
    play = gathering(side(tokens="K06 K12 K13"), side(tokens="K07"))
    assert [(play.side(seat).fish, play.side(seat).shells) for seat in (0, 1)] == [(2, 1), (0, 1)]


# New starting player


def test_the_starting_player_token_goes_to_the_left_and_the_marker_back_to_3() -> None:
    play = declining(side(fish=1), side(), side(), first=2).play("fish")
    assert play.view.first == 0
    assert play.turn == 0
    assert play.view.marker == "3"
    assert play.view.round == 2
    assert play.events_of(StartPassed) == [StartPassed(0, 2)]


def test_rounds_follow_until_the_volcano_erupts() -> None:
    """5 to 9 rounds: as many stones as it takes for the sixth red one."""
    for stones, rounds in (
        ("black red red red red red red", 5),
        ("grey grey grey red red red red red red", 9),
    ):
        play = new_play(2, None)
        play.table.colours = stones.split()  # type: ignore[attr-defined]
        play.table.out = []  # type: ignore[attr-defined]
        while not play.view.over:
            play.play("fish")
        assert play.view.round == rounds


# The end


def test_main_and_the_three_closest_islands_are_destroyed_and_their_members_go_home() -> None:
    """All your Tribe Members who still remain on one of those Islands return to your Personal
    Board.
    """
    play = erupting(side("m 2, n1 1, n2 1, n3 1, i5 1"), side("t6 3"))
    assert play.members(0) == {"i5": 1}
    assert play.side(0).home == 12
    assert play.members(1) == {"t6": 3}
    assert play.side(1).home == 10
    assert play.events_of(Erupted) == [Erupted(("m", "n1", "n2", "n3"), (5, 0))]
    assert {i.spot for i in play.view.islands if i.destroyed} == {"m", "n1", "n2", "n3"}


@pytest.mark.parametrize(
    ("members", "space"),
    [
        ("t6 13", 7),
        ("t6 12, m 1", 6),
        ("t6 9, n1 4", 4),
        ("t6 5, n1 2", 2),
        ("t6 4, n3 9", 1),
        ("m 13", 0),
    ],
)
def test_returning_members_fill_the_row_2_to_7_and_then_0_to_2_from_right_to_left(
    members: str, space: int
) -> None:
    """Place them from right to left, starting with the first free Space in the Row 2 to 7; then
    the Row 0 to 2.
    """
    play = erupting(side(members), side())
    assert play.state.rows[0].space == space


def test_turtles_score_on_islands_with_at_least_one_member() -> None:
    """1 point for each turtle symbol on each Island where they have at least one Tribe Member."""
    play = erupting(side("t1 1, t2 4, t6 1"), side("t6 2, t5 1"))
    assert [row.turtles for row in play.state.rows] == [4, 3]


def test_turtle_tokens_and_point_tokens_score_1_each() -> None:
    play = erupting(side(tokens="K09 K10 K06", points=3), side(tokens="K01"))
    assert [(row.tokens, row.points) for row in play.state.rows] == [(2, 3), (0, 0)]


def test_the_points_are_all_kinds_added() -> None:
    play = erupting(
        side("t6 2, a1 1, i5 1", tokens="K09 K01", points=2), side("m 1"), tides="1.3 2.4 3.5"
    )
    row = play.state.rows[0]
    assert row.space == 1
    assert row.turtles == 2
    assert row.tokens == 1
    assert row.points == 2
    assert row.tide1 == 1
    assert row.tide2 == -1
    assert row.tide3 == 0
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.reason == "erupted"
    assert outcome.scores[0] == row.total == 6
    assert play.events_of(Scored) == [Scored(("1.3", "2.4", "3.5"), play.state.rows)]


def test_the_player_with_the_most_points_wins() -> None:
    outcome = GAME.outcome(
        erupting(side("t6 1"), side("t6 1, t1 1, t2 1"), side("t6 1, t3 1")).state
    )
    assert outcome is not None
    assert outcome.ranking == ((1,), (2,), (0,))


def test_a_tie_is_won_by_members_on_more_islands() -> None:
    """In the event of a tie, whoever has Tribe Members on the largest number of Islands wins the
    game.
    """
    outcome = GAME.outcome(erupting(side("t6 3, i5 1"), side("t1 1, t2 1, i5 1, i6 1, n1 3")).state)
    assert outcome is not None and outcome.scores[0] == outcome.scores[1]
    assert outcome.tiebreak == ((("islands", 2),), (("islands", 4),))
    assert outcome.ranking == (
        (1,),
        (0,),
    )


def test_if_the_tie_persists_the_victory_is_shared() -> None:
    outcome = GAME.outcome(erupting(side("t1 2"), side("t2 2"), side("i5 2")).state)
    assert outcome is not None and outcome.ranking == ((0, 1), (2,))


def test_the_score_so_far_is_that_of_an_eruption_now() -> None:
    given = (side("m 3, t6 2", fish=2), side("n1 2, i6 1", tokens="K06"))
    now = position(*given, tides="1.3 2.6 3.6").view
    then = erupting(*given, tides="1.3 2.6 3.6").view
    assert now.scores == then.scores
    assert now.now == then.rows
    assert now.rows == then.now == ()
