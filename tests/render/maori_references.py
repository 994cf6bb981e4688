"""Small copies of a few pictures of Maori: `python -m tests.render.maori_references` draws them anew."""

from collections.abc import Callable

from PIL import Image

from render import Scene, draw, renderer
from render.sample import NAMES
from tests.render.maori_positions import asked, match_of, private, public, seen
from tests.render.references import ACROSS
from tests.render.references import FOLDER as ALL

FOLDER = ALL / "maori"


def _scores() -> Image.Image:
    view = seen(match_of(5)[-1], None)
    image: Image.Image = renderer(view, "score_sheet")(view, Scene(NAMES))
    return image


REFERENCES: dict[str, Callable[[], Image.Image]] = {
    "early_2": lambda: draw(*public(match_of(2)[4])),
    "early_5": lambda: draw(*public(match_of(5)[4])),
    "final_2": lambda: draw(*public(match_of(2)[-1])),
    "opening_3_advanced_atoll": lambda: draw(*public(match_of(3, "atoll", "advanced")[1])),
    "middle_2_move_ship": lambda: draw(*private(asked(match_of(2, rules="advanced")[20], "move_ship"))),
    "middle_4_pro_atoll_place": lambda: draw(*private(asked(match_of(4, "atoll", "pro")[40], "place_tile"))),
    "middle_5_discoverer": lambda: draw(*private(match_of(5)[40])),
    "middle_5_take": lambda: draw(*private(asked(match_of(5)[44], "discover_tile"))),
    "final_5": lambda: draw(*public(match_of(5)[-1])),
    "scores_5": _scores,
}


def small(name: str) -> Image.Image:
    """The picture of that name, reduced."""
    image = REFERENCES[name]().convert("RGB")
    return image.resize((ACROSS, round(image.height * ACROSS / image.width)), Image.Resampling.BOX)


def main() -> None:
    """Draw all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in REFERENCES:
        small(name).quantize(256).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
