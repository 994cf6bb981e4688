"""The Movement & Battle Step up to the Battles: Transit along chains, then canoes and what they carry."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.conquest.battle_events import CanoesOpened
from engine.conquest.bits import BIT, around, bits, spots_of
from engine.conquest.board import KINDS, distance, in_order
from engine.conquest.entries import Entries, entries, is_enemy_hex
from engine.conquest.pieces import NONE, Fleet, Kinds, Movement
from engine.conquest.sailing import make_leg, moving, with_movement
from engine.conquest.sea_events import HexAnswered, StayedPut
from engine.conquest.steps.battle import NextBattle
from engine.conquest.steps.choice import hexes
from engine.conquest.steps.picking import OPEN_CANOE, SAIL, THROUGH, TRANSIT, Order, bounds_of, settled
from engine.conquest.waters import chains, enemy_at, is_sea
from engine.conquest.ways import FLEET, MOVES, Source, allowance, free_to_leave, source_of
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

ON = "-on"
"""How the key of a hex ends that is to be sailed through."""
ALL, OPEN, DONE = Option("all"), Option("open"), Option("done", ends=True)
MANY: Final = {kind: ("kind", f"many-{kind}") for kind in KINDS}
"""Which pieces a question is about."""
UNMOVED = (("fleet", ""), ("number", ""), ("at", ""))
"""Of a stack where it lies, in the words for a fleet under way."""


class BeginMovement(Run, frozen=True):
    """A seat with any piece on the map moves; so whether it is asked tells nothing of what its pieces are."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The stages of Transit and Movement."""
        if not state.stacks_of[self.seat]:
            return state.changed(step="movement", movement=None)
        stages = TransitFrom(self.seat), MoveStack(self.seat)
        return state.pushed(*stages, step="movement", movement=Movement(self.seat), legs=(), last=())


def transit_targets(state: "State", seat: Seat, spot: str) -> list[str]:
    """Hexes of the same chain that can take a piece from there."""
    chain = next((chain for chain in chains(state, seat) if spot in chain), frozenset())
    return [target for target in in_order(chain) if target != spot and can_transit(state, seat, spot, target)]


def can_transit(state: "State", seat: Seat, spot: str, target: str) -> bool:
    """Whether any piece can go from one hex of a chain to another; at sea Bands and Colonies need room there."""
    free = state.pieces(seat, spot).minus(OPEN_CANOE)
    if free.canoes or free.r or not is_sea(state, target):
        return free != NONE
    return bounds_of(state, Order(seat, spot, target, TRANSIT)).anything_goes()


class TransitFrom(Step, frozen=True):
    """Pieces may shift along a chain as far as they wish; the open canoes that make it stay."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """With a chain of two hexes or more and any face-down piece on it."""
        return any(len(chain) > 1 and self._laden(state, chain) for chain in chains(state, self.seat))

    def _laden(self, state: "State", chain: frozenset[str]) -> bool:
        return any(state.pieces(self.seat, spot).total > 1 for spot in chain)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hexes with pieces free to go."""
        able = [spot for chain in chains(state, self.seat) for spot in chain if self._can_go(state, spot, chain)]
        return (Decision(self.seat, "transit_from", hexes(in_order(able), DONE)),)

    def _can_go(self, state: "State", spot: str, chain: frozenset[str]) -> bool:
        laden = state.pieces(self.seat, spot).total > 1
        return laden and any(other != spot and can_transit(state, self.seat, spot, other) for other in chain)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """On to the Movement, or where to."""
        key = answer.keys[0]
        return pop(state) if key == "done" else push(state, TransitTo(self.seat, key))


class TransitTo(Step, frozen=True):
    """Any other hex of the chain."""

    seat: Seat
    source: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Where the pieces go."""
        spots = transit_targets(state, self.seat, self.source)
        return (Decision(self.seat, "transit_to", hexes(spots), facts=(("spot", self.source),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Who goes is asked next."""
        return pick_on(state, Order(self.seat, self.source, answer.keys[0], TRANSIT), (), tell)


def pick_on(state: "State", order: Order, chosen: tuple[int, ...], tell: Tell) -> "State":
    """In place of the step on top the next kind with a choice is asked for; with none left the pieces go."""
    chosen = settled(state, order, chosen)
    if len(chosen) < len(KINDS):
        return pop(state, PickPieces(order, chosen))
    asked = (AskHex(order.seat, order.target),) if order.sort == THROUGH else ()
    return make_leg(state, order, Kinds(*chosen), tell, then=(*state.agenda[:-1], *asked))


