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
from render.polynesia.layout import LIFT, SEA, WIDTH, Layout, layout_of, units
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


class Ground(Struct, frozen=True):
    """What a picture begins with."""

    image: Image.Image
    open_sea: Image.Image
    """The area in which routes can be seen: not under land, palms or the volcano."""


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
    layout = layout_of(map_name)
    terrain = _terrain(map_name)
    canvas = Canvas(terrain.image.copy())
    water = terrain.coast.point([255 - v for v in range(256)])
    _flood_lagoons(canvas, layout, water)
    _heat(canvas, layout, water)
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
    return [(x * WIDTH / 1200, y * WIDTH / 1200) for x, y in outline]


def _area(*outlines: Outline) -> Image.Image:
    """The area of some outlines on the sea, given in units."""
    fine = mode().fine
    area = Image.new("L", (WIDTH * fine, units(SEA) * fine))
    pen = ImageDraw.Draw(area)
    for outline in outlines:
        pen.polygon([(x * fine, y * fine) for x, y in _scaled(outline)], fill=255)
    return coarse(area)


def _flood_lagoons(canvas: Canvas, layout: Layout, water: Image.Image) -> None:
    """Shallow water within each archipelago; what is lighter already, the surf, stays."""
    shallow = ImageChops.lighter(canvas.image, Image.new("RGB", canvas.image.size, LAGOON_WATER))
    areas = [_wavy(layout.lagoon(letter, 5), letter) for letter in layout.board.archipelagos]
    canvas.tint(shallow, ImageChops.multiply(_area(*areas), water))


def _wavy(outline: Outline, seed: str) -> Outline:
    """An outline whose points have wandered a little."""
    chance = random.Random(seed)
    points = spaced(outline, 46)
    return smooth([(x + chance.uniform(-7, 7), y + chance.uniform(-7, 7)) for x, y in points], 6)


def _heat(canvas: Canvas, layout: Layout, water: Image.Image) -> None:
    """A dark glow over the sea that the eruption will reach."""
    area = ImageChops.multiply(_area(_wavy(layout.danger(6), "danger")), water)
    canvas.tint(HEAT, area.point([round(v * 0.36) for v in range(256)]))


def _ruffle(canvas: Canvas, layout: Layout) -> None:
    """Strokes of foam and a wind rose on the open sea."""
    chance = random.Random(3)
    stroke = wave(units(30), FOAM_STROKE)
    waves: list[Point] = []
    while len(waves) < 24:
        spot = (chance.uniform(20, 1180), chance.uniform(16, SEA - 16))
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
        self.step = mode().fine * WIDTH / 1200
        self.area = Image.new("L", (WIDTH * mode().fine, units(SEA) * mode().fine))
        self.pen = ImageDraw.Draw(self.area)

    def line(self, points: Outline, width: float) -> None:
        path = [(x * self.step, y * self.step) for x, y in points]
        self.pen.line(path, fill=255, width=max(1, round(width * self.step)))

    def dot(self, x: float, y: float, radius: float) -> None:
        self.pen.ellipse([v * self.step for v in (x - radius, y - radius, x + radius, y + radius)], fill=255)

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
    """Strokes between two points, as many as fit."""
    length = math.dist(start, end)
    count = max(1, int((length + gap) // (dash + gap)))
    first = (length - count * dash - (count - 1) * gap) / 2
    right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    marks = [first + i * (dash + gap) for i in range(count)]
    return [
        [(start[0] + right * at, start[1] + down * at), (start[0] + right * (at + dash), start[1] + down * (at + dash))]
        for at in marks
    ]


def _draw_routes(canvas: Canvas, layout: Layout, water: Image.Image) -> None:
    """Unexplored routes as pale dashes, neutral ones as orange ones."""
    pale, edge, orange = _Pen(), _Pen(), _Pen()
    for route in layout.board.routes:
        for stroke in dashes(*layout.line(route), *((17, 9) if route.neutral else (12, 10))):
            if route.neutral:
                edge.line(stroke, 12)
                orange.line(stroke, 7.5)
            else:
                pale.line(stroke, 5.5)
    for pen, colour in ((pale, DASH), (edge, NEUTRAL_EDGE), (orange, NEUTRAL)):
        canvas.tint(colour, ImageChops.multiply(pen.done(), water))


def _burn(canvas: Canvas, layout: Layout, terrain: Terrain) -> None:
    """What the eruption has destroyed is basalt."""
    doomed = [island for island in layout.board.islands if island.destroyed]
    boxes = []
    for island in doomed:
        (x, y), half = layout.middles[island.code], layout.half(island)
        across, down = half[0] * 1.35, half[1] * 1.4
        # The island lies in it, and no other does.
        boxes.append(rectangle(x - across, y - down, x + across, y + down))
    area = _area(*boxes)
    canvas.tint(BASALT, ImageChops.multiply(area, terrain.coast))
    canvas.tint(ASHES, ImageChops.multiply(area, terrain.green))


def _planted(canvas: Canvas, layout: Layout, terrain: Terrain, erupted: bool) -> Ground:
    """Tufts, palms and the volcano on the land."""
    above = Canvas(terrain.coast.copy())
    for island in layout.board.islands:
        if island.is_main or (erupted and island.destroyed):
            continue
        for sprite, x, y in _plants(layout, island):
            canvas.put(sprite, x, y)
            above.image.paste(255, _corner(sprite, x, y), sprite.mask)
    main = layout.middles[layout.board.main.code]
    x, y, mountain = units(main[0]), units(main[1] - 14), volcano(units(138), erupted)
    canvas.put(mountain, x, y)
    above.image.paste(255, _corner(mountain, x, y), mountain.mask)
    return Ground(canvas.image, ImageChops.invert(above.image))


def _corner(sprite: Sprite, x: int, y: int) -> tuple[int, int]:
    return (x - sprite.at[0]) * mode().zoom, (y - sprite.at[1]) * mode().zoom


def _plants(layout: Layout, island: Island) -> list[tuple[Sprite, int, int]]:
    (x, y), chance = layout.middles[island.code], random.Random(island.code)
    coast = layout.coast(island)
    found: list[tuple[Sprite, int, int]] = []
    for shore_x, shore_y in chance.sample(coast, 6):
        bush = tuft(units(5 + chance.randrange(2)), chance.choice(TUFTS))
        found.append((bush, units(x + (shore_x - x) * 0.72), units(y - LIFT + (shore_y - y + LIFT) * 0.72)))
    side = -1 if island.destroyed else chance.choice((-1, 1))
    found.append((palm(units(44), side), units(x + side * 45), units(y - 10)))
    if chance.random() < 0.4:
        found.append((palm(units(36), -side), units(x + side * 57), units(y + 3)))
    return sorted(found, key=lambda plant: plant[2])
