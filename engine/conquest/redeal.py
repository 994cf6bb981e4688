"""The same position to a viewer, with all that they cannot know dealt anew."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import KINDS
from engine.conquest.cards import PAUSING
from engine.conquest.empire import unbuilt
from engine.conquest.hexes import is_sea
from engine.conquest.pieces import Battle, Build, Kinds, Line, Stack, Tile
from engine.core.decision import Seat
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

SILENT_LOSSES = ("thrift", "bands", "canoes")
SILENT_CARDS = ("all", "shown", "none")
SWAPS = 100


def redealt(state: "State", viewer: Seat | None, table: Table) -> "State":
    """Tiles, cards, pieces, sealed answers and silent orders of others, each shuffled among what they could be."""
    others = [Seat(seat) for seat in range(len(state.nations)) if seat != viewer]
    state = _answers(state, others, table)
    state = _tiles(state, viewer, table)
    state = _cards(state, others, table)
    for seat in others:
        state = _pieces(state, seat, table)
    return state


def _tiles(state: "State", viewer: Seat | None, table: Table) -> "State":
    """Box, unseen face-down tiles and unseen removed ones are one heap."""

    def unseen(tile: Tile) -> bool:
        return not tile.up and viewer not in tile.seen

    lying = [tile.key for tile in (*state.tiles, *state.gone) if unseen(tile)]
    heap = list(table.shuffle((*state.box, *lying)))
    tiles = tuple(replace(tile, key=heap.pop()) if unseen(tile) else tile for tile in state.tiles)
    gone = tuple(replace(tile, key=heap.pop()) if unseen(tile) else tile for tile in state.gone)
    return state.changed(tiles=tiles, gone=gone, box=tuple(sorted(heap)))


def _cards(state: "State", others: list[Seat], table: Table) -> "State":
    """The deck and the face-down cards of others are one heap."""
    held = [key for seat in others for key in state.nations[seat].hidden]
    heap = list(table.shuffle((*state.deck, *held)))
    for seat in others:
        hand = state.nations[seat].hand
        dealt = tuple(card if card.up else replace(card, key=heap.pop()) for card in hand)
        state = state.with_nation(seat, hand=dealt)
    return state.changed(deck=tuple(sorted(heap)))


def _pieces(state: "State", seat: Seat, table: Table) -> "State":
    """Face-down and unbuilt pieces are one bag; each hex gets its number back, and cargo at sea its canoes."""
    # Where a War Canoe was asked for, the answer is public, and any other deal might belie it.
    fixed = {spot for spot, _ in state.movement.answered} if state.movement is not None else set()
    stacks = [stack for stack in state.stacks if stack.seat == seat and stack.spot not in fixed]
    bag = _letters(unbuilt(state, seat))
    for stack in stacks:
        bag += _letters(stack.kinds.minus(Kinds(t=int(stack.open))))
    drawn = list(table.shuffle(bag))
    hands = [[drawn.pop() for _ in range(stack.kinds.total - stack.open)] for stack in stacks]
    hands.append(drawn)
    seas = [is_sea(state, stack.spot) for stack in stacks]
    opened = [stack.open for stack in stacks]
    if not _repair(hands, seas, opened):
        return state
    dealt = tuple(
        Stack(seat, stack.spot, _kinds(hand, stack.open), stack.open)
        for stack, hand in zip(stacks, hands[:-1], strict=True)
    )
    changed = dict(zip(((stack.seat, stack.spot) for stack in stacks), dealt, strict=True))
    return state.changed(stacks=tuple(changed.get((stack.seat, stack.spot), stack) for stack in state.stacks))


def _letters(kinds: Kinds) -> list[str]:
    return [kind for kind in KINDS for _ in range(kinds.of(kind))]


def _kinds(letters: list[str], is_open: bool) -> Kinds:
    return Kinds(*(letters.count(kind) for kind in KINDS)).plus(Kinds(t=int(is_open)))


def _repair(hands: list[list[str]], seas: list[bool], opened: list[bool]) -> bool:
    """Cargo at sea without a canoe is swapped for a canoe from elsewhere."""

    def sound(n: int) -> bool:
        return n >= len(seas) or not seas[n] or _kinds(hands[n], opened[n]).is_afloat

    for _ in range(SWAPS):
        sunk = next((n for n in range(len(seas)) if not sound(n)), None)
        if sunk is None:
            return True
        cargo = next(n for n, kind in enumerate(hands[sunk]) if kind in "cb")
        for other in reversed(range(len(hands))):
            place = next((n for n, kind in enumerate(hands[other]) if kind == "t"), None)
            if other == sunk or place is None:
                continue
            hands[sunk][cargo], hands[other][place] = hands[other][place], hands[sunk][cargo]
            if sound(other):
                break
            hands[sunk][cargo], hands[other][place] = hands[other][place], hands[sunk][cargo]
        else:
            return False
    return False


def _answers(state: "State", others: list[Seat], table: Table) -> "State":
    """Sealed answers become the smallest legal ones; orders that never make the match wait are shuffled."""
    # An order to be asked shows as soon as it makes the match wait: only those that never do are secret for good.
    for seat in others:
        nation = state.nations[seat]
        losses = table.choose(SILENT_LOSSES) if nation.losses in SILENT_LOSSES else nation.losses
        orders = table.choose(SILENT_CARDS) if nation.orders in SILENT_CARDS else nation.orders
        state = state.with_nation(seat, losses=losses, orders=orders)
    if state.builds:
        sealed = tuple(_build(state, Seat(n), others) for n in range(len(state.builds)))
        state = state.changed(builds=sealed)
    if state.declared is not None and state.declared.target:
        told = state.declared
        if Seat(told.answers.index("forest")) in others:
            passed = tuple("pass" if answer == "forest" else answer for answer in told.answers)
            state = state.changed(declared=replace(told, answers=passed, target=""))
    return state.changed(battle=_modes(state.battle, others, table)) if state.battle is not None else state


def _build(state: "State", seat: Seat, others: list[Seat]) -> Build:
    build = state.builds[seat]
    if seat not in others:
        return build
    start = (Line("b"), Line("b")) if build.ready and not state.turn else ()
    return Build(lines=start, ready=build.ready)


def _modes(battle: Battle, others: list[Seat], table: Table) -> Battle:
    modes, replies = list(battle.modes), list(battle.replies)
    for side in (0, 1):
        if battle.seat(side) in others:
            if modes[side] and modes[side] not in PAUSING:
                modes[side] = table.choose(SILENT_CARDS)
            replies[side] = "pass" if replies[side] else ""
    return replace(battle, modes=(modes[0], modes[1]), replies=(replies[0], replies[1]))
