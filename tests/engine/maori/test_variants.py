"""The small ship in the advanced and pro rules, sentence by sentence of both rulebooks.

A docstring gives the sentence, or the ruling, that its test checks.
"""

import pytest

from engine import Seat
from engine.maori.events import ShipMoved, ShipSailed, TilePlaced
from tests.engine.maori.table import FULL, Play, matrix_with, position, side

VARIANTS = pytest.mark.parametrize("rules", ["advanced", "pro"])
ROW = "r1=11 r2=25 r3=79"


def ready(rules: str, tiles: str = ROW, ship: str = "r1", stored: int = 0, shells: int = 5) -> Play:
    """Return a match with these tiles and the ship on them; the discoverer is beside A."""
    return position(
        side(tiles, shells=shells, ship=ship, stored=stored), side(), rules=rules, discoverer="16"
    ).play("1")


@VARIANTS
def test_the_first_tile_gets_the_ship(rules: str) -> None:
    """When a player puts his first tile on his board, he must place his ship on this tile."""
    play = position(side(), side(), rules=rules, discoverer="16").play("1,a")
    assert play.keys == [*FULL.split(), "store"]
    play.play("s4")
    assert play.ship() == "s4"
    assert play.events_of(TilePlaced) == [TilePlaced(Seat(0), "s4", "open-water", 0, aboard=True)]
    assert play.turn == 1, "with one tile there is nowhere to move the ship"


@pytest.mark.parametrize(
    ("rules", "aboard"), [("basic", False), ("advanced", False), ("pro", True)]
)
def test_the_event_says_whether_the_ship_boards_a_later_tile(rules: str, aboard: bool) -> None:
    """In the pro rules it goes on every tile placed."""
    play = ready(rules, ship="" if rules == "basic" else "r1").play("a,s1")
    assert play.events_of(TilePlaced) == [TilePlaced(Seat(0), "s1", "open-water", 0, aboard=aboard)]


@VARIANTS
def test_the_ship_waits_while_only_the_storage_is_filled(rules: str) -> None:
    """Ruling: storing before the first tile lies is allowed; the ship waits beside the board."""
    play = position(side(), side(), rules=rules, discoverer="16").play("1,a,store")
    assert play.ship() == ""
    play.play("2,nothing,3,stored,t2")
    assert play.ship() == "t2"


@VARIANTS
def test_later_tiles_must_be_placed_beside_the_ship_in_all_8_directions(rules: str) -> None:
    """He must place the tiles horizontally, perpendicularly, or diagonally adjacent to the tile
    with his ship.
    """
    play = ready(rules, "s2=79", "s2", shells=0).play("a")
    assert play.keys == ["r1", "r2", "r3", "s1", "s3", "t1", "t2", "t3", "store"]
    assert set(play.prices().values()) == {0}


@VARIANTS
def test_printed_land_does_not_stop_adjacency(rules: str) -> None:
    """Ruling: printed land and the atoll's rim do not stop 8-way adjacency."""
    play = ready(rules, "r2=79", "r2", shells=0).play("a")
    assert "q3" in play.keys
    play = position(
        side("r1=79", ship="r1", shells=0, board="atoll"),
        side(board="atoll"),
        rules=rules,
        board="atoll",
        discoverer="16",
    ).play("1,a")
    assert play.keys == ["q1", "q2", "r2", "s1", "s2", "store"]


@VARIANTS
def test_the_stored_tile_must_be_placed_beside_the_ship_too(rules: str) -> None:
    """Any tile laid on the board must touch the tile with the ship."""
    play = ready(rules, "s2=79", "s2", stored=80, shells=0).play("stored")
    assert play.keys == ["r1", "r2", "r3", "s1", "s3", "t1", "t2", "t3"]


def test_advanced_after_placing_the_ship_may_go_to_any_tile() -> None:
    """After placing a tile, the player can move his ship to any tile on his board; he can also
    leave it.
    """
    play = ready("advanced").play("a,s1")
    assert play.decision.kind == "move_ship"
    assert play.keys == ["stay", "r2", "r3", "s1"]
    assert play.option("stay").ends
    play.play("r3")
    assert play.ship() == "r3"
    assert play.events_of(ShipMoved) == [ShipMoved(Seat(0), "r1", "r3")]
    assert play.side().shells == 5


