"""The chart: the whole map, small and in flat colours, with a frame where the main map is.

Lengths are in pixels unless they say otherwise, and may be changed freely; look at the pictures.
"""

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.board import CHART as PRINTED_MAP
from engine.conquest.view import NOBODY, ConquestView
from render.canvas import Box, Brush, Canvas, Sprite, cached
from render.conquest.america import put_coast
from render.conquest.ground import draw_ground, side_to
from render.conquest.hexes import (
    hidden_tile,
    legal_ring,
    line_to_neighbour,
    news_ring,
    tile_rim,
    wake,
)
from render.conquest.labels import Labels
from render.conquest.layout import (
    CHART,
    CHART_UNIT,
    Crop,
    chart_crop,
    half_row,
    hex_outline,
    rise_of,
)
from render.conquest.news import News
from render.conquest.tokens import shape_mark
from render.news import bud
from render.palette import CASING, CREAM, KEYLINE, LEGAL, RULE, Colour, livery_of, rgb
from render.shapes import seat_shape

COAST = sorted(PRINTED_MAP.coast, key=half_row)
"""The hexes from which South America is reached, from the north."""
FRAME = rgb("#F4E6BE")
FRAME_CASING = rgb("#3A2405")
FRAME_LINES = ((0, 2, FRAME_CASING), (2, 3, FRAME), (5, 2, FRAME_CASING))
"""How far inside, how thick and in which colour each line of the main map's frame is."""
CHART_EDGE = 3
"""The thickness of the line around the chart."""

STACK_SHAPE = 15
"""The size of a seat's shape in a hex where its pieces lie."""
DISCOVERER_SHAPE = 12
SHARED_DISCOVERER_SHAPE = 9
"""The size of a discoverer's shape on a tile face down, alone or beside others."""
DISCOVERER_STEP = 5
CHAIN_CASING_WIDTH = 0.75
CHAIN_WIDTH = 0.42
"""In units of a hex."""
WAKE_LAYERS = (1, 2)
"""The line and core of a wake: its casing would be too coarse here."""

HELD_PADDING = 4
HELD_SIZE = 0.86
HELD_SHAPE = 0.78
"""The size of a held hex as a share of the hex, and of its owner's shape in units."""
HELD_CASING = 2

COAST_LINE_WEST, COAST_LINE_EAST = 3, 7
"""How far the bright line along the coast reaches to either side of the shore."""
COAST_LINE_CASING = 2

FLOWER_SIZE = 26
FLOWER_TEXT = 19
NUMBER_DISTANCES = (1, 1.4, 1.9, 2.5, 3.2)
"""How far from its hex a number may stand, in its own size: hexes with news may lie close together.
"""


def draw_chart(view: ConquestView, rings: Sequence[str], crop: Crop, news: News) -> Image.Image:
    """Draw the map with owners, chains, tiles, stacks and the frame of the main map."""
    whole = chart_crop()
    canvas = Canvas(draw_ground(view, whole))
    put_coast(canvas, whole)
    _draw_tiles(canvas, view, whole)
    # Chains come before owners and pieces, because they run from middle to middle and would cross
    # them out.
    _draw_chains(canvas, view, whole)
    _draw_owners(canvas, view, whole)
    for spot in sorted(rings):
        if spot in HEX_AT:
            canvas.put(legal_ring(CHART_UNIT), *whole.middle_of(spot))
    _draw_news(canvas, news, whole)
    if view.voyage is not None and view.voyage.at in HEX_AT:
        canvas.put(shape_mark(view.voyage.seat, STACK_SHAPE), *whole.middle_of(view.voyage.at))
    if AMERICA in rings:
        _highlight_coast(canvas, whole)
    _draw_frame(canvas, crop, whole)
    _put_news_numbers(canvas, news, crop, whole)
    # The edge of the chart comes last: hexes and numbers may reach over it.
    _outline_box(canvas, (0, 0, *CHART), CHART_EDGE, RULE)
    return canvas.image


