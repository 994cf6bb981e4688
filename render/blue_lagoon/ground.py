"""The board without pieces, drawn once for each map and kept."""

import random
from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from render.blue_lagoon.layout import Layout, lattice_of, layout_of
from render.canvas import Canvas, Sprite, coarse, kept, mode
from render.fonts import Face, label
from render.nature import TUFTS, palm, stone_circle, tuft, wave
from render.palette import BACKDROP, CODE_LAND, CODE_SEA, GROVE, MEADOW, SHALLOW, Colour, mix, rgb
from render.terrain import Relief, Terrace, paint

GRID_LAND, GRID_SEA = rgb("#35592F"), rgb("#D9F6F0")
DIM = rgb("#B9C4AE")
"""Codes on darkened places."""
TERRACES = (Terrace(190, mix(MEADOW, GROVE, 0.75)),)
"""One, for the pieces and codes on it are many."""
FOAM_STROKE = mix(SHALLOW, rgb("#CFF3EC"), 0.5)


class Palm(Struct, frozen=True):
    """A palm on a coast, and the places around it: a ring in one of them would cut it in two."""

    foot: tuple[int, int]
    near: frozenset[str]
    gone: Sprite
    """The ground as it is without it, put by its foot."""


class Ground(Struct, frozen=True):
    """The layers that pictures of a map begin with."""

    clean: Image.Image
    coded: Image.Image
    """With the code of every place."""
    palms: tuple[Palm, ...]


@kept(6)
def ground_of(map_text: str, seats: int) -> Ground:
    """The ground of a map."""
    layout = layout_of(map_text, seats)
    canvas = Canvas.blank(layout.width, layout.height, BACKDROP)
    sea, palms = _sea(layout)
    canvas.lay(sea, 0, layout.title)
    return _printed(layout, canvas.image, palms, CODE_LAND, CODE_SEA)


@kept(3)
def dim_ground_of(map_text: str, seats: int) -> Ground:
    """The same, darkened: for places that may not be chosen while most may."""
    bright = ground_of(map_text, seats)
    dark = bright.clean.point([round(v * 0.5) for v in range(256)] * 3)
    return _printed(layout_of(map_text, seats), dark, bright.palms, DIM, DIM)


def _printed(layout: Layout, clean: Image.Image, palms: tuple[Palm, ...], on_land: Colour, at_sea: Colour) -> Ground:
    coded = Canvas(clean.copy())
    for place in layout.board.places:
        colour = on_land if place.island else at_sea
        code = label(place.code.upper(), Face.CODE, layout.code_size, colour)
        coded.put(code, *layout.centres[place.code])
    return Ground(clean, coded.image, palms)


def _sea(layout: Layout) -> tuple[Image.Image, tuple[Palm, ...]]:
    land = [place for place in layout.board.places if place.island]
    relief = Relief((layout.width, layout.sea), [layout.outline(place) for place in land], layout.hex * 0.104)
    terrain = paint(relief, terraces=TERRACES)
    canvas = Canvas(terrain.image)
    chance = random.Random(8)
    _plant(canvas, layout, chance)
    _draw_grid(canvas, layout, terrain.coast)
    _ruffle(canvas, layout, chance)
    bare, planted = Canvas(canvas.image.copy()), list(_palms(layout, chance))
    for tree, foot, _ in planted:
        canvas.put(tree, *foot)
    for layer in (bare, canvas):
        _put_circles(layer, layout)
    palms = [Palm((x, y + layout.title), near, _without(bare.image, tree, x, y)) for tree, (x, y), near in planted]
    return canvas.image, tuple(palms)


def _without(bare: Image.Image, tree: Sprite, x: int, y: int) -> Sprite:
    """What lies where a palm was put."""
    left, top = (x - tree.at[0]) * mode().zoom, (y - tree.at[1]) * mode().zoom
    image = bare.crop((left, top, left + tree.mask.width, top + tree.mask.height))
    return Sprite(image, tree.mask.point([0] + [255] * 255), tree.at)


def _put_circles(canvas: Canvas, layout: Layout) -> None:
    for place in layout.board.places:
        if place.circle:
            x, y = layout.centres[place.code]
            canvas.put(circle_of(layout), x, y - layout.title - layout.units(6))


def circle_of(layout: Layout) -> Sprite:
    """The stone circle of a place."""
    return stone_circle(layout.units(66))


def _plant(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Tufts where three places of an island meet, so that the middles stay calm."""
    grown = []
    for spot, places in layout.corners.items():
        if len(places) < 3 or not all(place.island for place in places) or spot in layout.signs:
            continue
        x, y = layout.corner(spot)
        for _ in range(chance.choice((0, 0, 1, 2))):
            bush = tuft(layout.units(6 + 2 * chance.randrange(2)), chance.choice(TUFTS))
            grown.append((y + layout.units(chance.randint(-7, 7)), x + layout.units(chance.randint(-9, 9)), bush))
    for y, x, sprite in sorted(grown, key=lambda plant: plant[:2]):
        canvas.put(sprite, x, y)


def _draw_grid(canvas: Canvas, layout: Layout, coast: Image.Image) -> None:
    """The sides between two places of land or two of sea; elsewhere the coast is line enough."""
    fine = mode().fine
    area = Image.new("L", (layout.width * fine, layout.sea * fine))
    pen = ImageDraw.Draw(area)
    for (start, end), places in layout.sides.items():
        is_coast = len({bool(place.island) for place in places}) > 1 or (len(places) == 1 and places[0].island)
        if not is_coast:
            path = [(x * fine, y * fine) for x, y in (layout.corner(start), layout.corner(end))]
            pen.line(path, fill=255, width=round(1.5 * fine))
    grid = coarse(area)
    on_land, at_sea = [round(v * 0.46) for v in range(256)], [round((255 - v) * 0.42) for v in range(256)]
    canvas.tint(GRID_LAND, ImageChops.multiply(grid, coast.point(on_land)))
    canvas.tint(GRID_SEA, ImageChops.multiply(grid, coast.point(at_sea)))


def _ruffle(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Strokes of foam on open water."""
    stroke = wave(layout.units(30), FOAM_STROKE)
    for spot, places in layout.corners.items():
        if not any(place.island for place in places) and chance.random() < 0.25:
            x, y = layout.corner(spot)
            canvas.put(stroke, x + chance.randint(-6, 6), y + chance.randint(-5, 5))
    for edge in (layout.units(12), layout.sea - layout.units(12)):
        for _ in range(9):
            canvas.put(stroke, chance.randrange(layout.width), edge + chance.randint(-5, 5))


def _palms(layout: Layout, chance: random.Random) -> Iterator[tuple[Sprite, tuple[int, int], frozenset[str]]]:
    """Palms on northern coasts, clear of every code: each with its foot and the places around that."""
    for place in layout.board.places:
        across, down = lattice_of(place)
        around = layout.corners[across, down - 2]
        shores = [other for other in around if other.island]
        if place.island and len(shores) < 3 and chance.random() < 0.3:
            x, y = layout.corner((across, down - 2))
            sprite = palm(layout.units(34 + 4 * chance.randrange(2)), chance.choice((-1, 1)))
            yield sprite, (x, y + layout.units(8)), frozenset(other.code for other in around)