def test_advanced_the_ship_may_stay() -> None:
    """He can also leave his ship where it stands."""
    play = ready("advanced").play("a,s1,stay")
    assert play.ship() == "r1"
    assert play.events_of(ShipMoved) == []
    assert play.turn == 1


def test_advanced_the_ship_is_never_on_an_empty_water_space() -> None:
    """He may, however, never place his ship on an empty water space."""
    play = ready("advanced").play("a,s1")
    assert set(play.keys) - {"stay"} <= {"r1", "r2", "r3", "s1"}


@pytest.mark.parametrize("act", ["a,store", "remove,r3", "nothing", "stored,s1"])
def test_advanced_the_ship_may_move_whatever_was_done(act: str) -> None:
    """The player may also move his ship when he puts a tile in his storage, removes one (Polish:
    or does nothing).
    """
    play = ready("advanced", stored=80 if "stored" in act else 0).play(act)
    assert play.decision.kind == "move_ship"
    play.play("r2")
    assert play.ship() == "r2"


def test_advanced_a_lonely_tile_asks_nothing() -> None:
    play = ready("advanced", "r1=79").play("nothing")
    assert play.turn == 1


def test_advanced_a_tile_and_its_removal_leave_one() -> None:
    play = ready("advanced", "r1=79 r2=80").play("remove,r2")
    assert play.turn == 1


@VARIANTS
def test_the_tile_under_the_ship_cannot_be_removed(rules: str) -> None:
    """Polish rules: the tile on which the ship stands may not be removed; in both variants."""
    assert ready(rules).play("remove").keys == ["r2", "r3"]
    assert "remove" not in ready(rules, "r1=79").keys


def test_the_ship_cannot_be_moved_off_a_tile_to_remove_it_in_the_same_turn() -> None:
    """Ruling: the free move comes after the action."""
    play = ready("advanced").play("remove,r3")
    assert play.keys == ["stay", "r2"]


def test_pro_the_ship_must_go_on_the_tile_placed() -> None:
    """The player must always place his ship on a tile he places on his board."""
    play = ready("pro").play("a,s1")
    assert play.ship() == "s1"
    assert play.turn == 1


@pytest.mark.parametrize("act", ["a,store", "remove,r3", "nothing"])
def test_pro_the_ship_may_not_move_otherwise(act: str) -> None:
    """He may not move his ship if he puts a tile into his storage, removes one or does nothing."""
    play = ready("pro").play(act)
    assert play.ship() == "r1"
    assert play.turn == 1


def test_pro_the_stored_tile_gets_the_ship_too() -> None:
    play = ready("pro", stored=80).play("stored,s2")
    assert play.ship() == "s2"


@VARIANTS
def test_before_placing_the_ship_may_sail_a_shell_a_step(rules: str) -> None:
    """Before the player puts a tile onto his board, he may move his ship.

    Each step costs a wooden shell.
    """
    play = ready(rules).play("a")
    assert play.prices() == {"q3": 1, "q4": 2, "r4": 2, "s1": 0, "s2": 0, "s3": 1, "s4": 2}
    play.play("s4")
    assert play.events_of(ShipSailed) == [ShipSailed(Seat(0), "r1", "r3", 2)]
    assert (play.side().shells, play.state.bank) == (3, 22)


@VARIANTS
def test_the_stored_tile_may_be_sailed_for_too(rules: str) -> None:
    """Before the player puts a tile from the matrix or from his storage onto his board."""
    play = ready(rules, stored=80, shells=2).play("stored")
    assert play.prices() == {"q3": 1, "q4": 2, "r4": 2, "s1": 0, "s2": 0, "s3": 1, "s4": 2}
    play.play("q4")
    assert play.side().shells == 0


@VARIANTS
def test_a_space_dearer_than_the_shells_left_is_not_offered(rules: str) -> None:
    assert set(ready(rules, shells=1).play("a").prices()) == {"q3", "s1", "s2", "s3"}
    assert set(ready(rules, shells=0).play("a").prices()) == {"s1", "s2"}


