"""Two worlds for one seat: positions that look alike to it and differ in as much as they can of
what it cannot know.
"""

from random import Random
from typing import Any

from msgspec.structs import replace

from engine import Match, Seat, Table
from engine.conquest.battle_rolls import ATTACKER, DEFENDER, MODES
from engine.conquest.offers import COURSES, DECLARES, FINDS, LOSSES, ORDERS, SURE
from engine.conquest.pieces import NOBODY
from engine.conquest.state import State
from engine.conquest.steps.battle import GiveBattleOrders
from tests.contract.checks import redealt

FIRSTS = ("askme", "me")


def worlds(match: Match, seat: Seat, rng: Random) -> tuple[Match, Match]:
    """Return the position and one that looks the same to the seat; they are equal if nothing can
    be hidden.
    """
    one: Any = match.base
    other: Any = match.game.redeal(match.base, seat, Table(f"world {rng.random()}"))
    if match.game.id == "conquest":
        one = _ordered(one, seat, rng)
        other = _ordered(other, seat, rng)
    return redealt(match, seat, one), redealt(match, seat, other)


def _ordered(state: State, viewer: Seat, rng: Random) -> State:
    """Give all others any standing and sealed orders, which a deal sets back to those that
    everybody begins with.
    """
    for seat in range(len(state.nations)):
        if seat == viewer:
            continue
        state = state.with_nation(
            seat,
            losses=rng.choice(LOSSES),
            orders=rng.choice(ORDERS),
            course=rng.choice(COURSES),
            first=rng.choice(FIRSTS),
            sure=rng.choice(SURE),
            finds=rng.choice(FINDS),
            victory=rng.choice(DECLARES),
        )
    if state.battle is not None and isinstance(state.agenda[-1], GiveBattleOrders):
        modes = list(state.battle.modes)
        for side in (ATTACKER, DEFENDER):
            # An Independent group, NOBODY's, gives no orders.
            if modes[side] and state.battle.seat(side) not in (viewer, NOBODY):
                modes[side] = rng.choice(MODES)
        state = state.changed(battle=replace(state.battle, modes=(modes[0], modes[1])))
    return state
