"""How pictures are put together: a Brush draws sprites, a Canvas pastes them, `cached` keeps them.

Everything is measured in pixels of the finished picture. Pillow draws without smoothing edges, so
each sprite is drawn four times as large and scaled down. A `Mode` says how large, so that the same
functions draw the quick picture and, for tests, a naive and a lossless one to compare it with.

Nearly all of a picture is the same as in the one before, so sprites, grounds and panels are cached:
Polynesia's first picture takes 2.2 s, the next one 7 ms. Large results of all functions share one
cache, which is bounded in bytes. A cached function must depend on nothing but its arguments and the
language, or pictures of different matches mix.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import Any, ParamSpec, TypeVar, cast

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageStat

from engine.core.words import spoken_language
from render.palette import PAPER, RULE, Colour, mix
from render.shapes import Outline, Point

P = ParamSpec("P")
T = TypeVar("T")
Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""
DrawShape = Callable[[ImageDraw.ImageDraw, list[Point]], None]
"""Draws a path into a mask."""

SMALL_RESULT_BYTES = 16 * 1024
"""Results below this size are cached by number, each function for itself."""
LARGE_RESULTS_BYTES = 80 * 1024 * 1024
"""The size of all larger cached results together: grounds and panels of a few matches per game."""
OPAQUE = 255
SHADOW_BLUR = 0.4
"""The blur radius of a shadow, in pixels of the finished picture."""
SHARP_TURN = 0.17
"""The tangent of the angle from which a corner of a line is rounded: about ten degrees."""


class Mode(Struct, frozen=True):
    """How finely pictures are drawn, in pixels per pixel of the finished picture."""

    zoom: int = 1
    """Pixels of the result."""
    fine: int = 4
    """Pixels of a sprite while it is drawn; a multiple of `zoom`."""
    cut: int = 2
    """Pixels of terrain while it is drawn, whose coasts are smooth enough with fewer."""
    keep: bool = True
    """Whether sprites and layers are cached for the next picture."""


_mode: ContextVar[Mode] = ContextVar("mode", default=Mode())  # noqa: B039 - frozen


def current_mode() -> Mode:
    """Return the mode that pictures are drawn in at present."""
    return _mode.get()


@contextmanager
def use_mode(mode: Mode) -> Iterator[None]:
    """Draw in another mode inside a `with` block."""
    token = _mode.set(mode)
    try:
        yield
    finally:
        _mode.reset(token)


class Placed(Struct, frozen=True):
    """A sprite or layer that was put on a canvas, recorded for tests."""

    shows: str
    """A label for what it tells a reader, such as 'code:a1'; '' if it only decorates or covers."""
    mask: Image.Image
    left: int
    top: int

    @property
    def box(self) -> Box:
        """The rectangle that it lies in."""
        return self.left, self.top, self.left + self.mask.width, self.top + self.mask.height

    def move_with(self, layer: Image.Image, left: int, top: int) -> "Placed":
        """Return the placement once its layer is put somewhere, cut at the layer's edges."""
        box_left, box_top, box_right, box_bottom = self.box
        seen_left = max(0, box_left)
        seen_top = max(0, box_top)
        seen_right = max(seen_left, min(layer.width, box_right))
        seen_bottom = max(seen_top, min(layer.height, box_bottom))
        mask = self.mask
        if (seen_left, seen_top, seen_right, seen_bottom) != self.box:
            upper_left = (seen_left - box_left, seen_top - box_top)
            lower_right = (seen_right - box_left, seen_bottom - box_top)
            mask = mask.crop((*upper_left, *lower_right))
        return Placed(self.shows, mask, left + seen_left, top + seen_top)


class Placements:
    """The sprites that were put on each picture, in order: later ones lie on top.

    Only tests use it, to find out what covers what.
    """

    def __init__(self) -> None:
        # The picture is stored beside its list, so that no other picture can get its id meanwhile.
        self._by_image: dict[int, tuple[Image.Image, list[Placed]]] = {}

    def on(self, image: Image.Image) -> list[Placed]:
        """Return the list of what was put on a picture, which the caller may add to."""
        _, placed = self._by_image.setdefault(id(image), (image, []))
        return placed

    def add_layer(self, image: Image.Image, layer: Image.Image, left: int, top: int) -> None:
        """Record that a layer covers part of a picture and brings along what was put on it."""
        here = self.on(image)
        cover = Placed("", Image.new("L", layer.size, OPAQUE), left, top)
        here.append(cover.move_with(image, 0, 0))
        here += [placed.move_with(layer, left, top) for placed in tuple(self.on(layer))]


