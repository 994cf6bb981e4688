"""The tiles as pictures, each drawn once and kept.

Land leaves a tile between a quarter and three quarters of an edge, level. Each tile is painted beyond its edges and cut
out, and near the edges all of them share one seamless noise: so coast, sand and glow go on from tile to tile.
"""

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter, ImageMath

from engine.maori.tiles import TILES, Tile
from render.canvas import Canvas, Sprite, coarse, drawing, kept, mode
from render.items import shell
from render.maori.sprites import flower, hut, palm, ship, volcano
from render.nature import wave
from render.palette import (
    ABYSS,
    BACKDROP,
    FOREST,
    GLOW,
    GROVE,
    INK,
    LAGOON,
    MEADOW,
    SAND,
    SEA_SHADE,
    SHALLOW,
    SHELF,
    WHITE,
    Colour,
    mix,
    rgb,
)
from render.shapes import Outline, Point, smooth
from render.terrain import Field, noise

LOW, HIGH = 25, 75
"""Where land leaves a tile, in hundredths of an edge; so are all lengths below."""
BEYOND = 40
SEA = SHALLOW
SEA_PATCH = mix(SHALLOW, SHELF, 0.3)
COAST_SHADE = rgb("#1B6E86")
WAVE = mix(SHALLOW, rgb("#CFF3EC"), 0.6)
WAVES = ((30, 30), (66, 46), (34, 66), (74, 80))
DIMMED = 0.3
"""How much of the backdrop is in a tile that cannot be had."""
Thing = tuple[float, float, float, str]
"""Foot, across, size and what it is."""
WIDE: dict[tuple[int, bool], tuple[Thing, ...]] = {
    (1, False): ((78, 50, 66, "palm"),),
    (2, False): ((73, 32, 56, "palm"), (81, 68, 56, "palm")),
    (3, False): ((74, 24, 47, "palm"), (65, 50, 47, "palm"), (80, 76, 47, "palm")),
    (1, True): ((76, 30, 58, "palm"), (79, 67, 46, "hut")),
    (2, True): ((72, 25, 47, "palm"), (63, 49, 47, "palm"), (82, 73, 43, "hut")),
}
TALL: dict[tuple[int, bool], tuple[Thing, ...]] = {
    **WIDE,
    (3, False): ((51, 35, 47, "palm"), (67, 66, 47, "palm"), (88, 38, 47, "palm")),
}
SHIFTS = {"left_end": (4, 0), "right_end": (-4, 0), "top_end": (0, 6), "bottom_end": (0, -4)}
LEI_PALM = {0: (97, 50), 1: (77, 36), 2: (64, 50), 3: (77, 64)}
"""Foot and place of the palm on a tile with half a lei, by the side of the lei."""
EXTRA = {
    "single": (83, 84),
    "left_end": (83, 86),
    "right_end": (17, 86),
    "h_middle": (83, 86),
    "top_end": (85, 72),
    "bottom_end": (85, 80),
    "v_middle": (85, 74),
}
"""Where ships and shells of an island tile lie."""


def _outline(tile: Tile) -> Outline:
    """The land of a tile, going straight on over the edges with land."""
    chance, far = random.Random(tile.number), 100 + BEYOND

    def near(x: float, y: float, by: float = 2.2) -> Point:
        return x + chance.uniform(-by, by), y + chance.uniform(-by, by)

    match tile.kind:
        case "single":
            around = ((50, 20), (72, 26), (83, 48), (74, 73), (50, 80), (27, 74), (17, 50), (28, 27))
            return smooth([near(x, y) for x, y in around])
        case "end":
            coast = [near(x, y) for x, y in ((62, 21), (37, 23), (19, 37), (14, 52), (22, 69), (41, 80), (63, 79))]
            line = [(far, LOW), (100, LOW), (86, LOW), *coast, (86, HIGH), (100, HIGH), (far, HIGH)]
        case _:
            north, south = ([near(x, y) for x, y in side] for side in (((36, 22), (62, 22)), ((63, 79), (36, 78))))
            top = [(-BEYOND, LOW), (0, LOW), (14, LOW), *north, (86, LOW), (100, LOW), (far, LOW)]
            line = [*top, (far, HIGH), (100, HIGH), (86, HIGH), *south, (14, HIGH), (0, HIGH), (-BEYOND, HIGH)]
    return _faced(smooth(line), tile.shape)


def _faced(line: Outline, shape: str) -> Outline:
    """A left end or horizontal middle turned into the shape that is wanted."""
    match shape:
        case "right_end":
            return [(100 - x, y) for x, y in line]
        case "top_end" | "v_middle":
            return [(y, x) for x, y in line]
        case "bottom_end":
            return [(y, 100 - x) for x, y in line]
    return line


