"""The end of the game: last turns, the stalemate, the ranking."""

from itertools import chain, repeat

import pytest

from engine import Seat
from engine.maori import GAME, Reason
from engine.maori.events import IslandsRemoved, LastTurnsBegun, Scored
from tests.engine.maori.table import FULL, Play, position, side

NEARLY = " ".join(FULL.split()[:-1])


def filling(seats: int = 3, turn: int = 1) -> Play:
    """Return a match in which the seat to move can fill its board on T3."""
    sides = [side(fill=NEARLY) if seat == turn else side() for seat in range(seats)]
    return position(*sides, discoverer="16", turn=turn)


def test_the_game_ends_when_a_player_fills_their_board_and_each_other_had_one_more_turn() -> None:
    """The game ends when a player fills his board completely.

    Each other player takes one more turn.
    """
    play = filling().play("1,a,t3")
    assert not play.is_over()
    assert play.events_of(LastTurnsBegun) == [LastTurnsBegun(Seat(1), (Seat(2), Seat(0)))]
    order = []
    while not play.is_over():
        order.append(play.turn)
        assert play.view.phase == "last_turns"
        play.play(f"{play.keys[0]},nothing")
    assert order == [2, 0]
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.reason == Reason.BOARD_FILLED
    assert play.view.phase == "over"


def test_the_stored_tile_may_fill_the_board() -> None:
    play = position(side(fill=NEARLY, stored=80), side(), discoverer="16").play("1,stored,t3")
    assert play.events_of(LastTurnsBegun) == [LastTurnsBegun(Seat(0), (Seat(1),))]


def test_the_player_who_filled_the_board_has_no_further_turn() -> None:
    """Each other player takes one more turn."""
    play = filling(2, 0).play("1,a,t3")
    assert play.turn == 1
    play.play(f"{play.keys[0]},nothing")
    assert play.is_over()


def test_a_second_full_board_gives_nobody_another_turn() -> None:
    full = side(fill=NEARLY)
    play = position(full, full, side(), discoverer="16").play("1,a,t3")
    play.play("2,b,t3")
    assert len(play.events_of(LastTurnsBegun)) == 1
    assert play.turn == 2
    play.play("3,nothing")
    assert play.is_over()


def test_the_seats_whose_last_turn_is_to_come_are_known() -> None:
    play = filling(4, 1).play("1,a,t3")
    assert play.view.filled == 1
    assert play.view.to_come == (2, 3, 0)
    play.play("2,nothing")
    assert play.view.to_come == (3, 0)


def test_removing_a_tile_of_an_almost_full_board_keeps_the_game_going() -> None:
    play = filling().play("1,remove,q3")
    assert not play.events_of(LastTurnsBegun)
    assert play.view.phase == "play"


def test_on_the_atoll_the_ship_space_must_be_covered_too() -> None:
    """The space with the ship graphic within the atoll is considered an empty water space."""
    every = [f"{row}{column}" for row in "qrst" for column in range(1, 6)]
    almost = side(fill=" ".join(code for code in every if code != "s3"), board="atoll")
    play = position(almost, side(board="atoll"), board="atoll", discoverer="16").play("1,a")
    assert play.keys == ["s3", "store"]
    play.play("s3")
    assert play.events_of(LastTurnsBegun)


@pytest.mark.parametrize("seats", range(2, 6))
def test_two_full_rounds_of_nothing_end_the_match(seats: int) -> None:
    """Ruling: 2n `nothing` in a row, from any seat on, end the match."""
    play = position(*repeat(side(), seats), turn=1)
    for rest in range(2 * seats):
        assert not play.is_over()
        assert (play.view.idle, play.view.idle_limit) == (rest, 2 * seats)
        play.play(f"{play.keys[0]},nothing")
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    assert outcome.reason == Reason.STALLED


