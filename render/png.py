"""Palette pictures as PNG files: one trained palette a game.

A byte a pixel instead of three makes a file of 230 KB out of 770, and quicker: 17 ms instead of
110. Choosing the best 256 colours for each picture would take 165 ms, so they are chosen once for
each game (render.train) and looked up here, in 5 ms.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image
from zlib_ng import zlib_ng

from render.palette import Colour, rgb

DATA = Path(__file__).parent / "data"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3
"""The PNG colour type of numbers into a palette."""
LEVEL = 6
"""How hard zlib-ng tries: almost as small as zlib's 6, in half the time."""
ROUNDING = 2
"""Pillow looks colours up in steps of four, rounded down: lowering the palette by half a step
evens that out.
"""


def encode(image: Image.Image, name: str, level: int = LEVEL) -> bytes:
    """A picture as a PNG in the palette of that name.

    Pillow's own writer holds the interpreter's lock while it compresses, so answers would have to
    wait; zlib-ng releases it.
    """
    coded = indexed(image, name)
    # A 0 before each row says that it is not filtered: neighbours in a palette are no neighbours.
    rows = Image.new("P", (coded.width + 1, coded.height))
    rows.paste(coded, (1, 0))
    bits = 8
    deflate, plain_filters, not_interlaced = 0, 0, 0
    header = struct.pack(
        ">2I5B", *coded.size, bits, INDEXED, deflate, plain_filters, not_interlaced
    )
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(coded.getpalette() or ())),
        (b"IDAT", zlib_ng.compress(rows.tobytes(), level)),
        (b"IEND", b""),
    )
    file = SIGNATURE
    for kind, data in chunks:
        length = struct.pack(">I", len(data))
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        file += length + kind + data + checksum
    return file


def indexed(image: Image.Image, name: str) -> Image.Image:
    """A picture in the palette of that name; in one of its own, which takes longer, if none was
    trained.
    """
    if image.mode == "P":
        return image
    if colours := colours_of(name):
        return lookup(image, colours)
    return image.quantize(256, dither=Image.Dither.NONE)


def lookup(image: Image.Image, colours: Sequence[Colour]) -> Image.Image:
    """A picture in these colours."""
    flat = [value for colour in colours for value in colour]
    lowered = Image.new("P", (1, 1))
    lowered.putpalette([max(0, value - ROUNDING) for value in flat])
    # Dither would bring noise into areas of one colour, which deflate well as they are.
    result = image.quantize(palette=lowered, dither=Image.Dither.NONE)
    # The numbers found with the lowered palette stand for the colours of the real one.
    result.putpalette(flat)
    return result


@cache
def colours_of(name: str) -> tuple[Colour, ...]:
    """The trained palette of that name, none if there is none."""
    path = DATA / f"{name}.palette"
    if not path.exists():
        return ()
    return tuple(rgb(line) for line in path.read_text(encoding="ascii").split())
