"""The text on the main map: codes and names of hexes, landmarks, and the numbers of news."""

from engine.conquest.board import AMERICA, HEX_AT, HEXES
from engine.conquest.view import NOBODY
from render.conquest.america import name_coast, put_landmarks
from render.conquest.hex_canvas import CODE_LANE, NAME_LANE, SMALL_LOWER_ROW, HexCanvas
from render.conquest.hexes import SEA
from render.conquest.labels import Text
from render.conquest.layout import HALO, LEGAL_TEXT, TEXT, WIDTH
from render.conquest.news import News
from render.conquest.tokens import OCHRE
from render.fonts import CAP_HEIGHT, Face, label
from render.news import bud
from render.palette import (
    BARK,
    CASING,
    CODE_SEA,
    CODE_UNKNOWN,
    INK,
    LEGAL,
    MEADOW,
    UNKNOWN,
    Colour,
)
from render.words import words_of

# Positions are shares of a hex's width below its middle.
CODE_FOOT = 0.345
"""Where the code stands in a large hex that has no name."""
LOWERED_NAME = 0.425
"""Where the name stands if a second row of pieces takes its lane."""
FLOWER_SIZE = 0.27
FLOWER_TEXT = round(WIDTH * 0.021)
MOST_NUMBERS_IN_HEX = 2
"""If a hex has more news than this, only the newest numbers are shown."""


def draw_text(main_map: HexCanvas, news: News) -> None:
    """Write codes where they belong, then names and numbers of news where they hide nothing."""
    view, crop = main_map.view, main_map.crop
    names: list[tuple[str, str]] = []
    printed_codes: list[tuple[str, str]] = []
    for hex in HEXES:
        spot = hex.code
        # Half a code would mislead, so a hex that the edge cuts off has none.
        if not crop.holds(spot):
            continue
        hex_view = view.hex_at[spot]
        is_known_tile = hex_view.face == "hidden" and hex_view.key != ""
        if crop.is_large and (hex_view.face in ("group", "atoll") or is_known_tile):
            names.append((spot, hex_view.key))
            # A hex with a name needs its code only if it may be chosen.
            if spot in main_map.rings:
                size = TEXT if spot in main_map.lowered_names else LEGAL_TEXT
                _put_code(main_map, spot, CODE_LANE, size)
        elif spot in main_map.rings:
            _draw_code(main_map, spot, hex_view.face)
        else:
            printed_codes.append((spot, hex_view.face))
    # Landmarks are printed on the map, so pieces and markers lie on top of them.
    covered = frozenset({*main_map.occupied, *main_map.markers, main_map.explorer_at})
    put_landmarks(main_map.canvas, view, crop, covered)
    name_coast(main_map.canvas, view, crop, AMERICA in main_map.rings)
    _write_names(main_map, names)
    # Printed codes come after names, which fit in fewer places. After the end nobody needs codes.
    for spot, face in printed_codes if view.outcome is None else ():
        _draw_code(main_map, spot, face)
    _put_news_numbers(main_map, news)


def _draw_code(main_map: HexCanvas, spot: str, face: str) -> None:
    """Write a hex's code: in the middle of an empty hex, at the foot of another."""
    is_filled = spot in main_map.filled
    is_large = main_map.crop.is_large
    if is_filled and not is_large and spot not in main_map.rings:
        # Pieces fill a small hex, and the codes of its neighbours tell where it is.
        return
    down = 0.0
    is_land = face not in ("sea", "unknown")
    if is_filled or (is_land and is_large):
        down = CODE_FOOT if is_large else SMALL_LOWER_ROW
    _put_code(main_map, spot, down, LEGAL_TEXT, face)


def _code_colours(face: str) -> tuple[Colour, Colour]:
    """Return the ink of a printed code, and a halo to hide lines."""
    if face == "unknown":
        return CODE_UNKNOWN, UNKNOWN
    if face == "hidden":
        return BARK, OCHRE
    if face in ("group", "atoll"):
        # Dark on land: in light letters it would look like the code of a hex that may be chosen.
        return INK, MEADOW
    # On charted water, which is too light for this ink, the halo is a little darker than the water.
    return CODE_SEA, SEA


def _put_code(main_map: HexCanvas, spot: str, down: float, legal_size: int, face: str = "") -> None:
    """Put a code in its hex, moved aside if it would leave the main map or cover something.

    It is bright and of `legal_size` if the hex may be chosen, else in colours for the hex's face.
    """
    crop = main_map.crop
    if spot in main_map.rings:
        code = label(spot.upper(), Face.STRONG, legal_size, LEGAL, "m", CASING, HALO)
    else:
        ink, halo = _code_colours(face)
        code = label(spot.upper(), Face.CODE, TEXT, ink, "m", halo, HALO)
    x, y = crop.middle_of(spot)
    half = code.anchor[0]
    x = min(max(x, half), crop.width - half)
    # In the lowest row a code at the foot of its hex would reach over the edge.
    lowest = crop.height - round(LEGAL_TEXT * CAP_HEIGHT / 2 + HALO)
    y = min(y + crop.hex_share(down), lowest)
    # The codes of legal hexes always stand where players look for them.
    if spot not in main_map.rings:
        x, y = main_map.labels.find_code_place(code, x, y, TEXT)
    main_map.put_at(code, spot, x, y, "code", LEGAL_TEXT)


def _write_names(main_map: HexCanvas, names: list[tuple[str, str]]) -> None:
    """Write the names of lands at the foot of their hexes, a star before that of a Home."""
    words = words_of("conquest")
    texts = []
    for spot, land in names:
        group = main_map.view.group_at.get(spot)
        is_home = group is not None and group.home != NOBODY
        x, y = main_map.crop.middle_of(spot)
        y += main_map.crop.hex_share(LOWERED_NAME if spot in main_map.lowered_names else NAME_LANE)
        is_coded = spot in main_map.rings
        texts.append(Text(spot, words.word(land, "short"), x, y, is_home, is_coded))
    main_map.labels.write(texts)


def _put_news_numbers(main_map: HexCanvas, news: News) -> None:
    """Put the numbers of news beside their hexes; a single item has a flower without a number."""
    crop = main_map.crop
    numbers_at: dict[str, list[int]] = {}
    for number, item in news.numbered():
        # A way has its number at its end; builds have one in each hex.
        spots = item.rings[:1] if item.way else item.rings
        for spot in spots:
            if spot in HEX_AT and crop.holds(spot):
                numbers_at.setdefault(spot, []).append(number)
    for spot, numbers in numbers_at.items():
        for number in numbers[-MOST_NUMBERS_IN_HEX:]:
            sprite = bud(crop.hex_share(FLOWER_SIZE), news.mark(number), FLOWER_TEXT)
            shows = f"news:{number} {spot}"
            main_map.labels.pin(sprite, crop.middle_of(spot), crop.unit, crop.rise, shows)
