"""Text in any script: cut into runs, ordered from left to right, shaped and drawn.

Pillow shapes text only if the system happens to have FriBiDi, so it is done here, with the same
result everywhere: a text is cut into runs of one font and one direction, HarfBuzz turns a run into
glyphs, and their outlines are filled. Widths and sizes are in drawn pixels.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

import uharfbuzz as hb
from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from render.emoji import draw_emoji, emoji_at
from render.palette import Colour
from render.script_fonts import (
    CHINESE,
    Script,
    choose_cjk_script,
    find_script,
    has_glyph,
    open_font,
)
from render.shapes import Point, point_on_curve

SCALE = 0.9
"""The other fonts are drawn smaller, since their letters are larger than those of Source Sans."""
CURVE_SEGMENTS = 6
"""Straight pieces of a curve: enough, since text is drawn four times as large as it is shown."""

# Lengths as shares of the font size.
ABOVE = 1.15
BELOW = 0.5
"""How far letters reach from the baseline: Thai and Arabic ones farther than Latin ones."""
EMOJI_SIZE = 1.25
EMOJI_DROP = 0.28
"""How far an emoji reaches below the baseline."""
BOLDER_STROKE = 0.015
"""How much the boldest letters of a font without weights are thickened."""
BOLDEST_WEIGHT = 900

JOINERS = "\u200c\u200d"
LEFT_TO_RIGHT = "\u200e"
"""Before a text: it runs from left to right even if it begins with a name that does not.

It is not drawn.
"""
NOT_WOUND = 128
"""The winding number 0, in the middle of what a pixel can hold."""


class Run(Struct, frozen=True):
    """A piece of text in one font and one direction.

    Without a script it is drawn in the font that the caller asks for, unless it is an emoji.
    """

    text: str
    script: Script | None = None
    is_emoji: bool = False
    level: int = 0
    """0 runs from left to right, 1 from right to left, 2 from left to right inside of 1."""


def knows(char: str) -> bool:
    """Return whether one of the other fonts can draw a character."""
    script = find_script(char)
    return script is not None and has_glyph(script, char)


def clusters(text: str) -> Iterator[str]:
    """Yield the characters as readers see them, with their accents; emoji stay in one piece."""
    place = 0
    while place < len(text):
        end = place + max(1, len(emoji_at(text, place)))
        while end < len(text) and _joins_any(text[end]):
            end += 1
        yield text[place:end]
        place = end


def runs_of(text: str) -> list[Run]:
    """Cut a text into runs, in the order in which they are shown from left to right."""
    pieces = _cut_by_script(text)
    levels = _find_levels([piece.text for piece in pieces])
    runs: list[Run] = []
    for piece, level in zip(pieces, levels, strict=True):
        if piece.text == LEFT_TO_RIGHT:
            continue
        last = runs[-1] if runs and not piece.is_emoji else None
        if last and not last.is_emoji and (last.script, last.level) == (piece.script, level):
            runs[-1] = Run(last.text + piece.text, piece.script, level=level)
        else:
            runs.append(Run(piece.text, piece.script, piece.is_emoji, level))
    # Pieces from right to left are reversed, after what runs from left to right inside of them.
    for least_level in (2, 1):
        ordered: list[Run] = []
        for is_reversed, group in groupby(runs, key=lambda run: run.level >= least_level):
            together = list(group)
            ordered += reversed(together) if is_reversed else together
        runs = ordered
    return runs


def _cut_by_script(text: str) -> list[Run]:
    """Cut a text into emoji and single characters, each with its script."""
    pieces: list[Run] = []
    cjk_script = choose_cjk_script(text)
    place = 0
    while place < len(text):
        if emoji := emoji_at(text, place):
            pieces.append(Run(emoji, is_emoji=True))
            place += len(emoji)
            continue
        char = text[place]
        script = find_script(char)
        if script is CHINESE:
            script = cjk_script
        last = pieces[-1] if pieces else None
        if last is not None and not last.is_emoji and _joins_script(char, last.script):
            script = last.script
        pieces.append(Run(char, script))
        place += 1
    return pieces


def _joins_any(char: str) -> bool:
    """Return whether a character belongs to the one before it: an accent or a joiner."""
    return unicodedata.category(char)[0] == "M" or char in JOINERS


def _joins_script(char: str, script: Script | None) -> bool:
    """Return whether a character is drawn in the font of the one before it.

    Accents and joiners are, and so are blanks and punctuation if that font has them.
    """
    if _joins_any(char):
        return True
    if script is None or find_script(char) is not None or char.isalnum():
        return False
    return has_glyph(script, char)


def _find_levels(pieces: list[str]) -> list[int]:
    """Return the level of each piece, as in `Run.level`.

    This is the part of Unicode's bidirectional algorithm that names need: no brackets, and only one
    of the direction marks.
    """
    kinds = [unicodedata.bidirectional(piece[0]) for piece in pieces]
    strong = [kind for kind in kinds if kind in ("L", "R", "AL")]
    base = 1 if strong and strong[0] != "L" else 0
    found: list[tuple[int, int] | None] = []
    """For each piece that has a direction, its level and the side that its neighbours join."""
    side_before = base
    for kind in kinds:
        if kind in ("R", "AL"):
            side_before = 1
            found.append((1, 1))
        elif kind == "L" or (kind == "EN" and side_before == 0):
            side_before = 0
            found.append((2 * base, 0))
        elif kind in ("EN", "AN"):
            # A number is read from left to right, but belongs to the letters before it.
            found.append((2, 1))
        else:
            found.append(None)

    levels = []
    for place, known in enumerate(found):
        if known is not None:
            levels.append(known[0])
            continue
        # A blank or a sign joins its neighbours if they agree, else it follows the whole text.
        sides_before = [other[1] for other in found[:place] if other]
        sides_after = [other[1] for other in found[place + 1 :] if other]
        left = sides_before[-1] if sides_before else base
        right = sides_after[0] if sides_after else base
        side = left if left == right else base
        levels.append(1 if side else 2 * base)
    return levels


def width(text: str, weight: int, pixels: int, measure_plain: Callable[[str], float]) -> float:
    """Return how wide a text is; `measure_plain` measures runs in the caller's own font."""
    return sum(_run_width(run, weight, pixels, measure_plain) for run in runs_of(text))


