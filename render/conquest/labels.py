"""Labels on the theatre: names and numbers find places where they hide nothing that stands there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from render.canvas import Box, Canvas, Sprite
from render.conquest.layout import HALO, TEXT
from render.fonts import CAP_HEIGHT, Face, label, width
from render.palette import CASING, rgb

NAME: Final = rgb("#FFF3DC")
SMALLER: Final = TEXT - 3
"""For a name that finds no place at its usual size."""
ASIDE: Final = (0, -6, 6, -12, 12, -18, 18, -24, 24, -30, 30, -36, 36)
DOWN: Final = (0, 4, -4, 8, -8)
"""Where else a name may stand, in pixels from its place."""
PINS: Final = (
    *((1, -0.9), (-1, -0.9), (2, 0), (-2, 0), (1, 0.95), (-1, 0.95)),
    *((1.5, -0.5), (-1.5, -0.5), (1.5, 0.5), (-1.5, 0.5), (1.8, -0.2), (-1.8, -0.2), (1.8, 0.2), (-1.8, 0.2)),
    *((1.25, -0.7), (-1.25, -0.7), (1.25, 0.72), (-1.25, 0.72), (0, -0.95), (0, 0.95), (1.5, 0), (-1.5, 0)),
)
"""Where a number may be pinned on a hex: units right and rises down from its middle, corners first, then its sides."""
REACH: Final = 150
"""No label lies farther than this from its place, in pixels."""
PADDING: Final = 0.11
"""The share of a sprite at each side that is its shadow and the air around it."""


class Text(Struct, frozen=True):
    """A name that is to be written, its place, and the star before that of a Home."""

    spot: str
    name: str
    x: int
    y: int
    star: Sprite | None = None


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
        self._taken: list[Box] = []

    def keep_off(self, sprite: Sprite, x: int, y: int) -> None:
        """Note something that no label may cover."""
        self._taken.append(self._box(sprite, x, y))

    def write(self, texts: Iterable[Text]) -> None:
        """Write names; the longest are placed first, as they have the fewest places."""
        for text in sorted(texts, key=lambda text: (-len(text.name), text.spot)):
            # 150 ms for a picture if every place were compared with everything: what is near is enough, and the first
            # place that hides nothing is the best.
            near = self._near(text.x, text.y)
            least = -1
            for place in self._places(text):
                hidden = _hidden(near, place[0].box(*place[1:]))
                if least < 0 or hidden < least:
                    least, (form, x, y) = hidden, place
                if not hidden:
                    break
            self._taken.append(form.box(x, y))
            if text.star is not None:
                self._canvas.put(text.star, x - form.across // 2 + form.star // 2 - 1, y - 1, f"home:{text.spot}")
            sprite = label(form.name, Face.STRONG, form.size, NAME, "m", CASING, HALO)
            self._canvas.put(sprite, x + form.star // 2, y, f"name:{text.spot}")

    def _places(self, text: Text) -> Iterator[tuple[_Form, int, int]]:
        """Where and how a name may stand, the best first; all within the canvas."""
        star = TEXT if text.star is not None else 0
        for form in (_Form(text.name, TEXT, star), _Form(text.name, SMALLER, star)):
            half = form.across // 2 + 2
            for down in DOWN:
                for aside in ASIDE:
                    x = min(max(text.x + aside, half), self._canvas.width - half)
                    yield form, x, text.y + down

    def pin(self, sprite: Sprite, x: int, y: int, unit: int, rise: int, shows: str) -> None:
        """Put a number on the border of a hex, where it hides least."""
        half = sprite.at[0]
        places = []
        for right, down in PINS:
            across = min(max(x + round(right * unit), half), self._canvas.width - half)
            places.append((across, min(max(y + round(down * rise), half), self._canvas.height - half)))
        near = self._near(x, y)
        best = min(places, key=lambda place: _hidden(near, self._box(sprite, *place)))
        self._canvas.put(sprite, *best, shows)
        self.keep_off(sprite, *best)

    def _box(self, sprite: Sprite, x: int, y: int) -> Box:
        """What of a sprite is to be seen, about: by its measures, which are the same however finely it is drawn."""
        across, high = sprite.mask.width // self._canvas.zoom, sprite.mask.height // self._canvas.zoom
        left, top = x - sprite.at[0], y - sprite.at[1]
        pad_x, pad_y = round(across * PADDING), round(high * PADDING)
        return left + pad_x, top + pad_y, left + across - pad_x, top + high - pad_y

    def _near(self, x: int, y: int) -> list[Box]:
        """What is taken near a place."""
        return [
            (left, top, right, bottom)
            for left, top, right, bottom in self._taken
            if left < x + REACH and x - REACH < right and top < y + REACH and y - REACH < bottom
        ]


def _hidden(taken: Sequence[Box], box: Box) -> int:
    """How much of what is taken a box would cover, in pixels."""
    left, top, right, bottom = box
    area = 0
    for x, y, end, foot in taken:
        if x < right and left < end and y < bottom and top < foot:
            area += (min(right, end) - max(left, x)) * (min(bottom, foot) - max(top, y))
    return area
