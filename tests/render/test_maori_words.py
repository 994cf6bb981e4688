"""Alt texts and text boards of Maori."""

import pytest
from msgspec.structs import replace

from engine.core.words import points
from engine.maori.matrix import CELLS
from render import Scene, alt_text, hand, text_board
from render.alt import LIMIT
from render.maori.words import tile_words
from render.sample import scene_of
from tests.render.maori_positions import asked, match_of, private, public, seen

LONG = tuple(letter * 400 for letter in "MTKSR")


@pytest.mark.parametrize(
    ("seats", "board", "rules"),
    [(5, "front", "pro"), (4, "atoll", "advanced"), (2, "front", "basic")],
)
def test_alt_texts_never_exceed_the_limit_nor_lose_a_seat(seats, board, rules):
    for match in match_of(seats, board, rules)[::6]:
        scene = replace(
            scene_of(match), names=LONG[:seats], question="where " * 400, last="there " * 400
        )
        text = alt_text(seen(match, None), scene)
        assert len(text) <= LIMIT
        for letter, name in zip("RYVWK", LONG[:seats], strict=False):
            assert f"{letter} {name[:15]}" in text


@pytest.mark.parametrize(
    ("seats", "board", "rules"),
    [(5, "front", "pro"), (4, "atoll", "advanced"), (2, "front", "basic")],
)
def test_no_seats_islands_are_told_while_anothers_are_not(seats, board, rules):
    for match in match_of(seats, board, rules)[::6]:
        view = seen(match, None)
        parts = alt_text(view, scene_of(match)).split(" Board: ")[1].split("; ")
        told = {
            letter
            for letter in "RYVWK"
            for part in parts
            if part.startswith(f"{letter} ") and "palm" in part
        }
        has_islands = {"RYVWK"[seat] for seat, side in enumerate(view.sides) if side.islands}
        assert told in (set(), has_islands)


def test_the_alt_text_tells_the_position():
    match = asked(match_of(2, rules="advanced")[20], "place_tile")
    view, scene = private(match)
    scene = replace(scene, names=("Ana", "Bea"), question="Where do you place the tile?", last="")
    text = alt_text(view, scene)
    letter, name = (("R", "Ana"), ("Y", "Bea"))[view.to_move[0]]
    assert text.startswith(
        f"Maori, round {view.round}, {len(view.supply)} tiles and {view.bank} shells left."
    )
    assert f"{letter} {name} to move: Where do you place the tile?" in text
    assert (
        f"Last: {letter} {name} discoverer {view.journey[0]} to {view.discoverer}, takes {view.turn.cell.upper()}."
        in text
    )
    for seat, side in enumerate(view.sides):
        assert f"{('R Ana', 'Y Bea')[seat]}: {points(view.scores[seat])} point" in text
        assert f"{side.shells} shell" in text
        assert f"{side.empty} empty" in text
        assert f"ship at {side.ship.upper()}" in text
    assert f"discoverer at {view.discoverer}, line " in text
    assert f"{CELLS[3].upper()} {tile_words(view.matrix[3])}" in text
    assert text.endswith(f"Legal: {' '.join(spot.upper() for spot in scene.rings)}.")


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("place", "places {tile} at {spot}"),
        ("store", "stores it"),
        ("remove", "removes {tile} at {spot}"),
        ("place_stored", "places from storage {tile} at {spot}"),
        ("nothing", "does nothing"),
    ],
)
def test_the_alt_text_finds_the_last_move_by_itself(act, words):
    view, scene = public(match_of(3)[20])
    cell = "c" if act in ("place", "store") else ""
    spot = "" if act in ("store", "nothing") else "s4"
    tile = 0 if act == "nothing" else 30
    turn = replace(view.turn, act=act, cell=cell, spot=spot, tile=tile)
    text = alt_text(replace(view, turn=turn), scene)
    assert words.format(tile=tile_words(30), spot="S4") in text
    assert ("takes C" in text) is bool(cell)


def test_the_final_alt_text_names_the_winner():
    match = match_of(5)[-1]
    first = match.outcome.ranking[0][0]
    assert f"{'RYVWK'[first]} {'ABCDE'[first]} wins." in alt_text(
        seen(match, None), Scene(tuple("ABCDE"))
    )


def test_before_the_first_turn_there_is_no_last_move():
    text = alt_text(*public(match_of(3)[0]))
    assert text.startswith("Maori, placing the discoverer, 81 tiles and 15 shells left.")
    assert "Last:" not in text
    assert "discoverer not placed yet" in text


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "single island 1 palm"),
        (15, "left end 2 palms and 1 hut"),
        (11, "left end 1 palm and 1 half lei"),
        (76, "vertical middle 1 palm"),
        (83, "water 1 ship"),
        (91, "water 2 shells"),
        (96, "volcano"),
    ],
)
def test_a_tile_is_told_in_few_words(number, words):
    assert tile_words(number) == words


@pytest.mark.parametrize(("board", "rules"), [("front", "basic"), ("atoll", "pro")])
def test_the_text_board_holds_the_whole_position(board, rules):
    view = seen(match_of(3, board, rules)[-1], None)
    text = text_board(view, Scene(("Ana", "Bea", "Cem")))
    assert text.startswith(f"Maori, final position, {rules} rules, {board} board.")
    for cell, number in enumerate(view.matrix):
        assert f"{CELLS[cell].upper()} {tile_words(number) if number else 'empty'}" in text
    for seat, side in enumerate(view.sides):
        own = text.split("Board of ")[seat + 1].split("Points:")[0]
        for laid in side.tiles:
            assert f"{laid.spot.upper()} {tile_words(laid.tile)}" in own
        for laid in side.removed:
            assert f"{laid.spot.upper()} {tile_words(laid.tile)}, incomplete, removed" in own
        assert own.count(" empty") + len(side.removed) == side.empty
    for row in view.rows:
        assert (
            f"Palms without a hut {row.palms}, Palms with a hut {row.huts}, Leis {row.leis}, "
            in text
        )
        assert f"{points(row.total)} in all." in text


def test_the_text_board_says_what_legal_spots_cost():
    view, scene = private(match_of(5)[40])
    legal = text_board(view, scene).splitlines()[-1]
    for spot, paid in view.prices:
        assert (f"{spot} ({paid} shell" in legal) is bool(paid)
        assert f" {spot}" in legal


def test_the_hand_is_what_lies_before_the_viewer():
    match = match_of(3, rules="pro")[-1]
    view = seen(match, 0)
    side, told = view.sides[0], hand(view, Scene(("Ana", "Bea", "Cem"))).splitlines()
    assert told[0] == f"Shells: {side.shells}."
    assert told[1] == f"Ships in sight: {side.ships}."
    assert told[2] == f"Storage: {tile_words(side.stored) or 'empty'}."
    assert (
        told[3] == f"Small ship: {f'on {side.ship.upper()}' if side.ship else 'beside the board'}."
    )
    assert told[4] == "Board, row by row:" and told[5].startswith("Q3 ")
    # Points are said elsewhere.
    assert told[-1].startswith("Islands: ")
    assert hand(seen(match, None), Scene(("Ana", "Bea", "Cem"))) == ""
