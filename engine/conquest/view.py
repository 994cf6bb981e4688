"""The view of one viewer, from which pictures, texts and menus are made.

The number of pieces in a face-down stack is public, their kinds are known only to the owner. A
face-down tile shows whose markers lie on it, and its name only to those seats. `view_of.view_of`
fills these structs in.
"""

from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from engine.conquest.board import HEX_AT, HEXES, LABELS, PRINTED, TILES, printed_face
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
    """A tile on the map. `key` is '' for a face-down tile that the viewer has not discovered."""

    spot: str
    up: bool
    key: str
    seen: tuple[Seat, ...] = ()
    """Seats whose Discovered Island Markers lie on it, while it is face down."""


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
    """The key of its name in the texts."""
    green: int
    brown: int
    villages: int
    improved: int
    """Improved Agriculture, with or without a Village on it."""
    owner: int
    """The seat that Controls it; NOBODY if none does."""
    independent: bool
    warriors: int
    """Local Warriors: the printed number while Independent, else by the number of Villages."""
    atoll: bool
    printed: bool
    taken: bool
    """It is printed and was conquered, so a piece must stay."""
    home: int
    """The seat whose Home it is, or NOBODY."""
    chained: bool
    """A Transport Canoe Chain connects it to its owner's Home (an atoll: to anyone's)."""


class StackView(Struct, frozen=True):
    """A seat's pieces in a hex: `count` of all, `hidden` of those face down."""

    seat: Seat
    spot: str
    count: int
    hidden: int
    open: bool
    """One Transport Canoe lies face up on top."""
    kinds: Kinds | None = None
    """Their kinds, which only the owner knows."""


class FleetView(Struct, frozen=True):
    """Pieces under way in the Movement; others see one fleet per hex that is among enemies."""

    number: int
    """0 for others, who do not see `left` and `origin` either."""
    seat: Seat
    at: str
    origin: str
    left: int
    """Moves left."""
    count: int
    kinds: Kinds | None = None
    open: bool = False
    """One of its Transport Canoes was turned face up."""


class Arrow(Struct, frozen=True):
    """A move that was sailed or transited, with every hex of its way."""

    seat: Seat
    way: tuple[str, ...]
    count: int
    transit: bool = False


class MarkerView(Struct, frozen=True):
    """A marker of the voyage: 'island', 'ocean', or 'crossed' for the 2-Knot Marker."""

    spot: str
    sort: str
    knots: int


class VoyageView(Struct, frozen=True):
    """An Explorer at sea."""

    seat: Seat
    at: str
    knots: int
    limit: int
    """Most Knots with which it may go on; with one more it must Return, with two more it is
    Lost.
    """
    markers: tuple[MarkerView, ...]
    kumara: bool
    """It searches for Kumara."""
    deciding: str = ""
    """The hex of a new discovery to hide or show, if there is one."""


class RowView(Struct, frozen=True):
    """One side of a Battle, which everybody sees: front row, panicked pieces, back row."""

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
    """A roll and its result: 'panic', 'removed', 'ignored', or '' until settled."""

    die: int
    hit: int
    """The seat that was hit."""
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
        """Return whether a front row is empty, so that only the aftermath is left."""
        return self.shown and not all(row.w + row.b + row.l for row in self.rows)


class CardView(Struct, frozen=True):
    """A card as the viewer knows it: `key` is '' for another seat's face-down card."""

    key: str
    up: bool
    used: bool


class Score(Struct, frozen=True):
    """A seat's points by origin."""

    villages: float
    groups: float
    atolls: float
    cards: float
    kumara: float

    @property
    def total(self) -> float:
        """Return the sum of all points."""
        return self.villages + self.groups + self.atolls + self.cards + self.kumara


class NationView(Struct, frozen=True):
    """The public facts about a seat."""

    people: str
    """'tonga', 'samoa', 'hiva' or 'raiatea'; '' before Homes are chosen."""
    home: str
    explorer: str
    """'home', 'sea' or 'lost'."""
    track: float
    """Points at the last count, as shown on the Victory Point Track."""
    score: Score
    """Current points, with face-up cards only."""
    hand: int
    """Number of all cards, face down and face up."""
    hidden: int
    """Number of face-down cards."""
    cards: tuple[CardView, ...]
    """Face-up cards."""
    villages: int
    groups: int
    pieces: int
    """Number of pieces on the map, Rumors included."""
    open_canoes: int
    markers: int
    """Number of Discovered Island Markers on the map."""
    saved: bool
    kumara: bool
    galapagos: bool
    ready: bool
    """It has given its secret answer in a simultaneous step."""
    out: bool
    links: tuple[tuple[str, str], ...]
    """Pairs of adjacent hexes with its face-up canoes."""
    home_chain: tuple[str, ...]
    """Hexes of the chain through its Home, if there is one."""


class PoolView(Struct, frozen=True):
    """Build Points that may be spent together."""

    key: str
    """'home', or its first hex."""
    spots: tuple[str, ...]
    points: int
    spent: int


class BuildView(Struct, frozen=True):
    """The viewer's secret build list: items and their hexes ('' if they need none)."""

    items: tuple[tuple[str, str], ...]
    settled: tuple[str, ...]
    ready: bool
    waits: tuple[str, ...] = ()
    """Hexes where no Colony becomes a Village."""


