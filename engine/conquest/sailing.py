"""Pieces on the move: legs made, fleets split, cargo picked up and set down."""

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.board import NEIGHBOURS
from engine.conquest.entries import is_enemy_hex
from engine.conquest.pieces import NONE, Fleet, Kinds, Leg, Movement
from engine.conquest.realm import reveal_tile
from engine.conquest.sea_events import Sailed, Transited
from engine.conquest.waters import chains, hidden_at
from engine.conquest.ways import Source, source_of
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State
    from engine.conquest.steps import AnyStep
    from engine.conquest.steps.picking import Order


def moving(state: "State") -> Movement:
    """The Movement under way."""
    if state.movement is None:
        raise ValueError("nobody is moving")
    return state.movement


def with_movement(state: "State", **changes: Any) -> "State":
    """The state with the Movement changed."""
    return state.changed(movement=replace(moving(state), **changes))


def is_open(state: "State", spot: str) -> bool:
    """Whether a canoe of the mover lies face up there."""
    movement = moving(state)
    stack = state.stack(movement.seat, spot)
    return (stack is not None and stack.open) or spot in movement.opened


def make_leg(state: "State", order: "Order", kinds: Kinds, tell: Tell, then: tuple["AnyStep", ...]) -> "State":
    """The pieces moved, and told: their number to all, what they are to their owner. Then other steps are to come."""
    if order.sort == "transit":
        return _transit(state, order, kinds, tell, then)
    source = source_of(state, (order.seat, order.source))
    way = _way(source, order.target, kinds)
    if hidden_at(state, order.target) is not None:
        state = reveal_tile(state, order.target, order.seat, tell)
    was_open = is_open(state, way[0])
    fleet, movement, taken = _from_fleet(state, source, kinds) if source.fleet else _from_stack(state, source, kinds)
    movement, stay = _arrive(state, movement, order, fleet, way), source.waiting.minus(taken)
    if was_open:
        movement = _keep_open(state, movement, way[0], stay)
    number = kinds.total
    legs = (*state.legs, Leg(order.seat, way, number))
    state = state.with_pieces(order.seat, way[0], stay, movement=movement, legs=legs, last=way[-1:], agenda=then)
    left_open = was_open and not is_open(state, way[0])
    tell(Sailed(order.seat, way, number, left_open, kinds))
    return state


def _transit(state: "State", order: "Order", kinds: Kinds, tell: Tell, then: tuple["AnyStep", ...]) -> "State":
    seat, source = order.seat, order.source
    chain = next(chain for chain in chains(state, seat) if source in chain)
    way = _path(source, order.target, chain)
    state = state.with_pieces(seat, source, state.pieces(seat, source).minus(kinds))
    tell(Transited(seat, way, kinds.total, False, kinds))
    legs = (*state.legs, Leg(seat, way, kinds.total, transit=True))
    return state.adding(seat, (order.target, kinds), legs=legs, last=way[-1:], agenda=then)


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


def _way(source: Source, target: str, kinds: Kinds) -> tuple[str, ...]:
    """The shortest way for these pieces; those that walk have but one."""
    if target == source.walk:
        return source.spot, target
    return source.entries.way(source.spot, target, war=kinds.w > 0)


def _from_stack(state: "State", source: Source, kinds: Kinds) -> tuple[Fleet, Movement, Kinds]:
    """A new fleet, the Movement without it, and what it takes from the stack: all of it."""
    movement = moving(state)
    fleet = Fleet(movement.made + 1, source.spot, source.spot, source.moves, kinds)
    return fleet, replace(movement, made=movement.made + 1), kinds


def _from_fleet(state: "State", source: Source, kinds: Kinds) -> tuple[Fleet, Movement, Kinds]:
    """The fleet goes on under its number; canoes left behind are a new fleet, cargo without one is set down."""
    movement = moving(state)
    fleet = source.fleet
    assert fleet is not None
    picked_up = Kinds(c=max(0, kinds.c - fleet.kinds.c), b=max(0, kinds.b - fleet.kinds.b))
    rest = fleet.kinds.minus(kinds.minus(picked_up))
    aboard = _loaded(rest)
    fleets = tuple(other for other in movement.fleets if other.number != fleet.number)
    made = movement.made
    if aboard.canoes + aboard.r:
        made += 1
        fleets = (*fleets, Fleet(made, fleet.at, fleet.origin, fleet.left, aboard))
    set_down = rest.minus(aboard)
    spent = (*movement.spent, (source.spot, set_down)) if set_down.total else movement.spent
    return replace(fleet, kinds=kinds), replace(movement, fleets=fleets, made=made, spent=spent), picked_up


def _loaded(rest: Kinds) -> Kinds:
    """What of these stays aboard: Colonies as far as there are Transport Canoes, Warrior Bands as there is room."""
    if rest.is_afloat:
        return rest
    c = min(rest.c, rest.t)
    return replace(rest, c=c, b=min(rest.b, rest.canoes - c))


def _arrive(state: "State", movement: Movement, order: "Order", fleet: Fleet, way: tuple[str, ...]) -> Movement:
    """The fleet at its end; among enemies it stays to fight, and whoever walked moves no more."""
    stays = order.sort != "through" and is_enemy_hex(state, order.seat, order.target)
    left = 0 if stays else fleet.left - (len(way) - 1)
    aboard = _loaded(fleet.kinds) if fleet.kinds.canoes + fleet.kinds.r else NONE
    spent = movement.spent
    if aboard != fleet.kinds:
        spent = (*spent, (order.target, fleet.kinds.minus(aboard)))
    if aboard == NONE:
        return replace(movement, spent=spent)
    arrived = Fleet(fleet.number, order.target, fleet.origin, left, aboard)
    fleets = tuple(sorted((*movement.fleets, arrived), key=attrgetter("number")))
    return replace(movement, fleets=fleets, spent=spent)


def _keep_open(state: "State", movement: Movement, spot: str, stay: Kinds) -> Movement:
    """A canoe lies open as long as one is there, in the stack or in a fleet; one that leaves is face down."""
    opened = tuple(place for place in movement.opened if place != spot)
    stack = state.stack(movement.seat, spot)
    if not stay.t or stack is None or not stack.open:
        canoes = stay.t + sum(fleet.kinds.t for fleet in movement.fleets if fleet.at == spot)
        opened = (*opened, spot) if canoes else opened
    return replace(movement, opened=opened)
