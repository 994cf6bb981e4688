"""Map files: what one holds, and everything that can be wrong with it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, field

from engine.core.errors import BadSettings

DATA = Path(__file__).parent / "data"
BUNDLED = tuple(sorted(path.stem for path in DATA.glob("*.json")))
"""The maps that come with the game, by name."""
ITEM_LETTERS = "CBWPS"
STATUETTE_LETTER = "S"
MAX_TEXT = 100_000
MAX_ROWS = 30
MAX_WIDTH = 30
MAX_COUNT = 200
"""More pieces or items of a kind than any sane map has."""
MAX_VALUE = 999
"""What fits on an island's sign."""
ISLAND_ID = re.compile(r"[a-z]{1,2}")

Cell = tuple[int, int]
EVEN_ROW = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1))
ODD_ROW = ((0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0))
"""Steps to the neighbours: even rows are shifted half a cell to the right."""


class Island(Struct, frozen=True):
    """An island as the map file has it."""

    id: str
    majority_value: int
    cells: tuple[Cell, ...]


class Pieces(Struct, frozen=True):
    """How many pieces a seat takes, settlers by the number of seats."""

    settlers: dict[str, int] = field(default_factory=lambda: {"2": 30, "3": 25, "4": 20})
    villages: int = 5


class Deltas(Struct, frozen=True):
    """The neighbours as a map file may spell them out; there is only one form."""

    even_row: tuple[Cell, ...] = EVEN_ROW
    odd_row: tuple[Cell, ...] = ODD_ROW


class MapData(Struct, frozen=True):
    """A map file."""

    row_widths: tuple[int, ...]
    islands: tuple[Island, ...]
    stone_circles: tuple[Cell, ...]
    name: str = "custom"
    height: int | None = None
    pieces: Pieces = field(default_factory=Pieces)
    items: dict[str, int] = field(default_factory=lambda: {"C": 6, "B": 6, "W": 6, "P": 6, "S": 8})
    neighbour_deltas: Deltas = Deltas()


def read_map(source: str) -> MapData:
    """The map of that name in data/, or in that JSON; refused with the reason if it is not a proper one."""
    data = _decoded(source)
    _refuse_first(_faults(data))
    return data


