"""Text: measured, fitted to a width and written, in Source Sans and for titles in Source Serif.

Both fonts have the letters of Māori and Hawaiian. Names in other scripts and emoji are drawn by
scripts.py. Sizes and widths are in pixels of the finished picture.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from render import scripts
from render.canvas import (
    OPAQUE,
    Box,
    Canvas,
    Sprite,
    cached,
    current_mode,
    finish_sprite,
    scale_down,
)
from render.emoji import emoji_at
from render.palette import Colour

STAND_IN = "◊"
"""Drawn for each letter that no font has."""
ELLIPSIS = "…"
MAX_ACCENTS = 4
"""How many accents a letter of another script keeps: syllables have some, "Zalgo" text has more."""
VARIATION_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))
"""Characters that choose how the emoji before them looks, as a table that removes them."""
NO_CHARACTER = "\U0010ffff"
"""A code point that no font has a glyph for."""
MEASURING_SCALE = 4
"""Texts are measured this much larger than shown, which is how they are drawn."""
MIN_LETTERS_AFTER_HYPHEN = 3

# Lengths as shares of the size of a font.
CAP_HEIGHT = 0.66
"""Height of a capital or a digit."""
ABOVE_BASELINE = 0.95
BELOW_BASELINE = 0.35
LINE_HEIGHT = 0.95
"""From one line of a text to the next."""
TWO_LINE_SIZE = 0.8
"""The size of two lines that take the place of one."""
LABEL_MARGIN = 2
"""Pixels around a label, for letters that reach beyond their measured width."""


class Face(StrEnum):
    """The fonts in use, by the names of their files."""

    LABEL = "SourceSansPro-Semibold"
    CODE = "SourceSansPro-Bold"
    STRONG = "SourceSansPro-Black"
    TITLE = "SourceSerifPro-Black"


WEIGHTS = {Face.LABEL: 600, Face.CODE: 700, Face.STRONG: 900, Face.TITLE: 900}
"""How bold the faces are, so that other scripts can be drawn as bold."""

FONT_FOLDERS = tuple(
    Path(str(files(package))) / "files"
    for package in ("font_source_sans_pro", "font_source_serif_pro")
)


# A text is measured many times in a picture, and names, labels and numbers come back in the next
# one. Opening a font takes 0.1 ms, measuring a text 0.03 ms, finding out whether it has a glyph
# 0.15 ms: too much for a picture that is put together in 7 ms. Hence the caches in this module;
# they hold what some dozens of matches show.
@lru_cache(256)
def font(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """Open a font of that many pixels."""
    paths = (folder / f"{face}.ttf" for folder in FONT_FOLDERS)
    return ImageFont.truetype(next(path for path in paths if path.exists()), pixels)


@lru_cache(4096)
def text_width(text: str, face: Face, size: int) -> int:
    """Return how wide a text is, rounded up."""
    fine_size = size * MEASURING_SCALE
    measure = font(face, fine_size).getlength
    if is_plain(text):
        fine_width = measure(text)
    else:
        fine_width = scripts.width(text, WEIGHTS[face], fine_size, measure)
    # -(-a // b) rounds up.
    return -int(-fine_width // MEASURING_SCALE)


@lru_cache(4096)
def is_plain(text: str) -> bool:
    """Return whether Source Sans has all characters of a text."""
    return text.isascii() or all(has_glyph(char) for char in text)


@lru_cache(1024)
def has_glyph(char: str, face: Face = Face.STRONG) -> bool:
    """Return whether a face can draw a character."""
    if char == " ":
        return True
    probe = font(face, 20)
    if _is_accent(char):
        # An accent alone would be drawn on a dotted circle. Behind a letter it adds no width,
        # unless it is missing.
        return probe.getlength(f"a{char}") == probe.getlength("a")
    mask = probe.getmask(char)
    # All missing characters are drawn as the same box.
    box = probe.getmask(NO_CHARACTER)
    is_missing = (mask.size, bytes(mask)) == (box.size, bytes(box))
    return mask.getbbox() is not None and not is_missing


def _is_accent(char: str) -> bool:
    """Return whether a character is a combining mark."""
    return unicodedata.category(char)[0] == "M"


@lru_cache(1024)
def to_drawable(text: str) -> str:
    """Return what can be drawn of a text.

    Letters that no font has become look-alikes or lozenges. Symbols and emoji that nothing can draw
    are left out, and so are towers of accents.
    """
    drawn = ""
    normalized = unicodedata.normalize("NFC", " ".join(text.split()))
    for cluster in scripts.clusters(normalized):
        if emoji_at(cluster, 0):
            drawn += cluster
        elif not is_plain(cluster) and scripts.knows(cluster[0]):
            drawn += cluster[: 1 + MAX_ACCENTS]
        else:
            drawn += _to_plain(cluster)
    return " ".join(drawn.split())


def _to_plain(cluster: str) -> str:
    """Return what Source Sans can draw of a letter with its accents."""
    plain = ""
    for char in cluster.translate(VARIATION_SELECTORS):
        has_accent_or_nothing = not plain or _is_accent(plain[-1])
        if _is_accent(char) and has_accent_or_nothing:
            # One accent per letter: several would be a tower.
            continue
        look_alike = char if has_glyph(char) else unicodedata.normalize("NFKC", char)
        if all(has_glyph(part) for part in look_alike):
            plain += look_alike
        elif unicodedata.category(char)[0] not in "MCS":
            # Accents, control characters and symbols that cannot be drawn are left out.
            plain += STAND_IN
    return plain


def drawable_name(name: str, instead: str) -> str:
    """Return what can be drawn of a player's name, or `instead` if nothing can."""
    shown = to_drawable(name)
    return shown if shown.strip(f"{STAND_IN} ") else instead


