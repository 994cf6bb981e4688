"""Set-up, sentence by sentence of the rulebook.

A docstring gives the sentence, or the ruling, that its test checks.
"""

from collections import Counter

import pytest

from engine import GAMES, BadSettings, Seat, Table, begin
from engine.blue_lagoon.board import ITEMS
from engine.blue_lagoon.events import Dealt, Opened
from tests.engine.blue_lagoon.table import BOARD, new_play
from tests.engine.play import InOrder

GAME = GAMES["blue_lagoon"]


def test_all_24_resources_and_8_statuettes_come_into_play() -> None:
    """Place all 24 Resources and 8 Statuettes into the bag."""
    lying = Counter(item for _, item in new_play().view.items)
    assert lying == {"coconut": 6, "bamboo": 6, "water": 6, "stone": 6, "statuette": 8}


@pytest.mark.parametrize("seed", range(5))
def test_one_item_lies_on_each_island_space_marked_with_a_stone_circle(seed: int) -> None:
    """Randomly draw and place one item on each island space marked with a stone circle (32 such
    spaces).
    """
    view = new_play(3, Table(str(seed))).view
    circles = [place.code for place in BOARD.places if place.circle]
    assert [spot for spot, _ in view.items] == circles
    assert len(circles) == 32


def test_the_items_are_drawn_at_random() -> None:
    """Shake to mix; randomly draw."""
    deals = {new_play(2, Table(str(seed))).view.items for seed in range(10)}
    assert len(deals) == 10


def test_the_deal_follows_the_shuffle() -> None:
    """If the shuffle leaves every pile in order, the items lie in the order of the bag."""
    items = dict(new_play(2, InOrder()).view.items)
    assert [
        items[code] for code in ("a1", "d6", "a11", "e1", "g4", "e6", "h5", "h13", "f1", "c11")
    ] == [item for item in ITEMS for _ in range(2)]


@pytest.mark.parametrize(("seats", "settlers"), [(2, 30), (3, 25), (4, 20)])
def test_each_player_takes_30_25_or_20_settlers_and_all_5_villages(
    seats: int, settlers: int
) -> None:
    """2 players: all 30 Settlers and all 5 Villages; 3: 25 and 5; 4: 20 and 5."""
    sides = new_play(seats).view.sides
    assert [(side.settlers_left, side.villages_left) for side in sides] == [(settlers, 5)] * seats
    assert {side.held for side in sides} == {(0, 0, 0, 0, 0)}


@pytest.mark.parametrize("seats", [1, 5])
def test_only_2_to_4_can_play(seats: int) -> None:
    """Components for four: 4 sets of settlers and villages."""
    with pytest.raises(BadSettings, match="2 to 4 players"):
        begin(GAME, seats, {}, 1)


def test_the_starting_player_is_drawn_by_default() -> None:
    """Ruling: for the youngest player, whom nobody here knows, the lot decides; the host may
    name somebody.
    """
    assert {begin(GAME, 3, {}, seed).waiting_for() for seed in range(20)} == {(0,), (1,), (2,)}
    assert new_play(3, first="1").turn == 0
    assert new_play(3, first="2").turn == 1
    assert new_play(4, first="4").turn == 3


@pytest.mark.parametrize("lot", [0, 1, 2])
def test_the_starting_seat_can_be_drawn(lot: int) -> None:
    """Ruling: the host may draw the starting player."""
    play = new_play(3, InOrder(lot), first="draw")
    assert play.turn == lot
    assert Opened("exploration", Seat(lot)) in play.events


@pytest.mark.parametrize(
    ("seats", "first"), [(2, "3"), (3, "4"), (2, "0"), (4, "5"), (2, "youngest")]
)
def test_a_starting_seat_that_is_not_at_the_table_is_refused(seats: int, first: str) -> None:
    """A setting's value must be possible for the number of seats."""
    with pytest.raises(BadSettings, match="first"):
        begin(GAME, seats, {"first": first}, 1)


def test_the_first_deal_is_an_event() -> None:
    """All items lie open."""
    play = new_play()
    assert play.events_of(Dealt) == [Dealt("exploration", play.view.items)]
