"""Labels on the theatre: names and numbers find places where they hide nothing that stands there."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from render.canvas import Box, Canvas, Sprite
from render.conquest.layout import HALO, TEXT
from render.conquest.tokens import home_star
from render.fonts import CAP_HEIGHT, Face, label, width
from render.palette import CASING, rgb

NAME: Final = rgb("#FFF3DC")
SIZES: Final = (TEXT, TEXT - 2, TEXT - 4, TEXT - 6)
"""Of a name; the smaller ones for one that finds no place at its usual size."""
ASIDE: Final = (0, -6, 6, -12, 12, -18, 18, -24, 24, -30, 30, -36, 36, -42, 42, -50, 50)
DOWN: Final = (0, 4, -4, 8, -8, 12, -12, 16, -16, 20, -20, 24, 28)
"""Where else a name may stand, in pixels from its place."""
PINS: Final = (
    *((1, -0.9), (-1, -0.9), (2, 0), (-2, 0), (1, 0.95), (-1, 0.95)),
    *((1.5, -0.5), (-1.5, -0.5), (1.5, 0.5), (-1.5, 0.5), (1.8, -0.2), (-1.8, -0.2), (1.8, 0.2), (-1.8, 0.2)),
    *((1.25, -0.7), (-1.25, -0.7), (1.25, 0.72), (-1.25, 0.72), (0, -0.95), (0, 0.95), (1.5, 0), (-1.5, 0)),
)
"""Where a number may be pinned on a hex: units right and rises down from its middle, corners first, then its sides."""
ON_BORDER: Final = (1, 0.75, 1.25, 0.88, 1.12, 0.6, 1.4)
"""How far out from the middle numbers are tried: on the border, then a little within and without."""
MOST: Final = 0.14
"""The share of a piece that a label may cover where it must: it is known by the rest. Of what is read it is nothing."""
ENDLESS: Final = 1 << 60
LETTER: Final = 30_000
"""Covering a letter is worse than covering this many pixels of pieces."""
PADDING: Final = 0.11
"""The share of a piece's sprite at each side that is its shadow and the air around it."""
RIM: Final = 2
"""The same for what is read, in pixels."""


Taken = tuple[int, int, int, int, int]
"""The box of something that is to be seen, and how many of its pixels may be covered."""


class Text(Struct, frozen=True):
    """A name that is to be written, and its place; that of a Home has a star before it."""

    spot: str
    name: str
    x: int
    y: int
    is_home: bool = False


class _Form(Struct, frozen=True):
    """A way to write a name."""

    name: str
    size: int
    star: int
    """The room of the star, 0 without."""

    @property
    def across(self) -> int:
        return width(self.name, Face.STRONG, self.size) + self.star

    def box(self, x: int, y: int) -> Box:
        """The letters' rectangle with their halo and what hangs below the line."""
        rim = round(HALO)
        cap = round(self.size * CAP_HEIGHT / 2) + rim
        half = self.across // 2 + rim
        return x - half, y - cap, x + half, y + cap + 2


