"""Events of Conquest outside voyages and Battles, and the union of all events.

Saved matches hold them: a class or field is never renamed, and a new field needs a default.
"""

from typing import Any, ClassVar

from engine.conquest.battle_events import BattleEvent
from engine.conquest.event_base import (
    HexesEvent,
    HexEvent,
    PrivateEvent,
    RedactedEvent,
    SeatEvent,
    hex_list_facts,
    piece_lines,
)
from engine.conquest.pieces import NOBODY, Kinds, Line
from engine.conquest.sea_events import SeaEvent
from engine.core.decision import Seat
from engine.core.event import Event
from engine.core.event import Line as Wording


class HomesSettled(Event, frozen=True):
    """Every seat has its people, by seat."""

    people: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return one line per seat."""
        return tuple(
            ("HomesSettled", {"seat": seat, "people": one}) for seat, one in enumerate(self.people)
        )


class HomePicked(Event, frozen=True):
    """A seat chose its people."""

    seat: Seat
    people: str


class StartPlaced(RedactedEvent, frozen=True):
    """A seat placed its start pieces; others learn only their number."""

    count: int
    pieces: Kinds | None = None

    def lines(self) -> tuple[Wording, ...]:
        """Return the pieces, or only their number."""
        facts: dict[str, Any] = {"seat": self.seat, "count": self.count}
        return piece_lines(self.key, facts, self.pieces)


class TurnBegun(Event, frozen=True):
    """A new turn began, and a seat took the Turn Order Marker."""

    turn: int
    seat: Seat


class MalariaStruck(Event, frozen=True):
    """The malaria die named a group, and its owner lost a Village (NOBODY: nobody did)."""

    die: int
    spot: str
    owner: int
    villages: int

    def lines(self) -> tuple[Wording, ...]:
        """Return whether a Village was lost."""
        key = "MalariaStruck" if self.owner != NOBODY else "MalariaStruck_none"
        facts = {"die": self.die, "spot": self.spot, "owner": self.owner, "villages": self.villages}
        return ((key, facts),)


class OrderChosen(Event, frozen=True):
    """The holder of the marker chose who goes first, and the direction of play."""

    seat: Seat
    first: Seat
    order: tuple[Seat, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return who goes first and, with more than two seats, who follows in which order."""
        key = "OrderChosen_self" if self.first == self.seat else "OrderChosen_other"
        rest = self.order[1:] if len(self.order) > 2 else ()
        return ((key, {"seat": self.seat, "first": self.first, "rest": rest}),)


class RumorDropped(HexEvent, frozen=True):
    """A Rumor was taken off the map by its owner."""


class Listed(PrivateEvent, frozen=True):
    """A seat added an item to its build list."""

    item: str
    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return the item and its hexes; several copies in one hex are counted."""
        spots = tuple(dict.fromkeys(self.spots))
        number = len(self.spots) if len(self.spots) > len(spots) else 0
        return (("Listed", {"item": self.item, "number": number, "spots": spots}),)


class Dropped(PrivateEvent, frozen=True):
    """A seat removed an item from its build list."""

    item: str
    spot: str


class SettlingListed(PrivateEvent, frozen=True):
    """A seat's Colonies will become Villages, by its list."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return one line that lists the hexes and counts them."""
        return (("SettlingListed", hex_list_facts(self.seat, self.spots)),)


class HoldingListed(PrivateEvent, frozen=True):
    """A seat's Colonies will stay Colonies, by its list."""

    spots: tuple[str, ...]

    def lines(self) -> tuple[Wording, ...]:
        """Return one line that lists the hexes and counts them."""
        return (("HoldingListed", hex_list_facts(self.seat, self.spots)),)


class SeatReady(Event, frozen=True):
    """A seat gave its secret answer, or reopened it."""

    seat: Seat
    ready: bool

    def lines(self) -> tuple[Wording, ...]:
        """Return whether the answer is in or open again."""
        key = "SeatReady" if self.ready else "SeatReady_reopened"
        return ((key, {"seat": self.seat}),)


