"""A hint looks unlike the rings of all that may be chosen."""

import random

import pytest
from msgspec.structs import replace
from PIL import ImageStat

from engine import GAMES
from render import draw
from render.canvas import Box, Canvas, record_placements
from render.hints import Advised, put_hint
from render.palette import ACTIVE, BACKDROP, CREAM
from tests.render.seen import match_of, questions

SIZE, RADIUS = 400, 24
"""Of an empty board, and of the ring in it."""
MIDDLE = 200, 200


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_veils_the_board_and_rings_what_it_advises_in_gold(game: str) -> None:
    matches = match_of(game, 2, 1)
    for match in matches[len(matches) // 3 :]:
        asked = [seen for seen in questions(match, random.Random(1)) if seen[1].rings]
        if asked:
            break
    view, scene = asked[0]
    hint = replace(scene, rings=scene.rings[:1], ringed="advised")
    legal = draw(view, replace(scene, rings=scene.rings[:1]))
    with record_placements() as notes:
        advised = draw(view, hint)
        (pill,) = (thing for thing in notes.on(advised) if thing.shows.startswith("advised:"))
    assert pill.shows == f"advised:{scene.rings[0]}"
    board = (0, 100, legal.width, legal.height // 2)
    before, after = (
        ImageStat.Stat(image.crop(board).convert("L")).mean[0] for image in (legal, advised)
    )
    assert 0.6 * before < after < 0.85 * before
    left, top, right, bottom = pill.box
    pixels = advised.crop((left, top, right, bottom)).getcolors(1 << 20)
    assert max(pixels)[1] == ACTIVE


def test_the_code_of_a_hint_stands_where_it_hides_least() -> None:
    x, y = MIDDLE
    left, right = x - RADIUS, x + RADIUS
    assert _pill_beside(MIDDLE)[1] > y, "below, where nothing is on any side"
    assert _pill_beside(MIDDLE, (left, y, right, SIZE))[3] < y, "above"
    assert _pill_beside(MIDDLE, (left, 0, right, SIZE))[0] > x, "at the right"


@pytest.mark.parametrize("middle", [(10, 10), (390, 200), (390, 390)])
def test_the_code_of_a_hint_stays_on_the_board(middle: tuple[int, int]) -> None:
    left, top, right, bottom = _pill_beside(middle)
    assert min(left, top) >= 0 and max(right, bottom) <= SIZE


def _pill_beside(middle: tuple[int, int], striped: Box = (0, 0, 0, 0)) -> Box:
    """Return where the code of a hint stands on a board on which only one box is striped."""
    canvas = Canvas.blank(SIZE, SIZE, BACKDROP)
    left, top, right, bottom = striped
    for x in range(left, right, 4):
        canvas.cover((x, top, x + 2, bottom), CREAM)
    with record_placements() as notes:
        put_hint(canvas, (0, 0, SIZE, SIZE), [Advised("a1", *middle, RADIUS)])
        (pill,) = (thing for thing in notes.on(canvas.image) if thing.shows == "advised:a1")
    return pill.box
