"""The Movement & Battle Step up to the Battles: Transit along chains, then canoes and what they
carry.

A move is asked in the order from, to, who: asking for the hex first means that no choice of pieces
is a dead end. Until a canoe has sailed or been turned face up, a move may also be a Transit. All of
a seat's moves form one draft, except for asking whether a War Canoe is in the way: that answer
cannot be undone. A seat with no Battle to fight may build ahead in the same draft.
"""

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.board import KINDS, distance, in_order
from engine.conquest.carrying import OPEN_CANOE, SAIL, THROUGH, TRANSIT, Order, Party, party_of
from engine.conquest.chains import chains
from engine.conquest.event_base import counts_of
from engine.conquest.fleets import moving, sail, transit, with_movement
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import enemy_at, is_enemy_group, is_enemy_hex, is_unknown, may_move
from engine.conquest.pieces import Kinds, Movement
from engine.conquest.reasons import Objection, about_hex, called, counted, is_hex, offers
from engine.conquest.sailing import (
    ASK,
    CLOSED,
    FIGHT,
    FLEET,
    MOVES,
    QUIET,
    REVEAL,
    Source,
    allowance,
    entry,
    source_of,
)
from engine.conquest.sea_events import CanoesOpened, HexAnswered, StayedPut
from engine.conquest.steps.battle import NextBattle
from engine.conquest.steps.build import BuildAhead
from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Glide, Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

THROUGH_SUFFIX = "-on"
"""Ends the key of a hex to sail through."""
OPEN = "open"
"""The key for turning all canoes face up; followed by '-' and a hex, for one."""
CHAIN_SUFFIX = "-chain"
"""Ends the key of a hex reached by Transit."""


class BeginMovement(Run, frozen=True):
    """Ask every seat with pieces on the map to move, so that being asked reveals nothing about
    them.

    Skip a seat that is resting, or whose pieces everybody knows to be Warrior Bands from the
    set-up.
    """

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Ask for a move if the seat may make one."""
        if not may_move(state, self.seat):
            return state.changed(step="movement", movement=None).with_nation(self.seat, rests=False)
        state = state.changed(step="movement", movement=Movement(self.seat), legs=(), last=())
        return push(state, MoveStack(self.seat))


def transit_objection(state: "State", seat: Seat, spot: str) -> Objection:
    """Return why nothing can leave a hex by Transit.

    Transit comes before Movement, so no canoe can be turned face up for it; the open canoes that
    make the chain stay.
    """
    if moving(state).afloat:
        return "transit_is_over", {}
    stack = state.stack(seat, spot)
    if stack is None or not stack.open:
        return about_hex("no_open_canoe", spot)
    return about_hex("chain_stays", spot) if stack.kinds.total == OPEN_CANOE.total else None


def transit_targets(state: "State", seat: Seat, spot: str) -> list[str]:
    """Hexes of the same chain that can take a piece from there; at sea Bands and Colonies need
    room there.
    """
    if transit_objection(state, seat, spot):
        return []
    found = []
    for target in in_order(chain_at(state, seat, spot) - {spot}):
        party = party_of(state, Order(seat, spot, target, TRANSIT))
        if party.numbers(()):
            found.append(target)
    return found


def chain_at(state: "State", seat: Seat, spot: str) -> frozenset[str]:
    """Return the hexes of the seat's chain that goes through a hex."""
    return next((chain for chain in chains(state, seat) if spot in chain), frozenset())


def continue_picking(state: "State", order: Order, chosen: tuple[int, ...], tell: Tell) -> "State":
    """Replace the top step with the question about the next kind of piece.

    Once every kind is settled, move the pieces.
    """
    party = party_of(state, order)
    is_first = not chosen
    chosen = party.settled(chosen)
    if len(chosen) < len(KINDS):
        return pop(
            state,
            PickCompany(order) if is_first and party.companies() else PickPieces(order, chosen),
        )
    if order.sort == TRANSIT:
        return pop(transit(state, order, Kinds(*chosen), tell))
    sailed = sail(state, order, Kinds(*chosen), tell)
    if order.sort == THROUGH:
        return pop(sailed, AskHex(order.seat, order.target))
    return pop(sailed)


