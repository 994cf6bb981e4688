"""Games without a renderer or with a partial one, and score sheets."""

import io
import sys

import pytest
from msgspec.structs import replace
from PIL import Image

import render
from engine import GAMES, Outcome, Seat, begin
from engine.core.words import Words
from render import (
    Scene,
    alt_text,
    draw,
    hand,
    picture,
    renderer,
    score_sheet,
    score_text,
    text_board,
)
from render.fonts import record_texts
from render.pad import outcome_line
from render.sheet import label, plain, seat_facts
from render.words import words_of
from tests.render.positions import atoll, match_of


def test_a_game_without_looks_is_drawn_as_a_sheet():
    for seats in (1, 2, 5):
        image = Image.open(io.BytesIO(picture(atoll(seats), Scene(("Ana",), ("a1",)))))
        assert image.width == 960
        assert image.height <= 1280


def test_a_sheet_with_more_than_fits_is_cut():
    image = draw(replace(atoll(), story="word " * 5000), Scene(()))
    assert image.height <= 1280


def test_a_view_without_seats_draws():
    assert draw(replace(atoll(0), to_move=()), Scene(())).width == 960


@pytest.mark.parametrize(
    ("reason", "description"),
    [("finished", {"wins", "Bea"}), ("resigned", {"ended early"})],
    ids=["played out", "left"],
)
@pytest.mark.parametrize("part", ["draw", "score_sheet"])
def test_a_sheet_of_a_match_that_is_over_says_who_won_or_that_it_ended_early(
    reason, description, part
):
    over = replace(
        atoll(),
        to_move=(),
        outcome=Outcome(reason, ((Seat(1),), (Seat(0),), (Seat(2),)), (1, 9, 0)),
    )
    with record_texts() as written:
        renderer(over, part)(over, Scene(("Ana", "Bea", "Cem")))
    texts = {text.text for text in written}
    assert description <= texts and ("wins" in texts) is ("ended early" not in texts)


def test_the_fallback_asks_its_question_and_says_what_may_be_answered():
    scene = Scene(("Ana", "Bea"), ("a1",), "Which tile?", choices=("A1: sand", "Pass"))
    lines = text_board(atoll(), scene).splitlines()
    assert "Y Bea to move: Which tile?" in lines
    assert lines[-1] == "You can choose: A1: sand; Pass."
    assert text_board(atoll(), replace(scene, choices=())).endswith("You can choose: A1.")


def test_the_fallback_shows_viewers_their_own_things():
    assert hand(replace(atoll(), viewer=Seat(2)), Scene(())) == "5 points.\nshells 2, tiles a1, b2."
    assert hand(replace(atoll(), viewer=None), Scene(())) == ""


def test_the_sheet_says_everything_in_words():
    assert plain(True, words_of()) == "yes"
    assert plain(None, words_of()) == "none"
    assert plain((), words_of()) == "none"
    assert plain(2.5, words_of()) == "2½"
    assert plain(frozenset({"b", "a"}), words_of()) == "a, b"
    assert seat_facts(atoll(), 2) == ["shells 2, tiles a1, b2"]


def test_the_sheet_uses_the_game_s_texts():
    words = Words({"word": {"held": "cards in hand", "haka": "a haka"}})
    assert label(words, "held") == "cards in hand"
    assert label(words, "round_number") == "round number"
    assert plain("haka", words) == "a haka" and plain("b1", words) == "b1"


def test_a_game_s_looks_are_found_by_its_name(tmp_path, monkeypatch):
    """The fallback draws what the game's renderer leaves out."""
    (tmp_path / "atoll.py").write_text(
        "from PIL import Image\ndef draw(view, scene):\n    return Image.new('RGB', (10, "
        "10), (223, 63, 43))\n"
    )
    monkeypatch.setattr(render, "__path__", [*render.__path__, str(tmp_path)])
    try:
        assert draw(atoll(), Scene(())).size == (10, 10)
        image = Image.open(io.BytesIO(picture(atoll(), Scene(()))))
        assert image.convert("RGB").getpixel((0, 0)) == (223, 63, 43)
        assert alt_text(atoll(), Scene(())).startswith("Atoll.")
    finally:
        sys.modules.pop("render.atoll", None)


def test_strange_ids_are_served_by_the_fallback():
    assert draw(replace(atoll(), game="../etc"), Scene(())).width == 960


def test_the_fallback_shows_scores_once_somebody_has_points():
    assert score_sheet(replace(atoll(), scores=(0, 0, 0)), Scene(())) is None
    assert score_sheet(atoll(), Scene(())) is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_score_sheet_comes_with_the_end_of_each_phase(seats):
    heights = {}
    for match in match_of(seats):
        view = match.view(None)
        if len(view.rows) not in heights:
            data = score_sheet(view, Scene(("Ana", "Bea", "Cem", "Dag")))
            heights[len(view.rows)] = data and Image.open(io.BytesIO(data)).size
    assert heights[0] is None
    assert heights[1][1] < heights[2][1] <= heights[2][0] * 4 / 3


def test_the_score_sheet_says_who_won_and_how():
    view = match_of(2)[-1].view(None)
    names = ("Ana", "Bea")

    def description(scores, ranking, *items):
        tiebreak = tuple((("items", number),) for number in items)
        return outcome_line(
            replace(view, scores=scores, outcome=Outcome("over", ranking, scores, tiebreak)), names
        )

    assert description((120, 90), ((0,), (1,)), 1, 5) == "Ana wins with 120 points"
    assert (
        description((90, 90), ((0,), (1,)), 5, 1)
        == "Ana wins with 90 points, on the tiebreak: 5 items"
    )
    assert description((90, 90), ((0, 1),), 5, 5) == "Ana and Bea share the win with 90 points"


def test_a_match_that_everybody_has_left_shows_the_phase_under_way():
    early = match_of(2)[30]
    late = match_of(2)[-9]
    left = [score_sheet(match.resign(Seat(1)).view(None), Scene(())) for match in (early, late)]
    assert score_sheet(early.view(None), Scene(())) is None
    one, both = (Image.open(io.BytesIO(data)) for data in left)
    assert one.height < both.height


@pytest.mark.parametrize("game", ["maori", "polynesia", "conquest"])
def test_the_points_of_a_match_that_goes_on_are_counted_if_that_is_asked(game):
    match = begin(GAMES[game], 2, {}, 3)
    view, names = match.view(None), ("Ana", "Bea")
    assert renderer(view, "score_sheet")(view, Scene(names)) is None
    assert renderer(view, "score_sheet")(view, Scene(names, so_far=True)) is not None
    assert all(
        f"{abs(points):g}" in score_text(view, Scene(names, so_far=True)) for points in view.scores
    )
