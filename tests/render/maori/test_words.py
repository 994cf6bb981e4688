"""Alt texts and text boards of Maori."""

import pytest
from msgspec.structs import replace

from engine.core.words import points
from engine.maori.matrix import CELLS
from render import Scene, alt_text, hand, text_board
from render.alt import LIMIT
from render.maori.words import describe_tile
from render.sample import scene_of
from tests.engine.maori import table
from tests.render.maori.positions import draft_until, match_of, private, public, scene_for

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
        text = alt_text(scene_for(match, None), scene)
        assert len(text) <= LIMIT
        for letter, name in zip("RYVWK", LONG[:seats], strict=False):
            assert f"{letter} {name[:15]}" in text


@pytest.mark.parametrize(
    ("seats", "board", "rules"),
    [(5, "front", "pro"), (4, "atoll", "advanced"), (2, "front", "basic")],
)
def test_islands_are_listed_for_all_seats_or_none(seats, board, rules):
    for match in match_of(seats, board, rules)[::6]:
        view = scene_for(match, None)
        parts = alt_text(view, scene_of(match)).split(" Board: ")[1].split("; ")
        described_islands = {
            letter
            for letter in "RYVWK"
            for part in parts
            if part.startswith(f"{letter} ") and "palm" in part
        }
        has_islands = {"RYVWK"[seat] for seat, side in enumerate(view.sides) if side.islands}
        assert described_islands in (set(), has_islands)


def test_the_alt_text_tells_the_position():
    match = draft_until(match_of(2, rules="advanced")[20], "place_tile")
    view, scene = private(match)
    scene = replace(scene, names=("Ana", "Bea"), question="Where do you place the tile?", last="")
    text = alt_text(view, scene)
    letter, name = (("R", "Ana"), ("Y", "Bea"))[view.to_move[0]]
    assert (
        f". Maori, round {view.round}, {len(view.supply)} tiles and {view.bank} shells left."
    ) in text
    assert f"{letter} {name} to move: Where do you place the tile?" in text
    # What changed comes first.
    assert text.startswith(
        f"Latest: {letter} {name} sailed from {view.journey[0]} to "
        f"{view.discoverer}, took {view.turn.cell.upper()}."
    )
    for seat, side in enumerate(view.sides):
        assert f"{('R Ana', 'Y Bea')[seat]}: {points(view.scores[seat])} point" in text
        assert f"{side.shells} shell" in text
        assert f"{side.empty} empty" in text
        assert f"ship on {side.ship.upper()}" in text
    assert f"discoverer on {view.discoverer}, facing " in text
    assert f"{CELLS[3].upper()} {describe_tile(view.matrix[3])}" in text
    assert text.endswith(f"You can choose: {' '.join(spot.upper() for spot in scene.rings)}.")


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("place", "placed {tile} on {spot}"),
        ("store", "stored it"),
        ("remove", "removed {tile} from {spot}"),
        ("place_stored", "placed {tile} from storage on {spot}"),
        ("nothing", "took no tile"),
    ],
)
def test_the_alt_text_finds_the_last_move_by_itself(act, words):
    view, scene = public(match_of(3)[20])
    cell = "c" if act in ("place", "store") else ""
    spot = "" if act in ("store", "nothing") else "s4"
    tile = 0 if act == "nothing" else 30
    turn = replace(view.turn, act=act, cell=cell, spot=spot, tile=tile)
    text = alt_text(replace(view, turn=turn), scene)
    assert words.format(tile=describe_tile(30), spot="S4") in text
    assert ("took C" in text) is bool(cell)


def test_the_final_alt_text_names_the_winner():
    match = match_of(5)[-1]
    first = match.outcome.ranking[0][0]
    assert f"{'RYVWK'[first]} {'ABCDE'[first]} wins." in alt_text(
        scene_for(match, None), Scene(tuple("ABCDE"))
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
        (76, "tall middle 1 palm"),
        (83, "water 1 ship"),
        (91, "water 2 shells"),
        (96, "volcano"),
    ],
)
def test_a_tile_is_described_briefly(number, words):
    assert describe_tile(number) == words


@pytest.mark.parametrize(("board", "rules"), [("front", "basic"), ("atoll", "pro")])
def test_the_text_board_holds_the_whole_position(board, rules):
    view = scene_for(match_of(3, board, rules)[-1], None)
    text = text_board(view, Scene(("Ana", "Bea", "Cem")))
    latest, phase, *_ = text.splitlines()
    assert latest.startswith("Latest: ")
    assert phase == f"Maori, final position, {rules} rules, {board} board."
    for cell, number in enumerate(view.matrix):
        assert f"{CELLS[cell].upper()} {describe_tile(number) if number else 'empty'}" in text
    for seat, side in enumerate(view.sides):
        own = text.split("'s board:")[seat + 1].split("Points:")[0]
        for laid in side.tiles:
            assert f"{laid.spot.upper()} {describe_tile(laid.tile)}" in own
        for laid in side.removed:
            assert f"{laid.spot.upper()} {describe_tile(laid.tile)}, incomplete, taken off" in own
        assert own.count(" empty") + len(side.removed) == side.empty
    for row, side in zip(view.rows, view.sides, strict=True):
        removed = len(side.removed)
        assert (
            f"Empty spaces {points(row.empty + removed)}, Incomplete islands {points(-removed)};"
            in text
        )
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
    view = scene_for(match, 0)
    side = view.sides[0]
    lines = hand(view, Scene(("Ana", "Bea", "Cem"))).splitlines()
    assert lines[0] == f"Shells: {side.shells}."
    assert lines[1] == f"Ships on your board: {side.ships}."
    assert lines[2] == f"Storage: {describe_tile(side.stored) or 'empty'}."
    assert (
        lines[3] == f"Small ship: {f'on {side.ship.upper()}' if side.ship else 'beside the board'}."
    )
    assert lines[4] == "Your board, row by row:" and lines[5].startswith("Q3 ")
    # Points are said elsewhere.
    assert lines[-1].startswith("Islands: ")
    assert hand(scene_for(match, None), Scene(("Ana", "Bea", "Cem"))) == ""


def test_islands_and_spaces_that_wont_count_are_named():
    own = table.side("r1=15 r2=79 s3=69")
    matrix = table.matrix_with(p=15)
    play = table.position(own, table.side(), discoverer="8", matrix=matrix).play("9,p")
    view = replace(play.game.view(play.state, 0), to_move=(0,))
    rings = tuple(option.spot for option in play.decision.options if option.spot)
    text = text_board(view, Scene(("Ana", "Bea"), rings=rings))
    assert "Islands: R1 2 palms 1 hut won't count; S3 1 palm open." in text
    assert "R5 (won't count)" in text
    assert "S1," in text
