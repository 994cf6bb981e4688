"""South America: the coast at the eastern end of the map, which only the search for Kumara
reaches.
"""

import math
from typing import Final

from PIL import Image

from engine.conquest.board import AMERICA, CHART
from engine.conquest.view import ConquestView
from render.canvas import Canvas, kept
from render.conquest.hexes import SEA
from render.conquest.layout import AMERICA_COLUMN, HALO, TEXT, Crop
from render.fonts import Face, label
from render.palette import CASING, CODE_SEA, LEGAL, rgb
from render.shapes import Outline
from render.terrain import Relief, paint
from render.words import words_of

WORDS = words_of("conquest")

NAME: Final = rgb("#FFF3DC")
LANDMARKS: Final = {
    **dict(zip(CHART.galapagos, ("galapagos", "unfortunate"), strict=True)),
    **dict.fromkeys(CHART.to_america, "way"),
}
"""Hexes of the search for Kumara and what they are."""
BEACH: Final = 2.1
"""Where the land begins, in units of a hex from the middle of the last column."""


def put_coast(canvas: Canvas, crop: Crop) -> None:
    """The land beyond the last column, as far as the crop shows it."""
    last_column = 3 * crop.unit * (AMERICA_COLUMN - 1)
    left = last_column + round(BEACH * crop.unit) - crop.left
    across = crop.across - left
    # Of a strip of a few pixels nobody would see that it is land.
    if across > 4:
        canvas.lay(_coast(across, crop.high, crop.unit, crop.top), left, 0)


# 8 ms to paint, and every chart has one.
@kept(12)
def _coast(across: int, high: int, unit: int, top: int) -> Image.Image:
    """The sea up to a wavy beach, and land east of it."""
    beach = min(0.7 * unit, 0.5 * across)
    edge: Outline = []
    for y in range(-unit, high + unit, max(2, unit // 3)):
        # The waves hang on the map and not on the crop: the coast does not swim about from picture
        # to picture.
        south = y + top
        wave = math.sin(south / (2.3 * unit)) + 0.6 * math.sin(south / (0.9 * unit) + 2)
        edge.append((beach + unit * 0.16 * wave, y))
    land = [*edge, (across + unit, high + unit), (across + unit, -unit)]
    relief = Relief((across, high), [land], max(1.4, unit * 0.15), 5)
    return paint(relief, SEA, SEA).image


def landmark(spot: str) -> str:
    """What is printed on a hex of the search."""
    return WORDS.say(f"america.{LANDMARKS[spot]}")


def name_coast(canvas: Canvas, view: ConquestView, crop: Crop, is_legal: bool) -> None:
    """Its name, where there is room for it, bright where it may be chosen."""
    if not view.kumara_played:
        return
    colour = LEGAL if is_legal else NAME
    lines = WORDS.say("america.lines").splitlines()
    sprites = [label(line, Face.STRONG, TEXT, colour, "m", CASING, HALO) for line in lines]
    half = sprites[-1].at[0]
    x, y = crop.place(AMERICA)
    # It may be moved west by a unit to be whole; more than that would lay it on the sea.
    if x + half > crop.across + crop.unit:
        return
    x = min(x, crop.across - half)
    for place, sprite in enumerate(sprites):
        canvas.put(sprite, x, y + round((place - 0.5) * TEXT * 1.1))


def put_landmarks(canvas: Canvas, view: ConquestView, crop: Crop, taken: frozenset[str]) -> None:
    """What is printed on hexes of the search, where nothing else lies."""
    if not view.kumara_played or not crop.is_large:
        return
    for spot in LANDMARKS:
        is_empty = spot not in taken and view.hex_at[spot].face in ("sea", "unknown")
        if is_empty and crop.holds(spot):
            x, y = crop.place(spot)
            sprite = label(landmark(spot), Face.LABEL, TEXT, CODE_SEA, "m", CASING, HALO)
            # Below the code; further left where it would leave the theatre.
            x = min(x, crop.across - sprite.at[0])
            canvas.put(sprite, x, y + crop.part(0.29))
