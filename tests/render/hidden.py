"""Finds symbols, prices, owners and codes that matter for a decision but are hidden in a picture.

`python -m tests.render.hidden [game …]` looks at 500 positions of each game, or of the named ones,
and lists what is hidden. It knows from `record_placements` what the renderer drew where.
"""

import sys
from collections import Counter
from itertools import groupby

from PIL import Image, ImageChops

from engine import GAMES, View
from render import Scene, draw
from render.canvas import Placed, record_placements
from tests.render.seen import positions

POSITIONS = 500
MOST = 1 / 3
"""The share of a picture of a thing that may be covered, as the rest still shows what it is."""
MOST_OF_LETTERS = 0.04
"""The share of a text that may be covered: codes, counts and prices are read letter by letter."""
LETTERS = ("code", "count", "price", "name", "text")
"""The kinds of things that are read; what a sprite shows begins with its kind."""
SOLID = [0] * 128 + [255] * 128
"""A table that makes masks solid: pixels that are at least half transparent cover nothing."""


def covered(number: int, placed: list[Placed]) -> tuple[int, int]:
    """Return how many pixels a placement has, and how many of them later ones cover."""
    thing = placed[number]
    left, top, right, bottom = thing.box
    shape = thing.mask.point(SOLID)
    above = Image.new("L", shape.size)
    for other in placed[number + 1 :]:
        x, y, end_x, end_y = other.box
        if x < right and left < end_x and y < bottom and top < end_y:
            above.paste(255, (x - left, y - top), other.mask.point(SOLID))
    return shape.histogram()[255], ImageChops.multiply(shape, above).histogram()[255]


def _is_repeated(thing: Placed, later: Placed) -> bool:
    """Return whether a later placement repeats this one, such as a number in another colour."""
    left, top, right, bottom = thing.box
    x, y, end_x, end_y = later.box
    overlap = x < right and left < end_x and y < bottom and top < end_y
    return overlap and thing.shows.partition(":")[2] == later.shows.partition(":")[2] != ""


def find_hidden(view: View, scene: Scene) -> dict[str, float]:
    """Return the things that a picture hides, each with the share that is covered."""
    with record_placements() as notes:
        placed = notes.on(draw(view, scene))
    found = {}
    shown = [(thing, number) for number, thing in enumerate(placed) if thing.shows]
    for shows, group in groupby(shown, lambda pair: pair[0].shows):
        # Things that are put in several pieces, such as the flowers of half a lei, count as one.
        parts = list(group)
        is_one = ":" in shows and not shows.startswith("text:")
        things = [parts] if is_one else [[part] for part in parts]
        for pieces in things:
            if any(_is_repeated(pieces[0][0], later) for later in placed[pieces[-1][1] + 1 :]):
                continue
            counts = [covered(number, placed) for _, number in pieces]
            part = sum(hides for _, hides in counts) / max(1, sum(whole for whole, _ in counts))
            if part > (MOST_OF_LETTERS if shows.split(":")[0] in LETTERS else MOST):
                first = pieces[0][0]
                found[f"{shows} at {first.left},{first.top}"] = part
    return found


def main() -> None:
    """Count what is hidden in the given games, or in all."""
    for game in sys.argv[1:] or GAMES:
        kinds: Counter[str] = Counter()
        bad = 0
        for name, (view, scene) in positions(game, POSITIONS):
            found = find_hidden(view, scene)
            bad += bool(found)
            kinds.update(thing.split(":")[0].split()[0] for thing in found)
            for thing, part in found.items():
                print(f"{name}: {thing}, {part:.0%}")
        print(f"{game}: something hidden in {bad} of {POSITIONS} pictures; {dict(kinds)}")


if __name__ == "__main__":
    main()