class PickPieces(Step, frozen=True):
    """How many of a kind go: canoes first, then what they carry."""

    order: Order
    chosen: tuple[int, ...]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Counts of the next kind; the first question also takes everything."""
        bounds = bounds_of(state, self.order)
        kind = KINDS[len(self.chosen)]
        takes_all = bounds.takes_all and self.chosen == bounds.settled(())
        about = (
            ("spot", source_of(state, (self.order.seat, self.order.source)).spot),
            ("target", self.order.target),
            MANY[kind],
        )
        options = _counts(kind, *bounds.of(self.chosen), takes_all)
        return (Decision(self.order.seat, "pick_pieces", options, facts=about, secret=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """One kind more is settled, or all."""
        key = answer.keys[0]
        if key == "all":
            return pick_on(state, self.order, bounds_of(state, self.order).kinds.numbers, tell)
        return pick_on(state, self.order, (*self.chosen, int(key[:-1])), tell)


@cache
def _counts(kind: str, least: int, most: int, takes_all: bool) -> tuple[Option, ...]:
    counts = (Option(f"{n}{kind}", facts=(("pieces", f"{kind}{n}"),)) for n in range(least, most + 1))
    return (*([ALL] if takes_all else []), *counts)


def ready_stacks(state: "State", seat: Seat, exits: tuple[int, int]) -> int:
    """Hexes of stacks that have not moved and can go anywhere."""
    own = state.stacks_of[seat]
    unarmed, armed, _ = own.sailors
    ready = (unarmed & exits[False]) | (armed & exits[True])
    for spot in state.held:
        if spot in own and not free_to_leave(state, spot, own[spot].kinds):
            ready &= ~BIT[spot]
    for spot in state.zealand:
        if spot in own and source_of(state, (seat, spot)).walk:
            ready |= BIT[spot]
    return ready


def can_go_on(fleet: Fleet, exits: tuple[int, int], moves: int) -> bool:
    """Whether a fleet under way has a move left and a hex to go to; of the seat's moves Rumors alone have but two."""
    kinds = fleet.kinds
    left = fleet.left if kinds.w or kinds.t else fleet.left - (moves - MOVES)
    return left > 0 and exits[kinds.w > 0] & BIT[fleet.at] != 0


def openable(state: "State", near: Entries) -> int:
    """The mover's hexes with a face-down Transport Canoe, none open, and no Battle due."""
    movement = moving(state)
    own = state.stacks_of[movement.seat]
    closed = own.sailors[-1]
    for fleet in movement.fleets:
        if fleet.kinds.t and (fleet.at not in own or not own[fleet.at].open):
            closed |= BIT[fleet.at]
    return closed & ~(bits(movement.opened) | near.enemy)


