"""The frozen position: the matrix, the discoverer, and what lies before each seat."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.decision import Seat
from engine.maori.board import BOARDS, CELLS, FAR, NO_TILE, TRACK, Board
from engine.maori.scoring import Row
from engine.maori.steps import (
    BeginPlay,
    DiscoverTile,
    EndGame,
    EndTurn,
    MoveDiscoverer,
    MoveShip,
    PlaceDiscoverer,
    PlaceTile,
    Refill,
    RemoveTile,
)
from engine.maori.tiles import changed
from engine.maori.turn import BESIDE, Place, TileNumber, Turn

SHELLS = 30
START_SHELLS = 5

Count = Annotated[int, Meta(ge=0)]
AnyStep = (
    PlaceDiscoverer
    | BeginPlay
    | MoveDiscoverer
    | DiscoverTile
    | PlaceTile
    | RemoveTile
    | MoveShip
    | Refill
    | EndTurn
    | EndGame
)


class Side(Struct, frozen=True, gc=False):
    """What lies before a seat."""

    tiles: Annotated[tuple[TileNumber, ...], Meta(min_length=20, max_length=20)]
    """By space, printed land included."""
    stored: TileNumber
    shells: Count
    ship: Place = BESIDE
    removed: tuple[tuple[Place, TileNumber], ...] = ()
    """Incomplete islands, taken off before the scoring."""


class State(Struct, frozen=True, gc=False):
    """A position. The supply is sorted, not shuffled: a tile is drawn when it is turned up, so nothing is hidden."""

    board_name: Annotated[str, Meta(pattern="^(front|atoll)$")]
    rules: Annotated[str, Meta(pattern="^(basic|advanced|pro)$")]
    matrix: Annotated[tuple[TileNumber, ...], Meta(min_length=len(CELLS), max_length=len(CELLS))]
    supply: tuple[TileNumber, ...]
    bank: Count
    discoverer: Annotated[int, Meta(ge=-1, lt=TRACK)]
    """Its position, -1 before it is placed."""
    sides: tuple[Side, ...]
    filled: Seat | None
    """Who filled the board first."""
    idle: Count
    """Turns in a row that did nothing."""
    turns: Count
    """Turns had by all."""
    turn: Turn | None
    rows: tuple[Row, ...]
    """The points, once the match is over."""
    reason: str
    """Why it ended, '' before that."""
    agenda: tuple[AnyStep, ...]

    @property
    def board(self) -> Board:
        """The board that every seat plays on."""
        return BOARDS[self.board_name]

    @property
    def has_ships(self) -> bool:
        """Whether the small ships are in play."""
        return self.rules != "basic"

    @property
    def phase(self) -> str:
        """'opening', 'play', 'last_turns' or 'over'."""
        if self.reason:
            return "over"
        if self.discoverer < 0:
            return "opening"
        return "play" if self.filled is None else "last_turns"

    @property
    def round(self) -> int:
        """Which turn of each seat it is, from 1; 0 in the opening. A finished match stays in its last round."""
        if self.discoverer < 0:
            return 0
        return (self.turns - (self.reason != "")) // len(self.sides) + 1

    @property
    def idle_limit(self) -> int:
        """So many turns in a row that do nothing end the match: two full rounds."""
        return 2 * len(self.sides)

    @property
    def to_come(self) -> tuple[Seat, ...]:
        """In the last turns: the seats that still have theirs, in order."""
        if self.filled is None or self.reason:
            return ()
        now, seats = self.agenda[-1].seat, len(self.sides)
        return tuple(Seat((now + step) % seats) for step in range((self.filled - now) % seats))

    @property
    def hand(self) -> str:
        """Where the tile in hand comes from: a cell's letter or 'stored', '' if there is none."""
        top = self.agenda[-1] if self.agenda else None
        if not isinstance(top, PlaceTile):
            return ""
        return "stored" if top.cell < 0 else CELLS[top.cell]

    def ships(self, seat: Seat) -> int:
        """The ships in sight on a seat's board."""
        return self.board.ships(self.sides[seat].tiles)

    def fares(self, seat: Seat) -> list[tuple[int, int]]:
        """Every empty space where the seat may place a tile, with the shells that its ship must sail for."""
        board, side = self.board, self.sides[seat]
        empty = board.empty(side.tiles)
        if side.ship == BESIDE:
            return [(space, 0) for space in empty]
        priced = ((space, board.landing(side.tiles, side.ship, space)) for space in empty)
        return [(space, fare) for space, (tile, fare) in priced if tile >= 0]

    def cheapest_fare(self, seat: Seat) -> int:
        """The least that placing a tile costs the seat, FAR if there is no space at all."""
        board, side = self.board, self.sides[seat]
        if side.ship == BESIDE:
            return FAR if board.is_full(side.tiles) else 0
        if not all(side.tiles[space] for space in board.touching[side.ship]):
            return 0
        return min((fare for _, fare in self.fares(seat)), default=FAR)

    def removable(self, seat: Seat) -> list[int]:
        """Spaces whose tile the seat may discard: not the one under its ship."""
        side = self.sides[seat]
        return [space for space in self.board.tiled(side.tiles) if space != side.ship]

    def can_remove(self, seat: Seat) -> bool:
        """Whether the seat has a tile to discard."""
        side = self.sides[seat]
        return any(side.tiles) if side.ship == BESIDE else len(side.tiles) - side.tiles.count(NO_TILE) > 1

    def paying(self, seat: Seat, shells: int) -> "State":
        """The position after a seat paid shells to the supply."""
        if not shells:
            return self
        side = self.sides[seat]
        return self.with_side(seat, replace(side, shells=side.shells - shells), self.bank + shells)

    def with_side(self, seat: Seat, side: Side, bank: int) -> "State":
        """The position with a seat's things changed, and the shells in the supply."""
        return replace(self, sides=changed(self.sides, seat, side), bank=bank)

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """The same position with other steps to come."""
        return replace(self, agenda=agenda)
