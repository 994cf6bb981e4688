"""Labels on the main map: names and numbers are put where they hide nothing.

`Labels` keeps a list of the boxes that are taken. For each label it tries positions, the nearest
first, and picks the one that covers least; covering text counts far more than covering a part of a
piece. The costs may be tuned, which moves labels in many pictures.
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
from render.fonts import CAP_HEIGHT, Face, label, text_width
from render.palette import CASING, rgb


def nearest_first(rights: Sequence[int], downs: Sequence[int]) -> list[tuple[int, int]]:
    """Return all ways to move a label, the shortest first."""
    moves = [(right, down) for down in downs for right in rights]
    return sorted(moves, key=lambda move: abs(move[0]) + abs(move[1]))


NAME_COLOUR: Final = rgb("#FFF3DC")
NAME_RIGHT: Final = range(-52, 53, 4)
NAME_DOWN: Final = range(-21, 28, 3)
"""How far a name may be moved, in pixels."""
NAME_MOVES: Final = nearest_first(NAME_RIGHT, NAME_DOWN)
DISTANCE_COST: Final = 4
"""Moving a name by a pixel is as bad as covering this many pixels of a piece.

A reader has to see which land a name belongs to.
"""
CODE_SHIFTS: Final = (0, -4, 4, -8, 8, -12, 12, -16, 16, -20, 20, -24, 24, -30, 30, -36, 36)
"""How far a code may be moved, in pixels: it must stay in its hex."""
CODE_MOVES: Final = nearest_first(CODE_SHIFTS, CODE_SHIFTS)

PIN_CORNERS: Final = (
    (1, -0.9),
    (-1, -0.9),
    (2, 0),
    (-2, 0),
    (1, 0.95),
    (-1, 0.95),
)
PIN_SIDES: Final = (
    (1.5, -0.5),
    (-1.5, -0.5),
    (1.5, 0.5),
    (-1.5, 0.5),
    (1.8, -0.2),
    (-1.8, -0.2),
    (1.8, 0.2),
    (-1.8, 0.2),
    (1.25, -0.7),
    (-1.25, -0.7),
    (1.25, 0.72),
    (-1.25, 0.72),
    (0, -0.95),
    (0, 0.95),
    (1.5, 0),
    (-1.5, 0),
)
PIN_PLACES: Final = (*PIN_CORNERS, *PIN_SIDES)
"""Where a number may be pinned on the border of a hex, the best first.

Units right and rises down from the middle of the hex.
"""
BORDER_DISTANCES: Final = (1, 0.75, 1.25, 0.88, 1.12, 0.6, 1.4, 1.55, 1.7)
"""How far out numbers are tried: on the border (1), then a little within and without."""

COVERABLE_SHARE: Final = 0.14
"""The share of a piece that a label may cover: the rest still tells what it is."""
LETTER_COST: Final = 30_000
"""Covering any text is worse than covering this many pixels of pieces."""
LEAVE_OUT_COST: Final = 2_000
"""A name whose hex also shows its code is left out rather than cover more than this."""
UNREADABLE_COST: Final = LETTER_COST + 40**2
"""A name that covers 40 pixels of text or more is replaced by the code of its hex."""
NO_LIMIT: Final = 1 << 60

PIECE_PADDING: Final = 0.11
"""The share of a piece's sprite, at each side, that is its shadow and the air around it."""
TEXT_PADDING: Final = 2
"""The air around a text, in pixels."""
NAME_MARGIN: Final = 2
"""Between a name and the edge of the canvas, in pixels."""
DESCENDER: Final = 2
"""How far letters reach below the line, in pixels."""


Taken = tuple[int, int, int, int, int]
"""The box of something that must stay visible, and how many of its pixels may be covered."""


class Text(Struct, frozen=True):
    """A name to be written, and where its middle belongs."""

    spot: str
    name: str
    x: int
    y: int
    is_home: bool = False
    """Whether a star stands before it."""
    is_coded: bool = False
    """Whether the hex also shows its code, so that the name may be left out."""

    @property
    def star_width(self) -> int:
        """The width of the star, 0 without one."""
        return TEXT if self.is_home else 0

    @property
    def width(self) -> int:
        """The width of star and name."""
        return text_width(self.name, Face.STRONG, TEXT) + self.star_width

    def box_at(self, x: int, y: int) -> Box:
        """Return the rectangle of the letters with their halo, around a middle."""
        rim = round(HALO)
        cap = round(TEXT * CAP_HEIGHT / 2) + rim
        half = self.width // 2 + rim
        return x - half, y - cap, x + half, y + cap + DESCENDER

    def keep_inside(self, x: int, canvas_width: int) -> int:
        """Return the nearest middle at which the canvas does not cut the name off."""
        half = NAME_MARGIN + self.width // 2
        return min(max(x, half), canvas_width - half)


