"""The sea of Polynesia without pieces, drawn once for each side of the map and cached.

From the bottom to the top: the terrain, lagoons and the area of danger, waves, outlines, routes
that are not explored yet, and what stands on land. All lengths are in units of `layout`.
"""

import math
import random
from collections.abc import Iterable

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from engine.polynesia.board import Island, MapName
from render.canvas import Canvas, Sprite, cached, current_mode, scale_down
from render.nature import TUFTS, palm, tuft, wave
from render.palette import BACKDROP, DANGER, SHALLOW, mix, rgb
from render.polynesia.layout import (
    LAND_LIFT,
    PICTURE_WIDTH,
    SEA_HEIGHT,
    SEA_WIDTH,
    Layout,
    layout_of,
    to_pixels,
)
from render.polynesia.places import space_evenly
from render.polynesia.sprites import draw_compass, draw_volcano
from render.shapes import Outline, Point, rectangle, smooth
from render.terrain import Relief, Terrain, paint_terrain

DEEP, SHELF = rgb("#0F5472"), rgb("#126486")
LAGOON_WATER = rgb("#33A0B0")
ROPE = rgb("#FDF3D0")
NEW_ROUTE, NEUTRAL_ROUTE, NEUTRAL_EDGE = rgb("#CBEBEA"), rgb("#FFA53A"), rgb("#4A2206")
HEAT, BASALT, ASHES = rgb("#3F3A48"), rgb("#5B3F38"), rgb("#7A5546")
FOAM_STROKE = mix(SHALLOW, rgb("#CFF3EC"), 0.42)

COAST_DETAIL = 7.0
"""The width of a coast's bend."""
LAGOON_EXTRA, DANGER_EXTRA = 5, 6
"""How far the colour of an area reaches beyond its outline."""
HEAT_OPACITY = 0.36
OUTLINE_STEP, OUTLINE_WANDER = 46, 7
"""Between the points of an outline, and how far at most each is moved."""

WAVES, WAVE_SIZE = 24, 30
WAVE_SIDE_MARGIN, WAVE_TOP_MARGIN = 20, 16
WAVE_TO_ISLAND, WAVE_TO_WAVE = 96, 50
"""Smallest distances from a wave to the middle of an island and to another wave."""
COMPASS_SIZE = 96

DOT_STEP, ROPE_DOT_RADIUS, DANGER_DOT_RADIUS = 14, 2.8, 3
NEW_DASH, NEW_GAP, NEW_WIDTH = 12, 10, 5.5
"""The strokes of routes that are not explored yet."""
NEUTRAL_DASH, NEUTRAL_GAP, NEUTRAL_EDGE_WIDTH, NEUTRAL_WIDTH = 17, 9, 12, 7.5
"""The strokes of neutral routes, which have an edge."""

BURNT_WIDTH, BURNT_HEIGHT = 1.35, 1.4
"""The box around a destroyed island, in its halves: it lies in it, and no other does."""
VOLCANO_SIZE, VOLCANO_RISE = 138, 14
BUSHES = 6
BUSH_SIZES = (5, 6)
BUSH_PLACE = 0.72
"""From the middle of an island to a bush, as a share of the way to the coast."""
PALM_SIZE, SECOND_PALM_SIZE = 44, 36
PALM_OFFSET, SECOND_PALM_OFFSET = (45, -10), (57, 3)
"""From the middle of an island to its palms, outwards and down."""
SECOND_PALM_CHANCE = 0.4

PlacedSprite = tuple[Sprite, int, int]
"""A sprite and where it is put, in pixels."""


class Ground(Struct, frozen=True):
    """The layers that every picture of a side of the map starts from."""

    image: Image.Image
    open_sea: Image.Image
    """The area in which routes can be seen: not under land, palms or the volcano."""


# A ground takes nearly a second to draw and some 8 MB to keep. For two, three and four seats,
# before and after the eruption, six exist.
@cached(8)
def draw_ground(map_name: MapName, seats: int, has_erupted: bool) -> Ground:
    """Draw the ground of a whole picture."""
    layout = layout_of(map_name)
    canvas = Canvas.blank(PICTURE_WIDTH, layout.measure_height(seats), BACKDROP)
    sea = _draw_sea(map_name, has_erupted)
    canvas.lay(sea.image, 0, layout.title_height)
    area = Image.new("L", canvas.image.size)
    area.paste(sea.open_sea, (0, layout.title_height * current_mode().zoom))
    return Ground(canvas.image, area)


