"""The tiles as pictures, each drawn once and kept.

Land leaves a tile between a quarter and three quarters of an edge, level. Each tile is painted
beyond its edges and cut out, and near the edges all of them share one seamless noise: so coast,
sand and glow go on from tile to tile.
"""

import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

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
from render.room import Room
from render.shapes import Outline, Point, smooth
from render.terrain import Field, noise

LOW, HIGH = 25, 75
"""Where land leaves a tile, in hundredths of an edge; so are all lengths below."""
BEYOND = 40
"""So far over its edges a tile is painted before it is cut out: a blurred coast must not end at
an edge.
"""
SEA = SHALLOW
SEA_PATCH = mix(SHALLOW, SHELF, 0.3)
COAST_SHADE = rgb("#1B6E86")
WAVE = mix(SHALLOW, rgb("#CFF3EC"), 0.6)
WAVES: tuple[Point, ...] = ((30, 30), (66, 46), (34, 66), (74, 80))
DIMMED = 0.3
"""How much of the backdrop is in a tile that cannot be had."""

PRINT = [mix(ABYSS, mix(SHELF, SHALLOW, 0.5), grey / 255) for grey in range(256)]
"""The colours of a print in the water, from dark to light."""


class Thing(NamedTuple):
    """Something on a tile. The foot comes first: sorted, the farthest are drawn first."""

    foot: float
    """How far down the tile it stands; of what lies at sea, how far down its middle is."""
    across: float
    size: float
    what: str


WIDE: dict[tuple[int, bool], tuple[Thing, ...]] = {
    (1, False): (Thing(78, 50, 66, "palm"),),
    (2, False): (Thing(73, 32, 56, "palm"), Thing(81, 68, 56, "palm")),
    (3, False): (Thing(74, 24, 47, "palm"), Thing(65, 50, 47, "palm"), Thing(80, 76, 47, "palm")),
    (1, True): (Thing(76, 30, 58, "palm"), Thing(79, 67, 46, "hut")),
    (2, True): (Thing(72, 25, 47, "palm"), Thing(63, 49, 47, "palm"), Thing(82, 73, 43, "hut")),
}
"""What stands on land, by the number of palms and whether there is a hut."""
TALL: dict[tuple[int, bool], tuple[Thing, ...]] = {
    **WIDE,
    (3, False): (Thing(51, 35, 47, "palm"), Thing(67, 66, 47, "palm"), Thing(88, 38, 47, "palm")),
}
"""The same on land that goes on up or down: too narrow for three palms side by side."""
SHIFTS = {"left_end": (4, 0), "right_end": (-4, 0), "top_end": (0, 6), "bottom_end": (0, -4)}
"""Right and down: the end of an island has its land off the middle of the tile."""
LEI_PALM: dict[int, Point] = {0: (97, 50), 1: (77, 36), 2: (64, 50), 3: (77, 64)}
"""Foot and place of the palm on a tile with half a lei, by the side of the lei."""
LEI_CENTRES = ((50, 0, 90), (100, 50, 180), (50, 100, -90), (0, 50, 0))
"""The middle of each side, and the angle from there to the middle of the tile."""
LEI_RADIUS = 24
EXTRA = {
    "single": (83, 84),
    "left_end": (83, 86),
    "right_end": (17, 86),
    "h_middle": (83, 86),
    "top_end": (85, 72),
    "bottom_end": (85, 80),
    "v_middle": (85, 74),
}
"""Where ships and shells of an island tile lie: in a lower corner that is sea."""


