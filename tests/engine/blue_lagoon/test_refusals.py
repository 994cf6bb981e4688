"""Why a piece cannot be placed somewhere: a true sentence of the rulebook for each case."""

import pytest

from engine.blue_lagoon.state import SETTLEMENT
from tests.engine.blue_lagoon.table import BOARD, new_play, position, side
from tests.engine.refusals import Refusal, refusals


def test_a_space_of_another_player_is_taken_by_that_player() -> None:
    play = new_play().place("17", "1")
    assert play.why_not("1") == "Ben already has a piece on 1. Choose a free space."
    play.place("b10")
    expected = "Ana already has a piece on B10. Choose a free space."
    assert play.why_not("b10") == play.why_not("b10v") == expected


def test_a_space_with_your_own_piece_is_occupied_too() -> None:
    play = new_play().place("17", "1")
    assert play.why_not("17") == "You already have a piece on 17. Choose a free space."


def test_on_land_a_piece_goes_beside_a_piece_of_its_seat() -> None:
    play = new_play().place("17", "1")
    assert play.why_not("g9") == play.why_not("g9v")
    assert play.why_not("g9").startswith("G9 isn't next to one of your pieces, and on land")


def test_villages_are_never_placed_at_sea() -> None:
    expected = "18 is sea, and villages only go on land. You can place a boat there instead."
    assert new_play().why_not("18v") == expected


def test_a_player_without_villages_is_told_so() -> None:
    play = position(side("c9", villages_left=0), side("1"))
    assert play.why_not("c6v") == "You have no villages left. Place a settler there instead."


def test_a_player_without_settlers_is_told_so() -> None:
    play = position(side("c9", settlers_left=0, villages_left=1), side("1"))
    assert (
        play.why_not("c6")
        == play.why_not("30")
        == "You have no settlers left, and boats are settlers too. Place a village."
    )


def test_in_the_settlement_villages_are_not_placed() -> None:
    play = position(side("c9v"), side("1"), phase=SETTLEMENT)
    expected = "In the settlement you only place settlers and boats, so leave the village out."
    assert play.why_not("c6v") == expected


def test_in_the_settlement_boats_too_go_beside_a_piece_of_their_seat() -> None:
    play = position(side("c9v"), side("1"), phase=SETTLEMENT)
    assert "30" not in play.keys
    beside = "isn't next to one of your pieces"
    assert play.why_not("30").startswith(f"30 {beside}. In the settlement")
    assert play.why_not("a1").startswith(f"A1 {beside}, and on land")


@pytest.mark.parametrize("key", ["17", "b10", "b10v"])
def test_legal_options_have_no_refusal(key: str) -> None:
    play = new_play().place("30", "1").place("17", "2")
    assert (key in play.keys) == (play.why_not(key) == "")


@pytest.mark.parametrize("key", ["zz", "z9", "v", "", "17vv", "g99"])
def test_an_unknown_space_has_no_refusal(key: str) -> None:
    assert new_play().why_not(key) == ""


def test_spaces_beside_each_other_are_the_nearest() -> None:
    play = new_play()
    places = play.game.places(play.view)
    for place in BOARD.places:
        beside = {
            BOARD.at[1 << bit].code
            for bit in range(BOARD.all.bit_length())
            if BOARD.near(place.bit) >> bit & 1
        }
        x, y = places[place.code]
        near = {code for code, (a, b) in places.items() if 0 < (a - x) ** 2 + (b - y) ** 2 < 1.01}
        assert near == beside


def is_true(refusal: Refusal) -> bool:
    """Return whether the named rule really forbids the placement."""
    state, seat, key = refusal.state, refusal.decision.seat, refusal.key
    place = BOARD.by_code[key.removesuffix("v")]
    side = state.sides[seat]
    is_village, is_sea = key.endswith("v"), not place.island
    is_beside = bool(BOARD.near(side.pieces) & place.bit)
    match refusal.reason:
        case "taken":
            owner = refusal.facts["owner"]
            return owner != seat and bool(state.sides[owner].pieces & place.bit)
        case "own_piece":
            return bool(side.pieces & place.bit)
        case "village_at_sea":
            return is_village and is_sea
        case "no_more_villages":
            return is_village and state.phase == SETTLEMENT
        case "no_village_left":
            return is_village and side.villages_left == 0
        case "no_settler_left":
            return not is_village and side.settlers_left == 0
        case "not_beside":
            return not is_sea and not is_beside
        case "sea_not_beside":
            return is_sea and not is_beside and state.phase == SETTLEMENT
    return False


@pytest.mark.parametrize("seats", [2, 4])
def test_every_refusal_in_random_matches_is_true(seats: int) -> None:
    reasons_seen = set()
    for refusal in refusals("blue_lagoon", seats, {}, f"true {seats}", every=6):
        assert is_true(refusal), refusal
        reasons_seen.add(refusal.reason)
    assert reasons_seen >= {"taken", "own_piece", "not_beside", "no_more_villages"}