@VARIANTS
def test_the_ship_sails_over_empty_water_but_ends_on_a_tile(rules: str) -> None:
    """Ruling: a step goes to any of the 8 neighbouring spaces, empty water may be crossed."""
    play = ready(rules, "r1=79 r4=80").play("a")
    assert play.prices() == {
        "q3": 3,
        "q4": 3,
        "q5": 3,
        "r2": 0,
        "r3": 3,
        "r5": 3,
        "s1": 0,
        "s2": 0,
        "s3": 3,
        "s4": 3,
        "s5": 3,
    }


def test_of_tiles_equally_near_the_ship_sails_to_the_first_in_reading_order() -> None:
    """The event names the tile sailed to: cheapest, then first in reading order."""
    play = ready("advanced", "r1=79 r2=80 s2=81").play("a,s3")
    assert play.events_of(ShipSailed) == [ShipSailed(Seat(0), "r1", "r2", 1)]
    assert play.keys == ["stay", "r1", "s2", "s3"]


def test_advanced_stay_means_where_the_ship_has_sailed_to() -> None:
    play = ready("advanced").play("a,s4,stay")
    assert play.ship() == "r3"


@VARIANTS
def test_a_space_that_no_own_tile_touches_is_out_of_reach(rules: str) -> None:
    assert "t3" not in ready(rules).play("a").keys


@VARIANTS
def test_a_tile_that_can_be_neither_placed_nor_stored_cannot_be_taken(rules: str) -> None:
    """Ruling: after its price there must be a space that can be paid, or room in the storage."""
    around = "r1=79 r2=79 r3=79 s1=79 s3=79 t1=79 t2=79 t3=79 s2=79"
    play = ready(rules, around, "s2", stored=80, shells=2)
    assert play.keys == ["a", "e", "stored", "remove", "nothing"]
    play = ready(rules, around, "s2", stored=80, shells=0)
    assert play.keys == ["remove", "nothing"]


@VARIANTS
def test_a_tile_for_the_storage_only_says_so(rules: str) -> None:
    around = "r1=79 r2=79 r3=79 s1=79 s3=79 t1=79 t2=79 t3=79 s2=79"
    play = ready(rules, around, "s2", shells=1)
    assert dict(play.option("a").facts)["storage_only"] == 0
    assert dict(play.option("e").facts)["storage_only"] == 1
    assert play.play("e").keys == ["store"]


@VARIANTS
def test_sailing_is_paid_before_the_tile_gives_its_shells(rules: str) -> None:
    """Ruling: shells paid for sailing are in the bank before the tile's shells are taken."""
    own = side(ROW, shells=2, ship="r1")
    play = position(
        own, side(), rules=rules, discoverer="16", bank=0, matrix=matrix_with(a=91)
    ).play("1,a")
    assert dict(play.option("s4").facts)["gained"] == 2
    assert dict(play.option("s3").facts)["gained"] == 1
    assert dict(play.option("s1").facts)["gained"] == 0
    play.play("s4")
    assert (play.side().shells, play.state.bank) == (2, 0)


@VARIANTS
def test_the_turn_of_the_decision_map_with_a_paid_ship_move(rules: str) -> None:
    """9,l,s4: discoverer 6 > 9 for 1, L over P for 1, ship R1 > R3 for 2, one shell gained: 5 >
    2, bank 23.
    """
    own = side(ROW, ship="r1")
    play = position(own, side(), rules=rules, discoverer="6", matrix=matrix_with(p=33, l=34))
    assert play.keys == ["7", "8", "9", "10", "11", "12", "13"]
    assert play.play("9").keys == ["p", "l", "h", "d", "remove", "nothing"]
    play.play("l")
    assert play.prices() == {"q3": 1, "q4": 2, "r4": 2, "s1": 0, "s2": 0, "s3": 1, "s4": 2}
    assert play.keys[-1] == "store"
    play.play("s4")
    assert (play.side().shells, play.state.bank) == (2, 23)
    assert play.ship() == ("s4" if rules == "pro" else "r3")


def test_advanced_the_refill_comes_after_the_free_move() -> None:
    """Ruling: ship first, refill last, so that the whole turn is one draft."""
    play = ready("advanced").play("a,s1")
    assert play.state.matrix[0] == 0
    play.play("stay")
    assert play.state.matrix[0] == 83


def test_the_basic_game_has_no_small_ship() -> None:
    play = position(side(ROW), side(), discoverer="16").play("1,a,t3")
    assert play.ship() == ""
    assert play.turn == 1
