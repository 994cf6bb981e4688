"""The points of a phase: islands, links, majorities, resources with the set bonus, statuettes."""

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
    """A seat's points of one phase, kind by kind, as on the score pad."""

    islands: int
    links: int
    majorities: int
    resources: int
    set: int
    statuettes: int

    @property
    def total(self) -> int:
        """The points of the phase."""
        return (
            self.islands
            + self.links
            + self.majorities
            + self.resources
            + self.set
            + self.statuettes
        )


def score(board: Board, sides: "Sequence[Side]") -> tuple[Row, ...]:
    """A row a seat, as if the phase ended now."""
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
    """20 for pieces on 8 islands or more, 10 for 7."""
    count = _islands_touched(board, pieces)
    if count >= MANY_ISLANDS:
        return MANY_ISLANDS_POINTS
    return MOST_ISLANDS_POINTS if count == MOST_ISLANDS else 0


def link_points(board: Board, pieces: int) -> int:
    """5 an island that the best connected group touches, boats and branches included; a group at
    sea touches none.
    """
    return LINK_POINTS * max(
        (_islands_touched(board, group) for group in board.groups(pieces)), default=0
    )


def majority_points(board: Board, pieces: Sequence[int]) -> tuple[int, ...]:
    """By seat: each island's value to whoever has most pieces there; a tie splits it, rounded
    down per island.
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
    """For each resource 2: 5, 3: 10, 4 or more: 20."""
    return sum(MATCHING_POINTS[min(count, len(MATCHING_POINTS) - 1)] for count in held[:RESOURCES])


def set_points(held: Sequence[int]) -> int:
    """10 for at least one of each resource, once a phase."""
    return SET_POINTS if all(held[:RESOURCES]) else 0


def _islands_touched(board: Board, pieces: int) -> int:
    return sum(1 for island in board.islands.values() if island & pieces)