def _fleet_number(source: Source) -> int:
    """Return the number of the source's fleet; 0 for the stack in a hex."""
    return source.fleet.number if source.fleet is not None else 0


def _order_facts(party: Party, order: Order) -> tuple[Fact, ...]:
    """Return the facts of the question who goes; `war` is 1 if a War Canoe must."""
    source = party.source
    return (
        ("spot", source.spot),
        ("target", order.target),
        ("fleet", _fleet_number(source)),
        ("sort", order.sort),
        ("war", int(party.needs_war)),
    )


class PickCompany(Step, frozen=True):
    """Choose who goes, where there are few combinations."""

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
        about = _order_facts(party, self.order)
        return (
            Decision(self.order.seat, "pick_company", tuple(options), facts=about, secret=True),
        )

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the chosen pieces."""
        party, key = party_of(state, self.order), answer.keys[0]
        going = party.kinds
        if key != "all":
            going = next(kinds for kinds in party.companies() if company_key(kinds) == key)
        return continue_picking(state, self.order, going.numbers, tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Return why these pieces cannot go: too few there, or too much for the canoes."""
        party = party_of(state, self.order)
        going = party.kinds if key == "all" else counted(key)
        if going is None:
            return None
        name = "all" if going == party.kinds else company_key(going)
        return called(decision, name) or company_objection(party, self.order.target, going)


def company_key(kinds: Kinds) -> str:
    """The key of pieces that go together: '1w2t'."""
    return "".join(f"{number}{kind}" for kind, number in counts_of(kinds))


def company_objection(party: Party, target: str, going: Kinds) -> Objection:
    """Return why these pieces cannot go together, with what a player has to know of it."""
    for kind in KINDS:
        if going.of(kind) > party.kinds.of(kind):
            return too_many_pieces(party, kind)
    obstacle = party.obstacle(going)
    facts: dict[str, Any] = {
        "war_canoe_must_go": {"spot": target},
        "no_berths": {"spot": target},
        "colony_needs_transport": {"colonies": going.c, "canoes": going.t},
        "too_much_cargo": {"cargo": going.b + going.c, "canoes": going.canoes},
        "left_at_sea": {"spot": party.source.spot},
        "must_be_held": {"spot": party.source.spot},
        "carried_once": {"spot": party.source.spot},
    }
    return (obstacle, facts.get(obstacle, {})) if obstacle else None


def too_many_pieces(party: Party, kind: str) -> Objection:
    """Say how many pieces of a kind could go."""
    number, spot = party.kinds.of(kind), party.source.spot
    if kind == "t" and party.sort == TRANSIT:
        return "chain_keeps_one", {"spot": spot, "number": number}
    return "not_so_many", {"spot": spot, "kind": kind, "number": number}


