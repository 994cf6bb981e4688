"""What one viewer may know of a position of Conquest of Paradise: all that pictures, texts and
menus are made from.

A number of pieces in a face-down stack is public, their kinds are the owner's. A face-down tile
shows whose markers lie on it, its name only to them. `view_of.view_of` fills these in.
"""

from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from engine.conquest.board import HEX_AT, HEXES, LABELS, PRINTED, TILES, printed_sort
from engine.conquest.pieces import NOBODY, Kinds
from engine.core.decision import Seat
from engine.core.event import Line
from engine.core.game import View

__all__ = [
    "INDEPENDENT",
    "NOBODY",
    "Arrow",
    "BattleView",
    "BuildView",
    "CardView",
    "ConquestView",
    "FleetView",
    "GroupView",
    "HexView",
    "Kinds",
    "MarkerView",
    "MovingView",
    "NationView",
    "OwnView",
    "PoolView",
    "RollView",
    "RowView",
    "Score",
    "StackView",
    "TileView",
    "VoyageView",
]

INDEPENDENT: Final = NOBODY
"""The defender of an Independent group."""


class TileView(Struct, frozen=True):
    """A tile on the map. Face down its `key` is known to its discoverers only, '' to others."""

    spot: str
    up: bool
    key: str
    seen: tuple[Seat, ...] = ()
    """Whose Discovered Island Markers lie on it, face down."""


class HexView(Struct, frozen=True):
    """A hex: `face` is 'unknown', 'sea', 'hidden' (a face-down tile), 'group' or 'atoll'."""

    spot: str
    face: str
    key: str = ""
    """The tile or printed group that lies there, if the viewer knows it."""
    label: str = ""
    """In the Unknown: the tile that lies there in the real world."""


class GroupView(Struct, frozen=True):
    """An Island Group or atoll in sight, printed or face up."""

    spot: str
    key: str
    """Its name is the word of this key."""
    green: int
    brown: int
    villages: int
    improved: int
    """Improved Agriculture, with or without a Village on it."""
    owner: int
    """The seat that Controls it, NOBODY if none does."""
    independent: bool
    warriors: int
    """Local Warriors: the printed number while Independent, else what its Villages raise in
    defence.
    """
    atoll: bool
    printed: bool
    taken: bool
    """Printed and conquered: a piece must stay."""
    home: int
    """The seat whose Home it is, or NOBODY."""
    chained: bool
    """In a Transport Canoe Chain to its owner's Home (an atoll: to anyone's)."""


class StackView(Struct, frozen=True):
    """A seat's pieces in a hex: `count` of all, `hidden` of those face down."""

    seat: Seat
    spot: str
    count: int
    hidden: int
    open: bool
    """One Transport Canoe lies face up on top."""
    kinds: Kinds | None = None
    """What they are, for their owner."""


class FleetView(Struct, frozen=True):
    """Pieces under way in the Movement that is being made; to others one for each hex where they
    are among enemies.
    """

    number: int
    """0 to others, as are the moves left; and where it set out is ''."""
    seat: Seat
    at: str
    origin: str
    left: int
    """Moves left."""
    count: int
    kinds: Kinds | None = None
    open: bool = False
    """One Transport Canoe of it was turned face up."""


class Arrow(Struct, frozen=True):
    """A leg sailed or transited: every hex of the way, the first and last included."""

    seat: Seat
    way: tuple[str, ...]
    count: int
    transit: bool = False


class MarkerView(Struct, frozen=True):
    """A marker of the running voyage: 'island', 'ocean', 'crossed' (the 2-Knot Marker)."""

    spot: str
    sort: str
    knots: int


class VoyageView(Struct, frozen=True):
    """An Explorer at sea."""

    seat: Seat
    at: str
    knots: int
    limit: int
    """Most Knots with which it may go on; one more is Return, two more are Lost."""
    markers: tuple[MarkerView, ...]
    kumara: bool
    """Searching for Kumara, by the die."""
    deciding: str = ""
    """The tile to hide or show, if there is one."""


class RowView(Struct, frozen=True):
    """One side of a Battle, open to all: the front row, what has panicked, and the back row."""

    seat: int
    w: int
    b: int
    l: int  # noqa: E741 - the letter of the Local Warrior everywhere
    panicked_w: int
    panicked_b: int
    panicked_l: int
    t: int
    c: int
    carried_b: int
    """Warrior Bands aboard Transport Canoes, in the back row."""


