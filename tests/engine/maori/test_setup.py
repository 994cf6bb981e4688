"""Preparation, sentence by sentence of both rulebooks.

A docstring gives the sentence, or the ruling, that its test checks.
"""

from collections import Counter

import pytest

from engine import GAMES, BadSettings, Seat, Table, begin
from engine.maori.events import DiscovererPlaced, Opened
from engine.maori.tiles import VOLCANOES
from tests.engine.maori.table import Scripted, new_play

GAME = GAMES["maori"]


@pytest.mark.parametrize("seats", range(2, 6))
def test_16_tiles_lie_face_up_in_a_4_x_4_matrix(seats: int) -> None:
    """Draw 16 tiles and lay them face-up in a 4 x 4 matrix; the same matrix for every number of
    players.
    """
    view = new_play(seats, Table("matrix")).view
    assert len(view.matrix) == 16
    assert len(set(view.matrix)) == 16
    assert 0 not in view.matrix


def test_the_tiles_are_shuffled() -> None:
    """Shuffle the island tiles face-down."""
    assert len({new_play(2, Table(str(seed))).view.matrix for seed in range(10)}) == 10


@pytest.mark.parametrize("seed", range(40))
def test_no_volcano_is_drawn_into_the_first_matrix(seed: int) -> None:
    """If a volcano tile is drawn, set it aside and draw another tile to use instead."""
    assert not set(new_play(3, Table(str(seed))).view.matrix) & set(VOLCANOES)


def test_the_volcanoes_are_among_the_face_down_tiles_afterwards() -> None:
    """After the matrix is complete, shuffle any drawn volcano tiles into the group of face-down
    tiles.
    """
    view = new_play(3, Table("volcanoes")).view
    assert set(VOLCANOES) <= set(view.supply)
    assert sorted((*view.matrix, *view.supply)) == list(range(1, 98))
    assert len(view.supply) == 81


def test_every_tile_can_come_to_every_cell() -> None:
    """Each place of the matrix is drawn from all tiles that are left."""
    first = Counter(new_play(2, Scripted(draw)).view.matrix[0] for draw in range(95))
    assert set(first) == set(range(1, 96))
    assert set(first.values()) == {1}


def test_each_player_takes_a_board_and_5_shells() -> None:
    """Each player takes a player board; in addition, each player takes 5 shells as starting
    capital.
    """
    view = new_play(4).view
    assert [(side.shells, side.tiles, side.stored, side.ships) for side in view.sides] == [
        (5, (), 0, 2)
    ] * 4


@pytest.mark.parametrize(("seats", "bank"), [(2, 20), (3, 15), (4, 10), (5, 5)])
def test_the_remaining_shells_are_the_supply(seats: int, bank: int) -> None:
    """Place the remaining shells nearby as a supply."""
    assert new_play(seats).view.bank == bank


def test_the_front_is_up_unless_the_atoll_is_chosen() -> None:
    """Polish rules: each player lays the board before him with the front up."""
    match = begin(GAME, 2, {}, 1)
    assert match.view(None).board == "front"
    assert match.view(None).rules == "basic"
    assert new_play(2, board="atoll").view.board == "atoll"


def test_the_starting_player_is_drawn() -> None:
    """The players choose a starting player randomly."""
    asked = {new_play(3, Scripted(seat), first="draw").turn for seat in range(3)}
    assert asked == {0, 1, 2}
    assert dict(begin(GAME, 2, {}, 1).settings)["first"] == "draw"


@pytest.mark.parametrize("first", ["1", "2", "3", "4", "5"])
def test_the_host_may_name_the_starting_player(first: str) -> None:
    """Polish rules: the oldest player places the ship; the host may name anybody."""
    assert new_play(5, first=first).turn == int(first) - 1


def test_the_starting_player_places_the_discoverer_next_to_the_tile_of_their_choice() -> None:
    """The starting player places the discoverer ship at the edge of the matrix next to the tile
    of his choice.
    """
    play = new_play(3, first="2")
    assert play.turn == 1
    assert play.keys == [str(number) for number in range(1, 17)]
    assert play.view.discoverer == ""
    play.play("7")
    assert play.view.discoverer == "7"
    assert play.events_of(DiscovererPlaced) == [DiscovererPlaced(Seat(1), "7")]


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("first", range(2))
def test_the_player_to_the_left_begins(seats: int, first: int) -> None:
    """The player to the left of the player who placed the discoverer ship begins."""
    play = new_play(seats, first=str(first + 1)).play("3")
    assert play.turn == (first + 1) % seats
    assert play.decision.kind == "move_discoverer"
    assert play.events_of(Opened) == [Opened(Seat(first), Seat((first + 1) % seats))]


def test_the_game_is_played_in_clockwise_order_and_the_starting_player_is_last() -> None:
    """The game is played in clockwise order."""
    play = new_play(4, first="2").play("3")
    order = []
    for _ in range(8):
        order.append(play.turn)
        play.play(f"{play.keys[0]},nothing")
        if play.is_over():
            break
    assert order == [2, 3, 0, 1, 2, 3, 0, 1]


def test_rounds_are_counted_from_the_player_to_the_left() -> None:
    play = new_play(3)
    assert (play.view.phase, play.view.round) == ("opening", 0)
    play.play("3")
    rounds = []
    for _ in range(4):
        rounds.append(play.view.round)
        play.play(f"{play.keys[0]},nothing")
    assert rounds == [1, 1, 1, 2]
    assert play.view.phase == "play"


@pytest.mark.parametrize("seats", [1, 6])
def test_only_2_to_5_can_play(seats: int) -> None:
    """5 player boards."""
    with pytest.raises(BadSettings, match="2 to 5 players"):
        begin(GAME, seats, {}, 1)


def test_the_atoll_is_for_2_to_4() -> None:
    """Polish rules: because of the many tiles needed, the atoll can be played by 2 to 4."""
    for seats in (2, 3, 4):
        assert begin(GAME, seats, {"board": "atoll"}, 1).view(None).board == "atoll"
    with pytest.raises(BadSettings, match="atoll"):
        begin(GAME, 5, {"board": "atoll"}, 1)


@pytest.mark.parametrize(
    "settings", [{"first": "3"}, {"rules": "master"}, {"board": "back"}, {"map": "x"}]
)
def test_other_settings_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(BadSettings):
        begin(GAME, 2, settings, 1)


@pytest.mark.parametrize("rules", ["advanced", "pro"])
def test_in_the_variants_the_small_ship_begins_beside_the_board(rules: str) -> None:
    """At the beginning of the game, each player takes a ship in his color and places this beside
    his board.
    """
    play = new_play(3, rules=rules)
    assert [side.ship for side in play.view.sides] == ["", "", ""]
