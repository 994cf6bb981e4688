"""Map files: their contents, and everything that can be wrong with them.

Hosts may write maps of their own, so for every fault text/en.toml has a text that says what to
change. Saved matches hold maps in this format: fields are never renamed, and checks never become
stricter.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from engine.core.errors import BadSettings
from engine.core.escape import escape_text
from engine.core.words import words_of

DATA = Path(__file__).parent / "data"
BUNDLED = tuple(sorted(path.stem for path in DATA.glob("*.json")))
"""The maps that come with the game, by name."""
ITEM_LETTERS = "CBWPS"
STATUETTE_LETTER = "S"
MAX_TEXT = 100_000
"""Characters of a map's text."""
MAX_FAULT = 200
"""Characters of a decoder's message that are repeated."""
MAX_NAME = 40
MAX_ROWS = 30
MAX_WIDTH = 30
MAX_COUNT = 200
"""Pieces or items of a kind: more than any sensible map has."""
MAX_VALUE = 999
"""The largest value that fits on an island's sign."""
ISLAND_ID = re.compile(r"[a-z]{1,2}")

Cell = tuple[int, int]
EVEN_ROW = (
    (0, -1),
    (0, 1),
    (-1, 0),
    (-1, 1),
    (1, 0),
    (1, 1),
)
ODD_ROW = (
    (0, -1),
    (0, 1),
    (-1, -1),
    (-1, 0),
    (1, -1),
    (1, 0),
)
"""Steps to the neighbours: even rows are shifted half a cell to the right."""


class Island(Struct, frozen=True):
    """An island in a map file."""

    id: str
    majority_value: int
    cells: tuple[Cell, ...]


class Pieces(Struct, frozen=True):
    """The number of pieces per seat; settlers depend on the number of seats."""

    settlers: dict[str, int] = field(default_factory=lambda: {"2": 30, "3": 25, "4": 20})
    villages: int = 5


class Deltas(Struct, frozen=True):
    """The neighbours of a cell, if a map file spells them out; only one form is accepted."""

    even_row: tuple[Cell, ...] = EVEN_ROW
    odd_row: tuple[Cell, ...] = ODD_ROW


DEFAULT_ITEMS = {
    "C": 6,
    "B": 6,
    "W": 6,
    "P": 6,
    "S": 8,
}
"""The numbers of coconuts, bamboo, water, precious stones and statuettes."""


class MapData(Struct, frozen=True):
    """A map file."""

    row_widths: tuple[int, ...]
    islands: tuple[Island, ...]
    stone_circles: tuple[Cell, ...]
    name: str = "custom"
    height: int | None = None
    pieces: Pieces = field(default_factory=Pieces)
    items: dict[str, int] = field(default_factory=DEFAULT_ITEMS.copy)
    neighbour_deltas: Deltas = Deltas()


def canonical(source: str) -> str:
    """Return a map as a match stores it: the name of a bundled one, else its JSON in one form."""
    if source in BUNDLED:
        return source
    return msgspec.json.encode(read_map(source), order="deterministic").decode()


