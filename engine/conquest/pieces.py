"""The parts of a position: pieces, tiles, groups, nations, and whatever a step has under way.

All of these are saved: a field is never renamed, and a new field has a default. Structs with
`array_like` are saved by position, so fields are only added at their end.
"""

from typing import Final, Literal

from msgspec import Struct

from engine.core.decision import Seat

NOBODY: Final = -1
"""Stands in for a seat where there is none."""


class Kinds(Struct, frozen=True, array_like=True):
    """How many pieces of each kind there are.

    The letters are the kinds' keys everywhere: in options, in typed turns and in saved matches.
    """

    w: int = 0
    """War Canoes."""
    t: int = 0
    """Transport Canoes."""
    r: int = 0
    """Rumors."""
    c: int = 0
    """Colonies."""
    b: int = 0
    """Warrior Bands."""

    @property
    def total(self) -> int:
        """Return the number of all pieces."""
        return self.w + self.t + self.r + self.c + self.b

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the number of each kind, in field order."""
        return self.w, self.t, self.r, self.c, self.b

    @property
    def canoes(self) -> int:
        """Return the number of pieces that can carry others."""
        return self.w + self.t

    @property
    def is_afloat(self) -> bool:
        """Return whether every Warrior Band and Colony has a canoe, as it must at sea."""
        # "Transport Canoes can carry one Warrior Band OR one Colony [...] War Canoes can carry one
        # Warrior Band."
        return self.c <= self.t and self.b + self.c <= self.w + self.t

    def of(self, kind: str) -> int:
        """Return the number of one kind."""
        number: int = getattr(self, kind)
        return number

    def plus(self, other: "Kinds") -> "Kinds":
        """Return the sum of both."""
        return Kinds(
            self.w + other.w,
            self.t + other.t,
            self.r + other.r,
            self.c + other.c,
            self.b + other.b,
        )

    def minus(self, other: "Kinds") -> "Kinds":
        """Return what is left without the other."""
        return Kinds(
            self.w - other.w,
            self.t - other.t,
            self.r - other.r,
            self.c - other.c,
            self.b - other.b,
        )


NO_PIECES: Final = Kinds()


def pieces_of_kind(kind: str, number: int = 1) -> Kinds:
    """Return pieces of a single kind."""
    return Kinds(**{kind: number})


class Stack(Struct, frozen=True, array_like=True):
    """A seat's pieces in a hex; `open` if a Transport Canoe lies face up on top."""

    seat: Seat
    spot: str
    kinds: Kinds
    open: bool = False


class Tile(Struct, frozen=True, array_like=True):
    """An Island Group Tile on the map.

    Its orientation is not stored: it only shows who occupies the group, as the pieces do, too.
    """

    spot: str
    key: str
    up: bool = False
    """Face up."""
    seen: tuple[Seat, ...] = ()
    """Seats that have discovered it, while it is face down."""


class Group(Struct, frozen=True, array_like=True):
    """The Villages and Improved Agriculture on an Island Group.

    Which box they are in never matters: there is room for green + improved Villages.
    """

    spot: str
    owner: int = NOBODY
    """The seat that Controls it by having a Village there."""
    villages: int = 0
    improved: int = 0
    """Improved Agriculture on brown boxes, with or without a Village on it."""
    taken: bool = False
    """It was conquered: it is never Independent again, and if it is printed, a piece must stay."""


class HandCard(Struct, frozen=True, array_like=True):
    """A seat's card, face up or down; `used` if it works only once and has been played."""

    key: str
    up: bool = False
    used: bool = False


