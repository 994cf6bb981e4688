"""The points of a phase: islands, links, majorities, resources, the set bonus, statuettes."""

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
"""By how many of one resource are held, up to the last."""
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
    majorities = majority_points(board, [side.pieces for side in sides])
    return tuple(
        Row(
            islands=island_points(board, side.pieces),
            links=link_points(board, side.pieces),
            majorities=majorities[seat],
            resources=resource_points(side.held),
            set=set_points(side.held),
            statuettes=STATUETTE_POINTS * side.held[STATUETTE],
        )
        for seat, side in enumerate(sides)
    )


def island_points(board: Board, pieces: int) -> int:
    """Return 20 points for pieces on 8 islands or more, 10 for 7."""
    count = _islands_touched(board, pieces)
    if count >= MANY_ISLANDS:
        return MANY_ISLANDS_POINTS
    return MOST_ISLANDS_POINTS if count == MOST_ISLANDS else 0


def link_points(board: Board, pieces: int) -> int:
    """Return 5 points for each island that the best connected group touches.

    Boats and branches count as part of a group; a group at sea touches no island.
    """
    return LINK_POINTS * max(
        (_islands_touched(board, group) for group in board.groups(pieces)), default=0
    )


def majority_points(board: Board, pieces: Sequence[int]) -> tuple[int, ...]:
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


def resource_points(held: Sequence[int]) -> int:
    """Return the points for each resource: 5 for 2, 10 for 3, 20 for 4 or more."""
    return sum(MATCHING_POINTS[min(count, len(MATCHING_POINTS) - 1)] for count in held[:RESOURCES])


def set_points(held: Sequence[int]) -> int:
    """Return 10 points for at least one of each resource, once per phase."""
    return SET_POINTS if all(held[:RESOURCES]) else 0


def _islands_touched(board: Board, pieces: int) -> int:
    return sum(1 for island in board.islands.values() if island & pieces)
