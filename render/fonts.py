"""Text: Source Sans for everything that is read, Source Serif for titles; both speak Māori and Hawaiian."""

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

from render.canvas import Box, Canvas, Sprite, finished, kept, mode
from render.palette import Colour

STAND_IN = "◊"
"""Drawn for each character that the fonts do not have."""
ELLIPSIS = "…"
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


FOLDERS = tuple(Path(str(files(package))) / "files" for package in ("font_source_sans_pro", "font_source_serif_pro"))


@lru_cache(256)
def font(face: Face, pixels: int) -> ImageFont.FreeTypeFont:
    """A font of that many pixels."""
    path = next(folder / f"{face}.ttf" for folder in FOLDERS if (folder / f"{face}.ttf").exists())
    return ImageFont.truetype(path, pixels)


@lru_cache(4096)
def width(text: str, face: Face, size: int) -> int:
    """How many pixels a text takes across, rounded up."""
    return -int(-font(face, size * 4).getlength(text) // 4)


@lru_cache(1024)
def has_glyph(char: str, face: Face = Face.STRONG) -> bool:
    """Whether the face can draw a character."""
    if char == " ":
        return True
    probe = font(face, 20)
    if _is_mark(char):
        # Alone it would be drawn on a circle, with a letter one that is missing takes room of its own.
        return probe.getlength(f"a{char}") == probe.getlength("a")
    mask, missing = probe.getmask(char), probe.getmask("\U0010ffff")
    return mask.getbbox() is not None and (mask.size, bytes(mask)) != (missing.size, bytes(missing))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


@lru_cache(1024)
def drawable(text: str) -> str:
    """A text that can be drawn: look-alikes first, a lozenge for each other letter, no emoji, no towers of accents."""
    drawn: list[str] = []
    for char in unicodedata.normalize("NFC", " ".join(text.split())).translate(VARIANTS):
        if _is_mark(char) and (not drawn or _is_mark(drawn[-1][-1:] or " ")):
            continue
        plain = char if has_glyph(char) else unicodedata.normalize("NFKC", char)
        if all(has_glyph(part) for part in plain):
            drawn.append(plain)
        elif unicodedata.category(char)[0] not in "MCS":
            drawn.append(STAND_IN)
    return " ".join("".join(drawn).split())


def name_of(name: str, instead: str) -> str:
    """A player's name as it can be drawn, or another word if none of it can."""
    shown = drawable(name)
    return shown if shown.strip(f"{STAND_IN} ") else instead


@lru_cache(2048)
def fitted(text: str, face: Face, size: int, least: int, room: int) -> tuple[str, int]:
    """The text and size that fit a width: shrunk first, then cut with an ellipsis."""
    while size > least and width(text, face, size) > room:
        size -= 1
    shown = text
    while shown and width(shown, face, size) > room:
        text = text[:-1].rstrip()
        shown = text + ELLIPSIS if text else ""
    return shown, size


@kept(4096)
def label(
    text: str, face: Face, size: int, colour: Colour, align: str = "m", halo: Colour | None = None, rim: float = 0
) -> Sprite:
    """A text as a sprite, put by the middle of its capitals and by its left ('l'), middle ('m') or right ('r')."""
    fine = mode().fine
    pad = 2 + round(rim)
    across = width(text, face, size) + 2 * pad
    across += across % 2
    up, down = round(size * 0.95) + pad, round(size * 0.35) + pad
    image = Image.new("RGBA", (across * fine, (up + down) * fine), (*(halo or colour), 0))
    start = {"l": pad, "m": across / 2, "r": across - pad}[align]
    pen, cut = ImageDraw.Draw(image), font(face, size * fine)
    spot = (start * fine, up * fine)
    if halo is not None:
        stroke = round(rim * fine)
        pen.text(spot, text, font=cut, fill=halo, anchor=f"{align}s", stroke_width=stroke, stroke_fill=halo)
    pen.text(spot, text, font=cut, fill=colour, anchor=f"{align}s")
    middle = up - round(size * CAP_HEIGHT / 2)
    return finished(image, (round(start), middle))


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


def write(canvas: Canvas, x: int, y: int, text: str, face: Face, size: int, colour: Colour, align: str = "l") -> int:
    """Write a text on a canvas; says how many pixels it took across."""
    across = width(text, face, size)
    if text:
        canvas.put(label(text, face, size, colour, align), x, y)
    if text and (texts := _written.get()) is not None:
        high, left = round(size * CAP_HEIGHT), x - {"l": 0, "m": across // 2, "r": across}[align]
        texts.append(Written(text, canvas, (left, y - high // 2, left + across, y + high - high // 2)))
    return across
