"""What Explorers and canoes tell, in Exploration and in Movement; what others may not know is
blanked for them.
"""

from typing import Any, ClassVar

from engine.conquest.event_base import AtSpot, AtSpots, OfSeat, Veiled, told_pieces
from engine.conquest.pieces import NOBODY, Kinds
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording


class ExplorerRecovered(OfSeat, frozen=True):
    """An Explorer comes back from the Lost Box; that is all for this Step."""


class ExplorationPassed(OfSeat, frozen=True):
    """A seat does not explore."""

    @property
    def is_pass(self) -> bool:
        """Always."""
        return True


class ExplorerLaunched(Event, frozen=True):
    """An Explorer sets out, with the first hex it enters."""

    seat: Seat
    spot: str
    kumara: bool = False

    def lines(self) -> tuple[Wording, ...]:
        """For new land or for Kumara."""
        key = "ExplorerLaunched_kumara" if self.kumara else "ExplorerLaunched"
        return ((key, {"seat": self.seat, "spot": self.spot}),)


class HexCrossed(Event, frozen=True):
    """An Explorer crosses a hex that is no discovery: 2 Knots."""

    seat: Seat
    spot: str
    total: int


class MarkerDrawn(Event, frozen=True):
    """A Discovery Marker: 'island', 'ocean' or 'offcourse', its Knots and all that show."""

    seat: Seat
    spot: str
    sort: str
    knots: int
    total: int

    def lines(self) -> tuple[Wording, ...]:
        """Each sort in its own words."""
        facts = {"seat": self.seat, "spot": self.spot, "knots": self.knots, "total": self.total}
        return ((f"MarkerDrawn_{self.sort}", facts),)


class OffCourseSet(Event, frozen=True):
    """Where an Explorer is driven, and by whom."""

    seat: Seat
    by: Seat
    spot: str


class OffCourseStuck(Event, frozen=True):
    """An Explorer driven Off Course that has nowhere to go: 2 Knots."""

    seat: Seat
    spot: str
    total: int


class _TileEvent(Veiled, frozen=True):
    """A tile that its seat may know, and others only where it lies."""

    spot: str
    tile: str = ""

    def lines(self) -> tuple[Wording, ...]:
        """With the name or without."""
        return ((self.key, {"seat": self.seat, "spot": self.spot, "tile": self.tile}),)


class TileFound(_TileEvent, frozen=True):
    """An Island Group Tile drawn by its discoverer."""


class TileSeen(_TileEvent, frozen=True):
    """A face-down tile looked at."""


class TileHidden(_TileEvent, frozen=True):
    """A tile left face down under a Discovered Island Marker."""


class MarkersOut(OfSeat, frozen=True):
    """How many of its Discovered Island Markers a seat has on the map, which all can see."""

    shows_on_board: ClassVar[bool] = True

    out: int


class TileRevealed(Event, frozen=True):
    """A tile turned face up; `seat` is NOBODY if all had seen it."""

    seat: int
    spot: str
    tile: str

    def lines(self) -> tuple[Wording, ...]:
        """By somebody, or by itself."""
        key = "TileRevealed" if self.seat != NOBODY else "TileRevealed_all"
        return ((key, {"seat": self.seat, "spot": self.spot, "tile": self.tile}),)


class SouthIslandPlaced(Event, frozen=True):
    """Te Waka Maui is put down, '' if it is out of the game; `buried` if a face-down tile went
    for it.
    """

    spot: str
    buried: bool = False

    def lines(self) -> tuple[Wording, ...]:
        """Placed, placed on a tile, or out."""
        key = "SouthIslandPlaced_out" if not self.spot else "SouthIslandPlaced"
        return ((key, {"spot": self.spot, "buried": self.buried}),)


class ExplorerReturned(Event, frozen=True):
    """An Explorer came home with these Knots; the search for Kumara has none."""

    seat: Seat
    total: int


class ExplorerLost(Event, frozen=True):
    """An Explorer went to the Lost Box with these Knots; the search for Kumara has none."""

    seat: Seat
    total: int


class SeasCharted(AtSpots, frozen=True):
    """Open Ocean discovered by a voyage stays on the map."""


class KumaraRolled(Event, frozen=True):
    """A roll on the Kumara Search Table: 'lost', 'return', 'offcourse' or 'explore'."""

    seat: Seat
    die: int
    modifier: int
    result: str


class KumaraSailed(AtSpot, frozen=True):
    """An Explorer goes on towards South America."""


class GalapagosFound(AtSpot, frozen=True):
    """A desolate group that helps on the way."""


class KumaraTaken(OfSeat, frozen=True):
    """A seat has Kumara: two points."""


class _MoveEvent(Veiled, frozen=True):
    """Pieces moved: their kinds for the mover, their number for others."""

    way: tuple[str, ...]
    count: int
    left_open: bool = False
    """A canoe that lay open went with them, and none is left open there."""
    pieces: Kinds | None = None

    def lines(self) -> tuple[Wording, ...]:
        """From where to where, and what."""
        facts: dict[str, Any] = {
            "seat": self.seat,
            "count": self.count,
            "source": self.way[0],
            "target": self.way[-1],
            "left_open": self.left_open,
        }
        return told_pieces(self.key, facts, self.pieces)


class Transited(_MoveEvent, frozen=True):
    """Pieces moved along a chain."""


class Sailed(_MoveEvent, frozen=True):
    """Pieces moved by canoe."""


class StayedPut(Event, frozen=True):
    """A seat moves nothing."""

    seat: Seat

    @property
    def is_pass(self) -> bool:
        """Always."""
        return True


class Resting(OfSeat, frozen=True):
    """A seat says in Exploration that it will move nothing this turn."""

    @property
    def is_pass(self) -> bool:
        """Always."""
        return True


class CanoesOpened(AtSpots, frozen=True):
    """Transport Canoes turned face up."""

    discloses: ClassVar[str] = "shown"


class HexAnswered(Event, frozen=True):
    """Whether a War Canoe is among the pieces a fleet sails through."""

    discloses: ClassVar[str] = "learnt"

    seat: Seat
    owner: Seat
    spot: str
    yes: bool

    def lines(self) -> tuple[Wording, ...]:
        """Yes or no."""
        key = "HexAnswered_yes" if self.yes else "HexAnswered_no"
        return ((key, {"seat": self.seat, "owner": self.owner, "spot": self.spot}),)


SeaEvent = (
    ExplorerRecovered
    | ExplorationPassed
    | ExplorerLaunched
    | HexCrossed
    | MarkerDrawn
    | OffCourseSet
    | OffCourseStuck
    | TileFound
    | TileSeen
    | TileHidden
    | MarkersOut
    | TileRevealed
    | SouthIslandPlaced
    | ExplorerReturned
    | ExplorerLost
    | SeasCharted
    | KumaraRolled
    | KumaraSailed
    | GalapagosFound
    | KumaraTaken
    | Transited
    | Sailed
    | CanoesOpened
    | StayedPut
    | Resting
    | HexAnswered
)
