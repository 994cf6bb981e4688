"""Where a mark fits into a picture without covering what is read.

A picture is recognised even if half of it is covered; a number or a code is not. So covering text
counts many times as much as covering anything else.
"""

from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops

from render.canvas import OPAQUE, Sprite, current_mode

NEGLIGIBLE_PIXELS = 8
"""A mark may cover this many pixels of something without harm."""
TEXT_PENALTY = 20
"""How many times worse it is to cover a pixel of a text."""
HALF_COVERED = 128
"""Masks from this value on count as covering a pixel."""


class FreeSpace:
    """Keeps track of which pixels of a picture are taken; sizes are in pixels."""

    def __init__(self, width: int, height: int) -> None:
        self.taken = Image.new("L", (width, height))
        self.text = Image.new("L", (width, height))
        """The part of `taken` where something is read."""

    def occupy(self, sprite: Sprite, x: int, y: int, is_read: bool = False) -> None:
        """Mark the area of a sprite as taken; `is_read` if it is a text."""
        corner = (x - sprite.anchor[0], y - sprite.anchor[1])
        shape = _unzoomed_mask(sprite)
        self.taken.paste(OPAQUE, corner, shape)
        if is_read:
            self.text.paste(OPAQUE, corner, shape)

    def count_covered(self, sprite: Sprite, x: int, y: int) -> int:
        """Count the taken pixels that a sprite would cover, and those outside the picture.

        Pixels of texts count TEXT_PENALTY times more.
        """
        shape = _unzoomed_mask(sprite)
        left, top = x - sprite.anchor[0], y - sprite.anchor[1]
        right, bottom = left + shape.width, top + shape.height
        width, height = self.taken.size
        taken = self.taken.crop((left, top, right, bottom))
        if left < 0 or top < 0 or right > width or bottom > height:
            outside = Image.new("L", taken.size, OPAQUE)
            outside.paste(0, (-left, -top, width - left, height - top))
            taken = ImageChops.lighter(taken, outside)
        text = self.text.crop((left, top, right, bottom))
        return _count_shared(shape, taken) + TEXT_PENALTY * _count_shared(shape, text)

    def clip_behind(self, sprite: Sprite, x: int, y: int) -> Sprite:
        """Return a sprite without the parts that would lie on taken pixels."""
        left, top = x - sprite.anchor[0], y - sprite.anchor[1]
        zoom = current_mode().zoom
        right = left + sprite.mask.width // zoom
        bottom = top + sprite.mask.height // zoom
        taken = self.taken.crop((left, top, right, bottom)).resize(sprite.mask.size)
        return Sprite(sprite.image, ImageChops.subtract(sprite.mask, taken), sprite.anchor)

    def find_spot(
        self, sprite: Sprite, spots: Iterable[tuple[int, int]], most: int = NEGLIGIBLE_PIXELS
    ) -> tuple[int, int]:
        """Return the first spot at which a sprite covers at most `most` pixels.

        If there is none, return the spot at which it covers least.
        """
        best = (0, 0)
        least = None
        for spot in spots:
            covered = self.count_covered(sprite, *spot)
            if covered <= most:
                return spot
            if least is None or covered < least:
                least, best = covered, spot
        return best

    def fit_sprite(
        self, sprites: Iterable[Sprite], spots: Sequence[tuple[int, int]], most: int
    ) -> tuple[Sprite, tuple[int, int]]:
        """Return the first sprite covering at most `most` pixels, else the last; and its spot."""
        for sprite in sprites:
            spot = self.find_spot(sprite, spots)
            if self.count_covered(sprite, *spot) <= most:
                break
        return sprite, spot


def _unzoomed_mask(sprite: Sprite) -> Image.Image:
    """Return the mask of a sprite in pixels of the finished picture."""
    zoom = current_mode().zoom
    return sprite.mask if zoom == 1 else sprite.mask.reduce(zoom)


def _count_shared(first: Image.Image, second: Image.Image) -> int:
    """Count the pixels that two areas share, leaving out soft edges."""
    return sum(ImageChops.multiply(first, second).histogram()[HALF_COVERED:])
