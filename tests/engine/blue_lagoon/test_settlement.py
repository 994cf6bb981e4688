"""Preparing the settlement, and the settlement itself, sentence by sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

from collections import Counter

import pytest

from engine import GAMES, Answer, IllegalAnswer, Seat, Table, begin
from engine.blue_lagoon import GAME
from engine.blue_lagoon.events import Dealt, Opened, PhaseEnded, Scored, Settled, Skipped
from engine.blue_lagoon.state import SETTLEMENT
from tests.engine.blue_lagoon.hunter import hunt
from tests.engine.blue_lagoon.table import BOARD, Play, position, scored_before, side

LAST = {"water": "b10"}
"""One resource is left: taking b10 ends the phase."""


def after_exploration(*sides: object, turn: int = 0) -> Play:
    """Return a match in which settlement was just prepared; the last placement was on b10."""
    return position(*sides, items=LAST, turn=turn).place("b10")


def settling(*sides: object, **given: object) -> Play:
    """Return a match in the settlement phase."""
    return scored_before(position(*sides, phase=SETTLEMENT, **given), *[10] * len(sides))


def test_all_settlers_go_back_to_their_owners() -> None:
    """Remove all Settlers from the board and return them to their owners: the full 30, 25 or 20
    again.
    """
    for seats, settlers in ((2, 30), (3, 25), (4, 20)):
        spots = ("17 b11v", "1 a4v", "3", "8")
        play = after_exploration(*(side(spot, settlers_left=seats) for spot in spots[:seats]))
        assert {piece.piece for piece in play.view.pieces} == {"village"}
        assert {s.settlers_left for s in play.view.sides} == {settlers}


def test_villages_on_stone_circles_are_discarded_and_others_stay() -> None:
    """Remove and discard all Villages on stone circle spaces; leave Villages on other land
    spaces.
    """
    play = after_exploration(side("17 b11v a9v"), side("1 a4v b1v"))
    assert [(p.spot, p.seat) for p in play.view.pieces] == [("a4", 1), ("b11", 0)]
    assert [s.villages_left for s in play.view.sides] == [0, 0]


def test_all_items_go_back_and_all_32_are_dealt_again() -> None:
    """Collect all remaining items from board and players; randomly draw and place one on each
    stone circle.
    """
    play = after_exploration(side("17 b11v", held=(3, 1, 0, 0, 2)), side("1", held=(0, 4, 4, 1, 0)))
    assert {s.held for s in play.view.sides} == {(0, 0, 0, 0, 0)}
    assert Counter(item for _, item in play.view.items) == {
        "coconut": 6,
        "bamboo": 6,
        "water": 6,
        "stone": 6,
        "statuette": 8,
    }
    assert play.events_of(Dealt) == [Dealt("settlement", play.view.items)]


def test_circles_unused_in_the_first_phase_get_items_too() -> None:
    """FAQ: all 32 stone circle spaces get a randomly drawn item, even if some were not used in
    the first phase.
    """
    play = position(side("17 b11v"), side("1"), items={"water": "b10", "statuette": "a1"}).place(
        "b10"
    )
    assert [spot for spot, _ in play.view.items] == [
        place.code for place in BOARD.places if place.circle
    ]


def test_the_second_deal_is_drawn_when_it_happens() -> None:
    """Randomly draw: after the same end of exploration, different seeds deal different items."""
    state = position(side("17 b11v"), side("1"), items=LAST).state
    answer = Answer(Seat(0), "place_piece", ("b10",))
    taken = GAME.apply(state, answer, lambda event: None)
    assert len({GAME.advance(taken, Table(str(seed))).items for seed in range(6)}) == 6


def test_unused_villages_are_discarded() -> None:
    """Discard any unused Villages to the box (and FAQ: they are not used in the Settlement
    Phase).
    """
    play = after_exploration(side("17 b11v", villages_left=4), side("1 a4v", villages_left=5))
    assert [s.villages_left for s in play.view.sides] == [0, 0]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_the_player_to_the_left_of_the_last_player_takes_the_first_turn(last: int) -> None:
    """The player to the left of the last player in the Exploration Phase takes the first turn."""
    sides = [side("a4v"), side("e2v"), side("h1v")]
    sides[last] = side(("a4v", "e2v", "h1v")[last] + " 17")
    play = after_exploration(*sides, turn=last)
    assert play.turn == (last + 1) % 3
    assert play.events[-1] == Opened("settlement", Seat((last + 1) % 3))


def test_the_opener_is_the_next_who_can_place() -> None:
    """Ruling: the next in order after the last placement, skipping anyone who cannot place."""
    play = after_exploration(side("17 b11v"), side("1"), side("2 h1v"))
    assert play.turn == 2
    assert play.events_of(Skipped) == [Skipped(Seat(1))]


def test_only_settlers_are_placed() -> None:
    """Players take turns placing only Settlers (Villages are no longer used)."""
    play = after_exploration(side("17 b11v", villages_left=4), side("1 a4v"))
    assert not [key for key in play.keys if key.endswith("v")]
    with pytest.raises(IllegalAnswer):
        play.place("a3v")


def test_in_settlement_a_boat_needs_a_piece_of_its_seat_beside_it() -> None:
    """Only allowed if the sea space is adjacent to one of your existing pieces (Settler or
    Village).
    """
    play = settling(side("b11v"), side("a4v"))
    assert [key for key in play.keys if not BOARD.by_code[key].island] == ["14", "17", "18"]
    with pytest.raises(IllegalAnswer):
        play.place("1")


def test_a_land_settler_needs_a_piece_of_its_seat_beside_it() -> None:
    """Only allowed if the land space is adjacent to one of your existing pieces (Settler or
    Village).
    """
    play = settling(side("b11v"), side("a4v"))
    assert [key for key in play.keys if BOARD.by_code[key].island] == ["b8", "b9", "b10"]


def test_settlers_and_boats_of_this_phase_count_for_adjacency() -> None:
    """FAQ: adjacent to one of your pieces, including sea Settlers or land Settlers placed
    earlier in this phase.
    """
    play = settling(side("b11v"), side("a4v")).place("17", "1")
    assert set(play.keys) >= {"16", "21", "h1"}
    play.place("b9", "3")
    assert "b6" in play.keys


def test_pieces_of_the_exploration_that_were_removed_give_no_adjacency() -> None:
    """Settlers are off the board."""
    play = after_exploration(side("17 b11v"), side("1 a4v 46"))
    assert not {"44", "c10", "h20"} & set(play.keys)


def test_placing_on_an_item_collects_it() -> None:
    """Placing on a Resource or Statuette allows you to collect it."""
    play = settling(side("b11v"), side("a4v"), items={"stone": "b10", "water": "c11"}).place("b10")
    assert play.view.sides[0].held == (0, 0, 0, 1, 0)


def test_a_player_with_no_village_left_cannot_place_at_all() -> None:
    """Ruling: a player with no village left cannot place in the settlement phase at all."""
    play = after_exploration(side("17 b11v"), side("1"))
    for _ in range(4):
        assert play.turn == 0
        play.place(play.keys[0])


def test_the_phase_ends_when_all_resources_have_been_collected() -> None:
    """The phase ends when all Resources have been collected; the match with it."""
    play = settling(side("b11v"), side("a4v"), items={"stone": "b10", "statuette": "a1"}).place(
        "b10"
    )
    assert play.is_over()
    assert PhaseEnded("settlement", "resources_collected") in play.events
    assert GAME.outcome(play.state).reason == "resources_collected"


def test_the_phase_ends_when_all_players_have_placed_all_settlers() -> None:
    """The phase ends when all players have placed all of their Settlers."""
    play = settling(side("b11v", settlers_left=1), side("a4v", settlers_left=1)).place("17")
    assert not play.is_over()
    play.place("1")
    assert GAME.outcome(play.state).reason == "nobody_can_place"


def test_the_phase_ends_when_nobody_can_reach_a_free_space() -> None:
    """Ruling: the phase ends when no player has a legal placement."""
    play = settling(side("c11v"), side("c8 c10 a4v", settlers_left=0), items={"water": "a1"}).place(
        "c9"
    )
    assert play.turn == 0
    play.place("c6")
    assert not play.is_over()
    shut = settling(
        side("c11v"), side("c8 c10 c6 a4v", settlers_left=0), items={"water": "a1"}
    ).place("c9")
    assert shut.is_over()


def test_standing_villages_count_in_the_settlement() -> None:
    """Ruling: villages standing count for adjacency, islands, links and majorities."""
    play = settling(side("b11v"), side("a4v"), items={"stone": "b10"}).place("b10")
    row, other = play.view.rows[-1]
    assert (row.links, row.majorities) == (5, 6)
    assert (other.links, other.majorities) == (5, 6)


def test_nobody_able_to_place_ends_the_match_with_the_settlement_scored_at_once() -> None:
    """Ruling: nobody can place when the settlement begins: it is scored at once and the game
    ends.
    """
    play = after_exploration(side("17"), side("1 f1v"))
    assert play.is_over()
    assert PhaseEnded("settlement", "no_settlement") in play.events
    assert [event.phase for event in play.events_of(Scored)] == ["exploration", "settlement"]
    assert [row.total for row in play.view.rows[1]] == [0, 0]
    assert GAME.outcome(play.state).reason == "no_settlement"


def test_a_match_played_without_villages_ends_with_no_settlement() -> None:
    """Ruling: without any village standing the settlement cannot begin; from the set-up to the
    end by public means.
    """
    for seats in (2, 3, 4):
        match = begin(GAMES["blue_lagoon"], seats, {}, "no villages")
        while match.outcome is None:
            match = hunt(match)
        assert match.outcome.reason == "no_settlement"
        assert not [
            event
            for event in match.events
            if isinstance(event, Settled) and event.piece == "village"
        ]


def test_the_last_spot_is_forgotten_when_the_board_is_cleared() -> None:
    """The last move is marked; what was removed is not."""
    play = after_exploration(side("17 b11v"), side("1 a4v"))
    assert (play.view.last, play.view.move) == ("", 0)
    play.place("1")
    assert (play.view.last, play.view.move) == ("1", 1)
    assert isinstance(play.events[-1], Settled)
