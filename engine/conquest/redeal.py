"""Deal a position anew for one viewer: everything they cannot know becomes something else that it
could be.

Computer players and hints think about such a deal instead of the true position, and tests compare
the two: whatever differs in a view, a question or who is waited for is a secret that leaked.

A deal is built up from what the viewer knows, never cut down from the whole. Each struct below
names the fields that it takes over, and what is hidden is drawn from the table or left at its
default: a field that somebody adds and forgets here gives nothing away. Hidden facts do not even
decide how often the table draws, so positions that look alike to the viewer come out alike from the
same table.

What is public stays: how many pieces lie in a hex and where they came from, whose markers lie on a
tile, how many cards are in a hand, who has answered.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.battle_rolls import ATTACKER, DEFENDER
from engine.conquest.board import CARD_KEYS, KINDS, ORDER, PIECES
from engine.conquest.chains import open_hexes
from engine.conquest.hexes import controlled, is_enemy_hex, is_sea
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
from engine.conquest.sailing import allowance
from engine.conquest.state import State
from engine.conquest.steps.aftermath import SettleAftermath
from engine.conquest.steps.battle import React
from engine.conquest.steps.build import empty_lists, ground_of
from engine.conquest.steps.movement import MoveStack
from engine.core.decision import Answer, Seat
from engine.core.event import Event
from engine.core.table import Table

SILENT_MODES = ("all", "shown", "none")
"""Orders for Battle cards that never make the match wait, so nobody can see which of them was
given.
"""
ASKING_MODE = "each"
"""The order of a seat that is being asked about a roll, whichever side the roll hits."""
START = (Line("b"), Line("b"))
"""The smallest choice of pieces to begin with."""
WAR_CANOE, TRANSPORT_CANOE, COLONY, BAND = "w", "t", "c", "b"
TIGHT = "bctwr"
"""Kinds in the order that makes do with the fewest canoes: cargo as soon as there is room for
it.
"""
TIGHT_LAST = "bcrtw"
"""The order for the last piece of a place: a Rumor saves a canoe that another place may need."""


class Place(Struct, frozen=True):
    """Pieces of a seat that lie or sail together.

    Everybody sees their number, and nobody else what they are.
    """

    spot: str
    number: int
    """Face down."""
    is_open: bool = False
    """Besides, a Transport Canoe lies face up."""
    needs_canoes: bool = False
    """At sea or under way: all Warrior Bands and Colonies are aboard canoes."""
    known: str = ""
    """A kind that one of them is known to be."""
    excluded: str = ""
    """A kind that none of them is."""
    is_moved: bool = False
    """They have moved in the Movement under way."""
    attacks: bool = False
    origin: str = ""
    moves_left: int = 0

    def takes(self, kind: str, held: list[str]) -> bool:
        """Whether a piece of that kind can be there besides those held."""
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
    """Pieces that have sailed into a hex, as everybody saw it."""

    origin: str
    moves_left: int
    number: int


def redealt(state: State, viewer: Seat | None, table: Table) -> State:
    """Return the position with everything that the viewer cannot know dealt anew."""
    others = [Seat(seat) for seat in range(len(state.nations)) if seat != viewer]
    deck, hands = _cards(state, others, table)
    box, tiles, gone = _tiles(state, viewer, table)
    nations = list(state.nations)
    builds = list(state.builds)
    for seat in others:
        nations[seat] = _nation(state, seat, hands[seat])
        if builds:
            builds[seat] = _build(state, seat)
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
        movement=state.movement
        if state.movement is not None and state.movement.seat == viewer
        else None,
        legs=state.legs,
        last=state.last,
        battle=_battle(state, state.battle, others, table) if state.battle is not None else None,
        builds=tuple(builds),
        declared=_declared(state.declared, others) if state.declared is not None else None,
        over=state.over,
    )
    for seat in others:
        places = _places(state, seat)
        kinds = _kinds(state, seat, places, table)
        dealt = _with_pieces(dealt, seat, places, kinds, state.movement)
    if state.builds and state.turn and state.step != "building":
        dealt = _with_ground(dealt, state, others)
    return dealt


def _cards(
    state: State, others: list[Seat], table: Table
) -> tuple[tuple[str, ...], dict[Seat, tuple[HandCard, ...]]]:
    """Deal the deck and the face-down cards of others as one heap: the deck, and their hands."""
    heap = list(state.deck)
    for seat in others:
        heap += state.nations[seat].hidden
    heap = list(table.shuffle(sorted(heap)))
    hands = {}
    for seat in others:
        hand = state.nations[seat].hand
        # Which cards came first is the holder's secret: those face up go in front, in the order of
        # the deck.
        shown = sorted(
            (card for card in hand if card.up), key=lambda card: CARD_KEYS.index(card.key)
        )
        hidden = [HandCard(heap.pop()) for _ in range(len(hand) - len(shown))]
        hands[seat] = (*shown, *hidden)
    return tuple(sorted(heap)), hands


def _tiles(
    state: State, viewer: Seat | None, table: Table
) -> tuple[tuple[str, ...], tuple[Tile, ...], tuple[Tile, ...]]:
    """Deal the box and the face-down tiles that the viewer has not seen as one heap: box, tiles,
    removed tiles.
    """

    def is_unseen(tile: Tile) -> bool:
        return not tile.up and viewer not in tile.seen

    def dealt(tile: Tile) -> Tile:
        return Tile(tile.spot, heap.pop(), seen=tile.seen) if is_unseen(tile) else tile

    lying = [tile.key for tile in (*state.tiles, *state.gone) if is_unseen(tile)]
    heap = list(table.shuffle(sorted((*state.box, *lying))))
    tiles = tuple(dealt(tile) for tile in state.tiles)
    gone = tuple(dealt(tile) for tile in state.gone)
    return tuple(sorted(heap)), tiles, gone


def _nation(state: State, seat: Seat, hand: tuple[HandCard, ...]) -> Nation:
    """Return what everybody knows of a seat; its standing orders are those that everyone begins
    with.
    """
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


def _build(state: State, seat: Seat) -> Build:
    """Return the smallest list of a seat; whether it is in is public."""
    if not state.builds[seat].ready:
        return Build()
    return Build(() if state.turn else START, ready=True)


def _with_ground(dealt: State, state: State, others: list[Seat]) -> State:
    """Return the position with what lists that were built ahead stand on."""
    if dealt.builds == empty_lists(state):
        # Somebody may have begun a list and left it, which nobody else can tell.
        return dealt.changed(builds=())
    for seat in others:
        build = state.builds[seat]
        # Everybody sees whether anything of that seat has changed since its list was sealed.
        if build.ready and build.ground == ground_of(state, seat):
            dealt = dealt.with_build(seat, ground=ground_of(dealt, seat))
    return dealt


def _declared(declared: Declared, others: list[Seat]) -> Declared:
    """Return the Victory Step with a pass for whatever others have said in secret; that they
    have is public.
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
        # All have heard who declares. Whether anyone else was asked is settled and matters no more.
        votes = [vote if vote == "declare" else "pass" for vote in votes]
    return Declared(tuple(votes), tuple(answers), target)