class _Relief:
    """The land of a tile with a margin, from which fields are made."""

    def __init__(self, size: int, outline: Outline, seed: int) -> None:
        self.size, self.seed = size, seed
        self.margin = round(size * BEYOND / 100)
        self.full = size + 2 * self.margin
        area = Image.new("L", (self.full * 2, self.full * 2))
        if outline:
            points = [((x * size / 100 + self.margin) * 2, (y * size / 100 + self.margin) * 2) for x, y in outline]
            ImageDraw.Draw(area).polygon(points, fill=255)
        self.land = area.reduce(2)

    def field(self, blur: float, bumps: int, share: float, seed: int) -> Field:
        """The land blurred by so many hundredths and mixed with noise of so many bumps a tile."""
        soft = self.land.filter(ImageFilter.GaussianBlur(blur * self.size / 100)).convert("F")
        own = noise((self.full, self.full), self.size / bumps, self.seed + seed)
        grid = _mixed(soft, own, _seamless(self.size, bumps, seed), _inside(self.size), share)
        coast = 255 * (1 - share) / (math.sqrt(math.tau) * blur * self.size / 100)
        hills = 120 * share * bumps / self.size
        return Field((self.full, self.full), grid, max(coast, hills))

    def cut(self, area: Image.Image) -> Image.Image:
        """The tile's own part of a fine mask, brought to the picture's size."""
        edge, side = self.margin * mode().fine, self.size * mode().fine
        return coarse(area.crop((edge, edge, edge + side, edge + side)))


def _mixed(soft: Image.Image, own: Image.Image, shared: Image.Image, inside: Image.Image, share: float) -> Image.Image:
    def blended(args: dict[str, Any]) -> Any:
        bumps = args["own"] * args["inside"] + args["shared"] * (1 - args["inside"])
        return args["soft"] * (1 - share) + bumps * share

    grid: Image.Image = ImageMath.lambda_eval(blended, soft=soft, own=own, shared=shared, inside=inside)
    return grid


# This and the next are kept: made anew for every tile, the ground of one takes 18 ms instead of 10.
@cache
def _seamless(size: int, bumps: int, seed: int) -> Image.Image:
    """Noise that goes on over every edge of a tile into any other tile."""
    once = Image.frombytes("L", (bumps, bumps), random.Random(seed).randbytes(bumps * bumps)).convert("F")
    grid = Image.new("F", (3 * bumps, 3 * bumps))
    for row in range(3):
        for column in range(3):
            grid.paste(once, (column * bumps, row * bumps))
    margin = round(size * BEYOND / 100)
    reach = margin / size * bumps
    box = (bumps - reach, bumps - reach, 2 * bumps + reach, 2 * bumps + reach)
    full = size + 2 * margin
    return grid.resize((full, full), Image.Resampling.BICUBIC, box=box)


@cache
def _inside(size: int) -> Image.Image:
    """How far a pixel is from the tile's edges: 0 near them and beyond, 1 in the middle."""
    margin = round(size * BEYOND / 100)
    places = [(i - margin + 0.5) / size for i in range(size + 2 * margin)]
    ramp = [min(1.0, max(0.0, (min(t, 1 - t) - 0.05) / 0.2)) for t in places]
    smoothed = [t * t * (3 - 2 * t) for t in ramp]
    area = Image.new("F", (len(ramp), len(ramp)))
    area.putdata([a * b for a in smoothed for b in smoothed])
    return area


def _ground(tile: Tile, size: int) -> Image.Image:
    """Sea and land of a tile."""
    with drawing(replace(mode(), fine=mode().cut)):
        relief = _Relief(size, _outline(tile) if tile.is_island else [], tile.number * 101)
        image = Image.new("RGB", (size * mode().zoom, size * mode().zoom), SEA)

        def lay(colour: Colour, area: Image.Image) -> None:
            image.paste(colour, (0, 0, *image.size), relief.cut(area))

        lay(SEA_PATCH, relief.field(6, 3, 1, 5).above(160))
        if tile.is_island:
            _paint_land(relief, lay)
    return image


def _paint_land(relief: _Relief, lay: Callable[[Colour, Image.Image], None]) -> None:
    glow = relief.field(7, 7, 0.2, 7)
    lay(LAGOON, glow.above(60))
    lay(GLOW, glow.above(84))
    shore = relief.field(4, 7, 0.18, 7)
    drop = relief.size / 100
    lay(COAST_SHADE, shore.above(120, 1.5 * drop, 3 * drop))
    lay(SAND, shore.above(120))
    green = relief.field(5, 7, 0.16, 7)
    lay(FOREST, green.above(184))
    lay(mix(MEADOW, GROVE, 0.4), green.above(193))
    lay(mix(MEADOW, GROVE, 0.85), relief.field(9, 4, 0.2, 3).above(200))


