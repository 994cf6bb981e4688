"""Islands that can't be completed any more, on boards made by hand."""

from random import Random

import pytest

from engine import GAMES, Decision, Option, Seat, begin
from engine.core.words import words_of
from engine.maori.board import board_of
from engine.maori.prospects import BLOCKED, EDGE, LATE, find_lost, weigh_placement
from engine.maori.tiles import NO_TILE, TILES
from engine.maori.view import MaoriView
from tests.contract.games import new_match
from tests.contract.player import play
from tests.engine.maori.settler import play_turn
from tests.engine.maori.table import FULL, Play, matrix_with, position, side
from tests.engine.perspectives import perspective_of

WORDS = words_of("maori")
FRONT = board_of("front")
MAX_BUTTON_CHARACTERS = 38
LEFT, RIGHT, TOP, BOTTOM, WIDE, TALL, SINGLE, WATER = 15, 25, 39, 52, 69, 76, 1, 79


def lost(tiles: str, tiles_to_come: int | None = None) -> dict[str, str]:
    """Return the lost spaces of a front board, by code."""
    found = find_lost(FRONT, side(tiles).tiles, tiles_to_come)
    return {FRONT.code(space): reason for space, reason in found.items()}


def weigh(tiles: str, code: str, tile: int, is_last: bool = False) -> tuple[str, list[str]]:
    """Return why a tile on a space of the front would be lost, and which spaces it blocks."""
    space = FRONT.by_code[code].index
    outlook = weigh_placement(FRONT, side(tiles).tiles, space, tile, is_last)
    return outlook.lost, [FRONT.code(other) for other in outlook.blocks]


def test_the_tiles_have_the_shapes_that_their_names_say() -> None:
    shapes = [TILES[tile].shape for tile in (LEFT, RIGHT, TOP, BOTTOM, WIDE, TALL, SINGLE, WATER)]
    ends = ["left_end", "right_end", "top_end", "bottom_end"]
    assert shapes == [*ends, "h_middle", "v_middle", "single", "open_water"]


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("", {}),
        # An open side beside an empty space can still be closed with an end.
        ("r1=15", {}),
        ("r3=69", {}),
        ("r3=76", {}),
        # Complete islands, singles and water are never lost.
        ("r1=15 r2=25", {}),
        ("r1=15 r2=69 r3=25", {}),
        ("q3=39 r3=76 s3=52", {}),
        ("q5=1 t1=1", {}),
        ("q5=79", {}),
        # Land at the edge of the board, and at printed land.
        ("r5=15", {"r5": EDGE}),
        ("r1=25", {"r1": EDGE}),
        ("t2=39", {"t2": EDGE}),
        ("q4=52", {"q4": EDGE}),
        ("q3=25", {"q3": EDGE}),
        ("t3=15", {"t3": EDGE}),
        ("r1=52", {"r1": EDGE}),
        ("s5=39", {"s5": EDGE}),
        # All of the island is lost, wherever it runs into the edge.
        ("r4=15 r5=69", {"r4": EDGE, "r5": EDGE}),
        # Water and closed sides block; the neighbour itself is not harmed.
        ("r1=15 r2=79", {"r1": BLOCKED}),
        ("r1=15 r2=1", {"r1": BLOCKED}),
        ("r1=15 r2=15 r3=25", {"r1": BLOCKED}),
        ("r2=15 r3=76", {"r2": BLOCKED}),
        ("r1=15 r2=69 r3=79", {"r1": BLOCKED, "r2": BLOCKED}),
        # The edge can't be removed, so it is named first.
        ("r5=69 r4=79", {"r5": EDGE}),
        # Two islands need R2, and it's open which of them gets it.
        ("r1=15 q3=79 s2=52", {}),
    ],
)
def test_only_an_island_that_surely_stays_open_is_lost(
    tiles: str, expected: dict[str, str]
) -> None:
    assert lost(tiles) == expected


def test_removing_the_tile_in_the_way_frees_an_island() -> None:
    assert lost("r1=15 r2=79") == {"r1": BLOCKED}
    assert lost("r1=15") == {}


