"""Land and sea as sheets of cut paper: a smooth height field, cut at one level per sheet.

The area of the land is blurred and mixed with seeded noise on a coarse grid of floating point
numbers. Enlarged, such a field is smooth everywhere, so that cutting it gives clean curved coasts:
low levels are the depths, high ones the terraces. Heights go from 0 to 255. `detail` is the width
of a bend of the coast in pixels, and most other lengths are multiples of it.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageMath

from render.canvas import OPAQUE, current_mode, scale_down, use_mode
from render.palette import (
    DEEP,
    FOAM,
    FOREST,
    GLOW,
    GROVE,
    JUNGLE,
    MEADOW,
    SAND,
    SHALLOW,
    SHELF,
    Colour,
    mix,
    rgb,
)
from render.shapes import Outline

COAST_SHADE = rgb("#22798C")
COAST_SHADE_OFFSET = (0.25, 0.5)
TERRACE_SHADE_OFFSET = (0.1, 0.25)
"""How far shades lie to the right and down, in details."""

# Heights at which the sheets are cut.
SHELF_LEVEL = 85
SHALLOW_LEVEL = 70
GLOW_LEVEL = 93
FOAM_LEVELS = (107, 117)
COAST_LEVEL = 128
"""The coast lies half-way up the blurred edge of the land."""
GREEN_LEVEL = 172
MEADOW_LEVEL = 180
TERRACES_LEVEL = 183
"""Terraces do not reach beyond this height of the meadow."""
HALF_COVERED = 128
MAX_HEIGHT = 255

FINER_OCTAVE_SHARE = 0.36
OCTAVE_SEED_STEP = 77
LAND_SCALE = 2
"""The land is drawn this much finer in any mode: enough, since it is blurred."""
MIN_GRID_STEP = 1.5
GRID_STEP_PER_BLUR = 0.55
"""A field that is blurred by a distance needs no grid finer than about half of it."""


class Terrain(Struct, frozen=True):
    """A painted ground, with masks of its land and of its green."""

    image: Image.Image
    coast: Image.Image
    green: Image.Image


class Terrace(Struct, frozen=True):
    """A sheet of green above a level; with a colour for it, a shade lies along its lower edge."""

    level: float
    colour: Colour
    shade: Colour | None = None


TERRACES = (
    Terrace(186, mix(MEADOW, GROVE, 0.7), mix(GROVE, FOREST, 0.45)),
    Terrace(212, mix(GROVE, FOREST, 0.14), mix(GROVE, FOREST, 0.45)),
)


class Field:
    """A smooth surface over an area; `slope` is how much it rises per pixel at a coast."""

    def __init__(self, size: tuple[int, int], grid: Image.Image, slope: float) -> None:
        fine = current_mode().fine
        fine_size = (size[0] * fine, size[1] * fine)
        # So steep that a cut goes from nothing to all within a pixel or so: an edge that is both
        # smooth and sharp.
        self.steepness = MAX_HEIGHT * fine / slope
        self.surface = grid.resize(fine_size, Image.Resampling.BICUBIC)

    def mask_above(self, level: float, right: float = 0, down: float = 0) -> Image.Image:
        """Return a finely drawn mask of what lies above a level, moved by some pixels."""
        # At the level itself a pixel is half covered. Pillow analyses this function: it must keep
        # the form `a * x + b`.
        cut = self.surface.point(
            lambda height: height * self.steepness + (HALF_COVERED - level * self.steepness)
        ).convert("L")
        if not right and not down:
            return cut
        fine = current_mode().fine
        moved = Image.new("L", cut.size)
        moved.paste(cut, (round(right) * fine, round(down) * fine))
        return moved

    def mask_between(self, low: float, high: float) -> Image.Image:
        """Return a finely drawn mask of what lies between two levels."""
        return _subtract(self.mask_above(low), self.mask_above(high))


def noise(
    size: tuple[int, int],
    cell: float,
    seed: int,
    octaves: int = 1,
) -> Image.Image:
    """Return a random surface whose hills are about `cell` pixels wide.

    Each further octave adds hills half as wide as those of the one before, and fainter.
    """
    surface = _random_surface(size, cell, seed)
    for octave in range(1, octaves):
        finer_cell = max(2.0, cell / 2**octave)
        finer = _random_surface(size, finer_cell, seed + octave * OCTAVE_SEED_STEP)
        surface = _blend(surface, finer, FINER_OCTAVE_SHARE)
    return surface


def _random_surface(size: tuple[int, int], cell: float, seed: int) -> Image.Image:
    """Return a random height per cell, enlarged to a smooth surface."""
    cells_across, cells_down = size[0] / cell, size[1] / cell
    # One cell more on the left and two on the right: bicubic scaling looks at the neighbours.
    columns = math.ceil(cells_across) + 3
    rows = math.ceil(cells_down) + 3
    heights = random.Random(seed).randbytes(columns * rows)
    bumps = Image.frombytes("L", (columns, rows), heights).convert("F")
    box = (1.0, 1.0, 1 + cells_across, 1 + cells_down)
    surface = bumps.resize(size, Image.Resampling.BICUBIC, box=box)

    # Bicubic scaling overshoots, and heights beyond the highest would rise as specks from the open
    # sea.
    def clamp(args: dict[str, Any]) -> Any:
        return args["min"](args["max"](args["surface"], 0), MAX_HEIGHT)

    clamped: Image.Image = ImageMath.lambda_eval(clamp, surface=surface)
    return clamped


def _blend(first: Image.Image, second: Image.Image, share: float) -> Image.Image:
    """Mix two surfaces; `share` is how much of the second there is."""

    def mix_heights(args: dict[str, Any]) -> Any:
        return args["first"] * (1 - share) + args["second"] * share

    blended: Image.Image = ImageMath.lambda_eval(mix_heights, first=first, second=second)
    return blended


def _subtract(area: Image.Image, other: Image.Image) -> Image.Image:
    """Return an area without another."""
    rest = area.copy()
    rest.paste(0, (0, 0, *area.size), other)
    return rest


class Relief:
    """The land of a map, from which fields of any softness are made."""

    def __init__(
        self, size: tuple[int, int], land: Sequence[Outline], detail: float, seed: int = 11
    ) -> None:
        self.size = size
        self.detail = detail
        self.seed = seed
        scale = LAND_SCALE
        area = Image.new("L", (size[0] * scale, size[1] * scale))
        pen = ImageDraw.Draw(area)
        for outline in land:
            pen.polygon([(x * scale, y * scale) for x, y in outline], fill=OPAQUE)
        self.land = area.reduce(scale)

    def field(
        self,
        blur: float,
        bumps: float,
        share: float,
        seed: int,
        octaves: int = 1,
    ) -> Field:
        """Return the land blurred and mixed with noise.

        `blur` is its radius and `bumps` the width of the noise's hills, both in details; `share` is
        how much noise there is.
        """
        blur_pixels = blur * self.detail
        step = max(MIN_GRID_STEP, blur_pixels * GRID_STEP_PER_BLUR)
        width, height = self.size
        grid = (math.ceil(width / step), math.ceil(height / step))
        soft_land = self.land.filter(ImageFilter.GaussianBlur(blur_pixels)).convert("F")
        land = soft_land.resize(grid, Image.Resampling.BOX)
        dunes = noise(grid, bumps * self.detail / step, self.seed + seed, octaves)
        # A blurred edge is steepest in its middle, as steep as the bell curve is high there.
        slope = MAX_HEIGHT * (1 - share) / (math.sqrt(math.tau) * blur * self.detail)
        return Field(self.size, _blend(land, dunes, share), slope)


def paint_terrain(
    relief: Relief,
    deep: Colour = DEEP,
    shelf: Colour = SHELF,
    terraces: tuple[Terrace, ...] = TERRACES,
) -> Terrain:
    """Paint the ground of a map: depths, glow, foam, sand, green and its terraces.

    They lie on each other like sheets of paper: each covers the middle of the one below and leaves
    its edge visible.
    """
    detail = relief.detail
    zoom = current_mode().zoom
    size = (relief.size[0] * zoom, relief.size[1] * zoom)
    # Coasts are smooth because the field is, so they are drawn less finely than sprites, with a
    # quarter of the pixels.
    with use_mode(replace(current_mode(), fine=current_mode().cut)):
        image = Image.new("RGB", size, deep)
        if shelf != deep:
            far = relief.field(blur=6.6, bumps=10, share=0.25, seed=20)
            _paste_sheet(image, shelf, far.mask_above(SHELF_LEVEL))
        near = relief.field(blur=2.9, bumps=4.9, share=0.22, seed=10)
        _paste_sheet(image, SHALLOW, near.mask_above(SHALLOW_LEVEL))
        # Everything from surf to sand follows one field, so that these lines run side by side.
        shore = relief.field(blur=1, bumps=4.4, share=0.30, seed=0, octaves=2)
        land = shore.mask_above(COAST_LEVEL)
        _paste_sheet(image, GLOW, shore.mask_above(GLOW_LEVEL))
        _paste_sheet(image, FOAM, shore.mask_between(*FOAM_LEVELS))
        right, down = COAST_SHADE_OFFSET
        shade = shore.mask_above(COAST_LEVEL, right * detail, down * detail)
        _paste_sheet(image, COAST_SHADE, shade)
        _paste_sheet(image, SAND, land)
        green = _paint_green(image, relief, terraces)
        return Terrain(image, scale_down(land), green)


def _paste_sheet(image: Image.Image, colour: Colour, area: Image.Image) -> None:
    """Paste a colour through a finely drawn mask."""
    image.paste(colour, (0, 0, *image.size), scale_down(area))


def _paint_green(image: Image.Image, relief: Relief, terraces: tuple[Terrace, ...]) -> Image.Image:
    """Paint a meadow with a dark edge and the terraces on it; return a mask of all green."""
    # Noise with the seed of the shore, somewhat softer: the edge of the green keeps its distance
    # from the coast.
    meadow = relief.field(blur=1.33, bumps=4.4, share=0.26, seed=0, octaves=2)
    green = meadow.mask_above(GREEN_LEVEL)
    _paste_sheet(image, JUNGLE, green)
    _paste_sheet(image, mix(MEADOW, GROVE, 0.25), meadow.mask_above(MEADOW_LEVEL))
    # Terraces follow another field, so they have to be kept from reaching over the meadow's edge.
    outside = ImageChops.invert(meadow.mask_above(TERRACES_LEVEL))
    height = relief.field(blur=2.7, bumps=6.7, share=0.24, seed=80)
    right, down = TERRACE_SHADE_OFFSET
    for terrace in terraces:
        if terrace.shade:
            shade = height.mask_above(terrace.level, right * relief.detail, down * relief.detail)
            _paste_sheet(image, terrace.shade, _subtract(shade, outside))
        raised = height.mask_above(terrace.level)
        _paste_sheet(image, terrace.colour, _subtract(raised, outside))
    return scale_down(green)