def canonical(source: str) -> str:
    """How a match keeps its map: the name of a bundled one, else its JSON in one spelling."""
    if source in BUNDLED:
        return source
    return msgspec.json.encode(read_map(source), order="deterministic").decode()


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The six cells around a cell, on the board or not."""
    row, column = cell
    return tuple((row + down, column + right) for down, right in (ODD_ROW if row % 2 else EVEN_ROW))


def _decoded(source: str) -> MapData:
    if source in BUNDLED:
        source = (DATA / f"{source}.json").read_text(encoding="utf-8")
    elif not source.lstrip().startswith("{"):
        raise BadSettings(f"There is no map '{source[:40]}'; there are {', '.join(BUNDLED)}.")
    if len(source) > MAX_TEXT:
        raise BadSettings(f"That map is too long: {len(source)} characters, at most {MAX_TEXT}.")
    try:
        return msgspec.json.decode(source, type=MapData)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadSettings(f"That is not a map: {error}") from error


def _refuse_first(faults: Iterator[str]) -> None:
    fault = next(faults, "")
    if fault:
        raise BadSettings(f"That map cannot be played: {fault}.")


def _faults(data: MapData) -> Iterator[str]:
    """What is wrong, in an order in which each check may rely on those before it."""
    yield from _row_faults(data)
    yield from _id_faults(data)
    yield from _land_faults(data)
    yield from _touching_faults(data)
    yield from _circle_faults(data)
    yield from _component_faults(data)


def _row_faults(data: MapData) -> Iterator[str]:
    widths = data.row_widths
    if not 1 <= len(widths) <= MAX_ROWS:
        yield f"it has {len(widths)} rows, not 1 to {MAX_ROWS}"
    if data.height not in (None, len(widths)):
        yield f"its height is {data.height}, but it has {len(widths)} rows"
    short = widths[0]
    for row, width in enumerate(widths):
        if not 1 <= width <= MAX_WIDTH:
            yield f"row {row} is {width} wide, not 1 to {MAX_WIDTH}"
        if width != short + row % 2:
            yield f"row {row} is {width} wide: even rows are all of one width, odd rows one cell wider"
    deltas = data.neighbour_deltas
    if set(deltas.even_row) != set(EVEN_ROW) or set(deltas.odd_row) != set(ODD_ROW):
        yield "its neighbour_deltas are not those of rows whose even ones are shifted to the right"
    if len(data.name) > 40 or not data.name.isprintable():
        yield "its name is longer than 40 characters or unprintable"


def _id_faults(data: MapData) -> Iterator[str]:
    seen = set()
    for island in data.islands:
        name = island.id.lower()
        if not ISLAND_ID.fullmatch(name):
            yield f"an island is called '{island.id[:10]}': one or two letters a to z make its codes"
        if name in seen:
            yield f"two islands are called '{name}'"
        seen.add(name)
        if not 0 <= island.majority_value <= MAX_VALUE:
            yield f"island {island.id} is worth {island.majority_value}, not 0 to {MAX_VALUE}"


def _land_faults(data: MapData) -> Iterator[str]:
    owner: dict[Cell, str] = {}
    for island in data.islands:
        yield from _outside(data, island.cells, f"island {island.id}")
        for cell in island.cells:
            if cell in owner:
                yield f"cell {list(cell)} is listed twice, for {owner[cell]} and {island.id}"
            owner[cell] = island.id
        if not _connected(set(island.cells)):
            yield f"island {island.id} is not one connected piece of land"
    if not owner:
        yield "it has no land"
    if len(owner) == sum(data.row_widths):
        yield "it has no sea, so nobody could land"


def _touching_faults(data: MapData) -> Iterator[str]:
    owner = {cell: island.id for island in data.islands for cell in island.cells}
    for cell, name in owner.items():
        for other in neighbours(cell):
            if owner.get(other, name) != name:
                yield f"islands {name} and {owner[other]} touch at {list(cell)} and {list(other)}"


def _circle_faults(data: MapData) -> Iterator[str]:
    land = {cell for island in data.islands for cell in island.cells}
    yield from _outside(data, data.stone_circles, "a stone circle")
    if len(set(data.stone_circles)) != len(data.stone_circles):
        yield "a stone circle is listed twice"
    for circle in data.stone_circles:
        if circle not in land:
            yield f"the stone circle {list(circle)} lies in the sea"


def _component_faults(data: MapData) -> Iterator[str]:
    for letter, count in data.items.items():
        if letter not in tuple(ITEM_LETTERS) or not 0 <= count <= MAX_COUNT:
            yield f"items '{letter[:10]}' ({count}): known are {', '.join(ITEM_LETTERS)}, 0 to {MAX_COUNT} each"
    if not any(count for letter, count in data.items.items() if letter != STATUETTE_LETTER):
        yield "it has no resources, so every phase would end at once"
    circles, items = len(data.stone_circles), sum(data.items.values())
    if circles < items:
        yield f"its {items} items need as many stone circles, and it has {circles}"
    for seats, count in data.pieces.settlers.items():
        if seats not in ("2", "3", "4") or not 1 <= count <= MAX_COUNT:
            yield f"settlers '{seats[:10]}' ({count}): they are given for 2, 3 and 4 seats, 1 to {MAX_COUNT} each"
    if not 0 <= data.pieces.villages <= MAX_COUNT:
        yield f"it has {data.pieces.villages} villages a seat, not 0 to {MAX_COUNT}"


def _outside(data: MapData, cells: Iterable[Cell], what: str) -> Iterator[str]:
    for row, column in cells:
        if not (0 <= row < len(data.row_widths) and 0 <= column < data.row_widths[row]):
            yield f"{what} has the cell {[row, column]}, which is outside the rows"


def _connected(cells: set[Cell]) -> bool:
    reached: set[Cell] = set()
    edge = set(list(cells)[:1])
    while edge:
        reached |= edge
        edge = {other for cell in edge for other in neighbours(cell)} & cells - reached
    return bool(cells) and reached == cells
