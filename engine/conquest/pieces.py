"""The parts of a position: pieces, tiles, groups, nations, and what is under way in a step."""

from typing import Final, Literal

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
        return Kinds(
            self.w + other.w, self.t + other.t, self.r + other.r, self.c + other.c, self.b + other.b
        )

    def minus(self, other: "Kinds") -> "Kinds":
        """What is left without the other."""
        return Kinds(
            self.w - other.w, self.t - other.t, self.r - other.r, self.c - other.c, self.b - other.b
        )


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
    """An Island Group Tile on the map, with the seats whose Discovered Island Markers lie on it.

    Which way it faces is not kept: it only shows who occupies it, and the pieces show that too.
    """

    spot: str
    key: str
    up: bool = False
    seen: tuple[Seat, ...] = ()


class Group(Struct, frozen=True, array_like=True):
    """What stands on an Island Group.

    In which box never matters: there is room for green + improved Villages.
    """

    spot: str
    owner: int = NOBODY
    """Who Controls it, by having a Village there."""
    villages: int = 0
    improved: int = 0
    """Improved Agriculture on brown boxes, with or without a Village on it."""
    taken: bool = False
    """It was conquered: if it is printed a piece must stay, and it never is Independent again."""


class HandCard(Struct, frozen=True, array_like=True):
    """A card of a seat, face up or down; `used` if it works once and has."""

    key: str
    up: bool = False
    used: bool = False


class Nation(Struct, frozen=True, omit_defaults=True):
    """A seat's own things. `points` are halves, as the Victory Point Track shows them."""

    people: str = ""
    """'tonga', 'samoa', 'hiva' or 'raiatea', kept even if the Home moves."""
    home: str = ""
    """The hex of the Home Island Group, where the capital Village stands; '' without one."""
    explorer: str = "home"
    """'home' in front of its player, 'sea' on a voyage, or 'lost' in the Lost Box."""
    hand: tuple[HandCard, ...] = ()
    points: int = 0
    saved: bool = False
    """Saved Resources: a Build Point waits for a later turn."""
    kumara: bool = False
    galapagos: bool = False
    losses: str = "thrift"
    """The standing order for casualties in Battle."""
    orders: str = "askme"
    """The standing order for Battle cards."""
    course: Literal["askme", "far", "near", "lot"] = "askme"
    """The standing order for others' Explorers that are Off Course."""
    first: Literal["askme", "me", "me-cw", "me-ccw"] = "askme"
    """The standing order for the Turn Order Marker."""
    sure: Literal["each", "launch", "never"] = "launch"
    """Which choices of a voyage wait for a confirm: all, the first, or none."""
    finds: Literal["askme", "hide", "show"] = "askme"
    """The standing order for tiles that its Explorer finds or looks at."""
    victory: Literal["askme", "declare"] = "askme"
    """The standing order for the Victory Step."""
    rests: bool = False
    """It has said that it will move nothing this turn."""
    ashore: bool = False
    """All its pieces are the Warrior Bands of the set-up, as everybody knows: nothing can move."""
    out: bool = False

    def shows(self, key: str) -> bool:
        """Whether that card lies face up."""
        return any(card.key == key and card.up for card in self.hand)

    def holds(self, key: str) -> bool:
        """Whether the seat has that card, face up or down."""
        return any(card.key == key for card in self.hand)

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
    """An Explorer at sea. `keep` is the hex of a tile to hide or show."""

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
    """Where it set out, and where Tapu sends it back to."""
    left: int
    """Moves left."""
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
    afloat: bool = False
    """A piece has sailed or a canoe was opened: Transit is over."""
    escorts: tuple[tuple[str, str], ...] = ()
    """Steps from hex to hex that War Canoes made: what waits on the way may go with them."""
    spent: tuple[tuple[str, Kinds], ...] = ()
    """Pieces set down or walked: they move no more."""
    opened: tuple[str, ...] = ()
    """Hexes where a canoe was turned face up that belongs to a fleet."""
    answered: tuple[tuple[str, bool], ...] = ()
    """Hexes asked about, and whether a War Canoe is there."""
    due: tuple[str, ...] = ()
    """Battles to be fought."""