def read_left_to_right(text: str) -> str:
    """Mark one of our sentences to run from left to right.

    It might begin with a name whose script runs from right to left.
    """
    return text if is_plain(text) else scripts.LEFT_TO_RIGHT + text


@lru_cache(2048)
def fit_text(
    text: str,
    face: Face,
    size: int,
    least: int,
    room: int,
) -> tuple[str, int]:
    """Return a text and a size that fit a width: first shrunk to `least`, then cut."""
    while size > least and text_width(text, face, size) > room:
        size -= 1
    shown = text
    while shown and text_width(shown, face, size) > room:
        if is_plain(text):
            text = text[:-1].rstrip()
        else:
            *whole_clusters, _ = scripts.clusters(text)
            text = "".join(whole_clusters).rstrip()
        shown = text + ELLIPSIS if text else ""
    return shown, size


@lru_cache(1024)
def break_in_two(text: str, face: Face, size: int, room: int) -> tuple[str, ...]:
    """Break a text that is too wide into two lines, of which the first fits.

    It is broken between words, else within the first word. A word whose letters join, such as an
    Arabic one, is never broken: then the text stays one line.
    """
    if text_width(text, face, size) <= room:
        return (text,)
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        first = " ".join(words[:count])
        if text_width(first, face, size) <= room:
            return first, " ".join(words[count:])
    letters = list(scripts.clusters(words[0]))
    if is_plain(words[0]):
        hyphen, min_letters_left = "-", MIN_LETTERS_AFTER_HYPHEN
    elif all(_may_end_line(letter) for letter in letters):
        hyphen, min_letters_left = "", 1
    else:
        return (text,)
    for count in range(len(letters) - min_letters_left, 1, -1):
        first = "".join(letters[:count])
        if text_width(first + hyphen, face, size) <= room:
            return first + hyphen, text[len(first) :]
    return (text,)


def _may_end_line(letter: str) -> bool:
    """Return whether a line may end after a letter: Chinese, Japanese, Korean, or an emoji."""
    return unicodedata.east_asian_width(letter[0]) in "WF" or bool(emoji_at(letter, 0))


def wrap_text(text: str, face: Face, size: int, room: int) -> list[str]:
    """Break a text between words into as many lines as it needs to fit a width.

    A word that is wider than that stands alone on its line.
    """
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", face, size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@lru_cache(1024)
def fit_words(
    text: str, face: Face, size: int, least: int, room: int
) -> tuple[tuple[str, ...], int]:
    """Return lines and a size in which one of our own texts fits a width; it is never cut.

    It shrinks to `least`, then breaks into two smaller lines, then shrinks as far as it must:
    another language may need much more room than English. Names are cut instead, by `fit_text`.
    """
    while size > least and text_width(text, face, size) > room:
        size -= 1
    lines: tuple[str, ...] = (text,)
    words = text.split()
    if text_width(text, face, size) > room and len(words) > 1:
        size = min(size, round(least * TWO_LINE_SIZE))
        counts = range(1, len(words))
        breaks = [(" ".join(words[:count]), " ".join(words[count:])) for count in counts]
        lines = min(breaks, key=lambda two: max(text_width(line, face, size) for line in two))
    while size > 1 and any(text_width(line, face, size) > room for line in lines):
        size -= 1
    return lines, size


