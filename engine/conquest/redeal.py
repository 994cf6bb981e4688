"""Deal a position again for one viewer: replace everything they cannot know by what it could be.

Computer players and hints think about such a deal instead of the true position, and tests compare
the two: any difference in a view, a question or who is waited for is a leaked secret.

A deal is built up from what the viewer knows, never cut down from the whole position. Each struct
below names the fields that it takes over, and hidden ones are drawn from the table or left at their
default, so that a field that somebody adds and forgets here leaks nothing. Hidden facts do not even
decide how often the table draws: positions that look alike to the viewer give the same deal from
the same table.

Public facts stay: how many pieces lie in a hex and where they came from, whose markers lie on a
tile, how many cards are in a hand, who has answered.
"""

from collections.abc import Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.battle_rolls import ATTACKER, DEFENDER
from engine.conquest.board import CARD_KEYS, KINDS, ORDER, PIECES, in_order
from engine.conquest.chains import open_hexes
from engine.conquest.hexes import controlled_groups, is_enemy_hex, is_sea
from engine.conquest.pieces import (
    Aftermath,
    Battle,
    Build,
    Declared,
    Fleet,
    HandCard,
    Kinds,
    Line,
    Movement,
    Nation,
    Stack,
    Tile,
)
from engine.conquest.sailing import move_allowance
from engine.conquest.state import State
from engine.conquest.steps.aftermath import SettleAftermath
from engine.conquest.steps.battle import React
from engine.conquest.steps.build import empty_lists, visible_holdings
from engine.conquest.steps.movement import MoveStack
from engine.core.decision import Answer, Seat
from engine.core.event import Event
from engine.core.table import Table

MODES_WITHOUT_QUESTIONS = ("all", "shown", "none")
"""Orders for Battle cards that never make the match wait, so that nobody can tell them apart."""
ASKING_MODE = "each"
"""The order given to a seat that is being asked about a roll, whichever side the roll hits."""
SMALLEST_START = (Line("b"), Line("b"))
"""The choice of start pieces with the fewest lines."""
WAR_CANOE, TRANSPORT_CANOE, COLONY, BAND = "w", "t", "c", "b"
CANOE_SAVING_ORDER = "bctwr"
"""Kinds in the order that needs the fewest canoes: cargo as soon as there is room for it."""
CANOE_SAVING_ORDER_LAST = "bcrtw"
"""The order for the last piece of a pile: a Rumor there saves a canoe for another pile."""


class Pile(Struct, frozen=True):
    """Pieces of a seat that lie or sail together.

    Everybody sees their number, but only the owner knows their kinds.
    """

    spot: str
    number: int
    """The number of pieces that are face down."""
    is_open: bool = False
    """Whether there is also a face-up Transport Canoe."""
    needs_canoes: bool = False
    """Whether all Warrior Bands and Colonies are aboard canoes, as at sea or under way."""
    known: str = ""
    """A kind that everybody knows is among the pieces."""
    excluded: str = ""
    """A kind that everybody knows is not among them."""
    is_moved: bool = False
    """Whether they have moved in the Movement under way."""
    attacks: bool = False
    """Whether they have sailed into an Enemy hex."""
    origin: str = ""
    moves_left: int = 0

    def takes(self, kind: str, held: list[str]) -> bool:
        """Return whether a piece of this kind can be there in addition to those `held`."""
        if kind == self.excluded:
            return False
        if kind not in (COLONY, BAND) or not self.needs_canoes:
            return True
        transports = held.count(TRANSPORT_CANOE) + self.is_open
        colonies = held.count(COLONY)
        if kind == COLONY and colonies >= transports:
            return False
        return colonies + held.count(BAND) < transports + held.count(WAR_CANOE)


class Arrival(Struct, frozen=True):
    """Pieces that have sailed into a hex, as everybody saw."""

    origin: str
    moves_left: int
    number: int


