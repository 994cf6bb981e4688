"""A player's board, read from data/boards.json, with the neighbours of its spaces.

To change a board or add one, edit the data file. Neighbours and distances are computed once, when
it is read, because views and computer players need them thousands of times.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from engine.maori.tiles import DATA, NO_TILE, TILES

ROWS = "qrst"
"""The letters of the rows, from the top."""
LAND, INSIDE, SHIP = "L", "iS", "S"
"""Symbols in the data file: printed land, a space within the atoll, and one with a printed ship."""
UNREACHABLE = 99
"""The distance to a space that the ship cannot reach: more than anybody can pay."""
ACROSS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column to the neighbour over each side of tiles.SIDES."""


class BoardData(Struct, frozen=True, forbid_unknown_fields=True):
    """A board in the data file; `fixed_ships` are printed where no tile can cover them."""

    id: str
    grid: list[str]
    fixed_ships: int


class BoardsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of boards."""

    about: str
    legend: dict[str, str]
    boards: list[BoardData]


class Space(Struct, frozen=True):
    """A water space for a tile; `index` is its number in a side's tuple of tiles."""

    code: str
    index: int
    row: int
    column: int
    inside: bool
    """Whether it lies within the atoll."""
    ship: bool
    """Whether a ship is printed here, which counts while no tile lies on it."""


class Board:
    """A board ready for play.

    Spaces are known by their index: row * columns + column, printed land included.
    """

    def __init__(self, data: BoardData) -> None:
        self.rows, self.columns = len(data.grid), len(data.grid[0])
        self.size = self.rows * self.columns
        self.fixed_ships = data.fixed_ships
        marks = [
            (row, column, mark)
            for row, line in enumerate(data.grid)
            for column, mark in enumerate(line)
        ]
        self.land = tuple((row, column) for row, column, mark in marks if mark == LAND)
        self.spaces = tuple(
            Space(
                code=f"{ROWS[row]}{column + 1}",
                index=row * self.columns + column,
                row=row,
                column=column,
                inside=mark in INSIDE,
                ship=mark == SHIP,
            )
            for row, column, mark in marks
            if mark != LAND
        )
        self.by_code = {space.code: space for space in self.spaces}
        self.by_index = {space.index: space for space in self.spaces}
        self.inside = frozenset(space.index for space in self.spaces if space.inside)
        self.beside = tuple(self._find_beside(index) for index in range(self.size))
        """The spaces over the four sides, -1 where there is none."""
        self.touching = tuple(self._find_touching(index) for index in range(self.size))
        """The spaces beside it in all eight directions; the atoll's rim does not part them."""
        self.distance = tuple(self._measure_distances(index) for index in range(self.size))
        """Steps of the small ship from space to space, never over printed land.

        UNREACHABLE if there is no way.
        """

    def code(self, index: int) -> str:
        """Return the code printed on a space, '' for none (-1)."""
        return self.by_index[index].code if index >= 0 else ""

    def count_ships(self, tiles: Sequence[int]) -> int:
        """Count the ships in sight: printed ones that are not covered, and those on tiles."""
        printed = [space for space in self.spaces if space.ship and tiles[space.index] == NO_TILE]
        return self.fixed_ships + len(printed) + sum(TILES[tile].ships for tile in tiles)

    def empty_spaces(self, tiles: Sequence[int]) -> list[int]:
        """Return the spaces without a tile, in reading order."""
        return [space for space in self.by_index if tiles[space] == NO_TILE]

    def tiled_spaces(self, tiles: Sequence[int]) -> list[int]:
        """Return the spaces with a tile, in reading order."""
        return [space for space in self.by_index if tiles[space] != NO_TILE]

    def find_landing(self, tiles: Sequence[int], ship: int, space: int) -> tuple[int, int]:
        """Return the nearest tile touching a space, by the ship's way there, and its distance.

        If several are equally near, it is the first in reading order. With no tile beside the
        space, the distance is UNREACHABLE.
        """
        steps = self.distance[ship]
        occupied = [other for other in self.touching[space] if tiles[other] != NO_TILE]
        if not occupied:
            return -1, UNREACHABLE
        nearest = min(occupied, key=lambda other: (steps[other], other))
        return nearest, steps[nearest]

    def _find_beside(self, index: int) -> tuple[int, ...]:
        row, column = divmod(index, self.columns)
        at = {(space.row, space.column): space.index for space in self.spaces}
        return tuple(at.get((row + down, column + right), -1) for down, right in ACROSS)

    def _find_touching(self, index: int) -> tuple[int, ...]:
        row, column = divmod(index, self.columns)
        return tuple(
            space.index
            for space in self.spaces
            if max(abs(space.row - row), abs(space.column - column)) == 1
        )

    def _measure_distances(self, start: int) -> tuple[int, ...]:
        """Search the water breadth first from a space."""
        steps = {start: 0}
        queue = [start]
        for space in queue:
            for other in self.touching[space]:
                if other not in steps:
                    steps[other] = steps[space] + 1
                    queue.append(other)
        return tuple(steps.get(index, UNREACHABLE) for index in range(self.size))


_DATA = msgspec.json.decode((DATA / "boards.json").read_bytes(), type=BoardsFile)
BOARDS = {board.id: Board(board) for board in _DATA.boards}
"""The boards by name: 'front' and 'atoll'."""


def board_of(name: str) -> Board:
    """Return the board with this name."""
    return BOARDS[name]
