"""The set-up and the components, sentence by sentence.

A docstring gives the sentence, or the ruling, that its test checks.
"""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from engine import BadSettings, Table, begin
from engine.polynesia import GAME
from engine.polynesia.board import MAPS, Route, board_for, board_of, components, deck, tide_cards
from engine.polynesia.events import StartPassed, TidesDrawn, TokensLaid
from tests.engine.polynesia.table import new_play

SEATS = (2, 3, 4)
sides = pytest.mark.parametrize("name", MAPS)


def test_the_map_side_corresponds_to_the_number_of_players() -> None:
    """Place the Map on the side which corresponds to the number of players: 4, or 2 and 3."""
    assert [new_play(seats).view.map for seats in SEATS] == ["side_23p", "side_23p", "side_4p"]


@pytest.mark.parametrize("seats", SEATS)
def test_each_player_has_8_members_on_the_board_5_on_main_15_ships_3_fish_3_shells(
    seats: int,
) -> None:
    """8 in the spaces numbered from 2 to 7, 5 on the Main Island; 15 ships; each takes 3 Fish
    and 3 Shells.
    """
    play = new_play(seats)
    for seat in range(seats):
        own = play.side(seat)
        assert play.members(seat) == {"m": 5}
        assert own.home == 8
        assert own.ships == 15
        assert own.fish == 3
        assert own.shells == 3
        assert own.tokens == ()
        assert own.points == 0
    assert {shown.value for shown in play.view.sides} == {2}


def test_archipelago_islands_have_green_tokens_and_turtle_islands_orange_ones() -> None:
    """1 green Token on each of the 8 Islands within an Archipelago, 1 orange one on each of the
    6 with turtles.
    """
    for seats in SEATS:
        play = new_play(seats, Table("tokens"))
        board = play.state.board
        backs = {token.id: token.back for token in components().tokens}
        for island, token in zip(board.islands, play.state.tokens, strict=True):
            assert not token or backs[token] == island.token
        assert [i.token == "green" for i in board.islands] == [
            bool(i.archipelago) for i in board.islands
        ]
        assert [i.token == "orange" for i in board.islands] == [
            i.symbol[:6] == "turtle" for i in board.islands
        ]
        assert Counter(i.token for i in board.islands if i.token) == {"green": 8, "orange": 6}


def test_tokens_with_a_red_cross_are_removed_and_below_four_players_the_fourth_mask() -> None:
    """Flip all Tokens and remove those with a red cross; with fewer than 4 players also the Mask
    with the number 4.
    """
    for seats, masks in ((2, 3), (3, 3), (4, 4)):
        faces = Counter(i.token for i in new_play(seats, Table("crosses")).view.islands if i.token)
        assert faces == {"mask": masks, "ship": 2, "fish": 2, "shell": 2, "turtle": 2}


def test_the_tokens_are_mixed() -> None:
    laid = {new_play(3, Table(str(seed))).state.tokens for seed in range(20)}
    assert len(laid) == 20


def test_all_lava_stones_are_in_the_bag() -> None:
    """Place all the Lava Stones inside the Bag: 6 red, 3 grey, 1 black."""
    assert new_play().view.bag == (6, 3, 1)
    assert new_play().view.lava == ()


@pytest.mark.parametrize("seats", SEATS)
def test_a_tide_card_of_each_type_is_drawn(seats: int) -> None:
    """Shuffle each deck separately and draw a card from each; with two players 3.1 and 3.2 are
    removed first.
    """
    drawn = [new_play(seats, Table(str(seed))).state.tides for seed in range(150)]
    for number in (1, 2, 3):
        legal = {card.id for card in deck(number) if not (seats == 2 and card.id in ("3.1", "3.2"))}
        assert {tides[number - 1] for tides in drawn} == legal


def test_the_host_may_choose_the_cards_that_are_legal_for_the_players() -> None:
    for seats in SEATS:
        for card in tide_cards().values():
            chosen = {f"tide{card.id[0]}": card.id}
            if seats == 2 and card.id in ("3.1", "3.2"):
                with pytest.raises(BadSettings):
                    begin(GAME, seats, chosen)
            else:
                assert card.id in begin(GAME, seats, chosen).base.tides
    with pytest.raises(BadSettings):
        begin(GAME, 3, {"tide1": "2.1"})


@pytest.mark.parametrize(
    ("tides", "pool", "on_archipelagos"),
    [
        (("1.3", "2.1", "3.3"), None, ()),
        (("1.2", "2.1", "3.3"), 6, ("A", "B", "C", "D")),
        (("1.1", "2.1", "3.1"), 10, ()),
        (("1.1", "2.1", "3.2"), 10, ()),
        (("1.2", "2.1", "3.1"), 6, ("A", "B", "C", "D")),
    ],
)
def test_point_tokens_are_used_only_if_a_card_requires_it(
    tides: tuple[str, str, str], pool: int | None, on_archipelagos: tuple[str, ...]
) -> None:
    """Form a reserve with the 10 Point Tokens if any of the Tide Cards require it; otherwise
    leave them in the box.
    """
    play = new_play(3, tide1=tides[0], tide2=tides[1], tide3=tides[2])
    assert play.view.pool == pool
    assert tuple(a.letter for a in play.view.archipelagos if a.point) == on_archipelagos