def _outline(tile: Tile) -> Outline:
    """The land of a tile, going straight on over the edges with land."""
    chance = random.Random(tile.number)
    start, end = -BEYOND, 100 + BEYOND

    def rough(*points: Point) -> Outline:
        """The points a little moved: no two coasts are alike."""
        return [(x + chance.uniform(-2.2, 2.2), y + chance.uniform(-2.2, 2.2)) for x, y in points]

    if tile.kind == "single":
        return smooth(
            rough((50, 20), (72, 26), (83, 48), (74, 73), (50, 80), (27, 74), (17, 50), (28, 27))
        )

    # Near an edge with land the coast stays exact, or it would not meet that of the next tile.
    out_east = [(86, LOW), (100, LOW), (end, LOW)]
    back_east = [(end, HIGH), (100, HIGH), (86, HIGH)]
    if tile.kind == "end":
        coast = rough((62, 21), (37, 23), (19, 37), (14, 52), (22, 69), (41, 80), (63, 79))
        line = [*reversed(out_east), *coast, *reversed(back_east)]
    else:
        in_west = [(start, LOW), (0, LOW), (14, LOW)]
        back_west = [(14, HIGH), (0, HIGH), (start, HIGH)]
        north = rough((36, 22), (62, 22))
        south = rough((63, 79), (36, 78))
        line = [*in_west, *north, *out_east, *back_east, *south, *back_west]
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
    """The land of a tile and what is around it, from which fields are made."""

    def __init__(self, size: int, outline: Outline, seed: int) -> None:
        self.size, self.seed = size, seed
        self.margin = round(size * BEYOND / 100)
        self.full = size + 2 * self.margin
        # Drawn twice as large and reduced, so that its edge is not jagged.
        area = Image.new("L", (self.full * 2, self.full * 2))
        if outline:
            points = []
            for x, y in outline:
                points.append(
                    ((x * size / 100 + self.margin) * 2, (y * size / 100 + self.margin) * 2)
                )
            ImageDraw.Draw(area).polygon(points, fill=255)
        self.land = area.reduce(2)

    def field(self, blur: float, bumps: int, share: float, seed: int) -> Field:
        """The land blurred by so many hundredths and mixed with noise of so many bumps a tile.

        The noise is the tile's own in the middle, and that of all tiles near the edges.
        """
        reach = blur * self.size / 100
        soft = self.land.filter(ImageFilter.GaussianBlur(reach)).convert("F")
        own = noise((self.full, self.full), self.size / bumps, self.seed + seed)
        shared = _seamless(self.size, bumps, seed)

        def mixed(args: dict[str, Any]) -> Any:
            hills = args["own"] * args["inside"] + args["shared"] * (1 - args["inside"])
            return args["soft"] * (1 - share) + hills * share

        grid = ImageMath.lambda_eval(
            mixed, soft=soft, own=own, shared=shared, inside=_inside(self.size)
        )
        # How steep the field is at most, at the coast or on a hill: so soft its cuts must be.
        coast = 255 * (1 - share) / (math.sqrt(math.tau) * reach)
        hills = 120 * share * bumps / self.size
        return Field((self.full, self.full), grid, max(coast, hills))

    def cut(self, area: Image.Image) -> Image.Image:
        """The tile's own part of a fine mask, brought to the picture's size."""
        edge, side = self.margin * mode().fine, self.size * mode().fine
        return coarse(area.crop((edge, edge, edge + side, edge + side)))


# This and the next are kept: made anew for every tile, the ground of one takes 18 ms instead of 10.
@cache
def _seamless(size: int, bumps: int, seed: int) -> Image.Image:
    """Noise that goes on over every edge of a tile into any other tile."""
    heights = random.Random(seed).randbytes(bumps * bumps)
    once = Image.frombytes("L", (bumps, bumps), heights).convert("F")
    # Laid out three by three and enlarged, the one in the middle has itself on every side.
    grid = Image.new("F", (3 * bumps, 3 * bumps))
    for row in range(3):
        for column in range(3):
            grid.paste(once, (column * bumps, row * bumps))
    margin = round(size * BEYOND / 100)
    reach = margin / size * bumps
    start, end = bumps - reach, 2 * bumps + reach
    box = (start, start, end, end)
    full = size + 2 * margin
    return grid.resize((full, full), Image.Resampling.BICUBIC, box=box)


@cache
def _inside(size: int) -> Image.Image:
    """How far a pixel is from the tile's edges: 0 near them and beyond, 1 in the middle."""
    margin = round(size * BEYOND / 100)
    rising = []
    for pixel in range(size + 2 * margin):
        place = (pixel - margin + 0.5) / size
        from_edge = min(place, 1 - place)
        # From 5 hundredths on it rises, over 20 more, without a bend at either end.
        part = min(1.0, max(0.0, (from_edge - 0.05) / 0.2))
        rising.append(part * part * (3 - 2 * part))
    area = Image.new("F", (len(rising), len(rising)))
    area.putdata([down * across for down in rising for across in rising])
    return area


def _ground(tile: Tile, size: int) -> Image.Image:
    """Sea and land of a tile."""
    with drawing(replace(mode(), fine=mode().cut)):
        outline = _outline(tile) if tile.is_island else []
        relief = _Relief(size, outline, tile.number * 101)
        image = Image.new("RGB", (size * mode().zoom, size * mode().zoom), SEA)

        def lay(colour: Colour, area: Image.Image) -> None:
            image.paste(colour, (0, 0, *image.size), relief.cut(area))

        # Sheets of paper from the water up: each covers all but the rim of the one before.
        lay(SEA_PATCH, relief.field(6, 3, 1, 5).above(160))
        if not tile.is_island:
            return image
        glow = relief.field(7, 7, 0.2, 7)
        lay(LAGOON, glow.above(60))
        lay(GLOW, glow.above(84))
        shore = relief.field(4, 7, 0.18, 7)
        drop = size / 100
        lay(COAST_SHADE, shore.above(120, 1.5 * drop, 3 * drop))
        lay(SAND, shore.above(120))
        green = relief.field(5, 7, 0.16, 7)
        lay(FOREST, green.above(184))
        lay(mix(MEADOW, GROVE, 0.4), green.above(193))
        lay(mix(MEADOW, GROVE, 0.85), relief.field(9, 4, 0.2, 3).above(200))
    return image


