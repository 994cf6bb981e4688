"""Land and sea as cut paper: one smooth height field, cut at a level for each sheet.

The area of the land is blurred and mixed with seeded noise on a coarse grid of floating point
numbers. Enlarged, such a field is smooth everywhere, so that cutting it gives clean curved coasts;
lower levels give the depths, higher ones the terraces. `detail` is the width of a coast's bend in
pixels: most other lengths follow from it.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageMath

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
COAST = 128
"""The level of the coast: half way up the blurred edge of the land."""


class Terrain(Struct, frozen=True):
    """A painted ground and where on it the land and the green are, as masks of its size."""

    image: Image.Image
    coast: Image.Image
    green: Image.Image


class Terrace(Struct, frozen=True):
    """A sheet of green above a level, with a shade along its lower edge if it has a colour for
    one.
    """

    level: float
    colour: Colour
    shade: Colour | None = None


TERRACES = (
    Terrace(186, mix(MEADOW, GROVE, 0.7), mix(GROVE, FOREST, 0.45)),
    Terrace(212, mix(GROVE, FOREST, 0.14), mix(GROVE, FOREST, 0.45)),
)


class Field:
    """A smooth surface over an area, 0 to 255 high; `slope` is how much it rises in a pixel at a
    coast.
    """

    def __init__(self, size: tuple[int, int], grid: Image.Image, slope: float) -> None:
        fine = mode().fine
        # So steep that a cut goes from nothing to all within a pixel or so: a smooth edge, and a
        # sharp one.
        self.steep = 255 * fine / slope
        self.surface = grid.resize((size[0] * fine, size[1] * fine), Image.Resampling.BICUBIC)

    def above(self, level: float, right: float = 0, down: float = 0) -> Image.Image:
        """A mask of what lies above a level, moved by some pixels, as fine as it is drawn."""
        # The level itself becomes 128, half covered. Pillow takes such a function apart: it must
        # stay `a * x + b`.
        cut = self.surface.point(
            lambda height: height * self.steep + (128 - level * self.steep)
        ).convert("L")
        if not right and not down:
            return cut
        moved = Image.new("L", cut.size)
        moved.paste(cut, (round(right) * mode().fine, round(down) * mode().fine))
        return moved

    def between(self, low: float, high: float) -> Image.Image:
        """A mask of a band of heights."""
        return _without(self.above(low), self.above(high))


def noise(size: tuple[int, int], cell: float, seed: int, octaves: int = 1) -> Image.Image:
    """Seeded hills and dales, a `cell` wide, as floating point numbers."""
    hills = _octave(size, cell, seed)
    for octave in range(1, octaves):
        # Each octave half as wide as the one before, and fainter.
        finer = _octave(size, max(2.0, cell / 2**octave), seed + octave * 77)
        hills = _blend(hills, finer, 0.36)
    return hills


def _octave(size: tuple[int, int], cell: float, seed: int) -> Image.Image:
    """A random height for each cell, enlarged to a smooth surface."""
    cells_across, cells_down = size[0] / cell, size[1] / cell
    # One cell more on the left and two on the right: bicubic enlarging looks at the neighbours.
    across, down = math.ceil(cells_across) + 3, math.ceil(cells_down) + 3
    heights = random.Random(seed).randbytes(across * down)
    bumps = Image.frombytes("L", (across, down), heights).convert("F")
    box = (1.0, 1.0, 1 + cells_across, 1 + cells_down)
    surface = bumps.resize(size, Image.Resampling.BICUBIC, box=box)

    # Enlarging overshoots; heights beyond the highest would rise as specks from the open sea.
    def bounded(args: dict[str, Any]) -> Any:
        return args["min"](args["max"](args["surface"], 0), 255)

    clipped: Image.Image = ImageMath.lambda_eval(bounded, surface=surface)
    return clipped


def _blend(first: Image.Image, second: Image.Image, share: float) -> Image.Image:
    """The first surface with that share of the second."""

    def mixed(args: dict[str, Any]) -> Any:
        return args["first"] * (1 - share) + args["second"] * share

    blended: Image.Image = ImageMath.lambda_eval(mixed, first=first, second=second)
    return blended


def _without(area: Image.Image, other: Image.Image) -> Image.Image:
    rest = area.copy()
    rest.paste(0, (0, 0, *area.size), other)
    return rest


def _within(area: Image.Image, other: Image.Image) -> Image.Image:
    outside = ImageChops.invert(other)
    return _without(area, outside)


class Relief:
    """The land of a map, from which fields of any softness are made."""

    def __init__(
        self, size: tuple[int, int], land: Sequence[Outline], detail: float, seed: int = 11
    ) -> None:
        self.size, self.detail, self.seed = size, detail, seed
        # Twice as fine whatever the mode: it is blurred anyway.
        area = Image.new("L", (size[0] * 2, size[1] * 2))
        pen = ImageDraw.Draw(area)
        for outline in land:
            pen.polygon([(x * 2, y * 2) for x, y in outline], fill=255)
        self.land = area.reduce(2)

    def field(self, blur: float, bumps: float, share: float, seed: int, octaves: int = 1) -> Field:
        """The land blurred, with a share of noise whose hills are `bumps` wide; lengths in
        details.
        """
        # What was blurred so far needs no finer grid than half of that.
        step = max(1.5, blur * self.detail * 0.55)
        grid = (math.ceil(self.size[0] / step), math.ceil(self.size[1] / step))
        soft = self.land.filter(ImageFilter.GaussianBlur(blur * self.detail)).convert("F")
        hills = soft.resize(grid, Image.Resampling.BOX)
        dunes = noise(grid, bumps * self.detail / step, self.seed + seed, octaves)
        # A blurred edge is steepest in its middle, as steep as the bell curve is high there.
        slope = 255 * (1 - share) / (math.sqrt(math.tau) * blur * self.detail)
        return Field(self.size, _blend(hills, dunes, share), slope)


def paint(
    relief: Relief,
    deep: Colour = DEEP,
    shelf: Colour = SHELF,
    terraces: tuple[Terrace, ...] = TERRACES,
) -> Terrain:
    """The ground of a map: depths, glow, foam, sand, green and its terraces.

    Sheets of paper, the lowest first: each covers the middle of the one below and leaves its edge
    to be seen.
    """
    detail = relief.detail
    zoom = mode().zoom
    # Coasts are smooth by their field, so they are drawn less finely than sprites: a quarter of the
    # pixels.
    with drawing(replace(mode(), fine=mode().cut)):
        image = Image.new("RGB", (relief.size[0] * zoom, relief.size[1] * zoom), deep)
        if shelf != deep:
            far = relief.field(blur=6.6, bumps=10, share=0.25, seed=20)
            _sheet(image, shelf, far.above(85))
        near = relief.field(blur=2.9, bumps=4.9, share=0.22, seed=10)
        _sheet(image, SHALLOW, near.above(70))
        # Everything from surf to sand follows one field, so that these lines run side by side.
        shore = relief.field(blur=1, bumps=4.4, share=0.30, seed=0, octaves=2)
        land = shore.above(COAST)
        _sheet(image, GLOW, shore.above(93))
        _sheet(image, FOAM, shore.between(107, 117))
        _sheet(image, COAST_SHADE, shore.above(COAST, 0.25 * detail, 0.5 * detail))
        _sheet(image, SAND, land)
        green = _paint_green(image, relief, terraces)
        return Terrain(image, coarse(land), green)


def _sheet(image: Image.Image, colour: Colour, area: Image.Image) -> None:
    image.paste(colour, (0, 0, *image.size), coarse(area))


def _paint_green(image: Image.Image, relief: Relief, terraces: tuple[Terrace, ...]) -> Image.Image:
    """Meadow with a dark edge, and terraces that rise inside it; gives the area of all that is
    green.
    """
    # The same noise as the shore's, somewhat softer: the edge of the green keeps its distance from
    # the coast.
    meadow = relief.field(blur=1.33, bumps=4.4, share=0.26, seed=0, octaves=2)
    green = meadow.above(172)
    _sheet(image, JUNGLE, green)
    _sheet(image, mix(MEADOW, GROVE, 0.25), meadow.above(180))
    # Terraces follow another field, so they must be kept from reaching over the meadow's edge.
    inner = meadow.above(183)
    height = relief.field(blur=2.7, bumps=6.7, share=0.24, seed=80)
    for terrace in terraces:
        if terrace.shade:
            shaded = height.above(terrace.level, 0.1 * relief.detail, 0.25 * relief.detail)
            _sheet(image, terrace.shade, _within(shaded, inner))
        raised = height.above(terrace.level)
        _sheet(image, terrace.colour, _within(raised, inner))
    return coarse(green)
