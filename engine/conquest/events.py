"""What a match of Conquest of Paradise tells outside its Battles; what others may not know is blanked for them."""

from typing import Any, ClassVar

from engine.conquest.battle_events import (
    BattleEvent,
    CanoesOpened,
    KumaraTaken,
    described,
)
from engine.conquest.pieces import NOBODY, Kinds, Line
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording

__all__ = ["AnyEvent", "BattleEvent", "CanoesOpened", "KumaraTaken"]


class Private(Event, frozen=True):
    """A fact for one seat alone; others learn nothing."""

    seat: Seat

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Its own seat."""
        return (self.seat,)


class HomesSettled(Event, frozen=True):
    """Who plays which people, by seat."""

    people: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """A line a seat."""
        return tuple(("HomesSettled", {"seat": seat, "people": one}) for seat, one in enumerate(self.people))


class HomePicked(Event, frozen=True):
    """A seat chose its people."""

    seat: Seat
    people: str


class StartPlaced(Event, frozen=True):
    """The pieces a seat begins with; others learn their number."""

    seat: Seat
    count: int
    pieces: Kinds | None = None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once the kinds are left out."""
        return (self.seat,) if self.pieces else None

    def redacted(self) -> Event | None:
        """Only how many."""
        return StartPlaced(self.seat, self.count)

    def lines(self) -> tuple[Wording, ...]:
        """With or without the kinds."""
        facts: dict[str, Any] = {"seat": self.seat, "count": self.count}
        return _told("StartPlaced", facts, self.pieces)


class TurnBegun(Event, frozen=True):
    """A new turn, and who has the Turn Order Marker."""

    turn: int
    seat: Seat


class MalariaStruck(Event, frozen=True):
    """The malaria die, the group it names, and whose Village went (NOBODY: none did)."""

    die: int
    spot: str
    owner: int
    villages: int

    def lines(self) -> tuple[Wording, ...]:
        """Whether a Village went."""
        key = "MalariaStruck" if self.owner != NOBODY else "MalariaStruck_none"
        return ((key, {"die": self.die, "spot": self.spot, "owner": self.owner, "villages": self.villages}),)


class OrderChosen(Event, frozen=True):
    """Who goes first, and which way round."""

    seat: Seat
    first: Seat
    order: tuple[Seat, ...]


class ExplorerRecovered(Event, frozen=True):
    """An Explorer comes back from the Lost Box; that is all for this Step."""

    seat: Seat


class ExplorationPassed(Event, frozen=True):
    """A seat does not explore."""

    seat: Seat


class ExplorerLaunched(Event, frozen=True):
    """An Explorer sets out, with the first hex it enters."""

    seat: Seat
    spot: str
    kumara: bool = False

    def lines(self) -> tuple[Wording, ...]:
        """For new land or for Kumara."""
        return (
            ("ExplorerLaunched_kumara" if self.kumara else "ExplorerLaunched", {"seat": self.seat, "spot": self.spot}),
        )


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


