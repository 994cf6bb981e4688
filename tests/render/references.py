"""Small copies of pictures, which show when a picture changes.

`python -m tests.render.references [game …]` redraws them, for all games or the named ones.
REFERENCES in <game>/references.py lists the pictures of a game; the copies are in
references/<game>/.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
FOLDER = HERE / "references"
GAMES = sorted(HERE.glob("*/references.py"))
WIDTH = 240
"""The width of a copy, in pixels."""


def references() -> dict[str, Callable[[], Image.Image]]:
    """Return a function for every picture that has a copy, by game and name: 'maori/final_5'."""
    modules = {path.parent.name: f"tests.render.{path.parent.name}.references" for path in GAMES}
    modules["sheet"] = "tests.render.sheet_references"
    found: dict[str, Callable[[], Image.Image]] = {}
    for folder, module in modules.items():
        for name, draw_picture in import_module(module).REFERENCES.items():
            found[f"{folder}/{name}"] = draw_picture
    return found


def shrink(image: Image.Image) -> Image.Image:
    """Shrink a picture to the size of its copy."""
    whole = image.convert("RGB")
    return whole.resize((WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.BOX)


def main() -> None:
    """Redraw the copies of the given games, or of all games."""
    for name, draw_picture in references().items():
        if len(sys.argv) == 1 or name.split("/")[0] in sys.argv[1:]:
            path = FOLDER / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            shrink(draw_picture()).quantize(256).save(path, optimize=True)


if __name__ == "__main__":
    main()
