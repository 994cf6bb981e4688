"""Palette pictures as PNG files: one trained palette a game, the newest files kept."""

import io
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from engine import View
from render.palette import Colour, rgb

DATA = Path(__file__).parent / "data"
SHARED = "sheet"
"""The palette of pictures that have none of their own."""
LEVEL = 6
ROUNDING = 2
"""Pillow looks colours up in steps of four, rounded down: lowering the palette by half a step evens that out."""
KEPT = 48

_files: OrderedDict[Any, bytes] = OrderedDict()
_lock = threading.Lock()


def encoded(drawing: Callable[[Any, Any], Image.Image | None], view: View, scene: Any) -> bytes | None:
    """What a drawing function makes of a view, as a PNG; kept for the next who asks."""
    key = (drawing, view, scene)
    with _lock:
        if key in _files:
            _files.move_to_end(key)
            return _files[key]
    image = drawing(view, scene)
    if image is None:
        return None
    data = encode(image, view.game)
    with _lock:
        _files[key] = data
        if len(_files) > KEPT:
            _files.popitem(last=False)
    return data


def encode(image: Image.Image, game: str) -> bytes:
    """A picture as a PNG in the palette of its game."""
    out = io.BytesIO()
    indexed(image, game).save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


def indexed(image: Image.Image, game: str) -> Image.Image:
    """A picture in the palette of its game."""
    return image if image.mode == "P" else lookup(image, colours_of(game))


def lookup(image: Image.Image, colours: Sequence[Colour]) -> Image.Image:
    """A picture in these colours."""
    flat, lowered = _palette(tuple(colours))
    result = image.quantize(palette=lowered, dither=Image.Dither.NONE)
    result.putpalette(flat)
    return result


@cache
def colours_of(game: str) -> tuple[Colour, ...]:
    """The trained palette of a game, or the shared one."""
    path = DATA / f"{game}.palette"
    if not path.exists():
        path = DATA / f"{SHARED}.palette"
    return tuple(rgb(line) for line in path.read_text(encoding="ascii").split())


@lru_cache(8)
def _palette(colours: tuple[Colour, ...]) -> tuple[list[int], Image.Image]:
    flat = [value for colour in colours for value in colour]
    lowered = Image.new("P", (1, 1))
    lowered.putpalette([max(0, value - ROUNDING) for value in flat])
    return flat, lowered
