"""The ground of a window on the map: sea, lands and the Unknown, without anything on them.

It is drawn in cached patches, which all windows share. So what a patch shows may depend only on
`HexGround`: add a field there before you use anything else of the view.
"""

from functools import lru_cache

from msgspec import Struct
from PIL import Image

from engine.conquest.board import HEX_AT, HEXES, NEIGHBOURS, TILES
from engine.conquest.board import UNKNOWN as ONCE_UNKNOWN
from engine.conquest.view import ConquestView
from render.canvas import Canvas, cached, current_mode
from render.conquest.hexes import (
    CHARTED,
    HEX_PADDING,
    SEA,
    SEA_LOOKS,
    SIDES,
    land_hex,
    sea_hex,
    sheet_shadow_hex,
    unknown_hex,
)
from render.conquest.layout import CHART_UNIT, Crop

PATCH = 300
"""The ground is cached in square patches of this many pixels.

They lie on the map and not in a window, so that all windows share them.
"""
SHADOW_RIGHT = 0.014
SHADOW_DOWN = 0.035
"""How far the shadow of the dark sheet falls, in shares of a hex's width."""


class HexGround(Struct, frozen=True):
    """Everything that the ground of a hex depends on."""

    spot: str
    face: str
    land: str = ""
    """The group or atoll visible there."""
    is_edge: bool = False
    """Whether it is unknown and a neighbour is not."""


def draw_ground(view: ConquestView, crop: Crop) -> Image.Image:
    """Draw the hexes of a window without rims, marks and pieces."""
    grounds = {hex.code: hex_ground(view, hex.code, crop) for hex in HEXES}
    # Without a cache, patches would only take longer.
    if not current_mode().keep:
        return _draw_patch(crop, tuple(grounds[spot] for spot in _hexes_near(crop)))
    canvas = Canvas.blank(crop.width, crop.height, SEA)
    # Patches begin at multiples of their size, counted from the middle of the map.
    for top in range(crop.top // PATCH * PATCH, crop.top + crop.height, PATCH):
        for left in range(crop.left // PATCH * PATCH, crop.left + crop.width, PATCH):
            patch = Crop(crop.unit, left, top, PATCH, PATCH)
            near = tuple(grounds[spot] for spot in _hexes_near(patch))
            canvas.lay(_draw_patch(patch, near), left - crop.left, top - crop.top)
    return canvas.image


@lru_cache(1024)
def _hexes_near(crop: Crop) -> tuple[str, ...]:
    """Return the hexes of which a window shows anything, if only their shadow or smooth edge."""
    return tuple(
        hex.code for hex in HEXES if crop.shows(hex.code, HEX_PADDING + crop.hex_share(SHADOW_DOWN))
    )


def hex_ground(view: ConquestView, spot: str, crop: Crop) -> HexGround:
    """Return everything that the ground of a hex depends on in a window."""
    hex_view = view.hex_at[spot]
    if hex_view.face == "unknown":
        # Only at its edge does the dark sheet cast a shadow.
        is_edge = any(view.hex_at[other].face != "unknown" for other in NEIGHBOURS[spot])
        return HexGround(spot, hex_view.face, is_edge=is_edge)
    if not crop.holds(spot):
        # Nobody can make out half an island, so the edge of a window shows open water instead.
        return HexGround(spot, "sea")
    # A tile that only its discoverer knows is left out, so that the private picture shares the
    # cached ground of the public one.
    land = hex_view.key if hex_view.face in ("group", "atoll") else ""
    return HexGround(spot, hex_view.face, land)


# Cached: a whole ground takes 9 ms, and a picture has two. A discovery changes one or two patches.
@cached(512)
def _draw_patch(crop: Crop, grounds: tuple[HexGround, ...]) -> Image.Image:
    """Draw the ground of some hexes, as far as they reach into a window."""
    canvas = Canvas.blank(crop.width, crop.height, SEA)
    unknown = [ground for ground in grounds if ground.face == "unknown"]
    for ground in grounds:
        x, y = crop.middle_of(ground.spot)
        if ground.land:
            water = CHARTED if ground.land in TILES else SEA
            canvas.put(land_hex(ground.land, crop.unit, water), x, y)
        elif ground.face != "unknown":
            look = sea_look(ground.spot)
            canvas.put(sea_hex(crop.unit, ground.spot in ONCE_UNKNOWN, look), x, y)
    # The Unknown is a dark sheet over the map. Its edge casts a shadow on the water; then the sheet
    # covers the part of the shadow that lies under it. The flat chart has no shadow.
    if crop.unit > CHART_UNIT:
        for ground in unknown:
            if ground.is_edge:
                x, y = crop.middle_of(ground.spot)
                x += crop.hex_share(SHADOW_RIGHT)
                y += crop.hex_share(SHADOW_DOWN)
                canvas.put(sheet_shadow_hex(crop.unit), x, y)
    for ground in unknown:
        canvas.put(unknown_hex(crop.unit), *crop.middle_of(ground.spot))
    return canvas.image


def sea_look(spot: str) -> int:
    """Return which look of the open sea a hex has: the same one in every picture."""
    # Stable in every process, unlike hash().
    seed = 0
    for letter in reversed(spot):
        seed = seed * 7 + ord(letter)
    return seed % SEA_LOOKS


def side_to(start: str, end: str) -> int | None:
    """Return at which side of a hex a neighbour lies; None if they are not neighbours."""
    if start not in HEX_AT or end not in HEX_AT:
        return None
    here, there = HEX_AT[start], HEX_AT[end]
    step = (there.q - here.q, there.r - here.r)
    return SIDES.index(step) if step in SIDES else None