def read_map(source: str) -> MapData:
    """Read a map from data/, JSON or a picture; raise BadSettings with the fault if it has one."""
    # Imported here because picture.py imports this module.
    from engine.blue_lagoon.picture import looks_like_picture, read_picture

    words = words_of("blue_lagoon")
    if source in BUNDLED:
        source = (DATA / f"{source}.json").read_text(encoding="utf-8")
    if len(source) > MAX_TEXT:
        raise BadSettings(words.say("refusal.map_too_long", length=len(source), most=MAX_TEXT))
    if looks_like_picture(source):
        data = read_picture(source)
    elif source.lstrip().startswith("{"):
        try:
            data = msgspec.json.decode(source, type=MapData)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise BadSettings(
                words.say("refusal.no_map", why=escape_text(str(error), MAX_FAULT))
            ) from error
    else:
        raise BadSettings(words.say("refusal.no_such_map", map=escape_text(source), maps=BUNDLED))
    # The order matters, because each check relies on those before it.
    _check_rows(data)
    _check_islands(data)
    _check_land(data)
    _check_circles(data)
    _check_components(data)
    return data


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells around a cell, on the board or not."""
    row, column = cell
    return tuple((row + down, column + right) for down, right in (ODD_ROW if row % 2 else EVEN_ROW))


def _require(fits: bool, fault: str, **facts: Any) -> None:
    """Refuse the map unless the condition holds; `fault` is a key of the texts."""
    if not fits:
        raise refuse_map(fault, **facts)


def refuse_map(fault: str, **facts: Any) -> BadSettings:
    """Return the refusal of a map for a fault, which is a key of the texts."""
    words = words_of("blue_lagoon")
    # Words of the map's author are shown as plain text: they must not ping or format anything.
    facts = {
        name: escape_text(fact) if isinstance(fact, str) else fact for name, fact in facts.items()
    }
    return BadSettings(words.say("refusal.map", fault=words.say(f"fault.{fault}", **facts)))


def _check_rows(data: MapData) -> None:
    widths = data.row_widths
    _require(1 <= len(widths) <= MAX_ROWS, "rows", rows=len(widths), most=MAX_ROWS)
    _require(data.height in (None, len(widths)), "height", height=data.height, rows=len(widths))
    for row, width in enumerate(widths):
        _require(1 <= width <= MAX_WIDTH, "width", row=row, width=width, most=MAX_WIDTH)
        _require(width == widths[0] + row % 2, "stagger", row=row, width=width)
    deltas = data.neighbour_deltas
    _require(
        set(deltas.even_row) == set(EVEN_ROW) and set(deltas.odd_row) == set(ODD_ROW), "deltas"
    )
    _require(len(data.name) <= MAX_NAME and data.name.isprintable(), "name", most=MAX_NAME)


def _check_islands(data: MapData) -> None:
    seen = set()
    for island in data.islands:
        name, value = island.id.lower(), island.majority_value
        _require(ISLAND_ID.fullmatch(name) is not None, "island_name", island=island.id[:10])
        _require(name not in seen, "island_twice", island=name)
        seen.add(name)
        fits = 0 <= value <= MAX_VALUE
        _require(fits, "island_value", island=island.id, value=value, most=MAX_VALUE)


def _check_land(data: MapData) -> None:
    """Check that islands lie within the rows, are connected, do not touch, and leave some sea."""
    owner: dict[Cell, str] = {}
    for island in data.islands:
        for cell in island.cells:
            _require(_is_inside(data, cell), "island_outside", island=island.id, cell=list(cell))
            _require(
                cell not in owner,
                "islands_overlap",
                cell=list(cell),
                one=owner.get(cell),
                other=island.id,
            )
            owner[cell] = island.id
        _require(_is_connected(set(island.cells)), "island_in_parts", island=island.id)
    _require(bool(owner), "no_land")
    _require(len(owner) < sum(data.row_widths), "no_sea")
    for cell, name in owner.items():
        for beside in neighbours(cell):
            other = owner.get(beside, name)
            _require(
                other == name,
                "islands_touch",
                one=name,
                other=other,
                cell=list(cell),
                beside=list(beside),
            )


def _check_circles(data: MapData) -> None:
    land = {cell for island in data.islands for cell in island.cells}
    _require(len(set(data.stone_circles)) == len(data.stone_circles), "circle_twice")
    for circle in data.stone_circles:
        _require(_is_inside(data, circle), "circle_outside", cell=list(circle))
        _require(circle in land, "circle_at_sea", cell=list(circle))


def _check_components(data: MapData) -> None:
    for letter, count in data.items.items():
        is_known = letter in tuple(ITEM_LETTERS) and 0 <= count <= MAX_COUNT
        _require(
            is_known, "items", item=letter[:10], count=count, known=ITEM_LETTERS, most=MAX_COUNT
        )
    resources = sum(count for letter, count in data.items.items() if letter != STATUETTE_LETTER)
    _require(resources > 0, "no_resources")
    circles, items = len(data.stone_circles), sum(data.items.values())
    _require(circles >= items, "few_circles", items=items, circles=circles)
    for seats, count in data.pieces.settlers.items():
        is_known = seats in ("2", "3", "4") and 1 <= count <= MAX_COUNT
        _require(is_known, "settlers", seats=seats[:10], count=count, most=MAX_COUNT)
    villages = data.pieces.villages
    _require(0 <= villages <= MAX_COUNT, "villages", villages=villages, most=MAX_COUNT)


def _is_inside(data: MapData, cell: Cell) -> bool:
    row, column = cell
    return 0 <= row < len(data.row_widths) and 0 <= column < data.row_widths[row]


def _is_connected(cells: set[Cell]) -> bool:
    if not cells:
        return False
    first = next(iter(cells))
    reached = {first}
    queue = [first]
    for cell in queue:
        for other in neighbours(cell):
            if other in cells and other not in reached:
                reached.add(other)
                queue.append(other)
    return reached == cells
