"""The frozen position: what stands where, what is left, what is held."""

from functools import cache
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.blue_lagoon.board import Board, Move, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.steps import EndGame, EndPhase, EndTurn, PlacePiece, PrepareSettlement
from engine.core.decision import Seat

Phase = Literal["exploration", "settlement", "over"]
EXPLORATION: Final = "exploration"
SETTLEMENT: Final = "settlement"
OVER: Final = "over"
Places = Annotated[int, Meta(ge=0)]
"""A set of places as a bitboard."""
Count = Annotated[int, Meta(ge=0)]
Counts = tuple[Count, Count, Count, Count, Count]
"""A number of each of board.ITEMS."""
NOTHING: Counts = (0, 0, 0, 0, 0)
AnyStep = PlacePiece | EndTurn | EndPhase | PrepareSettlement | EndGame


class Side(Struct, frozen=True, gc=False):
    """A seat's pieces, standing and left, and the items it holds. Boats are settlers at sea."""

    settlers: Places
    villages: Places
    settlers_left: Count
    villages_left: Count
    held: Counts = NOTHING

    @property
    def pieces(self) -> int:
        """Where this seat stands."""
        return self.settlers | self.villages

    def with_piece(self, move: Move) -> "Side":
        """The side with one of its pieces on the board."""
        if move.piece == "village":
            return replace(self, villages=self.villages | move.bit, villages_left=self.villages_left - 1)
        return replace(self, settlers=self.settlers | move.bit, settlers_left=self.settlers_left - 1)


class State(Struct, frozen=True, gc=False):
    """A position. Nothing in it is hidden: the second deal is drawn when it happens."""

    map: str
    """A name or JSON, for board_of."""
    phase: Phase
    sides: tuple[Side, ...]
    items: tuple[Places, Places, Places, Places, Places]
    """Where each of board.ITEMS lies."""
    last: Seat
    """Who placed last; before the first placement, whoever sits before the starting seat."""
    spot: str
    """Where that was, '' if nobody has placed in this phase."""
    scores: tuple[tuple[Row, ...], ...]
    """For each phase scored, a row a seat."""
    skipped: tuple[Seat, ...]
    """Seats already told to be stuck in this phase."""
    reason: str
    """Why the match ended, '' before that."""
    agenda: tuple[AnyStep, ...]

    @property
    def board(self) -> Board:
        """The board this is played on."""
        return board_of(self.map)

    @property
    def taken(self) -> int:
        """Spaces with a player's piece."""
        taken = 0
        for side in self.sides:
            taken |= side.settlers | side.villages
        return taken

    def placements(self, board: Board, side: Side) -> tuple[int, int]:
        """Where that side may place a settler or boat, and where a village."""
        free = board.all ^ self.taken
        beside = board.near(side.settlers | side.villages) & free
        if self.phase == SETTLEMENT:
            return (beside if side.settlers_left else 0), 0
        ashore = beside & board.land
        return (ashore | board.sea & free if side.settlers_left else 0), (ashore if side.villages_left else 0)

    def next_to_place(self, board: Board) -> Seat | None:
        """The first seat after the last one that can place; None if nobody can."""
        free = board.all ^ self.taken
        for seat in _in_turn(self.last, len(self.sides)):
            if self._can_place(board, self.sides[seat], free):
                return seat
        return None

    def _can_place(self, board: Board, side: Side, free: int) -> bool:
        """As `placements`, but asking for neighbours only where it must: most seats have a boat and some sea."""
        if self.phase == SETTLEMENT:
            return side.settlers_left > 0 and board.near(side.settlers | side.villages) & free != 0
        if side.settlers_left and free & board.sea:
            return True
        pieces_left = side.settlers_left or side.villages_left
        return pieces_left > 0 and board.near(side.settlers | side.villages) & free & board.land != 0

    def with_piece(self, seat: Seat, move: Move, item: int | None) -> "State":
        """The position after a placement; the item that lay there is held now."""
        placed, items = self.sides[seat].with_piece(move), self.items
        if item is not None:
            placed = replace(placed, held=_changed(placed.held, item, placed.held[item] + 1))
            items = _changed(items, item, items[item] ^ move.bit)
        sides = (*self.sides[:seat], placed, *self.sides[seat + 1 :])
        return replace(self, sides=sides, items=items, last=seat, spot=move.spot)

    def item_at(self, bit: int) -> int | None:
        """Which item lies there."""
        for item, places in enumerate(self.items):
            if places & bit:
                return item
        return None

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """The same position with other steps to come."""
        return replace(self, agenda=agenda)

    def cleared(self) -> "State":
        """The board prepared for the settlement: only villages off the circles stay, settlers and items go back."""
        settlers, circles = self.board.settlers(len(self.sides)), self.board.circles
        sides = tuple(Side(0, side.villages & ~circles, settlers, 0) for side in self.sides)
        return replace(self, phase=SETTLEMENT, sides=sides, items=NOTHING, spot="", skipped=())


@cache
def _in_turn(last: Seat, seats: int) -> tuple[Seat, ...]:
    """The seats in the order in which they come after the last one."""
    return tuple(Seat((last + step) % seats) for step in range(1, seats + 1))


def _changed(counts: Counts, item: int, value: int) -> Counts:
    changed = list(counts)
    changed[item] = value
    return (changed[0], changed[1], changed[2], changed[3], changed[4])
