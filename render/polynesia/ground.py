"""The sea of Polynesia without pieces, drawn once for each side of the map and kept."""

import math
import random
from collections.abc import Iterable

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from engine.polynesia.board import Island, MapName
from render.canvas import Canvas, Sprite, coarse, kept, mode
from render.nature import TUFTS, palm, tuft, wave
from render.palette import BACKDROP, DANGER, SHALLOW, mix, rgb
from render.polynesia.layout import ACROSS, LIFT, SEA, WIDTH, Layout, layout_of, units
from render.polynesia.places import spaced
from render.polynesia.sprites import compass, volcano
from render.shapes import Outline, Point, rectangle, smooth
from render.terrain import Relief, Terrain, paint

DEEP, SHELF = rgb("#0F5472"), rgb("#126486")
LAGOON_WATER = rgb("#33A0B0")
ROPE = rgb("#FDF3D0")
DASH, NEUTRAL, NEUTRAL_EDGE = rgb("#CBEBEA"), rgb("#FFA53A"), rgb("#4A2206")
HEAT, BASALT, ASHES = rgb("#3F3A48"), rgb("#5B3F38"), rgb("#7A5546")
FOAM_STROKE = mix(SHALLOW, rgb("#CFF3EC"), 0.42)
DETAIL = 7.0
"""The width of a coast's bend, in units."""
WAVES = 24
NEW_DASH, NEW_GAP, NEW_WIDE = 12, 10, 5.5
NEUTRAL_DASH, NEUTRAL_GAP, NEUTRAL_WIDE, NEUTRAL_NARROW = 17, 9, 12, 7.5
"""The strokes of routes that are not explored yet and of neutral ones, which have an edge."""


Placed = tuple[Sprite, int, int]
"""A sprite and where it is put, in pixels."""


class Ground(Struct, frozen=True):
    """What a picture begins with."""

    image: Image.Image
    open_sea: Image.Image
    """The area in which routes can be seen: not under land, palms or the volcano."""


# A ground takes nearly a second to draw and some 8 MB to keep. For two, three and four seats,
# before and after the eruption, six exist.
@kept(8)
def ground_of(map_name: MapName, seats: int, erupted: bool) -> Ground:
    """The ground of a whole picture."""
    layout = layout_of(map_name)
    canvas = Canvas.blank(WIDTH, layout.height(seats), BACKDROP)
    sea = _sea(map_name, erupted)
    canvas.lay(sea.image, 0, layout.title)
    area = Image.new("L", canvas.image.size)
    area.paste(sea.open_sea, (0, layout.title * mode().zoom))
    return Ground(canvas.image, area)


@kept(4)
def _sea(map_name: MapName, erupted: bool) -> Ground:
    """The sea alone, without title and panels."""
    layout = layout_of(map_name)
    terrain = _terrain(map_name)
    canvas = Canvas(terrain.image.copy())
    water = ImageChops.invert(terrain.coast)

    # Shallow water within each archipelago; what is lighter already, the surf, stays.
    shallow = ImageChops.lighter(canvas.image, Image.new("RGB", canvas.image.size, LAGOON_WATER))
    lagoons = [_wavy(layout.lagoon(letter, 5), letter) for letter in layout.board.archipelagos]
    canvas.tint(shallow, ImageChops.multiply(_area(*lagoons), water))

    # A dark glow over the sea that the eruption will reach, lagoons and all.
    danger = ImageChops.multiply(_area(_wavy(layout.danger(6), "danger")), water)
    canvas.tint(HEAT, danger.point([round(v * 0.36) for v in range(256)]))

    _ruffle(canvas, layout)
    _outline(canvas, layout)
    _draw_routes(canvas, layout, water)
    if erupted:
        _burn(canvas, layout, terrain)
    return _planted(canvas, layout, terrain, erupted)


@kept(2)
def _terrain(map_name: MapName) -> Terrain:
    layout = layout_of(map_name)
    land = [_scaled(layout.coast(island)) for island in layout.board.islands]
    return paint(Relief((WIDTH, units(SEA)), land, units(DETAIL)), DEEP, SHELF)


def _scaled(outline: Outline) -> Outline:
    """An outline in units, in pixels."""
    return [(x * WIDTH / ACROSS, y * WIDTH / ACROSS) for x, y in outline]


def _area(*outlines: Outline) -> Image.Image:
    """The area of some outlines on the sea, given in units."""
    fine = mode().fine
    area = Image.new("L", (WIDTH * fine, units(SEA) * fine))
    pen = ImageDraw.Draw(area)
    for outline in outlines:
        pen.polygon([(x * fine, y * fine) for x, y in _scaled(outline)], fill=255)
    return coarse(area)


def _wavy(outline: Outline, seed: str) -> Outline:
    """An outline whose points have wandered a little."""
    chance = random.Random(seed)
    wandered = [
        (x + chance.uniform(-7, 7), y + chance.uniform(-7, 7)) for x, y in spaced(outline, 46)
    ]
    return smooth(wandered, 6)


def _ruffle(canvas: Canvas, layout: Layout) -> None:
    """Strokes of foam and a wind rose on the open sea."""
    chance = random.Random(3)
    stroke = wave(units(30), FOAM_STROKE)
    waves: list[Point] = []
    while len(waves) < WAVES:
        spot = (chance.uniform(20, ACROSS - 20), chance.uniform(16, SEA - 16))
        if _is_clear(spot, layout.middles.values(), 96) and _is_clear(spot, waves, 50):
            canvas.put(stroke, units(spot[0]), units(spot[1]))
            waves.append(spot)
    rose = layout.widest_water
    canvas.put(compass(units(96)), units(rose[0]), units(rose[1]))


