"""Small copies of a few pictures, to notice when one changes: `python -m tests.render.references` draws them anew."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from render import Scene, draw, renderer
from render.sample import NAMES, scene_of
from tests.render.positions import SMALL_MAP, atoll, match_of, start_of

FOLDER = Path(__file__).parent / "references"
ACROSS = 240


def _board(seats: int, number: int, private: bool) -> Image.Image:
    match = match_of(seats)[number]
    return draw(match.view(None), scene_of(match, private))


def _scores() -> Image.Image:
    view = match_of(4)[-1].view(None)
    return renderer(view, "score_sheet")(view, Scene(NAMES))


def _small() -> Image.Image:
    match = start_of({"board": SMALL_MAP})
    return draw(match.view(None), scene_of(match))


REFERENCES: dict[str, Callable[[], Image.Image]] = {
    "opening_2": lambda: _board(2, 0, private=False),
    "middle_3": lambda: _board(3, 50, private=False),
    "middle_4_private": lambda: _board(4, 100, private=True),
    "final_4": lambda: _board(4, -1, private=False),
    "scores_4": _scores,
    "small_map": _small,
    "fallback": lambda: draw(atoll(), Scene(NAMES[:3], ("a1",))),
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
