"""Why something is not possible in a turn: a true sentence of the rulebook for each case."""

import pytest

from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.steps import MoveShip
from engine.maori.tiles import NO_TILE, VOLCANOES
from tests.engine.maori.table import FULL, matrix_with, new_play, position, side
from tests.engine.refusals import Refusal, refusals

ROW = "r1=11 r2=25 r3=79"


def test_the_discoverer_is_placed_beside_the_matrix() -> None:
    for key in ("a", "q3", "nothing"):
        assert (
            new_play().why_not(key)
            == "The discoverer goes next to the matrix, on a position from 1 to 16."
        )


def test_the_discoverer_sails_a_step_a_ship_and_a_step_a_shell() -> None:
    play = position(side(shells=1), side(), discoverer="8")
    assert play.keys == ["9", "10", "11"]
    assert play.why_not("12") == (
        "12 is 4 steps away. You have 2 ships and 1 shell, good for one step each."
    )
    assert play.why_not("8") == (
        "8 is 16 steps away. You have 2 ships and 1 shell, good for one step each."
    )


def test_the_discoverer_moves_first() -> None:
    play = position(side(), side())
    for key in ("a", "q3", "stored", "nothing"):
        assert play.why_not(key) == "Move the discoverer first, to a position from 1 to 16."


def test_printed_land_is_on_the_board_whatever_is_asked() -> None:
    expected = "Q1 is printed land, and tiles go on water. Choose an empty space."
    play = position(side(), side(), discoverer="16")
    assert (
        new_play().why_not("q1") == play.why_not("q1") == play.play("1").why_not("q1") == expected
    )


def test_the_discoverer_moves_once() -> None:
    play = position(side(), side(), discoverer="16").play("1")
    assert play.why_not("2") == "You've already moved the discoverer to 1 this turn."
    assert play.play("a").why_not("2") == "You've already moved the discoverer to 1 this turn."


def test_tiles_are_taken_from_the_row_or_column_of_the_discoverer() -> None:
    play = position(side(), side(), discoverer="16").play("1")
    assert play.why_not("b") == (
        "B isn't in the discoverer's row or column, and you can only take tiles from there. "
        "The discoverer is on 1."
    )


def test_an_empty_place_of_the_matrix_has_no_tile() -> None:
    play = position(side(), side(), discoverer="16", matrix=matrix_with(e=0)).play("1")
    assert play.why_not("e") == "There's no tile on E."


def test_a_volcano_and_the_tiles_behind_it_cannot_be_taken() -> None:
    play = position(side(), side(), discoverer="16", matrix=matrix_with(e=VOLCANOES[0])).play("1")
    expected = "E is a volcano, and nobody can take a volcano. Take a tile in front of it."
    assert play.why_not("e") == expected
    assert play.why_not("i") == "I is behind a volcano, so you can't take it from here."
    assert play.why_not("m") == "M is behind a volcano, so you can't take it from here."


def test_each_tile_skipped_costs_a_shell() -> None:
    play = position(side(shells=1), side(), discoverer="16").play("1")
    assert play.why_not("i") == "I costs 2 shells, one per tile you skip, and you have 1 shell."


def test_a_tile_that_can_be_neither_placed_nor_stored_cannot_be_taken() -> None:
    # The ship on R1 is shut in by tiles, and sails nowhere without a shell.
    own = side("r1=11 r2=25 s1=79 s2=80 q3=81", ship="r1", shells=0, stored=90)
    play = position(own, side(), rules="pro", discoverer="16").play("1")
    assert play.keys == ["remove", "nothing"]
    assert play.why_not("a").startswith(
        "You couldn't place or store the tile on A: your storage is full"
    )
    assert play.why_not("stored").startswith(
        "With no shells your ship can't get next to an empty space"
    )


def test_an_empty_storage_has_nothing_to_place() -> None:
    assert (
        position(side(), side(), discoverer="16").play("1").why_not("stored")
        == "Your storage is empty. Take a tile from the matrix instead."
    )


def test_without_a_tile_nothing_can_be_removed() -> None:
    assert (
        position(side(), side(), discoverer="16").play("1").why_not("remove")
        == "You have no tiles on your board yet, so there's nothing to remove."
    )


def test_the_only_tile_cannot_be_removed_under_the_ship() -> None:
    play = position(side("r1=11", ship="r1"), side(), rules="pro", discoverer="16").play("1")
    expected = "Your only tile is R1, and you can't remove the tile under your ship."
    assert play.why_not("remove") == expected


def test_a_tile_is_taken_before_it_is_placed() -> None:
    play = position(side(), side(), discoverer="16").play("1")
    expected = "Take a tile first, from the matrix or your storage."
    assert play.why_not("r3") == play.why_not("store") == expected


def test_a_tile_goes_on_an_empty_water_space() -> None:
    play = position(side("r1=79"), side(), discoverer="16").play("1,a")
    assert play.why_not("r1") == "There's already a tile on R1. Choose an empty space."
    assert play.why_not("q1").startswith("Q1 is printed land")
    assert play.why_not("b") == "You've taken the tile on A: place it or store it."


def test_the_storage_holds_one_tile_and_takes_none_back() -> None:
    play = position(side(stored=90), side(), discoverer="16").play("1,a")
    assert play.why_not("store").startswith("Your storage only has room for one tile")
    play = position(side(stored=90), side(), discoverer="16").play("1,stored")
    assert play.why_not("store") == "That tile comes from your storage and can't go back: place it."
    assert play.why_not("a") == "You've taken your stored tile: place it."


