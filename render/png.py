"""PNG files with one byte per pixel, in a palette that was trained for each game.

Compared with three bytes per pixel a file has 230 KB instead of 770 and takes 17 ms instead of 110.
Choosing the best 256 colours for each picture would take 165 ms, so they are chosen once for each
game (render.train) and looked up here, in 5 ms.
"""

import struct
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image
from zlib_ng import zlib_ng

from render.palette import Colour, rgb

DATA = Path(__file__).parent / "data"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED_COLOUR = 3
"""The PNG colour type for pixels that are indices into a palette."""
BITS_PER_PIXEL = 8
DEFLATE, STANDARD_FILTERS, NOT_INTERLACED = 0, 0, 0
"""Values of the PNG header."""
COMPRESSION = 5
"""zlib-ng's level: files are almost as small as with zlib's level 6, in a third of the time."""
HEAVY_BYTES = 248 * 1024
HEAVY_COMPRESSION = 9
"""Crowded boards get 4 % smaller in 20 ms more, so that hardly any file has over 250 KiB."""
PALETTE_COLOURS = 256
HALF_LOOKUP_STEP = 2
"""Pillow looks colours up in steps of four, rounded down; half a step evens that out."""


def encode(image: Image.Image, name: str, level: int = COMPRESSION) -> bytes:
    """Encode a picture as a PNG in the palette of that name.

    Pillow's own writer holds the interpreter's lock while it compresses, so that replies to players
    would have to wait; zlib-ng releases it.
    """
    indexed = to_palette(image, name)
    # A 0 before each row says that it is not filtered: filters predict a pixel from its neighbours,
    # which makes no sense for palette indices.
    rows = Image.new("P", (indexed.width + 1, indexed.height))
    rows.paste(indexed, (1, 0))
    header = struct.pack(
        ">2I5B",
        *indexed.size,
        BITS_PER_PIXEL,
        INDEXED_COLOUR,
        DEFLATE,
        STANDARD_FILTERS,
        NOT_INTERLACED,
    )
    pixels = zlib_ng.compress(rows.tobytes(), level)
    if len(pixels) > HEAVY_BYTES:
        pixels = zlib_ng.compress(rows.tobytes(), HEAVY_COMPRESSION)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(indexed.getpalette() or ())),
        (b"IDAT", pixels),
        (b"IEND", b""),
    )
    file = SIGNATURE
    for kind, data in chunks:
        length = struct.pack(">I", len(data))
        checksum = struct.pack(">I", zlib_ng.crc32(data, zlib_ng.crc32(kind)))
        file += length + kind + data + checksum
    return file


def to_palette(image: Image.Image, name: str) -> Image.Image:
    """Convert a picture to the palette of that name.

    Without a trained palette it gets its own, which takes longer.
    """
    if image.mode == "P":
        return image
    if colours := load_palette(name):
        return map_to_palette(image, colours)
    return image.quantize(PALETTE_COLOURS, dither=Image.Dither.NONE)


def map_to_palette(image: Image.Image, colours: tuple[Colour, ...]) -> Image.Image:
    """Convert a picture to these colours."""
    # Dithering would add noise to areas of one colour, which compress well as they are.
    result = image.quantize(palette=_lookup_of(colours), dither=Image.Dither.NONE)
    # The indices found with the lowered palette are those of the real one.
    result.putpalette([value for colour in colours for value in colour])
    return result


# Pillow keeps what it has looked up with the palette: the next picture takes half the time.
@lru_cache(8)
def _lookup_of(colours: tuple[Colour, ...]) -> Image.Image:
    """Return an image whose palette finds the nearest of these colours."""
    lookup = Image.new("P", (1, 1))
    lookup.putpalette([max(0, value - HALF_LOOKUP_STEP) for colour in colours for value in colour])
    # Drawing threads share it: so the first of them makes room for what is looked up.
    Image.new("RGB", (1, 1)).quantize(palette=lookup, dither=Image.Dither.NONE)
    return lookup


@cache
def load_palette(name: str) -> tuple[Colour, ...]:
    """Load the trained palette of that name; without one, return no colours."""
    path = DATA / f"{name}.palette"
    if not path.exists():
        return ()
    return tuple(rgb(line) for line in path.read_text(encoding="ascii").split())
