"""Trains the fixed palettes in data/: run `python -m render.train [game …]`, by default for all.

The colours of many finished pictures are counted, the pinned ones set apart, and the others placed
where they leave the smallest error: k-means, seeded as by k-means++, with the least useful colours
moved in the first rounds. Run it after a change of colours, sizes or shapes, and look at the
pictures.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from PIL import Image

from engine import GAMES, View
from render import Scene
from render.palette import PINNED, Colour
from render.png import DATA, map_to_palette
from render.sample import play_randomly, scene_of

COLOURS = 256
SWAP_ROUNDS = 40
"""Rounds in which the least useful colours are moved to where the error is largest."""
FINAL_ROUNDS = 40
SWAPPED_COLOURS = 4
"""How many colours are moved in a round."""
STAGES = (0.02, 0.2, 0.45, 0.7, 0.97)
"""The positions of a match that are drawn, as shares of its length."""
FIRST_PRIVATE_STAGE = 0.1
FIRST_SEED = 100
Weights = dict[Colour, int]
"""How many pixels have each colour."""


def pictures(name: str) -> Iterator[Image.Image]:
    """Yield pictures of random matches, early to late, and of the positions that a game poses."""
    renderer = import_module(f"render.{name}")
    for view, scene in posed_positions(name):
        yield renderer.draw(view, scene)
    # The fallback sheet draws any game.
    games = [name] if name in GAMES else list(GAMES)
    for game in games:
        for seats in GAMES[game].seats:
            matches = list(play_randomly(game, seats, seed=FIRST_SEED + seats))
            for stage in STAGES:
                match = matches[int(stage * len(matches))]
                is_private = stage > FIRST_PRIVATE_STAGE
                yield renderer.draw(match.view(None), scene_of(match, private=is_private))
            # A game may leave its score sheet to the fallback, which has its own palette.
            if hasattr(renderer, "score_sheet"):
                end = matches[-1]
                yield renderer.score_sheet(end.view(None), scene_of(end))


def posed_positions(name: str) -> Iterator[tuple[View, Scene]]:
    """Yield the positions in a game's own sample module, which random matches do not show."""
    if (DATA.parent / name / "sample.py").exists():
        yield from import_module(f"render.{name}.sample").posed()


def histogram(images: Iterator[Image.Image]) -> Weights:
    """Count the pixels of each colour."""
    found: Counter[Colour] = Counter()
    for image in images:
        rgb_image = image.convert("RGB")
        for number, colour in rgb_image.getcolors(rgb_image.width * rgb_image.height) or []:
            found[cast(Colour, colour)] += number
    return found


def train_palette(weights: Weights) -> list[Colour]:
    """Return the pinned colours and those that leave the smallest error in pictures."""
    colours = list(weights)
    # A picture of all colours: so they are looked up exactly as the colours of pictures will be.
    strip = Image.new("RGB", (len(colours), 1))
    strip.putdata(colours)
    palette = _seed_palette(weights)
    for number in range(SWAP_ROUNDS + FINAL_ROUNDS):
        nearest = list(map_to_palette(strip, tuple(palette)).tobytes())
        palette, errors = _centre_entries(colours, nearest, weights, palette)
        if number < SWAP_ROUNDS:
            palette = _swap_entries(colours, nearest, weights, palette, errors)
    return palette


def _seed_palette(weights: Weights) -> list[Colour]:
    """Return the pinned colours and random others, the likelier the larger their error so far."""
    rng = random.Random(0)
    palette = list(PINNED)
    errors = {}
    for colour, pixels in weights.items():
        errors[colour] = pixels * min(_distance(colour, pinned) for pinned in PINNED)
    while len(palette) < COLOURS:
        (chosen,) = rng.choices(list(errors), list(errors.values()))
        palette.append(chosen)
        for colour, error in errors.items():
            errors[colour] = min(error, weights[colour] * _distance(colour, chosen))
    return palette


def _centre_entries(
    colours: list[Colour], nearest: list[int], weights: Weights, palette: list[Colour]
) -> tuple[list[Colour], list[float]]:
    """Move every free entry to the mean of its colours; also return the error of each entry.

    `nearest` is the entry that each of the colours is mapped to.
    """
    # For each entry the sums of red, green and blue, and the number of pixels.
    sums = [[0, 0, 0, 0] for _ in palette]
    errors = [0.0] * len(palette)
    for colour, entry in zip(colours, nearest, strict=True):
        pixels = weights[colour]
        errors[entry] += pixels * _distance(colour, palette[entry])
        for channel, value in enumerate((*colour, 1)):
            sums[entry][channel] += pixels * value
    moved = list(palette)
    for entry, (red, green, blue, pixels) in enumerate(sums):
        is_pinned = entry < len(PINNED)
        if pixels and not is_pinned:
            moved[entry] = (round(red / pixels), round(green / pixels), round(blue / pixels))
    return moved, errors


def _swap_entries(
    colours: list[Colour],
    nearest: list[int],
    weights: Weights,
    palette: list[Colour],
    errors: list[float],
) -> list[Colour]:
    """Move the entries that are missed least to the worst colours of the entries that err most."""
    pixels_of = Counter[int]()
    for colour, entry in zip(colours, nearest, strict=True):
        pixels_of[entry] += weights[colour]
    free = range(len(PINNED), len(palette))
    error_without = {}
    for entry in free:
        # Without this entry its pixels would go to the next nearest one.
        others = (other for number, other in enumerate(palette) if number != entry)
        to_next = min(_distance(palette[entry], other) for other in others)
        error_without[entry] = errors[entry] + pixels_of[entry] * to_next
    least_missed = sorted(free, key=error_without.__getitem__)[:SWAPPED_COLOURS]
    worst = sorted(free, key=errors.__getitem__)[-SWAPPED_COLOURS:]
    for spare, entry in zip(least_missed, worst, strict=True):
        own = [colour for colour, number in zip(colours, nearest, strict=True) if number == entry]
        palette[spare] = max(
            own, key=lambda colour: weights[colour] * _distance(colour, palette[entry])
        )
    return palette


def _distance(first: Colour, second: Colour) -> int:
    """Return the square of the distance between two colours."""
    red = first[0] - second[0]
    green = first[1] - second[1]
    blue = first[2] - second[2]
    return red * red + green * green + blue * blue


def write(name: str, colours: list[Colour]) -> None:
    """Save a palette, one colour per line."""
    lines = (f"#{red:02X}{green:02X}{blue:02X}\n" for red, green, blue in colours)
    (DATA / f"{name}.palette").write_text("".join(lines), encoding="ascii")


def main() -> None:
    """Train the palettes named on the command line, or all."""
    names = sys.argv[1:] or ["sheet", *(game for game in GAMES if find_spec(f"render.{game}"))]
    for name in names:
        write(name, train_palette(histogram(pictures(name))))


if __name__ == "__main__":
    main()