@cached(4)
def _draw_sea(map_name: MapName, has_erupted: bool) -> Ground:
    """Draw the sea alone, without title and panels."""
    layout = layout_of(map_name)
    terrain = _draw_terrain(map_name)
    canvas = Canvas(terrain.image.copy())
    water = ImageChops.invert(terrain.coast)

    # Shallow water within each archipelago; what is lighter already, the surf, stays.
    shallow = ImageChops.lighter(canvas.image, Image.new("RGB", canvas.image.size, LAGOON_WATER))
    lagoons = [
        _make_wavy(layout.outline_lagoon(letter, LAGOON_EXTRA), letter)
        for letter in layout.board.archipelagos
    ]
    canvas.tint(shallow, ImageChops.multiply(_mask_outlines(lagoons), water))

    # A dark glow over the sea that the eruption will reach, lagoons and all.
    danger = _mask_outlines([_make_wavy(layout.outline_danger(DANGER_EXTRA), "danger")])
    faint = [round(value * HEAT_OPACITY) for value in range(256)]
    canvas.tint(HEAT, ImageChops.multiply(danger, water).point(faint))

    _put_waves(canvas, layout)
    _draw_dotted_outlines(canvas, layout)
    _draw_routes(canvas, layout, water)
    if has_erupted:
        _burn_islands(canvas, layout, terrain)
    return _plant(canvas, layout, terrain, has_erupted)


@cached(2)
def _draw_terrain(map_name: MapName) -> Terrain:
    layout = layout_of(map_name)
    land = [_scale_to_pixels(layout.trace_coast(island)) for island in layout.board.islands]
    relief = Relief((PICTURE_WIDTH, to_pixels(SEA_HEIGHT)), land, to_pixels(COAST_DETAIL))
    return paint_terrain(relief, DEEP, SHELF)


def _scale_to_pixels(outline: Outline) -> Outline:
    """Return an outline in exact pixels of the sea."""
    return [(x * PICTURE_WIDTH / SEA_WIDTH, y * PICTURE_WIDTH / SEA_WIDTH) for x, y in outline]


def _mask_outlines(outlines: Iterable[Outline]) -> Image.Image:
    """Return the area of some outlines on the sea."""
    fine = current_mode().fine
    area = Image.new("L", (PICTURE_WIDTH * fine, to_pixels(SEA_HEIGHT) * fine))
    pen = ImageDraw.Draw(area)
    for outline in outlines:
        pen.polygon([(x * fine, y * fine) for x, y in _scale_to_pixels(outline)], fill=255)
    return scale_down(area)


def _make_wavy(outline: Outline, seed: str) -> Outline:
    """Return an outline whose points are moved a little at random."""
    chance = random.Random(seed)
    moved = []
    for x, y in space_evenly(outline, OUTLINE_STEP):
        right = chance.uniform(-OUTLINE_WANDER, OUTLINE_WANDER)
        down = chance.uniform(-OUTLINE_WANDER, OUTLINE_WANDER)
        moved.append((x + right, y + down))
    return smooth(moved, 6)


def _put_waves(canvas: Canvas, layout: Layout) -> None:
    """Put strokes of foam and a wind rose on the open sea."""
    chance = random.Random(3)
    stroke = wave(to_pixels(WAVE_SIZE), FOAM_STROKE)
    waves: list[Point] = []
    while len(waves) < WAVES:
        x = chance.uniform(WAVE_SIDE_MARGIN, SEA_WIDTH - WAVE_SIDE_MARGIN)
        y = chance.uniform(WAVE_TOP_MARGIN, SEA_HEIGHT - WAVE_TOP_MARGIN)
        is_clear = _keeps_distance((x, y), layout.middles.values(), WAVE_TO_ISLAND)
        if is_clear and _keeps_distance((x, y), waves, WAVE_TO_WAVE):
            canvas.put(stroke, to_pixels(x), to_pixels(y))
            waves.append((x, y))
    x, y = layout.widest_water
    canvas.put(draw_compass(to_pixels(COMPASS_SIZE)), to_pixels(x), to_pixels(y))


def _keeps_distance(place: Point, others: Iterable[Point], distance: float) -> bool:
    return all(math.dist(place, other) > distance for other in others)


class SeaPen:
    """Draws lines, dots and dashes on the sea into a mask."""

    def __init__(self) -> None:
        fine = current_mode().fine
        self.scale = fine * PICTURE_WIDTH / SEA_WIDTH
        self.area = Image.new("L", (PICTURE_WIDTH * fine, to_pixels(SEA_HEIGHT) * fine))
        self.pen = ImageDraw.Draw(self.area)

    def line(self, points: Outline, width: float) -> None:
        """Draw a line through some points."""
        path = [(x * self.scale, y * self.scale) for x, y in points]
        self.pen.line(path, fill=255, width=max(1, round(width * self.scale)))

    def dot(self, x: float, y: float, radius: float) -> None:
        """Draw a dot around a point."""
        box = (x - radius, y - radius, x + radius, y + radius)
        self.pen.ellipse([v * self.scale for v in box], fill=255)

    def finish(self) -> Image.Image:
        """Return the mask in the picture's size."""
        return scale_down(self.area)


def _draw_dotted_outlines(canvas: Canvas, layout: Layout) -> None:
    """Draw dots around the archipelagos, and in another colour around the danger."""
    rope, embers = SeaPen(), SeaPen()
    for letter in layout.board.archipelagos:
        for x, y in space_evenly(layout.outline_lagoon(letter), DOT_STEP):
            rope.dot(x, y, ROPE_DOT_RADIUS)
    for x, y in space_evenly(layout.outline_danger(), DOT_STEP):
        embers.dot(x, y, DANGER_DOT_RADIUS)
    canvas.tint(ROPE, rope.finish())
    canvas.tint(DANGER, embers.finish())


