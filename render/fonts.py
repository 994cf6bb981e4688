"""Text: Source Sans for everything that is read, Source Serif for titles; both speak Māori and
Hawaiian.

What they do not have, such as names in other scripts and emoji, scripts.py draws.
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
from render.canvas import Box, Canvas, Sprite, coarse, finished, kept, mode
from render.palette import Colour

STAND_IN = "◊"
"""Drawn for each character that the fonts do not have."""
ELLIPSIS = "…"
MOST_ACCENTS = 4
"""Of a letter in another script."""
VARIANTS = dict.fromkeys(range(0xFE00, 0xFE10))
"""Characters that choose how the emoji before them looks."""
CAP_HEIGHT = 0.66
"""Height of a capital or a digit, in sizes."""


class Face(StrEnum):
    """The cuts in use."""

    LABEL = "SourceSansPro-Semibold"
    CODE = "SourceSansPro-Bold"
    STRONG = "SourceSansPro-Black"
    TITLE = "SourceSerifPro-Black"


WEIGHTS = {Face.LABEL: 600, Face.CODE: 700, Face.STRONG: 900, Face.TITLE: 900}
"""How bold the cuts are; other scripts are drawn as bold."""

FOLDERS = tuple(
    Path(str(files(package))) / "files"
    for package in ("font_source_sans_pro", "font_source_serif_pro")
)


# A text is measured many times in a picture, and the same names, labels and numbers come in the
# next one. Opening a font takes 0.1 ms, measuring a text 0.03 ms, telling whether it has a glyph
# 0.15 ms: a picture that is put together in 7 ms cannot afford them. Hence the caches here, of what
# some dozens of matches show.
@lru_cache(256)
def font(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """A font of that many pixels."""
    path = next(folder / f"{face}.ttf" for folder in FOLDERS if (folder / f"{face}.ttf").exists())
    return ImageFont.truetype(path, pixels)


@lru_cache(4096)
def width(text: str, face: Face, size: int) -> int:
    """How many pixels a text takes across, rounded up."""
    # Measured four times as large, since that is how text is drawn; -(-a // b) rounds up.
    plain = font(face, size * 4).getlength
    fine_width = (
        plain(text) if is_plain(text) else scripts.width(text, WEIGHTS[face], size * 4, plain)
    )
    return -int(-fine_width // 4)


@lru_cache(4096)
def is_plain(text: str) -> bool:
    """Whether Source Sans has all of a text."""
    return text.isascii() or all(has_glyph(char) for char in text)


@lru_cache(1024)
def has_glyph(char: str, face: Face = Face.STRONG) -> bool:
    """Whether the face can draw a character."""
    if char == " ":
        return True
    probe = font(face, 20)
    if _is_mark(char):
        # Alone it would be drawn on a circle, with a letter one that is missing takes room of its
        # own.
        return probe.getlength(f"a{char}") == probe.getlength("a")
    mask = probe.getmask(char)
    # No font has this character: what is drawn for it is drawn for every one that is missing.
    missing = probe.getmask("\U0010ffff")
    is_missing = (mask.size, bytes(mask)) == (missing.size, bytes(missing))
    return mask.getbbox() is not None and not is_missing


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


@lru_cache(1024)
def drawable(text: str) -> str:
    """A text that can be drawn: by Source Sans or another face, else look-alikes, else a lozenge
    for each letter.

    Signs and emoji that nothing can draw are left out, and so are towers of accents.
    """
    drawn: list[str] = []
    for char in scripts.clusters(unicodedata.normalize("NFC", " ".join(text.split()))):
        if scripts.emoji_at(char, 0) or (not is_plain(char) and scripts.knows(char[0])):
            drawn.append(char if scripts.emoji_at(char, 0) else _without_tower(char))
        else:
            drawn += _drawable(char)
    return " ".join("".join(drawn).split())


def _without_tower(cluster: str) -> str:
    """A letter with a few of its accents: a syllable has some, a tower more."""
    return cluster[: 1 + MOST_ACCENTS]


def _drawable(cluster: str) -> list[str]:
    """What Source Sans can draw of a letter with its accents."""
    drawn: list[str] = []
    for char in cluster.translate(VARIANTS):
        # An accent on nothing, or a second one on a letter that has one: so are towers built.
        if _is_mark(char) and (not drawn or _is_mark(drawn[-1][-1:] or " ")):
            continue
        plain = char if has_glyph(char) else unicodedata.normalize("NFKC", char)
        # Accents, control characters and symbols (emoji among them) that cannot be drawn are left
        # out.
        is_left_out = unicodedata.category(char)[0] in "MCS"
        if all(has_glyph(part) for part in plain):
            drawn.append(plain)
        elif not is_left_out:
            drawn.append(STAND_IN)
    return drawn


def name_of(name: str, instead: str) -> str:
    """A player's name as it can be drawn, or another word if none of it can."""
    shown = drawable(name)
    return shown if shown.strip(f"{STAND_IN} ") else instead


