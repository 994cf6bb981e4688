"""A hint looks unlike the rings of all that may be chosen."""

import random

import pytest
from msgspec.structs import replace
from PIL import ImageStat

from engine import GAMES
from render import draw
from render.canvas import record_placements
from render.palette import ACTIVE
from tests.render.seen import match_of, questions


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