def test_an_island_that_needs_more_tiles_than_can_come_is_lost() -> None:
    assert lost("r3=69", 2) == {}
    assert lost("r3=69", 1) == {"r3": LATE}
    assert lost("r1=15", 1) == {}
    assert lost("r1=15", 0) == {"r1": LATE}
    assert lost("r1=15 r2=25 q5=1", 0) == {}
    # One middle closes both.
    assert lost("r1=15 r3=25", 1) == {}


def test_the_atolls_rim_blocks_nothing() -> None:
    atoll = board_of("atoll")
    tiles = side("r1=15 r2=69", board="atoll").tiles
    assert find_lost(atoll, tiles) == {}


def test_a_placement_tells_what_it_loses_and_blocks() -> None:
    assert weigh("", "r1", LEFT) == ("", [])
    assert weigh("", "r5", LEFT) == (EDGE, [])
    assert weigh("r2=79", "r1", LEFT) == (BLOCKED, [])
    assert weigh("r1=15", "r2", RIGHT) == ("", [])
    assert weigh("r1=15", "r2", WATER) == ("", ["r1"])
    assert weigh("r1=15 s2=52", "r2", TOP) == ("", ["r1"])
    assert weigh("r1=15 s2=52 r3=25", "r2", SINGLE) == ("", ["r1", "r3", "s2"])
    # What was lost before isn't blocked once more.
    assert weigh("r4=69 r5=15", "r3", WATER) == ("", [])
    assert weigh("r1=25 r2=69 r5=25 r4=69", "r3", SINGLE) == ("", ["r4"])
    assert weigh("q4=69 q3=79", "q5", WATER) == ("", [])


def test_in_a_last_turn_only_a_complete_island_counts() -> None:
    assert weigh("", "r1", LEFT, is_last=True) == (LATE, [])
    assert weigh("r1=15", "r2", RIGHT, is_last=True) == ("", [])
    assert weigh("r3=69", "r2", LEFT, is_last=True) == (LATE, [])
    assert weigh("r3=69", "r5", SINGLE, is_last=True) == ("", [])


def test_the_last_tile_of_a_full_board_leaves_nothing_open() -> None:
    filled = " ".join(f"{code}=79" for code in FULL.split() if code not in ("r1", "r2"))
    assert lost(f"{filled} r1=15 r2=69") == {"r1": BLOCKED, "r2": BLOCKED}
    assert lost(f"{filled} r1=15 r2=25") == {}


def seen(table: Play) -> MaoriView:
    """Return what the asked seat sees."""
    view = table.game.view(table.state, table.decision.seat)
    assert isinstance(view, MaoriView)
    return view


def labels(table: Play, brief: bool = False) -> dict[str, str]:
    """Return the options as their seat reads them."""
    view, decision = seen(table), table.decision
    names = ("Ana", "Bea")
    return {
        option.key: WORDS.option(decision, option, view, names, brief)
        for option in decision.options
    }


@pytest.mark.parametrize("answers", ["9,p", "9,stored"])
def test_options_and_buttons_say_that_a_tile_wont_count(answers: str) -> None:
    own = side("r1=15", stored=LEFT if answers.endswith("stored") else NO_TILE)
    table = position(own, side(), discoverer="8", matrix=matrix_with(p=LEFT)).play(answers)
    texts, buttons = labels(table), labels(table, brief=True)
    assert texts["s1"] == buttons["s1"] == "S1"
    assert texts["s5"] == "S5; won't count: the island hits the edge or land and can't be completed"
    assert buttons["s5"] == "S5, won't count"
    assert texts["r2"] == "R2; your island on R1 can't be completed then"
    assert buttons["r2"] == "R2, spoils R1"


