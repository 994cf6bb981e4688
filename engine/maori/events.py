"""What a match of Maori tells. All of it is public. Places are printed codes, tiles are faces: word keys."""

from typing import ClassVar

from msgspec.structs import asdict

from engine.core.decision import Seat
from engine.core.event import Event, Line


class Opened(Event, frozen=True):
    """The matrix lies there, and this seat places the discoverer; the seat to its left has the first turn."""

    seat: Seat
    first: Seat


class DiscovererPlaced(Event, frozen=True):
    """The discoverer ship stands at the edge of the matrix."""

    seat: Seat
    spot: str


class DiscovererMoved(Event, frozen=True):
    """The discoverer sailed on, clockwise; shells paid for the steps beyond the seat's ships."""

    seat: Seat
    start: str
    to: str
    steps: int
    paid: int


class TileTaken(Event, frozen=True):
    """A tile of the matrix is in hand; `over` are the tiles skipped, a shell each."""

    seat: Seat
    cell: str
    tile: str
    over: tuple[str, ...]
    paid: int

    def lines(self) -> tuple[Line, ...]:
        """Which tiles were skipped, if any."""
        return (("TileTakenOver" if self.over else "TileTaken", asdict(self)),)


class ShipSailed(Event, frozen=True):
    """The small ship sailed before a tile was placed, a shell a step."""

    seat: Seat
    start: str
    to: str
    paid: int


class TilePlaced(Event, frozen=True):
    """A tile lies on the seat's board; `shells` are those taken from the supply for it."""

    seat: Seat
    spot: str
    tile: str
    shells: int
    stored: bool = False
    """It came out of the storage."""
    aboard: bool = False
    """The small ship goes on it at once."""

    def lines(self) -> tuple[Line, ...]:
        """What it gave; a tile of the matrix was named when it was taken, one of the storage is named here."""
        gain = f"gain-{self.shells}" if self.shells else ""
        facts = {**asdict(self), "gain": gain, "aboard": "aboard" if self.aboard else ""}
        return (("StoredTilePlaced" if self.stored else "TilePlaced", facts),)


class TileStored(Event, frozen=True):
    """The tile in hand went into the storage."""

    seat: Seat
    tile: str


class TileRemoved(Event, frozen=True):
    """A tile left a board and the game."""

    seat: Seat
    spot: str
    tile: str


class Rested(Event, frozen=True):
    """A seat did nothing but move the discoverer."""

    seat: Seat


class ShipMoved(Event, frozen=True):
    """The small ship was put on another tile, free of charge."""

    seat: Seat
    start: str
    to: str


class TileTurnedUp(Event, frozen=True):
    """A new tile lies in the matrix."""

    cell: str
    tile: str


class SupplyEmptied(Event, frozen=True):
    """The last tile was turned up: what is taken now leaves a gap."""


class LastTurnsBegun(Event, frozen=True):
    """A board is full: every other seat has one turn more."""

    seat: Seat
    others: tuple[Seat, ...]

    def lines(self) -> tuple[Line, ...]:
        """One other seat, or several."""
        return (("LastTurnsBegun" if len(self.others) > 1 else "LastTurnBegun", asdict(self)),)


class IslandsRemoved(Event, frozen=True):
    """Incomplete islands were taken off a board before the scoring."""

    seat: Seat
    spots: tuple[str, ...]


class Scored(Event, frozen=True):
    """A seat's points, kind by kind."""

    shows_scores: ClassVar[bool] = True

    seat: Seat
    palms: int
    huts: int
    leis: int
    ships: int
    shells: int
    empty: int
    total: int


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