def sentence(text: str) -> str:
    """A sentence of ours: it goes from left to right, whatever the script of a name that begins
    it.
    """
    return text if is_plain(text) else scripts.LEFT_TO_RIGHT + text


@lru_cache(2048)
def fitted(text: str, face: Face, size: int, least: int, room: int) -> tuple[str, int]:
    """The text and size that fit a width: shrunk first, then cut with an ellipsis."""
    while size > least and width(text, face, size) > room:
        size -= 1
    shown = text
    while shown and width(shown, face, size) > room:
        text = (
            text[:-1].rstrip()
            if is_plain(text)
            else "".join(list(scripts.clusters(text))[:-1]).rstrip()
        )
        shown = text + ELLIPSIS if text else ""
    return shown, size


@lru_cache(1024)
def in_lines(text: str, face: Face, size: int, room: int) -> tuple[str, ...]:
    """A text that is too wide as two, the first of which fits: broken between words, else within
    the first word.

    Words whose letters join, such as Arabic ones, are left whole: then it stays one.
    """
    if width(text, face, size) <= room:
        return (text,)
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        first = " ".join(words[:count])
        if width(first, face, size) <= room:
            return first, " ".join(words[count:])
    letters = list(scripts.clusters(words[0]))
    hyphen, left = ("-", 3) if is_plain(words[0]) else ("", 1)
    if hyphen or all(_stands_alone(letter) for letter in letters):
        for count in range(len(letters) - left, 1, -1):
            first = "".join(letters[:count])
            if width(first + hyphen, face, size) <= room:
                return first + hyphen, text[len(first) :]
    return (text,)


def _stands_alone(letter: str) -> bool:
    """Whether a line may end after it: a sign of Chinese, Japanese or Korean, or an emoji."""
    return unicodedata.east_asian_width(letter[0]) in "WF" or bool(scripts.emoji_at(letter, 0))


@kept(4096)
def label(
    text: str,
    face: Face,
    size: int,
    colour: Colour,
    align: str = "m",
    halo: Colour | None = None,
    rim: float = 0,
) -> Sprite:
    """A text as a sprite, put by the middle of its capitals and by its left ('l'), middle ('m')
    or right ('r').
    """
    fine = mode().fine
    pad = 2 + round(rim)
    across = width(text, face, size) + 2 * pad
    across += across % 2  # even, so that its middle is a whole pixel
    plain = is_plain(text)
    above_baseline = round(size * (0.95 if plain else scripts.ABOVE)) + pad
    below_baseline = round(size * (0.35 if plain else scripts.BELOW)) + pad
    fine_size = (across * fine, (above_baseline + below_baseline) * fine)
    cut = font(face, size * fine)
    start = {"l": pad, "m": across / 2, "r": across - pad}[align]
    spot = (start * fine, above_baseline * fine)
    at = (round(start), above_baseline - round(size * CAP_HEIGHT / 2))
    if not plain:
        # Nothing yet, but in the colour of the edge: where it shines through, smoothing brings no
        # other colour in.
        image = Image.new("RGBA", fine_size, (*(halo or colour), 0))
        left = {
            "l": pad,
            "m": (across - width(text, face, size)) / 2,
            "r": across - pad - width(text, face, size),
        }
        edge = round(rim * fine) if halo is not None else 0
        script_pen = scripts.Pen(image, left[align] * fine, spot[1], colour, halo, edge)
        scripts.write(script_pen, text, WEIGHTS[face], size * fine, cut)
        return finished(image, at)

    def letters(stroke: int) -> Image.Image:
        area = Image.new("L", fine_size)
        # Pillow's 's' is the baseline.
        ImageDraw.Draw(area).text(
            spot, text, 255, cut, f"{align}s", stroke_width=stroke, stroke_fill=255
        )
        return coarse(area)

    # Areas of two flat colours: drawn in colour, a text took twice as long.
    mask = letters(0)
    if halo is None:
        return Sprite(Image.new("RGB", mask.size, colour), mask, at)
    flat = Image.new("RGB", mask.size, halo)
    flat.paste(colour, (0, 0, *mask.size), mask)
    return Sprite(flat, letters(round(rim * fine)), at)


class Written(Struct, frozen=True):
    """A text that was written, and where."""

    text: str
    canvas: Canvas
    box: Box
    """Its width, and the height of its capitals."""


_written: ContextVar[list[Written] | None] = ContextVar("written", default=None)


@contextmanager
def recording() -> Iterator[list[Written]]:
    """Note every text that is written meanwhile, to see whether all of it fits."""
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
    """Write a text on a canvas; says how many pixels it took across."""
    across = width(text, face, size)
    if not text:
        return across
    canvas.put(label(text, face, size, colour, align), x, y, f"text:{text}")
    texts = _written.get()
    if texts is not None:
        high = round(size * CAP_HEIGHT)
        left = x - {"l": 0, "m": across // 2, "r": across}[align]
        top = y - high // 2
        texts.append(Written(text, canvas, (left, top, left + across, top + high)))
    return across