class PickPieces(Step, frozen=True):
    """How many of a kind go: canoes first, then what they carry."""

    order: Order
    chosen: tuple[int, ...]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Counts of the next kind; the first question also takes everything."""
        party = party_of(state, self.order)
        kind = KINDS[len(self.chosen)]
        numbers = party.numbers(self.chosen)
        options = [
            Option(f"{number}{kind}", facts=(("number", number), ("kind", kind)))
            for number in numbers
        ]
        is_first = self.chosen == party.settled(())
        if is_first and party.may_go(party.kinds):
            options = [Option("all"), *options]
        about = (*_order_facts(party, self.order), ("kind", kind))
        return (Decision(self.order.seat, "pick_pieces", tuple(options), facts=about, secret=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Settle the count of one kind, or of all."""
        key = answer.keys[0]
        if key == "all":
            everything = party_of(state, self.order).kinds
            return continue_picking(state, self.order, everything.numbers, tell)
        number = int(key[:-1])
        return continue_picking(state, self.order, (*self.chosen, number), tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """What is there, and what canoes can carry, one kind after the other."""
        party, kind = party_of(state, self.order), KINDS[len(self.chosen)]
        if key.isdecimal() and (meant := called(decision, f"{key}{kind}")):
            return meant
        if key == "all":
            return company_objection(party, self.order.target, party.kinds) or (
                "one_kind",
                {"kind": kind},
            )
        going = counted(key)
        if going is None:
            return None
        if going.total != going.of(kind):
            return "one_kind", {"kind": kind}
        if going.total > party.kinds.of(kind):
            return too_many_pieces(party, kind)
        if kind == "w" and party.needs_war and not going.w:
            return about_hex("war_canoe_must_go", self.order.target)
        return about_hex("cannot_carry", party.source.spot)


def opening_objection(state: "State", spot: str) -> Objection:
    """Return why the mover cannot turn a Transport Canoe face up in a hex."""
    movement = moving(state)
    stack = state.stack(movement.seat, spot)
    has_canoe = stack is not None and stack.kinds.t > 0
    if not has_canoe and not any(fleet.at == spot and fleet.kinds.t for fleet in movement.fleets):
        return about_hex("no_canoe_to_open", spot)
    if spot in movement.opened or (stack is not None and stack.open):
        return about_hex("is_open", spot)
    return (
        about_hex("open_among_enemies", spot) if is_enemy_hex(state, movement.seat, spot) else None
    )


def openable_hexes(state: "State") -> tuple[str, ...]:
    """Return the mover's hexes with a face-down Transport Canoe, none face up, and no Battle to
    come.
    """
    movement = moving(state)
    spots = {stack.spot for stack in state.stacks_of(movement.seat)} | {
        fleet.at for fleet in movement.fleets
    }
    return in_order(spot for spot in spots if not opening_objection(state, spot))


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
        """Stacks, fleets with moves left, canoes to open, all or one by one, or the end of
        Movement.
        """
        stacks = state.stacks_of(self.seat)
        ready = [
            stack.spot
            for stack in stacks
            if not self._stack_objection(state, decision=None, spot=stack.spot)
        ]
        fleets = []
        for fleet in moving(state).fleets:
            if not self._fleet_objection(state, fleet.number):
                about = (("fleet", fleet.number), ("left", fleet.left))
                fleets.append(
                    Option(f"{FLEET}{fleet.number}", spot=fleet.at, group="fleets", facts=about)
                )
        closed = openable_hexes(state)
        all_of_them = (
            (("spot", closed[0]) if len(closed) == 1 else ("spots", closed),) if closed else ()
        )
        others = [Option(OPEN, group="open", facts=all_of_them)] if closed else []
        if len(closed) > 1:
            others += [
                Option(f"{OPEN}-{spot}", spot=spot, group="open", facts=(("open", OPEN),))
                for spot in closed
            ]
        others.append(Option("done", ends=True))
        options = hex_options(
            ready, *fleets, *others, facts=(("left", allowance(state, self.seat)),)
        )
        return (Decision(self.seat, "move_stack", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Where to, what to open, or on to the Battles."""
        key = answer.keys[0]
        if key == "done":
            return pop(state, EndMovement(self.seat))
        what, _, spot = key.partition("-")
        if what == OPEN:
            return open_canoes(state, self.seat, (spot,) if spot else openable_hexes(state), tell)
        return push(state, MoveTo(self.seat, key))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Return why nothing can move from there, or why no canoe can be opened."""
        what, _, spot = key.partition("-")
        number = key.removeprefix(FLEET)
        if key == OPEN:
            return "nothing_to_open", {}
        if what == OPEN:
            return (
                (opening_objection(state, spot) or called(decision, OPEN)) if is_hex(spot) else None
            )
        if key != number and re.fullmatch(r"\d{1,3}", number):
            return self._fleet_objection(state, int(number))
        if counted(key) is not None:
            return "pieces_unasked", {}
        return self._stack_objection(state, decision, key) if is_hex(key) else None

    def _stack_objection(self, state: "State", decision: Decision | None, spot: str) -> Objection:
        """Return why nothing of the stack in a hex can go; `decision` tells which fleets can
        instead.
        """
        source = source_of(state, self.seat, spot)
        waiting = source.waiting
        if not waiting.total:
            return self._empty_stack_objection(state, decision, spot)
        if source.can_go(state) or transit_targets(state, self.seat, spot):
            return None
        if not source.free:
            return about_hex("must_be_held", spot)
        return about_hex("shut_in" if waiting.canoes + waiting.r else "no_canoe", spot)

    def _empty_stack_objection(
        self, state: "State", decision: Decision | None, spot: str
    ) -> Objection:
        """Return why a hex has no pieces left to move: they have moved, or are somebody else's,
        or never were.
        """
        movement = moving(state)
        fleets = [fleet.number for fleet in movement.fleets if fleet.at == spot]
        if fleets or any(place == spot for place, _ in movement.spent):
            ready = [
                number for number in fleets if decision and offers(decision, f"{FLEET}{number}")
            ]
            return "has_moved", {"spot": spot, "fleet": ready[0] if ready else 0}
        enemy = enemy_at(state, self.seat, spot)
        if enemy is None:
            return about_hex("no_pieces", spot)
        return "others_pieces", {"spot": spot, "owner": enemy.seat}

    def _fleet_objection(self, state: "State", number: int) -> Objection:
        """Return why a fleet under way cannot sail on."""
        fleet = next((fleet for fleet in moving(state).fleets if fleet.number == number), None)
        if fleet is None:
            return "no_fleet", {"fleet": number}
        facts = {"fleet": number, "spot": fleet.at}
        if fleet.left:
            can_go = source_of(state, self.seat, f"{FLEET}{number}").can_go(state)
            return None if can_go else ("fleet_shut_in", facts)
        return (
            "fleet_fights" if is_enemy_hex(state, self.seat, fleet.at) else "fleet_is_done"
        ), facts


class MoveTo(Step, frozen=True):
    """Choose the destination before the pieces, so that every choice of pieces fits the route.

    Pieces on a chain "may move along it as far as they wish" before anything sails: those hexes are
    offered as a group of their own.
    """

    seat: Seat
    source: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Hexes to end in, with what awaits there and the moves it takes; to sail through; and
        to reach by a chain.
        """
        source = source_of(state, self.seat, self.source)
        ways = source.all_ways(state)
        ends, throughs = [], []
        for spot in in_order(ways):
            what = entry(state, self.seat, spot)
            moves = len(ways[spot]) - 1
            # To end where an enemy's pieces lie is to fight, even if they could be passed.
            means = {QUIET: "", REVEAL: "reveal"}.get(what, "fight")
            group = "near" if moves <= MOVES else "far"
            ends.append(
                Option(spot, spot=spot, group=group, facts=(("way", means), ("moves", moves)))
            )
            if not self._passing_objection(state, source, spot, moves):
                throughs.append(
                    Option(
                        f"{spot}{THROUGH_SUFFIX}",
                        spot=spot,
                        group="through",
                        facts=(("way", "through"),),
                    )
                )
        chained: list[Option] = []
        if source.fleet is None:
            spots = transit_targets(state, self.seat, source.spot)
            chained = [
                Option(f"{spot}{CHAIN_SUFFIX}", spot=spot, group="chain", facts=(("way", "chain"),))
                for spot in spots
            ]
        about = (("spot", source.spot), ("left", source.moves), ("fleet", _fleet_number(source)))
        return (Decision(self.seat, "move_to", (*ends, *throughs, *chained), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Go on to ask who goes."""
        target, _, how = answer.keys[0].partition("-")
        sort = {"on": THROUGH, "chain": TRANSIT}.get(how, SAIL)
        return continue_picking(state, Order(self.seat, self.source, target, sort), (), tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """Return why the pieces cannot end there, sail through, or get there by chain."""
        spot, dash, how = key.partition("-")
        if not is_hex(spot):
            return None
        source = source_of(state, self.seat, self.source)
        way = source.all_ways(state).get(spot)
        if dash + how == CHAIN_SUFFIX:
            return self._chain_objection(state, source, spot)
        if dash + how == THROUGH_SUFFIX and way is not None:
            return self._passing_objection(state, source, spot, len(way) - 1)
        return (
            self._ending_objection(state, source, spot)
            if not dash or dash + how == THROUGH_SUFFIX
            else None
        )

    def _ending_objection(self, state: "State", source: Source, spot: str) -> Objection:
        """Return why no way leads to a hex: Known hexes within its moves, among enemies only
        with War Canoes.
        """
        movers = source.movers
        if spot == source.spot:
            return about_hex("is_there", spot)
        if not movers.canoes + movers.r:
            return about_hex("walks_only", source.spot)
        if is_unknown(state, spot):
            return about_hex("not_known", spot)
        if entry(state, self.seat, spot) == CLOSED:
            return about_hex("tile_not_seen", spot)
        if distance(source.spot, spot) > source.moves:
            return "too_far", {"spot": spot, "left": source.moves}
        if is_enemy_hex(state, self.seat, spot) and not movers.w:
            return about_hex("needs_war_canoe", spot)
        return "no_way", {"spot": spot, "left": source.moves}

    def _passing_objection(
        self, state: "State", source: Source, spot: str, moves: int
    ) -> Objection:
        """Return why the pieces cannot ask to pass those in a hex `moves` away.

        Only pieces with a War Canoe of their own may ask; pieces that join others follow the route
        those took.
        """
        if is_enemy_group(state, self.seat, spot):
            return about_hex("must_stop", spot)
        if enemy_at(state, self.seat, spot) is None:
            return about_hex("nobody_to_pass", spot)
        if not source.movers.w:
            return about_hex("needs_war_canoe", spot)
        what = entry(state, self.seat, spot)
        if what == FIGHT:
            return about_hex("war_canoe_is_there", spot)
        if moves >= source.moves:
            return about_hex("no_move_to_go_on", spot)
        return None if what == ASK else about_hex("passes_unasked", spot)

    def _chain_objection(self, state: "State", source: Source, spot: str) -> Objection:
        """Return why no Transit leads to a hex: along open canoes, before anything sails or is
        opened.
        """
        if source.fleet is not None or moving(state).afloat:
            return "transit_is_over", {}
        if spot == source.spot:
            return about_hex("is_there", spot)
        objection = transit_objection(state, self.seat, source.spot)
        if objection and objection[0] != "chain_stays":
            return objection
        if spot not in chain_at(state, self.seat, source.spot):
            return "no_chain", {"spot": spot, "at": source.spot}
        return objection or about_hex("no_berths", spot)


class AskHex(Run, frozen=True):
    """Ask 'Is a War Canoe there?' The game answers for the owner, publicly; if there is one, the
    fleet must stop.

    Only a fleet that wants to pass must know: one that ends there has a Battle, which shows
    everything anyway.
    """

    seat: Seat
    spot: str

    def run(self, state: "State", table: Table) -> "State":
        """Publish whether a War Canoe is there, and stop the fleets if so."""
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
    """Fleets that met nobody lie with the stacks again; the others have Battles to fight.

    Then the seat may build.
    """

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """Return fleets without a Battle to their stacks, and set up the Battles."""
        movement = moving(state)
        # Canoes opened where they lay are the last thing that happened, if nothing has moved.
        lay_open = [state.stack(self.seat, spot) for spot in state.last]
        has_opened = any(stack is not None and stack.open for stack in lay_open)
        if not state.legs and not has_opened:
            tell(StayedPut(self.seat))
        # By a ruling there is a Battle wherever pieces of both sides are, canoes or not.
        due = in_order(
            {fleet.at for fleet in movement.fleets if is_enemy_hex(state, self.seat, fleet.at)}
        )
        arrived = [(fleet.at, fleet.kinds) for fleet in movement.fleets if fleet.at not in due]
        attacking = tuple(fleet for fleet in movement.fleets if fleet.at in due)
        ended = replace(movement, fleets=attacking, escorts=(), spent=(), opened=(), due=due)
        state = state.adding(self.seat, *movement.spent, *arrived).changed(movement=ended)
        for spot in movement.opened:
            if spot not in due:
                pieces = state.pieces(self.seat, spot)
                state = state.with_pieces(self.seat, spot, pieces, is_open=True)
        return push(state, NextBattle(self.seat), BuildAhead(self.seat))
