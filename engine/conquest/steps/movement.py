"""The Movement & Battle Step up to the Battles: Transit along chains, then canoes and what they carry.

A move is asked as from, to, who: with the hex before the pieces no choice of pieces leads into a dead end. Until a
canoe has sailed or was opened, a move may also be a Transit. All of a seat's moves are one draft, but for the question
whether a War Canoe is in the way: its answer cannot be undone. A seat that has no Battle to fight may build ahead in
the same draft.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import KINDS, in_order
from engine.conquest.carrying import SAIL, THROUGH, TRANSIT, Order, Party, party_of
from engine.conquest.chains import chains
from engine.conquest.event_base import counts_of
from engine.conquest.fleets import moving, sail, transit, with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import enemy_at, is_enemy_hex, may_move
from engine.conquest.pieces import Kinds, Movement
from engine.conquest.sailing import ASK, FLEET, MOVES, QUIET, REVEAL, Source, allowance, entry, source_of
from engine.conquest.sea_events import CanoesOpened, HexAnswered, StayedPut
from engine.conquest.steps.battle import NextBattle
from engine.conquest.steps.build import BuildAhead
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

ON = "-on"
"""How the key of a hex ends that is to be sailed through."""
OPEN = "open"
"""The key of all canoes to be turned face up; with a hex behind it that of one."""
CHAIN = "-chain"
"""How the key of a hex ends that is reached by Transit."""


class BeginMovement(Run, frozen=True):
    """A seat with any piece on the map moves; so whether it is asked tells nothing of what its pieces are.

    Nothing is asked where everybody knows that they are the Warrior Bands of the set-up, or of a seat that rests.
    """

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The question, if anything might move."""
        if not may_move(state, self.seat):
            return state.changed(step="movement", movement=None).with_nation(self.seat, rests=False)
        state = state.changed(step="movement", movement=Movement(self.seat), legs=(), last=())
        return push(state, MoveStack(self.seat))


def transit_targets(state: "State", seat: Seat, spot: str) -> list[str]:
    """Hexes of the same chain that can take a piece from there; at sea Bands and Colonies need room there.

    Transit comes before Movement, so no canoe can be turned face up for it; the open canoes that make the chain stay.
    """
    if moving(state).afloat or state.pieces(seat, spot).total < 2:
        return []
    chain = next((chain for chain in chains(state, seat) if spot in chain), frozenset())
    found = []
    for target in in_order(chain - {spot}):
        party = party_of(state, Order(seat, spot, target, TRANSIT))
        if party.numbers(()):
            found.append(target)
    return found


def pick_on(state: "State", order: Order, chosen: tuple[int, ...], tell: Tell) -> "State":
    """In place of the step on top the next kind with a choice is asked for; with none left the pieces go."""
    party = party_of(state, order)
    is_first = not chosen
    chosen = party.settled(chosen)
    if len(chosen) < len(KINDS):
        return pop(state, PickCompany(order) if is_first and party.companies() else PickPieces(order, chosen))
    if order.sort == TRANSIT:
        return pop(transit(state, order, Kinds(*chosen), tell))
    sailed = sail(state, order, Kinds(*chosen), tell)
    if order.sort == THROUGH:
        return pop(sailed, AskHex(order.seat, order.target))
    return pop(sailed)


def _number(source: Source) -> int:
    """The number of a fleet, 0 for the stack of a hex."""
    return source.fleet.number if source.fleet is not None else 0


def _about(party: Party, order: Order) -> tuple[Fact, ...]:
    """What is known of an order when its pieces are asked for; `war` if one of them must be a War Canoe."""
    source = party.source
    return (
        ("spot", source.spot),
        ("target", order.target),
        ("fleet", _number(source)),
        ("sort", order.sort),
        ("war", int(party.needs_war)),
    )