class Labels:
    """The boxes that are taken on a canvas, and the labels that are put between them."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._taken: list[Taken] = []

    def keep_off(self, sprite: Sprite, x: int, y: int) -> None:
        """Note a piece that labels should not cover."""
        left, top, right, bottom = self._visible_box(sprite, x, y, PIECE_PADDING)
        coverable = round(COVERABLE_SHARE * (right - left) * (bottom - top))
        self._taken.append((left, top, right, bottom, coverable))

    def keep_off_text(self, sprite: Sprite, x: int, y: int, size: int = 0) -> None:
        """Note a text in letters of a size, or a number on a disc if the size is 0."""
        left, top, right, bottom = self._visible_box(sprite, x, y, 0)
        if size:
            # The sprite has room for accents and descenders, which digits and capitals lack.
            cap = math.ceil(size * CAP_HEIGHT / 2 + HALO)
            top, bottom = y - cap - TEXT_PADDING, y + cap + TEXT_PADDING
        self._taken.append(
            (
                left + TEXT_PADDING,
                top + TEXT_PADDING,
                right - TEXT_PADDING,
                bottom - TEXT_PADDING,
                0,
            )
        )

    def write(self, texts: Iterable[Text]) -> None:
        """Write names, the longest first, because they fit in the fewest places."""
        # By spot among names of one length, so that the same view always gives the same picture.
        for full_text in sorted(texts, key=lambda text: (-len(text.name), text.spot)):
            placed = self._place_or_replace(full_text)
            if placed is None:
                continue
            text, x, y = placed
            self._taken.append((*text.box_at(x, y), 0))
            if text.is_home:
                star_x = x - text.width // 2 + text.star_width // 2 - 1
                self._canvas.put(home_star(text.star_width), star_x, y - 1, f"home:{text.spot}")
            sprite = label(text.name, Face.STRONG, TEXT, NAME_COLOUR, "m", CASING, HALO)
            self._canvas.put(sprite, x + text.star_width // 2, y, f"name:{text.spot}")

    def _place_or_replace(self, text: Text) -> tuple[Text, int, int] | None:
        """Return a text and its middle: the name, or the code if the name would hide text.

        None if the label is left out.
        """
        x, y, cost = self._find_place(text)
        if text.is_coded:
            return None if cost > LEAVE_OUT_COST else (text, x, y)
        if cost > UNREADABLE_COST:
            code = replace(text, name=text.spot.upper())
            code_x, code_y, code_cost = self._find_place(code)
            if code_cost < cost:
                return code, code_x, code_y
        return text, x, y

    def _find_place(self, text: Text) -> tuple[int, int, int]:
        """Return the middle at which a name hides least, and the cost of it."""
        middle = text.keep_inside(text.x, self._canvas.width)
        left, top, right, bottom = text.box_at(middle, text.y)
        # Only what the name could touch at any of its positions is compared with it.
        reach = (
            left - max(NAME_RIGHT),
            top + min(NAME_DOWN),
            right + max(NAME_RIGHT),
            bottom + max(NAME_DOWN),
        )
        near = tuple(self._taken_in(reach))
        return _best_place(text, near, self._canvas.width, self._canvas.height)

    def find_code_place(self, sprite: Sprite, x: int, y: int, size: int) -> tuple[int, int]:
        """Return the place nearest to a point where a code, in letters of a size, covers least."""
        half = sprite.anchor[0] - TEXT_PADDING
        cap = math.ceil(size * CAP_HEIGHT / 2 + HALO) - TEXT_PADDING
        far = max(CODE_SHIFTS)
        across, down = half + far, cap + far
        near = self._taken_in((x - across, y - down, x + across, y + down))
        best, least = (x, y), NO_LIMIT
        for right, down in CODE_MOVES:
            at_x, at_y = x + right, y + down
            box = (at_x - half, at_y - cap, at_x + half, at_y + cap)
            cost = _covering_cost(near, box, least)
            if cost < least:
                best, least = (at_x, at_y), cost
            # The nearest positions are tried first, so the first free one is the best.
            if not cost:
                break
        return best

    def pin(
        self,
        sprite: Sprite,
        middle: tuple[int, int],
        unit: int,
        rise: int,
        shows: str,
        distances: Sequence[float] = BORDER_DISTANCES,
    ) -> None:
        """Put a number on the border of a hex, or as far out as allowed, where it hides least."""
        x, y = middle
        half = sprite.anchor[0]
        reach = round(2 * unit * max(distances)) + 2 * half
        near = self._taken_in((x - reach, y - reach, x + reach, y + reach))
        best, least = middle, NO_LIMIT
        places = ((right * far, down * far) for far in distances for right, down in PIN_PLACES)
        for right, down in places:
            # The disc must not reach beyond the canvas.
            at_x = min(max(x + round(right * unit), half), self._canvas.width - half)
            at_y = min(max(y + round(down * rise), half), self._canvas.height - half)
            left, top, end, foot = self._visible_box(sprite, at_x, at_y, 0)
            cost = _covering_cost(near, (left + 1, top + 1, end - 1, foot - 1), least)
            if cost < least:
                best, least = (at_x, at_y), cost
            if not cost:
                break
        self._canvas.put(sprite, *best, shows)
        self.keep_off_text(sprite, *best)

    def _visible_box(self, sprite: Sprite, x: int, y: int, padding: float) -> Box:
        """Return about the box that a sprite's visible pixels fill.

        It is computed from the sprite's size and not from its pixels, which depend on how finely
        it is drawn: every mode has to put labels in the same positions.
        """
        across = sprite.mask.width // self._canvas.zoom
        high = sprite.mask.height // self._canvas.zoom
        left, top = x - sprite.anchor[0], y - sprite.anchor[1]
        pad_x, pad_y = round(across * padding), round(high * padding)
        return left + pad_x, top + pad_y, left + across - pad_x, top + high - pad_y

    def _taken_in(self, box: Box) -> list[Taken]:
        """Return the taken boxes that a box overlaps."""
        left, top, right, bottom = box
        return [
            taken
            for taken in self._taken
            if taken[0] < right and left < taken[2] and taken[1] < bottom and top < taken[3]
        ]


# Cached: it takes 7 ms for all names of a picture, and few have anything new near them in the next.
@lru_cache(4096)
def _best_place(
    text: Text, near: tuple[Taken, ...], canvas_width: int, canvas_height: int
) -> tuple[int, int, int]:
    """Return the middle at which a name costs least, by what it hides and how far it moves."""
    left, top, right, bottom = text.box_at(0, 0)
    best_x, best_y, least = text.x, text.y, NO_LIMIT
    for move_right, move_down in NAME_MOVES:
        distance = DISTANCE_COST * (abs(move_right) + abs(move_down))
        # Moves are sorted by distance: from here on the distance alone costs too much.
        if distance >= least:
            break
        x = text.keep_inside(text.x + move_right, canvas_width)
        y = min(text.y + move_down, canvas_height - bottom)
        box = (x + left, y + top, x + right, y + bottom)
        cost = distance + _covering_cost(near, box, least - distance)
        if cost < least:
            best_x, best_y, least = x, y, cost
    return best_x, best_y, least


def _covering_cost(taken: Sequence[Taken], box: Box, limit: int) -> int:
    """Return how much a box covers, in pixels; far more if it covers too much of one thing.

    It stops counting at the limit: then another place is better anyway.
    """
    left, top, right, bottom = box
    cost = 0
    for x, y, end, foot, coverable in taken:
        if x < right and left < end and y < bottom and top < foot:
            across = min(right, end) - max(left, x)
            down = min(bottom, foot) - max(top, y)
            covered = across * down
            cost += covered
            # Beyond the coverable part, the cost grows with the square: covering two pieces a
            # little is better than covering one of them a lot. Nothing of a text is coverable.
            if covered > coverable:
                cost += (covered - coverable) ** 2 if coverable else LETTER_COST + covered**2
            if cost > limit:
                break
    return cost