def test_the_phase_marker_begins_on_3() -> None:
    assert new_play().view.marker == "3" and new_play().view.round == 1


def test_the_starting_player_is_chosen_randomly_unless_the_host_chooses() -> None:
    """Randomly choose the Starting Player."""
    assert {new_play(4, Table(str(seed)), first="draw").turn for seed in range(40)} == {0, 1, 2, 3}
    assert [new_play(4, first=str(seat + 1)).turn for seat in range(4)] == [0, 1, 2, 3]
    for seats, first in ((2, "3"), (3, "4")):
        with pytest.raises(BadSettings):
            begin(GAME, seats, {"first": first})


def test_the_setup_is_reported() -> None:
    play = new_play(3, tide1="1.1", tide2="2.2", tide3="3.3", first="2")
    (laid,), (tides,), (start,) = (
        play.events_of(TokensLaid),
        play.events_of(TidesDrawn),
        play.events_of(StartPassed),
    )
    assert len(laid.tokens) == 11
    assert all(face != "cross" for _, face in laid.tokens)
    assert tides.tides == ("1.1", "2.2", "3.3") and start == StartPassed(1, 1)


# The map


@sides
def test_an_archipelago_is_made_up_of_two_islands(name: str) -> None:
    board = board_of(name)
    assert [len(islands) for islands in board.archipelagos.values()] == [2, 2, 2, 2]
    assert all(not island.symbol for islands in board.archipelagos.values() for island in islands)


@sides
def test_three_neutral_routes_lead_from_main_to_the_three_closest_islands(name: str) -> None:
    """The 3 Orange Routes connect the Main Island with the 3 closest Islands; those and it are
    destroyed.
    """
    board = board_of(name)
    neutral = [route for route in board.routes if route.neutral]
    assert [route.a.code for route in neutral] == ["m"] * 3
    assert {i.code for i in board.islands if i.destroyed} == {
        "m",
        *(route.b.code for route in neutral),
    }


def test_six_turtle_islands_one_of_them_double_and_as_many_fish_as_shells() -> None:
    for name, islands, routes, fish in (("side_4p", 30, 44, 6), ("side_23p", 24, 33, 4)):
        board = board_of(name)
        symbols = Counter(island.symbol for island in board.islands)
        assert (symbols["turtle1"], symbols["turtle2"]) == (5, 1)
        assert symbols["fish"] == symbols["shell"] == fish
        assert len(board.islands) == islands and len(board.explorable) == routes


@sides
def test_every_island_can_be_reached_and_codes_are_one_of_a_kind(name: str) -> None:
    board = board_of(name)
    reached, edge = {board.main.code}, [board.main]
    for island in edge:
        for passage in board.passages[island.number]:
            if passage.goal.code not in reached:
                reached.add(passage.goal.code)
                edge.append(passage.goal)
    assert reached == {*board.island} and len(board.island) == len(board.islands)
    assert len(board.passage) == 2 * len(board.routes)
    assert max(len(code) for code in board.route) <= 7
    assert board.passage["t1-i12"].route is board.route["i12-t1"]


@sides
def test_no_route_joins_two_archipelagos_and_no_two_routes_cross(name: str) -> None:
    board = board_of(name)
    for route in board.routes:
        assert not route.a.archipelago or route.b.archipelago in ("", route.a.archipelago)
    assert not any(_cross(one, two) for one, two in combinations(board.routes, 2))


def _cross(one: Route, two: Route) -> bool:
    if {one.a.code, one.b.code} & {two.a.code, two.b.code}:
        return False
    a, b, c, d = ((island.x, island.y) for island in (one.a, one.b, two.a, two.b))

    def turn(p: tuple[int, int], q: tuple[int, int], r: tuple[int, int]) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


@pytest.mark.parametrize(("name", "most"), [("side_4p", 11), ("side_23p", 5)])
def test_routes_are_grouped_by_the_islands_they_join(name: str, most: int) -> None:
    routes = board_of(name).explorable
    groups = Counter(route.group for route in routes)
    archipelagos = {"in-a", "in-b", "in-c", "in-d"}
    assert archipelagos | {"by-n1", "by-n2", "by-n3", "turtles"} <= set(groups)
    assert max(groups.values()) == most
    for route in routes:
        codes = route.code.split("-")
        match route.group.split("-"):
            case ["in", letter]:
                assert any(code.startswith(letter) for code in codes)
            case ["by", island]:
                assert island in codes
            case ["turtles"]:
                assert any(code.startswith("t") for code in codes)
            case _:
                assert all(code.startswith("i") for code in codes)


def test_the_box_holds_what_the_rulebook_lists() -> None:
    """14 Island Tokens, 10 Point Tokens, 13 members, two rows of spaces that hold all of them,
    18 Tide Cards.
    """
    box = components()
    assert len(box.tokens) == 14
    assert box.point_tokens == 10
    assert len(box.spaces) == box.members == 13
    assert box.rows[1][0] == 2
    assert box.rows[1][-1] == 7
    assert len(box.rows[1]) == 8
    assert box.rows[0][0] == 0
    assert box.rows[0][-1] == 2
    assert all(low <= high for low, high in pairwise(box.spaces))
    assert [len(deck(number)) for number in (1, 2, 3)] == [4, 6, 8]
    assert board_for(4).name == "side_4p"