class _TileEvent(Event, frozen=True):
    """A tile that its seat may know, and others only where it lies."""

    seat: Seat
    spot: str
    tile: str = ""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once the name is left out."""
        return (self.seat,) if self.tile else None

    def redacted(self) -> Event | None:
        """Without the name."""
        return type(self)(self.seat, self.spot)

    def lines(self) -> tuple[Wording, ...]:
        """With the name or without."""
        facts = {"seat": self.seat, "spot": self.spot, "tile": self.tile}
        return ((type(self).__name__ + ("" if self.tile else "_unseen"), facts),)


class TileFound(_TileEvent, frozen=True):
    """An Island Group Tile drawn by its discoverer."""


class TileSeen(_TileEvent, frozen=True):
    """A face-down tile looked at."""


class TileHidden(_TileEvent, frozen=True):
    """A tile left face down under a Discovered Island Marker."""


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
    """Te Waka Maui is put down, '' if it is out of the game; `buried` if a face-down tile went for it."""

    spot: str
    buried: bool = False

    def lines(self) -> tuple[Wording, ...]:
        """Placed, placed on a tile, or out."""
        key = "SouthIslandPlaced_out" if not self.spot else "SouthIslandPlaced"
        return ((key, {"spot": self.spot, "buried": "buried" if self.buried else ""}),)


class ExplorerReturned(Event, frozen=True):
    """An Explorer is home, with so many Knots."""

    seat: Seat
    total: int


class ExplorerLost(Event, frozen=True):
    """An Explorer goes to the Lost Box."""

    seat: Seat
    total: int


class SeasCharted(Event, frozen=True):
    """Open Ocean discovered by a voyage stays on the map."""

    seat: Seat
    spots: tuple[str, ...]


class KumaraRolled(Event, frozen=True):
    """A roll on the Kumara Search Table: 'lost', 'return', 'offcourse' or 'explore'."""

    seat: Seat
    die: int
    modifier: int
    result: str


class KumaraSailed(Event, frozen=True):
    """An Explorer goes on towards South America."""

    seat: Seat
    spot: str


class GalapagosFound(Event, frozen=True):
    """A desolate group that helps on the way."""

    seat: Seat
    spot: str


class _MoveEvent(Event, frozen=True):
    """Pieces moved: their kinds for the mover, their number for others."""

    seat: Seat
    way: tuple[str, ...]
    count: int
    left_open: bool = False
    """A canoe that lay open went with them, and none is left open there."""
    pieces: Kinds | None = None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once the kinds are left out."""
        return (self.seat,) if self.pieces else None

    def redacted(self) -> Event | None:
        """Without the kinds."""
        return type(self)(self.seat, self.way, self.count, self.left_open)

    def lines(self) -> tuple[Wording, ...]:
        """From where to where, and what."""
        facts: dict[str, Any] = {"seat": self.seat, "count": self.count, "source": self.way[0], "target": self.way[-1]}
        return _told(type(self).__name__, facts, self.pieces)


class Transited(_MoveEvent, frozen=True):
    """Pieces moved along a chain."""


class Sailed(_MoveEvent, frozen=True):
    """Pieces moved by canoe."""


class HexAnswered(Event, frozen=True):
    """Whether a War Canoe is among the pieces a fleet sails through."""

    seat: Seat
    owner: Seat
    spot: str
    yes: bool

    def lines(self) -> tuple[Wording, ...]:
        """Yes or no."""
        facts = {"seat": self.seat, "owner": self.owner, "spot": self.spot}
        return (("HexAnswered_yes" if self.yes else "HexAnswered_no", facts),)


class RumorDropped(Event, frozen=True):
    """A Rumor taken off the map by its owner."""

    seat: Seat
    spot: str


class Listed(Private, frozen=True):
    """An item put on a seat's own build list."""

    item: str
    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """With its places, if it has any."""
        key = "Listed" if self.spots else "Listed_nowhere"
        return ((key, {"item": self.item, "spots": self.spots}),)


class Dropped(Private, frozen=True):
    """An item taken off a seat's own build list."""

    item: str
    spot: str

    def lines(self) -> tuple[Wording, ...]:
        """What is gone."""
        return (("Dropped", {"item": self.item, "spots": (self.spot,) if self.spot else ()}),)


class SettlingListed(Private, frozen=True):
    """Colonies that are to become Villages, on a seat's own list."""

    spots: tuple[str, ...]


class SeatReady(Event, frozen=True):
    """A seat's secret answer is in, or taken back."""

    seat: Seat
    ready: bool

    def lines(self) -> tuple[Wording, ...]:
        """In, or open again."""
        return (("SeatReady" if self.ready else "SeatReady_reopened", {"seat": self.seat}),)


class Built(Event, frozen=True):
    """What a seat built. Others see how many pieces came where, open canoes, Villages and Agriculture."""

    seat: Seat
    pieces: tuple[tuple[str, int], ...]
    """Hex and number of face-down pieces."""
    opened: tuple[str, ...]
    villages: tuple[str, ...]
    improved: tuple[str, ...]
    items: tuple[Line, ...] = ()
    """The list itself, for its seat."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once the list is left out."""
        return (self.seat,) if self.items else None

    def redacted(self) -> Event | None:
        """What lies on the map."""
        return Built(self.seat, self.pieces, self.opened, self.villages, self.improved)

    def lines(self) -> tuple[Wording, ...]:
        """A line for the pieces, and one for each sort of thing that is open to all."""
        told: list[Wording] = [("Built", {"seat": self.seat, "spot": s, "count": n}) for s, n in self.pieces]
        open_things = (("opened", self.opened), ("villages", self.villages), ("improved", self.improved))
        told += [(f"Built_{name}", {"seat": self.seat, "spots": spots}) for name, spots in open_things if spots]
        return tuple(told) or (("Built_nothing", {"seat": self.seat}),)


