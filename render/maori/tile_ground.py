"""The ground of a tile: sea, coast, sand and green, without anything on it.

Land leaves a tile between a quarter and three quarters of an edge, level. Each tile is painted
beyond its edges and cut out, and near the edges all tiles share one seamless noise: so coast, sand
and glow go on from tile to tile.

Lengths are hundredths of a tile's edge, unless they are called `size` or in pixels.
"""

import math
import random
from functools import cache
from typing import Any

from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter, ImageMath

from engine.maori.tiles import Tile
from render.canvas import current_mode, scale_down, use_mode
from render.palette import (
    FOREST,
    GLOW,
    GROVE,
    LAGOON,
    MEADOW,
    SAND,
    SHALLOW,
    SHELF,
    Colour,
    mix,
    rgb,
)
from render.shapes import Outline, smooth
from render.terrain import Field, noise

LAND_START, LAND_END = 25, 75
"""Where land leaves a tile along an edge."""
BLEED = 40
"""How far a tile is painted beyond its edges before it is cut out: a blurred coast must not end
at an edge.
"""
ROUGHNESS = 2.2
"""The farthest that a point of a coast is moved at random."""
SHARED_NOISE_WIDTH, BLEND_WIDTH = 5, 20
"""Up to this distance from an edge all tiles share one noise, and over that width it changes to
the tile's own.
"""

SEA = SHALLOW
SEA_PATCH = mix(SHALLOW, SHELF, 0.3)
COAST_SHADE = rgb("#1B6E86")

# Heights from 0 to 255 at which the sheets of paper are cut.
PATCH_LEVEL = 160
LAGOON_LEVEL, GLOW_LEVEL = 60, 84
COAST_LEVEL = 120
FOREST_LEVEL, MEADOW_LEVEL, HILL_LEVEL = 184, 193, 200

SINGLE_COAST: Outline = [
    (50, 20),
    (72, 26),
    (83, 48),
    (74, 73),
    (50, 80),
    (27, 74),
    (17, 50),
    (28, 27),
]
"""The land of an island of one tile."""
END_COAST: Outline = [
    (62, 21),
    (37, 23),
    (19, 37),
    (14, 52),
    (22, 69),
    (41, 80),
    (63, 79),
]
"""The land of a left end, where it does not leave the tile."""
NORTH_COAST: Outline = [(36, 22), (62, 22)]
SOUTH_COAST: Outline = [(63, 79), (36, 78)]
"""The land of a horizontal middle, between its two edges."""


def _trace_land(tile: Tile) -> Outline:
    """Return the land of a tile, going straight on over the edges with land."""
    chance = random.Random(tile.number)
    start, end = -BLEED, 100 + BLEED

    def roughen(points: Outline) -> Outline:
        """Move points a little, so that no two coasts are alike."""
        moved = []
        for x, y in points:
            right = chance.uniform(-ROUGHNESS, ROUGHNESS)
            down = chance.uniform(-ROUGHNESS, ROUGHNESS)
            moved.append((x + right, y + down))
        return moved

    if tile.kind == "single":
        return smooth(roughen(SINGLE_COAST))

    # Near an edge with land the coast stays exact, or it would not meet that of the next tile.
    out_east: Outline = [(86, LAND_START), (100, LAND_START), (end, LAND_START)]
    back_east: Outline = [(end, LAND_END), (100, LAND_END), (86, LAND_END)]
    if tile.kind == "end":
        line = [*reversed(out_east), *roughen(END_COAST), *reversed(back_east)]
    else:
        in_west: Outline = [(start, LAND_START), (0, LAND_START), (14, LAND_START)]
        back_west: Outline = [(14, LAND_END), (0, LAND_END), (start, LAND_END)]
        north = roughen(NORTH_COAST)
        south = roughen(SOUTH_COAST)
        line = [*in_west, *north, *out_east, *back_east, *south, *back_west]
    return _turn_to_shape(smooth(line), tile.shape)


def _turn_to_shape(line: Outline, shape: str) -> Outline:
    """Return a left end or horizontal middle turned into another shape."""
    match shape:
        case "right_end":
            return [(100 - x, y) for x, y in line]
        case "top_end" | "v_middle":
            return [(y, x) for x, y in line]
        case "bottom_end":
            return [(y, 100 - x) for x, y in line]
    return line


