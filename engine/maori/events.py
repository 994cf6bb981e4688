"""The events of Maori, all of them public.

Saved matches hold them: a class or field is never renamed, and a new field needs a default. Spots
are printed codes, and a tile is saved as its face, so that its number in tiles.json may change.
"""

from typing import ClassVar

from msgspec.structs import asdict

from engine.core.decision import Seat
from engine.core.event import Event, Line
from engine.maori.tiles import BY_FACE


class Opened(Event, frozen=True):
    """The matrix is laid out; this seat places the discoverer, and the next one goes first."""

    seat: Seat
    first: Seat


class DiscovererPlaced(Event, frozen=True):
    """The discoverer was placed at the edge of the matrix."""

    seat: Seat
    spot: str


class DiscovererMoved(Event, frozen=True):
    """The discoverer sailed clockwise; shells were paid for steps beyond the seat's ships."""

    seat: Seat
    start: str
    to: str
    steps: int
    paid: int


class TileTaken(Event, frozen=True):
    """A tile of the matrix was taken; `over` are the tiles skipped, one shell each."""

    seat: Seat
    cell: str
    tile: str
    over: tuple[str, ...]
    paid: int

    def lines(self) -> tuple[Line, ...]:
        """Return the line with what the tile shows."""
        return _line_with_tile(self, self.tile)


class ShipSailed(Event, frozen=True):
    """The small ship sailed before a tile was placed, one shell per step."""

    seat: Seat
    start: str
    to: str
    paid: int


class TilePlaced(Event, frozen=True):
    """A tile was placed on the seat's board; `shells` were taken from the supply for it."""

    seat: Seat
    spot: str
    tile: str
    shells: int
    stored: bool = False
    """It came out of the storage."""
    aboard: bool = False
    """The small ship goes on it at once."""
    missed: int = 0
    """Shells that the tile shows and the supply did not have."""

    def lines(self) -> tuple[Line, ...]:
        """Return the line with what a stored tile shows.

        A tile of the matrix was described when it was taken.
        """
        if self.stored:
            return _line_with_tile(self, self.tile)
        return (("TilePlaced", {**asdict(self), "tile": ""}),)


class TileStored(Event, frozen=True):
    """The tile in hand was stored."""

    seat: Seat
    tile: str


class TileRemoved(Event, frozen=True):
    """A tile left a board and the game."""

    seat: Seat
    spot: str
    tile: str

    def lines(self) -> tuple[Line, ...]:
        """Return the line with what the tile shows."""
        return _line_with_tile(self, self.tile)


class Rested(Event, frozen=True):
    """A seat only moved the discoverer."""

    seat: Seat

    @property
    def is_pass(self) -> bool:
        """Return True: resting is always a pass."""
        return True


class ShipMoved(Event, frozen=True):
    """The small ship was put on another tile for free."""

    seat: Seat
    start: str
    to: str


class TileTurnedUp(Event, frozen=True):
    """A new tile was added to the matrix."""

    cell: str
    tile: str

    def lines(self) -> tuple[Line, ...]:
        """Return the line with what the tile shows."""
        return _line_with_tile(self, self.tile)


class SupplyEmptied(Event, frozen=True):
    """The last tile was turned up: tiles taken from now on leave gaps."""


class LastTurnsBegun(Event, frozen=True):
    """A board is full: every other seat has one more turn."""

    seat: Seat
    others: tuple[Seat, ...]

    def lines(self) -> tuple[Line, ...]:
        """Return the line with how many others there are."""
        return (("LastTurnsBegun", {**asdict(self), "number": len(self.others)}),)


class IslandsRemoved(Event, frozen=True):
    """Incomplete islands were removed from a board before scoring."""

    seat: Seat
    spots: tuple[str, ...]

    def lines(self) -> tuple[Line, ...]:
        """Return the line with how many spaces are empty because of it."""
        return (("IslandsRemoved", {**asdict(self), "number": len(self.spots)}),)


class Scored(Event, frozen=True):
    """A seat's points, by kind."""

    shows_scores: ClassVar[bool] = True

    seat: Seat
    palms: int
    huts: int
    leis: int
    ships: int
    shells: int
    empty: int
    total: int


def _line_with_tile(event: Event, face: str) -> tuple[Line, ...]:
    """Return an event's line with the shape of its tile and the symbols on it."""
    facts = {**asdict(event), **dict(BY_FACE[face].facts)}
    return ((type(event).__name__, facts),)


AnyEvent = (
    Opened
    | DiscovererPlaced
    | DiscovererMoved
    | TileTaken
    | ShipSailed
    | TilePlaced
    | TileStored
    | TileRemoved
    | Rested
    | ShipMoved
    | TileTurnedUp
    | SupplyEmptied
    | LastTurnsBegun
    | IslandsRemoved
    | Scored
)
