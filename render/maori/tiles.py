"""The tiles as pictures, each drawn once and cached.

A tile is its ground (`tile_ground`) with things on it: palms and huts stand on land, ships and
shells lie in the water, half a lei joins the other half on the next tile. The tables say where each
thing stands, in hundredths of a tile's edge.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image

from engine.maori.tiles import TILES, Tile
from render.canvas import Canvas, Sprite, cached, current_mode
from render.free_space import FreeSpace
from render.items import shell
from render.maori.sprites import (
    draw_hut,
    draw_lei_flower,
    draw_palm,
    draw_ship,
    draw_volcano,
)
from render.maori.tile_ground import draw_ground
from render.nature import wave
from render.palette import ABYSS, BACKDROP, INK, SEA_SHADE, SHALLOW, SHELF, WHITE, mix, rgb
from render.shapes import Point

WAVE_COLOUR = mix(SHALLOW, rgb("#CFF3EC"), 0.6)
WAVE_SIZE = 34
WAVES: tuple[Point, ...] = (
    (30, 30),
    (66, 46),
    (34, 66),
    (74, 80),
)
"""Where the waves of a tile of open water are."""
DIMMING = 0.3
"""The share of the backdrop in a tile that cannot be chosen."""
GHOST_COLOURS = [mix(ABYSS, mix(SHELF, SHALLOW, 0.5), grey / 255) for grey in range(256)]
"""The colours of a print in the water, from dark to light."""


class Thing(NamedTuple):
    """Something on a tile. `foot` comes first: sorted, the farthest are drawn first."""

    foot: float
    """How far down the tile it stands; how far down its middle is, if it lies at sea."""
    across: float
    size: float
    what: str


WIDE_LAND: dict[tuple[int, bool], tuple[Thing, ...]] = {
    (1, False): (Thing(78, 50, 66, "palm"),),
    (2, False): (
        Thing(73, 32, 56, "palm"),
        Thing(81, 68, 56, "palm"),
    ),
    (3, False): (
        Thing(74, 24, 47, "palm"),
        Thing(65, 50, 47, "palm"),
        Thing(80, 76, 47, "palm"),
    ),
    (1, True): (
        Thing(76, 30, 58, "palm"),
        Thing(79, 67, 46, "hut"),
    ),
    (2, True): (
        Thing(72, 25, 47, "palm"),
        Thing(63, 49, 47, "palm"),
        Thing(82, 73, 43, "hut"),
    ),
}
"""The things on land, by the number of palms and whether there is a hut."""
TALL_LAND: dict[tuple[int, bool], tuple[Thing, ...]] = {
    **WIDE_LAND,
    (3, False): (
        Thing(51, 35, 47, "palm"),
        Thing(67, 66, 47, "palm"),
        Thing(88, 38, 47, "palm"),
    ),
}
"""The things on land that continues up or down, which is too narrow for three palms in a row."""
LAND_OFFSETS = {
    "left_end": (4, 0),
    "right_end": (-4, 0),
    "top_end": (0, 6),
    "bottom_end": (0, -4),
}
"""How far right and down the middle of an end's land is from the middle of its tile."""
VOLCANO = Thing(92, 50, 84, "volcano")

LEI_PALMS: dict[int, Point] = {
    0: (97, 50),
    1: (77, 36),
    2: (64, 50),
    3: (77, 64),
}
"""How far down and how far right the palm stands on a tile with half a lei, by the lei's side."""
LEI_PALM_SIZE = 60
LEI_CENTRES = (
    (50, 0, 90),
    (100, 50, 180),
    (50, 100, -90),
    (0, 50, 0),
)
"""The middle of each side, and the angle from there to the middle of the tile."""
LEI_RADIUS = 24
LEI_ANGLES = (-72, -36, 0, 36, 72)
"""From the middle flower of half a lei to each of its flowers."""
LEI_FLOWER_SIZE = 19

CORNER_AT_SEA = {
    "single": (83, 84),
    "left_end": (83, 86),
    "right_end": (17, 86),
    "h_middle": (83, 86),
    "top_end": (85, 72),
    "bottom_end": (85, 80),
    "v_middle": (85, 74),
}
"""Where ships and shells of an island tile lie: in a lower corner that is sea."""
SHIP_ON_WATER = Thing(50, 50, 66, "ship")
SHELL_SIZE_ON_WATER = 42
SHIP_SIZE, SHELL_SIZE = 44, 30
"""The sizes of ships and shells on an island tile."""
SHELL_STEP = 27
"""From a shell on an island tile to the next."""
SHIP_MARGIN = 22
"""The least distance from the middle of a ship to its tile's edges; nearer, it would be cut off."""


def list_standing_things(tile: Tile) -> list[Thing]:
    """Return the palms, the hut or the volcano on a tile, the farthest first."""
    if tile.kind == "volcano":
        return [VOLCANO]
    if not tile.is_island:
        return []
    if tile.lei >= 0:
        foot, across = LEI_PALMS[tile.lei]
        return [Thing(foot, across, LEI_PALM_SIZE, "palm")]
    is_tall = tile.shape in ("top_end", "bottom_end", "v_middle")
    places = TALL_LAND if is_tall else WIDE_LAND
    right, down = LAND_OFFSETS.get(tile.shape, (0, 0))
    things = []
    for foot, across, size, what in places[tile.palms, tile.hut]:
        things.append(Thing(foot + down, across + right, size, what))
    return sorted(things)


