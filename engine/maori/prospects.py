"""Islands that can't be completed any more, so that their tiles won't count.

An island is only called lost when that is certain. Land that runs into the edge of the board,
printed land, a water tile or the closed side of a tile can't be joined any more. An empty space
beside land can always be filled with an end, so nothing is lost by it before the last turns. Of two
islands that need the same space either may get it, so neither is lost yet. Removing a tile can free
an island that it blocks; until then the island counts as lost.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from engine.maori.board import Board
from engine.maori.scoring import find_islands
from engine.maori.tiles import NO_TILE, TILES

EDGE, BLOCKED, LATE = "edge", "blocked", "late"
"""Why an island is lost: it runs into the edge or printed land, it runs into a tile that doesn't
join, or it needs more tiles than its owner can still place.
"""


class Outlook(Struct, frozen=True):
    """The harm that placing a tile on a space would do."""

    lost: str
    """Why the tile's own island can't be completed then, '' if it can."""
    blocks: tuple[int, ...]
    """Spaces beside it whose islands could be completed before, but not any more."""


# Cached: a question for a space looks at a board for each of up to 20 spaces, and the panel, the
# picture and its alt text ask again. Such a view takes 550 us without the cache, 210 with it.
@lru_cache(maxsize=1024)
def find_lost(
    board: Board, tiles: tuple[int, ...], tiles_to_come: int | None = None
) -> Mapping[int, str]:
    """Return the spaces of islands that can't be completed any more, each with the reason.

    `tiles_to_come` is how many tiles the owner can still place, None if there is no limit yet.
    """
    lost = {}
    for island in find_islands(board, tiles):
        if island.complete:
            continue
        if reason := _why_lost(board, tiles, island.spaces, tiles_to_come):
            lost.update(dict.fromkeys(island.spaces, reason))
    return lost


def weigh_placement(
    board: Board, tiles: tuple[int, ...], space: int, tile: int, is_last: bool = False
) -> Outlook:
    """Return the harm that a tile on a space would do; `is_last` if no other tile will follow."""
    before = find_lost(board, tiles)
    placed = (*tiles[:space], tile, *tiles[space + 1 :])
    after = find_lost(board, placed, 0 if is_last else None)
    blocks = []
    for side, other in enumerate(board.beside[space]):
        if other < 0 or other in before:
            continue
        points_here = (side + 2) % 4 in TILES[tiles[other]].land
        if points_here and side not in TILES[tile].land:
            blocks.append(other)
    return Outlook(after.get(space, ""), tuple(sorted(blocks)))


def _why_lost(
    board: Board, tiles: Sequence[int], spaces: Sequence[int], tiles_to_come: int | None
) -> str:
    """Return why an island can't be completed, '' if it can or already is."""
    gaps = set()
    is_blocked = False
    for space in spaces:
        for side in TILES[tiles[space]].land:
            other = board.beside[space][side]
            if other < 0:
                return EDGE
            if tiles[other] == NO_TILE:
                gaps.add(other)
            elif (side + 2) % 4 not in TILES[tiles[other]].land:
                is_blocked = True
    if is_blocked:
        return BLOCKED
    # Each gap needs a tile: an end closes it.
    if tiles_to_come is not None and len(gaps) > tiles_to_come:
        return LATE
    return ""
