"""The theatre: the hexes that matter this turn, large enough to be read on a phone.

A hex of full size has lanes, from above: boxes, the code where it may be chosen, pieces, and the
name or code at its foot. The lane of names reaches into the next columns between their boxes and
pieces, where those leave it free.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from PIL import Image

from engine.conquest.board import AMERICA, HEX_AT, HEXES, KINDS, PRINTED, TILES
from engine.conquest.board import UNKNOWN as WAS_UNKNOWN
from engine.conquest.view import (
    NOBODY,
    ConquestView,
    FleetView,
    GroupView,
    Kinds,
    MarkerView,
    StackView,
    TileView,
)
from render.canvas import Canvas, Sprite
from render.conquest.america import name_coast, put_coast, put_landmarks
from render.conquest.ground import ground, side_to
from render.conquest.hexes import (
    CHARTED,
    SEA,
    control_rim,
    hidden_tile,
    legal_ring,
    link,
    news_ring,
    tile_rim,
    wake,
    wake_head,
)
from render.conquest.labels import Labels, Text
from render.conquest.layout import HALO, LEGAL_TEXT, TEXT, WIDTH, Crop
from render.conquest.news import News
from render.conquest.tokens import (
    OCHRE,
    box,
    counter,
    explorer,
    hut,
    knot,
    local_warrior,
    malaria,
    planned,
    shape_mark,
)
from render.fonts import CAP_HEIGHT, Face, label, width
from render.news import bud
from render.palette import (
    BARK,
    CASING,
    CODE_SEA,
    CODE_UNKNOWN,
    CREAM,
    KEYLINE,
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
READ = ("code", "count")
"""What of all that stands in a hex is read."""

# The lanes of a hex, as shares of its width below its middle.
BOX_LANE = -0.3
CODE_LANE = -0.135
PIECE_LANE = 0.085
FOOT = 0.32
SEA_FOOT = 0.345
LOW_FOOT = 0.425
"""Where two rows of pieces take the lane of the name."""
UPPER, LOWER = -0.19, 0.21
"""The two rows of a small hex."""

KNOT_ALONE = (0, -0.03)
KNOT_BESIDE = (0.32, 0.15)

CANOE_SPAN = 1.4
"""How wide a canoe is, in counters."""
DIGIT_SPAN = 0.85
"""How much of a number stands beside its counter; the rest stands on it."""
ROW = 3
"""More things than this stand in two rows."""
DEED_TEXT = round(WIDTH * 0.021)
"""The numbers of deeds."""
MOST_NUMBERS = 2
"""Of the deeds in one hex so many have their numbers there, the newest."""


def theatre(view: ConquestView, rings: Sequence[str], crop: Crop, news: News) -> Image.Image:
    """The crop with everything on it."""
    drawing = _Theatre(view, frozenset(rings), crop, news)
    # What lies flat comes first, then lines over it, then pieces on the lines; what must be read is
    # never covered.
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


class _Part(Struct, frozen=True):
    """Something that stands in the lane of pieces: a piece, several alike, or a sign."""

    shows: str
    drawn: Callable[[int], Sprite]
    """The sprite by the size of a counter."""
    count: int = 0
    """The number beside it, 0 for none."""
    span: float = 1
    """How wide it is, in counters."""


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

    def __init__(self, view: ConquestView, rings: frozenset[str], crop: Crop, news: News) -> None:
        self.view = view
        self.rings = rings
        self.crop = crop
        self.news = news
        self.canvas = Canvas(ground(view, crop))
        put_coast(self.canvas, crop)
        self.labels = Labels(self.canvas)
        self.hidden_tiles = {tile.spot: tile for tile in view.tiles if not tile.up}
        self.units = _units_of(view)
        self.filled: set[str] = set()
        """Hexes in which something stands."""
        self.low: set[str] = set()
        """Hexes whose pieces stand in two rows."""
        self.numbers: list[tuple[str, str, int, int]] = []
        """The numbers beside pieces, with their hexes and places."""
        self.markers: dict[str, MarkerView] = {}
        self.explorer_at = ""
        self.explorer_seat = NOBODY
        self.explorer_lands = False
        """Whether the Explorer stands in a row with pieces."""
        if view.voyage is not None:
            self.markers = {marker.spot: marker for marker in view.voyage.markers}
            self.explorer_at, self.explorer_seat = view.voyage.at, view.voyage.seat

    def _put(
        self, sprite: Sprite, spot: str, right: float = 0, down: float = 0, shows: str = ""
    ) -> None:
        """Put a sprite in a hex, off its middle by shares of its width."""
        x, y = self.crop.place(spot)
        self._stand(sprite, spot, x + self.crop.part(right), y + self.crop.part(down), shows)

    def _stand(
        self, sprite: Sprite, spot: str, x: int, y: int, shows: str = "", letters: int = 0
    ) -> None:
        """Put a sprite in a hex; `shows` is what it tells, and is kept free of labels, '' if it
        merely decorates.

        A text has letters of that size.
        """
        # A hex of which only a part is to be seen tells nothing.
        told = f"{shows}:{spot}" if shows and self.crop.holds(spot) else ""
        self.canvas.put(sprite, x, y, told)
        if told:
            if shows in READ:
                self.labels.keep_off_text(sprite, x, y, letters)
            else:
                self.labels.keep_off(sprite, x, y)
            self.filled.add(spot)

    # Grounds and marks.

    def marks(self) -> None:
        """Tiles face down, rims, rings: what may be chosen lies over what is, and the news over
        both.
        """
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
        # A set has no order, and rings of neighbours overlap: sorted, the same view gives the same
        # picture.
        for spot in sorted(self.rings):
            self._put(legal_ring(unit), spot)
        # The newest ring of a hex is the one that shows.
        newest = {spot: number for number, deed in self.news.numbered() for spot in deed.rings}
        for spot, number in sorted(newest.items(), key=lambda item: item[1]):
            if spot in HEX_AT and self.crop.shows(spot):
                self._put(news_ring(unit, self.news.mark(number).age), spot)

    def lines(self) -> None:
        """Chains, then the ways of what was sailed, the oldest first."""
        # All casings before all colours: else the casing of a link would cut the one before it
        # where they meet.
        for seat, nation in enumerate(self.view.nations):
            livery = livery_of(seat)
            casing = CREAM if livery.cream_line else KEYLINE
            for colour, thick in ((casing, 0.4), (livery.colour, 0.22)):
                for start, end in nation.links:
                    # In the lane of the pieces: a chain runs from canoe to canoe.
                    self._link(start, end, colour, thick, PIECE_LANE)
        unit = self.crop.unit
        for number, deed in self.news.numbered():
            mark = self.news.mark(number)
            steps = [(start, end, side_to(start, end)) for start, end in pairwise(deed.way)]
            seen = [step for step in steps if self.crop.shows(step[0]) or self.crop.shows(step[1])]
            for layer in range(3):
                for start, _, side in seen:
                    if side is not None:
                        self._put(wake(unit, side, mark, layer), start)
                if seen and seen[-1] == steps[-1] and seen[-1][2] is not None and layer < 2:
                    self._put(wake_head(unit, seen[-1][2], mark, layer), seen[-1][0])

    def _link(self, start: str, end: str, colour: Colour, thick: float, down: float) -> None:
        side = side_to(start, end)
        if side is not None and (self.crop.shows(start) or self.crop.shows(end)):
            self._put(link(self.crop.unit, side, colour, thick), start, 0, down)

    # Pieces.

    def things(self) -> None:
        """All that stands in the hexes."""
        for group in self.view.groups:
            if self.crop.shows(group.spot):
                self._group(group)
        for tile in self.hidden_tiles.values():
            if self.crop.shows(tile.spot):
                self._discoverers(tile)
        wanted = self._wanted()
        # From the north to the south, so that pieces that reach into the next hex stand before what
        # is behind them.
        for spot in sorted(
            {*self.units, *wanted, *self.view.group_at}, key=lambda spot: self.crop.place(spot)[1]
        ):
            if self.crop.shows(spot):
                self._pieces(spot, self._parts_at(spot, wanted[spot]))
        # After all pieces, or the next one would cover the number of the one before it.
        for number, spot, x, y in self.numbers:
            self._stand(_count(number, "l"), spot, x, y, "count", TEXT)
        self._voyage()

    def _group(self, group: GroupView) -> None:
        spot = group.spot
        if self.crop.is_large:
            boxes = _Boxes(
                group.green,
                group.brown,
                group.villages,
                group.improved,
                group.owner,
                group.independent,
            )
            self._boxes(spot, boxes)
        elif group.villages and spot not in self.rings:
            # Small hexes have room for one Village and a number; where a ring is, the bright code
            # needs it.
            self._number(village(group.owner, self.crop.part(0.36)), spot, group.villages)

    def _number(self, sprite: Sprite, spot: str, number: int) -> None:
        """A sprite with a number to its right, both together in the upper half of a small hex."""
        text = str(number)
        x, y = self.crop.place(spot)
        x -= width(text, Face.STRONG, TEXT) // 2
        y += self.crop.part(UPPER)
        self._stand(sprite, spot, x, y, "village")
        self._stand(_count(text, "l"), spot, x + self.crop.part(0.13), y, "count", TEXT)

    def _boxes(self, spot: str, boxes: _Boxes) -> None:
        """The boxes side by side, green ones first, as Villages are built in them from the left."""
        number = boxes.green + boxes.brown
        size, step = (0.165, 0.18) if number > 3 else (0.18, 0.2)
        for place in range(number):
            right = (place - (number - 1) / 2) * step
            is_green = place < boxes.green
            is_improved = not is_green and place - boxes.green < boxes.improved
            # Huts and Villages are larger than their box and a little higher: they stand in it.
            settled: Sprite | None = None
            if boxes.independent and is_green:
                settled = hut(self.crop.part(size * 1.15))
            elif place < boxes.villages and boxes.owner != NOBODY:
                settled = village(boxes.owner, self.crop.part(size * 1.25))
            empty = "" if settled else "box"
            self._put(
                box(self.crop.part(size), is_green, is_improved), spot, right, BOX_LANE, empty
            )
            if settled is not None:
                self._put(settled, spot, right, BOX_LANE - 0.02, "village")

    def _discoverers(self, tile: TileView) -> None:
        """The shapes of those who know a tile face down; lower for a viewer who knows it too and
        sees its boxes.
        """
        size, down = 0.34, -0.06
        if tile.key and self.crop.is_large:
            size, down = 0.25, PIECE_LANE
            self._boxes(tile.spot, _Boxes(TILES[tile.key].green, TILES[tile.key].brown))
        elif tile.spot in self.rings:
            size, down = (0.28, CODE_LANE) if self.crop.is_large else (0.3, UPPER)
        if tile.spot == self.explorer_at:
            # Beside the hull, one above the other.
            for place, seat in enumerate(tile.seen):
                self._put(
                    shape_mark(seat, self.crop.part(0.2)),
                    tile.spot,
                    -0.31,
                    0.13 - 0.17 * place,
                    "owner",
                )
        # Where pieces lie on the tile, the shapes stand in a row with them.
        elif tile.spot not in self.units:
            for place, seat in enumerate(tile.seen):
                right = (place - (len(tile.seen) - 1) / 2) * (size - 0.05)
                self._put(shape_mark(seat, self.crop.part(size)), tile.spot, right, down, "owner")

    def _wanted(self) -> Counter[str]:
        """How many items of the viewer's own list are meant for each hex."""
        own = self.view.own
        if own is None or own.build is None:
            return Counter()
        return Counter(spot for _, spot in own.build.items if spot in HEX_AT)

    def _parts_at(self, spot: str, wanted: int) -> list[_Part]:
        """What stands in the lane of pieces of a hex: Local Warriors, pieces, then signs."""
        group = self.view.group_at.get(spot)
        parts: list[_Part] = []
        if group is not None and group.independent and group.warriors:
            parts.append(
                _Part(
                    "warriors", lambda size: local_warrior(round(size * 1.1)), group.warriors, 0.9
                )
            )
        if spot in self.units and spot in self.hidden_tiles:
            parts += [_discoverer(seat) for seat in self.hidden_tiles[spot].seen]
        for unit in self.units.get(spot, ()):
            parts += _parts(unit) if self.crop.is_large else [_whole(unit)]
        if (
            self.view.malaria_played
            and spot in PRINTED
            and PRINTED[spot].malaria
            and self.crop.is_large
        ):
            rolls = PRINTED[spot].malaria
            parts.append(
                _Part(
                    "malaria", lambda size: malaria(rolls, TEXT), span=0.75 + 0.4 * (len(rolls) - 1)
                )
            )
        if wanted:
            parts.append(_Part("planned", lambda size: planned(wanted, size)))
        if spot == self.explorer_at and parts:
            # Over them it would hide what they are: it stands in their row, and so do its Knots.
            parts.append(
                _Part(
                    "explorer",
                    lambda size: explorer(self.explorer_seat, round(size * 1.3)),
                    span=1.3,
                )
            )
            if spot in self.markers:
                knots = self.markers[spot].knots
                parts.append(_Part("count", lambda size: knot(knots, size)))
            self.explorer_lands = True
        return parts

    def _pieces(self, spot: str, parts: Sequence[_Part]) -> None:
        """The pieces in a hex, side by side; in two rows where they are many."""
        group = self.view.group_at.get(spot)
        if not self.crop.is_large:
            # Above the code of a legal hex, below the Village of another one.
            is_lower = group is not None and group.villages and spot not in self.rings
            self._row(spot, parts, LOWER if is_lower else UPPER if spot in self.rings else 0)
            return
        is_land = group is not None or spot in self.hidden_tiles
        # At sea face-down pieces take the middle, as nothing else is there. An open canoe lies
        # where its chain runs.
        down = (
            PIECE_LANE if is_land else 0.04 if any(part.shows == "canoe" for part in parts) else 0.0
        )
        if len(parts) <= ROW:
            self._row(spot, parts, down, 0.27)
            return
        half = (len(parts) + 1) // 2
        upper, lower, largest = (-0.085, 0.115, 0.175) if is_land else (-0.2, 0.03, 0.21)
        if is_land and spot in self.rings:
            # The code takes the upper row's lane, and so the name has to make way for the lower
            # row.
            upper, lower, largest = 0.035, 0.205, 0.16
            self.low.add(spot)
        self._row(spot, parts[:half], upper, largest)
        self._row(spot, parts[half:], lower, largest)

    def _row(self, spot: str, row: Sequence[_Part], down: float, largest: float = 0.31) -> None:
        """Parts side by side, as large as the hex has room for and at most `largest` of its
        width.
        """
        if not row:
            return
        digits = [width(str(part.count), Face.STRONG, TEXT) if part.count else 0 for part in row]
        # Wider rows would reach the boxes of the next columns.
        room = self.crop.part(0.78) - DIGIT_SPAN * sum(digits)
        counters = sum(part.span for part in row)
        token = max(self.crop.part(0.16), min(self.crop.part(largest), round(room / counters)))
        spans = [
            token * part.span + DIGIT_SPAN * digit for part, digit in zip(row, digits, strict=True)
        ]
        x, y = self.crop.place(spot)
        y += self.crop.part(down)
        left = x - sum(spans) / 2
        # On the lower right corner of the counter, so that its face stays to be seen; in a small
        # hex beside it.
        lower = round(token * 0.1) if self.crop.is_large and spot not in self.low else 0
        for part, span in zip(row, spans, strict=True):
            wide = token * part.span
            self._stand(part.drawn(token), spot, round(left + wide / 2), y, part.shows)
            if part.count:
                self.numbers.append(
                    (str(part.count), spot, round(left + wide - token * 0.12), y + lower)
                )
            left += span

    def _voyage(self) -> None:
        """The Explorer at sea, then the Knots of the voyage, which may overlap its sail."""
        voyage = self.view.voyage
        if voyage is None:
            return
        if voyage.at in HEX_AT and self.crop.shows(voyage.at) and not self.explorer_lands:
            # A marker in the same hex stands right of the sail. Below boxes and beside shapes the
            # Explorer is smaller.
            right = -0.07 if voyage.at in self.markers else 0
            size, down = 0.6, -0.08
            if self.crop.is_large and self.view.hex_at[voyage.at].face not in ("sea", "unknown"):
                size, down = 0.42, 0.06
            if voyage.at in self.hidden_tiles:
                size, right = 0.42, 0.08
            self._put(
                explorer(voyage.seat, self.crop.part(size)), voyage.at, right, down, "explorer"
            )
        for spot, marker in self.markers.items():
            if not self.crop.shows(spot) or (self.explorer_lands and spot == voyage.at):
                continue
            if spot == voyage.at or spot in self.hidden_tiles or spot in self.view.group_at:
                self._put(knot(marker.knots, self.crop.part(0.27)), spot, *KNOT_BESIDE, "count")
            else:
                self._put(knot(marker.knots, self.crop.part(0.3)), spot, *KNOT_ALONE, "count")

    # Words.

    def words(self) -> None:
        """Codes where they belong, names and numbers where they hide nothing; the flower on the
        newest deed.
        """
        names, codes = [], []
        for hex in HEXES:
            spot = hex.code
            # A hex at the edge of which only a part is to be seen says nothing: half a code would
            # mislead.
            if not self.crop.holds(spot):
                continue
            face = self.view.hex_at[spot]
            is_known = face.face in ("group", "atoll") or (face.face == "hidden" and face.key != "")
            if is_known and self.crop.is_large:
                names.append((spot, face.key))
                # A name needs its code only where it may be chosen.
                if spot in self.rings:
                    self._text(
                        spot, CODE_LANE, _legal_code(spot, TEXT if spot in self.low else LEGAL_TEXT)
                    )
            elif spot in self.rings:
                self._code(spot, face.face)
            else:
                codes.append((spot, face.face))
        put_landmarks(
            self.canvas,
            self.view,
            self.crop,
            frozenset({*self.units, *self.markers, self.explorer_at}),
        )
        name_coast(self.canvas, self.view, self.crop, AMERICA in self.rings)
        self._names(names)
        # A code that is merely printed makes way for a name, which has fewer places.
        for spot, printed in codes:
            self._code(spot, printed)
        self._numbers()

    def _code(self, spot: str, face: str) -> None:
        """A hex's code: in the middle of empty ones, at the foot of others; bright where it may
        be chosen.
        """
        is_filled = spot in self.filled
        if is_filled and not self.crop.is_large and spot not in self.rings:
            # What stands there fills a small hex; its neighbours' codes say where it is.
            return
        foot = SEA_FOOT if self.crop.is_large else LOWER
        is_land = face not in ("sea", "unknown") and self.crop.is_large
        down = foot if is_filled or is_land else 0
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

    def _text(self, spot: str, down: float, sprite: Sprite) -> None:
        """A code in its hex, moved aside where it would leave the theatre."""
        x, y = self.crop.place(spot)
        half = sprite.at[0]
        x = min(max(x, half), self.crop.across - half)
        # In the lowest row, where a code stands at the foot of its hex, it would reach over the
        # edge.
        lowest = self.crop.high - round(LEGAL_TEXT * CAP_HEIGHT / 2 + HALO)
        y = min(y + self.crop.part(down), lowest)
        if spot not in self.rings:
            x, y = self.labels.beside(sprite, x, y, TEXT)
        self._stand(sprite, spot, x, y, "code", LEGAL_TEXT)

    def _names(self, names: Sequence[tuple[str, str]]) -> None:
        """The names of lands at the foot of their hexes, a star before that of a Home; the
        longest are placed first.
        """
        texts = []
        for spot, land in names:
            group = self.view.group_at.get(spot)
            is_home = group is not None and group.home != NOBODY
            x, y = self.crop.place(spot)
            y += self.crop.part(LOW_FOOT if spot in self.low else FOOT)
            is_coded = spot in self.rings
            texts.append(
                Text(spot, words_of("conquest").word(land, "short"), x, y, is_home, is_coded)
            )
        self.labels.write(texts)

    def _numbers(self) -> None:
        """The deeds' numbers beside their hexes; where there is but one deed, the flower alone."""
        if not self.news.deeds:
            return
        deeds_at: dict[str, list[int]] = {}
        for number, deed in self.news.numbered():
            # A way has its number at its end, what was built one in each hex.
            for spot in deed.rings if not deed.way else deed.rings[:1]:
                if spot in HEX_AT and self.crop.holds(spot):
                    deeds_at.setdefault(spot, []).append(number)
        for spot, numbers in deeds_at.items():
            for number in numbers[-MOST_NUMBERS:]:
                sprite = bud(self.crop.part(0.27), self.news.mark(number), DEED_TEXT)
                self.labels.pin(
                    sprite,
                    self.crop.place(spot),
                    self.crop.unit,
                    self.crop.rise,
                    f"news:{number} {spot}",
                )


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