def test_options_and_buttons_say_what_a_tile_completes_or_joins() -> None:
    """T15 is a left end with 2 palms and a hut, T25 a right end with a palm and half a lei."""
    matrix = matrix_with(p=RIGHT)
    table = position(side("r1=15"), side(), discoverer="8", matrix=matrix).play("9,p")
    texts, buttons = labels(table), labels(table, brief=True)
    assert texts["r2"] == "R2; completes an island worth 6 points"
    assert buttons["r2"] == "R2, completes island, +8"
    assert buttons["t2"] == "T2"
    table = position(side("r1=15"), side(), discoverer="8", matrix=matrix_with(p=WIDE)).play("9,p")
    assert labels(table)["r2"] == "R2; joins R1"
    assert labels(table, brief=True)["r2"] == "R2, joins R1"
    # What completes one island may spoil another.
    own = side("r1=15 s2=52")
    table = position(own, side(), discoverer="8", matrix=matrix_with(p=RIGHT)).play("9,p")
    assert labels(table, brief=True)["r2"] == "R2, +8, spoils S2"


def test_a_single_island_brings_more_within_the_atoll() -> None:
    own = side(board="atoll")
    matrix = matrix_with(p=SINGLE)
    table = position(own, side(board="atoll"), board="atoll", discoverer="8", matrix=matrix)
    buttons = labels(table.play("9,p"), brief=True)
    assert (buttons["r1"], buttons["r2"]) == ("R1, +2", "R2, +3")


def test_a_placement_says_its_shells_only_where_the_supply_is_short() -> None:
    matrix = matrix_with(p=91)
    table = position(side(), side(), discoverer="8", matrix=matrix).play("9,p")
    assert labels(table, brief=True)["r1"] == "R1, +3"
    assert "and get 2 more" in WORDS.question(table.decision, ("Ana", "Bea"))
    own = side(shells=15)
    table = position(own, side(shells=14), discoverer="8", matrix=matrix).play("9,p")
    assert labels(table, brief=True)["r1"] == "R1, 1 shell short, +2"
    assert "more" not in WORDS.question(table.decision, ("Ana", "Bea"))


def test_a_tile_to_remove_says_that_it_wont_count() -> None:
    table = position(side("r1=15 r2=79 s1=1"), side(), discoverer="8").play("9,remove")
    assert labels(table) == {
        "r1": "R1: left end with 2 palms and 1 hut; won't count: the island is blocked and can't "
        "be completed unless you remove a tile",
        "r2": "R2: open water tile",
        "s1": "S1: single island with 1 palm",
    }
    assert labels(table, brief=True)["r1"] == "R1: left end, 2 palms, hut"


def test_in_the_last_turns_open_islands_are_lost_turn_by_turn() -> None:
    own, other = side("r1=15 s3=69"), side("r1=15 s3=69")
    third = side()
    matrix = matrix_with(p=LEFT)
    table = position(own, other, third, discoverer="8", matrix=matrix, filled=Seat(2))
    view = seen(table)
    # Everybody else may still place one tile.
    assert view.sides[0].lost == view.sides[1].lost == {"s3": LATE}
    table.play("9,p")
    assert {caution.spot: caution.lost for caution in seen(table).cautions}["s1"] == LATE
    table.play("t1")
    view = seen(table)
    assert view.sides[0].lost == {"r1": LATE, "s3": LATE, "t1": LATE}
    assert view.sides[1].lost == {"s3": LATE}


def test_cautions_are_for_the_seat_that_places_a_tile() -> None:
    table = position(side(), side(), discoverer="8", matrix=matrix_with(p=LEFT))
    assert seen(table).cautions == ()
    table.play("9,p")
    assert {caution.spot for caution in seen(table).cautions} == {"q5", "r5", "s5", "t3"}
    assert table.game.view(table.state, None).cautions == ()
    assert table.game.view(table.state, Seat(1)).cautions == ()


