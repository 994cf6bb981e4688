"""South America: the coast at the eastern end of the map, which only the search for Kumara reaches."""

import math
from typing import Final

from PIL import Image

from engine.conquest.board import AMERICA, CHART, HEX_AT
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
LANDMARKS: Final = dict(zip(CHART.galapagos, ("galapagos", "unfortunate"), strict=True)) | dict.fromkeys(
    CHART.to_america, "way"
)
"""Hexes of the search for Kumara and what they are."""
BEACH: Final = 2.1
"""Where the land begins, in units of a hex from the middle of the last column."""


def put_coast(canvas: Canvas, crop: Crop) -> None:
    """The land beyond the last column, as far as the crop shows it."""
    left = 3 * crop.unit * (AMERICA_COLUMN - 1) + round(BEACH * crop.unit) - crop.left
    across = crop.across - left
    if across > 4:
        canvas.lay(_coast(across, crop.high, crop.unit, crop.top), left, 0)


@kept(12)
def _coast(across: int, high: int, unit: int, top: int) -> Image.Image:
    """Its waves hang on the map and not on the crop, so that it does not swim about."""
    edge: Outline = []
    for y in range(-unit, high + unit, max(2, unit // 3)):
        wave = math.sin((y + top) / (2.3 * unit)) + 0.6 * math.sin((y + top) / (0.9 * unit) + 2)
        edge.append((min(0.7 * unit, 0.5 * across) + unit * 0.16 * wave, y))
    land = [*edge, (across + unit, high + unit), (across + unit, -unit)]
    return paint(Relief((across, high), [land], max(1.4, unit * 0.15), 5), SEA, SEA).image


def landmark(spot: str) -> str:
    """What is printed on a hex of the search."""
    return WORDS.say(f"america.{LANDMARKS[spot]}")


def name_coast(canvas: Canvas, view: ConquestView, crop: Crop, is_legal: bool) -> None:
    """Its name, where there is room for it, bright where it may be chosen."""
    x, y = crop.place(AMERICA)
    lines = WORDS.say("america.lines").splitlines() if view.kumara_played else ()
    sprites = [label(line, Face.STRONG, TEXT, LEGAL if is_legal else NAME, "m", CASING, HALO) for line in lines]
    if not sprites or x + sprites[-1].at[0] > crop.across + crop.unit:
        return
    x = min(x, crop.across - sprites[-1].at[0])
    for place, sprite in enumerate(sprites):
        canvas.put(sprite, x, y + round((place - 0.5) * TEXT * 1.1))


def put_landmarks(canvas: Canvas, view: ConquestView, crop: Crop, taken: frozenset[str]) -> None:
    """What is printed on hexes of the search, where nothing else lies."""
    for spot in LANDMARKS if view.kumara_played and crop.names else ():
        if spot in HEX_AT and crop.holds(spot) and spot not in taken and view.hex_at[spot].face in ("sea", "unknown"):
            x, y = crop.place(spot)
            sprite = label(landmark(spot), Face.LABEL, TEXT, CODE_SEA, "m", CASING, HALO)
            canvas.put(sprite, min(x, crop.across - sprite.at[0]), y + crop.part(0.29))