def split_into_dashes(start: Point, end: Point, dash: float, gap: float) -> list[Outline]:
    """Return strokes between two points, as many as fit, with equal rests at both ends."""
    length = math.dist(start, end)
    count = max(1, int((length + gap) // (dash + gap)))
    rest = (length - count * dash - (count - 1) * gap) / 2
    right = (end[0] - start[0]) / length
    down = (end[1] - start[1]) / length

    def locate(way: float) -> Point:
        return start[0] + right * way, start[1] + down * way

    strokes = []
    for number in range(count):
        begin = rest + number * (dash + gap)
        strokes.append([locate(begin), locate(begin + dash)])
    return strokes


def _draw_routes(canvas: Canvas, layout: Layout, water: Image.Image) -> None:
    """Draw unexplored routes as pale dashes, neutral ones as orange dashes with an edge."""
    new, edge, neutral = SeaPen(), SeaPen(), SeaPen()
    for route in layout.board.routes:
        start, end = layout.trace_route(route)
        if route.neutral:
            for stroke in split_into_dashes(start, end, NEUTRAL_DASH, NEUTRAL_GAP):
                edge.line(stroke, NEUTRAL_EDGE_WIDTH)
                neutral.line(stroke, NEUTRAL_WIDTH)
        else:
            for stroke in split_into_dashes(start, end, NEW_DASH, NEW_GAP):
                new.line(stroke, NEW_WIDTH)
    layers = ((new, NEW_ROUTE), (edge, NEUTRAL_EDGE), (neutral, NEUTRAL_ROUTE))
    for pen, colour in layers:
        canvas.tint(colour, ImageChops.multiply(pen.finish(), water))


def _burn_islands(canvas: Canvas, layout: Layout, terrain: Terrain) -> None:
    """Paint what the eruption has destroyed as basalt."""
    boxes = []
    for island in layout.board.islands:
        if island.destroyed:
            x, y = layout.middles[island.code]
            half_width, half_height = layout.half_size(island)
            across, down = half_width * BURNT_WIDTH, half_height * BURNT_HEIGHT
            boxes.append(rectangle(x - across, y - down, x + across, y + down))
    area = _mask_outlines(boxes)
    canvas.tint(BASALT, ImageChops.multiply(area, terrain.coast))
    canvas.tint(ASHES, ImageChops.multiply(area, terrain.green))


def _plant(canvas: Canvas, layout: Layout, terrain: Terrain, has_erupted: bool) -> Ground:
    """Put tufts, palms and the volcano on the land; return the finished ground."""
    standing: list[PlacedSprite] = []
    for island in layout.board.islands:
        is_bare = has_erupted and island.destroyed
        if not island.is_main and not is_bare:
            standing += _choose_plants(layout, island)
    main_x, main_y = layout.middles[layout.board.main.code]
    volcano = draw_volcano(to_pixels(VOLCANO_SIZE), has_erupted)
    standing.append((volcano, to_pixels(main_x), to_pixels(main_y - VOLCANO_RISE)))

    # What stands is drawn into the land's mask too: a route drawn later must pass behind it.
    covered = terrain.coast.copy()
    zoom = current_mode().zoom
    for sprite, x, y in standing:
        canvas.put(sprite, x, y)
        corner = ((x - sprite.anchor[0]) * zoom, (y - sprite.anchor[1]) * zoom)
        covered.paste(255, corner, sprite.mask)
    return Ground(canvas.image, ImageChops.invert(covered))


def _choose_plants(layout: Layout, island: Island) -> list[PlacedSprite]:
    """Return bushes near the coast, a palm at one side, sometimes a smaller one beside it."""
    x, y = layout.middles[island.code]
    chance = random.Random(island.code)
    plants: list[PlacedSprite] = []
    for shore_x, shore_y in chance.sample(layout.trace_coast(island), BUSHES):
        bush = tuft(to_pixels(BUSH_SIZES[chance.randrange(2)]), chance.choice(TUFTS))
        bush_x = x + (shore_x - x) * BUSH_PLACE
        bush_y = y - LAND_LIFT + (shore_y - y + LAND_LIFT) * BUSH_PLACE
        plants.append((bush, to_pixels(bush_x), to_pixels(bush_y)))

    # Islands in danger have their flame on the right.
    side = -1 if island.destroyed else chance.choice((-1, 1))
    out, down = PALM_OFFSET
    first = palm(to_pixels(PALM_SIZE), side)
    plants.append((first, to_pixels(x + side * out), to_pixels(y + down)))
    if chance.random() < SECOND_PALM_CHANCE:
        out, down = SECOND_PALM_OFFSET
        second = palm(to_pixels(SECOND_PALM_SIZE), -side)
        plants.append((second, to_pixels(x + side * out), to_pixels(y + down)))
    # What stands lower stands in front.
    return sorted(plants, key=lambda plant: plant[2])
