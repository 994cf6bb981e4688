"""Small copies of pictures of Conquest of Paradise: `python -m tests.render.conquest_references` draws them anew."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from engine import Match
from render import Scene, draw, renderer
from render.sample import NAMES
from tests.render.conquest_positions import battle_of, first_of, match_of, seen

FOLDER = Path(__file__).parent / "references" / "conquest"
ACROSS = 240


def _board(match: Match, private: bool) -> Image.Image:
    return draw(*seen(match, private))


def _scores() -> Image.Image:
    view = match_of(4)[-1].view(None)
    return renderer(view, "score_sheet")(view, Scene(NAMES[:4]))


REFERENCES: dict[str, Callable[[], Image.Image]] = {
    "opening_4": lambda: _board(match_of(4)[0], private=False),
    "launch_4_private": lambda: _board(first_of("launch_explorer", 4, turn=4), private=True),
    "explore_3": lambda: _board(first_of("explore_on", 3, turn=3), private=False),
    "move_4_private": lambda: _board(first_of("move_stack", 4, turn=11), private=True),
    "battle_2": lambda: _board(battle_of(2), private=False),
    "final_4": lambda: _board(match_of(4)[-1], private=False),
    "scores_4": _scores,
}


def small(name: str) -> Image.Image:
    """The picture of that name, reduced."""
    image = REFERENCES[name]().convert("RGB")
    return image.resize((ACROSS, round(image.height * ACROSS / image.width)), Image.Resampling.BOX)


def main() -> None:
    """Draw all of them anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in REFERENCES:
        small(name).quantize(256).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