def test_the_small_ship_sails_for_a_shell_a_step() -> None:
    play = position(side(ROW, ship="r1", shells=1), side(), rules="pro", discoverer="16").play(
        "1,a"
    )
    assert (
        play.why_not("q4")
        == "To reach Q4, your ship on R1 must sail 2 steps at a shell each, and you have 1 shell."
    )
    assert play.why_not("t5").startswith("T5 is printed land")
    assert play.why_not("s5") == (
        "You must place tiles next to your ship. It's on R1, and can't sail to a tile next to S5."
    )


def test_only_own_tiles_without_the_ship_can_be_removed() -> None:
    play = position(side(ROW, ship="r1"), side(), rules="pro", discoverer="16").play("1,remove")
    assert play.why_not("q3") == "You have no tile on Q3. Choose one of your tiles."
    expected = "Your ship is on R1, and you can't remove the tile under it. Choose another tile."
    assert play.why_not("r1") == expected


def test_the_ship_moves_to_another_own_tile() -> None:
    play = position(side(ROW, ship="r1"), side(), rules="advanced", discoverer="16").play(
        "1,nothing"
    )
    assert play.why_not("r1") == "Your ship is already on R1. Choose `stay` to leave it there."
    assert play.why_not("q3") == "You have no tile on Q3. Choose one of your tiles."
    assert play.why_not("q1") == "You have no tile on Q1. Choose one of your tiles."


@pytest.mark.parametrize("key", ["zz", "", "q9", "17", "ab"])
def test_an_unknown_option_has_no_refusal(key: str) -> None:
    play = position(side(), side(), discoverer="16")
    assert play.why_not(key) == ""
    assert play.play("1").why_not(key) == ""
    assert play.play("a").why_not(key) == ""


def test_positions_lie_around_the_matrix() -> None:
    play = new_play()
    places = play.game.places(play.view)
    assert len(places) == 16 + 16 + len(FULL.split())
    assert places["1"] == (0, -1)
    assert places["5"] == (4, 0)
    assert places["9"] == (3, 4)
    assert places["13"] == (-1, 3)
    assert places["a"] == (0, 0)
    assert places["p"] == (3, 3)


def is_true(refusal: Refusal) -> bool:
    """Return whether the named rule really forbids the answer."""
    state = refusal.state
    seat = refusal.decision.seat
    key = refusal.key
    facts = refusal.facts
    side = state.sides[seat]
    board = state.board
    line = LINES[state.discoverer]
    fares = state.find_fares(seat)
    nearer: list[int] = []
    if key in tuple(CELLS) and CELLS.index(key) in line:
        nearer = [
            state.matrix[cell]
            for cell in line[: line.index(CELLS.index(key))]
            if state.matrix[cell] != NO_TILE
        ]
    space = board.by_code[key].index if key in board.by_code else -1
    match refusal.reason:
        case "to_the_edge" | "discoverer_first":
            return key not in POSITIONS and refusal.decision.kind in (
                "place_discoverer",
                "move_discoverer",
            )
        case "discoverer_has_moved":
            return key in POSITIONS and refusal.decision.kind in ("discover_tile", "place_tile")
        case "too_far":
            steps = (POSITIONS.index(key) - state.discoverer) % 16 or 16
            return facts["steps"] == steps > state.count_ships(seat) + side.shells
        case "no_tile":
            return state.matrix[CELLS.index(key)] == NO_TILE
        case "not_in_line":
            return CELLS.index(key) not in line
        case "volcano":
            return state.matrix[CELLS.index(key)] in VOLCANOES
        case "behind_volcano":
            return any(tile in VOLCANOES for tile in nearer)
        case "dear_tile":
            return facts["price"] == len(nearer) > side.shells
        case "neither_placed_nor_stored":
            return side.stored != NO_TILE and len(nearer) + min(fares.values()) > side.shells
        case "storage_empty":
            return side.stored == NO_TILE
        case "storage_full":
            return side.stored != NO_TILE and not state.agenda[-1].is_stored
        case "not_back" | "stored_in_hand":
            return state.agenda[-1].is_stored
        case "dear_to_place":
            return side.stored != NO_TILE and min(fares.values()) > side.shells
        case "nothing_to_remove":
            return not board.tiled_spaces(side.tiles)
        case "ship_on_only_tile":
            return board.tiled_spaces(side.tiles) == [side.ship]
        case "tile_first":
            return refusal.decision.kind == "discover_tile" and space >= 0
        case "tile_in_hand":
            return state.hand == facts["spot"]
        case "space_taken":
            return side.tiles[space] != NO_TILE
        case "ship_cannot_reach":
            return side.tiles[space] == NO_TILE and space not in fares
        case "dear_space":
            return facts["fare"] == fares[space] > side.shells
        case "no_own_tile":
            return space < 0 or side.tiles[space] == NO_TILE
        case "under_ship":
            return side.ship == space
        case "ship_is_there":
            return side.ship == space and isinstance(state.agenda[-1], MoveShip)
    return False


@pytest.mark.parametrize(
    ("rules", "board"), [("basic", "front"), ("advanced", "atoll"), ("pro", "front")]
)
def test_every_refusal_in_random_matches_is_true(rules: str, board: str) -> None:
    reasons_seen = set()
    for seed in range(4):
        for refusal in refusals("maori", 2, {"rules": rules, "board": board}, f"true {seed}"):
            assert is_true(refusal), refusal
            reasons_seen.add(refusal.reason)
    assert reasons_seen >= {
        "too_far",
        "not_in_line",
        "volcano",
        "behind_volcano",
        "dear_tile",
        "space_taken",
    }