@cached(4096)
def label(
    text: str,
    face: Face,
    size: int,
    colour: Colour,
    align: str = "m",
    halo: Colour | None = None,
    rim: float = 0,
) -> Sprite:
    """Return a text as a sprite, with a halo `rim` pixels wide if a colour for one is given.

    Its anchor is half-way up its capitals, at its left ('l'), middle ('m') or right ('r').
    """
    fine = current_mode().fine
    plain = is_plain(text)
    margin = LABEL_MARGIN + round(rim)
    inner_width = text_width(text, face, size)
    width = inner_width + 2 * margin
    width += width % 2  # even, so that its middle is a whole pixel
    above = round(size * (ABOVE_BASELINE if plain else scripts.ABOVE)) + margin
    below = round(size * (BELOW_BASELINE if plain else scripts.BELOW)) + margin
    fine_size = (width * fine, (above + below) * fine)
    fine_font = font(face, size * fine)
    fine_rim = round(rim * fine)
    start = {"l": margin, "m": width / 2, "r": width - margin}[align]
    anchor = (round(start), above - round(size * CAP_HEIGHT / 2))
    if not plain:
        # Transparent, but in the colour of the edge, so that scaling down mixes in no other colour.
        image = Image.new("RGBA", fine_size, (*(halo or colour), 0))
        left = start - {"l": 0, "m": inner_width / 2, "r": inner_width}[align]
        stroke = 0 if halo is None else fine_rim
        pen = scripts.Pen(image, left * fine, above * fine, colour, halo, stroke)
        scripts.write(pen, text, WEIGHTS[face], size * fine, fine_font)
        return finish_sprite(image, anchor)

    def mask_letters(stroke: int) -> Image.Image:
        area = Image.new("L", fine_size)
        position = (start * fine, above * fine)
        baseline_anchor = f"{align}s"
        ImageDraw.Draw(area).text(
            position,
            text,
            OPAQUE,
            fine_font,
            baseline_anchor,
            stroke_width=stroke,
            stroke_fill=OPAQUE,
        )
        return scale_down(area)

    # Masks of flat colours: drawing in colour took twice as long.
    letters = mask_letters(0)
    if halo is None:
        return Sprite(Image.new("RGB", letters.size, colour), letters, anchor)
    image = Image.new("RGB", letters.size, halo)
    image.paste(colour, (0, 0, *letters.size), letters)
    return Sprite(image, mask_letters(fine_rim), anchor)


class Written(Struct, frozen=True):
    """A text that was written, and where."""

    text: str
    canvas: Canvas
    box: Box
    """The rectangle that is as wide as the text and as high as its capitals."""
    ink: Colour
    ground: Colour
    """The colour that there was most of below it."""


_written: ContextVar[list[Written] | None] = ContextVar("written", default=None)


@contextmanager
def record_texts() -> Iterator[list[Written]]:
    """Record every text written inside a `with` block, for tests of whether all of it fits."""
    texts: list[Written] = []
    token = _written.set(texts)
    try:
        yield texts
    finally:
        _written.reset(token)


def write(
    canvas: Canvas,
    x: int,
    y: int,
    text: str,
    face: Face,
    size: int,
    colour: Colour,
    align: str = "l",
) -> int:
    """Write a text on a canvas, aligned as in `label`; return how wide it is."""
    width = text_width(text, face, size)
    if not text:
        return width
    texts = _written.get()
    if texts is not None:
        cap_height = round(size * CAP_HEIGHT)
        left = x - {"l": 0, "m": width // 2, "r": width}[align]
        top = y - cap_height // 2
        box = (left, top, left + width, top + cap_height)
        texts.append(Written(text, canvas, box, colour, canvas.main_colour(box)))
    canvas.put(label(text, face, size, colour, align), x, y, f"text:{text}")
    return width


def write_words(
    canvas: Canvas,
    x: int,
    y: int,
    text: str,
    face: Face,
    sizes: tuple[int, int],
    room: int,
    colour: Colour,
    align: str = "l",
) -> int:
    """Write one of our own texts so that it fits a width; return how wide it is.

    It is written around the middle line `y`, on two lines if need be. `sizes` are the usual size
    and the smallest one at which it stays on one line.
    """
    lines, size = fit_words(text, face, *sizes, room)
    for row, line in enumerate(lines):
        from_middle = row - (len(lines) - 1) / 2
        line_y = y + round(from_middle * size * LINE_HEIGHT)
        write(canvas, x, line_y, line, face, size, colour, align)
    return max(text_width(line, face, size) for line in lines)