def _battle(state: State, battle: Battle, others: list[Seat], table: Table) -> Battle:
    """Return the Battle with other orders, replies and decisions of others; its rows and rolls
    are public.
    """
    asked = React().waiting(battle) if state.agenda and isinstance(state.agenda[-1], React) else []
    modes, replies = list(battle.modes), list(battle.replies)
    for side in (ATTACKER, DEFENDER):
        if battle.seat(side) not in others:
            continue
        silent = table.choose(SILENT_MODES)
        if modes[side]:
            modes[side] = ASKING_MODE if side in asked else silent
        # A reply that is in is like an order to play no card: both leave nobody to be asked.
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
    return replace(dealt, aftermath=_aftermath(state, battle, battle.aftermath, others, table))


def _aftermath(
    state: State, battle: Battle, said: Aftermath, others: list[Seat], table: Table
) -> Aftermath:
    """Return what is said after a Battle, with any legal answers of others who have given
    theirs.
    """
    step = SettleAftermath()
    after = said
    for side in (ATTACKER, DEFENDER):
        if battle.seat(side) not in others:
            continue
        leave = ("", after.leave[DEFENDER]) if side == ATTACKER else (after.leave[ATTACKER], "")
        if side == said.winner:
            after = replace(after, save="", open="", leave=leave)
        else:
            after = replace(after, retreat="", home="", leave=leave)
    for side in (ATTACKER, DEFENDER):
        seat = Seat(battle.seat(side))
        if seat not in others or step.question(state, battle, said, side) is not None:
            continue
        answered = state.changed(battle=replace(battle, aftermath=after))
        while (question := step.question(answered, battle, after, side)) is not None:
            answer = Answer(seat, question.kind, (table.choose(question.options).key,))
            answered = step.take(answered, answer, _ignore)
            if answered.battle is not None and answered.battle.aftermath is not None:
                after = answered.battle.aftermath
    return after


