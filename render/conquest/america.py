"""South America: the coast at the eastern end of the map, where the search for Kumara leads.

Lengths are in units of a hex, quarters of its width, unless they say otherwise.
"""

import math
from typing import Final

from PIL import Image

from engine.conquest.board import AMERICA, CHART
from engine.conquest.view import ConquestView
from render.canvas import Canvas, cached
from render.conquest.hexes import SEA
from render.conquest.labels import NAME_COLOUR
from render.conquest.layout import AMERICA_COLUMN, HALO, TEXT, Crop
from render.fonts import Face, label
from render.palette import CASING, CODE_SEA, LEGAL
from render.shapes import Outline
from render.terrain import Relief, paint_terrain
from render.words import words_of

WORDS = words_of("conquest")

LANDMARKS: Final = {
    **dict(zip(CHART.galapagos, ("galapagos", "unfortunate"), strict=True)),
    **dict.fromkeys(CHART.to_america, "way"),
}
"""The hexes of the search for Kumara that have something printed on them."""
LANDMARK_LANE: Final = 0.29
"""Below the code, as a share of the hex's width from its middle."""
BEACH: Final = 2.1
"""Where the painted strip begins, from the middle of the last column."""
BEACH_WIDTH: Final = 0.7
MOST_BEACH: Final = 0.5
"""The largest share of the strip that is beach."""
WAVE_HEIGHT: Final = 0.16
LONG_WAVE: Final = 2.3
SHORT_WAVE: Final = 0.9
LEAST_STRIP: Final = 4
"""In pixels: in a narrower strip nobody would see land."""
COAST_DETAIL: Final = 0.15
LEAST_COAST_DETAIL: Final = 1.4
"""In pixels."""
COAST_SEED: Final = 5
LINE_HEIGHT: Final = 1.1
"""In font sizes."""


def put_coast(canvas: Canvas, crop: Crop) -> None:
    """Put the land beyond the last column on a canvas, as far as the window shows it."""
    last_column = 3 * crop.unit * (AMERICA_COLUMN - 1)
    left = last_column + round(BEACH * crop.unit) - crop.left
    across = crop.width - left
    if across > LEAST_STRIP:
        canvas.lay(_draw_coast(across, crop.height, crop.unit, crop.top), left, 0)


# 8 ms to paint, and every chart has one.
@cached(12)
def _draw_coast(across: int, high: int, unit: int, top: int) -> Image.Image:
    """Draw the sea up to a wavy beach, and land east of it."""
    beach = min(BEACH_WIDTH * unit, MOST_BEACH * across)
    shore: Outline = []
    for y in range(-unit, high + unit, max(2, unit // 3)):
        # The waves belong to the map and not to the window: otherwise the coast would move about
        # from picture to picture.
        south = y + top
        long_wave = math.sin(south / (LONG_WAVE * unit))
        short_wave = 0.6 * math.sin(south / (SHORT_WAVE * unit) + 2)
        shore.append((beach + unit * WAVE_HEIGHT * (long_wave + short_wave), y))
    land = [*shore, (across + unit, high + unit), (across + unit, -unit)]
    detail = max(LEAST_COAST_DETAIL, unit * COAST_DETAIL)
    return paint_terrain(Relief((across, high), [land], detail, COAST_SEED), SEA, SEA).image


def landmark(spot: str) -> str:
    """Return what is printed on a hex of the search."""
    return WORDS.say(f"america.{LANDMARKS[spot]}")


def name_coast(canvas: Canvas, view: ConquestView, crop: Crop, is_legal: bool) -> None:
    """Write the coast's name if there is room for it, bright if it may be chosen."""
    if not view.kumara_played:
        return
    colour = LEGAL if is_legal else NAME_COLOUR
    lines = WORDS.say("america.lines").splitlines()
    sprites = [label(line, Face.STRONG, TEXT, colour, "m", CASING, HALO) for line in lines]
    half = sprites[-1].anchor[0]
    x, y = crop.middle_of(AMERICA)
    # It may move west by a unit to be whole; any further it would lie on the sea.
    if x + half > crop.width + crop.unit:
        return
    x = min(x, crop.width - half)
    for place, sprite in enumerate(sprites):
        canvas.put(sprite, x, y + round((place - 0.5) * TEXT * LINE_HEIGHT))


def put_landmarks(canvas: Canvas, view: ConquestView, crop: Crop, taken: frozenset[str]) -> None:
    """Write what is printed on hexes of the search, if nothing else lies there."""
    if not view.kumara_played or not crop.is_large:
        return
    for spot in LANDMARKS:
        is_empty = spot not in taken and view.hex_at[spot].face in ("sea", "unknown")
        if is_empty and crop.holds(spot):
            x, y = crop.middle_of(spot)
            sprite = label(landmark(spot), Face.LABEL, TEXT, CODE_SEA, "m", CASING, HALO)
            # Further left if it would leave the main map.
            x = min(x, crop.width - sprite.anchor[0])
            canvas.put(sprite, x, y + crop.hex_share(LANDMARK_LANE))
