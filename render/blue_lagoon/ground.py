"""The board without pieces, drawn once for each map and kept."""

import random
from collections.abc import Iterator

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from render.blue_lagoon.layout import Layout, lattice_of, layout_of
from render.canvas import Canvas, Sprite, coarse, kept, mode
from render.fonts import Face, label
from render.nature import TUFTS, palm, stone_circle, tuft, wave
from render.palette import BACKDROP, CODE_LAND, CODE_SEA, GROVE, MEADOW, SHALLOW, mix, rgb
from render.terrain import Relief, Terrace, paint

GRID_LAND, GRID_SEA = rgb("#35592F"), rgb("#D9F6F0")
TERRACES = (Terrace(190, mix(MEADOW, GROVE, 0.75)),)
"""One, for the pieces and codes on it are many."""
FOAM_STROKE = mix(SHALLOW, rgb("#CFF3EC"), 0.5)


class Tree(Struct, frozen=True):
    """A palm to be put on the sea, its foot measured from the sea's upper left corner."""

    sprite: Sprite
    foot: tuple[int, int]
    near: frozenset[str]
    """The places that meet at its foot."""


class Palm(Struct, frozen=True):
    """A palm that stands on a coast of the picture: a ring in one of the places around it would
    cut it in two.
    """

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


# Kept: it takes 350 ms. Only six, for the two layers of one are 7 MB.
@kept(6)
def ground_of(map_text: str, seats: int) -> Ground:
    """The ground of a map."""
    layout = layout_of(map_text, seats)
    canvas = Canvas.blank(layout.width, layout.height, BACKDROP)
    sea, palms = _sea(layout)
    canvas.lay(sea, 0, layout.title)
    return _printed(layout, canvas.image, palms)


def _printed(layout: Layout, clean: Image.Image, palms: tuple[Palm, ...]) -> Ground:
    """A ground with the code of every place printed on a copy of it."""
    coded = Canvas(clean.copy())
    for place in layout.board.places:
        colour = CODE_LAND if place.island else CODE_SEA
        code = label(place.code.upper(), Face.CODE, layout.code_size, colour)
        coded.put(code, *layout.centres[place.code])
    return Ground(clean, coded.image, palms)


def _sea(layout: Layout) -> tuple[Image.Image, tuple[Palm, ...]]:
    """Sea and land with all that is printed on them but the codes, and the palms that may have
    to go.
    """
    land = [layout.outline(place) for place in layout.board.places if place.island]
    relief = Relief((layout.width, layout.sea), land, layout.hex * 0.104)
    terrain = paint(relief, terraces=TERRACES)
    canvas = Canvas(terrain.image)
    chance = random.Random(8)
    _plant(canvas, layout, chance)
    _draw_grid(canvas, layout, terrain.coast)
    _ruffle(canvas, layout, chance)

    # The same without palms, for the patches that take one away again.
    bare = Canvas(canvas.image.copy())
    trees = list(_trees(layout, chance))
    for tree in trees:
        canvas.put(tree.sprite, *tree.foot)
    for layer in (bare, canvas):
        for place in layout.board.places:
            if place.circle:
                x, y = layout.centres[place.code]
                layer.put(circle_of(layout), x, y - layout.title - layout.circle_up)

    palms = []
    for tree in trees:
        x, y = tree.foot
        palms.append(Palm((x, y + layout.title), tree.near, _without(bare.image, tree)))
    return canvas.image, tuple(palms)


def _without(bare: Image.Image, tree: Tree) -> Sprite:
    """What lies where a palm was put, wherever the palm covers it at least a little."""
    sprite, zoom = tree.sprite, mode().zoom
    left = (tree.foot[0] - sprite.at[0]) * zoom
    top = (tree.foot[1] - sprite.at[1]) * zoom
    image = bare.crop((left, top, left + sprite.mask.width, top + sprite.mask.height))
    covered = sprite.mask.point([0] + [255] * 255)
    return Sprite(image, covered, sprite.at)


def circle_of(layout: Layout) -> Sprite:
    """The stone circle of a place."""
    return stone_circle(layout.units(66))


def _plant(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Tufts where three places of an island meet, so that the middles stay calm."""
    grown = []
    for spot, places in layout.corners.items():
        is_inland = len(places) == 3 and all(place.island for place in places)
        if not is_inland or spot in layout.signs:
            continue
        x, y = layout.corner(spot)
        for _ in range(chance.choice((0, 0, 1, 2))):
            size = layout.units(6 + 2 * chance.randrange(2))
            bush = tuft(size, chance.choice(TUFTS))
            down = layout.units(chance.randint(-7, 7))
            across = layout.units(chance.randint(-9, 9))
            grown.append((y + down, x + across, bush))
    # From north to south: the nearer stand before those behind them.
    for y, x, sprite in sorted(grown, key=lambda plant: plant[:2]):
        canvas.put(sprite, x, y)


def _draw_grid(canvas: Canvas, layout: Layout, coast: Image.Image) -> None:
    """The sides between two places of land or two of sea; elsewhere the coast is line enough."""
    fine = mode().fine
    area = Image.new("L", (layout.width * fine, layout.sea * fine))
    pen = ImageDraw.Draw(area)
    for ends, places in layout.sides.items():
        on_land = [bool(place.island) for place in places]
        if len(places) == 1:
            on_land.append(False)  # beyond the edge of the map is sea
        if on_land[0] == on_land[1]:
            corners = [layout.corner(end) for end in ends]
            pen.line([(x * fine, y * fine) for x, y in corners], fill=255, width=round(1.5 * fine))
    grid = coarse(area)

    # Dark on land, light at sea, either way seen through; `coast` is the mask of the land.
    land = coast.point([round(cover * 0.46) for cover in range(256)])
    sea = coast.point([round((255 - cover) * 0.42) for cover in range(256)])
    canvas.tint(GRID_LAND, ImageChops.multiply(grid, land))
    canvas.tint(GRID_SEA, ImageChops.multiply(grid, sea))


def _ruffle(canvas: Canvas, layout: Layout, chance: random.Random) -> None:
    """Strokes of foam on open water."""
    stroke = wave(layout.units(24), FOAM_STROKE)
    for spot, places in layout.corners.items():
        is_open = not any(place.island for place in places)
        if is_open and chance.random() < 0.25:
            x, y = layout.corner(spot)
            canvas.put(stroke, x + chance.randint(-6, 6), y + chance.randint(-5, 5))
    # Above and below the board there are no corners to go by.
    for edge in (layout.units(12), layout.sea - layout.units(12)):
        for _ in range(9):
            canvas.put(stroke, chance.randrange(layout.width), edge + chance.randint(-5, 5))


def _trees(layout: Layout, chance: random.Random) -> Iterator[Tree]:
    """Palms on northern coasts: there they reach over the sea, clear of every code."""
    for place in layout.board.places:
        across, down = lattice_of(place)
        top = across, down - 2
        around = layout.corners[top]
        is_inland = all(other.island for other in around) and len(around) == 3
        if place.island and not is_inland and chance.random() < 0.3:
            x, y = layout.corner(top)
            size = layout.units(34 + 4 * chance.randrange(2))
            sprite = palm(size, chance.choice((-1, 1)))
            foot = x, y + layout.units(8)
            yield Tree(sprite, foot, frozenset(other.code for other in around))
