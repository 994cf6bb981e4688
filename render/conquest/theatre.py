"""The theatre: the hexes that matter this turn, large enough to be read on a phone."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT, HEXES, PRINTED, TILES
from engine.conquest.board import UNKNOWN as WAS_UNKNOWN
from engine.conquest.view import NOBODY, ConquestView, GroupView, Kinds, TileView
from render.canvas import Canvas, Sprite
from render.conquest.america import name_coast, put_coast, put_landmarks
from render.conquest.ground import ground, side_to
from render.conquest.hexes import (
    CHARTED,
    SEA,
    arrow_head,
    control_rim,
    hidden_tile,
    last_ring,
    legal_ring,
    link,
    tile_rim,
)
from render.conquest.layout import HALO, LEGAL_TEXT, TEXT, Crop
from render.conquest.tokens import (
    OCHRE,
    box,
    counter,
    explorer,
    home_star,
    hut,
    knot,
    local_warrior,
    malaria,
    planned,
    shape_mark,
)
from render.fonts import Face, fitted, label, width
from render.nature import hibiscus
from render.palette import (
    BARK,
    CASING,
    CODE_SEA,
    CODE_UNKNOWN,
    CREAM,
    KEYLINE,
    LAST,
    LAST_CASING,
    LEGAL,
    UNKNOWN,
    WHITE,
    Colour,
    livery_of,
    rgb,
)
from render.pieces import canoe, village
from render.words import words_of

NAME = rgb("#FFF3DC")
KINDS = "wtrcb"
BOX_ROW, PIECE_ROW, FOOT, HEAD = -0.2, 0.1, 0.325, -0.375
"""Where things stand in a hex, as shares of its width below its middle."""
MALARIA = (-0.38, -0.33)
"""Right and below."""


def theatre(view: ConquestView, rings: Sequence[str], crop: Crop) -> Image.Image:
    """The crop with everything on it."""
    drawing = _Theatre(view, frozenset(rings), crop)
    drawing.marks()
    drawing.lines()
    drawing.things()
    drawing.words()
    return drawing.canvas.image


class _Unit(Struct, frozen=True):
    """Pieces of one seat that lie together."""

    seat: int
    hidden: int
    open: bool
    kinds: Kinds | None


class _Theatre:
    """A theatre being drawn, layer by layer."""

    def __init__(self, view: ConquestView, rings: frozenset[str], crop: Crop) -> None:
        self.view, self.rings, self.crop = view, rings, crop
        self.canvas = Canvas(ground(view, crop).copy())
        put_coast(self.canvas, crop)
        self.tiles = {tile.spot: tile for tile in view.tiles if not tile.up}
        self.units = self._units()
        self.markers = {marker.spot: marker for marker in view.voyage.markers} if view.voyage else {}

    def _units(self) -> dict[str, list[_Unit]]:
        found: dict[str, list[_Unit]] = {}
        for stack in self.view.stacks:
            kinds = stack.kinds
            if kinds is not None and stack.open:
                kinds = kinds.minus(Kinds(t=1))
            found.setdefault(stack.spot, []).append(_Unit(stack.seat, stack.hidden, stack.open, kinds))
        for fleet in self.view.fleets:
            kinds = fleet.kinds
            if kinds is not None and fleet.open:
                kinds = kinds.minus(Kinds(t=1))
            found.setdefault(fleet.at, []).append(_Unit(fleet.seat, fleet.count - fleet.open, fleet.open, kinds))
        return found

    def _put(self, sprite: Sprite, spot: str, right: float = 0, down: float = 0) -> None:
        """Put a sprite in a hex, off its middle by shares of its width."""
        x, y = self.crop.place(spot)
        self.canvas.put(sprite, x + self.crop.part(right), y + self.crop.part(down))

    # -- grounds and marks ------------------------------------------------------------------------------------------

    def marks(self) -> None:
        """Tiles face down, rims, rings."""
        unit = self.crop.unit
        for spot in self.tiles:
            if self.crop.shows(spot):
                self._put(hidden_tile(unit), spot)
        for group in self.view.groups:
            if not self.crop.shows(group.spot):
                continue
            if group.owner != NOBODY:
                self._put(control_rim(unit, group.owner), group.spot)
            elif not group.printed:
                self._put(tile_rim(unit), group.spot)
        for spot in sorted(self.rings):
            self._put(legal_ring(unit), spot)
        for spot in self.view.last:
            if spot in HEX_AT and self.crop.shows(spot):
                self._put(last_ring(unit), spot)

    def lines(self) -> None:
        """Chains, then the ways of a movement."""
        for seat, nation in enumerate(self.view.nations):
            livery = livery_of(seat)
            casing = CREAM if livery.cream_line else KEYLINE
            for colour, thick in ((casing, 0.4), (livery.colour, 0.22)):
                for start, end in nation.links:
                    self._link(start, end, colour, thick, PIECE_ROW)
        for colour, thick, grow in ((LAST_CASING, 0.34, 0.1), (LAST, 0.22, 0.02), (WHITE, 0.07, -1)):
            for arrow in self.view.arrows:
                for start, end in pairwise(arrow.way):
                    self._link(start, end, colour, thick, 0)
                if len(arrow.way) > 1 and grow >= 0:
                    self._head(arrow.way[-2], arrow.way[-1], colour, grow)

    def _link(self, start: str, end: str, colour: Colour, thick: float, down: float) -> None:
        side = side_to(start, end)
        if side is not None and (self.crop.shows(start) or self.crop.shows(end)):
            self._put(link(self.crop.unit, side, colour, thick), start, 0, down)

    def _head(self, start: str, end: str, colour: Colour, grow: float) -> None:
        side = side_to(start, end)
        if side is not None and self.crop.shows(start):
            self._put(arrow_head(self.crop.unit, side, colour, grow), start)

    # -- pieces -----------------------------------------------------------------------------------------------------

    def things(self) -> None:
        """All that stands in the hexes, from the north to the south."""
        for group in self.view.groups:
            if self.crop.shows(group.spot):
                self._group(group)
        for tile in self.tiles.values():
            if self.crop.shows(tile.spot):
                self._discoverers(tile)
        for spot in sorted(self.units, key=lambda spot: self.crop.place(spot)[1]):
            if self.crop.shows(spot):
                self._row(spot, self.units[spot])
        self._explorer()
        self._knots()
        self._signs()

    def _group(self, group: GroupView) -> None:
        if group.home != NOBODY:
            self._put(home_star(self.crop.part(0.24)), group.spot, -0.44, 0)
        if not self.crop.boxes:
            if group.villages and group.spot not in self.rings:
                self._number(village(group.owner, self.crop.part(0.4)), group.spot, group.villages, -0.14)
            return
        self._boxes(group.spot, group.green, group.brown, group.villages, group.improved, group.owner)
        if group.independent and group.warriors:
            self._number(local_warrior(self.crop.part(0.3)), group.spot, group.warriors, PIECE_ROW, right=-0.02)
        if self.view.malaria_played and group.spot in PRINTED and PRINTED[group.spot].malaria:
            self._put(malaria(PRINTED[group.spot].malaria, TEXT), group.spot, *MALARIA)

    def _number(self, sprite: Sprite, spot: str, number: int, down: float, right: float = 0) -> None:
        """A sprite with a number to its right."""
        x, y = self.crop.place(spot)
        half, text = self.crop.part(0.15), str(number)
        middle = x + self.crop.part(right) - width(text, Face.STRONG, TEXT) // 2
        self.canvas.put(sprite, middle, y + self.crop.part(down))
        self.canvas.put(_count(text), middle + half, y + self.crop.part(down) + self.crop.part(0.03))

    def _boxes(self, spot: str, green: int, brown: int, villages: int, improved: int, owner: int) -> None:
        number = green + brown
        if not number:
            return
        size, step = (0.185, 0.2) if number > 3 else (0.21, 0.235)
        is_settled = spot in self.view.group_at and self.view.group_at[spot].independent
        for place in range(number):
            right = (place - (number - 1) / 2) * step
            is_green = place < green
            rich = not is_green and place - green < improved
            self._put(box(self.crop.part(size), is_green, rich), spot, right, BOX_ROW)
            if is_settled and is_green:
                self._put(hut(self.crop.part(size * 1.15)), spot, right, BOX_ROW - 0.02)
            elif place < villages and owner != NOBODY:
                self._put(village(owner, self.crop.part(size * 1.3)), spot, right, BOX_ROW - 0.025)

    def _discoverers(self, tile: TileView) -> None:
        known = TILES[tile.key] if tile.key else None
        size, down = (0.36, -0.04) if known is None else (0.26, 0.07)
        if known is not None and self.crop.boxes:
            self._boxes(tile.spot, known.green, known.brown, 0, 0, NOBODY)
        for place, seat in enumerate(tile.seen):
            right = (place - (len(tile.seen) - 1) / 2) * (size - 0.05)
            self._put(shape_mark(seat, self.crop.part(size)), tile.spot, right, down)

    def _row(self, spot: str, units: Sequence[_Unit]) -> None:
        """The pieces in a hex, side by side; in two rows where they are many, closer together on land."""
        if not self.crop.boxes:
            is_low = spot in self.view.group_at and self.view.group_at[spot].villages and spot not in self.rings
            self._pieces(spot, [_whole(unit) for unit in units], 0.19 if is_low else -0.06)
            return
        parts = [part for unit in units for part in _parts(unit)]
        is_land = spot in self.view.group_at
        down = PIECE_ROW if is_land or any(unit.open for unit in units) else 0.0
        half = (len(parts) + 1) // 2
        rows = [parts] if len(parts) <= 3 else [parts[:half], parts[half:]]
        apart, most = 0.24, 0.31
        if is_land and len(rows) > 1:
            apart, most, down = 0.2, 0.21, 0.06
        for number, row in enumerate(rows):
            self._pieces(spot, row, down + (number - (len(rows) - 1) / 2) * apart, most)

    def _pieces(self, spot: str, row: Sequence["_Part"], down: float, most: float = 0.31) -> None:
        digits = [width(str(part.count), Face.STRONG, TEXT) if part.count else 0 for part in row]
        room, wide = self.crop.part(0.98) - 0.8 * sum(digits), sum(1.25 if part.is_canoe else 1 for part in row)
        most = most if len(row) < 3 else min(most, 0.27)
        token = max(self.crop.part(0.16), min(self.crop.part(most), round(room / wide)))
        spans = [
            token * 1.25 if part.is_canoe else token + 0.8 * digit for part, digit in zip(row, digits, strict=True)
        ]
        x, y = self.crop.place(spot)
        y, left = y + self.crop.part(down), x - sum(spans) / 2
        for part, span in zip(row, spans, strict=True):
            if part.is_canoe:
                self.canvas.put(canoe(part.seat, round(token * 1.3)), round(left + span / 2), y)
            else:
                self.canvas.put(counter(part.seat, token, part.kind), round(left + token / 2), y)
            if part.count:
                spot_x = round(left + token * 0.88)
                self.canvas.put(_count(str(part.count), "l"), spot_x, y + round(token * 0.14))
            left += span

    def _explorer(self) -> None:
        voyage = self.view.voyage
        if voyage is not None and voyage.at in HEX_AT and self.crop.shows(voyage.at):
            has_knots = voyage.at in self.markers
            self._put(explorer(voyage.seat, self.crop.part(0.64)), voyage.at, -0.07 if has_knots else 0, -0.08)

    def _knots(self) -> None:
        at = self.view.voyage.at if self.view.voyage is not None else ""
        for spot, marker in self.markers.items():
            if self.crop.shows(spot):
                is_beside = spot == at or spot in self.tiles or spot in self.view.group_at
                size, place = (0.27, (0.29, 0.13)) if is_beside else (0.3, (0, -0.03))
                self._put(knot(marker.knots, self.crop.part(size)), spot, *place)

    def _signs(self) -> None:
        last = [spot for spot in self.view.last if spot in HEX_AT]
        if last and self.crop.shows(last[-1]):
            self._put(hibiscus(self.crop.part(0.3)), last[-1], 0.27, -0.36)
        own = self.view.own
        if own is None or own.build is None:
            return
        wanted = [spot for _, spot in own.build.items if spot in HEX_AT]
        for spot in dict.fromkeys(wanted):
            if self.crop.shows(spot):
                self._put(planned(wanted.count(spot), max(34, self.crop.part(0.3))), spot, 0.4, -0.13)

    # -- words ------------------------------------------------------------------------------------------------------

    def words(self) -> None:
        """Names and codes, above everything else."""
        for hex in HEXES:
            spot = hex.code
            if not self.crop.holds(spot):
                continue
            face = self.view.hex_at[spot]
            is_land = face.face in ("group", "atoll")
            is_seen = face.face == "hidden" and bool(face.key)
            if self.crop.names and (is_land or is_seen):
                self._name(spot, face.key)
            else:
                self._code(spot, face.face)
                continue
            if spot in self.rings:
                self._text(spot, HEAD, _live(spot))
        voyage = self.view.voyage
        taken = frozenset({*self.units, *self.markers, voyage.at if voyage is not None else ""})
        put_landmarks(self.canvas, self.view, self.crop, taken)
        name_coast(self.canvas, self.view, self.crop, AMERICA in self.rings)

    def _code(self, spot: str, face: str) -> None:
        voyage = self.view.voyage
        is_taken = spot in self.units or spot in self.markers or face not in ("sea", "unknown")
        is_taken = is_taken or (voyage is not None and spot == voyage.at)
        group = self.view.group_at.get(spot)
        is_full = spot in self.units or (group is not None and group.villages > 0)
        if is_full and not self.crop.boxes and spot not in self.rings:
            return
        down = FOOT if is_taken else 0
        if spot in self.rings:
            self._text(spot, down, _live(spot))
            return
        ink, halo = CODE_SEA, SEA
        if face == "unknown":
            ink, halo = CODE_UNKNOWN, UNKNOWN
        elif face == "hidden":
            ink, halo = BARK, OCHRE
        elif face in ("group", "atoll"):
            ink, halo = NAME, CASING
        elif spot in WAS_UNKNOWN:
            halo = CHARTED
        self._text(spot, down, label(spot.upper(), Face.CODE, TEXT, ink, "m", halo, HALO))

    def _name(self, spot: str, land: str) -> None:
        name = words_of("conquest").word(land, "short")
        shown, size = fitted(name, Face.STRONG, TEXT, TEXT, round(self.crop.hex * 1.5))
        self._text(spot, FOOT, label(shown, Face.STRONG, size, NAME, "m", CASING, HALO))

    def _text(self, spot: str, down: float, sprite: Sprite) -> None:
        """A text in a hex, moved aside where it would leave the theatre."""
        x, y = self.crop.place(spot)
        half = sprite.at[0]
        x = min(max(x, half), self.crop.across - half)
        self.canvas.put(sprite, x, y + self.crop.part(down))


class _Part(Struct, frozen=True):
    """A piece or several alike, as they are drawn."""

    seat: int
    kind: str = ""
    count: int = 0
    is_canoe: bool = False


def _parts(unit: _Unit) -> Iterator[_Part]:
    """A unit as canoe and counters: kinds for their owner, one face-down counter for others."""
    if unit.open:
        yield _Part(unit.seat, is_canoe=True)
    if unit.kinds is None:
        if unit.hidden:
            yield _Part(unit.seat, count=unit.hidden)
        return
    for kind in KINDS:
        number = unit.kinds.of(kind)
        if number:
            yield _Part(unit.seat, kind, number if number > 1 else 0)


def _whole(unit: _Unit) -> _Part:
    """A unit where hexes are small: a canoe if there is nothing else, or a counter with the number of all."""
    if unit.open and not unit.hidden:
        return _Part(unit.seat, is_canoe=True)
    return _Part(unit.seat, count=unit.hidden + unit.open)


def _count(text: str, align: str = "m") -> Sprite:
    return label(text, Face.STRONG, TEXT, WHITE, align, CASING, HALO)


def _live(spot: str) -> Sprite:
    return label(spot.upper(), Face.STRONG, LEGAL_TEXT, LEGAL, "m", CASING, HALO)