def redeal_hidden(state: State, viewer: Seat | None, table: Table) -> State:
    """Return the position with everything that the viewer cannot know dealt again."""
    others = [Seat(seat) for seat in range(len(state.nations)) if seat != viewer]
    deck, hands = _deal_cards(state, others, table)
    box, tiles, gone = _deal_tiles(state, viewer, table)
    own_movement = None
    if state.movement is not None and state.movement.seat == viewer:
        own_movement = state.movement
    nations = list(state.nations)
    builds = list(state.builds)
    for seat in others:
        nations[seat] = _public_nation(state, seat, hands[seat])
        if builds:
            builds[seat] = _deal_build_list(state, seat)
    dealt = State(
        rules=state.rules,
        nations=tuple(nations),
        box=box,
        cup=state.cup,
        deck=deck,
        agenda=state.agenda,
        turn=state.turn,
        step=state.step,
        marker=state.marker,
        order=state.order,
        clockwise=state.clockwise,
        seas=state.seas,
        tiles=tiles,
        gone=gone,
        groups=state.groups,
        stacks=tuple(stack for stack in state.stacks if stack.seat == viewer),
        malaria=state.malaria,
        maui=state.maui,
        voyage=state.voyage,
        movement=own_movement,
        legs=state.legs,
        last=state.last,
        battle=_deal_battle(state, state.battle, others, table)
        if state.battle is not None
        else None,
        builds=tuple(builds),
        declared=_deal_declarations(state.declared, others) if state.declared is not None else None,
        over=state.over,
    )
    for seat in others:
        piles = _find_piles(state, seat)
        kinds = _deal_pieces(state, seat, piles, table)
        dealt = _put_piles(dealt, seat, piles, kinds, state.movement)
    if state.builds and state.turn and state.step != "building":
        dealt = _seal_dealt_lists(dealt, state, others)
    return dealt


def _deal_cards(
    state: State, others: list[Seat], table: Table
) -> tuple[tuple[str, ...], dict[Seat, tuple[HandCard, ...]]]:
    """Shuffle the deck together with others' face-down cards; return the new deck and hands."""
    heap = list(state.deck)
    for seat in others:
        heap += state.nations[seat].hidden
    heap = list(table.shuffle(sorted(heap)))
    hands = {}
    for seat in others:
        hand = state.nations[seat].hand
        # The order in which cards were drawn is secret: face-up cards come first, in the order of
        # the card list.
        face_up = [card for card in hand if card.up]
        shown = sorted(face_up, key=lambda card: CARD_KEYS.index(card.key))
        hidden = [HandCard(heap.pop()) for _ in range(len(hand) - len(shown))]
        hands[seat] = (*shown, *hidden)
    return tuple(sorted(heap)), hands


def _deal_tiles(
    state: State, viewer: Seat | None, table: Table
) -> tuple[tuple[str, ...], tuple[Tile, ...], tuple[Tile, ...]]:
    """Shuffle the box with tiles unknown to the viewer; return box, tiles and removed tiles."""

    def is_unseen(tile: Tile) -> bool:
        return not tile.up and viewer not in tile.seen

    def deal_tile(tile: Tile) -> Tile:
        return Tile(tile.spot, heap.pop(), seen=tile.seen) if is_unseen(tile) else tile

    unseen = [tile.key for tile in (*state.tiles, *state.gone) if is_unseen(tile)]
    heap = list(table.shuffle(sorted((*state.box, *unseen))))
    tiles = tuple(deal_tile(tile) for tile in state.tiles)
    gone = tuple(deal_tile(tile) for tile in state.gone)
    return tuple(sorted(heap)), tiles, gone


def _public_nation(state: State, seat: Seat, hand: tuple[HandCard, ...]) -> Nation:
    """Return what everybody knows of a seat; its standing orders are the defaults."""
    nation = state.nations[seat]
    return Nation(
        people=nation.people,
        home=nation.home,
        explorer=nation.explorer,
        hand=hand,
        points=nation.points,
        saved=nation.saved,
        kumara=nation.kumara,
        galapagos=nation.galapagos,
        rests=nation.rests,
        ashore=nation.ashore,
        out=nation.out,
    )


def _deal_build_list(state: State, seat: Seat) -> Build:
    """Return the smallest list of a seat; whether it is sealed is public."""
    if not state.builds[seat].ready:
        return Build()
    return Build(() if state.turn else SMALLEST_START, ready=True)


def _seal_dealt_lists(dealt: State, state: State, others: list[Seat]) -> State:
    """Return the position with `ground` set for lists that were built ahead and still hold."""
    if dealt.builds == empty_lists(state):
        # A seat may have begun a list and put it off, which nobody else can tell.
        return dealt.with_changes(builds=())
    for seat in others:
        build = state.builds[seat]
        # Everybody sees whether the seat's visible holdings have changed since its list was sealed.
        if build.ready and build.ground == visible_holdings(state, seat):
            dealt = dealt.with_build(seat, ground=visible_holdings(dealt, seat))
    return dealt


