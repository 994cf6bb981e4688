"""The points of a phase: islands, links, majorities, resources, the set bonus, statuettes.

Sets of places are ints: see board.py.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.blue_lagoon.board import RESOURCES, STATUETTE, Board

if TYPE_CHECKING:
    from engine.blue_lagoon.state import Side

MANY_ISLANDS, MANY_ISLANDS_POINTS = 8, 20
MOST_ISLANDS, MOST_ISLANDS_POINTS = 7, 10
LINK_POINTS = 5
MATCHING_POINTS = (0, 0, 5, 10, 20)
"""By the number of one resource; more than the last count as that."""
SET_POINTS = 10
STATUETTE_POINTS = 4


class Row(Struct, frozen=True):
    """A seat's points in one phase, by kind, as on the score pad."""

    islands: int
    links: int
    majorities: int
    resources: int
    set: int
    statuettes: int

    @property
    def total(self) -> int:
        """Return the points of the phase."""
        return (
            self.islands
            + self.links
            + self.majorities
            + self.resources
            + self.set
            + self.statuettes
        )


def score(board: Board, sides: "Sequence[Side]") -> tuple[Row, ...]:
    """Return a row per seat, as if the phase ended now."""
    majorities = score_majorities(board, [side.pieces for side in sides])
    return tuple(
        count_row(board, side.pieces, side.held, majority)
        for side, majority in zip(sides, majorities, strict=True)
    )


def count_row(board: Board, pieces: int, held: Sequence[int], majorities: int) -> Row:
    """Return the row of a seat with these pieces and items, and these points for majorities."""
    return Row(
        islands=score_islands(board, pieces),
        links=score_links(board, pieces),
        majorities=majorities,
        resources=score_resources(held),
        set=score_set(held),
        statuettes=STATUETTE_POINTS * held[STATUETTE],
    )


def score_islands(board: Board, pieces: int) -> int:
    """Return 20 points for pieces on 8 islands or more, 10 for 7."""
    count = _count_islands(board, pieces)
    if count >= MANY_ISLANDS:
        return MANY_ISLANDS_POINTS
    return MOST_ISLANDS_POINTS if count == MOST_ISLANDS else 0


def score_links(board: Board, pieces: int) -> int:
    """Return 5 points for each island that the best connected group touches.

    Boats and branches count as part of a group; a group at sea touches no island.
    """
    counts = [_count_islands(board, group) for group in board.groups(pieces)]
    return LINK_POINTS * max(counts, default=0)


def score_majorities(board: Board, pieces: Sequence[int]) -> tuple[int, ...]:
    """Return each seat's points for majorities.

    The seat with most pieces on an island gets its value; a tie splits it, rounded down per island.
    """
    points = [0] * len(pieces)
    for island, value in board.values.items():
        counts = [(standing & board.islands[island]).bit_count() for standing in pieces]
        most = max(counts)
        if most == 0:
            continue
        for seat, count in enumerate(counts):
            if count == most:
                points[seat] += value // counts.count(most)
    return tuple(points)


def score_resources(held: Sequence[int]) -> int:
    """Return the points for each resource: 5 for 2, 10 for 3, 20 for 4 or more."""
    return sum(MATCHING_POINTS[min(count, len(MATCHING_POINTS) - 1)] for count in held[:RESOURCES])


def score_set(held: Sequence[int]) -> int:
    """Return 10 points for at least one of each resource, once per phase."""
    return SET_POINTS if all(held[:RESOURCES]) else 0


def _count_islands(board: Board, pieces: int) -> int:
    """Count the islands on which some of these pieces stand."""
    return sum(1 for island in board.islands.values() if island & pieces)