class PickCompany(Step, frozen=True):
    """Who goes, where there are few ways to choose."""

    order: Order

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every company that may go; everything first, if that may."""
        party = party_of(state, self.order)
        options: list[Option] = []
        for kinds in party.companies():
            if kinds == party.kinds:
                options.insert(0, Option("all"))
            else:
                options.append(Option(company_key(kinds), facts=(("pieces", counts_of(kinds)),)))
        about = _about(party, self.order)
        return (Decision(self.order.seat, "pick_company", tuple(options), facts=about, secret=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """They go."""
        party, key = party_of(state, self.order), answer.keys[0]
        going = party.kinds
        if key != "all":
            going = next(kinds for kinds in party.companies() if company_key(kinds) == key)
        return pick_on(state, self.order, going.numbers, tell)


def company_key(kinds: Kinds) -> str:
    """The key of pieces that go together: '1w2t'."""
    return "".join(f"{number}{kind}" for kind, number in counts_of(kinds))


class PickPieces(Step, frozen=True):
    """How many of a kind go: canoes first, then what they carry."""

    order: Order
    chosen: tuple[int, ...]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Counts of the next kind; the first question also takes everything."""
        party = party_of(state, self.order)
        kind = KINDS[len(self.chosen)]
        numbers = party.numbers(self.chosen)
        options = [Option(f"{number}{kind}", facts=(("number", number), ("kind", kind))) for number in numbers]
        is_first = self.chosen == party.settled(())
        if is_first and party.may_go(party.kinds):
            options = [Option("all"), *options]
        about = (*_about(party, self.order), ("kind", kind))
        return (Decision(self.order.seat, "pick_pieces", tuple(options), facts=about, secret=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """One kind more is settled, or all."""
        key = answer.keys[0]
        if key == "all":
            everything = party_of(state, self.order).kinds
            return pick_on(state, self.order, everything.numbers, tell)
        number = int(key[:-1])
        return pick_on(state, self.order, (*self.chosen, number), tell)


def openable(state: "State") -> tuple[str, ...]:
    """The mover's hexes with a face-down Transport Canoe, none open, and no Battle due."""
    movement = moving(state)
    stacks = state.stacks_of(movement.seat)
    canoes = {stack.spot for stack in stacks if stack.kinds.t}
    canoes |= {fleet.at for fleet in movement.fleets if fleet.kinds.t}
    opened = {stack.spot for stack in stacks if stack.open} | set(movement.opened)
    return in_order(spot for spot in canoes - opened if not is_enemy_hex(state, movement.seat, spot))


def open_canoes(state: "State", seat: Seat, spots: tuple[str, ...], tell: Tell) -> "State":
    """Transport Canoes turned face up, to make chains from the next Transit on.

    One that lies open is never turned down by itself; it is face down again once it moves away.
    """
    state = with_movement(state, afloat=True)
    tell(CanoesOpened(seat, spots))
    for spot in spots:
        pieces = state.pieces(seat, spot)
        if pieces.t:
            state = state.with_pieces(seat, spot, pieces, is_open=True)
        else:
            state = with_movement(state, opened=(*moving(state).opened, spot))
    return state.changed(last=spots)


class MoveStack(Step, frozen=True):
    """Which pieces move next; asked of everyone with pieces, even if only `done` is possible."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Stacks, fleets with moves left, canoes to open, all or one by one, or the end of Movement."""
        ready = []
        for stack in state.stacks_of(self.seat):
            sails = source_of(state, self.seat, stack.spot).can_go(state)
            if sails or (stack.open and transit_targets(state, self.seat, stack.spot)):
                ready.append(stack.spot)
        fleets = []
        for fleet in moving(state).fleets:
            key = f"{FLEET}{fleet.number}"
            if fleet.left and source_of(state, self.seat, key).can_go(state):
                about = (("fleet", fleet.number), ("left", fleet.left))
                fleets.append(Option(key, spot=fleet.at, group="fleets", facts=about))
        closed = openable(state)
        all_of_them = (("spot", closed[0]) if len(closed) == 1 else ("spots", closed),) if closed else ()
        others = [Option(OPEN, group="open", facts=all_of_them)] if closed else []
        if len(closed) > 1:
            others += [Option(f"{OPEN}-{spot}", spot=spot, group="open", facts=(("open", OPEN),)) for spot in closed]
        others.append(Option("done", ends=True))
        options = hex_options(ready, *fleets, *others, facts=(("left", allowance(state, self.seat)),))
        return (Decision(self.seat, "move_stack", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Where to, what to open, or on to the Battles."""
        key = answer.keys[0]
        if key == "done":
            return pop(state, EndMovement(self.seat))
        what, _, spot = key.partition("-")
        if what == OPEN:
            return open_canoes(state, self.seat, (spot,) if spot else openable(state), tell)
        return push(state, MoveTo(self.seat, key))


class MoveTo(Step, frozen=True):
    """Where it goes, before who goes: so that every choice of pieces fits the way.

    Pieces on a chain "may move along it as far as they wish" before anything sails: those hexes come by themselves.
    """

    seat: Seat
    source: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hexes to end in, with what awaits there and the moves it takes; to sail through; and to reach by a chain."""
        source = source_of(state, self.seat, self.source)
        ways = source.all_ways(state)
        ends, throughs = [], []
        for spot in in_order(ways):
            what = entry(state, self.seat, spot)
            moves = len(ways[spot]) - 1
            # To end where an enemy's pieces lie is to fight, even if they could be passed.
            means = {QUIET: "", REVEAL: "reveal"}.get(what, "fight")
            group = "near" if moves <= MOVES else "far"
            ends.append(Option(spot, spot=spot, group=group, facts=(("way", means), ("moves", moves))))
            # Only War Canoes of its own may ask their way; what joins others goes where they went.
            if what == ASK and moves < source.moves and source.movers.w:
                throughs.append(Option(f"{spot}{ON}", spot=spot, group="through", facts=(("way", "through"),)))
        chained: list[Option] = []
        stack = state.stack(self.seat, source.spot)
        if source.fleet is None and stack is not None and stack.open:
            spots = transit_targets(state, self.seat, source.spot)
            chained = [Option(f"{spot}{CHAIN}", spot=spot, group="chain", facts=(("way", "chain"),)) for spot in spots]
        about = (("spot", source.spot), ("left", source.moves), ("fleet", _number(source)))
        return (Decision(self.seat, "move_to", (*ends, *throughs, *chained), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Who goes is asked next."""
        target, _, how = answer.keys[0].partition("-")
        sort = {"on": THROUGH, "chain": TRANSIT}.get(how, SAIL)
        return pick_on(state, Order(self.seat, self.source, target, sort), (), tell)


class AskHex(Run, frozen=True):
    """'Is a War Canoe there?' The answer is given for the owner, to all; with one there the fleet must stop.

    Only a fleet that wants to pass must know: one that ends there has a Battle, which shows everything anyway.
    """

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
        # Every fleet of the seat that is there must stop, also one that came before.
        fleets = []
        for fleet in movement.fleets:
            must_stop = yes and fleet.at == self.spot
            fleets.append(replace(fleet, left=0) if must_stop else fleet)
        answered = (*movement.answered, (self.spot, yes))
        return with_movement(state, answered=answered, fleets=tuple(fleets))


class EndMovement(Glide, frozen=True):
    """Fleets that met nobody lie with the stacks again; the others have Battles to fight. Then the seat may build."""

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """The map as it is after Movement."""
        movement = moving(state)
        # Canoes opened where they lay are the last thing that happened, if nothing has moved.
        lay_open = [state.stack(self.seat, spot) for spot in state.last]
        has_opened = any(stack is not None and stack.open for stack in lay_open)
        if not state.legs and not has_opened:
            tell(StayedPut(self.seat))
        # By a ruling there is a Battle wherever pieces of both sides are, canoes or not.
        due = in_order({fleet.at for fleet in movement.fleets if is_enemy_hex(state, self.seat, fleet.at)})
        arrived = [(fleet.at, fleet.kinds) for fleet in movement.fleets if fleet.at not in due]
        attacking = tuple(fleet for fleet in movement.fleets if fleet.at in due)
        ended = replace(movement, fleets=attacking, escorts=(), spent=(), opened=(), due=due)
        state = state.adding(self.seat, *movement.spent, *arrived).changed(movement=ended)
        for spot in movement.opened:
            if spot not in due:
                pieces = state.pieces(self.seat, spot)
                state = state.with_pieces(self.seat, spot, pieces, is_open=True)
        return push(state, NextBattle(self.seat), BuildAhead(self.seat))