class Built(RedactedEvent, frozen=True):
    """A seat's build list was placed.

    Others see how many pieces came where, and open canoes, Villages and Improved Agriculture.
    """

    pieces: tuple[tuple[str, int], ...]
    """Hexes with their numbers of new face-down pieces."""
    opened: tuple[str, ...]
    villages: tuple[str, ...]
    improved: tuple[str, ...]
    items: tuple[Line, ...] = ()
    """The list itself, for its seat only."""

    @property
    def is_pass(self) -> bool:
        """Return whether nothing visible was built."""
        return not (self.pieces or self.opened or self.villages or self.improved)

    def lines(self) -> tuple[Wording, ...]:
        """Return a line for each hex with new pieces, and one for each kind of visible item."""
        lines: list[Wording] = []
        for spot, number in self.pieces:
            lines.append(("Built", {"seat": self.seat, "spot": spot, "count": number}))
        if self.opened:
            lines.append(("Built_opened", hex_list_facts(self.seat, self.opened)))
        if self.villages:
            lines.append(("Built_villages", hex_list_facts(self.seat, self.villages)))
        if self.improved:
            lines.append(("Built_improved", hex_list_facts(self.seat, self.improved)))
        if not lines:
            lines.append(("Built_nothing", {"seat": self.seat}))
        return tuple(lines)


class ColoniesSettled(HexesEvent, frozen=True):
    """Colonies became Villages."""


class TurnedInward(SeatEvent, frozen=True):
    """A seat put its Explorer into the Lost Box for an extra Build Point."""


class PointSaved(SeatEvent, frozen=True):
    """A seat saved a Build Point for a later turn."""


class CardDrawn(RedactedEvent, frozen=True):
    """A seat drew a card; others learn only that it did."""

    card: str = ""

    def lines(self) -> tuple[Wording, ...]:
        """Return the card's name, or only that one was drawn."""
        return ((self.key, {"seat": self.seat, "card": self.card}),)


class CardMissed(SeatEvent, frozen=True):
    """A seat paid for a card when none was left."""


class CardRevealed(Event, frozen=True):
    """A card was turned face up."""

    seat: Seat
    card: str


class VillageFelled(Event, frozen=True):
    """Deforestation: a Village of another seat was removed."""

    seat: Seat
    owner: Seat
    spot: str


class PointsCounted(Event, frozen=True):
    """Everybody's points were counted on the track."""

    shows_on_board: ClassVar[bool] = True

    points: tuple[float, ...]


class VictoryDeclared(Event, frozen=True):
    """A seat declared Victory."""

    seat: Seat
    points: float


class CardsRevealed(Event, frozen=True):
    """Several cards were turned face up together."""

    seat: Seat
    cards: tuple[str, ...]


class Recounted(Event, frozen=True):
    """Points were counted again."""

    shows_on_board: ClassVar[bool] = True

    points: tuple[float, ...]


class GoesOn(SeatEvent, frozen=True):
    """Nobody has enough points, so the match goes on."""


class SeatOut(SeatEvent, frozen=True):
    """A seat without a Village, Colony or canoe was eliminated."""


class HomeLost(HexEvent, frozen=True):
    """A seat lost its Home."""


class HomeNamed(HexEvent, frozen=True):
    """A seat named its new Home."""


class OrdersSet(PrivateEvent, frozen=True):
    """A seat set a standing order."""

    sort: str
    """'losses', 'cards', 'course', 'first', 'voyage', 'finds', 'declares', or 'pace' for all at
    once.
    """
    order: str

    def lines(self) -> tuple[Wording, ...]:
        """Return the order, which has a word of its own."""
        return ((f"OrdersSet_{self.sort}", {"order": f"{self.sort}-{self.order}"}),)


class Ended(Event, frozen=True):
    """The match ended with these final points."""

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
"""Every event of the game; msgspec decodes stored events by this union."""