class Labels:
    """What is taken on a canvas, and what is written between it."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._taken: list[Taken] = []

    def keep_off(self, sprite: Sprite, x: int, y: int) -> None:
        """Note a piece that no label shall cover."""
        left, top, right, bottom = self._box(sprite, x, y, PADDING)
        self._taken.append((left, top, right, bottom, round(MOST * (right - left) * (bottom - top))))

    def keep_off_text(self, sprite: Sprite, x: int, y: int, size: int = 0) -> None:
        """Note something that is read, in letters of that size; 0 for a number on a disc."""
        left, top, right, bottom = self._box(sprite, x, y, 0)
        if size:
            # The sprite has room for what reaches above and below capitals.
            # Round digits reach a little over them.
            cap = math.ceil(size * CAP_HEIGHT / 2 + HALO)
            top, bottom = y - cap - RIM, y + cap + RIM
        self._taken.append((left + RIM, top + RIM, right - RIM, bottom - RIM, 0))

    def write(self, texts: Iterable[Text]) -> None:
        """Write names; the longest are placed first, as they have the fewest places."""
        for text in sorted(texts, key=lambda text: (-len(text.name), text.spot)):
            form, x, y = _place(text, tuple(self._around(text)), self._canvas.width, self._canvas.height)
            self._taken.append((*form.box(x, y), 0))
            if text.is_home:
                self._canvas.put(
                    home_star(form.star), x - form.across // 2 + form.star // 2 - 1, y - 1, f"home:{text.spot}"
                )
            sprite = label(form.name, Face.STRONG, form.size, NAME, "m", CASING, HALO)
            self._canvas.put(sprite, x + form.star // 2, y, f"name:{text.spot}")

    def _around(self, text: Text) -> list[Taken]:
        """What is taken where a name may come to stand."""
        form = _forms(text)[0]
        middle = _within(text.x, form, self._canvas.width)
        left, top, right, bottom = form.box(middle, text.y)
        return self._near((left - max(ASIDE), top + min(DOWN), right + max(ASIDE), bottom + max(DOWN)))

    def pin(
        self,
        sprite: Sprite,
        place: tuple[int, int],
        unit: int,
        rise: int,
        shows: str,
        spread: Sequence[float] = ON_BORDER,
    ) -> None:
        """Put a number on the border of a hex, or farther out where `spread` allows it, where it hides least."""
        x, y = place
        half = sprite.at[0]
        reach = round(2 * unit * max(spread)) + 2 * half
        near = self._near((x - reach, y - reach, x + reach, y + reach))
        found: list[tuple[int, int, int]] = []
        least = ENDLESS
        for right, down in ((right * far, down * far) for far in spread for right, down in PINS):
            across = min(max(x + round(right * unit), half), self._canvas.width - half)
            below = min(max(y + round(down * rise), half), self._canvas.height - half)
            left, top, end, foot = self._box(sprite, across, below, 0)
            hidden = _hidden(near, (left + 1, top + 1, end - 1, foot - 1), least)
            found.append((hidden, across, below))
            least = min(least, hidden)
            if not hidden:
                break
        _, x, y = min(found, key=lambda pinned: pinned[0])
        self._canvas.put(sprite, x, y, shows)
        self.keep_off_text(sprite, x, y)

    def _box(self, sprite: Sprite, x: int, y: int, padding: float) -> Box:
        """What of a sprite is to be seen, about: by its measures, which are the same however finely it is drawn."""
        across, high = sprite.mask.width // self._canvas.zoom, sprite.mask.height // self._canvas.zoom
        left, top = x - sprite.at[0], y - sprite.at[1]
        pad_x, pad_y = round(across * padding), round(high * padding)
        return left + pad_x, top + pad_y, left + across - pad_x, top + high - pad_y

    def _near(self, box: Box) -> list[Taken]:
        """What is taken in a box, be it in part."""
        left, top, right, bottom = box
        return [
            taken
            for taken in self._taken
            if taken[0] < right and left < taken[2] and taken[1] < bottom and top < taken[3]
        ]


# 7 ms for the names of a picture; from one to the next there is something new near few of them.
@lru_cache(4096)
def _place(text: Text, near: tuple[Taken, ...], canvas_width: int, canvas_height: int) -> tuple[_Form, int, int]:
    """How and where a name hides least of what is near; the first place that hides nothing is the best."""
    found: list[tuple[int, _Form, int, int]] = []
    least = ENDLESS
    for form in _forms(text):
        left, top, right, bottom = form.box(0, 0)
        for below in (min(text.y + down, canvas_height - bottom) for down in DOWN):
            for aside in ASIDE:
                across = _within(text.x + aside, form, canvas_width)
                hidden = _hidden(near, (across + left, below + top, across + right, below + bottom), least)
                if not hidden:
                    return form, across, below
                found.append((hidden, form, across, below))
                least = min(least, hidden)
    return min(found, key=lambda place: place[0])[1:]


def _forms(text: Text) -> list[_Form]:
    """The ways to write a name, the largest first."""
    return [_Form(text.name, size, size if text.is_home else 0) for size in SIZES]


def _within(x: int, form: _Form, canvas_width: int) -> int:
    """The nearest place for the middle of a name that is not cut off."""
    half = 2 + form.across // 2
    return min(max(x, half), canvas_width - half)


def _hidden(taken: Sequence[Taken], box: Box, least: int) -> int:
    """How much of what is taken a box would cover, in pixels; far more where it is too much of one thing."""
    left, top, right, bottom = box
    area = 0
    for x, y, end, foot, most in taken:
        if x < right and left < end and y < bottom and top < foot:
            here = (min(right, end) - max(left, x)) * (min(bottom, foot) - max(top, y))
            area += here
            if here > most:
                area += (here - most) ** 2 if most else LETTER + here**2
            if area > least:
                break  # another place is better, however much more this one covers
    return area
