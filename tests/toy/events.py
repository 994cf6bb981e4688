"""The events of Reef."""

from engine.core.decision import Seat
from engine.core.event import Event


class BidSealed(Event, frozen=True):
    """A seat has bid; nobody learns what."""

    seat: Seat


class BidsRevealed(Event, frozen=True):
    """All bids at once, and who dives."""

    bids: tuple[tuple[str, ...], ...]
    winner: Seat


class ReefChosen(Event, frozen=True):
    """The neighbour on the diver's left chose the reef."""

    seat: Seat
    reef: str


class TideRolled(Event, frozen=True):
    """How often the diver may dive."""

    dives: int


class HakaPlayed(Event, frozen=True):
    """The diver is scared, and may dive only once."""

    seat: Seat


class Dived(Event, frozen=True):
    """The diver brought up a shell."""

    seat: Seat
    spot: str


class Stowed(Event, frozen=True):
    """A shell was put into a basket."""

    seat: Seat
    basket: str


class CatchCounted(Event, frozen=True):
    """The diver's points were counted."""

    seat: Seat
    points: int


class StormRaised(Event, frozen=True):
    """A spot was closed for good."""

    seat: Seat
    spot: str


class NetThrown(Event, frozen=True):
    """A seat's left basket was covered or uncovered."""

    seat: Seat
    target: Seat


class CardDrawn(Event, frozen=True):
    """A seat drew a card; the others learn only that it did."""

    seat: Seat
    card: str

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,) if self.card else None

    def redacted(self) -> Event | None:
        return CardDrawn(self.seat, "")


class RoundEnded(Event, frozen=True):
    """A round is over."""

    round: int


AnyEvent = (
    BidSealed
    | BidsRevealed
    | ReefChosen
    | TideRolled
    | HakaPlayed
    | Dived
    | Stowed
    | CatchCounted
    | StormRaised
    | NetThrown
    | CardDrawn
    | RoundEnded
)
