"""The exploration phase, sentence by sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import IllegalAnswer
from engine.blue_lagoon import GAME
from engine.blue_lagoon.events import Cleared, Collected, PhaseEnded, Scored, Settled, Skipped
from tests.engine.blue_lagoon.table import BOARD, new_play, position, side

SEA = [place.code for place in BOARD.places if not place.island]


def test_play_proceeds_clockwise() -> None:
    """Play proceeds clockwise: by seat number, then from the first again."""
    play = new_play(3, first="2")
    turns = []
    for key in ("1", "2", "3", "4"):
        turns.append(play.turn)
        play.place(key)
    assert turns == [1, 2, 0, 1]


def test_a_player_must_place_one_piece() -> None:
    """On a turn, a player must place one piece: exactly one, and there is no pass."""
    decision = new_play().decision
    assert (decision.at_least, decision.at_most) == (1, 1)
    assert decision.ending() is None
    play = new_play().place("17")
    assert play.view.sides[0].settlers_left == 29
    assert len(play.view.pieces) == 1


def test_a_boat_may_go_to_any_unoccupied_sea_space_without_adjacency() -> None:
    """Place one Settler, boat-side up, on any unoccupied sea space. No adjacency required."""
    play = new_play()
    assert play.keys == SEA
    play.place("17", "1")
    assert [key for key in play.keys if key in SEA] == [
        code for code in SEA if code not in ("1", "17")
    ]


def test_villages_cannot_be_placed_in_the_sea() -> None:
    """Villages cannot be placed in the sea."""
    play = new_play().place("17", "1")
    assert not {f"{code}v" for code in SEA} & set(play.keys)
    with pytest.raises(IllegalAnswer):
        play.place("18v")


def test_a_settler_or_village_may_go_ashore_beside_a_boat() -> None:
    """The space must be adjacent to a piece the player previously placed, on land or sea: here a
    boat.
    """
    ashore = [key for key in new_play().place("17", "1").keys if key not in SEA]
    assert ashore == ["b10", "b10v", "b11", "b11v", "h1", "h1v"]


def test_a_settler_or_village_may_go_beside_a_settler_on_land() -> None:
    """The space must be adjacent to a piece the player previously placed: here a settler."""
    play = position(side("c9"), side("1"))
    assert [key for key in play.keys if key not in SEA] == ["c6", "c8", "c11"]
    play = position(side("c9", villages_left=1), side("1"))
    assert [key for key in play.keys if key not in SEA] == ["c6", "c6v", "c8", "c8v", "c11", "c11v"]


def test_a_settler_or_village_may_go_beside_a_village() -> None:
    """The space must be adjacent to a piece the player previously placed: here a village."""
    assert [key for key in position(side("c9v"), side("1")).keys if key not in SEA] == [
        "c6",
        "c8",
        "c11",
    ]


def test_pieces_of_others_give_no_adjacency() -> None:
    """A piece the player previously placed: another player's is none."""
    assert [key for key in position(side("1"), side("c9")).keys if key not in SEA] == [
        "a4",
        "b1",
        "a9",
    ]


def test_land_away_from_every_own_piece_is_refused() -> None:
    """The space must be adjacent to a piece the player previously placed."""
    with pytest.raises(IllegalAnswer):
        new_play().place("17", "1", "a1")


@pytest.mark.parametrize("taken", ["17", "b10", "b10v"])
def test_an_occupied_space_cannot_be_used_again(taken: str) -> None:
    """On an unoccupied space: any player's piece occupies it."""
    keys = position(side("18 16", villages_left=5), side(f"{taken} 1")).keys
    assert not {taken, taken.removesuffix("v"), f"{taken.removesuffix('v')}v"} & set(keys)


def test_a_space_with_an_item_is_unoccupied_and_the_item_is_collected_at_once() -> None:
    """Unoccupied even if it contains a Resource or Statuette; the player collects it
    immediately.
    """
    play = position(side("17"), side("1"), items={"water": "b10", "stone": "c11"})
    play.place("b10")
    assert play.view.sides[0].held == (0, 0, 1, 0, 0)
    assert ("b10", "water") not in play.view.items
    assert play.events == [Settled(0, "b10", "settler", "water", 1), Collected(0, "b10", "water")]


def test_a_village_collects_too() -> None:
    """When placing a piece on a space with a Resource or Statuette: a village is a piece."""
    play = position(
        side("17", villages_left=1), side("1"), items={"statuette": "b10", "stone": "c11"}
    )
    play.place("b10v")
    assert play.view.sides[0].held == (0, 0, 0, 0, 1)
    assert play.view.sides[0].villages_left == 0
    assert play.view.sides[0].settlers_left == 10


def test_a_placement_without_an_item_collects_nothing() -> None:
    """Only a space with an item gives one."""
    play = new_play().place("17")
    assert play.events_of(Collected) == []
    assert play.events_of(Settled) == [Settled(0, "17", "boat")]


def test_collected_items_are_open_to_everyone() -> None:
    """All collected items are kept visible (open information)."""
    play = position(side("17"), side("1", held=(1, 2, 0, 0, 3)))
    views = [GAME.view(play.state, viewer) for viewer in (None, 0, 1)]
    assert [view.sides[1].held for view in views] == [(1, 2, 0, 0, 3)] * 3