def _run_width(run: Run, weight: int, pixels: int, measure_plain: Callable[[str], float]) -> float:
    """Return how wide a run is."""
    if run.is_emoji:
        return pixels * EMOJI_SIZE
    if run.script is None:
        return measure_plain(run.text)
    return sum(glyph.advance for glyph in shape_run(run, weight)) * pixels * SCALE


class Pen(Struct, frozen=True):
    """Where and how a text is drawn; `x` and `y` are the start of its baseline."""

    image: Image.Image
    x: float
    y: float
    colour: Colour
    halo: Colour | None = None
    stroke: int = 0
    """The width of the halo."""


def write(pen: Pen, text: str, weight: int, pixels: int, plain_font: Any) -> None:
    """Draw a text; runs without a script are drawn in `plain_font`, a font of Pillow."""
    x = pen.x
    for run in runs_of(text):
        if run.is_emoji:
            size = round(pixels * EMOJI_SIZE)
            top = round(pen.y + pixels * EMOJI_DROP) - size
            pen.image.alpha_composite(draw_emoji(run.text, size), (round(x), top))
        elif run.script is None:
            _write_plain(pen, x, run.text, plain_font)
        else:
            mask = _mask_run(run, weight, pixels, (x, pen.y), pen.image.size)
            if pen.halo is not None:
                halo_mask = mask.filter(ImageFilter.MaxFilter(2 * pen.stroke + 1))
                pen.image.paste(pen.halo, (0, 0), halo_mask)
            pen.image.paste(pen.colour, (0, 0), mask)
        x += _run_width(run, weight, pixels, plain_font.getlength)


def _write_plain(pen: Pen, x: float, text: str, font: Any) -> None:
    """Draw a run in a font of Pillow."""
    draw = ImageDraw.Draw(pen.image)
    baseline = "ls"
    if pen.halo is not None:
        draw.text(
            (x, pen.y),
            text,
            pen.halo,
            font,
            baseline,
            stroke_width=pen.stroke,
            stroke_fill=pen.halo,
        )
    draw.text((x, pen.y), text, pen.colour, font, baseline)