def list_lying_things(tile: Tile) -> Iterator[Thing]:
    """Yield the ships and shells on a tile."""
    if not tile.is_island:
        for _ in range(tile.ships):
            yield SHIP_ON_WATER
        for number in range(tile.shells):
            yield Thing(40 + 7 * number, 34 + 33 * number, SHELL_SIZE_ON_WATER, "shell")
        return
    across, down = CORNER_AT_SEA[tile.shape]
    for _ in range(tile.ships):
        # A ship is larger than a shell and has to keep farther from the edges.
        ship_across = min(max(across, SHIP_MARGIN), 100 - SHIP_MARGIN)
        ship_down = min(down - 4, 79)
        yield Thing(ship_down, ship_across, SHIP_SIZE, "ship")
    # A second shell lies farther from the corner.
    step = -SHELL_STEP if across > 50 else SHELL_STEP
    for number in range(tile.shells):
        yield Thing(down, across + step * number, SHELL_SIZE, "shell")


def list_lei_flowers(side: int) -> list[Point]:
    """Return the flowers of half a lei, on a circle around the middle of a side."""
    x, y, inwards = LEI_CENTRES[side]
    flowers = []
    for turn in LEI_ANGLES:
        angle = math.radians(inwards + turn)
        flowers.append((x + LEI_RADIUS * math.cos(angle), y + LEI_RADIUS * math.sin(angle)))
    return flowers


def is_white_flower(number: int, side: int) -> bool:
    """Return whether a flower of half a lei is white; colours alternate around the whole lei."""
    return (number + side // 2) % 2 == 1


# Cached: a tile takes 9 ms, and a picture has up to a hundred. There are 97 of them in two sizes.
@cached(256)
def draw_tile(number: int, size: int) -> Image.Image:
    """Draw a tile of that many pixels a side."""
    tile = TILES[number]
    canvas = Canvas(draw_ground(tile, size))
    if tile.shape == "open_water":
        sprite = wave(_to_pixels(WAVE_SIZE, size), WAVE_COLOUR)
        for x, y in WAVES:
            canvas.put(sprite, _to_pixels(x, size), _to_pixels(y, size))
    for sprite, x, y, what in _place_symbols(tile, size):
        canvas.put(sprite, x, y, what)
    _draw_bevel(canvas, size)
    return canvas.image


def _to_pixels(hundredths: float, size: int) -> int:
    return round(hundredths * size / 100)


def _place_symbols(tile: Tile, size: int) -> Iterator[tuple[Sprite, int, int, str]]:
    """Yield the symbols on a tile: the sprite, its position, and what it shows.

    They come from back to front.
    """
    for thing in list_standing_things(tile):
        yield _place_thing(thing, size)
    if tile.lei >= 0:
        flower_size = _to_pixels(LEI_FLOWER_SIZE, size)
        for number, (x, y) in enumerate(list_lei_flowers(tile.lei)):
            flower = draw_lei_flower(flower_size, is_white_flower(number, tile.lei))
            yield flower, _to_pixels(x, size), _to_pixels(y, size), f"lei:{tile.number}"
    for thing in list_lying_things(tile):
        yield _place_thing(thing, size)


def _place_thing(thing: Thing, tile_size: int) -> tuple[Sprite, int, int, str]:
    size = _to_pixels(thing.size, tile_size)
    match thing.what:
        case "hut":
            sprite = draw_hut(size)
        case "volcano":
            sprite = draw_volcano(size)
        case "ship":
            sprite = draw_ship(size)
        case "shell":
            sprite = shell(size, SEA_SHADE)
        case _:
            leans_outwards = -1 if thing.across < 45 else 1
            sprite = draw_palm(size, leans_outwards)
    x, y = _to_pixels(thing.across, tile_size), _to_pixels(thing.foot, tile_size)
    return sprite, x, y, thing.what


@cached(256)
def mask_symbols(number: int, size: int) -> Image.Image:
    """Return the area of the symbols on a tile, which marks should not hide."""
    free_space = FreeSpace(size, size)
    for sprite, x, y, _ in _place_symbols(TILES[number], size):
        free_space.occupy(sprite, x, y)
    return free_space.taken


def _draw_bevel(canvas: Canvas, size: int) -> None:
    """Draw a fine light edge above and left, a dark one below and right: a tile, not a print."""
    edges = (
        ((0, 0, size, 1), WHITE, 0.3),
        ((0, 0, 1, size), WHITE, 0.22),
        ((0, size - 1, size, size), INK, 0.4),
        ((size - 1, 0, size, size), INK, 0.32),
    )
    zoom = current_mode().zoom
    for box, colour, opacity in edges:
        left, top, right, bottom = (side * zoom for side in box)
        part = canvas.image.crop((left, top, right, bottom))
        tinted = Image.blend(part, Image.new("RGB", part.size, colour), opacity)
        canvas.image.paste(tinted, (left, top))


def draw_dim_tile(number: int, size: int) -> Image.Image:
    """Draw a tile that cannot be chosen now."""
    image = draw_tile(number, size)
    return Image.blend(image, Image.new("RGB", image.size, BACKDROP), DIMMING)


def draw_ghost_tile(number: int, size: int) -> Image.Image:
    """Draw a tile that was removed before the scoring, as a print in the water."""
    # Pillow wants all the reds of the table, then the greens, then the blues.
    table: list[int] = []
    for channel in range(3):
        table += [colour[channel] for colour in GHOST_COLOURS]
    return draw_tile(number, size).convert("L").convert("RGB").point(table)