class Side(Struct, frozen=True, array_like=True):
    """A side of a Battle: front row w b l, panicked pw pb pl, back row t c and Bands bt aboard
    Transport Canoes.
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
        """Battle Pieces that can still fight."""
        return self.w + self.b + self.l

    @property
    def survivors(self) -> Kinds:
        """All that is left; Local Warriors are always removed after a Battle, and Rumors were
        returned before it.
        """
        return Kinds(self.w + self.pw, self.t, 0, self.c, self.b + self.pb + self.bt)


class Roll(Struct, frozen=True, array_like=True):
    """A die of a Battle: which side it hit (0 attacker, 1 defender), how and what, and the card
    that bent it.
    """

    die: int
    hit: int
    result: str = ""
    kind: str = ""
    card: str = ""


class Aftermath(Struct, frozen=True, omit_defaults=True):
    """What the sides of a Battle settle when it is won.

    '' stands for what is not yet said, or not asked.
    """

    winner: int
    """The side: attacker or defender."""
    save: str = ""
    """What the attacker gives up for Villages: 'none', '1b1w'."""
    open: str = ""
    leave: tuple[str, str] = ("", "")
    """What each side's canoes carry, where Bands and Colonies want the same: '1b0c'."""
    retreat: str = ""
    home: str = ""
    """Where the loser goes, and the Home named instead of a lost one."""


class Battle(Struct, frozen=True, omit_defaults=True):
    """A Battle; `sides` are attacker and defender, the defender NOBODY for an Independent group."""

    spot: str
    attacker: Seat
    defender: int
    sides: tuple[Side, Side] = (Side(), Side())
    shown: bool = False
    """Both sides have shown their pieces, which are now in `sides` and in no stack or fleet."""
    villages: int = 0
    """Villages fought for; those of an Independent group are placed for the Battle alone."""
    open: bool = False
    """The defender's stack had a canoe face up."""
    modes: tuple[str, str] = ("", "")
    """How each side uses cards; '' while it is to say."""
    used: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Cards that each side has used: each works once a Battle."""
    replies: tuple[str, str] = ("", "")
    """Answers to the roll just made."""
    rolls: tuple[Roll, ...] = ()
    aftermath: Aftermath | None = None

    def seat(self, side: int) -> int:
        """Who holds a side."""
        return self.defender if side else self.attacker


class Line(Struct, frozen=True, array_like=True):
    """An item of a build list, and where ('' where it needs no place; for a card the pool that
    pays).
    """

    item: str
    spot: str = ""


class Build(Struct, frozen=True, omit_defaults=True):
    """A seat's secret list. `asked` says which question comes next."""

    lines: tuple[Line, ...] = ()
    asked: str = ""
    """'' for the next item, else the item whose place is asked, 'drop', 'wait' or 'again'."""
    waits: tuple[str, ...] = ()
    """Hexes where no Colony becomes a Village."""
    settled: tuple[str, ...] = ()
    again: str = ""
    """A hex where Breadfruit settles a second Village."""
    ready: bool = False
    ground: tuple[str, ...] = ()
    """What everybody saw of the seat when it built ahead: should it change, the list is opened
    again.
    """


class Declared(Struct, frozen=True, omit_defaults=True):
    """The Victory Step: who declares, then what each seat answers; '' for a seat that still may."""

    votes: tuple[str, ...]
    """'declare' or 'pass'."""
    answers: tuple[str, ...] = ()
    target: str = ""
    """Whose Village a Deforestation takes."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who has declared, once all have said."""
        return tuple(Seat(seat) for seat, vote in enumerate(self.votes) if vote == "declare")


class Rules(Struct, frozen=True, omit_defaults=True):
    """What the table chose."""

    goal: int
    last_turn: int
    variable_start: bool = False
    saved: bool = False
    malaria: bool = False
    south_island: bool = False
    kumara: bool = False