def _mask_run(
    run: Run, weight: int, pixels: int, start: Point, size: tuple[int, int]
) -> Image.Image:
    """Return a mask, as large as `size`, of a run that begins at `start`.

    Contours of a glyph may overlap, so they are filled by the nonzero winding rule.
    """
    assert run.script is not None
    winding = Image.new("L", size, NOT_WOUND)
    x, baseline = start
    scale = pixels * SCALE
    for glyph in shape_run(run, weight):
        for contour in glyph.contours:
            corners = [
                (x + (glyph.right + across) * scale, baseline - (glyph.up + up) * scale)
                for across, up in contour
            ]
            _wind(winding, corners)
        x += glyph.advance * scale
    mask = winding.point([0 if value == NOT_WOUND else 255 for value in range(256)])
    if open_font(run.script, weight).face.has_var_data:
        return mask
    # This font comes in one weight: thicken it.
    bolder = round(pixels * weight / BOLDEST_WEIGHT * BOLDER_STROKE)
    return mask.filter(ImageFilter.MaxFilter(2 * bolder + 1)) if bolder else mask


def _wind(winding: Image.Image, corners: list[Point]) -> None:
    """Add a contour to winding numbers: 1 inside if it runs clockwise, -1 otherwise."""
    across = [x for x, _ in corners]
    down = [y for _, y in corners]
    # Working only on the contour's box is a tenth of the work.
    left, top = int(min(across)) - 1, int(min(down)) - 1
    right, bottom = int(max(across)) + 2, int(max(down)) + 2
    filled = Image.new("L", (right - left, bottom - top), 0)
    moved = [(x - left, y - top) for x, y in corners]
    ImageDraw.Draw(filled).polygon(moved, fill=1)
    # The shoelace formula: twice the area, positive for clockwise corners where y points down.
    doubled_area = 0.0
    for (x1, y1), (x2, y2) in pairwise([*corners, corners[0]]):
        doubled_area += x1 * y2 - x2 * y1
    combine = ImageChops.add if doubled_area > 0 else ImageChops.subtract
    box = (left, top, right, bottom)
    winding.paste(combine(winding.crop(box), filled), (left, top))


class Glyph(Struct, frozen=True):
    """A shaped glyph; lengths are shares of the font size."""

    contours: tuple[tuple[Point, ...], ...]
    advance: float
    """From this glyph to the next."""
    right: float
    up: float
    """How far the contours are moved, such as an accent over its letter."""


@lru_cache(512)
def shape_run(run: Run, weight: int) -> tuple[Glyph, ...]:
    """Return the glyphs of a run from left to right."""
    assert run.script is not None
    font = open_font(run.script, weight)
    buffer = hb.Buffer()
    buffer.add_str(run.text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if run.level == 1 else "ltr"
    hb.shape(font, buffer)
    size = font.face.upem
    glyphs = []
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        drawn: list[list[Point]] = []
        font.draw_glyph(info.codepoint, _outline_pen(), drawn)
        # A contour of two points has no area.
        contours = [
            tuple((x / size, y / size) for x, y in contour) for contour in drawn if len(contour) > 2
        ]
        glyph = Glyph(
            tuple(contours),
            position.x_advance / size,
            position.x_offset / size,
            position.y_offset / size,
        )
        glyphs.append(glyph)
    return tuple(glyphs)


@lru_cache(1)
def _outline_pen() -> Any:
    """Return HarfBuzz draw functions that collect the contours of a glyph as straight pieces."""

    def move(x: float, y: float, contours: list[list[Point]]) -> None:
        contours.append([(x, y)])

    def line(x: float, y: float, contours: list[list[Point]]) -> None:
        contours[-1].append((x, y))

    def curve(*arguments: Any) -> None:
        # Quadratic curves have two points after the start, cubic ones three.
        *numbers, contours = arguments
        start = contours[-1][-1]
        points = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
        for step in range(1, CURVE_SEGMENTS + 1):
            contours[-1].append(point_on_curve(points, step / CURVE_SEGMENTS))

    funcs = hb.DrawFuncs()
    funcs.set_move_to_func(move)
    funcs.set_line_to_func(line)
    funcs.set_quadratic_to_func(curve)
    funcs.set_cubic_to_func(curve)
    funcs.set_close_path_func(lambda contours: None)
    return funcs
