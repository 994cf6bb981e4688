"""A player's board, read from data/boards.json, with tables of what lies beside what."""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec
from msgspec import Struct

from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, WIDTH, cell_of, side_of
from engine.maori.tiles import (
    COUNT,
    DATA,
    FACES,
    NO_TILE,
    SHELLS_ON,
    SHIPS_ON,
    SIDES,
    VOLCANOES,
    Tile,
    tally,
    tile_of,
)

__all__ = [
    "BOARDS",
    "CELLS",
    "COUNT",
    "FACES",
    "FAR",
    "KEPT",
    "LINES",
    "NO_TILE",
    "POSITIONS",
    "SHELLS_ON",
    "SIDES",
    "TRACK",
    "VOLCANOES",
    "WIDTH",
    "Board",
    "Space",
    "Tile",
    "board_of",
    "cell_of",
    "side_of",
    "tally",
    "tile_of",
]

ROWS = "qrst"
LAND, INSIDE, SHIP = "L", "iS", "S"
KEPT = 4096
"""Boards whose counting is remembered: a turn changes one of them, and a position is looked at many times."""
FAR = 99
"""A fare that nobody can pay."""
ACROSS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column to the neighbour over each side of tiles.SIDES."""


class BoardData(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as the data have it; `fixed_ships` are printed where no tile can cover them."""

    id: str
    grid: list[str]
    fixed_ships: int


class BoardsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of boards."""

    legend: dict[str, str]
    boards: list[BoardData]


class Space(Struct, frozen=True):
    """A water space on which a tile can lie; `index` is its place in a side's tuple of tiles."""

    code: str
    index: int
    row: int
    column: int
    inside: bool
    """Within the atoll."""
    ship: bool
    """With a printed ship, which counts while no tile lies here."""


class Board:
    """A board made ready. Everything is by the index of a space: row * columns + column, printed land included."""

    def __init__(self, data: BoardData) -> None:
        self.id = data.id
        self.rows, self.columns = len(data.grid), len(data.grid[0])
        self.size = self.rows * self.columns
        self.fixed_ships = data.fixed_ships
        self.spaces = tuple(_spaces(data))
        self.land = tuple(
            (row, column) for row, line in enumerate(data.grid) for column, mark in enumerate(line) if mark == LAND
        )
        self.playable = tuple(space.index for space in self.spaces)
        self.by_code = {space.code: space for space in self.spaces}
        self.by_index = {space.index: space for space in self.spaces}
        self.codes = tuple(self.by_index[i].code if i in self.by_index else "" for i in range(self.size))
        self.ship_space = next((space.index for space in self.spaces if space.ship), -1)
        self.inside = frozenset(space.index for space in self.spaces if space.inside)

    @cached_property
    def beside(self) -> tuple[tuple[int, int, int, int], ...]:
        """By index: the spaces over its four sides, -1 where there is none."""
        return tuple(self._beside(index) for index in range(self.size))

    @cached_property
    def touching(self) -> tuple[tuple[int, ...], ...]:
        """By index: the spaces beside it in all eight directions. Printed land and the atoll's rim part nothing."""
        return tuple(tuple(other for other in self.playable if self._touch(i, other)) for i in range(self.size))

    @cached_property
    def distance(self) -> tuple[tuple[int, ...], ...]:
        """Steps of the small ship from space to space, over water but not over printed land."""
        return tuple(self._distances(index) for index in range(self.size))

    def ships(self, tiles: tuple[int, ...]) -> int:
        """The ships in sight: printed ones that are not covered, and those on the tiles."""
        return _ships(self, tiles)

    def empty(self, tiles: Sequence[int]) -> list[int]:
        """The spaces without a tile, in reading order."""
        return [space for space in self.playable if not tiles[space]]

    def tiled(self, tiles: Sequence[int]) -> list[int]:
        """The spaces with a tile, in reading order."""
        return [space for space in self.playable if tiles[space]]

    def is_full(self, tiles: Sequence[int]) -> bool:
        """Whether a tile lies on every space."""
        return tiles.count(NO_TILE) == len(self.land)

    def landing(self, tiles: Sequence[int], ship: int, space: int) -> tuple[int, int]:
        """The nearest tile of those touching the space to which the ship can sail, and its distance; FAR if none.

        Of tiles equally near the first in reading order is meant.
        """
        steps = self.distance[ship]
        best, tile = min(((steps[t], t) for t in self.touching[space] if tiles[t] != NO_TILE), default=(FAR, -1))
        return tile, best

    def _beside(self, index: int) -> tuple[int, int, int, int]:
        row, column = divmod(index, self.columns)
        north, east, south, west = (self._index(row + down, column + right) for down, right in ACROSS)
        return north, east, south, west

    def _index(self, row: int, column: int) -> int:
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return -1
        index = row * self.columns + column
        return index if index in self.by_index else -1

    def _touch(self, one: int, other: int) -> bool:
        (row, column), (down, right) = divmod(one, self.columns), divmod(other, self.columns)
        return max(abs(row - down), abs(column - right)) == 1

    def _distances(self, start: int) -> tuple[int, ...]:
        steps = {start: 0}
        edge = [start]
        for space in edge:
            for other in self.touching[space]:
                if other not in steps:
                    steps[other] = steps[space] + 1
                    edge.append(other)
        return tuple(steps.get(index, FAR) for index in range(self.size))


@lru_cache(maxsize=KEPT)
def _ships(board: Board, tiles: tuple[int, ...]) -> int:
    """Counted once for a board with these tiles: a turn changes one of them at most."""
    printed = board.fixed_ships + (board.ship_space >= 0 and tiles[board.ship_space] == NO_TILE)
    return printed + sum([SHIPS_ON[tile] for tile in tiles])


def _spaces(data: BoardData) -> list[Space]:
    columns = len(data.grid[0])
    return [
        Space(f"{ROWS[row]}{column + 1}", row * columns + column, row, column, mark in INSIDE, mark == SHIP)
        for row, line in enumerate(data.grid)
        for column, mark in enumerate(line)
        if mark != LAND
    ]


def _read_boards() -> dict[str, Board]:
    data = msgspec.json.decode((DATA / "boards.json").read_bytes(), type=BoardsFile)
    return {board.id: Board(board) for board in data.boards}


BOARDS = _read_boards()
"""By name: 'front', 'atoll', and others of the data."""


def board_of(name: str) -> Board:
    """The board of that name."""
    return BOARDS[name]
