"""Sets of hexes as the bits of a number: what lies beside many hexes is found as fast as beside one."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from engine.conquest.board import FIRST_COLUMN, HEXES, UNKNOWN, Hex

NORTH: Final = min(hex.r for hex in HEXES)
COLUMN: Final = max(hex.r for hex in HEXES) - NORTH + 2
"""Bits of a column. One is spare, so that nothing runs over into the next column."""


def _bit(hex: Hex) -> int:
    return 1 << (hex.q - FIRST_COLUMN) * COLUMN + hex.r - NORTH


BIT: Final = {hex.code: _bit(hex) for hex in HEXES}
"""The bit of each hex, in the order of the map."""
SPOT: Final = {bit.bit_length(): spot for spot, bit in BIT.items()}
"""Each hex by how long the number of its bit is."""
ALL: Final = sum(BIT.values())


def bits(spots: Iterable[str]) -> int:
    """These hexes as a set."""
    found = 0
    for spot in spots:
        found |= BIT[spot]
    return found


CHARTED: Final = ALL & ~bits(UNKNOWN)
"""Hexes that the map itself makes Known."""


def spots_of(hexes: int) -> tuple[str, ...]:
    """The hexes of a set, in the order of the map."""
    found = []
    while hexes:
        spot = SPOT[hexes.bit_length()]
        found.append(spot)
        hexes ^= BIT[spot]
    return tuple(reversed(found))


def beside(hexes: int) -> int:
    """All that lies beside any of these hexes: north and south, and in the columns to the east and the west."""
    east, west = hexes << COLUMN, hexes >> COLUMN
    return (hexes << 1 | hexes >> 1 | east | east >> 1 | west | west << 1) & ALL


@cache
def around(spot: str, moves: int) -> tuple[tuple[str, int], ...]:
    """The hexes at most so many moves away, in the order of the map, with their bits."""
    reached = BIT[spot]
    for _ in range(moves):
        reached |= beside(reached)
    return tuple((other, BIT[other]) for other in spots_of(reached) if other != spot)


def flood(start: int, passes: int) -> int:
    """The start, and all hexes connected with it through hexes that pass."""
    reached = edge = start
    while edge:
        edge = beside(edge) & passes & ~reached
        reached |= edge
    return reached