class MoveStack(Step, frozen=True):
    """Which canoes move next; asked of everyone with pieces, even if only `done` is possible."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Stacks, fleets with moves left, canoes to open, or the end of Movement."""
        near, moves = entries(state, self.seat), allowance(state, self.seat)
        exits = near.exits
        stacks = spots_of(ready_stacks(state, self.seat, exits))
        left = [fleet for fleet in moving(state).fleets if fleet.left and can_go_on(fleet, exits, moves)]
        fleets = [_fleet(fleet.number, fleet.at, fleet.left) for fleet in left]
        opens = (OPEN,) if openable(state, near) else ()
        options = hexes(stacks, *fleets, *opens, DONE, facts=(*UNMOVED, ("left", moves)))
        return (Decision(self.seat, "move_stack", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Where to, what to open, or on to the Battles."""
        key = answer.keys[0]
        if key == "done":
            return pop(state, EndMovement(self.seat))
        return push(state, OpenCanoes(self.seat) if key == "open" else MoveTo(self.seat, key))


@lru_cache(maxsize=4096)
def _fleet(number: int, at: str, left: int) -> Option:
    facts = (("fleet", FLEET), ("number", number), ("at", "at"), ("left", left))
    return Option(f"{FLEET}{number}", spot=at, group="fleets", facts=facts)


class MoveTo(Step, frozen=True):
    """Where it goes, before who goes: so that every choice of pieces fits the way."""

    seat: Seat
    source: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hexes to end in, and hexes to sail through."""
        source = source_of(state, (self.seat, self.source))
        throughs = source.throughs()
        on = [_through(spot) for spot in spots_of(throughs)] if throughs else ()
        about = (("spot", source.spot), ("left", source.moves))
        return (Decision(self.seat, "move_to", (*_ends(source), *on), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Who goes is asked next."""
        key = answer.keys[0]
        sort = THROUGH if key.endswith(ON) else SAIL
        return pick_on(state, Order(self.seat, self.source, key.removesuffix(ON), sort), (), tell)


def _ends(source: Source) -> list[Option]:
    """Hexes to end in, with what awaits there and the moves it takes."""
    rings, enemy, hidden = source.rings, source.entries.enemy, source.entries.hidden
    reached = sum(rings)
    if len(rings) <= MOVES and not reached & (enemy | hidden):
        return [option for bit, option in _quiet_ends(source.spot) if bit & reached]
    first, second = sum(rings[:1]), sum(rings[:2])
    ends = []
    for spot, bit in around(source.spot, len(rings)):
        if bit & reached:
            way = "fight" if bit & enemy else "reveal" if bit & hidden else "quiet"
            ends.append(_end(spot, way, 1 if bit & first else 2 if bit & second else 3))
    return ends


@cache
def _quiet_ends(start: str) -> tuple[tuple[int, Option], ...]:
    """What the hexes around are to a canoe if nobody minds: with two moves it has no time for detours."""
    return tuple((bit, _end(spot, "quiet", distance(start, spot))) for spot, bit in around(start, MOVES))


@lru_cache(maxsize=4096)
def _end(spot: str, way: str, moves: int) -> Option:
    return Option(spot, spot=spot, group="near" if moves <= 2 else "far", facts=(("way", way), ("moves", moves)))


@cache
def _through(spot: str) -> Option:
    return Option(f"{spot}{ON}", spot=spot, group="through", facts=(("way", "through"),))


class OpenCanoes(Step, frozen=True):
    """Transport Canoes are turned face up, to make chains from the next Transit on."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Any of the hexes where one can be."""
        spots = spots_of(openable(state, entries(state, self.seat)))
        if len(spots) <= 25:
            return (Decision(self.seat, "open_canoes", hexes(spots), at_most=len(spots)),)
        return (Decision(self.seat, "open_canoes", hexes(spots)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The canoes turned."""
        spots = in_order(answer.keys)
        tell(CanoesOpened(self.seat, spots))
        for spot in spots:
            if state.pieces(self.seat, spot).t:
                state = state.with_pieces(self.seat, spot, state.pieces(self.seat, spot), is_open=True)
            else:
                state = with_movement(state, opened=(*moving(state).opened, spot))
        return pop(state.changed(last=spots))


class AskHex(Run, frozen=True):
    """'Is a War Canoe there?' The answer is given for the owner, to all; with one there the fleet must stop."""

    seat: Seat
    spot: str

    def run(self, state: "State", table: Table) -> "State":
        """One bit made public."""
        enemy = enemy_at(state, self.seat, self.spot)
        if enemy is None:
            return state
        yes = enemy.kinds.w > 0
        table.tell(HexAnswered(self.seat, enemy.seat, self.spot, yes))
        movement = moving(state)
        fleets = tuple(replace(f, left=0) if yes and f.at == self.spot else f for f in movement.fleets)
        return with_movement(state, answered=(*movement.answered, (self.spot, yes)), fleets=fleets)


class EndMovement(Glide, frozen=True):
    """Fleets that met nobody lie with the stacks again; the others have Battles to fight."""

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """The map as it is after Movement."""
        movement = moving(state)
        if not state.legs and not self._has_opened(state):
            tell(StayedPut(self.seat))
        due = in_order({fleet.at for fleet in movement.fleets if is_enemy_hex(state, self.seat, fleet.at)})
        arrived = [(fleet.at, fleet.kinds) for fleet in movement.fleets if fleet.at not in due]
        attacking = tuple(fleet for fleet in movement.fleets if fleet.at in due)
        ended = replace(movement, fleets=attacking, spent=(), opened=(), due=due)
        agenda = (*state.agenda, NextBattle(self.seat))
        state = state.adding(self.seat, *movement.spent, *arrived, movement=ended, agenda=agenda)
        for spot in movement.opened:
            if spot not in due:
                state = state.with_pieces(self.seat, spot, state.pieces(self.seat, spot), is_open=True)
        return state

    def _has_opened(self, state: "State") -> bool:
        """Whether canoes were turned face up where they lay."""
        stacks = (state.stack(self.seat, spot) for spot in state.last)
        return any(stack is not None and stack.open for stack in stacks)


__all__ = [
    "AskHex",
    "BeginMovement",
    "EndMovement",
    "MoveStack",
    "MoveTo",
    "OpenCanoes",
    "PickPieces",
    "TransitFrom",
    "TransitTo",
]
