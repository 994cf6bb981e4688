"""Where pictures are made: sprites drawn fine and kept, layers pasted through masks.

Everything is measured in pixels of the finished picture. A `Mode` says how much finer than that the drawing is done,
so that the same functions give the quick picture, a naive one and a lossless one to compare it with.
"""

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from render.palette import INK, Colour
from render.shapes import Outline, Point

P = ParamSpec("P")
T = TypeVar("T")
Box = tuple[int, int, int, int]


class Mode(Struct, frozen=True):
    """How fine a drawing is."""

    zoom: int = 1
    """Pixels of the result to a pixel of the finished picture."""
    fine: int = 4
    """Pixels that are drawn to a pixel of the finished picture; a multiple of zoom."""
    cut: int = 2
    """The same for the coasts of terrain, which are smooth enough without."""
    keep: bool = True
    """Whether sprites and layers are kept for the next picture."""


_mode: ContextVar[Mode] = ContextVar("mode", default=Mode())  # noqa: B039 - frozen


def mode() -> Mode:
    """The mode in force."""
    return _mode.get()


@contextmanager
def drawing(mode: Mode) -> Iterator[None]:
    """Draw in another mode for a while."""
    token = _mode.set(mode)
    try:
        yield
    finally:
        _mode.reset(token)


def kept(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results of a drawing function, the `size` newest; one thread draws while others wait for it."""

    def keeping(function: Callable[P, T]) -> Callable[P, T]:
        results: dict[Hashable, T] = {}
        lock = threading.RLock()

        @wraps(function)
        def keeper(*args: P.args, **kwargs: P.kwargs) -> T:
            if not _mode.get().keep:
                return function(*args, **kwargs)
            key: Hashable = (args, tuple(kwargs.items())) if kwargs else args
            if key in results:
                return results[key]
            with lock:
                if key not in results:
                    made = function(*args, **kwargs)
                    if len(results) >= size:
                        results.pop(next(iter(results)))
                    results[key] = made
                return results[key]

        return keeper

    return keeping


class Sprite(Struct, frozen=True):
    """A small picture with its mask; `at` is the point of it that is put on a place."""

    image: Image.Image
    mask: Image.Image
    at: tuple[int, int]

    def faded(self, share: float) -> "Sprite":
        """The sprite, paler."""
        return Sprite(self.image, self.mask.point([round(v * share) for v in range(256)]), self.at)


class Brush:
    """Draws a sprite in units of its own, `scale` pixels each, with its origin at `at`."""

    def __init__(self, width: float, height: float, scale: float = 1, at: Point = (0, 0)) -> None:
        self.step = scale * mode().fine
        self.at = round(at[0] * scale), round(at[1] * scale)
        self.size = max(1, round(width * scale)), max(1, round(height * scale))
        self.image = Image.new("RGBA", (self.size[0] * mode().fine, self.size[1] * mode().fine))

    def mask(self, *outlines: Outline) -> Image.Image:
        """The area of some outlines together."""
        area = Image.new("L", self.image.size)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            pen.polygon(self._points(outline), fill=255)
        return area

    def stroke(self, points: Sequence[Point], width: float, closed: bool = False) -> Image.Image:
        """The area of a line with round joints and ends."""
        area = Image.new("L", self.image.size)
        self._stroke(ImageDraw.Draw(area), points, width, closed)
        return area

    def grown(self, outlines: Sequence[Outline], by: float) -> Image.Image:
        """The area of some outlines with a rim around it."""
        area = self.mask(*outlines)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            self._stroke(pen, outline, 2 * by, closed=True)
        return area

    def paint(self, area: Image.Image, colour: Colour, opacity: float = 1, clip: Image.Image | None = None) -> None:
        """Fill an area, within another if one is given."""
        if clip is not None:
            area = ImageChops.multiply(area, clip)
        if opacity < 1:
            area = area.point([round(v * opacity) for v in range(256)])
        self.image.paste((*colour, 255), (0, 0), area)

    def fill(self, outline: Outline, colour: Colour, opacity: float = 1, clip: Image.Image | None = None) -> None:
        """Fill an outline."""
        self.paint(self.mask(outline), colour, opacity, clip)

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, opacity: float = 1, clip: Image.Image | None = None
    ) -> None:
        """Draw a line."""
        self.paint(self.stroke(points, width), colour, opacity, clip)

    def ring(self, outline: Outline, width: float, colour: Colour) -> None:
        """Draw along a closed outline."""
        self.paint(self.stroke(outline, width, closed=True), colour)

    def shifted(self, area: Image.Image, right: float, down: float) -> Image.Image:
        """An area moved; what leaves the sprite is gone."""
        moved = Image.new("L", area.size)
        moved.paste(area, (round(right * self.step), round(down * self.step)))
        return moved

    def done(self, shadow: tuple[float, float] | None = None, strength: float = 0.36) -> Sprite:
        """The finished sprite, with a hard shadow that falls by so many units if one is wanted."""
        image = self.image
        if shadow is not None:
            alpha = image.getchannel("A")
            fallen = self.shifted(alpha, *shadow).filter(ImageFilter.GaussianBlur(0.5 * mode().fine))
            under = Image.new("RGBA", image.size, (*INK, 0))
            under.putalpha(fallen.point([round(v * strength) for v in range(256)]))
            image = Image.alpha_composite(under, image)
        return finished(image, self.at)

    def _points(self, outline: Sequence[Point]) -> list[Point]:
        x0, y0 = (value * mode().fine for value in self.at)
        return [(x0 + x * self.step, y0 + y * self.step) for x, y in outline]

    def _stroke(self, pen: ImageDraw.ImageDraw, points: Sequence[Point], width: float, closed: bool) -> None:
        path = self._points(points)
        thick = max(1, round(width * self.step))
        if closed:
            path = [*path, path[0], path[1]]
        pen.line(path, fill=255, width=thick, joint="curve")
        half = thick / 2
        for x, y in () if closed else (path[0], path[-1]):
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)


def finished(image: Image.Image, at: tuple[int, int]) -> Sprite:
    """A finely drawn picture brought to the size of the mode."""
    small = coarse(image)
    return Sprite(small.convert("RGB"), small.getchannel("A"), at)


def coarse(image: Image.Image) -> Image.Image:
    """A finely drawn layer brought to the size of the mode."""
    factor = mode().fine // mode().zoom
    return image.reduce(factor) if factor > 1 else image


class Canvas:
    """The picture being put together."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.zoom = mode().zoom

    @classmethod
    def blank(cls, width: int, height: int, colour: Colour) -> "Canvas":
        """A canvas of one colour."""
        return cls(Image.new("RGB", (width * mode().zoom, height * mode().zoom), colour))

    @property
    def width(self) -> int:
        """Pixels across the finished picture."""
        return self.image.width // self.zoom

    @property
    def height(self) -> int:
        """Pixels down the finished picture."""
        return self.image.height // self.zoom

    def put(self, sprite: Sprite, x: int, y: int) -> None:
        """Paste a sprite on a place."""
        corner = ((x - sprite.at[0]) * self.zoom, (y - sprite.at[1]) * self.zoom)
        self.image.paste(sprite.image, corner, sprite.mask)

    def lay(self, layer: Image.Image, x: int, y: int) -> None:
        """Paste a whole layer, its upper left corner on a place."""
        self.image.paste(layer, (x * self.zoom, y * self.zoom))

    def restore(self, source: Image.Image, box: Box) -> None:
        """Bring a box of another layer of the same size back."""
        area = self._box(box)
        self.image.paste(source.crop(area), area[:2])

    def cover(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        self.image.paste(colour, self._box(box))

    def tint(self, layer: Image.Image | Colour, area: Image.Image) -> None:
        """Paste a layer or a colour through a mask, both of the picture's size."""
        self.image.paste(layer, (0, 0), area) if isinstance(layer, Image.Image) else self.image.paste(
            layer, (0, 0, *self.image.size), area
        )

    def _box(self, box: Box) -> Box:
        left, top, right, bottom = box
        return left * self.zoom, top * self.zoom, right * self.zoom, bottom * self.zoom