def _deal_declarations(declared: Declared, others: list[Seat]) -> Declared:
    """Return the Victory Step with secret answers of others replaced by a pass.

    That a seat has answered is public.
    """
    votes = list(declared.votes)
    answers = list(declared.answers)
    target = declared.target
    for seat in others:
        if not answers:
            votes[seat] = "pass" if votes[seat] else ""
        elif answers[seat] == "forest":
            answers[seat] = "pass" if target else ""
            target = ""
    if answers:
        # Everybody knows who declared, but not which of the others were asked.
        votes = [vote if vote == "declare" else "pass" for vote in votes]
    return Declared(tuple(votes), tuple(answers), target)


def _deal_battle(state: State, battle: Battle, others: list[Seat], table: Table) -> Battle:
    """Return the Battle with others' card orders, replies and decisions dealt again.

    Its rows and rolls are public.
    """
    asked: list[int] = []
    if state.agenda and isinstance(state.agenda[-1], React):
        asked = React().waiting(battle)
    modes = list(battle.modes)
    replies = list(battle.replies)
    for side in (ATTACKER, DEFENDER):
        if battle.seat(side) not in others:
            continue
        # The table draws even if the mode is not used: see the module's docstring.
        silent = table.choose(MODES_WITHOUT_QUESTIONS)
        if modes[side]:
            modes[side] = ASKING_MODE if side in asked else silent
        # To others, a side that has replied looks like one that is not asked.
        replies[side] = ""
    dealt = Battle(
        spot=battle.spot,
        attacker=battle.attacker,
        defender=battle.defender,
        sides=battle.sides,
        shown=battle.shown,
        villages=battle.villages,
        open=battle.open,
        modes=(modes[ATTACKER], modes[DEFENDER]),
        used=battle.used,
        replies=(replies[ATTACKER], replies[DEFENDER]),
        rolls=battle.rolls,
    )
    if battle.aftermath is None:
        return dealt
    return replace(dealt, aftermath=_deal_aftermath(state, battle, battle.aftermath, others, table))


def _deal_aftermath(
    state: State, battle: Battle, real: Aftermath, others: list[Seat], table: Table
) -> Aftermath:
    """Return the aftermath with random legal answers in place of those that others have given."""
    step = SettleAftermath()
    after = real
    # First remove all answers of the others.
    for side in (ATTACKER, DEFENDER):
        if battle.seat(side) not in others:
            continue
        leave = ("", after.leave[DEFENDER]) if side == ATTACKER else (after.leave[ATTACKER], "")
        if side == real.winner:
            after = replace(after, save="", open="", leave=leave)
        else:
            after = replace(after, retreat="", home="", leave=leave)
    # Then answer all questions again for those who have answered all of theirs: that is public.
    for side in (ATTACKER, DEFENDER):
        seat = Seat(battle.seat(side))
        if seat not in others or step.question(state, battle, real, side) is not None:
            continue
        answered = state.with_changes(battle=replace(battle, aftermath=after))
        while (question := step.question(answered, battle, after, side)) is not None:
            answer = Answer(seat, question.kind, (table.choose(question.options).key,))
            answered = step.take(answered, answer, _discard_event)
            if answered.battle is not None and answered.battle.aftermath is not None:
                after = answered.battle.aftermath
    return after


def _discard_event(event: Event) -> None:
    """Ignore an event, because what is only dealt has not happened."""


def _find_piles(state: State, seat: Seat) -> list[Pile]:
    """Return the piles of a seat's pieces, by what everybody sees."""
    movement = state.movement
    lying = {stack.spot: stack.kinds.total for stack in state.stacks_of(seat)}
    attacking: dict[str, int] = {}
    arrivals: dict[str, list[Arrival]] = {}
    is_sailing = False
    if movement is not None and movement.seat == seat:
        is_sailing = any(isinstance(step, MoveStack) for step in state.agenda)
        arrivals = _trace_arrivals(state, seat)
        for fleet in movement.fleets:
            counts = attacking if is_enemy_hex(state, seat, fleet.at) else lying
            counts[fleet.at] = counts.get(fleet.at, 0) + fleet.kinds.total
        for spot, kinds in movement.spent:
            lying[spot] = lying.get(spot, 0) + kinds.total
    opened = open_hexes(state, seat)
    piles: list[Pile] = []
    for spot in in_order(lying):
        here = arrivals.get(spot, []) if is_sailing else []
        piles += _lying_piles(state, seat, spot, lying[spot], spot in opened, here)
    for spot in in_order(attacking):
        number = attacking[spot]
        here = arrivals.get(spot) or [Arrival(state.nations[seat].home or spot, 0, number)]
        piles += _attacking_piles(spot, number, here, is_sailing)
    is_known = any(pile.is_open or pile.known for pile in piles)
    if piles and not is_known and not controlled_groups(state, seat):
        # A seat without a group has a canoe or a Colony, or it would have been eliminated.
        piles[0] = replace(piles[0], known=TRANSPORT_CANOE)
    return piles


