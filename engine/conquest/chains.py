"""Transport Canoe Chains: "a line of FACE UP Transport Canoes, with one Canoe in EVERY hex".

They carry pieces in Transit, join Build Points into pools, and bring points for the groups of the
Home's chain.
"""

from typing import TYPE_CHECKING

from engine.conquest.board import NEIGHBOURS, in_order

if TYPE_CHECKING:
    from engine.conquest.state import State


def open_hexes(state: "State", seat: int) -> set[str]:
    """Hexes where a canoe of the seat lies face up, in a stack or in a fleet under way: others
    cannot tell which.
    """
    opened = {stack.spot for stack in state.stacks if stack.seat == seat and stack.open}
    if state.movement is not None and state.movement.seat == seat:
        opened.update(state.movement.opened)
    return opened


def chains(state: "State", seat: int) -> tuple[frozenset[str], ...]:
    """Connected sets of hexes with the seat's open canoes."""
    left = open_hexes(state, seat)
    found = []
    # The chains come in the order of the map, by the first hex of each.
    for start in in_order(left):
        if start in left:
            chain = frozenset(ways_along(start, left))
            left -= chain
            found.append(chain)
    return tuple(found)


def ways_along(start: str, hexes: frozenset[str] | set[str]) -> dict[str, tuple[str, ...]]:
    """The shortest way from a hex to each that is connected with it through these; of several
    the first clockwise.
    """
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    edge = [start]
    for here in edge:
        for spot in NEIGHBOURS[here]:
            if spot in hexes and spot not in ways:
                ways[spot] = (*ways[here], spot)
                edge.append(spot)
    return ways


def home_chain(state: "State", seat: int) -> frozenset[str]:
    """The chain that holds the seat's Home; empty without an open canoe there."""
    home = state.nations[seat].home
    return next((chain for chain in chains(state, seat) if home in chain), frozenset())


def links(state: "State", seat: int) -> tuple[tuple[str, str], ...]:
    """Pairs of neighbouring hexes with the seat's open canoes, those of fleets under way
    included.
    """
    opened = open_hexes(state, seat)
    pairs: list[tuple[str, str]] = []
    for spot in in_order(opened):
        # Each pair once, from the hex whose code comes first.
        linked = [other for other in NEIGHBOURS[spot] if other in opened and spot < other]
        pairs += [(spot, other) for other in linked]
    return tuple(pairs)
