"""Alt texts and text boards of all games."""

import pytest
from msgspec.structs import replace

from engine import GAMES, Seat, begin
from engine.core.words import words_of
from render import Scene, alt_text, draw, hand, text_board
from render.alt import LIMIT, compose
from render.sample import scene_of
from tests.render.positions import atoll, match_of

WORDS = words_of("blue_lagoon")
LONG = ("M" * 400, "T" * 400, "K" * 400, "S" * 400)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_alt_texts_never_exceed_the_limit_nor_lose_a_seat(seats):
    for match in match_of(seats)[::5]:
        view = match.view(None)
        scene = replace(
            scene_of(match), names=LONG[:seats], question="where " * 400, last="there " * 400
        )
        text = alt_text(view, scene)
        assert len(text) <= LIMIT
        assert all(
            f"{letter} {name[:15]}" in text
            for letter, name in zip("RYVW", LONG[:seats], strict=False)
        )


def test_the_alt_text_tells_the_position():
    match = match_of(2)[30]
    view = match.view(None)
    text = alt_text(
        view,
        Scene(
            ("Ana", "Bea"),
            ("g7", "17"),
            "Where do you place your piece?",
            "Bea placed a boat on 3.",
        ),
    )
    # What changed comes first.
    news = "Latest: Bea placed a boat on 3."
    assert text.startswith(f"{news} Blue Lagoon, exploration, move {view.move}, ")
    letter, name = ("R", "Ana") if view.to_move == (0,) else ("Y", "Bea")
    assert f"{letter} {name} to move: Where do you place your piece?" in text
    assert f"R Ana: {view.scores[0]:.0f} points, {view.sides[0].settlers_left} settlers" in text
    spot, item = view.items[0]
    assert f"{WORDS.word(item)} {spot.upper()}" in text
    assert text.endswith("You can choose: G7 17.")


def test_the_alt_text_finds_the_last_move_by_itself():
    view = match_of(2)[30].view(None)
    piece = next(piece for piece in view.pieces if piece.spot == view.last)
    assert f"a {piece.piece} on {view.last.upper()}" in alt_text(view, Scene(("Ana", "Bea")))


def test_the_alt_text_lists_a_dozen_codes_and_counts_the_rest():
    view = match_of(2)[2].view(None)
    codes = tuple(str(number) for number in range(1, 31))
    assert alt_text(view, Scene(("Ana", "Bea"), codes)).endswith("11 12 and 18 more.")


def test_the_final_alt_text_names_the_winner():
    match = match_of(4)[-1]
    first = match.outcome.ranking[0][0]
    assert f"{'RYVW'[first]} {'ABCD'[first]} wins." in alt_text(
        match.view(None), Scene(tuple("ABCD"))
    )


def test_text_that_does_not_fit_is_cut_at_the_end():
    seats = ["R Ana: 3 points"]
    assert (
        compose(["Game"], seats, ["A: x"], Scene((), ("a1",)))
        == "Game. R Ana: 3 points. Board: A: x. You can choose: A1."
    )
    crowded = compose(["Game"], seats, ["region " * 20] * 20, Scene((), ("a1",)))
    assert len(crowded) <= LIMIT
    assert "Board: region" in crowded
    assert crowded.endswith(("…", "You can choose: A1."))
    assert compose(["long " * 900], seats, [], Scene(())).endswith("R Ana: 3 points.")


def test_the_text_board_holds_the_whole_position():
    match = match_of(3)[-1]
    view = match.view(None)
    text = text_board(view, Scene(("Ana", "Bea", "Cem")))
    for piece in view.pieces:
        mark = "RYV"[piece.seat] + ("v" if piece.piece == "village" else "")
        assert f"{piece.spot.upper()}{mark}" in text
    for spot, item in view.items:
        assert f"{WORDS.word(item)} {spot.upper()}" in text
    for row in (row for rows in view.rows for row in rows):
        assert f"Majorities {row.majorities}, Resources {row.resources}" in text


def test_the_fallback_tells_every_fact():
    view = atoll()
    scene = Scene(("Ana", "Bea", "Cem"), ("a1",), "Which tile?", "Ana rested")
    for text in (alt_text(view, scene), text_board(view, scene)):
        assert len(text) <= LIMIT
        for part in (
            "Atoll",
            "Y Bea to move",
            "V Cem: 5 points, shells 2, tiles a1, b2",
            "Round number: 3",
            "red 3, blue 5",
        ):
            assert part in text
        assert text.endswith("You can choose: A1.")
        assert ".." not in text


def test_an_abandoned_match_is_nobody_s_turn():
    match = match_of(2)[9].resign(Seat(1))
    scene = scene_of(match)
    assert "to move" in alt_text(match_of(2)[9].view(None), scene)
    assert "Ended early." in alt_text(match.view(None), scene)
    assert "Ended early." in text_board(match.view(None), scene)
    assert draw(match.view(None), scene)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_question_in_a_text_board_ends_with_its_own_mark(game):
    view = begin(GAMES[game], 2, seed=3).view(None)
    assert "Which one?\n" in text_board(view, Scene(("Ana", "Bea"), (), "Which one?"))


def test_the_hand_is_what_the_viewer_has_left_and_holds():
    match = match_of(2)[30]
    view = match.view(Seat(1))
    scene = Scene(("Ana", "Bea"))
    side = replace(view.sides[1], settlers_left=1, villages_left=0, held=(2, 1, 0, 1, 0))
    view = replace(view, sides=(view.sides[0], side), scores=(3, 25))
    assert hand(view, scene).splitlines() == [
        "You have 1 settler left.",
        "You've collected 2 coconuts, 1 bamboo and 1 precious stone.",
    ]
    assert hand(match.view(None), scene) == ""