class RollView(Struct, frozen=True):
    """A roll and what came of it: `hit` the seat, `result` 'panic', 'removed', 'ignored' or ''
    while unsettled.
    """

    die: int
    hit: int
    result: str
    card: str = ""


class BattleView(Struct, frozen=True):
    """A Battle; the rows are empty until both sides have shown their pieces."""

    spot: str
    attacker: Seat
    defender: int
    villages: int
    shown: bool
    rows: tuple[RowView, ...]
    """Attacker, defender."""
    rolls: tuple[RollView, ...]

    @property
    def is_decided(self) -> bool:
        """Whether a front row is empty: all that is left to do is to settle it."""
        return self.shown and not all(row.w + row.b + row.l for row in self.rows)


class CardView(Struct, frozen=True):
    """A card as the viewer knows it: '' for another's face-down one."""

    key: str
    up: bool
    used: bool


class Score(Struct, frozen=True):
    """Where a seat's points come from."""

    villages: float
    groups: float
    atolls: float
    cards: float
    kumara: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.villages + self.groups + self.atolls + self.cards + self.kumara


class NationView(Struct, frozen=True):
    """What everybody knows of a seat."""

    people: str
    """'tonga', 'samoa', 'hiva' or 'raiatea'; '' before Homes are chosen."""
    home: str
    explorer: str
    """'home', 'sea' or 'lost'."""
    track: float
    """Points at the last count, as the Victory Point Track shows them."""
    score: Score
    """Points as they stand now, face-up cards only."""
    hand: int
    """All cards, face down and face up."""
    hidden: int
    cards: tuple[CardView, ...]
    """Those face up."""
    villages: int
    groups: int
    pieces: int
    """Pieces on the map, Rumors included."""
    open_canoes: int
    markers: int
    """Discovered Island Markers on the map."""
    saved: bool
    kumara: bool
    galapagos: bool
    ready: bool
    """Its secret answer of a simultaneous step is in."""
    out: bool
    links: tuple[tuple[str, str], ...]
    """Pairs of neighbouring hexes with its open canoes."""
    home_chain: tuple[str, ...]
    """Hexes of the chain that holds its Home, if there is one."""


class PoolView(Struct, frozen=True):
    """Build Points that may be spent together."""

    key: str
    """'home', or its first hex."""
    spots: tuple[str, ...]
    points: int
    spent: int


class BuildView(Struct, frozen=True):
    """A seat's own secret list: item and hex ('' where it needs none)."""

    items: tuple[tuple[str, str], ...]
    settled: tuple[str, ...]
    ready: bool
    waits: tuple[str, ...] = ()
    """Hexes where no Colony is to become a Village."""


class MovingView(Struct, frozen=True):
    """What a mover must know of the own Movement besides what lies and sails where."""

    afloat: bool
    """Something has sailed or was opened: Transit is over."""
    landed: tuple[tuple[str, Kinds], ...]
    """Pieces that were set down or walked, by hex: they move no more."""
    answered: tuple[tuple[str, bool], ...]
    """Hexes asked about, and whether a War Canoe is there."""


class OwnView(Struct, frozen=True):
    """What only the viewer knows."""

    hand: tuple[CardView, ...]
    points: float
    """As they stand now with every card."""
    unbuilt: Kinds
    tiles: tuple[TileView, ...]
    """Face-down tiles discovered."""
    losses: str
    """The standing order for casualties."""
    orders: str
    """The standing order for Battle cards."""
    course: str
    """The standing order for Explorers that are Off Course."""
    first: str
    """The standing order for the Turn Order Marker."""
    voyage: str
    """Which choices of a voyage wait for a confirm."""
    finds: str
    """The standing order for what its Explorer finds."""
    declares: str
    """The standing order for the Victory Step."""
    pools: tuple[PoolView, ...]
    build: BuildView | None
    start: tuple[str, ...] = ()
    """Pieces chosen for the start."""
    mode: str = ""
    """How cards are used in the running Battle."""
    moving: MovingView | None = None
    """The viewer's own Movement, while it is under way."""


