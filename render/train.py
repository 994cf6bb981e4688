"""Trains the fixed palettes in data/: `python -m render.train [game …]`, all of them if none is
named.

The colours of many finished pictures are gathered, the pinned ones set apart, and the others placed
where they leave the smallest error: k-means, seeded as k-means++ does, with the least useful
colours moved in the first rounds. Run it after a change of colours, sizes or shapes, and look at
the pictures.
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
from render.png import DATA, lookup
from render.sample import played, scene_of

COLOURS = 256
ROUNDS = 40
SWAPS = 40
"""How often the least useful colours are put where the error is largest."""
SWAPPED = 4
"""How many of them at a time."""
STAGES = (0.02, 0.2, 0.45, 0.7, 0.97)
"""The positions of a match that are drawn, as shares of its length."""
Weights = dict[Colour, int]


def pictures(name: str) -> Iterator[Image.Image]:
    """Pictures of random matches, early to late, public and private, with the score sheets, and
    what a game poses.
    """
    looks = import_module(f"render.{name}")
    for view, scene in posed(name):
        yield looks.draw(view, scene)
    # The fallback sheet draws any game.
    games = [name] if name in GAMES else list(GAMES)
    for game in games:
        for seats in GAMES[game].seats:
            matches = list(played(game, seats, seed=100 + seats))
            for stage in STAGES:
                match = matches[int(stage * len(matches))]
                yield looks.draw(match.view(None), scene_of(match, private=stage > 0.1))
            # A game may leave its score sheet to the fallback, which has a palette of its own.
            if hasattr(looks, "score_sheet"):
                end = matches[-1]
                yield looks.score_sheet(end.view(None), scene_of(end))


def posed(name: str) -> Iterator[tuple[View, Scene]]:
    """Positions of a game's own sample module: settings and questions that random matches do not
    show.
    """
    if (DATA.parent / name / "sample.py").exists():
        yield from import_module(f"render.{name}.sample").posed()


def histogram(images: Iterator[Image.Image]) -> Weights:
    """How often each colour occurs."""
    found: Counter[Colour] = Counter()
    for image in images:
        rgb_image = image.convert("RGB")
        for number, colour in rgb_image.getcolors(rgb_image.width * rgb_image.height) or []:
            found[cast(Colour, colour)] += number
    return found


def trained(weights: Weights) -> list[Colour]:
    """The pinned colours, then those that leave the smallest error for the way pictures look
    colours up.
    """
    colours = list(weights)
    # All colours as one picture: so they are looked up just as the colours of pictures will be.
    strip = Image.new("RGB", (len(colours), 1))
    strip.putdata(colours)
    palette = _seeded(weights)
    for round_ in range(ROUNDS + SWAPS):
        nearest = list(lookup(strip, palette).tobytes())
        palette, loss = _centred(colours, nearest, weights, palette)
        if round_ < SWAPS:
            palette = _swapped(colours, nearest, weights, palette, loss)
    return palette


def _seeded(weights: Weights) -> list[Colour]:
    """Pinned colours, then again and again one of those that are worst served, by lot."""
    chance = random.Random(0)
    palette = list(PINNED)
    errors = {}
    for colour, number in weights.items():
        errors[colour] = number * min(_distance(colour, pin) for pin in PINNED)
    while len(palette) < COLOURS:
        (seed,) = chance.choices(list(errors), list(errors.values()))
        palette.append(seed)
        for colour, error in errors.items():
            errors[colour] = min(error, weights[colour] * _distance(colour, seed))
    return palette


def _centred(
    colours: list[Colour], nearest: list[int], weights: Weights, palette: list[Colour]
) -> tuple[list[Colour], list[float]]:
    """Every free entry in the middle of the colours it serves, and the error each entry leaves."""
    # For each entry the reds, greens and blues that it serves, and how many pixels they are.
    sums = [[0, 0, 0, 0] for _ in palette]
    loss = [0.0] * len(palette)
    for colour, entry in zip(colours, nearest, strict=True):
        number = weights[colour]
        loss[entry] += number * _distance(colour, palette[entry])
        for channel, value in enumerate((*colour, 1)):
            sums[entry][channel] += number * value
    moved = list(palette)
    for entry, (red, green, blue, number) in enumerate(sums):
        is_pinned = entry < len(PINNED)
        if number and not is_pinned:
            moved[entry] = (round(red / number), round(green / number), round(blue / number))
    return moved, loss


def _swapped(
    colours: list[Colour],
    nearest: list[int],
    weights: Weights,
    palette: list[Colour],
    loss: list[float],
) -> list[Colour]:
    """The entries that would be missed least, put at the colour that the worst entries serve
    worst.
    """
    served = Counter[int]()
    for colour, entry in zip(colours, nearest, strict=True):
        served[entry] += weights[colour]
    free = range(len(PINNED), len(palette))
    missed = {}
    for entry in free:
        # Without this entry its pixels would go to the next nearest one.
        to_next = min(
            _distance(palette[entry], other) for k, other in enumerate(palette) if k != entry
        )
        missed[entry] = loss[entry] + served[entry] * to_next
    least_missed = sorted(free, key=missed.__getitem__)[:SWAPPED]
    worst = sorted(free, key=loss.__getitem__)[-SWAPPED:]
    for spare, entry in zip(least_missed, worst, strict=True):
        mine = [colour for colour, k in zip(colours, nearest, strict=True) if k == entry]
        palette[spare] = max(
            mine, key=lambda colour: weights[colour] * _distance(colour, palette[entry])
        )
    return palette


def _distance(first: Colour, second: Colour) -> int:
    red, green, blue = first[0] - second[0], first[1] - second[1], first[2] - second[2]
    return red * red + green * green + blue * blue


def write(name: str, colours: list[Colour]) -> None:
    """Store a palette, a colour a line."""
    lines = (f"#{red:02X}{green:02X}{blue:02X}\n" for red, green, blue in colours)
    (DATA / f"{name}.palette").write_text("".join(lines), encoding="ascii")


def main() -> None:
    """Train the palettes named, or all."""
    names = sys.argv[1:] or ["sheet", *(game for game in GAMES if find_spec(f"render.{game}"))]
    for name in names:
        write(name, trained(histogram(pictures(name))))


if __name__ == "__main__":
    main()