def test_a_settler_may_stand_on_a_stone_circle() -> None:
    """FAQ: yes, as long as it is unoccupied and placement rules are followed; you collect the
    item on it.
    """
    play = new_play().place("1", "2", "b1")
    assert ("b1", 0, "settler") in [(p.spot, p.seat, p.piece) for p in play.view.pieces]
    assert sum(play.view.sides[0].held) == 1


def test_the_phase_ends_when_all_resources_have_been_collected() -> None:
    """The phase ends when all Resources have been collected, at once after that placement."""
    play = position(side("17 b11v"), side("1"), items={"water": "b10"})
    play.place("b10")
    assert PhaseEnded("exploration", "resources_collected") in play.events
    assert len(play.events_of(Scored)) == 1


def test_statuettes_remaining_do_not_prevent_the_end() -> None:
    """Statuettes remaining on the board do not prevent the phase from ending."""
    play = position(side("17"), side("1"), items={"water": "b10", "statuette": "a1 f1"})
    play.place("b10")
    assert PhaseEnded("exploration", "resources_collected") in play.events


def test_one_resource_of_any_kind_keeps_the_phase_going() -> None:
    """All Resources: coconuts, bamboo, water and precious stones alike."""
    for item in ("coconut", "bamboo", "water", "stone"):
        play = position(side("17"), side("1"), items={"statuette": "b10", item: "c11"})
        assert not play.place("b10").events_of(PhaseEnded)


def test_the_phase_ends_when_all_players_have_placed_all_pieces() -> None:
    """The phase ends when all players have placed all of their Settlers and Villages."""
    play = position(side("17", settlers_left=1), side("1", settlers_left=1))
    play.place("2")
    assert not play.events_of(PhaseEnded)
    play.place("3")
    assert PhaseEnded("exploration", "nobody_can_place") in play.events


def test_a_player_who_cannot_place_is_skipped() -> None:
    """Ruling: a player who cannot place is skipped, and within a phase stays stuck: it is told
    once.
    """
    play = position(side("17"), side("1", settlers_left=0), side("2"))
    play.place("4", "5", "6")
    assert [event.seat for event in play.events if isinstance(event, Settled)] == [0, 2, 0]
    assert play.events_of(Skipped) == [Skipped(1)]


def test_a_village_alone_cannot_be_placed_without_a_land_space_beside() -> None:
    """Ruling: without a legal placement a seat is skipped, though it has pieces left."""
    stranded = side("21", settlers_left=0, villages_left=3)
    assert position(side("17 g11 g15"), stranded, side("2")).place("4").turn == 1
    assert position(side("17 g11 g15"), stranded, side("2 h1")).place("4").turn == 2


def test_a_seat_with_only_villages_left_places_them_ashore() -> None:
    """Option 2 is open to villages when the settlers are gone."""
    play = position(side("17"), side("18", settlers_left=0, villages_left=1), turn=1)
    assert play.keys == ["b11v", "h1v", "h2v"]


def test_a_seat_that_is_alone_goes_on_alone() -> None:
    """Ruling: the others are skipped; a placement is asked even if it is the same seat's again."""
    play = position(side("17"), side("1", settlers_left=0))
    assert play.place("4", "5", "6").turn == 0


def test_nobody_able_to_place_ends_the_phase_with_pieces_left() -> None:
    """Ruling: the phase ends when no player has a legal placement, which contains 'all pieces
    placed'.
    """
    sea_but_one = " ".join(code for code in SEA if code not in ("46", "1"))
    others = side(sea_but_one, settlers_left=0)
    play = position(side("1", settlers_left=1, villages_left=2), others)
    ashore = position(side("1", settlers_left=1, villages_left=0), others)
    play.place("46")
    ashore.place("46")
    assert not play.events_of(PhaseEnded)
    assert PhaseEnded("exploration", "nobody_can_place") in ashore.events


def test_if_both_end_conditions_hold_collected_resources_are_named() -> None:
    """Ruling B1: both ends of a phase come with the same placement: resources_collected goes
    first.
    """
    play = position(side("17", settlers_left=1), side("1", settlers_left=0), items={"water": "b10"})
    play.place("b10")
    assert play.events_of(PhaseEnded)[0] == PhaseEnded("exploration", "resources_collected")


def test_nobody_gets_another_turn_when_the_phase_ends() -> None:
    """Ruling B3: at once; nobody gets a turn more."""
    play = position(side("17"), side("1 b11v"), side("2"), items={"water": "b10"})
    play.place("b10")
    assert play.view.phase == "settlement"
    assert [event.seat for event in play.events if isinstance(event, Settled)] == [0]


def test_villages_on_stone_circles_are_removed_after_this_phase() -> None:
    """Villages placed on stone circle spaces will be removed after this phase."""
    play = position(side("17 b11v a9v"), side("1 f1v"), items={"water": "b10"})
    play.place("b10")
    assert [(p.spot, p.piece) for p in play.view.pieces] == [("b11", "village")]
    assert play.events_of(Cleared) == [Cleared(("a9", "f1"))]
