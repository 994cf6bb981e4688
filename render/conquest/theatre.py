"""The theatre: the hexes that matter this turn, large enough to be read on a phone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT, HEXES, KINDS, PRINTED, TILES
from engine.conquest.board import UNKNOWN as WAS_UNKNOWN
from engine.conquest.view import NOBODY, ConquestView, FleetView, GroupView, Kinds, MarkerView, StackView, TileView
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

# Where things stand in a hex, as shares of its width below its middle. A full hex has, from above: the code of a legal
# hex, the boxes, the pieces, and the name or code at its foot, so that no text covers a piece.
HEAD = -0.375
BOX_ROW = -0.2
PIECE_ROW = 0.1
FOOT = 0.325

# Where small signs stand, as shares of the hex's width right of and below its middle: near corners, off those rows.
HOME = (-0.44, 0)
MALARIA = (-0.38, -0.33)
LATEST = (0.27, -0.36)
PLANNED = (0.4, -0.13)
KNOT_ALONE = (0, -0.03)
KNOT_BESIDE = (0.29, 0.13)

CANOE_SPAN = 1.25
"""How wide a canoe is, in counters."""
DIGIT_SPAN = 0.8
"""How much of a number stands beside its counter; the rest stands on it."""


def theatre(view: ConquestView, rings: Sequence[str], crop: Crop) -> Image.Image:
    """The crop with everything on it."""
    drawing = _Theatre(view, frozenset(rings), crop)
    # What lies flat comes first, then lines over it, then pieces on the lines; what must be read is never covered.
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
    """One Transport Canoe lies face up; it is not among the kinds."""
    kinds: Kinds | None
    """What lies face down, for its owner."""


class _Boxes(Struct, frozen=True):
    """The boxes of an Island Group, and what stands in them."""

    green: int
    brown: int
    villages: int = 0
    improved: int = 0
    owner: int = NOBODY
    independent: bool = False


class _Theatre:
    """A theatre being drawn, layer by layer."""

    def __init__(self, view: ConquestView, rings: frozenset[str], crop: Crop) -> None:
        self.view = view
        self.rings = rings
        self.crop = crop
        # The ground is kept for the next picture: this one is drawn on a copy.
        self.canvas = Canvas(ground(view, crop).copy())
        put_coast(self.canvas, crop)
        self.hidden_tiles = {tile.spot: tile for tile in view.tiles if not tile.up}
        self.units = _units_of(view)
        self.markers: dict[str, MarkerView] = {}
        self.explorer_at = ""
        if view.voyage is not None:
            self.markers = {marker.spot: marker for marker in view.voyage.markers}
            self.explorer_at = view.voyage.at

    def _put(self, sprite: Sprite, spot: str, right: float = 0, down: float = 0) -> None:
        """Put a sprite in a hex, off its middle by shares of its width."""
        x, y = self.crop.place(spot)
        self.canvas.put(sprite, x + self.crop.part(right), y + self.crop.part(down))

    # -- grounds and marks ------------------------------------------------------------------------------------------

    def marks(self) -> None:
        """Tiles face down, rims, rings: what may be chosen lies over what is, and the last move over both."""
        unit = self.crop.unit
        for spot in self.hidden_tiles:
            if self.crop.shows(spot):
                self._put(hidden_tile(unit), spot)
        for group in self.view.groups:
            if not self.crop.shows(group.spot):
                continue
            if group.owner != NOBODY:
                self._put(control_rim(unit, group.owner), group.spot)
            elif not group.printed:
                self._put(tile_rim(unit), group.spot)
        # A set has no order, and rings of neighbours overlap: sorted, the same view gives the same picture.
        for spot in sorted(self.rings):
            self._put(legal_ring(unit), spot)
        for spot in self.view.last:
            if spot in HEX_AT and self.crop.shows(spot):
                self._put(last_ring(unit), spot)

    def lines(self) -> None:
        """Chains, then the ways of a movement."""
        # All casings before all colours: else the casing of a link would cut the one before it where they meet.
        for seat, nation in enumerate(self.view.nations):
            livery = livery_of(seat)
            casing = CREAM if livery.cream_line else KEYLINE
            for colour, thick in ((casing, 0.4), (livery.colour, 0.22)):
                for start, end in nation.links:
                    # On the row of the pieces: a chain runs from canoe to canoe.
                    self._link(start, end, colour, thick, PIECE_ROW)
        for colour, thick in ((LAST_CASING, 0.34), (LAST, 0.22), (WHITE, 0.07)):
            for arrow in self.view.arrows:
                for start, end in pairwise(arrow.way):
                    self._link(start, end, colour, thick, 0)
                # The white thread has no head: it runs into that of the line.
                if len(arrow.way) > 1 and colour != WHITE:
                    self._head(arrow.way[-2], arrow.way[-1], colour)

    def _link(self, start: str, end: str, colour: Colour, thick: float, down: float) -> None:
        side = side_to(start, end)
        if side is not None and (self.crop.shows(start) or self.crop.shows(end)):
            self._put(link(self.crop.unit, side, colour, thick), start, 0, down)

    def _head(self, start: str, end: str, colour: Colour) -> None:
        side = side_to(start, end)
        grow = 0.1 if colour == LAST_CASING else 0.02
        if side is not None and self.crop.shows(start):
            self._put(arrow_head(self.crop.unit, side, colour, grow), start)

    # -- pieces -----------------------------------------------------------------------------------------------------

    def things(self) -> None:
        """All that stands in the hexes."""
        for group in self.view.groups:
            if self.crop.shows(group.spot):
                self._group(group)
        for tile in self.hidden_tiles.values():
            if self.crop.shows(tile.spot):
                self._discoverers(tile)
        # From the north to the south, so that pieces that reach into the next hex stand before what is behind them.
        for spot in sorted(self.units, key=lambda spot: self.crop.place(spot)[1]):
            if self.crop.shows(spot):
                self._pieces(spot, self.units[spot])
        self._voyage()
        self._signs()

    def _group(self, group: GroupView) -> None:
        spot = group.spot
        if group.home != NOBODY:
            self._put(home_star(self.crop.part(0.24)), spot, *HOME)
        if not self.crop.boxes:
            # Small hexes have room for one Village and a number; where a ring is, the bright code needs it.
            if group.villages and spot not in self.rings:
                self._number(village(group.owner, self.crop.part(0.4)), spot, group.villages, 0, -0.14)
            return
        boxes = _Boxes(group.green, group.brown, group.villages, group.improved, group.owner, group.independent)
        self._boxes(spot, boxes)
        if group.independent and group.warriors:
            self._number(local_warrior(self.crop.part(0.3)), spot, group.warriors, -0.02, PIECE_ROW)
        if self.view.malaria_played and spot in PRINTED and PRINTED[spot].malaria:
            self._put(malaria(PRINTED[spot].malaria, TEXT), spot, *MALARIA)

    def _number(self, sprite: Sprite, spot: str, number: int, right: float, down: float) -> None:
        """A sprite with a number to its right, both together in the middle."""
        text = str(number)
        x, y = self.crop.place(spot)
        x += self.crop.part(right) - width(text, Face.STRONG, TEXT) // 2
        y += self.crop.part(down)
        self.canvas.put(sprite, x, y)
        self.canvas.put(_count(text), x + self.crop.part(0.15), y + self.crop.part(0.03))

    def _boxes(self, spot: str, boxes: _Boxes) -> None:
        """The boxes side by side, green ones first, as Villages are built in them from the left."""
        number = boxes.green + boxes.brown
        size, step = (0.185, 0.2) if number > 3 else (0.21, 0.235)
        for place in range(number):
            right = (place - (number - 1) / 2) * step
            is_green = place < boxes.green
            is_improved = not is_green and place - boxes.green < boxes.improved
            self._put(box(self.crop.part(size), is_green, is_improved), spot, right, BOX_ROW)
            # Huts and Villages are larger than their box and a little higher: they stand in it.
            if boxes.independent and is_green:
                self._put(hut(self.crop.part(size * 1.15)), spot, right, BOX_ROW - 0.02)
            elif place < boxes.villages and boxes.owner != NOBODY:
                self._put(village(boxes.owner, self.crop.part(size * 1.3)), spot, right, BOX_ROW - 0.025)

    def _discoverers(self, tile: TileView) -> None:
        """The shapes of those who know a tile face down; smaller below its boxes for a viewer who knows it too."""
        size, down = 0.36, -0.04
        if tile.key:
            size, down = 0.26, 0.07
            if self.crop.boxes:
                self._boxes(tile.spot, _Boxes(TILES[tile.key].green, TILES[tile.key].brown))
        for place, seat in enumerate(tile.seen):
            right = (place - (len(tile.seen) - 1) / 2) * (size - 0.05)
            self._put(shape_mark(seat, self.crop.part(size)), tile.spot, right, down)

    def _pieces(self, spot: str, units: Sequence[_Unit]) -> None:
        """The pieces in a hex, side by side; in two rows where they are many, closer together on land."""
        group = self.view.group_at.get(spot)
        if not self.crop.boxes:
            # Below the Village and its number, where one is drawn.
            is_low = group is not None and group.villages and spot not in self.rings
            self._row(spot, [_whole(unit) for unit in units], 0.19 if is_low else -0.06)
            return
        parts: list[_Part] = []
        for unit in units:
            parts += _parts(unit)
        # At sea face-down pieces take the middle, as nothing else is there. An open canoe lies where its chain runs.
        down = 0.0
        if group is not None or any(unit.open for unit in units):
            down = PIECE_ROW
        if len(parts) <= 3:
            self._row(spot, parts, down)
            return
        apart, largest = 0.24, 0.31
        if group is not None:
            # Two rows between the boxes and the name.
            apart, largest, down = 0.2, 0.21, 0.06
        half = (len(parts) + 1) // 2
        self._row(spot, parts[:half], down - apart / 2, largest)
        self._row(spot, parts[half:], down + apart / 2, largest)

    def _row(self, spot: str, row: Sequence["_Part"], down: float, largest: float = 0.31) -> None:
        """Pieces side by side, as large as the hex has room for and at most `largest` of its width."""
        digits = [width(str(part.count), Face.STRONG, TEXT) if part.count else 0 for part in row]
        room = self.crop.part(0.98) - DIGIT_SPAN * sum(digits)
        counters = sum(CANOE_SPAN if part.is_canoe else 1 for part in row)
        if len(row) >= 3:
            largest = min(largest, 0.27)
        token = max(self.crop.part(0.16), min(self.crop.part(largest), round(room / counters)))
        spans = []
        for part, digit in zip(row, digits, strict=True):
            spans.append(token * CANOE_SPAN if part.is_canoe else token + DIGIT_SPAN * digit)
        x, y = self.crop.place(spot)
        y += self.crop.part(down)
        left = x - sum(spans) / 2
        for part, span in zip(row, spans, strict=True):
            if part.is_canoe:
                self.canvas.put(canoe(part.seat, round(token * 1.3)), round(left + span / 2), y)
            else:
                self.canvas.put(counter(part.seat, token, part.kind), round(left + token / 2), y)
            if part.count:
                # On the lower right corner of the counter, so that its face stays to be seen.
                self.canvas.put(_count(str(part.count), "l"), round(left + token * 0.88), y + round(token * 0.14))
            left += span

    def _voyage(self) -> None:
        """The Explorer at sea, then the Knots of the voyage, which may overlap its sail."""
        voyage = self.view.voyage
        if voyage is None:
            return
        if voyage.at in HEX_AT and self.crop.shows(voyage.at):
            # A marker in the same hex stands right of the sail.
            right = -0.07 if voyage.at in self.markers else 0
            self._put(explorer(voyage.seat, self.crop.part(0.64)), voyage.at, right, -0.08)
        for spot, marker in self.markers.items():
            if not self.crop.shows(spot):
                continue
            if spot == voyage.at or spot in self.hidden_tiles or spot in self.view.group_at:
                self._put(knot(marker.knots, self.crop.part(0.27)), spot, *KNOT_BESIDE)
            else:
                self._put(knot(marker.knots, self.crop.part(0.3)), spot, *KNOT_ALONE)

    def _signs(self) -> None:
        """The flower on the latest hex, and what the viewer's own list is to bring."""
        last = [spot for spot in self.view.last if spot in HEX_AT]
        if last and self.crop.shows(last[-1]):
            self._put(hibiscus(self.crop.part(0.3)), last[-1], *LATEST)
        own = self.view.own
        if own is None or own.build is None:
            return
        wanted = Counter(spot for _, spot in own.build.items if spot in HEX_AT)
        for spot, number in wanted.items():
            if self.crop.shows(spot):
                self._put(planned(number, max(34, self.crop.part(0.3))), spot, *PLANNED)

    # -- words ------------------------------------------------------------------------------------------------------

    def words(self) -> None:
        """Names and codes, above everything else."""
        for hex in HEXES:
            spot = hex.code
            # A hex at the edge of which only a part is to be seen says nothing: half a code would mislead.
            if not self.crop.holds(spot):
                continue
            face = self.view.hex_at[spot]
            is_known = face.face in ("group", "atoll") or (face.face == "hidden" and face.key != "")
            if is_known and self.crop.names:
                self._name(spot, face.key)
                # A name needs its code only where it may be chosen.
                if spot in self.rings:
                    self._text(spot, HEAD, _legal_code(spot))
            else:
                self._code(spot, face.face)
        put_landmarks(self.canvas, self.view, self.crop, frozenset({*self.units, *self.markers, self.explorer_at}))
        name_coast(self.canvas, self.view, self.crop, AMERICA in self.rings)

    def _code(self, spot: str, face: str) -> None:
        """A hex's code: in the middle of empty ones, at the foot of others; bright where it may be chosen."""
        has_units = spot in self.units
        group = self.view.group_at.get(spot)
        has_villages = group is not None and group.villages > 0
        if (has_units or has_villages) and not self.crop.boxes and spot not in self.rings:
            # Pieces fill a small hex; its neighbours' codes say where it is.
            return
        is_bare = face in ("sea", "unknown") and spot != self.explorer_at
        down = 0 if is_bare and not has_units and spot not in self.markers else FOOT
        if spot in self.rings:
            self._text(spot, down, _legal_code(spot))
            return
        # The halo has the colour of the ground, so that it hides lines and not the ground.
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
        # Above and below the corners of a hex there is room on both sides.
        room = round(self.crop.hex * 1.5)
        shown, size = fitted(name, Face.STRONG, TEXT, TEXT, room)
        self._text(spot, FOOT, label(shown, Face.STRONG, size, NAME, "m", CASING, HALO))

    def _text(self, spot: str, down: float, sprite: Sprite) -> None:
        """A text in a hex, moved aside where it would leave the theatre."""
        x, y = self.crop.place(spot)
        half = sprite.at[0]
        x = min(max(x, half), self.crop.across - half)
        self.canvas.put(sprite, x, y + self.crop.part(down))


def _units_of(view: ConquestView) -> dict[str, list[_Unit]]:
    """The pieces in each hex: stacks, then fleets under way."""
    found: dict[str, list[_Unit]] = {}
    for stack in view.stacks:
        unit = _Unit(stack.seat, stack.hidden, stack.open, _face_down(stack))
        found.setdefault(stack.spot, []).append(unit)
    for fleet in view.fleets:
        unit = _Unit(fleet.seat, fleet.count - fleet.open, fleet.open, _face_down(fleet))
        found.setdefault(fleet.at, []).append(unit)
    return found


def _face_down(pieces: StackView | FleetView) -> Kinds | None:
    """The kinds that lie face down, for their owner: all but the open Transport Canoe."""
    if pieces.kinds is not None and pieces.open:
        return pieces.kinds.minus(Kinds(t=1))
    return pieces.kinds


class _Part(Struct, frozen=True):
    """A piece or several alike, as they are drawn."""

    seat: int
    kind: str = ""
    count: int = 0
    """The number beside it, 0 for none."""
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


def _legal_code(spot: str) -> Sprite:
    return label(spot.upper(), Face.STRONG, LEGAL_TEXT, LEGAL, "m", CASING, HALO)
