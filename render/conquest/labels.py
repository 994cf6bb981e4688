"""Labels on the theatre: names and numbers find places where they hide nothing that stands
there.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from render.canvas import Box, Canvas, Sprite
from render.conquest.layout import HALO, TEXT
from render.conquest.tokens import home_star
from render.fonts import CAP_HEIGHT, Face, label, width
from render.palette import CASING, rgb


def _nearest_first(asides: Sequence[int], downs: Sequence[int]) -> list[tuple[int, int]]:
    """All ways to move a label, the shortest first."""
    return sorted(
        ((aside, down) for down in downs for aside in asides),
        key=lambda by: abs(by[0]) + abs(by[1]),
    )


NAME: Final = rgb("#FFF3DC")
ASIDE: Final = range(-52, 53, 4)
DOWN: Final = range(-21, 28, 3)
"""Where else a name may stand, in pixels from its place."""
MOVES: Final = _nearest_first(ASIDE, DOWN)
AWAY: Final = 4
"""A pixel farther away is as bad as so many covered pixels of a piece: a name shall be seen to
belong to its land.
"""
NUDGED: Final = (0, -4, 4, -8, 8, -12, 12, -16, 16, -20, 20, -24, 24, -30, 30, -36, 36)
"""The same for a code, which must stay in its hex."""
NUDGES: Final = _nearest_first(NUDGED, NUDGED)
PINS: Final = (
    *((1, -0.9), (-1, -0.9), (2, 0), (-2, 0), (1, 0.95), (-1, 0.95)),
    *(
        (1.5, -0.5),
        (-1.5, -0.5),
        (1.5, 0.5),
        (-1.5, 0.5),
        (1.8, -0.2),
        (-1.8, -0.2),
        (1.8, 0.2),
        (-1.8, 0.2),
    ),
    *(
        (1.25, -0.7),
        (-1.25, -0.7),
        (1.25, 0.72),
        (-1.25, 0.72),
        (0, -0.95),
        (0, 0.95),
        (1.5, 0),
        (-1.5, 0),
    ),
)
"""Where a number may be pinned on a hex: units right and rises down from its middle, corners
first, then its sides.
"""
ON_BORDER: Final = (1, 0.75, 1.25, 0.88, 1.12, 0.6, 1.4, 1.55, 1.7)
"""How far out from the middle numbers are tried: on the border, then a little within and
without.
"""
MOST: Final = 0.14
"""The share of a piece that a label may cover where it must: it is known by the rest.

Of what is read it is nothing.
"""
ENDLESS: Final = 1 << 60
LETTER: Final = 30_000
"""Covering a letter is worse than covering this many pixels of pieces."""
TOO_MUCH: Final = 2_000
"""If a name covers so much, in pixels of pieces, one cannot tell what is below it."""
UNREADABLE: Final = LETTER + 40**2
"""So much is covered if 40 pixels of a number or another name are: then the hex has its code for
a name.
"""
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
    is_coded: bool = False
    """Its code stands in the hex: rather than too much is covered, the name is left out."""

    @property
    def star(self) -> int:
        """The room of the star, 0 without."""
        return TEXT if self.is_home else 0

    @property
    def across(self) -> int:
        """How wide it is."""
        return width(self.name, Face.STRONG, TEXT) + self.star

    def box(self, x: int, y: int) -> Box:
        """The letters' rectangle with their halo and what hangs below the line."""
        rim = round(HALO)
        cap = round(TEXT * CAP_HEIGHT / 2) + rim
        half = self.across // 2 + rim
        return x - half, y - cap, x + half, y + cap + 2

    def within(self, x: int, canvas_width: int) -> int:
        """The nearest place for the middle of a name that is not cut off."""
        half = 2 + self.across // 2
        return min(max(x, half), canvas_width - half)


