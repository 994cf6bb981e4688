"""Where pictures are made: sprites drawn fine and kept, layers pasted through masks.

Everything is measured in pixels of the finished picture. Pillow draws without smoothing edges, so
each sprite is drawn four times as large and reduced. A `Mode` says how large, so that the same
functions give the quick picture, and for tests a naive one and a lossless one to compare it with.

Nearly all of a picture is the same as in the one before, so sprites, grounds and panels are kept:
Polynesia's first picture takes 2.2 s, the next 7 ms. All that is large lies on one shelf, which is
bounded in bytes.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.core.words import spoken_language
from render.palette import PAPER, RULE, Colour, mix
from render.shapes import Outline, Point

P = ParamSpec("P")
T = TypeVar("T")
Box = tuple[int, int, int, int]
Shape = Callable[[ImageDraw.ImageDraw, list[Point]], None]


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


class Placed(Struct, frozen=True):
    """Something that was put on a canvas, while that was noted."""

    shows: str
    """What is read from it: 'code:a1'; '' for what merely decorates or covers."""
    mask: Image.Image
    left: int
    top: int

    @property
    def box(self) -> Box:
        """The rectangle that it lies in."""
        return self.left, self.top, self.left + self.mask.width, self.top + self.mask.height

    def on(self, image: Image.Image, left: int, top: int) -> "Placed":
        """The same moved so far, without what reaches over the edges of the picture that it was
        put on.
        """
        x, y, end_x, end_y = self.box
        seen = (
            max(0, x),
            max(0, y),
            max(0, x, min(image.width, end_x)),
            max(0, y, min(image.height, end_y)),
        )
        mask = (
            self.mask
            if seen == self.box
            else self.mask.crop((seen[0] - x, seen[1] - y, seen[2] - x, seen[3] - y))
        )
        return Placed(self.shows, mask, left + seen[0], top + seen[1])


class Notes:
    """What was put on each picture, in order: the later lies on top.

    So a test sees what covers what.
    """

    def __init__(self) -> None:
        # The picture is kept beside its list: so no other can get its id meanwhile.
        self._placed: dict[int, tuple[Image.Image, list[Placed]]] = {}

    def on(self, image: Image.Image) -> list[Placed]:
        """What was put on a picture."""
        return self._placed.setdefault(id(image), (image, []))[1]

    def lay(self, image: Image.Image, layer: Image.Image, left: int, top: int) -> None:
        """A layer covers what was there, and brings along what was put on it."""
        here = self.on(image)
        here.append(Placed("", Image.new("L", layer.size, 255), left, top).on(image, 0, 0))
        here += [placed.on(layer, left, top) for placed in tuple(self.on(layer))]


_notes: ContextVar[Notes | None] = ContextVar("notes", default=None)


@contextmanager
def noting() -> Iterator[Notes]:
    """Note meanwhile what is put on every canvas."""
    notes = Notes()
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


SMALL = 16 * 1024
"""Bytes of a sprite that is kept by number."""
SHELF = 80 * 1024 * 1024
"""Bytes of all larger ones together, grounds and panels above all: what a few matches of each
game show.
"""


class _Kept(Struct):
    """A result on the shelf."""

    result: Any
    weight: int
    worth: float
    """Seconds of drawing that a byte of it saves."""
    rank: float
    """The lowest makes way first."""


class Shelf:
    """Large results of all drawing functions, up to a total number of bytes.

    What saves little for its bytes makes way first, and of what saves as much that which was used
    longest ago: a canoe that takes 15 ms to draw outlasts a hundred title strips, each five times
    its size and drawn in half a millisecond.
    """

    def __init__(self, bytes_at_most: int) -> None:
        self.bytes_at_most, self.bytes = bytes_at_most, 0
        self._results: dict[Hashable, _Kept] = {}
        self._level = 0.0
        """The rank of what went last: whatever is used now ranks so much higher, and what is not
        sinks in time.
        """
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """A result that is there, else None."""
        with self._lock:
            found = self._results.get(key)
            if found is None:
                return None
            found.rank = self._level + found.worth
            return found.result

    def put(self, key: Hashable, result: Any, weight: int, seconds: float) -> None:
        """One more result, which took so long to draw; others make way for it."""
        with self._lock:
            if key in self._results:
                self.bytes -= self._results.pop(key).weight
            others = self._results
            while others and self.bytes + weight > self.bytes_at_most:
                lowest = min(others, key=lambda other: others[other].rank)
                gone = others.pop(lowest)
                self.bytes -= gone.weight
                self._level = gone.rank
            worth = seconds / max(1, weight)
            self._results[key] = _Kept(result, weight, worth, self._level + worth)
            self.bytes += weight


shelf = Shelf(SHELF)


def weight(result: Any) -> int:
    """Bytes of the pictures in a result; Pillow takes four for a pixel in colour."""
    if isinstance(result, Image.Image):
        return result.width * result.height * (1 if result.mode in ("L", "P", "1") else 4)
    if isinstance(result, tuple | list):
        return sum(weight(part) for part in result)
    if isinstance(result, Struct):
        return sum(weight(getattr(result, name)) for name in result.__struct_fields__)
    return weight(result.image) if isinstance(result, Canvas) else 0


class _OnShelf:
    """Stands in a function's own cache for a result that lies on the shelf, if it still does."""


