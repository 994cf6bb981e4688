"""Trains the fixed palettes in data/: `python -m render.train [game …]`, all games with looks if none is named.

The colours of many finished pictures are gathered, the pinned ones set apart, and the others placed where they leave
the smallest error. Run it after a change of colours, sizes or shapes, and look at the pictures.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import cast

from PIL import Image

from engine import GAMES
from render import draw
from render.palette import PINNED, Colour
from render.png import DATA
from render.sample import played, scene_of

COLOURS = 256
APART = 8
"""No trained colour is nearer to a pinned one, so that a pinned colour is never mistaken."""
SAMPLE = 1_200_000
"""Pixels that the training looks at."""


def pictures(game: str) -> Iterator[Image.Image]:
    """Pictures of random matches, early to late, public and private, with the score sheets."""
    for seats in GAMES[game].seats:
        matches = list(played(game, seats, seed=100 + seats))
        for share in (0.02, 0.2, 0.45, 0.7, 0.97):
            match = matches[int(share * len(matches))]
            yield draw(match.view(None), scene_of(match, private=share > 0.1))


def histogram(images: Iterator[Image.Image]) -> Counter[Colour]:
    """How often each colour occurs."""
    found: Counter[Colour] = Counter()
    for image in images:
        rgb_image = image.convert("RGB")
        for number, colour in rgb_image.getcolors(rgb_image.width * rgb_image.height) or []:
            found[cast(Colour, colour)] += number
    return found


def trained(colours: Counter[Colour]) -> list[Colour]:
    """The pinned colours, then the best others: as a picture in which each colour has its share, clustered."""
    free = {colour: n for colour, n in colours.items() if min(_distance(colour, pin) for pin in PINNED) >= APART**2}
    total = sum(free.values())
    pixels = [colour for colour, n in free.items() for _ in range(max(1, round(n * SAMPLE / total)))]
    random.Random(0).shuffle(pixels)
    width = 1024
    image = Image.new("RGB", (width, len(pixels) // width))
    image.putdata(pixels[: width * image.height])
    wanted = COLOURS - len(PINNED)
    clustered = image.quantize(wanted, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    flat = clustered.getpalette() or []
    found = [(flat[i], flat[i + 1], flat[i + 2]) for i in range(0, 3 * wanted, 3)]
    return [*PINNED, *sorted(set(found) - set(PINNED))]


def _distance(first: Colour, second: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))


def write(name: str, colours: list[Colour]) -> None:
    """Store a palette, a colour a line."""
    lines = (f"#{red:02X}{green:02X}{blue:02X}\n" for red, green, blue in colours)
    (DATA / f"{name}.palette").write_text("".join(lines), encoding="ascii")


def main() -> None:
    """Train the palettes of the games named, or of all."""
    games = sys.argv[1:] or [game for game in GAMES if find_spec(f"render.{game}")]
    for game in games:
        write(game, trained(histogram(pictures(game))))


if __name__ == "__main__":
    main()
