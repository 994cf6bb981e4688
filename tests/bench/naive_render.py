"""The pictures of render drawn in the ways that the quick one is measured against.

`naive_png` is the obvious pipeline: everything anew at twice the size, shadows blurred each time,
reduced, and written as an RGB PNG at level 6. `lossless` is the same picture drawn at four times
the size and reduced, without a palette: what `psnr` compares the sent picture with.
"""

import io
import math

from PIL import Image, ImageChops, ImageStat

from engine import View
from render import Scene, draw
from render.canvas import Mode, drawing

NAIVE = Mode(zoom=2, fine=2, cut=2, keep=False)
LOSSLESS = Mode(zoom=4, fine=4, cut=4, keep=False)


def naive_png(view: View, scene: Scene) -> bytes:
    """The picture as a PNG, nothing kept from one call to the next."""
    with drawing(NAIVE):
        image = draw(view, scene).reduce(NAIVE.zoom)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def lossless(view: View, scene: Scene) -> Image.Image:
    """The picture drawn at four times the size and reduced, in full colour."""
    with drawing(LOSSLESS):
        return draw(view, scene).reduce(LOSSLESS.zoom)


def psnr(first: Image.Image, second: Image.Image) -> float:
    """How alike two pictures are, in decibels; infinite for equal ones."""
    difference = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
    error = sum(ImageStat.Stat(difference).sum2) / (3 * first.width * first.height)
    return math.inf if not error else 10 * math.log10(255**2 / error)
