"""A match as one picture: its final board, its curve, three moments and its date."""

import io

import pytest
from PIL import Image

from engine import GAMES
from render import Scene, draw
from render.alt import LIMIT
from render.curves import MarkedMoment
from render.fonts import record_texts
from render.poster import draw_poster, poster_image, poster_text
from render.sample import NAMES
from tests.render.seen import match_of
from tests.render.texts import assert_apart

MOMENTS = (
    "Move 12: Tāne settles on the sacred stone and takes the fourth statuette.",
    "Move 31: Keʻala links five islands, which is worth ten points at the end of the phase.",
    "Move 58: Sina leaves the last resource to Moana.",
)
MARKED = [MarkedMoment("1", 4, 1), MarkedMoment("2", 9, 2), MarkedMoment("3", 15, 3)]
DATE = "18 November 2026"


@pytest.mark.parametrize("game", GAMES)
def test_a_poster_has_board_curve_moments_names_and_date(game: str) -> None:
    view = match_of(game, 4, 1)[-1].view(None)
    expected = [[10.0 + seat + step * seat / 5 for seat in range(4)] for step in range(21)]
    with record_texts() as texts:
        image = poster_image(view, NAMES[:4], expected, MARKED, MOMENTS, DATE, [10])
    board = draw(view, Scene(NAMES[:4]))
    assert image.crop((0, 0, *board.size)).tobytes() == board.tobytes()
    assert image.width == board.width
    assert image.height > board.height * 1.4
    description = " ".join(text.text for text in texts)
    assert DATE in description and "fourth statuette" in description
    assert all(name in description for name in NAMES[:4])
    assert_apart(texts)
    data = draw_poster(view, NAMES[:4], expected, MARKED, MOMENTS, DATE)
    with Image.open(io.BytesIO(data)) as stored:
        assert stored.format == "PNG"
        assert stored.width == image.width
    assert len(data) < 600 * 1024


def test_the_alt_text_of_a_poster_tells_the_ranking_the_moments_and_the_date() -> None:
    view = match_of("blue_lagoon", 4, 1)[-1].view(None)
    text = poster_text(view, NAMES[:4], MOMENTS, DATE)
    for name, score in zip(NAMES, view.scores, strict=False):
        assert f"{name} {score:g} point" in text
    assert "score sheet" not in text
    assert "2. Move 31" in text and text.endswith(f"Played {DATE}.")
    assert len(poster_text(view, ["x" * 400] * 4, MOMENTS * 9, DATE)) <= LIMIT


def test_an_even_match_has_a_poster_without_moments() -> None:
    view = match_of("maori", 2, 1)[-1].view(None)
    poster = poster_image(view, NAMES[:2], [[0.0, 0.0], [1.0, 2.0]], [], [], DATE)
    assert poster.height > poster.width
