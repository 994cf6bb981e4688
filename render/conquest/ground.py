"""The ground of a crop: every hex as it is known, and where hexes lie to one another."""

from msgspec import Struct
from PIL import Image

from engine.conquest.board import HEX_AT, HEXES, NEIGHBOURS, TILES
from engine.conquest.board import UNKNOWN as WAS_UNKNOWN
from engine.conquest.view import ConquestView
from render.canvas import Canvas, Sprite, kept
from render.conquest.hexes import CHARTED, LOOKS, SEA, SIDES, land_hex, sea_hex, shade_hex, unknown_hex
from render.conquest.layout import CHART_UNIT, Crop


class Floor(Struct, frozen=True):
    """What the ground of a hex is drawn by."""

    spot: str
    face: str
    key: str = ""
    is_tile: bool = False


def ground(view: ConquestView, crop: Crop) -> Image.Image:
    """The hexes without rims, marks and pieces."""
    faces = []
    for hex in HEXES:
        if crop.shows(hex.code):
            seen = view.hex_at[hex.code]
            is_land = seen.face in ("group", "atoll")
            faces.append(Floor(hex.code, seen.face, seen.key if is_land else "", is_land and seen.key in TILES))
    return _ground(crop, tuple(faces))


@kept(12)
def _ground(crop: Crop, faces: tuple[Floor, ...]) -> Image.Image:
    canvas = Canvas.blank(crop.across, crop.high, SEA)
    for face in faces:
        if face.face != "unknown":
            canvas.put(_floor(face, crop.unit), *crop.place(face.spot))
    dark = dict.fromkeys(face.spot for face in faces if face.face == "unknown")
    for spot in dark if crop.unit > CHART_UNIT else ():
        if not all(other in dark for other in NEIGHBOURS[spot]):
            x, y = crop.place(spot)
            canvas.put(shade_hex(crop.unit), x + crop.part(0.014), y + crop.part(0.035))
    for face in faces:
        if face.face == "unknown":
            canvas.put(unknown_hex(crop.unit), *crop.place(face.spot))
    return canvas.image


def _floor(face: Floor, unit: int) -> Sprite:
    if face.face in ("group", "atoll"):
        return land_hex(face.key, unit, CHARTED if face.is_tile else SEA)
    look = sum(ord(letter) * 7**place for place, letter in enumerate(face.spot)) % LOOKS
    return sea_hex(unit, face.spot in WAS_UNKNOWN, look)


def side_to(start: str, end: str) -> int | None:
    """Which side of a hex its neighbour lies at."""
    a, b = HEX_AT.get(start), HEX_AT.get(end)
    step = (b.q - a.q, b.r - a.r) if a and b else (0, 0)
    return SIDES.index(step) if step in SIDES else None
