"""Land and sea as cut paper: one smooth height field, cut at a level for each sheet.

The area of the land is blurred and mixed with seeded noise on a coarse grid of floating point numbers. Enlarged, such a
field is smooth everywhere, so that cutting it gives clean curved coasts; lower levels give the depths, higher ones
the terraces. `detail` is the width of a coast's bend in pixels: most other lengths follow from it.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter, ImageMath

from render.canvas import coarse, drawing, mode
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


class Terrain(Struct, frozen=True):
    """A painted ground and where on it the land and the green are, as masks of its size."""

    image: Image.Image
    coast: Image.Image
    green: Image.Image


class Terrace(Struct, frozen=True):
    """A sheet of green above a level, with a shade along its lower edge if it has a colour for one."""

    level: float
    colour: Colour
    shade: Colour | None = None


TERRACES = (
    Terrace(186, mix(MEADOW, GROVE, 0.7), mix(GROVE, FOREST, 0.45)),
    Terrace(212, mix(GROVE, FOREST, 0.14), mix(GROVE, FOREST, 0.45)),
)


class Field:
    """A smooth surface over an area, 0 to 255 high."""

    def __init__(self, size: tuple[int, int], grid: Image.Image, slope: float) -> None:
        fine = mode().fine
        self.steep = 255 * fine / slope
        self.surface = grid.resize((size[0] * fine, size[1] * fine), Image.Resampling.BICUBIC)

    def above(self, level: float, right: float = 0, down: float = 0) -> Image.Image:
        """A mask of what lies above a level, moved by some pixels, as fine as it is drawn."""
        cut = self.surface.point(lambda height: height * self.steep + (128 - level * self.steep)).convert("L")
        return cut if not (right or down) else _moved(cut, right, down)

    def between(self, low: float, high: float) -> Image.Image:
        """A mask of a band of heights."""
        return _without(self.above(low), self.above(high))


def noise(size: tuple[int, int], cell: float, seed: int, octaves: int = 1) -> Image.Image:
    """Seeded hills and dales, a `cell` wide, as floating point numbers."""
    hills = _octave(size, cell, seed)
    for octave in range(1, octaves):
        hills = _blend(hills, _octave(size, max(2.0, cell / 2**octave), seed + octave * 77), 0.36)
    return hills


def _octave(size: tuple[int, int], cell: float, seed: int) -> Image.Image:
    across, down = math.ceil(size[0] / cell) + 3, math.ceil(size[1] / cell) + 3
    bumps = Image.frombytes("L", (across, down), random.Random(seed).randbytes(across * down)).convert("F")
    box = (1.0, 1.0, 1 + size[0] / cell, 1 + size[1] / cell)
    return _clipped(bumps.resize(size, Image.Resampling.BICUBIC, box=box))


def _clipped(heights: Image.Image) -> Image.Image:
    """Enlarging overshoots; heights beyond the highest would rise as specks from the open sea."""

    def bounded(args: dict[str, Any]) -> Any:
        return args["min"](args["max"](args["heights"], 0), 255)

    clipped: Image.Image = ImageMath.lambda_eval(bounded, heights=heights)
    return clipped


def _blend(first: Image.Image, second: Image.Image, share: float) -> Image.Image:
    def mixed(args: dict[str, Any]) -> Any:
        return args["first"] * (1 - share) + args["second"] * share

    blended: Image.Image = ImageMath.lambda_eval(mixed, first=first, second=second)
    return blended


def _moved(area: Image.Image, right: float, down: float) -> Image.Image:
    moved = Image.new("L", area.size)
    moved.paste(area, (round(right) * mode().fine, round(down) * mode().fine))
    return moved


def _without(area: Image.Image, other: Image.Image) -> Image.Image:
    rest = area.copy()
    rest.paste(0, (0, 0, *area.size), other)
    return rest


def _within(area: Image.Image, other: Image.Image) -> Image.Image:
    return _without(area, other.point([255 - v for v in range(256)]))


class Relief:
    """The land of a map, from which fields of any softness are made."""

    def __init__(self, size: tuple[int, int], land: Sequence[Outline], detail: float, seed: int = 11) -> None:
        self.size, self.detail, self.seed = size, detail, seed
        area = Image.new("L", (size[0] * 2, size[1] * 2))
        pen = ImageDraw.Draw(area)
        for outline in land:
            pen.polygon([(x * 2, y * 2) for x, y in outline], fill=255)
        self.land = area.reduce(2)

    def field(self, blur: float, bumps: float, share: float, seed: int, octaves: int = 1) -> Field:
        """The land blurred and mixed with noise; lengths in details."""
        step = max(1.5, blur * self.detail * 0.55)
        grid = (math.ceil(self.size[0] / step), math.ceil(self.size[1] / step))
        soft = self.land.filter(ImageFilter.GaussianBlur(blur * self.detail)).convert("F")
        hills = soft.resize(grid, Image.Resampling.BOX)
        dunes = noise(grid, bumps * self.detail / step, self.seed + seed, octaves)
        slope = 255 * (1 - share) / (math.sqrt(math.tau) * blur * self.detail)
        return Field(self.size, _blend(hills, dunes, share), slope)


def paint(
    relief: Relief, deep: Colour = DEEP, shelf: Colour = SHELF, terraces: tuple[Terrace, ...] = TERRACES
) -> Terrain:
    """The ground of a map: depths, glow, foam, sand, green and its terraces."""
    detail = relief.detail
    with drawing(replace(mode(), fine=mode().cut)):
        image = Image.new("RGB", (relief.size[0] * mode().zoom, relief.size[1] * mode().zoom), deep)
        _sheet(image, shelf, relief.field(6.6, 10, 0.25, 20).above(85))
        _sheet(image, SHALLOW, relief.field(2.9, 4.9, 0.22, 10).above(70))
        shore = relief.field(1, 4.4, 0.30, 0, octaves=2)
        _sheet(image, GLOW, shore.above(93))
        _sheet(image, FOAM, shore.between(107, 117))
        _sheet(image, COAST_SHADE, shore.above(128, 0.25 * detail, 0.5 * detail))
        _sheet(image, SAND, shore.above(128))
        coast = coarse(shore.above(128))
        return Terrain(image, coast, _paint_green(image, relief, terraces))


def _sheet(image: Image.Image, colour: Colour, area: Image.Image, opacity: float = 1) -> None:
    area = coarse(area)
    if opacity < 1:
        area = area.point([round(v * opacity) for v in range(256)])
    image.paste(colour, (0, 0, *image.size), area)


def _paint_green(image: Image.Image, relief: Relief, terraces: tuple[Terrace, ...]) -> Image.Image:
    meadow = relief.field(1.33, 4.4, 0.26, 0, octaves=2)
    edge, inside = meadow.above(172), meadow.above(180)
    _sheet(image, JUNGLE, edge)
    _sheet(image, mix(MEADOW, GROVE, 0.25), inside)
    height = relief.field(2.7, 6.7, 0.24, 80)
    inner = meadow.above(183)
    for terrace in terraces:
        if terrace.shade:
            shaded = height.above(terrace.level, 0.1 * relief.detail, 0.25 * relief.detail)
            _sheet(image, terrace.shade, _within(shaded, inner))
        _sheet(image, terrace.colour, _within(height.above(terrace.level), inner))
    return coarse(edge)
