"""The events of Polynesia. All of them are public."""

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from engine.core.decision import Seat
from engine.core.event import Event, Line
from engine.polynesia.scoring import Row


class Last(Struct, frozen=True):
    """The last action, as the picture marks it; in a draft, the one being drafted."""

    seat: Seat
    action: str
    """'explore', 'travel', 'populate', 'fish', 'shell' or 'decline'."""
    path: tuple[str, ...] = ()
    """Passages travelled, 'start-goal', in order."""
    routes: tuple[str, ...] = ()
    """Routes explored."""
    islands: tuple[str, ...] = ()
    """Islands that members were added to."""


class Fished(Event, frozen=True):
    """A seat took resources of one type from the reserve."""

    seat: Seat
    resource: str
    count: int


class RouteExplored(Event, frozen=True):
    """A ship was put on a route; `to` are owners who got 2 each, none for a new route."""

    seat: Seat
    route: str
    resource: str
    paid: int
    to: tuple[Seat, ...] = ()
    is_new: bool = True
    is_free: bool = False

    def lines(self) -> tuple[Line, ...]:
        """Return the line for a new or existing route, paid or free."""
        free = "free_" if self.is_free else ""
        sort = "new" if self.is_new else "existing"
        owners = len(self.to)
        facts = {**asdict(self), "each": self.paid // (owners or 1), "several": owners > 1}
        return ((f"RouteExplored_{free}{sort}", facts),)


class PointsTaken(Event, frozen=True):
    """A seat took Point tokens through a Tide card."""

    seat: Seat
    count: int
    card: str
    missed: int = 0
    """The tokens that the card would have given too if the reserve had lasted."""


class Populated(Event, frozen=True):
    """Members were added from the player board; `paid` for the extra one of card 3.3."""

    seat: Seat
    island: str
    count: int
    paid: int = 0
    resource: str = ""


class MemberMoved(Event, frozen=True):
    """A member travelled a route; the `owner` of a foreign one was paid and sent a guide."""

    seat: Seat
    start: str
    goal: str
    owner: Seat | None = None
    resource: str = ""
    has_mask: bool = False


class MaskSpent(Event, frozen=True):
    """A mask was discarded for a passage (card 2.2). The line about the passage tells it."""

    seat: Seat


class TokenTaken(Event, frozen=True):
    """The first to arrive took an island token."""

    seat: Seat
    island: str
    face: str

    def lines(self) -> tuple[Line, ...]:
        """Return the line for this token."""
        return (("TokenTaken", {**asdict(self), "face": f"token_{self.face}"}),)


class MaskUsed(Event, frozen=True):
    """A mask was used on arrival: 'take' or 'lose' (card 2.1), 'join' or 'nothing' (2.3)."""

    seat: Seat
    island: str
    how: str
    resource: str = ""
    lost: tuple[int, ...] = ()

    def lines(self) -> tuple[Line, ...]:
        """Return the line for what the mask did."""
        return ((f"MaskUsed_{self.how}", asdict(self)),)


class StoneDrawn(Event, frozen=True):
    """A lava stone was drawn; `red` of `all` red ones are out."""

    colour: str
    red: int
    all: int

    def lines(self) -> tuple[Line, ...]:
        """Return the line for what the colour means."""
        facts = {**asdict(self), "last": self.red == self.all - 1}
        return ((f"StoneDrawn_{self.colour}", facts),)


class Declined(Event, frozen=True):
    """The starting seat chose a resource, and everyone returned all of it."""

    seat: Seat
    resource: str
    lost: tuple[int, ...]


class Gathered(Event, frozen=True):
    """Islands and tokens gave resources of one type, per seat."""

    resource: str
    counts: tuple[int, ...]


class StartPassed(Event, frozen=True):
    """A round begins with this seat."""

    shows_on_board: ClassVar[bool] = True

    seat: Seat
    round: int


class Erupted(Event, frozen=True):
    """The sixth red stone was drawn: these islands are gone; members returned, per seat."""

    islands: tuple[str, ...]
    returned: tuple[int, ...]


class Scored(Event, frozen=True):
    """The final points, one row per seat."""

    shows_scores: ClassVar[bool] = True

    tides: tuple[str, str, str]
    rows: tuple[Row, ...]

    def lines(self) -> tuple[Line, ...]:
        """Return a line for each kind of points, and the total; cards without points say
        nothing.
        """
        cards = {f"tide{number}": card for number, card in enumerate(self.tides, 1)}
        lines: list[Line] = []
        for kind in Row.__struct_fields__:
            points = tuple(getattr(row, kind) for row in self.rows)
            if kind in cards and not any(points):
                continue
            key = "Scored_tide" if kind in cards else f"Scored_{kind}"
            lines.append((key, {"points": points, "card": cards.get(kind, "")}))
        return (*lines, ("Scored", {"points": tuple(row.total for row in self.rows)}))


class TokensLaid(Event, frozen=True):
    """The island tokens were laid and turned up; those with a red cross are gone."""

    shows_on_board: ClassVar[bool] = True

    tokens: tuple[tuple[str, str], ...]


class TidesDrawn(Event, frozen=True):
    """The three Tide cards of the match."""

    tides: tuple[str, str, str]

    def lines(self) -> tuple[Line, ...]:
        """Return a line per card that says in short what it does."""
        return tuple(("TidesDrawn", {"card": card, "does": f"tide_{card}"}) for card in self.tides)


AnyEvent = (
    Fished
    | RouteExplored
    | PointsTaken
    | Populated
    | MemberMoved
    | MaskSpent
    | TokenTaken
    | MaskUsed
    | StoneDrawn
    | Declined
    | Gathered
    | StartPassed
    | Erupted
    | Scored
    | TokensLaid
    | TidesDrawn
)