def _things(tile: Tile) -> list[Thing]:
    """Palms and huts, the farthest first."""
    if not tile.is_island:
        return [(92, 50, 84, "volcano")] if tile.kind == "volcano" else []
    if tile.lei >= 0:
        foot, across = LEI_PALM[tile.lei]
        return [(foot, across, 60, "palm")]
    places = TALL if tile.shape in ("top_end", "bottom_end", "v_middle") else WIDE
    right, down = SHIFTS.get(tile.shape, (0, 0))
    return sorted(
        (foot + down, across + right, size, what) for foot, across, size, what in places[tile.palms, tile.hut]
    )


def _sprite(what: str, pixels: int, across: float) -> Sprite:
    match what:
        case "hut":
            return hut(pixels)
        case "volcano":
            return volcano(pixels)
        case "ship":
            return ship(pixels)
        case "shell":
            return shell(pixels, SEA_SHADE)
    return palm(pixels, -1 if across < 45 else 1)


def _extras(tile: Tile) -> Iterator[Thing]:
    """Ships and shells; `foot` is how far down their middle is."""
    at_sea = not tile.is_island
    across, down = (50, 50) if at_sea else EXTRA[tile.shape]
    for _ in range(tile.ships):
        yield (50, 50, 66, "ship") if at_sea else (min(down - 4, 79), min(max(across, 22), 78), 44, "ship")
    step = -27 if across > 50 else 27
    for i in range(tile.shells):
        yield (40 + 7 * i, 34 + 33 * i, 42, "shell") if at_sea else (down, across + step * i, 30, "shell")


def half_lei(side: int) -> list[Point]:
    """The flowers of half a lei, on a circle around the middle of a side."""
    x, y, inwards = ((50, 0, 90), (100, 50, 180), (50, 100, -90), (0, 50, 0))[side]
    angles = [math.radians(inwards + turn) for turn in (-72, -36, 0, 36, 72)]
    return [(x + 24 * math.cos(angle), y + 24 * math.sin(angle)) for angle in angles]


@kept(256)
def tile_image(number: int, size: int) -> Image.Image:
    """A tile of that many pixels a side."""
    tile = TILES[number]
    canvas = Canvas(_ground(tile, size))

    def px(length: float) -> int:
        return round(length * size / 100)

    for x, y in WAVES if tile.shape == "open_water" else ():
        canvas.put(wave(px(34), WAVE), px(x), px(y))
    for foot, across, large, what in _things(tile):
        canvas.put(_sprite(what, px(large), across), px(across), px(foot))
    for i, spot in enumerate(half_lei(tile.lei) if tile.lei >= 0 else ()):
        canvas.put(flower(px(19), bool((i + tile.lei // 2) % 2)), px(spot[0]), px(spot[1]))
    for down, across, large, what in _extras(tile):
        canvas.put(_sprite(what, px(large), across), px(across), px(down))
    _bevel(canvas, size)
    return canvas.image


def _bevel(canvas: Canvas, size: int) -> None:
    """A fine light edge above and left, a dark one below and right: a tile, not a print."""
    for box, colour, share in (
        ((0, 0, size, 1), WHITE, 0.3),
        ((0, 0, 1, size), WHITE, 0.22),
        ((0, size - 1, size, size), INK, 0.4),
        ((size - 1, 0, size, size), INK, 0.32),
    ):
        left, top, right, bottom = (side * mode().zoom for side in box)
        part = canvas.image.crop((left, top, right, bottom))
        canvas.image.paste(Image.blend(part, Image.new("RGB", part.size, colour), share), (left, top))


@kept(256)
def dim_tile(number: int, size: int) -> Image.Image:
    """A tile that cannot be had now."""
    image = tile_image(number, size)
    return Image.blend(image, Image.new("RGB", image.size, BACKDROP), DIMMED)


@kept(256)
def ghost_tile(number: int, size: int) -> Image.Image:
    """A tile that was taken off the board before the scoring, as a print in the water."""
    ramp = [mix(ABYSS, mix(SHELF, SHALLOW, 0.5), v / 255) for v in range(256)]
    table = [colour[channel] for channel in range(3) for colour in ramp]
    return tile_image(number, size).convert("L").convert("RGB").point(table)
