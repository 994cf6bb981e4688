"""The board without pieces, drawn once for each map and cached.

Lengths are in units of the layout, in which a hex is 86.4 wide, unless they say otherwise.
"""

import random
from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from render.blue_lagoon.layout import Layout, lattice_of, layout_of
from render.canvas import Canvas, Sprite, cached, current_mode, scale_down
from render.fonts import Face, label
from render.nature import TUFTS, palm, stone_circle, tuft, wave
from render.palette import BACKDROP, CODE_LAND, CODE_SEA, GROVE, MEADOW, SHALLOW, mix, rgb
from render.terrain import Relief, Terrace, paint_terrain

GRID_LAND = rgb("#35592F")
GRID_SEA = rgb("#D9F6F0")
GRID_LAND_OPACITY = 0.46
GRID_SEA_OPACITY = 0.42
GRID_WIDTH = 1.5
"""In pixels."""
TERRACES = (Terrace(190, mix(MEADOW, GROVE, 0.75)),)
"""Only one terrace, since many pieces and codes stand on the land."""
FOAM_STROKE = mix(SHALLOW, rgb("#CFF3EC"), 0.5)
COAST_DETAIL = 0.104
"""The width of a coast's bend, as a share of the hex."""
STONE_CIRCLE = 66
NATURE_SEED = 8

TUFT_NUMBERS = (0, 0, 1, 2)
"""How many tufts grow at a corner; each number is equally likely."""
TUFT_SIZES = (6, 8)
TUFT_DOWN = 7
TUFT_ASIDE = 9
"""How far a tuft may stand from its corner."""
WAVE = 24
WAVE_CHANCE = 0.25
WAVE_ASIDE = 6
WAVE_DOWN = 5
"""How far a wave may lie from its corner, in pixels."""
EDGE_WAVES = 9
EDGE_WAVES_INSET = 12
PALM_CHANCE = 0.3
PALM_SIZES = (34, 38)
PALM_DOWN = 8


class Tree(Struct, frozen=True):
    """A palm to be put on the sea; its foot is measured from the sea's upper left corner."""

    sprite: Sprite
    foot: tuple[int, int]
    near: frozenset[str]
    """The places that meet at its foot."""


class Palm(Struct, frozen=True):
    """A palm on the coast of a picture, which is removed if a space around it is ringed."""

    foot: tuple[int, int]
    near: frozenset[str]
    without: Sprite
    """The ground without the palm, as a sprite that is put at the palm's foot."""


class Ground(Struct, frozen=True):
    """The layers with which pictures of a map begin."""

    clean: Image.Image
    coded: Image.Image
    """The ground with the code of every space printed on it."""
    palms: tuple[Palm, ...]


# Cached: it takes 350 ms. Only six, as the two layers of one take 7 MB.
@cached(6)
def ground_of(map_text: str, seats: int) -> Ground:
    """Return the ground of a map."""
    layout = layout_of(map_text, seats)
    clean = Canvas.blank(layout.width, layout.height, BACKDROP)
    sea, palms = _draw_sea(layout)
    clean.lay(sea, 0, layout.title)
    coded = Canvas(clean.image.copy())
    for place in layout.board.places:
        colour = CODE_LAND if place.island else CODE_SEA
        code = label(place.code.upper(), Face.CODE, layout.code_size, colour)
        coded.put(code, *layout.centres[place.code])
    return Ground(clean.image, coded.image, palms)


def _draw_sea(layout: Layout) -> tuple[Image.Image, tuple[Palm, ...]]:
    """Draw sea and land with everything but the codes; return the palms that may have to go."""
    land = [layout.outline(place) for place in layout.board.places if place.island]
    relief = Relief((layout.width, layout.sea), land, layout.hex * COAST_DETAIL)
    terrain = paint_terrain(relief, terraces=TERRACES)
    canvas = Canvas(terrain.image)
    # One generator for everything: what grows after something depends on what grew before it.
    chance = random.Random(NATURE_SEED)
    _plant_tufts(canvas, layout, chance)
    _draw_grid(canvas, layout, terrain.coast)
    _put_waves(canvas, layout, chance)

    # A copy without palms, for the patches that remove a palm again.
    bare = Canvas(canvas.image.copy())
    trees = list(_grow_palms(layout, chance))
    for tree in trees:
        canvas.put(tree.sprite, *tree.foot)
    for layer in (bare, canvas):
        for place in layout.board.places:
            if place.circle:
                x, y = layout.centres[place.code]
                layer.put(circle_of(layout), x, y - layout.title - layout.circle_up)

    zoom = current_mode().zoom
    palms = []
    for tree in trees:
        x, y = tree.foot
        sprite = tree.sprite
        left, top = (x - sprite.anchor[0]) * zoom, (y - sprite.anchor[1]) * zoom
        right, bottom = left + sprite.mask.width, top + sprite.mask.height
        # Wherever the palm covers the ground, even a little.
        covered = sprite.mask.point([0] + [255] * 255)
        patch = Sprite(bare.image.crop((left, top, right, bottom)), covered, sprite.anchor)
        palms.append(Palm((x, y + layout.title), tree.near, patch))
    return canvas.image, tuple(palms)