def _ignore(event: Event) -> None:
    """Tell nobody: what is dealt has not happened."""


def _places(state: State, seat: Seat) -> list[Place]:
    """Return where the pieces of a seat are, by what everybody sees."""
    movement = state.movement
    is_mover = movement is not None and movement.seat == seat
    lying = {stack.spot: stack.kinds.total for stack in state.stacks_of(seat)}
    attacking: dict[str, int] = {}
    arrivals: dict[str, list[Arrival]] = {}
    if movement is not None and is_mover:
        arrivals = _arrivals(state, seat)
        for fleet in movement.fleets:
            heap = attacking if is_enemy_hex(state, seat, fleet.at) else lying
            heap[fleet.at] = heap.get(fleet.at, 0) + fleet.kinds.total
        for spot, kinds in movement.spent:
            lying[spot] = lying.get(spot, 0) + kinds.total
    is_sailing = is_mover and any(isinstance(step, MoveStack) for step in state.agenda)
    # The mover may have asked whether a War Canoe of this seat is in the way; all have heard the
    # answer.
    told = dict(movement.answered) if movement is not None and not is_mover else {}
    opened = open_hexes(state, seat)
    places: list[Place] = []
    for spot in sorted(lying, key=ORDER.__getitem__):
        unmoved = lying[spot]
        moved: list[Place] = []
        for arrival in arrivals.get(spot, []) if is_sailing else []:
            number = min(arrival.number, unmoved)
            unmoved -= number
            if number:
                moved.append(_moved(spot, number, arrival, at_sea=is_sea(state, spot)))
        if unmoved:
            places.append(
                Place(
                    spot=spot,
                    number=unmoved - (spot in opened),
                    is_open=spot in opened,
                    needs_canoes=is_sea(state, spot),
                    known=WAR_CANOE if told.get(spot) is True else "",
                    excluded=WAR_CANOE if told.get(spot) is False else "",
                )
            )
        elif spot in opened:
            moved[0] = replace(moved[0], number=moved[0].number - 1, is_open=True)
        places += moved
    for spot in sorted(attacking, key=ORDER.__getitem__):
        left = attacking[spot]
        came = arrivals.get(spot) or [Arrival(state.nations[seat].home or spot, 0, left)]
        for n, arrival in enumerate(came):
            number = left if n == len(came) - 1 else min(arrival.number, left)
            left -= number
            if number:
                place = _moved(spot, number, arrival, at_sea=True)
                # Nothing sails among enemies but with a War Canoe, or after one.
                known = WAR_CANOE if n == 0 else ""
                moves_left = arrival.moves_left if is_sailing else 0
                places.append(replace(place, attacks=True, known=known, moves_left=moves_left))
    is_known = any(place.is_open or place.known for place in places)
    if places and not is_known and not controlled(state, seat):
        # A seat with neither a group nor a canoe nor a Colony would be out.
        places[0] = replace(places[0], known=TRANSPORT_CANOE)
    return places


def _moved(spot: str, number: int, arrival: Arrival, at_sea: bool) -> Place:
    """Return pieces that have sailed there; those with moves left are still aboard."""
    return Place(
        spot=spot,
        number=number,
        needs_canoes=at_sea or arrival.moves_left > 0,
        is_moved=True,
        origin=arrival.origin,
        moves_left=arrival.moves_left,
    )


