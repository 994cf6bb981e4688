"""Moves pieces: sailing, splitting fleets, picking up and setting down cargo.

"Canoes may freely pick up and drop off Warrior Bands and Colonies as they move", but a piece "may
not be moved by more than one Canoe in a turn". So pieces that have sailed form a fleet until the
Movement ends, apart from the stack that waits in the same hex; cargo that is set down is `spent`
and cannot move again.
"""

from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.carrying import THROUGH, Order
from engine.conquest.chains import find_chains, shortest_ways
from engine.conquest.discoveries import reveal_tile
from engine.conquest.hexes import face_down_tile_at, is_enemy_hex
from engine.conquest.pieces import NO_PIECES, Fleet, Kinds, Leg, Movement
from engine.conquest.sailing import Source, source_of
from engine.conquest.sea_events import Sailed, Transited
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State


def current_movement(state: "State") -> Movement:
    """Return the Movement under way."""
    if state.movement is None:
        raise ValueError("nobody is moving")
    return state.movement


def with_movement(state: "State", **changes: Any) -> "State":
    """Return the state with fields of the Movement replaced."""
    return state.with_changes(movement=replace(current_movement(state), **changes))


def move_by_transit(state: "State", order: Order, kinds: Kinds, tell: Tell) -> "State":
    """Move pieces along their chain, however many and far; they may still sail afterwards."""
    seat = order.seat
    start = order.source
    chain = next(chain for chain in find_chains(state, seat) if start in chain)
    way = shortest_ways(start, chain)[order.target]
    tell(Transited(seat, way, kinds.total, False, kinds))
    state = state.with_pieces(seat, start, state.pieces(seat, start).minus(kinds))
    state = state.with_added_pieces(seat, (order.target, kinds))
    legs = (*state.legs, Leg(seat, way, kinds.total, transit=True))
    return state.with_changes(legs=legs, last=(order.target,))


def move_by_canoe(state: "State", order: Order, kinds: Kinds, tell: Tell) -> "State":
    """Move pieces by canoe; everybody learns their number, only the owner their kinds."""
    seat = order.seat
    source = source_of(state, seat, order.source)
    way = source.way(state, order.target, kinds)
    # "You may flip up an Island Group Tile (that you have Explored) immediately before moving onto
    # it."
    if face_down_tile_at(state, order.target) is not None:
        state = reveal_tile(state, order.target, seat, tell)
    was_open = _is_open(state, source.spot)
    movement, fleet = _detach_fleet(current_movement(state), source, kinds)
    moves = len(way) - 1
    movement = _end_leg(state, movement, order, replace(fleet, left=fleet.left - moves))
    escorts = movement.escorts
    if kinds.w and order.sort != THROUGH:
        # Pieces that wait on the way of a War Canoe may join it. Not where it asked to pass: they
        # would sail with the answer already known.
        escorts = (*escorts, *(step for step in pairwise(way) if step not in escorts))
    # Once something has sailed, Transit is over.
    movement = replace(movement, afloat=True, escorts=escorts)
    staying = source.waiting.minus(source.picked_up(kinds))
    if was_open:
        movement = _update_open_canoes(state, movement, source.spot, staying)
    state = state.with_pieces(seat, source.spot, staying)
    legs = (*state.legs, Leg(seat, way, kinds.total))
    state = state.with_changes(movement=movement, legs=legs, last=(order.target,))
    left_open = was_open and not _is_open(state, source.spot)
    tell(Sailed(seat, way, kinds.total, left_open, kinds))
    return state


def _is_open(state: "State", spot: str) -> bool:
    """Return whether a canoe of the mover lies face up in a hex."""
    movement = current_movement(state)
    stack = state.stack(movement.seat, spot)
    return (stack is not None and stack.open) or spot in movement.opened


def _detach_fleet(movement: Movement, source: Source, kinds: Kinds) -> tuple[Movement, Fleet]:
    """Return the Movement without the fleet that sets out, and that fleet."""
    fleet = source.fleet
    if fleet is None:
        number = movement.made + 1
        fleet = Fleet(number, source.spot, source.spot, source.moves, kinds)
        return replace(movement, made=number), fleet
    # The fleet keeps its number. Canoes left behind form a new fleet; cargo left without the canoe
    # that brought it is set down.
    aboard = source.kept_aboard(kinds)
    set_down = fleet.kinds.minus(source.aboard(kinds)).minus(aboard)
    fleets = tuple(other for other in movement.fleets if other.number != fleet.number)
    made = movement.made
    spent = movement.spent
    if aboard.canoes + aboard.r:
        made += 1
        fleets = (*fleets, Fleet(made, fleet.at, fleet.origin, fleet.left, aboard))
    if set_down.total:
        spent = (*spent, (source.spot, set_down))
    movement = replace(movement, fleets=fleets, made=made, spent=spent)
    return movement, replace(fleet, kinds=kinds)


def _load_canoes(kinds: Kinds) -> Kinds:
    """Return which of the pieces are aboard: Colonies first, then Bands as far as there is room."""
    colonies = min(kinds.c, kinds.t)
    bands = min(kinds.b, kinds.canoes - colonies)
    return replace(kinds, c=colonies, b=bands)


def _end_leg(state: "State", movement: Movement, order: Order, fleet: Fleet) -> Movement:
    """End the fleet's move; among enemies it stays to fight, and pieces that walked are spent."""
    left = fleet.left
    if order.sort != THROUGH and is_enemy_hex(state, order.seat, order.target):
        left = 0
    aboard = _load_canoes(fleet.kinds) if fleet.kinds.canoes + fleet.kinds.r else NO_PIECES
    spent = movement.spent
    fleets = movement.fleets
    if aboard != fleet.kinds:
        spent = (*spent, (order.target, fleet.kinds.minus(aboard)))
    if aboard != NO_PIECES:
        arrived = Fleet(fleet.number, order.target, fleet.origin, left, aboard)
        fleets = tuple(sorted((*fleets, arrived), key=attrgetter("number")))
    return replace(movement, fleets=fleets, spent=spent)


def _update_open_canoes(state: "State", movement: Movement, spot: str, staying: Kinds) -> Movement:
    """Note whether a canoe still lies face up in a hex that pieces leave.

    One does as long as any Transport Canoe is there, in the stack or in a fleet; a canoe that
    leaves is turned face down.
    """
    opened = tuple(place for place in movement.opened if place != spot)
    stack = state.stack(movement.seat, spot)
    stays_open = stack is not None and stack.open and staying.t > 0
    canoes = staying.t + sum(fleet.kinds.t for fleet in movement.fleets if fleet.at == spot)
    if not stays_open and canoes:
        opened = (*opened, spot)
    return replace(movement, opened=opened)
