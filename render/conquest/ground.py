"""The ground of a crop: every hex as it is known, and where hexes lie to one another."""

from functools import lru_cache

from msgspec import Struct
from PIL import Image

from engine.conquest.board import HEX_AT, HEXES, NEIGHBOURS, TILES
from engine.conquest.board import UNKNOWN as WAS_UNKNOWN
from engine.conquest.view import ConquestView
from render.canvas import Canvas, Sprite, kept, mode
from render.conquest.hexes import (
    CHARTED,
    LOOKS,
    SEA,
    SIDES,
    land_hex,
    sea_hex,
    shade_hex,
    unknown_hex,
)
from render.conquest.layout import CHART_UNIT, Crop


class Floor(Struct, frozen=True):
    """What the ground of a hex is drawn by."""

    spot: str
    face: str
    land: str = ""
    """The group or atoll visible there."""
    is_edge: bool = False
    """Whether it is unknown and a neighbour is not."""


PART = 300
"""The ground is kept in squares of so many pixels, which lie on the map and not in a window, so
that all share them.
"""


def ground(view: ConquestView, crop: Crop) -> Image.Image:
    """The hexes without rims, marks and pieces, to draw on."""
    floors = {hex.code: _floor_of(view, hex.code) for hex in HEXES}
    if not mode().keep:
        return _ground(crop, tuple(floors[spot] for spot in _near(crop)))
    canvas = Canvas.blank(crop.across, crop.high, SEA)
    for top in range(crop.top // PART * PART, crop.top + crop.high, PART):
        for left in range(crop.left // PART * PART, crop.left + crop.across, PART):
            part = Crop(crop.unit, left, top, PART, PART)
            within = tuple(floors[spot] for spot in _near(part))
            canvas.lay(_ground(part, within), left - crop.left, top - crop.top)
    return canvas.image


@lru_cache(1024)
def _near(crop: Crop) -> tuple[str, ...]:
    """The hexes in a crop and those next to them, which are not seen but for their shadow."""
    return tuple(hex.code for hex in HEXES if crop.shows(hex.code, beyond=1))


def _floor_of(view: ConquestView, spot: str) -> Floor:
    seen = view.hex_at[spot]
    if seen.face == "unknown":
        is_edge = any(view.hex_at[other].face != "unknown" for other in NEIGHBOURS[spot])
        return Floor(spot, seen.face, is_edge=is_edge)
    # A tile that only its discoverer knows is no part of the ground: the public picture has the
    # same one.
    return Floor(spot, seen.face, seen.key if seen.face in ("group", "atoll") else "")


# All of it takes 9 ms to put together, and a picture has two. What is explored changes a part or
# two.
@kept(512)
def _ground(crop: Crop, floors: tuple[Floor, ...]) -> Image.Image:
    """The ground of a crop, by the floors of the hexes near it."""
    canvas = Canvas.blank(crop.across, crop.high, SEA)
    unknown = [floor for floor in floors if floor.face == "unknown"]
    for floor in floors:
        if floor.face != "unknown":
            canvas.put(_floor(floor, crop.unit), *crop.place(floor.spot))
    # The Unknown is a dark sheet over the map: its shadow falls on the water first, from the hexes
    # at its edge, and then the sheet covers what of the shadow lies under it. The flat chart has
    # none.
    if crop.unit > CHART_UNIT:
        for floor in unknown:
            if floor.is_edge:
                x, y = crop.place(floor.spot)
                canvas.put(shade_hex(crop.unit), x + crop.part(0.014), y + crop.part(0.035))
    for floor in unknown:
        canvas.put(unknown_hex(crop.unit), *crop.place(floor.spot))
    return canvas.image


def _floor(floor: Floor, unit: int) -> Sprite:
    """A hex of land, or one of the looks of open water, always the same one in the same hex."""
    if floor.land:
        return land_hex(floor.land, unit, CHARTED if floor.land in TILES else SEA)
    look = sum(ord(letter) * 7**place for place, letter in enumerate(floor.spot)) % LOOKS
    return sea_hex(unit, floor.spot in WAS_UNKNOWN, look)


def side_to(start: str, end: str) -> int | None:
    """Which side of a hex its neighbour lies at; None where they are no neighbours or not both
    hexes.
    """
    if start not in HEX_AT or end not in HEX_AT:
        return None
    here, there = HEX_AT[start], HEX_AT[end]
    step = (there.q - here.q, there.r - here.r)
    return SIDES.index(step) if step in SIDES else None