def _things(tile: Tile) -> list[Thing]:
    """Palms and huts, the farthest first."""
    if tile.kind == "volcano":
        return [Thing(92, 50, 84, "volcano")]
    if not tile.is_island:
        return []
    if tile.lei >= 0:
        foot, across = LEI_PALM[tile.lei]
        return [Thing(foot, across, 60, "palm")]
    is_tall = tile.shape in ("top_end", "bottom_end", "v_middle")
    places = TALL if is_tall else WIDE
    right, down = SHIFTS.get(tile.shape, (0, 0))
    things = []
    for foot, across, size, what in places[tile.palms, tile.hut]:
        things.append(Thing(foot + down, across + right, size, what))
    return sorted(things)


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
    return palm(pixels, -1 if across < 45 else 1)  # leaning outwards


def _extras(tile: Tile) -> Iterator[Thing]:
    """Ships and shells; `foot` is how far down their middle is."""
    if not tile.is_island:
        for _ in range(tile.ships):
            yield Thing(50, 50, 66, "ship")
        for number in range(tile.shells):
            yield Thing(40 + 7 * number, 34 + 33 * number, 42, "shell")
        return
    across, down = EXTRA[tile.shape]
    for _ in range(tile.ships):
        # Larger than a shell: it would be cut off so near the edges.
        yield Thing(min(down - 4, 79), min(max(across, 22), 78), 44, "ship")
    step = -27 if across > 50 else 27  # a second shell lies further from the corner
    for number in range(tile.shells):
        yield Thing(down, across + step * number, 30, "shell")


def half_lei(side: int) -> list[Point]:
    """The flowers of half a lei, on a circle around the middle of a side."""
    x, y, inwards = LEI_CENTRES[side]
    flowers = []
    for turn in (-72, -36, 0, 36, 72):
        angle = math.radians(inwards + turn)
        flowers.append((x + LEI_RADIUS * math.cos(angle), y + LEI_RADIUS * math.sin(angle)))
    return flowers


# Kept: a tile takes 9 ms, and a picture has up to a hundred. There are 97 of them in two sizes.
@kept(256)
def tile_image(number: int, size: int) -> Image.Image:
    """A tile of that many pixels a side."""
    tile = TILES[number]
    canvas = Canvas(_ground(tile, size))

    def px(length: float) -> int:
        return round(length * size / 100)

    if tile.shape == "open_water":
        for x, y in WAVES:
            canvas.put(wave(px(34), WAVE), px(x), px(y))
    for sprite, x, y, what in _symbols(tile, size):
        canvas.put(sprite, x, y, what)
    _bevel(canvas, size)
    return canvas.image


def _symbols(tile: Tile, size: int) -> Iterator[tuple[Sprite, int, int, str]]:
    """What is counted on a tile and where it is put, the farthest first."""

    def px(length: float) -> int:
        return round(length * size / 100)

    def placed(thing: Thing) -> tuple[Sprite, int, int, str]:
        return (
            _sprite(thing.what, px(thing.size), thing.across),
            px(thing.across),
            px(thing.foot),
            thing.what,
        )

    yield from map(placed, _things(tile))
    if tile.lei >= 0:
        for number, (x, y) in enumerate(half_lei(tile.lei)):
            # The halves of a ring begin with different colours, so that they alternate all around.
            is_white = (number + tile.lei // 2) % 2 == 1
            yield flower(px(19), is_white), px(x), px(y), f"lei:{tile.number}"
    yield from map(placed, _extras(tile))


@kept(256)
def symbols_of(number: int, size: int) -> Image.Image:
    """The area of a tile that is taken by what is counted on it: a mark there would hide it."""
    room = Room(size, size)
    for sprite, x, y, _ in _symbols(TILES[number], size):
        room.take(sprite, x, y)
    return room.area


def _bevel(canvas: Canvas, size: int) -> None:
    """A fine light edge above and left, a dark one below and right: a tile, not a print."""
    edges = (
        ((0, 0, size, 1), WHITE, 0.3),
        ((0, 0, 1, size), WHITE, 0.22),
        ((0, size - 1, size, size), INK, 0.4),
        ((size - 1, 0, size, size), INK, 0.32),
    )
    for box, colour, share in edges:
        left, top, right, bottom = (side * mode().zoom for side in box)
        part = canvas.image.crop((left, top, right, bottom))
        tinted = Image.blend(part, Image.new("RGB", part.size, colour), share)
        canvas.image.paste(tinted, (left, top))


def dim_tile(number: int, size: int) -> Image.Image:
    """A tile that cannot be had now."""
    image = tile_image(number, size)
    return Image.blend(image, Image.new("RGB", image.size, BACKDROP), DIMMED)


def ghost_tile(number: int, size: int) -> Image.Image:
    """A tile that was taken off the board before the scoring, as a print in the water."""
    # Pillow wants all the reds of the table, then the greens, then the blues.
    table = [colour[channel] for channel in range(3) for colour in PRINT]
    return tile_image(number, size).convert("L").convert("RGB").point(table)
