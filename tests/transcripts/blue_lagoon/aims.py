"""The aims of simple players of Blue Lagoon."""

from collections.abc import Callable

from engine import Match, Option
from engine.blue_lagoon.board import bits, board_of


def resources(match: Match) -> Callable[[Option], int]:
    """Rank options by their steps over free places to the nearest resource."""
    view = match.view(None)
    board = board_of(view.map)
    bit_of = {place.code: bit for bit, place in board.at.items()}
    free = board.all & ~sum(bit_of[piece.spot] for piece in view.pieces)
    reached = {bit_of[spot]: 0 for spot, item in view.items if item != "statuette"}
    edge = list(reached)
    for bit in edge:
        for other in bits(board.near(bit) & free):
            if other not in reached:
                reached[other] = reached[bit] + 1
                edge.append(other)
    return lambda option: reached.get(bit_of[option.spot], len(board.places))