_placements: ContextVar[Placements | None] = ContextVar("placements", default=None)


@contextmanager
def record_placements() -> Iterator[Placements]:
    """Record what is put on every canvas inside a `with` block."""
    placements = Placements()
    token = _placements.set(placements)
    try:
        yield placements
    finally:
        _placements.reset(token)


class _CachedResult(Struct):
    """A large result in the cache."""

    result: Any
    size: int
    """Bytes."""
    worth: float
    """Seconds of drawing that each of its bytes saves."""
    rank: float
    """The result with the lowest rank is evicted first."""


class ResultCache:
    """Large results of all drawing functions, up to a total number of bytes.

    Results that save little drawing time per byte are evicted first, and among equals the least
    recently used: a canoe that takes 15 ms to draw outlasts a hundred title strips, each five times
    its size and drawn in half a millisecond.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes = 0
        self._results: dict[Hashable, _CachedResult] = {}
        self._by_rank: list[tuple[float, int, Hashable]] = []
        """A heap with the rank that each result had when it was put here.

        Its rank may have risen since. A search through all ranks took 3 ms of every picture.
        """
        self._numbers = count()
        self._level = 0.0
        """The rank of the result that was evicted last.

        It is added to the rank of every result that is used, so unused ones sink over time.
        """
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """Return a cached result, or None."""
        with self._lock:
            found = self._results.get(key)
            if found is None:
                return None
            found.rank = self._level + found.worth
            return found.result

    def put(self, key: Hashable, result: Any, size: int, seconds: float) -> None:
        """Add a result of `size` bytes that took `seconds` to draw, and evict others for it."""
        with self._lock:
            if key in self._results:
                return
            while self._results and self.bytes + size > self.max_bytes:
                self._evict()
            worth = seconds / max(1, size)
            rank = self._level + worth
            self._results[key] = _CachedResult(result, size, worth, rank)
            heappush(self._by_rank, (rank, next(self._numbers), key))
            self.bytes += size

    def _evict(self) -> None:
        """Drop the result with the lowest rank."""
        while True:
            rank, number, key = self._by_rank[0]
            found = self._results[key]
            if found.rank == rank:
                break
            heapreplace(self._by_rank, (found.rank, number, key))
        heappop(self._by_rank)
        del self._results[key]
        self.bytes -= found.size
        self._level = found.rank


large_results = ResultCache(LARGE_RESULTS_BYTES)


def count_image_bytes(result: Any) -> int:
    """Count the bytes of all pictures in a result; Pillow takes four for a pixel in colour."""
    if isinstance(result, Image.Image):
        bytes_per_pixel = 1 if result.mode in ("L", "P", "1") else 4
        return result.width * result.height * bytes_per_pixel
    if isinstance(result, tuple | list):
        return sum(count_image_bytes(part) for part in result)
    if isinstance(result, Struct):
        fields = result.__struct_fields__
        return sum(count_image_bytes(getattr(result, name)) for name in fields)
    if isinstance(result, Canvas):
        return count_image_bytes(result.image)
    return 0


class _IsLarge:
    """Stands in a function's own cache for a result that is too large for it."""


IS_LARGE = _IsLarge()


def _remember(function: Callable[P, T], size: int) -> Callable[P, T]:
    """Wrap a function so that it caches small results itself, and large ones with all others."""

    @lru_cache(size)
    def draw_small(*args: P.args, **kwargs: P.kwargs) -> T | _IsLarge:
        key = (draw_small, args, *kwargs.items())
        if large_results.get(key) is not None:
            return IS_LARGE
        result = draw(key, *args, **kwargs)
        return result if count_image_bytes(result) < SMALL_RESULT_BYTES else IS_LARGE

    def draw(key: Hashable, *args: P.args, **kwargs: P.kwargs) -> T:
        began = time.thread_time()
        result = function(*args, **kwargs)
        result_bytes = count_image_bytes(result)
        if result_bytes >= SMALL_RESULT_BYTES:
            large_results.put(key, result, result_bytes, time.thread_time() - began)
        return result

    def recall_or_draw(*args: P.args, **kwargs: P.kwargs) -> T:
        result = draw_small(*args, **kwargs)  # type: ignore[arg-type]
        if not isinstance(result, _IsLarge):
            return result
        key = (draw_small, args, *kwargs.items())
        found: T | None = large_results.get(key)
        # It may have been evicted since.
        return draw(key, *args, **kwargs) if found is None else found

    return recall_or_draw


