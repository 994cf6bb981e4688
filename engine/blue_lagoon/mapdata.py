"""Map files: what one holds, and everything that can be wrong with it."""

import re
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


def canonical(source: str) -> str:
    """How a match keeps its map: the name of a bundled one, else its JSON in one spelling."""
    if source in BUNDLED:
        return source
    return msgspec.json.encode(read_map(source), order="deterministic").decode()


def read_map(source: str) -> MapData:
    """The map of that name in data/, or in that JSON; refused with the reason if it is not a proper one."""
    if source in BUNDLED:
        source = (DATA / f"{source}.json").read_text(encoding="utf-8")
    elif not source.lstrip().startswith("{"):
        raise BadSettings(f"There is no map '{source[:40]}'; there are {', '.join(BUNDLED)}.")
    if len(source) > MAX_TEXT:
        raise BadSettings(f"That map is too long: {len(source)} characters, at most {MAX_TEXT}.")
    try:
        data = msgspec.json.decode(source, type=MapData)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadSettings(f"That is not a map: {error}") from error
    # In this order, for each relies on what those before it have made sure of.
    _check_rows(data)
    _check_islands(data)
    _check_land(data)
    _check_circles(data)
    _check_components(data)
    return data


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The six cells around a cell, on the board or not."""
    row, column = cell
    return tuple((row + down, column + right) for down, right in (ODD_ROW if row % 2 else EVEN_ROW))


def _need(fits: bool, otherwise: str) -> None:
    if not fits:
        raise BadSettings(f"That map cannot be played: {otherwise}.")


def _check_rows(data: MapData) -> None:
    widths = data.row_widths
    _need(1 <= len(widths) <= MAX_ROWS, f"it has {len(widths)} rows, not 1 to {MAX_ROWS}")
    _need(data.height in (None, len(widths)), f"its height is {data.height}, but it has {len(widths)} rows")
    for row, width in enumerate(widths):
        _need(1 <= width <= MAX_WIDTH, f"row {row} is {width} wide, not 1 to {MAX_WIDTH}")
        _need(
            width == widths[0] + row % 2,
            f"row {row} is {width} wide: even rows are all of one width, odd rows one cell wider",
        )
    deltas = data.neighbour_deltas
    _need(
        set(deltas.even_row) == set(EVEN_ROW) and set(deltas.odd_row) == set(ODD_ROW),
        "its neighbour_deltas are not those of rows whose even ones are shifted to the right",
    )
    _need(len(data.name) <= 40 and data.name.isprintable(), "its name is longer than 40 characters or unprintable")


def _check_islands(data: MapData) -> None:
    seen = set()
    for island in data.islands:
        name, value = island.id.lower(), island.majority_value
        _need(
            ISLAND_ID.fullmatch(name) is not None,
            f"an island is called '{island.id[:10]}': one or two letters a to z make its codes",
        )
        _need(name not in seen, f"two islands are called '{name}'")
        seen.add(name)
        _need(0 <= value <= MAX_VALUE, f"island {island.id} is worth {value}, not 0 to {MAX_VALUE}")


def _check_land(data: MapData) -> None:
    """Islands lie within the rows, are of one piece each, and do not touch; around them is some sea."""
    owner: dict[Cell, str] = {}
    for island in data.islands:
        for cell in island.cells:
            _check_inside(data, cell, f"island {island.id}")
            _need(cell not in owner, f"cell {list(cell)} is listed twice, for {owner.get(cell)} and {island.id}")
            owner[cell] = island.id
        _need(_is_connected(set(island.cells)), f"island {island.id} is not one connected piece of land")
    _need(bool(owner), "it has no land")
    _need(len(owner) < sum(data.row_widths), "it has no sea, so nobody could land")
    for cell, name in owner.items():
        for other in neighbours(cell):
            touched = owner.get(other, name)
            _need(touched == name, f"islands {name} and {touched} touch at {list(cell)} and {list(other)}")


def _check_circles(data: MapData) -> None:
    land = {cell for island in data.islands for cell in island.cells}
    _need(len(set(data.stone_circles)) == len(data.stone_circles), "a stone circle is listed twice")
    for circle in data.stone_circles:
        _check_inside(data, circle, "a stone circle")
        _need(circle in land, f"the stone circle {list(circle)} lies in the sea")


def _check_components(data: MapData) -> None:
    for letter, count in data.items.items():
        _need(
            letter in tuple(ITEM_LETTERS) and 0 <= count <= MAX_COUNT,
            f"items '{letter[:10]}' ({count}): known are {', '.join(ITEM_LETTERS)}, 0 to {MAX_COUNT} each",
        )
    resources = sum(count for letter, count in data.items.items() if letter != STATUETTE_LETTER)
    _need(resources > 0, "it has no resources, so every phase would end at once")
    circles, items = len(data.stone_circles), sum(data.items.values())
    _need(circles >= items, f"its {items} items need as many stone circles, and it has {circles}")
    for seats, count in data.pieces.settlers.items():
        _need(
            seats in ("2", "3", "4") and 1 <= count <= MAX_COUNT,
            f"settlers '{seats[:10]}' ({count}): they are given for 2, 3 and 4 seats, 1 to {MAX_COUNT} each",
        )
    villages = data.pieces.villages
    _need(0 <= villages <= MAX_COUNT, f"it has {villages} villages a seat, not 0 to {MAX_COUNT}")


def _check_inside(data: MapData, cell: Cell, what: str) -> None:
    row, column = cell
    is_inside = 0 <= row < len(data.row_widths) and 0 <= column < data.row_widths[row]
    _need(is_inside, f"{what} has the cell {list(cell)}, which is outside the rows")


def _is_connected(cells: set[Cell]) -> bool:
    reached: set[Cell] = set()
    edge = set(list(cells)[:1])
    while edge:
        reached |= edge
        edge = {other for cell in edge for other in neighbours(cell)} & cells - reached
    return bool(cells) and reached == cells