def circle_of(layout: Layout) -> Sprite:
    """Return the stone circle of a place."""
    return stone_circle(layout.units(STONE_CIRCLE))


def _plant_tufts(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Plant tufts where three places of an island meet, so that the middles stay calm."""
    tufts = []
    for corner, places in layout.corners.items():
        is_inland = len(places) == 3 and all(place.island for place in places)
        if not is_inland or corner in layout.signs:
            continue
        x, y = layout.corner(corner)
        for _ in range(chance.choice(TUFT_NUMBERS)):
            size = layout.units(TUFT_SIZES[chance.randrange(2)])
            sprite = tuft(size, chance.choice(TUFTS))
            down = layout.units(chance.randint(-TUFT_DOWN, TUFT_DOWN))
            right = layout.units(chance.randint(-TUFT_ASIDE, TUFT_ASIDE))
            tufts.append((y + down, x + right, sprite))
    # From north to south: nearer ones stand in front of those behind.
    for y, x, sprite in sorted(tufts, key=lambda planted: planted[:2]):
        canvas.put(sprite, x, y)


def _draw_grid(canvas: Canvas, layout: Layout, coast: Image.Image) -> None:
    """Draw the edges between two hexes of land, dark, or two of sea, light.

    The coast needs no line of its own; `coast` is the mask of the land.
    """
    fine = current_mode().fine
    area = Image.new("L", (layout.width * fine, layout.sea * fine))
    pen = ImageDraw.Draw(area)
    for ends, places in layout.sides.items():
        on_land = [bool(place.island) for place in places]
        if len(places) == 1:
            on_land.append(False)  # beyond the edge of the map is sea
        if on_land[0] == on_land[1]:
            corners = [layout.corner(end) for end in ends]
            line = [(x * fine, y * fine) for x, y in corners]
            pen.line(line, fill=255, width=round(GRID_WIDTH * fine))
    grid = scale_down(area)

    # Dark on land, light at sea; either way the ground shines through.
    land = coast.point([round(cover * GRID_LAND_OPACITY) for cover in range(256)])
    sea = coast.point([round((255 - cover) * GRID_SEA_OPACITY) for cover in range(256)])
    canvas.tint(GRID_LAND, ImageChops.multiply(grid, land))
    canvas.tint(GRID_SEA, ImageChops.multiply(grid, sea))


def _put_waves(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Put strokes of foam on open water."""
    stroke = wave(layout.units(WAVE), FOAM_STROKE)
    for corner, places in layout.corners.items():
        is_open = not any(place.island for place in places)
        if is_open and chance.random() < WAVE_CHANCE:
            x, y = layout.corner(corner)
            right = chance.randint(-WAVE_ASIDE, WAVE_ASIDE)
            down = chance.randint(-WAVE_DOWN, WAVE_DOWN)
            canvas.put(stroke, x + right, y + down)
    # Above and below the board there are no corners.
    inset = layout.units(EDGE_WAVES_INSET)
    for edge in (inset, layout.sea - inset):
        for _ in range(EDGE_WAVES):
            x = chance.randrange(layout.width)
            canvas.put(stroke, x, edge + chance.randint(-WAVE_DOWN, WAVE_DOWN))


def _grow_palms(layout: Layout, chance: random.Random) -> Iterator[Tree]:
    """Yield palms on northern coasts: there they reach over the sea, clear of every code."""
    for place in layout.board.places:
        across, down = lattice_of(place)
        top = across, down - 2
        around = layout.corners[top]
        is_inland = all(other.island for other in around) and len(around) == 3
        if place.island and not is_inland and chance.random() < PALM_CHANCE:
            x, y = layout.corner(top)
            size = layout.units(PALM_SIZES[chance.randrange(2)])
            sprite = palm(size, chance.choice((-1, 1)))
            foot = x, y + layout.units(PALM_DOWN)
            yield Tree(sprite, foot, frozenset(other.code for other in around))