class Labels:
    """What is taken on a canvas, and what is written between it."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._taken: list[Taken] = []

    def keep_off(self, sprite: Sprite, x: int, y: int) -> None:
        """Note a piece that no label shall cover."""
        left, top, right, bottom = self._box(sprite, x, y, PADDING)
        self._taken.append(
            (left, top, right, bottom, round(MOST * (right - left) * (bottom - top)))
        )

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
        for wanted in sorted(texts, key=lambda text: (-len(text.name), text.spot)):
            found = self._placed(wanted)
            if found is None:
                continue
            text, x, y = found
            self._taken.append((*text.box(x, y), 0))
            if text.is_home:
                at = x - text.across // 2 + text.star // 2 - 1
                self._canvas.put(home_star(text.star), at, y - 1, f"home:{text.spot}")
            sprite = label(text.name, Face.STRONG, TEXT, NAME, "m", CASING, HALO)
            self._canvas.put(sprite, x + text.star // 2, y, f"name:{text.spot}")

    def _placed(self, text: Text) -> tuple[Text, int, int] | None:
        """A name and where it stands; its hex's code instead where it would hide what is read,
        which is shorter.
        """
        place, hidden = _place(
            text, tuple(self._around(text)), self._canvas.width, self._canvas.height
        )
        if text.is_coded:
            return None if hidden > TOO_MUCH else (text, *place)
        if hidden > UNREADABLE:
            code = replace(text, name=text.spot.upper())
            place_of_code, less = _place(
                code, tuple(self._around(code)), self._canvas.width, self._canvas.height
            )
            if less < hidden:
                return code, *place_of_code
        return text, *place

    def _around(self, text: Text) -> list[Taken]:
        """What is taken where a name may come to stand."""
        middle = text.within(text.x, self._canvas.width)
        left, top, right, bottom = text.box(middle, text.y)
        return self._near(
            (left - max(ASIDE), top + min(DOWN), right + max(ASIDE), bottom + max(DOWN))
        )

    def beside(self, sprite: Sprite, x: int, y: int, size: int) -> tuple[int, int]:
        """The place next to its own where a text in letters of that size covers least."""
        half = sprite.at[0] - RIM
        cap = math.ceil(size * CAP_HEIGHT / 2 + HALO) - RIM
        far = max(NUDGED)
        near = self._near((x - half - far, y - cap - far, x + half + far, y + cap + far))
        best, least = (x, y), ENDLESS
        for aside, down in NUDGES:
            across, below = x + aside, y + down
            hidden = _hidden(near, (across - half, below - cap, across + half, below + cap), least)
            if hidden < least:
                best, least = (across, below), hidden
            if not hidden:
                break
        return best

    def pin(
        self,
        sprite: Sprite,
        place: tuple[int, int],
        unit: int,
        rise: int,
        shows: str,
        spread: Sequence[float] = ON_BORDER,
    ) -> None:
        """Put a number on the border of a hex, or farther out where `spread` allows it, where it
        hides least.
        """
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
        """What of a sprite is to be seen, about: by its measures, which are the same however
        finely it is drawn.
        """
        across, high = (
            sprite.mask.width // self._canvas.zoom,
            sprite.mask.height // self._canvas.zoom,
        )
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
def _place(
    text: Text, near: tuple[Taken, ...], canvas_width: int, canvas_height: int
) -> tuple[tuple[int, int], int]:
    """Where a name hides least of what is near, and not far from its place; and how much it
    hides there.
    """
    left, top, right, bottom = text.box(0, 0)
    best, least = (text.x, text.y), ENDLESS
    for aside, down in MOVES:
        away = AWAY * (abs(aside) + abs(down))
        if away >= least:
            break
        across = text.within(text.x + aside, canvas_width)
        below = min(text.y + down, canvas_height - bottom)
        hidden = away + _hidden(
            near, (across + left, below + top, across + right, below + bottom), least - away
        )
        if hidden < least:
            best, least = (across, below), hidden
    return best, least


def _hidden(taken: Sequence[Taken], box: Box, least: int) -> int:
    """How much of what is taken a box would cover, in pixels; far more where it is too much of
    one thing.
    """
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
