"""What a match of Polynesia tells. All of it is public."""

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from engine.core.decision import Seat
from engine.core.event import Event, Line
from engine.polynesia.scoring import Row


class Last(Struct, frozen=True):
    """The last action as the picture marks it; in a draft the one being drafted."""

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
    """A ship was put on a route; `to` are the owners who got 2 each, none for a new route."""

    seat: Seat
    route: str
    resource: str
    paid: int
    to: tuple[Seat, ...] = ()
    is_new: bool = True
    is_free: bool = False

    def lines(self) -> tuple[Line, ...]:
        """A new route or an existing one, paid or free."""
        key = (
            f"RouteExplored_{'free_' if self.is_free else ''}{'new' if self.is_new else 'existing'}"
        )
        owners = len(self.to)
        return ((key, {**asdict(self), "each": self.paid // (owners or 1), "several": owners > 1}),)


class PointsTaken(Event, frozen=True):
    """A seat took Point tokens by a Tide card."""

    seat: Seat
    count: int
    card: str
    missed: int = 0
    """What the card would have given besides, had the reserve lasted."""


class Populated(Event, frozen=True):
    """Members came from the personal board; `paid` for the additional one of card 3.3."""

    seat: Seat
    island: str
    count: int
    paid: int = 0
    resource: str = ""


class MemberMoved(Event, frozen=True):
    """A member travelled over a route; `owner` of a foreign one was paid and sent a guide along."""

    seat: Seat
    start: str
    goal: str
    owner: Seat | None = None
    resource: str = ""
    has_mask: bool = False


class MaskSpent(Event, frozen=True):
    """A mask was discarded for a passage (card 2.2). Its words are in the line of the passage."""

    seat: Seat


class TokenTaken(Event, frozen=True):
    """An island token was taken by the first to arrive."""

    seat: Seat
    island: str
    face: str

    def lines(self) -> tuple[Line, ...]:
        """Which token it is."""
        return (("TokenTaken", {**asdict(self), "face": f"token_{self.face}"}),)


class MaskUsed(Event, frozen=True):
    """A mask was used up on arrival: 'take' or 'lose' (card 2.1), 'join' or 'nothing' (card
    2.3).
    """

    seat: Seat
    island: str
    how: str
    resource: str = ""
    lost: tuple[int, ...] = ()

    def lines(self) -> tuple[Line, ...]:
        """What it did."""
        return ((f"MaskUsed_{self.how}", asdict(self)),)


class StoneDrawn(Event, frozen=True):
    """A lava stone came out of the bag; `red` of `all` red ones are out."""

    colour: str
    red: int
    all: int

    def lines(self) -> tuple[Line, ...]:
        """What the colour means."""
        return ((f"StoneDrawn_{self.colour}", asdict(self)),)


class Declined(Event, frozen=True):
    """The starting seat chose a resource and everyone returned all of it."""

    seat: Seat
    resource: str
    lost: tuple[int, ...]


class Gathered(Event, frozen=True):
    """Resources of one type came from islands and tokens, by seat."""

    shows_on_board: ClassVar[bool] = True

    resource: str
    counts: tuple[int, ...]


class StartPassed(Event, frozen=True):
    """A round begins with this seat."""

    shows_on_board: ClassVar[bool] = True

    seat: Seat
    round: int


class Erupted(Event, frozen=True):
    """The sixth red stone: these islands are gone, and members returned, by seat."""

    islands: tuple[str, ...]
    returned: tuple[int, ...]


class Scored(Event, frozen=True):
    """The points of the end, a row a seat."""

    shows_scores: ClassVar[bool] = True

    tides: tuple[str, str, str]
    rows: tuple[Row, ...]

    def lines(self) -> tuple[Line, ...]:
        """A line for each kind of points with those of every seat, the total last; cards without
        points say nothing.
        """
        cards = {f"tide{number}": card for number, card in enumerate(self.tides, 1)}
        told: list[Line] = []
        for kind in Row.__struct_fields__:
            points = tuple(getattr(row, kind) for row in self.rows)
            if kind in cards and not any(points):
                continue
            key = "Scored_tide" if kind in cards else f"Scored_{kind}"
            told.append((key, {"points": points, "card": cards.get(kind, "")}))
        return (*told, ("Scored", {"points": tuple(row.total for row in self.rows)}))


class TokensLaid(Event, frozen=True):
    """The island tokens were laid and turned up: spot and face, those with a red cross being
    gone.
    """

    tokens: tuple[tuple[str, str], ...]


class TidesDrawn(Event, frozen=True):
    """The three Tide cards of the match."""

    tides: tuple[str, str, str]

    def lines(self) -> tuple[Line, ...]:
        """A line a card with what it does."""
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