def cached(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the results of a drawing function.

    The `size` last used small results are kept, and as many large ones as `large_results` has room
    for. The language is part of the key, since a drawing may have words in it. The mode is not:
    any mode but the usual one must set `keep` to False.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        # Both take the language only to have it in the keys of their caches.
        def draw(language: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        def draw_recorded(
            language: str, /, *args: P.args, **kwargs: P.kwargs
        ) -> tuple[T, list[Placed]]:
            with record_placements() as placements:
                result = function(*args, **kwargs)
            return result, placements.on(result) if isinstance(result, Image.Image) else []

        results = _remember(draw, size)
        recorded_results = _remember(draw_recorded, size)
        lock = threading.RLock()

        @wraps(function)
        def draw_cached(*args: P.args, **kwargs: P.kwargs) -> T:
            if not _mode.get().keep:
                return function(*args, **kwargs)
            # lru_cache alone would let two threads that want the same ground both draw it, a second
            # of work each. So one draws and the other waits; each function has its own lock, so
            # other sprites go on being drawn.
            with lock:
                placements = _placements.get()
                if placements is None:
                    return results(spoken_language(), *args, **kwargs)
                result, placed = recorded_results(spoken_language(), *args, **kwargs)
            if isinstance(result, Image.Image) and not placements.on(result):
                placements.on(result).extend(placed)
            return result

        return draw_cached

    return decorate


FADED_TONES = [mix(mix(PAPER, RULE, 0.9), PAPER, grey / 255) for grey in range(256)]
"""Tones of paper from dark to light, by the grey that each of them replaces."""
# Pillow wants all reds of a table first, then all greens, then all blues.
FADED = [colour[channel] for channel in range(3) for colour in FADED_TONES]


class Sprite(Struct, frozen=True):
    """A small picture with its mask; `anchor` is the point of it that `Canvas.put` positions."""

    image: Image.Image
    mask: Image.Image
    anchor: tuple[int, int]

    def fade(self) -> "Sprite":
        """Return the sprite as a pale print on paper, for something that a seat has none of."""
        grey_image = self.image.convert("L").convert("RGB")
        return Sprite(grey_image.point(FADED), self.mask, self.anchor)


class Brush:
    """Draws a sprite in units of `scale` pixels, with origin and anchor at `at`."""

    def __init__(
        self,
        width: float,
        height: float,
        scale: float = 1,
        at: Point = (0, 0),
    ) -> None:
        fine = current_mode().fine
        self.step = scale * fine
        """Drawn pixels per unit."""
        self.at = round(at[0] * scale), round(at[1] * scale)
        # Sizes are rounded to whole pixels of the finished picture before they are enlarged, so
        # that scaling down is exact.
        pixel_width = max(1, round(width * scale))
        pixel_height = max(1, round(height * scale))
        self.size = pixel_width, pixel_height
        self.image = Image.new("RGBA", (pixel_width * fine, pixel_height * fine))

    def mask(self, *outlines: Outline) -> Image.Image:
        """Return the area of some outlines together."""
        area = Image.new("L", self.image.size)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            pen.polygon(self._points(outline), fill=OPAQUE)
        return area

    def grow(self, outlines: Sequence[Outline], by: float) -> Image.Image:
        """Return the area of some outlines with a rim around it, `by` units wide."""
        area = self.mask(*outlines)
        pen = ImageDraw.Draw(area)
        for outline in outlines:
            _draw_stroke(pen, self._points(outline), 2 * by * self.step, closed=True)
        return area

    def shift(self, area: Image.Image, right: float, down: float) -> Image.Image:
        """Return an area moved by some units; what leaves the sprite is lost."""
        moved = Image.new("L", area.size)
        moved.paste(area, (round(right * self.step), round(down * self.step)))
        return moved

    def paint(self, area: Image.Image, colour: Colour, clip: Image.Image | None = None) -> None:
        """Fill an area, or the part of it inside `clip`."""
        box = area.getbbox()
        if box is None:
            return
        # Most areas are much smaller than their sprite, and painting nothing takes just as long.
        area = area.crop(box)
        if clip is not None:
            area = ImageChops.multiply(area, clip.crop(box))
        self.image.paste((*colour, OPAQUE), box[:2], area)

    def fill(self, outline: Outline, colour: Colour, clip: Image.Image | None = None) -> None:
        """Fill an outline, or the part of it inside `clip`."""

        def draw(pen: ImageDraw.ImageDraw, path: list[Point]) -> None:
            pen.polygon(path, fill=OPAQUE)

        self._paint_shape(outline, 0, draw, colour, clip)

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, clip: Image.Image | None = None
    ) -> None:
        """Draw a line with round joints and ends."""
        thick = width * self.step

        def draw(pen: ImageDraw.ImageDraw, path: list[Point]) -> None:
            _draw_stroke(pen, path, thick, closed=False)

        self._paint_shape(points, thick, draw, colour, clip)

    def ring(self, outline: Outline, width: float, colour: Colour) -> None:
        """Draw a line along a closed outline."""
        thick = width * self.step

        def draw(pen: ImageDraw.ImageDraw, path: list[Point]) -> None:
            _draw_stroke(pen, path, thick, closed=True)

        self._paint_shape(outline, thick, draw, colour, None)

    def finish(self, shadow: Colour | None = None, right: float = 3, down: float = 6) -> Sprite:
        """Return the finished sprite, with a hard shadow if the colour of one is given.

        The shadow is opaque and has the colour of shaded ground: a transparent one would add a tone
        to the palette for every tone of the ground.
        """
        if shadow is None:
            return finish_sprite(self.image, self.at)
        shape = self.shift(self.image.getchannel("A"), right, down)
        under = Image.new("RGBA", self.image.size, (*shadow, 0))
        under.putalpha(shape.filter(ImageFilter.GaussianBlur(SHADOW_BLUR * current_mode().fine)))
        return finish_sprite(Image.alpha_composite(under, self.image), self.at)

    def _paint_shape(
        self,
        outline: Sequence[Point],
        margin: float,
        draw: DrawShape,
        colour: Colour,
        clip: Image.Image | None,
    ) -> None:
        """Paint a shape through a mask that is no larger than the shape.

        Most shapes are small in their sprite. The mask reaches `margin` beyond the outline, for the
        width of strokes, and a pixel farther, for rounding.
        """
        path = self._points(outline)
        across = [x for x, _ in path]
        down = [y for _, y in path]
        left = max(0, int(min(across) - margin) - 1)
        top = max(0, int(min(down) - margin) - 1)
        right = min(self.image.width, int(max(across) + margin) + 2)
        bottom = min(self.image.height, int(max(down) + margin) + 2)
        if right <= left or bottom <= top:
            return  # all of it lies outside the sprite
        area = Image.new("L", (right - left, bottom - top))
        draw(ImageDraw.Draw(area), [(x - left, y - top) for x, y in path])
        if clip is not None:
            area = ImageChops.multiply(area, clip.crop((left, top, right, bottom)))
        self.image.paste((*colour, OPAQUE), (left, top), area)

    def _points(self, outline: Sequence[Point]) -> list[Point]:
        """Convert points from units to drawn pixels."""
        origin_x = self.at[0] * current_mode().fine
        origin_y = self.at[1] * current_mode().fine
        return [(origin_x + x * self.step, origin_y + y * self.step) for x, y in outline]


def _draw_stroke(pen: ImageDraw.ImageDraw, path: list[Point], width: float, closed: bool) -> None:
    """Draw a line whose ends and sharp corners are round."""
    thick = max(1, round(width))
    half = thick / 2
    pen.line([*path, path[0]] if closed else path, fill=OPAQUE, width=thick)
    # Pillow cuts lines off square: a dot on each corner rounds it. Gentle bends leave no gap.
    befores = [path[-1], *path[:-1]]
    afters = [*path[1:], path[0]]
    for before, (x, y), after in zip(befores, path, afters, strict=True):
        is_end = not closed and (x, y) in (path[0], path[-1])
        if is_end or _is_sharp(before, (x, y), after):
            pen.ellipse((x - half, y - half, x + half, y + half), fill=OPAQUE)


def _is_sharp(before: Point, at: Point, after: Point) -> bool:
    """Return whether a path makes a sharp turn at a point."""
    in_x, in_y = at[0] - before[0], at[1] - before[1]
    out_x, out_y = after[0] - at[0], after[1] - at[1]
    dot_product = in_x * out_x + in_y * out_y
    cross_product = in_x * out_y - in_y * out_x
    return dot_product <= 0 or abs(cross_product) > SHARP_TURN * dot_product


def finish_sprite(image: Image.Image, anchor: tuple[int, int]) -> Sprite:
    """Make a sprite of a finely drawn RGBA picture."""
    small = scale_down(image)
    return Sprite(small.convert("RGB"), small.getchannel("A"), anchor)


def draw_box(
    draw: Callable[[int, int], Sprite],
    width: int,
    height: int,
    corner: int,
) -> Sprite:
    """Draw a box with `draw(width, height)`, whose sides look alike all along.

    Only its corners, each `corner` pixels wide and high, are drawn large and scaled down. Panels
    were a fifth of a first picture's time.
    """
    few_columns, few_rows = min(width, 2 * corner), min(height, 2 * corner)
    if not current_mode().keep:
        # A picture to compare with is drawn whole.
        few_columns, few_rows = width, height
    drawn = draw(few_columns, few_rows)
    image, mask = (
        _repeat_middle(part, width - few_columns, height - few_rows)
        for part in (drawn.image, drawn.mask)
    )
    return Sprite(image, mask, drawn.anchor)


def _repeat_middle(image: Image.Image, right: int, down: int) -> Image.Image:
    """Return a picture that is `right` wider and `down` higher, by repeating its middle pixels."""
    x, y = image.width // 2, image.height // 2
    # First wider: the right half moves right, and the middle column fills the gap.
    wide = Image.new(image.mode, (image.width + right, image.height))
    wide.paste(image, (right, 0))
    column = image.crop((x, 0, x + 1, image.height))
    wide.paste(column.resize((right + 1, image.height)), (x, 0))
    wide.paste(image.crop((0, 0, x, image.height)), (0, 0))
    # Then higher, in the same way.
    large = Image.new(image.mode, (wide.width, image.height + down))
    large.paste(wide, (0, down))
    row = wide.crop((0, y, wide.width, y + 1))
    large.paste(row.resize((wide.width, down + 1)), (0, y))
    large.paste(wide.crop((0, 0, wide.width, y)), (0, 0))
    return large


def scale_down(image: Image.Image) -> Image.Image:
    """Scale a finely drawn layer down to the size that the mode asks for."""
    factor = current_mode().fine // current_mode().zoom
    return image.reduce(factor) if factor > 1 else image


class Canvas:
    """A picture that sprites and layers are put on."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.zoom = current_mode().zoom

    @classmethod
    def blank(cls, width: int, height: int, colour: Colour) -> "Canvas":
        """Make a canvas of one colour."""
        zoom = current_mode().zoom
        return cls(Image.new("RGB", (width * zoom, height * zoom), colour))

    @property
    def width(self) -> int:
        """The width of the finished picture in pixels."""
        return self.image.width // self.zoom

    @property
    def height(self) -> int:
        """The height of the finished picture in pixels."""
        return self.image.height // self.zoom

    def put(self, sprite: Sprite, x: int, y: int, shows: str = "") -> None:
        """Paste a sprite with its anchor at (x, y).

        `shows` says what the sprite tells a reader, such as 'code:a1'. Only tests that record
        placements use it.
        """
        left = (x - sprite.anchor[0]) * self.zoom
        top = (y - sprite.anchor[1]) * self.zoom
        self.image.paste(sprite.image, (left, top), sprite.mask)
        placements = _placements.get()
        if placements is not None:
            placements.on(self.image).append(Placed(shows, sprite.mask, left, top))

    def lay(self, layer: Image.Image, x: int, y: int) -> None:
        """Paste a whole layer with its upper left corner at (x, y)."""
        left, top = x * self.zoom, y * self.zoom
        self.image.paste(layer, (left, top))
        placements = _placements.get()
        if placements is not None:
            placements.add_layer(self.image, layer, left, top)

    def restore(self, source: Image.Image, box: Box) -> None:
        """Copy a box from another layer of the same size."""
        area = self._zoomed(box)
        self.image.paste(source.crop(area), area[:2])

    def cover(self, box: Box, colour: Colour) -> None:
        """Fill a box with a colour."""
        self.image.paste(colour, self._zoomed(box))

    def tint(self, layer: Image.Image | Colour, area: Image.Image) -> None:
        """Paste a layer or a colour through a mask, both of the picture's size."""
        if isinstance(layer, Image.Image):
            self.image.paste(layer, (0, 0), area)
        else:
            # With a colour, Pillow needs the whole box.
            self.image.paste(layer, (0, 0, *self.image.size), area)

    def main_colour(self, box: Box) -> Colour:
        """Return the colour that most pixels of a box have."""
        area = self.image.crop(self._zoomed(box))
        counted = area.getcolors(area.width * area.height) or [(1, (0, 0, 0))]
        return cast(Colour, max(counted)[1])

    def variety(self, box: Box) -> float:
        """Return how much the tones of a box differ; 0 if all of it has one colour."""
        return sum(map(float, ImageStat.Stat(self.image.crop(self._zoomed(box))).var))

    def _zoomed(self, box: Box) -> Box:
        """Return a box in pixels of the image."""
        left, top, right, bottom = box
        return left * self.zoom, top * self.zoom, right * self.zoom, bottom * self.zoom
