"""Where a mark finds room: beside what is read, not on it."""

from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops

from render.canvas import Sprite, mode

HARDLY = 8
"""So many pixels that a mark covers of something are not missed."""
LETTERS = 20
"""How much worse it is to cover what is read."""


class Room:
    """The area of a picture that is taken by what must be seen."""

    def __init__(self, width: int, height: int) -> None:
        self.area = Image.new("L", (width, height))
        self.letters = Image.new("L", (width, height))
        """The part of it where something is read: a picture is known by half of it, a number is
        not.
        """

    def take(self, sprite: Sprite, x: int, y: int, is_read: bool = False) -> None:
        """Something lies there now."""
        for area in (self.area, self.letters) if is_read else (self.area,):
            area.paste(255, (x - sprite.at[0], y - sprite.at[1]), _shape(sprite))

    def covered(self, sprite: Sprite, x: int, y: int) -> int:
        """How many pixels a sprite would cover; what would lie outside the picture counts too."""
        shape = _shape(sprite)
        left, top = x - sprite.at[0], y - sprite.at[1]
        right, bottom = left + shape.width, top + shape.height
        under = self.area.crop((left, top, right, bottom))
        if left < 0 or top < 0 or right > self.area.width or bottom > self.area.height:
            outside = Image.new("L", under.size, 255)
            outside.paste(0, (-left, -top, self.area.width - left, self.area.height - top))
            under = ImageChops.lighter(under, outside)
        read = self.letters.crop((left, top, right, bottom))
        return _shared(shape, under) + LETTERS * _shared(shape, read)

    def behind(self, sprite: Sprite, x: int, y: int) -> Sprite:
        """A sprite as it is seen if it passes behind all that lies there."""
        left, top = x - sprite.at[0], y - sprite.at[1]
        zoom = mode().zoom
        across, high = sprite.mask.width // zoom, sprite.mask.height // zoom
        taken = self.area.crop((left, top, left + across, top + high)).resize(sprite.mask.size)
        return Sprite(sprite.image, ImageChops.subtract(sprite.mask, taken), sprite.at)

    def best(
        self, sprite: Sprite, spots: Iterable[tuple[int, int]], most: int = HARDLY
    ) -> tuple[int, int]:
        """The first of some places at which a sprite covers at most so much, else where it
        covers least.
        """
        least, best = 1 << 30, (0, 0)
        for spot in spots:
            hides = self.covered(sprite, *spot)
            if hides <= most:
                return spot
            if hides < least:
                least, best = hides, spot
        return best

    def fitting(
        self, sprites: Iterable[Sprite], spots: Sequence[tuple[int, int]], most: int
    ) -> tuple[Sprite, tuple[int, int]]:
        """The first of some sprites that covers at most so much in its best place, else the
        last; and that place.
        """
        for sprite in sprites:
            at = self.best(sprite, spots)
            if self.covered(sprite, *at) <= most:
                break
        return sprite, at


def _shape(sprite: Sprite) -> Image.Image:
    """The area that a sprite covers, in pixels of the finished picture."""
    return sprite.mask if mode().zoom == 1 else sprite.mask.reduce(mode().zoom)


def _shared(first: Image.Image, second: Image.Image) -> int:
    """The pixels that two areas share, those on soft edges apart."""
    return sum(ImageChops.multiply(first, second).histogram()[128:])
