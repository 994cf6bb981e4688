"""Transport Canoe Chains: "a line of FACE UP Transport Canoes, with one Canoe in EVERY hex".

They carry pieces in Transit, connect pools of Build Points, and bring Victory Points for groups
connected to the Home.
"""

from typing import TYPE_CHECKING

from engine.conquest.board import NEIGHBOURS, in_order

if TYPE_CHECKING:
    from engine.conquest.state import State


def open_hexes(state: "State", seat: int) -> set[str]:
    """Return the hexes where a canoe of the seat lies face up, in a stack or in a fleet.

    Others cannot tell which of the two it is in.
    """
    opened = {stack.spot for stack in state.stacks if stack.seat == seat and stack.open}
    if state.movement is not None and state.movement.seat == seat:
        opened.update(state.movement.opened)
    return opened


def find_chains(state: "State", seat: int) -> tuple[frozenset[str], ...]:
    """Return the seat's chains, each a connected set of hexes, in map order."""
    left = open_hexes(state, seat)
    found = []
    # Map order makes the result independent of the order of the set.
    for start in in_order(left):
        if start in left:
            chain = frozenset(shortest_ways(start, left))
            left -= chain
            found.append(chain)
    return tuple(found)


def shortest_ways(
    start: str,
    hexes: frozenset[str] | set[str],
) -> dict[str, tuple[str, ...]]:
    """Return the shortest way from a hex through `hexes` to each hex that is connected with it.

    Of several ways it is the first clockwise.
    """
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    frontier = [start]
    for here in frontier:
        for spot in NEIGHBOURS[here]:
            if spot in hexes and spot not in ways:
                ways[spot] = (*ways[here], spot)
                frontier.append(spot)
    return ways


def home_chain(state: "State", seat: int) -> frozenset[str]:
    """Return the chain through the seat's Home; empty without a face-up canoe there.

    "Even your Home Island Group must have a Transport Canoe to be part of a Chain."
    """
    home = state.nations[seat].home
    return next((chain for chain in find_chains(state, seat) if home in chain), frozenset())


def chain_links(state: "State", seat: int) -> tuple[tuple[str, str], ...]:
    """Return the pairs of adjacent hexes with face-up canoes of the seat."""
    opened = open_hexes(state, seat)
    pairs: list[tuple[str, str]] = []
    for spot in in_order(opened):
        # List each pair once, from the hex whose code comes first.
        linked = [other for other in NEIGHBOURS[spot] if other in opened and spot < other]
        pairs += [(spot, other) for other in linked]
    return tuple(pairs)
