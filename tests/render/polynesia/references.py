"""Small copies of a few pictures: `python -m tests.render.polynesia.references` draws them anew."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from render import draw, renderer
from tests.render.polynesia.positions import match_of, private, public

FOLDER = Path(__file__).parent / "references"
ACROSS = 240


def _scores() -> Image.Image:
    view, scene = public(match_of(4)[-1])
    return renderer(view, "score_sheet")(view, scene)


REFERENCES: dict[str, Callable[[], Image.Image]] = {
    "opening_4": lambda: draw(*public(match_of(4)[0])),
    "explore_4": lambda: draw(*private(match_of(4)[44], "explore")),
    "travel_4": lambda: draw(*private(match_of(4)[60], "travel")),
    "final_4": lambda: draw(*public(match_of(4)[-1])),
    "middle_3": lambda: draw(*public(match_of(3)[40])),
    "final_2": lambda: draw(*public(match_of(2)[-1])),
    "scores_4": _scores,
}


def small(name: str) -> Image.Image:
    """The picture of that name, reduced."""
    image = REFERENCES[name]().convert("RGB")
    return image.resize((ACROSS, round(image.height * ACROSS / image.width)), Image.Resampling.BOX)


def main() -> None:
    """Draw all of them anew."""
    for name in REFERENCES:
        small(name).quantize(256).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
