"""The reference pictures of Conquest of Paradise."""

from PIL import Image

from engine import Match
from render import Scene, draw, renderer
from render.sample import NAMES
from tests.render.conquest.positions import battle_of, first_of, match_of, scene_for, seeking_kumara


def _board(match: Match, private: bool) -> Image.Image:
    return draw(*scene_for(match, private))


def _scores() -> Image.Image:
    view = match_of(4)[-1].view(None)
    return renderer(view, "score_sheet")(view, Scene(NAMES[:4]))


REFERENCES = {
    "opening_4": lambda: _board(match_of(4)[0], private=False),
    "launch_4_private": lambda: _board(first_of("launch_explorer", 4, turn=4), private=True),
    "explore_3": lambda: _board(first_of("explore_on", 3, turn=3), private=False),
    "move_4_private": lambda: _board(first_of("move_stack", 4, turn=11), private=True),
    "battle_2": lambda: _board(battle_of(2), private=False),
    "final_4": lambda: _board(match_of(4)[-1], private=False),
    "coast_3_private": lambda: draw(*seeking_kumara(5, 5, 5, 5)),
    "scores_4": _scores,
}