class Nation(Struct, frozen=True, omit_defaults=True):
    """Everything that belongs to one seat. `points` are halves, as on the Victory Point Track."""

    people: str = ""
    """'tonga', 'samoa', 'hiva' or 'raiatea'; it stays the same if the Home moves."""
    home: str = ""
    """The hex of the Home Island Group, where the capital Village stands; '' without one."""
    explorer: str = "home"
    """'home' in front of its player, 'sea' on a voyage, or 'lost' in the Lost Box."""
    hand: tuple[HandCard, ...] = ()
    points: int = 0
    saved: bool = False
    """Saved Resources: a Build Point is kept for a later turn."""
    kumara: bool = False
    galapagos: bool = False
    """It has the "+1 Galapagos Islands" Marker."""
    losses: str = "thrift"
    """The standing order for casualties in Battle."""
    orders: str = "askme"
    """The standing order for Battle cards."""
    course: Literal["askme", "far", "near", "lot"] = "askme"
    """The standing order for other seats' Explorers that are Off Course."""
    first: Literal["askme", "me", "me-cw", "me-ccw"] = "askme"
    """The standing order for the Turn Order Marker."""
    sure: Literal["each", "launch", "never"] = "launch"
    """Which choices of a voyage wait for a confirmation: each, the launch, or none."""
    finds: Literal["askme", "hide", "show"] = "askme"
    """The standing order for tiles that its Explorer discovers or examines."""
    victory: Literal["askme", "declare"] = "askme"
    """The standing order for the Victory Step."""
    rests: bool = False
    """It has declared that it will move nothing this turn."""
    ashore: bool = False
    """All its pieces are the Warrior Bands of the set-up, as everybody knows, so nothing can
    move.
    """
    out: bool = False
    """It was eliminated."""

    def shows(self, key: str) -> bool:
        """Return whether the card lies face up."""
        return any(card.key == key and card.up for card in self.hand)

    def holds(self, key: str) -> bool:
        """Return whether the seat has the card, face up or down."""
        return any(card.key == key for card in self.hand)

    def holds_unused(self, key: str) -> bool:
        """Return whether the seat has the card and has not used it up."""
        return any(card.key == key and not card.used for card in self.hand)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return the cards that are face down."""
        return tuple(card.key for card in self.hand if not card.up)


class Marker(Struct, frozen=True, array_like=True):
    """A marker with Knots showing: 'island', 'ocean', or 'crossed' for the 2-Knot Marker."""

    spot: str
    sort: str
    knots: int


class Voyage(Struct, frozen=True, omit_defaults=True):
    """An Explorer at sea."""

    seat: Seat
    at: str
    markers: tuple[Marker, ...] = ()
    kumara: bool = False
    """It searches for Kumara."""
    stuck: bool = False
    """It is Off Course with nowhere to go, and may draw again where it is."""
    keep: str = ""
    """The hex of a new discovery that its seat has yet to hide or show."""
    result: str = ""
    """'return' or 'lost' once the Knots or the Kumara Search Table decide it."""

    @property
    def knots(self) -> int:
        """Return the number of Knots showing."""
        return sum(marker.knots for marker in self.markers)


class Fleet(Struct, frozen=True, array_like=True):
    """Pieces under way; Warrior Bands board War Canoes first."""

    number: int
    at: str
    origin: str
    """The hex where it set out, to which Tapu sends it back."""
    left: int
    """Moves left."""
    kinds: Kinds


class Leg(Struct, frozen=True, array_like=True):
    """A way that pieces sailed or transited, from the first hex to the last."""

    seat: Seat
    way: tuple[str, ...]
    count: int
    transit: bool = False


class Movement(Struct, frozen=True, omit_defaults=True):
    """A seat's Movement & Battle Step under way."""

    seat: Seat
    fleets: tuple[Fleet, ...] = ()
    made: int = 0
    """Number of fleets formed so far, for numbering the next one."""
    afloat: bool = False
    """A piece has sailed or a canoe was turned face up, so Transit is over."""
    escorts: tuple[tuple[str, str], ...] = ()
    """Steps from hex to hex that War Canoes made; pieces waiting on the way may go with them."""
    spent: tuple[tuple[str, Kinds], ...] = ()
    """Pieces that were set down or have walked, by hex; they cannot move again."""
    opened: tuple[str, ...] = ()
    """Hexes where a canoe of a fleet was turned face up."""
    answered: tuple[tuple[str, bool], ...] = ()
    """Hexes that were asked about, and whether a War Canoe is there."""
    due: tuple[str, ...] = ()
    """Hexes of Battles that have yet to be fought."""