def _lying_piles(
    state: State, seat: Seat, spot: str, number: int, is_open: bool, here: list[Arrival]
) -> list[Pile]:
    """Return a seat's piles in a hex without enemies, the unmoved one first."""
    # The mover may have asked whether this seat has a War Canoe in a hex; the answer is public.
    has_war_canoe = None
    if state.movement is not None and state.movement.seat != seat:
        has_war_canoe = dict(state.movement.answered).get(spot)
    at_sea = is_sea(state, spot)
    unmoved = number
    moved: list[Pile] = []
    for arrival in here:
        arrived = min(arrival.number, unmoved)
        unmoved -= arrived
        if arrived:
            moved.append(_moved_pile(spot, arrived, arrival, at_sea))
    if unmoved:
        lying = Pile(
            spot=spot,
            number=unmoved - is_open,
            is_open=is_open,
            needs_canoes=at_sea,
            known=WAR_CANOE if has_war_canoe is True else "",
            excluded=WAR_CANOE if has_war_canoe is False else "",
        )
        return [lying, *moved]
    if is_open:
        moved[0] = replace(moved[0], number=moved[0].number - 1, is_open=True)
    return moved


def _attacking_piles(spot: str, number: int, here: list[Arrival], is_sailing: bool) -> list[Pile]:
    """Return the piles of a seat's pieces that sailed into an Enemy hex.

    The last pile has whatever the others don't account for.
    """
    piles: list[Pile] = []
    left = number
    for n, arrival in enumerate(here):
        is_last = n == len(here) - 1
        arrived = left if is_last else min(arrival.number, left)
        left -= arrived
        if not arrived:
            continue
        pile = _moved_pile(spot, arrived, arrival, at_sea=True)
        # Pieces sail among enemies only with a War Canoe, or after one.
        known = WAR_CANOE if n == 0 else ""
        moves_left = arrival.moves_left if is_sailing else 0
        piles.append(replace(pile, attacks=True, known=known, moves_left=moves_left))
    return piles


def _moved_pile(spot: str, number: int, arrival: Arrival, at_sea: bool) -> Pile:
    """Return the pile of pieces that have sailed into a hex; if it may go on, all are aboard."""
    return Pile(
        spot=spot,
        number=number,
        needs_canoes=at_sea or arrival.moves_left > 0,
        is_moved=True,
        origin=arrival.origin,
        moves_left=arrival.moves_left,
    )


def _trace_arrivals(state: State, seat: Seat) -> dict[str, list[Arrival]]:
    """Return the pieces that have sailed into each hex in this Movement, by the visible moves.

    Nobody sees whether pieces that set out from a hex had only just arrived there. Assume that
    they had, those with the fewest moves left first: then there are always enough pieces that may
    still go.
    """
    arrivals: dict[str, list[Arrival]] = {}
    for leg in state.legs:
        if leg.seat != seat or leg.transit:
            continue
        start = leg.way[0]
        end = leg.way[-1]
        moves = len(leg.way) - 1
        missing = leg.count
        staying: list[Arrival] = []
        going: list[Arrival] = []
        for arrival in sorted(arrivals.get(start, []), key=attrgetter("moves_left")):
            number = 0
            if arrival.moves_left >= moves:
                number = min(arrival.number, missing)
            missing -= number
            if number:
                going.append(Arrival(arrival.origin, arrival.moves_left - moves, number))
            if arrival.number > number:
                staying.append(replace(arrival, number=arrival.number - number))
        if missing:
            going.append(Arrival(start, max(0, move_allowance(state, seat) - moves), missing))
        arrivals[start] = staying
        arrivals[end] = [*arrivals.get(end, []), *going]
    return arrivals


