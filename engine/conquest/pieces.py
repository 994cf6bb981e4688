"""The parts of a position: pieces, tiles, groups, nations, and what is under way in a step."""

from typing import Final

from msgspec import Struct

from engine.core.decision import Seat

NOBODY: Final = -1
"""Stands for a seat where there is none."""


class Kinds(Struct, frozen=True, array_like=True):
    """Numbers of War Canoes, Transport Canoes, Rumors, Colonies and Warrior Bands."""

    w: int = 0
    t: int = 0
    r: int = 0
    c: int = 0
    b: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.w + self.t + self.r + self.c + self.b

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many of each kind, in their order."""
        return self.w, self.t, self.r, self.c, self.b

    @property
    def canoes(self) -> int:
        """What can carry."""
        return self.w + self.t

    @property
    def is_afloat(self) -> bool:
        """Whether every Warrior Band and Colony has a canoe: so it must be at sea."""
        return self.c <= self.t and self.b + self.c <= self.w + self.t

    def of(self, kind: str) -> int:
        """How many of a kind."""
        number: int = getattr(self, kind)
        return number

    def plus(self, other: "Kinds") -> "Kinds":
        """Both together."""
        return Kinds(self.w + other.w, self.t + other.t, self.r + other.r, self.c + other.c, self.b + other.b)

    def minus(self, other: "Kinds") -> "Kinds":
        """What is left without the other."""
        return Kinds(self.w - other.w, self.t - other.t, self.r - other.r, self.c - other.c, self.b - other.b)


NONE: Final = Kinds()


def one(kind: str, number: int = 1) -> Kinds:
    """Pieces of a single kind."""
    return Kinds(**{kind: number})


class Stack(Struct, frozen=True, array_like=True):
    """A seat's pieces in a hex; `open` if a Transport Canoe lies face up on top."""

    seat: Seat
    spot: str
    kinds: Kinds
    open: bool = False


class Tile(Struct, frozen=True, array_like=True):
    """An Island Group Tile on the map, with the seats whose Discovered Island Markers lie on it."""

    spot: str
    key: str
    up: bool = False
    seen: tuple[Seat, ...] = ()


class Group(Struct, frozen=True, array_like=True):
    """What stands on an Island Group; `taken` once it was conquered."""

    spot: str
    owner: int = NOBODY
    villages: int = 0
    improved: int = 0
    taken: bool = False


class HandCard(Struct, frozen=True, array_like=True):
    """A card of a seat, face up or down; `used` if it works once and has."""

    key: str
    up: bool = False
    used: bool = False


class Nation(Struct, frozen=True, omit_defaults=True):
    """A seat's own things. `points` are halves, as the Victory Point Track shows them."""

    people: str = ""
    home: str = ""
    explorer: str = "home"
    hand: tuple[HandCard, ...] = ()
    points: int = 0
    saved: bool = False
    kumara: bool = False
    galapagos: bool = False
    losses: str = "thrift"
    orders: str = "askme"
    out: bool = False

    def shows(self, key: str) -> bool:
        """Whether that card lies face up."""
        return any(card.key == key and card.up for card in self.hand)

    def holds_unused(self, key: str) -> bool:
        """Whether a card that works once still can, face up or down."""
        return any(card.key == key and not card.used for card in self.hand)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Cards face down."""
        return tuple(card.key for card in self.hand if not card.up)


class Marker(Struct, frozen=True, array_like=True):
    """A marker with Knots showing: 'island', 'ocean' or 'crossed'."""

    spot: str
    sort: str
    knots: int


class Voyage(Struct, frozen=True, omit_defaults=True):
    """An Explorer at sea. `keep` is the hex of the tile that is to be hidden or shown."""

    seat: Seat
    at: str
    markers: tuple[Marker, ...] = ()
    kumara: bool = False
    stuck: bool = False
    """Off Course with nowhere to go: it may draw again where it is."""
    keep: str = ""
    result: str = ""
    """'return' or 'lost' once the Knots or the Kumara table say so."""

    @property
    def knots(self) -> int:
        """Knots showing."""
        return sum(marker.knots for marker in self.markers)


class Fleet(Struct, frozen=True, array_like=True):
    """Pieces under way; Warrior Bands board War Canoes first."""

    number: int
    at: str
    origin: str
    left: int
    kinds: Kinds


class Leg(Struct, frozen=True, array_like=True):
    """A way sailed or transited, from the first hex to the last."""

    seat: Seat
    way: tuple[str, ...]
    count: int
    transit: bool = False


class Movement(Struct, frozen=True, omit_defaults=True):
    """A seat's Movement & Battle Step under way."""

    seat: Seat
    fleets: tuple[Fleet, ...] = ()
    made: int = 0
    """Fleets made so far."""
    spent: tuple[tuple[str, Kinds], ...] = ()
    """Pieces set down or walked: they move no more."""
    opened: tuple[str, ...] = ()
    """Hexes where a canoe was turned face up that belongs to a fleet."""
    answered: tuple[tuple[str, bool], ...] = ()
    """Hexes asked about, and whether a War Canoe is there."""
    due: tuple[str, ...] = ()
    """Battles to be fought."""


