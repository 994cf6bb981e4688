"""Small copies of pictures, to notice when one changes.

`python -m tests.render.references [game …]` draws them anew, all of them if no game is named. What
is drawn for a game stands in REFERENCES of <game>_references.py, its copies in references/<game>/.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
FOLDER = HERE / "references"
ACROSS = 240


def references() -> dict[str, Callable[[], Image.Image]]:
    """Everything that has a copy, by game and name: 'maori/final_5'."""
    found: dict[str, Callable[[], Image.Image]] = {}
    for path in sorted(HERE.glob("*_references.py")):
        game = path.stem.removesuffix("_references")
        if game != "test":
            drawn = import_module(f"tests.render.{path.stem}").REFERENCES
            found |= {f"{game}/{name}": picture for name, picture in drawn.items()}
    return found


def small(image: Image.Image) -> Image.Image:
    """A picture as its copy shows it."""
    whole = image.convert("RGB")
    return whole.resize((ACROSS, round(whole.height * ACROSS / whole.width)), Image.Resampling.BOX)


def main() -> None:
    """Draw the copies of the games named, or all, anew."""
    for name, drawn in references().items():
        if len(sys.argv) == 1 or name.split("/")[0] in sys.argv[1:]:
            path = FOLDER / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            small(drawn()).quantize(256).save(path, optimize=True)


if __name__ == "__main__":
    main()
