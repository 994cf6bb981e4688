"""What a viewer sees of Blue Lagoon: everything, for nothing in it is hidden."""

from typing import Any

from msgspec import Struct

from engine.core.decision import Seat
from engine.core.game import View


class Row(Struct, frozen=True):
    """A seat's points of one phase, kind by kind, as on the score pad."""

    islands: int
    links: int
    majorities: int
    resources: int
    set: int
    statuettes: int

    @property
    def total(self) -> int:
        """The points of the phase."""
        return self.islands + self.links + self.majorities + self.resources + self.set + self.statuettes


class Standing(Struct, frozen=True):
    """A piece on the board: 'boat', 'settler' or 'village'."""

    spot: str
    seat: Seat
    piece: str


class SideView(Struct, frozen=True):
    """What lies before a seat: pieces left and items held, in the order of board.ITEMS."""

    settlers_left: int
    villages_left: int
    held: tuple[int, ...]


class BlueLagoonView(View, frozen=True, kw_only=True):
    """The open table, with `scores` as if the phase ended now. `map` is read with board.board_of."""

    map: str
    phase: str
    """'exploration', 'settlement' or 'over'."""
    move: int
    """How many pieces were placed in this phase."""
    pieces: tuple[Standing, ...]
    items: tuple[tuple[str, str], ...]
    """Spot and item for everything that still lies on the board, in reading order."""
    sides: tuple[SideView, ...]
    last: str
    """The spot of the last placement, '' if there was none."""
    rows: tuple[tuple[Row, ...], ...]
    """For each phase scored, a row a seat."""

    def note(self, spot: str) -> str:
        """The item that lies on the spot."""
        return next((item for place, item in self.items if place == spot), "")

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Resources left and the score if the phase ended now."""
        return ()
