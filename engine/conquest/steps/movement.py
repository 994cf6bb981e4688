"""The Movement & Battle Step up to the Battles: Transit along chains, then canoes and their cargo.

A move is asked in the order from, to, who: asking for the hex first means that no choice of pieces
is a dead end. Until a canoe has sailed or been turned face up, a move may also be a Transit. All of
a seat's moves form one draft, except for asking whether a War Canoe is in the way: that answer
cannot be undone. A seat with no Battle to fight may build ahead in the same draft.

Where canoes may go is in sailing.py, what they can carry in carrying.py, and fleets.py moves the
pieces; this file asks the questions. Steps are saved by class name and fields, so neither is ever
renamed.
"""

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.conquest.board import KINDS, distance, in_order
from engine.conquest.carrying import OPEN_CANOE, SAIL, THROUGH, TRANSIT, Order, Party, party_of
from engine.conquest.chains import find_chains
from engine.conquest.event_base import piece_counts
from engine.conquest.fleets import current_movement, move_by_canoe, move_by_transit, with_movement
from engine.conquest.hex_options import labelled_hex_options
from engine.conquest.hexes import (
    enemy_at,
    is_enemy_group,
    is_enemy_hex,
    is_unknown,
    must_ask_to_move,
)
from engine.conquest.pieces import Kinds, Movement
from engine.conquest.refusals import (
    Refusal,
    hex_refusal,
    is_hex,
    parse_pieces,
    suggest_name,
)
from engine.conquest.sailing import (
    ASK,
    BASE_MOVES,
    CLOSED,
    FIGHT,
    FLEET_PREFIX,
    QUIET,
    REVEAL,
    Source,
    classify_entry,
    move_allowance,
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
MAX_KINDS_NAMED = 2
"""Kinds of pieces whose names fit on a button."""
CHAIN_SUFFIX = "-chain"
"""Ends the key of a hex reached by Transit."""


class BeginMovement(Run, frozen=True):
    """Ask every seat with pieces on the map to move, so that being asked reveals nothing.

    A seat is skipped if it is resting, or if everybody knows that all its pieces are Warrior
    Bands from the set-up.
    """

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Ask for a move if the seat may make one."""
        # Whether a seat is asked may depend only on what everybody knows about its pieces.
        if not must_ask_to_move(state, self.seat):
            state = state.with_changes(step="movement", movement=None)
            return state.with_nation(self.seat, rests=False)
        state = state.with_changes(step="movement", movement=Movement(self.seat), legs=(), last=())
        return push(state, MoveStack(self.seat))


def transit_refusal(state: "State", seat: Seat, spot: str) -> Refusal:
    """Return why nothing can leave a hex by Transit.

    Pieces move along face-up canoes, and those that form the chain stay.
    """
    # "You may NOT turn over any Transport Canoes to their face up side, or otherwise reveal any
    # concealed Transport Canoes, until AFTER your Transit pre-move."
    if current_movement(state).afloat:
        return "transit_is_over", {}
    stack = state.stack(seat, spot)
    if stack is None or not stack.open:
        return hex_refusal("no_open_canoe", spot)
    # "Any Transport Canoes serving as part of the Chain may not themselves move during this stage."
    if stack.kinds.total == OPEN_CANOE.total:
        return hex_refusal("chain_stays", spot)
    return None


def transit_targets(state: "State", seat: Seat, spot: str) -> list[str]:
    """Return the hexes of the same chain that can take a piece from a hex by Transit.

    At sea, Warrior Bands and Colonies need canoes to carry them there.
    """
    if transit_refusal(state, seat, spot):
        return []
    found = []
    for target in in_order(chain_at(state, seat, spot) - {spot}):
        party = party_of(state, Order(seat, spot, target, TRANSIT))
        if party.possible_counts(()):
            found.append(target)
    return found


def chain_at(state: "State", seat: Seat, spot: str) -> frozenset[str]:
    """Return the hexes of the seat's chain that goes through a hex."""
    return next((chain for chain in find_chains(state, seat) if spot in chain), frozenset())


def continue_picking(state: "State", order: Order, chosen: tuple[int, ...], tell: Tell) -> "State":
    """Replace the top step with the question how many of the next kind of piece go.

    Move the pieces once the numbers of all kinds are known.
    """
    party = party_of(state, order)
    is_first = not chosen
    # Kinds that leave no choice are not asked about.
    chosen = party.fill_forced(chosen)
    if len(chosen) < len(KINDS):
        if is_first and party.companies():
            return pop(state, PickCompany(order))
        return pop(state, PickPieces(order, chosen))
    if order.sort == TRANSIT:
        return pop(move_by_transit(state, order, Kinds(*chosen), tell))
    sailed = move_by_canoe(state, order, Kinds(*chosen), tell)
    if order.sort == THROUGH:
        return pop(sailed, AskHex(order.seat, order.target))
    return pop(sailed)


def _fleet_number(source: Source) -> int:
    """Return the number of the source's fleet; 0 for the stack in a hex."""
    return source.fleet.number if source.fleet is not None else 0


def _order_facts(party: Party, order: Order) -> tuple[Fact, ...]:
    """Return the facts of the question which pieces go; `war` is 1 if a War Canoe must."""
    source = party.source
    return (
        ("spot", source.spot),
        ("target", order.target),
        ("fleet", _fleet_number(source)),
        ("sort", order.sort),
        ("war", int(party.needs_war)),
    )


def _make_all_option(party: Party) -> Option:
    """Return the option that moves every piece of the source."""
    return Option("all", facts=(("number", party.kinds.total),))


class PickCompany(Step, frozen=True):
    """Ask which pieces go, where there are few combinations."""

    order: Order

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the combinations that may go; all pieces come first, if they may."""
        party = party_of(state, self.order)
        options: list[Option] = []
        for kinds in party.companies():
            if kinds == party.kinds:
                options.insert(0, _make_all_option(party))
            else:
                staying = party.kinds.minus(kinds)
                options.append(Option(company_key(kinds), facts=company_facts(kinds, staying)))
        about = _order_facts(party, self.order)
        return (
            Decision(self.order.seat, "pick_company", tuple(options), facts=about, secret=True),
        )

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the chosen pieces."""
        party = party_of(state, self.order)
        key = answer.keys[0]
        going = party.kinds
        if key != "all":
            going = next(kinds for kinds in party.companies() if company_key(kinds) == key)
        return continue_picking(state, self.order, going.numbers, tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why these pieces cannot go: there are fewer, or the canoes cannot carry them."""
        party = party_of(state, self.order)
        going = party.kinds if key == "all" else parse_pieces(key)
        if going is None:
            return None
        name = "all" if going == party.kinds else company_key(going)
        return suggest_name(decision, name) or company_refusal(party, self.order.target, going)


def company_key(kinds: Kinds) -> str:
    """Return the option key of pieces that go together, such as '1w2t'."""
    return "".join(f"{number}{kind}" for kind, number in piece_counts(kinds))


def company_facts(going: Kinds, staying: Kinds) -> tuple[Fact, ...]:
    """Return the facts of an option's label: the pieces that go, and how a button names them.

    A button has no room for the names of many kinds. It says what stays if that is shorter, and
    otherwise abbreviates the kinds (`mixed`).
    """
    pieces = piece_counts(going)
    stay = piece_counts(staying)
    facts: list[Fact] = [("pieces", pieces)]
    if len(pieces) > MAX_KINDS_NAMED:
        facts.append(("staying", stay) if len(stay) <= MAX_KINDS_NAMED else ("mixed", pieces))
    return tuple(facts)


def company_refusal(party: Party, target: str, going: Kinds) -> Refusal:
    """Return why these pieces cannot go together, with the facts that explain it."""
    for kind in KINDS:
        if going.of(kind) > party.kinds.of(kind):
            return too_many_pieces(party, kind)
    refusal_key = party.refusal_key(going)
    facts: dict[str, Any] = {
        "war_canoe_must_go": {"spot": target},
        "no_berths": {"spot": target},
        "colony_needs_transport": {"colonies": going.c, "canoes": going.t},
        "too_much_cargo": {"cargo": going.b + going.c, "canoes": going.canoes},
        "left_at_sea": {"spot": party.source.spot},
        "must_be_held": {"spot": party.source.spot},
        "carried_once": {"spot": party.source.spot},
    }
    return (refusal_key, facts.get(refusal_key, {})) if refusal_key else None


def too_many_pieces(party: Party, kind: str) -> Refusal:
    """Return the refusal of more pieces of a kind than could go."""
    number = party.kinds.of(kind)
    spot = party.source.spot
    if kind == "t" and party.sort == TRANSIT:
        return "chain_keeps_one", {"spot": spot, "number": number}
    return "not_so_many", {"spot": spot, "kind": kind, "number": number}


class PickPieces(Step, frozen=True):
    """Ask how many pieces of one kind go: canoes first, then their cargo."""

    order: Order
    chosen: tuple[int, ...]

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for the number of the next kind; the first question also offers all pieces."""
        party = party_of(state, self.order)
        kind = KINDS[len(self.chosen)]
        options = []
        for number in party.possible_counts(self.chosen):
            about = (("number", number), ("kind", kind))
            options.append(Option(f"{number}{kind}", facts=about))
        is_first = self.chosen == party.fill_forced(())
        if is_first and party.may_go(party.kinds):
            options = [_make_all_option(party), *options]
        facts = (*_order_facts(party, self.order), ("kind", kind))
        return (Decision(self.order.seat, "pick_pieces", tuple(options), facts=facts, secret=True),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Settle the number of one kind, or of all kinds."""
        key = answer.keys[0]
        if key == "all":
            everything = party_of(state, self.order).kinds
            return continue_picking(state, self.order, everything.numbers, tell)
        number = int(key[:-1])
        return continue_picking(state, self.order, (*self.chosen, number), tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why this many pieces of the kind cannot go."""
        party = party_of(state, self.order)
        kind = KINDS[len(self.chosen)]
        # A number alone means that many of the kind that is asked for.
        if key.isdecimal() and (suggestion := suggest_name(decision, f"{key}{kind}")):
            return suggestion
        if key == "all":
            if refusal := company_refusal(party, self.order.target, party.kinds):
                return refusal
            return "one_kind", {"kind": kind}
        going = parse_pieces(key)
        if going is None:
            return None
        if going.total != going.of(kind):
            return "one_kind", {"kind": kind}
        if going.total > party.kinds.of(kind):
            return too_many_pieces(party, kind)
        if kind == "w" and party.needs_war and not going.w:
            return hex_refusal("war_canoe_must_go", self.order.target)
        return hex_refusal("cannot_carry", party.source.spot)


def opening_refusal(state: "State", spot: str) -> Refusal:
    """Return why the mover cannot turn a Transport Canoe face up in a hex."""
    movement = current_movement(state)
    stack = state.stack(movement.seat, spot)
    canoes = stack.kinds.t if stack is not None else 0
    canoes += sum(fleet.kinds.t for fleet in movement.fleets if fleet.at == spot)
    if not canoes:
        return hex_refusal("no_canoe_to_open", spot)
    if spot in movement.opened or (stack is not None and stack.open):
        return hex_refusal("is_open", spot)
    # A Battle is due there, and afterwards its winner decides whether a canoe lies face up.
    if is_enemy_hex(state, movement.seat, spot):
        return hex_refusal("open_among_enemies", spot)
    return None


def openable_hexes(state: "State") -> tuple[str, ...]:
    """Return the hexes where the mover can turn a Transport Canoe face up."""
    movement = current_movement(state)
    spots = {stack.spot for stack in state.stacks_of(movement.seat)}
    spots |= {fleet.at for fleet in movement.fleets}
    return in_order(spot for spot in spots if not opening_refusal(state, spot))


def open_canoes(state: "State", seat: Seat, spots: tuple[str, ...], tell: Tell) -> "State":
    """Turn Transport Canoes face up, so that they form chains from the next Transit on.

    A face-up canoe is turned down again only when it moves away.
    """
    # From now on the seat may not transit any more.
    state = with_movement(state, afloat=True)
    tell(CanoesOpened(seat, spots))
    for spot in spots:
        pieces = state.pieces(seat, spot)
        # Nobody can tell a canoe of the stack from one of a fleet, so it does not matter which of
        # them is opened.
        if pieces.t:
            state = state.with_pieces(seat, spot, pieces, is_open=True)
        else:
            state = with_movement(state, opened=(*current_movement(state).opened, spot))
    return state.with_changes(last=spots)


class MoveStack(Step, frozen=True):
    """Ask which pieces move next; every seat with pieces is asked, even if it can move nothing."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a stack or fleet to move, canoes to open (all or one), or the end of Movement."""
        stacks = [
            stack.spot
            for stack in state.stacks_of(self.seat)
            if not self._stack_refusal(state, decision=None, spot=stack.spot)
        ]
        others = []
        for fleet in current_movement(state).fleets:
            if not self._fleet_refusal(state, fleet.number):
                key = f"{FLEET_PREFIX}{fleet.number}"
                about = (("fleet", fleet.number), ("left", fleet.left))
                others.append(Option(key, spot=fleet.at, group="fleets", facts=about))
        openable = openable_hexes(state)
        if len(openable) == 1:
            others.append(Option(OPEN, group="open", facts=(("spot", openable[0]),)))
        elif openable:
            others.append(
                Option(OPEN, group="open", facts=(("spots", openable), ("number", len(openable))))
            )
            for spot in openable:
                key = f"{OPEN}-{spot}"
                others.append(Option(key, spot=spot, group="open", facts=(("open", OPEN),)))
        others.append(Option("done", ends=True))
        moves = move_allowance(state, self.seat)
        stack_facts: dict[str, tuple[Fact, ...]] = {}
        for spot in stacks:
            pieces = state.pieces(self.seat, spot).total
            stack_facts[spot] = (("pieces", pieces), ("left", moves))
        options = labelled_hex_options(stack_facts, *others, group="stacks")
        question_facts = (("open", int(bool(openable))),)
        return (Decision(self.seat, "move_stack", options, facts=question_facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Go on to the destination, open canoes, or end the Movement."""
        key = answer.keys[0]
        if key == "done":
            return pop(state, EndMovement(self.seat))
        what, _, spot = key.partition("-")
        if what == OPEN:
            return open_canoes(state, self.seat, (spot,) if spot else openable_hexes(state), tell)
        return push(state, MoveTo(self.seat, key))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why nothing can move from there, or why no canoe can be opened."""
        what, _, spot = key.partition("-")
        number = key.removeprefix(FLEET_PREFIX)
        if key == OPEN:
            return "nothing_to_open", {}
        if what == OPEN:
            if not is_hex(spot):
                return None
            return opening_refusal(state, spot) or suggest_name(decision, OPEN)
        if key != number and re.fullmatch(r"\d{1,3}", number):
            return self._fleet_refusal(state, int(number))
        if parse_pieces(key) is not None:
            return "pieces_unasked", {}
        return self._stack_refusal(state, decision, key) if is_hex(key) else None

    def _stack_refusal(self, state: "State", decision: Decision | None, spot: str) -> Refusal:
        """Return why nothing of the stack in a hex can go; None if something can.

        The `decision` tells which fleets in the hex could sail on instead.
        """
        source = source_of(state, self.seat, spot)
        waiting = source.waiting
        if not waiting.total:
            return self._empty_stack_refusal(state, decision, spot)
        if source.can_go(state) or transit_targets(state, self.seat, spot):
            return None
        if not source.free:
            return hex_refusal("must_be_held", spot)
        has_mover = waiting.canoes + waiting.r > 0
        return hex_refusal("shut_in" if has_mover else "no_canoe", spot)

    def _empty_stack_refusal(self, state: "State", decision: Decision | None, spot: str) -> Refusal:
        """Return why no pieces in a hex can move: they have moved, or belong to others."""
        movement = current_movement(state)
        fleets = [fleet.number for fleet in movement.fleets if fleet.at == spot]
        if fleets or any(other == spot for other, _ in movement.spent):
            # Name a fleet that could sail on instead, if there is one.
            offered = {option.key for option in decision.options} if decision else set()
            ready = [number for number in fleets if f"{FLEET_PREFIX}{number}" in offered]
            return "has_moved", {"spot": spot, "fleet": ready[0] if ready else 0}
        enemy = enemy_at(state, self.seat, spot)
        if enemy is None:
            return hex_refusal("no_pieces", spot)
        return "others_pieces", {"spot": spot, "owner": enemy.seat}

    def _fleet_refusal(self, state: "State", number: int) -> Refusal:
        """Return why a fleet under way cannot sail on."""
        fleet = next(
            (fleet for fleet in current_movement(state).fleets if fleet.number == number), None
        )
        if fleet is None:
            return "no_fleet", {"fleet": number}
        facts = {"fleet": number, "spot": fleet.at}
        if fleet.left:
            can_go = source_of(state, self.seat, f"{FLEET_PREFIX}{number}").can_go(state)
            return None if can_go else ("fleet_shut_in", facts)
        is_fighting = is_enemy_hex(state, self.seat, fleet.at)
        return ("fleet_fights" if is_fighting else "fleet_is_done"), facts


class MoveTo(Step, frozen=True):
    """Ask for the destination before the pieces, so that every choice of pieces fits the route.

    Pieces on a chain may move "along it as far as you wish" before anything sails; those hexes
    are offered as a group of their own.
    """

    seat: Seat
    source: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a hex to end in, to sail through, or to reach by Transit."""
        source = source_of(state, self.seat, self.source)
        ways = source.all_ways(state)
        ends, throughs = [], []
        for spot in in_order(ways):
            moves = len(ways[spot]) - 1
            # Ending a move among enemy pieces means a Battle, even where they could be passed.
            entry = classify_entry(state, self.seat, spot)
            # Every other entry (FIGHT, ASK or PASS) has enemies in it.
            label = {QUIET: "", REVEAL: "reveal"}.get(entry, "fight")
            group = "near" if moves <= BASE_MOVES else "far"
            about = (("way", label), ("moves", moves))
            ends.append(Option(spot, spot=spot, group=group, facts=about))
            if not self._passing_refusal(state, source, spot, moves):
                key = f"{spot}{THROUGH_SUFFIX}"
                throughs.append(
                    Option(key, spot=spot, group="through", facts=(("way", "through"),))
                )
        # Transit comes before anything sails, so only a stack that has not moved may use it.
        chained: list[Option] = []
        if source.fleet is None:
            for spot in transit_targets(state, self.seat, source.spot):
                key = f"{spot}{CHAIN_SUFFIX}"
                chained.append(Option(key, spot=spot, group="chain", facts=(("way", "chain"),)))
        facts: tuple[Fact, ...] = (
            ("spot", source.spot),
            ("left", source.moves),
            ("fleet", _fleet_number(source)),
            ("pieces", piece_counts(source.kinds)),
        )
        return (Decision(self.seat, "move_to", (*ends, *throughs, *chained), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Go on to ask who goes."""
        target, _, how = answer.keys[0].partition("-")
        order = Order(
            self.seat,
            self.source,
            target,
            sort={"on": THROUGH, "chain": TRANSIT}.get(how, SAIL),
        )
        return continue_picking(state, order, (), tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why the pieces cannot end there, sail through, or get there by chain."""
        spot, dash, how = key.partition("-")
        suffix = dash + how
        if not is_hex(spot):
            return None
        source = source_of(state, self.seat, self.source)
        if suffix == CHAIN_SUFFIX:
            return self._chain_refusal(state, source, spot)
        if suffix not in ("", THROUGH_SUFFIX):
            return None
        way = source.all_ways(state).get(spot)
        if suffix == THROUGH_SUFFIX and way is not None:
            return self._passing_refusal(state, source, spot, len(way) - 1)
        return self._ending_refusal(state, source, spot)

    def _ending_refusal(self, state: "State", source: Source, spot: str) -> Refusal:
        """Return why no way leads to a hex within the pieces' moves."""
        movers = source.movers
        if spot == source.spot:
            return hex_refusal("is_there", spot)
        # Without canoes or Rumors only the walk between the New Zealand tiles is left.
        if not movers.canoes + movers.r:
            return hex_refusal("walks_only", source.spot)
        # "Transport and War Canoes may not enter a hex in the Unknown."
        if is_unknown(state, spot):
            return hex_refusal("not_known", spot)
        if classify_entry(state, self.seat, spot) == CLOSED:
            return hex_refusal("tile_not_seen", spot)
        if distance(source.spot, spot) > source.moves:
            return "too_far", {"spot": spot, "left": source.moves}
        if is_enemy_hex(state, self.seat, spot) and not movers.w:
            return hex_refusal("needs_war_canoe", spot)
        return "no_way", {"spot": spot, "left": source.moves}

    def _passing_refusal(self, state: "State", source: Source, spot: str, moves: int) -> Refusal:
        """Return why the pieces cannot ask to pass the enemy in a hex `moves` away.

        "War Canoes can move right through a hex containing enemy Transport Canoes." Only
        pieces with a War Canoe of their own may ask; pieces that join others follow the
        route those took.
        """
        # "War Canoes must stop moving if they enter a hex with an enemy Controlled Island Group."
        if is_enemy_group(state, self.seat, spot):
            return hex_refusal("must_stop", spot)
        if enemy_at(state, self.seat, spot) is None:
            return hex_refusal("nobody_to_pass", spot)
        if not source.movers.w:
            return hex_refusal("needs_war_canoe", spot)
        entry = classify_entry(state, self.seat, spot)
        if entry == FIGHT:
            return hex_refusal("war_canoe_is_there", spot)
        if moves >= source.moves:
            return hex_refusal("no_move_to_go_on", spot)
        # If everybody knows that no War Canoe is there, the fleet may pass without asking.
        return None if entry == ASK else hex_refusal("passes_unasked", spot)

    def _chain_refusal(self, state: "State", source: Source, spot: str) -> Refusal:
        """Return why no Transit leads to a hex."""
        if source.fleet is not None or current_movement(state).afloat:
            return "transit_is_over", {}
        if spot == source.spot:
            return hex_refusal("is_there", spot)
        refusal = transit_refusal(state, self.seat, source.spot)
        if refusal and refusal[0] != "chain_stays":
            return refusal
        # That the last canoe has to stay matters only if the chain leads to the hex at all.
        if spot not in chain_at(state, self.seat, source.spot):
            return "no_chain", {"spot": spot, "at": source.spot}
        return refusal or hex_refusal("no_berths", spot)


class AskHex(Run, frozen=True):
    """Ask whether a War Canoe is in a hex; the game answers publicly for the pieces' owner.

    If there is one, the fleet must stop. Only a fleet that wants to pass has to know: ending
    there leads to a Battle, which shows all pieces anyway.
    """

    seat: Seat
    spot: str

    def run(self, state: "State", table: Table) -> "State":
        """Publish the answer, and stop the fleets there if it is yes."""
        enemy = enemy_at(state, self.seat, self.spot)
        if enemy is None:
            return state
        has_war_canoe = enemy.kinds.w > 0
        table.tell(HexAnswered(self.seat, enemy.seat, self.spot, has_war_canoe))
        movement = current_movement(state)
        # "War Canoes must stop moving if they enter [...] a hex containing an enemy War Canoe":
        # that holds for every fleet of the seat in the hex, including ones that came earlier.
        fleets = []
        for fleet in movement.fleets:
            must_stop = has_war_canoe and fleet.at == self.spot
            fleets.append(replace(fleet, left=0) if must_stop else fleet)
        # The answer is kept: a later fleet may pass here without asking, or knows it must fight.
        answered = (*movement.answered, (self.spot, has_war_canoe))
        return with_movement(state, answered=answered, fleets=tuple(fleets))


class EndMovement(Glide, frozen=True):
    """End the Movement: fleets that met no enemy join their stacks, the others fight Battles.

    Then the seat may build ahead.
    """

    seat: Seat

    def glide(self, state: "State", tell: Tell) -> "State":
        """Return fleets without a Battle to their stacks, and note where Battles are due."""
        movement = current_movement(state)
        # If nothing has moved, `last` can only name hexes where canoes were opened.
        last_stacks = [state.stack(self.seat, spot) for spot in state.last]
        has_opened = any(stack is not None and stack.open for stack in last_stacks)
        if not state.legs and not has_opened:
            tell(StayedPut(self.seat))
        # Ruling: there is a Battle wherever pieces of both sides meet, with or without canoes.
        ends = {fleet.at for fleet in movement.fleets}
        due = in_order(spot for spot in ends if is_enemy_hex(state, self.seat, spot))
        arrived = [(fleet.at, fleet.kinds) for fleet in movement.fleets if fleet.at not in due]
        attacking = tuple(fleet for fleet in movement.fleets if fleet.at in due)
        ended = replace(
            movement,
            fleets=attacking,
            escorts=(),
            spent=(),
            opened=(),
            due=due,
        )
        state = state.with_added_pieces(self.seat, *movement.spent, *arrived)
        state = state.with_changes(movement=ended)
        # These fleets have joined their stacks, where the canoes that they opened stay face up.
        for spot in movement.opened:
            if spot not in due:
                pieces = state.pieces(self.seat, spot)
                state = state.with_pieces(self.seat, spot, pieces, is_open=True)
        return push(state, NextBattle(self.seat), BuildAhead(self.seat))