def _draw_tiles(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    """Draw rims of tiles face up, backs of tiles face down, and who has seen those."""
    for tile in view.tiles:
        x, y = whole.middle_of(tile.spot)
        if tile.up:
            canvas.put(tile_rim(CHART_UNIT), x, y)
            continue
        canvas.put(hidden_tile(CHART_UNIT), x, y)
        size = DISCOVERER_SHAPE if len(tile.seen) == 1 else SHARED_DISCOVERER_SHAPE
        # Side by side around the middle of the hex.
        for index, seat in enumerate(tile.seen):
            right = round((index - (len(tile.seen) - 1) / 2) * DISCOVERER_STEP)
            canvas.put(shape_mark(seat, size), x + right, y)


def _draw_chains(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    """Draw a line in the seat's colour along each link of its chains."""
    for seat, nation in enumerate(view.nations):
        livery = livery_of(seat)
        casing = CREAM if livery.cream_line else KEYLINE
        # All casings before all colours: otherwise the casing of one link would cut into the
        # colour of the next where they meet.
        for colour, width in ((casing, CHAIN_CASING_WIDTH), (livery.colour, CHAIN_WIDTH)):
            for start, end in nation.links:
                side = side_to(start, end)
                if side is not None:
                    line = line_to_neighbour(CHART_UNIT, side, colour, width)
                    canvas.put(line, *whole.middle_of(start))


def _draw_owners(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    """Draw groups in their owners' colours, and shapes of seats that only have pieces there."""
    owned_hexes = set()
    for group in view.groups:
        if group.owner != NOBODY:
            canvas.put(_held_hex(group.owner), *whole.middle_of(group.spot))
            owned_hexes.add(group.spot)
    for stack in view.stacks:
        if stack.spot not in owned_hexes:
            canvas.put(shape_mark(stack.seat, STACK_SHAPE), *whole.middle_of(stack.spot))


def _draw_news(canvas: Canvas, news: News, whole: Crop) -> None:
    """Draw the wakes and rings of all news, in the main map's window or not; newest on top."""
    for number, item in news.numbered():
        mark = news.mark(number)
        for layer in WAKE_LAYERS:
            for start, end in pairwise(item.way):
                side = side_to(start, end)
                if side is not None:
                    canvas.put(wake(CHART_UNIT, side, mark, layer), *whole.middle_of(start))
        for spot in item.rings:
            if spot in HEX_AT:
                canvas.put(news_ring(CHART_UNIT, mark.age), *whole.middle_of(spot))


def _put_news_numbers(canvas: Canvas, news: News, crop: Crop, whole: Crop) -> None:
    """Put the numbers of news that the main map doesn't show at all beside their hexes."""
    # Only numbers are labels here, so nothing else on the chart is kept free.
    labels = Labels(canvas)
    half = FLOWER_SIZE // 2
    for number, item in news.numbered():
        spots = [spot for spot in item.rings if spot in HEX_AT]
        if not spots or any(crop.holds(spot) for spot in spots):
            continue
        sprite = bud(FLOWER_SIZE, news.mark(number), FLOWER_TEXT)
        middle = whole.middle_of(spots[0])
        labels.pin(sprite, middle, half, half, f"news:{number}", NUMBER_DISTANCES)


# Cached: it takes 1 ms, and a picture has about four kinds.
@cached(8)
def _held_hex(seat: int) -> Sprite:
    """Return a hex in its owner's colour with the owner's shape."""
    livery = livery_of(seat)
    rise = rise_of(CHART_UNIT)
    middle = (2 * CHART_UNIT + HELD_PADDING, rise + HELD_PADDING)
    brush = Brush(2 * middle[0], 2 * middle[1], at=middle)
    outline = hex_outline(CHART_UNIT, HELD_SIZE)
    casing = CREAM if livery.cream_line else KEYLINE
    brush.paint(brush.grow([outline], HELD_CASING), casing)
    brush.fill(outline, livery.colour)
    brush.fill(seat_shape(livery.shape, 0, 0, CHART_UNIT * HELD_SHAPE), livery.stamp)
    return brush.finish()


def _highlight_coast(canvas: Canvas, whole: Crop) -> None:
    """Draw a bright line along the hexes from which South America is reached."""
    x, north = whole.middle_of(COAST[0])
    _, south = whole.middle_of(COAST[-1])
    shore = x + 2 * whole.unit
    top, bottom = north - whole.rise, south + whole.rise
    left, right = shore - COAST_LINE_WEST, shore + COAST_LINE_EAST
    canvas.cover((left, top, right, bottom), CASING)
    edge = COAST_LINE_CASING
    canvas.cover((left + edge, top + edge, right - edge, bottom - edge), LEGAL)


def _draw_frame(canvas: Canvas, crop: Crop, whole: Crop) -> None:
    """Draw the window of the main map, in the scale of the chart."""
    # Rises are rounded to whole pixels, so the two scales differ a little.
    scale_x = whole.unit / crop.unit
    scale_y = whole.rise / crop.rise
    left = round(crop.left * scale_x) - whole.left
    top = round(crop.top * scale_y) - whole.top
    right = left + round(crop.width * scale_x)
    bottom = top + round(crop.height * scale_y)
    # The main map may reach beyond the map; its frame stays inside the edge of the chart.
    left, top = max(CHART_EDGE, left), max(CHART_EDGE, top)
    right, bottom = min(CHART[0] - CHART_EDGE, right), min(CHART[1] - CHART_EDGE, bottom)
    for inset, thick, colour in FRAME_LINES:
        box = (left + inset, top + inset, right - inset, bottom - inset)
        _outline_box(canvas, box, thick, colour)


def _outline_box(canvas: Canvas, box: Box, thick: int, colour: Colour) -> None:
    left, top, right, bottom = box
    canvas.cover((left, top, right, top + thick), colour)
    canvas.cover((left, bottom - thick, right, bottom), colour)
    canvas.cover((left, top, left + thick, bottom), colour)
    canvas.cover((right - thick, top, right, bottom), colour)
