"""The same position to a viewer, with all that they cannot know dealt anew.

The tests compare the two: whatever differs in a view, a question or who is waited for is a secret that leaked. A search
may use it to guess. What is public stays: how many pieces lie in a hex, whose markers lie on a tile, how many cards are
in a hand, who has answered. Every heap is sorted before it is shuffled, so two positions that are alike to the viewer
come out alike from the same table.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.battle_rolls import ATTACKER, DEFENDER, PAUSING
from engine.conquest.board import KINDS
from engine.conquest.empire import unbuilt
from engine.conquest.hexes import is_sea
from engine.conquest.pieces import Battle, Build, Declared, Kinds, Line, Stack, Tile
from engine.core.decision import Seat
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

SILENT_LOSSES = ("thrift", "bands", "canoes")
SILENT_CARDS = ("all", "shown", "none")
SILENT_COURSES = ("far", "near", "lot")
SILENT_FINDS = ("hide", "show")
"""Standing orders that never make the match wait, and so are secret for good."""
SWAPS = 100
"""After so many swaps that did not help, the pieces are dealt once more."""
DEALS = 20
"""After so many deals that left cargo without a canoe, a seat keeps the pieces it has."""


def redealt(state: "State", viewer: Seat | None, table: Table) -> "State":
    """Sealed answers, silent orders, tiles, cards and pieces of others, each shuffled among what they could be."""
    others = [Seat(seat) for seat in range(len(state.nations)) if seat != viewer]
    state = _orders(state, others, table)
    state = _answers(state, others, table)
    state = _tiles(state, viewer, table)
    state = _cards(state, others, table)
    for seat in others:
        state = _pieces(state, seat, table)
    return state


def _orders(state: "State", others: list[Seat], table: Table) -> "State":
    """Standing orders: one to be asked shows as soon as it makes the match wait, so only the silent are shuffled."""
    for seat in others:
        nation = state.nations[seat]
        losses, orders = nation.losses, nation.orders
        if losses in SILENT_LOSSES:
            losses = table.choose(SILENT_LOSSES)
        if orders in SILENT_CARDS:
            orders = table.choose(SILENT_CARDS)
        course = table.choose(SILENT_COURSES) if nation.course in SILENT_COURSES else nation.course
        finds = table.choose(SILENT_FINDS) if nation.finds in SILENT_FINDS else nation.finds
        state = state.with_nation(seat, losses=losses, orders=orders, course=course, finds=finds)
    return state


def _answers(state: "State", others: list[Seat], table: Table) -> "State":
    """Answers given in secret become the smallest legal ones; that they were given is public."""
    for seat in others:
        if state.builds:
            build = state.builds[seat]
            # In the set-up (turn 0) the least that can be said is two Warrior Bands, later to build nothing.
            lines = (Line("b"), Line("b")) if build.ready and not state.turn else ()
            least = Build(lines, ready=build.ready, ground=build.ground)
            state = state.changed(builds=(*state.builds[:seat], least, *state.builds[seat + 1 :]))
    declared = state.declared
    if declared is not None and not declared.answers:
        # Until all have said, nobody knows who declares.
        votes = list(declared.votes)
        for seat in others:
            votes[seat] = "pass" if votes[seat] else ""
        state = state.changed(declared=Declared(tuple(votes)))
    elif declared is not None and declared.target:
        holder = declared.answers.index("forest")
        if holder in others:
            answers = list(declared.answers)
            answers[holder] = "pass"
            state = state.changed(declared=replace(declared, answers=tuple(answers), target=""))
    if state.battle is not None:
        state = state.changed(battle=_battle_orders(state.battle, others, table))
    return state


def _battle_orders(battle: Battle, others: list[Seat], table: Table) -> Battle:
    """How others use cards in the running Battle, and what they said to the roll just made."""
    modes, replies = list(battle.modes), list(battle.replies)
    for side in (ATTACKER, DEFENDER):
        if battle.seat(side) not in others:
            continue
        if modes[side] and modes[side] not in PAUSING:
            modes[side] = table.choose(SILENT_CARDS)
        if replies[side]:
            replies[side] = "pass"
    return replace(battle, modes=(modes[0], modes[1]), replies=(replies[0], replies[1]))


def _tiles(state: "State", viewer: Seat | None, table: Table) -> "State":
    """Box, unseen face-down tiles and unseen removed ones are one heap."""

    def is_unseen(tile: Tile) -> bool:
        return not tile.up and viewer not in tile.seen

    def dealt(tile: Tile) -> Tile:
        return replace(tile, key=heap.pop()) if is_unseen(tile) else tile

    lying = [tile.key for tile in (*state.tiles, *state.gone) if is_unseen(tile)]
    heap = list(table.shuffle(sorted((*state.box, *lying))))
    tiles = tuple(dealt(tile) for tile in state.tiles)
    gone = tuple(dealt(tile) for tile in state.gone)
    return state.changed(tiles=tiles, gone=gone, box=tuple(sorted(heap)))


def _cards(state: "State", others: list[Seat], table: Table) -> "State":
    """The deck and the face-down cards of others are one heap."""
    held: list[str] = []
    for seat in others:
        held += state.nations[seat].hidden
    heap = list(table.shuffle(sorted((*state.deck, *held))))
    for seat in others:
        hand = list(state.nations[seat].hand)
        for n, card in enumerate(hand):
            if not card.up:
                hand[n] = replace(card, key=heap.pop())
        state = state.with_nation(seat, hand=tuple(hand))
    return state.changed(deck=tuple(sorted(heap)))


def _pieces(state: "State", seat: Seat, table: Table) -> "State":
    """Face-down and unbuilt pieces are one bag; each hex gets its number back, and cargo at sea its canoes."""
    stacks = state.stacks_of(seat)
    bag = _letters(unbuilt(state, seat))
    for stack in stacks:
        bag += _letters(stack.kinds.minus(_open_canoe(stack)))
    at_sea = [is_sea(state, stack.spot) for stack in stacks]
    for _ in range(DEALS):
        drawn = list(table.shuffle(sorted(bag)))
        hands = _hands(state, stacks, drawn)
        if _repair(list(stacks), at_sea, hands, drawn):
            for stack, hand in zip(stacks, hands, strict=True):
                state = state.with_pieces(seat, stack.spot, _kinds(stack, hand))
            return state
    return state


def _hands(state: "State", stacks: Sequence[Stack], drawn: list[str]) -> list[list[str]]:
    """For each stack its number of pieces off the drawn ones. Whether a War Canoe is there may have been said."""
    told = dict(state.movement.answered) if state.movement is not None else {}
    hands: dict[str, list[str]] = {stack.spot: [] for stack in stacks}

    def take(stack: Stack, letters: list[str], number: int) -> None:
        for letter in letters[:number]:
            drawn.remove(letter)
            hands[stack.spot].append(letter)

    # The hexes that must do without come first, then one for each that must not, then all the rest.
    for stack in stacks:
        if told.get(stack.spot) is False:
            take(stack, [letter for letter in drawn if letter != "w"], stack.kinds.total - stack.open)
    for stack in stacks:
        if told.get(stack.spot):
            take(stack, [letter for letter in drawn if letter == "w"], 1)
    for stack in stacks:
        take(stack, list(drawn), stack.kinds.total - stack.open - len(hands[stack.spot]))
    return [hands[stack.spot] for stack in stacks]


def _open_canoe(stack: Stack) -> Kinds:
    """The canoe that lies face up on a stack, if one does."""
    return Kinds(t=int(stack.open))


def _letters(kinds: Kinds) -> list[str]:
    """A letter for each piece."""
    found: list[str] = []
    for kind in KINDS:
        found += [kind] * kinds.of(kind)
    return found


def _kinds(stack: Stack, hand: list[str]) -> Kinds:
    """What lies in a hex with these pieces face down: its open canoe as well."""
    face_down = Kinds(*(hand.count(kind) for kind in KINDS))
    return face_down.plus(_open_canoe(stack))


def _repair(stacks: list[Stack], at_sea: list[bool], hands: list[list[str]], rest: list[str]) -> bool:
    """Cargo at sea without a canoe is swapped for one from elsewhere, first from the unbuilt pieces, the rest."""

    def is_sound(n: int) -> bool:
        return n == len(stacks) or not at_sea[n] or _kinds(stacks[n], hands[n]).is_afloat

    everywhere = [*hands, rest]
    for _ in range(SWAPS):
        sunk = next((n for n in range(len(stacks)) if not is_sound(n)), None)
        if sunk is None:
            return True
        wet = hands[sunk]
        cargo = next(n for n, kind in enumerate(wet) if kind in "cb")
        for n, other in reversed(list(enumerate(everywhere))):
            if n == sunk or "t" not in other:
                continue
            canoe = other.index("t")
            wet[cargo], other[canoe] = other[canoe], wet[cargo]
            if is_sound(n):
                break
            # The other hex would have sunk instead.
            wet[cargo], other[canoe] = other[canoe], wet[cargo]
        else:
            return False
    return False
