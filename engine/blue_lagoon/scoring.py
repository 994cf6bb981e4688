"""The points of a phase: islands, links, majorities, resources with the set bonus, statuettes."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from engine.blue_lagoon.board import RESOURCES, STATUETTE, Board

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
        return self.islands + self.links + self.majorities + self.resources + self.set + self.statuettes


class Scorer(Protocol):
    """What is counted of a side: where its pieces stand and what it holds."""

    @property
    def pieces(self) -> int:
        """Where the seat stands."""

    @property
    def held(self) -> tuple[int, ...]:
        """How many of each of board.ITEMS it holds."""


def score(board: Board, sides: Sequence[Scorer]) -> tuple[Row, ...]:
    """A row a seat, as if the phase ended now."""
    majorities = majority_points(board, [side.pieces for side in sides])
    return tuple(_row(board, side, points) for side, points in zip(sides, majorities, strict=True))


def _row(board: Board, side: Scorer, majorities: int) -> Row:
    return Row(
        islands=island_points(board, side.pieces),
        links=link_points(board, side.pieces),
        majorities=majorities,
        resources=resource_points(side.held),
        set=set_points(side.held),
        statuettes=STATUETTE_POINTS * side.held[STATUETTE],
    )


def island_points(board: Board, pieces: int) -> int:
    """20 for pieces on 8 islands or more, 10 for 7."""
    count = _islands_touched(board, pieces)
    if count >= MANY_ISLANDS:
        return MANY_ISLANDS_POINTS
    return MOST_ISLANDS_POINTS if count == MOST_ISLANDS else 0


def link_points(board: Board, pieces: int) -> int:
    """5 an island that the best connected group touches, boats and branches included."""
    most = 0
    for group in board.groups(pieces):
        # It cannot touch more islands than it has pieces ashore.
        if (group & board.land).bit_count() > most:
            most = max(most, _islands_touched(board, group))
    return LINK_POINTS * most


def majority_points(board: Board, pieces: Sequence[int]) -> tuple[int, ...]:
    """By seat: each island's value to whoever has most pieces there; a tie splits it, rounded down per island."""
    points = [0] * len(pieces)
    for island, value in board.values.items():
        counts = [(standing & board.islands[island]).bit_count() for standing in pieces]
        most = max(counts)
        for seat, count in enumerate(counts):
            if most and count == most:
                points[seat] += value // counts.count(most)
    return tuple(points)


def resource_points(held: Sequence[int]) -> int:
    """For each resource 2: 5, 3: 10, 4 or more: 20."""
    return sum(MATCHING_POINTS[min(count, len(MATCHING_POINTS) - 1)] for count in held[:RESOURCES])


def set_points(held: Sequence[int]) -> int:
    """10 for at least one of each resource, once a phase."""
    return SET_POINTS if all(held[:RESOURCES]) else 0


def _islands_touched(board: Board, pieces: int) -> int:
    return len([island for island in board.islands.values() if island & pieces])
