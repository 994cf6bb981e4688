"""Pictures drawn in other ways, with which the fast way is compared.

`naive_png` is the obvious pipeline: draw everything from scratch at twice the size, blur shadows
each time, reduce it, and write an RGB PNG at level 6. `lossless` draws at four times the size and
reduces without a palette: `psnr` compares the sent picture with it.
"""

import io
import math

from PIL import Image, ImageChops, ImageStat

from engine import View
from render import Scene, draw
from render.canvas import Mode, use_mode

NAIVE = Mode(zoom=2, fine=2, cut=2, keep=False)
LOSSLESS = Mode(zoom=4, fine=4, cut=4, keep=False)


def naive_png(view: View, scene: Scene) -> bytes:
    """Draw a picture as a PNG without any cache."""
    with use_mode(NAIVE):
        image = draw(view, scene).reduce(NAIVE.zoom)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def lossless(view: View, scene: Scene) -> Image.Image:
    """Draw a picture at four times its size and reduce it, in full colour."""
    with use_mode(LOSSLESS):
        return draw(view, scene).reduce(LOSSLESS.zoom)


def psnr(first: Image.Image, second: Image.Image) -> float:
    """Return the similarity of two pictures in decibels; infinite for equal ones."""
    difference = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
    error = sum(ImageStat.Stat(difference).sum2) / (3 * first.width * first.height)
    return math.inf if not error else 10 * math.log10(255**2 / error)
