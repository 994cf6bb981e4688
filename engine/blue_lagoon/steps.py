"""The steps of the rulebook, in the order in which they come."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.blue_lagoon.board import ITEMS, Board, bits
from engine.blue_lagoon.events import Cleared, Collected, Dealt, Opened, PhaseEnded, Scored, Settled, Skipped
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


class PlacePiece(Step, frozen=True, gc=False):
    """A turn: one piece on a free space, and the item that lies there is collected."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every legal placement."""
        side, board = state.sides[self.seat], state.board
        options = board.options(*state.placements(board, side))
        facts = (("settlers", side.settlers_left), ("villages", side.villages_left))
        return (Decision(self.seat, "place_piece", options, facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The piece placed. The phase may end with it, at once: nobody gets a turn more."""
        board = state.board
        move = board.moves[answer.keys[0]]
        item = state.item_at(move.bit) if move.bit & board.circles else None
        after = state.with_piece(self.seat, move, item)
        if item is None:
            tell(Settled(self.seat, move.spot, move.piece))
        else:
            tell(Settled(self.seat, move.spot, move.piece, ITEMS[item], after.sides[self.seat].held[item]))
            tell(Collected(self.seat, move.spot, ITEMS[item]))
        return replace(after, agenda=(self._what_follows(board, after),))

    def _what_follows(self, board: Board, after: "State") -> "EndTurn | EndPhase | EndGame":
        coconuts, bamboo, water, stones, _ = after.items
        if not (coconuts or bamboo or water or stones):
            why = RESOURCES_COLLECTED
        elif (to := after.next_to_place(board)) is None:
            why = NOBODY_CAN_PLACE
        else:
            return EndTurn(self.seat, to)
        return EndPhase(why) if after.phase == "exploration" else EndGame(why)


class EndTurn(Run, frozen=True, gc=False):
    """The next seat in order that can place has the turn."""

    seat: Seat
    to: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The turn passed on, with a word for those who are stuck from now on."""
        return pass_turn(state, self.to, table)


class EndPhase(Run, frozen=True):
    """The exploration is over and scored."""

    why: str

    def run(self, state: "State", table: Table) -> "State":
        """The points of the exploration written down."""
        return scored(state, self.why, table).with_agenda((PrepareSettlement(),))


class PrepareSettlement(Run, frozen=True):
    """Settlers, items and the villages on stone circles leave the board; all items are dealt anew."""

    def run(self, state: "State", table: Table) -> "State":
        """The settlement opened by the seat after the last, or ended at once if nobody can place in it."""
        circles = state.board.circles
        standing = 0
        for side in state.sides:
            standing |= side.villages
        table.tell(Cleared(codes(state.board, standing & circles)))
        ready = deal(state.cleared(), table)
        opener = ready.next_to_place(ready.board)
        if opener is None:
            return ready.with_agenda((EndGame(NO_SETTLEMENT),))
        opened = pass_turn(ready, opener, table)
        table.tell(Opened(opened.phase, opener))
        return opened


class EndGame(Run, frozen=True):
    """The settlement is over and scored: so is the match."""

    why: str

    def run(self, state: "State", table: Table) -> "State":
        """The points of the settlement written down."""
        return replace(scored(state, self.why, table), phase="over", reason=self.why)


def pass_turn(state: "State", to: Seat, table: Table) -> "State":
    """The turn given to that seat; those passed over are stuck, and it is told once a phase."""
    seats = len(state.sides)
    turn = replace(state, agenda=(PlacePiece(to),))
    if to == (state.last + 1) % seats:
        return turn
    passed = (Seat((state.last + step) % seats) for step in range(1, (to - state.last - 1) % seats + 1))
    stuck = tuple(seat for seat in passed if seat not in state.skipped)
    for seat in stuck:
        table.tell(Skipped(seat))
    return replace(turn, skipped=state.skipped + stuck)


def scored(state: "State", why: str, table: Table) -> "State":
    """The phase counted, all seats at once."""
    rows = score(state.board, state.sides)
    table.tell(PhaseEnded(state.phase, why))
    table.tell(Scored(state.phase, rows))
    return replace(state, scores=(*state.scores, rows))


def deal(state: "State", table: Table) -> "State":
    """One item on each stone circle; if there are more circles than items, the circles are drawn too."""
    board = state.board
    pile = table.shuffle(board.bag)
    circles = board.circle_list
    if len(circles) > len(pile):
        circles = tuple(sorted(table.shuffle(circles)[: len(pile)]))
    items = [0] * len(ITEMS)
    dealt = []
    for circle, item in zip(circles, pile, strict=True):
        items[item] |= circle
        dealt.append((board.at[circle].code, ITEMS[item]))
    table.tell(Dealt(state.phase, tuple(dealt)))
    return replace(state, items=tuple(items))


def codes(board: Board, places: int) -> tuple[str, ...]:
    """The codes of these places in reading order."""
    return tuple(board.at[bit].code for bit in bits(places))
