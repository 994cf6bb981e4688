"""Two positions that look alike to a seat and differ as much as possible in what is hidden."""

from random import Random
from typing import Any

from msgspec.structs import replace

from engine import Match, Seat, Table
from engine.conquest.battle_rolls import ATTACKER, DEFENDER, MODES
from engine.conquest.offers import STANDING_ORDERS
from engine.conquest.pieces import NOBODY
from engine.conquest.state import State
from engine.conquest.steps.battle import GiveBattleOrders
from tests.contract.checks import redeal_match

FIRSTS = ("askme", "me")


def worlds(match: Match, seat: Seat, rng: Random) -> tuple[Match, Match]:
    """Return a position of a match, and another that looks the same to the seat."""
    one: Any = match.base
    other: Any = match.game.redeal(match.base, seat, Table(f"world {rng.random()}"))
    if match.game.id == "conquest":
        one = _ordered(one, seat, rng)
        other = _ordered(other, seat, rng)
    return redeal_match(match, seat, one), redeal_match(match, seat, other)


def _ordered(state: State, viewer: Seat, rng: Random) -> State:
    """Give all others random standing and sealed orders, which a redeal resets to the defaults."""
    for seat in range(len(state.nations)):
        if seat == viewer:
            continue
        orders = {order.field: rng.choice(order.keys) for order in STANDING_ORDERS.values()}
        # The direction that "me" needs depends on the number of players.
        orders["first"] = rng.choice(FIRSTS)
        state = state.with_nation(seat, **orders)
    if state.battle is not None and isinstance(state.agenda[-1], GiveBattleOrders):
        modes = list(state.battle.modes)
        for side in (ATTACKER, DEFENDER):
            # An Independent group, NOBODY's, gives no orders.
            if modes[side] and state.battle.seat(side) not in (viewer, NOBODY):
                modes[side] = rng.choice(MODES)
        state = state.with_changes(battle=replace(state.battle, modes=(modes[0], modes[1])))
    return state