@pytest.mark.parametrize(
    ("rules", "board"), [("basic", "front"), ("advanced", "atoll"), ("pro", "front")]
)
def test_what_is_lost_stays_lost_unless_a_tile_is_removed(rules: str, board: str) -> None:
    match = begin(GAMES["maori"], 2, {"rules": rules, "board": board}, "lost")
    while match.outcome is None:
        before = match.base
        match = play_turn(match)
        for one, other in zip(before.sides, match.base.sides, strict=True):
            gone = [
                space for space, tile in enumerate(one.tiles) if tile and not other.tiles[space]
            ]
            if not gone:
                assert set(find_lost(before.board, one.tiles)) <= set(
                    find_lost(before.board, other.tiles)
                )
    # Nothing that was taken off for the scoring could have counted.
    for one, other in zip(before.sides, match.base.sides, strict=True):
        for space, _ in other.removed:
            assert space in find_lost(before.board, one.tiles, 0) or not one.tiles[space]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("board", ["front", "atoll"])
@pytest.mark.parametrize("rules", ["basic", "advanced", "pro"])
def test_every_button_of_a_match_has_room_for_its_label(rules: str, board: str, seats: int) -> None:
    longest = ""
    settings = {"rules": rules, "board": board}
    for match, _, _ in play(new_match("maori", seats, settings, "buttons"), Random(7)):
        for seat in match.waiting_for():
            perspective = perspective_of(match, seat)
            for decision in match.decisions(seat):
                for option in decision.options:
                    label = perspective.label(decision, option, brief=True)
                    longest = max(longest, label, key=len)
    assert 20 < len(longest) <= MAX_BUTTON_CHARACTERS, longest


@pytest.mark.parametrize(
    ("kind", "key", "facts"),
    [
        ("place_discoverer", "16", {}),
        ("move_discoverer", "16", {"paid": 15}),
        ("discover_tile", "p", {"paid": 3, "storage_only": 0}),
        ("discover_tile", "p", {"paid": 3, "storage_only": 1}),
        ("discover_tile", "stored", {}),
        ("move_discoverer", "16", {"paid": 15, "worth": 16}),
        ("discover_tile", "p", {"paid": 3, "worth": 16}),
        ("place_tile", "t5", {"paid": 9, "gained": 2, "lost": EDGE}),
        ("place_tile", "t5", {"paid": 9, "blocks": ("q3", "r2", "r4", "s3")}),
        ("place_tile", "t5", {"paid": 9, "points": 16, "blocks": ("q3", "r2", "r4")}),
        ("place_tile", "t5", {"paid": 9, "points": 16, "completes": 1}),
        ("place_tile", "t5", {"paid": 9, "joins": ("t1", "t2", "t3", "t4")}),
        ("remove_tile", "t5", {"lost": BLOCKED}),
        ("move_ship", "t5", {}),
    ],
)
def test_no_tile_makes_a_label_too_long_for_a_button(
    kind: str, key: str, facts: dict[str, object]
) -> None:
    view = seen(position(side(), side()))
    for tile in TILES[1:]:
        option = Option(key, facts=(*tile.facts, *facts.items()))
        decision = Decision(Seat(0), kind, (option,))
        label = WORDS.option(decision, option, view, (), brief=True)
        assert len(label) <= MAX_BUTTON_CHARACTERS, label


def test_a_tile_that_would_complete_an_island_says_so() -> None:
    matrix = matrix_with(p=RIGHT, l=LEFT)
    table = position(side("r1=15"), side(), discoverer="8", matrix=matrix)
    assert labels(table, brief=True)["9"] == "9: completes island, +8"
    table.play("9")
    texts = labels(table, brief=True)
    assert texts["p"] == "P: completes island, +8"
    assert "completes" not in texts["l"] + texts["nothing"] + texts["remove"]
    assert labels(table)["p"].endswith(", which completes an island for 8 points more")
    table.play("p")
    assert labels(table, brief=True)["r2"] == "R2, completes island, +8"


def test_no_island_is_completed_out_of_the_ships_reach() -> None:
    matrix = matrix_with(p=RIGHT)
    for shells, texts in ((0, "P: right end, "), (3, "P: completes island, ")):
        own = side("r1=15 s1=79 s2=79 s3=79 s4=79", ship="s4", shells=shells)
        table = position(own, side(), rules="advanced", discoverer="8", matrix=matrix).play("9")
        assert labels(table, brief=True)["p"].startswith(texts)