def _is_clear(spot: Point, others: Iterable[Point], room: float) -> bool:
    return all(math.dist(spot, other) > room for other in others)


class _Pen:
    """Draws lines, dots and dashes on the sea into a mask."""

    def __init__(self) -> None:
        fine = mode().fine
        self.step = fine * WIDTH / ACROSS
        self.area = Image.new("L", (WIDTH * fine, units(SEA) * fine))
        self.pen = ImageDraw.Draw(self.area)

    def line(self, points: Outline, width: float) -> None:
        path = [(x * self.step, y * self.step) for x, y in points]
        self.pen.line(path, fill=255, width=max(1, round(width * self.step)))

    def dot(self, x: float, y: float, radius: float) -> None:
        box = (x - radius, y - radius, x + radius, y + radius)
        self.pen.ellipse([v * self.step for v in box], fill=255)

    def done(self) -> Image.Image:
        return coarse(self.area)


def _outline(canvas: Canvas, layout: Layout) -> None:
    """Dots around the archipelagos, and in another colour around the danger."""
    rope, embers = _Pen(), _Pen()
    for letter in layout.board.archipelagos:
        for x, y in spaced(layout.lagoon(letter), 14):
            rope.dot(x, y, 2.8)
    for x, y in spaced(layout.danger(), 14):
        embers.dot(x, y, 3)
    canvas.tint(ROPE, rope.done())
    canvas.tint(DANGER, embers.done())


def dashes(start: Point, end: Point, dash: float, gap: float) -> list[Outline]:
    """Strokes between two points, as many as fit, with equal rests at both ends."""
    length = math.dist(start, end)
    count = max(1, int((length + gap) // (dash + gap)))
    rest = (length - count * dash - (count - 1) * gap) / 2
    right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def along(way: float) -> Point:
        return start[0] + right * way, start[1] + down * way

    strokes = []
    for i in range(count):
        begin = rest + i * (dash + gap)
        strokes.append([along(begin), along(begin + dash)])
    return strokes


def _draw_routes(canvas: Canvas, layout: Layout, water: Image.Image) -> None:
    """Unexplored routes as pale dashes, neutral ones as orange ones."""
    pale, edge, orange = _Pen(), _Pen(), _Pen()
    for route in layout.board.routes:
        start, end = layout.line(route)
        if route.neutral:
            for stroke in dashes(start, end, NEUTRAL_DASH, NEUTRAL_GAP):
                edge.line(stroke, NEUTRAL_WIDE)
                orange.line(stroke, NEUTRAL_NARROW)
        else:
            for stroke in dashes(start, end, NEW_DASH, NEW_GAP):
                pale.line(stroke, NEW_WIDE)
    for pen, colour in ((pale, DASH), (edge, NEUTRAL_EDGE), (orange, NEUTRAL)):
        canvas.tint(colour, ImageChops.multiply(pen.done(), water))


def _burn(canvas: Canvas, layout: Layout, terrain: Terrain) -> None:
    """What the eruption has destroyed is basalt."""
    boxes = []
    for island in layout.board.islands:
        if island.destroyed:
            x, y = layout.middles[island.code]
            half = layout.half(island)
            across, down = half[0] * 1.35, half[1] * 1.4
            # The island lies in it, and no other does.
            boxes.append(rectangle(x - across, y - down, x + across, y + down))
    area = _area(*boxes)
    canvas.tint(BASALT, ImageChops.multiply(area, terrain.coast))
    canvas.tint(ASHES, ImageChops.multiply(area, terrain.green))


def _planted(canvas: Canvas, layout: Layout, terrain: Terrain, erupted: bool) -> Ground:
    """Tufts, palms and the volcano on the land, and the sea that is still open beside them."""
    standing: list[Placed] = []
    for island in layout.board.islands:
        is_bare = erupted and island.destroyed
        if not island.is_main and not is_bare:
            standing += _plants(layout, island)
    x, y = layout.middles[layout.board.main.code]
    standing.append((volcano(units(138), erupted), units(x), units(y - 14)))

    # What stands is drawn into the land's mask too: a route drawn later must pass behind it.
    covered = terrain.coast.copy()
    zoom = mode().zoom
    for sprite, x, y in standing:
        canvas.put(sprite, x, y)
        corner = ((x - sprite.at[0]) * zoom, (y - sprite.at[1]) * zoom)
        covered.paste(255, corner, sprite.mask)
    return Ground(canvas.image, ImageChops.invert(covered))


def _plants(layout: Layout, island: Island) -> list[Placed]:
    """Bushes near the coast, a palm at one side of the land, sometimes a smaller one beside it."""
    x, y = layout.middles[island.code]
    chance = random.Random(island.code)
    found: list[Placed] = []
    for shore_x, shore_y in chance.sample(layout.coast(island), 6):
        bush = tuft(units(5 + chance.randrange(2)), chance.choice(TUFTS))
        bush_x = x + (shore_x - x) * 0.72
        bush_y = y - LIFT + (shore_y - y + LIFT) * 0.72
        found.append((bush, units(bush_x), units(bush_y)))
    # Islands in danger have their flame on the right.
    side = -1 if island.destroyed else chance.choice((-1, 1))
    found.append((palm(units(44), side), units(x + side * 45), units(y - 10)))
    if chance.random() < 0.4:
        found.append((palm(units(36), -side), units(x + side * 57), units(y + 3)))
    # What stands lower stands in front.
    return sorted(found, key=lambda plant: plant[2])