class Side(Struct, frozen=True, array_like=True):
    """A side of a Battle: front row, panicked pieces, and back row.

    Front row: War Canoes, Warrior Bands, Local Warriors (`w`, `b`, `l`); panicked: `pw`, `pb`,
    `pl`. Back row: Transport Canoes, Colonies, and Bands aboard Transport Canoes (`t`, `c`,
    `bt`).
    """

    w: int = 0
    b: int = 0
    l: int = 0  # noqa: E741 - the letter of the Local Warrior everywhere
    pw: int = 0
    pb: int = 0
    pl: int = 0
    t: int = 0
    c: int = 0
    bt: int = 0

    @property
    def front(self) -> int:
        """Return the number of Battle Pieces that can still fight."""
        return self.w + self.b + self.l

    @property
    def survivors(self) -> Kinds:
        """Return the pieces that are left.

        Local Warriors are always removed after a Battle, and Rumors were returned before
        it.
        """
        war_canoes = self.w + self.pw
        bands = self.b + self.pb + self.bt
        return Kinds(w=war_canoes, t=self.t, c=self.c, b=bands)


class Roll(Struct, frozen=True, array_like=True):
    """A die of a Battle, and what it did."""

    die: int
    hit: int
    """The side that was hit: 0 attacker, 1 defender."""
    result: str = ""
    """'panic', 'removed' or 'ignored'; '' until it is settled."""
    kind: str = ""
    """The kind of piece that was hit."""
    card: str = ""
    """The card that changed it."""


class Aftermath(Struct, frozen=True, omit_defaults=True):
    """The decisions of both sides when a Battle is won; '' for one not made yet, or not asked."""

    winner: int
    """The side that won: 0 attacker, 1 defender."""
    save: str = ""
    """The pieces that the attacker gives up for Villages: 'none', '1b1w'."""
    open: str = ""
    """Whether the winner places a Transport Canoe face up: 'open' or 'hidden'."""
    leave: tuple[str, str] = ("", "")
    """The cargo that each side's canoes carry, where Bands and Colonies compete: '1b0c'."""
    retreat: str = ""
    """The hex that the loser retreats to."""
    home: str = ""
    """The hex that the loser names as new Home."""


class Battle(Struct, frozen=True, omit_defaults=True):
    """A Battle; `sides` are attacker and defender, who is NOBODY for an Independent group."""

    spot: str
    attacker: Seat
    defender: int
    sides: tuple[Side, Side] = (Side(), Side())
    shown: bool = False
    """Both sides have shown their pieces, which are now in `sides` and in no stack or fleet."""
    villages: int = 0
    """Villages fought for; those of an Independent group exist only during the Battle."""
    open: bool = False
    """The defender's stack had a face-up canoe."""
    modes: tuple[str, str] = ("", "")
    """How each side uses cards; '' until it has said so."""
    used: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Cards that each side has used, each once per Battle."""
    replies: tuple[str, str] = ("", "")
    """Answers to the roll just made."""
    rolls: tuple[Roll, ...] = ()
    aftermath: Aftermath | None = None

    def seat(self, side: int) -> int:
        """Return the seat on a side."""
        return self.defender if side else self.attacker


class Line(Struct, frozen=True, array_like=True):
    """An item of a build list, and its hex: '' if it needs none; for a card, the pool that pays."""

    item: str
    spot: str = ""


class Build(Struct, frozen=True, omit_defaults=True):
    """A seat's secret build list."""

    lines: tuple[Line, ...] = ()
    asked: str = ""
    """The next question: '' for the next item, else the item whose hex is asked, 'drop', 'wait'
    or 'again'.
    """
    waits: tuple[str, ...] = ()
    """Hexes where no Colony becomes a Village."""
    settled: tuple[str, ...] = ()
    """Hexes where a Colony becomes a Village."""
    again: str = ""
    """The hex where Breadfruit settles a second Village."""
    ready: bool = False
    """The list is sealed."""
    ground: tuple[str, ...] = ()
    """The seat's public holdings when it built ahead; if they change, the list is reopened."""


class Declared(Struct, frozen=True, omit_defaults=True):
    """The Victory Step: who declares, and how each seat answers; '' for a seat yet to answer."""

    votes: tuple[str, ...]
    """'declare' or 'pass', by seat."""
    answers: tuple[str, ...] = ()
    """'forest' (Deforestation) or 'pass', by seat; empty before the declarations are heard."""
    target: str = ""
    """The hex of the Village that a Deforestation removes."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that have declared Victory."""
        return tuple(Seat(seat) for seat, vote in enumerate(self.votes) if vote == "declare")


class Rules(Struct, frozen=True, omit_defaults=True):
    """The settings that the table chose."""

    goal: int
    last_turn: int
    variable_start: bool = False
    saved: bool = False
    malaria: bool = False
    south_island: bool = False
    kumara: bool = False
