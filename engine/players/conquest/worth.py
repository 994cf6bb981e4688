"""What a Village, a chain and a piece are worth in Conquest, in Victory Points."""

from engine.conquest.chains import open_hexes, shortest_ways
from engine.conquest.hexes import land_at
from engine.conquest.pieces import NOBODY
from engine.conquest.state import State
from engine.core.decision import Seat

BUILD_POINT_VALUE = 0.4
"""Victory Points that a Build Point brings in the end."""
POINTS_PER_TURN = 2.5
"""Victory Points that a good empire adds in a turn, for guessing how many turns are left."""
FIGHTER_VALUE = 0.6
"""Victory Points that a War Canoe or Band is worth while there is time to use it."""
HOME_VALUE = 3.0
"""Victory Points that losing the Home costs, besides its Villages and its place in the chain."""
CUT_OFF_SHARE = 0.3
"""The share of points that stays lost when a chain is cut: it is mended in a turn or two."""
LAST_TURNS = 2.0
"""With fewer turns left than this, a chain that is cut stays cut."""


def turns_left(state: State) -> float:
    """Return how many turns the match will go on, by the points on the track."""
    if state.over:
        return 0.0
    best = max(nation.points for nation in state.nations) / 2
    until_goal = (state.rules.goal - best) / POINTS_PER_TURN
    return max(1.0, min(until_goal, state.rules.last_turn - state.turn))


def village_worth(state: State) -> float:
    """Return the points that a Village brings until the end, with what it builds."""
    return 1 + BUILD_POINT_VALUE * (turns_left(state) - 1)


def group_worth(state: State, spot: str) -> float:
    """Return the points that its owner would lose with a group."""
    group = state.group(spot)
    if group.owner == NOBODY:
        return 0.0
    owner = Seat(group.owner)
    is_home = state.nations[owner].home == spot
    worth = village_worth(state) * group.villages + chain_worth(state, owner, spot)
    return worth + HOME_VALUE if is_home else worth


def chain_worth(state: State, seat: Seat, spot: str) -> float:
    """Return the points that a seat would lose if its chain was cut in a hex."""
    home = state.nations[seat].home
    opened = open_hexes(state, seat)
    if spot not in opened or home not in opened:
        return 0.0
    before = _chain_points(state, seat, frozenset(shortest_ways(home, opened)))
    left = opened - {spot}
    after = 0.0
    if home in left:
        after = _chain_points(state, seat, frozenset(shortest_ways(home, left)))
    own = _chain_points(state, seat, frozenset((spot,)))
    is_late = turns_left(state) <= LAST_TURNS
    return own + (before - after - own) * (1.0 if is_late else CUT_OFF_SHARE)


def _chain_points(state: State, seat: Seat, chain: frozenset[str]) -> float:
    """Return the points that the hexes of a chain bring: groups and atolls."""
    points = 0.0
    for spot in chain:
        land = land_at(state, spot)
        if state.group(spot).owner == seat:
            points += 1
        elif land is not None and land.atoll:
            points += 0.5
    return points
