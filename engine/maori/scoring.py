"""Islands, whether they are complete, and the points they are worth."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from engine.maori.board import KEPT, NO_TILE, Board, tile_of
from engine.maori.tiles import LAND_OF

PALM_POINTS, HUT_POINTS = 1, 2
"""A palm on an island without a hut, and on one with a hut or more."""
ATOLL_FACTOR = 2
LEI_POINTS = 10


class Island(Struct, frozen=True):
    """Tiles of one board that are joined over their land; spaces are indices in reading order."""

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
        """What its palms are worth if it is complete."""
        return self.palms * (HUT_POINTS if self.hut else PALM_POINTS) * (ATOLL_FACTOR if self.inside else 1)


class Row(Struct, frozen=True):
    """A seat's points, kind by kind; `palms` are those of islands without a hut, `huts` those with one."""

    palms: int
    huts: int
    leis: int
    ships: int
    shells: int
    empty: int
    """Minus one for each empty space."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.palms + self.huts + self.leis + self.ships + self.shells + self.empty


class Scorer(Protocol):
    """What is counted of a side."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """Tile numbers by space."""

    @property
    def shells(self) -> int:
        """Wooden shells in hand."""


class Standing(Struct, frozen=True):
    """What a board is worth by itself once its incomplete islands are gone."""

    removed: tuple[int, ...]
    """The spaces of the incomplete islands, in reading order."""
    palms: int
    huts: int
    leis: int
    ships: int
    """How many are left in sight."""
    empty: int


@lru_cache(maxsize=KEPT)
def islands(board: Board, tiles: tuple[int, ...]) -> tuple[Island, ...]:
    """The islands on a board, complete or not, by their first space."""
    seen: set[int] = set()
    found = []
    for space in board.playable:
        number = tiles[space]
        if number != NO_TILE and space not in seen and tile_of(number).is_island:
            group = _joined_to(board, tiles, space)
            seen.update(group)
            found.append(_island(board, tiles, group))
    return tuple(found)


@lru_cache(maxsize=KEPT)
def standing(board: Board, tiles: tuple[int, ...]) -> Standing:
    """The board counted as if the game ended now: incomplete islands are taken off first."""
    found = islands(board, tiles)
    whole = [island for island in found if island.complete]
    gone = tuple(sorted(space for island in found if not island.complete for space in island.spaces))
    left = without(tiles, gone)
    return Standing(
        removed=gone,
        palms=sum(island.palm_points for island in whole if not island.hut),
        huts=sum(island.palm_points for island in whole if island.hut),
        leis=LEI_POINTS * sum(len(island.leis) for island in whole),
        ships=board.ships(left),
        empty=len(board.empty(left)),
    )


def without(tiles: Sequence[int], spaces: Iterable[int]) -> tuple[int, ...]:
    """The board with the tiles on these spaces gone."""
    gone = frozenset(spaces)
    return tuple(NO_TILE if space in gone else tile for space, tile in enumerate(tiles))


def score(board: Board, sides: Sequence[Scorer]) -> tuple[Row, ...]:
    """A row a seat, as if the game ended now."""
    counted = [standing(board, side.tiles) for side in sides]
    ships = majority([own.ships for own in counted])
    shells = majority([side.shells for side in sides])
    return tuple(
        Row(own.palms, own.huts, own.leis, ships[seat], shells[seat], -own.empty) for seat, own in enumerate(counted)
    )


def majority(counts: Sequence[int]) -> tuple[int, ...]:
    """One point apiece for whoever has most; of those who tie, each scores in full."""
    most = max(counts)
    return tuple(count if count == most else 0 for count in counts)


def _across(board: Board, tiles: Sequence[int], space: int, side: int) -> int:
    """The space over that side if the land of both tiles meets there, else -1."""
    other = board.beside[space][side]
    return other if other >= 0 and (side + 2) % 4 in LAND_OF[tiles[other]] else -1


def _joined_to(board: Board, tiles: Sequence[int], start: int) -> list[int]:
    group = [start]
    for space in group:
        for side in LAND_OF[tiles[space]]:
            other = _across(board, tiles, space, side)
            if other >= 0 and other not in group:
                group.append(other)
    return sorted(group)


def _island(board: Board, tiles: Sequence[int], spaces: list[int]) -> Island:
    shown = [tile_of(tiles[space]) for space in spaces]
    ends = [(space, side) for space in spaces for side in LAND_OF[tiles[space]]]
    return Island(
        tuple(spaces),
        all(_across(board, tiles, space, side) >= 0 for space, side in ends),
        sum(tile.palms for tile in shown),
        any(tile.hut for tile in shown),
        _leis(board, tiles, spaces),
        all(space in board.inside for space in spaces),
    )


def _leis(board: Board, tiles: Sequence[int], spaces: list[int]) -> tuple[tuple[int, int], ...]:
    found = []
    for space in spaces:
        side = tile_of(tiles[space]).lei
        other = _across(board, tiles, space, side) if side >= 0 else -1
        if other > space and tile_of(tiles[other]).lei == (side + 2) % 4:
            found.append((space, other))
    return tuple(found)
