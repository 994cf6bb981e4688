"""Pieces on the move: legs made, fleets split, cargo picked up and set down."""

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.board import NEIGHBOURS
from engine.conquest.pieces import NONE, Fleet, Kinds, Leg, Movement
from engine.conquest.realm import reveal_tile
from engine.conquest.sea_events import Sailed, Transited
from engine.conquest.waters import chains, hidden_at, is_enemy_hex
from engine.conquest.ways import Source, fleet_of, routes
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State
    from engine.conquest.steps.picking import Order


def moving(state: "State") -> Movement:
    """The Movement under way."""
    if state.movement is None:
        raise ValueError("nobody is moving")
    return state.movement


def with_movement(state: "State", **changes: Any) -> "State":
    """The state with the Movement changed."""
    return state.changed(movement=replace(moving(state), **changes))


def own_at(state: "State", seat: Seat, spot: str) -> Kinds:
    """All the mover's pieces in a hex, under way or not."""
    kinds = state.pieces(seat, spot)
    for fleet in moving(state).fleets:
        if fleet.at == spot:
            kinds = kinds.plus(fleet.kinds)
    for place, spent in moving(state).spent:
        if place == spot:
            kinds = kinds.plus(spent)
    return kinds


def make_leg(state: "State", order: "Order", kinds: Kinds, tell: Tell) -> "State":
    """The pieces moved, and told: their number to all, what they are to their owner."""
    if order.sort == "transit":
        return _transit(state, order, kinds, tell)
    way = _way(state, order, kinds)
    if hidden_at(state, order.target) is not None:
        state = reveal_tile(state, order.target, order.seat, tell)
    was_open = _lies_open(state, order.seat, way[0])
    source = Source(state, order.seat, order.source)
    state, fleet = _from_fleet(state, source, kinds) if source.fleet else _from_stack(state, source, kinds)
    state = _arrive(state, order, fleet, way)
    state = _keep_open(state, order.seat, way[0], was_open)
    left_open = was_open and not _lies_open(state, order.seat, way[0])
    tell(Sailed(order.seat, way, kinds.total, left_open, kinds))
    return _with_leg(state, Leg(order.seat, way, kinds.total))


def _transit(state: "State", order: "Order", kinds: Kinds, tell: Tell) -> "State":
    seat, source = order.seat, order.source
    chain = next(chain for chain in chains(state, seat) if source in chain)
    way = _path(source, order.target, chain)
    state = state.with_pieces(seat, source, state.pieces(seat, source).minus(kinds))
    tell(Transited(seat, way, kinds.total, False, kinds))
    return _with_leg(state.adding(seat, order.target, kinds), Leg(seat, way, kinds.total, transit=True))


def _with_leg(state: "State", leg: Leg) -> "State":
    return state.changed(legs=(*state.legs, leg), last=(leg.way[-1],))


def _path(source: str, target: str, chain: frozenset[str]) -> tuple[str, ...]:
    ways: dict[str, tuple[str, ...]] = {source: (source,)}
    edge = [source]
    while target not in ways:
        here = edge.pop(0)
        for spot in NEIGHBOURS[here]:
            if spot in chain and spot not in ways:
                ways[spot] = (*ways[here], spot)
                edge.append(spot)
    return ways[target]


def _way(state: "State", order: "Order", kinds: Kinds) -> tuple[str, ...]:
    """The shortest way for these pieces; those that walk have but one."""
    source = Source(state, order.seat, order.source)
    if order.target == source.walk:
        return source.spot, order.target
    return routes(state, order.seat, source.spot, source.moves, war=kinds.w > 0)[order.target]


def _from_stack(state: "State", source: Source, kinds: Kinds) -> tuple["State", Fleet]:
    movement = moving(state)
    state = state.with_pieces(source.seat, source.spot, source.waiting.minus(kinds))
    state = with_movement(state, made=movement.made + 1)
    return state, Fleet(movement.made + 1, source.spot, source.spot, source.moves, kinds)


def _from_fleet(state: "State", source: Source, kinds: Kinds) -> tuple["State", Fleet]:
    """The fleet goes on under its number; canoes left behind are a new fleet, cargo without one is set down."""
    movement = moving(state)
    fleet = fleet_of(state, source.key)
    assert fleet is not None
    picked_up = Kinds(c=max(0, kinds.c - fleet.kinds.c), b=max(0, kinds.b - fleet.kinds.b))
    state = state.with_pieces(source.seat, source.spot, source.waiting.minus(picked_up))
    rest = fleet.kinds.minus(kinds.minus(picked_up))
    aboard = _loaded(rest)
    fleets = tuple(other for other in movement.fleets if other.number != fleet.number)
    made = movement.made
    if aboard.canoes + aboard.r:
        made += 1
        fleets = (*fleets, Fleet(made, fleet.at, fleet.origin, fleet.left, aboard))
    set_down = rest.minus(aboard)
    spent = (*movement.spent, (source.spot, set_down)) if set_down.total else movement.spent
    return with_movement(state, fleets=fleets, made=made, spent=spent), replace(fleet, kinds=kinds)


def _loaded(rest: Kinds) -> Kinds:
    """What of these stays aboard: Colonies as far as there are Transport Canoes, Warrior Bands as there is room."""
    c = min(rest.c, rest.t)
    return replace(rest, c=c, b=min(rest.b, rest.canoes - c))


def _arrive(state: "State", order: "Order", fleet: Fleet, way: tuple[str, ...]) -> "State":
    """The fleet at its end; among enemies it stays to fight, and whoever walked moves no more."""
    stays = order.sort != "through" and is_enemy_hex(state, order.seat, order.target)
    left = 0 if stays else fleet.left - (len(way) - 1)
    aboard = _loaded(fleet.kinds) if fleet.kinds.canoes + fleet.kinds.r else NONE
    walked = fleet.kinds.minus(aboard)
    movement = moving(state)
    fleets = (
        (*movement.fleets, replace(fleet, at=order.target, left=left, kinds=aboard))
        if aboard.total
        else movement.fleets
    )
    spent = (*movement.spent, (order.target, walked)) if walked.total else movement.spent
    return with_movement(state, fleets=tuple(sorted(fleets, key=lambda one: one.number)), spent=spent)


def _lies_open(state: "State", seat: Seat, spot: str) -> bool:
    stack = state.stack(seat, spot)
    return (stack is not None and stack.open) or spot in moving(state).opened


def _keep_open(state: "State", seat: Seat, spot: str, was_open: bool) -> "State":
    """A canoe lies open as long as one is there; one that leaves is face down."""
    opened = tuple(place for place in moving(state).opened if place != spot)
    stack = state.stack(seat, spot)
    still = was_open and own_at(state, seat, spot).t > 0 and not (stack is not None and stack.open)
    return with_movement(state, opened=(*opened, spot) if still else opened)