class ColoniesSettled(Event, frozen=True):
    """Colonies became Villages."""

    seat: Seat
    spots: tuple[str, ...]


class TurnedInward(Event, frozen=True):
    """A seat's Explorer waits in the Lost Box for a Build Point more."""

    seat: Seat


class PointSaved(Event, frozen=True):
    """A Build Point kept for a later turn."""

    seat: Seat


class CardDrawn(Event, frozen=True):
    """A card for its owner; others learn that one was drawn."""

    seat: Seat
    card: str = ""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """Everyone once the card is left out."""
        return (self.seat,) if self.card else None

    def redacted(self) -> Event | None:
        """That one was drawn."""
        return CardDrawn(self.seat)

    def lines(self) -> tuple[Wording, ...]:
        """Named or not."""
        return (("CardDrawn" if self.card else "CardDrawn_unseen", {"seat": self.seat, "card": self.card}),)


class CardMissed(Event, frozen=True):
    """A card was paid for, and none was left."""

    seat: Seat


class CardRevealed(Event, frozen=True):
    """A card turned face up."""

    seat: Seat
    card: str


class VillageFelled(Event, frozen=True):
    """Deforestation: a Village of another is gone."""

    seat: Seat
    owner: Seat
    spot: str


class PointsCounted(Event, frozen=True):
    """Everybody's points on the track."""

    points: tuple[float, ...]


class VictoryDeclared(Event, frozen=True):
    """A seat declares Victory."""

    seat: Seat
    points: float


class CardsRevealed(Event, frozen=True):
    """Cards turned face up together."""

    seat: Seat
    cards: tuple[str, ...]


class Recounted(Event, frozen=True):
    """Points counted anew."""

    points: tuple[float, ...]


class GoesOn(Event, frozen=True):
    """Nobody has enough points: the match goes on."""

    seat: Seat


class SeatOut(Event, frozen=True):
    """A seat without Village, Colony and canoe is out."""

    seat: Seat


class HomeNamed(Event, frozen=True):
    """A seat's new Home."""

    seat: Seat
    spot: str


class OrdersSet(Private, frozen=True):
    """A standing order, known to its seat alone: 'losses' or 'cards'."""

    sort: str
    order: str

    def lines(self) -> tuple[Wording, ...]:
        """The order in words."""
        return ((f"OrdersSet_{self.sort}", {"order": f"{self.sort}-{self.order}"}),)


class Ended(Event, frozen=True):
    """The match is over: final points."""

    shows_scores: ClassVar[bool] = True

    points: tuple[float, ...]


def _told(key: str, facts: dict[str, Any], pieces: Kinds | None) -> tuple[Wording, ...]:
    if pieces is None:
        return ((f"{key}_unseen", facts),)
    return ((key, {**facts, "pieces": described(pieces)}),)


AnyEvent = (
    HomesSettled
    | HomePicked
    | StartPlaced
    | TurnBegun
    | MalariaStruck
    | OrderChosen
    | ExplorerRecovered
    | ExplorationPassed
    | ExplorerLaunched
    | HexCrossed
    | MarkerDrawn
    | OffCourseSet
    | OffCourseStuck
    | TileFound
    | TileSeen
    | TileHidden
    | TileRevealed
    | SouthIslandPlaced
    | ExplorerReturned
    | ExplorerLost
    | SeasCharted
    | KumaraRolled
    | KumaraSailed
    | GalapagosFound
    | Transited
    | Sailed
    | HexAnswered
    | RumorDropped
    | Listed
    | Dropped
    | SettlingListed
    | SeatReady
    | Built
    | ColoniesSettled
    | TurnedInward
    | PointSaved
    | CardDrawn
    | CardMissed
    | CardRevealed
    | VillageFelled
    | PointsCounted
    | VictoryDeclared
    | CardsRevealed
    | Recounted
    | GoesOn
    | SeatOut
    | HomeNamed
    | OrdersSet
    | Ended
    | BattleEvent
)
