"""The reference pictures of Maori."""

from PIL import Image

from render import Scene, draw, renderer
from render.sample import NAMES
from tests.render.maori.positions import draft_until, match_of, private, public, scene_for


def _scores() -> Image.Image:
    view = scene_for(match_of(5)[-1], None)
    image: Image.Image = renderer(view, "score_sheet")(view, Scene(NAMES))
    return image


REFERENCES = {
    "early_2": lambda: draw(*public(match_of(2)[4])),
    "early_5": lambda: draw(*public(match_of(5)[4])),
    "final_2": lambda: draw(*public(match_of(2)[-1])),
    "opening_3_advanced_atoll": lambda: draw(*public(match_of(3, "atoll", "advanced")[1])),
    "middle_2_move_ship": lambda: draw(
        *private(draft_until(match_of(2, rules="advanced")[20], "move_ship"))
    ),
    "middle_4_pro_atoll_place": lambda: draw(
        *private(draft_until(match_of(4, "atoll", "pro")[40], "place_tile"))
    ),
    "middle_5_discoverer": lambda: draw(*private(match_of(5)[40])),
    "middle_5_take": lambda: draw(*private(draft_until(match_of(5)[44], "discover_tile"))),
    "final_5": lambda: draw(*public(match_of(5)[-1])),
    "scores_5": _scores,
}