class TileRelief:
    """The land of a tile and of its bleed, from which fields of height are made."""

    def __init__(self, size: int, outline: Outline, seed: int) -> None:
        self.size, self.seed = size, seed
        self.margin = measure_bleed(size)
        self.full_size = size + 2 * self.margin
        # Drawn twice as large and reduced, so that its edge is not jagged.
        area = Image.new("L", (self.full_size * 2, self.full_size * 2))
        if outline:
            pixels = [(self._to_pixels(x) * 2, self._to_pixels(y) * 2) for x, y in outline]
            ImageDraw.Draw(area).polygon(pixels, fill=255)
        self.land = area.reduce(2)

    def _to_pixels(self, length: float) -> float:
        return length * self.size / 100 + self.margin

    def field(self, blur: float, bumps: int, share: float, seed: int) -> Field:
        """Return the land blurred, and mixed with a share of noise of `bumps` hills a tile.

        The noise is the tile's own in the middle, and that of all tiles near the edges.
        """
        reach = blur * self.size / 100
        soft = self.land.filter(ImageFilter.GaussianBlur(reach)).convert("F")
        own = noise((self.full_size, self.full_size), self.size / bumps, self.seed + seed)
        shared = _shared_noise(self.size, bumps, seed)

        def blend(args: dict[str, Any]) -> Any:
            hills = args["own"] * args["inside"] + args["shared"] * (1 - args["inside"])
            return args["soft"] * (1 - share) + hills * share

        inside = _measure_from_edges(self.size)
        grid = ImageMath.lambda_eval(blend, soft=soft, own=own, shared=shared, inside=inside)
        # A cut is as soft as the field is steep at most, at the coast or on a hill. A blurred edge
        # is steepest in its middle, as steep as the bell curve is high there.
        coast_slope = 255 * (1 - share) / (math.sqrt(math.tau) * reach)
        hill_slope = 120 * share * bumps / self.size
        return Field((self.full_size, self.full_size), grid, max(coast_slope, hill_slope))

    def crop(self, area: Image.Image) -> Image.Image:
        """Return the tile's own part of a fine mask, in the picture's size."""
        start = self.margin * current_mode().fine
        end = start + self.size * current_mode().fine
        return scale_down(area.crop((start, start, end, end)))


def measure_bleed(size: int) -> int:
    """Return the bleed of a tile in pixels."""
    return round(size * BLEED / 100)


# This and the next are cached: made anew for each tile, its ground takes 18 ms instead of 10.
@cache
def _shared_noise(size: int, bumps: int, seed: int) -> Image.Image:
    """Return noise that goes on over every edge of a tile into any other tile."""
    heights = random.Random(seed).randbytes(bumps * bumps)
    once = Image.frombytes("L", (bumps, bumps), heights).convert("F")
    # Laid out three by three and enlarged, the one in the middle has itself on every side.
    grid = Image.new("F", (3 * bumps, 3 * bumps))
    for row in range(3):
        for column in range(3):
            grid.paste(once, (column * bumps, row * bumps))
    margin = measure_bleed(size)
    reach = margin / size * bumps
    start, end = bumps - reach, 2 * bumps + reach
    full_size = size + 2 * margin
    box = (start, start, end, end)
    return grid.resize((full_size, full_size), Image.Resampling.BICUBIC, box=box)


@cache
def _measure_from_edges(size: int) -> Image.Image:
    """Return how far each pixel is from the tile's edges: 0 near and beyond them, 1 inside."""
    margin = measure_bleed(size)
    rising = []
    for pixel in range(size + 2 * margin):
        place = (pixel - margin + 0.5) / size
        from_edge = min(place, 1 - place)
        part = (from_edge - SHARED_NOISE_WIDTH / 100) / (BLEND_WIDTH / 100)
        part = min(1.0, max(0.0, part))
        # A smooth step: it has no bend at either end.
        rising.append(part * part * (3 - 2 * part))
    area = Image.new("F", (len(rising), len(rising)))
    area.putdata([down * across for down in rising for across in rising])
    return area


def draw_ground(tile: Tile, size: int) -> Image.Image:
    """Draw the sea and land of a tile, `size` pixels a side."""
    # Coasts are smooth enough when they are drawn less finely than sprites.
    with use_mode(replace(current_mode(), fine=current_mode().cut)):
        outline = _trace_land(tile) if tile.is_island else []
        relief = TileRelief(size, outline, tile.number * 101)
        image = Image.new("RGB", (size * current_mode().zoom, size * current_mode().zoom), SEA)

        def paste(colour: Colour, area: Image.Image) -> None:
            image.paste(colour, (0, 0, *image.size), relief.crop(area))

        # Sheets of paper from the water up: each covers all but the rim of the one before.
        paste(SEA_PATCH, relief.field(blur=6, bumps=3, share=1, seed=5).mask_above(PATCH_LEVEL))
        if not tile.is_island:
            return image
        glow = relief.field(blur=7, bumps=7, share=0.2, seed=7)
        paste(LAGOON, glow.mask_above(LAGOON_LEVEL))
        paste(GLOW, glow.mask_above(GLOW_LEVEL))
        shore = relief.field(blur=4, bumps=7, share=0.18, seed=7)
        drop = size / 100
        paste(COAST_SHADE, shore.mask_above(COAST_LEVEL, 1.5 * drop, 3 * drop))
        paste(SAND, shore.mask_above(COAST_LEVEL))
        green = relief.field(blur=5, bumps=7, share=0.16, seed=7)
        paste(FOREST, green.mask_above(FOREST_LEVEL))
        paste(mix(MEADOW, GROVE, 0.4), green.mask_above(MEADOW_LEVEL))
        hills = relief.field(blur=9, bumps=4, share=0.2, seed=3)
        paste(mix(MEADOW, GROVE, 0.85), hills.mask_above(HILL_LEVEL))
    return image
