"""Palette pictures as PNG files: one trained palette a game, the newest files kept."""

import struct
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from engine import View
from render.palette import Colour, rgb

DATA = Path(__file__).parent / "data"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3
"""The PNG colour type of numbers into a palette."""
LEVEL = 6
ROUNDING = 2
"""Pillow looks colours up in steps of four, rounded down: lowering the palette by half a step evens that out."""
KEPT = 48

_files: OrderedDict[Any, bytes] = OrderedDict()
_lock = threading.Lock()


def encoded(drawing: Callable[[Any, Any], Image.Image | None], view: View, scene: Any) -> bytes | None:
    """What a drawing function makes of a view, as a PNG; kept for the next who asks."""
    key = (drawing, view, scene)
    try:
        hash(key)
    except TypeError:
        return _drawn(*key)
    with _lock:
        if key in _files:
            _files.move_to_end(key)
            return _files[key]
    data = _drawn(*key)
    if data is not None:
        with _lock:
            _files[key] = data
            if len(_files) > KEPT:
                _files.popitem(last=False)
    return data


def _drawn(drawing: Callable[[Any, Any], Image.Image | None], view: View, scene: Any) -> bytes | None:
    image = drawing(view, scene)
    return None if image is None else encode(image, palette_name(drawing))


def palette_name(drawing: Callable[[Any, Any], Image.Image | None]) -> str:
    """The palette of a drawing function: that of its module in render, a game or the fallback sheet."""
    return (*drawing.__module__.split("."), "")[1]


def encode(image: Image.Image, name: str) -> bytes:
    """A picture as a PNG in the palette of that name.

    Pillow's own writer holds the interpreter's lock while it deflates, and with it whoever waits for an answer;
    `zlib.compress` lets it go.
    """
    coded = indexed(image, name)
    head = struct.pack(">2I5B", *coded.size, 8, INDEXED, 0, 0, 0)
    colours = bytes(coded.getpalette() or ())
    rows = zlib.compress(_rows(coded), LEVEL)
    parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", rows), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _rows(coded: Image.Image) -> bytes:
    """The pixels row by row, a 0 before each: no filter helps where neighbours in a palette are no neighbours."""
    rows = Image.new("P", (coded.width + 1, coded.height))
    rows.paste(coded, (1, 0))
    return rows.tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def indexed(image: Image.Image, name: str) -> Image.Image:
    """A picture in the palette of that name; in one of its own, which takes longer, if none was trained."""
    if image.mode == "P":
        return image
    colours = colours_of(name)
    return lookup(image, colours) if colours else image.quantize(256, dither=Image.Dither.NONE)


def lookup(image: Image.Image, colours: Sequence[Colour]) -> Image.Image:
    """A picture in these colours."""
    flat, lowered = _palette(tuple(colours))
    result = image.quantize(palette=lowered, dither=Image.Dither.NONE)
    result.putpalette(flat)
    return result


@cache
def colours_of(name: str) -> tuple[Colour, ...]:
    """The trained palette of that name, none if there is none."""
    path = DATA / f"{name}.palette"
    return tuple(rgb(line) for line in path.read_text(encoding="ascii").split()) if path.exists() else ()


@lru_cache(8)
def _palette(colours: tuple[Colour, ...]) -> tuple[list[int], Image.Image]:
    flat = [value for colour in colours for value in colour]
    lowered = Image.new("P", (1, 1))
    lowered.putpalette([max(0, value - ROUNDING) for value in flat])
    return flat, lowered
