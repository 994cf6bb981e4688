"""Maps: rows of staggered hexes with islands and stone circles, read from data/*.json or given by the host."""

from functools import cached_property, lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct, field

from engine.core.errors import BadSettings

DATA = Path(__file__).parent / "data"
ITEMS = ("coconut", "bamboo", "water", "stone", "statuette")
"""The order in which items are counted everywhere; the first four are resources."""
RESOURCES = 4
STATUETTE = 4
ITEM_LETTERS = "CBWPS"
Cell = tuple[int, int]


class Island(Struct, frozen=True):
    """An island as the map file has it."""

    id: str
    majority_value: int
    cells: tuple[Cell, ...]


class Pieces(Struct, frozen=True):
    """How many pieces a seat takes, settlers by the number of seats."""

    settlers: dict[str, int] = field(default_factory=lambda: {"2": 30, "3": 25, "4": 20})
    villages: int = 5


class MapData(Struct, frozen=True):
    """A map file."""

    row_widths: tuple[int, ...]
    islands: tuple[Island, ...]
    stone_circles: tuple[Cell, ...]
    name: str = "custom"
    pieces: Pieces = field(default_factory=Pieces)
    items: dict[str, int] = field(default_factory=lambda: {"C": 6, "B": 6, "W": 6, "P": 6, "S": 8})


class Place(Struct, frozen=True):
    """A space of the board; `code` is printed on it and typed by players, `island` is '' at sea."""

    code: str
    row: int
    column: int
    island: str
    circle: bool


class Board:
    """A map made ready: places in reading order with their codes."""

    def __init__(self, data: MapData) -> None:
        self.data = data
        self.places = _places(data)
        self.by_code = {place.code: place for place in self.places}

    @cached_property
    def values(self) -> dict[str, int]:
        """Majority value by island."""
        return {island.id.lower(): island.majority_value for island in self.data.islands}


def _places(data: MapData) -> tuple[Place, ...]:
    island_of = {cell: island.id.lower() for island in data.islands for cell in island.cells}
    circles = set(data.stone_circles)
    counts: dict[str, int] = {}
    places = []
    for row, width in enumerate(data.row_widths):
        for column in range(width):
            island = island_of.get((row, column), "")
            counts[island] = counts.get(island, 0) + 1
            places.append(Place(f"{island}{counts[island]}", row, column, island, (row, column) in circles))
    return tuple(places)


@lru_cache(maxsize=16)
def board_of(text: str) -> Board:
    """The board of a map: the name of one in data/, or the JSON of any other."""
    source = text if text.startswith("{") else (DATA / f"{text}.json").read_text(encoding="utf-8")
    try:
        return Board(msgspec.json.decode(source, type=MapData))
    except msgspec.DecodeError as error:
        raise BadSettings(f"That is not a map: {error}") from error
