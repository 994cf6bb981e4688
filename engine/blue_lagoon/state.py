"""The immutable position: pieces on the board, pieces left, items held.

Saved matches hold it: a field is never renamed, and a new one needs a default. Methods return a new
position; the steps in steps.py combine them.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.blue_lagoon.board import Board, Place, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.steps import EndGame, EndPhase, EndTurn, PlacePiece, PrepareSettlement
from engine.core.decision import Seat

Phase = Literal["exploration", "settlement", "over"]
EXPLORATION: Final = "exploration"
SETTLEMENT: Final = "settlement"
OVER: Final = "over"
Places = Annotated[int, Meta(ge=0)]
"""A set of places, one bit for each: see board.py."""
Count = Annotated[int, Meta(ge=0)]
Counts = tuple[Count, Count, Count, Count, Count]
"""How many there are of each of board.ITEMS."""
NOTHING: Counts = (0, 0, 0, 0, 0)
AnyStep = PlacePiece | EndTurn | EndPhase | PrepareSettlement | EndGame


class Side(Struct, frozen=True):
    """A seat's pieces on the board and left, and its items. Boats are settlers at sea."""

    settlers: Places
    villages: Places
    settlers_left: Count
    villages_left: Count
    held: Counts = NOTHING

    @property
    def pieces(self) -> int:
        """Return the places where this seat has pieces."""
        return self.settlers | self.villages

    def with_piece(self, place: Place, piece: str) -> "Side":
        """Return the side with one more of its pieces on the board."""
        if piece == "village":
            villages = self.villages | place.bit
            return replace(self, villages=villages, villages_left=self.villages_left - 1)
        settlers = self.settlers | place.bit
        return replace(self, settlers=settlers, settlers_left=self.settlers_left - 1)


class State(Struct, frozen=True):
    """A position. Nothing is hidden: the second deal of items is drawn only when it happens."""

    map: str
    """A name or JSON, for board_of."""
    phase: Phase
    sides: tuple[Side, ...]
    items: tuple[Places, Places, Places, Places, Places]
    """Where each of board.ITEMS lies."""
    last: Seat
    """The seat that placed last; before the first placement, the one before the starting seat."""
    spot: str
    """Where that was, '' if nobody has placed in this phase."""
    scores: tuple[tuple[Row, ...], ...]
    """For each phase scored, a row for each seat."""
    skipped: tuple[Seat, ...]
    """Seats that are known to be stuck for the rest of this phase."""
    reason: str
    """Why the match ended, '' before that."""
    agenda: tuple[AnyStep, ...]

    @property
    def board(self) -> Board:
        """Return the board of this match."""
        return board_of(self.map)

    @property
    def taken(self) -> int:
        """Return the spaces with a player's piece. An item alone leaves a space unoccupied."""
        taken = 0
        for side in self.sides:
            taken |= side.pieces
        return taken

    def placements(self, seat: Seat) -> tuple[int, int]:
        """Return where the seat may place a settler or boat, and where a village."""
        board, side = self.board, self.sides[seat]
        free = board.all & ~self.taken
        beside_own = board.near(side.pieces) & free
        if self.phase == EXPLORATION:
            # A boat may go anywhere at sea; on land every piece goes beside one of the seat's own.
            # Villages are never placed at sea.
            villages = beside_own & board.land
            settlers = villages | (free & board.sea)
        else:
            # At sea too a piece must go beside one of the seat's own, and no villages are placed.
            villages = 0
            settlers = beside_own
        return (settlers if side.settlers_left else 0), (villages if side.villages_left else 0)

    def following_seats(self) -> list[Seat]:
        """Return all seats clockwise from the one after the last, which comes at the end."""
        seats = len(self.sides)
        return [Seat((self.last + step) % seats) for step in range(1, seats + 1)]

    def next_to_place(self) -> Seat | None:
        """Return the first seat after the last one that can place a piece; None if nobody can."""
        return next((seat for seat in self.following_seats() if any(self.placements(seat))), None)

    def item_at(self, place: Place) -> int | None:
        """Return the item on a space."""
        return next((item for item, places in enumerate(self.items) if places & place.bit), None)

    def with_piece(self, seat: Seat, place: Place, piece: str) -> "State":
        """Return the position after a placement; the seat takes an item that was there."""
        placed, items = self.sides[seat].with_piece(place, piece), list(self.items)
        item = self.item_at(place)
        if item is not None:
            held = list(placed.held)
            held[item] += 1
            placed = replace(placed, held=tuple(held))
            items[item] &= ~place.bit
        sides = (*self.sides[:seat], placed, *self.sides[seat + 1 :])
        return replace(self, sides=sides, items=tuple(items), last=seat, spot=place.code)

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """Return the position with other steps to come."""
        return replace(self, agenda=agenda)

    def prepare_settlement(self) -> "State":
        """Return the position prepared for settlement.

        Only villages off the stone circles stay; settlers and items go back.
        """
        settlers, circles = self.board.settlers_per_seat(len(self.sides)), self.board.circles
        sides = tuple(Side(0, side.villages & ~circles, settlers, 0) for side in self.sides)
        return replace(self, phase=SETTLEMENT, sides=sides, items=NOTHING, spot="", skipped=())