class MovingView(Struct, frozen=True):
    """Parts of the viewer's Movement that stacks and fleets do not show."""

    afloat: bool
    """A piece has sailed or a canoe was turned face up, so Transit is over."""
    landed: tuple[tuple[str, Kinds], ...]
    """Pieces that were set down or have walked, by hex; they cannot move again."""
    answered: tuple[tuple[str, bool], ...]
    """Hexes that were asked about, and whether a War Canoe is there."""


class OwnView(Struct, frozen=True):
    """The facts that only the viewer knows."""

    hand: tuple[CardView, ...]
    points: float
    """Current points with all cards."""
    unbuilt: Kinds
    tiles: tuple[TileView, ...]
    """Face-down tiles that the viewer has discovered."""
    losses: str
    """The standing order for casualties."""
    orders: str
    """The standing order for Battle cards."""
    course: str
    """The standing order for other seats' Explorers that are Off Course."""
    first: str
    """The standing order for the Turn Order Marker."""
    voyage: str
    """Which choices of a voyage wait for a confirmation."""
    finds: str
    """The standing order for discoveries of its Explorer."""
    declares: str
    """The standing order for the Victory Step."""
    pools: tuple[PoolView, ...]
    build: BuildView | None
    start: tuple[str, ...] = ()
    """Pieces chosen for the start."""
    mode: str = ""
    """How the viewer uses cards in the current Battle."""
    moving: MovingView | None = None
    """The viewer's Movement, while it is under way."""


class ConquestView(View, frozen=True, kw_only=True, dict=True):
    """The table as one viewer sees it; `scores` are current points."""

    turn: int
    step: str
    """'setup', 'order', 'exploration', 'movement', 'battle', 'building', 'victory' or 'over'."""
    active: int
    """The seat whose step it is; NOBODY while all act or none does."""
    goal: int
    last_turn: int
    marker: int
    """The seat with the Turn Order Marker."""
    order: tuple[Seat, ...]
    """This turn's order, empty before it is chosen."""
    clockwise: bool
    seas: tuple[str, ...]
    """Explored Open Ocean."""
    tiles: tuple[TileView, ...]
    groups: tuple[GroupView, ...]
    stacks: tuple[StackView, ...]
    fleets: tuple[FleetView, ...]
    arrows: tuple[Arrow, ...]
    """The moves of the Movement under way, or of the last one until the next step."""
    last: tuple[str, ...]
    """Hexes of the latest event."""
    nations: tuple[NationView, ...]
    voyage: VoyageView | None
    battle: BattleView | None
    due: tuple[str, ...]
    """Hexes where a Battle has yet to be fought."""
    cup: tuple[int, ...]
    """Discovery Markers left, by the kinds in `board.MARKERS`."""
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
        """Return the key of the land in a hex, 'hidden' for a face-down tile, else ''."""
        hex = self._face(spot) if spot in HEX_AT else None
        if hex is None or hex.face in ("unknown", "sea"):
            return ""
        return hex.key or "hidden"

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return lines with the turn, an undecided Battle, and the points."""
        if self.step == "over":
            head = "over"
        elif self.turn:
            head = "turn"
        else:
            head = "setup"
        lines = [(head, {"turn": self.turn, "goal": self.goal, "step": self.step})]
        if self.battle is not None and self.battle.rolls and not self.battle.is_decided:
            rolls = tuple(roll.die for roll in self.battle.rolls)
            lines.append(("battle", {"spot": self.battle.spot, "rolls": rolls}))
        return (*lines, ("points", {"points": self.scores}))

    def stage(self) -> Line | None:
        """Return a line with the turn; None once the match is over."""
        return ("turn", {"turn": self.turn}) if self.step != "over" else None

    # Drawing looks hexes up so often that a picture takes 20 ms with these caches and 120 ms
    # without.

    @cached_property
    def hexes(self) -> tuple[HexView, ...]:
        """Return all hexes with their faces, in map order."""
        return tuple(self._face(hex.code) for hex in HEXES)

    @cached_property
    def hex_at(self) -> dict[str, HexView]:
        """Return the hexes by code."""
        return {hex.spot: hex for hex in self.hexes}

    @cached_property
    def group_at(self) -> dict[str, GroupView]:
        """Return the groups by hex."""
        return {group.spot: group for group in self.groups}

    def stacks_at(self, spot: str) -> tuple[StackView, ...]:
        """Return the stacks in a hex, fleets not included."""
        return tuple(stack for stack in self.stacks if stack.spot == spot)

    @cached_property
    def _tile_at(self) -> dict[str, TileView]:
        return {tile.spot: tile for tile in self.tiles}

    @cached_property
    def _seas(self) -> frozenset[str]:
        return frozenset(self.seas)

    def _face(self, spot: str) -> HexView:
        """Return what shows in a hex: a tile covers what is printed."""
        tile = self._tile_at.get(spot)
        if tile is not None:
            if not tile.up:
                return HexView(spot, "hidden", tile.key)
            face = "atoll" if TILES[tile.key].atoll else "group"
            return HexView(spot, face, tile.key)
        face = printed_face(spot)
        if face in ("group", "atoll"):
            return HexView(spot, face, PRINTED[spot].key)
        if face == "ocean" or spot in self._seas:
            return HexView(spot, "sea")
        return HexView(spot, "unknown", label=LABELS.get(spot, ""))
