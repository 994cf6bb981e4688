"""Islands, whether they are complete, and the points that boards are worth.

Six kinds of points count: palms on complete islands without and with a hut, leis, the majority of
ships, the majority of shells, and minus one point for each empty space.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.maori.board import Board
from engine.maori.tiles import NO_TILE, TILES

if TYPE_CHECKING:
    from engine.maori.state import Side

PALM_POINTS, HUT_POINTS = 1, 2
"""A palm on an island without a hut, and on one with a hut or more."""
ATOLL_FACTOR = 2
LEI_POINTS = 10


class Island(Struct, frozen=True):
    """Tiles of one board whose land is joined; spaces are indices in reading order."""

    spaces: tuple[int, ...]
    complete: bool
    palms: int
    hut: bool
    leis: tuple[tuple[int, int], ...]
    """Pairs of spaces at whose common side two halves meet."""
    inside: bool
    """Wholly within the atoll."""

    @property
    def palm_points(self) -> int:
        """Return the points of its palms if it is complete."""
        points_each = HUT_POINTS if self.hut else PALM_POINTS
        factor = ATOLL_FACTOR if self.inside else 1
        return self.palms * points_each * factor


class Row(Struct, frozen=True):
    """A seat's points by kind.

    `palms` are those of islands without a hut, `huts` those with one.
    """

    palms: int
    huts: int
    leis: int
    ships: int
    shells: int
    empty: int
    """Minus one for each empty space."""

    @property
    def total(self) -> int:
        """Return the sum of all points."""
        return self.palms + self.huts + self.leis + self.ships + self.shells + self.empty


class Standing(Struct, frozen=True):
    """The points of a board by itself, after its incomplete islands are removed."""

    removed: tuple[int, ...]
    """The spaces of the incomplete islands, in reading order."""
    palms: int
    huts: int
    leis: int
    ships: int
    """Ships that are left in sight."""
    empty: int


def find_islands(board: Board, tiles: Sequence[int]) -> tuple[Island, ...]:
    """Return the islands on a board, complete or not, by their first space."""
    seen: set[int] = set()
    found = []
    for space in board.tiled_spaces(tiles):
        if space not in seen and TILES[tiles[space]].is_island:
            joined = _find_joined(board, tiles, space)
            seen.update(joined)
            found.append(_describe_island(board, tiles, joined))
    return tuple(found)


# Cached, like a side's view in view.py: a turn changes one board of up to five, and a view takes
# 190 us without the two caches and 60 with them.
@lru_cache(maxsize=1024)
def score_board(board: Board, tiles: tuple[int, ...]) -> Standing:
    """Score a board as if the game ended now: incomplete islands are removed first."""
    found = find_islands(board, tiles)
    complete = [island for island in found if island.complete]
    removed: list[int] = []
    for island in found:
        if not island.complete:
            removed += island.spaces
    left = remove_tiles(tiles, removed)
    return Standing(
        removed=tuple(sorted(removed)),
        palms=sum(island.palm_points for island in complete if not island.hut),
        huts=sum(island.palm_points for island in complete if island.hut),
        leis=LEI_POINTS * sum(len(island.leis) for island in complete),
        ships=board.count_ships(left),
        empty=len(board.empty_spaces(left)),
    )


def remove_tiles(tiles: Sequence[int], spaces: Iterable[int]) -> tuple[int, ...]:
    """Return the board without the tiles on these spaces."""
    removed = frozenset(spaces)
    return tuple(NO_TILE if space in removed else tile for space, tile in enumerate(tiles))


def score_seats(board: Board, sides: "Sequence[Side]") -> tuple[Row, ...]:
    """Return a row per seat, as if the game ended now."""
    return score_boards(board, [side.tiles for side in sides], [side.shells for side in sides])


def score_boards(
    board: Board, tiles: Sequence[tuple[int, ...]], purses: Sequence[int]
) -> tuple[Row, ...]:
    """Return a row per seat, given the tiles on each seat's board and its number of shells."""
    counted = [score_board(board, each) for each in tiles]
    ships = score_majority([own.ships for own in counted])
    shells = score_majority(purses)
    return tuple(
        Row(own.palms, own.huts, own.leis, ships[seat], shells[seat], -own.empty)
        for seat, own in enumerate(counted)
    )


def score_majority(counts: Sequence[int]) -> tuple[int, ...]:
    """Return a point for each to the seat that has most; all seats that tie score in full."""
    most = max(counts)
    return tuple(count if count == most else 0 for count in counts)


def _find_joined_neighbour(board: Board, tiles: Sequence[int], space: int, side: int) -> int:
    """Return the space across a side if the land of both tiles meets there, else -1."""
    other = board.beside[space][side]
    opposite = (side + 2) % 4
    if other >= 0 and opposite in TILES[tiles[other]].land:
        return other
    return -1


def _find_joined(board: Board, tiles: Sequence[int], start: int) -> list[int]:
    """Return the spaces of an island, in reading order."""
    group = [start]
    for space in group:
        for side in TILES[tiles[space]].land:
            other = _find_joined_neighbour(board, tiles, space, side)
            if other >= 0 and other not in group:
                group.append(other)
    return sorted(group)


def _describe_island(board: Board, tiles: Sequence[int], spaces: list[int]) -> Island:
    """Return an island; it is complete if all its land meets land.

    Land that points at the closed side of its own tiles does no harm.
    """
    complete, palms, hut, leis = True, 0, False, []
    for space in spaces:
        tile = TILES[tiles[space]]
        palms += tile.palms
        hut = hut or tile.hut
        for side in tile.land:
            other = _find_joined_neighbour(board, tiles, space, side)
            if other < 0:
                complete = False
            elif space < other:  # each pair of tiles once
                other_lei = TILES[tiles[other]].lei
                if tile.lei == side and other_lei == (side + 2) % 4:
                    leis.append((space, other))
    return Island(
        spaces=tuple(spaces),
        complete=complete,
        palms=palms,
        hut=hut,
        leis=tuple(leis),
        inside=all(space in board.inside for space in spaces),
    )
