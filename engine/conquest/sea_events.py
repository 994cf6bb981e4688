"""Events of Explorers and canoes, in the Exploration Step and in Movement.

Saved matches hold them: a class or field is never renamed, and a new field needs a default.
"""

from typing import Any, ClassVar

from engine.conquest.event_base import HexesEvent, HexEvent, RedactedEvent, SeatEvent, piece_lines
from engine.conquest.pieces import NOBODY, Kinds
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording


class ExplorerRecovered(SeatEvent, frozen=True):
    """An Explorer came back from the Lost Box, and does not explore this turn."""


class ExplorationPassed(SeatEvent, frozen=True):
    """A seat did not explore."""

    @property
    def is_pass(self) -> bool:
        """Return True: nothing happened."""
        return True


class ExplorerLaunched(Event, frozen=True):
    """An Explorer set out; `spot` is the first hex it enters."""

    seat: Seat
    spot: str
    kumara: bool = False

    def lines(self) -> tuple[Wording, ...]:
        """Return whether it explores or searches for Kumara."""
        key = "ExplorerLaunched_kumara" if self.kumara else "ExplorerLaunched"
        return ((key, {"seat": self.seat, "spot": self.spot}),)


class HexCrossed(Event, frozen=True):
    """An Explorer crossed a hex without discovering it, for 2 Knots."""

    seat: Seat
    spot: str
    total: int


class MarkerDrawn(Event, frozen=True):
    """A Discovery Marker was drawn: 'island', 'ocean' or 'offcourse', and its Knots."""

    seat: Seat
    spot: str
    sort: str
    knots: int
    total: int
    """All Knots of the voyage so far."""

    def lines(self) -> tuple[Wording, ...]:
        """Return the line for this kind of marker, with the voyage's total if that is news."""
        # After the first marker, the total equals its Knots; 0 leaves it out of the text.
        total = self.total if self.total != self.knots else 0
        facts = {"seat": self.seat, "spot": self.spot, "knots": self.knots, "sum": total}
        return ((f"MarkerDrawn_{self.sort}", facts),)


class OffCourseSet(Event, frozen=True):
    """An Explorer was moved Off Course to a hex, by a seat."""

    seat: Seat
    by: Seat
    spot: str


class OffCourseStuck(Event, frozen=True):
    """An Explorer Off Course had nowhere to go and stayed, for 2 Knots."""

    seat: Seat
    spot: str
    total: int


class _TileEvent(RedactedEvent, frozen=True):
    """An event about a tile that its seat knows; others learn only its hex."""

    spot: str
    tile: str = ""

    def lines(self) -> tuple[Wording, ...]:
        """Return the tile's name, or only its hex."""
        return ((self.key, {"seat": self.seat, "spot": self.spot, "tile": self.tile}),)


class TileFound(_TileEvent, frozen=True):
    """A seat's Explorer discovered an Island Group and drew its tile."""


class TileSeen(_TileEvent, frozen=True):
    """A seat's Explorer examined a face-down tile."""


class TileHidden(_TileEvent, frozen=True):
    """A tile was left face down under a Discovered Island Marker."""


class MarkersOut(SeatEvent, frozen=True):
    """The number of a seat's Discovered Island Markers on the map changed; everybody can see it."""

    shows_on_board: ClassVar[bool] = True

    out: int


class TileRevealed(Event, frozen=True):
    """A tile was turned face up; `seat` is NOBODY if every seat had discovered it."""

    seat: int
    spot: str
    tile: str

    def lines(self) -> tuple[Wording, ...]:
        """Return who turned it up, or that every seat had discovered it."""
        key = "TileRevealed" if self.seat != NOBODY else "TileRevealed_all"
        return ((key, {"seat": self.seat, "spot": self.spot, "tile": self.tile}),)


class SouthIslandPlaced(Event, frozen=True):
    """Te Waka Maui was placed; `spot` is '' if it is out of the game."""

    spot: str
    buried: bool = False
    """It replaced a face-down tile."""

    def lines(self) -> tuple[Wording, ...]:
        """Return where it was placed, or that it is out of the game."""
        key = "SouthIslandPlaced_out" if not self.spot else "SouthIslandPlaced"
        return ((key, {"spot": self.spot, "buried": self.buried}),)


class ExplorerReturned(Event, frozen=True):
    """An Explorer Returned with these Knots; a search for Kumara has none."""

    seat: Seat
    total: int


class ExplorerLost(Event, frozen=True):
    """An Explorer was Lost with these Knots; a search for Kumara has none."""

    seat: Seat
    total: int


class SeasCharted(HexesEvent, frozen=True):
    """The Open Ocean that a voyage discovered stays on the map."""


class KumaraRolled(Event, frozen=True):
    """A roll on the Kumara Search Table: 'lost', 'return', 'offcourse' or 'explore'."""

    seat: Seat
    die: int
    modifier: int
    result: str


class KumaraSailed(HexEvent, frozen=True):
    """An Explorer sailed on in search of South America."""


class GalapagosFound(HexEvent, frozen=True):
    """An Explorer found the Galapagos or Unfortunate Islands, which help every later roll."""


class KumaraTaken(SeatEvent, frozen=True):
    """A seat got Kumara, worth two points."""


class _MoveEvent(RedactedEvent, frozen=True):
    """Pieces moved: the mover knows their kinds, others only their number."""

    way: tuple[str, ...]
    count: int
    left_open: bool = False
    """A face-up canoe went with them, and none is left face up in the hex."""
    pieces: Kinds | None = None

    def lines(self) -> tuple[Wording, ...]:
        """Return from where to where the pieces moved, and their kinds or number."""
        facts: dict[str, Any] = {
            "seat": self.seat,
            "count": self.count,
            "source": self.way[0],
            "target": self.way[-1],
            "left_open": self.left_open,
        }
        return piece_lines(self.key, facts, self.pieces)


class Transited(_MoveEvent, frozen=True):
    """Pieces moved along a Transport Canoe Chain."""


class Sailed(_MoveEvent, frozen=True):
    """Pieces moved by canoe."""


class StayedPut(Event, frozen=True):
    """A seat moved nothing."""

    seat: Seat

    @property
    def is_pass(self) -> bool:
        """Return True: nothing happened."""
        return True


class Resting(SeatEvent, frozen=True):
    """A seat said during Exploration that it will move nothing this turn."""

    @property
    def is_pass(self) -> bool:
        """Return True: nothing happened."""
        return True


class CanoesOpened(HexesEvent, frozen=True):
    """Transport Canoes were turned face up."""

    discloses: ClassVar[str] = "shown"


class HexAnswered(Event, frozen=True):
    """A fleet learned whether there is a War Canoe among the pieces it sails through."""

    discloses: ClassVar[str] = "learnt"

    seat: Seat
    owner: Seat
    spot: str
    yes: bool

    def lines(self) -> tuple[Wording, ...]:
        """Return the answer."""
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
"""Every event of Explorers and canoes."""
