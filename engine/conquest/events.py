"""What a match of Conquest of Paradise tells outside its voyages and Battles, and all events
together.

Stored matches keep these: a class or field is never renamed, and a new field has a default.
"""

from typing import Any, ClassVar

from engine.conquest.battle_events import BattleEvent
from engine.conquest.event_base import (
    AtSpot,
    AtSpots,
    OfSeat,
    Private,
    Veiled,
    counted,
    told_pieces,
)
from engine.conquest.pieces import NOBODY, Kinds, Line
from engine.conquest.sea_events import SeaEvent
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording


class HomesSettled(Event, frozen=True):
    """Who plays which people, by seat."""

    people: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """A line a seat."""
        return tuple(
            ("HomesSettled", {"seat": seat, "people": one}) for seat, one in enumerate(self.people)
        )


class HomePicked(Event, frozen=True):
    """A seat chose its people."""

    seat: Seat
    people: str


class StartPlaced(Veiled, frozen=True):
    """The pieces a seat begins with; others learn their number."""

    count: int
    pieces: Kinds | None = None

    def lines(self) -> tuple[Wording, ...]:
        """With or without the kinds."""
        facts: dict[str, Any] = {"seat": self.seat, "count": self.count}
        return told_pieces(self.key, facts, self.pieces)


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
        facts = {"die": self.die, "spot": self.spot, "owner": self.owner, "villages": self.villages}
        return ((key, facts),)


class OrderChosen(Event, frozen=True):
    """Who goes first, and which way round."""

    seat: Seat
    first: Seat
    order: tuple[Seat, ...]


class RumorDropped(AtSpot, frozen=True):
    """A Rumor taken off the map by its owner."""


class Listed(Private, frozen=True):
    """An item put on a seat's own build list."""

    item: str
    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Several of a kind at one place are counted."""
        spots = tuple(dict.fromkeys(self.spots))
        number = len(self.spots) if len(self.spots) > len(spots) else 0
        return (("Listed", {"item": self.item, "number": number, "spots": spots}),)


class Dropped(Private, frozen=True):
    """An item taken off a seat's own build list."""

    item: str
    spot: str


class SettlingListed(Private, frozen=True):
    """Colonies that are to become Villages, on a seat's own list."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """With their number."""
        return (("SettlingListed", counted(self.seat, self.spots)),)


class HoldingListed(Private, frozen=True):
    """Colonies that are to stay what they are, on a seat's own list."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """With their number."""
        return (("HoldingListed", counted(self.seat, self.spots)),)


class SeatReady(Event, frozen=True):
    """A seat's secret answer is in, or taken back."""

    seat: Seat
    ready: bool

    def lines(self) -> tuple[Wording, ...]:
        """In, or open again."""
        key = "SeatReady" if self.ready else "SeatReady_reopened"
        return ((key, {"seat": self.seat}),)


class Built(Veiled, frozen=True):
    """What a seat built.

    Others see how many pieces came where, open canoes, Villages and Agriculture.
    """

    pieces: tuple[tuple[str, int], ...]
    """Hex and number of face-down pieces."""
    opened: tuple[str, ...]
    villages: tuple[str, ...]
    improved: tuple[str, ...]
    items: tuple[Line, ...] = ()
    """The list itself, for its seat."""

    @property
    def is_pass(self) -> bool:
        """If nothing came of it that anybody sees."""
        return not (self.pieces or self.opened or self.villages or self.improved)

    def lines(self) -> tuple[Wording, ...]:
        """A line for the pieces, and one for each sort of thing that is open to all."""
        told: list[Wording] = []
        for spot, number in self.pieces:
            told.append(("Built", {"seat": self.seat, "spot": spot, "count": number}))
        if self.opened:
            told.append(("Built_opened", counted(self.seat, self.opened)))
        if self.villages:
            told.append(("Built_villages", counted(self.seat, self.villages)))
        if self.improved:
            told.append(("Built_improved", counted(self.seat, self.improved)))
        if not told:
            told.append(("Built_nothing", {"seat": self.seat}))
        return tuple(told)


class ColoniesSettled(AtSpots, frozen=True):
    """Colonies became Villages."""


class TurnedInward(OfSeat, frozen=True):
    """A seat's Explorer waits in the Lost Box for a Build Point more."""


class PointSaved(OfSeat, frozen=True):
    """A Build Point kept for a later turn."""


class CardDrawn(Veiled, frozen=True):
    """A card for its owner; others learn that one was drawn."""

    card: str = ""

    def lines(self) -> tuple[Wording, ...]:
        """Named or not."""
        return ((self.key, {"seat": self.seat, "card": self.card}),)


class CardMissed(OfSeat, frozen=True):
    """A card was paid for, and none was left."""


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

    shows_on_board: ClassVar[bool] = True

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

    shows_on_board: ClassVar[bool] = True

    points: tuple[float, ...]


class GoesOn(OfSeat, frozen=True):
    """Nobody has enough points: the match goes on."""


class SeatOut(OfSeat, frozen=True):
    """A seat without Village, Colony and canoe is out."""


class HomeLost(AtSpot, frozen=True):
    """A seat's Home is lost."""


class HomeNamed(AtSpot, frozen=True):
    """A seat's new Home."""


class OrdersSet(Private, frozen=True):
    """A standing order, known to its seat alone: 'losses', 'cards', 'course', 'first' or
    'voyage'.
    """

    sort: str
    order: str

    def lines(self) -> tuple[Wording, ...]:
        """The order in words."""
        return ((f"OrdersSet_{self.sort}", {"order": f"{self.sort}-{self.order}"}),)


class Ended(Event, frozen=True):
    """The match is over: final points."""

    shows_scores: ClassVar[bool] = True

    points: tuple[float, ...]


AnyEvent = (
    HomesSettled
    | HomePicked
    | StartPlaced
    | TurnBegun
    | MalariaStruck
    | OrderChosen
    | RumorDropped
    | Listed
    | Dropped
    | SettlingListed
    | HoldingListed
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
    | HomeLost
    | HomeNamed
    | OrdersSet
    | Ended
    | SeaEvent
    | BattleEvent
)
