"""The steps of the rulebook, in the order in which they come.

Exploration and settlement are played alike: seats place one piece in turn until all resources are
collected or nobody can place. Saved matches hold steps by class name and fields, so neither is ever
renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.blue_lagoon.board import ITEMS, RESOURCES, bits
from engine.blue_lagoon.events import (
    Cleared,
    Collected,
    Dealt,
    Opened,
    PhaseEnded,
    Scored,
    Settled,
    Skipped,
)
from engine.blue_lagoon.scoring import score
from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.blue_lagoon.state import State

RESOURCES_COLLECTED = "resources_collected"
NOBODY_CAN_PLACE = "nobody_can_place"
NO_SETTLEMENT = "no_settlement"
MAX_EXPLAINED = 3
"""How many of the first questions explain the points on the buttons."""


class PlacePiece(Step, frozen=True):
    """A turn: place one piece on an unoccupied space and take the item there."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a placement: every legal one in reading order."""
        board, side = state.board, state.sides[self.seat]
        settling, founding = state.placements(self.seat)
        options = []
        for bit in bits(settling | founding):
            place = board.at[bit]
            if settling & bit:
                options.append(place.settling)
            if founding & bit:
                options.append(place.founding)
        placed = side.pieces.bit_count() if state.phase == "exploration" else 0
        facts = (
            ("settlers", side.settlers_left),
            ("villages", side.villages_left),
            # Nothing adds points before the first piece, and soon everybody knows what +5 means.
            ("explains", int(0 < placed <= MAX_EXPLAINED)),
        )
        return (Decision(self.seat, "place_piece", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Place the piece. The phase may end at once: nobody gets another turn."""
        (key,) = answer.keys
        place = state.board.by_code[key.removesuffix("v")]
        if key.endswith("v"):
            piece = "village"
        else:
            piece = "settler" if place.island else "boat"
        item = state.item_at(place)
        after = state.with_piece(self.seat, place, piece)
        if item is None:
            tell(Settled(self.seat, place.code, piece))
        else:
            held = after.sides[self.seat].held[item]
            tell(Settled(self.seat, place.code, piece, ITEMS[item], held))
            tell(Collected(self.seat, place.code, ITEMS[item]))

        # Statuettes left on the board do not keep a phase going. If the last resource goes with the
        # last possible placement, the resources are the reason.
        if not any(after.items[:RESOURCES]):
            why = RESOURCES_COLLECTED
        elif (to := after.next_to_place()) is None:
            why = NOBODY_CAN_PLACE
        else:
            return after.with_agenda((EndTurn(self.seat, to),))
        return after.with_agenda((EndPhase(why) if state.phase == "exploration" else EndGame(why),))


class EndTurn(Run, frozen=True):
    """Pass the turn to the next seat that can place a piece."""

    seat: Seat
    to: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Pass the turn on, and report who is stuck from now on."""
        return pass_turn(state, self.to, table)


class EndPhase(Run, frozen=True):
    """End and score exploration."""

    why: str

    def run(self, state: "State", table: Table) -> "State":
        """Note the points of exploration."""
        return score_phase(state, self.why, table).with_agenda((PrepareSettlement(),))


class PrepareSettlement(Run, frozen=True):
    """Remove settlers, items and villages on stone circles, then deal all items again."""

    def run(self, state: "State", table: Table) -> "State":
        """Let the seat after the last one open settlement, or end it if nobody can place."""
        board = state.board
        villages = 0
        for side in state.sides:
            villages |= side.villages
        on_circles = bits(villages & board.circles)
        table.tell(Cleared(tuple(board.at[bit].code for bit in on_circles)))
        ready = deal(state.prepare_settlement(), table)
        opener = ready.next_to_place()
        if opener is None:
            return ready.with_agenda((EndGame(NO_SETTLEMENT),))
        opened = pass_turn(ready, opener, table)
        table.tell(Opened(opened.phase, opener))
        return opened


class EndGame(Run, frozen=True):
    """End and score settlement, and with it the match."""

    why: str

    def run(self, state: "State", table: Table) -> "State":
        """Note the points of settlement."""
        return replace(score_phase(state, self.why, table), phase="over", reason=self.why)


def pass_turn(state: "State", to: Seat, table: Table) -> "State":
    """Give the turn to a seat; those passed over are stuck for the rest of the phase.

    An event says so once for each of them.
    """
    following = state.following_seats()
    passed = following[: following.index(to)]
    stuck = tuple(seat for seat in passed if seat not in state.skipped)
    for seat in stuck:
        table.tell(Skipped(seat))
    return replace(state, skipped=state.skipped + stuck, agenda=(PlacePiece(to),))


def score_phase(state: "State", why: str, table: Table) -> "State":
    """Return the position with the points of the phase noted for all seats."""
    rows = score(state.board, state.sides)
    table.tell(PhaseEnded(state.phase, why))
    table.tell(Scored(state.phase, rows))
    return replace(state, scores=(*state.scores, rows))


def deal(state: "State", table: Table) -> "State":
    """Put one item on each stone circle; with more circles than items, draw the circles too."""
    board = state.board
    pile = table.shuffle(board.list_items())
    circles = tuple(bits(board.circles))
    if len(circles) > len(pile):
        circles = tuple(sorted(table.shuffle(circles)[: len(pile)]))
    items = [0] * len(ITEMS)
    dealt = []
    for circle, item in zip(circles, pile, strict=True):
        items[item] |= circle
        dealt.append((board.at[circle].code, ITEMS[item]))
    table.tell(Dealt(state.phase, tuple(dealt)))
    return replace(state, items=tuple(items))
