"""The reference pictures of Polynesia."""

from PIL import Image

from render import draw, renderer
from tests.render.polynesia.positions import match_of, private, public


def _scores() -> Image.Image:
    view, scene = public(match_of(4)[-1])
    return renderer(view, "score_sheet")(view, scene)


REFERENCES = {
    "opening_4": lambda: draw(*public(match_of(4)[0])),
    "explore_4": lambda: draw(*private(match_of(4)[44], "explore")),
    "travel_4": lambda: draw(*private(match_of(4)[60], "travel")),
    "middle_4": lambda: draw(*public(match_of(4)[60])),
    "final_4": lambda: draw(*public(match_of(4)[-1])),
    "opening_2": lambda: draw(*public(match_of(2)[0])),
    "middle_3": lambda: draw(*public(match_of(3)[40])),
    "final_2": lambda: draw(*public(match_of(2)[-1])),
    "scores_4": _scores,
}