def _parts(unit: _Unit) -> Iterator[_Part]:
    """A unit as canoe and counters: kinds for their owner, one face-down counter for others."""
    if unit.open:
        yield _canoe(unit.seat)
    if unit.kinds is None:
        if unit.hidden:
            yield _counter(unit.seat, unit.hidden)
        return
    for kind in KINDS:
        number = unit.kinds.of(kind)
        if number:
            yield _counter(unit.seat, number if number > 1 else 0, kind)


def _whole(unit: _Unit) -> _Part:
    """A unit where hexes are small: a canoe if there is nothing else, or a counter with the
    number of all.
    """
    if unit.open and not unit.hidden:
        return _canoe(unit.seat)
    return _counter(unit.seat, unit.hidden + unit.open)


def _discoverer(seat: int) -> _Part:
    return _Part("owner", lambda size: shape_mark(seat, size), span=0.85)


def _canoe(seat: int) -> _Part:
    return _Part("canoe", lambda size: canoe(seat, round(size * 1.3)), span=CANOE_SPAN)


def _counter(seat: int, count: int, kind: str = "") -> _Part:
    return _Part("piece", lambda size: counter(seat, size, kind), count)


def _count(text: str, align: str = "m") -> Sprite:
    return label(text, Face.STRONG, TEXT, WHITE, align, CASING, HALO)


def _legal_code(spot: str, size: int = LEGAL_TEXT) -> Sprite:
    return label(spot.upper(), Face.STRONG, size, LEGAL, "m", CASING, HALO)
