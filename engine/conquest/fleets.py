"""Pieces on the move: legs made, fleets split, cargo picked up and set down.

"Canoes may freely pick up and drop off Warrior Bands and Colonies as they move", but a piece "may
not be moved by more than one Canoe in a turn". So what has sailed is a fleet until the Movement
ends, apart from the stack that waits in the same hex; what is set down is `spent` and moves no
more.
"""

from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.carrying import THROUGH, Order
from engine.conquest.chains import chains, ways_along
from engine.conquest.discoveries import reveal_tile
from engine.conquest.hexes import hidden_at, is_enemy_hex
from engine.conquest.pieces import NONE, Fleet, Kinds, Leg, Movement
from engine.conquest.sailing import Source, source_of
from engine.conquest.sea_events import Sailed, Transited
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State


def moving(state: "State") -> Movement:
    """The Movement under way."""
    if state.movement is None:
        raise ValueError("nobody is moving")
    return state.movement


def with_movement(state: "State", **changes: Any) -> "State":
    """The state with the Movement changed."""
    return state.changed(movement=replace(moving(state), **changes))


def transit(state: "State", order: Order, kinds: Kinds, tell: Tell) -> "State":
    """The pieces shifted along their chain, however many and far; afterwards they may still move
    or be carried.
    """
    seat, start = order.seat, order.source
    chain = next(chain for chain in chains(state, seat) if start in chain)
    way = ways_along(start, chain)[order.target]
    tell(Transited(seat, way, kinds.total, False, kinds))
    state = state.with_pieces(seat, start, state.pieces(seat, start).minus(kinds))
    state = state.adding(seat, (order.target, kinds))
    legs = (*state.legs, Leg(seat, way, kinds.total, transit=True))
    return state.changed(legs=legs, last=(order.target,))


def sail(state: "State", order: Order, kinds: Kinds, tell: Tell) -> "State":
    """The pieces moved, and told: their number to all, what they are to their owner."""
    seat = order.seat
    source = source_of(state, seat, order.source)
    way = source.way(state, order.target, kinds)
    if hidden_at(state, order.target) is not None:
        state = reveal_tile(state, order.target, seat, tell)
    was_open = _is_open(state, source.spot)
    movement, fleet = _set_out(moving(state), source, kinds)
    moves = len(way) - 1
    movement = _arrive(state, movement, order, replace(fleet, left=fleet.left - moves))
    escorts = movement.escorts
    if kinds.w and order.sort != THROUGH:
        # What waits on its way may join it; but not where it asked first, for the answer would be
        # known already.
        escorts = (*escorts, *(step for step in pairwise(way) if step not in escorts))
    movement = replace(movement, afloat=True, escorts=escorts)
    staying = source.waiting.minus(source.picked_up(kinds))
    if was_open:
        movement = _keep_open(state, movement, source.spot, staying)
    state = state.with_pieces(seat, source.spot, staying)
    legs = (*state.legs, Leg(seat, way, kinds.total))
    state = state.changed(movement=movement, legs=legs, last=(order.target,))
    left_open = was_open and not _is_open(state, source.spot)
    tell(Sailed(seat, way, kinds.total, left_open, kinds))
    return state


def _is_open(state: "State", spot: str) -> bool:
    """Whether a canoe of the mover lies face up there."""
    movement = moving(state)
    stack = state.stack(movement.seat, spot)
    return (stack is not None and stack.open) or spot in movement.opened


def _set_out(movement: Movement, source: Source, kinds: Kinds) -> tuple[Movement, Fleet]:
    """The Movement without the fleet that sets out, and that fleet."""
    fleet = source.fleet
    if fleet is None:
        number = movement.made + 1
        fleet = Fleet(number, source.spot, source.spot, source.moves, kinds)
        return replace(movement, made=number), fleet
    # It goes on under its number. Canoes left behind are a new fleet; cargo left without its own is
    # set down.
    aboard = source.kept_aboard(kinds)
    set_down = fleet.kinds.minus(source.aboard(kinds)).minus(aboard)
    fleets = tuple(other for other in movement.fleets if other.number != fleet.number)
    made, spent = movement.made, movement.spent
    if aboard.canoes + aboard.r:
        made += 1
        fleets = (*fleets, Fleet(made, fleet.at, fleet.origin, fleet.left, aboard))
    if set_down.total:
        spent = (*spent, (source.spot, set_down))
    movement = replace(movement, fleets=fleets, made=made, spent=spent)
    return movement, replace(fleet, kinds=kinds)


def _loaded(kinds: Kinds) -> Kinds:
    """What of these can be aboard: Colonies as far as there are Transport Canoes, Warrior Bands
    as there is room.
    """
    c = min(kinds.c, kinds.t)
    return replace(kinds, c=c, b=min(kinds.b, kinds.canoes - c))


def _arrive(state: "State", movement: Movement, order: Order, fleet: Fleet) -> Movement:
    """End the fleet's move; among enemies it stays to fight, and pieces that walked are done."""
    left = fleet.left
    if order.sort != THROUGH and is_enemy_hex(state, order.seat, order.target):
        left = 0
    aboard = _loaded(fleet.kinds) if fleet.kinds.canoes + fleet.kinds.r else NONE
    spent, fleets = movement.spent, movement.fleets
    if aboard != fleet.kinds:
        spent = (*spent, (order.target, fleet.kinds.minus(aboard)))
    if aboard != NONE:
        arrived = Fleet(fleet.number, order.target, fleet.origin, left, aboard)
        fleets = tuple(sorted((*fleets, arrived), key=attrgetter("number")))
    return replace(movement, fleets=fleets, spent=spent)


def _keep_open(state: "State", movement: Movement, spot: str, staying: Kinds) -> Movement:
    """A canoe lies open as long as one is there, in the stack or in a fleet; one that leaves is
    face down.
    """
    opened = tuple(place for place in movement.opened if place != spot)
    stack = state.stack(movement.seat, spot)
    stays_open = stack is not None and stack.open and staying.t > 0
    canoes = staying.t + sum(fleet.kinds.t for fleet in movement.fleets if fleet.at == spot)
    if not stays_open and canoes:
        opened = (*opened, spot)
    return replace(movement, opened=opened)
