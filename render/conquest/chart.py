"""The chart: the whole map in flat colours, with the theatre framed."""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT
from engine.conquest.board import CHART as PRINTED_MAP
from engine.conquest.view import NOBODY, ConquestView
from render.canvas import Box, Brush, Canvas, Sprite, kept
from render.conquest.america import put_coast
from render.conquest.ground import ground, side_to
from render.conquest.hexes import hidden_tile, last_ring, legal_ring, link, tile_rim
from render.conquest.layout import CHART, CHART_UNIT, HALO, TEXT, Crop, chart_crop, half_row, hex_outline, rise_of
from render.conquest.tokens import shape_mark
from render.fonts import Face, label
from render.palette import CASING, CREAM, KEYLINE, LEGAL, RULE, livery_of, rgb
from render.shapes import seat_shape
from render.words import words_of

COAST = sorted(PRINTED_MAP.coast, key=half_row)
FRAME, FRAME_CASING = rgb("#F4E6BE"), rgb("#3A2405")


def chart(view: ConquestView, rings: Sequence[str], crop: Crop) -> Image.Image:
    """The map with owners, chains, tiles, stacks and the frame of the theatre."""
    whole = chart_crop()
    canvas = Canvas(ground(view, whole).copy())
    put_coast(canvas, whole)
    _put_tiles(canvas, view, whole)
    _put_chains(canvas, view, whole)
    for group in view.groups:
        if group.owner != NOBODY:
            canvas.put(_held(group.owner), *whole.place(group.spot))
    held = {group.spot for group in view.groups if group.owner != NOBODY}
    for stack in view.stacks:
        if stack.spot not in held:
            canvas.put(shape_mark(stack.seat, 25), *whole.place(stack.spot))
    for spot in sorted(spot for spot in rings if spot in HEX_AT):
        canvas.put(legal_ring(CHART_UNIT), *whole.place(spot))
    for spot in view.last:
        if spot in HEX_AT:
            canvas.put(last_ring(CHART_UNIT), *whole.place(spot))
    if view.voyage is not None and view.voyage.at in HEX_AT:
        canvas.put(shape_mark(view.voyage.seat, 25), *whole.place(view.voyage.at))
    if AMERICA in rings:
        _ring_coast(canvas, whole)
    _put_frame(canvas, crop, whole)
    if view.kumara_played:
        name = words_of("conquest").say("america.name")
        canvas.put(label(name, Face.STRONG, TEXT, LEGAL, "r", CASING, HALO), CHART[0] - 26, TEXT)
    _put_edge(canvas)
    return canvas.image


def _ring_coast(canvas: Canvas, whole: Crop) -> None:
    """A bright line along the hexes from which South America is reached."""
    (x, top), (_, bottom) = (whole.place(spot) for spot in (COAST[0], COAST[-1]))
    left, rise = x + 2 * whole.unit, whole.rise
    canvas.cover((left - 3, top - rise, left + 7, bottom + rise), CASING)
    canvas.cover((left - 1, top - rise + 2, left + 5, bottom + rise - 2), LEGAL)


def _put_tiles(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    for tile in view.tiles:
        x, y = whole.place(tile.spot)
        if tile.up:
            canvas.put(tile_rim(CHART_UNIT), x, y)
            continue
        canvas.put(hidden_tile(CHART_UNIT), x, y)
        step = 9
        for place, seat in enumerate(tile.seen):
            right = round((place - (len(tile.seen) - 1) / 2) * step)
            canvas.put(shape_mark(seat, 20 if len(tile.seen) == 1 else 15), x + right, y)


def _put_chains(canvas: Canvas, view: ConquestView, whole: Crop) -> None:
    for seat, nation in enumerate(view.nations):
        livery = livery_of(seat)
        casing = CREAM if livery.cream_line else KEYLINE
        for colour, thick in ((casing, 0.75), (livery.colour, 0.42)):
            for start, end in nation.links:
                side = side_to(start, end)
                if side is not None:
                    canvas.put(link(CHART_UNIT, side, colour, thick), *whole.place(start))


@kept(8)
def _held(seat: int) -> Sprite:
    """A hex in its owner's colour with the owner's shape."""
    livery, rise = livery_of(seat), rise_of(CHART_UNIT)
    brush = Brush(4 * CHART_UNIT + 6, 2 * rise + 6, at=(2 * CHART_UNIT + 3, rise + 3))
    outline = hex_outline(CHART_UNIT, 0.86)
    brush.paint(brush.grown([outline], 2), CREAM if livery.cream_line else KEYLINE)
    brush.fill(outline, livery.colour)
    brush.fill(seat_shape(livery.shape, 0, 0, CHART_UNIT * 0.78), livery.stamp)
    return brush.done()


def _put_frame(canvas: Canvas, crop: Crop, whole: Crop) -> None:
    """The window of the theatre, in the chart's measure."""
    across, down = whole.unit / crop.unit, whole.rise / crop.rise
    left, top = round(crop.left * across) - whole.left, round(crop.top * down) - whole.top
    right, bottom = left + round(crop.across * across), top + round(crop.high * down)
    box = (max(3, left), max(3, top), min(CHART[0] - 3, right), min(CHART[1] - 3, bottom))
    for inset, colour in ((0, FRAME_CASING), (2, FRAME), (5, FRAME_CASING)):
        _outline(canvas, box, inset, 3 if colour == FRAME else 2, colour)


def _outline(canvas: Canvas, box: Box, inset: int, thick: int, colour: tuple[int, int, int]) -> None:
    left, top, right, bottom = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
    canvas.cover((left, top, right, top + thick), colour)
    canvas.cover((left, bottom - thick, right, bottom), colour)
    canvas.cover((left, top, left + thick, bottom), colour)
    canvas.cover((right - thick, top, right, bottom), colour)


def _put_edge(canvas: Canvas) -> None:
    _outline(canvas, (0, 0, *CHART), 0, 3, RULE)
