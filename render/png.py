"""Palette pictures as PNG files: one trained palette a game."""

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image

from render.palette import Colour, rgb

DATA = Path(__file__).parent / "data"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3
"""The PNG colour type of numbers into a palette."""
LEVEL = 6
ROUNDING = 2
"""Pillow looks colours up in steps of four, rounded down: lowering the palette by half a step evens that out."""


def encode(image: Image.Image, name: str) -> bytes:
    """A picture as a PNG in the palette of that name.

    Pillow's own writer holds the interpreter's lock while it deflates, and with it whoever waits for an answer;
    `zlib.compress` lets it go.
    """
    coded = indexed(image, name)
    # A 0 before each row says that it is not filtered: neighbours in a palette are no neighbours.
    rows = Image.new("P", (coded.width + 1, coded.height))
    rows.paste(coded, (1, 0))
    chunks = (
        (b"IHDR", struct.pack(">2I5B", *coded.size, 8, INDEXED, 0, 0, 0)),
        (b"PLTE", bytes(coded.getpalette() or ())),
        (b"IDAT", zlib.compress(rows.tobytes(), LEVEL)),
        (b"IEND", b""),
    )
    file = SIGNATURE
    for kind, data in chunks:
        file += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return file


def indexed(image: Image.Image, name: str) -> Image.Image:
    """A picture in the palette of that name; in one of its own, which takes longer, if none was trained."""
    if image.mode == "P":
        return image
    colours = colours_of(name)
    return lookup(image, colours) if colours else image.quantize(256, dither=Image.Dither.NONE)


def lookup(image: Image.Image, colours: Sequence[Colour]) -> Image.Image:
    """A picture in these colours."""
    flat = [value for colour in colours for value in colour]
    lowered = Image.new("P", (1, 1))
    lowered.putpalette([max(0, value - ROUNDING) for value in flat])
    result = image.quantize(palette=lowered, dither=Image.Dither.NONE)
    result.putpalette(flat)
    return result


@cache
def colours_of(name: str) -> tuple[Colour, ...]:
    """The trained palette of that name, none if there is none."""
    path = DATA / f"{name}.palette"
    return tuple(rgb(line) for line in path.read_text(encoding="ascii").split()) if path.exists() else ()
