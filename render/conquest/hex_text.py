"""The text of the theatre: codes and names of hexes, landmarks, and the numbers of deeds."""

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
from render.palette import BARK, CASING, CODE_SEA, CODE_UNKNOWN, LEGAL, UNKNOWN, Colour
from render.words import words_of

# Positions are shares of a hex's width below its middle.
CODE_FOOT = 0.345
"""Where the code stands in a large hex that has no name."""
LOWERED_NAME = 0.425
"""Where the name stands if a second row of pieces takes its lane."""
DEED_SIZE = 0.27
DEED_TEXT = round(WIDTH * 0.021)
MOST_DEEDS_IN_HEX = 2
"""More deeds than this in one hex show the newest numbers only."""


def draw_text(theatre: HexCanvas, news: News) -> None:
    """Write codes where they belong, then names and deed numbers where they hide nothing."""
    view, crop = theatre.view, theatre.crop
    names: list[tuple[str, str]] = []
    printed_codes: list[tuple[str, str]] = []
    for hex in HEXES:
        spot = hex.code
        # Half a code would mislead: a hex that the edge cuts off has none.
        if not crop.holds(spot):
            continue
        seen = view.hex_at[spot]
        is_known_tile = seen.face == "hidden" and seen.key != ""
        if crop.is_large and (seen.face in ("group", "atoll") or is_known_tile):
            names.append((spot, seen.key))
            # A hex with a name needs its code only if it may be chosen.
            if spot in theatre.rings:
                size = TEXT if spot in theatre.lowered_names else LEGAL_TEXT
                _put_code(theatre, spot, CODE_LANE, size)
        elif spot in theatre.rings:
            _draw_code(theatre, spot, seen.face)
        else:
            printed_codes.append((spot, seen.face))
    taken = frozenset({*theatre.occupied, *theatre.markers, theatre.explorer_at})
    put_landmarks(theatre.canvas, view, crop, taken)
    name_coast(theatre.canvas, view, crop, AMERICA in theatre.rings)
    _write_names(theatre, names)
    # A printed code makes way for a name, which has fewer places to go. In the end nobody needs it.
    for spot, face in printed_codes if view.outcome is None else ():
        _draw_code(theatre, spot, face)
    _put_deed_numbers(theatre, news)


def _draw_code(theatre: HexCanvas, spot: str, face: str) -> None:
    """Write a hex's code: in the middle of an empty hex, at the foot of another."""
    is_filled = spot in theatre.filled
    is_large = theatre.crop.is_large
    if is_filled and not is_large and spot not in theatre.rings:
        # Pieces fill a small hex; the codes of its neighbours tell where it is.
        return
    down = 0.0
    is_land = face not in ("sea", "unknown")
    if is_filled or (is_land and is_large):
        down = CODE_FOOT if is_large else SMALL_LOWER_ROW
    _put_code(theatre, spot, down, LEGAL_TEXT, face)


def _code_colours(face: str) -> tuple[Colour, Colour]:
    """Return the ink of a printed code, and a halo to hide lines."""
    if face == "unknown":
        return CODE_UNKNOWN, UNKNOWN
    if face == "hidden":
        return BARK, OCHRE
    if face in ("group", "atoll"):
        return CODE_SEA, CASING
    # Charted water is too light for the ink: there the halo is a little darker than the ground.
    return CODE_SEA, SEA


def _put_code(theatre: HexCanvas, spot: str, down: float, legal_size: int, face: str = "") -> None:
    """Put a code in its hex, moved aside if it would leave the theatre or cover something.

    It is bright and of `legal_size` if the hex may be chosen, else in colours for the hex's face.
    """
    crop = theatre.crop
    if spot in theatre.rings:
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
    if spot not in theatre.rings:
        x, y = theatre.labels.find_code_place(code, x, y, TEXT)
    theatre.put_at(code, spot, x, y, "code", LEGAL_TEXT)


def _write_names(theatre: HexCanvas, names: list[tuple[str, str]]) -> None:
    """Write the names of lands at the foot of their hexes, a star before that of a Home."""
    words = words_of("conquest")
    texts = []
    for spot, land in names:
        group = theatre.view.group_at.get(spot)
        is_home = group is not None and group.home != NOBODY
        x, y = theatre.crop.middle_of(spot)
        y += theatre.crop.hex_share(LOWERED_NAME if spot in theatre.lowered_names else NAME_LANE)
        is_coded = spot in theatre.rings
        texts.append(Text(spot, words.word(land, "short"), x, y, is_home, is_coded))
    theatre.labels.write(texts)


def _put_deed_numbers(theatre: HexCanvas, news: News) -> None:
    """Put the numbers of deeds beside their hexes; a single deed has a flower without a number."""
    crop = theatre.crop
    deeds_at: dict[str, list[int]] = {}
    for number, deed in news.numbered():
        # A way has its number at its end; what was built has one in each hex.
        spots = deed.rings[:1] if deed.way else deed.rings
        for spot in spots:
            if spot in HEX_AT and crop.holds(spot):
                deeds_at.setdefault(spot, []).append(number)
    for spot, numbers in deeds_at.items():
        for number in numbers[-MOST_DEEDS_IN_HEX:]:
            sprite = bud(crop.hex_share(DEED_SIZE), news.mark(number), DEED_TEXT)
            shows = f"news:{number} {spot}"
            theatre.labels.pin(sprite, crop.middle_of(spot), crop.unit, crop.rise, shows)
