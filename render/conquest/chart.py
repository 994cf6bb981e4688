"""The chart: the whole map in flat colours, with the theatre framed."""

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.board import CHART as PRINTED_MAP
from engine.conquest.view import NOBODY, ConquestView
from render.canvas import Box, Brush, Canvas, Sprite, kept
from render.conquest.america import put_coast
from render.conquest.ground import ground, side_to
from render.conquest.hexes import hidden_tile, legal_ring, link, news_ring, tile_rim, wake
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
PIECE = 17
"""The shape of a seat that has pieces in a hex, in pixels."""
NUMBER = 26
"""The number of a deed, and its letters."""
NUMBER_TEXT = 19
APART = (1, 1.4, 1.9, 2.5, 3.2)
"""How far from its hex a number may stand, in its own size: many deeds may lie close together."""


def chart(view: ConquestView, rings: Sequence[str], crop: Crop, news: News) -> Image.Image:
    """The map with owners, chains, tiles, stacks and the frame of the theatre."""
    whole = chart_crop()
    canvas = Canvas(ground(view, whole))
    put_coast(canvas, whole)
    _put_tiles(canvas, view, whole)
    # Chains come before owners and pieces: they run from middle to middle and would strike them
    # out.
    _put_chains(canvas, view, whole)
    _put_owners(canvas, view, whole)
    for spot in sorted(rings):
        if spot in HEX_AT:
            canvas.put(legal_ring(CHART_UNIT), *whole.place(spot))
    _put_news(canvas, news, whole)
    if view.voyage is not None and view.voyage.at in HEX_AT:
        canvas.put(shape_mark(view.voyage.seat, PIECE), *whole.place(view.voyage.at))
    if AMERICA in rings:
        _ring_coast(canvas, whole)
    _put_frame(canvas, crop, whole)
    _put_numbers(canvas, news, crop, whole)
    # The edge of the chart comes last: hexes and names may reach over it.
    _outline(canvas, (0, 0, *CHART), 3, RULE)
    return canvas.image


def _put_tiles(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    """Rims of tiles face up; face down their backs, with the shapes of those who know them."""
    for tile in view.tiles:
        x, y = whole.place(tile.spot)
        if tile.up:
            canvas.put(tile_rim(CHART_UNIT), x, y)
            continue
        canvas.put(hidden_tile(CHART_UNIT), x, y)
        size = 14 if len(tile.seen) == 1 else 10
        step = 6
        for place, seat in enumerate(tile.seen):
            right = round((place - (len(tile.seen) - 1) / 2) * step)
            canvas.put(shape_mark(seat, size), x + right, y)


def _put_chains(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    for seat, nation in enumerate(view.nations):
        livery = livery_of(seat)
        casing = CREAM if livery.cream_line else KEYLINE
        # All casings before all colours: else the casing of a link would cut the one before it
        # where they meet.
        for colour, thick in ((casing, 0.75), (livery.colour, 0.42)):
            for start, end in nation.links:
                side = side_to(start, end)
                if side is not None:
                    canvas.put(link(CHART_UNIT, side, colour, thick), *whole.place(start))


def _put_owners(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    """Groups in their owners' colours, and shapes where there are pieces only."""
    held = set()
    for group in view.groups:
        if group.owner != NOBODY:
            canvas.put(_held(group.owner), *whole.place(group.spot))
            held.add(group.spot)
    for stack in view.stacks:
        # In a group that is held the shape is its owner's already.
        if stack.spot not in held:
            canvas.put(shape_mark(stack.seat, PIECE), *whole.place(stack.spot))


def _put_news(canvas: Canvas, news: News, whole: Crop) -> None:
    """The ways and rings of all deeds, whatever of them lies in the theatre; the newest over the
    others.
    """
    for number, deed in news.numbered():
        mark = news.mark(number)
        for layer in (1, 2):
            for start, end in pairwise(deed.way):
                side = side_to(start, end)
                if side is not None:
                    canvas.put(wake(CHART_UNIT, side, mark, layer), *whole.place(start))
        for spot in deed.rings:
            if spot in HEX_AT:
                canvas.put(news_ring(CHART_UNIT, mark.age), *whole.place(spot))


def _put_numbers(canvas: Canvas, news: News, crop: Crop, whole: Crop) -> None:
    """The numbers of deeds of which the theatre shows nothing, beside their hexes."""
    labels = Labels(canvas)
    for number, deed in news.numbered():
        places = [spot for spot in deed.rings if spot in HEX_AT]
        if places and not any(crop.holds(spot) for spot in places):
            labels.pin(
                bud(NUMBER, news.mark(number), NUMBER_TEXT),
                whole.place(places[0]),
                NUMBER // 2,
                NUMBER // 2,
                f"news:{number}",
                APART,
            )


# 1 ms to draw, and a picture has some four.
@kept(8)
def _held(seat: int) -> Sprite:
    """A hex in its owner's colour with the owner's shape."""
    livery = livery_of(seat)
    rise = rise_of(CHART_UNIT)
    pad = 3
    brush = Brush(
        4 * CHART_UNIT + 2 * pad, 2 * rise + 2 * pad, at=(2 * CHART_UNIT + pad, rise + pad)
    )
    outline = hex_outline(CHART_UNIT, 0.86)
    brush.paint(brush.grown([outline], 2), CREAM if livery.cream_line else KEYLINE)
    brush.fill(outline, livery.colour)
    brush.fill(seat_shape(livery.shape, 0, 0, CHART_UNIT * 0.78), livery.stamp)
    return brush.done()


def _ring_coast(canvas: Canvas, whole: Crop) -> None:
    """A bright line along the hexes from which South America is reached."""
    x, north = whole.place(COAST[0])
    _, south = whole.place(COAST[-1])
    shore = x + 2 * whole.unit
    top, bottom = north - whole.rise, south + whole.rise
    canvas.cover((shore - 3, top, shore + 7, bottom), CASING)
    canvas.cover((shore - 1, top + 2, shore + 5, bottom - 2), LEGAL)


def _put_frame(canvas: Canvas, crop: Crop, whole: Crop) -> None:
    """The window of the theatre, in the chart's measure."""
    # Rises are rounded to pixels, so that the two directions differ a little.
    across = whole.unit / crop.unit
    down = whole.rise / crop.rise
    left = round(crop.left * across) - whole.left
    top = round(crop.top * down) - whole.top
    right = left + round(crop.across * across)
    bottom = top + round(crop.high * down)
    # A theatre may reach beyond the map; its frame stays inside the edge of the chart.
    left, top = max(3, left), max(3, top)
    right, bottom = min(CHART[0] - 3, right), min(CHART[1] - 3, bottom)
    for inset, thick, colour in ((0, 2, FRAME_CASING), (2, 3, FRAME), (5, 2, FRAME_CASING)):
        _outline(canvas, (left + inset, top + inset, right - inset, bottom - inset), thick, colour)


def _outline(canvas: Canvas, box: Box, thick: int, colour: Colour) -> None:
    left, top, right, bottom = box
    canvas.cover((left, top, right, top + thick), colour)
    canvas.cover((left, bottom - thick, right, bottom), colour)
    canvas.cover((left, top, left + thick, bottom), colour)
    canvas.cover((right - thick, top, right, bottom), colour)
