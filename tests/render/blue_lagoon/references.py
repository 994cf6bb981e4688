"""The reference pictures of Blue Lagoon."""

from PIL import Image

from render import Scene, draw, renderer
from render.sample import NAMES, scene_of
from tests.render.positions import SMALL_MAP, match_of, start_of


def _board(seats: int, number: int, private: bool) -> Image.Image:
    match = match_of(seats)[number]
    return draw(match.view(None), scene_of(match, private))


def _scores() -> Image.Image:
    view = match_of(4)[-1].view(None)
    return renderer(view, "score_sheet")(view, Scene(NAMES))


def _small() -> Image.Image:
    match = start_of({"board": SMALL_MAP})
    return draw(match.view(None), scene_of(match))


REFERENCES = {
    "opening_2": lambda: _board(2, 0, private=False),
    "middle_3": lambda: _board(3, 50, private=False),
    "middle_4_private": lambda: _board(4, 100, private=True),
    "final_4": lambda: _board(4, -1, private=False),
    "scores_4": _scores,
    "small_map": _small,
}
