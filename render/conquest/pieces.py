"""The rows of pieces in the hexes of the main map, and the Explorer with its Knots."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from engine.conquest.board import HEX_AT, KINDS, PRINTED
from engine.conquest.view import ConquestView, FleetView, Kinds, StackView
from render.canvas import Sprite
from render.chrome import LEAST, share
from render.conquest.hex_canvas import (
    PIECE_LANE,
    SMALL_LOWER_ROW,
    SMALL_UPPER_ROW,
    HexCanvas,
)
from render.conquest.layout import HALO, TEXT, WIDTH
from render.conquest.tokens import (
    counter,
    explorer,
    knot,
    local_warrior,
    malaria,
    planned,
    shape_mark,
)
from render.fonts import Face, label, text_width
from render.palette import CASING, WHITE
from render.pieces import canoe

# Spans (widths in a row) and sizes of what stands in a row, where a counter is 1.
CANOE_SPAN = 1.4
CANOE_SIZE = 1.3
EXPLORER_SIZE = 1.3
WARRIOR_SPAN = 0.9
WARRIOR_SIZE = 1.1
SHAPE_SPAN = 0.85
MALARIA_SPAN = 0.75
"""The width of a malaria sign that shows one roll of the die."""
MALARIA_ROLL_SPAN = 0.4
"""How much wider the sign is for each further roll."""
NUMBER_OVERLAP = 0.12
"""How far a number reaches over its counter."""
NUMBER_DOWN = 0.1
DIGIT_SPAN = 0.85
"""The share of a number that stands beside its counter; the rest stands on it."""

# Rows, in shares of a hex's width from its middle.
ROW_WIDTH = 0.78
"""A wider row would reach the boxes of the neighbouring columns."""
LEAST_COUNTER = share(WIDTH, LEAST)
"""In pixels: a smaller one cannot be read on a phone."""
ONE_ROW_COUNTER = 0.27
SMALL_HEX_COUNTER = 0.31
MOST_KINDS = 2
"""More kinds of pieces than this are one counter in a hex, and listed below the map."""
OPEN_CANOE_AT_SEA = 0.04
"""How far below the middle an open canoe lies at sea, where its chain runs."""
MOST_IN_ONE_ROW = 3

# The Explorer and Knots, in shares of a hex's width from its middle.
KNOT_ALONE_SIZE = 0.3
KNOT_ALONE = (0, -0.03)
KNOT_BESIDE_SIZE = 0.27
KNOT_BESIDE = (0.32, 0.15)
EXPLORER_AT_SEA = 0.6
EXPLORER_AT_SEA_DOWN = -0.08
EXPLORER_ON_LAND = 0.42
EXPLORER_ON_LAND_DOWN = 0.06
EXPLORER_BESIDE_KNOT = -0.07
EXPLORER_BESIDE_SHAPES = 0.08


class Unit(Struct, frozen=True):
    """Pieces of one seat that lie together."""

    seat: int
    hidden: int
    open: bool
    """One Transport Canoe lies face up; it is not among the kinds."""
    kinds: Kinds | None
    """The kinds that lie face down, if the viewer owns them; None if not."""


class Part(Struct, frozen=True):
    """Something that stands in a row of pieces: a piece, several alike, or a sign."""

    shows: str
    draw: Callable[[int], Sprite]
    """Draws it for counters of a size in pixels."""
    count: int = 0
    """The number beside it, 0 for none."""
    span: float = 1
    """Its width in counters."""


class Number(Struct, frozen=True):
    """A number beside a piece, and where it goes."""

    text: str
    spot: str
    x: int
    y: int


class TwoRows(Struct, frozen=True):
    """Where two rows stand in a hex, and how large their counters may be."""

    upper: float
    lower: float
    largest: float


ROWS_ON_LAND = TwoRows(-0.1, 0.135, 0.225)
ROWS_AT_SEA = TwoRows(-0.2, 0.045, 0.225)
ROWS_UNDER_CODE = TwoRows(0.02, 0.25, 0.225)


def draw_pieces(main_map: HexCanvas) -> None:
    """Draw the pieces in every hex, their numbers, and the Explorer at sea."""
    view, crop = main_map.view, main_map.crop
    units = units_by_hex(view)
    # What the viewer's build list will add to each hex is shown as a number.
    planned_items: Counter[str] = Counter()
    if view.own is not None and view.own.build is not None:
        planned_items.update(spot for _, spot in view.own.build.items if spot in HEX_AT)
    spots = {*units, *planned_items, *view.group_at}
    numbers: list[Number] = []
    explorer_in_row = False
    # From north to south: pieces that reach into the next hex stand in front of what is behind.
    for spot in sorted(spots, key=lambda spot: crop.middle_of(spot)[1]):
        # Pieces in a hex that the edge cuts off could be miscounted, so they are left out.
        if not crop.holds(spot):
            continue
        parts = list(_parts_in(main_map, spot, units.get(spot, []), planned_items[spot]))
        if parts and spot == main_map.explorer_at:
            # The Explorer would hide the pieces if it stood on them, so it joins their row.
            explorer_in_row = True
            parts += _explorer_parts(main_map)
        numbers += _draw_rows(main_map, spot, parts)
    # Numbers come after all pieces, or the next piece would cover the number of the one before.
    for number in numbers:
        sprite = count_label(number.text, "l")
        main_map.put_at(sprite, number.spot, number.x, number.y, "count", TEXT)
    _draw_voyage(main_map, explorer_in_row)


def count_label(text: str, align: str = "m") -> Sprite:
    """Return the label of a number beside a piece."""
    return label(text, Face.STRONG, TEXT, WHITE, align, CASING, HALO)


def units_by_hex(view: ConquestView) -> dict[str, list[Unit]]:
    """Return the pieces in each hex: stacks, then fleets under way."""
    units: dict[str, list[Unit]] = {}
    for stack in view.stacks:
        unit = Unit(stack.seat, stack.hidden, stack.open, _face_down(stack))
        units.setdefault(stack.spot, []).append(unit)
    for fleet in view.fleets:
        unit = Unit(fleet.seat, fleet.count - fleet.open, fleet.open, _face_down(fleet))
        units.setdefault(fleet.at, []).append(unit)
    return units


def _face_down(pieces: StackView | FleetView) -> Kinds | None:
    """Return the kinds that lie face down, if the viewer owns them."""
    if pieces.kinds is not None and pieces.open:
        return pieces.kinds.minus(Kinds(t=1))
    return pieces.kinds


def _parts_in(
    main_map: HexCanvas, spot: str, units: Sequence[Unit], planned_items: int
) -> Iterator[Part]:
    """Yield the parts in the row of a hex: Local Warriors, discoverers, pieces, signs."""
    view, is_large = main_map.view, main_map.crop.is_large
    group = view.group_at.get(spot)
    if group is not None and group.independent and group.warriors:
        yield Part(
            "warriors",
            lambda size: local_warrior(round(size * WARRIOR_SIZE)),
            group.warriors,
            WARRIOR_SPAN,
        )
    # Pieces would cover the shapes of those who discovered a tile, so these join the row.
    if units and spot in main_map.hidden_tiles:
        for seat in main_map.hidden_tiles[spot].seen:
            yield Part("owner", partial(shape_mark, seat), span=SHAPE_SPAN)
    for unit in units:
        yield from _unit_parts(unit, is_large)
    rolls = PRINTED[spot].malaria if spot in PRINTED and view.malaria_played else ()
    if rolls and is_large:
        span = MALARIA_SPAN + MALARIA_ROLL_SPAN * (len(rolls) - 1)
        yield Part("malaria", lambda size: malaria(rolls, TEXT), span=span)
    if planned_items:
        yield Part("planned", lambda size: planned(planned_items, size))


def _unit_parts(unit: Unit, is_large: bool) -> Iterator[Part]:
    """Yield a unit's open canoe, then its counters: by kind for the owner, else one face down.

    A small hex has room for one counter only, with the number of all pieces. So has a large one
    where many kinds lie: the owner finds them listed below the map.
    """
    counters: list[tuple[str, int]] = []
    kinds = [kind for kind in KINDS if unit.kinds is not None and unit.kinds.of(kind)]
    if not is_large and unit.hidden:
        counters.append(("", unit.hidden + unit.open))
    else:
        if unit.open:
            yield Part(
                "canoe", lambda size: canoe(unit.seat, round(size * CANOE_SIZE)), span=CANOE_SPAN
            )
        if unit.kinds is not None and len(kinds) + unit.open <= MOST_KINDS:
            for kind in kinds:
                number = unit.kinds.of(kind)
                # A single counter needs no number.
                counters.append((kind, number if number > 1 else 0))
        elif unit.hidden:
            counters.append(("", unit.hidden))
    for kind, number in counters:
        yield Part("piece", partial(counter, unit.seat, kind=kind), number)


def _explorer_parts(main_map: HexCanvas) -> Iterator[Part]:
    """Yield the Explorer as a part of a row, and the Knots of its hex."""
    seat = main_map.explorer_seat
    yield Part(
        "explorer", lambda size: explorer(seat, round(size * EXPLORER_SIZE)), span=EXPLORER_SIZE
    )
    marker = main_map.markers.get(main_map.explorer_at)
    if marker is not None:
        yield Part("count", lambda size: knot(marker.knots, size))


def _draw_rows(main_map: HexCanvas, spot: str, parts: Sequence[Part]) -> list[Number]:
    """Draw the pieces of a hex in one row or two; return the numbers that belong to them."""
    group = main_map.view.group_at.get(spot)
    is_legal = spot in main_map.rings
    down = 0.0
    # A small hex has two rows: a code or Villages take one, pieces the other.
    if not main_map.crop.is_large:
        if is_legal:
            down = SMALL_UPPER_ROW
        elif group is not None and group.villages:
            down = SMALL_LOWER_ROW
        return _draw_row(main_map, spot, parts, down, SMALL_HEX_COUNTER)
    is_land = group is not None or spot in main_map.hidden_tiles
    if is_land:
        down = PIECE_LANE
    elif any(part.shows == "canoe" for part in parts):
        down = OPEN_CANOE_AT_SEA
    if len(parts) <= MOST_IN_ONE_ROW:
        return _draw_row(main_map, spot, parts, down, ONE_ROW_COUNTER)
    rows = ROWS_ON_LAND if is_land else ROWS_AT_SEA
    if is_land and is_legal:
        # The code takes the lane of the upper row. Both rows move down, and so does the name.
        rows = ROWS_UNDER_CODE
        main_map.lowered_names.add(spot)
    half = (len(parts) + 1) // 2
    numbers = _draw_row(main_map, spot, parts[:half], rows.upper, rows.largest)
    numbers += _draw_row(main_map, spot, parts[half:], rows.lower, rows.largest)
    return numbers


def _draw_row(
    main_map: HexCanvas, spot: str, row: Sequence[Part], down: float, largest: float
) -> list[Number]:
    """Draw parts side by side, as large as the hex has room for and at most `largest`."""
    if not row:
        return []
    crop = main_map.crop
    digit_widths = [
        text_width(str(part.count), Face.STRONG, TEXT) if part.count else 0 for part in row
    ]
    # Digits keep their size however many pieces there are; counters share the room that is left.
    room = crop.hex_share(ROW_WIDTH) - DIGIT_SPAN * sum(digit_widths)
    fitting = round(room / sum(part.span for part in row))
    token = max(LEAST_COUNTER, min(crop.hex_share(largest), fitting))
    widths = [
        token * part.span + DIGIT_SPAN * digits
        for part, digits in zip(row, digit_widths, strict=True)
    ]
    x, y = crop.middle_of(spot)
    y += crop.hex_share(down)
    left = x - sum(widths) / 2
    # In a large hex numbers stand on the lower right corner of their counter, so that its face
    # stays visible; in a small or crowded one beside it.
    is_roomy = crop.is_large and spot not in main_map.lowered_names
    number_down = round(token * NUMBER_DOWN) if is_roomy else 0
    numbers = []
    for part, part_width in zip(row, widths, strict=True):
        across = token * part.span
        main_map.put_at(part.draw(token), spot, round(left + across / 2), y, part.shows)
        if part.count:
            number_left = round(left + across - token * NUMBER_OVERLAP)
            numbers.append(Number(str(part.count), spot, number_left, y + number_down))
        left += part_width
    return numbers


def _draw_voyage(main_map: HexCanvas, explorer_in_row: bool) -> None:
    """Draw the Explorer unless it stands in a row, then the Knots, which may overlap its sail."""
    view, crop = main_map.view, main_map.crop
    at = main_map.explorer_at
    if at in HEX_AT and crop.holds(at) and not explorer_in_row:
        size, down = EXPLORER_AT_SEA, EXPLORER_AT_SEA_DOWN
        right = EXPLORER_BESIDE_KNOT if at in main_map.markers else 0.0
        if crop.is_large and view.hex_at[at].face not in ("sea", "unknown"):
            size, down = EXPLORER_ON_LAND, EXPLORER_ON_LAND_DOWN
        if at in main_map.hidden_tiles:
            size, right = EXPLORER_ON_LAND, EXPLORER_BESIDE_SHAPES
        sprite = explorer(main_map.explorer_seat, crop.hex_share(size))
        main_map.put(sprite, at, right, down, "explorer")
    for spot, marker in main_map.markers.items():
        if not crop.holds(spot) or (explorer_in_row and spot == at):
            continue
        is_shared = spot == at or spot in main_map.hidden_tiles or spot in view.group_at
        size = KNOT_BESIDE_SIZE if is_shared else KNOT_ALONE_SIZE
        right, down = KNOT_BESIDE if is_shared else KNOT_ALONE
        main_map.put(knot(marker.knots, crop.hex_share(size)), spot, right, down, "count")