ON_SHELF = _OnShelf()


def _remembered(function: Callable[P, T], size: int) -> Callable[P, T]:
    """A function whose results are kept: small ones, the last so many, by itself; large ones on
    the shelf.
    """

    @lru_cache(size)
    def small(*args: P.args, **kwargs: P.kwargs) -> T | _OnShelf:
        key = (small, args, *kwargs.items())
        if shelf.get(key) is not None:
            return ON_SHELF
        result = draw(key, *args, **kwargs)
        return result if weight(result) < SMALL else ON_SHELF

    def draw(key: Hashable, *args: P.args, **kwargs: P.kwargs) -> T:
        began = time.thread_time()
        result = function(*args, **kwargs)
        bytes_of_it = weight(result)
        if bytes_of_it >= SMALL:
            shelf.put(key, result, bytes_of_it, time.thread_time() - began)
        return result

    def remembered(*args: P.args, **kwargs: P.kwargs) -> T:
        result = small(*args, **kwargs)  # type: ignore[arg-type]
        if not isinstance(result, _OnShelf):
            return result
        key = (small, args, *kwargs.items())
        found: T | None = shelf.get(key)
        return draw(key, *args, **kwargs) if found is None else found

    return remembered


def kept(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results of a drawing function: the `size` last used, and of large ones as many as
    have room.

    What is kept is drawn in the usual mode: a mode of other measures must not keep. A drawing may
    have words in it, so it is kept for each language by itself.
    """

    def keeping(function: Callable[P, T]) -> Callable[P, T]:
        results = _remembered(_in_language(function), size)
        noted_results = _remembered(_in_language(_noted(function)), size)
        lock = threading.RLock()

        @wraps(function)
        def keeper(*args: P.args, **kwargs: P.kwargs) -> T:
            if not _mode.get().keep:
                return function(*args, **kwargs)
            # lru_cache alone would let two threads that want the same ground both draw it, a second
            # of work each. So one draws and the other waits; each function has its own lock, so
            # other sprites go on being drawn.
            with lock:
                notes = _notes.get()
                if notes is None:
                    return results(spoken_language(), *args, **kwargs)
                result, placed = noted_results(spoken_language(), *args, **kwargs)
            if isinstance(result, Image.Image) and not notes.on(result):
                notes.on(result).extend(placed)
            return result

        return keeper

    return keeping


def _in_language(function: Callable[P, T]) -> Callable[Concatenate[str, P], T]:
    """A drawing function that takes the language as well, as a part of what its results go by."""

    def drawn(language: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    return drawn


def _noted(function: Callable[P, T]) -> Callable[P, tuple[T, list[Placed]]]:
    """A drawing function that also tells what was put on the picture it gives."""

    def drawn(*args: P.args, **kwargs: P.kwargs) -> tuple[T, list[Placed]]:
        with noting() as notes:
            result = function(*args, **kwargs)
        return result, notes.on(result) if isinstance(result, Image.Image) else []

    return drawn


_RAMP = [mix(mix(PAPER, RULE, 0.9), PAPER, grey / 255) for grey in range(256)]
FADED = [colour[channel] for channel in range(3) for colour in _RAMP]
"""From dark to light in the tones of paper; Pillow takes all reds of a table first, then all
greens, then all blues.
"""


class Sprite(Struct, frozen=True):
    """A small picture with its mask; `at` is the point of it that is put on a place."""

    image: Image.Image
    mask: Image.Image
    at: tuple[int, int]

    def faded(self) -> "Sprite":
        """The sprite as a pale print on paper: what a seat has none of."""
        grey_image = self.image.convert("L").convert("RGB")
        return Sprite(grey_image.point(FADED), self.mask, self.at)


class Brush:
    """Draws a sprite in units of its own, `scale` pixels each, with its origin at `at`."""

    def __init__(self, width: float, height: float, scale: float = 1, at: Point = (0, 0)) -> None:
        fine = mode().fine
        self.step = scale * fine
        self.at = round(at[0] * scale), round(at[1] * scale)
        # Sizes are rounded to whole pixels of the finished picture before they are enlarged: the
        # reduction is exact.
        across, high = max(1, round(width * scale)), max(1, round(height * scale))
        self.size = across, high
        self.image = Image.new("RGBA", (across * fine, high * fine))

    def mask(self, *outlines: Outline) -> Image.Image:
        """The area of some outlines together."""
        area = Image.new("L", self.image.size)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            pen.polygon(self._points(outline), fill=255)
        return area

    def grown(self, outlines: Sequence[Outline], by: float) -> Image.Image:
        """The area of some outlines with a rim around it."""
        area = self.mask(*outlines)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            _stroke(pen, self._points(outline), 2 * by * self.step, closed=True)
        return area

    def paint(self, area: Image.Image, colour: Colour, clip: Image.Image | None = None) -> None:
        """Fill an area, within another if one is given."""
        box = area.getbbox()
        if box is None:
            return
        # Most areas are much smaller than their sprite: painting the rest with nothing takes as
        # long.
        area = area.crop(box)
        if clip is not None:
            area = ImageChops.multiply(area, clip.crop(box))
        self.image.paste((*colour, 255), box[:2], area)

    def fill(self, outline: Outline, colour: Colour, clip: Image.Image | None = None) -> None:
        """Fill an outline."""
        self._dab(
            self._points(outline), 0, lambda pen, path: pen.polygon(path, fill=255), colour, clip
        )

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, clip: Image.Image | None = None
    ) -> None:
        """Draw a line with round joints and ends."""
        thick = width * self.step
        self._dab(
            self._points(points),
            thick,
            lambda pen, path: _stroke(pen, path, thick, False),
            colour,
            clip,
        )

    def ring(self, outline: Outline, width: float, colour: Colour) -> None:
        """Draw along a closed outline."""
        thick = width * self.step
        self._dab(
            self._points(outline),
            thick,
            lambda pen, path: _stroke(pen, path, thick, True),
            colour,
            None,
        )

    def _dab(
        self, path: list[Point], rim: float, shape: Shape, colour: Colour, clip: Image.Image | None
    ) -> None:
        """Paint a shape by way of a mask that is no larger than it has to be: most shapes are small
        in their sprite.

        The mask reaches `rim` beyond the path, for strokes, and a pixel farther, for rounding.
        """
        across = [x for x, _ in path]
        down = [y for _, y in path]
        left = max(0, int(min(across) - rim) - 1)
        top = max(0, int(min(down) - rim) - 1)
        right = min(self.image.width, int(max(across) + rim) + 2)
        bottom = min(self.image.height, int(max(down) + rim) + 2)
        if right <= left or bottom <= top:
            return  # all of it lies outside the sprite
        area = Image.new("L", (right - left, bottom - top))
        shape(ImageDraw.Draw(area), [(x - left, y - top) for x, y in path])
        if clip is not None:
            area = ImageChops.multiply(area, clip.crop((left, top, right, bottom)))
        self.image.paste((*colour, 255), (left, top), area)

    def shifted(self, area: Image.Image, right: float, down: float) -> Image.Image:
        """An area moved; what leaves the sprite is gone."""
        moved = Image.new("L", area.size)
        moved.paste(area, (round(right * self.step), round(down * self.step)))
        return moved

    def done(self, shadow: Colour | None = None, right: float = 3, down: float = 6) -> Sprite:
        """The finished sprite, with a hard shadow in the colour of shaded ground if one is given.

        The shadow is opaque: seen through, every tone of the ground would bring one more into the
        palette.
        """
        if shadow is None:
            return finished(self.image, self.at)
        cast = self.shifted(self.image.getchannel("A"), right, down)
        under = Image.new("RGBA", self.image.size, (*shadow, 0))
        under.putalpha(cast.filter(ImageFilter.GaussianBlur(0.4 * mode().fine)))
        return finished(Image.alpha_composite(under, self.image), self.at)

    def _points(self, outline: Sequence[Point]) -> list[Point]:
        origin_x = self.at[0] * mode().fine
        origin_y = self.at[1] * mode().fine
        return [(origin_x + x * self.step, origin_y + y * self.step) for x, y in outline]


def _stroke(pen: ImageDraw.ImageDraw, path: list[Point], width: float, closed: bool) -> None:
    """A line whose sharp corners and ends are round; gentle bends leave no gap worth filling."""
    thick = max(1, round(width))
    half = thick / 2
    pen.line([*path, path[0]] if closed else path, fill=255, width=thick)
    # Pillow cuts a line off square: a dot on each corner rounds it.
    befores = [path[-1], *path[:-1]]
    afters = [*path[1:], path[0]]
    for before, (x, y), after in zip(befores, path, afters, strict=True):
        is_end = not closed and (x, y) in (path[0], path[-1])
        if is_end or _is_sharp(before, (x, y), after):
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)


def _is_sharp(before: Point, at: Point, after: Point) -> bool:
    """Whether a path turns by more than some ten degrees at a point."""
    came_right, came_down = at[0] - before[0], at[1] - before[1]
    goes_right, goes_down = after[0] - at[0], after[1] - at[1]
    along = came_right * goes_right + came_down * goes_down
    aside = came_right * goes_down - came_down * goes_right
    return along <= 0 or abs(aside) > 0.17 * along


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

    def put(self, sprite: Sprite, x: int, y: int, shows: str = "") -> None:
        """Paste a sprite on a place; `shows` says for `noting` what is read from it."""
        left, top = (x - sprite.at[0]) * self.zoom, (y - sprite.at[1]) * self.zoom
        self.image.paste(sprite.image, (left, top), sprite.mask)
        notes = _notes.get()
        if notes is not None:
            notes.on(self.image).append(Placed(shows, sprite.mask, left, top))

    def lay(self, layer: Image.Image, x: int, y: int) -> None:
        """Paste a whole layer, its upper left corner on a place."""
        left, top = x * self.zoom, y * self.zoom
        self.image.paste(layer, (left, top))
        notes = _notes.get()
        if notes is not None:
            notes.lay(self.image, layer, left, top)

    def restore(self, source: Image.Image, box: Box) -> None:
        """Bring a box of another layer of the same size back."""
        area = self._box(box)
        self.image.paste(source.crop(area), area[:2])

    def cover(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        self.image.paste(colour, self._box(box))

    def tint(self, layer: Image.Image | Colour, area: Image.Image) -> None:
        """Paste a layer or a colour through a mask, both of the picture's size."""
        if isinstance(layer, Image.Image):
            self.image.paste(layer, (0, 0), area)
        else:
            # With a colour Pillow wants to be told the whole box.
            self.image.paste(layer, (0, 0, *self.image.size), area)

    def _box(self, box: Box) -> Box:
        left, top, right, bottom = box
        return left * self.zoom, top * self.zoom, right * self.zoom, bottom * self.zoom