class Side(Struct, frozen=True, array_like=True):
    """A side of a Battle: front row w b l, panicked pw pb pl, back row t c and Bands bt aboard Transport Canoes."""

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
        """Battle Pieces that can still fight."""
        return self.w + self.b + self.l

    @property
    def survivors(self) -> Kinds:
        """All that is left, Local Warriors aside."""
        return Kinds(self.w + self.pw, self.t, 0, self.c, self.b + self.pb + self.bt)


class Roll(Struct, frozen=True, array_like=True):
    """A die of a Battle: which side it hit (0 attacker, 1 defender), how and what, and the card that bent it."""

    die: int
    hit: int
    result: str = ""
    kind: str = ""
    card: str = ""


class Aftermath(Struct, frozen=True, omit_defaults=True):
    """What the sides of a Battle settle when it is won. '' stands for what is not yet said, or not asked."""

    winner: int
    save: str = ""
    open: str = ""
    leave: tuple[str, str] = ("", "")
    retreat: str = ""
    home: str = ""


class Battle(Struct, frozen=True, omit_defaults=True):
    """A Battle; `sides` are attacker and defender, the defender NOBODY for an Independent group."""

    spot: str
    attacker: Seat
    defender: int
    sides: tuple[Side, Side] = (Side(), Side())
    shown: bool = False
    villages: int = 0
    open: bool = False
    """The defender's stack had a canoe face up."""
    modes: tuple[str, str] = ("", "")
    """How each side uses cards; '' while it is to say."""
    used: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    replies: tuple[str, str] = ("", "")
    """Answers to the roll just made."""
    rolls: tuple[Roll, ...] = ()
    aftermath: Aftermath | None = None

    def seat(self, side: int) -> int:
        """Who holds a side."""
        return self.defender if side else self.attacker


class Line(Struct, frozen=True, array_like=True):
    """An item of a build list, and where ('' where it needs no place; for a card the pool that pays)."""

    item: str
    spot: str = ""


class Build(Struct, frozen=True, omit_defaults=True):
    """A seat's secret list. `asked` says which question comes next."""

    lines: tuple[Line, ...] = ()
    asked: str = ""
    """'' for the next item, else the item whose place is asked, 'drop', 'settle' or 'again'."""
    settled: tuple[str, ...] = ()
    again: str = ""
    """A hex where Breadfruit settles a second Village."""
    ready: bool = False


class Declared(Struct, frozen=True, omit_defaults=True):
    """A declared Victory: what each seat answers, '' if it still may."""

    seat: Seat
    answers: tuple[str, ...]
    target: str = ""
    """Whose Village a Deforestation takes."""


class Rules(Struct, frozen=True, omit_defaults=True):
    """What the table chose."""

    goal: int
    last_turn: int
    variable_start: bool = False
    saved: bool = False
    malaria: bool = False
    south_island: bool = False
    kumara: bool = False