class ConquestView(View, frozen=True, kw_only=True, dict=True):
    """The table as one viewer sees it; `scores` are the points as they stand now."""

    turn: int
    step: str
    """'setup', 'order', 'exploration', 'movement', 'battle', 'building', 'victory' or 'over'."""
    active: int
    """The seat whose step it is, NOBODY while all act or none does."""
    goal: int
    last_turn: int
    marker: int
    """Who has the Turn Order Marker."""
    order: tuple[Seat, ...]
    """This turn's order, empty before it is chosen."""
    clockwise: bool
    seas: tuple[str, ...]
    """Open Ocean that was explored."""
    tiles: tuple[TileView, ...]
    groups: tuple[GroupView, ...]
    stacks: tuple[StackView, ...]
    fleets: tuple[FleetView, ...]
    arrows: tuple[Arrow, ...]
    """The legs of the Movement under way, or of the last one until the next step."""
    last: tuple[str, ...]
    """Hexes of what happened last."""
    nations: tuple[NationView, ...]
    voyage: VoyageView | None
    battle: BattleView | None
    due: tuple[str, ...]
    """Hexes where a Battle is still to be fought."""
    cup: tuple[int, ...]
    """Discovery Markers left, as board.MARKERS."""
    deck: int
    tiles_left: int
    gone: tuple[TileView, ...]
    """Tiles removed from the game face down."""
    maui: str
    """The South Island: '' if not played, 'aside', 'placed' or 'out'."""
    declared: int
    """The first seat that has declared Victory, else NOBODY."""
    own: OwnView | None = None
    kumara_played: bool = False
    malaria_played: bool = False

    def note(self, spot: str) -> str:
        """The name of the land there, or that a face-down tile lies there."""
        hex = self._face(spot) if spot in HEX_AT else None
        if hex is None or hex.face in ("unknown", "sea"):
            return ""
        return hex.key or "hidden"

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The turn, the Battle that has come to a pause, and the points."""
        if self.step == "over":
            head = "over"
        elif self.turn:
            head = "turn"
        else:
            head = "setup"
        told = [(head, {"turn": self.turn, "goal": self.goal, "step": self.step})]
        if self.battle is not None and self.battle.rolls and not self.battle.is_decided:
            rolls = tuple(roll.die for roll in self.battle.rolls)
            told.append(("battle", {"spot": self.battle.spot, "rolls": rolls}))
        return (*told, ("points", {"points": self.scores}))

    def stage(self) -> Line | None:
        """The turn."""
        return ("turn", {"turn": self.turn}) if self.step != "over" else None

    # A picture looks hexes up so often that it takes 20 ms with these, and 120 if each is worked
    # out anew.

    @cached_property
    def hexes(self) -> tuple[HexView, ...]:
        """All hexes in the order of the map, with their faces."""
        return tuple(self._face(hex.code) for hex in HEXES)

    @cached_property
    def hex_at(self) -> dict[str, HexView]:
        """Hexes by code."""
        return {hex.spot: hex for hex in self.hexes}

    @cached_property
    def group_at(self) -> dict[str, GroupView]:
        """Groups by hex."""
        return {group.spot: group for group in self.groups}

    def stacks_at(self, spot: str) -> tuple[StackView, ...]:
        """Whose pieces lie there, fleets not included."""
        return tuple(stack for stack in self.stacks if stack.spot == spot)

    @cached_property
    def _tile_at(self) -> dict[str, TileView]:
        return {tile.spot: tile for tile in self.tiles}

    @cached_property
    def _seas(self) -> frozenset[str]:
        return frozenset(self.seas)

    def _face(self, spot: str) -> HexView:
        """What shows in a hex: a tile covers what is printed."""
        tile = self._tile_at.get(spot)
        if tile is not None:
            if not tile.up:
                return HexView(spot, "hidden", tile.key)
            face = "atoll" if TILES[tile.key].atoll else "group"
            return HexView(spot, face, tile.key)
        sort = printed_sort(spot)
        if sort in ("group", "atoll"):
            return HexView(spot, sort, PRINTED[spot].key)
        if sort == "ocean" or spot in self._seas:
            return HexView(spot, "sea")
        return HexView(spot, "unknown", label=LABELS.get(spot, ""))