def _deal_pieces(state: State, seat: Seat, piles: list[Pile], table: Table) -> list[Kinds]:
    """Deal a seat's face-down pieces from all that it could have; return each pile's kinds."""
    # Pieces that everybody sees cannot be among those face down.
    visible = Kinds(t=sum(pile.is_open for pile in piles))
    battle = state.battle
    if battle is not None and battle.shown:
        for side, row in enumerate(battle.sides):
            if battle.seat(side) == seat:
                visible = visible.plus(row.survivors)
    bag: list[str] = []
    for kind in KINDS:
        bag += [kind] * (PIECES[kind] - visible.of(kind))
    hands = _fill_piles(piles, table.shuffle(bag))
    if state.nations[seat].ashore:
        # Everybody knows that its pieces are the Warrior Bands of the set-up.
        hands = [[BAND] * pile.number for pile in piles]
    all_kinds = []
    for pile, hand in zip(piles, hands, strict=True):
        face_down = Kinds(*(hand.count(kind) for kind in KINDS))
        all_kinds.append(face_down.plus(Kinds(t=int(pile.is_open))))
    return all_kinds


def _fill_piles(piles: list[Pile], drawn: tuple[str, ...]) -> list[list[str]]:
    """Return the kinds in each pile, dealt from the drawn pieces as far as they fit."""
    hands = _try_to_fill_piles(piles, drawn) or _try_to_fill_piles(piles, drawn, saves_canoes=True)
    if hands is None:
        # Even so there are not enough canoes. Then only the numbers of pieces are right.
        unrestricted = [Pile(pile.spot, pile.number) for pile in piles]
        hands = _try_to_fill_piles(unrestricted, drawn)
    return hands or []


def _try_to_fill_piles(
    piles: list[Pile], drawn: tuple[str, ...], saves_canoes: bool = False
) -> list[list[str]] | None:
    """Return the kinds in each pile; None if at some point no piece of the bag fits."""
    bag = list(drawn)
    hands: list[list[str]] = [[] for _ in piles]
    for pile, hand in zip(piles, hands, strict=True):
        if pile.known and pile.number and pile.known in bag:
            bag.remove(pile.known)
            hand.append(pile.known)
    # Places that do not take every piece are filled first, while there is still a choice.
    is_restricted = [pile.needs_canoes or bool(pile.excluded) for pile in piles]
    for n in sorted(range(len(piles)), key=lambda n: not is_restricted[n]):
        pile = piles[n]
        hand = hands[n]
        while len(hand) < pile.number:
            order: Sequence[str] = bag
            if saves_canoes:
                is_last = len(hand) + 1 == pile.number
                order = CANOE_SAVING_ORDER_LAST if is_last else CANOE_SAVING_ORDER
            kind = next((kind for kind in order if kind in bag and pile.takes(kind, hand)), "")
            if not kind:
                return None
            bag.remove(kind)
            hand.append(kind)
    return hands


def _put_piles(
    dealt: State, seat: Seat, piles: list[Pile], kinds: list[Kinds], movement: Movement | None
) -> State:
    """Return the position with a seat's piles as stacks and fleets, and its Movement if any."""
    stacks: list[Stack] = []
    fleets: list[Fleet] = []
    spent: list[tuple[str, Kinds]] = []
    opened: list[str] = []
    for pile, pieces in zip(piles, kinds, strict=True):
        if not pile.is_moved:
            stacks.append(Stack(seat, pile.spot, pieces, pile.is_open))
            continue
        if pile.is_open:
            opened.append(pile.spot)
        if pile.attacks or pile.moves_left:
            fleets.append(Fleet(len(fleets) + 1, pile.spot, pile.origin, pile.moves_left, pieces))
        else:
            spent.append((pile.spot, pieces))
    all_stacks = [*dealt.stacks, *stacks]
    all_stacks.sort(key=lambda stack: (stack.seat, ORDER[stack.spot]))
    dealt = dealt.with_changes(stacks=tuple(all_stacks))
    if movement is None or movement.seat != seat:
        return dealt
    under_way = Movement(
        seat=seat,
        fleets=tuple(fleets),
        made=len(fleets),
        afloat=any(not leg.transit for leg in dealt.legs),
        spent=tuple(spent),
        opened=tuple(opened),
        answered=movement.answered,
        due=movement.due,
    )
    return dealt.with_changes(movement=under_way)