def _arrivals(state: State, seat: Seat) -> dict[str, list[Arrival]]:
    """Return by hex which pieces have sailed there in this Movement, by the legs that everybody
    saw.

    Whether those that set out from a hex had just come there is not seen. It is taken that they
    had, those with the fewest moves left first: so there are always enough that still may go.
    """
    found: dict[str, list[Arrival]] = {}
    for leg in state.legs:
        if leg.seat != seat or leg.transit:
            continue
        start, end, moves = leg.way[0], leg.way[-1], len(leg.way) - 1
        missing = leg.count
        staying: list[Arrival] = []
        going: list[Arrival] = []
        for arrival in sorted(found.get(start, []), key=lambda one: one.moves_left):
            number = min(arrival.number, missing) if arrival.moves_left >= moves else 0
            missing -= number
            if number:
                going.append(Arrival(arrival.origin, arrival.moves_left - moves, number))
            if arrival.number > number:
                staying.append(replace(arrival, number=arrival.number - number))
        if missing:
            going.append(Arrival(start, max(0, allowance(state, seat) - moves), missing))
        found[start] = staying
        found[end] = [*found.get(end, []), *going]
    return found


def _kinds(state: State, seat: Seat, places: list[Place], table: Table) -> list[Kinds]:
    """Deal the face-down and unbuilt pieces of a seat: what is in each place, its open canoe
    included.
    """
    seen = Kinds(t=sum(place.is_open for place in places))
    battle = state.battle
    if battle is not None and battle.shown:
        for side, row in enumerate(battle.sides):
            if battle.seat(side) == seat:
                seen = seen.plus(row.survivors)
    bag: list[str] = []
    for kind in KINDS:
        bag += [kind] * (PIECES[kind] - seen.of(kind))
    hands = _stowed(places, table.shuffle(bag))
    if state.nations[seat].ashore:
        # As everybody knows, it has none but the Warrior Bands of the set-up.
        hands = [[BAND] * place.number for place in places]
    found = []
    for place, hand in zip(places, hands, strict=True):
        face_down = Kinds(*(hand.count(kind) for kind in KINDS))
        found.append(face_down.plus(Kinds(t=int(place.is_open))))
    return found


def _stowed(places: list[Place], drawn: tuple[str, ...]) -> list[list[str]]:
    """Put pieces in every place as they were drawn, as far as they fit there."""
    hands = _filled(places, drawn) or _filled(places, drawn, is_tight=True)
    if hands is None:
        # Not even with the fewest canoes: only the numbers are right then.
        hands = _filled([Place(place.spot, place.number) for place in places], drawn)
    return hands or []


def _filled(
    places: list[Place], drawn: tuple[str, ...], is_tight: bool = False
) -> list[list[str]] | None:
    """Return pieces for every place, or None if what is left fits nowhere."""
    bag = list(drawn)
    hands: list[list[str]] = [[] for _ in places]
    for place, hand in zip(places, hands, strict=True):
        if place.known and place.number and place.known in bag:
            bag.remove(place.known)
            hand.append(place.known)
    # Where not everything fits pieces are put first, while there is a choice.
    choosy = [place.needs_canoes or bool(place.excluded) for place in places]
    for n in sorted(range(len(places)), key=lambda n: not choosy[n]):
        place, hand = places[n], hands[n]
        while len(hand) < place.number:
            order = bag
            if is_tight:
                order = list(TIGHT_LAST if len(hand) + 1 == place.number else TIGHT)
            kind = next((kind for kind in order if kind in bag and place.takes(kind, hand)), "")
            if not kind:
                return None
            bag.remove(kind)
            hand.append(kind)
    return hands


def _with_pieces(
    dealt: State, seat: Seat, places: list[Place], kinds: list[Kinds], movement: Movement | None
) -> State:
    """Return the position with these pieces of a seat in their places, and its Movement if it is
    under way.
    """
    stacks: list[Stack] = []
    fleets: list[Fleet] = []
    spent: list[tuple[str, Kinds]] = []
    opened: list[str] = []
    for place, pieces in zip(places, kinds, strict=True):
        if not place.is_moved:
            stacks.append(Stack(seat, place.spot, pieces, place.is_open))
            continue
        if place.is_open:
            opened.append(place.spot)
        if place.attacks or place.moves_left:
            fleets.append(
                Fleet(len(fleets) + 1, place.spot, place.origin, place.moves_left, pieces)
            )
        else:
            spent.append((place.spot, pieces))
    in_order = sorted((*dealt.stacks, *stacks), key=lambda stack: (stack.seat, ORDER[stack.spot]))
    dealt = dealt.changed(stacks=tuple(in_order))
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
    return dealt.changed(movement=under_way)