@pytest.mark.parametrize("act", ["{0},q4", "{0},store", "remove,q3", "stored,q5"])
def test_any_other_action_sets_the_count_to_nothing(act: str) -> None:
    """Ruling: any other action sets it to 0."""
    own = side("q3=79", stored=80 if "stored" in act else 0)
    play = position(own, own, discoverer="16")
    for _ in range(3):
        play.play(f"{play.keys[0]},nothing")
    assert play.view.idle == 3
    play.play(play.keys[0])
    play.play(act.format(play.keys[0]))
    assert play.view.idle == 0
    assert not play.is_over()


def test_a_nothing_that_was_the_only_choice_counts() -> None:
    """Ruling: a `nothing` that was the only choice counts."""
    play = position(side(), side(), matrix=[96, *repeat(0, 15)], supply=())
    for _ in range(4):
        play.play(play.keys[0])
        assert play.keys == ["nothing"]
        play.play("nothing")
    assert play.is_over()


def test_moving_the_small_ship_after_doing_nothing_is_still_nothing() -> None:
    own = side("q3=79 q4=80", ship="q3")
    play = position(own, own, rules="advanced")
    for target in ("q4", "q4", "q3", "q3"):
        play.play(f"{play.keys[0]},nothing,{target}")
    assert play.is_over()


def test_before_the_scoring_incomplete_islands_are_removed_from_the_boards() -> None:
    """The players remove all incomplete islands from their boards so that those fields become
    empty water again.
    """
    play = position(side("q3=22 r1=79 r2=17", ship="r2"), side(), rules="pro")
    for _ in range(4):
        play.play(f"{play.keys[0]},nothing")
    assert play.events_of(IslandsRemoved) == [IslandsRemoved(Seat(0), ("q3", "r2"))]
    own = play.view.sides[0]
    assert [(laid.spot, laid.tile) for laid in own.tiles] == [("r1", 79)]
    assert [(laid.spot, laid.tile) for laid in own.removed] == [("q3", 22), ("r2", 17)]
    assert (own.empty, own.ships, own.ship) == (15, 2, "")


def test_every_seat_is_scored_and_nothing_more_is_asked() -> None:
    play = position(side("q3=1"), side())
    for _ in range(4):
        play.play(f"{play.keys[0]},nothing")
    assert play.events_of(Scored) == [
        Scored(Seat(0), 1, 0, 0, 2, 5, -15, -7),
        Scored(Seat(1), 0, 0, 0, 2, 5, -16, -9),
    ]
    assert GAME.questions(play.state) == ()
    assert play.view.rows == GAME.view(play.state, Seat(0)).rows
    assert play.view.now == ()
    assert play.view.to_move == ()


def ended(*sides: tuple[str, int]) -> Play:
    """Return a match with these tiles and shells, ended by a stalemate."""
    play = position(*(side(tiles, shells=shells) for tiles, shells in sides))
    for _ in chain(sides, sides):
        play.play(f"{play.keys[0]},nothing")
    return play


def ranking(play: Play) -> tuple[tuple[int, ...], ...]:
    outcome = GAME.outcome(play.state)
    assert outcome is not None
    return tuple(tuple(int(seat) for seat in place) for place in outcome.ranking)


def test_the_player_with_most_points_wins() -> None:
    """The player with most points is winner of the game."""
    assert ranking(ended(("q3=1", 3), ("q3=1 q4=2", 3), ("", 3))) == ((1,), (0,), (2,))


def test_among_those_tied_the_most_shells_win() -> None:
    """If players tie with the most points, the player among those tied with the most shells wins
    (MA-5).
    """
    more = ended(("q3=79 q4=80 q5=81 r1=82", 0), ("", 4))
    outcome = GAME.outcome(more.state)
    assert outcome is not None
    assert outcome.scores == (-10, -10)
    assert outcome.tiebreak == ((("shells", 0),), (("shells", 4),))
    assert outcome.ranking == ((1,), (0,))


def test_equal_points_and_shells_share_the_victory() -> None:
    """Ruling: further tie: shared victory (MA-5)."""
    assert ranking(ended(("q3=1", 3), ("q3=2", 3))) == ((0, 1),)
    assert ranking(ended(("q3=79", 3), ("q3=1", 3), ("q3=2", 3))) == ((1, 2), (0,))
